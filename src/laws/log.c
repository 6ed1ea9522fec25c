// SPDX-License-Identifier: GPL-3.0-or-later
//
// A whole game as one run of bytes: its setup, then its events with their instants.
#include "laws/inner.h"

static const unsigned char magic[4] = { 'J', 'D', 'L', '1' };

size_t laws_log_open(const LawsSetup *setup, unsigned char log[LAWS_LOG_HEAD_SIZE]) {
    jd_copy(log, magic, sizeof magic);
    const size_t size = laws_setup_write(setup, log + 6);
    Writer out = { .at = log, .size = sizeof magic };
    laws_put(&out, size, 2);
    return 6 + size;
}

size_t laws_log_event(const LawsEvent *event, JdInstant at,
                      unsigned char record[LAWS_LOG_EVENT_SIZE]) {
    const size_t size = laws_event_write(event, record + 11);
    if (size == 0)
        return 0;
    Writer out = { .at = record };
    laws_put(&out, event->kind, 1);
    laws_put(&out, event->actor, 1);
    laws_put(&out, (uint64_t)at.ms, 8);
    laws_put(&out, size, 1);
    return 11 + size;
}

static bool fault(JdErr *err, size_t at, const char *text) {
    return jd_fail_field(err, LAWS_FAULT_LOG, "log", at, "%s", text);
}

// One record; *in moves past it.
static bool read_event(Reader *in, LawsEvent *event, JdInstant *at, JdErr *err) {
    const size_t start = in->at;
    const uint8_t kind = (uint8_t)laws_get(in, 1);
    const uint8_t actor = (uint8_t)laws_get(in, 1);
    at->ms = (int64_t)laws_get(in, 8);
    const size_t size = (size_t)laws_get(in, 1);
    if (in->short_of || in->size - in->at < size)
        return fault(err, start, "the last event is cut off");
    if (!laws_event_read(kind, actor, in->bytes + in->at, size, event, err)) {
        if (err != NULL)
            err->offset += (uint32_t)in->at;
        return false;
    }
    in->at += size;
    return true;
}

bool laws_log_replay(const unsigned char *log, size_t size, LawsGame *game, LawsPly *plies,
                     uint32_t ply_capacity, LawsVerdict *last, JdErr *err) {
    Reader in = { .bytes = log, .size = size };
    if (size < 6 || !jd_bytes_equal(log, magic, sizeof magic))
        return fault(err, 0, "expected a log that begins with JDL1");
    in.at = sizeof magic;
    const size_t setup_size = (size_t)laws_get(&in, 2);
    if (in.size - in.at < setup_size)
        return fault(err, 4, "the setup is cut off");
    LawsSetup setup;
    if (!laws_setup_read(log + in.at, setup_size, &setup, err)) {
        if (err != NULL)
            err->offset += (uint32_t)in.at;
        return false;
    }
    in.at += setup_size;
    laws_game_init(game, &setup, plies, ply_capacity);
    LawsVerdict verdict = { 0 };
    while (in.at < size) {
        const size_t start = in.at;
        LawsEvent event;
        JdInstant at;
        if (!read_event(&in, &event, &at, err))
            return false;
        verdict = laws_apply(game, &event, at);
        if (verdict.refusal != LAWS_NOT_REFUSED)
            return jd_fail_field(err, LAWS_FAULT_LOG_REFUSED, "log", start,
                                 "the Laws refuse this event: %s",
                                 laws_refusal_name((LawsRefusal)verdict.refusal));
    }
    if (last != NULL)
        *last = verdict;
    return true;
}
