// SPDX-License-Identifier: GPL-3.0-or-later
//
// jadoube pgn filter: the games that have what is asked for, byte for byte as they stand in the
// file.
#include "cli/pgn.h"

#include <string.h>

#include "cli/pgn_text.h"
#include "cli/position_argument.h"

// Conditions of one kind on the command line.
enum { CONDITIONS_MAX = 32 };

static const char usage[] =
    "usage: jadoube pgn filter [OPTION...] [FILE...]\n"
    "\n"
    "Writes the games for which all conditions hold, unchanged. Damaged games are reported and "
    "left out.\n"
    "\n"
    "  --tag=CONDITION  NAME=TEXT the tag is exactly this; NAME~TEXT contains it, whatever the "
    "case;\n"
    "                   NAME<TEXT NAME>TEXT NAME<=TEXT NAME>=TEXT compares numbers as numbers, "
    "other\n"
    "                   text (dates) byte by byte; NAME alone: the game has the tag\n"
    "  --player=TEXT    White or Black contains it, whatever the case\n"
    "  --fen=FEN        the main line reaches this position (Article 9.2.3: same pieces, side to "
    "move,\n"
    "                   castling rights and possible en passant capture; counters do not count)\n"
    "  --material=SIG   the main line reaches this material: KRPKR, either way round\n"
    "  --result=LIST    1-0, 0-1, 1/2-1/2, *; several with commas\n"
    "  --plies=MIN-MAX  length of the main line; MIN or MAX may be missing\n"
    "  --mate           ends in checkmate      --stalemate  ends in stalemate\n"
    "  --not            the games for which not all conditions hold\n"
    "  --limit=N        stop after N games\n"
    "  --count          print only how many games there are\n";

typedef enum Comparison { HAS_TAG, EQUALS, CONTAINS, BELOW, ABOVE, AT_MOST, AT_LEAST } Comparison;

typedef struct TagCondition {
    JdStr name;
    JdStr value;
    Comparison comparison;
} TagCondition;

typedef struct Filter {
    PgnRun run;
    // What is asked for.
    TagCondition tags[CONDITIONS_MAX];
    JdStr players[CONDITIONS_MAX];
    ChessPosition positions[CONDITIONS_MAX];
    uint64_t materials[CONDITIONS_MAX][2]; // and with colours exchanged
    int tag_count;
    int player_count;
    int position_count;
    int material_count;
    unsigned results; // by bit of ChessPgnResult; 0: any
    uint64_t least_plies;
    uint64_t most_plies;
    bool asks_mate;
    bool asks_stalemate;
    bool inverted;
    bool only_counts;
    uint64_t limit;
    // What has been seen of the present game, by condition.
    bool tag_holds[CONDITIONS_MAX];
    bool player_holds[CONDITIONS_MAX];
    bool position_holds[CONDITIONS_MAX];
    bool material_holds[CONDITIONS_MAX];
    uint64_t found;
    // The bytes of the file from the present game on.
    const ChessPgnReader *reader;
    PgnText bytes;
    uint64_t bytes_begin; // offsets in the file
    uint64_t bytes_end;
} Filter;

// ---- comparing ----------------------------------------------------------------------------------

static bool contains_nocase(JdStr text, JdStr part) {
    for (size_t at = 0; at + part.size <= text.size; at++)
        if (jd_str_equal_nocase(jd_str_n(text.data + at, part.size), part))
            return true;
    return false;
}

// Below 0, 0 or above 0; numbers by their value.
static int compare_values(JdStr a, JdStr b) {
    uint64_t x = 0;
    uint64_t y = 0;
    if (jd_parse_u64(a, UINT64_MAX, &x) && jd_parse_u64(b, UINT64_MAX, &y))
        return (x > y) - (x < y);
    return jd_str_compare(a, b);
}

static bool tag_condition_holds(const TagCondition *condition, JdStr value) {
    switch (condition->comparison) {
    case HAS_TAG:
        return true;
    case EQUALS:
        return jd_str_equal(value, condition->value);
    case CONTAINS:
        return contains_nocase(value, condition->value);
    case BELOW:
        return compare_values(value, condition->value) < 0;
    case ABOVE:
        return compare_values(value, condition->value) > 0;
    case AT_MOST:
        return compare_values(value, condition->value) <= 0;
    case AT_LEAST:
        return compare_values(value, condition->value) >= 0;
    }
    return false;
}

// ---- what the reader tells ----------------------------------------------------------------------

static ChessPgnStep on_game_begin(void *context, uint64_t number) {
    Filter *filter = context;
    (void)number;
    if (filter->limit > 0 && filter->found == filter->limit)
        return CHESS_PGN_STOP;
    memset(filter->tag_holds, 0, sizeof filter->tag_holds);
    memset(filter->player_holds, 0, sizeof filter->player_holds);
    memset(filter->position_holds, 0, sizeof filter->position_holds);
    memset(filter->material_holds, 0, sizeof filter->material_holds);
    return CHESS_PGN_GO;
}

static ChessPgnStep on_tag(void *context, JdStr name, JdStr value) {
    Filter *filter = context;
    for (int i = 0; i < filter->tag_count; i++)
        if (jd_str_equal(name, filter->tags[i].name))
            filter->tag_holds[i] |= tag_condition_holds(&filter->tags[i], value);
    if (jd_str_equal(name, JD_STR("White")) || jd_str_equal(name, JD_STR("Black")))
        for (int i = 0; i < filter->player_count; i++)
            filter->player_holds[i] |= contains_nocase(value, filter->players[i]);
    return CHESS_PGN_GO;
}

static void look_at(Filter *filter, const ChessPosition *pos) {
    for (int i = 0; i < filter->position_count; i++)
        filter->position_holds[i] |= pos->zobrist_key == filter->positions[i].zobrist_key &&
                                     chess_position_same(pos, &filter->positions[i]);
    if (filter->material_count == 0)
        return;
    const uint64_t key = chess_material_key(pos);
    for (int i = 0; i < filter->material_count; i++)
        filter->material_holds[i] |=
            key == filter->materials[i][0] || key == filter->materials[i][1];
}

static void on_move(void *context, const ChessPgnMove *move) {
    if (move->depth == 0)
        look_at(context, move->position);
}

static bool all_hold(const bool *holds, int count) {
    for (int i = 0; i < count; i++)
        if (!holds[i])
            return false;
    return true;
}

static bool holds(const Filter *filter, const ChessPgnGame *game) {
    const ChessPgnResult result =
        game->result != CHESS_PGN_NO_RESULT ? game->result : game->tag_result;
    if (filter->results != 0 && (filter->results >> result & 1) == 0)
        return false;
    if (game->plies < filter->least_plies || game->plies > filter->most_plies)
        return false;
    if (filter->asks_mate && (game->position == NULL || !chess_is_checkmate(game->position)))
        return false;
    if (filter->asks_stalemate && (game->position == NULL || !chess_is_stalemate(game->position)))
        return false;
    return all_hold(filter->tag_holds, filter->tag_count) &&
           all_hold(filter->player_holds, filter->player_count) &&
           all_hold(filter->position_holds, filter->position_count) &&
           all_hold(filter->material_holds, filter->material_count);
}

static void on_game_end(void *context, const ChessPgnGame *game) {
    Filter *filter = context;
    if (game->position != NULL)
        look_at(filter, game->position);
    if (game->damaged || holds(filter, game) == filter->inverted)
        return;
    if (filter->limit > 0 && filter->found == filter->limit)
        return;
    if (filter->bytes.overflowed || game->begin < filter->bytes_begin) {
        pgn_tell(&filter->run, "too_large", true, game->number, game->line,
                 "the game has more text than is kept and is left out");
        filter->run.damaged++;
        return;
    }
    filter->found++;
    if (filter->only_counts)
        return;
    const size_t begin = (size_t)(game->begin - filter->bytes_begin);
    fwrite(filter->bytes.data + begin, 1, (size_t)(game->end - game->begin), stdout);
    fputs("\n\n", stdout);
}

// ---- the bytes of the file ----------------------------------------------------------------------

static void on_file(void *context, const char *name, const ChessPgnReader *reader) {
    Filter *filter = context;
    (void)name;
    filter->reader = reader;
    pgn_text_clear(&filter->bytes);
    filter->bytes_begin = 0;
    filter->bytes_end = 0;
}

// Keeps what may still be written: from the beginning of the present game, or from where reading
// stands.
static void on_bytes(void *context, JdStr bytes) {
    Filter *filter = context;
    const bool keeps_game = filter->reader->in_game || filter->reader->number_seen;
    const uint64_t needed =
        keeps_game ? filter->reader->game.begin : chess_pgn_offset(filter->reader);
    if (filter->bytes.overflowed) {
        // The game that is too large lost its beginning: on_game_end sees that.
        pgn_text_clear(&filter->bytes);
        filter->bytes_begin = filter->bytes_end;
    }
    if (needed > filter->bytes_begin) {
        pgn_text_drop(&filter->bytes, (size_t)(needed - filter->bytes_begin));
        filter->bytes_begin = needed;
    }
    pgn_text_add(&filter->bytes, bytes);
    filter->bytes_end += bytes.size;
}

// ---- options ------------------------------------------------------------------------------------

static bool read_tag_condition(Filter *filter, const char *text) {
    static const struct {
        const char *sign;
        Comparison comparison;
    } signs[] = {
        { "<=", AT_MOST }, { ">=", AT_LEAST }, { "<", BELOW },
        { ">", ABOVE },    { "=", EQUALS },    { "~", CONTAINS },
    };
    const size_t size = strcspn(text, "<>=~");
    TagCondition condition = { jd_str_n(text, size), { NULL, 0 }, HAS_TAG };
    for (size_t i = JD_COUNT(signs); i-- > 0;) {
        const size_t width = strlen(signs[i].sign);
        if (strncmp(text + size, signs[i].sign, width) == 0) {
            condition.comparison = signs[i].comparison;
            condition.value = jd_str(text + size + width);
        }
    }
    filter->tags[filter->tag_count++] = condition;
    return size > 0;
}

// "KRPKR" to the key of chess_material_key: four bits a kind, White's from bit 0, Black's from
// bit 20.
static bool read_material(Filter *filter, const char *text) {
    static const char letters[] = "PNBRQ";
    uint64_t counts[2] = { 0, 0 };
    int side = -1;
    for (const char *p = text; *p != '\0'; p++) {
        const char *letter = strchr(letters, *p);
        if (*p == 'K' && side < 1)
            side++;
        else if (letter == NULL || side < 0 ||
                 (counts[side] >> (4 * (letter - letters)) & 15) == 15)
            return false;
        else
            counts[side] += UINT64_C(1) << (4 * (letter - letters));
    }
    uint64_t *keys = filter->materials[filter->material_count++];
    keys[0] = counts[0] | counts[1] << 20;
    keys[1] = counts[1] | counts[0] << 20;
    return side == 1;
}

static bool read_results(Filter *filter, const char *list) {
    JdStr rest = jd_str(list);
    while (rest.size > 0) {
        const ChessPgnResult result = chess_pgn_result_parse(jd_str_cut(&rest, ','));
        if (result == CHESS_PGN_NO_RESULT)
            return false;
        filter->results |= 1U << result;
        // A game without any result is one whose result is not known.
        if (result == CHESS_PGN_UNKNOWN)
            filter->results |= 1U << CHESS_PGN_NO_RESULT;
    }
    return true;
}

static bool read_plies(Filter *filter, const char *text) {
    JdStr rest = jd_str(text);
    const bool is_range = strchr(text, '-') != NULL;
    const JdStr least = jd_str_cut(&rest, '-');
    if (least.size > 0 && !jd_parse_u64(least, UINT32_MAX, &filter->least_plies))
        return false;
    if (!is_range)
        filter->most_plies = filter->least_plies;
    return rest.size == 0 || jd_parse_u64(rest, UINT32_MAX, &filter->most_plies);
}

static bool read_fen(Filter *filter, const char *text) {
    JdErr err = { 0 };
    if (chess_fen_parse(jd_str(text), &filter->positions[filter->position_count++], &err))
        return true;
    cli_show_fault("jadoube pgn filter", jd_str(text), &err);
    return false;
}

static bool wrong(const char *option, const char *text, const char *expected) {
    fprintf(stderr, "jadoube pgn filter: --%s=%s: %s expected\n", option, text, expected);
    return false;
}

static bool read_option(Filter *filter, int option, int *exit_code) {
    *exit_code = PGN_EXIT_USAGE;
    const bool is_full =
        filter->tag_count == CONDITIONS_MAX || filter->player_count == CONDITIONS_MAX ||
        filter->position_count == CONDITIONS_MAX || filter->material_count == CONDITIONS_MAX;
    if (is_full) {
        fprintf(stderr, "jadoube pgn filter: more than %d conditions of one kind\n",
                CONDITIONS_MAX);
        return false;
    }
    switch (option) {
    case 't':
        return read_tag_condition(filter, optarg) || wrong("tag", optarg, "the name of a tag");
    case 'p':
        filter->players[filter->player_count++] = jd_str(optarg);
        return true;
    case 'f':
        filter->run.checks_moves = true;
        return read_fen(filter, optarg);
    case 'm':
        filter->run.checks_moves = true;
        return read_material(filter, optarg) || wrong("material", optarg, "pieces such as KRPKR");
    case 'r':
        return read_results(filter, optarg) || wrong("result", optarg, "1-0, 0-1, 1/2-1/2 or *");
    case 'l':
        return read_plies(filter, optarg) || wrong("plies", optarg, "MIN-MAX");
    case 'M':
        filter->asks_mate = true;
        return true;
    case 'S':
        filter->asks_stalemate = true;
        return true;
    case 'n':
        filter->inverted = true;
        return true;
    case 'c':
        filter->only_counts = true;
        return true;
    case 'L':
        return pgn_option_number("filter", "limit", optarg, UINT64_MAX, &filter->limit);
    default:
        return pgn_option_common(&filter->run, option, usage, exit_code);
    }
}

int pgn_filter(int argc, char **argv) {
    static const struct option options[] = {
        { "tag", required_argument, NULL, 't' },    { "player", required_argument, NULL, 'p' },
        { "fen", required_argument, NULL, 'f' },    { "material", required_argument, NULL, 'm' },
        { "result", required_argument, NULL, 'r' }, { "plies", required_argument, NULL, 'l' },
        { "mate", no_argument, NULL, 'M' },         { "stalemate", no_argument, NULL, 'S' },
        { "not", no_argument, NULL, 'n' },          { "count", no_argument, NULL, 'c' },
        { "limit", required_argument, NULL, 'L' },  PGN_COMMON_OPTIONS,
    };
    static Filter filter; // its positions are too many for a stack
    filter =
        (Filter) { .run = { .verb = "filter", .checks_moves = true }, .most_plies = UINT64_MAX };
    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        int exit_code;
        if (!read_option(&filter, option, &exit_code))
            return exit_code;
    }
    const bool looks_at_positions = filter.position_count + filter.material_count > 0;
    filter.bytes.limit = PGN_GAME_TEXT_MAX;
    filter.run.context = &filter;
    filter.run.file_begin = on_file;
    filter.run.bytes = on_bytes;
    filter.run.visitor = (ChessPgnVisitor) {
        .game_begin = on_game_begin,
        .tag = filter.tag_count + filter.player_count > 0 ? on_tag : NULL,
        .move = looks_at_positions ? on_move : NULL,
        .game_end = on_game_end,
    };
    const int exit_code = pgn_run(&filter.run, argc - optind, argv + optind);
    if (filter.only_counts)
        printf("%llu\n", (unsigned long long)filter.found);
    pgn_text_free(&filter.bytes);
    return exit_code;
}
