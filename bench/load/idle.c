// SPDX-License-Identifier: GPL-3.0-or-later
//
// Many connections that do nothing: what each takes of the server's memory.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "load.h"
#include "wire.h"

#define CONNECTING_MAX 64
// One address has some 28,000 ports, and the kernel searches long before they are used up.
#define PER_ADDRESS 4000
#define SETTLE_MS 3000
#define PATIENCE_MS 110000

typedef struct Idle {
    Wire wire;
    const Options *options;
    WireConn *conns;
    char addresses[32][16];
    int next;
    int open;
    int failed;
    int64_t before_kib;
    uv_timer_t clock;
} Idle;

static void connect_more(Idle *idle) {
    while (idle->next < idle->options->idle &&
           idle->next - idle->open - idle->failed < CONNECTING_MAX)
        if (!wire_connect(&idle->wire, &idle->conns[idle->next++]))
            idle->failed++;
}

static void on_stop(uv_timer_t *timer) {
    Idle *idle = timer->data;
    uv_stop(&idle->wire.loop);
}

static void look(Idle *idle) {
    if (idle->open + idle->failed < idle->options->idle)
        connect_more(idle);
    else
        uv_timer_start(&idle->clock, on_stop, SETTLE_MS, 0);
}

static void opened(void *owner, WireConn *conn) {
    Idle *idle = owner;
    (void)conn;
    idle->open++;
    look(idle);
}

static void heard(void *owner, WireConn *conn, const char *text, size_t size) {
    (void)owner;
    (void)conn;
    (void)text;
    (void)size;
}

static void closed(void *owner, WireConn *conn) {
    Idle *idle = owner;
    (void)conn;
    idle->failed++;
    look(idle);
}

static int report(const Idle *idle) {
    Usage after = { 0 };
    const int open = idle->open - idle->failed > 0 ? idle->open : 0;
    if (!load_usage(idle->options->server, &after) || open == 0) {
        fprintf(stderr, "jadoube-load: %d of %d connections opened, %d failed\n", idle->open,
                idle->options->idle, idle->failed);
        return 2;
    }
    const double each = (double)(after.rss_kib - idle->before_kib) / open;
    printf(
        "%d idle connections%s, %d failed: the server grew from %.1f to %.1f MiB, %.2f KiB each\n",
        open, idle->options->tls ? " by TLS" : "", idle->failed, (double)idle->before_kib / 1024,
        (double)after.rss_kib / 1024, each);
    if (idle->options->kib_max > 0)
        printf("KiB for each: %.2f (at most %.0f) %s\n", each, idle->options->kib_max,
               each <= idle->options->kib_max ? "ok" : "TOO MUCH");
    return idle->failed == 0 && (idle->options->kib_max == 0 || each <= idle->options->kib_max) ? 0
                                                                                                : 1;
}

int idle_run(const Options *options) {
    Idle *idle = calloc(1, sizeof(*idle));
    Usage before = { 0 };
    if (idle == NULL || !load_usage(options->server, &before)) {
        fprintf(stderr, "jadoube-load: --idle needs --server PID\n");
        return 2;
    }
    idle->options = options;
    idle->before_kib = before.rss_kib;
    idle->conns = calloc((size_t)options->idle, sizeof(*idle->conns));
    idle->wire = (Wire) { .host = options->host,
                          .port = options->port,
                          .path = "/ws",
                          .protocol = "chess.v1",
                          .tls = options->tls,
                          .owner = idle,
                          .opened = opened,
                          .heard = heard,
                          .closed = closed };
    if (idle->conns == NULL || !wire_start(&idle->wire))
        return 2;
    for (int i = 0; i < 32; i++)
        snprintf(idle->addresses[i], sizeof(idle->addresses[i]), "127.0.0.%d", i + 2);
    for (int i = 0; i < options->idle; i++) {
        idle->conns[i].index = i;
        idle->conns[i].from = idle->addresses[i / PER_ADDRESS % 32];
    }
    uv_timer_init(&idle->wire.loop, &idle->clock);
    idle->clock.data = idle;
    uv_timer_start(&idle->clock, on_stop, PATIENCE_MS, 0);
    connect_more(idle);
    uv_run(&idle->wire.loop, UV_RUN_DEFAULT);
    return report(idle);
}
