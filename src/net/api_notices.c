// SPDX-License-Identifier: GPL-3.0-or-later
//
// What one wants to be told by letter, over HTTP.
#include <stdlib.h>

#include "net/api.h"
#include "net/json_in.h"
#include "net/json_out.h"
#include "pages/pages.h"

static PagesNotices *room(NetRequest *request) {
    if (request->results == NULL)
        request->results = calloc(1, sizeof(PagesNotices));
    if (request->results == NULL)
        net_reply_fault(request, "internal", NULL, "no memory for the answer");
    return request->results;
}

void api_notices(NetRequest *request, NetWorkerKit *kit) {
    PagesNotices *notices = room(request);
    PagesFault fault = { 0 };
    if (notices != NULL && !pages_notices(kit->pages, request->me.account, notices, &fault))
        net_reply_pages_fault(request, &fault);
}

typedef struct NoticeFields {
    bool moves;
    bool day;
    bool hours;
    bool invitations;
    int64_t digest_hour;
} NoticeFields;

#define SWITCH(member)                                                                             \
    { .name = #member, .kind = NET_FIELD_BOOL, .offset = offsetof(NoticeFields, member) }

void api_notices_set(NetRequest *request, NetWorkerKit *kit) {
    static const NetField fields[] = { SWITCH(moves),
                                       SWITCH(day),
                                       SWITCH(hours),
                                       { .name = "invitations",
                                         .kind = NET_FIELD_BOOL,
                                         .optional = true,
                                         .offset = offsetof(NoticeFields, invitations) },
                                       { .name = "digest_hour",
                                         .kind = NET_FIELD_INTEGER,
                                         .optional = true,
                                         .min = 0,
                                         .max = 23,
                                         .offset = offsetof(NoticeFields, digest_hour) } };
    NoticeFields read = { .invitations = true, .digest_hour = -1 };
    NetError err = { 0 };
    PagesFault fault = { 0 };
    PagesNotices *notices = room(request);
    json_t *object = notices != NULL ? net_request_json(request) : NULL;
    if (object == NULL)
        return;
    if (!net_json_read(object, fields, JD_COUNT(fields), &read, &err)) {
        net_reply_error(request, &err);
        return;
    }
    *notices = (PagesNotices) { read.moves, read.day, read.hours, read.invitations,
                                (int8_t)read.digest_hour };
    if (!pages_notices_set(kit->pages, request->me.account, notices, &fault))
        net_reply_pages_fault(request, &fault);
}

void api_notices_found(NetRequest *request) {
    const PagesNotices *notices = request->results;
    NetBuf *out = net_reply_json(request, 200);
    if (out != NULL) {
        json_out_open(out, '{');
        json_out_key_bool(out, "moves", notices->moves);
        json_out_key_bool(out, "day", notices->day);
        json_out_key_bool(out, "hours", notices->hours);
        json_out_key_bool(out, "invitations", notices->invitations);
        json_out_key(out, "digest_hour");
        if (notices->digest_hour < 0)
            json_out_null(out);
        else
            json_out_int(out, notices->digest_hour);
        json_out_close(out, '}');
    }
    net_request_finish(request);
}

// By a mail program (RFC 8058) or by the page the letter links to; the token says it all.
void api_notices_off(NetRequest *request, NetWorkerKit *kit) {
    PagesFault fault = { 0 };
    if (!pages_notices_off(kit->pages, request->params[0], &fault))
        net_reply_pages_fault(request, &fault);
}

void api_notices_are_off(NetRequest *request) {
    net_reply_empty(request, 204);
    net_request_finish(request);
}
