// SPDX-License-Identifier: GPL-3.0-or-later
//
// Static exchange evaluation.
#include <jadoube/chess.h>

#include "chess/make.h"

static const int values[7] = { 0, 100, 300, 300, 500, 900, 10000 };

// Pieces of both sides that attack the square when only occupied squares are.
static uint64_t attackers_in(const ChessPosition *pos, int square, uint64_t occupied) {
    const uint64_t bishops = pos->kinds[CHESS_BISHOP] | pos->kinds[CHESS_QUEEN];
    const uint64_t rooks = pos->kinds[CHESS_ROOK] | pos->kinds[CHESS_QUEEN];
    const uint64_t white_pawns = pos->kinds[CHESS_PAWN] & pos->colors[CHESS_WHITE];
    const uint64_t black_pawns = pos->kinds[CHESS_PAWN] & pos->colors[CHESS_BLACK];
    return ((chess_knight_attacks[square] & pos->kinds[CHESS_KNIGHT]) |
            (chess_king_attacks[square] & pos->kinds[CHESS_KING]) |
            (chess_pawn_attacks[CHESS_BLACK][square] & white_pawns) |
            (chess_pawn_attacks[CHESS_WHITE][square] & black_pawns) |
            (bishop_attacks(square, occupied) & bishops) |
            (rook_attacks(square, occupied) & rooks)) &
           occupied;
}

// Pieces of a colour that shield their king from a slider among occupied.
static uint64_t pinned_in(const ChessPosition *pos, ChessColor color, uint64_t occupied) {
    const int king = chess_king_square(pos, color);
    const uint64_t their = pos->colors[chess_other(color)] & occupied;
    const uint64_t bishops = (pos->kinds[CHESS_BISHOP] | pos->kinds[CHESS_QUEEN]) & their;
    const uint64_t rooks = (pos->kinds[CHESS_ROOK] | pos->kinds[CHESS_QUEEN]) & their;
    uint64_t snipers = (bishop_attacks(king, 0) & bishops) | (rook_attacks(king, 0) & rooks);
    uint64_t pinned = 0;
    while (snipers != 0) {
        const uint64_t blockers = between(king, take_lowest(&snipers)) & occupied;
        if (blockers != 0 && !has_two(blockers))
            pinned |= blockers;
    }
    return pinned & pos->colors[color];
}

// The least valuable piece of a colour that may capture on square; CHESS_NO_SQUARE when none may. A
// pinned piece may when it stays on its line, the king when nobody could recapture.
static int next_capturer(const ChessPosition *pos, ChessColor color, int square,
                         uint64_t occupied) {
    const uint64_t attackers = attackers_in(pos, square, occupied);
    uint64_t own = attackers & pos->colors[color];
    const int king = chess_king_square(pos, color);
    own &= ~pinned_in(pos, color, occupied) | line_through(king, square);
    for (int kind = CHESS_PAWN; kind < CHESS_KING; kind++)
        if ((own & pos->kinds[kind]) != 0)
            return lowest(own & pos->kinds[kind]);
    if ((own & bit(king)) != 0) {
        const uint64_t without_king = occupied & ~bit(king);
        const uint64_t against = attackers_in(pos, square, without_king);
        if ((against & pos->colors[chess_other(color)]) == 0)
            return king;
    }
    return CHESS_NO_SQUARE;
}

int chess_see(const ChessPosition *pos, ChessMove move) {
    if (chess_move_is_castling(move))
        return 0;
    const int from = chess_move_from(move);
    const int to = chess_move_to(move);
    const ChessKind promotion = chess_move_promotion(move);
    // gains[n]: what the n-th capture has won for its side when the exchange ends there.
    int gains[34];
    int depth = 0;
    gains[0] = values[chess_piece_kind(chess_move_captured(pos, move))];
    int on_square = values[chess_piece_kind(pos->board[from])];
    if (promotion != CHESS_NO_KIND) {
        gains[0] += values[promotion] - values[CHESS_PAWN];
        on_square = values[promotion];
    }
    uint64_t occupied = (pos->kinds[0] & ~bit(from)) | bit(to);
    if (chess_move_is_en_passant(move))
        occupied &= ~bit(to ^ 8);
    ChessColor side = chess_other((ChessColor)pos->side_to_move);
    for (;;) {
        // The piece that stands on the square now is nobody's attacker.
        const int capturer = next_capturer(pos, side, to, occupied & ~bit(to));
        if (capturer == CHESS_NO_SQUARE)
            break;
        depth++;
        gains[depth] = on_square - gains[depth - 1];
        on_square = values[chess_piece_kind(pos->board[capturer])];
        if (on_square == values[CHESS_PAWN] && (bit(to) & (RANK_1 | RANK_8)) != 0) {
            gains[depth] += values[CHESS_QUEEN] - values[CHESS_PAWN];
            on_square = values[CHESS_QUEEN];
        }
        occupied &= ~bit(capturer);
        side = chess_other(side);
    }
    // Nobody is forced to capture.
    for (; depth > 0; depth--)
        if (-gains[depth] < gains[depth - 1])
            gains[depth - 1] = -gains[depth];
    return gains[0];
}
