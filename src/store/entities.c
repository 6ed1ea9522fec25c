// SPDX-License-Identifier: GPL-3.0-or-later
//
// The unfinished entities in memory: where in the log each one's events lie. It stands in for an
// index by game, which the log must not have, and is made anew from the database at every start.
#include <stdlib.h>
#include <string.h>

#include "store/internal.h"

static uint32_t bucket_of(const Entities *entities, const StoreId *id) {
    const uint64_t hash = jd_mix(jd_hash(JD_HASH_START, id->text, strlen(id->text)));
    return (uint32_t)hash & (entities->bucket_count - 1);
}

Entity *entities_find(const Entities *entities, const StoreId *id) {
    if (entities->bucket_count == 0)
        return NULL;
    Entity *at = entities->buckets[bucket_of(entities, id)];
    while (at != NULL && strcmp(at->id.text, id->text) != 0)
        at = at->chain;
    return at;
}

static bool grow(Entities *entities) {
    const uint32_t count = entities->bucket_count == 0 ? 256 : entities->bucket_count * 2;
    Entity **buckets =
        calloc(count, sizeof *buckets); // NOLINT(bugprone-sizeof-expression): pointers
    if (buckets == NULL)
        return false;
    Entities old = *entities;
    entities->buckets = buckets;
    entities->bucket_count = count;
    for (uint32_t i = 0; i < old.bucket_count; i++) {
        for (Entity *at = old.buckets[i], *next; at != NULL; at = next) {
            next = at->chain;
            Entity **bucket = &buckets[bucket_of(entities, &at->id)];
            at->chain = *bucket;
            *bucket = at;
        }
    }
    free(old.buckets);
    return true;
}

Entity *entities_add(Entities *entities, const StoreId *id) {
    if (entities->count >= entities->bucket_count && !grow(entities))
        return NULL;
    Entity *entity = calloc(1, sizeof *entity);
    if (entity == NULL)
        return NULL;
    entity->id = *id;
    Entity **bucket = &entities->buckets[bucket_of(entities, id)];
    entity->chain = *bucket;
    *bucket = entity;
    entities->count++;
    return entity;
}

static void list_last(Entities *entities, Entity *entity) {
    entity->older = entities->newest;
    entity->newer = NULL;
    *(entities->newest != NULL ? &entities->newest->newer : &entities->oldest) = entity;
    entities->newest = entity;
}

bool entities_append(Entities *entities, Entity *entity, int64_t arrival) {
    if (entity->count == entity->capacity) {
        const uint32_t capacity = entity->capacity == 0 ? 8 : entity->capacity * 2;
        int64_t *grown = realloc(entity->arrivals, capacity * sizeof *grown);
        if (grown == NULL)
            return false;
        entity->arrivals = grown;
        entity->capacity = capacity;
    }
    entity->arrivals[entity->count++] = arrival;
    if (entity->count == 1) // arrivals only grow, so its place in the list is the end
        list_last(entities, entity);
    return true;
}

static void unlist(Entities *entities, Entity *entity) {
    if (entity->count == 0)
        return;
    *(entity->older != NULL ? &entity->older->newer : &entities->oldest) = entity->newer;
    *(entity->newer != NULL ? &entity->newer->older : &entities->newest) = entity->older;
    entity->older = entity->newer = NULL;
}

void entities_recorded(Entities *entities, Entity *entity) {
    unlist(entities, entity);
    free(entity->arrivals);
    entity->arrivals = NULL;
    entity->count = entity->capacity = 0;
    entity->has_record = true;
}

void entities_remove(Entities *entities, Entity *entity) {
    unlist(entities, entity);
    Entity **at = &entities->buckets[bucket_of(entities, &entity->id)];
    while (*at != entity)
        at = &(*at)->chain;
    *at = entity->chain;
    entities->count--;
    free(entity->arrivals);
    free(entity);
}

// The list of both, which are in order already.
static void merge_lists(Entities *entities, Entity *left, Entity *right) {
    entities->oldest = entities->newest = NULL;
    while (left != NULL || right != NULL) {
        const bool is_left =
            right == NULL || (left != NULL && left->arrivals[0] < right->arrivals[0]);
        Entity **from = is_left ? &left : &right;
        Entity *entity = *from;
        *from = entity->newer;
        list_last(entities, entity);
    }
}

bool entities_merge(Entities *entities, Entities *from) {
    while (entities->bucket_count < entities->count + from->count)
        if (!grow(entities))
            return false;
    for (uint32_t i = 0; i < from->bucket_count; i++) {
        for (Entity *at = from->buckets[i], *next; at != NULL; at = next) {
            next = at->chain;
            Entity **bucket = &entities->buckets[bucket_of(entities, &at->id)];
            at->chain = *bucket;
            *bucket = at;
        }
    }
    entities->count += from->count;
    merge_lists(entities, entities->oldest, from->oldest);
    free(from->buckets);
    *from = (Entities) { 0 };
    return true;
}

void entities_forget(Entities *entities, const StoreShards *shards) {
    for (uint32_t i = 0; i < entities->bucket_count; i++) {
        for (Entity *at = entities->buckets[i], *next; at != NULL; at = next) {
            next = at->chain;
            if (store_shards_has(shards, store_shard_of(&at->id)))
                entities_remove(entities, at);
        }
    }
}

void entities_clear(Entities *entities) {
    for (uint32_t i = 0; i < entities->bucket_count; i++) {
        for (Entity *at = entities->buckets[i], *next; at != NULL; at = next) {
            next = at->chain;
            free(at->arrivals);
            free(at);
        }
    }
    free(entities->buckets);
    *entities = (Entities) { 0 };
}

// ---- from the database --------------------------------------------------------------------------

static Entity *add_open(Entities *entities, StoreStmt *open, const char *path, JdErr *err) {
    StoreId id;
    if (!store_id(store_column_text(open, 0), &id)) {
        jd_fail(err, STORE_CORRUPT, 0, "%s: log_open holds no id", path);
        return NULL;
    }
    Entity *entity = entities_add(entities, &id);
    if (entity == NULL)
        jd_fail(err, STORE_MEMORY, 0, "no memory for the unfinished games");
    return entity;
}

static bool is_wanted(StoreStmt *open, const StoreShards *shards) {
    StoreId id;
    return shards == NULL || !store_id(store_column_text(open, 0), &id) ||
           store_shards_has(shards, store_shard_of(&id));
}

bool entities_load_open(Entities *entities, StoreDb *db, const StoreShards *shards, int64_t *from,
                        JdErr *err) {
    StoreStmt *open = db_query(db, STORE_Q_OPEN_ALL);
    StoreStep step = STORE_STEP_DONE;
    bool ok = true;
    while (ok && (step = store_step(open, err)) == STORE_STEP_ROW) {
        if (!is_wanted(open, shards))
            continue;
        Entity *entity = add_open(entities, open, db->path, err);
        if (entity == NULL) {
            ok = false;
            break;
        }
        if (!store_column_is_null(open, 1) && store_column_int(open, 1) < *from)
            *from = store_column_int(open, 1);
        entity->has_record = !store_column_is_null(open, 2);
        if (entity->has_record)
            ok = record_last_seq(store_column_blob(open, 2), &entity->id, &entity->last_seq, err);
    }
    store_done(open);
    return ok && step == STORE_STEP_DONE;
}

// The events that no record holds yet: an open entity's, with a seq its record has not reached.
static bool load_tail(Entities *entities, StoreDb *db, int64_t from, JdErr *err) {
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
        if (!entities_append(entities, entity, event.arrival))
            ok = jd_fail(err, STORE_MEMORY, 0, "no memory for the unfinished games");
    }
    store_done(tail);
    return ok && step == STORE_STEP_DONE;
}

bool entities_load(Entities *entities, StoreDb *db, const StoreShards *shards, JdErr *err) {
    entities_clear(entities);
    entities->block_end = INT64_MAX;
    StoreStmt *last = db_query(db, STORE_Q_LAST_ARRIVAL);
    const bool found = store_step(last, err) == STORE_STEP_ROW;
    if (found)
        entities->next_arrival = store_column_int(last, 0) + 1;
    store_done(last);
    int64_t from = INT64_MAX;
    return found && entities_load_open(entities, db, shards, &from, err) &&
           (from == INT64_MAX || load_tail(entities, db, from, err));
}
