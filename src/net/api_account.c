// SPDX-License-Identifier: GPL-3.0-or-later
//
// Accounts over HTTP: registering, logging in and out, one's own data, players and their games.
#include <stdlib.h>
#include <string.h>

#include "net/api.h"
#include "net/gateway.h"
#include "net/json_in.h"
#include "net/json_live.h"
#include "net/json_out.h"
#include "net/log.h"
#include "net/me.h"
#include "net/rows.h"

// Texts are bounded here so that nothing larger reaches pages, which knows the true limits.
#define TEXT_MAX 4096

typedef struct AccountFields {
    JdStr nick;
    JdStr email;
    JdStr login;
    JdStr password;
    JdStr password2;
    JdStr new_password;
    JdStr new_password2;
    JdStr language;
    JdStr captcha;
    bool accept_rules;
    bool remember;
    bool oidc; // linked to the identity that waits for an account
} AccountFields;

#define TEXT(member, optional_)                                                                    \
    {                                                                                              \
        .name = #member, .kind = NET_FIELD_TEXT, .optional = (optional_), .max = TEXT_MAX,         \
        .offset = offsetof(AccountFields, member)                                                  \
    }
#define BOOL(member)                                                                               \
    { .name = #member, .kind = NET_FIELD_BOOL, .offset = offsetof(AccountFields, member) }
#define OIDC                                                                                       \
    {                                                                                              \
        .name = "oidc", .kind = NET_FIELD_BOOL, .optional = true,                                  \
        .offset = offsetof(AccountFields, oidc)                                                    \
    }

// Reads the body by a table; false: the error is given.
static bool read_fields(NetRequest *request, const NetField *fields, size_t count,
                        AccountFields *out) {
    NetError err = { 0 };
    json_t *object = net_request_json(request);
    *out = (AccountFields) { .remember = false };
    if (object == NULL)
        return false;
    if (net_json_read(object, fields, count, out, &err))
        return true;
    net_reply_error(request, &err);
    return false;
}

void *api_results(NetRequest *request, size_t size) {
    request->results = calloc(1, size);
    if (request->results == NULL)
        net_reply_fault(request, "internal", NULL, "no memory for the answer");
    return request->results;
}

void api_reply_me(NetRequest *request, int status, const PagesMe *me) {
    NetBuf *out = net_reply_json(request, status);
    if (out == NULL)
        return;
    json_out_open(out, '{');
    json_out_key(out, "me");
    net_write_me(out, me);
    json_out_close(out, '}');
}

// ---- in and out -------------------------------------------------------------------------------

typedef struct Entered {
    PagesSession session;
    PagesIdentity identity; // of a provider, waits for an account
    int status;
    bool linked; // and has found it
} Entered;

// The identity that the form asks to link; NULL in *out when it asks for none. False: the answer is
// given.
static bool take_identity(NetRequest *request, const AccountFields *read, Entered *entered,
                          const PagesIdentity **out) {
    *out = NULL;
    if (!read->oidc)
        return true;
    entered->linked = net_oidc_pending(request, &entered->identity);
    *out = &entered->identity;
    if (!entered->linked)
        net_reply_fault(request, "social_failed", NULL, "this log-in has expired; begin again");
    return entered->linked;
}

void api_register(NetRequest *request, NetWorkerKit *kit) {
    static const NetField fields[] = { TEXT(nick, false),     TEXT(email, true),
                                       TEXT(password, false), TEXT(password2, false),
                                       TEXT(language, false), BOOL(accept_rules),
                                       TEXT(captcha, true),   OIDC };
    AccountFields read;
    const PagesIdentity *identity = NULL;
    if (!read_fields(request, fields, JD_COUNT(fields), &read))
        return;
    Entered *entered = api_results(request, sizeof(*entered));
    if (entered == NULL || !take_identity(request, &read, entered, &identity))
        return;
    const PagesRegister form = { .nick = read.nick,
                                 .email = read.email,
                                 .password = read.password,
                                 .password2 = read.password2,
                                 .language = read.language,
                                 .accept_rules = read.accept_rules,
                                 .captcha = read.captcha,
                                 .agent = jd_str(request->agent),
                                 .token = jd_str(request->token),
                                 .identity = identity,
                                 .address = request->address };
    PagesFault fault = { 0 };
    entered->status = 201;
    if (!pages_register(kit->pages, &form, request->now, &entered->session, &fault))
        net_reply_pages_fault(request, &fault);
}

void api_login(NetRequest *request, NetWorkerKit *kit) {
    static const NetField fields[] = { TEXT(login, false), TEXT(password, false), BOOL(remember),
                                       TEXT(captcha, true), OIDC };
    AccountFields read;
    const PagesIdentity *identity = NULL;
    if (!read_fields(request, fields, JD_COUNT(fields), &read))
        return;
    Entered *entered = api_results(request, sizeof(*entered));
    if (entered == NULL || !take_identity(request, &read, entered, &identity))
        return;
    const PagesLogin form = { .login = read.login,
                              .password = read.password,
                              .old_token = jd_str(request->token),
                              .remember = read.remember,
                              .captcha = read.captcha,
                              .agent = jd_str(request->agent),
                              .identity = identity,
                              .address = request->address };
    PagesFault fault = { 0 };
    entered->status = 200;
    if (!pages_login(kit->pages, &form, request->now, &entered->session, &fault))
        net_reply_pages_fault(request, &fault);
}

// The session of the cookie that came along has ended, and with it its connections.
static void end_old_session(NetRequest *request) {
    uint8_t digest[NET_DIGEST_SIZE];
    if (request->token[0] == '\0')
        return;
    net_token_digest(jd_str(request->token), digest);
    net_tell_sessions(request->server, 0, digest, NULL);
}

void api_entered(NetRequest *request) {
    Entered *entered = request->results;
    if (entered->status == 200)
        end_old_session(request);
    net_reply_cookie(request, &entered->session);
    if (entered->linked)
        net_oidc_settled(request);
    NetBuf *out = net_reply_json(request, entered->status);
    if (out != NULL) {
        json_out_open(out, '{');
        json_out_key(out, "me");
        net_write_me(out, &entered->session.me);
        if (entered->session.hides)
            json_out_key_cstr(out, "warning", "anonymizer");
        json_out_close(out, '}');
    }
    memset(entered->session.token, 0, sizeof(entered->session.token));
    net_request_finish(request);
}

bool api_empty_body(NetRequest *request) {
    NetError err = { 0 };
    json_t *object = net_request_json(request);
    if (object == NULL)
        return false;
    if (net_json_read(object, NULL, 0, NULL, &err))
        return true;
    net_reply_error(request, &err);
    return false;
}

void api_logout(NetRequest *request, NetWorkerKit *kit) {
    PagesFault fault = { 0 };
    if (api_empty_body(request) && request->token[0] != '\0' &&
        !pages_logout(kit->pages, jd_str(request->token), request->now, &fault))
        net_reply_pages_fault(request, &fault);
}

void api_logged_out(NetRequest *request) {
    end_old_session(request);
    net_reply_cookie(request, NULL);
    net_reply_empty(request, 204);
    net_request_finish(request);
}

// ---- one's own account ------------------------------------------------------------------------

void api_me(NetRequest *request) {
    api_reply_me(request, 200, request->logged_in ? &request->me : NULL);
    net_request_finish(request);
}

void api_password(NetRequest *request, NetWorkerKit *kit) {
    static const NetField fields[] = { TEXT(password, false), TEXT(new_password, false),
                                       TEXT(new_password2, false) };
    AccountFields read;
    if (!read_fields(request, fields, JD_COUNT(fields), &read))
        return;
    const PagesPassword form = { .account = request->me.account,
                                 .token = jd_str(request->token),
                                 .password = read.password,
                                 .new_password = read.new_password,
                                 .new_password2 = read.new_password2,
                                 .address = request->address };
    PagesFault fault = { 0 };
    if (!pages_password_change(kit->pages, &form, request->now, &fault))
        net_reply_pages_fault(request, &fault);
}

void api_password_changed(NetRequest *request) {
    uint8_t digest[NET_DIGEST_SIZE];
    net_token_digest(jd_str(request->token), digest);
    net_tell_sessions(request->server, request->me.account, NULL, digest);
    net_reply_empty(request, 204);
    net_request_finish(request);
}

void api_prefs(NetRequest *request, NetWorkerKit *kit) {
    static const NetField fields[] = { TEXT(language, true) };
    AccountFields read;
    if (!read_fields(request, fields, JD_COUNT(fields), &read))
        return;
    PagesFault fault = { 0 };
    if (!pages_prefs(kit->pages, request->me.account, read.language, &request->me, &fault))
        net_reply_pages_fault(request, &fault);
}

void api_prefs_changed(NetRequest *request) {
    net_tell_me(request->server, &request->me);
    api_reply_me(request, 200, &request->me);
    net_request_finish(request);
}

// ---- players ----------------------------------------------------------------------------------

void api_player(NetRequest *request, NetWorkerKit *kit) {
    PagesPlayer *player = api_results(request, sizeof(*player));
    PagesFault fault = { 0 };
    if (player != NULL && !pages_player(kit->pages, request->params[0], player, &fault))
        net_reply_pages_fault(request, &fault);
}

void api_player_found(NetRequest *request) {
    const PagesPlayer *player = request->results;
    NetBuf *out = net_reply_json(request, 200);
    if (out != NULL)
        net_write_player(out, player,
                         !player->hidden &&
                             live_is_online(request->server->shell.live, player->account));
    net_request_finish(request);
}

void api_player_games(NetRequest *request, NetWorkerKit *kit) {
    static const char *const names[] = { "limit", "after" };
    if (!net_request_query_only(request, names, JD_COUNT(names)))
        return;
    uint64_t limit = 0;
    const JdStr text = net_request_query(request, "limit");
    if (text.size > 0 && (!jd_parse_u64(text, PAGES_LIST_MAX, &limit) || limit == 0)) {
        net_reply_fault(request, "bad_request", "limit", "limit: expected a number from 1 to 50");
        return;
    }
    PagesGames *games = api_results(request, sizeof(*games));
    PagesFault fault = { 0 };
    if (games != NULL && !pages_player_games(kit->pages, request->params[0], (uint32_t)limit,
                                             net_request_query(request, "after"), games, &fault))
        net_reply_pages_fault(request, &fault);
}

static uint8_t reason_of(const char *name) {
    for (int reason = 1; name[0] != '\0' && reason <= UINT8_MAX; reason++) {
        const char *known = laws_reason_name((LawsReason)reason);
        if (known != NULL && strcmp(known, name) == 0)
            return (uint8_t)reason;
    }
    return LAWS_NOT_ENDED;
}

// A row of the database as live has it.
static bool live_row(const NetServer *server, const PagesGameRow *from, LiveGameRow *out) {
    const StoreGameRow *game = &from->game;
    LawsControl control;
    LawsPace category;
    JdErr err = { 0 };
    *out = (LiveGameRow) { .rated = game->rated };
    if (!live_id_parse(store_id_str(&game->id), &out->id) ||
        !laws_control_parse(jd_str(game->control), &control, &err) ||
        !laws_pace_parse(jd_str(game->category), &category)) {
        net_log(NET_LOG_ERROR, "game %s: its row cannot be read: %s", game->id.text, err.text);
        return false;
    }
    out->control = live_control_from_laws(&control);
    out->category = (uint8_t)category;
    out->pace = game->pace;
    out->type = game->type;
    out->flag = game->flag;
    out->touch = game->touch;
    out->edition = game->edition;
    out->turn = game->turn;
    out->offer = (uint8_t)(game->offer == 0 ? LIVE_NO_COLOR : game->offer - 1);
    out->result = game->result;
    out->reason = reason_of(game->reason);
    out->plies = game->plies;
    out->created_ms = game->created_ms;
    out->started_ms = game->started_ms == 0 ? LIVE_NEVER : game->started_ms;
    out->ended_ms = game->ended_ms == 0 ? LIVE_NEVER : game->ended_ms;
    out->deadline_ms = game->deadline_ms == 0 ? LIVE_NEVER : game->deadline_ms;
    const char *const nicks[2] = { from->white, from->black };
    const int64_t accounts[2] = { game->white, game->black };
    for (int color = 0; color < 2; color++) {
        out->seats[color].account = accounts[color];
        out->seats[color].vacation_until_ms = LIVE_NEVER;
        out->seats[color].online = live_is_online(server->shell.live, accounts[color]);
        out->seats[color].rating = from->standing[color].rating;
        out->seats[color].provisional = rating_is_provisional(from->standing[color].games);
        jd_format(out->seats[color].nick, sizeof(out->seats[color].nick), "%s", nicks[color]);
    }
    return true;
}

void net_reply_rows(NetRequest *request, const PagesGames *games) {
    NetBuf *out = net_reply_json(request, 200);
    if (out == NULL)
        return;
    json_out_open(out, '{');
    json_out_key(out, "games");
    json_out_open(out, '[');
    for (size_t i = 0; i < games->count; i++) {
        LiveGameRow row;
        if (live_row(request->server, &games->rows[i], &row))
            net_write_game_row(out, &row);
    }
    json_out_close(out, ']');
    json_out_key_cstr(out, "after", games->after[0] == '\0' ? NULL : games->after);
    json_out_close(out, '}');
}

void api_player_games_found(NetRequest *request) {
    net_reply_rows(request, request->results);
    net_request_finish(request);
}
