// SPDX-License-Identifier: GPL-3.0-or-later
//
// A growing block of bytes on its way to the network: encoded once, sent to as many as are to have
// it.
#ifndef JADOUBE_NET_BUF_H
#define JADOUBE_NET_BUF_H

#include <jadoube/base.h>

// No answer or message is larger; the largest (a game of CHESS_GAME_PLIES_MAX plies) has about 2
// MiB.
#define NET_BUF_MAX ((size_t)8 * 1024 * 1024)

// Counted by its holders, on one thread at a time. After a failed allocation, or past its most
// bytes, failed is set, and everything further is dropped: the one who sends looks once.
struct NetBufPool;

typedef struct NetBuf {
    unsigned char *data; // room for a frame header (LWS_PRE bytes) stands before it
    size_t size;
    size_t capacity;
    size_t most; // NET_BUF_MAX, unless it was made for more
    uint32_t holders;
    bool failed;
    bool comma;              // the JSON writer: the next value needs a comma first
    struct NetBufPool *pool; // where it goes back to; NULL: nowhere
    struct NetBuf *next;     // in the pool
} NetBuf;

// Buffers that have been sent, kept for the next messages with the space they have grown to, so
// that a move allocates nothing. One thread; it outlives its buffers.
typedef struct NetBufPool {
    NetBuf *spare;
    size_t count;
} NetBufPool;

// An empty buffer out of the pool, or a new one that will go into it; NULL when there is no memory.
NetBuf *net_buf_from(NetBufPool *pool);
void net_buf_pool_free(NetBufPool *pool);

// An empty buffer with one holder; NULL when there is no memory.
NetBuf *net_buf_new(void);
// The same, for what is no message: files, up to so many bytes.
NetBuf *net_buf_new_large(size_t most);
// One more holder; NULL stays NULL.
NetBuf *net_buf_hold(NetBuf *buf);
// One holder less; the last one frees. NULL is allowed.
void net_buf_drop(NetBuf *buf);
void net_buf_add(NetBuf *buf, const void *bytes, size_t size);
// Space for size more bytes at the end, to be filled by the caller, who then adds to buf->size;
// NULL when there is none.
char *net_buf_space(NetBuf *buf, size_t size);
JdStr net_buf_str(const NetBuf *buf);

#endif
