// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads what shards that were won bring with them: every event of their unfinished entities. On a
// thread and a connection of its own, because it may take longer than a lease lasts.
#include <stdlib.h>
#include <time.h>

#include "store/postgres.h"

#define RETRY_MS 200

// One taking as it is being read. An event's body is an offset into `bodies` until the end.
typedef struct Reading {
    Adoption *adoption;
    size_t capacity;
    Bytes bodies;
} Reading;

// ---- events -------------------------------------------------------------------------------------

static bool add_event(Reading *reading, const StoreEvent *event, JdErr *err) {
    StoreTaking *taking = reading->adoption->taking;
    if (taking->count == reading->capacity) {
        const size_t capacity = reading->capacity == 0 ? 256 : reading->capacity * 2;
        StoreEvent *grown = realloc(taking->events, capacity * sizeof *grown);
        if (grown == NULL)
            return jd_fail(err, STORE_MEMORY, 0, "no memory for %zu events", capacity);
        taking->events = grown;
        reading->capacity = capacity;
    }
    StoreEvent *placed = &taking->events[taking->count];
    *placed = *event;
    placed->body.data = NULL;
    if (!bytes_append(&reading->bodies, event->body.data, event->body.size, err))
        return false;
    taking->count++;
    return true;
}

static int by_arrival(const void *a, const void *b) {
    const int64_t left = ((const StoreEvent *)a)->arrival;
    const int64_t right = ((const StoreEvent *)b)->arrival;
    return (left > right) - (left < right);
}

// The bodies lie in the order in which the events were added.
static void finish(Reading *reading) {
    StoreTaking *taking = reading->adoption->taking;
    const char *body = (const char *)reading->bodies.data;
    for (size_t i = 0; i < taking->count; i++) {
        taking->events[i].body.data = body;
        body += taking->events[i].body.size;
    }
    taking->bodies = reading->bodies.data;
    reading->bodies = (Bytes) { 0 };
    if (taking->count > 0)
        qsort(taking->events, taking->count, sizeof *taking->events, by_arrival);
}

// ---- from the database --------------------------------------------------------------------------

static bool read_record(Reading *reading, Entity *entity, JdStr body, JdErr *err) {
    RecordReader record;
    bool ok = record_open(&record, body, &entity->id, err);
    for (bool more = true; ok;) {
        ok = record_next(&record, &more, err);
        if (!ok || !more)
            break;
        entity->last_seq = record.event.seq;
        ok = add_event(reading, &record.event, err);
    }
    entity->has_record = true;
    return ok;
}

static bool read_open_one(Reading *reading, StoreStmt *open, const StoreId *id, int64_t *from,
                          JdErr *err) {
    Entity *entity = entities_add(&reading->adoption->entities, id);
    if (entity == NULL)
        return jd_fail(err, STORE_MEMORY, 0, "no memory for the unfinished games");
    if (!store_column_is_null(open, 1) && store_column_int(open, 1) < *from)
        *from = store_column_int(open, 1);
    return store_column_is_null(open, 2) ||
           read_record(reading, entity, store_column_blob(open, 2), err);
}

// The unfinished entities of these shards with their records; *from is the first arrival that any
// of them needs.
static bool read_open(Reading *reading, StoreDb *db, int64_t *from, JdErr *err) {
    const StoreShards *shards = &reading->adoption->taking->shards;
    StoreStmt *open = db_query(db, STORE_Q_OPEN_ALL);
    StoreStep step = STORE_STEP_DONE;
    bool ok = true;
    while (ok && (step = store_step(open, err)) == STORE_STEP_ROW) {
        StoreId id;
        if (!store_id(store_column_text(open, 0), &id))
            ok = jd_fail(err, STORE_CORRUPT, 0, "%s: log_open holds no id", db->path);
        else if (store_shards_has(shards, store_shard_of(&id)))
            ok = read_open_one(reading, open, &id, from, err);
    }
    store_done(open);
    return ok && step == STORE_STEP_DONE;
}

static bool read_tail(Reading *reading, StoreDb *db, int64_t from, JdErr *err) {
    Entities *entities = &reading->adoption->entities;
    StoreStmt *tail = db_query(db, STORE_Q_EVENTS_FROM);
    store_bind_int(tail, 1, from);
    StoreStep step = STORE_STEP_DONE;
    bool ok = true;
    while (ok && (step = store_step(tail, err)) == STORE_STEP_ROW) {
        StoreEvent event;
        log_event_of_row(tail, &event);
        Entity *entity = entities_find(entities, &event.id);
        if (entity == NULL || event.seq <= entity->last_seq)
            continue;
        entity->last_seq = event.seq;
        ok = add_event(reading, &event, err) &&
             (entities_append(entities, entity, event.arrival) ||
              jd_fail(err, STORE_MEMORY, 0, "no memory for the unfinished games"));
    }
    store_done(tail);
    return ok && step == STORE_STEP_DONE;
}

// The claim is committed, so this state of the database holds whatever the former owner wrote.
static Adoption *read_won(StoreDb *db, const Won *won, JdErr *err) {
    Reading reading = { .adoption = calloc(1, sizeof *reading.adoption) };
    StoreTaking *taking = calloc(1, sizeof *taking);
    if (reading.adoption == NULL || taking == NULL) {
        free(reading.adoption);
        free(taking);
        jd_fail(err, STORE_MEMORY, 0, "no memory for the shards that came");
        return NULL;
    }
    reading.adoption->taking = taking;
    taking->shards = won->shards;
    taking->alive_ms = won->alive_ms;
    taking->released = won->released;
    int64_t from = INT64_MAX;
    bool ok = db->driver->begin(db, err);
    if (ok) {
        ok = read_open(&reading, db, &from, err) &&
             (from == INT64_MAX || read_tail(&reading, db, from, err));
        db->driver->rollback(db); // nothing was written
    }
    finish(&reading);
    if (ok)
        return reading.adoption;
    cluster_adoption_free(reading.adoption);
    return NULL;
}

// ---- the thread ---------------------------------------------------------------------------------

// Waits for shards that were won; NULL: the node ends.
static Won *next_won(Cluster *cluster) {
    Store *store = cluster->store;
    pthread_mutex_lock(&store->mutex);
    while (cluster->first_won == NULL && !cluster->closing)
        pthread_cond_wait(&cluster->won, &store->mutex);
    Won *won = cluster->closing ? NULL : cluster->first_won;
    if (won != NULL)
        cluster->first_won = won->next;
    if (cluster->first_won == NULL)
        cluster->last_won = NULL;
    pthread_mutex_unlock(&store->mutex);
    return won;
}

static bool is_closing(Cluster *cluster) {
    pthread_mutex_lock(&cluster->store->mutex);
    const bool closing = cluster->closing;
    pthread_mutex_unlock(&cluster->store->mutex);
    return closing;
}

static void hand_over(Store *store, Adoption *adoption) {
    pthread_mutex_lock(&store->mutex);
    Adoption **end = &store->adoptions;
    while (*end != NULL)
        end = &(*end)->next;
    *end = adoption;
    pthread_cond_signal(&store->wake);
    pthread_mutex_unlock(&store->mutex);
}

void *taking_thread(void *context) {
    Cluster *cluster = context;
    for (Won *won; (won = next_won(cluster)) != NULL;) {
        Adoption *adoption = NULL;
        while (adoption == NULL && !is_closing(cluster)) {
            JdErr err = { 0 };
            if (pg_revive(&cluster->reader, &err))
                adoption = read_won(&cluster->reader, won, &err);
            if (adoption == NULL)
                nanosleep(&(struct timespec) { .tv_nsec = RETRY_MS * 1000000L }, NULL);
        }
        free(won);
        if (adoption != NULL)
            hand_over(cluster->store, adoption);
    }
    return NULL;
}
