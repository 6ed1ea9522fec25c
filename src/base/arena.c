// SPDX-License-Identifier: GPL-3.0-or-later
//
// A bump allocator over memory the caller owns.
#include <jadoube/base.h>

enum { ARENA_ALIGNMENT = 16 };

JdArena jd_arena(void *memory, size_t capacity) {
    return (JdArena) { .memory = memory, .capacity = capacity, .used = 0 };
}

void *jd_arena_take(JdArena *arena, size_t count, size_t size) {
    if (size != 0 && count > SIZE_MAX / size)
        return NULL;
    const size_t wanted = count * size;
    const uintptr_t here = (uintptr_t)arena->memory + arena->used;
    const size_t padding = (size_t)(-here & (ARENA_ALIGNMENT - 1));
    const size_t left = arena->capacity - arena->used;
    if (padding > left || wanted > left - padding)
        return NULL;
    unsigned char *const at = arena->memory + arena->used + padding;
    arena->used += padding + wanted;
    jd_zero(at, wanted);
    return at;
}

char *jd_arena_text(JdArena *arena, JdStr text) {
    if (text.size == SIZE_MAX)
        return NULL;
    char *const copy = jd_arena_take(arena, text.size + 1, 1);
    if (copy != NULL)
        jd_copy(copy, text.data, text.size);
    return copy;
}
