// SPDX-License-Identifier: GPL-3.0-or-later
//
// The channels "lobby" and "me", which every node has a part of: states are put together, messages
// numbered anew.
//
// Of every other node's lobby a copy is kept, so that who comes is shown all of it at once. The
// state of "me" is asked of all nodes each time; what comes from them meanwhile waits behind it.
#include <stdlib.h>
#include <string.h>

#include "net/gateway_inner.h"
#include "net/json_out.h"
#include "net/log.h"

// Messages that may come while a state is put together; with more the client comes anew.
#define HELD_MAX 256
// How long this node's own part may take: games that sleep are read for it.
#define OWN_PART_MS 5000
// States of slow nodes for which everything is asked again.
#define LATE_MAX 2

// ---- messages numbered anew -------------------------------------------------------------------

// The message with another number of the channel, which stands before any text of people.
static NetBuf *numbered(const NetBuf *buf, uint64_t seq) {
    static const char key[] = "\"seq\":";
    NetBuf *out = net_buf_new();
    const char *at = memmem(buf->data, buf->size, key, sizeof(key) - 1);
    if (out == NULL)
        return NULL;
    if (at == NULL) {
        net_buf_add(out, buf->data, buf->size);
        return out;
    }
    const char *data = (const char *)buf->data;
    size_t after = (size_t)(at - data) + sizeof(key) - 1;
    char digits[24];
    net_buf_add(out, data, after);
    net_buf_add(out, digits, jd_format(digits, sizeof(digits), "%llu", (unsigned long long)seq));
    while (after < buf->size && data[after] >= '0' && data[after] <= '9')
        after++;
    net_buf_add(out, data + after, buf->size - after);
    return out;
}

static void send_or_close(NetSocket *socket, NetBuf *buf) {
    if (buf == NULL || buf->failed)
        net_socket_close(socket, 1011);
    else
        net_socket_send(socket, buf);
}

static void send_me(NetSocket *socket, const NetBuf *buf) {
    NetBuf *out = numbered(buf, ++socket->away->me_seq);
    send_or_close(socket, out);
    net_buf_drop(out);
}

static void tell_count(NetSocket *socket, bool always) {
    NetAway *away = socket->away;
    uint32_t sum = 0;
    for (int i = 0; i < SOURCES; i++)
        sum += away->waiting[i];
    if (!always && sum == away->told_waiting)
        return;
    away->told_waiting = sum;
    NetBuf *out = net_count_message(sum);
    send_or_close(socket, out);
    net_buf_drop(out);
}

// ---- putting lists together -------------------------------------------------------------------

void merge_take(json_t *array, const json_t *from, const char *key) {
    const json_t *list = json_object_get(from, key);
    for (size_t i = 0; i < json_array_size(list); i++)
        json_array_append(array, json_array_get(list, i));
}

static json_int_t number_of(const json_t *object, const char *key) {
    return json_integer_value(json_object_get(object, key));
}

static const char *text_of(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text == NULL ? "" : text;
}

typedef bool (*BeforeFn)(const json_t *a, const json_t *b, const char *nick);

// Insertion: each part is in order already, or short.
static void sort(json_t *rows, BeforeFn before, const char *nick) {
    for (size_t i = 1; i < json_array_size(rows); i++) {
        json_t *row = json_incref(json_array_get(rows, i));
        size_t at = i;
        while (at > 0 && before(row, json_array_get(rows, at - 1), nick))
            at--;
        if (at < i) {
            json_array_remove(rows, i);
            json_array_insert(rows, at, row);
        }
        json_decref(row);
    }
}

static bool is_my_move(const json_t *row, const char *nick) {
    const json_t *seat = json_object_get(row, text_of(row, "turn"));
    return strcmp(text_of(seat, "nick"), nick) == 0;
}

// As live has it: own move first, then the least time left (S-046).
static bool game_before(const json_t *a, const json_t *b, const char *nick) {
    const bool mine_a = is_my_move(a, nick);
    const bool mine_b = is_my_move(b, nick);
    if (mine_a != mine_b)
        return mine_a;
    const json_t *time_a = json_object_get(a, "deadline");
    const json_t *time_b = json_object_get(b, "deadline");
    const json_int_t left_a = json_is_integer(time_a) ? json_integer_value(time_a) : INT64_MAX;
    const json_int_t left_b = json_is_integer(time_b) ? json_integer_value(time_b) : INT64_MAX;
    if (left_a != left_b)
        return left_a < left_b;
    return strcmp(text_of(a, "id"), text_of(b, "id")) < 0;
}

static bool newer(const json_t *a, const json_t *b, const char *nick) {
    (void)nick;
    return number_of(a, "created") > number_of(b, "created");
}

static json_int_t strength(const json_t *row) {
    const json_t *game = json_object_get(row, "game");
    return number_of(json_object_get(game, "white"), "rating") +
           number_of(json_object_get(game, "black"), "rating");
}

static bool more_watched(const json_t *a, const json_t *b, const char *nick) {
    (void)nick;
    const json_int_t watch_a = number_of(a, "spectators");
    const json_int_t watch_b = number_of(b, "spectators");
    return watch_a != watch_b ? watch_a > watch_b : strength(a) > strength(b);
}

void merge_sort_games(json_t *rows, const char *nick) {
    sort(rows, game_before, nick);
}

void merge_sort_challenges(json_t *rows) {
    sort(rows, newer, "");
}

void merge_sort_watched(json_t *rows) {
    sort(rows, more_watched, "");
    while (json_array_size(rows) > LIVE_WATCH_MAX)
        json_array_remove(rows, json_array_size(rows) - 1);
}

static json_t *parse(JdStr text) {
    return json_loadb(text.data == NULL ? "" : text.data, text.size, 0, NULL);
}

// {"t":type,"d":{"seq":n, lists}}; takes what it is given.
static NetBuf *state(const char *type, uint64_t seq, json_t *first, json_t *second) {
    json_t *data = json_object();
    json_object_set_new(data, "seq", json_integer((json_int_t)seq));
    if (second == NULL) {
        json_object_set_new(data, "challenges", first);
    } else {
        json_object_set_new(data, "games", first);
        json_object_set_new(data, "challenges", second);
    }
    json_t *message = json_object();
    json_object_set_new(message, "t", json_string(type));
    json_object_set_new(message, "d", data);
    char *text = json_dumps(message, JSON_COMPACT);
    json_decref(message);
    NetBuf *out = text == NULL ? NULL : net_buf_new();
    if (out != NULL)
        net_buf_add(out, text, strlen(text));
    free(text);
    return out;
}

// ---- the lobby --------------------------------------------------------------------------------

// A message of the lobby is numbered once for all who follow it here.
static void pass_lobby(NetGateway *gateway, NetSocket *socket, NetBuf *buf) {
    if (!gateway->open)
        return;
    if (gateway->lobby_raw != buf) {
        net_buf_drop(gateway->lobby_raw);
        net_buf_drop(gateway->lobby_numbered);
        gateway->lobby_raw = net_buf_hold(buf);
        gateway->lobby_numbered = numbered(buf, ++gateway->lobby_seq);
    }
    send_or_close(socket, gateway->lobby_numbered);
}

// live's own state with what the others have.
static void send_lobby(NetGateway *gateway, NetSocket *socket, const NetBuf *own) {
    json_t *list = json_array();
    json_t *message = parse(net_buf_str(own));
    merge_take(list, json_object_get(message, "d"), "challenges");
    json_decref(message);
    for (int peer = 0; peer < NET_BUS_PEERS_MAX; peer++) {
        const char *id;
        json_t *challenge;
        json_object_foreach(gateway->lobby[peer], id, challenge) json_array_append(list, challenge);
    }
    merge_sort_challenges(list);
    NetBuf *out = state("lobby", gateway->lobby_seq, list, NULL);
    send_or_close(socket, out);
    net_buf_drop(out);
}

static void publish_lobby(NetGateway *gateway, JdStr text) {
    NetBuf *buf = net_buf_new();
    if (buf == NULL)
        return;
    net_buf_add(buf, text.data, text.size);
    net_hub_pass(&gateway->server->hub, buf, NET_MARK_LOBBY);
    net_buf_drop(buf);
}

static void publish_removed(NetGateway *gateway, const char *id) {
    char text[80];
    const size_t size =
        jd_format(text, sizeof(text), "{\"t\":\"lobby-\",\"d\":{\"seq\":0,\"id\":\"%.12s\"}}", id);
    publish_lobby(gateway, jd_str_n(text, size));
}

static void publish_added(NetGateway *gateway, json_t *challenge) {
    json_t *message =
        json_pack("{s:s,s:{s:i,s:O}}", "t", "lobby+", "d", "seq", 0, "challenge", challenge);
    char *text = message == NULL ? NULL : json_dumps(message, JSON_COMPACT);
    if (text != NULL)
        publish_lobby(gateway, jd_str(text));
    free(text);
    json_decref(message);
}

// A whole state anew: only what differs is told.
static void set_lobby(NetGateway *gateway, int peer, const json_t *data) {
    json_t *old = gateway->lobby[peer];
    json_t *fresh = json_object();
    const json_t *list = json_object_get(data, "challenges");
    const char *id;
    json_t *challenge;
    for (size_t i = 0; i < json_array_size(list); i++) {
        challenge = json_array_get(list, i);
        json_object_set(fresh, text_of(challenge, "id"), challenge);
    }
    gateway->lobby[peer] = fresh;
    json_object_foreach(old, id, challenge) if (json_object_get(fresh, id) == NULL)
        publish_removed(gateway, id);
    for (size_t i = json_array_size(list); i-- > 0;) { // the newest comes first, and is told last
        challenge = json_array_get(list, i);
        if (!json_equal(json_object_get(old, text_of(challenge, "id")), challenge))
            publish_added(gateway, challenge);
    }
    json_decref(old);
}

void merge_lobby(NetGateway *gateway, int peer, JdStr text, NetMark mark) {
    json_t *message = parse(text);
    const json_t *data = json_object_get(message, "d");
    if (mark == NET_MARK_LOBBY_STATE) {
        set_lobby(gateway, peer, data);
    } else if (mark == NET_MARK_LOBBY && gateway->lobby[peer] != NULL) {
        json_t *challenge = json_object_get(data, "challenge");
        if (challenge != NULL)
            json_object_set(gateway->lobby[peer], text_of(challenge, "id"), challenge);
        else
            json_object_del(gateway->lobby[peer], text_of(data, "id"));
        publish_lobby(gateway, text);
    }
    json_decref(message);
}

void merge_lobby_gone(NetGateway *gateway, int peer) {
    json_t *old = gateway->lobby[peer];
    const char *id;
    json_t *challenge;
    gateway->lobby[peer] = NULL;
    json_object_foreach(old, id, challenge) publish_removed(gateway, id);
    json_decref(old);
}

// ---- "me" -------------------------------------------------------------------------------------

static void free_gather(NetGateway *gateway, NetGather *gather) {
    NetGather **at = &gateway->gathers;
    while (*at != gather)
        at = &(*at)->next;
    *at = gather->next;
    gather->socket->away->gather = NULL;
    for (int i = 0; i < SOURCES; i++)
        net_buf_drop(gather->parts[i]);
    for (size_t i = 0; i < gather->held_count; i++)
        net_buf_drop(gather->held[i]);
    free(gather->held);
    free(gather);
}

// The state, and then what came meanwhile.
static void finish(NetGateway *gateway, NetGather *gather) {
    NetSocket *socket = gather->socket;
    NetAway *away = socket->away;
    json_t *games = json_array();
    json_t *challenges = json_array();
    for (int i = 0; i < SOURCES; i++) {
        json_t *part = gather->parts[i] == NULL ? NULL : parse(net_buf_str(gather->parts[i]));
        merge_take(games, json_object_get(part, "d"), "games");
        merge_take(challenges, json_object_get(part, "d"), "challenges");
        json_decref(part);
    }
    merge_sort_games(games, socket->me->nick);
    merge_sort_challenges(challenges);
    NetBuf *out = state("games", ++away->me_seq, games, challenges);
    send_or_close(socket, out);
    net_buf_drop(out);
    tell_count(socket, true);
    for (size_t i = 0; i < gather->held_count && !socket->closing; i++)
        send_me(socket, gather->held[i]);
    free_gather(gateway, gather);
}

static void look_at(NetGateway *gateway, NetGather *gather, int64_t now_ms) {
    const bool own = (gather->pending & SOURCE_BIT(HERE)) == 0;
    if (gather->pending == 0 || (own && now_ms >= gather->until_ms))
        finish(gateway, gather);
    else if (!own && now_ms >= gather->until_ms + OWN_PART_MS)
        free_gather(gateway, gather); // it was refused here
}

void merge_tick(NetGateway *gateway, int64_t now_ms) {
    for (NetGather *gather = gateway->gathers, *next = NULL; gather != NULL; gather = next) {
        next = gather->next;
        look_at(gateway, gather, now_ms);
    }
}

#define SUB_ME "{\"t\":\"sub\",\"d\":{\"ch\":\"me\"}}"
#define UNSUB_ME "{\"t\":\"unsub\",\"d\":{\"ch\":\"me\"}}"

void merge_begin_me(NetGateway *gateway, NetSocket *socket, bool ask_live) {
    NetAway *away = socket->away;
    NetGather *gather = away->gather;
    if (gather == NULL) {
        gather = calloc(1, sizeof(*gather));
        if (gather == NULL) {
            net_socket_close(socket, 1011);
            return;
        }
        gather->socket = socket;
        gather->next = gateway->gathers;
        gateway->gathers = gather;
        away->gather = gather;
    }
    if (!ask_live)
        away->late = 0;
    int peers[NET_BUS_PEERS_MAX];
    const int count = net_cluster_reached(gateway->cluster, peers);
    gather->pending = SOURCE_BIT(HERE);
    gather->until_ms = net_now(gateway->server).ms + NET_GATEWAY_GATHER_MS;
    for (int i = 0; i < count; i++)
        gather->pending |= SOURCE_BIT(peers[i]);
    for (int i = 0; i < count; i++)
        gateway_say(gateway, socket, peers[i], SUB_ME);
    gateway_tick(gateway);
    if (ask_live)
        gateway_say(gateway, socket, HERE, SUB_ME);
}

void merge_end_me(NetGateway *gateway, NetSocket *socket) {
    NetAway *away = socket->away;
    if (away->gather != NULL)
        free_gather(gateway, away->gather);
    if (!away->follows_me)
        return;
    away->follows_me = false;
    for (int peer = 0; peer < NET_BUS_PEERS_MAX && !socket->closing; peer++)
        if ((away->connected & SOURCE_BIT(peer)) != 0)
            gateway_say(gateway, socket, peer, UNSUB_ME);
}

static void take_part(NetGateway *gateway, NetSocket *socket, int source, NetBuf *buf,
                      uint32_t waiting) {
    NetAway *away = socket->away;
    away->waiting[source + 1] = waiting;
    if (source == HERE)
        away->follows_me = true;
    NetGather *gather = away->gather;
    if (gather == NULL) {
        // Too late for the state that was sent: another one.
        if (away->follows_me && away->late++ < LATE_MAX)
            merge_begin_me(gateway, socket, true);
        return;
    }
    net_buf_drop(gather->parts[source + 1]);
    gather->parts[source + 1] = net_buf_hold(buf);
    gather->pending &= ~SOURCE_BIT(source);
    look_at(gateway, gather, net_now(gateway->server).ms);
}

static void hold(NetGather *gather, NetBuf *buf) {
    if (gather->held == NULL)
        gather->held = calloc(HELD_MAX, sizeof(NetBuf *));
    if (gather->held == NULL || gather->held_count == HELD_MAX)
        net_socket_close(gather->socket, 1012);
    else
        gather->held[gather->held_count++] = net_buf_hold(buf);
}

void merge_source_gone(NetGateway *gateway, NetSocket *socket, int peer) {
    NetAway *away = socket->away;
    away->waiting[peer + 1] = 0;
    if (away->gather != NULL) {
        net_buf_drop(away->gather->parts[peer + 1]);
        away->gather->parts[peer + 1] = NULL;
        away->gather->pending &= ~SOURCE_BIT(peer);
        look_at(gateway, away->gather, net_now(gateway->server).ms);
    }
}

void merge_pass(NetGateway *gateway, NetSocket *socket, int source, NetBuf *buf, NetMark mark,
                uint32_t waiting) {
    NetAway *away = socket->away;
    if (away == NULL)
        return; // it is going
    switch (mark) {
    case NET_MARK_PLAIN:
    case NET_MARK_ANSWER:
        net_socket_send(socket, buf);
        return;
    case NET_MARK_LOBBY:
        pass_lobby(gateway, socket, buf);
        return;
    case NET_MARK_LOBBY_STATE:
        send_lobby(gateway, socket, buf);
        return;
    case NET_MARK_ME:
        if (away->gather != NULL)
            hold(away->gather, buf);
        else if (away->follows_me)
            send_me(socket, buf);
        return;
    case NET_MARK_ME_STATE:
        take_part(gateway, socket, source, buf, waiting);
        return;
    case NET_MARK_COUNT:
        away->waiting[source + 1] = waiting;
        if (away->gather == NULL && away->follows_me)
            tell_count(socket, false);
        return;
    }
}

// What is put together goes with its sockets.
void merge_close(NetGateway *gateway) {
    for (int peer = 0; peer < NET_BUS_PEERS_MAX; peer++) {
        json_decref(gateway->lobby[peer]);
        gateway->lobby[peer] = NULL;
    }
    net_buf_drop(gateway->lobby_raw); // the hub's
    net_buf_drop(gateway->lobby_numbered);
    gateway->lobby_raw = gateway->lobby_numbered = NULL;
}
