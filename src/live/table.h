// SPDX-License-Identifier: GPL-3.0-or-later
//
// The memory of a Live, and a hash table by a key of two words: game and challenge ids, account and
// connection numbers all fit in one.
#ifndef JADOUBE_LIVE_TABLE_H
#define JADOUBE_LIVE_TABLE_H

#include "live/live.h"

// LiveMemory with a count of what is taken.
typedef struct Memory {
    LiveMemory source;
    uint64_t bytes;
} Memory;

// Zeroed memory; never NULL.
void *mem_take(Memory *memory, size_t size);
void mem_give(Memory *memory, void *block, size_t size);
// Grows an array; new elements are zeroed.
void *mem_grow(Memory *memory, void *block, size_t old_size, size_t new_size);

typedef struct Key {
    uint64_t a;
    uint64_t b;
} Key;

Key key_of_number(uint64_t number);
Key key_of_id(const LiveId *id);

typedef struct TableSlot {
    Key key;
    void *value; // NULL: free
} TableSlot;

// Open addressing with linear probing; at most half full; removal leaves no tombstones.
typedef struct Table {
    TableSlot *slots;
    size_t capacity; // 0, or a power of two
    size_t count;
} Table;

void *table_find(const Table *table, Key key);                      // NULL: not there
void table_put(Table *table, Memory *memory, Key key, void *value); // the key must be new
void table_remove(Table *table, Key key);                           // the key must be there
// Values in slot order: start with *cursor = 0; NULL at the end. Nothing may be added or removed
// meanwhile.
void *table_next(const Table *table, size_t *cursor);
void table_free(Table *table, Memory *memory);

#endif
