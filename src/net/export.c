// SPDX-License-Identifier: GPL-3.0-or-later
//
// Everything the house holds of a person, as one ZIP: a JSON file of each kind, the games
// that have ended as PGN, and a README in his language that says what is what.
#include <stdlib.h>
#include <string.h>

#include <zip.h>

#include "net/api.h"
#include "net/json_live.h"
#include "net/json_out.h"
#include "net/log.h"
#include "net/me.h"
#include "net/record.h"

// Of one file of the archive: a life's games, or all that somebody ever said, are a tenth of it.
#define FILE_MAX ((size_t)64 * 1024 * 1024)

// ---- the parts --------------------------------------------------------------------------------

typedef enum Kind {
    NUMBER, // or null, like all of them
    FLAG,
    TEXT,
} Kind;

// What one query gives: a list of objects, a row each.
typedef struct Part {
    const char *file;
    StoreQuery query;
    struct {
        const char *key; // NULL: after the last
        Kind kind;
    } columns[15];
} Part;

// tests/data/export.txt says of every table that knows an account where it is found here.
static const Part parts[] = {
    { "devices.json",
      STORE_EXPORT_DEVICES,
      { { "created", NUMBER }, { "seen", NUMBER }, { "expires", NUMBER }, { "agent", TEXT } } },
    { "preferences.json", STORE_EXPORT_PREFERENCES, { { "name", TEXT }, { "value", TEXT } } },
    { "notices.json",
      STORE_EXPORT_NOTICES,
      { { "moves", FLAG },
        { "day", FLAG },
        { "hours", FLAG },
        { "invitations", FLAG },
        { "digest_hour", NUMBER } } },
    { "push.json", STORE_EXPORT_PUSH, { { "created", NUMBER }, { "agent", TEXT } } },
    { "bell.json",
      STORE_EXPORT_BELL,
      { { "kind", TEXT }, { "nick", TEXT }, { "ref", TEXT }, { "at", NUMBER } } },
    { "people.json",
      STORE_EXPORT_PEOPLE,
      { { "kind", TEXT }, { "nick", TEXT }, { "since", NUMBER } } },
    { "blocks.json", STORE_EXPORT_BLOCKS, { { "nick", TEXT }, { "created", NUMBER } } },
    { "vacations.json",
      STORE_EXPORT_VACATIONS,
      { { "from", NUMBER }, { "until", NUMBER }, { "ended", NUMBER } } },
    { "ratings.json",
      STORE_EXPORT_RATINGS,
      { { "list", TEXT },
        { "rating", NUMBER },
        { "games", NUMBER },
        { "wins", NUMBER },
        { "draws", NUMBER },
        { "last", NUMBER } } },
    { "rating_history.json",
      STORE_EXPORT_RATING_HISTORY,
      { { "list", TEXT },
        { "ended", NUMBER },
        { "game", TEXT },
        { "color", TEXT },
        { "opponent", TEXT },
        { "opponent_rating", NUMBER },
        { "half_points", NUMBER },
        { "before", NUMBER },
        { "after", NUMBER },
        { "k", NUMBER },
        { "expected", NUMBER },
        { "games", NUMBER },
        { "wins", NUMBER },
        { "draws", NUMBER } } },
    { "chat.json",
      STORE_EXPORT_CHAT,
      { { "game", TEXT }, { "at", NUMBER }, { "room", TEXT }, { "text", TEXT } } },
    { "reports.json",
      STORE_EXPORT_REPORTS,
      { { "kind", TEXT }, { "at", NUMBER }, { "text", TEXT } } },
    { "sanctions.json",
      STORE_EXPORT_SANCTIONS,
      { { "kind", TEXT },
        { "reason", TEXT },
        { "from", NUMBER },
        { "until", NUMBER },
        { "lifted", NUMBER } } },
    { "roles.json", STORE_EXPORT_ROLES, { { "role", TEXT }, { "granted", NUMBER } } },
    { "audit.json",
      STORE_EXPORT_AUDIT,
      { { "at", NUMBER },
        { "by_you", FLAG },
        { "action", TEXT },
        { "object", TEXT },
        { "before", TEXT },
        { "after", TEXT },
        { "reason", TEXT } } },
    { "letters.json",
      STORE_EXPORT_LETTERS,
      { { "kind", TEXT }, { "subject", TEXT }, { "created", NUMBER } } },
    { "identities.json",
      STORE_EXPORT_IDENTITIES,
      { { "provider", TEXT },
        { "issuer", TEXT },
        { "subject", TEXT },
        { "email", TEXT },
        { "linked", NUMBER },
        { "used", NUMBER } } },
    { "links.json",
      STORE_EXPORT_LINKS,
      { { "kind", TEXT }, { "email", TEXT }, { "created", NUMBER }, { "expires", NUMBER } } },
};

static void write_value(StoreStmt *row, int column, Kind kind, NetBuf *out) {
    if (store_column_is_null(row, column)) {
        json_out_null(out);
        return;
    }
    switch (kind) {
    case NUMBER:
        json_out_int(out, store_column_int(row, column));
        return;
    case FLAG:
        json_out_bool(out, store_column_int(row, column) != 0);
        return;
    case TEXT:
        json_out_text(out, store_column_text(row, column));
        return;
    }
}

static bool write_part(const Part *part, StoreDb *db, int64_t account, NetBuf *out, JdErr *err) {
    StoreStmt *find = store_query(db, part->query);
    store_bind_int(find, 1, account);
    json_out_open(out, '[');
    StoreStep step;
    while ((step = store_step(find, err)) == STORE_STEP_ROW) {
        json_out_open(out, '{');
        for (int i = 0; part->columns[i].key != NULL; i++) {
            json_out_key(out, part->columns[i].key);
            write_value(find, i, part->columns[i].kind, out);
        }
        json_out_close(out, '}');
    }
    store_done(find);
    json_out_close(out, ']');
    return step != STORE_STEP_FAILED;
}

static bool add_game(NetRequest *request, NetWorkerKit *kit, const StoreId *id, NetBuf *out,
                     JdErr *err) {
    LiveId game;
    NetRecord record;
    bool found = false;
    if (!live_id_parse(store_id_str(id), &game))
        return true;
    if (!net_record_read(kit, &game, request->now, &record, &found, err))
        return false;
    if (found) {
        const LivePgnTags tags = { .event = record.game.row.rated ? JD_STR("Rated game")
                                                                  : JD_STR("Casual game"),
                                   .site = jd_str(request->server->site) };
        const size_t most = live_game_pgn_size(&record.game, &tags) + 1;
        char *space = net_buf_space(out, most);
        if (space != NULL) {
            JdOut text = jd_out(space, most);
            live_game_pgn(&record.game, &tags, &text);
            jd_out_char(&text, '\n');
            out->size += text.size;
        }
        net_record_free(&record);
    }
    return true;
}

static bool add_games(NetRequest *request, NetWorkerKit *kit, NetBuf *out, PagesFault *fault) {
    PagesGames *games = calloc(1, sizeof(*games));
    char after[PAGES_CURSOR_SIZE] = "";
    bool ok = games != NULL;
    for (bool more = ok; ok && more;) {
        ok = pages_player_games(kit->pages, jd_str(request->me.nick), PAGES_LIST_MAX, jd_str(after),
                                games, fault);
        for (size_t i = 0; ok && i < games->count; i++)
            ok = add_game(request, kit, &games->rows[i].game.id, out, &fault->err);
        more = ok && games->after[0] != '\0';
        memcpy(after, games->after, sizeof(after));
    }
    free(games);
    return ok;
}

// ---- the ZIP ----------------------------------------------------------------------------------

typedef struct ZipResult {
    unsigned char *data;
    size_t size;
} ZipResult;

static bool add_file(zip_t *zip, const char *name, const void *data, size_t size) {
    zip_source_t *source = zip_source_buffer(zip, data, size, 0);
    if (source != NULL && zip_file_add(zip, name, source, ZIP_FL_ENC_UTF_8) >= 0)
        return true;
    zip_source_free(source);
    return false;
}

static bool read_back(zip_source_t *bytes, ZipResult *out) {
    zip_stat_t stat;
    if (zip_source_stat(bytes, &stat) != 0 || zip_source_open(bytes) != 0)
        return false;
    out->data = malloc(stat.size + 1);
    out->size = stat.size;
    const bool ok =
        out->data != NULL && zip_source_read(bytes, out->data, stat.size) == (zip_int64_t)stat.size;
    zip_source_close(bytes);
    return ok;
}

#define FIXED_FILES 4 // README.txt, account, layouts, games
#define README_MAX 8192

// The files of the archive; their bytes live until it is packed.
typedef struct Archive {
    zip_t *zip;
    NetBuf *texts[JD_COUNT(parts) + FIXED_FILES];
    size_t count;
    bool failed;
} Archive;

// A file to be written before the archive is packed.
static NetBuf *begin_file(Archive *archive) {
    NetBuf *text = net_buf_new_large(FILE_MAX);
    if (text == NULL)
        archive->failed = true;
    else
        archive->texts[archive->count++] = text;
    return text;
}

static void end_file(Archive *archive, const char *name, const NetBuf *text) {
    const void *data = text->size > 0 ? (const void *)text->data : "";
    if (text->failed || !add_file(archive->zip, name, data, text->size))
        archive->failed = true;
}

static void add_readme(NetRequest *request, Archive *archive) {
    NetBuf *file = begin_file(archive);
    char space[README_MAX];
    JdOut text = jd_out(space, sizeof(space));
    const PagesMailWord words[] = { { "nick", jd_str(request->me.nick) },
                                    { "site", jd_str(request->server->site) } };
    if (file == NULL)
        return;
    pages_plain_page(jd_str(request->me.language), "export_readme", words, JD_COUNT(words), &text);
    JD_ASSERT(jd_out_fits(&text));
    net_buf_add(file, space, text.size);
    end_file(archive, "README.txt", file);
}

static void add_account(NetRequest *request, Archive *archive) {
    NetBuf *file = begin_file(archive);
    if (file == NULL)
        return;
    net_write_me(file, &request->me);
    end_file(archive, "account.json", file);
}

static void add_parts(NetRequest *request, NetWorkerKit *kit, Archive *archive, JdErr *err) {
    for (size_t i = 0; !archive->failed && i < JD_COUNT(parts); i++) {
        NetBuf *file = begin_file(archive);
        if (file == NULL)
            return;
        if (!write_part(&parts[i], kit->db, request->me.account, file, err))
            archive->failed = true;
        else
            end_file(archive, parts[i].file, file);
    }
}

static void add_layouts(NetRequest *request, NetWorkerKit *kit, Archive *archive,
                        PagesFault *fault) {
    PagesLayouts *layouts = malloc(sizeof(*layouts));
    NetBuf *file = begin_file(archive);
    if (file == NULL || layouts == NULL ||
        !pages_layouts(kit->pages, request->me.account, layouts, fault)) {
        archive->failed = true;
    } else {
        net_write_layouts(file, layouts);
        end_file(archive, "layouts.json", file);
    }
    free(layouts);
}

// What live knew, from the stage before.
typedef struct Running {
    NetBuf *games;
    NetBuf *challenges;
} Running;

static void add_running(Running *running, Archive *archive) {
    end_file(archive, "running_games.json", running->games);
    end_file(archive, "challenges.json", running->challenges);
}

static void add_ended_games(NetRequest *request, NetWorkerKit *kit, Archive *archive,
                            PagesFault *fault) {
    NetBuf *file = archive->failed ? NULL : begin_file(archive);
    if (file == NULL)
        return;
    if (add_games(request, kit, file, fault))
        end_file(archive, "games.pgn", file);
    else
        archive->failed = true;
}

static bool fill(NetRequest *request, NetWorkerKit *kit, Running *running, Archive *archive,
                 PagesFault *fault) {
    add_readme(request, archive);
    add_account(request, archive);
    add_running(running, archive);
    add_layouts(request, kit, archive, fault);
    add_parts(request, kit, archive, &fault->err);
    add_ended_games(request, kit, archive, fault);
    return !archive->failed;
}

static bool pack(NetRequest *request, NetWorkerKit *kit, Running *running, ZipResult *out,
                 PagesFault *fault) {
    zip_error_t error;
    zip_error_init(&error);
    zip_source_t *bytes = zip_source_buffer_create(NULL, 0, 0, &error);
    Archive archive = { .zip = bytes == NULL ? NULL
                                             : zip_open_from_source(bytes, ZIP_TRUNCATE, &error) };
    if (archive.zip == NULL) {
        zip_source_free(bytes);
        return false;
    }
    zip_source_keep(bytes);
    bool ok = fill(request, kit, running, &archive, fault);
    if (!ok)
        zip_discard(archive.zip);
    else
        ok = zip_close(archive.zip) == 0 && read_back(bytes, out);
    zip_source_free(bytes);
    for (size_t i = 0; i < archive.count; i++)
        net_buf_drop(archive.texts[i]);
    return ok;
}

// ---- the request ------------------------------------------------------------------------------

static void drop_running(Running *running) {
    net_buf_drop(running->games);
    net_buf_drop(running->challenges);
    free(running);
}

static void work(NetRequest *request, NetWorkerKit *kit) {
    PagesFault fault = { 0 };
    ZipResult zip = { .data = NULL };
    Running *running = request->results;
    const bool ok = pack(request, kit, running, &zip, &fault);
    drop_running(running);
    request->results = NULL;
    if (ok) {
        request->results = zip.data;
        request->fixed = zip.data;
        request->fixed_size = zip.size;
        return;
    }
    net_log(NET_LOG_ERROR, "an archive of one's data: %s", fault.err.text);
    free(zip.data);
    net_reply_fault(request, "internal", NULL, "the archive cannot be made");
}

static void send_archive(NetRequest *request) {
    request->status = 200;
    request->type = "application/zip";
    jd_format(request->extra, sizeof(request->extra),
              "Content-Disposition: attachment; filename=\"jadoube-%s.zip\"\r\n", "data");
    net_request_finish(request);
}

static void answered(NetRequest *request, const LiveAnswer *answer) {
    if (answer->kind != LIVE_ANSWER_GAMES) {
        net_answer_reply(request, answer);
        return;
    }
    Running *running = calloc(1, sizeof(*running));
    if (running != NULL) {
        running->games = net_buf_new();
        running->challenges = net_buf_new();
    }
    if (running == NULL || running->games == NULL || running->challenges == NULL) {
        if (running != NULL)
            drop_running(running);
        net_reply_fault(request, "internal", NULL, "no memory for the archive");
        net_request_finish(request);
        return;
    }
    net_write_games(running->games, answer->message);
    net_write_own_challenges(running->challenges, answer->message);
    request->results = running;
    net_request_work(request, work, send_archive, true);
}

void api_export(NetRequest *request) {
    LiveCommand command = { .kind = LIVE_QUERY_GAMES };
    net_request_live(request, &command, answered);
}
