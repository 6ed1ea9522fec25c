#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What the site costs when nobody is there: time from start to its first answer on an empty data
# directory, and memory after it has idled.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
data=$(mktemp -d)
trap 'kill "$pid" 2>/dev/null; wait "$pid" 2>/dev/null || true; rm -rf "$data"' EXIT
for round in 1 2 3; do
    rm -rf "${data:?}"/*
    begin=$(date +%s%N)
    build/jadoube serve --data "$data" --port 0 >"$data/said" 2>/dev/null &
    pid=$!
    until grep -q http "$data/said"; do sleep 0.005; done
    python3 - "$(grep -o 'http[^ ]*' "$data/said")" <<'PY'
import sys, urllib.request
assert urllib.request.urlopen(sys.argv[1] + "healthz").status == 200
PY
    end=$(date +%s%N)
    sleep 2
    echo "round $round: first answer after $(((end - begin) / 1000000)) ms (the asking Python included), $(awk '/VmRSS/ {print $2}' "/proc/$pid/status") KiB resident"
    kill "$pid"
    wait "$pid" || true
done
