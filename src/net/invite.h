// SPDX-License-Identifier: GPL-3.0-or-later
//
// Challenges directed to one player, and rematches: what live cannot know of the one they are
// directed to is looked up in the database before live is asked (S-041, X-015).
#ifndef JADOUBE_NET_INVITE_H
#define JADOUBE_NET_INVITE_H

#include "live/live.h"
#include "net/errors.h"
#include "net/workers.h"

struct NetServer;

typedef struct NetInvite {
    LiveCommand command; // its texts stand below
    char key[LIVE_KEY_MAX];
    char nick[LIVE_NICK_SIZE];
    char fen[CHESS_FEN_TEXT_MAX + 1];
    bool from_record; // the game of the rematch is no longer in memory
    LiveProfile profile;
    int64_t ignored[PAGES_IGNORED_MAX];
    JdInstant now;
    NetError err; // code NULL: the command may go to live
} NetInvite;

// Whether a command is such a challenge: its to_nick is the nick asked for, or rematch is set.
bool net_invite_needed(const LiveCommand *command);
// Loop thread. Copies the command; account is who asks.
void net_invite_begin(NetInvite *invite, const struct NetServer *server, const LiveCommand *command,
                      LiveAccount account);
// Worker.
void net_invite_look_up(NetInvite *invite, NetWorkerKit *kit);
// Loop thread: the command for live, which points into the invite; NULL: err says why not.
LiveCommand *net_invite_command(NetInvite *invite);

#endif
