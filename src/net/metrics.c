// SPDX-License-Identifier: GPL-3.0-or-later
//
// Prometheus text (exposition format 0.0.4), named as Prometheus asks: seconds and bytes, _total
// for what only grows, a line of help for each.
#include "net/metrics.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "net/log.h"

static const int echo_ends_ms[NET_ECHO_BUCKETS] = { 1, 2, 5, 10, 20, 50, 100, 250, 1000 };

void net_metrics_echo(NetMetrics *metrics, int64_t ms) {
    int bucket = 0;
    while (bucket < NET_ECHO_BUCKETS && ms > echo_ends_ms[bucket])
        bucket++;
    metrics->echo[bucket]++;
    metrics->echo_sum_ms += (uint64_t)(ms > 0 ? ms : 0);
}

void net_metrics_error(NetMetrics *metrics, const char *code) {
    metrics->errors[net_error_index(code)]++;
}

// ---- lines --------------------------------------------------------------------------------------

static void head(NetBuf *out, const char *name, const char *type, const char *help) {
    char text[400];
    const size_t size = jd_format(
        text, sizeof(text), "# HELP jadoube_%s %s\n# TYPE jadoube_%s %s\n", name, help, name, type);
    net_buf_add(out, text, size);
}

static void line(NetBuf *out, const char *name, const char *labels, uint64_t value) {
    char text[200];
    const size_t size = jd_format(text, sizeof(text), "jadoube_%s%s %llu\n", name, labels,
                                  (unsigned long long)value);
    net_buf_add(out, text, size);
}

// A span of microseconds as seconds.
static void line_us(NetBuf *out, const char *name, const char *labels, uint64_t us) {
    char text[200];
    const size_t size = jd_format(text, sizeof(text), "jadoube_%s%s %llu.%06u\n", name, labels,
                                  (unsigned long long)(us / 1000000), (unsigned)(us % 1000000));
    net_buf_add(out, text, size);
}

static void figure(NetBuf *out, const char *name, const char *type, const char *help,
                   uint64_t value) {
    head(out, name, type, help);
    line(out, name, "", value);
}

typedef struct Histogram {
    const char *name;
    const char *help;
    uint64_t (*end_us)(int bucket);
    const uint64_t *counts; // one more than there are ends
    int ends;
    uint64_t sum_us;
} Histogram;

static void histogram(NetBuf *out, const Histogram *self) {
    char name[80];
    uint64_t sum = 0;
    head(out, self->name, "histogram", self->help);
    jd_format(name, sizeof(name), "%s_bucket", self->name);
    for (int i = 0; i <= self->ends; i++) {
        char label[40] = "{le=\"+Inf\"}";
        sum += self->counts[i];
        if (i < self->ends)
            jd_format(label, sizeof(label), "{le=\"%u.%06u\"}",
                      (unsigned)(self->end_us(i) / 1000000), (unsigned)(self->end_us(i) % 1000000));
        line(out, name, label, sum);
    }
    jd_format(name, sizeof(name), "%s_sum", self->name);
    line_us(out, name, "", self->sum_us);
    jd_format(name, sizeof(name), "%s_count", self->name);
    line(out, name, "", sum);
}

// ---- what the system says -----------------------------------------------------------------------

// Resident memory, from the kernel; 0 when it does not say.
static uint64_t resident_bytes(void) {
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL)
        return 0;
    unsigned long long total = 0;
    unsigned long long resident = 0;
    const int read = fscanf(file, "%llu %llu", &total, &resident);
    fclose(file);
    return read == 2 ? (uint64_t)resident * (uint64_t)sysconf(_SC_PAGESIZE) : 0;
}

static uint64_t us_of(struct timeval time) {
    return (uint64_t)time.tv_sec * 1000000 + (uint64_t)time.tv_usec;
}

static void write_system(NetBuf *out, const NetMetricsView *view) {
    struct rusage used;
    struct statvfs disk;
    if (getrusage(RUSAGE_SELF, &used) == 0) {
        head(out, "cpu_seconds_total", "counter", "Time of processors, engines aside.");
        line_us(out, "cpu_seconds_total", "{mode=\"user\"}", us_of(used.ru_utime));
        line_us(out, "cpu_seconds_total", "{mode=\"system\"}", us_of(used.ru_stime));
    }
    figure(out, "resident_bytes", "gauge", "Memory of the process that is in RAM.",
           resident_bytes());
    if (statvfs(view->data_dir, &disk) == 0)
        figure(out, "data_free_bytes", "gauge", "Free on the disk of the data directory.",
               (uint64_t)disk.f_bavail * (uint64_t)disk.f_frsize);
    figure(out, "start_time_seconds", "gauge", "When the process began, since 1970.",
           (uint64_t)(view->started_ms / 1000));
    figure(out, "uptime_seconds", "gauge", "How long it has been running.",
           (uint64_t)((view->now_ms - view->started_ms) / 1000));
    head(out, "build_info", "gauge", "Always 1; the labels say which program this is.");
    char label[120];
    jd_format(label, sizeof(label), "{version=\"%s\",schema=\"%d\"}", JADOUBE_VERSION,
              store_schema_known());
    line(out, "build_info", label, 1);
}

// ---- families with labels -----------------------------------------------------------------------

static void write_requests(NetBuf *out, const NetMetrics *m) {
    head(out, "http_requests_total", "counter", "Answers by HTTP, by class of status.");
    for (unsigned i = 2; i <= 5; i++) {
        char label[40];
        jd_format(label, sizeof(label), "{class=\"%uxx\"}", i);
        line(out, "http_requests_total", label, m->requests[i]);
    }
    head(out, "errors_total", "counter",
         "Errors told to clients, by code of docs/protocol.md, over HTTP and WebSocket.");
    for (size_t i = 0; net_error_name(i) != NULL; i++) {
        char label[60];
        // What never happened is left out, but for what alerts ask for.
        if (m->errors[i] == 0 && strcmp(net_error_name(i), "internal") != 0 &&
            strcmp(net_error_name(i), "unavailable") != 0)
            continue;
        jd_format(label, sizeof(label), "{code=\"%s\"}", net_error_name(i));
        line(out, "errors_total", label, m->errors[i]);
    }
}

static void write_log_lines(NetBuf *out) {
    head(out, "log_lines_total", "counter", "Lines for the log, by level.");
    line(out, "log_lines_total", "{level=\"error\"}", net_log_count(NET_LOG_ERROR));
    line(out, "log_lines_total", "{level=\"warning\"}", net_log_count(NET_LOG_WARN));
    line(out, "log_lines_total", "{level=\"info\"}", net_log_count(NET_LOG_INFO));
}

static uint64_t echo_end_us(int bucket) {
    return (uint64_t)echo_ends_ms[bucket] * 1000;
}

static uint64_t commit_end_us(int bucket) {
    return store_commit_ends_us[bucket];
}

static void write_histograms(NetBuf *out, const NetMetricsView *view) {
    const Histogram echo = { .name = "move_echo_seconds",
                             .help = "From the frame with a move read to its ack written.",
                             .end_us = echo_end_us,
                             .counts = view->metrics->echo,
                             .ends = NET_ECHO_BUCKETS,
                             .sum_us = view->metrics->echo_sum_ms * 1000 };
    const Histogram commit = { .name = "commit_seconds",
                               .help = "From BEGIN to the end of COMMIT, a group of events each.",
                               .end_us = commit_end_us,
                               .counts = view->store.commit_buckets,
                               .ends = STORE_COMMIT_BUCKETS,
                               .sum_us = view->store.commit_us_sum };
    histogram(out, &echo);
    histogram(out, &commit);
    head(out, "commit_seconds_max", "gauge", "The longest commit since the start.");
    line_us(out, "commit_seconds_max", "", view->store.commit_us_max);
}

// ---- many nodes ---------------------------------------------------------------------------------

static void write_cluster(NetBuf *out, const NetClusterStats *cluster, const StoreStats *store) {
    const NetBusStats *bus = &cluster->bus;
    const struct {
        const char *name;
        const char *type;
        const char *help;
        uint64_t value;
    } figures[] = {
        { "cluster_members", "gauge", "Nodes that live.", cluster->members },
        { "cluster_shards", "gauge", "Shards of this node.", cluster->shards },
        { "cluster_takings_total", "counter", "Shards taken, a batch each.", cluster->takings },
        { "cluster_take_overs_total", "counter", "Taken of nodes that died.", cluster->take_overs },
        { "cluster_adopted_total", "counter", "Games and challenges that came.", cluster->adopted },
        { "cluster_given_total", "counter", "Shards given away.", cluster->given },
        { "cluster_waits_total", "counter", "Questions that waited for an owner.", cluster->waits },
        { "cluster_waits_failed_total", "counter", "Of those, in vain.", cluster->waits_failed },
        { "cluster_pause_ms_max", "gauge", "Longest pause of a hand-over, milliseconds.",
          cluster->pause_ms_max },
        { "cluster_lease_us_max", "gauge", "Longest renewal of the lease, microseconds.",
          (uint64_t)store->lease_us_max },
        { "bus_connected", "gauge", "1 while Redis is reached.", bus->connected },
        { "bus_links", "gauge", "Nodes heard of.", (uint64_t)bus->up },
        { "bus_messages_in_total", "counter", "Messages of other nodes.", bus->messages_in },
        { "bus_messages_out_total", "counter", "Messages to other nodes.", bus->messages_out },
        { "bus_bytes_in_total", "counter", "Bytes of other nodes.", bus->bytes_in },
        { "bus_bytes_out_total", "counter", "Bytes to other nodes.", bus->bytes_out },
        { "bus_publishes_total", "counter", "Commands to Redis.", bus->publishes },
        { "bus_waiting_bytes", "gauge", "Bytes that wait for Redis.", bus->waiting_bytes },
        { "bus_gaps_total", "counter", "Times that messages were lost.", bus->gaps },
        { "bus_downs_total", "counter", "Times that a node fell silent.", bus->downs },
        { "bus_reconnects_total", "counter", "Times that Redis was reached anew.",
          bus->reconnects },
    };
    for (size_t i = 0; i < JD_COUNT(figures); i++)
        figure(out, figures[i].name, figures[i].type, figures[i].help, figures[i].value);
}

// ---- all ----------------------------------------------------------------------------------------

void net_metrics_write(NetBuf *out, const NetMetricsView *view) {
    const NetMetrics *m = view->metrics;
    const LiveStats *live = &view->live;
    const StoreStats *store = &view->store;
    const struct {
        const char *name;
        const char *type;
        const char *help;
        uint64_t value;
    } figures[] = {
        { "ready", "gauge", "1 while commands are taken: /healthz answers 200.", view->ready },
        { "connections", "gauge", "Open TCP connections.", m->connections },
        { "connections_limit", "gauge", "How many there may be.", view->connections_limit },
        { "connections_total", "counter", "Connections accepted.", m->connections_total },
        { "connections_refused_total", "counter", "Connections closed at once: too many.",
          m->connections_refused },
        { "websockets", "gauge", "Open WebSockets.", m->sockets },
        { "websockets_total", "counter", "WebSockets opened.", m->sockets_total },
        { "websockets_slow_total", "counter", "Closed because they did not read.",
          m->sockets_slow },
        { "messages_in_total", "counter", "Messages of clients.", m->messages_in },
        { "messages_out_total", "counter", "Messages to clients.", m->messages_out },
        { "bytes_out_total", "counter", "Bytes of answers and messages.", m->bytes_out },
        { "rate_limited_total", "counter", "Requests and messages over an allowance.",
          m->rate_limited },
        { "malformed_total", "counter", "Messages that are not of the protocol.", m->malformed },
        { "steps_held", "gauge", "Steps whose words wait for the disk.", view->held },
        { "jobs_waiting", "gauge", "Questions to the database that wait or run.", view->jobs },
        { "store_queued", "gauge", "Items that wait for the commit thread.", store->queued },
        { "accounts_known", "gauge", "Accounts in memory: here, or with a game.", live->accounts },
        { "challenges_open", "gauge", "Open challenges.", live->challenges },
        { "games_running", "gauge", "Games not ended, in memory.", live->games_running },
        { "games_in_memory", "gauge", "Games in memory, ended ones too.", live->games_in_memory },
        { "games_slept_total", "counter", "Games by days that left memory.", live->games_slept },
        { "games_woken_total", "counter", "Games by days that came back.", live->games_woken },
        { "commands_total", "counter", "Commands to the running site.", live->commands },
        { "refusals_total", "counter", "Commands it refused.", live->refusals },
        { "moves_total", "counter", "Moves made.", live->moves },
        { "games_started_total", "counter", "Games begun.", live->games_started },
        { "games_ended_total", "counter", "Games ended.", live->games_ended },
        { "mate_questions_total", "counter", "Asked of a worker: can this side still mate.",
          live->questions },
        { "live_memory_bytes", "gauge", "Memory of the running site.", live->memory_bytes },
        { "log_events_total", "counter", "Events appended to the log.", store->events },
        { "log_open_entities", "gauge", "Games and challenges whose log goes on.",
          store->open_entities },
        { "log_wal_pages", "gauge", "Pages in SQLite's write-ahead log.", store->wal_pages },
        { "checkpoints_total", "counter", "Checkpoints of that log.", store->checkpoints },
        { "commits_total", "counter", "Groups committed.", store->groups },
        { "commit_failures_total", "counter", "Commits that failed.", store->failures },
        { "commit_largest_group", "gauge", "Items of the largest group.", store->largest_group },
        { "commit_failing", "gauge", "1 while commits fail and play stands.", store->failing },
    };
    for (size_t i = 0; i < JD_COUNT(figures); i++)
        figure(out, figures[i].name, figures[i].type, figures[i].help, figures[i].value);
    write_requests(out, m);
    write_histograms(out, view);
    write_log_lines(out);
    write_system(out, view);
    if (view->cluster != NULL)
        write_cluster(out, view->cluster, &view->store);
}
