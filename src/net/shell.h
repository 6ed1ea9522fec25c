// SPDX-License-Identifier: GPL-3.0-or-later
//
// The shell around live: gives it the time, logs what it decides, and lets its words out when they
// are durable. Keeps the four promises of live/live.h. Loop thread only.
#ifndef JADOUBE_NET_SHELL_H
#define JADOUBE_NET_SHELL_H

#include <uv.h>

#include <jadoube/base.h>

#include "live/live.h"
#include "net/clock.h"
#include "net/outbox.h"
#include "pages/pages.h"
#include "store/store.h"

// Steps that may wait for the disk; past it commands are refused as "unavailable".
#define NET_HELD_MAX 50000
// Commands that may wait for a commit that takes long, and for how long.
#define NET_PATIENT_MAX 4096
#define NET_PATIENCE_MS 8000

// Called for every effect that may now be told, in order. staged: when the step was made.
typedef void (*NetDeliverFn)(void *context, const LiveEffect *effect, JdInstant staged);

// ok false: commands are not taken now either.
typedef void (*NetReadyFn)(void *context, bool ok);

typedef struct NetShell {
    Live *live;
    Store *store;
    const NetClock *clock;
    NetClock *own_clock;
    LiveMemory memory;
    NetOutbox outbox;
    NetDeliverFn deliver;
    void *context;
    uv_async_t durable; // from the commit thread
    uv_timer_t deadline;
    uv_timer_t heartbeat;
    uint64_t last_ticket;
    StoreWork *work;
    size_t work_capacity;
    struct NetMust *musts; // what came while commits stood still
    size_t must_count;
    size_t must_capacity;
    struct NetPatient *patient; // who waits for a commit that takes long, the first to come first
    struct NetPatient *last_patient;
    size_t patients;
    size_t games_replayed;
    PagesMe computers[LIVE_LEVELS_MAX]; // by level; set before net_shell_start
    // Of a node among several: makes a command ready to be stepped; false: it cannot be now.
    bool (*prepare)(void *context, LiveCommand *command);
    LiveResume alone;                 // what a process that had the database for itself left behind
    const struct NetCluster *cluster; // NULL: this process is alone. Set before net_shell_start
    const StoreShards *stood; // whom an outage concerns that live tells of; NULL: all that are here
    uint64_t outage_ticket;   // of the last outage that was logged
    bool releasing;
    bool unsaid; // the commit thread has not been told of what was submitted last
    bool open;
    bool failing;      // commits fail: play stands
    bool has_sleepers; // games may sleep in the database
    uint64_t renames;  // changes of accounts, since the start
    int64_t awake_ms;  // when the loop was last seen to turn, by the machine's steady clock
} NetShell;

// What StoreConfig.on_durable and its context must be; the shell may be opened later.
void net_shell_on_durable(void *shell, uint64_t ticket, bool ok, const JdErr *err);

// A game's row as the store keeps it.
StoreGameRow net_store_row(const LiveGameRow *row);

// Makes the handles of the shell on the loop; before store_open.
bool net_shell_init(NetShell *shell, uv_loop_t *loop, NetClock *clock, NetDeliverFn deliver,
                    void *context);
// Replays the log into live, names the accounts, credits the outage. Writes to the log.
JD_MUST_USE bool net_shell_start(NetShell *shell, Store *store, Pages *pages, JdErr *err);

// Whether a command would be taken now: false while the disk fails or stands still.
bool net_shell_ready(const NetShell *shell);
// Whether it would not, for nothing but a commit that takes long: a disk that is slow for a moment
// is no reason to refuse a move.
bool net_shell_pauses(const NetShell *shell);
// While it pauses: `then` is called once commands are taken again, or with ok false when the disk
// fails, NET_PATIENCE_MS have gone by, or net_shell_hurry is called; never during this call. False:
// it does not pause, or too many wait already.
bool net_shell_wait(NetShell *shell, NetReadyFn then, void *context);
void net_shell_hurry(NetShell *shell); // nobody waits any more: the server stops
// One step, when net_shell_ready. The answer comes through deliver, perhaps during the call.
void net_shell_step(NetShell *shell, const LiveCommand *command);
// The step live_wake; what it logs goes the way of every step. err: the events are no game.
JD_MUST_USE bool net_shell_wake(NetShell *shell, const LiveSleeper *sleeper, JdErr *err);
// Facts live must learn whatever the disk does: a connection is gone; an account has a new nick, or
// (empty) was deleted. Taken always; live is told when commits work again.
void net_shell_disconnect(NetShell *shell, uint64_t connection);
// Challenges go and running games end: the account is blocked or wants to be erased.
void net_shell_leaves(NetShell *shell, LiveAccount account);
void net_shell_renamed(NetShell *shell, LiveAccount account, JdStr nick);
// An account's ratings (or another part of its profile, but not its block list); what a game did to
// the ratings, NULL: nothing any more. Taken always as well.
void net_shell_profile(NetShell *shell, LiveAccount account, const LiveProfile *profile);
void net_shell_rated(NetShell *shell, const LiveId *game, const LiveRated *rated);
// Another result for a game that is over (LIVE_OVERRULED); entry is durable.
void net_shell_overruled(NetShell *shell, const LiveLogEvent *entry, const LiveAccount players[2]);
// Who can mate in a game's position (LIVE_VERDICT); likewise.
void net_shell_verdict(NetShell *shell, const LiveId *game, uint32_t ply, uint8_t code);
// Of a node: entities come (the step live_adopt); stood: the shards whose sleeping games are to be
// credited with the time that nobody had them, NULL: that is said another time. Or they go: they
// leave live at once, and their shards are released after everything logged before.
JD_MUST_USE bool net_shell_adopt(NetShell *shell, LiveAdoption *adoption, const StoreShards *stood,
                                 JdErr *err);
void net_shell_give(NetShell *shell, LiveBelongsFn belongs, void *context,
                    const StoreShards *shards, bool leaving);
// At the end of each turn of the loop: tells the commit thread that there is work. Once a turn and
// not once a step, so that a commit takes all that came together and threads change less often.
void net_shell_turn(NetShell *shell);
// A vacation that began or ended at another node (LIVE_VACATION_TOLD).
void net_shell_vacation(NetShell *shell, const LiveVacation *vacation);
// Whether something still waits for the disk.
bool net_shell_busy(const NetShell *shell);

// Notes a clean stop and takes the handles off the loop; live and what it held are freed by
// net_shell_free after store_close.
void net_shell_stop(NetShell *shell);
void net_shell_free(NetShell *shell);

#endif
