// SPDX-License-Identifier: GPL-3.0-or-later
//
// The rules core natively, behind the same functions as core.wasm, so that a test can hold the two
// against each other. Reads requests from standard input: a letter, a number (4 bytes,
// little-endian) and, except for s and g, so many bytes; writes answers: their size (4 bytes) and
// the bytes.
//   d describe, p play, m move, w who can mate, r replay, s start960 (number), g a random game's
//   log (seed)
#include <stdio.h>
#include <string.h>

#include "random_game.h"
#include "wasm/core.h"

static RandomGame random_game;

static void answer(const unsigned char *bytes, uint32_t size) {
    const unsigned char head[4] = { (unsigned char)size, (unsigned char)(size >> 8),
                                    (unsigned char)(size >> 16), (unsigned char)(size >> 24) };
    fwrite(head, 1, sizeof head, stdout);
    fwrite(bytes, 1, size, stdout);
}

static bool serve(int letter, uint32_t number) {
    if (letter == 'g') {
        random_game_play(&random_game, number);
        answer(random_game.log, (uint32_t)random_game.log_size);
        return true;
    }
    if (letter == 's') {
        answer(core_output(), (uint32_t)core_start960((int32_t)number));
        return true;
    }
    if (number <= CORE_INPUT_SIZE && fread(core_input(), 1, number, stdin) != number)
        return false;
    const int32_t size = (int32_t)number;
    switch (letter) {
    case 'd':
        answer(core_output(), (uint32_t)core_describe(size));
        return true;
    case 'p':
        answer(core_output(), (uint32_t)core_play(size));
        return true;
    case 'm':
        answer(core_output(), (uint32_t)core_move(size));
        return true;
    case 'w':
        answer(core_output(), (uint32_t)core_dead(size));
        return true;
    case 'r':
        answer(core_output(), (uint32_t)core_laws_replay(size));
        return true;
    default:
        return false;
    }
}

int main(void) {
    unsigned char head[5];
    while (fread(head, 1, sizeof head, stdin) == sizeof head) {
        const uint32_t number = (uint32_t)head[1] | (uint32_t)head[2] << 8 |
                                (uint32_t)head[3] << 16 | (uint32_t)head[4] << 24;
        if (!serve(head[0], number)) {
            fprintf(stderr, "core_native: bad request\n");
            return 1;
        }
    }
    return ferror(stdout) != 0;
}
