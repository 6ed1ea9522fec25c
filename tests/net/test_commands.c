// SPDX-License-Identifier: GPL-3.0-or-later
//
// Messages of clients turned into commands.
#include "../check.h"

#include "net/commands.h"
#include "net/json_in.h"

#define GAME "\"game\":\"abcDEF012-_9\""
#define CLOCK "{\"kind\":\"clock\",\"base_ms\":180000,\"increment_ms\":2000,\"delay_ms\":0}"

static const struct {
    const char *text;
    const char *code;  // NULL: accepted
    const char *field; // at fault
    int64_t id;        // -1: none was read
} messages[] = {
    { "{\"t\":\"hello\",\"d\":{}}", NULL, "", -1 },
    { "{\"t\":\"hello\",\"id\":0,\"d\":{}}", NULL, "", 0 },
    { "{\"t\":\"ping\",\"id\":9007199254740991,\"d\":{\"c\":-5}}", NULL, "", 9007199254740991 },
    { "{\"t\":\"sub\",\"d\":{\"ch\":\"lobby\"}}", NULL, "", -1 },
    { "{\"t\":\"sub\",\"d\":{\"ch\":\"game:abcDEF012-_9\",\"since\":0}}", NULL, "", -1 },
    { "{\"t\":\"unsub\",\"d\":{\"ch\":\"me\"}}", NULL, "", -1 },
    { "{\"t\":\"challenge\",\"d\":{\"control\":" CLOCK
      ",\"color\":\"random\",\"rated\":true,\"key\":\"k\"}}",
      NULL, "", -1 },
    { "{\"t\":\"challenge\",\"d\":{\"control\":{\"kind\":\"days\",\"days\":3},\"color\":\"white\","
      "\"rated\":false}}",
      NULL, "", -1 },
    { "{\"t\":\"challenge\",\"d\":{\"control\":{\"kind\":\"periods\",\"periods\":[{\"moves\":40,"
      "\"time_ms\":1,\"increment_ms\":0,"
      "\"delay_ms\":0},{\"moves\":0,\"time_ms\":1,\"increment_ms\":0,\"delay_ms\":0}]},\"color\":"
      "\"black\",\"rated\":false}}",
      NULL, "", -1 },
    { "{\"t\":\"challenge\",\"d\":{\"control\":" CLOCK
      ",\"color\":\"white\",\"rated\":false,\"type\":\"blitz\",\"edition\":\"fide-2005\","
      "\"flag\":\"claim\",\"touch\":true}}",
      NULL, "", -1 },
    { "{\"t\":\"challenge\",\"d\":{\"control\":{\"kind\":\"bank\",\"base_ms\":864000000,"
      "\"increment_ms\":120000,\"increment_moves\":360},\"color\":\"white\",\"rated\":true}}",
      NULL, "", -1 },
    { "{\"t\":\"challenge\",\"d\":{\"control\":" CLOCK
      ",\"color\":\"white\",\"rated\":false,\"edition\":\"fide-2018\"}}",
      "bad_request", "edition", -1 },
    { "{\"t\":\"challenge\",\"d\":{\"control\":" CLOCK
      ",\"color\":\"white\",\"rated\":false,\"type\":\"chess\"}}",
      "bad_request", "type", -1 },
    { "{\"t\":\"challenge\",\"d\":{\"control\":" CLOCK
      ",\"color\":\"white\",\"rated\":false,\"flag\":\"both\"}}",
      "bad_request", "flag", -1 },
    { "{\"t\":\"challenge\",\"d\":{\"control\":" CLOCK
      ",\"color\":\"white\",\"rated\":false,\"touch\":1}}",
      "bad_request", "touch", -1 },
    { "{\"t\":\"join\",\"d\":{\"challenge\":\"abcDEF012-_9\"}}", NULL, "", -1 },
    { "{\"t\":\"move\",\"id\":4,\"d\":{" GAME ",\"ply\":0,\"uci\":\"e2e4\"}}", NULL, "", 4 },
    { "{\"t\":\"draw\",\"d\":{" GAME ",\"ply\":7,\"act\":\"claim_with\",\"uci\":\"e2e4\"}}", NULL,
      "", -1 },
    { "{\"t\":\"abandon\",\"d\":{" GAME ",\"act\":\"draw\"}}", NULL, "", -1 },
    // the envelope
    { "{\"t\":\"hello\"}", "bad_request", "d", -1 },
    { "{\"t\":\"hello\",\"id\":3}", "bad_request", "d", 3 },
    { "{\"t\":\"hello\",\"id\":\"3\",\"d\":{}}", "bad_request", "id", -1 },
    { "{\"t\":\"hello\",\"id\":-1,\"d\":{}}", "bad_request", "id", -1 },
    { "{\"t\":\"hello\",\"id\":9007199254740992,\"d\":{}}", "bad_request", "id", -1 },
    { "{\"t\":\"hello\",\"d\":{},\"x\":1}", "bad_request", "x", -1 },
    { "{\"t\":\"hello\",\"d\":{\"x\":1}}", "bad_request", "x", -1 },
    { "{\"t\":\"Hello\",\"d\":{}}", "bad_request", "t", -1 },
    { "{\"t\":5,\"d\":{}}", "bad_request", "t", -1 },
    // the data
    { "{\"t\":\"sub\",\"d\":{\"ch\":\"shout\"}}", "bad_request", "ch", -1 },
    { "{\"t\":\"sub\",\"d\":{\"ch\":\"game:short\"}}", "not_found", "ch", -1 },
    { "{\"t\":\"sub\",\"d\":{\"ch\":\"lobby\",\"since\":-1}}", "bad_request", "since", -1 },
    { "{\"t\":\"unsub\",\"d\":{\"ch\":\"lobby\",\"since\":1}}", "bad_request", "since", -1 },
    { "{\"t\":\"join\",\"d\":{\"challenge\":\"abc\"}}", "not_found", "challenge", -1 },
    { "{\"t\":\"resign\",\"d\":{\"game\":\"abcDEF012-_!\"}}", "not_found", "game", -1 },
    { "{\"t\":\"move\",\"d\":{" GAME ",\"ply\":0}}", "bad_request", "uci", -1 },
    { "{\"t\":\"move\",\"d\":{" GAME ",\"ply\":4294967296,\"uci\":\"e2e4\"}}", "bad_request", "ply",
      -1 },
    { "{\"t\":\"move\",\"d\":{" GAME ",\"ply\":0,\"uci\":\"e2e4\",\"draw\":\"yes\"}}",
      "bad_request", "draw", -1 },
    { "{\"t\":\"draw\",\"d\":{" GAME ",\"ply\":0,\"act\":\"claim_with\"}}", "bad_request", "uci",
      -1 },
    { "{\"t\":\"draw\",\"d\":{" GAME ",\"ply\":0,\"act\":\"accept\",\"uci\":\"e2e4\"}}",
      "bad_request", "uci", -1 },
    { "{\"t\":\"draw\",\"d\":{" GAME ",\"ply\":0,\"act\":\"\"}}", "bad_request", "act", -1 },
    { "{\"t\":\"abandon\",\"d\":{" GAME ",\"act\":\"loss\"}}", "bad_request", "act", -1 },
    { "{\"t\":\"challenge\",\"d\":{\"control\":" CLOCK ",\"color\":\"grey\",\"rated\":true}}",
      "bad_request", "color", -1 },
    { "{\"t\":\"challenge\",\"d\":{\"control\":" CLOCK ",\"color\":\"white\"}}", "bad_request",
      "rated", -1 },
    { "{\"t\":\"challenge\",\"d\":{\"control\":{},\"color\":\"white\",\"rated\":true}}",
      "bad_request", "kind", -1 },
    { "{\"t\":\"challenge\",\"d\":{\"control\":{\"kind\":\"clock\",\"base_ms\":1},\"color\":"
      "\"white\",\"rated\":true}}",
      "bad_request", "increment_ms", -1 },
    { "{\"t\":\"challenge\",\"d\":{\"control\":{\"kind\":\"days\",\"days\":15},\"color\":\"white\","
      "\"rated\":true}}",
      "control_range", "days", -1 },
    { "{\"t\":\"challenge\",\"d\":{\"control\":{\"kind\":\"days\",\"days\":260},\"color\":"
      "\"white\",\"rated\":true}}",
      "control_range", "days", -1 },
    { "{\"t\":\"challenge\",\"d\":{\"control\":{\"kind\":\"periods\",\"periods\":[]},\"color\":"
      "\"white\",\"rated\":true}}",
      "control_range", "periods", -1 },
    { "{\"t\":\"challenge\",\"d\":{\"control\":{\"kind\":\"periods\",\"periods\":[7]},\"color\":"
      "\"white\",\"rated\":true}}",
      "bad_request", "periods", -1 },
    { "{\"t\":\"challenge\",\"d\":{\"control\":{\"kind\":\"periods\",\"periods\":[{\"moves\":-1,"
      "\"time_ms\":1,\"increment_ms\":0,"
      "\"delay_ms\":0}]},\"color\":\"white\",\"rated\":true}}",
      "control_range", "moves", -1 },
};

static void test_messages(void **state) {
    (void)state;
    for (size_t i = 0; i < JD_COUNT(messages); i++) {
        NetError err = { 0 };
        NetMessage message;
        json_t *object = net_json_parse(jd_str(messages[i].text), &err);
        if (object == NULL)
            fail_msg("messages[%zu] is no JSON: %s", i, err.message);
        const bool ok = net_message_read(object, &message, &err);
        if (ok != (messages[i].code == NULL) ||
            (!ok && (strcmp(err.code, messages[i].code) != 0 ||
                     strcmp(err.field, messages[i].field) != 0)))
            fail_msg("messages[%zu] %s: %s %s (%s), expected %s %s", i, messages[i].text,
                     ok ? "accepted" : err.code, err.field, err.message,
                     messages[i].code == NULL ? "accepted" : messages[i].code, messages[i].field);
        if (message.has_id != (messages[i].id >= 0) ||
            (message.has_id && message.id != messages[i].id))
            fail_msg("messages[%zu]: id %lld, expected %lld", i, (long long)message.id,
                     (long long)messages[i].id);
        json_decref(object);
    }
}

static NetMessage read(const char *text, json_t **object) {
    NetError err = { 0 };
    NetMessage message;
    *object = net_json_parse(jd_str(text), &err);
    assert_non_null(*object);
    assert_true(net_message_read(*object, &message, &err));
    return message;
}

static void test_commands_hold_what_was_said(void **state) {
    (void)state;
    json_t *object = NULL;
    NetMessage move = read(
        "{\"t\":\"move\",\"d\":{" GAME ",\"ply\":12,\"uci\":\"e7e8q\",\"draw\":true}}", &object);
    assert_int_equal(move.kind, NET_MESSAGE_COMMAND);
    assert_int_equal(move.command.kind, LIVE_MOVE);
    assert_string_equal(move.command.id.text, "abcDEF012-_9");
    assert_int_equal(move.command.ply, 12);
    assert_int_equal(move.command.draw, 1);
    assert_true(jd_str_equal(move.command.uci, JD_STR("e7e8q")));
    json_decref(object);

    NetMessage sub =
        read("{\"t\":\"sub\",\"d\":{\"ch\":\"game:abcDEF012-_9\",\"since\":41}}", &object);
    assert_int_equal(sub.command.kind, LIVE_SUBSCRIBE);
    assert_int_equal(sub.command.channel.kind, LIVE_CHANNEL_GAME);
    assert_string_equal(sub.command.channel.game.text, "abcDEF012-_9");
    assert_true(sub.command.has_since);
    assert_int_equal(sub.command.since, 41);
    json_decref(object);

    NetMessage form = read("{\"t\":\"challenge\",\"d\":{\"control\":" CLOCK
                           ",\"color\":\"black\",\"rated\":true}}",
                           &object);
    assert_int_equal(form.command.kind, LIVE_CHALLENGE);
    assert_int_equal(form.command.color, LIVE_COLOR_BLACK);
    assert_int_equal(form.command.rated, 1);
    assert_int_equal(form.command.key.size, 0);
    assert_int_equal(form.command.control.kind, LIVE_CONTROL_CLOCK);
    assert_int_equal(form.command.control.periods[0].time_ms, 180000);
    assert_int_equal(form.command.control.periods[0].increment_ms, 2000);
    json_decref(object);

    NetMessage leave = read("{\"t\":\"abandon\",\"d\":{" GAME ",\"act\":\"draw\"}}", &object);
    assert_int_equal(leave.command.kind, LIVE_ABANDON);
    assert_int_equal(leave.command.draw, 1);
    json_decref(object);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_messages),
        cmocka_unit_test(test_commands_hold_what_was_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
