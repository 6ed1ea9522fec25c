// SPDX-License-Identifier: GPL-3.0-or-later
//
// The report for programs: one JSON object a line for every game.
#include "cli/arbitrate_words.h"

static void key(JdOut *out, const char *name) {
    jd_out_cstr(out, ",\"");
    jd_out_cstr(out, name);
    jd_out_cstr(out, "\":");
}

static void key_text(JdOut *out, const char *name, const char *value) {
    key(out, name);
    jd_out_json(out, jd_str(value));
}

static void key_number(JdOut *out, const char *name, uint64_t value) {
    key(out, name);
    jd_out_u64(out, value);
}

static const char *color_name(unsigned color) {
    return color == CHESS_WHITE ? "white" : "black";
}

static ArbArticle article_of(const ArbRange *range) {
    if (range->is_fifty)
        return range->on_board ? ARB_ART_fifty_on_board : ARB_ART_fifty_intended;
    return range->on_board ? ARB_ART_repetition_on_board : ARB_ART_repetition_intended;
}

static void put_range(ArbRun *run, const ArbRange *range) {
    JdOut *const out = &run->out;
    jd_out_cstr(out, range->is_fifty ? "{\"claim\":\"fifty_moves\"" : "{\"claim\":\"repetition\"");
    key_text(out, "color", color_name(range->color));
    key_text(out, "article", arb_article_number(article_of(range), run->report.edition));
    key_number(out, "from_ply", range->first);
    key_number(out, "to_ply", range->last);
    key(out, "lost_with_ply");
    if (range->open_ended || range->last + 1 > run->judge.ply)
        jd_out_cstr(out, "null");
    else
        jd_out_u64(out, range->last + 1);
    key_number(out, range->is_fifty ? "moves" : "occurrences", range->count);
    if (!range->on_board) {
        const ChessPosition pos = arb_judge_replay(&run->judge, range->first);
        char uci[CHESS_UCI_SIZE];
        chess_uci_write(&pos, range->intended, uci);
        key_text(out, "intended", uci);
    }
    jd_out_char(out, '}');
}

static const char *const remark_names[ARB_REMARK_KIND_COUNT] = {
    [ARB_REMARK_PLAYED_PAST] = "played_past",
    [ARB_REMARK_ILLEGAL_MOVE] = "illegal_move",
    [ARB_REMARK_UNREADABLE] = "unreadable",
    [ARB_REMARK_CLOCK_GAIN] = "clock_gain",
    [ARB_REMARK_FLAG_NOT_TURN] = "flag_not_turn",
    [ARB_REMARK_NO_CONTROL] = "no_control",
    [ARB_REMARK_CAN_MATE] = "can_mate",
    [ARB_REMARK_CANNOT_MATE] = "cannot_mate",
    [ARB_REMARK_TOO_EARLY] = "agreed_too_early",
    [ARB_REMARK_ABANDONED] = "abandoned",
    [ARB_REMARK_DECIDED] = "decided",
    [ARB_REMARK_VARIANT] = "other_variant",
    [ARB_REMARK_INFRACTION] = "rules_infraction",
    [ARB_REMARK_NO_MOVES] = "no_moves",
    [ARB_REMARK_UNPROVED] = "not_proved",
};

static void put_remark(ArbRun *run, const ArbRemark *remark) {
    JdOut *const out = &run->out;
    jd_out_cstr(out, "{\"kind\":");
    jd_out_json(out, jd_str(remark_names[remark->kind]));
    if (remark->article != ARB_ART_NONE)
        key_text(out, "article",
                 arb_article_number((ArbArticle)remark->article, run->report.edition));
    switch ((ArbRemarkKind)remark->kind) {
    case ARB_REMARK_PLAYED_PAST:
        key_number(out, "ply", remark->ply);
        key_number(out, "plies_after", (uint64_t)remark->number);
        break;
    case ARB_REMARK_ILLEGAL_MOVE:
    case ARB_REMARK_UNREADABLE:
        key_number(out, "ply", remark->ply);
        key_text(out, "fault", chess_pgn_fault_name(run->game.fault));
        key_number(out, "line", run->game.fault_line);
        key_number(out, "column", run->game.fault_column);
        key_number(out, "offset", run->game.fault_offset);
        key_text(out, "text", run->game.fault_text);
        break;
    case ARB_REMARK_CLOCK_GAIN:
        key_text(out, "color", color_name(remark->color));
        key_number(out, "ply", remark->ply);
        key_number(out, "ms", (uint64_t)remark->number);
        break;
    case ARB_REMARK_FLAG_NOT_TURN:
    case ARB_REMARK_CAN_MATE:
    case ARB_REMARK_CANNOT_MATE:
        key_text(out, "color", color_name(remark->color));
        break;
    case ARB_REMARK_NO_CONTROL:
    case ARB_REMARK_TOO_EARLY:
    case ARB_REMARK_ABANDONED:
    case ARB_REMARK_DECIDED:
    case ARB_REMARK_VARIANT:
    case ARB_REMARK_INFRACTION:
    case ARB_REMARK_NO_MOVES:
    case ARB_REMARK_UNPROVED:
    case ARB_REMARK_KIND_COUNT:
        break;
    }
    jd_out_char(out, '}');
}

void arb_print_json(ArbRun *run) {
    static const char *const comparisons[] = { [ARB_AGREES] = "agrees",
                                               [ARB_DIFFERS] = "differs",
                                               [ARB_SUPPLIED] = "supplied",
                                               [ARB_OPEN] = "open" };
    const ArbGame *const game = &run->game;
    const ArbReport *const report = &run->report;
    JdOut *const out = &run->out;
    jd_out_cstr(out, "{\"game\":");
    jd_out_u64(out, game->number);
    key_number(out, "line", game->line);
    key_text(out, "white", game->white);
    key_text(out, "black", game->black);
    key_text(out, "edition", laws_edition_name(report->edition));
    key_text(out, "pace", laws_pace_name(report->pace));
    key(out, "control");
    if (game->has_control)
        jd_out_json(out, jd_str(game->control_text));
    else
        jd_out_cstr(out, "null");
    key_number(out, "plies", game->plies);
    key(out, "claims");
    jd_out_char(out, '[');
    for (uint32_t i = 0; i < run->judge.range_count; i++) {
        if (i > 0)
            jd_out_char(out, ',');
        put_range(run, &run->judge.ranges[i]);
    }
    jd_out_char(out, ']');
    key(out, "remarks");
    jd_out_char(out, '[');
    for (uint32_t i = 0; i < report->remark_count; i++) {
        if (i > 0)
            jd_out_char(out, ',');
        put_remark(run, &report->remarks[i]);
    }
    jd_out_char(out, ']');
    if (run->events != NULL)
        arb_put_acts_json(run);
    key(out, "result");
    if (report->reason == LAWS_NOT_ENDED) {
        jd_out_cstr(out, "null");
    } else {
        jd_out_json(out, jd_str(arb_result_text(report->result)));
        key_text(out, "reason", laws_reason_name(report->reason));
        key_text(out, "article", arb_end_article(report));
        key_number(out, "end_ply", report->end_ply);
        key(out, "by_board");
        jd_out_cstr(out, report->by_board ? "true" : "false");
    }
    key_text(out, "stated", chess_pgn_result_text(game->stated));
    key_text(out, "verdict", comparisons[report->comparison]);
    jd_out_cstr(out, "}\n");
}
