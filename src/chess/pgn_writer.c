// SPDX-License-Identifier: GPL-3.0-or-later
//
// The PGN writer: export format (PGN standard 3.2 and 8) and the liberties asked for.
#include <jadoube/pgn.h>

void chess_pgn_writer_init(ChessPgnWriter *writer, ChessPgnSink sink, void *context, ChessForm form,
                           ChessLanguage language, int width) {
    JD_ASSERT(sink != NULL);
    JD_ASSERT((unsigned)language < CHESS_LANGUAGE_COUNT);
    JD_ASSERT(width >= 0 && width <= 0xffff);
    *writer = (ChessPgnWriter) {
        .sink = sink,
        .context = context,
        .form = (uint8_t)form,
        .language = (uint8_t)language,
        .needs_number = true,
        .width = (uint16_t)width,
    };
}

static void emit(ChessPgnWriter *writer, JdStr text) {
    if (text.size > 0)
        writer->sink(writer->context, text);
}

static void end_line(ChessPgnWriter *writer) {
    emit(writer, JD_STR("\n"));
    writer->column = 0;
}

// ---- tags ---------------------------------------------------------------------------------------

// PGN standard 8.1.1: the tags every game has, in this order, and what stands for a missing value.
static const struct {
    const char *name;
    const char *missing;
} roster[] = {
    { "Event", "?" }, { "Site", "?" },  { "Date", "????.??.??" }, { "Round", "?" },
    { "White", "?" }, { "Black", "?" }, { "Result", "*" },
};
enum { ROSTER_RESULT = 6 };

static bool is_symbol(JdStr name) {
    for (size_t i = 0; i < name.size; i++) {
        const char c = name.data[i];
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
              c == '_'))
            return false;
    }
    return name.size > 0;
}

static void write_tag(ChessPgnWriter *writer, JdStr name, JdStr value) {
    emit(writer, JD_STR("["));
    emit(writer, name);
    emit(writer, JD_STR(" \""));
    size_t begin = 0; // of what goes out unchanged
    for (size_t i = 0; i < value.size; i++) {
        const char c = value.data[i];
        const bool is_control = (unsigned char)c < 0x20 || c == 0x7f;
        if (c != '"' && c != '\\' && !is_control)
            continue;
        emit(writer, jd_str_part(value, begin, i - begin));
        emit(writer, is_control ? JD_STR(" ") : JD_STR("\\"));
        begin = is_control ? i + 1 : i;
    }
    emit(writer, jd_str_part(value, begin, value.size - begin));
    emit(writer, JD_STR("\"]\n"));
}

static const ChessPgnTag *find_tag(const ChessPgnTag *tags, size_t count, JdStr name) {
    for (size_t i = 0; i < count; i++)
        if (jd_str_equal(tags[i].name, name))
            return &tags[i];
    return NULL;
}

// By name; equal names keep their order, so that the first of them is known. Heap sort would not
// keep it; games have few tags, and the callers bound them.
static void sort_tags(ChessPgnTag *tags, size_t count) {
    for (size_t i = 1; i < count; i++) {
        const ChessPgnTag tag = tags[i];
        size_t at = i;
        for (; at > 0 && jd_str_compare(tags[at - 1].name, tag.name) > 0; at--)
            tags[at] = tags[at - 1];
        tags[at] = tag;
    }
}

void chess_pgn_write_tags(ChessPgnWriter *writer, ChessPgnTag *tags, size_t count,
                          ChessPgnResult result) {
    for (size_t i = 0; i < JD_COUNT(roster); i++) {
        const ChessPgnTag *tag = find_tag(tags, count, jd_str(roster[i].name));
        JdStr value = tag != NULL ? tag->value : jd_str(roster[i].missing);
        if (i == ROSTER_RESULT && result != CHESS_PGN_NO_RESULT)
            value = jd_str(chess_pgn_result_text(result));
        write_tag(writer, jd_str(roster[i].name), value);
    }
    sort_tags(tags, count);
    for (size_t i = 0; i < count; i++) {
        bool is_written = i > 0 && jd_str_equal(tags[i].name, tags[i - 1].name);
        for (size_t k = 0; k < JD_COUNT(roster); k++)
            is_written |= jd_str_equal(tags[i].name, jd_str(roster[k].name));
        if (!is_written && is_symbol(tags[i].name))
            write_tag(writer, tags[i].name, tags[i].value);
    }
    end_line(writer);
    writer->needs_number = true;
    writer->bracket_waits = false;
}

// ---- movetext -----------------------------------------------------------------------------------

// Columns a text takes: characters, not bytes.
static uint32_t columns_of(JdStr text) {
    uint32_t columns = 0;
    for (size_t i = 0; i < text.size; i++)
        columns += ((unsigned char)text.data[i] & 0xc0) != 0x80;
    return columns;
}

// Goes to where a word of this width can stand: behind a blank, or on the next line.
static void make_room(ChessPgnWriter *writer, uint32_t columns) {
    if (writer->column == 0)
        return;
    if (writer->width != 0 && writer->column + 1 + columns > writer->width) {
        end_line(writer);
    } else {
        emit(writer, JD_STR(" "));
        writer->column++;
    }
}

// A word, with the bracket that waits for it.
static void write_word(ChessPgnWriter *writer, JdStr word) {
    const uint32_t columns = columns_of(word) + writer->bracket_waits;
    make_room(writer, columns);
    if (writer->bracket_waits)
        emit(writer, JD_STR("("));
    emit(writer, word);
    writer->column += columns;
    writer->bracket_waits = false;
}

static void write_number(ChessPgnWriter *writer, const ChessPosition *before) {
    const bool is_white = before->side_to_move == CHESS_WHITE;
    if (is_white || writer->needs_number) {
        char text[16];
        (void)jd_format(text, sizeof text, is_white ? "%u." : "%u...", before->fullmove_number);
        write_word(writer, jd_str(text));
    }
    writer->needs_number = false;
}

void chess_pgn_write_move(ChessPgnWriter *writer, const ChessPosition *before, ChessMove move) {
    char text[CHESS_NOTATION_SIZE];
    const size_t size = chess_notation_write(before, move, (ChessForm)writer->form,
                                             (ChessLanguage)writer->language, text);
    write_number(writer, before);
    write_word(writer, jd_str_n(text, size));
}

void chess_pgn_write_null_move(ChessPgnWriter *writer, const ChessPosition *before) {
    write_number(writer, before);
    write_word(writer, JD_STR("--"));
}

void chess_pgn_write_nag(ChessPgnWriter *writer, int nag) {
    char text[16];
    (void)jd_format(text, sizeof text, "$%d", nag);
    write_word(writer, jd_str(text));
}

void chess_pgn_write_variation_begin(ChessPgnWriter *writer) {
    if (writer->bracket_waits)
        write_word(writer, JD_STR(""));
    writer->bracket_waits = true;
    writer->needs_number = true;
}

void chess_pgn_write_variation_end(ChessPgnWriter *writer) {
    if (writer->bracket_waits)
        write_word(writer, JD_STR(""));
    if (writer->width != 0 && writer->column + 1 > writer->width)
        end_line(writer);
    emit(writer, JD_STR(")"));
    writer->column++;
    writer->needs_number = true;
}

// ---- comments -----------------------------------------------------------------------------------

static bool is_blank(char c) {
    return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\v' || c == '\f';
}

static JdStr cut_word(JdStr *rest) {
    size_t begin = 0;
    while (begin < rest->size && is_blank(rest->data[begin]))
        begin++;
    size_t end = begin;
    while (end < rest->size && !is_blank(rest->data[end]))
        end++;
    const JdStr word = jd_str_part(*rest, begin, end - begin);
    *rest = jd_str_part(*rest, end, rest->size - end);
    return word;
}

// Text with a "}" cannot stand in braces. It gets a line of its own, however long.
static void write_line_comment(ChessPgnWriter *writer, JdStr text) {
    if (writer->bracket_waits)
        write_word(writer, JD_STR(""));
    make_room(writer, 1);
    emit(writer, JD_STR(";"));
    for (JdStr word = cut_word(&text); word.size > 0; word = cut_word(&text)) {
        emit(writer, JD_STR(" "));
        emit(writer, word);
    }
    end_line(writer);
}

void chess_pgn_write_comment(ChessPgnWriter *writer, JdStr text) {
    writer->needs_number = true;
    if (jd_str_find(text, '}') < text.size) {
        write_line_comment(writer, text);
        return;
    }
    // The braces hang on the first and the last word: "{first ... last}".
    JdStr word = cut_word(&text);
    bool is_first = true;
    for (;;) {
        const JdStr next = cut_word(&text);
        const bool is_last = next.size == 0;
        const uint32_t columns =
            columns_of(word) + (uint32_t)is_first + (uint32_t)is_last + writer->bracket_waits;
        make_room(writer, columns);
        if (writer->bracket_waits)
            emit(writer, JD_STR("("));
        writer->bracket_waits = false;
        if (is_first)
            emit(writer, JD_STR("{"));
        // A tag in the first column of a line would end the comment for readers that look for the
        // next game, "%" there would be an escape.
        if (writer->column == 0 && !is_first && (word.data[0] == '[' || word.data[0] == '%')) {
            emit(writer, JD_STR(" "));
            writer->column = 1;
        }
        emit(writer, word);
        if (is_last)
            emit(writer, JD_STR("}"));
        writer->column += columns;
        if (is_last)
            return;
        word = next;
        is_first = false;
    }
}

void chess_pgn_write_escape(ChessPgnWriter *writer, JdStr text) {
    if (writer->bracket_waits)
        write_word(writer, JD_STR(""));
    if (writer->column > 0)
        end_line(writer);
    size_t size = 0;
    while (size < text.size && text.data[size] != '\n' && text.data[size] != '\r')
        size++;
    emit(writer, JD_STR("%"));
    emit(writer, jd_str_part(text, 0, size));
    end_line(writer);
}

void chess_pgn_write_result(ChessPgnWriter *writer, ChessPgnResult result) {
    write_word(writer, jd_str(chess_pgn_result_text(result)));
    end_line(writer);
    end_line(writer);
}
