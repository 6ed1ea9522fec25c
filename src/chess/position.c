// SPDX-License-Identifier: GPL-3.0-or-later
//
// Questions about a position that need no list of moves.
#include <jadoube/chess.h>

#include "chess/make.h"

ChessSquare chess_king_square(const ChessPosition *pos, ChessColor color) {
    return (ChessSquare)lowest(pos->kinds[CHESS_KING] & pos->colors[color]);
}

uint64_t chess_attackers(const ChessPosition *pos, ChessSquare square, ChessColor by) {
    const uint64_t bishops = pos->kinds[CHESS_BISHOP] | pos->kinds[CHESS_QUEEN];
    const uint64_t rooks = pos->kinds[CHESS_ROOK] | pos->kinds[CHESS_QUEEN];
    const uint64_t attackers =
        (chess_knight_attacks[square] & pos->kinds[CHESS_KNIGHT]) |
        (chess_king_attacks[square] & pos->kinds[CHESS_KING]) |
        (chess_pawn_attacks[chess_other(by)][square] & pos->kinds[CHESS_PAWN]) |
        (bishop_attacks(square, pos->kinds[0]) & bishops) |
        (rook_attacks(square, pos->kinds[0]) & rooks);
    return attackers & pos->colors[by];
}

uint64_t chess_checkers(const ChessPosition *pos) {
    const ChessColor us = (ChessColor)pos->side_to_move;
    return chess_attackers(pos, chess_king_square(pos, us), chess_other(us));
}

uint64_t chess_pins(const ChessPosition *pos, ChessColor color) {
    const int king = chess_king_square(pos, color);
    const uint64_t their = pos->colors[chess_other(color)];
    const uint64_t bishops = (pos->kinds[CHESS_BISHOP] | pos->kinds[CHESS_QUEEN]) & their;
    const uint64_t rooks = (pos->kinds[CHESS_ROOK] | pos->kinds[CHESS_QUEEN]) & their;
    uint64_t snipers =
        (bishop_attacks(king, their) & bishops) | (rook_attacks(king, their) & rooks);
    uint64_t pinned = 0;
    while (snipers != 0) {
        const uint64_t blockers = between(king, take_lowest(&snipers)) & pos->kinds[0];
        if (blockers != 0 && !has_two(blockers))
            pinned |= blockers;
    }
    return pinned & pos->colors[color];
}

bool chess_is_check(const ChessPosition *pos) {
    return chess_checkers(pos) != 0;
}

bool chess_has_legal_move(const ChessPosition *pos) {
    return chess_moves_count(pos) != 0;
}

bool chess_is_checkmate(const ChessPosition *pos) {
    return chess_is_check(pos) && !chess_has_legal_move(pos);
}

bool chess_is_stalemate(const ChessPosition *pos) {
    return !chess_is_check(pos) && !chess_has_legal_move(pos);
}

bool chess_ep_is_legal(const ChessPosition *pos) {
    return pos->ep_is_legal != 0;
}

bool chess_position_same(const ChessPosition *a, const ChessPosition *b) {
    if (a->zobrist_key != b->zobrist_key || a->side_to_move != b->side_to_move ||
        a->castling_rights != b->castling_rights || a->ep_is_legal != b->ep_is_legal ||
        (a->ep_is_legal && a->ep_target != b->ep_target))
        return false;
    // The same right to another rook is another right (Chess960).
    const unsigned rights = a->castling_rights;
    if (((rights & (CHESS_WHITE_QUEENSIDE | CHESS_BLACK_QUEENSIDE)) != 0 &&
         a->rook_files[0] != b->rook_files[0]) ||
        ((rights & (CHESS_WHITE_KINGSIDE | CHESS_BLACK_KINGSIDE)) != 0 &&
         a->rook_files[1] != b->rook_files[1]))
        return false;
    return jd_bytes_equal(a->board, b->board, sizeof a->board);
}

uint64_t chess_zobrist_key(const ChessPosition *pos) {
    uint64_t key = chess_zobrist_rights[pos->castling_rights];
    for (int square = 0; square < 64; square++)
        key ^= chess_zobrist_squares[pos->board[square]][square];
    if (pos->side_to_move == CHESS_BLACK)
        key ^= chess_zobrist_black;
    if (pos->ep_target != CHESS_NO_SQUARE &&
        ep_capturers(pos, (ChessColor)pos->side_to_move, pos->ep_target) != 0)
        key ^= chess_zobrist_ep_files[pos->ep_target & 7];
    return key;
}

uint64_t chess_material_key(const ChessPosition *pos) {
    uint64_t key = 0;
    for (int color = 0; color < 2; color++)
        for (int kind = CHESS_PAWN; kind < CHESS_KING; kind++) {
            const int count = count_bits(pos->kinds[kind] & pos->colors[color]);
            key |= (uint64_t)(unsigned)count << (4 * (kind - CHESS_PAWN) + 20 * color);
        }
    return key;
}
