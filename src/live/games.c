// SPDX-License-Identifier: GPL-3.0-or-later
//
// The commands of players in a game. The Laws decide; this file finds who speaks, asks them, and
// tells what happened.
#include "live/inner.h"

// ---- games as objects ---------------------------------------------------------------------------

Game *game_find(const Live *live, const LiveId *id) {
    return table_find(&live->games, key_of_id(id));
}

Game *game_create(Live *live, const LiveId *id, const GameBirth *birth, JdInstant at) {
    Game *game = mem_take(&live->memory, sizeof(*game));
    fold_begin(&game->fold, id, birth, at, NULL, 0);
    game->due.owner = DUE_GAME;
    ring_open(&game->notes, sizeof(GameNote), LIVE_GAME_RING);
    for (int color = 0; color < 2; color++) {
        Account *player = account_get(live, birth->players[color], JD_STR(""));
        player->uses++;
        list_add(&player->games, &live->memory, game);
        game->players[color] = player;
        game->loaded[color] = level_of(live, birth->players[color]) != 0;
        game->left_ms[color] = LIVE_NEVER;
        game->away_since_ms[color] = at.ms;
    }
    game->start_by_ms = at.ms + LIVE_START_MS;
    game->empty_since_ms = at.ms;
    game->shown.abandon_claim_at_ms = LIVE_NEVER;
    game->presence_due_ms = LIVE_NEVER;
    game->premove_due_ms = LIVE_NEVER;
    game->ask_again_ms = LIVE_NEVER;
    game->verdict_by_ms = LIVE_NEVER;
    table_put(&live->games, &live->memory, key_of_id(id), game);
    live->stats.games_running++;
    return game;
}

// The game has ended and nobody follows it.
void game_free(Live *live, Game *game) {
    heap_set(&live->due, &live->memory, &game->due, LIVE_NEVER);
    table_remove(&live->games, key_of_id(&game->fold.id));
    ring_free(&game->notes, &live->memory);
    mem_give(&live->memory, game->fold.laws.plies, game->fold.laws.ply_capacity * sizeof(LawsPly));
    for (int color = 0; color < 2; color++) {
        game->players[color]->uses--;
        account_let_go(live, game->players[color]);
    }
    mem_give(&live->memory, game, sizeof(*game));
}

void game_forget(Live *live, Game *game) {
    if (!fold_has_ended(&game->fold)) {
        live->stats.games_running--;
        for (int color = 0; color < 2; color++)
            list_remove(&game->players[color]->games, game);
    }
    if (game->seq > live->seq_floor)
        live->seq_floor = game->seq;
    game_free(live, game);
}

static void fill_seat(const Game *game, int color, LiveSeat *out) {
    const Account *player = game->players[color];
    const RatingPlayer *standing = &player->lists[fold_list(&game->fold)];
    jd_copy(out->nick, player->nick, LIVE_NICK_SIZE);
    out->rating = standing->rating;
    out->provisional = rating_is_provisional(standing->games);
}

void game_fill_row(const Live *live, const Game *game, LiveGameRow *out) {
    fold_row(&game->fold, out);
    for (int color = 0; color < 2; color++) {
        fill_seat(game, color, &out->seats[color]);
        out->seats[color].online = game->players[color]->connection_count > 0 ||
                                   level_of(live, game->players[color]->number) > 0;
    }
}

LiveGameView *game_view(Live *live, const Game *game) {
    LiveGameView *view = fx_take(live->fx, sizeof(*view));
    LiveMoveRow *moves = fx_take(live->fx, game->fold.laws.ply_count * sizeof(*moves));
    fold_move_rows(&game->fold, moves);
    fold_view(&game->fold, now_of(live), moves, view);
    const LivePresence presence = presence_now(live, game);
    for (int color = 0; color < 2; color++) {
        fill_seat(game, color, &view->row.seats[color]);
        view->row.seats[color].online = presence.online[color];
    }
    view->seq = game->seq;
    view->spectators = presence.spectators;
    view->abandon_claim_at_ms = presence.abandon_claim_at_ms;
    view->has_ratings = game->has_ratings;
    view->ratings = game->ratings;
    return view;
}

void game_send(Live *live, const Game *game, ChessColor color, const LiveMessage *message) {
    const Account *player = game->players[color];
    for (size_t i = 0; i < player->connection_count; i++) {
        const Connection *connection = player->connections[i];
        for (size_t f = 0; f < connection->follow_count; f++)
            if (connection->follows[f].game == game)
                fx_send(live->fx, connection->number, message);
    }
}

void game_log_note(Live *live, Game *game, LiveEventKind kind, uint8_t actor, uint8_t value) {
    const LiveLogEvent entry = {
        .id = game->fold.id,
        .seq = ++game->fold.last_seq,
        .at = now_of(live),
        .actor = actor,
        .kind = (uint8_t)kind,
        .body = &value,
        .body_size = 1,
    };
    fx_log(live->fx, &entry);
}

// The players' new ratings have come by ACCOUNT_PROFILE, before this.
void game_rated(Live *live, const LiveCommand *command) {
    Game *game = game_find(live, &command->id);
    if (game == NULL || !fold_has_ended(&game->fold))
        return;
    game->has_ratings = command->ratings != NULL;
    if (command->ratings == NULL) {
        jd_zero(&game->ratings, sizeof(game->ratings));
        game_note_state(live, game);
        return;
    }
    game->ratings = *command->ratings;
    GameNote note;
    jd_zero(&note, sizeof(note));
    note.kind = LIVE_MSG_RATED;
    note.rated = *command->ratings;
    game_note(live, game, &note, NULL);
}

// S-104: the log of a game that is over is closed to live; what was added to it there is repeated
// here, for those who still look at the board.
void game_overruled(Live *live, const LiveCommand *command) {
    Game *game = game_find(live, &command->id);
    JdErr err = { 0 };
    if (game != NULL && fold_has_ended(&game->fold) &&
        fold_replay(&game->fold, command->entry, &err))
        game_note_state(live, game);
    const LiveAccount players[2] = { command->account, command->to };
    for (int i = 0; i < 2; i++) {
        Account *account = account_find(live, players[i]);
        if (account != NULL)
            me_note_id(live, account, LIVE_MSG_CORRECTED, &command->id);
    }
}

// ---- answers ------------------------------------------------------------------------------------

// A client that is refused is in doubt, so the full state goes with the refusal.
LiveAnswer *game_refuse(Live *live, const LiveCommand *command, const Game *game, const char *code,
                        const char *field, const char *text) {
    LiveAnswer *answer = fx_error(live->fx, command->origin, code, field, "%s", text);
    LiveGameView *view = game_view(live, game);
    if (command->origin.connection == 0) {
        answer->game = view;
        return answer;
    }
    LiveMessage *message = fx_message(live->fx, LIVE_MSG_GAME, game->seq);
    message->id = game->fold.id;
    message->game = view;
    fx_send(live->fx, command->origin.connection, message);
    return answer;
}

void game_refuse_by_laws(Live *live, const LiveCommand *command, const Game *game,
                         LawsVerdict verdict) {
    const char *code = laws_refusal_name((LawsRefusal)verdict.refusal);
    char text[JD_ERR_TEXT_SIZE];
    (void)jd_format(text, sizeof(text), "refused: %s%s%s", code,
                    verdict.article[0] != '\0' ? ", Article " : "", verdict.article);
    LiveAnswer *answer = game_refuse(live, command, game, code, NULL, text);
    jd_copy(answer->article, verdict.article, sizeof(answer->article));
}

// A connection hears of its success before the rest of the world does; an HTTP request gets the
// game with all of its messages counted, so afterwards.
void game_acknowledge(Live *live, const LiveCommand *command, const Game *game, bool claim_wrong,
                      bool is_told) {
    const bool by_request = command->origin.connection == 0;
    if (by_request != is_told)
        return;
    LiveAnswer *answer = fx_answer(live->fx, command->origin, LIVE_ANSWER_ACK);
    answer->id = game->fold.id;
    answer->ply = game->fold.laws.ply_count;
    answer->claim_wrong = claim_wrong;
    if (by_request)
        answer->game = game_view(live, game);
}

// ---- moves --------------------------------------------------------------------------------------

void game_tell_move(Live *live, Game *game, const ChessPosition *before, uint8_t offer_before) {
    const LawsGame *laws = &game->fold.laws;
    game->touches = 0;
    ChessPosition pos = *before;
    LiveMoveRow row;
    jd_zero(&row, sizeof(row));
    fold_move_row(&pos, &laws->plies[laws->ply_count - 1], &row);
    GameNote note;
    jd_zero(&note, sizeof(note));
    note.kind = LIVE_MSG_MOVED;
    note.moved.ply = laws->ply_count;
    note.moved.check = chess_is_check(&laws->position);
    note.moved.clocks = fold_clocks(&game->fold, now_of(live));
    note.moved.first_move_by_ms = game->fold.first_move_by_ms;
    game_note(live, game, &note, &row);
    // A move declines the opponent's offer without a word.
    const uint8_t mover = before->side_to_move;
    if (offer_before != LIVE_NO_COLOR && offer_before != mover && !fold_has_ended(&game->fold)) {
        jd_zero(&note, sizeof(note));
        note.kind = LIVE_MSG_OFFER;
        note.offer.offer = fold_offer(&game->fold);
        note.offer.by = mover;
        note.offer.act = LIVE_OFFER_DECLINED;
        game_note(live, game, &note, NULL);
    }
}

// Reads the move of a command. Malformed text is answered here (false); a move that is illegal now
// becomes CHESS_NO_MOVE, which the Laws refuse in their own order of reasons.
static bool read_move(Live *live, const LiveCommand *command, const Game *game, ChessMove *out) {
    JdErr err = { 0 };
    *out = CHESS_NO_MOVE;
    if (chess_uci_parse(command->uci, &game->fold.laws.position, out, &err)) {
        if (!fair_forbids_move(live, game, *out))
            return true;
        game_refuse(live, command, game, "fair_play", "uci",
                    "the position after it is being played between people");
        return false;
    }
    *out = CHESS_NO_MOVE;
    if (err.code != CHESS_MOVE_MALFORMED)
        return true;
    (void)fx_error(live->fx, command->origin, "bad_request", "uci", "%s", err.text);
    return false;
}

// Old or repeated commands; answered here.
bool game_is_stale(Live *live, const LiveCommand *command, const Game *game) {
    if (fold_has_ended(&game->fold)) {
        game_refuse(live, command, game, laws_refusal_name(LAWS_REFUSED_GAME_OVER), NULL,
                    "the game has ended");
        return true;
    }
    if (command->ply == game->fold.laws.ply_count)
        return false;
    game_refuse(live, command, game, "stale_ply", "ply", "the game stands at another ply");
    return true;
}

static void on_move(Live *live, const LiveCommand *command, Game *game, ChessColor color) {
    LawsEvent event = {
        .kind = LAWS_EVENT_MOVE,
        .actor = (uint8_t)color,
        .offer = command->draw != 0,
        .span_ms =
            command->delay_ms < LAWS_CREDIT_MOVE_MS ? command->delay_ms : LAWS_CREDIT_MOVE_MS,
    };
    if (game_is_stale(live, command, game) || !read_move(live, command, game, &event.move))
        return;
    const ChessPosition before = game->fold.laws.position;
    const uint8_t offer_before = fold_offer(&game->fold);
    game_make_room(live, game);
    const LawsVerdict verdict = game_apply(live, game, &event, now_of(live));
    if (verdict.refusal != LAWS_NOT_REFUSED) {
        game_refuse_by_laws(live, command, game, verdict);
        return;
    }
    // A move made by hand leaves nothing of one made in advance.
    jd_zero(&game->premoves[color], sizeof(game->premoves[color]));
    live->stats.moves++;
    game_project(live, game, true, false);
    game_acknowledge(live, command, game, false, false);
    game_tell_move(live, game, &before, offer_before);
    game_tell(live, game, true);
    vacation_moved(live, game, color);
    game_acknowledge(live, command, game, false, true);
}

// ---- draws --------------------------------------------------------------------------------------

void game_tell_offer(Live *live, Game *game, ChessColor by, LiveOfferAct act,
                     const LawsVerdict *verdict, int64_t bonus_ms) {
    GameNote note;
    jd_zero(&note, sizeof(note));
    note.kind = LIVE_MSG_OFFER;
    note.offer.offer = fold_offer(&game->fold);
    note.offer.by = (uint8_t)by;
    note.offer.act = (uint8_t)act;
    note.offer.bonus_ms = bonus_ms;
    jd_copy(note.offer.article, verdict->article, sizeof(note.offer.article));
    if (game->fold.laws.bound_move != CHESS_NO_MOVE)
        (void)chess_uci_write(&game->fold.laws.position, game->fold.laws.bound_move,
                              note.offer.bound_move);
    game_note(live, game, &note, NULL);
}

// Events with one answer and no more to it: offers, resignations, flags.
void game_plain(Live *live, const LiveCommand *command, Game *game, const LawsEvent *event,
                LiveOfferAct act) {
    const LawsVerdict verdict = game_apply(live, game, event, now_of(live));
    if (verdict.refusal != LAWS_NOT_REFUSED) {
        game_refuse_by_laws(live, command, game, verdict);
        return;
    }
    game_project(live, game, true, false);
    game_acknowledge(live, command, game, verdict.claim_wrong, false);
    if (!fold_has_ended(&game->fold) && (verdict.changed & LAWS_CHANGED_OFFER))
        game_tell_offer(live, game, (ChessColor)event->actor, act, &verdict, 0);
    // Both flags were down in an earlier period: the next ones have begun.
    if (!fold_has_ended(&game->fold) && (verdict.changed & LAWS_CHANGED_CLOCK))
        game_tell_clock(live, game);
    game_tell(live, game, true);
    game_acknowledge(live, command, game, verdict.claim_wrong, true);
}

// S-070: a right claim ends the game; a wrong one is an offer, costs what the edition says, and the
// move that was set up is played.
static void on_claim(Live *live, const LiveCommand *command, Game *game, ChessColor color) {
    LawsEvent event = { .kind = LAWS_EVENT_CLAIM_DRAW, .actor = (uint8_t)color };
    LawsGame *laws = &game->fold.laws;
    if (command->act == LIVE_DRAW_CLAIM_WITH) {
        if (!read_move(live, command, game, &event.move))
            return;
        // The editions without Article 9.6.2 know no end of the game: the record has one.
        if (laws->ply_count >= CHESS_GAME_PLIES_MAX) {
            game_refuse(live, command, game, laws_refusal_name(LAWS_REFUSED_RECORD_FULL), NULL,
                        "the record of the game is full");
            return;
        }
        if (event.move == CHESS_NO_MOVE && laws->position.side_to_move == color) {
            game_refuse(live, command, game, laws_refusal_name(LAWS_REFUSED_ILLEGAL_MOVE), "uci",
                        "the intended move is not legal");
            return;
        }
    }
    const JdInstant now = now_of(live);
    const ChessPosition before = laws->position;
    const int64_t other_before = laws_clock_reading(laws, chess_other(color), now);
    const LawsVerdict verdict = game_apply(live, game, &event, now);
    if (verdict.refusal != LAWS_NOT_REFUSED) {
        game_refuse_by_laws(live, command, game, verdict);
        return;
    }
    const int64_t bonus_ms = laws_clock_reading(laws, chess_other(color), now) - other_before;
    const uint8_t offer = fold_offer(&game->fold);
    const bool plays = verdict.claim_wrong && event.move != CHESS_NO_MOVE;
    if (plays) {
        const LawsEvent move = { .kind = LAWS_EVENT_MOVE,
                                 .actor = event.actor,
                                 .move = event.move };
        game_make_room(live, game);
        const LawsVerdict made = game_apply(live, game, &move, now);
        // It is legal, and there is room for it.
        JD_ASSERT(made.refusal == LAWS_NOT_REFUSED);
        live->stats.moves++;
    }
    game_project(live, game, true, false);
    game_acknowledge(live, command, game, verdict.claim_wrong, false);
    if (verdict.claim_wrong) {
        game_tell_offer(live, game, color, LIVE_OFFER_CLAIM_WRONG, &verdict, bonus_ms);
        if (plays)
            game_tell_move(live, game, &before, offer);
        else if (bonus_ms != 0)
            game_tell_clock(live, game);
    }
    game_tell(live, game, true);
    if (plays)
        vacation_moved(live, game, color);
    game_acknowledge(live, command, game, verdict.claim_wrong, true);
}

static void on_draw(Live *live, const LiveCommand *command, Game *game, ChessColor color) {
    LawsEvent event = { .actor = (uint8_t)color };
    if (game_is_stale(live, command, game))
        return;
    switch (command->act) {
    case LIVE_DRAW_OFFER:
        event.kind = LAWS_EVENT_OFFER;
        game_plain(live, command, game, &event, LIVE_OFFERED);
        return;
    case LIVE_DRAW_ACCEPT:
        event.kind = LAWS_EVENT_ACCEPT;
        game_plain(live, command, game, &event, LIVE_OFFERED);
        return;
    case LIVE_DRAW_DECLINE:
        event.kind = LAWS_EVENT_DECLINE;
        game_plain(live, command, game, &event, LIVE_OFFER_DECLINED);
        return;
    case LIVE_DRAW_CLAIM:
    case LIVE_DRAW_CLAIM_WITH:
        on_claim(live, command, game, color);
        return;
    default:
        (void)fx_error(live->fx, command->origin, "bad_request", "act",
                       "expected offer, accept, decline, claim or claim_with");
    }
}

// ---- the rest -----------------------------------------------------------------------------------

// a house rule of live games.
static void on_abandon(Live *live, const LiveCommand *command, Game *game, ChessColor color) {
    const ChessColor other = chess_other(color);
    if (fold_is_slow(&game->fold)) {
        game_refuse(live, command, game, laws_refusal_name(LAWS_REFUSED_NOT_ALLOWED), NULL,
                    "nobody has to be present in a game by days");
        return;
    }
    const bool running = game->fold.laws.state == LAWS_RUNNING;
    const int64_t from_ms = game->away_since_ms[other] + fold_abandon_ms(&game->fold);
    if (running &&
        (game->seat_follows[other] > 0 || live->now_ms < from_ms || is_against_computer(game))) {
        game_refuse(live, command, game, "not_abandoned", NULL,
                    "the opponent has not left for so long");
        return;
    }
    const LawsEvent event = {
        .kind = LAWS_EVENT_ABANDONED,
        .actor = LAWS_SERVER,
        .side = (uint8_t)other,
        .draw = command->draw != 0,
    };
    game_plain(live, command, game, &event, LIVE_OFFERED);
}

static void on_player(Live *live, const LiveCommand *command, Game *game, ChessColor color) {
    LawsEvent event = { .actor = (uint8_t)color };
    presence_sign(live, game, color);
    if (command->kind == LIVE_TAKE_BACK) {
        computer_take_back(live, command, game, color);
    } else if (command->kind == LIVE_HINT) {
        computer_hint(live, command, game, color);
    } else if (command->kind == LIVE_MOVE) {
        on_move(live, command, game, color);
    } else if (command->kind == LIVE_SAY) {
        chat_say(live, command, game);
    } else if (command->kind == LIVE_CHAT_SWITCH) {
        chat_switch(live, command, game, color);
    } else if (command->kind == LIVE_TOUCH || command->kind == LIVE_ADJUST) {
        board_touch(live, command, game, color);
    } else if (command->kind == LIVE_CLAIM_TOUCH) {
        board_claim_touch(live, command, game, color);
    } else if (command->kind == LIVE_PREMOVE) {
        premove_set(live, command, game, color);
    } else if (command->kind == LIVE_FLAG) {
        board_flag(live, command, game, color);
    } else if (command->kind == LIVE_DRAW) {
        on_draw(live, command, game, color);
    } else if (command->kind == LIVE_ABANDON) {
        on_abandon(live, command, game, color);
    } else {
        event.kind = command->kind == LIVE_RESIGN ? LAWS_EVENT_RESIGN : LAWS_EVENT_ABORT;
        game_plain(live, command, game, &event, LIVE_OFFERED);
    }
}

void game_command(Live *live, const LiveCommand *command) {
    Game *game = game_find(live, &command->id);
    if (game == NULL) {
        (void)fx_error(live->fx, command->origin, "not_found", "game", "game %s is not in memory",
                       command->id.text);
        return;
    }
    if (command->kind == LIVE_QUERY_GAME) {
        LiveAnswer *answer = fx_answer(live->fx, command->origin, LIVE_ANSWER_GAME);
        answer->id = game->fold.id;
        answer->game = game_view(live, game);
        return;
    }
    if (command->account == 0) {
        (void)fx_error(live->fx, command->origin, "auth_required", NULL, "guests may watch only");
        return;
    }
    const uint8_t seat = seat_of(game, account_find(live, command->account));
    if (seat == LIVE_NO_COLOR && command->kind == LIVE_SAY) {
        chat_say(live, command, game);
        return;
    }
    if (seat == LIVE_NO_COLOR) {
        (void)fx_error(live->fx, command->origin, "forbidden", "game",
                       "only its players act in a game");
        return;
    }
    on_player(live, command, game, (ChessColor)seat);
}

bool live_game_digest(const Live *live, const LiveId *id, uint64_t *out) {
    const Game *game = game_find(live, id);
    if (game != NULL)
        *out = laws_game_digest(&game->fold.laws);
    return game != NULL;
}
