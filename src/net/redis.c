// SPDX-License-Identifier: GPL-3.0-or-later
//
// Connecting, subscribing, publishing, and connecting again.
#include "net/redis.h"

#include <stdlib.h>
#include <string.h>

#include <hiredis/async.h>
#include <hiredis/hiredis.h>

#include "net/log.h"

#define RETRY_FIRST_MS 50
#define RETRY_MOST_MS 1000
#define CONNECT_MS 3000 // a connection that is not through by then is given up

struct NetRedis {
    uv_loop_t *loop;
    NetRedisSettings settings;
    char host[256];
    char user[128];
    char password[256];
    char channels[NET_REDIS_CHANNELS][NET_REDIS_CHANNEL_SIZE];
    uv_timer_t timer; // connects, or gives a try up
    uv_getaddrinfo_t lookup;
    redisAsyncContext *publisher;
    redisAsyncContext *listener;
    int subscribed; // channels that are confirmed
    size_t waiting;
    uint64_t retry_ms;
    bool looking_up;
    bool publisher_there;
    bool connected;
    bool said; // that it is not there
    bool closing;
};

// ---- hiredis on the loop ------------------------------------------------------------------------
// Not by the library's own adapter (0.14): that lets errors of a socket pass, so that a connection
// refused is never noticed.

typedef struct Watch {
    uv_poll_t handle;
    redisAsyncContext *context; // NULL: it is gone
    int events;
} Watch;

static void on_socket(uv_poll_t *handle, int status, int events) {
    Watch *watch = handle->data;
    const int due = status != 0 ? UV_READABLE | UV_WRITABLE : events;
    if (watch->context != NULL && (due & UV_READABLE) != 0)
        redisAsyncHandleRead(watch->context);
    if (watch->context != NULL && (due & UV_WRITABLE) != 0)
        redisAsyncHandleWrite(watch->context);
}

static void watch_for(Watch *watch, int events) {
    watch->events = events;
    if (events == 0)
        uv_poll_stop(&watch->handle);
    else
        uv_poll_start(&watch->handle, events, on_socket);
}

static void add_read(void *data) {
    watch_for(data, ((Watch *)data)->events | UV_READABLE);
}

static void del_read(void *data) {
    watch_for(data, ((Watch *)data)->events & ~UV_READABLE);
}

static void add_write(void *data) {
    watch_for(data, ((Watch *)data)->events | UV_WRITABLE);
}

static void del_write(void *data) {
    watch_for(data, ((Watch *)data)->events & ~UV_WRITABLE);
}

static void on_unwatched(uv_handle_t *handle) {
    free(handle->data);
}

static void unwatch(void *data) {
    Watch *watch = data;
    watch->context = NULL;
    uv_close((uv_handle_t *)&watch->handle, on_unwatched);
}

static bool attach(redisAsyncContext *context, uv_loop_t *loop) {
    Watch *watch = calloc(1, sizeof(*watch));
    if (watch == NULL || uv_poll_init(loop, &watch->handle, context->c.fd) != 0) {
        free(watch);
        return false;
    }
    watch->handle.data = watch;
    watch->context = context;
    context->ev.data = watch;
    context->ev.addRead = add_read;
    context->ev.delRead = del_read;
    context->ev.addWrite = add_write;
    context->ev.delWrite = del_write;
    context->ev.cleanup = unwatch;
    return true;
}

// ---- connections --------------------------------------------------------------------------------

static void begin(NetRedis *redis);

static void on_retry(uv_timer_t *timer) {
    begin(timer->data);
}

// Both connections go, whichever of them broke; the next try comes a little later each time.
static void drop(NetRedis *redis, const char *why) {
    redisAsyncContext *contexts[2] = { redis->publisher, redis->listener };
    const bool was_connected = redis->connected;
    redis->publisher = redis->listener = NULL;
    redis->connected = redis->publisher_there = false;
    redis->subscribed = 0;
    redis->waiting = 0;
    for (int i = 0; i < 2; i++)
        if (contexts[i] != NULL)
            redisAsyncFree(contexts[i]); // callbacks come, and see that it is not ours any more
    if (redis->closing)
        return;
    if (!redis->said)
        net_log(NET_LOG_WARN, "Redis at %s:%d: %s; trying again", redis->host, redis->settings.port,
                why[0] != '\0' ? why : "the connection is lost");
    redis->said = true;
    uv_timer_start(&redis->timer, on_retry, redis->retry_ms, 0);
    redis->retry_ms = redis->retry_ms * 2 < RETRY_MOST_MS ? redis->retry_ms * 2 : RETRY_MOST_MS;
    if (was_connected)
        redis->settings.on_lost(redis->settings.context);
}

static bool is_ours(const redisAsyncContext *context) {
    const NetRedis *redis = context->data;
    return redis != NULL && (context == redis->publisher || context == redis->listener);
}

// The library frees the context after this.
static void gone(const redisAsyncContext *context) {
    NetRedis *redis = context->data;
    if (!is_ours(context))
        return;
    char why[128];
    jd_format(why, sizeof(why), "%s", context->errstr != NULL ? context->errstr : "");
    if (context == redis->publisher)
        redis->publisher = NULL;
    else
        redis->listener = NULL;
    drop(redis, why);
}

static void on_disconnect(const redisAsyncContext *context, int status) {
    (void)status;
    gone(context);
}

static void check_connected(NetRedis *redis) {
    if (redis->connected || !redis->publisher_there || redis->subscribed < NET_REDIS_CHANNELS)
        return;
    redis->connected = true;
    redis->retry_ms = RETRY_FIRST_MS;
    uv_timer_stop(&redis->timer);
    if (redis->said)
        net_log(NET_LOG_INFO, "Redis at %s:%d is there", redis->host, redis->settings.port);
    redis->said = false;
    redis->settings.on_connected(redis->settings.context);
}

static void on_connect(const redisAsyncContext *context, int status) {
    NetRedis *redis = context->data;
    if (status != REDIS_OK) {
        gone(context);
        return;
    }
    if (context == redis->publisher)
        redis->publisher_there = true;
    check_connected(redis);
}

static void on_auth(redisAsyncContext *context, void *reply, void *data) {
    const redisReply *answer = reply;
    (void)data;
    if (answer != NULL && answer->type == REDIS_REPLY_ERROR && is_ours(context))
        drop(context->data, answer->str);
}

static void on_heard(redisAsyncContext *context, void *reply, void *data) {
    const redisReply *answer = reply;
    NetRedis *redis = context->data;
    (void)data;
    if (answer == NULL || !is_ours(context))
        return;
    if (answer->type == REDIS_REPLY_ERROR) {
        drop(redis, answer->str);
        return;
    }
    if (answer->type != REDIS_REPLY_ARRAY || answer->elements != 3)
        return;
    const redisReply *kind = answer->element[0];
    const redisReply *body = answer->element[2];
    if (body->type == REDIS_REPLY_INTEGER && strcmp(kind->str, "subscribe") == 0) {
        redis->subscribed++;
        check_connected(redis);
    } else if (body->type == REDIS_REPLY_STRING && redis->connected) {
        redis->settings.on_message(redis->settings.context, jd_str_n(body->str, (size_t)body->len));
    }
}

// One connection, with what is said on it first.
static redisAsyncContext *connect_one(NetRedis *redis, const char *address) {
    redisAsyncContext *context = redisAsyncConnect(address, redis->settings.port);
    if (context == NULL)
        return NULL;
    context->data = NULL;
    if (context->err != 0 || !attach(context, redis->loop)) {
        redisAsyncFree(context);
        return NULL;
    }
    context->data = redis;
    redisAsyncSetConnectCallback(context, on_connect);
    redisAsyncSetDisconnectCallback(context, on_disconnect);
    if (redis->password[0] != '\0' && redis->user[0] != '\0')
        redisAsyncCommand(context, on_auth, NULL, "AUTH %s %s", redis->user, redis->password);
    else if (redis->password[0] != '\0')
        redisAsyncCommand(context, on_auth, NULL, "AUTH %s", redis->password);
    return context;
}

static void on_too_long(uv_timer_t *timer) {
    drop(timer->data, "no connection in time");
}

static void on_address(uv_getaddrinfo_t *lookup, int status, struct addrinfo *found) {
    NetRedis *redis = lookup->data;
    redis->looking_up = false;
    char address[64] = "";
    if (status == 0 && found != NULL)
        status = getnameinfo(found->ai_addr, found->ai_addrlen, address, sizeof(address), NULL, 0,
                             NI_NUMERICHOST);
    uv_freeaddrinfo(found);
    if (redis->closing)
        return;
    if (status != 0) {
        drop(redis, "the name is not known");
        return;
    }
    redis->publisher = connect_one(redis, address);
    redis->listener = redis->publisher == NULL ? NULL : connect_one(redis, address);
    if (redis->listener == NULL) {
        drop(redis, "no connection");
        return;
    }
    redisAsyncCommand(redis->listener, on_heard, NULL, "SUBSCRIBE %s %s", redis->channels[0],
                      redis->channels[1]);
    uv_timer_start(&redis->timer, on_too_long, CONNECT_MS, 0);
}

static void begin(NetRedis *redis) {
    const struct addrinfo hints = { .ai_socktype = SOCK_STREAM };
    if (redis->looking_up)
        return;
    redis->lookup.data = redis;
    redis->looking_up =
        uv_getaddrinfo(redis->loop, &redis->lookup, on_address, redis->host, NULL, &hints) == 0;
    if (!redis->looking_up)
        drop(redis, "the name cannot be looked up");
}

NetRedis *net_redis_open(const NetRedisSettings *settings) {
    NetRedis *redis = calloc(1, sizeof(*redis));
    if (redis == NULL)
        return NULL;
    redis->loop = settings->loop;
    redis->settings = *settings;
    redis->retry_ms = RETRY_FIRST_MS;
    jd_format(redis->host, sizeof(redis->host), "%s", settings->host);
    jd_format(redis->user, sizeof(redis->user), "%s", settings->user);
    jd_format(redis->password, sizeof(redis->password), "%s", settings->password);
    for (int i = 0; i < NET_REDIS_CHANNELS; i++)
        jd_format(redis->channels[i], sizeof(redis->channels[i]), "%s", settings->channels[i]);
    uv_timer_init(redis->loop, &redis->timer);
    redis->timer.data = redis;
    begin(redis);
    return redis;
}

void net_redis_close(NetRedis *redis) {
    if (redis == NULL || redis->closing)
        return;
    redis->closing = true;
    redis->connected = false;
    if (redis->looking_up)
        (void)uv_cancel((uv_req_t *)&redis->lookup);
    redisAsyncContext *listener = redis->listener;
    redisAsyncContext *publisher = redis->publisher;
    redis->listener = redis->publisher = NULL;
    if (listener != NULL)
        redisAsyncFree(listener);
    if (publisher != NULL) {
        // What is left to say goes out as far as the socket takes it at once.
        redisAsyncHandleWrite(publisher);
        redisAsyncFree(publisher);
    }
    uv_close((uv_handle_t *)&redis->timer, NULL);
}

void net_redis_free(NetRedis *redis) {
    free(redis);
}

bool net_redis_connected(const NetRedis *redis) {
    return redis->connected;
}

static void on_published(redisAsyncContext *context, void *reply, void *data) {
    NetRedis *redis = context->data;
    const size_t size = (size_t)(uintptr_t)data;
    if (reply != NULL && context == redis->publisher)
        redis->waiting -= size < redis->waiting ? size : redis->waiting;
}

bool net_redis_publish(NetRedis *redis, const char *channel, JdStr bytes) {
    if (!redis->connected)
        return false;
    const char *words[3] = { "PUBLISH", channel, bytes.data };
    const size_t sizes[3] = { 7, strlen(channel), bytes.size };
    if (redisAsyncCommandArgv(redis->publisher, on_published, (void *)(uintptr_t)bytes.size, 3,
                              words, sizes) != REDIS_OK)
        return false;
    redis->waiting += bytes.size;
    return true;
}

size_t net_redis_waiting(const NetRedis *redis) {
    return redis->waiting;
}

void net_redis_again(NetRedis *redis) {
    if (redis->connected)
        drop(redis, "it does not answer");
}
