// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the nodes of one site say to each other: a Redis server carries it (pub/sub), and is
// believed nothing. Redis may forget, lose or mix up whatever it likes: it is noticed here, and
// both ends are told.
//
// Between two nodes there is a *link*. Within one link messages come whole, in their order, each
// once. When one is missing, when a node was started anew, when Redis was away or the other node is
// not heard for NET_BUS_SILENCE_MS, the link ends at both ends; as soon as both hear each other a
// new one begins, and whatever one had told the other before may be lost, in either direction. So:
// on_up is where each end tells everything the other must know, and asks anew for what it follows.
// Nothing that was sent in a link comes after its end.
//
// Loop thread only. What is sent in one turn of the loop to one node goes out as one message of
// Redis, before the loop sleeps.
#ifndef JADOUBE_NET_BUS_H
#define JADOUBE_NET_BUS_H

#include <uv.h>

#include <jadoube/base.h>

#define NET_BUS_PEERS_MAX 63    // other nodes that a process gets to know
#define NET_BUS_NAME_SIZE 33    // a node's name with its NUL: a-z, A-Z, 0-9, '-', '_', '.'
#define NET_BUS_BEAT_MS 500     // each node says that it is there, and how much it has sent to whom
#define NET_BUS_SILENCE_MS 2000 // a node not heard for so long is down
// Bytes of one message, and bytes that may wait for Redis altogether: past it links are ended.
#define NET_BUS_MESSAGE_MAX ((size_t)8 * 1024 * 1024 - 1024)
#define NET_BUS_WAITING_MAX ((size_t)64 * 1024 * 1024)

typedef struct NetBus NetBus;

typedef struct NetBusSettings {
    uv_loop_t *loop;
    const char *url;  // net_bus_url_read
    const char *node; // this node's name
    // Of this process: greater than of any earlier one under this name. What still comes from an
    // earlier one is ignored.
    uint64_t run;
    // A peer is a small number that stands for a name as long as the process lives.
    void (*on_up)(void *context, int peer);
    void (*on_down)(void *context, int peer); // only after on_up
    // Between on_up and on_down. bytes live during the call.
    void (*on_message)(void *context, int peer, JdStr bytes);
    void *context;
} NetBusSettings;

// "redis://[[user]:password@]host[:port][/site]": sites that share a Redis server differ in the
// last part (letters, digits, '-', '_', '.'; else "jadoube").
typedef struct NetBusUrl {
    char host[256];
    int port;
    char user[128];
    char password[256];
    char site[64];
} NetBusUrl;
JD_MUST_USE bool net_bus_url_read(JdStr text, NetBusUrl *out, JdErr *err);
// Whether it may be a node's name.
bool net_bus_name_ok(JdStr name);

// Begins to connect. Redis need not be there: it is tried again and again, from 50 ms to 1 s apart.
// err: the url or the name is wrong, or there is no memory.
JD_MUST_USE bool net_bus_open(const NetBusSettings *settings, NetBus **out, JdErr *err);
// Says good-bye, when Redis is there, and closes the handles; no callback from here on. Run the
// loop once more, then net_bus_free. NULL is allowed in both.
void net_bus_close(NetBus *bus);
void net_bus_free(NetBus *bus);

// The peer of that name, -1: never heard of. The name of one, and whether there is a link to it.
int net_bus_peer(const NetBus *bus, const char *name);
const char *net_bus_name(const NetBus *bus, int peer);
bool net_bus_is_up(const NetBus *bus, int peer);
int net_bus_peers(const NetBus *bus); // peers are 0 to this, less one

// To one peer, or to all there is a link to, in the order of the calls. bytes are copied. False: no
// link to the peer (or it has just been ended because too much waits). True promises nothing.
bool net_bus_send(NetBus *bus, int peer, JdStr bytes);
void net_bus_all(NetBus *bus, JdStr bytes);
// Sends what this turn of the loop has gathered now.
void net_bus_flush(NetBus *bus);

typedef struct NetBusStats {
    uint64_t messages_out; // to each peer counted
    uint64_t messages_in;
    uint64_t publishes; // messages of Redis
    uint64_t bytes_out;
    uint64_t bytes_in;
    uint64_t gaps;       // links that ended because something was missing
    uint64_t downs;      // all links that ended
    uint64_t reconnects; // to Redis
    uint64_t refused;    // messages that found no link
    size_t waiting_bytes;
    int up; // links now
    bool connected;
} NetBusStats;
NetBusStats net_bus_stats(const NetBus *bus);

#endif
