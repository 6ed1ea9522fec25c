// SPDX-License-Identifier: GPL-3.0-or-later
//
// The lobby: challenges, open to everybody or directed to one player, and how one becomes a game
// (S-030 to S-041).
//
// A challenge is an entity of the log like a game, so a restart keeps it. Closed ones stay for some
// minutes: a repeated key finds its challenge, a repeated join its game, a late one "seat_taken".
#include "live/inner.h"
#include "live/control.h"

// 1 held a control alone: the Laws of 2023, automatic flags. 2 was open to everybody. 3 began with
// the initial position.
#define BODY_VERSION 4

// ---- challenges as objects ----------------------------------------------------------------------

static Challenge *find(const Live *live, const LiveId *id) {
    return table_find(&live->challenges, key_of_id(id));
}

static RatingList challenge_list(const Challenge *challenge) {
    return live_list(challenge->terms.type, &challenge->terms.control);
}

Challenge *lobby_find(const Live *live, const LiveId *id) {
    return find(live, id);
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
    out->rematch = challenge->rematch;
    out->confirmed_only = challenge->confirmed_only;
    out->rating_min = challenge->rating_min;
    out->rating_max = challenge->rating_max;
    terms_fen(terms, out->fen);
    if (challenge->invitee == NULL)
        return;
    out->to = challenge->invitee->number;
    jd_copy(out->to_nick, challenge->invitee->nick, LIVE_NICK_SIZE);
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

// By their beginning, newest first. One that is made now is the newest; those of another node
// (live_adopt) find their place.
static void link_open(Live *live, Challenge *challenge) {
    Challenge *newer = NULL;
    Challenge *older = live->newest;
    for (; older != NULL && older->created_ms > challenge->created_ms; older = older->older)
        newer = older;
    challenge->newer = newer;
    challenge->older = older;
    if (older != NULL)
        older->newer = challenge;
    if (newer != NULL)
        newer->older = challenge;
    else
        live->newest = challenge;
    live->open_count++;
    challenge->creator->open_challenges++;
    if (challenge->invitee != NULL)
        list_add(&challenge->invitee->invitations, &live->memory, challenge);
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
    if (challenge->invitee != NULL)
        list_remove(&challenge->invitee->invitations, challenge);
}

// The people a challenge concerns hear of it: everybody in the lobby, or the two it is between; its
// creator in any case (S-045).
static void tell(Live *live, const Challenge *challenge, LiveGone gone) {
    const bool is_open = challenge->state == CHALLENGE_OPEN;
    if (challenge->invitee == NULL)
        lobby_note(live, is_open ? LIVE_MSG_LOBBY_ADD : LIVE_MSG_LOBBY_REMOVE, challenge);
    else
        me_note_challenge(live, challenge->invitee, challenge, gone);
    me_note_challenge(live, challenge->creator, challenge, gone);
}

// Whether an account may know of a challenge at all.
static bool concerns(const Challenge *challenge, LiveAccount account) {
    return challenge->invitee == NULL || challenge->invitee->number == account ||
           challenge->creator->number == account;
}

// From a template without creator and links. invitee: NULL, or known already.
static Challenge *place(Live *live, const Challenge *model, Account *creator, Account *invitee) {
    Challenge *challenge = mem_take(&live->memory, sizeof(*challenge));
    *challenge = *model;
    challenge->due = (HeapNode) { .owner = DUE_CHALLENGE };
    challenge->creator = creator;
    challenge->creator->uses++;
    challenge->invitee = invitee;
    if (invitee != NULL)
        invitee->uses++;
    challenge->last_seq = 1;
    list_add(&challenge->creator->challenges, &live->memory, challenge);
    table_put(&live->challenges, &live->memory, key_of_id(&challenge->id), challenge);
    link_open(live, challenge);
    return challenge;
}

void challenge_free(Live *live, Challenge *challenge) {
    Account *creator = challenge->creator;
    Account *invitee = challenge->invitee;
    if (challenge->state == CHALLENGE_OPEN)
        unlink_open(live, challenge);
    heap_set(&live->due, &live->memory, &challenge->due, LIVE_NEVER);
    table_remove(&live->challenges, key_of_id(&challenge->id));
    list_remove(&creator->challenges, challenge);
    mem_give(&live->memory, challenge, sizeof(*challenge));
    creator->uses--;
    account_let_go(live, creator);
    if (invitee == NULL)
        return;
    invitee->uses--;
    account_let_go(live, invitee);
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
    write_number(&writer, challenge->invitee == NULL ? 0 : (uint64_t)challenge->invitee->number, 8);
    write_bytes(&writer, challenge->rematch.text, LIVE_ID_CHARS);
    write_number(&writer, challenge->confirmed_only, 1);
    write_number(&writer, challenge->rating_min, 2);
    write_number(&writer, challenge->rating_max, 2);
    char fen[CHESS_FEN_SIZE];
    terms_fen(&challenge->terms, fen);
    const JdStr text = jd_str(fen);
    write_number(&writer, text.size, 1);
    write_bytes(&writer, text.data, text.size);
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
              state == CHALLENGE_CANCELLED  ? LIVE_EVENT_CHALLENGE_CANCELLED
              : state == CHALLENGE_DECLINED ? LIVE_EVENT_CHALLENGE_DECLINED
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

// S-036: the challenge a double click asks for again. One that was taken back, declined or has run
// out is another wish, whatever its key.
static const Challenge *find_by_key(const Account *account, JdStr key) {
    if (account == NULL || key.size == 0)
        return NULL;
    for (size_t i = 0; i < account->challenges.count; i++) {
        const Challenge *challenge = account->challenges.items[i];
        const bool stands =
            challenge->state == CHALLENGE_OPEN || challenge->state == CHALLENGE_JOINED;
        if (stands && jd_str_equal(key, jd_str_n(challenge->key, challenge->key_size)))
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
    if (command->to == command->account) {
        (void)fx_error(live->fx, command->origin, "own_challenge", "to",
                       "nobody plays against himself");
        return false;
    }
    if (command->to != 0 && command->declines) {
        (void)fx_error(live->fx, command->origin, "declines", "to", "takes no challenges");
        return false;
    }
    out->id = live_id_of_bytes(command->random);
    out->rematch = command->rematch;
    out->confirmed_only = command->confirmed_only;
    out->rating_min = command->rating_min;
    out->rating_max = command->rating_max;
    out->color = command->color;
    out->created_ms = live->now_ms;
    out->key_size = (uint8_t)command->key.size;
    jd_copy(out->key, command->key.data, command->key.size);
    return true;
}

static void answer_game(Live *live, LiveOrigin origin, const LiveId *game) {
    fx_answer(live->fx, origin, LIVE_ANSWER_GAME_ID)->id = *game;
}

// Whether an account may play such a game, by what is known of it: rated ones need a confirmed
// account (S-004, S-034), and the creator may narrow the circle (S-035). NULL, or the error's code.
static const char *bars(const Challenge *challenge, const Account *account) {
    const int32_t rating = account->lists[challenge_list(challenge)].rating;
    if (!account->confirmed && (challenge->terms.rated != 0 || challenge->confirmed_only))
        return "unconfirmed";
    if (challenge->rating_max != 0 &&
        (rating < challenge->rating_min || rating > challenge->rating_max))
        return "rating_range";
    return NULL;
}

// S-034, S-035: what the creator himself must satisfy; false after an error was answered.
static bool creator_fits(Live *live, LiveOrigin origin, const Challenge *model,
                         const Account *creator) {
    const bool narrow = model->rating_max != 0 && model->rating_max < model->rating_min + 100;
    const char *barred = narrow ? "rating_range" : bars(model, creator);
    if (barred == NULL)
        return true;
    if (jd_str_equal(jd_str(barred), JD_STR("unconfirmed")))
        (void)fx_error(live->fx, origin, barred, model->terms.rated != 0 ? "rated" : "confirmed",
                       "needs a confirmed account");
    else
        (void)fx_error(live->fx, origin, "range_bad", "rating",
                       "expected 100 points or more that hold one's own rating");
    return false;
}

// who asks for a rematch that the opponent has asked for already takes his offer; who asked
// himself is told of his; a declined one is not asked again. False: it is not answered yet.
static bool rematch_known(Live *live, const LiveCommand *command, const Account *account) {
    if (account == NULL || command->rematch.text[0] == '\0')
        return false;
    for (size_t i = 0; i < account->invitations.count; i++) {
        const Challenge *theirs = account->invitations.items[i];
        if (!live_id_equal(&theirs->rematch, &command->rematch))
            continue;
        LiveCommand accept = *command;
        accept.id = theirs->id;
        lobby_join(live, &accept);
        return true;
    }
    for (size_t i = 0; i < account->challenges.count; i++) {
        const Challenge *own = account->challenges.items[i];
        if (!live_id_equal(&own->rematch, &command->rematch))
            continue;
        if (own->state == CHALLENGE_DECLINED)
            (void)fx_error(live->fx, command->origin, "conflict", "rematch",
                           "the opponent has declined");
        else if (own->state == CHALLENGE_JOINED)
            answer_game(live, command->origin, &own->game);
        else if (own->state == CHALLENGE_OPEN)
            answer_challenge(live, command->origin, own);
        else
            continue;
        return true;
    }
    const Account *opponent = account_find(live, command->to);
    for (size_t i = 0; opponent != NULL && i < opponent->challenges.count; i++) {
        const Challenge *taken = opponent->challenges.items[i];
        if (taken->state != CHALLENGE_JOINED || taken->joiner != account->number ||
            !live_id_equal(&taken->rematch, &command->rematch))
            continue;
        answer_game(live, command->origin, &taken->game);
        return true;
    }
    return false;
}

static void tell_invited(Live *live, const Challenge *challenge) {
    LiveEffect *effect = fx_push(live->fx, LIVE_FX_INVITED);
    effect->id = challenge->id;
    effect->invited = (LiveInvited) {
        .to = challenge->invitee->number,
        .from = challenge->creator->number,
        .rematch = challenge->rematch,
        .at_ms = live->now_ms,
        .away = challenge->invitee->connection_count == 0,
    };
    jd_copy(effect->invited.nick, challenge->creator->nick, sizeof(effect->invited.nick));
}

static void create(Live *live, const LiveCommand *command, const Challenge *model,
                   Account *creator) {
    Account *invitee = command->to == 0
                           ? NULL
                           : account_with(live, command->to, command->to_nick, command->to_profile);
    Challenge *challenge = place(live, model, creator, invitee);
    creator->last_seen_ms = live->now_ms;
    unsigned char body[LIVE_EVENT_BODY_MAX];
    log_entry(live, challenge, LIVE_EVENT_CHALLENGE_CREATED, body, birth_write(challenge, body));
    reschedule(live, challenge);
    answer_challenge(live, command->origin, challenge);
    tell(live, challenge, LIVE_GONE_CANCELLED);
    if (invitee != NULL)
        tell_invited(live, challenge);
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
    if (rematch_known(live, command, account))
        return;
    Challenge model;
    if (!read_form(live, command, &model))
        return;
    if (account != NULL && account->open_challenges >= LIVE_CHALLENGES_PER_PLAYER) {
        (void)fx_error(live->fx, origin, "too_many_challenges", NULL, "at most %d open challenges",
                       LIVE_CHALLENGES_PER_PLAYER);
        return;
    }
    const Account *addressee = account_find(live, command->to);
    if (addressee != NULL && account_blocks(addressee, command->account)) {
        (void)fx_error(live->fx, origin, "not_found", "to", "there is no such player");
        return;
    }
    if (live->challenges.count >= LIVE_CHALLENGES_MAX || find(live, &model.id) != NULL) {
        (void)fx_error(live->fx, origin, "unavailable", NULL, "no room for another challenge");
        return;
    }
    Account *creator = account_of(live, command);
    creator->uses++; // until it is known whether anything holds it
    if (creator_fits(live, origin, &model, creator))
        create(live, command, &model, creator);
    creator->uses--;
    account_let_go(live, creator);
}

// ---- rematches ----------------------------------------------------------------------------------

bool live_game_row(const Live *live, const LiveId *id, LiveGameRow *out) {
    const Game *game = game_find(live, id);
    if (game != NULL)
        game_fill_row(live, game, out);
    return game != NULL;
}

void live_start_fen(const Live *live, const LiveId *id, char out[CHESS_FEN_SIZE]) {
    const Game *game = game_find(live, id);
    const char *code = NULL;
    JdErr err = { 0 };
    Terms terms;
    jd_zero(&terms, sizeof(terms));
    jd_zero(out, CHESS_FEN_SIZE);
    if (game == NULL)
        return;
    (void)chess_fen_write(&game->fold.laws.setup.start, CHESS_FEN_EP_LEGAL, out);
    if (!terms_set_fen(&terms, jd_str(out), &code, &err) || !terms.set_up)
        jd_zero(out, CHESS_FEN_SIZE);
}

bool live_rematch(const LiveGameRow *row, LiveAccount who, LiveCommand *out, const char **code) {
    const bool is_white = row->seats[CHESS_WHITE].account == who;
    const ChessColor mine = is_white ? CHESS_WHITE : CHESS_BLACK;
    const LiveSeat *opponent = &row->seats[chess_other(mine)];
    *code = "forbidden";
    if (row->seats[mine].account != who)
        return false;
    *code = "conflict"; // it goes on
    if (row->state != LAWS_ENDED && row->state != LAWS_ANNULLED)
        return false;
    *code = "not_found"; // a former player
    if (opponent->account == 0)
        return false;
    out->rematch = row->id;
    out->to = opponent->account;
    out->color = is_white ? LIVE_COLOR_BLACK : LIVE_COLOR_WHITE;
    out->rated = row->rated;
    out->control = row->control;
    out->type = row->type;
    out->edition = row->edition;
    out->flag = row->flag;
    out->touch = row->touch;
    return true;
}

// ---- closing ------------------------------------------------------------------------------------

void lobby_cancel(Live *live, const LiveCommand *command) {
    const LiveOrigin origin = command->origin;
    Challenge *challenge = find(live, &command->id);
    if (command->account == 0) {
        (void)fx_error(live->fx, origin, "auth_required", NULL, "guests have no challenges");
        return;
    }
    if (challenge == NULL || challenge->state == CHALLENGE_EXPIRED ||
        !concerns(challenge, command->account)) {
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
        tell(live, challenge, LIVE_GONE_CANCELLED);
}

// S-041: only whom it is directed to declines it.
void lobby_decline(Live *live, const LiveCommand *command) {
    const LiveOrigin origin = command->origin;
    Challenge *challenge = find(live, &command->id);
    if (command->account == 0) {
        (void)fx_error(live->fx, origin, "auth_required", NULL, "guests have no challenges");
        return;
    }
    const bool known =
        challenge != NULL && challenge->invitee != NULL && concerns(challenge, command->account);
    if (!known || challenge->state == CHALLENGE_EXPIRED ||
        challenge->state == CHALLENGE_CANCELLED) {
        (void)fx_error(live->fx, origin, "not_found", "challenge", "there is no such challenge");
        return;
    }
    if (challenge->invitee->number != command->account) {
        (void)fx_error(live->fx, origin, "own_challenge", "challenge", "its creator cancels it");
        return;
    }
    if (challenge->state == CHALLENGE_JOINED) {
        (void)fx_error(live->fx, origin, "seat_taken", "challenge", "it has become game %s",
                       challenge->game.text);
        return;
    }
    const bool open = challenge->state == CHALLENGE_OPEN;
    if (open)
        withdraw(live, challenge, CHALLENGE_DECLINED);
    (void)fx_answer(live->fx, origin, LIVE_ANSWER_OK);
    if (open)
        tell(live, challenge, LIVE_GONE_DECLINED);
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
    tell(live, challenge, LIVE_GONE_EXPIRED);
}

static void drop(Live *live, Challenge *challenge) {
    withdraw(live, challenge, CHALLENGE_CANCELLED);
    tell(live, challenge, LIVE_GONE_CANCELLED);
}

void lobby_drop_all_of(Live *live, Account *account) {
    for (size_t i = 0; i < account->challenges.count; i++) {
        Challenge *challenge = account->challenges.items[i];
        if (challenge->state == CHALLENGE_OPEN)
            drop(live, challenge);
    }
    while (account->invitations.count > 0) // a closed one leaves the list
        drop(live, account->invitations.items[0]);
}

// Shown anew, under the name it has now.
static void tell_again(Live *live, const Challenge *challenge) {
    if (challenge->invitee == NULL)
        lobby_note(live, LIVE_MSG_LOBBY_REMOVE, challenge);
    tell(live, challenge, LIVE_GONE_CANCELLED);
}

static void show_again(Live *live, const Account *account, const bool lists[RATING_LISTS]) {
    for (size_t i = 0; i < account->challenges.count; i++) {
        const Challenge *challenge = account->challenges.items[i];
        if (challenge->state == CHALLENGE_OPEN &&
            (lists == NULL || lists[challenge_list(challenge)]))
            tell_again(live, challenge);
    }
    for (size_t i = 0; lists == NULL && i < account->invitations.count; i++)
        tell_again(live, account->invitations.items[i]);
}

void lobby_renamed(Live *live, const Account *account) {
    show_again(live, account, NULL);
}

void lobby_rerated(Live *live, const Account *account, const bool lists[RATING_LISTS]) {
    show_again(live, account, lists);
}

// ---- joining ------------------------------------------------------------------------------------

// Whether a command may take the seat; false after an error (or an old game) was answered.
static bool may_join(Live *live, const LiveCommand *command, const Challenge *challenge) {
    const LiveOrigin origin = command->origin;
    const Account *joiner = account_find(live, command->account);
    if (command->account == 0) {
        (void)fx_error(live->fx, origin, "auth_required", NULL, "guests cannot play");
        return false;
    }
    if (challenge == NULL || challenge->state == CHALLENGE_CANCELLED ||
        challenge->state == CHALLENGE_EXPIRED || challenge->state == CHALLENGE_DECLINED ||
        !concerns(challenge, command->account)) {
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
    Challenge *challenge = find(live, &command->id);
    if (!may_join(live, command, challenge))
        return;
    const LiveId id = live_id_of_bytes(command->random);
    if (game_find(live, &id) != NULL) {
        (void)fx_error(live->fx, command->origin, "unavailable", NULL, "try again");
        return;
    }
    Account *joiner = account_of(live, command);
    const char *barred = bars(challenge, joiner);
    // S-038, X-016: whom its creator has blocked does not find it, nor who has blocked the creator.
    if (account_blocks(challenge->creator, command->account) ||
        account_blocks(joiner, challenge->creator->number))
        barred = "not_found";
    if (barred != NULL) {
        (void)fx_error(live->fx, command->origin, barred, "challenge", "not open to this account");
        account_let_go(live, joiner);
        return;
    }
    joiner->last_seen_ms = live->now_ms;
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
    tell(live, challenge, LIVE_GONE_JOINED);
    me_note(live, challenge->creator, LIVE_MSG_STARTED, game);
    if (fold_is_slow(&game->fold)) {
        game_start(live, game);
        vacation_new_game(live, game);
        return;
    }
    game_tell(live, game, true);
}

// ---- restart ------------------------------------------------------------------------------------

static bool read_start(Reader *reader, Terms *terms, const char **code, JdErr *err) {
    char fen[CHESS_FEN_SIZE];
    const size_t size = (size_t)read_number(reader, 1);
    if (size >= sizeof(fen)) {
        reader->failed = true;
        return true; // said with the rest
    }
    read_bytes(reader, fen, size);
    return terms_set_fen(terms, jd_str_n(fen, size), code, err);
}

// The challenge of a creation entry; whose it is and to whom (0: to everybody) stands beside it.
static bool read_creation(const LiveLogEvent *event, Challenge *model, LiveAccount people[2],
                          JdErr *err) {
    Reader reader = { event->body, event->body_size, 0, false };
    jd_zero(model, sizeof(*model));
    model->id = event->id;
    model->created_ms = event->at.ms;
    const char *code = NULL;
    const uint64_t version = read_number(&reader, 1);
    const LiveAccount creator = (LiveAccount)read_number(&reader, 8);
    model->color = (uint8_t)read_number(&reader, 1);
    const uint8_t rated = (uint8_t)read_number(&reader, 1);
    model->key_size = (uint8_t)read_number(&reader, 1);
    if (model->key_size > LIVE_KEY_MAX)
        reader.failed = true;
    else
        read_bytes(&reader, model->key, model->key_size);
    if (version == 1) {
        control_read(&reader, &model->terms.control);
        model->terms.type = live_control_is_slow(&model->terms.control) ? LIVE_CLASSIC : LIVE_BLITZ;
        model->terms.edition = LAWS_FIDE_2023;
    } else {
        terms_read(&reader, &model->terms);
    }
    model->terms.rated = rated;
    LiveAccount invitee = 0;
    if (version >= 3) {
        invitee = (LiveAccount)read_number(&reader, 8);
        read_bytes(&reader, model->rematch.text, LIVE_ID_CHARS);
        model->confirmed_only = read_number(&reader, 1) != 0;
        model->rating_min = (uint16_t)read_number(&reader, 2);
        model->rating_max = (uint16_t)read_number(&reader, 2);
    }
    if (version >= 4 && !read_start(&reader, &model->terms, &code, err))
        return false;
    if (reader.failed || invitee < 0 || (invitee != 0 && invitee == creator) || version < 1 ||
        version > BODY_VERSION || event->seq != 1 || creator <= 0 ||
        model->color > LIVE_COLOR_RANDOM)
        return jd_fail(err, 1, reader.at, "challenge %s: its creation cannot be read",
                       event->id.text);
    people[0] = creator;
    people[1] = invitee;
    return terms_check(&model->terms, &code, err);
}

bool lobby_birth_people(const LiveLogEvent *event, LiveAccount out[2], JdErr *err) {
    Challenge model;
    return read_creation(event, &model, out, err);
}

static bool replay_creation(Live *live, const LiveLogEvent *event, JdErr *err) {
    Challenge model;
    LiveAccount people[2] = { 0 };
    if (!read_creation(event, &model, people, err))
        return false;
    if (find(live, &event->id) != NULL)
        return jd_fail(err, 1, 0, "challenge %s is created twice", event->id.text);
    (void)place(live, &model, account_get(live, people[0], JD_STR("")),
                people[1] == 0 ? NULL : account_get(live, people[1], JD_STR("")));
    return true;
}

bool lobby_replay(Live *live, const LiveLogEvent *event, JdErr *err) {
    if (event->kind == LIVE_EVENT_CHALLENGE_CREATED)
        return replay_creation(live, event, err);
    Challenge *challenge = find(live, &event->id);
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
             : event->kind == LIVE_EVENT_CHALLENGE_DECLINED  ? CHALLENGE_DECLINED
                                                             : CHALLENGE_EXPIRED,
             event->at.ms);
    challenge->joiner = joiner;
    challenge->game = game;
    return true;
}

void lobby_resume(Live *live, Challenge *challenge) {
    reschedule(live, challenge);
}
