// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a run has measured, as text.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "play.h"

static bool report_soak(const Soak *soak) {
    SoakMinute growth;
    SoakMinute mean;
    if (!soak_growth(soak, &growth, &mean)) {
        printf("too short to say whether anything grows\n");
        return true;
    }
    const bool grows = soak_grows(&growth, &mean);
    printf(
        "in the second half: memory %+.2f MiB (of %.1f), p50 %+.3f ms (of %.2f), p99 %+.2f ms (of "
        "%.2f): %s\n",
        growth.rss_mib, mean.rss_mib, growth.p50_ms, mean.p50_ms, growth.p99_ms, mean.p99_ms,
        grows ? "GROWS" : "no growth");
    return !grows;
}

// The floor in the same run: one small write made durable, where the server writes.
static void time_floor(const char *dir) {
    char name[512];
    char block[4096];
    Histogram *floor = calloc(1, sizeof(*floor));
    snprintf(name, sizeof(name), "%s/jadoube-load-floor", dir);
    FILE *file = fopen(name, "wb");
    memset(block, 'x', sizeof(block));
    for (int i = 0; file != NULL && floor != NULL && i < 300; i++) {
        const int64_t began_us = load_now_us();
        if (fwrite(block, 1, sizeof(block), file) != sizeof(block) || fflush(file) != 0 ||
            fdatasync(fileno(file)) != 0)
            break;
        histogram_add(floor, load_now_us() - began_us);
    }
    if (file != NULL) {
        fclose(file);
        (void)remove(name);
    }
    if (floor != NULL)
        load_print_row("floor: write, fdatasync", floor);
    free(floor);
}

int report_print(Play *play) {
    const Options *options = play->options;
    const uint64_t frames = play->in.frames + play->out.frames;
    uint64_t unanswered = 0;
    for (int i = 0; i < play->game_count; i++)
        unanswered += play->games[i].flying && play_counts(play, &play->games[i]);
    load_print_head();
    load_print_row("sent after it was due", &play->late);
    load_print_row("move to ack", &play->ack);
    load_print_row("move to own echo", &play->echo);
    load_print_row("due to own echo", &play->due_echo);
    load_print_row("move to opponent", &play->other);
    if (play->watched.count > 0)
        load_print_row("move to watcher", &play->watched);
    if (options->floor_dir != NULL)
        time_floor(options->floor_dir);
    printf("%llu moves, %.0f a second; frames a second: %.0f in, %.0f out",
           (unsigned long long)play->moves, (double)play->moves / play->played_s,
           (double)play->in.frames / play->played_s, (double)play->out.frames / play->played_s);
    printf(", of %.0f bytes; %llu games ended, %llu connections broken\n",
           frames == 0 ? 0.0 : (double)(play->in.bytes + play->out.bytes) / (double)frames,
           (unsigned long long)play->games_ended, (unsigned long long)play->broken);
    if (play->computer_count > 0)
        printf("the computer made %llu moves in %d games\n",
               (unsigned long long)play->computer_moves, play->computer_count);
    if (options->server != 0)
        printf("server: %.0f %% of a processor, %lld MiB\n",
               100 * play->server_used.cpu_s / play->played_s,
               (long long)(play->server_used.rss_kib / 1024));
    printf("driver: %.0f %% of a processor\n", 100 * play->own_used.cpu_s / play->played_s);
    printf("errors: %llu", (unsigned long long)play->errors + (unsigned long long)unanswered);
    for (int i = 0; i < CODES_MAX && play->codes[i].count > 0; i++)
        printf(", %s %llu", play->codes[i].code, (unsigned long long)play->codes[i].count);
    if (unanswered > 0)
        printf(", without an answer %llu", (unsigned long long)unanswered);
    printf("\n");
    const int64_t p99_us = histogram_at(&play->due_echo, 0.99);
    if (options->p99_max_us > 0)
        printf("p99 from due to echo: %.1f ms (at most %.0f) %s\n", (double)p99_us / 1000,
               (double)options->p99_max_us / 1000,
               p99_us <= options->p99_max_us ? "ok" : "TOO MUCH");
    const bool steady = play->soak == NULL || report_soak(play->soak);
    const bool good = steady && play->errors + unanswered == 0 && play->moves > 0 &&
                      (options->p99_max_us == 0 || p99_us <= options->p99_max_us);
    return good ? 0 : 1;
}
