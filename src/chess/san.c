// SPDX-License-Identifier: GPL-3.0-or-later
//
// Standard Algebraic Notation (PGN standard 8.2.3), written and read strictly.
#include <jadoube/chess.h>

#include "chess/bits.h"
#include "chess/move.h"
#include "chess/tables.h"

static const char kind_letters[] = "  NBRQK";

// Other pieces of the same kind that could move to the same square.
static uint64_t rivals(const ChessPosition *pos, ChessKind kind, int from, int to) {
    const ChessColor us = (ChessColor)pos->side_to_move;
    uint64_t others = chess_attackers(pos, (ChessSquare)to, us) & pos->kinds[kind] & ~bit(from);
    uint64_t able = 0;
    while (others != 0) {
        const int other = take_lowest(&others);
        if (chess_move_is_legal(pos, move_of(other, to, MOVE_PLAIN)))
            able |= bit(other);
    }
    return able;
}

// File, rank or both, where another piece could go to the same square.
static void write_origin(JdOut *out, const ChessPosition *pos, ChessKind kind, int from, int to) {
    const uint64_t others = rivals(pos, kind, from, to);
    if (others == 0)
        return;
    const bool same_file = (others & chess_lines[from][0]) != 0;
    const bool same_rank = (others & chess_lines[from][2]) != 0;
    if (!same_file || same_rank)
        jd_out_char(out, (char)('a' + from % 8));
    if (same_file)
        jd_out_char(out, (char)('1' + from / 8));
}

static void write_step(JdOut *out, const ChessPosition *pos, ChessMove move) {
    const int from = chess_move_from(move);
    const int to = chess_move_to(move);
    const ChessKind kind = chess_piece_kind(pos->board[from]);
    const bool captures = chess_move_captured(pos, move) != CHESS_NO_PIECE;
    if (kind != CHESS_PAWN) {
        jd_out_char(out, kind_letters[kind]);
        write_origin(out, pos, kind, from, to);
    } else if (captures) {
        jd_out_char(out, (char)('a' + from % 8));
    }
    if (captures)
        jd_out_char(out, 'x');
    jd_out_char(out, (char)('a' + to % 8));
    jd_out_char(out, (char)('1' + to / 8));
    const ChessKind promotion = chess_move_promotion(move);
    if (promotion != CHESS_NO_KIND) {
        jd_out_char(out, '=');
        jd_out_char(out, kind_letters[promotion]);
    }
}

size_t chess_san_write(const ChessPosition *pos, ChessMove move, char out[CHESS_SAN_SIZE]) {
    JdOut text = jd_out(out, CHESS_SAN_SIZE - 1);
    if (chess_move_is_castling(move))
        jd_out_cstr(&text, chess_move_to(move) > chess_move_from(move) ? "O-O" : "O-O-O");
    else
        write_step(&text, pos, move);
    if (chess_move_gives_check(pos, move)) {
        ChessPosition after = *pos;
        chess_move_make(&after, move, NULL);
        jd_out_char(&text, chess_has_legal_move(&after) ? '+' : '#');
    }
    JD_ASSERT(jd_out_fits(&text));
    out[text.size] = '\0';
    return text.size;
}

// ---- reading ------------------------------------------------------------------------------------

// What the text says; -1 and CHESS_NO_KIND where it says nothing.
typedef struct Wish {
    ChessKind kind;
    int from_file;
    int from_rank;
    int to;
    ChessKind promotion;
    int castling; // 1 kingside, 0 queenside, -1 none
} Wish;

static ChessKind kind_of_letter(char c) {
    for (int kind = CHESS_KNIGHT; kind <= CHESS_KING; kind++)
        if (kind_letters[kind] == c)
            return (ChessKind)kind;
    return CHESS_NO_KIND;
}

static bool is_file(char c) {
    return c >= 'a' && c <= 'h';
}
static bool is_rank(char c) {
    return c >= '1' && c <= '8';
}

static char byte_at(JdStr text, size_t at) {
    return at < text.size ? text.data[at] : '\0';
}

// [KQRBN][a-h][1-8][x] square [=QRBN], all optional but the square; *at moves past it.
static bool parse_step(JdStr text, size_t *at, Wish *wish, JdErr *err) {
    wish->kind = kind_of_letter(byte_at(text, *at));
    if (wish->kind != CHESS_NO_KIND)
        ++*at;
    else
        wish->kind = CHESS_PAWN;
    // What stands before the last square is the origin: Nbd2, N1d2, Nb1d2, bxc3.
    size_t end = *at;
    while (is_file(byte_at(text, end)) || is_rank(byte_at(text, end)) || byte_at(text, end) == 'x')
        end++;
    if (end < *at + 2 || !is_rank(byte_at(text, end - 1)) || !is_file(byte_at(text, end - 2)))
        return jd_fail(err, CHESS_MOVE_MALFORMED, end, "expected a square such as e4");
    wish->to = chess_square(text.data[end - 2] - 'a', text.data[end - 1] - '1');
    const size_t square = end - 2;
    if (*at < square && is_file(byte_at(text, *at)))
        wish->from_file = text.data[(*at)++] - 'a';
    if (*at < square && is_rank(byte_at(text, *at)))
        wish->from_rank = text.data[(*at)++] - '1';
    if (*at < square && byte_at(text, *at) == 'x')
        ++*at;
    if (*at != square)
        return jd_fail(err, CHESS_MOVE_MALFORMED, *at, "expected the square of arrival");
    *at = end;
    if (byte_at(text, *at) == '=') {
        wish->promotion = kind_of_letter(byte_at(text, *at + 1));
        if (wish->promotion == CHESS_NO_KIND || wish->promotion == CHESS_KING)
            return jd_fail(err, CHESS_MOVE_MALFORMED, *at + 1, "expected Q, R, B or N");
        *at += 2;
    }
    return true;
}

static bool parse_wish(JdStr text, Wish *wish, JdErr *err) {
    *wish = (Wish) { .from_file = -1, .from_rank = -1, .castling = -1 };
    size_t at = 0;
    if (jd_str_starts_with(text, JD_STR("O-O-O"))) {
        wish->castling = 0;
        at = 5;
    } else if (jd_str_starts_with(text, JD_STR("O-O"))) {
        wish->castling = 1;
        at = 3;
    } else if (!parse_step(text, &at, wish, err)) {
        return false;
    }
    if (byte_at(text, at) == '+' || byte_at(text, at) == '#')
        at++;
    if (at < text.size)
        return jd_fail(err, CHESS_MOVE_MALFORMED, at, "expected the end of the move");
    return true;
}

static bool fits(const Wish *wish, const ChessPosition *pos, ChessMove move) {
    const ChessSquare from = chess_move_from(move);
    const ChessSquare to = chess_move_to(move);
    if (chess_move_is_castling(move))
        return wish->castling == (to > from ? 1 : 0);
    return wish->castling < 0 && wish->to == to &&
           chess_piece_kind(pos->board[from]) == wish->kind &&
           (wish->from_file < 0 || wish->from_file == chess_file(from)) &&
           (wish->from_rank < 0 || wish->from_rank == chess_rank(from)) &&
           chess_move_promotion(move) == wish->promotion;
}

// Says why no legal move fits.
static bool refuse(JdStr text, const Wish *wish, const ChessPosition *pos,
                   const ChessMoveList *legal, JdErr *err) {
    if (wish->castling >= 0)
        return jd_fail(err, CHESS_MOVE_ILLEGAL, 0, "castling %s is not legal here",
                       wish->castling != 0 ? "kingside" : "queenside");
    for (int i = 0; i < legal->count; i++) {
        Wish other = *wish;
        other.promotion = CHESS_QUEEN;
        if (wish->promotion == CHESS_NO_KIND && fits(&other, pos, legal->moves[i]))
            return jd_fail(err, CHESS_MOVE_ILLEGAL, text.size, "expected a promotion such as =Q");
    }
    static const char *const names[7] = { "piece", "pawn",  "knight", "bishop",
                                          "rook",  "queen", "king" };
    return jd_fail(err, CHESS_MOVE_ILLEGAL, 0,
                   "%.*s is not legal here: no such move of a %s to %c%d",
                   JD_PRINT(jd_str_part(text, 0, CHESS_SAN_SIZE)), names[wish->kind],
                   'a' + wish->to % 8, wish->to / 8 + 1);
}

bool chess_san_parse(JdStr text, const ChessPosition *pos, ChessMove *out, JdErr *err) {
    Wish wish;
    if (!parse_wish(text, &wish, err))
        return false;
    ChessMoveList legal;
    chess_moves_generate(pos, &legal);
    ChessMove found = CHESS_NO_MOVE;
    int count = 0;
    for (int i = 0; i < legal.count; i++)
        if (fits(&wish, pos, legal.moves[i])) {
            found = legal.moves[i];
            count++;
        }
    if (count == 0)
        return refuse(text, &wish, pos, &legal, err);
    if (count > 1)
        return jd_fail(err, CHESS_MOVE_AMBIGUOUS, 0, "%d legal moves fit %.*s", count,
                       JD_PRINT(text));
    char strict[CHESS_SAN_SIZE];
    const size_t size = chess_san_write(pos, found, strict);
    size_t same = 0;
    while (same < size && same < text.size && strict[same] == text.data[same])
        same++;
    if (same < size || same < text.size)
        return jd_fail(err, CHESS_MOVE_WRONG_SIGN, same, "expected %s", strict);
    *out = found;
    return true;
}
