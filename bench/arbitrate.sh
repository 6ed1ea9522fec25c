#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# How fast `jadoube arbitrate` judges games: one core, processor time, the best of five runs.
# usage: bench/arbitrate.sh [FILE]
#   FILE  games in PGN, plain or packed; without it 20,000 random games are made, and it is said
# JADOUBE and BENCH_GAMES name the programs when they are not in build/.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
program=${JADOUBE:-build/jadoube}
maker=${BENCH_GAMES:-build/bench/bench_pgn_games}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if [ $# -gt 0 ]; then
    case $1 in
    *.zst) zstd -qdc "$1" >"$work/games.pgn" ;;
    *.gz) gzip -dc "$1" >"$work/games.pgn" ;;
    *) ln -s "$(readlink -f "$1")" "$work/games.pgn" ;;
    esac
    said="games: $1"
else
    "$maker" 20000 >"$work/games.pgn"
    said="games: random moves, made for this run; real games need a FILE"
fi
"$program" arbitrate --summary "$work/games.pgn" >"$work/summary" 2>"$work/errors" || true
count=$(sed -n 's/^Games: //p' "$work/summary")
[ -n "$count" ] || { cat "$work/errors" >&2; exit 1; }
echo "$said, $count of them"

# measure OPTION...: seconds of the processor, the best of five.
measure() {
    for _ in 1 2 3 4 5; do
        # The exit code tells of the games, not of the run.
        taskset -c 0 /usr/bin/time -o "$work/time" -f '%U %S' "$program" arbitrate "$@" "$work/games.pgn" \
            >"$work/out" 2>"$work/errors" || true
        tail -1 "$work/time" | awk '{ print $1 + $2 }'
    done | sort -g | head -1
}

printf '%-28s %14s\n' "" "games/s"
for row in "report in English:" "report in Russian:--lang=ru" "JSON:--json" "totals alone:--summary" \
    "Laws of 2005, totals alone:--edition=fide-2005 --summary"; do
    read -ra options <<<"${row#*:}"
    seconds=$(measure "${options[@]}")
    awk -v name="${row%%:*}" -v games="$count" -v seconds="$seconds" \
        'BEGIN { printf "%-28s %14.0f\n", name, games / (seconds > 0 ? seconds : 0.01) }'
done
