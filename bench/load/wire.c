// SPDX-License-Identifier: GPL-3.0-or-later
//
// The client half of libwebsockets.
#include "wire.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MESSAGE_MAX ((size_t)4 << 20)

static bool keep(WireConn *conn, const void *bytes, size_t size) {
    if (conn->text_size + size > conn->text_capacity) {
        const size_t capacity = (conn->text_size + size) * 2;
        char *wider = capacity > MESSAGE_MAX ? NULL : realloc(conn->text, capacity);
        if (wider == NULL)
            return false;
        conn->text = wider;
        conn->text_capacity = capacity;
    }
    memcpy(conn->text + conn->text_size, bytes, size);
    conn->text_size += size;
    return true;
}

static int received(WireConn *conn, const char *bytes, size_t size) {
    Wire *wire = conn->wire;
    const bool last =
        lws_is_final_fragment(conn->wsi) != 0 && lws_remaining_packet_payload(conn->wsi) == 0;
    wire->in.bytes += size;
    if (last && conn->text_size == 0) {
        wire->in.frames++;
        wire->heard(wire->owner, conn, bytes, size);
        return 0;
    }
    if (!keep(conn, bytes, size))
        return -1;
    if (last) {
        const size_t whole = conn->text_size;
        conn->text_size = 0;
        wire->in.frames++;
        wire->heard(wire->owner, conn, conn->text, whole);
    }
    return 0;
}

static void ended(WireConn *conn) {
    if (conn->wsi != NULL)
        lws_set_opaque_user_data(conn->wsi, NULL);
    conn->wsi = NULL;
    conn->open = false;
    conn->text_size = 0;
    conn->wire->closed(conn->wire->owner, conn);
}

static int add_cookie(const WireConn *conn, struct lws *wsi, unsigned char **at, size_t room) {
    if (conn->cookie == NULL)
        return 0;
    return lws_add_http_header_by_token(wsi, WSI_TOKEN_HTTP_COOKIE,
                                        (const unsigned char *)conn->cookie,
                                        (int)strlen(conn->cookie), at, *at + room);
}

static int callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                    size_t size) {
    WireConn *conn = lws_get_opaque_user_data(wsi);
    (void)user;
    if (conn == NULL)
        return 0;
    if (reason == LWS_CALLBACK_CLIENT_APPEND_HANDSHAKE_HEADER)
        return add_cookie(conn, wsi, in, size);
    if (reason == LWS_CALLBACK_CLIENT_ESTABLISHED) {
        conn->open = true;
        conn->wire->opened(conn->wire->owner, conn);
    } else if (reason == LWS_CALLBACK_CLIENT_RECEIVE) {
        return received(conn, in, size);
    } else if (reason == LWS_CALLBACK_CLIENT_CLOSED ||
               reason == LWS_CALLBACK_CLIENT_CONNECTION_ERROR) {
        ended(conn);
    }
    return 0;
}

bool wire_start(Wire *wire) {
    static struct lws_protocols protocols[] = {
        { .callback = callback, .rx_buffer_size = 4096 },
        { .name = NULL },
    };
    // Without this the library walks through a list of all connections at every ping.
    static const lws_retry_bo_t no_idle_policy = { .secs_since_valid_hangup = 0 };
    void *foreign[1] = { &wire->loop };
    if (uv_loop_init(&wire->loop) != 0)
        return false;
    protocols[0].name = wire->protocol;
    const struct lws_context_creation_info info = {
        .port = CONTEXT_PORT_NO_LISTEN,
        .protocols = protocols,
        .options = LWS_SERVER_OPTION_LIBUV | (wire->tls ? LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT : 0),
        .foreign_loops = foreign,
        .retry_and_idle_policy = &no_idle_policy,
        .timeout_secs = 30,
        .max_http_header_pool = 256,
    };
    lws_set_log_level(0, NULL);
    wire->context = lws_create_context(&info);
    return wire->context != NULL;
}

bool wire_connect(Wire *wire, WireConn *conn) {
    char host[96];
    snprintf(host, sizeof(host), "%s:%d", wire->host, wire->port);
    conn->wire = wire;
    const struct lws_client_connect_info info = {
        .context = wire->context,
        .address = wire->host,
        .port = wire->port,
        .path = wire->path,
        .host = host,
        .origin = host,
        .protocol = wire->protocol,
        .iface = conn->from,
        .ssl_connection = wire->tls ? LCCSCF_USE_SSL | LCCSCF_ALLOW_SELFSIGNED |
                                          LCCSCF_SKIP_SERVER_CERT_HOSTNAME_CHECK
                                    : 0,
        .alpn = "http/1.1",
        .pwsi = &conn->wsi,
        .opaque_user_data = conn,
    };
    return lws_client_connect_via_info(&info) != NULL;
}

bool wire_send(WireConn *conn, const char *text, size_t size) {
    unsigned char frame[LWS_PRE + WIRE_SEND_MAX];
    if (!conn->open || size > WIRE_SEND_MAX)
        return false;
    memcpy(frame + LWS_PRE, text, size);
    conn->wire->out.frames++;
    conn->wire->out.bytes += size;
    return lws_write(conn->wsi, frame + LWS_PRE, size, LWS_WRITE_TEXT) >= 0;
}

void wire_break(WireConn *conn) {
    if (conn->wsi != NULL)
        lws_set_timeout(conn->wsi, PENDING_TIMEOUT_USER_REASON_BASE, LWS_TO_KILL_ASYNC);
}

void wire_stop_reading(WireConn *conn) {
    if (conn->wsi != NULL)
        lws_rx_flow_control(conn->wsi, 0);
}
