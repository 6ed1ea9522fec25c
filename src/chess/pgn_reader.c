// SPDX-License-Identifier: GPL-3.0-or-later
//
// The PGN reader's frame: the buffer that pieces of a file run through, the place in the file,
// where games begin and end, and how problems are told.
#include <jadoube/pgn.h>

#include "chess/pgn_reader.h"
#include "chess/pgn_scan.h"

static const char *const result_texts[] = {
    [CHESS_PGN_NO_RESULT] = "*",    [CHESS_PGN_UNKNOWN] = "*",    [CHESS_PGN_WHITE_WINS] = "1-0",
    [CHESS_PGN_BLACK_WINS] = "0-1", [CHESS_PGN_DRAW] = "1/2-1/2",
};

static const char *const damage_names[] = {
    [CHESS_PGN_OK] = "ok",
    [CHESS_PGN_ILLEGAL_MOVE] = "illegal_move",
    [CHESS_PGN_AMBIGUOUS_MOVE] = "ambiguous_move",
    [CHESS_PGN_MALFORMED_MOVE] = "malformed_move",
    [CHESS_PGN_INEXACT_MOVE] = "inexact_move",
    [CHESS_PGN_BAD_FEN] = "bad_fen",
    [CHESS_PGN_UNKNOWN_VARIANT] = "unknown_variant",
    [CHESS_PGN_UNTERMINATED_COMMENT] = "unterminated_comment",
    [CHESS_PGN_UNTERMINATED_VARIATION] = "unterminated_variation",
    [CHESS_PGN_STRAY_BRACKET] = "stray_bracket",
    [CHESS_PGN_VARIATION_TOO_DEEP] = "variation_too_deep",
    [CHESS_PGN_VARIATION_OF_NOTHING] = "variation_of_nothing",
    [CHESS_PGN_MALFORMED_TAG] = "malformed_tag",
    [CHESS_PGN_TAG_TOO_LONG] = "tag_too_long",
    [CHESS_PGN_WORD_TOO_LONG] = "word_too_long",
    [CHESS_PGN_TOO_MANY_PLIES] = "too_many_plies",
    [CHESS_PGN_STRAY_BYTE] = "stray_byte",
    [CHESS_PGN_NOT_TEXT] = "not_text",
};

static const char *const warning_names[] = {
    [CHESS_PGN_MALFORMED_UTF8 - 64] = "malformed_utf8",
    [CHESS_PGN_MISSING_RESULT - 64] = "missing_result",
    [CHESS_PGN_RESULT_DIFFERS - 64] = "result_differs",
    [CHESS_PGN_BAD_NAG - 64] = "bad_nag",
    [CHESS_PGN_TEXT_OUTSIDE - 64] = "text_outside",
    [CHESS_PGN_RESERVED - 64] = "reserved",
    [CHESS_PGN_SLOPPY_TAG - 64] = "sloppy_tag",
};

const char *chess_pgn_result_text(ChessPgnResult result) {
    JD_ASSERT((unsigned)result < JD_COUNT(result_texts));
    return result_texts[result];
}

ChessPgnResult chess_pgn_result_parse(JdStr text) {
    for (size_t i = CHESS_PGN_UNKNOWN; i < JD_COUNT(result_texts); i++)
        if (jd_str_equal(text, jd_str(result_texts[i])))
            return (ChessPgnResult)i;
    return CHESS_PGN_NO_RESULT;
}

const char *chess_pgn_fault_name(ChessPgnFault fault) {
    if (chess_pgn_fault_damages(fault)) {
        JD_ASSERT((unsigned)fault < JD_COUNT(damage_names));
        return damage_names[fault];
    }
    JD_ASSERT((unsigned)fault - 64 < JD_COUNT(warning_names));
    return warning_names[fault - 64];
}

// ---- place --------------------------------------------------------------------------------------

// What one byte of the file has become is one character, unless nothing was converted.
static uint64_t bytes_of_file(const ChessPgnReader *reader, const char *from, const char *to) {
    if (reader->options.encoding == CHESS_UTF8)
        return (uint64_t)(to - from);
    uint64_t count = 0;
    for (; from < to; from++)
        count += ((unsigned char)*from & 0xc0) != 0x80;
    return count;
}

void chess_pgn_mark(ChessPgnReader *reader, char *at) {
    char *const mark = reader->mark;
    if (at <= mark)
        return;
    const uint64_t newlines = count_newlines(mark, at);
    reader->mark_offset += bytes_of_file(reader, mark, at);
    reader->mark = at;
    if (newlines == 0)
        return;
    reader->mark_line += newlines;
    const char *const begin = find_line_begin(at);
    reader->mark_line_begin = reader->mark_offset - bytes_of_file(reader, begin, at);
}

uint64_t chess_pgn_offset(const ChessPgnReader *reader) {
    return reader->mark_offset + bytes_of_file(reader, reader->mark, reader->at);
}

// ---- problems -----------------------------------------------------------------------------------

static void place_problem(ChessPgnReader *reader, const char *at, ChessPgnProblem *problem) {
    chess_pgn_mark(reader, reader->start + (at - reader->start));
    // The second fault of a tag may lie in front of the first, on the same line.
    const uint64_t back = at < reader->mark ? bytes_of_file(reader, at, reader->mark) : 0;
    problem->game = reader->game.number;
    problem->line = reader->mark_line;
    problem->offset = reader->mark_offset - back;
    problem->column = problem->offset - reader->mark_line_begin + 1;
    problem->depth = reader->depth;
    problem->ply = 0;
    const bool has_line = reader->options.lines != NULL && reader->in_game &&
                          (size_t)reader->depth < reader->options.line_count;
    if (has_line)
        problem->ply = reader->options.lines[reader->depth].plies;
    else if (reader->depth == 0)
        problem->ply = reader->game.plies;
}

static void tell(ChessPgnReader *reader, ChessPgnFault fault, const char *at, const char *format,
                 va_list arguments) {
    if (reader->visitor.problem == NULL)
        return;
    ChessPgnProblem problem = { .fault = fault };
    if (fault == CHESS_PGN_UNTERMINATED_COMMENT && reader->comment_cut) {
        problem = reader->long_comment;
        problem.fault = fault;
    } else {
        place_problem(reader, at, &problem);
    }
    (void)jd_format_v(problem.text, sizeof problem.text, format, arguments);
    reader->visitor.problem(reader->context, &problem);
}

void chess_pgn_warn(ChessPgnReader *reader, ChessPgnFault fault, const char *at, const char *format,
                    ...) {
    va_list arguments;
    va_start(arguments, format);
    tell(reader, fault, at, format, arguments);
    va_end(arguments);
}

void chess_pgn_report(ChessPgnReader *reader, ChessPgnFault fault, const char *at,
                      const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    tell(reader, fault, at, format, arguments);
    va_end(arguments);
    if (reader->in_game) {
        reader->game.damaged = true;
        if (!chess_pgn_is_dead(reader)) {
            if (reader->depth > 0 && reader->visitor.variation_end != NULL)
                reader->visitor.variation_end(reader->context);
            reader->dead_depth = reader->depth;
        }
    }
}

// ---- games --------------------------------------------------------------------------------------

void chess_pgn_obey(ChessPgnReader *reader, ChessPgnStep step) {
    switch (step) {
    case CHESS_PGN_GO:
        break;
    case CHESS_PGN_SKIP:
        reader->game.skipped = true;
        reader->dead_depth = 0;
        break;
    case CHESS_PGN_STOP:
        reader->stopped = true;
        break;
    }
}

void chess_pgn_game_begin(ChessPgnReader *reader, char *at) {
    const uint64_t number = reader->game.number + 1;
    chess_pgn_mark(reader, at);
    if (!reader->number_seen)
        reader->game = (ChessPgnGame) { .begin = reader->mark_offset, .line = reader->mark_line };
    reader->game.number = number;
    reader->depth = 0;
    reader->dead_depth = PGN_NOT_DEAD;
    reader->in_game = true;
    reader->has_event = false;
    reader->has_moves = false;
    reader->number_seen = false;
    reader->outside_told = false;
    reader->variant = PGN_STANDARD;
    if (reader->options.lines != NULL) {
        ChessPgnLine *line = &reader->options.lines[0];
        line->position = reader->initial;
        line->last = CHESS_NO_MOVE;
        line->has_last = false;
        line->last_is_null = false;
        line->plies = 0;
    }
    if (reader->visitor.game_begin != NULL)
        chess_pgn_obey(reader, reader->visitor.game_begin(reader->context, number));
}

void chess_pgn_game_end(ChessPgnReader *reader, char *at) {
    if (!reader->in_game)
        return;
    if (!reader->has_moves)
        chess_pgn_moves_begin(reader);
    if (reader->depth > 0 && reader->dead_depth > 0) {
        chess_pgn_warn(reader, CHESS_PGN_UNTERMINATED_VARIATION, at,
                       "the game ends inside a variation: %d \")\" expected", reader->depth);
        reader->game.damaged = true;
    }
    while (reader->depth > 0)
        chess_pgn_variation_end(reader);
    ChessPgnGame *game = &reader->game;
    const bool is_whole = !game->damaged && !game->skipped;
    if (game->result == CHESS_PGN_NO_RESULT && is_whole)
        chess_pgn_warn(reader, CHESS_PGN_MISSING_RESULT, at,
                       "the game ends without 1-0, 0-1, 1/2-1/2 or *");
    else if (game->tag_result != CHESS_PGN_NO_RESULT && game->tag_result != game->result &&
             is_whole)
        chess_pgn_warn(
            reader, CHESS_PGN_RESULT_DIFFERS, at, "the game ends with %s, its Result tag says %s",
            chess_pgn_result_text(game->result), chess_pgn_result_text(game->tag_result));
    chess_pgn_mark(reader, at);
    game->end = reader->mark_offset;
    const bool has_position = reader->options.lines != NULL && reader->dead_depth > 0;
    if (has_position && reader->visitor.game_end != NULL)
        chess_pgn_refresh_position(reader);
    game->position = has_position ? &reader->options.lines[0].position : NULL;
    reader->in_game = false;
    if (reader->visitor.game_end != NULL)
        reader->visitor.game_end(reader->context, game);
}

// ---- the buffer ---------------------------------------------------------------------------------

void chess_pgn_init(ChessPgnReader *reader, const ChessPgnOptions *options,
                    const ChessPgnVisitor *visitor, void *context) {
    JD_ASSERT(options->buffer != NULL && options->buffer_size >= CHESS_PGN_BUFFER_MIN);
    JD_ASSERT(options->lines == NULL || options->line_count > 0);
    JD_ASSERT(options->language < CHESS_LANGUAGE_COUNT);
    jd_zero(reader, sizeof *reader);
    reader->options = *options;
    if (options->exact)
        reader->options.tolerances = CHESS_TOLERATE_NOTHING;
    else if (options->tolerances == 0)
        reader->options.tolerances = CHESS_TOLERATE_DEFAULT;
    reader->visitor = *visitor;
    reader->context = context;
    reader->start = (char *)options->buffer + PGN_FRONT;
    reader->limit = (char *)options->buffer + options->buffer_size - PGN_PADDING;
    reader->at = reader->start;
    reader->end = reader->start;
    reader->mark = reader->start;
    reader->mark_line = 1;
    reader->initial = chess_position_start();
    reader->dead_depth = PGN_NOT_DEAD;
    jd_zero(options->buffer, PGN_FRONT + PGN_PADDING);
    reader->start[-1] = '\n'; // the beginning of the file is the beginning of a line
}

// Moves what is not yet read to the start of the buffer.
static void make_room(ChessPgnReader *reader) {
    const size_t left = (size_t)(reader->end - reader->at);
    chess_pgn_mark(reader, reader->at);
    reader->start[-1] = reader->at[-1];
    for (size_t i = 0; i < left; i++)
        reader->start[i] = reader->at[i];
    reader->at = reader->start;
    reader->mark = reader->start;
    reader->end = reader->start + left;
}

// Byte order mark: UTF-8's is passed over, UTF-16's names what is wrong.
static bool look_at_mark(ChessPgnReader *reader, PgnSupply supply) {
    const unsigned char *at = (const unsigned char *)reader->at;
    const size_t size = (size_t)(reader->end - reader->at);
    if (size < 3 && supply == PGN_MORE_COMES)
        return false;
    reader->begun = true;
    if (size >= 3 && at[0] == 0xef && at[1] == 0xbb && at[2] == 0xbf) {
        reader->at += 3;
        chess_pgn_mark(reader, reader->at);
        reader->mark_line_begin = reader->mark_offset;
        reader->at[-1] = '\n';
    } else if (size >= 2 && reader->options.encoding == CHESS_UTF8 &&
               ((at[0] == 0xff && at[1] == 0xfe) || (at[0] == 0xfe && at[1] == 0xff))) {
        chess_pgn_warn(reader, CHESS_PGN_NOT_TEXT, reader->at,
                       "UTF-16 text; convert it to UTF-8 first");
        reader->stopped = true;
    }
    return true;
}

static bool skip_to(ChessPgnReader *reader, bool (*ends)(char c)) {
    char *p = reader->at;
    while (p < reader->end && !ends(*p))
        p++;
    reader->at = p;
    if (p == reader->end)
        return false;
    reader->state = PGN_IN_TEXT;
    return true;
}

static bool ends_line(char c) {
    return c == '\n' || c == '\r';
}

static bool ends_word(char c) {
    return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '{' || c == '(' || c == ')' ||
           c == ';';
}

static bool ends_reserved(char c) {
    return c == '>' || c == '\n';
}

static void parse(ChessPgnReader *reader, PgnSupply supply) {
    if (!reader->begun && !look_at_mark(reader, supply))
        return;
    bool goes_on = true;
    while (goes_on && !reader->stopped) {
        switch (reader->state) {
        case PGN_IN_TEXT:
            goes_on = chess_pgn_read_movetext(reader, supply);
            break;
        case PGN_SKIPS_LINE:
            goes_on = skip_to(reader, ends_line);
            break;
        case PGN_SKIPS_WORD:
            goes_on = skip_to(reader, ends_word);
            break;
        case PGN_IN_RESERVED:
            goes_on = skip_to(reader, ends_reserved);
            if (goes_on)
                reader->at++;
            break;
        default:
            goes_on = chess_pgn_read_comment(reader, supply);
            break;
        }
    }
}

bool chess_pgn_push(ChessPgnReader *reader, JdStr bytes) {
    while (bytes.size > 0 && !reader->stopped) {
        if (reader->limit - reader->end < 4096 && reader->at > reader->start)
            make_room(reader);
        const size_t room = (size_t)(reader->limit - reader->end);
        size_t taken = bytes.size < room ? bytes.size : room;
        size_t added = taken;
        if (reader->options.encoding == CHESS_UTF8) {
            jd_copy(reader->end, bytes.data, taken);
        } else {
            JdOut out = jd_out(reader->end, room);
            taken = chess_encoding_convert((ChessEncoding)reader->options.encoding, bytes, &out);
            added = out.size;
        }
        reader->end += added;
        bytes = jd_str_part(bytes, taken, bytes.size);
        jd_zero(reader->end, PGN_PADDING);
        parse(reader, PGN_MORE_COMES);
        if (reader->at == reader->start && reader->limit - reader->end < 4)
            parse(reader, PGN_FULL);
    }
    return !reader->stopped;
}

void chess_pgn_finish(ChessPgnReader *reader) {
    if (reader->stopped)
        return;
    parse(reader, PGN_LAST);
    reader->at = reader->end;
    if (!reader->stopped)
        chess_pgn_game_end(reader, reader->end);
    reader->stopped = true;
}
