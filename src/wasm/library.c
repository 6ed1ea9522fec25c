// SPDX-License-Identifier: GPL-3.0-or-later
//
// The rules library as a WebAssembly module (jadoube.wasm): every public function of
// include/jadoube/{base,chess,dead,notation,pgn,epd,laws,rating}.h under its C name, and what a
// caller from JavaScript needs beside them: memory to put structs into, and the sizes of those
// structs.
//
// The ABI is clang's for wasm32: a struct of more than one field is passed by its address, a struct
// returned is written to the address given as first argument, uint64_t is a BigInt.
#include <jadoube/chess.h>
#include <jadoube/dead.h>
#include <jadoube/laws.h>
#include <jadoube/laws_timer.h>
#include <jadoube/notation.h>
#include <jadoube/pgn.h>
#include <jadoube/rating.h>

JD_API unsigned char *library_memory(void);
JD_API uint32_t library_memory_size(void);
JD_API uint32_t library_size_of(uint32_t type);

// Memory of the one who instantiated the module; the library's functions use what they are handed.
static unsigned char memory[1024 * 1024] __attribute__((aligned(16)));

unsigned char *library_memory(void) {
    return memory;
}

uint32_t library_memory_size(void) {
    return sizeof memory;
}

// Sizes by number: the order is part of the interface. 0 for an unknown one.
uint32_t library_size_of(uint32_t type) {
    static const uint32_t sizes[] = { sizeof(ChessPosition), sizeof(ChessMoveList),
                                      sizeof(ChessUndo),     sizeof(JdErr),
                                      sizeof(JdStr),         sizeof(LawsGame) };
    return type < JD_COUNT(sizes) ? sizes[type] : 0;
}
