// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the files of the store share. Nobody outside src/store includes this.
#ifndef STORE_INTERNAL_H
#define STORE_INTERNAL_H

#include <pthread.h>
#include <sqlite3.h>

#include "store/store.h"

typedef struct StoreDriver StoreDriver;

// "JADB", in the file's header (offset 68).
#define STORE_APPLICATION_ID 0x4a414442

// ---- migrations (written by migrations/embed.py) ------------------------------------------------

typedef struct StoreMigration {
    const char *name;
    const char *sql;      // SQLite's
    const char *postgres; // the same for PostgreSQL
} StoreMigration;
extern const StoreMigration store_migrations[];
extern const int store_migration_count; // also the newest user_version this program knows

// A table as the migrations leave it.
typedef struct StoreTable {
    const char *name;
    const char *columns; // "a, b, c"
    int column_count;
    const char *key; // columns of the primary key
    bool counts;     // that is one column of numbers, which may count up by themselves
} StoreTable;
extern const StoreTable store_tables[]; // what is referred to stands before what refers
extern const int store_table_count;

// ---- growing bytes ------------------------------------------------------------------------------

typedef struct Bytes {
    unsigned char *data;
    size_t size;
    size_t capacity;
} Bytes;
JD_MUST_USE bool bytes_append(Bytes *bytes, const void *data, size_t size, JdErr *err);
void bytes_clear(Bytes *bytes); // frees

// ---- queries (queries.c) ------------------------------------------------------------------------

// The store's own queries stand in the same table, after those of store/queries.h.
enum {
    STORE_Q_EVENT_INSERT = STORE_QUERY_COUNT,
    STORE_Q_EVENT_BY_ARRIVAL,
    STORE_Q_EVENTS_FROM,
    STORE_Q_LAST_ARRIVAL,
    STORE_Q_OPEN_PUT,
    STORE_Q_OPEN_DELETE,
    STORE_Q_OPEN_FIND,
    STORE_Q_OPEN_ALL,
    STORE_Q_RECORD_PUT,
    STORE_Q_RECORD_FIND,
    STORE_Q_RECORD_EXISTS,
    STORE_Q_RECORD_DELETE,
    STORE_Q_RECORDS_ENDED,
    STORE_Q_GAME_PUT,
    STORE_Q_GAMES_ALL,
    STORE_Q_GAMES_CLEAR,
    STORE_Q_CHAT_PUT,
    STORE_Q_GAME_SLEEP,
    STORE_Q_GAME_AWAKE,
    STORE_Q_OUTAGE_PUT,
    STORE_Q_SHARD_OUTAGE_PUT,
    STORE_Q_SHARD_OUTAGES_TRIM,
    STORE_Q_OUTAGES_TRIM,
    STORE_Q_VACATION_PUT,
    STORE_Q_META_PUT,
    STORE_Q_META_FIND,
    STORE_Q_COUNT,
    // Places for statements that are not in the table (db_statement).
    STORE_Q_FREE_READ = STORE_Q_COUNT,
    STORE_Q_FREE_WRITE,
    STORE_Q_PLACES
};
extern const char *const store_sql[STORE_Q_COUNT];

// ---- a connection (db.c, sqlite.c, postgres.c)
// ------------------------------------------------------------------------

#define STORE_PARAMS_MAX 32

struct StoreStmt {
    StoreDb *db;
    const char *sql;
    // SQLite
    sqlite3_stmt *handle;
    int fault; // first SQLite code of preparing or binding that was not OK
    int8_t params[STORE_PARAMS_MAX + 1]; // SQLite's index of $n; 0: the query has no such parameter
    // PostgreSQL; NULL until the query was first asked
    struct PgStmt *pg;
};

struct StoreDb {
    const StoreDriver *driver;
    sqlite3 *handle;   // SQLite
    struct PgLink *pg; // PostgreSQL
    Store *store;
    char path[512]; // of the file, or the server without a password: for messages
    bool collided;  // the server undid a transaction for the sake of another one
    StoreStmt statements[STORE_Q_PLACES];
};

typedef enum DbKind { DB_NULL, DB_INT, DB_TEXT, DB_BLOB } DbKind;

typedef enum DbCommit {
    DB_COMMITTED,
    DB_UNDONE,    // nothing of it is there
    DB_UNKNOWN,   // the connection broke before the answer came: ask was_committed
    DB_POSTPONED, // not begun: it is another node's turn
} DbCommit;

// What each of the two databases does in its own way. All but open_site and close_site work on one
// connection, and only on the thread that owns it.
struct StoreDriver {
    // Opens store->writer with the schema up to date, or refuses as store_open says.
    bool (*open_site)(Store *store, JdErr *err);
    void (*close_site)(Store *store); // also after an open_site that failed
    bool (*open_reader)(StoreDb *db, Store *store, JdErr *err);
    void (*close)(StoreDb *db);
    void (*after_commit)(Store *store); // commit thread, after people were told
    // Makes a connection that was lost anew.
    bool (*revive)(StoreDb *db, JdErr *err);
    // After DB_UNKNOWN and revive: whether the transaction of that number is in the database.
    bool (*was_committed)(StoreDb *db, int64_t group, bool *committed, JdErr *err);
    bool (*exec)(StoreDb *db, const char *sql, JdErr *err);
    bool (*number)(StoreDb *db, const char *sql, int64_t *out, JdErr *err);
    bool (*begin)(StoreDb *db, JdErr *err); // a reader's transaction is one snapshot
    DbCommit (*commit)(StoreDb *db, JdErr *err);
    void (*rollback)(StoreDb *db); // if there is a transaction
    bool (*in_transaction)(StoreDb *db);
    // While on, `run` of a statement whose number of changes nobody asks for may answer true before
    // the database has; what it says comes out of the next statement with an answer, of switching
    // off, or of commit.
    bool (*pipeline)(StoreDb *db, bool on, JdErr *err);

    void (*begin_query)(StoreStmt *stmt);
    void (*forget)(StoreStmt *stmt);                      // it will have another text
    void (*copied)(StoreDb *db, const StoreTable *table); // rows came with their numbers
    void (*bind_int)(StoreStmt *stmt, int index, int64_t value);
    void (*bind_text)(StoreStmt *stmt, int index, JdStr text);
    void (*bind_blob)(StoreStmt *stmt, int index, JdStr bytes);
    void (*bind_null)(StoreStmt *stmt, int index);
    StoreStep (*step)(StoreStmt *stmt, JdErr *err);
    bool (*run)(StoreStmt *stmt, int64_t *changed, JdErr *err);
    int64_t (*column_int)(StoreStmt *stmt, int index);
    JdStr (*column_text)(StoreStmt *stmt, int index);
    JdStr (*column_blob)(StoreStmt *stmt, int index);
    bool (*column_is_null)(StoreStmt *stmt, int index);
    DbKind (*column_kind)(StoreStmt *stmt, int index);
    void (*done)(StoreStmt *stmt);
};
extern const StoreDriver store_sqlite;
extern const StoreDriver store_postgres;

void db_close(StoreDb *db); // also one that was never opened
JD_MUST_USE bool db_exec(StoreDb *db, const char *sql, JdErr *err);
// First column of the first row, for pragmas and counts.
JD_MUST_USE bool db_number(StoreDb *db, const char *sql, int64_t *out, JdErr *err);
StoreStmt *db_query(StoreDb *db, int query);
// A statement of one's own in one of the free places; sql must live as long as it is used.
StoreStmt *db_statement(StoreDb *db, int place, const char *sql);
// Empties the free places: their texts are about to change where they stand.
void db_forget_free(StoreDb *db);
// Binds what stands in a column of the row read, which counts from 0.
void db_carry(StoreStmt *read, StoreStmt *write, int column);

// A reader's connection works again: what waits to be tried again is tried now.
void store_found_again(Store *store);

// ---- SQLite alone (sqlite.c, check.c, migrate.c) ------------------------------------------------

typedef enum DbMode { DB_CHECK, DB_READ, DB_WRITE, DB_CREATE } DbMode;

// Opens a connection and sets every pragma of its mode. On failure nothing stays open.
JD_MUST_USE bool sqlite_open(StoreDb *db, Store *store, const char *path, const char *vfs,
                             DbMode mode, JdErr *err);
// Fills err from a SQLite code and the connection's message; always false.
bool sqlite_fail(StoreDb *db, int code, const char *doing, JdErr *err);

// Looks at the file without changing a byte of it; *exists is false when it is to be created.
JD_MUST_USE bool check_file(const char *path, const char *vfs, int64_t check_bytes_max,
                            bool *exists, JdErr *err);
// Makes a new database beside path and moves it into place, whole or not at all.
JD_MUST_USE bool create_file(Store *store, const char *path, const char *vfs, JdErr *err);
// Runs the migrations the file lacks, each in a transaction of its own.
JD_MUST_USE bool migrate(StoreDb *db, JdErr *err);
// As far as that version; a file that is newer stays as it is.
JD_MUST_USE bool migrate_to(StoreDb *db, int version, JdErr *err);
// After it the name of a file just made survives a power cut.
JD_MUST_USE bool sync_directory(const char *path, JdErr *err);
// The lock on a data directory; closing *fd gives it up. On failure *fd is -1.
JD_MUST_USE bool sqlite_lock(const char *data_dir, int *fd, JdErr *err);
// A backup of the file beside it (PATH.schema-N.backup) when migrations are about to change it;
// nobody else has it open (backup.c).
JD_MUST_USE bool keep_before_migrating(const char *path, const char *vfs, JdErr *err);

// ---- the unfinished entities in memory (entities.c) ---------------------------------------------

// One entity neither folded nor closed. arrivals are those of its events that its record does not
// hold yet, rising. Entities with arrivals form a list by their first one.
typedef struct Entity {
    StoreId id;
    uint32_t last_seq;
    bool has_record;
    uint32_t count;
    uint32_t capacity;
    int64_t *arrivals;
    struct Entity *chain;         // same bucket
    struct Entity *older, *newer; // the list, by arrivals[0]
} Entity;

typedef struct Entities {
    Entity **buckets;
    uint32_t bucket_count; // a power of two, or 0
    uint32_t count;
    Entity *oldest, *newest;
    int64_t next_arrival; // of the next event that is written here
    int64_t block_end;    // arrivals from here on are not ours to give
} Entities;

Entity *entities_find(const Entities *entities, const StoreId *id);
// NULL: no memory.
Entity *entities_add(Entities *entities, const StoreId *id);
JD_MUST_USE bool entities_append(Entities *entities, Entity *entity, int64_t arrival);
// Forgets the arrivals: they are in the record now.
void entities_recorded(Entities *entities, Entity *entity);
void entities_remove(Entities *entities, Entity *entity);
void entities_clear(Entities *entities);
// Moves all of `from`, none of which is in `entities`, and leaves it empty. False: no memory, and
// nothing has happened.
JD_MUST_USE bool entities_merge(Entities *entities, Entities *from);
// Forgets those of some shards.
void entities_forget(Entities *entities, const StoreShards *shards);
// Makes the table anew from the database: after opening, and after a commit that failed. shards
// (NULL: all): no others.
JD_MUST_USE bool entities_load(Entities *entities, StoreDb *db, const StoreShards *shards,
                               JdErr *err);
// Adds the open entities, each as far as its record goes; *from becomes the first arrival any of
// them needs beside (INT64_MAX: none).
JD_MUST_USE bool entities_load_open(Entities *entities, StoreDb *db, const StoreShards *shards,
                                    int64_t *from, JdErr *err);

// ---- shards (shards.c) ----

// How many a node may have; 0: nobody takes any.
uint32_t shards_fair(const StoreClusterView *view);

// ---- records (record.c) -------------------------------------------------------------------------

typedef struct RecordWriter {
    Bytes bytes;
    uint32_t events;
    int64_t last_arrival;
    uint32_t last_seq;
    int64_t last_time_ms;
} RecordWriter;
// Begins with the body of an earlier record (empty: none), checked.
JD_MUST_USE bool record_begin(RecordWriter *writer, JdStr body, const StoreId *id, JdErr *err);
JD_MUST_USE bool record_append(RecordWriter *writer, const StoreEvent *event, JdErr *err);
// Adds the checksum; writer->bytes is the body then.
JD_MUST_USE bool record_end(RecordWriter *writer, JdErr *err);

typedef struct RecordReader {
    JdStr body; // without the checksum
    size_t at;
    StoreEvent event; // the last one read
    uint32_t events;
} RecordReader;
// Checks version and checksum.
JD_MUST_USE bool record_open(RecordReader *reader, JdStr body, const StoreId *id, JdErr *err);
// True with *more false at the end. The event's body points into the record.
JD_MUST_USE bool record_next(RecordReader *reader, bool *more, JdErr *err);
JD_MUST_USE bool record_last_seq(JdStr body, const StoreId *id, uint32_t *out, JdErr *err);

// ---- applying work (log.c); all inside a transaction of the writing connection ------------------

JD_MUST_USE bool log_apply(StoreDb *db, Entities *entities, const StoreWork *work, JdErr *err);
// Moves the events of the oldest unfinished entities into records while they lie before the arrival
// `from`, at most `most` entities. *moved says how many.
JD_MUST_USE bool log_record_old(StoreDb *db, Entities *entities, int64_t from, int most, int *moved,
                                JdErr *err);
// Reads the columns game, seq, time_ms, actor, kind, body, arrival of a row.
void log_event_of_row(StoreStmt *stmt, StoreEvent *out);

// ---- the commit thread (commit.c) ---------------------------------------------------------------

// Blocks of this size are kept when they have been committed, for the next submits; what a move
// needs fits into one.
#define SUBMIT_SPARE_BYTES 2048
#define SUBMIT_SPARE_MAX 1024

// One store_submit: its items and bodies in one block of SUBMIT_SPARE_BYTES or more.
typedef struct Submit {
    struct Submit *next;
    uint64_t ticket;
    size_t bytes; // of the block
    size_t count;
    StoreWork items[];
} Submit;

// One store_write that waits; lies on the stack of the waiting thread.
typedef struct Job {
    struct Job *next;
    StoreJob run;
    void *arg;
    bool ok; // valid when done
    bool done;
    JdErr err;
} Job;

// ---- many nodes (cluster.c, lease.c, taking.c) --------------------------------------------------

#define STORE_ARRIVAL_BLOCK 1000 // as migration 0016 says

// Claimed shards whose events have not been read yet, with one former owner's last sign of life.
typedef struct Won {
    struct Won *next;
    StoreShards shards;
    int64_t alive_ms;
    bool released;
} Won;

// What was read, on its way to the commit thread's table.
typedef struct Adoption {
    struct Adoption *next;
    StoreTaking *taking;
    Entities entities;
} Adoption;

typedef struct Cluster {
    Store *store;
    int64_t epoch;     // of this node
    char session[80];  // how the server knows this node's sessions: "jadoube/SITE/NAME/EPOCH/"
    char channel[160]; // of NOTIFY, as an identifier in quotes
    int wake_fd;       // an eventfd: the lease thread has something to do
    pthread_t lease_thread;
    pthread_t taking_thread;
    bool lease_runs, taking_runs;
    StoreDb lease;  // lease thread only, once it runs
    StoreDb reader; // taking thread only
    // Lease thread only: of each shard that is this node's, the epoch with which it was passed on
    // for reading; 0: it was not.
    int64_t passed[STORE_SHARDS];

    // Guarded by the store's mutex.
    pthread_cond_t won; // the taking thread: shards came, or closing
    bool closing;
    bool poked;
    int64_t sign_ms;     // the loop's last sign of life, by its clock; 0: none yet
    int64_t sign_us;     // and by ours
    StoreShards adopted; // of which the database is to be told that they are played
    Won *first_won, *last_won;
    StoreTaking *first_taking, *last_taking; // for store_taking_next
    StoreClusterView view;
} Cluster;

bool cluster_name_ok(const char *name);
// Opening: this node among the others, with an epoch of its own; then the threads.
JD_MUST_USE bool cluster_join(Store *store, JdErr *err);
JD_MUST_USE bool cluster_start(Store *store, JdErr *err);
// After the commit thread has ended: gives all shards away and ends the lease.
void cluster_close(Store *store);
// Commit thread. Begins a transaction behind the fence; STORE_FENCED when this node is over.
// wants_turn: *has_turn says whether it is this node's turn to run jobs.
JD_MUST_USE bool cluster_begin(Store *store, bool wants_turn, bool *has_turn, JdErr *err);
// Commit thread, in a transaction: STORE_SHARDS_RELEASE.
JD_MUST_USE bool cluster_release(Store *store, const StoreWork *work, JdErr *err);
// Commit thread, outside of one: the table takes what was read, and the loop is told.
void cluster_adopt(Store *store, Adoption *adoption);
void cluster_adoption_free(Adoption *adoption);
// This node is over.
void cluster_fence(Store *store, const JdErr *err);
void cluster_tell(const Store *store); // on_cluster
void cluster_wake(Cluster *cluster);   // the lease thread
void *lease_thread(void *cluster);
void *taking_thread(void *cluster);

struct Store {
    StoreConfig config;
    const StoreDriver *driver;
    char path[512];    // SQLite
    int lock_fd;       // SQLite
    int writer_pid;    // PostgreSQL: the server's process that serves the writer; 0: none yet
    uint64_t group_id; // of the transaction being written; commit thread only
    StoreDb writer;    // commit thread only, once it runs
    Entities entities; // commit thread only, once it runs
    bool entities_stale;
    char group_key[64]; // in `meta`, where the number of the last group stands
    int64_t tenure;     // PostgreSQL, alone: what stands in `meta` as long as nobody else came
    // Many nodes. Commit thread only:
    Cluster *cluster;        // NULL: this process is alone
    StoreShards mine;        // adopted
    StoreShards mine_before; // the group being written
    bool leaving, leaving_before;
    int64_t recorded_to;   // how far the log had come when old events were last looked for
    int64_t turn_after_us; // jobs wait until then for those of other nodes
    int wal_pages;         // in the write-ahead log; commit thread only
    int wal_pages_checked; // when it was last checkpointed
    pthread_t thread;
    bool thread_runs;

    pthread_mutex_t mutex; // guards all below
    pthread_cond_t wake;   // the commit thread: work came, or closing
    pthread_cond_t done;   // waiting jobs: one or more are done
    Submit *first, *last;
    Submit *spare;
    uint32_t spare_count;
    size_t queued_bytes;
    Job *first_job, *last_job;
    uint32_t jobs_waiting;
    uint64_t next_ticket;
    uint64_t durable_ticket;
    Adoption *adoptions;
    int64_t log_end; // of a node: arrivals that any node has been given
    bool fenced;
    bool closing;
    bool found_again; // a reader reached the server: the commit thread need not wait
    bool lost;        // the last try at closing failed; last_err says why
    int readers;
    JdErr last_err; // of the failing commit
    StoreStats stats;
};

void *commit_thread(void *store);
int64_t monotonic_us(void);

#endif
