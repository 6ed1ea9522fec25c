// SPDX-License-Identifier: GPL-3.0-or-later
//
// Providers. A provider's description and keys are kept for an hour; keys are asked for anew when a
// token names one that is not among them. A provider that did not answer is not asked again for
// some seconds, so that people who wait behind each other do not wait the sum.
#include "net/oidc_provider.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <curl/curl.h>
#include <jansson.h>
#include <sodium.h>

#include "net/buf.h"
#include "net/log.h"

#define CONNECT_MS 4000L
#define WHOLE_MS 8000L
#define ANSWER_MAX ((size_t)256 * 1024) // bytes of one answer
#define FRESH_MS INT64_C(3600000)
#define DOWN_MS INT64_C(5000)
// Tokens with keys nobody knows make us ask for keys this often at most.
#define ROTATION_MS INT64_C(3000)
#define SECRET_MAX 512

typedef struct Endpoints {
    char *authorization;
    char *token;
    char *userinfo; // NULL: there is none
    char *keys;
    bool names_itself; // RFC 9207: its answers carry iss
    bool secret_in_body;
} Endpoints;

typedef struct Provider {
    NetOidcSetting setting;
    char secret[SECRET_MAX]; // empty: a public client
    pthread_mutex_t lock;    // guards what follows, and is held while it is fetched
    Endpoints endpoints;
    int64_t read_ms; // when; 0: never
    int64_t down_ms; // when it did not answer; 0: it did
    NetOidcKeys keys;
    int64_t keys_ms;
    int64_t rotated_ms;
} Provider;

struct NetOidc {
    size_t count;
    atomic_bool stop;
    Provider list[NET_OIDC_PROVIDERS_MAX];
};

// ---- the operator's side ------------------------------------------------------------------------

static bool read_secret(Provider *provider, JdErr *err) {
    const NetOidcSetting *setting = &provider->setting;
    if (setting->secret_file[0] == '\0')
        return true;
    char text[SECRET_MAX];
    FILE *file = fopen(setting->secret_file, "rb");
    const size_t size = file == NULL ? 0 : fread(text, 1, sizeof(text), file);
    if (file != NULL)
        fclose(file);
    const JdStr secret = jd_str_trim(jd_str_n(text, size));
    const bool ok = size < sizeof(text) && secret.size > 0 &&
                    jd_str_find(secret, '\0') == secret.size &&
                    jd_str_find(secret, '\n') == secret.size;
    if (ok)
        memcpy(provider->secret, secret.data, secret.size);
    sodium_memzero(text, sizeof(text));
    return ok || jd_fail(err, 1, 0, "oidc %s: %.80s: expected one line with the client's secret",
                         setting->name, setting->secret_file);
}

bool net_oidc_new(const NetConfig *config, NetOidc **out, JdErr *err) {
    *out = NULL;
    if (config->oidc.count == 0)
        return true;
    NetOidc *oidc = calloc(1, sizeof(*oidc));
    if (oidc == NULL || curl_global_init(CURL_GLOBAL_DEFAULT) != 0) {
        free(oidc);
        return jd_fail(err, 1, 0, "no memory for log-in by providers");
    }
    bool ok = true;
    for (size_t i = 0; ok && i < config->oidc.count; i++) {
        oidc->list[i].setting = config->oidc.list[i];
        pthread_mutex_init(&oidc->list[i].lock, NULL);
        oidc->count = i + 1;
        ok = read_secret(&oidc->list[i], err);
    }
    if (ok)
        *out = oidc;
    else
        net_oidc_free(oidc);
    return ok;
}

void net_oidc_stop(NetOidc *oidc) {
    if (oidc != NULL)
        atomic_store(&oidc->stop, true);
}

static void clear_endpoints(Endpoints *endpoints) {
    free(endpoints->authorization);
    free(endpoints->token);
    free(endpoints->userinfo);
    free(endpoints->keys);
    *endpoints = (Endpoints) { .authorization = NULL };
}

void net_oidc_free(NetOidc *oidc) {
    if (oidc == NULL)
        return;
    for (size_t i = 0; i < oidc->count; i++) {
        clear_endpoints(&oidc->list[i].endpoints);
        net_oidc_keys_clear(&oidc->list[i].keys);
        pthread_mutex_destroy(&oidc->list[i].lock);
        sodium_memzero(oidc->list[i].secret, sizeof(oidc->list[i].secret));
    }
    free(oidc);
}

const NetOidcSetting *net_oidc_at(const NetOidc *oidc, size_t index) {
    return oidc != NULL && index < oidc->count ? &oidc->list[index].setting : NULL;
}

size_t net_oidc_find(const NetOidc *oidc, JdStr name) {
    for (size_t i = 0; oidc != NULL && i < oidc->count; i++)
        if (jd_str_equal(name, jd_str(oidc->list[i].setting.name)))
            return i;
    return SIZE_MAX;
}

// ---- one call -----------------------------------------------------------------------------------

typedef struct Call {
    const NetOidc *oidc;
    const char *url;
    const char *body;   // NULL: GET
    const char *bearer; // NULL: none
    const char *user;   // NULL: none; with password, HTTP Basic
    const char *password;
    NetBuf *answer;
    long status;
} Call;

static size_t on_bytes(char *bytes, size_t size, size_t count, void *context) {
    const Call *call = context;
    const size_t more = size * count;
    if (call->answer->size + more > ANSWER_MAX)
        return 0; // the transfer ends with CURLE_WRITE_ERROR
    net_buf_add(call->answer, bytes, more);
    return call->answer->failed ? 0 : more;
}

static int on_progress(void *context, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d) {
    const Call *call = context;
    (void)a;
    (void)b;
    (void)c;
    (void)d;
    return atomic_load(&call->oidc->stop) ? 1 : 0;
}

static bool set_up(CURL *curl, Call *call, struct curl_slist *headers, char *problem) {
    const bool loopback = strncmp(call->url, "https://", 8) != 0; // nothing else was let through
    bool ok =
        curl_easy_setopt(curl, CURLOPT_URL, call->url) == CURLE_OK &&
        curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, loopback ? "http" : "https") == CURLE_OK &&
        curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L) == CURLE_OK &&
        curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, on_bytes) == CURLE_OK &&
        curl_easy_setopt(curl, CURLOPT_WRITEDATA, call) == CURLE_OK &&
        curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L) == CURLE_OK &&
        curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L) == CURLE_OK &&
        curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, on_progress) == CURLE_OK &&
        curl_easy_setopt(curl, CURLOPT_XFERINFODATA, call) == CURLE_OK &&
        curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, CONNECT_MS) == CURLE_OK &&
        curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, WHOLE_MS) == CURLE_OK &&
        curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, problem) == CURLE_OK &&
        curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers) == CURLE_OK;
    if (ok && loopback)
        ok = curl_easy_setopt(curl, CURLOPT_NOPROXY, "*") == CURLE_OK;
    if (ok && call->body != NULL)
        ok = curl_easy_setopt(curl, CURLOPT_POSTFIELDS, call->body) == CURLE_OK;
    if (ok && call->user != NULL)
        ok = curl_easy_setopt(curl, CURLOPT_HTTPAUTH, (long)CURLAUTH_BASIC) == CURLE_OK &&
             curl_easy_setopt(curl, CURLOPT_USERNAME, call->user) == CURLE_OK &&
             curl_easy_setopt(curl, CURLOPT_PASSWORD, call->password) == CURLE_OK;
    if (ok && call->bearer != NULL)
        ok = curl_easy_setopt(curl, CURLOPT_HTTPAUTH, (long)CURLAUTH_BEARER) == CURLE_OK &&
             curl_easy_setopt(curl, CURLOPT_XOAUTH2_BEARER, call->bearer) == CURLE_OK;
    return ok;
}

// True when an answer came, whatever its status.
static bool perform(Call *call, JdErr *err) {
    char problem[CURL_ERROR_SIZE] = "";
    CURL *curl = curl_easy_init();
    struct curl_slist *headers = curl_slist_append(NULL, "Accept: application/json");
    call->answer = net_buf_new();
    bool ok = curl != NULL && headers != NULL && call->answer != NULL;
    if (!ok || !set_up(curl, call, headers, problem)) {
        ok = jd_fail(err, NET_OIDC_DOWN, 0, "libcurl cannot be set up");
    } else {
        const CURLcode result = curl_easy_perform(curl);
        ok = result == CURLE_OK;
        curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &call->status);
        if (!ok && result == CURLE_WRITE_ERROR)
            (void)jd_fail(err, NET_OIDC_DOWN, 0, "an answer of more than %zu bytes", ANSWER_MAX);
        else if (!ok)
            (void)jd_fail(err, NET_OIDC_DOWN, 0, "%.120s",
                          problem[0] != '\0' ? problem : curl_easy_strerror(result));
    }
    curl_slist_free_all(headers);
    curl_easy_cleanup(curl);
    return ok;
}

static void end_call(Call *call) {
    // It may hold a token.
    if (call->answer != NULL && call->answer->data != NULL)
        sodium_memzero(call->answer->data, call->answer->size);
    net_buf_drop(call->answer);
    call->answer = NULL;
}

static json_t *object_of(const Call *call) {
    const JdStr text = net_buf_str(call->answer);
    json_t *value =
        json_loadb(text.size > 0 ? text.data : "", text.size, JSON_REJECT_DUPLICATES, NULL);
    if (json_is_object(value))
        return value;
    json_decref(value);
    return NULL;
}

// ---- the description ----------------------------------------------------------------------------

static const char *word_of(const json_t *object, const char *name) {
    return json_string_value(json_object_get(object, name));
}

static bool list_has(const json_t *list, const char *word) {
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *one = json_string_value(json_array_get(list, i));
        if (one != NULL && strcmp(one, word) == 0)
            return true;
    }
    return false;
}

// An address the provider named: by https, or on this machine when the provider is.
static bool take_address(const json_t *object, const char *name, bool loopback, char **out) {
    const char *text = word_of(object, name);
    if (text == NULL || strlen(text) > 1000 || !net_oidc_address_ok(jd_str(text)) ||
        (!loopback && strncmp(text, "https://", 8) != 0))
        return false;
    *out = strdup(text);
    return *out != NULL;
}

static bool read_description(const json_t *object, const NetOidcSetting *setting, Endpoints *out,
                             JdErr *err) {
    const char *issuer = word_of(object, "issuer");
    const bool loopback = strncmp(setting->issuer, "https://", 8) != 0;
    const json_t *methods = json_object_get(object, "token_endpoint_auth_methods_supported");
    // Discovery 4.3: or another could speak in the provider's name.
    if (issuer == NULL || strcmp(issuer, setting->issuer) != 0)
        return jd_fail(err, NET_OIDC_DOWN, 0, "its description names another issuer");
    if (!take_address(object, "authorization_endpoint", loopback, &out->authorization) ||
        !take_address(object, "token_endpoint", loopback, &out->token) ||
        !take_address(object, "jwks_uri", loopback, &out->keys))
        return jd_fail(err, NET_OIDC_DOWN, 0,
                       "its description lacks an address, or names a bad one");
    (void)!take_address(object, "userinfo_endpoint", loopback, &out->userinfo);
    out->names_itself =
        json_is_true(json_object_get(object, "authorization_response_iss_parameter_supported"));
    // HTTP Basic is what holds when nothing is said.
    out->secret_in_body = json_is_array(methods) && !list_has(methods, "client_secret_basic") &&
                          list_has(methods, "client_secret_post");
    return true;
}

static bool fetch_description(const NetOidc *oidc, Provider *provider, JdErr *err) {
    char url[NET_OIDC_TEXT + 64];
    const JdStr issuer = jd_str(provider->setting.issuer);
    const bool slash = jd_str_ends_with(issuer, JD_STR("/"));
    jd_format(url, sizeof(url), "%.*s/.well-known/openid-configuration",
              JD_PRINT(jd_str_part(issuer, 0, issuer.size - (slash ? 1 : 0))));
    Call call = { .oidc = oidc, .url = url };
    Endpoints fresh = { .authorization = NULL };
    json_t *object = NULL;
    bool ok = perform(&call, err);
    if (ok && call.status != 200)
        ok = jd_fail(err, NET_OIDC_DOWN, 0, "its description: status %ld", call.status);
    if (ok && (object = object_of(&call)) == NULL)
        ok = jd_fail(err, NET_OIDC_DOWN, 0, "its description is no JSON object");
    ok = ok && read_description(object, &provider->setting, &fresh, err);
    if (ok) {
        clear_endpoints(&provider->endpoints);
        provider->endpoints = fresh;
    } else {
        clear_endpoints(&fresh);
    }
    json_decref(object);
    end_call(&call);
    return ok;
}

static bool fetch_keys(const NetOidc *oidc, Provider *provider, JdErr *err) {
    Call call = { .oidc = oidc, .url = provider->endpoints.keys };
    NetOidcKeys fresh;
    bool ok = perform(&call, err);
    if (ok && call.status != 200)
        ok = jd_fail(err, NET_OIDC_DOWN, 0, "its keys: status %ld", call.status);
    if (ok && !net_oidc_keys_read(net_buf_str(call.answer), &fresh, err))
        ok = jd_fail(err, NET_OIDC_DOWN, 0, "its keys are no key set");
    if (ok) {
        net_oidc_keys_clear(&provider->keys);
        provider->keys = fresh;
    }
    end_call(&call);
    return ok;
}

static bool is_old(int64_t since_ms, JdInstant now) {
    return since_ms == 0 || now.ms - since_ms >= FRESH_MS || now.ms < since_ms;
}

// Under the lock: the description and the keys are there, and not older than an hour.
static bool make_ready(const NetOidc *oidc, Provider *provider, JdInstant now, JdErr *err) {
    if (!is_old(provider->read_ms, now) && !is_old(provider->keys_ms, now))
        return true;
    if (provider->down_ms != 0 && now.ms >= provider->down_ms &&
        now.ms - provider->down_ms < DOWN_MS)
        return jd_fail(err, NET_OIDC_DOWN, 0, "it did not answer a moment ago");
    if (!fetch_description(oidc, provider, err) || !fetch_keys(oidc, provider, err)) {
        provider->down_ms = now.ms;
        return false;
    }
    provider->down_ms = 0;
    provider->read_ms = now.ms;
    provider->keys_ms = now.ms;
    return true;
}

// What one needs of a provider while its lock is not held.
typedef struct Copy {
    Endpoints endpoints;
} Copy;

static char *copy_text(const char *text) {
    return text == NULL ? NULL : strdup(text);
}

static bool copy_ready(const NetOidc *oidc, Provider *provider, JdInstant now, Copy *out,
                       JdErr *err) {
    pthread_mutex_lock(&provider->lock);
    const bool ok = make_ready(oidc, provider, now, err);
    if (ok) {
        const Endpoints *from = &provider->endpoints;
        out->endpoints = (Endpoints) { .authorization = copy_text(from->authorization),
                                       .token = copy_text(from->token),
                                       .userinfo = copy_text(from->userinfo),
                                       .names_itself = from->names_itself,
                                       .secret_in_body = from->secret_in_body };
    }
    pthread_mutex_unlock(&provider->lock);
    return ok;
}

// ---- asking -------------------------------------------------------------------------------------

static void add(NetBuf *out, const char *text) {
    net_buf_add(out, text, strlen(text));
}

// name=value for a query or a form, behind what stands there.
static void add_pair(NetBuf *out, char before, const char *name, JdStr value) {
    static const char digits[] = "0123456789ABCDEF";
    if (before != '\0')
        net_buf_add(out, &before, 1);
    add(out, name);
    net_buf_add(out, "=", 1);
    for (size_t i = 0; i < value.size; i++) {
        const unsigned char c = (unsigned char)value.data[i];
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                           (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_' || c == '~';
        const char coded[3] = { '%', digits[c >> 4], digits[c & 15] };
        if (plain)
            net_buf_add(out, value.data + i, 1);
        else
            net_buf_add(out, coded, 3);
    }
}

static char *text_of_buf(NetBuf *buf) {
    char *text = NULL;
    if (buf != NULL && !buf->failed && (text = malloc(buf->size + 1)) != NULL) {
        memcpy(text, buf->data, buf->size);
        text[buf->size] = '\0';
    }
    if (buf != NULL && buf->data != NULL)
        sodium_memzero(buf->data, buf->size);
    net_buf_drop(buf);
    return text;
}

bool net_oidc_authorize(NetOidc *oidc, const NetOidcAsk *ask, JdInstant now, char **out,
                        JdErr *err) {
    Provider *provider = &oidc->list[ask->provider];
    Copy copy = { .endpoints = { .authorization = NULL } };
    *out = NULL;
    if (!copy_ready(oidc, provider, now, &copy, err))
        return false;
    NetBuf *buf = net_buf_new();
    const char *base = copy.endpoints.authorization;
    if (buf != NULL && base != NULL) {
        add(buf, base);
        add_pair(buf, strchr(base, '?') == NULL ? '?' : '&', "response_type", JD_STR("code"));
        add_pair(buf, '&', "client_id", jd_str(provider->setting.client_id));
        add_pair(buf, '&', "redirect_uri", ask->redirect_uri);
        add_pair(buf, '&', "scope", JD_STR("openid email"));
        add_pair(buf, '&', "state", ask->state);
        add_pair(buf, '&', "nonce", ask->nonce);
        add_pair(buf, '&', "code_challenge", ask->challenge);
        add_pair(buf, '&', "code_challenge_method", JD_STR("S256"));
        add_pair(buf, '&', "ui_locales", ask->language);
    }
    *out = text_of_buf(buf);
    clear_endpoints(&copy.endpoints);
    return *out != NULL || jd_fail(err, NET_OIDC_DOWN, 0, "no memory");
}

// ---- the exchange -------------------------------------------------------------------------------

static char *exchange_form(const Provider *provider, const Copy *copy,
                           const NetOidcAnswer *answer) {
    NetBuf *buf = net_buf_new();
    if (buf == NULL)
        return NULL;
    add_pair(buf, '\0', "grant_type", JD_STR("authorization_code"));
    add_pair(buf, '&', "code", answer->code);
    add_pair(buf, '&', "redirect_uri", answer->redirect_uri);
    add_pair(buf, '&', "code_verifier", answer->verifier);
    if (provider->secret[0] == '\0' || copy->endpoints.secret_in_body)
        add_pair(buf, '&', "client_id", jd_str(provider->setting.client_id));
    if (provider->secret[0] != '\0' && copy->endpoints.secret_in_body)
        add_pair(buf, '&', "client_secret", jd_str(provider->secret));
    return text_of_buf(buf);
}

// RFC 6749 2.3.1: both are encoded as in a form before they become user and password.
static char *form_coded(const char *text) {
    NetBuf *buf = net_buf_new();
    if (buf != NULL)
        add_pair(buf, '\0', "", jd_str(text));
    char *coded = text_of_buf(buf);
    if (coded != NULL)
        memmove(coded, coded + 1, strlen(coded)); // the '=' of the empty name
    return coded;
}

static bool call_token(const NetOidc *oidc, const Provider *provider, const Copy *copy,
                       const NetOidcAnswer *answer, json_t **out, JdErr *err) {
    char *form = exchange_form(provider, copy, answer);
    const bool basic = provider->secret[0] != '\0' && !copy->endpoints.secret_in_body;
    char *user = basic ? form_coded(provider->setting.client_id) : NULL;
    char *password = basic ? form_coded(provider->secret) : NULL;
    Call call = {
        .oidc = oidc, .url = copy->endpoints.token, .body = form, .user = user, .password = password
    };
    bool ok = (form != NULL && copy->endpoints.token != NULL &&
               (!basic || (user != NULL && password != NULL))) ||
              jd_fail(err, NET_OIDC_DOWN, 0, "no memory");
    ok = ok && perform(&call, err);
    *out = ok ? object_of(&call) : NULL;
    if (ok && call.status >= 500)
        ok = jd_fail(err, NET_OIDC_DOWN, 0, "the token: status %ld", call.status);
    else if (ok && call.status != 200)
        ok = jd_fail(err, NET_OIDC_REFUSED, 0, "the token: status %ld, %.40s", call.status,
                     word_of(*out, "error") == NULL ? "no reason" : word_of(*out, "error"));
    else if (ok && *out == NULL)
        ok = jd_fail(err, NET_OIDC_DOWN, 0, "the token: no JSON object");
    if (!ok) {
        json_decref(*out);
        *out = NULL;
    }
    end_call(&call);
    if (password != NULL)
        sodium_memzero(password, strlen(password));
    if (form != NULL)
        sodium_memzero(form, strlen(form));
    free(form);
    free(user);
    free(password);
    return ok;
}

// Checks the token; a key that is not known is looked for among the provider's keys of now, once.
static bool check_token(NetOidc *oidc, Provider *provider, const NetOidcAnswer *answer, JdStr token,
                        JdInstant now, NetOidcClaims *out, JdErr *err) {
    const NetOidcExpect expect = { .issuer = jd_str(provider->setting.issuer),
                                   .client_id = jd_str(provider->setting.client_id),
                                   .nonce = answer->nonce,
                                   .now = now };
    pthread_mutex_lock(&provider->lock);
    bool ok = net_oidc_token_read(token, &provider->keys, &expect, out, err);
    const int64_t since_ms = now.ms - provider->rotated_ms;
    if (!ok && err->code == NET_OIDC_UNKNOWN_KEY && (since_ms >= ROTATION_MS || since_ms < 0)) {
        provider->rotated_ms = now.ms;
        JdErr cause = { 0 };
        if (fetch_keys(oidc, provider, &cause))
            ok = net_oidc_token_read(token, &provider->keys, &expect, out, err);
        else
            *err = cause;
    }
    pthread_mutex_unlock(&provider->lock);
    return ok;
}

// The address, where the token does not tell it.
static void ask_userinfo(const NetOidc *oidc, const Provider *provider, const Copy *copy,
                         const char *access, NetOidcClaims *claims) {
    if (claims->email[0] != '\0' || copy->endpoints.userinfo == NULL || access == NULL)
        return;
    JdErr err = { 0 };
    Call call = { .oidc = oidc, .url = copy->endpoints.userinfo, .bearer = access };
    bool ok = perform(&call, &err);
    if (ok && call.status != 200)
        ok = jd_fail(&err, NET_OIDC_DOWN, 0, "status %ld", call.status);
    ok = ok && net_oidc_userinfo_read(net_buf_str(call.answer), claims, &err);
    if (!ok) // the log-in goes on without: the address is asked of the person
        net_log(NET_LOG_WARN, "oidc %s: userinfo: %s", provider->setting.name, err.text);
    end_call(&call);
}

// RFC 9207 2.4: a provider that names itself in its answers must have done so, and be the one we
// asked.
static bool check_answer_issuer(const Provider *provider, const Copy *copy, JdStr issuer,
                                JdErr *err) {
    const bool right = jd_str_equal(issuer, jd_str(provider->setting.issuer));
    return right || (issuer.size == 0 && !copy->endpoints.names_itself) ||
           jd_fail(err, NET_OIDC_ISSUER, 0, "iss of the answer: another provider's");
}

bool net_oidc_exchange(NetOidc *oidc, const NetOidcAnswer *answer, JdInstant now,
                       NetOidcClaims *out, JdErr *err) {
    Provider *provider = &oidc->list[answer->provider];
    Copy copy = { .endpoints = { .authorization = NULL } };
    json_t *tokens = NULL;
    if (!copy_ready(oidc, provider, now, &copy, err))
        return false;
    bool ok = check_answer_issuer(provider, &copy, answer->issuer, err) &&
              call_token(oidc, provider, &copy, answer, &tokens, err);
    const char *token = word_of(tokens, "id_token");
    if (ok && token == NULL)
        ok = jd_fail(err, NET_OIDC_CLAIM, 0, "the answer holds no id_token");
    ok = ok && check_token(oidc, provider, answer, jd_str(token), now, out, err);
    if (ok)
        ask_userinfo(oidc, provider, &copy, word_of(tokens, "access_token"), out);
    json_decref(tokens);
    clear_endpoints(&copy.endpoints);
    return ok;
}
