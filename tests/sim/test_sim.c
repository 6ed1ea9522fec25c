// SPDX-License-Identifier: GPL-3.0-or-later
//
// test_sim                    the seeds and planted faults of ./dev test
// test_sim 1-1000000          those seeds
// test_sim 17 [--trace]       one, perhaps with everything that happens
// test_sim 17 --keep 3,8-11   only these actions of its plan
// test_sim 1-500 --fault NAME with a planted fault (--faults lists them)
//
// Each run is a process of its own, so that a failed assertion, too, is a finding; the world stands
// in memory that is shared with whoever started it. A seed that fails is shrunk: actions are left
// out as long as it goes on failing.
#include "sim.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef SIM_SEEDS
#define SIM_SEEDS 5000 // of ./dev test
#endif
#define FAULT_SEEDS 1500 // within so many each planted fault is found
// Of the processor: a busy machine has its time.
#define RUN_SECONDS_MAX 30 // of one seed: else it hangs
#define SHRINK_SECONDS_MAX 60

typedef struct World {
    Sim sim;
    Plan plan;
    uint64_t seed;
    uint64_t runs;
    char message[512];
    size_t count[19]; // sums
} World;

static World *world;
static const char hangs[] = "it does not end";

void sim_fail(const Sim *s, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(world->message, sizeof world->message, format, arguments);
    va_end(arguments);
    if (s->trace)
        printf("%10.3f FAILED: %s\n", (double)(s->now_ms - SIM_BASE_MS) / 1000, world->message);
    fflush(stdout);
    _exit(1);
}

// ---- running in a child -------------------------------------------------------------------------

static const char *const counted[19] = {
    "games",       "moves",     "ends",     "flags",       "commits",    "nodes gone",
    "depositions", "adoptions", "releases", "gaps",        "lost",       "time-outs",
    "asleep",      "awake",     "stalls",   "unavailable", "lines said", "moves in advance",
    "touches",
};

static void add_up(const Sim *s) {
    const size_t sums[19] = {
        s->count.games,    s->count.moves,    s->count.ends,    s->count.flags,
        s->count.commits,  s->count.kills,    s->count.fences,  s->count.adoptions,
        s->count.releases, s->count.gaps,     s->count.lost,    s->count.timeouts,
        s->count.sleeps,   s->count.wakes,    s->count.stalls,  s->count.unavailable,
        s->count.lines,    s->count.premoves, s->count.touches,
    };
    for (size_t i = 0; i < JD_COUNT(sums); i++)
        world->count[i] += sums[i];
    world->runs++;
}

static void limit(time_t seconds) {
    setitimer(ITIMER_PROF, &(struct itimerval) { .it_value.tv_sec = seconds }, NULL);
}

static void run_here(uint64_t first, uint64_t last, Mutant mutant) {
    for (uint64_t seed = first; seed <= last; seed++) {
        world->seed = seed;
        limit(RUN_SECONDS_MAX);
        plan_make(seed, &world->plan);
        sim_run(&world->sim, &world->plan, mutant, false);
        add_up(&world->sim);
    }
}

static bool wait_for(pid_t child) {
    int status = 0;
    while (waitpid(child, &status, 0) < 0)
        ;
    if (WIFSIGNALED(status) && world->message[0] == '\0')
        snprintf(world->message, sizeof world->message, "%s",
                 WTERMSIG(status) == SIGPROF   ? hangs
                 : WTERMSIG(status) == SIGABRT ? "an assertion failed"
                                               : "the process died");
    else if (WIFEXITED(status) && WEXITSTATUS(status) != 0 && world->message[0] == '\0')
        snprintf(world->message, sizeof world->message, "a sanitizer found something");
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// False: world->seed failed, at world->sim.step, with world->message.
static bool run_range(uint64_t first, uint64_t last, Mutant mutant) {
    world->message[0] = '\0';
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        run_here(first, last, mutant);
        _exit(0);
    }
    return wait_for(child);
}

static bool run_plan(const Plan *plan, Mutant mutant, bool trace, bool quiet) {
    world->message[0] = '\0';
    world->plan = *plan;
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        limit(quiet ? 5 : RUN_SECONDS_MAX);
        if (quiet && freopen("/dev/null", "w", stderr) == NULL)
            _exit(2);
        sim_run(&world->sim, &world->plan, mutant, trace);
        fflush(stdout);
        _exit(0);
    }
    return wait_for(child);
}

// ---- shrinking ----------------------------------------------------------------------------------

typedef struct Kept {
    size_t count;
    size_t index[SIM_ACTIONS];
} Kept;

static Plan plan_of(uint64_t seed, const Kept *kept) {
    static Plan whole;
    plan_make(seed, &whole);
    Plan plan = whole;
    plan.count = kept->count;
    for (size_t i = 0; i < kept->count; i++)
        plan.actions[i] = whole.actions[kept->index[i]];
    return plan;
}

static bool still_fails(uint64_t seed, const Kept *kept, Mutant mutant) {
    const Plan plan = plan_of(seed, kept);
    return !run_plan(&plan, mutant, false, true) && strcmp(world->message, hangs) != 0;
}

// What all children took together.
static time_t children_seconds(void) {
    struct rusage use;
    getrusage(RUSAGE_CHILDREN, &use);
    return use.ru_utime.tv_sec + use.ru_stime.tv_sec;
}

// Leaves out pieces, large ones first, down to single actions.
static void shrink(uint64_t seed, Mutant mutant, Kept *kept) {
    const time_t until = children_seconds() + SHRINK_SECONDS_MAX;
    for (size_t piece = kept->count / 2; piece > 0 && children_seconds() < until;) {
        bool smaller = false;
        for (size_t at = 0; at < kept->count && children_seconds() < until;) {
            Kept less = { 0 };
            for (size_t i = 0; i < kept->count; i++)
                if (i < at || i >= at + piece)
                    less.index[less.count++] = kept->index[i];
            if (still_fails(seed, &less, mutant)) {
                *kept = less;
                smaller = true;
            } else {
                at += piece;
            }
        }
        if (!smaller || piece > kept->count)
            piece = piece > kept->count ? kept->count / 2 : piece / 2;
    }
}

static void print_kept(uint64_t seed, Mutant mutant, const Kept *kept) {
    const Plan plan = plan_of(seed, kept);
    for (size_t i = 0; i < plan.count; i++)
        print_message("  %9.3f s  %s %d\n", (double)plan.actions[i].at_ms / 1000,
                      action_name(plan.actions[i].kind), plan.actions[i].who);
    print_message("  again: test_sim %llu", (unsigned long long)seed);
    if (mutant != MUTANT_NONE)
        print_message(" --fault %s", mutant_name(mutant));
    print_message(" --trace --keep ");
    for (size_t i = 0; i < kept->count; i++)
        print_message("%s%zu", i == 0 ? "" : ",", kept->index[i]);
    print_message("\n");
}

static void report(uint64_t seed, Mutant mutant) {
    print_message("seed %llu fails at step %llu, %.3f s: %s\n", (unsigned long long)seed,
                  (unsigned long long)world->sim.step,
                  (double)(world->sim.now_ms - SIM_BASE_MS) / 1000, world->message);
    Kept kept = { 0 };
    plan_make(seed, &world->plan);
    for (kept.count = 0; kept.count < world->plan.count; kept.count++)
        kept.index[kept.count] = kept.count;
    const size_t before = kept.count;
    shrink(seed, mutant, &kept);
    const bool ok = !still_fails(seed, &kept, mutant);
    print_message("shrunk from %zu actions to %zu%s: step %llu, %s\n", before, kept.count,
                  ok ? " (and it does not fail any more)" : "", (unsigned long long)world->sim.step,
                  world->message);
    print_kept(seed, mutant, &kept);
}

// ---- the tests ----------------------------------------------------------------------------------

static bool run_seeds(uint64_t first, uint64_t last, Mutant mutant) {
    memset(world->count, 0, sizeof world->count);
    world->runs = 0;
    if (!run_range(first, last, mutant)) {
        report(world->seed, mutant);
        return false;
    }
    print_message("%llu seeds:", (unsigned long long)world->runs);
    for (size_t i = 0; i < JD_COUNT(counted); i++)
        print_message(" %s %zu%s", counted[i], world->count[i],
                      i + 1 < JD_COUNT(counted) ? "," : "\n");
    return true;
}

static void test_seeds(void **state) {
    (void)state;
    assert_true(run_seeds(1, SIM_SEEDS, MUTANT_NONE));
    for (size_t i = 0; i < JD_COUNT(counted) && SIM_SEEDS >= 1000; i++)
        if (world->count[i] < 100)
            fail_msg("hardly any %s: the seeds are too tame", counted[i]);
}

// A failing seed fails again at the same step with the same words.
static void test_replays(void **state) {
    (void)state;
    assert_false(run_range(1, FAULT_SEEDS, MUTANT_PUBLISH_FIRST));
    const uint64_t seed = world->seed;
    const uint64_t step = world->sim.step;
    char message[sizeof world->message];
    memcpy(message, world->message, sizeof message);
    assert_false(run_range(seed, seed, MUTANT_PUBLISH_FIRST));
    assert_int_equal(world->sim.step, step);
    assert_string_equal(world->message, message);
}

// Each planted fault is found by some seed; the first one is shrunk.
static void test_planted_faults(void **state) {
    (void)state;
    if (SIM_SEEDS < 1000)
        skip(); // it says nothing about our code, and takes long under a sanitizer
    for (int i = MUTANT_NONE + 1; i < MUTANTS; i++) {
        if (run_range(1, FAULT_SEEDS, (Mutant)i))
            fail_msg("%s: no seed up to %d finds it", mutant_name((Mutant)i), FAULT_SEEDS);
        print_message("%-16s seed %3llu: %s\n", mutant_name((Mutant)i),
                      (unsigned long long)world->seed, world->message);
    }
}

static void test_shrinks(void **state) {
    (void)state;
    assert_false(run_range(1, FAULT_SEEDS, MUTANT_PUBLISH_FIRST));
    const uint64_t seed = world->seed;
    Kept kept = { 0 };
    plan_make(seed, &world->plan);
    for (kept.count = 0; kept.count < world->plan.count; kept.count++)
        kept.index[kept.count] = kept.count;
    const size_t before = kept.count;
    shrink(seed, MUTANT_PUBLISH_FIRST, &kept);
    print_message("%zu actions shrunk to %zu\n", before, kept.count);
    assert_true(kept.count <= 4);
    assert_true(still_fails(seed, &kept, MUTANT_PUBLISH_FIRST));
}

// ---- by hand ------------------------------------------------------------------------------------

static bool read_kept(const char *text, Kept *out) {
    *out = (Kept) { 0 };
    while (*text != '\0') {
        char *end;
        const size_t first = strtoul(text, &end, 10);
        const size_t last = *end == '-' ? strtoul(end + 1, &end, 10) : first;
        for (size_t i = first; i <= last && out->count < SIM_ACTIONS; i++)
            out->index[out->count++] = i;
        if (*end != ',' && *end != '\0')
            return false;
        text = *end == ',' ? end + 1 : end;
    }
    return true;
}

static int by_hand(int argc, char **argv) {
    const char *keep = NULL;
    bool trace = false;
    Mutant mutant = MUTANT_NONE;
    char *end;
    const uint64_t first = strtoull(argv[1], &end, 10);
    const uint64_t last = *end == '-' ? strtoull(end + 1, &end, 10) : first;
    for (int i = 2; i < argc; i++) {
        if (strcmp(argv[i], "--trace") == 0)
            trace = true;
        else if (strcmp(argv[i], "--keep") == 0 && i + 1 < argc)
            keep = argv[++i];
        else if (strcmp(argv[i], "--fault") == 0 && i + 1 < argc)
            for (i++, mutant = (Mutant)1; mutant < MUTANTS; mutant = (Mutant)(mutant + 1))
                if (strcmp(mutant_name(mutant), argv[i]) == 0)
                    break;
    }
    if (first == 0 || last < first || mutant == MUTANTS) {
        fprintf(stderr, "test_sim [FIRST-LAST] [--fault NAME] [--trace] [--keep N,N-N]\n");
        return 2;
    }
    if (!trace && keep == NULL)
        return run_seeds(first, last, mutant) ? 0 : 1;
    Kept kept = { 0 };
    plan_make(first, &world->plan);
    for (kept.count = 0; kept.count < world->plan.count; kept.count++)
        kept.index[kept.count] = kept.count;
    if (keep != NULL && !read_kept(keep, &kept))
        return 2;
    const Plan plan = plan_of(first, &kept);
    const bool ok = run_plan(&plan, mutant, trace, false);
    printf("%s\n", ok ? "it holds" : world->message);
    return ok ? 0 : 1;
}

int main(int argc, char **argv) {
    world = mmap(NULL, sizeof(*world), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (world == MAP_FAILED)
        return 1;
    if (argc > 1 && strcmp(argv[1], "--faults") == 0) {
        for (int i = 1; i < MUTANTS; i++)
            printf("%s\n", mutant_name((Mutant)i));
        return 0;
    }
    if (argc > 1)
        return by_hand(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_seeds),
        cmocka_unit_test(test_replays),
        cmocka_unit_test(test_shrinks),
        cmocka_unit_test(test_planted_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
