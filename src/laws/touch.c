// SPDX-License-Identifier: GPL-3.0-or-later
//
// The act of moving (Article 4): what touched and released pieces oblige to.
#include "laws/inner.h"

void laws_touch_clear(LawsGame *game) {
    LawsDesk *const desk = &game->desk;
    desk->touched_count = 0;
    jd_zero(desk->touched, sizeof desk->touched);
    desk->adjusting = 0;
    desk->release_from = 0;
    desk->release_to = 0;
    desk->promotion = CHESS_NO_KIND;
    desk->enforced = 0;
}

void laws_touch_bind(LawsGame *game, ChessSquare first, ChessSquare second) {
    LawsDesk *const desk = &game->desk;
    laws_touch_clear(game);
    desk->touched[desk->touched_count++] = first;
    if (second != CHESS_NO_SQUARE)
        desk->touched[desk->touched_count++] = second;
    desk->enforced = 1;
}

bool laws_touch_binds(const LawsGame *game, const LawsRules *rules) {
    return game->desk.enforced || (game->setup.touch_move && !rules->touch_ruling_on_request);
}

// ---- sets of moves

// Which moves of a list are meant.
typedef struct Wanted {
    int from;     // CHESS_NO_SQUARE: any
    int captured; // the square whose piece is taken; CHESS_NO_SQUARE: any
    int arrival;  // where the piece ends up; CHESS_NO_SQUARE: any
    int not_rook; // castling with this rook is barred; CHESS_NO_SQUARE: none
    ChessKind promotion;
} Wanted;

#define ANY                                                                                        \
    ((Wanted) { .from = CHESS_NO_SQUARE,                                                           \
                .captured = CHESS_NO_SQUARE,                                                       \
                .arrival = CHESS_NO_SQUARE,                                                        \
                .not_rook = CHESS_NO_SQUARE })

static int captured_square(const ChessPosition *pos, ChessMove move) {
    if (chess_move_is_castling(move))
        return CHESS_NO_SQUARE;
    const int to = chess_move_to(move);
    if (chess_move_is_en_passant(move))
        return to ^ 8;
    return pos->board[to] != CHESS_NO_PIECE ? to : CHESS_NO_SQUARE;
}

static bool fits(const ChessPosition *pos, ChessMove move, const Wanted *wanted) {
    if (wanted->from != CHESS_NO_SQUARE && chess_move_from(move) != wanted->from)
        return false;
    if (wanted->captured != CHESS_NO_SQUARE && captured_square(pos, move) != wanted->captured)
        return false;
    if (wanted->arrival != CHESS_NO_SQUARE && chess_move_arrival(move) != wanted->arrival)
        return false;
    if (wanted->not_rook != CHESS_NO_SQUARE && chess_move_is_castling(move) &&
        chess_move_to(move) == wanted->not_rook)
        return false;
    return wanted->promotion == CHESS_NO_KIND || chess_move_promotion(move) == wanted->promotion;
}

// Keeps the moves that fit when there are any; says whether there are.
static bool keep(const ChessPosition *pos, ChessMoveList *list, const Wanted *wanted) {
    int count = 0;
    for (int i = 0; i < list->count; i++)
        if (fits(pos, list->moves[i], wanted))
            count++;
    if (count == 0)
        return false;
    int kept = 0;
    for (int i = 0; i < list->count; i++)
        if (fits(pos, list->moves[i], wanted))
            list->moves[kept++] = list->moves[i];
    list->count = kept;
    return true;
}

// ---- Articles 4.3 and 4.4

typedef struct Touched {
    int own[2];      // the first two own pieces touched
    int opponent;    // the first of the opponent's
    bool king_first; // own king, then an own rook: castling is meant
    bool rook_first; // own rook, then the own king: no castling with that rook
} Touched;

static Touched touched_of(const LawsGame *game) {
    const ChessPosition *const pos = &game->position;
    const ChessColor us = laws_to_move(game);
    Touched touched = { .own = { CHESS_NO_SQUARE, CHESS_NO_SQUARE }, .opponent = CHESS_NO_SQUARE };
    int own = 0;
    for (int i = 0; i < game->desk.touched_count; i++) {
        const int square = game->desk.touched[i];
        if (pos->board[square] == CHESS_NO_PIECE)
            continue;
        if (chess_piece_color(pos->board[square]) != us) {
            if (touched.opponent == CHESS_NO_SQUARE)
                touched.opponent = square;
        } else if (own < 2) {
            touched.own[own++] = square;
        }
    }
    if (own == 2) {
        const ChessKind first = chess_piece_kind(pos->board[touched.own[0]]);
        const ChessKind second = chess_piece_kind(pos->board[touched.own[1]]);
        touched.king_first = first == CHESS_KING && second == CHESS_ROOK;
        touched.rook_first = first == CHESS_ROOK && second == CHESS_KING;
    }
    return touched;
}

static void filter_touched(const LawsGame *game, ChessMoveList *list, Article *article) {
    const ChessPosition *const pos = &game->position;
    const Touched touched = touched_of(game);
    *article = ARTICLE_TOUCH;
    if (touched.king_first) {
        *article = ARTICLE_TOUCH_CASTLING;
        for (int i = 0; i < list->count; i++)
            if (chess_move_is_castling(list->moves[i]) &&
                chess_move_from(list->moves[i]) == touched.own[0] &&
                chess_move_to(list->moves[i]) == touched.own[1]) {
                list->moves[0] = list->moves[i];
                list->count = 1;
                return;
            }
        // Castling is illegal: another king move, the other castling included; else any move.
        Wanted king = ANY;
        king.from = touched.own[0];
        (void)keep(pos, list, &king);
        return;
    }
    Wanted pair = ANY;
    pair.from = touched.own[0];
    pair.captured = touched.opponent;
    if (pair.from != CHESS_NO_SQUARE && pair.captured != CHESS_NO_SQUARE && keep(pos, list, &pair))
        return;
    if (touched.rook_first) {
        // Whatever moves now, it is not castling with that rook.
        *article = ARTICLE_TOUCH_CASTLING;
        Wanted other = ANY;
        other.not_rook = touched.own[0];
        (void)keep(pos, list, &other);
    }
    // The first touched piece that can be moved or taken.
    for (int i = 0; i < game->desk.touched_count; i++) {
        const int square = game->desk.touched[i];
        const ChessPiece piece = pos->board[square];
        Wanted first = ANY;
        if (piece == CHESS_NO_PIECE)
            continue;
        if (chess_piece_color(piece) == laws_to_move(game))
            first.from = square;
        else
            first.captured = square;
        if (keep(pos, list, &first))
            return;
    }
}

bool laws_touch_filter(const LawsGame *game, ChessMoveList *list, Article *article) {
    const LawsDesk *const desk = &game->desk;
    const ChessPosition *const pos = &game->position;
    const int before = list->count;
    Wanted released = ANY;
    *article = ARTICLE_TOUCH;
    released.from = desk->release_from - 1;
    released.arrival = desk->release_to - 1;
    if (desk->release_to != 0 && keep(pos, list, &released))
        *article = ARTICLE_RELEASE;
    else if (desk->touched_count > 0)
        filter_touched(game, list, article);
    if (desk->promotion != CHESS_NO_KIND) {
        Wanted promotion = ANY;
        promotion.promotion = (ChessKind)desk->promotion;
        // Only a promotion that is still possible is bound to its piece.
        bool any_promotion = false;
        for (int i = 0; i < list->count; i++)
            any_promotion |= chess_move_promotion(list->moves[i]) != CHESS_NO_KIND;
        if (any_promotion && keep(pos, list, &promotion))
            *article = ARTICLE_PROMOTION_CHOICE;
    }
    return list->count < before;
}

void laws_moves_allowed(const LawsGame *game, ChessMoveList *out) {
    LawsRules space;
    const LawsRules *const rules = laws_game_rules(game, &space);
    Article article;
    laws_moves_legal(game, out);
    Wanted bound = ANY;
    if (game->bound_move != CHESS_NO_MOVE) {
        for (int i = 0; i < out->count; i++)
            if (out->moves[i] == game->bound_move) {
                out->moves[0] = game->bound_move;
                out->count = 1;
                return;
            }
    }
    if (game->bound_from != 0) {
        bound.from = game->bound_from - 1;
        (void)keep(&game->position, out, &bound);
    }
    if (laws_touch_binds(game, rules))
        (void)laws_touch_filter(game, out, &article);
}

// ---- events

static bool can_move_or_be_taken(const LawsGame *game, ChessSquare square) {
    ChessMoveList list;
    laws_moves_legal(game, &list);
    for (int i = 0; i < list.count; i++)
        if (chess_move_from(list.moves[i]) == square ||
            captured_square(&game->position, list.moves[i]) == square)
            return true;
    return false;
}

static LawsVerdict on_touch(LawsGame *game, const LawsRules *rules, const LawsEvent *event) {
    LawsDesk *const desk = &game->desk;
    const ChessColor player = (ChessColor)event->actor;
    if (game->position.board[event->square] == CHESS_NO_PIECE)
        return laws_refuse(rules, ARTICLE_TOUCH, LAWS_REFUSED_BAD_VALUE);
    LawsVerdict verdict = laws_verdict(rules, ARTICLE_TOUCH, LAWS_CHANGED_TOUCH);
    if (desk->adjusting && !event->flag)
        return laws_verdict(rules, ARTICLE_ADJUST, LAWS_CHANGED_NOTHING);
    desk->adjusting = 0;
    bool is_new = desk->touched_count < LAWS_TOUCHED_MAX;
    for (int i = 0; i < desk->touched_count; i++)
        is_new = is_new && desk->touched[i] != event->square;
    if (is_new)
        desk->touched[desk->touched_count++] = event->square;
    desk->touched_since |= (uint8_t)(1u << player);
    if (rules->claim_lost_by_touch)
        game->claim_lost = 1;
    // Article 9.1: touching a piece to move it or to take it refuses the offer.
    if (game->offer[chess_other(player)] && can_move_or_be_taken(game, event->square)) {
        game->offer[chess_other(player)] = 0;
        verdict.changed |= LAWS_CHANGED_OFFER;
    }
    return verdict;
}

static LawsVerdict on_release(LawsGame *game, const LawsRules *rules, const LawsEvent *event) {
    LawsDesk *const desk = &game->desk;
    const ChessPosition *const pos = &game->position;
    ChessMoveList list;
    laws_moves_legal(game, &list);
    for (int t = 0; t < desk->touched_count; t++)
        for (int i = 0; i < list.count; i++) {
            const ChessMove move = list.moves[i];
            if (chess_move_from(move) != desk->touched[t] ||
                chess_move_arrival(move) != event->square ||
                (chess_move_is_castling(move) && !rules->king_release_binds_castling))
                continue;
            // The first release binds; a piece on its old square has not been moved.
            if (desk->release_to == 0 && pos->board[desk->touched[t]] != CHESS_NO_PIECE) {
                desk->release_from = (uint8_t)(desk->touched[t] + 1);
                desk->release_to = (uint8_t)(event->square + 1);
            }
            return laws_verdict(rules, ARTICLE_RELEASE, LAWS_CHANGED_TOUCH);
        }
    return laws_verdict(rules, ARTICLE_RELEASE, LAWS_CHANGED_NOTHING);
}

static LawsVerdict on_promotion_touch(LawsGame *game, const LawsRules *rules,
                                      const LawsEvent *event) {
    ChessMoveList list;
    laws_moves_legal(game, &list);
    for (int i = 0; i < list.count; i++)
        if (chess_move_to(list.moves[i]) == event->square &&
            chess_move_promotion(list.moves[i]) == (ChessKind)event->code) {
            if (!rules->promotion_final_on_touch)
                return laws_verdict(rules, ARTICLE_PROMOTION_CHOICE, LAWS_CHANGED_NOTHING);
            if (game->desk.promotion == CHESS_NO_KIND)
                game->desk.promotion = event->code;
            return laws_verdict(rules, ARTICLE_PROMOTION_CHOICE, LAWS_CHANGED_TOUCH);
        }
    return laws_refuse(rules, ARTICLE_PROMOTION_CHOICE, LAWS_REFUSED_BAD_VALUE);
}

// The opponent broke Article 4 with his last move, or has touched and not moved yet.
static LawsVerdict on_claim_touch(LawsGame *game, const LawsRules *rules, const LawsEvent *event,
                                  int64_t now_ms) {
    LawsDesk *const desk = &game->desk;
    const ChessColor player = (ChessColor)event->actor;
    const bool is_after = laws_to_move(game) == player;
    if (is_after && game->ply_count == 0)
        return laws_refuse(rules, ARTICLE_COMPLAINT, LAWS_REFUSED_NOT_DUE);
    if (is_after && (desk->touched_since >> player & 1))
        return laws_refuse(rules, ARTICLE_COMPLAINT, LAWS_REFUSED_RIGHT_LOST);
    if (!is_after && desk->touched_count == 0 && game->setup.touch_move)
        return laws_refuse(rules, ARTICLE_COMPLAINT, LAWS_REFUSED_RIGHT_LOST);
    if (!game->setup.touch_move)
        return game->setup.arbiter_present
                   ? laws_stop(game, rules, LAWS_STOP_CLAIM_TOUCH, 0, player, ARTICLE_TOUCH_REQUEST,
                               now_ms)
                   : laws_refuse(rules, ARTICLE_TOUCH_REQUEST, LAWS_REFUSED_NO_ARBITER);
    LawsVerdict verdict = laws_verdict(rules, ARTICLE_TOUCH_REQUEST, LAWS_CHANGED_TOUCH);
    verdict = laws_say(verdict, LAWS_MESSAGE_TOUCH_BINDS, chess_other(player), 0, 0);
    if (!is_after) {
        desk->enforced = 1;
        verdict.numbers[0] = desk->touched[0];
        return verdict;
    }
    if (!(game->plies[game->ply_count - 1].flags & LAWS_PLY_TOUCH_BROKEN)) {
        verdict = laws_verdict(rules, ARTICLE_TOUCH_REQUEST, LAWS_CHANGED_NOTHING);
        verdict.claim_wrong = 1;
        verdict = laws_say(verdict, LAWS_MESSAGE_CLAIM_UNFOUNDED, player, 0, 0);
        return laws_note_incident(game, verdict, LAWS_INCIDENT_FALSE_CLAIM, player);
    }
    laws_clock_stop(game, now_ms);
    laws_restore(game, game->ply_count - 1);
    desk->touched_count = desk->last_touched_count;
    jd_copy(desk->touched, desk->last_touched, sizeof desk->touched);
    desk->enforced = 1;
    laws_clock_start(game, laws_to_move(game), now_ms);
    verdict.changed |= LAWS_CHANGED_BOARD | LAWS_CHANGED_CLOCK;
    verdict.numbers[0] = desk->touched[0];
    return verdict;
}

// The arbiter rules which piece was touched; the clocks stand until he resumes the game.
static LawsVerdict on_rule_touch(LawsGame *game, const LawsRules *rules, const LawsEvent *event) {
    const ChessColor side = (ChessColor)event->side;
    uint8_t changed = LAWS_CHANGED_TOUCH;
    ChessPosition pos = game->position;
    bool is_loose = false;
    const bool must_go_back = laws_to_move(game) != side;
    if (must_go_back && game->ply_count == 0)
        return laws_refuse(rules, ARTICLE_TOUCH, LAWS_REFUSED_NOT_DUE);
    if (must_go_back)
        laws_position_at(game, game->ply_count - 1, &pos, &is_loose);
    if (pos.board[event->square] == CHESS_NO_PIECE)
        return laws_refuse(rules, ARTICLE_TOUCH, LAWS_REFUSED_BAD_VALUE);
    if (must_go_back) {
        laws_restore(game, game->ply_count - 1);
        changed |= LAWS_CHANGED_BOARD | LAWS_CHANGED_CLOCK;
    }
    laws_touch_bind(game, event->square, CHESS_NO_SQUARE);
    return laws_say(laws_verdict(rules, ARTICLE_TOUCH, changed), LAWS_MESSAGE_TOUCH_BINDS, side,
                    event->square, 0);
}

LawsVerdict laws_on_touch(LawsGame *game, const LawsRules *rules, const LawsEvent *event,
                          int64_t now_ms) {
    if (event->kind == LAWS_EVENT_CLAIM_TOUCH)
        return on_claim_touch(game, rules, event, now_ms);
    if (event->kind == LAWS_EVENT_RULE_TOUCH)
        return on_rule_touch(game, rules, event);
    const Article article = event->kind == LAWS_EVENT_ADJUST ? ARTICLE_ADJUST : ARTICLE_TOUCH;
    if (!game->setup.touch_move)
        return laws_refuse(rules, article, LAWS_REFUSED_NO_SUCH_RULE);
    if (laws_to_move(game) != (ChessColor)event->actor)
        return laws_refuse(rules, article, LAWS_REFUSED_NOT_YOUR_TURN);
    if (event->kind == LAWS_EVENT_TOUCH)
        return on_touch(game, rules, event);
    if (event->kind == LAWS_EVENT_RELEASE)
        return on_release(game, rules, event);
    if (event->kind == LAWS_EVENT_PROMO_TOUCH)
        return on_promotion_touch(game, rules, event);
    if (rules->adjust_needs_own_clock && game->clock.running != 1 + event->actor)
        return laws_refuse(rules, ARTICLE_ADJUST, LAWS_REFUSED_NOT_YOUR_TURN);
    game->desk.adjusting = 1;
    return laws_verdict(rules, ARTICLE_ADJUST, LAWS_CHANGED_TOUCH);
}
