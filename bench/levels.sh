#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Matches between neighbouring levels of the computer opponents: ./dev bench levels [GAMES [FIRST LAST]]
set -euo pipefail
build/bench/bench_levels "$@"
