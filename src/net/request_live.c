// SPDX-License-Identifier: GPL-3.0-or-later
//
// From a request to live and back: a command waits for a slow commit, for a game that sleeps, for
// the word of other nodes that it is fair, and then is one step.
#include <stdlib.h>

#include "net/gateway.h"
#include "net/http.h"
#include "net/me.h"

static const char cannot_write[] = "the server cannot write now; try again";

static void unavailable(NetRequest *request, const char *why) {
    net_reply_fault(request, "unavailable", NULL, why);
    request->retry_after = 1;
    net_request_finish(request);
}

// ---- waiting ----------------------------------------------------------------------------------

typedef void (*GoOnFn)(NetRequest *request, LiveCommand *command);

// A command that waits. What it points at belongs to the request.
typedef struct Asked {
    NetRequest *request;
    LiveCommand command;
    GoOnFn then;
    const char *why; // it is not done, when it cannot go on
} Asked;

static Asked *ask(NetRequest *request, const LiveCommand *command, GoOnFn then, const char *why) {
    Asked *asked = malloc(sizeof(*asked));
    if (asked == NULL)
        return NULL;
    *asked = (Asked) { .request = request, .command = *command, .then = then, .why = why };
    net_request_hold(request);
    return asked;
}

static void forget(Asked *asked) {
    net_request_drop(asked->request);
    free(asked);
}

static void go_on(void *context, bool ok) {
    Asked *asked = context;
    if (ok)
        asked->then(asked->request, &asked->command);
    else
        unavailable(asked->request, asked->why);
    forget(asked);
}

// Whether commands are taken now. If not, the request waits for a commit that takes long and goes
// on by `then`, or is answered.
static bool is_ready(NetRequest *request, const LiveCommand *command, GoOnFn then) {
    NetServer *server = request->server;
    if (!server->stop && net_shell_ready(&server->shell))
        return true;
    Asked *asked = !server->stop && net_shell_pauses(&server->shell)
                       ? ask(request, command, then, cannot_write)
                       : NULL;
    if (asked != NULL && net_shell_wait(&server->shell, go_on, asked))
        return false;
    if (asked != NULL)
        forget(asked);
    unavailable(request, cannot_write);
    return false;
}

// ---- one after the other, from the last -------------------------------------------------------

static void step(NetRequest *request, LiveCommand *command) {
    if (!is_ready(request, command, step))
        return;
    LiveProfile profile; // as it is now
    command->profile = NULL;
    if (request->logged_in) {
        profile = net_profile_of(&request->me);
        profile.parts |= LIVE_PROFILE_BLOCKED;
        profile.blocked = request->ignored;
        profile.blocked_count = (uint16_t)request->ignored_count;
        command->profile = &profile;
    }
    net_request_hold(request);
    net_shell_step(&request->server->shell, command);
}

static void allowed(void *context, bool ok) {
    Asked *asked = context;
    if (ok) {
        step(asked->request, &asked->command);
    } else {
        net_reply_fault(asked->request, "fair_play", NULL,
                        "the position, or a game on the clock, is being played with a person");
        net_request_finish(asked->request);
    }
    forget(asked);
}

static void step_if_fair(NetRequest *request, LiveCommand *command) {
    ChessPosition position;
    NetPositions positions;
    if (!net_gateway_must_ask(request->server, command, &position, &positions)) {
        step(request, command);
        return;
    }
    Asked *asked = ask(request, command, NULL, NULL);
    if (asked == NULL)
        unavailable(request, "no memory");
    else
        net_gateway_may(request->server, command->account, &positions, allowed, asked);
}

static void wake_first(NetRequest *request, LiveCommand *command) {
    NetSleepers *sleepers = &request->server->sleepers;
    bool full = false;
    if (!is_ready(request, command, wake_first))
        return;
    if (!net_sleepers_needed(sleepers, command)) {
        step_if_fair(request, command);
        return;
    }
    Asked *asked = ask(request, command, step_if_fair, "the game cannot be read now; try again");
    if (asked == NULL) {
        unavailable(request, "no memory");
        return;
    }
    if (net_sleepers_wait(sleepers, command, go_on, asked, &full))
        return;
    forget(asked);
    if (full)
        unavailable(request, "too many requests are waiting");
    else
        step_if_fair(request, command);
}

// ---- there and back ---------------------------------------------------------------------------

void net_request_live(NetRequest *request, LiveCommand *command, NetAnsweredFn answered) {
    request->answered = answered == NULL ? net_answer_reply : answered;
    command->origin = (LiveOrigin) { .connection = 0, .token = (uint64_t)(uintptr_t)request };
    if (request->logged_in) {
        command->account = request->me.account;
        command->nick = jd_str(request->me.nick);
    }
    wake_first(request, command);
}

void net_http_answer(NetServer *server, const LiveOrigin *origin, const LiveAnswer *answer) {
    // The word that live gives back is the request itself, held since net_request_live.
    NetRequest *request =
        (NetRequest *)(uintptr_t)origin->token; // NOLINT(performance-no-int-to-ptr): a round trip
    (void)server;
    if (request == NULL) // a move of the computer, which waits for no answer
        return;
    request->answered(request, answer);
    net_request_drop(request);
}
