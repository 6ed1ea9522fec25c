// SPDX-License-Identifier: GPL-3.0-or-later
//
// What lessons ask about a position: what lesson.wasm exports. It works as core.wasm does (core.h):
// input at lesson_input(), a call with its size, JSON at lesson_output(), errors as {"error":CODE}:
// "too_long", "bad_fen", "bad_move", "bad_square".
//
// lesson_facts(size): FEN
//   {"phase":"opening"|"middlegame"|"endgame","developed":{"white":n,"black":n},
//    "centre":{"d4":[white,black],"e4":...,"d5":...,"e5":...},   attackers of either side
//    "pins":[["e1","e5","e8"], ...],"skewers":[...]}             slider, in front, behind
// lesson_exchange(size): "FEN\nSQUARE"
//   {"moves":[{"uci","san","balance"}, ...],"result":n,"stop":n}  pawns, for the side to move
// lesson_leaves(size): "FEN\nUCI"
//   {"leaves":n,"by":SAN}   hundredths of a pawn that the opponent gains after the move, and how;
//                           20000: he mates. 0 and "" where nothing is lost
// lesson_checklist(size): "UCI UCI ...", from the initial position
//   {"white":["center", ...],"black":[...]}   the rules of thumb of the opening that are kept
// lesson_reply(size): FEN
//   {"uci"}   what the other side of a lesson answers: it loses as little as it can and keeps its
//             king in the middle
#ifndef JADOUBE_WASM_LESSON_H
#define JADOUBE_WASM_LESSON_H

#include <stdint.h>

#define LESSON_INPUT_SIZE (8 * 1024)
#define LESSON_OUTPUT_SIZE (16 * 1024)

unsigned char *lesson_input(void);
int32_t lesson_input_size(void);
unsigned char *lesson_output(void);

int32_t lesson_facts(int32_t size);
int32_t lesson_exchange(int32_t size);
int32_t lesson_leaves(int32_t size);
int32_t lesson_checklist(int32_t size);
int32_t lesson_reply(int32_t size);

#endif
