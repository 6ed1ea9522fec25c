// SPDX-License-Identifier: GPL-3.0-or-later
//
// Links in letters that work once: a random token in the letter, its hash in the database.
#include <string.h>

#include "pages/internal.h"

#define EXPIRED_AT_ONCE 20 // old rows one new ticket sweeps away

static const struct {
    const char *kind;
    const char *path;
    int64_t life_ms;
} kinds[] = {
    [TICKET_CONFIRM] = { "confirm", "/confirm/", INT64_C(48) * 3600000 }, // S-004
    [TICKET_RECOVER] = { "recover", "/recover/", INT64_C(3600000) },      // S-015
    [TICKET_UNDO] = { "undo", "/undo/", INT64_C(72) * 3600000 },          // S-025
};

static void bind_optional(StoreStmt *stmt, int index, const char *text) {
    if (text != NULL && text[0] != '\0')
        store_bind_text(stmt, index, jd_str(text));
    else
        store_bind_null(stmt, index);
}

bool ticket_make(Pages *pages, StoreDb *db, const Ticket *ticket, JdInstant now,
                 char link[TICKET_LINK_SIZE], JdErr *err) {
    NewSession drawn;
    session_draw(&drawn, false, now);
    StoreStmt *expire = store_query(db, STORE_TICKETS_EXPIRE);
    store_bind_int(expire, 1, now.ms);
    store_bind_int(expire, 2, EXPIRED_AT_ONCE);
    if (!store_run(expire, NULL, err))
        return false;
    StoreStmt *insert = store_query(db, STORE_TICKET_INSERT);
    store_bind_blob(insert, 1, jd_str_n((const char *)drawn.hash, TOKEN_HASH_SIZE));
    store_bind_text(insert, 2, jd_str(kinds[ticket->kind].kind));
    store_bind_int(insert, 3, ticket->account);
    bind_optional(insert, 4, ticket->email);
    bind_optional(insert, 5, ticket->email_key);
    store_bind_int(insert, 6, now.ms);
    store_bind_int(insert, 7, now.ms + kinds[ticket->kind].life_ms);
    jd_format(link, TICKET_LINK_SIZE, "%s%s%s", pages->config.site, kinds[ticket->kind].path,
              drawn.token);
    const bool ok = store_run(insert, NULL, err); // what is bound lives until here
    sodium_memzero(&drawn, sizeof drawn);
    return ok;
}

bool ticket_find(StoreDb *db, const unsigned char hash[TOKEN_HASH_SIZE], JdInstant now, Ticket *out,
                 bool *found, JdErr *err) {
    StoreStmt *find = store_query(db, STORE_TICKET_FIND);
    store_bind_blob(find, 1, jd_str_n((const char *)hash, TOKEN_HASH_SIZE));
    const StoreStep step = store_step(find, err);
    *out = (Ticket) { 0 };
    *found = step == STORE_STEP_ROW && store_column_int(find, 4) > now.ms;
    if (*found) {
        for (size_t i = 0; i < JD_COUNT(kinds); i++)
            if (jd_str_equal(store_column_text(find, 0), jd_str(kinds[i].kind)))
                out->kind = (TicketKind)i;
        out->account = store_column_int(find, 1);
        copy_text(out->email, sizeof out->email, store_column_text(find, 2));
        copy_text(out->email_key, sizeof out->email_key, store_column_text(find, 3));
    }
    store_done(find);
    return step != STORE_STEP_FAILED;
}

bool tickets_drop(StoreDb *db, int64_t account, TicketKind kind, JdErr *err) {
    StoreStmt *drop = store_query(db, STORE_TICKETS_DROP);
    store_bind_int(drop, 1, account);
    store_bind_text(drop, 2, jd_str(kinds[kind].kind));
    return store_run(drop, NULL, err);
}
