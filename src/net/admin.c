// SPDX-License-Identifier: GPL-3.0-or-later
//
// The administrator's socket: words with NULs between them come in, "+" or "-" and a text go out.
#include "net/admin.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "net/gateway.h"
#include "net/log.h"
#include "net/net.h"
#include "net/ruling.h"
#include "net/server.h"

#define ASKED_MAX 16384

struct NetAdmin {
    NetServer *server;
    uv_pipe_t listener;
    char path[108];
};

typedef struct Caller {
    NetJob job;
    uv_pipe_t pipe;
    uv_write_t write;
    NetServer *server;
    size_t size;
    JdInstant now;
    bool failed;
    NetRule rule;
    PagesAdmin answer;
    char asked[ASKED_MAX];
    char reply[PAGES_ADMIN_TEXT + 1];
} Caller;

bool net_admin_path(const NetConfig *config, char *out, size_t size) {
    return jd_format(out, size, "%s/admin.sock", config->data) < size;
}

static void on_closed(uv_handle_t *handle) {
    free(handle->data);
}

static void on_written(uv_write_t *write, int status) {
    (void)status;
    Caller *caller = write->data;
    uv_close((uv_handle_t *)&caller->pipe, on_closed);
}

// ---- a command --------------------------------------------------------------------------------

static void run(NetJob *job, NetWorkerKit *kit) {
    Caller *caller = (Caller *)job;
    JdStr words[PAGES_ADMIN_WORDS];
    JdStr rest = jd_str_n(caller->asked, caller->size);
    size_t count = 0;
    PagesFault fault = { 0 };
    while (rest.size > 0 && count < PAGES_ADMIN_WORDS)
        words[count++] = jd_str_cut(&rest, '\0');
    caller->failed = !pages_admin(kit->pages, words, count, caller->now, &caller->answer, &fault);
    if (caller->failed)
        jd_format(caller->answer.text, sizeof(caller->answer.text), "%s\n", fault.err.text);
    if (caller->failed)
        caller->answer.size = strlen(caller->answer.text);
}

typedef struct Leaving {
    NetServer *server;
    LiveAccount account;
    bool erased;
} Leaving;

static void leave(NetServer *server, LiveAccount account, bool erased) {
    net_shell_leaves(&server->shell, account);
    if (erased)
        net_shell_renamed(&server->shell, account, jd_str(""));
}

static void on_awake(void *context, bool ok) {
    Leaving *leaving = context;
    if (!ok)
        net_log(NET_LOG_ERROR, "games of an account that leaves could not be read: they go on");
    else
        leave(leaving->server, leaving->account, leaving->erased);
    free(leaving);
}

// What is in memory at once: whoever is told that an account has gone must not meet its name, nor
// its games running. Then what has to be read, which may wait behind other work.
void net_leaves(NetServer *server, int64_t account, bool erased) {
    const LiveCommand command = { .kind = LIVE_ACCOUNT_LEAVES, .account = account };
    leave(server, account, erased);
    Leaving *leaving = malloc(sizeof(*leaving));
    bool full = false;
    if (leaving != NULL)
        *leaving = (Leaving) { server, account, erased };
    if (leaving != NULL && net_sleepers_wait(&server->sleepers, &command, on_awake, leaving, &full))
        return;
    free(leaving);
}

static void tell_live(NetServer *server, const PagesAdmin *answer) {
    const uint8_t nobody[NET_DIGEST_SIZE] = { 0 };
    if (answer->account == 0)
        return;
    if (answer->nick[0] != '\0')
        net_tell_renamed(server, answer->account, jd_str(answer->nick));
    if (answer->blocked || answer->erased) {
        net_tell_leaves(server, answer->account, answer->erased);
        net_tell_sessions(server, answer->account, NULL, nobody);
    }
}

static void reply(Caller *caller) {
    const PagesAdmin *answer = &caller->answer;
    caller->reply[0] = caller->job.ran && !caller->failed && answer->ok ? '+' : '-';
    memcpy(caller->reply + 1, answer->text, answer->size);
    const uv_buf_t buf = uv_buf_init(caller->reply, (unsigned)answer->size + 1);
    caller->write.data = caller;
    if (uv_write(&caller->write, (uv_stream_t *)&caller->pipe, &buf, 1, on_written) != 0)
        uv_close((uv_handle_t *)&caller->pipe, on_closed);
}

static void done(NetJob *job) {
    Caller *caller = (Caller *)job;
    if (job->ran && !caller->failed)
        tell_live(caller->server, &caller->answer);
    reply(caller);
}

// ---- a result (S-104) -------------------------------------------------------------------------

static void say(Caller *caller, bool ok, const char *format, ...) JD_FORMAT(3, 4);
static void say(Caller *caller, bool ok, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    (void)jd_format_v(caller->answer.text, sizeof(caller->answer.text), format, arguments);
    va_end(arguments);
    caller->answer.size = strlen(caller->answer.text);
    caller->answer.ok = ok;
}

static void ruled(NetJob *job) {
    Caller *caller = (Caller *)job;
    const NetRule *rule = &caller->rule;
    net_rule_end(caller->server, &caller->rule);
    if (!job->ran)
        say(caller, false, "the site is stopping\n");
    else if (rule->code != NULL)
        say(caller, false, "%s\n", rule->err.text);
    else
        say(caller, true, "game %s: %s becomes %s\n%s\n", rule->game.text, rule->before,
            rule->after,
            rule->rated ? "the ratings are counted anew from that game on"
                        : "the game was not rated");
    reply(caller);
}

static void keep_rule(NetJob *job, NetWorkerKit *kit) {
    Caller *caller = (Caller *)job;
    net_rule_keep(caller->server, &caller->rule, kit);
}

static bool push(Caller *caller, void (*work)(NetJob *, NetWorkerKit *), void (*then)(NetJob *)) {
    caller->job = (NetJob) { .run = work, .done = then };
    return net_workers_push(caller->server->workers, &caller->job);
}

static void submit_rule(NetJob *job) {
    Caller *caller = (Caller *)job;
    if (job->ran)
        net_rule_submit(caller->server, &caller->rule);
    if (!job->ran || caller->rule.code != NULL || !push(caller, keep_rule, ruled))
        ruled(job);
}

static void read_rule(NetJob *job, NetWorkerKit *kit) {
    net_rule_read(&((Caller *)job)->rule, kit);
}

// words: result GAME RESULT --reason TEXT. False: answered already.
static bool read_words(Caller *caller) {
    NetRule *rule = &caller->rule;
    JdStr rest = jd_str_n(caller->asked, caller->size);
    JdStr words[5] = { { NULL, 0 } };
    size_t count = 0;
    JdErr err = { 0 };
    while (rest.size > 0 && count < JD_COUNT(words))
        words[count++] = jd_str_cut(&rest, '\0');
    rule->now = caller->now;
    if (count != JD_COUNT(words) || rest.size > 0)
        say(caller, false, "expected: result GAME RESULT --reason TEXT\n");
    else if (!live_id_parse(words[1], &rule->game))
        say(caller, false, "\"%.*s\" is no id of a game\n", JD_PRINT(words[1]));
    else if (!net_ruling_result(words[2], rule->halves))
        say(caller, false, "expected 1-0, 0-1, 1/2-1/2 or 0-0 as the result\n");
    else if (!net_ruling_reason(words[4], &err))
        say(caller, false, "%s\n", err.text);
    else if (!net_rule_begin(caller->server, rule))
        say(caller, false, "%s\n", rule->err.text);
    else
        jd_copy(rule->reason, words[4].data, words[4].size);
    return rule->holds;
}

static bool is_result(const Caller *caller) {
    JdStr rest = jd_str_n(caller->asked, caller->size);
    return jd_str_equal(jd_str_cut(&rest, '\0'), JD_STR("result"));
}

// False: nothing was begun.
static bool begin_rule(Caller *caller) {
    if (!read_words(caller)) {
        reply(caller);
        return true;
    }
    if (push(caller, read_rule, submit_rule))
        return true;
    net_rule_end(caller->server, &caller->rule);
    return false;
}

// ---- the socket -------------------------------------------------------------------------------

static void on_space(uv_handle_t *handle, size_t size, uv_buf_t *out) {
    Caller *caller = handle->data;
    (void)size;
    *out = uv_buf_init(caller->asked + caller->size, (unsigned)(ASKED_MAX - caller->size));
}

static void on_read(uv_stream_t *stream, ssize_t size, const uv_buf_t *buf) {
    Caller *caller = stream->data;
    (void)buf;
    if (size > 0) {
        caller->size += (size_t)size;
        return;
    }
    if (size == 0)
        return;
    uv_read_stop(stream);
    caller->now = net_now(caller->server);
    if (size != UV_EOF || !(is_result(caller) ? begin_rule(caller) : push(caller, run, done)))
        uv_close((uv_handle_t *)&caller->pipe, on_closed);
}

static void on_caller(uv_stream_t *listener, int status) {
    NetAdmin *admin = listener->data;
    Caller *caller = status == 0 ? calloc(1, sizeof(*caller)) : NULL;
    if (caller == NULL)
        return;
    caller->server = admin->server;
    uv_pipe_init(&admin->server->loop, &caller->pipe, 0);
    caller->pipe.data = caller;
    if (uv_accept(listener, (uv_stream_t *)&caller->pipe) != 0 ||
        uv_read_start((uv_stream_t *)&caller->pipe, on_space, on_read) != 0)
        uv_close((uv_handle_t *)&caller->pipe, on_closed);
}

NetAdmin *net_admin_open(NetServer *server) {
    NetAdmin *admin = calloc(1, sizeof(*admin));
    if (admin == NULL)
        return NULL;
    admin->server = server;
    if (!net_admin_path(&server->config, admin->path, sizeof(admin->path))) {
        net_log(NET_LOG_WARN, "the name of the data directory is too long for a socket in it: "
                              "jadoube admin works only while the site is stopped");
        free(admin);
        return NULL;
    }
    uv_pipe_init(&server->loop, &admin->listener, 0);
    admin->listener.data = admin;
    unlink(admin->path); // of a run that was killed; the data directory is held by this one
    const mode_t old = umask(0177);
    int status = uv_pipe_bind(&admin->listener, admin->path);
    umask(old);
    if (status == 0)
        status = uv_listen((uv_stream_t *)&admin->listener, 4, on_caller);
    if (status != 0) {
        net_log(NET_LOG_WARN, "%s: %s", admin->path, uv_strerror(status));
        uv_close((uv_handle_t *)&admin->listener, on_closed);
        return NULL;
    }
    return admin;
}

void net_admin_close(NetAdmin *admin) {
    if (admin == NULL)
        return;
    unlink(admin->path);
    uv_close((uv_handle_t *)&admin->listener, on_closed);
}

// ---- once in a while --------------------------------------------------------------------------

#define SANCTIONED_MAX 4096

typedef struct Housework {
    NetJob job;
    NetServer *server;
    JdInstant now;
    bool first;
    bool failed;
    PagesErased erased;
    size_t sanctioned_count;
    int64_t sanctioned[SANCTIONED_MAX];
} Housework;

static void housework_run(NetJob *job, NetWorkerKit *kit) {
    Housework *self = (Housework *)job;
    PagesFault fault = { 0 };
    self->failed =
        !pages_erase_due(kit->pages, self->now, &self->erased, &fault) ||
        (self->first && !pages_sanctioned(kit->pages, self->now, self->sanctioned, SANCTIONED_MAX,
                                          &self->sanctioned_count, &fault));
    if (self->failed)
        net_log(NET_LOG_ERROR, "what is due once in a while: %s", fault.err.text);
}

static void housework_done(NetJob *job) {
    Housework *self = (Housework *)job;
    NetServer *server = self->server;
    for (size_t i = 0; job->ran && !self->failed && i < self->sanctioned_count; i++)
        net_tell_leaves(server, self->sanctioned[i], false);
    for (size_t i = 0; job->ran && !self->failed && i < self->erased.count; i++)
        net_tell_leaves(server, self->erased.accounts[i], true);
    free(self);
}

void net_housework(NetServer *server) {
    Housework *self = server->stop ? NULL : calloc(1, sizeof(*self));
    if (self == NULL)
        return;
    self->server = server;
    self->now = net_now(server);
    self->first = !server->swept;
    self->job = (NetJob) { .run = housework_run, .done = housework_done };
    server->swept = true;
    if (!net_workers_push(server->workers, &self->job))
        free(self);
}
