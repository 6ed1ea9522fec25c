#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A long run: games with watchers, connections that break and come back, a lobby that changes,
# readers that do not read. A line a minute; ends with 1 when memory or latency grow.
# usage: ./dev bench soak [MINUTES [options of jadoube-load]]   (60)
set -euo pipefail
cd "$(dirname "$0")/.."
. bench/load/site.sh
minutes=${1-60}
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- --games 1000 --every 1 --watchers 100 --reconnects 5
status=0
say_load
start_site 0
(on_core 1 "$load" --port "$port" --server "$site" --soak "$minutes" "$@") || status=1
stop_site
say_load
exit $status
