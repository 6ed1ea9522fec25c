// SPDX-License-Identifier: GPL-3.0-or-later
//
// Growing buffers with the headroom libwebsockets asks for.
#include "net/buf.h"

#include <libwebsockets.h>
#include <stdlib.h>
#include <string.h>

NetBuf *net_buf_new_large(size_t most) {
    NetBuf *buf = calloc(1, sizeof(*buf));
    if (buf != NULL)
        *buf = (NetBuf) { .most = most, .holders = 1 };
    return buf;
}

NetBuf *net_buf_new(void) {
    return net_buf_new_large(NET_BUF_MAX);
}

NetBuf *net_buf_hold(NetBuf *buf) {
    if (buf != NULL)
        buf->holders++;
    return buf;
}

// Kept in a pool: so many at most, and none that has grown larger.
#define POOL_MAX 1024
#define POOLED_BYTES_MAX 4096

static void destroy(NetBuf *buf) {
    if (buf->data != NULL)
        free(buf->data - LWS_PRE);
    free(buf);
}

void net_buf_drop(NetBuf *buf) {
    if (buf == NULL || --buf->holders > 0)
        return;
    NetBufPool *pool = buf->pool;
    if (pool == NULL || pool->count >= POOL_MAX || buf->capacity > POOLED_BYTES_MAX) {
        destroy(buf);
        return;
    }
    buf->next = pool->spare;
    pool->spare = buf;
    pool->count++;
}

NetBuf *net_buf_from(NetBufPool *pool) {
    NetBuf *buf = pool->spare;
    if (buf == NULL) {
        buf = net_buf_new();
    } else {
        pool->spare = buf->next;
        pool->count--;
        *buf = (NetBuf) {
            .data = buf->data, .capacity = buf->capacity, .most = NET_BUF_MAX, .holders = 1
        };
    }
    if (buf != NULL)
        buf->pool = pool;
    return buf;
}

void net_buf_pool_free(NetBufPool *pool) {
    while (pool->spare != NULL) {
        NetBuf *next = pool->spare->next;
        destroy(pool->spare);
        pool->spare = next;
    }
    pool->count = 0;
}

char *net_buf_space(NetBuf *buf, size_t size) {
    if (buf == NULL || buf->failed)
        return NULL;
    if (size > buf->most - buf->size) {
        buf->failed = true;
        return NULL;
    }
    if (size > buf->capacity - buf->size) {
        size_t capacity = buf->capacity == 0 ? 512 : buf->capacity * 2;
        while (capacity - buf->size < size)
            capacity *= 2;
        unsigned char *old = buf->data == NULL ? NULL : buf->data - LWS_PRE;
        unsigned char *memory = realloc(old, LWS_PRE + capacity);
        if (memory == NULL) {
            buf->failed = true;
            return NULL;
        }
        buf->data = memory + LWS_PRE;
        buf->capacity = capacity;
    }
    return (char *)buf->data + buf->size;
}

void net_buf_add(NetBuf *buf, const void *bytes, size_t size) {
    if (size == 0)
        return;
    char *to = net_buf_space(buf, size);
    if (to == NULL)
        return;
    memcpy(to, bytes, size);
    buf->size += size;
}

JdStr net_buf_str(const NetBuf *buf) {
    return jd_str_n((const char *)buf->data, buf->size);
}
