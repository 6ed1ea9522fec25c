// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/uci.h"

const char *const uci_option_names[UCI_OPTION_COUNT] = {
    [UCI_MULTI_PV] = "MultiPV",      [UCI_LIMIT_STRENGTH] = "UCI_LimitStrength",
    [UCI_ELO] = "UCI_Elo",           [UCI_SKILL] = "Skill Level",
    [UCI_CHESS960] = "UCI_Chess960", [UCI_SHOW_WDL] = "UCI_ShowWDL",
};

static const struct {
    JdStr text;
    UciWord word;
} words[] = {
    { { "info ", 5 }, UCI_INFO },     { { "bestmove ", 9 }, UCI_BEST_MOVE },
    { { "option ", 7 }, UCI_OPTION }, { { "id name ", 8 }, UCI_ID_NAME },
    { { "uciok", 5 }, UCI_OK },       { { "readyok", 7 }, UCI_READY_OK },
};

UciLine uci_line(JdStr text) {
    text = jd_str_trim(text);
    for (size_t i = 0; i < JD_COUNT(words); i++)
        if (jd_str_starts_with(text, words[i].text))
            return (UciLine) { words[i].word,
                               jd_str_trim(jd_str_part(text, words[i].text.size, text.size)) };
    return (UciLine) { UCI_OTHER, text };
}

// The next word of a line; blanks may be many.
static JdStr next_word(JdStr *rest) {
    *rest = jd_str_trim(*rest);
    size_t size = 0;
    while (size < rest->size && rest->data[size] != ' ' && rest->data[size] != '\t')
        size++;
    const JdStr word = jd_str_part(*rest, 0, size);
    *rest = jd_str_part(*rest, size, rest->size);
    return word;
}

static bool is(JdStr word, const char *text) {
    return jd_str_equal(word, jd_str(text));
}

static bool parse_int(JdStr text, int64_t *out) {
    const bool is_negative = jd_str_starts_with(text, JD_STR("-"));
    uint64_t value;
    if (!jd_parse_u64(is_negative ? jd_str_part(text, 1, text.size) : text, INT64_MAX, &value))
        return false;
    *out = is_negative ? -(int64_t)value : (int64_t)value;
    return true;
}

bool uci_option_line(JdStr rest, UciOptionLine *out) {
    if (!is(next_word(&rest), "name"))
        return false;
    rest = jd_str_trim(rest);
    // A name may hold blanks: it ends where the word "type" begins.
    JdStr tail = rest;
    size_t size = 0;
    while (tail.size > 0) {
        const JdStr before = jd_str_trim(tail);
        if (is(next_word(&tail), "type")) {
            size = (size_t)(before.data - rest.data);
            break;
        }
    }
    if (size == 0)
        return false;
    *out = (UciOptionLine) { .name = jd_str_trim(jd_str_part(rest, 0, size)) };
    while (tail.size > 0) {
        const JdStr word = next_word(&tail);
        if (is(word, "min") && !parse_int(next_word(&tail), &out->min))
            return false;
        if (is(word, "max") && !parse_int(next_word(&tail), &out->max))
            return false;
    }
    return true;
}

static bool read_score(JdStr *rest, EngineLine *out, bool *is_bound) {
    const JdStr kind = next_word(rest);
    int64_t value;
    if (!parse_int(next_word(rest), &value) || value > 1000000 || value < -1000000)
        return false;
    out->score = (int32_t)value;
    out->is_mate = is(kind, "mate");
    const JdStr before = *rest;
    const JdStr word = next_word(rest);
    *is_bound = is(word, "lowerbound") || is(word, "upperbound");
    if (!*is_bound)
        *rest = before;
    return out->is_mate || is(kind, "cp");
}

static bool read_wdl(JdStr *rest, EngineLine *out) {
    for (int i = 0; i < 3; i++) {
        uint64_t value;
        if (!jd_parse_u64(next_word(rest), 1000, &value))
            return false;
        out->wdl[i] = (uint16_t)value;
    }
    out->has_wdl = true;
    return true;
}

static void read_moves(JdStr *rest, const ChessPosition *pos, EngineLine *out) {
    ChessPosition here = *pos;
    while (out->count < ENGINE_LINE_PLIES) {
        ChessMove move;
        ChessUndo undo;
        if (!chess_uci_parse(next_word(rest), &here, &move, NULL))
            return;
        out->moves[out->count++] = move;
        chess_move_make(&here, move, &undo);
    }
}

bool uci_info_line(JdStr rest, const ChessPosition *pos, uint32_t *number, EngineLine *out,
                   uint64_t *nodes) {
    EngineLine line = { 0 };
    uint64_t which = 1;
    uint64_t counted = 0;
    bool has_score = false;
    bool is_bound = false;
    while (rest.size > 0) {
        const JdStr word = next_word(&rest);
        uint64_t value;
        if (is(word, "string"))
            return false;
        if (is(word, "depth")) {
            if (!jd_parse_u64(next_word(&rest), UINT16_MAX, &value))
                return false;
            line.depth = (uint16_t)value;
        } else if (is(word, "multipv")) {
            if (!jd_parse_u64(next_word(&rest), ENGINE_LINES_MAX, &which) || which == 0)
                return false;
        } else if (is(word, "nodes")) {
            if (!jd_parse_u64(next_word(&rest), UINT64_MAX / 2, &counted))
                return false;
        } else if (is(word, "score")) {
            if (!read_score(&rest, &line, &is_bound))
                return false;
            has_score = true;
        } else if (is(word, "wdl")) {
            if (!read_wdl(&rest, &line))
                return false;
        } else if (is(word, "pv")) {
            read_moves(&rest, pos, &line);
            break; // the moves are the last thing of a line
        }
    }
    if (counted > 0)
        *nodes = counted;
    if (!has_score || is_bound || line.count == 0)
        return false;
    *number = (uint32_t)which;
    *out = line;
    return true;
}

bool uci_best_move(JdStr rest, const ChessPosition *pos, ChessMove *out) {
    return chess_uci_parse(next_word(&rest), pos, out, NULL);
}
