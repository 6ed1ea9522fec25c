// SPDX-License-Identifier: GPL-3.0-or-later
//
// The commands of `jadoube play`: draws, claims, resignation, moves taken back, files.
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/play_pgn.h"
#include "cli/play_table.h"
#include "cli/play_text.h"

static const char *name_of(const PlayTable *table, PlayCommand command) {
    return play_command_name(command, table->options.language);
}

static void changed(PlayTable *table) {
    table->is_saved = false;
    table->is_over_told = table->is_over_told && play_is_over(&table->game);
    table->ready_move = CHESS_NO_MOVE;
    table->hint = CHESS_NO_MOVE;
    table->is_leafing = false;
    play_engine_forget(table->engine);
    play_table_keep(table);
}

static void tell_verdict(PlayTable *table, const LawsVerdict *verdict) {
    char line[PLAY_LINE_SIZE];
    JdOut out = jd_out(line, sizeof(line) - 1);
    play_laws_say(&out, table->options.language, verdict);
    line[jd_out_str(&out).size] = '\0';
    table->say(table->context, line);
}

static bool is_running(PlayTable *table) {
    if (play_is_over(&table->game))
        play_say(table, PLAY_WORD_GAME_OVER, name_of(table, PLAY_NEW), NULL, NULL);
    else if (table->game.laws.state != LAWS_RUNNING)
        play_say(table, PLAY_WORD_PAUSED, name_of(table, PLAY_CONTINUE), NULL, NULL);
    else
        return true;
    return false;
}

// ---- draws and the end --------------------------------------------------------------------------

static void apply(PlayTable *table, uint8_t kind, uint8_t side) {
    const LawsEvent event = { .kind = kind, .actor = side };
    const LawsVerdict verdict = play_apply(&table->game, &event, play_now());
    if (verdict.refusal != LAWS_NOT_REFUSED)
        tell_verdict(table, &verdict);
    changed(table);
    play_table_tell_end(table);
}

static void answer_offer(PlayTable *table, bool accepts) {
    const LawsGame *laws = &table->game.laws;
    if (!is_running(table))
        return;
    for (uint8_t side = 0; side < 2; side++) {
        if (!laws->offer[side])
            continue;
        if (!accepts)
            play_say(table, PLAY_WORD_DECLINED, NULL, NULL, NULL);
        apply(table, accepts ? LAWS_EVENT_ACCEPT : LAWS_EVENT_DECLINE, side ^ 1);
        return;
    }
    play_say(table, PLAY_WORD_NO_OFFER, NULL, NULL, NULL);
}

// Who types: the side to move, or the person when the computer has the move.
static uint8_t who_types(const PlayTable *table) {
    const uint8_t side = table->game.laws.position.side_to_move;
    return table->game.setup.level[side] > 0 ? side ^ 1 : side;
}

static void offer_draw(PlayTable *table) {
    const LawsGame *laws = &table->game.laws;
    const uint8_t side = who_types(table);
    if (!is_running(table))
        return;
    if (laws->offer[side ^ 1]) {
        answer_offer(table, true);
        return;
    }
    const LawsEvent event = { .kind = LAWS_EVENT_OFFER, .actor = side };
    const LawsVerdict verdict = play_apply(&table->game, &event, play_now());
    if (verdict.refusal != LAWS_NOT_REFUSED) {
        tell_verdict(table, &verdict);
        return;
    }
    play_say(
        table, PLAY_WORD_OFFERED,
        play_word(side == CHESS_WHITE ? PLAY_WORD_WHITE : PLAY_WORD_BLACK, table->options.language),
        NULL, NULL);
    // Where the computer has the move it answers with that.
    if (table->game.setup.level[side ^ 1] > 0 && laws->position.side_to_move == side)
        play_engine_ask(table->engine, PLAY_ASKED_DRAW, &table->game, play_now());
}

static void claim_draw(PlayTable *table, JdStr rest) {
    ChessMove move = CHESS_NO_MOVE;
    ChessReading found;
    if (!is_running(table))
        return;
    if (play_level_to_move(&table->game) > 0) {
        play_say(table, PLAY_WORD_COMPUTER_MOVES, NULL, NULL, NULL);
        return;
    }
    if (rest.size > 0) {
        char shown[PLAY_SHOWN_SIZE];
        play_shown(rest, shown);
        if (play_read_move(&table->options, &table->game.laws.position, rest, &found) !=
            PLAY_READ_MOVE) {
            play_say(table, PLAY_WORD_ILLEGAL, shown, NULL, NULL);
            return;
        }
        move = found.move;
    }
    const PlayClaim claim = play_claim(&table->game, move, play_now());
    if (claim.is_right) {
        changed(table);
        play_table_tell_end(table);
        return;
    }
    char repetitions[16];
    char moves[16];
    (void)jd_format(repetitions, sizeof(repetitions), "%d", claim.repetitions);
    (void)jd_format(moves, sizeof(moves), "%d", claim.moves);
    play_say(table, PLAY_WORD_NOT_YET, repetitions, moves, NULL);
    offer_draw(table); // L-010: it stands as an offer
}

static void resign(PlayTable *table) {
    if (!is_running(table))
        return;
    if (!table->is_resigning) {
        table->is_resigning = true;
        play_say(table, PLAY_WORD_ASK_RESIGN, name_of(table, PLAY_RESIGN), NULL, NULL);
        return;
    }
    apply(table, LAWS_EVENT_RESIGN, who_types(table));
}

static void claim_flag(PlayTable *table) {
    if (!is_running(table))
        return;
    // Two persons share the keyboard: whoever may claim does.
    for (int side = 0; side < 2; side++)
        if (play_claim_flag(&table->game, (ChessColor)side, play_now())) {
            changed(table);
            play_table_tell_end(table);
            return;
        }
    play_say(table, PLAY_WORD_FLAG_NOT_DOWN, NULL, NULL, NULL);
}

// ---- time and moves taken back ------------------------------------------------------------------

static void tell_undo(PlayTable *table, PlayUndo undo, uint32_t plies_before) {
    char count[16];
    switch (undo) {
    case PLAY_UNDONE:
        (void)jd_format(count, sizeof(count), "%u", plies_before - table->game.laws.ply_count);
        changed(table);
        play_say(table, PLAY_WORD_UNDONE, count, NULL, NULL);
        break;
    case PLAY_UNDO_NOTHING:
        play_say(table, PLAY_WORD_NOTHING_TO_UNDO, NULL, NULL, NULL);
        break;
    case PLAY_UNDO_OFF:
        play_say(table, PLAY_WORD_UNDO_OFF, NULL, NULL, NULL);
        break;
    case PLAY_UNDO_OVER:
    case PLAY_UNDO_PAUSED:
        (void)is_running(table); // says why not
        break;
    }
}

static void go_on(PlayTable *table) {
    const uint32_t before = table->game.laws.ply_count;
    if (table->is_leafing && table->shown < before) {
        if (table->leafing_stops)
            (void)play_resume(&table->game, play_now());
        table->leafing_stops = false;
        tell_undo(table, play_go_back(&table->game, table->shown, play_now()), before);
        return;
    }
    if (play_resume(&table->game, play_now()))
        play_say(table, PLAY_WORD_RESUMED, NULL, NULL, NULL);
    else
        (void)is_running(table);
}

static void pause_game(PlayTable *table) {
    if (!is_running(table))
        return;
    if (play_pause(&table->game, play_now())) {
        play_engine_forget(table->engine);
        table->ready_move = CHESS_NO_MOVE;
        play_say(table, PLAY_WORD_PAUSED, name_of(table, PLAY_CONTINUE), NULL, NULL);
    }
}

static void tell_clock(PlayTable *table) {
    char left[2][PLAY_CLOCK_SIZE];
    if (!play_setup_has_clock(&table->game.setup)) {
        play_say(table, PLAY_WORD_NO_CLOCK, NULL, NULL, NULL);
        return;
    }
    for (int side = 0; side < 2; side++)
        play_clock_text(play_reading(&table->game, (ChessColor)side, play_now()), left[side]);
    play_say(table, PLAY_WORD_CLOCK_LINE, left[0], left[1], NULL);
}

static void tell_legal(PlayTable *table, JdStr rest) {
    const ChessPosition pos = play_table_shown(table);
    ChessMoveList list;
    char line[PLAY_LINE_SIZE];
    JdOut out = jd_out(line, sizeof(line) - 1);
    char square[PLAY_SHOWN_SIZE];
    play_shown(rest, square);
    const bool one = rest.size == 2 && square[0] >= 'a' && square[0] <= 'h' && square[1] >= '1' &&
                     square[1] <= '8';
    chess_moves_generate(&pos, &list);
    for (int i = 0; i < list.count; i++) {
        char text[CHESS_SPOKEN_SIZE];
        if (rest.size > 0 && (!one || chess_move_from(list.moves[i]) !=
                                          chess_square(square[0] - 'a', square[1] - '1')))
            continue;
        play_move_text(&table->options, &pos, list.moves[i], text);
        jd_out_cstr(&out, out.size > 0 ? ", " : "");
        jd_out_cstr(&out, text);
    }
    line[jd_out_str(&out).size] = '\0';
    if (out.size > 0)
        table->say(table->context, line);
    else
        play_say(table, PLAY_WORD_NO_SUCH_SQUARE, square, NULL, NULL);
}

static void ask_hint(PlayTable *table) {
    if (!is_running(table))
        return;
    if (play_level_to_move(&table->game) > 0)
        play_say(table, PLAY_WORD_COMPUTER_MOVES, NULL, NULL, NULL);
    else if (!play_engine_is_there(table->engine))
        play_say(table, PLAY_WORD_NO_HINT, engine_outcome_name(ENGINE_MISSING), NULL, NULL);
    else
        play_engine_ask(table->engine, PLAY_ASKED_HINT, &table->game, play_now());
}

// What a move would do, before it is made (L-052).
static void consider(PlayTable *table, JdStr rest) {
    ChessReading found;
    char shown[PLAY_SHOWN_SIZE];
    if (!is_running(table))
        return;
    play_shown(rest, shown);
    if (rest.size == 0)
        play_say(table, PLAY_WORD_NAME_MOVE, name_of(table, PLAY_CONSIDER), NULL, NULL);
    else if (play_read_move(&table->options, &table->game.laws.position, rest, &found) !=
             PLAY_READ_MOVE)
        play_say(table, PLAY_WORD_ILLEGAL, shown, NULL, NULL);
    else
        play_table_consider(table, found.move);
}

// ---- files --------------------------------------------------------------------------------------

static bool keep_path(PlayTable *table, JdStr rest) {
    if (rest.size == 0 || rest.size >= sizeof(table->file) - 8)
        return false;
    memcpy(table->file, rest.data, rest.size);
    table->file[rest.size] = '\0';
    return true;
}

static void save(PlayTable *table, JdStr rest) {
    JdErr err = { 0 };
    char before[PLAY_PATH_SIZE];
    memcpy(before, table->file, sizeof(before));
    if (!keep_path(table, rest) && table->file[0] == '\0') {
        play_say(table, PLAY_WORD_NAME_FILE, name_of(table, PLAY_SAVE), NULL, NULL);
        return;
    }
    if (play_pgn_save(&table->game, table->file, play_now(), &err)) {
        table->is_saved = true;
        play_say(table, PLAY_WORD_SAVED, table->file, NULL, NULL);
        return;
    }
    play_say(table, PLAY_WORD_NOT_SAVED, table->file, err.text, NULL);
    memcpy(table->file, before, sizeof(before));
}

static PlayWord fault_word(ChessPgnFault fault) {
    return fault == CHESS_PGN_ILLEGAL_MOVE      ? PLAY_WORD_FAULT_ILLEGAL
           : fault == CHESS_PGN_AMBIGUOUS_MOVE  ? PLAY_WORD_FAULT_AMBIGUOUS
           : fault == CHESS_PGN_MALFORMED_MOVE  ? PLAY_WORD_FAULT_MALFORMED
           : fault == CHESS_PGN_BAD_FEN         ? PLAY_WORD_FAULT_FEN
           : fault == CHESS_PGN_UNKNOWN_VARIANT ? PLAY_WORD_FAULT_VARIANT
                                                : PLAY_WORD_FAULT_OTHER;
}

static void put_problem(const PlayTable *table, const ChessPgnProblem *problem, char *out,
                        size_t size) {
    char line[24];
    char reason[384];
    (void)jd_format(line, sizeof(line), "%llu", (unsigned long long)problem->line);
    (void)jd_format(reason, sizeof(reason), "%s%s%s%s",
                    play_word(fault_word(problem->fault), table->options.language),
                    table->options.language == PLAY_ENGLISH ? " (" : "",
                    table->options.language == PLAY_ENGLISH ? problem->text : "",
                    table->options.language == PLAY_ENGLISH ? ")" : "");
    JdOut text = jd_out(out, size - 1);
    play_fill(&text, play_word(PLAY_WORD_LINE_FAULT, table->options.language), line, reason, NULL);
    out[jd_out_str(&text).size] = '\0';
}

// Opens a file and says what came of it; false: nothing changed.
static bool open_path(PlayTable *table, const char *path, uint64_t number) {
    PlayOpened report;
    JdErr err = { 0 };
    char fault[512];
    char count[24];
    if (!play_pgn_open(&table->game, path, number, play_now(), &report, &err)) {
        if (report.has_problem)
            put_problem(table, &report.problem, fault, sizeof(fault));
        else
            (void)jd_format(fault, sizeof(fault), "%s",
                            err.code != 0
                                ? err.text
                                : play_word(PLAY_WORD_NO_GAME_IN_FILE, table->options.language));
        play_say(table, PLAY_WORD_NOT_OPENED, path, fault, NULL);
        return false;
    }
    table->is_over_told = false;
    changed(table);
    table->is_saved = !report.is_cut;
    play_say(table, PLAY_WORD_OPENED, path, NULL, NULL);
    play_table_tell_game(table);
    if (report.is_cut) {
        put_problem(table, &report.problem, fault, sizeof(fault));
        (void)jd_format(count, sizeof(count), "%u", table->game.laws.ply_count);
        play_say(table, PLAY_WORD_OPENED_UP_TO, count, fault, NULL);
    }
    if (report.is_over_before_end)
        play_say(table, PLAY_WORD_OVER_LAWS, NULL, NULL, NULL);
    if (report.games > 1) {
        (void)jd_format(count, sizeof(count), "%llu", (unsigned long long)report.games);
        play_say(table, PLAY_WORD_MORE_GAMES, count, name_of(table, PLAY_OPEN), path);
    }
    if (table->game.hints > 0) {
        (void)jd_format(count, sizeof(count), "%u", table->game.hints);
        play_say(table, PLAY_WORD_HINTS_USED, count, NULL, NULL);
    }
    play_table_tell_end(table);
    return true;
}

// An unfinished game that nobody has saved is only left on a second word (L-002).
static bool may_leave(PlayTable *table, PlayCommand command) {
    const bool is_lost =
        table->game.laws.ply_count > 0 && !play_is_over(&table->game) && !table->is_saved;
    if (!is_lost || table->leaving == command)
        return true;
    table->leaving = command;
    play_say(table, PLAY_WORD_UNFINISHED, name_of(table, PLAY_SAVE), name_of(table, command), NULL);
    return false;
}

static void open_file(PlayTable *table, JdStr rest) {
    char path[PLAY_PATH_SIZE];
    uint64_t number = 1;
    if (rest.size == 0 || rest.size >= sizeof(path)) {
        play_say(table, PLAY_WORD_NAME_FILE, name_of(table, PLAY_OPEN), NULL, NULL);
        return;
    }
    // A last word that is a number names the game, unless there is a file of the whole name.
    (void)jd_format(path, sizeof(path), "%.*s", JD_PRINT(rest));
    for (size_t i = rest.size; access(path, F_OK) != 0 && i-- > 1;)
        if (rest.data[i] == ' ') {
            const JdStr last = jd_str_part(rest, i + 1, rest.size);
            if (jd_parse_u64(last, UINT32_MAX, &number) && number > 0)
                path[jd_str_trim(jd_str_part(rest, 0, i)).size] = '\0';
            else
                number = 1;
            break;
        }
    if (!may_leave(table, PLAY_OPEN))
        return;
    if (open_path(table, path, number))
        (void)keep_path(table, jd_str(path));
}

static void recover(PlayTable *table) {
    if (table->lost_path[0] == '\0') {
        play_say(table, PLAY_WORD_NOTHING_LOST, NULL, NULL, NULL);
        return;
    }
    if (!may_leave(table, PLAY_RECOVER) || !open_path(table, table->lost_path, 1))
        return;
    table->is_saved = false;
    if (table->kept_path[0] != '\0') // it has a file of its own now
        (void)unlink(table->lost_path);
    table->lost_path[0] = '\0';
}

static void begin(PlayTable *table, const PlaySetup *setup) {
    PlayGame fresh;
    JdErr err = { 0 };
    if (!play_game_open(&fresh, setup, play_now(), &err)) {
        play_say(table, PLAY_WORD_BAD_FEN, err.text, NULL, NULL);
        return;
    }
    play_game_close(&table->game);
    table->game = fresh;
    table->is_over_told = false;
    changed(table);
    table->is_saved = true;
    table->file[0] = '\0';
    play_table_tell_game(table);
}

// What a new game has otherwise than the last: "level=5 color=black time=10/5 increment=3 delay=2",
// the names of the options (L-002 to L-004); "time=0": no clock; "move=30": a limit for each move.
// False: fault is the part at fault.
static bool read_changes(PlaySetup *setup, PlayOptions *options, JdStr rest, JdStr *fault) {
    const LawsControl *control = setup->control;
    uint64_t time[2] = { (uint64_t)(control[0].periods[0].time_ms / 60000),
                         (uint64_t)(control[1].periods[0].time_ms / 60000) };
    uint64_t increment = (uint64_t)(control[0].periods[0].increment_ms / 1000);
    uint64_t delay = (uint64_t)(control[0].periods[0].delay_ms / 1000);
    bool changes_clock = false;
    while (rest.size > 0) {
        *fault = jd_str_cut(&rest, ' ');
        JdStr value = *fault;
        const JdStr name = jd_str_cut(&value, '=');
        uint64_t *number = NULL;
        uint64_t level = 0;
        uint64_t seconds = 0;
        const bool is_white = jd_str_equal(value, JD_STR("white"));
        if (name.size == 0)
            continue;
        if (jd_str_equal(name, JD_STR("level")) && jd_parse_u64(value, ENGINE_LEVELS, &level) &&
            level > 0) {
            const int side = setup->level[CHESS_WHITE] > 0 ? CHESS_WHITE : CHESS_BLACK;
            setup->level[side] = (uint8_t)level;
            continue;
        }
        if (jd_str_equal(name, JD_STR("color")) && jd_str_equal(value, JD_STR("alternate"))) {
            options->alternates = true;
            continue;
        }
        if (jd_str_equal(name, JD_STR("move"))) {
            if (!jd_parse_u64(value, PLAY_MOVE_SECONDS_MAX, &seconds) || seconds == 0)
                return false;
            const uint32_t limits[2] = { (uint32_t)seconds, (uint32_t)seconds };
            if (!play_setup_move_limit(setup, limits, NULL))
                return false;
            continue;
        }
        if (jd_str_equal(name, JD_STR("color")) &&
            (is_white || jd_str_equal(value, JD_STR("black")))) {
            const uint8_t machine = setup->level[setup->level[CHESS_WHITE] == 0];
            setup->level[is_white ? CHESS_BLACK : CHESS_WHITE] = machine;
            setup->level[is_white ? CHESS_WHITE : CHESS_BLACK] = 0;
            options->alternates = false;
            continue;
        }
        changes_clock = true;
        if (jd_str_equal(name, JD_STR("time"))) {
            const bool is_one = jd_str_find(value, '/') == value.size;
            const JdStr white = jd_str_cut(&value, '/');
            if (!jd_parse_u64(white, PLAY_MINUTES_MAX, &time[0]) ||
                !jd_parse_u64(is_one ? white : value, PLAY_MINUTES_MAX, &time[1]))
                return false;
            continue;
        }
        number = jd_str_equal(name, JD_STR("increment")) ? &increment
                 : jd_str_equal(name, JD_STR("delay"))   ? &delay
                                                         : NULL;
        if (number == NULL || !jd_parse_u64(value, PLAY_SECONDS_MAX, number))
            return false;
    }
    const uint32_t minutes[2] = { (uint32_t)time[0], (uint32_t)time[1] };
    if (changes_clock && minutes[0] == 0 && minutes[1] == 0)
        increment = delay = 0;
    return !changes_clock ||
           play_setup_clock(setup, minutes, (uint32_t)increment, (uint32_t)delay, NULL);
}

// Each player gets the other colour: with it go his name, his level and his time.
static void change_colors(PlaySetup *setup) {
    const PlaySetup before = *setup;
    for (int side = 0; side < 2; side++) {
        setup->level[side] = before.level[side ^ 1];
        setup->control[side] = before.control[side ^ 1];
        jd_copy(setup->name[side], before.name[side ^ 1], PLAY_NAME_SIZE);
    }
}

static void begin_anew(PlayTable *table, JdStr rest) {
    PlaySetup setup = table->game.setup;
    PlayOptions options = table->options;
    JdStr fault = rest;
    char shown[PLAY_SHOWN_SIZE];
    if (!read_changes(&setup, &options, rest, &fault)) {
        play_shown(fault, shown);
        play_say(table, PLAY_WORD_BAD_NEW, shown, NULL, NULL);
    } else if (may_leave(table, PLAY_NEW)) {
        table->options = options;
        if (options.alternates) {
            change_colors(&setup);
            if (setup.level[0] != setup.level[1]) // the person's side stays below
                table->options.black_below = setup.level[CHESS_WHITE] > 0;
        }
        begin(table, &setup);
    }
}

// ---- set up by pieces (L-025) -------------------------------------------------------------------

// The kind a word begins with, in the letters of the language or in English ones; a square alone is
// a pawn's.
static ChessKind take_kind(JdStr *word, ChessLanguage language) {
    const ChessLanguage languages[2] = { language, CHESS_ENGLISH };
    for (size_t i = 0; i < JD_COUNT(languages) && word->size > 2; i++)
        for (ChessKind kind = CHESS_KING; kind >= CHESS_PAWN; kind--) {
            const JdStr letter = jd_str(chess_language_letter(languages[i], kind));
            if (letter.size > 0 && word->size == letter.size + 2 &&
                jd_str_starts_with(*word, letter)) {
                *word = jd_str_part(*word, letter.size, word->size);
                return kind;
            }
        }
    return CHESS_PAWN;
}

static bool put_man(char board[64], JdStr word, bool is_black, ChessLanguage language) {
    static const char letters[] = { [CHESS_PAWN] = 'P', [CHESS_KNIGHT] = 'N', [CHESS_BISHOP] = 'B',
                                    [CHESS_ROOK] = 'R', [CHESS_QUEEN] = 'Q',  [CHESS_KING] = 'K' };
    const ChessKind kind = take_kind(&word, language);
    if (word.size != 2 || word.data[0] < 'a' || word.data[0] > 'h' || word.data[1] < '1' ||
        word.data[1] > '8')
        return false;
    char *square = &board[chess_square(word.data[0] - 'a', word.data[1] - '1')];
    if (*square != '\0')
        return false;
    *square = (char)(letters[kind] + (is_black ? 'a' - 'A' : 0));
    return true;
}

// FEN of men on squares. Where king and rook stand at home they are taken not to have moved.
static void write_board(const char board[64], bool black_moves, char *out, size_t size) {
    static const struct {
        char letter;
        uint8_t king, rook;
    } homes[] = { { 'K', 4, 7 }, { 'Q', 4, 0 }, { 'k', 60, 63 }, { 'q', 60, 56 } };
    JdOut fen = jd_out(out, size - 1);
    for (int rank = 7; rank >= 0; rank--) {
        int empty = 0;
        for (int file = 0; file < 8; file++) {
            const char man = board[rank * 8 + file];
            if (man == '\0')
                empty++;
            if (empty > 0 && (man != '\0' || file == 7)) {
                jd_out_u64(&fen, (uint64_t)empty);
                empty = 0;
            }
            if (man != '\0')
                jd_out_char(&fen, man);
        }
        jd_out_char(&fen, rank > 0 ? '/' : ' ');
    }
    jd_out_cstr(&fen, black_moves ? "b " : "w ");
    bool any = false;
    for (size_t i = 0; i < JD_COUNT(homes); i++) {
        const char small = i < 2 ? '\0' : 'a' - 'A';
        if (board[homes[i].king] == 'K' + small && board[homes[i].rook] == 'R' + small) {
            jd_out_char(&fen, homes[i].letter);
            any = true;
        }
    }
    jd_out_cstr(&fen, any ? " - 0 1" : "- - 0 1");
    out[jd_out_str(&fen).size] = '\0';
}

static bool is_color_word(JdStr word, PlayWord color) {
    for (int language = 0; language < PLAY_LANGUAGE_COUNT; language++)
        if (jd_str_equal_nocase(word, jd_str(play_word(color, (PlayLanguage)language))))
            return true;
    return false;
}

// "Kg1 Ra1 f2 / Kg8 f7 black": White's men before the stroke, Black's after it.
static void set_up(PlayTable *table, JdStr rest) {
    const ChessLanguage language = play_chess_language(table->options.language);
    PlaySetup setup = table->game.setup;
    char board[64] = { 0 };
    char fen[CHESS_FEN_SIZE];
    char shown[PLAY_SHOWN_SIZE];
    bool is_black = false;
    bool black_moves = false;
    JdErr err = { 0 };
    while (rest.size > 0) {
        const JdStr word = jd_str_cut(&rest, ' ');
        if (word.size == 0)
            continue;
        if (jd_str_equal(word, JD_STR("/"))) {
            is_black = true;
        } else if (is_color_word(word, PLAY_WORD_BLACK_WITHIN) ||
                   is_color_word(word, PLAY_WORD_WHITE_WITHIN)) {
            black_moves = is_color_word(word, PLAY_WORD_BLACK_WITHIN);
        } else if (!put_man(board, word, is_black, language)) {
            char example[16];
            (void)jd_format(example, sizeof(example), "%sg1",
                            chess_language_letter(language, CHESS_KING));
            play_shown(word, shown);
            play_say(table, PLAY_WORD_BAD_MAN, shown, example, NULL);
            return;
        }
    }
    write_board(board, black_moves, fen, sizeof(fen));
    if (!chess_fen_parse(jd_str(fen), &setup.start, &err) || !play_setup_check(&setup, &err)) {
        play_say(table, PLAY_WORD_BAD_FEN, err.text, NULL, NULL);
    } else if (may_leave(table, PLAY_SETUP)) {
        begin(table, &setup);
        play_say(table, PLAY_WORD_SET_UP, fen, NULL, NULL);
    }
}

static void position(PlayTable *table, JdStr rest) {
    JdErr err = { 0 };
    PlaySetup setup = table->game.setup;
    if (rest.size == 0) {
        char fen[CHESS_FEN_SIZE];
        const ChessPosition pos = play_table_shown(table);
        (void)chess_fen_write(&pos, CHESS_FEN_EP_LEGAL, fen);
        table->say(table->context, fen);
    } else if (!chess_fen_parse(rest, &setup.start, &err)) {
        play_say(table, PLAY_WORD_BAD_FEN, err.text, NULL, NULL);
    } else if (may_leave(table, PLAY_FEN)) {
        begin(table, &setup);
    }
}

void play_table_command(PlayTable *table, PlayCommand command, JdStr rest) {
    const uint32_t plies = table->game.laws.ply_count;
    switch (command) {
    case PLAY_HELP:
        play_say_help(table);
        break;
    case PLAY_RULES:
        play_say_rules(table);
        break;
    case PLAY_BOARD:
        play_say_board(table);
        break;
    case PLAY_MOVES:
        play_say_moves(table);
        break;
    case PLAY_LEGAL:
        tell_legal(table, rest);
        break;
    case PLAY_CLOCK:
        tell_clock(table);
        break;
    case PLAY_DRAW:
        offer_draw(table);
        break;
    case PLAY_ACCEPT:
    case PLAY_DECLINE:
        answer_offer(table, command == PLAY_ACCEPT);
        break;
    case PLAY_CLAIM:
        claim_draw(table, rest);
        break;
    case PLAY_FLAG:
        claim_flag(table);
        break;
    case PLAY_RESIGN:
        resign(table);
        break;
    case PLAY_UNDO:
        tell_undo(table, play_undo(&table->game, play_now()), plies);
        break;
    case PLAY_HINT:
        ask_hint(table);
        break;
    case PLAY_CONSIDER:
        consider(table, rest);
        break;
    case PLAY_PAUSE:
        pause_game(table);
        break;
    case PLAY_CONTINUE:
        go_on(table);
        break;
    case PLAY_SAVE:
        save(table, rest);
        break;
    case PLAY_OPEN:
        open_file(table, rest);
        break;
    case PLAY_NEW:
        begin_anew(table, rest);
        break;
    case PLAY_FEN:
        position(table, rest);
        break;
    case PLAY_SETUP:
        set_up(table, rest);
        break;
    case PLAY_RECOVER:
        recover(table);
        break;
    case PLAY_FORGET:
        if (table->lost_path[0] != '\0' && unlink(table->lost_path) == 0)
            play_say(table, PLAY_WORD_FORGOTTEN, NULL, NULL, NULL);
        else
            play_say(table, PLAY_WORD_NOTHING_LOST, NULL, NULL, NULL);
        table->lost_path[0] = '\0';
        break;
    case PLAY_QUIT:
        if (may_leave(table, PLAY_QUIT)) {
            table->is_done = true;
            if (table->kept_path[0] != '\0')
                (void)unlink(table->kept_path);
        }
        break;
    case PLAY_NO_COMMAND:
    case PLAY_COMMAND_COUNT:
        break;
    }
}

// ---- at the start -------------------------------------------------------------------------------

static void say_on_error(void *context, const char *line) {
    (void)context;
    fprintf(stderr, "jadoube play: %s\n", line);
}

bool play_table_open_file(PlayTable *table, const char *path) {
    table->say = say_on_error;
    return open_path(table, path, 1) && keep_path(table, jd_str(path));
}
