// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reading JSON from outside, strictly: one object, no double keys, a bounded depth, every field
// named in a table with its type and range, unknown fields refused. An error names the field.
#ifndef JADOUBE_NET_JSON_IN_H
#define JADOUBE_NET_JSON_IN_H

#include <jansson.h>

#include <jadoube/base.h>

#include "net/errors.h"

// Levels of brackets; the deepest message (a challenge with periods, in its envelope) has five.
#define NET_JSON_DEPTH_MAX 8

typedef enum NetFieldKind {
    NET_FIELD_TEXT,    // JdStr; min and max count bytes
    NET_FIELD_INTEGER, // int64_t between min and max
    NET_FIELD_BOOL,    // bool
    NET_FIELD_OBJECT,  // json_t *
    NET_FIELD_LIST,    // json_t *; min and max count elements
} NetFieldKind;

typedef struct NetField {
    const char *name;
    NetFieldKind kind;
    bool optional; // absent (or null, for a text) leaves the target as it was
    int64_t min;
    int64_t max;
    size_t offset; // of the target in the struct that is filled
} NetField;

// Parses text into an object; NULL and err otherwise. The caller gives it back with json_decref.
json_t *net_json_parse(JdStr text, NetError *err);

// Fills the struct at out from the object by the table. On failure *out may be half filled. Texts
// point into the object.
JD_MUST_USE bool net_json_read(json_t *object, const NetField *fields, size_t count, void *out,
                               NetError *err);

#endif
