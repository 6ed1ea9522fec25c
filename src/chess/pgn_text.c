// SPDX-License-Identifier: GPL-3.0-or-later
//
// The PGN reader's texts: tag pairs and comments. Neither is ever looked at twice: a token that the
// data cut off is taken up again where the look stopped.
#include <jadoube/pgn.h>

#include "chess/pgn_reader.h"
#include "chess/pgn_scan.h"

static bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

static bool is_line_end(char c) {
    return c == '\n' || c == '\r';
}

static bool is_name(char c) {
    return (unsigned char)((c | 0x20) - 'a') < 26 || (unsigned char)(c - '0') < 10 || c == '_';
}

// Replaces what is no UTF-8, and NUL, by question marks; tells of the first unless told already.
static void repair_utf8(ChessPgnReader *reader, char *text, size_t size, uint8_t *told) {
    size_t at = 0;
    size_t nul = jd_str_find(jd_str_n(text, size), '\0');
    for (;;) {
        size_t bad = 0;
        if (jd_utf8_valid(jd_str_n(text + at, nul - at), &bad)) {
            if (nul == size)
                return;
            bad = nul - at;
            nul += 1 + jd_str_find(jd_str_n(text + nul + 1, size - nul - 1), '\0');
        }
        at += bad;
        if (!*told)
            chess_pgn_warn(reader, CHESS_PGN_MALFORMED_UTF8, text + at,
                           "byte 0x%02x is no UTF-8 text here", (unsigned)(unsigned char)text[at]);
        *told = true;
        text[at] = '?';
    }
}

// ---- comments -----------------------------------------------------------------------------------

// Whether an Event tag begins at a line end in a comment: then the comment was never closed. cut:
// the data ends before that can be said.
static bool event_follows(const char *line_end, const char *end, bool *cut) {
    static const char tag[] = "[Event \"";
    for (size_t i = 0; i < sizeof tag - 1; i++) {
        if (line_end + 1 + i >= end) {
            *cut = true;
            return false;
        }
        if (line_end[1 + i] != tag[i])
            return false;
    }
    return true;
}

static void hand_on(ChessPgnReader *reader, char *text, const char *end, bool more) {
    const size_t size = (size_t)(end - text);
    if (reader->comment_high)
        repair_utf8(reader, text, size, &reader->comment_bad);
    if (reader->state == PGN_IN_ESCAPE) {
        if (reader->visitor.escape != NULL)
            reader->visitor.escape(reader->context, jd_str_n(text, size), more);
    } else if (reader->visitor.comment != NULL) {
        reader->visitor.comment(reader->context, jd_str_n(text, size), reader->state == PGN_IN_LINE,
                                more);
    }
}

// Whether a piece of comment is looked at: for the visitor, or because it may hold malformed UTF-8.
static bool wants_comment(const ChessPgnReader *reader) {
    if (reader->in_game && chess_pgn_is_dead(reader))
        return false;
    const bool is_escape = reader->state == PGN_IN_ESCAPE;
    return reader->comment_high ||
           (is_escape ? reader->visitor.escape != NULL : reader->visitor.comment != NULL);
}

// Ends the comment at text_end and goes on at next.
static bool comment_ends(ChessPgnReader *reader, char *text_end, char *next, uint64_t high) {
    reader->comment_high |= high != 0;
    if (wants_comment(reader))
        hand_on(reader, reader->at, text_end, false);
    reader->at = next;
    reader->scanned = 0;
    reader->state = PGN_IN_TEXT;
    reader->comment_cut = false;
    reader->comment_bad = false;
    reader->comment_high = false;
    return true;
}

// The data ends inside the comment; known: nothing before it ends the comment.
static bool comment_goes_on(ChessPgnReader *reader, char *known, PgnSupply supply, uint64_t high) {
    reader->comment_high |= high != 0;
    if (supply == PGN_MORE_COMES) {
        reader->scanned = (size_t)(known - reader->at);
        return false;
    }
    // The buffer is full of comment: hand on what is known, but no half of a character.
    char *cut = known;
    for (int i = 0; i < 3 && cut > reader->at + 1 && ((unsigned char)*cut & 0xc0) == 0x80; i++)
        cut--;
    if (cut == reader->at)
        cut = known > reader->at ? known : reader->end;
    if (!reader->comment_cut) {
        chess_pgn_mark(reader, reader->at);
        reader->long_comment = (ChessPgnProblem) {
            .game = reader->game.number,
            .line = reader->mark_line,
            .offset = reader->mark_offset,
            .column = reader->mark_offset - reader->mark_line_begin + 1,
            .depth = reader->depth,
        };
    }
    if (wants_comment(reader))
        hand_on(reader, reader->at, cut, true);
    reader->comment_cut = true;
    reader->at = cut;
    reader->scanned = (size_t)(known > cut ? known - cut : 0);
    return false;
}

static bool read_braces(ChessPgnReader *reader, PgnSupply supply) {
    char *const end = reader->end;
    char *p = reader->at + reader->scanned;
    uint64_t high = 0;
    for (;; p++) {
        p = find_brace(p, end, &high);
        if (p == end)
            break;
        if (*p == '}')
            return comment_ends(reader, p, p + 1, high);
        if (*p == '\0')
            high = 1;
        if (*p != '\n')
            continue;
        bool cut = false;
        if (event_follows(p, end, &cut)) {
            chess_pgn_warn(
                reader, CHESS_PGN_UNTERMINATED_COMMENT, reader->at,
                "the comment that began here never ends; reading goes on at the next Event tag");
            reader->game.damaged |= reader->in_game;
            return comment_ends(reader, p, p, high);
        }
        if (cut && supply != PGN_LAST)
            return comment_goes_on(reader, p, supply, high);
    }
    if (supply != PGN_LAST)
        return comment_goes_on(reader, end, supply, high);
    chess_pgn_warn(reader, CHESS_PGN_UNTERMINATED_COMMENT, reader->at,
                   "the comment that began here never ends: \"}\" expected");
    reader->game.damaged |= reader->in_game;
    return comment_ends(reader, end, end, high);
}

bool chess_pgn_read_comment(ChessPgnReader *reader, PgnSupply supply) {
    if (reader->state == PGN_IN_BRACES)
        return read_braces(reader, supply);
    char *p = reader->at + reader->scanned;
    uint64_t high = 0;
    while (p < reader->end && !is_line_end(*p)) {
        high |= (unsigned char)*p >= 0x80 || *p == '\0';
        p++;
    }
    if (p == reader->end && supply != PGN_LAST)
        return comment_goes_on(reader, p, supply, high);
    return comment_ends(reader, p, p, high);
}

// ---- tags ---------------------------------------------------------------------------------------

typedef struct Tag {
    char *name;
    size_t name_size;
    char *value;
    size_t value_size;
    char *behind;       // first byte behind the tag
    const char *sloppy; // what is wrong and where, or NULL
    const char *sloppy_at;
    bool is_plain; // no escapes, no quotes, nothing but ASCII
} Tag;

// The closing quote: the first that is not escaped and has a bracket behind it, else the last of
// the line. NULL: the data ends before that can be said.
static char *find_closing_quote(char *p, const char *end, PgnSupply supply, char **bracket) {
    char *last_quote = NULL;
    for (; p < end && !is_line_end(*p); p++) {
        if (*p == '\\' && p + 1 < end && (p[1] == '"' || p[1] == '\\')) {
            p++;
            continue;
        }
        if (*p != '"')
            continue;
        char *next = p + 1;
        while (next < end && is_blank(*next))
            next++;
        if (next < end && *next == ']') {
            *bracket = next;
            return p;
        }
        last_quote = p;
    }
    *bracket = NULL;
    if (p == end && supply == PGN_MORE_COMES)
        return NULL;
    return last_quote != NULL ? last_quote : p;
}

// The tag as nearly all are: one blank, ASCII without quotes and backslashes. False: look closer.
static bool split_plain_tag(ChessPgnReader *reader, Tag *tag) {
    char *p = reader->at + 1;
    tag->name = p;
    while (is_name(*p))
        p++;
    tag->name_size = (size_t)(p - tag->name);
    if (p[0] != ' ' || p[1] != '"')
        return false;
    tag->value = p + 2;
    p = find_special(p + 2);
    if (p[0] != '"' || p[1] != ']' || p + 1 >= reader->end)
        return false;
    tag->value_size = (size_t)(p - tag->value);
    tag->behind = p + 2;
    tag->sloppy = NULL;
    tag->is_plain = true;
    return true;
}

// Splits "[Name "value"]" at the cursor. False: more data is needed.
static bool split_tag(ChessPgnReader *reader, PgnSupply supply, Tag *tag) {
    char *const end = reader->end;
    char *p = reader->at + 1;
    *tag = (Tag) { 0 };
    while (p < end && is_blank(*p))
        p++;
    tag->name = p;
    while (p < end && is_name(*p))
        p++;
    tag->name_size = (size_t)(p - tag->name);
    while (p < end && is_blank(*p))
        p++;
    if (p == end && supply == PGN_MORE_COMES)
        return false;
    if (p < end && *p == '"') {
        char *bracket = NULL;
        tag->value = p + 1;
        char *const quote = find_closing_quote(p + 1, end, supply, &bracket);
        if (quote == NULL)
            return false;
        tag->value_size = (size_t)(quote - tag->value);
        if (bracket == NULL) {
            const bool has_quote = quote < end && *quote == '"';
            tag->sloppy = has_quote ? "\"]\" expected" : "closing quote expected";
            tag->sloppy_at = quote + has_quote;
            p = quote;
            while (p < end && !is_line_end(*p))
                p++;
            tag->behind = p;
        } else {
            tag->behind = bracket + 1;
        }
        return true;
    }
    tag->value = p;
    tag->sloppy = "opening quote expected";
    tag->sloppy_at = p;
    while (p < end && *p != ']' && !is_line_end(*p))
        p++;
    if (p == end && supply == PGN_MORE_COMES)
        return false;
    tag->value_size = (size_t)(p - tag->value);
    tag->behind = p < end && *p == ']' ? p + 1 : p;
    return true;
}

// Resolves escapes in place; says when a quote stands there without one.
static void unescape(Tag *tag) {
    char *out = tag->value;
    const char *end = tag->value + tag->value_size;
    for (const char *p = tag->value; p < end; p++) {
        if (*p == '\\' && p + 1 < end && (p[1] == '"' || p[1] == '\\')) {
            p++;
        } else if (*p == '"' && tag->sloppy == NULL) {
            tag->sloppy = "a quote inside is written \\\"";
            tag->sloppy_at = p;
        }
        *out++ = *p;
    }
    tag->value_size = (size_t)(out - tag->value);
}

// Case does not matter; any other name means rules this library does not know.
static const struct {
    const char *name;
    uint8_t variant;
} variant_names[] = {
    { "standard", PGN_STANDARD },
    { "chess", PGN_STANDARD },
    { "normal", PGN_STANDARD },
    { "from position", PGN_STANDARD },
    { "orthodox", PGN_STANDARD },
    { "regular", PGN_STANDARD },
    { "", PGN_STANDARD },
    { "?", PGN_STANDARD },
    { "chess960", PGN_CHESS960 },
    { "chess 960", PGN_CHESS960 },
    { "960", PGN_CHESS960 },
    { "fischerandom", PGN_CHESS960 },
    { "fischerrandom", PGN_CHESS960 },
    { "fischer random", PGN_CHESS960 },
    { "frc", PGN_CHESS960 },
};

static uint8_t variant_of(JdStr value) {
    if (jd_str_equal(value, JD_STR("Standard")))
        return PGN_STANDARD;
    for (size_t i = 0; i < JD_COUNT(variant_names); i++)
        if (jd_str_equal_nocase(value, jd_str(variant_names[i].name)))
            return variant_names[i].variant;
    return PGN_OTHER_VARIANT;
}

// FEN tags in use lack counters or have blanks too many: made exact before they are read.
static void read_fen(ChessPgnReader *reader, JdStr value) {
    char text[CHESS_FEN_TEXT_MAX + 8];
    const JdStr fen = jd_str_trim(value);
    size_t size = 0;
    int fields = 1;
    char before = '\0';
    for (size_t i = 0; i < fen.size && size < CHESS_FEN_TEXT_MAX; i++) {
        const char c = fen.data[i];
        if (c != ' ' || before != ' ') {
            fields += c == ' ';
            text[size++] = c;
        }
        before = c;
    }
    const JdStr counters = fields == 4 ? JD_STR(" 0 1") : jd_str_n("", 0);
    jd_copy(text + size, counters.data, counters.size);
    JdErr err = { 0 };
    if (!chess_fen_parse(jd_str_n(text, size + counters.size), &reader->options.lines[0].position,
                         &err))
        chess_pgn_report(reader, CHESS_PGN_BAD_FEN, value.data, "FEN tag: %s", err.text);
}

// What the reader itself must know of a tag.
static void note_tag(ChessPgnReader *reader, JdStr name, JdStr value) {
    const bool checks_moves = reader->options.lines != NULL;
    switch (name.data[0]) {
    case 'E':
        if (jd_str_equal(name, JD_STR("Event")))
            reader->has_event = true;
        break;
    case 'F':
        if (checks_moves && jd_str_equal(name, JD_STR("FEN")))
            read_fen(reader, value);
        break;
    case 'R':
        if (jd_str_equal(name, JD_STR("Result")))
            reader->game.tag_result = chess_pgn_result_parse(value);
        break;
    case 'V':
        if (!jd_str_equal(name, JD_STR("Variant")))
            break;
        reader->variant = variant_of(value);
        if (checks_moves && reader->variant == PGN_OTHER_VARIANT)
            chess_pgn_report(reader, CHESS_PGN_UNKNOWN_VARIANT, value.data,
                             "the Variant tag names rules other than those of chess and Chess960");
        break;
    default:
        break;
    }
}

static bool tag_too_long(ChessPgnReader *reader) {
    if (reader->in_game && reader->has_moves)
        chess_pgn_game_end(reader, reader->at);
    if (!reader->in_game)
        chess_pgn_game_begin(reader, reader->at);
    if (!chess_pgn_is_dead(reader))
        chess_pgn_report(reader, CHESS_PGN_TAG_TOO_LONG, reader->at, "a tag of more than %d bytes",
                         CHESS_PGN_TAG_MAX);
    reader->scanned = 0;
    reader->state = PGN_SKIPS_LINE;
    return true;
}

bool chess_pgn_read_tag(ChessPgnReader *reader, PgnSupply supply) {
    Tag tag;
    if (reader->scanned != 0) {
        // Nothing ended it so far: only a bracket or a line end can have changed that.
        const char *p = reader->at + reader->scanned;
        while (p < reader->end && *p != ']' && !is_line_end(*p))
            p++;
        if (p == reader->end && supply == PGN_MORE_COMES && p - reader->at <= CHESS_PGN_TAG_MAX) {
            reader->scanned = (size_t)(p - reader->at);
            return false;
        }
    }
    if (!split_plain_tag(reader, &tag) && !split_tag(reader, supply, &tag)) {
        if (reader->end - reader->at > CHESS_PGN_TAG_MAX)
            return tag_too_long(reader);
        reader->scanned = (size_t)(reader->end - reader->at);
        return false;
    }
    if (tag.behind - reader->at > CHESS_PGN_TAG_MAX)
        return tag_too_long(reader);
    reader->scanned = 0;
    const JdStr name = jd_str_n(tag.name, tag.name_size);
    if (reader->in_game &&
        (reader->has_moves || (reader->has_event && jd_str_equal(name, JD_STR("Event")))))
        chess_pgn_game_end(reader, reader->at);
    if (!reader->in_game && !reader->stopped)
        chess_pgn_game_begin(reader, reader->at);
    if (!reader->stopped && !chess_pgn_is_dead(reader)) {
        uint8_t told = false;
        if (!tag.is_plain) {
            unescape(&tag);
            repair_utf8(reader, tag.value, tag.value_size, &told);
        }
        if (tag.sloppy != NULL)
            chess_pgn_warn(reader, CHESS_PGN_SLOPPY_TAG, tag.sloppy_at, "tag %.*s: %s",
                           JD_PRINT(name), tag.sloppy);
        const JdStr value = jd_str_n(tag.value, tag.value_size);
        if (reader->visitor.tag != NULL)
            chess_pgn_obey(reader, reader->visitor.tag(reader->context, name, value));
        if (!reader->stopped && !chess_pgn_is_dead(reader))
            note_tag(reader, name, value);
    }
    reader->at = tag.behind;
    return true;
}
