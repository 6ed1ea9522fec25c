// SPDX-License-Identifier: GPL-3.0-or-later
//
// The people. Each knows only what reached him: he follows his games by the messages, checks that
// they fit together, and never sees a move taken back.
#include "sim.h"

// ---- sending ------------------------------------------------------------------------------------

static SimCommand *new_command(Sim *s, int user, LiveCommandKind kind, bool by_request) {
    User *u = &s->users[user];
    SimCommand *command = sim_take(s, sizeof(*command));
    const Connection *connection = &s->connections[u->connection];
    command->user = user;
    command->gateway = connection->gateway;
    command->gateway_run = connection->run;
    command->command = (LiveCommand) {
        .kind = (uint8_t)kind,
        .account = u->account,
        .origin = { by_request ? 0 : u->connection, (uint64_t)user << 32 | ++s->token },
    };
    return command;
}

// Commands of one connection arrive in order, requests as they like.
static void send(Sim *s, SimCommand *command) {
    int64_t at_ms =
        s->now_ms + sim_between(&s->net_random, 3, sim_chance(&s->net_random, 30) ? 700 : 40);
    const uint64_t number = command->command.origin.connection;
    if (number != 0) {
        Connection *connection = &s->connections[number];
        if (at_ms < connection->last_arrival_ms)
            at_ms = connection->last_arrival_ms;
        connection->last_arrival_ms = at_ms;
    }
    judge_asked(s, command->user, command);
    sim_at(s, at_ms, (Event) { .kind = EVENT_COMMAND, .command = command });
}

// The same wish again is a question of its own.
static void send_twice(Sim *s, const SimCommand *command) {
    SimCommand *again = sim_take(s, sizeof(*again));
    *again = *command;
    again->command.origin.token = (uint64_t)command->user << 32 | ++s->token;
    send(s, again);
}

static void subscribe(Sim *s, int user, const Board *board) {
    SimCommand *command = new_command(s, user, LIVE_SUBSCRIBE, false);
    command->command.channel = (LiveChannel) { .kind = LIVE_CHANNEL_GAME, .game = board->game };
    command->command.has_since = board->known;
    command->command.since = board->seq;
    send(s, command);
}

// ---- boards -------------------------------------------------------------------------------------

static Board *find_board(User *u, const LiveId *game) {
    for (int i = 0; i < SIM_BOARDS; i++)
        if (live_id_equal(&u->boards[i].game, game))
            return &u->boards[i];
    return NULL;
}

static void open_board(Sim *s, int user, const LiveId *game) {
    User *u = &s->users[user];
    const LiveId none = { { 0 } };
    Board *board = find_board(u, game);
    if (board != NULL || (board = find_board(u, &none)) == NULL)
        return;
    memset(board, 0, sizeof(*board));
    board->game = *game;
    board->color = LIVE_NO_COLOR;
    board->pos = chess_position_start();
    if (u->connection != 0)
        subscribe(s, user, board);
}

static void make_on_board(Sim *s, Board *board, const char *uci) {
    ChessMove move = CHESS_NO_MOVE;
    JdErr err = { 0 };
    if (board->count >= SIM_PLIES || !chess_uci_parse(jd_str(uci), &board->pos, &move, &err))
        sim_fail(s, "game %s: %s after ply %u: %s", board->game.text, uci, board->count, err.text);
    chess_move_make(&board->pos, move, NULL);
    memcpy(board->moves[board->count++], uci, CHESS_UCI_SIZE);
    board->sent_ms = 0;
}

// The full state holds every move this client was told of.
static void board_state(Sim *s, Board *board, const Mail *mail) {
    if (mail->ply < board->count)
        sim_fail(s, "game %s: %u moves, but %u had been told", board->game.text, mail->ply,
                 board->count);
    for (uint32_t i = 0; i < board->count; i++)
        if (strcmp(board->moves[i], mail->moves[i]) != 0)
            sim_fail(s, "game %s: move %u was %s, now %s", board->game.text, i + 1, board->moves[i],
                     mail->moves[i]);
    while (board->count < mail->ply)
        make_on_board(s, board, mail->moves[board->count]);
    const bool over = mail->state == LAWS_ENDED || mail->state == LAWS_ANNULLED;
    SIM_CHECK(s, over || !board->over); // what has ended stays so
    board->over = over;
    board->known = true;
    board->color = mail->color;
    board->offered = mail->offered;
}

static void board_message(Sim *s, Board *board, const Mail *mail) {
    if (!board->known)
        return;
    if (mail->seq != board->seq + 1)
        sim_fail(s, "game %s: message %llu came after %llu", board->game.text,
                 (unsigned long long)mail->seq, (unsigned long long)board->seq);
    board->seq = mail->seq;
    if (mail->kind == LIVE_MSG_MOVED) {
        if (mail->ply == board->count) // a state sent in between held it already
            SIM_CHECK(s, strcmp(board->moves[mail->ply - 1], mail->uci) == 0);
        else if (mail->ply == board->count + 1)
            make_on_board(s, board, mail->uci);
        else
            sim_fail(s, "game %s: move %u after %u", board->game.text, mail->ply, board->count);
        board->offered = mail->offered;
    } else if (mail->kind == LIVE_MSG_OFFER) {
        board->offered = mail->offered;
    } else if (mail->kind == LIVE_MSG_END) {
        SIM_CHECK(s, !board->over);
        board->over = true;
    }
}

// The numbers of lines grow within a game, whoever serves it.
static void board_line(Sim *s, Board *board, const Mail *mail) {
    if (mail->seq <= board->line)
        sim_fail(s, "game %s: line %llu was said after %llu", board->game.text,
                 (unsigned long long)mail->seq, (unsigned long long)board->line);
    board->line = mail->seq;
}

void user_mail(Sim *s, Mail *mail) {
    User *u = &s->users[mail->user];
    Board *board = find_board(u, &mail->id);
    if (mail->is_answer) {
        if (mail->kind == LIVE_ANSWER_GAME_ID)
            open_board(s, mail->user, &mail->id);
        // An answer with the game in it is a look at the state, not a message of the channel.
        for (uint32_t i = 0; board != NULL && mail->moves != NULL && i < board->count; i++)
            SIM_CHECK(s, i >= mail->ply || strcmp(board->moves[i], mail->moves[i]) == 0);
        return;
    }
    if (board == NULL)
        return;
    if (mail->kind == LIVE_MSG_GAME) {
        board_state(s, board, mail);
        board->seq = mail->seq;
    } else if (mail->kind == LIVE_MSG_SAID) {
        board_line(s, board, mail);
    } else if ((mail->kind >= LIVE_MSG_MOVED && mail->kind <= LIVE_MSG_PRESENCE) ||
               mail->kind == LIVE_MSG_TOUCHED || mail->kind == LIVE_MSG_FALSE_FLAG) {
        board_message(s, board, mail); // the others have no number
    }
}

// ---- coming and going ---------------------------------------------------------------------------

void user_dial(Sim *s, int user) {
    User *u = &s->users[user];
    u->dials = false;
    if (u->connection != 0 || s->home)
        return;
    gateway_dial(s, user);
    if (u->connection == 0) {
        u->dials = true;
        sim_at(s, s->now_ms + 300, (Event) { .kind = EVENT_DIAL, .a = user });
        return;
    }
    for (int i = 0; i < SIM_BOARDS; i++)
        if (u->boards[i].game.text[0] != '\0') {
            u->boards[i].sent_ms = 0;
            subscribe(s, user, &u->boards[i]);
        }
}

void user_closed(Sim *s, int user, uint64_t connection) {
    User *u = &s->users[user];
    if (u->connection == connection)
        u->connection = 0;
    if (u->connection != 0 || u->dials || s->home)
        return;
    u->dials = true;
    const bool away = !s->calm && sim_chance(&s->net_random, s->plan->slow ? 700 : 100);
    const int64_t pause_ms = !away           ? sim_between(&s->net_random, 20, 800)
                             : s->plan->slow ? sim_between(&s->net_random, 600000, 40000000)
                                             : sim_between(&s->net_random, 1000, 20000);
    sim_at(s, s->now_ms + pause_ms, (Event) { .kind = EVENT_DIAL, .a = user });
}

void user_go_home(Sim *s) {
    s->home = true;
    for (int i = 0; i < SIM_USERS; i++)
        if (s->users[i].connection != 0)
            gateway_gone(s, s->users[i].connection);
}

// ---- one thought --------------------------------------------------------------------------------

// Random, but with a taste for mates and captures, so that games end.
static ChessMove choose_move(uint64_t *random, const ChessPosition *pos) {
    ChessMoveList list;
    chess_moves_generate(pos, &list);
    ChessMove best = list.moves[0];
    uint32_t most = 0;
    for (int i = 0; i < list.count; i++) {
        uint32_t weight = 1 + jd_random_below(random, 100);
        weight += chess_move_captured(pos, list.moves[i]) != CHESS_NO_PIECE ? 50 : 0;
        ChessPosition after = *pos;
        chess_move_make(&after, list.moves[i], NULL);
        weight += chess_is_check(&after) ? (chess_is_checkmate(&after) ? 200 : 30) : 0;
        if (weight > most) {
            most = weight;
            best = list.moves[i];
        }
    }
    return best;
}

static SimCommand *game_command(Sim *s, int user, LiveCommandKind kind, const Board *board,
                                uint64_t *random) {
    SimCommand *command = new_command(s, user, kind, sim_chance(random, 200));
    command->command.id = board->game;
    command->command.ply = board->count;
    return command;
}

// Each line is the number of its command.
static void say(Sim *s, int user, const Board *board, uint64_t *random) {
    SimCommand *command = game_command(s, user, LIVE_SAY, board, random);
    command->command.room = sim_chance(random, 900) ? LIVE_ROOM_PLAYERS : LIVE_ROOM_WATCHERS;
    snprintf(command->text, sizeof(command->text), "%llu",
             (unsigned long long)command->command.origin.token);
    send(s, command);
}

// A move for after the one that is expected of the opponent; or none any more.
static void play_ahead(Sim *s, int user, const Board *board, uint64_t *random) {
    ChessPosition then = board->pos;
    if (!chess_has_legal_move(&then))
        return;
    chess_move_make(&then, choose_move(random, &then), NULL);
    if (!chess_has_legal_move(&then))
        return;
    SimCommand *command = game_command(s, user, LIVE_PREMOVE, board, random);
    command->command.ply = board->count + 1;
    if (!sim_chance(random, 100))
        (void)chess_uci_write(&then, choose_move(random, &then), command->uci);
    send(s, command);
}

static void touch(Sim *s, int user, const Board *board, uint64_t *random) {
    const bool adjusts = sim_chance(random, 300);
    SimCommand *command = game_command(s, user, adjusts ? LIVE_ADJUST : LIVE_TOUCH, board, random);
    command->command.square = chess_move_from(choose_move(random, &board->pos));
    command->command.on = sim_chance(random, 300);
    send(s, command);
}

static void play(Sim *s, int user, Board *board, uint64_t *random) {
    const bool my_move = board->pos.side_to_move == board->color;
    if (sim_chance(random, 60))
        say(s, user, board, random);
    if (!my_move && sim_chance(random, 250))
        play_ahead(s, user, board, random);
    if (my_move && sim_chance(random, 100) && chess_has_legal_move(&board->pos))
        touch(s, user, board, random);
    const uint32_t dice = jd_random_below(random, 1000);
    if (my_move && dice < 800) {
        if (!chess_has_legal_move(&board->pos) ||
            (board->sent_ms != 0 && s->now_ms - board->sent_ms < 3000))
            return;
        SimCommand *command = game_command(s, user, LIVE_MOVE, board, random);
        (void)chess_uci_write(&board->pos, choose_move(random, &board->pos), command->uci);
        command->command.draw = sim_chance(random, 30);
        command->command.delay_ms = jd_random_below(random, 400);
        board->sent_ms = s->now_ms;
        send(s, command);
        if (sim_chance(random, 100))
            send_twice(s, command);
        return;
    }
    SimCommand *command = game_command(s, user,
                                       dice < 860   ? LIVE_DRAW
                                       : dice < 875 ? LIVE_RESIGN
                                       : dice < 890 ? LIVE_ABORT
                                       : dice < 910 ? LIVE_FLAG
                                       : dice < 930 ? LIVE_ABANDON
                                                    : LIVE_QUERY_GAME,
                                       board, random);
    command->command.act = (uint8_t)(1 + jd_random_below(random, 4));
    if (command->command.act == LIVE_DRAW_ACCEPT && sim_chance(random, 500))
        command->command.act = LIVE_DRAW_DECLINE;
    send(s, command);
}

static const LiveControl controls[] = {
    { .kind = LIVE_CONTROL_CLOCK, .periods = { { .time_ms = 60000 } } },
    { .kind = LIVE_CONTROL_CLOCK, .periods = { { .time_ms = 180000, .increment_ms = 2000 } } },
    { .kind = LIVE_CONTROL_CLOCK, .periods = { { .time_ms = 60000, .delay_ms = 2000 } } },
    { .kind = LIVE_CONTROL_CLOCK, .periods = { { .increment_ms = 5000 } } },
    { .kind = LIVE_CONTROL_PERIODS,
      .period_count = 2,
      .periods = { { .moves = 4, .time_ms = 40000 }, { .time_ms = 30000 } } },
};

static void challenge(Sim *s, int user, uint64_t *random) {
    SimCommand *command = new_command(s, user, LIVE_CHALLENGE, sim_chance(random, 300));
    command->command.control = controls[jd_random_below(random, JD_COUNT(controls))];
    if (s->plan->slow)
        command->command.control =
            (LiveControl) { .kind = LIVE_CONTROL_DAYS,
                            .days = (uint8_t)(1 + jd_random_below(random, 2)) };
    command->command.color = (uint8_t)jd_random_below(random, 3);
    command->command.touch = sim_chance(random, 200);
    if (sim_chance(random, 200))
        command->command.edition = (uint8_t)jd_random_below(random, LAWS_EDITION_COUNT);
    snprintf(command->key, sizeof command->key, "%u", ++s->users[user].keys);
    send(s, command);
    if (sim_chance(random, 150)) // a double click
        send_twice(s, command);
}

// A challenge that somebody was told of.
static const Entity *look_around(const Sim *s, const User *u, uint64_t *random) {
    for (size_t i = s->db.entity_count; i-- > 0;) {
        const Entity *entity = &s->db.entities[i];
        if (!entity->is_game && entity->published && entity->players[0] != u->account &&
            !entity->over && sim_chance(random, 600))
            return entity;
    }
    return NULL;
}

static void join(Sim *s, int user, uint64_t *random) {
    const Entity *entity = look_around(s, &s->users[user], random);
    if (entity == NULL || sim_chance(random, 150)) {
        challenge(s, user, random);
        return;
    }
    SimCommand *command = new_command(s, user, LIVE_JOIN, sim_chance(random, 300));
    command->command.id = entity->id;
    send(s, command);
    if (sim_chance(random, 150))
        send_twice(s, command);
}

static void cancel(Sim *s, int user, uint64_t *random) {
    for (size_t i = 0; i < s->db.entity_count; i++) {
        const Entity *entity = &s->db.entities[i];
        if (entity->is_game || !entity->published || entity->over ||
            entity->players[0] != s->users[user].account)
            continue;
        SimCommand *command = new_command(s, user, LIVE_CANCEL, sim_chance(random, 300));
        command->command.id = entity->id;
        send(s, command);
        return;
    }
}

// His own games, or those that he likes to watch: the page that lists them reads the database.
static void look_for_games(Sim *s, int user, uint64_t *random) {
    const User *u = &s->users[user];
    for (size_t i = 0; i < s->db.entity_count; i++) {
        const Entity *entity = &s->db.entities[i];
        if (!entity->is_game || entity->count == 0 || entity->over)
            continue;
        if (u->account == 0 ? sim_chance(random, 300)
                            : entity->players[0] == u->account || entity->players[1] == u->account)
            open_board(s, user, &entity->id);
    }
}

static void leave_board(Sim *s, int user, Board *board) {
    SimCommand *command = new_command(s, user, LIVE_UNSUBSCRIBE, false);
    command->command.channel = (LiveChannel) { .kind = LIVE_CHANNEL_GAME, .game = board->game };
    send(s, command);
    memset(&board->game, 0, sizeof board->game);
}

void user_think(Sim *s, const Action *action) {
    uint64_t random = action->random;
    const int user = action->who;
    User *u = &s->users[user];
    if (u->connection == 0)
        return;
    look_for_games(s, user, &random);
    int boards = 0;
    for (int i = 0; i < SIM_BOARDS; i++) {
        Board *board = &u->boards[i];
        if (board->game.text[0] == '\0' || !board->known)
            continue;
        boards++;
        if (board->over || (u->account == 0 && sim_chance(&random, 50)))
            leave_board(s, user, board);
        else if (board->color != LIVE_NO_COLOR && sim_chance(&random, 850))
            play(s, user, board, &random);
    }
    if (u->account == 0)
        return;
    if (boards < 2)
        join(s, user, &random);
    else if (sim_chance(&random, 30))
        cancel(s, user, &random);
    if (s->plan->slow && sim_chance(&random, 60)) {
        SimCommand *command = new_command(s, user, LIVE_VACATION, sim_chance(&random, 300));
        command->command.days = (uint8_t)jd_random_below(&random, 3);
        send(s, command);
    }
    if (s->plan->slow && sim_chance(&random, 300))
        gateway_gone(s, u->connection);
}
