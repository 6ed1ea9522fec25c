// SPDX-License-Identifier: GPL-3.0-or-later
//
// Games, challenges and the messages about them, written as JSON.
#include "net/json_live.h"

#include "net/json_out.h"
#include "pages/pages.h"

static const char *color_name(uint8_t color) {
    return color == CHESS_WHITE ? "white" : color == CHESS_BLACK ? "black" : NULL;
}

static const char *choice_name(uint8_t choice) {
    return choice == LIVE_COLOR_RANDOM ? "random" : color_name(choice);
}

// LIVE_NEVER is null on the wire.
static void write_time(NetBuf *out, const char *key, int64_t ms) {
    json_out_key(out, key);
    if (ms == LIVE_NEVER)
        json_out_null(out);
    else
        json_out_int(out, ms);
}

// An empty text is null on the wire.
static void write_word(NetBuf *out, const char *key, const char *text) {
    json_out_key_cstr(out, key, text[0] == '\0' ? NULL : text);
}

static void write_period(NetBuf *out, const LivePeriod *period) {
    json_out_open(out, '{');
    json_out_key_int(out, "moves", period->moves);
    json_out_key_int(out, "time_ms", period->time_ms);
    json_out_key_int(out, "increment_ms", period->increment_ms);
    json_out_key_int(out, "delay_ms", period->delay_ms);
    json_out_close(out, '}');
}

void net_write_control(NetBuf *out, const LiveControl *control) {
    json_out_open(out, '{');
    switch ((LiveControlKind)control->kind) {
    case LIVE_CONTROL_CLOCK:
        json_out_key_cstr(out, "kind", "clock");
        json_out_key_int(out, "base_ms", control->periods[0].time_ms);
        json_out_key_int(out, "increment_ms", control->periods[0].increment_ms);
        json_out_key_int(out, "delay_ms", control->periods[0].delay_ms);
        break;
    case LIVE_CONTROL_PERIODS:
        json_out_key_cstr(out, "kind", "periods");
        json_out_key(out, "periods");
        json_out_open(out, '[');
        for (int i = 0; i < control->period_count; i++)
            write_period(out, &control->periods[i]);
        json_out_close(out, ']');
        break;
    case LIVE_CONTROL_DAYS:
        json_out_key_cstr(out, "kind", "days");
        json_out_key_int(out, "days", control->days);
        break;
    case LIVE_CONTROL_BANK:
        json_out_key_cstr(out, "kind", "bank");
        json_out_key_int(out, "base_ms", control->periods[0].time_ms);
        json_out_key_int(out, "increment_ms", control->periods[0].increment_ms);
        json_out_key_int(out, "increment_moves", control->periods[0].increment_moves);
        break;
    }
    json_out_close(out, '}');
}

// What is played, of a challenge and of a game alike.
typedef struct Played {
    const LiveControl *control;
    uint8_t type, category, edition, pace, flag, touch, rated;
} Played;

static void write_played(NetBuf *out, const Played *played) {
    const RatingList list = live_list(played->type, played->control);
    json_out_key_cstr(out, "type", live_type_name(played->type));
    json_out_key(out, "control");
    net_write_control(out, played->control);
    json_out_key_cstr(out, "category", laws_pace_name((LawsPace)played->category));
    json_out_key_cstr(out, "list", rating_list_name(list));
    json_out_key_cstr(out, "edition", laws_edition_name((LawsEdition)played->edition));
    json_out_key_cstr(out, "pace", laws_pace_name((LawsPace)played->pace));
    json_out_key_cstr(out, "flag", played->flag == LIVE_FLAG_CLAIM ? "claim" : "auto");
    json_out_key_bool(out, "touch", played->touch != 0);
    json_out_key_bool(out, "rated", played->rated != 0);
}

void net_write_notice(NetBuf *out, const char *kind, const char *nick, const char *ref,
                      int64_t at_ms) {
    json_out_open(out, '{');
    json_out_key_cstr(out, "kind", kind);
    json_out_key_cstr(out, "nick", nick[0] == '\0' ? NULL : nick);
    json_out_key_cstr(out, "ref", ref[0] == '\0' ? NULL : ref);
    json_out_key_int(out, "at", at_ms);
    json_out_close(out, '}');
}

void net_write_challenge(NetBuf *out, const LiveChallenge *challenge) {
    json_out_open(out, '{');
    json_out_key_cstr(out, "id", challenge->id.text);
    write_word(out, "nick", challenge->nick);
    const Played played = {
        .control = &challenge->control,
        .type = challenge->type,
        .category = challenge->category,
        .edition = challenge->edition,
        .pace = challenge->pace,
        .flag = challenge->flag,
        .touch = challenge->touch,
        .rated = challenge->rated,
    };
    write_played(out, &played);
    json_out_key_cstr(out, "color", choice_name(challenge->color));
    json_out_key_int(out, "rating", challenge->rating);
    json_out_key_bool(out, "provisional", challenge->provisional);
    json_out_key_int(out, "created", challenge->created_ms);
    write_word(out, "to", challenge->to_nick);
    write_word(out, "rematch", challenge->rematch.text);
    json_out_key_bool(out, "confirmed", challenge->confirmed_only);
    write_word(out, "fen", challenge->fen);
    json_out_key(out, "range");
    if (challenge->rating_max == 0) {
        json_out_null(out);
    } else {
        json_out_open(out, '[');
        json_out_int(out, challenge->rating_min);
        json_out_int(out, challenge->rating_max);
        json_out_close(out, ']');
    }
    json_out_close(out, '}');
}

static void write_seat(NetBuf *out, const char *key, const LiveSeat *seat) {
    json_out_key(out, key);
    json_out_open(out, '{');
    write_word(out, "nick", seat->nick);
    json_out_key_bool(out, "online", seat->online);
    json_out_key_int(out, "rating", seat->rating);
    json_out_key_bool(out, "provisional", seat->provisional);
    write_time(out, "vacation_until", seat->vacation_until_ms);
    const int level = pages_level_of(jd_str(seat->nick));
    if (level > 0)
        json_out_key_int(out, "level", level);
    else
        json_out_key_null(out, "level");
    json_out_close(out, '}');
}

static const char *reason_name(uint8_t reason) {
    return reason == LAWS_NOT_ENDED ? NULL : laws_reason_name((LawsReason)reason);
}

// What GameRow and Game have in common.
static void write_row_fields(NetBuf *out, const LiveGameRow *row) {
    json_out_key_cstr(out, "id", row->id.text);
    write_seat(out, "white", &row->seats[CHESS_WHITE]);
    write_seat(out, "black", &row->seats[CHESS_BLACK]);
    const Played played = {
        .control = &row->control,
        .type = row->type,
        .category = row->category,
        .edition = row->edition,
        .pace = row->pace,
        .flag = row->flag,
        .touch = row->touch,
        .rated = row->rated,
    };
    write_played(out, &played);
    write_time(out, "started", row->started_ms);
    write_time(out, "ended", row->ended_ms);
    write_time(out, "deadline", row->ended_ms == LIVE_NEVER ? row->deadline_ms : LIVE_NEVER);
    json_out_key_cstr(out, "result", row->result);
    json_out_key_cstr(out, "reason", reason_name(row->reason));
    json_out_key_cstr(out, "turn", color_name(row->turn));
    json_out_key_cstr(out, "offer", color_name(row->offer));
}

void net_write_game_row(NetBuf *out, const LiveGameRow *row) {
    json_out_open(out, '{');
    write_row_fields(out, row);
    json_out_key_int(out, "plies", row->plies);
    json_out_close(out, '}');
}

static void write_clocks(NetBuf *out, const LiveClocks *clocks) {
    json_out_key(out, "clocks");
    json_out_open(out, '{');
    json_out_key_int(out, "white", clocks->ms[CHESS_WHITE]);
    json_out_key_int(out, "black", clocks->ms[CHESS_BLACK]);
    json_out_key_cstr(out, "running",
                      clocks->running == 0 ? NULL : color_name((uint8_t)(clocks->running - 1)));
    json_out_key_int(out, "delay_left", clocks->delay_left_ms);
    json_out_key_int(out, "at", clocks->at_ms);
    json_out_close(out, '}');
}

static void write_move_fields(NetBuf *out, const LiveMoveRow *move) {
    json_out_key_cstr(out, "uci", move->uci);
    json_out_key_cstr(out, "san", move->san);
    json_out_key_cstr(out, "fen", move->fen);
    json_out_key_int(out, "clock", move->clock_ms);
    json_out_key_int(out, "at", move->at_ms);
    json_out_key_bool(out, "draw", move->draw);
}

// A game of this site stops only while it is being found out who can mate; none is adjourned.
static const char *state_name(uint8_t state) {
    switch ((LawsState)state) {
    case LAWS_SCHEDULED:
        return "scheduled";
    case LAWS_STOPPED:
        return "stopped";
    case LAWS_RUNNING:
    case LAWS_SEALING:
    case LAWS_ADJOURNED:
        return "running";
    case LAWS_ENDED:
        return "ended";
    case LAWS_ANNULLED:
        return "annulled";
    }
    return "annulled";
}

static void write_square(NetBuf *out, uint8_t square) {
    const char name[3] = { (char)('a' + square % 8), (char)('1' + square / 8), '\0' };
    json_out_cstr(out, name);
}

static void write_touched(NetBuf *out, const LiveTouched *touched) {
    json_out_open(out, '{');
    json_out_key(out, "squares");
    json_out_open(out, '[');
    for (int i = 0; i < touched->count; i++)
        write_square(out, touched->squares[i]);
    json_out_close(out, ']');
    json_out_key_bool(out, "adjusting", touched->adjusting);
    json_out_key_bool(out, "binds", touched->binds);
    json_out_key(out, "allowed");
    if (touched->allowed_count == 0) {
        json_out_null(out);
    } else {
        json_out_open(out, '[');
        for (int i = 0; i < touched->allowed_count; i++)
            json_out_cstr(out, touched->allowed[i]);
        json_out_close(out, ']');
    }
    json_out_close(out, '}');
}

static void write_change(NetBuf *out, const char *key, const RatingChange *change) {
    json_out_key(out, key);
    json_out_open(out, '{');
    json_out_key_int(out, "before", change->before);
    json_out_key_int(out, "after", change->after);
    json_out_key_int(out, "k", change->k);
    json_out_key_int(out, "e", change->expected);
    json_out_close(out, '}');
}

static void write_rated(NetBuf *out, const LiveRated *rated) {
    write_change(out, "white", &rated->change[CHESS_WHITE]);
    write_change(out, "black", &rated->change[CHESS_BLACK]);
}

void net_write_game(NetBuf *out, const LiveGameView *game) {
    const LiveGameRow *row = &game->row;
    json_out_open(out, '{');
    write_row_fields(out, row);
    json_out_key_int(out, "seq", (int64_t)game->seq);
    json_out_key_cstr(out, "state", state_name(row->state));
    json_out_key_cstr(out, "start_fen", game->start_fen);
    json_out_key_cstr(out, "fen", game->fen);
    json_out_key_int(out, "ply", row->plies);
    json_out_key(out, "moves");
    json_out_open(out, '[');
    for (uint32_t i = 0; i < row->plies; i++) {
        json_out_open(out, '{');
        write_move_fields(out, &game->moves[i]);
        json_out_close(out, '}');
    }
    json_out_close(out, ']');
    write_clocks(out, &game->clocks);
    json_out_key_bool(out, "check", game->check);
    write_word(out, "bound_move", game->bound_move);
    write_word(out, "article", game->article);
    json_out_key_int(out, "spectators", game->spectators);
    json_out_key_bool(out, "take_backs", game->row.take_backs != 0);
    json_out_key_int(out, "hints", game->row.hints);
    json_out_key_int(out, "created", row->created_ms);
    write_time(out, "first_move_by", game->first_move_by_ms);
    write_time(out, "abandon_claim_at", game->abandon_claim_at_ms);
    json_out_key(out, "touched");
    if (game->touched.count > 0 || game->touched.adjusting)
        write_touched(out, &game->touched);
    else
        json_out_null(out);
    json_out_key_bool(out, "corrected", game->corrected);
    json_out_key(out, "ratings");
    if (game->has_ratings) {
        json_out_open(out, '{');
        write_rated(out, &game->ratings);
        json_out_close(out, '}');
    } else {
        json_out_null(out);
    }
    json_out_close(out, '}');
}

void net_write_challenges(NetBuf *out, const LiveMessage *message) {
    json_out_open(out, '[');
    for (size_t i = 0; i < message->lobby.count; i++)
        net_write_challenge(out, &message->lobby.challenges[i]);
    json_out_close(out, ']');
}

void net_write_games(NetBuf *out, const LiveMessage *message) {
    json_out_open(out, '[');
    for (size_t i = 0; i < message->games.count; i++)
        net_write_game_row(out, &message->games.rows[i]);
    json_out_close(out, ']');
}

void net_write_own_challenges(NetBuf *out, const LiveMessage *message) {
    json_out_open(out, '[');
    for (size_t i = 0; i < message->games.challenge_count; i++)
        net_write_challenge(out, &message->games.challenges[i]);
    json_out_close(out, ']');
}

void net_write_watch(NetBuf *out, const LiveMessage *message) {
    json_out_open(out, '[');
    for (size_t i = 0; i < message->games.count; i++) {
        json_out_open(out, '{');
        json_out_key(out, "game");
        net_write_game_row(out, &message->games.rows[i]);
        json_out_key_int(out, "spectators", message->games.spectators[i]);
        json_out_close(out, '}');
    }
    json_out_close(out, ']');
}

// ---- messages ---------------------------------------------------------------------------------

static const char *type_name(uint8_t kind) {
    switch ((LiveMessageKind)kind) {
    case LIVE_MSG_LOBBY:
        return "lobby";
    case LIVE_MSG_LOBBY_ADD:
        return "lobby+";
    case LIVE_MSG_LOBBY_REMOVE:
        return "lobby-";
    case LIVE_MSG_GAMES:
        return "games";
    case LIVE_MSG_STARTED:
        return "started";
    case LIVE_MSG_ROW:
        return "row";
    case LIVE_MSG_GAME:
        return "game";
    case LIVE_MSG_MOVED:
        return "moved";
    case LIVE_MSG_CLOCK:
        return "clock";
    case LIVE_MSG_OFFER:
        return "offer";
    case LIVE_MSG_END:
        return "end";
    case LIVE_MSG_PRESENCE:
        return "presence";
    case LIVE_MSG_CHALLENGE_ADD:
        return "challenge+";
    case LIVE_MSG_CHALLENGE_REMOVE:
        return "challenge-";
    case LIVE_MSG_SAID:
        return "said";
    case LIVE_MSG_CHAT:
        return "chat";
    case LIVE_MSG_TOUCHED:
        return "touched";
    case LIVE_MSG_PREMOVE:
        return "premove";
    case LIVE_MSG_FALSE_FLAG:
        return "false_flag";
    case LIVE_MSG_RATED:
        return "rated";
    case LIVE_MSG_CORRECTED:
        return "corrected";
    }
    return NULL;
}

static void write_moved(NetBuf *out, const LiveMoved *moved) {
    json_out_key_int(out, "ply", moved->ply);
    write_move_fields(out, &moved->move);
    write_clocks(out, &moved->clocks);
    json_out_key_bool(out, "check", moved->check);
    write_time(out, "first_move_by", moved->first_move_by_ms);
}

static void write_offer(NetBuf *out, const LiveOffer *offer) {
    static const char *const acts[] = {
        [LIVE_OFFERED] = "offer",
        [LIVE_OFFER_DECLINED] = "decline",
        [LIVE_OFFER_CLAIM_WRONG] = "claim_wrong",
    };
    json_out_key_cstr(out, "offer", color_name(offer->offer));
    json_out_key_cstr(out, "by", color_name(offer->by));
    json_out_key_cstr(out, "act", offer->act < JD_COUNT(acts) ? acts[offer->act] : NULL);
    if (offer->article[0] != '\0')
        json_out_key_cstr(out, "article", offer->article);
    if (offer->bonus_ms != 0)
        json_out_key_int(out, "bonus_ms", offer->bonus_ms);
    write_word(out, "bound_move", offer->bound_move);
}

static void write_end(NetBuf *out, const LiveEnd *end) {
    json_out_key_cstr(out, "result", end->result);
    json_out_key_cstr(out, "reason", reason_name(end->reason));
    write_word(out, "article", end->article);
    write_clocks(out, &end->clocks);
}

static void write_presence(NetBuf *out, const LivePresence *presence) {
    json_out_key_bool(out, "white", presence->online[CHESS_WHITE]);
    json_out_key_bool(out, "black", presence->online[CHESS_BLACK]);
    json_out_key_int(out, "spectators", presence->spectators);
    write_time(out, "abandon_claim_at", presence->abandon_claim_at_ms);
}

static const char *room_name(uint8_t room) {
    return room == LIVE_ROOM_WATCHERS ? "watchers" : "players";
}

static void write_said(NetBuf *out, const LiveSaid *said) {
    json_out_key_cstr(out, "room", room_name(said->room));
    json_out_key_cstr(out, "by", color_name(said->by));
    write_word(out, "nick", said->nick);
    json_out_key_int(out, "at", said->at_ms);
    json_out_key_text(out, "text", said->text);
}

static void write_chat(NetBuf *out, const bool on[2]) {
    json_out_key_bool(out, "white", on[CHESS_WHITE]);
    json_out_key_bool(out, "black", on[CHESS_BLACK]);
}

static void write_touch(NetBuf *out, const LiveTouch *touch) {
    static const char *const acts[] = {
        [LIVE_TOUCH_TOUCHED] = "touch",
        [LIVE_TOUCH_ADJUSTING] = "adjust",
        [LIVE_TOUCH_CLAIMED] = "claim",
    };
    json_out_key_cstr(out, "by", color_name(touch->by));
    json_out_key_cstr(out, "act", touch->act < JD_COUNT(acts) ? acts[touch->act] : NULL);
    json_out_key(out, "square");
    if (touch->act == LIVE_TOUCH_ADJUSTING)
        json_out_null(out);
    else
        write_square(out, touch->square);
    json_out_key(out, "touched");
    write_touched(out, &touch->touched);
}

static void write_premove(NetBuf *out, const LivePremove *premove) {
    json_out_key_int(out, "ply", premove->ply);
    write_word(out, "uci", premove->uci);
    json_out_key_bool(out, "dropped", premove->dropped);
}

static const char *gone_name(LiveGone gone) {
    switch (gone) {
    case LIVE_GONE_CANCELLED:
        return "cancelled";
    case LIVE_GONE_EXPIRED:
        return "expired";
    case LIVE_GONE_JOINED:
        return "joined";
    case LIVE_GONE_DECLINED:
        return "declined";
    }
    return NULL;
}

static void write_data(NetBuf *out, const LiveMessage *message) {
    const LiveMessageKind kind = (LiveMessageKind)message->kind;
    json_out_open(out, '{');
    const bool of_challenge = kind == LIVE_MSG_CHALLENGE_ADD || kind == LIVE_MSG_CHALLENGE_REMOVE;
    if (kind == LIVE_MSG_STARTED || (kind >= LIVE_MSG_MOVED && !of_challenge))
        json_out_key_cstr(out, "game", message->id.text);
    // What goes to single connections has no number of the channel.
    if (kind != LIVE_MSG_CHAT && kind != LIVE_MSG_PREMOVE)
        json_out_key_int(out, "seq", (int64_t)message->seq);
    switch (kind) {
    case LIVE_MSG_LOBBY:
        json_out_key(out, "challenges");
        net_write_challenges(out, message);
        break;
    case LIVE_MSG_LOBBY_ADD:
    case LIVE_MSG_CHALLENGE_ADD:
        json_out_key(out, "challenge");
        net_write_challenge(out, message->challenge);
        break;
    case LIVE_MSG_LOBBY_REMOVE:
        json_out_key_cstr(out, "id", message->id.text);
        break;
    case LIVE_MSG_GAMES:
        json_out_key(out, "games");
        net_write_games(out, message);
        json_out_key(out, "challenges");
        net_write_own_challenges(out, message);
        break;
    case LIVE_MSG_CHALLENGE_REMOVE:
        json_out_key_cstr(out, "id", message->id.text);
        json_out_key_cstr(out, "gone", gone_name(message->gone));
        break;
    case LIVE_MSG_ROW:
        json_out_key(out, "game");
        net_write_game_row(out, message->row);
        break;
    case LIVE_MSG_MOVED:
        write_moved(out, message->moved);
        break;
    case LIVE_MSG_CLOCK:
        write_clocks(out, &message->clock->clocks);
        write_time(out, "first_move_by", message->clock->first_move_by_ms);
        break;
    case LIVE_MSG_OFFER:
        write_offer(out, message->offer);
        break;
    case LIVE_MSG_END:
        write_end(out, message->end);
        break;
    case LIVE_MSG_PRESENCE:
        write_presence(out, message->presence);
        break;
    case LIVE_MSG_SAID:
        write_said(out, message->said);
        break;
    case LIVE_MSG_CHAT:
        write_chat(out, message->chat.on);
        break;
    case LIVE_MSG_TOUCHED:
        write_touch(out, message->touch);
        break;
    case LIVE_MSG_PREMOVE:
        write_premove(out, message->premove);
        break;
    case LIVE_MSG_FALSE_FLAG:
        json_out_key_cstr(out, "by", color_name(message->false_flag.by));
        json_out_key_int(out, "presses", message->false_flag.presses);
        break;
    case LIVE_MSG_RATED:
        write_rated(out, message->rated);
        break;
    case LIVE_MSG_STARTED:
    case LIVE_MSG_CORRECTED:
    case LIVE_MSG_GAME:
        break;
    }
    json_out_close(out, '}');
}

void net_write_message(NetBuf *out, const LiveMessage *message) {
    json_out_open(out, '{');
    json_out_key_cstr(out, "t", type_name(message->kind));
    json_out_key(out, "d");
    if (message->kind == LIVE_MSG_GAME)
        net_write_game(out, message->game);
    else
        write_data(out, message);
    json_out_close(out, '}');
}
