// SPDX-License-Identifier: GPL-3.0-or-later
//
// Three nodes under which everything is pulled away, round after round: killed, stopped, stopped
// for a moment, sent away, started again under the same name at once, and the server with them.
// Each writes events as fast as it may and says which are durable. Somebody who knows nothing of
// the store looks on: a trigger of the database checks who owns what at every event, and at the end
// every event that was acknowledged must be in the log, once, in its place. JD_STORM_ROUNDS and
// JD_STORM_SEED.
#include "support.h"

#include <fcntl.h>
#include <libpq-fe.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { NODES = 3, LEASE_MS = 1500, ENTITIES = 40, LENGTH = 30, WAITING = 4096, EXIT_FENCED = 75 };

static int64_t now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

// ---- a node -------------------------------------------------------------------------------------

// What a node says that it was told.
typedef struct Ack {
    char id[STORE_ID_MAX];
    uint32_t seq;
    uint32_t epoch;
    char node;
    char pad[3];
} Ack;

typedef struct Player {
    Store *store;
    char node;
    int acks;
    uint32_t epoch;
    uint64_t random;
    uint32_t made;
    StoreShards owned;
    struct {
        StoreId id;
        uint32_t seq;
    } games[4096];
    size_t game_count;
    struct {
        uint64_t ticket;
        Ack ack;
    } waiting[WAITING]; // a ring
    size_t first, last;
} Player;

static volatile sig_atomic_t is_to_leave;

static void on_term(int number) {
    (void)number;
    is_to_leave = 1;
}

static uint32_t draw(uint64_t *state, uint32_t below) {
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 33) % below;
}

static void take(Player *player) {
    for (StoreTaking *taking; (taking = store_taking_next(player->store)) != NULL;) {
        for (size_t i = 0; i < JD_COUNT(player->owned.bits); i++)
            player->owned.bits[i] |= taking->shards.bits[i];
        for (size_t i = 0; i < taking->count; i++) {
            const StoreEvent *event = &taking->events[i];
            size_t at = 0;
            while (at < player->game_count &&
                   strcmp(player->games[at].id.text, event->id.text) != 0)
                at++;
            if (at == JD_COUNT(player->games))
                _exit(90);
            player->game_count += at == player->game_count;
            player->games[at].id = event->id;
            player->games[at].seq = event->seq;
        }
        store_taking_free(taking);
    }
}

static void drop(Player *player, const StoreShards *shards) {
    for (size_t i = 0; i < JD_COUNT(shards->bits); i++)
        player->owned.bits[i] &= ~shards->bits[i];
    size_t kept = 0;
    for (size_t i = 0; i < player->game_count; i++)
        if (store_shards_has(&player->owned, store_shard_of(&player->games[i].id)))
            player->games[kept++] = player->games[i];
    player->game_count = kept;
}

static uint64_t release(Player *player, const StoreShards *shards, bool leaving) {
    const StoreWork work = { .kind = STORE_SHARDS_RELEASE,
                             .release = { *shards, .at_ms = now_ms(), .leaving = leaving } };
    drop(player, shards);
    return store_submit(player->store, &work, 1);
}

static void make_game(Player *player) {
    StoreId id;
    do {
        char text[STORE_ID_MAX + 1];
        snprintf(text, sizeof text, "%c%04x%06x", player->node, player->epoch & 0xffff,
                 player->made++ & 0xffffff);
        if (!store_id(jd_str(text), &id))
            _exit(91);
    } while (!store_shards_has(&player->owned, store_shard_of(&id)));
    player->games[player->game_count].id = id;
    player->games[player->game_count++].seq = 0;
}

static void append(Player *player, size_t at) {
    char body[64];
    const StoreId id = player->games[at].id;
    const uint32_t seq = ++player->games[at].seq;
    const int size = snprintf(body, sizeof body, "%c %u", player->node, player->epoch);
    const StoreWork work[] = { { .kind = STORE_LOG_EVENT,
                                 .event = { .id = id,
                                            .seq = seq,
                                            .kind = 1,
                                            .time_ms = now_ms(),
                                            .body = jd_str_n(body, (size_t)size) } },
                               { .kind = STORE_GAME_FOLD, .id = id } };
    const uint64_t ticket = store_submit(player->store, work, seq >= LENGTH ? 2 : 1);
    if (ticket == 0)
        return;
    const size_t next = player->last++ % WAITING;
    player->waiting[next].ticket = ticket;
    player->waiting[next].ack = (Ack) { .seq = seq, .epoch = player->epoch, .node = player->node };
    memcpy(player->waiting[next].ack.id, id.text, STORE_ID_MAX);
    if (seq >= LENGTH)
        player->games[at] = player->games[--player->game_count];
}

static void acknowledge(Player *player) {
    const uint64_t durable = store_durable_ticket(player->store);
    for (; player->first < player->last; player->first++) {
        const size_t at = player->first % WAITING;
        if (player->waiting[at].ticket > durable)
            break;
        if (write(player->acks, &player->waiting[at].ack, sizeof(Ack)) != sizeof(Ack))
            _exit(92);
    }
}

static void play_a_turn(Player *player) {
    static StoreClusterView view;
    StoreShards surplus;
    store_cluster_alive(player->store, now_ms());
    take(player);
    store_cluster_view(player->store, &view);
    if (view.fenced)
        _exit(EXIT_FENCED);
    if (view.self < view.count)
        player->epoch = (uint32_t)view.members[view.self].epoch;
    if (store_cluster_surplus(&view, &surplus)) {
        for (size_t i = 0; i < JD_COUNT(surplus.bits); i++)
            surplus.bits[i] &= player->owned.bits[i];
        if (store_shards_count(&surplus) > 0)
            release(player, &surplus, false);
    }
    if (player->epoch == 0)
        return; // the view has not come yet
    if (player->game_count < ENTITIES && store_shards_count(&player->owned) > 0)
        make_game(player);
    for (int i = 0; i < 3 && player->game_count > 0 && player->last - player->first < WAITING; i++)
        append(player, draw(&player->random, (uint32_t)player->game_count));
    acknowledge(player);
}

static int run_node(char **words) {
    static Player player;
    player.node = words[2][0];
    player.random = strtoull(words[3], NULL, 10);
    player.acks = open(words[4], O_WRONLY | O_APPEND | O_CLOEXEC);
    signal(SIGTERM, on_term);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    const StoreConfig config = { .data_dir = words[1],
                                 .database = getenv("JD_STORM_DATABASE"),
                                 .node = words[2],
                                 .lease_ms = LEASE_MS,
                                 .replay_lag = 4000,
                                 .retry_ms = 20 };
    JdErr err = { 0 };
    // The server may be on its way down or up.
    for (int i = 0; player.store == NULL && i < 1200 && is_to_leave == 0; i++)
        if (!store_open(&config, &player.store, &err))
            usleep(100000);
    if (player.store == NULL)
        return is_to_leave ? 0 : (fprintf(stderr, "%s: %s\n", words[2], err.text), 3);
    while (is_to_leave == 0) {
        play_a_turn(&player);
        usleep(4000);
    }
    const StoreShards all = player.owned;
    const uint64_t last = release(&player, &all, true);
    for (int i = 0; i < 12000 && last != 0 && store_durable_ticket(player.store) < last; i++) {
        static StoreClusterView view;
        store_cluster_alive(player.store, now_ms());
        store_cluster_view(player.store, &view);
        if (view.fenced)
            break;
        usleep(5000);
    }
    acknowledge(&player);
    return store_close(player.store, NULL) ? 0 : EXIT_FENCED;
}

// ---- who looks on -------------------------------------------------------------------------------

// The database itself says whose every event is, reckoning the shard by itself.
static const char observer[] =
    "CREATE TABLE violation (what TEXT);"
    "CREATE FUNCTION shard_of(id TEXT) RETURNS BIGINT LANGUAGE plpgsql IMMUTABLE AS $$"
    " DECLARE h NUMERIC := 14695981039346656037; low BIGINT;"
    " BEGIN FOR i IN 1 .. length(id) LOOP"
    "  low := (h % 256)::bigint; h := h - low + (low # ascii(substr(id, i, 1)));"
    "  h := (h * 1099511628211) % 18446744073709551616;"
    " END LOOP; RETURN (h % 4096)::bigint; END $$;"
    "CREATE FUNCTION check_owner() RETURNS trigger LANGUAGE plpgsql AS $$"
    " BEGIN IF NOT EXISTS (SELECT 1 FROM shard AS s JOIN node AS n ON n.name = s.node"
    "  WHERE s.shard = shard_of(NEW.game) AND n.name || ' ' || n.epoch ="
    "  convert_from(NEW.body, 'UTF8')) THEN INSERT INTO violation VALUES (NEW.game || ' ' ||"
    "  NEW.seq || ' by ' || convert_from(NEW.body, 'UTF8')); END IF; RETURN NEW; END $$;"
    "CREATE TRIGGER check_owner BEFORE INSERT ON game_event FOR EACH ROW EXECUTE FUNCTION"
    " check_owner()";

static void server_run(const TestDir *dir, const char *sql) {
    PGconn *conn = PQconnectdb(test_database(dir->path));
    PGresult *result = PQexec(conn, sql);
    const ExecStatusType status = PQresultStatus(result);
    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK)
        fail_msg("%.60s: %s", sql, PQerrorMessage(conn));
    PQclear(result);
    PQfinish(conn);
}

static int64_t ask(const TestDir *dir, const char *sql) {
    return strtoll(test_database_text(dir->path, sql), NULL, 10);
}

// Each acknowledged event is there, once, as its node wrote it.
static int64_t check_acks(const TestDir *dir, const char *path) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    PGconn *conn = PQconnectdb(test_database(dir->path));
    PGresult *result =
        PQexec(conn, "CREATE TABLE ack (game TEXT, seq BIGINT, body BYTEA); COPY ack FROM STDIN");
    assert_int_equal(PQresultStatus(result), PGRES_COPY_IN);
    PQclear(result);
    int64_t count = 0;
    for (Ack ack; fread(&ack, sizeof ack, 1, file) == 1; count++) {
        char line[100];
        const int size =
            snprintf(line, sizeof line, "%.12s\t%u\t%c %u\n", ack.id, ack.seq, ack.node, ack.epoch);
        assert_int_equal(PQputCopyData(conn, line, size), 1);
    }
    assert_int_equal(PQputCopyEnd(conn, NULL), 1);
    while ((result = PQgetResult(conn)) != NULL) {
        assert_int_equal(PQresultStatus(result), PGRES_COMMAND_OK);
        PQclear(result);
    }
    PQfinish(conn);
    fclose(file);
    assert_int_equal(ask(dir, "SELECT count(*) FROM ack AS a WHERE (SELECT count(*) FROM game_event"
                              " AS e WHERE e.game = a.game AND e.seq = a.seq AND e.body = a.body)"
                              " <> 1"),
                     0);
    return count;
}

static void check_log(const TestDir *dir) {
    server_run(dir, "CREATE INDEX by_game ON game_event (game, seq)");
    const char *wrong = test_database_text(dir->path, "SELECT coalesce(string_agg(what, ', '), '')"
                                                      " FROM (SELECT what FROM violation LIMIT 5)"
                                                      " AS found");
    assert_string_equal(wrong, "");
    // From 1 on without a gap, none twice, in the order of their arrival.
    assert_int_equal(ask(dir, "SELECT count(*) FROM (SELECT seq, row_number() OVER (PARTITION BY"
                              " game ORDER BY arrival) AS place FROM game_event) AS e"
                              " WHERE seq <> place"),
                     0);
    // What was finished has a record of its length, and nothing else has one that says so.
    char sql[400];
    snprintf(sql, sizeof sql,
             "SELECT count(*) FROM game_record AS r FULL JOIN (SELECT game, count(*) AS n FROM"
             " game_event GROUP BY game HAVING count(*) >= %d) AS l ON l.game = r.game"
             " WHERE coalesce(r.ended, 1) = 1 AND r.events IS DISTINCT FROM l.n",
             LENGTH);
    assert_int_equal(ask(dir, sql), 0);
}

// The store reads it all back.
static bool count_event(void *count, const StoreEvent *event) {
    (void)event;
    ++*(int64_t *)count;
    return true;
}

static void check_store(const TestDir *dir) {
    Store *store = open_store(dir, NULL, NULL);
    StoreDb *db = NULL;
    int64_t count = 0;
    JdErr err = { 0 };
    assert_true(store_reader_open(store, &db, &err));
    if (!store_entities_each(db, count_event, &count, &err))
        fail_msg("%s", err.text);
    assert_int_equal(count, ask(dir, "SELECT count(*) FROM game_event"));
    store_reader_close(db);
    close_store(store);
}

// ---- the storm ----------------------------------------------------------------------------------

typedef struct Storm {
    const TestDir *dir;
    char acks[128];
    uint64_t random;
    pid_t pids[NODES];
} Storm;

static void start(Storm *storm, int node) {
    char seed[24];
    snprintf(seed, sizeof seed, "%u", draw(&storm->random, 1000000));
    const pid_t pid = fork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        execl("/proc/self/exe", "test_store_storm", storm->dir->path,
              (char[]) { (char)('a' + node), '\0' }, seed, storm->acks, (char *)NULL);
        _exit(99);
    }
    storm->pids[node] = pid;
}

// How it ended: its exit status, or 1000 and the signal.
static int wait_for(Storm *storm, int node) {
    int status = 0;
    assert_int_equal(waitpid(storm->pids[node], &status, 0), storm->pids[node]);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

static void must_be(int found, int expected) {
    if (found != expected && found != EXIT_FENCED) // a busy machine may be too slow for a lease
        fail_msg("a node ended with %d, expected %d", found, expected);
}

static int64_t acks_written(const Storm *storm) {
    struct stat file;
    assert_int_equal(stat(storm->acks, &file), 0);
    return (int64_t)file.st_size / (int64_t)sizeof(Ack);
}

static void restart_server(void) {
    char command[512];
    const char *as =
        geteuid() == 0 ? "setpriv --reuid postgres --regid postgres --init-groups" : "";
    snprintf(command, sizeof command,
             "cd / && %s %s/pg_ctl -D %s -m immediate -s -w -l /dev/null restart", as,
             getenv("JADOUBE_TEST_POSTGRES_BIN"), getenv("JADOUBE_TEST_POSTGRES_DATA"));
    assert_int_equal(system(command), 0);
}

// Those that ended by themselves, because they were fenced, are started again, as systemd would.
static void start_the_fenced(Storm *storm) {
    for (int i = 0; i < NODES; i++) {
        int status = 0;
        if (waitpid(storm->pids[i], &status, WNOHANG) != storm->pids[i])
            continue;
        if (!WIFEXITED(status) || WEXITSTATUS(status) != EXIT_FENCED)
            fail_msg("node %c ended by itself: %d", 'a' + i, status);
        start(storm, i);
    }
}

static void strike(Storm *storm, int round) {
    const int node = (int)draw(&storm->random, NODES);
    const pid_t pid = storm->pids[node];
    switch (round % 7) {
    case 0: // dead, and back after the others have taken over
        kill(pid, SIGKILL);
        must_be(wait_for(storm, node), 1000 + SIGKILL);
        usleep((LEASE_MS + draw(&storm->random, 800)) * 1000);
        start(storm, node);
        break;
    case 1: // stopped for longer than its lease: whatever it has in hand is refused
        kill(pid, SIGSTOP);
        usleep((LEASE_MS * 2 + draw(&storm->random, 1000)) * 1000);
        kill(pid, SIGCONT);
        break;
    case 2: // sent away
        kill(pid, SIGTERM);
        must_be(wait_for(storm, node), 0);
        start(storm, node);
        break;
    case 3: // back under its name before anybody noticed
        kill(pid, SIGKILL);
        must_be(wait_for(storm, node), 1000 + SIGKILL);
        start(storm, node);
        break;
    case 4: // a moment's absence
        kill(pid, SIGSTOP);
        usleep(draw(&storm->random, LEASE_MS / 2) * 1000);
        kill(pid, SIGCONT);
        break;
    case 5: { // two of three at once
        const int other = (node + 1) % NODES;
        kill(pid, SIGKILL);
        kill(storm->pids[other], SIGSTOP);
        must_be(wait_for(storm, node), 1000 + SIGKILL);
        usleep((LEASE_MS + draw(&storm->random, 1500)) * 1000);
        kill(storm->pids[other], SIGCONT);
        start(storm, node);
        break;
    }
    default: // the server, with whatever they have in hand
        restart_server();
        break;
    }
}

static int number_of(const char *name, int otherwise) {
    return getenv(name) != NULL ? (int)strtol(getenv(name), NULL, 10) : otherwise;
}

static void test_storm(void **state) {
    (void)state;
    sigset_t term; // inherited by the nodes, until they have a handler
    sigemptyset(&term);
    sigaddset(&term, SIGTERM);
    sigprocmask(SIG_BLOCK, &term, NULL);
    const int rounds = number_of("JD_STORM_ROUNDS", 35);
    const TestDir dir = test_dir();
    Storm storm = { .dir = &dir, .random = (uint64_t)number_of("JD_STORM_SEED", 1) };
    print_message("seed %d, %d rounds\n", number_of("JD_STORM_SEED", 1), rounds);
    close_store(open_store(&dir, NULL, NULL));
    setenv("JD_STORM_DATABASE", test_database(dir.path), 1);
    server_run(&dir, observer);
    test_path(&dir, "acks", storm.acks);
    file_write(storm.acks, "", 0);
    for (int i = 0; i < NODES; i++)
        start(&storm, i);
    for (int round = 0; round < rounds; round++) {
        const int64_t before = acks_written(&storm);
        strike(&storm, round);
        usleep(300000 + draw(&storm.random, 500) * 1000);
        const int64_t until = now_ms() + 120000;
        while (acks_written(&storm) < before + 20 && now_ms() < until) {
            start_the_fenced(&storm);
            usleep(50000);
        }
        start_the_fenced(&storm);
        if (acks_written(&storm) < before + 20)
            fail_msg("round %d: play does not go on", round);
    }
    for (int i = 0; i < NODES; i++)
        kill(storm.pids[i], SIGTERM);
    for (int i = 0; i < NODES; i++)
        must_be(wait_for(&storm, i), 0);
    check_log(&dir);
    const int64_t acks = check_acks(&dir, storm.acks);
    print_message("%lld acknowledged, %lld in the log, %lld changes of owner\n", (long long)acks,
                  (long long)ask(&dir, "SELECT count(*) FROM game_event"),
                  (long long)ask(&dir, "SELECT sum(epoch) FROM shard"));
    assert_true(acks >= rounds * 20);
    server_run(&dir, "DROP TRIGGER check_owner ON game_event");
    check_store(&dir);
    test_dir_remove(&dir);
}

int main(int count, char **words) {
    if (count == 5)
        _exit(run_node(words));
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_storm) };
    return cmocka_run_group_tests_name("store/storm", tests, NULL, NULL);
}
