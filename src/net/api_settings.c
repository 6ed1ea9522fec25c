// SPDX-License-Identifier: GPL-3.0-or-later
//
// Preferences over HTTP. pages knows them as texts; here they are JSON of their kind.
#include <stdlib.h>
#include <string.h>

#include "net/api.h"
#include "net/json_in.h"
#include "net/json_out.h"
#include "net/me.h"

typedef struct Change {
    PagesPrefChange changes[PAGES_PREF_COUNT];
    char digits[PAGES_PREF_COUNT][24]; // numbers as text
    size_t count;
    PagesPrefs prefs; // what the account has set then
} Change;

static bool wrong_type(NetError *err, const PagesPrefSpec *spec, const char *expected) {
    return net_fail(err, "bad_request", spec->name, "%s: expected %s, or null for the default",
                    spec->name, expected);
}

static bool read_value(const PagesPrefSpec *spec, const json_t *value, char digits[24],
                       PagesPrefChange *out, NetError *err) {
    out->reset = json_is_null(value);
    if (out->reset)
        return true;
    switch (spec->kind) {
    case PAGES_PREF_SWITCH:
        if (!json_is_boolean(value))
            return wrong_type(err, spec, "true or false");
        out->value = json_is_true(value) ? JD_STR("true") : JD_STR("false");
        return true;
    case PAGES_PREF_NUMBER: {
        if (!json_is_integer(value))
            return wrong_type(err, spec, "a whole number");
        JdOut text = jd_out(digits, 24);
        jd_out_i64(&text, json_integer_value(value));
        out->value = jd_out_str(&text);
        return true;
    }
    case PAGES_PREF_WORD:
    case PAGES_PREF_COLOR:
    case PAGES_PREF_LAYOUT:
        if (!json_is_string(value))
            return wrong_type(err, spec, "a text");
        out->value = jd_str_n(json_string_value(value), json_string_length(value));
        return true;
    }
    return false;
}

static size_t find_spec(const char *name) {
    size_t i = 0;
    while (i < PAGES_PREF_COUNT && strcmp(pages_pref_specs[i].name, name) != 0)
        i++;
    return i;
}

static bool read_change(json_t *object, Change *out, NetError *err) {
    const char *name = NULL;
    json_t *value = NULL;
    json_object_foreach(object, name, value) {
        const size_t spec = find_spec(name);
        if (spec == PAGES_PREF_COUNT)
            return net_fail(err, "bad_request", NULL, "an unknown preference");
        PagesPrefChange *change = &out->changes[out->count];
        change->spec = spec;
        if (!read_value(&pages_pref_specs[spec], value, out->digits[out->count], change, err))
            return false;
        out->count++; // a name stands once in an object, so there is room
    }
    return true;
}

static Change *take_change(NetRequest *request) {
    Change *change = calloc(1, sizeof(*change));
    request->results = change;
    if (change == NULL)
        net_reply_fault(request, "internal", NULL, "no memory for the answer");
    return change;
}

void api_settings(NetRequest *request, NetWorkerKit *kit) {
    Change *change = take_change(request);
    PagesFault fault = { 0 };
    if (change != NULL &&
        !pages_prefs_read(kit->pages, request->me.account, &change->prefs, &fault))
        net_reply_pages_fault(request, &fault);
}

void api_settings_change(NetRequest *request, NetWorkerKit *kit) {
    json_t *object = net_request_json(request);
    Change *change = object == NULL ? NULL : take_change(request);
    NetError err = { 0 };
    PagesFault fault = { 0 };
    if (change == NULL)
        return;
    if (!read_change(object, change, &err))
        net_reply_error(request, &err);
    else if (!pages_prefs_change(kit->pages, request->me.account, change->changes, change->count,
                                 &change->prefs, &fault))
        net_reply_pages_fault(request, &fault);
}

void net_write_prefs(NetBuf *out, const PagesPrefs *prefs) {
    json_out_open(out, '{');
    for (size_t i = 0; i < PAGES_PREF_COUNT; i++) {
        const JdStr value = jd_str(prefs->values[i]);
        const PagesPrefKind kind = pages_pref_specs[i].kind;
        if (value.size == 0)
            continue;
        json_out_key(out, pages_pref_specs[i].name);
        if (kind == PAGES_PREF_SWITCH || kind == PAGES_PREF_NUMBER)
            json_out_raw(out, value);
        else
            json_out_text(out, value);
    }
    json_out_close(out, '}');
}

void api_settings_found(NetRequest *request) {
    const Change *change = request->results;
    NetBuf *out = net_reply_json(request, 200);
    if (out != NULL) {
        json_out_open(out, '{');
        json_out_key(out, "prefs");
        net_write_prefs(out, &change->prefs);
        json_out_close(out, '}');
    }
    net_request_finish(request);
}
