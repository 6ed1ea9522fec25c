// SPDX-License-Identifier: GPL-3.0-or-later
//
// The bus between nodes over a real Redis server, which is killed, stopped and restarted, and
// through a proxy that loses, repeats and mixes up what it hands out. Whatever happens: within a
// link every message comes once and in order, and a loss ends the link at both ends.
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "net/bus.h"

// ---- a Redis server -----------------------------------------------------------------------------

static pid_t redis_pid;
static int redis_port;

static bool takes(int fd, int port) {
    struct sockaddr_in at = { .sin_family = AF_INET,
                              .sin_port = htons((uint16_t)port),
                              .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    return bind(fd, (struct sockaddr *)&at, sizeof(at)) == 0;
}

// A port that stays ours while nothing listens on it: below those of outgoing connections, and a
// socket of datagrams stands on it as long as this process lives, so that other tests that look for
// one in the same way (net/port.mjs) pass by.
static int free_port(void) {
    enum { LOWEST = 10000, HIGHEST = 32000 };
    static uint64_t random = 0;
    random ^= (uint64_t)getpid() ^ uv_hrtime();
    for (int tries = 0; tries < 200; tries++) {
        random = jd_mix(random + 1);
        const int port = LOWEST + (int)(random % (HIGHEST - LOWEST));
        const int keeper = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
        const int probe = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        const bool ours = takes(keeper, port) && takes(probe, port);
        close(probe);
        if (ours)
            return port;
        close(keeper);
    }
    fail_msg("no port is free");
    return 0;
}

static void start_redis(const char *password) {
    char port[16];
    snprintf(port, sizeof(port), "%d", redis_port);
    redis_pid = fork();
    if (redis_pid == 0) {
        (void)!freopen("/dev/null", "w", stdout);
        execlp("redis-server", "redis-server", "--port", port, "--bind", "127.0.0.1", "--save", "",
               "--appendonly", "no", "--requirepass", password, (char *)NULL);
        _exit(127);
    }
    assert_true(redis_pid > 0);
}

static void stop_redis(void) {
    if (redis_pid <= 0)
        return;
    kill(redis_pid, SIGKILL);
    waitpid(redis_pid, NULL, 0);
    redis_pid = 0;
}

// ---- a proxy that spoils things -----------------------------------------------------------------

typedef struct Proxy {
    uv_tcp_t listener;
    int port;
    uint64_t random;
    int lose; // of 1000 published messages
    int repeat;
    int swap;
    uint64_t spoiled;
    uint64_t lost_words; // of those, what one node said to another; the others are beats
} Proxy;

// One connection: to the bus, and on to Redis.
typedef struct Wire {
    Proxy *proxy;
    uv_tcp_t ends[2]; // the bus, Redis
    uv_connect_t connect;
    bool closing;
    int closed;
    char *text; // from Redis, not handed on yet
    size_t size;
    char *held; // a message that will come after the next one
    size_t held_size;
} Wire;

static int draw(Proxy *proxy) {
    proxy->random = jd_mix(proxy->random + 1);
    return (int)(proxy->random % 1000);
}

static void on_wire_closed(uv_handle_t *handle) {
    Wire *wire = handle->data;
    if (++wire->closed < 2)
        return;
    free(wire->text);
    free(wire->held);
    free(wire);
}

static void cut(Wire *wire) {
    if (wire->closing)
        return;
    wire->closing = true;
    for (int i = 0; i < 2; i++)
        uv_close((uv_handle_t *)&wire->ends[i], on_wire_closed);
}

static void on_written(uv_write_t *write, int status) {
    (void)status;
    free(write);
}

static void hand_on(uv_tcp_t *to, const char *bytes, size_t size) {
    char *block = malloc(sizeof(uv_write_t) + size);
    memcpy(block + sizeof(uv_write_t), bytes, size);
    uv_buf_t buf = uv_buf_init(block + sizeof(uv_write_t), (unsigned)size);
    if (uv_write((uv_write_t *)(void *)block, (uv_stream_t *)to, &buf, 1, on_written) != 0)
        free(block);
}

// Bytes of the first whole value of the protocol of Redis; 0: it has not all come.
static size_t value_size(const char *text, size_t size) {
    const char *end = memchr(text, '\n', size);
    if (end == NULL)
        return 0;
    const size_t line = (size_t)(end - text) + 1;
    const int count = text[0] == '$' || text[0] == '*' ? atoi(text + 1) : 0;
    if (text[0] == '$')
        return count < 0 ? line : line + (size_t)count + 2 <= size ? line + (size_t)count + 2 : 0;
    size_t all = line;
    for (int i = 0; i < count; i++) {
        const size_t one = all < size ? value_size(text + all, size - all) : 0;
        if (one == 0)
            return 0;
        all += one;
    }
    return all;
}

static void spoil(Wire *wire, const char *value, size_t size) {
    static const char published[] = "*3\r\n$7\r\nmessage";
    Proxy *proxy = wire->proxy;
    if (size < sizeof(published) || memcmp(value, published, sizeof(published) - 1) != 0) {
        hand_on(&wire->ends[0], value, size);
        return;
    }
    const int chance = draw(proxy);
    if (chance < proxy->lose) {
        proxy->spoiled++;
        proxy->lost_words += memmem(value, size < 80 ? size : 80, ":node:", 6) != NULL;
        return;
    }
    if (chance < proxy->lose + proxy->swap && wire->held == NULL) {
        proxy->spoiled++;
        wire->held = malloc(size);
        memcpy(wire->held, value, size);
        wire->held_size = size;
        return;
    }
    hand_on(&wire->ends[0], value, size);
    if (chance >= 1000 - proxy->repeat) {
        proxy->spoiled++;
        hand_on(&wire->ends[0], value, size);
    }
    if (wire->held != NULL)
        hand_on(&wire->ends[0], wire->held, wire->held_size);
    free(wire->held);
    wire->held = NULL;
}

static void on_space(uv_handle_t *handle, size_t wanted, uv_buf_t *out) {
    (void)handle;
    *out = uv_buf_init(malloc(wanted), (unsigned)wanted);
}

static void on_read(uv_stream_t *stream, ssize_t size, const uv_buf_t *buf) {
    Wire *wire = stream->data;
    if (size < 0) {
        free(buf->base);
        cut(wire);
        return;
    }
    if (stream == (uv_stream_t *)&wire->ends[0]) {
        hand_on(&wire->ends[1], buf->base, (size_t)size);
        free(buf->base);
        return;
    }
    wire->text = realloc(wire->text, wire->size + (size_t)size);
    memcpy(wire->text + wire->size, buf->base, (size_t)size);
    wire->size += (size_t)size;
    free(buf->base);
    size_t at = 0;
    for (size_t one; at < wire->size && (one = value_size(wire->text + at, wire->size - at)) > 0;
         at += one)
        spoil(wire, wire->text + at, one);
    wire->size -= at;
    memmove(wire->text, wire->text + at, wire->size);
}

static void on_through(uv_connect_t *connect, int status) {
    Wire *wire = connect->data;
    if (status != 0) {
        cut(wire);
        return;
    }
    for (int i = 0; i < 2 && !wire->closing; i++)
        uv_read_start((uv_stream_t *)&wire->ends[i], on_space, on_read);
}

static void on_client(uv_stream_t *listener, int status) {
    Proxy *proxy = listener->data;
    Wire *wire = calloc(1, sizeof(*wire));
    struct sockaddr_in at;
    assert_int_equal(status, 0);
    wire->proxy = proxy;
    for (int i = 0; i < 2; i++) {
        uv_tcp_init(listener->loop, &wire->ends[i]);
        wire->ends[i].data = wire;
    }
    wire->connect.data = wire;
    uv_accept(listener, (uv_stream_t *)&wire->ends[0]);
    uv_ip4_addr("127.0.0.1", redis_port, &at);
    uv_tcp_connect(&wire->connect, &wire->ends[1], (const struct sockaddr *)&at, on_through);
}

static void open_proxy(Proxy *proxy, uv_loop_t *loop, uint64_t seed) {
    struct sockaddr_in at;
    *proxy = (Proxy) { .port = free_port(), .random = seed };
    uv_tcp_init(loop, &proxy->listener);
    proxy->listener.data = proxy;
    uv_ip4_addr("127.0.0.1", proxy->port, &at);
    assert_int_equal(uv_tcp_bind(&proxy->listener, (const struct sockaddr *)&at, 0), 0);
    assert_int_equal(uv_listen((uv_stream_t *)&proxy->listener, 16, on_client), 0);
}

// ---- nodes --------------------------------------------------------------------------------------

#define NODES 3

typedef struct Node {
    NetBus *bus;
    const char *name;
    uint64_t said[NODES]; // in the link that is, to the peer
    uint64_t heard[NODES];
    uint64_t total; // heard, in all links
    int ups;
    int downs;
    bool up[NODES];
} Node;

static uv_loop_t loop;
static uv_timer_t alarm_timer;

static void on_up(void *context, int peer) {
    Node *node = context;
    assert_false(node->up[peer]);
    node->up[peer] = true;
    node->ups++;
    node->said[peer] = node->heard[peer] = 0;
}

static void on_down(void *context, int peer) {
    Node *node = context;
    assert_true(node->up[peer]);
    node->up[peer] = false;
    node->downs++;
}

static void on_message(void *context, int peer, JdStr bytes) {
    Node *node = context;
    uint64_t number;
    assert_true(node->up[peer]);
    assert_true(bytes.size >= sizeof(number));
    memcpy(&number, bytes.data, sizeof(number));
    assert_int_equal(number, ++node->heard[peer]); // once, in order, none left out
    node->total++;
}

static void open_node(Node *node, const char *name, uint64_t run, int port, const char *login) {
    char url[128];
    JdErr err = { 0 };
    snprintf(url, sizeof(url), "redis://%s127.0.0.1:%d/test", login, port);
    *node = (Node) { .name = name };
    const NetBusSettings settings = { &loop, url, name, run, on_up, on_down, on_message, node };
    if (!net_bus_open(&settings, &node->bus, &err))
        fail_msg("%s", err.text);
}

static void close_node(Node *node) {
    net_bus_close(node->bus);
    for (int i = 0; i < 5; i++)
        uv_run(&loop, UV_RUN_NOWAIT);
    net_bus_free(node->bus);
    node->bus = NULL;
}

static bool say_sized(Node *node, int peer, size_t size) {
    static char text[1024 * 1024];
    const uint64_t number = node->said[peer] + 1;
    memcpy(text, &number, sizeof(number));
    if (!net_bus_send(node->bus, peer, jd_str_n(text, size)))
        return false;
    node->said[peer] = number;
    return true;
}

static bool say(Node *node, int peer) {
    return say_sized(node, peer, 40);
}

static void on_alarm(uv_timer_t *timer) {
    *(bool *)timer->data = true;
}

static void run_for(uint64_t ms) {
    bool over = false;
    alarm_timer.data = &over;
    uv_update_time(&loop);
    uv_timer_start(&alarm_timer, on_alarm, ms, 0);
    while (!over)
        uv_run(&loop, UV_RUN_ONCE);
}

static bool all_up(Node *const *nodes, int count) {
    for (int i = 0; i < count; i++)
        if (net_bus_stats(nodes[i]->bus).up != count - 1)
            return false;
    return true;
}

// What must come, however slow the machine.
#define PATIENT_MS 30000
// A peer that says good-bye, or whose connection breaks, is missed sooner than one that says
// nothing: of that the last beat may be half a second old.
#define AT_ONCE_MS (NET_BUS_SILENCE_MS - NET_BUS_BEAT_MS - 100)

#define UNTIL(condition, ms)                                                                       \
    for (int waited_ = 0; !(condition); waited_ += 10) {                                           \
        if (waited_ >= (ms))                                                                       \
            fail_msg("not within %d ms: %s", (ms), #condition);                                    \
        run_for(10);                                                                               \
    }

static int begin(void **state) {
    (void)state;
    signal(SIGPIPE, SIG_IGN);
    redis_port = free_port();
    start_redis("");
    uv_loop_init(&loop);
    uv_timer_init(&loop, &alarm_timer);
    return 0;
}

static int end(void **state) {
    (void)state;
    stop_redis();
    uv_close((uv_handle_t *)&alarm_timer, NULL);
    for (int i = 0; i < 50; i++)
        uv_run(&loop, UV_RUN_NOWAIT);
    return uv_loop_close(&loop);
}

// ---- what is promised ---------------------------------------------------------------------------

static void test_urls(void **state) {
    (void)state;
    static const struct {
        const char *text;
        const char *seen; // NULL: refused
    } cases[] = {
        { "redis://127.0.0.1", "127.0.0.1 6379   jadoube" },
        { "redis://cache.example:7000", "cache.example 7000   jadoube" },
        { "redis://[::1]:7000/club", "::1 7000   club" },
        { "redis://:p@ss:w@host/club-2", "host 6379  p@ss:w club-2" },
        { "redis://us:pw@host:1", "host 1 us pw jadoube" },
        { "127.0.0.1:6379", NULL },
        { "redis://", NULL },
        { "redis://host:0", NULL },
        { "redis://host:65536", NULL },
        { "redis://user@host", NULL },
        { "redis://host/a b", NULL },
        { "redis://[::1", NULL },
    };
    for (size_t i = 0; i < JD_COUNT(cases); i++) {
        NetBusUrl url;
        JdErr err = { 0 };
        char seen[512];
        const bool ok = net_bus_url_read(jd_str(cases[i].text), &url, &err);
        if (ok != (cases[i].seen != NULL))
            fail_msg("%s: %s", cases[i].text, ok ? "taken" : err.text);
        if (!ok)
            continue;
        snprintf(seen, sizeof(seen), "%s %d %s %s %s", url.host, url.port, url.user, url.password,
                 url.site);
        assert_string_equal(seen, cases[i].seen);
    }
    assert_true(net_bus_name_ok(JD_STR("node-1.club_x")));
    assert_false(net_bus_name_ok(JD_STR("")));
    assert_false(net_bus_name_ok(JD_STR("a:b")));
    assert_false(net_bus_name_ok(JD_STR("123456789012345678901234567890123")));
}

static void test_three_nodes(void **state) {
    (void)state;
    Node a;
    Node b;
    Node c;
    open_node(&a, "a", 1, redis_port, "");
    open_node(&b, "b", 1, redis_port, "");
    open_node(&c, "c", 1, redis_port, "");
    Node *const nodes[] = { &a, &b, &c };
    UNTIL(all_up(nodes, 3), PATIENT_MS);
    const int to_b = net_bus_peer(a.bus, "b");
    const uint64_t before = net_bus_stats(a.bus).publishes;
    const uint64_t start_ms = uv_now(&loop);
    for (int i = 0; i < 1000; i++)
        assert_true(say(&a, to_b));
    UNTIL(b.total == 1000, PATIENT_MS);
    // One message of Redis for all that a turn of the loop had to say, the beats aside.
    assert_true(net_bus_stats(a.bus).publishes - before <=
                4 + (uv_now(&loop) - start_ms) / NET_BUS_BEAT_MS);
    for (int i = 0; i < net_bus_peers(a.bus); i++)
        a.said[i]++;
    const uint64_t hello = a.said[to_b];
    const int to_c = net_bus_peer(a.bus, "c");
    a.said[to_c] = 1;
    b.heard[net_bus_peer(b.bus, "a")] = hello - 1;
    uint64_t number = hello;
    assert_int_equal(number, 1001);
    // The same bytes go to all: b expects 1001, and c is made to.
    c.heard[net_bus_peer(c.bus, "a")] = 1000;
    net_bus_all(a.bus, jd_str_n((const char *)&number, sizeof(number)));
    UNTIL(b.total == 1001 && c.total == 1, PATIENT_MS);
    // Who says good-bye is missed at once.
    close_node(&c);
    UNTIL(net_bus_stats(a.bus).up == 1 && net_bus_stats(b.bus).up == 1, AT_ONCE_MS);
    assert_false(say(&a, to_c));
    assert_int_equal(net_bus_stats(a.bus).gaps, 0);
    close_node(&a);
    close_node(&b);
}

// A process that takes the place of an earlier one under its name, and one that is too late.
static void test_runs(void **state) {
    (void)state;
    Node a;
    Node b;
    Node again;
    open_node(&a, "a", 7, redis_port, "");
    open_node(&b, "b", 7, redis_port, "");
    Node *const nodes[] = { &a, &b };
    UNTIL(all_up(nodes, 2), PATIENT_MS);
    open_node(&again, "b", 8, redis_port, "");
    UNTIL(a.ups == 2 && again.ups == 1, PATIENT_MS);
    assert_int_equal(a.downs, 1);
    assert_true(say(&a, 0));
    UNTIL(again.total == 1, PATIENT_MS);
    // The old one still talks; nobody listens.
    run_for(1200);
    assert_int_equal(a.downs, 1);
    assert_int_equal(b.total, 0);
    close_node(&b);
    run_for(100);
    assert_int_equal(a.downs, 1); // nor to its good-bye
    close_node(&again);
    close_node(&a);
}

static void test_redis_restarts(void **state) {
    (void)state;
    Node a;
    Node b;
    open_node(&a, "a", 1, redis_port, "");
    open_node(&b, "b", 1, redis_port, "");
    Node *const nodes[] = { &a, &b };
    UNTIL(all_up(nodes, 2), PATIENT_MS);
    for (int round = 1; round <= 3; round++) {
        assert_true(say(&a, 0) && say(&b, 0));
        stop_redis();
        UNTIL(a.downs == round && b.downs == round, AT_ONCE_MS);
        assert_false(say(&a, 0));
        run_for(200);
        start_redis("");
        UNTIL(all_up(nodes, 2), PATIENT_MS);
    }
    // One that answers nothing is given up, and what waits for it is bounded.
    kill(redis_pid, SIGSTOP);
    size_t said = 0;
    while (say_sized(&a, 0, 1024 * 1024))
        assert_true(++said < 100);
    assert_true(said > 50);
    UNTIL(a.downs == 4 && b.downs == 4, PATIENT_MS);
    kill(redis_pid, SIGCONT);
    UNTIL(all_up(nodes, 2), PATIENT_MS);
    const uint64_t before = b.total;
    assert_true(say(&a, 0));
    UNTIL(b.total > before, PATIENT_MS);
    close_node(&a);
    close_node(&b);
}

static void test_password(void **state) {
    (void)state;
    stop_redis();
    start_redis("s3cret:@");
    Node a;
    Node b;
    Node c;
    open_node(&a, "a", 1, redis_port, ":s3cret:@@");
    open_node(&b, "b", 1, redis_port, "default:s3cret:@@");
    open_node(&c, "c", 1, redis_port, ":wrong@");
    Node *const nodes[] = { &a, &b };
    UNTIL(all_up(nodes, 2), PATIENT_MS);
    assert_false(net_bus_stats(c.bus).connected);
    close_node(&a);
    close_node(&b);
    close_node(&c);
}

static bool has_seen_enough(const Proxy *proxy, Node *const nodes[2]) {
    return proxy->spoiled > 20 &&
           net_bus_stats(nodes[0]->bus).gaps + net_bus_stats(nodes[1]->bus).gaps > 5 &&
           nodes[0]->total > 1000 && nodes[1]->total > 1000;
}

// Two nodes talk through a proxy that spoils what it hands out.
static void test_spoiled(void **state) {
    (void)state;
    const char *given = getenv("JD_SEED");
    const uint64_t seed = given != NULL ? (uint64_t)strtoull(given, NULL, 10) : (uint64_t)getpid();
    print_message("seed %llu\n", (unsigned long long)seed);
    Proxy proxy;
    open_proxy(&proxy, &loop, seed);
    Node a;
    Node b;
    open_node(&a, "a", 1, proxy.port, "");
    open_node(&b, "b", 1, proxy.port, "");
    Node *const nodes[] = { &a, &b };
    proxy.lose = 30;
    proxy.swap = 20;
    proxy.repeat = 30;
    for (int i = 0; i < 1500 || (i < 15000 && !has_seen_enough(&proxy, nodes)); i++) {
        for (int n = 0; n < 2; n++)
            for (int k = 0; k <= i % 3; k++)
                if (net_bus_peers(nodes[n]->bus) > 0)
                    (void)say(nodes[n], 0); // on_message checks what comes of it
        run_for(2);
    }
    assert_true(has_seen_enough(&proxy, nodes));
    // Nothing is silently missing: when it is quiet, the link that stands has brought everything.
    proxy.lose = proxy.swap = proxy.repeat = 0;
    run_for(1500);
    UNTIL(all_up(nodes, 2) && a.heard[0] == b.said[0] && b.heard[0] == a.said[0], PATIENT_MS);
    print_message("spoiled %llu, gaps %llu, links %d, heard %llu\n",
                  (unsigned long long)proxy.spoiled,
                  (unsigned long long)(net_bus_stats(a.bus).gaps + net_bus_stats(b.bus).gaps),
                  a.ups, (unsigned long long)(a.total + b.total));
    // The last message of all is missed by the beat, though nothing follows it.
    const int downs = b.downs;
    const uint64_t lost_words = proxy.lost_words;
    proxy.lose = 1000;
    assert_true(say(&a, 0));
    UNTIL(proxy.lost_words > lost_words, PATIENT_MS);
    proxy.lose = 0;
    UNTIL(b.downs > downs, PATIENT_MS);
    UNTIL(all_up(nodes, 2), PATIENT_MS);
    // Nothing comes through at all.
    const int ups = a.ups;
    proxy.lose = 1000;
    UNTIL(net_bus_stats(a.bus).up == 0 && net_bus_stats(b.bus).up == 0, PATIENT_MS);
    proxy.lose = 0;
    UNTIL(all_up(nodes, 2), PATIENT_MS);
    assert_true(a.ups > ups);
    close_node(&a);
    close_node(&b);
    uv_close((uv_handle_t *)&proxy.listener, NULL);
    run_for(50);
}

int main(void) {
    if (system("command -v redis-server >/dev/null") != 0) {
        printf("skipped: no redis-server is installed\n");
        return 77;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_urls),
        cmocka_unit_test_setup_teardown(test_three_nodes, begin, end),
        cmocka_unit_test_setup_teardown(test_runs, begin, end),
        cmocka_unit_test_setup_teardown(test_redis_restarts, begin, end),
        cmocka_unit_test_setup_teardown(test_password, begin, end),
        cmocka_unit_test_setup_teardown(test_spoiled, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
