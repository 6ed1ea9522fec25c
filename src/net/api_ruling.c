// SPDX-License-Identifier: GPL-3.0-or-later
//
// An administrator corrects a result over HTTP (S-104).
#include <string.h>

#include "net/api.h"
#include "net/json_in.h"
#include "net/json_out.h"
#include "net/ruling.h"

typedef struct Fields {
    JdStr result;
    JdStr reason;
} Fields;

static bool has_role(JdStr roles, JdStr role) {
    while (roles.size > 0)
        if (jd_str_equal(jd_str_cut(&roles, ' '), role))
            return true;
    return false;
}

static bool read_form(NetRequest *request, NetRule *rule) {
    static const NetField fields[] = {
        { .name = "result", .kind = NET_FIELD_TEXT, .max = 16, .offset = offsetof(Fields, result) },
        { .name = "reason",
          .kind = NET_FIELD_TEXT,
          .max = 4096,
          .offset = offsetof(Fields, reason) },
    };
    Fields read = { .result = { NULL, 0 } };
    NetError error = { 0 };
    JdErr err = { 0 };
    json_t *object = net_request_json(request);
    if (object == NULL)
        return false;
    if (!net_json_read(object, fields, JD_COUNT(fields), &read, &error)) {
        net_reply_error(request, &error);
        return false;
    }
    if (!net_ruling_result(read.result, rule->halves)) {
        net_reply_fault(request, "bad_request", "result", "expected 1-0, 0-1, 1/2-1/2 or 0-0");
        return false;
    }
    const JdStr reason = jd_str_trim(read.reason);
    if (!net_ruling_reason(reason, &err)) {
        net_reply_fault(request, "bad_request", "reason", err.text);
        return false;
    }
    jd_copy(rule->reason, reason.data, reason.size);
    return true;
}

void api_rule(NetRequest *request, NetWorkerKit *kit) {
    (void)kit;
    NetRule *rule = api_results(request, sizeof(*rule));
    if (rule == NULL)
        return;
    if (!has_role(jd_str(request->me.roles), JD_STR("admin")))
        net_reply_fault(request, "forbidden", NULL, "only an administrator corrects a result");
    else if (!live_id_parse(request->params[0], &rule->game))
        net_reply_fault(request, "not_found", NULL, "there is no such game");
    else if (read_form(request, rule)) {
        rule->actor = request->me.account;
        rule->now = request->now;
    }
}

static void reply(NetRequest *request) {
    const NetRule *rule = request->results;
    if (request->status == 0 && rule->code != NULL)
        net_reply_fault(request, rule->code, NULL, rule->err.text);
    NetBuf *out = request->status == 0 ? net_reply_json(request, 200) : NULL;
    if (out != NULL) {
        json_out_open(out, '{');
        json_out_key_cstr(out, "game", rule->game.text);
        json_out_key_cstr(out, "before", rule->before);
        json_out_key_cstr(out, "after", rule->after);
        json_out_close(out, '}');
    }
    net_request_finish(request);
}

static void end(NetRequest *request) {
    net_rule_end(request->server, request->results);
    reply(request);
}

static void keep(NetRequest *request, NetWorkerKit *kit) {
    net_rule_keep(request->server, request->results, kit);
}

static void read_game(NetRequest *request, NetWorkerKit *kit) {
    net_rule_read(request->results, kit);
}

static void submit(NetRequest *request) {
    NetRule *rule = request->results;
    net_rule_submit(request->server, rule);
    if (rule->code != NULL) {
        end(request);
        return;
    }
    net_request_work(request, keep, end, false);
    if (request->status != 0) // no worker: what is submitted is told all the same
        net_rule_end(request->server, rule);
}

void api_rule_made(NetRequest *request) {
    NetRule *rule = request->results;
    if (!net_rule_begin(request->server, rule)) {
        reply(request);
        return;
    }
    net_request_work(request, read_game, submit, false);
    if (request->status != 0 && rule->holds) {
        rule->code = "unavailable";
        net_rule_end(request->server, rule);
    }
}
