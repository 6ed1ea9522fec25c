// SPDX-License-Identifier: GPL-3.0-or-later
#include "live/effects.h"

// What a move needs, and a little more.
#define CHUNK_SIZE (4 * 1024)
#define LIST_CAPACITY_MIN 16

typedef struct LiveChunk {
    struct LiveChunk *next;
    size_t capacity; // bytes after this head
    size_t used;
    size_t reserved;
} LiveChunk;
_Static_assert(sizeof(LiveChunk) % 16 == 0, "what follows the head is aligned to 16 bytes");

static void *resize(const LiveEffects *effects, void *block, size_t old_size, size_t new_size) {
    void *got = effects->memory.resize(effects->memory.context, block, old_size, new_size);
    JD_ASSERT(got != NULL || new_size == 0);
    return got;
}

void live_effects_open(LiveEffects *effects, const LiveMemory *memory) {
    *effects = (LiveEffects) { .memory = *memory };
}

static void free_chunk(const LiveEffects *effects, LiveChunk *chunk) {
    (void)resize(effects, chunk, sizeof(LiveChunk) + chunk->capacity, 0);
}

// One chunk of the usual size is kept: most steps need no more.
void live_effects_clear(LiveEffects *effects) {
    LiveChunk *kept = NULL;
    for (LiveChunk *chunk = effects->chunks, *next; chunk != NULL; chunk = next) {
        next = chunk->next;
        if (kept == NULL && chunk->capacity == CHUNK_SIZE)
            kept = chunk;
        else
            free_chunk(effects, chunk);
    }
    if (kept != NULL) {
        kept->next = NULL;
        kept->used = 0;
    }
    effects->chunks = kept;
    effects->count = 0;
}

void live_effects_close(LiveEffects *effects) {
    live_effects_clear(effects);
    if (effects->chunks != NULL)
        free_chunk(effects, effects->chunks);
    if (effects->list != NULL)
        (void)resize(effects, effects->list, effects->capacity * sizeof(LiveEffect), 0);
    *effects = (LiveEffects) { .memory = effects->memory };
}

void *fx_take(LiveEffects *effects, size_t size) {
    const size_t need = (size + 15) & ~(size_t)15;
    LiveChunk *chunk = effects->chunks;
    if (chunk == NULL || chunk->capacity - chunk->used < need) {
        const size_t capacity = need > CHUNK_SIZE ? need : CHUNK_SIZE;
        LiveChunk *fresh = resize(effects, NULL, 0, sizeof(LiveChunk) + capacity);
        *fresh = (LiveChunk) { .next = chunk, .capacity = capacity };
        effects->chunks = fresh;
        chunk = fresh;
    }
    void *at = (unsigned char *)(chunk + 1) + chunk->used;
    chunk->used += need;
    jd_zero(at, need);
    return at;
}

LiveEffect *fx_push(LiveEffects *effects, LiveEffectKind kind) {
    if (effects->count == effects->capacity) {
        const size_t capacity = effects->capacity == 0 ? LIST_CAPACITY_MIN : effects->capacity * 2;
        effects->list = resize(effects, effects->list, effects->capacity * sizeof(LiveEffect),
                               capacity * sizeof(LiveEffect));
        effects->capacity = capacity;
    }
    LiveEffect *effect = &effects->list[effects->count++];
    jd_zero(effect, sizeof(*effect));
    effect->kind = (uint8_t)kind;
    return effect;
}

LiveAnswer *fx_answer(LiveEffects *effects, LiveOrigin origin, LiveAnswerKind kind) {
    LiveAnswer *answer = fx_take(effects, sizeof(*answer));
    answer->kind = (uint8_t)kind;
    LiveEffect *effect = fx_push(effects, LIVE_FX_ANSWER);
    effect->origin = origin;
    effect->connection = origin.connection;
    effect->answer = answer;
    return answer;
}

LiveAnswer *fx_error(LiveEffects *effects, LiveOrigin origin, const char *code, const char *field,
                     const char *format, ...) {
    LiveAnswer *answer = fx_answer(effects, origin, LIVE_ANSWER_ERROR);
    answer->code = code;
    answer->err.code = 1;
    va_list arguments;
    va_start(arguments, format);
    (void)jd_format_v(answer->err.text, sizeof(answer->err.text), format, arguments);
    va_end(arguments);
    if (field != NULL)
        (void)jd_format(answer->err.field, sizeof(answer->err.field), "%s", field);
    return answer;
}

void fx_log(LiveEffects *effects, const LiveLogEvent *event) {
    LiveLogEvent *copy = fx_take(effects, sizeof(*copy));
    *copy = *event;
    if (event->body_size > 0) {
        unsigned char *body = fx_take(effects, event->body_size);
        jd_copy(body, event->body, event->body_size);
        copy->body = body;
    }
    LiveEffect *effect = fx_push(effects, LIVE_FX_LOG);
    effect->id = event->id;
    effect->log = copy;
}

LiveMessage *fx_message(LiveEffects *effects, LiveMessageKind kind, uint64_t seq) {
    LiveMessage *message = fx_take(effects, sizeof(*message));
    message->kind = (uint8_t)kind;
    message->seq = seq;
    return message;
}

void fx_send(LiveEffects *effects, uint64_t connection, const LiveMessage *message) {
    LiveEffect *effect = fx_push(effects, LIVE_FX_SEND);
    effect->connection = connection;
    effect->message = message;
}

void fx_publish(LiveEffects *effects, const LiveChannel *channel, const LiveMessage *message) {
    LiveEffect *effect = fx_push(effects, LIVE_FX_PUBLISH);
    effect->channel = *channel;
    effect->message = message;
}
