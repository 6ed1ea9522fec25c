// SPDX-License-Identifier: GPL-3.0-or-later
//
// The strict JSON reader.
#include "net/json_in.h"

#include <string.h>

// jansson's own bound on depth is fixed at 2,048 and makes that many objects first: count before.
static bool depth_fits(JdStr text) {
    int depth = 0;
    bool in_text = false;
    for (size_t i = 0; i < text.size; i++) {
        const char c = text.data[i];
        if (in_text) {
            if (c == '\\')
                i++;
            else if (c == '"')
                in_text = false;
        } else if (c == '"') {
            in_text = true;
        } else if (c == '{' || c == '[') {
            if (++depth > NET_JSON_DEPTH_MAX)
                return false;
        } else if (c == '}' || c == ']') {
            depth--;
        }
    }
    return true;
}

json_t *net_json_parse(JdStr text, NetError *err) {
    if (!depth_fits(text)) {
        net_fail(err, "bad_request", NULL, "JSON nested deeper than %d levels", NET_JSON_DEPTH_MAX);
        return NULL;
    }
    // NUL is let through here so that the field it stands in can be named below.
    json_error_t fault;
    json_t *value = json_loadb(text.size == 0 ? "" : text.data, text.size,
                               JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL | JSON_DECODE_ANY, &fault);
    if (value == NULL) {
        const bool bad_text = json_error_code(&fault) == json_error_invalid_utf8;
        net_fail(err, bad_text ? "bad_text" : "bad_request", NULL, "JSON, byte %d: %s",
                 fault.position, bad_text ? "not UTF-8" : fault.text);
        // jansson quotes the input in its sentence; our answer must stay clean text.
        for (char *c = err->message; *c != '\0'; c++)
            if ((unsigned char)*c < 0x20 || (unsigned char)*c >= 0x7f)
                *c = '?';
        return NULL;
    }
    if (!json_is_object(value)) {
        json_decref(value);
        net_fail(err, "bad_request", NULL, "expected a JSON object");
        return NULL;
    }
    return value;
}

// U+0000 and the bidirectional overrides and isolates are in no text of ours.
static bool clean_text(JdStr text) {
    for (size_t at = 0; at < text.size;) {
        const uint32_t c = jd_utf8_next(text, &at);
        if (c == 0 || (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069))
            return false;
    }
    return true;
}

static bool read_text(const json_t *value, const NetField *field, void *target, NetError *err) {
    const JdStr text = jd_str_n(json_string_value(value), json_string_length(value));
    if ((int64_t)text.size < field->min || (int64_t)text.size > field->max)
        return net_fail(err, "bad_request", field->name, "%s: %zu bytes, expected %lld to %lld",
                        field->name, text.size, (long long)field->min, (long long)field->max);
    if (!clean_text(text))
        return net_fail(err, "bad_text", field->name,
                        "%s: a forbidden character (U+0000 or a direction mark)", field->name);
    memcpy(target, &text, sizeof(text));
    return true;
}

static bool read_integer(const json_t *value, const NetField *field, void *target, NetError *err) {
    const int64_t number = json_integer_value(value);
    if (number < field->min || number > field->max)
        return net_fail(err, "bad_request", field->name, "%s: %lld, expected %lld to %lld",
                        field->name, (long long)number, (long long)field->min,
                        (long long)field->max);
    memcpy(target, &number, sizeof(number));
    return true;
}

static bool wrong_type(const NetField *field, const char *expected, NetError *err) {
    return net_fail(err, "bad_request", field->name, "%s: expected %s", field->name, expected);
}

static bool read_field(json_t *value, const NetField *field, void *target, NetError *err) {
    switch (field->kind) {
    case NET_FIELD_TEXT:
        if (!json_is_string(value))
            return wrong_type(field, "a text", err);
        return read_text(value, field, target, err);
    case NET_FIELD_INTEGER:
        if (!json_is_integer(value))
            return wrong_type(field, "a whole number", err);
        return read_integer(value, field, target, err);
    case NET_FIELD_BOOL: {
        if (!json_is_boolean(value))
            return wrong_type(field, "true or false", err);
        const bool given = json_is_true(value);
        memcpy(target, &given, sizeof(given));
        return true;
    }
    case NET_FIELD_OBJECT:
        if (!json_is_object(value))
            return wrong_type(field, "an object", err);
        memcpy(target, &value, sizeof(json_t *));
        return true;
    case NET_FIELD_LIST:
        if (!json_is_array(value))
            return wrong_type(field, "a list", err);
        if ((int64_t)json_array_size(value) < field->min ||
            (int64_t)json_array_size(value) > field->max)
            return net_fail(err, "bad_request", field->name,
                            "%s: %zu elements, expected %lld to %lld", field->name,
                            json_array_size(value), (long long)field->min, (long long)field->max);
        memcpy(target, &value, sizeof(json_t *));
        return true;
    }
    return false;
}

bool net_json_read(json_t *object, const NetField *fields, size_t count, void *out, NetError *err) {
    size_t known = 0;
    for (size_t i = 0; i < count; i++) {
        json_t *value = json_object_get(object, fields[i].name);
        if (value != NULL)
            known++;
        if (value == NULL || (json_is_null(value) && fields[i].kind == NET_FIELD_TEXT)) {
            if (fields[i].optional)
                continue;
            return net_fail(err, "bad_request", fields[i].name, "%s: missing", fields[i].name);
        }
        if (!read_field(value, &fields[i], (char *)out + fields[i].offset, err))
            return false;
    }
    if (known == json_object_size(object))
        return true;
    const char *name = NULL;
    json_t *value = NULL;
    json_object_foreach(object, name, value) {
        size_t i = 0;
        while (i < count && strcmp(fields[i].name, name) != 0)
            i++;
        if (i < count)
            continue;
        net_fail(err, "bad_request", NULL, "an unknown field");
        // A name that is short clean ASCII is shown; anything else is not ours to repeat.
        const size_t size = strlen(name);
        bool plain = size < sizeof(err->field);
        for (size_t at = 0; plain && at < size; at++)
            plain = name[at] > 0x20 && name[at] < 0x7f;
        if (plain && size > 0)
            return net_fail(err, "bad_request", name, "%s: unknown field", name);
        return false;
    }
    return net_fail(err, "bad_request", NULL, "an unknown field");
}
