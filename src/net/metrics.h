// SPDX-License-Identifier: GPL-3.0-or-later
//
// Figures for the operator: counted on the loop thread, written as Prometheus text.
#ifndef JADOUBE_NET_METRICS_H
#define JADOUBE_NET_METRICS_H

#include <jadoube/base.h>

#include "live/live.h"
#include "net/buf.h"
#include "net/cluster.h"
#include "net/errors.h"
#include "store/store.h"

// Upper ends of the buckets of the move echo: from the frame read to the ack written, milliseconds.
#define NET_ECHO_BUCKETS 9

typedef struct NetMetrics {
    uint64_t requests[6]; // by the first digit of the status
    uint64_t connections; // open now
    uint64_t connections_total;
    uint64_t connections_refused;
    uint64_t sockets; // WebSockets open now
    uint64_t sockets_total;
    uint64_t sockets_slow; // closed because they did not read
    uint64_t messages_in;
    uint64_t messages_out;
    uint64_t bytes_out;
    uint64_t errors[NET_ERROR_CODES_MAX]; // told to clients, by net_error_index
    uint64_t rate_limited;
    uint64_t malformed;
    uint64_t echo[NET_ECHO_BUCKETS + 1];
    uint64_t echo_sum_ms;
} NetMetrics;

void net_metrics_echo(NetMetrics *metrics, int64_t ms);
// An error of that code was told to a client.
void net_metrics_error(NetMetrics *metrics, const char *code);

typedef struct NetMetricsView {
    const NetMetrics *metrics;
    LiveStats live;
    StoreStats store;
    const NetClusterStats *cluster; // NULL: one process alone
    bool ready;                     // commands are taken
    size_t held;                    // steps waiting for the disk
    size_t jobs;                    // requests waiting for a worker
    uint64_t connections_limit;
    const char *data_dir;
    int64_t started_ms;
    int64_t now_ms;
} NetMetricsView;

void net_metrics_write(NetBuf *out, const NetMetricsView *view);

#endif
