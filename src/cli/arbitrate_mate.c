// SPDX-License-Identifier: GPL-3.0-or-later
//
// Who can still mate (Articles 5.2.2, 6.9), asked of the exact service and remembered: one game
// asks the same of its last position more than once.
#include "cli/arbitrate.h"

#include <jadoube/dead.h>

#include <stdlib.h>

// What a question may cost that the little memory did not settle. Beyond it nothing is proved, and
// the player counts as able to mate: never a draw without a proof.
enum { NODES_MAX = 20000000 };

static uint8_t ask(ArbMates *mates, const ChessPosition *pos, ChessColor color) {
    const DeadLimits small = { .nodes = NODES_MAX };
    DeadAnswer answer = dead_can_mate(pos, color, &small, NULL, 0);
    if (answer.verdict == DEAD_UNKNOWN && answer.out_of_memory) {
        if (mates->memory == NULL)
            mates->memory = aligned_alloc(64, DEAD_MEMORY_LARGE);
        if (mates->memory != NULL) {
            const DeadLimits large = { .nodes = NODES_MAX,
                                       .memory = mates->memory,
                                       .memory_size = DEAD_MEMORY_LARGE };
            answer = dead_can_mate(pos, color, &large, NULL, 0);
        }
    }
    return answer.verdict;
}

bool arb_can_mate(ArbMates *mates, const ChessPosition *pos, ChessColor color) {
    if (!mates->is_known[color] || mates->keys[color] != pos->zobrist_key ||
        !chess_position_same(&mates->positions[color], pos)) {
        mates->verdicts[color] = ask(mates, pos, color);
        mates->keys[color] = pos->zobrist_key;
        mates->positions[color] = *pos;
        mates->is_known[color] = true;
    }
    mates->unproved |= mates->verdicts[color] == DEAD_UNKNOWN;
    return mates->verdicts[color] != DEAD_IMPOSSIBLE;
}

bool arb_is_dead(ArbMates *mates, const ChessPosition *pos, ChessColor likely) {
    return !arb_can_mate(mates, pos, likely) && !arb_can_mate(mates, pos, chess_other(likely));
}
