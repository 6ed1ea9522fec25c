// SPDX-License-Identifier: GPL-3.0-or-later
//
// Time controls and men in the words of people: "40 moves in 120 min, then 60 min + 30 s per move",
// "king, rook and 2 knights".
#include "cli/arbitrate_words.h"

// Which form a counted noun takes: 0 one, 1 a few (Russian 2 to 4, Romanian up to 19), 2 many.
static int form_of(uint64_t n, ArbLanguage language) {
    switch (language) {
    case ARB_RU:
        if (n % 10 == 1 && n % 100 != 11)
            return 0;
        return n % 10 >= 2 && n % 10 <= 4 && (n % 100 < 12 || n % 100 > 14) ? 1 : 2;
    case ARB_RO:
        return n == 1 ? 0 : n % 100 >= 1 && n % 100 <= 19 ? 1 : 2;
    case ARB_EN:
        break;
    }
    return n == 1 ? 0 : 1;
}

// ---- time controls ------------------------------------------------------------------------------

enum { DAY_MS = 86400000, MINUTE_MS = 60000 };

static const char *const units[ARB_LANGUAGE_COUNT][3] = { { " d", " min", " s" },
                                                          { " сут.", " мин", " с" },
                                                          { " zile", " min", " s" } };

void arb_put_span(JdOut *out, ArbLanguage language, int64_t ms) {
    if (ms >= DAY_MS && ms % DAY_MS == 0) {
        jd_out_u64(out, (uint64_t)(ms / DAY_MS));
        jd_out_cstr(out, ms == DAY_MS && language == ARB_RO ? " zi" : units[language][0]);
        return;
    }
    if (ms >= MINUTE_MS) {
        jd_out_u64(out, (uint64_t)(ms / MINUTE_MS));
        jd_out_cstr(out, units[language][1]);
        if (ms % MINUTE_MS == 0)
            return;
        jd_out_char(out, ' ');
    }
    jd_out_u64(out, (uint64_t)(ms % MINUTE_MS / 1000));
    if (ms % 1000 != 0) {
        static const char *const points[ARB_LANGUAGE_COUNT] = { ".", ",", "," };
        jd_out_cstr(out, points[language]);
        for (int64_t unit = 100, rest = ms % 1000; rest > 0; rest %= unit, unit /= 10)
            jd_out_char(out, (char)('0' + rest / unit));
    }
    jd_out_cstr(out, units[language][2]);
}

static void put_moves(JdOut *out, ArbLanguage language, uint32_t moves) {
    static const char *const nouns[ARB_LANGUAGE_COUNT][3] = {
        { " move", " moves", " moves" },
        { " ход", " хода", " ходов" },
        { " mutare", " mutări", " de mutări" },
    };
    jd_out_u64(out, moves);
    jd_out_cstr(out, nouns[language][form_of(moves, language)]);
}

static void put_period(JdOut *out, ArbLanguage language, const LawsPeriod *period) {
    if (period->moves > 0) {
        put_moves(out, language, period->moves);
        jd_out_cstr(out, arb_word(ARB_WORD_MOVES_IN, language));
    }
    arb_put_span(out, language, period->time_ms);
    if (period->increment_ms > 0) {
        jd_out_cstr(out, " + ");
        arb_put_span(out, language, period->increment_ms);
        jd_out_cstr(out, arb_word(ARB_WORD_PER_MOVE, language));
    }
    if (period->increment_moves > 0) {
        jd_out_cstr(out, " (");
        put_moves(out, language, period->increment_moves);
        jd_out_char(out, ')');
    }
    if (period->delay_ms > 0) {
        jd_out_cstr(out, arb_word(ARB_WORD_DELAY, language));
        arb_put_span(out, language, period->delay_ms);
        jd_out_cstr(out, arb_word(ARB_WORD_PER_MOVE, language));
        if (period->delay_kind == LAWS_BRONSTEIN)
            jd_out_cstr(out, arb_word(ARB_WORD_BRONSTEIN, language));
    }
}

void arb_put_control(JdOut *out, ArbLanguage language, const LawsControl *control) {
    if (control->move_ms > 0) {
        arb_put_span(out, language, control->move_ms);
        jd_out_cstr(out, arb_word(ARB_WORD_PER_MOVE, language));
    } else if (control->period_count == 0) {
        jd_out_cstr(out, arb_word(ARB_WORD_NO_CLOCK, language));
    }
    for (int i = 0; i < control->period_count; i++) {
        if (i > 0)
            jd_out_cstr(out, arb_word(ARB_WORD_THEN, language));
        put_period(out, language, &control->periods[i]);
    }
    if (control->repeat)
        jd_out_cstr(out, arb_word(ARB_WORD_AGAIN, language));
}

// ---- men ----------------------------------------------------------------------------------------

void arb_put_men(JdOut *out, ArbLanguage language, const ChessPosition *pos, ChessColor color) {
    static const struct {
        ChessKind kind;
        const char *names[ARB_LANGUAGE_COUNT][3];
    } men[] = {
        { CHESS_KING,
          { { "king", "kings", "kings" },
            { "король", "короля", "королей" },
            { "rege", "regi", "de regi" } } },
        { CHESS_QUEEN,
          { { "queen", "queens", "queens" },
            { "ферзь", "ферзя", "ферзей" },
            { "damă", "dame", "de dame" } } },
        { CHESS_ROOK,
          { { "rook", "rooks", "rooks" },
            { "ладья", "ладьи", "ладей" },
            { "turn", "turnuri", "de turnuri" } } },
        { CHESS_BISHOP,
          { { "bishop", "bishops", "bishops" },
            { "слон", "слона", "слонов" },
            { "nebun", "nebuni", "de nebuni" } } },
        { CHESS_KNIGHT,
          { { "knight", "knights", "knights" },
            { "конь", "коня", "коней" },
            { "cal", "cai", "de cai" } } },
        { CHESS_PAWN,
          { { "pawn", "pawns", "pawns" },
            { "пешка", "пешки", "пешек" },
            { "pion", "pioni", "de pioni" } } },
    };
    int left = 0;
    for (size_t i = 0; i < JD_COUNT(men); i++)
        left += (pos->kinds[men[i].kind] & pos->colors[color]) != 0;
    for (size_t i = 0, told = 0; i < JD_COUNT(men); i++) {
        const int count = __builtin_popcountll(pos->kinds[men[i].kind] & pos->colors[color]);
        if (count == 0)
            continue;
        left--;
        if (told++ > 0)
            jd_out_cstr(out, left == 0 ? arb_word(ARB_WORD_AND, language) : ", ");
        if (count > 1) {
            jd_out_u64(out, (uint64_t)count);
            jd_out_char(out, ' ');
        }
        jd_out_cstr(out, men[i].names[language][form_of((uint64_t)count, language)]);
    }
}
