// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/play_pgn.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define PATH_SIZE 4096

// ---- saving -------------------------------------------------------------------------------------

static void to_file(void *context, JdStr text) {
    (void)fwrite(text.data, 1, text.size, context); // ferror is asked at the end
}

static bool system_fault(JdErr *err) {
    return jd_fail(err, 1, 0, "%s", strerror(errno));
}

static void write_date(int64_t begun_ms, char *out, size_t size) {
    const time_t begun = (time_t)(begun_ms / 1000);
    struct tm local = { 0 };
    out[0] = '\0';
    if (localtime_r(&begun, &local) != NULL)
        (void)strftime(out, size, "%Y.%m.%d", &local);
}

bool play_pgn_save(const PlayGame *game, const char *path, JdInstant now, JdErr *err) {
    char beside[PATH_SIZE];
    if (jd_format(beside, sizeof(beside), "%s.%d.part", path, (int)getpid()) >= sizeof(beside)) {
        errno = ENAMETOOLONG;
        return system_fault(err);
    }
    FILE *file = fopen(beside, "wbe");
    if (file == NULL)
        return system_fault(err);
    char date[16];
    write_date(game->begun_ms, date, sizeof(date));
    play_pgn_write(game, jd_str(date), now, to_file, file);
    bool ok = fflush(file) == 0 && ferror(file) == 0 && fsync(fileno(file)) == 0;
    if (!ok)
        (void)system_fault(err);
    if (fclose(file) != 0 && ok)
        ok = system_fault(err);
    if (ok && rename(beside, path) != 0)
        ok = system_fault(err);
    if (!ok)
        (void)unlink(beside);
    return ok;
}

// ---- opening ------------------------------------------------------------------------------------

static bool read_file(PlayPgn *pgn, const char *path, JdErr *err) {
    char chunk[16384];
    FILE *file = fopen(path, "rbe");
    if (file == NULL)
        return system_fault(err);
    for (size_t size; (size = fread(chunk, 1, sizeof(chunk), file)) > 0;)
        if (!play_pgn_push(pgn, jd_str_n(chunk, size)))
            break;
    const bool ok = ferror(file) == 0 || system_fault(err);
    (void)fclose(file);
    return ok;
}

static bool begin_game(PlayGame *game, PlayPgn *pgn, JdInstant now, PlayOpened *report,
                       JdErr *err) {
    PlayMeans means;
    PlayGame fresh;
    if (!play_means_open(&means, err))
        return false;
    if (!play_pgn_begin(pgn, &means, &fresh, now, report, err)) {
        play_means_close(&means);
        return false;
    }
    play_game_close(game);
    *game = fresh;
    return true;
}

bool play_pgn_open(PlayGame *game, const char *path, uint64_t number, JdInstant now,
                   PlayOpened *report, JdErr *err) {
    PlayPgn *pgn = malloc(sizeof(*pgn));
    *report = (PlayOpened) { 0 };
    if (pgn == NULL)
        return jd_fail(err, 2, 0, "there is not enough memory");
    play_pgn_init(pgn, number);
    bool ok = read_file(pgn, path, err);
    if (ok) {
        const bool has_game = play_pgn_finish(pgn, report);
        if (!pgn->is_found && !pgn->has_problem && err != NULL)
            *err = (JdErr) { 0 };
        ok = has_game && begin_game(game, pgn, now, report, err);
    }
    free(pgn);
    return ok;
}
