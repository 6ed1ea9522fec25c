// SPDX-License-Identifier: GPL-3.0-or-later
#include "node.h"

#include <stdlib.h>
#include <time.h>
#include <unistd.h>

int64_t node_now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void take(Node *node) {
    for (StoreTaking *taking; (taking = store_taking_next(node->store)) != NULL;) {
        pthread_mutex_lock(&node->mutex);
        for (size_t i = 0; i < JD_COUNT(node->owned.bits); i++) {
            assert_true((node->owned.bits[i] & taking->shards.bits[i]) == 0); // each comes once
            node->owned.bits[i] |= taking->shards.bits[i];
        }
        node->takings++;
        node->alive_ms = taking->alive_ms;
        node->released = taking->released;
        for (size_t i = 0; i < taking->count; i++) {
            assert_true(i == 0 || taking->events[i].arrival > taking->events[i - 1].arrival);
            assert_true(store_shards_has(&taking->shards, store_shard_of(&taking->events[i].id)));
            assert_true(seen_add(node->seen, &taking->events[i]));
        }
        pthread_mutex_unlock(&node->mutex);
        store_taking_free(taking);
    }
}

static void give(Node *node) {
    static _Thread_local StoreClusterView view;
    StoreWork work = { .kind = STORE_SHARDS_RELEASE, .release = { .at_ms = node_now_ms() } };
    store_cluster_view(node->store, &view);
    if (!store_cluster_surplus(&view, &work.release.shards))
        return;
    pthread_mutex_lock(&node->mutex);
    uint64_t any = 0;
    for (size_t i = 0; i < JD_COUNT(node->owned.bits); i++) {
        work.release.shards.bits[i] &= node->owned.bits[i];
        any |= work.release.shards.bits[i];
        node->owned.bits[i] &= ~work.release.shards.bits[i];
    }
    pthread_mutex_unlock(&node->mutex);
    const uint64_t ticket = any != 0 ? store_submit(node->store, &work, 1) : 0;
    if (ticket != 0)
        listener_wait_durable(&node->listener, ticket);
}

static void *run_loop(void *context) {
    Node *node = context;
    while (!atomic_load(&node->stop)) {
        const bool silent = atomic_load(&node->silent);
        if (!silent)
            store_cluster_alive(node->store, node_now_ms());
        atomic_store(&node->is_silent, silent);
        take(node);
        if (!atomic_load(&node->selfish))
            give(node);
        usleep(10000);
    }
    return NULL;
}

Node *node_open(const TestDir *dir, const char *name, uint32_t lease_ms, const StoreConfig *more) {
    Node *node = calloc(1, sizeof *node);
    assert_non_null(node);
    pthread_mutex_init(&node->mutex, NULL);
    node->seen = seen_new();
    StoreConfig config = more != NULL ? *more : (StoreConfig) { 0 };
    config.node = name;
    config.address = "http://node.example";
    config.lease_ms = lease_ms;
    if (config.retry_ms == 0)
        config.retry_ms = 10;
    node->store = open_store(dir, &node->listener, &config);
    assert_int_equal(pthread_create(&node->loop, NULL, run_loop, node), 0);
    return node;
}

void node_close(Node *node) {
    atomic_store(&node->stop, true);
    pthread_join(node->loop, NULL);
    store_close(node->store, NULL);
    pthread_mutex_destroy(&node->mutex);
    free(node->seen);
    free(node);
}

bool node_has(Node *node, uint32_t n) {
    char body[TEST_BODY_MAX];
    const StoreWork work = test_event(n, 1, body);
    pthread_mutex_lock(&node->mutex);
    const bool has = store_shards_has(&node->owned, store_shard_of(&work.event.id));
    pthread_mutex_unlock(&node->mutex);
    return has;
}

uint32_t node_count(Node *node) {
    pthread_mutex_lock(&node->mutex);
    const uint32_t count = store_shards_count(&node->owned);
    pthread_mutex_unlock(&node->mutex);
    return count;
}

bool node_is_fenced(Node *node) {
    static _Thread_local StoreClusterView view;
    store_cluster_view(node->store, &view);
    return view.fenced;
}

void node_wait_count(Node *node, uint32_t least, uint32_t most) {
    for (int i = 0; i < 4000; i++) {
        const uint32_t count = node_count(node);
        if (count >= least && count <= most)
            return;
        usleep(10000);
    }
    StoreStats stats;
    store_stats(node->store, &stats);
    fail_msg("%u shards, expected %u to %u%s; longest between two renewals %lld ms",
             node_count(node), least, most, node_is_fenced(node) ? "; fenced" : "",
             (long long)stats.lease_us_max / 1000);
}

void node_wait_fenced(Node *node) {
    for (int i = 0; i < 6000 && !node_is_fenced(node); i++)
        usleep(10000);
    assert_true(node_is_fenced(node));
}

void node_fall_silent(Node *node) {
    atomic_store(&node->silent, true);
    while (!atomic_load(&node->is_silent))
        usleep(1000);
}

const char *node_seen(Node *node, uint32_t n, char out[512]) {
    size_t size = 0;
    out[0] = '\0';
    pthread_mutex_lock(&node->mutex);
    for (size_t i = 0; i < node->seen->count; i++)
        if (node->seen->events[i].n == n)
            size += (size_t)snprintf(out + size, 512 - size, "%s%u", size > 0 ? " " : "",
                                     node->seen->events[i].seq);
    pthread_mutex_unlock(&node->mutex);
    return out;
}

void node_append(Node *node, uint32_t n, uint32_t seq) {
    listener_wait_durable(&node->listener, submit_event(node->store, n, seq));
}

uint32_t node_entity(Node *node, uint32_t from) {
    while (!node_has(node, from))
        from++;
    return from;
}
