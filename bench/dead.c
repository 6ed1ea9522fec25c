// SPDX-License-Identifier: GPL-3.0-or-later
//
// How long it takes to know who can still mate:
//
//   bench_dead HARD [GAMES] < games.pgn
//
// HARD is tests/data/dead/positions.txt. Four rows, and one more for comparison: every position
// after a move of every game, asked with a DeadWatch as the arbiter does; the same positions asked
// for themselves; the final positions of games that ended on time (of all games when none did),
// asked for the side that could win; both sides of every position of HARD, and of WALLS walls of up
// to 16 pawns, always the same. Each question is asked
// twice and the shorter time counts, for the processor is shared. Exit status 1 when anything
// stayed undecided.
#include "../tests/laws/dead_walls.h"

#include <jadoube/dead.h>
#include <jadoube/pgn.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define WALLS 5000

// Times by 1/16 of a power of two nanoseconds.
#define BINS (64 * 16)

typedef struct Row {
    const char *name;
    uint64_t count;
    uint64_t impossible;
    uint64_t undecided;
    uint64_t nodes;
    double sum_ns;
    double worst_ns;
    uint64_t bins[BINS];
} Row;

typedef struct Bench {
    Row play;
    Row plain;
    Row end;
    Row hard;
    Row walls;
    uint64_t games;
    uint64_t games_max;
    bool on_time;
    bool any_on_time;
    bool sound;
    ChessPosition position;
    DeadWatch watch;
    Row all_ends; // when no game tells how it ended
} Bench;

static unsigned char *memory;

static double now_ns(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static int bin_of(double ns) {
    const uint64_t whole = ns < 1 ? 1 : (uint64_t)ns;
    const int power = 63 - __builtin_clzll(whole);
    const int part =
        power >= 4 ? (int)(whole >> (power - 4) & 15) : (int)(whole << (4 - power) & 15);
    return power * 16 + part;
}

static void add(Row *row, double ns, const DeadAnswer *answer) {
    row->count++;
    row->impossible += answer->verdict == DEAD_IMPOSSIBLE;
    row->undecided += answer->verdict == DEAD_UNKNOWN;
    row->nodes += answer->nodes;
    row->sum_ns += ns;
    row->worst_ns = ns > row->worst_ns ? ns : row->worst_ns;
    row->bins[bin_of(ns)]++;
}

static double quantile(const Row *row, double part) {
    uint64_t left = (uint64_t)((double)row->count * (1 - part));
    for (int bin = BINS - 1; bin >= 0; bin--) {
        if (row->bins[bin] > left) {
            const double base = (double)(UINT64_C(1) << (bin / 16));
            return base * (1 + (bin % 16 + 0.5) / 16);
        }
        left -= row->bins[bin];
    }
    return 0;
}

static void print(const Row *row) {
    if (row->count == 0)
        return;
    printf("%-30s %9llu %9llu %6llu %10.3f %10.1f %12.1f %12.1f\n", row->name,
           (unsigned long long)row->count, (unsigned long long)row->impossible,
           (unsigned long long)row->undecided, row->sum_ns / (double)row->count / 1e3,
           quantile(row, 0.99) / 1e3, quantile(row, 0.999) / 1e3, row->worst_ns / 1e3);
}

static const DeadLimits *limits(void) {
    static DeadLimits all;
    all = (DeadLimits) { .memory = memory, .memory_size = DEAD_MEMORY_LARGE };
    return &all;
}

static void ask_side(Row *row, const ChessPosition *pos, ChessColor winner) {
    double best = 1e18;
    DeadAnswer answer = { 0 };
    for (int i = 0; i < 2; i++) {
        const double begin = now_ns();
        answer = dead_can_mate(pos, winner, limits(), NULL, 0);
        const double ns = now_ns() - begin;
        best = ns < best ? ns : best;
    }
    add(row, best, &answer);
}

static ChessPgnStep on_game_begin(void *context, uint64_t number) {
    Bench *bench = context;
    bench->on_time = false;
    bench->sound = false;
    return number > bench->games_max ? CHESS_PGN_STOP : CHESS_PGN_GO;
}

static ChessPgnStep on_tag(void *context, JdStr name, JdStr value) {
    Bench *bench = context;
    if (jd_str_equal(name, JD_STR("Termination")))
        bench->on_time = jd_str_equal_nocase(value, JD_STR("time forfeit"));
    return CHESS_PGN_GO;
}

static ChessPgnStep on_tags_end(void *context, const ChessPosition *start) {
    Bench *bench = context;
    bench->watch = (DeadWatch) { 0 };
    bench->sound = start != NULL;
    if (start != NULL)
        bench->position = *start;
    return CHESS_PGN_GO;
}

static void on_move(void *context, const ChessPgnMove *move) {
    Bench *bench = context;
    if (move->depth != 0 || move->position == NULL || move->move == CHESS_NO_MOVE)
        return;
    const ChessPosition before = *move->position;
    bench->position = before;
    chess_move_make(&bench->position, move->move, NULL);
    const DeadWatch watch = bench->watch;
    double best = 1e18;
    DeadAnswer answer = { 0 };
    for (int i = 0; i < 2; i++) {
        bench->watch = watch;
        const double begin = now_ns();
        answer = dead_watch_move(&bench->watch, &before, move->move, &bench->position, limits());
        const double ns = now_ns() - begin;
        best = ns < best ? ns : best;
    }
    add(&bench->play, best, &answer);
    best = 1e18;
    for (int i = 0; i < 2; i++) {
        const double begin = now_ns();
        answer = dead_can_anyone_mate(&bench->position, limits(), NULL, 0);
        const double ns = now_ns() - begin;
        best = ns < best ? ns : best;
    }
    add(&bench->plain, best, &answer);
}

static void on_game_end(void *context, const ChessPgnGame *game) {
    Bench *bench = context;
    if (!bench->sound || game->damaged)
        return;
    bench->games++;
    bench->any_on_time |= bench->on_time;
    ChessColor winner = chess_other((ChessColor)bench->position.side_to_move);
    if (game->result == CHESS_PGN_WHITE_WINS || game->result == CHESS_PGN_BLACK_WINS)
        winner = game->result == CHESS_PGN_WHITE_WINS ? CHESS_WHITE : CHESS_BLACK;
    ask_side(bench->on_time ? &bench->end : &bench->all_ends, &bench->position, winner);
}

static void read_games(Bench *bench) {
    static unsigned char buffer[1 << 18];
    static ChessPgnLine lines[8];
    static char piece[1 << 16];
    const ChessPgnOptions options = {
        .buffer = buffer,
        .buffer_size = sizeof buffer,
        .lines = lines,
        .line_count = JD_COUNT(lines),
        .skip_variations = true,
    };
    const ChessPgnVisitor visitor = {
        .game_begin = on_game_begin,
        .tag = on_tag,
        .tags_end = on_tags_end,
        .move = on_move,
        .game_end = on_game_end,
    };
    ChessPgnReader reader;
    chess_pgn_init(&reader, &options, &visitor, bench);
    for (size_t size; (size = fread(piece, 1, sizeof piece, stdin)) > 0;)
        if (!chess_pgn_push(&reader, jd_str_n(piece, size)))
            break;
    chess_pgn_finish(&reader);
}

static bool read_hard(Bench *bench, const char *name) {
    FILE *file = fopen(name, "r");
    if (file == NULL)
        return false;
    char *text = NULL;
    size_t capacity = 0;
    for (ssize_t size; (size = getline(&text, &capacity, file)) >= 0;) {
        // verdict;FEN;...
        JdStr rest = jd_str_n(text, (size_t)size);
        if (rest.size == 0 || rest.data[0] == '#')
            continue;
        (void)jd_str_cut(&rest, ';');
        const JdStr fen = jd_str_cut(&rest, ';');
        ChessPosition pos;
        if (!chess_fen_parse(fen, &pos, NULL))
            continue;
        ask_side(&bench->hard, &pos, CHESS_WHITE);
        ask_side(&bench->hard, &pos, CHESS_BLACK);
    }
    free(text);
    fclose(file);
    return true;
}

static void ask_walls(Bench *bench) {
    uint64_t seed = 2024;
    for (int wall = 0; wall < WALLS;) {
        char fen[DEAD_WALL_SIZE];
        ChessPosition pos;
        if (!dead_random_wall(&seed, fen) || !chess_fen_parse(jd_str(fen), &pos, NULL))
            continue;
        wall++;
        ask_side(&bench->walls, &pos, CHESS_WHITE);
        ask_side(&bench->walls, &pos, CHESS_BLACK);
    }
}

int main(int argc, char **argv) {
    static Bench bench = {
        .play = { .name = "in play, after each move" },
        .plain = { .name = "the same without a watch" },
        .end = { .name = "ended on time, for the winner" },
        .all_ends = { .name = "other ends of games" },
        .hard = { .name = "hard positions, both sides" },
        .walls = { .name = "walls of pawns, both sides" },
    };
    if (argc < 2 || argc > 3) {
        fprintf(stderr, "usage: bench_dead HARD [GAMES] < games.pgn\n");
        return 2;
    }
    bench.games_max = argc == 3 ? strtoull(argv[2], NULL, 10) : UINT64_MAX;
    memory = aligned_alloc(16, DEAD_MEMORY_LARGE);
    if (memory == NULL)
        return 1;
    memset(memory, 0, DEAD_MEMORY_LARGE);
    read_games(&bench);
    const bool found = read_hard(&bench, argv[1]);
    ask_walls(&bench);
    free(memory);
    if (!found) {
        fprintf(stderr, "cannot read %s\n", argv[1]);
        return 2;
    }
    printf("%llu games\n%-30s %9s %9s %6s %10s %10s %12s %12s\n", (unsigned long long)bench.games,
           "microseconds", "questions", "cannot", "open", "mean", "99 %", "99.9 %", "worst");
    print(&bench.play);
    print(&bench.plain);
    print(&bench.end);
    print(&bench.all_ends);
    print(&bench.hard);
    print(&bench.walls);
    return bench.play.undecided + bench.plain.undecided + bench.end.undecided +
                       bench.all_ends.undecided + bench.hard.undecided + bench.walls.undecided ==
                   0
               ? 0
               : 1;
}
