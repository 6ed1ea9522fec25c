// SPDX-License-Identifier: GPL-3.0-or-later
//
// Games out of an event file: every event goes through laws_apply, and the record that comes of it
// through the same judge as PGN.
#include "cli/arbitrate_events.h"

#include <stdlib.h>
#include <string.h>

// The longest line read.
#define LINE_MAX ((size_t)64 * 1024)

typedef struct Lines {
    ArbRun *run;
    ArbEventFile *file;
    uint64_t number; // of the line
    uint64_t offset; // of its first byte
    size_t size;
    uint64_t bytes; // of the line, however long
    bool is_too_long;
    char text[LINE_MAX];
} Lines;

static void tell_fault(const Lines *lines, size_t column, const char *text) {
    const uint64_t from_one = column + 1;
    const uint64_t offset = lines->offset + column;
    fprintf(stderr, "jadoube arbitrate: %s:%llu:%llu: byte %llu: %s\n", lines->run->file,
            (unsigned long long)lines->number, (unsigned long long)from_one,
            (unsigned long long)offset, text);
    lines->run->totals.bad_input = true;
    lines->file->is_bad = true;
}

// The column of a key in the line, for messages; 0 when it is not there.
static size_t column_of(const Lines *lines, const char *key) {
    if (key == NULL)
        return 0;
    char quoted[64];
    const size_t size = jd_format(quoted, sizeof quoted, "\"%s\"", key);
    for (size_t i = 0; i + size <= lines->size; i++)
        if (memcmp(lines->text + i, quoted, size) == 0)
            return i;
    return 0;
}

// ---- what is worth telling ----------------------------------------------------------------------

static bool is_plain(uint8_t kind) {
    switch (kind) {
    case LAWS_EVENT_START:
    case LAWS_EVENT_MOVE:
    case LAWS_EVENT_PRESS:
    case LAWS_EVENT_TOUCH:
    case LAWS_EVENT_RELEASE:
    case LAWS_EVENT_ADJUST:
    case LAWS_EVENT_PROMO_TOUCH:
    case LAWS_EVENT_TICK:
    case LAWS_EVENT_RECORD:
    case LAWS_EVENT_ANNOUNCE:
    case LAWS_EVENT_REPEAT:
    case LAWS_EVENT_ARRIVE:
    case LAWS_EVENT_VIEW_SHEET:
        return true;
    default:
        return false;
    }
}

static void note_act(Lines *lines, const ChessPosition *before, const LawsEvent *event,
                     int64_t at_ms, const LawsVerdict *verdict, const char *move) {
    ArbEventFile *const file = lines->file;
    const bool is_over = file->game.state == LAWS_ENDED || file->game.state == LAWS_ANNULLED;
    if ((verdict->changed & LAWS_CHANGED_STATE) && is_over)
        jd_copy(file->end_article, verdict->article, sizeof file->end_article);
    if (verdict->refusal == LAWS_NOT_REFUSED && verdict->incident == 0 && !verdict->claim_wrong &&
        is_plain(event->kind))
        return;
    if (file->act_count == ARB_ACTS_MAX) {
        file->acts_left_out++;
        return;
    }
    ArbAct *const act = &file->acts[file->act_count++];
    *act = (ArbAct) { .line = lines->number, .at_ms = at_ms, .event = *event, .verdict = *verdict };
    act->event.text = (JdStr) { 0 };
    act->position = *before;
    jd_format(act->move, sizeof act->move, "%s", move);
}

static void apply(Lines *lines, const LawsEvent *event, int64_t at_ms, const char *move) {
    const ChessPosition before = lines->file->game.position;
    LawsGame *const game = &lines->file->game;
    LawsVerdict verdict = laws_apply(game, event, (JdInstant) { .ms = at_ms });
    // What is open is found out before the next line; the verdict of the event is then what it led
    // to.
    const bool waits = game->desk.stop == LAWS_STOP_VERDICT;
    if (verdict.is_open || waits)
        arb_settle(&lines->run->judge.mates, game, at_ms);
    if (game->state == LAWS_ENDED && waits)
        verdict.changed |= LAWS_CHANGED_STATE;
    note_act(lines, &before, event, at_ms, &verdict, move);
}

// ---- a game -------------------------------------------------------------------------------------

static bool has_illegal_ply(const LawsGame *game) {
    for (uint32_t i = 0; i < game->ply_count; i++)
        if (game->plies[i].flags & (LAWS_PLY_ILLEGAL | LAWS_PLY_FORCED | LAWS_PLY_UNFINISHED))
            return true;
    return game->desk.loose != 0;
}

// Claims that would have been right: by the walk over the moves, where all of them are moves of
// Article 3.
static void judge_moves(ArbRun *run, const LawsGame *game) {
    ArbJudge *const judge = &run->judge;
    LawsRules space;
    run->rules = *laws_game_rules(game, &space);
    run->report.rules = &run->rules;
    arb_judge_begin(judge, &run->rules, &game->setup.start);
    const bool is_illegal = has_illegal_ply(game);
    run->game.plies = game->ply_count;
    if (is_illegal)
        return;
    ChessPosition pos = game->setup.start;
    for (uint32_t i = 0; i < game->ply_count; i++) {
        arb_judge_position(judge, &pos);
        arb_judge_move(judge, game->plies[i].move);
        chess_move_make(&pos, game->plies[i].move, NULL);
    }
    arb_judge_position(judge, &pos);
    arb_judge_strike_out(judge, game->state == LAWS_ENDED && run->report.by_board ? game->ply_count
                                                                                  : ARB_NO_PLY);
}

static bool is_end_by_board(uint8_t reason) {
    return reason == LAWS_CHECKMATE || reason == LAWS_STALEMATE || reason == LAWS_DEAD_POSITION ||
           reason == LAWS_AUTO_75 || reason == LAWS_AUTO_REPETITION;
}

static void finish_game(ArbRun *run, ArbEventFile *file) {
    if (!file->is_open)
        return;
    file->is_open = false;
    if (file->is_bad)
        return;
    const LawsGame *const game = &file->game;
    ArbReport *const report = &run->report;
    *report = (ArbReport) { .edition = (LawsEdition)game->setup.edition,
                            .pace = (LawsPace)game->setup.pace,
                            .end_ply = game->ply_count };
    if (game->state == LAWS_ENDED || game->state == LAWS_ANNULLED) {
        report->reason = (LawsReason)game->reason;
        report->article = (uint16_t)arb_article_of_reason(report->reason);
        report->result[0] = game->state == LAWS_ENDED ? game->result[0] : 3; // 3: none
        report->result[1] = game->state == LAWS_ENDED ? game->result[1] : 3;
        report->by_board = is_end_by_board(game->reason);
        jd_copy(report->article_text, file->end_article, sizeof report->article_text);
    }
    judge_moves(run, game);
    arb_compare(&run->game, report);
    run->events = file;
    arb_finish_game(run);
    run->events = NULL;
}

static void begin_game(Lines *lines, json_t *line) {
    ArbRun *const run = lines->run;
    ArbEventFile *const file = lines->file;
    finish_game(run, file);
    const uint64_t number = run->totals.games_read + 1;
    run->totals.games_read = number;
    file->is_open = true;
    file->is_bad = false;
    file->act_count = 0;
    file->acts_left_out = 0;
    file->end_article[0] = '\0';
    run->game.number = number;
    run->game.line = lines->number;
    run->game.is_damaged = false;
    LawsSetup setup;
    ArbLineFault fault = { 0 };
    if (!arb_events_setup(run, file, line, &setup, &fault)) {
        tell_fault(lines, column_of(lines, fault.key), fault.text);
        return;
    }
    run->game.start = setup.start;
    setup.mating = LAWS_MATING_EXACT;
    laws_game_init(&file->game, &setup, file->plies, CHESS_GAME_PLIES_MAX);
}

static void take_event(Lines *lines, json_t *line) {
    ArbEventFile *const file = lines->file;
    if (!file->is_open) {
        tell_fault(lines, 0,
                   "an event before any setup; expected a line with \"edition\" or \"control\"");
        return;
    }
    LawsEvent event;
    int64_t at_ms = 0;
    ArbLineFault fault = { 0 };
    if (!arb_events_event(file, line, &event, &at_ms, &fault)) {
        tell_fault(lines, column_of(lines, fault.key), fault.text);
        return;
    }
    // A file that begins with a move leaves the start out.
    if (file->game.state == LAWS_SCHEDULED && event.kind == LAWS_EVENT_MOVE)
        apply(lines, &(LawsEvent) { .kind = LAWS_EVENT_START, .actor = LAWS_SERVER }, 0, "");
    const char *const move = json_string_value(json_object_get(line, "move"));
    apply(lines, &event, at_ms, move != NULL ? move : "");
}

static void take_line(Lines *lines) {
    const JdStr text = jd_str_trim(jd_str_n(lines->text, lines->size));
    if (text.size == 0 || text.data[0] == '#')
        return;
    if (lines->is_too_long) {
        tell_fault(lines, LINE_MAX, "the line is too long; expected at most 65536 bytes");
        return;
    }
    json_error_t error;
    json_t *const line = json_loadb(lines->text, lines->size, JSON_REJECT_DUPLICATES, &error);
    if (!json_is_object(line)) {
        char message[JSON_ERROR_TEXT_LENGTH + 64];
        jd_format(message, sizeof message, "%s; expected one JSON object",
                  line != NULL ? "this is no object" : error.text);
        const int position = line != NULL || error.position < 1 ? 1 : error.position;
        tell_fault(lines, (size_t)position - 1, message);
    } else if (json_object_get(line, "kind") == NULL) {
        begin_game(lines, line);
    } else if (!lines->file->is_bad || !lines->file->is_open) {
        take_event(lines, line);
    }
    json_decref(line);
}

void arb_read_events(ArbRun *run) {
    ArbEventFile *const file = calloc(1, sizeof *file);
    Lines *const lines = calloc(1, sizeof *lines);
    if (file == NULL || lines == NULL) {
        fprintf(stderr, "jadoube arbitrate: no memory\n");
        run->totals.bad_input = true;
        free(file);
        free(lines);
        return;
    }
    lines->run = run;
    lines->file = file;
    lines->number = 1;
    JdStr piece;
    bool is_first = true;
    while (arb_input_read(run, &piece)) {
        if (is_first && jd_str_starts_with(piece, JD_STR("\xef\xbb\xbf"))) {
            piece = jd_str_part(piece, 3, piece.size);
            lines->offset = 3;
        }
        is_first = false;
        for (size_t i = 0; i < piece.size; i++) {
            if (piece.data[i] != '\n') {
                if (lines->size < LINE_MAX)
                    lines->text[lines->size++] = piece.data[i];
                else
                    lines->is_too_long = true;
                lines->bytes++;
                continue;
            }
            take_line(lines);
            lines->offset += lines->bytes + 1;
            lines->bytes = 0;
            lines->size = 0;
            lines->is_too_long = false;
            lines->number++;
        }
    }
    take_line(lines);
    finish_game(run, file);
    free(file);
    free(lines);
}
