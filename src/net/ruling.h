// SPDX-License-Identifier: GPL-3.0-or-later
//
// Another result for a finished game while the site runs (S-104). Five steps, by turns on the loop
// and on a worker; one ruling at a time, so that what was read of the game's log is still its end
// when the ruling is added to it.
#ifndef JADOUBE_NET_RULING_H
#define JADOUBE_NET_RULING_H

#include <jadoube/base.h>

#include "live/live.h"
#include "net/workers.h"

struct NetServer;
struct NetRuling;

// What was ruled, ready for the log: the event, the game's row, a line in the audit log.
#define NET_RULING_WORK 3
void net_ruling_work(const struct NetRuling *ruling, int64_t actor, JdStr reason, JdInstant now,
                     StoreWork work[NET_RULING_WORK]);
// The half-points of "1-0", "0-1", "1/2-1/2", "0-0"; false: no result that can be set.
JD_MUST_USE bool net_ruling_result(JdStr text, uint8_t halves[2]);
// UTF-8 of 1 to LAWS_EVENT_TEXT_MAX bytes.
JD_MUST_USE bool net_ruling_reason(JdStr reason, JdErr *err);

typedef struct NetRule {
    // asked
    int64_t actor; // the administrator; 0: the operator
    LiveId game;
    uint8_t halves[2];
    char reason[LAWS_EVENT_TEXT_MAX + 1];
    JdInstant now;
    // answered
    const char *code; // NULL: it is done; else why not, a code of the wire
    JdErr err;
    char before[8]; // results as texts
    char after[8];
    bool rated;
    // between the steps
    bool holds;     // the server's one ruling is this
    bool submitted; // it will be durable, whatever comes
    int64_t players[2];
    LiveLogEvent entry;
    unsigned char body[LAWS_EVENT_BODY_SIZE];
    StoreWork work[NET_RULING_WORK];
} NetRule;

bool net_rule_begin(struct NetServer *server, NetRule *rule);  // loop; false: another one is made
void net_rule_read(NetRule *rule, NetWorkerKit *kit);          // worker
void net_rule_submit(struct NetServer *server, NetRule *rule); // loop
// Worker: until it is durable; both players are written to.
void net_rule_keep(struct NetServer *server, NetRule *rule, NetWorkerKit *kit);
// Loop, in any case, once net_rule_begin was called: tells the players and has the ratings counted.
void net_rule_end(struct NetServer *server, NetRule *rule);

#endif
