// SPDX-License-Identifier: GPL-3.0-or-later
//
// Games out of a PGN file, judged as they are read: the reader's own positions are the judge's.
#include "cli/arbitrate.h"

enum { BUFFER_SIZE = 128 * 1024 };

// ---- tags ---------------------------------------------------------------------------------------

static void keep_name(char out[ARB_NAME_SIZE], JdStr text) {
    size_t size = text.size < ARB_NAME_SIZE - 1 ? text.size : ARB_NAME_SIZE - 1;
    // No half of a character at the cut.
    while (size < text.size && size > 0 && ((unsigned char)text.data[size] & 0xc0) == 0x80)
        size--;
    jd_copy(out, text.data, size);
    out[size] = '\0';
}

static ArbTermination termination_of(JdStr text) {
    static const struct {
        const char *text;
        ArbTermination termination;
    } rows[] = {
        { "normal", ARB_NORMAL },
        { "time forfeit", ARB_TIME_FORFEIT },
        { "time", ARB_TIME_FORFEIT },
        { "abandoned", ARB_ABANDONED },
        { "rules infraction", ARB_RULES_INFRACTION },
        { "illegal move", ARB_RULES_INFRACTION },
        { "adjudication", ARB_ADJUDICATION },
        { "death", ARB_ADJUDICATION },
        { "emergency", ARB_ADJUDICATION },
        { "unterminated", ARB_UNTERMINATED },
    };
    for (size_t i = 0; i < JD_COUNT(rows); i++)
        if (jd_str_equal_nocase(text, jd_str(rows[i].text)))
            return rows[i].termination;
    return ARB_TERMINATION_NONE;
}

static void keep_control(ArbRun *run, JdStr text) {
    ArbGame *const game = &run->game;
    if (run->options.has_control)
        return;
    // The same few texts come again and again.
    if (game->has_control && jd_str_equal(text, jd_str(game->control_text)))
        return;
    JdErr err;
    game->has_control = text.size < sizeof game->control_text &&
                        laws_control_parse(text, &game->control, &err) &&
                        (game->control.period_count > 0 || game->control.move_ms > 0);
    const size_t size = game->has_control ? text.size : 0;
    jd_copy(game->control_text, text.data, size);
    game->control_text[size] = '\0';
}

// ---- the visitor --------------------------------------------------------------------------------

static ChessPgnStep on_game_begin(void *context, uint64_t number) {
    ArbRun *const run = context;
    ArbGame *const game = &run->game;
    game->number = number;
    game->white[0] = '\0';
    game->black[0] = '\0';
    game->termination = ARB_TERMINATION_NONE;
    game->is_other_variant = false;
    game->is_damaged = false;
    game->fault = CHESS_PGN_OK;
    game->has_clocks = false;
    game->plies = 0;
    run->control_seen = false;
    return CHESS_PGN_GO;
}

static ChessPgnStep on_tag(void *context, JdStr name, JdStr value) {
    ArbRun *const run = context;
    ArbGame *const game = &run->game;
    switch (name.size) {
    case 5:
        if (jd_str_equal(name, JD_STR("White")))
            keep_name(game->white, value);
        else if (jd_str_equal(name, JD_STR("Black")))
            keep_name(game->black, value);
        break;
    case 11:
        if (jd_str_equal(name, JD_STR("TimeControl"))) {
            run->control_seen = true;
            keep_control(run, value);
        } else if (jd_str_equal(name, JD_STR("Termination"))) {
            game->termination = termination_of(value);
        }
        break;
    default:
        break;
    }
    return CHESS_PGN_GO;
}

static ChessPgnStep on_tags_end(void *context, const ChessPosition *start) {
    ArbRun *const run = context;
    ArbGame *const game = &run->game;
    if (!run->control_seen && !run->options.has_control)
        game->has_control = false;
    if (start == NULL)
        return CHESS_PGN_GO;
    game->start = *start;
    arb_rules_of(&run->options, game, &run->report);
    arb_judge_begin(&run->judge, run->report.rules, &game->start);
    return CHESS_PGN_GO;
}

static void on_move(void *context, const ChessPgnMove *move) {
    ArbRun *const run = context;
    ArbGame *const game = &run->game;
    if (move->depth != 0 || move->position == NULL)
        return;
    arb_judge_position(&run->judge, move->position);
    arb_judge_move(&run->judge, move->move);
    game->clocks[game->plies] = ARB_NO_CLOCK;
    game->moves[game->plies++] = move->move;
    run->comment_clock = true;
}

static void on_comment(void *context, JdStr text, bool to_line_end, bool more) {
    ArbRun *const run = context;
    ArbGame *const game = &run->game;
    (void)to_line_end;
    (void)more;
    if (game->plies == 0 || !run->comment_clock)
        return;
    size_t at = 0;
    ChessPgnCommand command;
    JdSpan span;
    while (chess_pgn_command_next(text, &at, &command))
        if (jd_str_equal(command.name, JD_STR("clk")) &&
            chess_pgn_clock_parse(command.argument, &span)) {
            game->clocks[game->plies - 1] = span.ms;
            game->has_clocks = true;
            run->comment_clock = false;
            return;
        }
}

static void on_problem(void *context, const ChessPgnProblem *problem) {
    ArbRun *const run = context;
    ArbGame *const game = &run->game;
    if (!chess_pgn_fault_damages(problem->fault))
        return;
    if (problem->fault == CHESS_PGN_UNKNOWN_VARIANT) {
        game->is_other_variant = true;
        return;
    }
    if (problem->game == 0) {
        fprintf(stderr, "jadoube arbitrate: %s:%llu:%llu: byte %llu: %s\n", run->file,
                (unsigned long long)problem->line, (unsigned long long)problem->column,
                (unsigned long long)problem->offset, problem->text);
        run->totals.bad_input = true;
        return;
    }
    // Faults in variations and comments leave the moves of the game as they are; reading says so at
    // its end.
    if (problem->depth > 0 || game->fault != CHESS_PGN_OK)
        return;
    game->fault = problem->fault;
    game->fault_line = problem->line;
    game->fault_column = problem->column;
    game->fault_offset = problem->offset;
    jd_copy(game->fault_text, problem->text, sizeof game->fault_text);
}

static void on_game_end(void *context, const ChessPgnGame *read) {
    ArbRun *const run = context;
    ArbGame *const game = &run->game;
    game->line = read->line;
    game->stated = read->result == CHESS_PGN_NO_RESULT || read->result == CHESS_PGN_UNKNOWN
                       ? read->tag_result
                       : read->result;
    game->is_damaged = game->fault != CHESS_PGN_OK && read->damaged;
    // A position that cannot be read leaves nothing to judge.
    ChessPosition last = chess_position_start();
    if (game->fault == CHESS_PGN_BAD_FEN || game->is_other_variant) {
        game->plies = 0;
        game->start = last;
        arb_rules_of(&run->options, game, &run->report);
        arb_judge_begin(&run->judge, run->report.rules, &game->start);
    } else {
        last =
            read->position != NULL ? *read->position : arb_judge_replay(&run->judge, game->plies);
    }
    arb_judge_position(&run->judge, &last);
    arb_conclude(&run->options, game, &run->judge, &last, &run->report);
    arb_finish_game(run);
}

// ---- the file -----------------------------------------------------------------------------------

void arb_read_pgn(ArbRun *run) {
    static unsigned char buffer[BUFFER_SIZE];
    static ChessPgnLine lines[1];
    const ChessPgnOptions options = {
        .buffer = buffer,
        .buffer_size = sizeof buffer,
        .lines = lines,
        .line_count = JD_COUNT(lines),
        .encoding = run->options.encoding,
        .language = run->options.pgn_language,
        .skip_variations = true,
    };
    const ChessPgnVisitor visitor = {
        .game_begin = on_game_begin,
        .tag = on_tag,
        .tags_end = on_tags_end,
        .move = on_move,
        .comment = on_comment,
        .game_end = on_game_end,
        .problem = on_problem,
    };
    ChessPgnReader reader;
    chess_pgn_init(&reader, &options, &visitor, run);
    JdStr piece;
    while (arb_input_read(run, &piece))
        if (!chess_pgn_push(&reader, piece))
            break;
    chess_pgn_finish(&reader);
}
