// SPDX-License-Identifier: GPL-3.0-or-later
#include "pgn_log.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static PgnLog the_log;

static void put(PgnLog *log, JdStr text) {
    log->digest = jd_hash(log->digest, text.data, text.size);
    for (size_t i = 0; i < text.size && log->size + 1 < sizeof log->text; i++)
        log->text[log->size++] = text.data[i];
    log->text[log->size] = '\0';
}

static void puts_formatted(PgnLog *log, const char *format, ...) JD_FORMAT(2, 3);
static void puts_formatted(PgnLog *log, const char *format, ...) {
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    put(log, jd_str(text));
}

// Words of movetext stand apart by blanks.
static void blank(PgnLog *log) {
    if (log->size > 0 && log->text[log->size - 1] != ' ' && log->text[log->size - 1] != '(')
        put(log, JD_STR(" "));
}

static ChessPgnStep on_begin(void *context, uint64_t number) {
    puts_formatted(context, "game %llu / ", (unsigned long long)number);
    ((PgnLog *)context)->in_game = true;
    return CHESS_PGN_GO;
}

static ChessPgnStep on_tag(void *context, JdStr name, JdStr value) {
    put(context, name);
    put(context, JD_STR("="));
    put(context, value);
    put(context, JD_STR(" / "));
    return CHESS_PGN_GO;
}

static ChessPgnStep on_start(void *context, const ChessPosition *start) {
    (void)start;
    put(context, JD_STR("start / "));
    return CHESS_PGN_GO;
}

static void on_move(void *context, const ChessPgnMove *move) {
    blank(context);
    put(context, move->is_null ? JD_STR("null") : move->text);
    if (move->tolerances != 0 && move->tolerances != CHESS_TOLERATE_SIGNS_UNSEEN &&
        (move->tolerances & (CHESS_TOLERATE_MISSING_CHECK | CHESS_TOLERATE_WRONG_CHECK)) != 0)
        puts_formatted(context, "~%u", move->tolerances);
    JD_ASSERT(move->position == NULL || move->is_null ||
              chess_move_is_legal(move->position, move->move));
}

static void on_comment(void *context, JdStr text, bool to_line_end, bool more) {
    PgnLog *log = context;
    if (!log->in_comment) {
        if (log->in_game)
            blank(log);
        put(log, JD_STR("{"));
    }
    if (to_line_end && !log->in_comment) {
        put(log, JD_STR("_"));
    }
    put(log, text);
    log->in_comment = more;
    if (!more)
        put(log, log->in_game ? JD_STR("}") : JD_STR("} / "));
}

static void on_nag(void *context, int nag) {
    blank(context);
    puts_formatted(context, "$%d", nag);
}

static void on_escape(void *context, JdStr text, bool more) {
    PgnLog *log = context;
    if (!log->in_comment) {
        if (log->in_game)
            blank(log);
        put(log, JD_STR("%"));
    }
    put(log, text);
    log->in_comment = more;
    if (!log->in_game && !more)
        put(log, JD_STR(" / "));
}

static ChessPgnStep on_variation(void *context) {
    blank(context);
    put(context, JD_STR("("));
    return CHESS_PGN_GO;
}

static void on_variation_end(void *context) {
    put(context, JD_STR(")"));
}

static void on_end(void *context, const ChessPgnGame *game) {
    PgnLog *log = context;
    log->in_game = false;
    log->games++;
    log->damaged += game->damaged;
    JD_ASSERT(game->begin <= game->end);
    if (log->size == 0 || log->text[log->size - 1] != ' ')
        put(log, JD_STR(" "));
    puts_formatted(log, "/ end %s plies %u%s / ", chess_pgn_result_text(game->result), game->plies,
                   game->damaged ? " damaged" : "");
}

static void on_problem(void *context, const ChessPgnProblem *problem) {
    PgnLog *log = context;
    log->problems++;
    log->last = *problem;
    JD_ASSERT(problem->text[0] != '\0');
    if (log->in_game && !log->in_comment)
        blank(log);
    // Where a problem stands among the pieces of a long comment depends on the pieces.
    const uint64_t digest = log->digest;
    log->digest = log->problem_digest;
    puts_formatted(log, "%llu:%llu %s ", (unsigned long long)problem->line,
                   (unsigned long long)problem->column, chess_pgn_fault_name(problem->fault));
    log->problem_digest = log->digest;
    log->digest = digest;
    if (!log->in_game && problem->fault != CHESS_PGN_NOT_TEXT)
        put(log, JD_STR("/ "));
}

const PgnLog *pgn_log_with(const ChessPgnOptions *options, JdStr file, size_t piece) {
    static const ChessPgnVisitor visitor = {
        .game_begin = on_begin,
        .tag = on_tag,
        .tags_end = on_start,
        .move = on_move,
        .comment = on_comment,
        .nag = on_nag,
        .escape = on_escape,
        .variation_begin = on_variation,
        .variation_end = on_variation_end,
        .game_end = on_end,
        .problem = on_problem,
    };
    ChessPgnReader reader;
    the_log = (PgnLog) { .digest = JD_HASH_START };
    chess_pgn_init(&reader, options, &visitor, &the_log);
    for (size_t at = 0; at < file.size; at += piece)
        if (!chess_pgn_push(&reader, jd_str_part(file, at, piece)))
            break;
    chess_pgn_finish(&reader);
    the_log.digest = jd_mix(the_log.digest ^ jd_mix(the_log.problem_digest));
    return &the_log;
}

const PgnLog *pgn_log(JdStr file, size_t piece, size_t line_count, ChessEncoding encoding) {
    static unsigned char buffer[CHESS_PGN_BUFFER_MIN];
    static ChessPgnLine lines[64];
    JD_ASSERT(line_count <= JD_COUNT(lines));
    const ChessPgnOptions options = {
        .buffer = buffer,
        .buffer_size = sizeof buffer,
        .lines = line_count > 0 ? lines : NULL,
        .line_count = line_count,
        .encoding = (uint8_t)encoding,
    };
    return pgn_log_with(&options, file, piece);
}
