// SPDX-License-Identifier: GPL-3.0-or-later
//
// jadoube play: a game on this machine, against a person or the computer.
#include "cli/play.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/position_argument.h"

// The texts below say how many there are.
_Static_assert(ENGINE_LEVELS == 15, "say how many levels there are");

static const char usage[] =
    "usage: jadoube play [OPTION...] [FILE.pgn]\n"
    "\n"
    "A game on this machine by the Laws of Chess, against the computer or a person beside you.\n"
    "With FILE the game in it goes on where it stood.\n"
    "\n"
    "  --white=WHO, --black=WHO\n"
    "                    human, or a level of the computer from 1 to 15; White is human and Black\n"
    "                    level 3 unless said\n"
    "  --level=N         the computer's level\n"
    "  --color=COLOR     your colour against the computer: white, black, random, or alternate\n"
    "                    (another one in each new game)\n"
    "  --time=MINUTES    for each side, 1 to 600; or WHITE/BLACK; no clock unless said\n"
    "  --move-time=S     a limit for each move in seconds, 1 to 3600, or WHITE/BLACK\n"
    "  --increment=S     seconds added for each move, 1 to 60\n"
    "  --delay=S         seconds before the clock counts at each move, 1 to 60\n"
    "  --no-undo         no moves are taken back in a game on the clock\n"
    "  --pace            the computer takes its time like a person, in a game on the clock\n"
    "  --edition=NAME    of the Laws: fide-1997, fide-2005, fide-2009, fide-2014, fide-2023\n"
    "  --fen=FEN         begin from this position\n"
    "  --names=W,B       names of the players\n"
    "  --lang=LANG       en, ru or ro; by LC_MESSAGES unless said\n"
    "  --notation=FORM   of moves: short, long, figurine, words\n"
    "  --promotion=KIND  taken where none is named: queen, rook, bishop, knight; ask unless said\n"
    "  --side=COLOR      whose side of the board is below: white, black\n"
    "  --ascii           letters for pieces\n"
    "  --engine=PROGRAM  a UCI engine; stockfish unless said\n"
    "  --plain           line by line, for screen readers and pipes\n"
    "\n"
    "\"help\" lists what may be typed. Exit codes: 0 done, 1 failed, 2 wrong usage.\n";

enum {
    OPTION_WHITE = 256,
    OPTION_BLACK,
    OPTION_LEVEL,
    OPTION_COLOR,
    OPTION_TIME,
    OPTION_MOVE_TIME,
    OPTION_INCREMENT,
    OPTION_DELAY,
    OPTION_NO_UNDO,
    OPTION_PACE,
    OPTION_EDITION,
    OPTION_FEN,
    OPTION_NAMES,
    OPTION_LANG,
    OPTION_NOTATION,
    OPTION_PROMOTION,
    OPTION_SIDE,
    OPTION_ASCII,
    OPTION_ENGINE,
    OPTION_PLAIN,
    OPTION_HELP,
};

static const struct option long_options[] = {
    { "white", required_argument, NULL, OPTION_WHITE },
    { "black", required_argument, NULL, OPTION_BLACK },
    { "level", required_argument, NULL, OPTION_LEVEL },
    { "color", required_argument, NULL, OPTION_COLOR },
    { "time", required_argument, NULL, OPTION_TIME },
    { "move-time", required_argument, NULL, OPTION_MOVE_TIME },
    { "increment", required_argument, NULL, OPTION_INCREMENT },
    { "delay", required_argument, NULL, OPTION_DELAY },
    { "no-undo", no_argument, NULL, OPTION_NO_UNDO },
    { "pace", no_argument, NULL, OPTION_PACE },
    { "edition", required_argument, NULL, OPTION_EDITION },
    { "fen", required_argument, NULL, OPTION_FEN },
    { "names", required_argument, NULL, OPTION_NAMES },
    { "lang", required_argument, NULL, OPTION_LANG },
    { "notation", required_argument, NULL, OPTION_NOTATION },
    { "promotion", required_argument, NULL, OPTION_PROMOTION },
    { "side", required_argument, NULL, OPTION_SIDE },
    { "ascii", no_argument, NULL, OPTION_ASCII },
    { "engine", required_argument, NULL, OPTION_ENGINE },
    { "plain", no_argument, NULL, OPTION_PLAIN },
    { "help", no_argument, NULL, OPTION_HELP },
    { NULL, 0, NULL, 0 },
};

typedef struct Arguments {
    PlaySetup setup;
    PlayOptions options;
    const char *engine;
    uint64_t level;   // 0: not said
    int color;        // -1: not said; 2: random
    bool seat_chosen; // by --white or --black
    bool side_chosen;
    bool notation_chosen;
    bool plain;
    uint64_t minutes[2];
    uint64_t increment;
    uint64_t delay;
    uint64_t move_seconds[2]; // a limit for each move; 0: none
} Arguments;

static bool refuse(const char *option, const char *found, const char *expected) {
    fprintf(stderr, "jadoube play: --%s: %s expected, found \"%s\"\n", option, expected, found);
    return false;
}

// The index of a word among some; -1: none of them.
static int choose(const char *text, const char *const *words, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(text, words[i]) == 0)
            return (int)i;
    return -1;
}

static bool read_number(const char *option, const char *text, uint64_t max, uint64_t *out) {
    char expected[64];
    if (jd_parse_u64(jd_str(text), max, out) && *out > 0)
        return true;
    (void)jd_format(expected, sizeof(expected), "a number from 1 to %llu", (unsigned long long)max);
    return refuse(option, text, expected);
}

static bool read_player(Arguments *to, const char *option, int side, const char *text) {
    uint64_t level = 0;
    to->seat_chosen = true;
    if (strcmp(text, "human") != 0 && !read_number(option, text, ENGINE_LEVELS, &level))
        return false;
    to->setup.level[side] = (uint8_t)level;
    return true;
}

static bool read_time(Arguments *to, const char *text) {
    JdStr rest = jd_str(text);
    const JdStr white = jd_str_cut(&rest, '/');
    const bool one = strchr(text, '/') == NULL;
    if (!jd_parse_u64(white, PLAY_MINUTES_MAX, &to->minutes[0]) ||
        !jd_parse_u64(one ? white : rest, PLAY_MINUTES_MAX, &to->minutes[1]) ||
        to->minutes[0] == 0 || to->minutes[1] == 0)
        return refuse("time", text, "minutes from 1 to 600, or WHITE/BLACK");
    return true;
}

static bool read_move_time(Arguments *to, const char *text) {
    JdStr rest = jd_str(text);
    const JdStr white = jd_str_cut(&rest, '/');
    const bool one = strchr(text, '/') == NULL;
    if (!jd_parse_u64(white, PLAY_MOVE_SECONDS_MAX, &to->move_seconds[0]) ||
        !jd_parse_u64(one ? white : rest, PLAY_MOVE_SECONDS_MAX, &to->move_seconds[1]) ||
        to->move_seconds[0] == 0 || to->move_seconds[1] == 0)
        return refuse("move-time", text, "seconds from 1 to 3600, or WHITE/BLACK");
    return true;
}

static bool read_fen(Arguments *to, const char *text) {
    JdErr err = { 0 };
    if (chess_fen_parse(jd_str(text), &to->setup.start, &err))
        return true;
    cli_show_fault("jadoube play", jd_str(text), &err);
    return false;
}

static void read_names(Arguments *to, const char *text) {
    JdStr rest = jd_str(text);
    for (int side = 0; side < 2; side++) {
        const JdStr name = jd_str_trim(jd_str_cut(&rest, ','));
        (void)jd_format(to->setup.name[side], PLAY_NAME_SIZE, "%.*s", JD_PRINT(name));
    }
}

static bool read_option(Arguments *to, int option, const char *text) {
    static const char *const colors[] = { "white", "black", "random", "alternate" };
    static const char *const notations[] = { "short", "long", "figurine", "words" };
    static const char *const kinds[] = { "ask", "", "knight", "bishop", "rook", "queen" };
    LawsEdition edition;
    int which;
    switch (option) {
    case OPTION_WHITE:
        return read_player(to, "white", CHESS_WHITE, text);
    case OPTION_BLACK:
        return read_player(to, "black", CHESS_BLACK, text);
    case OPTION_LEVEL:
        return read_number("level", text, ENGINE_LEVELS, &to->level);
    case OPTION_COLOR:
        to->color = choose(text, colors, 4);
        to->options.alternates = to->color == 3;
        return to->color >= 0 || refuse("color", text, "white, black, random or alternate");
    case OPTION_TIME:
        return read_time(to, text);
    case OPTION_MOVE_TIME:
        return read_move_time(to, text);
    case OPTION_INCREMENT:
        return read_number("increment", text, PLAY_SECONDS_MAX, &to->increment);
    case OPTION_DELAY:
        return read_number("delay", text, PLAY_SECONDS_MAX, &to->delay);
    case OPTION_NO_UNDO:
        to->setup.no_undo = true;
        return true;
    case OPTION_PACE:
        to->options.paced = true;
        return true;
    case OPTION_EDITION:
        if (!laws_edition_parse(jd_str(text), &edition))
            return refuse("edition", text, "fide-1997, -2005, -2009, -2014 or -2023");
        to->setup.edition = (uint8_t)edition;
        return true;
    case OPTION_FEN:
        return read_fen(to, text);
    case OPTION_NAMES:
        read_names(to, text);
        return true;
    case OPTION_LANG:
        return play_language_find(text, &to->options.language) ||
               refuse("lang", text, "en, ru or ro");
    case OPTION_NOTATION:
        which = choose(text, notations, JD_COUNT(notations));
        to->options.notation = (uint8_t)which;
        to->notation_chosen = true;
        return which >= 0 || refuse("notation", text, "short, long, figurine or words");
    case OPTION_PROMOTION:
        which = choose(text, kinds, JD_COUNT(kinds));
        to->options.promotion = (uint8_t)which;
        return (which >= 0 && which != 1) ||
               refuse("promotion", text, "queen, rook, bishop, knight or ask");
    case OPTION_SIDE:
        which = choose(text, colors, 2);
        to->options.black_below = which == CHESS_BLACK;
        to->side_chosen = true;
        return which >= 0 || refuse("side", text, "white or black");
    case OPTION_ASCII:
        to->options.ascii = true;
        return true;
    case OPTION_ENGINE:
        to->engine = text;
        return true;
    case OPTION_PLAIN:
        to->plain = true;
        return true;
    default:
        fprintf(stderr, "\"jadoube play --help\" lists the options\n");
        return false;
    }
}

// Whatever was not said follows from what was.
static bool complete(Arguments *to) {
    JdErr err = { 0 };
    const uint32_t minutes[2] = { (uint32_t)to->minutes[0], (uint32_t)to->minutes[1] };
    if (to->seat_chosen && (to->level > 0 || to->color >= 0)) {
        fprintf(stderr, "jadoube play: --white and --black, or --level and --color, not both\n");
        return false;
    }
    if (!to->seat_chosen) {
        const int own = to->color == 2 ? (int)(jd_mix((uint64_t)play_now().ms) & 1)
                        : to->color < 0 || to->color == 3 ? CHESS_WHITE
                                                          : to->color;
        to->setup.level[own ^ 1] = (uint8_t)(to->level > 0 ? to->level : 3);
    }
    if (!play_setup_clock(&to->setup, minutes, (uint32_t)to->increment, (uint32_t)to->delay,
                          &err)) {
        fprintf(stderr, "jadoube play: --%s: %s\n", err.field, err.text);
        return false;
    }
    if (to->move_seconds[0] > 0) {
        const uint32_t seconds[2] = { (uint32_t)to->move_seconds[0],
                                      (uint32_t)to->move_seconds[1] };
        if (play_setup_has_clock(&to->setup)) {
            fprintf(stderr, "jadoube play: --time or --move-time, not both\n");
            return false;
        }
        if (!play_setup_move_limit(&to->setup, seconds, &err))
            return refuse("move-time", "", err.text);
    }
    if (!to->side_chosen)
        to->options.black_below =
            to->setup.level[CHESS_WHITE] > 0 && to->setup.level[CHESS_BLACK] == 0;
    return true;
}

static int run(const Arguments *arguments, const char *file) {
    PlayTable table = { .options = arguments->options };
    JdErr err = { 0 };
    table.engine = play_engine_open(arguments->engine);
    if (table.engine == NULL) {
        fprintf(stderr, "jadoube play: there is not enough memory\n");
        return 1;
    }
    if (!play_table_open(&table, &arguments->setup, &err)) {
        fprintf(stderr, "jadoube play: %s: %s\n", err.field, err.text);
        play_table_close(&table);
        return 2;
    }
    if (file != NULL && !play_table_open_file(&table, file)) {
        play_table_close(&table);
        return 1;
    }
    int code = arguments->plain ? -1 : play_screen(&table);
    if (code < 0) {
        if (!arguments->notation_chosen)
            table.options.notation = PLAY_WORDS;
        code = play_lines(&table);
    }
    play_table_close(&table);
    return code;
}

int cli_play(int argc, char **argv) {
    Arguments arguments = { .color = -1 };
    play_setup_init(&arguments.setup);
    arguments.options.language = play_language_of_locale();
    optind = 1;
    for (int option; (option = getopt_long(argc, argv, "", long_options, NULL)) != -1;) {
        if (option == OPTION_HELP) {
            fputs(usage, stdout);
            return 0;
        }
        if (!read_option(&arguments, option, optarg))
            return 2;
    }
    if (argc - optind > 1) {
        fprintf(stderr, "jadoube play: one file expected, found %d\n", argc - optind);
        return 2;
    }
    if (!complete(&arguments))
        return 2;
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
        arguments.plain = true;
    return run(&arguments, optind < argc ? argv[optind] : NULL);
}
