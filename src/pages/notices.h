// SPDX-License-Identifier: GPL-3.0-or-later
//
// Letters, and notices by push, about games by days: it is your move, a day is left, six
// hours are left; or once a day at an hour of one's choice; and about invitations. Each at most
// once, whatever happens to the program: that a letter was queued and that it has been told are one
// transaction. Reached through pages/pages.h.
#ifndef PAGES_NOTICES_H
#define PAGES_NOTICES_H

#include "pages/pages.h"

typedef struct PagesNotices {
    bool moves;
    bool day;
    bool hours;
    bool invitations;   // challenges to me while I am away
    int8_t digest_hour; // UTC, 0 to 23: moves come in one letter at that hour; -1: at once
} PagesNotices;

JD_MUST_USE bool pages_notices(PagesWorker *worker, int64_t account, PagesNotices *out,
                               PagesFault *fault);
JD_MUST_USE bool pages_notices_set(PagesWorker *worker, int64_t account,
                                   const PagesNotices *notices, PagesFault *fault);
// The link in a letter: nothing more is told. link_bad: nobody's.
JD_MUST_USE bool pages_notices_off(PagesWorker *worker, JdStr token, PagesFault *fault);

// Queues what is due now, some of it; *more: there is more. "Your move" is told when the game has
// fallen asleep: then its player is away and has been for a while.
JD_MUST_USE bool pages_notices_tell(PagesWorker *worker, JdInstant now, bool *more,
                                    PagesFault *fault);

#endif
