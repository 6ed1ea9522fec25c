// SPDX-License-Identifier: GPL-3.0-or-later
//
// One node among several (docs/decisions/0007-many-nodes.md): which others there are, who owns
// what, and how games and challenges come to this node and leave it. PostgreSQL says who owns a
// shard (store/store.h); the bus only says it sooner. Loop thread only unless said otherwise.
//
// Without --node server->cluster is NULL, and every function here may be called with that: this
// process owns everything, leads, and knows nobody else.
#ifndef JADOUBE_NET_CLUSTER_H
#define JADOUBE_NET_CLUSTER_H

#include <uv.h>

#include <jadoube/base.h>

#include "live/live.h"
#include "net/bus.h"
#include "store/store.h"

struct NetServer;
typedef struct NetCluster NetCluster;

// How long a command waits for an entity that is between two owners, and how many may.
#define NET_CLUSTER_PATIENCE_MS 5000
#define NET_CLUSTER_WAITING_MAX 16384
// Exit status of a process whose place was taken by others: it held still for too long. Whoever
// starts it again does right.
#define NET_CLUSTER_EXIT_FENCED 75

// Who owns an entity.
#define NET_OWNER_SELF (-1)   // it is in live here, or asleep and to be woken here, or nowhere
#define NET_OWNER_NOBODY (-2) // between two owners, or its owner is not reached: net_cluster_wait
// else the peer of the bus, to which there is a link

// May be called from the start: a fresh cluster owns nothing and everything is NOBODY's.
int net_cluster_owner(const NetCluster *cluster, const LiveId *id);
// The same of a shard, 0 to STORE_SHARDS less one.
int net_cluster_shard_owner(const NetCluster *cluster, unsigned shard);

// Calls `then` when the entity has an owner who is reached (ok true: ask net_cluster_owner again),
// or after NET_CLUSTER_PATIENCE_MS, or when the server stops (ok false: answer "unavailable").
// Never during this call. False: too many wait already, `then` is not called.
typedef void (*NetClusterThenFn)(void *context, bool ok);
JD_MUST_USE bool net_cluster_wait(NetCluster *cluster, const LiveId *id, NetClusterThenFn then,
                                  void *context);

// Fills the random bytes of a command that makes something (CHALLENGE, JOIN, PLAY_COMPUTER) so that
// the id they make is of a shard owned here. False: this node owns nothing yet; answer
// "unavailable". Without a cluster: just random bytes.
JD_MUST_USE bool net_cluster_random(const NetCluster *cluster, uint8_t out[LIVE_RANDOM_SIZE]);

// Whether it owns anything yet.
bool net_cluster_owns_any(const NetCluster *cluster);
// Whether this node does what one does for all: the owner of shard 0.
bool net_cluster_leads(const NetCluster *cluster);

// The bus, for net_bus_send and net_bus_all; NULL without a cluster. Messages of the gateway begin
// with any byte above 31; those below are the cluster's own.
NetBus *net_cluster_bus(NetCluster *cluster);

// What the gateway wants to hear (net/gateway.h). Any may be NULL.
typedef struct NetClusterEars {
    void *context;
    void (*on_up)(void *context, int peer);   // as of the bus: tell everything anew
    void (*on_down)(void *context, int peer); // as of the bus
    void (*on_message)(void *context, int peer, JdStr bytes);
    // The owner of these shards is another one now: SELF (adopted: live has the entities), NOBODY
    // or a peer. Whoever follows an entity of them asks its new owner. Called after the fact; of
    // shards that leave this node: live has dropped them, unsubscribed their followers and said
    // nothing to them.
    void (*on_owners)(void *context, const StoreShards *shards);
} NetClusterEars;
void net_cluster_listen(NetCluster *cluster, const NetClusterEars *ears);

// Those who live, for whom asks all of them: the peers with a link.
int net_cluster_reached(const NetCluster *cluster, int peers[NET_BUS_PEERS_MAX]);

// ---- for server.c -------------------------------------------------------------------------------

// Before the store is opened, which may tell of itself at once; *out NULL when no node is set.
JD_MUST_USE bool net_cluster_new(struct NetServer *server, NetCluster **out, JdErr *err);
// Opens the bus and takes part, after the store and the shell are open.
JD_MUST_USE bool net_cluster_open(struct NetServer *server, JdErr *err);
// What StoreConfig.on_cluster leads to. From a thread of the store.
void net_cluster_on_store(void *server);
// SIGTERM: gives all shards away and waits for nobody (net_cluster_busy: until it is durable, and
// the others have taken them).
void net_cluster_leave(NetCluster *cluster);
bool net_cluster_busy(const NetCluster *cluster);
void net_cluster_stop(NetCluster *cluster);       // the server stops: nobody waits any longer
void net_cluster_close(NetCluster *cluster);      // the bus; before the store
void net_cluster_close_late(NetCluster *cluster); // after it; run the loop once more
void net_cluster_free(NetCluster *cluster);

// The shards whose entities are in live here, or asleep and to be woken here.
void net_cluster_shards(const NetCluster *cluster, StoreShards *out);

// ---- for adopt.c --------------------------------------------------------------------------------

// What a dead node may have lived after the last sign of life of it that others find: it is written
// three times a lease, and given ten times a second.
#define NET_CLUSTER_HEARTBEAT_MS 1100

// Whether what comes is wanted still.
bool net_cluster_takes(const NetCluster *cluster);
// These shards are in live now, so many entities; pause_ms: how long nobody had them, 0: not known.
void net_cluster_adopted(NetCluster *cluster, const StoreShards *shards, size_t entities,
                         int64_t pause_ms);
// A taking is through.
void net_cluster_taken(NetCluster *cluster);

typedef struct NetClusterStats {
    uint32_t members;      // alive, this one included
    uint32_t shards;       // owned
    uint64_t takings;      // hand-overs and take-overs to this node
    uint64_t take_overs;   // of them: from a node that was dead
    uint64_t adopted;      // entities that came by them
    uint64_t given;        // shards given away
    uint64_t waits;        // commands that waited for an owner
    uint64_t waits_failed; // in vain
    uint64_t pause_ms_max; // longest time between a shard's release and its adoption here
    NetBusStats bus;
} NetClusterStats;
NetClusterStats net_cluster_stats(const NetCluster *cluster);

#endif
