// SPDX-License-Identifier: GPL-3.0-or-later
#include "world.h"

void log_append(Log *log, const LiveLogEvent *event) {
    if (log->count == log->capacity) {
        log->capacity = log->capacity == 0 ? 256 : log->capacity * 2;
        log->entries = realloc(log->entries, log->capacity * sizeof(*log->entries));
        assert_non_null(log->entries);
    }
    unsigned char *body = malloc(event->body_size + 1);
    assert_non_null(body);
    if (event->body_size > 0)
        memcpy(body, event->body, event->body_size);
    LiveLogEvent *entry = &log->entries[log->count++];
    *entry = *event;
    entry->body = body;
}

LiveLogEvent *log_of(const Log *log, const LiveId *id, size_t *count) {
    LiveLogEvent *found = calloc(log->count + 1, sizeof(*found));
    assert_non_null(found);
    *count = 0;
    for (size_t i = 0; i < log->count; i++)
        if (live_id_equal(&log->entries[i].id, id))
            found[(*count)++] = log->entries[i];
    return found;
}

void log_free(Log *log) {
    for (size_t i = 0; i < log->count; i++)
        free((void *)(uintptr_t)log->entries[i].body);
    free(log->entries);
    *log = (Log) { 0 };
}

static void *counted_resize(void *context, void *block, size_t old_size, size_t new_size) {
    int64_t *bytes = context;
    *bytes += (int64_t)new_size - (int64_t)old_size;
    if (new_size == 0) {
        free(block);
        return NULL;
    }
    // Always moved, so that a pointer kept too long is found by the sanitizer.
    void *fresh = malloc(new_size);
    assert_non_null(fresh);
    if (block != NULL)
        memcpy(fresh, block, old_size < new_size ? old_size : new_size);
    free(block);
    return fresh;
}

LiveMemory test_memory(int64_t *bytes) {
    return (LiveMemory) { bytes, counted_resize };
}

LiveGameView decode_game(const Log *log, const LiveId *id, JdInstant now, void **memory) {
    size_t count;
    LiveLogEvent *events = log_of(log, id, &count);
    const size_t size = live_game_decode_size(count);
    *memory = aligned_alloc(16, (size + 15) / 16 * 16);
    assert_non_null(*memory);
    JdArena arena = jd_arena(*memory, size);
    LiveGameView view;
    JdErr err = { 0 };
    if (!live_game_decode(events, count, now, &arena, &view, &err))
        fail_msg("game %s with %zu events: %s", id->text, count, err.text);
    free(events);
    return view;
}

Live *replay_log(const Log *log, const LiveMemory *memory, JdInstant now) {
    Live *live = live_open(memory, now);
    for (size_t i = 0; i < log->count; i++) {
        JdErr err = { 0 };
        if (!live_replay_event(live, &log->entries[i], &err))
            fail_msg("entry %zu of the log: %s", i, err.text);
    }
    return live;
}

const char *event_kind_name(int kind) {
    switch (kind) {
    case LAWS_EVENT_START:
        return "start";
    case LAWS_EVENT_MOVE:
        return "move";
    case LAWS_EVENT_OFFER:
        return "offer";
    case LAWS_EVENT_ACCEPT:
        return "accept";
    case LAWS_EVENT_DECLINE:
        return "decline";
    case LAWS_EVENT_RESIGN:
        return "resign";
    case LAWS_EVENT_CLAIM_FLAG:
        return "claim_flag";
    case LAWS_EVENT_TICK:
        return "tick";
    case LAWS_EVENT_INTERRUPTION:
        return "interruption";
    case LAWS_EVENT_ABORT:
        return "abort";
    case LAWS_EVENT_ABANDONED:
        return "abandoned";
    case LAWS_EVENT_CLAIM_DRAW:
        return "claim_draw";
    case LAWS_EVENT_VERDICT:
        return "verdict";
    case LAWS_EVENT_TOUCH:
        return "touch";
    case LAWS_EVENT_ADJUST:
        return "adjust";
    case LAWS_EVENT_CLAIM_TOUCH:
        return "claim_touch";
    case LIVE_EVENT_CHAT_SWITCHED:
        return "chat_switched";
    case LIVE_EVENT_FALSE_FLAGS:
        return "false_flags";
    case LIVE_EVENT_FLAG_SETTLED:
        return "flag_settled";
    case LIVE_EVENT_HINT:
        return "hint";
    case LIVE_EVENT_GAME_CREATED:
        return "created";
    case LIVE_EVENT_CHALLENGE_CREATED:
        return "challenge";
    case LIVE_EVENT_CHALLENGE_CANCELLED:
        return "cancelled";
    case LIVE_EVENT_CHALLENGE_EXPIRED:
        return "expired";
    case LIVE_EVENT_CHALLENGE_DECLINED:
        return "declined";
    case LIVE_EVENT_CHALLENGE_JOINED:
        return "joined";
    default:
        return "?";
    }
}
