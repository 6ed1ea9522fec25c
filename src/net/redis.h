// SPDX-License-Identifier: GPL-3.0-or-later
//
// Two connections to a Redis server, one that publishes and one that listens, made anew whenever
// one of them breaks. hiredis does the work. Loop thread only.
#ifndef JADOUBE_NET_REDIS_H
#define JADOUBE_NET_REDIS_H

#include <uv.h>

#include <jadoube/base.h>

#define NET_REDIS_CHANNELS 2
#define NET_REDIS_CHANNEL_SIZE 128

typedef struct NetRedis NetRedis;

typedef struct NetRedisSettings {
    uv_loop_t *loop;
    const char *host; // a name or an address
    int port;
    const char *user; // empty: none is named
    const char *password;
    const char *channels[NET_REDIS_CHANNELS]; // listened to
    void (*on_connected)(void *context);      // what is published by others is heard from here on
    void (*on_lost)(void *context);           // only after on_connected
    void (*on_message)(void *context, JdStr bytes); // bytes live during the call
    void *context;
} NetRedisSettings;

// Begins to connect; texts are copied. NULL: no memory.
NetRedis *net_redis_open(const NetRedisSettings *settings);
// What is published goes out still; no callback from here on. Run the loop once more, then free.
void net_redis_close(NetRedis *redis);
void net_redis_free(NetRedis *redis);

bool net_redis_connected(const NetRedis *redis);
// False: not connected.
bool net_redis_publish(NetRedis *redis, const char *channel, JdStr bytes);
// Bytes published that the server has not taken yet.
size_t net_redis_waiting(const NetRedis *redis);
// Breaks both connections, as if the server had: it does not answer. on_lost during the call.
void net_redis_again(NetRedis *redis);

#endif
