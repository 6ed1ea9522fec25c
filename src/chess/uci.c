// SPDX-License-Identifier: GPL-3.0-or-later
//
// Moves as the Universal Chess Interface writes them.
#include <jadoube/chess.h>

#include "chess/move.h"

size_t chess_uci_write(const ChessPosition *pos, ChessMove move, char out[CHESS_UCI_SIZE]) {
    const ChessSquare from = chess_move_from(move);
    const ChessSquare to = pos->is_chess960 ? chess_move_to(move) : chess_move_arrival(move);
    const ChessKind promotion = chess_move_promotion(move);
    size_t size = 0;
    out[size++] = (char)('a' + chess_file(from));
    out[size++] = (char)('1' + chess_rank(from));
    out[size++] = (char)('a' + chess_file(to));
    out[size++] = (char)('1' + chess_rank(to));
    if (promotion != CHESS_NO_KIND)
        out[size++] = "  nbrq"[promotion];
    out[size] = '\0';
    return size;
}

static bool parse_square(JdStr text, size_t at, int *square, JdErr *err) {
    const char file = at < text.size ? text.data[at] : '\0';
    const char rank = at + 1 < text.size ? text.data[at + 1] : '\0';
    if (file < 'a' || file > 'h')
        return jd_fail(err, CHESS_MOVE_MALFORMED, at, "expected a file from a to h");
    if (rank < '1' || rank > '8')
        return jd_fail(err, CHESS_MOVE_MALFORMED, at + 1, "expected a rank from 1 to 8");
    *square = chess_square(file - 'a', rank - '1');
    return true;
}

// The castling meant by a king's move from from to to: on to his own rook or, where he could not go
// there otherwise, to the square on which castling would put him.
static ChessMove castling_meant(const ChessPosition *pos, int from, int to) {
    const ChessColor us = (ChessColor)pos->side_to_move;
    if (pos->board[from] != chess_piece(us, CHESS_KING))
        return CHESS_NO_MOVE;
    for (int kingside = 0; kingside < 2; kingside++) {
        const int rook = home_of(us) + pos->rook_files[kingside];
        const ChessMove castling = move_of(from, rook, MOVE_CASTLING);
        if ((to == rook || to == castling_king_to(home_of(us), kingside != 0)) &&
            chess_move_is_legal(pos, castling))
            return castling;
    }
    return CHESS_NO_MOVE;
}

// The encoding of a step of a pawn; other pieces' steps are plain.
static int type_of_step(const ChessPosition *pos, int from, int to, ChessKind promotion) {
    if (promotion != CHESS_NO_KIND)
        return promotion_type(promotion);
    if (chess_piece_kind(pos->board[from]) != CHESS_PAWN)
        return MOVE_PLAIN;
    if (from + 16 == to || to + 16 == from)
        return MOVE_DOUBLE_STEP;
    return to == pos->ep_target && from % 8 != to % 8 ? MOVE_EN_PASSANT : MOVE_PLAIN;
}

bool chess_uci_parse(JdStr text, const ChessPosition *pos, ChessMove *out, JdErr *err) {
    int from = 0;
    int to = 0;
    if (!parse_square(text, 0, &from, err) || !parse_square(text, 2, &to, err))
        return false;
    ChessKind promotion = CHESS_NO_KIND;
    if (text.size >= 5) {
        const char letter = text.data[4];
        promotion = letter == 'n'   ? CHESS_KNIGHT
                    : letter == 'b' ? CHESS_BISHOP
                    : letter == 'r' ? CHESS_ROOK
                    : letter == 'q' ? CHESS_QUEEN
                                    : CHESS_NO_KIND;
        if (promotion == CHESS_NO_KIND)
            return jd_fail(err, CHESS_MOVE_MALFORMED, 4,
                           "expected n, b, r, q or the end of the move");
    }
    if (text.size > 5)
        return jd_fail(err, CHESS_MOVE_MALFORMED, 5, "expected the end of the move");

    const ChessMove step = move_of(from, to, type_of_step(pos, from, to, promotion));
    if (chess_move_is_legal(pos, step)) {
        *out = step;
        return true;
    }
    const ChessMove castling =
        promotion == CHESS_NO_KIND ? castling_meant(pos, from, to) : CHESS_NO_MOVE;
    if (castling != CHESS_NO_MOVE) {
        *out = castling;
        return true;
    }
    const ChessPiece piece = pos->board[from];
    if (piece == CHESS_NO_PIECE)
        return jd_fail(err, CHESS_MOVE_ILLEGAL, 0, "no piece stands on %c%c", text.data[0],
                       text.data[1]);
    if (chess_piece_color(piece) != pos->side_to_move)
        return jd_fail(err, CHESS_MOVE_ILLEGAL, 0, "the piece on %c%c is not of the side to move",
                       text.data[0], text.data[1]);
    if (promotion == CHESS_NO_KIND &&
        chess_move_is_legal(pos, move_of(from, to, promotion_type(CHESS_QUEEN))))
        return jd_fail(err, CHESS_MOVE_ILLEGAL, 4, "expected n, b, r or q for the promotion");
    return jd_fail(err, CHESS_MOVE_ILLEGAL, 0, "%.*s is not a legal move", JD_PRINT(text));
}
