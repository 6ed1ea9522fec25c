// SPDX-License-Identifier: GPL-3.0-or-later
//
// A node among others: its place in the table `node`, the fence before each of its transactions,
// what it gives away, and its doors for the loop. The lease is kept in lease.c; what comes to the
// node is read in taking.c.
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "store/postgres.h"

// Of 50 ms each: until the server has ended the sessions of a former self.
#define JOIN_TRIES 60

bool cluster_name_ok(const char *name) {
    const size_t size = strlen(name);
    return size >= 1 && size <= STORE_NODE_NAME_MAX &&
           strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.") ==
               size;
}

// ---- joining ------------------------------------------------------------------------------------

// Whatever a former self of this name is doing: its epoch is over after this.
static bool end_former_self(StoreDb *db, const char *name, JdErr *err) {
    char sql[300];
    int64_t ended = 0;
    jd_format(sql, sizeof sql,
              "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE " PG_SESSION_OF(
                  "'%s/'"),
              name);
    return pg_number(db, sql, &ended, err);
}

static bool write_place(StoreDb *db, Cluster *cluster, const char *address, JdErr *err) {
    const StoreConfig *config = &cluster->store->config;
    const char *name = config->node;
    char sql[1024];
    jd_format(sql, sizeof sql,
              "BEGIN; SET LOCAL lock_timeout = '500ms';"
              // One joins at a time.
              " SELECT pg_advisory_xact_lock(1245791306, hashtext(current_schema()));"
              " UPDATE node SET epoch = epoch + 1 WHERE name = '%s'; " PG_FREE_SHARDS(
                  "0") " AND n.name = '%s'",
              name, name);
    if (!pg_exec(db, sql, err))
        return false;
    jd_format(sql, sizeof sql,
              "INSERT INTO node VALUES ('%s', 1, %s, %u, " PG_NOW_MS ", 0, 0) ON CONFLICT (name)"
              " DO UPDATE SET address = excluded.address, lease_ms = excluded.lease_ms,"
              " alive_at = excluded.alive_at, alive_ms = 0, leaving = 0",
              name, address, (unsigned)config->lease_ms);
    if (!pg_exec(db, sql, err) ||
        !pg_exec(db,
                 "INSERT INTO shard SELECT number, NULL, 0, -1, 0 FROM generate_series(0, 4095) AS"
                 " number WHERE NOT EXISTS (SELECT 1 FROM shard)",
                 err) ||
        // The first arrivals of nodes come after those of a process that was alone before.
        !pg_exec(db,
                 "SELECT setval('arrival_block', m.last + 1, false) FROM arrival_block AS b,"
                 " (SELECT coalesce(max(arrival), 0) AS last FROM game_event) AS m WHERE"
                 " m.last >= b.last_value + CASE WHEN b.is_called THEN 1000 ELSE 0 END",
                 err) ||
        !pg_exec(db,
                 "INSERT INTO meta VALUES ('store.tenure', 0) ON CONFLICT (key)"
                 " DO UPDATE SET value = 0",
                 err))
        return false;
    jd_format(sql, sizeof sql, "SELECT epoch FROM node WHERE name = '%s'", name);
    return pg_number(db, sql, &cluster->epoch, err) && pg_exec(db, "COMMIT", err);
}

static bool check_room(StoreDb *db, const char *name, JdErr *err) {
    char sql[160];
    int64_t others = 0;
    jd_format(sql, sizeof sql,
              "SELECT count(*) FROM node WHERE name <> '%s' AND alive_at + lease_ms > " PG_NOW_MS,
              name);
    if (!pg_number(db, sql, &others, err))
        return false;
    return others < STORE_NODES_MAX ||
           jd_fail(err, STORE_FULL, 0, "%s: %lld nodes are there", db->path, (long long)others);
}

static bool take_place(StoreDb *db, Cluster *cluster, JdErr *err) {
    const StoreConfig *config = &cluster->store->config;
    const char *text = config->address != NULL ? config->address : "";
    if (strlen(text) > STORE_NODE_ADDRESS_MAX)
        return jd_fail(err, STORE_SQL, 0, "the node's address has more than %d bytes",
                       STORE_NODE_ADDRESS_MAX);
    char *address = PQescapeLiteral(db->pg->conn, text, strlen(text));
    if (address == NULL)
        return pg_fail(db, NULL, "the node's address", err);
    bool ok = false;
    for (int i = 0; !ok && i < JOIN_TRIES; i++) {
        if (i > 0)
            nanosleep(&(struct timespec) { .tv_nsec = 50 * 1000000L }, NULL);
        ok = end_former_self(db, config->node, err) && write_place(db, cluster, address, err);
        if (!ok)
            db->driver->rollback(db); // most likely the former self's last transaction lasted
        if (!ok && PQstatus(db->pg->conn) == CONNECTION_BAD)
            break;
    }
    PQfreemem(address);
    return ok;
}

// Of the whole server and of the whole database, where several sites may be, each in a schema of
// its own: the names of the node's sessions, and the channel of NOTIFY.
static bool choose_names(StoreDb *db, Cluster *cluster, JdErr *err) {
    PGresult *result = pg_rows(
        db, "SELECT quote_ident('jadoube.' || current_schema()), " PG_SESSIONS_OF_SITE, err);
    if (result == NULL)
        return false;
    jd_format(cluster->channel, sizeof cluster->channel, "%s", PQgetvalue(result, 0, 0));
    jd_format(cluster->session, sizeof cluster->session, "%s%s/%lld/", PQgetvalue(result, 0, 1),
              cluster->store->config.node, (long long)cluster->epoch);
    PQclear(result);
    char sql[320];
    jd_format(sql, sizeof sql, "SET application_name = '%sw'; NOTIFY %s", cluster->session,
              cluster->channel);
    return pg_exec(db, sql, err);
}

bool cluster_join(Store *store, JdErr *err) {
    StoreDb *db = &store->writer;
    Cluster *cluster = calloc(1, sizeof *cluster);
    if (cluster == NULL)
        return jd_fail(err, STORE_MEMORY, 0, "no memory for a node");
    cluster->store = store;
    cluster->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    pthread_cond_init(&cluster->won, NULL);
    for (uint32_t shard = 0; shard < STORE_SHARDS; shard++)
        cluster->view.owner[shard] = STORE_NOBODY;
    store->cluster = cluster;
    if (cluster->wake_fd < 0)
        return jd_fail(err, STORE_IO, 0, "no eventfd: %s", strerror(errno));
    return check_room(db, store->config.node, err) && take_place(db, cluster, err) &&
           choose_names(db, cluster, err);
}

static bool start_thread(pthread_t *thread, void *(*run)(void *), Cluster *cluster, JdErr *err) {
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int code = pthread_create(thread, NULL, run, cluster);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return code == 0 || jd_fail(err, STORE_MEMORY, 0, "a thread of the node cannot be started: %s",
                                strerror(code));
}

bool cluster_start(Store *store, JdErr *err) {
    Cluster *cluster = store->cluster;
    if (!pg_open_link(&cluster->lease, store, PG_LEASES, err) ||
        !pg_open_link(&cluster->reader, store, PG_READS, err))
        return false;
    cluster->lease_runs = start_thread(&cluster->lease_thread, lease_thread, cluster, err);
    cluster->taking_runs =
        cluster->lease_runs && start_thread(&cluster->taking_thread, taking_thread, cluster, err);
    return cluster->taking_runs;
}

// ---- leaving ------------------------------------------------------------------------------------

void cluster_wake(Cluster *cluster) {
    const uint64_t one = 1;
    if (write(cluster->wake_fd, &one, sizeof one) < 0)
        return; // it is full of wakes
}

// Nothing of this node is under way any more: its shards are free at once.
static void give_all_away(Store *store) {
    Cluster *cluster = store->cluster;
    StoreDb *db = &cluster->lease;
    char sql[512];
    JdErr err;
    if (store->fenced || store->lost || !cluster->lease_runs || !pg_revive(db, &err))
        return;
    jd_format(sql, sizeof sql,
              "BEGIN; UPDATE node SET alive_at = 0, epoch = epoch + 1, alive_ms ="
              " CASE WHEN alive_ms < %lld THEN %lld ELSE alive_ms END"
              " WHERE name = '%s' AND epoch = %lld; ",
              (long long)cluster->sign_ms, (long long)cluster->sign_ms, store->config.node,
              (long long)cluster->epoch);
    bool ok = pg_exec(db, sql, &err);
    jd_format(sql, sizeof sql,
              PG_FREE_SHARDS("1") " AND n.name = '%s' AND n.epoch = %lld;"
                                  " NOTIFY %s; COMMIT",
              store->config.node, (long long)cluster->epoch + 1, cluster->channel);
    ok = ok && pg_exec(db, sql, &err);
    if (!ok) // then the lease will run out
        db->driver->rollback(db);
}

void cluster_adoption_free(Adoption *adoption) {
    entities_clear(&adoption->entities);
    store_taking_free(adoption->taking);
    free(adoption);
}

void cluster_close(Store *store) {
    Cluster *cluster = store->cluster;
    pthread_mutex_lock(&store->mutex);
    cluster->closing = true;
    pthread_cond_broadcast(&cluster->won);
    pthread_mutex_unlock(&store->mutex);
    cluster_wake(cluster);
    if (cluster->taking_runs)
        pthread_join(cluster->taking_thread, NULL);
    if (cluster->lease_runs)
        pthread_join(cluster->lease_thread, NULL);
    give_all_away(store);
    db_close(&cluster->lease);
    db_close(&cluster->reader);
    for (Won *won = cluster->first_won, *next; won != NULL; won = next) {
        next = won->next;
        free(won);
    }
    for (StoreTaking *taking; (taking = store_taking_next(store)) != NULL;)
        store_taking_free(taking);
    if (cluster->wake_fd >= 0)
        close(cluster->wake_fd);
    pthread_cond_destroy(&cluster->won);
}

// ---- the fence ----------------------------------------------------------------------------------

bool cluster_begin(Store *store, bool wants_turn, bool *has_turn, JdErr *err) {
    StoreDb *db = &store->writer;
    char sql[300];
    // One journey. The level of isolation must not be an operator's: after waiting for whoever ends
    // the lease the row is looked at as it is then.
    jd_format(sql, sizeof sql,
              "BEGIN ISOLATION LEVEL READ COMMITTED; SELECT %s FROM node WHERE name = '%s'"
              " AND epoch = %lld FOR KEY SHARE",
              wants_turn ? "pg_try_advisory_xact_lock(1245791314, hashtext(current_schema()))::int"
                         : "1",
              store->config.node, (long long)store->cluster->epoch);
    PGresult *result = pg_rows(db, sql, err);
    if (result == NULL) {
        db->driver->rollback(db);
        return false;
    }
    const bool stands = PQntuples(result) == 1;
    *has_turn = stands && PQgetvalue(result, 0, 0)[0] == '1';
    PQclear(result);
    db->pg->in_transaction = stands;
    if (stands)
        return true;
    db->driver->rollback(db);
    return jd_fail(err, STORE_FENCED, 0, "%s: the place of node %s (epoch %lld) was taken",
                   db->path, store->config.node, (long long)store->cluster->epoch);
}

void cluster_tell(const Store *store) {
    if (store->config.on_cluster != NULL)
        store->config.on_cluster(store->config.context);
}

void cluster_fence(Store *store, const JdErr *err) {
    pthread_mutex_lock(&store->mutex);
    const bool is_new = !store->fenced;
    store->fenced = true;
    if (is_new)
        store->last_err = *err;
    if (is_new && store->cluster != NULL) {
        store->cluster->view.fenced = true;
        store->cluster->view.version++;
    }
    pthread_cond_broadcast(&store->wake);
    pthread_mutex_unlock(&store->mutex);
    if (is_new)
        cluster_tell(store);
}

// ---- giving shards away -------------------------------------------------------------------------

// "{1,2,3}"
static bool write_list(const StoreShards *shards, Bytes *out, JdErr *err) {
    bool ok = bytes_append(out, "{", 1, err);
    const char *between = "";
    for (uint32_t shard = 0; ok && shard < STORE_SHARDS; shard++) {
        if (!store_shards_has(shards, shard))
            continue;
        char number[8];
        const size_t size = jd_format(number, sizeof number, "%s%u", between, (unsigned)shard);
        ok = bytes_append(out, number, size, err);
        between = ",";
    }
    return ok && bytes_append(out, "}", 1, err);
}

// Those of `shards` that stand in `of`; all of it when the node leaves.
static StoreShards those_of(const StoreWork *work, const StoreShards *of) {
    StoreShards both = *of;
    for (size_t i = 0; i < JD_COUNT(both.bits) && !work->release.leaving; i++)
        both.bits[i] &= work->release.shards.bits[i];
    return both;
}

static bool append_text(Bytes *out, const char *text, JdErr *err) {
    return bytes_append(out, text, strlen(text), err);
}

static bool write_release(Store *store, const StoreWork *work, const StoreShards *shards,
                          Bytes *sql, JdErr *err) {
    const char *node = store->config.node;
    char head[200];
    char leave[400] = "";
    char tail[240];
    jd_format(head, sizeof head,
              "UPDATE shard SET node = NULL, epoch = epoch + 1, alive_ms = %lld, released = 1"
              " WHERE node = '%s' AND shard = ANY('",
              (long long)work->release.at_ms, node);
    // Also those that were claimed and have not come to be played: somebody else may read them.
    if (work->release.leaving)
        jd_format(leave, sizeof leave,
                  "UPDATE shard SET node = NULL, epoch = epoch + 1 WHERE node = '%s';"
                  " UPDATE node SET leaving = 1 WHERE name = '%s' AND epoch = %lld;",
                  node, node, (long long)store->cluster->epoch);
    jd_format(tail, sizeof tail, " NOTIFY %s", store->cluster->channel);
    return append_text(sql, head, err) && write_list(shards, sql, err) &&
           append_text(sql, "'::bigint[]);", err) && append_text(sql, leave, err) &&
           bytes_append(sql, tail, strlen(tail) + 1, err);
}

bool cluster_release(Store *store, const StoreWork *work, JdErr *err) {
    if (store->cluster == NULL)
        return jd_fail(err, STORE_SQL, 0, "only a node has shards to release");
    const StoreShards shards = those_of(work, &store->mine);
    Bytes sql = { 0 };
    const bool ok = write_release(store, work, &shards, &sql, err) &&
                    pg_exec(&store->writer, (const char *)sql.data, err);
    bytes_clear(&sql);
    if (!ok)
        return false;
    entities_forget(&store->entities, &shards);
    for (size_t i = 0; i < JD_COUNT(shards.bits); i++)
        store->mine.bits[i] &= ~shards.bits[i];
    store->leaving |= work->release.leaving;
    pthread_mutex_lock(&store->mutex);
    for (size_t i = 0; i < JD_COUNT(shards.bits); i++)
        store->cluster->adopted.bits[i] &= ~shards.bits[i];
    store->stats.releases += store_shards_count(&shards);
    pthread_mutex_unlock(&store->mutex);
    return true;
}

// ---- shards that come ---------------------------------------------------------------------------

void cluster_adopt(Store *store, Adoption *adoption) {
    Cluster *cluster = store->cluster;
    StoreTaking *taking = adoption->taking;
    if (store->leaving) { // they went away again with all the others
        cluster_adoption_free(adoption);
        return;
    }
    for (size_t i = 0; i < JD_COUNT(store->mine.bits); i++)
        store->mine.bits[i] |= taking->shards.bits[i];
    if (!store->entities_stale && !entities_merge(&store->entities, &adoption->entities))
        store->entities_stale = true; // made anew, with these, before the next group
    // Their next events must stand behind those that other nodes wrote.
    store->entities.next_arrival = store->entities.block_end = 0;
    pthread_mutex_lock(&store->mutex);
    for (size_t i = 0; i < JD_COUNT(store->mine.bits); i++)
        cluster->adopted.bits[i] |= taking->shards.bits[i];
    store->stats.takings += store_shards_count(&taking->shards);
    store->stats.open_entities = store->entities.count;
    *(cluster->last_taking != NULL ? &cluster->last_taking->next : &cluster->first_taking) = taking;
    cluster->last_taking = taking;
    pthread_mutex_unlock(&store->mutex);
    adoption->taking = NULL;
    cluster_adoption_free(adoption);
    cluster_wake(cluster); // the database is to know that they are played
    cluster_tell(store);
}

StoreTaking *store_taking_next(Store *store) {
    Cluster *cluster = store->cluster;
    if (cluster == NULL)
        return NULL;
    pthread_mutex_lock(&store->mutex);
    StoreTaking *taking = cluster->first_taking;
    if (taking != NULL)
        cluster->first_taking = taking->next;
    if (cluster->first_taking == NULL)
        cluster->last_taking = NULL;
    pthread_mutex_unlock(&store->mutex);
    if (taking != NULL)
        taking->next = NULL;
    return taking;
}

void store_taking_free(StoreTaking *taking) {
    if (taking == NULL)
        return;
    free(taking->events);
    free(taking->bodies);
    free(taking);
}

// ---- doors for the loop -------------------------------------------------------------------------

void store_cluster_alive(Store *store, int64_t now_ms) {
    Cluster *cluster = store->cluster;
    if (cluster == NULL)
        return;
    pthread_mutex_lock(&store->mutex);
    const bool is_first = cluster->sign_ms == 0;
    cluster->sign_ms = now_ms;
    cluster->sign_us = monotonic_us();
    pthread_mutex_unlock(&store->mutex);
    if (is_first)
        cluster_wake(cluster);
}

void store_cluster_poke(Store *store) {
    if (store->cluster != NULL)
        cluster_wake(store->cluster);
}

int64_t store_cluster_epoch(const Store *store) {
    return store->cluster != NULL ? store->cluster->epoch : 0;
}

void store_cluster_view(Store *store, StoreClusterView *out) {
    if (store->cluster == NULL) {
        *out = (StoreClusterView) { 0 };
        memset(out->owner, STORE_NOBODY, sizeof out->owner);
        return;
    }
    pthread_mutex_lock(&store->mutex);
    *out = store->cluster->view;
    pthread_mutex_unlock(&store->mutex);
}
