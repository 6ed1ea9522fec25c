// SPDX-License-Identifier: GPL-3.0-or-later
//
// Who sits where: people with a few connections each, games between neighbours, watchers, guests
// against the computer, and those who only follow the lobby.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "play.h"

#define CONNECTIONS_EACH 4  // of a person; the server allows five
#define SEATS_EACH 4        // of a connection: its messages stay within the rate
#define WATCHED_EACH 10     // games of a watcher's connection
#define LOBBY_CONNECTIONS 5 // of a soak: they follow the lobby and make and cancel challenges
#define SLOW_CONNECTIONS 5  // of a soak: they follow and do not read

static void sit(Play *play, int connection, int game, Role role) {
    Player *player = &play->players[connection];
    Place *place = &player->places[player->place_count++];
    *place = (Place) {
        .next = play->games[game].places, .connection = connection, .game = game, .role = role
    };
    play->games[game].places = place;
    if (role != ROLE_WATCHER)
        play->games[game].seats[role] = connection;
}

// Neighbouring connections belong to different people, so a game never has one of them twice.
static bool seat_everybody(Play *play, char (*cookies)[COOKIE_SIZE], int people) {
    for (int i = 0; i < play->connection_count; i++)
        play->players[i].wire.index = i;
    for (int i = 0; i < play->player_count; i++)
        play->players[i].wire.cookie = cookies[i % people];
    for (int seat = 0; seat < 2 * play->game_count; seat++)
        sit(play, seat % play->player_count, seat / 2, (Role)(seat % 2));
    int watched = 0;
    for (int i = 0; i < play->watcher_count; i++)
        for (int k = 0; k < WATCHED_EACH && k < play->game_count; k++)
            sit(play, play->player_count + i, watched++ % play->game_count, ROLE_WATCHER);
    for (int i = 0; i < play->computer_count; i++) {
        const int connection = play->player_count + play->watcher_count + i;
        play->players[connection].wire.cookie = cookies[people + i];
        sit(play, connection, play->game_count + i, ROLE_WHITE);
        play->games[play->game_count + i].seats[1] = -1;
    }
    const int lobby = play->player_count + play->watcher_count + play->computer_count;
    for (int i = 0; i < play->lobby_count; i++)
        play->players[lobby + i].wire.cookie = cookies[people + play->computer_count];
    for (int i = 0; i < play->slow_count; i++) {
        const int connection = lobby + play->lobby_count + i;
        play->players[connection].slow = true;
        for (int k = 0; k < WATCHED_EACH && k < play->game_count; k++)
            sit(play, connection, k, ROLE_WATCHER);
    }
    return true;
}

bool seats_prepare(Play *play, const Options *options) {
    int people = options->people;
    if (people == 0)
        people = (2 * options->games + CONNECTIONS_EACH * SEATS_EACH - 1) /
                 (CONNECTIONS_EACH * SEATS_EACH);
    if (people < 2 && options->games > 0)
        people = 2;
    play->player_count = people * CONNECTIONS_EACH;
    if (play->player_count > 2 * options->games)
        play->player_count = 2 * options->games;
    if (options->games > 0 &&
        (2 * options->games + play->player_count - 1) / play->player_count > PLACES_MAX) {
        fprintf(stderr, "jadoube-load: %d people are too few for %d games\n", people,
                options->games);
        return false;
    }
    play->watcher_count = options->games > 0 ? options->watchers : 0;
    play->computer_count = options->computers;
    if (options->soak > 0 && options->games > 0) {
        play->lobby_count = options->games < LOBBY_CONNECTIONS ? options->games : LOBBY_CONNECTIONS;
        play->slow_count = SLOW_CONNECTIONS;
        play->soak = calloc(1, sizeof(*play->soak));
    }
    play->connection_count = play->player_count + play->watcher_count + play->computer_count +
                             play->lobby_count + play->slow_count;
    play->game_count = options->games;
    play->all_games = options->games + options->computers;
    play->players = calloc((size_t)play->connection_count, sizeof(*play->players));
    play->games = calloc((size_t)play->all_games, sizeof(*play->games));
    play->heap = calloc((size_t)play->all_games, sizeof(*play->heap));
    // The last one is whose the lobby's connections are: an account has five and no more.
    char(*cookies)[COOKIE_SIZE] =
        calloc((size_t)(people + options->computers) + 1, sizeof(*cookies));
    char(*ids)[16] = calloc((size_t)options->computers + 1, sizeof(*ids));
    bool ok = play->players != NULL && play->games != NULL && play->heap != NULL &&
              cookies != NULL && ids != NULL;
    for (int i = 0; ok && i < play->all_games; i++)
        play->games[i].heap_place = -1;
    ok = ok && people_register(options, people, cookies) &&
         people_begin_computers(options, options->computers, cookies + people, ids) &&
         (play->lobby_count == 0 ||
          people_register(options, 1, cookies + people + options->computers)) &&
         seat_everybody(play, cookies, people);
    for (int i = 0; ok && i < options->computers; i++)
        memcpy(play->games[options->games + i].id, ids[i], sizeof(ids[i]));
    free(ids);
    return ok;
}
