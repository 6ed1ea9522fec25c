// SPDX-License-Identifier: GPL-3.0-or-later
//
// Prometheus text (exposition format 0.0.4).
#include "net/metrics.h"

#include <stdio.h>
#include <unistd.h>

static const int echo_ends_ms[NET_ECHO_BUCKETS] = { 1, 2, 5, 10, 20, 50, 100, 250, 1000 };

void net_metrics_echo(NetMetrics *metrics, int64_t ms) {
    int bucket = 0;
    while (bucket < NET_ECHO_BUCKETS && ms > echo_ends_ms[bucket])
        bucket++;
    metrics->echo[bucket]++;
    metrics->echo_sum_ms += (uint64_t)(ms > 0 ? ms : 0);
}

static void line(NetBuf *out, const char *name, const char *labels, uint64_t value) {
    char text[200];
    const size_t size = jd_format(text, sizeof(text), "jadoube_%s%s %llu\n", name, labels,
                                  (unsigned long long)value);
    net_buf_add(out, text, size);
}

static void figure(NetBuf *out, const char *name, const char *type, uint64_t value) {
    char text[200];
    const size_t size = jd_format(text, sizeof(text), "# TYPE jadoube_%s %s\n", name, type);
    net_buf_add(out, text, size);
    line(out, name, "", value);
}

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

static void write_echo(NetBuf *out, const NetMetrics *metrics) {
    static const char head[] = "# TYPE jadoube_move_echo_ms histogram\n";
    net_buf_add(out, head, sizeof(head) - 1);
    uint64_t sum = 0;
    for (int i = 0; i <= NET_ECHO_BUCKETS; i++) {
        char label[40];
        sum += metrics->echo[i];
        if (i < NET_ECHO_BUCKETS)
            jd_format(label, sizeof(label), "{le=\"%d\"}", echo_ends_ms[i]);
        else
            jd_format(label, sizeof(label), "{le=\"+Inf\"}");
        line(out, "move_echo_ms_bucket", label, sum);
    }
    line(out, "move_echo_ms_sum", "", metrics->echo_sum_ms);
    line(out, "move_echo_ms_count", "", sum);
}

static void write_cluster(NetBuf *out, const NetClusterStats *cluster, const StoreStats *store) {
    const NetBusStats *bus = &cluster->bus;
    const struct {
        const char *name;
        const char *type;
        uint64_t value;
    } figures[] = {
        { "cluster_members", "gauge", cluster->members },
        { "cluster_shards", "gauge", cluster->shards },
        { "cluster_takings_total", "counter", cluster->takings },
        { "cluster_take_overs_total", "counter", cluster->take_overs },
        { "cluster_adopted_total", "counter", cluster->adopted },
        { "cluster_given_total", "counter", cluster->given },
        { "cluster_waits_total", "counter", cluster->waits },
        { "cluster_waits_failed_total", "counter", cluster->waits_failed },
        { "cluster_pause_ms_max", "gauge", cluster->pause_ms_max },
        { "cluster_lease_us_max", "gauge", (uint64_t)store->lease_us_max },
        { "bus_connected", "gauge", bus->connected },
        { "bus_links", "gauge", (uint64_t)bus->up },
        { "bus_messages_in_total", "counter", bus->messages_in },
        { "bus_messages_out_total", "counter", bus->messages_out },
        { "bus_bytes_in_total", "counter", bus->bytes_in },
        { "bus_bytes_out_total", "counter", bus->bytes_out },
        { "bus_publishes_total", "counter", bus->publishes },
        { "bus_waiting_bytes", "gauge", bus->waiting_bytes },
        { "bus_gaps_total", "counter", bus->gaps },
        { "bus_downs_total", "counter", bus->downs },
        { "bus_reconnects_total", "counter", bus->reconnects },
    };
    for (size_t i = 0; i < JD_COUNT(figures); i++)
        figure(out, figures[i].name, figures[i].type, figures[i].value);
}

void net_metrics_write(NetBuf *out, const NetMetricsView *view) {
    const NetMetrics *m = view->metrics;
    static const char head[] = "# TYPE jadoube_http_requests_total counter\n";
    net_buf_add(out, head, sizeof(head) - 1);
    for (unsigned i = 2; i <= 5; i++) {
        char label[40];
        jd_format(label, sizeof(label), "{class=\"%uxx\"}", i);
        line(out, "http_requests_total", label, m->requests[i]);
    }
    const struct {
        const char *name;
        const char *type;
        uint64_t value;
    } figures[] = {
        { "connections", "gauge", m->connections },
        { "connections_total", "counter", m->connections_total },
        { "connections_refused_total", "counter", m->connections_refused },
        { "websockets", "gauge", m->sockets },
        { "websockets_total", "counter", m->sockets_total },
        { "websockets_slow_total", "counter", m->sockets_slow },
        { "messages_in_total", "counter", m->messages_in },
        { "messages_out_total", "counter", m->messages_out },
        { "bytes_out_total", "counter", m->bytes_out },
        { "rate_limited_total", "counter", m->rate_limited },
        { "malformed_total", "counter", m->malformed },
        { "steps_held", "gauge", view->held },
        { "jobs_waiting", "gauge", view->jobs },
        { "accounts_known", "gauge", view->live.accounts },
        { "challenges_open", "gauge", view->live.challenges },
        { "games_running", "gauge", view->live.games_running },
        { "games_in_memory", "gauge", view->live.games_in_memory },
        { "commands_total", "counter", view->live.commands },
        { "refusals_total", "counter", view->live.refusals },
        { "moves_total", "counter", view->live.moves },
        { "games_started_total", "counter", view->live.games_started },
        { "games_ended_total", "counter", view->live.games_ended },
        { "mate_questions_total", "counter", view->live.questions },
        { "live_memory_bytes", "gauge", view->live.memory_bytes },
        { "log_events_total", "counter", view->store.events },
        { "commits_total", "counter", view->store.groups },
        { "commit_failures_total", "counter", view->store.failures },
        { "commit_us_sum", "counter", view->store.commit_us_sum },
        { "commit_us_max", "gauge", view->store.commit_us_max },
        { "commit_largest_group", "gauge", view->store.largest_group },
        { "log_wal_pages", "gauge", view->store.wal_pages },
        { "resident_bytes", "gauge", resident_bytes() },
        { "uptime_seconds", "counter", (uint64_t)((view->now_ms - view->started_ms) / 1000) },
    };
    for (size_t i = 0; i < JD_COUNT(figures); i++)
        figure(out, figures[i].name, figures[i].type, figures[i].value);
    write_echo(out, m);
    if (view->cluster != NULL)
        write_cluster(out, view->cluster, &view->store);
}
