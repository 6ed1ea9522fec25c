// SPDX-License-Identifier: GPL-3.0-or-later
#include "live/fold.h"
#include "live/codec.h"

// 1 had no type: games by days were Classic, the others Blitz.
#define BIRTH_VERSION 2

size_t fold_birth_write(const GameBirth *birth, unsigned char out[LIVE_EVENT_BODY_MAX]) {
    Writer writer = { out, LIVE_EVENT_BODY_MAX, 0 };
    write_number(&writer, BIRTH_VERSION, 1);
    write_number(&writer, birth->rated, 1);
    write_number(&writer, (uint64_t)birth->players[CHESS_WHITE], 8);
    write_number(&writer, (uint64_t)birth->players[CHESS_BLACK], 8);
    write_bytes(&writer, birth->challenge.text, LIVE_ID_CHARS);
    write_number(&writer, birth->type, 1);
    if (birth->type == LIVE_AGAINST_COMPUTER)
        write_number(&writer, birth->take_backs, 1);
    unsigned char setup[LAWS_SETUP_BODY_SIZE];
    write_bytes(&writer, setup, laws_setup_write(&birth->setup, setup));
    return writer.size;
}

bool fold_birth_read(const LiveLogEvent *event, GameBirth *out, JdErr *err) {
    Reader reader = { event->body, event->body_size, 0, false };
    jd_zero(out, sizeof(*out));
    const uint64_t version = read_number(&reader, 1);
    out->rated = (uint8_t)read_number(&reader, 1);
    out->players[CHESS_WHITE] = (LiveAccount)read_number(&reader, 8);
    out->players[CHESS_BLACK] = (LiveAccount)read_number(&reader, 8);
    read_bytes(&reader, out->challenge.text, LIVE_ID_CHARS);
    if (version >= 2)
        out->type = (uint8_t)read_number(&reader, 1);
    if (out->type == LIVE_AGAINST_COMPUTER)
        out->take_backs = (uint8_t)read_number(&reader, 1);
    if (event->kind != LIVE_EVENT_GAME_CREATED || event->seq != 1)
        return jd_fail(err, 1, 0,
                       "a game begins with entry 1 of kind %d, found entry %u of kind %d",
                       (int)LIVE_EVENT_GAME_CREATED, (unsigned)event->seq, (int)event->kind);
    if (reader.failed || version < 1 || version > BIRTH_VERSION)
        return jd_fail(err, 1, 0, "creation of game %s: version %u with %zu bytes is unknown",
                       event->id.text, (unsigned)version, event->body_size);
    if (out->players[CHESS_WHITE] <= 0 || out->players[CHESS_BLACK] <= 0 ||
        out->players[CHESS_WHITE] == out->players[CHESS_BLACK] || out->rated > 1)
        return jd_fail(err, 1, 1, "creation of game %s: expected two players", event->id.text);
    if (!laws_setup_read(event->body + reader.at, event->body_size - reader.at, &out->setup, err))
        return false;
    if (version == 1)
        out->type =
            laws_control_is_slow(&out->setup.control[CHESS_WHITE]) ? LIVE_CLASSIC : LIVE_BLITZ;
    if (live_type_name(out->type) == NULL)
        return jd_fail(err, 1, 1, "creation of game %s: type %u is unknown", event->id.text,
                       (unsigned)out->type);
    return true;
}

void fold_begin(GameFold *fold, const LiveId *id, const GameBirth *birth, JdInstant at,
                LawsPly *plies, uint32_t ply_capacity) {
    jd_zero(fold, sizeof(*fold));
    laws_game_init(&fold->laws, &birth->setup, plies, ply_capacity);
    fold->id = *id;
    fold->players[CHESS_WHITE] = birth->players[CHESS_WHITE];
    fold->players[CHESS_BLACK] = birth->players[CHESS_BLACK];
    fold->rated = birth->rated;
    fold->type = birth->type;
    fold->take_backs = birth->take_backs;
    fold->created_ms = at.ms;
    fold->first_move_by_ms = LIVE_NEVER;
    fold->vacation_until_ms[CHESS_WHITE] = LIVE_NEVER;
    fold->vacation_until_ms[CHESS_BLACK] = LIVE_NEVER;
    fold->last_seq = 1;
}

uint8_t fold_offer(const GameFold *fold) {
    if (fold_has_ended(fold))
        return LIVE_NO_COLOR;
    if (fold->laws.offer[CHESS_WHITE])
        return CHESS_WHITE;
    return fold->laws.offer[CHESS_BLACK] ? CHESS_BLACK : LIVE_NO_COLOR;
}

RatingList fold_list(const GameFold *fold) {
    const LiveControl control = live_control_from_laws(&fold->laws.setup.control[CHESS_WHITE]);
    return live_list(fold->type, &control);
}

int64_t fold_abandon_ms(const GameFold *fold) {
    return fold->laws.setup.pace == LAWS_BLITZ ? LIVE_ABANDON_BLITZ_MS : LIVE_ABANDON_MS;
}

// S-077: each side makes its first move within 30 s of its turn beginning. Slow games and games
// against the computer, which waits for anybody, know no such limit.
static void note_first_move(GameFold *fold, const LawsEvent *event, JdInstant at) {
    if (fold_is_slow(fold) || fold->type == LIVE_AGAINST_COMPUTER ||
        fold->laws.state != LAWS_RUNNING || fold->laws.ply_count >= 2)
        fold->first_move_by_ms = LIVE_NEVER;
    else if (event->kind == LAWS_EVENT_START || event->kind == LAWS_EVENT_MOVE)
        fold->first_move_by_ms = at.ms + LIVE_FIRST_MOVE_MS;
    else if (event->kind == LAWS_EVENT_INTERRUPTION)
        fold->first_move_by_ms += event->span_ms;
}

LawsVerdict fold_apply(GameFold *fold, const LawsEvent *event, JdInstant at) {
    LawsVerdict verdict = laws_apply(&fold->laws, event, at);
    if (event->kind == LAWS_EVENT_TICK && verdict.changed == LAWS_CHANGED_NOTHING &&
        verdict.refusal == LAWS_NOT_REFUSED)
        verdict.refusal = LAWS_REFUSED_FLAG_NOT_DOWN;
    if (verdict.refusal != LAWS_NOT_REFUSED)
        return verdict;
    fold->last_seq++;
    note_first_move(fold, event, at);
    if (event->kind == LAWS_EVENT_UNHOLD)
        fold->vacation_until_ms[event->side] = LIVE_NEVER;
    if (fold_has_ended(fold))
        jd_copy(fold->article, verdict.article, sizeof(fold->article));
    return verdict;
}

LiveLogEvent fold_log_event(const GameFold *fold, const LawsEvent *event, JdInstant at,
                            unsigned char body[LAWS_EVENT_BODY_SIZE]) {
    return (LiveLogEvent) {
        .id = fold->id,
        .seq = fold->last_seq,
        .at = at,
        .actor = event->actor,
        .kind = event->kind,
        .body = body,
        .body_size = laws_event_write(event, body),
    };
}

bool fold_flags_claimed(const GameFold *fold) {
    LawsRules space;
    const LawsRules *rules = laws_game_rules(&fold->laws, &space);
    if (fold_is_slow(fold) || fold->laws.setup.flag_mode == LAWS_FLAGS_OBSERVED)
        return false;
    return fold->laws.setup.flag_mode == LAWS_FLAGS_CLAIMED ||
           rules->flag_caller == LAWS_FLAG_BY_PLAYER_ONLY;
}

int64_t fold_flag_at(const GameFold *fold) {
    const LawsClock *clock = &fold->laws.clock;
    if (clock->running == 0 || fold_is_slow(fold))
        return LIVE_NEVER;
    const int color = clock->running - 1;
    const LawsControl *control = &fold->laws.setup.control[color];
    return clock->run_start_ms + control->periods[clock->period[color]].delay_ms +
           clock->remaining_ms[color] + clock->held_ms[color];
}

bool fold_is_note(uint8_t kind) {
    return kind == LIVE_EVENT_CHAT_SWITCHED || kind == LIVE_EVENT_FALSE_FLAGS ||
           kind == LIVE_EVENT_FLAG_SETTLED || kind == LIVE_EVENT_HINT;
}

void fold_hint(GameFold *fold) {
    if (fold->hints < UINT16_MAX)
        fold->hints++;
}

// ---- vacations ----------------------------------------------------------------------------------

#define VACATION_VERSION 1

void fold_vacation(GameFold *fold, ChessColor side, int64_t until_ms,
                   unsigned char body[FOLD_VACATION_BODY]) {
    Writer writer = { body, FOLD_VACATION_BODY, 0 };
    write_number(&writer, VACATION_VERSION, 1);
    write_number(&writer, (uint64_t)side, 1);
    write_number(&writer, (uint64_t)until_ms, 8);
    fold->vacation_until_ms[side] = until_ms;
    fold->last_seq++;
}

static bool replay_vacation(GameFold *fold, const LiveLogEvent *event, JdErr *err) {
    Reader reader = { event->body, event->body_size, 0, false };
    const uint64_t version = read_number(&reader, 1);
    const uint64_t side = read_number(&reader, 1);
    const int64_t until_ms = (int64_t)read_number(&reader, 8);
    if (reader.failed || version != VACATION_VERSION || side > CHESS_BLACK)
        return jd_fail(err, 1, 0, "game %s, entry %u: its vacation cannot be read", fold->id.text,
                       (unsigned)event->seq);
    fold->vacation_until_ms[side] = until_ms;
    fold->last_seq++;
    return true;
}

int64_t fold_vacation_end(const GameFold *fold, ChessColor *side) {
    const int64_t *until_ms = fold->vacation_until_ms;
    *side = until_ms[CHESS_WHITE] == LIVE_NEVER || (until_ms[CHESS_BLACK] != LIVE_NEVER &&
                                                    until_ms[CHESS_BLACK] < until_ms[CHESS_WHITE])
                ? CHESS_BLACK
                : CHESS_WHITE;
    return until_ms[*side];
}

bool fold_replay(GameFold *fold, const LiveLogEvent *event, JdErr *err) {
    if (event->seq != fold->last_seq + 1)
        return jd_fail(err, 1, 0, "game %s: expected entry %u, found %u", fold->id.text,
                       (unsigned)fold->last_seq + 1, (unsigned)event->seq);
    if (fold_is_note(event->kind)) {
        if (event->body_size != 1)
            return jd_fail(err, 1, 0, "game %s: entry %u of kind %d has %zu bytes, expected 1",
                           fold->id.text, (unsigned)event->seq, (int)event->kind, event->body_size);
        if (event->kind == LIVE_EVENT_HINT)
            fold_hint(fold);
        fold->last_seq++;
        return true;
    }
    if (event->kind == LIVE_EVENT_VACATION)
        return replay_vacation(fold, event, err);
    LawsEvent read;
    if (!laws_event_read(event->kind, event->actor, event->body, event->body_size, &read, err))
        return false;
    const LawsVerdict verdict = fold_apply(fold, &read, event->at);
    if (verdict.refusal == LAWS_NOT_REFUSED)
        return true;
    return jd_fail(err, 1, 0, "game %s, entry %u of kind %d: the Laws refuse it (%s)",
                   fold->id.text, (unsigned)event->seq, (int)event->kind,
                   laws_refusal_name((LawsRefusal)verdict.refusal));
}
