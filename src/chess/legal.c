// SPDX-License-Identifier: GPL-3.0-or-later
//
// Single moves: what their bits say, whether they are legal, whether they give check.
#include <jadoube/chess.h>

#include "chess/make.h"

ChessKind chess_move_promotion(ChessMove move) {
    return move_type(move) >= MOVE_PROMOTION ? type_promotion(move_type(move)) : CHESS_NO_KIND;
}

bool chess_move_is_castling(ChessMove move) {
    return move_type(move) == MOVE_CASTLING;
}

bool chess_move_is_en_passant(ChessMove move) {
    return move_type(move) == MOVE_EN_PASSANT;
}

ChessSquare chess_move_arrival(ChessMove move) {
    const int from = chess_move_from(move);
    const int to = chess_move_to(move);
    if (move_type(move) != MOVE_CASTLING)
        return (ChessSquare)to;
    return (ChessSquare)castling_king_to(from & 56, to > from);
}

// Article 3.8.2, and its form in Chess960: every square that king or rook crosses or reaches is
// free of others, and the king is attacked neither on his way nor at its ends.
static bool castling_is_legal(const ChessPosition *pos, ChessColor us, int from, int to) {
    const bool kingside = to > from;
    const int home = home_of(us);
    const uint64_t their = pos->colors[chess_other(us)];
    if ((pos->castling_rights & castling_right(us, kingside)) == 0 ||
        from != chess_king_square(pos, us) || to != home + pos->rook_files[kingside])
        return false;
    const int king_to = castling_king_to(home, kingside);
    const int rook_to = castling_rook_to(home, kingside);
    uint64_t king_path = between(from, king_to) | bit(from) | bit(king_to);
    const uint64_t rook_path = between(to, rook_to) | bit(rook_to);
    const uint64_t others = pos->kinds[0] & ~bit(from) & ~bit(to);
    if (((king_path | rook_path) & others) != 0)
        return false;
    // On the way the rook still stands where it stood; at the end it may have opened a line.
    if (king_is_attacked(pos, us, king_to, others | bit(rook_to), their))
        return false;
    while (king_path != 0)
        if (king_is_attacked(pos, us, take_lowest(&king_path), others | bit(to), their))
            return false;
    return true;
}

// Whether a pawn of us makes such a step, kings aside.
static bool pawn_move_is_possible(const ChessPosition *pos, ChessColor us, int from, int to,
                                  int type) {
    const uint64_t ahead = forward(bit(from), us);
    const uint64_t empty = ~pos->kinds[0];
    const bool captures = (chess_pawn_attacks[us][from] & bit(to)) != 0;
    const bool promotes = type >= MOVE_PROMOTION;
    if (type == MOVE_EN_PASSANT)
        return captures && pos->ep_target == to;
    if (type == MOVE_DOUBLE_STEP)
        return (bit(from) & (us == CHESS_WHITE ? RANK_2 : RANK_7)) != 0 && (ahead & empty) != 0 &&
               (forward(ahead, us) & empty & bit(to)) != 0;
    if (promotes != ((bit(to) & (RANK_1 | RANK_8)) != 0))
        return false;
    if (captures)
        return (pos->colors[chess_other(us)] & bit(to)) != 0;
    return (ahead & empty & bit(to)) != 0;
}

static uint64_t piece_attacks(ChessKind kind, int from, uint64_t occupied) {
    switch (kind) {
    case CHESS_KNIGHT:
        return chess_knight_attacks[from];
    case CHESS_BISHOP:
        return bishop_attacks(from, occupied);
    case CHESS_ROOK:
        return rook_attacks(from, occupied);
    case CHESS_QUEEN:
        return queen_attacks(from, occupied);
    case CHESS_KING:
        return chess_king_attacks[from];
    case CHESS_PAWN:
    case CHESS_NO_KIND:
        break;
    }
    return 0;
}

bool chess_move_is_legal(const ChessPosition *pos, ChessMove move) {
    const ChessColor us = (ChessColor)pos->side_to_move;
    const int from = chess_move_from(move);
    const int to = chess_move_to(move);
    const int type = move_type(move);
    const ChessKind kind = chess_piece_kind(pos->board[from]);
    if ((pos->colors[us] & bit(from)) == 0 || type > promotion_type(CHESS_QUEEN))
        return false;
    if (type == MOVE_CASTLING)
        return castling_is_legal(pos, us, from, to);
    if ((pos->colors[us] & bit(to)) != 0)
        return false;
    if (kind == CHESS_PAWN) {
        if (!pawn_move_is_possible(pos, us, from, to, type))
            return false;
        if (type == MOVE_EN_PASSANT)
            return ep_capture_is_safe(pos, us, from, to);
    } else if (type != MOVE_PLAIN || (piece_attacks(kind, from, pos->kinds[0]) & bit(to)) == 0) {
        return false;
    }
    const int king = kind == CHESS_KING ? to : chess_king_square(pos, us);
    const uint64_t occupied = (pos->kinds[0] & ~bit(from)) | bit(to);
    return !king_is_attacked(pos, us, king, occupied, pos->colors[chess_other(us)] & ~bit(to));
}

bool chess_move_gives_check(const ChessPosition *pos, ChessMove move) {
    const ChessColor us = (ChessColor)pos->side_to_move;
    const int from = chess_move_from(move);
    const int to = chess_move_to(move);
    const int type = move_type(move);
    const int their_king = chess_king_square(pos, chess_other(us));
    uint64_t own = pos->colors[us] & ~bit(from);
    uint64_t occupied = pos->kinds[0] & ~bit(from);
    bool direct = false;
    if (type == MOVE_CASTLING) {
        const int rook_to = castling_rook_to(home_of(us), to > from);
        own &= ~bit(to);
        occupied =
            (occupied & ~bit(to)) | bit(rook_to) | bit(castling_king_to(home_of(us), to > from));
        direct = (rook_attacks(rook_to, occupied) & bit(their_king)) != 0;
    } else {
        occupied |= bit(to);
        if (type == MOVE_EN_PASSANT)
            occupied &= ~bit(to ^ 8);
        const ChessKind promoted = chess_move_promotion(move);
        const ChessKind kind =
            promoted != CHESS_NO_KIND ? promoted : chess_piece_kind(pos->board[from]);
        const uint64_t attacks =
            kind == CHESS_PAWN ? chess_pawn_attacks[us][to] : piece_attacks(kind, to, occupied);
        direct = (attacks & bit(their_king)) != 0;
    }
    const uint64_t bishops = (pos->kinds[CHESS_BISHOP] | pos->kinds[CHESS_QUEEN]) & own;
    const uint64_t rooks = (pos->kinds[CHESS_ROOK] | pos->kinds[CHESS_QUEEN]) & own;
    return direct || (bishop_attacks(their_king, occupied) & bishops) != 0 ||
           (rook_attacks(their_king, occupied) & rooks) != 0;
}
