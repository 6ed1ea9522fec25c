// SPDX-License-Identifier: GPL-3.0-or-later
//
// Requests of people turned into commands of live: what HTTP bodies and WebSocket messages have in
// common. Pure but for jansson's memory; the texts of a command point into the JSON object.
#ifndef JADOUBE_NET_COMMANDS_H
#define JADOUBE_NET_COMMANDS_H

#include <jansson.h>

#include "live/live.h"
#include "net/config.h"
#include "net/errors.h"

// Type of a client's message of which the server itself takes care.
typedef enum NetMessageKind {
    NET_MESSAGE_HELLO,
    NET_MESSAGE_PING,
    NET_MESSAGE_COMMAND, // for live
} NetMessageKind;

typedef struct NetMessage {
    NetMessageKind kind;
    bool has_id;
    int64_t id;          // the client's own number, 0 to 2^53-1
    bool is_silent;      // nobody waits for the answer: it is the server's own
    bool is_fair;        // other nodes were asked, and allow it
    json_t *object;      // what it was read from, where it may have to wait
    int64_t ping;        // PING: the client's word
    LiveCommand command; // COMMAND: without origin, account, nick, delay and random
} NetMessage;

// Reads the envelope {"t","id"?,"d"} and the data of its type. has_id and id are set as soon as
// they were read, so that an error can carry them.
JD_MUST_USE bool net_message_read(json_t *object, NetMessage *out, NetError *err);

// The bodies of HTTP requests. The command's id is set by the caller from the path.
JD_MUST_USE bool net_command_challenge(json_t *object, LiveCommand *out, NetError *err);
// {"level","color","control","edition"?,"fen"?,"take_backs"?}
JD_MUST_USE bool net_command_computer(json_t *object, LiveCommand *out, NetError *err);
JD_MUST_USE bool net_command_move(json_t *object, LiveCommand *out, NetError *err);
// {"ply","uci"?}; the move, if there is one, is left in uci
JD_MUST_USE bool net_command_hint(json_t *object, LiveCommand *out, NetError *err);
JD_MUST_USE bool net_command_draw(json_t *object, LiveCommand *out, NetError *err);
// {"act":"win"|"draw"}
JD_MUST_USE bool net_command_abandon(json_t *object, LiveCommand *out, NetError *err);
// What the house adds to a challenge: its edition where none was chosen, whether it supervises.
void net_command_house(const NetConfig *config, LiveCommand *command);
// {}
JD_MUST_USE bool net_command_empty(json_t *object, NetError *err);

#endif
