// SPDX-License-Identifier: GPL-3.0-or-later
//
// Letters: their texts, the queue, and when one is tried again.
#include "support.h"

#include "pages/internal.h"

static int woken;
static void on_letter(void *context) {
    ++*(int *)context;
}

static const PagesConfig with_mail = {
    .registrations_per_hour = 1000,
    .site = "https://chess.example",
    .mail = true,
    .mail_waits = on_letter,
    .context = &woken,
};

typedef struct Enqueue {
    House *house;
    PagesMail mail;
} Enqueue;

static bool enqueue_job(StoreDb *db, void *arg, JdErr *err) {
    const Enqueue *job = arg;
    return pages_mail_enqueue(job->house->pages, db, &job->mail, job->house->now, err);
}

static bool enqueue(House *house, const PagesMail *mail, JdErr *err) {
    Enqueue job = { .house = house, .mail = *mail };
    return store_write(house->store, enqueue_job, &job, err);
}

// The next letter that is due; fails the test when there is none.
static PagesLetter take(House *house) {
    PagesLetter letter;
    bool found = false;
    int64_t next_ms = 0;
    JdErr err = { 0 };
    if (!pages_mail_take(house->pages, house->now, &letter, &found, &next_ms, &err))
        fail_msg("take: %s", err.text);
    if (!found)
        fail_msg("no letter is due before %lld", (long long)next_ms);
    return letter;
}

static int64_t next_of(House *house) {
    PagesLetter letter;
    bool found = false;
    int64_t next_ms = 0;
    JdErr err = { 0 };
    assert_true(pages_mail_take(house->pages, house->now, &letter, &found, &next_ms, &err));
    assert_false(found);
    return next_ms;
}

static const PagesMail a_code = {
    .kind = "code",
    .address = { "anna@example.org", 16 },
    .language = { "ro", 2 },
    .words = { { "code", { "123456", 6 } } },
};

static void test_a_letter(void **state) {
    (void)state;
    woken = 0;
    House *house = house_open(&with_mail);
    JdErr err = { 0 };
    assert_true(enqueue(house, &a_code, &err));
    assert_int_equal(woken, 1);
    const PagesLetter letter = take(house);
    assert_string_equal(letter.to, "anna@example.org");
    assert_string_equal(letter.subject, "Codul tău: 123456");
    assert_non_null(strstr(letter.body, "pe https://chess.example:\n\n123456\n"));
    assert_int_equal(letter.tries, 1);
    assert_true(pages_mail_done(house->pages, letter.id, &err));
    assert_int_equal(next_of(house), INT64_MAX);
    house_close(house);
}

// A subject cannot bring a header of its own.
static void test_one_line(void **state) {
    (void)state;
    House *house = house_open(&with_mail);
    PagesMail mail = a_code;
    mail.words[0].value = JD_STR("1\r\nBcc: all@example.org");
    JdErr err = { 0 };
    assert_true(enqueue(house, &mail, &err));
    assert_string_equal(take(house).subject, "Codul tău: 1  Bcc: all@example.org");
    house_close(house);
}

static void test_refusals(void **state) {
    (void)state;
    House *house = house_open(&with_mail);
    PagesMail mail = a_code;
    JdErr err = { 0 };
    mail.kind = "no_such_letter";
    assert_false(enqueue(house, &mail, &err));
    assert_non_null(strstr(err.text, "no_such_letter"));
    mail = a_code;
    mail.words[0].name = NULL;
    assert_false(enqueue(house, &mail, &err));
    assert_non_null(strstr(err.text, "{code}"));
    assert_int_equal(next_of(house), INT64_MAX);
    house_close(house);
}

// Nobody is written to whose address is not confirmed, and nothing waits where no mail is sent.
static void test_nobody_to_write_to(void **state) {
    (void)state;
    House *house = house_open(&with_mail);
    PagesSession anna;
    assert_code(register_as(house, "Anna", "a long good password", &anna), "ok", "");
    PagesMail mail = a_code;
    mail.address = JD_STR("");
    mail.account = anna.me.account;
    JdErr err = { 0 };
    assert_true(enqueue(house, &mail, &err));
    assert_int_equal(next_of(house), INT64_MAX);
    house_reopen(house, NULL);
    assert_true(enqueue(house, &a_code, &err));
    assert_int_equal(next_of(house), INT64_MAX);
    house_close(house);
}

// Seconds from the first try to the others, and the end after two days.
static void test_tried_again(void **state) {
    (void)state;
    static const int hour = 3600;
    const int seconds[] = { 0,         5,         60,        300,      900,
                            hour,      2 * hour,  4 * hour,  8 * hour, 16 * hour,
                            24 * hour, 32 * hour, 40 * hour, 48 * hour };
    House *house = house_open(&with_mail);
    JdErr err = { 0 };
    assert_true(enqueue(house, &a_code, &err));
    const JdInstant start = house->now;
    for (size_t i = 0; i < JD_COUNT(seconds); i++) {
        house->now.ms = start.ms + seconds[i] * SECOND - 1;
        if (i > 0)
            assert_int_equal(next_of(house), start.ms + seconds[i] * SECOND);
        house->now.ms++;
        const PagesLetter letter = take(house);
        assert_int_equal(letter.tries, i + 1);
        assert_int_equal(letter.last_try, i + 1 == JD_COUNT(seconds));
    }
    house_close(house);
}

// Letters survive a restart, and the one due first goes first.
static void test_order(void **state) {
    (void)state;
    House *house = house_open(&with_mail);
    JdErr err = { 0 };
    PagesMail mail = a_code;
    assert_true(enqueue(house, &mail, &err));
    assert_int_equal(take(house).tries, 1);
    mail.words[0].value = JD_STR("777777");
    assert_true(enqueue(house, &mail, &err));
    house_reopen(house, &with_mail);
    assert_string_equal(take(house).subject, "Codul tău: 777777");
    house->now.ms += MINUTE;
    assert_string_equal(take(house).subject, "Codul tău: 123456");
    house_close(house);
}

// Every letter in every language: filled, in its own alphabet, with the letters of Romanian.
static void test_texts(void **state) {
    (void)state;
    size_t languages = 0;
    for (size_t i = 0; i < mail_texts_count; i++) {
        const PagesText *text = &mail_texts[i];
        const bool russian = strcmp(text->language, "ru") == 0;
        languages += strcmp(text->name, "confirm") == 0;
        if (text->subject[0] == '\0' || strlen(text->text) < 20)
            fail_msg("%s %s: empty", text->language, text->name);
        if (russian != (strstr(text->text, "\u0438") != NULL))
            fail_msg("%s %s: in another alphabet", text->language, text->name);
        if (strstr(text->text, "\u015f") != NULL || strstr(text->text, "\u0163") != NULL)
            fail_msg("%s %s: a cedilla for a comma below", text->language, text->name);
    }
    assert_int_equal(languages, 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_letter),    cmocka_unit_test(test_one_line),
        cmocka_unit_test(test_refusals),    cmocka_unit_test(test_nobody_to_write_to),
        cmocka_unit_test(test_tried_again), cmocka_unit_test(test_order),
        cmocka_unit_test(test_texts),
    };
    return cmocka_run_group_tests_name("pages/mail", tests, NULL, NULL);
}
