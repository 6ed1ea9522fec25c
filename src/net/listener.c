// SPDX-License-Identifier: GPL-3.0-or-later
//
// Sockets that listen.
#include "net/listener.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "net/log.h"

// Connections taken in one turn of the loop, so that a crowd at the door does not stop the games.
#define ACCEPTS_PER_TURN 64
#define PAUSE_MS 100
#define BACKLOG 1024
#define SEND_BUFFER (128 * 1024)

static int port_of(int fd) {
    union {
        struct sockaddr any;
        struct sockaddr_in v4;
        struct sockaddr_in6 v6;
    } address;
    socklen_t size = sizeof(address);
    memset(&address, 0, sizeof(address));
    if (getsockname(fd, &address.any, &size) != 0)
        return 0;
    return ntohs(address.any.sa_family == AF_INET6 ? address.v6.sin6_port : address.v4.sin_port);
}

static int listen_on(const struct addrinfo *info, bool later) {
    const int fd = socket(info->ai_family, info->ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC,
                          info->ai_protocol);
    if (fd < 0)
        return -1;
    const int yes = 1;
    (void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
    // "::" takes IPv4 as well, whatever the system's default is.
    const int no = 0;
    if (info->ai_family == AF_INET6)
        (void)setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &no, sizeof(no));
    if (bind(fd, info->ai_addr, info->ai_addrlen) == 0 && (later || listen(fd, BACKLOG) == 0))
        return fd;
    const int reason = errno;
    close(fd);
    errno = reason;
    return -1;
}

bool net_listener_bind(NetListener *listener, const char *host, int port, bool later, JdErr *err) {
    *listener = (NetListener) { .count = 0 };
    char service[8];
    jd_format(service, sizeof(service), "%d", port);
    const struct addrinfo hints = { .ai_socktype = SOCK_STREAM,
                                    .ai_flags = AI_PASSIVE | AI_NUMERICSERV };
    struct addrinfo *list = NULL;
    const int fault = getaddrinfo(host, service, &hints, &list);
    if (fault != 0)
        return jd_fail(err, 1, 0, "cannot listen on %s: %s", host, gai_strerror(fault));
    int reason = 0;
    for (const struct addrinfo *info = list; info != NULL && listener->count < NET_LISTEN_MAX;
         info = info->ai_next) {
        const int fd = listen_on(info, later);
        if (fd < 0) {
            // A name with an address of a family this machine does not have.
            if (reason == 0 || (errno != EADDRNOTAVAIL && errno != EAFNOSUPPORT))
                reason = errno;
            if (reason == EADDRINUSE)
                break;
            continue;
        }
        listener->fds[listener->count++] = fd;
        if (listener->port == 0)
            listener->port = port_of(fd);
        if (port == 0)
            break; // other addresses would get other ports
    }
    freeaddrinfo(list);
    if (listener->count > 0 && reason != EADDRINUSE)
        return true;
    for (int i = 0; i < listener->count; i++)
        close(listener->fds[i]);
    listener->count = 0;
    return jd_fail(err, 1, 0, "cannot listen on %s port %d: %s", host, port,
                   reason == EADDRINUSE ? "the port is taken by another program"
                                        : strerror(reason));
}

static void start_polls(NetListener *listener);

static void on_pause_over(uv_timer_t *timer) {
    start_polls(timer->data);
}

// No descriptors left (or no memory): look again a little later, not at once and for ever.
static void rest(NetListener *listener, int reason) {
    net_log(NET_LOG_WARN, "cannot accept connections for now: %s", strerror(reason));
    for (int i = 0; i < listener->count; i++)
        uv_poll_stop(&listener->polls[i]);
    uv_timer_start(&listener->pause, on_pause_over, PAUSE_MS, 0);
}

static void name_of(const struct sockaddr_storage *address, char *out, socklen_t size) {
    const void *bytes = address->ss_family == AF_INET6
                            ? (const void *)&((const struct sockaddr_in6 *)address)->sin6_addr
                            : (const void *)&((const struct sockaddr_in *)address)->sin_addr;
    if (inet_ntop(address->ss_family, bytes, out, size) == NULL)
        out[0] = '\0';
}

static void on_readable(uv_poll_t *poll, int status, int events) {
    NetListener *listener = poll->data;
    (void)events;
    if (status < 0)
        return;
    const int fd = listener->fds[poll - listener->polls];
    for (int i = 0; i < ACCEPTS_PER_TURN && listener->open; i++) {
        struct sockaddr_storage address = { 0 };
        socklen_t size = sizeof(address);
        const int peer =
            accept4(fd, (struct sockaddr *)&address, &size, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (peer < 0) {
            if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM)
                rest(listener, errno);
            return;
        }
        const int yes = 1;
        (void)setsockopt(peer, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
        // Of what a client does not read the kernel keeps this much, not the megabytes it would
        // grow to.
        const int kept = SEND_BUFFER;
        (void)setsockopt(peer, SOL_SOCKET, SO_SNDBUF, &kept, sizeof(kept));
        char name[INET6_ADDRSTRLEN];
        name_of(&address, name, sizeof(name));
        listener->accept(listener->context, peer, name);
    }
}

static void start_polls(NetListener *listener) {
    for (int i = 0; i < listener->count; i++)
        uv_poll_start(&listener->polls[i], UV_READABLE, on_readable);
}

void net_listener_start(NetListener *listener, uv_loop_t *loop, NetAcceptFn accept, void *context) {
    listener->loop = loop;
    listener->accept = accept;
    listener->context = context;
    listener->open = true;
    uv_timer_init(loop, &listener->pause);
    listener->pause.data = listener;
    for (int i = 0; i < listener->count; i++) {
        (void)listen(listener->fds[i], BACKLOG); // again: nothing happens
        uv_poll_init(loop, &listener->polls[i], listener->fds[i]);
        listener->polls[i].data = listener;
    }
    start_polls(listener);
}

static void on_poll_closed(uv_handle_t *handle) {
    NetListener *listener = handle->data;
    const size_t which = (size_t)((uv_poll_t *)handle - listener->polls);
    close(listener->fds[which]);
}

void net_listener_close(NetListener *listener) {
    if (listener->open) {
        listener->open = false;
        uv_close((uv_handle_t *)&listener->pause, NULL);
        for (int i = 0; i < listener->count; i++)
            uv_close((uv_handle_t *)&listener->polls[i], on_poll_closed);
    } else {
        for (int i = 0; i < listener->count; i++)
            close(listener->fds[i]);
    }
    listener->count = 0;
}
