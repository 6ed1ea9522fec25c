// SPDX-License-Identifier: GPL-3.0-or-later
//
// Inner: one HTTP request from its first byte to its answer.
//
// A request is read on the loop, judged (method, size, origin, allowance), then runs through the
// stages of its route: `work` on a worker thread (session, database), `loop` on the loop thread
// (live). A stage ends the request by giving a reply; otherwise the next one follows.
#ifndef JADOUBE_NET_HTTP_H
#define JADOUBE_NET_HTTP_H

#include <jansson.h>

#include <jadoube/base.h>

#include "net/errors.h"
#include "net/files.h"
#include "net/server.h"

typedef enum NetMethod {
    NET_GET = 1,
    NET_POST = 2,
    NET_DELETE = 4,
    NET_HEAD = 8,
    NET_OPTIONS = 16,
    NET_OTHER_METHOD = 32,
    NET_PUT = 64,
} NetMethod;

#define NET_PATH_MAX 512
#define NET_PARAMS_MAX 2
#define NET_QUERY_MAX 12
#define NET_QUERY_TEXT 2560 // codes of OpenID providers are long

typedef enum NetAuth {
    NET_NO_AUTH,       // nobody is looked up
    NET_FROM_ANYWHERE, // the same, and mail programs post here: no Origin, no JSON
    NET_AUTH_IF_ANY,   // request->me is set when there is a session
    NET_AUTH_NEEDED,   // 401 without a session
} NetAuth;

typedef enum NetRouteFlags {
    NET_HEAVY = 1, // hashes a password
    NET_FORM = 2,  // takes a form of the server's own pages, which prove their origin themselves
    NET_FOR_BLOCKED = 4, // open to an account that is blocked (S-024)
    NET_PAGE = 8,        // a page of the client: what cannot be put into it, it asks for itself
    NET_OUTSIDE = 16,    // asks a provider of OpenID Connect, on threads of its own
    // Of several nodes (net/gateway.h) another one may answer; without these the client's own does.
    NET_BY_ID = 32,      // the owner of the game or challenge that {} names
    NET_BY_REMATCH = 64, // the owner of the game the body asks a rematch of, if any
    NET_GATHERED = 128,  // all of them: each knows a part of the list
} NetRouteFlags;

typedef struct NetRequest NetRequest;

typedef void (*NetAnsweredFn)(NetRequest *request, const LiveAnswer *answer);

typedef struct NetRoute {
    const char *path; // "/api/v1/games/{}/move": {} stands for one part
    NetMethod method;
    NetAuth auth;
    NetQuota quota;
    unsigned flags; // NetRouteFlags; true is NET_HEAVY
    void (*work)(NetRequest *request, NetWorkerKit *kit);
    void (*loop)(NetRequest *request);
} NetRoute;

// The route of a method and path; params are filled. NULL: none; *allowed is then the set of
// methods the path knows (0: no such path).
const NetRoute *net_route_find(NetMethod method, JdStr path, JdStr params[NET_PARAMS_MAX],
                               unsigned *allowed);
// All of them, for tests; NULL after the last.
const NetRoute *net_route_at(size_t index);

typedef struct NetQueryItem {
    JdStr name;
    JdStr value;
} NetQueryItem;

struct NetRequest {
    NetJob job; // first: a worker's job is its request
    NetServer *server;
    NetConn *conn; // NULL: the connection has gone, nobody waits for the reply
    const NetRoute *route;
    void (*next)(NetRequest *request, NetWorkerKit *kit); // what the job runs
    void (*then)(NetRequest *request);                    // and what the loop does after it
    NetAnsweredFn answered;                               // what is done with the answer of live
    uint32_t holders;
    NetMethod method;
    bool started; // wholly read; the stages run
    JdInstant now;
    // what was asked
    char path_text[NET_PATH_MAX];
    JdStr path;
    JdStr params[NET_PARAMS_MAX];
    NetQueryItem query[NET_QUERY_MAX];
    int query_count;
    char query_text[NET_QUERY_TEXT];
    NetBuf *body;
    json_t *json;                     // of the body, once a stage has asked for it
    char token[PAGES_TOKEN_TEXT + 1]; // empty: no cookie
    PagesMe me;
    bool logged_in;
    PagesAddress address;
    int64_t *ignored; // whom the account has blocked, for live; NULL: nobody
    size_t ignored_count;
    char agent[256];     // User-Agent, its beginning
    char language[4];    // of pages the server writes: the cookie's, else the browser's wish
    char form_nonce[48]; // cookie of such a page
    char oidc[48];       // cookie of a log-in by a provider that is under way
    char if_none_match[64];
    char accept_encoding[128];
    // what is answered
    int status; // 0: nothing yet
    const char *type;
    char allow[48];     // 405
    const char *cache;  // Cache-Control; NULL: no-store
    char etag[40];      // empty: none
    const char *coding; // Content-Encoding
    char cookie[256];   // Set-Cookie; empty: none
    char extra[512];    // header lines, each with its CRLF
    char *location;     // malloc'd: where the browser goes; NULL: nowhere
    int retry_after;
    bool close;      // the connection ends with this answer
    bool unreadable; // a body came that the library has no eye for
    bool head_sent;
    NetBuf *reply;              // the body, or
    const unsigned char *fixed; // bytes that live for ever
    size_t fixed_size;
    size_t sent;
    // asked by another node (conn is NULL)
    bool is_far;
    bool far_answered;
    int far_peer;
    uint64_t far_number;
    int64_t far_until_ms; // its owner is looked for until then
    int far_tries;        // how often its owner was looked for again
    NetRequest *far_next;
    // room for a stage's results
    void *results; // malloc, freed with the request
};

// ---- for the handlers -------------------------------------------------------------------------

// Begins a JSON reply; the caller writes the body. NULL when there is no memory (500 is given
// then).
NetBuf *net_reply_json(NetRequest *request, int status);
// No body.
void net_reply_empty(NetRequest *request, int status);
void net_reply_error(NetRequest *request, const NetError *err);
void net_reply_fault(NetRequest *request, const char *code, const char *field, const char *message);
// A refusal of pages; PAGES_INTERNAL is logged and answered with a reference only.
void net_reply_pages_fault(NetRequest *request, const PagesFault *fault);
// The body as an object; NULL: the error is given.
json_t *net_request_json(NetRequest *request);
// Sends the browser to another address (ours, or one that an operator's provider named).
void net_reply_go(NetRequest *request, const char *location);
// The cookie of a session begun, or of none.
void net_reply_cookie(NetRequest *request, const PagesSession *session);
// The value of ?name= or the empty view. Unknown names are refused by the router's caller.
JdStr net_request_query(const NetRequest *request, const char *name);
// Refuses query items not among the names; false: the error is given.
bool net_request_query_only(NetRequest *request, const char *const *names, size_t count);

// Another stage on a worker and after it one on the loop (loop thread).
void net_request_work(NetRequest *request, void (*work)(NetRequest *, NetWorkerKit *),
                      void (*then)(NetRequest *), bool heavy);
// Asks live on behalf of the request, with its account and nick; answered (NULL: net_answer_reply)
// is given the answer when it may be told.
void net_request_live(NetRequest *request, LiveCommand *command, NetAnsweredFn answered);

// Runs the stages of its route (loop thread). A stage of its own: who is behind the cookie.
void net_request_run(NetRequest *request);
void net_request_session(NetRequest *request, NetWorkerKit *kit);

// Loop thread: the stages are through (or one has answered): writes the reply, or says 500.
void net_request_finish(NetRequest *request);
void net_request_hold(NetRequest *request);
void net_request_drop(NetRequest *request);

// Answers a hand-shake for a WebSocket that is refused, then the connection closes.
void net_http_refuse(NetConn *conn, const NetError *err);

// The reply that an answer of live makes (api_games.c).
void net_answer_reply(NetRequest *request, const LiveAnswer *answer);

// Cookie of a log-in by a provider: its name, and the header line that sets it (empty key: ends
// it).
const char *net_oidc_cookie_name(const NetServer *server);
void net_reply_oidc_cookie(NetRequest *request, const char *key);
// Whom a provider vouches for who has no account yet (S-012), by the cookie; false: nobody.
bool net_oidc_pending(const NetRequest *request, PagesIdentity *out);
// The identity has found its account: it is pending no more, and its cookie ends.
void net_oidc_settled(NetRequest *request);

// Files and pages of the client (client.c).
void net_reply_client(NetRequest *request);
// The client itself, for a page of the server's table that is not filled.
void net_reply_app(NetRequest *request);

#endif
