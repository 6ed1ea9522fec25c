// SPDX-License-Identifier: GPL-3.0-or-later
//
// The positions a search has met, each once, in memory of the caller's, and the queue of those it
// has yet to look at. Positions are held and compared whole (24 bytes), so that two are never taken
// for one.
#ifndef LAWS_DEAD_TABLE_H
#define LAWS_DEAD_TABLE_H

#include "laws/dead_inner.h"

#define DEAD_NO_NODE UINT32_MAX
#define DEAD_BUCKETS 1024
// Two queues hold the same positions in the order of two different guesses.
#define DEAD_QUEUES 2

typedef struct DeadNode {
    uint64_t occupied;
    uint64_t men[2]; // four bits for each man, in the order of the squares
    uint32_t parent;
    uint32_t next[DEAD_QUEUES]; // in its bucket of each queue
    uint16_t score[DEAD_QUEUES];
    uint16_t move;   // that led here from parent
    uint8_t batches; // of moves tried already; DEAD_ALL_TRIED
    uint8_t fresh;   // arose by a capture or a pawn's move
} DeadNode;
#define DEAD_ALL_TRIED 255

typedef struct DeadTable {
    DeadNode *nodes;
    uint32_t *slots; // at the end of the memory, growing downwards: index + 1 of a node, or 0
    unsigned char *end;
    uint32_t count;
    uint32_t slot_count;
    uint32_t lowest[DEAD_QUEUES]; // no bucket below holds anything
    uint32_t heads[DEAD_QUEUES][DEAD_BUCKETS];
} DeadTable;

// Memory must be aligned to 8. False when it is too small for anything.
bool dead_table_init(DeadTable *table, void *memory, size_t size);

typedef enum DeadAdded { DEAD_ADDED, DEAD_WAS_THERE, DEAD_TABLE_FULL } DeadAdded;
DeadAdded dead_table_add(DeadTable *table, const ChessPosition *pos, uint32_t *index);
// The node of a position that was added; or DEAD_NO_NODE.
uint32_t dead_table_find(const DeadTable *table, const ChessPosition *pos);
// The position of a node; root gives what no move changes (castling files, Chess960).
void dead_table_read(const DeadNode *node, const ChessPosition *root, ChessPosition *out);

// Empties a queue. Initially both are.
void dead_table_clear_queue(DeadTable *table, int queue);
// Lower scores come out first; of equal ones the last that went in.
void dead_table_push(DeadTable *table, int queue, uint32_t index);
uint32_t dead_table_pop(DeadTable *table, int queue);

#endif
