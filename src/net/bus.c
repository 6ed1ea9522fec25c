// SPDX-License-Identifier: GPL-3.0-or-later
//
// Links between nodes over a carrier that promises nothing.
//
// Each end of a pair has a number for the link, which it raises when it ends the link of its own
// accord; a process has a number too (its run). A message names the sender's numbers and those of
// the receiver as the sender knows them, so what belongs to an earlier link or an earlier process
// is known at once. A link is up at an end as soon as it hears its own numbers back. Messages of a
// link are counted from 1; the beat, which goes to all on one channel, says how many there were.
#include "net/bus.h"

#include <stdlib.h>
#include <string.h>

#include "net/buf.h"
#include "net/log.h"
#include "net/redis.h"

#define VERSION 1
#define BATCH_BYTES ((size_t)256 * 1024) // gathered for one peer, then sent without waiting
#define FORGET_MS 60000                  // a peer silent for so long is not named in beats any more

typedef enum PacketKind { PACKET_BEAT = 'B', PACKET_BYE = 'X', PACKET_DATA = 'D' } PacketKind;

typedef struct Peer {
    char name[NET_BUS_NAME_SIZE];
    char channel[NET_REDIS_CHANNEL_SIZE];
    uint64_t run;    // of its process; 0: never heard
    uint32_t mine;   // our number of the link, from 1
    uint32_t theirs; // the peer's; 0: never heard
    bool up;
    uint64_t links; // that were begun
    uint64_t sent;  // messages of this link
    uint64_t got;
    uint64_t heard_ms; // loop time
    NetBuf *batch;     // gathered in this turn; NULL: nothing
} Peer;

struct NetBus {
    NetBusSettings settings;
    NetBusUrl url;
    char node[NET_BUS_NAME_SIZE];
    char beats[NET_REDIS_CHANNEL_SIZE]; // the channel of all
    NetRedis *redis;
    uv_timer_t timer;
    uv_prepare_t before_sleep;
    uv_idle_t awake;  // what is gathered just before the loop sleeps keeps it from sleeping
    uint64_t echo_ms; // when our own beat came back last
    Peer peers[NET_BUS_PEERS_MAX];
    int peer_count;
    bool beat_soon; // somebody is to hear of us at once
    bool full_said;
    bool closing;
    NetBusStats stats;
};

// ---- bytes --------------------------------------------------------------------------------------

static void write_number(NetBuf *out, uint64_t value, int bytes) {
    unsigned char text[8];
    for (int i = 0; i < bytes; i++)
        text[i] = (unsigned char)(value >> (8 * (bytes - 1 - i)));
    net_buf_add(out, text, (size_t)bytes);
}

static void write_name(NetBuf *out, const char *name) {
    const size_t size = strlen(name);
    write_number(out, size, 1);
    net_buf_add(out, name, size);
}

// False: the packet ends before.
static bool read_number(JdStr *in, int bytes, uint64_t *out) {
    if (in->size < (size_t)bytes)
        return false;
    *out = 0;
    for (int i = 0; i < bytes; i++)
        *out = *out << 8 | (unsigned char)in->data[i];
    *in = jd_str_part(*in, (size_t)bytes, in->size);
    return true;
}

static bool read_bytes(JdStr *in, int size_bytes, JdStr *out) {
    uint64_t size = 0;
    if (!read_number(in, size_bytes, &size) || in->size < size)
        return false;
    *out = jd_str_part(*in, 0, (size_t)size);
    *in = jd_str_part(*in, (size_t)size, in->size);
    return true;
}

static NetBuf *begin_packet(const NetBus *bus, PacketKind kind) {
    NetBuf *out = net_buf_new();
    if (out == NULL)
        return NULL;
    write_number(out, kind, 1);
    write_number(out, VERSION, 1);
    write_name(out, bus->node);
    write_number(out, bus->settings.run, 8);
    return out;
}

// ---- out ----------------------------------------------------------------------------------------

static void publish(NetBus *bus, const char *channel, NetBuf *packet) {
    if (packet != NULL && !packet->failed &&
        net_redis_publish(bus->redis, channel, net_buf_str(packet))) {
        bus->stats.publishes++;
        bus->stats.bytes_out += packet->size;
    }
    net_buf_drop(packet);
}

static void drop_batch(Peer *peer) {
    net_buf_drop(peer->batch);
    peer->batch = NULL;
}

static void flush_peer(NetBus *bus, Peer *peer) {
    NetBuf *batch = peer->batch;
    peer->batch = NULL;
    if (batch != NULL)
        publish(bus, peer->channel, batch);
}

static void soon(NetBus *bus);

// How many messages were sent is said after they were.
static void beat(NetBus *bus, PacketKind kind) {
    const uint64_t now_ms = uv_now(bus->settings.loop);
    for (int i = 0; i < bus->peer_count; i++)
        flush_peer(bus, &bus->peers[i]);
    NetBuf *out = begin_packet(bus, kind);
    for (int i = 0; i < bus->peer_count; i++) {
        const Peer *peer = &bus->peers[i];
        if (!peer->up && now_ms - peer->heard_ms > FORGET_MS)
            continue;
        write_name(out, peer->name);
        write_number(out, peer->run, 8);
        write_number(out, peer->mine, 4);
        write_number(out, peer->theirs, 4);
        write_number(out, peer->sent, 8);
    }
    publish(bus, bus->beats, out);
}

void net_bus_flush(NetBus *bus) {
    uv_prepare_stop(&bus->before_sleep);
    uv_idle_stop(&bus->awake);
    for (int i = 0; i < bus->peer_count; i++)
        flush_peer(bus, &bus->peers[i]);
    if (bus->beat_soon && net_redis_connected(bus->redis)) {
        bus->beat_soon = false;
        beat(bus, PACKET_BEAT);
    }
}

static void on_before_sleep(uv_prepare_t *handle) {
    net_bus_flush(handle->data);
}

static void on_awake(uv_idle_t *handle) {
    (void)handle;
}

static void soon(NetBus *bus) {
    uv_prepare_start(&bus->before_sleep, on_before_sleep);
    uv_idle_start(&bus->awake, on_awake);
}

static void beat_soon(NetBus *bus) {
    bus->beat_soon = true;
    soon(bus);
}

// ---- links --------------------------------------------------------------------------------------

// of_ours: it is we who end it; else the other end did, or its process is another one.
static void end_link(NetBus *bus, Peer *peer, bool of_ours) {
    const bool was_up = peer->up;
    peer->up = false;
    peer->sent = peer->got = 0;
    if (of_ours)
        peer->mine++;
    drop_batch(peer);
    beat_soon(bus);
    if (!was_up)
        return;
    bus->stats.downs++;
    bus->stats.up--;
    bus->settings.on_down(bus->settings.context, (int)(peer - bus->peers));
}

static void begin_link(NetBus *bus, Peer *peer) {
    peer->up = true;
    peer->links++;
    bus->stats.up++;
    beat_soon(bus); // the other end may not know yet
    bus->settings.on_up(bus->settings.context, (int)(peer - bus->peers));
}

// Numbers as a packet names them.
typedef struct Stamp {
    uint64_t run;
    uint32_t theirs; // 0: the sender does not know us yet
    uint64_t our_run;
    uint32_t ours;
} Stamp;

// Takes note of what a packet says of the link; true when the packet belongs to the link that is.
static bool take_stamp(NetBus *bus, Peer *peer, const Stamp *stamp) {
    if (stamp->run < peer->run ||
        (stamp->run == peer->run && stamp->theirs != 0 && stamp->theirs < peer->theirs))
        return false; // of before
    peer->heard_ms = uv_now(bus->settings.loop);
    const bool is_new = stamp->run > peer->run;
    if (is_new || stamp->theirs > peer->theirs) {
        peer->run = stamp->run;
        peer->theirs = stamp->theirs;
        end_link(bus, peer, false);
    }
    if (stamp->our_run != bus->settings.run || stamp->ours != peer->mine) {
        if (!peer->up)
            beat_soon(bus); // it does not know our numbers
        return false;
    }
    if (!peer->up && !bus->closing)
        begin_link(bus, peer);
    return peer->up;
}

static void lost(NetBus *bus, Peer *peer) {
    bus->stats.gaps++;
    end_link(bus, peer, true);
}

// ---- in -----------------------------------------------------------------------------------------

static Peer *find_peer(NetBus *bus, JdStr name) {
    for (int i = 0; i < bus->peer_count; i++)
        if (jd_str_equal(name, jd_str(bus->peers[i].name)))
            return &bus->peers[i];
    if (bus->peer_count == NET_BUS_PEERS_MAX) {
        if (!bus->full_said)
            net_log(NET_LOG_ERROR, "the bus: more than %d nodes; %.*s is not listened to",
                    NET_BUS_PEERS_MAX + 1, JD_PRINT(name));
        bus->full_said = true;
        return NULL;
    }
    Peer *peer = &bus->peers[bus->peer_count++];
    *peer = (Peer) { .mine = 1 };
    jd_copy(peer->name, name.data, name.size);
    jd_format(peer->channel, sizeof(peer->channel), "%s:node:%s", bus->url.site, peer->name);
    return peer;
}

static void take_beat(NetBus *bus, Peer *peer, uint64_t run, JdStr rest, bool bye) {
    Stamp stamp = { .run = run };
    uint64_t sent = 0;
    while (rest.size > 0) {
        JdStr name;
        uint64_t of_run;
        uint64_t theirs;
        uint64_t ours;
        uint64_t count;
        if (!read_bytes(&rest, 1, &name) || !read_number(&rest, 8, &of_run) ||
            !read_number(&rest, 4, &theirs) || !read_number(&rest, 4, &ours) ||
            !read_number(&rest, 8, &count))
            return;
        if (!jd_str_equal(name, jd_str(bus->node)))
            continue;
        stamp.theirs = (uint32_t)theirs;
        stamp.our_run = of_run;
        stamp.ours = (uint32_t)ours;
        sent = count;
    }
    const bool belongs = take_stamp(bus, peer, &stamp);
    if (bye && run == peer->run)
        end_link(bus, peer, true);
    else if (belongs && sent > peer->got)
        lost(bus, peer);
}

static void take_data(NetBus *bus, Peer *peer, uint64_t run, JdStr rest) {
    uint64_t theirs;
    uint64_t our_run;
    uint64_t ours;
    uint64_t number;
    if (!read_number(&rest, 4, &theirs) || !read_number(&rest, 8, &our_run) ||
        !read_number(&rest, 4, &ours) || !read_number(&rest, 8, &number))
        return;
    const Stamp stamp = { run, (uint32_t)theirs, our_run, (uint32_t)ours };
    if (!take_stamp(bus, peer, &stamp))
        return;
    if (number > peer->got + 1) {
        lost(bus, peer);
        return;
    }
    const uint64_t link = peer->links;
    JdStr message;
    for (; peer->up && peer->links == link && read_bytes(&rest, 4, &message); number++) {
        if (number <= peer->got)
            continue; // it came twice
        peer->got = number;
        bus->stats.messages_in++;
        bus->settings.on_message(bus->settings.context, (int)(peer - bus->peers), message);
    }
}

static void on_packet(void *context, JdStr packet) {
    NetBus *bus = context;
    uint64_t kind;
    uint64_t version;
    uint64_t run;
    JdStr name;
    if (bus->closing || !read_number(&packet, 1, &kind) || !read_number(&packet, 1, &version) ||
        version != VERSION || !read_bytes(&packet, 1, &name) || !read_number(&packet, 8, &run) ||
        !net_bus_name_ok(name))
        return;
    if (jd_str_equal(name, jd_str(bus->node))) {
        if (run == bus->settings.run)
            bus->echo_ms = uv_now(bus->settings.loop);
        return;
    }
    bus->stats.bytes_in += packet.size;
    Peer *peer = find_peer(bus, name);
    if (peer == NULL)
        return;
    if (kind == PACKET_DATA)
        take_data(bus, peer, run, packet);
    else if (kind == PACKET_BEAT || kind == PACKET_BYE)
        take_beat(bus, peer, run, packet, kind == PACKET_BYE);
}

// ---- Redis comes and goes -----------------------------------------------------------------------

static void on_connected(void *context) {
    NetBus *bus = context;
    bus->echo_ms = uv_now(bus->settings.loop);
    bus->stats.reconnects++;
    beat_soon(bus);
}

static void on_lost(void *context) {
    NetBus *bus = context;
    for (int i = 0; i < bus->peer_count; i++)
        if (bus->peers[i].up)
            end_link(bus, &bus->peers[i], true);
}

static void on_beat(uv_timer_t *timer) {
    NetBus *bus = timer->data;
    const uint64_t now_ms = uv_now(bus->settings.loop);
    if (!net_redis_connected(bus->redis))
        return;
    for (int i = 0; i < bus->peer_count; i++)
        if (bus->peers[i].up && now_ms - bus->peers[i].heard_ms > NET_BUS_SILENCE_MS)
            end_link(bus, &bus->peers[i], true);
    if (now_ms - bus->echo_ms > NET_BUS_SILENCE_MS)
        net_redis_again(bus->redis); // it takes what we say, and gives nothing back
    else
        beat(bus, PACKET_BEAT);
}

// ---- opening and closing ------------------------------------------------------------------------

bool net_bus_open(const NetBusSettings *settings, NetBus **out, JdErr *err) {
    if (!net_bus_name_ok(jd_str(settings->node)))
        return jd_fail_field(
            err, 1, "node", 0,
            "node: \"%.40s\", expected a name of at most %d letters, digits, - _ .", settings->node,
            NET_BUS_NAME_SIZE - 1);
    NetBus *bus = calloc(1, sizeof(*bus));
    if (bus == NULL)
        return jd_fail(err, 1, 0, "no memory for the bus");
    if (!net_bus_url_read(jd_str(settings->url), &bus->url, err)) {
        free(bus);
        return false;
    }
    bus->settings = *settings;
    jd_format(bus->node, sizeof(bus->node), "%s", settings->node);
    jd_format(bus->beats, sizeof(bus->beats), "%s:nodes", bus->url.site);
    char own[NET_REDIS_CHANNEL_SIZE];
    jd_format(own, sizeof(own), "%s:node:%s", bus->url.site, bus->node);
    const NetRedisSettings redis = {
        .loop = settings->loop,
        .host = bus->url.host,
        .port = bus->url.port,
        .user = bus->url.user,
        .password = bus->url.password,
        .channels = { bus->beats, own },
        .on_connected = on_connected,
        .on_lost = on_lost,
        .on_message = on_packet,
        .context = bus,
    };
    bus->redis = net_redis_open(&redis);
    if (bus->redis == NULL) {
        free(bus);
        return jd_fail(err, 1, 0, "no memory for the bus");
    }
    uv_timer_init(settings->loop, &bus->timer);
    uv_prepare_init(settings->loop, &bus->before_sleep);
    uv_idle_init(settings->loop, &bus->awake);
    bus->timer.data = bus;
    bus->before_sleep.data = bus;
    uv_timer_start(&bus->timer, on_beat, NET_BUS_BEAT_MS, NET_BUS_BEAT_MS);
    *out = bus;
    return true;
}

void net_bus_close(NetBus *bus) {
    if (bus == NULL || bus->closing)
        return;
    bus->closing = true;
    if (net_redis_connected(bus->redis))
        beat(bus, PACKET_BYE);
    net_redis_close(bus->redis);
    uv_close((uv_handle_t *)&bus->timer, NULL);
    uv_close((uv_handle_t *)&bus->before_sleep, NULL);
    uv_close((uv_handle_t *)&bus->awake, NULL);
}

void net_bus_free(NetBus *bus) {
    if (bus == NULL)
        return;
    for (int i = 0; i < bus->peer_count; i++)
        drop_batch(&bus->peers[i]);
    net_redis_free(bus->redis);
    free(bus);
}

// ---- what others ask for ------------------------------------------------------------------------

int net_bus_peer(const NetBus *bus, const char *name) {
    for (int i = 0; i < bus->peer_count; i++)
        if (strcmp(bus->peers[i].name, name) == 0)
            return i;
    return -1;
}

const char *net_bus_name(const NetBus *bus, int peer) {
    return bus->peers[peer].name;
}

bool net_bus_is_up(const NetBus *bus, int peer) {
    return peer >= 0 && peer < bus->peer_count && bus->peers[peer].up;
}

int net_bus_peers(const NetBus *bus) {
    return bus->peer_count;
}

static bool gather(NetBus *bus, Peer *peer, JdStr bytes) {
    if (peer->batch != NULL && peer->batch->size + bytes.size > BATCH_BYTES)
        flush_peer(bus, peer);
    if (peer->batch == NULL) {
        peer->batch = begin_packet(bus, PACKET_DATA);
        write_number(peer->batch, peer->mine, 4);
        write_number(peer->batch, peer->run, 8);
        write_number(peer->batch, peer->theirs, 4);
        write_number(peer->batch, peer->sent + 1, 8);
    }
    write_number(peer->batch, bytes.size, 4);
    net_buf_add(peer->batch, bytes.data, bytes.size);
    return peer->batch != NULL && !peer->batch->failed;
}

bool net_bus_send(NetBus *bus, int index, JdStr bytes) {
    if (!net_bus_is_up(bus, index) || bus->closing) {
        bus->stats.refused++;
        return false;
    }
    Peer *peer = &bus->peers[index];
    JD_ASSERT(bytes.size <= NET_BUS_MESSAGE_MAX);
    if (net_redis_waiting(bus->redis) > NET_BUS_WAITING_MAX || !gather(bus, peer, bytes)) {
        bus->stats.refused++;
        lost(bus, peer);
        return false;
    }
    peer->sent++;
    bus->stats.messages_out++;
    soon(bus);
    return true;
}

void net_bus_all(NetBus *bus, JdStr bytes) {
    for (int i = 0; i < bus->peer_count; i++)
        if (bus->peers[i].up)
            (void)net_bus_send(bus, i, bytes);
}

NetBusStats net_bus_stats(const NetBus *bus) {
    NetBusStats stats = bus->stats;
    stats.waiting_bytes = net_redis_waiting(bus->redis);
    stats.connected = net_redis_connected(bus->redis);
    return stats;
}
