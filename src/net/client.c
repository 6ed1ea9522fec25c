// SPDX-License-Identifier: GPL-3.0-or-later
//
// The browser client's files and pages.
#include <string.h>

#include "net/files.h"
#include "net/http.h"

static const char *const coding_names[NET_CODINGS] = { "", "gzip", "br" };

// From a folder, in development: never kept by the browser without asking.
static bool reply_from_folder(NetRequest *request, JdStr path, int status) {
    const char *type = NULL;
    NetBuf *buf = net_file_read(request->server->config.static_dir, path, &type);
    if (buf == NULL)
        return false;
    net_buf_drop(request->reply);
    request->reply = buf;
    request->type = type;
    request->cache = "no-cache";
    request->status = status;
    return true;
}

static bool reply_built_in(NetRequest *request, JdStr path, int status) {
    const NetFile *file = net_file_find(path);
    if (file == NULL)
        return false;
    const NetCoding coding = net_file_coding(file, jd_str(request->accept_encoding));
    request->fixed = file->forms[coding].data;
    request->fixed_size = file->forms[coding].size;
    request->coding = coding_names[coding];
    request->type = file->type;
    request->cache = file->immutable ? "public, max-age=31536000, immutable" : "no-cache";
    request->status = status;
    if (status == 200)
        jd_format(request->etag, sizeof(request->etag), "%s", file->etag);
    return true;
}

static bool reply_file(NetRequest *request, JdStr path, int status) {
    return request->server->config.static_dir[0] != '\0' ? reply_from_folder(request, path, status)
                                                         : reply_built_in(request, path, status);
}

void net_reply_client(NetRequest *request) {
    int wait = 0;
    if (!net_allowed(request->server, request->conn, NET_QUOTA_PAGE, &wait)) {
        NetError err = { 0 };
        net_fail(&err, "rate_limited", NULL, "too many requests from this address");
        err.retry_after = wait;
        net_reply_error(request, &err);
        return;
    }
    const JdStr path = request->path;
    if (path.size > 1 && reply_file(request, path, 200))
        return;
    net_reply_app(request);
}

void net_reply_app(NetRequest *request) {
    request->retry_after = 0;
    // A page of the client, or one that does not exist: the client says so in the reader's
    // language.
    const int status = net_is_app_page(request->path) ? 200 : 404;
    if (!reply_file(request, JD_STR("/index.html"), status))
        net_reply_fault(request, "not_found", NULL, "the client's index.html is not there");
}
