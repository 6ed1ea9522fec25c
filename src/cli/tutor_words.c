// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/tutor_words.h"

#include <stdio.h>
#include <string.h>

#define PART_SIZE 256

typedef struct Places {
    char man[PART_SIZE], target[PART_SIZE], targets[PART_SIZE], front[PART_SIZE];
    char behind[PART_SIZE], square[4], kind[PART_SIZE], points[PART_SIZE], san[PART_SIZE], n[16];
} Places;

const char *cli_tutor_text(PlayLanguage language, const char *key) {
    for (size_t i = 0; i < tutor_texts_count; i++)
        if (strcmp(tutor_texts[i].key, key) == 0)
            return tutor_texts[i].text[language];
    return NULL;
}

// The plural form of a whole number (CLDR).
static const char *form_of(PlayLanguage language, int64_t n) {
    const int64_t ten = n % 10;
    const int64_t hundred = n % 100;
    switch (language) {
    case PLAY_RUSSIAN:
        if (ten == 1 && hundred != 11)
            return "one";
        return ten >= 2 && ten <= 4 && (hundred < 12 || hundred > 14) ? "few" : "many";
    case PLAY_ROMANIAN:
        if (n == 1)
            return "one";
        return n == 0 || (hundred >= 1 && hundred <= 19) ? "few" : "other";
    case PLAY_ENGLISH:
    case PLAY_LANGUAGE_COUNT:
        break;
    }
    return n == 1 ? "one" : "other";
}

// The message of a key, in the form for n where it has forms.
static const char *text_for(PlayLanguage language, const char *key, int64_t n) {
    char full[64];
    const char *text = cli_tutor_text(language, key);
    if (text != NULL)
        return text;
    (void)snprintf(full, sizeof full, "%s#%s", key, form_of(language, n));
    text = cli_tutor_text(language, full);
    return text != NULL ? text : "";
}

static const char *role_of(TutorMan man) {
    static const char *const roles[7] = { "", "pawn", "knight", "bishop", "rook", "queen", "king" };
    return roles[chess_piece_kind(man.piece)];
}

static void fill(const char *text, const char *place, const char *value, JdOut *out) {
    const size_t size = strlen(place);
    for (const char *at = text; *at != '\0'; at++) {
        if (*at == '{' && strncmp(at + 1, place, size) == 0 && at[size + 1] == '}') {
            jd_out_cstr(out, value);
            at += size + 1;
        } else {
            jd_out_char(out, *at);
        }
    }
}

static void end(JdOut *out) {
    out->data[out->size < out->capacity ? out->size : out->capacity] = '\0';
}

// "the knight on e5"; family "man" names it, "acc" is the object of a sentence.
static void man_text(PlayLanguage language, const char *family, TutorMan man, char out[PART_SIZE]) {
    char key[32];
    out[0] = '\0';
    if (man.piece == CHESS_NO_PIECE)
        return;
    const char square[3] = { (char)('a' + man.square % 8), (char)('1' + man.square / 8), '\0' };
    (void)snprintf(key, sizeof key, "tutor.%s.%s", family, role_of(man));
    JdOut text = jd_out(out, PART_SIZE - 1);
    fill(text_for(language, key, 0), "square", square, &text);
    end(&text);
}

static void all_targets(PlayLanguage language, const TutorFact *fact, char out[PART_SIZE]) {
    const char *between = text_for(language, "tutor.and", 0);
    JdOut text = jd_out(out, PART_SIZE - 1);
    const char *b = strstr(between, "{a}");
    for (int i = 0; i < fact->target_count; i++) {
        char one[PART_SIZE];
        man_text(language, "acc", fact->targets[i], one);
        if (i > 0 && i == fact->target_count - 1 && b != NULL)
            // What stands between the two places: " and ".
            jd_out_text(&text, jd_str_n(b + 3, strcspn(b + 3, "{")));
        else if (i > 0)
            jd_out_cstr(&text, ", ");
        jd_out_cstr(&text, one);
    }
    end(&text);
}

static void points_text(PlayLanguage language, int32_t number, char out[PART_SIZE]) {
    const int32_t points = ((number < 0 ? -number : number) + 50) / 100;
    char n[16];
    JdOut text = jd_out(out, PART_SIZE - 1);
    (void)snprintf(n, sizeof n, "%d", points);
    fill(text_for(language, "tutor.points", points), "n", n, &text);
    end(&text);
}

static void write_plainly(void *context, const ChessPosition *pos, ChessMove move, JdOut *out) {
    char san[CHESS_SAN_SIZE];
    (void)context;
    (void)chess_san_write(pos, move, san);
    jd_out_cstr(out, san);
}

static void find_places(PlayLanguage language, const TutorFact *fact, Places *places) {
    const bool is_object = fact->kind == TUTOR_DEVELOPS;
    char key[32];
    man_text(language, is_object ? "acc" : "man", fact->man, places->man);
    man_text(language, "acc", fact->targets[0], places->target);
    man_text(language, fact->kind == TUTOR_SKEWER ? "acc" : "man", fact->targets[0], places->front);
    man_text(language, "man", fact->targets[1], places->behind);
    all_targets(language, fact, places->targets);
    points_text(language, fact->number, places->points);
    (void)snprintf(places->n, sizeof places->n, "%d", fact->number);
    (void)snprintf(places->square, sizeof places->square, "%c%c", 'a' + fact->man.square % 8,
                   '1' + fact->man.square / 8);
    (void)snprintf(key, sizeof key, "tutor.into.%s", role_of(fact->man));
    if (fact->kind == TUTOR_PROMOTES)
        (void)snprintf(places->kind, sizeof places->kind, "%s", text_for(language, key, 0));
}

void cli_fact_say(PlayLanguage language, const ChessPosition *pos, ChessMove move,
                  const TutorFact *fact, CliMoveFn write, void *context, JdOut *out) {
    static const char *const names[] = { "man",    "target", "targets", "front", "behind",
                                         "square", "kind",   "points",  "san",   "n" };
    Places places = { 0 };
    ChessPosition there;
    char key[64];
    char text[2][1024];
    const bool at_once =
        (fact->kind == TUTOR_MATES || fact->kind == TUTOR_ALLOWS_MATE) && fact->number == 1;
    find_places(language, fact, &places);
    if (tutor_fact_position(pos, move, fact, &there)) {
        JdOut san = jd_out(places.san, sizeof places.san - 1);
        (write != NULL ? write : write_plainly)(context, &there, fact->move, &san);
        end(&san);
    }
    const char *const values[] = { places.man,    places.target, places.targets, places.front,
                                   places.behind, places.square, places.kind,    places.points,
                                   places.san,    places.n };
    const char *name = tutor_kind_name((TutorKind)fact->kind);
    if (at_once)
        name = fact->kind == TUTOR_MATES ? "mate_now" : "allows_mate_now";
    (void)snprintf(key, sizeof key, "tutor.%s", name);
    (void)snprintf(text[0], sizeof text[0], "%s", text_for(language, key, fact->number));
    for (size_t i = 0; i < JD_COUNT(names); i++) {
        JdOut next = jd_out(text[(i + 1) % 2], sizeof text[0] - 1);
        fill(text[i % 2], names[i], values[i], &next);
        end(&next);
    }
    jd_out_cstr(out, text[JD_COUNT(names) % 2]);
}
