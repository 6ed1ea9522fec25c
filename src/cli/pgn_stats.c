// SPDX-License-Identifier: GPL-3.0-or-later
//
// jadoube pgn stats: games counted in memory that does not grow with them.
#include "cli/pgn.h"

#include <string.h>

static const char usage[] =
    "usage: jadoube pgn stats [OPTION...] [FILE...]\n"
    "\n"
    "Counts games, results, lengths, endings, openings, years, ratings and what moves do.\n"
    "\n"
    "  --json           one JSON object\n";

enum { RESULTS = 5, YEARS_MIN = 1400, YEARS_MAX = 2200 };

typedef struct Stats {
    PgnRun run;
    bool json;
    uint64_t results[RESULTS]; // by ChessPgnResult
    uint64_t plies;
    uint32_t shortest;
    uint32_t longest;
    uint64_t longest_game;
    uint64_t mates;
    uint64_t stalemates;
    uint64_t eco[26]; // by letter
    uint64_t with_rating;
    uint64_t rating_sum;
    uint32_t rating_least;
    uint32_t rating_most;
    uint32_t first_year;
    uint32_t last_year;
    uint64_t chess960;
    uint64_t comments;
    uint64_t clocks;
    uint64_t evals;
    uint64_t variations;
    uint64_t nags;
    uint64_t moves; // main lines and variations
    uint64_t captures;
    uint64_t castlings[2]; // queenside, kingside
    uint64_t en_passants;
    uint64_t promotions;
    uint64_t underpromotions;
    uint64_t checks;
    uint64_t kinds[7]; // moves by ChessKind
} Stats;

static void count_rating(Stats *stats, JdStr value) {
    uint64_t rating = 0;
    if (!jd_parse_u64(value, 9999, &rating) || rating == 0)
        return;
    if (stats->with_rating == 0 || rating < stats->rating_least)
        stats->rating_least = (uint32_t)rating;
    if (rating > stats->rating_most)
        stats->rating_most = (uint32_t)rating;
    stats->with_rating++;
    stats->rating_sum += rating;
}

static ChessPgnStep on_tag(void *context, JdStr name, JdStr value) {
    Stats *stats = context;
    uint64_t year = 0;
    if (jd_str_equal(name, JD_STR("ECO")) && value.size > 0 && value.data[0] >= 'A' &&
        value.data[0] <= 'Z')
        stats->eco[value.data[0] - 'A']++;
    else if (jd_str_equal(name, JD_STR("WhiteElo")) || jd_str_equal(name, JD_STR("BlackElo")))
        count_rating(stats, value);
    else if (jd_str_equal(name, JD_STR("Date")) &&
             jd_parse_u64(jd_str_part(value, 0, 4), YEARS_MAX, &year) && year >= YEARS_MIN) {
        if (stats->first_year == 0 || year < stats->first_year)
            stats->first_year = (uint32_t)year;
        if (year > stats->last_year)
            stats->last_year = (uint32_t)year;
    }
    return CHESS_PGN_GO;
}

static ChessPgnStep on_tags_end(void *context, const ChessPosition *start) {
    Stats *stats = context;
    stats->chess960 += start != NULL && start->is_chess960;
    return CHESS_PGN_GO;
}

static void on_move(void *context, const ChessPgnMove *told) {
    Stats *stats = context;
    const ChessMove move = told->move;
    if (told->is_null)
        return;
    stats->moves++;
    stats->kinds[chess_piece_kind(chess_piece_at(told->position, chess_move_from(move)))]++;
    stats->captures += chess_move_captured(told->position, move) != CHESS_NO_PIECE;
    stats->en_passants += chess_move_is_en_passant(move);
    if (chess_move_is_castling(move))
        stats->castlings[chess_move_to(move) > chess_move_from(move)]++;
    const ChessKind promotion = chess_move_promotion(move);
    stats->promotions += promotion != CHESS_NO_KIND;
    stats->underpromotions += promotion != CHESS_NO_KIND && promotion != CHESS_QUEEN;
    stats->checks += chess_move_gives_check(told->position, move);
}

static void on_comment(void *context, JdStr text, bool to_line_end, bool more) {
    Stats *stats = context;
    (void)to_line_end;
    stats->comments += !more;
    ChessPgnCommand command;
    size_t at = 0;
    while (chess_pgn_command_next(text, &at, &command)) {
        stats->clocks += jd_str_equal(command.name, JD_STR("clk"));
        stats->evals += jd_str_equal(command.name, JD_STR("eval"));
    }
}

static void on_nag(void *context, int nag) {
    (void)nag;
    ((Stats *)context)->nags++;
}

static ChessPgnStep on_variation_begin(void *context) {
    ((Stats *)context)->variations++;
    return CHESS_PGN_GO;
}

static void on_game_end(void *context, const ChessPgnGame *game) {
    Stats *stats = context;
    stats->results[game->result != CHESS_PGN_NO_RESULT ? game->result : game->tag_result]++;
    stats->plies += game->plies;
    if (stats->run.games == 1 || game->plies < stats->shortest)
        stats->shortest = game->plies;
    if (stats->run.games == 1 || game->plies > stats->longest) {
        stats->longest = game->plies;
        stats->longest_game = game->number;
    }
    if (game->position != NULL && !chess_has_legal_move(game->position)) {
        stats->mates += chess_is_check(game->position);
        stats->stalemates += !chess_is_check(game->position);
    }
}

// ---- printing -----------------------------------------------------------------------------------

typedef struct Row {
    const char *name; // of the JSON member
    const char *text; // for people
    uint64_t value;
} Row;

static void print_rows(const Row *rows, size_t count, bool json) {
    for (size_t i = 0; i < count; i++) {
        if (json)
            printf("%s\"%s\":%llu", i == 0 ? "{" : ",", rows[i].name,
                   (unsigned long long)rows[i].value);
        else
            printf("%-26s %12llu\n", rows[i].text, (unsigned long long)rows[i].value);
    }
}

static void print_stats(const Stats *stats) {
    const uint64_t games = stats->run.games;
    const uint64_t unknown =
        stats->results[CHESS_PGN_UNKNOWN] + stats->results[CHESS_PGN_NO_RESULT];
    const Row rows[] = {
        { "games", "games", games },
        { "damaged", "  damaged", stats->run.damaged },
        { "white_wins", "  1-0", stats->results[CHESS_PGN_WHITE_WINS] },
        { "black_wins", "  0-1", stats->results[CHESS_PGN_BLACK_WINS] },
        { "draws", "  1/2-1/2", stats->results[CHESS_PGN_DRAW] },
        { "unknown", "  *", unknown },
        { "checkmates", "  end in checkmate", stats->mates },
        { "stalemates", "  end in stalemate", stats->stalemates },
        { "chess960", "  Chess960", stats->chess960 },
        { "plies", "plies", stats->plies },
        { "plies_mean", "  mean of a game", games > 0 ? stats->plies / games : 0 },
        { "plies_least", "  shortest game", stats->shortest },
        { "plies_most", "  longest game", stats->longest },
        { "longest_game", "  its number", stats->longest_game },
        { "moves", "moves, variations too", stats->moves },
        { "pawn_moves", "  by pawns", stats->kinds[CHESS_PAWN] },
        { "knight_moves", "  by knights", stats->kinds[CHESS_KNIGHT] },
        { "bishop_moves", "  by bishops", stats->kinds[CHESS_BISHOP] },
        { "rook_moves", "  by rooks", stats->kinds[CHESS_ROOK] },
        { "queen_moves", "  by queens", stats->kinds[CHESS_QUEEN] },
        { "king_moves", "  by kings, castling too", stats->kinds[CHESS_KING] },
        { "captures", "  captures", stats->captures },
        { "checks", "  checks", stats->checks },
        { "castlings_kingside", "  castlings kingside", stats->castlings[1] },
        { "castlings_queenside", "  castlings queenside", stats->castlings[0] },
        { "en_passant", "  en passant", stats->en_passants },
        { "promotions", "  promotions", stats->promotions },
        { "underpromotions", "  underpromotions", stats->underpromotions },
        { "comments", "comments", stats->comments },
        { "clocks", "  clock readings", stats->clocks },
        { "evals", "  evaluations", stats->evals },
        { "variations", "variations", stats->variations },
        { "nags", "annotation glyphs", stats->nags },
        { "first_year", "first year", stats->first_year },
        { "last_year", "last year", stats->last_year },
        { "ratings", "ratings", stats->with_rating },
        { "rating_mean", "  mean",
          stats->with_rating > 0 ? stats->rating_sum / stats->with_rating : 0 },
        { "rating_least", "  lowest", stats->rating_least },
        { "rating_most", "  highest", stats->rating_most },
    };
    print_rows(rows, JD_COUNT(rows), stats->json);
    if (stats->json)
        printf(",\"eco\":{");
    bool is_first = true;
    for (int letter = 0; letter < 26; letter++) {
        if (stats->eco[letter] == 0)
            continue;
        if (stats->json)
            printf("%s\"%c\":%llu", is_first ? "" : ",", 'A' + letter,
                   (unsigned long long)stats->eco[letter]);
        else
            printf("openings %c %29llu\n", 'A' + letter, (unsigned long long)stats->eco[letter]);
        is_first = false;
    }
    if (stats->json)
        printf("}}\n");
}

int pgn_stats(int argc, char **argv) {
    static const struct option options[] = { { "json", no_argument, NULL, 'j' },
                                             PGN_COMMON_OPTIONS };
    Stats stats = { .run = { .verb = "stats", .checks_moves = true } };
    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        int exit_code;
        if (option == 'j')
            stats.json = true;
        else if (!pgn_option_common(&stats.run, option, usage, &exit_code))
            return exit_code;
    }
    stats.run.context = &stats;
    stats.run.visitor = (ChessPgnVisitor) {
        .tag = on_tag,
        .tags_end = on_tags_end,
        .move = on_move,
        .comment = on_comment,
        .nag = on_nag,
        .variation_begin = on_variation_begin,
        .game_end = on_game_end,
    };
    const int exit_code = pgn_run(&stats.run, argc - optind, argv + optind);
    print_stats(&stats);
    return exit_code;
}
