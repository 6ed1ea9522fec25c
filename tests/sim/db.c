// SPDX-License-Identifier: GPL-3.0-or-later
//
// The database of the simulation. Leases and epochs are those of docs/decisions/0007-many-nodes.md;
// with one node there are none, and the database dies with the process.
#include "sim.h"

static bool is_cluster(const Sim *s) {
    return s->nodes_count > 1;
}

void db_open(Sim *s) {
    s->db.up = true;
    for (int i = 0; i < SIM_SHARDS; i++)
        s->db.shards[i].owner = is_cluster(s) ? -1 : 0;
}

Entity *db_find(const Sim *s, const LiveId *id) {
    for (size_t i = s->db.entity_count; i-- > 0;)
        if (live_id_equal(&s->db.entities[i].id, id))
            return (Entity *)(uintptr_t)&s->db.entities[i];
    return NULL;
}

bool db_reached(const Sim *s, const Node *node) {
    return s->db.up && node->cut_until_ms <= s->now_ms;
}

// ---- writing ------------------------------------------------------------------------------------

static void keep_outage(Sim *s, unsigned shards, LiveOutage outage) {
    Db *db = &s->db;
    if (s->mutant == MUTANT_SLEEPERS_CHARGED)
        return;
    db->outages =
        sim_grow(db->outages, db->outage_count, &db->outage_capacity, sizeof(*db->outages));
    db->outages[db->outage_count++] = (KeptOutage) { shards, outage };
}

static void keep_vacation(Sim *s, const LiveVacation *vacation) {
    Db *db = &s->db;
    size_t at = 0;
    while (at < db->vacation_count && (db->vacations[at].account != vacation->account ||
                                       db->vacations[at].from_ms != vacation->from_ms))
        at++;
    if (at == db->vacation_count && at < JD_COUNT(db->vacations))
        db->vacation_count++;
    if (at < db->vacation_count)
        db->vacations[at] = *vacation;
}

static unsigned outage_shards(const Group *group, size_t index) {
    for (size_t i = 0; i < group->outage_count; i++)
        if (group->outages[i].index == index)
            return group->outages[i].shards;
    return group->owned;
}

static void write_effect(Sim *s, Node *node, const Group *group, size_t index) {
    const LiveEffect *effect = &group->fx.list[index];
    if (effect->kind == LIVE_FX_LOG) {
        judge_appended(s, node, effect->log, group->true_ms[index]);
    } else if (effect->kind == LIVE_FX_GAME_SLEEP) {
        Entity *entity = db_find(s, &effect->id);
        SIM_CHECK(s, entity != NULL && entity->count == effect->sleep.last_seq);
        entity->asleep = true;
        entity->wake_ms = effect->sleep.wake_ms;
        s->count.sleeps++;
    } else if (effect->kind == LIVE_FX_OUTAGE) {
        sim_trace(s, "outage of %lld ms at %lld, shards %#x", (long long)effect->outage.span_ms,
                  (long long)(effect->outage.at_ms - SIM_BASE_MS), outage_shards(group, index));
        keep_outage(s, outage_shards(group, index), effect->outage);
    } else if (effect->kind == LIVE_FX_VACATION) {
        keep_vacation(s, &effect->vacation);
    } else if (effect->kind == LIVE_FX_CHAT) {
        if (s->mutant != MUTANT_LOSE_LINES || !sim_chance(&s->disk_random, 200))
            asked_kept(s, node, effect);
    }
}

// The adoption of these shards is durable: from here on the owner's own sign of life counts.
static void settle_adoption(Sim *s, Node *node, const Group *group) {
    for (int i = 0; i < SIM_SHARDS; i++) {
        if ((group->adopted >> i & 1) == 0 || s->db.shards[i].owner != node->index)
            continue;
        s->db.shards[i].pending = false;
        const int64_t heartbeat_ms = sim_scaled(s, HEARTBEAT_MS);
        int64_t back_ms = s->db.shards[i].offset_ms - node->offset_ms;
        // Given away, an exact instant is known: only less than that may be missing.
        const int64_t most_ms = s->db.shards[i].planned
                                    ? group->adopted_ms[i] - s->db.shards[i].unserved_ms
                                    : heartbeat_ms;
        if (back_ms < 0)
            back_ms = 0;
        int64_t unsigned_ms =
            s->db.shards[i].unserved_ms - s->db.shards[i].signed_ms - heartbeat_ms;
        if (unsigned_ms < 0 || s->db.shards[i].planned)
            unsigned_ms = 0;
        if (s->db.shards[i].unserved_ms != 0)
            judge_outage(s, 1u << i, s->db.shards[i].unserved_ms, group->adopted_ms[i],
                         s->db.shards[i].planned ? 0 : 2 * heartbeat_ms + LIVE_STALL_MS,
                         (back_ms < most_ms ? back_ms : most_ms) + unsigned_ms);
        s->db.shards[i].unserved_ms = 0;
    }
}

bool db_commit(Sim *s, Node *node, Group *group, size_t upto) {
    const bool fenced = is_cluster(s) && (!s->db.nodes[node->index].alive ||
                                          s->db.nodes[node->index].epoch != group->epoch);
    if (fenced && s->mutant != MUTANT_NO_FENCE)
        return false;
    s->count.commits++;
    if (node->live != NULL && node->epoch == group->epoch && node->frozen_until_ms <= s->now_ms)
        node->down_since_ms = 0;
    const bool whole = upto >= group->fx.count;
    if (whole)
        settle_adoption(s, node, group);
    for (size_t i = 0; i < upto; i++)
        write_effect(s, node, group, i);
    s->db.nodes[node->index].group = group->number;
    if (whole && group->alive_ms != 0)
        s->db.nodes[node->index].alive_ms = group->alive_ms;
    if (whole && group->released != 0)
        db_give(s, node, group->released, group->released_ms, group->released_true_ms);
    if (s->mutant != MUTANT_ACK_UNSYNCED)
        db_synced(s);
    else
        sim_at(s, s->now_ms + sim_between(&s->disk_random, 20, 3000),
               (Event) { .kind = EVENT_SYNCED });
    return true;
}

void db_synced(Sim *s) {
    for (size_t i = 0; i < s->db.entity_count; i++)
        s->db.entities[i].synced = s->db.entities[i].count;
    s->db.lines_synced = s->db.line_count;
}

// What was not on the disk has never been.
void db_crash(Sim *s) {
    s->db.up = is_cluster(s) ? false : s->db.up;
    for (size_t i = 0; i < s->db.entity_count; i++)
        s->db.entities[i].count = s->db.entities[i].synced;
    judge_crashed(s);
}

// ---- leases -------------------------------------------------------------------------------------

void db_give(Sim *s, Node *node, unsigned shards, int64_t clock_ms, int64_t true_ms) {
    for (int i = 0; i < SIM_SHARDS; i++) {
        if ((shards >> i & 1) == 0 || s->db.shards[i].owner != node->index)
            continue;
        s->db.shards[i].owner = -1;
        s->count.releases++;
        if (s->db.shards[i].pending)
            continue; // it was never really here
        s->db.shards[i].alive_ms = clock_ms;
        s->db.shards[i].exact = true;
        s->db.shards[i].planned = true;
        s->db.shards[i].offset_ms = node->offset_ms;
        s->db.shards[i].unserved_ms = true_ms;
    }
}

static void depose(Sim *s, int index) {
    Node *node = &s->nodes[index];
    s->db.nodes[index].alive = false;
    s->db.nodes[index].epoch++;
    s->count.fences++;
    // The truth: nothing of it has got through since then.
    int64_t since_ms = node->down_since_ms != 0 ? node->down_since_ms : s->now_ms;
    if (node->is_flying && node->commit_ms < since_ms)
        since_ms = node->commit_ms;
    // It may have started again, and not be known to the database yet.
    const int64_t offset_ms = node->epoch != 0 ? node->offset_ms : node->last_offset_ms;
    for (int i = 0; i < SIM_SHARDS; i++) {
        if (s->db.shards[i].owner != index)
            continue;
        s->db.shards[i].owner = -1;
        if (s->db.shards[i].pending)
            continue;
        s->db.shards[i].alive_ms = s->db.nodes[index].alive_ms;
        s->db.shards[i].exact = false;
        s->db.shards[i].planned = false;
        s->db.shards[i].offset_ms = offset_ms;
        s->db.shards[i].signed_ms = s->db.nodes[index].alive_ms - offset_ms;
        s->db.shards[i].unserved_ms = since_ms;
        // It was about to give this one away and stepped nothing of it any more.
        const Group *groups[2] = { &node->open, &node->flying };
        for (int k = 0; k < 2; k++)
            if ((groups[k]->released >> i & 1) && groups[k]->released_true_ms < since_ms)
                s->db.shards[i].unserved_ms = groups[k]->released_true_ms;
    }
}

void db_register(Sim *s, Node *node) {
    if (s->db.nodes[node->index].alive)
        depose(s, node->index); // its last run
    s->db.nodes[node->index].alive = true;
    node->epoch = ++s->db.nodes[node->index].epoch;
    s->db.nodes[node->index].group = 0;
    s->db.nodes[node->index].alive_ms = node_clock(s, node);
    s->db.nodes[node->index].expires_ms = s->now_ms + sim_scaled(s, LEASE_MS);
    node->renewed_ms = s->now_ms;
}

void db_renew(Sim *s, Node *node) {
    if (!db_reached(s, node))
        return;
    // A loop that gives no sign keeps no lease.
    if (!is_cluster(s) || node_clock(s, node) - node->sign_ms > sim_scaled(s, LEASE_MS))
        return;
    if (!s->db.nodes[node->index].alive || s->db.nodes[node->index].epoch != node->epoch) {
        node_fenced(s, node);
        return;
    }
    s->db.nodes[node->index].expires_ms = s->now_ms + sim_scaled(s, LEASE_MS);
    s->db.nodes[node->index].alive_ms = node->sign_ms;
    node->renewed_ms = s->now_ms;
    node->down_since_ms = 0;
}

static void depose_the_dead(Sim *s) {
    for (int i = 0; i < s->nodes_count; i++)
        if (s->db.nodes[i].alive && s->db.nodes[i].expires_ms < s->now_ms)
            depose(s, i);
}

static int owned_by(const Sim *s, int index) {
    int count = 0;
    for (int i = 0; i < SIM_SHARDS; i++)
        count += s->db.shards[i].owner == index;
    return count;
}

static int fair_share(const Sim *s) {
    int alive = 0;
    for (int i = 0; i < s->nodes_count; i++)
        alive += s->db.nodes[i].alive && !s->nodes[i].stopping;
    return alive == 0 ? 0 : (SIM_SHARDS + alive - 1) / alive;
}

// Free shards become his. Those of one former owner come together.
static void claim(Sim *s, Node *node) {
    const int share = fair_share(s);
    int count = owned_by(s, node->index);
    unsigned claimed = 0;
    for (int i = 0; i < SIM_SHARDS && count < share; i++) {
        if (s->db.shards[i].owner != -1)
            continue;
        s->db.shards[i].owner = node->index;
        s->db.shards[i].pending = s->mutant != MUTANT_EARLY_SIGN;
        claimed |= 1u << i;
        count++;
    }
    node_claimed(s, node, claimed);
}

static void balance(Sim *s, Node *node) {
    const int share = fair_share(s);
    int count = owned_by(s, node->index);
    unsigned given = 0;
    for (int i = 0; i < SIM_SHARDS && count > share; i++)
        if (node->owned >> i & 1) {
            given |= 1u << i;
            count--;
        }
    // What is being given away already is still his in the database.
    if (given != 0 && node_may_step(s, node) && node->open.released == 0 &&
        node->flying.released == 0)
        node_release(s, node, given);
}

void db_look(Sim *s, Node *node) {
    if (!is_cluster(s) || !db_reached(s, node))
        return;
    depose_the_dead(s);
    if (!s->db.nodes[node->index].alive || s->db.nodes[node->index].epoch != node->epoch) {
        node_fenced(s, node);
        return;
    }
    if (!node->stopping)
        claim(s, node);
    unsigned changed = 0;
    for (int i = 0; i < SIM_SHARDS; i++) {
        if (node->view[i] != s->db.shards[i].owner)
            changed |= 1u << i;
        node->view[i] = s->db.shards[i].owner;
    }
    if (changed != 0)
        gateway_owners(s, node, changed);
    if (!node->stopping)
        balance(s, node);
}

// ---- reading ------------------------------------------------------------------------------------

typedef struct Arrived {
    int64_t arrival;
    const LiveLogEvent *event;
} Arrived;

static int by_arrival(const void *a, const void *b) {
    const int64_t x = ((const Arrived *)a)->arrival;
    const int64_t y = ((const Arrived *)b)->arrival;
    return (x > y) - (x < y);
}

LiveLogEvent *db_unfinished(Sim *s, unsigned shards, size_t *count) {
    Arrived *found = sim_take(s, 8192 * sizeof(*found));
    *count = 0;
    for (size_t i = 0; i < s->db.entity_count; i++) {
        const Entity *entity = &s->db.entities[i];
        if (entity->over || entity->asleep || (shards >> entity->shard & 1) == 0)
            continue;
        for (uint32_t k = 0; k < entity->count; k++) {
            SIM_CHECK(s, *count < 8192);
            found[(*count)++] = (Arrived) { entity->arrivals[k], &entity->log[k] };
        }
        if (s->mutant == MUTANT_HALF_TAKEN && *count > 0)
            break;
    }
    qsort(found, *count, sizeof(*found), by_arrival);
    LiveLogEvent *events = sim_take(s, (*count + 1) * sizeof(*events));
    for (size_t i = 0; i < *count; i++)
        events[i] = *found[i].event;
    return events;
}

LiveOutage *db_outages(Sim *s, const Entity *entity, size_t *count) {
    LiveOutage *outages = sim_take(s, (s->db.outage_count + 65) * sizeof(*outages));
    *count = 0;
    for (size_t i = 0; i < s->db.outage_count; i++) {
        if ((s->db.outages[i].shards >> entity->shard & 1) == 0)
            continue;
        const LiveOutage outage = s->db.outages[i].outage;
        size_t at = (*count)++;
        for (; at > 0 && outages[at - 1].at_ms > outage.at_ms; at--)
            outages[at] = outages[at - 1];
        outages[at] = outage;
    }
    return outages;
}
