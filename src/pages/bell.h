// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a player is told on the site itself: the list behind the bell. Invitations come into it with
// the log (STORE_BELL_ROW), friendships with themselves. Reached through pages/pages.h.
#ifndef PAGES_BELL_H
#define PAGES_BELL_H

#include "pages/pages.h"

#define PAGES_BELL_SHOWN 30

typedef struct PagesBellRow {
    char kind[16];              // "challenge", "rematch", "friend_asks", "friend"
    char nick[PAGES_NICK_SIZE]; // empty: former player
    char ref[16];               // the challenge, or the game a rematch is asked for; empty: neither
    int64_t at_ms;
} PagesBellRow;

typedef struct PagesBell {
    size_t count;
    int64_t seen_ms;                     // looked at up to here
    PagesBellRow list[PAGES_BELL_SHOWN]; // newest first
} PagesBell;

JD_MUST_USE bool pages_bell(PagesWorker *worker, int64_t account, PagesBell *out,
                            PagesFault *fault);
JD_MUST_USE bool pages_bell_seen(PagesWorker *worker, int64_t account, int64_t at_ms,
                                 PagesFault *fault);

#endif
