// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is done by letter: confirming an address, a new address, a forgotten password. And what the
// site can and cannot do here, for those who ask before they offer it.
#include <string.h>

#include "net/api.h"
#include "net/gateway.h"
#include "net/json_in.h"
#include "net/json_out.h"

#define TEXT_MAX 4096

typedef struct LetterFields {
    JdStr email;
    JdStr password;
    JdStr password2;
    JdStr token;
    JdStr captcha;
} LetterFields;

#define TEXT(member)                                                                               \
    {                                                                                              \
        .name = #member, .kind = NET_FIELD_TEXT, .max = TEXT_MAX,                                  \
        .offset = offsetof(LetterFields, member)                                                   \
    }

#define CAPTCHA                                                                                    \
    {                                                                                              \
        .name = "captcha", .kind = NET_FIELD_TEXT, .optional = true, .max = TEXT_MAX,              \
        .offset = offsetof(LetterFields, captcha)                                                  \
    }

static bool read_fields(NetRequest *request, const NetField *fields, size_t count,
                        LetterFields *out) {
    NetError err = { 0 };
    json_t *object = net_request_json(request);
    *out = (LetterFields) { .email = { NULL, 0 } };
    if (object == NULL)
        return false;
    if (net_json_read(object, fields, count, out, &err))
        return true;
    net_reply_error(request, &err);
    return false;
}

void api_site(NetRequest *request) {
    NetBuf *out = net_reply_json(request, 200);
    if (out != NULL) {
        json_out_open(out, '{');
        json_out_key_bool(out, "mail", request->server->mailer != NULL);
        json_out_key_bool(out, "registration", request->server->config.registration);
        json_out_key_cstr(out, "captcha", request->server->config.captcha);
        json_out_key_cstr(out, "edition", laws_edition_name(request->server->config.edition));
        json_out_key_bool(out, "supervised", request->server->config.supervised);
        json_out_key(out, "oidc");
        json_out_open(out, '[');
        const NetOidcSetting *provider;
        for (size_t i = 0; (provider = net_oidc_at(request->server->oidc, i)) != NULL; i++) {
            json_out_open(out, '{');
            json_out_key_cstr(out, "name", provider->name);
            json_out_key_cstr(out, "label", provider->label);
            json_out_close(out, '}');
        }
        json_out_close(out, ']');
        json_out_close(out, '}');
    }
    net_request_finish(request);
}

// ---- confirming -------------------------------------------------------------------------------

void api_confirm(NetRequest *request, NetWorkerKit *kit) {
    static const NetField fields[] = { TEXT(token) };
    LetterFields read;
    PagesFault fault = { 0 };
    if (read_fields(request, fields, JD_COUNT(fields), &read) &&
        !pages_confirm(kit->pages, read.token, request->now, &request->me, &fault))
        net_reply_pages_fault(request, &fault);
}

// Whoever holds the letter need not be logged in here: told is only that it worked.
void api_confirmed(NetRequest *request) {
    net_tell_me(request->server, &request->me);
    net_reply_empty(request, 204);
    net_request_finish(request);
}

void api_confirm_again(NetRequest *request, NetWorkerKit *kit) {
    PagesFault fault = { 0 };
    if (api_empty_body(request) &&
        !pages_confirm_again(kit->pages, request->me.account, request->now, &fault))
        net_reply_pages_fault(request, &fault);
}

void api_accepted(NetRequest *request) {
    NetBuf *out = net_reply_json(request, 202);
    if (out != NULL) {
        json_out_open(out, '{');
        json_out_close(out, '}');
    }
    net_request_finish(request);
}

// ---- a new address, a new password ------------------------------------------------------------

void api_email(NetRequest *request, NetWorkerKit *kit) {
    static const NetField fields[] = { TEXT(email), TEXT(password) };
    LetterFields read;
    if (!read_fields(request, fields, JD_COUNT(fields), &read))
        return;
    const PagesEmail form = { .account = request->me.account,
                              .password = read.password,
                              .email = read.email,
                              .address = request->address };
    PagesFault fault = { 0 };
    if (!pages_email_change(kit->pages, &form, request->now, &request->me, &fault))
        net_reply_pages_fault(request, &fault);
}

void api_email_changed(NetRequest *request) {
    net_tell_me(request->server, &request->me);
    api_reply_me(request, 200, &request->me);
    net_request_finish(request);
}

void api_recover(NetRequest *request, NetWorkerKit *kit) {
    static const NetField fields[] = { TEXT(email), CAPTCHA };
    LetterFields read;
    PagesFault fault = { 0 };
    if (read_fields(request, fields, JD_COUNT(fields), &read) &&
        !pages_recover(kit->pages, read.email, read.captcha, &request->address, request->now,
                       &fault))
        net_reply_pages_fault(request, &fault);
}

void api_link_password(NetRequest *request, NetWorkerKit *kit) {
    static const NetField fields[] = { TEXT(token), TEXT(password), TEXT(password2) };
    LetterFields read;
    PagesFault fault = { 0 };
    if (read_fields(request, fields, JD_COUNT(fields), &read) &&
        !pages_link_password(kit->pages, read.token, read.password, read.password2, request->now,
                             &request->me.account, &fault))
        net_reply_pages_fault(request, &fault);
}

void api_link_used(NetRequest *request) {
    const uint8_t nobody[NET_DIGEST_SIZE] = { 0 };
    net_tell_sessions(request->server, request->me.account, NULL, nobody);
    net_reply_empty(request, 204);
    net_request_finish(request);
}
