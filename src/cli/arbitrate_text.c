// SPDX-License-Identifier: GPL-3.0-or-later
//
// The report for people: a game in a few sentences, in the language asked for.
#include "cli/arbitrate_events.h"
#include "cli/arbitrate_words.h"

#include <string.h>

#define MOVE_SIZE 64
#define SMALL_SIZE 48
#define MEN_SIZE 192

static ArbLanguage lang(const ArbRun *run) {
    return run->options.language;
}

static const char *color_word(const ArbRun *run, unsigned color) {
    return arb_word(color == CHESS_WHITE ? ARB_WORD_WHITE : ARB_WORD_BLACK, lang(run));
}

static const char *of_color_word(const ArbRun *run, unsigned color) {
    return arb_word(color == CHESS_WHITE ? ARB_WORD_OF_WHITE : ARB_WORD_OF_BLACK, lang(run));
}

static ChessLanguage piece_letters(const ArbRun *run) {
    static const ChessLanguage of[ARB_LANGUAGE_COUNT] = { CHESS_ENGLISH, CHESS_RUSSIAN,
                                                          CHESS_ROMANIAN };
    return of[lang(run)];
}

const char *arb_result_text(const uint8_t result[2]) {
    static const char *const halves[3][3] = { { "0-0", "0-1/2", "0-1" },
                                              { "1/2-0", "1/2-1/2", "1/2-1" },
                                              { "1-0", "1-1/2", "1-1" } };
    return result[0] > 2 || result[1] > 2 ? "*" : halves[result[0]][result[1]];
}

// "24.Nf3", "23...Ng8": a move of the position.
static void write_move(const ArbRun *run, const ChessPosition *pos, ChessMove move,
                       char out[MOVE_SIZE]) {
    char text[CHESS_NOTATION_SIZE];
    chess_notation_write(pos, move, CHESS_FORM_FIDE, piece_letters(run), text);
    jd_format(out, MOVE_SIZE, "%u%s%s", (unsigned)pos->fullmove_number,
              pos->side_to_move == CHESS_WHITE ? "." : "...", text);
}

// The move that led to the position after so many plies, or "the beginning".
static void write_ply(const ArbRun *run, uint32_t ply, char out[MOVE_SIZE]) {
    if (ply == 0) {
        jd_format(out, MOVE_SIZE, "%s", arb_word(ARB_WORD_THE_START, lang(run)));
        return;
    }
    const ChessPosition pos = arb_judge_replay(&run->judge, ply - 1);
    write_move(run, &pos, run->judge.moves[ply - 1], out);
}

static void write_number(uint64_t number, char out[SMALL_SIZE]) {
    jd_format(out, SMALL_SIZE, "%llu", (unsigned long long)number);
}

// "2:05", "1:00:00", "0:00.5".
static void write_span(int64_t ms, char out[SMALL_SIZE]) {
    const unsigned long long hours = (unsigned long long)(ms / 3600000);
    const unsigned long long minutes = (unsigned long long)(ms / 60000 % 60);
    const unsigned long long seconds = (unsigned long long)(ms / 1000 % 60);
    size_t size = hours > 0
                      ? jd_format(out, SMALL_SIZE, "%llu:%02llu:%02llu", hours, minutes, seconds)
                      : jd_format(out, SMALL_SIZE, "%llu:%02llu", minutes, seconds);
    if (ms % 1000 != 0)
        jd_format(out + size, SMALL_SIZE - size, ".%llu", (unsigned long long)(ms % 1000 / 100));
}

static void write_ordinal(const ArbRun *run, uint32_t n, char out[SMALL_SIZE]) {
    JdOut text = jd_out(out, SMALL_SIZE - 1);
    char number[SMALL_SIZE];
    write_number(n, number);
    const ArbWord word = n == 3   ? ARB_WORD_THIRD
                         : n == 4 ? ARB_WORD_FOURTH
                         : n == 5 ? ARB_WORD_FIFTH
                                  : ARB_WORD_NTH;
    arb_say(&text, lang(run), word, &(ArbPlaces) { .n = number });
    out[jd_out_str(&text).size] = '\0';
}

static void new_line(JdOut *out) {
    jd_out_cstr(out, "\n   ");
}

// ---- the head -----------------------------------------------------------------------------------

static void print_control(ArbRun *run) {
    if (run->events != NULL) {
        const LawsControl *const controls = run->events->game.setup.control;
        arb_put_control(&run->out, lang(run), &controls[CHESS_WHITE]);
        if (memcmp(&controls[CHESS_WHITE], &controls[CHESS_BLACK], sizeof *controls) != 0) {
            jd_out_cstr(&run->out, " / ");
            arb_put_control(&run->out, lang(run), &controls[CHESS_BLACK]);
        }
    } else if (run->game.has_control) {
        arb_put_control(&run->out, lang(run), &run->game.control);
    } else {
        jd_out_cstr(&run->out, arb_word(ARB_WORD_NO_CONTROL, lang(run)));
    }
}

static void print_head(ArbRun *run) {
    const ArbGame *const game = &run->game;
    const ArbReport *const report = &run->report;
    JdOut *const out = &run->out;
    char number[SMALL_SIZE];
    jd_out_u64(out, game->number);
    jd_out_cstr(out, ". ");
    jd_out_cstr(out, game->white[0] != '\0' ? game->white : "?");
    jd_out_cstr(out, " – ");
    jd_out_cstr(out, game->black[0] != '\0' ? game->black : "?");
    jd_out_cstr(out, " (");
    write_number(game->line, number);
    arb_say(out, lang(run), ARB_WORD_LINE, &(ArbPlaces) { .n = number });
    jd_out_char(out, ')');
    new_line(out);
    const ArbWord pace = report->pace == LAWS_BLITZ   ? ARB_WORD_PACE_BLITZ
                         : report->pace == LAWS_RAPID ? ARB_WORD_PACE_RAPID
                                                      : ARB_WORD_PACE_STANDARD;
    arb_say(out, lang(run), ARB_WORD_EDITION,
            &(ArbPlaces) { .n = laws_edition_name(report->edition) + 5 });
    jd_out_cstr(out, ", ");
    jd_out_cstr(out, arb_word(pace, lang(run)));
    jd_out_cstr(out, ", ");
    print_control(run);
    jd_out_cstr(out, "; ");
    char other[SMALL_SIZE];
    const bool white_begins = game->start.side_to_move == CHESS_WHITE;
    write_number((game->plies + white_begins) / 2, number);
    write_number((game->plies + !white_begins) / 2, other);
    arb_say(out, lang(run), ARB_WORD_PLIES, &(ArbPlaces) { .n = number, .k = other });
}

// ---- claims -------------------------------------------------------------------------------------

static ArbArticle article_of(const ArbRange *range) {
    if (range->is_fifty)
        return range->on_board ? ARB_ART_fifty_on_board : ARB_ART_fifty_intended;
    return range->on_board ? ARB_ART_repetition_on_board : ARB_ART_repetition_intended;
}

static void print_range(ArbRun *run, const ArbRange *range) {
    const LawsRules *const rules = run->report.rules;
    const LawsEdition edition = run->report.edition;
    char first[MOVE_SIZE];
    char last[MOVE_SIZE];
    char lost[MOVE_SIZE];
    char intended[MOVE_SIZE] = "";
    char number[SMALL_SIZE];
    char ordinal[SMALL_SIZE];
    write_ply(run, range->first, first);
    write_number(range->count, number);
    write_ordinal(run, range->count, ordinal);
    if (!range->on_board) {
        const ChessPosition pos = arb_judge_replay(&run->judge, range->first);
        write_move(run, &pos, range->intended, intended);
    }
    const ArbWord word =
        range->is_fifty
            ? (range->on_board ? ARB_WORD_FIFTY_BOARD : ARB_WORD_FIFTY_INTENDED)
            : (range->on_board ? ARB_WORD_REPETITION_BOARD : ARB_WORD_REPETITION_INTENDED);
    const ArbPlaces places = { .c = color_word(run, range->color),
                               .m = first,
                               .k = intended,
                               .n = number,
                               .t = ordinal,
                               .a = arb_article_number(article_of(range), edition) };
    new_line(&run->out);
    arb_say(&run->out, lang(run), word, &places);
    if (range->last > range->first) {
        write_ply(run, range->last, last);
        arb_say(&run->out, lang(run), ARB_WORD_TURNS, &(ArbPlaces) { .m = last });
    }
    if (range->open_ended || range->last + 1 > run->judge.ply) {
        jd_out_cstr(&run->out, arb_word(ARB_WORD_STOOD, lang(run)));
        return;
    }
    write_ply(run, range->last + 1, lost);
    arb_say(&run->out, lang(run),
            rules->claim_lost_by_touch ? ARB_WORD_LAPSED_TOUCH : ARB_WORD_LAPSED_MOVE,
            &(ArbPlaces) { .m = lost, .b = arb_article_number(ARB_ART_claim_lost, edition) });
}

static void print_claims(ArbRun *run) {
    for (uint32_t i = 0; i < run->judge.range_count; i++)
        print_range(run, &run->judge.ranges[i]);
    if (run->judge.ranges_left_out > 0) {
        char number[SMALL_SIZE];
        write_number(run->judge.ranges_left_out, number);
        new_line(&run->out);
        arb_say(&run->out, lang(run), ARB_WORD_RANGES_LEFT_OUT, &(ArbPlaces) { .n = number });
    }
}

// ---- remarks ------------------------------------------------------------------------------------

// The move as the file has it: the reader's sentence quotes it.
static void write_quoted(const char *sentence, char out[MOVE_SIZE]) {
    const char *const begin = strchr(sentence, '"');
    const char *const end = begin != NULL ? strchr(begin + 1, '"') : NULL;
    jd_format(out, MOVE_SIZE, "%.*s", end != NULL ? (int)(end - begin - 1) : 0,
              end != NULL ? begin + 1 : "");
}

static void print_fault(ArbRun *run) {
    const ArbGame *const game = &run->game;
    const ChessPosition pos = arb_judge_replay(&run->judge, run->judge.ply);
    char line[SMALL_SIZE];
    char column[SMALL_SIZE];
    char number[SMALL_SIZE];
    char written[MOVE_SIZE];
    write_number(game->fault_line, line);
    write_number(game->fault_column, column);
    write_quoted(game->fault_text, written);
    jd_format(number, SMALL_SIZE, "%u%s", (unsigned)pos.fullmove_number,
              pos.side_to_move == CHESS_WHITE ? "." : "...");
    new_line(&run->out);
    // Other faults than that of a move are told in the words of the reader.
    const bool is_move = game->fault == CHESS_PGN_ILLEGAL_MOVE && written[0] != '\0';
    arb_say(&run->out, lang(run), is_move ? ARB_WORD_FAULT_MOVE : ARB_WORD_FAULT_AT,
            &(ArbPlaces) {
                .n = line, .k = column, .m = number, .s = is_move ? written : game->fault_text });
}

// What the Laws say to an illegal move at this pace.
static void print_illegal_rule(ArbRun *run) {
    const LawsRules *const rules = run->report.rules;
    char bonus[SMALL_SIZE];
    char limit[SMALL_SIZE];
    write_number(rules->illegal_limit, limit);
    new_line(&run->out);
    const bool at_once = rules->illegal_limit == 1;
    const ArbArticle article = !at_once                         ? ARB_ART_illegal_penalty
                               : run->report.pace == LAWS_BLITZ ? ARB_ART_blitz_illegal
                                                                : ARB_ART_rapid_illegal;
    JdOut time = jd_out(bonus, sizeof bonus - 1);
    arb_put_span(&time, lang(run), rules->illegal_bonus_ms);
    bonus[jd_out_str(&time).size] = '\0';
    arb_say(&run->out, lang(run), at_once ? ARB_WORD_ILLEGAL_RULE_AT_ONCE : ARB_WORD_ILLEGAL_RULE,
            &(ArbPlaces) {
                .s = bonus, .n = limit, .b = arb_article_number(article, run->report.edition) });
}

static ArbWord word_of(ArbRemarkKind kind) {
    static const uint8_t of[ARB_REMARK_KIND_COUNT] = {
        [ARB_REMARK_PLAYED_PAST] = ARB_WORD_PLAYED_PAST,
        [ARB_REMARK_ILLEGAL_MOVE] = ARB_WORD_ILLEGAL_MOVE,
        [ARB_REMARK_UNREADABLE] = ARB_WORD_UNREADABLE,
        [ARB_REMARK_CLOCK_GAIN] = ARB_WORD_CLOCK_GAIN,
        [ARB_REMARK_FLAG_NOT_TURN] = ARB_WORD_FLAG_NOT_TURN,
        [ARB_REMARK_NO_CONTROL] = ARB_WORD_ASSUME_STANDARD,
        [ARB_REMARK_CAN_MATE] = ARB_WORD_CAN_MATE,
        [ARB_REMARK_CANNOT_MATE] = ARB_WORD_CANNOT_MATE,
        [ARB_REMARK_TOO_EARLY] = ARB_WORD_TOO_EARLY,
        [ARB_REMARK_ABANDONED] = ARB_WORD_ABANDONED,
        [ARB_REMARK_DECIDED] = ARB_WORD_DECIDED,
        [ARB_REMARK_VARIANT] = ARB_WORD_VARIANT,
        [ARB_REMARK_INFRACTION] = ARB_WORD_INFRACTION,
        [ARB_REMARK_NO_MOVES] = ARB_WORD_NO_MOVES,
        [ARB_REMARK_UNPROVED] = ARB_WORD_UNPROVED,
    };
    return (ArbWord)of[kind];
}

static void print_remark(ArbRun *run, const ArbRemark *remark) {
    const ArbWord word = word_of((ArbRemarkKind)remark->kind);
    char move[MOVE_SIZE] = "";
    char text[MEN_SIZE] = "";
    char number[SMALL_SIZE];
    write_number((uint64_t)remark->number, number);
    if (remark->kind == ARB_REMARK_CAN_MATE || remark->kind == ARB_REMARK_CANNOT_MATE) {
        const ChessPosition pos = arb_judge_replay(&run->judge, remark->ply);
        JdOut men = jd_out(text, sizeof text - 1);
        arb_put_men(&men, lang(run), &pos, (ChessColor)remark->color);
        text[jd_out_str(&men).size] = '\0';
    } else if (remark->kind == ARB_REMARK_CLOCK_GAIN) {
        write_span(remark->number, text);
    }
    if (remark->kind != ARB_REMARK_VARIANT && remark->kind != ARB_REMARK_NO_CONTROL &&
        remark->kind != ARB_REMARK_UNPROVED)
        write_ply(run, remark->kind == ARB_REMARK_FLAG_NOT_TURN ? run->judge.ply : remark->ply,
                  move);
    new_line(&run->out);
    arb_say(
        &run->out, lang(run), word,
        &(ArbPlaces) { .c = color_word(run, remark->color),
                       .g = of_color_word(run, remark->color),
                       .m = move,
                       .n = number,
                       .s = text,
                       .a = arb_article_number((ArbArticle)remark->article, run->report.edition) });
    if (remark->kind == ARB_REMARK_ILLEGAL_MOVE || remark->kind == ARB_REMARK_UNREADABLE)
        print_fault(run);
    if (remark->kind == ARB_REMARK_ILLEGAL_MOVE)
        print_illegal_rule(run);
}

// ---- the verdict --------------------------------------------------------------------------------

static void print_verdict(ArbRun *run) {
    const ArbReport *const report = &run->report;
    const ArbGame *const game = &run->game;
    JdOut *const out = &run->out;
    new_line(out);
    if (report->reason == LAWS_NOT_ENDED) {
        jd_out_cstr(out, arb_word(ARB_WORD_NOT_DECIDED, lang(run)));
    } else {
        const ArbPlaces places = { .n = arb_result_text(report->result),
                                   .s = arb_reason_word(report->reason, lang(run)),
                                   .a = arb_end_article(report) };
        arb_say(out, lang(run),
                places.a[0] != '\0' ? ARB_WORD_BY_LAWS : ARB_WORD_BY_LAWS_NO_ARTICLE, &places);
    }
    jd_out_char(out, ' ');
    if (game->stated == CHESS_PGN_NO_RESULT || game->stated == CHESS_PGN_UNKNOWN)
        jd_out_cstr(out, arb_word(ARB_WORD_FILE_SILENT, lang(run)));
    else
        arb_say(out, lang(run), ARB_WORD_FILE_SAYS,
                &(ArbPlaces) { .n = chess_pgn_result_text(game->stated) });
    if (report->comparison == ARB_AGREES || report->comparison == ARB_DIFFERS) {
        jd_out_char(out, ' ');
        jd_out_cstr(out,
                    arb_word(report->comparison == ARB_AGREES ? ARB_WORD_AGREES : ARB_WORD_DIFFERS,
                             lang(run)));
    }
    jd_out_char(out, '\n');
}

void arb_print_text(ArbRun *run) {
    print_head(run);
    if (run->events != NULL)
        arb_put_acts_text(run);
    print_claims(run);
    for (uint32_t i = 0; i < run->report.remark_count; i++)
        print_remark(run, &run->report.remarks[i]);
    print_verdict(run);
    jd_out_char(&run->out, '\n');
}

// ---- totals -------------------------------------------------------------------------------------

void arb_print_totals(ArbRun *run) {
    const ArbTotals *const totals = &run->totals;
    const struct {
        ArbWord word;
        uint64_t number;
    } rows[] = {
        { ARB_WORD_TOTAL_AGREE, totals->by_comparison[ARB_AGREES] },
        { ARB_WORD_TOTAL_DIFFER, totals->by_comparison[ARB_DIFFERS] },
        { ARB_WORD_TOTAL_SUPPLIED, totals->by_comparison[ARB_SUPPLIED] },
        { ARB_WORD_TOTAL_OPEN, totals->by_comparison[ARB_OPEN] },
        { ARB_WORD_TOTAL_DAMAGED, totals->damaged },
        { ARB_WORD_TOTAL_PLAYED_PAST, totals->played_past },
        { ARB_WORD_TOTAL_CLAIMS, totals->claims },
    };
    char number[SMALL_SIZE];
    write_number(totals->games, number);
    arb_say(&run->out, lang(run), ARB_WORD_TOTAL_GAMES, &(ArbPlaces) { .n = number });
    for (size_t i = 0; i < JD_COUNT(rows); i++) {
        if (rows[i].number == 0)
            continue;
        write_number(rows[i].number, number);
        new_line(&run->out);
        arb_say(&run->out, lang(run), rows[i].word, &(ArbPlaces) { .n = number });
    }
    const char *separator = ": ";
    for (size_t i = 1; i < JD_COUNT(totals->by_reason); i++) {
        if (totals->by_reason[i] == 0)
            continue;
        if (separator[0] == ':') {
            new_line(&run->out);
            jd_out_cstr(&run->out, arb_word(ARB_WORD_TOTAL_REASONS, lang(run)));
        }
        jd_out_cstr(&run->out, separator);
        separator = "; ";
        jd_out_cstr(&run->out, arb_reason_word((LawsReason)i, lang(run)));
        jd_out_char(&run->out, ' ');
        jd_out_u64(&run->out, totals->by_reason[i]);
    }
    jd_out_char(&run->out, '\n');
}
