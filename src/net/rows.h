// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rows of games out of the database.
#ifndef JADOUBE_NET_ROWS_H
#define JADOUBE_NET_ROWS_H

#include "net/http.h"

// {"games":[GameRow],"after"}; loop thread, for it says who is online.
void net_reply_rows(NetRequest *request, const PagesGames *games);

#endif
