#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Move echo with many games running, then with fifty games against the computer beside them.
# usage: ./dev bench echo [GAMES [SECONDS [SECONDS_A_MOVE]]]
# Ends with 1 when the 99th percentile is above 20 ms, or above 30 ms with the computer.
set -euo pipefail
cd "$(dirname "$0")/.."
. bench/load/site.sh
games=${1-1000}
seconds=${2-20}
every=${3-5}
status=0

say_load
echo "== $games games between people; the server on one processor, the driver on the other"
start_site 0
(on_core 1 "$load" --port "$port" --games "$games" --seconds "$seconds" --every "$every" \
    --server "$site" --floor "$data" --p99-max 20) || status=1
stop_site

echo
echo "== the same beside 50 games against the computer that always thinks; all on all processors"
start_site any --engine-pace off
"$load" --port "$port" --games "$games" --seconds "$seconds" --every "$every" \
    --server "$site" --floor "$data" --computers 50 --p99-max 30 || status=1
stop_site
say_load
exit $status
