#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What a hundred thousand sleeping games cost: time to the first answer after a start, and memory, with
# none and with COUNT (default 100000) of them; then how long one of them takes to wake.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
JADOUBE_PROGRAM=$PWD/build/tests/net/jadoube_shifted exec node tests/net/many_sleepers.mjs "${1-100000}"
