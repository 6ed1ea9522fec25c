// SPDX-License-Identifier: GPL-3.0-or-later
//
// Ratings of a chess club: expected scores, development coefficients, changes, classes, groups.
//
// Elo's method by the table that FIDE printed, game by game, in integers only: the same figures
// everywhere, and each one can be checked on paper. Nothing here allocates or keeps anything; every
// function is callable from any thread and costs a few comparisons.
#ifndef JADOUBE_RATING_H
#define JADOUBE_RATING_H

#include <jadoube/base.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- figures of the house -----------------------------------------------------------------------

#define RATING_DEFAULT 1500 // of who has played no rated game in the list
#define RATING_FLOOR 100    // no rating falls below it
#define RATING_NEW_GAMES 30 // with fewer rated games in the list a player is new
#define RATING_TOP 2400     // from here on changes are smallest
#define RATING_K_NEW 25
#define RATING_K_MID 15
#define RATING_K_TOP 10

// ---- lists --------------------------------------------------------------------------------------

// The four lists; engine-assisted games never touch the other three. Numbers stand in databases and
// are never reused.
typedef enum RatingList {
    RATING_CLASSIC = 0, // slow games, and live ones of an hour and more
    RATING_ADVANCE = 1, // slow games in which engines are allowed
    RATING_RAPID = 2,
    RATING_BLITZ = 3,
} RatingList;
#define RATING_LISTS 4

// "classic", "advance", "rapid", "blitz".
JD_API const char *rating_list_name(RatingList list);
// False, and *out untouched, when the word names no list.
JD_API JD_MUST_USE bool rating_list_parse(JdStr word, RatingList *out);

// ---- the change after a game --------------------------------------------------------------------

// A player as he stands in one list when the game ends.
typedef struct RatingPlayer {
    int32_t rating;
    uint32_t games; // rated games before this one
} RatingPlayer;

typedef struct RatingChange {
    int32_t before;
    int32_t after;
    int32_t k;        // development coefficient used
    int32_t expected; // hundredths of a point, 0 to 100
} RatingChange;

// What `own` may expect against `other`, in hundredths of a point: 50 between equals, 100 from a
// lead of 736 on. rating_expected(a, b) + rating_expected(b, a) is always 100.
JD_API int32_t rating_expected(int32_t own, int32_t other);

// 25 for a new player, else 10 from RATING_TOP on and 15 below; by the rating as it is now.
JD_API int32_t rating_k(RatingPlayer player);

// new = old + K x (score - expected), the change rounded half away from zero, the floor observed.
// half_points is the own score of the game: 0, 1 or 2.
JD_API RatingChange rating_after(RatingPlayer own, RatingPlayer other, int half_points);

// Fewer than RATING_NEW_GAMES games: shown with a question mark.
JD_API bool rating_is_provisional(uint32_t games);

// ---- the table of expected scores ---------------------------------------------------------------

typedef struct RatingRow {
    int32_t from;   // difference of the ratings, both ends included
    int32_t to;     // INT32_MAX in the last row
    int32_t higher; // hundredths the higher rated player expects
    int32_t lower;
} RatingRow;
#define RATING_ROWS 51
// Rows by rising difference; index is below RATING_ROWS.
JD_API RatingRow rating_row(int index);

// ---- classes and groups -------------------------------------------------------------------------

// 1 (2600 and over) to 9 (under 1200) in steps of 200. Orientation only: no title comes with it.
JD_API int rating_class(int32_t rating);
#define RATING_CLASSES 9
// The least rating of a class; 0 for the last one.
JD_API int32_t rating_class_from(int rating_class);

// 'C' under 1600, 'B' to 1899, 'A' from 1900 on.
JD_API char rating_group(int32_t rating);
// The ratings of a group, both ends included; false when there is no such group. The group A ends
// at INT32_MAX, the group C begins at 0.
JD_API JD_MUST_USE bool rating_group_range(char group, int32_t *from, int32_t *to);

#ifdef __cplusplus
}
#endif

#endif
