// SPDX-License-Identifier: GPL-3.0-or-later
#include "support.h"

#include <dirent.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

// ---- directories --------------------------------------------------------------------------------

TestDir test_dir(void) {
    TestDir dir;
    const char *base = getenv("TMPDIR");
    snprintf(dir.path, sizeof dir.path, "%s/jd-store-XXXXXX",
             base != NULL && strlen(base) < 32 ? base : "/tmp");
    if (mkdtemp(dir.path) == NULL)
        fail_msg("no directory for the test: %s", dir.path);
    return dir;
}

void test_dir_remove(const TestDir *dir) {
    test_database_drop(dir->path);
    DIR *list = opendir(dir->path);
    for (struct dirent *entry; list != NULL && (entry = readdir(list)) != NULL;) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", dir->path, entry->d_name);
        if (entry->d_name[0] != '.')
            unlink(path);
    }
    if (list != NULL)
        closedir(list);
    rmdir(dir->path);
}

void test_path(const TestDir *dir, const char *name, char out[128]) {
    snprintf(out, 128, "%s/%s", dir->path, name);
}

FileBytes file_read(const char *path) {
    FileBytes bytes = { 0 };
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        fail_msg("%s cannot be read", path);
    fseek(file, 0, SEEK_END);
    bytes.size = (size_t)ftell(file);
    rewind(file);
    bytes.data = malloc(bytes.size + 1);
    if (fread(bytes.data, 1, bytes.size, file) != bytes.size)
        fail_msg("%s cannot be read whole", path);
    fclose(file);
    return bytes;
}

void file_write(const char *path, const void *data, size_t size) {
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(data, 1, size, file) != size || fclose(file) != 0)
        fail_msg("%s cannot be written", path);
}

void file_sql(const char *path, const char *sql) {
    sqlite3 *db = NULL;
    char *message = NULL;
    if (sqlite3_open(path, &db) != SQLITE_OK ||
        sqlite3_exec(db, sql, NULL, NULL, &message) != SQLITE_OK)
        fail_msg("%s: %s", sql, message != NULL ? message : "?");
    sqlite3_close(db);
}

// ---- listening ----------------------------------------------------------------------------------

void listener_init(Listener *listener) {
    *listener = (Listener) { 0 };
    pthread_mutex_init(&listener->mutex, NULL);
    pthread_cond_init(&listener->changed, NULL);
}

void listener_on_durable(void *context, uint64_t ticket, bool ok, const JdErr *err) {
    Listener *listener = context;
    pthread_mutex_lock(&listener->mutex);
    if (ok) {
        listener->went_back |= ticket <= listener->durable;
        listener->durable = ticket;
    } else {
        listener->failed = ticket;
        listener->failures++;
        listener->err = *err;
    }
    pthread_cond_broadcast(&listener->changed);
    pthread_mutex_unlock(&listener->mutex);
}

static struct timespec in_a_minute(void) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 60;
    return until;
}

void listener_wait_durable(Listener *listener, uint64_t ticket) {
    const struct timespec until = in_a_minute();
    int code = 0;
    pthread_mutex_lock(&listener->mutex);
    while (listener->durable < ticket && code == 0)
        code = pthread_cond_timedwait(&listener->changed, &listener->mutex, &until);
    const bool came = listener->durable >= ticket;
    const bool went_back = listener->went_back;
    pthread_mutex_unlock(&listener->mutex);
    if (!came)
        fail_msg("ticket %llu never became durable", (unsigned long long)ticket);
    assert_false(went_back);
}

void listener_wait_failures(Listener *listener, int count) {
    const struct timespec until = in_a_minute();
    int code = 0;
    pthread_mutex_lock(&listener->mutex);
    while (listener->failures < count && code == 0)
        code = pthread_cond_timedwait(&listener->changed, &listener->mutex, &until);
    const int came = listener->failures;
    pthread_mutex_unlock(&listener->mutex);
    assert_int_equal(came, count);
}

Store *open_store(const TestDir *dir, Listener *listener, const StoreConfig *more) {
    StoreConfig config = more != NULL ? *more : (StoreConfig) { 0 };
    config.data_dir = dir->path;
    config.database = test_database(dir->path);
    if (listener != NULL) {
        listener_init(listener);
        config.on_durable = listener_on_durable;
        config.context = listener;
    }
    Store *store = NULL;
    JdErr err = { 0 };
    if (!store_open(&config, &store, &err))
        fail_msg("not opened: %s", err.text);
    return store;
}

void close_store(Store *store) {
    JdErr err = { 0 };
    if (!store_close(store, &err))
        fail_msg("not closed: %s", err.text);
}

// ---- events -------------------------------------------------------------------------------------

static StoreId entity_id(uint32_t n) {
    StoreId id = { 0 };
    snprintf(id.text, sizeof id.text, "entity-%05u", n % 100000);
    return id;
}

StoreWork test_event(uint32_t n, uint32_t seq, char body[TEST_BODY_MAX]) {
    memset(body, 0, TEST_BODY_MAX);
    const int size = snprintf(body, TEST_BODY_MAX, "body of %u", n * 1000003 + seq);
    // Some bodies are empty, all others end in a NUL: bytes, not text.
    return (StoreWork) {
        .kind = STORE_LOG_EVENT,
        .event = { .id = entity_id(n),
                   .seq = seq,
                   .kind = (uint16_t)(seq * 251 + n),
                   .actor = (uint8_t)(seq % 4),
                   .time_ms = INT64_C(1700000000000) + (int64_t)seq * 977 - (int64_t)n * 31,
                   .body = jd_str_n(body, seq % 7 == 3 ? 0 : (size_t)size + 1) },
    };
}

StoreWork test_fold(uint32_t n) {
    return (StoreWork) { .kind = STORE_GAME_FOLD, .id = entity_id(n) };
}

StoreWork test_close(uint32_t n) {
    return (StoreWork) { .kind = STORE_LOG_CLOSE, .id = entity_id(n) };
}

uint64_t submit_one(Store *store, StoreWork work) {
    const uint64_t ticket = store_submit(store, &work, 1);
    assert_true(ticket > 0);
    return ticket;
}

uint64_t submit_event(Store *store, uint32_t n, uint32_t seq) {
    char body[TEST_BODY_MAX];
    return submit_one(store, test_event(n, seq, body));
}

Seen *seen_new(void) {
    Seen *seen = calloc(1, sizeof *seen);
    assert_non_null(seen);
    return seen;
}

bool seen_add(void *context, const StoreEvent *event) {
    Seen *seen = context;
    uint64_t n = 0;
    JdStr digits = jd_str_part(store_id_str(&event->id), 7, 5);
    while (digits.size > 1 && digits.data[0] == '0')
        digits = jd_str_part(digits, 1, digits.size);
    assert_true(jd_parse_u64(digits, 99999, &n));
    char body[TEST_BODY_MAX];
    const StoreWork expected = test_event((uint32_t)n, event->seq, body);
    if (event->kind != expected.event.kind || event->actor != expected.event.actor ||
        event->time_ms != expected.event.time_ms || !jd_str_equal(event->body, expected.event.body))
        fail_msg("event %u of %s came back changed", event->seq, event->id.text);
    assert_true(seen->count < TEST_SEEN_MAX);
    seen->events[seen->count].n = (uint32_t)n;
    seen->events[seen->count].seq = event->seq;
    seen->events[seen->count++].arrival = event->arrival;
    return true;
}

const char *seen_text(const Seen *seen, char out[1024]) {
    JdOut text = jd_out(out, 1023);
    for (size_t i = 0; i < seen->count; i++) {
        if (i > 0)
            jd_out_char(&text, ' ');
        jd_out_u64(&text, seen->events[i].n);
        jd_out_char(&text, ':');
        jd_out_u64(&text, seen->events[i].seq);
    }
    out[jd_out_str(&text).size] = '\0';
    return out;
}

void assert_replay(Store *store, const char *expected) {
    Seen *seen = seen_new();
    JdErr err = { 0 };
    if (!store_replay(store, seen_add, seen, &err))
        fail_msg("replay: %s", err.text);
    for (size_t i = 1; i < seen->count; i++)
        assert_true(seen->events[i].arrival > seen->events[i - 1].arrival);
    char text[1024];
    assert_string_equal(seen_text(seen, text), expected);
    free(seen);
}
