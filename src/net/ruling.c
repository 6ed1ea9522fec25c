// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/ruling.h"

#include <string.h>

#include "net/ratings.h"
#include "net/record.h"
#include "net/server.h"

void net_ruling_work(const NetRuling *ruling, int64_t actor, JdStr reason, JdInstant now,
                     StoreWork work[NET_RULING_WORK]) {
    memset(work, 0, NET_RULING_WORK * sizeof(*work));
    work[0].kind = STORE_RECORD_EVENT;
    work[0].event = ruling->event;
    work[1].kind = STORE_GAME_ROW;
    work[1].row = ruling->row;
    work[2].kind = STORE_AUDIT_ROW;
    StoreAudit *audit = &work[2].audit;
    audit->at_ms = now.ms;
    audit->actor = actor;
    jd_format(audit->action, sizeof(audit->action), "result");
    jd_format(audit->object, sizeof(audit->object), "game:%s", ruling->row.id.text);
    jd_format(audit->before, sizeof(audit->before), "%s", ruling->before.result);
    jd_format(audit->after, sizeof(audit->after), "%s", ruling->row.result);
    jd_format(audit->reason, sizeof(audit->reason), "%.*s", JD_PRINT(reason));
}

bool net_ruling_result(JdStr text, uint8_t halves[2]) {
    static const struct {
        const char *text;
        uint8_t halves[2];
    } results[] = {
        { "1-0", { 2, 0 } }, { "0-1", { 0, 2 } }, { "1/2-1/2", { 1, 1 } }, { "0-0", { 0, 0 } }
    };
    for (size_t i = 0; i < JD_COUNT(results); i++) {
        if (!jd_str_equal(text, jd_str(results[i].text)))
            continue;
        memcpy(halves, results[i].halves, sizeof(results[i].halves));
        return true;
    }
    return false;
}

bool net_ruling_reason(JdStr reason, JdErr *err) {
    size_t bad = 0;
    if (reason.size == 0 || reason.size > LAWS_EVENT_TEXT_MAX)
        return jd_fail(err, 1, 0, "the reason has %zu bytes, expected 1 to %d", reason.size,
                       LAWS_EVENT_TEXT_MAX);
    return jd_utf8_valid(reason, &bad) || jd_fail(err, 1, bad, "the reason is not UTF-8");
}

bool net_rule_begin(NetServer *server, NetRule *rule) {
    rule->holds = !server->ruling && !server->stop;
    if (!rule->holds) {
        rule->code = "conflict";
        (void)jd_fail(&rule->err, 1, 0, "another result is being corrected; try again");
        return false;
    }
    server->ruling = true;
    return true;
}

static void refuse(NetRule *rule, const char *code) {
    rule->code = code;
}

// Why no ruling can be made, as a code of the wire.
static const char *code_of(const NetRuling *ruling) {
    if (ruling->before.created_ms == 0)
        return "not_found";
    return "conflict"; // it runs, or ended without a result
}

void net_rule_read(NetRule *rule, NetWorkerKit *kit) {
    NetRuling ruling;
    const JdStr reason = jd_str(rule->reason);
    if (!net_record_overrule(kit, &rule->game, rule->halves, reason, rule->now, &ruling,
                             &rule->err)) {
        refuse(rule, code_of(&ruling));
    } else if (strcmp(ruling.before.result, ruling.row.result) == 0) {
        (void)jd_fail(&rule->err, 1, 0, "game %s has the result %s already", rule->game.text,
                      ruling.row.result);
        refuse(rule, "conflict");
    } else {
        net_ruling_work(&ruling, rule->actor, reason, rule->now, rule->work);
        JD_ASSERT(ruling.event.body.size <= sizeof(rule->body));
        memcpy(rule->body, ruling.event.body.data, ruling.event.body.size);
        rule->work[0].event.body = jd_str_n((const char *)rule->body, ruling.event.body.size);
        rule->entry = (LiveLogEvent) {
            .id = rule->game,
            .seq = ruling.event.seq,
            .at = { ruling.event.time_ms },
            .actor = ruling.event.actor,
            .kind = (uint8_t)ruling.event.kind,
            .body = rule->body,
            .body_size = ruling.event.body.size,
        };
        rule->players[CHESS_WHITE] = ruling.row.white;
        rule->players[CHESS_BLACK] = ruling.row.black;
        rule->rated = ruling.row.rated != 0;
        memcpy(rule->before, ruling.before.result, sizeof(rule->before));
        memcpy(rule->after, ruling.row.result, sizeof(rule->after));
    }
    net_ruling_free(&ruling);
}

void net_rule_submit(NetServer *server, NetRule *rule) {
    if (rule->code != NULL)
        return;
    if (!net_shell_ready(&server->shell) ||
        store_submit(server->store, rule->work, NET_RULING_WORK) == 0) {
        (void)jd_fail(&rule->err, 1, 0, "the log takes no more events now");
        refuse(rule, "unavailable");
        return;
    }
    rule->submitted = true;
}

void net_rule_keep(NetServer *server, NetRule *rule, NetWorkerKit *kit) {
    char link[sizeof(server->site) + 32];
    PagesFault fault = { 0 };
    if (rule->code != NULL)
        return;
    jd_format(link, sizeof(link), "%s/game/%s", server->site, rule->game.text);
    const PagesCorrection letter = { .players = { rule->players[0], rule->players[1] },
                                     .link = jd_str(link),
                                     .before = jd_str(rule->before),
                                     .after = jd_str(rule->after),
                                     .reason = jd_str(rule->reason) };
    // Its write comes after the ruling's: when it is durable, so is the ruling.
    if (!pages_correction_letters(kit->pages, &letter, rule->now, &fault)) {
        rule->err = fault.err;
        refuse(rule, "internal");
    }
}

void net_rule_end(NetServer *server, NetRule *rule) {
    if (!rule->holds)
        return;
    rule->holds = false;
    server->ruling = false;
    if (!rule->submitted)
        return;
    net_shell_overruled(&server->shell, &rule->entry, rule->players);
    if (rule->rated)
        net_ratings_wake(server);
}
