// SPDX-License-Identifier: GPL-3.0-or-later
//
// Events, setups and logs as bytes: they come back as they were, bytes that are none are refused
// with a reason, and unsound setups are named.
#include "random_game.h"
#include "scenario.h"

static const LawsEvent events[] = {
    { .kind = LAWS_EVENT_START, .actor = LAWS_SERVER },
    { .kind = LAWS_EVENT_MOVE, .actor = LAWS_WHITE, .move = 0x1234 },
    { .kind = LAWS_EVENT_MOVE, .actor = LAWS_BLACK, .move = 0xffff, .offer = 1, .span_ms = 300 },
    { .kind = LAWS_EVENT_OFFER, .actor = LAWS_WHITE },
    { .kind = LAWS_EVENT_ACCEPT, .actor = LAWS_BLACK },
    { .kind = LAWS_EVENT_DECLINE, .actor = LAWS_BLACK },
    { .kind = LAWS_EVENT_RESIGN, .actor = LAWS_WHITE },
    { .kind = LAWS_EVENT_CLAIM_REP, .actor = LAWS_WHITE, .move = 77 },
    { .kind = LAWS_EVENT_CLAIM_50, .actor = LAWS_WHITE },
    { .kind = LAWS_EVENT_CLAIM_DRAW, .actor = LAWS_BLACK, .move = 78 },
    { .kind = LAWS_EVENT_CLAIM_FLAG, .actor = LAWS_BLACK },
    { .kind = LAWS_EVENT_TICK, .actor = LAWS_SERVER },
    { .kind = LAWS_EVENT_INTERRUPTION, .actor = LAWS_SERVER, .span_ms = 123456789012 },
    { .kind = LAWS_EVENT_ABORT, .actor = LAWS_SERVER },
    { .kind = LAWS_EVENT_ABANDONED, .actor = LAWS_SERVER, .side = 1, .draw = 1 },
    { .kind = LAWS_EVENT_DEFAULT, .actor = LAWS_ARBITER_ACTOR, .side = LAWS_BOTH_SIDES },
    { .kind = LAWS_EVENT_TOUCH, .actor = LAWS_WHITE_ASSISTANT, .square = 63, .flag = 1 },
    { .kind = LAWS_EVENT_RULE_TOUCH, .actor = LAWS_ARBITER_ACTOR, .side = 1, .square = 5 },
    { .kind = LAWS_EVENT_ARB_QPF, .actor = LAWS_ARBITER_ACTOR, .code = 1, .flag = 1 },
    { .kind = LAWS_EVENT_CONFIRM_RESULT, .actor = LAWS_BLACK, .result = { 2, 0 } },
    { .kind = LAWS_EVENT_ENVELOPE_LOST, .actor = LAWS_ARBITER_ACTOR, .move = 0x1234 },
};

// Texts point into the log; every kind that has one brings it back byte for byte.
static void test_texts_come_back(void **state) {
    (void)state;
    char text[LAWS_EVENT_TEXT_MAX + 1];
    memset(text, 0xfe, sizeof text);
    static const uint8_t kinds[] = { LAWS_EVENT_SEAL, LAWS_EVENT_NOTE, LAWS_EVENT_ARB_RESULT,
                                     LAWS_EVENT_OPEN_ENVELOPE, LAWS_EVENT_RECORD };
    for (size_t i = 0; i < JD_COUNT(kinds); i++)
        for (size_t size = 0; size <= LAWS_EVENT_TEXT_MAX; size += 50) {
            LawsEvent event = { .kind = kinds[i], .actor = 0, .text = jd_str_n(text, size) };
            unsigned char body[LAWS_EVENT_BODY_SIZE];
            const size_t written = laws_event_write(&event, body);
            LawsEvent read;
            assert_true(written > size && written <= LAWS_EVENT_BODY_SIZE);
            assert_true(laws_event_read(kinds[i], 0, body, written, &read, NULL));
            assert_true(jd_str_equal(read.text, event.text));
        }
    const LawsEvent longer = { .kind = LAWS_EVENT_NOTE, .text = jd_str_n(text, sizeof text) };
    unsigned char body[LAWS_EVENT_BODY_SIZE];
    assert_int_equal(laws_event_write(&longer, body), 0);
}

// T-9.1-6: an offer is made without conditions (Article 9.1.2.1); words that come with it are kept
// nowhere.
static void test_offers_hold_no_words(void **state) {
    (void)state;
    const LawsEvent bare = { .kind = LAWS_EVENT_OFFER, .actor = LAWS_WHITE };
    LawsEvent worded = bare;
    worded.text = JD_STR("if you return the bishop");
    unsigned char bodies[2][LAWS_EVENT_BODY_SIZE];
    const size_t size = laws_event_write(&bare, bodies[0]);
    assert_int_equal(laws_event_write(&worded, bodies[1]), size);
    assert_memory_equal(bodies[0], bodies[1], size);
    LawsGame games[2];
    LawsPly plies[4];
    const LawsSetup setup = { .start = chess_position_start(),
                              .edition = LAWS_FIDE_2023,
                              .pace = LAWS_STANDARD,
                              .supervised = 1 };
    const LawsEvent start = { .kind = LAWS_EVENT_START, .actor = LAWS_SERVER };
    for (int i = 0; i < 2; i++) {
        laws_game_init(&games[i], &setup, plies, JD_COUNT(plies));
        assert_int_equal(laws_apply(&games[i], &start, (JdInstant) { 1 }).refusal, 0);
        assert_int_equal(laws_apply(&games[i], i == 0 ? &bare : &worded, (JdInstant) { 2 }).refusal,
                         0);
    }
    assert_int_equal(laws_game_digest(&games[0]), laws_game_digest(&games[1]));
}

// FIPS 180-4's own examples, and a commitment that only its text opens.
static void test_commitments(void **state) {
    (void)state;
    static const struct {
        const char *text, *hash;
    } rows[] = {
        { "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" },
        { "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" },
        { "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
          "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1" },
    };
    for (size_t i = 0; i < JD_COUNT(rows); i++) {
        unsigned char hash[LAWS_COMMITMENT_SIZE];
        char hex[2 * LAWS_COMMITMENT_SIZE + 1];
        laws_sha256(jd_str(rows[i].text), hash);
        for (size_t j = 0; j < sizeof hash; j++)
            snprintf(hex + 2 * j, 3, "%02x", hash[j]);
        assert_string_equal(hex, rows[i].hash);
    }
    const unsigned char nonce[LAWS_NONCE_SIZE] = { 1 };
    const unsigned char other[LAWS_NONCE_SIZE] = { 2 };
    unsigned char a[LAWS_COMMITMENT_SIZE], b[LAWS_COMMITMENT_SIZE];
    laws_seal_commit(nonce, JD_STR("Nf3"), a);
    laws_seal_commit(other, JD_STR("Nf3"), b);
    assert_memory_not_equal(a, b, sizeof a);
}

// The bytes of setups that need no version 2 are those of version 1 as ever.
static void test_setup_versions(void **state) {
    (void)state;
    LawsSetup setup = { .start = chess_position_start(),
                        .edition = LAWS_FIDE_2023,
                        .pace = LAWS_RAPID,
                        .supervised = 1 };
    assert_true(laws_control_parse(JD_STR("900+10"), &setup.control[0], NULL));
    setup.control[1] = setup.control[0];
    unsigned char body[LAWS_SETUP_BODY_SIZE];
    assert_true(laws_setup_write(&setup, body) > 0);
    assert_int_equal(body[0], 1);
    setup.manual_scoresheet = 1;
    assert_true(laws_setup_override(&setup, JD_STR("illegal_limit"), 3, NULL));
    const ChessPosition declared = chess960_start(1);
    laws_setup_declare(&setup, &declared);
    const size_t size = laws_setup_write(&setup, body);
    assert_int_equal(body[0], 2);
    LawsSetup read;
    assert_true(laws_setup_read(body, size, &read, NULL));
    assert_memory_equal(&read, &setup, sizeof read);
    JdErr err = { 0 };
    assert_false(laws_setup_override(&setup, JD_STR("illegal_limit"), 2, &err));
    assert_false(laws_setup_override(&setup, JD_STR("claim_moves"), 0, &err));
    assert_string_equal(err.field, "claim_moves");
    assert_false(laws_setup_override(&setup, JD_STR("pace_increment_factor"), 1, &err));
    assert_false(laws_setup_override(&setup, JD_STR("no_such"), 1, &err));
}

static void test_events_come_back(void **state) {
    (void)state;
    for (size_t i = 0; i < JD_COUNT(events); i++) {
        unsigned char body[LAWS_EVENT_BODY_SIZE];
        const size_t size = laws_event_write(&events[i], body);
        LawsEvent event;
        JdErr err = { 0 };
        assert_true(size > 0);
        if (!laws_event_read(events[i].kind, events[i].actor, body, size, &event, &err))
            fail_msg("events[%zu]: %s", i, err.text);
        // Who can mate was known when the event was written, if only as "nothing is proved".
        LawsEvent expected = events[i];
        expected.mating |= LAWS_MATING_SAID;
        assert_memory_equal(&event, &expected, sizeof event);
        // One byte less or more is no event.
        memset(&event, 9, sizeof event);
        const LawsEvent untouched = event;
        assert_false(
            laws_event_read(events[i].kind, events[i].actor, body, size - 1, &event, &err));
        body[size] = 0;
        assert_false(
            laws_event_read(events[i].kind, events[i].actor, body, size + 1, &event, &err));
        assert_int_equal(err.code, LAWS_FAULT_EVENT_BODY);
        body[0] = 3;
        assert_false(laws_event_read(events[i].kind, events[i].actor, body, size, &event, &err));
        assert_string_equal(err.field, "version");
        assert_memory_equal(&event, &untouched, sizeof event);
    }
}

// The bytes themselves are a promise to every log ever written.
static void test_event_bytes(void **state) {
    (void)state;
    unsigned char body[LAWS_EVENT_BODY_SIZE];
    assert_int_equal(laws_event_write(&events[2], body), 6);
    assert_memory_equal(body, "\x01\x01\xff\xff\x2c\x01", 6);
    assert_int_equal(laws_event_write(&events[7], body), 3);
    assert_memory_equal(body, "\x01\x4d\x00", 3);
    assert_int_equal(laws_event_write(&events[0], body), 1);
}

static void test_bad_events(void **state) {
    (void)state;
    static const struct {
        uint8_t kind, actor;
        const char *body;
        size_t size;
        const char *field;
    } bad[] = {
        { 0, 0, "\1", 1, "kind" },
        { LAWS_EVENT_KIND_COUNT, 0, "\1", 1, "kind" },
        { 255, 0, "\1", 1, "kind" },
        { LAWS_EVENT_OFFER, 6, "\1", 1, "actor" },
        { LAWS_EVENT_OFFER, 0, "", 0, "version" },
        { LAWS_EVENT_MOVE, 0, "\1\2\0\0\0\0", 6, "offer" },
        { LAWS_EVENT_MOVE, 0, "\1\0\0\0\x2d\1", 6, "credit" },
        { LAWS_EVENT_INTERRUPTION, 3, "\1\xff\xff\xff\xff\xff\xff\xff\xff", 9, "span" },
        { LAWS_EVENT_ABANDONED, 3, "\1\2\0", 3, "side" },
        { LAWS_EVENT_ABANDONED, 3, "\1\1\2", 3, "draw" },
        { LAWS_EVENT_DEFAULT, 3, "\1\3", 2, "side" },
        { LAWS_EVENT_TICK, 3, "\2\0", 2, "mating" },
        { LAWS_EVENT_TICK, 3, "\2\20", 2, "mating" },
        { LAWS_EVENT_TICK, 3, "\2\5", 2, "mating" },
        { LAWS_EVENT_TICK, 3, "\2", 1, "body" },
    };
    for (size_t i = 0; i < JD_COUNT(bad); i++) {
        LawsEvent event;
        JdErr err = { 0 };
        if (laws_event_read(bad[i].kind, bad[i].actor, (const unsigned char *)bad[i].body,
                            bad[i].size, &event, &err))
            fail_msg("bad[%zu] accepted", i);
        if (strcmp(err.field, bad[i].field) != 0)
            fail_msg("bad[%zu]: field %s, expected %s", i, err.field, bad[i].field);
    }
    unsigned char body[LAWS_EVENT_BODY_SIZE];
    const LawsEvent unknown = { .kind = 99 };
    const LawsEvent negative = { .kind = LAWS_EVENT_INTERRUPTION, .span_ms = -1 };
    assert_int_equal(laws_event_write(&unknown, body), 0);
    assert_int_equal(laws_event_write(&negative, body), 0);
}

// An answer who can mate stands before the rest, and only where something was proved or left open.
static void test_mating_bytes(void **state) {
    (void)state;
    unsigned char body[LAWS_EVENT_BODY_SIZE];
    LawsEvent event = { .kind = LAWS_EVENT_MOVE,
                        .move = 0x0123,
                        .mating = LAWS_MATING_SAID | LAWS_MATING_NOT_WHITE };
    assert_int_equal(laws_event_write(&event, body), 7);
    assert_memory_equal(body, "\x02\x01\x00\x23\x01\x00\x00", 7);
    LawsEvent read;
    assert_true(laws_event_read(event.kind, 0, body, 7, &read, NULL));
    assert_memory_equal(&read, &event, sizeof read);
    event = (LawsEvent) { .kind = LAWS_EVENT_TICK, .actor = LAWS_SERVER };
    const LawsVerdict open = { .mating = LAWS_MATING_OPEN_BLACK };
    laws_event_settle(&event, &open);
    assert_int_equal(laws_event_write(&event, body), 2);
    assert_memory_equal(body, "\x02\x08", 2);
    // What an event says itself stays.
    const LawsVerdict other = { .mating = LAWS_MATING_NOT_WHITE };
    laws_event_settle(&event, &other);
    assert_int_equal(event.mating, LAWS_MATING_SAID | LAWS_MATING_OPEN_BLACK);
    // Setups: the way to find out stands above the switches.
    LawsSetup setup = { .start = chess_position_start(),
                        .edition = LAWS_FIDE_2023,
                        .pace = LAWS_RAPID,
                        .mating = LAWS_MATING_EXACT };
    unsigned char old[LAWS_SETUP_BODY_SIZE];
    unsigned char bytes[LAWS_SETUP_BODY_SIZE];
    const size_t size = laws_setup_write(&setup, bytes);
    setup.mating = LAWS_MATING_BY_MATERIAL;
    assert_int_equal(laws_setup_write(&setup, old), size);
    assert_int_equal(bytes[5], old[5] | 4);
    bytes[5] = old[5];
    assert_memory_equal(bytes, old, size);
    bytes[5] |= 12;
    JdErr err = { 0 };
    assert_false(laws_setup_read(bytes, size, &setup, &err));
    assert_string_equal(err.field, "switches");
}

static void test_setups_come_back(void **state) {
    (void)state;
    static RandomGame random;
    for (uint64_t seed = 1; seed <= 500; seed++) {
        random_game_begin(&random, seed);
        unsigned char body[LAWS_SETUP_BODY_SIZE];
        const size_t size = laws_setup_write(&random.game.setup, body);
        LawsSetup setup;
        JdErr err = { 0 };
        if (!laws_setup_read(body, size, &setup, &err))
            fail_msg("seed %llu: %s: %s", (unsigned long long)seed, err.field, err.text);
        if (memcmp(&setup, &random.game.setup, sizeof setup) != 0)
            fail_msg("seed %llu: the setup differs", (unsigned long long)seed);
        for (size_t cut = 0; cut < size; cut++)
            assert_false(laws_setup_read(body, cut, &setup, NULL));
    }
}

// Nothing that does not read exactly is a setup, and nothing crashes on it.
static void test_spoilt_setups(void **state) {
    (void)state;
    static RandomGame random;
    uint64_t seed = 99;
    for (int round = 0; round < 20000; round++) {
        if (round % 100 == 0)
            random_game_begin(&random, (uint64_t)round + 1);
        unsigned char body[LAWS_SETUP_BODY_SIZE] = { 0 };
        const size_t size = laws_setup_write(&random.game.setup, body);
        body[jd_random_below(&seed, (uint32_t)size)] = (unsigned char)jd_random(&seed);
        LawsSetup setup;
        JdErr err = { 0 };
        if (laws_setup_read(body, size, &setup, &err)) {
            unsigned char again[LAWS_SETUP_BODY_SIZE];
            assert_true(laws_setup_check(&setup, &err));
            laws_setup_write(&setup, again);
        } else {
            assert_true(err.text[0] != '\0' && err.offset <= LAWS_SETUP_BODY_SIZE);
        }
    }
}

static LawsSetup sound_setup(void) {
    LawsSetup setup = { .start = chess_position_start(),
                        .edition = LAWS_FIDE_2023,
                        .pace = LAWS_RAPID,
                        .supervised = 1 };
    assert_true(laws_control_parse(JD_STR("900+10"), &setup.control[0], NULL));
    setup.control[1] = setup.control[0];
    return setup;
}

static void check_unsound(int line, const LawsSetup *setup, const char *field) {
    JdErr err = { 0 };
    if (laws_setup_check(setup, &err))
        fail_msg("line %d: accepted", line);
    if (strcmp(err.field, field) != 0 || err.text[0] == '\0')
        fail_msg("line %d: field \"%s\" (%s), expected %s", line, err.field, err.text, field);
}

#define UNSOUND(change, field)                                                                     \
    do {                                                                                           \
        LawsSetup setup = sound_setup();                                                           \
        change;                                                                                    \
        check_unsound(__LINE__, &setup, field);                                                    \
    } while (0)

static void test_unsound_setups(void **state) {
    (void)state;
    const LawsSetup sound = sound_setup();
    assert_true(laws_setup_check(&sound, NULL));
    UNSOUND(setup.edition = 6, "edition");
    UNSOUND(setup.pace = 0, "edition");
    UNSOUND(setup.control[1].periods[0].time_ms = -1, "time");
    UNSOUND(setup.control[0] = (LawsControl) { 0 }, "control");
    UNSOUND(setup.separate_press = 2, "separate_press");
    UNSOUND(setup.touch_move = 2, "touch_move");
    UNSOUND(setup.unchecked_moves = 2, "unchecked_moves");
    UNSOUND(setup.arbiter_present = 1, "rules_announced"); // T-A5-1
    UNSOUND((setup.edition = LAWS_FIDE_2014, setup.attendance = 1), "default_ms");
    UNSOUND(setup.king_capture_wins = 1, "king_capture_wins");
    UNSOUND(setup.accessible = 1, "accessible");
    UNSOUND(setup.session_ms = -1, "session_ms");
    UNSOUND(setup.declared[3] = 1, "declared");
    UNSOUND(setup.sheet_language[1] = 200, "sheet_language");
    UNSOUND((setup.override_count = 1, setup.overrides[0].parameter = 999), "overrides");
    UNSOUND(setup.override_count = 9, "overrides");
    UNSOUND((assert_true(laws_setup_override(&setup, JD_STR("claim_moves"), 40, NULL)),
             setup.fide_strict = 1),
            "claim_moves"); // T-Pref-1
    UNSOUND(setup.draw_never = 2, "draw_never");
    UNSOUND(setup.flag_mode = 3, "flag_mode");
    UNSOUND(setup.default_ms = -1, "default_ms");
    UNSOUND((setup.edition = LAWS_FIDE_2005, setup.flag_mode = LAWS_FLAGS_OBSERVED), "flag_mode");
    UNSOUND((setup.edition = LAWS_FIDE_2005, setup.draw_never = 1), "draw_min_moves");
    UNSOUND((setup.control[0] = (LawsControl) { .move_ms = 1000 },
             setup.flag_mode = LAWS_FLAGS_CLAIMED),
            "flag_mode");
    // T-Pref-1: a strict profile refuses an override and names it.
    UNSOUND((setup.fide_strict = 1, setup.slow_no_penalty = 1), "slow_no_penalty");
    UNSOUND((setup.fide_strict = 1, setup.identity_exercisable = 1), "identity_exercisable");
    UNSOUND((setup.fide_strict = 1, setup.offer_gap_moves = 5), "offer_gap_moves");
    UNSOUND(assert_true(parse_position(JD_STR("8/8/8/4k3/8/8/8/4K3 w - -"), &setup.start)),
            "start");
    UNSOUND(assert_true(parse_position(JD_STR("5k2/5P2/5K2/8/8/8/8/8 b - -"), &setup.start)),
            "start");
}

static void test_bad_logs(void **state) {
    (void)state;
    static RandomGame random;
    static LawsPly plies[RANDOM_GAME_PLIES];
    random_game_play(&random, 12);
    LawsGame game;
    JdErr err = { 0 };
    assert_true(
        laws_log_replay(random.log, random.log_size, &game, plies, RANDOM_GAME_PLIES, NULL, &err));
    assert_int_equal(laws_game_digest(&game), laws_game_digest(&random.game));
    static const char *const bad[] = { "", "JDL", "JDL2xxxx", "JDL1", "JDL1\xff\xff" };
    for (size_t i = 0; i < JD_COUNT(bad); i++) {
        assert_false(laws_log_replay((const unsigned char *)bad[i], strlen(bad[i]), &game, plies,
                                     RANDOM_GAME_PLIES, NULL, &err));
        assert_int_equal(err.code, LAWS_FAULT_LOG);
    }
    // A record that is cut off, and one event told twice: White has not the move again.
    assert_false(laws_log_replay(random.log, random.log_size - 1, &game, plies, RANDOM_GAME_PLIES,
                                 NULL, &err));
    unsigned char log[LAWS_LOG_HEAD_SIZE + 4 * LAWS_LOG_EVENT_SIZE];
    const LawsSetup setup = sound_setup();
    size_t size = laws_log_open(&setup, log);
    size += laws_log_event(&events[0], (JdInstant) { 5 }, log + size);
    size += laws_log_event(&events[0], (JdInstant) { 6 }, log + size);
    assert_false(laws_log_replay(log, size, &game, plies, RANDOM_GAME_PLIES, NULL, &err));
    assert_int_equal(err.code, LAWS_FAULT_LOG_REFUSED);
    assert_int_equal(err.offset, size - 12);
    assert_non_null(strstr(err.text, "already_started"));
}

static void test_full_record(void **state) {
    (void)state;
    static LawsPly plies[1];
    const LawsSetup setup = sound_setup();
    LawsGame game;
    laws_game_init(&game, &setup, plies, 1);
    assert_int_equal(laws_apply(&game, &events[0], (JdInstant) { 0 }).refusal, LAWS_NOT_REFUSED);
    LawsEvent move = { .kind = LAWS_EVENT_MOVE, .move = parse_move(JD_STR("e4"), &game.position) };
    assert_int_equal(laws_apply(&game, &move, (JdInstant) { 1 }).refusal, LAWS_NOT_REFUSED);
    move.actor = LAWS_BLACK;
    move.move = parse_move(JD_STR("e5"), &game.position);
    assert_int_equal(laws_apply(&game, &move, (JdInstant) { 2 }).refusal, LAWS_REFUSED_RECORD_FULL);
    // The record may be moved and grown between events.
    static LawsPly more[8];
    more[0] = plies[0];
    game.plies = more;
    game.ply_capacity = JD_COUNT(more);
    assert_int_equal(laws_apply(&game, &move, (JdInstant) { 2 }).refusal, LAWS_NOT_REFUSED);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts_come_back),  cmocka_unit_test(test_offers_hold_no_words),
        cmocka_unit_test(test_commitments),      cmocka_unit_test(test_setup_versions),
        cmocka_unit_test(test_events_come_back), cmocka_unit_test(test_mating_bytes),
        cmocka_unit_test(test_event_bytes),      cmocka_unit_test(test_bad_events),
        cmocka_unit_test(test_setups_come_back), cmocka_unit_test(test_spoilt_setups),
        cmocka_unit_test(test_unsound_setups),   cmocka_unit_test(test_bad_logs),
        cmocka_unit_test(test_full_record),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
