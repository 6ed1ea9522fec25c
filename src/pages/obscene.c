// SPDX-License-Identifier: GPL-3.0-or-later
//
// Finds words of nick_words.c in a nick (S-003) however they are spelt: in their own script, in
// transliteration, with digits or Latin letters that look like Cyrillic ones, with letters repeated
// or kept apart. Both the word and the nick are brought to one spelling by their sound, in Latin
// letters; capitals stand for sounds that have no letter of their own: C ч, S ш, Z ж, X ck.
#include <string.h>

#include "pages/internal.h"

#define SOUND_SIZE 256

typedef struct Sound {
    char text[SOUND_SIZE];
    size_t size;
    bool is_cyrillic; // Latin letters were taken for Cyrillic ones
} Sound;

static void add(Sound *sound, const char *text) {
    for (; *text != '\0' && sound->size < SOUND_SIZE - 1; text++)
        sound->text[sound->size++] = *text;
    sound->text[sound->size] = '\0';
}

// Lower-case Cyrillic а (U+0430) to я, without marks (й and ё have become и and е).
static const char *const cyrillic_sounds[32] = {
    "a", "b", "v", "g", "d", "e", "Z", "z", "i", "i", "k", "l", "m", "n", "o",  "p",
    "r", "s", "t", "u", "f", "h", "c", "C", "S", "S", "",  "i", "",  "e", "iu", "ia",
};

// Latin in passing: digraphs first, then letters that share a sound.
static const struct {
    const char *spelling;
    const char *sound;
} latin_sounds[] = {
    { "shch", "S" }, { "sch", "S" }, { "sh", "S" }, { "ch", "C" }, { "zh", "Z" },
    { "kh", "h" },   { "ck", "X" },  { "ph", "f" }, { "x", "h" },  { "w", "v" },
    { "q", "k" },    { "c", "k" },   { "y", "i" },  { "j", "i" },
};

static void latin_to_sound(const char *text, Sound *out) {
    *out = (Sound) { 0 };
    while (*text != '\0') {
        size_t i = 0;
        while (i < JD_COUNT(latin_sounds) &&
               strncmp(text, latin_sounds[i].spelling, strlen(latin_sounds[i].spelling)) != 0)
            i++;
        if (i < JD_COUNT(latin_sounds)) {
            add(out, latin_sounds[i].sound);
            text += strlen(latin_sounds[i].spelling);
        } else {
            const char letter[2] = { *text++, '\0' };
            add(out, letter);
        }
    }
}

// ---- ways to read a nick ------------------------------------------------------------------------

// How digits are read: as the letters they look like, in two ways, or passed over.
typedef enum Reading { READ_E_I, READ_Z_L, READ_LETTERS, READ_AS_CYRILLIC, READING_COUNT } Reading;

static const char *const digits_e_i[10] = { "o", "i", "z", "e", "a", "s", "b", "t", "b", "g" };
static const char *const digits_z_l[10] = { "o", "l", "z", "z", "C", "s", "b", "t", "b", "g" };
static const char *const digits_cyrillic[10] = { "o", "l", "z", "z", "C", "s", "b", "t", "v", "d" };

// Latin letters as the Cyrillic ones they look like, or else sound like: "xyu", "nu3da".
static const char *const seen_as_cyrillic[26] = {
    "a", "v", "s", "d", "e", "f", "d", "n", "i", "i", "k", "l", "m",
    "p", "o", "r", "k", "g", "s", "t", "i", "v", "S", "h", "u", "z",
};

static const char *digit_sound(Reading reading, int32_t digit) {
    switch (reading) {
    case READ_E_I:
        return digits_e_i[digit];
    case READ_Z_L:
        return digits_z_l[digit];
    case READ_AS_CYRILLIC:
        return digits_cyrillic[digit];
    case READ_LETTERS:
    case READING_COUNT:
        break;
    }
    return "";
}

static bool is_digit(int32_t point) {
    return point >= '0' && point <= '9';
}

static void read_nick(const CodePoints *folded, Reading reading, Sound *out) {
    Sound spelt = { 0 };
    for (size_t i = 0; i < folded->count; i++) {
        const int32_t point = folded->at[i];
        const bool latin = point >= 'a' && point <= 'z';
        char letter[2] = { (char)(latin ? point : '\0'), '\0' };
        if (is_digit(point))
            add(&spelt, digit_sound(reading, point - '0'));
        else if (point >= 0x430 && point <= 0x44f)
            add(&spelt, cyrillic_sounds[point - 0x430]);
        else if (point == 0x456) // Ukrainian i
            add(&spelt, "i");
        else if (latin && reading == READ_AS_CYRILLIC)
            add(&spelt, seen_as_cyrillic[point - 'a']);
        else
            add(&spelt, letter);
    }
    latin_to_sound(spelt.text, out);
}

// Runs of three and more of a letter become `left` of it.
static void shorten_runs(const Sound *from, size_t left, Sound *out) {
    *out = (Sound) { 0 };
    for (size_t i = 0; i < from->size;) {
        size_t end = i;
        while (end < from->size && from->text[end] == from->text[i])
            end++;
        const size_t run = end - i >= 3 ? left : end - i;
        const char letter[2] = { from->text[i], '\0' };
        for (size_t n = 0; n < run; n++)
            add(out, letter);
        i = end;
    }
}

static bool holds(const Sound *nick, const Sound *word, WordPlace place) {
    switch (place) {
    case WORD_ANYWHERE:
        return strstr(nick->text, word->text) != NULL;
    case WORD_START:
        return strncmp(nick->text, word->text, word->size) == 0;
    case WORD_WHOLE:
        return strcmp(nick->text, word->text) == 0;
    }
    return false;
}

// ---- all of it ----------------------------------------------------------------------------------

#define SOUNDS_MAX (4 * READING_COUNT)

typedef struct Sounds {
    Sound list[SOUNDS_MAX];
    size_t count;
} Sounds;

static void add_readings(const CodePoints *folded, Sounds *out) {
    for (int reading = 0; reading < READING_COUNT; reading++) {
        Sound sound;
        read_nick(folded, (Reading)reading, &sound);
        for (size_t left = 1; left <= 2; left++) {
            Sound *shortened = &out->list[out->count++];
            shorten_runs(&sound, left, shortened);
            shortened->is_cyrillic = reading == READ_AS_CYRILLIC;
        }
    }
}

// Letters only: innocent words are known by their own script, not by their sound.
static size_t letters_of(const CodePoints *folded, size_t at[CODE_POINTS_MAX]) {
    size_t count = 0;
    for (size_t i = 0; i < folded->count; i++)
        if (folded->at[i] >= 'a')
            at[count++] = i;
    return count;
}

// Takes an innocent word out of the nick, so that what it holds is not seen.
static void take_out(CodePoints *folded, const ObsceneWord *innocent) {
    CodePoints word;
    size_t at[CODE_POINTS_MAX];
    const size_t letters = letters_of(folded, at);
    if (!text_folded(jd_str(innocent->text), &word) || word.count > letters)
        return;
    for (size_t start = 0; start + word.count <= letters; start++) {
        size_t same = 0;
        while (same < word.count && folded->at[at[start + same]] == word.at[same])
            same++;
        const bool in_place =
            innocent->place == WORD_ANYWHERE ||
            (start == 0 && (innocent->place == WORD_START || word.count == letters));
        if (same < word.count || !in_place)
            continue;
        for (size_t i = 0; i < word.count; i++)
            folded->at[at[start + i]] = '-';
        return;
    }
}

// A number that stands apart at the end is a number: "Crash-17" spells nothing with it.
static void take_number_off(CodePoints *folded) {
    size_t end = folded->count;
    while (end > 0 && is_digit(folded->at[end - 1]))
        end--;
    if (end > 0 && end < folded->count && folded->at[end - 1] < 'a')
        folded->count = end;
}

// Every way to read the nick; false when it cannot be read at all.
static bool read_sounds(const CodePoints *nick, Sounds *sounds) {
    char text[PAGES_NICK_SIZE * 2];
    CodePoints folded;
    sounds->count = 0;
    if (!text_write(nick, text, sizeof text) || !text_folded(jd_str(text), &folded))
        return false;
    for (size_t i = 0; i < innocent_word_count; i++)
        take_out(&folded, &innocent_words[i]);
    take_number_off(&folded);
    add_readings(&folded, sounds);
    while (folded.count > 0 && folded.at[folded.count - 1] < 'a')
        folded.count--; // a number at the end is most often a number
    add_readings(&folded, sounds);
    return true;
}

static bool holds_word(const Sounds *sounds, const char *text, WordPlace place) {
    CodePoints folded;
    Sound word;
    if (!text_folded(jd_str(text), &folded))
        return false;
    read_nick(&folded, READ_LETTERS, &word);
    // A word in Latin letters is not looked for where they are taken for others: "Witness".
    const bool is_latin = folded.count > 0 && folded.at[0] <= 'z';
    for (size_t n = 0; n < sounds->count; n++)
        if (!(is_latin && sounds->list[n].is_cyrillic) && holds(&sounds->list[n], &word, place))
            return true;
    return false;
}

bool is_word_in(const CodePoints *nick, const char *word) {
    Sounds sounds;
    return !read_sounds(nick, &sounds) || holds_word(&sounds, word, WORD_ANYWHERE);
}

bool is_obscene(const CodePoints *nick) {
    Sounds sounds;
    if (!read_sounds(nick, &sounds))
        return true; // nothing that cannot be read gets through
    for (size_t i = 0; i < obscene_word_count; i++)
        if (holds_word(&sounds, obscene_words[i].text, obscene_words[i].place))
            return true;
    return false;
}
