# SPDX-License-Identifier: GPL-3.0-or-later
# ./dev lint: what can be checked without running anything.
# shellcheck shell=bash

run_lint() {
    local status=0
    note "formatting"
    c_files | xargs -r clang-format --dry-run -Werror 2>&1 | head -40
    [ "${PIPESTATUS[1]}" -eq 0 ] || status=1
    note "the floors"
    python3 tests/tools/layers.py . || status=1
    note "clang-tidy"
    CC=clang configure build-clang -Dbuildtype=release
    build_release
    ninja -C build-clang -j "$(nproc)" >&2
    git ls-files -- 'src/*.c' | grep -v '^src/wasm/' | xargs -r -P "$(nproc)" -n 4 clang-tidy -p build-clang --quiet 2>/dev/null || status=1
    [ $status -eq 0 ] && note "clean"
    return $status
}
