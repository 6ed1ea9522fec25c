# SPDX-License-Identifier: GPL-3.0-or-later
# ./dev fuzz [seconds] [target]: libFuzzer with the address and undefined-behaviour sanitizers.
# Finds are written to build-fuzz/finds; new corpus entries to build-fuzz/corpus, never to the tree.
# shellcheck shell=bash

run_fuzz() {
    local seconds=$1 only=$2 status=0 target name
    need_packages "${BUILD_PACKAGES[@]}" "${TEST_PACKAGES[@]}"
    build_release
    CC=clang configure build-fuzz -Dfuzz=true -Dtests=false -Dbuildtype=debugoptimized -Db_sanitize=address,undefined
    ninja -C build-fuzz -j "$(nproc)" >&2
    mkdir -p build-fuzz/finds
    local targets=()
    for target in build-fuzz/fuzz/fuzz_*; do
        [ -f "$target" ] && [ -x "$target" ] || continue
        name=${target##*/fuzz_}
        [ -z "$only" ] || [ "$only" = "$name" ] || continue
        targets+=("$target")
    done
    [ ${#targets[@]} -gt 0 ] || die "no fuzz target ${only}"
    for target in "${targets[@]}"; do
        name=${target##*/fuzz_}
        note "fuzzing $name for $seconds s"
        mkdir -p "build-fuzz/corpus/$name"
        UBSAN_OPTIONS=halt_on_error=1 "$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
            -verbosity=0 -artifact_prefix="build-fuzz/finds/$name-" "build-fuzz/corpus/$name" "fuzz/corpus/$name" || {
            status=1
            note "$name: a find in build-fuzz/finds"
        }
    done
    return $status
}
