// SPDX-License-Identifier: GPL-3.0-or-later
//
// The articles of all editions as the program knows them: numbers, class, and what it does, in
// three languages. The rows are written by tools/laws_coverage.py from
// tests/data/laws/articles.tsv.
#ifndef CLI_ARBITRATE_ARTICLES_H
#define CLI_ARBITRATE_ARTICLES_H

#include <jadoube/laws.h>

typedef enum ArbArticle {
    ARB_ART_NONE = 0,
#define ARTICLE(key, ...) ARB_ART_##key,
#include "arbitrate_articles.inc"
#undef ARTICLE
    ARB_ARTICLE_COUNT
} ArbArticle;

typedef struct ArbArticleRow {
    const char *class_letters;               // of D, C, A, P: see --explain
    const char *numbers[LAWS_EDITION_COUNT]; // "" where the edition has no such article
    const char *requires_text;               // in our own words, English
    const char *titles[3];                   // by ArbLanguage
    const char *acts[3];                     // what the program does
    const char *symbols;                     // where it does it, separated by blanks
    const char *cases;                       // what tests it, separated by blanks
    bool is_kept;
} ArbArticleRow;

// article above ARB_ART_NONE and below ARB_ARTICLE_COUNT.
const ArbArticleRow *arb_article_row(ArbArticle article);
// In the numbering of that edition; "" for none.
const char *arb_article_number(ArbArticle article, LawsEdition edition);

#endif
