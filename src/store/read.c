// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reading connections, the replay at start, and the ways to read the log and the projection.
#include <stdlib.h>
#include <string.h>

#include "store/internal.h"

// ---- connections --------------------------------------------------------------------------------

bool store_reader_open(Store *store, StoreDb **out, JdErr *err) {
    pthread_mutex_lock(&store->mutex);
    const bool room = store->readers < STORE_READERS_MAX && !store->closing;
    store->readers += room;
    pthread_mutex_unlock(&store->mutex);
    if (!room) {
        jd_fail(err, STORE_CLOSING, 0, "no reader: closing, or %d are open", STORE_READERS_MAX);
        return false;
    }
    StoreDb *db = malloc(sizeof *db);
    if (db == NULL)
        jd_fail(err, STORE_MEMORY, 0, "no memory for a reader");
    else if (store->driver->open_reader(db, store, err)) {
        *out = db;
        return true;
    }
    free(db);
    pthread_mutex_lock(&store->mutex);
    store->readers--;
    pthread_mutex_unlock(&store->mutex);
    return false;
}

void store_reader_close(StoreDb *db) {
    if (db == NULL)
        return;
    Store *store = db->store;
    db_close(db);
    free(db);
    pthread_mutex_lock(&store->mutex);
    store->readers--;
    pthread_mutex_unlock(&store->mutex);
}

static bool stopped(JdErr *err) {
    return jd_fail(err, STORE_STOPPED, 0, "stopped by the caller");
}

// Several queries on one state of the database.
static bool snapshot_begin(StoreDb *db, JdErr *err) {
    return db->driver->begin(db, err);
}

static void snapshot_end(StoreDb *db) {
    db->driver->rollback(db); // nothing was written
}

// ---- the events of the unfinished ---------------------------------------------------------------

// The events of every entity neither folded nor closed. One that lies in a record is complete but
// for body.data, its offset into `bodies` stands in its place; of one in the log there are only id
// and arrival, and the rest is read when its turn comes.
typedef struct Place {
    StoreEvent event;
    size_t body_at;
    bool in_record;
} Place;

typedef struct Unfinished {
    Place *places;
    size_t count;
    size_t capacity;
    Bytes bodies;
} Unfinished;

static void unfinished_clear(Unfinished *unfinished) {
    free(unfinished->places);
    bytes_clear(&unfinished->bodies);
}

static bool add_place(Unfinished *unfinished, Place place, JdErr *err) {
    if (unfinished->count == unfinished->capacity) {
        const size_t capacity = unfinished->capacity == 0 ? 1024 : unfinished->capacity * 2;
        Place *grown = realloc(unfinished->places, capacity * sizeof *grown);
        if (grown == NULL)
            return jd_fail(err, STORE_MEMORY, 0, "no memory for %zu events", capacity);
        unfinished->places = grown;
        unfinished->capacity = capacity;
    }
    unfinished->places[unfinished->count++] = place;
    return true;
}

static bool add_record(Unfinished *unfinished, const StoreId *id, JdStr body, JdErr *err) {
    RecordReader reader;
    bool ok = record_open(&reader, body, id, err);
    for (bool more = true; ok;) {
        ok = record_next(&reader, &more, err);
        if (!ok || !more)
            break;
        const Place place = { .event = reader.event,
                              .body_at = unfinished->bodies.size,
                              .in_record = true };
        const JdStr bytes = reader.event.body;
        ok = bytes_append(&unfinished->bodies, bytes.data, bytes.size, err) &&
             add_place(unfinished, place, err);
    }
    return ok;
}

static bool add_records(Unfinished *unfinished, StoreDb *db, JdErr *err) {
    StoreStmt *open = db_query(db, STORE_Q_OPEN_ALL);
    StoreStep step = STORE_STEP_DONE;
    bool ok = true;
    while (ok && (step = store_step(open, err)) == STORE_STEP_ROW) {
        StoreId id;
        if (!store_column_is_null(open, 2) && store_id(store_column_text(open, 0), &id))
            ok = add_record(unfinished, &id, store_column_blob(open, 2), err);
    }
    store_done(open);
    return ok && step == STORE_STEP_DONE;
}

static bool add_tail(Unfinished *unfinished, const Entities *entities, JdErr *err) {
    for (const Entity *at = entities->oldest; at != NULL; at = at->newer)
        for (uint32_t i = 0; i < at->count; i++)
            if (!add_place(unfinished,
                           (Place) { .event = { .id = at->id, .arrival = at->arrivals[i] } }, err))
                return false;
    return true;
}

static bool unfinished_load(Unfinished *unfinished, StoreDb *db, JdErr *err) {
    *unfinished = (Unfinished) { 0 };
    Entities entities = { 0 };
    const bool ok = entities_load(&entities, db, NULL, err) && add_records(unfinished, db, err) &&
                    add_tail(unfinished, &entities, err);
    entities_clear(&entities);
    return ok;
}

static int by_arrival(const void *a, const void *b) {
    const int64_t left = ((const Place *)a)->event.arrival;
    const int64_t right = ((const Place *)b)->event.arrival;
    return (left > right) - (left < right);
}

static int by_entity(const void *a, const void *b) {
    const int order = strcmp(((const Place *)a)->event.id.text, ((const Place *)b)->event.id.text);
    return order != 0 ? order : by_arrival(a, b);
}

// Reads the event at one arrival and hands it on.
static bool give_logged(StoreDb *db, const StoreEvent *wanted, StoreEventFn each, void *context,
                        JdErr *err) {
    StoreStmt *find = db_query(db, STORE_Q_EVENT_BY_ARRIVAL);
    store_bind_int(find, 1, wanted->arrival);
    const StoreStep step = store_step(find, err);
    bool ok = false;
    if (step == STORE_STEP_ROW) {
        StoreEvent event;
        log_event_of_row(find, &event);
        ok = each(context, &event) || stopped(err);
    } else if (step == STORE_STEP_DONE) {
        jd_fail(err, STORE_CORRUPT, 0, "%s: event %lld of %s is missing", db->path,
                (long long)wanted->arrival, wanted->id.text);
    }
    store_done(find);
    return ok;
}

static bool give_place(StoreDb *db, const Unfinished *unfinished, const Place *place,
                       StoreEventFn each, void *context, JdErr *err) {
    if (!place->in_record)
        return give_logged(db, &place->event, each, context, err);
    StoreEvent event = place->event;
    event.body.data = (const char *)unfinished->bodies.data + place->body_at;
    return each(context, &event) || stopped(err);
}

static bool give_unfinished(StoreDb *db, StoreEventFn each, void *context, JdErr *err) {
    Unfinished unfinished;
    bool ok = unfinished_load(&unfinished, db, err);
    if (ok && unfinished.count > 0)
        qsort(unfinished.places, unfinished.count, sizeof *unfinished.places, by_entity);
    for (size_t i = 0; ok && i < unfinished.count; i++)
        ok = give_place(db, &unfinished, &unfinished.places[i], each, context, err);
    unfinished_clear(&unfinished);
    return ok;
}

// The replay at start, in the order of arrival: one walk through the tail of the log, between whose
// events those out of the records are given.
typedef struct Replay {
    StoreDb *db;
    Unfinished recorded;
    size_t given; // of them
    StoreEventFn each;
    void *context;
} Replay;

static bool give_recorded(Replay *replay, int64_t before, JdErr *err) {
    const Unfinished *recorded = &replay->recorded;
    for (; replay->given < recorded->count; replay->given++) {
        const Place *place = &recorded->places[replay->given];
        if (place->event.arrival >= before)
            break;
        if (!give_place(replay->db, recorded, place, replay->each, replay->context, err))
            return false;
    }
    return true;
}

static bool give_tail(Replay *replay, const Entities *entities, int64_t from, JdErr *err) {
    StoreStmt *tail = db_query(replay->db, STORE_Q_EVENTS_FROM);
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
        ok = give_recorded(replay, event.arrival, err) &&
             (replay->each(replay->context, &event) || stopped(err));
    }
    store_done(tail);
    return ok && step == STORE_STEP_DONE;
}

static bool give_all(Replay *replay, JdErr *err) {
    Entities entities = { 0 };
    int64_t from = INT64_MAX;
    bool ok = entities_load_open(&entities, replay->db, NULL, &from, err) &&
              add_records(&replay->recorded, replay->db, err);
    if (ok && replay->recorded.count > 0)
        qsort(replay->recorded.places, replay->recorded.count, sizeof *replay->recorded.places,
              by_arrival);
    ok = ok && (from == INT64_MAX || give_tail(replay, &entities, from, err)) &&
         give_recorded(replay, INT64_MAX, err);
    unfinished_clear(&replay->recorded);
    entities_clear(&entities);
    return ok;
}

bool store_replay(Store *store, StoreEventFn each, void *context, JdErr *err) {
    StoreDb *db = NULL;
    if (store->cluster != NULL)
        return true; // store_taking_next
    if (!store_reader_open(store, &db, err))
        return false;
    bool ok = snapshot_begin(db, err);
    if (ok) {
        Replay replay = { .db = db, .each = each, .context = context };
        ok = give_all(&replay, err);
        snapshot_end(db);
    }
    store_reader_close(db);
    return ok;
}

// ---- the log by entity --------------------------------------------------------------------------

static bool give_record(const StoreId *id, JdStr body, StoreEventFn each, void *context,
                        JdErr *err) {
    RecordReader reader;
    bool ok = record_open(&reader, body, id, err);
    for (bool more = true; ok;) {
        ok = record_next(&reader, &more, err);
        if (!ok || !more)
            break;
        ok = each(context, &reader.event) || stopped(err);
    }
    return ok;
}

static bool give_finished(StoreDb *db, StoreEventFn each, void *context, JdErr *err) {
    StoreStmt *ended = db_query(db, STORE_Q_RECORDS_ENDED);
    StoreStep step = STORE_STEP_DONE;
    bool ok = true;
    while (ok && (step = store_step(ended, err)) == STORE_STEP_ROW) {
        StoreId id;
        ok = store_id(store_column_text(ended, 0), &id)
                 ? give_record(&id, store_column_blob(ended, 1), each, context, err)
                 : jd_fail(err, STORE_CORRUPT, 0, "%s: game_record holds no id", db->path);
    }
    store_done(ended);
    return ok && step == STORE_STEP_DONE;
}

bool store_entities_each(StoreDb *db, StoreEventFn each, void *context, JdErr *err) {
    if (!snapshot_begin(db, err))
        return false;
    const bool ok =
        give_finished(db, each, context, err) && give_unfinished(db, each, context, err);
    snapshot_end(db);
    return ok;
}

// The record of an entity, if it has one.
static bool give_own_record(StoreDb *db, const StoreId *id, StoreEventFn each, void *context,
                            bool *found, bool *ended, JdErr *err) {
    StoreStmt *find = db_query(db, STORE_Q_RECORD_FIND);
    store_bind_text(find, 1, store_id_str(id));
    const StoreStep step = store_step(find, err);
    *found = step == STORE_STEP_ROW;
    *ended = *found && store_column_int(find, 1) != 0;
    const bool ok = *found ? give_record(id, store_column_blob(find, 0), each, context, err)
                           : step == STORE_STEP_DONE;
    store_done(find);
    return ok;
}

// *from is 0 when all events are in the record.
static bool find_open(StoreDb *db, const StoreId *id, bool *open, int64_t *from, JdErr *err) {
    StoreStmt *find = db_query(db, STORE_Q_OPEN_FIND);
    store_bind_text(find, 1, store_id_str(id));
    const StoreStep step = store_step(find, err);
    *open = step == STORE_STEP_ROW;
    *from = *open ? store_column_int(find, 0) : 0;
    store_done(find);
    return step != STORE_STEP_FAILED;
}

static bool give_own_tail(StoreDb *db, const StoreId *id, int64_t from, StoreEventFn each,
                          void *context, JdErr *err) {
    StoreStmt *tail = db_query(db, STORE_Q_EVENTS_FROM);
    store_bind_int(tail, 1, from);
    StoreStep step = STORE_STEP_DONE;
    bool ok = true;
    while (ok && (step = store_step(tail, err)) == STORE_STEP_ROW) {
        if (!jd_str_equal(store_column_text(tail, 0), store_id_str(id)))
            continue;
        StoreEvent event;
        log_event_of_row(tail, &event);
        ok = each(context, &event) || stopped(err);
    }
    store_done(tail);
    return ok && step == STORE_STEP_DONE;
}

bool store_entity_events(StoreDb *db, const StoreId *id, StoreEventFn each, void *context,
                         bool *found, JdErr *err) {
    *found = false;
    if (!snapshot_begin(db, err))
        return false;
    bool recorded = false;
    bool ended = false;
    bool open = false;
    int64_t from = 0;
    const bool ok = give_own_record(db, id, each, context, &recorded, &ended, err) &&
                    (ended || find_open(db, id, &open, &from, err)) &&
                    (from == 0 || give_own_tail(db, id, from, each, context, err));
    *found = recorded || open;
    snapshot_end(db);
    return ok;
}

// ---- projection, meta ---------------------------------------------------------------------------

static void copy_text(char *out, size_t size, JdStr text) {
    const size_t taken = text.size < size ? text.size : size - 1;
    memcpy(out, taken > 0 ? text.data : "", taken);
    out[taken] = '\0';
}

void store_game_row_of(StoreStmt *stmt, StoreGameRow *out) {
    *out = (StoreGameRow) { 0 };
    copy_text(out->id.text, sizeof out->id.text, store_column_text(stmt, 0));
    out->white = store_column_int(stmt, 1);
    out->black = store_column_int(stmt, 2);
    copy_text(out->control, sizeof out->control, store_column_text(stmt, 3));
    copy_text(out->category, sizeof out->category, store_column_text(stmt, 4));
    out->rated = (uint8_t)store_column_int(stmt, 5);
    out->edition = (uint8_t)store_column_int(stmt, 6);
    out->pace = (uint8_t)store_column_int(stmt, 7);
    out->turn = (uint8_t)store_column_int(stmt, 8);
    out->offer = (uint8_t)store_column_int(stmt, 9);
    copy_text(out->result, sizeof out->result, store_column_text(stmt, 10));
    copy_text(out->reason, sizeof out->reason, store_column_text(stmt, 11));
    out->plies = (uint32_t)store_column_int(stmt, 12);
    out->created_ms = store_column_int(stmt, 13);
    out->started_ms = store_column_int(stmt, 14);
    out->ended_ms = store_column_int(stmt, 15);
    out->type = (uint8_t)store_column_int(stmt, 16);
    out->flag = (uint8_t)store_column_int(stmt, 17);
    out->touch = (uint8_t)store_column_int(stmt, 18);
    out->list = (uint8_t)store_column_int(stmt, 19);
    out->deadline_ms = store_column_int(stmt, 20);
}

bool store_game_row(StoreDb *db, const StoreId *id, StoreGameRow *out, bool *found, JdErr *err) {
    StoreStmt *find = store_query(db, STORE_GAME_ROW_BY_ID);
    store_bind_text(find, 1, store_id_str(id));
    const StoreStep step = store_step(find, err);
    *found = step == STORE_STEP_ROW;
    if (*found)
        store_game_row_of(find, out);
    store_done(find);
    return step != STORE_STEP_FAILED;
}

bool store_game_rows_each(StoreDb *db, StoreGameRowFn each, void *context, JdErr *err) {
    StoreStmt *all = db_query(db, STORE_Q_GAMES_ALL);
    StoreStep step = STORE_STEP_DONE;
    bool ok = true;
    while (ok && (step = store_step(all, err)) == STORE_STEP_ROW) {
        StoreGameRow row;
        store_game_row_of(all, &row);
        ok = each(context, &row) || stopped(err);
    }
    store_done(all);
    return ok && step == STORE_STEP_DONE;
}

bool store_meta_get(StoreDb *db, const char *key, int64_t *value, bool *found, JdErr *err) {
    StoreStmt *find = db_query(db, STORE_Q_META_FIND);
    store_bind_text(find, 1, jd_str(key));
    const StoreStep step = store_step(find, err);
    *found = step == STORE_STEP_ROW;
    if (*found)
        *value = store_column_int(find, 0);
    store_done(find);
    return step != STORE_STEP_FAILED;
}
