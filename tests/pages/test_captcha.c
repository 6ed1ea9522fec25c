// SPDX-License-Identifier: GPL-3.0-or-later
//
// The captcha (S-006 to S-009). Right answers are read out of the server's own memory: there is no
// other way to them.
#include "support.h"

#include <unistd.h>

#include "pages/captcha.h"

#define GOOD "a long good password"

static const PagesConfig with_pictures = {
    .registrations_per_hour = 1000,
    .captcha = PAGES_CAPTCHA_PICTURES,
};

static PagesCaptcha asked; // large: not on the stack

static PagesCode ask(House *house, PagesCaptchaWay way, const char *instead_of) {
    const PagesCaptchaAsk form = { .way = way,
                                   .language = JD_STR("ro"),
                                   .instead_of = jd_str(instead_of),
                                   .address = address("192.0.2.1") };
    PagesFault fault = { 0 };
    return pages_captcha_ask(house->worker, &form, house->now, &asked, &fault)
               ? PAGES_OK
               : (PagesCode)fault.err.code;
}

static const CaptchaEntry *entry_of(House *house, const char *id) {
    unsigned char hash[16];
    crypto_generichash(hash, sizeof hash, (const unsigned char *)id, strlen(id), NULL, 0);
    for (size_t i = 0; i < CAPTCHAS_MAX; i++)
        if (memcmp(house->pages->captchas->entries[i].hash, hash, sizeof hash) == 0)
            return &house->pages->captchas->entries[i];
    fail_msg("no captcha %s", id);
    return NULL;
}

static PagesCode answer(House *house, const char *id, uint32_t cells, const char *text) {
    char copy[PAGES_TOKEN_TEXT + 1];
    snprintf(copy, sizeof copy, "%s", id);
    const PagesCaptchaAnswer form = { .id = jd_str(copy),
                                      .has_cells = text == NULL,
                                      .cells = cells,
                                      .text = jd_str(text != NULL ? text : ""),
                                      .address = address("192.0.2.1") };
    PagesFault fault = { 0 };
    return pages_captcha_answer(house->worker, &form, house->now, &asked, &fault)
               ? PAGES_OK
               : (PagesCode)fault.err.code;
}

static PagesCode answer_right(House *house) {
    return answer(house, asked.id, entry_of(house, asked.id)->cells, NULL);
}

static PagesCode register_with(House *house, const char *nick, const char *pass) {
    const PagesRegister form = { .nick = jd_str(nick),
                                 .password = JD_STR(GOOD),
                                 .password2 = JD_STR(GOOD),
                                 .language = JD_STR("en"),
                                 .accept_rules = true,
                                 .captcha = jd_str(pass),
                                 .address = address("192.0.2.1") };
    PagesSession session;
    PagesFault fault = { 0 };
    return pages_register(house->worker, &form, house->now, &session, &fault)
               ? PAGES_OK
               : (PagesCode)fault.err.code;
}

// S-006: a pass is needed to register, is spent by it, and only by success.
static void test_registration(void **state) {
    (void)state;
    House *house = house_open(&with_pictures);
    assert_code(register_with(house, "Anna", ""), "captcha_required", "none");
    assert_code(register_with(house, "Anna", "nonsense"), "captcha_expired", "no pass");
    assert_code(ask(house, PAGES_CAPTCHA_PICTURES, ""), "ok", "");
    assert_code(register_with(house, "Anna", asked.id), "captcha_expired", "a question is no pass");
    assert_int_equal(memcmp(asked.png, "\x89PNG\r\n", 6), 0);
    assert_in_range(asked.png_size, 2000, PAGES_CAPTCHA_PNG_MAX);
    assert_code(answer_right(house), "ok", "");
    assert_true(asked.passed);
    char pass[PAGES_TOKEN_TEXT + 1];
    memcpy(pass, asked.id, sizeof pass);
    assert_code(register_with(house, "x", pass), "nick_length", "an error in the form");
    assert_code(register_with(house, "Anna", pass), "ok", "");
    assert_code(register_with(house, "Anna-2", pass), "captcha_expired", "once");
    house_close(house);
}

static void test_once_and_in_time(void **state) {
    (void)state;
    House *house = house_open(&with_pictures);
    assert_code(ask(house, PAGES_CAPTCHA_PICTURES, ""), "ok", "");
    char id[PAGES_TOKEN_TEXT + 1];
    memcpy(id, asked.id, sizeof id);
    const uint32_t cells = entry_of(house, id)->cells;
    assert_code(answer(house, id, cells ^ 1, NULL), "captcha_wrong", "");
    assert_code(answer(house, id, cells, NULL), "captcha_expired", "one answer");
    assert_code(ask(house, PAGES_CAPTCHA_PICTURES, ""), "ok", "");
    house->now.ms += 5 * MINUTE;
    assert_code(answer_right(house), "captcha_expired", "five minutes");
    assert_code(ask(house, PAGES_CAPTCHA_PICTURES, ""), "ok", "");
    assert_code(answer_right(house), "ok", "");
    house->now.ms += 5 * MINUTE;
    assert_code(register_with(house, "Anna", asked.id), "captcha_expired", "the pass too");
    house_close(house);
}

// S-008: one error is one level, a right answer is level 1 again; 8 errors in an hour lock.
static void test_levels(void **state) {
    (void)state;
    House *house = house_open(&with_pictures);
    static const int sides[] = { 3, 3, 4, 4 };
    for (int level = 1; level <= 4; level++) {
        assert_code(ask(house, PAGES_CAPTCHA_PICTURES, ""), "ok", "");
        assert_int_equal(asked.level, level);
        assert_int_equal(asked.side, sides[level - 1]);
        assert_int_equal(asked.grids, level == 4 ? 2 : 1);
        if (level < 4)
            assert_code(answer(house, asked.id, 0, NULL), "captcha_wrong", "");
    }
    assert_code(answer_right(house), "ok", "the first grid");
    assert_false(asked.passed);
    assert_int_equal(asked.grid, 2);
    assert_code(answer_right(house), "ok", "the second grid");
    assert_true(asked.passed);
    for (int i = 0; i < 4; i++) {
        assert_code(ask(house, PAGES_CAPTCHA_PICTURES, ""), "ok", "");
        assert_int_equal(asked.level, i + 1);
        assert_code(answer(house, asked.id, 0, NULL), "captcha_wrong", "");
    }
    assert_code(ask(house, PAGES_CAPTCHA_PICTURES, ""), "ok", "");
    assert_code(answer(house, asked.id, 0, NULL), "captcha_locked", "the eighth");
    assert_code(ask(house, PAGES_CAPTCHA_PICTURES, ""), "captcha_locked", "");
    house->now.ms += 15 * MINUTE;
    assert_code(ask(house, PAGES_CAPTCHA_PICTURES, ""), "ok", "after 15 minutes");
    house_close(house);
}

// S-007: others at the same level, ten times in ten minutes.
static void test_others(void **state) {
    (void)state;
    House *house = house_open(&with_pictures);
    assert_code(ask(house, PAGES_CAPTCHA_PICTURES, ""), "ok", "");
    for (int i = 0; i < 10; i++) {
        char id[PAGES_TOKEN_TEXT + 1];
        memcpy(id, asked.id, sizeof id);
        assert_code(ask(house, PAGES_CAPTCHA_PICTURES, id), "ok", "");
        assert_int_equal(asked.level, 1);
        assert_string_not_equal(asked.id, id);
    }
    assert_code(ask(house, PAGES_CAPTCHA_PICTURES, asked.id), "rate_limited", "");
    house->now.ms += 10 * MINUTE;
    assert_code(ask(house, PAGES_CAPTCHA_PICTURES, "x"), "ok", "");
    house_close(house);
}

// S-009: a question in words, in one's language, answered with or without marks and capitals.
static void test_question(void **state) {
    (void)state;
    char path[64] = "/tmp/jd-questions-XXXXXX";
    const int fd = mkstemp(path);
    static const char text[] =
        "# of the club\nro | Cine a câștigat? | Șirov; Alexei Șirov\nen | Who? | A\n";
    assert_int_equal(write(fd, text, sizeof text - 1), sizeof text - 1);
    close(fd);
    PagesConfig config = with_pictures;
    config.questions = path;
    House *house = house_open(&config);
    assert_code(ask(house, PAGES_CAPTCHA_QUESTION, ""), "ok", "");
    assert_string_equal(asked.question, "Cine a câștigat?");
    assert_code(answer(house, asked.id, 0, "Tal"), "captcha_wrong", "");
    assert_code(ask(house, PAGES_CAPTCHA_QUESTION, ""), "ok", "");
    assert_code(answer(house, asked.id, 0, " alexei SIROV"), "ok", "");
    assert_true(asked.passed);
    assert_code(ask(house, PAGES_CAPTCHA_CODE, ""), "no_mail", "no code without mail");
    house_close(house);
    unlink(path);
}

// Each level's grids: 2 or more cells to choose, some to leave, the same chance the same grid.
static void test_grids(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed < 2000; seed++) {
        const int level = 1 + (int)(seed % 4);
        uint64_t chance = seed;
        uint64_t again = seed;
        CaptchaGrid grid;
        CaptchaGrid same;
        uint32_t cells = 0;
        uint32_t same_cells = 0;
        captcha_grid(level, &chance, &grid, &cells);
        captcha_grid(level, &again, &same, &same_cells);
        assert_int_equal(cells, same_cells);
        const int count = grid.side * grid.side;
        int right = 0;
        for (int i = 0; i < count; i++) {
            const bool is = grid.pieces[i] == grid.piece;
            if (is != ((cells >> i & 1) != 0))
                fail_msg("seed %llu: cell %d", (unsigned long long)seed, i);
            right += is;
        }
        if (right < 2 || right > count / 2)
            fail_msg("seed %llu: %d cells of %d", (unsigned long long)seed, right, count);
    }
}

// Three errors at a log-in, then a captcha (S-006).
static void test_login(void **state) {
    (void)state;
    House *house = house_open(&with_pictures);
    assert_code(ask(house, PAGES_CAPTCHA_PICTURES, ""), "ok", "");
    assert_code(answer_right(house), "ok", "");
    assert_code(register_with(house, "Anna", asked.id), "ok", "");
    for (int i = 0; i < 3; i++)
        assert_code(login_as(house, "Anna", "wrong", NULL), "bad_credentials", "");
    assert_code(login_as(house, "Anna", GOOD, NULL), "captcha_required", "");
    assert_code(ask(house, PAGES_CAPTCHA_PICTURES, ""), "ok", "");
    assert_code(answer_right(house), "ok", "");
    const PagesLogin form = { .login = JD_STR("Anna"),
                              .password = JD_STR(GOOD),
                              .captcha = jd_str(asked.id),
                              .address = address("192.0.2.1") };
    PagesSession session;
    PagesFault fault = { 0 };
    assert_true(pages_login(house->worker, &form, house->now, &session, &fault));
    assert_code(login_as(house, "Anna", GOOD, NULL), "ok", "the pair is clear again");
    house_close(house);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_registration), cmocka_unit_test(test_once_and_in_time),
        cmocka_unit_test(test_levels),       cmocka_unit_test(test_others),
        cmocka_unit_test(test_question),     cmocka_unit_test(test_grids),
        cmocka_unit_test(test_login),
    };
    return cmocka_run_group_tests_name("pages/captcha", tests, NULL, NULL);
}
