#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs the packages of ./dev package in a fresh chroot of this machine's own Debian and looks whether the site works
# there as the user of the service, survives a newer version, and goes without a trace but its data. As root; what
# the packages need comes from where this machine's apt gets it. usage: package_test.sh FOLDER_OF_PACKAGES
set -euo pipefail
packages=$(readlink -f "$1")
tree=$(readlink -f "$(dirname "$0")/../..")
[ "$(id -u)" -eq 0 ] || {
    echo "package_test.sh: a chroot needs root" >&2
    exit 77
}
release=$(. /etc/os-release && echo "$VERSION_CODENAME")
mirror=$(apt-get indextargets --format '$(SITE)' "Codename: $release" | sed -n 1p)
[ -n "$mirror" ] || {
    echo "package_test.sh: apt has no lists of $release; apt-get update" >&2
    exit 1
}
place=$(mktemp -d "${TMPDIR:-/var/tmp}/jadoube-package-XXXXXX")
root=$place/root
server=
finish() {
    [ -z "$server" ] || kill -9 "$server" 2>/dev/null || true
    umount -q "$root/proc" || true
    rm -rf --one-file-system "$place"
}
trap finish EXIT
fail() {
    echo "FAILED: $*" >&2
    exit 1
}
chroot=(chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive HOME=/root)
club=("${chroot[@]}" setpriv --reuid jadoube --regid jadoube --init-groups)
inside() { "${chroot[@]}" "$@"; }
as_club() { "${club[@]}" "$@"; }
quietly() {
    "$@" >>"$place/log" 2>&1 || {
        tail -n 30 "$place/log" >&2
        fail "$*"
    }
}

echo "== debootstrap"
quietly debootstrap --variant=minbase "$release" "$root" "$mirror"
mount -t proc proc "$root/proc"
cp "$packages"/*.deb "$root/tmp/"
# Nothing is started there: there is no init.
printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
chmod +x "$root/usr/sbin/policy-rc.d"
quietly inside apt-get update

echo "== install"
quietly inside sh -c 'apt-get install -y --no-install-recommends /tmp/jadoube_*.deb'
[ "$(inside jadoube version)" = "jadoube $(inside dpkg-query -W -f '${Version}' jadoube)" ] || fail "the version"
[ "$(inside stat -c '%U:%G %a' /var/lib/jadoube)" = "jadoube:jadoube 750" ] || fail "the data directory"
[ "$(inside stat -c '%U:%G %a' /etc/jadoube/jadoube.conf)" = "root:jadoube 640" ] || fail "the rights of the settings"
for page in "$tree"/docs/man/*.1; do
    inside test -s "/usr/share/man/man1/$(basename "$page").gz" || fail "no man page $(basename "$page")"
done
inside test -s /usr/share/doc/jadoube/operations.md || fail "no runbook"
inside test -f /lib/systemd/system/jadoube.service || fail "no unit"
inside test -L /etc/systemd/system/multi-user.target.wants/jadoube.service || fail "the unit is not enabled"
inside test -L /etc/systemd/system/timers.target.wants/jadoube-backup.timer || fail "the nightly backup is not enabled"
inside jadoube perft 3 | grep -q 8902 || fail "perft"

start() {
    # Not by a function: $! is to be the site itself, not a shell around it.
    "${club[@]}" jadoube serve --config /etc/jadoube/jadoube.conf --port "$port" --captcha off >"$place/out" 2>"$place/err" &
    server=$!
    for _ in $(seq 300); do
        grep -q "is running" "$place/out" && return
        kill -0 "$server" || break
        sleep 0.1
    done
    cat "$place/err" >&2
    fail "the site does not start"
}
stop() {
    kill "$server"
    wait "$server" || fail "the site ends with $?"
    server=
}
ask() {
    python3 - "$port" "$@" <<'PY'
import json, sys, urllib.request
port, path, body = sys.argv[1], sys.argv[2], sys.argv[3] if len(sys.argv) > 3 else None
site = "http://127.0.0.1:" + port
call = urllib.request.Request(site + path, data=body.encode() if body else None, headers={"Content-Type": "application/json", "Origin": site})
sys.stdout.buffer.write(urllib.request.urlopen(call, timeout=30).read())
PY
}
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')

echo "== the site, as the unit starts it"
start
ask /healthz | grep -q '"ok"' || fail "health"
ask / | grep -qi '<!doctype html>' || fail "the client is not in the package"
parts=$(ask / | grep -oE '(src|href)="/assets/[^"]+\.(js|css)"' | cut -d'"' -f2)
grep -q 'js$' <<<"$parts" || fail "the client has no script"
for part in $parts; do
    cmp -s <(ask "$part") "$tree/web/dist$part" || fail "the client's part $part"
done
ask /api/v1/register '{"nick":"Anna","password":"knight on the rim 8","password2":"knight on the rim 8","language":"en","accept_rules":true}' | grep -q '"Anna"' || fail "registration"
as_club jadoube admin --config /etc/jadoube/jadoube.conf role Anna admin >/dev/null || fail "admin"
as_club jadoube admin --config /etc/jadoube/jadoube.conf backup /var/backups/jadoube --keep 3 >/dev/null || fail "backup while it runs"
stop

echo "== a newer version, with settings of one's own"
# The same program with another number and another file of settings.
quietly inside sh -c 'dpkg-deb -R /tmp/jadoube_*.deb /tmp/newer'
sed -i 's/^Version: .*/&+1/' "$root/tmp/newer/DEBIAN/control"
echo "# a line of the newer version" >>"$root/tmp/newer/etc/jadoube/jadoube.conf"
rm -f "$root/tmp/newer/DEBIAN/md5sums"
quietly inside dpkg-deb -b /tmp/newer /tmp/newer.deb
echo "registration = off" >>"$root/etc/jadoube/jadoube.conf"
quietly inside sh -c 'apt-get install -y --no-install-recommends -o Dpkg::Options::=--force-confold /tmp/newer.deb'
inside dpkg-query -W -f '${Version}' jadoube | grep -q '+1$' || fail "the newer version is not installed"
grep -q "registration = off" "$root/etc/jadoube/jadoube.conf" || fail "settings were written over"
grep -q "a line of the newer version" "$root/etc/jadoube/jadoube.conf.dpkg-dist" || fail "the newer settings are not laid beside"
[ "$(inside stat -c '%U:%G %a' /etc/jadoube/jadoube.conf)" = "root:jadoube 640" ] || fail "the rights of the settings after it"
inside test -L /etc/systemd/system/multi-user.target.wants/jadoube.service || fail "the unit is not enabled any more"
start
as_club jadoube admin --config /etc/jadoube/jadoube.conf roles | grep -q Anna || fail "the data are gone"
stop

echo "== the machine is lost: a restore from the backup"
inside sh -c 'rm -rf /var/lib/jadoube/*'
as_club sh -c 'jadoube admin --config /etc/jadoube/jadoube.conf restore /var/backups/jadoube/*.backup' >/dev/null || fail "restore"
start
as_club jadoube admin --config /etc/jadoube/jadoube.conf roles | grep -q Anna || fail "what was restored"
stop

echo "== the library"
quietly inside sh -c 'apt-get install -y --no-install-recommends /tmp/libjadoube*.deb gcc libc6-dev pkg-config'
quietly inside sh -c 'gcc -std=c17 -o /tmp/random /usr/share/doc/libjadoube-dev/examples/random_game.c $(pkg-config --cflags --libs jadoube) && /tmp/random 1'

echo "== removed and purged"
quietly inside apt-get remove -y jadoube
inside test ! -e /usr/bin/jadoube || fail "the program stays"
inside test -f /etc/jadoube/jadoube.conf || fail "settings go with the program"
quietly inside apt-get purge -y jadoube
inside test ! -e /etc/jadoube || fail "settings stay after a purge"
inside test ! -e /etc/systemd/system/multi-user.target.wants/jadoube.service || fail "the unit stays enabled after a purge"
inside test -f /var/lib/jadoube/jadoube.db || fail "a purge takes a club's games away"
echo "ok   installed, run, replaced by a newer version, restored, purged"
