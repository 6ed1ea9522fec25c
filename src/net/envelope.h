// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the gateways of two nodes say to each other, as bytes on the bus (net/gateway.h). Every kind
// is a row of a table that names its fields; reading checks each of them and that nothing is left
// over. Numbers are little-endian. Pure.
#ifndef JADOUBE_NET_ENVELOPE_H
#define JADOUBE_NET_ENVELOPE_H

#include <jadoube/base.h>

#include "live/live.h"
#include "net/buf.h"
#include "pages/pages.h"

// Bytes below 32 are the cluster's own. Numbers are those of one version of the program: nodes of a
// site run the same one, but for the minute in which they are replaced; they are never reused.
typedef enum NetEnvelopeKind {
    // from the node a client is at to the owner of what it deals with
    NET_ENV_CONNECT = 32, // number; flags ME: me, list: whom he has blocked. A connection
    NET_ENV_LEAVE = 33,   // number: it is gone
    NET_ENV_SAY = 34,     // number, flags, count: delay in ms, code: tries, text: a message of it
    NET_ENV_REQUEST = 35, // number, code: method, flags, path, query, word, digest, me, text: body
    // and back
    NET_ENV_FRAME = 40,  // list: connections, mark, count, text: a message for them
    NET_ENV_FOLLOW = 41, // number, id: the connection follows this game now
    NET_ENV_CLOSE = 42,  // number, code
    NET_ENV_BOUNCE = 43, // as SAY: its subject is somebody else's by now
    NET_ENV_REPLY = 44, // number, code: status (0: it has another owner), count: Retry-After, word:
                        // type, text: body
    // to all: facts about accounts and games
    NET_ENV_RENAMED = 50,  // account, nick; empty: deleted
    NET_ENV_LEAVES = 51,   // account, flags ERASED
    NET_ENV_PROFILE = 52,  // account, profile, list: whom he has blocked
    NET_ENV_SESSIONS = 53, // account, flags, digest, except: as net_ws_close_sessions
    NET_ENV_ME = 54,       // me: the account's own data have changed
    NET_ENV_NOTICE = 55,   // account, word: kind, nick, path: ref, times[0]
    NET_ENV_VACATION = 56, // account, times: from, until, ended
    NET_ENV_RATED = 57,    // id, flags RATED, rated
    // fair play
    NET_ENV_MAY = 60,    // number, account, flags BOARDS, text: positions, one FEN a line
    NET_ENV_ANSWER = 61, // number, flags FORBIDDEN
} NetEnvelopeKind;

// What a frame is to the gateway that passes it on.
typedef enum NetMark {
    NET_MARK_PLAIN = 0,  // passed on as it is
    NET_MARK_ANSWER = 1, // the same; the answer to a SAY
    NET_MARK_LOBBY = 2,  // numbered anew, as the next three
    NET_MARK_ME = 3,
    NET_MARK_LOBBY_STATE = 4,
    NET_MARK_ME_STATE = 5, // count: games that wait for the player
    NET_MARK_COUNT = 6,    // no text; count: the same, it has changed
} NetMark;

#define NET_ENV_HAS_ME 1      // CONNECT, REQUEST: somebody is logged in
#define NET_ENV_SILENT 2      // SAY: by the gateway itself, nobody waits for the answer
#define NET_ENV_BOARDS 2      // MAY: only whether they stand on a board between people
#define NET_ENV_HERE 4        // REQUEST: what this node knows, nobody else is asked
#define NET_ENV_ERASED 8      // LEAVES
#define NET_ENV_HAS_DIGEST 16 // SESSIONS
#define NET_ENV_HAS_EXCEPT 32 // SESSIONS
#define NET_ENV_HAS_RATED 64  // RATED
#define NET_ENV_FORBIDDEN 128 // ANSWER

#define NET_ENV_LIST_MAX 100000 // connections a frame is for
#define NET_ENV_TEXT_MAX ((size_t)7 * 1024 * 1024)
#define NET_ENV_DIGEST 16

typedef struct NetEnvelope {
    uint8_t kind; // NetEnvelopeKind
    uint8_t flags;
    uint8_t mark;
    uint16_t code;
    uint32_t count;
    uint64_t number;
    LiveAccount account;
    int64_t times[3];
    LiveId id;
    uint8_t digest[NET_ENV_DIGEST]; // of a session; REQUEST: the client's address
    uint8_t except[NET_ENV_DIGEST];
    LiveRated rated;
    LiveProfile profile; // without its block list
    JdStr nick;
    JdStr word;
    JdStr path;
    JdStr query;
    JdStr list; // 8 bytes each: net_envelope_item
    JdStr text;
    PagesMe me;
} NetEnvelope;

size_t net_envelope_count(const NetEnvelope *envelope); // of the list
uint64_t net_envelope_item(const NetEnvelope *envelope, size_t index);
// Appends to a list that is being made.
void net_envelope_add(NetBuf *list, uint64_t item);

// Appends the bytes of it to out.
void net_envelope_write(NetBuf *out, const NetEnvelope *envelope);
// False: these bytes are none. Texts point into the bytes; what the kind does not name is zero.
JD_MUST_USE bool net_envelope_read(JdStr bytes, NetEnvelope *out);

#endif
