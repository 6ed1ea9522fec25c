// SPDX-License-Identifier: GPL-3.0-or-later
//
// Who can still mate, found out on a worker: right answers, games that wait first, questions that
// nobody wants any more dropped, a stop in the middle of one.
#include <sys/stat.h>
#include <unistd.h>

#include "../check.h"
#include "net/decide.h"

#define ANSWERS_MAX 16

typedef struct House {
    char dir[64];
    uv_loop_t loop;
    Store *store;
    Pages *pages;
    NetWorkers *workers;
    NetDecider *decider;
    // What came back, in order.
    struct {
        LiveId game;
        uint32_t ply;
        uint8_t code;
    } answers[ANSWERS_MAX];
    int count;
    uint32_t unwanted; // questions of this ply
} House;

static void decided(void *context, const LiveId *game, uint32_t ply, uint8_t code) {
    House *house = context;
    assert_true(house->count < ANSWERS_MAX);
    house->answers[house->count].game = *game;
    house->answers[house->count].ply = ply;
    house->answers[house->count++].code = code;
}

static bool wanted(void *context, const LiveId *game, uint32_t ply) {
    const House *house = context;
    assert_int_equal(game->text[0], 'g');
    return ply != house->unwanted;
}

static void open_house(House *house) {
    *house = (House) { .unwanted = UINT32_MAX };
    snprintf(house->dir, sizeof house->dir, "/tmp/jadoube-decide-XXXXXX");
    assert_non_null(mkdtemp(house->dir));
    JdErr err = { 0 };
    const StoreConfig store = { .data_dir = house->dir };
    if (!store_open(&store, &house->store, &err))
        fail_msg("%s", err.text);
    const PagesConfig pages = { .store = house->store };
    if (!pages_open(&pages, &house->pages, &err))
        fail_msg("%s", err.text);
    assert_int_equal(uv_loop_init(&house->loop), 0);
    if (!net_workers_open(&house->loop, house->pages, house->store, 2, &house->workers, &err))
        fail_msg("%s", err.text);
    house->decider = net_decider_new(house->workers, decided, wanted, house);
    assert_non_null(house->decider);
}

static void close_house(House *house) {
    net_decider_stop(house->decider);
    net_workers_close(house->workers);
    pages_close(house->pages);
    assert_true(store_close(house->store, NULL));
    uv_run(&house->loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&house->loop), 0);
    net_workers_free(house->workers);
    net_decider_free(house->decider);
    static const char *const files[] = { "jadoube.db", "jadoube.db-wal", "jadoube.db-shm",
                                         "jadoube.lock" };
    for (size_t i = 0; i < JD_COUNT(files); i++) {
        char path[128];
        snprintf(path, sizeof path, "%s/%s", house->dir, files[i]);
        unlink(path);
    }
    rmdir(house->dir);
}

static LiveId game_of(int number) {
    LiveId id = { "gameAAAAAAAA" };
    id.text[4] = (char)('A' + number);
    return id;
}

static void ask(House *house, int number, uint32_t ply, uint8_t winner, const char *fen) {
    LawsQuestion question = { .ply = ply, .winner = winner };
    assert_true(chess_fen_parse(jd_str(fen), &question.position, NULL));
    const LiveId game = game_of(number);
    net_decider_ask(house->decider, &game, &question);
}

// Until so many answers are there.
static void wait_for(House *house, int count) {
    while (house->count < count)
        uv_run(&house->loop, UV_RUN_ONCE);
}

static const char wall[] = "k7/8/8/p1p1p1p1/P1P1P1P1/8/8/K7 w - - 0 1";
static const char knights[] = "8/4p3/4k3/8/8/2N5/8/4K3 b - - 0 1";
static const char exhaustive[] = "k1b5/8/8/1p1p1p1p/1P1P1P1P/8/8/K1B5 w - - 0 1";
static const char forced[] = "8/8/8/8/8/q7/K1k5/3R4 w - - 0 1";

static void test_answers(void **state) {
    (void)state;
    House house;
    open_house(&house);
    ask(&house, 0, 10, LAWS_BOTH_SIDES, wall);
    ask(&house, 1, 11, LAWS_BOTH_SIDES, knights);
    ask(&house, 2, 12, CHESS_BLACK, forced);
    ask(&house, 3, 13, CHESS_WHITE, knights);
    ask(&house, 4, 14, LAWS_BOTH_SIDES, exhaustive);
    wait_for(&house, 5);
    const uint8_t both = LAWS_MATING_NOT_WHITE | LAWS_MATING_NOT_BLACK;
    for (int i = 0; i < 5; i++) {
        const uint32_t ply = house.answers[i].ply;
        const uint8_t expected = ply == 10 || ply == 14 ? both
                                 : ply == 12            ? LAWS_MATING_NOT_BLACK
                                                        : 0;
        const LiveId game = game_of((int)ply - 10);
        assert_true(live_id_equal(&house.answers[i].game, &game));
        assert_int_equal(house.answers[i].code, expected);
    }
    close_house(&house);
}

// The first is worked on at once; of the others those that wait for it go first.
static void test_order(void **state) {
    (void)state;
    House house;
    open_house(&house);
    ask(&house, 0, 0, LAWS_BOTH_SIDES, knights);
    ask(&house, 1, 1, LAWS_BOTH_SIDES, knights);
    ask(&house, 2, 2, CHESS_BLACK, forced);
    ask(&house, 3, 3, LAWS_BOTH_SIDES, knights);
    ask(&house, 4, 4, CHESS_BLACK, forced);
    wait_for(&house, 5);
    static const uint32_t order[] = { 0, 2, 4, 1, 3 };
    for (int i = 0; i < 5; i++)
        assert_int_equal(house.answers[i].ply, order[i]);
    close_house(&house);
}

static void test_unwanted(void **state) {
    (void)state;
    House house;
    open_house(&house);
    house.unwanted = 7;
    ask(&house, 0, 6, CHESS_BLACK, forced);
    for (int i = 1; i < 4; i++)
        ask(&house, i, 7, CHESS_WHITE, knights);
    ask(&house, 5, 8, CHESS_BLACK, forced);
    wait_for(&house, 2);
    assert_int_equal(house.answers[1].ply, 8);
    close_house(&house);
}

// More than may wait are dropped; a stop in the middle leaves nothing behind.
static void test_too_many_and_a_stop(void **state) {
    (void)state;
    House house;
    open_house(&house);
    for (uint32_t i = 0; i < NET_QUESTIONS_MAX + 50; i++)
        ask(&house, 0, i, LAWS_BOTH_SIDES, exhaustive);
    close_house(&house);
    assert_int_equal(house.count, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answers),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_unwanted),
        cmocka_unit_test(test_too_many_and_a_stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
