// SPDX-License-Identifier: GPL-3.0-or-later
//
// Several workers at once on one house: each nick goes to one, limits hold across threads, and the
// default cost of a hash is what is promised.
#include "support.h"

#include "../store/database.h"

#include <pthread.h>

#define GOOD "a long good password"

enum { WORKERS = 4, NICKS = 30 };

typedef struct Hand {
    House *house;
    int number;
    int won; // registrations that succeeded
    int taken;
    int other;
    int wrong;   // answers bad_credentials
    int limited; // answers rate_limited
} Hand;

// All of them want the same nicks, in different spellings.
static void *grab_nicks(void *context) {
    Hand *hand = context;
    PagesWorker *worker = NULL;
    if (!pages_worker_open(hand->house->pages, &worker, NULL))
        return NULL;
    for (int i = 0; i < NICKS; i++) {
        char nick[24];
        snprintf(nick, sizeof nick, hand->number % 2 == 0 ? "player-%c%c" : "PLAYER_%c%c",
                 'a' + i / 5, 'p' + i % 5);
        const PagesRegister form = { .nick = jd_str(nick),
                                     .password = JD_STR(GOOD),
                                     .password2 = JD_STR(GOOD),
                                     .language = JD_STR("en"),
                                     .accept_rules = true,
                                     .address = address("192.0.2.1") };
        PagesSession session;
        PagesFault fault = { 0 };
        if (pages_register(worker, &form, NOON, &session, &fault)) {
            hand->won++;
            PagesMe me;
            bool found = false;
            if (!pages_session(worker, jd_str(session.token), NOON, &me, &found, &fault) ||
                !found || me.account != session.me.account)
                hand->other++;
        } else if (fault.err.code == PAGES_NICK_TAKEN) {
            hand->taken++;
        } else {
            hand->other++;
        }
    }
    pages_worker_close(worker);
    return NULL;
}

static void *guess(void *context) {
    Hand *hand = context;
    PagesWorker *worker = NULL;
    if (!pages_worker_open(hand->house->pages, &worker, NULL))
        return NULL;
    for (int i = 0; i < 10; i++) {
        const PagesLogin form = { .login = JD_STR("player-ap"),
                                  .password = JD_STR("a wrong guess"),
                                  .address = address("192.0.2.1") };
        PagesSession session;
        PagesFault fault = { 0 };
        if (pages_login(worker, &form, NOON, &session, &fault))
            hand->other++;
        else if (fault.err.code == PAGES_BAD_CREDENTIALS)
            hand->wrong++;
        else if (fault.err.code == PAGES_RATE_LIMITED)
            hand->limited++;
    }
    pages_worker_close(worker);
    return NULL;
}

static void run_all(House *house, void *(*run)(void *), Hand hands[WORKERS]) {
    pthread_t threads[WORKERS];
    for (int i = 0; i < WORKERS; i++) {
        hands[i] = (Hand) { .house = house, .number = i };
        assert_int_equal(pthread_create(&threads[i], NULL, run, &hands[i]), 0);
    }
    for (int i = 0; i < WORKERS; i++)
        pthread_join(threads[i], NULL);
}

static void test_workers(void **state) {
    (void)state;
    House *house = house_open(NULL);
    Hand hands[WORKERS];
    run_all(house, grab_nicks, hands);
    int won = 0;
    for (int i = 0; i < WORKERS; i++) {
        assert_int_equal(hands[i].other, 0);
        assert_int_equal(hands[i].won + hands[i].taken, NICKS);
        won += hands[i].won;
    }
    assert_int_equal(won, NICKS);
    run_all(house, guess, hands);
    int wrong = 0;
    int limited = 0;
    for (int i = 0; i < WORKERS; i++) {
        assert_int_equal(hands[i].other, 0);
        wrong += hands[i].wrong;
        limited += hands[i].limited;
    }
    assert_int_equal(wrong, 10); // not one guess more, however many at once
    assert_int_equal(limited, WORKERS * 10 - 10);
    house_close(house);
}

static void test_default_cost(void **state) {
    (void)state;
    House *house = house_open(NULL);
    const PagesConfig config = { .store = house->store };
    Pages *pages = NULL;
    PagesWorker *worker = NULL;
    JdErr err = { 0 };
    assert_true(pages_open(&config, &pages, &err));
    assert_true(pages_worker_open(pages, &worker, &err));
    const PagesRegister form = { .nick = JD_STR("anna"),
                                 .password = JD_STR(GOOD),
                                 .password2 = JD_STR(GOOD),
                                 .language = JD_STR("en"),
                                 .accept_rules = true,
                                 .address = address("192.0.2.1") };
    PagesSession session;
    PagesFault fault = { 0 };
    assert_true(pages_register(worker, &form, NOON, &session, &fault));
    const char *hash = test_database_text(house->dir, "SELECT password_hash FROM account");
    assert_ptr_equal(strstr(hash, "$argon2id$v=19$m=65536,t=2,p=1$"), hash);
    pages_worker_close(worker);
    pages_close(pages);
    const PagesConfig absurd = { .store = house->store, .hash_passes = 1, .hash_memory_bytes = 1 };
    assert_false(pages_open(&absurd, &pages, &err));
    assert_true(strlen(err.text) > 0);
    house_close(house);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_workers),
        cmocka_unit_test(test_default_cost),
    };
    return cmocka_run_group_tests_name("pages/workers", tests, NULL, NULL);
}
