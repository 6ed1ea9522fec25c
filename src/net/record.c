// SPDX-License-Identifier: GPL-3.0-or-later
//
// From game_record to what people are shown.
#include "net/record.h"

#include <stdlib.h>
#include <string.h>

#include "net/shell.h"

// Room for one more of size bytes; the bodies may move, so events hold offsets until all are there.
static bool room(NetEvents *events, size_t size) {
    if (events->count == events->capacity) {
        const size_t capacity = events->capacity == 0 ? 128 : events->capacity * 2;
        LiveLogEvent *wider = realloc(events->list, capacity * sizeof(*wider));
        if (wider == NULL)
            return false;
        events->list = wider;
        events->capacity = capacity;
    }
    if (events->bodies_capacity - events->bodies_size < size) {
        const size_t capacity = events->bodies_capacity * 2 + size + 4096;
        unsigned char *wider = realloc(events->bodies, capacity);
        if (wider == NULL)
            return false;
        events->bodies = wider;
        events->bodies_capacity = capacity;
    }
    return true;
}

static bool each_event(void *context, const StoreEvent *event) {
    NetEvents *events = context;
    LiveId id;
    if (!room(events, event->body.size) || !live_id_parse(store_id_str(&event->id), &id)) {
        events->failed = true;
        return false;
    }
    events->list[events->count++] = (LiveLogEvent) {
        .id = id,
        .seq = event->seq,
        .at = { event->time_ms },
        .actor = event->actor,
        .kind = (uint8_t)event->kind,
        .body_size = event->body.size,
    };
    jd_copy(events->bodies + events->bodies_size, event->body.data, event->body.size);
    events->bodies_size += event->body.size;
    return true;
}

static void place_bodies(NetEvents *events) {
    size_t at = 0;
    for (size_t i = 0; i < events->count; i++) {
        events->list[i].body = events->bodies + at;
        at += events->list[i].body_size;
    }
}

// ---- what went wrong ----------------------------------------------------------------------------

static bool refused(JdErr *err, bool may_pass) {
    err->code = may_pass ? NET_RECORD_AWAY : NET_RECORD_BAD;
    return false;
}

static bool pages_refused(const PagesFault *fault, JdErr *err) {
    *err = fault->err;
    return refused(err, fault->err.code == PAGES_UNAVAILABLE);
}

static bool store_refused(JdErr *err) {
    return refused(err, err->code == STORE_FULL || err->code == STORE_IO ||
                            err->code == STORE_CLOSING || err->code == STORE_MEMORY);
}

void net_record_fault(const JdErr *err, NetError *out) {
    if (err->code == NET_RECORD_AWAY) // where the database lies is the operator's business
        net_fail(out, "unavailable", NULL, "the server cannot do that now; try again");
    else
        net_fail(out, "internal", NULL, "%s", err->text);
}

// ---- reading ------------------------------------------------------------------------------------

static bool name_seats(NetWorkerKit *kit, LiveGameView *game, JdErr *err) {
    const int64_t accounts[2] = { game->row.seats[0].account, game->row.seats[1].account };
    PagesNick nicks[2];
    PagesFault fault = { 0 };
    if (!pages_nicks(kit->pages, accounts, 2, nicks, &fault))
        return pages_refused(&fault, err);
    for (int color = 0; color < 2; color++)
        jd_format(game->row.seats[color].nick, sizeof(game->row.seats[color].nick), "%s",
                  nicks[color].text);
    return true;
}

// S-061: the ratings of the list as they are now; and what the game did to them.
static bool rate_seats(NetWorkerKit *kit, LiveGameView *game, JdErr *err) {
    PagesFault fault = { 0 };
    for (int color = 0; color < 2; color++) {
        LiveSeat *seat = &game->row.seats[color];
        PagesRatings ratings;
        if (!pages_ratings(kit->pages, seat->account, &ratings, &fault))
            return pages_refused(&fault, err);
        const RatingPlayer *standing =
            &ratings.lists[live_list(game->row.type, &game->row.control)];
        seat->rating = standing->rating;
        seat->provisional = rating_is_provisional(standing->games);
    }
    StoreId id;
    if (!store_id(jd_str(game->row.id.text), &id) ||
        !pages_rated_game(kit->pages, &id, game->ratings.change, &game->has_ratings, &fault))
        return pages_refused(&fault, err);
    return true;
}

static bool decode(NetWorkerKit *kit, NetEvents *events, JdInstant now, NetRecord *out,
                   JdErr *err) {
    out->memory_size = live_game_decode_size(events->count);
    out->memory = malloc(out->memory_size);
    if (out->memory == NULL)
        return jd_fail(err, NET_RECORD_AWAY, 0, "no memory to read a game");
    JdArena arena = jd_arena(out->memory, out->memory_size);
    if (!live_game_decode(events->list, events->count, now, &arena, &out->game, err))
        return refused(err, false);
    return name_seats(kit, &out->game, err) && rate_seats(kit, &out->game, err);
}

bool net_events_read(NetWorkerKit *kit, const LiveId *id, NetEvents *out, bool *found, JdErr *err) {
    StoreId key;
    *out = (NetEvents) { .list = NULL };
    *found = false;
    if (!store_id(jd_str(id->text), &key))
        return jd_fail(err, NET_RECORD_BAD, 0, "no id of a game");
    const bool ok = store_entity_events(kit->db, &key, each_event, out, found, err);
    if (out->failed)
        return jd_fail(err, NET_RECORD_AWAY, 0, "no memory to read a game");
    place_bodies(out);
    *found = *found && out->count > 0;
    return ok || store_refused(err);
}

void net_events_free(NetEvents *events) {
    free(events->list);
    free(events->bodies);
    *events = (NetEvents) { .list = NULL };
}

bool net_record_read(NetWorkerKit *kit, const LiveId *id, JdInstant now, NetRecord *out,
                     bool *found, JdErr *err) {
    *out = (NetRecord) { .memory = NULL };
    *found = false;
    StoreId key;
    StoreGameRow row;
    bool has_row = false;
    if (!store_id(jd_str(id->text), &key))
        return jd_fail(err, NET_RECORD_BAD, 0, "no id of a game");
    if (!store_game_row(kit->db, &key, &row, &has_row, err))
        return store_refused(err);
    if (!has_row || row.ended_ms == 0)
        return true;
    NetEvents events;
    const bool ok = net_events_read(kit, id, &events, found, err) &&
                    (!*found || decode(kit, &events, now, out, err));
    net_events_free(&events);
    if (!ok)
        net_record_free(out);
    return ok;
}

void net_record_free(NetRecord *record) {
    free(record->memory);
    record->memory = NULL;
}

// ---- rulings ------------------------------------------------------------------------------------

static bool overrule(const NetEvents *events, const uint8_t halves[2], JdStr reason, JdInstant now,
                     NetRuling *out, JdErr *err) {
    const size_t size = live_game_decode_size(events->count) + LAWS_EVENT_BODY_SIZE + 16;
    out->memory = malloc(size);
    if (out->memory == NULL)
        return jd_fail(err, NET_RECORD_AWAY, 0, "no memory to read a game");
    JdArena arena = jd_arena(out->memory, size);
    LiveLogEvent entry;
    LiveGameRow row;
    if (!live_game_overrule(events->list, events->count, halves, reason, now, &arena, &entry, &row,
                            err))
        return false;
    out->row = net_store_row(&row);
    out->event = (StoreEvent) {
        .id = out->row.id,
        .seq = entry.seq,
        .kind = entry.kind,
        .actor = entry.actor,
        .time_ms = entry.at.ms,
        .body = jd_str_n((const char *)entry.body, entry.body_size),
    };
    return true;
}

bool net_record_overrule(NetWorkerKit *kit, const LiveId *id, const uint8_t halves[2], JdStr reason,
                         JdInstant now, NetRuling *out, JdErr *err) {
    memset(out, 0, sizeof(*out));
    StoreId key;
    bool found = false;
    if (!store_id(jd_str(id->text), &key) ||
        !store_game_row(kit->db, &key, &out->before, &found, err))
        return false;
    if (!found)
        return jd_fail(err, 1, 0, "there is no game %s", id->text);
    if (out->before.ended_ms == 0)
        return jd_fail(err, 1, 0, "game %s has not ended", id->text);
    NetEvents events;
    const bool ok = net_events_read(kit, id, &events, &found, err) &&
                    overrule(&events, halves, reason, now, out, err);
    net_events_free(&events);
    return ok;
}

void net_ruling_free(NetRuling *ruling) {
    free(ruling->memory);
    ruling->memory = NULL;
}
