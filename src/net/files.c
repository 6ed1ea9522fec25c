// SPDX-License-Identifier: GPL-3.0-or-later
//
// Finding files of the client, and knowing its pages.
#include "net/files.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *ending;
    const char *type;
} types[] = {
    { ".html", "text/html; charset=utf-8" },
    { ".js", "text/javascript; charset=utf-8" },
    { ".css", "text/css; charset=utf-8" },
    { ".wasm", "application/wasm" },
    { ".svg", "image/svg+xml" },
    { ".png", "image/png" },
    { ".ico", "image/x-icon" },
    { ".json", "application/json" },
    { ".map", "application/json" },
    { ".webmanifest", "application/manifest+json" },
    { ".txt", "text/plain; charset=utf-8" },
    { ".woff2", "font/woff2" },
    { ".mp3", "audio/mpeg" },
    { ".ogg", "audio/ogg" },
};

// Pages of the client: "*" stands for one part that is not empty. One a line.
// clang-format off
static const char *const pages[] = {
    "/",
    "/play",
    "/computer",
    "/game/*",
    "/game/*/analysis",
    "/watch",
    "/games",
    "/login",
    "/register",
    "/confirm/*",
    "/recover",
    "/recover/*",
    "/undo/*",
    "/account",
    "/account/*",
    "/notices/off/*",
    "/player/*",
    "/player/*/games",
    "/ratings",
    "/ratings/*",
    "/rules",
    "/info",
    "/info/*",
    "/local",
    "/learn",
    "/learn/*",
    "/clock",
    "/curiosity",
    "/analysis",
};
// clang-format on

const char *net_file_type(JdStr path) {
    for (size_t i = 0; i < JD_COUNT(types); i++)
        if (jd_str_ends_with(path, jd_str(types[i].ending)))
            return types[i].type;
    return "application/octet-stream";
}

const NetFile *net_file_find(JdStr path) {
    size_t low = 0;
    size_t high = net_file_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const int order = jd_str_compare(path, jd_str(net_files[middle].path));
        if (order == 0)
            return &net_files[middle];
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

bool net_accepts_coding(JdStr list, JdStr coding) {
    while (list.size > 0) {
        JdStr item = jd_str_cut(&list, ',');
        const JdStr name = jd_str_trim(jd_str_cut(&item, ';'));
        if (!jd_str_equal_nocase(name, coding))
            continue;
        JdStr weight = jd_str_trim(item);
        if (!jd_str_starts_with(weight, JD_STR("q=")))
            return true;
        weight = jd_str_part(weight, 2, weight.size);
        for (size_t i = 0; i < weight.size; i++)
            if (weight.data[i] >= '1' && weight.data[i] <= '9')
                return true;
        return false;
    }
    return false;
}

NetCoding net_file_coding(const NetFile *file, JdStr accept_encoding) {
    NetCoding best = NET_IDENTITY;
    if (file->forms[NET_GZIP].data != NULL && net_accepts_coding(accept_encoding, JD_STR("gzip")))
        best = NET_GZIP;
    if (file->forms[NET_BROTLI].data != NULL && net_accepts_coding(accept_encoding, JD_STR("br")) &&
        (best == NET_IDENTITY || file->forms[NET_BROTLI].size < file->forms[NET_GZIP].size))
        best = NET_BROTLI;
    return best;
}

NetBuf *net_file_read(const char *dir, JdStr path, const char **type) {
    char name[1024];
    // No part may begin with a dot: neither ".." nor hidden files.
    for (size_t i = 0; i + 1 < path.size; i++)
        if (path.data[i] == '/' && path.data[i + 1] == '.')
            return NULL;
    if (path.size == 0 || path.data[0] != '/' || jd_str_find(path, '\0') < path.size ||
        jd_format(name, sizeof(name), "%s%.*s", dir, JD_PRINT(path)) >= sizeof(name))
        return NULL;
    FILE *file = fopen(name, "rb");
    if (file == NULL)
        return NULL;
    NetBuf *buf = net_buf_new();
    char block[16384];
    size_t size;
    while (buf != NULL && !buf->failed && (size = fread(block, 1, sizeof(block), file)) > 0)
        net_buf_add(buf, block, size);
    const bool bad = ferror(file) != 0 || buf == NULL || buf->failed;
    fclose(file);
    if (bad) {
        net_buf_drop(buf);
        return NULL;
    }
    *type = net_file_type(path);
    return buf;
}

static size_t count_slashes(JdStr text) {
    size_t count = 0;
    for (size_t i = 0; i < text.size; i++)
        count += text.data[i] == '/';
    return count;
}

static bool page_fits(JdStr page, JdStr path) {
    if (count_slashes(page) != count_slashes(path))
        return false;
    while (page.size > 0 || path.size > 0) {
        const JdStr want = jd_str_cut(&page, '/');
        const JdStr have = jd_str_cut(&path, '/');
        const bool any = jd_str_equal(want, JD_STR("*")) && have.size > 0;
        if (!any && !jd_str_equal(want, have))
            return false;
    }
    return true;
}

bool net_is_app_page(JdStr path) {
    if (path.size > 2 && path.data[path.size - 1] == '/')
        path.size--;
    for (size_t i = 0; i < JD_COUNT(pages); i++)
        if (page_fits(jd_str(pages[i]), path))
            return true;
    return false;
}
