#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# How long it takes to know who can still mate: after every move of every game, at flag falls, and for the
# hard positions of the tests.
# usage: bench/dead.sh [FILE [GAMES]]
#   FILE   games in PGN, plain or packed by zstd or gzip; without it random games are made, and it is said
#   GAMES  how many of them (all; 2000 random ones)
# BENCH_DEAD and BENCH_GAMES name the programs when they are not in build/.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
program=${BENCH_DEAD:-build/bench/bench_dead}
maker=${BENCH_GAMES:-build/bench/bench_pgn_games}
hard=tests/data/dead/positions.txt

if [ $# -gt 0 ]; then
    echo "games: $1"
    case $1 in
    *.zst) unpack="zstd -qdc" ;;
    *.gz) unpack="gzip -dc" ;;
    *) unpack="cat" ;;
    esac
    $unpack "$1" | "$program" "$hard" "${2:-1000000000}"
else
    games=${2:-2000}
    echo "games: $games of random moves, made for this run; real games need a FILE"
    "$maker" "$games" | "$program" "$hard"
fi
