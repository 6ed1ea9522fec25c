// SPDX-License-Identifier: GPL-3.0-or-later
//
// Games and challenges come to this node: a worker reads who their people are, live replays them,
// piece by piece so that the loop is never held up for long. Loop thread only.
#ifndef JADOUBE_NET_ADOPT_H
#define JADOUBE_NET_ADOPT_H

#include "live/live.h"
#include "store/store.h"

struct NetServer;

// Takes the taking over. The cluster hears of each piece (net_cluster_adopted) and of the end
// (net_cluster_taken).
void net_adopt(struct NetServer *server, StoreTaking *taking);

// A vacation that another node took down: the games here follow, those that sleep as well.
void net_vacation_told(struct NetServer *server, const LiveVacation *vacation);

#endif
