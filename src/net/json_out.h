// SPDX-License-Identifier: GPL-3.0-or-later
//
// Writing JSON into a NetBuf: open, key, value, close; the commas come by themselves.
//
//     json_out_open(out, '{');
//     json_out_key(out, "ply");
//     json_out_int(out, 12);
//     json_out_close(out, '}');
#ifndef JADOUBE_NET_JSON_OUT_H
#define JADOUBE_NET_JSON_OUT_H

#include <jadoube/base.h>

#include "net/buf.h"

void json_out_open(NetBuf *out, char bracket);
void json_out_close(NetBuf *out, char bracket);
// name is one of our own words: nothing in it needs an escape.
void json_out_key(NetBuf *out, const char *name);
void json_out_int(NetBuf *out, int64_t value);
void json_out_bool(NetBuf *out, bool value);
void json_out_null(NetBuf *out);
// The bytes must be UTF-8.
void json_out_text(NetBuf *out, JdStr text);
// NULL writes null.
void json_out_cstr(NetBuf *out, const char *text);
// A value that is JSON already.
void json_out_raw(NetBuf *out, JdStr json);

// Key and value in one.
void json_out_key_int(NetBuf *out, const char *name, int64_t value);
void json_out_key_bool(NetBuf *out, const char *name, bool value);
void json_out_key_null(NetBuf *out, const char *name);
void json_out_key_cstr(NetBuf *out, const char *name, const char *text);
void json_out_key_text(NetBuf *out, const char *name, JdStr text);
// The number, or null when it is negative: instants that have not come.
void json_out_key_time(NetBuf *out, const char *name, int64_t ms);

#endif
