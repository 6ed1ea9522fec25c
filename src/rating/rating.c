// SPDX-License-Identifier: GPL-3.0-or-later
//
// Elo's method by the printed table, in integers.
#include <jadoube/rating.h>

// The greatest difference at which the higher rated player still expects 50, 51, ... 99 hundredths;
// above the last one he expects 100.
static const int16_t reach[RATING_ROWS - 1] = {
    3,   10,  17,  25,  32,  39,  46,  53,  61,  68,  // 50 to 59
    76,  83,  91,  98,  106, 113, 121, 129, 137, 145, // 60 to 69
    153, 162, 170, 179, 188, 197, 206, 215, 225, 235, // 70 to 79
    245, 256, 267, 278, 290, 302, 315, 328, 344, 357, // 80 to 89
    374, 391, 411, 432, 456, 484, 517, 559, 619, 735, // 90 to 99
};

static const char *const list_names[RATING_LISTS] = {
    [RATING_CLASSIC] = "classic",
    [RATING_ADVANCE] = "advance",
    [RATING_RAPID] = "rapid",
    [RATING_BLITZ] = "blitz",
};

const char *rating_list_name(RatingList list) {
    JD_ASSERT((unsigned)list < RATING_LISTS);
    return list_names[list];
}

bool rating_list_parse(JdStr word, RatingList *out) {
    for (int list = 0; list < RATING_LISTS; list++) {
        if (!jd_str_equal(word, jd_str(list_names[list])))
            continue;
        *out = (RatingList)list;
        return true;
    }
    return false;
}

int32_t rating_expected(int32_t own, int32_t other) {
    const int64_t lead = (int64_t)own - other;
    const int64_t difference = lead < 0 ? -lead : lead;
    int row = 0;
    while (row < RATING_ROWS - 1 && difference > reach[row])
        row++;
    return lead < 0 ? 50 - row : 50 + row;
}

bool rating_is_provisional(uint32_t games) {
    return games < RATING_NEW_GAMES;
}

int32_t rating_k(RatingPlayer player) {
    if (rating_is_provisional(player.games))
        return RATING_K_NEW;
    return player.rating >= RATING_TOP ? RATING_K_TOP : RATING_K_MID;
}

static int32_t divide_rounded(int32_t value, int32_t by) { // half away from zero
    return value < 0 ? -((-value + by / 2) / by) : (value + by / 2) / by;
}

RatingChange rating_after(RatingPlayer own, RatingPlayer other, int half_points) {
    JD_ASSERT(half_points >= 0 && half_points <= 2);
    RatingChange change = {
        .before = own.rating,
        .k = rating_k(own),
        .expected = rating_expected(own.rating, other.rating),
    };
    const int32_t gain = divide_rounded(change.k * (50 * half_points - change.expected), 100);
    change.after = own.rating + gain < RATING_FLOOR ? RATING_FLOOR : own.rating + gain;
    return change;
}

RatingRow rating_row(int index) {
    JD_ASSERT(index >= 0 && index < RATING_ROWS);
    return (RatingRow) {
        .from = index == 0 ? 0 : reach[index - 1] + 1,
        .to = index == RATING_ROWS - 1 ? INT32_MAX : reach[index],
        .higher = 50 + index,
        .lower = 50 - index,
    };
}

int32_t rating_class_from(int rating_class) {
    JD_ASSERT(rating_class >= 1 && rating_class <= RATING_CLASSES);
    return rating_class == RATING_CLASSES ? 0 : 2600 - 200 * (rating_class - 1);
}

int rating_class(int32_t rating) {
    int at = 1;
    while (at < RATING_CLASSES && rating < rating_class_from(at))
        at++;
    return at;
}

static const struct {
    char group;
    int32_t from;
    int32_t to;
} groups[] = { { 'A', 1900, INT32_MAX }, { 'B', 1600, 1899 }, { 'C', 0, 1599 } };

char rating_group(int32_t rating) {
    size_t at = 0;
    while (at + 1 < JD_COUNT(groups) && rating < groups[at].from)
        at++;
    return groups[at].group;
}

bool rating_group_range(char group, int32_t *from, int32_t *to) {
    for (size_t i = 0; i < JD_COUNT(groups); i++) {
        if (groups[i].group != group)
            continue;
        *from = groups[i].from;
        *to = groups[i].to;
        return true;
    }
    return false;
}
