// SPDX-License-Identifier: GPL-3.0-or-later
//
// Who owns what, as far as this node knows: what the database said last, less what is not in live
// here yet, less what cannot be reached by the bus. What changes of it is told to those who listen,
// and to the commands that wait.
#include "net/cluster.h"

#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "net/adopt.h"
#include "net/log.h"
#include "net/server.h"

// The loop's sign of life: the store asks for three in a lease, and what a player may be charged of
// an outage is what lies between two of them (NET_CLUSTER_HEARTBEAT_MS).
#define ALIVE_MS 100
#define TICKS_A_SECOND (1000 / ALIVE_MS)
// Shards given away in one go when a node has joined, so that no game stands for long.
#define GIVEN_AT_ONCE 512
// An adoption that is not durable by then does not hold the sign of life back any longer.
#define ADOPTION_MS 1000

typedef struct Waiter {
    struct Waiter *next;
    unsigned shard;
    int64_t until_ms;
    NetClusterThenFn then;
    void *context;
} Waiter;

struct NetCluster {
    NetServer *server;
    NetBus *bus;
    NetClusterEars ears;
    uv_async_t changed; // from the store
    uv_timer_t alive;
    StoreClusterView view;
    StoreShards ready;          // in live here
    int16_t told[STORE_SHARDS]; // the owner of each, as last told
    Waiter *waiters;            // in the order in which they came
    Waiter **last_waiter;
    size_t waiting;
    uint64_t released_ticket; // of the last release
    uint64_t adopted_ticket;  // of the last adoption
    int64_t adopted_ms;
    uint32_t ticks;
    uint32_t adopting; // takings that are being read
    uint64_t view_ticks;
    bool open;
    bool leaving;
    NetClusterStats stats;
};

// ---- who owns what ------------------------------------------------------------------------------

static unsigned shard_of(const LiveId *id) {
    StoreId text;
    const bool ok = store_id(jd_str(id->text), &text);
    JD_ASSERT(ok);
    return store_shard_of(&text);
}

int net_cluster_shard_owner(const NetCluster *cluster, unsigned shard) {
    if (cluster == NULL || store_shards_has(&cluster->ready, shard))
        return NET_OWNER_SELF;
    const uint8_t owner = cluster->view.owner[shard];
    if (owner >= cluster->view.count || owner == cluster->view.self || cluster->bus == NULL)
        return NET_OWNER_NOBODY;
    const int peer = net_bus_peer(cluster->bus, cluster->view.members[owner].name);
    return net_bus_is_up(cluster->bus, peer) ? peer : NET_OWNER_NOBODY;
}

int net_cluster_owner(const NetCluster *cluster, const LiveId *id) {
    return cluster == NULL ? NET_OWNER_SELF : net_cluster_shard_owner(cluster, shard_of(id));
}

// Takes out those whose turn has come, in their order, before any of them is called: what they do
// may lead here again.
static Waiter *take_waiters(NetCluster *cluster, int64_t now_ms, bool all) {
    Waiter *taken = NULL;
    Waiter **last = &taken;
    Waiter **at = &cluster->waiters;
    while (*at != NULL) {
        Waiter *waiter = *at;
        if (!all && waiter->until_ms > now_ms &&
            net_cluster_shard_owner(cluster, waiter->shard) == NET_OWNER_NOBODY) {
            at = &waiter->next;
            continue;
        }
        *at = waiter->next;
        waiter->next = NULL;
        *last = waiter;
        last = &waiter->next;
        cluster->waiting--;
    }
    cluster->last_waiter = at;
    return taken;
}

static void call_waiters(NetCluster *cluster, bool all) {
    if (cluster->waiters == NULL)
        return;
    Waiter *waiter = take_waiters(cluster, net_now(cluster->server).ms, all);
    while (waiter != NULL) {
        Waiter *next = waiter->next;
        const bool ok = !all && net_cluster_shard_owner(cluster, waiter->shard) != NET_OWNER_NOBODY;
        cluster->stats.waits_failed += !ok;
        waiter->then(waiter->context, ok);
        free(waiter);
        waiter = next;
    }
}

// Compares what is with what was told.
static void tell_owners(NetCluster *cluster) {
    StoreShards changed = { { 0 } };
    bool any = false;
    for (unsigned shard = 0; shard < STORE_SHARDS; shard++) {
        const int16_t owner = (int16_t)net_cluster_shard_owner(cluster, shard);
        if (owner == cluster->told[shard])
            continue;
        cluster->told[shard] = owner;
        store_shards_add(&changed, shard);
        any = true;
    }
    net_mailer_lead(cluster->server->mailer, net_cluster_leads(cluster));
    if (any && cluster->ears.on_owners != NULL)
        cluster->ears.on_owners(cluster->ears.context, &changed);
    call_waiters(cluster, false);
}

bool net_cluster_wait(NetCluster *cluster, const LiveId *id, NetClusterThenFn then, void *context) {
    Waiter *waiter = cluster->waiting < NET_CLUSTER_WAITING_MAX && !cluster->leaving
                         ? calloc(1, sizeof(*waiter))
                         : NULL;
    if (waiter == NULL)
        return false;
    *waiter = (Waiter) {
        .shard = shard_of(id),
        .until_ms = net_now(cluster->server).ms + NET_CLUSTER_PATIENCE_MS,
        .then = then,
        .context = context,
    };
    *cluster->last_waiter = waiter;
    cluster->last_waiter = &waiter->next;
    cluster->waiting++;
    cluster->stats.waits++;
    return true;
}

bool net_cluster_random(const NetCluster *cluster, uint8_t out[LIVE_RANDOM_SIZE]) {
    randombytes_buf(out, LIVE_RANDOM_SIZE);
    if (cluster == NULL)
        return true;
    if (!net_cluster_owns_any(cluster))
        return false;
    for (;;) { // on average as often as there are nodes
        const LiveId id = live_id_of_bytes(out);
        if (net_cluster_owner(cluster, &id) == NET_OWNER_SELF)
            return true;
        randombytes_buf(out, LIVE_RANDOM_SIZE);
    }
}

bool net_cluster_owns_any(const NetCluster *cluster) {
    return cluster == NULL || store_shards_count(&cluster->ready) > 0;
}

bool net_cluster_leads(const NetCluster *cluster) {
    return net_cluster_shard_owner(cluster, 0) == NET_OWNER_SELF;
}

NetBus *net_cluster_bus(NetCluster *cluster) {
    return cluster == NULL ? NULL : cluster->bus;
}

void net_cluster_listen(NetCluster *cluster, const NetClusterEars *ears) {
    cluster->ears = *ears;
}

int net_cluster_reached(const NetCluster *cluster, int peers[NET_BUS_PEERS_MAX]) {
    int count = 0;
    for (int peer = 0; cluster != NULL && peer < net_bus_peers(cluster->bus); peer++)
        if (net_bus_is_up(cluster->bus, peer))
            peers[count++] = peer;
    return count;
}

// ---- the bus ------------------------------------------------------------------------------------

static void on_up(void *context, int peer) {
    NetCluster *cluster = context;
    net_log(NET_LOG_INFO, "node %s is there", net_bus_name(cluster->bus, peer));
    if (cluster->ears.on_up != NULL)
        cluster->ears.on_up(cluster->ears.context, peer);
    tell_owners(cluster);
    store_cluster_poke(cluster->server->store);
}

static void on_down(void *context, int peer) {
    NetCluster *cluster = context;
    net_log(NET_LOG_WARN, "node %s is not heard", net_bus_name(cluster->bus, peer));
    if (cluster->ears.on_down != NULL)
        cluster->ears.on_down(cluster->ears.context, peer);
    tell_owners(cluster);
}

static void on_message(void *context, int peer, JdStr bytes) {
    NetCluster *cluster = context;
    if (cluster->ears.on_message != NULL && bytes.size > 0 && (unsigned char)bytes.data[0] > 31)
        cluster->ears.on_message(cluster->ears.context, peer, bytes);
}

// ---- what comes ---------------------------------------------------------------------------------

void net_cluster_adopted(NetCluster *cluster, const StoreShards *shards, size_t entities,
                         int64_t pause_ms) {
    NetShell *shell = &cluster->server->shell;
    for (size_t i = 0; i < JD_COUNT(shards->bits); i++)
        cluster->ready.bits[i] |= shards->bits[i];
    cluster->adopted_ticket = shell->last_ticket;
    cluster->adopted_ms = net_now(cluster->server).ms;
    cluster->stats.adopted += entities;
    if (pause_ms > 0 && (uint64_t)pause_ms > cluster->stats.pause_ms_max)
        cluster->stats.pause_ms_max = (uint64_t)pause_ms;
    tell_owners(cluster);
}

void net_cluster_taken(NetCluster *cluster) {
    cluster->adopting--;
}

bool net_cluster_takes(const NetCluster *cluster) {
    return cluster->open && !cluster->leaving;
}

static void take(NetCluster *cluster, StoreTaking *taking) {
    cluster->stats.takings++;
    cluster->stats.take_overs += !taking->released && taking->alive_ms != 0;
    if (cluster->leaving) {
        store_taking_free(taking);
        return;
    }
    cluster->adopting++;
    net_adopt(cluster->server, taking);
}

static void end_fenced(NetCluster *cluster) {
    if (!cluster->open)
        return;
    net_log(NET_LOG_ERROR,
            "others have taken the place of node %s, which was not heard for the "
            "length of its lease: ending",
            cluster->server->config.node);
    cluster->open = false;
    cluster->server->shell.open = false; // nothing it says now counts
    cluster->ready = (StoreShards) { { 0 } };
    net_server_end(cluster->server, NET_CLUSTER_EXIT_FENCED);
}

static void on_changed(uv_async_t *handle) {
    NetCluster *cluster = handle->data;
    const uint32_t members = cluster->view.count;
    if (!cluster->open)
        return;
    store_cluster_view(cluster->server->store, &cluster->view);
    if (cluster->view.fenced) {
        end_fenced(cluster);
        return;
    }
    if (cluster->view.count != members)
        net_log(NET_LOG_INFO, "nodes that share the site: %u", (unsigned)cluster->view.count);
    cluster->view_ticks = 0;
    StoreTaking *taking;
    while ((taking = store_taking_next(cluster->server->store)) != NULL)
        take(cluster, taking);
    tell_owners(cluster);
}

void net_cluster_on_store(void *context) {
    NetServer *server = context;
    // The handle is there before the store is, and is closed after it.
    uv_async_send(&server->cluster->changed);
}

// ---- what goes ----------------------------------------------------------------------------------

static bool belongs(void *context, const LiveId *id) {
    return store_shards_has(context, shard_of(id));
}

static void give(NetCluster *cluster, StoreShards *shards) {
    for (size_t i = 0; i < JD_COUNT(shards->bits); i++)
        cluster->ready.bits[i] &= ~shards->bits[i];
    cluster->stats.given += store_shards_count(shards);
    net_shell_give(&cluster->server->shell, belongs, shards, shards, cluster->leaving);
    cluster->released_ticket = cluster->server->shell.last_ticket;
    tell_owners(cluster);
}

// Somebody has joined: he gets what is above this node's share, some of it at a time.
static void rebalance(NetCluster *cluster) {
    StoreShards surplus;
    if (cluster->leaving || cluster->adopting > 0 || cluster->view_ticks < TICKS_A_SECOND / 2 ||
        store_durable_ticket(cluster->server->store) < cluster->released_ticket ||
        !net_shell_ready(&cluster->server->shell) ||
        !store_cluster_surplus(&cluster->view, &surplus))
        return;
    unsigned count = 0;
    for (unsigned shard = 0; shard < STORE_SHARDS; shard++) {
        if (!store_shards_has(&surplus, shard))
            continue;
        if (store_shards_has(&cluster->ready, shard) && count < GIVEN_AT_ONCE)
            count++;
        else
            store_shards_remove(&surplus, shard);
    }
    if (count == 0)
        return;
    net_log(NET_LOG_INFO, "gives %u shards to nodes that have fewer than their share", count);
    give(cluster, &surplus);
}

// ---- time ---------------------------------------------------------------------------------------

// Until the interruption of an adoption is durable, whoever takes these games over must find the
// sign of life of before, or the outage would be charged as if it had been played.
static bool may_say_alive(const NetCluster *cluster, int64_t now_ms) {
    return store_durable_ticket(cluster->server->store) >= cluster->adopted_ticket ||
           now_ms - cluster->adopted_ms > ADOPTION_MS;
}

static void on_alive(uv_timer_t *timer) {
    NetCluster *cluster = timer->data;
    const int64_t now_ms = net_now(cluster->server).ms;
    if (!cluster->open)
        return;
    if (may_say_alive(cluster, now_ms))
        store_cluster_alive(cluster->server->store, now_ms);
    call_waiters(cluster, false);
    cluster->view_ticks++;
    if (cluster->ticks++ % TICKS_A_SECOND == 0)
        rebalance(cluster);
}

// ---- opening and closing ------------------------------------------------------------------------

bool net_cluster_new(NetServer *server, NetCluster **out, JdErr *err) {
    *out = NULL;
    if (server->config.node[0] == '\0')
        return true;
    NetCluster *cluster = calloc(1, sizeof(*cluster));
    if (cluster == NULL)
        return jd_fail(err, 1, 0, "no memory to start");
    cluster->server = server;
    cluster->last_waiter = &cluster->waiters;
    for (unsigned shard = 0; shard < STORE_SHARDS; shard++) {
        cluster->told[shard] = NET_OWNER_NOBODY;
        cluster->view.owner[shard] = STORE_NOBODY;
    }
    uv_async_init(&server->loop, &cluster->changed, on_changed);
    uv_timer_init(&server->loop, &cluster->alive);
    cluster->changed.data = cluster;
    cluster->alive.data = cluster;
    *out = cluster;
    return true;
}

static bool makes_id(uint8_t kind) {
    return kind == LIVE_CHALLENGE || kind == LIVE_PLAY_COMPUTER || kind == LIVE_JOIN;
}

// What a command would change is here; what it would make lies in a shard of this node.
static bool prepare(void *context, LiveCommand *command) {
    const NetServer *server = context;
    if (live_changes_entity(command->kind) &&
        net_cluster_owner(server->cluster, &command->id) != NET_OWNER_SELF)
        return false;
    return !makes_id(command->kind) || net_cluster_random(server->cluster, command->random);
}

bool net_cluster_open(NetServer *server, JdErr *err) {
    NetCluster *cluster = server->cluster;
    if (cluster == NULL)
        return true;
    // What the database says of the nodes may not have been read yet: that comes with `changed`.
    const NetBusSettings bus = {
        .loop = &server->loop,
        .url = server->config.bus,
        .node = server->config.node,
        .run = (uint64_t)store_cluster_epoch(server->store),
        .on_up = on_up,
        .on_down = on_down,
        .on_message = on_message,
        .context = cluster,
    };
    if (!net_bus_open(&bus, &cluster->bus, err))
        return false;
    server->shell.prepare = prepare;
    cluster->open = true;
    uv_timer_start(&cluster->alive, on_alive, 0, ALIVE_MS);
    uv_async_send(&cluster->changed);
    return true;
}

void net_cluster_leave(NetCluster *cluster) {
    if (cluster == NULL || !cluster->open || cluster->leaving)
        return;
    StoreShards all = cluster->ready;
    cluster->leaving = true;
    give(cluster, &all);
}

// While a shard has no other owner, nodes may be about to hear who it is: should the bus tell them
// before that this one is gone, they would send away everybody who follows a game there.
static bool others_have_all(const StoreClusterView *view) {
    bool any = false;
    for (uint32_t i = 0; i < view->count; i++)
        any |= i != view->self && !view->members[i].leaving;
    for (unsigned shard = 0; any && shard < STORE_SHARDS; shard++)
        if (view->owner[shard] >= view->count || view->owner[shard] == view->self)
            return false;
    return true;
}

bool net_cluster_busy(const NetCluster *cluster) {
    return cluster != NULL && cluster->open &&
           (store_durable_ticket(cluster->server->store) < cluster->released_ticket ||
            !others_have_all(&cluster->view));
}

void net_cluster_stop(NetCluster *cluster) {
    if (cluster == NULL)
        return;
    cluster->leaving = true;
    call_waiters(cluster, true);
}

void net_cluster_shards(const NetCluster *cluster, StoreShards *out) {
    if (cluster != NULL)
        *out = cluster->ready;
    else
        memset(out, 0xff, sizeof(*out));
}

void net_cluster_close(NetCluster *cluster) {
    if (cluster == NULL)
        return;
    cluster->open = false;
    call_waiters(cluster, true);
    net_bus_close(cluster->bus);
    uv_close((uv_handle_t *)&cluster->alive, NULL);
}

void net_cluster_close_late(NetCluster *cluster) {
    if (cluster != NULL)
        uv_close((uv_handle_t *)&cluster->changed, NULL);
}

void net_cluster_free(NetCluster *cluster) {
    if (cluster == NULL)
        return;
    net_bus_free(cluster->bus);
    free(cluster);
}

NetClusterStats net_cluster_stats(const NetCluster *cluster) {
    NetClusterStats stats = { 0 };
    if (cluster == NULL)
        return stats;
    stats = cluster->stats;
    stats.members = cluster->view.count;
    stats.shards = store_shards_count(&cluster->ready);
    if (cluster->bus != NULL)
        stats.bus = net_bus_stats(cluster->bus);
    return stats;
}
