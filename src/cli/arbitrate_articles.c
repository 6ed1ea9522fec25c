// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/arbitrate_articles.h"

static const ArbArticleRow rows[ARB_ARTICLE_COUNT] = {
#define ARTICLE(key, letters, kept, n1997, n2005, n2009, n2014, n2023, asks, title_en, title_ru,   \
                title_ro, does_en, does_ru, does_ro, code, tests)                                  \
    [ARB_ART_##key] = {                                                                            \
        .class_letters = (letters),                                                                \
        .numbers = { "", (n1997), (n2005), (n2009), (n2014), (n2023) },                            \
        .requires_text = (asks),                                                                   \
        .titles = { (title_en), (title_ru), (title_ro) },                                          \
        .acts = { (does_en), (does_ru), (does_ro) },                                               \
        .symbols = (code),                                                                         \
        .cases = (tests),                                                                          \
        .is_kept = (kept),                                                                         \
    },
#include "arbitrate_articles.inc"
#undef ARTICLE
};

const ArbArticleRow *arb_article_row(ArbArticle article) {
    return &rows[article];
}

const char *arb_article_number(ArbArticle article, LawsEdition edition) {
    return article == ARB_ART_NONE ? "" : rows[article].numbers[edition];
}
