// SPDX-License-Identifier: GPL-3.0-or-later
//
// The grammar of moves (specification section 8.4): text to words. Each liberty is noted where it
// is taken.
#include "chess/notation_words.h"

#include "chess/notation_tables.h"

typedef struct Cursor {
    JdStr text;
    size_t at;
    uint32_t needed;
    const WordsStyle *style;
    JdErr *err;
} Cursor;

// The character at the cursor and the offset behind it; 0 at the end. A NUL byte counts as U+FFFD.
typedef struct Glyph {
    uint32_t code;
    size_t behind;
} Glyph;

static Glyph peek(const Cursor *in) {
    Glyph glyph = { 0, in->at };
    if (in->at < in->text.size) {
        glyph.code = jd_utf8_next(in->text, &glyph.behind);
        if (glyph.code == 0)
            glyph.code = 0xfffd;
    }
    return glyph;
}

// Look-alikes of section 8.3 and the dashes; 0 when there is none.
static uint32_t latin_of(uint32_t code) {
    static const struct {
        uint16_t from;
        char to;
    } pairs[] = {
        { 0x0430, 'a' }, { 0x0441, 'c' }, { 0x0435, 'e' }, { 0x0445, 'x' }, { 0x041e, 'O' },
        { 0x043e, 'o' }, { 0x0425, 'x' }, { 0x2010, '-' }, { 0x2011, '-' }, { 0x2012, '-' },
        { 0x2013, '-' }, { 0x2014, '-' }, { 0x2212, '-' },
    };
    for (size_t i = 0; i < JD_COUNT(pairs); i++)
        if (pairs[i].from == code)
            return (uint32_t)pairs[i].to;
    return 0;
}

// Takes the character when it is wanted or looks like it.
static bool take(Cursor *in, char wanted) {
    const Glyph glyph = peek(in);
    if (glyph.code != (uint32_t)(unsigned char)wanted) {
        if (glyph.code < 0x80 || latin_of(glyph.code) != (uint32_t)(unsigned char)wanted)
            return false;
        in->needed |= CHESS_TOLERATE_LOOKALIKE;
    }
    in->at = glyph.behind;
    return true;
}

// Takes a character of first to last; -1 when another stands there.
static int take_range(Cursor *in, char first, char last) {
    const Glyph glyph = peek(in);
    uint32_t code = glyph.code;
    if (code >= 0x80)
        code = latin_of(code);
    if (code < (uint32_t)first || code > (uint32_t)last)
        return -1;
    if (code != glyph.code)
        in->needed |= CHESS_TOLERATE_LOOKALIKE;
    in->at = glyph.behind;
    return (int)code - first;
}

static void skip_blanks(Cursor *in) {
    for (;;) {
        const Glyph glyph = peek(in);
        if (glyph.code != ' ' && glyph.code != '\t' && glyph.code != '\r' && glyph.code != '\n' &&
            glyph.code != 0xa0)
            return;
        in->needed |= CHESS_TOLERATE_BLANKS;
        in->at = glyph.behind;
    }
}

static bool unexpected(const Cursor *in, const char *expected) {
    const Glyph glyph = peek(in);
    if (glyph.code == 0)
        return jd_fail(in->err, CHESS_MOVE_MALFORMED, in->at, "the text ends where %s was expected",
                       expected);
    if (glyph.code > 0x20 && glyph.code < 0x7f)
        return jd_fail(in->err, CHESS_MOVE_MALFORMED, in->at, "found \"%c\" where %s was expected",
                       (int)glyph.code, expected);
    return jd_fail(in->err, CHESS_MOVE_MALFORMED, in->at, "found U+%04x where %s was expected",
                   (unsigned)glyph.code, expected);
}

// ---- piece letters ------------------------------------------------------------------------------

static uint32_t small_letter(uint32_t code) {
    if ((code >= 'A' && code <= 'Z') || (code >= 0x0410 && code <= 0x042f) ||
        (code >= 0x0391 && code <= 0x03a9))
        return code + 0x20;
    if (code == 0x0108 || code == 0x015e || code == 0x017d)
        return code + 1;
    return code;
}

// The Latin capital that people type for a Cyrillic or Greek one (and p for р); 0 when there is
// none.
static uint32_t typed_for(uint32_t letter) {
    static const struct {
        uint16_t letter;
        char typed;
    } pairs[] = {
        { 0x041a, 'K' }, { 0x0421, 'C' }, { 0x0422, 'T' }, { 0x041e, 'O' }, { 0x0440, 'p' },
        { 0x0391, 'A' }, { 0x0392, 'B' }, { 0x0399, 'I' }, { 0x03a1, 'P' },
    };
    for (size_t i = 0; i < JD_COUNT(pairs); i++)
        if (pairs[i].letter == letter)
            return (uint32_t)pairs[i].typed;
    return 0;
}

// Whether name stands at the cursor; *behind and *needed are set when it does.
static bool letter_stands(const Cursor *in, JdStr name, bool small, size_t *behind,
                          uint32_t *needed) {
    Cursor ahead = *in;
    uint32_t liberties = 0;
    if (name.size == 0)
        return false;
    for (size_t at = 0; at < name.size;) {
        const uint32_t letter = jd_utf8_next(name, &at);
        const Glyph glyph = peek(&ahead);
        if (glyph.code == 0)
            return false;
        if (small && small_letter(letter) != letter) {
            if (glyph.code != small_letter(letter))
                return false;
        } else if (glyph.code != letter) {
            if (!small && typed_for(letter) == glyph.code)
                liberties |= CHESS_TOLERATE_LOOKALIKE;
            else if (small_letter(glyph.code) == letter)
                liberties |= CHESS_TOLERATE_LOWER_CASE; // the second letter: КР for Кр
            else
                return false;
        }
        ahead.at = glyph.behind;
    }
    *behind = ahead.at;
    *needed = liberties;
    return true;
}

// Takes the longest piece letter at the cursor; CHESS_NO_KIND when there is none.
static ChessKind take_piece(Cursor *in, bool small) {
    const LanguageRow *row = &chess_languages[in->style->language];
    ChessKind found = CHESS_NO_KIND;
    size_t longest = in->at;
    uint32_t found_needs = 0;
    for (unsigned kind = CHESS_PAWN; kind <= CHESS_KING; kind++) {
        size_t behind = 0;
        uint32_t needed = 0;
        if (!letter_stands(in, jd_str(row->letters[kind]), small, &behind, &needed))
            continue;
        // Of two letters of one length the exact one: on a Bulgarian sheet no Latin letter wins.
        if (behind > longest || (behind == longest && needed < found_needs)) {
            found = (ChessKind)kind;
            longest = behind;
            found_needs = needed;
        }
    }
    const Glyph glyph = peek(in);
    if (found == CHESS_NO_KIND && glyph.code >= 0x2654 && glyph.code <= 0x265f) {
        static const uint8_t kinds[6] = { CHESS_KING,   CHESS_QUEEN,  CHESS_ROOK,
                                          CHESS_BISHOP, CHESS_KNIGHT, CHESS_PAWN };
        found = (ChessKind)kinds[(glyph.code - 0x2654) % 6];
        longest = glyph.behind;
        found_needs = in->style->language == CHESS_FIGURINE ? 0 : CHESS_TOLERATE_FIGURINE;
    }
    if (found == CHESS_NO_KIND)
        return found;
    in->at = longest;
    in->needed |= found_needs | (small ? (uint32_t)CHESS_TOLERATE_LOWER_CASE : 0);
    if (peek(in).code == 0xfe0e) // text presentation of a chess symbol
        in->at = peek(in).behind;
    return found;
}

// ---- parts of a move ----------------------------------------------------------------------------

static void take_move_number(Cursor *in) {
    Cursor ahead = *in;
    while (take_range(&ahead, '0', '9') >= 0) {
    }
    if (ahead.at == in->at || peek(&ahead).code != '.')
        return;
    while (peek(&ahead).code == '.' || peek(&ahead).code == 0x2026)
        ahead.at = peek(&ahead).behind;
    ahead.needed |= CHESS_TOLERATE_MOVE_NUMBER;
    skip_blanks(&ahead);
    *in = ahead;
}

// castle = ("0"|"O"|"o") "-" same ["-" same]
static bool take_castling(Cursor *in, MoveWords *words) {
    static const char letters[3] = { 'O', '0', 'o' };
    for (size_t i = 0; i < JD_COUNT(letters); i++) {
        Cursor ahead = *in;
        if (!take(&ahead, letters[i]) || !take(&ahead, '-') || !take(&ahead, letters[i]))
            continue;
        if (letters[i] != 'O')
            ahead.needed |= CHESS_TOLERATE_ZERO_CASTLING;
        words->kind = CHESS_KING;
        words->castle = CASTLE_KINGSIDE;
        *in = ahead;
        if (take(&ahead, '-') && take(&ahead, letters[i])) {
            words->castle = CASTLE_QUEENSIDE;
            *in = ahead;
        }
        return true;
    }
    return false;
}

static bool take_capture_sign(Cursor *in) {
    if (take(in, 'x'))
        return true;
    const Glyph glyph = peek(in);
    if (glyph.code != ':' && glyph.code != 0xd7)
        return false;
    in->at = glyph.behind;
    in->needed |= CHESS_TOLERATE_CAPTURE_STYLE;
    return true;
}

// [file] [rank] ["x" | "-"] file rank: what stands before the sign or the last square is the
// departure.
static bool take_squares(Cursor *in, MoveWords *words) {
    int file = take_range(in, 'a', 'h');
    int rank = take_range(in, '1', '8');
    skip_blanks(in);
    const bool sign = take_capture_sign(in);
    const bool hyphen = !sign && take(in, '-');
    if (sign || hyphen)
        skip_blanks(in);
    const size_t second = in->at;
    const int to_file = take_range(in, 'a', 'h');
    if (to_file < 0) {
        // One square only: what was taken for a departure is the arrival.
        if (file < 0)
            return unexpected(in,
                              words->kind == CHESS_NO_KIND ? "a piece or a square" : "a square");
        if (rank < 0)
            return unexpected(in, "a rank (1 to 8)");
        if (hyphen || (sign && (in->needed & CHESS_TOLERATE_CAPTURE_STYLE) == 0))
            return unexpected(in, "the square of arrival");
        words->to = chess_square(file, rank);
        words->says_capture = sign; // old German style: Be5:
        return true;
    }
    const int to_rank = take_range(in, '1', '8');
    if (to_rank < 0)
        return unexpected(in, "a rank (1 to 8)");
    if (words->kind == CHESS_NO_KIND && file < 0 && rank >= 0) {
        in->at = second;
        return unexpected(in, "a piece letter before the rank");
    }
    words->from_file = (int8_t)file;
    words->from_rank = (int8_t)rank;
    words->to = chess_square(to_file, to_rank);
    words->says_capture = sign;
    words->hyphen = hyphen;
    return true;
}

// ICCF: four digits 1 to 8 and perhaps a digit 1 to 4 for the promotion.
static bool take_numeric(Cursor *in, MoveWords *words) {
    static const uint8_t kinds[5] = { CHESS_NO_KIND, CHESS_QUEEN, CHESS_ROOK, CHESS_BISHOP,
                                      CHESS_KNIGHT };
    Cursor ahead = *in;
    int digits[5] = { -1, -1, -1, -1, -1 };
    for (int i = 0; i < 4; i++) {
        digits[i] = take_range(&ahead, '1', '8');
        if (digits[i] < 0)
            return false;
    }
    digits[4] = take_range(&ahead, '1', '4');
    words->kind = CHESS_NO_KIND;
    words->from_file = (int8_t)digits[0];
    words->from_rank = (int8_t)digits[1];
    words->to = chess_square(digits[2], digits[3]);
    words->promotion = kinds[digits[4] + 1];
    ahead.needed |= CHESS_TOLERATE_NUMERIC;
    *in = ahead;
    return true;
}

// ["="|"("|"/"] piece [")"], behind the square of a pawn move.
static bool take_promotion(Cursor *in, MoveWords *words) {
    Cursor ahead = *in;
    skip_blanks(&ahead);
    uint32_t liberty = CHESS_TOLERATE_PROMOTION_PLAIN;
    bool bracket = false;
    if (take(&ahead, '=')) {
        liberty = 0;
    } else if (take(&ahead, '(')) {
        bracket = true;
        liberty = CHESS_TOLERATE_PROMOTION_BRACKETS;
    } else if (take(&ahead, '/')) {
        liberty = CHESS_TOLERATE_PROMOTION_SLASH;
    }
    skip_blanks(&ahead);
    ChessKind kind = take_piece(&ahead, false);
    if (kind == CHESS_NO_KIND) {
        kind = take_piece(&ahead, true);
        // UCI has small letters: e7e8q.
        if (words->from_rank >= 0 && !words->hyphen && !words->says_capture &&
            liberty == CHESS_TOLERATE_PROMOTION_PLAIN &&
            (in->style->allowed & CHESS_TOLERATE_COORDINATES) != 0 && kind != CHESS_NO_KIND) {
            ahead.needed = in->needed | (uint32_t)CHESS_TOLERATE_COORDINATES;
            liberty = 0;
        }
    }
    if (kind < CHESS_KNIGHT || kind > CHESS_QUEEN || (bracket && !take(&ahead, ')')))
        return false;
    words->promotion = (uint8_t)kind;
    ahead.needed |= liberty;
    *in = ahead;
    return true;
}

static bool take_ep(Cursor *in) {
    Cursor ahead = *in;
    skip_blanks(&ahead);
    if (!take(&ahead, 'e'))
        return false;
    (void)take(&ahead, '.');
    const Glyph glyph = peek(&ahead);
    if (glyph.code != 'p' && glyph.code != 0x0440)
        return false;
    ahead.at = glyph.behind;
    (void)take(&ahead, '.');
    ahead.needed |= CHESS_TOLERATE_EP_SUFFIX;
    *in = ahead;
    return true;
}

static bool take_check(Cursor *in, MoveWords *words) {
    const Glyph glyph = peek(in);
    if (glyph.code != '+' && glyph.code != '#' && glyph.code != 0x2020 && glyph.code != 0x2021)
        return false;
    in->at = glyph.behind;
    words->sign = glyph.code == '#' || glyph.code == 0x2021 ? SIGN_MATE : SIGN_CHECK;
    if (glyph.code >= 0x80)
        in->needed |= CHESS_TOLERATE_CHECK_STYLE;
    if (words->sign == SIGN_CHECK && peek(in).code == glyph.code) { // "++" is mate by the appendix
        in->at = peek(in).behind;
        words->sign = SIGN_MATE;
        in->needed |= CHESS_TOLERATE_CHECK_STYLE;
    }
    return true;
}

// ["+" | "++" | "#"] ["(=)"] [!?-marks], in any order.
static bool take_suffixes(Cursor *in, MoveWords *words) {
    for (;;) {
        skip_blanks(in);
        const Glyph glyph = peek(in);
        if (glyph.code == 0)
            return true;
        if (words->sign == SIGN_NONE && take_check(in, words))
            continue;
        if (glyph.code == '!' || glyph.code == '?') {
            in->at = glyph.behind;
            in->needed |= CHESS_TOLERATE_MARKS;
            continue;
        }
        if (words->kind <= CHESS_PAWN && take_ep(in))
            continue;
        if (glyph.code == ':' && !words->says_capture && words->castle == CASTLE_NONE) {
            in->at = glyph.behind;
            words->says_capture = true;
            in->needed |= CHESS_TOLERATE_CAPTURE_STYLE;
            continue;
        }
        Cursor ahead = *in;
        const bool bracket = take(&ahead, '(');
        if (take(&ahead, '=') && (!bracket || take(&ahead, ')'))) {
            ahead.needed |= CHESS_TOLERATE_DRAW_OFFER;
            *in = ahead;
            continue;
        }
        return unexpected(in, "the end of the move");
    }
}

bool chess_words_parse(JdStr text, const WordsStyle *style, MoveWords *out, JdErr *err) {
    Cursor in = { text, 0, 0, style, err };
    MoveWords words = { .from_file = -1, .from_rank = -1, .to = CHESS_NO_SQUARE };
    skip_blanks(&in);
    take_move_number(&in);
    if (!take_castling(&in, &words)) {
        const bool numeric =
            (style->allowed & CHESS_TOLERATE_NUMERIC) != 0 && take_numeric(&in, &words);
        if (!numeric) {
            words.kind = (uint8_t)take_piece(&in, style->lower_case);
            if (words.kind == CHESS_PAWN)
                in.needed |= CHESS_TOLERATE_PAWN_LETTER;
            skip_blanks(&in);
            if (!take_squares(&in, &words))
                return false;
            const bool squares_only =
                words.kind == CHESS_NO_KIND && words.from_file >= 0 && words.from_rank >= 0;
            if (words.kind == CHESS_NO_KIND && (!squares_only || words.says_capture))
                words.kind = CHESS_PAWN;
            if (words.kind == CHESS_PAWN && words.from_file < 0 &&
                (words.says_capture || words.hyphen))
                return jd_fail(err, CHESS_MOVE_MALFORMED, 0,
                               "a pawn capture names the file it leaves");
            if (words.kind <= CHESS_PAWN)
                (void)take_promotion(&in, &words);
        }
    }
    if (!take_suffixes(&in, &words))
        return false;
    words.needed = in.needed;
    *out = words;
    return true;
}

bool chess_tolerances_suffice(uint32_t needed, uint32_t allowed, ChessMoveFault fault, JdErr *err) {
    const uint32_t lacking = needed & ~allowed;
    if (lacking == 0)
        return true;
    const ChessTolerance first = (ChessTolerance)(lacking & (~lacking + 1));
    return jd_fail(err, (uint32_t)fault, 0, "not the exact form: \"%s\" is not allowed here",
                   chess_tolerance_name(first));
}
