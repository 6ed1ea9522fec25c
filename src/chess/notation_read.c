// SPDX-License-Identifier: GPL-3.0-or-later
//
// Words to moves (specification section 8.5): which legal moves fit, and which liberties the text
// took.
#include <jadoube/notation.h>

#include "chess/notation_tables.h"
#include "chess/notation_words.h"
#include "chess/resolve.h"

static void add(ChessReading *reading, ChessMove move) {
    if (reading->count < CHESS_READING_CANDIDATES)
        reading->candidates[reading->count] = move;
    reading->count++;
}

static bool departure_agrees(const MoveWords *words, int from) {
    return (words->from_file < 0 || words->from_file == (from & 7)) &&
           (words->from_rank < 0 || words->from_rank == from >> 3);
}

// The castling of the side to move, when it is legal.
static ChessMove legal_castling(const ChessPosition *pos, bool kingside) {
    const ChessColor us = (ChessColor)pos->side_to_move;
    if ((pos->castling_rights & castling_right(us, kingside)) == 0)
        return CHESS_NO_MOVE;
    const int king = lowest(pos->kinds[CHESS_KING] & pos->colors[us]);
    const ChessMove move = move_of(king, home_of(us) + pos->rook_files[kingside], MOVE_CASTLING);
    return chess_move_is_legal(pos, move) ? move : CHESS_NO_MOVE;
}

// ---- candidates ---------------------------------------------------------------------------------

static void add_pawn_move(const ChessPosition *pos, const MoveWords *words, uint32_t allowed,
                          int from, int type, ChessReading *reading) {
    const int to = words->to;
    const ChessColor us = (ChessColor)pos->side_to_move;
    if (to >> 3 != (us == CHESS_WHITE ? 7 : 0)) {
        if (words->promotion == CHESS_NO_KIND)
            add(reading, move_of(from, to, type));
        return;
    }
    if (words->promotion != CHESS_NO_KIND) {
        add(reading, move_of(from, to, promotion_type((ChessKind)words->promotion)));
        return;
    }
    if ((allowed & CHESS_TOLERATE_PROMOTION_MISSING) != 0) {
        add(reading, move_of(from, to, promotion_type(CHESS_QUEEN)));
        reading->tolerances |= CHESS_TOLERATE_PROMOTION_MISSING;
        return;
    }
    for (unsigned kind = CHESS_QUEEN; kind >= CHESS_KNIGHT; kind--)
        add(reading, move_of(from, to, promotion_type((ChessKind)kind)));
}

static void match_pawn(const ChessPosition *pos, const MoveWords *words, uint32_t allowed,
                       ChessReading *reading) {
    const ChessColor us = (ChessColor)pos->side_to_move;
    const int to = words->to;
    if (words->from_file < 0 || words->from_file == (to & 7)) {
        const int from = pawn_push_origin(pos, us, to);
        if (from != CHESS_NO_SQUARE && departure_agrees(words, from) &&
            arrival_is_safe(pos, us, from, to)) {
            const bool is_double = from - to == 16 || to - from == 16;
            add_pawn_move(pos, words, allowed, from, is_double ? MOVE_DOUBLE_STEP : MOVE_PLAIN,
                          reading);
        }
        return;
    }
    uint64_t capturers = chess_pawn_attacks[chess_other(us)][to] & pos->kinds[CHESS_PAWN] &
                         pos->colors[us] & (FILE_A << words->from_file);
    while (capturers != 0) {
        const int from = take_lowest(&capturers);
        bool en_passant;
        if (departure_agrees(words, from) && pawn_capture_is_legal(pos, us, from, to, &en_passant))
            add_pawn_move(pos, words, allowed, from, en_passant ? MOVE_EN_PASSANT : MOVE_PLAIN,
                          reading);
    }
}

// Returns all squares from which a piece of this kind can come, the departure given or not.
static uint64_t match_officer(const ChessPosition *pos, const MoveWords *words,
                              ChessReading *reading) {
    const ChessColor us = (ChessColor)pos->side_to_move;
    const int to = words->to;
    if ((pos->colors[us] & bit(to)) != 0)
        return 0;
    const uint64_t all =
        keep_safe(pos, us, officers_reaching(pos, us, (ChessKind)words->kind, to), to);
    for (uint64_t left = all; left != 0;) {
        const int from = take_lowest(&left);
        if (departure_agrees(words, from))
            add(reading, move_of(from, to, MOVE_PLAIN));
    }
    return all;
}

static void match_king(const ChessPosition *pos, const MoveWords *words, ChessReading *reading) {
    const ChessColor us = (ChessColor)pos->side_to_move;
    const int from = lowest(pos->kinds[CHESS_KING] & pos->colors[us]);
    if (departure_agrees(words, from) && king_step_is_legal(pos, us, words->to))
        add(reading, move_of(from, words->to, MOVE_PLAIN));
}

// Squares only: the piece on the departure square is meant, and castling is the king's own move or,
// in Chess960, king takes rook.
static void match_squares(const ChessPosition *pos, MoveWords *words, uint32_t allowed,
                          ChessReading *reading) {
    const ChessColor us = (ChessColor)pos->side_to_move;
    const int from = chess_square(words->from_file, words->from_rank);
    const int to = words->to;
    if ((pos->colors[us] & bit(from)) == 0)
        return;
    words->kind = (uint8_t)chess_piece_kind(pos->board[from]);
    if (words->kind == CHESS_PAWN)
        match_pawn(pos, words, allowed, reading);
    else if (words->promotion != CHESS_NO_KIND)
        return;
    else if (words->kind != CHESS_KING)
        (void)match_officer(pos, words, reading);
    else
        match_king(pos, words, reading);
    if (words->kind != CHESS_KING || reading->count != 0)
        return;
    for (int kingside = 0; kingside < 2; kingside++) {
        const ChessMove castling = legal_castling(pos, kingside != 0);
        if (castling != CHESS_NO_MOVE &&
            (chess_move_to(castling) == to || chess_move_arrival(castling) == to))
            add(reading, castling);
    }
}

// ---- liberties ----------------------------------------------------------------------------------

static uint32_t capture_liberties(const ChessPosition *pos, const MoveWords *words,
                                  ChessMove move) {
    const bool captures = chess_move_captured(pos, move) != CHESS_NO_PIECE;
    if (captures == words->says_capture)
        return 0;
    return captures ? CHESS_TOLERATE_MISSING_CAPTURE : CHESS_TOLERATE_WRONG_CAPTURE;
}

static uint32_t detail_liberties(const MoveWords *words, ChessMove move, uint64_t candidates,
                                 bool captures) {
    const int given =
        (words->from_file >= 0 ? DETAIL_FILE : 0) | (words->from_rank >= 0 ? DETAIL_RANK : 0);
    const int from = chess_move_from(move);
    int needed = DETAIL_NONE;
    if (words->kind == CHESS_PAWN)
        needed = captures ? DETAIL_FILE : DETAIL_NONE;
    else if (words->kind != CHESS_KING)
        needed = detail_needed(candidates, from);
    uint32_t liberties = words->hyphen ? CHESS_TOLERATE_LONG : 0;
    if (given != needed)
        liberties |=
            given == DETAIL_BOTH ? CHESS_TOLERATE_LONG : CHESS_TOLERATE_OVER_DISAMBIGUATION;
    return liberties;
}

static uint32_t sign_liberties(const ChessPosition *pos, const MoveWords *words, ChessMove move) {
    ChessPosition after = *pos;
    chess_move_make(&after, move, NULL);
    int due = SIGN_NONE;
    if (chess_is_check(&after))
        due = chess_has_legal_move(&after) ? SIGN_CHECK : SIGN_MATE;
    if (words->sign == due)
        return 0;
    return words->sign < due ? CHESS_TOLERATE_MISSING_CHECK : CHESS_TOLERATE_WRONG_CHECK;
}

// ---- verdict ------------------------------------------------------------------------------------

static bool fail_ambiguous(const ChessPosition *pos, ChessReading *reading, JdErr *err) {
    char list[96];
    JdOut out = jd_out(list, sizeof list - 1);
    for (int i = 0; i < reading->count && i < CHESS_READING_CANDIDATES; i++) {
        char text[CHESS_NOTATION_SIZE];
        const size_t size =
            chess_notation_write(pos, reading->candidates[i], CHESS_FORM_PGN, CHESS_ENGLISH, text);
        if (out.size + size + 2 > out.capacity)
            break;
        jd_out_cstr(&out, i == 0 ? "" : " ");
        jd_out_text(&out, jd_str_n(text, size));
    }
    list[out.size] = '\0';
    return jd_fail(err, CHESS_MOVE_AMBIGUOUS, 0, "%d legal moves fit: %s", reading->count, list);
}

static bool fail_illegal(const ChessPosition *pos, const MoveWords *words, ChessReading *reading,
                         JdErr *err) {
    // Castling is recorded as castling, never as Kg1 (section 8.1).
    if (words->kind == CHESS_KING && words->castle == CASTLE_NONE) {
        for (int kingside = 0; kingside < 2; kingside++) {
            const ChessMove castling = legal_castling(pos, kingside != 0);
            if (castling == CHESS_NO_MOVE || chess_move_arrival(castling) != words->to)
                continue;
            reading->castling = castling;
            return jd_fail(err, CHESS_MOVE_ILLEGAL, 0, "no legal king move; castling is written %s",
                           kingside != 0 ? "0-0" : "0-0-0");
        }
    }
    return jd_fail(err, CHESS_MOVE_ILLEGAL, 0, "no legal move fits");
}

static bool match(const ChessPosition *pos, MoveWords *words, uint32_t allowed, ChessReading *out,
                  JdErr *err) {
    const bool squares_only = words->kind == CHESS_NO_KIND;
    uint64_t candidates = 0;
    out->tolerances = words->needed;
    if (squares_only) {
        match_squares(pos, words, allowed, out);
    } else if (words->castle != CASTLE_NONE) {
        const ChessMove castling = legal_castling(pos, words->castle == CASTLE_KINGSIDE);
        if (castling != CHESS_NO_MOVE)
            add(out, castling);
    } else if (words->kind == CHESS_KING) {
        match_king(pos, words, out);
    } else if (words->kind == CHESS_PAWN) {
        match_pawn(pos, words, allowed, out);
    } else {
        candidates = match_officer(pos, words, out);
    }
    if (out->count == 0)
        return fail_illegal(pos, words, out, err);
    if (out->count > 1)
        return fail_ambiguous(pos, out, err);

    const ChessMove move = out->candidates[0];
    if (squares_only) {
        // e2e4 and e2-e4 are long algebraic notation as well, g1f3 is not.
        const bool is_numeric = (words->needed & CHESS_TOLERATE_NUMERIC) != 0;
        const bool coordinates_allowed = (allowed & CHESS_TOLERATE_COORDINATES) != 0;
        const bool is_long =
            words->kind == CHESS_PAWN && !is_numeric && (words->hyphen || !coordinates_allowed);
        if (words->hyphen || is_long)
            out->tolerances |= CHESS_TOLERATE_LONG | capture_liberties(pos, words, move);
        if (!is_long && !is_numeric)
            out->tolerances |= CHESS_TOLERATE_COORDINATES;
    } else if (words->castle == CASTLE_NONE) {
        out->tolerances |= capture_liberties(pos, words, move);
        const bool captures = chess_move_captured(pos, move) != CHESS_NO_PIECE;
        out->tolerances |= detail_liberties(words, move, candidates, captures);
    }
    const bool signs_count = (allowed & CHESS_TOLERATE_SIGNS_UNSEEN) == 0;
    if (signs_count && !(squares_only && words->sign == SIGN_NONE))
        out->tolerances |= sign_liberties(pos, words, move);
    if (!chess_tolerances_suffice(out->tolerances, allowed, CHESS_MOVE_WRONG_SIGN, err))
        return false;
    out->move = move;
    return true;
}

static bool attempt(JdStr text, const ChessPosition *pos, const WordsStyle *style,
                    ChessReading *out, JdErr *err) {
    MoveWords words;
    *out = (ChessReading) { 0 };
    if (!chess_words_parse(text, style, &words, err))
        return false;
    out->tolerances = words.needed;
    // Squares only are refused by name before any piece is looked for.
    const uint32_t form = words.needed | (words.kind == CHESS_NO_KIND && !words.hyphen &&
                                                  (words.needed & CHESS_TOLERATE_NUMERIC) == 0 &&
                                                  (style->allowed & CHESS_TOLERATE_LONG) == 0
                                              ? (uint32_t)CHESS_TOLERATE_COORDINATES
                                              : 0);
    if (!chess_tolerances_suffice(form, style->allowed, CHESS_MOVE_MALFORMED, err))
        return false;
    return match(pos, &words, style->allowed, out, err);
}

bool chess_notation_parse(JdStr text, const ChessPosition *pos, ChessLanguage language,
                          uint32_t tolerances, ChessReading *out, JdErr *err) {
    JD_ASSERT((unsigned)language < CHESS_LANGUAGE_COUNT);
    WordsStyle style = { (uint8_t)language, false, tolerances };
    JdErr exact_err = { 0 };
    if (attempt(text, pos, &style, out, &exact_err))
        return true;
    // A small letter is a file before it is a piece: bc4 is a bishop only when no pawn fits.
    if ((tolerances & CHESS_TOLERATE_LOWER_CASE) != 0 && exact_err.code != CHESS_MOVE_AMBIGUOUS) {
        ChessReading small;
        JdErr small_err = { 0 };
        style.lower_case = true;
        const bool read = attempt(text, pos, &style, &small, &small_err);
        if (read ||
            (exact_err.code == CHESS_MOVE_MALFORMED && small_err.code != CHESS_MOVE_MALFORMED)) {
            *out = small;
            exact_err = small_err;
            if (read)
                return true;
        }
    }
    if (err != NULL)
        *err = exact_err;
    return false;
}
