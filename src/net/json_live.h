// SPDX-License-Identifier: GPL-3.0-or-later
//
// The objects of live as JSON, by docs/protocol.md.
#ifndef JADOUBE_NET_JSON_LIVE_H
#define JADOUBE_NET_JSON_LIVE_H

#include "live/live.h"
#include "net/buf.h"

void net_write_control(NetBuf *out, const LiveControl *control);
// Notice of docs/protocol.md. An empty nick is a former player's, an empty ref none: both null.
void net_write_notice(NetBuf *out, const char *kind, const char *nick, const char *ref,
                      int64_t at_ms);
void net_write_challenge(NetBuf *out, const LiveChallenge *challenge);
void net_write_game_row(NetBuf *out, const LiveGameRow *row);
void net_write_game(NetBuf *out, const LiveGameView *game);
// [Challenge...] of a lobby message, [GameRow...] of a games message.
void net_write_challenges(NetBuf *out, const LiveMessage *message);
void net_write_games(NetBuf *out, const LiveMessage *message);
// [{"game":GameRow,"spectators":n}...] of the answer WATCH.
void net_write_watch(NetBuf *out, const LiveMessage *message);
// [Challenge...] of a games message.
void net_write_own_challenges(NetBuf *out, const LiveMessage *message);

// A whole message of the server: {"t":...,"d":{...}}.
void net_write_message(NetBuf *out, const LiveMessage *message);

#endif
