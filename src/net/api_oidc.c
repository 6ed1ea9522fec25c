// SPDX-License-Identifier: GPL-3.0-or-later
//
// Log-in by providers of OpenID Connect (S-010 to S-012): the way to the provider and back, and
// what of it belongs to one's settings.
//
// What binds the way back to its beginning: the flow is found by a cookie of this browser, its
// state must be the one that comes back, at the address of the provider it was begun with, once.
// Linking begins with a request that asks the password and that other sites cannot make, and ends
// only in a session of that account.
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "net/api.h"
#include "net/gateway.h"
#include "net/json_in.h"
#include "net/json_out.h"
#include "net/log.h"

const char *net_oidc_cookie_name(const NetServer *server) {
    return net_config_is_https(&server->config) ? "__Host-jadoube-oidc" : "jadoube-oidc";
}

void net_reply_oidc_cookie(NetRequest *request, const char *key) {
    const size_t used = strlen(request->extra);
    // Lax: it has to come along when the provider sends the browser back.
    jd_format(request->extra + used, sizeof(request->extra) - used,
              "Set-Cookie: %s=%s; Path=/; HttpOnly; SameSite=Lax; Max-Age=%d%s\r\n",
              net_oidc_cookie_name(request->server), key, key[0] == '\0' ? 0 : 900,
              net_config_is_https(&request->server->config) ? "; Secure" : "");
}

// ---- whom a provider vouches for ----------------------------------------------------------------

static void identity_of(const NetServer *server, const NetOidcFlow *flow, PagesIdentity *out) {
    const NetOidcSetting *setting = net_oidc_at(server->oidc, flow->provider);
    *out = (PagesIdentity) { .email_verified = flow->claims.email_verified };
    jd_format(out->issuer, sizeof(out->issuer), "%s", setting->issuer);
    jd_format(out->subject, sizeof(out->subject), "%s", flow->claims.subject);
    jd_format(out->provider, sizeof(out->provider), "%s", setting->name);
    jd_format(out->label, sizeof(out->label), "%s", setting->label);
    jd_format(out->email, sizeof(out->email), "%s", flow->claims.email);
}

static bool find_pending(const NetRequest *request, NetOidcFlow *flow) {
    return request->server->flows != NULL && request->oidc[0] != '\0' &&
           net_oidc_flow_look(request->server->flows, jd_str(request->oidc), request->now, flow) &&
           flow->answered;
}

bool net_oidc_pending(const NetRequest *request, PagesIdentity *out) {
    NetOidcFlow flow;
    const bool found = find_pending(request, &flow);
    if (found)
        identity_of(request->server, &flow, out);
    return found;
}

void net_oidc_settled(NetRequest *request) {
    NetOidcFlow flow;
    (void)!net_oidc_flow_take(request->server->flows, jd_str(request->oidc), request->now, &flow);
    net_reply_oidc_cookie(request, "");
}

// ---- where the browser goes ---------------------------------------------------------------------

// A page of ours to go on to: a path that no browser takes for another host's. Anything else is
// the first page.
static void clean_next(JdStr text, char *out, size_t size) {
    static const char digits[] = "0123456789ABCDEF";
    static const char plain[] = "/-._~?=&:,;!*()$";
    size_t to = 0;
    bool ok = text.size > 0 && text.data[0] == '/' &&
              !(text.size > 1 && (text.data[1] == '/' || text.data[1] == '\\'));
    for (size_t i = 0; ok && i < text.size; i++) {
        const unsigned char c = (unsigned char)text.data[i];
        const bool word =
            (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        ok = c > ' ' && c != 0x7f && c != '\\' && to + 4 < size;
        if (ok && (word || (c < 0x80 && strchr(plain, c) != NULL))) {
            out[to++] = (char)c;
        } else if (ok) {
            out[to++] = '%';
            out[to++] = digits[c >> 4];
            out[to++] = digits[c & 15];
        }
    }
    // Not back into a log-in, nor to what answers in JSON.
    ok = ok && !jd_str_starts_with(text, JD_STR("/login/oidc")) &&
         !jd_str_starts_with(text, JD_STR("/api/"));
    out[ok ? to : 0] = '\0';
    if (!ok)
        jd_format(out, size, "/");
}

// Back to the page where it was begun, which says in words what happened.
static void go_back(NetRequest *request, const NetOidcFlow *flow, const char *word) {
    char to[NET_OIDC_NEXT * 3 + 80];
    if (flow->account != 0) {
        jd_format(to, sizeof(to), "/account/logins?social=%s", word);
    } else if (flow->plain) {
        jd_format(to, sizeof(to), "/login/classic?hl=%s&social=%s", flow->language, word);
    } else {
        JdOut out = jd_out(to, sizeof(to) - 1);
        jd_out_cstr(&out, "/login?social=");
        jd_out_cstr(&out, word);
        if (strcmp(flow->next, "/") != 0) {
            jd_out_cstr(&out, "&next=");
            for (const char *c = flow->next; *c != '\0'; c++) {
                if (*c == '&')
                    jd_out_cstr(&out, "%26");
                else if (*c == '%')
                    jd_out_cstr(&out, "%25");
                else
                    jd_out_char(&out, *c);
            }
        }
        to[out.size < sizeof(to) ? out.size : sizeof(to) - 1] = '\0';
    }
    net_reply_go(request, to);
}

static const char *word_of(const JdErr *err) {
    return err->code == NET_OIDC_DOWN ? "down" : err->code == NET_OIDC_CLOCK ? "clock" : "failed";
}

static void redirect_uri(const NetRequest *request, size_t provider, char *out, size_t size) {
    const NetServer *server = request->server;
    jd_format(out, size, "%s/login/oidc/%s/back", server->site,
              net_oidc_at(server->oidc, provider)->name);
}

// ---- to the provider ----------------------------------------------------------------------------

// Puts the flow down and makes the address; false (err): the provider cannot be reached.
static bool begin(NetRequest *request, NetOidcFlow *flow, char key[NET_OIDC_RANDOM], char **url,
                  JdErr *err) {
    NetServer *server = request->server;
    char back[700];
    char challenge[NET_OIDC_RANDOM];
    *url = NULL;
    if (!net_oidc_flow_put(server->flows, flow, request->now, key))
        return jd_fail(err, NET_OIDC_DOWN, 0, "no memory");
    redirect_uri(request, flow->provider, back, sizeof(back));
    net_oidc_challenge(flow->verifier, challenge);
    const NetOidcAsk ask = { .provider = flow->provider,
                             .redirect_uri = jd_str(back),
                             .state = jd_str(flow->state),
                             .nonce = jd_str(flow->nonce),
                             .challenge = jd_str(challenge),
                             .language = jd_str(flow->language) };
    if (net_oidc_authorize(server->oidc, &ask, request->now, url, err))
        return true;
    net_log(NET_LOG_WARN, "oidc %s: %s", net_oidc_at(server->oidc, flow->provider)->name,
            err->text);
    NetOidcFlow gone;
    (void)!net_oidc_flow_take(server->flows, jd_str(key), request->now, &gone);
    return false;
}

static const char *language_of(const NetRequest *request) {
    static const char *const known[] = { "ru", "ro", "en" };
    for (size_t i = 0; i < JD_COUNT(known); i++)
        if (jd_str_equal(net_request_query(request, "hl"), jd_str(known[i])))
            return known[i];
    return request->language;
}

void oidc_begin(NetRequest *request, NetWorkerKit *kit) {
    static const char *const names[] = { "next", "remember", "plain", "hl" };
    NetOidcFlow flow = { .provider = net_oidc_find(request->server->oidc, request->params[0]) };
    char key[NET_OIDC_RANDOM];
    char *url = NULL;
    JdErr err = { 0 };
    (void)kit;
    if (!net_request_query_only(request, names, JD_COUNT(names)))
        return;
    flow.remember = net_request_query(request, "remember").size > 0;
    flow.plain = net_request_query(request, "plain").size > 0;
    jd_format(flow.language, sizeof(flow.language), "%s", language_of(request));
    clean_next(net_request_query(request, "next"), flow.next, sizeof(flow.next));
    if (flow.plain)
        jd_format(flow.next, sizeof(flow.next), "/login/classic?hl=%s", flow.language);
    if (flow.provider == SIZE_MAX) {
        go_back(request, &flow, "failed");
    } else if (begin(request, &flow, key, &url, &err)) {
        net_reply_oidc_cookie(request, key);
        net_reply_go(request, url);
    } else {
        go_back(request, &flow, word_of(&err));
    }
    free(url);
    sodium_memzero(&flow, sizeof(flow));
}

// ---- and back -----------------------------------------------------------------------------------

typedef struct Entered {
    PagesSession session;
    char next[NET_OIDC_NEXT];
} Entered;

static bool same_text(JdStr a, const char *b) {
    return a.size > 0 && a.size == strlen(b) && sodium_memcmp(a.data, b, a.size) == 0;
}

// The flow this answer belongs to, which is then used up; false: none, or not of this browser, or
// not of this provider.
static bool take_flow(NetRequest *request, NetOidcFlow *flow) {
    const NetServer *server = request->server;
    const JdStr key = jd_str(request->oidc);
    return server->flows != NULL && net_oidc_flow_look(server->flows, key, request->now, flow) &&
           !flow->answered && same_text(net_request_query(request, "state"), flow->state) &&
           flow->provider == net_oidc_find(server->oidc, request->params[0]) &&
           net_oidc_flow_take(server->flows, key, request->now, flow);
}

// The provider's own refusal (RFC 6749 4.1.2.1).
static const char *refusal_of(JdStr error) {
    if (jd_str_equal(error, JD_STR("temporarily_unavailable")) ||
        jd_str_equal(error, JD_STR("server_error")))
        return "down";
    return jd_str_equal(error, JD_STR("access_denied")) ? "refused" : "failed";
}

static bool exchange(NetRequest *request, NetOidcFlow *flow, const char **word) {
    NetServer *server = request->server;
    const char *name = net_oidc_at(server->oidc, flow->provider)->name;
    const JdStr error = net_request_query(request, "error");
    char back[700];
    JdErr err = { 0 };
    redirect_uri(request, flow->provider, back, sizeof(back));
    const NetOidcAnswer answer = { .provider = flow->provider,
                                   .redirect_uri = jd_str(back),
                                   .code = net_request_query(request, "code"),
                                   .issuer = net_request_query(request, "iss"),
                                   .verifier = jd_str(flow->verifier),
                                   .nonce = jd_str(flow->nonce) };
    if (error.size > 0 || answer.code.size == 0) {
        *word = refusal_of(error);
        return false;
    }
    if (net_oidc_exchange(server->oidc, &answer, request->now, &flow->claims, &err))
        return true;
    net_log(NET_LOG_WARN, "oidc %s: %s", name, err.text);
    *word = word_of(&err);
    return false;
}

static void pages_refused(NetRequest *request, const NetOidcFlow *flow, const PagesFault *fault) {
    const PagesCode code = (PagesCode)fault->err.code;
    const bool known = code == PAGES_IDENTITY_TAKEN || code == PAGES_IDENTITY_LINKED;
    if (!known)
        net_log(NET_LOG_ERROR, "log-in by a provider: %s", fault->err.text);
    go_back(request, flow, known ? pages_code_name(code) : "failed");
}

static void link_account(NetRequest *request, NetWorkerKit *kit, const NetOidcFlow *flow) {
    PagesIdentity identity;
    PagesFault fault = { 0 };
    identity_of(request->server, flow, &identity);
    if (!request->logged_in || request->me.account != flow->account)
        go_back(request, flow, "stale"); // who began is not who came back
    else if (pages_identity_link(kit->pages, flow->account, &identity, request->now, &fault))
        go_back(request, flow, "linked");
    else
        pages_refused(request, flow, &fault);
}

static void enter(NetRequest *request, NetWorkerKit *kit, NetOidcFlow *flow) {
    PagesIdentity identity;
    PagesFault fault = { 0 };
    bool entered = false;
    char key[NET_OIDC_RANDOM];
    Entered *result = api_results(request, sizeof(*result));
    if (result == NULL)
        return;
    identity_of(request->server, flow, &identity);
    const PagesEnter form = { .identity = &identity,
                              .old_token = jd_str(request->token),
                              .remember = flow->remember,
                              .agent = jd_str(request->agent) };
    if (!pages_identity_enter(kit->pages, &form, request->now, &result->session, &entered,
                              &fault)) {
        pages_refused(request, flow, &fault);
    } else if (entered) {
        memcpy(result->next, flow->next, sizeof(result->next)); // oidc_told goes there
    } else {
        // S-012: nobody's account; the person is asked what to do.
        flow->answered = true;
        request->extra[0] = '\0';
        if (net_oidc_flow_put(request->server->flows, flow, request->now, key))
            net_reply_oidc_cookie(request, key);
        go_back(request, flow, "unknown");
    }
}

void oidc_back(NetRequest *request, NetWorkerKit *kit) {
    NetOidcFlow flow = { .next = "/" };
    const char *word = "stale";
    NetOidcFlow nobody = { .next = "/" };
    if (!take_flow(request, &flow)) {
        // Where it was begun is told only by what is ours, and it is not.
        go_back(request, &nobody, word);
        return;
    }
    net_reply_oidc_cookie(request, "");
    if (!exchange(request, &flow, &word))
        go_back(request, &flow, word);
    else if (flow.account != 0)
        link_account(request, kit, &flow);
    else
        enter(request, kit, &flow);
    sodium_memzero(&flow, sizeof(flow));
}

// On the loop: somebody has entered. The session of the cookie that came along has ended, and with
// it its connections.
void oidc_entered(NetRequest *request) {
    Entered *result = request->results;
    uint8_t digest[NET_DIGEST_SIZE];
    if (request->token[0] != '\0') {
        net_token_digest(jd_str(request->token), digest);
        net_tell_sessions(request->server, 0, digest, NULL);
    }
    net_reply_cookie(request, &result->session);
    net_reply_go(request, result->next);
    sodium_memzero(result->session.token, sizeof(result->session.token));
    net_request_finish(request);
}

// ---- S-012: who has no account yet --------------------------------------------------------------

void api_oidc_pending(NetRequest *request) {
    PagesIdentity identity;
    const bool found = net_oidc_pending(request, &identity);
    NetBuf *out = net_reply_json(request, 200);
    if (out != NULL) {
        json_out_open(out, '{');
        json_out_key(out, "pending");
        if (found) {
            json_out_open(out, '{');
            json_out_key_cstr(out, "name", identity.provider);
            json_out_key_cstr(out, "label", identity.label);
            json_out_key_cstr(out, "email", identity.email[0] == '\0' ? NULL : identity.email);
            json_out_key_bool(out, "verified", identity.email_verified);
            json_out_close(out, '}');
        } else {
            json_out_null(out);
        }
        json_out_close(out, '}');
    }
    request->cache = "no-store";
    net_request_finish(request);
}

// ---- one's own ----------------------------------------------------------------------------------

void api_oidc(NetRequest *request, NetWorkerKit *kit) {
    PagesIdentities *list = api_results(request, sizeof(*list));
    PagesFault fault = { 0 };
    if (list != NULL && !pages_identities(kit->pages, request->me.account, list, &fault))
        net_reply_pages_fault(request, &fault);
}

void api_oidc_found(NetRequest *request) {
    const PagesIdentities *list = request->results;
    NetBuf *out = net_reply_json(request, 200);
    if (out != NULL) {
        json_out_open(out, '{');
        json_out_key(out, "identities");
        json_out_open(out, '[');
        for (size_t i = 0; i < list->count; i++) {
            const size_t at = net_oidc_find(request->server->oidc, jd_str(list->list[i].provider));
            const NetOidcSetting *setting = net_oidc_at(request->server->oidc, at);
            const char *email = list->list[i].email;
            json_out_open(out, '{');
            json_out_key_cstr(out, "name", list->list[i].provider);
            json_out_key_cstr(out, "label",
                              setting != NULL ? setting->label : list->list[i].provider);
            json_out_key_cstr(out, "email", email[0] == '\0' ? NULL : email);
            json_out_key_int(out, "linked", list->list[i].linked_ms);
            json_out_key_time(out, "used", list->list[i].used_ms == 0 ? -1 : list->list[i].used_ms);
            json_out_close(out, '}');
        }
        json_out_close(out, ']');
        json_out_close(out, '}');
    }
    net_request_finish(request);
}

typedef struct PasswordField {
    JdStr password;
} PasswordField;

// The password of who asks, in the body; false: the answer is given.
static bool proved(NetRequest *request, NetWorkerKit *kit) {
    static const NetField fields[] = { { .name = "password",
                                         .kind = NET_FIELD_TEXT,
                                         .max = 4096,
                                         .offset = offsetof(PasswordField, password) } };
    PasswordField read = { .password = { NULL, 0 } };
    NetError err = { 0 };
    PagesFault fault = { 0 };
    json_t *object = net_request_json(request);
    if (object == NULL)
        return false;
    if (!net_json_read(object, fields, JD_COUNT(fields), &read, &err)) {
        net_reply_error(request, &err);
        return false;
    }
    if (pages_identity_prove(kit->pages, request->me.account, read.password, &request->address,
                             request->now, &fault))
        return true;
    net_reply_pages_fault(request, &fault);
    return false;
}

void api_oidc_link(NetRequest *request, NetWorkerKit *kit) {
    NetOidcFlow flow = { .provider = net_oidc_find(request->server->oidc, request->params[0]),
                         .account = request->me.account,
                         .next = "/" };
    char key[NET_OIDC_RANDOM];
    JdErr err = { 0 };
    char **url = api_results(request, sizeof(*url));
    if (url == NULL)
        return;
    if (flow.provider == SIZE_MAX) {
        net_reply_fault(request, "not_found", NULL, "no provider of that name");
        return;
    }
    if (!proved(request, kit))
        return;
    jd_format(flow.language, sizeof(flow.language), "%s", request->me.language);
    if (begin(request, &flow, key, url, &err)) {
        net_reply_oidc_cookie(request, key);
        request->location = *url; // freed with the request; told in the body
        *url = NULL;
    } else {
        net_reply_fault(request, "social_failed", NULL, "the provider does not answer");
    }
    sodium_memzero(&flow, sizeof(flow));
}

void api_oidc_link_begun(NetRequest *request) {
    char *url = request->location;
    request->location = NULL;
    NetBuf *out = net_reply_json(request, 200);
    if (out != NULL) {
        json_out_open(out, '{');
        json_out_key_cstr(out, "location", url);
        json_out_close(out, '}');
    }
    free(url);
    net_request_finish(request);
}

void api_oidc_unlink(NetRequest *request, NetWorkerKit *kit) {
    PagesFault fault = { 0 };
    PagesIdentities *list = api_results(request, sizeof(*list));
    if (list == NULL || !proved(request, kit))
        return;
    if (!pages_identity_unlink(kit->pages, request->me.account, request->params[0], request->now,
                               &fault) ||
        !pages_identities(kit->pages, request->me.account, list, &fault))
        net_reply_pages_fault(request, &fault);
}
