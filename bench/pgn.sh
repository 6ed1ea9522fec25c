#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# How fast files of games are checked: every move of every game on the board, one core, beside
# Debian's pgn-extract in the same run.
# usage: bench/pgn.sh [FILE [GAMES]]
#   FILE   games in PGN, plain or packed by zstd or gzip; without it random games are made, and it is said
#   GAMES  the file is repeated until it has that many (100000)
# JADOUBE and BENCH_GAMES name the programs when they are not in build/.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
program=${JADOUBE:-build/jadoube}
maker=${BENCH_GAMES:-build/bench/bench_pgn_games}
peer=$(command -v pgn-extract || echo /usr/games/pgn-extract)
[ -x "$peer" ] || { echo "pgn-extract is missing (Debian package pgn-extract)" >&2; exit 1; }
games=${2:-100000}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if [ $# -gt 0 ]; then
    case $1 in
    *.zst) zstd -qdc "$1" >"$work/once.pgn" ;;
    *.gz) gzip -dc "$1" >"$work/once.pgn" ;;
    *) ln -s "$(readlink -f "$1")" "$work/once.pgn" ;;
    esac
    count=$(grep -c '^\[Event ' "$work/once.pgn")
    for ((done = 0; done < games; done += count)); do cat "$work/once.pgn"; done >"$work/games.pgn"
    echo "games: $1, $count of them, repeated to $done"
else
    "$maker" "$games" >"$work/games.pgn"
    echo "games: $games of random moves, made for this run; real games need a FILE"
fi
# The same games without comments: bare moves are the harder case for a byte rate.
"$program" pgn convert --no-progress --strip=comments,nags "$work/games.pgn" >"$work/bare.pgn" 2>/dev/null || true

# measure COMMAND...: seconds of the processor and the largest memory in KiB.
measure() {
    taskset -c 0 /usr/bin/time -o "$work/time" -f '%U %S %M' "$@" >"$work/out" 2>"$work/errors" || true
    tail -1 "$work/time"
}

status=0
printf '%-22s %10s %9s %9s %9s %9s\n' '' games seconds games/s MB/s 'RSS MiB'
for file in games bare; do
    size=$(stat -c %s "$work/$file.pgn")
    # Twice each, alternating; the faster run of each counts.
    best_ours=999999 best_peer=999999
    for _ in 1 2; do
        read -r user system rss < <(measure "$program" pgn check --quiet --no-progress "$work/$file.pgn")
        ours=$(awk "BEGIN { print $user + $system }")
        best_ours=$(awk "BEGIN { print ($ours < $best_ours) ? $ours : $best_ours }")
        our_rss=$rss
        our_games=$(awk '/ games, / { print $1 }' "$work/out")
        read -r user system rss < <(measure "$peer" -r "$work/$file.pgn")
        peers=$(awk "BEGIN { print $user + $system }")
        best_peer=$(awk "BEGIN { print ($peers < $best_peer) ? $peers : $best_peer }")
        peer_rss=$rss
        peer_games=$(grep -ao 'games matched out of [0-9]*' "$work/errors" | tail -1 | grep -o '[0-9]*')
    done
    row() {
        awk -v name="$1" -v games="$2" -v s="$3" -v size="$size" -v rss="$4" 'BEGIN {
            printf "%-22s %10d %9.2f %9.0f %9.1f %9.1f\n", name, games, s, games / s, size / s / 1e6, rss / 1024 }'
    }
    row "jadoube, $file" "$our_games" "$best_ours" "$our_rss"
    row "pgn-extract, $file" "$peer_games" "$best_peer" "$peer_rss"
    awk "BEGIN { printf \"%-22s %.1f times as many games a second\n\", \"\", $best_peer / $best_ours }"
    if [ "$our_games" != "$peer_games" ]; then
        echo "the two count different numbers of games" >&2
        status=1
    fi
done
exit $status
