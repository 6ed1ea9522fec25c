// SPDX-License-Identifier: GPL-3.0-or-later
//
// The plain log-in page (S-013): written by the server, no script, no pictures, for any browser. A
// form proves that it came from this page by a token made from a cookie that other sites cannot
// read.
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "net/api.h"
#include "net/gateway.h"
#include "net/log.h"

#define FIELD_MAX 1024
#define NONCE_TEXT 32

typedef struct Form {
    char login[FIELD_MAX];
    char password[FIELD_MAX];
    char answer[FIELD_MAX];
    char question[64]; // id of the question
    char token[80];
    char act[16];
    bool remember;
    bool oidc; // links the identity that waits for an account
} Form;

typedef struct Page {
    PagesSession session;
    PagesCaptcha captcha; // a question to be asked; no id: none
    char login[FIELD_MAX];
    char error[400];
    char nonce[NONCE_TEXT + 1];
    int status;
    PagesIdentity identity; // of a provider, waits for an account (S-012); no issuer: none
    bool linked;
    bool entered;
    bool left;
} Page;

static const char *language_of(const NetRequest *request) {
    const JdStr asked = net_request_query(request, "hl");
    static const char *const known[] = { "ru", "ro", "en" };
    for (size_t i = 0; i < JD_COUNT(known); i++)
        if (jd_str_equal(asked, jd_str(known[i])))
            return known[i];
    return request->language;
}

static void say(const NetRequest *request, const char *name, const char *word, JdStr value,
                char *out, size_t size) {
    const PagesMailWord words[1] = { { word, value } };
    JdOut text = jd_out(out, size - 1);
    pages_plain_text(jd_str(language_of(request)), name, words, 1, &text);
    out[text.size < size ? text.size : size - 1] = '\0';
}

// ---- the token --------------------------------------------------------------------------------

static void token_of(const NetServer *server, const char *nonce, char out[65]) {
    unsigned char hash[32];
    crypto_generichash(hash, sizeof(hash), (const unsigned char *)nonce, strlen(nonce),
                       server->form_key, sizeof(server->form_key));
    sodium_bin2hex(out, 65, hash, sizeof(hash));
}

static bool token_good(const NetRequest *request, const Form *form) {
    char expected[65];
    if (strlen(request->form_nonce) != NONCE_TEXT)
        return false;
    token_of(request->server, request->form_nonce, expected);
    return strlen(form->token) == 64 && sodium_memcmp(expected, form->token, 64) == 0;
}

// ---- reading the form -------------------------------------------------------------------------

static int hex(char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

static bool decode(JdStr text, char *out, size_t size) {
    size_t to = 0;
    for (size_t i = 0; i < text.size; i++) {
        char c = text.data[i] == '+' ? ' ' : text.data[i];
        if (c == '%') {
            if (i + 2 >= text.size || hex(text.data[i + 1]) < 0 || hex(text.data[i + 2]) < 0)
                return false;
            c = (char)(hex(text.data[i + 1]) * 16 + hex(text.data[i + 2]));
            i += 2;
        }
        if (c == '\0' || to + 1 >= size)
            return false;
        out[to++] = c;
    }
    out[to] = '\0';
    return true;
}

static bool read_form(const NetRequest *request, Form *out) {
    const struct {
        const char *name;
        char *to;
        size_t size;
    } fields[] = {
        { "login", out->login, sizeof(out->login) },
        { "password", out->password, sizeof(out->password) },
        { "answer", out->answer, sizeof(out->answer) },
        { "question", out->question, sizeof(out->question) },
        { "token", out->token, sizeof(out->token) },
        { "act", out->act, sizeof(out->act) },
    };
    *out = (Form) { .login = "" };
    JdStr rest = request->body == NULL ? jd_str("") : net_buf_str(request->body);
    while (rest.size > 0) {
        JdStr value = jd_str_cut(&rest, '&');
        const JdStr name = jd_str_cut(&value, '=');
        bool ok = true;
        if (jd_str_equal(name, JD_STR("remember")))
            out->remember = true;
        if (jd_str_equal(name, JD_STR("oidc")))
            out->oidc = true;
        for (size_t i = 0; i < JD_COUNT(fields); i++)
            if (jd_str_equal(name, jd_str(fields[i].name)))
                ok = decode(value, fields[i].to, fields[i].size);
        if (!ok)
            return false;
    }
    return true;
}

// ---- what a worker does -----------------------------------------------------------------------

static void new_nonce(Page *page) {
    unsigned char bytes[NONCE_TEXT / 2];
    randombytes_buf(bytes, sizeof(bytes));
    sodium_bin2hex(page->nonce, sizeof(page->nonce), bytes, sizeof(bytes));
}

static void ask_question(NetRequest *request, NetWorkerKit *kit, Page *page) {
    const PagesCaptchaAsk ask = { .way = PAGES_CAPTCHA_QUESTION,
                                  .language = jd_str(language_of(request)),
                                  .no_pictures = true,
                                  .address = request->address };
    PagesFault fault = { 0 };
    if (!pages_captcha_ask(kit->pages, &ask, request->now, &page->captcha, &fault))
        page->captcha.id[0] = '\0';
}

static void explain(NetRequest *request, Page *page, const PagesFault *fault) {
    char minutes[16];
    const char *name = "unavailable";
    page->status = pages_code_status((PagesCode)fault->err.code);
    jd_format(minutes, sizeof(minutes), "%u", (unsigned)(fault->retry_after_s + 59) / 60);
    if (fault->err.code == PAGES_CAPTCHA_WRONG || fault->err.code == PAGES_CAPTCHA_EXPIRED)
        name = "answer_wrong";
    else if (fault->err.code == PAGES_RATE_LIMITED || fault->err.code == PAGES_CAPTCHA_LOCKED)
        name = "wait";
    else if (fault->err.code == PAGES_IDENTITY_TAKEN || fault->err.code == PAGES_IDENTITY_LINKED)
        name = pages_code_name((PagesCode)fault->err.code);
    else if (page->status < 500)
        name = "wrong";
    else
        net_log(NET_LOG_ERROR, "plain log-in: %s", fault->err.text);
    say(request, name, "minutes", jd_str(minutes), page->error, sizeof(page->error));
}

static void enter(NetRequest *request, NetWorkerKit *kit, const Form *form, Page *page) {
    PagesFault fault = { 0 };
    PagesCaptcha *pass = calloc(1, sizeof(*pass));
    bool ok = pass != NULL;
    if (ok && form->question[0] != '\0') {
        const PagesCaptchaAnswer answer = { .id = jd_str(form->question),
                                            .text = jd_str(form->answer),
                                            .address = request->address };
        ok = pages_captcha_answer(kit->pages, &answer, request->now, pass, &fault);
    }
    const PagesLogin login = { .login = jd_str(form->login),
                               .password = jd_str(form->password),
                               .old_token = jd_str(request->token),
                               .remember = form->remember,
                               .captcha = jd_str(ok && pass->passed ? pass->id : ""),
                               .agent = jd_str(request->agent),
                               .identity = form->oidc ? &page->identity : NULL,
                               .address = request->address };
    if (form->oidc && page->identity.issuer[0] == '\0') {
        say(request, "social_stale", NULL, jd_str(""), page->error, sizeof(page->error));
        page->status = 422;
        free(pass);
        return;
    }
    page->entered = ok && pages_login(kit->pages, &login, request->now, &page->session, &fault);
    page->linked = page->entered && form->oidc;
    const bool asks = fault.err.code == PAGES_CAPTCHA_REQUIRED;
    if (!page->entered && !asks)
        explain(request, page, &fault);
    if (asks || form->question[0] != '\0')
        ask_question(request, kit, page);
    if (asks)
        page->status = 422;
    free(pass);
}

static void find_identity(const NetRequest *request, Page *page) {
    if (!net_oidc_pending(request, &page->identity))
        page->identity.issuer[0] = '\0';
}

void classic_show(NetRequest *request, NetWorkerKit *kit) {
    static const char *const names[] = { "hl", "social" };
    static const char *const words[] = { "failed", "down", "refused", "stale", "clock" };
    const JdStr social = net_request_query(request, "social");
    Page *page = api_results(request, sizeof(*page));
    (void)kit;
    if (page == NULL || !net_request_query_only(request, names, JD_COUNT(names)))
        return;
    page->status = 200;
    find_identity(request, page);
    for (size_t i = 0; i < JD_COUNT(words); i++) {
        char name[32];
        jd_format(name, sizeof(name), "social_%s", words[i]);
        if (jd_str_equal(social, jd_str(words[i])))
            say(request, name, NULL, jd_str(""), page->error, sizeof(page->error));
    }
    new_nonce(page);
}

void classic_send(NetRequest *request, NetWorkerKit *kit) {
    Form form;
    Page *page = api_results(request, sizeof(*page));
    if (page == NULL)
        return;
    new_nonce(page);
    find_identity(request, page);
    page->status = 200;
    if (!read_form(request, &form)) {
        page->status = 400;
        say(request, "wrong", NULL, jd_str(""), page->error, sizeof(page->error));
    } else if (!token_good(request, &form)) {
        page->status = 403;
        say(request, "stale", NULL, jd_str(""), page->error, sizeof(page->error));
    } else if (strcmp(form.act, "logout") == 0) {
        PagesFault fault = { 0 };
        page->left = pages_logout(kit->pages, jd_str(request->token), request->now, &fault);
        if (!page->left)
            explain(request, page, &fault);
    } else {
        enter(request, kit, &form, page);
    }
    jd_format(page->login, sizeof(page->login), "%s", form.login);
    sodium_memzero(&form, sizeof(form));
}

// ---- the page ---------------------------------------------------------------------------------

static void add(NetBuf *out, const char *text) {
    net_buf_add(out, text, strlen(text));
}

static void add_text(NetBuf *out, const char *text) {
    for (; *text != '\0'; text++) {
        if (*text == '<')
            add(out, "&lt;");
        else if (*text == '&')
            add(out, "&amp;");
        else if (*text == '"')
            add(out, "&quot;");
        else
            net_buf_add(out, text, 1);
    }
}

static void add_said(NetBuf *out, const NetRequest *request, const char *name, const char *word,
                     const char *value) {
    char text[700];
    say(request, name, word, jd_str(value), text, sizeof(text));
    add_text(out, text);
}

static void add_hidden(NetBuf *out, const char *name, const char *value) {
    add(out, "<input type=\"hidden\" name=\"");
    add(out, name);
    add(out, "\" value=\"");
    add_text(out, value);
    add(out, "\">\n");
}

static void add_field(NetBuf *out, const NetRequest *request, const char *name, const char *type,
                      const char *value, const char *complete) {
    add(out, "<p><label for=\"");
    add(out, name);
    add(out, "\">");
    add_said(out, request, name, NULL, "");
    add(out, "</label>\n<input type=\"");
    add(out, type);
    add(out, "\" id=\"");
    add(out, name);
    add(out, "\" name=\"");
    add(out, name);
    add(out, "\" autocomplete=\"");
    add(out, complete);
    add(out, "\" value=\"");
    add_text(out, value);
    add(out, "\" required></p>\n");
}

static void add_login(NetBuf *out, const NetRequest *request, const Page *page) {
    add_field(out, request, "login", "text", page->login, "username");
    add_field(out, request, "password", "password", "", "current-password");
    if (page->captcha.id[0] != '\0') {
        add(out, "<p>");
        add_said(out, request, "question", "question", page->captcha.question);
        add(out, "</p>\n");
        add_hidden(out, "question", page->captcha.id);
        add_field(out, request, "answer", "text", "", "off");
    }
    add(out, "<p><label class=\"check\"><input type=\"checkbox\" name=\"remember\" value=\"1\"> ");
    add_said(out, request, "remember", NULL, "");
    add(out, "</label></p>\n<p><button>");
    add_said(out, request, "submit", NULL, "");
    add(out, "</button></p>\n");
}

// S-012: what the provider said, and what may be done about it.
static void add_unknown(NetBuf *out, const NetRequest *request, const Page *page) {
    const PagesIdentity *identity = &page->identity;
    const PagesMailWord words[2] = { { "provider", jd_str(identity->label) },
                                     { "email", jd_str(identity->email) } };
    char text[900];
    JdOut said = jd_out(text, sizeof(text) - 1);
    pages_plain_text(jd_str(language_of(request)),
                     identity->email[0] != '\0' ? "social_unknown" : "social_no_email", words, 2,
                     &said);
    text[said.size < sizeof(text) ? said.size : sizeof(text) - 1] = '\0';
    add(out, "<p>");
    add_text(out, text);
    add(out, "</p>\n<p><a href=\"/register?social=unknown\">");
    add_said(out, request, "social_clone", NULL, "");
    add(out, "</a></p>\n");
}

static void add_providers(NetBuf *out, const NetRequest *request) {
    const NetOidcSetting *provider;
    for (size_t i = 0; (provider = net_oidc_at(request->server->oidc, i)) != NULL; i++) {
        add(out, "<p><a href=\"/login/oidc/");
        add(out, provider->name);
        add(out, "?plain=1&amp;hl=");
        add(out, language_of(request));
        add(out, "\">");
        add_said(out, request, "provider", "provider", provider->label);
        add(out, "</a></p>\n");
    }
}

static void write_page(NetBuf *out, const NetRequest *request, const Page *page) {
    char token[65];
    const bool inside = page->entered || (request->logged_in && !page->left);
    const char *nick = page->entered ? page->session.me.nick : request->me.nick;
    token_of(request->server, page->nonce, token);
    add(out, "<!doctype html>\n<html lang=\"");
    add(out, language_of(request));
    add(out, "\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
             "content=\"width=device-width\">\n<title>");
    add_said(out, request, "title", NULL, "");
    add(out,
        "</title>\n<link rel=\"stylesheet\" href=\"/plain.css\">\n</head>\n<body>\n<main>\n<h1>");
    add_said(out, request, "title", NULL, "");
    add(out, "</h1>\n");
    if (page->error[0] != '\0') {
        add(out, "<p class=\"error\" role=\"alert\">");
        add_text(out, page->error);
        add(out, "</p>\n");
    }
    const bool unknown = !inside && page->identity.issuer[0] != '\0';
    if (unknown)
        add_unknown(out, request, page);
    add(out, "<form method=\"post\" action=\"/login/classic?hl=");
    add(out, language_of(request));
    add(out, "\">\n");
    add_hidden(out, "token", token);
    if (inside) {
        add(out, "<p>");
        add_said(out, request, "inside", "nick", nick);
        add(out, "</p>\n");
        if (page->entered && page->session.hides) {
            add(out, "<p>");
            add_said(out, request, "anonymizer", NULL, "");
            add(out, "</p>\n");
        }
        add(out, "<p><a href=\"/\">");
        add_said(out, request, "go", NULL, "");
        add(out, "</a></p>\n");
        add_hidden(out, "act", "logout");
        add(out, "<p><button>");
        add_said(out, request, "logout", NULL, "");
        add(out, "</button></p>\n");
    } else {
        if (unknown)
            add_hidden(out, "oidc", "1");
        add_login(out, request, page);
    }
    add(out, "</form>\n");
    if (!inside && !unknown)
        add_providers(out, request);
    if (!inside) {
        add(out, "<p><a href=\"/login\">");
        add_said(out, request, "new_form", NULL, "");
        add(out, "</a></p>\n");
    }
    add(out, "<p lang=\"en\"><a href=\"/login/classic?hl=en\">English</a> "
             "<a lang=\"ru\" href=\"/login/classic?hl=ru\">Русский</a> "
             "<a lang=\"ro\" href=\"/login/classic?hl=ro\">Română</a></p>\n"
             "</main>\n</body>\n</html>\n");
}

void classic_reply(NetRequest *request) {
    Page *page = request->results;
    NetBuf *out = net_reply_json(request, page->status);
    if (out != NULL) {
        request->type = "text/html; charset=utf-8";
        request->cache = "no-store";
        write_page(out, request, page);
    }
    if (page->entered || page->left) {
        uint8_t digest[NET_DIGEST_SIZE];
        net_token_digest(jd_str(request->token), digest);
        if (request->token[0] != '\0')
            net_tell_sessions(request->server, 0, digest, NULL);
        net_reply_cookie(request, page->entered ? &page->session : NULL);
    }
    jd_format(request->extra, sizeof(request->extra),
              "Set-Cookie: jadoube-form=%s; Path=/login/classic; HttpOnly; SameSite=Strict%s\r\n",
              page->nonce, net_config_is_https(&request->server->config) ? "; Secure" : "");
    if (page->linked)
        net_oidc_settled(request);
    sodium_memzero(page->session.token, sizeof(page->session.token));
    net_request_finish(request);
}
