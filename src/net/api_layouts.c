// SPDX-License-Identifier: GPL-3.0-or-later
//
// Layouts of the game zone over HTTP. Every answer is the whole list as it is then.
#include <stdlib.h>
#include <string.h>

#include "net/api.h"
#include "net/json_in.h"
#include "net/json_out.h"

static const char *const form_names[PAGES_FORM_COUNT] = {
    [PAGES_WIDE] = "wide", [PAGES_NARROW] = "narrow"
};

typedef struct Fields {
    JdStr form;
    json_t *blocks;
    bool is_new;
    JdStr name;
    JdStr previous;
} Fields;

#define FIELD(member, name_, kind_, optional_, max_)                                               \
    {                                                                                              \
        .name = (name_), .kind = (kind_), .optional = (optional_), .max = (max_),                  \
        .offset = offsetof(Fields, member)                                                         \
    }

static bool read_form(JdStr text, const char *field, PagesForm *out, NetError *err) {
    for (int form = 0; form < PAGES_FORM_COUNT; form++)
        if (jd_str_equal(text, jd_str(form_names[form]))) {
            *out = (PagesForm)form;
            return true;
        }
    return net_fail(err, "bad_request", field, "%s: expected \"wide\" or \"narrow\"", field);
}

static bool read_cells(json_t *list, const char *name, PagesCells *out, NetError *err) {
    int32_t *const numbers[] = { &out->x, &out->y, &out->width, &out->height };
    bool ok = json_is_array(list) && json_array_size(list) == JD_COUNT(numbers);
    for (size_t i = 0; ok && i < JD_COUNT(numbers); i++) {
        const json_t *value = json_array_get(list, i);
        const json_int_t number = json_integer_value(value);
        ok = json_is_integer(value) && number >= 0 && number <= 99;
        if (ok)
            *numbers[i] = (int32_t)number;
    }
    return ok ||
           net_fail(err, "bad_request", name, "%s: expected [x, y, width, height] in cells", name);
}

static bool read_blocks(json_t *object, PagesBlocks *out, NetError *err) {
    for (int block = 0; block < PAGES_BLOCK_COUNT; block++) {
        const char *name = pages_block_name((PagesBlock)block);
        if (!read_cells(json_object_get(object, name), name, &out->at[block], err))
            return false;
    }
    return json_object_size(object) == PAGES_BLOCK_COUNT ||
           net_fail(err, "bad_request", "blocks", "blocks: an unknown block");
}

static PagesLayouts *take_layouts(NetRequest *request) {
    PagesLayouts *layouts = calloc(1, sizeof(*layouts));
    request->results = layouts;
    if (layouts == NULL)
        net_reply_fault(request, "internal", NULL, "no memory for the answer");
    return layouts;
}

static void change_layout(NetRequest *request, NetWorkerKit *kit, PagesLayoutChange *change) {
    PagesFault fault = { 0 };
    PagesLayouts *layouts = take_layouts(request);
    change->name = request->params[0];
    if (layouts != NULL && !pages_layout_change(kit->pages, request->me.account, change,
                                                request->now, layouts, &fault))
        net_reply_pages_fault(request, &fault);
}

void api_layouts(NetRequest *request, NetWorkerKit *kit) {
    PagesFault fault = { 0 };
    PagesLayouts *layouts = take_layouts(request);
    if (layouts != NULL && !pages_layouts(kit->pages, request->me.account, layouts, &fault))
        net_reply_pages_fault(request, &fault);
}

void api_layout_save(NetRequest *request, NetWorkerKit *kit) {
    static const NetField fields[] = { FIELD(form, "form", NET_FIELD_TEXT, false, 8),
                                       FIELD(blocks, "blocks", NET_FIELD_OBJECT, false, 0),
                                       FIELD(is_new, "new", NET_FIELD_BOOL, true, 0) };
    NetError err = { 0 };
    Fields read = { .is_new = false };
    PagesBlocks blocks = { .present = true };
    PagesLayoutChange change = { .blocks = &blocks };
    json_t *object = net_request_json(request);
    if (object == NULL)
        return;
    if (!net_json_read(object, fields, JD_COUNT(fields), &read, &err) ||
        !read_form(read.form, "form", &change.form, &err) ||
        !read_blocks(read.blocks, &blocks, &err)) {
        net_reply_error(request, &err);
        return;
    }
    change.act = read.is_new ? PAGES_LAYOUT_NEW : PAGES_LAYOUT_SAVE;
    change_layout(request, kit, &change);
}

void api_layout_change(NetRequest *request, NetWorkerKit *kit) {
    static const NetField fields[] = { FIELD(name, "name", NET_FIELD_TEXT, true, 4096),
                                       FIELD(previous, "previous", NET_FIELD_TEXT, true, 8) };
    NetError err = { 0 };
    Fields read = { .is_new = false };
    PagesLayoutChange change = { .act = PAGES_LAYOUT_RENAME };
    json_t *object = net_request_json(request);
    if (object == NULL)
        return;
    bool ok = net_json_read(object, fields, JD_COUNT(fields), &read, &err);
    if (ok && (read.name.data == NULL) == (read.previous.data == NULL))
        ok = net_fail(&err, "bad_request", NULL, "expected either \"name\" or \"previous\"");
    if (ok && read.name.data == NULL) {
        change.act = PAGES_LAYOUT_RESTORE;
        ok = read_form(read.previous, "previous", &change.form, &err);
    }
    change.new_name = read.name;
    if (ok)
        change_layout(request, kit, &change);
    else
        net_reply_error(request, &err);
}

void api_layout_delete(NetRequest *request, NetWorkerKit *kit) {
    PagesLayoutChange change = { .act = PAGES_LAYOUT_DELETE };
    change_layout(request, kit, &change);
}

static void write_forms(NetBuf *out, const PagesBlocks *forms) {
    for (int form = 0; form < PAGES_FORM_COUNT; form++) {
        json_out_key(out, form_names[form]);
        if (!forms[form].present) {
            json_out_null(out);
            continue;
        }
        json_out_open(out, '{');
        for (int block = 0; block < PAGES_BLOCK_COUNT; block++) {
            const PagesCells *at = &forms[form].at[block];
            json_out_key(out, pages_block_name((PagesBlock)block));
            json_out_open(out, '[');
            json_out_int(out, at->x);
            json_out_int(out, at->y);
            json_out_int(out, at->width);
            json_out_int(out, at->height);
            json_out_close(out, ']');
        }
        json_out_close(out, '}');
    }
}

void net_write_layouts(NetBuf *out, const PagesLayouts *layouts) {
    json_out_open(out, '[');
    for (size_t i = 0; i < layouts->count; i++) {
        json_out_open(out, '{');
        json_out_key_cstr(out, "name", layouts->list[i].name);
        json_out_key_int(out, "saved", layouts->list[i].saved_ms);
        write_forms(out, layouts->list[i].forms);
        json_out_key(out, "previous");
        json_out_open(out, '{');
        write_forms(out, layouts->list[i].previous);
        json_out_close(out, '}');
        json_out_close(out, '}');
    }
    json_out_close(out, ']');
}

void api_layouts_found(NetRequest *request) {
    const PagesLayouts *layouts = request->results;
    NetBuf *out = net_reply_json(request, 200);
    if (out != NULL) {
        json_out_open(out, '{');
        json_out_key(out, "layouts");
        net_write_layouts(out, layouts);
        json_out_close(out, '}');
    }
    net_request_finish(request);
}
