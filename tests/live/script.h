// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef JADOUBE_TESTS_LIVE_SCRIPT_H
#define JADOUBE_TESTS_LIVE_SCRIPT_H

// Runs every scenario of tests/data/live/<name>; fails the running test at the first difference.
void script_run(const char *name);

#endif
