// SPDX-License-Identifier: GPL-3.0-or-later
//
// Far sockets: the connections of clients that are at other nodes.
#include <stdlib.h>
#include <string.h>

#include "net/gateway_inner.h"
#include "net/log.h"

#define SLOTS_START 64

static NetSocket **far_place(const NetGateway *gateway, int peer, uint64_t number) {
    return &gateway->far[jd_mix(number ^ ((uint64_t)peer << 48)) % gateway->far_slots];
}

NetSocket *far_find(const NetGateway *gateway, int peer, uint64_t number) {
    NetSocket *socket = *far_place(gateway, peer, number);
    while (socket != NULL && (socket->far->peer != peer || socket->far->number != number))
        socket = socket->far->next;
    return socket;
}

static void far_put(NetGateway *gateway, NetSocket *socket) {
    NetSocket **place = far_place(gateway, socket->far->peer, socket->far->number);
    socket->far->next = *place;
    *place = socket;
}

// Twice the slots; when there is no memory the chains grow longer instead.
static void grow_far(NetGateway *gateway) {
    NetSocket **old = gateway->far;
    const size_t slots = gateway->far_slots;
    NetSocket **wider = calloc(slots * 2, sizeof(NetSocket *));
    if (wider == NULL)
        return;
    gateway->far = wider;
    gateway->far_slots = slots * 2;
    for (size_t i = 0; i < slots; i++) {
        for (NetSocket *socket = old[i], *next = NULL; socket != NULL; socket = next) {
            next = socket->far->next;
            far_put(gateway, socket);
        }
    }
    free(old);
}

void net_far_free(NetSocket *socket) {
    NetGateway *gateway = socket->server->gateway;
    NetSocket **place = far_place(gateway, socket->far->peer, socket->far->number);
    while (*place != socket)
        place = &(*place)->far->next;
    *place = socket->far->next;
    gateway->far_count--;
    free(socket->far);
    socket->far = NULL;
}

void far_end(NetGateway *gateway, NetSocket *socket) {
    const uint64_t id = socket->id;
    const bool known = socket->known;
    net_hub_remove(&gateway->server->hub, socket);
    if (known)
        net_shell_disconnect(&gateway->server->shell, id);
}

void far_connect(NetGateway *gateway, int peer, const NetEnvelope *envelope) {
    NetServer *server = gateway->server;
    NetSocket *old = far_find(gateway, peer, envelope->number);
    if (old != NULL)
        far_end(gateway, old);
    NetSocket *socket = net_hub_add(&server->hub, NULL);
    NetFar *far = calloc(1, sizeof(*far));
    if (socket == NULL || far == NULL) {
        free(far);
        if (socket != NULL)
            net_hub_remove(&server->hub, socket);
        net_log(NET_LOG_ERROR, "no memory for a connection of node %s",
                net_bus_name(net_cluster_bus(gateway->cluster), peer));
        return;
    }
    if (gateway->far_count >= gateway->far_slots)
        grow_far(gateway);
    *far = (NetFar) { .peer = peer, .number = envelope->number };
    socket->far = far;
    far_put(gateway, socket);
    gateway->far_count++;
    int64_t ignored[LIVE_BLOCKED_MAX];
    const size_t count = net_envelope_count(envelope);
    for (size_t i = 0; i < count; i++)
        ignored[i] = (int64_t)net_envelope_item(envelope, i);
    const bool is_guest = (envelope->flags & NET_ENV_HAS_ME) == 0;
    net_ws_join(socket, is_guest ? NULL : &envelope->me, ignored, count);
}

void far_leave(NetGateway *gateway, int peer, const NetEnvelope *envelope) {
    NetSocket *socket = far_find(gateway, peer, envelope->number);
    if (socket != NULL)
        far_end(gateway, socket);
}

// Frames of one begin and end with the same bytes travel as one, with a list of their receivers.
void far_flush(NetGateway *gateway) {
    if (gateway->frame_list == NULL)
        return;
    NetBuf *list = gateway->frame_list;
    NetBuf *frame = gateway->frame;
    gateway->frame_list = NULL;
    gateway->frame = NULL;
    if (!list->failed) {
        const NetEnvelope envelope = {
            .kind = NET_ENV_FRAME,
            .mark = (uint8_t)gateway->frame_mark,
            .count = gateway->frame_waiting,
            .list = net_buf_str(list),
            .text = frame == NULL ? jd_str("") : net_buf_str(frame),
        };
        gateway_send(gateway, gateway->frame_peer, &envelope);
    }
    net_buf_drop(list);
    net_buf_drop(frame);
}

static void far_frame(NetGateway *gateway, NetSocket *socket, NetBuf *buf, NetMark mark,
                      uint32_t waiting) {
    const NetFar *far = socket->far;
    if (gateway->frame_list != NULL &&
        (gateway->frame_peer != far->peer || gateway->frame != buf || gateway->frame_mark != mark ||
         gateway->frame_waiting != waiting ||
         gateway->frame_list->size >= (size_t)NET_ENV_LIST_MAX * 8))
        far_flush(gateway);
    if (gateway->frame_list == NULL) {
        gateway->frame_list = net_buf_new();
        if (gateway->frame_list == NULL)
            return;
        gateway->frame = net_buf_hold(buf);
        gateway->frame_peer = far->peer;
        gateway->frame_mark = mark;
        gateway->frame_waiting = waiting;
    }
    net_envelope_add(gateway->frame_list, far->number);
    if (gateway->depth == 0)
        far_flush(gateway);
}

void net_gateway_begin(NetGateway *gateway) {
    gateway->depth++;
}

void net_gateway_end(NetGateway *gateway) {
    if (--gateway->depth == 0)
        far_flush(gateway);
}

void net_gateway_deliver(NetGateway *gateway, NetSocket *socket, NetBuf *buf, NetMark mark,
                         uint32_t waiting) {
    if (socket->far != NULL)
        far_frame(gateway, socket, buf, mark, waiting);
    else
        merge_pass(gateway, socket, HERE, buf, mark, waiting);
}

void net_far_send(NetSocket *socket, NetBuf *buf) {
    far_frame(socket->server->gateway, socket, buf, NET_MARK_ANSWER, 0);
}

void net_far_close(NetSocket *socket, uint16_t code) {
    NetGateway *gateway = socket->server->gateway;
    const NetEnvelope envelope = { .kind = NET_ENV_CLOSE,
                                   .number = socket->far->number,
                                   .code = code };
    socket->closing = true; // it goes when its gateway says that it has
    gateway_send(gateway, socket->far->peer, &envelope);
}

uint32_t net_far_delay(const NetSocket *socket) {
    return socket->far->delay_ms;
}

void far_gone(NetGateway *gateway, int peer) {
    if (gateway->frame_list != NULL && gateway->frame_peer == peer) {
        net_buf_drop(gateway->frame_list);
        net_buf_drop(gateway->frame);
        gateway->frame_list = NULL;
        gateway->frame = NULL;
    }
    for (size_t i = 0; i < gateway->far_slots; i++) {
        for (NetSocket *socket = gateway->far[i], *next = NULL; socket != NULL; socket = next) {
            next = socket->far->next;
            if (socket->far->peer == peer)
                far_end(gateway, socket);
        }
    }
}

bool far_open(NetGateway *gateway) {
    gateway->far_slots = SLOTS_START;
    gateway->far = calloc(SLOTS_START, sizeof(NetSocket *));
    return gateway->far != NULL;
}

void far_close(NetGateway *gateway) {
    free(gateway->far);
}
