// SPDX-License-Identifier: GPL-3.0-or-later
//
// Accounts and games against the computer, made by HTTP before anything is measured.
#include <curl/curl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "load.h"

#define AT_ONCE 4L
#define TRIES 10
#define COMPUTER_GAMES "/api/v1/computer-games"
#define PASSWORD "knight on the rim 8"

typedef struct Call {
    CURL *handle;
    struct curl_slist *head;
    char *sent;
    char *got;
    size_t got_size;
    char cookie[COOKIE_SIZE];
    long status;
} Call;

static size_t on_body(char *bytes, size_t one, size_t count, void *context) {
    Call *call = context;
    char *wider = realloc(call->got, call->got_size + one * count + 1);
    if (wider == NULL)
        return 0;
    call->got = wider;
    memcpy(call->got + call->got_size, bytes, one * count);
    call->got_size += one * count;
    call->got[call->got_size] = '\0';
    return one * count;
}

static size_t on_header(char *line, size_t one, size_t count, void *context) {
    static const char name[] = "set-cookie: ";
    Call *call = context;
    const size_t size = one * count;
    if (size <= sizeof(name) || strncasecmp(line, name, sizeof(name) - 1) != 0)
        return size;
    const char *value = line + sizeof(name) - 1;
    const char *end = memchr(value, ';', size - (sizeof(name) - 1));
    const size_t length = end == NULL ? 0 : (size_t)(end - value);
    if (length > 0 && length < sizeof(call->cookie)) {
        memcpy(call->cookie, value, length);
        call->cookie[length] = '\0';
    }
    return size;
}

// A POST of a JSON text, which now belongs to the call.
static bool prepare(Call *call, const Options *options, const char *path, char *body,
                    const char *cookie) {
    char text[256];
    call->handle = curl_easy_init();
    call->sent = body;
    if (call->handle == NULL || body == NULL)
        return false;
    snprintf(text, sizeof(text), "Origin: http://%s:%d", options->host, options->port);
    call->head = curl_slist_append(NULL, text);
    call->head = curl_slist_append(call->head, "Content-Type: application/json");
    snprintf(text, sizeof(text), "http://%s:%d%s", options->host, options->port, path);
    CURL *handle = call->handle;
    curl_easy_setopt(handle, CURLOPT_URL, text);
    curl_easy_setopt(handle, CURLOPT_HTTPHEADER, call->head);
    curl_easy_setopt(handle, CURLOPT_POSTFIELDS, call->sent);
    curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, on_body);
    curl_easy_setopt(handle, CURLOPT_WRITEDATA, call);
    curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, on_header);
    curl_easy_setopt(handle, CURLOPT_HEADERDATA, call);
    curl_easy_setopt(handle, CURLOPT_PROXY, "");
    if (cookie != NULL)
        curl_easy_setopt(handle, CURLOPT_COOKIE, cookie);
    return true;
}

// All calls, a few at a time.
static bool run_calls(Call *calls, int count) {
    CURLM *multi = curl_multi_init();
    if (multi == NULL)
        return false;
    curl_multi_setopt(multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, AT_ONCE);
    for (int i = 0; i < count; i++)
        curl_multi_add_handle(multi, calls[i].handle);
    int running = count;
    while (running > 0 && curl_multi_perform(multi, &running) == CURLM_OK && running > 0)
        (void)curl_multi_poll(multi, NULL, 0, 1000, NULL);
    for (int i = 0; i < count; i++) {
        curl_easy_getinfo(calls[i].handle, CURLINFO_RESPONSE_CODE, &calls[i].status);
        curl_multi_remove_handle(multi, calls[i].handle);
    }
    curl_multi_cleanup(multi);
    return true;
}

static bool refused(const Call *call) {
    fprintf(stderr, "jadoube-load: HTTP %ld: %s\n", call->status,
            call->got == NULL ? "" : call->got);
    return false;
}

// False when one did not get the wanted status.
static bool perform(Call *calls, int count, long wanted) {
    if (!run_calls(calls, count))
        return false;
    for (int i = 0; i < count; i++)
        if (calls[i].status != wanted)
            return refused(&calls[i]);
    return true;
}

static void free_calls(Call *calls, int count) {
    for (int i = 0; i < count; i++) {
        curl_easy_cleanup(calls[i].handle);
        curl_slist_free_all(calls[i].head);
        free(calls[i].sent);
        free(calls[i].got);
    }
    free(calls);
}

static char *json_text(json_t *object) {
    char *text = json_dumps(object, JSON_COMPACT);
    json_decref(object);
    return text;
}

static bool prepare_person(Call *call, const Options *options, unsigned number) {
    char nick[32];
    snprintf(nick, sizeof(nick), "Load-%u", number);
    json_t *form = json_pack("{s:s,s:s,s:s,s:s,s:b}", "nick", nick, "password", PASSWORD,
                             "password2", PASSWORD, "language", "en", "accept_rules", 1);
    return prepare(call, options, "/api/v1/register", json_text(form), NULL);
}

bool people_register(const Options *options, int count, char (*cookies)[COOKIE_SIZE]) {
    // Another run on the same database has other numbers.
    unsigned number = (unsigned)(load_now_us() / 1000 % 100000000) * 10;
    int done = 0;
    // A few numbers are refused, because read as letters they spell something.
    for (int tries = 0; done < count && tries < TRIES; tries++) {
        const int wanted = count - done;
        Call *calls = calloc((size_t)wanted, sizeof(*calls));
        bool ok = calls != NULL;
        for (int i = 0; ok && i < wanted; i++)
            ok = prepare_person(&calls[i], options, number++);
        ok = ok && run_calls(calls, wanted);
        for (int i = 0; ok && i < wanted; i++) {
            if (calls[i].status == 201)
                snprintf(cookies[done++], COOKIE_SIZE, "%s", calls[i].cookie);
            else if (calls[i].status != 422 || tries == TRIES - 1)
                ok = refused(&calls[i]);
        }
        free_calls(calls, calls == NULL ? 0 : wanted);
        if (!ok)
            return false;
    }
    return done == count;
}

static bool make_guests(const Options *options, int count, char (*cookies)[COOKIE_SIZE]) {
    Call *calls = calloc((size_t)count + 1, sizeof(*calls));
    bool ok = calls != NULL;
    for (int i = 0; ok && i < count; i++)
        ok = prepare(&calls[i], options, "/api/v1/guest",
                     json_text(json_pack("{s:s}", "language", "en")), NULL);
    ok = ok && perform(calls, count, 201);
    for (int i = 0; ok && i < count; i++)
        snprintf(cookies[i], COOKIE_SIZE, "%s", calls[i].cookie);
    free_calls(calls, calls == NULL ? 0 : count);
    return ok;
}

static char *computer_form(const Options *options) {
    return json_text(json_pack("{s:i,s:s,s:{s:s,s:i,s:i,s:i}}", "level", options->level, "color",
                               "white", "control", "kind", "clock", "base_ms", 3600000,
                               "increment_ms", 0, "delay_ms", 0));
}

static bool game_of(const Call *call, char game[16]) {
    json_t *answer = call->got == NULL ? NULL : json_loads(call->got, 0, NULL);
    const char *id = json_string_value(json_object_get(answer, "game"));
    const bool ok = id != NULL && strlen(id) < 16;
    if (ok)
        snprintf(game, 16, "%s", id);
    json_decref(answer);
    return ok;
}

bool people_begin_computers(const Options *options, int count, char (*cookies)[COOKIE_SIZE],
                            char (*games)[16]) {
    if (!make_guests(options, count, cookies))
        return false;
    Call *calls = calloc((size_t)count + 1, sizeof(*calls));
    bool ok = calls != NULL;
    for (int i = 0; ok && i < count; i++)
        ok = prepare(&calls[i], options, COMPUTER_GAMES, computer_form(options), cookies[i]);
    ok = ok && perform(calls, count, 201);
    for (int i = 0; ok && i < count; i++)
        ok = game_of(&calls[i], games[i]);
    free_calls(calls, calls == NULL ? 0 : count);
    return ok;
}

bool people_begin_computer(const Options *options, const char *cookie, char game[16]) {
    Call *call = calloc(1, sizeof(*call));
    const bool ok = call != NULL &&
                    prepare(call, options, COMPUTER_GAMES, computer_form(options), cookie) &&
                    curl_easy_perform(call->handle) == CURLE_OK && game_of(call, game);
    free_calls(call, call == NULL ? 0 : 1);
    return ok;
}
