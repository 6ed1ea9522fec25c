// SPDX-License-Identifier: GPL-3.0-or-later
//
// The score sheet (Article 8). The log is every sheet; where players keep their own, the duties are
// watched: never by refusing a move for a sheet behind, only by putting it on record.
#include <jadoube/notation.h>

#include "laws/inner.h"

static bool below_limit(const LawsGame *game, const LawsRules *rules, ChessColor color,
                        int64_t now_ms) {
    return !laws_control_is_none(&game->setup.control[color]) &&
           laws_clock_reading(game, color, (JdInstant) { .ms = now_ms }) <
               rules->scoresheet_exempt_below_ms &&
           laws_clock_added(game, color) < rules->scoresheet_exempt_needs_increment_below_ms;
}

static bool must_record(const LawsGame *game, const LawsRules *rules, ChessColor color,
                        int64_t now_ms) {
    if (!rules->scoresheet_required)
        return false;
    // Since 2009 who was exempt once stays so for the rest of the period.
    if (rules->scoresheet_exempt_rest_of_period && (game->desk.exempt >> color & 1))
        return false;
    return !below_limit(game, rules, color, now_ms);
}

bool laws_must_record(const LawsGame *game, ChessColor color, JdInstant now) {
    LawsRules space;
    return must_record(game, laws_game_rules(game, &space), color, now.ms);
}

void laws_sheet_note(LawsGame *game, const LawsRules *rules, int64_t now_ms) {
    LawsDesk *const desk = &game->desk;
    if (!game->setup.manual_scoresheet || !rules->scoresheet_required)
        return;
    for (int color = 0; color < 2; color++) {
        const uint8_t bit = (uint8_t)(1u << color);
        if (below_limit(game, rules, (ChessColor)color, now_ms)) {
            desk->exempt |= bit;
        } else if (desk->exempt & bit) {
            // A new period has begun, or time was added: the duty is back, and the gaps with it.
            desk->exempt &= (uint8_t)~bit;
            if (desk->recorded[color] < game->ply_count)
                desk->sheet_due |= bit;
        }
    }
}

LawsRefusal laws_sheet_fault(LawsGame *game, const LawsRules *rules, ChessColor mover) {
    (void)rules;
    if (!game->setup.manual_scoresheet || !(game->desk.sheet_due >> mover & 1))
        return LAWS_NOT_REFUSED;
    return game->desk.recorded[mover] < game->ply_count ? LAWS_REFUSED_SHEET_INCOMPLETE
                                                        : LAWS_NOT_REFUSED;
}

LawsIncident laws_sheet_incident(const LawsGame *game, const LawsRules *rules, ChessColor mover,
                                 int64_t now_ms) {
    if (!game->setup.manual_scoresheet || !must_record(game, rules, mover, now_ms))
        return LAWS_NO_INCIDENT;
    // One's own previous move is on the sheet before the next one is made; the opponent's last may
    // still be missing.
    const uint32_t wanted = game->ply_count >= 2 ? game->ply_count - 1 : 0;
    return game->desk.recorded[mover] < wanted ? LAWS_INCIDENT_RECORD_BEHIND : LAWS_NO_INCIDENT;
}

// Recording in advance (2005, 2009 with commentary: remark, warning, two minutes for the opponent).
static LawsVerdict on_record_ahead(LawsGame *game, const LawsRules *rules, ChessColor player) {
    LawsDesk *const desk = &game->desk;
    LawsVerdict verdict = laws_verdict(rules, ARTICLE_RECORD_AHEAD, LAWS_CHANGED_RECORD);
    if (!rules->record_ahead_forbidden)
        return verdict;
    if (desk->record_step[player] < 3)
        desk->record_step[player]++;
    if (desk->record_step[player] == 3 && rules->record_ahead_bonus_ms > 0) {
        laws_clock_give(game, chess_other(player), rules->record_ahead_bonus_ms);
        verdict.changed |= LAWS_CHANGED_CLOCK;
    } else if (desk->record_step[player] == 2 && desk->warnings[player] < UINT8_MAX) {
        desk->warnings[player]++;
    }
    return laws_note_incident(game, verdict, LAWS_INCIDENT_RECORD_AHEAD, player);
}

LawsVerdict laws_on_record(LawsGame *game, const LawsRules *rules, const LawsEvent *event,
                           int64_t now_ms) {
    LawsDesk *const desk = &game->desk;
    const ChessColor player = (ChessColor)event->actor;
    (void)now_ms;
    if (event->kind == LAWS_EVENT_VIEW_SHEET) {
        LawsVerdict verdict = laws_verdict(rules, ARTICLE_SHEET_VIEW, LAWS_CHANGED_RECORD);
        if (desk->sheet_views[player] < UINT8_MAX)
            desk->sheet_views[player]++;
        return rules->sheet_views_max > 0 && desk->sheet_views[player] > rules->sheet_views_max
                   ? laws_note_incident(game, verdict, LAWS_INCIDENT_DISTRACTION, player)
                   : verdict;
    }
    if (!game->setup.manual_scoresheet)
        return laws_refuse(rules, ARTICLE_RECORD, LAWS_REFUSED_NO_SUCH_RULE);
    if (event->count > game->ply_count)
        return on_record_ahead(game, rules, player);
    if (event->count < desk->recorded[player])
        return laws_refuse(rules, ARTICLE_RECORD, LAWS_REFUSED_BAD_VALUE);
    desk->recorded[player] = (uint16_t)event->count;
    if (event->count == game->ply_count)
        desk->sheet_due &= (uint8_t) ~(1u << player);
    return laws_verdict(rules, ARTICLE_RECORD, LAWS_CHANGED_RECORD);
}

// ---- the sheet as the log's view

static void write_square(JdOut *out, int square) {
    jd_out_char(out, (char)('a' + (square & 7)));
    jd_out_char(out, (char)('1' + (square >> 3)));
}

// What no notation knows: an illegal move, in long form.
static void write_illegal(JdOut *out, const ChessPosition *pos, ChessMove move, uint8_t language) {
    const ChessPiece piece = pos->board[chess_move_from(move)];
    if (piece != CHESS_NO_PIECE && chess_piece_kind(piece) != CHESS_PAWN)
        jd_out_cstr(out, chess_language_letter((ChessLanguage)language, chess_piece_kind(piece)));
    write_square(out, chess_move_from(move));
    jd_out_char(out, pos->board[chess_move_to(move)] == CHESS_NO_PIECE ? '-' : 'x');
    write_square(out, chess_move_to(move));
    if (chess_move_promotion(move) != CHESS_NO_KIND)
        jd_out_cstr(out,
                    chess_language_letter((ChessLanguage)language, chess_move_promotion(move)));
}

uint32_t laws_sheet_write(const LawsGame *game, uint8_t language, uint8_t form, uint32_t first,
                          LawsSheetPly *rows, uint32_t capacity) {
    ChessPosition pos = game->setup.start;
    uint32_t written = 0;
    for (uint32_t i = 0; i < game->ply_count && written < capacity; i++) {
        const LawsPly *const ply = &game->plies[i];
        if (i >= first) {
            LawsSheetPly *const row = &rows[written++];
            jd_zero(row, sizeof *row);
            JdOut out = jd_out(row->text, sizeof row->text - 1);
            if (ply->flags & (LAWS_PLY_ILLEGAL | LAWS_PLY_FORCED)) {
                write_illegal(&out, &pos, ply->move, language);
            } else {
                char text[CHESS_NOTATION_SIZE];
                (void)chess_notation_write(&pos, ply->move, (ChessForm)form,
                                           (ChessLanguage)language, text);
                jd_out_cstr(&out, text);
            }
            row->is_offer = (ply->flags & LAWS_PLY_OFFER) != 0;
            if (row->is_offer)
                jd_out_cstr(&out, " (=)");
            row->clock_ms = ply->clock_ms;
            row->number = pos.fullmove_number;
            row->color = pos.side_to_move;
            row->is_illegal = (ply->flags & LAWS_PLY_ILLEGAL) != 0;
        }
        laws_ply_make(&pos, ply);
    }
    return written;
}
