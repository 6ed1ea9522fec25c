// SPDX-License-Identifier: GPL-3.0-or-later
//
// A ruling on a finished game, from the directory of a stopped site.
#include "net/net.h"

#include <stdlib.h>
#include <string.h>

#include "net/record.h"
#include "net/ruling.h"
#include "net/shell.h"
#include "pages/pages.h"
#include "store/store.h"

typedef struct House {
    Store *store;
    Pages *pages;
    PagesWorker *worker;
    StoreDb *db;
} House;

static bool open_house(House *house, const NetCorrection *correction, JdErr *err) {
    const StoreConfig store = { .data_dir = correction->data, .database = correction->database };
    if (!store_open(&store, &house->store, err))
        return false;
    const PagesConfig pages = { .store = house->store };
    return pages_open(&pages, &house->pages, err) &&
           pages_worker_open(house->pages, &house->worker, err) &&
           store_reader_open(house->store, &house->db, err);
}

static bool close_house(House *house, JdErr *err) {
    store_reader_close(house->db);
    pages_worker_close(house->worker);
    pages_close(house->pages);
    return store_close(house->store, err);
}

static bool rule(House *house, const NetCorrection *correction, NetCorrected *out, JdErr *err) {
    LiveId id;
    NetRuling ruling;
    uint8_t halves[2];
    NetWorkerKit kit = { .pages = house->worker, .db = house->db };
    if (!live_id_parse(correction->game, &id))
        return jd_fail(err, 1, 0, "\"%.*s\" is no id of a game", JD_PRINT(correction->game));
    if (!net_ruling_result(correction->result, halves))
        return jd_fail(err, 1, 0, "expected 1-0, 0-1, 1/2-1/2 or 0-0 as the result");
    if (!net_ruling_reason(correction->reason, err) ||
        !net_record_overrule(&kit, &id, halves, correction->reason, correction->now, &ruling, err))
        return false;
    jd_format(out->before, sizeof(out->before), "%s", ruling.before.result);
    jd_format(out->after, sizeof(out->after), "%s", ruling.row.result);
    out->rated = ruling.row.rated != 0;
    bool ok = strcmp(out->before, out->after) != 0 ||
              jd_fail(err, 1, 0, "game %s has the result %s already", id.text, out->after);
    if (ok) {
        StoreWork work[NET_RULING_WORK];
        net_ruling_work(&ruling, 0, correction->reason, correction->now, work);
        ok = store_submit(house->store, work, JD_COUNT(work)) != 0 ||
             jd_fail(err, 1, 0, "the log takes no more events");
    }
    net_ruling_free(&ruling);
    return ok;
}

// Its writes come after the ruling, so the ruling is durable when they are.
static bool count_anew(House *house, NetCorrected *out, JdErr *err) {
    PagesRatedGames *games = malloc(sizeof(*games));
    PagesFault fault = { 0 };
    if (games == NULL)
        return jd_fail(err, 1, 0, "no memory");
    bool ok = true;
    do {
        if (!pages_rate(house->worker, games, &fault)) {
            *err = fault.err;
            ok = false;
        }
        out->games += ok ? games->count : 0;
    } while (ok && games->more);
    free(games);
    return ok;
}

bool net_correct(const NetCorrection *correction, NetCorrected *out, JdErr *err) {
    House house = { .store = NULL };
    JdErr end = { 0 };
    memset(out, 0, sizeof(*out));
    const bool ok = open_house(&house, correction, err) && rule(&house, correction, out, err) &&
                    count_anew(&house, out, err);
    const bool closed = close_house(&house, &end);
    if (ok && !closed)
        *err = end;
    return ok && closed;
}
