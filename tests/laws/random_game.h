// SPDX-License-Identifier: GPL-3.0-or-later
//
// Games of random events, the same for the same seed: legal and illegal moves, claims, offers,
// interruptions, actors who may and who may not.
#ifndef JADOUBE_TESTS_LAWS_RANDOM_GAME_H
#define JADOUBE_TESTS_LAWS_RANDOM_GAME_H

#include <jadoube/laws.h>

#define RANDOM_GAME_PLIES 512
#define RANDOM_GAME_EVENTS 700

typedef struct RandomGame {
    uint64_t seed;
    int64_t now_ms;
    LawsGame game;
    LawsPly plies[RANDOM_GAME_PLIES];
    unsigned char log[LAWS_LOG_HEAD_SIZE + (RANDOM_GAME_EVENTS + 2) * LAWS_LOG_EVENT_SIZE];
    size_t log_size;
    char text[2][LAWS_EVENT_TEXT_MAX]; // nonce and text of what was sealed
    uint8_t text_size[2];
    unsigned char body[LAWS_EVENT_TEXT_MAX]; // text of the event
} RandomGame;

// Sets up a game of a random edition, pace, control and start.
void random_game_begin(RandomGame *random, uint64_t seed);
// The next event, and random->now_ms moved to its instant.
LawsEvent random_game_event(RandomGame *random);
// Applies it; what was accepted, and a flag fall found on the way, goes into the log.
LawsVerdict random_game_apply(RandomGame *random, const LawsEvent *event);
// A whole game; the log is complete.
void random_game_play(RandomGame *random, uint64_t seed);

#endif
