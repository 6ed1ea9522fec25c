// SPDX-License-Identifier: GPL-3.0-or-later
//
// What people asked for, held against what came of it: no move is made that its player did not ask
// for at that ply, and what is said at a game is kept, once, in its order.
#include "sim.h"

// ---- moves --------------------------------------------------------------------------------------

void asked_move(Sim *s, const SimCommand *command) {
    const LiveCommand *c = &command->command;
    if ((c->kind != LIVE_MOVE && c->kind != LIVE_PREMOVE) || command->uci[0] == '\0')
        return;
    s->wishes = sim_grow(s->wishes, s->wish_count, &s->wish_capacity, sizeof(*s->wishes));
    Wish *wish = &s->wishes[s->wish_count++];
    *wish = (Wish) {
        .game = c->id, .account = c->account, .ply = c->ply, .early = c->kind == LIVE_PREMOVE
    };
    memcpy(wish->uci, command->uci, sizeof(wish->uci));
}

void asked_made(Sim *s, const Entity *entity, const LawsGame *before, const LawsEvent *event) {
    char uci[CHESS_UCI_SIZE];
    (void)chess_uci_write(&before->position, event->move, uci);
    bool early = false;
    bool found = false;
    for (size_t i = s->wish_count; i-- > 0;) {
        const Wish *wish = &s->wishes[i];
        if (wish->ply != before->ply_count || strcmp(wish->uci, uci) != 0 ||
            wish->account != entity->players[event->actor] ||
            !live_id_equal(&wish->game, &entity->id))
            continue;
        found = true;
        early = wish->early;
        if (!early)
            break;
    }
    if (!found)
        sim_fail(s, "game %s: nobody asked for %s at ply %u", entity->id.text, uci,
                 before->ply_count);
    s->count.premoves += early;
}

// ---- lines --------------------------------------------------------------------------------------

static Line *find_line(Sim *s, const LiveId *game, uint64_t number) {
    for (size_t i = s->db.line_count; i-- > 0;)
        if (s->db.lines[i].number == number && live_id_equal(&s->db.lines[i].game, game))
            return &s->db.lines[i];
    return NULL;
}

uint64_t asked_line_number(const LiveSaid *said) {
    char text[32];
    snprintf(text, sizeof text, "%.*s", JD_PRINT(said->text));
    return strtoull(text, NULL, 10);
}

void asked_kept(Sim *s, const Node *node, const LiveEffect *effect) {
    Db *db = &s->db;
    const Entity *entity = db_find(s, &effect->id);
    const uint64_t number = asked_line_number(effect->chat.said);
    SIM_CHECK(s, entity != NULL && db->shards[entity->shard].owner == node->index);
    if (find_line(s, &effect->id, number) != NULL)
        sim_fail(s, "game %s: a line is kept twice", effect->id.text);
    for (size_t i = 0; i < db->line_count; i++)
        if (live_id_equal(&db->lines[i].game, &effect->id) && db->lines[i].seq >= effect->chat.seq)
            sim_fail(s, "game %s: line %llu is kept after %llu", effect->id.text,
                     (unsigned long long)effect->chat.seq, (unsigned long long)db->lines[i].seq);
    db->lines = sim_grow(db->lines, db->line_count, &db->line_capacity, sizeof(*db->lines));
    db->lines[db->line_count++] = (Line) { effect->id, effect->chat.seq, number, false };
    s->count.lines++;
}

void asked_told(Sim *s, const LiveId *game, uint64_t number) {
    Line *line = find_line(s, game, number);
    if (line == NULL)
        sim_fail(s, "game %s: a line was told that is not kept", game->text);
    line->told = true;
}

void asked_crashed(Sim *s) {
    Db *db = &s->db;
    for (size_t i = db->lines_synced; i < db->line_count; i++)
        if (db->lines[i].told)
            sim_fail(s, "game %s: a line was told and is lost", db->lines[i].game.text);
    db->line_count = db->lines_synced;
}
