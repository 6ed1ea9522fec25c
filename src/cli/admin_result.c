// SPDX-License-Identifier: GPL-3.0-or-later
//
// jadoube admin result: another result for a finished game, on a site that is stopped.
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cli/cli.h"
#include "net/net.h"

// words: result GAME RESULT --reason TEXT
const char *cli_admin_result_fault(int count, char **words) {
    static const char *const results[] = { "1-0", "0-1", "1/2-1/2", "0-0" };
    if (count != 5 || strcmp(words[3], "--reason") != 0 || words[4][0] == '\0')
        return "expected: result GAME RESULT --reason TEXT";
    for (size_t i = 0; i < JD_COUNT(results); i++)
        if (strcmp(results[i], words[2]) == 0)
            return NULL;
    return "expected 1-0, 0-1, 1/2-1/2 or 0-0 as the result";
}

int cli_admin_result(const NetConfig *config, char **words) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    const NetCorrection correction = {
        .data = config->data,
        .database = net_config_database(config),
        .game = jd_str(words[1]),
        .result = jd_str(words[2]),
        .reason = jd_str(words[4]),
        .now = { (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000 },
    };
    NetCorrected done;
    JdErr err = { 0 };
    if (!net_correct(&correction, &done, &err)) {
        fprintf(stderr, "jadoube admin: %s\n", err.text);
        return 1;
    }
    printf("game %s: %s becomes %s\n", words[1], done.before, done.after);
    if (done.rated)
        printf("the ratings of %zu games were counted anew\n", done.games);
    else
        printf("the game was not rated\n");
    return 0;
}
