// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the Laws make of a game as a file tells it: the board's own end goes before everything the
// file says; otherwise the file's word is taken for what happened (a flag, a resignation, an
// agreement) and the Laws say what follows from it.
#include "cli/arbitrate.h"

static void remark(ArbReport *report, ArbRemark what) {
    if (report->remark_count < ARB_REMARKS_MAX)
        report->remarks[report->remark_count++] = what;
}

static void end(ArbReport *report, LawsReason reason, uint32_t ply, int white, int black) {
    report->reason = reason;
    report->article = (uint16_t)arb_article_of_reason(reason);
    report->end_ply = ply;
    report->result[CHESS_WHITE] = (uint8_t)white;
    report->result[CHESS_BLACK] = (uint8_t)black;
}

static void end_won(ArbReport *report, LawsReason reason, uint32_t ply, ChessColor winner) {
    end(report, reason, ply, winner == CHESS_WHITE ? 2 : 0, winner == CHESS_WHITE ? 0 : 2);
}

ArbArticle arb_article_of_reason(LawsReason reason) {
    static const struct {
        uint8_t reason;
        uint16_t article;
    } rows[] = {
        { LAWS_CHECKMATE, ARB_ART_checkmate },
        { LAWS_STALEMATE, ARB_ART_stalemate },
        { LAWS_DEAD_POSITION, ARB_ART_dead_position },
        { LAWS_RESIGNATION, ARB_ART_resignation },
        { LAWS_RESIGN_DRAW, ARB_ART_resignation },
        { LAWS_AGREEMENT, ARB_ART_agreement },
        { LAWS_CLAIM_REPETITION, ARB_ART_repetition_on_board },
        { LAWS_CLAIM_50, ARB_ART_fifty_on_board },
        { LAWS_AUTO_REPETITION, ARB_ART_auto_repetition },
        { LAWS_AUTO_75, ARB_ART_auto_75 },
        { LAWS_FLAG, ARB_ART_flag_fall },
        { LAWS_FLAG_DRAW, ARB_ART_flag_fall },
        { LAWS_BOTH_FLAGS, ARB_ART_both_flags },
        { LAWS_QPF_DRAW, ARB_ART_quickplay_claim },
        { LAWS_QPF_PENDING, ARB_ART_quickplay_no_arbiter },
        { LAWS_ILLEGAL_LIMIT, ARB_ART_illegal_penalty },
        { LAWS_ILLEGAL_CLAIM, ARB_ART_illegal_penalty },
        { LAWS_ILLEGAL_DRAW, ARB_ART_illegal_penalty },
        { LAWS_ILLEGAL_POSITION_DRAW, ARB_ART_illegal_position },
        { LAWS_DEFAULT, ARB_ART_late_arrival },
        { LAWS_BOTH_DEFAULT, ARB_ART_late_arrival },
        { LAWS_SEALED_FAULT, ARB_ART_sealed_fault },
        { LAWS_DEVICE, ARB_ART_device },
        { LAWS_PENALTY, ARB_ART_penalties },
        { LAWS_BOTH_GUILTY, ARB_ART_both_guilty },
    };
    for (size_t i = 0; i < JD_COUNT(rows); i++)
        if (rows[i].reason == (uint8_t)reason)
            return (ArbArticle)rows[i].article;
    return ARB_ART_NONE;
}

void arb_rules_of(const ArbOptions *options, const ArbGame *game, ArbReport *report) {
    report->edition = options->edition;
    report->pace = LAWS_STANDARD;
    if (options->pace != 0)
        report->pace = (LawsPace)options->pace;
    else if (game->has_control)
        report->pace = laws_control_pace(options->edition, &game->control);
    report->rules = laws_rules(options->edition, report->pace, !options->unsupervised);
}

// ---- the file's word ----------------------------------------------------------------------------

static void say_who_can_mate(ArbReport *report, uint32_t ply, ChessColor color, bool can) {
    remark(report, (ArbRemark) { .kind = can ? ARB_REMARK_CAN_MATE : ARB_REMARK_CANNOT_MATE,
                                 .color = (uint8_t)color,
                                 .ply = ply });
}

// Article 6.9: the flag of the player who is said to have lost on time, or of the player to move.
static void on_time_forfeit(const ArbGame *game, ArbJudge *judge, const ChessPosition *last,
                            ArbReport *report) {
    ChessColor fallen = (ChessColor)last->side_to_move;
    if (game->stated == CHESS_PGN_WHITE_WINS)
        fallen = CHESS_BLACK;
    else if (game->stated == CHESS_PGN_BLACK_WINS)
        fallen = CHESS_WHITE;
    // A move made but not yet completed leaves the mover's clock running.
    if (fallen != (ChessColor)last->side_to_move)
        remark(report, (ArbRemark) { .kind = ARB_REMARK_FLAG_NOT_TURN,
                                     .color = (uint8_t)fallen,
                                     .article = ARB_ART_press });
    const ChessColor other = chess_other(fallen);
    const bool can = arb_can_mate(&judge->mates, last, other);
    say_who_can_mate(report, game->plies, other, can);
    if (can || !report->rules->flag_win_needs_helpmate)
        end_won(report, LAWS_FLAG, game->plies, other);
    else
        end(report, LAWS_FLAG_DRAW, game->plies, 1, 1);
}

// A decided game without mate, flag or another cause: the loser has resigned.
static void on_resigned(const ArbGame *game, ArbJudge *judge, const ChessPosition *last,
                        ArbReport *report) {
    const ChessColor winner = game->stated == CHESS_PGN_WHITE_WINS ? CHESS_WHITE : CHESS_BLACK;
    if (game->plies == 0)
        remark(report,
               (ArbRemark) { .kind = ARB_REMARK_NO_MOVES, .article = ARB_ART_late_arrival });
    if (!arb_can_mate(&judge->mates, last, winner)) {
        say_who_can_mate(report, game->plies, winner, false);
        if (report->rules->resign_loss_needs_helpmate) {
            end(report, LAWS_RESIGN_DRAW, game->plies, 1, 1);
            return;
        }
    }
    end_won(report, LAWS_RESIGNATION, game->plies, winner);
}

// A draw that the board did not make: a claim that was right, or an agreement.
static void on_drawn(const ArbGame *game, const ArbJudge *judge, ArbReport *report) {
    for (uint32_t i = 0; i < judge->range_count; i++) {
        const ArbRange *const range = &judge->ranges[i];
        if (!range->open_ended)
            continue;
        end(report, range->is_fifty ? LAWS_CLAIM_50 : LAWS_CLAIM_REPETITION, game->plies, 1, 1);
        if (range->last == range->first && !range->on_board)
            report->article = range->is_fifty ? (uint16_t)ARB_ART_fifty_intended
                                              : (uint16_t)ARB_ART_repetition_intended;
        return;
    }
    // Since 2023 both must have made a move.
    if (game->plies < 2U * report->rules->agreement_min_own_moves) {
        remark(report, (ArbRemark) { .kind = ARB_REMARK_TOO_EARLY, .article = ARB_ART_agreement });
        return;
    }
    end(report, LAWS_AGREEMENT, game->plies, 1, 1);
}

// An arbiter decided upon an illegal move; a win needs a possible mate where the edition says so.
static void on_infraction(const ArbGame *game, ArbJudge *judge, const ChessPosition *last,
                          ArbReport *report) {
    remark(report,
           (ArbRemark) { .kind = ARB_REMARK_INFRACTION, .article = ARB_ART_illegal_penalty });
    if (game->stated != CHESS_PGN_WHITE_WINS && game->stated != CHESS_PGN_BLACK_WINS)
        return;
    const ChessColor winner = game->stated == CHESS_PGN_WHITE_WINS ? CHESS_WHITE : CHESS_BLACK;
    if (arb_can_mate(&judge->mates, last, winner) || !report->rules->illegal_loss_needs_helpmate)
        return;
    say_who_can_mate(report, game->plies, winner, false);
    end(report, LAWS_ILLEGAL_DRAW, game->plies, 1, 1);
}

static void take_the_files_word(const ArbGame *game, ArbJudge *judge, const ChessPosition *last,
                                ArbReport *report) {
    switch (game->termination) {
    case ARB_TIME_FORFEIT:
        on_time_forfeit(game, judge, last, report);
        return;
    case ARB_RULES_INFRACTION:
        on_infraction(game, judge, last, report);
        return;
    case ARB_ABANDONED:
        remark(report, (ArbRemark) { .kind = ARB_REMARK_ABANDONED });
        return;
    case ARB_ADJUDICATION:
        remark(report, (ArbRemark) { .kind = ARB_REMARK_DECIDED });
        return;
    case ARB_UNTERMINATED:
        return;
    case ARB_NORMAL:
    case ARB_TERMINATION_NONE:
        break;
    }
    if (game->stated == CHESS_PGN_DRAW)
        on_drawn(game, judge, report);
    else if (game->stated == CHESS_PGN_WHITE_WINS || game->stated == CHESS_PGN_BLACK_WINS)
        on_resigned(game, judge, last, report);
}

// ---- clocks -------------------------------------------------------------------------------------

// Most a clock may show after the player's n-th move (from 1), given what it showed before (or the
// start).
static int64_t most_after(const LawsControl *control, int64_t before, uint32_t n) {
    int64_t most = before;
    uint32_t quota = 0;
    for (int i = 0; i < control->period_count; i++) {
        const LawsPeriod *const period = &control->periods[i];
        const bool is_last = i + 1 == control->period_count;
        quota += period->moves;
        if (period->moves > 0 && n == quota)
            most += is_last ? period->time_ms : control->periods[i + 1].time_ms;
        if (is_last && control->repeat && period->moves > 0 && n > quota &&
            (n - quota) % period->moves == 0)
            most += period->time_ms;
    }
    int64_t increment = 0;
    for (int i = 0; i < control->period_count; i++)
        if (control->periods[i].increment_ms > increment)
            increment = control->periods[i].increment_ms;
    return most + increment;
}

// Article 6: a clock that gained time it had no right to. Readings are rounded: a second is no
// gain.
static void look_at_clocks(const ArbGame *game, ArbReport *report) {
    if (!game->has_clocks || !game->has_control || game->control.move_ms > 0 ||
        game->control.period_count == 0)
        return;
    const LawsPeriod *const first = &game->control.periods[0];
    int64_t before[2] = { first->time_ms + first->increment_ms,
                          first->time_ms + first->increment_ms };
    const uint32_t first_side = game->start.side_to_move;
    for (uint32_t ply = 0; ply < game->plies; ply++) {
        const int64_t reading = game->clocks[ply];
        const uint32_t color = (ply + first_side) & 1;
        if (reading == ARB_NO_CLOCK) {
            before[color] = ARB_NO_CLOCK;
            continue;
        }
        if (before[color] != ARB_NO_CLOCK) {
            const int64_t most = most_after(&game->control, before[color], ply / 2 + 1);
            if (reading > most + 1000) {
                remark(report, (ArbRemark) { .kind = ARB_REMARK_CLOCK_GAIN,
                                             .color = (uint8_t)color,
                                             .article = ARB_ART_clock_reading,
                                             .ply = ply + 1,
                                             .number = reading - most });
                if (report->remark_count >= 8)
                    return;
            }
        }
        before[color] = reading;
    }
}

// ---- all together -------------------------------------------------------------------------------

static ArbComparison comparison_of(const ArbGame *game, const ArbReport *report) {
    const bool is_stated = game->stated != CHESS_PGN_NO_RESULT && game->stated != CHESS_PGN_UNKNOWN;
    if (report->reason == LAWS_NOT_ENDED) {
        for (uint32_t i = 0; i < report->remark_count; i++)
            if (report->remarks[i].kind == ARB_REMARK_TOO_EARLY)
                return ARB_DIFFERS;
        return ARB_OPEN;
    }
    if (!is_stated)
        return ARB_SUPPLIED;
    return jd_str_equal(jd_str(chess_pgn_result_text(game->stated)),
                        jd_str(arb_result_text(report->result)))
               ? ARB_AGREES
               : ARB_DIFFERS;
}

void arb_compare(const ArbGame *game, ArbReport *report) {
    report->comparison = comparison_of(game, report);
}

const char *arb_end_article(const ArbReport *report) {
    return report->article_text[0] != '\0'
               ? report->article_text
               : arb_article_number((ArbArticle)report->article, report->edition);
}

// Whose mate is to be looked for first: that of the winner, who will be asked about anyway, or of
// the player with the heavier men.
static ChessColor likely_to_mate(const ArbGame *game, const ChessPosition *last) {
    static const int values[] = { [CHESS_PAWN] = 3,
                                  [CHESS_KNIGHT] = 2,
                                  [CHESS_BISHOP] = 2,
                                  [CHESS_ROOK] = 5,
                                  [CHESS_QUEEN] = 9 };
    if (game->stated == CHESS_PGN_WHITE_WINS)
        return CHESS_WHITE;
    if (game->stated == CHESS_PGN_BLACK_WINS)
        return CHESS_BLACK;
    int balance = 0;
    for (int kind = CHESS_PAWN; kind <= CHESS_QUEEN; kind++)
        balance +=
            values[kind] * (__builtin_popcountll(last->kinds[kind] & last->colors[CHESS_WHITE]) -
                            __builtin_popcountll(last->kinds[kind] & last->colors[CHESS_BLACK]));
    return balance >= 0 ? CHESS_WHITE : CHESS_BLACK;
}

void arb_conclude(const ArbOptions *options, const ArbGame *game, ArbJudge *judge,
                  const ChessPosition *last, ArbReport *report) {
    report->remark_count = 0;
    report->reason = LAWS_NOT_ENDED;
    report->article = ARB_ART_NONE;
    report->end_ply = game->plies;
    report->by_board = false;
    report->article_text[0] = '\0';
    arb_rules_of(options, game, report);
    if (game->is_other_variant) {
        remark(report, (ArbRemark) { .kind = ARB_REMARK_VARIANT });
        report->comparison = ARB_OPEN;
        return;
    }
    if (!game->has_control && options->pace == 0)
        remark(report, (ArbRemark) { .kind = ARB_REMARK_NO_CONTROL });
    look_at_clocks(game, report);
    const ChessColor likely = likely_to_mate(game, last);
    uint32_t ply = 0;
    const LawsReason reason = arb_judge_end(judge, last, likely, &ply);
    if (reason != LAWS_NOT_ENDED) {
        report->by_board = true;
        if (reason == LAWS_CHECKMATE)
            end_won(report, reason, ply, chess_other((ChessColor)last->side_to_move));
        else
            end(report, reason, ply, 1, 1);
        if (ply < game->plies || game->is_damaged)
            remark(report, (ArbRemark) { .kind = ARB_REMARK_PLAYED_PAST,
                                         .ply = ply,
                                         .number = (int64_t)game->plies - ply });
    }
    if (game->is_damaged)
        remark(report,
               (ArbRemark) { .kind = game->fault == CHESS_PGN_ILLEGAL_MOVE ? ARB_REMARK_ILLEGAL_MOVE
                                                                           : ARB_REMARK_UNREADABLE,
                             .article = game->fault == CHESS_PGN_ILLEGAL_MOVE ? ARB_ART_illegal_move
                                                                              : ARB_ART_NONE,
                             .ply = game->plies });
    else if (reason == LAWS_NOT_ENDED)
        take_the_files_word(game, judge, last, report);
    if (judge->mates.unproved)
        remark(report, (ArbRemark) { .kind = ARB_REMARK_UNPROVED });
    arb_compare(game, report);
}
