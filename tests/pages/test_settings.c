// SPDX-License-Identifier: GPL-3.0-or-later
//
// Preferences and layouts: the table is in order, good values are kept, bad ones change nothing,
// and nothing of them outlives the account.
#include "support.h"

#include <string.h>

#define GOOD "a long good password"

static size_t spec_of(const char *name) {
    for (size_t i = 0; i < PAGES_PREF_COUNT; i++)
        if (strcmp(pages_pref_specs[i].name, name) == 0)
            return i;
    fail_msg("no preference %s", name);
    return 0;
}

static PagesCode put(House *house, int64_t account, const char *name, const char *value,
                     PagesPrefs *out) {
    const PagesPrefChange change = { .spec = spec_of(name),
                                     .reset = value == NULL,
                                     .value = jd_str(value == NULL ? "" : value) };
    PagesFault fault = { 0 };
    if (pages_prefs_change(house->worker, account, &change, 1, out, &fault))
        return PAGES_OK;
    if (strcmp(fault.err.field, name) != 0)
        fail_msg("%s: the field is \"%s\"", name, fault.err.field);
    return (PagesCode)fault.err.code;
}

// Asks to be erased, and fourteen days pass.
static void leave(House *house, int64_t account) {
    const PagesAddress from = address("192.0.2.1");
    PagesErased erased;
    PagesFault fault = { 0 };
    assert_true(
        pages_account_delete(house->worker, account, JD_STR(GOOD), &from, house->now, &fault));
    house->now.ms += 15 * DAY;
    assert_true(pages_erase_due(house->worker, house->now, &erased, &fault));
    assert_int_equal(erased.count, 1);
}

static void test_table(void **state) {
    (void)state;
    for (size_t i = 1; i < PAGES_PREF_COUNT; i++)
        if (strcmp(pages_pref_specs[i - 1].name, pages_pref_specs[i].name) >= 0)
            fail_msg("%s stands out of order", pages_pref_specs[i].name);
}

// S-271, S-272, S-279
static void test_values(void **state) {
    (void)state;
    static const struct {
        const char *name;
        const char *value;
        const char *code;
    } rows[] = {
        { "sound", "true", "ok" },
        { "sound", "1", "bad_request" },
        { "sound", "", "bad_request" },
        { "volume", "0", "ok" },
        { "volume", "100", "ok" },
        { "volume", "101", "bad_request" },
        { "volume", "-1", "bad_request" },
        { "volume", "99999999999999999999", "bad_request" },
        { "color_light", "#0a9fff", "ok" },
        { "color_light", "#0A9FFF", "bad_colour" },
        { "color_light", "#0a9ff", "bad_colour" },
        { "color_light", "#0a9fffa", "bad_colour" },
        { "color_light", "white", "bad_colour" },
        { "pieces", "fantasy", "ok" },
        { "pieces", "Fantasy", "bad_request" },
        { "notation", "words", "ok" },
        { "layout", "middle", "ok" },
        { "layout", "own:Моя", "ok" },
        { "layout", "own:", "bad_request" },
        { "layout", "own:\xff", "bad_request" },
        { "layout", "yours", "bad_request" },
    };
    House *house = house_open(NULL);
    PagesSession anna;
    assert_code(register_as(house, "Anna", GOOD, &anna), "ok", "");
    for (size_t i = 0; i < JD_COUNT(rows); i++) {
        PagesPrefs prefs;
        PagesFault fault = { 0 };
        assert_code(put(house, anna.me.account, rows[i].name, rows[i].value, &prefs), rows[i].code,
                    rows[i].value);
        const bool good = strcmp(rows[i].code, "ok") == 0;
        assert_true(pages_prefs_read(house->worker, anna.me.account, &prefs, &fault));
        if ((strcmp(prefs.values[spec_of(rows[i].name)], rows[i].value) == 0) != good)
            fail_msg("%s \"%s\" is kept as \"%s\"", rows[i].name, rows[i].value,
                     prefs.values[spec_of(rows[i].name)]);
    }
    house_close(house);
}

static void test_all_or_none(void **state) {
    (void)state;
    House *house = house_open(NULL);
    PagesSession anna;
    assert_code(register_as(house, "Anna", GOOD, &anna), "ok", "");
    const PagesPrefChange changes[] = {
        { .spec = spec_of("dots"), .value = JD_STR("true") },
        { .spec = spec_of("color_dark"), .value = JD_STR("green") },
    };
    PagesPrefs prefs;
    PagesFault fault = { 0 };
    assert_false(pages_prefs_change(house->worker, anna.me.account, changes, 2, &prefs, &fault));
    assert_int_equal(fault.err.code, PAGES_BAD_COLOUR);
    assert_true(pages_prefs_read(house->worker, anna.me.account, &prefs, &fault));
    assert_string_equal(prefs.values[spec_of("dots")], "");
    house_close(house);
}

// Each account has its own; they survive the process, and die with the account.
static void test_life(void **state) {
    (void)state;
    House *house = house_open(NULL);
    PagesSession anna;
    PagesSession bella;
    PagesPrefs prefs;
    PagesFault fault = { 0 };
    assert_code(register_as(house, "Anna", GOOD, &anna), "ok", "");
    assert_code(register_as(house, "Bella", GOOD, &bella), "ok", "");
    assert_code(put(house, anna.me.account, "board", "sea", &prefs), "ok", "");
    assert_code(put(house, anna.me.account, "board", "wood", &prefs), "ok", "");
    house_reopen(house, NULL);
    assert_true(pages_prefs_read(house->worker, anna.me.account, &prefs, &fault));
    assert_string_equal(prefs.values[spec_of("board")], "wood");
    assert_true(pages_prefs_read(house->worker, bella.me.account, &prefs, &fault));
    assert_string_equal(prefs.values[spec_of("board")], "");
    assert_code(put(house, anna.me.account, "sound", "false", &prefs), "ok", "");
    assert_code(put(house, anna.me.account, "board", NULL, &prefs), "ok", "");
    assert_string_equal(prefs.values[spec_of("board")], "");
    assert_string_equal(prefs.values[spec_of("sound")], "false");
    leave(house, anna.me.account);
    assert_true(pages_prefs_read(house->worker, anna.me.account, &prefs, &fault));
    assert_string_equal(prefs.values[spec_of("sound")], "");
    house_close(house);
}

// ---- layouts ------------------------------------------------------------------------------------

static const PagesBlocks good_wide = { .at = { [PAGES_BLOCK_BOARD] = { 0, 2, 21, 21 },
                                               [PAGES_BLOCK_TOP] = { 0, 0, 22, 2 },
                                               [PAGES_BLOCK_BOTTOM] = { 0, 23, 22, 2 },
                                               [PAGES_BLOCK_MOVES] = { 23, 0, 12, 14 },
                                               [PAGES_BLOCK_CAPTURED] = { 0, 25, 22, 2 },
                                               [PAGES_BLOCK_ACTIONS] = { 23, 14, 24, 4 },
                                               [PAGES_BLOCK_CHAT] = { 36, 0, 12, 14 },
                                               [PAGES_BLOCK_INFO] = { 23, 18, 25, 4 },
                                               [PAGES_BLOCK_NOTES] = { 23, 22, 25, 5 } } };

// S-275, S-278: every edge of what is allowed, one block moved at a time.
static void test_places(void **state) {
    (void)state;
    static const struct {
        PagesBlock block;
        PagesCells to;
        const char *refused; // the block at fault; NULL: allowed
    } rows[] = {
        { PAGES_BLOCK_BOARD, { 0, 2, 15, 15 }, NULL },
        { PAGES_BLOCK_BOARD, { 0, 2, 14, 14 }, "board" },
        { PAGES_BLOCK_BOARD, { 0, 2, 21, 20 }, "board" },
        { PAGES_BLOCK_BOARD, { -1, 2, 21, 21 }, "board" },
        { PAGES_BLOCK_BOARD, { 2, 2, 21, 21 }, NULL },    // edge to edge with the moves
        { PAGES_BLOCK_BOARD, { 3, 2, 21, 21 }, "moves" }, // one cell over them
        { PAGES_BLOCK_BOARD, { 0, 1, 21, 21 }, "top" },
        { PAGES_BLOCK_CHAT, { 36, 0, 12, 14 }, NULL },
        { PAGES_BLOCK_CHAT, { 37, 0, 12, 14 }, "chat" }, // beyond the right edge
        { PAGES_BLOCK_CHAT, { 36, 0, 12, 3 }, "chat" },
        { PAGES_BLOCK_NOTES, { 23, 23, 25, 5 }, "notes" }, // beyond the lower edge
        { PAGES_BLOCK_NOTES, { 23, 22, INT32_MAX, 5 }, "notes" },
        { PAGES_BLOCK_NOTES, { INT32_MAX, 22, 25, 5 }, "notes" },
        { PAGES_BLOCK_NOTES, { 23, 22, 0, 0 }, "notes" },
    };
    for (size_t i = 0; i < JD_COUNT(rows); i++) {
        PagesBlocks blocks = good_wide;
        PagesFault fault = { 0 };
        blocks.at[rows[i].block] = rows[i].to;
        const bool ok = pages_blocks_check(PAGES_WIDE, &blocks, &fault);
        if (ok != (rows[i].refused == NULL))
            fail_msg("row %zu: %s (%s)", i, ok ? "allowed" : "refused", fault.err.text);
        if (!ok && strcmp(fault.err.field, rows[i].refused) != 0)
            fail_msg("row %zu: \"%s\" is at fault, expected \"%s\"", i, fault.err.field,
                     rows[i].refused);
    }
}

// Layouts die with the account, and with nobody else's.
static void test_layout_life(void **state) {
    (void)state;
    House *house = house_open(NULL);
    PagesSession people[2];
    PagesLayouts layouts;
    PagesFault fault = { 0 };
    const PagesLayoutChange save = { .name = JD_STR("Desk"), .blocks = &good_wide };
    assert_code(register_as(house, "Anna", GOOD, &people[0]), "ok", "");
    assert_code(register_as(house, "Bella", GOOD, &people[1]), "ok", "");
    for (int i = 0; i < 2; i++)
        assert_true(pages_layout_change(house->worker, people[i].me.account, &save, house->now,
                                        &layouts, &fault));
    leave(house, people[0].me.account);
    house_reopen(house, NULL);
    assert_true(pages_layouts(house->worker, people[0].me.account, &layouts, &fault));
    assert_int_equal(layouts.count, 0);
    assert_true(pages_layouts(house->worker, people[1].me.account, &layouts, &fault));
    assert_int_equal(layouts.count, 1);
    assert_string_equal(layouts.list[0].name, "Desk");
    house_close(house);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table),       cmocka_unit_test(test_values),
        cmocka_unit_test(test_all_or_none), cmocka_unit_test(test_life),
        cmocka_unit_test(test_places),      cmocka_unit_test(test_layout_life),
    };
    return cmocka_run_group_tests_name("settings of the board", tests, NULL, NULL);
}
