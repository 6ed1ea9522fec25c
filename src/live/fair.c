// SPDX-License-Identifier: GPL-3.0-or-later
//
// Fair play (S-065, X-011): no engine of the site looks at what stands on a board where people
// play, games of Advance apart. A hint, a report and the computer as an opponent are all asked
// here, so that no way around leads past it: a position set up against the computer, by oneself or
// by a friend, is the commonest.
//
// Positions are compared by what stands where; turn, rights and numbers are easily written
// otherwise.
#include "live/inner.h"

// Positions of the opening arise in many games at once, and are in books. In games from a set-up
// position every one counts.
#define BOOK_PLIES 16

// Most positions are told apart by one look at one of so many bits.
#define FILTER_BITS 4096

static bool is_played_by_people(const Game *game) {
    return !fold_has_ended(&game->fold) && !is_against_computer(game) &&
           game->fold.type != LIVE_ADVANCE;
}

static bool same_men(const ChessPosition *a, const ChessPosition *b) {
    for (size_t square = 0; square < JD_COUNT(a->board); square++)
        if (a->board[square] != b->board[square])
            return false;
    return true;
}

static bool is_set_up(const Game *game) {
    const ChessPosition usual = chess_position_start();
    return !same_men(&game->fold.laws.setup.start, &usual);
}

static uint64_t filter_bit(const ChessPosition *position) {
    return jd_mix(position->colors[CHESS_WHITE] ^ jd_mix(position->colors[CHESS_BLACK])) %
           FILTER_BITS;
}

static bool is_among(const ChessPosition *position, const ChessPosition *list, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (same_men(position, &list[i]))
            return true;
    return false;
}

// While he plays on the clock he asks no engine at all.
static bool plays_on_the_clock(const Account *account) {
    for (size_t i = 0; account != NULL && i < account->games.count; i++) {
        const Game *game = account->games.items[i];
        if (is_played_by_people(game) && !fold_is_slow(&game->fold))
            return true;
    }
    return false;
}

static bool is_on_a_board(const Live *live, const Account *asker, const ChessPosition *list,
                          size_t count) {
    uint64_t filter[FILTER_BITS / 64] = { 0 };
    for (size_t i = 0; i < count; i++)
        filter[filter_bit(&list[i]) / 64] |= UINT64_C(1) << (filter_bit(&list[i]) % 64);
    size_t cursor = 0;
    for (const Game *game; (game = table_next(&live->games, &cursor)) != NULL;) {
        const LawsGame *laws = &game->fold.laws;
        const uint64_t bit = filter_bit(&laws->position);
        if ((filter[bit / 64] >> (bit % 64) & 1) == 0 || !is_played_by_people(game))
            continue;
        const bool own = asker != NULL && (game->players[0] == asker || game->players[1] == asker);
        const bool counts = is_set_up(game) || laws->ply_count >= (own ? 1u : BOOK_PLIES);
        if (counts && is_among(&laws->position, list, count))
            return true;
    }
    return false;
}

bool live_forbids_engine(const Live *live, LiveAccount asker, const ChessPosition *list,
                         size_t count) {
    const Account *account = account_find(live, asker);
    return plays_on_the_clock(account) || is_on_a_board(live, account, list, count);
}

bool live_stands_on_a_board(const Live *live, LiveAccount asker, const ChessPosition *list,
                            size_t count) {
    return is_on_a_board(live, account_find(live, asker), list, count);
}

// A move of a person that leads the computer on from a position of his own choice.
static bool leads_on(const Live *live, const Game *game, const LiveCommand *command,
                     ChessPosition *after) {
    const ChessPosition *now = &game->fold.laws.position;
    ChessMove move;
    JdErr err = { 0 };
    if (!is_set_up(game) || level_of(live, command->account) > 0 ||
        !chess_uci_parse(command->uci, now, &move, &err))
        return false;
    *after = *now;
    chess_move_make(after, move, NULL);
    return true;
}

bool live_leads_on(const Live *live, const LiveId *id) {
    const Game *game = game_find(live, id);
    return game != NULL && is_against_computer(game) && is_set_up(game);
}

bool live_fair_question(const Live *live, const LiveCommand *command, ChessPosition *out) {
    JdErr err = { 0 };
    if (command->kind == LIVE_PLAY_COMPUTER)
        return command->fen.size > 0 && chess_fen_parse(command->fen, out, &err);
    if (command->kind != LIVE_HINT && command->kind != LIVE_MOVE)
        return false;
    const Game *game = game_find(live, &command->id);
    if (game == NULL || !is_against_computer(game) || fold_has_ended(&game->fold))
        return false;
    if (command->kind == LIVE_MOVE)
        return leads_on(live, game, command, out);
    *out = game->fold.laws.position;
    return true;
}

bool fair_forbids_start(const Live *live, LiveAccount asker, const ChessPosition *start) {
    const ChessPosition usual = chess_position_start();
    return !same_men(start, &usual) && is_on_a_board(live, account_find(live, asker), start, 1);
}

bool fair_forbids_move(const Live *live, const Game *game, ChessMove move) {
    ChessPosition after = game->fold.laws.position;
    const Account *mover = game->players[after.side_to_move];
    if (move == CHESS_NO_MOVE || !is_against_computer(game) || level_of(live, mover->number) > 0 ||
        !is_set_up(game))
        return false;
    chess_move_make(&after, move, NULL);
    return is_on_a_board(live, mover, &after, 1);
}
