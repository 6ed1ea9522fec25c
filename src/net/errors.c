// SPDX-License-Identifier: GPL-3.0-or-later
//
// The table of error codes.
#include "net/errors.h"

#include <string.h>

#include "net/json_out.h"

static const struct {
    const char *code;
    int status;
} codes[] = {
    { "bad_request", 400 },
    { "bad_text", 400 },
    { "auth_required", 401 },
    { "bad_credentials", 401 },
    { "forbidden", 403 },
    { "bad_origin", 403 },
    { "closed", 403 },
    { "chat_off", 403 },
    { "blocked", 403 },
    { "anonymizer", 403 },
    { "not_found", 404 },
    { "method_not_allowed", 405 },
    { "conflict", 409 },
    { "stale_ply", 409 },
    { "seat_taken", 409 },
    { "game_over", 409 },
    { "length_required", 411 },
    { "too_large", 413 },
    { "not_json", 415 },
    { "nick_length", 422 },
    { "nick_characters", 422 },
    { "nick_mixed_script", 422 },
    { "nick_reserved", 422 },
    { "nick_obscene", 422 },
    { "nick_taken", 422 },
    { "email_bad", 422 },
    { "password_length", 422 },
    { "password_weak", 422 },
    { "password_mismatch", 422 },
    { "rules_not_accepted", 422 },
    { "link_bad", 422 },
    { "no_mail", 422 },
    { "too_many_blocks", 422 },
    { "captcha_required", 422 },
    { "captcha_wrong", 422 },
    { "captcha_expired", 422 },
    { "captcha_locked", 429 },
    { "control_range", 422 },
    { "flag_mode", 422 },
    { "touch_mode", 422 },
    { "position_bad", 422 },
    { "position_over", 422 },
    { "position_dead", 422 },
    { "position_rated", 422 },
    { "fair_play", 422 },
    { "unconfirmed", 422 },
    { "range_bad", 422 },
    { "rating_range", 422 },
    { "declines", 422 },
    { "too_many_challenges", 422 },
    { "too_many_people", 422 },
    { "identity_taken", 422 },
    { "identity_linked", 422 },
    { "social_failed", 422 },
    { "own_challenge", 422 },
    { "illegal_move", 422 },
    { "not_your_turn", 422 },
    { "no_offer", 422 },
    { "offer_stands", 422 },
    { "draw_too_early", 422 },
    { "draw_forbidden", 422 },
    { "right_lost", 422 },
    { "bound_move", 422 },
    { "flag_not_down", 422 },
    { "too_late", 422 },
    { "not_started", 422 },
    { "not_allowed", 422 },
    { "offer_too_soon", 422 },
    { "not_abandoned", 422 },
    { "record_full", 422 },
    { "vacation_days", 422 },
    { "bad_colour", 422 },
    { "name_taken", 422 },
    { "name_bad", 422 },
    { "bad_layout", 422 },
    { "too_many_layouts", 422 },
    { "touch_move", 422 },
    { "not_due", 422 },
    { "too_long", 422 },
    { "rate_limited", 429 },
    { "internal", 500 },
    { "unavailable", 503 },
    { "no_engine", 503 },
};

_Static_assert(JD_COUNT(codes) < NET_ERROR_CODES_MAX, "places for all codes");

size_t net_error_index(const char *code) {
    size_t i = 0;
    while (i < JD_COUNT(codes) && strcmp(codes[i].code, code) != 0)
        i++;
    return i < JD_COUNT(codes) ? i : NET_ERROR_CODES_MAX - 1;
}

const char *net_error_name(size_t index) {
    return index < JD_COUNT(codes) ? codes[index].code : NULL;
}

bool net_fail(NetError *err, const char *code, const char *field, const char *format, ...) {
    if (err == NULL)
        return false;
    *err = (NetError) { .code = code };
    if (field != NULL)
        jd_format(err->field, sizeof(err->field), "%s", field);
    va_list arguments;
    va_start(arguments, format);
    jd_format_v(err->message, sizeof(err->message), format, arguments);
    va_end(arguments);
    return false;
}

int net_error_status(const char *code) {
    for (size_t i = 0; i < JD_COUNT(codes); i++)
        if (strcmp(codes[i].code, code) == 0)
            return codes[i].status;
    return 500;
}

bool net_error_known(const char *code) {
    for (size_t i = 0; i < JD_COUNT(codes); i++)
        if (strcmp(codes[i].code, code) == 0)
            return true;
    return false;
}

void net_error_write(NetBuf *out, const NetError *err, uint64_t ref) {
    json_out_open(out, '{');
    json_out_key_cstr(out, "code", err->code);
    // A sentence cut at its limit may end inside a character; what is sent is UTF-8 always.
    JdStr message = jd_str(err->message);
    size_t bad = 0;
    if (!jd_utf8_valid(message, &bad))
        message.size = bad;
    json_out_key_text(out, "message", message);
    if (err->field[0] != '\0')
        json_out_key_cstr(out, "field", err->field);
    if (err->article[0] != '\0')
        json_out_key_cstr(out, "article", err->article);
    if (err->retry_after > 0)
        json_out_key_int(out, "retry_after", err->retry_after);
    if (ref != 0) {
        char digits[17];
        jd_format(digits, sizeof(digits), "%016llx", (unsigned long long)ref);
        json_out_key_cstr(out, "ref", digits);
    }
    json_out_close(out, '}');
}
