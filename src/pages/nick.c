// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a nick may be (S-002), and the skeleton by which two nicks that look alike are one.
#include <string.h>

#include "pages/internal.h"

// ---- letters ------------------------------------------------------------------------------------

typedef enum Script { NO_LETTER, SEPARATOR, DIGIT, LATIN, CYRILLIC } Script;

// Latin-1 and Latin Extended-A (all of Europe) and the Romanian letters with a comma below;
// Cyrillic as used from Belgrade to Vladivostok. Letters that are two signs in one (ŀ, ŉ) or
// obsolete (ſ, ĸ) are left out.
static Script script_of(int32_t point) {
    if (point == '-' || point == '_')
        return SEPARATOR;
    if (point >= '0' && point <= '9')
        return DIGIT;
    if ((point >= 'a' && point <= 'z') || (point >= 'A' && point <= 'Z'))
        return LATIN;
    switch (point) {
    case 0xd7: // multiplication sign
    case 0xf7: // division sign
    case 0x138:
    case 0x13f:
    case 0x140:
    case 0x149:
    case 0x17f:
        return NO_LETTER;
    default:
        break;
    }
    if ((point >= 0xc0 && point <= 0x17f) || (point >= 0x218 && point <= 0x21b))
        return LATIN;
    if ((point >= 0x400 && point <= 0x45f) || point == 0x490 || point == 0x491)
        return CYRILLIC;
    return NO_LETTER;
}

// ---- skeletons ----------------------------------------------------------------------------------

// What a letter without case and marks is taken for: the Latin letter or the digit it looks like.
// No two digits become one, so that anna5 and anna6 can both play.
static const struct {
    int32_t point;
    const char *looks_like;
} look_alikes[] = {
    { '0', "o" },
    { '1', "l" },
    { '5', "s" },
    { '8', "b" },
    { 'i', "l" },
    { '_', "-" },
    // Latin letters that do not decompose
    { 0xe6, "ae" },
    { 0xf0, "d" },
    { 0xf8, "o" },
    { 0xfe, "p" },
    { 0x111, "d" },
    { 0x127, "h" },
    { 0x131, "l" },
    { 0x142, "l" },
    { 0x14b, "n" },
    { 0x153, "oe" },
    { 0x167, "t" },
    // Cyrillic, in the order of the alphabet, then the neighbours' letters
    { 0x430, "a" },
    { 0x431, "6" },
    { 0x432, "b" },
    { 0x433, "r" },
    { 0x435, "e" },
    { 0x437, "3" },
    { 0x438, "u" },
    { 0x43a, "k" },
    { 0x43c, "m" },
    { 0x43d, "h" },
    { 0x43e, "o" },
    { 0x43f, "n" },
    { 0x440, "p" },
    { 0x441, "c" },
    { 0x442, "t" },
    { 0x443, "y" },
    { 0x445, "x" },
    { 0x447, "4" },
    { 0x448, "w" },
    { 0x44c, "b" },
    { 0x455, "s" },
    { 0x456, "l" },
    { 0x458, "j" },
    { 0x45b, "h" },
    { 0x452, "h" },
    { 0x491, "r" },
};

static void add_look(JdOut *out, int32_t point) {
    for (size_t i = 0; i < JD_COUNT(look_alikes); i++) {
        if (look_alikes[i].point == point) {
            jd_out_cstr(out, look_alikes[i].looks_like);
            return;
        }
    }
    char bytes[4];
    jd_out_text(out, jd_str_n(bytes, jd_utf8_write((uint32_t)point, bytes)));
}

// Two letters that look like one, and runs of separators.
static size_t join_pairs(char *text, size_t size) {
    size_t to = 0;
    for (size_t from = 0; from < size; from++) {
        const char c = text[from];
        const char before = to > 0 ? text[to - 1] : '\0';
        if (before == 'r' && c == 'n')
            text[to - 1] = 'm';
        else if (before == 'v' && c == 'v')
            text[to - 1] = 'w';
        else if (!(before == '-' && c == '-'))
            text[to++] = c;
    }
    return to;
}

static bool skeleton_of(JdStr nick, char out[PAGES_SKELETON_SIZE]) {
    CodePoints folded;
    if (!text_folded(nick, &folded))
        return false;
    JdOut text = jd_out(out, PAGES_SKELETON_SIZE - 1);
    for (size_t i = 0; i < folded.count; i++)
        add_look(&text, folded.at[i]);
    if (!jd_out_fits(&text))
        return false;
    out[join_pairs(out, text.size)] = '\0';
    return true;
}

// ---- reserved names -----------------------------------------------------------------------------

static bool is_reserved_word(JdStr word) {
    while (word.size > 0 && word.data[word.size - 1] >= '0' && word.data[word.size - 1] <= '9')
        word.size--;
    char own[PAGES_SKELETON_SIZE];
    char reserved[PAGES_SKELETON_SIZE];
    if (word.size == 0 || !skeleton_of(word, own))
        return false;
    for (size_t i = 0; i < reserved_nick_count; i++)
        if (skeleton_of(jd_str(reserved_nicks[i]), reserved) && strcmp(own, reserved) == 0)
            return true;
    return false;
}

// The whole, and each part between separators: nobody is "club-admin", "Admin_2" or "ad-min".
static bool is_reserved(JdStr nick) {
    char joined[PAGES_NICK_SIZE];
    size_t size = 0;
    size_t start = 0;
    for (size_t i = 0; i <= nick.size; i++) {
        const char c = i < nick.size ? nick.data[i] : '-';
        if (c != '-' && c != '_') {
            joined[size++] = c;
            continue;
        }
        if (is_reserved_word(jd_str_part(nick, start, i - start)))
            return true;
        start = i + 1;
    }
    return is_reserved_word(jd_str_n(joined, size));
}

// ---- the rules ----------------------------------------------------------------------------------

static bool check_letters(const CodePoints *points, bool *mixed, JdErr *err) {
    bool seen[CYRILLIC + 1] = { false };
    for (size_t i = 0; i < points->count; i++) {
        const Script script = script_of(points->at[i]);
        if (script == NO_LETTER || (i == 0 && script < LATIN))
            return jd_fail_field(err, PAGES_NICK_CHARACTERS, "nick", i,
                                 i == 0 ? "character %d: expected a letter"
                                        : "character %d: expected a letter, a digit, - or _",
                                 (int)i + 1);
        seen[script] = true;
    }
    *mixed = seen[LATIN] && seen[CYRILLIC];
    return true;
}

// Trimmed and composed, with its length and letters checked.
static bool read_nick(JdStr nick, CodePoints *points, PagesNick *out, bool *mixed, JdErr *err) {
    if (!check_text(nick, "nick", 1024, err))
        return false;
    if (!text_nfc(jd_str_trim(nick), points) || points->count < PAGES_NICK_MIN ||
        points->count > PAGES_NICK_MAX)
        return jd_fail_field(err, PAGES_NICK_LENGTH, "nick", 0, "expected %d to %d characters",
                             PAGES_NICK_MIN, PAGES_NICK_MAX);
    *out = (PagesNick) { 0 };
    return check_letters(points, mixed, err) &&
           (text_write(points, out->text, sizeof out->text) ||
            jd_fail_field(err, PAGES_NICK_LENGTH, "nick", 0, "too long"));
}

bool pages_nick_check(JdStr nick, PagesNick *out, JdErr *err) {
    CodePoints points;
    PagesNick read;
    bool mixed = false;
    if (!read_nick(nick, &points, &read, &mixed, err))
        return false;
    if (mixed)
        return jd_fail_field(err, PAGES_NICK_MIXED_SCRIPT, "nick", 0,
                             "expected letters of one script, Latin or Cyrillic");
    if (is_reserved(jd_str(read.text)))
        return jd_fail_field(err, PAGES_NICK_RESERVED, "nick", 0, "this name belongs to an office");
    if (is_obscene(&points))
        return jd_fail_field(err, PAGES_NICK_OBSCENE, "nick", 0, "this name is not allowed");
    *out = read;
    return true;
}

bool pages_nick_skeleton(JdStr nick, char out[PAGES_SKELETON_SIZE]) {
    CodePoints points;
    PagesNick read;
    bool mixed = false; // a look-alike letter of the other script finds the nick all the same
    return read_nick(nick, &points, &read, &mixed, NULL) && skeleton_of(jd_str(read.text), out);
}
