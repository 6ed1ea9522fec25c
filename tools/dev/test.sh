# SPDX-License-Identifier: GPL-3.0-or-later
# ./dev test: every configuration, one closing line.
# shellcheck shell=bash

passed=0
failed=0
skipped=0

# suite FOLDER ARGUMENTS...: runs meson test there and adds up what it says.
suite() {
    local folder=$1
    shift
    local log=$folder/meson-logs/testlog.json
    rm -f "$log"
    meson test -C "$folder" --no-rebuild --print-errorlogs "$@" || true
    [ -f "$log" ] || {
        note "$folder: no test ran"
        failed=$((failed + 1))
        return
    }
    local counts
    counts=$(python3 - "$log" <<'PY'
import json, sys
results = [json.loads(line)["result"] for line in open(sys.argv[1], encoding="utf-8")]
print(results.count("OK"), len(results) - results.count("OK") - results.count("SKIP"), results.count("SKIP"))
PY
    )
    read -r ok bad skip <<<"$counts"
    passed=$((passed + ok))
    failed=$((failed + bad))
    skipped=$((skipped + skip))
}

build_only() { ninja -C "$1" -j "$(nproc)" >&2 || die "$1 does not build"; }

release_tests() {
    note "gcc, release"
    build_release
    suite build "$@"
}

clang_build() {
    note "clang, warnings as errors"
    CC=clang configure build-clang -Dbuildtype=release
    build_only build-clang
    suite build-clang --suite base --suite chess --suite laws --no-suite slow
}

asan_tests() {
    note "address and undefined-behaviour sanitizers (clang)"
    CC=clang configure build-asan -Dbuildtype=debugoptimized -Db_sanitize=address,undefined
    build_only build-asan
    UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 ASAN_OPTIONS=detect_leaks=1 \
        suite build-asan --timeout-multiplier 4 --no-suite slow --no-suite e2e --no-suite tools --no-suite postgres
}

tsan_tests() {
    note "thread sanitizer (clang)"
    CC=clang configure build-tsan -Dbuildtype=debugoptimized -Db_sanitize=thread
    build_only build-tsan
    TSAN_OPTIONS=halt_on_error=1 suite build-tsan --timeout-multiplier 6 --suite store --suite engine --suite pages --suite net --suite live --no-suite slow
}

run_tests() {
    need_packages "${BUILD_PACKAGES[@]}" "${TEST_PACKAGES[@]}"
    need_browser_tools
    export JADOUBE_NODE
    JADOUBE_NODE=$(node_20_bin)
    case "$1" in
    all)
        # gcc builds the release; clang, warnings as errors too, builds both sanitizer trees.
        release_tests
        asan_tests
        tsan_tests
        ;;
    quick) release_tests --no-suite slow --no-suite e2e --no-suite postgres ;;
    unit) release_tests --no-suite e2e ;;
    e2e) release_tests --suite e2e ;;
    postgres) release_tests --suite postgres ;;
    clang) build_release && clang_build ;;
    asan) build_release && asan_tests ;;
    tsan) build_release && tsan_tests ;;
    *) release_tests "$1" ;;
    esac
    printf '\n%s passed, %s failed' "$passed" "$failed"
    [ "$skipped" -gt 0 ] && printf ', %s skipped' "$skipped"
    printf '\n'
    [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
}
