#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Bare libwebsockets first, then the server under load by jadoube-load, one processor each.
# usage: ./dev bench load [options of jadoube-load]   (else 1000 games, a move in each every second)
set -euo pipefail
cd "$(dirname "$0")/.."
. bench/load/site.sh
[ $# -gt 0 ] || set -- --games 1000 --every 1 --watchers 100 --reconnects 2

say_load
echo "== bare libwebsockets"
(on_core 1 "$load" --echo --core 0 --connections 500 --seconds 10)
echo
echo "== $*"
start_site 0
status=0
(on_core 1 "$load" --port "$port" --server "$site" --floor "$data" "$@") || status=1
stop_site
say_load
exit $status
