// SPDX-License-Identifier: GPL-3.0-or-later
//
// The fast path for moves in the text and language of the PGN standard. It reads the common forms
// and answers only when exactly one legal move fits; everything else (other languages, liberties,
// faults) is left to chess_notation_parse.
#ifndef CHESS_PGN_SAN_H
#define CHESS_PGN_SAN_H

#include "chess/resolve.h"

// Bits of san_classes.
enum {
    SAN_FILE = 1,
    SAN_RANK = 2,
    SAN_ENDS = 4, // may stand behind a move: blank, bracket, mark, the NUL behind the text
    SAN_X = 8,
};

#pragma GCC visibility push(hidden)
extern const uint8_t chess_san_classes[256];
#pragma GCC visibility pop

JD_ALWAYS_INLINE bool san_is(char c, int mask) {
    return (chess_san_classes[(unsigned char)c] & mask) != 0;
}

JD_ALWAYS_INLINE ChessKind san_officer(char c) {
    switch (c) {
    case 'N':
        return CHESS_KNIGHT;
    case 'B':
        return CHESS_BISHOP;
    case 'R':
        return CHESS_ROOK;
    case 'Q':
        return CHESS_QUEEN;
    case 'K':
        return CHESS_KING;
    default:
        return CHESS_NO_KIND;
    }
}

JD_ALWAYS_INLINE int san_square(const char *p) {
    return (p[0] - 'a') + 8 * (p[1] - '1');
}

// A pawn move; the text begins with a file.
JD_ALWAYS_INLINE ChessMove san_pawn(const ChessPosition *pos, ChessColor us, const char *p,
                                    const char **behind) {
    int from;
    int to;
    int type = MOVE_PLAIN;
    if (san_is(p[1], SAN_RANK)) {
        to = san_square(p);
        p += 2;
        from = pawn_push_origin(pos, us, to);
        if (from == CHESS_NO_SQUARE || !arrival_is_safe(pos, us, from, to))
            return CHESS_NO_MOVE;
        if (((from ^ to) & 8) == 0) // two ranks: the lowest bit of the rank is the same
            type = MOVE_DOUBLE_STEP;
    } else {
        if (p[1] != 'x' || !san_is(p[2], SAN_FILE) || !san_is(p[3], SAN_RANK))
            return CHESS_NO_MOVE;
        to = san_square(p + 2);
        const uint64_t from_file = FILE_A << (p[0] - 'a');
        const uint64_t capturers = chess_pawn_attacks[chess_other(us)][to] & from_file &
                                   pos->kinds[CHESS_PAWN] & pos->colors[us];
        p += 4;
        if (capturers == 0)
            return CHESS_NO_MOVE;
        from = lowest(capturers);
        bool en_passant;
        if (!pawn_capture_is_legal(pos, us, from, to, &en_passant))
            return CHESS_NO_MOVE;
        if (en_passant)
            type = MOVE_EN_PASSANT;
    }
    if (JD_UNLIKELY(to >= 56 || to < 8)) {
        if (p[0] != '=')
            return CHESS_NO_MOVE;
        const ChessKind kind = san_officer(p[1]);
        if (kind < CHESS_KNIGHT || kind > CHESS_QUEEN)
            return CHESS_NO_MOVE;
        type = promotion_type(kind);
        p += 2;
    }
    *behind = p;
    return move_of(from, to, type);
}

// A move of a knight, bishop, rook or queen in any form of the standard: Nbxd2, Nb1d2, or a pin
// decides.
static JD_NOINLINE ChessMove san_officer_rare(const ChessPosition *pos, ChessColor us,
                                              ChessKind kind, const char *p, const char **behind) {
    uint64_t departure = ~UINT64_C(0);
    p++;
    if (san_is(p[0], SAN_FILE)) {
        // A file is the arrival's unless another file or an x follows.
        if (!san_is(p[1], SAN_RANK)) {
            departure = FILE_A << (p[0] - 'a');
            p++;
        } else if (san_is(p[2], SAN_FILE | SAN_X)) {
            departure = bit(san_square(p));
            p += 2;
        }
    } else if (san_is(p[0], SAN_RANK)) {
        departure = RANK_1 << (8 * (p[0] - '1'));
        p++;
    }
    const bool says_capture = p[0] == 'x';
    p += says_capture;
    if (!san_is(p[0], SAN_FILE) || !san_is(p[1], SAN_RANK))
        return CHESS_NO_MOVE;
    const int to = san_square(p);
    *behind = p + 2;
    if (((pos->kinds[0] >> to & 1) != 0) != says_capture || (pos->colors[us] & bit(to)) != 0)
        return CHESS_NO_MOVE;
    const uint64_t legal = keep_safe(pos, us, officers_reaching(pos, us, kind, to) & departure, to);
    return legal == 0 || has_two(legal) ? CHESS_NO_MOVE : move_of(lowest(legal), to, MOVE_PLAIN);
}

// A move of another piece than a pawn; the text begins with its letter. The common forms (Nf3,
// Nxf3, Nbd2, N1d2) are told apart without a branch: which it is cannot be predicted.
JD_ALWAYS_INLINE ChessMove san_piece(const ChessPosition *pos, ChessColor us, ChessKind kind,
                                     const char *p, const char **behind) {
    const unsigned first = chess_san_classes[(unsigned char)p[1]];
    const unsigned second = chess_san_classes[(unsigned char)p[2]];
    const unsigned third = chess_san_classes[(unsigned char)p[3]];
    const unsigned is_short = first & (second >> 1) & ~(third | third >> 3) & 1;
    const unsigned is_long =
        ((first & (SAN_FILE | SAN_RANK | SAN_X)) != 0) & (second & ~is_short) & (third >> 1) & 1;
    if (JD_UNLIKELY((is_short | is_long) == 0))
        return kind == CHESS_KING ? CHESS_NO_MOVE : san_officer_rare(pos, us, kind, p, behind);
    const char *const square = p + 2 - is_short;
    const int to = san_square(square);
    const bool says_capture = (first & SAN_X) != 0;
    *behind = square + 2;
    if (((pos->kinds[0] >> to & 1) != 0) != says_capture || (pos->colors[us] & bit(to)) != 0)
        return CHESS_NO_MOVE;
    if (kind == CHESS_KING) {
        const int from = lowest(pos->kinds[CHESS_KING] & pos->colors[us]);
        return (says_capture || is_short) && king_step_is_legal(pos, us, to)
                   ? move_of(from, to, MOVE_PLAIN)
                   : CHESS_NO_MOVE;
    }
    uint64_t candidates = officers_reaching(pos, us, kind, to);
    if (is_long && !says_capture)
        candidates &=
            (first & SAN_FILE) != 0 ? FILE_A << (p[1] - 'a') : RANK_1 << (8 * (p[1] - '1'));
    if (JD_UNLIKELY(candidates == 0 || has_two(candidates)))
        return san_officer_rare(pos, us, kind, p, behind);
    const int from = lowest(candidates);
    return arrival_is_safe(pos, us, from, to) ? move_of(from, to, MOVE_PLAIN) : CHESS_NO_MOVE;
}

JD_ALWAYS_INLINE ChessMove san_castling(const ChessPosition *pos, ChessColor us, const char *p,
                                        const char **behind) {
    if (p[1] != '-' || p[2] != 'O')
        return CHESS_NO_MOVE;
    const bool kingside = p[3] != '-' || p[4] != 'O';
    *behind = p + (kingside ? 3 : 5);
    if ((pos->castling_rights & castling_right(us, kingside)) == 0)
        return CHESS_NO_MOVE;
    const int king = lowest(pos->kinds[CHESS_KING] & pos->colors[us]);
    const ChessMove move = move_of(king, home_of(us) + pos->rook_files[kingside], MOVE_CASTLING);
    return chess_move_is_legal(pos, move) ? move : CHESS_NO_MOVE;
}

// The move at p, of which eight bytes may be read; *behind is where its text ends. CHESS_NO_MOVE:
// look closer.
JD_ALWAYS_INLINE ChessMove san_read_fast(const ChessPosition *pos, const char *p,
                                         const char **behind) {
    const ChessColor us = (ChessColor)pos->side_to_move;
    ChessMove move = CHESS_NO_MOVE;
    switch (p[0]) {
    case 'N':
        move = san_piece(pos, us, CHESS_KNIGHT, p, behind);
        break;
    case 'B':
        move = san_piece(pos, us, CHESS_BISHOP, p, behind);
        break;
    case 'R':
        move = san_piece(pos, us, CHESS_ROOK, p, behind);
        break;
    case 'Q':
        move = san_piece(pos, us, CHESS_QUEEN, p, behind);
        break;
    case 'K':
        move = san_piece(pos, us, CHESS_KING, p, behind);
        break;
    case 'O':
        move = san_castling(pos, us, p, behind);
        break;
    default:
        if (san_is(p[0], SAN_FILE))
            move = san_pawn(pos, us, p, behind);
        break;
    }
    if (move == CHESS_NO_MOVE)
        return CHESS_NO_MOVE;
    *behind += **behind == '+' || **behind == '#';
    return san_is(**behind, SAN_ENDS) ? move : CHESS_NO_MOVE;
}

#endif
