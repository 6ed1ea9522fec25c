// SPDX-License-Identifier: GPL-3.0-or-later
//
// Registering, logging in and out, sessions, changing and erasing an account.
#include "support.h"

#include "../store/database.h"

#include <stdlib.h>

#define GOOD "a long good password"

// ---- registering --------------------------------------------------------------------------------

static void test_register(void **state) {
    (void)state;
    House *house = house_open(NULL);
    PagesSession session;
    assert_code(register_mail(house, " Anna_K ", " Anna+chess@Example.org ", GOOD, &session), "ok",
                "");
    assert_string_equal(session.me.nick, "Anna_K");
    assert_string_equal(session.me.email, "Anna+chess@Example.org");
    assert_string_equal(session.me.language, "ru");
    assert_int_equal(session.me.created_ms, NOON.ms);
    assert_in_range(session.me.account, 1, (INT64_C(1) << 53) - 1);
    assert_int_equal(strlen(session.token), PAGES_TOKEN_TEXT);
    assert_int_equal(
        strspn(session.token, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"),
        PAGES_TOKEN_TEXT);
    assert_int_equal(session.max_age_s, 0);
    assert_string_equal(nick_of(house, session.token), "Anna_K");
    house_close(house);
}

// One field spoils a good form; nothing is stored.
static void test_register_refusals(void **state) {
    (void)state;
    House *house = house_open(NULL);
    assert_code(register_as(house, "taken", GOOD, NULL), "ok", "");
    const PagesRegister good = { .nick = JD_STR("somebody"),
                                 .password = JD_STR(GOOD),
                                 .password2 = JD_STR(GOOD),
                                 .language = JD_STR("en"),
                                 .accept_rules = true,
                                 .address = address("192.0.2.7") };
    struct {
        PagesRegister form;
        const char *code;
        const char *field;
    } cases[] = {
        { good, "nick_length", "nick" },
        { good, "nick_characters", "nick" },
        { good, "nick_mixed_script", "nick" },
        { good, "nick_reserved", "nick" },
        { good, "nick_obscene", "nick" },
        { good, "nick_taken", "nick" },
        { good, "nick_taken", "nick" },
        { good, "email_bad", "email" },
        { good, "password_length", "password" },
        { good, "password_weak", "password" },
        { good, "password_weak", "password" },
        { good, "password_mismatch", "password2" },
        { good, "rules_not_accepted", "accept_rules" },
        { good, "bad_request", "language" },
        { good, "bad_request", "language" },
        { good, "bad_text", "nick" },
        { good, "bad_text", "password" },
        { good, "bad_text", "email" },
    };
    cases[0].form.nick = JD_STR("");
    cases[1].form.nick = JD_STR("some body");
    cases[2].form.nick = JD_STR("somеbody");
    cases[3].form.nick = JD_STR("admin");
    cases[4].form.nick = JD_STR("fuckup");
    cases[5].form.nick = JD_STR("Taken");
    cases[6].form.nick = JD_STR("tаkеn"); // two Cyrillic letters: mixed, before it is taken
    cases[6].code = "nick_mixed_script";
    cases[7].form.email = JD_STR("somebody@");
    cases[8].form.password = cases[8].form.password2 = JD_STR("short");
    cases[9].form.password = cases[9].form.password2 = JD_STR("password1");
    cases[10].form.password = cases[10].form.password2 = JD_STR("SomeBody");
    cases[11].form.password2 = JD_STR("another good password");
    cases[12].form.accept_rules = false;
    cases[13].form.language = JD_STR("");
    cases[14].form.language = JD_STR("de");
    cases[15].form.nick = JD_STR("some\xff");
    cases[16].form.password = cases[16].form.password2 = JD_STR("12345678\xff");
    cases[17].form.email = JD_STR("a\0@example.org");
    for (size_t i = 0; i < JD_COUNT(cases); i++) {
        PagesSession session;
        PagesFault fault = { 0 };
        assert_false(pages_register(house->worker, &cases[i].form, house->now, &session, &fault));
        if (strcmp(pages_code_name((PagesCode)fault.err.code), cases[i].code) != 0 ||
            strcmp(fault.err.field, cases[i].field) != 0)
            fail_msg("case %zu: %s in \"%s\" (%s), expected %s in \"%s\"", i,
                     pages_code_name((PagesCode)fault.err.code), fault.err.field, fault.err.text,
                     cases[i].code, cases[i].field);
    }
    PagesSession session;
    PagesFault fault = { 0 };
    assert_true(pages_register(house->worker, &good, house->now, &session, &fault));
    house_close(house);
}

static void test_registration_closed(void **state) {
    (void)state;
    const PagesConfig closed = { .registration_closed = true };
    House *house = house_open(&closed);
    assert_code(register_as(house, "anna", GOOD, NULL), "closed", "");
    house_close(house);
}

static void test_registrations_per_block(void **state) {
    (void)state;
    const PagesConfig few = { .registrations_per_hour = 3 };
    House *house = house_open(&few);
    assert_code(register_as(house, "anna", GOOD, NULL), "ok", "");
    assert_code(register_as(house, "anna", GOOD, NULL), "nick_taken", ""); // costs nothing
    assert_code(register_as(house, "bella", "short", NULL), "password_length", "");
    assert_code(register_as(house, "bella", GOOD, NULL), "ok", "");
    house->now.ms += 20 * MINUTE;
    assert_code(register_as(house, "clara", GOOD, NULL), "ok", "");
    PagesRegister form = { .nick = JD_STR("diana"),
                           .password = JD_STR(GOOD),
                           .password2 = JD_STR(GOOD),
                           .language = JD_STR("en"),
                           .accept_rules = true,
                           .address = address("192.0.2.99") }; // the same block
    PagesSession session;
    PagesFault fault = { 0 };
    assert_false(pages_register(house->worker, &form, house->now, &session, &fault));
    assert_int_equal(fault.err.code, PAGES_RATE_LIMITED);
    assert_int_equal(fault.retry_after_s, 40 * 60);
    form.address = address("192.0.3.1");
    assert_true(pages_register(house->worker, &form, house->now, &session, &fault));
    house->now.ms += 40 * MINUTE;
    assert_code(register_as(house, "elena", GOOD, NULL), "ok", "");
    house_close(house);
}

// ---- logging in ---------------------------------------------------------------------------------

static void test_login(void **state) {
    (void)state;
    House *house = house_open(NULL);
    assert_code(register_mail(house, "Şerban", "s@example.org", "пароль с ёлкой", NULL), "ok", "");
    static const struct {
        const char *login, *password, *code;
    } cases[] = {
        { "Şerban", "пароль с ёлкой", "ok" },
        { "șerban", "пароль с ёлкой", "ok" }, // the other spelling of s
        { "SERBAN", "пароль с ёлкой", "ok" }, // a look-alike finds him
        { "  Şerban ", "пароль с ёлкой", "ok" },
        { "Şerban", "пароль с е\xcc\x88лкой", "ok" }, // the same letters, decomposed
        { "s@example.org", "пароль с ёлкой", "ok" },
        { "s+mail@EXAMPLE.org", "пароль с ёлкой", "ok" },
        { "Şerban", "пароль с елкой", "bad_credentials" },
        { "Şerban", "Пароль с ёлкой", "bad_credentials" },
        { "Şerban", "", "bad_credentials" },
        { "Serbana", "пароль с ёлкой", "bad_credentials" },
        { "t@example.org", "пароль с ёлкой", "bad_credentials" },
        { "@", "пароль с ёлкой", "bad_credentials" },
        { "", "", "bad_credentials" },
        { "Şer\xff", "пароль с ёлкой", "bad_text" },
        { "Şerban", "\xff", "bad_text" },
    };
    for (size_t i = 0; i < JD_COUNT(cases); i++) {
        char from[24]; // a block of its own, so that errors do not add up
        snprintf(from, sizeof from, "10.0.%d.1", (int)i);
        PagesSession session;
        const PagesCode code =
            login_from(house, cases[i].login, cases[i].password, from, &session, NULL);
        assert_code(code, cases[i].code, cases[i].login);
        if (code == PAGES_OK)
            assert_string_equal(session.me.nick, "Şerban");
    }
    char big[2048];
    memset(big, 'a', sizeof big - 1);
    big[sizeof big - 1] = '\0';
    assert_code(login_from(house, "Şerban", big, "10.1.1.1", NULL, NULL), "bad_credentials", "");
    house_close(house);
}

// No answer tells whether an address is known, and nobody can take one from another.
static void test_one_email_several_accounts(void **state) {
    (void)state;
    House *house = house_open(NULL);
    PagesSession session;
    const char *const nicks[] = { "anna", "bella", "clara", "diana" };
    for (size_t i = 0; i < JD_COUNT(nicks); i++) {
        char password[32];
        snprintf(password, sizeof password, "password of %s", nicks[i]);
        house->now.ms += SECOND;
        assert_code(register_mail(house, nicks[i], "one@example.org", password, &session), "ok",
                    "");
        assert_string_equal(session.me.email, "one@example.org");
        assert_code(login_as(house, "one@example.org", password, &session), "ok", nicks[i]);
        assert_string_equal(session.me.nick, nicks[i]);
    }
    // The newest three are tried; the first still has the nick.
    assert_code(login_as(house, "one@example.org", "password of bella", &session), "ok", "");
    assert_string_equal(session.me.nick, "bella");
    assert_code(login_as(house, "one@example.org", "password of anna", NULL), "bad_credentials",
                "");
    assert_code(login_as(house, "anna", "password of anna", NULL), "ok", "");
    house_close(house);
}

static void test_login_limits(void **state) {
    (void)state;
    House *house = house_open(NULL);
    assert_code(register_as(house, "anna", GOOD, NULL), "ok", "");
    assert_code(register_as(house, "bella", GOOD, NULL), "ok", "");
    uint32_t wait = 0;
    for (int i = 0; i < 10; i++) {
        house->now.ms += MINUTE;
        assert_code(login_from(house, i % 2 == 0 ? "anna" : "ANNA", "wrong password", "203.0.113.5",
                               NULL, NULL),
                    "bad_credentials", "");
    }
    assert_code(login_from(house, "anna", GOOD, "203.0.113.5", NULL, &wait), "rate_limited", "");
    assert_int_equal(wait, 15 * 60);
    assert_code(login_from(house, "anna", GOOD, "203.0.113.77", NULL, NULL), "rate_limited",
                "the same block");
    assert_code(login_from(house, "bella", GOOD, "203.0.113.5", NULL, NULL), "ok",
                "another account");
    assert_code(login_from(house, "anna", GOOD, "198.51.100.5", NULL, NULL), "ok", "another block");
    house->now.ms += 15 * MINUTE - 1;
    assert_code(login_from(house, "anna", GOOD, "203.0.113.5", NULL, &wait), "rate_limited", "");
    assert_int_equal(wait, 1);
    house->now.ms += 1;
    assert_code(login_from(house, "anna", GOOD, "203.0.113.5", NULL, NULL), "ok",
                "after the pause");

    // A right password clears the count; so does an hour.
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 9; i++)
            assert_code(login_as(house, "anna", "wrong password", NULL), "bad_credentials", "");
        if (round == 0)
            assert_code(login_as(house, "anna", GOOD, NULL), "ok", "");
        else
            house->now.ms += HOUR;
    }
    // A login that nobody has is counted like one that somebody has.
    for (int i = 0; i < 10; i++)
        assert_code(login_from(house, "nobody-here", GOOD, "2001:db8::5", NULL, NULL),
                    "bad_credentials", "");
    assert_code(login_from(house, "nobody-here", GOOD, "2001:db8::6", NULL, NULL), "rate_limited",
                "");
    assert_code(login_from(house, "nobody-here", GOOD, "2001:db8:0:1::6", NULL, NULL),
                "bad_credentials", "");
    house_close(house);
}

// 100 errors from one block, whatever accounts they were aimed at.
static void test_block_limit(void **state) {
    (void)state;
    House *house = house_open(NULL);
    assert_code(register_as(house, "anna", GOOD, NULL), "ok", "");
    for (int i = 0; i < 100; i++) {
        char login[24];
        snprintf(login, sizeof login, "victim-%d", i);
        if (i % 10 == 0) // these are no errors
            assert_code(login_from(house, "anna", GOOD, "203.0.113.9", NULL, NULL), "ok", "");
        assert_code(login_from(house, login, GOOD, "203.0.113.9", NULL, NULL), "bad_credentials",
                    login);
    }
    uint32_t wait = 0;
    assert_code(login_from(house, "anna", GOOD, "203.0.113.9", NULL, &wait), "rate_limited", "");
    assert_int_equal(wait, 15 * 60);
    assert_code(login_from(house, "anna", GOOD, "203.0.114.9", NULL, NULL), "ok", "");
    house_close(house);
}

// When hashes become dearer, each is made anew at its owner's next log-in.
static void test_rehash(void **state) {
    (void)state;
    House *house = house_open(NULL);
    assert_code(register_as(house, "anna", GOOD, NULL), "ok", "");
    const PagesConfig dearer = { .hash_passes = 2, .hash_memory_bytes = 16384 };
    house_reopen(house, &dearer);
    for (int round = 0; round < 2; round++) {
        assert_code(login_as(house, "anna", GOOD, NULL), "ok", "");
        const char *hash = test_database_text(house->dir, "SELECT password_hash FROM account");
        assert_ptr_equal(strstr(hash, "$argon2id$v=19$m=16,t=2,p=1$"), hash);
    }
    house_close(house);
}

// ---- sessions -----------------------------------------------------------------------------------

static bool remember(House *house, const char *nick, const char *old, bool keep,
                     PagesSession *out) {
    const PagesLogin form = { .login = jd_str(nick),
                              .password = JD_STR(GOOD),
                              .old_token = jd_str(old),
                              .remember = keep,
                              .address = address("192.0.2.1") };
    PagesFault fault = { 0 };
    return pages_login(house->worker, &form, house->now, out, &fault);
}

static void test_session_ends(void **state) {
    (void)state;
    House *house = house_open(NULL);
    PagesSession browser;
    PagesSession kept;
    assert_code(register_as(house, "anna", GOOD, NULL), "ok", "");
    assert_true(remember(house, "anna", "", false, &browser));
    assert_true(remember(house, "anna", "", true, &kept));
    assert_int_equal(browser.max_age_s, 0);
    assert_int_equal(kept.max_age_s, 30 * 24 * 3600);
    assert_string_not_equal(browser.token, kept.token);
    const int64_t start = house->now.ms;
    house->now.ms = start + 6 * DAY;
    assert_string_equal(nick_of(house, browser.token), "anna"); // which keeps it alive
    house->now.ms = start + 12 * DAY;
    assert_string_equal(nick_of(house, browser.token), "anna");
    house->now.ms = start + 19 * DAY;
    assert_string_equal(nick_of(house, browser.token), "");
    assert_string_equal(nick_of(house, kept.token), "anna");
    house->now.ms = start + 30 * DAY - 1;
    assert_string_equal(nick_of(house, kept.token), "anna");
    house->now.ms = start + 30 * DAY;
    assert_string_equal(nick_of(house, kept.token), "");
    house_close(house);
}

static void test_logout(void **state) {
    (void)state;
    House *house = house_open(NULL);
    PagesSession one;
    PagesSession two;
    PagesFault fault = { 0 };
    assert_code(register_as(house, "anna", GOOD, &one), "ok", "");
    assert_code(login_as(house, "anna", GOOD, &two), "ok", "");
    assert_true(pages_logout(house->worker, jd_str(one.token), house->now, &fault));
    assert_string_equal(nick_of(house, one.token), "");
    assert_string_equal(nick_of(house, two.token), "anna");
    assert_true(pages_logout(house->worker, jd_str(one.token), house->now, &fault));
    static const char *const tokens[] = { "",
                                          "x",
                                          "\xff",
                                          "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                                          "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
                                          "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" };
    for (size_t i = 0; i < JD_COUNT(tokens); i++) {
        assert_true(pages_logout(house->worker, jd_str(tokens[i]), house->now, &fault));
        assert_string_equal(nick_of(house, tokens[i]), "");
    }
    house_close(house);
}

// Sessions outlive the process; the token is in the database as a hash only.
static void test_sessions_are_stored_as_hashes(void **state) {
    (void)state;
    House *house = house_open(NULL);
    PagesSession session;
    assert_code(register_as(house, "anna", GOOD, &session), "ok", "");
    house_reopen(house, NULL);
    assert_string_equal(nick_of(house, session.token), "anna");
    static const char *const files[] = { "jadoube.db", "jadoube.db-wal" };
    bool nick_seen = test_on_postgres(); // there is no file of ours to look into
    for (size_t i = 0; i < JD_COUNT(files); i++) {
        char path[128];
        snprintf(path, sizeof path, "%s/%s", house->dir, files[i]);
        FILE *file = fopen(path, "rb");
        if (file == NULL)
            continue;
        static char bytes[1 << 20];
        const size_t size = fread(bytes, 1, sizeof bytes, file);
        fclose(file);
        nick_seen |= memmem(bytes, size, "anna", 4) != NULL;
        assert_null(memmem(bytes, size, session.token, PAGES_TOKEN_TEXT));
        assert_null(memmem(bytes, size, GOOD, strlen(GOOD)));
    }
    assert_true(nick_seen); // we did look in the right place
    house_close(house);
}

// S-017: the token is changed at each log-in, and an old one shown later was copied.
static void test_rotation(void **state) {
    (void)state;
    House *house = house_open(NULL);
    PagesSession first;
    PagesSession second;
    PagesSession phone;
    assert_code(register_as(house, "anna", GOOD, &first), "ok", "");
    assert_code(login_as(house, "anna", GOOD, &phone), "ok", "");
    assert_true(remember(house, "anna", first.token, true, &second));
    house->now.ms += 60 * SECOND; // a request that was under way
    assert_string_equal(nick_of(house, first.token), "");
    assert_string_equal(nick_of(house, second.token), "anna");
    assert_string_equal(nick_of(house, phone.token), "anna");
    house->now.ms += 1;
    assert_string_equal(nick_of(house, first.token), "");
    assert_string_equal(nick_of(house, second.token), "");
    assert_string_equal(nick_of(house, phone.token), "");
    assert_code(login_as(house, "anna", GOOD, NULL), "ok", "");
    house_close(house);
}

static void test_sessions_are_bounded(void **state) {
    (void)state;
    House *house = house_open(NULL);
    PagesSession sessions[PAGES_SESSIONS_MAX + 2];
    assert_code(register_as(house, "anna", GOOD, &sessions[0]), "ok", "");
    for (size_t i = 1; i < JD_COUNT(sessions); i++) {
        house->now.ms += SECOND;
        assert_code(login_as(house, "anna", GOOD, &sessions[i]), "ok", "");
    }
    for (size_t i = 0; i < JD_COUNT(sessions); i++)
        assert_string_equal(nick_of(house, sessions[i].token), i < 2 ? "" : "anna");
    house_close(house);
}

// ---- changing -----------------------------------------------------------------------------------

static PagesCode change(House *house, const PagesSession *session, const char *old,
                        const char *fresh, const char *again, char field[24]) {
    const PagesPassword form = { .account = session->me.account,
                                 .token = jd_str(session->token),
                                 .password = jd_str(old),
                                 .new_password = jd_str(fresh),
                                 .new_password2 = jd_str(again),
                                 .address = address("192.0.2.1") };
    PagesFault fault = { 0 };
    const bool ok = pages_password_change(house->worker, &form, house->now, &fault);
    memcpy(field, fault.err.field, 24);
    return ok ? PAGES_OK : (PagesCode)fault.err.code;
}

static void test_password_change(void **state) {
    (void)state;
    House *house = house_open(NULL);
    PagesSession here;
    PagesSession there;
    assert_code(register_mail(house, "anna", "anna@example.org", GOOD, &here), "ok", "");
    assert_code(login_as(house, "anna", GOOD, &there), "ok", "");
    static const struct {
        const char *old, *fresh, *again, *code, *field;
    } cases[] = {
        { "wrong", "another good one", "another good one", "bad_credentials", "password" },
        { GOOD, "short", "short", "password_length", "new_password" },
        { GOOD, "password1", "password1", "password_weak", "new_password" },
        { GOOD, "anna@example.org", "anna@example.org", "password_weak", "new_password" },
        { GOOD, "another good one", "another good two", "password_mismatch", "new_password2" },
        { GOOD, "\xff\xff\xff\xff\xff\xff\xff\xff", "x", "bad_text", "new_password" },
    };
    char field[24];
    for (size_t i = 0; i < JD_COUNT(cases); i++) {
        assert_code(change(house, &here, cases[i].old, cases[i].fresh, cases[i].again, field),
                    cases[i].code, cases[i].fresh);
        assert_string_equal(field, cases[i].field);
    }
    assert_string_equal(nick_of(house, there.token), "anna");
    assert_code(change(house, &here, GOOD, "another good one", "another good one", field), "ok",
                "");
    assert_string_equal(nick_of(house, here.token), "anna");
    assert_string_equal(nick_of(house, there.token), ""); // ended
    assert_code(login_as(house, "anna", GOOD, NULL), "bad_credentials", "");
    assert_code(login_as(house, "anna", "another good one", NULL), "ok", "");
    // Guessing with a stolen session is limited like logging in.
    for (int i = 0; i < 10; i++)
        assert_code(change(house, &here, "a guess", "yet another one", "yet another one", field),
                    "bad_credentials", "");
    assert_code(
        change(house, &here, "another good one", "yet another one", "yet another one", field),
        "rate_limited", "");
    house_close(house);
}

static void test_prefs(void **state) {
    (void)state;
    House *house = house_open(NULL);
    PagesSession session;
    PagesMe me;
    PagesFault fault = { 0 };
    assert_code(register_as(house, "anna", GOOD, &session), "ok", "");
    assert_true(pages_prefs(house->worker, session.me.account, JD_STR("ro"), &me, &fault));
    assert_string_equal(me.language, "ro");
    assert_true(pages_prefs(house->worker, session.me.account, JD_STR(""), &me, &fault));
    assert_string_equal(me.language, "ro");
    assert_false(pages_prefs(house->worker, session.me.account, JD_STR("fr"), &me, &fault));
    assert_int_equal(fault.err.code, PAGES_BAD_REQUEST);
    assert_string_equal(fault.err.field, "language");
    assert_false(pages_prefs(house->worker, 12345, JD_STR("ru"), &me, &fault));
    assert_int_equal(fault.err.code, PAGES_AUTH_REQUIRED);
    house_close(house);
}

static void test_delete(void **state) {
    (void)state;
    House *house = house_open(NULL);
    PagesSession session;
    PagesSession other;
    PagesFault fault = { 0 };
    PagesPlayer player;
    PagesNick nick;
    const PagesAddress from = address("192.0.2.1");
    assert_code(register_mail(house, "Secretiva", "hidden-address@example.org", GOOD, &session),
                "ok", "");
    assert_code(login_as(house, "secretiva", GOOD, &other), "ok", "");
    const int64_t id = session.me.account;
    assert_false(
        pages_account_delete(house->worker, id, JD_STR("wrong"), &from, house->now, &fault));
    assert_int_equal(fault.err.code, PAGES_BAD_CREDENTIALS);
    assert_string_equal(fault.err.field, "password");
    assert_true(pages_nicks(house->worker, &id, 1, &nick, &fault));
    assert_string_equal(nick.text, "Secretiva");
    assert_true(pages_account_delete(house->worker, id, JD_STR(GOOD), &from, house->now, &fault));

    assert_string_equal(nick_of(house, session.token), "");
    assert_string_equal(nick_of(house, other.token), "");

    // X-009: fourteen days to change one's mind.
    PagesErased erased;
    PagesMe me;
    assert_code(login_as(house, "secretiva", GOOD, &session), "ok", "");
    assert_int_equal(session.me.erase_after_ms, house->now.ms + 14 * DAY);
    assert_true(pages_account_stay(house->worker, id, house->now, &me, &fault));
    assert_int_equal(me.erase_after_ms, 0);
    assert_false(pages_account_stay(house->worker, id, house->now, &me, &fault));
    assert_int_equal(fault.err.code, PAGES_NOT_FOUND);
    house->now.ms += 14 * DAY;
    assert_true(pages_erase_due(house->worker, house->now, &erased, &fault));
    assert_int_equal(erased.count, 0);
    assert_true(pages_account_delete(house->worker, id, JD_STR(GOOD), &from, house->now, &fault));
    house->now.ms += 14 * DAY - 1;
    assert_true(pages_erase_due(house->worker, house->now, &erased, &fault));
    assert_int_equal(erased.count, 0);
    house->now.ms++;
    assert_true(pages_erase_due(house->worker, house->now, &erased, &fault));
    assert_int_equal(erased.count, 1);
    assert_int_equal(erased.accounts[0], id);

    assert_code(login_as(house, "secretiva", GOOD, NULL), "bad_credentials", "");
    assert_code(login_as(house, "hidden-address@example.org", GOOD, NULL), "bad_credentials", "");
    assert_false(pages_player(house->worker, JD_STR("Secretiva"), &player, &fault));
    assert_int_equal(fault.err.code, PAGES_NOT_FOUND);
    assert_true(pages_nicks(house->worker, &id, 1, &nick, &fault));
    assert_string_equal(nick.text, "");
    assert_code(register_as(house, "SECRETlVA", GOOD, NULL), "nick_taken", "reserved for ever");
    assert_false(pages_account_delete(house->worker, id, JD_STR(GOOD), &from, house->now, &fault));
    assert_int_equal(fault.err.code, PAGES_AUTH_REQUIRED);

    // Nothing of it is left in the file; the skeleton is written otherwise.
    house_reopen(house, NULL);
    if (test_on_postgres()) {
        house_close(house);
        return;
    }
    char path[128];
    snprintf(path, sizeof path, "%s/jadoube.db", house->dir);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    static char bytes[1 << 20];
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    assert_null(memmem(bytes, size, "Secretiva", 9));
    assert_null(memmem(bytes, size, "hidden-address", 14));
    house_close(house);
}

static int64_t number_of(House *house, const char *sql) {
    return strtoll(test_database_text(house->dir, sql), NULL, 10);
}

// S-014: a second account from the same browser is made, and noted; one from another is not.
static void test_second_account_is_noted(void **state) {
    (void)state;
    House *house = house_open(NULL);
    PagesSession first;
    PagesSession second;
    PagesFault fault = { 0 };
    assert_code(register_as(house, "Anna", GOOD, &first), "ok", "");
    assert_code(register_as(house, "Boris", GOOD, NULL), "ok", "");
    assert_int_equal(number_of(house, "SELECT count(*) FROM signal"), 0);
    const PagesRegister form = { .nick = JD_STR("Anna-Two"),
                                 .password = JD_STR(GOOD),
                                 .password2 = JD_STR(GOOD),
                                 .language = JD_STR("en"),
                                 .accept_rules = true,
                                 .token = jd_str(first.token),
                                 .address = address("192.0.2.9") };
    assert_true(pages_register(house->worker, &form, house->now, &second, &fault));
    assert_int_equal(number_of(house, "SELECT account FROM signal"), second.me.account);
    assert_int_equal(number_of(house, "SELECT other FROM signal"), first.me.account);
    house_close(house);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_register),
        cmocka_unit_test(test_register_refusals),
        cmocka_unit_test(test_registration_closed),
        cmocka_unit_test(test_registrations_per_block),
        cmocka_unit_test(test_login),
        cmocka_unit_test(test_one_email_several_accounts),
        cmocka_unit_test(test_login_limits),
        cmocka_unit_test(test_block_limit),
        cmocka_unit_test(test_rehash),
        cmocka_unit_test(test_session_ends),
        cmocka_unit_test(test_logout),
        cmocka_unit_test(test_sessions_are_stored_as_hashes),
        cmocka_unit_test(test_rotation),
        cmocka_unit_test(test_sessions_are_bounded),
        cmocka_unit_test(test_password_change),
        cmocka_unit_test(test_prefs),
        cmocka_unit_test(test_delete),
        cmocka_unit_test(test_second_account_is_noted),
    };
    return cmocka_run_group_tests_name("pages/accounts", tests, NULL, NULL);
}
