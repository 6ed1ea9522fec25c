// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/play_store.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// The folder, without making it; false when there is no home either.
static bool folder(char out[PLAY_PATH_SIZE]) {
    const char *state = getenv("XDG_STATE_HOME");
    const char *home = getenv("HOME");
    size_t size = PLAY_PATH_SIZE;
    if (state != NULL && state[0] == '/')
        size = jd_format(out, PLAY_PATH_SIZE, "%s/jadoube", state);
    else if (home != NULL && home[0] == '/')
        size = jd_format(out, PLAY_PATH_SIZE, "%s/.local/state/jadoube", home);
    return size < PLAY_PATH_SIZE - 32;
}

static bool make_folders(char *path) {
    for (char *at = path + 1;; at++) {
        if (*at != '/' && *at != '\0')
            continue;
        const char kept = *at;
        *at = '\0';
        const bool made = mkdir(path, 0700) == 0 || errno == EEXIST;
        *at = kept;
        if (!made)
            return false;
        if (kept == '\0')
            return true;
    }
}

bool play_store_own(char out[PLAY_PATH_SIZE], JdErr *err) {
    char path[PLAY_PATH_SIZE];
    out[0] = '\0';
    if (!folder(path))
        return jd_fail(err, 1, 0, "neither XDG_STATE_HOME nor HOME names a folder");
    const bool made = make_folders(path);
    const int fault = errno;
    (void)jd_format(out, PLAY_PATH_SIZE, "%s/play-%d.pgn", path, (int)getpid());
    return made || jd_fail(err, 1, 0, "%s", strerror(fault));
}

// The process of "play-123.pgn"; 0: another file.
static pid_t owner_of(const char *name) {
    JdStr rest = jd_str(name);
    uint64_t pid;
    if (!jd_str_starts_with(rest, JD_STR("play-")) || !jd_str_ends_with(rest, JD_STR(".pgn")) ||
        !jd_parse_u64(jd_str_part(rest, 5, rest.size - 9), INT32_MAX, &pid))
        return 0;
    return (pid_t)pid;
}

bool play_store_lost(char out[PLAY_PATH_SIZE]) {
    char path[PLAY_PATH_SIZE];
    if (!folder(path))
        return false;
    DIR *dir = opendir(path);
    if (dir == NULL)
        return false;
    bool found = false;
    for (struct dirent *entry; !found && (entry = readdir(dir)) != NULL;) {
        const pid_t owner = owner_of(entry->d_name);
        if (owner <= 0 || (kill(owner, 0) == 0 || errno != ESRCH))
            continue;
        found = jd_format(out, PLAY_PATH_SIZE, "%s/%s", path, entry->d_name) < PLAY_PATH_SIZE;
    }
    (void)closedir(dir);
    return found;
}
