// SPDX-License-Identifier: GPL-3.0-or-later
#include "live/heap.h"

static void put(Heap *heap, size_t at, HeapNode *node) {
    heap->nodes[at] = node;
    node->place = (uint32_t)at + 1;
}

static void sift_up(Heap *heap, size_t at) {
    HeapNode *node = heap->nodes[at];
    while (at > 0 && heap->nodes[(at - 1) / 2]->at_ms > node->at_ms) {
        put(heap, at, heap->nodes[(at - 1) / 2]);
        at = (at - 1) / 2;
    }
    put(heap, at, node);
}

static void sift_down(Heap *heap, size_t at) {
    HeapNode *node = heap->nodes[at];
    for (;;) {
        size_t child = at * 2 + 1;
        if (child >= heap->count)
            break;
        if (child + 1 < heap->count && heap->nodes[child + 1]->at_ms < heap->nodes[child]->at_ms)
            child++;
        if (heap->nodes[child]->at_ms >= node->at_ms)
            break;
        put(heap, at, heap->nodes[child]);
        at = child;
    }
    put(heap, at, node);
}

static void take_out(Heap *heap, HeapNode *node) {
    const size_t at = node->place - 1;
    HeapNode *last = heap->nodes[--heap->count];
    node->place = 0;
    if (last == node)
        return;
    put(heap, at, last);
    sift_up(heap, at);
    sift_down(heap, last->place - 1);
}

void heap_set(Heap *heap, Memory *memory, HeapNode *node, int64_t at_ms) {
    if (at_ms == LIVE_NEVER) {
        if (node->place != 0)
            take_out(heap, node);
        return;
    }
    if (node->place == 0) {
        if (heap->count == heap->capacity) {
            const size_t capacity = heap->capacity == 0 ? 64 : heap->capacity * 2;
            heap->nodes = mem_grow(memory, heap->nodes, heap->capacity * sizeof(HeapNode *),
                                   capacity * sizeof(HeapNode *));
            heap->capacity = capacity;
        }
        put(heap, heap->count++, node);
    }
    node->at_ms = at_ms;
    sift_up(heap, node->place - 1);
    sift_down(heap, node->place - 1);
}

HeapNode *heap_first(const Heap *heap) {
    return heap->count == 0 ? NULL : heap->nodes[0];
}

void heap_free(Heap *heap, Memory *memory) {
    mem_give(memory, heap->nodes, heap->capacity * sizeof(HeapNode *));
    *heap = (Heap) { NULL, 0, 0 };
}
