// SPDX-License-Identifier: GPL-3.0-or-later
//
// The objects of pages as JSON, by docs/protocol.md.
#ifndef JADOUBE_NET_ME_H
#define JADOUBE_NET_ME_H

#include "net/buf.h"
#include "live/live.h"
#include "pages/pages.h"

// Me, or null for a guest.
void net_write_me(NetBuf *out, const PagesMe *me);
// What live goes by, from an account as its session was looked up.
LiveProfile net_profile_of(const PagesMe *me);
LiveProfile net_profile_of_ratings(const PagesRatings *ratings);
// What an account has set, by name (api_settings.c).
void net_write_prefs(NetBuf *out, const PagesPrefs *prefs);
// Player.
void net_write_player(NetBuf *out, const PagesPlayer *player, bool online);

#endif
