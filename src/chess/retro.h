// SPDX-License-Identifier: GPL-3.0-or-later
//
// Looking one move back: which checks can have arisen. The positions here are boards under
// examination: pieces and side to move are set and each side has one king; nothing else is relied
// on.
#ifndef CHESS_RETRO_H
#define CHESS_RETRO_H

#include <jadoube/chess.h>

// Whether pieces of these numbers (by ChessKind, dark and light bishops in one) can come from the
// first sixteen: what exceeds them needs a promoted pawn each. bishops[2]: on dark and on light
// squares.
bool chess_material_is_possible(const int counts[7], const int bishops[2]);

// Counts the pieces of a colour.
void chess_material_count(const ChessPosition *pos, ChessColor color, int counts[7],
                          int bishops[2]);

// Whether some last move of the opponent can have led to both checks. For two checkers and no en
// passant target.
bool chess_double_check_is_possible(const ChessPosition *pos, uint64_t checkers);

// Whether the side to move was free of check before the opponent's double step over target.
bool chess_double_step_is_possible(const ChessPosition *pos, int target);

#endif
