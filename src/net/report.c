// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/report.h"

#include <stdlib.h>
#include <string.h>

#include "net/api.h"
#include "net/json_out.h"
#include "net/record.h"

#define LOOK_NODES 150000
#define LOOK_MS 2000
#define PV_PLIES 8
#define DAY_MS INT64_C(86400000)
#define ASKERS_MAX 4096

typedef struct Report {
    struct Report *next; // newest first
    NetServer *server;
    LiveId id;
    int64_t account;
    ChessPosition now;
    ChessMove *moves;
    uint32_t count;
    uint32_t at;   // looks made; count + 1 when done
    NetBuf *looks; // JSON, without the brackets
} Report;

// How many reports an account has begun today.
typedef struct Asker {
    int64_t account;
    int count;
} Asker;

struct NetReports {
    Report *list;
    size_t count;
    size_t working;
    int64_t day;
    Asker askers[ASKERS_MAX];
    size_t asker_count;
};

NetReports *net_reports_new(void) {
    return calloc(1, sizeof(NetReports));
}

static void free_report(Report *report) {
    net_buf_drop(report->looks);
    free(report->moves);
    free(report);
}

void net_reports_free(NetReports *reports) {
    while (reports != NULL && reports->list != NULL) {
        Report *report = reports->list;
        reports->list = report->next;
        free_report(report);
    }
    free(reports);
}

static bool is_done(const Report *report) {
    return report->at > report->count;
}

static Report *find(const NetReports *reports, const LiveId *id) {
    for (Report *report = reports->list; report != NULL; report = report->next)
        if (memcmp(report->id.text, id->text, sizeof id->text) == 0)
            return report;
    return NULL;
}

static void remove_report(NetReports *reports, Report *report) {
    for (Report **at = &reports->list; *at != NULL; at = &(*at)->next)
        if (*at == report) {
            *at = report->next;
            reports->count--;
            free_report(report);
            return;
        }
}

// The oldest that is done makes room.
static void make_room(NetReports *reports) {
    Report *oldest = NULL;
    for (Report *report = reports->list; report != NULL; report = report->next)
        if (is_done(report))
            oldest = report;
    if (reports->count >= NET_REPORTS_KEPT && oldest != NULL)
        remove_report(reports, oldest);
}

// The account's count of today; NULL: it has begun none.
static Asker *asker_of(NetReports *reports, int64_t account, JdInstant now) {
    const int64_t day = now.ms / DAY_MS;
    if (day != reports->day) {
        reports->day = day;
        reports->asker_count = 0;
    }
    for (size_t i = 0; i < reports->asker_count; i++)
        if (reports->askers[i].account == account)
            return &reports->askers[i];
    return NULL;
}

// Only who has begun a report takes a place: asking for what there is not must not fill them.
static bool has_room_for(const NetReports *reports, const Asker *asker) {
    return asker != NULL ? asker->count < NET_REPORTS_A_DAY : reports->asker_count < ASKERS_MAX;
}

static void count_report(NetReports *reports, int64_t account, JdInstant now) {
    Asker *asker = asker_of(reports, account, now);
    if (asker == NULL) {
        asker = &reports->askers[reports->asker_count++];
        *asker = (Asker) { .account = account };
    }
    asker->count++;
}

// ---- looking ------------------------------------------------------------------------------------

// {"score":{"cp"|"mate"},"pv":[uci]}: for White.
static void write_look(Report *report, bool is_mate, int32_t score, const EngineLine *line) {
    NetBuf *out = report->looks;
    ChessPosition pos = report->now;
    const int32_t sign = pos.side_to_move == CHESS_WHITE ? 1 : -1;
    json_out_open(out, '{');
    json_out_key(out, "score");
    json_out_open(out, '{');
    json_out_key_int(out, is_mate ? "mate" : "cp", sign * score);
    json_out_close(out, '}');
    json_out_key(out, "pv");
    json_out_open(out, '[');
    for (int i = 0; line != NULL && i < line->count && i < PV_PLIES; i++) {
        char uci[CHESS_UCI_SIZE];
        const size_t size = chess_uci_write(&pos, line->moves[i], uci);
        json_out_text(out, jd_str_n(uci, size));
        chess_move_make(&pos, line->moves[i], NULL);
    }
    json_out_close(out, ']');
    json_out_close(out, '}');
}

static void step(Report *report) {
    if (report->at < report->count)
        chess_move_make(&report->now, report->moves[report->at], NULL);
    report->at++;
}

static void on_look(void *context, const EngineAnswer *answer);

// Goes on with the next position, past those where the game is over by itself. False: it cannot.
static bool go_on(Report *report) {
    while (!is_done(report) && !chess_has_legal_move(&report->now)) {
        const bool mated = chess_is_check(&report->now);
        write_look(report, mated, mated ? -1 : 0, NULL);
        step(report);
    }
    if (is_done(report)) {
        json_out_close(report->looks, ']');
        report->server->reports->working--;
        return true;
    }
    const EngineQuestion question = { .start = &report->now,
                                      .nodes = LOOK_NODES,
                                      .time_ms = LOOK_MS,
                                      .skill = -1,
                                      .priority = ENGINE_FOR_ANALYSIS,
                                      .asker = (uint64_t)report->account };
    return net_computer_ask(report->server->computer, &question, on_look, report);
}

static void give_up(Report *report) {
    report->server->reports->working--;
    remove_report(report->server->reports, report);
}

static void on_look(void *context, const EngineAnswer *answer) {
    Report *report = context;
    const bool told = answer->outcome == ENGINE_ANSWERED && answer->lines_count > 0;
    if (!told) {
        give_up(report);
        return;
    }
    write_look(report, answer->lines[0].is_mate, answer->lines[0].score, &answer->lines[0]);
    step(report);
    if (report->looks->failed || !go_on(report))
        give_up(report);
}

// ---- asking -------------------------------------------------------------------------------------

// What a worker reads of a game.
typedef struct ReadGame {
    ChessPosition start;
    uint32_t count;
    ChessMove moves[];
} ReadGame;

static void reply(NetRequest *request, const Report *report) {
    NetBuf *out = net_reply_json(request, 200);
    if (out == NULL)
        return;
    json_out_open(out, '{');
    json_out_key_cstr(out, "state", is_done(report) ? "done" : "working");
    json_out_key_int(out, "done", report->at);
    json_out_key_int(out, "of", report->count + 1);
    json_out_key(out, "looks");
    if (is_done(report))
        json_out_raw(out, net_buf_str(report->looks));
    else
        json_out_null(out);
    json_out_close(out, '}');
}

static bool read_moves(const LiveGameView *game, ReadGame *out) {
    ChessPosition pos;
    JdErr err = { 0 };
    if (!chess_fen_parse(jd_str(game->start_fen), &out->start, &err))
        return false;
    pos = out->start;
    for (out->count = 0; out->count < game->row.plies; out->count++) {
        ChessMove move;
        if (!chess_uci_parse(jd_str(game->moves[out->count].uci), &pos, &move, &err))
            return false;
        out->moves[out->count] = move;
        chess_move_make(&pos, move, NULL);
    }
    return true;
}

static void read_game(NetRequest *request, NetWorkerKit *kit) {
    NetRecord record;
    LiveId id;
    bool found = false;
    JdErr err = { 0 };
    if (!live_id_parse(request->params[0], &id) ||
        !net_record_read(kit, &id, request->now, &record, &found, &err)) {
        NetError fault = { 0 };
        net_record_fault(&err, &fault);
        net_reply_error(request, &fault);
        return;
    }
    if (!found) {
        net_reply_fault(request, "not_found", NULL, "there is no such game that is over");
        net_record_free(&record);
        return;
    }
    ReadGame *game = malloc(sizeof *game + record.game.row.plies * sizeof game->moves[0]);
    if (game == NULL || !read_moves(&record.game, game)) {
        net_reply_fault(request, "internal", NULL, "no memory for the game");
        free(game);
    } else {
        request->results = game;
    }
    net_record_free(&record);
}

static Report *new_report(NetRequest *request, const LiveId *id) {
    const ReadGame *game = request->results;
    Report *report = calloc(1, sizeof *report);
    ChessMove *moves = calloc(game->count + 1u, sizeof *moves);
    NetBuf *looks = net_buf_new();
    if (report == NULL || moves == NULL || looks == NULL) {
        free(report);
        free(moves);
        net_buf_drop(looks);
        return NULL;
    }
    if (game->count > 0)
        jd_copy(moves, game->moves, game->count * sizeof *moves);
    *report = (Report) { .server = request->server,
                         .id = *id,
                         .account = request->me.account,
                         .now = game->start,
                         .moves = moves,
                         .count = game->count,
                         .looks = looks };
    json_out_open(looks, '[');
    return report;
}

static void go_ahead(void *context, bool allowed);

// Fair play: no position of it stands on a board where people play (S-065), here or at another
// node.
static void ask_fairness(NetRequest *request) {
    NetServer *server = request->server;
    const ReadGame *game = request->results;
    ChessPosition *list = calloc(game->count + 1u, sizeof *list);
    net_request_hold(request);
    if (list == NULL) { // without memory nothing is looked at
        go_ahead(request, false);
        return;
    }
    list[0] = game->start;
    for (uint32_t i = 0; i < game->count; i++) {
        list[i + 1] = list[i];
        chess_move_make(&list[i + 1], game->moves[i], NULL);
    }
    const NetPositions positions = { .list = list, .count = game->count + 1u };
    if (live_forbids_engine(server->shell.live, request->me.account, list, positions.count))
        go_ahead(request, false);
    else
        net_gateway_may(server, request->me.account, &positions, go_ahead, request);
    free(list);
}

// Why no report may be begun now; true: the error is given.
static bool is_refused(NetRequest *request) {
    NetReports *reports = request->server->reports;
    const Asker *asker = asker_of(reports, request->me.account, request->now);
    if (!net_computer_is_there(request->server->computer)) {
        net_reply_fault(request, "no_engine", NULL, "no engine is installed here");
    } else if (!has_room_for(reports, asker)) {
        NetError err = { 0 };
        (void)net_fail(&err, "rate_limited", NULL, "no more reports for you today");
        err.retry_after = (int)((DAY_MS - request->now.ms % DAY_MS) / 1000) + 1;
        net_reply_error(request, &err);
    } else if (reports->working >= NET_REPORTS_WORKING) {
        net_reply_fault(request, "unavailable", NULL, "too many reports are being made");
    } else {
        return false;
    }
    return true;
}

static void begin(NetRequest *request) {
    NetReports *reports = request->server->reports;
    LiveId id;
    if (!live_id_parse(request->params[0], &id)) {
        net_request_finish(request);
        return;
    }
    Report *report = find(reports, &id); // somebody else was quicker
    if (report == NULL) {
        // Others, or he himself, may have begun as many as there may be meanwhile.
        if (is_refused(request)) {
            net_request_finish(request);
            return;
        }
        make_room(reports);
        report = new_report(request, &id);
        if (report == NULL) {
            net_reply_fault(request, "unavailable", NULL, "no room for another report");
            net_request_finish(request);
            return;
        }
        report->next = reports->list;
        reports->list = report;
        reports->count++;
        reports->working++;
        count_report(reports, request->me.account, request->now);
        if (!go_on(report)) {
            give_up(report);
            net_reply_fault(request, "unavailable", NULL, "no memory for the report");
            net_request_finish(request);
            return;
        }
    }
    reply(request, report);
    net_request_finish(request);
}

static void go_ahead(void *context, bool allowed) {
    NetRequest *request = context;
    if (allowed) {
        begin(request);
    } else {
        net_reply_fault(request, "fair_play", NULL,
                        "a position of it, or a game on the clock, is being played with a person");
        net_request_finish(request);
    }
    net_request_drop(request);
}

static void game_read(NetRequest *request) {
    if (request->status == 0)
        ask_fairness(request);
    else
        net_request_finish(request);
}

static void woken(NetRequest *request, const LiveAnswer *answer) {
    if (answer->kind == LIVE_ANSWER_ERROR)
        net_answer_reply(request, answer);
    else
        net_request_work(request, read_game, game_read, false);
}

static void look_up(NetRequest *request, bool begins) {
    LiveId id;
    if (!live_id_parse(request->params[0], &id)) {
        net_reply_fault(request, "not_found", NULL, "there is nothing of that id");
        net_request_finish(request);
        return;
    }
    const Report *report = find(request->server->reports, &id);
    if (report != NULL) {
        reply(request, report);
    } else if (!begins) {
        net_reply_fault(request, "not_found", NULL, "nobody has asked for this report");
    } else if (!is_refused(request)) {
        // His own games by days that sleep are woken first: they count (ask_fairness).
        LiveCommand command = { .kind = LIVE_QUERY_GAMES };
        net_request_live(request, &command, woken);
        return;
    }
    net_request_finish(request);
}

void api_report(NetRequest *request) {
    look_up(request, false);
}

void api_report_begin(NetRequest *request) {
    if (api_empty_body(request))
        look_up(request, true);
    else
        net_request_finish(request);
}
