// SPDX-License-Identifier: GPL-3.0-or-later
//
// Inner: reports of finished games for those whose browser runs no engine. Each is worked
// out position by position, after moves and hints; among those who wait each has his turn. What was
// worked out is kept in memory for whoever asks next. Loop thread only.
#ifndef JADOUBE_NET_REPORT_H
#define JADOUBE_NET_REPORT_H

#include "net/computer.h"

// Reports begun for one account in a day (UTC), reports at work at a time, and reports kept.
#define NET_REPORTS_A_DAY 10
#define NET_REPORTS_WORKING 32
#define NET_REPORTS_KEPT 256

typedef struct NetReports NetReports;
NetReports *net_reports_new(void); // NULL: no memory
// After net_computer_stop, which ends what is worked on. NULL is allowed.
void net_reports_free(NetReports *reports);

#endif
