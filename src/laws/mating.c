// SPDX-License-Identifier: GPL-3.0-or-later
//
// Who can still mate, as the Laws need to know it (Articles 5.1.2, 5.2.2, 6.9, 7.5.5, A8): the
// lemmas of material at once; then what the event says, which is how a log is replayed; then the
// exact service, within a budget that a move can always afford. What that leaves open is asked of
// the caller, and comes back as a VERDICT.
#include "laws/inner.h"

#include <jadoube/dead.h>

// Of one question. About a millisecond at worst, and the same answer on every platform, for nodes
// run out before memory does.
#define MATING_NODES 1200
#define MATING_MEMORY ((size_t)96 << 10)

// Not inlined: only questions that reach it pay for the memory on the stack.
static JD_NOINLINE DeadVerdict ask(const ChessPosition *pos, unsigned winner) {
    _Alignas(16) unsigned char memory[MATING_MEMORY];
    const DeadLimits limits = { MATING_NODES, memory, sizeof memory };
    const DeadAnswer answer = winner == LAWS_BOTH_SIDES
                                  ? dead_can_anyone_mate(pos, &limits, NULL, 0)
                                  : dead_can_mate(pos, (ChessColor)winner, &limits, NULL, 0);
    return (DeadVerdict)answer.verdict;
}

static Chance chance_in(LawsGame *game, const ChessPosition *pos, ChessColor color) {
    const unsigned not_bit = (unsigned)LAWS_MATING_NOT_WHITE << color;
    const unsigned open_bit = (unsigned)LAWS_MATING_OPEN_WHITE << color;
    if (laws_mate(pos, color) == LAWS_MATE_IMPOSSIBLE)
        return CHANCE_NONE;
    if (game->setup.mating == LAWS_MATING_BY_MATERIAL)
        return CHANCE_MATE;
    if (game->mating & LAWS_MATING_SAID)
        return game->mating & not_bit    ? CHANCE_NONE
               : game->mating & open_bit ? CHANCE_OPEN
                                         : CHANCE_MATE;
    const DeadVerdict verdict =
        game->setup.mating == LAWS_MATING_ASKED ? DEAD_UNKNOWN : ask(pos, color);
    if (verdict == DEAD_IMPOSSIBLE)
        game->mating_found |= (uint8_t)not_bit;
    return verdict == DEAD_IMPOSSIBLE ? CHANCE_NONE
           : verdict == DEAD_UNKNOWN  ? CHANCE_OPEN
                                      : CHANCE_MATE;
}

// The question is asked of legal positions only.
Chance laws_chance(LawsGame *game, ChessColor color) {
    return game->desk.loose ? CHANCE_MATE : chance_in(game, &game->position, color);
}

bool laws_can_mate_in(LawsGame *game, const ChessPosition *pos, ChessColor color) {
    return chance_in(game, pos, color) != CHANCE_NONE;
}

bool laws_is_dead_now(LawsGame *game) {
    const ChessPosition *const pos = &game->position;
    const bool white = laws_mate_by_material(pos, CHESS_WHITE) != LAWS_MATE_IMPOSSIBLE;
    const bool black = laws_mate_by_material(pos, CHESS_BLACK) != LAWS_MATE_IMPOSSIBLE;
    const uint8_t both = LAWS_MATING_NOT_WHITE | LAWS_MATING_NOT_BLACK;
    if (!white && !black)
        return true;
    if (game->setup.mating == LAWS_MATING_BY_MATERIAL)
        return false;
    if (game->mating & LAWS_MATING_SAID)
        return (game->mating & both) == both;
    const unsigned winner = white && black ? LAWS_BOTH_SIDES : white ? CHESS_WHITE : CHESS_BLACK;
    const DeadVerdict verdict =
        game->setup.mating == LAWS_MATING_ASKED ? DEAD_UNKNOWN : ask(pos, winner);
    if (verdict == DEAD_IMPOSSIBLE)
        game->mating_found |= both;
    else if (verdict == DEAD_UNKNOWN)
        game->mating_found |= MATING_FOUND_OPEN;
    return verdict == DEAD_IMPOSSIBLE;
}

// ---- ends that hang on it

static Article article_of(LawsReason reason) {
    return reason == LAWS_FLAG            ? ARTICLE_FLAG_FALL
           : reason == LAWS_RESIGNATION   ? ARTICLE_RESIGNATION
           : reason == LAWS_ILLEGAL_LIMIT ? ARTICLE_ILLEGAL_PENALTY
           : reason == LAWS_SEALED_FAULT  ? ARTICLE_SEAL_FAULT
                                          : ARTICLE_NONE;
}

static LawsVerdict draw(LawsGame *game, const LawsRules *rules, LawsReason reason, int64_t at_ms) {
    const LawsReason drawn = reason == LAWS_FLAG            ? LAWS_FLAG_DRAW
                             : reason == LAWS_RESIGNATION   ? LAWS_RESIGN_DRAW
                             : reason == LAWS_ILLEGAL_LIMIT ? LAWS_ILLEGAL_DRAW
                                                            : reason;
    return laws_end(game, rules, 1, 1, drawn, article_of(reason), at_ms);
}

LawsVerdict laws_end_if_mate(LawsGame *game, const LawsRules *rules, ChessColor winner,
                             LawsReason reason, int64_t at_ms) {
    switch (laws_chance(game, winner)) {
    case CHANCE_NONE:
        return draw(game, rules, reason, at_ms);
    case CHANCE_MATE:
        return laws_end_won(game, rules, winner, reason, article_of(reason), at_ms);
    case CHANCE_OPEN:
        break;
    }
    game->mating_found |= (uint8_t)(LAWS_MATING_OPEN_WHITE << winner);
    const LawsVerdict verdict =
        laws_stop(game, rules, LAWS_STOP_VERDICT, 0, winner, article_of(reason), at_ms);
    LawsDesk *const desk = &game->desk;
    desk->verdict_winner = (uint8_t)(1 + winner);
    desk->verdict_reason = (uint8_t)reason;
    desk->verdict_ms = at_ms;
    desk->is_active = 1;
    return laws_say(verdict, LAWS_MESSAGE_VERDICT_AWAITED, winner, 0, 0);
}

// ---- the answer

bool laws_waits_for(const LawsGame *game, const LawsEvent *event) {
    (void)game;
    switch (event->kind) {
    case LAWS_EVENT_VERDICT:
    case LAWS_EVENT_INTERRUPTION:
    case LAWS_EVENT_TICK:
    case LAWS_EVENT_NOTE:
    case LAWS_EVENT_ARB_RESULT:
    case LAWS_EVENT_ANNUL:
    case LAWS_EVENT_WARN:
    case LAWS_EVENT_POINTS:
    case LAWS_EVENT_FINE:
    case LAWS_EVENT_EXPEL:
    case LAWS_EVENT_EXCLUDE_ROUNDS:
    case LAWS_EVENT_REMOVE_SPECTATOR:
        return true;
    default:
        return false;
    }
}

// The position asked about must still stand. Who waits and gets no proof wins: never a draw without
// one (spec section 7.3).
LawsVerdict laws_on_verdict(LawsGame *game, const LawsRules *rules, const LawsEvent *event,
                            int64_t now_ms) {
    LawsDesk *const desk = &game->desk;
    const unsigned both = LAWS_MATING_NOT_WHITE | LAWS_MATING_NOT_BLACK;
    if (event->code > LAWS_MATING_BITS || (event->code & event->code >> 2 & both) != 0)
        return laws_refuse(rules, ARTICLE_DEAD_POSITION, LAWS_REFUSED_BAD_VALUE);
    if (game->setup.mating == LAWS_MATING_BY_MATERIAL)
        return laws_refuse(rules, ARTICLE_DEAD_POSITION, LAWS_REFUSED_NO_SUCH_RULE);
    if (event->count != game->ply_count || desk->loose)
        return laws_refuse(rules, ARTICLE_DEAD_POSITION, LAWS_REFUSED_NOT_DUE);
    if (desk->verdict_winner != 0) {
        const ChessColor winner = (ChessColor)(desk->verdict_winner - 1);
        const LawsReason reason = (LawsReason)desk->verdict_reason;
        const int64_t at_ms = desk->verdict_ms;
        return event->code & LAWS_MATING_NOT_WHITE << winner
                   ? draw(game, rules, reason, at_ms)
                   : laws_end_won(game, rules, winner, reason, article_of(reason), at_ms);
    }
    if ((event->code & both) != both)
        return laws_refuse(rules, ARTICLE_DEAD_POSITION, LAWS_REFUSED_NOT_DUE);
    return laws_end(game, rules, 1, 1, LAWS_DEAD_POSITION, ARTICLE_DEAD_POSITION, now_ms);
}

void laws_event_settle(LawsEvent *event, const LawsVerdict *verdict) {
    if (!(event->mating & LAWS_MATING_SAID))
        event->mating = (uint8_t)(LAWS_MATING_SAID | verdict->mating);
}

bool laws_question(const LawsGame *game, LawsQuestion *out) {
    if (game->setup.mating == LAWS_MATING_BY_MATERIAL || game->state >= LAWS_ENDED ||
        game->desk.loose)
        return false;
    out->position = game->position;
    out->ply = game->ply_count;
    out->winner = LAWS_BOTH_SIDES;
    if (game->desk.verdict_winner != 0) {
        out->winner = (uint8_t)(game->desk.verdict_winner - 1);
        return true;
    }
    if (laws_is_dead(&game->position))
        return false;
    return game->setup.mating == LAWS_MATING_ASKED ||
           ask(&game->position, LAWS_BOTH_SIDES) == DEAD_UNKNOWN;
}
