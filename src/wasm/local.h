// SPDX-License-Identifier: GPL-3.0-or-later
//
// The local game and the chess clock for the browser: what local.wasm exports. It works as
// core.wasm does (core.h): text at local_input(), a call with its size, JSON at local_output(),
// errors as
// {"error":{"code","message","field","offset","fault"}}. Unlike it, it holds one game and one
// clock.
//
// local_call(size): the first line is "NOW VERB ARGUMENTS", NOW in milliseconds; what follows are
// the lines of the verb. Answers are {"did":{...},"game":{...}}; "game" is left out where nothing
// of it can have changed but the clocks.
//
//   seed N              chance for the computer's moves
//   levels              {"levels":[{"level","name","elo"}, ...]}
//   new                 lines "NAME VALUE": fen, edition, white-level, black-level, white-name,
//                       black-name, white-minutes, black-minutes, increment, delay, white-move,
//                       black-move (seconds for each move), no-undo 1. Errors: "bad_fen",
//                       "bad_setup" (field), "bad_line"
//   check               the line is a FEN from which a game can begin. Errors: "bad_fen"
//                       (field: the ChessFenFault), "bad_setup"
//   game                the game as it is
//   move UCI [offer]    did: {"ok",...}; when refused "refused": the name of a
//                       LawsRefusal. Error: "illegal_move"
//   tick                flags; did.ok when the game ended
//   flag COLOR          that side claims the other's flag
//   offer COLOR, accept COLOR, decline COLOR, resign COLOR
//   claim [UCI]         did: {"ok","repetitions","moves"}
//   pause, resume, undo, back N     undo: did.undo is "done", "nothing", "off", "over" or "paused"
//   hint                counts one
//   write DATE          {"pgn":TEXT}
//   open N [no-undo]    the lines are PGN; did: {"ok","games","cut","over_before_end","problem"?}
//   ask                 what the level to move asks the engine: {"ask":{"lines","nodes","ms"}}
//   choose              lines "cp N UCI..." or "mate N UCI...", for White, best first, none when
//   the
//                       engine has failed: {"choose":{"move","pace"}}
//   accepts COLOR       likewise; whether that side's level takes the draw: {"accepts":true}
//   timer MS MS INCREMENT DELAY     sets the clock; "timer" (in all that follow):
//                       {"white","black","running","delay","started","paused","first","down","fell"}
//   press COLOR, stop, start, look, read    did.press is "pressed", "bounced", "not_running" or
//   "paused"
#ifndef JADOUBE_WASM_LOCAL_H
#define JADOUBE_WASM_LOCAL_H

#include <stdint.h>

#define LOCAL_INPUT_SIZE (1024 * 1024)
#define LOCAL_OUTPUT_SIZE (4 * 1024 * 1024)

unsigned char *local_input(void);
int32_t local_input_size(void);
unsigned char *local_output(void);
int32_t local_call(int32_t size);

#endif
