#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Three nodes of one site on this machine, for a look at docs/operations-cluster.md: a PostgreSQL server, a Redis
# server and, where it is installed, an nginx in front, all in a folder of their own that is gone afterwards.
#     ./dev build && examples/three_nodes.sh            (Ctrl+C ends it)
#     examples/three_nodes.sh COMMAND...                runs the command beside them, with SITE in its environment
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd)
program=${JADOUBE_PROGRAM:-$root/build/jadoube}
first=${PORT:-8460} # nginx; the nodes have the next three, Redis the fourth
[ -x "$program" ] || { echo "three_nodes.sh: ./dev build first" >&2; exit 1; }
command -v redis-server >/dev/null || { echo "three_nodes.sh: redis-server is not installed" >&2; exit 1; }
# A PostgreSQL server of its own; this script is started again beside it.
if [ -z "${JADOUBE_TEST_DATABASE-}" ]; then
    exec bash "$root/tests/tools/with_postgres.sh" bash "$0" "$@"
fi

place=$(mktemp -d "${TMPDIR:-/tmp}/jadoube-three-XXXXXX")
began=()
finish() {
    trap - EXIT INT TERM
    [ ${#began[@]} -eq 0 ] || kill "${began[@]}" 2>/dev/null || true
    wait
    rm -rf "$place"
}
trap finish EXIT
trap 'exit 0' INT TERM

redis-server --port $((first + 4)) --bind 127.0.0.1 --save "" --appendonly no --daemonize no >"$place/redis.log" &
began+=($!)

site=http://127.0.0.1:$first
proxy=on
command -v nginx >/dev/null || { proxy=off; site=http://127.0.0.1:$((first + 1)); }
for name in a b c; do
    port=$((first + 1 + $(printf '%d' "'$name") - 97))
    "$program" serve --node "$name" --database "$JADOUBE_TEST_DATABASE" --bus "redis://127.0.0.1:$((first + 4))/three" \
        --data "$place/$name" --port "$port" --origin "$site" --behind-proxy "$proxy" --rate-limits off --captcha question \
        >"$place/$name.out" 2>"$place/$name.log" &
    began+=($!)
    for _ in $(seq 100); do
        grep -q running "$place/$name.out" && break
        sleep 0.1
    done
    grep -q running "$place/$name.out" || { cat "$place/$name.log" >&2; exit 1; }
    echo "node $name: http://127.0.0.1:$port (process $!)"
done

if [ "$proxy" = on ]; then
    # As in docs/operations-cluster.md, but for the addresses, the certificate and where its files lie.
    sed -n '/^```nginx$/,/^```$/p' "$root/docs/operations-cluster.md" | sed '/^```/d' |
        sed -E -e "s/10\.0\.0\.([123]):8464/127.0.0.1:$first+\1/" -e "s/listen 443 ssl http2;/listen 127.0.0.1:$first;/" \
            -e '/ssl_certificate/d' -e 's/server_name .*/server_name _;/' -e "s/\\\$host;/\$http_host;/" |
        awk '{ while (match($0, /[0-9]+\+[123]/)) { split(substr($0, RSTART, RLENGTH), n, "+");
               $0 = substr($0, 1, RSTART - 1) (n[1] + n[2]) substr($0, RSTART + RLENGTH) } print }' >"$place/site.conf"
    mkdir "$place/nginx"
    cat >"$place/nginx.conf" <<CONF
$([ "$(id -u)" -eq 0 ] && echo "user root;")
daemon off;
pid $place/nginx/pid;
error_log $place/nginx/error.log;
events { worker_connections 4096; }
http {
    access_log off;
    client_body_temp_path $place/nginx/body;
    proxy_temp_path $place/nginx/proxy;
    fastcgi_temp_path $place/nginx/fastcgi;
    uwsgi_temp_path $place/nginx/uwsgi;
    scgi_temp_path $place/nginx/scgi;
    include $place/site.conf;
}
CONF
    nginx -c "$place/nginx.conf" -e "$place/nginx/error.log" &
    began+=($!)
    for _ in $(seq 50); do
        (exec 3<>"/dev/tcp/127.0.0.1/$first") 2>/dev/null && break
        sleep 0.1
    done
fi
echo "the site: $site (logs in $place)"
if [ $# -gt 0 ]; then
    SITE=$site "$@"
else
    wait
fi
