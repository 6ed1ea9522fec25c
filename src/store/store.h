// SPDX-License-Identifier: GPL-3.0-or-later
//
// The store: the log of everything that happened, and the tables about people, in one SQLite file
// or in a PostgreSQL database.
//
// Three ways in, and no others:
//   - the loop thread submits work to the commit thread (store_submit) and is told when it is
//     durable. Nobody may be told of an event before that.
//   - worker threads read through a connection of their own (store_reader_open) and write by
//     handing the commit thread a job (store_write), which blocks them until it is durable.
//   - at start-up the loop thread reads back what is unfinished (store_replay).
//
// Exactly one connection, that of the commit thread, ever writes or checkpoints; a second process
// is refused by a lock on the file jadoube.lock, or on the database. Only with PostgreSQL may
// several processes share a database, as nodes of which each owns a part ("Many nodes"). The log
// (table game_event) is append-only and is the truth; the table `game` is a projection that can be
// thrown away and rebuilt from it.
//
// The store reads no wall clock: every time in it was given by a caller.
#ifndef STORE_STORE_H
#define STORE_STORE_H

#include <jadoube/base.h>

#include "store/queries.h" // enum StoreQuery

// ---- limits -------------------------------------------------------------------------------------

// Bytes of an entity's id (a game, a challenge): 12 characters of A-Za-z0-9_- on this site; 1 to 12
// bytes of printable ASCII are stored.
#define STORE_ID_MAX 12
// Bytes of the body of one event.
#define STORE_BODY_MAX ((size_t)16 * 1024)
// Items one commit takes; a submit is never split over two commits.
#define STORE_GROUP_MAX 1000
// Items of one store_submit call.
#define STORE_SUBMIT_MAX 1000
// Bytes that may wait for the commit thread before store_submit refuses: what a disk that stands
// still for some seconds needs, and far from what a machine has.
#define STORE_QUEUE_BYTES_MAX ((size_t)64 * 1024 * 1024)
// Pages' jobs that may wait for the commit thread (one per worker thread, so never near it).
#define STORE_JOBS_MAX 256
// Reading connections open at once.
#define STORE_READERS_MAX 64

// ---- errors -------------------------------------------------------------------------------------

// Codes in JdErr.code of everything in this header.
typedef enum StoreFault {
    STORE_OK = 0,
    STORE_IN_USE = 1,    // another process holds the data directory
    STORE_NEWER = 2,     // the file was written by a newer version of the program
    STORE_FOREIGN = 3,   // the file is not a database, or one of another program
    STORE_CORRUPT = 4,   // the file is damaged (torn, truncated, failing its check)
    STORE_FULL = 5,      // the disk, a quota or the queue is full
    STORE_IO = 6,        // reading or writing failed
    STORE_CONFLICT = 7,  // a uniqueness or reference rule of the tables refused a row
    STORE_CLOSING = 8,   // store_close has begun
    STORE_NOT_FOUND = 9, // no such row where one was asked for
    STORE_MEMORY = 10,   // no memory
    STORE_SQL = 11,      // any other refusal of the database; a fault of the program
    STORE_STOPPED = 12,  // a callback answered false
    STORE_FENCED = 13,   // this node's place was taken by others; nothing it writes counts any more
} StoreFault;

// ---- opening and closing ------------------------------------------------------------------------

typedef struct Store Store;     // the database with its commit thread
typedef struct StoreDb StoreDb; // one connection: a reader's own, or the writing one inside a job

// Called on the COMMIT THREAD, without any lock held: be short (uv_async_send) and call nothing of
// the store but store_stats.
//   ok true   everything submitted up to and including last_ticket is durable (fsync done)
//   ok false  a commit failed; nothing after the ticket last reported as durable is durable.
//             last_ticket is the last ticket of the group that failed, err says why (valid during
//             the call). Said once: the group is kept and tried again (after 50 ms, doubling to
//             5 s) until it works, which ok true then reports, or until the store closes. Play
//             must stop meanwhile. With err->code STORE_FENCED it is not tried again, ever.
// Tickets of successive calls with ok true rise.
typedef void (*StoreDurableFn)(void *context, uint64_t last_ticket, bool ok, const JdErr *err);

typedef struct StoreConfig {
    // An existing directory; the file in it is jadoube.db. With a database NULL is allowed.
    const char *data_dir;
    // "postgresql://user@host/name" or "key=value ..." as libpq takes them (PostgreSQL
    // manual, 34.1): the tables are there instead, in the schema that comes first in the search
    // path, and one process holds them by an advisory lock. NULL: SQLite in data_dir.
    const char *database;
    StoreDurableFn on_durable; // NULL: nobody wants to know
    void *context;             // handed to on_durable
    // Events an unfinished entity may lie behind the end of the log before its events are moved
    // into its record, so that start-up never reads more of the log than about this. 0: 100,000.
    uint32_t replay_lag;
    // A database file up to this size is checked whole at start (quick_check); a larger one only by
    // its header, size and schema, so that a restart stays fast. 0: 64 MiB.
    int64_t check_bytes_max;
    // Pages in the write-ahead log at which the commit thread checkpoints. 0: 4,000.
    uint32_t checkpoint_pages;
    // Before a commit that failed is tried again, at first; doubles up to twentyfold. 0: 50 ms.
    uint32_t retry_ms;
    // Without a backup of the file before its schema changes. With PostgreSQL none is ever made.
    bool migrates_bare;
    const char *vfs; // SQLite VFS by name; NULL: the system's. Tests inject faults by it

    // Many nodes (below). NULL: this process alone has the database. Else its name among the nodes:
    // 1 to STORE_NODE_NAME_MAX of A-Z a-z 0-9 - _ and . ; only with a database.
    const char *node;
    // What the other nodes are told of this one, at most STORE_NODE_ADDRESS_MAX bytes; NULL:
    // nothing.
    const char *address;
    // How long after its last sign of life a node's shards are taken by others. 0: 3,000.
    uint32_t lease_ms;
    // Called on a THREAD OF THE STORE, without any lock held, when what store_cluster_view gives
    // has changed or store_taking_next has something: be short (uv_async_send), call nothing of the
    // store. Not after store_close has returned. NULL: nobody wants to know.
    void (*on_cluster)(void *context); // with the same context as on_durable
} StoreConfig;

// Opens or creates data_dir/jadoube.db, brings its schema up to date and starts the commit thread.
//
// Refused with the file untouched byte for byte: the directory held by another process
// (STORE_IN_USE), a newer schema (STORE_NEWER), a file of another program (STORE_FOREIGN), a
// damaged one (STORE_CORRUPT); err->text names the file and says what was found and what was
// expected. *out is written on success only.
JD_MUST_USE bool store_open(const StoreConfig *config, Store **out, JdErr *err);

// Refuses new work, commits what waits (one last try when commits are failing), checkpoints, joins
// the commit thread, closes the file and gives up the lock. on_durable is not called after return;
// calls still come during it. All readers must be closed and no store_write be running. NULL is
// allowed. False (err filled, NULL allowed) when something submitted could not be made durable; the
// store is closed all the same.
bool store_close(Store *store, JdErr *err);

// ---- the log ------------------------------------------------------------------------------------

// Id of an entity of the log, NUL-terminated.
typedef struct StoreId {
    char text[STORE_ID_MAX + 1];
} StoreId;

// Copies 1 to STORE_ID_MAX characters of printable ASCII; false for anything else.
JD_MUST_USE bool store_id(JdStr text, StoreId *out);
JdStr store_id_str(const StoreId *id);

// One event of one entity. kind, actor and body are the caller's own; numbers are never looked
// into. The first event of an id opens the entity; STORE_GAME_FOLD or STORE_LOG_CLOSE ends it.
typedef struct StoreEvent {
    StoreId id;
    uint32_t seq;  // from 1, strictly rising within an entity
    uint16_t kind; // numbers that tell games from challenges are the caller's business
    uint8_t actor;
    int64_t time_ms; // UTC milliseconds
    JdStr body;      // bytes, at most STORE_BODY_MAX
    int64_t arrival; // place in the whole log, from 1; filled by the store, ignored in store_submit
} StoreEvent;

// The row of a game in the projection `game`. Written when the game is created, started, ended or
// changed by an arbiter, of a slow game at every event, of others NOT with every move: rows lie
// scattered over the file, and a row a move would cost each commit a page a game (ground figures:
// p99 8 ms against 300 ms).
typedef struct StoreGameRow {
    StoreId id;
    uint8_t list;         // RatingList
    uint8_t reserved0[2]; // 0: the struct has no padding, equal rows are equal bytes
    int64_t white;        // account ids; 0: nobody
    int64_t black;
    char control[128]; // laws_control_write text; NUL-terminated like all texts here
    char category[12]; // "blitz", "rapid", "standard"
    uint8_t rated;     // 0, 1
    uint8_t edition;   // LawsEdition
    uint8_t pace;      // LawsPace
    uint8_t turn;      // ChessColor
    uint8_t offer;     // a draw offer stands: 0 none, 1 white's, 2 black's
    char result[8];    // laws_result_text: "1-0", "0-1", "1/2-1/2", "*" ...
    char reason[32];   // laws_reason_name, or empty while the game runs
    uint8_t type;      // classic 1, advance 2, blitz 3
    uint8_t flag;      // automatic flags 1, claims 2
    uint8_t touch;     // touch mode: 0, 1
    uint32_t plies;
    int64_t created_ms;
    int64_t started_ms;  // 0: not started
    int64_t ended_ms;    // 0: not ended
    int64_t deadline_ms; // of a slow game: its running clock falls then; 0: none runs
} StoreGameRow;
_Static_assert(sizeof(StoreGameRow) == 256, "StoreGameRow has padding");

typedef enum StoreWorkKind {
    STORE_LOG_EVENT = 1, // event: append to the log
    STORE_GAME_ROW = 2,  // row: insert or replace the row of the projection
    STORE_GAME_FOLD = 3, // id: the game is over, put all its events into one row of game_record.
                         // It is no longer replayed; no event of this id may follow. Its last
                         // event may stand in the same submit, before this item.
    STORE_LOG_CLOSE = 4, // id: a finished entity of which nothing need be kept (a challenge taken,
                         // cancelled, expired). It is no longer replayed; no event may follow.
    STORE_META_SET = 5,  // key, value: a small named number (store_meta_get), such as the time the
                         // server was last alive
    STORE_GAMES_CLEAR = 6, // empties the projection `game`, before it is rebuilt
    STORE_CHAT_LINE = 15,  // chat: something said at a game
    STORE_GAME_SLEEP = 20, // sleep: an unfinished game leaves the log's tail: all its events go
                           // into one row of game_record, and it is not replayed at start. Its next
                           // event makes it an unfinished game like others again
    STORE_OUTAGE = 21,   // outage: keep it (STORE_OUTAGES, of some shards STORE_OUTAGES_OF_SHARDS);
                         // a second one of the same end
                         // takes its place
    STORE_VACATION = 22, // vacation: keep it; a second one of the same beginning takes its place
    // event: append to the log and to the record of a game that has been folded: a ruling on a game
    // that is over. Its seq is above the record's last one, which the caller has read
    STORE_RECORD_EVENT = 30,
    STORE_AUDIT_ROW = 31,      // audit: one row
    STORE_SHARDS_RELEASE = 40, // release: this node gives shards to whoever claims them ("Many
                               // nodes"); no event of their entities may follow in later submits
    STORE_BELL_ROW = 160,      // bell: something a player is told on the site; the oldest make room
} StoreWorkKind;

// What stands behind the bell of a player.
typedef struct StoreBell {
    int64_t account;
    int64_t other; // who it is about
    int64_t at_ms;
    bool tell;     // by letter and push as well
    char kind[16]; // of the table's list
    char ref[16];  // a challenge or a game; empty: neither
} StoreBell;
#define STORE_BELL_MAX 50 // kept of a player

// A line of a game's chat. (game, seq) is unique; one that is there already is left as it is.
typedef struct StoreChatLine {
    StoreId game;
    uint8_t room;    // 1: the two players; 2: everybody, after the game
    int64_t account; // who said it
    int64_t seq;
    int64_t time_ms;
    JdStr text; // UTF-8, at most STORE_BODY_MAX bytes
} StoreChatLine;

// The entities of a log are dealt to STORE_SHARDS shards by their ids; a set of shards is a set of
// bits.
#define STORE_SHARDS 4096
typedef struct StoreShards {
    uint64_t bits[STORE_SHARDS / 64]; // shard n: bit n % 64 of bits[n / 64]
} StoreShards;

#define STORE_META_KEY_MAX 32

// Who did what to what, and why. NUL-terminated texts.
typedef struct StoreAudit {
    int64_t at_ms;
    int64_t actor; // account; 0: the operator at the command line
    char action[32];
    char object[64];
    char before[32];
    char after[32];
    char reason[1024];
} StoreAudit;

typedef struct StoreWork {
    StoreWorkKind kind;
    union {
        StoreAudit audit;   // STORE_AUDIT_ROW
        StoreEvent event;   // STORE_LOG_EVENT, STORE_RECORD_EVENT
        StoreGameRow row;   // STORE_GAME_ROW
        StoreChatLine chat; // STORE_CHAT_LINE
        StoreBell bell;     // STORE_BELL_ROW
        StoreId id;         // STORE_GAME_FOLD, STORE_LOG_CLOSE
        struct {
            char key[STORE_META_KEY_MAX]; // NUL-terminated; keys that begin with "store." are the
                                          // store's own
            int64_t value;
        } meta; // STORE_META_SET
        struct {
            StoreId id;
            int64_t wake_ms; // STORE_SLEEPERS_DUE finds it from then on
        } sleep;             // STORE_GAME_SLEEP
        struct {
            int64_t at_ms; // its end
            int64_t span_ms;
            bool has_shards; // it concerns these alone
            StoreShards shards;
        } outage; // STORE_OUTAGE
        struct {
            int64_t account;
            int64_t from_ms;
            int64_t until_ms;
            int64_t ended_ms; // before its time; 0: no
        } vacation;           // STORE_VACATION
        struct {
            StoreShards shards; // those of them that are this node's
            int64_t at_ms;      // when play stopped in them, by the node's clock
            // The node goes away: it claims nothing from now on, and the others count without it.
            // May come with an empty set.
            bool leaving;
        } release; // STORE_SHARDS_RELEASE
    };
} StoreWork;

// Hands items (1 to STORE_SUBMIT_MAX) to the commit thread, copied (bodies too): the caller's
// memory is free on return. They become durable together or not at all, in order, after everything
// submitted before. Returns a ticket, larger than all before; on_durable says when it is durable.
// Returns 0 and takes nothing when the store is closing or STORE_QUEUE_BYTES_MAX bytes wait: what
// was to be written is not, and play must stop. Never blocks on the disk; any one thread at a time.
JD_MUST_USE uint64_t store_submit(Store *store, const StoreWork *items, size_t count);
// The same, but the commit thread is woken only by the next store_wake (or store_submit, or job):
// for a caller that has more to hand over before it blocks itself. A commit that ends meanwhile
// takes it along all the same.
JD_MUST_USE uint64_t store_submit_quietly(Store *store, const StoreWork *items, size_t count);
void store_wake(Store *store);

// The ticket up to which everything is durable.
uint64_t store_durable_ticket(Store *store);

// Takes one event of a replay; answers false to stop. event and its body live during the call only.
// It must not use the connection that is being read.
typedef bool (*StoreEventFn)(void *context, const StoreEvent *event);

// Start-up: every event of every entity neither folded nor closed nor asleep, in arrival order
// (whatever part of it has been moved into a record meanwhile). Call before the first store_submit.
// err: STORE_STOPPED when the callback answered false, STORE_CORRUPT when the log contradicts
// itself. Of a node it gives nothing: everything comes as takings.
JD_MUST_USE bool store_replay(Store *store, StoreEventFn each, void *context, JdErr *err);

// ---- reading ------------------------------------------------------------------------------------

// A read-only connection for one worker thread. It sees every commit that was durable when a
// query began. Opening costs a millisecond: keep it.
JD_MUST_USE bool store_reader_open(Store *store, StoreDb **out, JdErr *err);
void store_reader_close(StoreDb *db); // NULL is allowed

// Every event of one entity in order: of a finished game from its record, of an unfinished one from
// record and log. *found is false, and true returned, when the log knows nothing of the id or the
// entity was closed. For an unfinished entity this reads the log from its first event on (there is
// no index by entity): what live holds in memory should be asked there.
JD_MUST_USE bool store_entity_events(StoreDb *db, const StoreId *id, StoreEventFn each,
                                     void *context, bool *found, JdErr *err);

// Every event of ALL entities in the log, finished games first, then the unfinished ones; the
// events of one entity are consecutive and in order. This is what a rebuild of a projection reads.
// One consistent snapshot. Memory: about 100 bytes for each event of the unfinished.
JD_MUST_USE bool store_entities_each(StoreDb *db, StoreEventFn each, void *context, JdErr *err);

// The row of a game in the projection; false with *found false when there is none is not a failure:
// true is returned.
JD_MUST_USE bool store_game_row(StoreDb *db, const StoreId *id, StoreGameRow *out, bool *found,
                                JdErr *err);
// All rows in order of id; each answers false to stop.
typedef bool (*StoreGameRowFn)(void *context, const StoreGameRow *row);
JD_MUST_USE bool store_game_rows_each(StoreDb *db, StoreGameRowFn each, void *context, JdErr *err);

// A number set by STORE_META_SET; true with *found false when it was never set.
JD_MUST_USE bool store_meta_get(StoreDb *db, const char *key, int64_t *value, bool *found,
                                JdErr *err);

// ---- writing from pages -------------------------------------------------------------------------

// Runs on the COMMIT THREAD on the writing connection, inside a savepoint of the group being
// committed: keep it short, no hashing of passwords in it. False (err filled) undoes what it wrote.
typedef bool (*StoreJob)(StoreDb *db, void *arg, JdErr *err);

// Runs the job and returns after the COMMIT that holds it is durable (true), or after it was undone
// (false; err from the job, or STORE_FULL, STORE_IO ... when the commit failed: the job is not
// tried again, so nothing of it will appear later). While commits are failing it answers so at
// once. Blocks the calling thread, which must be neither the loop thread nor the commit thread. The
// job runs exactly once, or not at all when the store is closing.
JD_MUST_USE bool store_write(Store *store, StoreJob job, void *arg, JdErr *err);

// Named queries: the SQL stands in src/store/queries.c, one row per StoreQuery, and nowhere else.
// SQL may change, names and columns are the contract. Inside a job they run in the group's
// transaction; on a reader each query is its own snapshot.
//
//     StoreStmt *find = store_query(db, STORE_ACCOUNT_BY_SKELETON);
//     store_bind_text(find, 1, skeleton);
//     if (store_step(find, err) == STORE_STEP_ROW)
//         account = store_column_int(find, 0);
//     store_done(find);
//
// A statement belongs to its connection and must be done before the same query is begun again.
// Texts bound must live until store_done; columns live until the next step. Errors of preparing and
// binding are kept and come out of store_step.
typedef struct StoreStmt StoreStmt;

typedef enum StoreStep {
    STORE_STEP_DONE = 0, // no (more) row
    STORE_STEP_ROW = 1,
    STORE_STEP_FAILED = 2, // err filled
} StoreStep;

StoreStmt *store_query(StoreDb *db, StoreQuery query);
void store_bind_int(StoreStmt *stmt, int index, int64_t value); // index counts from 1
void store_bind_text(StoreStmt *stmt, int index, JdStr text);
void store_bind_blob(StoreStmt *stmt, int index, JdStr bytes);
void store_bind_null(StoreStmt *stmt, int index);
JD_MUST_USE StoreStep store_step(StoreStmt *stmt, JdErr *err);
int64_t store_column_int(StoreStmt *stmt, int index); // index counts from 0; NULL reads as 0
JdStr store_column_text(StoreStmt *stmt, int index);  // NULL reads as empty
JdStr store_column_blob(StoreStmt *stmt, int index);
bool store_column_is_null(StoreStmt *stmt, int index);
void store_done(StoreStmt *stmt);
// Reads the columns of STORE_GAME_ROW_BY_ID or STORE_PLAYER_GAMES.
void store_game_row_of(StoreStmt *stmt, StoreGameRow *out);
// A query that gives no rows, or whose rows do not matter: step to the end and done. *changed (may
// be NULL) is the number of rows it inserted, updated or deleted.
JD_MUST_USE bool store_run(StoreStmt *stmt, int64_t *changed, JdErr *err);

// ---- moving house -------------------------------------------------------------------------------

typedef struct StoreCopied {
    uint64_t tables;
    uint64_t rows;
} StoreCopied;

// Copies every row of one site into another one that is empty, whole or not at all (one
// transaction), then reads both sides again and compares every value. Both are open in this process
// and stand still meanwhile. err: STORE_CONFLICT when `to` holds rows already or what was read
// again differs. After it `to` is to be closed: its commit thread knows nothing of the games that
// came.
JD_MUST_USE bool store_copy(Store *from, Store *to, StoreCopied *out, JdErr *err);

// ---- backups ------------------------------------------------------------------------------------

#define STORE_PROGRAM_SIZE 32

typedef struct StoreBackup {
    int64_t made_ms;                  // when it was begun; 0: not said
    char program[STORE_PROGRAM_SIZE]; // version of the program that made it; may be empty
    int schema;                       // migrations the site had had
    uint64_t tables;
    uint64_t rows;
    int64_t bytes; // of the file
} StoreBackup;

// Writes one snapshot of a site into a new file at path, while the site runs in another process or
// stands still: everything that was durable when this was called is in it. Of the site's config
// data_dir, database and vfs count; it is only read, and nothing waits for it (a write-ahead log
// grows meanwhile). Of *out the caller fills made_ms and program, the rest is written on success.
//
// The file is SQLite's whichever database the site has, and has its name only once it is complete,
// compared with its sums and on the disk; until then it is called PATH.partial. err:
// STORE_CONFLICT when there is such a file already, STORE_NOT_FOUND when there is no site.
JD_MUST_USE bool store_backup(const StoreConfig *site, const char *path, StoreBackup *out,
                              JdErr *err);

// Reads a backup whole and compares each table with the number of rows and the hash that were
// noted. err: STORE_CORRUPT, STORE_FOREIGN (no backup of this program), STORE_NEWER.
JD_MUST_USE bool store_backup_check(const char *path, StoreBackup *out, JdErr *err);

// Makes a new site of a backup, up to date with this program; counts and hashes are compared as the
// rows are read and again when they are written. The directory (made when it is missing) must hold
// no site, a database of PostgreSQL no rows: STORE_CONFLICT. When it fails there is no site.
JD_MUST_USE bool store_restore(const char *path, const StoreConfig *site, StoreBackup *out,
                               JdErr *err);

// Migrations a site has had, and that this program knows. Reads only.
JD_MUST_USE bool store_schema(const StoreConfig *site, int *version, JdErr *err);
int store_schema_known(void);

// ---- many nodes ---------------------------------------------------------------------------------
//
// With StoreConfig.node several processes share one PostgreSQL database. Each owns some of the
// shards, and only the owner of an entity's shard may append events of it. Who owns what stands in
// the tables `node` and `shard`:
//
//   - A node holds a lease: a thread of the store renews it three times a lease, by the database's
//     clock, as long as the loop gave a sign of life (store_cluster_alive) within the last lease.
//   - A lease that has run out is ended by any other node, which makes the dead node's epoch one
//     higher; its shards become nobody's.
//   - Every node claims shards that are nobody's until it has its fair share of them, the 4,096
//     divided by the nodes that live, rounded up. It begins with the first store_cluster_alive.
//   - An owner gives shards away by STORE_SHARDS_RELEASE.
//
// The fence: every transaction of a node's commit thread first asks for its row with its epoch, FOR
// KEY SHARE. Who ends a lease changes the epoch, a key column, which waits for such a transaction
// and which such a transaction waits for. So whatever a node writes is either committed before its
// shards can be claimed, and read by the new owner, or is refused by the database: clocks and
// time-outs have no part in it. A node refused so is fenced for ever: store_submit answers 0,
// store_write STORE_FENCED, on_durable has said STORE_FENCED if anything waited, the view says
// `fenced`. The process is to end; started again under the same name it is a new node, with a
// higher epoch. A node that is started while a former self of the same name lives fences that.
//
// A single process without a name is refused (STORE_IN_USE) while a node's lease lasts, and nodes
// while a single process has the database.
//
// Jobs (store_write) run one after the other over all nodes; each node's play goes on meanwhile.

uint16_t store_shard_of(const StoreId *id); // below STORE_SHARDS: FNV-1a 64 of its text, modulo
bool store_shards_has(const StoreShards *shards, uint32_t shard);
void store_shards_add(StoreShards *shards, uint32_t shard);
void store_shards_remove(StoreShards *shards, uint32_t shard);
uint32_t store_shards_count(const StoreShards *shards);

// The loop's sign of life, to be given at least three times a lease; now_ms by the clock that times
// events. Nothing without a node. Any thread; never blocks.
void store_cluster_alive(Store *store, int64_t now_ms);
// Looks after leases and free shards at once (a node came or went, shards were released). The store
// hears of what other nodes do by the database too, so this is never needed. Nothing without a
// node.
void store_cluster_poke(Store *store);

#define STORE_NODES_MAX 64 // that live at once
#define STORE_NODE_NAME_MAX 32
#define STORE_NODE_ADDRESS_MAX 255
#define STORE_NOBODY UINT8_MAX

typedef struct StoreMember {
    char name[STORE_NODE_NAME_MAX + 1];
    char address[STORE_NODE_ADDRESS_MAX + 1];
    int64_t epoch;   // rises with every start under that name
    uint16_t shards; // how many it owns
    bool leaving;    // it has said so, or has not given its first sign of life yet: no fair share
} StoreMember;

// What the database said when it was last asked.
typedef struct StoreClusterView {
    uint64_t version; // rises with every change; 0: nothing known yet, or no node
    uint32_t count;
    uint32_t self; // of members; count when this node is not among them (fenced, or nothing known)
    StoreMember members[STORE_NODES_MAX]; // who lives, in order of their names
    // Of each shard the index of its owner in members, or STORE_NOBODY. A shard is said to be this
    // node's as soon as it is claimed; it can be served when its taking has come.
    uint8_t owner[STORE_SHARDS];
    bool fenced; // this node is over
} StoreClusterView;

// Any thread. The view is empty until the store has looked for the first time.
void store_cluster_view(Store *store, StoreClusterView *out);
// This node's number among all that ever had its name, as of store_open; 0: it is alone.
int64_t store_cluster_epoch(const Store *store);

// The shards this node would give away (STORE_SHARDS_RELEASE) so that others come to their fair
// share: as many as it has above its own and they lack. False when there is nothing to give.
bool store_cluster_surplus(const StoreClusterView *view, StoreShards *out);

// Shards that have become this node's. From here on its commit thread takes events of their
// entities, so the loop may serve them as soon as it knows the entities in `events`.
typedef struct StoreTaking {
    StoreShards shards;
    // The last sign of life of their former owner, by its own clock (at_ms of its release, or what
    // it last gave to store_cluster_alive, which may be a third of a lease old); 0: they had none.
    // Shards with former owners of different last signs come as different takings. A process alone
    // writes down when it lived in its own way (STORE_META_SET); a node does not do that, so the
    // later of that note and this number is when the shards were last played.
    int64_t alive_ms;
    bool released;            // they were given away; else their owner was found dead
    size_t count;             // of events
    StoreEvent *events;       // of all unfinished entities of these shards, in arrival order
    struct StoreTaking *next; // the store's own
    void *bodies;             // likewise
} StoreTaking;

// The next of them; NULL: none now. It is the caller's then. Any one thread.
StoreTaking *store_taking_next(Store *store);
void store_taking_free(StoreTaking *taking); // NULL is allowed

// ---- watching -----------------------------------------------------------------------------------

// Upper ends of the buckets of commit times, microseconds.
#define STORE_COMMIT_BUCKETS 12
extern const uint32_t store_commit_ends_us[STORE_COMMIT_BUCKETS];

typedef struct StoreStats {
    uint64_t events;        // appended since start
    uint64_t groups;        // commits since start
    uint64_t jobs;          // store_write jobs committed since start
    uint64_t failures;      // commits that failed
    uint64_t checkpoints;   // since start
    uint32_t largest_group; // items
    uint32_t queued;        // items waiting now
    uint32_t wal_pages;     // in the write-ahead log after the last commit
    uint32_t open_entities; // neither folded nor closed
    uint64_t commit_us_sum; // time spent in groups, from BEGIN to the end of COMMIT, microseconds
    uint64_t commit_us_max;
    uint64_t commit_buckets[STORE_COMMIT_BUCKETS + 1]; // of groups; the last is past all ends
    bool failing; // the last commit failed and is being tried again
    // Of a node:
    uint64_t renewals;    // of the lease
    uint64_t takings;     // shards that came, counted each time they came
    uint64_t releases;    // likewise that went
    uint64_t fenced;      // other nodes that this one found dead
    uint64_t turns;       // times jobs waited for those of other nodes
    uint64_t collided;    // commits the database undid for another node's sake, tried again at once
    int64_t lease_us_max; // longest time between two renewals
} StoreStats;

// Callable from any thread.
void store_stats(Store *store, StoreStats *out);

#endif
