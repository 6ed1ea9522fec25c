// SPDX-License-Identifier: GPL-3.0-or-later
//
// What all nodes must know of accounts and games, and what is asked of all before an engine helps
// anybody.
#include <stdlib.h>
#include <string.h>

#include "net/gateway_inner.h"
#include "net/log.h"

static void tell_all(const NetServer *server, const NetEnvelope *envelope) {
    if (server->gateway != NULL)
        gateway_all(server->gateway, envelope);
}

// ---- facts ------------------------------------------------------------------------------------

static void renamed(NetServer *server, LiveAccount account, JdStr nick) {
    net_ws_rename(server, account, nick);
    net_shell_renamed(&server->shell, account, nick);
}

void net_tell_renamed(NetServer *server, LiveAccount account, JdStr nick) {
    renamed(server, account, nick);
    const NetEnvelope fact = { .kind = NET_ENV_RENAMED, .account = account, .nick = nick };
    tell_all(server, &fact);
}

void net_tell_leaves(NetServer *server, LiveAccount account, bool erased) {
    net_leaves(server, account, erased);
    const NetEnvelope fact = { .kind = NET_ENV_LEAVES,
                               .account = account,
                               .flags = erased ? NET_ENV_ERASED : 0 };
    tell_all(server, &fact);
}

// Connections that are announced to a node later bring the list along.
static void keep_ignored(NetServer *server, LiveAccount account, const LiveProfile *profile) {
    if (server->gateway == NULL || (profile->parts & LIVE_PROFILE_BLOCKED) == 0)
        return;
    for (size_t i = 0; i < server->hub.socket_slots; i++) {
        for (NetSocket *socket = server->hub.sockets[i]; socket != NULL; socket = socket->chain) {
            NetAway *away = socket->away;
            if (away == NULL || socket->me == NULL || socket->me->account != account)
                continue;
            free(away->ignored);
            away->ignored_count = 0;
            away->ignored = calloc((size_t)profile->blocked_count + 1, sizeof(int64_t));
            if (away->ignored == NULL)
                continue;
            away->ignored_count = profile->blocked_count;
            for (size_t k = 0; k < profile->blocked_count; k++)
                away->ignored[k] = profile->blocked[k];
        }
    }
}

static void changed(NetServer *server, LiveAccount account, const LiveProfile *profile) {
    keep_ignored(server, account, profile);
    net_shell_profile(&server->shell, account, profile);
}

void net_tell_profile(NetServer *server, LiveAccount account, const LiveProfile *profile) {
    changed(server, account, profile);
    if (server->gateway == NULL)
        return;
    NetBuf *list = net_buf_new();
    for (size_t i = 0; list != NULL && i < profile->blocked_count; i++)
        net_envelope_add(list, (uint64_t)profile->blocked[i]);
    NetEnvelope fact = { .kind = NET_ENV_PROFILE, .account = account, .profile = *profile };
    if (list != NULL && list->size > 0)
        fact.list = net_buf_str(list);
    tell_all(server, &fact);
    net_buf_drop(list);
}

void net_tell_sessions(NetServer *server, LiveAccount account, const uint8_t *digest,
                       const uint8_t *except) {
    net_ws_close_sessions(server, account, digest, except);
    NetEnvelope fact = { .kind = NET_ENV_SESSIONS, .account = account };
    if (digest != NULL) {
        fact.flags |= NET_ENV_HAS_DIGEST;
        memcpy(fact.digest, digest, sizeof(fact.digest));
    }
    if (except != NULL) {
        fact.flags |= NET_ENV_HAS_EXCEPT;
        memcpy(fact.except, except, sizeof(fact.except));
    }
    tell_all(server, &fact);
}

void net_tell_me(NetServer *server, const PagesMe *me) {
    net_ws_refresh_me(server, me);
    const NetEnvelope fact = { .kind = NET_ENV_ME, .me = *me };
    tell_all(server, &fact);
}

void net_tell_notice(NetServer *server, LiveAccount account, const char *kind, const char *nick,
                     const char *ref, int64_t at_ms) {
    net_hub_notice(&server->hub, account, kind, nick, ref, at_ms);
    const NetEnvelope fact = { .kind = NET_ENV_NOTICE,
                               .account = account,
                               .word = jd_str(kind),
                               .nick = jd_str(nick),
                               .path = jd_str(ref),
                               .times = { at_ms } };
    tell_all(server, &fact);
}

void net_tell_rated(NetServer *server, const LiveId *game, const LiveRated *rated) {
    net_shell_rated(&server->shell, game, rated);
    NetEnvelope fact = { .kind = NET_ENV_RATED, .id = *game };
    if (rated != NULL) {
        fact.flags = NET_ENV_HAS_RATED;
        fact.rated = *rated;
    }
    tell_all(server, &fact);
}

void net_tell_vacation(NetServer *server, const LiveVacation *vacation) {
    const NetEnvelope fact = {
        .kind = NET_ENV_VACATION,
        .account = vacation->account,
        .times = { vacation->from_ms, vacation->until_ms, vacation->ended_ms },
    };
    tell_all(server, &fact);
}

static void take_notice(NetServer *server, const NetEnvelope *fact) {
    char kind[33];
    char nick[LIVE_NICK_SIZE];
    char ref[65];
    jd_format(kind, sizeof(kind), "%.*s", JD_PRINT(fact->word));
    jd_format(nick, sizeof(nick), "%.*s", JD_PRINT(fact->nick));
    jd_format(ref, sizeof(ref), "%.*s", JD_PRINT(fact->path));
    net_hub_notice(&server->hub, fact->account, kind, nick, ref, fact->times[0]);
}

static void take_profile(NetServer *server, const NetEnvelope *fact) {
    LiveAccount blocked[LIVE_BLOCKED_MAX];
    LiveProfile profile = fact->profile;
    profile.blocked = blocked;
    profile.blocked_count = (uint16_t)net_envelope_count(fact);
    for (size_t i = 0; i < profile.blocked_count; i++)
        blocked[i] = (LiveAccount)net_envelope_item(fact, i);
    changed(server, fact->account, &profile);
}

// A vacation that another node took down, while the games it stops are woken.
typedef struct Told {
    NetServer *server;
    LiveVacation vacation;
} Told;

static void on_vacation_awake(void *context, bool ok) {
    Told *told = context;
    if (!ok)
        net_log(NET_LOG_ERROR, "sleeping games of a vacation could not be read: it holds for the "
                               "others at once, for these when they wake");
    net_shell_vacation(&told->server->shell, &told->vacation);
    free(told);
}

static void take_vacation(NetServer *server, const NetEnvelope *fact) {
    Told *told = malloc(sizeof(*told));
    bool full = false;
    if (told == NULL)
        return;
    *told = (Told) { .server = server,
                     .vacation = { .account = fact->account,
                                   .from_ms = fact->times[0],
                                   .until_ms = fact->times[1],
                                   .ended_ms = fact->times[2] } };
    const LiveCommand command = { .kind = LIVE_VACATION_TOLD, .account = fact->account };
    if (!net_sleepers_wait(&server->sleepers, &command, on_vacation_awake, told, &full))
        on_vacation_awake(told, !full);
}

// ---- fair play --------------------------------------------------------------------------------

// A question of this node.
struct NetMay {
    NetMay *next;
    uint64_t number;
    uint64_t asked; // SOURCE_BIT of those who have not answered
    int64_t until_ms;
    NetMayFn then;
    void *context;
};

static void end_may(NetGateway *gateway, NetMay *may, bool allowed) {
    NetMay **at = &gateway->mays;
    while (*at != may)
        at = &(*at)->next;
    *at = may->next;
    gateway->waiting--;
    may->then(may->context, allowed);
    free(may);
}

static NetMay *find_may(NetGateway *gateway, uint64_t number) {
    NetMay *may = gateway->mays;
    while (may != NULL && may->number != number)
        may = may->next;
    return may;
}

static NetBuf *write_positions(const NetPositions *positions) {
    NetBuf *out = net_buf_new();
    for (size_t i = 0; out != NULL && i < positions->count; i++) {
        char fen[CHESS_FEN_SIZE];
        net_buf_add(out, fen, chess_fen_write(&positions->list[i], CHESS_FEN_EP_LEGAL, fen));
        net_buf_add(out, "\n", 1);
    }
    return out;
}

bool net_gateway_must_ask(const NetServer *server, const LiveCommand *command,
                          ChessPosition *position, NetPositions *out) {
    if (server->gateway == NULL || !live_fair_question(server->shell.live, command, position))
        return false;
    *out = (NetPositions) { .list = position, .count = 1, .boards = command->kind != LIVE_HINT };
    return true;
}

void net_gateway_may(NetServer *server, LiveAccount account, const NetPositions *positions,
                     NetMayFn then, void *context) {
    NetGateway *gateway = server->gateway;
    int peers[NET_BUS_PEERS_MAX];
    const int reached = gateway == NULL ? 0 : net_cluster_reached(gateway->cluster, peers);
    // A node that lives and is not reached may have such a game.
    const bool all =
        gateway == NULL || net_cluster_stats(gateway->cluster).members <= (uint32_t)reached + 1;
    if (reached == 0 || !all) {
        then(context, all);
        return;
    }
    NetMay *may = gateway->waiting < NET_GATEWAY_WAITING_MAX ? calloc(1, sizeof(*may)) : NULL;
    NetBuf *text = write_positions(positions);
    if (may == NULL || text == NULL || text->failed || text->size > NET_ENV_TEXT_MAX) {
        free(may);
        net_buf_drop(text);
        then(context, false);
        return;
    }
    *may = (NetMay) { .next = gateway->mays,
                      .number = ++gateway->next_number,
                      .until_ms = net_now(server).ms + NET_GATEWAY_GATHER_MS,
                      .then = then,
                      .context = context };
    gateway->mays = may;
    gateway->waiting++;
    const NetEnvelope question = { .kind = NET_ENV_MAY,
                                   .number = may->number,
                                   .account = account,
                                   .flags = positions->boards ? NET_ENV_BOARDS : 0,
                                   .text = net_buf_str(text) };
    for (int i = 0; i < reached; i++)
        may->asked |= SOURCE_BIT(peers[i]);
    for (int i = 0; i < reached; i++)
        gateway_send(gateway, peers[i], &question);
    net_buf_drop(text);
    gateway_tick(gateway);
}

static void take_answer(NetGateway *gateway, int peer, const NetEnvelope *envelope) {
    NetMay *may = find_may(gateway, envelope->number);
    if (may == NULL)
        return;
    may->asked &= ~SOURCE_BIT(peer);
    if ((envelope->flags & NET_ENV_FORBIDDEN) != 0)
        end_may(gateway, may, false);
    else if (may->asked == 0)
        end_may(gateway, may, true);
}

void facts_gone(NetGateway *gateway, int peer) {
    for (NetMay *may = gateway->mays, *next = NULL; may != NULL; may = next) {
        next = may->next;
        if ((may->asked & SOURCE_BIT(peer)) != 0)
            end_may(gateway, may, false);
    }
}

void facts_tick(NetGateway *gateway, int64_t now_ms) {
    for (NetMay *may = gateway->mays, *next = NULL; may != NULL; may = next) {
        next = may->next;
        if (now_ms >= may->until_ms)
            end_may(gateway, may, false);
    }
}

void facts_close(NetGateway *gateway) {
    while (gateway->mays != NULL)
        end_may(gateway, gateway->mays, false);
}

// A question of another node, while the asker's own games that sleep are woken.
typedef struct Asked {
    NetGateway *gateway;
    int peer;
    uint64_t number;
    LiveAccount account;
    bool boards;
    size_t count;
    ChessPosition list[];
} Asked;

static bool read_positions(JdStr text, Asked *asked) {
    JdErr err = { 0 };
    while (text.size > 0) {
        const JdStr line = jd_str_cut(&text, '\n');
        if (!chess_fen_parse(line, &asked->list[asked->count], &err))
            return false;
        asked->count++;
    }
    return true;
}

static void answer(Asked *asked, bool forbidden) {
    const NetEnvelope envelope = { .kind = NET_ENV_ANSWER,
                                   .number = asked->number,
                                   .flags = forbidden ? NET_ENV_FORBIDDEN : 0 };
    gateway_send(asked->gateway, asked->peer, &envelope);
    free(asked);
}

static void on_awake(void *context, bool ok) {
    Asked *asked = context;
    const Live *live = asked->gateway->server->shell.live;
    const bool forbidden =
        asked->boards ? live_stands_on_a_board(live, asked->account, asked->list, asked->count)
                      : live_forbids_engine(live, asked->account, asked->list, asked->count);
    answer(asked, !ok || forbidden);
}

static void take_may(NetGateway *gateway, int peer, const NetEnvelope *envelope) {
    size_t lines = 0;
    for (size_t i = 0; i < envelope->text.size; i++)
        lines += envelope->text.data[i] == '\n';
    Asked *asked = lines > CHESS_GAME_PLIES_MAX + 1
                       ? NULL
                       : calloc(1, sizeof(*asked) + (lines + 1) * sizeof(ChessPosition));
    if (asked == NULL)
        return; // no answer is a no
    asked->gateway = gateway;
    asked->peer = peer;
    asked->number = envelope->number;
    asked->account = envelope->account;
    asked->boards = (envelope->flags & NET_ENV_BOARDS) != 0;
    if (!read_positions(envelope->text, asked)) {
        answer(asked, true);
        return;
    }
    bool full = false;
    const LiveCommand games = { .kind = LIVE_QUERY_GAMES, .account = asked->account };
    if (net_sleepers_wait(&gateway->server->sleepers, &games, on_awake, asked, &full))
        return;
    on_awake(asked, !full);
}

// ---- from the bus -----------------------------------------------------------------------------

bool facts_take(NetGateway *gateway, int peer, const NetEnvelope *fact) {
    NetServer *server = gateway->server;
    const bool has_digest = (fact->flags & NET_ENV_HAS_DIGEST) != 0;
    const bool has_except = (fact->flags & NET_ENV_HAS_EXCEPT) != 0;
    if (fact->kind == NET_ENV_RENAMED)
        renamed(server, fact->account, fact->nick);
    else if (fact->kind == NET_ENV_LEAVES)
        net_leaves(server, fact->account, (fact->flags & NET_ENV_ERASED) != 0);
    else if (fact->kind == NET_ENV_PROFILE)
        take_profile(server, fact);
    else if (fact->kind == NET_ENV_SESSIONS)
        net_ws_close_sessions(server, fact->account, has_digest ? fact->digest : NULL,
                              has_except ? fact->except : NULL);
    else if (fact->kind == NET_ENV_ME)
        net_ws_refresh_me(server, &fact->me);
    else if (fact->kind == NET_ENV_NOTICE)
        take_notice(server, fact);
    else if (fact->kind == NET_ENV_VACATION)
        take_vacation(server, fact);
    else if (fact->kind == NET_ENV_RATED)
        net_shell_rated(&server->shell, &fact->id,
                        (fact->flags & NET_ENV_HAS_RATED) != 0 ? &fact->rated : NULL);
    else if (fact->kind == NET_ENV_MAY)
        take_may(gateway, peer, fact);
    else if (fact->kind == NET_ENV_ANSWER)
        take_answer(gateway, peer, fact);
    else
        return false;
    return true;
}
