// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef LAWS_DEAD_SEARCH_H
#define LAWS_DEAD_SEARCH_H

#include "laws/dead_table.h"

#define DEAD_STRUCTURES 512

typedef struct DeadSearch {
    ChessPosition root;
    ChessColor winner;
    DeadTable table;
    uint64_t looked_at;               // positions made so far
    bool is_long;                     // the second queue is in use
    uint32_t turn;                    // counts pops, to share them between the queues
    uint32_t visits[DEAD_STRUCTURES]; // positions met with the same pawns and men, roughly counted
    bool met_twice;                   // some position was reached in two ways
    bool is_full;                     // the memory is used up
    uint32_t last;                    // where the mating move is made
    ChessMove mating_move;
} DeadSearch;

// Starts at root, which is neither mate nor stalemate.
void dead_search_init(DeadSearch *search, const ChessPosition *root, ChessColor winner,
                      void *memory, size_t size);
// Goes on until the question is settled, the memory is used up, or looked_at reaches nodes.
DeadVerdict dead_search_run(DeadSearch *search, uint64_t nodes);
// After DEAD_POSSIBLE: plays the helpmate through from root and returns its size. Ends the search.
uint32_t dead_search_verify(DeadSearch *search);
// After that: writes it as far as capacity plies.
void dead_search_write(const DeadSearch *search, ChessMove *line, uint32_t capacity);

#endif
