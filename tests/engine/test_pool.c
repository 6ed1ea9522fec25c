// SPDX-License-Identifier: GPL-3.0-or-later
//
// The pool against two real engines and one that behaves badly. BAD_ENGINE_PROGRAM names the last.
#include "../check.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "engine/engine.h"

#define ASKED_MAX 64
// The bad engine is built as the tests are, and sanitizers reserve terabytes of addresses.
#define ROOM UINT32_MAX

// Answers come on the pool's thread; the test waits for them here.
typedef struct Box {
    pthread_mutex_t lock;
    pthread_cond_t came;
    EngineAnswer answers[ASKED_MAX];
    int order[ASKED_MAX]; // which came when
    int count;
} Box;

typedef struct Slot {
    Box *box;
    int index;
} Slot;

static Box box = { .lock = PTHREAD_MUTEX_INITIALIZER, .came = PTHREAD_COND_INITIALIZER };
static Slot slots[ASKED_MAX];

static void on_answer(void *context, const EngineAnswer *answer) {
    const Slot *slot = context;
    pthread_mutex_lock(&slot->box->lock);
    slot->box->answers[slot->index] = *answer;
    slot->box->order[slot->box->count++] = slot->index;
    pthread_cond_broadcast(&slot->box->came);
    pthread_mutex_unlock(&slot->box->lock);
}

static void wait_for(int count) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 60;
    int error = 0;
    pthread_mutex_lock(&box.lock);
    while (box.count < count && error == 0)
        error = pthread_cond_timedwait(&box.came, &box.lock, &until);
    const int came = box.count;
    pthread_mutex_unlock(&box.lock);
    if (came < count)
        fail_msg("%d of %d answers after a minute", came, count);
}

static EngineQuestion question_of(int index, const ChessPosition *pos) {
    slots[index] = (Slot) { &box, index };
    return (EngineQuestion) {
        .start = pos,
        .nodes = 2000,
        .skill = -1,
        .asker = 1,
        .done = on_answer,
        .context = &slots[index],
    };
}

static ChessPosition position(const char *fen) {
    ChessPosition pos;
    JdErr err;
    if (!chess_fen_parse(jd_str(fen), &pos, &err))
        fail_msg("%s: %s", fen, err.text);
    return pos;
}

static int open_handles(void) {
    int count = 0;
    DIR *folder = opendir("/proc/self/fd");
    while (readdir(folder) != NULL)
        count++;
    closedir(folder);
    return count;
}

static int fresh(void **state) {
    (void)state;
    box.count = 0;
    unsetenv("BAD_ENGINE");
    return 0;
}

// Opens, lets ask, closes; nothing may be left of processes and descriptors.
static EnginePool *open_pool(const EngineConfig *config) {
    EnginePool *pool = NULL;
    JdErr err;
    if (!engine_pool_open(config, &pool, &err))
        fail_msg("%s", err.text);
    return pool;
}

static void check_engine(const char *program) {
    const int handles = open_handles();
    EnginePool *pool = open_pool(&(EngineConfig) { .program = program, .grace_ms = 20000 });
    assert_true(engine_pool_has_engine(pool));
    // Mate in one: any engine sees it.
    const ChessPosition mate = position("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1");
    EngineQuestion question = question_of(0, &mate);
    question.nodes = 0;
    question.depth = 4;
    question.time_ms = 2000;
    engine_ask(pool, &question);
    wait_for(1);
    EngineStats stats;
    engine_pool_stats(pool, &stats);
    engine_pool_close(pool);
    assert_int_equal(box.answers[0].outcome, ENGINE_ANSWERED);
    char uci[CHESS_UCI_SIZE];
    chess_uci_write(&mate, box.answers[0].best, uci);
    assert_string_equal(uci, "a1a8");
    assert_true(stats.name[0] != '\0');
    assert_int_equal(stats.answered, 1);
    assert_int_equal(open_handles(), handles);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); // no child at all
}

static void test_stockfish(void **state) {
    (void)state;
    check_engine("stockfish");
}

static void test_gnuchess(void **state) {
    (void)state;
    // gnuchess speaks UCI when it is told so: a script of one line, as an operator would write it.
    char path[] = "/tmp/jadoube-gnuchess-XXXXXX";
    const int fd = mkstemp(path);
    FILE *script = fdopen(fd, "w");
    fputs("#!/bin/sh\nexec /usr/games/gnuchess --uci\n", script);
    fchmod(fd, 0700);
    fclose(script);
    check_engine(path);
    unlink(path);
}

static void test_lines_and_strength(void **state) {
    (void)state;
    static const char *const options[] = { "Hash=16", "Nonsense=1", NULL };
    EnginePool *pool = open_pool(&(EngineConfig) { .options = options, .grace_ms = 20000 });
    const ChessPosition start = chess_position_start();
    EngineQuestion question = question_of(0, &start);
    question.lines = 5;
    question.wants_wdl = true;
    question.nodes = 20000;
    engine_ask(pool, &question);
    // The moves are followed, and Chess960 is told.
    ChessMove moves[2];
    ChessPosition here = start;
    ChessUndo undo;
    assert_true(chess_uci_parse(JD_STR("e2e4"), &here, &moves[0], NULL));
    chess_move_make(&here, moves[0], &undo);
    assert_true(chess_uci_parse(JD_STR("e7e5"), &here, &moves[1], NULL));
    question = question_of(1, &start);
    question.moves = moves;
    question.move_count = 2;
    question.elo = 1500;
    engine_ask(pool, &question);
    const ChessPosition shuffled = chess960_start(7);
    question = question_of(2, &shuffled);
    engine_ask(pool, &question);
    wait_for(3);
    engine_pool_close(pool);
    const EngineAnswer *a = box.answers;
    assert_int_equal(a[0].outcome, ENGINE_ANSWERED);
    assert_int_equal(a[0].lines_count, 5);
    assert_true(a[0].lines[0].has_wdl);
    assert_int_equal(a[0].lines[0].moves[0], a[0].best);
    for (uint32_t i = 2; i < a[0].lines_count; i++)
        assert_true(a[0].lines[i - 1].score >= a[0].lines[i].score);
    assert_true(a[0].nodes > 0);
    assert_int_equal(a[1].outcome, ENGINE_ANSWERED);
    chess_move_make(&here, moves[1], &undo);
    assert_true(chess_move_is_legal(&here, a[1].best));
    assert_int_equal(a[2].outcome, ENGINE_ANSWERED);
    assert_true(chess_move_is_legal(&shuffled, a[2].best));
}

static void test_refusals(void **state) {
    (void)state;
    EnginePool *pool = open_pool(&(EngineConfig) { .processes = 1 });
    const ChessPosition start = chess_position_start();
    const ChessPosition mated = position("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1");
    EngineQuestion question = question_of(0, &mated);
    engine_ask(pool, &question);
    question = question_of(1, &start);
    question.nodes = 0;
    engine_ask(pool, &question);
    const ChessMove nonsense[1] = { 0 };
    question = question_of(2, &start);
    question.moves = nonsense;
    question.move_count = 1;
    engine_ask(pool, &question);
    EngineStats stats;
    engine_pool_stats(pool, &stats);
    assert_int_equal(stats.processes, 0); // none was started for that
    engine_pool_close(pool);
    for (int i = 0; i < 3; i++)
        assert_int_equal(box.answers[i].outcome, ENGINE_REFUSED);
}

static void test_no_engine(void **state) {
    (void)state;
    EnginePool *pool = open_pool(&(EngineConfig) { .program = "/nowhere/engine" });
    assert_false(engine_pool_has_engine(pool));
    const ChessPosition start = chess_position_start();
    const EngineQuestion question = question_of(0, &start);
    engine_ask(pool, &question);
    engine_pool_close(pool);
    assert_int_equal(box.answers[0].outcome, ENGINE_MISSING);
}

static void test_bad_options(void **state) {
    (void)state;
    static const char *const options[] = { "Hash", NULL };
    EnginePool *pool = NULL;
    JdErr err;
    assert_false(engine_pool_open(&(EngineConfig) { .options = options }, &pool, &err));
    assert_non_null(strstr(err.text, "Name=value"));
    static const char *const broken[] = { "Hash=1\nquit", NULL };
    assert_false(engine_pool_open(&(EngineConfig) { .options = broken }, &pool, &err));
}

// Each fault: the engine is replaced; a fault that comes once costs a second attempt, one that
// stays costs the question after ENGINE_ATTEMPTS.
static void test_faults(void **state) {
    (void)state;
    static const char *const faults[] = { "hang", "die", "exit", "flood", "lie", "mute" };
    const ChessPosition start = chess_position_start();
    for (size_t i = 0; i < JD_COUNT(faults); i++)
        for (int once = 0; once < 2; once++) {
            char mode[32];
            char mark[] = "/tmp/jadoube-bad-XXXXXX";
            close(mkstemp(mark));
            unlink(mark);
            snprintf(mode, sizeof mode, "%s%s", faults[i], once ? "_once" : "");
            setenv("BAD_ENGINE", mode, 1);
            setenv("BAD_ENGINE_MARK", mark, 1);
            box.count = 0;
            const int handles = open_handles();
            // The one that is well afterwards has time, however slow the machine.
            EnginePool *pool = open_pool(&(EngineConfig) {
                .program = getenv("BAD_ENGINE_PROGRAM"),
                .memory_mib = ROOM,
                .start_ms = strcmp(faults[i], "mute") != 0 ? 0
                            : once                         ? 6000
                                                           : 300,
                .grace_ms = !once                            ? 100
                            : strcmp(faults[i], "hang") == 0 ? 6000
                                                             : 30000,
                .flood_bytes = 100000,
            });
            EngineQuestion question = question_of(0, &start);
            question.time_ms = 50;
            engine_ask(pool, &question);
            if (!once && strcmp(faults[i], "mute") == 0) {
                // It never gets as far as the question: that waits until it is cancelled or closed.
                struct timespec second = { 1, 0 };
                nanosleep(&second, NULL);
                engine_pool_close(pool);
                assert_int_equal(box.answers[0].outcome, ENGINE_CANCELLED);
            } else {
                wait_for(1);
                engine_pool_close(pool);
                const EngineOutcome expected = once ? ENGINE_ANSWERED : ENGINE_FAILED;
                if (box.answers[0].outcome != expected)
                    fail_msg("%s: %s", mode, engine_outcome_name(box.answers[0].outcome));
                if (once && strcmp(faults[i], "mute") != 0)
                    assert_int_equal(box.answers[0].attempts, 2);
            }
            unlink(mark);
            assert_int_equal(open_handles(), handles);
            assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
        }
}

// On a machine that is busy an engine that is killed for being late would be late again.
static void test_slow_start(void **state) {
    (void)state;
    const ChessPosition start = chess_position_start();
    setenv("BAD_ENGINE", "slow", 1);
    box.count = 0;
    EnginePool *pool = open_pool(&(EngineConfig) { .program = getenv("BAD_ENGINE_PROGRAM"),
                                                   .memory_mib = ROOM,
                                                   .start_ms = 1000,
                                                   .grace_ms = 30000 });
    EngineQuestion question = question_of(0, &start);
    engine_ask(pool, &question);
    wait_for(1);
    EngineStats stats;
    engine_pool_stats(pool, &stats);
    engine_pool_close(pool);
    assert_int_equal(box.answers[0].outcome, ENGINE_ANSWERED);
    assert_true(stats.restarts >= 1);
}

static void test_noise_and_a_bad_farewell(void **state) {
    (void)state;
    const ChessPosition start = chess_position_start();
    setenv("BAD_ENGINE", "noise", 1);
    EnginePool *pool = open_pool(&(EngineConfig) { .program = getenv("BAD_ENGINE_PROGRAM"),
                                                   .memory_mib = ROOM,
                                                   .start_ms = 30000,
                                                   .grace_ms = 30000 });
    EngineQuestion question = question_of(0, &start);
    engine_ask(pool, &question);
    wait_for(1);
    engine_pool_close(pool);
    assert_int_equal(box.answers[0].outcome, ENGINE_ANSWERED);
    assert_int_equal(box.answers[0].attempts, 1);
    assert_int_equal(box.answers[0].lines_count, 1);
    assert_int_equal(box.answers[0].lines[0].score, 7);
    setenv("BAD_ENGINE", "stay", 1);
    box.count = 0;
    pool =
        open_pool(&(EngineConfig) { .program = getenv("BAD_ENGINE_PROGRAM"), .memory_mib = ROOM });
    engine_ask(pool, &question);
    wait_for(1);
    engine_pool_close(pool);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

// Game moves first, then hints, then analyses; among equals everybody has his turn.
static void test_order(void **state) {
    (void)state;
    const ChessPosition start = chess_position_start();
    setenv("BAD_ENGINE", "", 1);
    char gate[] = "/tmp/jadoube-gate-XXXXXX";
    close(mkstemp(gate));
    unlink(gate);
    setenv("BAD_ENGINE_GATE", gate, 1);
    EnginePool *pool =
        open_pool(&(EngineConfig) { .program = getenv("BAD_ENGINE_PROGRAM"), .memory_mib = ROOM });
    // Asked before the first process is up, so that all of them wait together.
    static const struct {
        uint8_t priority;
        uint64_t asker;
    } asked[] = {
        { ENGINE_FOR_ANALYSIS, 1 }, { ENGINE_FOR_ANALYSIS, 1 }, { ENGINE_FOR_ANALYSIS, 1 },
        { ENGINE_FOR_ANALYSIS, 2 }, { ENGINE_FOR_HINT, 3 },     { ENGINE_FOR_MOVE, 4 },
    };
    for (int i = 0; i < (int)JD_COUNT(asked); i++) {
        EngineQuestion question = question_of(i, &start);
        question.priority = asked[i].priority;
        question.asker = asked[i].asker;
        engine_ask(pool, &question);
    }
    close(open(gate, O_CREAT | O_WRONLY, 0600));
    wait_for((int)JD_COUNT(asked));
    engine_pool_close(pool);
    unlink(gate);
    unsetenv("BAD_ENGINE_GATE");
    static const int expected[] = { 5, 4, 0, 3, 1, 2 };
    for (size_t i = 0; i < JD_COUNT(expected); i++)
        assert_int_equal(box.order[i], expected[i]);
}

// A move in a game does not wait for an analysis, and the analysis is not lost.
static void test_interruption(void **state) {
    (void)state;
    const ChessPosition start = chess_position_start();
    EnginePool *pool = open_pool(&(EngineConfig) { .grace_ms = 20000 });
    EngineQuestion question = question_of(0, &start);
    question.nodes = 0;
    question.time_ms = 8000;
    question.priority = ENGINE_FOR_ANALYSIS;
    engine_ask(pool, &question);
    EngineStats stats = { 0 };
    for (int i = 0; i < 1000 && stats.thinking == 0; i++) {
        const struct timespec pause = { 0, 10000000 };
        nanosleep(&pause, NULL);
        engine_pool_stats(pool, &stats);
    }
    assert_int_equal(stats.thinking, 1);
    question = question_of(1, &start);
    question.nodes = 100;
    engine_ask(pool, &question);
    wait_for(2);
    engine_pool_close(pool);
    assert_int_equal(box.order[0], 1);
    assert_int_equal(box.answers[0].outcome, ENGINE_ANSWERED);
    assert_int_equal(box.answers[1].outcome, ENGINE_ANSWERED);
}

static void test_cancel(void **state) {
    (void)state;
    const ChessPosition start = chess_position_start();
    EnginePool *pool = open_pool(&(EngineConfig) { .grace_ms = 20000 });
    EngineQuestion question = question_of(0, &start);
    question.nodes = 0;
    question.time_ms = 50000;
    const uint64_t first = engine_ask(pool, &question);
    question = question_of(1, &start);
    question.time_ms = 50000;
    const uint64_t second = engine_ask(pool, &question);
    engine_cancel(pool, second);
    engine_cancel(pool, first);
    engine_cancel(pool, 12345); // nobody's
    wait_for(2);
    engine_pool_close(pool);
    assert_int_equal(box.answers[0].outcome, ENGINE_CANCELLED);
    assert_int_equal(box.answers[1].outcome, ENGINE_CANCELLED);
}

// Never more processes than configured, and all of them used.
static void test_processes(void **state) {
    (void)state;
    const ChessPosition start = chess_position_start();
    EnginePool *pool = open_pool(&(EngineConfig) { .processes = 2, .grace_ms = 20000 });
    for (int i = 0; i < 30; i++) {
        EngineQuestion question = question_of(i, &start);
        question.asker = (uint64_t)i % 5;
        question.nodes = 3000;
        engine_ask(pool, &question);
        EngineStats stats;
        engine_pool_stats(pool, &stats);
        assert_true(stats.processes <= 2);
    }
    wait_for(30);
    EngineStats stats;
    engine_pool_stats(pool, &stats);
    engine_pool_close(pool);
    assert_int_equal(stats.processes, 2);
    for (int i = 0; i < 30; i++)
        assert_int_equal(box.answers[i].outcome, ENGINE_ANSWERED);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_stockfish, fresh),
        cmocka_unit_test_setup(test_gnuchess, fresh),
        cmocka_unit_test_setup(test_lines_and_strength, fresh),
        cmocka_unit_test_setup(test_refusals, fresh),
        cmocka_unit_test_setup(test_no_engine, fresh),
        cmocka_unit_test_setup(test_bad_options, fresh),
        cmocka_unit_test_setup(test_faults, fresh),
        cmocka_unit_test_setup(test_slow_start, fresh),
        cmocka_unit_test_setup(test_noise_and_a_bad_farewell, fresh),
        cmocka_unit_test_setup(test_order, fresh),
        cmocka_unit_test_setup(test_interruption, fresh),
        cmocka_unit_test_setup(test_cancel, fresh),
        cmocka_unit_test_setup(test_processes, fresh),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
