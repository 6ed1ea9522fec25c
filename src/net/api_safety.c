// SPDX-License-Identifier: GPL-3.0-or-later
//
// The safety of one's account: devices, misuse by others, whom one has blocked, leaving, and what
// one may say to the administrators.
#include <string.h>

#include "net/api.h"
#include "net/gateway.h"
#include "net/json_in.h"
#include "net/json_out.h"
#include "net/me.h"

typedef struct SafetyFields {
    JdStr password;
    JdStr new_password;
    JdStr new_password2;
    JdStr text;
    JdStr nick;
} SafetyFields;

#define TEXT(member)                                                                               \
    {                                                                                              \
        .name = #member, .kind = NET_FIELD_TEXT, .max = 8192,                                      \
        .offset = offsetof(SafetyFields, member)                                                   \
    }

static bool read_fields(NetRequest *request, const NetField *fields, size_t count,
                        SafetyFields *out) {
    NetError err = { 0 };
    json_t *object = net_request_json(request);
    *out = (SafetyFields) { .password = { NULL, 0 } };
    if (object == NULL)
        return false;
    if (net_json_read(object, fields, count, out, &err))
        return true;
    net_reply_error(request, &err);
    return false;
}

void api_no_content(NetRequest *request) {
    net_reply_empty(request, 204);
    net_request_finish(request);
}

// ---- devices ----------------------------------------------------------------------------------

void api_devices(NetRequest *request, NetWorkerKit *kit) {
    PagesDevices *devices = api_results(request, sizeof(*devices));
    PagesFault fault = { 0 };
    if (devices != NULL && !pages_devices(kit->pages, request->me.account, jd_str(request->token),
                                          request->now, devices, &fault))
        net_reply_pages_fault(request, &fault);
}

void api_devices_found(NetRequest *request) {
    const PagesDevices *devices = request->results;
    NetBuf *out = net_reply_json(request, 200);
    if (out != NULL) {
        json_out_open(out, '{');
        json_out_key(out, "devices");
        json_out_open(out, '[');
        for (size_t i = 0; i < devices->count; i++) {
            const PagesDevice *device = &devices->list[i];
            json_out_open(out, '{');
            json_out_key_int(out, "id", device->id);
            json_out_key_int(out, "created", device->created_ms);
            json_out_key_int(out, "seen", device->seen_ms);
            json_out_key_cstr(out, "agent", device->agent);
            json_out_key_bool(out, "own", device->own);
            json_out_close(out, '}');
        }
        json_out_close(out, ']');
        json_out_close(out, '}');
    }
    net_request_finish(request);
}

void api_device_end(NetRequest *request, NetWorkerKit *kit) {
    uint64_t device = 0;
    PagesFault fault = { 0 };
    if (!jd_parse_u64(request->params[0], INT64_MAX, &device))
        net_reply_fault(request, "not_found", NULL, "no such device");
    else if (!pages_device_end(kit->pages, request->me.account, (int64_t)device, &fault))
        net_reply_pages_fault(request, &fault);
}

// Which connection was that device's is not known here: all but one's own come anew with their
// cookies, and that one finds it is nobody.
void api_others_ended(NetRequest *request) {
    uint8_t own[NET_DIGEST_SIZE];
    net_token_digest(jd_str(request->token), own);
    net_tell_sessions(request->server, request->me.account, NULL, own);
    api_no_content(request);
}

void api_misuse(NetRequest *request, NetWorkerKit *kit) {
    static const NetField fields[] = { TEXT(password), TEXT(new_password), TEXT(new_password2),
                                       TEXT(text) };
    SafetyFields read;
    if (!read_fields(request, fields, JD_COUNT(fields), &read))
        return;
    const PagesPassword form = { .account = request->me.account,
                                 .token = jd_str(request->token),
                                 .password = read.password,
                                 .new_password = read.new_password,
                                 .new_password2 = read.new_password2,
                                 .address = request->address };
    PagesFault fault = { 0 };
    if (!pages_misuse(kit->pages, &form, read.text, request->now, &fault))
        net_reply_pages_fault(request, &fault);
}

void api_appeal(NetRequest *request, NetWorkerKit *kit) {
    static const NetField fields[] = { TEXT(text) };
    SafetyFields read;
    PagesFault fault = { 0 };
    if (read_fields(request, fields, JD_COUNT(fields), &read) &&
        !pages_appeal(kit->pages, request->me.account, read.text, request->now, &fault))
        net_reply_pages_fault(request, &fault);
}

// ---- blocking a player ------------------------------------------------------------------------

typedef struct Ignored {
    size_t count;
    int64_t list[PAGES_IGNORED_MAX];
} Ignored;

void api_blocks(NetRequest *request, NetWorkerKit *kit) {
    PagesIgnoredList *list = api_results(request, sizeof(*list));
    PagesFault fault = { 0 };
    if (list != NULL && !pages_ignored_list(kit->pages, request->me.account, list, &fault))
        net_reply_pages_fault(request, &fault);
}

void api_blocks_found(NetRequest *request) {
    const PagesIgnoredList *list = request->results;
    NetBuf *out = net_reply_json(request, 200);
    if (out != NULL) {
        json_out_open(out, '{');
        json_out_key(out, "blocks");
        json_out_open(out, '[');
        for (size_t i = 0; i < list->count; i++) {
            json_out_open(out, '{');
            json_out_key_cstr(out, "nick", list->list[i].nick);
            json_out_key_int(out, "created", list->list[i].created_ms);
            json_out_close(out, '}');
        }
        json_out_close(out, ']');
        json_out_close(out, '}');
    }
    net_request_finish(request);
}

static void set_block(NetRequest *request, NetWorkerKit *kit, JdStr nick, bool remove) {
    Ignored *ignored = api_results(request, sizeof(*ignored));
    PagesFault fault = { 0 };
    if (ignored == NULL)
        return;
    if (!pages_ignore(kit->pages, request->me.account, nick, remove, request->now, &fault) ||
        !pages_ignored(kit->pages, request->me.account, ignored->list, &ignored->count, &fault))
        net_reply_pages_fault(request, &fault);
}

void api_block(NetRequest *request, NetWorkerKit *kit) {
    static const NetField fields[] = { TEXT(nick) };
    SafetyFields read;
    if (read_fields(request, fields, JD_COUNT(fields), &read))
        set_block(request, kit, read.nick, false);
}

void api_unblock(NetRequest *request, NetWorkerKit *kit) {
    set_block(request, kit, request->params[0], true);
}

void api_blocks_changed(NetRequest *request) {
    const Ignored *ignored = request->results;
    const LiveProfile profile = { .parts = LIVE_PROFILE_BLOCKED,
                                  .blocked = ignored->list,
                                  .blocked_count = (uint16_t)ignored->count };
    net_tell_profile(request->server, request->me.account, &profile);
    api_no_content(request);
}

// ---- leaving ----------------------------------------------------------------------------------

void api_delete(NetRequest *request, NetWorkerKit *kit) {
    static const NetField fields[] = { TEXT(password) };
    SafetyFields read;
    PagesFault fault = { 0 };
    if (read_fields(request, fields, JD_COUNT(fields), &read) &&
        !pages_account_delete(kit->pages, request->me.account, read.password, &request->address,
                              request->now, &fault))
        net_reply_pages_fault(request, &fault);
}

void api_deleted(NetRequest *request) {
    const uint8_t nobody[NET_DIGEST_SIZE] = { 0 };
    net_tell_leaves(request->server, request->me.account, false);
    net_tell_sessions(request->server, request->me.account, NULL, nobody);
    net_reply_cookie(request, NULL);
    api_no_content(request);
}

void api_stay(NetRequest *request, NetWorkerKit *kit) {
    PagesFault fault = { 0 };
    if (api_empty_body(request) &&
        !pages_account_stay(kit->pages, request->me.account, request->now, &request->me, &fault))
        net_reply_pages_fault(request, &fault);
}

void api_stayed(NetRequest *request) {
    net_tell_me(request->server, &request->me);
    api_reply_me(request, 200, &request->me);
    net_request_finish(request);
}
