// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/play_table.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/play_pgn.h"
#include "cli/play_text.h"
#include "cli/tutor_words.h"

JdInstant play_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    return (JdInstant) { (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000 };
}

void play_say(PlayTable *table, PlayWord word, const char *a, const char *b, const char *c) {
    char line[PLAY_LINE_SIZE];
    JdOut out = jd_out(line, sizeof(line) - 1);
    play_fill(&out, play_word(word, table->options.language), a, b, c);
    line[jd_out_str(&out).size] = '\0';
    table->say(table->context, line);
}

static const char *command_name(const PlayTable *table, PlayCommand command) {
    return play_command_name(command, table->options.language);
}

static const char *side_word(const PlayTable *table, uint8_t side) {
    return play_word(side == CHESS_WHITE ? PLAY_WORD_WHITE : PLAY_WORD_BLACK,
                     table->options.language);
}

// ---- sitting down and leaving -------------------------------------------------------------------

bool play_table_open(PlayTable *table, const PlaySetup *setup, JdErr *err) {
    if (!play_game_open(&table->game, setup, play_now(), err))
        return false;
    table->random = jd_mix((uint64_t)play_now().ms) ^ (uint64_t)getpid();
    table->is_saved = true;
    return true;
}

static void describe_player(const PlayTable *table, int side, char *out, size_t size) {
    const PlaySetup *setup = &table->game.setup;
    JdOut text = jd_out(out, size - 1);
    char level[8];
    (void)jd_format(level, sizeof(level), "%u", setup->level[side]);
    if (setup->level[side] > 0)
        play_fill(&text, play_word(PLAY_WORD_LEVEL, table->options.language), level, NULL, NULL);
    else if (setup->name[side][0] != '\0')
        jd_out_cstr(&text, setup->name[side]);
    else
        jd_out_cstr(&text, play_word(PLAY_WORD_PERSON, table->options.language));
    out[jd_out_str(&text).size] = '\0';
}

static void describe_clock(const PlayTable *table, char *out, size_t size) {
    char control[2][LAWS_CONTROL_TEXT_SIZE];
    JdOut text = jd_out(out, size - 1);
    for (int side = 0; side < 2; side++)
        (void)laws_control_write(&table->game.setup.control[side], control[side]);
    play_fill(
        &text,
        play_word(play_setup_has_clock(&table->game.setup) ? PLAY_WORD_CONTROL : PLAY_WORD_NO_CLOCK,
                  table->options.language),
        control[0], control[1], NULL);
    out[jd_out_str(&text).size] = '\0';
}

void play_table_tell_game(PlayTable *table) {
    char players[2][128];
    char clock[640];
    for (int side = 0; side < 2; side++)
        describe_player(table, side, players[side], sizeof(players[side]));
    describe_clock(table, clock, sizeof(clock));
    play_say(table, PLAY_WORD_GAME_BEGINS, players[0], players[1], clock);
}

void play_table_greet(PlayTable *table) {
    JdErr err = { 0 };
    play_table_tell_game(table);
    if (!play_engine_is_there(table->engine))
        play_say(table, PLAY_WORD_NO_ENGINE, "stockfish", NULL, NULL);
    if (!play_store_own(table->kept_path, &err)) {
        play_say(table, PLAY_WORD_NOT_KEPT, table->kept_path, err.text, NULL);
        table->kept_path[0] = '\0';
    }
    if (play_store_lost(table->lost_path)) {
        PlayGame lost = { 0 };
        PlayOpened report;
        char plies[16];
        if (play_pgn_open(&lost, table->lost_path, 1, play_now(), &report, &err)) {
            (void)jd_format(plies, sizeof(plies), "%u", lost.laws.ply_count);
            play_say(table, PLAY_WORD_FOUND_LOST, plies, command_name(table, PLAY_RECOVER),
                     command_name(table, PLAY_FORGET));
            play_game_close(&lost);
        } else {
            play_say(table, PLAY_WORD_NOT_OPENED, table->lost_path,
                     play_word(PLAY_WORD_FAULT_OTHER, table->options.language), NULL);
            table->lost_path[0] = '\0';
        }
    }
}

static bool is_worth_keeping(const PlayTable *table) {
    return table->game.laws.ply_count > 0 && !play_is_over(&table->game);
}

void play_table_keep(PlayTable *table) {
    JdErr err = { 0 };
    if (table->kept_path[0] == '\0')
        return;
    if (!is_worth_keeping(table)) {
        (void)unlink(table->kept_path); // there may be none
    } else if (!play_pgn_save(&table->game, table->kept_path, play_now(), &err)) {
        play_say(table, PLAY_WORD_NOT_KEPT, table->kept_path, err.text, NULL);
        table->kept_path[0] = '\0';
    }
}

void play_table_close(PlayTable *table) {
    play_engine_close(table->engine);
    play_game_close(&table->game);
}

// ---- moves and what follows ---------------------------------------------------------------------

ChessPosition play_table_shown(const PlayTable *table) {
    return table->is_leafing ? play_position_at(&table->game, table->shown)
                             : table->game.laws.position;
}

void play_table_tell_end(PlayTable *table) {
    char line[PLAY_LINE_SIZE];
    if (!play_is_over(&table->game) || table->is_over_told)
        return;
    table->is_over_told = true;
    JdOut out = jd_out(line, sizeof(line) - 1);
    play_laws_ended(&out, table->options.language, &table->game.laws);
    line[jd_out_str(&out).size] = '\0';
    table->say(table->context, line);
    play_say(table, PLAY_WORD_RESULT, laws_result_text(&table->game.laws), NULL, NULL);
    play_engine_forget(table->engine);
}

static void has_changed(PlayTable *table) {
    table->is_saved = false;
    table->hint = CHESS_NO_MOVE;
    table->leaving = PLAY_NO_COMMAND;
    table->is_resigning = false;
    play_table_tell_end(table);
    play_table_keep(table);
}

void play_table_leaf(PlayTable *table, uint32_t plies) {
    PlayGame *game = &table->game;
    const bool leafs = plies < game->laws.ply_count;
    const bool has_computer = game->setup.level[0] > 0 || game->setup.level[1] > 0;
    if (leafs && !table->is_leafing && has_computer && play_level_to_move(game) == 0)
        table->leafing_stops = play_pause(game, play_now());
    if (!leafs && table->leafing_stops) {
        (void)play_resume(game, play_now());
        table->leafing_stops = false;
    }
    table->is_leafing = leafs;
    table->shown = leafs ? plies : game->laws.ply_count;
    play_table_tell_end(table); // a flag may have been found
}

static void tell_refusal(PlayTable *table, const LawsVerdict *verdict) {
    char line[PLAY_LINE_SIZE];
    JdOut out = jd_out(line, sizeof(line) - 1);
    play_laws_say(&out, table->options.language, verdict);
    line[jd_out_str(&out).size] = '\0';
    table->say(table->context, line);
}

static void tell_move(PlayTable *table, const ChessPosition *before, ChessMove move) {
    char text[CHESS_SPOKEN_SIZE];
    char number[16];
    play_move_text(&table->options, before, move, text);
    (void)jd_format(number, sizeof(number), "%u.", before->fullmove_number);
    play_say(table, PLAY_WORD_MOVE_MADE, number, side_word(table, before->side_to_move), text);
    // Signs say it in the other forms.
    if (table->options.notation == PLAY_WORDS && chess_is_check(&table->game.laws.position) &&
        !chess_is_checkmate(&table->game.laws.position))
        play_say(table, PLAY_WORD_CHECK, NULL, NULL, NULL);
}

static void ask_about_offer(PlayTable *table) {
    const LawsGame *laws = &table->game.laws;
    for (uint8_t side = 0; side < 2; side++)
        if (laws->offer[side] && laws->state == LAWS_RUNNING) {
            play_say(table, PLAY_WORD_OFFERED, side_word(table, side), NULL, NULL);
            // The computer answers at its move; at a person's move it is asked by itself.
            if (table->game.setup.level[side ^ 1] > 0 && laws->position.side_to_move == side)
                play_engine_ask(table->engine, PLAY_ASKED_DRAW, &table->game, play_now());
        }
}

void play_table_move(PlayTable *table, ChessMove move, bool offers_draw) {
    const ChessPosition before = table->game.laws.position;
    const LawsVerdict verdict = play_move(&table->game, move, offers_draw, play_now());
    if (verdict.refusal != LAWS_NOT_REFUSED) {
        if (play_is_over(&table->game))
            has_changed(table); // a flag had fallen
        else
            tell_refusal(table, &verdict);
        return;
    }
    table->is_leafing = false;
    play_engine_forget(table->engine); // a hint asked for was about the position before
    tell_move(table, &before, move);
    has_changed(table);
    if (offers_draw)
        ask_about_offer(table);
}

static void tell_leafing(PlayTable *table) {
    char shown[16];
    char all[16];
    (void)jd_format(shown, sizeof(shown), "%u", table->shown);
    (void)jd_format(all, sizeof(all), "%u", table->game.laws.ply_count);
    play_say(table, PLAY_WORD_BROWSING, shown, all, command_name(table, PLAY_CONTINUE));
}

static bool may_move(PlayTable *table) {
    if (play_is_over(&table->game))
        play_say(table, PLAY_WORD_GAME_OVER, command_name(table, PLAY_NEW), NULL, NULL);
    else if (table->is_leafing)
        tell_leafing(table);
    else if (table->game.laws.state != LAWS_RUNNING)
        play_say(table, PLAY_WORD_PAUSED, command_name(table, PLAY_CONTINUE), NULL, NULL);
    else if (play_level_to_move(&table->game) > 0)
        play_say(table, PLAY_WORD_COMPUTER_MOVES, NULL, NULL, NULL);
    else
        return true;
    return false;
}

// The move of a text, or CHESS_NO_MOVE after saying what is wrong with it.
static ChessMove read_move(PlayTable *table, JdStr text, bool *offers_draw) {
    const ChessPosition *pos = &table->game.laws.position;
    char shown[PLAY_SHOWN_SIZE];
    ChessReading found;
    char others[512];
    JdOut list = jd_out(others, sizeof(others) - 1);
    play_shown(text, shown);
    switch (play_read_move(&table->options, pos, text, &found)) {
    case PLAY_READ_MOVE:
        *offers_draw = (found.tolerances & CHESS_TOLERATE_DRAW_OFFER) != 0;
        return found.move;
    case PLAY_READ_MALFORMED:
        play_say(table, PLAY_WORD_MALFORMED, shown, command_name(table, PLAY_HELP), NULL);
        break;
    case PLAY_READ_ILLEGAL:
        play_say(table, PLAY_WORD_ILLEGAL, shown, NULL, NULL);
        break;
    case PLAY_READ_PROMOTION: {
        char example[CHESS_NOTATION_SIZE];
        (void)chess_notation_write(pos, found.move, CHESS_FORM_FIDE,
                                   play_chess_language(table->options.language), example);
        play_say(table, PLAY_WORD_NAME_PROMOTION, example, NULL, NULL);
        break;
    }
    case PLAY_READ_AMBIGUOUS:
        for (int i = 0; i < found.count && i < CHESS_READING_CANDIDATES; i++) {
            char candidate[CHESS_NOTATION_SIZE];
            (void)chess_notation_write(pos, found.candidates[i], CHESS_FORM_LONG,
                                       play_chess_language(table->options.language), candidate);
            jd_out_cstr(&list, i > 0 ? ", " : "");
            jd_out_cstr(&list, candidate);
        }
        others[jd_out_str(&list).size] = '\0';
        play_say(table, PLAY_WORD_AMBIGUOUS, shown, others, NULL);
        break;
    }
    return CHESS_NO_MOVE;
}

void play_table_input(PlayTable *table, JdStr line) {
    JdStr rest;
    bool offers_draw = false;
    const JdStr text = jd_str_trim(line);
    if (text.size == 0)
        return;
    const PlayCommand command = play_command_find(text, &rest);
    if (command != table->leaving)
        table->leaving = PLAY_NO_COMMAND;
    if (command != PLAY_RESIGN)
        table->is_resigning = false;
    if (play_tick(&table->game, play_now()))
        has_changed(table);
    // What concerns the game ends the leafing, so that it runs; looking at things does not.
    if (table->is_leafing && command >= PLAY_DRAW && command != PLAY_CONTINUE &&
        command != PLAY_SAVE)
        play_table_leaf(table, table->game.laws.ply_count);
    if (command != PLAY_NO_COMMAND) {
        play_table_command(table, command, rest);
        return;
    }
    // What is no move at all is told so, whoever has the move.
    ChessReading found;
    if (play_read_move(&table->options, &table->game.laws.position, text, &found) ==
        PLAY_READ_MALFORMED) {
        (void)read_move(table, text, &offers_draw);
        return;
    }
    if (!may_move(table))
        return;
    const ChessMove move = read_move(table, text, &offers_draw);
    if (move != CHESS_NO_MOVE)
        play_table_move(table, move, offers_draw);
}

// ---- the computer -------------------------------------------------------------------------------

static bool computer_may_move(const PlayTable *table) {
    return play_level_to_move(&table->game) > 0;
}

static void think_through(PlayTable *table, const EngineAnswer *answer) {
    const LawsGame *laws = &table->game.laws;
    const ChessPosition *pos = &laws->position;
    const uint8_t side = pos->side_to_move;
    const EngineLevel *level = engine_level(table->game.setup.level[side]);
    if (laws->offer[side ^ 1]) {
        const bool takes = engine_level_accepts_draw(answer, pos->fullmove_number);
        play_table_command(table, takes ? PLAY_ACCEPT : PLAY_DECLINE, JD_STR(""));
        if (takes)
            return;
    }
    table->ready_move = laws->bound_move != CHESS_NO_MOVE
                            ? laws->bound_move
                            : engine_level_choose(level, pos, answer, &table->random);
    table->ready_ms = 0;
    if (table->options.paced && play_setup_has_clock(&table->game.setup))
        table->ready_ms =
            table->asked_ms +
            engine_level_pace(
                level, pos,
                laws->ply_count > 0 ? laws->plies[laws->ply_count - 1].move : CHESS_NO_MOVE, answer,
                laws_clock_reading(laws, (ChessColor)side, play_now()),
                table->game.setup.control[side].periods[0].increment_ms, &table->random);
}

static void put_score(const PlayTable *table, const EngineLine *line, char *out, size_t size) {
    char number[24];
    JdOut text = jd_out(out, size - 1);
    const int score = line->score < 0 ? -line->score : line->score;
    if (line->is_mate)
        (void)jd_format(number, sizeof(number), "%d", score);
    else
        (void)jd_format(number, sizeof(number), "%s%d.%02d", line->score < 0 ? "-" : "+",
                        score / 100, score % 100);
    play_fill(&text,
              play_word(!line->is_mate    ? PLAY_WORD_SCORE
                        : line->score > 0 ? PLAY_WORD_SCORE_MATE
                                          : PLAY_WORD_SCORE_MATED,
                        table->options.language),
              number, NULL, NULL);
    out[jd_out_str(&text).size] = '\0';
}

static void write_move(void *context, const ChessPosition *pos, ChessMove move, JdOut *out) {
    char text[CHESS_SPOKEN_SIZE];
    play_move_text(context, pos, move, text);
    jd_out_cstr(out, text);
}

static void say_fact(PlayTable *table, const ChessPosition *pos, ChessMove move,
                     const TutorFact *fact, const char *before) {
    char line[PLAY_LINE_SIZE];
    JdOut out = jd_out(line, sizeof(line) - 1);
    jd_out_cstr(&out, before);
    cli_fact_say(table->options.language, pos, move, fact, write_move, &table->options, &out);
    line[jd_out_str(&out).size] = '\0';
    table->say(table->context, line);
}

void play_table_consider(PlayTable *table, ChessMove move) {
    const ChessPosition *pos = &table->game.laws.position;
    TutorFacts facts;
    tutor_move_facts(pos, move, (TutorLine) { NULL, 0 }, &facts);
    for (int i = 0; i < facts.count; i++) {
        const uint8_t kind = facts.facts[i].kind;
        const bool is_good = kind < TUTOR_ALLOWS_MATE || kind == TUTOR_KING_SAFE;
        say_fact(table, pos, move, &facts.facts[i], is_good ? "+ " : "- ");
    }
}

// Why the best move is good, in one line (L-024).
static void tell_reason(PlayTable *table, const EngineAnswer *answer) {
    const ChessPosition *pos = &table->game.laws.position;
    const EngineLine *line = &answer->lines[0];
    const bool fits = line->moves[0] == answer->best;
    TutorFacts facts;
    tutor_move_facts(pos, answer->best, (TutorLine) { line->moves, fits ? line->count : 0 },
                     &facts);
    const TutorFact *reason = tutor_reason(&facts);
    if (reason != NULL)
        say_fact(table, pos, answer->best, reason, "");
    else
        table->say(table->context, cli_tutor_text(table->options.language, "tutor.plain"));
}

static void tell_hint(PlayTable *table, const EngineAnswer *answer) {
    const ChessPosition *pos = &table->game.laws.position;
    char best[CHESS_SPOKEN_SIZE];
    char next[CHESS_SPOKEN_SIZE];
    char score[64];
    if (answer->outcome != ENGINE_ANSWERED || answer->lines_count == 0) {
        play_say(table, PLAY_WORD_NO_HINT, engine_outcome_name(answer->outcome), NULL, NULL);
        return;
    }
    table->game.hints++;
    table->is_saved = false;
    table->hint = answer->best;
    play_move_text(&table->options, pos, answer->best, best);
    put_score(table, &answer->lines[0], score, sizeof(score));
    if (answer->lines[0].count > 1 && answer->lines[0].moves[0] == answer->best) {
        ChessPosition after = *pos;
        chess_move_make(&after, answer->best, NULL);
        play_move_text(&table->options, &after, answer->lines[0].moves[1], next);
        play_say(table, PLAY_WORD_HINT, best, score, next);
    } else {
        play_say(table, PLAY_WORD_HINT_END, best, score, NULL);
    }
    tell_reason(table, answer);
}

static void take_answer(PlayTable *table) {
    EngineAnswer answer;
    const LawsGame *laws = &table->game.laws;
    switch (play_engine_take(table->engine, &answer)) {
    case PLAY_ASKED_NOTHING:
        break;
    case PLAY_ASKED_HINT:
        tell_hint(table, &answer);
        break;
    case PLAY_ASKED_DRAW:
        if (laws->state == LAWS_RUNNING && (laws->offer[0] || laws->offer[1]))
            play_table_command(table,
                               engine_level_accepts_draw(&answer, laws->position.fullmove_number)
                                   ? PLAY_ACCEPT
                                   : PLAY_DECLINE,
                               JD_STR(""));
        break;
    case PLAY_ASKED_MOVE:
        if (computer_may_move(table))
            think_through(table, &answer);
        break;
    }
}

void play_table_step(PlayTable *table) {
    const JdInstant now = play_now();
    if (play_tick(&table->game, now))
        has_changed(table);
    for (int side = 0; side < 2; side++) // the computer sees a flag at once
        if (table->game.setup.level[side] > 0 &&
            play_claim_flag(&table->game, (ChessColor)side, now) && !table->is_over_told)
            has_changed(table);
    take_answer(table);
    if (table->ready_move != CHESS_NO_MOVE && now.ms >= table->ready_ms) {
        const ChessMove move = table->ready_move;
        table->ready_move = CHESS_NO_MOVE;
        if (computer_may_move(table))
            play_table_move(table, move, false);
    }
    if (computer_may_move(table) && table->ready_move == CHESS_NO_MOVE &&
        play_engine_asked(table->engine) == PLAY_ASKED_NOTHING) {
        table->asked_ms = now.ms;
        play_engine_ask(table->engine, PLAY_ASKED_MOVE, &table->game, now);
    }
}

int play_table_wait_ms(const PlayTable *table) {
    JdInstant due;
    int64_t at = INT64_MAX;
    if (laws_deadline(&table->game.laws, &due))
        at = due.ms;
    const uint8_t mover = table->game.laws.position.side_to_move;
    if (table->game.setup.level[mover ^ 1] > 0 && table->game.laws.state == LAWS_RUNNING &&
        play_setup_has_clock(&table->game.setup)) {
        const int64_t falls =
            play_now().ms + laws_clock_reading(&table->game.laws, (ChessColor)mover, play_now());
        at = falls < at ? falls : at;
    }
    if (table->ready_move != CHESS_NO_MOVE && table->ready_ms < at)
        at = table->ready_ms;
    if (at == INT64_MAX)
        return -1;
    const int64_t wait = at - play_now().ms;
    return wait < 0 ? 0 : wait > 60000 ? 60000 : (int)wait;
}

bool play_table_is_busy(const PlayTable *table) {
    return play_engine_asked(table->engine) != PLAY_ASKED_NOTHING || computer_may_move(table);
}
