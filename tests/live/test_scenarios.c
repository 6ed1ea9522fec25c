// SPDX-License-Identifier: GPL-3.0-or-later
//
// The scenarios of tests/data/live, one test a file.
#include "../check.h"
#include "script.h"

static void test_file(void **state) {
    script_run(*state);
}

#define SCENARIO(file)                                                                             \
    { file, test_file, NULL, NULL, (void *)(uintptr_t)file }

int main(void) {
    const struct CMUnitTest tests[] = {
        SCENARIO("lobby.txt"),   SCENARIO("start.txt"),    SCENARIO("moves.txt"),
        SCENARIO("draws.txt"),   SCENARIO("flags.txt"),    SCENARIO("presence.txt"),
        SCENARIO("abandon.txt"), SCENARIO("channels.txt"), SCENARIO("accounts.txt"),
        SCENARIO("restart.txt"), SCENARIO("terms.txt"),    SCENARIO("direct.txt"),
        SCENARIO("joiners.txt"), SCENARIO("chat.txt"),     SCENARIO("premove.txt"),
        SCENARIO("claimed.txt"), SCENARIO("touch.txt"),    SCENARIO("ratings.txt"),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
