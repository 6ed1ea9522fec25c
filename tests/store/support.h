// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the store's tests share: a directory that goes away, a listener that waits for durability,
// events whose content follows from their numbers, and collecting what a replay gives.
#ifndef TESTS_STORE_SUPPORT_H
#define TESTS_STORE_SUPPORT_H

#include <pthread.h>

#include "../check.h"
#include "database.h"
#include "store/store.h"

// ---- directories --------------------------------------------------------------------------------

typedef struct TestDir {
    char path[64];
} TestDir;
TestDir test_dir(void);
void test_dir_remove(const TestDir *dir);
void test_path(const TestDir *dir, const char *name, char out[128]);

// The bytes of a whole file; the caller frees. Fails the test when it cannot be read.
typedef struct FileBytes {
    unsigned char *data;
    size_t size;
} FileBytes;
FileBytes file_read(const char *path);
void file_write(const char *path, const void *data, size_t size);
// Runs SQL on the file with a plain connection of its own.
void file_sql(const char *path, const char *sql);

// ---- listening ----------------------------------------------------------------------------------

typedef struct Listener {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    uint64_t durable; // last ticket told with ok
    uint64_t failed;  // last ticket told without
    int failures;     // how often
    bool went_back;   // tickets did not rise
    JdErr err;
} Listener;
void listener_init(Listener *listener);
void listener_on_durable(void *listener, uint64_t ticket, bool ok, const JdErr *err);
// Waits up to 20 s; fails the test when it does not come.
void listener_wait_durable(Listener *listener, uint64_t ticket);
void listener_wait_failures(Listener *listener, int count);

// Opens with a listener and fails the test when that is refused.
Store *open_store(const TestDir *dir, Listener *listener, const StoreConfig *more);
void close_store(Store *store);

// ---- events -------------------------------------------------------------------------------------

#define TEST_BODY_MAX 64
// Event number seq of entity number n; its other fields follow from both.
StoreWork test_event(uint32_t n, uint32_t seq, char body[TEST_BODY_MAX]);
StoreWork test_fold(uint32_t n);
StoreWork test_close(uint32_t n);
uint64_t submit_event(Store *store, uint32_t n, uint32_t seq);
uint64_t submit_one(Store *store, StoreWork work);

// Events as a replay or a reader gives them, each checked against what test_event makes.
#define TEST_SEEN_MAX 65536
typedef struct Seen {
    size_t count;
    struct {
        uint32_t n;
        uint32_t seq;
        int64_t arrival;
    } events[TEST_SEEN_MAX];
} Seen;
Seen *seen_new(void);
bool seen_add(void *seen, const StoreEvent *event);
// "3:1 3:2 4:1" as text, for comparing short lists.
const char *seen_text(const Seen *seen, char out[1024]);
void assert_replay(Store *store, const char *expected);

#endif
