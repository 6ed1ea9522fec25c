// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/pgn_text.h"

#include <stdlib.h>
#include <string.h>

void pgn_text_add(PgnText *text, JdStr bytes) {
    if (bytes.size == 0 || text->overflowed)
        return;
    if (bytes.size > text->limit - text->size) {
        text->overflowed = true;
        return;
    }
    if (text->size + bytes.size > text->capacity) {
        size_t capacity = text->capacity > 0 ? text->capacity : 4096;
        while (capacity < text->size + bytes.size)
            capacity *= 2;
        char *data = realloc(text->data, capacity);
        if (data == NULL) {
            text->overflowed = true;
            return;
        }
        text->data = data;
        text->capacity = capacity;
    }
    memcpy(text->data + text->size, bytes.data, bytes.size);
    text->size += bytes.size;
}

void pgn_text_drop(PgnText *text, size_t size) {
    JD_ASSERT(size <= text->size);
    if (size == 0)
        return;
    memmove(text->data, text->data + size, text->size - size);
    text->size -= size;
}

void pgn_text_clear(PgnText *text) {
    text->size = 0;
    text->overflowed = false;
}

void pgn_text_free(PgnText *text) {
    free(text->data);
    *text = (PgnText) { 0 };
}
