// SPDX-License-Identifier: GPL-3.0-or-later
//
// Loads: what a worker reads, what is then woken, who waits for it.
#include "net/sleepers.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "net/log.h"
#include "net/me.h"
#include "net/record.h"
#include "net/server.h"

// Games read by one job and replayed in one turn of the loop.
#define BATCH 8
// How often what is due is looked for, and how far ahead of its time: whatever becomes due before
// the next look is in memory by then, and live does it to the millisecond.
#define TICK_MS 500
#define SCAN_MS 15000
#define AHEAD_MS 45000
// What was read while another game fell asleep is read again, at most so often.
#define TRIES_MAX 5
#define SETTLE_MS 50 // for an outage to be committed

typedef enum LoadKind { LOAD_GAME, LOAD_ACCOUNT, LOAD_DUE } LoadKind;

typedef struct Waiter {
    struct Waiter *next;
    NetAwakeFn then;
    void *context;
} Waiter;

typedef struct Found {
    StoreId id;
    NetEvents events;
    LiveOutage *outages; // of a node: those that concern this game
    size_t outage_count;
    PagesNick nicks[2];
    PagesRatings ratings[2];
} Found;

typedef struct NetLoad {
    NetJob job; // first
    struct NetLoad *next;
    NetSleepers *sleepers;
    LoadKind kind;
    StoreId id; // of the game; else: those above it
    LiveAccount account;
    int64_t wake_ms; // DUE: above it
    int64_t until_ms;
    StoreId next_id; // where the present job ended: the next one goes on there
    int64_t next_wake_ms;
    StoreShards shards; // games of other shards are other nodes' business
    bool is_node;
    bool settled;    // every outage that live has told of is in the database
    uint64_t began;  // live_sleeps at the begin of all
    uint64_t sleeps; // and of the present job
    uint64_t renames;
    int tries;  // of the present job
    int rounds; // through all games of the account
    Waiter *waiters;
    Found found[BATCH];
    size_t count;
    bool more;
    JdErr err;
} NetLoad;

// ---- on a worker --------------------------------------------------------------------------------

static bool list_game(NetLoad *load, NetWorkerKit *kit) {
    StoreStmt *find = store_query(kit->db, STORE_SLEEPER);
    store_bind_text(find, 1, store_id_str(&load->id));
    const StoreStep step = store_step(find, &load->err);
    if (step == STORE_STEP_ROW)
        load->found[load->count++].id = load->id;
    load->more = false;
    store_done(find);
    return step != STORE_STEP_FAILED;
}

static bool list_many(NetLoad *load, NetWorkerKit *kit) {
    const bool due = load->kind == LOAD_DUE;
    StoreStmt *find = store_query(kit->db, due ? STORE_SLEEPERS_DUE : STORE_SLEEPERS_OF);
    store_bind_int(find, 1, due ? load->until_ms : load->account);
    if (due)
        store_bind_int(find, 2, load->wake_ms);
    store_bind_text(find, due ? 3 : 2, store_id_str(&load->id));
    store_bind_int(find, due ? 4 : 3, BATCH);
    StoreStep step;
    int rows = 0;
    while ((step = store_step(find, &load->err)) == STORE_STEP_ROW && rows < BATCH) {
        rows++;
        StoreId id;
        if (!store_id(store_column_text(find, due ? 1 : 0), &id))
            continue;
        load->next_id = id;
        load->next_wake_ms = due ? store_column_int(find, 0) : 0;
        if (store_shards_has(&load->shards, store_shard_of(&id)))
            load->found[load->count++].id = id;
    }
    store_done(find);
    load->more = rows == BATCH;
    return step != STORE_STEP_FAILED;
}

static bool add_outage(Found *found, StoreStmt *stmt) {
    if (found->outage_count % 16 == 0) {
        LiveOutage *wider =
            realloc(found->outages, (found->outage_count + 16) * sizeof(LiveOutage));
        if (wider == NULL)
            return false;
        found->outages = wider;
    }
    found->outages[found->outage_count++] =
        (LiveOutage) { .at_ms = store_column_int(stmt, 0), .span_ms = store_column_int(stmt, 1) };
    return true;
}

static bool has_bit(JdStr shards, unsigned shard) {
    return shard / 8 < shards.size && ((unsigned char)shards.data[shard / 8] >> (shard % 8) & 1);
}

static int by_instant(const void *a, const void *b) {
    const int64_t left = ((const LiveOutage *)a)->at_ms;
    const int64_t right = ((const LiveOutage *)b)->at_ms;
    return left < right ? -1 : left > right;
}

// Those of its own shard, and those of a process that was alone; from its last event on.
static bool read_outages(NetLoad *load, NetWorkerKit *kit, Found *found) {
    const int64_t since_ms = found->events.list[found->events.count - 1].at.ms;
    const unsigned shard = store_shard_of(&found->id);
    StoreStmt *all = store_query(kit->db, STORE_OUTAGES);
    StoreStep step;
    bool ok = true;
    while (ok && (step = store_step(all, &load->err)) == STORE_STEP_ROW)
        ok = store_column_int(all, 0) <= since_ms || add_outage(found, all);
    store_done(all);
    if (!ok || step == STORE_STEP_FAILED)
        return false;
    StoreStmt *own = store_query(kit->db, STORE_OUTAGES_OF_SHARDS);
    store_bind_int(own, 1, since_ms);
    while (ok && (step = store_step(own, &load->err)) == STORE_STEP_ROW)
        ok = !has_bit(store_column_blob(own, 2), shard) || add_outage(found, own);
    store_done(own);
    if (found->outage_count > 0)
        qsort(found->outages, found->outage_count, sizeof(LiveOutage), by_instant);
    return ok && step != STORE_STEP_FAILED;
}

static bool read_found(NetLoad *load, NetWorkerKit *kit, Found *found) {
    LiveId id;
    bool there = false;
    int64_t players[2] = { 0, 0 };
    PagesFault fault = { 0 };
    if (!live_id_parse(store_id_str(&found->id), &id) ||
        !net_events_read(kit, &id, &found->events, &there, &load->err))
        return false;
    if (there && load->is_node && !read_outages(load, kit, found))
        return false;
    if (!there || !live_birth_players(&found->events.list[0], players, &load->err))
        return there || jd_fail(&load->err, 1, 0, "game %s sleeps without events", id.text);
    if (pages_nicks(kit->pages, players, 2, found->nicks, &fault) &&
        pages_ratings(kit->pages, players[0], &found->ratings[0], &fault) &&
        pages_ratings(kit->pages, players[1], &found->ratings[1], &fault))
        return true;
    load->err = fault.err;
    return false;
}

static void run(NetJob *job, NetWorkerKit *kit) {
    NetLoad *load = (NetLoad *)job;
    if (!load->settled)
        nanosleep(&(struct timespec) { .tv_nsec = SETTLE_MS * 1000000L }, NULL);
    bool ok = load->kind == LOAD_GAME ? list_game(load, kit) : list_many(load, kit);
    for (size_t i = 0; ok && i < load->count; i++)
        ok = read_found(load, kit, &load->found[i]);
    if (!ok && load->err.code == 0)
        (void)jd_fail(&load->err, 1, 0, "no memory to read a game");
}

// ---- on the loop --------------------------------------------------------------------------------

static void clear_found(NetLoad *load) {
    for (size_t i = 0; i < load->count; i++) {
        free(load->found[i].outages);
        net_events_free(&load->found[i].events);
    }
    memset(load->found, 0, sizeof(load->found));
    load->count = 0;
}

static void finish(NetLoad *load, bool ok) {
    NetSleepers *sleepers = load->sleepers;
    NetLoad **at = &sleepers->loads;
    while (*at != load)
        at = &(*at)->next;
    *at = load->next;
    if (load->kind == LOAD_DUE)
        sleepers->scanning = false;
    Waiter *waiter = load->waiters;
    clear_found(load);
    free(load);
    while (waiter != NULL) {
        Waiter *next = waiter->next;
        sleepers->waiting--;
        waiter->then(waiter->context, ok);
        free(waiter);
        waiter = next;
    }
}

static bool push(NetLoad *load) {
    const NetShell *shell = &load->sleepers->server->shell;
    net_cluster_shards(load->sleepers->server->cluster, &load->shards);
    load->is_node = shell->cluster != NULL;
    load->settled = store_durable_ticket(shell->store) >= shell->outage_ticket;
    load->sleeps = live_sleeps(shell->live);
    load->renames = shell->renames;
    return net_workers_push(load->sleepers->server->workers, &load->job);
}

static bool wake_all(NetLoad *load) {
    NetShell *shell = &load->sleepers->server->shell;
    bool ok = true;
    for (size_t i = 0; i < load->count; i++) {
        const Found *found = &load->found[i];
        const LiveProfile profiles[2] = { net_profile_of_ratings(&found->ratings[0]),
                                          net_profile_of_ratings(&found->ratings[1]) };
        const LiveSleeper sleeper = {
            .events = found->events.list,
            .count = found->events.count,
            .nicks = { jd_str(found->nicks[0].text), jd_str(found->nicks[1].text) },
            .profiles = { &profiles[0], &profiles[1] },
            .has_outages = load->is_node,
            .outages = found->outages,
            .outage_count = found->outage_count,
        };
        JdErr err = { 0 };
        if (net_cluster_shard_owner(load->sleepers->server->cluster, store_shard_of(&found->id)) !=
            NET_OWNER_SELF) { // it has left meanwhile
            ok = load->kind != LOAD_GAME;
            continue;
        }
        if (!net_shell_wake(shell, &sleeper, &err)) {
            net_log(NET_LOG_ERROR, "game %s does not wake: %s", found->id.text, err.text);
            ok = load->kind != LOAD_GAME;
        }
    }
    return ok;
}

static void done(NetJob *job);

static void done_later(void *context, bool ok) {
    NetLoad *load = context;
    if (ok)
        done(&load->job);
    else
        finish(load, false);
}

static void done(NetJob *job) {
    NetLoad *load = (NetLoad *)job;
    NetShell *shell = &load->sleepers->server->shell;
    if (job->ran && load->err.code == 0 && !load->sleepers->server->stop &&
        net_shell_wait(shell, done_later, load))
        return;
    if (!job->ran || load->err.code != 0 || !net_shell_ready(shell)) {
        if (load->err.code != 0)
            net_log(NET_LOG_ERROR, "sleeping games: %s", load->err.text);
        finish(load, false);
        return;
    }
    const bool stale = live_sleeps(shell->live) != load->sleeps ||
                       shell->renames != load->renames || !load->settled;
    if (stale && ++load->tries < TRIES_MAX) {
        clear_found(load);
        if (!push(load))
            finish(load, false);
        return;
    }
    const bool ok = wake_all(load);
    if (load->kind != LOAD_GAME) {
        load->id = load->next_id;
        load->wake_ms = load->next_wake_ms;
    }
    clear_found(load);
    load->tries = 0;
    if (load->more) {
        if (!push(load))
            finish(load, false);
        return;
    }
    if (load->kind == LOAD_ACCOUNT) {
        const LiveCommand summoned = { .kind = LIVE_SUMMONED,
                                       .account = load->account,
                                       .since = load->began };
        net_shell_step(shell, &summoned);
        if (live_is_partial(shell->live, load->account) && ++load->rounds < TRIES_MAX) {
            load->id = (StoreId) { "" };
            load->began = live_sleeps(shell->live);
            if (!push(load))
                finish(load, false);
            return;
        }
    }
    finish(load, ok);
}

static NetLoad *begin(NetSleepers *sleepers, LoadKind kind, const LiveId *id, LiveAccount account) {
    NetLoad *load = calloc(1, sizeof(*load));
    if (load == NULL)
        return NULL;
    load->job = (NetJob) { .run = run, .done = done };
    load->sleepers = sleepers;
    load->kind = kind;
    load->account = account;
    load->wake_ms = INT64_MIN;
    load->until_ms = net_now(sleepers->server).ms + AHEAD_MS;
    load->began = live_sleeps(sleepers->server->shell.live);
    if ((id != NULL && !store_id(jd_str(id->text), &load->id)) || !push(load)) {
        free(load);
        return NULL;
    }
    load->next = sleepers->loads;
    sleepers->loads = load;
    return load;
}

// ---- who waits ----------------------------------------------------------------------------------

// One that has begun already serves as well: nothing that it reads can have changed since, or it
// reads again. That of an account may be past some of its games, so each has its own.
static NetLoad *load_for(NetSleepers *sleepers, const LiveNeed *need, LiveAccount account) {
    if (need->account)
        return begin(sleepers, LOAD_ACCOUNT, NULL, account);
    for (NetLoad *load = sleepers->loads; load != NULL; load = load->next)
        if (load->kind == LOAD_GAME && strcmp(load->id.text, need->id.text) == 0)
            return load;
    return begin(sleepers, LOAD_GAME, &need->id, 0);
}

bool net_sleepers_needed(const NetSleepers *sleepers, const LiveCommand *command) {
    LiveNeed need;
    return live_need(sleepers->server->shell.live, command, &need);
}

bool net_sleepers_wait(NetSleepers *sleepers, const LiveCommand *command, NetAwakeFn then,
                       void *context, bool *full) {
    LiveNeed need;
    *full = false;
    if (!live_need(sleepers->server->shell.live, command, &need))
        return false;
    Waiter *waiter =
        sleepers->waiting < NET_SLEEPERS_WAITING_MAX ? calloc(1, sizeof(*waiter)) : NULL;
    NetLoad *load = waiter != NULL ? load_for(sleepers, &need, command->account) : NULL;
    if (load == NULL) {
        free(waiter);
        *full = true;
        return false;
    }
    *waiter = (Waiter) { .then = then, .context = context };
    Waiter **last = &load->waiters;
    while (*last != NULL)
        last = &(*last)->next;
    *last = waiter;
    sleepers->waiting++;
    return true;
}

// ---- what is due --------------------------------------------------------------------------------

static void on_tick(uv_timer_t *timer) {
    NetSleepers *sleepers = timer->data;
    const NetShell *shell = &sleepers->server->shell;
    const int64_t now_ms = net_now(sleepers->server).ms;
    if (now_ms < sleepers->next_scan_ms || sleepers->scanning || sleepers->server->stop ||
        !shell->has_sleepers || !net_shell_ready(shell))
        return;
    sleepers->next_scan_ms = now_ms + SCAN_MS;
    sleepers->scanning = begin(sleepers, LOAD_DUE, NULL, 0) != NULL;
}

void net_sleepers_open(NetSleepers *sleepers, struct NetServer *server) {
    *sleepers = (NetSleepers) { .server = server, .open = true };
    uv_timer_init(&server->loop, &sleepers->timer);
    sleepers->timer.data = sleepers;
    uv_timer_start(&sleepers->timer, on_tick, 0, TICK_MS);
}

void net_sleepers_close(NetSleepers *sleepers) {
    if (sleepers->open)
        uv_close((uv_handle_t *)&sleepers->timer, NULL);
    sleepers->open = false;
}
