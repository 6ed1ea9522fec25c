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
#define PAGES_PREF_COUNT 22
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

// ---- layouts of the game zone -------------------------------------------------------------------
//
// The zone is a grid of square cells: 48 x 27 in large windows ("wide"), 24 x 72 in small ones
// ("narrow"). A layout gives each block of S-278 a rectangle of cells; the board's is a square.

#define PAGES_LAYOUT_NAME_MAX 30   // code points (S-276)
#define PAGES_LAYOUT_NAME_SIZE 121 // bytes with NUL
#define PAGES_LAYOUTS_MAX 10       // of one account (S-276)

typedef enum PagesBlock {
    PAGES_BLOCK_BOARD,
    PAGES_BLOCK_TOP,    // the panel of the player above
    PAGES_BLOCK_BOTTOM, // and below
    PAGES_BLOCK_MOVES,
    PAGES_BLOCK_CAPTURED,
    PAGES_BLOCK_ACTIONS,
    PAGES_BLOCK_CHAT,
    PAGES_BLOCK_INFO,
    PAGES_BLOCK_NOTES,
    PAGES_BLOCK_COUNT
} PagesBlock;

const char *pages_block_name(PagesBlock block); // "board"

typedef enum PagesForm { PAGES_WIDE, PAGES_NARROW, PAGES_FORM_COUNT } PagesForm;

typedef struct PagesCells {
    int32_t x;
    int32_t y;
    int32_t width;
    int32_t height;
} PagesCells;

typedef struct PagesBlocks {
    bool present;
    PagesCells at[PAGES_BLOCK_COUNT];
} PagesBlocks;

typedef struct PagesLayout {
    char name[PAGES_LAYOUT_NAME_SIZE];
    int64_t saved_ms;
    PagesBlocks forms[PAGES_FORM_COUNT];
    PagesBlocks previous[PAGES_FORM_COUNT]; // what stood there before the last change
} PagesLayout;

typedef struct PagesLayouts {
    size_t count;
    PagesLayout list[PAGES_LAYOUTS_MAX]; // by name
} PagesLayouts;

// Whether every block lies in the zone, none over another, each large enough, the board a square
// of 240 pixels at least. bad_layout with the block as the field.
JD_MUST_USE bool pages_blocks_check(PagesForm form, const PagesBlocks *blocks, PagesFault *fault);

JD_MUST_USE bool pages_layouts(PagesWorker *worker, int64_t account, PagesLayouts *out,
                               PagesFault *fault);

typedef enum PagesLayoutAct {
    PAGES_LAYOUT_SAVE,    // blocks for form; what stood there becomes the previous
    PAGES_LAYOUT_NEW,     // the same, but name_taken when there is one of this name
    PAGES_LAYOUT_RENAME,  // to new_name
    PAGES_LAYOUT_RESTORE, // form and its previous change places
    PAGES_LAYOUT_DELETE,
} PagesLayoutAct;

typedef struct PagesLayoutChange {
    PagesLayoutAct act;
    JdStr name;
    PagesForm form;
    const PagesBlocks *blocks;
    JdStr new_name;
} PagesLayoutChange;

// One change; *out is what there is then. The preference "layout" follows a new name, and goes with
// what is deleted. Names differ in more than case. Refuses name_bad, name_taken, bad_layout,
// too_many_layouts, not_found.
JD_MUST_USE bool pages_layout_change(PagesWorker *worker, int64_t account,
                                     const PagesLayoutChange *change, JdInstant now,
                                     PagesLayouts *out, PagesFault *fault);

#endif
