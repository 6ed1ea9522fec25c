// SPDX-License-Identifier: GPL-3.0-or-later
//
// Position identity and its count (Articles 9.2, 9.6.1; spec section 6).
//
// The record holds a key of every position. A key is a hint: when keys agree the record is replayed
// and the positions themselves are compared. Only plies since the last irreversible one are looked
// at, which changes no count: what stood before cannot come again.
#include "laws/inner.h"

// Castling moves that are legal now, as a set of the rooks' squares.
static uint64_t castling_moves(const ChessPosition *pos) {
    uint64_t set = 0;
    ChessMoveList list;
    chess_moves_generate(pos, &list);
    for (int i = 0; i < list.count; i++)
        if (chess_move_is_castling(list.moves[i]))
            set |= UINT64_C(1) << chess_move_to(list.moves[i]);
    return set;
}

// The literal reading of 2005 and 2009: castling counts only where it could be played at once.
static bool same_exercisable(const ChessPosition *a, const ChessPosition *b) {
    if (a->side_to_move != b->side_to_move || !jd_bytes_equal(a->board, b->board, sizeof a->board))
        return false;
    const bool ep = chess_ep_is_legal(a);
    return ep == chess_ep_is_legal(b) && (!ep || a->ep_target == b->ep_target) &&
           castling_moves(a) == castling_moves(b);
}

static bool same(const LawsGame *game, const ChessPosition *a, const ChessPosition *b) {
    return game->setup.identity_exercisable ? same_exercisable(a, b) : chess_position_same(a, b);
}

// Key of the position after so many plies.
static uint64_t key_at(const LawsGame *game, uint32_t ply) {
    return ply == 0 ? game->setup.start.zobrist_key : game->plies[ply - 1].zobrist_key;
}

// Earliest ply whose position can be that after ply_count plies: no irreversible ply between.
static uint32_t window_start(const LawsGame *game) {
    uint32_t ply = game->ply_count;
    if (game->setup.identity_exercisable) {
        // A lost right does not part positions here; captures and pawn moves do.
        const uint32_t back = game->position.halfmove_clock;
        return back < ply ? ply - back : 0;
    }
    while (ply > 0 && !game->plies[ply - 1].irreversible)
        ply--;
    return ply;
}

// Positions equal to wanted from ply first on, every other ply, before ply end. When even the keys
// leave fewer than enough, the positions are not looked at and the answer is below enough.
static int count_same(const LawsGame *game, const ChessPosition *wanted, uint32_t first,
                      uint32_t end, int enough) {
    const bool by_key = !game->setup.identity_exercisable;
    int hints = 0;
    uint32_t last = first;
    for (uint32_t ply = first; ply < end; ply += 2)
        if (!by_key || key_at(game, ply) == wanted->zobrist_key) {
            hints++;
            last = ply;
        }
    if (hints == 0 || hints < enough)
        return hints;
    int found = 0;
    ChessPosition pos = game->setup.start;
    for (uint32_t ply = 0; ply <= last; ply++) {
        const bool is_hint = ply >= first && (ply - first) % 2 == 0 &&
                             (!by_key || key_at(game, ply) == wanted->zobrist_key);
        if (is_hint && same(game, &pos, wanted))
            found++;
        if (ply < last)
            laws_ply_make(&pos, &game->plies[ply]);
    }
    return found;
}

// How often the position after that many plies has occurred, itself included. With enough above 0
// only the comparison of the answer with it means something; with 0 the answer is exact.
static int count_at(const LawsGame *game, const ChessPosition *wanted, uint32_t ply, int enough) {
    uint32_t first = window_start(game);
    if ((first ^ ply) & 1)
        first++;
    if (first >= ply)
        return 1;
    return 1 + count_same(game, wanted, first, ply, enough - 1);
}

static int count_after(const LawsGame *game, ChessMove move, int enough) {
    // A loose board has stood once: nothing illegal repeats itself by law.
    if (game->desk.loose)
        return 1;
    if (move == CHESS_NO_MOVE)
        return count_at(game, &game->position, game->ply_count, enough);
    if (!chess_move_is_legal(&game->position, move))
        return 0;
    ChessPosition after = game->position;
    chess_move_make(&after, move, NULL);
    // A capture, a pawn move or a lost right makes a new position. (Where rights do not count, the
    // comparison itself tells.)
    if (after.halfmove_clock == 0 || (after.castling_rights != game->position.castling_rights &&
                                      !game->setup.identity_exercisable))
        return 1;
    return count_at(game, &after, game->ply_count + 1, enough);
}

int laws_repetition_count(const LawsGame *game, ChessMove move) {
    return count_after(game, move, 0);
}

bool laws_repetition_reaches(const LawsGame *game, ChessMove move, int wanted) {
    return count_after(game, move, wanted) >= wanted;
}

// Fifth occurrence, each four plies after the last (2014, read literally).
static bool is_consecutive(const LawsGame *game, int wanted) {
    const uint32_t span = 4 * ((uint32_t)wanted - 1);
    if (game->ply_count < span || game->ply_count - span < window_start(game))
        return false;
    for (uint32_t back = 4; back <= span; back += 4)
        if (!game->setup.identity_exercisable &&
            key_at(game, game->ply_count - back) != game->position.zobrist_key)
            return false;
    ChessPosition pos = game->setup.start;
    for (uint32_t ply = 0; ply < game->ply_count; ply++) {
        if (ply + span >= game->ply_count && (game->ply_count - ply) % 4 == 0 &&
            !same(game, &pos, &game->position))
            return false;
        laws_ply_make(&pos, &game->plies[ply]);
    }
    return true;
}

bool laws_repetition_is_forced(const LawsGame *game, const LawsRules *rules) {
    const int wanted = rules->forced_repetitions;
    // Each further occurrence takes at least four plies without capture or pawn move.
    if (wanted == 0 || game->position.halfmove_clock < 4 * (wanted - 1))
        return false;
    if (rules->forced_repetitions_consecutive)
        return is_consecutive(game, wanted);
    return laws_repetition_reaches(game, CHESS_NO_MOVE, wanted);
}
