// SPDX-License-Identifier: GPL-3.0-or-later
//
// Inner: the computer's moves on the site. live says when a level is to move; the engines think on
// a thread of their own; the move is given back to live after as long as a person would take.
// Loop thread only, but for what the engines' thread hands over.
#ifndef JADOUBE_NET_COMPUTER_H
#define JADOUBE_NET_COMPUTER_H

#include <uv.h>

#include "engine/engine.h"
#include "live/live.h"
#include "net/config.h"
#include "net/shell.h"
#include "pages/pages.h"

typedef struct NetComputer NetComputer;

// Makes the handles on the loop and opens the pool; the shell may be started later.
JD_MUST_USE bool net_computer_open(uv_loop_t *loop, NetShell *shell, const NetConfig *config,
                                   NetComputer **out, JdErr *err);
// The accounts of all levels, made where they are missing; before the shell replays the log.
JD_MUST_USE bool net_computer_accounts(Pages *pages, JdInstant now,
                                       PagesMe accounts[LIVE_LEVELS_MAX], JdErr *err);
// An effect LIVE_FX_THINK.
void net_computer_think(NetComputer *computer, const LiveId *game, const LiveThink *think);

// A question to the same engines: a hint, an analysis. done is called on the loop, once, at the
// latest from net_computer_stop (ENGINE_CANCELLED). The question's own done and context are not
// used. False: no memory, and done is not called.
typedef void (*NetThoughtFn)(void *context, const EngineAnswer *answer);
JD_MUST_USE bool net_computer_ask(NetComputer *computer, const EngineQuestion *question,
                                  NetThoughtFn done, void *context);

bool net_computer_is_there(const NetComputer *computer);
void net_computer_stats(NetComputer *computer, EngineStats *out);

// Ends the engines, then takes the handles off the loop; what it held is freed by net_computer_free
// when the loop has closed them. NULL is allowed.
void net_computer_stop(NetComputer *computer);
void net_computer_free(NetComputer *computer);

#endif
