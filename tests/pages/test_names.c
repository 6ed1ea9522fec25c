// SPDX-License-Identifier: GPL-3.0-or-later
//
// The rules that stand alone: nicks (S-002, S-003), skeletons, e-mail addresses (S-004), passwords
// (S-005), addresses and codes.
#include "support.h"

static void check_nick(void *context, int line, JdStr *words) {
    PagesNick nick = { "untouched" };
    JdErr err = { 0 };
    const bool ok = pages_nick_check(words[0], &nick, &err);
    const char *code = ok ? "ok" : pages_code_name((PagesCode)err.code);
    if (!jd_str_equal(jd_str(code), words[1])) {
        print_error("nicks.txt:%d: %.*s: %s, expected %.*s\n", line, JD_PRINT(words[0]), code,
                    JD_PRINT(words[1]));
        ++*(int *)context;
    }
    if (!ok) {
        assert_string_equal(nick.text, "untouched");
        assert_string_equal(err.field, "nick");
        assert_true(strlen(err.text) > 0);
    }
}

static void test_nicks(void **state) {
    (void)state;
    int wrong = 0;
    each_row("nicks.txt", 2, check_nick, &wrong);
    assert_int_equal(wrong, 0);
}

static void test_nick_is_trimmed_and_composed(void **state) {
    (void)state;
    PagesNick nick;
    JdErr err = { 0 };
    assert_true(pages_nick_check(JD_STR("  Jose\xcc\x81\n"), &nick, &err));
    assert_string_equal(nick.text, "Jos\xc3\xa9");
    assert_false(pages_nick_check(JD_STR(""), &nick, &err));
    assert_int_equal(err.code, PAGES_NICK_LENGTH);
    assert_false(pages_nick_check(JD_STR("      "), &nick, &err));
    assert_int_equal(err.code, PAGES_NICK_LENGTH);
    // a bomb of combining marks
    char bomb[1000];
    bomb[0] = 'a';
    for (size_t i = 1; i + 1 < sizeof bomb; i += 2)
        memcpy(bomb + i, "\xcc\x81", 2);
    assert_false(pages_nick_check(jd_str_n(bomb, sizeof bomb - 1), &nick, &err));
    assert_int_equal(err.code, PAGES_NICK_LENGTH);
    char big[5000];
    memset(big, 'a', sizeof big);
    assert_false(pages_nick_check(jd_str_n(big, sizeof big), &nick, &err));
    assert_int_equal(err.code, PAGES_BAD_TEXT);
}

static void check_pair(void *context, int line, JdStr *words) {
    char left[PAGES_SKELETON_SIZE];
    char right[PAGES_SKELETON_SIZE];
    if (!pages_nick_skeleton(words[0], left) || !pages_nick_skeleton(words[2], right))
        fail_msg("look_alikes.txt:%d: no skeleton", line);
    const bool same = strcmp(left, right) == 0;
    if (same != jd_str_equal(words[1], JD_STR("="))) {
        print_error("look_alikes.txt:%d: %.*s is %s, %.*s is %s\n", line, JD_PRINT(words[0]), left,
                    JD_PRINT(words[2]), right);
        ++*(int *)context;
    }
}

static void test_look_alikes(void **state) {
    (void)state;
    int wrong = 0;
    each_row("look_alikes.txt", 3, check_pair, &wrong);
    assert_int_equal(wrong, 0);
    char out[PAGES_SKELETON_SIZE];
    assert_false(pages_nick_skeleton(JD_STR("a b"), out)); // none that could be a nick
    assert_false(pages_nick_skeleton(JD_STR("ab"), out));
    assert_false(pages_nick_skeleton(JD_STR("\xff\xff\xff"), out));
}

// The longest skeleton there can be still fits.
static void test_longest_skeleton(void **state) {
    (void)state;
    char out[PAGES_SKELETON_SIZE];
    char nick[64] = "";
    for (int i = 0; i < 20; i++)
        strcat(nick, i % 2 == 0 ? "æ" : "ß");
    assert_true(pages_nick_skeleton(jd_str(nick), out));
    assert_int_equal(strlen(out), 40);
}

static void test_emails(void **state) {
    (void)state;
    static const struct {
        const char *email;
        const char *key; // NULL: refused
        uint32_t offset;
    } emails[] = {
        { "anna@example.org", "anna@example.org", 0 },
        { "  anna@example.org ", "anna@example.org", 0 },
        { "Anna@EXAMPLE.Org", "Anna@example.org", 0 },
        { "anna+chess@example.org", "anna@example.org", 0 },
        { "anna+a+b@example.org", "anna@example.org", 0 },
        { "+chess@example.org", "+chess@example.org", 0 },
        { "a.b-c_d!#$%&'*/=?^`{|}~@a-b.c0.museum", "a.b-c_d!#$%&'*/=?^`{|}~@a-b.c0.museum", 0 },
        { "x@xn--80ak6aa92e.xn--p1ai", "x@xn--80ak6aa92e.xn--p1ai", 0 },
        { "", NULL, 0 },
        { "anna", NULL, 4 },
        { "@example.org", NULL, 0 },
        { "anna@", NULL, 5 },
        { "anna@localhost", NULL, 5 },
        { "anna@example.", NULL, 13 },
        { "anna@.org", NULL, 5 },
        { "anna@exa..org", NULL, 9 },
        { "anna@-example.org", NULL, 5 },
        { "anna@example-.org", NULL, 12 },
        { "anna@exam_ple.org", NULL, 9 },
        { "anna@192.0.2.1", NULL, 13 },
        { "anna@@example.org", NULL, 5 },
        { ".anna@example.org", NULL, 0 },
        { "anna.@example.org", NULL, 4 },
        { "an..na@example.org", NULL, 3 },
        { "an na@example.org", NULL, 2 },
        { "\"anna\"@example.org", NULL, 0 },
        { "anna@example.org, bob@example.org", NULL, 16 },
        { "анна@example.org", NULL, 0 },
    };
    for (size_t i = 0; i < JD_COUNT(emails); i++) {
        char key[PAGES_EMAIL_MAX + 1] = "";
        JdErr err = { 0 };
        const bool ok = pages_email_check(jd_str(emails[i].email), key, &err);
        if (ok != (emails[i].key != NULL) || (ok && strcmp(key, emails[i].key) != 0) ||
            (!ok && (err.code != PAGES_EMAIL_BAD || err.offset != emails[i].offset)))
            fail_msg("\"%s\": %s %s (offset %u: %s)", emails[i].email, ok ? "ok" : "refused", key,
                     (unsigned)err.offset, err.text);
    }
    // 64 characters before the @, 63 in a label, 254 in all
    char text[300];
    char key[PAGES_EMAIL_MAX + 1];
    const struct {
        int local, label, labels;
        bool ok;
    } sizes[] = { { 64, 10, 1, true }, { 65, 10, 1, false }, { 1, 63, 1, true },
                  { 1, 64, 1, false }, { 63, 62, 3, true },  { 64, 61, 3, true },
                  { 64, 62, 3, true }, { 64, 63, 3, false } };
    for (size_t i = 0; i < JD_COUNT(sizes); i++) {
        size_t size = 0;
        for (int n = 0; n < sizes[i].local; n++)
            text[size++] = 'a';
        for (int label = 0; label < sizes[i].labels; label++) {
            text[size++] = label == 0 ? '@' : '.';
            for (int n = 0; n < sizes[i].label; n++)
                text[size++] = 'b';
        }
        size += (size_t)snprintf(text + size, sizeof text - size, ".o");
        const bool fits = size <= PAGES_EMAIL_MAX;
        assert_int_equal(pages_email_check(jd_str_n(text, size), key, NULL), sizes[i].ok && fits);
    }
}

static void test_passwords(void **state) {
    (void)state;
    static const struct {
        const char *password;
        const char *nick;
        const char *email;
        PagesCode code;
    } passwords[] = {
        { "correct horse", "anna", "", PAGES_OK },
        { "1234567", "", "", PAGES_PASSWORD_LENGTH },
        { "", "", "", PAGES_PASSWORD_LENGTH },
        { "ёжикёжи", "", "", PAGES_PASSWORD_LENGTH }, // 7 characters in 14 bytes
        { "ёжикёжик", "", "", PAGES_OK },             // 8
        { "        ", "", "", PAGES_OK },             // blanks are characters
        { "♔♕♖♗♘♙♚♛", "", "", PAGES_OK },
        { "e\xcc\x81"
          "234567",
          "", "", PAGES_PASSWORD_LENGTH }, // 7 after composition
        { "password", "", "", PAGES_PASSWORD_WEAK },
        { "PassWord", "", "", PAGES_PASSWORD_WEAK },
        { "12345678", "", "", PAGES_PASSWORD_WEAK },
        { "qwertyuiop", "", "", PAGES_PASSWORD_WEAK },
        { "zxcvbnm123", "", "", PAGES_PASSWORD_WEAK }, // the last of the list
        { "0.0.0.000", "", "", PAGES_PASSWORD_WEAK },  // and its first
        { "йцукенгш", "", "", PAGES_PASSWORD_WEAK },
        { "ПАРОЛЬ123", "", "", PAGES_PASSWORD_WEAK },
        { "parola123", "", "", PAGES_PASSWORD_WEAK },
        { "ilovechess", "", "", PAGES_PASSWORD_WEAK },
        { "annakarenina", "AnnaKarenina", "", PAGES_PASSWORD_WEAK },
        { "AnnaKarenina1", "AnnaKarenina", "", PAGES_OK },
        { "anna@example.org", "x", "anna@example.org", PAGES_PASSWORD_WEAK },
        { "annakarenina", "x", "AnnaKarenina@example.org", PAGES_PASSWORD_WEAK },
        { "annas\xff"
          "ecret",
          "", "", PAGES_BAD_TEXT },
    };
    for (size_t i = 0; i < JD_COUNT(passwords); i++) {
        JdErr err = { 0 };
        const bool ok =
            pages_password_check(jd_str(passwords[i].password), jd_str(passwords[i].nick),
                                 jd_str(passwords[i].email), &err);
        if ((ok ? PAGES_OK : (PagesCode)err.code) != passwords[i].code)
            fail_msg("\"%s\": %s", passwords[i].password, ok ? "ok" : err.text);
    }
    char text[130 * 4];
    JdErr err = { 0 };
    for (int i = 0; i < 129; i++)
        memcpy(text + 4 * i, "\xf0\x9f\x98\x80", 4);
    assert_true(pages_password_check(jd_str_n(text, 128 * 4), JD_STR(""), JD_STR(""), &err));
    assert_false(pages_password_check(jd_str_n(text, 129 * 4), JD_STR(""), JD_STR(""), &err));
    assert_int_equal(err.code, PAGES_PASSWORD_LENGTH);
    assert_false(pages_password_check(JD_STR("nul\0nul\0nul"), JD_STR(""), JD_STR(""), &err));
    assert_int_equal(err.code, PAGES_BAD_TEXT);
}

static void test_addresses(void **state) {
    (void)state;
    static const struct {
        const char *text;
        bool ok;
    } texts[] = { { "192.0.2.1", true },
                  { "::1", true },
                  { "2001:db8::1", true },
                  { "", false },
                  { "192.0.2", false },
                  { "192.0.2.256", false },
                  { "[::1]", false },
                  { "192.0.2.1:80", false },
                  { "fe80::1%eth0", false },
                  { "0000:0000:0000:0000:0000:ffff:192.168.100.228", true },
                  { "0000:0000:0000:0000:0000:ffff:192.168.100.2281", false } };
    for (size_t i = 0; i < JD_COUNT(texts); i++) {
        PagesAddress out;
        if (pages_address_parse(jd_str(texts[i].text), &out) != texts[i].ok)
            fail_msg("\"%s\"", texts[i].text);
    }
    const PagesAddress four = address("192.0.2.1");
    const PagesAddress mapped = address("::ffff:192.0.2.1");
    assert_memory_equal(&four, &mapped, sizeof four);
}

static void test_codes(void **state) {
    (void)state;
    for (int code = PAGES_OK; code <= PAGES_UNAVAILABLE; code++) {
        assert_true(strlen(pages_code_name((PagesCode)code)) > 1);
        assert_in_range(pages_code_status((PagesCode)code), 200, 503);
    }
    assert_int_equal(pages_code_status(PAGES_NICK_TAKEN), 422);
    assert_string_equal(pages_code_name((PagesCode)99), "internal");
    assert_int_equal(pages_code_status((PagesCode)99), 500);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nicks),       cmocka_unit_test(test_nick_is_trimmed_and_composed),
        cmocka_unit_test(test_look_alikes), cmocka_unit_test(test_longest_skeleton),
        cmocka_unit_test(test_emails),      cmocka_unit_test(test_passwords),
        cmocka_unit_test(test_addresses),   cmocka_unit_test(test_codes),
    };
    return cmocka_run_group_tests_name("pages/names", tests, NULL, NULL);
}
