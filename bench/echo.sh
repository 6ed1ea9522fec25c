#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Move echo with many games running: ./dev bench echo [GAMES [SECONDS [SECONDS_A_MOVE]]]
set -euo pipefail
. tools/dev/lib.sh
need_browser_tools
node_20 bench/echo.mjs "$@"
