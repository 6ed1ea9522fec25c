// SPDX-License-Identifier: GPL-3.0-or-later
//
// One server from start to stop.
#include "net/server.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <jansson.h>
#include <sodium.h>

#include "net/http.h"
#include "net/log.h"
#include "net/net.h"
#include "net/notify.h"
#include "net/tls.h"

// Descriptors kept for what is no client: the database, its log, readers, epoll, standard streams.
#define DESCRIPTORS_KEPT 64
#define SWEEP_MS 2500
#define SWEEP_PARTS 50           // WebSockets are looked at a part at a time
#define SHARDS_PATIENCE_MS 10000 // of a node that starts
#define OUTSIDE_THREADS 2        // that ask providers of OpenID Connect
#define HOUSEWORK_SWEEPS 240     // ten minutes
// Accounts one address block may make: two school classes.
#define REGISTRATIONS_PER_HOUR 60
// Stopping: how often it is looked at, how many times at most (3 s), and how many of these are left
// to clients to answer the close.
#define STOP_TICK_MS 50
#define STOP_TICKS_MAX 60
#define STOP_TICKS_POLITE 20

// Protocol 0 takes all of HTTP, and a WebSocket without a subprotocol, which it refuses.
static const struct lws_protocols protocols[] = {
    { .name = "http-only", .callback = net_http_callback, .tx_packet_size = 65536 },
    // Small, because each connection has a buffer of it: longer messages come in pieces.
    { .name = "chess.v1",
      .callback = net_ws_callback,
      .rx_buffer_size = 1024,
      .tx_packet_size = 65536 },
    { .name = NULL },
};

int64_t net_steady_ms(void) {
    return (int64_t)(uv_hrtime() / 1000000);
}

JdInstant net_now(const NetServer *server) {
    return net_clock_now(&server->clock);
}

bool net_allowed(NetServer *server, const NetConn *conn, NetQuota quota, int *retry_s) {
    int64_t wait_ms = 0;
    if (!server->config.rate_limits ||
        net_limits_take(server->limits, &conn->address, quota, net_now(server), &wait_ms))
        return true;
    server->metrics.rate_limited++;
    *retry_s = (int)((wait_ms + 999) / 1000);
    return false;
}

uint64_t net_random64(void) {
    uint64_t value = 0;
    randombytes_buf(&value, sizeof(value));
    return value;
}

void net_token_digest(JdStr token, uint8_t out[NET_DIGEST_SIZE]) {
    crypto_generichash(out, NET_DIGEST_SIZE, (const unsigned char *)token.data, token.size, NULL,
                       0);
}

// ---- connections ------------------------------------------------------------------------------

static bool is_local(const NetAddress *address) {
    static const uint8_t mapped[13] = { [10] = 0xff, [11] = 0xff, [12] = 127 };
    static const uint8_t own[16] = { [15] = 1 };
    return memcmp(address->bytes, mapped, sizeof(mapped)) == 0 ||
           memcmp(address->bytes, own, sizeof(own)) == 0;
}

static void on_accept(void *context, int fd, const char *peer) {
    NetServer *server = context;
    NetMetrics *metrics = &server->metrics;
    NetAddress address;
    NetConn *conn = NULL;
    // Behind a proxy all come from one address, and the proxy counts.
    const bool counted = server->config.rate_limits && !server->config.behind_proxy;
    const uint32_t most =
        counted ? (uint32_t)server->config.max_connections_per_address : UINT32_MAX;
    if (metrics->connections >= (uint64_t)server->config.max_connections ||
        !net_address_parse(peer, &address) ||
        !net_limits_open(server->limits, &address, most, net_now(server)) ||
        (conn = calloc(1, sizeof(*conn))) == NULL) {
        metrics->connections_refused++;
        close(fd);
        return;
    }
    conn->server = server;
    conn->peer = address;
    conn->address = address;
    conn->local = is_local(&address);
    conn->next = server->conns;
    if (server->conns != NULL)
        server->conns->previous = conn;
    server->conns = conn;
    metrics->connections++;
    metrics->connections_total++;
    server->adopting = conn;
    const lws_adopt_desc_t adopt = {
        .vh = server->vhost,
        .type = LWS_ADOPT_SOCKET | LWS_ADOPT_HTTP |
                (net_tls_wanted(&server->config) ? LWS_ADOPT_ALLOW_SSL : 0),
        .fd.sockfd = fd,
        .opaque = conn,
    };
    struct lws *wsi = lws_adopt_descriptor_vhost_via_info(&adopt);
    if (wsi == NULL && server->adopting == conn)
        net_conn_gone(conn); // given up before the library knew whose it was
    server->adopting = NULL;
}

static void decided(void *context, const LiveId *game, uint32_t ply, uint8_t code) {
    NetServer *server = context;
    net_shell_verdict(&server->shell, game, ply, code);
}

static bool wanted(void *context, const LiveId *game, uint32_t ply) {
    const NetServer *server = context;
    return server->shell.open && live_wants_verdict(server->shell.live, game, ply);
}

static void deliver(void *context, const LiveEffect *effect, JdInstant staged) {
    NetServer *server = context;
    net_ratings_notice(server, effect);
    if (effect->kind == LIVE_FX_VACATION)
        net_tell_vacation(server, &effect->vacation);
    if (effect->kind == LIVE_FX_THINK)
        net_computer_think(server->computer, &effect->id, effect->think);
    else if (effect->kind == LIVE_FX_DECIDE)
        net_decider_ask(server->decider, &effect->id, effect->question);
    else if (effect->kind == LIVE_FX_ANSWER && effect->origin.connection == 0)
        net_http_answer(server, &effect->origin, effect->answer);
    else if (effect->kind == LIVE_FX_INVITED)
        net_notices_invited(server, &effect->id, &effect->invited);
    else
        net_hub_deliver(&server->hub, effect, staged);
}

static void on_sweep(uv_timer_t *timer) {
    NetServer *server = timer->data;
    net_ws_sweep(server, SWEEP_PARTS);
    if (server->sweep_parts++ % SWEEP_PARTS != 0)
        return;
    net_poll_sweep(&server->hub, net_steady_ms());
    net_http_sweep(server);
    const bool due = server->sweeps++ % HOUSEWORK_SWEEPS == 0 || !server->swept;
    if (due && net_cluster_leads(server->cluster))
        net_housework(server);
}

// What the steps of this turn have left to do.
static void end_turn(NetServer *server) {
    net_shell_turn(&server->shell);
    net_hub_write(&server->hub);
}

static void before_waiting(uv_prepare_t *prepare) {
    end_turn(prepare->data);
}

static void after_reading(uv_check_t *check) {
    end_turn(check->data);
}

static void start_turns(NetServer *server) {
    uv_prepare_init(&server->loop, &server->before);
    uv_check_init(&server->loop, &server->after);
    server->before.data = server;
    server->after.data = server;
    uv_prepare_start(&server->before, before_waiting);
    uv_check_start(&server->after, after_reading);
    // They keep nothing going.
    uv_unref((uv_handle_t *)&server->before);
    uv_unref((uv_handle_t *)&server->after);
}

// ---- stopping ---------------------------------------------------------------------------------

static bool still_busy(const NetServer *server) {
    return net_shell_busy(&server->shell) || server->requests > 0 ||
           net_workers_pending(server->workers) > 0 ||
           (server->outside != NULL && net_workers_pending(server->outside) > 0);
}

static void begin_stop(NetServer *server) {
    server->stop = true;
    server->stop_ticks = 0;
    net_shell_hurry(&server->shell);
    net_cluster_stop(server->cluster);
    net_listener_close(&server->listener);
    net_decider_stop(server->decider);
    net_oidc_stop(server->oidc);
    net_ws_close_all(server, 1012);
}

static void on_stopping(uv_timer_t *timer) {
    NetServer *server = timer->data;
    const int ticks = ++server->stop_ticks;
    if (!server->stop) {
        // A node hands over first, so that its games stand for a moment only.
        if (net_cluster_busy(server->cluster) && ticks < STOP_TICKS_MAX)
            return;
        begin_stop(server);
    }
    const bool waiting_for_clients = server->metrics.sockets > 0 && ticks < STOP_TICKS_POLITE;
    // What a fenced node still has to write will never be written.
    const bool busy = server->exit_code == 0 && still_busy(server);
    if ((busy || waiting_for_clients) && ticks < STOP_TICKS_MAX)
        return;
    uv_timer_stop(timer);
    uv_stop(&server->loop);
}

static void leave(NetServer *server) {
    server->leaving = true;
    if (server->cluster != NULL)
        net_cluster_leave(server->cluster);
    else
        begin_stop(server);
    uv_timer_start(&server->stopping, on_stopping, STOP_TICK_MS, STOP_TICK_MS);
}

void net_server_end(NetServer *server, int exit_code) {
    if (server->exit_code == 0)
        server->exit_code = exit_code;
    if (!server->stop)
        begin_stop(server);
    uv_timer_start(&server->stopping, on_stopping, STOP_TICK_MS, STOP_TICK_MS);
}

static void on_drained(uv_timer_t *timer) {
    leave(timer->data);
}

// Asked once: whoever sends people here is told by /healthz for a while, then all ends; asked
// again: that ends now; and once more: at once.
static void on_signal(uv_signal_t *handle, int number) {
    NetServer *server = handle->data;
    const bool waits = server->config.drain_s > 0 && !server->draining;
    if (server->stop || server->leaving) {
        uv_stop(&server->loop);
        return;
    }
    net_log(NET_LOG_INFO, "%s: %s", number == SIGINT ? "SIGINT" : "SIGTERM",
            waits ? "draining" : "stopping");
    net_notify("STOPPING=1");
    server->draining = true;
    if (waits)
        uv_timer_start(&server->stopping, on_drained, (uint64_t)server->config.drain_s * 1000, 0);
    else
        leave(server);
}

static void on_hangup(uv_signal_t *handle, int number) {
    (void)handle;
    (void)number;
    net_log_reopen();
    net_log(NET_LOG_INFO, "SIGHUP: the log goes on here");
}

static void on_watchdog(uv_timer_t *timer) {
    (void)timer;
    net_notify("WATCHDOG=1");
}

// ---- starting ---------------------------------------------------------------------------------

// As many descriptors as the wanted connections need, and as few connections as there are
// descriptors for. The library's tables grow with the limit, so it is lowered as well.
static void fit_descriptors(NetConfig *config) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return;
    const rlim_t wanted = (rlim_t)config->max_connections + DESCRIPTORS_KEPT;
    limit.rlim_cur = wanted < limit.rlim_max ? wanted : limit.rlim_max;
    (void)setrlimit(RLIMIT_NOFILE, &limit);
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= wanted)
        return;
    config->max_connections = (int64_t)limit.rlim_cur - DESCRIPTORS_KEPT;
    if (config->max_connections < 1)
        config->max_connections = 1;
    net_log(NET_LOG_INFO, "at most %lld connections: the system allows %lld open files",
            (long long)config->max_connections, (long long)limit.rlim_cur);
}

static bool make_dir(const char *path, JdErr *err) {
    char part[NET_CONFIG_TEXT];
    jd_format(part, sizeof(part), "%s", path);
    for (char *c = part + 1; *c != '\0'; c++) {
        if (*c != '/')
            continue;
        *c = '\0';
        (void)mkdir(part, 0700); // one that is there already, or cannot be made: the last says so
        *c = '/';
    }
    if (mkdir(part, 0700) != 0 && errno != EEXIST)
        return jd_fail(err, 1, 0, "data directory %s: %s", path, strerror(errno));
    struct stat info;
    if (stat(part, &info) != 0)
        return jd_fail(err, 1, 0, "data directory %s: %s", path, strerror(errno));
    if (!S_ISDIR(info.st_mode))
        return jd_fail(err, 1, 0, "data directory %s: it is a file", path);
    if (access(part, R_OK | W_OK | X_OK) != 0)
        return jd_fail(err, 1, 0, "data directory %s: %s", path, strerror(errno));
    return true;
}

static bool start_loop(NetServer *server, JdErr *err) {
    if (uv_loop_init(&server->loop) != 0 ||
        !net_shell_init(&server->shell, &server->loop, &server->clock, deliver, server))
        return jd_fail(err, 1, 0, "the event loop cannot be made: %s", strerror(errno));
    server->handles = true;
    net_hub_start(&server->hub, &server->loop);
    uv_timer_init(&server->loop, &server->sweep);
    uv_timer_init(&server->loop, &server->stopping);
    start_turns(server);
    server->sweep.data = server;
    server->stopping.data = server;
    const int numbers[] = { SIGTERM, SIGINT, SIGHUP };
    _Static_assert(JD_COUNT(numbers) == JD_COUNT(server->signals), "a handle for each signal");
    for (size_t i = 0; i < JD_COUNT(numbers); i++) {
        uv_signal_init(&server->loop, &server->signals[i]);
        server->signals[i].data = server;
        uv_signal_start(&server->signals[i], numbers[i] == SIGHUP ? on_hangup : on_signal,
                        numbers[i]);
    }
    uv_timer_init(&server->loop, &server->watchdog);
    return net_computer_open(&server->loop, &server->shell, &server->config, &server->computer,
                             err);
}

static bool start_library(NetServer *server, JdErr *err) {
    // Who is silent is our own business (ws.c). The library's way keeps all connections in one
    // sorted list and walks through it at every pong.
    static const lws_retry_bo_t no_idle_policy = { .secs_since_valid_hangup = 0 };
    void *foreign[1] = { &server->loop };
    const bool tls = net_tls_wanted(&server->config);
    const struct lws_context_creation_info info = {
        .port = CONTEXT_PORT_NO_LISTEN_SERVER,
        .protocols = protocols,
        .retry_and_idle_policy = &no_idle_policy,
        .options = LWS_SERVER_OPTION_LIBUV | LWS_SERVER_OPTION_VALIDATE_UTF8 |
                   LWS_SERVER_OPTION_EXPLICIT_VHOSTS |
                   (tls ? LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT : 0),
        .ssl_cert_filepath = tls ? server->config.tls_cert : NULL,
        .ssl_private_key_filepath = tls ? server->config.tls_key : NULL,
        .alpn = "http/1.1", // a WebSocket is one connection, and its own
        .foreign_loops = foreign,
        .timeout_secs = 10,
        .keepalive_timeout = 30,
        .max_http_header_pool =
            (unsigned short)(server->config.max_connections < 4096 ? server->config.max_connections
                                                                   : 4096),
        .vhost_name = "jadoube",
        .pcontext = &server->context, // set to NULL when the library is through with destroying it
    };
    lws_set_log_level(0, NULL);
    server->context = lws_create_context(&info);
    if (server->context == NULL)
        return jd_fail(err, 1, 0,
                       "libwebsockets does not start: is libwebsockets-evlib-uv installed?");
    server->vhost = lws_create_vhost(server->context, &info);
    if (server->vhost == NULL)
        return jd_fail(err, 1, 0, "libwebsockets has no memory to start");
    return true;
}

static PagesCaptchaWay captcha_way(const NetConfig *config) {
    return strcmp(config->captcha, "off") == 0        ? PAGES_CAPTCHA_OFF
           : strcmp(config->captcha, "question") == 0 ? PAGES_CAPTCHA_QUESTION
                                                      : PAGES_CAPTCHA_PICTURES;
}

// Of the shell, as StoreConfig has one context for all.
static void on_cluster(void *shell) {
    net_cluster_on_store(((NetShell *)shell)->context);
}

// It may take a while, and the way back should be known.
static void say_what_migrates(const StoreConfig *store) {
    int version = 0;
    JdErr err;
    if (!store_schema(store, &version, &err) || version >= store_schema_known())
        return; // a new site, or what is wrong will show itself
    if (store->database != NULL || store->migrates_bare)
        net_log(NET_LOG_WARN, "the schema changes from %d to %d, without a backup of what was",
                version, store_schema_known());
    else
        net_log(NET_LOG_INFO,
                "the schema changes from %d to %d; what was is kept as "
                "%s/jadoube.db.schema-%d.backup",
                version, store_schema_known(), store->data_dir, version);
}

static bool start_club(NetServer *server, JdErr *err) {
    const bool node = server->cluster != NULL;
    server->shell.cluster = server->cluster;
    const StoreConfig store = {
        .data_dir = server->config.data,
        .database = net_config_database(&server->config),
        .migrates_bare = !server->config.upgrade_backup,
        .on_durable = net_shell_on_durable,
        .context = &server->shell,
        .node = node ? server->config.node : NULL,
        .address = node ? server->here : NULL,
        .on_cluster = node ? on_cluster : NULL,
    };
    say_what_migrates(&store);
    if (!store_open(&store, &server->store, err))
        return false;
    const PagesConfig pages = {
        .store = server->store,
        .registration_closed = !server->config.registration,
        .registrations_per_hour = server->config.rate_limits ? REGISTRATIONS_PER_HOUR : UINT32_MAX,
        .site = server->site,
        .mail = server->mailer != NULL,
        .captcha = captcha_way(&server->config),
        .questions = server->config.questions,
        .anonymizers = server->config.anonymizers,
        .mail_waits = server->mailer != NULL ? net_mailer_wake : NULL,
        .context = server->mailer,
        .push_waits = net_pusher_wake,
        .push_context = server->pusher,
    };
    if (!pages_open(&pages, &server->pages, err) ||
        !net_workers_open(&server->loop, server->pages, server->store, (int)server->config.workers,
                          &server->workers, err))
        return false;
    // Providers may be slow, and nobody else is to wait for them.
    if (server->oidc != NULL && !net_workers_open(&server->loop, server->pages, server->store,
                                                  OUTSIDE_THREADS, &server->outside, err))
        return false;
    if (server->oidc != NULL && (server->flows = net_oidc_flows_new()) == NULL)
        return jd_fail(err, 1, 0, "no memory to start");
    if (node) {
        net_mailer_lead(server->mailer, false);
        net_pusher_share(server->pusher);
    }
    // Before the shell: games may come back from the log with a question.
    server->decider = net_decider_new(server->workers, decided, wanted, server);
    if (server->decider == NULL)
        return jd_fail(err, 1, 0, "no memory to start");
    return net_computer_accounts(server->pages, net_now(server), server->shell.computers, err) &&
           net_shell_start(&server->shell, server->store, server->pages, err) &&
           (server->mailer == NULL || net_mailer_start(server->mailer, server->pages, err)) &&
           net_pusher_start(server->pusher, server->pages, server->site, err);
}

static void name_site(NetServer *server) {
    const NetConfig *config = &server->config;
    JdStr list = jd_str(config->origin);
    const JdStr origin = jd_str_trim(jd_str_cut(&list, ' '));
    const bool v6 = strchr(config->host, ':') != NULL;
    jd_format(server->here, sizeof(server->here), v6 ? "%s://[%s]:%d" : "%s://%s:%d",
              net_tls_wanted(config) ? "https" : "http", config->host, server->listener.port);
    if (origin.size > 0)
        jd_format(server->site, sizeof(server->site), "%.*s", JD_PRINT(origin));
    else
        jd_format(server->site, sizeof(server->site), "%s", server->here);
    JdOut sockets = jd_out(server->policy_sockets, sizeof(server->policy_sockets) - 1);
    for (JdStr rest = jd_str(config->origin); rest.size > 0;) {
        const JdStr one = jd_str_cut(&rest, ' '); // http://... or https://...
        if (one.size == 0)
            continue;
        jd_out_cstr(&sockets, " ws");
        jd_out_text(&sockets, jd_str_part(one, 4, one.size));
    }
    JD_ASSERT(jd_out_fits(&sockets));
}

static bool start(NetServer *server, JdErr *err) {
    if (sodium_init() < 0)
        return jd_fail(err, 1, 0, "libsodium does not start");
    json_object_seed(0);
    net_clock_init(&server->clock);
    server->started = net_now(server);
    server->secret = net_random64();
    randombytes_buf(server->form_key, sizeof(server->form_key));
    fit_descriptors(&server->config);
    server->limits = net_limits_new(net_random64());
    server->reports = net_reports_new();
    if (server->limits == NULL || server->reports == NULL || !net_hub_open(&server->hub, server))
        return jd_fail(err, 1, 0, "no memory to start");
    // The port first: it is what is wrong most often, and it costs nothing to find out.
    if (!net_tls_check(&server->config, err) ||
        !net_mailer_new(&server->config, &server->mailer, err) ||
        !net_oidc_new(&server->config, &server->oidc, err) ||
        !net_pusher_new(&server->config, &server->pusher, err) ||
        !net_listener_bind(&server->listener, server->config.host, (int)server->config.port,
                           server->config.node[0] != '\0', err))
        return false;
    name_site(server); // letters name it
    if (!make_dir(server->config.data, err) || !start_loop(server, err) ||
        !net_cluster_new(server, &server->cluster, err) || !start_club(server, err) ||
        !start_library(server, err))
        return false;
    net_sleepers_open(&server->sleepers, server);
    if (!net_gateway_open(server, &server->gateway, err) || !net_cluster_open(server, err))
        return false;
    server->admin = net_admin_open(server);
    net_notices_open(server);
    if (server->cluster == NULL)
        net_listener_start(&server->listener, &server->loop, on_accept, server);
    uv_timer_start(&server->sweep, on_sweep, SWEEP_MS / SWEEP_PARTS, SWEEP_MS / SWEEP_PARTS);
    return true;
}

// ---- the end ----------------------------------------------------------------------------------

static void on_nothing(uv_timer_t *timer) {
    (void)timer;
}

// On a loop that is not its own the library is destroyed in phases, a call for each, with turns of
// the loop between them in which its handles close.
static void destroy_library(NetServer *server) {
    for (int phase = 0; phase < 3 && server->context != NULL; phase++) {
        lws_context_destroy(server->context);
        uv_timer_start(&server->stopping, on_nothing, 1, 0);
        for (int i = 0; i < 10; i++)
            uv_run(&server->loop, UV_RUN_NOWAIT);
    }
}

// Takes everything apart in the order in which it may be: nobody uses what is gone.
static bool finish(NetServer *server, JdErr *err) {
    net_listener_close(&server->listener);
    if (server->decider != NULL)
        net_decider_stop(server->decider);
    net_admin_close(server->admin);
    net_gateway_close(server->gateway);
    net_cluster_close(server->cluster);
    net_oidc_stop(server->oidc);
    net_workers_close(server->outside);
    net_workers_close(server->workers);
    net_mailer_close(server->mailer);
    net_pusher_close(server->pusher);
    net_ratings_close(server);
    net_sleepers_close(&server->sleepers);
    net_notices_close(server);
    net_computer_stop(server->computer);
    destroy_library(server);
    if (server->handles)
        net_shell_stop(&server->shell);
    pages_close(server->pages);
    const bool durable = store_close(server->store, err);
    net_cluster_close_late(server->cluster);
    if (server->handles) {
        uv_close((uv_handle_t *)&server->shell.durable, NULL);
        uv_close((uv_handle_t *)&server->sweep, NULL);
        uv_close((uv_handle_t *)&server->before, NULL);
        uv_close((uv_handle_t *)&server->after, NULL);
        net_hub_stop(&server->hub);
        uv_close((uv_handle_t *)&server->stopping, NULL);
        uv_close((uv_handle_t *)&server->watchdog, NULL);
        for (size_t i = 0; i < JD_COUNT(server->signals); i++)
            uv_close((uv_handle_t *)&server->signals[i], NULL);
        uv_run(&server->loop, UV_RUN_DEFAULT);
        uv_loop_close(&server->loop);
        net_shell_free(&server->shell);
    }
    net_cluster_free(server->cluster);
    net_workers_free(server->workers);
    net_workers_free(server->outside);
    net_oidc_flows_free(server->flows);
    net_oidc_free(server->oidc);
    net_decider_free(server->decider);
    net_computer_free(server->computer);
    net_reports_free(server->reports);
    net_hub_close(&server->hub);
    net_gateway_free(server->gateway);
    net_limits_free(server->limits);
    return durable;
}

static bool has_administrator(const NetServer *server) {
    StoreDb *db = NULL;
    JdErr err = { 0 };
    if (!store_reader_open(server->store, &db, &err))
        return true; // what is wrong will show itself
    StoreStmt *find = store_query(db, STORE_ROLE_HOLDERS);
    store_bind_text(find, 1, JD_STR("admin"));
    const bool found = store_step(find, &err) != STORE_STEP_DONE;
    store_done(find);
    store_reader_close(db);
    return found;
}

// What an operator would otherwise miss only when somebody complains.
static void say_what_is_off(const NetServer *server) {
    if (!has_administrator(server))
        net_log(NET_LOG_INFO,
                "nobody is an administrator yet: register, then say "
                "jadoube admin --data %s role YOUR-NICK admin",
                server->config.data);
    if (server->oidc != NULL && server->config.origin[0] == '\0')
        net_log(NET_LOG_WARN,
                "providers are told to send people back to %s/login/oidc/: set origin to what "
                "people call the site",
                server->site);
    if (server->mailer == NULL)
        net_log(NET_LOG_INFO,
                "no mail server is set (smtp): addresses are not confirmed, forgotten "
                "passwords not replaced, no notices sent");
    else if (server->config.origin[0] == '\0')
        net_log(NET_LOG_WARN,
                "links in letters begin with %s/: set origin to what people call the "
                "site",
                server->site);
}

// The service manager is told once people can come.
static void tell_manager(NetServer *server) {
    const uint64_t every_ms = net_notify_watchdog_ms();
    net_notify("READY=1");
    if (every_ms > 0)
        uv_timer_start(&server->watchdog, on_watchdog, every_ms, every_ms);
}

// A node that owns nothing yet can make no challenge: until it does, clients are better off
// elsewhere.
static void wait_for_shards(NetServer *server) {
    const int64_t until_ms = net_now(server).ms + SHARDS_PATIENCE_MS;
    while (!net_cluster_owns_any(server->cluster) && net_now(server).ms < until_ms &&
           !server->stop && !server->leaving)
        uv_run(&server->loop, UV_RUN_ONCE);
    if (!server->stop)
        net_listener_start(&server->listener, &server->loop, on_accept, server);
}

static bool open_log(const NetConfig *config, JdErr *err) {
    const NetLogConfig log = {
        .json = strcmp(config->log, "json") == 0,
        .most = strcmp(config->log_level, "error") == 0     ? NET_LOG_ERROR
                : strcmp(config->log_level, "warning") == 0 ? NET_LOG_WARN
                                                            : NET_LOG_INFO,
        .file = config->log_file[0] != '\0' ? config->log_file : NULL,
    };
    return net_log_open(&log, err);
}

int net_serve(const NetConfig *config) {
    NetServer *server = calloc(1, sizeof(*server));
    JdErr err = { 0 };
    if (server == NULL) {
        fprintf(stderr, "jadoube: no memory to start\n");
        return 1;
    }
    server->config = *config;
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); // a file at its limit is an error of the write, not the end
    bool ok = open_log(config, &err) && start(server, &err);
    if (ok && server->cluster != NULL)
        wait_for_shards(server);
    if (ok) {
        printf("jadoube is running at %s/\n", server->here);
        fflush(stdout);
        tell_manager(server);
        net_log(NET_LOG_INFO, "running at %s/, data in %s, %zu games go on", server->site,
                server->config.data, server->shell.games_replayed);
        say_what_is_off(server);
        net_ratings_open(server);
        uv_run(&server->loop, UV_RUN_DEFAULT);
    }
    JdErr end = { 0 };
    if (!finish(server, &end) && ok) {
        ok = false;
        err = end;
    }
    const int exit_code = server->exit_code;
    free(server);
    if (exit_code != 0) {
        net_log(NET_LOG_ERROR, "stopped");
        return exit_code;
    }
    if (!ok)
        fprintf(stderr, "jadoube: %s\n", err.text);
    else
        net_log(NET_LOG_INFO, "stopped");
    return ok ? 0 : 1;
}
