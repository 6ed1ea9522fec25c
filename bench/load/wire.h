// SPDX-License-Identifier: GPL-3.0-or-later
//
// WebSockets of a client, many at once on one libuv loop.
#ifndef JADOUBE_BENCH_WIRE_H
#define JADOUBE_BENCH_WIRE_H

#include <libwebsockets.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <uv.h>

typedef struct Wire Wire;

// One connection: zeroed by its owner, who sets index and cookie and lets it be.
typedef struct WireConn {
    Wire *wire;
    struct lws *wsi;
    int index;
    const char *cookie; // NULL: a guest
    const char *from;   // address of this machine it comes from; NULL: any
    bool open;
    char *text; // a message that comes in pieces
    size_t text_size;
    size_t text_capacity;
} WireConn;

// Frames, and the bytes of their messages.
typedef struct Traffic {
    uint64_t frames;
    uint64_t bytes;
} Traffic;

struct Wire {
    uv_loop_t loop;
    struct lws_context *context;
    const char *host;
    int port;
    const char *path;
    const char *protocol;
    bool tls; // whoever the other side says it is
    Traffic in;
    Traffic out;
    void *owner;
    void (*opened)(void *owner, WireConn *conn);
    void (*heard)(void *owner, WireConn *conn, const char *text, size_t size);
    void (*closed)(void *owner, WireConn *conn); // also when it never opened
};

// The caller has set host, port, path, protocol, owner and the three functions.
bool wire_start(Wire *wire);
bool wire_connect(Wire *wire, WireConn *conn);
// At most WIRE_SEND_MAX bytes.
#define WIRE_SEND_MAX 1024
bool wire_send(WireConn *conn, const char *text, size_t size);
// Ends it without a word; closed is called in a later turn of the loop.
void wire_break(WireConn *conn);
// What comes stays in the kernel from now on.
void wire_stop_reading(WireConn *conn);

#endif
