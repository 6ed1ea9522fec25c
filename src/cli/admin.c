// SPDX-License-Identifier: GPL-3.0-or-later
//
// jadoube admin: what the operator does by hand. A running site is asked through the socket in its
// data directory; of one that is stopped the database is opened itself.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include <jadoube/base.h>

#include "cli/cli.h"
#include "net/net.h"
#include "pages/pages.h"
#include "store/store.h"

static void print_help(FILE *out) {
    fprintf(
        out,
        "usage: jadoube admin [--data DIR] [--config FILE] COMMAND ...\n"
        "\n"
        "  role NICK ROLE           give a role: admin, moderator, committee, arbiter\n"
        "  unrole NICK ROLE         take it\n"
        "  roles                    who has which\n"
        "  rename NICK NEW          a name that slipped through; the old one stays reserved\n"
        "  block NICK REASON [DAYS] block an account; without DAYS for ever\n"
        "  unblock NICK REASON      lift it\n"
        "  erase NICK               all that is personal, at once and for good\n"
        "  links NICK               the providers of OpenID Connect that open an account\n"
        "  unlink NICK PROVIDER     one of them does no more\n"
        "  word TEXT, unword TEXT   words no new nick may hold, beside those of the house\n"
        "  words                    list them\n"
        "  result GAME RESULT --reason TEXT\n"
        "                           another result for a finished game (1-0, 0-1, 1/2-1/2, 0-0);\n"
        "                           ratings are counted anew\n"
        "  copy --from PLACE --to PLACE\n"
        "                           move a site that stands still to an empty database; a place "
        "is\n"
        "                           a data directory or postgresql://...\n"
        "  backup PLACE [--keep N]  the whole site as one file, while it runs; PLACE is the file, "
        "or "
        "a\n"
        "                           directory that gets a file with the time in its name; of these "
        "the\n"
        "                           N newest are kept\n"
        "  check FILE               read a backup whole and compare it with its sums\n"
        "  restore FILE             a new site of a backup, where there is none (--data, "
        "--database)\n"
        "  schema                   the version of the tables, and that of this program\n"
        "  reports                  what people wrote to the administrators\n"
        "  audit                    what was done here, newest first\n"
        "\n"
        "The first administrator: register on the site, then\n"
        "    jadoube admin role YOUR-NICK admin\n"
        "Letters about this are written while the site runs.\n");
}

// ---- a running site ---------------------------------------------------------------------------

static bool send_all(int fd, const char *data, size_t size) {
    for (size_t sent = 0; sent < size;) {
        const ssize_t n = write(fd, data + sent, size - sent);
        if (n <= 0)
            return false;
        sent += (size_t)n;
    }
    return true;
}

// -1: no site listens there.
static int ask_site(const NetConfig *config, int count, char **words) {
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    if (!net_admin_path(config, address.sun_path, sizeof(address.sun_path)))
        return -1;
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || connect(fd, (const struct sockaddr *)&address, sizeof(address)) != 0) {
        if (fd >= 0)
            close(fd);
        return -1;
    }
    bool ok = true;
    for (int i = 0; ok && i < count; i++)
        ok = send_all(fd, words[i], strlen(words[i]) + 1);
    shutdown(fd, SHUT_WR);
    char text[4096];
    ssize_t size;
    int status = 1;
    bool first = true;
    while (ok && (size = read(fd, text, sizeof(text))) > 0) {
        if (first)
            status = text[0] == '+' ? 0 : 1;
        fwrite(text + (first ? 1 : 0), 1, (size_t)size - (first ? 1 : 0),
               status == 0 ? stdout : stderr);
        first = false;
    }
    close(fd);
    if (first)
        fprintf(stderr, "jadoube admin: the site gave no answer\n");
    return status;
}

// ---- a stopped one ----------------------------------------------------------------------------

static int ask_database(const NetConfig *config, int count, char **words) {
    JdErr err = { 0 };
    Store *store = NULL;
    Pages *pages = NULL;
    PagesWorker *worker = NULL;
    PagesAdmin *answer = calloc(1, sizeof(*answer));
    JdStr list[PAGES_ADMIN_WORDS];
    PagesFault fault = { 0 };
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    const StoreConfig store_config = { .data_dir = config->data,
                                       .database = net_config_database(config),
                                       .migrates_bare = !config->upgrade_backup };
    bool ok = answer != NULL && store_open(&store_config, &store, &err);
    const PagesConfig pages_config = {
        .store = store, .site = "", .hash_passes = 1, .hash_memory_bytes = 8192
    };
    ok = ok && pages_open(&pages_config, &pages, &err) && pages_worker_open(pages, &worker, &err);
    for (int i = 0; i < count && i < PAGES_ADMIN_WORDS; i++)
        list[i] = jd_str(words[i]);
    if (ok && !pages_admin(worker, list, (size_t)count,
                           (JdInstant) { (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000 },
                           answer, &fault)) {
        ok = false;
        err = fault.err;
    }
    if (ok)
        fwrite(answer->text, 1, answer->size, answer->ok ? stdout : stderr);
    const bool done = ok && answer->ok;
    pages_worker_close(worker);
    pages_close(pages);
    if (!store_close(store, &err))
        ok = false;
    if (!ok)
        fprintf(stderr, "jadoube admin: %s\n", err.text);
    free(answer);
    return done ? 0 : 1;
}

int cli_admin(int argc, char **argv) {
    NetConfig config;
    JdErr err = { 0 };
    bool help = false;
    int first = 1;
    net_config_init(&config);
    while (first < argc && strncmp(argv[first], "--", 2) == 0)
        first += strchr(argv[first], '=') != NULL || strcmp(argv[first], "--help") == 0 ? 1 : 2;
    first = first > argc ? argc : first;
    if (!net_config_load(&config, first - 1, argv + 1, &help, &err)) {
        fprintf(stderr, "jadoube admin: %s\n", err.text);
        return err.code == NET_CONFIG_USAGE ? 2 : 1;
    }
    if (help) {
        print_help(stdout);
        return 0;
    }
    if (first == argc) {
        print_help(stderr);
        return 2;
    }
    if (argc - first > PAGES_ADMIN_WORDS) {
        fprintf(stderr, "jadoube admin: too many words; put a reason into quotes\n");
        return 2;
    }
    const bool result = strcmp(argv[first], "result") == 0;
    const bool copy = strcmp(argv[first], "copy") == 0;
    const char *fault = result ? cli_admin_result_fault(argc - first, argv + first)
                        : copy ? cli_admin_copy_fault(argc - first, argv + first)
                               : NULL;
    if (fault != NULL) {
        fprintf(stderr, "jadoube admin: %s\n", fault);
        return 2;
    }
    if (copy)
        return cli_admin_copy(argv + first);
    const int about_all = cli_admin_backup(&config, argc - first, argv + first);
    if (about_all >= 0)
        return about_all;
    const int status = ask_site(&config, argc - first, argv + first);
    if (status < 0 && result)
        return cli_admin_result(&config, argv + first);
    return status >= 0 ? status : ask_database(&config, argc - first, argv + first);
}
