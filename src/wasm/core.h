// SPDX-License-Identifier: GPL-3.0-or-later
//
// The rules core as the browser sees it: what core.wasm exports.
//
// The module imports nothing and exports its "memory" and the functions below; numbers are i32. A
// call works like this: write the input as UTF-8 (or raw bytes for a log) at core_input(), at most
// core_input_size() bytes; call the function with the number of bytes written; read as many bytes
// as it returned at core_output(). Every answer is one JSON value in UTF-8 without a NUL. The
// function returns the size of the answer, always above 0. The addresses never change during the
// life of an instance, but views of memory.buffer must be taken anew after every call (the memory
// does not grow today; a later version may). An instance keeps no state between calls.
//
// Whatever goes wrong with the input is answered with
//
//   {"error":{"code":C,"message":M,"field":F,"offset":N,"fault":K}}
//
//   C  "too_long"     the input exceeds core_input_size()
//      "bad_fen"      the FEN does not parse or is no legal position
//      "bad_move"     the move text does not parse
//      "illegal_move" it parses, but no legal move fits
//      "ambiguous_move" more than one legal move fits
//      "bad_number"   core_start960: not 0 to 959
//      "bad_limit"    core_dead: the second line is no number of positions
//      "bad_log"      core_laws_replay: malformed, or an event that the Laws refuse
//      "too_large"    the answer does not fit (a game beyond CHESS_GAME_PLIES_MAX plies)
//   M  an English sentence: what was found and what was expected
//   F  the part at fault: the FEN field ("board", "side", "castling", "en passant", "halfmove
//   clock",
//      "fullmove number"), "move", "moves", "number", "limit", "log" or the log's own part; "" when
//      none fits
//   N  byte offset of the fault from the start of the whole input
//   K  the module's own number of the fault (ChessFenFault, ChessMoveFault, LawsFault); 0: none
//
// core_play adds "ply" (0-based number of the move at fault) inside the error object.
//
// Functions, by what stands in the input:
//
// core_describe(size): a FEN.
//   The bytes of chess_describe:
//   {"fen","side_to_move":"white"|"black","legal_moves":[{"uci","san"},
//   ...],"check":bool,"checkmate":bool,"stalemate":bool,"zobrist_key":"16 hex digits"}.
//
// core_play(size): "FEN\nuci uci uci" (the second line may be missing or empty; moves are separated
//   by single spaces). The moves are played from the FEN, whatever claims or automatic draws arise:
//   {"start":FEN,
//    "plies":[{"uci":"e2e4","san":"e4","fen":FEN,"check":false,"captured":null}, ...],
//    "end":{"fen":FEN,"side_to_move":"white"|"black","check":bool,"checkmate":bool,
//           "stalemate":bool,"dead":bool,"can_mate":{"white":bool,"black":bool},
//           "halfmove_clock":n,"repetition":n,"legal_moves":n}}
//   "captured" is the letter of the man taken ("p" "n" "b" "r" "q", always small) or null.
//   "dead": neither side can mate by the material rules (laws_is_dead); "can_mate": whether a side
//   might (laws_mate), which decides how a resignation ends (Article 5.1.2). "repetition": how
//   often the final position has stood on the board (Article 9.2), 1 for the first time.
//   "halfmove_clock": plies since the last capture or pawn move (100: Article 9.3, 150:
//   Article 9.6.2). An empty start line means the initial position.
//
// core_move(size): "FEN\nTEXT", TEXT being a UCI move or SAN as PGN writes it.
//   {"uci","san","fen","check":bool,"captured":letter|null}, "fen" being that after the move.
//
// core_start960(n): nothing in the input. {"number":n,"fen":FEN}.
//
// core_dead(size): "FEN" or "FEN\nN": who can still mate by any series of legal moves (dead.h),
// with
//   the proof. N limits the positions looked at for each side; without it there is no limit but
//   memory, and a hard position may take seconds: call it in a worker. The memory grows when a
//   question needs more than CORE_DEAD_SMALL bytes, up to CORE_DEAD_LARGE.
//   {"fen":FEN,
//    "white":{"verdict":"possible"|"impossible"|"unknown",
//             "proof":"line"|"mate"|"stalemate"|"material"|"blocked"|"forced"|"exhausted"|"none",
//             "line":["e2e4", ...],"nodes":n,"limit":"nodes"|"memory"|null},
//    "black":{...},"dead":true|false|null}
//   "dead" is null when it is not known. "line" is a helpmate (verdict "possible"; empty where the
//   position is mate already), else empty. "limit" is what was reached (verdict "unknown").
//
// core_laws_replay(size): a game log in the container of laws_log_replay (laws.h).
//   {"state":"scheduled"|"running"|"stopped"|"sealing"|"adjourned"|"ended"|"annulled",
//    "result":"1-0"|"0-1"|"1/2-1/2"|"*"|..., "reason":"checkmate"|..., "article":"5.1.1"|"",
//    "edition":"fide-2023","pace":"rapid","fen":FEN,"plies":n,"events":n,
//    "clock":{"white":ms,"black":ms,"running":"white"|"black"|null,"at":ms},
//    "offer":"white"|"black"|"both"|null,
//    "desk":{"stop":"not_stopped"|"by_arbiter"|...,"press_due":"white"|"black"|"both"|null,
//            "loose":bool,"illegal":[n,n],"incidents":n,"adjournments":n},
//    "moves":"e2e4 e7e5 ...","digest":"16 hex digits"}
//   "reason" is "not_ended" while the game goes on. The clock is read at "at", the time of the last
//   event. "article" justifies the last event, in the numbering of the game's edition. The digest
//   is laws_game_digest and equals the native one.
#ifndef JADOUBE_WASM_CORE_H
#define JADOUBE_WASM_CORE_H

#include <stdint.h>

// Input buffer: the text of a whole game of CHESS_GAME_PLIES_MAX plies, or its log, fits.
#define CORE_INPUT_SIZE (256 * 1024)
// Output buffer: core_play of a whole game of CHESS_GAME_PLIES_MAX plies fits.
#define CORE_OUTPUT_SIZE (3 * 1024 * 1024)

// Work memory of core_dead at first, and at most.
#define CORE_DEAD_SMALL (1024 * 1024)
#define CORE_DEAD_LARGE (64 * 1024 * 1024)

unsigned char *core_input(void);
int32_t core_input_size(void);
unsigned char *core_output(void);

int32_t core_describe(int32_t size);
int32_t core_play(int32_t size);
int32_t core_move(int32_t size);
int32_t core_start960(int32_t number);
int32_t core_dead(int32_t size);
int32_t core_laws_replay(int32_t size);

#endif
