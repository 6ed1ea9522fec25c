// SPDX-License-Identifier: GPL-3.0-or-later
//
// The JSON reader and writer.
#include "../check.h"

#include "net/json_in.h"
#include "net/json_out.h"

// ---- parsing ------------------------------------------------------------------------------------

#define TEXT(literal) literal, sizeof(literal) - 1

static const struct {
    const char *text;
    size_t size;
    const char *code; // NULL: accepted
} parses[] = {
    { TEXT("{}"), NULL },
    { TEXT(" \t\r\n{\"a\":1}\n"), NULL },
    { TEXT("{\"a\":{\"b\":[[[[[{}]]]]]}}"), NULL }, // eight levels
    { TEXT("{\"a\":{\"b\":[[[[[[{}]]]]]]}}"), "bad_request" },
    { TEXT("{\"a\":\"[[[[[[[[[[[[\\\"[[[\"}"), NULL }, // brackets inside a text do not count
    { TEXT(""), "bad_request" },
    { TEXT("{"), "bad_request" },
    { TEXT("[]"), "bad_request" },
    { TEXT("null"), "bad_request" },
    { TEXT("{} {}"), "bad_request" },
    { TEXT("{\"a\":1,}"), "bad_request" },
    { TEXT("{\"a\":1,\"a\":2}"), "bad_request" },
    { TEXT("{'a':1}"), "bad_request" },
    { TEXT("{\"a\":01}"), "bad_request" },
    { TEXT("{\"a\":1e999}"), "bad_request" },
    { TEXT("{\"a\":9223372036854775808}"), "bad_request" },
    { TEXT("{\"a\":\"\\ud800\"}"), "bad_request" },
    { TEXT("{\"a\":\"\xc3\x28\"}"), "bad_text" },
    { TEXT("{\"a\":\"\xed\xa0\x80\"}"), "bad_text" },
    { TEXT("\xef\xbb\xbf{}"), "bad_request" },
    { TEXT("{\"a\":\"tab\there\"}"), "bad_request" },
};

static void test_parse(void **state) {
    (void)state;
    for (size_t i = 0; i < JD_COUNT(parses); i++) {
        NetError err = { 0 };
        json_t *object = net_json_parse(jd_str_n(parses[i].text, parses[i].size), &err);
        const bool ok = object != NULL;
        json_decref(object);
        if (ok != (parses[i].code == NULL) || (!ok && strcmp(err.code, parses[i].code) != 0))
            fail_msg("parses[%zu] %s: %s, expected %s", i, parses[i].text,
                     ok ? "accepted" : err.code,
                     parses[i].code == NULL ? "accepted" : parses[i].code);
        if (!ok && !jd_utf8_valid(jd_str(err.message), NULL))
            fail_msg("parses[%zu]: the sentence is not UTF-8", i);
    }
}

// ---- fields -------------------------------------------------------------------------------------

typedef struct Target {
    JdStr text;
    int64_t number;
    bool flag;
    json_t *object;
    json_t *list;
} Target;

static const NetField fields[] = {
    { "text", NET_FIELD_TEXT, false, 1, 5, offsetof(Target, text) },
    { "number", NET_FIELD_INTEGER, true, -3, 7, offsetof(Target, number) },
    { "flag", NET_FIELD_BOOL, true, 0, 0, offsetof(Target, flag) },
    { "object", NET_FIELD_OBJECT, true, 0, 0, offsetof(Target, object) },
    { "list", NET_FIELD_LIST, true, 1, 2, offsetof(Target, list) },
};

static const struct {
    const char *text;
    const char *code;
    const char *field;
} reads[] = {
    { "{\"text\":\"ab\"}", NULL, "" },
    { "{\"text\":\"ab\",\"number\":-3,\"flag\":true,\"object\":{},\"list\":[1]}", NULL, "" },
    { "{}", "bad_request", "text" },
    { "{\"text\":null}", "bad_request", "text" },
    { "{\"text\":7}", "bad_request", "text" },
    { "{\"text\":\"\"}", "bad_request", "text" },
    { "{\"text\":\"abcdef\"}", "bad_request", "text" },
    { "{\"text\":\"a\\u0000b\"}", "bad_text", "text" },
    { "{\"text\":\"a\\u202e\"}", "bad_text", "text" },
    { "{\"text\":\"\\u2069\"}", "bad_text", "text" },
    { "{\"text\":\"a\",\"number\":8}", "bad_request", "number" },
    { "{\"text\":\"a\",\"number\":1.0}", "bad_request", "number" },
    { "{\"text\":\"a\",\"number\":\"1\"}", "bad_request", "number" },
    { "{\"text\":\"a\",\"number\":null}", "bad_request", "number" },
    { "{\"text\":\"a\",\"flag\":1}", "bad_request", "flag" },
    { "{\"text\":\"a\",\"object\":[]}", "bad_request", "object" },
    { "{\"text\":\"a\",\"list\":{}}", "bad_request", "list" },
    { "{\"text\":\"a\",\"list\":[]}", "bad_request", "list" },
    { "{\"text\":\"a\",\"list\":[1,2,3]}", "bad_request", "list" },
    { "{\"text\":\"a\",\"typo\":1}", "bad_request", "typo" },
    { "{\"text\":\"a\",\"\":1}", "bad_request", "" },
    { "{\"text\":\"a\",\"a name of more than 24 bytes\":1}", "bad_request", "" },
    { "{\"text\":\"a\",\"\\u043d\":1}", "bad_request", "" },
};

static void test_read(void **state) {
    (void)state;
    for (size_t i = 0; i < JD_COUNT(reads); i++) {
        NetError err = { 0 };
        Target target = { .number = 5 };
        json_t *object = net_json_parse(jd_str(reads[i].text), &err);
        assert_non_null(object);
        const bool ok = net_json_read(object, fields, JD_COUNT(fields), &target, &err);
        if (ok != (reads[i].code == NULL) || (!ok && (strcmp(err.code, reads[i].code) != 0 ||
                                                      strcmp(err.field, reads[i].field) != 0)))
            fail_msg("reads[%zu] %s: %s %s, expected %s %s", i, reads[i].text,
                     ok ? "accepted" : err.code, err.field,
                     reads[i].code == NULL ? "accepted" : reads[i].code, reads[i].field);
        json_decref(object);
    }
}

static void test_read_fills(void **state) {
    (void)state;
    NetError err = { 0 };
    Target target = { .number = 5 };
    json_t *object = net_json_parse(JD_STR("{\"text\":\"\\u0436!\",\"flag\":true}"), &err);
    assert_true(net_json_read(object, fields, JD_COUNT(fields), &target, &err));
    assert_true(jd_str_equal(target.text, JD_STR("\xd0\xb6!")));
    assert_true(target.flag);
    assert_int_equal(target.number, 5); // absent: as it was
    json_decref(object);
}

// ---- writing ------------------------------------------------------------------------------------

static void test_write(void **state) {
    (void)state;
    NetBuf *out = net_buf_new();
    json_out_open(out, '{');
    json_out_key_int(out, "min", INT64_MIN);
    json_out_key_cstr(out, "none", NULL);
    json_out_key(out, "list");
    json_out_open(out, '[');
    json_out_open(out, '{');
    json_out_close(out, '}');
    json_out_int(out, 1);
    json_out_bool(out, true);
    json_out_open(out, '[');
    json_out_close(out, ']');
    json_out_close(out, ']');
    json_out_key_text(out, "text", jd_str_n("\"\\\n\0\x1f\x7f\xd0\xb6", 8));
    json_out_key_bool(out, "no", false);
    json_out_key_time(out, "never", -1);
    json_out_key_null(out, "null");
    json_out_close(out, '}');
    assert_false(out->failed);
    json_error_t fault;
    json_t *back = json_loadb((const char *)out->data, out->size,
                              JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, &fault);
    if (back == NULL)
        fail_msg("%.*s: %s", (int)out->size, (const char *)out->data, fault.text);
    assert_true(json_integer_value(json_object_get(back, "min")) == INT64_MIN);
    assert_true(json_is_null(json_object_get(back, "none")));
    assert_int_equal(json_array_size(json_object_get(back, "list")), 4);
    const json_t *text = json_object_get(back, "text");
    assert_int_equal(json_string_length(text), 8);
    assert_memory_equal(json_string_value(text), "\"\\\n\0\x1f\x7f\xd0\xb6", 8);
    assert_true(json_is_null(json_object_get(back, "never")));
    json_decref(back);
    net_buf_drop(out);
}

static void test_buffer_has_a_limit(void **state) {
    (void)state;
    static char block[1024 * 1024];
    NetBuf *out = net_buf_new();
    for (int i = 0; i < 8; i++)
        net_buf_add(out, block, sizeof(block));
    assert_false(out->failed);
    assert_int_equal(out->size, NET_BUF_MAX);
    net_buf_add(out, "x", 1);
    assert_true(out->failed);
    assert_int_equal(out->size, NET_BUF_MAX);
    net_buf_drop(net_buf_hold(out));
    net_buf_drop(out);
}

static void test_error_object(void **state) {
    (void)state;
    NetError err = { 0 };
    char name[200];
    // A sentence cut in the middle of a character is sent without the rest of it.
    memset(name, 'x', sizeof(name));
    memcpy(name + 158, "\xd0\xb6", 3);
    net_fail(&err, "nick_taken", "nick", "%s", name);
    err.retry_after = 3;
    NetBuf *out = net_buf_new();
    net_error_write(out, &err, 0);
    json_t *back = json_loadb((const char *)out->data, out->size, 0, NULL);
    assert_non_null(back);
    assert_string_equal(json_string_value(json_object_get(back, "code")), "nick_taken");
    assert_string_equal(json_string_value(json_object_get(back, "field")), "nick");
    assert_int_equal(json_integer_value(json_object_get(back, "retry_after")), 3);
    assert_null(json_object_get(back, "ref"));
    json_decref(back);
    net_buf_drop(out);
    assert_int_equal(net_error_status("nick_taken"), 422);
    assert_int_equal(net_error_status("no such code"), 500);
    assert_false(net_error_known("no such code"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parse),        cmocka_unit_test(test_read),
        cmocka_unit_test(test_read_fills),   cmocka_unit_test(test_write),
        cmocka_unit_test(test_error_object), cmocka_unit_test(test_buffer_has_a_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
