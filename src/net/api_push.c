// SPDX-License-Identifier: GPL-3.0-or-later
//
// Notices by push and the bell, over HTTP.
#include <string.h>

#include <sodium.h>

#include "net/api.h"
#include "net/json_in.h"
#include "net/json_out.h"
#include "net/pusher.h"
#include "net/webpush.h"

// ---- devices ------------------------------------------------------------------------------------

void api_push(NetRequest *request, NetWorkerKit *kit) {
    PagesPushDevices *devices = api_results(request, sizeof(*devices));
    PagesFault fault = { 0 };
    if (devices != NULL && !pages_push_devices(kit->pages, request->me.account,
                                               jd_str(request->token), devices, &fault))
        net_reply_pages_fault(request, &fault);
}

void api_push_found(NetRequest *request) {
    const PagesPushDevices *devices = request->results;
    NetBuf *out = net_reply_json(request, 200);
    if (out != NULL) {
        json_out_open(out, '{');
        json_out_key_cstr(out, "key", net_pusher_key(request->server->pusher));
        json_out_key(out, "devices");
        json_out_open(out, '[');
        for (size_t i = 0; i < devices->count; i++) {
            json_out_open(out, '{');
            json_out_key_int(out, "id", devices->list[i].id);
            json_out_key_int(out, "created", devices->list[i].created_ms);
            json_out_key_cstr(out, "agent", devices->list[i].agent);
            json_out_key_bool(out, "own", devices->list[i].own);
            json_out_close(out, '}');
        }
        json_out_close(out, ']');
        json_out_close(out, '}');
    }
    net_request_finish(request);
}

// Base64url, with padding or without, of exactly so many bytes.
static bool read_bytes(JdStr text, unsigned char *out, size_t size) {
    size_t read = 0;
    while (text.size > 0 && text.data[text.size - 1] == '=')
        text.size--;
    return sodium_base642bin(out, size, text.data, text.size, NULL, &read, NULL,
                             sodium_base64_VARIANT_URLSAFE_NO_PADDING) == 0 &&
           read == size;
}

typedef struct PushForm {
    JdStr endpoint;
    JdStr p256dh;
    JdStr auth;
} PushForm;

#define TEXT(member, most)                                                                         \
    {                                                                                              \
        .name = #member, .kind = NET_FIELD_TEXT, .min = 1, .max = (most),                          \
        .offset = offsetof(PushForm, member)                                                       \
    }

void api_push_on(NetRequest *request, NetWorkerKit *kit) {
    static const NetField fields[] = { TEXT(endpoint, PAGES_PUSH_ENDPOINT_MAX), TEXT(p256dh, 128),
                                       TEXT(auth, 64) };
    PushForm form = { .endpoint = jd_str("") };
    PagesPushTarget target = { .endpoint = { 0 } };
    NetError err = { 0 };
    PagesFault fault = { 0 };
    json_t *object = net_request_json(request);
    if (object == NULL)
        return;
    if (!net_json_read(object, fields, JD_COUNT(fields), &form, &err)) {
        net_reply_error(request, &err);
        return;
    }
    target.endpoint = form.endpoint;
    if (!net_push_endpoint_ok(form.endpoint, request->server->config.push_local))
        net_reply_fault(request, "bad_request", "endpoint",
                        "expected the https address of a push service");
    else if (!read_bytes(form.p256dh, target.public_key, sizeof(target.public_key)) ||
             !net_push_is_point(target.public_key))
        net_reply_fault(request, "bad_request", "p256dh", "expected a point of P-256");
    else if (!read_bytes(form.auth, target.secret, sizeof(target.secret)))
        net_reply_fault(request, "bad_request", "auth", "expected 16 bytes");
    else if (pages_is_guest(jd_str(request->me.nick)))
        net_reply_fault(request, "auth_required", NULL, "register first");
    else if (!pages_push_subscribe(kit->pages, request->me.account, jd_str(request->token), &target,
                                   request->now, &fault))
        net_reply_pages_fault(request, &fault);
    else
        api_push(request, kit);
}

void api_push_end(NetRequest *request, NetWorkerKit *kit) {
    uint64_t device = 0;
    PagesFault fault = { 0 };
    if (!jd_parse_u64(request->params[0], INT64_MAX, &device))
        net_reply_fault(request, "not_found", NULL, "no such device");
    else if (!pages_push_end(kit->pages, request->me.account, (int64_t)device, &fault))
        net_reply_pages_fault(request, &fault);
    else
        net_reply_empty(request, 204);
}

// From the notice itself, where perhaps nobody is logged in any more: whoever knows the endpoint is
// its browser.
void api_push_off(NetRequest *request, NetWorkerKit *kit) {
    static const NetField fields[] = { TEXT(endpoint, PAGES_PUSH_ENDPOINT_MAX) };
    PushForm form = { .endpoint = jd_str("") };
    NetError err = { 0 };
    PagesFault fault = { 0 };
    json_t *object = net_request_json(request);
    if (object == NULL)
        return;
    if (!net_json_read(object, fields, JD_COUNT(fields), &form, &err))
        net_reply_error(request, &err);
    else if (!pages_push_off(kit->pages, form.endpoint, &fault))
        net_reply_pages_fault(request, &fault);
    else
        net_reply_empty(request, 204);
}

// ---- the bell -----------------------------------------------------------------------------------

void api_bell(NetRequest *request, NetWorkerKit *kit) {
    PagesBell *bell = api_results(request, sizeof(*bell));
    PagesFault fault = { 0 };
    if (bell != NULL && !pages_bell(kit->pages, request->me.account, bell, &fault))
        net_reply_pages_fault(request, &fault);
}

void api_bell_found(NetRequest *request) {
    const PagesBell *bell = request->results;
    NetBuf *out = net_reply_json(request, 200);
    if (out != NULL) {
        json_out_open(out, '{');
        json_out_key(out, "notices");
        json_out_open(out, '[');
        for (size_t i = 0; i < bell->count; i++) {
            const PagesBellRow *row = &bell->list[i];
            net_write_notice(out, row->kind, row->nick, row->ref, row->at_ms);
        }
        json_out_close(out, ']');
        json_out_key_int(out, "seen", bell->seen_ms);
        json_out_close(out, '}');
    }
    net_request_finish(request);
}

typedef struct SeenForm {
    int64_t seen;
} SeenForm;

void api_bell_seen(NetRequest *request, NetWorkerKit *kit) {
    static const NetField fields[] = { { .name = "seen",
                                         .kind = NET_FIELD_INTEGER,
                                         .min = 0,
                                         .max = INT64_C(9007199254740991),
                                         .offset = offsetof(SeenForm, seen) } };
    SeenForm form = { 0 };
    NetError err = { 0 };
    PagesFault fault = { 0 };
    json_t *object = net_request_json(request);
    if (object == NULL)
        return;
    if (!net_json_read(object, fields, JD_COUNT(fields), &form, &err)) {
        net_reply_error(request, &err);
        return;
    }
    // What has not happened yet cannot have been seen.
    const int64_t seen = form.seen < request->now.ms ? form.seen : request->now.ms;
    if (!pages_bell_seen(kit->pages, request->me.account, seen, &fault))
        net_reply_pages_fault(request, &fault);
    else
        net_reply_empty(request, 204);
}
