// SPDX-License-Identifier: GPL-3.0-or-later
//
// What people say to each other at a game: the two players at any time, everybody else once it has
// ended. Lines go to the store beside the log; here is only who may speak, how often, and who
// hears.
#include "live/inner.h"

static size_t characters(JdStr text) {
    size_t count = 0;
    for (size_t at = 0; at < text.size; count++)
        (void)jd_utf8_next(text, &at);
    return count;
}

// Five lines in ten seconds (S-071): the place of the next line holds the last but four.
static bool within_rate(Live *live, const LiveCommand *command, Account *account) {
    const int64_t oldest_ms = account->said_ms[account->said_next];
    const int64_t free_ms = oldest_ms + LIVE_CHAT_SPAN_MS;
    if (oldest_ms == 0 || live->now_ms >= free_ms)
        return true;
    LiveAnswer *answer =
        fx_error(live->fx, command->origin, "rate_limited", NULL,
                 "more than %d lines in %d seconds", LIVE_CHAT_BURST, LIVE_CHAT_SPAN_MS / 1000);
    answer->retry_ms = free_ms - live->now_ms;
    return false;
}

static bool may_say(Live *live, const LiveCommand *command, const Game *game, uint8_t seat) {
    const char *code = NULL;
    const char *text = NULL;
    if (command->room == LIVE_ROOM_WATCHERS && !fold_has_ended(&game->fold)) {
        code = "not_allowed";
        text = "those who watch may talk when the game is over";
    } else if (command->room != LIVE_ROOM_WATCHERS && command->room != LIVE_ROOM_PLAYERS) {
        code = "bad_request";
        text = "expected the room players or watchers";
    } else if (command->room == LIVE_ROOM_PLAYERS && seat == LIVE_NO_COLOR) {
        code = "forbidden";
        text = "only the two players speak in the mini-chat";
    } else if (command->room == LIVE_ROOM_PLAYERS && (game->chat_off[0] || game->chat_off[1])) {
        code = "chat_off";
        text = "a player has switched the mini-chat off";
    }
    if (code != NULL)
        (void)fx_error(live->fx, command->origin, code, NULL, "%s", text);
    return code == NULL;
}

static LiveSaid *said_of(Live *live, const LiveCommand *command, const Account *account,
                         uint8_t seat) {
    LiveSaid *said = fx_take(live->fx, sizeof(*said));
    char *text = fx_take(live->fx, command->text.size + 1);
    jd_copy(text, command->text.data, command->text.size);
    said->room = command->room;
    said->by = seat;
    said->account = account->number;
    jd_copy(said->nick, account->nick, sizeof(said->nick));
    said->at_ms = live->now_ms;
    said->text = jd_str_n(text, command->text.size);
    return said;
}

void chat_say(Live *live, const LiveCommand *command, Game *game) {
    Account *account = account_get(live, command->account, command->nick);
    const uint8_t seat = seat_of(game, account);
    if (!may_say(live, command, game, seat))
        goto done;
    if (command->text.size > LIVE_CHAT_BYTES_MAX || characters(command->text) > LIVE_CHAT_CHARS) {
        (void)fx_error(live->fx, command->origin, "too_long", "text",
                       "%zu characters, expected at most %d", characters(command->text),
                       LIVE_CHAT_CHARS);
        goto done;
    }
    if (command->text.size == 0) {
        (void)fx_answer(live->fx, command->origin, LIVE_ANSWER_OK);
        goto done;
    }
    if (!within_rate(live, command, account))
        goto done;
    account->said_ms[account->said_next] = live->now_ms;
    account->said_next = (uint8_t)((account->said_next + 1) % LIVE_CHAT_BURST);
    // Unlike the channel's numbers these need no memory of what was said before a restart.
    game->chat_seq =
        game->chat_seq + 1 > (uint64_t)live->now_ms ? game->chat_seq + 1 : (uint64_t)live->now_ms;
    const LiveSaid *said = said_of(live, command, account, seat);
    // Whom the opponent does not want to hear is told nothing of it, and heard by nobody.
    if (command->room == LIVE_ROOM_PLAYERS &&
        account_blocks(game->players[1 - seat], account->number)) {
        (void)fx_answer(live->fx, command->origin, LIVE_ANSWER_OK);
        LiveMessage *echo = fx_message(live->fx, LIVE_MSG_SAID, game->chat_seq);
        echo->id = game->fold.id;
        echo->said = said;
        game_send(live, game, (ChessColor)seat, echo);
        goto done;
    }
    LiveEffect *kept = fx_push(live->fx, LIVE_FX_CHAT);
    kept->id = game->fold.id;
    kept->chat.said = said;
    kept->chat.seq = game->chat_seq;
    (void)fx_answer(live->fx, command->origin, LIVE_ANSWER_OK);
    LiveMessage *message = fx_message(live->fx, LIVE_MSG_SAID, game->chat_seq);
    message->id = game->fold.id;
    message->said = said;
    if (command->room == LIVE_ROOM_PLAYERS) {
        for (int color = 0; color < 2; color++) // who blocks the speaker does not hear
            if (!account_blocks(game->players[color], account->number))
                game_send(live, game, (ChessColor)color, message);
    } else if (game->follows > 0) {
        const LiveChannel channel = { .kind = LIVE_CHANNEL_GAME, .game = game->fold.id };
        fx_publish(live->fx, &channel, message);
    }
done:
    account_let_go(live, account); // an API client without a connection is not kept
}

// ---- on and off ---------------------------------------------------------------------------------

static LiveMessage *chat_message(Live *live, const Game *game) {
    LiveMessage *message = fx_message(live->fx, LIVE_MSG_CHAT, 0);
    message->id = game->fold.id;
    message->chat.on[CHESS_WHITE] = !game->chat_off[CHESS_WHITE];
    message->chat.on[CHESS_BLACK] = !game->chat_off[CHESS_BLACK];
    return message;
}

// S-072: for oneself, and the other is told.
void chat_switch(Live *live, const LiveCommand *command, Game *game, ChessColor color) {
    const bool changes = game->chat_off[color] == command->on;
    game->chat_off[color] = !command->on;
    // The log of a game that has ended is closed; what memory knows is enough for its last minutes.
    if (changes && !fold_has_ended(&game->fold))
        game_log_note(live, game, LIVE_EVENT_CHAT_SWITCHED, (uint8_t)color, command->on);
    (void)fx_answer(live->fx, command->origin, LIVE_ANSWER_OK);
    if (!changes)
        return;
    const LiveMessage *message = chat_message(live, game);
    game_send(live, game, CHESS_WHITE, message);
    game_send(live, game, CHESS_BLACK, message);
}

void chat_greet(Live *live, const Game *game, const Connection *connection) {
    if (seat_of(game, connection->account) != LIVE_NO_COLOR &&
        (game->chat_off[CHESS_WHITE] || game->chat_off[CHESS_BLACK]))
        fx_send(live->fx, connection->number, chat_message(live, game));
}
