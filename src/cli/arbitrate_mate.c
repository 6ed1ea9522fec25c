// SPDX-License-Identifier: GPL-3.0-or-later
//
// Who can still mate (Articles 5.2.2, 6.9), asked as every command asks (dead_text.h) and
// remembered: one game asks the same of its last position more than once. In games told as events
// the Laws ask themselves; what they leave open is answered here.
#include "cli/arbitrate.h"

// What a question may cost. Beyond it nothing is proved, and the player counts as able to mate:
// never a draw without a proof.
enum { NODES_MAX = 20000000 };

static uint8_t ask(ArbMates *mates, const ChessPosition *pos, ChessColor color) {
    if (mates->dead.memory == NULL) {
        mates->dead.nodes = NODES_MAX;
        mates->dead.memory_limit = DEAD_MEMORY_LARGE;
        if (!cli_dead_open(&mates->dead))
            return DEAD_UNKNOWN;
    }
    return cli_dead_ask(&mates->dead, pos, color).answer.verdict;
}

static uint8_t verdict_of(ArbMates *mates, const ChessPosition *pos, ChessColor color) {
    if (!mates->is_known[color] || mates->keys[color] != pos->zobrist_key ||
        !chess_position_same(&mates->positions[color], pos)) {
        mates->verdicts[color] = ask(mates, pos, color);
        mates->keys[color] = pos->zobrist_key;
        mates->positions[color] = *pos;
        mates->is_known[color] = true;
    }
    mates->unproved |= mates->verdicts[color] == DEAD_UNKNOWN;
    return mates->verdicts[color];
}

bool arb_can_mate(ArbMates *mates, const ChessPosition *pos, ChessColor color) {
    return verdict_of(mates, pos, color) != DEAD_IMPOSSIBLE;
}

bool arb_is_dead(ArbMates *mates, const ChessPosition *pos, ChessColor likely) {
    return !arb_can_mate(mates, pos, likely) && !arb_can_mate(mates, pos, chess_other(likely));
}

void arb_settle(ArbMates *mates, LawsGame *game, int64_t at_ms) {
    LawsQuestion question;
    if (!laws_question(game, &question))
        return;
    LawsEvent event = { .kind = LAWS_EVENT_VERDICT, .actor = LAWS_SERVER, .count = question.ply };
    for (int color = 0; color < 2; color++) {
        if (question.winner != LAWS_BOTH_SIDES && question.winner != color)
            continue;
        const uint8_t verdict = verdict_of(mates, &question.position, (ChessColor)color);
        if (verdict == DEAD_IMPOSSIBLE)
            event.code |= (uint8_t)(LAWS_MATING_NOT_WHITE << color);
        else if (verdict == DEAD_UNKNOWN)
            event.code |= (uint8_t)(LAWS_MATING_OPEN_WHITE << color);
        if (question.winner == LAWS_BOTH_SIDES && verdict != DEAD_IMPOSSIBLE)
            return; // not dead, or not proved to be
    }
    (void)laws_apply(game, &event, (JdInstant) { at_ms });
}
