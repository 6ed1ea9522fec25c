// SPDX-License-Identifier: GPL-3.0-or-later
//
// The captcha over HTTP: one is asked for, answered, and a right answer gives a pass.
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "net/api.h"
#include "net/json_in.h"
#include "net/json_out.h"

static const char *const ways[] = {
    [PAGES_CAPTCHA_OFF] = "off",
    [PAGES_CAPTCHA_PICTURES] = "pictures",
    [PAGES_CAPTCHA_QUESTION] = "question",
    [PAGES_CAPTCHA_CODE] = "code",
};
static const char *const pieces[] = { "pawn", "knight", "bishop", "rook", "queen", "king" };

typedef struct CaptchaFields {
    JdStr way;
    JdStr language;
    JdStr email;
    JdStr instead_of;
    JdStr text;
    json_t *cells;
} CaptchaFields;

#define TEXT(member, optional_)                                                                    \
    {                                                                                              \
        .name = #member, .kind = NET_FIELD_TEXT, .optional = (optional_), .max = 1024,             \
        .offset = offsetof(CaptchaFields, member)                                                  \
    }

static bool read_fields(NetRequest *request, const NetField *fields, size_t count,
                        CaptchaFields *out) {
    NetError err = { 0 };
    json_t *object = net_request_json(request);
    *out = (CaptchaFields) { .cells = NULL };
    if (object == NULL)
        return false;
    if (net_json_read(object, fields, count, out, &err))
        return true;
    net_reply_error(request, &err);
    return false;
}

void api_captcha(NetRequest *request, NetWorkerKit *kit) {
    static const NetField fields[] = { TEXT(way, false), TEXT(language, false), TEXT(email, true),
                                       TEXT(instead_of, true) };
    CaptchaFields read;
    if (!read_fields(request, fields, JD_COUNT(fields), &read))
        return;
    PagesCaptchaAsk ask = { .way = PAGES_CAPTCHA_OFF,
                            .language = read.language,
                            .email = read.email,
                            .instead_of = read.instead_of,
                            .address = request->address };
    for (size_t i = PAGES_CAPTCHA_PICTURES; i < JD_COUNT(ways); i++)
        if (jd_str_equal(read.way, jd_str(ways[i])))
            ask.way = (PagesCaptchaWay)i;
    if (ask.way == PAGES_CAPTCHA_OFF) {
        net_reply_fault(request, "bad_request", "way", "way: expected pictures, question or code");
        return;
    }
    PagesCaptcha *captcha = api_results(request, sizeof(*captcha));
    PagesFault fault = { 0 };
    if (captcha != NULL && !pages_captcha_ask(kit->pages, &ask, request->now, captcha, &fault))
        net_reply_pages_fault(request, &fault);
}

static void write_picture(NetBuf *out, const PagesCaptcha *captcha) {
    const char *const prefix = "data:image/png;base64,";
    const size_t size =
        sodium_base64_encoded_len(captcha->png_size, sodium_base64_VARIANT_ORIGINAL);
    char *text = malloc(strlen(prefix) + size);
    if (text == NULL) {
        out->failed = true;
        return;
    }
    memcpy(text, prefix, strlen(prefix) + 1);
    sodium_bin2base64(text + strlen(prefix), size, captcha->png, captcha->png_size,
                      sodium_base64_VARIANT_ORIGINAL);
    json_out_key_cstr(out, "picture", text);
    free(text);
}

static void write_captcha(NetBuf *out, const PagesCaptcha *captcha) {
    json_out_open(out, '{');
    json_out_key_cstr(out, "id", captcha->id);
    json_out_key_cstr(out, "way", ways[captcha->way]);
    json_out_key_int(out, "expires", captcha->expires_ms);
    if (captcha->way == PAGES_CAPTCHA_QUESTION)
        json_out_key_cstr(out, "question", captcha->question);
    if (captcha->way == PAGES_CAPTCHA_PICTURES) {
        json_out_key_cstr(out, "piece", pieces[captcha->piece]);
        json_out_key_int(out, "level", captcha->level);
        json_out_key_int(out, "side", captcha->side);
        json_out_key_int(out, "grid", captcha->grid);
        json_out_key_int(out, "grids", captcha->grids);
        write_picture(out, captcha);
    }
    json_out_close(out, '}');
}

void api_captcha_asked(NetRequest *request) {
    NetBuf *out = net_reply_json(request, 201);
    if (out != NULL)
        write_captcha(out, request->results);
    net_request_finish(request);
}

static bool read_cells(json_t *list, uint32_t *out) {
    size_t index;
    json_t *value;
    *out = 0;
    json_array_foreach(list, index, value) {
        const json_int_t cell = json_is_integer(value) ? json_integer_value(value) : -1;
        if (cell < 0 || cell > 15)
            return false;
        *out |= UINT32_C(1) << cell;
    }
    return true;
}

void api_captcha_answer(NetRequest *request, NetWorkerKit *kit) {
    static const NetField fields[] = {
        { .name = "cells",
          .kind = NET_FIELD_LIST,
          .optional = true,
          .max = 16,
          .offset = offsetof(CaptchaFields, cells) },
        TEXT(text, true),
    };
    CaptchaFields read;
    PagesCaptchaAnswer answer = { .id = request->params[0], .address = request->address };
    if (!read_fields(request, fields, JD_COUNT(fields), &read))
        return;
    if (read.cells != NULL && !read_cells(read.cells, &answer.cells)) {
        net_reply_fault(request, "bad_request", "cells", "cells: expected numbers from 0 to 15");
        return;
    }
    answer.has_cells = read.cells != NULL;
    answer.text = read.text;
    PagesCaptcha *captcha = api_results(request, sizeof(*captcha));
    PagesFault fault = { 0 };
    if (captcha != NULL &&
        !pages_captcha_answer(kit->pages, &answer, request->now, captcha, &fault))
        net_reply_pages_fault(request, &fault);
}

void api_captcha_answered(NetRequest *request) {
    const PagesCaptcha *captcha = request->results;
    NetBuf *out = net_reply_json(request, 200);
    if (out != NULL) {
        json_out_open(out, '{');
        json_out_key_cstr(out, "pass", captcha->passed ? captcha->id : NULL);
        json_out_key(out, "next");
        if (captcha->passed)
            json_out_null(out);
        else
            write_captcha(out, captcha);
        json_out_close(out, '}');
    }
    net_request_finish(request);
}
