// SPDX-License-Identifier: GPL-3.0-or-later
//
// The pool: questions in a queue, processes in their states, one thread that turns the one into the
// other. Everything below "the pool's thread" runs there alone; the queue is shared under the lock.
#include "engine/pool.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#define QUIT_MS 500
#define RESTART_FIRST_MS 100
#define RESTART_LAST_MS 10000
#define LATE_MAX 3 // doublings

static int64_t now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void pool_wake(EnginePool *pool) {
    const uint64_t one = 1;
    ssize_t ignored = write(pool->wake, &one, sizeof one);
    (void)ignored; // full: it is awake already
}

// ---- words -------------------------------------------------------------------------------------

static void transcribe(EnginePool *pool, const Worker *worker, char direction, JdStr line) {
    pthread_mutex_lock(&pool->lock);
    char *row = pool->transcript[pool->transcript_count++ % TRANSCRIPT_LINES];
    snprintf(row, TRANSCRIPT_WIDTH, "%d%c %.*s", worker->number, direction,
             line.size < TRANSCRIPT_WIDTH ? (int)line.size : TRANSCRIPT_WIDTH, line.data);
    pthread_mutex_unlock(&pool->lock);
}

static void note(EnginePool *pool, const Worker *worker, const char *what) {
    char text[160];
    snprintf(text, sizeof text, "engine %d: %s", worker->number, what);
    transcribe(pool, worker, '!', jd_str(what));
    if (pool->config.note != NULL)
        pool->config.note(pool->config.note_context, text);
}

// ---- the pool's thread: one process ------------------------------------------------------------

static void take_question(EnginePool *pool, Worker *worker, Question *question) {
    pthread_mutex_lock(&pool->lock);
    worker->question = question;
    pthread_mutex_unlock(&pool->lock);
}

static void worker_off(Worker *worker) {
    process_kill(&worker->process);
    worker->state = WORKER_OFF;
    worker->due_ms = 0;
    worker->last_asker = 0;
}

static bool say(EnginePool *pool, Worker *worker, const char *line) {
    transcribe(pool, worker, '>', jd_str(line));
    return process_send(&worker->process, jd_str(line));
}

// The process is lost: its question waits again, or is given up.
static void worker_failed(EnginePool *pool, Worker *worker, const char *why) {
    note(pool, worker, why);
    worker_off(worker);
    worker->restart_ms = worker->restart_ms == 0 ? RESTART_FIRST_MS : worker->restart_ms * 2;
    if (worker->restart_ms > RESTART_LAST_MS)
        worker->restart_ms = RESTART_LAST_MS;
    worker->not_before_ms = now_ms() + worker->restart_ms;
    Question *question = worker->question;
    take_question(pool, worker, NULL);
    pthread_mutex_lock(&pool->lock);
    pool->stats.restarts++;
    pthread_mutex_unlock(&pool->lock);
    if (question == NULL)
        return;
    if (question->attempts >= ENGINE_ATTEMPTS) {
        question_answer_without(pool, question, ENGINE_FAILED);
        return;
    }
    pthread_mutex_lock(&pool->lock);
    queue_add(pool, question);
    pthread_mutex_unlock(&pool->lock);
}

static void expect_answer(const EnginePool *pool, Worker *worker) {
    worker->due_ms = now_ms() + ((int64_t)pool->config.start_ms << worker->late);
}

static void worker_late(EnginePool *pool, Worker *worker, const char *why) {
    if (worker->late < LATE_MAX)
        worker->late++;
    worker_failed(pool, worker, why);
}

static void worker_start(EnginePool *pool, Worker *worker) {
    const ProcessLimits limits = { pool->config.memory_mib, pool->config.nice };
    JdErr err;
    memset(worker->has_option, 0, sizeof worker->has_option);
    memset(worker->option_set, 0, sizeof worker->option_set);
    worker->has_config_option = 0;
    if (!process_start(&worker->process, pool->program, &limits, &err)) {
        worker_failed(pool, worker, err.text);
        return;
    }
    worker->state = WORKER_STARTING;
    expect_answer(pool, worker);
    if (!say(pool, worker, "uci"))
        worker_failed(pool, worker, "died at its start");
}

// setoption, when the engine knows it and it is not set so already.
static bool set_number(EnginePool *pool, Worker *worker, UciOption option, int64_t value) {
    if (!worker->has_option[option])
        return true;
    if (value < worker->option_min[option])
        value = worker->option_min[option];
    if (value > worker->option_max[option])
        value = worker->option_max[option];
    if (worker->option_set[option] == value + 1) // 0: never set
        return true;
    worker->option_set[option] = value + 1;
    char line[128];
    snprintf(line, sizeof line, "setoption name %s value %lld", uci_option_names[option],
             (long long)value);
    return say(pool, worker, line);
}

static bool set_check(EnginePool *pool, Worker *worker, UciOption option, bool value) {
    if (!worker->has_option[option] || worker->option_set[option] == (value ? 2 : 1))
        return true;
    if (!value && worker->option_set[option] == 0) // off is what it begins with
        return true;
    worker->option_set[option] = value ? 2 : 1;
    char line[128];
    snprintf(line, sizeof line, "setoption name %s value %s", uci_option_names[option],
             value ? "true" : "false");
    return say(pool, worker, line);
}

static bool set_for(EnginePool *pool, Worker *worker, const Question *question) {
    const EngineQuestion *asked = &question->asked;
    bool ok = set_check(pool, worker, UCI_CHESS960, question->start.is_chess960 != 0) &&
              set_check(pool, worker, UCI_SHOW_WDL, asked->wants_wdl) &&
              set_number(pool, worker, UCI_MULTI_PV, asked->lines == 0 ? 1 : asked->lines) &&
              set_check(pool, worker, UCI_LIMIT_STRENGTH, asked->elo > 0);
    if (asked->elo > 0)
        ok = ok && set_number(pool, worker, UCI_ELO, asked->elo);
    ok = ok && set_number(pool, worker, UCI_SKILL,
                          asked->skill >= 0 ? asked->skill : worker->option_max[UCI_SKILL]);
    // Another asker's game must find nothing of this one's.
    if (ok && worker->last_asker != asked->asker + 1)
        ok = say(pool, worker, "ucinewgame");
    worker->last_asker = asked->asker + 1;
    return ok && say(pool, worker, "isready");
}

static void worker_prepare(EnginePool *pool, Worker *worker, Question *question) {
    question->attempts++;
    take_question(pool, worker, question);
    worker->put_back = false;
    worker->line_count = 0;
    worker->nodes = 0;
    worker->process.in_bytes = 0;
    worker->state = WORKER_SETTING;
    expect_answer(pool, worker);
    if (!set_for(pool, worker, question))
        worker_failed(pool, worker, "died while it was idle");
}

static bool send_position(EnginePool *pool, Worker *worker, const Question *question) {
    char fen[CHESS_FEN_SIZE];
    const ChessPosition *start = &question->start;
    chess_fen_write(start, start->is_chess960 != 0 ? CHESS_FEN_SHREDDER : CHESS_FEN_EP_LEGAL, fen);
    const size_t capacity = 64 + sizeof fen + (size_t)question->move_count * (CHESS_UCI_SIZE + 1);
    char *line = malloc(capacity);
    if (line == NULL)
        return false;
    size_t size = (size_t)snprintf(line, capacity, "position fen %s", fen);
    ChessPosition here = question->start;
    for (uint32_t i = 0; i < question->move_count; i++) {
        ChessUndo undo;
        line[size++] = ' ';
        if (i == 0) {
            memcpy(line + size, "moves ", 6);
            size += 6;
        }
        size += chess_uci_write(&here, question->moves[i], line + size);
        chess_move_make(&here, question->moves[i], &undo);
    }
    line[size] = '\0';
    const bool ok = say(pool, worker, line);
    free(line);
    return ok;
}

static void worker_go(EnginePool *pool, Worker *worker) {
    const EngineQuestion *asked = &worker->question->asked;
    char line[128] = "go";
    size_t size = 2;
    if (asked->time_ms > 0)
        size += (size_t)snprintf(line + size, sizeof line - size, " movetime %u", asked->time_ms);
    if (asked->depth > 0)
        size += (size_t)snprintf(line + size, sizeof line - size, " depth %u", asked->depth);
    if (asked->nodes > 0)
        snprintf(line + size, sizeof line - size, " nodes %llu", (unsigned long long)asked->nodes);
    worker->state = WORKER_THINKING;
    worker->due_ms = now_ms() + (asked->time_ms > 0 ? asked->time_ms + pool->config.grace_ms
                                                    : pool->config.think_max_ms);
    if (!send_position(pool, worker, worker->question) || !say(pool, worker, line))
        worker_failed(pool, worker, "died when it was asked");
}

static void worker_stop(EnginePool *pool, Worker *worker, bool put_back) {
    worker->put_back = put_back;
    worker->state = WORKER_STOPPING;
    worker->due_ms = now_ms() + pool->config.grace_ms;
    if (!say(pool, worker, "stop"))
        worker_failed(pool, worker, "died when it was stopped");
}

static void worker_idle(EnginePool *pool, Worker *worker) {
    worker->state = WORKER_IDLE;
    worker->due_ms = now_ms() + pool->config.idle_ms;
}

// ---- what engines say --------------------------------------------------------------------------

static void on_option(EnginePool *pool, Worker *worker, JdStr rest) {
    UciOptionLine option;
    if (!uci_option_line(rest, &option))
        return;
    for (int i = 0; i < UCI_OPTION_COUNT; i++)
        if (jd_str_equal_nocase(option.name, jd_str(uci_option_names[i]))) {
            worker->has_option[i] = true;
            worker->option_min[i] = option.min;
            worker->option_max[i] = option.max;
        }
    for (size_t i = 0; i < pool->option_count; i++) {
        JdStr text = jd_str(pool->options[i]);
        if (jd_str_equal_nocase(option.name, jd_str_cut(&text, '=')))
            worker->has_config_option |= UINT64_C(1) << i;
    }
}

static void on_uciok(EnginePool *pool, Worker *worker) {
    for (size_t i = 0; i < pool->option_count; i++) {
        JdStr value = jd_str(pool->options[i]);
        const JdStr name = jd_str_cut(&value, '=');
        char line[256];
        if ((worker->has_config_option >> i & 1) == 0) {
            snprintf(line, sizeof line, "has no option %.*s", JD_PRINT(name));
            note(pool, worker, line);
            continue;
        }
        snprintf(line, sizeof line, "setoption name %.*s value %.*s", JD_PRINT(name),
                 JD_PRINT(value));
        if (!say(pool, worker, line)) {
            worker_failed(pool, worker, "died at its start");
            return;
        }
    }
    worker->state = WORKER_SETTING;
    expect_answer(pool, worker);
    if (!say(pool, worker, "isready"))
        worker_failed(pool, worker, "died at its start");
}

// Centipawns, with every mate beyond them.
static int64_t rank_of(const EngineLine *line) {
    if (!line->is_mate)
        return line->score;
    return line->score > 0 ? 100000000 - line->score : -100000000 - line->score;
}

// The engine's choice first, then by score: what it said last mixes two depths.
static void sort_lines(EngineLine *lines, uint32_t count, ChessMove best) {
    for (uint32_t i = 1; i < count; i++) {
        const EngineLine line = lines[i];
        const bool is_best = line.moves[0] == best;
        uint32_t at = i;
        while (at > 0 && lines[at - 1].moves[0] != best &&
               (is_best || rank_of(&lines[at - 1]) < rank_of(&line))) {
            lines[at] = lines[at - 1];
            at--;
        }
        lines[at] = line;
    }
}

static void on_best_move(EnginePool *pool, Worker *worker, JdStr rest) {
    Question *question = worker->question;
    EngineAnswer what = { .outcome = ENGINE_ANSWERED, .nodes = worker->nodes };
    if (!uci_best_move(rest, &question->position, &what.best)) {
        worker_failed(pool, worker, "answered with a move that is not legal");
        return;
    }
    what.attempts = question->attempts;
    const bool put_back = worker->put_back;
    worker->restart_ms = 0;
    take_question(pool, worker, NULL);
    worker_idle(pool, worker);
    if (put_back) { // interrupted for a move in a game: that was no fault of its own
        question->attempts--;
        pthread_mutex_lock(&pool->lock);
        queue_add(pool, question);
        pthread_mutex_unlock(&pool->lock);
        return;
    }
    what.lines_count = worker->line_count;
    memcpy(what.lines, worker->lines, sizeof what.lines);
    sort_lines(what.lines, what.lines_count, what.best);
    question_answer(pool, question, &what);
}

static void on_info(Worker *worker, JdStr rest) {
    uint32_t number;
    EngineLine line;
    if (!uci_info_line(rest, &worker->question->position, &number, &line, &worker->nodes))
        return;
    // Lines come in order within a depth; a gap is the engine's own confusion.
    if (number > worker->line_count + 1)
        return;
    worker->lines[number - 1] = line;
    if (number > worker->line_count)
        worker->line_count = number;
}

static void on_line(EnginePool *pool, Worker *worker, JdStr text) {
    const UciLine line = uci_line(text);
    if (line.word != UCI_OPTION)
        transcribe(pool, worker, '<', text);
    const bool thinks = worker->state == WORKER_THINKING || worker->state == WORKER_STOPPING;
    switch (line.word) {
    case UCI_ID_NAME:
        pthread_mutex_lock(&pool->lock);
        snprintf(pool->stats.name, sizeof pool->stats.name, "%.*s",
                 line.rest.size < ENGINE_NAME_SIZE ? (int)line.rest.size : ENGINE_NAME_SIZE - 1,
                 line.rest.data);
        pthread_mutex_unlock(&pool->lock);
        return;
    case UCI_OPTION:
        on_option(pool, worker, line.rest);
        return;
    case UCI_OK:
        if (worker->state == WORKER_STARTING)
            on_uciok(pool, worker);
        return;
    case UCI_READY_OK:
        if (worker->state != WORKER_SETTING)
            return;
        worker->late = 0;
        if (worker->question != NULL)
            worker_go(pool, worker);
        else
            worker_idle(pool, worker);
        return;
    case UCI_INFO:
        if (thinks)
            on_info(worker, line.rest);
        return;
    case UCI_BEST_MOVE:
        if (thinks)
            on_best_move(pool, worker, line.rest);
        return;
    case UCI_OTHER:
        return;
    }
}

static void on_readable(EnginePool *pool, Worker *worker) {
    const bool open = process_read(&worker->process);
    JdStr line;
    while (worker->state != WORKER_OFF && process_line(&worker->process, &line))
        on_line(pool, worker, line);
    if (worker->state == WORKER_OFF)
        return;
    if (!open && worker->state == WORKER_QUITTING)
        worker_off(worker);
    else if (!open)
        worker_failed(pool, worker, "ended by itself");
    else if (worker->process.in_bytes > pool->config.flood_bytes)
        worker_failed(pool, worker, "talks without end");
}

static void on_due(EnginePool *pool, Worker *worker) {
    switch (worker->state) {
    case WORKER_OFF:
        return;
    case WORKER_STARTING:
        worker_late(pool, worker, "does not answer \"uci\"");
        return;
    case WORKER_SETTING:
        worker_late(pool, worker, "does not answer \"isready\"");
        return;
    case WORKER_THINKING:
        worker_stop(pool, worker, false);
        return;
    case WORKER_STOPPING:
        worker_failed(pool, worker, "does not stop");
        return;
    case WORKER_IDLE:
        worker->state = WORKER_QUITTING;
        worker->due_ms = now_ms() + QUIT_MS;
        if (!say(pool, worker, "quit"))
            worker_off(worker);
        return;
    case WORKER_QUITTING:
        worker_off(worker);
        return;
    }
}

// ---- the pool's thread: the whole --------------------------------------------------------------

static void drop_cancelled(EnginePool *pool) {
    for (;;) {
        pthread_mutex_lock(&pool->lock);
        Question *found = NULL;
        for (Question *q = pool->queue; q != NULL && found == NULL; q = q->next)
            if (q->cancelled)
                found = q;
        if (found != NULL)
            queue_remove(pool, found);
        pthread_mutex_unlock(&pool->lock);
        if (found == NULL)
            break;
        question_answer_without(pool, found, ENGINE_CANCELLED);
    }
    for (uint32_t i = 0; i < pool->config.processes; i++) {
        Worker *worker = &pool->workers[i];
        Question *question = worker->question;
        if (question == NULL || worker->state != WORKER_THINKING)
            continue;
        pthread_mutex_lock(&pool->lock);
        const bool cancelled = question->cancelled;
        pthread_mutex_unlock(&pool->lock);
        if (cancelled) // put back, where the next look finds it
            worker_stop(pool, worker, true);
    }
}

// A process for the next question: an idle one (best the asker's last), else one to start.
static Worker *worker_for(EnginePool *pool, const Question *question, int64_t now) {
    Worker *best = NULL;
    for (uint32_t i = 0; i < pool->config.processes; i++) {
        Worker *worker = &pool->workers[i];
        if (worker->state == WORKER_IDLE && (best == NULL || best->state != WORKER_IDLE ||
                                             worker->last_asker == question->asked.asker + 1))
            best = worker;
        if (worker->state == WORKER_OFF && worker->not_before_ms <= now && best == NULL)
            best = worker;
    }
    return best;
}

static void interrupt_analysis(EnginePool *pool) {
    uint32_t wanted = 0;
    pthread_mutex_lock(&pool->lock);
    for (const Question *q = pool->queue; q != NULL; q = q->next)
        wanted += q->asked.priority == ENGINE_FOR_MOVE;
    pthread_mutex_unlock(&pool->lock);
    for (uint32_t i = 0; i < pool->config.processes; i++) // those already on their way
        wanted -= wanted > 0 && pool->workers[i].state == WORKER_STOPPING;
    for (uint32_t i = 0; i < pool->config.processes && wanted > 0; i++) {
        Worker *worker = &pool->workers[i];
        if (worker->state == WORKER_THINKING &&
            worker->question->asked.priority == ENGINE_FOR_ANALYSIS) {
            worker_stop(pool, worker, true);
            wanted--;
        }
    }
}

static uint32_t starting(const EnginePool *pool) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < pool->config.processes; i++)
        count += pool->workers[i].question == NULL && (pool->workers[i].state == WORKER_STARTING ||
                                                       pool->workers[i].state == WORKER_SETTING);
    return count;
}

static void give_work(EnginePool *pool) {
    for (;;) {
        pthread_mutex_lock(&pool->lock);
        Question *question = queue_best(pool);
        const uint32_t waiting = pool->queued;
        pthread_mutex_unlock(&pool->lock);
        if (question == NULL)
            return;
        Worker *worker = worker_for(pool, question, now_ms());
        if (worker == NULL)
            break;
        if (worker->state == WORKER_OFF) {
            if (starting(pool) >= waiting)
                return;
            worker_start(pool, worker);
            continue;
        }
        pthread_mutex_lock(&pool->lock);
        queue_remove(pool, question);
        if (question->tag > pool->virtual_now)
            pool->virtual_now = question->tag;
        pthread_mutex_unlock(&pool->lock);
        worker_prepare(pool, worker, question);
    }
    interrupt_analysis(pool);
}

// When the thread must wake by itself: milliseconds from now, -1 for never.
static int next_timeout(EnginePool *pool) {
    int64_t next = INT64_MAX;
    pthread_mutex_lock(&pool->lock);
    const bool waits = pool->queued > 0;
    pthread_mutex_unlock(&pool->lock);
    for (uint32_t i = 0; i < pool->config.processes; i++) {
        const Worker *worker = &pool->workers[i];
        if (worker->state != WORKER_OFF && worker->due_ms < next)
            next = worker->due_ms;
        if (worker->state == WORKER_OFF && waits && worker->not_before_ms < next)
            next = worker->not_before_ms;
    }
    if (next == INT64_MAX)
        return -1;
    const int64_t left = next - now_ms();
    return left < 0 ? 0 : left > 60000 ? 60000 : (int)left;
}

static void count_workers(EnginePool *pool) {
    uint32_t alive = 0;
    uint32_t thinking = 0;
    for (uint32_t i = 0; i < pool->config.processes; i++) {
        alive += pool->workers[i].state != WORKER_OFF;
        thinking += pool->workers[i].state == WORKER_THINKING;
    }
    pthread_mutex_lock(&pool->lock);
    pool->stats.processes = alive;
    pool->stats.thinking = thinking;
    pthread_mutex_unlock(&pool->lock);
}

static void wait_for_something(EnginePool *pool) {
    struct pollfd handles[ENGINE_PROCESSES_MAX + 1] = { { .fd = pool->wake, .events = POLLIN } };
    for (uint32_t i = 0; i < pool->config.processes; i++) {
        const Worker *worker = &pool->workers[i];
        const bool waits = worker->state != WORKER_OFF && worker->process.out_size > 0;
        handles[i + 1] = (struct pollfd) { worker->state == WORKER_OFF ? -1 : worker->process.fd,
                                           (short)(POLLIN | (waits ? POLLOUT : 0)), 0 };
    }
    if (poll(handles, pool->config.processes + 1, next_timeout(pool)) < 0 && errno != EINTR)
        return;
    if (handles[0].revents != 0) {
        uint64_t count;
        ssize_t ignored = read(pool->wake, &count, sizeof count);
        (void)ignored;
    }
    for (uint32_t i = 0; i < pool->config.processes; i++) {
        Worker *worker = &pool->workers[i];
        if ((handles[i + 1].revents & POLLOUT) != 0 && !process_flush(&worker->process))
            worker_failed(pool, worker, "ended by itself");
        else if ((handles[i + 1].revents & (POLLIN | POLLHUP | POLLERR)) != 0)
            on_readable(pool, worker);
    }
    const int64_t now = now_ms();
    for (uint32_t i = 0; i < pool->config.processes; i++)
        if (pool->workers[i].state != WORKER_OFF && pool->workers[i].due_ms <= now)
            on_due(pool, &pool->workers[i]);
}

static void end_all(EnginePool *pool) {
    for (;;) {
        pthread_mutex_lock(&pool->lock);
        Question *question = pool->queue;
        if (question != NULL)
            queue_remove(pool, question);
        pthread_mutex_unlock(&pool->lock);
        if (question == NULL)
            break;
        question_answer_without(pool, question, ENGINE_CANCELLED);
    }
    for (uint32_t i = 0; i < pool->config.processes; i++) {
        Worker *worker = &pool->workers[i];
        Question *question = worker->question;
        take_question(pool, worker, NULL);
        if (question != NULL)
            question_answer_without(pool, question, ENGINE_CANCELLED);
        if (worker->state != WORKER_OFF) {
            bool ignored = say(pool, worker, "stop") && say(pool, worker, "quit");
            (void)ignored; // what does not hear it is killed
        }
    }
    const int64_t until = now_ms() + QUIT_MS;
    for (uint32_t i = 0; i < pool->config.processes; i++) {
        Worker *worker = &pool->workers[i];
        while (worker->state != WORKER_OFF && !process_ended(&worker->process) && now_ms() < until)
            (void)poll(NULL, 0, 5);
        worker_off(worker);
    }
}

static void *pool_main(void *context) {
    EnginePool *pool = context;
    for (;;) {
        pthread_mutex_lock(&pool->lock);
        const bool closing = pool->closing;
        pthread_mutex_unlock(&pool->lock);
        if (closing)
            break;
        drop_cancelled(pool);
        give_work(pool);
        count_workers(pool);
        wait_for_something(pool);
    }
    end_all(pool);
    count_workers(pool);
    return NULL;
}

// ---- opening and closing -----------------------------------------------------------------------

// The path of a program: as it is when it has a slash, else from PATH, else from /usr/games, where
// Debian puts engines. NULL: not found, or not to be run.
static char *find_program(const char *name) {
    if (strchr(name, '/') != NULL)
        return access(name, X_OK) == 0 ? strdup(name) : NULL;
    const char *path = getenv("PATH");
    char folders[8192];
    snprintf(folders, sizeof folders, "%s:/usr/games", path == NULL ? "" : path);
    JdStr rest = jd_str(folders);
    while (rest.size > 0) {
        const JdStr folder = jd_str_cut(&rest, ':');
        char full[4096];
        snprintf(full, sizeof full, "%.*s/%s", JD_PRINT(folder), name);
        if (folder.size > 0 && access(full, X_OK) == 0)
            return strdup(full);
    }
    return NULL;
}

static bool copy_options(EnginePool *pool, const char *const *options, JdErr *err) {
    for (; options != NULL && *options != NULL; options++) {
        if (strchr(*options, '=') == NULL || strpbrk(*options, "\r\n") != NULL)
            return jd_fail(err, 1, 0, "engine option \"%s\": expected Name=value", *options);
        if (pool->option_count == OPTIONS_SET_MAX)
            return jd_fail(err, 1, 0, "more than %d engine options", OPTIONS_SET_MAX);
        pool->options[pool->option_count] = strdup(*options);
        if (pool->options[pool->option_count++] == NULL)
            return jd_fail(err, 1, 0, "out of memory");
    }
    return true;
}

static void pool_free(EnginePool *pool) {
    for (size_t i = 0; i < pool->option_count; i++)
        free(pool->options[i]);
    if (pool->wake >= 0)
        close(pool->wake);
    pthread_mutex_destroy(&pool->lock);
    free(pool->program);
    free(pool);
}

static uint32_t or_default(uint32_t value, uint32_t preset) {
    return value == 0 ? preset : value;
}

bool engine_pool_open(const EngineConfig *config, EnginePool **out, JdErr *err) {
    EnginePool *pool = calloc(1, sizeof *pool);
    if (pool == NULL)
        return jd_fail(err, 1, 0, "out of memory");
    pthread_mutex_init(&pool->lock, NULL);
    pool->config = *config;
    EngineConfig *set = &pool->config;
    set->options = NULL;
    set->processes = or_default(set->processes, 1);
    if (set->processes > ENGINE_PROCESSES_MAX)
        set->processes = ENGINE_PROCESSES_MAX;
    set->memory_mib = or_default(set->memory_mib, 1024);
    set->start_ms = or_default(set->start_ms, 10000);
    set->grace_ms = or_default(set->grace_ms, 2000);
    set->think_max_ms = or_default(set->think_max_ms, 60000);
    set->idle_ms = or_default(set->idle_ms, 60000);
    if (set->flood_bytes == 0)
        set->flood_bytes = (uint64_t)8 << 20;
    for (uint32_t i = 0; i < set->processes; i++) {
        pool->workers[i].number = (int)i + 1;
        pool->workers[i].process.fd = -1;
    }
    pool->program = find_program(config->program == NULL ? "stockfish" : config->program);
    pool->has_engine = pool->program != NULL;
    pool->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (pool->wake < 0) {
        jd_fail(err, 1, 0, "no handle for the engines: %s", strerror(errno));
        pool_free(pool);
        return false;
    }
    if (!copy_options(pool, config->options, err)) {
        pool_free(pool);
        return false;
    }
    if (pthread_create(&pool->thread, NULL, pool_main, pool) != 0) {
        jd_fail(err, 1, 0, "no thread for the engines");
        pool_free(pool);
        return false;
    }
    *out = pool;
    return true;
}

void engine_pool_close(EnginePool *pool) {
    if (pool == NULL)
        return;
    pthread_mutex_lock(&pool->lock);
    pool->closing = true;
    pthread_mutex_unlock(&pool->lock);
    pool_wake(pool);
    pthread_join(pool->thread, NULL);
    pool_free(pool);
}

bool engine_pool_has_engine(const EnginePool *pool) {
    return pool->has_engine;
}

void engine_pool_stats(EnginePool *pool, EngineStats *out) {
    pthread_mutex_lock(&pool->lock);
    *out = pool->stats;
    out->queued = pool->queued;
    pthread_mutex_unlock(&pool->lock);
}

void engine_pool_transcript(EnginePool *pool, EngineTranscriptFn each, void *context) {
    char(*copy)[TRANSCRIPT_WIDTH] = malloc(sizeof pool->transcript);
    if (copy == NULL)
        return;
    pthread_mutex_lock(&pool->lock);
    const uint64_t count = pool->transcript_count;
    memcpy(copy, pool->transcript, sizeof pool->transcript);
    pthread_mutex_unlock(&pool->lock);
    for (uint64_t i = count > TRANSCRIPT_LINES ? count - TRANSCRIPT_LINES : 0; i < count; i++)
        each(context, copy[i % TRANSCRIPT_LINES]);
    free(copy);
}
