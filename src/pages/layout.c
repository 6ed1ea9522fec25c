// SPDX-License-Identifier: GPL-3.0-or-later
//
// Layouts of the game zone: which places are allowed, and what an account has saved.
#include <string.h>

#include "pages/internal.h"

// ---- geometry -----------------------------------------------------------------------------------

// Cells have 16 pixels at least in large windows and 13.3 in small ones (320 pixels / 24), so the
// board keeps its 240.
static const struct {
    int32_t width;
    int32_t height;
    int32_t board;
} zones[PAGES_FORM_COUNT] = { [PAGES_WIDE] = { 48, 27, 15 }, [PAGES_NARROW] = { 24, 72, 18 } };

static const struct {
    const char *name;
    struct {
        int32_t width;
        int32_t height;
    } least[PAGES_FORM_COUNT];
} blocks_known[PAGES_BLOCK_COUNT] = {
    [PAGES_BLOCK_BOARD] = { "board", { { 15, 15 }, { 18, 18 } } },
    [PAGES_BLOCK_TOP] = { "top", { { 10, 2 }, { 12, 3 } } },
    [PAGES_BLOCK_BOTTOM] = { "bottom", { { 10, 2 }, { 12, 3 } } },
    [PAGES_BLOCK_MOVES] = { "moves", { { 8, 5 }, { 12, 6 } } },
    [PAGES_BLOCK_CAPTURED] = { "captured", { { 8, 2 }, { 12, 2 } } },
    [PAGES_BLOCK_ACTIONS] = { "actions", { { 12, 2 }, { 18, 4 } } },
    [PAGES_BLOCK_CHAT] = { "chat", { { 8, 4 }, { 12, 6 } } },
    [PAGES_BLOCK_INFO] = { "info", { { 8, 2 }, { 12, 3 } } },
    [PAGES_BLOCK_NOTES] = { "notes", { { 8, 2 }, { 12, 3 } } },
};

const char *pages_block_name(PagesBlock block) {
    return blocks_known[block].name;
}

static bool overlap(const PagesCells *a, const PagesCells *b) {
    return a->x < b->x + b->width && b->x < a->x + a->width && a->y < b->y + b->height &&
           b->y < a->y + a->height;
}

bool pages_blocks_check(PagesForm form, const PagesBlocks *blocks, PagesFault *fault) {
    for (size_t i = 0; i < PAGES_BLOCK_COUNT; i++) {
        const PagesCells *at = &blocks->at[i];
        const char *name = blocks_known[i].name;
        if (at->x < 0 || at->y < 0 || at->width < 1 || at->height < 1 ||
            at->width > zones[form].width || at->height > zones[form].height ||
            at->x > zones[form].width - at->width || at->y > zones[form].height - at->height)
            return refuse(fault, PAGES_BAD_LAYOUT, name, "outside the zone of %d x %d cells",
                          (int)zones[form].width, (int)zones[form].height);
        if (at->width < blocks_known[i].least[form].width ||
            at->height < blocks_known[i].least[form].height)
            return refuse(fault, PAGES_BAD_LAYOUT, name, "smaller than %d x %d cells",
                          (int)blocks_known[i].least[form].width,
                          (int)blocks_known[i].least[form].height);
        for (size_t j = 0; j < i; j++)
            if (overlap(at, &blocks->at[j]))
                return refuse(fault, PAGES_BAD_LAYOUT, name, "lies over \"%s\"",
                              blocks_known[j].name);
    }
    const PagesCells *board = &blocks->at[PAGES_BLOCK_BOARD];
    return board->width == board->height ||
           refuse(fault, PAGES_BAD_LAYOUT, "board", "%d x %d is no square", (int)board->width,
                  (int)board->height);
}

// ---- as text: four numbers for each block, in their order ---------------------------------------

#define BLOCKS_TEXT_SIZE (PAGES_BLOCK_COUNT * 4 * 4)

static size_t write_blocks(const PagesBlocks *blocks, char out[BLOCKS_TEXT_SIZE]) {
    JdOut text = jd_out(out, BLOCKS_TEXT_SIZE);
    for (size_t i = 0; i < PAGES_BLOCK_COUNT; i++) {
        const PagesCells *at = &blocks->at[i];
        const int32_t numbers[4] = { at->x, at->y, at->width, at->height };
        for (size_t n = 0; n < JD_COUNT(numbers); n++) {
            jd_out_i64(&text, numbers[n]);
            jd_out_char(&text, n + 1 < JD_COUNT(numbers) ? ',' : ';');
        }
    }
    JD_ASSERT(jd_out_fits(&text));
    return text.size;
}

static bool read_number(JdStr *text, char end, int32_t *out) {
    uint64_t number = 0;
    if (!jd_parse_u64(jd_str_cut(text, end), 99, &number))
        return false;
    *out = (int32_t)number;
    return true;
}

static void read_blocks(JdStr text, PagesForm form, PagesBlocks *out) {
    *out = (PagesBlocks) { .present = text.size > 0 };
    for (size_t i = 0; i < PAGES_BLOCK_COUNT && out->present; i++) {
        PagesCells *at = &out->at[i];
        out->present = read_number(&text, ',', &at->x) && read_number(&text, ',', &at->y) &&
                       read_number(&text, ',', &at->width) && read_number(&text, ';', &at->height);
    }
    // One that this program would refuse is as good as none.
    out->present = out->present && pages_blocks_check(form, out, NULL);
}

// ---- names --------------------------------------------------------------------------------------

typedef struct Name {
    char text[PAGES_LAYOUT_NAME_SIZE];
    char key[4 * PAGES_LAYOUT_NAME_SIZE];
} Name;

static bool name_bad(PagesFault *fault) {
    return refuse(fault, PAGES_NAME_BAD, "name", "expected 1 to %d characters without a slash",
                  PAGES_LAYOUT_NAME_MAX);
}

static bool read_name(JdStr text, Name *out, PagesFault *fault) {
    JdErr err = { 0 };
    CodePoints points;
    CodePoints lower;
    text = jd_str_trim(text);
    if (!check_text(text, "name", 4 * (size_t)PAGES_LAYOUT_NAME_MAX, &err) ||
        !text_nfc(text, &points) || points.count == 0 || points.count > PAGES_LAYOUT_NAME_MAX)
        return name_bad(fault);
    for (size_t i = 0; i < points.count; i++)
        if (points.at[i] < 0x20 || points.at[i] == 0x7f || points.at[i] == '/')
            return name_bad(fault);
    return (text_lower(text, &lower) && text_write(&points, out->text, sizeof out->text) &&
            text_write(&lower, out->key, sizeof out->key)) ||
           name_bad(fault);
}

// ---- the table ----------------------------------------------------------------------------------

static void read_row(StoreStmt *row, PagesLayout *out) {
    *out = (PagesLayout) { .saved_ms = store_column_int(row, 1) };
    const JdStr name = store_column_text(row, 0);
    JD_ASSERT(name.size < sizeof out->name);
    memcpy(out->name, name.data, name.size);
    for (int form = 0; form < PAGES_FORM_COUNT; form++) {
        read_blocks(store_column_text(row, 2 + form), (PagesForm)form, &out->forms[form]);
        read_blocks(store_column_text(row, 4 + form), (PagesForm)form, &out->previous[form]);
    }
}

static bool read_layouts(StoreDb *db, int64_t account, PagesLayouts *out, JdErr *err) {
    memset(out, 0, sizeof *out);
    StoreStmt *find = store_query(db, STORE_LAYOUTS_ALL);
    store_bind_int(find, 1, account);
    StoreStep step = STORE_STEP_DONE;
    while (out->count < PAGES_LAYOUTS_MAX && (step = store_step(find, err)) == STORE_STEP_ROW)
        read_row(find, &out->list[out->count++]);
    store_done(find);
    return step != STORE_STEP_FAILED;
}

bool pages_layouts(PagesWorker *worker, int64_t account, PagesLayouts *out, PagesFault *fault) {
    JdErr err = { 0 };
    return read_layouts(worker->db, account, out, &err) || refuse_store(fault, &err);
}

static bool find_layout(StoreDb *db, int64_t account, const Name *name, PagesLayout *out,
                        bool *found, JdErr *err) {
    StoreStmt *find = store_query(db, STORE_LAYOUT_FIND);
    store_bind_int(find, 1, account);
    store_bind_text(find, 2, jd_str(name->key));
    const StoreStep step = store_step(find, err);
    *found = step == STORE_STEP_ROW;
    if (*found)
        read_row(find, out);
    store_done(find);
    return step != STORE_STEP_FAILED;
}

static bool put_layout(StoreDb *db, int64_t account, const Name *name, const PagesLayout *layout,
                       JdErr *err) {
    StoreStmt *put = store_query(db, STORE_LAYOUT_PUT);
    store_bind_int(put, 1, account);
    store_bind_text(put, 2, jd_str(name->key));
    store_bind_text(put, 3, jd_str(name->text));
    store_bind_int(put, 4, layout->saved_ms);
    char texts[4][BLOCKS_TEXT_SIZE];
    for (int i = 0; i < 4; i++) {
        const PagesBlocks *blocks = i < 2 ? &layout->forms[i] : &layout->previous[i - 2];
        if (blocks->present)
            store_bind_text(put, 5 + i, jd_str_n(texts[i], write_blocks(blocks, texts[i])));
        else
            store_bind_null(put, 5 + i);
    }
    return store_run(put, NULL, err);
}

static bool remove_layout(StoreDb *db, int64_t account, const Name *name, JdErr *err) {
    StoreStmt *remove = store_query(db, STORE_LAYOUT_DELETE);
    store_bind_int(remove, 1, account);
    store_bind_text(remove, 2, jd_str(name->key));
    return store_run(remove, NULL, err);
}

// ---- a change -----------------------------------------------------------------------------------

typedef struct LayoutJob {
    int64_t account;
    const PagesLayoutChange *change;
    Name name;
    Name new_name;
    JdInstant now;
    PagesLayouts *out;
    PagesCode refused; // PAGES_OK: done
} LayoutJob;

static bool refuse_job(LayoutJob *job, PagesCode code) {
    job->refused = code;
    return true; // the transaction ends without a change
}

static bool save(StoreDb *db, LayoutJob *job, PagesLayout *layout, bool found, JdErr *err) {
    const PagesLayoutChange *change = job->change;
    if (found && change->act == PAGES_LAYOUT_NEW)
        return refuse_job(job, PAGES_NAME_TAKEN);
    if (!found && job->out->count == PAGES_LAYOUTS_MAX)
        return refuse_job(job, PAGES_TOO_MANY_LAYOUTS);
    if (!found)
        *layout = (PagesLayout) { .saved_ms = 0 };
    if (layout->forms[change->form].present)
        layout->previous[change->form] = layout->forms[change->form];
    layout->forms[change->form] = *change->blocks;
    layout->forms[change->form].present = true;
    layout->saved_ms = job->now.ms;
    return put_layout(db, job->account, &job->name, layout, err);
}

static bool rename_layout(StoreDb *db, LayoutJob *job, const PagesLayout *layout, JdErr *err) {
    PagesLayout other;
    bool taken = false;
    const bool same_key = strcmp(job->name.key, job->new_name.key) == 0;
    if (!same_key && !find_layout(db, job->account, &job->new_name, &other, &taken, err))
        return false;
    if (taken)
        return refuse_job(job, PAGES_NAME_TAKEN);
    return remove_layout(db, job->account, &job->name, err) &&
           put_layout(db, job->account, &job->new_name, layout, err) &&
           prefs_layout_renamed(db, job->account, layout->name, job->new_name.text, err);
}

static bool restore(StoreDb *db, LayoutJob *job, PagesLayout *layout, JdErr *err) {
    const PagesForm form = job->change->form;
    if (!layout->previous[form].present)
        return refuse_job(job, PAGES_NOT_FOUND);
    const PagesBlocks back = layout->previous[form];
    layout->previous[form] = layout->forms[form];
    layout->forms[form] = back;
    layout->saved_ms = job->now.ms;
    return put_layout(db, job->account, &job->name, layout, err);
}

static bool do_change(StoreDb *db, LayoutJob *job, JdErr *err) {
    PagesLayout layout;
    bool found = false;
    if (!read_layouts(db, job->account, job->out, err) ||
        !find_layout(db, job->account, &job->name, &layout, &found, err))
        return false;
    const PagesLayoutAct act = job->change->act;
    if (act == PAGES_LAYOUT_SAVE || act == PAGES_LAYOUT_NEW)
        return save(db, job, &layout, found, err);
    if (!found)
        return refuse_job(job, PAGES_NOT_FOUND);
    if (act == PAGES_LAYOUT_RENAME)
        return rename_layout(db, job, &layout, err);
    if (act == PAGES_LAYOUT_RESTORE)
        return restore(db, job, &layout, err);
    return remove_layout(db, job->account, &job->name, err) &&
           prefs_layout_renamed(db, job->account, layout.name, NULL, err);
}

static bool layout_job(StoreDb *db, void *arg, JdErr *err) {
    LayoutJob *job = arg;
    return do_change(db, job, err) &&
           (job->refused != PAGES_OK || read_layouts(db, job->account, job->out, err));
}

static bool refuse_change(PagesCode code, PagesFault *fault) {
    switch ((int)code) {
    case PAGES_NAME_TAKEN:
        return refuse(fault, code, "name", "there is a layout of this name");
    case PAGES_TOO_MANY_LAYOUTS:
        return refuse(fault, code, "name", "an account has at most %d layouts", PAGES_LAYOUTS_MAX);
    default:
        return refuse(fault, code, "", "no such layout, or nothing before it");
    }
}

bool pages_layout_change(PagesWorker *worker, int64_t account, const PagesLayoutChange *change,
                         JdInstant now, PagesLayouts *out, PagesFault *fault) {
    LayoutJob job = { .account = account, .change = change, .now = now, .out = out };
    const bool saves = change->act == PAGES_LAYOUT_SAVE || change->act == PAGES_LAYOUT_NEW;
    JdErr err = { 0 };
    if (!read_name(change->name, &job.name, fault) ||
        (change->act == PAGES_LAYOUT_RENAME &&
         !read_name(change->new_name, &job.new_name, fault)) ||
        (saves && !pages_blocks_check(change->form, change->blocks, fault)))
        return false;
    if (!store_write(worker->pages->config.store, layout_job, &job, &err))
        return refuse_store(fault, &err);
    return job.refused == PAGES_OK || refuse_change(job.refused, fault);
}
