// SPDX-License-Identifier: GPL-3.0-or-later
//
// A finished game out of its events: what game_record, PGN export and the rebuilding of projections
// need.
#include "live/fold.h"

#define DECODE_ALIGN 16

size_t live_game_decode_size(size_t event_count) {
    return sizeof(GameFold) + event_count * (sizeof(LawsPly) + sizeof(LiveMoveRow)) +
           3 * DECODE_ALIGN;
}

bool live_game_decode(const LiveLogEvent *events, size_t count, JdInstant now, JdArena *arena,
                      LiveGameView *out, JdErr *err) {
    GameBirth birth;
    if (count == 0)
        return jd_fail(err, 1, 0, "a game has at least its creation");
    if (!fold_birth_read(&events[0], &birth, err))
        return false;
    const size_t capacity = count < CHESS_GAME_PLIES_MAX ? count : CHESS_GAME_PLIES_MAX;
    GameFold *fold = jd_arena_take(arena, 1, sizeof(*fold));
    LawsPly *plies = jd_arena_take(arena, capacity, sizeof(*plies));
    LiveMoveRow *moves = jd_arena_take(arena, capacity, sizeof(*moves));
    if (fold == NULL || plies == NULL || moves == NULL)
        return jd_fail(err, 1, 0, "game %s: no memory for %zu events", events[0].id.text, count);
    fold_begin(fold, &events[0].id, &birth, events[0].at, plies, (uint32_t)capacity);
    for (size_t i = 1; i < count; i++)
        if (!fold_replay(fold, &events[i], err))
            return false;
    fold_move_rows(fold, moves);
    fold_view(fold, now, moves, out);
    return true;
}
