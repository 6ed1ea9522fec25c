#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Bare libwebsockets first, then the server under load by jadoube-load, one processor each.
# usage: ./dev bench load                          (10,000 and 20,000 moves a second, five watchers at each
#                                                   game, 19,000 idle connections, and 4,000 by TLS)
#        ./dev bench load options of jadoube-load  (that alone)
# Ends with 1 when the 99th percentile at 10,000 moves is above 50 ms, an idle connection takes more
# than 10 KiB, or anything was answered wrongly. What 20,000 give is told only.
set -euo pipefail
cd "$(dirname "$0")/.."
. bench/load/site.sh
status=0

# echo_bare CONNECTIONS BYTES: the library alone; sets bare, frames a second each way.
echo_bare() {
    local echoed
    echoed=$(on_core 1 "$load" --echo --core 0 --connections "$1" --bytes "$2" --seconds 10) || return 1
    echo "$echoed"
    bare=$(sed -n 's/.*frames a second: \([0-9]*\) in.*/\1/p' <<<"$echoed")
}

# ratio FRAMES NAME
ratio() { awk -v all="$1" -v bare="$bare" -v name="$2" 'BEGIN { printf "frames in and out: %.2f of %s\n", all / (2 * bare), name }'; }

# play OPTIONS...: on a server of its own; then the library alone with as many connections and frames
# of the same mean size.
play() {
    local told played connections frames bytes
    echo
    echo "== $*"
    start_site 0
    told=$data.told
    (on_core 1 "$load" --port "$port" --server "$site" --floor "$data" "$@") | tee "$told" || {
        rm -f "$told"
        return 1
    }
    stop_site
    played=$(cat "$told")
    rm -f "$told"
    connections=$(sed -n 's/.* on \([0-9]*\) connections (.*/\1/p' <<<"$played")
    read -r frames bytes < <(sed -n \
        's/.*frames a second: \([0-9]*\) in, \([0-9]*\) out, of \([0-9]*\) bytes.*/\1 \2 \3/p' <<<"$played" |
        awk '{ print $1 + $2, $3 }')
    bare=$best
    ratio "$frames" "bare libwebsockets at its best"
    echo_bare "$connections" "$bytes"
    ratio "$frames" "bare libwebsockets with as many connections and such frames"
}

# A certificate of its own, for TLS.
make_certificate() {
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost \
        -keyout "$data/key.pem" -out "$data/cert.pem" 2>"$data/openssl" || {
        cat "$data/openssl" >&2
        return 1
    }
}

idle_by_tls() {
    echo
    echo "== $1 connections that do nothing, by TLS"
    data=$(mktemp -d "${TMPDIR:-/tmp}/jadoube-bench-XXXXXX")
    make_certificate
    restart_site 0 --tls-cert "$data/cert.pem" --tls-key "$data/key.pem"
    (on_core 1 "$load" --port "$port" --server "$site" --idle "$1" --tls) || return 1
    stop_site
}

# As many as the system's limit of open files allows, for both sides have it.
idle() {
    local count=$1
    local most=$(($(ulimit -Hn) - 100))
    if [ "$count" -gt "$most" ]; then
        echo "(at most $most connections: the system allows $(ulimit -Hn) open files)"
        count=$most
    fi
    echo
    echo "== $count connections that do nothing"
    start_site 0
    (on_core 1 "$load" --port "$port" --server "$site" --idle "$count" --kib-max 10) || return 1
    stop_site
}

say_load
echo "== bare libwebsockets at its best"
echo_bare 500 120
best=$bare
if [ $# -gt 0 ]; then
    play "$@" || status=1
else
    play --games 5000 --every 0.5 --p99-max 50 || status=1
    play --games 10000 --every 0.5 || true
    play --games 5000 --every 0.5 --watchers 2500 || status=1
    idle 19000 || status=1
    idle_by_tls 4000 || status=1
fi
say_load
exit $status
