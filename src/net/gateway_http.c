// SPDX-License-Identifier: GPL-3.0-or-later
//
// Requests that need what another node has: its owner runs the ordinary handler and sends the reply
// back; or all nodes are asked, and their lists put together.
#include <stdlib.h>
#include <string.h>

#include "net/api.h"
#include "net/errors.h"
#include "net/gateway_inner.h"
#include "net/http.h"
#include "net/log.h"

#define JSON_TYPE "application/json"
#define PGN_TYPE "application/x-chess-pgn; charset=utf-8"

// What has just moved is looked for again after so long.
#define AGAIN_MS 50
#define ELSEWHERE (NET_BY_ID | NET_BY_REMATCH | NET_GATHERED)

// A request of a client here that waits for others.
struct NetPending {
    NetPending *next;
    uint64_t number;
    NetRequest *request; // held
    uint64_t asked;      // SOURCE_BIT of those who have not answered
    bool gathers;
    int64_t until_ms;
    int64_t again_ms; // it is asked again then; 0: it is being asked
    json_t *parts[SOURCES];
};

static bool is_known(const char *type, JdStr word) {
    return jd_str_equal(jd_str(type), word);
}

// ---- at the client's node ---------------------------------------------------------------------

static NetPending *new_pending(NetGateway *gateway, NetRequest *request, bool gathers) {
    NetPending *pending =
        gateway->waiting < NET_GATEWAY_WAITING_MAX ? calloc(1, sizeof(*pending)) : NULL;
    if (pending == NULL)
        return NULL;
    const int64_t patience = gathers ? NET_GATEWAY_GATHER_MS : NET_GATEWAY_ANSWER_MS;
    pending->number = ++gateway->next_number;
    pending->request = request;
    pending->gathers = gathers;
    if (request->far_until_ms == 0)
        request->far_until_ms = net_now(gateway->server).ms + patience;
    pending->until_ms = request->far_until_ms;
    pending->next = gateway->pending;
    gateway->pending = pending;
    gateway->waiting++;
    net_request_hold(request);
    gateway_tick(gateway);
    return pending;
}

static NetPending *find(NetGateway *gateway, uint64_t number) {
    NetPending *pending = gateway->pending;
    while (pending != NULL && pending->number != number)
        pending = pending->next;
    return pending;
}

// Takes it out; the caller lets go of its request.
static NetRequest *take_out(NetGateway *gateway, NetPending *pending) {
    NetPending **at = &gateway->pending;
    while (*at != pending)
        at = &(*at)->next;
    *at = pending->next;
    gateway->waiting--;
    NetRequest *request = pending->request;
    for (int i = 0; i < SOURCES; i++)
        json_decref(pending->parts[i]);
    free(pending);
    return request;
}

static void end(NetGateway *gateway, NetPending *pending) {
    NetRequest *request = take_out(gateway, pending);
    net_request_finish(request);
    net_request_drop(request);
}

static void unavailable(NetRequest *request, const char *why) {
    net_reply_fault(request, "unavailable", NULL, why);
    request->retry_after = 1;
}

static void give_up(NetGateway *gateway, NetPending *pending) {
    unavailable(pending->request, "the server that has the game does not answer; try again");
    end(gateway, pending);
}

static void send_request(NetGateway *gateway, const NetRequest *request, int peer,
                         const NetPending *pending) {
    char query[sizeof(request->query_text) + NET_QUERY_MAX];
    JdOut out = jd_out(query, sizeof(query));
    for (int i = 0; i < request->query_count; i++) {
        jd_out_text(&out, request->query[i].name);
        jd_out_char(&out, '=');
        jd_out_text(&out, request->query[i].value);
        jd_out_char(&out, '\0');
    }
    NetEnvelope envelope = {
        .kind = NET_ENV_REQUEST,
        .number = pending->number,
        .flags = pending->gathers ? NET_ENV_HERE : 0,
        .code = (uint16_t)request->route->method,
        .path = request->path,
        .query = jd_out_str(&out),
        .word = jd_str(request->language),
    };
    memcpy(envelope.digest, request->address.bytes, sizeof(envelope.digest));
    if (request->logged_in) {
        envelope.flags |= NET_ENV_HAS_ME;
        envelope.me = request->me;
    }
    if (request->body != NULL)
        envelope.text = net_buf_str(request->body);
    if (peer == HERE)
        http_request(gateway, HERE, &envelope);
    else
        gateway_send(gateway, peer, &envelope);
}

static void forward(NetGateway *gateway, NetRequest *request, int peer) {
    NetPending *pending = new_pending(gateway, request, false);
    if (pending == NULL) {
        unavailable(request, "too many requests are waiting");
        net_request_finish(request);
        return;
    }
    pending->asked = SOURCE_BIT(peer);
    send_request(gateway, request, peer, pending);
}

// Everybody is asked the same, this node as well.
static void gather(NetGateway *gateway, NetRequest *request) {
    NetPending *pending = new_pending(gateway, request, true);
    if (pending == NULL) {
        unavailable(request, "too many requests are waiting");
        net_request_finish(request);
        return;
    }
    int peers[NET_BUS_PEERS_MAX];
    const int count = net_cluster_reached(gateway->cluster, peers);
    const uint64_t number = pending->number;
    pending->asked = SOURCE_BIT(HERE);
    for (int i = 0; i < count; i++)
        pending->asked |= SOURCE_BIT(peers[i]);
    for (int i = 0; i < count; i++)
        send_request(gateway, request, peers[i], pending);
    // The others' lists come in later turns: this one is still there.
    JD_ASSERT(find(gateway, number) == pending);
    send_request(gateway, request, HERE, pending);
}

// The entity of a request; false: it is answered here.
static bool subject(NetRequest *request, LiveId *out) {
    const unsigned flags = request->route->flags;
    if ((flags & NET_BY_ID) != 0)
        return live_id_parse(request->params[0], out);
    if ((flags & NET_BY_REMATCH) == 0 || request->body == NULL)
        return false;
    json_t *object = json_loadb((const char *)request->body->data, request->body->size,
                                JSON_REJECT_DUPLICATES, NULL);
    const char *text = json_string_value(json_object_get(object, "rematch"));
    const bool found = text != NULL && live_id_parse(jd_str(text), out);
    json_decref(object);
    return found;
}

static void go(NetRequest *request);

static void on_owner(void *context, bool ok) {
    NetRequest *request = context;
    if (ok) {
        go(request);
    } else {
        unavailable(request, "the game is between two servers; try again");
        net_request_finish(request);
    }
    net_request_drop(request);
}

// Who asks is known.
static void go(NetRequest *request) {
    NetGateway *gateway = request->server->gateway;
    LiveId id;
    if ((request->route->flags & NET_GATHERED) != 0) {
        gather(gateway, request);
        return;
    }
    const int owner =
        subject(request, &id) ? net_cluster_owner(gateway->cluster, &id) : NET_OWNER_SELF;
    if (owner == NET_OWNER_SELF) {
        net_request_run(request);
    } else if (owner != NET_OWNER_NOBODY) {
        forward(gateway, request, owner);
    } else {
        net_request_hold(request);
        if (net_cluster_wait(gateway->cluster, &id, on_owner, request))
            return;
        net_request_drop(request);
        unavailable(request, "too many requests are waiting");
        net_request_finish(request);
    }
}

bool net_gateway_request(NetGateway *gateway, NetRequest *request) {
    LiveId id;
    int peers[NET_BUS_PEERS_MAX];
    if (request->is_far || (request->route->flags & ELSEWHERE) == 0)
        return false;
    if ((request->route->flags & NET_GATHERED) != 0) {
        if (net_cluster_reached(gateway->cluster, peers) == 0)
            return false;
    } else if (!subject(request, &id) ||
               net_cluster_owner(gateway->cluster, &id) == NET_OWNER_SELF) {
        return false;
    }
    if (request->route->auth != NET_NO_AUTH && request->token[0] != '\0')
        net_request_work(request, net_request_session, go, false);
    else
        go(request);
    return true;
}

// ---- answers ----------------------------------------------------------------------------------

static void put_together(NetPending *pending) {
    NetRequest *request = pending->request;
    json_t *games = json_array();
    json_t *challenges = json_array();
    for (int i = 0; i < SOURCES; i++) {
        merge_take(games, pending->parts[i], "games");
        merge_take(challenges, pending->parts[i], "challenges");
    }
    json_t *all = json_object();
    const bool is_lobby = request->route->loop == api_challenges;
    const bool is_watch = request->route->loop == api_watch;
    if (is_watch)
        merge_sort_watched(games);
    else
        merge_sort_games(games, request->me.nick);
    merge_sort_challenges(challenges);
    if (!is_lobby)
        json_object_set(all, "games", games);
    if (!is_watch)
        json_object_set(all, "challenges", challenges);
    char *text = json_dumps(all, JSON_COMPACT);
    NetBuf *out = net_reply_json(request, 200);
    if (out != NULL && text != NULL)
        net_buf_add(out, text, strlen(text));
    free(text);
    json_decref(all);
    json_decref(games);
    json_decref(challenges);
}

static void end_gather(NetGateway *gateway, NetPending *pending) {
    put_together(pending);
    end(gateway, pending);
}

static void take_reply(NetRequest *request, const NetEnvelope *envelope) {
    NetBuf *out = net_reply_json(request, envelope->code);
    if (out == NULL)
        return;
    if (is_known(PGN_TYPE, envelope->word))
        request->type = PGN_TYPE;
    request->retry_after = envelope->count > 86400 ? 86400 : (int)envelope->count;
    net_buf_add(out, envelope->text.data, envelope->text.size);
    if (envelope->text.size == 0) {
        net_buf_drop(out);
        request->reply = NULL;
        request->type = NULL;
    }
}

void http_reply(NetGateway *gateway, int peer, const NetEnvelope *envelope) {
    NetPending *pending = find(gateway, envelope->number);
    const bool sound = envelope->code >= 200 && envelope->code < 600;
    if (pending == NULL || (pending->asked & SOURCE_BIT(peer)) == 0)
        return; // too late
    pending->asked &= ~SOURCE_BIT(peer);
    if (!pending->gathers && envelope->code == 0) {
        pending->again_ms = net_now(gateway->server).ms + AGAIN_MS;
    } else if (!sound) {
        give_up(gateway, pending);
    } else if (!pending->gathers || (peer == HERE && envelope->code != 200)) {
        take_reply(pending->request, envelope);
        end(gateway, pending);
    } else {
        if (envelope->code == 200)
            pending->parts[peer + 1] =
                json_loadb(envelope->text.data == NULL ? "" : envelope->text.data,
                           envelope->text.size, 0, NULL);
        if (pending->asked == 0)
            end_gather(gateway, pending);
    }
}

static void without(NetGateway *gateway, NetPending *pending, uint64_t sources) {
    if ((pending->asked & sources) == 0)
        return;
    pending->asked &= ~sources;
    if (!pending->gathers)
        give_up(gateway, pending);
    else if (pending->asked == 0)
        end_gather(gateway, pending);
}

void http_gone(NetGateway *gateway, int peer) {
    for (NetPending *pending = gateway->pending, *next = NULL; pending != NULL; pending = next) {
        next = pending->next;
        without(gateway, pending, SOURCE_BIT(peer));
    }
}

// What this node has itself is always there: for that alone a list waits as long as any request.
void http_tick(NetGateway *gateway, int64_t now_ms) {
    for (NetPending *pending = gateway->pending, *next = NULL; pending != NULL; pending = next) {
        next = pending->next;
        const bool own = pending->gathers && (pending->asked & SOURCE_BIT(HERE)) != 0;
        const int64_t more = NET_GATEWAY_ANSWER_MS - NET_GATEWAY_GATHER_MS;
        if (pending->again_ms != 0 && now_ms < pending->until_ms) {
            if (now_ms >= pending->again_ms) {
                NetRequest *request = take_out(gateway, pending);
                go(request);
                net_request_drop(request);
            }
        } else if (pending->again_ms != 0 || (own && now_ms >= pending->until_ms + more)) {
            give_up(gateway, pending);
        } else if (!own && now_ms >= pending->until_ms) {
            without(gateway, pending, UINT64_MAX);
        }
    }
}

bool net_gateway_again(NetGateway *gateway, NetRequest *request) {
    LiveId id;
    if (request->route == NULL || request->far_answered || !gateway->open ||
        gateway->server->stop || !subject(request, &id) ||
        net_cluster_owner(gateway->cluster, &id) == NET_OWNER_SELF)
        return false;
    if (request->is_far) {
        request->status = 0;
        net_far_reply(request);
        return true;
    }
    if (request->far_tries++ > 0) // it comes from an owner who could not
        return false;
    net_buf_drop(request->reply);
    free(request->results);
    request->reply = NULL;
    request->results = NULL;
    request->status = 0;
    request->retry_after = 0;
    go(request);
    return true;
}

// ---- at the owner -----------------------------------------------------------------------------

static void read_query(NetRequest *request, JdStr text) {
    if (text.size >= sizeof(request->query_text))
        return;
    jd_copy(request->query_text, text.data, text.size);
    JdStr rest = jd_str_n(request->query_text, text.size);
    while (rest.size > 0 && request->query_count < NET_QUERY_MAX) {
        JdStr value = jd_str_cut(&rest, '\0');
        request->query[request->query_count].name = jd_str_cut(&value, '=');
        request->query[request->query_count++].value = value;
    }
}

static NetRequest *new_request(NetGateway *gateway, int peer, const NetEnvelope *envelope) {
    NetRequest *request = calloc(1, sizeof(*request));
    if (request == NULL)
        return NULL;
    request->server = gateway->server;
    request->holders = 1;
    gateway->server->requests++;
    request->is_far = true;
    request->far_peer = peer;
    request->far_number = envelope->number;
    request->started = true;
    request->now = net_now(gateway->server);
    request->method = (NetMethod)envelope->code;
    jd_copy(request->path_text, envelope->path.data,
            envelope->path.size < NET_PATH_MAX ? envelope->path.size : 0);
    request->path = jd_str(request->path_text);
    read_query(request, envelope->query);
    memcpy(request->address.bytes, envelope->digest, sizeof(request->address.bytes));
    jd_format(request->language, sizeof(request->language), "%.*s", JD_PRINT(envelope->word));
    request->logged_in = (envelope->flags & NET_ENV_HAS_ME) != 0;
    request->me = envelope->me;
    if (envelope->text.size > 0 && (request->body = net_buf_new()) != NULL)
        net_buf_add(request->body, envelope->text.data, envelope->text.size);
    return request;
}

void http_request(NetGateway *gateway, int peer, const NetEnvelope *envelope) {
    NetRequest *request = new_request(gateway, peer, envelope);
    LiveId id;
    unsigned allowed = 0;
    if (request == NULL)
        return; // no memory; it is not waited for long
    request->route = net_route_find(request->method, request->path, request->params, &allowed);
    if (request->route == NULL || (request->route->flags & ELSEWHERE) == 0) {
        net_reply_fault(request, "not_found", NULL, "there is nothing at this path");
        net_request_finish(request);
    } else if ((envelope->flags & NET_ENV_HERE) == 0 && subject(request, &id) &&
               net_cluster_owner(gateway->cluster, &id) != NET_OWNER_SELF) {
        unavailable(request, "the game is between two servers; try again");
        net_request_finish(request);
    } else {
        net_request_run(request);
    }
}

// Freed in the next turn of the loop: who has finished it may still look at it.
static void on_reap(uv_timer_t *timer) {
    NetGateway *gateway = timer->data;
    NetRequest *request = gateway->finished;
    gateway->finished = NULL;
    while (request != NULL) {
        NetRequest *next = request->far_next;
        net_request_drop(request);
        request = next;
    }
}

void net_far_reply(NetRequest *request) {
    NetGateway *gateway = request->server->gateway;
    if (request->far_answered)
        return;
    request->far_answered = true;
    const NetEnvelope envelope = {
        .kind = NET_ENV_REPLY,
        .number = request->far_number,
        .code = (uint16_t)request->status,
        .count = request->retry_after > 0 ? (uint32_t)request->retry_after : 0,
        .word = jd_str(request->type == NULL ? "" : request->type),
        .text = request->reply == NULL ? jd_str("") : net_buf_str(request->reply),
    };
    if (request->far_peer != HERE)
        gateway_send(gateway, request->far_peer, &envelope);
    else
        http_reply(gateway, HERE, &envelope);
    request->far_next = gateway->finished;
    gateway->finished = request;
    if (gateway->open)
        uv_timer_start(&gateway->reaper, on_reap, 0, 0);
}

void http_close(NetGateway *gateway) {
    while (gateway->pending != NULL)
        give_up(gateway, gateway->pending);
    on_reap(&gateway->reaper);
}
