#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs a command beside a PostgreSQL server of its own, which it finds in JADOUBE_TEST_DATABASE and which
# is gone afterwards: with_postgres.sh COMMAND...  (fsync is off: what is lost when the machine dies is not tested here.)
set -euo pipefail
bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -1)
[ -n "$bin" ] || {
    echo "with_postgres.sh: no PostgreSQL server is installed" >&2
    exit 1
}
place=$(mktemp -d "${TMPDIR:-/tmp}/jadoube-pg-XXXXXX")
# The server refuses to run as root.
as=()
if [ "$(id -u)" -eq 0 ]; then
    chown postgres "$place"
    as=(setpriv --reuid postgres --regid postgres --init-groups)
fi
finish() {
    "${as[@]}" "$bin/pg_ctl" -D "$place/data" -m immediate -s stop || true
    rm -rf "$place"
}
trap finish EXIT
# A slow disk has its time: so long pg_ctl waits, here and where a test starts the server anew.
export PGCTLTIMEOUT=300
cd "$place"
"${as[@]}" "$bin/initdb" -D "$place/data" -U jadoube -A trust -E UTF8 --locale=C.UTF-8 -N >"$place/initdb.log" || {
    cat "$place/initdb.log" >&2
    exit 1
}
"${as[@]}" "$bin/pg_ctl" -D "$place/data" -s -w -l "$place/server.log" \
    -o "-k $place -c listen_addresses= -c max_connections=300 -c fsync=off" start
cd - >/dev/null
export JADOUBE_TEST_DATABASE="postgresql:///postgres?host=$place&user=jadoube"
export JADOUBE_TEST_POSTGRES_BIN=$bin JADOUBE_TEST_POSTGRES_DATA=$place/data
"$@"
