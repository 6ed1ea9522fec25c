// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the tests of pages share: a house (store, pages, one worker) in a directory of its own with
// cheap password hashes, short ways to call services, and tables in files.
#ifndef TESTS_PAGES_SUPPORT_H
#define TESTS_PAGES_SUPPORT_H

#include "../check.h"
#include "pages/pages.h"

#define NOON ((JdInstant) { INT64_C(1760000000000) })
#define SECOND INT64_C(1000)
#define MINUTE (60 * SECOND)
#define HOUR (60 * MINUTE)
#define DAY (24 * HOUR)

typedef struct House {
    char dir[64];
    Store *store;
    Pages *pages;
    PagesWorker *worker;
    JdInstant now;
} House;
House *house_open(const PagesConfig *more); // NULL: cheap hashes, 10,000 registrations an hour
void house_close(House *house);             // and away with it
void house_reopen(House *house, const PagesConfig *more); // another process on the same data

PagesAddress address(const char *text);

// Each returns PAGES_OK or why not; out may be NULL.
PagesCode register_as(House *house, const char *nick, const char *password, PagesSession *out);
PagesCode register_mail(House *house, const char *nick, const char *email, const char *password,
                        PagesSession *out);
PagesCode login_as(House *house, const char *login, const char *password, PagesSession *out);
PagesCode login_from(House *house, const char *login, const char *password, const char *from,
                     PagesSession *out, uint32_t *retry_after_s);
// The nick behind a token, or "" for a guest. The text lives until the next call.
const char *nick_of(House *house, const char *token);
void assert_code(PagesCode got, const char *expected, const char *what);

// A table of tests/data/pages: lines in words separated by blanks, \xNN decoded, # begins a comment
// line. Calls back for each with count words.
typedef void (*RowFn)(void *context, int line, JdStr *words);
void each_row(const char *file, size_t count, RowFn row, void *context);

#endif
