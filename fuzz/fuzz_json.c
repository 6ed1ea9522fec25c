// SPDX-License-Identifier: GPL-3.0-or-later
//
// Messages of clients: any bytes are either a command within its bounds or an error that says what
// was wrong, in clean text.
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "net/commands.h"
#include "net/json_in.h"
#include "net/json_out.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool condition) {
    if (!condition)
        abort();
}

static void check_error(const NetError *err) {
    must(err->code != NULL && net_error_known(err->code));
    must(jd_utf8_valid(jd_str(err->field), NULL));
    NetBuf *out = net_buf_new();
    net_error_write(out, err, 0);
    json_t *back = json_loadb((const char *)out->data, out->size, JSON_REJECT_DUPLICATES, NULL);
    must(back != NULL);
    json_decref(back);
    net_buf_drop(out);
}

static void check_command(const LiveCommand *command) {
    must(command->kind <= LIVE_STALLED);
    must(command->uci.size <= 16 && command->key.size <= LIVE_KEY_MAX);
    must(command->control.period_count <= LAWS_PERIODS_MAX && command->control.days <= 14);
    must(command->color <= LIVE_COLOR_RANDOM && command->act <= LIVE_DRAW_CLAIM_WITH);
    LawsControl control;
    JdErr err = { 0 };
    if (command->kind == LIVE_CHALLENGE && live_control_to_laws(&command->control, &control, &err))
        must(laws_control_check(&control, &err));
    // What was read as text is written as JSON and read back unchanged.
    NetBuf *out = net_buf_new();
    json_out_text(out, command->key);
    json_t *back = json_loadb((const char *)out->data, out->size, JSON_DECODE_ANY, NULL);
    must(back != NULL && json_string_length(back) == command->key.size);
    must(command->key.size == 0 ||
         memcmp(json_string_value(back), command->key.data, command->key.size) == 0);
    json_decref(back);
    net_buf_drop(out);
}

typedef bool (*ReadFn)(json_t *object, LiveCommand *out, NetError *err);

static bool read_empty(json_t *object, LiveCommand *out, NetError *err) {
    (void)out;
    return net_command_empty(object, err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const ReadFn bodies[] = { net_command_challenge, net_command_move, net_command_draw,
                                     net_command_abandon, read_empty };
    NetError err = { 0 };
    json_t *object = net_json_parse(jd_str_n((const char *)data, size), &err);
    if (object == NULL) {
        check_error(&err);
        return 0;
    }
    NetMessage message;
    if (net_message_read(object, &message, &err))
        check_command(&message.command);
    else
        check_error(&err);
    must(!message.has_id || message.id >= 0);
    for (size_t i = 0; i < JD_COUNT(bodies); i++) {
        LiveCommand command = { .kind = LIVE_TIMER };
        NetError fault = { 0 };
        if (bodies[i](object, &command, &fault))
            check_command(&command);
        else
            check_error(&fault);
    }
    json_decref(object);
    return 0;
}
