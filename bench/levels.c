// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the computer opponents are worth: matches between neighbouring levels, from varied openings,
// each opening with both colours. Prints wins, draws, losses and the difference in Elo with its
// error (95 %, normal approximation of the score).
//
// usage: bench_levels [GAMES [FIRST LAST]]
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/engine.h"

#define PLIES_MAX 300
#define TIME_MAX_MS 50 // of a move of the level that is bounded by time alone

typedef struct Reply {
    pthread_mutex_t lock;
    pthread_cond_t came;
    bool is_here;
    EngineAnswer answer;
} Reply;

static void on_answer(void *context, const EngineAnswer *answer) {
    Reply *reply = context;
    pthread_mutex_lock(&reply->lock);
    reply->answer = *answer;
    reply->is_here = true;
    pthread_cond_signal(&reply->came);
    pthread_mutex_unlock(&reply->lock);
}

typedef struct Table {
    EnginePool *pool;
    ChessPosition start;
    ChessPosition pos;
    ChessMove moves[PLIES_MAX];
    uint64_t keys[PLIES_MAX + 1];
    uint32_t count;
    uint64_t asker;
} Table;

static ChessMove ask(Table *table, const EngineLevel *level, uint64_t *random) {
    Reply reply = { .lock = PTHREAD_MUTEX_INITIALIZER, .came = PTHREAD_COND_INITIALIZER };
    EngineQuestion question = { .start = &table->start,
                                .moves = table->moves,
                                .move_count = table->count,
                                .asker = table->asker,
                                .done = on_answer,
                                .context = &reply };
    engine_level_question(level, 0, 0, &question);
    if (question.nodes == 0)
        question.time_ms = TIME_MAX_MS;
    engine_ask(table->pool, &question);
    pthread_mutex_lock(&reply.lock);
    while (!reply.is_here)
        pthread_cond_wait(&reply.came, &reply.lock);
    pthread_mutex_unlock(&reply.lock);
    return engine_level_choose(level, &table->pos, &reply.answer, random);
}

static void make(Table *table, ChessMove move) {
    ChessUndo undo;
    chess_move_make(&table->pos, move, &undo);
    table->moves[table->count++] = move;
    table->keys[table->count] = chess_zobrist_key(&table->pos);
}

static bool is_drawn(const Table *table) {
    int seen = 0;
    for (uint32_t i = 0; i <= table->count; i++)
        seen += table->keys[i] == table->keys[table->count];
    const ChessPosition *pos = &table->pos;
    const uint64_t heavy =
        pos->kinds[CHESS_PAWN] | pos->kinds[CHESS_ROOK] | pos->kinds[CHESS_QUEEN];
    const bool is_bare = heavy == 0 && __builtin_popcountll(pos->kinds[0]) <= 3;
    return seen >= 3 || pos->halfmove_clock >= 100 || is_bare || table->count == PLIES_MAX;
}

// Six random plies that lose nothing by exchange: the same opening for both games of a pair.
static void open_game(Table *table, uint64_t random) {
    while (table->count < 6) {
        ChessMoveList list;
        chess_moves_generate(&table->pos, &list);
        const ChessMove move = list.moves[jd_random_below(&random, (uint32_t)list.count)];
        if (chess_see(&table->pos, move) >= 0)
            make(table, move);
    }
}

// Half-points of white: 0, 1, 2.
static int play(EnginePool *pool, const EngineLevel *white, const EngineLevel *black,
                uint64_t opening, uint64_t *random) {
    Table *table = calloc(1, sizeof *table);
    if (table == NULL)
        abort();
    table->pool = pool;
    table->asker = opening;
    table->start = table->pos = chess_position_start();
    table->keys[0] = chess_zobrist_key(&table->pos);
    open_game(table, opening);
    int result = -1;
    while (result < 0) {
        if (!chess_has_legal_move(&table->pos))
            result = !chess_is_check(&table->pos)             ? 1
                     : table->pos.side_to_move == CHESS_WHITE ? 0
                                                              : 2;
        else if (is_drawn(table))
            result = 1;
        else
            make(table, ask(table, table->pos.side_to_move == CHESS_WHITE ? white : black, random));
    }
    free(table);
    return result;
}

typedef struct Match {
    EnginePool *pool;
    const EngineLevel *weaker;
    const EngineLevel *stronger;
    int games;
    int next;
    int points[3]; // of the stronger: lost, drawn, won
    uint64_t seed;
    pthread_mutex_t lock;
} Match;

static void *run(void *context) {
    Match *match = context;
    for (;;) {
        pthread_mutex_lock(&match->lock);
        const int game = match->next++;
        pthread_mutex_unlock(&match->lock);
        if (game >= match->games)
            return NULL;
        uint64_t random = jd_mix(match->seed + (uint64_t)game);
        const uint64_t opening = jd_mix(match->seed ^ (uint64_t)(game / 2 + 1));
        const bool stronger_is_white = game % 2 == 0;
        const int white =
            play(match->pool, stronger_is_white ? match->stronger : match->weaker,
                 stronger_is_white ? match->weaker : match->stronger, opening, &random);
        pthread_mutex_lock(&match->lock);
        match->points[stronger_is_white ? white : 2 - white]++;
        pthread_mutex_unlock(&match->lock);
    }
}

static double elo_of(double score) {
    if (score <= 0.001)
        score = 0.001;
    if (score >= 0.999)
        score = 0.999;
    return 400 * log10(score / (1 - score));
}

static void report(const Match *match) {
    const double n = match->games;
    const double score = (match->points[2] + 0.5 * match->points[1]) / n;
    const double variance =
        (match->points[2] * pow(1 - score, 2) + match->points[1] * pow(0.5 - score, 2) +
         match->points[0] * pow(score, 2)) /
        n;
    const double error = 1.96 * sqrt(variance / n);
    printf("%-12s - %-12s +%d =%d -%d of %d: %+.0f Elo (%+.0f to %+.0f)\n", match->stronger->name,
           match->weaker->name, match->points[2], match->points[1], match->points[0], match->games,
           elo_of(score), elo_of(score - error), elo_of(score + error));
    fflush(stdout);
}

int main(int argc, char **argv) {
    const int games = argc > 1 ? atoi(argv[1]) : 200;
    const int first = argc > 2 ? atoi(argv[2]) : 1;
    const int last = argc > 3 ? atoi(argv[3]) : ENGINE_LEVELS;
    if (games < 2 || first < 1 || last > ENGINE_LEVELS || first >= last) {
        fprintf(stderr, "usage: bench_levels [GAMES [FIRST LAST]], levels 1 to %d\n",
                ENGINE_LEVELS);
        return 2;
    }
    static const char *const options[] = { "Hash=16", NULL };
    EnginePool *pool;
    JdErr err;
    if (!engine_pool_open(&(EngineConfig) { .processes = 2, .options = options }, &pool, &err) ||
        !engine_pool_has_engine(pool)) {
        fprintf(stderr, "no engine\n");
        return 1;
    }
    for (int level = first; level < last; level++) {
        Match match = { .pool = pool,
                        .weaker = engine_level(level),
                        .stronger = engine_level(level + 1),
                        .games = games,
                        .seed = (uint64_t)level * 1000003,
                        .lock = PTHREAD_MUTEX_INITIALIZER };
        pthread_t threads[2];
        for (int i = 0; i < 2; i++)
            if (pthread_create(&threads[i], NULL, run, &match) != 0)
                abort();
        for (int i = 0; i < 2; i++)
            pthread_join(threads[i], NULL);
        report(&match);
    }
    engine_pool_close(pool);
    return 0;
}
