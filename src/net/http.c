// SPDX-License-Identifier: GPL-3.0-or-later
//
// HTTP on libwebsockets: reading a request, judging it, running its stages, writing the reply.
#include "net/http.h"
#include "net/tls.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "net/gateway.h"
#include "net/json_out.h"
#include "net/log.h"
#include "net/me.h"

// How long a body may take to come in, an answer to be made, and a client to take a piece of it.
#define READ_PATIENCE_MS 30000
#define ANSWER_PATIENCE_S 60
#define WRITE_PATIENCE_S 30
// After an early refusal the rest of the body is read and thrown away, or the refusal would be lost
// with the connection; this much, and for this long.
#define DRAIN_MAX ((size_t)1024 * 1024)
#define DRAIN_S 2
// Bytes handed to the kernel at once.
#define PIECE_MAX ((size_t)64 * 1024)

static const struct {
    enum lws_token_indexes token;
    NetMethod method;
} methods[] = {
    { WSI_TOKEN_GET_URI, NET_GET },
    { WSI_TOKEN_POST_URI, NET_POST },
    { WSI_TOKEN_DELETE_URI, NET_DELETE },
    { WSI_TOKEN_HEAD_URI, NET_HEAD },
    { WSI_TOKEN_OPTIONS_URI, NET_OPTIONS },
    { WSI_TOKEN_PUT_URI, NET_PUT },
    { WSI_TOKEN_PATCH_URI, NET_OTHER_METHOD },
};

static const struct {
    int status;
    const char *reason;
} reasons[] = {
    { 200, "OK" },
    { 201, "Created" },
    { 202, "Accepted" },
    { 204, "No Content" },
    { 302, "Found" },
    { 304, "Not Modified" },
    { 400, "Bad Request" },
    { 401, "Unauthorized" },
    { 403, "Forbidden" },
    { 404, "Not Found" },
    { 405, "Method Not Allowed" },
    { 409, "Conflict" },
    { 411, "Length Required" },
    { 413, "Content Too Large" },
    { 415, "Unsupported Media Type" },
    { 422, "Unprocessable Content" },
    { 429, "Too Many Requests" },
    { 500, "Internal Server Error" },
    { 503, "Service Unavailable" },
};

// Before %s: the address of the WebSocket, for browsers to which 'self' is http alone.
static const char policy_header[] =
    "Content-Security-Policy: default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; "
    "style-src 'self'; img-src 'self' data:; font-src 'self'; media-src 'self'; worker-src 'self'; "
    "manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
    "connect-src 'self'%s\r\n";

static const char security_headers[] = "X-Frame-Options: DENY\r\n"
                                       "Referrer-Policy: same-origin\r\n"
                                       "Cross-Origin-Opener-Policy: same-origin\r\n";
static const char part_headers[] = "X-Content-Type-Options: nosniff\r\n"
                                   "Cross-Origin-Resource-Policy: same-origin\r\n";

// ---- headers of a request ---------------------------------------------------------------------

JdStr net_header(struct lws *wsi, enum lws_token_indexes token, char *space, size_t size) {
    const int length = lws_hdr_copy(wsi, space, (int)size, token);
    return length <= 0 ? jd_str("") : jd_str_n(space, (size_t)length);
}

static bool origin_listed(JdStr list, JdStr origin) {
    while (list.size > 0)
        if (jd_str_equal_nocase(jd_str_cut(&list, ' '), origin))
            return true;
    return false;
}

bool net_origin_ok(const NetServer *server, struct lws *wsi) {
    char origin_space[300];
    char host_space[300];
    const JdStr origin = net_header(wsi, WSI_TOKEN_ORIGIN, origin_space, sizeof(origin_space));
    if (origin.size == 0)
        return false;
    if (server->config.origin[0] != '\0')
        return origin_listed(jd_str(server->config.origin), origin);
    // Nobody has said what the site is called: it is what the browser calls it.
    const JdStr host = net_header(wsi, WSI_TOKEN_HOST, host_space, sizeof(host_space));
    const JdStr scheme =
        jd_str_starts_with(origin, JD_STR("https://")) ? JD_STR("https://") : JD_STR("http://");
    return host.size > 0 && jd_str_starts_with(origin, scheme) &&
           jd_str_equal_nocase(jd_str_part(origin, scheme.size, origin.size), host);
}

const char *net_cookie_name(const NetServer *server) {
    // The prefix makes browsers refuse the cookie from anywhere but this host, by https.
    return net_config_is_https(&server->config) ? "__Host-jadoube" : "jadoube";
}

static JdStr cookie_of(JdStr cookies, const char *name) {
    while (cookies.size > 0) {
        JdStr value = jd_str_trim(jd_str_cut(&cookies, ';'));
        if (jd_str_equal(jd_str_cut(&value, '='), jd_str(name)))
            return value;
    }
    return jd_str("");
}

JdStr net_cookie(const NetServer *server, struct lws *wsi, char *space, size_t size) {
    return cookie_of(net_header(wsi, WSI_TOKEN_HTTP_COOKIE, space, size), net_cookie_name(server));
}

// ---- requests ---------------------------------------------------------------------------------

void net_request_hold(NetRequest *request) {
    request->holders++;
}

void net_request_drop(NetRequest *request) {
    if (--request->holders > 0)
        return;
    request->server->requests--;
    json_decref(request->json);
    // What may have been a password is not left lying about.
    if (request->body != NULL && request->body->data != NULL)
        sodium_memzero(request->body->data, request->body->size);
    sodium_memzero(request->token, sizeof(request->token));
    net_buf_drop(request->body);
    net_buf_drop(request->reply);
    free(request->results);
    free(request->ignored);
    free(request->location);
    sodium_memzero(request->query_text, sizeof(request->query_text));
    free(request);
}

// Behind a proxy the client is whom the proxy names.
static void learn_address(NetConn *conn) {
    if (!conn->server->config.behind_proxy)
        return;
    // The proxy appends whom it sees; what stands before that anybody may have written.
    char space[512];
    JdStr list = net_header(conn->wsi, WSI_TOKEN_X_FORWARDED_FOR, space, sizeof(space) - 1);
    JdStr last = jd_str("");
    while (list.size > 0)
        last = jd_str_trim(jd_str_cut(&list, ','));
    char text[64];
    if (last.size == 0 || last.size >= sizeof(text))
        return;
    jd_copy(text, last.data, last.size);
    text[last.size] = '\0';
    if (net_address_parse(text, &conn->address))
        conn->local = false;
}

static NetRequest *new_request(NetConn *conn) {
    learn_address(conn);
    NetRequest *request = calloc(1, sizeof(*request));
    if (request == NULL)
        return NULL;
    request->server = conn->server;
    request->conn = conn;
    request->holders = 1;
    request->now = net_now(conn->server);
    memcpy(request->address.bytes, conn->address.bytes, sizeof(request->address.bytes));
    conn->server->requests++;
    conn->request = request;
    return request;
}

// The connection and its request part.
static void forget_request(NetConn *conn) {
    NetRequest *request = conn->request;
    if (request == NULL)
        return;
    conn->request = NULL;
    request->conn = NULL;
    net_request_drop(request);
}

static bool read_target(NetRequest *request, struct lws *wsi) {
    for (size_t i = 0; i < JD_COUNT(methods) && request->method == 0; i++) {
        if (lws_hdr_total_length(wsi, methods[i].token) <= 0)
            continue;
        request->method = methods[i].method;
        request->path =
            net_header(wsi, methods[i].token, request->path_text, sizeof(request->path_text));
    }
    if (request->path.size == 0 || request->path.data[0] != '/')
        return false;
    size_t used = 0;
    for (int i = 0; i < NET_QUERY_MAX + 1; i++) {
        char *space = request->query_text + used;
        const int length = lws_hdr_copy_fragment(
            wsi, space, (int)(sizeof(request->query_text) - used), WSI_TOKEN_HTTP_URI_ARGS, i);
        if (length < 0)
            return lws_hdr_fragment_length(wsi, WSI_TOKEN_HTTP_URI_ARGS, i) <= 0;
        if (i == NET_QUERY_MAX)
            return false;
        JdStr value = jd_str_n(space, (size_t)length);
        if (value.size == 0)
            continue;
        request->query[request->query_count].name = jd_str_cut(&value, '=');
        request->query[request->query_count++].value = value;
        used += (size_t)length;
    }
    return true;
}

// The language of the cookie that the client sets, else the first the browser wishes that we speak.
static void read_language(NetRequest *request, struct lws *wsi, JdStr cookies) {
    static const char *const known[] = { "en", "ru", "ro" };
    char space[128];
    JdStr wishes = net_header(wsi, WSI_TOKEN_HTTP_ACCEPT_LANGUAGE, space, sizeof(space));
    JdStr wish = cookie_of(cookies, "lang");
    jd_format(request->language, sizeof(request->language), "en");
    for (;;) {
        for (size_t i = 0; i < JD_COUNT(known); i++) {
            if (jd_str_equal_nocase(jd_str_part(wish, 0, 2), jd_str(known[i]))) {
                jd_format(request->language, sizeof(request->language), "%s", known[i]);
                return;
            }
        }
        if (wishes.size == 0)
            return;
        wish = jd_str_trim(jd_str_cut(&wishes, ','));
    }
}

static void read_headers(NetRequest *request, struct lws *wsi) {
    char space[NET_COOKIE_SPACE];
    const JdStr cookies = net_header(wsi, WSI_TOKEN_HTTP_COOKIE, space, sizeof(space));
    const JdStr token = cookie_of(cookies, net_cookie_name(request->server));
    if (token.size == PAGES_TOKEN_TEXT)
        memcpy(request->token, token.data, token.size);
    const JdStr nonce = cookie_of(cookies, "jadoube-form");
    if (nonce.size < sizeof(request->form_nonce))
        jd_copy(request->form_nonce, nonce.data, nonce.size);
    const JdStr oidc = cookie_of(cookies, net_oidc_cookie_name(request->server));
    if (oidc.size < sizeof(request->oidc))
        jd_copy(request->oidc, oidc.data, oidc.size);
    read_language(request, wsi, cookies);
    const int agent = lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_USER_AGENT);
    if (agent > 0 && agent < (int)sizeof(request->agent))
        (void)net_header(wsi, WSI_TOKEN_HTTP_USER_AGENT, request->agent, sizeof(request->agent));
    (void)net_header(wsi, WSI_TOKEN_HTTP_IF_NONE_MATCH, request->if_none_match,
                     sizeof(request->if_none_match));
    (void)net_header(wsi, WSI_TOKEN_HTTP_ACCEPT_ENCODING, request->accept_encoding,
                     sizeof(request->accept_encoding));
}

static void write_allow(NetRequest *request, unsigned allowed) {
    static const struct {
        NetMethod method;
        const char *name;
    } names[] = { { NET_GET, "GET, HEAD, " },
                  { NET_POST, "POST, " },
                  { NET_PUT, "PUT, " },
                  { NET_DELETE, "DELETE, " } };
    JdOut out = jd_out(request->allow, sizeof(request->allow) - 1);
    for (size_t i = 0; i < JD_COUNT(names); i++)
        if ((allowed & names[i].method) != 0)
            jd_out_cstr(&out, names[i].name);
    jd_out_cstr(&out, "OPTIONS");
}

// Finds the route, or gives the reply itself.
static void route(NetRequest *request) {
    const NetMethod method = request->method == NET_HEAD ? NET_GET : request->method;
    unsigned allowed = 0;
    request->route = net_route_find(method, request->path, request->params, &allowed);
    if (request->route != NULL)
        return;
    const bool api = jd_str_starts_with(request->path, JD_STR("/api/"));
    if (allowed == 0 && api) {
        net_reply_fault(request, "not_found", NULL, "there is nothing at this path");
        return;
    }
    if (allowed == 0)
        allowed = NET_GET; // files and pages of the client
    if (method == NET_OPTIONS) {
        write_allow(request, allowed);
        net_reply_empty(request, 204);
        return;
    }
    if ((allowed & method) == 0) {
        write_allow(request, allowed);
        net_reply_fault(request, "method_not_allowed", NULL, "this path does not know that method");
        return;
    }
    net_reply_client(request);
}

static bool is_json_type(JdStr type) {
    const JdStr name = jd_str_trim(jd_str_cut(&type, ';'));
    return jd_str_equal_nocase(name, JD_STR("application/json"));
}

// The size of the body: -1 when it is not known, -2 when the header is no number.
static int64_t body_size(struct lws *wsi) {
    char space[32];
    if (lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_TRANSFER_ENCODING) > 0)
        return -1;
    if (lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_CONTENT_LENGTH) <= 0)
        return lws_hdr_total_length(wsi, WSI_TOKEN_POST_URI) > 0 ||
                       lws_hdr_total_length(wsi, WSI_TOKEN_PUT_URI) > 0 ||
                       lws_hdr_total_length(wsi, WSI_TOKEN_PATCH_URI) > 0
                   ? -1
                   : 0;
    uint64_t size = 0;
    if (!jd_parse_u64(net_header(wsi, WSI_TOKEN_HTTP_CONTENT_LENGTH, space, sizeof(space)),
                      INT64_MAX / 2, &size))
        return -2;
    return (int64_t)size;
}

// What is refused before the body is read.
static void judge(NetRequest *request, struct lws *wsi, int64_t size) {
    NetServer *server = request->server;
    char space[128];
    NetError err = { 0 };
    if (size == -1)
        net_fail(&err, "length_required", NULL, "send a body with Content-Length, not in chunks");
    else if (size == -2)
        net_fail(&err, "bad_request", NULL, "Content-Length is no number");
    else if (size > (int64_t)(NET_BODY_MAX))
        net_fail(&err, "too_large", NULL, "a body has at most %d bytes", NET_BODY_MAX);
    if (err.code != NULL) {
        request->close = true;
        net_reply_error(request, &err);
        return;
    }
    route(request);
    if (request->status != 0)
        return;
    const NetRoute *route = request->route;
    if ((route->method & (NET_POST | NET_PUT | NET_DELETE)) != 0 &&
        route->auth != NET_FROM_ANYWHERE) {
        const JdStr type = net_header(wsi, WSI_TOKEN_HTTP_CONTENT_TYPE, space, sizeof(space));
        const bool form = (route->flags & NET_FORM) != 0;
        const bool told = lws_hdr_total_length(wsi, WSI_TOKEN_ORIGIN) > 0;
        if ((told || !form) && !net_origin_ok(server, wsi))
            net_fail(&err, "bad_origin", NULL, "the Origin header must name this site");
        else if (form)
            (void)type; // what is no form has no token and is refused for that
        else if ((route->method != NET_DELETE || size > 0) && !is_json_type(type))
            net_fail(&err, "not_json", NULL, "Content-Type must be application/json");
    }
    int wait = 0;
    if (err.code == NULL && !net_allowed(server, request->conn, route->quota, &wait)) {
        net_fail(&err, "rate_limited", NULL, "too many requests from this address");
        err.retry_after = wait;
    }
    if (err.code != NULL)
        net_reply_error(request, &err);
}

// ---- stages -----------------------------------------------------------------------------------

static void run_stage(NetJob *job, NetWorkerKit *kit) {
    NetRequest *request = (NetRequest *)job;
    request->next(request, kit);
}

static void stage_done(NetJob *job) {
    NetRequest *request = (NetRequest *)job;
    if (!job->ran)
        net_reply_fault(request, "unavailable", NULL, "the server is stopping");
    if (request->status == 0 && request->then != NULL)
        request->then(request);
    else
        net_request_finish(request);
    net_request_drop(request);
}

void net_request_work(NetRequest *request, void (*work)(NetRequest *, NetWorkerKit *),
                      void (*then)(NetRequest *), bool heavy) {
    request->next = work;
    request->then = then;
    request->job = (NetJob) { .run = run_stage, .done = stage_done, .heavy = heavy };
    NetWorkers *workers = request->server->workers;
    if ((request->route->flags & NET_OUTSIDE) != 0 && request->server->outside != NULL)
        workers = request->server->outside;
    if (net_workers_push(workers, &request->job)) {
        net_request_hold(request); // until stage_done, which comes in a later turn of the loop
        return;
    }
    net_reply_fault(request, "unavailable", NULL, "too many requests are waiting");
    request->retry_after = 1;
    net_request_finish(request);
}

void net_request_session(NetRequest *request, NetWorkerKit *kit) {
    PagesFault fault = { 0 };
    if (request->route->auth != NET_NO_AUTH && request->token[0] != '\0' &&
        !pages_session(kit->pages, jd_str(request->token), request->now, &request->me,
                       &request->logged_in, &fault))
        net_reply_pages_fault(request, &fault);
}

// The first stage of most routes: who asks, then the route's own work.
static void first_work(NetRequest *request, NetWorkerKit *kit) {
    const NetRoute *route = request->route;
    PagesFault fault = { 0 };
    net_request_session(request, kit);
    if (request->status != 0)
        return;
    if (request->logged_in && request->me.blocks > 0 &&
        (request->ignored = calloc(PAGES_IGNORED_MAX, sizeof(int64_t))) != NULL &&
        !pages_ignored(kit->pages, request->me.account, request->ignored, &request->ignored_count,
                       &fault)) {
        net_reply_pages_fault(request, &fault);
        return;
    }
    if (route->auth == NET_AUTH_NEEDED && !request->logged_in)
        net_reply_fault(request, "auth_required", NULL, "log in first");
    else if (route->auth == NET_AUTH_NEEDED && request->me.blocked_from_ms != 0 &&
             (route->flags & NET_FOR_BLOCKED) == 0)
        net_reply_fault(request, "blocked", NULL, "this account is blocked");
    else if (route->work != NULL)
        route->work(request, kit);
}

static void start(NetRequest *request) {
    const NetServer *server = request->server;
    request->started = true;
    lws_set_timeout(request->conn->wsi, PENDING_TIMEOUT_HTTP_CONTENT, ANSWER_PATIENCE_S);
    // What a client sends before it has the answer waits in the kernel.
    lws_rx_flow_control(request->conn->wsi, 0);
    if (request->status != 0)
        net_request_finish(request);
    else if (server->gateway == NULL || !net_gateway_request(server->gateway, request))
        net_request_run(request);
}

void net_request_run(NetRequest *request) {
    const NetRoute *route = request->route;
    const bool needs_session = route->auth == NET_AUTH_NEEDED ||
                               (route->auth == NET_AUTH_IF_ANY && request->token[0] != '\0');
    if (needs_session || route->work != NULL)
        net_request_work(request, first_work, route->loop, (route->flags & NET_HEAVY) != 0);
    else
        route->loop(request);
}

// ---- the reply --------------------------------------------------------------------------------

void net_request_finish(NetRequest *request) {
    if (request->status == 0)
        net_reply_fault(request, "internal", NULL, "no answer was made");
    if (request->status >= 400 && request->status != 429 && request->route != NULL &&
        (request->route->flags & NET_PAGE) != 0)
        net_reply_app(request);
    NetGateway *gateway = request->server->gateway;
    if (gateway != NULL && request->status == 503 && net_gateway_again(gateway, request))
        return;
    if (request->is_far)
        net_far_reply(request);
    if (request->conn == NULL)
        return;
    // The library does not write where it may not read.
    lws_rx_flow_control(request->conn->wsi, 1);
    lws_callback_on_writable(request->conn->wsi);
}

static const char *reason_of(int status) {
    for (size_t i = 0; i < JD_COUNT(reasons); i++)
        if (reasons[i].status == status)
            return reasons[i].reason;
    return "Unknown";
}

static void add(NetBuf *out, const char *format, ...) JD_FORMAT(2, 3);
static void add(NetBuf *out, const char *format, ...) {
    char line[1200];
    va_list arguments;
    va_start(arguments, format);
    const size_t size = jd_format_v(line, sizeof(line), format, arguments);
    va_end(arguments);
    net_buf_add(out, line, size < sizeof(line) ? size : sizeof(line) - 1);
}

static size_t body_size_of(const NetRequest *request) {
    return request->fixed != NULL   ? request->fixed_size
           : request->reply != NULL ? request->reply->size
                                    : 0;
}

// A script, a sheet or a module obeys the policy of the page that asked for it; a copy of that
// policy with each of them would be a tenth of what a board page transfers. A worker has its own.
static bool is_part(const NetRequest *request) {
    return request->fixed != NULL && request->status == 200 &&
           jd_str_starts_with(request->path, JD_STR("/assets/")) &&
           strstr(request->path_text, "_worker") == NULL;
}

static void write_head(const NetRequest *request, NetBuf *out) {
    const bool https = net_config_is_https(&request->server->config);
    add(out, "HTTP/1.1 %d %s\r\n", request->status, reason_of(request->status));
    if (request->type != NULL && request->status != 304)
        add(out, "Content-Type: %s\r\n", request->type);
    if (request->status != 204 && request->status != 304)
        add(out, "Content-Length: %zu\r\n", body_size_of(request));
    add(out, "Cache-Control: %s\r\n", request->cache == NULL ? "no-store" : request->cache);
    if (request->etag[0] != '\0')
        add(out, "ETag: %s\r\n", request->etag);
    if (request->coding != NULL && request->coding[0] != '\0')
        add(out, "Content-Encoding: %s\r\n", request->coding);
    if (request->coding != NULL)
        add(out, "Vary: Accept-Encoding\r\n");
    if (request->cookie[0] != '\0')
        add(out, "Set-Cookie: %s\r\n", request->cookie);
    if (request->extra[0] != '\0')
        add(out, "%s", request->extra);
    if (request->location != NULL) {
        add(out, "Location: ");
        net_buf_add(out, request->location, strlen(request->location));
        net_buf_add(out, "\r\n", 2);
    }
    if (request->allow[0] != '\0')
        add(out, "Allow: %s\r\n", request->allow);
    if (request->retry_after > 0)
        add(out, "Retry-After: %d\r\n", request->retry_after);
    if (request->close)
        add(out, "Connection: close\r\n");
    if (https)
        add(out, "Strict-Transport-Security: max-age=31536000\r\n");
    if (!is_part(request)) {
        add(out, policy_header, request->server->policy_sockets);
        net_buf_add(out, security_headers, sizeof(security_headers) - 1);
    }
    net_buf_add(out, part_headers, sizeof(part_headers) - 1);
    net_buf_add(out, "\r\n", 2);
}

// A reply that the browser has already: 304. Answers of the API are named by what they hold.
static void look_for_known(NetRequest *request) {
    const bool api_read = request->status == 200 && request->route != NULL &&
                          request->route->method == NET_GET && request->reply != NULL &&
                          jd_str_starts_with(request->path, JD_STR("/api/"));
    if (api_read && request->cache == NULL) {
        const JdStr body = net_buf_str(request->reply);
        jd_format(
            request->etag, sizeof(request->etag), "W/\"%016llx\"",
            (unsigned long long)jd_mix(jd_hash(request->server->secret, body.data, body.size)));
        request->cache = "private, no-cache";
    }
    if (request->etag[0] == '\0' || request->status != 200 || request->if_none_match[0] == '\0')
        return;
    // A proxy may have made a strong name weak; what is asked here is sameness of content.
    JdStr known = jd_str(request->if_none_match);
    JdStr name = jd_str(request->etag);
    if (jd_str_starts_with(known, JD_STR("W/")))
        known = jd_str_part(known, 2, known.size);
    if (jd_str_starts_with(name, JD_STR("W/")))
        name = jd_str_part(name, 2, name.size);
    if (jd_str_equal(known, name))
        request->status = 304;
}

// The head, and the body with it when it is small.
static bool send_head(NetRequest *request) {
    look_for_known(request);
    NetBuf *out = net_buf_new();
    if (out == NULL)
        return false;
    write_head(request, out);
    const bool no_body =
        request->method == NET_HEAD || request->status == 204 || request->status == 304;
    const size_t size = body_size_of(request);
    if (no_body) {
        request->sent = size;
    } else if (size > 0 && size <= PIECE_MAX / 4) {
        net_buf_add(out, request->fixed != NULL ? request->fixed : request->reply->data, size);
        request->sent = size;
    }
    request->head_sent = true;
    NetMetrics *metrics = &request->server->metrics;
    metrics->requests[request->status / 100]++;
    metrics->bytes_out += out->size;
    const bool ok = !out->failed && lws_write(request->conn->wsi, out->data, out->size,
                                              LWS_WRITE_HTTP_HEADERS) >= 0;
    net_buf_drop(out);
    return ok;
}

// The answer is out: the next request, or the end of the connection.
static int complete(NetConn *conn) {
    NetRequest *request = conn->request;
    const bool close = request->close || conn->server->stop;
    const bool unread = !request->started;
    const bool unreadable = request->unreadable;
    forget_request(conn);
    if (unread) {
        // What the library would not read must not wake it either.
        if (unreadable)
            lws_rx_flow_control(conn->wsi, 0);
        conn->draining = true;
        lws_set_timeout(conn->wsi, PENDING_TIMEOUT_HTTP_CONTENT, DRAIN_S);
        return 0;
    }
    if (close)
        return -1;
    return lws_http_transaction_completed(conn->wsi) != 0 ? -1 : 0;
}

static int writable(NetConn *conn) {
    NetRequest *request = conn->request;
    if (request == NULL || request->status == 0)
        return 0;
    lws_set_timeout(conn->wsi, PENDING_TIMEOUT_HTTP_CONTENT, WRITE_PATIENCE_S);
    if (!request->head_sent) {
        if (!send_head(request))
            return -1;
    } else {
        const size_t rest = body_size_of(request) - request->sent;
        const size_t piece = rest < PIECE_MAX ? rest : PIECE_MAX;
        unsigned char *from =
            (unsigned char *)(request->fixed != NULL ? request->fixed : request->reply->data) +
            request->sent;
        if (lws_write(conn->wsi, from, piece, LWS_WRITE_HTTP) < 0)
            return -1;
        conn->server->metrics.bytes_out += piece;
        request->sent += piece;
    }
    if (request->sent < body_size_of(request)) {
        lws_callback_on_writable(conn->wsi);
        return 0;
    }
    return complete(conn);
}

void net_http_refuse(NetConn *conn, const NetError *err) {
    NetRequest *request = new_request(conn);
    if (request == NULL)
        return;
    request->method = NET_GET;
    request->close = true;
    net_reply_error(request, err);
    (void)send_head(request);
    forget_request(conn);
}

// ---- reading ----------------------------------------------------------------------------------

static int begin(NetConn *conn) {
    struct lws *wsi = conn->wsi;
    NetRequest *request = new_request(conn);
    if (request == NULL)
        return -1;
    const int64_t size = body_size(wsi);
    if (conn->server->stop) {
        net_reply_fault(request, "unavailable", NULL, "the server is stopping");
        request->close = true;
    } else if (!read_target(request, wsi)) {
        net_reply_fault(request, "bad_request", NULL, "the path or query is too long or malformed");
        request->close = true;
    } else {
        read_headers(request, wsi);
        judge(request, wsi, size);
    }
    if (size == 0) {
        start(request);
    } else if (request->close) {
        // Too large, or of no known size: the answer goes out now, the body is thrown away.
        request->unreadable = lws_hdr_total_length(wsi, WSI_TOKEN_POST_URI) <= 0 &&
                              lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_CONTENT_LENGTH) <= 0;
        net_request_finish(request);
    } else if (request->status == 0 && (request->body = net_buf_new()) == NULL) {
        return -1;
    } else if (lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_EXPECT) > 0) {
        // The client waits to be asked for the body (RFC 9110, 10.1.1).
        unsigned char go_on[LWS_PRE + 32];
        const size_t length =
            jd_format((char *)go_on + LWS_PRE, 32, "HTTP/1.1 100 Continue\r\n\r\n");
        return lws_write(wsi, go_on + LWS_PRE, length, LWS_WRITE_HTTP_HEADERS) < 0 ? -1 : 0;
    }
    return 0;
}

static int body(NetConn *conn, const void *bytes, size_t size) {
    NetRequest *request = conn->request;
    if (conn->draining || (request != NULL && request->body == NULL)) {
        conn->ignored += size;
        return conn->ignored > DRAIN_MAX ? -1 : 0;
    }
    if (request == NULL || request->started)
        return 0;
    if (request->body->size + size > (size_t)(NET_BODY_MAX))
        return -1; // more than Content-Length said
    net_buf_add(request->body, bytes, size);
    return request->body->failed ? -1 : 0;
}

static int body_complete(NetConn *conn) {
    if (conn->draining)
        return -1;
    NetRequest *request = conn->request;
    if (request == NULL || request->started)
        return 0;
    if (request->close)
        request->started = true; // answered already, and nothing is left to throw away
    else
        start(request);
    return 0;
}

static int confirm_upgrade(NetConn *conn, const char *in) {
    // An upgrade to something the library does not know has been answered by it already, and its
    // headers with the text `in` points at are gone: nothing to look at, only to close.
    if (lws_hdr_total_length(conn->wsi, WSI_TOKEN_UPGRADE) <= 0)
        return -1;
    learn_address(conn);
    if (jd_str_equal_nocase(jd_str(in), JD_STR("websocket")))
        return net_ws_judge(conn) ? 0 : -1;
    NetError err = { 0 };
    net_fail(&err, "bad_request", NULL, "the only upgrade is to a WebSocket");
    net_http_refuse(conn, &err);
    return -1;
}

NetConn *net_conn_of(struct lws *wsi) {
    return lws_get_opaque_user_data(wsi);
}

void net_conn_gone(NetConn *conn) {
    NetServer *server = conn->server;
    if (server->adopting == conn)
        server->adopting = NULL;
    forget_request(conn);
    JD_ASSERT(conn->socket == NULL);
    if (conn->previous != NULL)
        conn->previous->next = conn->next;
    else
        server->conns = conn->next;
    if (conn->next != NULL)
        conn->next->previous = conn->previous;
    server->metrics.connections--;
    net_limits_close(server->limits, &conn->peer);
    if (conn->wsi != NULL)
        lws_set_opaque_user_data(conn->wsi, NULL);
    free(conn);
}

int net_http_callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                      size_t size) {
    NetConn *conn = net_conn_of(wsi);
    if (reason == LWS_CALLBACK_OPENSSL_LOAD_EXTRA_SERVER_VERIFY_CERTS)
        net_tls_context(user);
    if (conn == NULL)
        return 0;
    // The reasons that concern HTTP; the others of the library's list are not ours.
    if (reason == LWS_CALLBACK_SERVER_NEW_CLIENT_INSTANTIATED) {
        conn->wsi = wsi;
    } else if (reason == LWS_CALLBACK_HTTP) {
        return begin(conn);
    } else if (reason == LWS_CALLBACK_HTTP_BODY) {
        return body(conn, in, size);
    } else if (reason == LWS_CALLBACK_HTTP_BODY_COMPLETION) {
        return body_complete(conn);
    } else if (reason == LWS_CALLBACK_HTTP_WRITEABLE) {
        return writable(conn);
    } else if (reason == LWS_CALLBACK_HTTP_CONFIRM_UPGRADE) {
        return confirm_upgrade(conn, in);
    } else if (reason == LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION ||
               reason == LWS_CALLBACK_RAW_ADOPT || reason == LWS_CALLBACK_RAW_RX) {
        return -1; // a WebSocket without our subprotocol, a tunnel: judged before, and never let in
    } else if (reason == LWS_CALLBACK_CLOSED_HTTP) {
        forget_request(conn);
    } else if (reason == LWS_CALLBACK_WSI_DESTROY) {
        net_conn_gone(conn);
    }
    return 0;
}

// Whether a client sends (or has closed its side) while it is being written to. The library does
// not read then, and is woken again and again by what it does not read.
static bool talks_over(const NetConn *conn) {
    struct pollfd poll_fd = { .fd = lws_get_socket_fd(conn->wsi), .events = POLLIN };
    return conn->request->head_sent && poll(&poll_fd, 1, 0) > 0;
}

// Bodies that do not come to their end, and clients that talk over a long answer.
void net_http_sweep(NetServer *server) {
    const int64_t now_ms = net_now(server).ms;
    for (NetConn *conn = server->conns; conn != NULL; conn = conn->next) {
        const NetRequest *request = conn->request;
        if (request == NULL)
            continue;
        const bool late = !request->started && now_ms - request->now.ms > READ_PATIENCE_MS;
        if (late || talks_over(conn))
            lws_set_timeout(conn->wsi, PENDING_TIMEOUT_USER_REASON_BASE, LWS_TO_KILL_ASYNC);
    }
}
