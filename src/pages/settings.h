// SPDX-License-Identifier: GPL-3.0-or-later
//
// How a person likes the board (site.md 2.12): preferences, and layouts of the game zone with a
// name. Reached through pages/pages.h.
#ifndef PAGES_SETTINGS_H
#define PAGES_SETTINGS_H

#include "pages/pages.h"

// ---- preferences --------------------------------------------------------------------------------

#define PAGES_PREF_SIZE 128 // bytes of a value with NUL

typedef enum PagesPrefKind {
    PAGES_PREF_SWITCH, // "true" or "false"
    PAGES_PREF_NUMBER, // min to max
    PAGES_PREF_WORD,   // one of words
    PAGES_PREF_COLOR,  // "#rrggbb"; anything else is bad_colour (S-271)
    PAGES_PREF_LAYOUT, // one of words, or "own:" and the name of a layout
} PagesPrefKind;

typedef struct PagesPrefSpec {
    const char *name;
    PagesPrefKind kind;
    int16_t min;
    int16_t max;
    const char *const *words; // NULL after the last
} PagesPrefSpec;

// One row for each preference there is, in the order of their names.
#define PAGES_PREF_COUNT 19
extern const PagesPrefSpec pages_pref_specs[PAGES_PREF_COUNT];

// What an account has set; the rest is the client's own. In the order of pages_pref_specs.
typedef struct PagesPrefs {
    char values[PAGES_PREF_COUNT][PAGES_PREF_SIZE]; // empty: not set
} PagesPrefs;

// A change names some of them; reset takes one back to the client's own.
typedef struct PagesPrefChange {
    size_t spec; // index into pages_pref_specs
    bool reset;
    JdStr value;
} PagesPrefChange;

JD_MUST_USE bool pages_prefs_read(PagesWorker *worker, int64_t account, PagesPrefs *out,
                                  PagesFault *fault);

// All changes or none. Refuses bad_request or bad_colour, with the preference as the field. *out is
// what the account has set then.
JD_MUST_USE bool pages_prefs_change(PagesWorker *worker, int64_t account,
                                    const PagesPrefChange *changes, size_t count, PagesPrefs *out,
                                    PagesFault *fault);

#endif
