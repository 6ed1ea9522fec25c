// SPDX-License-Identifier: GPL-3.0-or-later
//
// Paths to routes, pages and files of the client.
#include "../check.h"

#include "net/files.h"
#include "net/http.h"

static const struct {
    NetMethod method;
    const char *path;
    const char *route; // NULL: none
    const char *param;
    unsigned allowed; // when none
} finds[] = {
    { NET_GET, "/healthz", "/healthz", "", 0 },
    { NET_GET, "/api/v1/me", "/api/v1/me", "", 0 },
    { NET_POST, "/api/v1/me", NULL, "", NET_GET },
    { NET_GET, "/api/v1/me/games", "/api/v1/me/games", "", 0 },
    { NET_GET, "/api/v1/players/Anna", "/api/v1/players/{}", "Anna", 0 },
    { NET_GET, "/api/v1/players/Anna/games", "/api/v1/players/{}/games", "Anna", 0 },
    { NET_GET, "/api/v1/players/\xd0\x90\xd0\xbd\xd0\xbd\xd0\xb0", "/api/v1/players/{}",
      "\xd0\x90\xd0\xbd\xd0\xbd\xd0\xb0", 0 },
    { NET_GET, "/api/v1/players/", NULL, "", 0 },
    { NET_GET, "/api/v1/players", NULL, "", 0 },
    { NET_GET, "/api/v1/games/abcDEF012-_9", "/api/v1/games/{}", "abcDEF012-_9", 0 },
    { NET_GET, "/api/v1/games/abcDEF012-_9.pgn", "/api/v1/games/{}.pgn", "abcDEF012-_9", 0 },
    { NET_GET, "/api/v1/games/.pgn", "/api/v1/games/{}", ".pgn", 0 },
    { NET_GET, "/game/abcDEF012-_9.pgn", "/game/{}.pgn", "abcDEF012-_9", 0 },
    { NET_GET, "/game/abcDEF012-_9", "/game/{}", "abcDEF012-_9", 0 },
    { NET_GET, "/game/abcDEF012-_9/analysis", NULL, "", 0 },
    { NET_POST, "/api/v1/games/x/move", "/api/v1/games/{}/move", "x", 0 },
    { NET_GET, "/api/v1/games/x/move", NULL, "", NET_POST },
    { NET_DELETE, "/api/v1/challenges/x", "/api/v1/challenges/{}", "x", 0 },
    { NET_DELETE, "/api/v1/challenges", NULL, "", NET_GET | NET_POST },
    { NET_POST, "/api/v1/challenges/x/join", "/api/v1/challenges/{}/join", "x", 0 },
    { NET_POST, "/api/v1/challenges/x/join/", NULL, "", 0 },
    { NET_POST, "/api/v1/challenges/x/join/y", NULL, "", 0 },
    { NET_POST, "/api/v1/challenges//join", NULL, "", 0 },
    { NET_GET, "//healthz", NULL, "", 0 },
    { NET_GET, "/HEALTHZ", NULL, "", 0 },
};

static void test_find(void **state) {
    (void)state;
    for (size_t i = 0; i < JD_COUNT(finds); i++) {
        JdStr params[NET_PARAMS_MAX] = { { NULL, 0 } };
        unsigned allowed = 99;
        const NetRoute *route =
            net_route_find(finds[i].method, jd_str(finds[i].path), params, &allowed);
        const char *found = route == NULL ? NULL : route->path;
        if ((found == NULL) != (finds[i].route == NULL) ||
            (found != NULL && strcmp(found, finds[i].route) != 0))
            fail_msg("%s: %s, expected %s", finds[i].path, found == NULL ? "none" : found,
                     finds[i].route == NULL ? "none" : finds[i].route);
        if (found != NULL && !jd_str_equal(params[0], jd_str(finds[i].param)))
            fail_msg("%s: parameter \"%.*s\", expected \"%s\"", finds[i].path, JD_PRINT(params[0]),
                     finds[i].param);
        if (found == NULL && allowed != finds[i].allowed)
            fail_msg("%s: allowed %u, expected %u", finds[i].path, allowed, finds[i].allowed);
    }
}

// Whatever changes something hides behind a session or makes one; every route leads somewhere.
static void test_table(void **state) {
    (void)state;
    static const char *const entries[] = { "/register", "/login",       "/logout",
                                           "/confirm",  "/recover",     "/captcha",
                                           "/guest",    "/notices/off", "/push/off" };
    const NetRoute *route = NULL;
    for (size_t i = 0; (route = net_route_at(i)) != NULL; i++) {
        bool entry = false;
        for (size_t at = 0; at < JD_COUNT(entries); at++)
            entry = entry || strstr(route->path, entries[at]) != NULL;
        if (route->method != NET_GET && route->auth != NET_AUTH_NEEDED && !entry)
            fail_msg("%s may be called by anybody", route->path);
        // A route without a stage on the loop ends with its work.
        if (route->loop == NULL && route->work == NULL)
            fail_msg("%s ends nowhere", route->path);
        if ((route->flags & NET_HEAVY) != 0 && route->quota != NET_QUOTA_LOGIN)
            fail_msg("%s hashes passwords without the allowance for it", route->path);
    }
}

static void test_pages(void **state) {
    (void)state;
    static const char *const are[] = {
        "/",        "/play",        "/login",   "/register", "/game/abcDEF012-_9", "/player/Anna",
        "/account", "/confirm/abc", "/recover", "/undo/abc", "/game/abcDEF012-_9/"
    };
    static const char *const are_not[] = { "/game",  "/game/", "/game/a/b", "/nothing",
                                           "/playx", "/api",   "//" };
    for (size_t i = 0; i < JD_COUNT(are); i++)
        if (!net_is_app_page(jd_str(are[i])))
            fail_msg("%s is no page", are[i]);
    for (size_t i = 0; i < JD_COUNT(are_not); i++)
        if (net_is_app_page(jd_str(are_not[i])))
            fail_msg("%s is a page", are_not[i]);
}

static const struct {
    const char *accept;
    NetCoding coding;
} codings[] = {
    { "", NET_IDENTITY },
    { "gzip", NET_GZIP },
    { "gzip, deflate, br", NET_BROTLI },
    { "GZIP;q=0.5", NET_GZIP },
    { "br;q=0, gzip", NET_GZIP },
    { "br;q=0.000,gzip;q=0", NET_IDENTITY },
    { "xgzip, brx", NET_IDENTITY },
};

static void test_coding(void **state) {
    (void)state;
    static const unsigned char bytes[30];
    const NetFile file = { .path = "/x", .forms = { { bytes, 30 }, { bytes, 20 }, { bytes, 10 } } };
    for (size_t i = 0; i < JD_COUNT(codings); i++)
        if (net_file_coding(&file, jd_str(codings[i].accept)) != codings[i].coding)
            fail_msg("\"%s\": %d", codings[i].accept,
                     (int)net_file_coding(&file, jd_str(codings[i].accept)));
    const NetFile plain = { .path = "/x", .forms = { { bytes, 30 } } };
    assert_int_equal(net_file_coding(&plain, JD_STR("gzip, br")), NET_IDENTITY);
}

static void test_built_in_files(void **state) {
    (void)state;
    assert_non_null(net_file_find(JD_STR("/index.html")));
    assert_null(net_file_find(JD_STR("/no-such-file")));
    for (size_t i = 0; i < net_file_count; i++) {
        assert_ptr_equal(net_file_find(jd_str(net_files[i].path)), &net_files[i]);
        assert_non_null(net_files[i].forms[NET_IDENTITY].data);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_find),           cmocka_unit_test(test_table),
        cmocka_unit_test(test_pages),          cmocka_unit_test(test_coding),
        cmocka_unit_test(test_built_in_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
