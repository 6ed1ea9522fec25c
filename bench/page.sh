#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# How much the board page transfers and how soon a move can be made on a slow phone line (X-037).
set -eu
cd "$(dirname "$0")/.."
exec node bench/page.mjs "$@"
