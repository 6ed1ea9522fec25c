// SPDX-License-Identifier: GPL-3.0-or-later
//
// The form events and setups have in a log: explicit little-endian bytes with a version in front.
// Reading judges every byte; what does not read exactly is refused and nothing is written.
#include "laws/inner.h"

#define BODY_VERSION 1
#define EVENT_VERSION 2
// Of an event: it tells who cannot mate, or of whom that is open.
#define MATING_VERSION 2

void laws_put(Writer *out, uint64_t value, int bytes) {
    for (int i = 0; i < bytes; i++)
        out->at[out->size++] = (unsigned char)(value >> (8 * i));
}

uint64_t laws_get(Reader *in, int bytes) {
    if (in->size - in->at < (size_t)bytes) {
        in->short_of = true;
        in->at = in->size;
        return 0;
    }
    uint64_t value = 0;
    for (int i = 0; i < bytes; i++)
        value |= (uint64_t)in->bytes[in->at++] << (8 * i);
    return value;
}

// ---- events
//
// version (1); in version 2 LAWS_MATING_* bits, not all 0 (1); then by kind:
//   MOVE           offer (1), move (2), credit in ms (2)
//   CLAIM_*        move (2)
//   INTERRUPTION   span in ms (8)
//   ABANDONED      side (1), draw (1)
//   DEFAULT        side (1)
//   others up to 15 nothing
//   from 16 on     the fields the kind has (desk.c), in the order of their bits: side, code,
//   square,
//                  flag (1 each), result (2), count (4), span (8), move (2), text (the rest)
//
// What is read from a body says all that was known: version 1 that nothing was found against
// anybody.

typedef enum Shape {
    SHAPE_UNKNOWN,
    SHAPE_BARE,
    SHAPE_MOVE,
    SHAPE_CLAIM,
    SHAPE_SPAN,
    SHAPE_SIDE,
    SHAPE_SIDE_DRAW,
    SHAPE_FIELDS
} Shape;

static Shape shape_of(uint8_t kind) {
    static const uint8_t shapes[] = {
        [LAWS_EVENT_START] = SHAPE_BARE,          [LAWS_EVENT_MOVE] = SHAPE_MOVE,
        [LAWS_EVENT_OFFER] = SHAPE_BARE,          [LAWS_EVENT_ACCEPT] = SHAPE_BARE,
        [LAWS_EVENT_DECLINE] = SHAPE_BARE,        [LAWS_EVENT_RESIGN] = SHAPE_BARE,
        [LAWS_EVENT_CLAIM_REP] = SHAPE_CLAIM,     [LAWS_EVENT_CLAIM_50] = SHAPE_CLAIM,
        [LAWS_EVENT_CLAIM_FLAG] = SHAPE_BARE,     [LAWS_EVENT_TICK] = SHAPE_BARE,
        [LAWS_EVENT_INTERRUPTION] = SHAPE_SPAN,   [LAWS_EVENT_ABORT] = SHAPE_BARE,
        [LAWS_EVENT_ABANDONED] = SHAPE_SIDE_DRAW, [LAWS_EVENT_DEFAULT] = SHAPE_SIDE,
        [LAWS_EVENT_CLAIM_DRAW] = SHAPE_CLAIM,
    };
    if (kind < JD_COUNT(shapes))
        return (Shape)shapes[kind];
    return kind < LAWS_EVENT_KIND_COUNT ? SHAPE_FIELDS : SHAPE_UNKNOWN;
}

// No interruption lasts longer than ten years.
#define SPAN_MAX_MS (INT64_C(3650) * 86400000)

static bool put_fields(Writer *out, const LawsEvent *event) {
    const uint32_t fields = laws_event_fields(event->kind);
    if (event->span_ms < 0 || event->span_ms > SPAN_MAX_MS ||
        event->text.size > LAWS_EVENT_TEXT_MAX)
        return false;
    if (fields & LAWS_FIELD_SIDE)
        laws_put(out, event->side, 1);
    if (fields & LAWS_FIELD_CODE)
        laws_put(out, event->code, 1);
    if (fields & LAWS_FIELD_SQUARE)
        laws_put(out, event->square, 1);
    if (fields & LAWS_FIELD_FLAG)
        laws_put(out, event->flag, 1);
    if (fields & LAWS_FIELD_RESULT) {
        laws_put(out, event->result[0], 1);
        laws_put(out, event->result[1], 1);
    }
    if (fields & LAWS_FIELD_COUNT)
        laws_put(out, event->count, 4);
    if (fields & LAWS_FIELD_SPAN)
        laws_put(out, (uint64_t)event->span_ms, 8);
    if (fields & LAWS_FIELD_MOVE)
        laws_put(out, event->move, 2);
    if (fields & LAWS_FIELD_TEXT)
        for (size_t i = 0; i < event->text.size; i++)
            laws_put(out, (unsigned char)event->text.data[i], 1);
    return true;
}

static void get_fields(Reader *in, LawsEvent *read) {
    const uint32_t fields = laws_event_fields(read->kind);
    if (fields & LAWS_FIELD_SIDE)
        read->side = (uint8_t)laws_get(in, 1);
    if (fields & LAWS_FIELD_CODE)
        read->code = (uint8_t)laws_get(in, 1);
    if (fields & LAWS_FIELD_SQUARE)
        read->square = (uint8_t)laws_get(in, 1);
    if (fields & LAWS_FIELD_FLAG)
        read->flag = (uint8_t)laws_get(in, 1);
    if (fields & LAWS_FIELD_RESULT) {
        read->result[0] = (uint8_t)laws_get(in, 1);
        read->result[1] = (uint8_t)laws_get(in, 1);
    }
    if (fields & LAWS_FIELD_COUNT)
        read->count = (uint32_t)laws_get(in, 4);
    if (fields & LAWS_FIELD_SPAN)
        read->span_ms = (int64_t)laws_get(in, 8);
    if (fields & LAWS_FIELD_MOVE)
        read->move = (ChessMove)laws_get(in, 2);
    if ((fields & LAWS_FIELD_TEXT) && !in->short_of && in->at < in->size) {
        read->text = jd_str_n((const char *)in->bytes + in->at, in->size - in->at);
        in->at = in->size;
    }
}

size_t laws_event_write(const LawsEvent *event, unsigned char body[LAWS_EVENT_BODY_SIZE]) {
    Writer out = { .at = body };
    const uint8_t mating = event->mating & LAWS_MATING_BITS;
    laws_put(&out, mating != 0 ? MATING_VERSION : BODY_VERSION, 1);
    if (mating != 0)
        laws_put(&out, mating, 1);
    switch (shape_of(event->kind)) {
    case SHAPE_UNKNOWN:
        return 0;
    case SHAPE_BARE:
        break;
    case SHAPE_MOVE:
        if (event->span_ms < 0)
            return 0;
        laws_put(&out, event->offer != 0, 1);
        laws_put(&out, event->move, 2);
        // What exceeds the limit is not granted, so it need not be kept.
        laws_put(
            &out,
            (uint64_t)(event->span_ms < LAWS_CREDIT_MOVE_MS ? event->span_ms : LAWS_CREDIT_MOVE_MS),
            2);
        break;
    case SHAPE_CLAIM:
        laws_put(&out, event->move, 2);
        break;
    case SHAPE_SPAN:
        if (event->span_ms < 0 || event->span_ms > SPAN_MAX_MS)
            return 0;
        laws_put(&out, (uint64_t)event->span_ms, 8);
        break;
    case SHAPE_SIDE:
        laws_put(&out, event->side, 1);
        break;
    case SHAPE_SIDE_DRAW:
        laws_put(&out, event->side, 1);
        laws_put(&out, event->draw != 0, 1);
        break;
    case SHAPE_FIELDS:
        if (!put_fields(&out, event))
            return 0;
        break;
    }
    return out.size;
}

static bool event_fault(JdErr *err, const char *field, size_t at, const char *text) {
    return jd_fail_field(err, LAWS_FAULT_EVENT_BODY, field, at, "%s", text);
}

bool laws_event_read(uint8_t kind, uint8_t actor, const unsigned char *body, size_t size,
                     LawsEvent *event, JdErr *err) {
    const Shape shape = shape_of(kind);
    if (shape == SHAPE_UNKNOWN)
        return event_fault(err, "kind", 0, "unknown kind of event");
    if (actor > LAWS_BLACK_ASSISTANT)
        return event_fault(err, "actor", 0, "the actor is 0 to 5");
    Reader in = { .bytes = body, .size = size };
    LawsEvent read = { .kind = kind, .actor = actor, .mating = LAWS_MATING_SAID };
    const uint64_t version = laws_get(&in, 1);
    if (version != BODY_VERSION && version != MATING_VERSION)
        return event_fault(err, "version", 0, "expected version 1 or 2");
    if (version == MATING_VERSION) {
        const uint8_t mating = (uint8_t)laws_get(&in, 1);
        if (!in.short_of &&
            (mating == 0 || mating > LAWS_MATING_BITS || (mating & mating >> 2 & 3)))
            return event_fault(err, "mating", 1, "no such answer who can mate");
        read.mating |= mating;
    }
    if (shape == SHAPE_MOVE)
        read.offer = (uint8_t)laws_get(&in, 1);
    if (shape == SHAPE_MOVE || shape == SHAPE_CLAIM)
        read.move = (ChessMove)laws_get(&in, 2);
    if (shape == SHAPE_MOVE)
        read.span_ms = (int64_t)laws_get(&in, 2);
    if (shape == SHAPE_SPAN)
        read.span_ms = (int64_t)laws_get(&in, 8);
    if (shape == SHAPE_SIDE || shape == SHAPE_SIDE_DRAW)
        read.side = (uint8_t)laws_get(&in, 1);
    if (shape == SHAPE_SIDE_DRAW)
        read.draw = (uint8_t)laws_get(&in, 1);
    if (shape == SHAPE_FIELDS)
        get_fields(&in, &read);
    if (in.short_of)
        return event_fault(err, "body", size, "the body ends too early");
    if (in.at < size)
        return event_fault(err, "body", in.at, "bytes after the end of the body");
    if (read.offer > 1)
        return event_fault(err, "offer", 1, "expected 0 or 1");
    if (shape == SHAPE_MOVE && read.span_ms > LAWS_CREDIT_MOVE_MS)
        return event_fault(err, "credit", 4, "a move is credited with 300 ms at most");
    if (read.text.size > LAWS_EVENT_TEXT_MAX)
        return event_fault(err, "text", 1, "a text has 200 bytes at most");
    if ((shape == SHAPE_SPAN || shape == SHAPE_FIELDS) &&
        (read.span_ms < 0 || read.span_ms > SPAN_MAX_MS))
        return event_fault(err, "span", 1, "a span is 0 to 3650 days");
    if (read.side > (shape == SHAPE_SIDE || shape == SHAPE_FIELDS ? LAWS_BOTH_SIDES : CHESS_BLACK))
        return event_fault(err, "side", 1, "no such side");
    if (read.square > 63)
        return event_fault(err, "square", 1, "a square is 0 to 63");
    if (read.flag > 1)
        return event_fault(err, "flag", 1, "expected 0 or 1");
    if (read.draw > 1)
        return event_fault(err, "draw", 2, "expected 0 or 1");
    *event = read;
    return true;
}

// ---- setups
//
// version (1); edition, pace, flag mode (1 each); switches and LawsMating above them (2),
// draw_min_moves (2), offer gap (1), default time (8); is_chess960 (1), rook files (1 each), size
// of the FEN (1), FEN; White's control; 0 when Black's is the same (1), or 1 and Black's control. A
// control: move time (8), periods (1), switches (1), each period: moves, increment moves (2 each),
// time, increment, delay (8 each), kind of delay (1).
//
// Version 2 is for setups with competition regulations, and ends with: switches (2), accessible,
// offer_spam_after, languages (1 each), session (8), the declared position (32, where the switch
// is on), number of overrides (1), each: parameter (2), value (8). Version 1 is written wherever it
// suffices.

#define SWITCH_COUNT 10
#define EVENT_SWITCH_COUNT 13

// The switches in the order of their bits, which is never changed.
static void switches_of(LawsSetup *setup, uint8_t *out[SWITCH_COUNT]) {
    uint8_t *const all[SWITCH_COUNT] = {
        &setup->supervised,           &setup->arbiter_present, &setup->separate_press,
        &setup->touch_move,           &setup->unchecked_moves, &setup->slow_no_penalty,
        &setup->draw_never,           &setup->fide_strict,     &setup->ignore_fen_clock,
        &setup->identity_exercisable,
    };
    for (int i = 0; i < SWITCH_COUNT; i++)
        out[i] = all[i];
}

static void event_switches_of(LawsSetup *setup, uint8_t *out[EVENT_SWITCH_COUNT]) {
    uint8_t *const all[EVENT_SWITCH_COUNT] = {
        &setup->default_given,     &setup->attendance,        &setup->rules_announced,
        &setup->ruled_later,       &setup->manual_scoresheet, &setup->strict_display,
        &setup->add_at_zero,       &setup->delay_drops_main,  &setup->quickplay_announced,
        &setup->king_capture_wins, &setup->colors_reversed,   &setup->clock_side,
        &setup->has_declared,
    };
    for (int i = 0; i < EVENT_SWITCH_COUNT; i++)
        out[i] = all[i];
}

// Whether anything is set that version 1 has no place for.
static bool is_event(const LawsSetup *setup) {
    LawsSetup copy = *setup;
    uint8_t *switches[EVENT_SWITCH_COUNT];
    event_switches_of(&copy, switches);
    bool any = setup->accessible != 0 || setup->offer_spam_after != 0 || setup->session_ms != 0 ||
               setup->sheet_language[0] != 0 || setup->sheet_language[1] != 0 ||
               setup->override_count != 0;
    for (int i = 0; i < EVENT_SWITCH_COUNT; i++)
        any |= *switches[i] != 0;
    return any;
}

static void put_event_part(Writer *out, const LawsSetup *setup) {
    LawsSetup copy = *setup;
    uint8_t *switches[EVENT_SWITCH_COUNT];
    event_switches_of(&copy, switches);
    uint64_t bits = 0;
    for (int i = 0; i < EVENT_SWITCH_COUNT; i++)
        bits |= (uint64_t)(*switches[i] != 0) << i;
    laws_put(out, bits, 2);
    laws_put(out, setup->accessible, 1);
    laws_put(out, setup->offer_spam_after, 1);
    laws_put(out, setup->sheet_language[0], 1);
    laws_put(out, setup->sheet_language[1], 1);
    laws_put(out, (uint64_t)setup->session_ms, 8);
    for (size_t i = 0; setup->has_declared && i < sizeof setup->declared; i++)
        laws_put(out, setup->declared[i], 1);
    const int count =
        setup->override_count <= LAWS_OVERRIDES_MAX ? setup->override_count : LAWS_OVERRIDES_MAX;
    laws_put(out, (uint64_t)count, 1);
    for (int i = 0; i < count; i++) {
        laws_put(out, setup->overrides[i].parameter, 2);
        laws_put(out, (uint64_t)setup->overrides[i].value, 8);
    }
}

static bool get_event_part(Reader *in, LawsSetup *setup) {
    uint8_t *switches[EVENT_SWITCH_COUNT];
    event_switches_of(setup, switches);
    const uint64_t bits = laws_get(in, 2);
    for (int i = 0; i < EVENT_SWITCH_COUNT; i++)
        *switches[i] = (uint8_t)(bits >> i & 1);
    setup->accessible = (uint8_t)laws_get(in, 1);
    setup->offer_spam_after = (uint8_t)laws_get(in, 1);
    setup->sheet_language[0] = (uint8_t)laws_get(in, 1);
    setup->sheet_language[1] = (uint8_t)laws_get(in, 1);
    setup->session_ms = (int64_t)laws_get(in, 8);
    for (size_t i = 0; setup->has_declared && i < sizeof setup->declared; i++)
        setup->declared[i] = (uint8_t)laws_get(in, 1);
    setup->override_count = (uint8_t)laws_get(in, 1);
    for (int i = 0; i < setup->override_count && i < LAWS_OVERRIDES_MAX; i++) {
        setup->overrides[i].parameter = (uint16_t)laws_get(in, 2);
        setup->overrides[i].value = (int64_t)laws_get(in, 8);
    }
    return bits >> EVENT_SWITCH_COUNT == 0;
}

static void put_control(Writer *out, const LawsControl *control) {
    const int count =
        control->period_count <= LAWS_PERIODS_MAX ? control->period_count : LAWS_PERIODS_MAX;
    laws_put(out, (uint64_t)control->move_ms, 8);
    laws_put(out, (uint64_t)count, 1);
    laws_put(out, (uint64_t)(control->repeat != 0) | (uint64_t)(control->first_increment != 0) << 1,
             1);
    for (int i = 0; i < count; i++) {
        const LawsPeriod *const period = &control->periods[i];
        laws_put(out, period->moves, 2);
        laws_put(out, period->increment_moves, 2);
        laws_put(out, (uint64_t)period->time_ms, 8);
        laws_put(out, (uint64_t)period->increment_ms, 8);
        laws_put(out, (uint64_t)period->delay_ms, 8);
        laws_put(out, period->delay_kind, 1);
    }
}

static void get_control(Reader *in, LawsControl *control) {
    control->move_ms = (int64_t)laws_get(in, 8);
    control->period_count = (uint8_t)laws_get(in, 1);
    const uint64_t switches = laws_get(in, 1);
    control->repeat = switches & 1;
    control->first_increment = (switches >> 1) & 1;
    if (switches > 3)
        control->repeat = 2; // refused by laws_control_check
    for (int i = 0; i < control->period_count && i < LAWS_PERIODS_MAX; i++) {
        LawsPeriod *const period = &control->periods[i];
        period->moves = (uint32_t)laws_get(in, 2);
        period->increment_moves = (uint32_t)laws_get(in, 2);
        period->time_ms = (int64_t)laws_get(in, 8);
        period->increment_ms = (int64_t)laws_get(in, 8);
        period->delay_ms = (int64_t)laws_get(in, 8);
        period->delay_kind = (uint8_t)laws_get(in, 1);
    }
}

size_t laws_setup_write(const LawsSetup *setup, unsigned char body[LAWS_SETUP_BODY_SIZE]) {
    Writer out = { .at = body };
    LawsSetup copy = *setup;
    uint8_t *switches[SWITCH_COUNT];
    switches_of(&copy, switches);
    uint64_t bits = 0;
    for (int i = 0; i < SWITCH_COUNT; i++)
        bits |= (uint64_t)(*switches[i] != 0) << i;
    bits |= (uint64_t)(setup->mating & 3) << SWITCH_COUNT;
    const bool has_event_part = is_event(setup);
    laws_put(&out, has_event_part ? EVENT_VERSION : BODY_VERSION, 1);
    laws_put(&out, setup->edition, 1);
    laws_put(&out, setup->pace, 1);
    laws_put(&out, setup->flag_mode, 1);
    laws_put(&out, bits, 2);
    laws_put(&out, setup->draw_min_moves, 2);
    laws_put(&out, setup->offer_gap_moves, 1);
    laws_put(&out, (uint64_t)setup->default_ms, 8);
    // A FEN does not always tell the variant and the home files of rooks that have lost their
    // right.
    laws_put(&out, setup->start.is_chess960, 1);
    laws_put(&out, setup->start.rook_files[0], 1);
    laws_put(&out, setup->start.rook_files[1], 1);
    char fen[CHESS_FEN_SIZE];
    const size_t fen_size = chess_fen_write(&setup->start, CHESS_FEN_EP_ALWAYS, fen);
    laws_put(&out, fen_size, 1);
    for (size_t i = 0; i < fen_size; i++)
        laws_put(&out, (unsigned char)fen[i], 1);
    put_control(&out, &setup->control[CHESS_WHITE]);
    const size_t black_at = out.size;
    laws_put(&out, 1, 1);
    put_control(&out, &setup->control[CHESS_BLACK]);
    // Equal controls are written once.
    const size_t size = out.size - black_at - 1;
    if (black_at >= size && jd_bytes_equal(body + black_at - size, body + black_at + 1, size)) {
        body[black_at] = 0;
        out.size = black_at + 1;
    }
    if (has_event_part)
        put_event_part(&out, setup);
    return out.size;
}

static bool setup_fault(JdErr *err, const char *field, size_t at, const char *text) {
    return jd_fail_field(err, LAWS_FAULT_SETUP_BODY, field, at, "%s", text);
}

static bool get_start(Reader *in, ChessPosition *start, JdErr *err) {
    const size_t at = in->at;
    const uint8_t is_chess960 = (uint8_t)laws_get(in, 1);
    const uint8_t queenside = (uint8_t)laws_get(in, 1);
    const uint8_t kingside = (uint8_t)laws_get(in, 1);
    const size_t size = (size_t)laws_get(in, 1);
    if (in->short_of || in->size - in->at < size)
        return setup_fault(err, "start", at, "the body ends too early");
    if (is_chess960 > 1 || queenside > 7 || kingside > 7)
        return setup_fault(err, "start", at, "the variant is 0 or 1, a file 0 to 7");
    if (!chess_fen_parse(jd_str_n((const char *)in->bytes + in->at, size), start, err)) {
        if (err != NULL)
            err->offset += (uint32_t)in->at;
        return false;
    }
    in->at += size;
    const unsigned queenside_rights = CHESS_WHITE_QUEENSIDE | CHESS_BLACK_QUEENSIDE;
    const unsigned kingside_rights = CHESS_WHITE_KINGSIDE | CHESS_BLACK_KINGSIDE;
    if (((start->castling_rights & queenside_rights) && start->rook_files[0] != queenside) ||
        ((start->castling_rights & kingside_rights) && start->rook_files[1] != kingside))
        return setup_fault(err, "start", at, "the rooks that castle stand on other files");
    start->is_chess960 = is_chess960;
    start->rook_files[0] = queenside;
    start->rook_files[1] = kingside;
    return true;
}

bool laws_setup_read(const unsigned char *body, size_t size, LawsSetup *out, JdErr *err) {
    Reader in = { .bytes = body, .size = size };
    LawsSetup setup;
    jd_zero(&setup, sizeof setup);
    const uint64_t version = laws_get(&in, 1);
    if (version != BODY_VERSION && version != EVENT_VERSION)
        return setup_fault(err, "version", 0, "expected version 1 or 2");
    setup.edition = (uint8_t)laws_get(&in, 1);
    setup.pace = (uint8_t)laws_get(&in, 1);
    setup.flag_mode = (uint8_t)laws_get(&in, 1);
    const uint64_t bits = laws_get(&in, 2);
    uint8_t *switches[SWITCH_COUNT];
    switches_of(&setup, switches);
    for (int i = 0; i < SWITCH_COUNT; i++)
        *switches[i] = (uint8_t)(bits >> i & 1);
    setup.mating = (uint8_t)(bits >> SWITCH_COUNT);
    if (bits >> SWITCH_COUNT > LAWS_MATING_ASKED)
        return setup_fault(err, "switches", 4, "unknown switch");
    setup.draw_min_moves = (uint16_t)laws_get(&in, 2);
    setup.offer_gap_moves = (uint8_t)laws_get(&in, 1);
    setup.default_ms = (int64_t)laws_get(&in, 8);
    if (!get_start(&in, &setup.start, err))
        return false;
    get_control(&in, &setup.control[CHESS_WHITE]);
    const size_t black_at = in.at;
    const uint64_t differs = laws_get(&in, 1);
    if (differs == 1)
        get_control(&in, &setup.control[CHESS_BLACK]);
    else
        setup.control[CHESS_BLACK] = setup.control[CHESS_WHITE];
    const size_t event_at = in.at;
    const bool known = version == BODY_VERSION || get_event_part(&in, &setup);
    if (in.short_of)
        return setup_fault(err, "body", size, "the body ends too early");
    if (!known)
        return setup_fault(err, "switches", event_at, "unknown switch");
    if (version == EVENT_VERSION && !is_event(&setup))
        return setup_fault(err, "version", 0, "version 1 suffices for this setup");
    if (differs > 1)
        return setup_fault(err, "control", black_at, "expected 0 or 1");
    if (in.at < size)
        return setup_fault(err, "body", in.at, "bytes after the end of the body");
    if (!laws_setup_check(&setup, err))
        return false;
    *out = setup;
    return true;
}
