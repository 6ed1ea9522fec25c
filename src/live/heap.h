// SPDX-License-Identifier: GPL-3.0-or-later
//
// A binary heap of deadlines. Each object holds its own node, so that its deadline can be moved.
#ifndef JADOUBE_LIVE_HEAP_H
#define JADOUBE_LIVE_HEAP_H

#include "live/table.h"

typedef struct HeapNode {
    int64_t at_ms;
    uint32_t place; // index in the heap plus 1; 0: not in it
    uint8_t owner;  // what the node lies in: DueOwner
} HeapNode;

typedef struct Heap {
    HeapNode **nodes;
    size_t capacity;
    size_t count;
} Heap;

// The node is due at at_ms from now on; LIVE_NEVER takes it out.
void heap_set(Heap *heap, Memory *memory, HeapNode *node, int64_t at_ms);
HeapNode *heap_first(const Heap *heap); // NULL: empty
void heap_free(Heap *heap, Memory *memory);

#endif
