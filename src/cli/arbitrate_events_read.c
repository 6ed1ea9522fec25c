// SPDX-License-Identifier: GPL-3.0-or-later
//
// The lines of an event file as setups and events. Nothing is guessed: an unknown key, a value of
// another kind or out of range is a fault that names the key and what was expected.
#include "cli/arbitrate_events.h"

#include <string.h>

static bool fail(ArbLineFault *fault, const char *key, const char *text) {
    fault->key = key;
    jd_format(fault->text, sizeof fault->text, "\"%s\": %s", key, text);
    return false;
}

static bool is_one_of(const char *key, const char *const *keys) {
    for (; *keys != NULL; keys++)
        if (strcmp(key, *keys) == 0)
            return true;
    return false;
}

// A text, or NULL when the key is not there. False: it is there and no text.
static bool get_text(json_t *line, const char *key, const char **out, ArbLineFault *fault) {
    json_t *const value = json_object_get(line, key);
    *out = json_string_value(value);
    return value == NULL || *out != NULL || fail(fault, key, "expected a text");
}

static bool get_number(json_t *line, const char *key, int64_t least, int64_t most, int64_t *out,
                       ArbLineFault *fault) {
    json_t *const value = json_object_get(line, key);
    if (value == NULL)
        return true;
    int64_t number = 0;
    if (json_is_integer(value))
        number = json_integer_value(value);
    else if (json_is_boolean(value))
        number = json_is_true(value);
    else
        return fail(fault, key, "expected a whole number or true or false");
    if (number < least || number > most) {
        char text[80];
        jd_format(text, sizeof text, "found %lld, expected %lld to %lld", (long long)number,
                  (long long)least, (long long)most);
        return fail(fault, key, text);
    }
    *out = number;
    return true;
}

// "0:05:12.5", "5:12", "12", or milliseconds as a number.
static bool get_time(json_t *line, const char *key, int64_t *out, ArbLineFault *fault) {
    json_t *const value = json_object_get(line, key);
    JdSpan span;
    if (json_is_string(value)) {
        if (!chess_pgn_clock_parse(jd_str(json_string_value(value)), &span))
            return fail(fault, key, "expected a time such as 0:05:12.5");
        *out = span.ms;
        return true;
    }
    return get_number(line, key, 0, INT64_C(253402300799999), out, fault);
}

// ---- setup --------------------------------------------------------------------------------------

static const struct {
    const char *key;
    size_t offset;
} switches[] = {
    { "supervised", offsetof(LawsSetup, supervised) },
    { "arbiter_present", offsetof(LawsSetup, arbiter_present) },
    { "separate_press", offsetof(LawsSetup, separate_press) },
    { "touch_move", offsetof(LawsSetup, touch_move) },
    { "unchecked_moves", offsetof(LawsSetup, unchecked_moves) },
    { "draw_never", offsetof(LawsSetup, draw_never) },
    { "fide_strict", offsetof(LawsSetup, fide_strict) },
    { "ignore_fen_clock", offsetof(LawsSetup, ignore_fen_clock) },
    { "identity_exercisable", offsetof(LawsSetup, identity_exercisable) },
    { "attendance", offsetof(LawsSetup, attendance) },
    { "rules_announced", offsetof(LawsSetup, rules_announced) },
    { "ruled_later", offsetof(LawsSetup, ruled_later) },
    { "manual_scoresheet", offsetof(LawsSetup, manual_scoresheet) },
    { "strict_display", offsetof(LawsSetup, strict_display) },
    { "add_at_zero", offsetof(LawsSetup, add_at_zero) },
    { "quickplay_announced", offsetof(LawsSetup, quickplay_announced) },
    { "king_capture_wins", offsetof(LawsSetup, king_capture_wins) },
    { "colors_reversed", offsetof(LawsSetup, colors_reversed) },
};

static const char *const setup_keys[] = { "edition",
                                          "pace",
                                          "control",
                                          "white",
                                          "black",
                                          "result",
                                          "fen",
                                          "language",
                                          "flag_mode",
                                          "default_time",
                                          "session",
                                          "draw_min_moves",
                                          "overrides",
                                          "control_black",
                                          "first_increment",
                                          NULL };

static bool is_switch(const char *key) {
    for (size_t i = 0; i < JD_COUNT(switches); i++)
        if (strcmp(key, switches[i].key) == 0)
            return true;
    return false;
}

static bool unknown_keys(json_t *line, const char *const *keys, bool with_switches,
                         ArbLineFault *fault) {
    const char *key;
    json_t *value;
    json_object_foreach(line, key,
                        value) if (!is_one_of(key, keys) && !(with_switches && is_switch(key))) {
        fault->key = NULL;
        jd_format(fault->text, sizeof fault->text, "no such key is known here: \"%.40s\"", key);
        return true;
    }
    return false;
}

static bool set_control(json_t *line, const char *key, LawsControl *out, ArbLineFault *fault) {
    const char *text;
    if (!get_text(line, key, &text, fault))
        return false;
    JdErr err = { 0 };
    if (text != NULL && !laws_control_parse(jd_str(text), out, &err))
        return fail(fault, key, err.text);
    return true;
}

static bool set_clocks(ArbRun *run, json_t *line, LawsSetup *setup, ArbLineFault *fault) {
    ArbGame *const game = &run->game;
    if (run->options.has_control)
        setup->control[CHESS_WHITE] = run->options.control;
    if (!set_control(line, "control", &setup->control[CHESS_WHITE], fault))
        return false;
    setup->control[CHESS_BLACK] = setup->control[CHESS_WHITE];
    if (!set_control(line, "control_black", &setup->control[CHESS_BLACK], fault))
        return false;
    int64_t first = 0;
    if (!get_number(line, "first_increment", 0, 1, &first, fault))
        return false;
    setup->control[CHESS_WHITE].first_increment = (uint8_t)first;
    setup->control[CHESS_BLACK].first_increment = (uint8_t)first;
    game->has_control =
        setup->control[CHESS_WHITE].period_count > 0 || setup->control[CHESS_WHITE].move_ms > 0;
    char text[LAWS_CONTROL_TEXT_SIZE];
    laws_control_write(&setup->control[CHESS_WHITE], text);
    jd_format(game->control_text, sizeof game->control_text, "%s", text);
    return true;
}

static bool set_rules(ArbRun *run, json_t *line, LawsSetup *setup, ArbLineFault *fault) {
    const char *text;
    LawsEdition edition = run->options.edition;
    if (!get_text(line, "edition", &text, fault))
        return false;
    if (text != NULL && !laws_edition_parse(jd_str(text), &edition))
        return fail(fault, "edition",
                    "expected fide-1997, fide-2005, fide-2009, fide-2014 or fide-2023");
    setup->edition = (uint8_t)edition;
    if (!set_clocks(run, line, setup, fault) || !get_text(line, "pace", &text, fault))
        return false;
    LawsPace pace = run->options.pace != 0
                        ? (LawsPace)run->options.pace
                        : laws_control_pace(edition, &setup->control[CHESS_WHITE]);
    if (text != NULL && !laws_pace_parse(jd_str(text), &pace))
        return fail(fault, "pace", "expected standard, rapid or blitz");
    setup->pace = (uint8_t)pace;
    return true;
}

static bool set_position(json_t *line, LawsSetup *setup, ArbLineFault *fault) {
    const char *fen;
    setup->start = chess_position_start();
    if (!get_text(line, "fen", &fen, fault))
        return false;
    JdErr err = { 0 };
    return fen == NULL || chess_fen_parse(jd_str(fen), &setup->start, &err) ||
           fail(fault, "fen", err.text);
}

static bool set_flag_mode(json_t *line, LawsSetup *setup, ArbLineFault *fault) {
    const char *text;
    if (!get_text(line, "flag_mode", &text, fault))
        return false;
    if (text == NULL)
        return true;
    setup->flag_mode = strcmp(text, "observed") == 0  ? LAWS_FLAGS_OBSERVED
                       : strcmp(text, "claimed") == 0 ? LAWS_FLAGS_CLAIMED
                                                      : LAWS_FLAGS_BY_EDITION;
    return setup->flag_mode != LAWS_FLAGS_BY_EDITION ||
           fail(fault, "flag_mode", "expected observed or claimed");
}

static bool set_overrides(json_t *line, LawsSetup *setup, ArbLineFault *fault) {
    json_t *const overrides = json_object_get(line, "overrides");
    if (overrides == NULL)
        return true;
    if (!json_is_object(overrides))
        return fail(fault, "overrides", "expected an object of parameters and numbers");
    const char *name;
    json_t *value;
    json_object_foreach(overrides, name, value) {
        JdErr err = { 0 };
        if (!json_is_integer(value))
            return fail(fault, "overrides", "expected whole numbers");
        if (!laws_setup_override(setup, jd_str(name), json_integer_value(value), &err))
            return fail(fault, "overrides", err.text);
    }
    return true;
}

static bool set_names(ArbRun *run, ArbEventFile *file, json_t *line, ArbLineFault *fault) {
    ArbGame *const game = &run->game;
    const char *white;
    const char *black;
    const char *result;
    const char *language;
    if (!get_text(line, "white", &white, fault) || !get_text(line, "black", &black, fault) ||
        !get_text(line, "result", &result, fault) || !get_text(line, "language", &language, fault))
        return false;
    jd_format(game->white, sizeof game->white, "%s", white != NULL ? white : "");
    jd_format(game->black, sizeof game->black, "%s", black != NULL ? black : "");
    game->stated = CHESS_PGN_NO_RESULT;
    if (result != NULL) {
        game->stated = chess_pgn_result_parse(jd_str(result));
        if (game->stated == CHESS_PGN_NO_RESULT)
            return fail(fault, "result", "expected 1-0, 0-1, 1/2-1/2 or *");
    }
    ChessLanguage letters = (ChessLanguage)run->options.pgn_language;
    if (language != NULL && !chess_language_find(jd_str(language), &letters))
        return fail(fault, "language", "expected a language of piece letters such as en, ru, ro");
    file->language = (uint8_t)letters;
    return true;
}

bool arb_events_setup(ArbRun *run, ArbEventFile *file, json_t *line, LawsSetup *setup,
                      ArbLineFault *fault) {
    jd_zero(setup, sizeof *setup);
    setup->supervised = !run->options.unsupervised;
    setup->arbiter_present = 1;
    setup->rules_announced = 1; // by "supervised"
    if (unknown_keys(line, setup_keys, true, fault) || !set_names(run, file, line, fault) ||
        !set_rules(run, line, setup, fault) || !set_position(line, setup, fault) ||
        !set_flag_mode(line, setup, fault) || !set_overrides(line, setup, fault))
        return false;
    for (size_t i = 0; i < JD_COUNT(switches); i++) {
        uint8_t *const field = (uint8_t *)setup + switches[i].offset;
        int64_t value = *field;
        if (!get_number(line, switches[i].key, 0, 1, &value, fault))
            return false;
        *field = (uint8_t)value;
    }
    int64_t moves = 0;
    if (!get_number(line, "draw_min_moves", 0, UINT16_MAX, &moves, fault) ||
        !get_time(line, "session", &setup->session_ms, fault) ||
        !get_time(line, "default_time", &setup->default_ms, fault))
        return false;
    setup->draw_min_moves = (uint16_t)moves;
    setup->default_given = json_object_get(line, "default_time") != NULL;
    JdErr err = { 0 };
    if (!laws_setup_check(setup, &err)) {
        fault->key = NULL;
        jd_format(fault->text, sizeof fault->text, "%s: %s", err.field, err.text);
        return false;
    }
    return true;
}

// ---- events -------------------------------------------------------------------------------------

static const char *const event_keys[] = { "time",   "actor",  "kind", "move",  "offer", "side",
                                          "square", "code",   "flag", "count", "span",  "result",
                                          "text",   "sealed", "draw", NULL };

static bool set_actor(json_t *line, LawsEvent *event, ArbLineFault *fault) {
    static const char *const names[] = { [LAWS_WHITE] = "white",
                                         [LAWS_BLACK] = "black",
                                         [LAWS_ARBITER_ACTOR] = "arbiter",
                                         [LAWS_SERVER] = "server",
                                         [LAWS_WHITE_ASSISTANT] = "white_assistant",
                                         [LAWS_BLACK_ASSISTANT] = "black_assistant" };
    const char *text;
    if (!get_text(line, "actor", &text, fault))
        return false;
    for (size_t i = 0; text != NULL && i < JD_COUNT(names); i++)
        if (strcmp(text, names[i]) == 0) {
            event->actor = (uint8_t)i;
            return true;
        }
    return fail(
        fault, text != NULL ? "actor" : "kind",
        "expected an actor: white, black, arbiter, server, white_assistant or black_assistant");
}

static bool square_of(const char *text, uint8_t *out) {
    if (strlen(text) != 2 || text[0] < 'a' || text[0] > 'h' || text[1] < '1' || text[1] > '8')
        return false;
    *out = chess_square(text[0] - 'a', text[1] - '1');
    return true;
}

// A move of the position: SAN in the game's language, coordinates, or coordinates that are no legal
// move.
static bool move_of(const ArbEventFile *file, const char *text, ChessMove *out,
                    ArbLineFault *fault) {
    const LawsGame *const game = &file->game;
    JdErr err = { 0 };
    ChessReading reading;
    if (!game->desk.loose) {
        if (chess_uci_parse(jd_str(text), &game->position, out, NULL))
            return true;
        if (chess_notation_parse(jd_str(text), &game->position, (ChessLanguage)file->language,
                                 CHESS_TOLERATE_DEFAULT, &reading, &err)) {
            *out = reading.move;
            return true;
        }
    }
    uint8_t from;
    uint8_t to;
    char half[3] = { 0 };
    if (strlen(text) == 4 && (jd_copy(half, text, 2), square_of(half, &from)) &&
        square_of(text + 2, &to)) {
        *out = (ChessMove)(from | (unsigned)to << 6);
        return true;
    }
    return fail(fault, "move",
                err.text[0] != '\0' ? err.text : "expected coordinates such as e2e4");
}

static bool set_move(ArbEventFile *file, json_t *line, LawsEvent *event, ArbLineFault *fault) {
    const char *text;
    if (!get_text(line, "move", &text, fault))
        return false;
    if (text == NULL)
        return event->kind != LAWS_EVENT_MOVE || fail(fault, "kind", "a move event needs \"move\"");
    return move_of(file, text, &event->move, fault);
}

static bool set_side(json_t *line, LawsEvent *event, ArbLineFault *fault) {
    const char *text;
    if (!get_text(line, "side", &text, fault))
        return false;
    if (text == NULL)
        return true;
    if (strcmp(text, "white") != 0 && strcmp(text, "black") != 0 && strcmp(text, "both") != 0)
        return fail(fault, "side", "expected white, black or both");
    event->side = text[0] == 'w' ? CHESS_WHITE : text[1] == 'l' ? CHESS_BLACK : LAWS_BOTH_SIDES;
    return true;
}

// A code by its number, or by the name of an incident, a reason or a piece.
static bool set_code(json_t *line, LawsEvent *event, ArbLineFault *fault) {
    static const char *const kinds[] = { "", "pawn", "knight", "bishop", "rook", "queen", "king" };
    json_t *const value = json_object_get(line, "code");
    if (!json_is_string(value)) {
        int64_t number = event->code;
        if (!get_number(line, "code", 0, 255, &number, fault))
            return false;
        event->code = (uint8_t)number;
        return true;
    }
    const char *const text = json_string_value(value);
    for (int i = 1; event->kind == LAWS_EVENT_INCIDENT && i < LAWS_INCIDENT_COUNT; i++)
        if (strcmp(text, laws_incident_name((LawsIncident)i)) == 0) {
            event->code = (uint8_t)i;
            return true;
        }
    for (int i = 1; event->kind == LAWS_EVENT_PROMO_TOUCH && i < (int)JD_COUNT(kinds); i++)
        if (strcmp(text, kinds[i]) == 0) {
            event->code = (uint8_t)i;
            return true;
        }
    for (int i = 1;
         (event->kind == LAWS_EVENT_ARB_RESULT || event->kind == LAWS_EVENT_OVERRULE_RESULT) &&
         i < 128;
         i++)
        if (strcmp(text, laws_reason_name((LawsReason)i)) == 0) {
            event->code = (uint8_t)i;
            return true;
        }
    return fail(fault, "code",
                "expected a number, or the name of an incident, a reason or a piece");
}

static bool set_result(json_t *line, LawsEvent *event, ArbLineFault *fault) {
    static const char *const halves[] = { "0", "1/2", "1" };
    const char *text;
    if (!get_text(line, "result", &text, fault))
        return false;
    if (text == NULL)
        return true;
    for (uint8_t white = 0; white < 3; white++)
        for (uint8_t black = 0; black < 3; black++) {
            char wanted[16];
            jd_format(wanted, sizeof wanted, "%s-%s", halves[white], halves[black]);
            if (strcmp(text, wanted) == 0) {
                event->result[0] = white;
                event->result[1] = black;
                return true;
            }
        }
    return fail(fault, "result", "expected scores such as 1-0, 1/2-1/2, 0-1/2");
}

// Texts; what is sealed is committed to with a nonce of zeroes, for nobody has to be kept from it
// here.
static bool set_text(ArbEventFile *file, json_t *line, LawsEvent *event, ArbLineFault *fault) {
    static const unsigned char nonce[LAWS_NONCE_SIZE];
    const char *text;
    const char *sealed;
    if (!get_text(line, "text", &text, fault) || !get_text(line, "sealed", &sealed, fault))
        return false;
    size_t size = 0;
    if (sealed != NULL && strlen(sealed) > 64)
        return fail(fault, "sealed", "expected at most 64 bytes");
    if (sealed != NULL && event->kind == LAWS_EVENT_OPEN_ENVELOPE) {
        jd_copy(file->text, nonce, sizeof nonce);
        jd_copy(file->text + sizeof nonce, sealed, strlen(sealed));
        size = sizeof nonce + strlen(sealed);
    } else if (sealed != NULL) {
        laws_seal_commit(nonce, jd_str(sealed), (unsigned char *)file->text);
        size = LAWS_COMMITMENT_SIZE;
    } else if (text != NULL) {
        size = strlen(text);
        if (size > LAWS_EVENT_TEXT_MAX)
            return fail(fault, "text", "expected at most 200 bytes");
        jd_copy(file->text, text, size);
    }
    event->text = jd_str_n(file->text, size);
    return true;
}

static bool set_numbers(json_t *line, LawsEvent *event, ArbLineFault *fault) {
    int64_t offer = 0;
    int64_t flag = 0;
    int64_t draw = 0;
    int64_t count = 0;
    const char *square;
    if (!get_number(line, "offer", 0, 1, &offer, fault) ||
        !get_number(line, "flag", 0, 1, &flag, fault) ||
        !get_number(line, "draw", 0, 1, &draw, fault) ||
        !get_number(line, "count", 0, UINT32_MAX, &count, fault) ||
        !get_time(line, "span", &event->span_ms, fault) ||
        !get_text(line, "square", &square, fault))
        return false;
    if (square != NULL && !square_of(square, &event->square))
        return fail(fault, "square", "expected a square such as e4");
    event->offer = (uint8_t)offer;
    event->flag = (uint8_t)flag;
    event->draw = (uint8_t)draw;
    event->count = (uint32_t)count;
    return true;
}

bool arb_events_event(ArbEventFile *file, json_t *line, LawsEvent *event, int64_t *at_ms,
                      ArbLineFault *fault) {
    jd_zero(event, sizeof *event);
    const char *kind;
    if (unknown_keys(line, event_keys, false, fault) || !get_text(line, "kind", &kind, fault))
        return false;
    if (kind == NULL || !laws_event_find(jd_str(kind), &event->kind))
        return fail(fault, "kind", "expected the name of an event such as move, press, claim_rep");
    if (json_object_get(line, "time") == NULL)
        return fail(fault, "kind", "an event needs a \"time\"");
    return get_time(line, "time", at_ms, fault) && set_actor(line, event, fault) &&
           set_move(file, line, event, fault) && set_side(line, event, fault) &&
           set_code(line, event, fault) && set_result(line, event, fault) &&
           set_text(file, line, event, fault) && set_numbers(line, event, fault);
}
