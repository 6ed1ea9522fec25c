// SPDX-License-Identifier: GPL-3.0-or-later
#include "ask.h"

#include <pthread.h>
#include <stdio.h>

typedef struct Reply {
    pthread_mutex_t lock;
    pthread_cond_t came;
    bool is_here;
    EngineAnswer *answer;
} Reply;

static void on_answer(void *context, const EngineAnswer *answer) {
    Reply *reply = context;
    pthread_mutex_lock(&reply->lock);
    *reply->answer = *answer;
    reply->is_here = true;
    pthread_cond_signal(&reply->came);
    pthread_mutex_unlock(&reply->lock);
}

void learn_ask(EnginePool *pool, EngineQuestion *question, EngineAnswer *answer) {
    Reply reply = { .lock = PTHREAD_MUTEX_INITIALIZER,
                    .came = PTHREAD_COND_INITIALIZER,
                    .answer = answer };
    question->done = on_answer;
    question->context = &reply;
    engine_ask(pool, question);
    pthread_mutex_lock(&reply.lock);
    while (!reply.is_here)
        pthread_cond_wait(&reply.came, &reply.lock);
    pthread_mutex_unlock(&reply.lock);
}

bool learn_engine(const char *who, EnginePool **out) {
    static const char *const options[] = { "Hash=32", NULL };
    JdErr err;
    if (engine_pool_open(&(EngineConfig) { .options = options }, out, &err) &&
        engine_pool_has_engine(*out))
        return true;
    fprintf(stderr, "%s: no engine\n", who);
    return false;
}
