#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Nodes a second of the move generator beside Stockfish's; arguments go to perft.py.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
exec python3 bench/perft.py build/bench/bench_perft "$@"
