// SPDX-License-Identifier: GPL-3.0-or-later
//
// Friends, and whom one follows.
#include <stdlib.h>

#include "net/api.h"
#include "net/gateway.h"
#include "net/json_in.h"
#include "net/json_out.h"

// A PUT has an empty object, a DELETE needs no body.
static bool no_body(NetRequest *request) {
    if (request->method == NET_DELETE && request->body == NULL)
        return true;
    json_t *object = net_request_json(request);
    if (object == NULL)
        return false;
    if (json_object_size(object) == 0)
        return true;
    net_reply_fault(request, "bad_request", NULL, "expected an empty object");
    return false;
}

static void relate(NetRequest *request, NetWorkerKit *kit, PagesRelation kind) {
    PagesFault fault = { 0 };
    PagesRelated *related = NULL;
    if (!no_body(request) || (related = api_results(request, sizeof(*related))) == NULL)
        return;
    if (!pages_relate(kit->pages, request->me.account, request->params[0], kind,
                      request->method == NET_PUT, request->now, related, &fault))
        net_reply_pages_fault(request, &fault);
}

// Whoever would be a friend, or is one now, is shown to the other at once.
void api_related(NetRequest *request) {
    const PagesRelated *related = request->results;
    if (related->kind != NULL)
        net_tell_notice(request->server, related->other, related->kind, request->me.nick, "",
                        request->now.ms);
    net_reply_empty(request, 204);
    net_request_finish(request);
}

void api_follow(NetRequest *request, NetWorkerKit *kit) {
    relate(request, kit, PAGES_FOLLOWS);
}

void api_befriend(NetRequest *request, NetWorkerKit *kit) {
    relate(request, kit, PAGES_FRIEND);
}

void api_people(NetRequest *request, NetWorkerKit *kit) {
    PagesFault fault = { 0 };
    request->results = calloc(1, sizeof(PagesPeople));
    if (request->results == NULL)
        net_reply_fault(request, "internal", NULL, "no memory for the answer");
    else if (!pages_people(kit->pages, request->me.account, request->results, &fault))
        net_reply_pages_fault(request, &fault);
}

static void write_people(NetRequest *request, NetBuf *out, const char *key,
                         PagesStanding standing) {
    const PagesPeople *people = request->results;
    json_out_key(out, key);
    json_out_open(out, '[');
    for (size_t i = 0; i < people->count; i++) {
        const PagesPerson *person = &people->list[i];
        if (person->standing != standing)
            continue;
        json_out_open(out, '{');
        json_out_key_cstr(out, "nick", person->nick);
        json_out_key_bool(out, "online",
                          !person->hidden &&
                              live_is_online(request->server->shell.live, person->account));
        json_out_close(out, '}');
    }
    json_out_close(out, ']');
}

void api_people_found(NetRequest *request) {
    NetBuf *out = net_reply_json(request, 200);
    if (out != NULL) {
        json_out_open(out, '{');
        write_people(request, out, "friends", PAGES_IS_FRIEND);
        write_people(request, out, "asked", PAGES_IS_ASKED);
        write_people(request, out, "asks", PAGES_ASKS);
        write_people(request, out, "follows", PAGES_IS_FOLLOWED);
        json_out_close(out, '}');
    }
    net_request_finish(request);
}
