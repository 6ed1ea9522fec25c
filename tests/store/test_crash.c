// SPDX-License-Identifier: GPL-3.0-or-later
//
// SIGKILL in the midst of committing: a child appends as fast as it can and writes down, in a pipe,
// each ticket it was told is durable. It is killed; whatever it wrote down must be in the file.
#include "support.h"

#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

// A child is never far ahead of what is durable, so that the queue is not full when the disk stands
// still, and writes no more than the test can look through.
enum { ROUNDS = 12, GAMES = 8, AHEAD_MAX = 4000, WRITES_MAX = TEST_SEEN_MAX / 4 };

static _Atomic uint64_t durable;

static void tell(void *context, uint64_t ticket, bool ok, const JdErr *err) {
    (void)err;
    if (!ok)
        return;
    if (write(*(int *)context, &ticket, sizeof ticket) != sizeof ticket)
        _exit(1);
    atomic_store(&durable, ticket);
}

// Games 0 to GAMES-1 in turn, without end. The first event's number in a game follows what is
// there.
static void play_for_ever(const TestDir *dir, int pipe_end, const uint32_t next_seq[GAMES]) {
    const StoreConfig config = { .data_dir = dir->path,
                                 .on_durable = tell,
                                 .context = &pipe_end,
                                 .checkpoint_pages = 40,
                                 .replay_lag = 500 };
    Store *store = NULL;
    if (!store_open(&config, &store, NULL))
        _exit(2);
    for (uint32_t round = 0;; round++) {
        uint64_t ticket = 0;
        for (uint32_t n = 0; n < GAMES; n++) {
            char body[TEST_BODY_MAX];
            const StoreWork work = test_event(n, next_seq[n] + round, body);
            ticket = store_submit(store, &work, 1);
            if (ticket == 0)
                _exit(3);
        }
        usleep(round % 8 == 0 ? 300 : 0); // groups of different sizes
        while (ticket >= WRITES_MAX || ticket - atomic_load(&durable) > AHEAD_MAX)
            usleep(1000);
    }
}

// Reads what came through the pipe: the last ticket told. Tickets rise.
static uint64_t last_told(int pipe_end) {
    uint64_t last = 0;
    for (uint64_t ticket; read(pipe_end, &ticket, sizeof ticket) == sizeof ticket; last = ticket)
        assert_true(ticket > last);
    return last;
}

static void test_kill(void **state) {
    (void)state;
    const TestDir dir = test_dir();
    close_store(open_store(&dir, NULL, NULL));
    uint32_t next_seq[GAMES];
    for (int n = 0; n < GAMES; n++)
        next_seq[n] = 1;
    uint64_t before = 0; // events there at the start of the round
    for (int round = 0; round < ROUNDS; round++) {
        int ends[2];
        assert_int_equal(pipe(ends), 0);
        const pid_t child = fork();
        if (child == 0) {
            close(ends[0]);
            play_for_ever(&dir, ends[1], next_seq);
        }
        close(ends[1]);
        // However slow the machine: the kill comes some time after the first word of a commit.
        struct pollfd heard = { .fd = ends[0], .events = POLLIN };
        assert_int_equal(poll(&heard, 1, 30000), 1);
        usleep((useconds_t)(20000 + round * 7919 % 40000));
        kill(child, SIGKILL);
        int status = 0;
        waitpid(child, &status, 0);
        assert_true(WIFSIGNALED(status)); // it did not end by itself
        const uint64_t told = last_told(ends[0]);
        assert_true(told > 0);
        close(ends[0]);

        Store *store = open_store(&dir, NULL, NULL);
        Seen *seen = seen_new();
        JdErr err = { 0 };
        if (!store_replay(store, seen_add, seen, &err))
            fail_msg("round %d: %s", round, err.text);
        close_store(store);
        if (seen->count < before + told)
            fail_msg("round %d: %zu events are left of %llu that were durable", round, seen->count,
                     (unsigned long long)(before + told));
        for (int n = 0; n < GAMES; n++)
            next_seq[n] = 1;
        for (size_t i = 0; i < seen->count;
             i++) { // arrival 1, 2, 3 ...; each game's numbers 1, 2, 3 ...
            assert_int_equal(seen->events[i].arrival, i + 1);
            assert_int_equal(seen->events[i].seq, next_seq[seen->events[i].n]);
            next_seq[seen->events[i].n]++;
        }
        before = seen->count;
        free(seen);
        if (before > TEST_SEEN_MAX / 2)
            break;
    }
    assert_true(before >= ROUNDS || before > TEST_SEEN_MAX / 2); // each round left something behind
    test_dir_remove(&dir);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_kill) };
    return cmocka_run_group_tests_name("store/crash", tests, NULL, NULL);
}
