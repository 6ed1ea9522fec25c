// SPDX-License-Identifier: GPL-3.0-or-later
//
// Whom a player follows, and who are friends: a friendship holds when both have said so.
#include <string.h>

#include "pages/internal.h"

typedef struct Wish {
    int64_t account;
    int64_t other;
    PagesRelation kind;
    bool on;
    bool full; // there is no room for another one
    PagesRelated *related;
    JdInstant now;
} Wish;

static bool remove_row(StoreDb *db, int64_t account, int64_t other, PagesRelation kind,
                       JdErr *err) {
    StoreStmt *remove = store_query(db, STORE_RELATION_DELETE);
    store_bind_int(remove, 1, account);
    store_bind_int(remove, 2, kind);
    store_bind_int(remove, 3, other);
    return store_run(remove, NULL, err);
}

static bool has_room(StoreDb *db, Wish *wish, JdErr *err) {
    StoreStmt *count = store_query(db, STORE_RELATION_COUNT);
    store_bind_int(count, 1, wish->account);
    store_bind_int(count, 2, wish->kind);
    store_bind_int(count, 3, wish->other);
    const bool ok = store_step(count, err) == STORE_STEP_ROW;
    wish->full = ok && store_column_int(count, 0) >= PAGES_PEOPLE_MAX;
    store_done(count);
    return ok;
}

// He is told: that somebody would be his friend, or that a friendship holds now. Not by one whom he
// has blocked.
static bool tell_other(StoreDb *db, Wish *wish, JdErr *err) {
    StoreStmt *find = store_query(db, STORE_RELATION_ANSWER);
    store_bind_int(find, 1, wish->account);
    store_bind_int(find, 2, wish->other);
    const StoreStep step = store_step(find, err);
    const bool blocked = step == STORE_STEP_ROW && store_column_int(find, 0) != 0;
    const bool mutual = step == STORE_STEP_ROW && store_column_int(find, 1) != 0;
    store_done(find);
    if (step == STORE_STEP_FAILED)
        return false;
    if (blocked)
        return true;
    const char *kind = mutual ? "friend" : "friend_asks";
    bool rang = false;
    if (!bell_add(db, wish->other, kind, wish->account, wish->now, &rang, err))
        return false;
    *wish->related = (PagesRelated) { wish->other, rang ? kind : NULL };
    return true;
}

static bool apply(StoreDb *db, void *arg, JdErr *err) {
    Wish *wish = arg;
    if (!wish->on) // an end of friendship needs one of two
        return remove_row(db, wish->account, wish->other, wish->kind, err) &&
               (wish->kind != PAGES_FRIEND ||
                remove_row(db, wish->other, wish->account, wish->kind, err));
    if (!has_room(db, wish, err))
        return false;
    if (wish->full)
        return true;
    StoreStmt *insert = store_query(db, STORE_RELATION_INSERT);
    store_bind_int(insert, 1, wish->account);
    store_bind_int(insert, 2, wish->kind);
    store_bind_int(insert, 3, wish->other);
    store_bind_int(insert, 4, wish->now.ms);
    int64_t fresh = 0;
    if (!store_run(insert, &fresh, err))
        return false;
    return fresh == 0 || wish->kind != PAGES_FRIEND || tell_other(db, wish, err);
}

bool pages_relate(PagesWorker *worker, int64_t account, JdStr nick, PagesRelation kind, bool on,
                  JdInstant now, PagesRelated *related, PagesFault *fault) {
    Wish wish = { .account = account, .kind = kind, .on = on, .now = now, .related = related };
    *related = (PagesRelated) { .kind = NULL };
    JdErr err = { 0 };
    if (!player_find(worker, nick, &wish.other, fault))
        return false;
    if (wish.other == account)
        return refuse(fault, PAGES_BAD_REQUEST, "nick", "expected somebody else");
    if (!store_write(worker->pages->config.store, apply, &wish, &err))
        return refuse_store(fault, &err);
    return !wish.full ||
           refuse(fault, PAGES_TOO_MANY_PEOPLE, "nick", "at most %d of a kind", PAGES_PEOPLE_MAX);
}

bool pages_people(PagesWorker *worker, int64_t account, PagesPeople *out, PagesFault *fault) {
    JdErr err = { 0 };
    *out = (PagesPeople) { 0 };
    StoreStmt *find = store_query(worker->db, STORE_RELATIONS_OF);
    store_bind_int(find, 1, account);
    store_bind_int(find, 2, JD_COUNT(out->list));
    while (out->count < JD_COUNT(out->list) && store_step(find, &err) == STORE_STEP_ROW) {
        PagesPerson *person = &out->list[out->count++];
        const JdStr nick = store_column_text(find, 2);
        *person = (PagesPerson) {
            .standing = (uint8_t)store_column_int(find, 0),
            .account = store_column_int(find, 1),
            .hidden = store_column_int(find, 3) != 0,
        };
        JD_ASSERT(nick.size < sizeof person->nick);
        memcpy(person->nick, nick.data, nick.size);
    }
    store_done(find);
    return err.code == 0 || refuse_store(fault, &err);
}

bool people_erase(StoreDb *db, int64_t account, JdErr *err) {
    StoreStmt *clear = store_query(db, STORE_RELATIONS_CLEAR);
    store_bind_int(clear, 1, account);
    return store_run(clear, NULL, err);
}
