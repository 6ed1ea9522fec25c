// SPDX-License-Identifier: GPL-3.0-or-later
//
// The lobby: challenges, and how one becomes a game (S-030 to S-039).
//
// A challenge is an entity of the log like a game, so a restart keeps it. Closed ones stay for some
// minutes: a repeated key finds its challenge, a repeated join its game, a late one "seat_taken".
#include "live/inner.h"
#include "live/control.h"

// 1 held a control alone: the Laws of 2023, automatic flags.
#define BODY_VERSION 2

// ---- challenges as objects ----------------------------------------------------------------------

static Challenge *challenge_find(const Live *live, const LiveId *id) {
    return table_find(&live->challenges, key_of_id(id));
}

static RatingList challenge_list(const Challenge *challenge) {
    return live_list(challenge->terms.type, &challenge->terms.control);
}

void challenge_fill(const Challenge *challenge, LiveChallenge *out) {
    jd_zero(out, sizeof(*out));
    out->id = challenge->id;
    out->account = challenge->creator->number;
    jd_copy(out->nick, challenge->creator->nick, LIVE_NICK_SIZE);
    const Terms *terms = &challenge->terms;
    LawsSetup setup;
    terms_setup(terms, &setup);
    out->control = terms->control;
    out->category = (uint8_t)live_control_category(&terms->control);
    out->color = challenge->color;
    out->rated = terms->rated;
    out->type = terms->type;
    out->edition = terms->edition;
    out->pace = setup.pace;
    out->flag = terms_flag(&setup);
    out->touch = terms->touch;
    const RatingPlayer player = challenge->creator->lists[challenge_list(challenge)];
    out->rating = player.rating;
    out->provisional = rating_is_provisional(player.games);
    out->created_ms = challenge->created_ms;
}

static bool is_slow(const Challenge *challenge) {
    return live_control_is_slow(&challenge->terms.control);
}

// When an open challenge vanishes, as things stand. Of a creator who is connected nothing is known
// but that it will not be sooner.
static int64_t expiry_of(const Live *live, const Challenge *challenge) {
    if (is_slow(challenge))
        return challenge->created_ms + JD_SPAN_DAYS(LIVE_CHALLENGE_DAYS).ms;
    const int64_t present_ms =
        challenge->creator->connection_count > 0 ? live->now_ms : challenge->creator->last_seen_ms;
    return present_ms + LIVE_CHALLENGE_AWAY_MS;
}

static void reschedule(Live *live, Challenge *challenge) {
    const int64_t at_ms = challenge->state == CHALLENGE_OPEN
                              ? expiry_of(live, challenge)
                              : challenge->closed_ms + LIVE_LINGER_MS;
    heap_set(&live->due, &live->memory, &challenge->due, at_ms);
}

static void link_newest(Live *live, Challenge *challenge) {
    challenge->older = live->newest;
    challenge->newer = NULL;
    if (live->newest != NULL)
        live->newest->newer = challenge;
    live->newest = challenge;
    live->open_count++;
    challenge->creator->open_challenges++;
}

static void unlink_open(Live *live, Challenge *challenge) {
    if (challenge->newer != NULL)
        challenge->newer->older = challenge->older;
    else
        live->newest = challenge->older;
    if (challenge->older != NULL)
        challenge->older->newer = challenge->newer;
    live->open_count--;
    challenge->creator->open_challenges--;
}

// From a template without creator and links.
static Challenge *adopt(Live *live, const Challenge *model, Account *creator) {
    Challenge *challenge = mem_take(&live->memory, sizeof(*challenge));
    *challenge = *model;
    challenge->due = (HeapNode) { .owner = DUE_CHALLENGE };
    challenge->creator = creator;
    challenge->creator->uses++;
    challenge->last_seq = 1;
    list_add(&challenge->creator->challenges, &live->memory, challenge);
    table_put(&live->challenges, &live->memory, key_of_id(&challenge->id), challenge);
    link_newest(live, challenge);
    return challenge;
}

void challenge_free(Live *live, Challenge *challenge) {
    Account *creator = challenge->creator;
    if (challenge->state == CHALLENGE_OPEN)
        unlink_open(live, challenge);
    heap_set(&live->due, &live->memory, &challenge->due, LIVE_NEVER);
    table_remove(&live->challenges, key_of_id(&challenge->id));
    list_remove(&creator->challenges, challenge);
    mem_give(&live->memory, challenge, sizeof(*challenge));
    creator->uses--;
    account_let_go(live, creator);
}

// ---- the log ------------------------------------------------------------------------------------

static size_t birth_write(const Challenge *challenge, unsigned char out[LIVE_EVENT_BODY_MAX]) {
    Writer writer = { out, LIVE_EVENT_BODY_MAX, 0 };
    write_number(&writer, BODY_VERSION, 1);
    write_number(&writer, (uint64_t)challenge->creator->number, 8);
    write_number(&writer, challenge->color, 1);
    write_number(&writer, challenge->terms.rated, 1);
    write_number(&writer, challenge->key_size, 1);
    write_bytes(&writer, challenge->key, challenge->key_size);
    terms_write(&challenge->terms, &writer);
    return writer.size;
}

static void log_entry(Live *live, const Challenge *challenge, LiveEventKind kind,
                      const unsigned char *body, size_t size) {
    const LiveLogEvent event = {
        .id = challenge->id,
        .seq = challenge->last_seq,
        .at = now_of(live),
        .actor = LAWS_SERVER,
        .kind = (uint8_t)kind,
        .body = body,
        .body_size = size,
    };
    fx_log(live->fx, &event);
}

static void close_as(Live *live, Challenge *challenge, ChallengeState state, int64_t at_ms) {
    unlink_open(live, challenge);
    challenge->state = (uint8_t)state;
    challenge->closed_ms = at_ms;
    challenge->last_seq++;
}

static void closed(Live *live, Challenge *challenge) {
    fx_push(live->fx, LIVE_FX_CHALLENGE_CLOSED)->id = challenge->id;
    reschedule(live, challenge);
}

static void withdraw(Live *live, Challenge *challenge, ChallengeState state) {
    close_as(live, challenge, state, live->now_ms);
    log_entry(live, challenge,
              state == CHALLENGE_CANCELLED ? LIVE_EVENT_CHALLENGE_CANCELLED
                                           : LIVE_EVENT_CHALLENGE_EXPIRED,
              NULL, 0);
    closed(live, challenge);
}

// ---- creating -----------------------------------------------------------------------------------

static void answer_challenge(Live *live, LiveOrigin origin, const Challenge *challenge) {
    LiveChallenge *row = fx_take(live->fx, sizeof(*row));
    challenge_fill(challenge, row);
    LiveAnswer *answer = fx_answer(live->fx, origin, LIVE_ANSWER_CHALLENGE);
    answer->id = challenge->id;
    answer->challenge = row;
}

static const Challenge *find_by_key(const Account *account, JdStr key) {
    if (account == NULL || key.size == 0)
        return NULL;
    for (size_t i = 0; i < account->challenges.count; i++) {
        const Challenge *challenge = account->challenges.items[i];
        if (jd_str_equal(key, jd_str_n(challenge->key, challenge->key_size)))
            return challenge;
    }
    return NULL;
}

// The challenge that a command asks for; false after an error was answered.
static bool read_form(Live *live, const LiveCommand *command, Challenge *out) {
    JdErr err = { 0 };
    const char *code = NULL;
    jd_zero(out, sizeof(*out));
    if (!terms_of_command(command, &out->terms, &code, &err)) {
        (void)fx_error(live->fx, command->origin, code, err.field, "%s", err.text);
        return false;
    }
    if (out->terms.type == LIVE_AGAINST_COMPUTER) {
        (void)fx_error(live->fx, command->origin, "bad_request", "type",
                       "expected classic, advance or blitz");
        return false;
    }
    if (command->color > LIVE_COLOR_RANDOM) {
        (void)fx_error(live->fx, command->origin, "bad_request", "color",
                       "expected white, black or random");
        return false;
    }
    out->id = live_id_of_bytes(command->random);
    out->color = command->color;
    out->created_ms = live->now_ms;
    out->key_size = (uint8_t)command->key.size;
    jd_copy(out->key, command->key.data, command->key.size);
    return true;
}

void lobby_challenge(Live *live, const LiveCommand *command) {
    const LiveOrigin origin = command->origin;
    Account *account = account_find(live, command->account);
    if (command->account == 0) {
        (void)fx_error(live->fx, origin, "auth_required", NULL, "guests cannot challenge");
        return;
    }
    if (command->key.size > LIVE_KEY_MAX) {
        (void)fx_error(live->fx, origin, "bad_request", "key", "expected at most %d bytes",
                       LIVE_KEY_MAX);
        return;
    }
    // S-036: a double click creates one.
    const Challenge *same = find_by_key(account, command->key);
    if (same != NULL) {
        answer_challenge(live, origin, same);
        return;
    }
    Challenge model;
    if (!read_form(live, command, &model))
        return;
    if (account != NULL && account->open_challenges >= LIVE_CHALLENGES_PER_PLAYER) {
        (void)fx_error(live->fx, origin, "too_many_challenges", NULL, "at most %d open challenges",
                       LIVE_CHALLENGES_PER_PLAYER);
        return;
    }
    if (live->challenges.count >= LIVE_CHALLENGES_MAX || challenge_find(live, &model.id) != NULL) {
        (void)fx_error(live->fx, origin, "unavailable", NULL, "no room for another challenge");
        return;
    }
    Challenge *challenge = adopt(live, &model, account_of(live, command));
    challenge->creator->last_seen_ms = live->now_ms;
    unsigned char body[LIVE_EVENT_BODY_MAX];
    log_entry(live, challenge, LIVE_EVENT_CHALLENGE_CREATED, body, birth_write(challenge, body));
    reschedule(live, challenge);
    answer_challenge(live, origin, challenge);
    lobby_note(live, LIVE_MSG_LOBBY_ADD, challenge);
}

// ---- closing ------------------------------------------------------------------------------------

void lobby_cancel(Live *live, const LiveCommand *command) {
    const LiveOrigin origin = command->origin;
    Challenge *challenge = challenge_find(live, &command->id);
    if (command->account == 0) {
        (void)fx_error(live->fx, origin, "auth_required", NULL, "guests have no challenges");
        return;
    }
    if (challenge == NULL || challenge->state == CHALLENGE_EXPIRED) {
        (void)fx_error(live->fx, origin, "not_found", "challenge", "there is no such challenge");
        return;
    }
    if (challenge->creator->number != command->account) {
        (void)fx_error(live->fx, origin, "forbidden", "challenge", "only its creator cancels it");
        return;
    }
    if (challenge->state == CHALLENGE_JOINED) {
        (void)fx_error(live->fx, origin, "seat_taken", "challenge", "it has become game %s",
                       challenge->game.text);
        return;
    }
    const bool open = challenge->state == CHALLENGE_OPEN;
    if (open)
        withdraw(live, challenge, CHALLENGE_CANCELLED);
    (void)fx_answer(live->fx, origin, LIVE_ANSWER_OK);
    if (open)
        lobby_note(live, LIVE_MSG_LOBBY_REMOVE, challenge);
}

void lobby_due(Live *live, Challenge *challenge) {
    if (challenge->state != CHALLENGE_OPEN) {
        challenge_free(live, challenge);
        return;
    }
    if (expiry_of(live, challenge) > live->now_ms) {
        reschedule(live, challenge);
        return;
    }
    withdraw(live, challenge, CHALLENGE_EXPIRED);
    lobby_note(live, LIVE_MSG_LOBBY_REMOVE, challenge);
}

void lobby_drop_all_of(Live *live, Account *account) {
    for (size_t i = 0; i < account->challenges.count; i++) {
        Challenge *challenge = account->challenges.items[i];
        if (challenge->state != CHALLENGE_OPEN)
            continue;
        withdraw(live, challenge, CHALLENGE_CANCELLED);
        lobby_note(live, LIVE_MSG_LOBBY_REMOVE, challenge);
    }
}

static void show_again(Live *live, const Account *account, const bool lists[RATING_LISTS]) {
    for (size_t i = 0; i < account->challenges.count; i++) {
        const Challenge *challenge = account->challenges.items[i];
        if (challenge->state != CHALLENGE_OPEN ||
            (lists != NULL && !lists[challenge_list(challenge)]))
            continue;
        lobby_note(live, LIVE_MSG_LOBBY_REMOVE, challenge);
        lobby_note(live, LIVE_MSG_LOBBY_ADD, challenge);
    }
}

void lobby_renamed(Live *live, const Account *account) {
    show_again(live, account, NULL);
}

void lobby_rerated(Live *live, const Account *account, const bool lists[RATING_LISTS]) {
    show_again(live, account, lists);
}

// ---- joining ------------------------------------------------------------------------------------

static void answer_game(Live *live, LiveOrigin origin, const LiveId *game) {
    fx_answer(live->fx, origin, LIVE_ANSWER_GAME_ID)->id = *game;
}

// Whether a command may take the seat; false after an error (or an old game) was answered.
static bool may_join(Live *live, const LiveCommand *command, const Challenge *challenge) {
    const LiveOrigin origin = command->origin;
    const Account *joiner = account_find(live, command->account);
    if (command->account == 0) {
        (void)fx_error(live->fx, origin, "auth_required", NULL, "guests cannot play");
        return false;
    }
    if (challenge == NULL || challenge->state == CHALLENGE_CANCELLED ||
        challenge->state == CHALLENGE_EXPIRED) {
        (void)fx_error(live->fx, origin, "not_found", "challenge", "there is no such challenge");
        return false;
    }
    if (challenge->creator->number == command->account) {
        (void)fx_error(live->fx, origin, "own_challenge", "challenge",
                       "nobody plays against himself");
        return false;
    }
    if (challenge->state == CHALLENGE_JOINED) {
        if (challenge->joiner == command->account)
            answer_game(live, origin, &challenge->game); // his own join, sent twice
        else
            (void)fx_error(live->fx, origin, "seat_taken", "challenge", "somebody else was faster");
        return false;
    }
    if (live->games.count >= LIVE_GAMES_MAX ||
        (joiner != NULL && joiner->games.count >= LIVE_GAMES_PER_PLAYER) ||
        challenge->creator->games.count >= LIVE_GAMES_PER_PLAYER) {
        (void)fx_error(live->fx, origin, "unavailable", NULL, "no room for another game");
        return false;
    }
    return true;
}

static void make_birth(const Live *live, const LiveCommand *command, const Challenge *challenge,
                       GameBirth *out) {
    jd_zero(out, sizeof(*out));
    const bool creator_white = challenge->color == LIVE_COLOR_RANDOM
                                   ? (command->random[LIVE_COIN_BYTE] & 1) != 0
                                   : challenge->color == LIVE_COLOR_WHITE;
    out->players[creator_white ? CHESS_WHITE : CHESS_BLACK] = challenge->creator->number;
    out->players[creator_white ? CHESS_BLACK : CHESS_WHITE] = command->account;
    out->challenge = challenge->id;
    out->rated = challenge->terms.rated;
    out->type = challenge->terms.type;
    terms_setup(&challenge->terms, &out->setup);
    out->setup.mating = live->mating;
}

void log_birth(Live *live, const Game *game, const GameBirth *birth) {
    unsigned char body[LIVE_EVENT_BODY_MAX];
    const LiveLogEvent event = {
        .id = game->fold.id,
        .seq = 1,
        .at = now_of(live),
        .actor = LAWS_SERVER,
        .kind = LIVE_EVENT_GAME_CREATED,
        .body = body,
        .body_size = fold_birth_write(birth, body),
    };
    fx_log(live->fx, &event);
}

static void log_joining(Live *live, const Challenge *challenge) {
    unsigned char body[8 + LIVE_ID_CHARS];
    Writer writer = { body, sizeof(body), 0 };
    write_number(&writer, (uint64_t)challenge->joiner, 8);
    write_bytes(&writer, challenge->game.text, LIVE_ID_CHARS);
    log_entry(live, challenge, LIVE_EVENT_CHALLENGE_JOINED, body, writer.size);
}

void lobby_join(Live *live, const LiveCommand *command) {
    Challenge *challenge = challenge_find(live, &command->id);
    if (!may_join(live, command, challenge))
        return;
    const LiveId id = live_id_of_bytes(command->random);
    if (game_find(live, &id) != NULL) {
        (void)fx_error(live->fx, command->origin, "unavailable", NULL, "try again");
        return;
    }
    account_of(live, command)->last_seen_ms = live->now_ms;
    GameBirth birth;
    make_birth(live, command, challenge, &birth);
    close_as(live, challenge, CHALLENGE_JOINED, live->now_ms);
    challenge->joiner = command->account;
    challenge->game = id;
    log_joining(live, challenge);
    Game *game = game_create(live, &id, &birth, now_of(live));
    live->stats.games_started++;
    log_birth(live, game, &birth);
    closed(live, challenge);
    if (!fold_is_slow(&game->fold)) { // a slow game starts at once and brings its row with it
        LiveGameRow *row = fx_take(live->fx, sizeof(*row));
        game_fill_row(live, game, row);
        LiveEffect *effect = fx_push(live->fx, LIVE_FX_GAME_ROW);
        effect->id = id;
        effect->row = row;
    }
    answer_game(live, command->origin, &id);
    lobby_note(live, LIVE_MSG_LOBBY_REMOVE, challenge);
    me_note(live, challenge->creator, LIVE_MSG_STARTED, game);
    if (fold_is_slow(&game->fold))
        game_start(live, game);
    else
        game_tell(live, game, true);
}

// ---- restart ------------------------------------------------------------------------------------

static bool replay_creation(Live *live, const LiveLogEvent *event, JdErr *err) {
    Reader reader = { event->body, event->body_size, 0, false };
    Challenge model;
    jd_zero(&model, sizeof(model));
    model.id = event->id;
    model.created_ms = event->at.ms;
    const char *code = NULL;
    const uint64_t version = read_number(&reader, 1);
    const LiveAccount creator = (LiveAccount)read_number(&reader, 8);
    model.color = (uint8_t)read_number(&reader, 1);
    const uint8_t rated = (uint8_t)read_number(&reader, 1);
    model.key_size = (uint8_t)read_number(&reader, 1);
    if (model.key_size > LIVE_KEY_MAX)
        reader.failed = true;
    else
        read_bytes(&reader, model.key, model.key_size);
    if (version == 1) {
        control_read(&reader, &model.terms.control);
        model.terms.type = live_control_is_slow(&model.terms.control) ? LIVE_CLASSIC : LIVE_BLITZ;
        model.terms.edition = LAWS_FIDE_2023;
    } else {
        terms_read(&reader, &model.terms);
    }
    model.terms.rated = rated;
    if (reader.failed || version < 1 || version > BODY_VERSION || event->seq != 1 || creator <= 0 ||
        model.color > LIVE_COLOR_RANDOM)
        return jd_fail(err, 1, reader.at, "challenge %s: its creation cannot be read",
                       event->id.text);
    if (!terms_check(&model.terms, &code, err))
        return false;
    if (challenge_find(live, &event->id) != NULL)
        return jd_fail(err, 1, 0, "challenge %s is created twice", event->id.text);
    (void)adopt(live, &model, account_get(live, creator, JD_STR("")));
    return true;
}

bool lobby_replay(Live *live, const LiveLogEvent *event, JdErr *err) {
    if (event->kind == LIVE_EVENT_CHALLENGE_CREATED)
        return replay_creation(live, event, err);
    Challenge *challenge = challenge_find(live, &event->id);
    if (challenge == NULL || challenge->state != CHALLENGE_OPEN ||
        event->seq != challenge->last_seq + 1)
        return jd_fail(err, 1, 0, "challenge %s: entry %u of kind %d does not fit", event->id.text,
                       (unsigned)event->seq, (int)event->kind);
    Reader reader = { event->body, event->body_size, 0, false };
    const bool joined = event->kind == LIVE_EVENT_CHALLENGE_JOINED;
    const LiveAccount joiner = joined ? (LiveAccount)read_number(&reader, 8) : 0;
    LiveId game;
    jd_zero(&game, sizeof(game));
    if (joined)
        read_bytes(&reader, game.text, LIVE_ID_CHARS);
    if (reader.failed)
        return jd_fail(err, 1, reader.at, "challenge %s: the joining cannot be read",
                       event->id.text);
    close_as(live, challenge,
             joined                                          ? CHALLENGE_JOINED
             : event->kind == LIVE_EVENT_CHALLENGE_CANCELLED ? CHALLENGE_CANCELLED
                                                             : CHALLENGE_EXPIRED,
             event->at.ms);
    challenge->joiner = joiner;
    challenge->game = game;
    return true;
}

void lobby_replay_done(Live *live) {
    size_t cursor = 0;
    for (Challenge *challenge; (challenge = table_next(&live->challenges, &cursor)) != NULL;)
        reschedule(live, challenge);
}
