// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/play_game.h"

#include <stdlib.h>

#include "cli/dead_text.h"

// What a question about dead positions may cost while somebody waits.
#define DEAD_NODES 2000000
#define DEAD_TIME_MS 500
#define DEAD_MEMORY_BYTES (UINT64_C(64) << 20)

static DeadVerdict ask(void *context, const ChessPosition *pos, ChessColor winner) {
    return (DeadVerdict)cli_dead_ask(context, pos, winner).answer.verdict;
}

bool play_means_open(PlayMeans *means, JdErr *err) {
    CliDead *dead = malloc(sizeof(*dead));
    *means = (PlayMeans) { .plies = calloc(CHESS_GAME_PLIES_MAX, sizeof(*means->plies)),
                           .clocks = calloc(CHESS_GAME_PLIES_MAX, sizeof(*means->clocks)),
                           .can_mate = ask,
                           .context = dead };
    if (dead != NULL)
        *dead = (CliDead) { .nodes = DEAD_NODES,
                            .time_ms = DEAD_TIME_MS,
                            .memory_limit = DEAD_MEMORY_BYTES };
    if (means->plies != NULL && means->clocks != NULL && dead != NULL && cli_dead_open(dead))
        return true;
    play_means_close(means);
    return jd_fail(err, 2, 0, "there is not enough memory");
}

void play_means_close(PlayMeans *means) {
    free(means->plies);
    free(means->clocks);
    if (means->context != NULL)
        cli_dead_close(means->context);
    free(means->context);
    *means = (PlayMeans) { 0 };
}

bool play_game_open(PlayGame *game, const PlaySetup *setup, JdInstant now, JdErr *err) {
    PlayMeans means;
    if (!play_means_open(&means, err))
        return false;
    if (play_begin(game, setup, &means, now, err))
        return true;
    play_means_close(&means);
    return false;
}

void play_game_close(PlayGame *game) {
    play_means_close(&game->means);
    jd_zero(game, sizeof(*game));
}
