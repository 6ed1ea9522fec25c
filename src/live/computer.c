// SPDX-License-Identifier: GPL-3.0-or-later
//
// Games against the computer: how they begin, when the machine is to move, moves taken back.
//
// The machine is an account like any other, which live was told is a level. live does not think: it
// says when a level is to move (LIVE_FX_THINK) and takes its move as it takes anybody's. What was
// asked is not in the log; after a restart it is asked again.
#include "live/inner.h"
#include "live/terms.h"

void live_set_level(Live *live, uint8_t level, LiveAccount account, JdStr nick) {
    JD_ASSERT(level >= 1);
    JD_ASSERT(level <= LIVE_LEVELS_MAX);
    live->levels[level - 1] = account;
    account_get(live, account, nick)->uses++; // for good
}

uint8_t level_of(const Live *live, LiveAccount account) {
    for (int i = 0; i < LIVE_LEVELS_MAX; i++)
        if (live->levels[i] != 0 && live->levels[i] == account)
            return (uint8_t)(i + 1);
    return 0;
}

bool is_against_computer(const Game *game) {
    return game->fold.type == LIVE_AGAINST_COMPUTER;
}

// ---- beginning ----------------------------------------------------------------------------------

static bool refuse_form(Live *live, const LiveCommand *command, const char *code, const char *field,
                        const char *text) {
    (void)fx_error(live->fx, command->origin, code, field, "%s", text);
    return false;
}

// The creation record of the game that is asked for; false after an error was answered.
static bool read_form(Live *live, const LiveCommand *command, GameBirth *out) {
    JdErr err = { 0 };
    const char *code = NULL;
    Terms terms;
    if (command->account == 0)
        return refuse_form(live, command, "auth_required", NULL, "nobody to play against");
    if (command->level < 1 || command->level > LIVE_LEVELS_MAX ||
        live->levels[command->level - 1] == 0)
        return refuse_form(live, command, "bad_request", "level", "there is no such level");
    if (command->color > LIVE_COLOR_RANDOM)
        return refuse_form(live, command, "bad_request", "color",
                           "expected white, black or random");
    LiveCommand asked = *command;
    asked.type = LIVE_AGAINST_COMPUTER;
    asked.rated = 0;
    asked.touch = 0;
    asked.flag = LIVE_FLAG_BY_LAWS;
    if (!terms_of_command(&asked, &terms, &code, &err))
        return refuse_form(live, command, code, err.field, err.text);
    if (terms.set_up && fair_forbids_start(live, command->account, &terms.start))
        return refuse_form(live, command, "fair_play", "fen",
                           "the position is being played between people");
    jd_zero(out, sizeof(*out));
    const bool human_is_white = command->color == LIVE_COLOR_RANDOM
                                    ? (command->random[LIVE_COIN_BYTE] & 1) != 0
                                    : command->color == LIVE_COLOR_WHITE;
    out->players[human_is_white ? CHESS_WHITE : CHESS_BLACK] = command->account;
    out->players[human_is_white ? CHESS_BLACK : CHESS_WHITE] = live->levels[command->level - 1];
    out->type = LIVE_AGAINST_COMPUTER;
    out->take_backs = command->take_backs != 0;
    terms_setup(&terms, &out->setup);
    // Moves are taken back as an arbiter restores a position.
    out->setup.arbiter_present = out->take_backs;
    out->setup.rules_announced = out->take_backs; // an event with an arbiter says which (App. A, B)
    return true;
}

void computer_play(Live *live, const LiveCommand *command) {
    GameBirth birth;
    if (!read_form(live, command, &birth))
        return;
    const LiveId id = live_id_of_bytes(command->random);
    Account *player = account_find(live, command->account);
    if (game_find(live, &id) != NULL || live->games.count >= LIVE_GAMES_MAX ||
        (player != NULL && player->games.count >= LIVE_GAMES_PER_PLAYER)) {
        (void)fx_error(live->fx, command->origin, "unavailable", NULL, "no room for another game");
        return;
    }
    account_get(live, command->account, command->nick)->last_seen_ms = live->now_ms;
    Game *game = game_create(live, &id, &birth, now_of(live));
    live->stats.games_started++;
    log_birth(live, game, &birth);
    LiveAnswer *answer = fx_answer(live->fx, command->origin, LIVE_ANSWER_GAME_ID);
    answer->id = id;
    if (fold_is_slow(&game->fold)) {
        game_start(live, game);
        return;
    }
    LiveGameRow *row = fx_take(live->fx, sizeof(*row));
    game_fill_row(live, game, row);
    LiveEffect *effect = fx_push(live->fx, LIVE_FX_GAME_ROW);
    effect->id = id;
    effect->row = row;
    game_tell(live, game, true);
}

// ---- thinking -----------------------------------------------------------------------------------

bool computer_is_to_move(const Live *live, const Game *game) {
    const LawsGame *laws = &game->fold.laws;
    return is_against_computer(game) && laws->state == LAWS_RUNNING &&
           level_of(live, game->players[laws->position.side_to_move]->number) > 0;
}

void computer_ask(Live *live, Game *game) {
    const LawsGame *laws = &game->fold.laws;
    const ChessColor color = (ChessColor)laws->position.side_to_move;
    const uint8_t level = level_of(live, game->players[color]->number);
    // An offer that comes while it thinks is looked at with its next move.
    if (!computer_is_to_move(live, game) || game->thinking_ply == laws->ply_count + 1)
        return;
    game->thinking_ply = laws->ply_count + 1;
    LiveThink *think = fx_take(live->fx, sizeof(*think));
    ChessMove *moves = fx_take(live->fx, laws->ply_count * sizeof(*moves));
    for (uint32_t i = 0; i < laws->ply_count; i++)
        moves[i] = laws->plies[i].move;
    think->account = game->players[color]->number;
    think->level = level;
    think->start = laws->setup.start;
    think->moves = moves;
    think->move_count = laws->ply_count;
    think->bound_move = laws->bound_move;
    think->is_offered = fold_offer(&game->fold) == (uint8_t)chess_other(color);
    if (!fold_is_slow(&game->fold)) {
        think->left_ms = laws_clock_reading(laws, color, now_of(live));
        think->increment_ms = laws->setup.control[color].periods[0].increment_ms;
    }
    LiveEffect *effect = fx_push(live->fx, LIVE_FX_THINK);
    effect->id = game->fold.id;
    effect->think = think;
}

// ---- moves taken back ---------------------------------------------------------------------------

static bool apply(Live *live, Game *game, const LawsEvent *event) {
    const LawsVerdict verdict = game_apply(live, game, event, now_of(live));
    JD_ASSERT(verdict.refusal == LAWS_NOT_REFUSED);
    return verdict.refusal == LAWS_NOT_REFUSED;
}

// Back to the player's own last move (L-014): the arbiter's way, which the log shows. Time that was
// used is not given back.
void computer_take_back(Live *live, const LiveCommand *command, Game *game, ChessColor color) {
    const LawsGame *laws = &game->fold.laws;
    uint32_t stays = laws->ply_count;
    while (stays > 0) {
        stays--;
        const bool white_made_it = (laws->setup.start.side_to_move + stays) % 2 == CHESS_WHITE;
        if (white_made_it == (color == CHESS_WHITE))
            break;
    }
    const bool has_moved = laws_moves_made(laws, color) > 0;
    if (!game->fold.take_backs || !is_against_computer(game) || laws->state != LAWS_RUNNING ||
        !has_moved) {
        (void)fx_error(live->fx, command->origin, "not_allowed", NULL,
                       has_moved ? "no moves are taken back in this game"
                                 : "there is no move to take back");
        return;
    }
    const bool has_clock = !fold_is_slow(&game->fold);
    int64_t left_ms[2];
    for (int side = 0; side < 2; side++)
        left_ms[side] = laws_clock_reading(laws, (ChessColor)side, now_of(live));
    const LawsEvent stop = { .kind = LAWS_EVENT_ARB_STOP, .actor = LAWS_ARBITER_ACTOR };
    const LawsEvent restore = { .kind = LAWS_EVENT_RESTORE,
                                .actor = LAWS_ARBITER_ACTOR,
                                .count = stays };
    const LawsEvent resume = { .kind = LAWS_EVENT_RESUME,
                               .actor = LAWS_ARBITER_ACTOR,
                               .side = LAWS_BOTH_SIDES };
    bool ok = apply(live, game, &stop) && apply(live, game, &restore);
    for (int side = 0; ok && has_clock && side < 2; side++) {
        const LawsEvent set = { .kind = LAWS_EVENT_SET_CLOCK,
                                .actor = LAWS_ARBITER_ACTOR,
                                .side = (uint8_t)side,
                                .span_ms = left_ms[side] };
        ok = apply(live, game, &set);
    }
    ok = ok && apply(live, game, &resume);
    JD_ASSERT(ok);
    game->thinking_ply = 0;
    LiveAnswer *answer = fx_answer(live->fx, command->origin, LIVE_ANSWER_ACK);
    answer->id = game->fold.id;
    answer->ply = laws->ply_count;
    game_note_state(live, game);
    game_tell(live, game, true);
    if (command->origin.connection == 0)
        answer->game = game_view(live, game);
}

// ---- hints --------------------------------------------------------------------------------------

// L-024: only in a game against the computer, to its player, when it is his move. live notes that a
// hint was given; whoever asked finds it (src/net/hint.c).
void computer_hint(Live *live, const LiveCommand *command, Game *game, ChessColor color) {
    const LawsGame *laws = &game->fold.laws;
    if (!is_against_computer(game)) {
        game_refuse(live, command, game, "not_allowed", NULL,
                    "there are no hints in a game against a person");
        return;
    }
    if (game_is_stale(live, command, game))
        return;
    if (laws->state != LAWS_RUNNING || laws->position.side_to_move != color) {
        game_refuse(live, command, game, laws_refusal_name(LAWS_REFUSED_NOT_YOUR_TURN), NULL,
                    "a hint is for whoever has the move");
        return;
    }
    if (live_forbids_engine(live, command->account, &laws->position, 1)) {
        game_refuse(live, command, game, "fair_play", NULL,
                    "the position, or a game on the clock, is being played with a person");
        return;
    }
    ChessMove considered;
    JdErr err = { 0 };
    if (command->uci.size > 0 &&
        !chess_uci_parse(command->uci, &laws->position, &considered, &err)) {
        game_refuse(live, command, game, laws_refusal_name(LAWS_REFUSED_ILLEGAL_MOVE), "uci",
                    err.text);
        return;
    }
    fold_hint(&game->fold);
    game_log_note(live, game, LIVE_EVENT_HINT, (uint8_t)color, 1);
    LiveAnswer *answer = fx_answer(live->fx, command->origin, LIVE_ANSWER_ACK);
    answer->id = game->fold.id;
    answer->ply = laws->ply_count;
    game_note_state(live, game);
    game_project(live, game, true, false);
    if (command->origin.connection == 0)
        answer->game = game_view(live, game);
}
