// SPDX-License-Identifier: GPL-3.0-or-later
//
// Preferences: the table of what there is, and what an account has set of it.
#include <string.h>

#include "pages/internal.h"

static const char *const boards[] = { "club", "wood", "sea", "slate", "print", NULL };
static const char *const piece_sets[] = {
    "cburnett", "merida", "celtic", "fantasy", "spatial", NULL
};
static const char *const notations[] = { "letters", "english", "figurine", "long", "words", NULL };
static const char *const themes[] = { "system", "light", "dark", NULL };
static const char *const layouts[] = { "standard", "mirrored", "middle", "large", NULL };

#define OWN_LAYOUT JD_STR("own:")

#define SWITCH(name_)                                                                              \
    { .name = (name_), .kind = PAGES_PREF_SWITCH }
#define COLOR(name_)                                                                               \
    { .name = (name_), .kind = PAGES_PREF_COLOR }
#define WORD(name_, words_)                                                                        \
    { .name = (name_), .kind = PAGES_PREF_WORD, .words = (words_) }

const PagesPrefSpec pages_pref_specs[PAGES_PREF_COUNT] = {
    SWITCH("always_queen"),
    SWITCH("animation"),
    WORD("board", boards),
    COLOR("color_check"),
    COLOR("color_coordinates"),
    COLOR("color_dark"),
    COLOR("color_last"),
    COLOR("color_light"),
    COLOR("color_selected"),
    SWITCH("confirm_live"),
    SWITCH("coordinates"),
    SWITCH("declines"),
    SWITCH("dots"),
    { .name = "layout", .kind = PAGES_PREF_LAYOUT, .words = layouts },
    WORD("notation", notations),
    SWITCH("online_hidden"),
    WORD("pieces", piece_sets),
    SWITCH("premove"),
    SWITCH("sound"),
    SWITCH("speak_clock"),
    WORD("theme", themes),
    { .name = "volume", .kind = PAGES_PREF_NUMBER, .min = 0, .max = 100 },
};

// ---- judging a value ----------------------------------------------------------------------------

static bool is_word(const char *const *words, JdStr value) {
    for (; *words != NULL; words++)
        if (jd_str_equal(jd_str(*words), value))
            return true;
    return false;
}

static bool is_color(JdStr value) {
    if (value.size != 7 || value.data[0] != '#')
        return false;
    for (size_t i = 1; i < value.size; i++) {
        const char c = value.data[i];
        if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f')))
            return false;
    }
    return true;
}

static bool list_words(const PagesPrefSpec *spec, PagesFault *fault) {
    char text[JD_ERR_TEXT_SIZE];
    JdOut out = jd_out(text, sizeof text - 1);
    for (const char *const *word = spec->words; *word != NULL; word++) {
        jd_out_cstr(&out, word == spec->words ? "" : ", ");
        jd_out_cstr(&out, *word);
    }
    return refuse(fault, PAGES_BAD_REQUEST, spec->name, "expected one of %.*s",
                  JD_PRINT(jd_out_str(&out)));
}

static bool check_value(const PagesPrefSpec *spec, JdStr value, PagesFault *fault) {
    switch (spec->kind) {
    case PAGES_PREF_SWITCH:
        return jd_str_equal(value, JD_STR("true")) || jd_str_equal(value, JD_STR("false")) ||
               refuse(fault, PAGES_BAD_REQUEST, spec->name, "expected true or false");
    case PAGES_PREF_NUMBER: {
        uint64_t number = 0;
        return (jd_parse_u64(value, (uint64_t)spec->max, &number) &&
                number >= (uint64_t)spec->min) ||
               refuse(fault, PAGES_BAD_REQUEST, spec->name, "expected a number from %d to %d",
                      spec->min, spec->max);
    }
    case PAGES_PREF_WORD:
        return is_word(spec->words, value) || list_words(spec, fault);
    case PAGES_PREF_COLOR:
        return is_color(value) || refuse(fault, PAGES_BAD_COLOUR, spec->name,
                                         "expected a colour as #rrggbb in small letters");
    case PAGES_PREF_LAYOUT: {
        JdErr err = { 0 };
        if (!jd_str_starts_with(value, OWN_LAYOUT))
            return is_word(spec->words, value) || list_words(spec, fault);
        return (value.size > OWN_LAYOUT.size && value.size < PAGES_PREF_SIZE &&
                check_text(value, spec->name, PAGES_PREF_SIZE, &err)) ||
               refuse(fault, PAGES_BAD_REQUEST, spec->name, "expected own: and a layout's name");
    }
    }
    return false;
}

// ---- reading and writing ------------------------------------------------------------------------

static bool read_all(StoreDb *db, int64_t account, PagesPrefs *out, JdErr *err) {
    memset(out, 0, sizeof *out);
    StoreStmt *find = store_query(db, STORE_PREFS_ALL);
    store_bind_int(find, 1, account);
    StoreStep step;
    while ((step = store_step(find, err)) == STORE_STEP_ROW) {
        const JdStr name = store_column_text(find, 0);
        const JdStr value = store_column_text(find, 1);
        // One that this program does not know any more is passed over.
        for (size_t i = 0; i < PAGES_PREF_COUNT; i++)
            if (jd_str_equal(jd_str(pages_pref_specs[i].name), name) &&
                check_value(&pages_pref_specs[i], value, NULL))
                memcpy(out->values[i], value.data, value.size);
    }
    store_done(find);
    return step == STORE_STEP_DONE;
}

bool pages_prefs_read(PagesWorker *worker, int64_t account, PagesPrefs *out, PagesFault *fault) {
    JdErr err = { 0 };
    return read_all(worker->db, account, out, &err) || refuse_store(fault, &err);
}

typedef struct PrefsJob {
    int64_t account;
    const PagesPrefChange *changes;
    size_t count;
    PagesPrefs *out;
} PrefsJob;

static bool prefs_job(StoreDb *db, void *arg, JdErr *err) {
    PrefsJob *job = arg;
    for (size_t i = 0; i < job->count; i++) {
        const PagesPrefChange *change = &job->changes[i];
        StoreStmt *put = store_query(db, change->reset ? STORE_PREF_DELETE : STORE_PREF_PUT);
        store_bind_int(put, 1, job->account);
        store_bind_text(put, 2, jd_str(pages_pref_specs[change->spec].name));
        if (!change->reset)
            store_bind_text(put, 3, change->value);
        if (!store_run(put, NULL, err))
            return false;
    }
    return read_all(db, job->account, job->out, err);
}

bool pages_prefs_change(PagesWorker *worker, int64_t account, const PagesPrefChange *changes,
                        size_t count, PagesPrefs *out, PagesFault *fault) {
    for (size_t i = 0; i < count; i++)
        if (!changes[i].reset &&
            !check_value(&pages_pref_specs[changes[i].spec], changes[i].value, fault))
            return false;
    PrefsJob job = { .account = account, .changes = changes, .count = count, .out = out };
    JdErr err = { 0 };
    return store_write(worker->pages->config.store, prefs_job, &job, &err) ||
           refuse_store(fault, &err);
}

bool prefs_layout_renamed(StoreDb *db, int64_t account, const char *from, const char *to,
                          JdErr *err) {
    PagesPrefs prefs;
    char value[PAGES_PREF_SIZE];
    size_t spec = 0;
    while (pages_pref_specs[spec].kind != PAGES_PREF_LAYOUT)
        spec++;
    if (!read_all(db, account, &prefs, err))
        return false;
    jd_format(value, sizeof value, "own:%s", from);
    if (strcmp(prefs.values[spec], value) != 0)
        return true;
    if (to != NULL)
        jd_format(value, sizeof value, "own:%s", to);
    const PagesPrefChange change = { .spec = spec, .reset = to == NULL, .value = jd_str(value) };
    PrefsJob job = { .account = account, .changes = &change, .count = 1, .out = &prefs };
    return prefs_job(db, &job, err);
}

bool settings_erase(StoreDb *db, int64_t account, JdErr *err) {
    static const StoreQuery all[] = { STORE_PREFS_CLEAR, STORE_LAYOUTS_CLEAR };
    for (size_t i = 0; i < JD_COUNT(all); i++) {
        StoreStmt *clear = store_query(db, all[i]);
        store_bind_int(clear, 1, account);
        if (!store_run(clear, NULL, err))
            return false;
    }
    return true;
}
