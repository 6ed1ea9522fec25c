// SPDX-License-Identifier: GPL-3.0-or-later
//
// Extended Position Description (PGN standard 16.2), read and written.
#include <jadoube/epd.h>

#include <jadoube/notation.h>

// Counters EPD can give.
#define COUNTER_MAX 65535

static const struct {
    const char *opcode;
    uint8_t type;
} types[] = {
    { "acd", CHESS_EPD_UNSIGNED },
    { "acn", CHESS_EPD_UNSIGNED },
    { "acs", CHESS_EPD_UNSIGNED },
    { "am", CHESS_EPD_MOVES },
    { "bm", CHESS_EPD_MOVES },
    { "ce", CHESS_EPD_SIGNED },
    { "dm", CHESS_EPD_UNSIGNED },
    { "draw_accept", CHESS_EPD_NOTHING },
    { "draw_claim", CHESS_EPD_NOTHING },
    { "draw_offer", CHESS_EPD_NOTHING },
    { "draw_reject", CHESS_EPD_NOTHING },
    { "eco", CHESS_EPD_STRING },
    { "fmvn", CHESS_EPD_UNSIGNED },
    { "hmvc", CHESS_EPD_UNSIGNED },
    { "id", CHESS_EPD_STRING },
    { "nic", CHESS_EPD_STRING },
    { "noop", CHESS_EPD_ANY },
    { "pm", CHESS_EPD_MOVE },
    { "pv", CHESS_EPD_LINE },
    { "rc", CHESS_EPD_UNSIGNED },
    { "resign", CHESS_EPD_NOTHING },
    { "sm", CHESS_EPD_MOVE },
    { "tcgs", CHESS_EPD_UNSIGNED },
    { "tcri", CHESS_EPD_STRINGS },
    { "tcsi", CHESS_EPD_STRINGS },
};

ChessEpdType chess_epd_type(JdStr opcode) {
    for (size_t i = 0; i < JD_COUNT(types); i++)
        if (jd_str_equal(opcode, jd_str(types[i].opcode)))
            return (ChessEpdType)types[i].type;
    // c0 to c9 and v0 to v9.
    if (opcode.size == 2 && (opcode.data[0] == 'c' || opcode.data[0] == 'v') &&
        opcode.data[1] >= '0' && opcode.data[1] <= '9')
        return CHESS_EPD_STRING;
    return CHESS_EPD_ANY;
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

static size_t skip_blanks(JdStr text, size_t at) {
    while (at < text.size && is_blank(text.data[at]))
        at++;
    return at;
}

// ---- operands -----------------------------------------------------------------------------------

bool chess_epd_operand_next(const ChessEpdOperation *operation, size_t *at, JdStr *out) {
    const JdStr text = operation->operands;
    size_t begin = skip_blanks(text, *at);
    if (begin >= text.size)
        return false;
    size_t end = begin;
    if (text.data[begin] == '"') {
        begin++;
        end = begin;
        while (end < text.size && text.data[end] != '"')
            end++;
        *at = end < text.size ? end + 1 : end;
    } else {
        while (end < text.size && !is_blank(text.data[end]))
            end++;
        *at = end;
    }
    *out = jd_str_part(text, begin, end - begin);
    return true;
}

static bool read_number(JdStr word, bool has_sign, int64_t *out) {
    uint64_t magnitude = 0;
    const bool is_negative = word.size > 0 && word.data[0] == '-';
    const size_t skip =
        word.size > 0 && (word.data[0] == '-' || word.data[0] == '+') && has_sign ? 1 : 0;
    if (!jd_parse_u64(jd_str_part(word, skip, word.size), INT64_MAX, &magnitude))
        return false;
    *out = is_negative && skip == 1 ? -(int64_t)magnitude : (int64_t)magnitude;
    return true;
}

bool chess_epd_number(const ChessEpdOperation *operation, int64_t *out) {
    JdStr word;
    size_t at = 0;
    return chess_epd_operand_next(operation, &at, &word) && read_number(word, true, out);
}

static bool fail_operand(const ChessEpdOperation *operation, JdStr text, size_t at,
                         const char *expected, JdErr *err) {
    const bool is_empty = operation->operands.size == 0;
    const size_t offset =
        is_empty ? text.size : (size_t)(operation->operands.data - text.data) + at;
    return jd_fail(err, CHESS_EPD_BAD_OPERAND, offset, "operation %.*s: %s",
                   JD_PRINT(operation->opcode), expected);
}

// Moves of the position, or one after the other. text: what offsets are counted in.
static bool check_moves(const ChessPosition *start, const ChessEpdOperation *operation, JdStr text,
                        ChessEpdType type, JdErr *err) {
    ChessPosition pos = *start;
    size_t at = 0;
    int count = 0;
    JdStr word;
    for (size_t before = 0; chess_epd_operand_next(operation, &at, &word); before = at) {
        ChessReading reading;
        JdErr move_err = { 0 };
        if (!chess_notation_parse(word, &pos, CHESS_ENGLISH, CHESS_TOLERATE_DEFAULT, &reading,
                                  &move_err)) {
            const size_t offset = skip_blanks(operation->operands, before);
            return fail_operand(operation, text, offset, move_err.text, err);
        }
        if (type == CHESS_EPD_LINE)
            chess_move_make(&pos, reading.move, NULL);
        count++;
    }
    if (count == 0)
        return fail_operand(operation, text, 0, "a move expected", err);
    if (count > 1 && type == CHESS_EPD_MOVE)
        return fail_operand(operation, text, 0, "one move expected", err);
    return true;
}

static bool check_operands(const ChessPosition *pos, const ChessEpdOperation *operation, JdStr text,
                           JdErr *err) {
    const ChessEpdType type = chess_epd_type(operation->opcode);
    JdStr word;
    int64_t number = 0;
    int count = 0;
    size_t at = 0;
    switch (type) {
    case CHESS_EPD_ANY:
        return true;
    case CHESS_EPD_MOVE:
    case CHESS_EPD_MOVES:
    case CHESS_EPD_LINE:
        return check_moves(pos, operation, text, type, err);
    case CHESS_EPD_NOTHING:
        if (operation->operands.size > 0)
            return fail_operand(operation, text, 0, "no operand expected", err);
        return true;
    case CHESS_EPD_STRING: {
        // Common files leave the quotes out (id WAC.001); then all words are one string.
        const JdStr string = operation->operands;
        const size_t quote = jd_str_find(string, '"');
        const bool is_quoted =
            quote == 0 && string.size > 1 &&
            jd_str_find(jd_str_part(string, 1, string.size), '"') == string.size - 2;
        if (!is_quoted && (string.size == 0 || quote < string.size))
            return fail_operand(operation, text, 0, "one string expected", err);
        return true;
    }
    case CHESS_EPD_UNSIGNED:
    case CHESS_EPD_SIGNED:
    case CHESS_EPD_STRINGS:
        break;
    }
    while (chess_epd_operand_next(operation, &at, &word)) {
        count++;
        if (type != CHESS_EPD_STRINGS && !read_number(word, type == CHESS_EPD_SIGNED, &number))
            return fail_operand(operation, text, 0, "a number expected", err);
    }
    if (type == CHESS_EPD_STRINGS ? count < 1 || count > 2 : count != 1)
        return fail_operand(operation, text, 0, "wrong number of operands", err);
    return true;
}

size_t chess_epd_moves(const ChessEpd *epd, const ChessEpdOperation *operation, ChessMove *out,
                       size_t capacity) {
    const ChessEpdType type = chess_epd_type(operation->opcode);
    if (type != CHESS_EPD_MOVE && type != CHESS_EPD_MOVES && type != CHESS_EPD_LINE)
        return 0;
    ChessPosition pos = epd->position;
    size_t count = 0;
    size_t at = 0;
    JdStr word;
    while (chess_epd_operand_next(operation, &at, &word)) {
        ChessReading reading;
        if (!chess_notation_parse(word, &pos, CHESS_ENGLISH, CHESS_TOLERATE_DEFAULT, &reading,
                                  NULL))
            break;
        if (count < capacity)
            out[count] = reading.move;
        count++;
        if (type == CHESS_EPD_LINE)
            chess_move_make(&pos, reading.move, NULL);
    }
    return count;
}

// ---- operations ---------------------------------------------------------------------------------

const ChessEpdOperation *chess_epd_find(const ChessEpd *epd, JdStr opcode) {
    for (int i = 0; i < epd->count; i++)
        if (jd_str_equal(epd->operations[i].opcode, opcode))
            return &epd->operations[i];
    return NULL;
}

bool chess_epd_remove(ChessEpd *epd, JdStr opcode) {
    const ChessEpdOperation *found = chess_epd_find(epd, opcode);
    if (found == NULL)
        return false;
    epd->count--;
    for (int i = (int)(found - epd->operations); i < epd->count; i++)
        epd->operations[i] = epd->operations[i + 1];
    return true;
}

static bool is_opcode(JdStr word) {
    for (size_t i = 0; i < word.size; i++) {
        const char c = word.data[i];
        const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (!is_letter && (i == 0 || (!(c >= '0' && c <= '9') && c != '_')))
            return false;
    }
    return word.size > 0 && word.size < 15;
}

// text: what offsets are counted in; opcode and operands point into it or stand alone.
static bool add(ChessEpd *epd, ChessEpdOperation operation, JdStr text, JdErr *err) {
    if (!check_operands(&epd->position, &operation, text, err))
        return false;
    const bool is_halfmove = jd_str_equal(operation.opcode, JD_STR("hmvc"));
    if (is_halfmove || jd_str_equal(operation.opcode, JD_STR("fmvn"))) {
        int64_t number = 0;
        if (!chess_epd_number(&operation, &number) || number > COUNTER_MAX ||
            (!is_halfmove && number == 0))
            return fail_operand(&operation, text, 0, "a counter of at most 65535 expected", err);
        if (is_halfmove)
            epd->position.halfmove_clock = (uint16_t)number;
        else
            epd->position.fullmove_number = (uint32_t)number;
        epd->has_counters = true;
        return true;
    }
    if (epd->count == CHESS_EPD_OPERATIONS_MAX)
        return jd_fail(err, CHESS_EPD_TOO_MANY, (size_t)(operation.opcode.data - text.data),
                       "more than %d operations", CHESS_EPD_OPERATIONS_MAX);
    epd->operations[epd->count++] = operation;
    return true;
}

bool chess_epd_set(ChessEpd *epd, JdStr opcode, JdStr operands, JdErr *err) {
    ChessEpdOperation operation = { opcode, jd_str_trim(operands) };
    if (!is_opcode(opcode))
        return jd_fail(err, CHESS_EPD_BAD_OPCODE, 0,
                       "an opcode is a letter and up to 13 more signs");
    bool in_string = false;
    for (size_t i = 0; i < operands.size; i++) {
        in_string ^= operands.data[i] == '"';
        if ((operands.data[i] == ';' && !in_string) || (unsigned char)operands.data[i] < 0x20)
            return jd_fail(err, CHESS_EPD_BAD_OPERAND, i,
                           "\";\" and control characters need quotes");
    }
    if (in_string)
        return jd_fail(err, CHESS_EPD_UNCLOSED_STRING, operands.size, "closing quote expected");
    ChessEpd changed = *epd;
    (void)chess_epd_remove(&changed, opcode);
    if (!add(&changed, operation, operation.operands, err))
        return false;
    *epd = changed;
    return true;
}

// ---- lines --------------------------------------------------------------------------------------

// The end of the fields that begin at *at: so many words.
static size_t end_of_words(JdStr text, size_t at, int words) {
    size_t end = at;
    for (int i = 0; i < words; i++) {
        at = skip_blanks(text, end);
        if (at == text.size)
            break;
        end = at;
        while (end < text.size && !is_blank(text.data[end]) && text.data[end] != ';')
            end++;
    }
    return end;
}

static bool is_number(JdStr word) {
    for (size_t i = 0; i < word.size; i++)
        if (word.data[i] < '0' || word.data[i] > '9')
            return false;
    return word.size > 0;
}

// The word at or behind at, and where it ends.
static JdStr word_at(JdStr text, size_t at, size_t *end) {
    const size_t begin = skip_blanks(text, at);
    *end = end_of_words(text, begin, 1);
    return jd_str_part(text, begin, *end > begin ? *end - begin : 0);
}

// The four fields, and the two counters of a FEN record where they stand. *at moves behind them.
static bool read_position(JdStr text, size_t *at, ChessEpd *epd, JdErr *err) {
    char fen[CHESS_FEN_TEXT_MAX + 8];
    const size_t begin = skip_blanks(text, 0);
    size_t end = end_of_words(text, begin, 3);
    JdStr word = word_at(text, end, &end);
    if (word.size == 0)
        return jd_fail(err, CHESS_EPD_BAD_POSITION, text.size,
                       "four fields of a position expected");
    size_t counters_end = end;
    word = word_at(text, counters_end, &counters_end);
    epd->has_counters = is_number(word) && is_number(word_at(text, counters_end, &counters_end));
    if (epd->has_counters)
        end = counters_end;

    JdOut out = jd_out(fen, sizeof fen);
    size_t places[sizeof fen] = { 0 }; // where each byte of the record stands in the text
    for (size_t i = begin; i < end && out.size < sizeof fen; i++) {
        if (is_blank(text.data[i]) && is_blank(text.data[i - 1]))
            continue;
        places[out.size] = i;
        jd_out_char(&out, is_blank(text.data[i]) ? ' ' : text.data[i]);
    }
    const size_t size = out.size;
    if (!epd->has_counters)
        jd_out_cstr(&out, " 0 1");
    if (!jd_out_fits(&out))
        return jd_fail(err, CHESS_EPD_BAD_POSITION, begin, "a position has at most %d bytes",
                       CHESS_FEN_TEXT_MAX);
    JdErr fen_err = { 0 };
    if (!chess_fen_parse(jd_out_str(&out), &epd->position, &fen_err))
        return jd_fail(err, CHESS_EPD_BAD_POSITION,
                       fen_err.offset < size ? places[fen_err.offset] : end, "%s", fen_err.text);
    *at = end;
    return true;
}

// One operation up to its ";"; *at moves behind it.
static bool read_operation(JdStr text, size_t *at, ChessEpd *epd, JdErr *err) {
    const size_t begin = *at;
    size_t end = begin;
    while (end < text.size && !is_blank(text.data[end]) && text.data[end] != ';')
        end++;
    ChessEpdOperation operation = { .opcode = jd_str_part(text, begin, end - begin) };
    if (!is_opcode(operation.opcode))
        return jd_fail(err, CHESS_EPD_BAD_OPCODE, begin,
                       "an opcode is a letter and up to 13 more signs");
    if (chess_epd_find(epd, operation.opcode) != NULL)
        return jd_fail(err, CHESS_EPD_TWICE, begin, "opcode %.*s stands twice",
                       JD_PRINT(operation.opcode));
    size_t operands = skip_blanks(text, end);
    end = operands;
    bool in_string = false;
    for (; end < text.size && (in_string || text.data[end] != ';'); end++)
        in_string ^= text.data[end] == '"';
    if (in_string)
        return jd_fail(err, CHESS_EPD_UNCLOSED_STRING, end, "closing quote expected");
    *at = end < text.size ? end + 1 : end;
    while (end > operands && is_blank(text.data[end - 1]))
        end--;
    operation.operands = jd_str_part(text, operands, end - operands);
    return add(epd, operation, text, err);
}

bool chess_epd_parse(JdStr text, ChessEpd *out, JdErr *err) {
    ChessEpd epd = { .count = 0 };
    if (text.size > CHESS_EPD_TEXT_MAX)
        return jd_fail(err, CHESS_EPD_TOO_LONG, CHESS_EPD_TEXT_MAX, "a line of more than %d bytes",
                       CHESS_EPD_TEXT_MAX);
    while (text.size > 0 && (text.data[text.size - 1] == '\r' || text.data[text.size - 1] == '\n'))
        text.size--;
    for (size_t i = 0; i < text.size; i++)
        if ((unsigned char)text.data[i] < 0x20 && text.data[i] != '\t')
            return jd_fail(err, CHESS_EPD_BAD_OPCODE, i, "byte 0x%02x has no place in a line",
                           (unsigned)(unsigned char)text.data[i]);
    size_t at = 0;
    if (!read_position(text, &at, &epd, err))
        return false;
    for (;;) {
        while (at < text.size && (is_blank(text.data[at]) || text.data[at] == ';'))
            at++;
        if (at == text.size)
            break;
        if (!read_operation(text, &at, &epd, err))
            return false;
    }
    *out = epd;
    return true;
}

// ---- writing ------------------------------------------------------------------------------------

size_t chess_epd_quote(JdStr text, char *data, size_t capacity) {
    JdOut out = jd_out(data, capacity);
    jd_out_char(&out, '"');
    for (size_t i = 0; i < text.size; i++) {
        const char c = text.data[i];
        jd_out_char(&out, c == '"' ? '\'' : (char)((unsigned char)c < 0x20 ? ' ' : c));
    }
    jd_out_char(&out, '"');
    return out.size;
}

static void write_operands(JdOut *out, const ChessEpdOperation *operation) {
    if (chess_epd_type(operation->opcode) == CHESS_EPD_STRING && operation->operands.size > 0 &&
        operation->operands.data[0] != '"') {
        jd_out_cstr(out, " \"");
        jd_out_text(out, operation->operands);
        jd_out_char(out, '"');
        return;
    }
    // Blanks between operands are single ones; those in strings stay.
    bool in_string = false;
    jd_out_char(out, ' ');
    for (size_t i = 0; i < operation->operands.size; i++) {
        const char c = operation->operands.data[i];
        in_string ^= c == '"';
        if (in_string || !is_blank(c) || !is_blank(operation->operands.data[i - 1]))
            jd_out_char(out, is_blank(c) && !in_string ? ' ' : c);
    }
}

size_t chess_epd_write(const ChessEpd *epd, char *text, size_t capacity) {
    JdOut out = jd_out(text, capacity > 0 ? capacity - 1 : 0);
    char fen[CHESS_FEN_SIZE];
    const JdStr record = jd_str_n(fen, chess_fen_write(&epd->position, CHESS_FEN_EP_LEGAL, fen));
    jd_out_text(&out, jd_str_part(record, 0, end_of_words(record, 0, 4)));

    char counters[2][16];
    ChessEpdOperation all[CHESS_EPD_OPERATIONS_MAX + 2];
    int count = 0;
    if (epd->has_counters) {
        (void)jd_format(counters[0], sizeof counters[0], "%u",
                        (unsigned)epd->position.halfmove_clock);
        (void)jd_format(counters[1], sizeof counters[1], "%u", epd->position.fullmove_number);
        all[count++] = (ChessEpdOperation) { JD_STR("fmvn"), jd_str(counters[1]) };
        all[count++] = (ChessEpdOperation) { JD_STR("hmvc"), jd_str(counters[0]) };
    }
    for (int i = 0; i < epd->count; i++) {
        int at = count++;
        for (; at > 0 && jd_str_compare(all[at - 1].opcode, epd->operations[i].opcode) > 0; at--)
            all[at] = all[at - 1];
        all[at] = epd->operations[i];
    }
    for (int i = 0; i < count; i++) {
        jd_out_char(&out, ' ');
        jd_out_text(&out, all[i].opcode);
        if (all[i].operands.size > 0)
            write_operands(&out, &all[i]);
        jd_out_char(&out, ';');
    }
    if (capacity > 0)
        text[jd_out_str(&out).size] = '\0';
    return out.size;
}
