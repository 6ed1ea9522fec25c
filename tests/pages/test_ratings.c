// SPDX-License-Identifier: GPL-3.0-or-later
//
// Counting rated games: which count, in which order, what a crash or a correction leaves behind.
#include "support.h"

#include <unistd.h>

#include <jadoube/rating.h>

#define PLAYERS 6

// A game as the shell would write it when it has ended.
typedef struct Played {
    int white, black; // 1 to PLAYERS
    int64_t ended_ms;
    int list;
    const char *result;
    uint32_t plies;
    uint8_t rated;
} Played;

static int64_t accounts[PLAYERS + 1];

static void make_players(House *house) {
    for (int i = 1; i <= PLAYERS; i++) {
        char nick[16];
        snprintf(nick, sizeof nick, "player%d", i);
        PagesSession session;
        assert_code(register_as(house, nick, "a long good password", &session), "ok", nick);
        accounts[i] = session.me.account;
    }
}

static int setup(void **state) {
    *state = house_open(NULL);
    make_players(*state);
    return 0;
}

static int teardown(void **state) {
    house_close(*state);
    return 0;
}

static StoreGameRow row_of(int number, const Played *played) {
    StoreGameRow row;
    memset(&row, 0, sizeof row);
    char id[STORE_ID_MAX + 1];
    snprintf(id, sizeof id, "game-%05d", number);
    assert_true(store_id(jd_str(id), &row.id));
    row.white = accounts[played->white];
    row.black = accounts[played->black];
    row.list = (uint8_t)played->list;
    row.type = 3;
    row.flag = 1;
    row.rated = played->rated;
    row.plies = played->plies;
    row.created_ms = 1;
    row.started_ms = 1;
    row.ended_ms = played->ended_ms;
    snprintf(row.control, sizeof row.control, "180+2");
    snprintf(row.category, sizeof row.category, "blitz");
    snprintf(row.result, sizeof row.result, "%s", played->result);
    snprintf(row.reason, sizeof row.reason, "resignation");
    return row;
}

static void write_game(House *house, int number, const Played *played) {
    const StoreWork work = { .kind = STORE_GAME_ROW, .row = row_of(number, played) };
    const uint64_t ticket = store_submit(house->store, &work, 1);
    assert_true(ticket > 0);
    for (int i = 0; store_durable_ticket(house->store) < ticket; i++) {
        assert_true(i < 1200000);
        usleep(50);
    }
}

// Passes until nothing is left; the number of games whose change was new.
static size_t rate(House *house) {
    PagesRatedGames games;
    PagesFault fault = { 0 };
    size_t count = 0;
    do {
        if (!pages_rate(house->worker, &games, &fault))
            fail_msg("pages_rate: %s", fault.err.text);
        count += games.count;
    } while (games.more);
    return count;
}

static RatingPlayer standing(House *house, int player, int list) {
    PagesRatings ratings;
    PagesFault fault = { 0 };
    assert_true(pages_ratings(house->worker, accounts[player], &ratings, &fault));
    return ratings.lists[list];
}

static void assert_standing(House *house, int player, int list, int rating, unsigned games) {
    const RatingPlayer now = standing(house, player, list);
    if (now.rating != rating || now.games != games)
        fail_msg("player %d, list %d: %d after %u games, expected %d after %u", player, list,
                 (int)now.rating, (unsigned)now.games, rating, games);
}

// ---- single games -------------------------------------------------------------------------------

// S-110, S-111, S-112: everybody begins at 1500, and a game touches its own list only.
static void test_first_game(void **state) {
    House *house = *state;
    assert_standing(house, 1, RATING_BLITZ, 1500, 0);
    write_game(house, 1, &(Played) { 1, 2, 1000, RATING_BLITZ, "1-0", 20, 1 });
    assert_int_equal(rate(house), 1);
    assert_standing(house, 1, RATING_BLITZ, 1513, 1);
    assert_standing(house, 2, RATING_BLITZ, 1487, 1);
    for (int list = 0; list < RATING_BLITZ; list++) {
        assert_standing(house, 1, list, 1500, 0);
        assert_standing(house, 2, list, 1500, 0);
    }
    assert_int_equal(rate(house), 0); // once
    assert_standing(house, 1, RATING_BLITZ, 1513, 1);
}

// S-118: which games count.
static void test_which_count(void **state) {
    House *house = *state;
    static const struct {
        Played game;
        bool counts;
    } cases[] = {
        { { 1, 2, 100, RATING_RAPID, "1-0", 2, 1 }, true },
        { { 1, 2, 101, RATING_RAPID, "1-0", 1, 1 }, false }, // Black has not moved
        { { 1, 2, 102, RATING_RAPID, "0-1", 0, 1 }, false },
        { { 1, 2, 103, RATING_RAPID, "1-0", 40, 0 }, false }, // not rated
        { { 1, 2, 104, RATING_RAPID, "*", 40, 1 }, false },   // annulled
        { { 1, 2, 105, RATING_RAPID, "0-0", 40, 1 }, true },  // both declared lost
        { { 1, 2, 106, RATING_RAPID, "1/2-0", 40, 1 }, true },
        { { 1, 2, 0, RATING_RAPID, "*", 40, 1 }, false }, // still running
    };
    unsigned games = 0;
    for (size_t i = 0; i < JD_COUNT(cases); i++) {
        write_game(house, (int)i, &cases[i].game);
        assert_int_equal(rate(house), cases[i].counts);
        games += cases[i].counts;
        assert_int_equal(standing(house, 1, RATING_RAPID).games, games);
    }
}

// S-112: two games that end together count in the order of their ids, whichever was written first.
static void test_order_of_ends(void **state) {
    House *house = *state;
    write_game(house, 5, &(Played) { 1, 2, 500, RATING_BLITZ, "1-0", 9, 1 });
    write_game(house, 4, &(Played) { 2, 3, 500, RATING_BLITZ, "1-0", 9, 1 });
    (void)rate(house);
    write_game(house, 3, &(Played) { 2, 4, 499, RATING_BLITZ, "1/2-1/2", 9, 1 });
    (void)rate(house);
    // 2 drew with 4 (1500 each), beat 3 (1500), then lost to 1: 1500, 1513, 1500 - 13.
    const RatingPlayer fresh = { 1500, 0 };
    const RatingChange second = rating_after((RatingPlayer) { 1500, 1 }, fresh, 2);
    const RatingChange third = rating_after((RatingPlayer) { second.after, 2 }, fresh, 0);
    assert_standing(house, 2, RATING_BLITZ, third.after, 3);
}

// S-104: a corrected result, and one that is annulled after the fact.
static void test_correction(void **state) {
    House *house = *state;
    Played first = { 1, 2, 100, RATING_BLITZ, "1-0", 30, 1 };
    write_game(house, 1, &first);
    write_game(house, 2, &(Played) { 1, 3, 200, RATING_BLITZ, "1-0", 30, 1 });
    (void)rate(house);
    assert_standing(house, 1, RATING_BLITZ, 1525, 2); // 1513, then 25 x 48 / 100
    first.result = "0-1";
    write_game(house, 1, &first);
    assert_int_equal(rate(house), 2);
    assert_standing(house, 1, RATING_BLITZ, 1500, 2); // 1487, then 25 x 52 / 100 = 13
    assert_standing(house, 2, RATING_BLITZ, 1513, 1);
    first.result = "*";
    write_game(house, 1, &first);
    assert_int_equal(rate(house), 2);
    assert_standing(house, 1, RATING_BLITZ, 1513, 1);
    assert_standing(house, 2, RATING_BLITZ, 1500, 0);
    PagesFault fault = { 0 };
    RatingChange change[2];
    bool found = true;
    StoreId id;
    assert_true(store_id(JD_STR("game-00001"), &id));
    assert_true(pages_rated_game(house->worker, &id, change, &found, &fault));
    assert_false(found);
}

// ---- any history --------------------------------------------------------------------------------

#define GAMES 400

static const char *const results[] = { "1-0", "0-1", "1/2-1/2", "0-0", "*" };

static Played random_game(uint64_t *random, int number) {
    Played game = {
        .white = 1 + (int)jd_random_below(random, PLAYERS),
        // Ends come in clumps, some at the same instant.
        .ended_ms = 1000 + number / 3 * 10 + (int64_t)jd_random_below(random, 15),
        .list = (int)jd_random_below(random, 2) * RATING_BLITZ,
        .result = results[jd_random_below(random, JD_COUNT(results))],
        .plies = jd_random_below(random, 12),
        .rated = jd_random_below(random, 10) > 0,
    };
    game.black = 1 + (game.white + (int)jd_random_below(random, PLAYERS - 1)) % PLAYERS;
    return game;
}

static int by_end(const void *a, const void *b) {
    const Played *const x = *(const Played *const *)a;
    const Played *const y = *(const Played *const *)b;
    return x->ended_ms != y->ended_ms ? (x->ended_ms < y->ended_ms ? -1 : 1) : (x < y ? -1 : x > y);
}

// The same by hand: sorted, then one after the other.
static void play_in_order(const Played *games, RatingPlayer out[PLAYERS + 1][RATING_LISTS]) {
    const Played *order[GAMES];
    for (int i = 0; i < GAMES; i++)
        order[i] = &games[i];
    qsort(order, GAMES, sizeof order[0], by_end);
    for (int i = 1; i <= PLAYERS; i++)
        for (int list = 0; list < RATING_LISTS; list++)
            out[i][list] = (RatingPlayer) { 1500, 0 };
    for (int i = 0; i < GAMES; i++) {
        const Played *game = order[i];
        if (!game->rated || game->plies < 2 || game->result[0] == '*')
            continue;
        const int white_halves = strcmp(game->result, "1-0") == 0       ? 2
                                 : strcmp(game->result, "1/2-1/2") == 0 ? 1
                                                                        : 0;
        const int black_halves = strcmp(game->result, "0-1") == 0       ? 2
                                 : strcmp(game->result, "1/2-1/2") == 0 ? 1
                                                                        : 0;
        RatingPlayer *white = &out[game->white][game->list];
        RatingPlayer *black = &out[game->black][game->list];
        const RatingChange w = rating_after(*white, *black, white_halves);
        const RatingChange b = rating_after(*black, *white, black_halves);
        *white = (RatingPlayer) { w.after, white->games + 1 };
        *black = (RatingPlayer) { b.after, black->games + 1 };
    }
}

// S-104: games written in any order, counted at any time, results corrected in between: the same as
// playing them in the order of their ends.
static void test_history(void **state) {
    House *house = *state;
    uint64_t random = 20261130;
    print_message("seed %llu\n", (unsigned long long)random);
    static Played games[GAMES];
    int order[GAMES];
    for (int i = 0; i < GAMES; i++) {
        games[i] = random_game(&random, i);
        order[i] = i;
    }
    for (int i = 0; i < GAMES; i++) { // written out of order, but not far
        const int other = i + (int)jd_random_below(&random, 8);
        if (other < GAMES) {
            const int at = order[i];
            order[i] = order[other];
            order[other] = at;
        }
    }
    for (int i = 0; i < GAMES; i++) {
        write_game(house, order[i], &games[order[i]]);
        if (jd_random_below(&random, 5) == 0)
            (void)rate(house);
        if (jd_random_below(&random, 40) == 0) {
            const int wrong = order[jd_random_below(&random, (uint32_t)i + 1)];
            games[wrong].result = results[jd_random_below(&random, JD_COUNT(results))];
            write_game(house, wrong, &games[wrong]);
        }
    }
    (void)rate(house);
    RatingPlayer expected[PLAYERS + 1][RATING_LISTS];
    play_in_order(games, expected);
    for (int player = 1; player <= PLAYERS; player++)
        for (int list = 0; list < RATING_LISTS; list++)
            assert_standing(house, player, list, expected[player][list].rating,
                            expected[player][list].games);
    // Counting everything anew changes nothing.
    for (int i = 0; i < GAMES; i++)
        write_game(house, i, &games[i]);
    assert_int_equal(rate(house), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_first_game, setup, teardown),
        cmocka_unit_test_setup_teardown(test_which_count, setup, teardown),
        cmocka_unit_test_setup_teardown(test_order_of_ends, setup, teardown),
        cmocka_unit_test_setup_teardown(test_correction, setup, teardown),
        cmocka_unit_test_setup_teardown(test_history, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
