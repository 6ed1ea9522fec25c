// SPDX-License-Identifier: GPL-3.0-or-later
//
// Runs scenario files (tests/data/live/*.txt): commands in, every effect compared. The language is
// described in tests/data/live/README.md.
#include "script.h"
#include "live/fold.h"
#include "world.h"

#define BASE_MS INT64_C(1700000000000) // second 0 of every scenario: 2023-11-14 22:13:20 UTC
#define TEXT_MAX 8192
#define IDS_MAX 64

typedef struct Names {
    LiveId ids[IDS_MAX];
    size_t count;
} Names;

typedef struct Script {
    const char *path;
    int line;
    Live *live;
    LiveEffects fx;
    LiveMemory memory;
    int64_t bytes;
    int64_t now_ms;
    int64_t opened_ms;
    uint64_t random;
    LiveProfile profile; // of the command being read
    LiveRated rated;
    Log log;
    Names games;
    Names challenges;
    uint32_t plies[IDS_MAX]; // of each game, as the log says
    char out[TEXT_MAX];
    size_t out_size;
} Script;

static const char *const people[] = { "", "anna", "boris", "carla", "dan", "eva" };

// ---- names --------------------------------------------------------------------------------------

static LiveAccount account_of(const Script *s, const char *name) {
    for (size_t i = 1; i < JD_COUNT(people); i++)
        if (strcmp(people[i], name) == 0)
            return (LiveAccount)i;
    if (strcmp(name, "guest") != 0)
        fail_msg("%s:%d: who is %s?", s->path, s->line, name);
    return 0;
}

static int index_of(const Names *names, const LiveId *id) {
    for (size_t i = 0; i < names->count; i++)
        if (live_id_equal(&names->ids[i], id))
            return (int)i + 1;
    return 0;
}

static LiveId id_named(const Script *s, const char *word) {
    const Names *names = word[0] == 'g' ? &s->games : &s->challenges;
    const int index = atoi(word + 1);
    LiveId id = { "------------" };
    if (index > 0 && (size_t)index <= names->count)
        id = names->ids[index - 1];
    return id;
}

// ---- effects as text ----------------------------------------------------------------------------

static void say(Script *s, const char *format, ...) JD_FORMAT(2, 3);
static void say(Script *s, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int size = vsnprintf(s->out + s->out_size, TEXT_MAX - s->out_size, format, arguments);
    va_end(arguments);
    s->out_size += (size_t)size;
    assert_true(s->out_size < TEXT_MAX);
}

static void say_time(Script *s, const char *label, int64_t at_ms) {
    if (at_ms != LIVE_NEVER)
        say(s, " %s=%.3f", label, (double)(at_ms - BASE_MS) / 1000);
}

static void say_clocks(Script *s, const LiveClocks *clocks) {
    static const char running[] = { '-', 'w', 'b' };
    say(s, " %.3f/%.3f %c", (double)clocks->ms[0] / 1000, (double)clocks->ms[1] / 1000,
        running[clocks->running]);
    if (clocks->delay_left_ms > 0)
        say(s, " delay=%.3f", (double)clocks->delay_left_ms / 1000);
}

static const char *color_name(int color) {
    static const char *const names[] = { "white", "black", "none" };
    return names[color];
}

static const char *state_name(int state) {
    static const char *const names[] = { "?",       "scheduled", "running", "stopped",
                                         "sealing", "adjourned", "ended",   "annulled" };
    return names[state];
}

static void say_end(Script *s, const char *result, int reason, const char *article) {
    say(s, " %s %s", result, laws_reason_name((LawsReason)reason));
    if (article[0] != '\0')
        say(s, " %s", article);
}

static void say_row(Script *s, const LiveGameRow *row) {
    say(s, " g%d %s ply=%u", index_of(&s->games, &row->id), state_name(row->state), row->plies);
    if (row->offer != LIVE_NO_COLOR)
        say(s, " offer=%s", color_name(row->offer));
}

static void say_touched(Script *s, const LiveTouched *touched) {
    for (int i = 0; i < touched->count; i++)
        say(s, "%s%c%c", i == 0 ? " touched=" : ",", 'a' + touched->squares[i] % 8,
            '1' + touched->squares[i] / 8);
    for (int i = 0; i < touched->allowed_count; i++)
        say(s, "%s%s", i == 0 ? " only " : ",", touched->allowed[i]);
}

// A newcomer's is not worth a word.
static void say_rating(Script *s, int32_t rating, bool provisional) {
    if (rating != RATING_DEFAULT || !provisional)
        say(s, "(%d%s)", (int)rating, provisional ? "?" : "");
}

static void say_change(Script *s, const LiveRated *rated) {
    for (int color = 0; color < 2; color++)
        say(s, "%s%d>%d", color > 0 ? "," : " ", (int)rated->change[color].before,
            (int)rated->change[color].after);
}

static void say_view(Script *s, const LiveGameView *view) {
    const LiveGameRow *row = &view->row;
    if (view->seq < 1000000)
        say(s, " #%llu", (unsigned long long)view->seq);
    say_row(s, row);
    say_clocks(s, &view->clocks);
    say(s, " seats=");
    for (int color = 0; color < 2; color++) {
        const LiveSeat *seat = &row->seats[color];
        say(s, "%s%s%s", color > 0 ? "," : "", seat->nick, seat->online ? "+" : "");
        say_rating(s, seat->rating, seat->provisional);
    }
    if (view->has_ratings)
        say_change(s, &view->ratings);
    if (view->spectators > 0)
        say(s, " watched=%u", view->spectators);
    if (view->check)
        say(s, " check");
    if (view->bound_move[0] != '\0')
        say(s, " bound=%s", view->bound_move);
    say_touched(s, &view->touched);
    say_time(s, "first", view->first_move_by_ms);
    say_time(s, "claim", view->abandon_claim_at_ms);
    if (row->reason != LAWS_NOT_ENDED)
        say_end(s, row->result, row->reason, view->article);
}

// What is not as in most games: Laws of 2023 at the category's pace, automatic flags.
static void say_terms(Script *s, const LiveChallenge *c) {
    if (c->type == LIVE_ADVANCE)
        say(s, " advance");
    if (c->edition != LAWS_FIDE_2023)
        say(s, " %s", laws_edition_name((LawsEdition)c->edition));
    if (c->pace != c->category)
        say(s, " pace=%s", laws_pace_name((LawsPace)c->pace));
    if (c->flag == LIVE_FLAG_CLAIM)
        say(s, " claims");
    if (c->touch != 0)
        say(s, " touch");
}

static void say_touch(Script *s, const LiveTouch *touch) {
    static const char *const acts[] = { "?", "touch", "adjust", "claim" };
    say(s, "%s %s", acts[touch->act], color_name(touch->by));
    if (touch->act != LIVE_TOUCH_ADJUSTING)
        say(s, " %c%c", 'a' + touch->square % 8, '1' + touch->square / 8);
    say(s, "%s%s", touch->touched.adjusting ? " free" : "", touch->touched.binds ? " binds" : "");
    say_touched(s, &touch->touched);
}

static void say_message(Script *s, const LiveMessage *m) {
    switch ((LiveMessageKind)m->kind) {
    case LIVE_MSG_LOBBY:
        say(s, "lobby(");
        for (size_t i = 0; i < m->lobby.count; i++)
            say(s, "%sc%d", i > 0 ? "," : "", index_of(&s->challenges, &m->lobby.challenges[i].id));
        say(s, ")");
        return;
    case LIVE_MSG_LOBBY_ADD: {
        static const char *const choices[] = { "white", "black", "random" };
        say(s, "lobby+ c%d %s %s %s%s", index_of(&s->challenges, &m->challenge->id),
            m->challenge->nick, laws_pace_name((LawsPace)m->challenge->category),
            choices[m->challenge->color], m->challenge->rated ? " rated" : "");
        say_terms(s, m->challenge);
        say_rating(s, m->challenge->rating, m->challenge->provisional);
        return;
    }
    case LIVE_MSG_LOBBY_REMOVE:
        say(s, "lobby- c%d", index_of(&s->challenges, &m->id));
        return;
    case LIVE_MSG_GAMES:
        say(s, "games(");
        for (size_t i = 0; i < m->games.count; i++)
            say(s, "%sg%d", i > 0 ? "," : "", index_of(&s->games, &m->games.rows[i].id));
        say(s, ")");
        for (size_t i = 0; i < m->games.challenge_count; i++)
            say(s, "%sc%d", i > 0 ? "," : " ",
                index_of(&s->challenges, &m->games.challenges[i].id));
        return;
    case LIVE_MSG_CHALLENGE_ADD:
        say(s, "challenge+ c%d %s", index_of(&s->challenges, &m->challenge->id),
            m->challenge->nick);
        if (m->challenge->to != 0)
            say(s, " to %s", m->challenge->to_nick);
        if (m->challenge->rematch.text[0] != '\0')
            say(s, " rematch g%d", index_of(&s->games, &m->challenge->rematch));
        say_terms(s, m->challenge);
        return;
    case LIVE_MSG_CHALLENGE_REMOVE: {
        static const char *const gone[] = { "?", "cancelled", "expired", "joined", "declined" };
        say(s, "challenge- c%d %s", index_of(&s->challenges, &m->id), gone[m->gone]);
        return;
    }
    case LIVE_MSG_STARTED:
        say(s, "started g%d", index_of(&s->games, &m->id));
        return;
    case LIVE_MSG_ROW:
        say(s, "row");
        say_row(s, m->row);
        return;
    case LIVE_MSG_GAME:
        say(s, "game");
        say_view(s, m->game);
        return;
    case LIVE_MSG_MOVED:
        say(s, "moved %u %s", m->moved->ply, m->moved->move.san);
        say_clocks(s, &m->moved->clocks);
        say(s, "%s%s", m->moved->check ? " check" : "", m->moved->move.draw ? " draw" : "");
        say_time(s, "first", m->moved->first_move_by_ms);
        return;
    case LIVE_MSG_CLOCK:
        say(s, "clock");
        say_clocks(s, &m->clock->clocks);
        say_time(s, "first", m->clock->first_move_by_ms);
        return;
    case LIVE_MSG_OFFER: {
        static const char *const acts[] = { "?", "offered", "declined", "claim_wrong" };
        say(s, "offer %s by %s %s", color_name(m->offer->offer), color_name(m->offer->by),
            acts[m->offer->act]);
        if (m->offer->article[0] != '\0')
            say(s, " %s", m->offer->article);
        if (m->offer->bonus_ms != 0)
            say(s, " bonus=%.3f", (double)m->offer->bonus_ms / 1000);
        if (m->offer->bound_move[0] != '\0')
            say(s, " bound=%s", m->offer->bound_move);
        return;
    }
    case LIVE_MSG_END:
        say(s, "end");
        say_end(s, m->end->result, m->end->reason, m->end->article);
        say_clocks(s, &m->end->clocks);
        return;
    case LIVE_MSG_PRESENCE:
        say(s, "presence %c%c %u", m->presence->online[0] ? 'w' : '-',
            m->presence->online[1] ? 'b' : '-', m->presence->spectators);
        say_time(s, "claim", m->presence->abandon_claim_at_ms);
        return;
    case LIVE_MSG_SAID:
        say(s, "said %s %s \"%.*s\"", m->said->room == LIVE_ROOM_PLAYERS ? "players" : "watchers",
            m->said->nick, (int)m->said->text.size, m->said->text.data);
        return;
    case LIVE_MSG_CHAT:
        say(s, "chat %c%c", m->chat.on[0] ? 'w' : '-', m->chat.on[1] ? 'b' : '-');
        return;
    case LIVE_MSG_TOUCHED:
        say_touch(s, m->touch);
        return;
    case LIVE_MSG_PREMOVE:
        say(s, "premove %u %s%s", m->premove->ply,
            m->premove->uci[0] != '\0' ? m->premove->uci : "none",
            m->premove->dropped ? " dropped" : "");
        return;
    case LIVE_MSG_FALSE_FLAG:
        say(s, "false_flag %s %u", color_name(m->false_flag.by), m->false_flag.presses);
        return;
    case LIVE_MSG_CORRECTED:
        say(s, "corrected");
        return;
    case LIVE_MSG_RATED:
        say(s, "rated");
        say_change(s, m->rated);
        return;
    }
}

static void say_channel(Script *s, const LiveChannel *channel) {
    if (channel->kind == LIVE_CHANNEL_LOBBY)
        say(s, "lobby");
    else if (channel->kind == LIVE_CHANNEL_ME)
        say(s, "me:%s", people[channel->account]);
    else
        say(s, "g%d", index_of(&s->games, &channel->game));
}

static void say_answer(Script *s, const LiveAnswer *answer) {
    switch ((LiveAnswerKind)answer->kind) {
    case LIVE_ANSWER_ERROR:
        say(s, "!%s", answer->code);
        if (answer->err.field[0] != '\0')
            say(s, ":%s", answer->err.field);
        if (answer->retry_ms > 0)
            say(s, " wait=%.3f", (double)answer->retry_ms / 1000);
        break;
    case LIVE_ANSWER_OK:
        say(s, "ok");
        break;
    case LIVE_ANSWER_CHALLENGE:
        say(s, "=c%d", index_of(&s->challenges, &answer->id));
        break;
    case LIVE_ANSWER_GAME_ID:
        say(s, "=g%d", index_of(&s->games, &answer->id));
        break;
    case LIVE_ANSWER_ACK:
        say(s, "ack %u%s", answer->ply, answer->claim_wrong ? " wrong" : "");
        break;
    case LIVE_ANSWER_GAME:
        say(s, "game");
        say_view(s, answer->game);
        break;
    case LIVE_ANSWER_LOBBY:
    case LIVE_ANSWER_GAMES:
    case LIVE_ANSWER_WATCH:
        say_message(s, answer->message);
        break;
    case LIVE_ANSWER_VACATION:
        say(s, "vacation");
        break;
    }
    if (answer->kind != LIVE_ANSWER_GAME && answer->game != NULL) {
        say(s, " with game");
        say_view(s, answer->game);
    }
}

static void say_effect(Script *s, const LiveEffect *effect) {
    switch ((LiveEffectKind)effect->kind) {
    case LIVE_FX_LOG:
        say(s, "log:%s", event_kind_name(effect->log->kind));
        break;
    case LIVE_FX_GAME_ROW:
        say(s, "row:%s", state_name(effect->row->state));
        break;
    case LIVE_FX_GAME_FOLD:
        say(s, "fold");
        break;
    case LIVE_FX_CHALLENGE_CLOSED:
        say(s, "closed");
        break;
    case LIVE_FX_CHAT:
        say(s, "keep");
        break;
    case LIVE_FX_DECIDE:
        say(s, "decide %u", (unsigned)effect->question->ply);
        break;
    case LIVE_FX_ANSWER:
        say_answer(s, effect->answer);
        break;
    case LIVE_FX_SEND:
        say(s, "%llu< ", (unsigned long long)effect->connection);
        say_message(s, effect->message);
        break;
    case LIVE_FX_PUBLISH:
        say_channel(s, &effect->channel);
        say(s, ": ");
        say_message(s, effect->message);
        break;
    case LIVE_FX_ADD:
    case LIVE_FX_REMOVE:
        say(s, "%llu%c", (unsigned long long)effect->connection,
            effect->kind == LIVE_FX_ADD ? '+' : '-');
        say_channel(s, &effect->channel);
        break;
    case LIVE_FX_THINK:
        say(s, "think %u at %u", effect->think->level, effect->think->move_count);
        break;
    case LIVE_FX_CLOSE:
        say(s, "close %llu %u", (unsigned long long)effect->connection, effect->close_code);
        break;
    case LIVE_FX_GAME_SLEEP:
        say(s, "sleep");
        break;
    case LIVE_FX_INVITED:
        say(s, "invited%s", effect->invited.away ? " away" : "");
        break;
    case LIVE_FX_VACATION:
        say(s, "vacation");
        break;
    case LIVE_FX_OUTAGE:
        say(s, "outage");
        break;
    }
}

// ---- steps --------------------------------------------------------------------------------------

static void note_entry(Script *s, const LiveLogEvent *event) {
    log_append(&s->log, event);
    if (event->kind == LIVE_EVENT_GAME_CREATED)
        s->games.ids[s->games.count++] = event->id;
    if (event->kind == LIVE_EVENT_CHALLENGE_CREATED)
        s->challenges.ids[s->challenges.count++] = event->id;
    if (event->kind == LAWS_EVENT_MOVE)
        s->plies[index_of(&s->games, &event->id)]++;
    assert_true(s->games.count < IDS_MAX && s->challenges.count < IDS_MAX);
}

// What every step must keep: the log decodes to the game in memory.
static void check_games(Script *s) {
    for (size_t i = 0; i < s->games.count; i++) {
        uint64_t digest;
        if (!live_game_digest(s->live, &s->games.ids[i], &digest))
            continue;
        void *memory;
        const LiveGameView view =
            decode_game(&s->log, &s->games.ids[i], (JdInstant) { s->now_ms }, &memory);
        if (view.digest != digest)
            fail_msg("%s:%d: game g%zu differs from its log", s->path, s->line, i + 1);
        free(memory);
    }
}

static void finish_step(Script *s) {
    for (size_t i = 0; i < s->fx.count; i++)
        if (s->fx.list[i].kind == LIVE_FX_LOG)
            note_entry(s, s->fx.list[i].log);
    s->out_size = 0;
    s->out[0] = '\0';
    for (size_t i = 0; i < s->fx.count; i++) {
        if (i > 0)
            say(s, "; ");
        say_effect(s, &s->fx.list[i]);
    }
    check_games(s);
}

static void step(Script *s, LiveCommand *command) {
    for (int i = 0; i < LIVE_RANDOM_SIZE; i++)
        if (i != LIVE_COIN_BYTE)
            command->random[i] = (uint8_t)jd_random(&s->random);
    if (command->account != 0 && command->nick.size == 0)
        command->nick = jd_str(people[command->account]);
    live_effects_clear(&s->fx);
    live_step(s->live, command, (JdInstant) { s->now_ms }, &s->fx);
    finish_step(s);
}

// ---- commands out of words ----------------------------------------------------------------------

// "3+2", "15d5", "40/5400,0/1800+30", "3days".
static LiveControl control_of(const char *text) {
    LiveControl control = { 0 };
    if (strstr(text, "days") != NULL) {
        control.kind = LIVE_CONTROL_DAYS;
        control.days = (uint8_t)atoi(text);
        return control;
    }
    if (strcmp(text, "bank") == 0)
        return (LiveControl) { .kind = LIVE_CONTROL_BANK,
                               .period_count = 1,
                               .periods = { { .time_ms = LIVE_BANK_MS,
                                              .increment_ms = LIVE_BANK_INCREMENT_MS,
                                              .increment_moves = LIVE_BANK_MOVES } } };
    control.kind = strchr(text, '/') != NULL ? LIVE_CONTROL_PERIODS : LIVE_CONTROL_CLOCK;
    for (const char *at = text; *at != '\0';) {
        LivePeriod *period = &control.periods[control.period_count++];
        char *end;
        double number = strtod(at, &end);
        if (*end == '/') {
            period->moves = (uint32_t)number;
            number = strtod(end + 1, &end) / 60;
        }
        period->time_ms = (int64_t)(number * 60000 + 0.5);
        if (*end == '+')
            period->increment_ms = (int64_t)(strtod(end + 1, &end) * 1000);
        else if (*end == 'd')
            period->delay_ms = (int64_t)(strtod(end + 1, &end) * 1000);
        at = *end == ',' ? end + 1 : end;
        if (at == end && *end != '\0')
            fail_msg("control %s", text);
    }
    return control;
}

static LiveChannel channel_of(const Script *s, const char *word) {
    LiveChannel channel = { 0 };
    channel.kind = strcmp(word, "lobby") == 0 ? LIVE_CHANNEL_LOBBY
                   : strcmp(word, "me") == 0  ? LIVE_CHANNEL_ME
                   : word[0] == 'g'           ? LIVE_CHANNEL_GAME
                                              : 77;
    if (channel.kind == LIVE_CHANNEL_GAME)
        channel.game = id_named(s, word);
    return channel;
}

static int64_t instant_of(const char *text) {
    return BASE_MS + (int64_t)(strtod(text, NULL) * 1000 + 0.5);
}

// What the shell does for who asks for a rematch.
static void read_rematch(const Script *s, LiveCommand *c, LiveId game) {
    LiveGameRow row;
    const char *code = "nothing";
    if (!live_game_row(s->live, &game, &row) || !live_rematch(&row, c->account, c, &code))
        fail_msg("%s:%d: no rematch: %s", s->path, s->line, code);
    c->to_nick = jd_str(people[c->to]);
}

static uint8_t type_of(const char *name) {
    for (uint8_t type = 1; live_type_name(type) != NULL; type++)
        if (strcmp(live_type_name(type), name) == 0)
            return type;
    return 99;
}

// Words that stand for themselves in any command; false: not such a word.
static bool read_option(Script *s, LiveCommand *c, const char *word) {
    if (strncmp(word, "key=", 4) == 0)
        c->key = jd_str(word + 4);
    else if (strncmp(word, "ply=", 4) == 0)
        c->ply = (uint32_t)atoi(word + 4);
    else if (strncmp(word, "net=", 4) == 0)
        c->delay_ms = (uint32_t)atoi(word + 4);
    else if (strncmp(word, "since=", 6) == 0) {
        c->has_since = true;
        c->since = strtoull(word + 6, NULL, 10);
        if (word[6] == 'o') // "open+3": counted from the number the channel began with
            c->since = (uint64_t)s->opened_ms + strtoull(word + 11, NULL, 10);
    } else if (strcmp(word, "draw") == 0)
        c->draw = 1;
    else if (strcmp(word, "casual") == 0)
        c->rated = 0;
    else if (strncmp(word, "type=", 5) == 0)
        c->type = type_of(word + 5);
    else if (strncmp(word, "laws=", 5) == 0) {
        LawsEdition edition = (LawsEdition)0;
        char name[32];
        snprintf(name, sizeof name, "fide-%s", word + 5);
        c->edition = laws_edition_parse(jd_str(name), &edition) ? (uint8_t)edition : 99;
    } else if (strcmp(word, "auto") == 0)
        c->flag = LIVE_FLAG_AUTO;
    else if (strcmp(word, "claims") == 0)
        c->flag = LIVE_FLAG_CLAIM;
    else if (strcmp(word, "touch") == 0)
        c->touch = 1;
    else if (strcmp(word, "unwatched") == 0)
        c->unwatched = 1;
    else if (strncmp(word, "to=", 3) == 0) {
        c->to = account_of(s, word + 3);
        c->to_nick = jd_str(word + 3);
    } else if (strcmp(word, "declines") == 0)
        c->declines = true;
    else if (strcmp(word, "unconfirmed") == 0)
        s->profile.confirmed = false;
    else if (strcmp(word, "confirmed") == 0)
        c->confirmed_only = true;
    else if (strncmp(word, "range=", 6) == 0) {
        c->rating_min = (uint16_t)atoi(word + 6);
        c->rating_max = (uint16_t)atoi(strchr(word, '-') + 1);
    } else if (strncmp(word, "rematch=", 8) == 0)
        read_rematch(s, c, id_named(s, word + 8));
    else if (strcmp(word, "coin") == 0)
        c->random[LIVE_COIN_BYTE] = 1;
    else
        return false;
    return true;
}

typedef struct Verb {
    const char *name;
    LiveCommandKind kind;
} Verb;
static const Verb verbs[] = {
    { "timer", LIVE_TIMER },
    { "connect", LIVE_CONNECT },
    { "disconnect", LIVE_DISCONNECT },
    { "sub", LIVE_SUBSCRIBE },
    { "unsub", LIVE_UNSUBSCRIBE },
    { "challenge", LIVE_CHALLENGE },
    { "cancel", LIVE_CANCEL },
    { "join", LIVE_JOIN },
    { "decline", LIVE_DECLINE },
    { "move", LIVE_MOVE },
    { "draw", LIVE_DRAW },
    { "resign", LIVE_RESIGN },
    { "abort", LIVE_ABORT },
    { "flag", LIVE_FLAG },
    { "abandon", LIVE_ABANDON },
    { "say", LIVE_SAY },
    { "chat", LIVE_CHAT_SWITCH },
    { "touch", LIVE_TOUCH },
    { "adjust", LIVE_ADJUST },
    { "claim_touch", LIVE_CLAIM_TOUCH },
    { "premove", LIVE_PREMOVE },
    { "game", LIVE_QUERY_GAME },
    { "lobby", LIVE_QUERY_LOBBY },
    { "games", LIVE_QUERY_GAMES },
    { "account", LIVE_ACCOUNT_CHANGED },
    { "leaves", LIVE_ACCOUNT_LEAVES },
    { "stalled", LIVE_STALLED },
    { "profile", LIVE_ACCOUNT_PROFILE },
    { "rated", LIVE_RATED },
    { "watch", LIVE_QUERY_WATCH },
    { "nonsense", (LiveCommandKind)99 },
};

static uint8_t act_of(const char *word) {
    static const char *const acts[] = { "?", "offer", "accept", "decline", "claim", "claim_with" };
    for (size_t i = 1; i < JD_COUNT(acts); i++)
        if (strcmp(acts[i], word) == 0)
            return (uint8_t)i;
    return 0;
}

// "blitz=1600/40" of a profile: 40 games.
static bool read_profile(LiveProfile *profile, const char *word) {
    for (int list = 0; list < RATING_LISTS; list++) {
        const char *name = rating_list_name((RatingList)list);
        if (strncmp(word, name, strlen(name)) != 0 || word[strlen(name)] != '=')
            continue;
        const char *figures = word + strlen(name) + 1;
        profile->parts |= LIVE_PROFILE_RATINGS;
        profile->rating[list] = atoi(figures);
        profile->games[list] = (uint32_t)atoi(strchr(figures, '/') + 1);
        return true;
    }
    return false;
}

static void read_word(Script *s, LiveCommand *c, const char *word) {
    if (read_option(s, c, word))
        return;
    if (c->profile == &s->profile && read_profile(&s->profile, word))
        return;
    switch (c->kind) {
    case LIVE_CONNECT:
        c->account = account_of(s, word);
        return;
    case LIVE_SUBSCRIBE:
    case LIVE_UNSUBSCRIBE:
        c->channel = channel_of(s, word);
        return;
    case LIVE_CHALLENGE:
        if (strcmp(word, "white") == 0 || strcmp(word, "black") == 0)
            c->color = word[0] == 'w' ? LIVE_COLOR_WHITE : LIVE_COLOR_BLACK;
        else if (strcmp(word, "random") != 0)
            c->control = control_of(word);
        return;
    case LIVE_DRAW:
        if (act_of(word) != 0 || strcmp(word, "?") == 0) {
            c->act = act_of(word);
            return;
        }
        break;
    case LIVE_ABANDON:
        c->draw = strcmp(word, "draw") == 0;
        return;
    case LIVE_ACCOUNT_CHANGED:
        if (c->account == 0)
            c->account = account_of(s, word);
        else
            c->nick = jd_str(word);
        return;
    case LIVE_ACCOUNT_LEAVES:
    case LIVE_ACCOUNT_PROFILE:
        c->account = account_of(s, word);
        return;
    case LIVE_RATED: // "g1 1500>1513,1500>1487"
        if (word[0] == 'g')
            break;
        for (int color = 0; color < 2; color++) {
            RatingChange *change = &s->rated.change[color];
            change->before = atoi(word);
            word = strchr(word, '>') + 1;
            change->after = atoi(word);
            word += strcspn(word, ",") + 1;
        }
        c->ratings = &s->rated;
        return;
    case LIVE_STALLED:
        c->span_ms = (int64_t)(strtod(word, NULL) * 1000);
        return;
    case LIVE_SAY:
        if (strcmp(word, "watchers") == 0)
            c->room = LIVE_ROOM_WATCHERS;
        else if (word[0] != 'g' || word[1] != '2')
            c->text = jd_str(word);
        else
            break;
        return;
    case LIVE_CHAT_SWITCH:
        c->on = strcmp(word, "on") == 0;
        return;
    case LIVE_TOUCH:
        if (strcmp(word, "binds") == 0)
            c->on = true;
        else
            c->square = (uint8_t)(word[0] - 'a' + 8 * (word[1] - '1'));
        return;
    default:
        break;
    }
    if ((word[0] == 'g' || word[0] == 'c') && word[1] >= '0' && word[1] <= '9' && word[2] == '\0')
        c->id = id_named(s, word);
    else
        c->uci = jd_str(word);
}

// "1 move e2e4": connection 1; "anna move e2e4": the same over HTTP.
static void run_command(Script *s, char *words[], size_t count) {
    static LiveAccount owners[100];
    LiveCommand c = { .rated = 1, .color = LIVE_COLOR_RANDOM };
    size_t at = 0;
    if (words[0][0] >= '0' && words[0][0] <= '9') {
        c.origin.connection = (uint64_t)atoi(words[0]);
        c.account = owners[c.origin.connection];
        at = 1;
    } else if (strcmp(words[0], "timer") != 0 && strcmp(words[0], "account") != 0 &&
               strcmp(words[0], "stalled") != 0 && strcmp(words[0], "profile") != 0 &&
               strcmp(words[0], "leaves") != 0 && strcmp(words[0], "rated") != 0) {
        c.account = account_of(s, words[0]);
        at = 1;
    }
    size_t verb = 0;
    while (verb < JD_COUNT(verbs) && (at >= count || strcmp(verbs[verb].name, words[at]) != 0))
        verb++;
    if (verb == JD_COUNT(verbs))
        fail_msg("%s:%d: no such command", s->path, s->line);
    c.kind = (uint8_t)verbs[verb].kind;
    memset(&s->profile, 0, sizeof s->profile);
    for (int list = 0; list < RATING_LISTS; list++)
        s->profile.rating[list] = RATING_DEFAULT;
    if (c.kind == LIVE_CHALLENGE || c.kind == LIVE_JOIN || c.kind == LIVE_CONNECT) {
        s->profile.parts = LIVE_PROFILE_CONFIRMED;
        s->profile.confirmed = true;
    }
    if (s->profile.parts != 0 || c.kind == LIVE_ACCOUNT_PROFILE)
        c.profile = &s->profile;
    c.id = id_named(
        s, c.kind == LIVE_JOIN || c.kind == LIVE_CANCEL || c.kind == LIVE_DECLINE ? "c1" : "g1");
    c.ply = UINT32_MAX;
    c.room = c.kind == LIVE_SAY ? LIVE_ROOM_PLAYERS : 0;
    for (size_t i = at + 1; i < count; i++)
        read_word(s, &c, words[i]);
    if (c.ply == UINT32_MAX)
        c.ply = s->plies[index_of(&s->games, &c.id)] + (c.kind == LIVE_PREMOVE ? 1 : 0);
    if (c.kind == LIVE_CONNECT)
        owners[c.origin.connection] = c.account;
    if (c.kind == LIVE_ACCOUNT_CHANGED && c.nick.size == 0) { // deleted: step must not name it
        live_effects_clear(&s->fx);
        live_step(s->live, &c, (JdInstant) { s->now_ms }, &s->fx);
        finish_step(s);
        return;
    }
    step(s, &c);
}

// Everything in memory is lost; the log is not.
static void run_restart(Script *s, char *words[], size_t count) {
    LiveResume resume = { { 0 }, { 0 } };
    for (size_t i = 1; i < count; i++) {
        if (strncmp(words[i], "alive=", 6) == 0)
            resume.last_alive.ms = instant_of(words[i] + 6);
        else if (strncmp(words[i], "heartbeat=", 10) == 0)
            resume.heartbeat.ms = (int64_t)(strtod(words[i] + 10, NULL) * 1000);
    }
    live_close(s->live);
    s->live = replay_log(&s->log, &s->memory, (JdInstant) { s->now_ms });
    s->opened_ms = s->now_ms;
    size_t cursor = 0;
    for (LiveAccount account; live_account_next(s->live, &cursor, &account);)
        live_account_name(s->live, account, jd_str(people[account]));
    live_effects_clear(&s->fx);
    live_replay_done(s->live, &resume, (JdInstant) { s->now_ms }, &s->fx);
    finish_step(s);
}

// "play e2e4 e7e5 ...": moves over HTTP, from White on or whoever has the move; unchecked but for
// refusals.
static void run_moves(Script *s, char *words[], size_t count) {
    for (size_t i = 1; i < count; i++) {
        LiveCommand c = { .kind = LIVE_MOVE, .id = id_named(s, "g1"), .uci = jd_str(words[i]) };
        c.ply = s->plies[1];
        c.account = c.ply % 2 == 0 ? 1 : 2;
        step(s, &c);
        if (s->fx.count == 0 || s->fx.list[0].kind != LIVE_FX_LOG)
            fail_msg("%s:%d: %s: %s", s->path, s->line, words[i], s->out);
    }
}

static void run_lines(Script *s, const char *const *lines, size_t lines_count) {
    for (size_t i = 0; i < lines_count; i++) {
        char copy[64];
        char *words[8];
        size_t count = 0;
        snprintf(copy, sizeof copy, "%s", lines[i]);
        for (char *word = strtok(copy, " "); word != NULL; word = strtok(NULL, " "))
            words[count++] = word;
        run_command(s, words, count);
    }
}

// "pair 3+2": anna (connection 1) has White against boris (2), carla (3) watches; both boards are
// loaded.
static void run_pair(Script *s, const char *control) {
    char challenge[64];
    snprintf(challenge, sizeof challenge, "1 challenge %s white", control);
    const char *const lines[] = {
        "1 connect anna", "2 connect boris", "3 connect carla", challenge,
        "2 join c1",      "3 sub g1",        "1 sub g1",        "2 sub g1"
    };
    run_lines(s, lines, JD_COUNT(lines));
}

// "born 1+0 claimed touch fide-1997": the same for a game with a setup of its own, which comes out
// of the log.
static void run_born(Script *s, char *words[], size_t count) {
    GameBirth birth = { .players = { 1, 2 }, .challenge = { "------------" }, .type = LIVE_BLITZ };
    const LiveControl control = control_of(words[1]);
    JdErr err = { 0 };
    birth.setup.start = chess_position_start();
    assert_true(live_control_to_laws(&control, &birth.setup.control[0], &err));
    birth.setup.control[1] = birth.setup.control[0];
    birth.setup.edition = LAWS_FIDE_2023;
    birth.setup.supervised = 1;
    for (size_t i = 2; i < count; i++) {
        LawsEdition edition;
        if (strcmp(words[i], "claimed") == 0)
            birth.setup.flag_mode = LAWS_FLAGS_CLAIMED;
        else if (strcmp(words[i], "touch") == 0)
            birth.setup.touch_move = 1;
        else if (laws_edition_parse(jd_str(words[i]), &edition))
            birth.setup.edition = (uint8_t)edition;
        else
            fail_msg("%s:%d: born: %s", s->path, s->line, words[i]);
    }
    birth.setup.pace =
        (uint8_t)laws_control_pace((LawsEdition)birth.setup.edition, &birth.setup.control[0]);
    unsigned char body[LIVE_EVENT_BODY_MAX];
    const LiveLogEvent created = {
        .id = { "GAMEGAMEGAME" },
        .seq = 1,
        .at = { s->now_ms },
        .actor = LAWS_SERVER,
        .kind = LIVE_EVENT_GAME_CREATED,
        .body = body,
        .body_size = fold_birth_write(&birth, body),
    };
    note_entry(s, &created);
    run_restart(s, words, 1);
    const char *const lines[] = { "1 connect anna", "2 connect boris", "3 connect carla",
                                  "3 sub g1",       "1 sub g1",        "2 sub g1" };
    run_lines(s, lines, JD_COUNT(lines));
}

// ---- files --------------------------------------------------------------------------------------

static void open_script(Script *s) {
    s->memory = test_memory(&s->bytes);
    s->now_ms = s->opened_ms = BASE_MS;
    s->random = 1;
    s->live = live_open(&s->memory, (JdInstant) { s->now_ms });
    live_effects_open(&s->fx, &s->memory);
}

static void close_script(Script *s) {
    live_close(s->live);
    live_effects_close(&s->fx);
    log_free(&s->log);
    if (s->bytes != 0)
        fail_msg("%s:%d: %lld bytes were lost", s->path, s->line, (long long)s->bytes);
}

static void run_line(Script *s, char *text) {
    char *words[40];
    size_t count = 0;
    for (char *word = strtok(text, " "); word != NULL; word = strtok(NULL, " "))
        words[count++] = word;
    size_t at = 0;
    if (count > 0 && words[0][0] == '@') {
        s->now_ms = instant_of(words[0] + 1);
        at = 1;
    }
    if (at == count)
        return;
    if (strcmp(words[at], "restart") == 0)
        run_restart(s, words + at, count - at);
    else if (strcmp(words[at], "play") == 0)
        run_moves(s, words + at, count - at);
    else if (strcmp(words[at], "pair") == 0)
        run_pair(s, words[at + 1]);
    else if (strcmp(words[at], "born") == 0)
        run_born(s, words + at, count - at);
    else
        run_command(s, words + at, count - at);
}

static char *trim(char *text) {
    while (*text == ' ')
        text++;
    size_t size = strlen(text);
    while (size > 0 && (text[size - 1] == ' ' || text[size - 1] == '\n'))
        text[--size] = '\0';
    return text;
}

// One command with what is expected of it; NULL: not compared.
static void run_text(Script *s, const char *command, const char *expected) {
    char copy[TEXT_MAX];
    if (command[0] == '\0')
        return;
    snprintf(copy, sizeof copy, "%s", command);
    s->out_size = 0;
    s->out[0] = '\0';
    run_line(s, copy);
    if (getenv("LIVE_SCRIPT_PRINT") != NULL)
        printf("%s\n-> %s\n", command, s->out);
    else if (expected != NULL && strcmp(expected, s->out) != 0)
        fail_msg("%s:%d: %s\n  expected: %s\n  found:    %s", s->path, s->line, command, expected,
                 s->out);
}

// An open scenario and the command that waits for its expectations.
typedef struct Reading {
    Script script;
    bool open;
    bool expects;
    char command[TEXT_MAX];
    char expected[TEXT_MAX];
} Reading;

static void flush(Reading *reading) {
    run_text(&reading->script, reading->command, reading->expects ? reading->expected : NULL);
    reading->command[0] = '\0';
    reading->expected[0] = '\0';
    reading->expects = false;
}

static void end_scenario(Reading *reading) {
    flush(reading);
    if (reading->open)
        close_script(&reading->script);
    reading->open = false;
}

static void read_line(Reading *reading, const char *text, const char *name, int line) {
    if (strncmp(text, "->", 2) == 0) {
        const size_t size = strlen(reading->expected);
        reading->expects = true;
        snprintf(reading->expected + size, TEXT_MAX - size, "%s%s", size > 0 ? "; " : "",
                 text + 2 + strspn(text + 2, " "));
        return;
    }
    if (strncmp(text, "== ", 3) == 0) {
        end_scenario(reading);
        reading->script = (Script) { .path = name, .line = line };
        open_script(&reading->script);
        reading->open = true;
        if (getenv("LIVE_SCRIPT_PRINT") != NULL)
            printf("%s\n", text);
        return;
    }
    flush(reading);
    reading->script.line = line;
    snprintf(reading->command, TEXT_MAX, "%s", text);
}

void script_run(const char *name) {
    char path[512];
    snprintf(path, sizeof path, "%s/live/%s", TEST_DATA, name);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        fail_msg("%s: cannot be read", path);
    Reading *reading = calloc(1, sizeof(*reading));
    assert_non_null(reading);
    char line[TEXT_MAX];
    for (int number = 1; fgets(line, sizeof line, file) != NULL; number++) {
        const char *text = trim(line);
        if (text[0] != '\0' && text[0] != '#')
            read_line(reading, text, name, number);
    }
    end_scenario(reading);
    free(reading);
    fclose(file);
}
