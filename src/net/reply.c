// SPDX-License-Identifier: GPL-3.0-or-later
//
// What handlers say: JSON, errors, cookies.
#include <stdlib.h>
#include <string.h>

#include "net/http.h"
#include "net/json_in.h"
#include "net/json_out.h"
#include "net/log.h"

#define JSON_TYPE "application/json"

NetBuf *net_reply_json(NetRequest *request, int status) {
    net_buf_drop(request->reply);
    request->reply = net_buf_new();
    request->type = JSON_TYPE;
    request->status = request->reply == NULL ? 500 : status;
    return request->reply;
}

void net_reply_empty(NetRequest *request, int status) {
    request->status = status;
}

void net_reply_go(NetRequest *request, const char *location) {
    free(request->location);
    request->location = strdup(location);
    net_reply_empty(request, request->location == NULL ? 500 : 302);
}

void net_reply_error(NetRequest *request, const NetError *err) {
    const int status = net_error_status(err->code);
    uint64_t ref = 0;
    if (status == 500) {
        ref = net_random64() | 1;
        net_log(NET_LOG_ERROR, "internal error %016llx at %.*s: %s", (unsigned long long)ref,
                JD_PRINT(request->path), err->message);
    }
    NetBuf *out = net_reply_json(request, status);
    request->retry_after = err->retry_after;
    if (out == NULL)
        return;
    NetError shown = *err;
    if (status == 500)
        net_fail(&shown, "internal", NULL,
                 "something went wrong here; the operator finds it by its ref");
    net_metrics_error(&request->server->metrics, shown.code);
    json_out_open(out, '{');
    json_out_key(out, "error");
    net_error_write(out, &shown, ref);
    json_out_close(out, '}');
}

void net_reply_fault(NetRequest *request, const char *code, const char *field,
                     const char *message) {
    NetError err = { 0 };
    net_fail(&err, code, field, "%s", message);
    net_reply_error(request, &err);
}

void net_reply_pages_fault(NetRequest *request, const PagesFault *fault) {
    NetError err = { 0 };
    net_fail(&err, pages_code_name((PagesCode)fault->err.code),
             fault->err.field[0] == '\0' ? NULL : fault->err.field, "%s", fault->err.text);
    err.retry_after = (int)fault->retry_after_s;
    if (fault->err.code == PAGES_UNAVAILABLE) {
        // Where the database lies is the operator's business.
        net_log(NET_LOG_WARN, "%.*s: %s", JD_PRINT(request->path), err.message);
        net_fail(&err, "unavailable", NULL, "the server cannot do that now; try again");
    }
    net_reply_error(request, &err);
}

json_t *net_request_json(NetRequest *request) {
    NetError err = { 0 };
    if (request->json == NULL)
        request->json =
            net_json_parse(request->body == NULL ? jd_str("") : net_buf_str(request->body), &err);
    if (request->json == NULL)
        net_reply_error(request, &err);
    return request->json;
}

void net_reply_cookie(NetRequest *request, const PagesSession *session) {
    const char *name = net_cookie_name(request->server);
    const char *secure = net_config_is_https(&request->server->config) ? "; Secure" : "";
    JdOut out = jd_out(request->cookie, sizeof(request->cookie) - 1);
    jd_out_cstr(&out, name);
    jd_out_char(&out, '=');
    if (session != NULL)
        jd_out_cstr(&out, session->token);
    jd_out_cstr(&out, "; Path=/; HttpOnly; SameSite=Lax");
    jd_out_cstr(&out, secure);
    if (session == NULL) {
        jd_out_cstr(&out, "; Max-Age=0");
    } else if (session->max_age_s > 0) {
        jd_out_cstr(&out, "; Max-Age=");
        jd_out_i64(&out, session->max_age_s);
    }
    JD_ASSERT(jd_out_fits(&out));
    request->cookie[out.size] = '\0';
}

JdStr net_request_query(const NetRequest *request, const char *name) {
    for (int i = 0; i < request->query_count; i++)
        if (jd_str_equal(request->query[i].name, jd_str(name)))
            return request->query[i].value;
    return jd_str("");
}

bool net_request_query_only(NetRequest *request, const char *const *names, size_t count) {
    for (int i = 0; i < request->query_count; i++) {
        bool known = false;
        for (size_t at = 0; at < count && !known; at++)
            known = jd_str_equal(request->query[i].name, jd_str(names[at]));
        for (int before = 0; before < i && known; before++)
            known = !jd_str_equal(request->query[i].name, request->query[before].name);
        if (known)
            continue;
        net_reply_fault(request, "bad_request", NULL, "the query has an unknown or repeated name");
        return false;
    }
    return true;
}
