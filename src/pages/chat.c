// SPDX-License-Identifier: GPL-3.0-or-later
//
// The chat of a game: what was said, and to whom it is shown; lines as they are kept.
#include <string.h>

#include "pages/internal.h"

// ---- lines --------------------------------------------------------------------------------------

static bool is_blank(int32_t c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == 0xa0 || c == 0x2028 ||
           c == 0x2029;
}

// Blanks of every kind become one space each where they stand together, none at the ends; other
// control characters are refused.
static bool fold_blanks(CodePoints *text) {
    size_t kept = 0;
    for (size_t i = 0; i < text->count; i++) {
        const int32_t c = text->at[i];
        if (is_blank(c)) {
            if (kept > 0 && text->at[kept - 1] != ' ')
                text->at[kept++] = ' ';
        } else if (c < 0x20 || (c >= 0x7f && c < 0xa0) || (c >= 0x202a && c <= 0x202e) ||
                   (c >= 0x2066 && c <= 0x2069)) {
            return false;
        } else {
            text->at[kept++] = c;
        }
    }
    text->count = kept > 0 && text->at[kept - 1] == ' ' ? kept - 1 : kept;
    return true;
}

bool pages_line(JdStr text, size_t characters_max, PagesLine *out, PagesFault *fault) {
    CodePoints points;
    size_t bad = 0;
    if (!jd_utf8_valid(text, &bad))
        return refuse(fault, PAGES_BAD_TEXT, "text", "not UTF-8 at byte %zu", bad);
    // Nothing of that length fits, however it is written.
    if (text.size > (size_t)CODE_POINTS_MAX * 4 || !text_nfc(text, &points))
        return refuse(fault, PAGES_TOO_LONG, "text", "more than %zu characters", characters_max);
    if (!fold_blanks(&points))
        return refuse(fault, PAGES_BAD_TEXT, "text", "a control character or a direction mark");
    if (points.count > characters_max || !text_write(&points, out->text, sizeof(out->text)))
        return refuse(fault, PAGES_TOO_LONG, "text", "%zu characters, expected at most %zu",
                      points.count, characters_max);
    return true;
}

// ---- what was said ------------------------------------------------------------------------------

static bool may_read(const StoreGameRow *game, uint8_t room, int64_t account, PagesFault *fault) {
    if (room == PAGES_ROOM_WATCHERS)
        return true;
    if (account == 0)
        return refuse(fault, PAGES_AUTH_REQUIRED, "", "the two players read this after logging in");
    return account == game->white || account == game->black ||
           refuse(fault, PAGES_FORBIDDEN, "", "only the two players read this");
}

static void copy(char *out, size_t size, JdStr text) {
    JD_ASSERT(text.size < size); // pages_line and the check of nicks saw to it
    memcpy(out, text.size > 0 ? text.data : "", text.size);
    out[text.size] = '\0';
}

static bool read_lines(StoreStmt *find, PagesChat *out, JdErr *err) {
    StoreStep step;
    while ((step = store_step(find, err)) == STORE_STEP_ROW && out->count < PAGES_CHAT_MAX) {
        PagesChatLine *line = &out->lines[out->count++];
        line->seq = store_column_int(find, 0);
        line->account = store_column_int(find, 1);
        line->time_ms = store_column_int(find, 2);
        copy(line->text, sizeof(line->text), store_column_text(find, 3));
        copy(line->nick, sizeof(line->nick), store_column_text(find, 4));
    }
    store_done(find);
    return step != STORE_STEP_FAILED;
}

bool pages_chat(PagesWorker *worker, const PagesChatAsk *ask, PagesChat *out, PagesFault *fault) {
    StoreId id;
    StoreGameRow game;
    bool found = false;
    JdErr err = { 0 };
    *out = (PagesChat) { 0 };
    if (store_id(ask->game, &id) && !store_game_row(worker->db, &id, &game, &found, &err))
        return refuse_store(fault, &err);
    if (!found)
        return refuse(fault, PAGES_NOT_FOUND, "", "there is no such game");
    if (!may_read(&game, ask->room, ask->account, fault))
        return false;
    out->white = game.white;
    out->black = game.black;
    StoreStmt *find = store_query(worker->db, STORE_CHAT_LINES);
    store_bind_text(find, 1, store_id_str(&id));
    store_bind_int(find, 2, ask->room);
    store_bind_int(find, 3, ask->before > 0 ? ask->before : INT64_MAX);
    store_bind_int(find, 4, PAGES_CHAT_MAX);
    return read_lines(find, out, &err) || refuse_store(fault, &err);
}
