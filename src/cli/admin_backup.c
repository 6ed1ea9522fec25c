// SPDX-License-Identifier: GPL-3.0-or-later
//
// jadoube admin backup, check, restore, schema: the site as a whole. A running site is not asked:
// a backup reads the database beside it.
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <jadoube/base.h>

#include "cli/cli.h"
#include "net/net.h"
#include "store/store.h"

#define PATH_SIZE 512
#define KEEP_MAX 100000
// Of a file with the time in its name.
#define PREFIX "jadoube-"
#define SUFFIX ".backup"
#define NAME_LENGTH (sizeof(PREFIX "20260131T235959Z" SUFFIX) - 1)

static int fail(const char *text) {
    fprintf(stderr, "jadoube admin: %s\n", text);
    return 1;
}

static StoreConfig site_of(const NetConfig *config) {
    return (StoreConfig) { .data_dir = config->data, .database = net_config_database(config) };
}

static void print_time(int64_t ms) {
    const time_t seconds = (time_t)(ms / 1000);
    struct tm parts;
    char text[40] = "at an unknown time";
    if (ms > 0 && gmtime_r(&seconds, &parts) != NULL)
        (void)strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S UTC", &parts);
    printf("%s", text);
}

// ---- a directory of backups ---------------------------------------------------------------------

static bool is_directory(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static bool name_file(const char *directory, time_t now, char out[PATH_SIZE]) {
    struct tm parts;
    char stamp[32];
    return gmtime_r(&now, &parts) != NULL &&
           strftime(stamp, sizeof(stamp), "%Y%m%dT%H%M%SZ", &parts) > 0 &&
           jd_format(out, PATH_SIZE, "%s/" PREFIX "%s" SUFFIX, directory, stamp) < PATH_SIZE;
}

// Only names that were given here: nothing else that lies in the directory is ever removed.
static int is_dated(const struct dirent *entry) {
    const char *name = entry->d_name;
    if (strlen(name) != NAME_LENGTH || strncmp(name, PREFIX, sizeof(PREFIX) - 1) != 0 ||
        strcmp(name + NAME_LENGTH - (sizeof(SUFFIX) - 1), SUFFIX) != 0)
        return 0;
    for (size_t i = sizeof(PREFIX) - 1; i < NAME_LENGTH - (sizeof(SUFFIX) - 1); i++)
        if (!((name[i] >= '0' && name[i] <= '9') || name[i] == 'T' || name[i] == 'Z'))
            return 0;
    return 1;
}

// The names rise with the time.
static int by_name(const struct dirent **left, const struct dirent **right) {
    return strcmp((*left)->d_name, (*right)->d_name);
}

static bool remove_old(const char *directory, uint64_t keep) {
    struct dirent **names = NULL;
    const int count = scandir(directory, &names, is_dated, by_name);
    bool ok = count >= 0;
    for (int i = 0; i < count; i++) {
        char path[PATH_SIZE];
        const bool goes = (uint64_t)count - (uint64_t)i > keep;
        if (goes &&
            (jd_format(path, sizeof(path), "%s/%s", directory, names[i]->d_name) >= sizeof(path) ||
             unlink(path) != 0))
            ok = false;
        free(names[i]);
    }
    free(names);
    return ok;
}

// ---- the verbs ----------------------------------------------------------------------------------

static int back_up(const NetConfig *config, int count, char **words) {
    uint64_t keep = 0;
    const bool keeps = count == 4 && strcmp(words[2], "--keep") == 0;
    if ((count != 2 && !keeps) || words[1][0] == '\0' ||
        (keeps && (!jd_parse_u64(jd_str(words[3]), KEEP_MAX, &keep) || keep == 0)))
        return fprintf(stderr, "jadoube admin: expected: backup PLACE [--keep N], N from 1 on\n"),
               2;
    const bool dated = is_directory(words[1]);
    if (keeps && !dated)
        return fprintf(stderr, "jadoube admin: --keep is for a directory, %s is none\n", words[1]),
               2;
    char path[PATH_SIZE];
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (dated ? !name_file(words[1], now.tv_sec, path)
              : jd_format(path, sizeof(path), "%s", words[1]) >= sizeof(path))
        return fail("the path of the backup is too long");
    StoreBackup made = { .made_ms = (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000 };
    jd_format(made.program, sizeof(made.program), "%s", JADOUBE_VERSION);
    const StoreConfig site = site_of(config);
    JdErr err = { 0 };
    // The site beside it goes first.
    if (nice(10) == -1)
        errno = 0;
    if (!store_backup(&site, path, &made, &err))
        return fail(err.text);
    printf("%s: %llu rows of %llu tables, %lld bytes, schema %d\n", path,
           (unsigned long long)made.rows, (unsigned long long)made.tables, (long long)made.bytes,
           made.schema);
    if (keeps && !remove_old(words[1], keep))
        return fail("not every old backup could be removed");
    return 0;
}

static int check(char **words) {
    StoreBackup found;
    JdErr err = { 0 };
    if (!store_backup_check(words[1], &found, &err))
        return fail(err.text);
    printf("%s: whole; made ", words[1]);
    print_time(found.made_ms);
    printf(" by jadoube %s; schema %d, this program knows %d; %llu rows of %llu tables\n",
           found.program[0] != '\0' ? found.program : "of an unknown version", found.schema,
           store_schema_known(), (unsigned long long)found.rows, (unsigned long long)found.tables);
    return 0;
}

static int restore(const NetConfig *config, char **words) {
    const StoreConfig site = site_of(config);
    StoreBackup found;
    JdErr err = { 0 };
    if (!store_restore(words[1], &site, &found, &err))
        return fail(err.text);
    printf("the site as it was ");
    print_time(found.made_ms);
    printf(": %llu rows of %llu tables are there, each table compared with its sum\n",
           (unsigned long long)found.rows, (unsigned long long)found.tables);
    if (found.schema < store_schema_known())
        printf("its tables were brought from schema %d to %d\n", found.schema,
               store_schema_known());
    return 0;
}

static int tell_schema(const NetConfig *config) {
    const StoreConfig site = site_of(config);
    const int known = store_schema_known();
    int version = 0;
    JdErr err = { 0 };
    if (!store_schema(&site, &version, &err))
        return fail(err.text);
    printf("the site has schema %d, this program knows %d%s\n", version, known,
           version < known ? ": it migrates when it starts next" : "");
    return 0;
}

int cli_admin_backup(const NetConfig *config, int count, char **words) {
    const bool checks = strcmp(words[0], "check") == 0;
    signal(SIGXFSZ, SIG_IGN); // a file at its limit is an error of the write, not the end
    if (strcmp(words[0], "backup") == 0)
        return back_up(config, count, words);
    if (checks || strcmp(words[0], "restore") == 0) {
        if (count == 2 && words[1][0] != '\0')
            return checks ? check(words) : restore(config, words);
        fprintf(stderr, "jadoube admin: expected: %s FILE\n", words[0]);
        return 2;
    }
    if (strcmp(words[0], "schema") != 0)
        return -1;
    if (count == 1)
        return tell_schema(config);
    fprintf(stderr, "jadoube admin: expected: schema\n");
    return 2;
}
