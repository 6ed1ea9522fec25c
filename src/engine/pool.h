// SPDX-License-Identifier: GPL-3.0-or-later
//
// Inner: what a pool holds, and the queue of its questions (queue.c).
#ifndef JADOUBE_ENGINE_POOL_H
#define JADOUBE_ENGINE_POOL_H

#include <pthread.h>

#include "engine/engine.h"
#include "engine/process.h"
#include "engine/uci.h"

#define TRANSCRIPT_LINES 256
#define TRANSCRIPT_WIDTH 200
#define OPTIONS_SET_MAX 32

typedef struct Question {
    struct Question *next;
    uint64_t number;
    uint64_t tag; // place in the fair order
    ChessPosition start;
    ChessPosition position; // after the moves
    ChessMove *moves;
    uint32_t move_count;
    EngineQuestion asked; // start and moves in it are not used any more
    uint32_t attempts;
    bool cancelled;
} Question;

typedef enum WorkerState {
    WORKER_OFF = 0,      // no process
    WORKER_STARTING = 1, // "uci" was sent
    WORKER_SETTING = 2,  // "isready" was sent, before a question
    WORKER_IDLE = 3,
    WORKER_THINKING = 4,
    WORKER_STOPPING = 5, // "stop" was sent: the time is over, or the question is not wanted now
    WORKER_QUITTING = 6,
} WorkerState;

typedef struct Worker {
    WorkerState state;
    Process process;
    int number;
    int64_t due_ms;        // of the state: what happens then is in on_due; 0: never
    int64_t not_before_ms; // no start before it
    uint32_t restart_ms;
    uint32_t late; // how often in a row it has not answered in time to begin
    Question *question;
    bool put_back; // STOPPING: the question goes back into the queue
    bool ran_dry;  // STARTING after a start without a question
    EngineLine lines[ENGINE_LINES_MAX];
    uint32_t line_count;
    uint64_t nodes;
    uint64_t last_asker;
    bool has_option[UCI_OPTION_COUNT];
    int64_t option_min[UCI_OPTION_COUNT];
    int64_t option_max[UCI_OPTION_COUNT];
    int64_t option_set[UCI_OPTION_COUNT];
    uint64_t has_config_option; // a bit for each of the pool's options
} Worker;

struct EnginePool {
    EngineConfig config;
    char *program;
    char *options[OPTIONS_SET_MAX];
    size_t option_count;
    bool has_engine;
    pthread_t thread;
    int wake;
    // Shared, under the lock.
    pthread_mutex_t lock;
    Question *queue; // in the order they came
    uint32_t queued;
    uint64_t last_number;
    uint64_t virtual_now; // tag of the question begun last
    bool closing;
    EngineStats stats;
    char transcript[TRANSCRIPT_LINES][TRANSCRIPT_WIDTH];
    uint64_t transcript_count;
    // The pool's thread.
    Worker workers[ENGINE_PROCESSES_MAX];
};

// Wakes the pool's thread; any thread.
void pool_wake(EnginePool *pool);

// ---- queue.c: those that say so are called under the lock

void question_free(Question *question);
// Gives the answer, which ends the question. Not under the lock.
void question_answer(EnginePool *pool, Question *question, const EngineAnswer *what);
void question_answer_without(EnginePool *pool, Question *question, EngineOutcome outcome);
void queue_add(EnginePool *pool, Question *question);          // under the lock
void queue_remove(EnginePool *pool, const Question *question); // under the lock
Question *queue_best(const EnginePool *pool);                  // under the lock

#endif
