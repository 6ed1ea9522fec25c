# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced: a server of its own on an empty database, for what is measured by jadoube-load.

program=${JADOUBE_PROGRAM:-build/jadoube}
load=${JADOUBE_LOAD:-build/bench/jadoube-load}

# on_core N command...: on that processor alone, where there is more than one; PRIO may be set to
# a command that gives it a priority ("chrt -f 1"), for a machine that has other work.
on_core() {
    local core=$1
    shift
    if [ "$(nproc)" -gt 1 ]; then exec ${PRIO-} taskset -c "$core" "$@"; else exec "$@"; fi
}

# start_site CORE flags...: sets site (process), port and data; CORE is a number, or "any".
start_site() {
    data=$(mktemp -d "${TMPDIR:-/tmp}/jadoube-bench-XXXXXX")
    restart_site "$@"
}

# The same on the data that is there.
restart_site() {
    local core=$1
    shift
    local command=("$program" serve --data "$data" --port 0 --captcha off --rate-limits off --max-connections 65000 "$@")
    : >"$data/out"
    if [ "$core" = any ]; then
        "${command[@]}" >"$data/out" 2>>"$data/err" &
    else
        (on_core "$core" "${command[@]}") >"$data/out" 2>>"$data/err" &
    fi
    site=$!
    for _ in $(seq 3000); do
        port=$(sed -n 's,.*https*://[^/]*:\([0-9]*\)/.*,\1,p' "$data/out")
        [ -n "$port" ] && return
        kill -0 "$site" 2>/dev/null || break
        sleep 0.01
    done
    cat "$data/err" >&2
    return 1
}

stop_site() {
    [ -n "${site-}" ] && kill "$site" 2>/dev/null && wait "$site" 2>/dev/null
    [ -n "${data-}" ] && rm -rf "$data"
    site=
    data=
}
trap 'stop_site' EXIT

say_load() {
    echo "load average $(cut -d' ' -f1-3 /proc/loadavg), $(nproc) processors"
}
