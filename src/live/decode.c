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

// The events of one game, folded; NULL with err filled when they are none.
static GameFold *fold_events(const LiveLogEvent *events, size_t count, JdArena *arena, JdErr *err) {
    GameBirth birth;
    if (count == 0) {
        (void)jd_fail(err, 1, 0, "a game has at least its creation");
        return NULL;
    }
    if (!fold_birth_read(&events[0], &birth, err))
        return NULL;
    const size_t capacity = count < CHESS_GAME_PLIES_MAX ? count : CHESS_GAME_PLIES_MAX;
    GameFold *fold = jd_arena_take(arena, 1, sizeof(*fold));
    LawsPly *plies = jd_arena_take(arena, capacity, sizeof(*plies));
    if (fold == NULL || plies == NULL) {
        (void)jd_fail(err, 1, 0, "game %s: no memory for %zu events", events[0].id.text, count);
        return NULL;
    }
    fold_begin(fold, &events[0].id, &birth, events[0].at, plies, (uint32_t)capacity);
    for (size_t i = 1; i < count; i++)
        if (!fold_replay(fold, &events[i], err))
            return NULL;
    return fold;
}

bool live_game_decode(const LiveLogEvent *events, size_t count, JdInstant now, JdArena *arena,
                      LiveGameView *out, JdErr *err) {
    GameFold *fold = fold_events(events, count, arena, err);
    if (fold == NULL)
        return false;
    LiveMoveRow *moves = jd_arena_take(arena, fold->laws.ply_count, sizeof(*moves));
    if (moves == NULL && fold->laws.ply_count > 0)
        return jd_fail(err, 1, 0, "game %s: no memory for its moves", events[0].id.text);
    fold_move_rows(fold, moves);
    fold_view(fold, now, moves, out);
    return true;
}

bool live_game_overrule(const LiveLogEvent *events, size_t count, const uint8_t halves[2],
                        JdStr reason, JdInstant now, JdArena *arena, LiveLogEvent *entry,
                        LiveGameRow *row, JdErr *err) {
    GameFold *fold = fold_events(events, count, arena, err);
    unsigned char *body = jd_arena_take(arena, LAWS_EVENT_BODY_SIZE, 1);
    if (fold == NULL)
        return false;
    if (body == NULL)
        return jd_fail(err, 1, 0, "game %s: no memory", events[0].id.text);
    const LawsEvent event = {
        .kind = LAWS_EVENT_OVERRULE_RESULT,
        .actor = LAWS_ARBITER_ACTOR,
        .result = { halves[CHESS_WHITE], halves[CHESS_BLACK] },
        .code = LAWS_ARBITER,
        .text = reason,
    };
    if (reason.size > LAWS_EVENT_TEXT_MAX)
        return jd_fail(err, 1, 0, "the reason has %zu bytes, expected at most %d", reason.size,
                       LAWS_EVENT_TEXT_MAX);
    if (now.ms < fold->laws.now_ms)
        now.ms = fold->laws.now_ms;
    const LawsVerdict verdict = fold_apply(fold, &event, now);
    if (verdict.refusal != LAWS_NOT_REFUSED)
        return jd_fail(err, 1, 0, "game %s: the Laws refuse the correction (%s)", events[0].id.text,
                       laws_refusal_name((LawsRefusal)verdict.refusal));
    *entry = fold_log_event(fold, &event, now, body);
    fold_row(fold, row);
    return true;
}
