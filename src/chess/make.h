// SPDX-License-Identifier: GPL-3.0-or-later
//
// The one place where moves change positions. Compiled into every variant of the move generator and
// into the public functions.
#ifndef CHESS_MAKE_H
#define CHESS_MAKE_H

#include "chess/move.h"
#include "chess/sliders.h"
#include "chess/tables.h"

// Whether a king of us on square is attacked when the squares of occupied are, and of the
// opponent's pieces only those in their.
JD_ALWAYS_INLINE bool king_is_attacked(const ChessPosition *pos, ChessColor us, int square,
                                       uint64_t occupied, uint64_t their) {
    const uint64_t bishops = pos->kinds[CHESS_BISHOP] | pos->kinds[CHESS_QUEEN];
    const uint64_t rooks = pos->kinds[CHESS_ROOK] | pos->kinds[CHESS_QUEEN];
    return ((chess_knight_attacks[square] & pos->kinds[CHESS_KNIGHT] & their) |
            (chess_pawn_attacks[us][square] & pos->kinds[CHESS_PAWN] & their) |
            (chess_king_attacks[square] & pos->kinds[CHESS_KING] & their) |
            (bishop_attacks(square, occupied) & bishops & their) |
            (rook_attacks(square, occupied) & rooks & their)) != 0;
}

// Whether the pawn on from may capture en passant on target (Article 3.7.3.1): two pawns leave
// their squares at once, so pins tell nothing.
JD_ALWAYS_INLINE bool ep_capture_is_safe(const ChessPosition *pos, ChessColor us, int from,
                                         int target) {
    const uint64_t victim = us == CHESS_WHITE ? bit(target) >> 8 : bit(target) << 8;
    const uint64_t occupied = (pos->kinds[0] & ~bit(from) & ~victim) | bit(target);
    const int king = lowest(pos->kinds[CHESS_KING] & pos->colors[us]);
    return !king_is_attacked(pos, us, king, occupied, pos->colors[chess_other(us)] & ~victim);
}

// Pawns of us that may capture on target.
static inline uint64_t ep_capturers(const ChessPosition *pos, ChessColor us, int target) {
    uint64_t candidates =
        chess_pawn_attacks[chess_other(us)][target] & pos->kinds[CHESS_PAWN] & pos->colors[us];
    uint64_t capturers = 0;
    while (candidates != 0) {
        const int from = take_lowest(&candidates);
        if (ep_capture_is_safe(pos, us, from, target))
            capturers |= bit(from);
    }
    return capturers;
}

// Rights that are lost when a piece leaves or reaches one of these squares.
JD_ALWAYS_INLINE unsigned rights_lost(const ChessPosition *pos, ChessColor us, ChessKind kind,
                                      uint64_t squares) {
    const unsigned queenside = pos->rook_files[0];
    const unsigned kingside = pos->rook_files[1];
    const unsigned rooks = (unsigned)(squares >> kingside & 1) * CHESS_WHITE_KINGSIDE |
                           (unsigned)(squares >> queenside & 1) * CHESS_WHITE_QUEENSIDE |
                           (unsigned)(squares >> (56 + kingside) & 1) * CHESS_BLACK_KINGSIDE |
                           (unsigned)(squares >> (56 + queenside) & 1) * CHESS_BLACK_QUEENSIDE;
    return rooks | (kind == CHESS_KING ? 3U << (2 * (unsigned)us) : 0);
}

JD_ALWAYS_INLINE void put(ChessPosition *pos, ChessColor color, ChessKind kind, int square) {
    const ChessPiece piece = chess_piece(color, kind);
    pos->kinds[kind] |= bit(square);
    pos->kinds[0] |= bit(square);
    pos->colors[color] |= bit(square);
    pos->board[square] = piece;
}

JD_ALWAYS_INLINE void lift(ChessPosition *pos, ChessColor color, ChessKind kind, int square) {
    pos->kinds[kind] &= ~bit(square);
    pos->kinds[0] &= ~bit(square);
    pos->colors[color] &= ~bit(square);
    pos->board[square] = CHESS_NO_PIECE;
}

// Castling moves two pieces that may stand on each other's squares of arrival (Chess960).
static inline uint64_t castle(ChessPosition *pos, ChessColor us, int king_from, int rook_from) {
    const bool kingside = rook_from > king_from;
    const int king_to = castling_king_to(home_of(us), kingside);
    const int rook_to = castling_rook_to(home_of(us), kingside);
    lift(pos, us, CHESS_KING, king_from);
    lift(pos, us, CHESS_ROOK, rook_from);
    put(pos, us, CHESS_KING, king_to);
    put(pos, us, CHESS_ROOK, rook_to);
    const uint64_t *king_keys = chess_zobrist_squares[chess_piece(us, CHESS_KING)];
    const uint64_t *rook_keys = chess_zobrist_squares[chess_piece(us, CHESS_ROOK)];
    return king_keys[king_from] ^ king_keys[king_to] ^ rook_keys[rook_from] ^ rook_keys[rook_to];
}

// Makes a legal move of us in place.
JD_ALWAYS_INLINE void make_move(ChessPosition *pos, ChessMove move, ChessColor us) {
    const ChessColor them = chess_other(us);
    const int from = chess_move_from(move);
    const int to = chess_move_to(move);
    const int type = move_type(move);
    const ChessPiece piece = pos->board[from];
    const ChessKind kind = chess_piece_kind(piece);
    const unsigned rights = pos->castling_rights;
    uint64_t key = pos->zobrist_key ^ chess_zobrist_black;
    if (pos->ep_is_legal)
        key ^= chess_zobrist_ep_files[pos->ep_target & 7];
    pos->ep_target = CHESS_NO_SQUARE;
    pos->ep_is_legal = 0;
    unsigned clock = pos->halfmove_clock + (pos->halfmove_clock < UINT16_MAX ? 1U : 0U);

    if (JD_UNLIKELY(type == MOVE_CASTLING)) {
        key ^= castle(pos, us, from, to);
    } else {
        const ChessPiece captured = pos->board[to];
        const uint64_t own = pos->colors[us] ^ (bit(from) | bit(to));
        const uint64_t their = pos->colors[them] & ~bit(to);
        pos->colors[us] = own;
        pos->colors[them] = their;
        pos->kinds[captured & 7] &=
            ~bit(to); // an empty square changes kinds[0], which is made anew below
        pos->kinds[kind] ^= bit(from) | bit(to);
        pos->kinds[0] = own | their;
        pos->board[from] = CHESS_NO_PIECE;
        pos->board[to] = piece;
        key ^= chess_zobrist_squares[piece][from] ^ chess_zobrist_squares[piece][to] ^
               chess_zobrist_squares[captured][to];
        if (kind == CHESS_PAWN || captured != CHESS_NO_PIECE)
            clock = 0;
        if (JD_UNLIKELY(type != MOVE_PLAIN)) {
            if (type == MOVE_DOUBLE_STEP) {
                const int target = (from + to) / 2;
                pos->ep_target = (uint8_t)target;
                if (JD_UNLIKELY((chess_pawn_attacks[us][target] & pos->kinds[CHESS_PAWN] & their) !=
                                    0 &&
                                ep_capturers(pos, them, target) != 0)) {
                    pos->ep_is_legal = 1;
                    key ^= chess_zobrist_ep_files[target & 7];
                }
            } else if (type == MOVE_EN_PASSANT) {
                const int victim = to ^ 8;
                lift(pos, them, CHESS_PAWN, victim);
                key ^= chess_zobrist_squares[chess_piece(them, CHESS_PAWN)][victim];
            } else {
                const ChessPiece promoted = chess_piece(us, type_promotion(type));
                pos->kinds[CHESS_PAWN] ^= bit(to);
                pos->kinds[promoted & 7] ^= bit(to);
                pos->board[to] = promoted;
                key ^= chess_zobrist_squares[piece][to] ^ chess_zobrist_squares[promoted][to];
            }
        }
    }
    if (rights != 0) {
        const unsigned lost = rights_lost(pos, us, kind, bit(from) | bit(to));
        const unsigned left = rights & ~lost;
        key ^= chess_zobrist_rights[rights] ^ chess_zobrist_rights[left];
        pos->castling_rights = (uint8_t)left;
    }
    pos->halfmove_clock = (uint16_t)clock;
    pos->fullmove_number = pos->fullmove_number + (us == CHESS_BLACK ? 1U : 0U);
    pos->side_to_move = (uint8_t)them;
    pos->zobrist_key = key;
}
#endif
