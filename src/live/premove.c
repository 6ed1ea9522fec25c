// SPDX-License-Identifier: GPL-3.0-or-later
//
// One move in advance. It waits here and is made by the server a tenth of a second after
// the opponent's move, by its own clock: so that tenth is what it costs, whatever the network does,
// and no client can be tempted to cheat about it. In the log it is a move like any other.
#include "live/inner.h"

static void tell(Live *live, const Game *game, ChessColor color, bool dropped) {
    LivePremove *premove = fx_take(live->fx, sizeof(*premove));
    premove->ply = game->premoves[color].ply;
    jd_copy(premove->uci, game->premoves[color].uci, sizeof(premove->uci));
    premove->dropped = dropped;
    LiveMessage *message = fx_message(live->fx, LIVE_MSG_PREMOVE, 0);
    message->id = game->fold.id;
    message->premove = premove;
    game_send(live, game, color, message);
}

static void forget(Live *live, Game *game, ChessColor color, bool dropped) {
    if (game->premoves[color].uci[0] == '\0')
        return;
    jd_zero(&game->premoves[color], sizeof(game->premoves[color]));
    tell(live, game, color, dropped);
}

// Two different squares and perhaps a piece; whether it is legal is asked when its turn has come.
static bool looks_like_a_move(JdStr uci) {
    if (uci.size != 4 && uci.size != 5)
        return false;
    for (size_t i = 0; i < 4; i += 2)
        if (uci.data[i] < 'a' || uci.data[i] > 'h' || uci.data[i + 1] < '1' ||
            uci.data[i + 1] > '8')
            return false;
    if (uci.data[0] == uci.data[2] && uci.data[1] == uci.data[3])
        return false;
    return uci.size == 4 || uci.data[4] == 'q' || uci.data[4] == 'r' || uci.data[4] == 'b' ||
           uci.data[4] == 'n';
}

void premove_set(Live *live, const LiveCommand *command, Game *game, ChessColor color) {
    const LawsGame *laws = &game->fold.laws;
    if (command->uci.size == 0) {
        (void)fx_answer(live->fx, command->origin, LIVE_ANSWER_OK);
        forget(live, game, color, false);
        if (laws->position.side_to_move == color)
            game->premove_due_ms = LIVE_NEVER;
        game_reschedule(live, game);
        return;
    }
    if (fold_has_ended(&game->fold)) {
        game_refuse(live, command, game, laws_refusal_name(LAWS_REFUSED_GAME_OVER), NULL,
                    "the game has ended");
        return;
    }
    if (fold_is_slow(&game->fold) || laws->setup.touch_move) {
        (void)fx_error(live->fx, command->origin, "not_allowed", NULL,
                       "moves in advance are for live games without touch-move");
        return;
    }
    if (laws->position.side_to_move == color || command->ply != laws->ply_count + 1) {
        game_refuse(live, command, game, "stale_ply", "ply", "the game stands at another ply");
        return;
    }
    if (!looks_like_a_move(command->uci)) {
        (void)fx_error(live->fx, command->origin, "bad_request", "uci", "this is no move");
        return;
    }
    Premove *premove = &game->premoves[color];
    jd_zero(premove, sizeof(*premove));
    premove->ply = command->ply;
    jd_copy(premove->uci, command->uci.data, command->uci.size);
    (void)fx_answer(live->fx, command->origin, LIVE_ANSWER_OK);
    tell(live, game, color, false);
}

static bool read_move(const Game *game, ChessMove *out) {
    const ChessColor color = game->fold.laws.position.side_to_move;
    JdErr err;
    return chess_uci_parse(jd_str(game->premoves[color].uci), &game->fold.laws.position, out, &err);
}

void premove_consider(Live *live, Game *game) {
    const LawsGame *laws = &game->fold.laws;
    const ChessColor color = laws->position.side_to_move;
    if (laws->state != LAWS_RUNNING) {
        game->premove_due_ms = LIVE_NEVER;
        if (fold_has_ended(&game->fold)) {
            forget(live, game, CHESS_WHITE, false);
            forget(live, game, CHESS_BLACK, false);
        }
        return;
    }
    if (game->premoves[color].uci[0] == '\0') {
        game->premove_due_ms = LIVE_NEVER;
        return;
    }
    ChessMove move;
    if (game->premoves[color].ply != laws->ply_count || !read_move(game, &move) ||
        fair_forbids_move(live, game, move)) {
        game->premove_due_ms = LIVE_NEVER;
        forget(live, game, color, true);
    } else if (game->premove_due_ms == LIVE_NEVER) {
        game->premove_due_ms = live->now_ms + LIVE_PREMOVE_MS;
    }
}

void premove_make(Live *live, Game *game, JdInstant at) {
    LawsEvent event = { .kind = LAWS_EVENT_MOVE, .actor = game->fold.laws.position.side_to_move };
    const ChessColor color = (ChessColor)event.actor;
    game->premove_due_ms = LIVE_NEVER;
    if (game->fold.laws.state != LAWS_RUNNING || game->premoves[color].uci[0] == '\0' ||
        !read_move(game, &event.move))
        return;
    const ChessPosition before = game->fold.laws.position;
    const uint8_t offer_before = fold_offer(&game->fold);
    game_make_room(live, game);
    const LawsVerdict verdict = game_apply(live, game, &event, at);
    if (verdict.refusal !=
        LAWS_NOT_REFUSED) { // a move he announced binds him, or the record is full
        forget(live, game, color, true);
        return;
    }
    jd_zero(&game->premoves[color], sizeof(game->premoves[color]));
    live->stats.moves++;
    game_project(live, game, true, false);
    game_tell_move(live, game, &before, offer_before);
    tell(live, game, color, false);
    game_tell(live, game, true);
}

void premove_greet(Live *live, const Game *game, const Connection *connection) {
    const uint8_t seat = seat_of(game, connection->account);
    if (seat == LIVE_NO_COLOR || game->premoves[seat].uci[0] == '\0')
        return;
    tell(live, game, (ChessColor)seat, false);
}
