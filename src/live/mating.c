// SPDX-License-Identifier: GPL-3.0-or-later
//
// Who can still mate, where the Laws could not find out within a move's time: the question goes to
// the shell (LIVE_FX_DECIDE), the answer comes back as a command (LIVE_VERDICT) and into the log.
// After a move the game goes on meanwhile, and an answer for a position that is gone is dropped. A
// game that is over but for that answer waits, for LIVE_VERDICT_MS at most; who could win then
// wins, for nothing was proved against him.
#include "live/inner.h"

static bool waits(const Game *game) {
    return game->fold.laws.desk.stop == LAWS_STOP_VERDICT;
}

static void ask(Live *live, Game *game, const LawsQuestion *question) {
    LawsQuestion *copy = fx_take(live->fx, sizeof(*copy));
    *copy = *question;
    LiveEffect *effect = fx_push(live->fx, LIVE_FX_DECIDE);
    effect->id = game->fold.id;
    effect->question = copy;
    game->asks = true;
    game->asked_ply = question->ply;
    game->ask_again_ms = live->now_ms + LIVE_ASK_AGAIN_MS;
    live->stats.questions++;
}

static void forget(Game *game) {
    game->asks = false;
    game->ask_again_ms = LIVE_NEVER;
}

void mating_note(Live *live, Game *game, const LawsVerdict *verdict) {
    const LawsGame *laws = &game->fold.laws;
    if (waits(game) && game->verdict_by_ms == LIVE_NEVER) {
        const LawsQuestion question = { laws->position, laws->ply_count,
                                        (uint8_t)(laws->desk.verdict_winner - 1) };
        game->verdict_by_ms = live->now_ms + LIVE_VERDICT_MS;
        ask(live, game, &question);
    } else if (verdict->is_open) {
        const LawsQuestion question = { laws->position, laws->ply_count, LAWS_BOTH_SIDES };
        ask(live, game, &question);
    } else if (fold_has_ended(&game->fold) || game->asked_ply != laws->ply_count) {
        forget(game);
    }
    if (fold_has_ended(&game->fold))
        game->verdict_by_ms = LIVE_NEVER;
}

void mating_reopen(Live *live, Game *game) {
    LawsQuestion question;
    forget(game);
    game->told_waiting = waits(game); // whoever comes gets the whole state
    game->verdict_by_ms = waits(game) ? live->now_ms + LIVE_VERDICT_MS : LIVE_NEVER;
    if (laws_question(&game->fold.laws, &question))
        ask(live, game, &question);
}

int64_t mating_due_at(const Game *game) {
    return earlier(game->ask_again_ms, game->verdict_by_ms);
}

// Tells the game what is known of its position; whatever follows is told as with any event.
static void tell_game(Live *live, Game *game, uint8_t code) {
    const LawsEvent event = { .kind = LAWS_EVENT_VERDICT,
                              .actor = LAWS_SERVER,
                              .code = code,
                              .count = game->fold.laws.ply_count };
    const LawsVerdict verdict = game_apply(live, game, &event, now_of(live));
    forget(game);
    JD_ASSERT(verdict.refusal == LAWS_NOT_REFUSED || !waits(game));
    if (verdict.refusal != LAWS_NOT_REFUSED) { // one of them can mate, and the game goes on
        game_reschedule(live, game);
        return;
    }
    game_project(live, game, true, false);
    game_tell(live, game, true);
}

void mating_due(Live *live, Game *game) {
    if (game->verdict_by_ms != LIVE_NEVER && game->verdict_by_ms <= live->now_ms) {
        const LawsDesk *desk = &game->fold.laws.desk;
        tell_game(live, game, (uint8_t)(LAWS_MATING_OPEN_WHITE << (desk->verdict_winner - 1)));
    }
    LawsQuestion question;
    if (game->ask_again_ms == LIVE_NEVER || game->ask_again_ms > live->now_ms)
        return;
    if (laws_question(&game->fold.laws, &question))
        ask(live, game, &question);
    else
        forget(game);
}

bool live_wants_verdict(const Live *live, const LiveId *id, uint32_t ply) {
    const Game *game = game_find(live, id);
    return game != NULL && game->asks && game->asked_ply == ply &&
           game->fold.laws.ply_count == ply && !fold_has_ended(&game->fold);
}

void mating_verdict(Live *live, const LiveCommand *command) {
    if (!live_wants_verdict(live, &command->id, command->ply) || command->act > LAWS_MATING_BITS ||
        (command->act & command->act >> 2 & 3) != 0)
        return;
    Game *game = game_find(live, &command->id);
    // What was not found out of a running game is not asked again.
    tell_game(live, game, command->act);
}
