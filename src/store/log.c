// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the commit thread does with one item of work, and how a long unfinished entity's events
// leave the tail of the log for a record. Everything here runs inside a transaction of the writing
// connection; when it fails the transaction is rolled back and `Entities` is loaded anew.
#include <string.h>

#include "store/internal.h"

void log_event_of_row(StoreStmt *stmt, StoreEvent *out) {
    *out = (StoreEvent) { 0 };
    if (!store_id(store_column_text(stmt, 0), &out->id))
        out->id = (StoreId) { "" }; // no entity is called so: the row is passed over
    out->seq = (uint32_t)store_column_int(stmt, 1);
    out->time_ms = store_column_int(stmt, 2);
    out->actor = (uint8_t)store_column_int(stmt, 3);
    out->kind = (uint16_t)store_column_int(stmt, 4);
    out->body = store_column_blob(stmt, 5);
    out->arrival = store_column_int(stmt, 6);
}

// ---- events -------------------------------------------------------------------------------------

static bool put_open(StoreDb *db, const StoreId *id, int64_t first_arrival, JdErr *err) {
    StoreStmt *put = db_query(db, STORE_Q_OPEN_PUT);
    store_bind_text(put, 1, store_id_str(id));
    if (first_arrival > 0)
        store_bind_int(put, 2, first_arrival);
    else
        store_bind_null(put, 2);
    return store_run(put, NULL, err);
}

// A record that is there belongs to a game that sleeps; *last_seq is then above 0.
static bool sleeping_seq(StoreDb *db, const StoreId *id, uint32_t *last_seq, JdErr *err) {
    StoreStmt *find = db_query(db, STORE_Q_RECORD_EXISTS);
    store_bind_text(find, 1, store_id_str(id));
    const StoreStep step = store_step(find, err);
    bool ok = step != STORE_STEP_FAILED;
    *last_seq = 0;
    if (step == STORE_STEP_ROW) {
        JD_ASSERT(store_column_int(find, 1) == 0); // store.h: no event may follow STORE_GAME_FOLD
        ok = record_last_seq(store_column_blob(find, 0), id, last_seq, err);
    }
    store_done(find);
    return ok;
}

static bool mark_awake(StoreDb *db, const StoreId *id, JdErr *err) {
    StoreStmt *mark = db_query(db, STORE_Q_GAME_AWAKE);
    store_bind_text(mark, 1, store_id_str(id));
    return store_run(mark, NULL, err);
}

// A new entity, or one that slept.
static Entity *open_entity(StoreDb *db, Entities *entities, const StoreId *id, JdErr *err) {
    uint32_t last_seq = 0;
    if (!sleeping_seq(db, id, &last_seq, err) || (last_seq > 0 && !mark_awake(db, id, err)))
        return NULL;
    Entity *entity = entities_add(entities, id);
    if (entity == NULL) {
        jd_fail(err, STORE_MEMORY, 0, "no memory for one more game");
        return NULL;
    }
    entity->last_seq = last_seq;
    entity->has_record = last_seq > 0;
    return entity;
}

// A node has arrivals in blocks, of which each begins after all that were given before.
static bool give_arrival(StoreDb *db, Entities *entities, int64_t *out, JdErr *err) {
    if (entities->next_arrival >= entities->block_end) {
        int64_t from = 0;
        if (!db_number(db, "SELECT nextval('arrival_block')", &from, err))
            return false;
        entities->next_arrival = from;
        entities->block_end = from + STORE_ARRIVAL_BLOCK;
    }
    *out = entities->next_arrival++;
    return true;
}

static bool is_mine(const StoreDb *db, const StoreId *id, JdErr *err) {
    const Store *store = db->store;
    return store->cluster == NULL || store_shards_has(&store->mine, store_shard_of(id)) ||
           jd_fail(err, STORE_FENCED, 0, "%s is in shard %d, which is not node %s's", id->text,
                   store_shard_of(id), store->config.node);
}

static bool insert_event(StoreDb *db, const StoreEvent *event, int64_t arrival, JdErr *err) {
    StoreStmt *insert = db_query(db, STORE_Q_EVENT_INSERT);
    store_bind_text(insert, 1, store_id_str(&event->id));
    store_bind_int(insert, 2, event->seq);
    store_bind_int(insert, 3, event->time_ms);
    store_bind_int(insert, 4, event->actor);
    store_bind_int(insert, 5, event->kind);
    store_bind_blob(insert, 6, event->body);
    store_bind_int(insert, 7, arrival);
    return store_run(insert, NULL, err);
}

static bool append_event(StoreDb *db, Entities *entities, const StoreEvent *event, JdErr *err) {
    if (!is_mine(db, &event->id, err))
        return false;
    Entity *entity = entities_find(entities, &event->id);
    if (entity == NULL && (entity = open_entity(db, entities, &event->id, err)) == NULL)
        return false;
    JD_ASSERT(event->seq > entity->last_seq); // store.h: strictly rising
    int64_t arrival = 0;
    if (!give_arrival(db, entities, &arrival, err) ||
        (entity->count == 0 && !put_open(db, &event->id, arrival, err)) ||
        !insert_event(db, event, arrival, err))
        return false;
    entity->last_seq = event->seq;
    return entities_append(entities, entity, arrival) ||
           jd_fail(err, STORE_MEMORY, 0, "no memory for one more event");
}

// ---- records ------------------------------------------------------------------------------------

static bool read_record(StoreDb *db, const Entity *entity, RecordWriter *writer, JdErr *err) {
    if (!entity->has_record)
        return record_begin(writer, JD_STR(""), &entity->id, err);
    StoreStmt *find = db_query(db, STORE_Q_RECORD_FIND);
    store_bind_text(find, 1, store_id_str(&entity->id));
    const StoreStep step = store_step(find, err);
    bool ok = false;
    if (step == STORE_STEP_ROW)
        ok = record_begin(writer, store_column_blob(find, 0), &entity->id, err);
    else if (step == STORE_STEP_DONE)
        jd_fail(err, STORE_CORRUPT, 0, "%s: the record of %s is missing", db->path,
                entity->id.text);
    store_done(find);
    return ok;
}

static bool add_event(StoreDb *db, const Entity *entity, int64_t arrival, RecordWriter *writer,
                      JdErr *err) {
    StoreStmt *find = db_query(db, STORE_Q_EVENT_BY_ARRIVAL);
    store_bind_int(find, 1, arrival);
    const StoreStep step = store_step(find, err);
    StoreEvent event;
    bool ok = false;
    if (step == STORE_STEP_ROW) {
        log_event_of_row(find, &event);
        ok = strcmp(event.id.text, entity->id.text) == 0 && record_append(writer, &event, err);
    }
    store_done(find);
    if (!ok && step != STORE_STEP_FAILED)
        jd_fail(err, STORE_CORRUPT, 0, "%s: event %lld of %s is missing", db->path,
                (long long)arrival, entity->id.text);
    return ok;
}

static bool put_record(StoreDb *db, const Entity *entity, bool ended, RecordWriter *writer,
                       JdErr *err) {
    StoreStmt *put = db_query(db, STORE_Q_RECORD_PUT);
    store_bind_text(put, 1, store_id_str(&entity->id));
    store_bind_int(put, 2, ended);
    store_bind_int(put, 3, writer->events);
    store_bind_int(put, 4, writer->last_arrival);
    store_bind_blob(put, 5, jd_str_n((const char *)writer->bytes.data, writer->bytes.size));
    return store_run(put, NULL, err);
}

// The record of an entity with every event it has.
static bool write_record(StoreDb *db, const Entity *entity, bool ended, JdErr *err) {
    RecordWriter writer = { 0 };
    bool ok = read_record(db, entity, &writer, err);
    for (uint32_t i = 0; ok && i < entity->count; i++)
        ok = add_event(db, entity, entity->arrivals[i], &writer, err);
    ok = ok && record_end(&writer, err) && put_record(db, entity, ended, &writer, err);
    bytes_clear(&writer.bytes);
    return ok;
}

// A ruling on a game that has been folded. Another node may have written the game's last event, so
// this one's place must be of a new block.
static bool append_to_record(StoreDb *db, Entities *entities, const StoreEvent *event, JdErr *err) {
    const Entity entity = { .id = event->id, .has_record = true };
    StoreEvent placed = *event;
    if (db->store->cluster != NULL)
        entities->next_arrival = entities->block_end;
    RecordWriter writer = { 0 };
    bool ok =
        give_arrival(db, entities, &placed.arrival, err) && read_record(db, &entity, &writer, err);
    JD_ASSERT(!ok || event->seq > writer.last_seq); // store.h
    ok = ok && insert_event(db, &placed, placed.arrival, err) &&
         record_append(&writer, &placed, err) && record_end(&writer, err) &&
         put_record(db, &entity, true, &writer, err);
    bytes_clear(&writer.bytes);
    return ok;
}

static bool delete_open(StoreDb *db, const StoreId *id, JdErr *err) {
    StoreStmt *remove = db_query(db, STORE_Q_OPEN_DELETE);
    store_bind_text(remove, 1, store_id_str(id));
    return store_run(remove, NULL, err);
}

static bool fold(StoreDb *db, Entities *entities, const StoreId *id, JdErr *err) {
    Entity *entity = entities_find(entities, id);
    JD_ASSERT(entity != NULL); // store.h: a game that has events and has not been folded
    if (!write_record(db, entity, true, err) || !delete_open(db, id, err))
        return false;
    entities_remove(entities, entity);
    return true;
}

static bool put_to_sleep(StoreDb *db, Entities *entities, const StoreId *id, int64_t wake_ms,
                         JdErr *err) {
    Entity *entity = entities_find(entities, id);
    JD_ASSERT(entity != NULL); // store.h: an unfinished game
    StoreStmt *mark = db_query(db, STORE_Q_GAME_SLEEP);
    store_bind_text(mark, 1, store_id_str(id));
    store_bind_int(mark, 2, wake_ms);
    if (!store_run(mark, NULL, err) || !write_record(db, entity, false, err) ||
        !delete_open(db, id, err))
        return false;
    entities_remove(entities, entity);
    return true;
}

static bool close_entity(StoreDb *db, Entities *entities, const StoreId *id, JdErr *err) {
    Entity *entity = entities_find(entities, id);
    if (entity == NULL)
        return true;
    if (entity->has_record) {
        StoreStmt *remove = db_query(db, STORE_Q_RECORD_DELETE);
        store_bind_text(remove, 1, store_id_str(id));
        if (!store_run(remove, NULL, err))
            return false;
    }
    if (!delete_open(db, id, err))
        return false;
    entities_remove(entities, entity);
    return true;
}

bool log_record_old(StoreDb *db, Entities *entities, int64_t from, int most, int *moved,
                    JdErr *err) {
    for (*moved = 0; *moved < most; ++*moved) {
        Entity *entity = entities->oldest;
        if (entity == NULL || entity->arrivals[0] >= from)
            break;
        if (!write_record(db, entity, false, err) || !put_open(db, &entity->id, 0, err))
            return false;
        entities_recorded(entities, entity);
    }
    return true;
}

// ---- projection, meta ---------------------------------------------------------------------------

static void bind_time(StoreStmt *stmt, int index, int64_t ms) {
    if (ms != 0)
        store_bind_int(stmt, index, ms);
    else
        store_bind_null(stmt, index);
}

static bool put_row(StoreDb *db, const StoreGameRow *row, JdErr *err) {
    StoreStmt *put = db_query(db, STORE_Q_GAME_PUT);
    store_bind_text(put, 1, store_id_str(&row->id));
    store_bind_int(put, 2, row->white);
    store_bind_int(put, 3, row->black);
    store_bind_text(put, 4, jd_str(row->control));
    store_bind_text(put, 5, jd_str(row->category));
    store_bind_int(put, 6, row->rated);
    store_bind_int(put, 7, row->edition);
    store_bind_int(put, 8, row->pace);
    store_bind_int(put, 9, row->turn);
    store_bind_int(put, 10, row->offer);
    store_bind_text(put, 11, jd_str(row->result));
    store_bind_text(put, 12, jd_str(row->reason));
    store_bind_int(put, 13, row->plies);
    store_bind_int(put, 14, row->created_ms);
    bind_time(put, 15, row->started_ms);
    bind_time(put, 16, row->ended_ms);
    store_bind_int(put, 17, row->type);
    store_bind_int(put, 18, row->flag);
    store_bind_int(put, 19, row->touch);
    store_bind_int(put, 20, row->list);
    bind_time(put, 21, row->deadline_ms);
    return store_run(put, NULL, err);
}

static bool put_meta(StoreDb *db, const char *key, int64_t value, JdErr *err) {
    StoreStmt *put = db_query(db, STORE_Q_META_PUT);
    store_bind_text(put, 1, jd_str(key));
    store_bind_int(put, 2, value);
    return store_run(put, NULL, err);
}

static bool put_chat(StoreDb *db, const StoreChatLine *line, JdErr *err) {
    StoreStmt *put = db_query(db, STORE_Q_CHAT_PUT);
    store_bind_text(put, 1, store_id_str(&line->game));
    store_bind_int(put, 2, line->seq);
    store_bind_int(put, 3, line->room);
    store_bind_int(put, 4, line->account);
    store_bind_int(put, 5, line->time_ms);
    store_bind_text(put, 6, line->text);
    return store_run(put, NULL, err);
}

// No game sleeps for so long before an outage begins: older ones have been credited.
#define OUTAGE_KEPT_MS (INT64_C(90) * 24 * 3600 * 1000)

static bool put_outage(StoreDb *db, int64_t at_ms, int64_t span_ms, JdErr *err) {
    StoreStmt *trim = db_query(db, STORE_Q_OUTAGES_TRIM);
    store_bind_int(trim, 1, at_ms - span_ms - OUTAGE_KEPT_MS);
    if (!store_run(trim, NULL, err))
        return false;
    StoreStmt *put = db_query(db, STORE_Q_OUTAGE_PUT);
    store_bind_int(put, 1, at_ms);
    store_bind_int(put, 2, span_ms);
    return store_run(put, NULL, err);
}

static bool put_shard_outage(StoreDb *db, const StoreWork *work, JdErr *err) {
    unsigned char bytes[sizeof(StoreShards)];
    for (size_t i = 0; i < sizeof(bytes); i++)
        bytes[i] = (unsigned char)(work->outage.shards.bits[i / 8] >> (i % 8 * 8));
    StoreStmt *trim = db_query(db, STORE_Q_SHARD_OUTAGES_TRIM);
    store_bind_int(trim, 1, work->outage.at_ms - work->outage.span_ms - OUTAGE_KEPT_MS);
    if (!store_run(trim, NULL, err))
        return false;
    StoreStmt *put = db_query(db, STORE_Q_SHARD_OUTAGE_PUT);
    store_bind_int(put, 1, work->outage.at_ms);
    store_bind_int(put, 2, work->outage.span_ms);
    store_bind_blob(put, 3, jd_str_n((const char *)bytes, sizeof(bytes)));
    return store_run(put, NULL, err);
}

static bool put_vacation(StoreDb *db, const StoreWork *work, JdErr *err) {
    StoreStmt *put = db_query(db, STORE_Q_VACATION_PUT);
    store_bind_int(put, 1, work->vacation.account);
    store_bind_int(put, 2, work->vacation.from_ms);
    store_bind_int(put, 3, work->vacation.until_ms);
    bind_time(put, 4, work->vacation.ended_ms);
    return store_run(put, NULL, err);
}

static bool put_audit(StoreDb *db, const StoreAudit *audit, JdErr *err) {
    StoreStmt *put = store_query(db, STORE_AUDIT_INSERT);
    store_bind_int(put, 1, audit->at_ms);
    store_bind_int(put, 2, audit->actor);
    store_bind_text(put, 3, jd_str(audit->action));
    store_bind_text(put, 4, jd_str(audit->object));
    store_bind_text(put, 5, jd_str(audit->before));
    store_bind_text(put, 6, jd_str(audit->after));
    store_bind_text(put, 7, jd_str(audit->reason));
    return store_run(put, NULL, err);
}

static bool put_bell(StoreDb *db, const StoreBell *bell, JdErr *err) {
    StoreStmt *put = store_query(db, STORE_BELL_INSERT);
    store_bind_int(put, 1, bell->account);
    store_bind_text(put, 2, jd_str(bell->kind));
    store_bind_int(put, 3, bell->other);
    store_bind_text(put, 4, jd_str(bell->ref));
    store_bind_int(put, 5, bell->at_ms);
    store_bind_int(put, 6, bell->tell);
    if (!store_run(put, NULL, err))
        return false;
    StoreStmt *trim = store_query(db, STORE_BELL_TRIM);
    store_bind_int(trim, 1, bell->account);
    store_bind_int(trim, 2, STORE_BELL_MAX);
    return store_run(trim, NULL, err);
}

bool log_apply(StoreDb *db, Entities *entities, const StoreWork *work, JdErr *err) {
    switch (work->kind) {
    case STORE_LOG_EVENT:
        return append_event(db, entities, &work->event, err);
    case STORE_GAME_ROW:
        return put_row(db, &work->row, err);
    case STORE_RECORD_EVENT:
        return append_to_record(db, entities, &work->event, err);
    case STORE_BELL_ROW:
        return put_bell(db, &work->bell, err);
    case STORE_AUDIT_ROW:
        return put_audit(db, &work->audit, err);
    case STORE_GAME_FOLD:
        return fold(db, entities, &work->id, err);
    case STORE_LOG_CLOSE:
        return close_entity(db, entities, &work->id, err);
    case STORE_META_SET:
        return put_meta(db, work->meta.key, work->meta.value, err);
    case STORE_GAMES_CLEAR:
        return store_run(db_query(db, STORE_Q_GAMES_CLEAR), NULL, err);
    case STORE_CHAT_LINE:
        return put_chat(db, &work->chat, err);
    case STORE_GAME_SLEEP:
        return put_to_sleep(db, entities, &work->sleep.id, work->sleep.wake_ms, err);
    case STORE_VACATION:
        return put_vacation(db, work, err);
    case STORE_SHARDS_RELEASE:
        return cluster_release(db->store, work, err);
    case STORE_OUTAGE:
        return work->outage.has_shards
                   ? put_shard_outage(db, work, err)
                   : put_outage(db, work->outage.at_ms, work->outage.span_ms, err);
    }
    jd_assert_fail("a kind of StoreWorkKind", __FILE__, __LINE__);
}
