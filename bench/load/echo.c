// SPDX-License-Identifier: GPL-3.0-or-later
//
// The limit to compare with: a bare WebSocket server of the same library in a process of its own,
// that sends back what it hears. Every connection has one frame under way at any time.
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "load.h"
#include "wire.h"

#define CONNECTING_MAX 32

// ---- the server ---------------------------------------------------------------------------------

typedef struct Held {
    unsigned char frame[LWS_PRE + WIRE_SEND_MAX];
    size_t size;
} Held;

static int serve_one(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                     size_t size) {
    Held *held = user;
    if (reason == LWS_CALLBACK_RECEIVE && size <= WIRE_SEND_MAX) {
        memcpy(held->frame + LWS_PRE, in, size);
        held->size = size;
        if (!lws_send_pipe_choked(wsi))
            return lws_write(wsi, held->frame + LWS_PRE, size, LWS_WRITE_TEXT) < 0 ? -1 : 0;
        lws_callback_on_writable(wsi);
    } else if (reason == LWS_CALLBACK_SERVER_WRITEABLE) {
        return lws_write(wsi, held->frame + LWS_PRE, held->size, LWS_WRITE_TEXT) < 0 ? -1 : 0;
    }
    return 0;
}

// Says its port through the pipe and serves until its parent is gone.
static void serve(int pipe_end, int core) {
    static const struct lws_protocols protocols[] = {
        { .name = "echo",
          .callback = serve_one,
          .per_session_data_size = sizeof(Held),
          .rx_buffer_size = WIRE_SEND_MAX },
        { .name = NULL },
    };
    uv_loop_t loop;
    uv_loop_init(&loop);
    void *foreign[1] = { &loop };
    const struct lws_context_creation_info info = {
        .iface = "lo",
        .protocols = protocols,
        .options = LWS_SERVER_OPTION_LIBUV | LWS_SERVER_OPTION_EXPLICIT_VHOSTS,
        .foreign_loops = foreign,
        .vhost_name = "echo",
        .max_http_header_pool = 256,
    };
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    cpu_set_t cores;
    CPU_ZERO(&cores);
    if (core >= 0 && core < CPU_SETSIZE) {
        CPU_SET((size_t)core, &cores);
        (void)sched_setaffinity(0, sizeof(cores), &cores);
    }
    lws_set_log_level(0, NULL);
    struct lws_context *context = lws_create_context(&info);
    struct lws_vhost *vhost = context == NULL ? NULL : lws_create_vhost(context, &info);
    const int port = vhost == NULL ? 0 : lws_get_vhost_listen_port(vhost);
    if (write(pipe_end, &port, sizeof(port)) == sizeof(port) && port > 0)
        uv_run(&loop, UV_RUN_DEFAULT);
    _exit(1);
}

// ---- the clients --------------------------------------------------------------------------------

typedef struct Echo {
    Wire wire;
    const Options *options;
    WireConn *conns;
    int64_t *sent_us;
    int connected;
    int next;
    int server;
    bool measuring;
    uv_timer_t clock;
    char text[WIRE_SEND_MAX];
    Histogram round;
    uint64_t errors;
    int64_t from_us;
    Usage server_from;
    Usage own_from;
} Echo;

static void send_one(Echo *echo, WireConn *conn) {
    echo->sent_us[conn->index] = load_now_us();
    if (!wire_send(conn, echo->text, (size_t)echo->options->echo_bytes))
        echo->errors++;
}

static void heard(void *owner, WireConn *conn, const char *text, size_t size) {
    Echo *echo = owner;
    if (size != (size_t)echo->options->echo_bytes || memcmp(text, echo->text, size) != 0)
        echo->errors++;
    if (echo->measuring)
        histogram_add(&echo->round, load_now_us() - echo->sent_us[conn->index]);
    send_one(echo, conn);
}

static void report(Echo *echo) {
    Usage server = { 0 };
    Usage own = { 0 };
    const double seconds = (double)(load_now_us() - echo->from_us) / 1e6;
    (void)load_usage(echo->server, &server);
    (void)load_usage((int)getpid(), &own);
    load_print_head();
    load_print_row("bare echo", &echo->round);
    printf("%d connections, %d bytes, frames a second: %.0f in and as many out, %llu errors\n",
           echo->options->echo_connections, echo->options->echo_bytes,
           (double)echo->round.count / seconds, (unsigned long long)echo->errors);
    printf("server: %.0f %% of a processor, %lld MiB; driver: %.0f %%\n",
           100 * (server.cpu_s - echo->server_from.cpu_s) / seconds,
           (long long)(server.rss_kib / 1024), 100 * (own.cpu_s - echo->own_from.cpu_s) / seconds);
}

static void on_stop(uv_timer_t *timer) {
    Echo *echo = timer->data;
    report(echo);
    uv_stop(&echo->wire.loop);
}

static void on_warm(uv_timer_t *timer) {
    Echo *echo = timer->data;
    (void)load_usage(echo->server, &echo->server_from);
    (void)load_usage((int)getpid(), &echo->own_from);
    echo->from_us = load_now_us();
    echo->measuring = true;
    uv_timer_start(timer, on_stop, (uint64_t)(echo->options->seconds * 1000), 0);
}

static void connect_more(Echo *echo) {
    while (echo->next < echo->options->echo_connections &&
           echo->next - echo->connected < CONNECTING_MAX)
        if (!wire_connect(&echo->wire, &echo->conns[echo->next++]))
            echo->errors++;
}

static void opened(void *owner, WireConn *conn) {
    Echo *echo = owner;
    (void)conn;
    if (++echo->connected < echo->options->echo_connections) {
        connect_more(echo);
        return;
    }
    for (int i = 0; i < echo->options->echo_connections; i++)
        send_one(echo, &echo->conns[i]);
    uv_timer_start(&echo->clock, on_warm, 1000, 0);
}

static void closed(void *owner, WireConn *conn) {
    Echo *echo = owner;
    fprintf(stderr, "jadoube-load: connection %d to the echo server is closed\n", conn->index);
    echo->errors++;
    uv_stop(&echo->wire.loop);
}

int echo_run(const Options *options) {
    Echo *echo = calloc(1, sizeof(*echo));
    int ends[2];
    int port = 0;
    const int count = options->echo_connections;
    if (echo == NULL || pipe(ends) != 0)
        return 2;
    const pid_t child = fork();
    if (child == 0)
        serve(ends[1], options->echo_core);
    if (child < 0 || read(ends[0], &port, sizeof(port)) != sizeof(port) || port <= 0) {
        fprintf(stderr, "jadoube-load: the echo server does not start\n");
        return 2;
    }
    echo->options = options;
    echo->server = child;
    echo->conns = calloc((size_t)count, sizeof(*echo->conns));
    echo->sent_us = calloc((size_t)count, sizeof(*echo->sent_us));
    memset(echo->text, 'x', sizeof(echo->text));
    echo->wire = (Wire) { .host = "127.0.0.1",
                          .port = port,
                          .path = "/",
                          .protocol = "echo",
                          .owner = echo,
                          .opened = opened,
                          .heard = heard,
                          .closed = closed };
    bool ok = echo->conns != NULL && echo->sent_us != NULL && wire_start(&echo->wire);
    if (ok) {
        for (int i = 0; i < count; i++)
            echo->conns[i].index = i;
        uv_timer_init(&echo->wire.loop, &echo->clock);
        echo->clock.data = echo;
        connect_more(echo);
        uv_run(&echo->wire.loop, UV_RUN_DEFAULT);
        ok = echo->errors == 0 && echo->round.count > 0;
    }
    kill(child, SIGKILL);
    (void)waitpid(child, NULL, 0);
    return ok ? 0 : 1;
}
