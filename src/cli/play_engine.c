// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/play_engine.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#define HINT_MS 1000
#define DRAW_MS 500

// What the pool's thread hands over; one for each question, so that a late answer finds its own.
typedef struct Ticket {
    PlayEngine *engine;
    uint64_t generation;
} Ticket;

struct PlayEngine {
    EnginePool *pool;
    int wake;
    PlayAsked asked;
    uint64_t number; // of the question, for cancelling
    uint64_t generation;
    pthread_mutex_t lock; // guards what follows
    EngineAnswer answer;
    uint64_t answered; // generation
};

PlayEngine *play_engine_open(const char *program) {
    PlayEngine *engine = calloc(1, sizeof(*engine));
    if (engine == NULL)
        return NULL;
    const EngineConfig config = { .program = program, .processes = 1, .idle_ms = 600000 };
    JdErr err = { 0 };
    pthread_mutex_init(&engine->lock, NULL);
    engine->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (engine->wake < 0 || !engine_pool_open(&config, &engine->pool, &err)) {
        play_engine_close(engine);
        return NULL;
    }
    return engine;
}

void play_engine_close(PlayEngine *engine) {
    if (engine == NULL)
        return;
    engine_pool_close(engine->pool); // every question is answered before this returns
    if (engine->wake >= 0)
        (void)close(engine->wake);
    pthread_mutex_destroy(&engine->lock);
    free(engine);
}

bool play_engine_is_there(const PlayEngine *engine) {
    return engine_pool_has_engine(engine->pool);
}

int play_engine_fd(const PlayEngine *engine) {
    return engine->wake;
}

PlayAsked play_engine_asked(const PlayEngine *engine) {
    return engine->asked;
}

static void on_answer(void *context, const EngineAnswer *answer) {
    Ticket *ticket = context;
    PlayEngine *engine = ticket->engine;
    pthread_mutex_lock(&engine->lock);
    if (ticket->generation > engine->answered) {
        engine->answer = *answer;
        engine->answered = ticket->generation;
    }
    pthread_mutex_unlock(&engine->lock);
    free(ticket);
    const uint64_t one = 1;
    const ssize_t written = write(engine->wake, &one, sizeof(one));
    (void)written; // full means that it is awake already
}

void play_engine_ask(PlayEngine *engine, PlayAsked what, const PlayGame *game, JdInstant now) {
    const LawsGame *laws = &game->laws;
    const uint8_t side = laws->position.side_to_move;
    play_engine_forget(engine);
    Ticket *ticket = malloc(sizeof(*ticket));
    ChessMove *moves = calloc(laws->ply_count + 1u, sizeof(*moves));
    if (ticket == NULL || moves == NULL) {
        free(ticket);
        free(moves);
        return;
    }
    for (uint32_t i = 0; i < laws->ply_count; i++)
        moves[i] = laws->plies[i].move;
    *ticket = (Ticket) { engine, ++engine->generation };
    EngineQuestion question = { .start = &game->setup.start,
                                .moves = moves,
                                .move_count = laws->ply_count,
                                .skill = -1,
                                .done = on_answer,
                                .context = ticket,
                                .asker = 1 };
    const uint8_t level = game->setup.level[side];
    if (what == PLAY_ASKED_MOVE && level > 0) {
        const bool has_clock = play_setup_has_clock(&game->setup);
        engine_level_question(engine_level(level),
                              has_clock ? laws_clock_reading(laws, (ChessColor)side, now) : 0,
                              game->setup.control[side].periods[0].increment_ms, &question);
    } else {
        question.priority = ENGINE_FOR_HINT;
        question.time_ms = what == PLAY_ASKED_HINT ? HINT_MS : DRAW_MS;
    }
    engine->asked = what;
    engine->number = engine_ask(engine->pool, &question);
    free(moves);
}

void play_engine_forget(PlayEngine *engine) {
    if (engine->asked == PLAY_ASKED_NOTHING)
        return;
    engine->asked = PLAY_ASKED_NOTHING;
    engine_cancel(engine->pool, engine->number);
}

PlayAsked play_engine_take(PlayEngine *engine, EngineAnswer *out) {
    uint64_t count;
    const ssize_t got = read(engine->wake, &count, sizeof(count));
    (void)got; // nothing there: the answer may still be
    pthread_mutex_lock(&engine->lock);
    const bool is_there = engine->asked != PLAY_ASKED_NOTHING &&
                          engine->answered == engine->generation && engine->generation > 0;
    if (is_there)
        *out = engine->answer;
    pthread_mutex_unlock(&engine->lock);
    if (!is_there)
        return PLAY_ASKED_NOTHING;
    const PlayAsked asked = engine->asked;
    engine->asked = PLAY_ASKED_NOTHING;
    for (uint32_t i = 0; asked == PLAY_ASKED_DRAW && i < out->lines_count; i++)
        out->lines[i].score = -out->lines[i].score;
    return asked;
}
