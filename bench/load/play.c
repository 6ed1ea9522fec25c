// SPDX-License-Identifier: GPL-3.0-or-later
//
// Many games at once over many connections, at a given pace. Each game has its timetable: a move is
// due so long after the last one was, whether the server was quick with that or not, and its echo
// is counted from when it was due. So a server that stalls is charged with all the moves that
// waited meanwhile ("coordinated omission"), not with one.
//
// Moves are random and legal, by the library's own rules; every answer is checked against them.
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <jadoube/base.h>

#include "play.h"

#define CONNECTING_MAX 32
#define BEGINNING_MAX 64
#define SET_UP_S 300.0
#define LAST_ANSWERS_S 3.0
#define FIRST_MOVE_S 10.0 // the server waits half a minute for it
#define RETRY_US 1000000  // after a refusal that passes
#define TRIES_MAX 20
#define MINUTE_MS 60000
#define CHURN_MS 200        // from one challenge of the lobby's connections to the next
#define THINKING_US 1000000 // of who plays against the computer

// What a message asks for stands in its number.
typedef enum Ask {
    ASK_CHALLENGE = 0,
    ASK_JOIN = 1,
    ASK_SUB = 2,
    ASK_UNSUB = 3,
    ASK_MOVE = 4,
    ASK_CHURN = 5,
    ASK_CANCEL = 6,
    ASK_COUNT = 8,
} Ask;

// ---- small things -------------------------------------------------------------------------------

static uint64_t draw(Play *play) {
    play->random ^= play->random << 13;
    play->random ^= play->random >> 7;
    play->random ^= play->random << 17;
    return play->random;
}

static double draw_share(Play *play) {
    return (double)(draw(play) >> 11) / 9007199254740992.0;
}

static void fault(Play *play, const char *code) {
    play->errors++;
    for (int i = 0; i < CODES_MAX; i++) {
        if (play->codes[i].count > 0 && strcmp(play->codes[i].code, code) != 0)
            continue;
        snprintf(play->codes[i].code, sizeof(play->codes[i].code), "%s", code);
        play->codes[i].count++;
        return;
    }
}

bool play_counts(const Play *play, const Game *game) {
    return play->from_us > 0 && game->due_us >= play->from_us && game->due_us < play->until_us;
}

static bool of_people(const Play *play, const Game *game) {
    return game - play->games < play->game_count;
}

// ---- saying -------------------------------------------------------------------------------------

static void tell(Play *play, int connection, int game, Ask ask, const char *type, const char *data,
                 ...) JD_FORMAT(6, 7);
static void tell(Play *play, int connection, int game, Ask ask, const char *type, const char *data,
                 ...) {
    char text[WIRE_SEND_MAX];
    const int head = snprintf(text, sizeof(text), "{\"t\":\"%s\",\"id\":%lld,\"d\":{", type,
                              (long long)game * ASK_COUNT + ask);
    va_list arguments;
    va_start(arguments, data);
    const int size = head + vsnprintf(text + head, sizeof(text) - (size_t)head, data, arguments);
    va_end(arguments);
    if (size + 2 >= (int)sizeof(text))
        return;
    text[size] = '}';
    text[size + 1] = '}';
    (void)wire_send(&play->players[connection].wire, text, (size_t)size + 2);
}

static void subscribe(Play *play, int connection, const Place *place) {
    tell(play, connection, place->game, ASK_SUB, "sub", "\"ch\":\"game:%s\"",
         play->games[place->game].id);
}

// The game's timetable says that it is time, and the connection is there.
static void send_move(Play *play, Game *game) {
    const int connection = game->seats[game->ply % 2];
    if (connection < 0 || !play->players[connection].wire.open || game->flying || !game->running)
        return;
    ChessMoveList list;
    chess_moves_generate(&game->position, &list);
    if (list.count == 0)
        return; // the end of the game is on its way
    const ChessMove move = list.moves[draw(play) % (uint64_t)list.count];
    game->uci[chess_uci_write(&game->position, move, game->uci)] = '\0';
    game->flying = true;
    game->resent = false;
    game->sent_us = load_now_us();
    if (play_counts(play, game) && of_people(play, game))
        histogram_add(&play->late, game->sent_us - game->due_us);
    tell(play, connection, (int)(game - play->games), ASK_MOVE, "move",
         "\"game\":\"%s\",\"ply\":%u,\"uci\":\"%s\"", game->id, game->ply, game->uci);
}

static void on_due(uv_poll_t *poll, int status, int events) {
    Play *play = poll->data;
    uint64_t times;
    (void)status;
    (void)events;
    const ssize_t ignored = read(play->due_fd, &times, sizeof(times));
    (void)ignored;
    while (play->heap_size > 0 && play->games[play->heap[0]].due_us <= load_now_us())
        send_move(play, &play->games[due_take(play)]);
    due_arm(play);
}

// Both players have heard of the last move.
static void plan(Play *play, Game *game) {
    const int64_t now_us = load_now_us();
    if (!game->running || game->flying || play->phase >= ENDING)
        return;
    // The computer answers when it likes: its game has no timetable.
    if (of_people(play, game))
        game->due_us += (int64_t)(play->options->every * 1e6);
    else
        game->due_us = now_us + THINKING_US;
    if (game->due_us <= now_us)
        send_move(play, game);
    else
        due_add(play, (int)(game - play->games));
}

// ---- beginning games ----------------------------------------------------------------------------

static void forget(Play *play, Game *game) {
    due_remove(play, game);
    game->id[0] = '\0';
    game->running = false;
    game->flying = false;
    game->ended = 0;
}

static void offer(Play *play, int index) {
    Game *game = &play->games[index];
    forget(play, game);
    tell(play, game->seats[0], index, ASK_CHALLENGE, "challenge",
         "\"control\":{\"kind\":\"clock\",\"base_ms\":10800000,\"increment_ms\":0,\"delay_ms\":0},"
         "\"color\":\"white\",\"rated\":false");
}

static void begin_more(Play *play) {
    while (play->begun < play->game_count && play->begun - play->ready < BEGINNING_MAX)
        offer(play, play->begun++);
}

static void everybody_is_here(Play *play) {
    for (int i = play->game_count; i < play->all_games; i++) {
        Player *player = &play->players[play->games[i].seats[0]];
        subscribe(play, player->wire.index, &player->places[0]);
    }
    begin_more(play);
}

static void start_measuring(Play *play);

static void game_runs(Play *play, Game *game) {
    if (game->running || game->id[0] == '\0')
        return;
    game->running = true;
    game->position = chess_position_start();
    game->ply = game->heard[0] = game->heard[1] = 0;
    const double every = play->options->every < FIRST_MOVE_S ? play->options->every : FIRST_MOVE_S;
    game->due_us =
        load_now_us() + (of_people(play, game) ? (int64_t)(draw_share(play) * every * 1e6) : 0);
    due_add(play, (int)(game - play->games));
    if (play->phase != SETTING_UP)
        return;
    play->ready++;
    begin_more(play);
    if (play->ready == play->all_games)
        start_measuring(play);
}

static Place *place_of(Play *play, Player *player, const char *id) {
    for (int i = 0; id != NULL && i < player->place_count; i++)
        if (strcmp(play->games[player->places[i].game].id, id) == 0)
            return &player->places[i];
    return NULL;
}

static void follow_game(Play *play, int index) {
    for (Place *place = play->games[index].places; place != NULL; place = place->next) {
        place->heard = 0;
        subscribe(play, place->connection, place);
    }
}

static void on_ok(Play *play, int64_t id, const json_t *data) {
    const int index = (int)(id / ASK_COUNT);
    const Ask ask = (Ask)(id % ASK_COUNT);
    if (id < 0 || index >= play->all_games)
        return;
    Game *game = &play->games[index];
    game->tries = 0;
    if (ask == ASK_CHURN) {
        const char *challenge =
            json_string_value(json_object_get(json_object_get(data, "challenge"), "id"));
        tell(play, play->connection_count - play->slow_count - play->lobby_count + index, index,
             ASK_CANCEL, "cancel", "\"challenge\":\"%s\"", challenge == NULL ? "" : challenge);
    } else if (ask == ASK_CHALLENGE) {
        const char *challenge =
            json_string_value(json_object_get(json_object_get(data, "challenge"), "id"));
        tell(play, game->seats[1], index, ASK_JOIN, "join", "\"challenge\":\"%s\"",
             challenge == NULL ? "" : challenge);
    } else if (ask == ASK_JOIN) {
        const char *text = json_string_value(json_object_get(data, "game"));
        snprintf(game->id, sizeof(game->id), "%s", text == NULL ? "" : text);
        follow_game(play, index);
    } else if (ask == ASK_MOVE && play_counts(play, game) && of_people(play, game)) {
        histogram_add(&play->ack, load_now_us() - game->sent_us);
    }
}

// ---- hearing ------------------------------------------------------------------------------------

// The move sent is made: the books of the driver follow, and must say what the server says.
static void make_move(Play *play, Game *game, const char *uci, const char *fen) {
    ChessMove move;
    ChessUndo undo;
    JdErr err;
    char own[CHESS_FEN_SIZE];
    if (game->seats[game->ply % 2] >= 0 && (!game->flying || strcmp(uci, game->uci) != 0))
        fault(play, "another move");
    game->flying = false;
    if (!chess_uci_parse(jd_str(uci), &game->position, &move, &err)) {
        fault(play, "illegal move");
        return;
    }
    chess_move_make(&game->position, move, &undo);
    game->ply++;
    own[chess_fen_write(&game->position, CHESS_FEN_EP_LEGAL, own)] = '\0';
    if (fen != NULL && strcmp(own, fen) != 0)
        fault(play, "another position");
}

static void note_latency(Play *play, const Game *game, Role role) {
    const int64_t now_us = load_now_us();
    if (!of_people(play, game)) {
        play->computer_moves += game->ply % 2 == 0 && play->from_us > 0 && play->phase == PLAYING;
        return;
    }
    if (!play_counts(play, game))
        return;
    if (role == ROLE_WATCHER) {
        histogram_add(&play->watched, now_us - game->sent_us);
    } else if ((int)role == (int)((game->ply + 1) % 2)) { // his own move
        histogram_add(&play->echo, now_us - game->sent_us);
        histogram_add(&play->due_echo, now_us - game->due_us);
        if (play->soak != NULL)
            histogram_add(&play->this_minute, now_us - game->due_us);
        play->moves++;
    } else {
        histogram_add(&play->other, now_us - game->sent_us);
    }
}

static bool all_heard(const Game *game) {
    return (game->seats[0] < 0 || game->heard[0] == game->ply) &&
           (game->seats[1] < 0 || game->heard[1] == game->ply);
}

static void on_moved(Play *play, Place *place, const json_t *data) {
    Game *game = &play->games[place->game];
    const uint32_t ply = (uint32_t)json_integer_value(json_object_get(data, "ply"));
    const char *uci = json_string_value(json_object_get(data, "uci"));
    if (uci == NULL || ply != place->heard + 1)
        fault(play, "a message out of order");
    place->heard = ply;
    if (uci == NULL || !game->running)
        return;
    if (place->role == ROLE_WATCHER) {
        // He may hear of it before the players do.
        if (ply == game->ply + game->flying)
            note_latency(play, game, ROLE_WATCHER);
        return;
    }
    game->heard[place->role] = ply;
    if (ply == game->ply + 1)
        make_move(play, game, uci, json_string_value(json_object_get(data, "fen")));
    note_latency(play, game, place->role);
    if (!all_heard(game))
        return;
    if (of_people(play, game) || game->ply % 2 == 0)
        plan(play, game);
}

// A guest's next game against the computer is asked for by HTTP, on a thread of libuv's.
typedef struct Again {
    uv_work_t work;
    Play *play;
    int game;
    const char *cookie;
    char id[16];
    bool ok;
} Again;

static void ask_again(uv_work_t *work) {
    Again *again = work->data;
    again->ok = people_begin_computer(again->play->options, again->cookie, again->id);
}

static void begun_again(uv_work_t *work, int status) {
    Again *again = work->data;
    Play *play = again->play;
    if (again->ok && status == 0) {
        memcpy(play->games[again->game].id, again->id, sizeof(again->id));
        follow_game(play, again->game);
    } else {
        fault(play, "no game against the computer");
    }
    free(again);
}

static void begin_computer(Play *play, int index) {
    Game *game = &play->games[index];
    Again *again = calloc(1, sizeof(*again));
    if (again == NULL)
        return;
    forget(play, game);
    again->work.data = again;
    again->play = play;
    again->game = index;
    again->cookie = play->players[game->seats[0]].wire.cookie;
    (void)uv_queue_work(&play->wire.loop, &again->work, ask_again, begun_again);
}

// All players know that it is over: the same begin another.
static void on_end(Play *play, const Place *place) {
    const int index = place->game;
    Game *game = &play->games[index];
    const int players = game->seats[1] < 0 ? 1 : 2;
    if (place->role == ROLE_WATCHER || play->phase >= ENDING)
        return;
    game->ended |= 1u << place->role;
    if (game->ended != (1u << players) - 1)
        return;
    play->games_ended++;
    for (const Place *at = game->places; at != NULL; at = at->next)
        tell(play, at->connection, index, ASK_UNSUB, "unsub", "\"ch\":\"game:%s\"", game->id);
    if (players == 2)
        offer(play, index);
    else
        begin_computer(play, index);
}

// The state after a subscription: at the beginning, or when a connection came back.
static void on_game(Play *play, Place *place, const json_t *data) {
    Game *game = &play->games[place->game];
    const char *state = json_string_value(json_object_get(data, "state"));
    const uint32_t ply = (uint32_t)json_integer_value(json_object_get(data, "ply"));
    place->heard = ply;
    const bool ended = state != NULL && strcmp(state, "ended") == 0;
    if (state != NULL && strcmp(state, "running") == 0)
        game_runs(play, game);
    if (!game->running || place->role == ROLE_WATCHER)
        return;
    game->heard[place->role] = ply;
    if (game->flying && ply == game->ply + 1) {
        const json_t *moves = json_object_get(data, "moves");
        const json_t *last = json_array_get(moves, json_array_size(moves) - 1);
        const char *uci = json_string_value(json_object_get(last, "uci"));
        make_move(play, game, uci == NULL ? "" : uci,
                  json_string_value(json_object_get(data, "fen")));
        note_latency(play, game, place->role);
    } else if (!ended && game->flying && ply == game->ply && (int)place->role == (int)(ply % 2)) {
        // It was lost with the connection: once more, by its number.
        game->resent = true;
        tell(play, game->seats[place->role], place->game, ASK_MOVE, "move",
             "\"game\":\"%s\",\"ply\":%u,\"uci\":\"%s\"", game->id, game->ply, game->uci);
    }
    if (ended) {
        on_end(play, place); // while the connection was away
        return;
    }
    // What fell due while the connection was away.
    if (!game->flying && game->heap_place < 0 && all_heard(game)) {
        if (game->due_us <= load_now_us() && ply > 0 && place->role == (Role)(ply % 2))
            send_move(play, game);
        else if (game->ply == ply)
            plan(play, game);
    }
}

static void on_error(Play *play, int64_t id, const json_t *data) {
    const char *code = json_string_value(json_object_get(data, "code"));
    const int index = (int)(id / ASK_COUNT);
    // Sent twice on purpose, and once was enough.
    if (code != NULL && strcmp(code, "stale_ply") == 0 && index < play->all_games &&
        play->games[index].resent)
        return;
    static const char *const asked[ASK_COUNT] = { "challenge", "join", "sub",
                                                  "unsub",     "move", "challenge of the lobby",
                                                  "cancel" };
    char text[48];
    snprintf(text, sizeof(text), "%.20s (%s)", code == NULL ? "?" : code,
             id < 0 || asked[id % ASK_COUNT] == NULL ? "?" : asked[id % ASK_COUNT]);
    fault(play, text);
    if (id < 0 || index >= play->all_games || play->games[index].tries++ >= TRIES_MAX)
        return;
    // The run goes on; that it was refused is told at the end.
    Game *game = &play->games[index];
    const Ask ask = (Ask)(id % ASK_COUNT);
    if (ask == ASK_CHALLENGE || ask == ASK_JOIN) {
        offer(play, index);
    } else if (ask == ASK_MOVE && game->flying && code != NULL &&
               strcmp(code, "unavailable") == 0) {
        game->flying = false;
        game->due_us = load_now_us() + RETRY_US;
        due_add(play, index);
    }
}

static void heard(void *owner, WireConn *conn, const char *text, size_t size) {
    Play *play = owner;
    Player *player = (Player *)conn;
    json_t *message = json_loadb(text, size, 0, NULL);
    const char *type = json_string_value(json_object_get(message, "t"));
    const json_t *data = json_object_get(message, "d");
    const json_t *number = json_object_get(message, "id");
    const int64_t id = json_is_integer(number) ? json_integer_value(number) : -1;
    const char *name =
        type == NULL
            ? NULL
            : json_string_value(json_object_get(data, strcmp(type, "game") == 0 ? "id" : "game"));
    Place *place = place_of(play, player, name);
    if (type == NULL)
        fault(play, "no message");
    else if (strcmp(type, "error") == 0)
        on_error(play, id, data);
    else if ((strcmp(type, "ok") == 0 || strcmp(type, "ack") == 0) && id >= 0)
        on_ok(play, id, data);
    else if (place == NULL)
        (void)place; // of a game that is over, or of none
    else if (strcmp(type, "moved") == 0)
        on_moved(play, place, data);
    else if (strcmp(type, "game") == 0)
        on_game(play, place, data);
    else if (strcmp(type, "clock") == 0)
        game_runs(play, &play->games[place->game]);
    else if (strcmp(type, "end") == 0)
        on_end(play, place);
    json_decref(message);
}

// ---- connections --------------------------------------------------------------------------------

static void connect_more(Play *play) {
    while (play->next_to_connect < play->connection_count &&
           play->next_to_connect - play->connected < CONNECTING_MAX) {
        if (!wire_connect(&play->wire, &play->players[play->next_to_connect++].wire))
            fault(play, "cannot connect");
    }
}

static void opened(void *owner, WireConn *conn) {
    Play *play = owner;
    Player *player = (Player *)conn;
    if (player->slow ||
        conn->index >= play->connection_count - play->slow_count - play->lobby_count)
        tell(play, conn->index, 0, ASK_SUB, "sub", "\"ch\":\"lobby\"");
    if (player->slow) {
        for (int i = 0; i < player->place_count; i++)
            if (play->games[player->places[i].game].id[0] != '\0')
                subscribe(play, conn->index, &player->places[i]);
        wire_stop_reading(conn);
    }
    if (play->phase != SETTING_UP) {
        player->breaking = false;
        if (player->slow)
            return;
        for (int i = 0; i < player->place_count; i++)
            if (play->games[player->places[i].game].id[0] != '\0')
                subscribe(play, conn->index, &player->places[i]);
        return;
    }
    play->connected++;
    connect_more(play);
    if (play->connected == play->connection_count)
        everybody_is_here(play);
}

static void closed(void *owner, WireConn *conn) {
    Play *play = owner;
    Player *player = (Player *)conn;
    if (play->phase >= ENDING)
        return;
    if (!player->breaking && !player->slow)
        fault(play, "a connection was closed");
    if (play->phase == PLAYING && !wire_connect(&play->wire, conn))
        fault(play, "cannot connect");
}

static void on_break(uv_timer_t *timer) {
    Play *play = timer->data;
    Player *player = &play->players[draw(play) % (uint64_t)play->player_count];
    if (play->phase != PLAYING || !player->wire.open || player->breaking)
        return;
    player->breaking = true;
    play->broken++;
    wire_break(&player->wire);
}

// ---- a soak -------------------------------------------------------------------------------------

// Challenges that nobody takes, one after the other.
static void on_churn(uv_timer_t *timer) {
    Play *play = timer->data;
    const int which = play->churned++ % play->lobby_count;
    if (play->phase == PLAYING && which < play->all_games)
        tell(play, play->connection_count - play->slow_count - play->lobby_count + which, which,
             ASK_CHURN, "challenge",
             "\"control\":{\"kind\":\"clock\",\"base_ms\":300000,\"increment_ms\":2000,"
             "\"delay_ms\":0},\"color\":\"black\",\"rated\":false");
}

static void on_minute(uv_timer_t *timer) {
    Play *play = timer->data;
    Usage now = { 0 };
    if (play->phase != PLAYING || play->from_us == 0)
        return;
    (void)load_usage(play->options->server, &now);
    const SoakMinute minute = {
        .rss_mib = (double)now.rss_kib / 1024,
        .p50_ms = (double)histogram_at(&play->this_minute, 0.5) / 1000,
        .p99_ms = (double)histogram_at(&play->this_minute, 0.99) / 1000,
    };
    soak_add(play->soak, minute);
    printf("%4zu min: %6.0f moves/s, p50 %6.2f, p99 %7.2f ms, server %6.1f MiB, %3.0f %%, "
           "%llu games ended, %llu errors\n",
           play->soak->count, (double)(play->moves - play->moves_before) / 60, minute.p50_ms,
           minute.p99_ms, minute.rss_mib, 100 * (now.cpu_s - play->cpu_before) / 60,
           (unsigned long long)play->games_ended, (unsigned long long)play->errors);
    fflush(stdout);
    play->moves_before = play->moves;
    play->cpu_before = now.cpu_s;
    memset(&play->this_minute, 0, sizeof(play->this_minute));
    // Those who do not read are gone by now, or go.
    for (int i = 1; i <= play->slow_count; i++)
        wire_break(&play->players[play->connection_count - i].wire);
}

static void start_soak(Play *play) {
    Usage now = { 0 };
    if (play->soak == NULL)
        return;
    (void)load_usage(play->options->server, &now);
    play->cpu_before = now.cpu_s;
    play->moves_before = play->moves;
    uv_timer_start(&play->minute, on_minute, MINUTE_MS, MINUTE_MS);
    uv_timer_start(&play->churn, on_churn, CHURN_MS, CHURN_MS);
}

// ---- the course of a run ------------------------------------------------------------------------

static void on_ended(uv_timer_t *timer) {
    Play *play = timer->data;
    play->phase = ENDED;
    uv_stop(&play->wire.loop);
}

static Traffic since(Traffic now, Traffic then) {
    return (Traffic) { now.frames - then.frames, now.bytes - then.bytes };
}

static void on_stop(uv_timer_t *timer) {
    Play *play = timer->data;
    Usage now = { 0 };
    play->played_s = (double)(load_now_us() - play->from_us) / 1e6;
    if (load_usage(play->options->server, &now))
        play->server_used = (Usage) { now.cpu_s - play->server_from.cpu_s, now.rss_kib };
    if (load_usage((int)getpid(), &now))
        play->own_used = (Usage) { now.cpu_s - play->own_from.cpu_s, now.rss_kib };
    play->in = since(play->wire.in, play->in);
    play->out = since(play->wire.out, play->out);
    play->phase = ENDING;
    uv_timer_start(timer, on_ended, (uint64_t)(LAST_ANSWERS_S * 1000), 0);
}

static void on_warm(uv_timer_t *timer) {
    Play *play = timer->data;
    (void)load_usage(play->options->server, &play->server_from);
    (void)load_usage((int)getpid(), &play->own_from);
    play->from_us = load_now_us();
    play->until_us = play->from_us + (int64_t)(play->options->seconds * 1e6);
    play->in = play->wire.in;
    play->out = play->wire.out;
    // A soak's last minute is told before it ends.
    const uint64_t more_ms = play->soak == NULL ? 0 : 500;
    uv_timer_start(timer, on_stop, (uint64_t)(play->options->seconds * 1000) + more_ms, 0);
    start_soak(play);
}

static void start_measuring(Play *play) {
    play->phase = PLAYING;
    printf("%d games run, %d of them against the computer, on %d connections (%d of watchers)\n",
           play->all_games, play->computer_count, play->connection_count, play->watcher_count);
    fflush(stdout);
    uv_timer_start(&play->clock, on_warm, (uint64_t)(play->options->warm_up * 1000), 0);
    if (play->options->reconnects > 0) {
        const uint64_t every_ms = (uint64_t)(1000 / play->options->reconnects);
        uv_timer_start(&play->breaker, on_break, every_ms, every_ms == 0 ? 1 : every_ms);
    }
}

static void on_late_set_up(uv_timer_t *timer) {
    Play *play = timer->data;
    fprintf(stderr,
            "jadoube-load: after %.0f s %d of %d connections are open, %d of %d games run\n",
            SET_UP_S, play->connected, play->connection_count, play->ready, play->all_games);
    play->failed = true;
    uv_stop(&play->wire.loop);
}

int play_run(const Options *options) {
    Play *play = calloc(1, sizeof(*play));
    if (play == NULL || !seats_prepare(play, options))
        return 2;
    play->options = options;
    play->random = (uint64_t)load_now_us() | 1;
    play->wire = (Wire) { .host = options->host,
                          .port = options->port,
                          .path = "/ws",
                          .protocol = "chess.v1",
                          .tls = options->tls,
                          .owner = play,
                          .opened = opened,
                          .heard = heard,
                          .closed = closed };
    play->due_fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    if (!wire_start(&play->wire) || play->due_fd < 0) {
        fprintf(stderr, "jadoube-load: libwebsockets does not start\n");
        return 2;
    }
    uv_poll_init(&play->wire.loop, &play->due, play->due_fd);
    uv_timer_init(&play->wire.loop, &play->clock);
    uv_timer_init(&play->wire.loop, &play->breaker);
    uv_timer_init(&play->wire.loop, &play->minute);
    uv_timer_init(&play->wire.loop, &play->churn);
    play->due.data = play->clock.data = play->breaker.data = play;
    play->minute.data = play->churn.data = play;
    uv_poll_start(&play->due, UV_READABLE, on_due);
    uv_timer_start(&play->clock, on_late_set_up, (uint64_t)(SET_UP_S * 1000), 0);
    connect_more(play);
    uv_run(&play->wire.loop, UV_RUN_DEFAULT);
    // The process ends here, and with it what it holds.
    return play->failed ? 2 : report_print(play);
}
