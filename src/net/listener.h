// SPDX-License-Identifier: GPL-3.0-or-later
//
// Listening and accepting. Ours rather than that of libwebsockets: at the descriptor limit its
// accept fails in a tight loop, and a taken port is only a line in its log.
#ifndef JADOUBE_NET_LISTENER_H
#define JADOUBE_NET_LISTENER_H

#include <uv.h>

#include <jadoube/base.h>

#define NET_LISTEN_MAX 4

// Called with each accepted descriptor (non-blocking, close-on-exec), which is the callee's from
// then on, and the peer's address as text without a zone.
typedef void (*NetAcceptFn)(void *context, int fd, const char *peer);

typedef struct NetListener {
    uv_loop_t *loop;
    uv_poll_t polls[NET_LISTEN_MAX];
    uv_timer_t pause; // after accept failed for want of descriptors
    int fds[NET_LISTEN_MAX];
    int count;
    int port;
    NetAcceptFn accept;
    void *context;
    bool open;
} NetListener;

// Binds every address the host name has; later: connections are refused until net_listener_start.
// err names host, port and the system's reason.
JD_MUST_USE bool net_listener_bind(NetListener *listener, const char *host, int port, bool later,
                                   JdErr *err);
// Begins to accept on the loop.
void net_listener_start(NetListener *listener, uv_loop_t *loop, NetAcceptFn accept, void *context);
void net_listener_close(NetListener *listener);

#endif
