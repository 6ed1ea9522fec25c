// SPDX-License-Identifier: GPL-3.0-or-later
//
// Forsyth-Edwards Notation (PGN standard 16.1), with X-FEN and Shredder-FEN castling fields for
// Chess960.
#include <jadoube/chess.h>

#include "chess/bits.h"

// ---- reading ------------------------------------------------------------------------------------

// The text being read, and where each thing stood in it, so that a fault found later can point
// there.
typedef struct Reader {
    JdStr text;
    size_t at;
    size_t squares[64];
    size_t side;
    size_t castling;
    size_t rights[4];
    size_t ep;
    JdErr *err;
} Reader;

// The next byte; '\0' at the end of the text.
static char peek(const Reader *in) {
    return in->at < in->text.size ? in->text.data[in->at] : '\0';
}

static const char piece_letters[] = " PNBRQK  pnbrqk";

static ChessPiece piece_of_letter(char c) {
    for (int piece = 1; piece < 15; piece++)
        if (piece_letters[piece] == c && c != ' ')
            return (ChessPiece)piece;
    return CHESS_NO_PIECE;
}

static bool fail(const Reader *in, ChessFenFault code, const char *field, const char *expected) {
    const char c = peek(in);
    if (in->at >= in->text.size)
        return jd_fail_field(in->err, code, field, in->at, "the text ends; expected %s", expected);
    if (c >= ' ' && c <= '~')
        return jd_fail_field(in->err, code, field, in->at, "found '%c'; expected %s", c, expected);
    return jd_fail_field(in->err, code, field, in->at, "found byte 0x%02x; expected %s",
                         (unsigned)(unsigned char)c, expected);
}

// One rank of the board: pieces and runs of empty squares that add up to exactly eight.
static bool parse_rank(Reader *in, int rank, ChessSetup *setup) {
    bool after_number = false;
    for (int file = 0; file < 8; in->at++) {
        const char c = peek(in);
        const ChessPiece piece = piece_of_letter(c);
        const int width = piece != CHESS_NO_PIECE ? 1 : c >= '1' && c <= '8' ? c - '0' : 0;
        if (width == 0)
            return jd_fail_field(in->err, CHESS_FEN_NOT_A_PIECE, "board", in->at,
                                 "rank %d has %d squares so far; expected a piece or 1 to 8",
                                 rank + 1, file);
        if (file + width > 8)
            return jd_fail_field(in->err, CHESS_FEN_RANK_TOO_WIDE, "board", in->at,
                                 "rank %d is wider than 8 squares", rank + 1);
        if (piece == CHESS_NO_PIECE && after_number)
            return jd_fail_field(in->err, CHESS_FEN_NOT_A_PIECE, "board", in->at,
                                 "rank %d has two numbers in a row; expected their sum", rank + 1);
        after_number = piece == CHESS_NO_PIECE;
        in->squares[chess_square(file, rank)] = in->at;
        setup->board[chess_square(file, rank)] = piece;
        file += width;
    }
    return true;
}

static bool parse_board(Reader *in, ChessSetup *setup) {
    for (int rank = 7; rank >= 0; rank--) {
        if (!parse_rank(in, rank, setup))
            return false;
        const char c = peek(in);
        if (piece_of_letter(c) != CHESS_NO_PIECE || (c >= '1' && c <= '9'))
            return jd_fail_field(in->err, CHESS_FEN_RANK_TOO_WIDE, "board", in->at,
                                 "rank %d is wider than 8 squares", rank + 1);
        if (rank > 0 && c != '/')
            return fail(in, CHESS_FEN_NO_SLASH, "board", "'/' and the next rank");
        if (rank > 0)
            in->at++;
    }
    return true;
}

// The blank before the next field; that there is a field is tested too. What else follows belongs
// to the field before and is a fault of it.
static bool next_field(Reader *in, ChessFenFault fault_before, const char *before,
                       const char *field) {
    if (in->at < in->text.size && peek(in) != ' ')
        return fail(in, fault_before, before, "a blank and the next field");
    in->at += in->at < in->text.size ? 1 : 0;
    if (in->at == in->text.size || peek(in) == ' ')
        return fail(in, CHESS_FEN_MISSING_FIELD, field, "this field");
    return true;
}

static bool parse_side(Reader *in, ChessSetup *setup) {
    in->side = in->at;
    if (peek(in) != 'w' && peek(in) != 'b')
        return fail(in, CHESS_FEN_BAD_SIDE, "side", "'w' or 'b'");
    setup->side_to_move = peek(in) == 'w' ? CHESS_WHITE : CHESS_BLACK;
    in->at++;
    return true;
}

static int king_file(const ChessSetup *setup, ChessColor color) {
    for (int file = 0; file < 8; file++)
        if (setup->board[chess_square(file, color == CHESS_WHITE ? 0 : 7)] ==
            chess_piece(color, CHESS_KING))
            return file;
    return -1;
}

// File of the rook furthest from the king on one side; -1 when there is none.
static int outermost_rook(const ChessSetup *setup, ChessColor color, bool kingside) {
    const int king = king_file(setup, color);
    const int step = kingside ? -1 : 1;
    for (int file = kingside ? 7 : 0; king >= 0 && file != king; file += step)
        if (setup->board[chess_square(file, color == CHESS_WHITE ? 0 : 7)] ==
            chess_piece(color, CHESS_ROOK))
            return file;
    return -1;
}

// One letter of the castling field. Where the board makes nonsense of it, the right is noted all
// the same: the faults of the position tell then.
static bool parse_right(Reader *in, ChessSetup *setup, int *last_right, bool *files_named) {
    const char c = peek(in);
    const ChessColor color = c >= 'a' ? CHESS_BLACK : CHESS_WHITE;
    const char letter = (char)(c >= 'a' ? c - 'a' + 'A' : c);
    bool kingside = letter == 'K';
    int file = -1;
    if (letter == 'K' || letter == 'Q') {
        file = outermost_rook(setup, color, kingside);
    } else if (letter >= 'A' && letter <= 'H') {
        file = letter - 'A';
        kingside = file > king_file(setup, color);
        *files_named = true;
    } else {
        return fail(in, CHESS_FEN_BAD_CASTLING, "castling",
                    "'-', letters of KQkq, or files of rooks");
    }
    const int right = 2 * (int)color + (kingside ? 0 : 1);
    if (right <= *last_right)
        return fail(in, CHESS_FEN_BAD_CASTLING, "castling",
                    "each right once, White before Black and kingside before queenside");
    if (file < 0)
        file = kingside ? 7 : 0;
    const unsigned same_side = kingside ? 5 : 10;
    if ((setup->castling_rights & same_side) != 0 && setup->rook_files[kingside] != file)
        return jd_fail_field(
            in->err, CHESS_FEN_IMPOSSIBLE_CASTLING, "castling", in->at,
            "the rook on file %c did not start opposite the other side's on file %c", 'a' + file,
            'a' + setup->rook_files[kingside]);
    *last_right = right;
    in->rights[right] = in->at;
    setup->castling_rights |= (uint8_t)(1 << right);
    setup->rook_files[kingside] = (uint8_t)file;
    in->at++;
    return true;
}

static bool parse_castling(Reader *in, ChessSetup *setup) {
    in->castling = in->at;
    if (peek(in) == '-') {
        in->at++;
        return true;
    }
    int last_right = -1;
    bool files_named = false;
    while (in->at < in->text.size && peek(in) != ' ')
        if (!parse_right(in, setup, &last_right, &files_named))
            return false;
    // Standard chess unless files are named or king and rook of a right stand elsewhere at the
    // start.
    bool is_standard = !files_named;
    for (int right = 0; right < 4; right++)
        if ((setup->castling_rights & 1 << right) != 0) {
            const int king = king_file(setup, right < 2 ? CHESS_WHITE : CHESS_BLACK);
            const bool kingside = right % 2 == 0;
            is_standard = is_standard && (king < 0 || king == 4) &&
                          setup->rook_files[kingside] == (kingside ? 7 : 0);
        }
    setup->is_chess960 = is_standard ? 0 : 1;
    return true;
}

static bool parse_ep(Reader *in, ChessSetup *setup) {
    in->ep = in->at;
    const char file = peek(in);
    if (file == '-') {
        in->at++;
        return true;
    }
    if (file < 'a' || file > 'h')
        return fail(in, CHESS_FEN_BAD_EP, "en passant", "'-' or a square");
    in->at++;
    const char rank = peek(in);
    if (rank != '3' && rank != '6')
        return fail(in, CHESS_FEN_BAD_EP, "en passant", "rank 3 or 6");
    in->at++;
    setup->ep_target = chess_square(file - 'a', rank - '1');
    return true;
}

static bool parse_number(Reader *in, ChessFenFault code, const char *field, unsigned lowest_value,
                         unsigned highest, uint32_t *out) {
    const size_t start = in->at;
    while (peek(in) >= '0' && peek(in) <= '9')
        in->at++;
    uint64_t value = 0;
    if (in->at == start)
        return fail(in, code, field, "a number");
    if (!jd_parse_u64(jd_str_part(in->text, start, in->at - start), highest, &value) ||
        value < lowest_value)
        return jd_fail_field(in->err, code, field, start,
                             "expected a number from %u to %u without leading zeros", lowest_value,
                             highest);
    *out = (uint32_t)value;
    return true;
}

static bool parse_fields(Reader *in, ChessSetup *setup) {
    uint32_t halfmove_clock = 0;
    if (!parse_board(in, setup) || !next_field(in, CHESS_FEN_NO_SLASH, "board", "side") ||
        !parse_side(in, setup) || !next_field(in, CHESS_FEN_BAD_SIDE, "side", "castling") ||
        !parse_castling(in, setup) ||
        !next_field(in, CHESS_FEN_BAD_CASTLING, "castling", "en passant") || !parse_ep(in, setup) ||
        !next_field(in, CHESS_FEN_BAD_EP, "en passant", "halfmove clock") ||
        !parse_number(in, CHESS_FEN_BAD_HALFMOVE, "halfmove clock", 0, UINT16_MAX,
                      &halfmove_clock) ||
        !next_field(in, CHESS_FEN_BAD_HALFMOVE, "halfmove clock", "fullmove number") ||
        !parse_number(in, CHESS_FEN_BAD_FULLMOVE, "fullmove number", 1, CHESS_FULLMOVE_MAX,
                      &setup->fullmove_number))
        return false;
    setup->halfmove_clock = (uint16_t)halfmove_clock;
    if (in->at < in->text.size)
        return fail(in, CHESS_FEN_TRAILING_TEXT, "fullmove number", "the end of the record");
    return true;
}

// Points from a fault of the position to the place in the text.
static bool report(const Reader *in, const ChessPositionFault *fault) {
    const char *field = "board";
    size_t offset = fault->square != CHESS_NO_SQUARE ? in->squares[fault->square] : 0;
    if (fault->code == CHESS_FEN_IMPOSSIBLE_CASTLING) {
        field = "castling";
        offset = in->castling;
        for (int right = 0; right < 4; right++)
            if (fault->castling_right == 1 << right)
                offset = in->rights[right];
    } else if (fault->code == CHESS_FEN_IMPOSSIBLE_EP) {
        field = "en passant";
        offset = in->ep;
    } else if (fault->code == CHESS_FEN_OPPONENT_IN_CHECK) {
        field = "side";
        offset = in->side;
    }
    return jd_fail_field(in->err, fault->code, field, offset, "%s", fault->text);
}

bool chess_fen_parse(JdStr text, ChessPosition *out, JdErr *err) {
    if (text.size > CHESS_FEN_TEXT_MAX)
        return jd_fail_field(err, CHESS_FEN_TOO_LONG, "board", CHESS_FEN_TEXT_MAX,
                             "the record has %zu bytes; expected at most %d", text.size,
                             CHESS_FEN_TEXT_MAX);
    Reader in = { .text = text, .err = err };
    ChessSetup setup = chess_setup_empty();
    if (!parse_fields(&in, &setup))
        return false;
    ChessFaultList faults;
    if (!chess_position_build(&setup, out, &faults))
        return report(&in, &faults.faults[0]);
    return true;
}

// ---- writing ------------------------------------------------------------------------------------

static void write_board(JdOut *out, const ChessPosition *pos) {
    for (int rank = 7; rank >= 0; rank--) {
        int empty = 0;
        for (int file = 0; file < 8; file++) {
            const ChessPiece piece = pos->board[chess_square(file, rank)];
            if (piece == CHESS_NO_PIECE) {
                empty++;
                continue;
            }
            if (empty > 0)
                jd_out_char(out, (char)('0' + empty));
            empty = 0;
            jd_out_char(out, piece_letters[piece]);
        }
        if (empty > 0)
            jd_out_char(out, (char)('0' + empty));
        if (rank > 0)
            jd_out_char(out, '/');
    }
}

// X-FEN names the file only where the rook is not the outermost one.
static void write_castling(JdOut *out, const ChessPosition *pos, bool name_files) {
    if (pos->castling_rights == 0)
        jd_out_char(out, '-');
    const ChessSetup setup = chess_setup_of(pos);
    for (int right = 0; right < 4; right++) {
        if ((pos->castling_rights & 1 << right) == 0)
            continue;
        const ChessColor color = right < 2 ? CHESS_WHITE : CHESS_BLACK;
        const bool kingside = right % 2 == 0;
        const int file = pos->rook_files[kingside];
        const bool named = name_files || outermost_rook(&setup, color, kingside) != file;
        const char letter = named ? (char)('A' + file) : kingside ? 'K' : 'Q';
        jd_out_char(out, color == CHESS_WHITE ? letter : (char)(letter - 'A' + 'a'));
    }
}

size_t chess_fen_write(const ChessPosition *pos, ChessFenStyle style, char out[CHESS_FEN_SIZE]) {
    JdOut text = jd_out(out, CHESS_FEN_SIZE - 1);
    write_board(&text, pos);
    jd_out_cstr(&text, pos->side_to_move == CHESS_WHITE ? " w " : " b ");
    write_castling(&text, pos, style == CHESS_FEN_SHREDDER);
    jd_out_char(&text, ' ');
    if (pos->ep_target != CHESS_NO_SQUARE && (pos->ep_is_legal || style == CHESS_FEN_EP_ALWAYS)) {
        jd_out_char(&text, (char)('a' + pos->ep_target % 8));
        jd_out_char(&text, (char)('1' + pos->ep_target / 8));
    } else {
        jd_out_char(&text, '-');
    }
    jd_out_char(&text, ' ');
    jd_out_u64(&text, pos->halfmove_clock);
    jd_out_char(&text, ' ');
    jd_out_u64(&text, pos->fullmove_number);
    JD_ASSERT(jd_out_fits(&text));
    out[text.size] = '\0';
    return text.size;
}
