// SPDX-License-Identifier: GPL-3.0-or-later
//
// jadoube rate: what a game does to two ratings, or the table of expected scores.
#include "cli/cli.h"

#include <jadoube/rating.h>

#include <stdio.h>
#include <string.h>

// No rating of people comes near it.
#define RATING_MAX 9999

static const char usage[] =
    "usage: jadoube rate RATING[:GAMES] RATING[:GAMES] SCORE\n"
    "       jadoube rate --table | --classes\n"
    "\n"
    "Prints what both players expected, the coefficient K of each, and the ratings after the "
    "game.\n"
    "\n"
    "  RATING    100 to 9999, of the first and of the second player\n"
    "  GAMES     rated games played before this one; without it 30, an established player\n"
    "  SCORE     1-0, 0-1 or 1/2-1/2, the first player's side first\n"
    "  --table   expected scores by the difference of the ratings\n"
    "  --classes the nine classes and the three groups\n"
    "\n"
    "Exit codes: 0 printed, 2 wrong usage.\n";

static int wrong(const char *what, const char *expected) {
    fprintf(stderr, "jadoube rate: \"%s\", expected %s\n", what, expected);
    return 2;
}

static bool read_player(const char *text, RatingPlayer *out) {
    JdStr rest = jd_str(text);
    const bool with_games = jd_str_find(rest, ':') < rest.size;
    uint64_t rating = 0;
    uint64_t games = RATING_NEW_GAMES;
    if (!jd_parse_u64(jd_str_cut(&rest, ':'), RATING_MAX, &rating) || rating < RATING_FLOOR ||
        (with_games && !jd_parse_u64(rest, 1000000, &games)))
        return false;
    *out = (RatingPlayer) { (int32_t)rating, (uint32_t)games };
    return true;
}

static void print_table(void) {
    printf("difference   higher  lower\n");
    for (int i = 0; i < RATING_ROWS; i++) {
        const RatingRow row = rating_row(i);
        char range[32];
        if (row.to == INT32_MAX)
            snprintf(range, sizeof range, "over %d", (int)row.from - 1);
        else
            snprintf(range, sizeof range, "%d-%d", (int)row.from, (int)row.to);
        printf("%-12s %3d.%02d  %2d.%02d\n", range, (int)row.higher / 100, (int)row.higher % 100,
               (int)row.lower / 100, (int)row.lower % 100);
    }
}

static void print_classes(void) {
    for (int number = 1; number <= RATING_CLASSES; number++)
        printf("class %d  from %d\n", number, (int)rating_class_from(number));
    for (const char *group = "ABC"; *group != '\0'; group++) {
        int32_t from, to;
        const bool known = rating_group_range(*group, &from, &to);
        if (known && to == INT32_MAX)
            printf("group %c  from %d\n", *group, (int)from);
        else if (known)
            printf("group %c  %d to %d\n", *group, (int)from, (int)to);
    }
}

static void print_change(const char *who, const RatingChange *change) {
    printf("%-6s  %4d -> %4d  (%+d)  K %d, expected %d.%02d\n", who, (int)change->before,
           (int)change->after, (int)(change->after - change->before), (int)change->k,
           (int)change->expected / 100, (int)change->expected % 100);
}

int cli_rate(int argc, char **argv) {
    static const struct {
        const char *text;
        int halves; // of the first player
    } scores[] = { { "1-0", 2 }, { "0-1", 0 }, { "1/2-1/2", 1 } };
    if (argc == 2 && strcmp(argv[1], "--help") == 0) {
        fputs(usage, stdout);
        return 0;
    }
    if (argc == 2 && strcmp(argv[1], "--table") == 0) {
        print_table();
        return 0;
    }
    if (argc == 2 && strcmp(argv[1], "--classes") == 0) {
        print_classes();
        return 0;
    }
    if (argc != 4) {
        fputs(usage, stderr);
        return 2;
    }
    RatingPlayer players[2];
    for (int i = 0; i < 2; i++)
        if (!read_player(argv[1 + i], &players[i]))
            return wrong(argv[1 + i], "a rating from 100 to 9999, or RATING:GAMES");
    size_t score = 0;
    while (score < JD_COUNT(scores) && strcmp(argv[3], scores[score].text) != 0)
        score++;
    if (score == JD_COUNT(scores))
        return wrong(argv[3], "1-0, 0-1 or 1/2-1/2");
    const RatingChange first = rating_after(players[0], players[1], scores[score].halves);
    const RatingChange second = rating_after(players[1], players[0], 2 - scores[score].halves);
    print_change("first", &first);
    print_change("second", &second);
    return 0;
}
