#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# How long a server that was killed (kill -9) takes until it answers with all its games again.
# usage: ./dev bench recover [GAMES [MOVES]]   (10,000 games of 40 plies)
# A new process each time; what it reads is in the system's cache, for it was written a moment ago.
# Ends with 1 when the fastest of three starts takes longer than a second, or a game is missing.
set -euo pipefail
cd "$(dirname "$0")/.."
. bench/load/site.sh
games=${1-10000}
moves=${2-40}

figure() { curl -sf --noproxy '*' "http://127.0.0.1:$port/metrics" | sed -n "s/^jadoube_$1 //p"; }
now_ms() { echo $(($(date +%s%N) / 1000000)); }

say_load
start_site 0
(on_core 1 "$load" --port "$port" --games "$games" --every 1 --warm-up 0 --seconds "$((moves + 1))") >"$data/load" || {
    cat "$data/load"
    exit 1
}
grep -E 'games run|moves,' "$data/load"
kill -9 "$site"
wait "$site" 2>/dev/null || true
echo "log: $(du -h "$data/jadoube.db" | cut -f1), of it not yet moved into the file: $(du -h "$data/jadoube.db-wal" 2>/dev/null | cut -f1)"

best=
for _ in 1 2 3; do
    began=$(now_ms)
    restart_site 0
    until curl -sf --noproxy '*' -o "$data/ready" "http://127.0.0.1:$port/healthz"; do sleep 0.005; done
    took=$(($(now_ms) - began))
    running=$(figure games_running)
    echo "$running games go on after $took ms; $(($(figure resident_bytes) / 1024 / 1024)) MiB"
    [ -z "$best" ] || [ "$took" -lt "$best" ] && best=$took
    kill -9 "$site"
    wait "$site" 2>/dev/null || true
done
say_load
# Games that ended while they were played were begun anew; one may have been between the two.
[ "$running" -ge $((games * 99 / 100)) ] && [ "$best" -le 1000 ]
