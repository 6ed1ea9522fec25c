// SPDX-License-Identifier: GPL-3.0-or-later
//
// The questions who can mate, one after the other.
#include "net/decide.h"

#include <stdlib.h>

#include <jadoube/dead.h>

#include "net/log.h"

typedef struct Question {
    LiveId game;
    LawsQuestion asked;
} Question;

struct NetDecider {
    NetJob job; // first: the workers know no more of it
    NetWorkers *workers;
    NetDecidedFn decided;
    NetWantedFn wanted;
    void *context;
    Question waiting[NET_QUESTIONS_MAX];
    size_t count;
    bool running;
    bool stopped;
    // Of the question that runs; a worker's while it does.
    Question question;
    int side;
    uint64_t spent; // nodes, on this side
    DeadJob *search;
    void *memory;
    uint8_t code;
    bool done;
};

static void run_slice(NetJob *job, NetWorkerKit *kit) {
    NetDecider *decider = (NetDecider *)job;
    (void)kit;
    const ChessColor side = (ChessColor)decider->side;
    DeadAnswer answer;
    if (decider->search == NULL) {
        decider->search = dead_job_begin(&decider->question.asked.position, side,
                                         NET_QUESTION_SLICE, decider->memory, NET_QUESTION_MEMORY);
        decider->spent = 0;
    }
    answer = dead_job_run(decider->search, NET_QUESTION_SLICE);
    decider->spent += NET_QUESTION_SLICE;
    if (answer.verdict == DEAD_UNKNOWN && !answer.out_of_memory &&
        decider->spent < NET_QUESTION_NODES)
        return;
    if (answer.verdict == DEAD_IMPOSSIBLE)
        decider->code |= (uint8_t)(LAWS_MATING_NOT_WHITE << side);
    else if (answer.verdict == DEAD_UNKNOWN)
        decider->code |= (uint8_t)(LAWS_MATING_OPEN_WHITE << side);
    decider->search = NULL;
    // Whether a position is dead hangs on the second side only when the first cannot mate.
    decider->done = decider->question.asked.winner != LAWS_BOTH_SIDES || side == CHESS_BLACK ||
                    answer.verdict != DEAD_IMPOSSIBLE;
    decider->side = CHESS_BLACK;
}

// Games that wait for the answer first, then in the order in which they asked.
static bool take(NetDecider *decider, Question *out) {
    while (decider->count > 0) {
        size_t at = 0;
        while (at < decider->count && decider->waiting[at].asked.winner == LAWS_BOTH_SIDES)
            at++;
        if (at == decider->count)
            at = 0;
        *out = decider->waiting[at];
        decider->count--;
        for (size_t i = at; i < decider->count; i++)
            decider->waiting[i] = decider->waiting[i + 1];
        if (decider->wanted(decider->context, &out->game, out->asked.ply))
            return true;
    }
    return false;
}

static void release(NetDecider *decider) {
    free(decider->memory);
    decider->memory = NULL;
    decider->running = false;
}

static void push(NetDecider *decider) {
    if (!net_workers_push(decider->workers, &decider->job))
        release(decider); // live asks again
}

static void begin(NetDecider *decider) {
    if (decider->running || decider->stopped || !take(decider, &decider->question))
        return;
    decider->memory = aligned_alloc(16, NET_QUESTION_MEMORY);
    if (decider->memory == NULL) {
        net_log(NET_LOG_WARN, "no memory to find out who can mate in game %s",
                decider->question.game.text);
        return;
    }
    const uint8_t winner = decider->question.asked.winner;
    decider->running = true;
    decider->side = winner == LAWS_BOTH_SIDES ? CHESS_WHITE : winner;
    decider->search = NULL;
    decider->code = 0;
    decider->done = false;
    push(decider);
}

static void slice_done(NetJob *job) {
    NetDecider *decider = (NetDecider *)job;
    const Question question = decider->question;
    if (!job->ran || decider->stopped) {
        release(decider);
        return;
    }
    const bool is_wanted = decider->wanted(decider->context, &question.game, question.asked.ply);
    if (!decider->done && is_wanted) {
        push(decider);
        return;
    }
    const uint8_t code = decider->code;
    release(decider);
    if (decider->done) {
        if (code & (LAWS_MATING_OPEN_WHITE | LAWS_MATING_OPEN_BLACK))
            net_log(NET_LOG_WARN, "game %s, ply %u: it was not found out who can mate",
                    question.game.text, (unsigned)question.asked.ply);
        decider->decided(decider->context, &question.game, question.asked.ply, code);
    }
    begin(decider);
}

NetDecider *net_decider_new(NetWorkers *workers, NetDecidedFn decided, NetWantedFn wanted,
                            void *context) {
    NetDecider *decider = calloc(1, sizeof(*decider));
    if (decider == NULL)
        return NULL;
    decider->job = (NetJob) { .run = run_slice, .done = slice_done, .heavy = true };
    decider->workers = workers;
    decider->decided = decided;
    decider->wanted = wanted;
    decider->context = context;
    return decider;
}

void net_decider_ask(NetDecider *decider, const LiveId *game, const LawsQuestion *question) {
    if (decider->stopped || decider->count == NET_QUESTIONS_MAX)
        return;
    decider->waiting[decider->count++] = (Question) { *game, *question };
    begin(decider);
}

void net_decider_stop(NetDecider *decider) {
    decider->stopped = true;
    decider->count = 0;
}

void net_decider_free(NetDecider *decider) {
    free(decider);
}
