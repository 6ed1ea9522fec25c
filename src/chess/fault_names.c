// SPDX-License-Identifier: GPL-3.0-or-later
//
// Names of faults for machines; part of the command line's and the API's answers, so never changed.
#include <jadoube/chess.h>

const char *chess_fen_fault_name(ChessFenFault fault) {
    switch (fault) {
    case CHESS_FEN_OK:
        return "ok";
    case CHESS_FEN_TOO_LONG:
        return "too_long";
    case CHESS_FEN_NOT_A_PIECE:
        return "not_a_piece";
    case CHESS_FEN_RANK_TOO_WIDE:
        return "rank_too_wide";
    case CHESS_FEN_NO_SLASH:
        return "no_slash";
    case CHESS_FEN_MISSING_FIELD:
        return "missing_field";
    case CHESS_FEN_BAD_SIDE:
        return "bad_side";
    case CHESS_FEN_BAD_CASTLING:
        return "bad_castling";
    case CHESS_FEN_BAD_EP:
        return "bad_en_passant";
    case CHESS_FEN_BAD_HALFMOVE:
        return "bad_halfmove_clock";
    case CHESS_FEN_BAD_FULLMOVE:
        return "bad_fullmove_number";
    case CHESS_FEN_TRAILING_TEXT:
        return "trailing_text";
    case CHESS_FEN_KING_COUNT:
        return "king_count";
    case CHESS_FEN_PAWN_RANK:
        return "pawn_rank";
    case CHESS_FEN_PIECE_COUNT:
        return "piece_count";
    case CHESS_FEN_PAWN_COUNT:
        return "pawn_count";
    case CHESS_FEN_PROMOTED_COUNT:
        return "promoted_count";
    case CHESS_FEN_OPPONENT_IN_CHECK:
        return "opponent_in_check";
    case CHESS_FEN_IMPOSSIBLE_CASTLING:
        return "impossible_castling";
    case CHESS_FEN_IMPOSSIBLE_EP:
        return "impossible_en_passant";
    case CHESS_FEN_TOO_MANY_CHECKERS:
        return "too_many_checkers";
    case CHESS_FEN_IMPOSSIBLE_CHECKERS:
        return "impossible_checkers";
    }
    return "unknown";
}

const char *chess_move_fault_name(ChessMoveFault fault) {
    switch (fault) {
    case CHESS_MOVE_OK:
        return "ok";
    case CHESS_MOVE_MALFORMED:
        return "malformed";
    case CHESS_MOVE_ILLEGAL:
        return "illegal";
    case CHESS_MOVE_AMBIGUOUS:
        return "ambiguous";
    case CHESS_MOVE_WRONG_SIGN:
        return "wrong_sign";
    }
    return "unknown";
}
