// SPDX-License-Identifier: GPL-3.0-or-later
#include "dead_walls.h"

#include <jadoube/chess.h>

#include <string.h>

bool dead_random_wall(uint64_t *seed, char fen[DEAD_WALL_SIZE]) {
    char board[64] = { 0 };
    const uint32_t kind = jd_random_below(seed, 3);
    const uint32_t parity = jd_random_below(seed, 2);
    const uint32_t level = 1 + jd_random_below(seed, 5);
    uint32_t height = 0;
    for (uint32_t file = 0; file < 8; file++) {
        const uint32_t before = height;
        do
            height = 1 + jd_random_below(seed, 5);
        while (height == before);
        const bool alternate = (file & 1) == parity;
        if (kind == 1 ? !alternate : kind == 2 && !alternate && jd_random_below(seed, 2) == 0)
            continue;
        const uint32_t at = kind == 1 && jd_random_below(seed, 4) > 0 ? level : height;
        board[at * 8 + file] = 'P';
        board[(at + 1) * 8 + file] = 'p';
    }
    for (int king = 0; king < 2; king++) {
        uint32_t square;
        do
            square = jd_random_below(seed, 64);
        while (board[square] != 0);
        board[square] = "Kk"[king];
    }
    char *out = fen;
    for (int rank = 7; rank >= 0; rank--) {
        int empty = 0;
        for (int file = 0; file < 8; file++) {
            const char man = board[rank * 8 + file];
            if (man != 0 && empty > 0)
                *out++ = (char)('0' + empty);
            empty = man != 0 ? 0 : empty + 1;
            if (man != 0)
                *out++ = man;
        }
        if (empty > 0)
            *out++ = (char)('0' + empty);
        *out++ = rank > 0 ? '/' : ' ';
    }
    strcpy(out, jd_random_below(seed, 2) == 0 ? "w - - 0 1" : "b - - 0 1");
    ChessPosition pos;
    return chess_fen_parse(jd_str(fen), &pos, NULL);
}
