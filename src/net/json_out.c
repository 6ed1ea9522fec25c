// SPDX-License-Identifier: GPL-3.0-or-later
//
// The JSON writer.
#include "net/json_out.h"

// Every value starts here.
static void lead(NetBuf *out) {
    if (out->comma)
        net_buf_add(out, ",", 1);
    out->comma = true;
}

void json_out_open(NetBuf *out, char bracket) {
    lead(out);
    net_buf_add(out, &bracket, 1);
    out->comma = false;
}

void json_out_close(NetBuf *out, char bracket) {
    net_buf_add(out, &bracket, 1);
    out->comma = true;
}

void json_out_key(NetBuf *out, const char *name) {
    json_out_cstr(out, name);
    net_buf_add(out, ":", 1);
    out->comma = false;
}

void json_out_int(NetBuf *out, int64_t value) {
    char digits[24];
    JdOut text = jd_out(digits, sizeof(digits));
    jd_out_i64(&text, value);
    json_out_raw(out, jd_out_str(&text));
}

void json_out_bool(NetBuf *out, bool value) {
    json_out_raw(out, value ? JD_STR("true") : JD_STR("false"));
}

void json_out_null(NetBuf *out) {
    json_out_raw(out, JD_STR("null"));
}

void json_out_text(NetBuf *out, JdStr text) {
    lead(out);
    const size_t most = text.size * 6 + 2; // every byte as \u00xx
    char *space = net_buf_space(out, most);
    if (space == NULL)
        return;
    JdOut into = jd_out(space, most);
    jd_out_json(&into, text);
    JD_ASSERT(jd_out_fits(&into));
    out->size += into.size;
}

void json_out_cstr(NetBuf *out, const char *text) {
    if (text == NULL)
        json_out_null(out);
    else
        json_out_text(out, jd_str(text));
}

void json_out_raw(NetBuf *out, JdStr json) {
    lead(out);
    net_buf_add(out, json.data, json.size);
}

void json_out_key_int(NetBuf *out, const char *name, int64_t value) {
    json_out_key(out, name);
    json_out_int(out, value);
}

void json_out_key_bool(NetBuf *out, const char *name, bool value) {
    json_out_key(out, name);
    json_out_bool(out, value);
}

void json_out_key_null(NetBuf *out, const char *name) {
    json_out_key(out, name);
    json_out_null(out);
}

void json_out_key_cstr(NetBuf *out, const char *name, const char *text) {
    json_out_key(out, name);
    json_out_cstr(out, text);
}

void json_out_key_text(NetBuf *out, const char *name, JdStr text) {
    json_out_key(out, name);
    json_out_text(out, text);
}

void json_out_key_time(NetBuf *out, const char *name, int64_t ms) {
    json_out_key(out, name);
    if (ms < 0)
        json_out_null(out);
    else
        json_out_int(out, ms);
}
