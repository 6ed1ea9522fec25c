// SPDX-License-Identifier: GPL-3.0-or-later
#include "live/table.h"

#define TABLE_CAPACITY_MIN 16

void *mem_grow(Memory *memory, void *block, size_t old_size, size_t new_size) {
    void *grown = memory->source.resize(memory->source.context, block, old_size, new_size);
    JD_ASSERT(grown != NULL);
    jd_zero((char *)grown + old_size, new_size - old_size);
    memory->bytes += new_size - old_size;
    return grown;
}

void *mem_take(Memory *memory, size_t size) {
    return mem_grow(memory, NULL, 0, size);
}

void mem_give(Memory *memory, void *block, size_t size) {
    if (block == NULL)
        return;
    (void)memory->source.resize(memory->source.context, block, size, 0);
    memory->bytes -= size;
}

Key key_of_number(uint64_t number) {
    return (Key) { number, 0 };
}

Key key_of_id(const LiveId *id) {
    Key key = { 0, 0 };
    jd_copy(&key.a, id->text, 8);
    jd_copy(&key.b, id->text + 8, 4);
    return key;
}

// Ids are drawn by the server and numbers are its own, so nobody outside can aim at one slot.
static size_t home_of(const Table *table, Key key) {
    return (size_t)jd_mix(key.a ^ jd_mix(key.b)) & (table->capacity - 1);
}

static size_t slot_of(const Table *table, Key key) {
    size_t at = home_of(table, key);
    while (table->slots[at].value != NULL &&
           (table->slots[at].key.a != key.a || table->slots[at].key.b != key.b))
        at = (at + 1) & (table->capacity - 1);
    return at;
}

void *table_find(const Table *table, Key key) {
    return table->capacity == 0 ? NULL : table->slots[slot_of(table, key)].value;
}

static void enlarge(Table *table, Memory *memory) {
    const Table old = *table;
    table->capacity = old.capacity == 0 ? TABLE_CAPACITY_MIN : old.capacity * 2;
    table->slots = mem_take(memory, table->capacity * sizeof(TableSlot));
    for (size_t i = 0; i < old.capacity; i++)
        if (old.slots[i].value != NULL)
            table->slots[slot_of(table, old.slots[i].key)] = old.slots[i];
    mem_give(memory, old.slots, old.capacity * sizeof(TableSlot));
}

void table_put(Table *table, Memory *memory, Key key, void *value) {
    JD_ASSERT(value != NULL);
    if ((table->count + 1) * 2 > table->capacity)
        enlarge(table, memory);
    const size_t at = slot_of(table, key);
    JD_ASSERT(table->slots[at].value == NULL);
    table->slots[at] = (TableSlot) { key, value };
    table->count++;
}

void table_remove(Table *table, Key key) {
    JD_ASSERT(table->capacity != 0);
    const size_t mask = table->capacity - 1;
    size_t hole = slot_of(table, key);
    JD_ASSERT(table->slots[hole].value != NULL);
    // Those behind the hole move up unless they would leave their home behind.
    for (size_t at = (hole + 1) & mask; table->slots[at].value != NULL; at = (at + 1) & mask) {
        const size_t home = home_of(table, table->slots[at].key);
        if (((at - home) & mask) >= ((at - hole) & mask)) {
            table->slots[hole] = table->slots[at];
            hole = at;
        }
    }
    table->slots[hole] = (TableSlot) { { 0, 0 }, NULL };
    table->count--;
}

void *table_next(const Table *table, size_t *cursor) {
    while (*cursor < table->capacity) {
        void *value = table->slots[(*cursor)++].value;
        if (value != NULL)
            return value;
    }
    return NULL;
}

void table_free(Table *table, Memory *memory) {
    mem_give(memory, table->slots, table->capacity * sizeof(TableSlot));
    *table = (Table) { NULL, 0, 0 };
}
