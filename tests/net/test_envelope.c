// SPDX-License-Identifier: GPL-3.0-or-later
//
// What gateways say to each other: every kind comes back as it was written, and nothing else is
// read.
#include "../check.h"

#include <string.h>

#include "net/envelope.h"

static const uint8_t all_kinds[] = {
    NET_ENV_CONNECT,  NET_ENV_LEAVE,   NET_ENV_SAY,      NET_ENV_REQUEST, NET_ENV_FRAME,
    NET_ENV_FOLLOW,   NET_ENV_CLOSE,   NET_ENV_BOUNCE,   NET_ENV_REPLY,   NET_ENV_RENAMED,
    NET_ENV_LEAVES,   NET_ENV_PROFILE, NET_ENV_SESSIONS, NET_ENV_ME,      NET_ENV_NOTICE,
    NET_ENV_VACATION, NET_ENV_RATED,   NET_ENV_MAY,      NET_ENV_ANSWER,
};

// Every field set to something of its own.
static NetEnvelope full(uint8_t kind, NetBuf *list) {
    NetEnvelope envelope = {
        .kind = kind,
        .flags = 0xa5,
        .mark = NET_MARK_ME_STATE,
        .code = 0xfedc,
        .count = 0x89abcdef,
        .number = UINT64_C(0xfedcba9876543210),
        .account = INT64_C(1) << 52,
        .times = { INT64_MIN, -1, INT64_MAX },
        .rated.change = { { 1500, 1510, 20, 50 }, { 1500, 1490, 20, -50 } },
        .profile = { .parts = 7, .confirmed = true, .rating = { 1, -2, 3, 4 }, .games = { 5, 6 } },
        .nick = JD_STR("Аня"),
        .word = JD_STR("rematch"),
        .path = JD_STR("/api/v1/games"),
        .query = JD_STR("a=b"),
        .text = JD_STR("{\"t\":\"ping\"}"),
        .me = { .account = 77,
                .created_ms = 1,
                .nick = "Аня",
                .language = "ru",
                .email = "anna@chess.example",
                .roles = "admin",
                .blocked_until_ms = INT64_MAX,
                .blocks = 300,
                .confirmed = true,
                .ratings.lists = { { 1500, 0 }, { 1700, 31 } } },
    };
    assert_true(live_id_parse(jd_str("AbCdEf-_0189"), &envelope.id));
    memset(envelope.digest, 0x11, sizeof(envelope.digest));
    memset(envelope.except, 0x22, sizeof(envelope.except));
    net_envelope_add(list, 1);
    net_envelope_add(list, UINT64_MAX);
    envelope.list = net_buf_str(list);
    return envelope;
}

// Two that write the same bytes hold the same.
static void comes_back(void **state) {
    (void)state;
    for (size_t i = 0; i < JD_COUNT(all_kinds); i++) {
        NetBuf *list = net_buf_new();
        NetBuf *first = net_buf_new();
        NetBuf *second = net_buf_new();
        const NetEnvelope envelope = full(all_kinds[i], list);
        NetEnvelope read;
        net_envelope_write(first, &envelope);
        assert_true(net_envelope_read(net_buf_str(first), &read));
        assert_int_equal(read.kind, all_kinds[i]);
        net_envelope_write(second, &read);
        assert_int_equal(first->size, second->size);
        assert_memory_equal(first->data, second->data, first->size);
        net_buf_drop(list);
        net_buf_drop(first);
        net_buf_drop(second);
    }
}

static void fields(void **state) {
    (void)state;
    NetBuf *list = net_buf_new();
    NetBuf *bytes = net_buf_new();
    NetEnvelope envelope = full(NET_ENV_CONNECT, list);
    NetEnvelope read;
    net_envelope_write(bytes, &envelope);
    assert_true(net_envelope_read(net_buf_str(bytes), &read));
    assert_int_equal(read.number, envelope.number);
    assert_string_equal(read.me.nick, "Аня");
    assert_string_equal(read.me.roles, "admin");
    assert_int_equal(read.me.ratings.lists[1].rating, 1700);
    assert_int_equal(read.me.ratings.lists[1].games, 31);
    assert_int_equal(net_envelope_count(&read), 2);
    assert_int_equal(net_envelope_item(&read, 1), UINT64_MAX);
    assert_int_equal(read.account, 0); // CONNECT does not name it
    net_buf_drop(list);
    net_buf_drop(bytes);
}

// Cut short anywhere, or with a byte more, it is none; nor is an unknown kind.
static void nothing_else(void **state) {
    (void)state;
    NetEnvelope read;
    for (size_t i = 0; i < JD_COUNT(all_kinds); i++) {
        NetBuf *list = net_buf_new();
        NetBuf *bytes = net_buf_new();
        const NetEnvelope envelope = full(all_kinds[i], list);
        net_envelope_write(bytes, &envelope);
        for (size_t size = 0; size < bytes->size; size++)
            assert_false(net_envelope_read(jd_str_n((const char *)bytes->data, size), &read));
        net_buf_add(bytes, "", 1);
        assert_false(net_envelope_read(net_buf_str(bytes), &read));
        net_buf_drop(list);
        net_buf_drop(bytes);
    }
    for (int kind = 0; kind < 256; kind++) {
        const char byte = (char)kind;
        assert_false(net_envelope_read(jd_str_n(&byte, 1), &read));
    }
}

static void bounds(void **state) {
    (void)state;
    static char nick[LIVE_NICK_SIZE + 1];
    memset(nick, 'a', sizeof(nick));
    const struct {
        NetEnvelope envelope;
        bool sound;
    } rows[] = {
        { { .kind = NET_ENV_RENAMED, .nick = { nick, LIVE_NICK_SIZE - 1 } }, true },
        { { .kind = NET_ENV_RENAMED, .nick = { nick, LIVE_NICK_SIZE } }, false },
        { { .kind = NET_ENV_FRAME, .mark = NET_MARK_COUNT }, true },
        { { .kind = NET_ENV_FRAME, .mark = NET_MARK_COUNT + 1 }, false },
        { { .kind = NET_ENV_FRAME, .list = { nick, 9 } }, false }, // no whole numbers
        { { .kind = NET_ENV_FOLLOW, .id = { "not an id!!!" } }, false },
        { { .kind = NET_ENV_PROFILE, .profile.parts = 8 }, false },
        { { .kind = NET_ENV_NOTICE, .word = { nick, 33 } }, false },
    };
    for (size_t i = 0; i < JD_COUNT(rows); i++) {
        NetBuf *bytes = net_buf_new();
        NetEnvelope read;
        net_envelope_write(bytes, &rows[i].envelope);
        if (net_envelope_read(net_buf_str(bytes), &read) != rows[i].sound)
            fail_msg("row %zu", i);
        net_buf_drop(bytes);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comes_back),
        cmocka_unit_test(fields),
        cmocka_unit_test(nothing_else),
        cmocka_unit_test(bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
