// SPDX-License-Identifier: GPL-3.0-or-later
//
// From a StoreTaking to live.
#include "net/adopt.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "net/cluster.h"
#include "net/log.h"
#include "net/me.h"
#include "net/server.h"

// A taking with more events than this is adopted in pieces of so many shards, one in a turn of the
// loop.
#define EVENTS_AT_ONCE 4000
#define SHARDS_AT_ONCE 64
// People may be renamed, or become known and be forgotten, while they are read.
#define TRIES_MAX 5
#define RETRY_MS 200 // while the database is away

typedef struct Entry {
    LiveLogEvent log;
    unsigned shard;
    unsigned piece;
    int64_t born; // arrival of the entity's first event
    int64_t arrival;
} Entry;

typedef struct Person {
    LiveAccount account;
    PagesNick nick;
    LiveProfile profile;
    int64_t ignored[PAGES_IGNORED_MAX];
} Person;

typedef struct Adoption {
    NetJob job; // first
    NetServer *server;
    StoreTaking *taking;
    Entry *entries; // by piece, then by the entities' ages, then by arrival
    LiveLogEvent *events;
    size_t count;
    unsigned pieces;
    unsigned piece;        // the next one
    size_t at;             // its first event
    LiveAccount *accounts; // to be read
    size_t account_count;
    Person *people;
    LivePerson *known;
    LiveVacation *vacations; // those that last
    size_t vacation_count;
    int64_t now_ms;
    uint64_t renames;
    int tries;
    bool read; // people have been
    JdErr err;
} Adoption;

static void *memory(size_t count, size_t size) {
    void *block = calloc(count > 0 ? count : 1, size);
    if (block == NULL) {
        net_log(NET_LOG_ERROR, "out of memory");
        abort(); // as live does: the log brings everything back
    }
    return block;
}

// ---- in order -----------------------------------------------------------------------------------

static int compare_numbers(int64_t a, int64_t b) {
    return a < b ? -1 : a > b;
}

static int by_entity(const void *a, const void *b) {
    const Entry *left = a;
    const Entry *right = b;
    const int order = strcmp(left->log.id.text, right->log.id.text);
    return order != 0 ? order : compare_numbers(left->arrival, right->arrival);
}

static int by_piece(const void *a, const void *b) {
    const Entry *left = a;
    const Entry *right = b;
    int order = compare_numbers(left->piece, right->piece);
    if (order == 0)
        order = compare_numbers(left->born, right->born);
    return order != 0 ? order : by_entity(a, b);
}

// False: an event is none of this program.
static bool sort_events(Adoption *self, JdErr *err) {
    const StoreTaking *taking = self->taking;
    const bool whole = taking->count <= EVENTS_AT_ONCE;
    self->count = taking->count;
    self->pieces = whole ? 1 : STORE_SHARDS / SHARDS_AT_ONCE;
    self->entries = memory(self->count, sizeof(Entry));
    self->events = memory(self->count, sizeof(LiveLogEvent));
    for (size_t i = 0; i < self->count; i++) {
        const StoreEvent *event = &taking->events[i];
        Entry *entry = &self->entries[i];
        entry->log = (LiveLogEvent) {
            .seq = event->seq,
            .at = { event->time_ms },
            .actor = event->actor,
            .kind = (uint8_t)event->kind,
            .body = (const unsigned char *)event->body.data,
            .body_size = event->body.size,
        };
        if (event->kind > UINT8_MAX || !live_id_parse(store_id_str(&event->id), &entry->log.id))
            return jd_fail(err, 1, 0, "the log, arrival %lld: no event of this program",
                           (long long)event->arrival);
        entry->shard = store_shard_of(&event->id);
        entry->piece = whole ? 0 : entry->shard / SHARDS_AT_ONCE;
        entry->arrival = event->arrival;
    }
    qsort(self->entries, self->count, sizeof(Entry), by_entity);
    for (size_t i = 0; i < self->count; i++) {
        Entry *entry = &self->entries[i];
        const bool first = i == 0 || !live_id_equal(&entry->log.id, &entry[-1].log.id);
        entry->born = first ? entry->arrival : entry[-1].born;
    }
    qsort(self->entries, self->count, sizeof(Entry), by_piece);
    for (size_t i = 0; i < self->count; i++)
        self->events[i] = self->entries[i].log;
    return true;
}

static int by_account(const void *a, const void *b) {
    return compare_numbers(*(const LiveAccount *)a, *(const LiveAccount *)b);
}

// Whom live does not know, of those events that have not been adopted.
static bool gather_accounts(Adoption *self, JdErr *err) {
    const Live *live = self->server->shell.live;
    size_t count = 0;
    free(self->accounts);
    self->accounts = memory(2 * (self->count - self->at), sizeof(LiveAccount));
    for (size_t i = self->at; i < self->count; i++) {
        LiveAccount named[2];
        size_t names = 0;
        if (!live_birth_accounts(&self->events[i], named, &names, err))
            return false;
        for (size_t k = 0; k < names; k++)
            if (!live_knows(live, named[k]))
                self->accounts[count++] = named[k];
    }
    qsort(self->accounts, count, sizeof(LiveAccount), by_account);
    self->account_count = 0;
    for (size_t i = 0; i < count; i++)
        if (i == 0 || self->accounts[i] != self->accounts[i - 1])
            self->accounts[self->account_count++] = self->accounts[i];
    return true;
}

// ---- on a worker --------------------------------------------------------------------------------

static bool read_person(Adoption *self, NetWorkerKit *kit, Person *person) {
    PagesFault fault = { 0 };
    PagesRatings ratings;
    size_t ignored = 0;
    if (!pages_ratings(kit->pages, person->account, &ratings, &fault) ||
        !pages_ignored(kit->pages, person->account, person->ignored, &ignored, &fault)) {
        self->err = fault.err;
        return false;
    }
    person->profile = net_profile_of_ratings(&ratings);
    person->profile.parts |= LIVE_PROFILE_BLOCKED;
    person->profile.blocked = person->ignored;
    person->profile.blocked_count = (uint16_t)ignored;
    return true;
}

static bool read_people(Adoption *self, NetWorkerKit *kit) {
    self->people = memory(self->account_count, sizeof(Person));
    self->known = memory(self->account_count, sizeof(LivePerson));
    PagesNick nicks[PAGES_NICKS_MAX];
    for (size_t from = 0; from < self->account_count; from += PAGES_NICKS_MAX) {
        const size_t left = self->account_count - from;
        const size_t count = left < PAGES_NICKS_MAX ? left : PAGES_NICKS_MAX;
        PagesFault fault = { 0 };
        if (!pages_nicks(kit->pages, self->accounts + from, count, nicks, &fault)) {
            self->err = fault.err;
            return false;
        }
        for (size_t i = 0; i < count; i++) {
            Person *person = &self->people[from + i];
            person->account = self->accounts[from + i];
            person->nick = nicks[i];
            if (!read_person(self, kit, person))
                return false;
            self->known[from + i] = (LivePerson) { .account = person->account,
                                                   .nick = jd_str(person->nick.text),
                                                   .profile = &person->profile };
        }
    }
    return true;
}

static bool read_vacations(Adoption *self, NetWorkerKit *kit) {
    StoreStmt *lasting = store_query(kit->db, STORE_VACATIONS_LAST);
    size_t capacity = 0;
    StoreStep step;
    self->vacation_count = 0;
    store_bind_int(lasting, 1, self->now_ms);
    while ((step = store_step(lasting, &self->err)) == STORE_STEP_ROW) {
        if (self->vacation_count == capacity) {
            capacity = capacity == 0 ? 16 : capacity * 2;
            LiveVacation *wider = realloc(self->vacations, capacity * sizeof(LiveVacation));
            if (wider == NULL)
                break;
            self->vacations = wider;
        }
        self->vacations[self->vacation_count++] =
            (LiveVacation) { .account = store_column_int(lasting, 0),
                             .from_ms = store_column_int(lasting, 1),
                             .until_ms = store_column_int(lasting, 2),
                             .ended_ms = LIVE_NEVER };
    }
    store_done(lasting);
    return step == STORE_STEP_DONE;
}

static void run(NetJob *job, NetWorkerKit *kit) {
    Adoption *self = (Adoption *)job;
    if (self->read)
        return; // only the next turn of the loop was wanted
    if (self->err.code != 0)
        nanosleep(&(struct timespec) { .tv_nsec = RETRY_MS * 1000000L }, NULL);
    self->err = (JdErr) { 0 };
    if ((!read_people(self, kit) || !read_vacations(self, kit)) && self->err.code == 0)
        (void)jd_fail(&self->err, 1, 0, "people cannot be read");
}

// ---- on the loop --------------------------------------------------------------------------------

static void forget_people(Adoption *self) {
    free(self->people);
    free(self->known);
    self->people = NULL;
    self->known = NULL;
    self->read = false;
}

static void finish(Adoption *self) {
    NetServer *server = self->server;
    forget_people(self);
    free(self->accounts);
    free(self->entries);
    free(self->events);
    free(self->vacations);
    store_taking_free(self->taking);
    free(self);
    net_cluster_taken(server->cluster);
}

static void done(NetJob *job);

static void push(Adoption *self) {
    self->job = (NetJob) { .run = run, .done = done };
    self->renames = self->server->shell.renames;
    self->now_ms = net_now(self->server).ms;
    if (net_workers_push(self->server->workers, &self->job))
        return;
    // The shards stay nobody's here until the process ends: better than games that are lost.
    net_log(NET_LOG_ERROR, "too many requests wait: shards that have come cannot be served");
    net_server_end(self->server, NET_CLUSTER_EXIT_FENCED);
    finish(self);
}

static LiveAdoption adoption_of(const Adoption *self, size_t from, size_t count) {
    return (LiveAdoption) {
        .events = self->events + from,
        .count = count,
        .people = self->known,
        .people_count = self->account_count,
        .last_alive = { self->taking->alive_ms },
        .heartbeat = { self->taking->released || self->taking->alive_ms == 0
                           ? 0
                           : NET_CLUSTER_HEARTBEAT_MS },
    };
}

static size_t end_of_entity(const Adoption *self, size_t from) {
    size_t end = from + 1;
    while (end < self->count && live_id_equal(&self->events[end].id, &self->events[from].id))
        end++;
    return end;
}

static size_t end_of_piece(const Adoption *self) {
    size_t end = self->at;
    while (end < self->count && self->entries[end].piece == self->piece)
        end++;
    return end;
}

// One by one: what no program could play on is left out, and said, and the rest goes on.
static void adopt_singly(Adoption *self, size_t end) {
    for (size_t from = self->at, next; from < end; from = next) {
        next = end_of_entity(self, from);
        LiveAdoption one = adoption_of(self, from, next - from);
        JdErr err = { 0 };
        if (!net_shell_adopt(&self->server->shell, &one, &self->taking->shards, &err))
            net_log(NET_LOG_ERROR, "%s cannot be played on: %s", self->events[from].id.text,
                    err.text);
    }
}

// False: people are missing.
static bool adopt_piece(Adoption *self) {
    NetServer *server = self->server;
    const size_t end = end_of_piece(self);
    const bool last = self->piece + 1 == self->pieces;
    LiveAdoption piece = adoption_of(self, self->at, end - self->at);
    JdErr err = { 0 };
    if ((end > self->at || last) &&
        !net_shell_adopt(&server->shell, &piece, last ? &self->taking->shards : NULL, &err)) {
        if (++self->tries < TRIES_MAX)
            return false;
        net_log(NET_LOG_ERROR, "a hand-over: %s", err.text);
        adopt_singly(self, end);
    }
    StoreShards shards = { { 0 } };
    size_t entities = 0;
    for (size_t i = self->at; i < end; i++)
        entities += i == self->at || self->entries[i].born != self->entries[i - 1].born;
    for (unsigned shard = 0; shard < STORE_SHARDS; shard++)
        if (store_shards_has(&self->taking->shards, shard) &&
            (self->pieces == 1 || shard / SHARDS_AT_ONCE == self->piece))
            store_shards_add(&shards, shard);
    self->at = end;
    self->piece++;
    const int64_t alive_ms = self->taking->released ? self->taking->alive_ms : 0;
    net_cluster_adopted(server->cluster, &shards, entities,
                        alive_ms == 0 ? 0 : net_now(server).ms - alive_ms);
    return true;
}

static void say(const Adoption *self) {
    const StoreTaking *taking = self->taking;
    const unsigned count = store_shards_count(&taking->shards);
    if (taking->alive_ms == 0 || taking->released)
        net_log(NET_LOG_INFO, "%u shards came, with %zu events", count, self->count);
    else
        net_log(NET_LOG_WARN,
                "%u shards of a node that is not there any more were taken over, with "
                "%zu events, last played %lld ms ago",
                count, self->count, (long long)(net_now(self->server).ms - taking->alive_ms));
}

static void again(Adoption *self) {
    JdErr err = { 0 };
    forget_people(self);
    if (gather_accounts(self, &err)) {
        push(self);
        return;
    }
    net_log(NET_LOG_ERROR, "a hand-over: %s", err.text);
    net_server_end(self->server, 1);
    finish(self);
}

static void done(NetJob *job) {
    Adoption *self = (Adoption *)job;
    NetServer *server = self->server;
    if (!job->ran || !net_cluster_takes(server->cluster)) {
        finish(self);
        return;
    }
    if (self->err.code != 0) {
        // The database went away: shards that are ours wait until it is back.
        net_log(NET_LOG_WARN, "a hand-over: %s", self->err.text);
        again(self);
        return;
    }
    self->read = true;
    if (server->shell.renames != self->renames || !adopt_piece(self)) {
        again(self);
        return;
    }
    self->renames = server->shell.renames;
    if (self->piece < self->pieces) {
        push(self);
        return;
    }
    say(self);
    for (size_t i = 0; i < self->vacation_count; i++)
        net_vacation_told(server, &self->vacations[i]);
    finish(self);
}

void net_adopt(NetServer *server, StoreTaking *taking) {
    Adoption *self = memory(1, sizeof(*self));
    JdErr err = { 0 };
    self->server = server;
    self->taking = taking;
    if (sort_events(self, &err) && gather_accounts(self, &err)) {
        push(self);
        return;
    }
    net_log(NET_LOG_ERROR, "a hand-over: %s", err.text);
    net_server_end(server, 1);
    finish(self);
}

// ---- vacations ----------------------------------------------------------------------------------

typedef struct Told {
    NetServer *server;
    LiveVacation vacation;
} Told;

static void tell(NetServer *server, const LiveVacation *vacation) {
    const LiveCommand command = { .kind = LIVE_VACATION_TOLD,
                                  .account = vacation->account,
                                  .vacation = vacation };
    net_shell_step(&server->shell, &command);
}

static void on_awake(void *context, bool ok) {
    Told *told = context;
    if (ok)
        tell(told->server, &told->vacation);
    else
        net_log(NET_LOG_ERROR,
                "games of account %lld do not wake: its vacation is not told to them",
                (long long)told->vacation.account);
    free(told);
}

void net_vacation_told(NetServer *server, const LiveVacation *vacation) {
    const LiveCommand command = { .kind = LIVE_VACATION_TOLD,
                                  .account = vacation->account,
                                  .vacation = vacation };
    Told *told = memory(1, sizeof(*told));
    bool full = false;
    *told = (Told) { server, *vacation };
    if (net_sleepers_wait(&server->sleepers, &command, on_awake, told, &full))
        return;
    if (!full)
        tell(server, vacation);
    else
        net_log(NET_LOG_ERROR, "too many commands wait: a vacation is not told to games here");
    free(told);
}
