// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is due, soonest first: a binary heap of games, and the timer of its first.
#include <sys/timerfd.h>

#include "play.h"

static void put(Play *play, int place, int game) {
    play->heap[place] = game;
    play->games[game].heap_place = place;
}

static void rise(Play *play, int place) {
    const int game = play->heap[place];
    while (place > 0 &&
           play->games[play->heap[(place - 1) / 2]].due_us > play->games[game].due_us) {
        put(play, place, play->heap[(place - 1) / 2]);
        place = (place - 1) / 2;
    }
    put(play, place, game);
}

static void sink(Play *play, int place) {
    const int game = play->heap[place];
    for (;;) {
        int child = 2 * place + 1;
        if (child >= play->heap_size)
            break;
        if (child + 1 < play->heap_size &&
            play->games[play->heap[child + 1]].due_us < play->games[play->heap[child]].due_us)
            child++;
        if (play->games[play->heap[child]].due_us >= play->games[game].due_us)
            break;
        put(play, place, play->heap[child]);
        place = child;
    }
    put(play, place, game);
}

void due_arm(Play *play) {
    struct itimerspec at = { 0 };
    if (play->heap_size > 0) {
        const int64_t due_us = play->games[play->heap[0]].due_us;
        at.it_value.tv_sec = (time_t)(due_us / 1000000);
        at.it_value.tv_nsec = (long)(due_us % 1000000) * 1000 + 1; // 0 would disarm it
    }
    (void)timerfd_settime(play->due_fd, TFD_TIMER_ABSTIME, &at, NULL);
}

void due_add(Play *play, int game) {
    if (play->games[game].heap_place >= 0)
        return;
    play->heap[play->heap_size] = game;
    rise(play, play->heap_size++);
    if (play->heap[0] == game)
        due_arm(play);
}

int due_take(Play *play) {
    const int game = play->heap[0];
    play->games[game].heap_place = -1;
    const int last = play->heap[--play->heap_size];
    if (play->heap_size > 0) {
        put(play, 0, last);
        sink(play, 0);
    }
    return game;
}

void due_remove(Play *play, Game *game) {
    const int place = game->heap_place;
    if (place < 0)
        return;
    game->heap_place = -1;
    const int last = play->heap[--play->heap_size];
    if (place == play->heap_size)
        return;
    put(play, place, last);
    rise(play, place);
    sink(play, play->games[last].heap_place);
}
