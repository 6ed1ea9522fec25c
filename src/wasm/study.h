// SPDX-License-Identifier: GPL-3.0-or-later
//
// Games with comments and variations for the analysis board: what study.wasm exports. It works as
// core.wasm does (core.h): input at study_input(), a call with its size, JSON at study_output(),
// errors as {"error":{"code","message","field","offset","fault"}}.
//
// study_read(size): "N\nPGN": the N-th game of the text, from 1.
//   {"games":n,"tags":[[name,value], ...],"start":FEN,"result":"1-0"|...|"*",
//    "text":[ITEM, ...],"problems":[{"fault","line","column","message"}, ...]}
//   "games": how many the text holds. "text" is the movetext in its order; an ITEM is
//     {"uci","san","fen"}  a move, fen being that after it
//     {"comment":TEXT}     what belongs to the move before it, or to the start
//     {"nag":n}
//     "("                  a variation that replaces the last move of its line
//     ")"
//   "problems" are those of this game; what could be read is there, up to the fault. At most
//   STUDY_PROBLEMS_MAX are told. A null move ("--") ends its variation with a problem.
//   Errors: "too_long", "bad_number", "no_game" (there is no N-th one), "too_large".
//
// study_write(size): a game in lines, the other way round:
//     T NAME VALUE    a tag
//     F FEN           the start; without it the initial position
//     M UCI           a move
//     C TEXT          a comment, without line ends
//     N n             a NAG
//     (   )           variation
//     R RESULT        the last line
//   {"pgn":TEXT} in export format. Errors: "too_long", "bad_fen", "bad_move", "illegal_move",
//   "bad_line" (offset: of the line), "too_large".
#ifndef JADOUBE_WASM_STUDY_H
#define JADOUBE_WASM_STUDY_H

#include <stdint.h>

#define STUDY_INPUT_SIZE (512 * 1024)
#define STUDY_OUTPUT_SIZE (4 * 1024 * 1024)
// Levels of variations.
#define STUDY_DEPTH_MAX 32
#define STUDY_TAGS_MAX 64
#define STUDY_PROBLEMS_MAX 20

unsigned char *study_input(void);
int32_t study_input_size(void);
unsigned char *study_output(void);

int32_t study_read(int32_t size);
int32_t study_write(int32_t size);

#endif
