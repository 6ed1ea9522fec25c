// SPDX-License-Identifier: GPL-3.0-or-later
//
// The players of the simulation. Each knows only what reached him: he follows his games by the
// messages, checks that they fit together, and never sees a move taken back.
#include "sim.h"

// ---- sending ------------------------------------------------------------------------------------

static SimCommand *new_command(Sim *sim, int player, LiveCommandKind kind, bool by_request) {
    static uint32_t tokens;
    Player *p = &sim->players[player];
    SimCommand *command = calloc(1, sizeof(*command));
    command->player = player;
    command->command = (LiveCommand) {
        .kind = (uint8_t)kind,
        .account = p->account,
        .origin = { by_request ? 0 : p->connection, (uint64_t)player << 32 | ++tokens },
    };
    return command;
}

// Commands of one connection arrive in order, requests as they like.
static void send(Sim *sim, SimCommand *command) {
    int64_t at_ms = sim->now_ms + sim_between(sim, 5, sim_chance(sim, 20) ? 700 : 60);
    if (command->command.origin.connection != 0) {
        Player *p = &sim->players[command->player];
        if (at_ms < p->last_arrival_ms)
            at_ms = p->last_arrival_ms;
        p->last_arrival_ms = at_ms;
    }
    sim_at(sim, at_ms, (SimEvent) { .kind = SIM_COMMAND, .command = command });
}

static void subscribe(Sim *sim, int player, LiveChannelKind kind, const LiveId *game,
                      uint64_t since) {
    SimCommand *command = new_command(sim, player, LIVE_SUBSCRIBE, false);
    command->command.channel.kind = (uint8_t)kind;
    if (game != NULL)
        command->command.channel.game = *game;
    command->command.has_since = since > 0 && !sim_chance(sim, 200);
    command->command.since = since;
    send(sim, command);
}

// By the connection, or sometimes over HTTP.
static SimCommand *game_command(Sim *sim, int player, LiveCommandKind kind, const Board *board) {
    SimCommand *command = new_command(sim, player, kind, sim_chance(sim, 100));
    command->command.id = board->game;
    command->command.ply = board->count;
    return command;
}

// ---- boards -------------------------------------------------------------------------------------

static Board *find_board(Player *p, const LiveId *game) {
    for (int i = 0; i < SIM_BOARDS; i++)
        if (live_id_equal(&p->boards[i].game, game))
            return &p->boards[i];
    return NULL;
}

static Board *open_board(Sim *sim, int player, const LiveId *game) {
    Player *p = &sim->players[player];
    Board *board = find_board(p, game);
    if (board != NULL)
        return board;
    const LiveId none = { { 0 } };
    board = find_board(p, &none);
    if (board == NULL)
        return NULL;
    memset(board, 0, sizeof(*board));
    board->game = *game;
    board->color = LIVE_NO_COLOR;
    board->pos = chess_position_start();
    if (p->connection != 0)
        subscribe(sim, player, LIVE_CHANNEL_GAME, game, 0);
    return board;
}

static void make_on_board(Sim *sim, Board *board, const char *uci) {
    ChessMove move = CHESS_NO_MOVE;
    JdErr err = { 0 };
    if (board->count >= SIM_PLIES_MAX || !chess_uci_parse(jd_str(uci), &board->pos, &move, &err))
        SIM_FAIL(sim, "game %s: %s after ply %u: %s", board->game.text, uci, board->count,
                 err.text);
    chess_move_make(&board->pos, move, NULL);
    memcpy(board->moves[board->count++], uci, CHESS_UCI_SIZE);
    board->sent_ms = 0;
}

// The full state: it must hold every move this client was told of.
static void board_state(Sim *sim, Board *board, const SimMail *mail) {
    if (mail->ply < board->count)
        SIM_FAIL(sim, "game %s: %u moves, but %u had been told", board->game.text, mail->ply,
                 board->count);
    for (uint32_t i = 0; i < board->count; i++)
        if (strcmp(board->moves[i], mail->moves[i]) != 0)
            SIM_FAIL(sim, "game %s: move %u was %s, now %s", board->game.text, i + 1,
                     board->moves[i], mail->moves[i]);
    while (board->count < mail->ply)
        make_on_board(sim, board, mail->moves[board->count]);
    const bool over = mail->state == LAWS_ENDED || mail->state == LAWS_ANNULLED;
    SIM_CHECK(sim, over || !board->over); // what has ended stays so
    board->over = over;
    board->known = true;
    board->color = mail->color;
}

// Numbers of a channel grow by one; after a subscription from the number that was asked for.
static void check_seq(Sim *sim, uint64_t *seen, const SimMail *mail) {
    if (mail->seq != *seen + 1)
        SIM_FAIL(sim, "channel: message %llu came after %llu", (unsigned long long)mail->seq,
                 (unsigned long long)*seen);
    *seen = mail->seq;
}

static void board_message(Sim *sim, Board *board, const SimMail *mail) {
    if (!board->known)
        return; // of an earlier subscription that has not ended yet
    check_seq(sim, &board->seq, mail);
    SIM_CHECK(sim, !board->over || mail->kind == LIVE_MSG_PRESENCE);
    if (mail->kind == LIVE_MSG_MOVED) {
        if (mail->ply == board->count) // a state sent in between held it already
            SIM_CHECK(sim, strcmp(board->moves[mail->ply - 1], mail->uci) == 0);
        else if (mail->ply == board->count + 1)
            make_on_board(sim, board, mail->uci);
        else
            SIM_FAIL(sim, "game %s: move %u after %u", board->game.text, mail->ply, board->count);
        board->offered = mail->draw;
    } else if (mail->kind == LIVE_MSG_OFFER) {
        board->offered = mail->draw && mail->ply != (uint32_t)board->color;
    } else if (mail->kind == LIVE_MSG_END) {
        board->over = true;
    }
}

// ---- mail ---------------------------------------------------------------------------------------

static void answered(Sim *sim, int player, const SimMail *mail) {
    Player *p = &sim->players[player];
    if (mail->kind == LIVE_ANSWER_GAME_ID)
        (void)open_board(sim, player, &mail->id);
    if (mail->kind == LIVE_ANSWER_CHALLENGE) {
        // A double click makes one challenge (S-036).
        if (p->challenge_token == mail->token &&
            p->challenge_incarnation == sim->server.incarnation)
            SIM_CHECK(sim, live_id_equal(&p->challenge, &mail->id));
        p->challenge_token = mail->token;
        p->challenge_incarnation = sim->server.incarnation;
        p->challenge = mail->id;
    }
    // An answer with the game in it is a look at the state, not a message of the channel.
    Board *board = mail->moves != NULL ? find_board(p, &mail->id) : NULL;
    for (uint32_t i = 0; board != NULL && i < board->count && i < mail->ply; i++)
        SIM_CHECK(sim, strcmp(board->moves[i], mail->moves[i]) == 0);
}

void player_mail(Sim *sim, int player, const SimMail *mail) {
    Player *p = &sim->players[player];
    if (mail->connection != 0 && mail->connection != p->connection)
        return; // of an old connection
    if (mail->is_answer) {
        answered(sim, player, mail);
        return;
    }
    switch ((LiveMessageKind)mail->kind) {
    case LIVE_MSG_LOBBY:
        p->lobby_seq = mail->seq;
        return;
    case LIVE_MSG_LOBBY_ADD:
    case LIVE_MSG_LOBBY_REMOVE:
        check_seq(sim, &p->lobby_seq, mail);
        return;
    case LIVE_MSG_GAMES:
        p->me_seq = mail->seq;
        for (size_t i = 0; i < mail->row_count; i++)
            (void)open_board(sim, player, &mail->rows[i]);
        return;
    case LIVE_MSG_STARTED:
    case LIVE_MSG_ROW:
    case LIVE_MSG_CHALLENGE_ADD:
    case LIVE_MSG_CHALLENGE_REMOVE:
        check_seq(sim, &p->me_seq, mail);
        if (mail->kind == LIVE_MSG_CHALLENGE_ADD && mail->draw)
            p->invitation = mail->id;
        if (mail->kind == LIVE_MSG_STARTED)
            (void)open_board(sim, player, &mail->id);
        return;
    case LIVE_MSG_GAME: {
        Board *board = find_board(p, &mail->id);
        if (board != NULL) {
            board_state(sim, board, mail);
            board->seq = mail->seq;
        }
        return;
    }
    case LIVE_MSG_SAID:
    case LIVE_MSG_CHAT:
    case LIVE_MSG_PREMOVE:
    case LIVE_MSG_CORRECTED:
        return; // not numbered, and nobody here speaks
    case LIVE_MSG_MOVED:
    case LIVE_MSG_TOUCHED:
    case LIVE_MSG_FALSE_FLAG:
    case LIVE_MSG_CLOCK:
    case LIVE_MSG_OFFER:
    case LIVE_MSG_END:
    case LIVE_MSG_PRESENCE:
    case LIVE_MSG_RATED: {
        Board *board = find_board(p, &mail->id);
        if (board != NULL)
            board_message(sim, board, mail);
        return;
    }
    }
}

void player_cut_off(Sim *sim, int player) {
    Player *p = &sim->players[player];
    p->connection = 0;
    p->away_until_ms =
        sim->now_ms + (sim->slow
                           ? sim_between(sim, 1000, sim_chance(sim, 800) ? 24 * 3600000 : 60000)
                           : sim_between(sim, 100, sim_chance(sim, 100) ? 120000 : 3000));
}

static void come_back(Sim *sim, int player) {
    Player *p = &sim->players[player];
    p->connection = server_dial(sim, player);
    if (p->connection == 0) {
        p->away_until_ms = sim->now_ms + sim_between(sim, 200, 3000);
        return;
    }
    subscribe(sim, player, LIVE_CHANNEL_LOBBY, NULL, p->lobby_seq);
    if (p->account != 0)
        subscribe(sim, player, LIVE_CHANNEL_ME, NULL, p->me_seq);
    for (int i = 0; i < SIM_BOARDS; i++) {
        Board *board = &p->boards[i];
        if (board->game.text[0] == '\0')
            continue;
        board->sent_ms = 0;
        subscribe(sim, player, LIVE_CHANNEL_GAME, &board->game, board->known ? board->seq : 0);
    }
}

// ---- playing ------------------------------------------------------------------------------------

// Random, but with a taste for mates and captures, so that games end.
static ChessMove choose_move(Sim *sim, const ChessPosition *pos) {
    ChessMoveList list;
    chess_moves_generate(pos, &list);
    ChessMove best = list.moves[0];
    uint32_t most = 0;
    for (int i = 0; i < list.count; i++) {
        const ChessMove move = list.moves[i];
        uint32_t weight = 1 + sim_below(sim, 100);
        weight += chess_move_captured(pos, move) != CHESS_NO_PIECE ? 60 : 0;
        weight += chess_move_promotion(move) != CHESS_NO_KIND ? 50 : 0;
        ChessPosition after = *pos;
        chess_move_make(&after, move, NULL);
        if (chess_is_check(&after))
            weight += chess_is_checkmate(&after) ? 150 : 30;
        if (weight > most) {
            most = weight;
            best = move;
        }
    }
    return best;
}

// The way back of the player's last move, if there is one.
static bool step_back(const Board *board, char uci[8]) {
    if (board->count < 2)
        return false;
    const char *last = board->moves[board->count - 2];
    const char back[] = { last[2], last[3], last[0], last[1], '\0' };
    ChessMove move;
    JdErr err = { 0 };
    memcpy(uci, back, sizeof back);
    return chess_uci_parse(jd_str(back), &board->pos, &move, &err);
}

static void send_move(Sim *sim, int player, Board *board) {
    SimCommand *command = game_command(sim, player, LIVE_MOVE, board);
    const bool restless = sim->players[player].restless && sim_chance(sim, 700);
    if (board->sent_ms == 0 && !(restless && step_back(board, board->sent))) // else once more
        (void)chess_uci_write(&board->pos, choose_move(sim, &board->pos), board->sent);
    memcpy(command->uci, board->sent, sizeof command->uci);
    command->command.draw = sim_chance(sim, 20);
    command->command.delay_ms = sim_below(sim, 500);
    board->sent_ms = sim->now_ms;
    if (sim_chance(sim, 30)) { // twice
        SimCommand *again = game_command(sim, player, LIVE_MOVE, board);
        memcpy(again->uci, board->sent, sizeof again->uci);
        send(sim, again);
    }
    send(sim, command);
}

static void send_draw(Sim *sim, int player, Board *board, LiveDrawAct act) {
    SimCommand *command = game_command(sim, player, LIVE_DRAW, board);
    command->command.act = (uint8_t)act;
    if (act == LIVE_DRAW_CLAIM_WITH)
        (void)chess_uci_write(&board->pos, choose_move(sim, &board->pos), command->uci);
    send(sim, command);
}

static void play(Sim *sim, int player, Board *board) {
    const bool my_move = board->pos.side_to_move == board->color;
    const uint32_t dice = sim_below(sim, 1000);
    if (board->offered && dice < 250) {
        send_draw(sim, player, board, dice < 120 ? LIVE_DRAW_ACCEPT : LIVE_DRAW_DECLINE);
        return;
    }
    if (board->count > 160 ? dice < 100 : dice < 2) {
        send(sim, game_command(sim, player, LIVE_RESIGN, board));
        return;
    }
    if (dice < (sim->players[player].restless ? 20 : 12)) {
        send_draw(sim, player, board,
                  dice < 5   ? LIVE_DRAW_OFFER
                  : dice < 8 ? LIVE_DRAW_CLAIM
                             : LIVE_DRAW_CLAIM_WITH);
        return;
    }
    if (dice < 40 && !my_move) {
        SimCommand *command = game_command(sim, player,
                                           dice < 36   ? LIVE_ABANDON
                                           : dice < 38 ? LIVE_FLAG
                                                       : LIVE_ABORT,
                                           board);
        command->command.draw = dice & 1;
        send(sim, command);
        return;
    }
    if (my_move && (board->sent_ms == 0 || sim->now_ms - board->sent_ms > 3000) &&
        chess_has_legal_move(&board->pos))
        send_move(sim, player, board);
}

// ---- the lobby ----------------------------------------------------------------------------------

static const LiveControl controls[] = {
    { .kind = LIVE_CONTROL_CLOCK, .periods = { { .time_ms = 60000 } } },
    { .kind = LIVE_CONTROL_CLOCK, .periods = { { .time_ms = 30000 } } },
    { .kind = LIVE_CONTROL_CLOCK, .periods = { { .time_ms = 180000, .increment_ms = 2000 } } },
    { .kind = LIVE_CONTROL_CLOCK, .periods = { { .time_ms = 60000, .delay_ms = 2000 } } },
    { .kind = LIVE_CONTROL_CLOCK, .periods = { { .increment_ms = 5000 } } },
    { .kind = LIVE_CONTROL_CLOCK, .periods = { { .time_ms = 900000, .increment_ms = 10000 } } },
    { .kind = LIVE_CONTROL_PERIODS,
      .period_count = 2,
      .periods = { { .moves = 12, .time_ms = 40000 }, { .time_ms = 30000 } } },
    { .kind = LIVE_CONTROL_DAYS, .days = 1 },
    { .kind = LIVE_CONTROL_BANK,
      .period_count = 1,
      .periods = { { .time_ms = LIVE_BANK_MS,
                     .increment_ms = LIVE_BANK_INCREMENT_MS,
                     .increment_moves = LIVE_BANK_MOVES } } },
};

static void challenge(Sim *sim, int player) {
    SimCommand *command = new_command(sim, player, LIVE_CHALLENGE, sim_chance(sim, 100));
    command->command.control = controls[sim_below(sim, JD_COUNT(controls))];
    if (sim->slow)
        command->command.control =
            (LiveControl) { .kind = LIVE_CONTROL_DAYS, .days = (uint8_t)sim_between(sim, 1, 3) };
    command->command.color = (uint8_t)sim_below(sim, 3);
    command->command.rated = (uint8_t)sim_below(sim, 2);
    command->command.edition = (uint8_t)sim_below(sim, LAWS_EDITION_COUNT);
    if (sim_chance(sim, 200))
        command->command.type = (uint8_t)(1 + sim_below(sim, 3));
    if (sim_chance(sim, 150))
        command->command.flag = (uint8_t)sim_below(sim, 3);
    command->command.touch = sim_chance(sim, 50);
    if (sim_chance(sim, 150)) { // to one player, perhaps himself
        command->command.to = 1 + (LiveAccount)sim_below(sim, SIM_PLAYERS - SIM_SPECTATORS);
        command->command.declines = sim_chance(sim, 100);
    }
    if (sim_chance(sim, 100)) {
        command->command.rating_min = (uint16_t)(1300 + sim_below(sim, 200));
        command->command.rating_max = (uint16_t)(1450 + sim_below(sim, 300));
    }
    command->command.confirmed_only = sim_chance(sim, 100);
    snprintf(command->key, sizeof command->key, "%u", ++sim->players[player].keys);
    if (sim_chance(sim, 100)) { // a double click
        SimCommand *again = calloc(1, sizeof(*again));
        *again = *command;
        send(sim, again);
    }
    send(sim, command);
}

// A challenge that the lobby shows, as far as this player may know.
static const LedgerChallenge *look_around(Sim *sim, const Player *p) {
    const Ledger *ledger = &sim->ledger;
    for (size_t i = ledger->challenge_count; i-- > 0 && i + 60 > ledger->challenge_count;)
        if (ledger->challenges[i].published && ledger->challenges[i].creator != p->account &&
            sim_chance(sim, 300))
            return &ledger->challenges[i];
    return NULL;
}

static void find_game(Sim *sim, int player) {
    const LedgerChallenge *open = look_around(sim, &sim->players[player]);
    if (open == NULL || sim_chance(sim, 150)) {
        challenge(sim, player);
        return;
    }
    SimCommand *command = new_command(sim, player, sim_chance(sim, 30) ? LIVE_CANCEL : LIVE_JOIN,
                                      sim_chance(sim, 100));
    command->command.id = open->id;
    send(sim, command);
}

// ---- mischief -----------------------------------------------------------------------------------

static void misbehave(Sim *sim, int player) {
    static const char *const words[] = {
        "", "e2e4", "e7e8q", "zz", "0000", "e1g1", "a1a1", "h7h8x"
    };
    Player *p = &sim->players[player];
    SimCommand *command =
        new_command(sim, player, (LiveCommandKind)sim_below(sim, 25), sim_chance(sim, 300));
    LiveCommand *c = &command->command;
    if (c->kind <= LIVE_DISCONNECT || c->kind == LIVE_ACCOUNT_CHANGED || c->kind == LIVE_STALLED) {
        free(command);
        return;
    }
    const Ledger *ledger = &sim->ledger;
    if (ledger->game_count > 0 && sim_chance(sim, 800))
        c->id = ledger->games[sim_below(sim, (uint32_t)ledger->game_count)]->id;
    if (sim_chance(sim, 500))
        c->id = p->boards[0].game;
    if (c->kind == LIVE_SUBSCRIBE || c->kind == LIVE_UNSUBSCRIBE || c->kind == LIVE_RESIGN)
        c->kind = LIVE_MOVE; // the bookkeeping of the channels is the good players' own
    c->ply = sim_below(sim, 30);
    c->act = (uint8_t)sim_below(sim, 8);
    c->color = (uint8_t)sim_below(sim, 5);
    c->control.kind = (uint8_t)sim_below(sim, 6);
    c->type = (uint8_t)sim_below(sim, 6);
    c->edition = (uint8_t)sim_below(sim, 9);
    c->flag = (uint8_t)sim_below(sim, 5);
    c->touch = (uint8_t)sim_below(sim, 4);
    c->control.days = (uint8_t)sim_below(sim, 300);
    c->control.period_count = (uint8_t)sim_below(sim, 9);
    snprintf(command->uci, sizeof command->uci, "%s", words[sim_below(sim, JD_COUNT(words))]);
    send(sim, command);
}

// ---- one thought --------------------------------------------------------------------------------

static void leave_board(Sim *sim, int player, Board *board) {
    SimCommand *command = new_command(sim, player, LIVE_UNSUBSCRIBE, false);
    command->command.channel.kind = LIVE_CHANNEL_GAME;
    command->command.channel.game = board->game;
    send(sim, command);
    memset(&board->game, 0, sizeof board->game);
}

static void watch(Sim *sim, int player) {
    const Ledger *ledger = &sim->ledger;
    if (ledger->game_count == 0)
        return;
    const LedgerGame *game =
        ledger->games[ledger->game_count - 1 -
                      sim_below(sim, ledger->game_count < 20 ? (uint32_t)ledger->game_count : 20)];
    if (game->durable > 0 && !game->durable_end)
        (void)open_board(sim, player, &game->id);
}

static void ask_rematch(Sim *sim, int player, const Board *board) {
    SimCommand *command = new_command(sim, player, LIVE_CHALLENGE, sim_chance(sim, 100));
    command->command.rematch = board->game;
    if (sim_chance(sim, 100)) { // a double click
        SimCommand *again = calloc(1, sizeof(*again));
        *again = *command;
        send(sim, again);
    }
    send(sim, command);
}

static void answer_invitation(Sim *sim, int player) {
    Player *p = &sim->players[player];
    SimCommand *command = new_command(sim, player, sim_chance(sim, 400) ? LIVE_DECLINE : LIVE_JOIN,
                                      sim_chance(sim, 100));
    command->command.id = p->invitation;
    memset(&p->invitation, 0, sizeof p->invitation);
    send(sim, command);
}

static void act(Sim *sim, int player) {
    Player *p = &sim->players[player];
    int boards = 0;
    for (int i = 0; i < SIM_BOARDS; i++) {
        Board *board = &p->boards[i];
        if (board->game.text[0] == '\0')
            continue;
        boards++;
        if (board->known && board->over && board->color != LIVE_NO_COLOR && !sim->closing &&
            sim_chance(sim, 200))
            ask_rematch(sim, player, board);
        if (board->known && (board->over || (p->account == 0 && sim_chance(sim, 5))))
            leave_board(sim, player, board);
        else if (board->known && board->color != LIVE_NO_COLOR)
            play(sim, player, board);
    }
    if (p->invitation.text[0] != '\0' && boards < SIM_BOARDS && !sim->closing &&
        sim_chance(sim, 500))
        answer_invitation(sim, player);
    if (p->account == 0) {
        if (boards < SIM_BOARDS && sim_chance(sim, 200))
            watch(sim, player);
    } else if (boards < 2 && !sim->closing && sim_chance(sim, 300)) {
        find_game(sim, player);
    }
    if (sim_chance(sim, 10))
        misbehave(sim, player);
    if (sim->slow && p->account != 0 && sim_chance(sim, 20)) {
        SimCommand *command = new_command(sim, player, LIVE_VACATION, sim_chance(sim, 300));
        command->command.days = (uint8_t)sim_below(sim, 4);
        send(sim, command);
    }
    if (sim_chance(sim, sim->slow ? 200 : 3)) {
        server_hang_up(sim, p->connection);
        player_cut_off(sim, player);
    }
}

void player_think(Sim *sim, int player) {
    Player *p = &sim->players[player];
    if (p->connection != 0)
        act(sim, player);
    else if (sim->now_ms >= p->away_until_ms)
        come_back(sim, player);
    int64_t pause = p->lazy ? sim_between(sim, 500, 15000) : sim_between(sim, 100, 2500);
    if (sim->slow)
        pause = p->connection == 0 ? p->away_until_ms - sim->now_ms + 1000 : pause * 20;
    if (pause < 100)
        pause = 100;
    sim_at(sim, sim->now_ms + pause, (SimEvent) { .kind = SIM_THINK, .player = player });
}
