// SPDX-License-Identifier: GPL-3.0-or-later
//
// The tutor for browsers: what tutor.wasm exports. It works as core.wasm does (core.h): input at
// tutor_input(), a call with its size, JSON at tutor_output(), errors as
// {"error":{"code","message","field","offset","fault"}}. Facts are as tutor/tutor.h writes them.
//
// tutor_move(size): "FEN\nUCI\nUCI UCI ...": a move, and the line that begins with it, if there is
//   one (the third line may be missing or empty).
//     {"san","net":n,"facts":[FACT...],"reason":FACT|null,"objection":FACT|null}
//   "net": the exchange on the arrival square.
// tutor_position(size): "FEN":
//     {"phase":"opening"|"middlegame"|"endgame","material":n (for White),
//      "center":{"white":[d4,e4,d5,e5],"black":[...]},"white":[FACT...],"black":[FACT...]}
// tutor_square(size): "FEN\nSQUARE\nw|b": captures on the square, that side first (L-041):
//     {"moves":[{"uci","san","balance"}...],"best":n,"net":n,"given":n,"taken":n}
// tutor_first_moves(size): "w|b\nUCI UCI ...": the opening checklist (L-043):
//     {"waiting":n,"broken":[{"rule":"center"|"develop"|"twice"|"castle"|"bishops"|"pawns"|"queen",
//      "move":n (0: not by one move),"square":"e4"|null}...]}
// tutor_proves(size): "FEN\nN": does the side to move mate in at most N (1 to 4)?
//     {"answer":"mate"|"no_mate"|"undecided","move":UCI|null}
//
// Errors: "too_long", "bad_fen", "bad_move", "illegal_move", "bad_input".
#ifndef JADOUBE_WASM_TUTOR_H
#define JADOUBE_WASM_TUTOR_H

#include <stdint.h>

#define TUTOR_INPUT_SIZE (16 * 1024)
#define TUTOR_OUTPUT_SIZE (32 * 1024)

unsigned char *tutor_input(void);
int32_t tutor_input_size(void);
unsigned char *tutor_output(void);

int32_t tutor_move(int32_t size);
int32_t tutor_position(int32_t size);
int32_t tutor_square(int32_t size);
int32_t tutor_first_moves(int32_t size);
int32_t tutor_proves(int32_t size);

#endif
