// SPDX-License-Identifier: GPL-3.0-or-later
//
// The local game behind one function that speaks text: see local.h. Everything is static because a
// WebAssembly instance is the owner of the game.
#include "wasm/local.h"

#include <jadoube/chess.h>
#include <jadoube/laws_timer.h>

#include "engine/engine.h"
#include "play/play.h"

#ifdef __wasm__
#define LOCAL_EXPORT(name) __attribute__((export_name(name)))
#else
#define LOCAL_EXPORT(name)
#endif

// Positions looked at while somebody waits for his move.
#define DEAD_NODES 100000

static unsigned char input[LOCAL_INPUT_SIZE];
static unsigned char output[LOCAL_OUTPUT_SIZE];

LOCAL_EXPORT("local_input") unsigned char *local_input(void) {
    return input;
}

LOCAL_EXPORT("local_input_size") int32_t local_input_size(void) {
    return LOCAL_INPUT_SIZE;
}

LOCAL_EXPORT("local_output") unsigned char *local_output(void) {
    return output;
}

// ---- JSON ---------------------------------------------------------------------------------------

// A comma, but at the beginning of a text, an object or a list.
static void separate(JdOut *out) {
    const JdStr text = jd_out_str(out);
    const char last = text.size > 0 ? text.data[text.size - 1] : '[';
    if (last != '[' && last != '{' && last != ':')
        jd_out_char(out, ',');
}

static void put_key(JdOut *out, const char *key) {
    separate(out);
    jd_out_char(out, '"');
    jd_out_cstr(out, key);
    jd_out_cstr(out, "\":");
}

static void put_text(JdOut *out, const char *key, const char *value) {
    put_key(out, key);
    jd_out_json(out, jd_str(value));
}

static void put_bool(JdOut *out, const char *key, bool value) {
    put_key(out, key);
    jd_out_cstr(out, value ? "true" : "false");
}

static void put_number(JdOut *out, const char *key, int64_t value) {
    put_key(out, key);
    jd_out_i64(out, value);
}

// 1 + colour; 0: null.
static void put_side(JdOut *out, const char *key, uint8_t side) {
    put_key(out, key);
    jd_out_cstr(out, side == 0 ? "null" : side == 1 ? "\"white\"" : "\"black\"");
}

static void open_object(JdOut *out, const char *key) {
    put_key(out, key);
    jd_out_char(out, '{');
}

static void put_error(JdOut *out, const char *code, const JdErr *err) {
    *out = jd_out((char *)output, sizeof output);
    jd_out_cstr(out, "{\"error\":{");
    put_text(out, "code", code);
    put_text(out, "message", err->text);
    put_text(out, "field", err->field);
    put_number(out, "offset", err->offset);
    put_number(out, "fault", err->code);
    jd_out_cstr(out, "}}");
}

static void put_fault(JdOut *out, const char *code, const char *message) {
    JdErr err = { 0 };
    (void)jd_fail(&err, 0, 0, "%s", message);
    put_error(out, code, &err);
}

// The field names the fault.
static void put_fen_error(JdOut *out, JdErr *err) {
    (void)jd_format(err->field, sizeof err->field, "%s",
                    chess_fen_fault_name((ChessFenFault)err->code));
    put_error(out, "bad_fen", err);
}

// ---- the game -----------------------------------------------------------------------------------

static LawsPly plies[CHESS_GAME_PLIES_MAX];
static int64_t clocks[CHESS_GAME_PLIES_MAX];
static unsigned char dead_memory[DEAD_MEMORY_SMALL] __attribute__((aligned(16)));
static PlayGame game;
static bool has_game;
static uint64_t chance = 1;
static PlayPgn reading;
static char written[LOCAL_OUTPUT_SIZE / 4];

static DeadVerdict can_mate(void *context, const ChessPosition *pos, ChessColor winner) {
    (void)context;
    const DeadLimits limits = { .nodes = DEAD_NODES,
                                .memory = dead_memory,
                                .memory_size = sizeof dead_memory };
    return (DeadVerdict)dead_can_mate(pos, winner, &limits, NULL, 0).verdict;
}

static const PlayMeans means = { .plies = plies, .clocks = clocks, .can_mate = can_mate };

static void put_clock(JdOut *out, JdInstant now) {
    open_object(out, "clock");
    put_number(out, "white", play_reading(&game, CHESS_WHITE, now));
    put_number(out, "black", play_reading(&game, CHESS_BLACK, now));
    put_side(out, "running",
             play_setup_has_clock(&game.setup) && game.laws.state == LAWS_RUNNING
                 ? game.laws.clock.running
                 : 0);
    put_number(out, "delay", laws_clock_delay_left(&game.laws, now));
    put_number(out, "at", now.ms);
    jd_out_char(out, '}');
}

static void put_moves(JdOut *out) {
    ChessPosition pos = game.setup.start;
    char uci[CHESS_UCI_SIZE];
    char san[CHESS_SAN_SIZE];
    char fen[CHESS_FEN_SIZE];
    put_key(out, "moves");
    jd_out_char(out, '[');
    for (uint32_t i = 0; i < game.laws.ply_count; i++) {
        const ChessMove move = plies[i].move;
        (void)chess_uci_write(&pos, move, uci);
        (void)chess_san_write(&pos, move, san);
        chess_move_make(&pos, move, NULL);
        (void)chess_fen_write(&pos, CHESS_FEN_EP_LEGAL, fen);
        separate(out);
        jd_out_char(out, '{');
        put_text(out, "uci", uci);
        put_text(out, "san", san);
        put_text(out, "fen", fen);
        put_number(out, "clock", clocks[i]);
        put_bool(out, "draw", plies[i].offered_draw != 0);
        jd_out_char(out, '}');
    }
    jd_out_char(out, ']');
}

static void put_legal(JdOut *out) {
    const ChessPosition *const pos = &game.laws.position;
    ChessMoveList list = { .count = 0 };
    if (!play_is_over(&game))
        chess_moves_generate(pos, &list);
    put_key(out, "legal");
    jd_out_char(out, '[');
    for (int i = 0; i < list.count; i++) {
        char uci[CHESS_UCI_SIZE];
        char san[CHESS_SAN_SIZE];
        (void)chess_uci_write(pos, list.moves[i], uci);
        (void)chess_san_write(pos, list.moves[i], san);
        separate(out);
        jd_out_char(out, '{');
        put_text(out, "uci", uci);
        put_text(out, "san", san);
        jd_out_char(out, '}');
    }
    jd_out_char(out, ']');
}

static void put_players(JdOut *out) {
    static const char *const keys[2] = { "white", "black" };
    for (int side = 0; side < 2; side++) {
        const LawsControl *const control = &game.setup.control[side];
        char text[LAWS_CONTROL_TEXT_SIZE];
        (void)laws_control_write(control, text);
        open_object(out, keys[side]);
        put_text(out, "name", game.setup.name[side]);
        put_number(out, "level", game.setup.level[side]);
        put_text(out, "control", text);
        put_number(out, "move_ms", control->move_ms);
        put_number(out, "base_ms", control->periods[0].time_ms);
        put_number(out, "increment_ms", control->periods[0].increment_ms);
        put_number(out, "delay_ms", control->periods[0].delay_ms);
        jd_out_char(out, '}');
    }
}

static void put_game(JdOut *out, JdInstant now) {
    const LawsGame *const laws = &game.laws;
    char fen[CHESS_FEN_SIZE];
    char uci[CHESS_UCI_SIZE];
    open_object(out, "game");
    put_text(out, "state", laws_state_name((LawsState)laws->state));
    put_bool(out, "over", play_is_over(&game));
    put_text(out, "result", laws_result_text(laws));
    put_text(out, "reason", laws_reason_name((LawsReason)laws->reason));
    put_text(out, "article", game.article);
    put_text(out, "edition", laws_edition_name((LawsEdition)game.setup.edition));
    (void)chess_fen_write(&game.setup.start, CHESS_FEN_EP_LEGAL, fen);
    put_text(out, "start", fen);
    (void)chess_fen_write(&laws->position, CHESS_FEN_EP_LEGAL, fen);
    put_text(out, "fen", fen);
    put_side(out, "turn", (uint8_t)(1 + laws->position.side_to_move));
    put_bool(out, "check", chess_is_check(&laws->position));
    put_legal(out);
    put_moves(out);
    put_bool(out, "has_clock", play_setup_has_clock(&game.setup));
    put_clock(out, now);
    put_side(out, "offer", laws->offer[CHESS_WHITE] ? 1 : laws->offer[CHESS_BLACK] ? 2 : 0);
    put_key(out, "bound");
    if (laws->bound_move != CHESS_NO_MOVE) {
        (void)chess_uci_write(&laws->position, laws->bound_move, uci);
        jd_out_json(out, jd_str(uci));
    } else {
        jd_out_cstr(out, "null");
    }
    put_players(out);
    put_bool(out, "no_undo", game.setup.no_undo);
    put_number(out, "hints", game.hints);
    put_number(out, "begun", game.begun_ms);
    put_number(out, "repetitions", laws_repetition_count(laws, CHESS_NO_MOVE));
    put_number(out, "quiet_moves", laws->position.halfmove_clock / 2);
    put_bool(out, "claim_is_right", laws_claim_is_right(laws, CHESS_NO_MOVE));
    jd_out_char(out, '}');
}

// {"did":{"ok":...}} with the game behind it.
static void answer(JdOut *out, bool ok, JdInstant now) {
    open_object(out, "did");
    put_bool(out, "ok", ok);
    jd_out_char(out, '}');
    put_game(out, now);
}

static void answer_verdict(JdOut *out, LawsVerdict verdict, JdInstant now) {
    open_object(out, "did");
    put_bool(out, "ok", verdict.refusal == LAWS_NOT_REFUSED);
    put_text(out, "refused",
             verdict.refusal == LAWS_NOT_REFUSED ? ""
                                                 : laws_refusal_name((LawsRefusal)verdict.refusal));
    put_text(out, "article", verdict.article);
    jd_out_char(out, '}');
    put_game(out, now);
}

// ---- what is asked ------------------------------------------------------------------------------

typedef struct Call {
    JdInstant now;
    JdStr rest;  // of the first line
    JdStr lines; // after it
    JdOut *out;
} Call;

static ChessColor take_color(Call *call) {
    return jd_str_equal(jd_str_cut(&call->rest, ' '), JD_STR("black")) ? CHESS_BLACK : CHESS_WHITE;
}

static bool take_move(Call *call, ChessMove *move) {
    const JdStr word = jd_str_cut(&call->rest, ' ');
    JdErr err = { 0 };
    *move = CHESS_NO_MOVE;
    if (word.size == 0 || chess_uci_parse(word, &game.laws.position, move, &err))
        return true;
    put_error(call->out, "illegal_move", &err);
    return false;
}

typedef struct Draft {
    PlaySetup setup;
    uint64_t minutes[2], moves[2], increment, delay;
} Draft;

static void keep_name(char out[PLAY_NAME_SIZE], JdStr value) {
    size_t size = value.size < PLAY_NAME_SIZE - 1 ? value.size : PLAY_NAME_SIZE - 1;
    while (size > 0 && size < value.size && ((unsigned char)value.data[size] & 0xc0) == 0x80)
        size--; // not within a letter
    jd_copy(out, value.data, size);
    out[size] = '\0';
}

static bool read_number(Call *call, JdStr name, JdStr value, uint64_t most, uint64_t *out) {
    JdErr err = { 0 };
    if (jd_parse_u64(value, most, out))
        return true;
    (void)jd_fail(&err, 0, 0, "expected a number up to %llu", (unsigned long long)most);
    (void)jd_format(err.field, sizeof err.field, "%.*s", JD_PRINT(name));
    put_error(call->out, "bad_setup", &err);
    return false;
}

static bool read_line(Call *call, Draft *draft, JdStr line) {
    JdStr value = line;
    const JdStr name = jd_str_cut(&value, ' ');
    const struct {
        const char *name;
        uint64_t *to;
        uint64_t most;
    } numbers[] = {
        { "white-minutes", &draft->minutes[0], UINT32_MAX },
        { "black-minutes", &draft->minutes[1], UINT32_MAX },
        { "white-move", &draft->moves[0], UINT32_MAX },
        { "black-move", &draft->moves[1], UINT32_MAX },
        { "increment", &draft->increment, UINT32_MAX },
        { "delay", &draft->delay, UINT32_MAX },
    };
    for (size_t i = 0; i < JD_COUNT(numbers); i++)
        if (jd_str_equal(name, jd_str(numbers[i].name)))
            return read_number(call, name, value, numbers[i].most, numbers[i].to);
    JdErr err = { 0 };
    LawsEdition edition;
    uint64_t number = 0;
    if (jd_str_equal(name, JD_STR("fen"))) {
        if (chess_fen_parse(value, &draft->setup.start, &err))
            return true;
        put_fen_error(call->out, &err);
        return false;
    }
    if (jd_str_equal(name, JD_STR("edition")) && laws_edition_parse(value, &edition)) {
        draft->setup.edition = (uint8_t)edition;
        return true;
    }
    for (int side = 0; side < 2; side++) {
        if (jd_str_equal(name, side == 0 ? JD_STR("white-level") : JD_STR("black-level"))) {
            if (!read_number(call, name, value, ENGINE_LEVELS, &number))
                return false;
            draft->setup.level[side] = (uint8_t)number;
            return true;
        }
        if (jd_str_equal(name, side == 0 ? JD_STR("white-name") : JD_STR("black-name"))) {
            keep_name(draft->setup.name[side], value);
            return true;
        }
    }
    if (jd_str_equal(name, JD_STR("no-undo"))) {
        draft->setup.no_undo = true;
        return true;
    }
    put_fault(call->out, "bad_line", "an unknown name or value");
    return false;
}

static void do_new(Call *call) {
    Draft draft = { 0 };
    JdErr err = { 0 };
    play_setup_init(&draft.setup);
    while (call->lines.size > 0)
        if (!read_line(call, &draft, jd_str_cut(&call->lines, '\n')))
            return;
    const uint32_t minutes[2] = { (uint32_t)draft.minutes[0], (uint32_t)draft.minutes[1] };
    const uint32_t moves[2] = { (uint32_t)draft.moves[0], (uint32_t)draft.moves[1] };
    const bool by_move = moves[0] > 0 || moves[1] > 0;
    const bool ok = (by_move ? play_setup_move_limit(&draft.setup, moves, &err)
                             : play_setup_clock(&draft.setup, minutes, (uint32_t)draft.increment,
                                                (uint32_t)draft.delay, &err)) &&
                    play_begin(&game, &draft.setup, &means, call->now, &err);
    if (!ok) {
        put_error(call->out, "bad_setup", &err);
        return;
    }
    has_game = true;
    answer(call->out, true, call->now);
}

static void do_check(Call *call) {
    PlaySetup setup;
    JdErr err = { 0 };
    play_setup_init(&setup);
    if (!chess_fen_parse(jd_str_trim(call->lines), &setup.start, &err)) {
        put_fen_error(call->out, &err);
        return;
    }
    if (!play_setup_check(&setup, &err)) {
        put_error(call->out, "bad_setup", &err);
        return;
    }
    open_object(call->out, "did");
    put_bool(call->out, "ok", true);
    jd_out_char(call->out, '}');
}

static void do_move(Call *call) {
    ChessMove move;
    if (!take_move(call, &move))
        return;
    if (move == CHESS_NO_MOVE) {
        put_fault(call->out, "bad_line", "no move is given");
        return;
    }
    const bool offers = jd_str_equal(call->rest, JD_STR("offer"));
    answer_verdict(call->out, play_move(&game, move, offers, call->now), call->now);
}

static void do_event(Call *call, LawsEventKind kind) {
    const LawsEvent event = { .kind = (uint8_t)kind, .actor = (uint8_t)take_color(call) };
    answer_verdict(call->out, play_apply(&game, &event, call->now), call->now);
}

static void do_claim(Call *call) {
    ChessMove move;
    if (!take_move(call, &move))
        return;
    const PlayClaim claim = play_claim(&game, move, call->now);
    open_object(call->out, "did");
    put_bool(call->out, "ok", claim.is_right);
    put_number(call->out, "repetitions", claim.repetitions);
    put_number(call->out, "moves", claim.moves);
    jd_out_char(call->out, '}');
    put_game(call->out, call->now);
}

static void do_back(Call *call, bool to_ply) {
    static const char *const names[] = { [PLAY_UNDONE] = "done",
                                         [PLAY_UNDO_NOTHING] = "nothing",
                                         [PLAY_UNDO_OFF] = "off",
                                         [PLAY_UNDO_OVER] = "over",
                                         [PLAY_UNDO_PAUSED] = "paused" };
    uint64_t stays = 0;
    if (to_ply && !jd_parse_u64(call->rest, CHESS_GAME_PLIES_MAX, &stays)) {
        put_fault(call->out, "bad_line", "a number of plies");
        return;
    }
    const PlayUndo undo =
        to_ply ? play_go_back(&game, (uint32_t)stays, call->now) : play_undo(&game, call->now);
    open_object(call->out, "did");
    put_bool(call->out, "ok", undo == PLAY_UNDONE);
    put_text(call->out, "undo", names[undo]);
    jd_out_char(call->out, '}');
    put_game(call->out, call->now);
}

// ---- files --------------------------------------------------------------------------------------

static void sink(void *context, JdStr text) {
    jd_out_text(context, text);
}

static void do_write(Call *call) {
    JdOut pgn = jd_out(written, sizeof written);
    play_pgn_write(&game, call->rest, call->now, sink, &pgn);
    if (!jd_out_fits(&pgn)) {
        put_fault(call->out, "too_large", "the game does not fit");
        return;
    }
    put_key(call->out, "pgn");
    jd_out_json(call->out, jd_out_str(&pgn));
}

static void put_problem(JdOut *out, const ChessPgnProblem *problem) {
    open_object(out, "problem");
    put_text(out, "fault", chess_pgn_fault_name(problem->fault));
    put_number(out, "line", (int64_t)problem->line);
    put_text(out, "message", problem->text);
    jd_out_char(out, '}');
}

static void do_open(Call *call) {
    uint64_t number = 1;
    PlayOpened report;
    JdErr err = { 0 };
    const JdStr which = jd_str_cut(&call->rest, ' ');
    if (which.size > 0 && (!jd_parse_u64(which, UINT32_MAX, &number) || number == 0)) {
        put_fault(call->out, "bad_line", "the number of a game");
        return;
    }
    play_pgn_init(&reading, number);
    (void)play_pgn_push(&reading, call->lines);
    bool ok = play_pgn_finish(&reading, &report);
    if (ok && !play_pgn_begin(&reading, &means, &game, call->now, &report, &err)) {
        put_error(call->out, "bad_setup", &err);
        return;
    }
    has_game = has_game || ok;
    if (ok)
        game.setup.no_undo = jd_str_equal(call->rest, JD_STR("no-undo"));
    open_object(call->out, "did");
    put_bool(call->out, "ok", ok);
    put_number(call->out, "games", (int64_t)report.games);
    put_bool(call->out, "cut", report.is_cut);
    put_bool(call->out, "over_before_end", report.is_over_before_end);
    if (report.has_problem)
        put_problem(call->out, &report.problem);
    jd_out_char(call->out, '}');
    if (has_game)
        put_game(call->out, call->now);
}

// ---- the computer -------------------------------------------------------------------------------

static void do_levels(Call *call) {
    put_key(call->out, "levels");
    jd_out_char(call->out, '[');
    for (int level = 1; level <= ENGINE_LEVELS; level++) {
        separate(call->out);
        jd_out_char(call->out, '{');
        put_number(call->out, "level", level);
        put_text(call->out, "name", engine_level(level)->name);
        put_number(call->out, "elo", engine_level(level)->elo);
        jd_out_char(call->out, '}');
    }
    jd_out_char(call->out, ']');
}

static void do_ask(Call *call) {
    const uint8_t number = play_level_to_move(&game);
    const ChessColor side = (ChessColor)game.laws.position.side_to_move;
    if (number == 0) {
        put_fault(call->out, "not_computer", "no computer has the move");
        return;
    }
    EngineQuestion question = { 0 };
    engine_level_question(engine_level(number),
                          play_setup_has_clock(&game.setup) ? play_reading(&game, side, call->now)
                                                            : 0,
                          game.setup.control[side].periods[0].increment_ms, &question);
    open_object(call->out, "ask");
    put_number(call->out, "lines", question.lines);
    put_number(call->out, "nodes", (int64_t)question.nodes);
    put_number(call->out, "ms", question.time_ms);
    jd_out_char(call->out, '}');
}

// "cp 34 e2e4 e7e5": a line the engine found on the position of the board.
static bool take_line(JdStr text, EngineLine *line) {
    const bool is_mate = jd_str_equal(jd_str_cut(&text, ' '), JD_STR("mate"));
    JdStr number = jd_str_cut(&text, ' ');
    const bool is_negative = jd_str_starts_with(number, JD_STR("-"));
    uint64_t score = 0;
    if (!jd_parse_u64(is_negative ? jd_str_part(number, 1, number.size) : number, 100000, &score))
        return false;
    ChessPosition pos = game.laws.position;
    const bool turns = is_negative != (pos.side_to_move == CHESS_BLACK); // told for White
    *line = (EngineLine) { .score = turns ? -(int32_t)score : (int32_t)score, .is_mate = is_mate };
    while (text.size > 0 && line->count < ENGINE_LINE_PLIES) {
        ChessMove move;
        if (!chess_uci_parse(jd_str_cut(&text, ' '), &pos, &move, NULL))
            break;
        line->moves[line->count++] = move;
        chess_move_make(&pos, move, NULL);
    }
    return line->count > 0;
}

static EngineAnswer take_answer(Call *call) {
    EngineAnswer found = { .outcome = ENGINE_FAILED };
    while (call->lines.size > 0 && found.lines_count < ENGINE_LINES_MAX)
        if (take_line(jd_str_cut(&call->lines, '\n'), &found.lines[found.lines_count]))
            found.lines_count++;
    if (found.lines_count > 0) {
        found.outcome = ENGINE_ANSWERED;
        found.best = found.lines[0].moves[0];
    }
    return found;
}

static void do_choose(Call *call) {
    const LawsGame *const laws = &game.laws;
    const ChessPosition *const pos = &laws->position;
    const uint8_t number = play_level_to_move(&game);
    if (number == 0) {
        put_fault(call->out, "not_computer", "no computer has the move");
        return;
    }
    const EngineLevel *const level = engine_level(number);
    const EngineAnswer found = take_answer(call);
    const ChessMove last = laws->ply_count > 0 ? plies[laws->ply_count - 1].move : CHESS_NO_MOVE;
    const ChessMove move = laws->bound_move != CHESS_NO_MOVE
                               ? laws->bound_move
                               : engine_level_choose(level, pos, &found, &chance);
    const ChessColor side = (ChessColor)pos->side_to_move;
    const uint32_t pace = engine_level_pace(
        level, pos, last, &found,
        play_setup_has_clock(&game.setup) ? play_reading(&game, side, call->now) : 0,
        game.setup.control[side].periods[0].increment_ms, &chance);
    char uci[CHESS_UCI_SIZE];
    (void)chess_uci_write(pos, move, uci);
    open_object(call->out, "choose");
    put_text(call->out, "move", uci);
    put_number(call->out, "pace", pace);
    jd_out_char(call->out, '}');
}

// The lines are of whoever has the move; the answer is that of the side named.
static void do_accepts(Call *call) {
    const ChessColor side = take_color(call);
    EngineAnswer found = take_answer(call);
    if (side != game.laws.position.side_to_move)
        for (uint32_t i = 0; i < found.lines_count; i++)
            found.lines[i].score = -found.lines[i].score;
    put_bool(call->out, "accepts",
             engine_level_accepts_draw(&found, game.laws.position.fullmove_number));
}

// ---- the chess clock ----------------------------------------------------------------------------

static LawsTimer timer;
static bool has_timer;

static void put_timer(JdOut *out, JdInstant now) {
    const uint8_t down[2] = { laws_timer_is_down(&timer, CHESS_WHITE),
                              laws_timer_is_down(&timer, CHESS_BLACK) };
    open_object(out, "timer");
    put_number(out, "white", laws_timer_reading(&timer, CHESS_WHITE, now));
    put_number(out, "black", laws_timer_reading(&timer, CHESS_BLACK, now));
    put_side(out, "running", laws_timer_running(&timer));
    put_number(out, "delay", laws_timer_delay_left(&timer, now));
    put_bool(out, "started", timer.is_started != 0);
    put_side(out, "paused", timer.is_paused);
    put_side(out, "first", timer.first_fallen);
    open_object(out, "down");
    put_bool(out, "white", down[0] != 0);
    put_bool(out, "black", down[1] != 0);
    jd_out_char(out, '}');
    open_object(out, "presses");
    put_number(out, "white", timer.game.clock.moves_done[0]);
    put_number(out, "black", timer.game.clock.moves_done[1]);
    jd_out_cstr(out, "}}");
}

static void do_timer(Call *call) {
    LawsControl control[2] = { 0 };
    uint64_t numbers[4] = { 0 };
    JdErr err = { 0 };
    for (int i = 0; i < 4; i++)
        if (!jd_parse_u64(jd_str_cut(&call->rest, ' '), 180 * 60000, &numbers[i])) {
            put_fault(call->out, "bad_line", "four spans in milliseconds, up to 180 minutes");
            return;
        }
    for (int side = 0; side < 2; side++) {
        control[side].period_count = 1;
        control[side].periods[0] = (LawsPeriod) {
            .time_ms = (int64_t)numbers[side],
            .increment_ms = (int64_t)numbers[2],
            .delay_ms = (int64_t)numbers[3],
            .delay_kind = numbers[3] > 0 ? LAWS_SIMPLE_DELAY : LAWS_NO_DELAY,
        };
    }
    has_timer = laws_timer_set(&timer, control, &err);
    if (has_timer)
        put_timer(call->out, call->now);
    else
        put_error(call->out, "bad_setup", &err);
}

static bool timer_verb(JdStr verb, Call *call) {
    static const char *const presses[] = { [LAWS_TIMER_PRESSED] = "pressed",
                                           [LAWS_TIMER_BOUNCED] = "bounced",
                                           [LAWS_TIMER_NOT_RUNNING] = "not_running",
                                           [LAWS_TIMER_PAUSED] = "paused" };
    if (jd_str_equal(verb, JD_STR("press"))) {
        const LawsTimerPress press = laws_timer_press(&timer, take_color(call), call->now);
        open_object(call->out, "did");
        put_bool(call->out, "ok", press == LAWS_TIMER_PRESSED);
        put_text(call->out, "press", presses[press]);
        jd_out_char(call->out, '}');
    } else if (jd_str_equal(verb, JD_STR("stop"))) {
        (void)laws_timer_pause(&timer, call->now);
    } else if (jd_str_equal(verb, JD_STR("start"))) {
        (void)laws_timer_resume(&timer, call->now);
    } else if (jd_str_equal(verb, JD_STR("look"))) {
        (void)laws_timer_look(&timer, call->now);
    } else if (!jd_str_equal(verb, JD_STR("read"))) {
        return false;
    }
    put_timer(call->out, call->now);
    return true;
}

// ---- the door -----------------------------------------------------------------------------------

static void do_game(Call *call) {
    answer(call->out, true, call->now);
}
static void do_tick(Call *call) {
    if (play_tick(&game, call->now)) {
        answer(call->out, true, call->now);
        return;
    }
    open_object(call->out, "did");
    put_bool(call->out, "ok", false);
    jd_out_char(call->out, '}');
    put_clock(call->out, call->now);
}
static void do_flag(Call *call) {
    const ChessColor side = take_color(call);
    answer(call->out, play_claim_flag(&game, side, call->now), call->now);
}
static void do_offer(Call *call) {
    do_event(call, LAWS_EVENT_OFFER);
}
static void do_accept(Call *call) {
    do_event(call, LAWS_EVENT_ACCEPT);
}
static void do_decline(Call *call) {
    do_event(call, LAWS_EVENT_DECLINE);
}
static void do_resign(Call *call) {
    do_event(call, LAWS_EVENT_RESIGN);
}
static void do_pause(Call *call) {
    const bool ok = play_pause(&game, call->now);
    answer(call->out, ok, call->now);
}
static void do_resume(Call *call) {
    const bool ok = play_resume(&game, call->now);
    answer(call->out, ok, call->now);
}
static void do_undo(Call *call) {
    do_back(call, false);
}
static void do_back_to(Call *call) {
    do_back(call, true);
}
static void do_hint(Call *call) {
    game.hints++;
    answer(call->out, true, call->now);
}

typedef struct Verb {
    const char *name;
    void (*act)(Call *call);
    bool needs_game;
} Verb;

static const Verb verbs[] = {
    { "levels", do_levels, false },  { "check", do_check, false },
    { "new", do_new, false },        { "open", do_open, false },
    { "timer", do_timer, false },    { "game", do_game, true },
    { "move", do_move, true },       { "tick", do_tick, true },
    { "flag", do_flag, true },       { "offer", do_offer, true },
    { "accept", do_accept, true },   { "decline", do_decline, true },
    { "resign", do_resign, true },   { "claim", do_claim, true },
    { "pause", do_pause, true },     { "resume", do_resume, true },
    { "undo", do_undo, true },       { "back", do_back_to, true },
    { "hint", do_hint, true },       { "write", do_write, true },
    { "ask", do_ask, true },         { "choose", do_choose, true },
    { "accepts", do_accepts, true },
};

static void call_verb(JdStr verb, Call *call) {
    uint64_t seed = 0;
    if (jd_str_equal(verb, JD_STR("seed"))) {
        chance = jd_parse_u64(call->rest, UINT64_MAX, &seed) ? jd_mix(seed) | 1 : 1;
        return;
    }
    if (has_timer && timer_verb(verb, call))
        return;
    for (size_t i = 0; i < JD_COUNT(verbs); i++)
        if (jd_str_equal(verb, jd_str(verbs[i].name))) {
            if (verbs[i].needs_game && !has_game)
                put_fault(call->out, "no_game", "no game has begun");
            else
                verbs[i].act(call);
            return;
        }
    put_fault(call->out, "bad_line", "an unknown verb");
}

LOCAL_EXPORT("local_call") int32_t local_call(int32_t size) {
    JdOut out = jd_out((char *)output, sizeof output);
    uint64_t now = 0;
    if (size < 0 || size > LOCAL_INPUT_SIZE) {
        put_fault(&out, "too_long", "the input exceeds 1048576 bytes");
        return (int32_t)out.size;
    }
    JdStr lines = jd_str_n((const char *)input, (size_t)size);
    JdStr head = jd_str_cut(&lines, '\n');
    if (!jd_parse_u64(jd_str_cut(&head, ' '), INT64_MAX / 2, &now)) {
        put_fault(&out, "bad_line", "the first word is no time");
        return (int32_t)out.size;
    }
    const JdStr verb = jd_str_cut(&head, ' ');
    Call call = { .now = { (int64_t)now }, .rest = head, .lines = lines, .out = &out };
    jd_out_char(&out, '{');
    call_verb(verb, &call);
    const JdStr text = jd_out_str(&out);
    if (!jd_str_starts_with(text, JD_STR("{\"error\"")))
        jd_out_char(&out, '}');
    if (!jd_out_fits(&out))
        put_fault(&out, "too_large", "the answer does not fit");
    return (int32_t)out.size;
}
