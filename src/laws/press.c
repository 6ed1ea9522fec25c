// SPDX-License-Identifier: GPL-3.0-or-later
//
// Over the board: a move is made, then completed by pressing the clock (Article 6.2; spec sections
// 4.2 and 5.6). Moves may be illegal where nobody checks them.
#include "laws/inner.h"

ChessColor laws_clock_side(const LawsGame *game) {
    const ChessColor side = laws_to_move(game);
    // Who has answered before the press waits for it; who has moved last still has to press.
    if (!game->desk.due[side] && game->desk.due[chess_other(side)])
        return chess_other(side);
    return side;
}

bool laws_on_completed(LawsGame *game, const LawsRules *rules, int64_t now_ms,
                       LawsVerdict *verdict) {
    LawsDesk *const desk = &game->desk;
    if (!game->setup.unchecked_moves ||
        rules->illegal_position != LAWS_ILLEGAL_POSITION_WAIT_DRAW || game->state != LAWS_RUNNING)
        return false;
    const bool is_illegal = laws_position_is_illegal(&game->position);
    if (is_illegal && desk->illegal_wait) {
        *verdict = laws_end(game, rules, 1, 1, LAWS_ILLEGAL_POSITION_DRAW, ARTICLE_ILLEGAL_POSITION,
                            now_ms);
        return true;
    }
    desk->illegal_wait = is_illegal;
    return false;
}

// An opponent's illegal move that nobody complained of in time stands (rapid, blitz).
static void let_stand(LawsGame *game, const LawsRules *rules) {
    if (!rules->illegal_stands_after_deadline || game->ply_count == 0)
        return;
    LawsPly *const last = &game->plies[game->ply_count - 1];
    if (last->flags & LAWS_PLY_ILLEGAL)
        last->flags |= LAWS_PLY_STANDS;
}

// A pawn on the last rank that became nothing.
static bool leaves_pawn(const ChessPosition *pos, ChessMove move) {
    const int to = chess_move_to(move);
    return chess_piece_kind(pos->board[chess_move_from(move)]) == CHESS_PAWN &&
           (to < 8 || to >= 56) && chess_move_promotion(move) == CHESS_NO_KIND;
}

// The move of an event, ready to be made, or why it may not be.
typedef struct Candidate {
    ChessMove move;
    LawsRefusal refusal;
    Article article;
    uint8_t flags;
} Candidate;

static Candidate refuse(LawsRefusal refusal, Article article) {
    return (Candidate) { .refusal = refusal, .article = article };
}

static Candidate candidate_of(LawsGame *game, const LawsRules *rules, const LawsEvent *event) {
    const ChessColor mover = (ChessColor)event->actor;
    Candidate out = { .move = event->move };
    if (game->setup.unchecked_moves)
        out.move = laws_move_meant(game, event->move);
    const bool is_legal = out.move != CHESS_NO_MOVE && laws_move_is_legal(game, out.move);
    if (!is_legal && (!game->setup.unchecked_moves || out.move == CHESS_NO_MOVE))
        return refuse(LAWS_REFUSED_ILLEGAL_MOVE, ARTICLE_ILLEGAL_MOVE);
    if ((game->bound_move != CHESS_NO_MOVE && out.move != game->bound_move) ||
        (game->bound_from != 0 && chess_move_from(out.move) + 1 != game->bound_from))
        return refuse(LAWS_REFUSED_BOUND_MOVE, ARTICLE_WRONG_CLAIM);
    if (is_legal) {
        ChessMoveList list;
        Article article;
        laws_moves_legal(game, &list);
        (void)laws_touch_filter(game, &list, &article);
        bool is_left = false;
        for (int i = 0; i < list.count; i++)
            is_left |= list.moves[i] == out.move;
        if (!is_left && laws_touch_binds(game, rules))
            return refuse(LAWS_REFUSED_TOUCH_MOVE, article);
        if (!is_left)
            out.flags |= LAWS_PLY_TOUCH_BROKEN;
    } else {
        out.flags |= LAWS_PLY_ILLEGAL;
        if (leaves_pawn(&game->position, out.move))
            out.flags |= LAWS_PLY_UNFINISHED;
    }
    if (game->ply_count >= game->ply_capacity || game->ply_count >= CHESS_GAME_PLIES_MAX)
        return refuse(LAWS_REFUSED_RECORD_FULL, ARTICLE_MOVE_MADE);
    if (event->offer && !game->offer[mover]) {
        const LawsRefusal fault =
            laws_offer_fault(game, rules, mover, laws_moves_made(game, mover) + 1, &out.article);
        if (fault != LAWS_NOT_REFUSED)
            return refuse(fault, out.article);
    }
    if (laws_sheet_fault(game, rules, mover) != LAWS_NOT_REFUSED)
        return refuse(LAWS_REFUSED_SHEET_INCOMPLETE, ARTICLE_SHEET_COMPLETE);
    return out;
}

// A1a: what is made on the board after the order to seal must be sealed as it was made.
static LawsVerdict on_move_while_sealing(LawsGame *game, const LawsRules *rules,
                                         const LawsEvent *event) {
    LawsDesk *const desk = &game->desk;
    if (desk->sealer != event->actor)
        return laws_refuse(rules, ARTICLE_TO_MOVE, LAWS_REFUSED_NOT_YOUR_TURN);
    if (desk->seal_on_board)
        return laws_refuse(rules, ARTICLE_SEAL, LAWS_REFUSED_BOUND_MOVE);
    if (!laws_move_is_legal(game, event->move))
        return laws_refuse(rules, ARTICLE_ILLEGAL_MOVE, LAWS_REFUSED_ILLEGAL_MOVE);
    desk->sealed_move = event->move;
    desk->sealed = 1;
    desk->seal_on_board = 1;
    return laws_verdict(rules, ARTICLE_SEAL, LAWS_CHANGED_TOUCH);
}

// Whose clock runs, and what of earlier moves counts as completed, when a move has been made
// (section 5.6). Answers whether the move is completed at once.
static bool note_press(LawsGame *game, ChessColor mover, const LawsEvent *event, int64_t now_ms) {
    LawsDesk *const desk = &game->desk;
    if (!game->setup.separate_press) {
        laws_clock_complete_move(game, mover, now_ms, event->span_ms);
        return true;
    }
    if (desk->press_fault == 1 + mover) {
        // He pressed first and moves now: the opponent's clock runs already.
        (void)laws_clock_count_move(game, mover);
        return true;
    }
    // Who moves again without having pressed has completed the move before.
    if (desk->due[mover])
        (void)laws_clock_count_move(game, mover);
    desk->due[mover] = 1;
    return false;
}

static void record_ply(LawsGame *game, ChessColor mover, const LawsEvent *event, LawsPly ply,
                       uint8_t rights, int64_t now_ms) {
    LawsDesk *const desk = &game->desk;
    const uint16_t halfmoves = game->position.halfmove_clock;
    ply.zobrist_key = game->position.zobrist_key;
    ply.clock_ms = laws_clock_reading(game, mover, (JdInstant) { .ms = now_ms });
    ply.at_ms = now_ms;
    ply.irreversible = halfmoves == 0 || rights != game->position.castling_rights ||
                       (ply.flags & LAWS_PLY_FORCED) != 0;
    ply.offered_draw = event->offer != 0;
    ply.halfmove_clock_low = (uint8_t)(halfmoves < 255 ? halfmoves : 255);
    ply.time_held = laws_clock_periods_held(game, mover);
    if (event->offer || (desk->offer_mark >> mover & 1))
        ply.flags |= LAWS_PLY_OFFER;
    desk->offer_mark &= (uint8_t) ~(1u << mover);
    game->plies[game->ply_count++] = ply;
}

// What belonged to the turn that has ended.
static void end_turn(LawsGame *game, ChessColor mover) {
    LawsDesk *const desk = &game->desk;
    desk->last_touched_count = desk->touched_count;
    jd_copy(desk->last_touched, desk->touched, sizeof desk->last_touched);
    laws_touch_clear(game);
    desk->touched_since &= (uint8_t) ~(1u << chess_other(mover));
    desk->offers_since_move[chess_other(mover)] = 0;
    desk->consent = 0;
    desk->take_back = 0;
    if (desk->adjournments > 0) {
        desk->claim_clock_closed |= (uint8_t)(1u << mover);
        desk->present |= (uint8_t)(1u << mover); // who moves has come
    }
    if (desk->press_fault != 1 + mover)
        desk->press_fault = 0;
    game->bound_move = CHESS_NO_MOVE;
    game->bound_from = 0;
    game->claim_lost = 0;
}

LawsVerdict laws_on_desk_move(LawsGame *game, const LawsRules *rules, const LawsEvent *event,
                              int64_t now_ms) {
    LawsDesk *const desk = &game->desk;
    const ChessColor mover = (ChessColor)event->actor;
    const ChessColor other = chess_other(mover);
    if (game->state == LAWS_SEALING)
        return on_move_while_sealing(game, rules, event);
    // An illegal move is complete with the press only: until then it is replaced by another one.
    const bool replaces = laws_to_move(game) == other && desk->due[mover] && game->ply_count > 0 &&
                          (game->plies[game->ply_count - 1].flags & LAWS_PLY_ILLEGAL) != 0;
    if (laws_to_move(game) != mover && !replaces)
        return laws_refuse(rules, ARTICLE_TO_MOVE, LAWS_REFUSED_NOT_YOUR_TURN);
    if (replaces) {
        LawsGame copy = *game;
        const LawsPly dropped = copy.plies[copy.ply_count - 1];
        copy.ply_count--;
        bool is_loose;
        const ChessPosition illegal = copy.position;
        laws_position_at(&copy, copy.ply_count, &copy.position, &is_loose);
        copy.desk.loose = is_loose;
        copy.desk.due[mover] = 0;
        laws_touch_bind(&copy, chess_move_from(dropped.move),
                        illegal.board[chess_move_to(dropped.move)] != CHESS_NO_PIECE &&
                                copy.position.board[chess_move_to(dropped.move)] != CHESS_NO_PIECE
                            ? chess_move_to(dropped.move)
                            : CHESS_NO_SQUARE);
        const Candidate next = candidate_of(&copy, rules, event);
        if (next.refusal != LAWS_NOT_REFUSED)
            return laws_refuse(rules, next.article, next.refusal);
        *game = copy;
    }
    const Candidate found = candidate_of(game, rules, event);
    if (found.refusal != LAWS_NOT_REFUSED)
        return laws_refuse(rules, found.article, found.refusal);
    const LawsIncident behind = laws_sheet_incident(game, rules, mover, now_ms);
    const bool takes_king =
        !chess_move_is_castling(found.move) &&
        chess_piece_kind(game->position.board[chess_move_to(found.move)]) == CHESS_KING;
    const bool offer_fell = game->offer[other];
    const uint8_t rights = game->position.castling_rights;
    let_stand(game, rules);
    LawsPly ply = { .move = found.move, .flags = found.flags };
    laws_board_make(game, &ply);
    const bool is_completed = note_press(game, mover, event, now_ms);
    game->offer[other] = 0;
    record_ply(game, mover, event, ply, rights, now_ms);
    end_turn(game, mover);
    if (event->offer && !game->offer[mover]) {
        game->offer[mover] = 1;
        game->offer_made[mover] = (uint16_t)(laws_moves_made(game, mover) + 1);
    }
    laws_sheet_note(game, rules, now_ms);
    LawsVerdict verdict =
        laws_verdict(rules, ARTICLE_MOVE_MADE, LAWS_CHANGED_BOARD | LAWS_CHANGED_CLOCK);
    if (takes_king && game->setup.king_capture_wins) {
        verdict =
            laws_end_won(game, rules, mover, LAWS_ILLEGAL_CLAIM, ARTICLE_ILLEGAL_AT_ONCE, now_ms);
    } else if (!(ply.flags & LAWS_PLY_ILLEGAL) && !game->desk.loose) {
        verdict = laws_after_move(game, rules, mover, now_ms);
    }
    // A move that ends the game is complete without a press.
    if (game->state == LAWS_ENDED && desk->due[mover]) {
        (void)laws_clock_count_move(game, mover);
        desk->due[mover] = 0;
    }
    if (is_completed)
        (void)laws_on_completed(game, rules, now_ms, &verdict);
    verdict.changed |= LAWS_CHANGED_BOARD | LAWS_CHANGED_CLOCK;
    if (offer_fell || event->offer)
        verdict.changed |= LAWS_CHANGED_OFFER;
    if (behind != LAWS_NO_INCIDENT)
        verdict = laws_note_incident(game, verdict, behind, mover);
    return verdict;
}

// ---- the press

// Article 7.5.3 of 2023: an illegal move. Before, an incident, and the clock is set back at once.
static LawsVerdict press_without_move(LawsGame *game, const LawsRules *rules, ChessColor player,
                                      int64_t now_ms) {
    LawsVerdict verdict = laws_verdict(rules, ARTICLE_PRESS_WITHOUT_MOVE, LAWS_CHANGED_RECORD);
    if (rules->press_without_move_is_illegal) {
        laws_clock_stop(game, now_ms);
        laws_clock_start(game, chess_other(player), now_ms);
        game->desk.press_fault = (uint8_t)(1 + player);
        verdict.changed |= LAWS_CHANGED_CLOCK;
    }
    return laws_note_incident(game, verdict, LAWS_INCIDENT_PRESS_WITHOUT_MOVE, player);
}

LawsVerdict laws_on_press(LawsGame *game, const LawsRules *rules, const LawsEvent *event,
                          int64_t now_ms) {
    LawsDesk *const desk = &game->desk;
    const ChessColor player = (ChessColor)event->actor;
    const bool runs = game->clock.running != 1 + chess_other(player);
    if (!game->setup.separate_press)
        return laws_refuse(rules, ARTICLE_PRESS, LAWS_REFUSED_NO_SUCH_RULE);
    if (!desk->due[player]) {
        if (laws_to_move(game) == player && runs)
            return press_without_move(game, rules, player, now_ms);
        return laws_refuse(rules, ARTICLE_PRESS, LAWS_REFUSED_NOT_DUE);
    }
    if (!runs)
        return laws_refuse(rules, ARTICLE_PRESS, LAWS_REFUSED_NOT_DUE);
    const uint32_t own =
        game->ply_count - (laws_mover_of(game, game->ply_count - 1) == player ? 1 : 2);
    LawsPly *const ply = &game->plies[own];
    if ((game->setup.accessible >> player & 1) &&
        (!desk->is_announced || desk->announced != ply->move))
        return laws_refuse(rules, ARTICLE_ANNOUNCEMENT, LAWS_REFUSED_NOT_ANNOUNCED);
    laws_clock_complete_move(game, player, now_ms, 0);
    desk->due[player] = 0;
    desk->is_announced = 0;
    ply->clock_ms = laws_clock_reading(game, player, (JdInstant) { .ms = now_ms });
    ply->time_held = laws_clock_periods_held(game, player);
    LawsVerdict verdict = laws_verdict(rules, ARTICLE_PRESS, LAWS_CHANGED_CLOCK);
    laws_sheet_note(game, rules, now_ms);
    (void)laws_on_completed(game, rules, now_ms, &verdict);
    return verdict;
}

// ---- announced moves (F2.1, F2.3, F2.6)

LawsVerdict laws_on_announce(LawsGame *game, const LawsRules *rules, const LawsEvent *event,
                             int64_t now_ms) {
    LawsDesk *const desk = &game->desk;
    const ChessColor player = (ChessColor)event->actor;
    const ChessColor speaker = event->kind == LAWS_EVENT_ANNOUNCE ? player : chess_other(player);
    (void)now_ms;
    if (game->setup.accessible == 0)
        return laws_refuse(rules, ARTICLE_ANNOUNCEMENT, LAWS_REFUSED_NO_SUCH_RULE);
    if (event->kind == LAWS_EVENT_REPEAT) {
        if (!desk->is_announced)
            return laws_refuse(rules, ARTICLE_ANNOUNCEMENT, LAWS_REFUSED_NOT_ANNOUNCED);
        LawsVerdict verdict = laws_verdict(rules, ARTICLE_ANNOUNCEMENT, LAWS_CHANGED_TOUCH);
        desk->echo_differs = event->move != desk->announced;
        return desk->echo_differs ? laws_note_incident(game, verdict, LAWS_INCIDENT_ECHO, player)
                                  : verdict;
    }
    // A slip of the tongue may be corrected until the opponent's clock runs.
    if (!desk->due[speaker] && laws_to_move(game) != speaker)
        return laws_refuse(rules, ARTICLE_ANNOUNCEMENT, LAWS_REFUSED_TOO_LATE);
    desk->is_announced = 1;
    desk->announced = event->move;
    desk->echo_differs = 0;
    return laws_verdict(rules, ARTICLE_ANNOUNCEMENT, LAWS_CHANGED_TOUCH);
}
