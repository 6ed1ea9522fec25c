// SPDX-License-Identifier: GPL-3.0-or-later
//
// Moves written in every form and language of notation.h.
#include <jadoube/notation.h>

#include "chess/notation_tables.h"
#include "chess/resolve.h"

static void write_square(JdOut *out, int square) {
    jd_out_char(out, (char)('a' + (square & 7)));
    jd_out_char(out, (char)('1' + (square >> 3)));
}

static void write_departure(JdOut *out, int from, int detail) {
    if ((detail & DETAIL_FILE) != 0)
        jd_out_char(out, (char)('a' + (from & 7)));
    if ((detail & DETAIL_RANK) != 0)
        jd_out_char(out, (char)('1' + (from >> 3)));
}

static void write_check(JdOut *out, const ChessPosition *pos, ChessMove move) {
    ChessPosition after = *pos;
    chess_move_make(&after, move, NULL);
    if (chess_is_check(&after))
        jd_out_char(out, chess_has_legal_move(&after) ? '+' : '#');
}

static int short_detail(const ChessPosition *pos, ChessMove move, ChessKind kind, bool captures) {
    const ChessColor us = (ChessColor)pos->side_to_move;
    const int from = chess_move_from(move);
    const int to = chess_move_to(move);
    if (kind == CHESS_PAWN)
        return captures ? DETAIL_FILE : DETAIL_NONE;
    if (kind == CHESS_KING)
        return DETAIL_NONE;
    return detail_needed(keep_safe(pos, us, officers_reaching(pos, us, kind, to), to), from);
}

static void write_algebraic(JdOut *out, const ChessPosition *pos, ChessMove move, ChessForm form,
                            const LanguageRow *language) {
    const int from = chess_move_from(move);
    const int to = chess_move_to(move);
    const ChessKind kind = chess_piece_kind(pos->board[from]);
    const ChessKind promotion = chess_move_promotion(move);
    const bool captures = chess_move_captured(pos, move) != CHESS_NO_PIECE;
    const bool long_form = form == CHESS_FORM_LONG;
    if (chess_move_is_castling(move)) {
        const bool kingside = to > from;
        if (form == CHESS_FORM_PGN)
            jd_out_cstr(out, kingside ? "O-O" : "O-O-O");
        else
            jd_out_cstr(out, kingside ? "0-0" : "0-0-0");
        write_check(out, pos, move);
        return;
    }
    if (kind != CHESS_PAWN)
        jd_out_cstr(out, language->letters[kind]);
    write_departure(out, from, long_form ? DETAIL_BOTH : short_detail(pos, move, kind, captures));
    if (captures)
        jd_out_char(out, 'x');
    else if (long_form)
        jd_out_char(out, '-');
    write_square(out, to);
    if (promotion != CHESS_NO_KIND) {
        if (form == CHESS_FORM_PGN)
            jd_out_char(out, '=');
        jd_out_cstr(out, language->letters[promotion]);
    }
    if (form != CHESS_FORM_PGN && chess_move_is_en_passant(move))
        jd_out_cstr(out, " e.p.");
    write_check(out, pos, move);
}

// ICCF: files and ranks as digits 1 to 8; castling is the move of the king.
static void write_numeric(JdOut *out, ChessMove move) {
    static const char promotion_digits[] = {
        [CHESS_QUEEN] = '1', [CHESS_ROOK] = '2', [CHESS_BISHOP] = '3', [CHESS_KNIGHT] = '4'
    };
    const int squares[2] = { chess_move_from(move), chess_move_arrival(move) };
    for (int i = 0; i < 2; i++) {
        jd_out_char(out, (char)('1' + (squares[i] & 7)));
        jd_out_char(out, (char)('1' + (squares[i] >> 3)));
    }
    const ChessKind promotion = chess_move_promotion(move);
    if (promotion != CHESS_NO_KIND)
        jd_out_char(out, promotion_digits[promotion]);
}

size_t chess_notation_write(const ChessPosition *pos, ChessMove move, ChessForm form,
                            ChessLanguage language, char text[CHESS_NOTATION_SIZE]) {
    JD_ASSERT((unsigned)language < CHESS_LANGUAGE_COUNT);
    JD_ASSERT_SLOW(chess_move_is_legal(pos, move));
    JdOut out = jd_out(text, CHESS_NOTATION_SIZE - 1);
    switch (form) {
    case CHESS_FORM_PGN:
    case CHESS_FORM_FIDE:
    case CHESS_FORM_LONG:
        write_algebraic(&out, pos, move, form, &chess_languages[language]);
        break;
    case CHESS_FORM_UCI: {
        char uci[CHESS_UCI_SIZE];
        jd_out_text(&out, jd_str_n(uci, chess_uci_write(pos, move, uci)));
        break;
    }
    case CHESS_FORM_ICCF:
        write_numeric(&out, move);
        break;
    }
    JD_ASSERT(jd_out_fits(&out));
    text[out.size] = '\0';
    return out.size;
}
