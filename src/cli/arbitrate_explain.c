// SPDX-License-Identifier: GPL-3.0-or-later
//
// jadoube arbitrate --explain: what the program does for an article.
#include "cli/arbitrate_words.h"

#include <string.h>

// ---- finding the article ------------------------------------------------------------------------

// The numbers of a row, one after the other: "6.8d, 8.1".
static bool next_number(JdStr *rest, JdStr *out) {
    if (rest->size == 0)
        return false;
    *out = jd_str_trim(jd_str_cut(rest, ','));
    return true;
}

// Without "(3)" and without a last letter or ".3": the article the number is a part of.
static JdStr whole_of(JdStr number) {
    if (number.size > 2 && number.data[number.size - 1] == ')')
        return jd_str_part(number, 0, number.size - 3);
    if (number.size > 1 && number.data[number.size - 1] >= 'a' &&
        number.data[number.size - 1] <= 'z')
        return jd_str_part(number, 0, number.size - 1);
    size_t dots = 0;
    size_t last = number.size;
    for (size_t i = 0; i < number.size; i++)
        if (number.data[i] == '.') {
            dots++;
            last = i;
        }
    return dots > 1 ? jd_str_part(number, 0, last) : (JdStr) { 0 };
}

typedef enum Match { IS_IT, IS_PART, IS_WHOLE } Match;

// IS_IT: the row has the number; IS_PART: the row is a part of the number asked for; IS_WHOLE: the
// number asked for is a part of the row.
static bool matches(ArbArticle article, LawsEdition edition, JdStr wanted, Match match) {
    JdStr rest = jd_str(arb_article_number(article, edition));
    JdStr number;
    while (next_number(&rest, &number)) {
        if (match == IS_IT && jd_str_equal_nocase(number, wanted))
            return true;
        if (match == IS_PART)
            for (JdStr whole = whole_of(number); whole.size > 0; whole = whole_of(whole))
                if (jd_str_equal_nocase(whole, wanted))
                    return true;
        if (match == IS_WHOLE)
            for (JdStr whole = whole_of(wanted); whole.size > 0; whole = whole_of(whole))
                if (jd_str_equal_nocase(number, whole))
                    return true;
    }
    return false;
}

// ---- telling it ---------------------------------------------------------------------------------

static void say_line(JdOut *out, ArbLanguage language, ArbWord word, const char *text) {
    arb_say(out, language, word, &(ArbPlaces) { .s = text });
    jd_out_char(out, '\n');
}

static void join_editions(const ArbArticleRow *row, JdOut *out) {
    for (int edition = 1; edition < LAWS_EDITION_COUNT; edition++) {
        if (edition > 1)
            jd_out_cstr(out, ", ");
        jd_out_cstr(out, laws_edition_name((LawsEdition)edition) + 5);
        jd_out_cstr(out, ": ");
        jd_out_cstr(out, row->numbers[edition][0] != '\0' ? row->numbers[edition] : "–");
    }
    jd_out_char(out, '\0');
}

static void join_classes(const ArbArticleRow *row, ArbLanguage language, JdOut *out) {
    static const char letters[] = "DCAP";
    for (size_t i = 0; row->class_letters[i] != '\0'; i++) {
        if (i > 0)
            jd_out_cstr(out, "; ");
        const size_t at = (size_t)(strchr(letters, row->class_letters[i]) - letters);
        jd_out_char(out, row->class_letters[i]);
        jd_out_cstr(out, ": ");
        jd_out_cstr(out, arb_word((ArbWord)(ARB_WORD_CLASS_D + (int)at), language));
    }
    jd_out_char(out, '\0');
}

static void tell(const ArbArticleRow *row, const ArbOptions *options) {
    char memory[8192];
    char text[512];
    JdOut out = jd_out(memory, sizeof memory);
    JdOut part = jd_out(text, sizeof text);
    const char *number = row->numbers[options->edition];
    arb_say(&out, options->language, ARB_WORD_EXPLAIN_ARTICLE,
            &(ArbPlaces) { .a = number,
                           .s = laws_edition_name(options->edition),
                           .n = row->titles[options->language] });
    jd_out_char(&out, '\n');
    join_classes(row, options->language, &part);
    say_line(&out, options->language, ARB_WORD_EXPLAIN_CLASS, text);
    say_line(&out, options->language, ARB_WORD_EXPLAIN_REQUIRES, row->requires_text);
    say_line(&out, options->language, ARB_WORD_EXPLAIN_PROGRAM, row->acts[options->language]);
    if (!row->is_kept) {
        jd_out_cstr(&out, arb_word(ARB_WORD_EXPLAIN_NOT_KEPT, options->language));
        jd_out_char(&out, '\n');
    }
    part = jd_out(text, sizeof text);
    join_editions(row, &part);
    say_line(&out, options->language, ARB_WORD_EXPLAIN_EDITIONS, text);
    if (row->symbols[0] != '\0')
        say_line(&out, options->language, ARB_WORD_EXPLAIN_CODE, row->symbols);
    if (row->cases[0] != '\0')
        say_line(&out, options->language, ARB_WORD_EXPLAIN_CASES, row->cases);
    printf("%.*s\n", JD_PRINT(jd_out_str(&out)));
}

static void tell_json(const ArbArticleRow *row, const ArbOptions *options) {
    static const char *const languages[] = { "en", "ru", "ro" };
    char memory[8192];
    JdOut out = jd_out(memory, sizeof memory);
    jd_out_cstr(&out, "{\"edition\":");
    jd_out_json(&out, jd_str(laws_edition_name(options->edition)));
    jd_out_cstr(&out, ",\"number\":");
    jd_out_json(&out, jd_str(row->numbers[options->edition]));
    jd_out_cstr(&out, ",\"numbers\":{");
    for (int edition = 1; edition < LAWS_EDITION_COUNT; edition++) {
        if (edition > 1)
            jd_out_char(&out, ',');
        jd_out_json(&out, jd_str(laws_edition_name((LawsEdition)edition)));
        jd_out_char(&out, ':');
        jd_out_json(&out, jd_str(row->numbers[edition]));
    }
    jd_out_cstr(&out, "},\"class\":");
    jd_out_json(&out, jd_str(row->class_letters));
    jd_out_cstr(&out, ",\"requires\":");
    jd_out_json(&out, jd_str(row->requires_text));
    for (int i = 0; i < ARB_LANGUAGE_COUNT; i++) {
        jd_out_cstr(&out, i == 0 ? ",\"title\":{" : ",");
        jd_out_json(&out, jd_str(languages[i]));
        jd_out_char(&out, ':');
        jd_out_json(&out, jd_str(row->titles[i]));
    }
    for (int i = 0; i < ARB_LANGUAGE_COUNT; i++) {
        jd_out_cstr(&out, i == 0 ? "},\"program\":{" : ",");
        jd_out_json(&out, jd_str(languages[i]));
        jd_out_char(&out, ':');
        jd_out_json(&out, jd_str(row->acts[i]));
    }
    jd_out_cstr(&out, "},\"kept\":");
    jd_out_cstr(&out, row->is_kept ? "true" : "false");
    jd_out_cstr(&out, ",\"code\":");
    jd_out_json(&out, jd_str(row->symbols));
    jd_out_cstr(&out, ",\"cases\":");
    jd_out_json(&out, jd_str(row->cases));
    jd_out_cstr(&out, "}");
    puts(jd_out_fits(&out) ? (jd_out_char(&out, '\0'), memory) : "{}");
}

static int tell_all(const ArbOptions *options, JdStr wanted, Match match) {
    int count = 0;
    for (int article = ARB_ART_NONE + 1; article < ARB_ARTICLE_COUNT; article++) {
        if (!matches((ArbArticle)article, options->edition, wanted, match))
            continue;
        count++;
        if (options->json)
            tell_json(arb_article_row((ArbArticle)article), options);
        else
            tell(arb_article_row((ArbArticle)article), options);
    }
    return count;
}

int arb_explain(const char *number, const ArbOptions *options) {
    const JdStr wanted = jd_str_trim(jd_str(number));
    if (wanted.size > 0)
        for (int match = IS_IT; match <= IS_WHOLE; match++)
            if (tell_all(options, wanted, (Match)match) > 0)
                return ARB_EXIT_AGREES;
    fprintf(stderr,
            "jadoube arbitrate: %s has no Article \"%s\"; numbers look like 9.5b (until 2014) or "
            "9.5.3 (2023), "
            "A8, B4, C3 in the appendices of old, A.4, G.5, I.8, III.5 in the later ones\n",
            laws_edition_name(options->edition), number);
    return ARB_EXIT_BAD_INPUT;
}
