// SPDX-License-Identifier: GPL-3.0-or-later
//
// Time and chance of a run, and what breaks in it.
#include "sim.h"

// ---- memory, chance -----------------------------------------------------------------------------

typedef struct Chunk {
    struct Chunk *next;
    size_t used;
    size_t size;
    _Alignas(16) unsigned char bytes[];
} Chunk;

void *sim_take(Sim *s, size_t size) {
    const size_t need = (size + 15) & ~(size_t)15;
    Chunk *chunk = s->chunks;
    if (chunk == NULL || chunk->size - chunk->used < need) {
        const size_t capacity = need > (256u << 10) ? need : 256u << 10;
        chunk = malloc(sizeof(*chunk) + capacity);
        *chunk = (Chunk) { .next = s->chunks, .size = capacity };
        s->chunks = chunk;
    }
    void *at = chunk->bytes + chunk->used;
    chunk->used += need;
    memset(at, 0, need);
    return at;
}

void *sim_grow(void *list, size_t count, size_t *capacity, size_t size) {
    if (count < *capacity)
        return list;
    *capacity = *capacity == 0 ? 32 : *capacity * 2;
    return realloc(list, *capacity * size);
}

int64_t sim_between(uint64_t *random, int64_t least, int64_t most) {
    return least + (int64_t)jd_random_below(random, (uint32_t)(most - least + 1));
}

bool sim_chance(uint64_t *random, uint32_t in_thousand) {
    return jd_random_below(random, 1000) < in_thousand;
}

int64_t sim_scaled(const Sim *s, int64_t ms) {
    return s->plan->slow ? ms * 600 : s->quiet ? ms * 60 : ms;
}

int sim_shard(const LiveId *id) {
    return (int)(jd_hash(JD_HASH_START, id->text, LIVE_ID_CHARS) % SIM_SHARDS);
}

void sim_trace(const Sim *s, const char *format, ...) {
    if (!s->trace)
        return;
    va_list arguments;
    va_start(arguments, format);
    printf("%10.3f ", (double)(s->now_ms - SIM_BASE_MS) / 1000);
    vprintf(format, arguments);
    printf("\n");
    va_end(arguments);
}

// ---- the queue ----------------------------------------------------------------------------------

static bool before(const Event *a, const Event *b) {
    return a->at_ms < b->at_ms || (a->at_ms == b->at_ms && a->order < b->order);
}

void sim_at(Sim *s, int64_t at_ms, Event event) {
    event.at_ms = at_ms > s->now_ms ? at_ms : s->now_ms;
    event.order = ++s->order;
    s->queue = sim_grow(s->queue, s->queue_count, &s->queue_capacity, sizeof(*s->queue));
    size_t at = s->queue_count++;
    for (; at > 0 && before(&event, &s->queue[(at - 1) / 2]); at = (at - 1) / 2)
        s->queue[at] = s->queue[(at - 1) / 2];
    s->queue[at] = event;
}

static Event next_event(Sim *s) {
    const Event first = s->queue[0];
    const Event last = s->queue[--s->queue_count];
    size_t at = 0;
    for (;;) {
        size_t child = at * 2 + 1;
        if (child >= s->queue_count)
            break;
        if (child + 1 < s->queue_count && before(&s->queue[child + 1], &s->queue[child]))
            child++;
        if (!before(&s->queue[child], &last))
            break;
        s->queue[at] = s->queue[child];
        at = child;
    }
    if (s->queue_count > 0)
        s->queue[at] = last;
    return first;
}

// ---- what breaks --------------------------------------------------------------------------------

static int64_t later(int64_t a, int64_t b) {
    return a > b ? a : b;
}

static void set_clock(Sim *s, Node *node, int64_t span_ms) {
    node->wall_ms += span_ms;
    // What the shell must not do: its own clock follows without a word.
    if (s->mutant == MUTANT_CLOCK_JUMP && node->live != NULL && span_ms > 0)
        node->offset_ms += span_ms;
}

static void act(Sim *s, const Action *action) {
    Node *node = &s->nodes[action->who % s->nodes_count];
    const int64_t until_ms = s->now_ms + action->span_ms;
    if (action->kind != ACTION_THINK)
        sim_trace(s, "-- %s %d %d for %lld ms", action_name(action->kind), action->who,
                  action->other, (long long)action->span_ms);
    switch (action->kind) {
    case ACTION_THINK:
        user_think(s, action);
        return;
    case ACTION_CUT_OFF:
        if (s->users[action->who].connection != 0)
            gateway_gone(s, s->users[action->who].connection);
        return;
    case ACTION_KILL:
        node_kill(s, node, action->span_ms);
        return;
    case ACTION_TERM:
        node_term(s, node);
        return;
    case ACTION_FREEZE:
        if (node->live == NULL)
            return;
        node_stop_serving(s, node);
        node->frozen_until_ms = later(node->frozen_until_ms, until_ms);
        sim_at(s, node->frozen_until_ms, (Event) { .kind = EVENT_THAW, .a = node->index });
        return;
    case ACTION_CUT_DB:
        if (node->live != NULL)
            node_stop_serving(s, node);
        node->cut_until_ms = later(node->cut_until_ms, until_ms);
        sim_at(s, node->cut_until_ms, (Event) { .kind = EVENT_THAW, .a = node->index });
        return;
    case ACTION_CUT_BUS:
        node->mute_until_ms[action->other] = until_ms;
        s->nodes[action->other].mute_until_ms[action->who] = until_ms;
        return;
    case ACTION_BUS_DOWN:
        s->bus_down_until_ms = until_ms;
        return;
    case ACTION_BAD_BUS:
        s->bad_bus_until_ms = until_ms;
        return;
    case ACTION_DB_CRASH:
        if (s->nodes_count == 1) { // its database dies with it
            node_kill(s, node, action->span_ms);
            return;
        }
        db_crash(s);
        for (int i = 0; i < s->nodes_count; i++)
            if (s->nodes[i].live != NULL)
                node_stop_serving(s, &s->nodes[i]);
        sim_at(s, until_ms, (Event) { .kind = EVENT_THAW, .a = -1 });
        return;
    case ACTION_DISK_FULL:
        s->db.full_until_ms = until_ms;
        return;
    case ACTION_DISK_SLOW:
        s->db.slow_until_ms = until_ms;
        return;
    case ACTION_CLOCK:
        set_clock(s, node, action->span_ms);
        return;
    case ACTION_KINDS:
        return;
    }
}

static void thaw(Sim *s, const Event *event) {
    if (event->a < 0)
        s->db.up = true;
}

// ---- one event ----------------------------------------------------------------------------------

// What a process that stands still does later.
static bool is_postponed(Sim *s, const Event *event) {
    const bool of_process = (event->kind >= EVENT_RENEW && event->kind <= EVENT_ADOPT) ||
                            event->kind == EVENT_ACK || event->kind == EVENT_BUS ||
                            event->kind == EVENT_OWN;
    if (!of_process)
        return false;
    const Node *node = &s->nodes[event->a];
    if (node->live == NULL || node->frozen_until_ms <= s->now_ms)
        return false;
    // The threads of a process that goes on run in no order.
    const bool of_store = event->kind == EVENT_RENEW || event->kind == EVENT_TICK;
    sim_at(s, node->frozen_until_ms + (of_store ? sim_between(&s->net_random, 0, 400) : 0), *event);
    return true;
}

static bool is_stale(const Sim *s, const Event *event) {
    const bool of_node = event->kind >= EVENT_RENEW && event->kind <= EVENT_ACK &&
                         event->kind != EVENT_COMMIT && event->kind != EVENT_SYNCED;
    return (of_node || event->kind == EVENT_OWN) &&
           (s->nodes[event->a].live == NULL || s->nodes[event->a].run != event->run);
}

static void happen(Sim *s, Event *event) {
    Node *node = event->a >= 0 && event->a < SIM_NODES ? &s->nodes[event->a] : NULL;
    if (is_stale(s, event) || is_postponed(s, event))
        return;
    const Event again = { .kind = event->kind, .a = event->a, .run = event->run };
    switch (event->kind) {
    case EVENT_ACTION:
        act(s, &s->plan->actions[event->n]);
        return;
    case EVENT_START:
        if (node->live == NULL)
            node_start(s, node);
        return;
    case EVENT_THAW:
        thaw(s, event);
        return;
    case EVENT_RENEW:
        sim_at(s, s->now_ms + sim_scaled(s, RENEW_MS), again);
        db_renew(s, node);
        return;
    case EVENT_TICK:
        sim_at(s, s->now_ms + sim_scaled(s, TICK_MS), again);
        db_look(s, node);
        return;
    case EVENT_BEAT:
        sim_at(s, s->now_ms + sim_scaled(s, BEAT_MS), again);
        node_beat(s, node);
        return;
    case EVENT_DEADLINE:
        node_deadline(s, node);
        return;
    case EVENT_SCAN:
        sim_at(s, s->now_ms + SCAN_MS * (s->plan->slow ? 15 : 1), again);
        node_scan(s, node);
        return;
    case EVENT_ADOPT:
        node_adopt(s, node, (unsigned)event->n);
        return;
    case EVENT_COMMIT:
        if (node->run == event->run || s->nodes_count > 1)
            node_commit(s, node, event->run, event->n);
        return;
    case EVENT_SYNCED:
        db_synced(s);
        return;
    case EVENT_ACK:
        node_ack(s, node, event->n);
        return;
    case EVENT_BUS:
        if (node->live != NULL)
            bus_take(s, node, event->message);
        return;
    case EVENT_COMMAND:
    case EVENT_RETRY:
        gateway_command(s, event->command);
        return;
    case EVENT_OWN:
        node_command(s, node, event->command);
        return;
    case EVENT_MAIL:
        client_mail(s, event->mail);
        return;
    case EVENT_DIAL:
        user_dial(s, event->a);
        return;
    case EVENT_CLOSED:
        user_closed(s, event->a, event->n);
        return;
    }
}

// ---- a whole run --------------------------------------------------------------------------------

static void heal(Sim *s) {
    s->calm = true;
    s->db.full_until_ms = s->db.slow_until_ms = 0;
    s->bus_down_until_ms = s->bad_bus_until_ms = 0;
    for (int i = 0; i < s->nodes_count; i++) {
        Node *node = &s->nodes[i];
        node->frozen_until_ms = node->cut_until_ms = 0;
        memset(node->mute_until_ms, 0, sizeof node->mute_until_ms);
        if (node->live == NULL)
            sim_at(s, s->now_ms + 1, (Event) { .kind = EVENT_START, .a = i });
    }
    sim_at(s, s->now_ms, (Event) { .kind = EVENT_THAW, .a = -1 });
}

static void go_on_until(Sim *s, int64_t until_ms) {
    while (s->queue_count > 0 && s->queue[0].at_ms <= until_ms) {
        Event event = next_event(s);
        s->now_ms = event.at_ms;
        s->step++;
        happen(s, &event);
    }
    s->now_ms = until_ms;
}

static void close_all(Sim *s) {
    for (int i = 0; i < s->nodes_count; i++)
        node_close(s, &s->nodes[i]);
    for (size_t i = 0; i < s->db.entity_count; i++)
        free(s->db.entities[i].log), free(s->db.entities[i].arrivals);
    for (int i = 0; i < SIM_USERS; i++)
        free(s->users[i].asks);
    while (s->chunks != NULL) {
        Chunk *next = s->chunks->next;
        free(s->chunks);
        s->chunks = next;
    }
    free(s->queue);
    free(s->outages);
    free(s->db.outages);
    free(s->pending);
    free(s->db.lines);
    free(s->wishes);
}

void sim_run(Sim *s, const Plan *plan, Mutant mutant, bool trace) {
    memset(s, 0, sizeof(*s));
    s->plan = plan;
    s->mutant = mutant;
    s->trace = trace;
    s->net_random = jd_mix(plan->seed ^ 1);
    s->disk_random = jd_mix(plan->seed ^ 2);
    s->live_random = jd_mix(plan->seed ^ 3);
    s->now_ms = SIM_BASE_MS;
    s->nodes_count = plan->cluster ? SIM_NODES : 1;
    db_open(s);
    for (int i = 0; i < SIM_USERS; i++) {
        s->users[i].account = i < SIM_USERS - 1 ? i + 1 : 0;
        snprintf(s->users[i].nick, sizeof s->users[i].nick, "p%d", i + 1);
        sim_at(s, s->now_ms + sim_between(&s->net_random, 200, 1500),
               (Event) { .kind = EVENT_DIAL, .a = i });
        s->users[i].dials = true;
    }
    for (int i = 0; i < s->nodes_count; i++) {
        s->nodes[i].index = i;
        s->nodes[i].wall_ms = plan->cluster ? sim_between(&s->net_random, -40, 40) : 0;
        sim_at(s, s->now_ms + i * 20, (Event) { .kind = EVENT_START, .a = i });
    }
    for (size_t i = 0; i < plan->count; i++)
        sim_at(s, s->now_ms + plan->actions[i].at_ms, (Event) { .kind = EVENT_ACTION, .n = i });
    go_on_until(s, SIM_BASE_MS + plan->length_ms);
    int64_t last_ms = s->now_ms; // of those that stand still
    for (int i = 0; i < s->nodes_count; i++)
        last_ms = later(last_ms, later(s->nodes[i].frozen_until_ms, s->nodes[i].cut_until_ms));
    go_on_until(s, last_ms);
    // Everything works again: what was asked is answered, everybody sees the same.
    heal(s);
    go_on_until(s, s->now_ms + sim_scaled(s, 15000));
    judge_end(s);
    // Everybody goes home, and the clocks do the rest.
    user_go_home(s);
    s->quiet = true;
    const int64_t rest_ms = plan->slow ? INT64_C(5) * 86400000 : 25 * 60000;
    go_on_until(s, s->now_ms + rest_ms);
    s->home = true;
    judge_end(s);
    close_all(s);
}
