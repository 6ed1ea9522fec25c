// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a seed asks for. Every action has its own chance, so that leaving one out changes no other.
#include "sim.h"

const char *action_name(ActionKind kind) {
    static const char *const names[ACTION_KINDS] = {
        "think",     "cut off",  "kill",    "terminate",      "freeze",    "cut from the database",
        "cut apart", "bus down", "bad bus", "database crash", "disk full", "disk slow",
        "clock",
    };
    return names[kind];
}

static int64_t fault_span(uint64_t *random, ActionKind kind, const Plan *plan) {
    const int64_t scale = plan->slow ? 600 : 1;
    switch (kind) {
    case ACTION_KILL:
    case ACTION_TERM:
        return scale * sim_between(random, 50, 12000);
    case ACTION_FREEZE:
    case ACTION_CUT_DB:
        return scale * sim_between(random, 200, 12000);
    case ACTION_CUT_BUS:
    case ACTION_BUS_DOWN:
        return scale * sim_between(random, 100, 8000);
    case ACTION_BAD_BUS:
        return scale * sim_between(random, 2000, 15000);
    case ACTION_DB_CRASH:
        return sim_between(random, 50, 6000);
    case ACTION_DISK_FULL:
    case ACTION_DISK_SLOW:
        return sim_between(random, 300, 9000);
    case ACTION_CLOCK:
        return sim_chance(random, 300) ? -sim_between(random, 100, 30000)
                                       : sim_between(random, 100, 30000);
    case ACTION_THINK:
    case ACTION_CUT_OFF:
    case ACTION_KINDS:
        break;
    }
    return 0;
}

static bool of_cluster(ActionKind kind) {
    return kind == ACTION_FREEZE || kind == ACTION_CUT_DB || kind == ACTION_CUT_BUS ||
           kind == ACTION_BUS_DOWN || kind == ACTION_BAD_BUS;
}

static void add(Plan *plan, Action action) {
    if (plan->count == SIM_ACTIONS)
        return;
    size_t at = plan->count++;
    for (; at > 0 && plan->actions[at - 1].at_ms > action.at_ms; at--)
        plan->actions[at] = plan->actions[at - 1];
    plan->actions[at] = action;
}

static void add_fault(Plan *plan, uint64_t *random) {
    Action action = { .at_ms = sim_between(random, 1000, plan->length_ms), .random = 0 };
    do
        action.kind = (ActionKind)sim_between(random, ACTION_KILL, ACTION_CLOCK);
    while (of_cluster(action.kind) && !plan->cluster);
    action.who = (int)sim_between(random, 0, (plan->cluster ? SIM_NODES : 1) - 1);
    action.other = (action.who + (int)sim_between(random, 1, SIM_NODES - 1)) % SIM_NODES;
    action.span_ms = fault_span(random, action.kind, plan);
    action.random = jd_random(random);
    add(plan, action);
}

void plan_make(uint64_t seed, Plan *out) {
    uint64_t random = jd_mix(seed);
    *out = (Plan) { .seed = seed, .cluster = seed % 4 != 0, .slow = sim_chance(&random, 150) };
    out->length_ms =
        out->slow ? sim_between(&random, 2, 6) * 86400000 : sim_between(&random, 20000, 60000);
    const int users = (int)sim_between(&random, 3, SIM_USERS);
    const int64_t thoughts = sim_between(&random, 60, 250);
    for (int64_t i = 0; i < thoughts; i++)
        add(out, (Action) { .at_ms = sim_between(&random, 0, out->length_ms),
                            .kind = ACTION_THINK,
                            .who = (int)sim_between(&random, 0, users - 1),
                            .random = jd_random(&random) });
    const int64_t cuts = sim_between(&random, 0, 6);
    for (int64_t i = 0; i < cuts; i++)
        add(out, (Action) { .at_ms = sim_between(&random, 0, out->length_ms),
                            .kind = ACTION_CUT_OFF,
                            .who = (int)sim_between(&random, 0, users - 1) });
    const int64_t faults = sim_chance(&random, 100) ? 0 : sim_between(&random, 1, 8);
    for (int64_t i = 0; i < faults; i++)
        add_fault(out, &random);
}

const char *mutant_name(Mutant mutant) {
    static const char *const names[MUTANTS] = {
        "none",         "publish-first",   "ack-unsynced",     "torn-step",  "no-fence",
        "commit-twice", "no-credit",       "credit-twice",     "early-sign", "stall-charged",
        "clock-jump",   "late-drop",       "release-first",    "no-gaps",    "double-messages",
        "no-timeout",   "forget-sleepers", "sleepers-charged", "half-taken", "lose-lines",
        "stale-text",
    };
    return names[mutant];
}
