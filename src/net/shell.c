// SPDX-License-Identifier: GPL-3.0-or-later
//
// live, the log and the clock, put together.
#include "net/shell.h"

#include <stdlib.h>
#include <string.h>

#include "net/cluster.h"
#include "net/log.h"
#include "net/me.h"

// How often a sign of life is written while games run, and what is promised to live about it: the
// loop may be late.
#define BEAT_MS 500
#define BEAT_PROMISED_MS 1000
#define META_ALIVE "net.alive"
#define META_BEAT "net.beat" // what was promised; 0 after a clean stop

static void *resize(void *context, void *block, size_t old_size, size_t new_size) {
    (void)context;
    (void)old_size;
    if (new_size == 0) {
        free(block);
        return NULL;
    }
    void *memory = realloc(block, new_size);
    if (memory == NULL) {
        // live is never told so: the process ends and the log brings everything back.
        net_log(NET_LOG_ERROR, "out of memory");
        abort();
    }
    return memory;
}

// ---- from the commit thread -------------------------------------------------------------------

void net_shell_on_durable(void *context, uint64_t ticket, bool ok, const JdErr *err) {
    NetShell *shell = context;
    (void)ticket;
    if (!ok)
        net_log(NET_LOG_ERROR, "a commit failed, play stands until one works: %s", err->text);
    // The loop asks the store for the ticket and its state: nothing is shared here.
    uv_async_send(&shell->durable);
}

// ---- effects to the log -----------------------------------------------------------------------

static StoreWork *add_work(NetShell *shell, size_t at, StoreWorkKind kind) {
    if (at >= shell->work_capacity) {
        const size_t old = shell->work_capacity;
        shell->work_capacity = old == 0 ? 16 : old * 2;
        shell->work = resize(NULL, shell->work, old * sizeof(StoreWork),
                             shell->work_capacity * sizeof(StoreWork));
    }
    memset(&shell->work[at], 0, sizeof(StoreWork));
    shell->work[at].kind = kind;
    return &shell->work[at];
}

static StoreId store_id_of(const LiveId *id) {
    StoreId out;
    const bool ok = store_id(jd_str(id->text), &out);
    JD_ASSERT(ok);
    return out;
}

static void put_text(char *out, size_t size, const char *text) {
    jd_format(out, size, "%s", text);
}

StoreGameRow net_store_row(const LiveGameRow *from) {
    StoreGameRow row;
    memset(&row, 0, sizeof(row));
    row.id = store_id_of(&from->id);
    row.white = from->seats[CHESS_WHITE].account;
    row.black = from->seats[CHESS_BLACK].account;
    LawsControl control;
    const bool sound = live_control_to_laws(&from->control, &control, NULL);
    JD_ASSERT(sound);
    char text[LAWS_CONTROL_TEXT_SIZE];
    laws_control_write(&control, text);
    put_text(row.control, sizeof(row.control), text);
    put_text(row.category, sizeof(row.category), laws_pace_name((LawsPace)from->category));
    row.rated = from->rated;
    row.edition = from->edition;
    row.pace = from->pace;
    row.type = from->type;
    row.flag = from->flag;
    row.touch = from->touch;
    row.list = (uint8_t)live_list(from->type, &from->control);
    row.turn = from->turn;
    row.offer = (uint8_t)(from->offer == LIVE_NO_COLOR ? 0 : from->offer + 1);
    put_text(row.result, sizeof(row.result), from->result);
    if (from->reason != LAWS_NOT_ENDED)
        put_text(row.reason, sizeof(row.reason), laws_reason_name((LawsReason)from->reason));
    row.plies = from->plies;
    row.created_ms = from->created_ms;
    row.started_ms = from->started_ms == LIVE_NEVER ? 0 : from->started_ms;
    row.ended_ms = from->ended_ms == LIVE_NEVER ? 0 : from->ended_ms;
    row.deadline_ms =
        from->deadline_ms == LIVE_NEVER || !laws_control_is_slow(&control) ? 0 : from->deadline_ms;
    return row;
}

static bool work_of(NetShell *shell, const LiveEffect *effect, size_t at) {
    switch ((LiveEffectKind)effect->kind) {
    case LIVE_FX_LOG: {
        const LiveLogEvent *log = effect->log;
        add_work(shell, at, STORE_LOG_EVENT)->event = (StoreEvent) {
            .id = store_id_of(&log->id),
            .seq = log->seq,
            .kind = log->kind,
            .actor = log->actor,
            .time_ms = log->at.ms,
            .body = jd_str_n((const char *)log->body, log->body_size),
        };
        return true;
    }
    case LIVE_FX_GAME_ROW:
        add_work(shell, at, STORE_GAME_ROW)->row = net_store_row(effect->row);
        return true;
    case LIVE_FX_GAME_FOLD:
        add_work(shell, at, STORE_GAME_FOLD)->id = store_id_of(&effect->id);
        return true;
    case LIVE_FX_CHALLENGE_CLOSED:
        add_work(shell, at, STORE_LOG_CLOSE)->id = store_id_of(&effect->id);
        return true;
    case LIVE_FX_CHAT:
        add_work(shell, at, STORE_CHAT_LINE)->chat = (StoreChatLine) {
            .game = store_id_of(&effect->id),
            .room = effect->chat.said->room,
            .account = effect->chat.said->account,
            .seq = (int64_t)effect->chat.seq,
            .time_ms = effect->chat.said->at_ms,
            .text = effect->chat.said->text,
        };
        return true;
    case LIVE_FX_GAME_SLEEP: {
        StoreWork *work = add_work(shell, at, STORE_GAME_SLEEP);
        work->sleep.id = store_id_of(&effect->id);
        work->sleep.wake_ms = effect->sleep.wake_ms;
        shell->has_sleepers = true;
        return true;
    }
    case LIVE_FX_VACATION: {
        const LiveVacation *vacation = &effect->vacation;
        StoreWork *work = add_work(shell, at, STORE_VACATION);
        work->vacation.account = vacation->account;
        work->vacation.from_ms = vacation->from_ms;
        work->vacation.until_ms = vacation->until_ms;
        work->vacation.ended_ms = vacation->ended_ms == LIVE_NEVER ? 0 : vacation->ended_ms;
        return true;
    }
    case LIVE_FX_OUTAGE: {
        StoreWork *work = add_work(shell, at, STORE_OUTAGE);
        work->outage.at_ms = effect->outage.at_ms;
        work->outage.span_ms = effect->outage.span_ms;
        work->outage.has_shards = shell->cluster != NULL;
        if (shell->stood != NULL && effect->outage.adopted)
            work->outage.shards = *shell->stood;
        else if (shell->cluster != NULL)
            net_cluster_shards(shell->cluster, &work->outage.shards);
        shell->outage_ticket = UINT64_MAX; // until the ticket is known
        return true;
    }
    case LIVE_FX_INVITED: {
        const LiveInvited *invited = &effect->invited;
        const bool rematch = invited->rematch.text[0] != '\0';
        StoreBell *bell = &add_work(shell, at, STORE_BELL_ROW)->bell;
        bell->account = invited->to;
        bell->other = invited->from;
        bell->at_ms = invited->at_ms;
        bell->tell = invited->away;
        put_text(bell->kind, sizeof(bell->kind), rematch ? "rematch" : "challenge");
        put_text(bell->ref, sizeof(bell->ref), rematch ? invited->rematch.text : effect->id.text);
        return true;
    }
    case LIVE_FX_ANSWER:
    case LIVE_FX_SEND:
    case LIVE_FX_PUBLISH:
    case LIVE_FX_ADD:
    case LIVE_FX_REMOVE:
    case LIVE_FX_DECIDE:
    case LIVE_FX_CLOSE:
    case LIVE_FX_THINK:
        return false;
    }
    return false;
}

static StoreId id_of_work(const StoreWork *work) {
    return work->kind == STORE_LOG_EVENT    ? work->event.id
           : work->kind == STORE_GAME_ROW   ? work->row.id
           : work->kind == STORE_CHAT_LINE  ? work->chat.game
           : work->kind == STORE_GAME_SLEEP ? work->sleep.id
           : work->kind == STORE_OUTAGE     ? (StoreId) { "" }
           : work->kind == STORE_VACATION   ? (StoreId) { "" }
           : work->kind == STORE_BELL_ROW   ? (StoreId) { "" }
                                            : work->id;
}

// live is ahead of the log now and cannot be taken back: the process ends, and the log brings back
// what it holds. Nobody has been told of the rest.
JD_NORETURN static void log_refused(const NetShell *shell) {
    StoreClusterView view = { .fenced = false };
    if (shell->cluster != NULL)
        store_cluster_view(shell->store, &view);
    if (view.fenced) {
        net_log(NET_LOG_ERROR, "others have taken the place of this node: ending");
        _Exit(NET_CLUSTER_EXIT_FENCED);
    }
    net_log(NET_LOG_ERROR, "the log takes no more events: stopping, to go on from what is durable");
    _Exit(1);
}

static void submit(NetShell *shell, const StoreWork *work, size_t count) {
    const uint64_t ticket = store_submit_quietly(shell->store, work, count);
    if (ticket == 0)
        log_refused(shell);
    shell->last_ticket = ticket;
    shell->unsaid = true;
}

static void note(NetShell *shell, const char *key, int64_t value) {
    StoreWork work = { .kind = STORE_META_SET };
    put_text(work.meta.key, sizeof(work.meta.key), key);
    work.meta.value = value;
    submit(shell, &work, 1);
}

// Hands the events of a step to the log: in one piece, or, when a step is larger than a group (the
// end of a replay with thousands of games), in pieces that part between two games.
static void log_effects(NetShell *shell, const LiveEffects *effects) {
    size_t count = 0;
    for (size_t i = 0; i < effects->count; i++)
        if (work_of(shell, &effects->list[i], count))
            count++;
    for (size_t from = 0; from < count;) {
        size_t to = count;
        if (to - from > STORE_SUBMIT_MAX) {
            to = from + STORE_SUBMIT_MAX;
            StoreId last = id_of_work(&shell->work[to]);
            while (to > from + 1) {
                const StoreId before = id_of_work(&shell->work[to - 1]);
                if (strcmp(before.text, last.text) != 0)
                    break;
                to--;
            }
        }
        submit(shell, shell->work + from, to - from);
        from = to;
    }
    if (shell->outage_ticket == UINT64_MAX)
        shell->outage_ticket = shell->last_ticket;
}

// ---- letting out ------------------------------------------------------------------------------

static void set_deadline(NetShell *shell);

static void step(NetShell *shell, const LiveCommand *command);

// The database has the game, so live may forget it.
static void slept(NetShell *shell, const LiveEffect *effect) {
    const LiveCommand command = { .kind = LIVE_SLEPT,
                                  .id = effect->id,
                                  .ply = effect->sleep.last_seq };
    step(shell, &command);
}

static void release(NetShell *shell) {
    if (shell->releasing)
        return; // an effect led to a step; the loop below comes to it
    shell->releasing = true;
    for (;;) {
        NetHeld *held = net_outbox_next(&shell->outbox, store_durable_ticket(shell->store));
        if (held == NULL)
            break;
        for (size_t i = 0; i < held->effects.count; i++) {
            shell->deliver(shell->context, &held->effects.list[i], held->staged);
            if (held->effects.list[i].kind == LIVE_FX_GAME_SLEEP)
                slept(shell, &held->effects.list[i]);
        }
        net_outbox_give_back(&shell->outbox, held);
    }
    shell->releasing = false;
}

static void stage(NetShell *shell, NetHeld *held, JdInstant now) {
    if (held->effects.count == 0) {
        net_outbox_give_back(&shell->outbox, held);
    } else {
        log_effects(shell, &held->effects);
        net_outbox_put(&shell->outbox, held, shell->last_ticket, now);
    }
    release(shell);
}

static int64_t awake_ms(void) {
    return (int64_t)(uv_hrtime() / 1000000); // runs on, whatever is done to the system's clock
}

static void step_now(NetShell *shell, const LiveCommand *command) {
    const JdInstant now = net_clock_now(shell->clock);
    shell->awake_ms = awake_ms();
    NetHeld *held = net_outbox_take(&shell->outbox);
    live_step(shell->live, command, now, &held->effects);
    stage(shell, held, now);
}

// The loop turns at every beat, unless the process was stopped or got no processor: a move that
// came meanwhile could not be seen, and no clock pays for that.
static void credit_sleep(NetShell *shell) {
    const int64_t asleep = awake_ms() - shell->awake_ms - BEAT_MS;
    if (asleep <= LIVE_STALL_MS)
        return;
    net_log(NET_LOG_WARN, "the program stood still for %lld ms; the clocks are given that time",
            (long long)asleep);
    const LiveCommand stalled = { .kind = LIVE_STALLED, .span_ms = asleep };
    step_now(shell, &stalled);
}

static void step(NetShell *shell, const LiveCommand *command) {
    if (command->kind != LIVE_STALLED)
        credit_sleep(shell);
    step_now(shell, command);
}

static bool stands_still(const NetShell *shell) {
    return net_outbox_waiting(&shell->outbox, net_clock_now(shell->clock)).ms > LIVE_STALL_MS;
}

typedef struct NetMust {
    uint8_t kind; // LiveCommandKind
    uint64_t connection;
    bool has_rated;
    LiveAccount account;
    char nick[LIVE_NICK_SIZE];
    LiveProfile profile; // its block list stands below
    LiveAccount blocked[LIVE_BLOCKED_MAX];
    LiveId game;
    LiveRated rated;
    uint32_t ply;
    uint8_t act;
    LiveAccount to;
    LiveVacation vacation;
    LiveLogEvent entry; // its body stands below
    unsigned char body[LAWS_EVENT_BODY_SIZE];
} NetMust;

static void do_must(NetShell *shell, const NetMust *must) {
    LiveProfile profile = must->profile;
    profile.blocked = must->blocked;
    LiveLogEvent entry = must->entry;
    entry.body = must->body;
    const LiveCommand command = {
        .kind = must->kind,
        .origin.connection = must->connection,
        .account = must->account,
        .nick = jd_str(must->nick),
        .profile = &profile,
        .id = must->game,
        .ratings = must->has_rated ? &must->rated : NULL,
        .ply = must->ply,
        .act = must->act,
        .to = must->to,
        .vacation = &must->vacation,
        .entry = &entry,
    };
    step(shell, &command);
}

// Tells live what happened while commits stood still.
static void do_musts(NetShell *shell) {
    const size_t count = shell->must_count;
    shell->must_count = 0; // what comes meanwhile goes straight through
    for (size_t i = 0; i < count; i++)
        do_must(shell, &shell->musts[i]);
}

// ---- who waits for a commit that takes long

typedef struct NetPatient {
    struct NetPatient *next;
    NetReadyFn then;
    void *context;
    int64_t until_ms; // by awake_ms
} NetPatient;

static void serve_first(NetShell *shell, bool ok) {
    NetPatient *patient = shell->patient;
    shell->patient = patient->next;
    if (shell->patient == NULL)
        shell->last_patient = NULL;
    shell->patients--;
    patient->then(patient->context, ok);
    free(patient);
}

// As many as wait now: who is answered may wait anew.
static void serve_all(NetShell *shell, bool ok) {
    for (size_t count = shell->patients; count > 0; count--)
        serve_first(shell, ok);
}

static void serve(NetShell *shell) {
    if (net_shell_ready(shell))
        serve_all(shell, true);
    else if (!net_shell_pauses(shell))
        serve_all(shell, false);
    while (shell->patient != NULL && shell->patient->until_ms <= awake_ms())
        serve_first(shell, false);
}

bool net_shell_pauses(const NetShell *shell) {
    return shell->open && !shell->failing && shell->outbox.count < NET_HELD_MAX &&
           stands_still(shell);
}

bool net_shell_wait(NetShell *shell, NetReadyFn then, void *context) {
    NetPatient *patient = net_shell_pauses(shell) && shell->patients < NET_PATIENT_MAX
                              ? malloc(sizeof(*patient))
                              : NULL;
    if (patient == NULL)
        return false;
    *patient =
        (NetPatient) { .then = then, .context = context, .until_ms = awake_ms() + NET_PATIENCE_MS };
    if (shell->last_patient != NULL)
        shell->last_patient->next = patient;
    else
        shell->patient = patient;
    shell->last_patient = patient;
    shell->patients++;
    return true;
}

void net_shell_hurry(NetShell *shell) {
    serve_all(shell, false);
}

static void on_durable(uv_async_t *handle) {
    NetShell *shell = handle->data;
    if (!shell->open)
        return;
    StoreStats stats;
    store_stats(shell->store, &stats);
    const bool failing = stats.failing;
    if (shell->failing && !failing)
        net_log(NET_LOG_INFO, "commits work again, play goes on");
    shell->failing = failing;
    const NetHeld *oldest = shell->outbox.first;
    if (!failing && oldest != NULL && oldest->ticket <= store_durable_ticket(shell->store) &&
        stands_still(shell)) {
        const JdSpan still = net_outbox_waiting(&shell->outbox, net_clock_now(shell->clock));
        net_log(NET_LOG_WARN, "a commit took %lld ms; the clocks are given that time",
                (long long)still.ms);
        const LiveCommand stalled = { .kind = LIVE_STALLED, .span_ms = still.ms };
        step(shell, &stalled);
    } else {
        release(shell);
    }
    if (net_shell_ready(shell))
        do_musts(shell);
    serve(shell);
    set_deadline(shell);
}

// ---- time -------------------------------------------------------------------------------------

static void on_deadline(uv_timer_t *timer) {
    NetShell *shell = timer->data;
    // While commits stand still no flag falls: what is due waits for LIVE_STALLED.
    if (!net_shell_ready(shell))
        return;
    const LiveCommand due = { .kind = LIVE_TIMER };
    net_shell_step(shell, &due);
}

static void set_deadline(NetShell *shell) {
    JdInstant at;
    if (!live_next_deadline(shell->live, &at)) {
        uv_timer_stop(&shell->deadline);
        return;
    }
    const int64_t wait = jd_since(at, net_clock_now(shell->clock)).ms;
    uv_update_time(shell->deadline.loop);
    // A millisecond more: libuv rounds down, and a timer that comes early would come again at once.
    uv_timer_start(&shell->deadline, on_deadline, wait <= 0 ? 0 : (uint64_t)wait + 1, 0);
}

// A sign of life. It stands in the queue of the steps, so that the time it waits for the disk is
// credited though nobody does anything meanwhile.
static void beat(NetShell *shell, JdInstant now) {
    note(shell, META_ALIVE, now.ms);
    net_outbox_put(&shell->outbox, net_outbox_take(&shell->outbox), shell->last_ticket, now);
}

static void on_beat(uv_timer_t *timer) {
    NetShell *shell = timer->data;
    // While a commit stands still the clock is left alone: an interruption in between would cut
    // short the one that credits the commit.
    const JdSpan stepped = stands_still(shell) ? JD_SPAN_MS(0) : net_clock_step(shell->own_clock);
    if (stepped.ms > 0) {
        net_log(NET_LOG_WARN,
                "the system's clock went ahead by %lld ms; running games are not charged",
                (long long)stepped.ms);
        const LiveCommand stalled = { .kind = LIVE_STALLED, .span_ms = stepped.ms };
        net_outbox_stepped(&shell->outbox, stepped); // nobody waited for that long
        net_shell_step(shell, &stalled);
    }
    serve(shell);
    if (!net_shell_ready(shell)) {
        shell->awake_ms = awake_ms(); // the commit that is waited for will credit its time
        return;
    }
    credit_sleep(shell);
    shell->awake_ms = awake_ms();
    // A node's sign of life is its lease (cluster.c).
    // Whatever the log holds: an INTERRUPTION in it is no sign of life, and one small commit a
    // second costs nothing.
    if (shell->cluster == NULL &&
        (live_stats(shell->live).games_running > 0 || shell->has_sleepers))
        beat(shell, net_clock_now(shell->clock));
    // The loop's timers count by a clock that stands while the machine sleeps.
    set_deadline(shell);
}

static void on_leap(void *context, JdSpan span) {
    NetShell *shell = context;
    net_outbox_stepped(&shell->outbox, span);
}

// ---- start ------------------------------------------------------------------------------------

bool net_shell_init(NetShell *shell, uv_loop_t *loop, NetClock *clock, NetDeliverFn deliver,
                    void *context) {
    memset(shell, 0, sizeof(*shell));
    shell->clock = clock;
    shell->own_clock = clock;
    shell->deliver = deliver;
    shell->context = context;
    shell->memory = (LiveMemory) { .resize = resize };
    net_outbox_open(&shell->outbox, &shell->memory);
    net_clock_on_leap(clock, on_leap, shell);
    if (uv_async_init(loop, &shell->durable, on_durable) != 0)
        return false;
    uv_timer_init(loop, &shell->deadline);
    uv_timer_init(loop, &shell->heartbeat);
    shell->durable.data = shell;
    shell->deadline.data = shell;
    shell->heartbeat.data = shell;
    return true;
}

typedef struct Replay {
    NetShell *shell;
    JdErr err;
    int64_t newest_ms;
} Replay;

static bool replay_event(void *context, const StoreEvent *event) {
    Replay *replay = context;
    LiveLogEvent log = {
        .seq = event->seq,
        .at = { event->time_ms },
        .actor = event->actor,
        .kind = (uint8_t)event->kind,
        .body = (const unsigned char *)event->body.data,
        .body_size = event->body.size,
    };
    if (event->time_ms > replay->newest_ms)
        replay->newest_ms = event->time_ms;
    if (event->kind > UINT8_MAX || !live_id_parse(store_id_str(&event->id), &log.id))
        return jd_fail(&replay->err, 1, 0, "the log, arrival %lld: no event of this program",
                       (long long)event->arrival);
    JdErr cause = { 0 };
    if (!live_replay_event(replay->shell->live, &log, &cause))
        return jd_fail(&replay->err, 1, 0, "the log, %s event %u: %s", log.id.text,
                       (unsigned)log.seq, cause.text);
    return true;
}

static bool introduce(NetShell *shell, PagesWorker *worker, int64_t account, JdStr nick,
                      JdErr *err) {
    PagesFault fault = { 0 };
    PagesRatings ratings;
    int64_t ignored[PAGES_IGNORED_MAX];
    size_t ignored_count = 0;
    if (!pages_ratings(worker, account, &ratings, &fault) ||
        !pages_ignored(worker, account, ignored, &ignored_count, &fault))
        return jd_fail(err, 1, 0, "%s", fault.err.text);
    LiveProfile profile = net_profile_of_ratings(&ratings);
    profile.parts |= LIVE_PROFILE_BLOCKED;
    profile.blocked = ignored;
    profile.blocked_count = (uint16_t)ignored_count;
    live_account_name(shell->live, account, nick);
    live_account_profile(shell->live, account, &profile);
    return true;
}

// Names the accounts that the log brought back, and says where they stand.
static bool name_accounts(NetShell *shell, Pages *pages, JdErr *err) {
    PagesWorker *worker = NULL;
    if (!pages_worker_open(pages, &worker, err))
        return false;
    enum { BATCH = PAGES_NICKS_MAX };
    int64_t *accounts = resize(NULL, NULL, 0, BATCH * sizeof(*accounts));
    PagesNick *nicks = resize(NULL, NULL, 0, BATCH * sizeof(*nicks));
    size_t cursor = 0;
    bool ok = true;
    for (bool more = true; ok && more;) {
        size_t count = 0;
        while (count < BATCH && (more = live_account_next(shell->live, &cursor, &accounts[count])))
            count++;
        PagesFault fault = { 0 };
        if (count > 0 && !pages_nicks(worker, accounts, count, nicks, &fault))
            ok = jd_fail(err, 1, 0, "%s", fault.err.text);
        for (size_t i = 0; ok && i < count; i++)
            ok = introduce(shell, worker, accounts[i], jd_str(nicks[i].text), err);
    }
    free(accounts);
    free(nicks);
    pages_worker_close(worker);
    return ok;
}

// What sleeping games are credited with, the vacations that last, and whether any game sleeps.
static bool read_kept(NetShell *shell, StoreDb *db, JdErr *err) {
    StoreStmt *all = store_query(db, STORE_OUTAGES);
    StoreStep step;
    while ((step = store_step(all, err)) == STORE_STEP_ROW) {
        const LiveOutage outage = { .at_ms = store_column_int(all, 0),
                                    .span_ms = store_column_int(all, 1) };
        live_replay_outage(shell->live, &outage);
    }
    store_done(all);
    if (step == STORE_STEP_FAILED)
        return false;
    StoreStmt *lasting = store_query(db, STORE_VACATIONS_LAST);
    store_bind_int(lasting, 1, net_clock_now(shell->clock).ms);
    while ((step = store_step(lasting, err)) == STORE_STEP_ROW)
        live_replay_vacation(shell->live, store_column_int(lasting, 0),
                             store_column_int(lasting, 1), store_column_int(lasting, 2));
    store_done(lasting);
    if (step == STORE_STEP_FAILED)
        return false;
    StoreStmt *any = store_query(db, STORE_SLEEPERS_ANY);
    step = store_step(any, err);
    shell->has_sleepers = step == STORE_STEP_ROW;
    store_done(any);
    return step != STORE_STEP_FAILED;
}

static bool read_resume(NetShell *shell, Store *store, LiveResume *out, JdErr *err) {
    StoreDb *db = NULL;
    if (!store_reader_open(store, &db, err))
        return false;
    int64_t alive = 0;
    int64_t beat = BEAT_PROMISED_MS;
    bool found = false;
    bool ok = store_meta_get(db, META_ALIVE, &alive, &found, err);
    int64_t noted = 0;
    if (ok && (ok = store_meta_get(db, META_BEAT, &noted, &found, err)) && found)
        beat = noted;
    ok = ok && read_kept(shell, db, err);
    store_reader_close(db);
    *out = (LiveResume) { .last_alive = { alive }, .heartbeat = { beat } };
    return ok;
}

// The system's clock was set back while we were down: time goes on from where the log is, or clocks
// would stand until it is reached again; and from a heartbeat after the last sign of life, for so
// long the program may have run after it.
static void catch_up(NetShell *shell, int64_t newest_ms, const LiveResume *resume) {
    const int64_t now_ms = net_clock_now(shell->clock).ms;
    const int64_t lived_ms = resume->last_alive.ms + resume->heartbeat.ms;
    if (newest_ms <= now_ms && resume->last_alive.ms <= now_ms)
        return;
    const int64_t behind = (newest_ms > lived_ms ? newest_ms : lived_ms) - now_ms;
    net_log(NET_LOG_WARN, "the system's clock is %lld ms behind the log; ours goes on from the log",
            (long long)behind);
    shell->own_clock->offset_ms += behind;
}

bool net_shell_start(NetShell *shell, Store *store, Pages *pages, JdErr *err) {
    shell->store = store;
    shell->live = live_open(&shell->memory, net_clock_now(shell->clock));
    for (uint8_t level = 1; level <= LIVE_LEVELS_MAX; level++)
        if (shell->computers[level - 1].account != 0)
            live_set_level(shell->live, level, shell->computers[level - 1].account,
                           jd_str(shell->computers[level - 1].nick));
    LiveResume resume;
    Replay replay = { .shell = shell };
    if (!read_resume(shell, store, &resume, err))
        return false;
    if (!store_replay(store, replay_event, &replay, err)) {
        if (replay.err.code != 0)
            *err = replay.err;
        return false;
    }
    if (!name_accounts(shell, pages, err))
        return false;
    catch_up(shell, replay.newest_ms, &resume);
    const JdInstant now = net_clock_now(shell->clock);
    if (shell->cluster != NULL) { // it has nothing yet
        shell->alone = resume;
        resume = (LiveResume) { .last_alive = now };
        shell->has_sleepers = true;
    } else {
        note(shell, META_BEAT, BEAT_PROMISED_MS);
    }
    NetHeld *held = net_outbox_take(&shell->outbox);
    live_replay_done(shell->live, &resume, now, &held->effects);
    log_effects(shell, &held->effects);
    if (shell->cluster == NULL)
        note(shell, META_ALIVE, now.ms);
    net_outbox_put(&shell->outbox, held, shell->last_ticket, now);
    shell->games_replayed = (size_t)live_stats(shell->live).games_running;
    shell->open = true;
    shell->awake_ms = awake_ms();
    uv_timer_start(&shell->heartbeat, on_beat, BEAT_MS, BEAT_MS);
    net_shell_turn(shell);
    release(shell);
    set_deadline(shell);
    return true;
}

// ---- running and stopping ---------------------------------------------------------------------

bool net_shell_ready(const NetShell *shell) {
    return shell->open && !shell->failing && shell->outbox.count < NET_HELD_MAX &&
           !stands_still(shell);
}

// The entity has just left this node, or none can be made here yet.
static void refuse(NetShell *shell, const LiveCommand *command) {
    LiveAnswer answer = { .kind = LIVE_ANSWER_ERROR, .code = "unavailable" };
    (void)jd_fail(&answer.err, 1, 0, "it is between two nodes: try again");
    const LiveEffect effect = { .kind = LIVE_FX_ANSWER,
                                .origin = command->origin,
                                .answer = &answer };
    shell->deliver(shell->context, &effect, net_clock_now(shell->clock));
}

void net_shell_step(NetShell *shell, const LiveCommand *command) {
    if (!shell->open)
        return;
    if (shell->prepare != NULL) {
        LiveCommand ready = *command;
        if (shell->prepare(shell->context, &ready))
            step(shell, &ready);
        else
            refuse(shell, command);
    } else {
        step(shell, command);
    }
    set_deadline(shell);
}

static void must(NetShell *shell, const NetMust *fact) {
    if (!shell->open)
        return;
    if (net_shell_ready(shell) && shell->must_count == 0) {
        do_must(shell, fact);
        set_deadline(shell);
        return;
    }
    if (shell->must_count == shell->must_capacity) {
        const size_t old = shell->must_capacity;
        shell->must_capacity = old == 0 ? 64 : old * 2;
        shell->musts = resize(NULL, shell->musts, old * sizeof(NetMust),
                              shell->must_capacity * sizeof(NetMust));
    }
    shell->musts[shell->must_count++] = *fact;
}

void net_shell_disconnect(NetShell *shell, uint64_t connection) {
    const NetMust fact = { .kind = LIVE_DISCONNECT, .connection = connection };
    must(shell, &fact);
}

void net_shell_renamed(NetShell *shell, LiveAccount account, JdStr nick) {
    NetMust fact = { .kind = LIVE_ACCOUNT_CHANGED, .account = account };
    shell->renames++;
    JD_ASSERT(nick.size < sizeof(fact.nick));
    jd_copy(fact.nick, nick.data, nick.size);
    must(shell, &fact);
}

void net_shell_leaves(NetShell *shell, LiveAccount account) {
    const NetMust fact = { .kind = LIVE_ACCOUNT_LEAVES, .account = account };
    must(shell, &fact);
}

void net_shell_profile(NetShell *shell, LiveAccount account, const LiveProfile *profile) {
    NetMust fact = { .kind = LIVE_ACCOUNT_PROFILE, .account = account, .profile = *profile };
    JD_ASSERT(profile->blocked_count <= LIVE_BLOCKED_MAX);
    if (profile->blocked_count > 0)
        memcpy(fact.blocked, profile->blocked, profile->blocked_count * sizeof(LiveAccount));
    shell->renames++;
    must(shell, &fact);
}

void net_shell_rated(NetShell *shell, const LiveId *game, const LiveRated *rated) {
    NetMust fact = { .kind = LIVE_RATED, .game = *game, .has_rated = rated != NULL };
    if (rated != NULL)
        fact.rated = *rated;
    must(shell, &fact);
}

void net_shell_overruled(NetShell *shell, const LiveLogEvent *entry, const LiveAccount players[2]) {
    NetMust fact = { .kind = LIVE_OVERRULED,
                     .game = entry->id,
                     .account = players[0],
                     .to = players[1],
                     .entry = *entry };
    JD_ASSERT(entry->body_size <= sizeof(fact.body));
    jd_copy(fact.body, entry->body, entry->body_size);
    must(shell, &fact);
}

void net_shell_verdict(NetShell *shell, const LiveId *game, uint32_t ply, uint8_t code) {
    const NetMust fact = { .kind = LIVE_VERDICT, .game = *game, .ply = ply, .act = code };
    must(shell, &fact);
}

void net_shell_vacation(NetShell *shell, const LiveVacation *vacation) {
    const NetMust fact = { .kind = LIVE_VACATION_TOLD,
                           .account = vacation->account,
                           .vacation = *vacation };
    must(shell, &fact);
}

bool net_shell_wake(NetShell *shell, const LiveSleeper *sleeper, JdErr *err) {
    const JdInstant now = net_clock_now(shell->clock);
    NetHeld *held = net_outbox_take(&shell->outbox);
    const bool ok = live_wake(shell->live, sleeper, now, &held->effects, err);
    stage(shell, held, now);
    set_deadline(shell);
    return ok;
}

// Outages are kept once for all the pieces of one adoption.
static void forget_outage(LiveEffects *effects) {
    size_t kept = 0;
    for (size_t i = 0; i < effects->count; i++)
        if (effects->list[i].kind != LIVE_FX_OUTAGE || !effects->list[i].outage.adopted)
            effects->list[kept++] = effects->list[i];
    effects->count = kept;
}

// The clock of a former owner was ahead of ours: live has gone there and credited whoever was here,
// and ours goes on from there.
static void follow_live(NetShell *shell, JdInstant now) {
    const int64_t behind_ms = jd_since(live_now(shell->live), now).ms;
    if (behind_ms <= 0)
        return;
    net_log(NET_LOG_WARN, "the clock of another node is %lld ms ahead of ours, which follows it",
            (long long)behind_ms);
    shell->own_clock->offset_ms += behind_ms;
}

bool net_shell_adopt(NetShell *shell, LiveAdoption *adoption, const StoreShards *stood,
                     JdErr *err) {
    const LiveResume *alone = &shell->alone;
    if (alone->last_alive.ms > adoption->last_alive.ms) {
        adoption->last_alive = alone->last_alive;
        adoption->heartbeat = alone->heartbeat;
    }
    const JdInstant now = net_clock_now(shell->clock);
    NetHeld *held = net_outbox_take(&shell->outbox);
    const bool ok = live_adopt(shell->live, adoption, now, &held->effects, err);
    follow_live(shell, now);
    if (stood == NULL)
        forget_outage(&held->effects);
    shell->stood = stood;
    stage(shell, held, now);
    shell->stood = NULL;
    set_deadline(shell);
    return ok;
}

void net_shell_give(NetShell *shell, LiveBelongsFn belongs, void *context,
                    const StoreShards *shards, bool leaving) {
    const JdInstant now = net_clock_now(shell->clock);
    NetHeld *held = net_outbox_take(&shell->outbox);
    live_drop(shell->live, belongs, context, &held->effects);
    stage(shell, held, now);
    StoreWork work = { .kind = STORE_SHARDS_RELEASE };
    work.release.shards = *shards;
    work.release.at_ms = now.ms;
    work.release.leaving = leaving;
    submit(shell, &work, 1);
    set_deadline(shell);
}

void net_shell_turn(NetShell *shell) {
    if (shell->unsaid && shell->store != NULL)
        store_wake(shell->store);
    shell->unsaid = false;
}

bool net_shell_busy(const NetShell *shell) {
    return shell->outbox.count > 0;
}

void net_shell_stop(NetShell *shell) {
    if (shell->open && shell->cluster == NULL) {
        note(shell, META_ALIVE, net_clock_now(shell->clock).ms);
        note(shell, META_BEAT, 0);
    }
    shell->open = false;
    uv_close((uv_handle_t *)&shell->deadline, NULL);
    uv_close((uv_handle_t *)&shell->heartbeat, NULL);
}

void net_shell_free(NetShell *shell) {
    net_outbox_close(&shell->outbox);
    if (shell->live != NULL)
        live_close(shell->live);
    free(shell->work);
    free(shell->musts);
}
