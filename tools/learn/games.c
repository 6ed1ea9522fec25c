// SPDX-License-Identifier: GPL-3.0-or-later
//
// Games for the problem sets of /learn: the site's own computer levels play each other, and the
// PGN goes to standard output. Players of the middle levels go wrong the way people do, which is
// what a problem begins with.
//
// usage: learn_games GAMES [SEED [FIRST LAST]]
//
// Games SEED.. are played by two levels drawn from FIRST to LAST (2 to 10). The draw, the opening
// and the levels' chance come from the seed; the engine keeps its memory from move to move, so a
// second run plays like games, not the very same ones. Those that were mined are kept
// (learn/games.pgn).
#include <jadoube/pgn.h>

#include <stdio.h>
#include <stdlib.h>

#include "ask.h"

#define PLIES_MAX 240
#define OPENING_PLIES 4

typedef struct Table {
    EnginePool *pool;
    uint64_t random;
    ChessPosition start;
    ChessPosition pos;
    ChessMove moves[PLIES_MAX];
    ChessPosition seen[PLIES_MAX + 1];
    uint32_t count;
} Table;

static ChessMove ask(Table *table, const EngineLevel *level) {
    EngineQuestion question = { .start = &table->start,
                                .moves = table->moves,
                                .move_count = table->count };
    EngineAnswer answer;
    engine_level_question(level, 0, 0, &question);
    learn_ask(table->pool, &question, &answer);
    return engine_level_choose(level, &table->pos, &answer, &table->random);
}

static void make(Table *table, ChessMove move) {
    chess_move_make(&table->pos, move, NULL);
    table->moves[table->count++] = move;
    table->seen[table->count] = table->pos;
}

static bool is_drawn(const Table *table) {
    int seen = 0;
    for (uint32_t i = 0; i <= table->count; i++)
        seen += chess_position_same(&table->seen[i], &table->pos);
    const ChessPosition *pos = &table->pos;
    const uint64_t heavy =
        pos->kinds[CHESS_PAWN] | pos->kinds[CHESS_ROOK] | pos->kinds[CHESS_QUEEN];
    const bool is_bare = heavy == 0 && __builtin_popcountll(pos->kinds[0]) <= 3;
    return seen >= 3 || pos->halfmove_clock >= 100 || is_bare;
}

// A few plies that lose nothing by exchange, so that games differ.
static void open_game(Table *table) {
    while (table->count < OPENING_PLIES) {
        ChessMoveList list;
        chess_moves_generate(&table->pos, &list);
        const ChessMove move = list.moves[jd_random_below(&table->random, (uint32_t)list.count)];
        if (chess_see(&table->pos, move) >= 0)
            make(table, move);
    }
}

static ChessPgnResult play(Table *table, const EngineLevel *const levels[2]) {
    open_game(table);
    while (table->count < PLIES_MAX) {
        const ChessColor side = (ChessColor)table->pos.side_to_move;
        if (!chess_has_legal_move(&table->pos)) {
            if (!chess_is_check(&table->pos))
                return CHESS_PGN_DRAW;
            return side == CHESS_WHITE ? CHESS_PGN_BLACK_WINS : CHESS_PGN_WHITE_WINS;
        }
        if (is_drawn(table))
            return CHESS_PGN_DRAW;
        make(table, ask(table, levels[side]));
    }
    return CHESS_PGN_UNKNOWN;
}

static void to_stdout(void *context, JdStr text) {
    (void)context;
    fwrite(text.data, 1, text.size, stdout);
}

static void write_game(const Table *table, uint64_t number, const int levels[2],
                       ChessPgnResult result) {
    char names[2][64];
    char round[24];
    for (int i = 0; i < 2; i++)
        (void)jd_format(names[i], sizeof names[i], "level %d (%s)", levels[i],
                        engine_level(levels[i])->name);
    (void)jd_format(round, sizeof round, "%llu", (unsigned long long)number);
    ChessPgnTag tags[] = {
        { JD_STR("Event"), JD_STR("jadoube computer levels") },
        { JD_STR("Round"), jd_str(round) },
        { JD_STR("White"), jd_str(names[0]) },
        { JD_STR("Black"), jd_str(names[1]) },
    };
    ChessPgnWriter writer;
    chess_pgn_writer_init(&writer, to_stdout, NULL, CHESS_FORM_PGN, CHESS_ENGLISH, CHESS_PGN_WIDTH);
    chess_pgn_write_tags(&writer, tags, JD_COUNT(tags), result);
    ChessPosition pos = chess_position_start();
    for (uint32_t i = 0; i < table->count; i++) {
        chess_pgn_write_move(&writer, &pos, table->moves[i]);
        chess_move_make(&pos, table->moves[i], NULL);
    }
    chess_pgn_write_result(&writer, result);
    fflush(stdout);
}

int main(int argc, char **argv) {
    const int games = argc > 1 ? atoi(argv[1]) : 0;
    const int seed = argc > 2 ? atoi(argv[2]) : 1;
    const int first = argc > 3 ? atoi(argv[3]) : 2;
    const int last = argc > 4 ? atoi(argv[4]) : 10;
    if (games < 1 || seed < 0 || first < 1 || last > ENGINE_LEVELS || first > last) {
        fprintf(stderr, "usage: learn_games GAMES [SEED [FIRST LAST]]\n");
        return 2;
    }
    EnginePool *pool;
    if (!learn_engine("learn_games", &pool))
        return 1;
    Table *table = malloc(sizeof *table);
    if (table == NULL)
        return 1;
    for (int i = 0; i < games; i++) {
        const uint64_t number = (uint64_t)seed + (uint64_t)i;
        *table = (Table) { .pool = pool, .random = jd_mix(number) };
        table->start = table->pos = table->seen[0] = chess_position_start();
        int levels[2];
        for (int k = 0; k < 2; k++)
            levels[k] = first + (int)jd_random_below(&table->random, (uint32_t)(last - first + 1));
        const EngineLevel *const players[2] = { engine_level(levels[0]), engine_level(levels[1]) };
        write_game(table, number, levels, play(table, players));
    }
    free(table);
    engine_pool_close(pool);
    return ferror(stdout) != 0;
}
