// SPDX-License-Identifier: GPL-3.0-or-later
//
// Settings from a file, the environment and flags.
#include "../check.h"

#include <unistd.h>

#include "net/config.h"

static void test_file(void **state) {
    (void)state;
    NetConfig config;
    JdErr err = { 0 };
    net_config_init(&config);
    assert_true(net_config_read(
        &config,
        JD_STR("# the club\n\n port = 80 \r\nhost=0.0.0.0\norigin = https://chess.example "
               "http://10.0.0.1:8464\nrate_limits = off\nbehind_proxy=yes"),
        &err));
    assert_int_equal(config.port, 80);
    assert_string_equal(config.host, "0.0.0.0");
    assert_string_equal(config.origin, "https://chess.example http://10.0.0.1:8464");
    assert_false(config.rate_limits);
    assert_true(config.behind_proxy);
    assert_true(net_config_is_https(&config));
}

static const struct {
    const char *text;
    const char *says; // part of the sentence
} bad_files[] = {
    { "port", "line 1" },
    { "\nport = 65536", "line 2: port" },
    { "port = -1", "port" },
    { "port = 80x", "port" },
    { "prot = 80", "unknown setting \"prot\"" },
    { "rate_limits = maybe", "on or off" },
    { "workers = 0", "1 to 8" },
    { "origin = chess.example", "http(s)://" },
    { "origin = https://chess.example/", "http(s)://" },
    { "metrics = everybody", "local, all or off" },
    { "captcha = none", "pictures, question or off" },
    { "node = a/b", "node: \"a/b\", expected at most 32" },
    { "node = 123456789012345678901234567890123", "at most 32" },
    { "bus = http://127.0.0.1", "redis://" },
    { "bus = redis://127.0.0.1:0", "redis://" },
};

static void test_bad_files(void **state) {
    (void)state;
    for (size_t i = 0; i < JD_COUNT(bad_files); i++) {
        NetConfig config;
        JdErr err = { 0 };
        net_config_init(&config);
        if (net_config_read(&config, jd_str(bad_files[i].text), &err))
            fail_msg("bad_files[%zu] was read", i);
        if (strstr(err.text, bad_files[i].says) == NULL)
            fail_msg("bad_files[%zu]: \"%s\", expected \"%s\"", i, err.text, bad_files[i].says);
    }
}

static bool load(NetConfig *config, JdErr *err, int argc, const char **argv) {
    bool help = false;
    char *arguments[8];
    for (int i = 0; i < argc; i++)
        arguments[i] = (char *)(uintptr_t)argv[i];
    net_config_init(config);
    return net_config_load(config, argc, arguments, &help, err);
}

// A node needs what nodes share, and says what is missing.
static void test_nodes(void **state) {
    (void)state;
    static const struct {
        const char *flags[3];
        const char *says; // NULL: taken
    } cases[] = {
        { { "--node=a", "--database=postgresql:///club", "--bus=redis://127.0.0.1" }, NULL },
        { { "--node=", "--bus=" }, NULL },
        { { "--node=a" }, "database must name" },
        { { "--node=a", "--bus=redis://127.0.0.1" }, "database must name" },
        { { "--node=a", "--database=postgresql:///club" }, "which bus must name" },
        { { "--bus=redis://127.0.0.1" }, "node must say" },
        { { "--bus=redis://127.0.0.1", "--database=postgresql:///club" }, "node must say" },
    };
    for (size_t i = 0; i < JD_COUNT(cases); i++) {
        NetConfig config;
        JdErr err = { 0 };
        int count = 0;
        while (count < 3 && cases[i].flags[count] != NULL)
            count++;
        const char *flags[3] = { cases[i].flags[0], cases[i].flags[1], cases[i].flags[2] };
        const bool ok = load(&config, &err, count, flags);
        if (ok != (cases[i].says == NULL))
            fail_msg("cases[%zu]: %s", i, ok ? "taken" : err.text);
        if (!ok && (strstr(err.text, cases[i].says) == NULL || err.code != NET_CONFIG_USAGE))
            fail_msg("cases[%zu]: %u \"%s\"", i, (unsigned)err.code, err.text);
    }
}

static void test_precedence(void **state) {
    (void)state;
    char path[] = "/tmp/jadoube-config-XXXXXX";
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    static const char text[] = "port = 1\nworkers = 3\nmax_connections = 500\n";
    assert_int_equal(write(fd, text, sizeof(text) - 1), sizeof(text) - 1);
    close(fd);
    setenv("JADOUBE_PORT", "2", 1);
    setenv("JADOUBE_MAX_CONNECTIONS", "600", 1);
    NetConfig config;
    JdErr err = { 0 };
    const char *flags[] = { "--port=3", "--config", path, "--max-connections-per-address", "77" };
    if (!load(&config, &err, 5, flags))
        fail_msg("%s", err.text);
    assert_int_equal(config.port, 3);              // the flag
    assert_int_equal(config.max_connections, 600); // the environment
    assert_int_equal(config.workers, 3);           // the file
    assert_int_equal(config.max_connections_per_address, 77);
    setenv("JADOUBE_PORT", "port", 1);
    assert_false(load(&config, &err, 0, flags));
    assert_non_null(strstr(err.text, "JADOUBE_PORT"));
    unsetenv("JADOUBE_PORT");
    unsetenv("JADOUBE_MAX_CONNECTIONS");
    unlink(path);
}

static void test_flags(void **state) {
    (void)state;
    NetConfig config;
    JdErr err = { 0 };
    const char *missing[] = { "--port" };
    assert_false(load(&config, &err, 1, missing));
    assert_int_equal(err.code, NET_CONFIG_USAGE);
    const char *unknown[] = { "--colour", "red" };
    assert_false(load(&config, &err, 2, unknown));
    assert_int_equal(err.code, NET_CONFIG_USAGE);
    assert_non_null(strstr(err.text, "--colour"));
    const char *stray[] = { "now" };
    assert_false(load(&config, &err, 1, stray));
    const char *no_file[] = { "--config", "/no/such/file" };
    assert_false(load(&config, &err, 2, no_file));
    assert_non_null(strstr(err.text, "/no/such/file"));
}

static void test_data_directory(void **state) {
    (void)state;
    NetConfig config;
    setenv("XDG_DATA_HOME", "/somewhere/data", 1);
    net_config_init(&config);
    assert_string_equal(config.data, "/somewhere/data/jadoube");
    unsetenv("XDG_DATA_HOME");
    setenv("HOME", "/home/somebody", 1);
    net_config_init(&config);
    assert_string_equal(config.data, "/home/somebody/.local/share/jadoube");
    unsetenv("HOME");
    net_config_init(&config);
    assert_string_equal(config.data, "jadoube-data");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_file),  cmocka_unit_test(test_bad_files),
        cmocka_unit_test(test_nodes), cmocka_unit_test(test_precedence),
        cmocka_unit_test(test_flags), cmocka_unit_test(test_data_directory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
