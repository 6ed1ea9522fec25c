// SPDX-License-Identifier: GPL-3.0-or-later
//
// Decoding of challenges, moves and the other things people ask of the running site.
#include "net/commands.h"

#include <string.h>

#include "net/json_in.h"

#define FIELD(type, member, name_, kind_, optional_, min_, max_)                                   \
    {                                                                                              \
        .name = (name_), .kind = (kind_), .optional = (optional_), .min = (min_), .max = (max_),   \
        .offset = offsetof(type, member)                                                           \
    }

// No rating of the site comes near it.
#define RATING_RANGE_MAX 4000
// Numbers a double holds exactly: what a browser can send and get back unchanged.
#define SAFE_MAX ((INT64_C(1) << 53) - 1)

typedef struct Word {
    const char *text;
    uint8_t value;
} Word;

static bool read_word(JdStr text, const char *field, const Word *words, size_t count, uint8_t *out,
                      NetError *err) {
    for (size_t i = 0; i < count; i++) {
        if (jd_str_equal(text, jd_str(words[i].text))) {
            *out = words[i].value;
            return true;
        }
    }
    net_fail(err, "bad_request", field, "%s: expected", field);
    JdOut sentence = jd_out(err->message, sizeof(err->message) - 1);
    sentence.size = strlen(err->message);
    for (size_t i = 0; i < count; i++) {
        jd_out_cstr(&sentence, i == 0 ? " " : i + 1 == count ? " or " : ", ");
        jd_out_cstr(&sentence, words[i].text);
    }
    err->message[jd_out_str(&sentence).size] = '\0';
    return false;
}

// ---- controls ---------------------------------------------------------------------------------

// Figures of a control may be any whole number here; whether they are in range is live's to say,
// under the code "control_range".
typedef struct ControlFields {
    JdStr kind;
    int64_t base_ms;
    int64_t increment_ms;
    int64_t delay_ms;
    int64_t days;
    int64_t increment_moves;
    json_t *periods;
} ControlFields;

#define CONTROL(member, kind_)                                                                     \
    FIELD(ControlFields, member, #member, kind_, false, -SAFE_MAX, SAFE_MAX)
#define CONTROL_KIND FIELD(ControlFields, kind, "kind", NET_FIELD_TEXT, false, 1, 16)

typedef struct PeriodFields {
    int64_t moves;
    int64_t time_ms;
    int64_t increment_ms;
    int64_t delay_ms;
} PeriodFields;

#define PERIOD(member)                                                                             \
    FIELD(PeriodFields, member, #member, NET_FIELD_INTEGER, false, -SAFE_MAX, SAFE_MAX)

static bool out_of_range(NetError *err, const char *field, const char *expected) {
    return net_fail(err, "control_range", field, "%s: expected %s", field, expected);
}

static bool read_period(json_t *object, LivePeriod *out, NetError *err) {
    static const NetField fields[] = { PERIOD(moves), PERIOD(time_ms), PERIOD(increment_ms),
                                       PERIOD(delay_ms) };
    PeriodFields read = { 0 };
    if (!json_is_object(object))
        return net_fail(err, "bad_request", "periods", "periods: expected objects");
    if (!net_json_read(object, fields, JD_COUNT(fields), &read, err))
        return false;
    if (read.moves < 0 || read.moves > UINT32_MAX)
        return out_of_range(err, "moves", "a number of moves, 0 for all");
    *out = (LivePeriod) { .moves = (uint32_t)read.moves,
                          .time_ms = read.time_ms,
                          .increment_ms = read.increment_ms,
                          .delay_ms = read.delay_ms };
    return true;
}

static bool read_clock(json_t *object, LiveControl *out, NetError *err) {
    static const NetField fields[] = { CONTROL_KIND, CONTROL(base_ms, NET_FIELD_INTEGER),
                                       CONTROL(increment_ms, NET_FIELD_INTEGER),
                                       CONTROL(delay_ms, NET_FIELD_INTEGER) };
    ControlFields read = { 0 };
    if (!net_json_read(object, fields, JD_COUNT(fields), &read, err))
        return false;
    out->kind = LIVE_CONTROL_CLOCK;
    out->period_count = 1;
    out->periods[0] = (LivePeriod) { .time_ms = read.base_ms,
                                     .increment_ms = read.increment_ms,
                                     .delay_ms = read.delay_ms };
    return true;
}

static bool read_periods(json_t *object, LiveControl *out, NetError *err) {
    static const NetField fields[] = { CONTROL_KIND, FIELD(ControlFields, periods, "periods",
                                                           NET_FIELD_LIST, false, 0, 1000) };
    ControlFields read = { 0 };
    if (!net_json_read(object, fields, JD_COUNT(fields), &read, err))
        return false;
    const size_t count = json_array_size(read.periods);
    if (count < 1 || count > LAWS_PERIODS_MAX)
        return out_of_range(err, "periods", "one to six of them");
    out->kind = LIVE_CONTROL_PERIODS;
    out->period_count = (uint8_t)count;
    for (size_t i = 0; i < count; i++)
        if (!read_period(json_array_get(read.periods, i), &out->periods[i], err))
            return false;
    return true;
}

static bool read_days(json_t *object, LiveControl *out, NetError *err) {
    static const NetField fields[] = { CONTROL_KIND, CONTROL(days, NET_FIELD_INTEGER) };
    ControlFields read = { 0 };
    if (!net_json_read(object, fields, JD_COUNT(fields), &read, err))
        return false;
    if (read.days < 1 || read.days > 14)
        return out_of_range(err, "days", "1 to 14");
    out->kind = LIVE_CONTROL_DAYS;
    out->days = (uint8_t)read.days;
    return true;
}

static bool read_bank(json_t *object, LiveControl *out, NetError *err) {
    static const NetField fields[] = { CONTROL_KIND, CONTROL(base_ms, NET_FIELD_INTEGER),
                                       CONTROL(increment_ms, NET_FIELD_INTEGER),
                                       CONTROL(increment_moves, NET_FIELD_INTEGER) };
    ControlFields read = { 0 };
    if (!net_json_read(object, fields, JD_COUNT(fields), &read, err))
        return false;
    if (read.increment_moves < 0 || read.increment_moves > UINT32_MAX)
        return out_of_range(err, "increment_moves", "360");
    out->kind = LIVE_CONTROL_BANK;
    out->period_count = 1;
    out->periods[0] = (LivePeriod) { .time_ms = read.base_ms,
                                     .increment_ms = read.increment_ms,
                                     .increment_moves = (uint32_t)read.increment_moves };
    return true;
}

static bool read_control(json_t *object, LiveControl *out, NetError *err) {
    static const Word kinds[] = { { "clock", LIVE_CONTROL_CLOCK },
                                  { "periods", LIVE_CONTROL_PERIODS },
                                  { "days", LIVE_CONTROL_DAYS },
                                  { "bank", LIVE_CONTROL_BANK } };
    const json_t *kind = json_object_get(object, "kind");
    uint8_t which = 0;
    if (!json_is_string(kind))
        return net_fail(err, "bad_request", "kind", "kind: expected a text");
    if (!read_word(jd_str(json_string_value(kind)), "kind", kinds, JD_COUNT(kinds), &which, err))
        return false;
    *out = (LiveControl) { .kind = 0 };
    switch ((LiveControlKind)which) {
    case LIVE_CONTROL_CLOCK:
        return read_clock(object, out, err);
    case LIVE_CONTROL_PERIODS:
        return read_periods(object, out, err);
    case LIVE_CONTROL_DAYS:
        return read_days(object, out, err);
    case LIVE_CONTROL_BANK:
        return read_bank(object, out, err);
    }
    return false;
}

// ---- what the bodies hold ---------------------------------------------------------------------

typedef struct Fields {
    JdStr game;
    JdStr challenge;
    JdStr channel;
    JdStr uci;
    JdStr act;
    JdStr color;
    JdStr type;
    JdStr edition;
    JdStr flag;
    JdStr key;
    JdStr to;
    JdStr rematch;
    JdStr text;
    JdStr room;
    JdStr square;
    json_t *control;
    json_t *rating;
    int64_t ply;
    int64_t since;
    int64_t c;
    bool draw;
    bool rated;
    bool touch;
    bool confirmed;
    bool on;
    bool binds;
    int64_t level;
    JdStr fen;
    bool take_backs;
} Fields;

#define TEXT(member, name, optional, min, max)                                                     \
    FIELD(Fields, member, name, NET_FIELD_TEXT, optional, min, max)
#define GAME TEXT(game, "game", false, 0, 64)
// Any short text is a move as far as the wire goes: what is no move is illegal, and live says so.
#define UCI TEXT(uci, "uci", false, 1, 16)
#define PLY FIELD(Fields, ply, "ply", NET_FIELD_INTEGER, false, 0, UINT32_MAX)

static const Word draw_acts[] = { { "offer", LIVE_DRAW_OFFER },
                                  { "accept", LIVE_DRAW_ACCEPT },
                                  { "decline", LIVE_DRAW_DECLINE },
                                  { "claim", LIVE_DRAW_CLAIM },
                                  { "claim_with", LIVE_DRAW_CLAIM_WITH } };

static bool set_id(JdStr text, const char *what, LiveId *out, NetError *err) {
    if (live_id_parse(text, out))
        return true;
    return net_fail(err, "not_found", what, "there is no such %s", what);
}

// [least, most]; whether it is a sound range is live's to say.
static bool read_range(json_t *list, LiveCommand *out, NetError *err) {
    const json_t *least = json_array_get(list, 0);
    const json_t *most = json_array_get(list, 1);
    if (!json_is_integer(least) || !json_is_integer(most) || json_integer_value(least) < 0 ||
        json_integer_value(most) > RATING_RANGE_MAX ||
        json_integer_value(least) >= json_integer_value(most))
        return net_fail(err, "range_bad", "rating",
                        "rating: expected two rising numbers from 0 to %d", RATING_RANGE_MAX);
    out->rating_min = (uint16_t)json_integer_value(least);
    out->rating_max = (uint16_t)json_integer_value(most);
    return true;
}

static bool set_challenge(const Fields *read, LiveCommand *out, NetError *err) {
    static const Word colors[] = { { "white", LIVE_COLOR_WHITE },
                                   { "black", LIVE_COLOR_BLACK },
                                   { "random", LIVE_COLOR_RANDOM } };
    static const Word types[] = { { "classic", LIVE_CLASSIC },
                                  { "advance", LIVE_ADVANCE },
                                  { "blitz", LIVE_BLITZ } };
    static const Word flags[] = { { "auto", LIVE_FLAG_AUTO }, { "claim", LIVE_FLAG_CLAIM } };
    LawsEdition edition = LAWS_FIDE_2023;
    out->kind = LIVE_CHALLENGE;
    out->rated = read->rated;
    out->touch = read->touch;
    out->key = read->key;
    out->to_nick = read->to;
    out->confirmed_only = read->confirmed;
    out->fen = read->fen;
    if (read->rematch.size > 0)
        return set_id(read->rematch, "rematch", &out->rematch, err);
    if (read->rating != NULL && !read_range(read->rating, out, err))
        return false;
    if (read->edition.size > 0) {
        if (!laws_edition_parse(read->edition, &edition))
            return net_fail(err, "bad_request", "edition",
                            "edition: expected fide-1997, fide-2005, fide-2009, fide-2014 or "
                            "fide-2023");
        out->edition = (uint8_t)edition;
    }
    if (read->type.size > 0 &&
        !read_word(read->type, "type", types, JD_COUNT(types), &out->type, err))
        return false;
    if (read->flag.size > 0 &&
        !read_word(read->flag, "flag", flags, JD_COUNT(flags), &out->flag, err))
        return false;
    return read_word(read->color, "color", colors, JD_COUNT(colors), &out->color, err) &&
           read_control(read->control, &out->control, err);
}

static bool set_move(const Fields *read, LiveCommand *out, NetError *err) {
    (void)err;
    out->kind = LIVE_MOVE;
    out->ply = (uint32_t)read->ply;
    out->uci = read->uci;
    out->draw = read->draw;
    return true;
}

static bool set_draw(const Fields *read, LiveCommand *out, NetError *err) {
    out->kind = LIVE_DRAW;
    out->ply = (uint32_t)read->ply;
    out->uci = read->uci;
    if (!read_word(read->act, "act", draw_acts, JD_COUNT(draw_acts), &out->act, err))
        return false;
    if (out->act == LIVE_DRAW_CLAIM_WITH && read->uci.size == 0)
        return net_fail(err, "bad_request", "uci", "uci: missing (the intended move)");
    if (out->act != LIVE_DRAW_CLAIM_WITH && read->uci.size != 0)
        return net_fail(err, "bad_request", "uci", "uci: only goes with claim_with");
    return true;
}

static bool set_abandon(const Fields *read, LiveCommand *out, NetError *err) {
    static const Word acts[] = { { "win", 0 }, { "draw", 1 } };
    out->kind = LIVE_ABANDON;
    return read_word(read->act, "act", acts, JD_COUNT(acts), &out->draw, err);
}

static bool set_channel(const Fields *read, LiveCommand *out, NetError *err);

static bool set_say(const Fields *read, LiveCommand *out, NetError *err) {
    static const Word rooms[] = { { "players", LIVE_ROOM_PLAYERS },
                                  { "watchers", LIVE_ROOM_WATCHERS } };
    out->room = LIVE_ROOM_PLAYERS;
    out->text = read->text;
    if (read->room.size > 0 &&
        !read_word(read->room, "room", rooms, JD_COUNT(rooms), &out->room, err))
        return false;
    if (!set_channel(read, out, err))
        return false;
    if (out->channel.kind == LIVE_CHANNEL_GAME)
        return true;
    return net_fail(err, "bad_request", "ch", "ch: expected game:ID");
}

static bool set_switch(const Fields *read, LiveCommand *out, NetError *err) {
    (void)err;
    out->on = read->on;
    return true;
}

static bool set_touch(const Fields *read, LiveCommand *out, NetError *err) {
    const JdStr square = read->square;
    if (square.size != 2 || square.data[0] < 'a' || square.data[0] > 'h' || square.data[1] < '1' ||
        square.data[1] > '8')
        return net_fail(err, "bad_request", "square", "square: expected a1 to h8");
    out->ply = (uint32_t)read->ply;
    out->square = (uint8_t)(square.data[0] - 'a' + 8 * (square.data[1] - '1'));
    out->on = read->binds;
    return true;
}

static bool set_ply(const Fields *read, LiveCommand *out, NetError *err) {
    (void)err;
    out->ply = (uint32_t)read->ply;
    out->uci = read->uci;
    return true;
}

static bool set_channel(const Fields *read, LiveCommand *out, NetError *err) {
    const JdStr name = read->channel;
    if (jd_str_equal(name, JD_STR("lobby"))) {
        out->channel.kind = LIVE_CHANNEL_LOBBY;
        return true;
    }
    if (jd_str_equal(name, JD_STR("me"))) {
        out->channel.kind = LIVE_CHANNEL_ME;
        return true;
    }
    if (!jd_str_starts_with(name, JD_STR("game:")))
        return net_fail(err, "bad_request", "ch", "ch: expected lobby, me or game:ID");
    out->channel.kind = LIVE_CHANNEL_GAME;
    if (!live_id_parse(jd_str_part(name, 5, name.size), &out->channel.game))
        return net_fail(err, "not_found", "ch", "there is no such game");
    out->id = out->channel.game;
    return true;
}

// ---- HTTP bodies ------------------------------------------------------------------------------

#define CHALLENGE_FIELDS                                                                           \
    FIELD(Fields, control, "control", NET_FIELD_OBJECT, false, 0, 0),                              \
        TEXT(color, "color", false, 1, 16),                                                        \
        FIELD(Fields, rated, "rated", NET_FIELD_BOOL, false, 0, 0),                                \
        TEXT(type, "type", true, 1, 16), TEXT(edition, "edition", true, 1, 16),                    \
        TEXT(flag, "flag", true, 1, 16),                                                           \
        FIELD(Fields, touch, "touch", NET_FIELD_BOOL, true, 0, 0),                                 \
        FIELD(Fields, rating, "rating", NET_FIELD_LIST, true, 2, 2),                               \
        FIELD(Fields, confirmed, "confirmed", NET_FIELD_BOOL, true, 0, 0),                         \
        TEXT(fen, "fen", true, 1, CHESS_FEN_TEXT_MAX), TEXT(to, "to", true, 1, 64),                \
        TEXT(key, "key", true, 0, LIVE_KEY_MAX)
#define MOVE_FIELDS PLY, UCI, FIELD(Fields, draw, "draw", NET_FIELD_BOOL, true, 0, 0)
#define DRAW_FIELDS PLY, TEXT(act, "act", false, 1, 16), TEXT(uci, "uci", true, 0, 16)
#define ABANDON_FIELDS TEXT(act, "act", false, 1, 16)

static const NetField challenge_fields[] = { CHALLENGE_FIELDS };
// A rematch names its game alone: everything else follows from that.
static const NetField rematch_fields[] = { TEXT(rematch, "rematch", false, 1, 64),
                                           TEXT(key, "key", true, 0, LIVE_KEY_MAX) };

static bool read_challenge(json_t *object, Fields *read, NetError *err) {
    if (json_object_get(object, "rematch") != NULL)
        return net_json_read(object, rematch_fields, JD_COUNT(rematch_fields), read, err);
    return net_json_read(object, challenge_fields, JD_COUNT(challenge_fields), read, err);
}

bool net_command_challenge(json_t *object, LiveCommand *out, NetError *err) {
    Fields read = { .draw = false };
    return read_challenge(object, &read, err) && set_challenge(&read, out, err);
}

bool net_command_computer(json_t *object, LiveCommand *out, NetError *err) {
    static const NetField fields[] = {
        FIELD(Fields, level, "level", NET_FIELD_INTEGER, false, 1, LIVE_LEVELS_MAX),
        TEXT(color, "color", false, 1, 8),
        FIELD(Fields, control, "control", NET_FIELD_OBJECT, false, 0, 0),
        TEXT(edition, "edition", true, 1, 16),
        TEXT(fen, "fen", true, 1, CHESS_FEN_TEXT_MAX),
        FIELD(Fields, take_backs, "take_backs", NET_FIELD_BOOL, true, 0, 0),
    };
    Fields read = { .draw = false };
    if (!net_json_read(object, fields, JD_COUNT(fields), &read, err) ||
        !set_challenge(&read, out, err))
        return false;
    out->kind = LIVE_PLAY_COMPUTER;
    out->level = (uint8_t)read.level;
    out->fen = read.fen;
    out->take_backs = read.take_backs;
    return true;
}

void net_command_house(const NetConfig *config, LiveCommand *command) {
    if (command->kind != LIVE_CHALLENGE && command->kind != LIVE_PLAY_COMPUTER)
        return;
    if (command->edition == 0)
        command->edition = (uint8_t)config->edition;
    command->unwatched = !config->supervised;
}

bool net_command_move(json_t *object, LiveCommand *out, NetError *err) {
    static const NetField fields[] = { MOVE_FIELDS };
    Fields read = { .draw = false };
    return net_json_read(object, fields, JD_COUNT(fields), &read, err) && set_move(&read, out, err);
}

bool net_command_hint(json_t *object, LiveCommand *out, NetError *err) {
    static const NetField fields[] = { PLY, TEXT(uci, "uci", true, 0, 16) };
    Fields read = { .draw = false };
    if (!net_json_read(object, fields, JD_COUNT(fields), &read, err))
        return false;
    *out = (LiveCommand) { .kind = LIVE_HINT, .ply = (uint32_t)read.ply, .uci = read.uci };
    return true;
}

bool net_command_draw(json_t *object, LiveCommand *out, NetError *err) {
    static const NetField fields[] = { DRAW_FIELDS };
    Fields read = { .draw = false };
    return net_json_read(object, fields, JD_COUNT(fields), &read, err) && set_draw(&read, out, err);
}

bool net_command_abandon(json_t *object, LiveCommand *out, NetError *err) {
    static const NetField fields[] = { ABANDON_FIELDS };
    Fields read = { .draw = false };
    return net_json_read(object, fields, JD_COUNT(fields), &read, err) &&
           set_abandon(&read, out, err);
}

bool net_command_empty(json_t *object, NetError *err) {
    return net_json_read(object, NULL, 0, NULL, err);
}

// ---- WebSocket messages -----------------------------------------------------------------------

static const NetField channel_fields[] = { TEXT(channel, "ch", false, 1, 64) };
static const NetField sub_fields[] = { TEXT(channel, "ch", false, 1, 64),
                                       FIELD(Fields, since, "since", NET_FIELD_INTEGER, true, 0,
                                             SAFE_MAX) };
static const NetField pick_fields[] = { TEXT(challenge, "challenge", false, 0, 64) };
static const NetField game_fields[] = { GAME };
static const NetField move_fields[] = { GAME, MOVE_FIELDS };
static const NetField draw_fields[] = { GAME, DRAW_FIELDS };
static const NetField abandon_fields[] = { GAME, ABANDON_FIELDS };
static const NetField say_fields[] = { TEXT(channel, "ch", false, 1, 64),
                                       TEXT(room, "room", true, 1, 16),
                                       TEXT(text, "text", false, 0, 8192) };
static const NetField switch_fields[] = { GAME,
                                          FIELD(Fields, on, "on", NET_FIELD_BOOL, false, 0, 0) };
static const NetField touch_fields[] = { GAME, PLY, TEXT(square, "square", false, 0, 16),
                                         FIELD(Fields, binds, "binds", NET_FIELD_BOOL, true, 0,
                                               0) };
static const NetField adjust_fields[] = { GAME, PLY };
static const NetField premove_fields[] = { GAME, PLY, TEXT(uci, "uci", true, 0, 16) };
static const NetField ping_fields[] = { FIELD(Fields, c, "c", NET_FIELD_INTEGER, false, -SAFE_MAX,
                                              SAFE_MAX) };

typedef enum Subject { ON_NOTHING, ON_GAME, ON_CHALLENGE } Subject;

static const struct {
    const char *name;
    NetMessageKind kind;
    uint8_t command; // LiveCommandKind
    Subject subject;
    const NetField *fields;
    size_t field_count;
    bool (*set)(const Fields *read, LiveCommand *out, NetError *err);
} types[] = {
#define FIELDS(table) table, JD_COUNT(table)
    { "hello", NET_MESSAGE_HELLO, 0, ON_NOTHING, NULL, 0, NULL },
    { "ping", NET_MESSAGE_PING, 0, ON_NOTHING, FIELDS(ping_fields), NULL },
    { "sub", NET_MESSAGE_COMMAND, LIVE_SUBSCRIBE, ON_NOTHING, FIELDS(sub_fields), set_channel },
    { "unsub", NET_MESSAGE_COMMAND, LIVE_UNSUBSCRIBE, ON_NOTHING, FIELDS(channel_fields),
      set_channel },
    { "challenge", NET_MESSAGE_COMMAND, LIVE_CHALLENGE, ON_NOTHING, FIELDS(challenge_fields),
      set_challenge },
    { "cancel", NET_MESSAGE_COMMAND, LIVE_CANCEL, ON_CHALLENGE, FIELDS(pick_fields), NULL },
    { "decline", NET_MESSAGE_COMMAND, LIVE_DECLINE, ON_CHALLENGE, FIELDS(pick_fields), NULL },
    { "join", NET_MESSAGE_COMMAND, LIVE_JOIN, ON_CHALLENGE, FIELDS(pick_fields), NULL },
    { "move", NET_MESSAGE_COMMAND, LIVE_MOVE, ON_GAME, FIELDS(move_fields), set_move },
    { "draw", NET_MESSAGE_COMMAND, LIVE_DRAW, ON_GAME, FIELDS(draw_fields), set_draw },
    { "resign", NET_MESSAGE_COMMAND, LIVE_RESIGN, ON_GAME, FIELDS(game_fields), NULL },
    { "abort", NET_MESSAGE_COMMAND, LIVE_ABORT, ON_GAME, FIELDS(game_fields), NULL },
    { "flag", NET_MESSAGE_COMMAND, LIVE_FLAG, ON_GAME, FIELDS(game_fields), NULL },
    { "abandon", NET_MESSAGE_COMMAND, LIVE_ABANDON, ON_GAME, FIELDS(abandon_fields), set_abandon },
    { "say", NET_MESSAGE_COMMAND, LIVE_SAY, ON_NOTHING, FIELDS(say_fields), set_say },
    { "chat", NET_MESSAGE_COMMAND, LIVE_CHAT_SWITCH, ON_GAME, FIELDS(switch_fields), set_switch },
    { "touch", NET_MESSAGE_COMMAND, LIVE_TOUCH, ON_GAME, FIELDS(touch_fields), set_touch },
    { "adjust", NET_MESSAGE_COMMAND, LIVE_ADJUST, ON_GAME, FIELDS(adjust_fields), set_ply },
    { "claim_touch", NET_MESSAGE_COMMAND, LIVE_CLAIM_TOUCH, ON_GAME, FIELDS(game_fields), NULL },
    { "premove", NET_MESSAGE_COMMAND, LIVE_PREMOVE, ON_GAME, FIELDS(premove_fields), set_ply },
#undef FIELDS
};

typedef struct Envelope {
    JdStr type;
    int64_t id;
    json_t *data;
} Envelope;

static bool read_data(size_t which, json_t *data, NetMessage *out, NetError *err) {
    Fields read = { .since = -1 };
    const bool is_form = types[which].fields == challenge_fields;
    if (is_form ? !read_challenge(data, &read, err)
                : !net_json_read(data, types[which].fields, types[which].field_count, &read, err))
        return false;
    out->kind = types[which].kind;
    out->ping = read.c;
    LiveCommand *command = &out->command;
    command->kind = types[which].command;
    if (types[which].set != NULL && !types[which].set(&read, command, err))
        return false;
    command->has_since = read.since >= 0;
    command->since = read.since >= 0 ? (uint64_t)read.since : 0;
    switch (types[which].subject) {
    case ON_NOTHING:
        return true;
    case ON_GAME:
        return set_id(read.game, "game", &command->id, err);
    case ON_CHALLENGE:
        return set_id(read.challenge, "challenge", &command->id, err);
    }
    return false;
}

bool net_message_read(json_t *object, NetMessage *out, NetError *err) {
    static const NetField fields[] = {
        FIELD(Envelope, type, "t", NET_FIELD_TEXT, false, 1, 16),
        FIELD(Envelope, id, "id", NET_FIELD_INTEGER, true, 0, SAFE_MAX),
        FIELD(Envelope, data, "d", NET_FIELD_OBJECT, false, 0, 0),
    };
    *out = (NetMessage) { .kind = NET_MESSAGE_HELLO };
    const json_t *id = json_object_get(object, "id");
    if (json_is_integer(id) && json_integer_value(id) >= 0 && json_integer_value(id) <= SAFE_MAX) {
        out->has_id = true;
        out->id = json_integer_value(id);
    }
    Envelope envelope = { .id = 0 };
    if (!net_json_read(object, fields, JD_COUNT(fields), &envelope, err))
        return false;
    for (size_t i = 0; i < JD_COUNT(types); i++)
        if (jd_str_equal(envelope.type, jd_str(types[i].name)))
            return read_data(i, envelope.data, out, err);
    return net_fail(err, "bad_request", "t", "t: there is no such message");
}
