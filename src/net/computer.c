// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/computer.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "net/log.h"
#include "net/server.h"

#define AGAIN_MS 200 // while the database takes nothing

// One move being thought about.
typedef struct Turn {
    struct Turn *next;
    NetComputer *computer;
    LiveId game;
    LiveAccount account;
    uint8_t level;
    bool is_offered;
    ChessMove bound_move;
    ChessMove last_move;
    ChessPosition position;
    uint32_t ply;
    int64_t left_ms;
    int64_t increment_ms;
    uint64_t begun_ms; // of the loop
    uint64_t due_ms;
    EngineAnswer answer;
    bool accepts; // decided: takes the draw
    ChessMove move;
} Turn;

// A question of somebody else's.
typedef struct Ask {
    struct Ask *next;
    NetComputer *computer;
    NetThoughtFn done;
    void *context;
    EngineAnswer answer;
} Ask;

struct NetComputer {
    NetShell *shell;
    uv_loop_t *loop;
    EnginePool *pool;
    uv_async_t answered;
    uv_timer_t timer;
    uint64_t random;
    Turn *waiting; // decided, not yet due
    size_t thinking;
    bool handles;
    bool has_pace;
    // From the engines' thread, under the lock.
    pthread_mutex_t lock;
    Turn *done;
    Ask *thought;
};

// ---- the engines' thread -----------------------------------------------------------------------

static void on_answer(void *context, const EngineAnswer *answer) {
    Turn *turn = context;
    NetComputer *computer = turn->computer;
    turn->answer = *answer;
    pthread_mutex_lock(&computer->lock);
    turn->next = computer->done;
    computer->done = turn;
    pthread_mutex_unlock(&computer->lock);
    uv_async_send(&computer->answered);
}

static void on_thought(void *context, const EngineAnswer *answer) {
    Ask *ask = context;
    NetComputer *computer = ask->computer;
    ask->answer = *answer;
    pthread_mutex_lock(&computer->lock);
    ask->next = computer->thought;
    computer->thought = ask;
    pthread_mutex_unlock(&computer->lock);
    uv_async_send(&computer->answered);
}

static void on_note(void *context, const char *text) {
    (void)context;
    net_log(NET_LOG_WARN, "%s", text);
}

// ---- the loop ----------------------------------------------------------------------------------

static void set_timer(NetComputer *computer);

// Gives the decision to live, which refuses it when the game has gone on without it.
static void play(NetComputer *computer, const Turn *turn) {
    char uci[CHESS_UCI_SIZE];
    const size_t size = chess_uci_write(&turn->position, turn->move, uci);
    const LiveCommand command = {
        .kind = turn->accepts ? LIVE_DRAW : LIVE_MOVE,
        .act = LIVE_DRAW_ACCEPT,
        .account = turn->account,
        .id = turn->game,
        .ply = turn->ply,
        .uci = turn->accepts ? (JdStr) { NULL, 0 } : jd_str_n(uci, size),
    };
    net_shell_step(computer->shell, &command);
}

static void on_timer(uv_timer_t *timer) {
    NetComputer *computer = timer->data;
    const uint64_t now_ms = uv_now(computer->loop);
    const bool ready = net_shell_ready(computer->shell);
    Turn *due = NULL;
    for (Turn **at = &computer->waiting; *at != NULL;) {
        Turn *turn = *at;
        if (turn->due_ms > now_ms) {
            at = &turn->next;
        } else if (!ready) {
            turn->due_ms = now_ms + AGAIN_MS;
            at = &turn->next;
        } else {
            *at = turn->next;
            turn->next = due;
            due = turn;
        }
    }
    while (due != NULL) {
        Turn *turn = due;
        due = turn->next;
        play(computer, turn);
        free(turn);
    }
    set_timer(computer);
}

static void set_timer(NetComputer *computer) {
    uint64_t first_ms = UINT64_MAX;
    for (const Turn *turn = computer->waiting; turn != NULL; turn = turn->next)
        if (turn->due_ms < first_ms)
            first_ms = turn->due_ms;
    if (first_ms == UINT64_MAX) {
        uv_timer_stop(&computer->timer);
        return;
    }
    const uint64_t now_ms = uv_now(computer->loop);
    uv_timer_start(&computer->timer, on_timer, first_ms > now_ms ? first_ms - now_ms : 0, 0);
}

static void decide(NetComputer *computer, Turn *turn) {
    const EngineLevel *level = engine_level(turn->level);
    turn->accepts = turn->is_offered &&
                    engine_level_accepts_draw(&turn->answer, turn->position.fullmove_number);
    turn->move =
        turn->bound_move != CHESS_NO_MOVE
            ? turn->bound_move
            : engine_level_choose(level, &turn->position, &turn->answer, &computer->random);
    const uint32_t pace = engine_level_pace(level, &turn->position, turn->last_move, &turn->answer,
                                            turn->left_ms, turn->increment_ms, &computer->random);
    turn->due_ms = turn->begun_ms + (computer->has_pace ? pace : 0);
    turn->next = computer->waiting;
    computer->waiting = turn;
}

static void hand_over_thoughts(NetComputer *computer) {
    pthread_mutex_lock(&computer->lock);
    Ask *ask = computer->thought;
    computer->thought = NULL;
    pthread_mutex_unlock(&computer->lock);
    while (ask != NULL) {
        Ask *next = ask->next;
        ask->done(ask->context, &ask->answer);
        free(ask);
        ask = next;
    }
}

static void on_answered(uv_async_t *handle) {
    NetComputer *computer = handle->data;
    hand_over_thoughts(computer);
    pthread_mutex_lock(&computer->lock);
    Turn *done = computer->done;
    computer->done = NULL;
    pthread_mutex_unlock(&computer->lock);
    while (done != NULL) {
        Turn *turn = done;
        done = turn->next;
        computer->thinking--;
        if (turn->answer.outcome == ENGINE_CANCELLED)
            free(turn); // we are stopping; it is asked again after the start
        else
            decide(computer, turn);
    }
    set_timer(computer);
}

void net_computer_think(NetComputer *computer, const LiveId *game, const LiveThink *think) {
    Turn *turn = calloc(1, sizeof *turn);
    if (turn == NULL) {
        net_log(NET_LOG_ERROR, "no memory for a move of the computer in game %s", game->text);
        return;
    }
    turn->computer = computer;
    turn->game = *game;
    turn->account = think->account;
    turn->level = think->level <= ENGINE_LEVELS ? think->level : ENGINE_LEVELS;
    turn->is_offered = think->is_offered;
    turn->bound_move = think->bound_move;
    turn->ply = think->move_count;
    turn->left_ms = think->left_ms;
    turn->increment_ms = think->increment_ms;
    turn->begun_ms = uv_now(computer->loop);
    turn->position = think->start;
    for (uint32_t i = 0; i < think->move_count; i++) {
        ChessUndo undo;
        turn->last_move = think->moves[i];
        chess_move_make(&turn->position, think->moves[i], &undo);
    }
    EngineQuestion question = {
        .start = &think->start,
        .moves = think->moves,
        .move_count = think->move_count,
        .done = on_answer,
        .context = turn,
    };
    jd_copy(&question.asker, game->text, sizeof question.asker); // each game has its turn
    engine_level_question(engine_level(turn->level), think->left_ms, think->increment_ms,
                          &question);
    computer->thinking++;
    engine_ask(computer->pool, &question);
}

bool net_computer_ask(NetComputer *computer, const EngineQuestion *question, NetThoughtFn done,
                      void *context) {
    Ask *ask = calloc(1, sizeof *ask);
    if (ask == NULL || computer->pool == NULL) {
        free(ask);
        return false;
    }
    *ask = (Ask) { .computer = computer, .done = done, .context = context };
    EngineQuestion mine = *question;
    mine.done = on_thought;
    mine.context = ask;
    engine_ask(computer->pool, &mine);
    return true;
}

// ---- opening and closing -----------------------------------------------------------------------

static uint32_t process_count(const NetConfig *config) {
    if (config->engines > 0)
        return (uint32_t)config->engines;
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    return processors > 2 ? (uint32_t)(processors / 2) : 1;
}

bool net_computer_open(uv_loop_t *loop, NetShell *shell, const NetConfig *config, NetComputer **out,
                       JdErr *err) {
    static const char *const options[] = { "Threads=1", "Hash=16", NULL };
    NetComputer *computer = calloc(1, sizeof *computer);
    if (computer == NULL)
        return jd_fail(err, 1, 0, "out of memory");
    const EngineConfig engines = {
        .program = config->engine,
        .options = options,
        .processes = process_count(config),
        .nice = 10,
        .note = on_note,
    };
    computer->shell = shell;
    computer->loop = loop;
    computer->random = net_random64();
    computer->has_pace = config->engine_pace;
    pthread_mutex_init(&computer->lock, NULL);
    if (!engine_pool_open(&engines, &computer->pool, err)) {
        pthread_mutex_destroy(&computer->lock);
        free(computer);
        return false;
    }
    uv_async_init(loop, &computer->answered, on_answered);
    uv_timer_init(loop, &computer->timer);
    computer->answered.data = computer;
    computer->timer.data = computer;
    computer->handles = true;
    if (!engine_pool_has_engine(computer->pool))
        net_log(NET_LOG_WARN, "no engine at \"%s\": nobody can play against the computer",
                config->engine);
    *out = computer;
    return true;
}

bool net_computer_accounts(Pages *pages, JdInstant now, PagesMe accounts[LIVE_LEVELS_MAX],
                           JdErr *err) {
    PagesWorker *worker = NULL;
    PagesFault fault = { 0 };
    _Static_assert(ENGINE_LEVELS <= LIVE_LEVELS_MAX, "live has room for every level");
    if (!pages_worker_open(pages, &worker, err))
        return false;
    const bool ok = pages_computers(worker, ENGINE_LEVELS, accounts, now, &fault);
    pages_worker_close(worker);
    return ok || jd_fail(err, 1, 0, "%s", fault.err.text);
}

bool net_computer_is_there(const NetComputer *computer) {
    return engine_pool_has_engine(computer->pool);
}

void net_computer_stats(NetComputer *computer, EngineStats *out) {
    engine_pool_stats(computer->pool, out);
}

void net_computer_stop(NetComputer *computer) {
    if (computer == NULL || !computer->handles)
        return;
    engine_pool_close(computer->pool); // every question is answered before it returns
    computer->pool = NULL;
    hand_over_thoughts(computer);
    computer->handles = false;
    uv_close((uv_handle_t *)&computer->answered, NULL);
    uv_close((uv_handle_t *)&computer->timer, NULL);
}

static void free_turns(Turn *turn) {
    while (turn != NULL) {
        Turn *next = turn->next;
        free(turn);
        turn = next;
    }
}

void net_computer_free(NetComputer *computer) {
    if (computer == NULL)
        return;
    free_turns(computer->waiting);
    free_turns(computer->done);
    pthread_mutex_destroy(&computer->lock);
    free(computer);
}
