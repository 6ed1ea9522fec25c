// SPDX-License-Identifier: GPL-3.0-or-later
//
// Profiles and lists of games: what counts, whose names are shown, and paging without gaps.
#include "support.h"

#include <unistd.h>

#define GOOD "a long good password"

static void submit(House *house, const StoreWork *work) {
    const uint64_t ticket = store_submit(house->store, work, 1);
    assert_true(ticket > 0);
    for (int i = 0; store_durable_ticket(house->store) < ticket; i++) {
        assert_true(i < 120000);
        usleep(500);
    }
}

static StoreWork game(const char *id, int64_t white, int64_t black, const char *result,
                      int64_t ended_ms) {
    StoreWork work = { .kind = STORE_GAME_ROW };
    StoreGameRow row = { .white = white,
                         .black = black,
                         .control = "180+2",
                         .category = "blitz",
                         .rated = 1,
                         .edition = 5,
                         .pace = 3,
                         .plies = 40,
                         .created_ms = 1000,
                         .started_ms = 2000,
                         .ended_ms = ended_ms };
    assert_true(store_id(jd_str(id), &row.id));
    snprintf(row.result, sizeof row.result, "%s", result);
    snprintf(row.reason, sizeof row.reason, ended_ms > 0 ? "resignation" : "");
    work.row = row;
    return work;
}

static void play(House *house, const char *id, int64_t white, int64_t black, const char *result,
                 int64_t ended_ms) {
    const StoreWork work = game(id, white, black, result, ended_ms);
    submit(house, &work);
}

static void test_counts(void **state) {
    (void)state;
    House *house = house_open(NULL);
    PagesSession anna;
    PagesSession bella;
    assert_code(register_as(house, "Anna", GOOD, &anna), "ok", "");
    assert_code(register_as(house, "Bella", GOOD, &bella), "ok", "");
    const int64_t a = anna.me.account;
    const int64_t b = bella.me.account;
    static const struct {
        bool anna_is_white;
        const char *result;
        bool ended;
    } games[] = {
        { true, "1-0", true },  { true, "0-1", true },   { true, "1/2-1/2", true },
        { false, "1-0", true }, { false, "0-1", true },  { false, "1/2-1/2", true },
        { true, "0-0", true },  { true, "1/2-0", true }, { true, "0-1/2", true },
        { true, "*", true },  // aborted
        { true, "*", false }, // running
    };
    for (size_t i = 0; i < JD_COUNT(games); i++) {
        char id[16];
        snprintf(id, sizeof id, "game-%02d", (int)i);
        play(house, id, games[i].anna_is_white ? a : b, games[i].anna_is_white ? b : a,
             games[i].result, games[i].ended ? 5000 + (int64_t)i : 0);
    }
    PagesPlayer player;
    PagesFault fault = { 0 };
    assert_true(pages_player(house->worker, JD_STR("anna"), &player, &fault));
    assert_string_equal(player.nick, "Anna");
    assert_int_equal(player.account, a);
    assert_int_equal(player.created_ms, NOON.ms);
    assert_int_equal(player.games, 9);
    assert_int_equal(player.wins, 2);   // 1-0 as White, 0-1 as Black
    assert_int_equal(player.draws, 3);  // and 1/2-0
    assert_int_equal(player.losses, 4); // and 0-0, 0-1/2
    assert_true(pages_player(house->worker, JD_STR("BELLA"), &player, &fault));
    assert_int_equal(player.games, 9);
    assert_int_equal(player.wins, 2);
    assert_int_equal(player.draws, 3); // and 0-1/2
    assert_int_equal(player.losses, 4);
    static const char *const strangers[] = { "clara", "", "a b", "\xff" };
    for (size_t i = 0; i < JD_COUNT(strangers); i++) {
        assert_false(pages_player(house->worker, jd_str(strangers[i]), &player, &fault));
        assert_int_equal(fault.err.code, PAGES_NOT_FOUND);
    }
    house_close(house);
}

// Every page of every size gives the same list: newest end first, none twice, none left out.
static void test_paging(void **state) {
    (void)state;
    House *house = house_open(NULL);
    PagesSession anna;
    assert_code(register_as(house, "Anna", GOOD, &anna), "ok", "");
    enum { GAMES = 61 };
    for (int i = 0; i < GAMES; i++) {
        char id[16];
        snprintf(id, sizeof id, "game-%02d", i * 37 % GAMES); // ends in another order than ids
        const bool white = i % 3 == 0;
        // three games end at the same moment
        play(house, id, white ? anna.me.account : 77, white ? 77 : anna.me.account, "1-0",
             9000 + i / 3);
    }
    play(house, "running", anna.me.account, 77, "*", 0);
    play(house, "others", 77, 78, "1-0", 9001);
    static PagesGames page;
    PagesFault fault = { 0 };
    static const uint32_t limits[] = { 1, 7, 20, 49, 50, 0 };
    for (size_t n = 0; n < JD_COUNT(limits); n++) {
        char after[PAGES_CURSOR_SIZE] = "";
        StoreGameRow last = { .ended_ms = INT64_MAX };
        size_t total = 0;
        do {
            assert_true(pages_player_games(house->worker, JD_STR("anna"), limits[n], jd_str(after),
                                           &page, &fault));
            assert_true(page.count >= 1);
            assert_true(page.count <= (limits[n] == 0 ? 20 : limits[n]));
            for (size_t i = 0; i < page.count; i++) {
                const StoreGameRow *row = &page.rows[i].game;
                assert_true(
                    row->ended_ms < last.ended_ms ||
                    (row->ended_ms == last.ended_ms && strcmp(row->id.text, last.id.text) < 0));
                assert_string_equal(page.rows[i].white,
                                    row->white == anna.me.account ? "Anna" : "");
                last = *row;
            }
            total += page.count;
            memcpy(after, page.after, sizeof after);
        } while (after[0] != '\0');
        assert_int_equal(total, GAMES);
    }
    house_close(house);
}

static void test_list_refusals(void **state) {
    (void)state;
    House *house = house_open(NULL);
    assert_code(register_as(house, "Anna", GOOD, NULL), "ok", "");
    static const struct {
        const char *nick;
        uint32_t limit;
        const char *after;
        const char *code;
        const char *field;
    } cases[] = {
        { "anna", 51, "", "bad_request", "limit" },
        { "anna", 5, "x", "bad_request", "after" },
        { "anna", 5, "123", "bad_request", "after" },
        { "anna", 5, "123.", "bad_request", "after" },
        { "anna", 5, "-1.abc", "bad_request", "after" },
        { "anna", 5, "123.much-too-long-id", "bad_request", "after" },
        { "anna", 5, "99999999999999999999.abc", "bad_request", "after" },
        { "clara", 5, "", "not_found", "" },
        { "anna", 5, "123.abc", "ok", "" },
    };
    static PagesGames page;
    for (size_t i = 0; i < JD_COUNT(cases); i++) {
        PagesFault fault = { 0 };
        const bool ok = pages_player_games(house->worker, jd_str(cases[i].nick), cases[i].limit,
                                           jd_str(cases[i].after), &page, &fault);
        assert_code(ok ? PAGES_OK : (PagesCode)fault.err.code, cases[i].code, cases[i].after);
        assert_string_equal(fault.err.field, cases[i].field);
    }
    assert_int_equal(page.count, 0);
    assert_string_equal(page.after, "");
    house_close(house);
}

static void test_former_player(void **state) {
    (void)state;
    House *house = house_open(NULL);
    PagesSession anna;
    PagesSession bella;
    const PagesAddress from = address("192.0.2.1");
    assert_code(register_as(house, "Anna", GOOD, &anna), "ok", "");
    assert_code(register_as(house, "Bella", GOOD, &bella), "ok", "");
    play(house, "a-game", anna.me.account, bella.me.account, "0-1", 5000);
    PagesFault fault = { 0 };
    assert_true(pages_account_delete(house->worker, bella.me.account, JD_STR(GOOD), &from,
                                     house->now, &fault));
    PagesErased erased;
    house->now.ms += INT64_C(15) * 86400000;
    assert_true(pages_erase_due(house->worker, house->now, &erased, &fault));
    assert_int_equal(erased.count, 1);
    static PagesGames page;
    assert_true(pages_player_games(house->worker, JD_STR("Anna"), 5, JD_STR(""), &page, &fault));
    assert_int_equal(page.count, 1);
    assert_string_equal(page.rows[0].white, "Anna");
    assert_string_equal(page.rows[0].black, "");
    assert_int_equal(page.rows[0].game.black, bella.me.account);
    assert_string_equal(page.rows[0].game.result, "0-1");
    assert_string_equal(page.rows[0].game.control, "180+2");
    assert_false(pages_player_games(house->worker, JD_STR("Bella"), 5, JD_STR(""), &page, &fault));
    const int64_t ids[] = { anna.me.account, bella.me.account, 0, -1, INT64_MAX };
    PagesNick nicks[JD_COUNT(ids)];
    assert_true(pages_nicks(house->worker, ids, JD_COUNT(ids), nicks, &fault));
    assert_string_equal(nicks[0].text, "Anna");
    for (size_t i = 1; i < JD_COUNT(ids); i++)
        assert_string_equal(nicks[i].text, "");
    house_close(house);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_paging),
        cmocka_unit_test(test_list_refusals),
        cmocka_unit_test(test_former_player),
    };
    return cmocka_run_group_tests_name("pages/players", tests, NULL, NULL);
}
