// SPDX-License-Identifier: GPL-3.0-or-later
//
// A letter as it goes over the wire, and the settings of the mail server.
#include "../check.h"

#include "net/smtp.h"

#define NOON ((JdInstant) { INT64_C(1760000000000) }) // Thu, 9 Oct 2025 08:53:20 UTC

static const struct {
    const char *url;
    const char *from;
    bool ok;
    bool tls_must;
} settings[] = {
    { "smtp://127.0.0.1:25", "club@chess.example", true, false },
    { "smtp://mail.example", "Club <club@chess.example>", true, false },
    { "smtp://user:secret@mail.example:587", "club@chess.example", true, true },
    { "smtps://user:secret@mail.example", "club@chess.example", true, true },
    { "smtp://user:secret@localhost", "club@chess.example", true, false },
    { "http://mail.example", "club@chess.example", false, false },
    { "mail.example:25", "club@chess.example", false, false },
    { "smtp://mail.example", "nobody", false, false },
    { "smtp://mail.example", "Club <nobody>", false, false },
};

static void test_settings(void **state) {
    (void)state;
    for (size_t i = 0; i < JD_COUNT(settings); i++) {
        atomic_bool stop = false;
        NetSmtp smtp;
        JdErr err = { 0 };
        const bool ok = net_smtp_init(&smtp, settings[i].url, settings[i].from, &stop, &err);
        if (ok != settings[i].ok || (ok && smtp.tls_must != settings[i].tls_must))
            fail_msg("settings[%zu]: %s", i, ok ? "accepted" : err.text);
        if (!ok && strstr(err.text, "secret") != NULL)
            fail_msg("settings[%zu]: the password stands in \"%s\"", i, err.text);
    }
}

static char *message(const char *from, const PagesLetter *letter) {
    static char text[NET_SMTP_MESSAGE_MAX];
    atomic_bool stop = false;
    NetSmtp smtp;
    JdErr err = { 0 };
    JdOut out = jd_out(text, sizeof text - 1);
    assert_true(net_smtp_init(&smtp, "smtp://127.0.0.1", from, &stop, &err));
    assert_true(net_smtp_message(&smtp, letter, NOON, &out));
    text[out.size] = '\0';
    return text;
}

static void assert_has(const char *text, const char *part) {
    if (strstr(text, part) == NULL)
        fail_msg("no \"%s\" in\n%s", part, text);
}

static void test_message(void **state) {
    (void)state;
    const PagesLetter letter = { .to = "anna@example.org",
                                 .subject = "Your code: 123456",
                                 .body = "Line one\nLine two\n",
                                 .unsubscribe = "https://chess.example/u/1" };
    const char *text = message("Chess \"club\" <club@chess.example>", &letter);
    assert_has(text, "Date: Thu, 9 Oct 2025 08:53:20 +0000\r\n");
    assert_has(text, "From: \"Chess club\" <club@chess.example>\r\n");
    assert_has(text, "To: <anna@example.org>\r\n");
    assert_has(text, "@chess.example>\r\nSubject: Your code: 123456\r\n");
    assert_has(text, "List-Unsubscribe: <https://chess.example/u/1>\r\n");
    assert_has(text, "\r\n\r\nTGluZSBvbmUNCkxpbmUgdHdvDQo=\r\n"); // CRLF inside
}

// Words of other alphabets are encoded, cut between characters, no line above 76.
static void test_encoded_words(void **state) {
    (void)state;
    PagesLetter letter = { .to = "a@b.cd",
                           .subject = "Подтвердите адрес электронной почты",
                           .body = "" };
    for (int i = 0; i < 400; i++)
        memcpy(letter.body + 2 * i, "ы", 2);
    const char *text = message("Клуб <club@chess.example>", &letter);
    assert_has(text, "From: =?UTF-8?B?0JrQu9GD0LE=?= <club@chess.example>\r\n");
    assert_has(text,
               "Subject: =?UTF-8?B?0J/QvtC00YLQstC10YDQtNC40YLQtSDQsNC00YDQtdGBINGN0Ls=?=\r\n "
               "=?UTF-8?B?");
    assert_null(strstr(text, "List-Unsubscribe"));
    for (const char *line = text; *line != '\0';) {
        const char *end = strstr(line, "\r\n");
        assert_non_null(end);
        assert_in_range(end - line, 0, 76);
        line = end + 2;
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_settings),
        cmocka_unit_test(test_message),
        cmocka_unit_test(test_encoded_words),
    };
    return cmocka_run_group_tests_name("net/smtp", tests, NULL, NULL);
}
