// SPDX-License-Identifier: GPL-3.0-or-later
//
// Games of one machine as PGN: the clock after each move, who played, which edition; and back.
#include "play/play.h"

#include "engine/engine.h"

#define TAGS_MAX 24

// ---- saving -------------------------------------------------------------------------------------

static ChessPgnResult result_of(const LawsGame *laws) {
    if (laws->state != LAWS_ENDED)
        return CHESS_PGN_UNKNOWN;
    const int white = laws->result[CHESS_WHITE];
    const int black = laws->result[CHESS_BLACK];
    return white == 2   ? CHESS_PGN_WHITE_WINS
           : black == 2 ? CHESS_PGN_BLACK_WINS
           : white == 1 ? CHESS_PGN_DRAW
                        : CHESS_PGN_UNKNOWN;
}

static const char *termination_of(const LawsGame *laws) {
    const bool by_time = laws->reason == LAWS_FLAG || laws->reason == LAWS_FLAG_DRAW ||
                         laws->reason == LAWS_BOTH_FLAGS;
    return laws->state != LAWS_ENDED ? "unterminated" : by_time ? "time forfeit" : "normal";
}

typedef struct TagTexts {
    char control[2][LAWS_CONTROL_TEXT_SIZE];
    char start[CHESS_FEN_SIZE];
    char name[2][PLAY_NAME_SIZE];
} TagTexts;

static void write_tags(ChessPgnWriter *writer, const PlayGame *game, JdStr date) {
    static const char *const name_tags[2] = { "White", "Black" };
    static const char *const type_tags[2] = { "WhiteType", "BlackType" };
    static const char *const level_tags[2] = { "WhiteLevel", "BlackLevel" };
    static const char *const control_tags[2] = { "WhiteTimeControl", "BlackTimeControl" };
    const PlaySetup *setup = &game->setup;
    TagTexts texts = { 0 };
    ChessPgnTag tags[TAGS_MAX] = {
        { JD_STR("Event"), JD_STR("Local game") },
        { JD_STR("Site"), JD_STR("?") },
        { JD_STR("Date"), date },
        { JD_STR("Round"), JD_STR("-") },
        { JD_STR("Termination"), jd_str(termination_of(&game->laws)) },
        { JD_STR("LawsEdition"), jd_str(laws_edition_name((LawsEdition)setup->edition)) },
    };
    size_t count = 6;
    for (int side = 0; side < 2; side++) {
        const uint8_t level = setup->level[side];
        (void)jd_format(texts.name[side], sizeof(texts.name[side]), "%s", "?");
        if (level > 0)
            (void)jd_format(texts.name[side], sizeof(texts.name[side]), "jadoube, level %u", level);
        tags[count++] = (ChessPgnTag) { jd_str(name_tags[side]), setup->name[side][0] != '\0'
                                                                     ? jd_str(setup->name[side])
                                                                     : jd_str(texts.name[side]) };
        tags[count++] = (ChessPgnTag) { jd_str(type_tags[side]),
                                        level > 0 ? JD_STR("program") : JD_STR("human") };
        if (level > 0) // by its name: numbers may move
            tags[count++] =
                (ChessPgnTag) { jd_str(level_tags[side]), jd_str(engine_level(level)->name) };
        (void)laws_control_write(&setup->control[side], texts.control[side]);
    }
    const bool is_equal = jd_str_equal(jd_str(texts.control[0]), jd_str(texts.control[1]));
    tags[count++] =
        (ChessPgnTag) { JD_STR("TimeControl"), is_equal ? jd_str(texts.control[0]) : JD_STR("?") };
    for (int side = 0; side < 2 && !is_equal; side++)
        tags[count++] = (ChessPgnTag) { jd_str(control_tags[side]), jd_str(texts.control[side]) };
    if (play_is_over(game))
        tags[count++] = (ChessPgnTag) { JD_STR("LawsReason"),
                                        jd_str(laws_reason_name((LawsReason)game->laws.reason)) };
    const ChessPosition standard = chess_position_start();
    char standard_fen[CHESS_FEN_SIZE];
    (void)chess_fen_write(&standard, CHESS_FEN_EP_LEGAL, standard_fen);
    (void)chess_fen_write(&setup->start, CHESS_FEN_EP_LEGAL, texts.start);
    if (!jd_str_equal(jd_str(standard_fen), jd_str(texts.start))) {
        tags[count++] = (ChessPgnTag) { JD_STR("SetUp"), JD_STR("1") };
        tags[count++] = (ChessPgnTag) { JD_STR("FEN"), jd_str(texts.start) };
    }
    JD_ASSERT(count <= TAGS_MAX);
    chess_pgn_write_tags(writer, tags, count, result_of(&game->laws));
}

static void write_moves(ChessPgnWriter *writer, const PlayGame *game, JdInstant now) {
    const LawsGame *laws = &game->laws;
    ChessPosition pos = game->setup.start;
    for (uint32_t i = 0; i < laws->ply_count; i++) {
        chess_pgn_write_move(writer, &pos, laws->plies[i].move);
        // Of the last move of each side the reading now: there the game goes on.
        int64_t left_ms = game->clocks[i];
        if (left_ms >= 0 && !play_is_over(game) && i + 2 >= laws->ply_count)
            left_ms = laws_clock_reading(laws, (ChessColor)pos.side_to_move, now);
        if (left_ms >= 0) {
            char clock[CHESS_PGN_CLOCK_SIZE];
            char text[CHESS_PGN_CLOCK_SIZE + 16];
            (void)chess_pgn_clock_write((JdSpan) { left_ms }, clock);
            (void)jd_format(text, sizeof(text), "[%%clk %s]", clock);
            chess_pgn_write_comment(writer, jd_str(text));
        }
        chess_move_make(&pos, laws->plies[i].move, NULL);
    }
    if (game->hints > 0) {
        char text[32];
        (void)jd_format(text, sizeof(text), "hints: %u", game->hints);
        chess_pgn_write_comment(writer, jd_str(text));
    }
}

void play_pgn_write(const PlayGame *game, JdStr date, JdInstant now, ChessPgnSink sink,
                    void *context) {
    ChessPgnWriter writer;
    chess_pgn_writer_init(&writer, sink, context, CHESS_FORM_PGN, CHESS_ENGLISH, CHESS_PGN_WIDTH);
    write_tags(&writer, game, date);
    write_moves(&writer, game, now);
    chess_pgn_write_result(&writer, result_of(&game->laws));
}

// ---- opening ------------------------------------------------------------------------------------

static ChessPgnStep on_game_begin(void *context, uint64_t number) {
    PlayPgn *reading = context;
    reading->games = number;
    reading->current = number;
    reading->is_found = reading->is_found || number == reading->wanted;
    return number == reading->wanted ? CHESS_PGN_GO : CHESS_PGN_SKIP;
}

static void keep_name(char out[PLAY_NAME_SIZE], JdStr value) {
    size_t size = value.size < PLAY_NAME_SIZE - 1 ? value.size : PLAY_NAME_SIZE - 1;
    while (size > 0 && size < value.size && ((unsigned char)value.data[size] & 0xc0) == 0x80)
        size--; // not within a letter
    jd_copy(out, value.data, size);
    out[size] = '\0';
}

static void keep_control(PlayPgn *reading, int side, JdStr value) {
    LawsControl control;
    if (!laws_control_parse(value, &control, NULL))
        return;
    reading->setup.control[side] = control;
    reading->has_control[side] = true;
}

static ChessPgnStep on_tag(void *context, JdStr name, JdStr value) {
    PlayPgn *reading = context;
    PlaySetup *setup = &reading->setup;
    LawsEdition edition;
    if (jd_str_equal(name, JD_STR("White")))
        keep_name(setup->name[CHESS_WHITE], value);
    else if (jd_str_equal(name, JD_STR("Black")))
        keep_name(setup->name[CHESS_BLACK], value);
    else if (jd_str_equal(name, JD_STR("WhiteLevel")))
        setup->level[CHESS_WHITE] = (uint8_t)engine_level_find(value);
    else if (jd_str_equal(name, JD_STR("BlackLevel")))
        setup->level[CHESS_BLACK] = (uint8_t)engine_level_find(value);
    else if (jd_str_equal(name, JD_STR("LawsEdition")) && laws_edition_parse(value, &edition))
        setup->edition = (uint8_t)edition;
    else if (jd_str_equal(name, JD_STR("TimeControl"))) {
        for (int side = 0; side < 2; side++)
            if (!reading->has_control[side])
                keep_control(reading, side, value);
    } else if (jd_str_equal(name, JD_STR("WhiteTimeControl")))
        keep_control(reading, CHESS_WHITE, value);
    else if (jd_str_equal(name, JD_STR("BlackTimeControl")))
        keep_control(reading, CHESS_BLACK, value);
    else if (jd_str_equal(name, JD_STR("LawsReason")))
        for (int reason = 1; reason <= LAWS_BLOCKED; reason++)
            if (jd_str_equal(value, jd_str(laws_reason_name((LawsReason)reason))))
                reading->reason = (uint8_t)reason;
    return CHESS_PGN_GO;
}

static ChessPgnStep on_tags_end(void *context, const ChessPosition *start) {
    PlayPgn *reading = context;
    if (start != NULL)
        reading->setup.start = *start;
    return CHESS_PGN_GO;
}

static void on_move(void *context, const ChessPgnMove *move) {
    PlayPgn *reading = context;
    if (move->depth > 0 || reading->is_damaged || reading->count >= CHESS_GAME_PLIES_MAX)
        return;
    reading->moves[reading->count] = move->move;
    reading->clocks[reading->count] = -1;
    reading->count++;
}

static void on_comment(void *context, JdStr text, bool to_line_end, bool more) {
    (void)to_line_end;
    (void)more;
    PlayPgn *reading = context;
    ChessPgnCommand command;
    JdSpan left;
    uint64_t hints;
    if (reading->current != reading->wanted)
        return;
    for (size_t at = 0; chess_pgn_command_next(text, &at, &command);)
        if (reading->count > 0 && jd_str_equal(command.name, JD_STR("clk")) &&
            chess_pgn_clock_parse(command.argument, &left))
            reading->clocks[reading->count - 1] = left.ms;
    if (jd_str_starts_with(text, JD_STR("hints: ")) &&
        jd_parse_u64(jd_str_trim(jd_str_part(text, 7, text.size)), UINT32_MAX, &hints))
        reading->hints = (uint32_t)hints;
}

static ChessPgnStep on_variation(void *context) {
    (void)context;
    return CHESS_PGN_SKIP;
}

static void on_game_end(void *context, const ChessPgnGame *game) {
    PlayPgn *reading = context;
    if (game->number == reading->wanted)
        reading->result = game->result > CHESS_PGN_UNKNOWN ? game->result : game->tag_result;
}

static void on_problem(void *context, const ChessPgnProblem *problem) {
    PlayPgn *reading = context;
    const bool is_ours = problem->game == reading->wanted || problem->fault == CHESS_PGN_NOT_TEXT;
    if (!is_ours || problem->depth > 0 || !chess_pgn_fault_damages(problem->fault) ||
        reading->has_problem)
        return;
    reading->problem = *problem;
    reading->has_problem = true;
    reading->is_damaged = true;
}

void play_pgn_init(PlayPgn *pgn, uint64_t number) {
    static const ChessPgnVisitor visitor = {
        .game_begin = on_game_begin,
        .tag = on_tag,
        .tags_end = on_tags_end,
        .move = on_move,
        .comment = on_comment,
        .variation_begin = on_variation,
        .game_end = on_game_end,
        .problem = on_problem,
    };
    jd_zero(pgn, sizeof(*pgn));
    pgn->wanted = number;
    play_setup_init(&pgn->setup);
    const ChessPgnOptions options = { .buffer = pgn->buffer,
                                      .buffer_size = sizeof(pgn->buffer),
                                      .lines = pgn->lines,
                                      .line_count = JD_COUNT(pgn->lines) };
    chess_pgn_init(&pgn->reader, &options, &visitor, pgn);
}

bool play_pgn_push(PlayPgn *pgn, JdStr text) {
    return chess_pgn_push(&pgn->reader, text);
}

static bool is_opened_in_part(const PlayPgn *reading) {
    if (!reading->has_problem || reading->count == 0)
        return !reading->has_problem;
    return reading->problem.fault != CHESS_PGN_BAD_FEN &&
           reading->problem.fault != CHESS_PGN_UNKNOWN_VARIANT &&
           reading->problem.fault != CHESS_PGN_NOT_TEXT;
}

bool play_pgn_finish(PlayPgn *pgn, PlayOpened *report) {
    chess_pgn_finish(&pgn->reader);
    *report = (PlayOpened) { .games = pgn->games,
                             .has_problem = pgn->has_problem,
                             .problem = pgn->problem,
                             .is_cut = pgn->is_damaged };
    return pgn->is_found && is_opened_in_part(pgn);
}

bool play_pgn_begin(PlayPgn *pgn, const PlayMeans *means, PlayGame *game, JdInstant now,
                    PlayOpened *report, JdErr *err) {
    if (pgn->has_control[0] != pgn->has_control[1])
        pgn->has_control[0] = pgn->has_control[1] = false;
    if (!pgn->has_control[0])
        jd_zero(pgn->setup.control, sizeof(pgn->setup.control));
    for (int side = 0; side < 2; side++) // what stands for a name is none
        if (pgn->setup.level[side] > 0 || jd_str_equal(jd_str(pgn->setup.name[side]), JD_STR("?")))
            pgn->setup.name[side][0] = '\0';
    if (!play_begin(game, &pgn->setup, means, now, err))
        return false;
    const uint32_t taken = play_refill(game, pgn->moves, pgn->clocks, pgn->count, now);
    game->hints = pgn->hints;
    report->is_over_before_end = taken < pgn->count;
    static const uint8_t results[][2] = { [CHESS_PGN_WHITE_WINS] = { 2, 0 },
                                          [CHESS_PGN_BLACK_WINS] = { 0, 2 },
                                          [CHESS_PGN_DRAW] = { 1, 1 } };
    if (pgn->result > CHESS_PGN_UNKNOWN && !pgn->is_damaged)
        play_set_result(game, results[pgn->result],
                        pgn->reason != 0 ? (LawsReason)pgn->reason : LAWS_ARBITER, now);
    return true;
}
