// SPDX-License-Identifier: GPL-3.0-or-later
#include "support.h"

#include <dirent.h>
#include <unistd.h>

#include "../store/database.h"

static void open_pages(House *house, const PagesConfig *more) {
    const StoreConfig store = { .data_dir = house->dir, .database = test_database(house->dir) };
    PagesConfig config = more != NULL ? *more : (PagesConfig) { .registrations_per_hour = 10000 };
    if (config.hash_passes == 0) {
        config.hash_passes = 1;
        config.hash_memory_bytes = 8192;
    }
    JdErr err = { 0 };
    if (!store_open(&store, &house->store, &err))
        fail_msg("store: %s", err.text);
    config.store = house->store;
    if (!pages_open(&config, &house->pages, &err) ||
        !pages_worker_open(house->pages, &house->worker, &err))
        fail_msg("pages: %s", err.text);
}

static void close_pages(House *house) {
    pages_worker_close(house->worker);
    pages_close(house->pages);
    assert_true(store_close(house->store, NULL));
}

House *house_open(const PagesConfig *more) {
    House *house = calloc(1, sizeof *house);
    assert_non_null(house);
    const char *base = getenv("TMPDIR");
    snprintf(house->dir, sizeof house->dir, "%s/jd-pages-XXXXXX",
             base != NULL && strlen(base) < 32 ? base : "/tmp");
    assert_non_null(mkdtemp(house->dir));
    house->now = NOON;
    open_pages(house, more);
    return house;
}

void house_reopen(House *house, const PagesConfig *more) {
    close_pages(house);
    open_pages(house, more);
}

void house_close(House *house) {
    close_pages(house);
    DIR *list = opendir(house->dir);
    for (struct dirent *entry; (entry = readdir(list)) != NULL;) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", house->dir, entry->d_name);
        if (entry->d_name[0] != '.')
            unlink(path);
    }
    closedir(list);
    rmdir(house->dir);
    free(house);
}

PagesAddress address(const char *text) {
    PagesAddress out;
    assert_true(pages_address_parse(jd_str(text), &out));
    return out;
}

PagesCode register_mail(House *house, const char *nick, const char *email, const char *password,
                        PagesSession *out) {
    const PagesRegister form = { .nick = jd_str(nick),
                                 .email = jd_str(email),
                                 .password = jd_str(password),
                                 .password2 = jd_str(password),
                                 .language = JD_STR("ru"),
                                 .accept_rules = true,
                                 .address = address("192.0.2.1") };
    PagesSession session;
    PagesFault fault = { 0 };
    const bool ok =
        pages_register(house->worker, &form, house->now, out != NULL ? out : &session, &fault);
    return ok ? PAGES_OK : (PagesCode)fault.err.code;
}

PagesCode register_as(House *house, const char *nick, const char *password, PagesSession *out) {
    return register_mail(house, nick, "", password, out);
}

PagesCode login_from(House *house, const char *login, const char *password, const char *from,
                     PagesSession *out, uint32_t *retry_after_s) {
    const PagesLogin form = { .login = jd_str(login),
                              .password = jd_str(password),
                              .address = address(from) };
    PagesSession session;
    PagesFault fault = { 0 };
    const bool ok =
        pages_login(house->worker, &form, house->now, out != NULL ? out : &session, &fault);
    if (retry_after_s != NULL)
        *retry_after_s = fault.retry_after_s;
    return ok ? PAGES_OK : (PagesCode)fault.err.code;
}

PagesCode login_as(House *house, const char *login, const char *password, PagesSession *out) {
    return login_from(house, login, password, "192.0.2.1", out, NULL);
}

const char *nick_of(House *house, const char *token) {
    static PagesMe me;
    PagesFault fault = { 0 };
    bool found = false;
    if (!pages_session(house->worker, jd_str(token), house->now, &me, &found, &fault))
        fail_msg("session: %s", fault.err.text);
    return found ? me.nick : "";
}

void assert_code(PagesCode got, const char *expected, const char *what) {
    if (strcmp(pages_code_name(got), expected) != 0)
        fail_msg("%s: %s, expected %s", what, pages_code_name(got), expected);
}

// ---- tables -------------------------------------------------------------------------------------

static int hex_digit(char c) {
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

// Decodes \xNN in place.
static size_t decode(char *text, size_t size) {
    size_t to = 0;
    for (size_t from = 0; from < size; from++) {
        if (from + 3 < size && text[from] == '\\' && text[from + 1] == 'x' &&
            hex_digit(text[from + 2]) >= 0 && hex_digit(text[from + 3]) >= 0) {
            text[to++] = (char)(hex_digit(text[from + 2]) * 16 + hex_digit(text[from + 3]));
            from += 3;
        } else {
            text[to++] = text[from];
        }
    }
    return to;
}

void each_row(const char *file, size_t count, RowFn row, void *context) {
    char path[512];
    snprintf(path, sizeof path, "%s/pages/%s", TEST_DATA, file);
    FILE *in = fopen(path, "r");
    if (in == NULL)
        fail_msg("%s cannot be read", path);
    char text[1024];
    int rows = 0;
    for (int line = 1; fgets(text, sizeof text, in) != NULL; line++) {
        text[strcspn(text, "\n")] = '\0';
        if (text[0] == '#' || text[0] == '\0')
            continue;
        JdStr words[4];
        JdStr rest = jd_str(text);
        for (size_t i = 0; i < count; i++) {
            words[i] = jd_str_cut(&rest, ' ');
            words[i].size = decode(text + (words[i].data - text), words[i].size);
        }
        if (rest.size > 0 || words[count - 1].size == 0)
            fail_msg("%s:%d: expected %zu words", path, line, count);
        row(context, line, words);
        rows++;
    }
    fclose(in);
    assert_true(rows > 0);
}
