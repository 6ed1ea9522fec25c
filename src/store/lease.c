// SPDX-License-Identifier: GPL-3.0-or-later
//
// The lease thread of a node, with a connection of its own: it renews the node's lease, ends those
// that have run out, claims shards that are nobody's, and sees who has what. Everything it does is
// short, so that no renewal is late for it; what shards bring with them is read by another thread
// (taking.c).
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "store/postgres.h"

// Between two tries to reach the server.
#define RECONNECT_MS 100
#define RECONNECT_MOST_MS 1000
// After the moment at which a lease runs out by what was read of it.
#define LATE_MS 5
// Looks at the tables in one round; each follows a change that this node made itself.
#define LOOKS_MAX 4
// Before the next round when there were so many.
#define UNFINISHED_MS 10

// What one look at the tables has found.
typedef struct Look {
    StoreClusterView view;                               // version is filled by publish
    char dead[STORE_NODES_MAX][STORE_NODE_NAME_MAX + 1]; // with shards
    int64_t dead_epochs[STORE_NODES_MAX];
    uint32_t dead_count;
    int64_t next_end_ms; // until the next lease runs out
    int64_t shards_sum;  // of the epochs of all shards: any change changes it
    uint32_t free_shards;
    bool leaves; // this node
} Look;

typedef struct Lease {
    Cluster *cluster;
    StoreDb *db;
    Look look;
    int64_t seen_sum;      // look.shards_sum when the owners were last read
    StoreClusterView last; // and what was seen then
    bool is_announced;
    int64_t renewed_us;  // 0: never
    int64_t unbroken_us; // since when no renewal was late
    bool unfinished;     // the last look changed something and was not followed by another one
} Lease;

static int64_t number_at(const PGresult *result, int row, int column) {
    return strtoll(PQgetvalue(result, row, column), NULL, 10);
}

static int64_t lease_us(const Lease *lease) {
    return (int64_t)lease->cluster->store->config.lease_ms * 1000;
}

static const char *name_of(const Lease *lease) {
    return lease->cluster->store->config.node;
}

// ---- renewing -----------------------------------------------------------------------------------

static void note_renewal(Lease *lease) {
    Store *store = lease->cluster->store;
    const int64_t now_us = monotonic_us();
    const int64_t gap_us = lease->renewed_us == 0 ? 0 : now_us - lease->renewed_us;
    if (gap_us > lease_us(lease))
        lease->unbroken_us = now_us;
    lease->renewed_us = now_us;
    pthread_mutex_lock(&store->mutex);
    store->stats.renewals++;
    if (gap_us > store->stats.lease_us_max)
        store->stats.lease_us_max = gap_us;
    pthread_mutex_unlock(&store->mutex);
}

// The loop's last sign of life; false: it is older than a lease, and the node is not to be thought
// alive. Before the first one the site is being started.
static bool read_sign(const Lease *lease, int64_t *sign_ms) {
    Cluster *cluster = lease->cluster;
    pthread_mutex_lock(&cluster->store->mutex);
    *sign_ms = cluster->sign_ms;
    const int64_t age_us = monotonic_us() - cluster->sign_us;
    pthread_mutex_unlock(&cluster->store->mutex);
    return *sign_ms == 0 || age_us < lease_us(lease);
}

static bool notify(const Lease *lease, JdErr *err) {
    char sql[200];
    jd_format(sql, sizeof sql, "NOTIFY %s", lease->cluster->channel);
    return pg_exec(lease->db, sql, err);
}

static bool renew(Lease *lease, JdErr *err) {
    int64_t sign_ms = 0;
    const bool lives = read_sign(lease, &sign_ms);
    char set[120];
    char sql[300];
    jd_format(set, sizeof set, "UPDATE node SET alive_at = " PG_NOW_MS ", alive_ms = %lld",
              (long long)sign_ms);
    jd_format(sql, sizeof sql, "%s WHERE name = '%s' AND epoch = %lld%s",
              lives ? set : "SELECT 1 FROM node", name_of(lease), (long long)lease->cluster->epoch,
              lives ? " RETURNING 1" : "");
    PGresult *result = pg_rows(lease->db, sql, err);
    if (result == NULL)
        return false;
    const bool stands = PQntuples(result) == 1;
    PQclear(result);
    if (stands && lives)
        note_renewal(lease);
    if (stands && sign_ms != 0 && !lease->is_announced) // it counts from now on
        lease->is_announced = notify(lease, err);
    if (stands)
        return true;
    JdErr fenced = { 0 };
    jd_fail(&fenced, STORE_FENCED, 0, "%s: the place of node %s (epoch %lld) was taken",
            lease->db->path, name_of(lease), (long long)lease->cluster->epoch);
    cluster_fence(lease->cluster->store, &fenced);
    return true;
}

// ---- looking ------------------------------------------------------------------------------------

static bool is_self(const Lease *lease, const PGresult *result, int row) {
    return strcmp(PQgetvalue(result, row, 0), name_of(lease)) == 0 &&
           number_at(result, row, 1) == lease->cluster->epoch;
}

static void note_dead(Look *look, const PGresult *result, int row) {
    if (look->dead_count == STORE_NODES_MAX)
        return; // the next round's
    jd_format(look->dead[look->dead_count], sizeof look->dead[0], "%s", PQgetvalue(result, row, 0));
    look->dead_epochs[look->dead_count++] = number_at(result, row, 1);
}

static void note_member(Lease *lease, const PGresult *result, int row) {
    Look *look = &lease->look;
    if (look->view.count == STORE_NODES_MAX)
        return; // cluster_join lets no more in
    StoreMember *member = &look->view.members[look->view.count];
    jd_format(member->name, sizeof member->name, "%s", PQgetvalue(result, row, 0));
    member->epoch = number_at(result, row, 1);
    jd_format(member->address, sizeof member->address, "%s", PQgetvalue(result, row, 2));
    member->leaving = number_at(result, row, 4) == 0 || number_at(result, row, 5) != 0;
    if (is_self(lease, result, row)) {
        look->view.self = look->view.count;
        look->leaves = member->leaving;
    } else if (number_at(result, row, 3) < look->next_end_ms) {
        look->next_end_ms = number_at(result, row, 3);
    }
    look->view.count++;
}

// A server that has just been started gives everybody the time to come back to it.
static bool look_at_nodes(Lease *lease, JdErr *err) {
    Look *look = &lease->look;
    PGresult *result = pg_rows(
        lease->db,
        "SELECT n.name, n.epoch, n.address, n.alive_at + n.lease_ms - t.now, n.alive_ms, n.leaving,"
        " (t.up >= n.lease_ms)::int FROM node AS n CROSS JOIN (SELECT " PG_NOW_MS " AS now,"
        " (extract(epoch FROM clock_timestamp() - pg_postmaster_start_time()) * 1000)::bigint AS "
        "up)"
        " AS t LEFT JOIN (SELECT node, count(*) AS shards FROM shard GROUP BY node) AS o"
        " ON o.node = n.name WHERE n.alive_at + n.lease_ms > t.now OR o.shards > 0 ORDER BY n.name",
        err);
    if (result == NULL)
        return false;
    memset(look->view.members, 0, sizeof look->view.members); // views are compared byte by byte
    look->view.count = look->dead_count = 0;
    look->view.self = UINT32_MAX;
    look->leaves = true;
    look->next_end_ms = INT64_MAX;
    for (int row = 0; row < PQntuples(result); row++) {
        // This node's place stands until somebody ends it, also when the server stood still since
        // the last renewal: what it has it keeps.
        if (number_at(result, row, 3) > 0 || is_self(lease, result, row))
            note_member(lease, result, row);
        else if (number_at(result, row, 6) != 0)
            note_dead(look, result, row);
        else
            look->next_end_ms = 0; // looked at again soon
    }
    if (look->view.self == UINT32_MAX)
        look->view.self = look->view.count;
    PQclear(result);
    return true;
}

static bool look_at_log(Lease *lease, JdErr *err) {
    PGresult *result =
        pg_rows(lease->db,
                "SELECT sum(s.epoch)::bigint, count(*) FILTER (WHERE s.node IS NULL),"
                " (SELECT last_value + 1000 FROM arrival_block) FROM shard AS s",
                err);
    if (result == NULL)
        return false;
    Store *store = lease->cluster->store;
    lease->look.shards_sum = number_at(result, 0, 0);
    lease->look.free_shards = (uint32_t)number_at(result, 0, 1);
    pthread_mutex_lock(&store->mutex);
    store->log_end = number_at(result, 0, 2);
    pthread_cond_signal(&store->wake); // old events may have to leave the log's tail
    pthread_mutex_unlock(&store->mutex);
    PQclear(result);
    return true;
}

// ---- what has come ------------------------------------------------------------------------------

static Won *find_won(Won **list, int64_t alive_ms, bool released) {
    for (Won *won = *list; won != NULL; won = won->next)
        if (won->alive_ms == alive_ms && won->released == released)
            return won;
    Won *won = calloc(1, sizeof *won);
    if (won == NULL)
        return NULL;
    *won = (Won) { .next = *list, .alive_ms = alive_ms, .released = released };
    *list = won;
    return won;
}

static void pass_on(Cluster *cluster, Won *list) {
    Store *store = cluster->store;
    pthread_mutex_lock(&store->mutex);
    *(cluster->last_won != NULL ? &cluster->last_won->next : &cluster->first_won) = list;
    while (list->next != NULL)
        list = list->next;
    cluster->last_won = list;
    pthread_cond_signal(&cluster->won);
    pthread_mutex_unlock(&store->mutex);
}

// One shard as the table has it.
static bool note_shard(Lease *lease, const PGresult *result, int row, Won **list) {
    Cluster *cluster = lease->cluster;
    StoreClusterView *view = &lease->look.view;
    const uint32_t shard = (uint32_t)number_at(result, row, 0);
    const char *node = PQgetvalue(result, row, 1);
    const int64_t epoch = number_at(result, row, 2);
    const int64_t alive_ms = number_at(result, row, 3);
    if (shard >= STORE_SHARDS)
        return true;
    view->owner[shard] = STORE_NOBODY;
    for (uint32_t i = 0; i < view->count && !PQgetisnull(result, row, 1); i++)
        if (strcmp(view->members[i].name, node) == 0) {
            view->owner[shard] = (uint8_t)i;
            view->members[i].shards++;
        }
    const bool is_mine = view->self < view->count && view->owner[shard] == view->self;
    if (!is_mine)
        cluster->passed[shard] = 0;
    if (!is_mine || cluster->passed[shard] == epoch || lease->look.leaves)
        return true;
    Won *won = find_won(list, alive_ms > 0 ? alive_ms : 0, number_at(result, row, 4) != 0);
    if (won == NULL)
        return false; // no memory; at the next look perhaps
    store_shards_add(&won->shards, shard);
    cluster->passed[shard] = epoch;
    return true;
}

// The same members, and no shard has changed hands: owners are what they were.
static bool owners_stand(Lease *lease) {
    StoreClusterView *fresh = &lease->look.view;
    const StoreClusterView *last = &lease->last;
    bool same = lease->look.shards_sum == lease->seen_sum && fresh->count == last->count &&
                fresh->self == last->self;
    for (uint32_t i = 0; same && i < fresh->count; i++)
        same = strcmp(fresh->members[i].name, last->members[i].name) == 0 &&
               fresh->members[i].epoch == last->members[i].epoch;
    for (uint32_t i = 0; same && i < fresh->count; i++)
        fresh->members[i].shards = last->members[i].shards;
    return same;
}

static bool read_owners(Lease *lease, JdErr *err) {
    if (owners_stand(lease))
        return true;
    PGresult *result =
        pg_rows(lease->db, "SELECT shard, node, epoch, alive_ms, released FROM shard", err);
    if (result == NULL)
        return false;
    for (uint32_t i = 0; i < lease->look.view.count; i++)
        lease->look.view.members[i].shards = 0;
    memset(lease->look.view.owner, STORE_NOBODY, sizeof lease->look.view.owner);
    Won *list = NULL;
    bool ok = true;
    for (int row = 0; ok && row < PQntuples(result); row++)
        ok = note_shard(lease, result, row, &list);
    PQclear(result);
    if (list != NULL)
        pass_on(lease->cluster, list);
    lease->seen_sum = ok ? lease->look.shards_sum : -1;
    lease->last = lease->look.view;
    return ok || jd_fail(err, STORE_MEMORY, 0, "no memory for the shards that came");
}

static bool is_same(const StoreMember *a, const StoreMember *b) {
    return strcmp(a->name, b->name) == 0 && strcmp(a->address, b->address) == 0 &&
           a->epoch == b->epoch && a->shards == b->shards && a->leaving == b->leaving;
}

static bool is_same_view(const StoreClusterView *a, const StoreClusterView *b) {
    bool same = a->count == b->count && a->self == b->self && a->fenced == b->fenced &&
                memcmp(a->owner, b->owner, sizeof a->owner) == 0;
    for (uint32_t i = 0; same && i < a->count; i++)
        same = is_same(&a->members[i], &b->members[i]);
    return same;
}

static void publish(Lease *lease) {
    Store *store = lease->cluster->store;
    StoreClusterView *known = &lease->cluster->view;
    StoreClusterView *fresh = &lease->look.view;
    pthread_mutex_lock(&store->mutex);
    fresh->fenced = store->fenced;
    const bool differs = !is_same_view(fresh, known);
    if (differs) {
        fresh->version = known->version + 1;
        *known = *fresh;
    }
    pthread_mutex_unlock(&store->mutex);
    if (differs)
        cluster_tell(store);
}

// ---- ending leases, claiming --------------------------------------------------------------------

// Its sessions go first: one of them may be in the middle of a transaction, which a new epoch would
// have to wait for. Should it live after all and renew its lease before us, nothing has happened.
static bool end_lease(Lease *lease, const char *name, int64_t epoch, bool *ended, JdErr *err) {
    StoreDb *db = lease->db;
    char sql[600];
    int64_t count = 0;
    jd_format(sql, sizeof sql,
              "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE " PG_SESSION_OF(
                  "'%s/%lld/'"),
              name, (long long)epoch);
    if (!pg_number(db, sql, &count, err))
        return false;
    jd_format(sql, sizeof sql,
              "BEGIN; UPDATE node SET epoch = epoch + 1, alive_at = 0 WHERE name = '%s'"
              " AND epoch = %lld AND alive_at + lease_ms <= " PG_NOW_MS " RETURNING 1",
              name, (long long)epoch);
    PGresult *result = pg_rows(db, sql, err);
    *ended = result != NULL && PQntuples(result) == 1;
    PQclear(result);
    jd_format(sql, sizeof sql,
              PG_FREE_SHARDS("0") " AND n.name = '%s' AND n.epoch = %lld; NOTIFY %s", name,
              (long long)epoch + 1, lease->cluster->channel);
    const bool ok =
        result != NULL && (!*ended || pg_exec(db, sql, err)) && pg_exec(db, "COMMIT", err);
    if (!ok)
        db->driver->rollback(db);
    return ok;
}

static bool end_leases(Lease *lease, bool *changed, JdErr *err) {
    const Look *look = &lease->look;
    for (uint32_t i = 0; i < look->dead_count; i++) {
        bool ended = false;
        if (!end_lease(lease, look->dead[i], look->dead_epochs[i], &ended, err))
            return false;
        *changed |= ended;
        pthread_mutex_lock(&lease->cluster->store->mutex);
        lease->cluster->store->stats.fenced += ended;
        pthread_mutex_unlock(&lease->cluster->store->mutex);
    }
    return true;
}

// Behind the fence, and not while the node says in another transaction that it leaves.
static bool claim(Lease *lease, uint32_t count, bool *changed, JdErr *err) {
    StoreDb *db = lease->db;
    char sql[500];
    jd_format(sql, sizeof sql,
              "BEGIN; SELECT 1 FROM node WHERE name = '%s' AND epoch = %lld AND leaving = 0"
              " FOR NO KEY UPDATE",
              name_of(lease), (long long)lease->cluster->epoch);
    PGresult *result = pg_rows(db, sql, err);
    const bool may = result != NULL && PQntuples(result) == 1;
    PQclear(result);
    jd_format(sql, sizeof sql,
              "WITH free AS MATERIALIZED (SELECT shard FROM shard WHERE node IS NULL ORDER BY shard"
              " LIMIT %u FOR UPDATE SKIP LOCKED) UPDATE shard AS s SET node = '%s',"
              " epoch = s.epoch + 1 FROM free WHERE s.shard = free.shard; NOTIFY %s",
              (unsigned)count, name_of(lease), lease->cluster->channel);
    const bool ok = result != NULL && (!may || pg_exec(db, sql, err)) && pg_exec(db, "COMMIT", err);
    if (!ok)
        db->driver->rollback(db);
    *changed |= ok && may;
    return ok;
}

static uint32_t wanted(const Look *look) {
    const StoreClusterView *view = &look->view;
    if (view->self >= view->count || look->leaves)
        return 0;
    const uint32_t fair = shards_fair(view);
    const uint32_t has = view->members[view->self].shards;
    const uint32_t lack = has < fair ? fair - has : 0;
    return lack < look->free_shards ? lack : look->free_shards;
}

// The loop serves them: who takes them after us begins where we end.
static bool note_adopted(Lease *lease, JdErr *err) {
    Cluster *cluster = lease->cluster;
    Store *store = cluster->store;
    pthread_mutex_lock(&store->mutex);
    StoreShards adopted = cluster->adopted;
    cluster->adopted = (StoreShards) { 0 };
    pthread_mutex_unlock(&store->mutex);
    if (store_shards_count(&adopted) == 0)
        return true;
    char list[STORE_SHARDS * 5 + 1];
    size_t size = 0;
    for (uint32_t shard = 0; shard < STORE_SHARDS; shard++)
        if (store_shards_has(&adopted, shard))
            size += jd_format(list + size, sizeof list - size, "%s%u", size > 0 ? "," : "",
                              (unsigned)shard);
    char sql[sizeof list + 200];
    jd_format(sql, sizeof sql,
              "UPDATE shard SET alive_ms = 0 WHERE node = '%s' AND shard = ANY('{%s}'::bigint[])",
              name_of(lease), list);
    if (pg_exec(lease->db, sql, err))
        return true;
    pthread_mutex_lock(&store->mutex);
    for (size_t i = 0; i < JD_COUNT(adopted.bits); i++)
        cluster->adopted.bits[i] |= adopted.bits[i];
    pthread_mutex_unlock(&store->mutex);
    return false;
}

static bool is_over(Cluster *cluster) {
    Store *store = cluster->store;
    pthread_mutex_lock(&store->mutex);
    const bool over = cluster->closing || store->fenced;
    pthread_mutex_unlock(&store->mutex);
    return over;
}

// ---- a round ------------------------------------------------------------------------------------

// Others' leases are no business of a node that was cut off itself: it may have been the server
// that nobody reached.
static bool may_end_leases(const Lease *lease) {
    const int64_t now_us = monotonic_us();
    return now_us - lease->renewed_us < lease_us(lease) / 2 &&
           now_us - lease->unbroken_us >= lease_us(lease);
}

static bool look_around(Lease *lease, bool *again, JdErr *err) {
    Look *look = &lease->look;
    *again = false;
    if (!look_at_nodes(lease, err) || !look_at_log(lease, err) || !read_owners(lease, err))
        return false;
    publish(lease);
    if (may_end_leases(lease) && !end_leases(lease, again, err))
        return false;
    if (*again || lease->renewed_us == 0)
        return true;
    const uint32_t count = wanted(look);
    return count == 0 || claim(lease, count, again, err);
}

static bool round_once(Lease *lease, JdErr *err) {
    const bool due = monotonic_us() >= lease->renewed_us + lease_us(lease) / 3 ||
                     lease->renewed_us == 0 || lease->look.leaves;
    if (due && !renew(lease, err))
        return false;
    bool again = true;
    for (int i = 0; again && i < LOOKS_MAX && !is_over(lease->cluster); i++)
        if (!look_around(lease, &again, err))
            return false;
    lease->unfinished = again; // nobody else tells us of what we did ourselves
    return note_adopted(lease, err);
}

// ---- the thread ---------------------------------------------------------------------------------

static bool listen_again(Lease *lease, JdErr *err) {
    char sql[240];
    jd_format(sql, sizeof sql, "SET lock_timeout = '500ms'; LISTEN %s", lease->cluster->channel);
    return pg_exec(lease->db, sql, err);
}

// Whether there was a word since the last look: from another session, or from this node's loop.
// What came while a look's queries were answered stands in libpq's queue, where poll() does not see
// it.
static bool drain(Lease *lease) {
    bool any = false;
    uint64_t count;
    while (read(lease->cluster->wake_fd, &count, sizeof count) > 0)
        any = true;
    PGconn *conn = lease->db->pg->conn;
    for (PGnotify *told; (told = PQnotifies(conn)) != NULL; PQfreemem(told))
        any |= told->be_pid != PQbackendPID(conn);
    return any;
}

// Until something is due, another node has done something, or we are woken.
static void wait(Lease *lease, int64_t most_ms) {
    PGconn *conn = lease->db->pg->conn;
    struct pollfd ends[] = { { .fd = lease->cluster->wake_fd, .events = POLLIN },
                             { .fd = PQsocket(conn), .events = POLLIN } };
    const bool connected = PQstatus(conn) == CONNECTION_OK;
    if (drain(lease))
        return;
    if (poll(ends, connected ? 2 : 1, (int)most_ms) > 0 && connected && ends[1].revents != 0)
        PQconsumeInput(conn); // and notices a connection that was ended
    drain(lease);
}

static int64_t pause_of(const Lease *lease) {
    if (lease->unfinished)
        return UNFINISHED_MS;
    const int64_t lease_ms = lease_us(lease) / 1000;
    int64_t until_us = lease->renewed_us + lease_us(lease) / 3;
    const int64_t end_us = lease->look.next_end_ms < lease_ms
                               ? monotonic_us() + (lease->look.next_end_ms + LATE_MS) * 1000
                               : INT64_MAX;
    if (end_us < until_us)
        until_us = end_us;
    const int64_t ms = (until_us - monotonic_us()) / 1000 + 1;
    const int64_t least = lease_ms / 30 > 10 ? lease_ms / 30 : 10;
    return ms < least ? least : ms;
}

void *lease_thread(void *context) {
    Cluster *cluster = context;
    Lease *lease = calloc(1, sizeof *lease);
    if (lease == NULL)
        return NULL; // no lease, no shards
    *lease = (Lease) { .cluster = cluster, .db = &cluster->lease };
    lease->unbroken_us = monotonic_us() - lease_us(lease);
    lease->seen_sum = -1;
    bool listens = false;
    int64_t delay_ms = RECONNECT_MS;
    while (!is_over(cluster)) {
        JdErr err = { 0 };
        StoreDb *db = lease->db;
        const bool was_broken = db->pg->is_over || PQstatus(db->pg->conn) == CONNECTION_BAD;
        listens = listens && !was_broken;
        bool ok = pg_revive(db, &err) && (listens || (listens = listen_again(lease, &err)));
        ok = ok && round_once(lease, &err);
        if (is_over(cluster))
            break;
        wait(lease, ok ? pause_of(lease) : delay_ms);
        delay_ms = ok || delay_ms * 2 > RECONNECT_MOST_MS ? RECONNECT_MS : delay_ms * 2;
    }
    free(lease);
    return NULL;
}
