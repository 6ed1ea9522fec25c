// SPDX-License-Identifier: GPL-3.0-or-later
//
// What perft has counted already. Threads read and write entries at the same time without locks: an
// entry torn between two writers does not fit its own check and counts as empty.
#ifndef CHESS_PERFT_MEMORY_H
#define CHESS_PERFT_MEMORY_H

#include <jadoube/chess.h>

typedef struct PerftMemory {
    ChessPerftEntry *entries;
    size_t mask; // capacity less one
} PerftMemory;

// Position and depth in one number.
static inline uint64_t perft_question(const ChessPosition *pos, int depth) {
    return pos->zobrist_key ^ jd_mix((uint64_t)(unsigned)depth);
}

static inline bool perft_recall(const PerftMemory *memory, const ChessPosition *pos, int depth,
                                uint64_t *nodes) {
    const uint64_t question = perft_question(pos, depth);
    const ChessPerftEntry *entry = &memory->entries[question & memory->mask];
    const uint64_t answer = __atomic_load_n(&entry->nodes, __ATOMIC_RELAXED);
    if (__atomic_load_n(&entry->check, __ATOMIC_RELAXED) != (question ^ answer) || answer == 0)
        return false;
    *nodes = answer;
    return true;
}

static inline void perft_remember(const PerftMemory *memory, const ChessPosition *pos, int depth,
                                  uint64_t nodes) {
    const uint64_t question = perft_question(pos, depth);
    ChessPerftEntry *entry = &memory->entries[question & memory->mask];
    __atomic_store_n(&entry->check, question ^ nodes, __ATOMIC_RELAXED);
    __atomic_store_n(&entry->nodes, nodes, __ATOMIC_RELAXED);
}

#endif
