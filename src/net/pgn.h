// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef JADOUBE_NET_PGN_H
#define JADOUBE_NET_PGN_H

#include "live/live.h"
#include "net/buf.h"

// Appends the game in PGN export format; origin is what people call the site. False: no memory.
JD_MUST_USE bool net_pgn_write(const char *origin, const LiveGameView *game, NetBuf *out);

#endif
