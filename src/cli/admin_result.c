// SPDX-License-Identifier: GPL-3.0-or-later
//
// jadoube admin result: another result for a finished game, on a site that is stopped.
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cli/cli.h"
#include "net/net.h"

static int wrong(const char *text) {
    fprintf(stderr, "jadoube admin: %s\n", text);
    return 2;
}

// words: result GAME RESULT --reason TEXT
int cli_admin_result(const char *data, int count, char **words) {
    static const struct {
        const char *text;
        uint8_t halves[2];
    } results[] = {
        { "1-0", { 2, 0 } }, { "0-1", { 0, 2 } }, { "1/2-1/2", { 1, 1 } }, { "0-0", { 0, 0 } }
    };
    if (count != 5 || strcmp(words[3], "--reason") != 0 || words[4][0] == '\0')
        return wrong("expected: result GAME RESULT --reason TEXT");
    size_t which = 0;
    while (which < JD_COUNT(results) && strcmp(results[which].text, words[2]) != 0)
        which++;
    if (which == JD_COUNT(results))
        return wrong("expected 1-0, 0-1, 1/2-1/2 or 0-0 as the result");
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    const NetCorrection correction = {
        .data = data,
        .game = jd_str(words[1]),
        .halves = { results[which].halves[0], results[which].halves[1] },
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
