# SPDX-License-Identifier: GPL-3.0-or-later
# ./dev test: every configuration, one closing line.
# shellcheck shell=bash

passed=0
failed=0
skipped=0
failures=() # "folder: test (how): its failed cases"; told at the very end, where a log that was cut still has them

# suite FOLDER ARGUMENTS...: runs meson test there and adds up what it says.
suite() {
    local folder=$1
    shift
    local log=$folder/meson-logs/testlog.json
    rm -f "$log"
    meson test -C "$folder" --no-rebuild --print-errorlogs "$@" || true
    [ -f "$log" ] || {
        note "$folder: no test ran"
        failures+=("$folder: no test ran")
        failed=$((failed + 1))
        return
    }
    local counts lines ok bad skip
    counts=$(python3 - "$folder" "$log" <<'PY'
import json, sys
folder, log = sys.argv[1:]
tests = [json.loads(line) for line in open(log, encoding="utf-8")]
good, skipped = ([t for t in tests if t["result"] == result] for result in ("OK", "SKIP"))
bad = [t for t in tests if t["result"] not in ("OK", "SKIP")]
print(len(good), len(bad), len(skipped))
for test in bad:
    said = (test.get("stdout", "") + "\n" + test.get("stderr", "")).splitlines()
    cases = [line[14:] for line in said if line.startswith("failed cases: ")]
    cases += dict.fromkeys(line[13:] for line in said if line.startswith("[  FAILED  ] test_"))
    told = f": {'; '.join(cases)}" if cases else ""
    print(f"{folder}: {test['name']} ({test['result']}, {test['duration']:.0f} s){told}")
PY
    ) || counts="0 1 0
$folder: $log cannot be read"
    mapfile -t lines <<<"$counts"
    read -r ok bad skip <<<"${lines[0]}"
    failures+=("${lines[@]:1}")
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
        suite build-asan --timeout-multiplier 16 --no-suite slow --no-suite e2e --no-suite tools --no-suite postgres
}

tsan_tests() {
    note "thread sanitizer (clang)"
    CC=clang configure build-tsan -Dbuildtype=debugoptimized -Db_sanitize=thread
    build_only build-tsan
    TSAN_OPTIONS=halt_on_error=1 suite build-tsan --timeout-multiplier 24 --suite store --suite engine --suite pages --suite net --suite live --no-suite slow
}

# crash_rounds ROUNDS SEED: three in ten of them on PostgreSQL.
crash_rounds() {
    need_packages "${BUILD_PACKAGES[@]}" "${TEST_PACKAGES[@]}"
    need_browser_tools
    build_release
    local node on_postgres=$(($1 * 3 / 10))
    node=$(node_20_bin)
    export JADOUBE_BAD_MACHINE=$PWD/build/tests/crash/libbad_machine.so
    "$node" tests/crash/rounds.mjs --rounds $(($1 - on_postgres)) --seed "$2"
    tests/tools/with_postgres.sh "$node" tests/crash/rounds.mjs --rounds "$on_postgres" --seed "$2"
}

run_tests() {
    need_packages "${BUILD_PACKAGES[@]}" "${TEST_PACKAGES[@]}"
    need_browser_tools
    export JADOUBE_TEST_NODE
    JADOUBE_TEST_NODE=$(node_20_bin)
    case "$1" in
    all)
        # gcc builds the release; clang, warnings as errors too, builds both sanitizer trees.
        release_tests --no-suite more
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
    echo
    [ ${#failures[@]} -eq 0 ] || printf 'FAILED %s\n' "${failures[@]}"
    printf '%s passed, %s failed' "$passed" "$failed"
    [ "$skipped" -gt 0 ] && printf ', %s skipped' "$skipped"
    printf '\n'
    [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
}
