// SPDX-License-Identifier: GPL-3.0-or-later
//
// The simulation: SIM_SEED=n runs one seed, SIM_SEEDS=n that many from 1 on, SIM_GAMES=n games
// each.
#include "sim.h"

// ---- chance and the queue -----------------------------------------------------------------------

uint32_t sim_below(Sim *sim, uint32_t below) {
    return jd_random_below(&sim->random, below);
}

bool sim_chance(Sim *sim, uint32_t in_thousand) {
    return sim_below(sim, 1000) < in_thousand;
}

int64_t sim_between(Sim *sim, int64_t least, int64_t most) {
    return least + (int64_t)sim_below(sim, (uint32_t)(most - least + 1));
}

static bool before(const SimEvent *a, const SimEvent *b) {
    return a->at_ms < b->at_ms || (a->at_ms == b->at_ms && a->order < b->order);
}

void sim_at(Sim *sim, int64_t at_ms, SimEvent event) {
    event.at_ms = at_ms;
    event.order = ++sim->order;
    if (sim->queue_count == sim->queue_capacity) {
        sim->queue_capacity = sim->queue_capacity == 0 ? 1024 : sim->queue_capacity * 2;
        sim->queue = realloc(sim->queue, sim->queue_capacity * sizeof(*sim->queue));
    }
    size_t at = sim->queue_count++;
    for (; at > 0 && before(&event, &sim->queue[(at - 1) / 2]); at = (at - 1) / 2)
        sim->queue[at] = sim->queue[(at - 1) / 2];
    sim->queue[at] = event;
}

static SimEvent next_event(Sim *sim) {
    const SimEvent first = sim->queue[0];
    const SimEvent last = sim->queue[--sim->queue_count];
    size_t at = 0;
    for (;;) {
        size_t child = at * 2 + 1;
        if (child >= sim->queue_count)
            break;
        if (child + 1 < sim->queue_count && before(&sim->queue[child + 1], &sim->queue[child]))
            child++;
        if (!before(&sim->queue[child], &last))
            break;
        sim->queue[at] = sim->queue[child];
        at = child;
    }
    if (sim->queue_count > 0)
        sim->queue[at] = last;
    return first;
}

// ---- running ------------------------------------------------------------------------------------

static void free_event(SimEvent *event) {
    if (event->mail != NULL)
        free(event->mail->moves);
    free(event->mail);
    free(event->command);
}

static void happen(Sim *sim, SimEvent *event) {
    switch (event->kind) {
    case SIM_COMMAND:
        server_receive(sim, event->command);
        event->command = NULL; // the server's now
        break;
    case SIM_DELIVERY:
        player_mail(sim, event->player, event->mail);
        break;
    case SIM_THINK:
        player_think(sim, event->player);
        break;
    case SIM_COMMITTED:
        server_committed(sim, event->serial);
        break;
    case SIM_HEARTBEAT:
        server_heartbeat(sim, event->serial);
        break;
    case SIM_DEADLINE:
        server_deadline(sim, event->serial);
        break;
    case SIM_KILL:
        server_kill(sim);
        sim_at(sim,
               sim->now_ms + (sim->slow ? sim_between(sim, 600000, 60 * 3600000)
                                        : sim_between(sim, 1000, 40000)),
               (SimEvent) { .kind = SIM_KILL });
        break;
    case SIM_RESTART:
        server_start(sim);
        break;
    case SIM_SCAN:
        server_scan(sim);
        break;
    }
    free_event(event);
}

static Sim *sim_open(uint64_t seed, bool slow) {
    Sim *sim = calloc(1, sizeof(*sim));
    sim->seed = seed;
    sim->random = jd_mix(seed);
    sim->slow = slow;
    sim->now_ms = SIM_BASE_MS;
    for (int i = 0; i < SIM_PLAYERS; i++) {
        Player *p = &sim->players[i];
        p->account = i < SIM_PLAYERS - SIM_SPECTATORS ? i + 1 : 0;
        snprintf(p->nick, sizeof p->nick, "p%d", i + 1);
        p->lazy = sim_chance(sim, 150);
        p->restless = sim_chance(sim, 300);
        sim_at(sim, sim->now_ms + sim_between(sim, 0, 3000),
               (SimEvent) { .kind = SIM_THINK, .player = i });
    }
    server_start(sim);
    if (slow)
        sim_at(sim, sim->now_ms, (SimEvent) { .kind = SIM_SCAN });
    sim_at(sim, sim->now_ms + sim_between(sim, 1000, 60000), (SimEvent) { .kind = SIM_KILL });
    return sim;
}

static void sim_close(Sim *sim) {
    server_stop(sim);
    while (sim->queue_count > 0)
        free_event(&sim->queue[--sim->queue_count]);
    free(sim->queue);
    ledger_free(sim);
    free(sim);
}

static bool all_ended(const Sim *sim) {
    for (size_t i = 0; i < sim->ledger.game_count; i++)
        if (!sim->ledger.games[i]->durable_end)
            return false;
    return true;
}

// Games that nobody looks after any more end by the clock; those by days are left.
static bool only_slow_left(const Sim *sim) {
    for (size_t i = 0; i < sim->ledger.game_count; i++)
        if (!sim->ledger.games[i]->durable_end && !sim->ledger.games[i]->slow)
            return false;
    return true;
}

static void print_figures(const Sim *sim) {
    const Ledger *ledger = &sim->ledger;
    size_t direct = 0;
    for (size_t i = 0; i < ledger->challenge_count; i++)
        direct += ledger->challenges[i].to != 0;
    print_message("seed %llu: %zu games, %zu direct challenges, %zu moves, %zu steps, %zu kills, "
                  "%zu stalls, %zu questions, %.1f h:",
                  (unsigned long long)sim->seed, ledger->ended, direct, ledger->moves,
                  sim->server.steps, sim->server.kills, sim->server.stalls, sim->server.questions,
                  (double)(sim->now_ms - SIM_BASE_MS) / 3600000);
    for (size_t i = 0; i < JD_COUNT(ledger->reasons); i++)
        if (ledger->reasons[i] > 0)
            print_message(" %s %zu", laws_reason_name((LawsReason)i), ledger->reasons[i]);
    if (sim->slow)
        print_message(", %zu times asleep, %zu awake", sim->server.falls_asleep, sim->server.wakes);
    print_message("\n");
}

static void run_seed(uint64_t seed, size_t games, bool slow) {
    Sim *sim = sim_open(seed, slow);
    const int64_t most_ms = (slow ? INT64_C(400) * 24 : INT64_C(48)) * 3600000;
    while (!sim->closing || !(all_ended(sim) || (!slow && only_slow_left(sim)))) {
        SimEvent event = next_event(sim);
        sim->now_ms = event.at_ms;
        happen(sim, &event);
        if (sim->ledger.ended >= games)
            sim->closing = true;
        if (sim->now_ms > SIM_BASE_MS + most_ms)
            SIM_FAIL(sim, "%zu games do not end", sim->ledger.game_count - sim->ledger.ended);
    }
    if (sim->server.live != NULL)
        ledger_check_all(sim);
    ledger_check_end(sim);
    print_figures(sim);
    sim_close(sim);
}

static size_t number_of(const char *name, size_t otherwise) {
    const char *text = getenv(name);
    return text != NULL ? (size_t)strtoul(text, NULL, 10) : otherwise;
}

static void test_simulation(void **state) {
    (void)state;
    const size_t games = number_of("SIM_GAMES", 400);
    const size_t one = number_of("SIM_SEED", 0);
    if (one > 0) {
        run_seed(one, games, false);
        return;
    }
    const size_t seeds = number_of("SIM_SEEDS", 3);
    for (size_t seed = 1; seed <= seeds; seed++)
        run_seed(seed, games, false);
}

// S-097, S-099: weeks of games by days, asleep most of the time, under crashes in every phase and
// outages of hours.
static void test_slow_club(void **state) {
    (void)state;
    const size_t one = number_of("SIM_SEED", 0);
    const size_t seeds = one > 0 ? 1 : number_of("SIM_SEEDS", 3);
    for (size_t i = 1; i <= seeds; i++)
        run_seed(one > 0 ? one : i, number_of("SIM_SLOW_GAMES", 80), true);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_simulation),
                                        cmocka_unit_test(test_slow_club) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
