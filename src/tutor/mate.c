// SPDX-License-Identifier: GPL-3.0-or-later
//
// Short mates, proved: every defence is looked at.
#include "tutor/inner.h"

static TutorMate attack(const ChessPosition *pos, int moves, uint32_t *nodes, ChessMove try_first,
                        ChessMove *first);

// Whether every answer of the side to move runs into mate in at most `moves` moves.
static TutorMate defend(const ChessPosition *pos, int moves, uint32_t *nodes) {
    ChessMoveList legal;
    chess_moves_generate(pos, &legal);
    if (legal.count == 0)
        return chess_is_check(pos) ? TUTOR_MATE : TUTOR_NO_MATE;
    if (moves == 0)
        return TUTOR_NO_MATE;
    TutorMate all = TUTOR_MATE;
    for (int i = 0; i < legal.count && all != TUTOR_NO_MATE; i++) {
        ChessPosition after = *pos;
        chess_move_make(&after, legal.moves[i], NULL);
        const TutorMate one = attack(&after, moves, nodes, CHESS_NO_MOVE, NULL);
        if (one != TUTOR_MATE)
            all = one;
        if (one == TUTOR_UNDECIDED && *nodes == 0)
            break;
    }
    return all;
}

static TutorMate try_move(const ChessPosition *pos, ChessMove move, int moves, uint32_t *nodes) {
    // The last move of a mate gives check.
    if (moves == 1 && !chess_move_gives_check(pos, move))
        return TUTOR_NO_MATE;
    if (*nodes == 0)
        return TUTOR_UNDECIDED;
    --*nodes;
    ChessPosition after = *pos;
    chess_move_make(&after, move, NULL);
    return defend(&after, moves - 1, nodes);
}

// Checks are looked at before other moves.
static TutorMate attack(const ChessPosition *pos, int moves, uint32_t *nodes, ChessMove try_first,
                        ChessMove *first) {
    ChessMoveList legal;
    TutorMate any = TUTOR_NO_MATE;
    chess_moves_generate(pos, &legal);
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < legal.count; i++) {
            const ChessMove move = legal.moves[i];
            const int its_round = move == try_first ? 0 : chess_move_gives_check(pos, move) ? 1 : 2;
            if (its_round != round)
                continue;
            const TutorMate one = try_move(pos, move, moves, nodes);
            if (one == TUTOR_MATE) {
                if (first != NULL)
                    *first = move;
                return TUTOR_MATE;
            }
            if (one == TUTOR_UNDECIDED)
                any = TUTOR_UNDECIDED;
            if (any == TUTOR_UNDECIDED && *nodes == 0)
                return any;
        }
        if (moves == 1 && round == 1)
            break;
    }
    return any;
}

// A shorter mate is looked for first, so that the move found is the quickest.
TutorMate tutor_mate_in(const ChessPosition *pos, int moves, uint32_t *nodes, ChessMove try_first,
                        ChessMove *first) {
    TutorMate found = TUTOR_NO_MATE;
    for (int n = 1; n <= moves && found != TUTOR_MATE; n++)
        found = attack(pos, n, nodes, try_first, first);
    return found;
}
