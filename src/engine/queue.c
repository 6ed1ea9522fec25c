// SPDX-License-Identifier: GPL-3.0-or-later
//
// Questions: taking them, their order, giving their answers.
#include "engine/pool.h"

#include <stdlib.h>
#include <string.h>

// ---- questions ---------------------------------------------------------------------------------

void question_free(Question *question) {
    free(question->moves);
    free(question);
}

void question_answer(EnginePool *pool, Question *question, const EngineAnswer *what) {
    pthread_mutex_lock(&pool->lock);
    if (what->outcome == ENGINE_ANSWERED)
        pool->stats.answered++;
    if (what->outcome == ENGINE_FAILED)
        pool->stats.failed++;
    pthread_mutex_unlock(&pool->lock);
    question->asked.done(question->asked.context, what);
    question_free(question);
}

void question_answer_without(EnginePool *pool, Question *question, EngineOutcome outcome) {
    const EngineAnswer what = { .outcome = outcome, .attempts = question->attempts };
    question_answer(pool, question, &what);
}

// Copies a question; *outcome says why there is none.
static Question *question_make(const EngineQuestion *asked, EngineOutcome *outcome) {
    *outcome = ENGINE_REFUSED;
    if (asked->time_ms == 0 && asked->depth == 0 && asked->nodes == 0)
        return NULL;
    if (asked->lines > ENGINE_LINES_MAX || asked->move_count > CHESS_GAME_PLIES_MAX)
        return NULL;
    ChessPosition position = *asked->start;
    for (uint32_t i = 0; i < asked->move_count; i++) {
        ChessUndo undo;
        if (!chess_move_is_legal(&position, asked->moves[i]))
            return NULL;
        chess_move_make(&position, asked->moves[i], &undo);
    }
    if (!chess_has_legal_move(&position))
        return NULL;
    Question *question = calloc(1, sizeof *question);
    ChessMove *moves = calloc(asked->move_count + 1, sizeof *moves);
    if (question == NULL || moves == NULL) {
        free(question);
        free(moves);
        *outcome = ENGINE_BUSY;
        return NULL;
    }
    if (asked->move_count > 0)
        memcpy(moves, asked->moves, asked->move_count * sizeof *moves);
    question->start = *asked->start;
    question->position = position;
    question->moves = moves;
    question->move_count = asked->move_count;
    question->asked = *asked;
    question->asked.start = NULL;
    question->asked.moves = NULL;
    return question;
}

// Start-time fair queueing (Goyal, Vin and Cheng 1996) with equal costs: a question's tag is one
// more than that of its asker's last one, but never behind the one begun last.
static uint64_t fair_tag(const EnginePool *pool, uint64_t asker) {
    uint64_t tag = pool->virtual_now;
    for (const Question *q = pool->queue; q != NULL; q = q->next)
        if (q->asked.asker == asker && q->tag > tag)
            tag = q->tag;
    for (uint32_t i = 0; i < pool->config.processes; i++) {
        const Question *q = pool->workers[i].question;
        if (q != NULL && q->asked.asker == asker && q->tag > tag)
            tag = q->tag;
    }
    return tag + 1;
}

void queue_add(EnginePool *pool, Question *question) {
    Question **at = &pool->queue;
    while (*at != NULL)
        at = &(*at)->next;
    question->next = NULL;
    *at = question;
    pool->queued++;
}

static bool goes_before(const Question *a, const Question *b) {
    if (a->asked.priority != b->asked.priority)
        return a->asked.priority < b->asked.priority;
    return a->tag != b->tag ? a->tag < b->tag : a->number < b->number;
}

Question *queue_best(const EnginePool *pool) {
    Question *best = NULL;
    for (Question *q = pool->queue; q != NULL; q = q->next)
        if (best == NULL || goes_before(q, best))
            best = q;
    return best;
}

void queue_remove(EnginePool *pool, const Question *question) {
    for (Question **at = &pool->queue; *at != NULL; at = &(*at)->next)
        if (*at == question) {
            *at = question->next;
            pool->queued--;
            return;
        }
}

uint64_t engine_ask(EnginePool *pool, const EngineQuestion *asked) {
    EngineOutcome outcome = ENGINE_REFUSED;
    Question *question = question_make(asked, &outcome);
    pthread_mutex_lock(&pool->lock);
    const uint64_t number = ++pool->last_number;
    if (question != NULL) {
        if (!pool->has_engine)
            outcome = ENGINE_MISSING;
        else if (pool->closing)
            outcome = ENGINE_CANCELLED;
        else if (pool->queued >= ENGINE_QUEUE_MAX)
            outcome = ENGINE_BUSY;
        else {
            question->number = number;
            question->tag = fair_tag(pool, asked->asker);
            queue_add(pool, question);
            pthread_mutex_unlock(&pool->lock);
            pool_wake(pool);
            return number;
        }
    }
    pthread_mutex_unlock(&pool->lock);
    if (question != NULL)
        question_free(question);
    const EngineAnswer none = { .outcome = outcome };
    asked->done(asked->context, &none);
    return number;
}

void engine_cancel(EnginePool *pool, uint64_t number) {
    pthread_mutex_lock(&pool->lock);
    for (Question *q = pool->queue; q != NULL; q = q->next)
        if (q->number == number)
            q->cancelled = true;
    for (uint32_t i = 0; i < pool->config.processes; i++) {
        Question *q = pool->workers[i].question;
        if (q != NULL && q->number == number)
            q->cancelled = true;
    }
    pthread_mutex_unlock(&pool->lock);
    pool_wake(pool);
}

const char *engine_outcome_name(EngineOutcome outcome) {
    switch (outcome) {
    case ENGINE_ANSWERED:
        return "answered";
    case ENGINE_MISSING:
        return "missing";
    case ENGINE_FAILED:
        return "failed";
    case ENGINE_CANCELLED:
        return "cancelled";
    case ENGINE_BUSY:
        return "busy";
    case ENGINE_REFUSED:
        return "refused";
    }
    return "?";
}
