// SPDX-License-Identifier: GPL-3.0-or-later
//
// Commands embedded in comments: clocks, evaluations, coloured squares and arrows.
#include <jadoube/pgn.h>

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool chess_pgn_command_next(JdStr comment, size_t *at, ChessPgnCommand *out) {
    for (size_t begin = *at; begin + 2 < comment.size; begin++) {
        if (comment.data[begin] != '[' || comment.data[begin + 1] != '%')
            continue;
        size_t name_end = begin + 2;
        while (name_end < comment.size && is_letter(comment.data[name_end]))
            name_end++;
        if (name_end == begin + 2)
            continue;
        size_t end = name_end;
        while (end < comment.size && comment.data[end] != ']')
            end++;
        if (end == comment.size)
            break; // nothing behind this can be closed either
        *out = (ChessPgnCommand) {
            .name = jd_str_part(comment, begin + 2, name_end - begin - 2),
            .argument = jd_str_trim(jd_str_part(comment, name_end, end - name_end)),
            .begin = begin,
            .end = end + 1,
        };
        *at = end + 1;
        return true;
    }
    *at = comment.size;
    return false;
}

// ---- numbers ------------------------------------------------------------------------------------

// Digits at *at, at most max of them; false when there are none or too many.
static bool take_number(JdStr text, size_t *at, int max, int64_t *out) {
    int64_t value = 0;
    int digits = 0;
    for (; *at < text.size && is_digit(text.data[*at]); ++*at) {
        if (++digits > max)
            return false;
        value = value * 10 + (text.data[*at] - '0');
    }
    *out = value;
    return digits > 0;
}

// ".5" as thousandths; further digits are cut off.
static int64_t take_thousandths(JdStr text, size_t *at) {
    int64_t value = 0;
    int64_t unit = 100;
    if (*at >= text.size || (text.data[*at] != '.' && text.data[*at] != ','))
        return 0;
    for (++*at; *at < text.size && is_digit(text.data[*at]); ++*at) {
        value += unit * (text.data[*at] - '0');
        unit /= 10;
    }
    return value;
}

bool chess_pgn_clock_parse(JdStr argument, JdSpan *out) {
    const JdStr text = jd_str_trim(argument);
    int64_t seconds = 0;
    size_t at = 0;
    for (int part = 0;; part++) {
        int64_t value = 0;
        if (part == 3 || !take_number(text, &at, 6, &value) || (part > 0 && value > 59))
            return false;
        seconds = seconds * 60 + value;
        if (at >= text.size || text.data[at] != ':')
            break;
        at++;
    }
    const int64_t thousandths = take_thousandths(text, &at);
    if (at != text.size)
        return false;
    out->ms = seconds * 1000 + thousandths;
    return true;
}

size_t chess_pgn_clock_write(JdSpan span, char text[CHESS_PGN_CLOCK_SIZE]) {
    const int64_t ms = span.ms > 0 ? span.ms : 0;
    JdOut out = jd_out(text, CHESS_PGN_CLOCK_SIZE - 1);
    char small[16];
    jd_out_u64(&out, (uint64_t)(ms / 3600000));
    (void)jd_format(small, sizeof small, ":%02d:%02d", (int)(ms / 60000 % 60),
                    (int)(ms / 1000 % 60));
    jd_out_cstr(&out, small);
    int fraction = (int)(ms % 1000);
    if (fraction != 0) {
        int digits = 3;
        for (; fraction % 10 == 0; fraction /= 10)
            digits--;
        (void)jd_format(small, sizeof small, ".%0*d", digits, fraction);
        jd_out_cstr(&out, small);
    }
    text[out.size] = '\0';
    return out.size;
}

static bool take_sign(JdStr text, size_t *at) {
    const bool is_negative = *at < text.size && text.data[*at] == '-';
    if (is_negative || (*at < text.size && text.data[*at] == '+'))
        ++*at;
    return is_negative;
}

bool chess_pgn_eval_parse(JdStr argument, ChessPgnEval *out) {
    const JdStr text = jd_str_trim(argument);
    ChessPgnEval eval = { 0 };
    int64_t value = 0;
    size_t at = 0;
    if (at < text.size && text.data[at] == '#') {
        at++;
        eval.is_mate = true;
        const bool is_negative = take_sign(text, &at);
        if (!take_number(text, &at, 4, &value))
            return false;
        eval.centipawns = (int32_t)(is_negative ? -value : value);
    } else {
        const bool is_negative = take_sign(text, &at);
        if (!take_number(text, &at, 6, &value))
            return false;
        // Not a comma: the depth stands behind it.
        const bool has_fraction = at < text.size && text.data[at] == '.';
        value = value * 100 + (has_fraction ? take_thousandths(text, &at) / 10 : 0);
        eval.centipawns = (int32_t)(is_negative ? -value : value);
    }
    if (at < text.size && text.data[at] == ',') {
        at++;
        if (!take_number(text, &at, 4, &value))
            return false;
        eval.depth = (int32_t)value;
    }
    if (at != text.size)
        return false;
    *out = eval;
    return true;
}

// ---- shapes -------------------------------------------------------------------------------------

static ChessSquare square_at(JdStr text, size_t at) {
    if (at + 2 > text.size)
        return CHESS_NO_SQUARE;
    const int file = text.data[at] - 'a';
    const int rank = text.data[at + 1] - '1';
    return file < 0 || file > 7 || rank < 0 || rank > 7 ? CHESS_NO_SQUARE
                                                        : chess_square(file, rank);
}

bool chess_pgn_shape_next(JdStr argument, size_t *at, ChessPgnShape *out) {
    size_t p = *at;
    while (p < argument.size && (argument.data[p] == ',' || argument.data[p] == ' '))
        p++;
    if (p >= argument.size || jd_str_find(JD_STR("GRYB"), argument.data[p]) == 4)
        return false;
    const ChessSquare from = square_at(argument, p + 1);
    if (from == CHESS_NO_SQUARE)
        return false;
    *out = (ChessPgnShape) { argument.data[p], from, square_at(argument, p + 3) };
    p += out->to == CHESS_NO_SQUARE ? 3 : 5;
    if (p < argument.size && argument.data[p] != ',' && argument.data[p] != ' ')
        return false;
    *at = p;
    return true;
}
