// SPDX-License-Identifier: GPL-3.0-or-later
//
// A node for tests in one process: a store with a thread that does what the site's loop does: it
// gives signs of life, takes what comes, and gives away what is too much.
#ifndef TESTS_STORE_NODE_H
#define TESTS_STORE_NODE_H

#include <stdatomic.h>

#include "support.h"

typedef struct Node {
    Store *store;
    Listener listener;
    pthread_t loop;
    atomic_bool stop;
    atomic_bool silent; // no signs of life
    atomic_bool is_silent;
    atomic_bool selfish; // gives nothing away
    pthread_mutex_t mutex;
    StoreShards owned;
    int takings;
    int64_t alive_ms; // of the last taking
    bool released;
    Seen *seen; // all that came with takings
} Node;

int64_t node_now_ms(void);
// Opens; fails the test when that is refused.
Node *node_open(const TestDir *dir, const char *name, uint32_t lease_ms, const StoreConfig *more);
void node_close(Node *node); // also one that was fenced
// Closes without a word to the others, as far as that can be done here.
bool node_has(Node *node, uint32_t n); // the shard of the test's entity n
uint32_t node_count(Node *node);
bool node_is_fenced(Node *node);
// Waits up to 20 s; fails the test when it does not come about.
void node_wait_count(Node *node, uint32_t least, uint32_t most);
void node_wait_fenced(Node *node);
void node_fall_silent(Node *node); // after it there is no sign of life
// The events of entity n that came with takings, as "1 2 3".
const char *node_seen(Node *node, uint32_t n, char out[512]);
// Submits an event and waits until it is durable.
void node_append(Node *node, uint32_t n, uint32_t seq);
// The number, at least `from`, of an entity in a shard that the node has.
uint32_t node_entity(Node *node, uint32_t from);

#endif
