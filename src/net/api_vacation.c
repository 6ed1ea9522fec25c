// SPDX-License-Identifier: GPL-3.0-or-later
//
// Vacations over HTTP.
#include <stdlib.h>

#include "net/api.h"
#include "net/json_in.h"
#include "net/json_out.h"
#include "pages/pages.h"

static void reply(NetRequest *request) {
    const PagesVacations *had = request->results;
    NetBuf *out = net_reply_json(request, 200);
    if (out == NULL)
        return;
    const int left = LIVE_VACATION_DAYS_YEAR - had->used;
    json_out_open(out, '{');
    json_out_key_int(out, "year", had->year);
    json_out_key_int(out, "left", left > 0 ? left : 0);
    json_out_key(out, "current");
    if (had->until_ms == 0) {
        json_out_null(out);
    } else {
        json_out_open(out, '{');
        json_out_key_int(out, "from", had->from_ms);
        json_out_key_int(out, "until", had->until_ms);
        json_out_close(out, '}');
    }
    json_out_close(out, '}');
}

void api_vacation(NetRequest *request, NetWorkerKit *kit) {
    PagesFault fault = { 0 };
    if (request->results == NULL)
        request->results = calloc(1, sizeof(PagesVacations));
    if (request->results == NULL)
        net_reply_fault(request, "internal", NULL, "no memory for the answer");
    else if (!pages_vacations(kit->pages, request->me.account, request->now, request->results,
                              &fault))
        net_reply_pages_fault(request, &fault);
}

void api_vacation_found(NetRequest *request) {
    reply(request);
    net_request_finish(request);
}

typedef struct VacationFields {
    int64_t days;
} VacationFields;

static bool read_days(NetRequest *request, int64_t *days) {
    static const NetField fields[] = { { .name = "days",
                                         .kind = NET_FIELD_INTEGER,
                                         .min = 0,
                                         .max = LIVE_VACATION_DAYS_YEAR,
                                         .offset = offsetof(VacationFields, days) } };
    VacationFields read = { 0 };
    NetError err = { 0 };
    json_t *object = net_request_json(request);
    if (object == NULL)
        return false;
    if (!net_json_read(object, fields, JD_COUNT(fields), &read, &err)) {
        net_reply_error(request, &err);
        return false;
    }
    *days = read.days;
    return true;
}

// The form first, then what he has had already.
void api_vacation_form(NetRequest *request, NetWorkerKit *kit) {
    int64_t days = 0;
    if (read_days(request, &days))
        api_vacation(request, kit);
}

static void changed(NetRequest *request, const LiveAnswer *answer) {
    if (answer->kind == LIVE_ANSWER_ERROR) {
        net_answer_reply(request, answer);
        return;
    }
    net_request_work(request, api_vacation, api_vacation_found, false);
}

void api_vacation_change(NetRequest *request) {
    const PagesVacations *had = request->results;
    int64_t days = 0;
    if (!read_days(request, &days)) {
        net_request_finish(request);
        return;
    }
    LiveCommand command = { .kind = LIVE_VACATION, .days = (uint8_t)days, .used_days = had->used };
    net_request_live(request, &command, changed);
}
