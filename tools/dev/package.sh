# SPDX-License-Identifier: GPL-3.0-or-later
# ./dev package: Debian packages in build/package, built by dpkg-buildpackage out of debian/, with the browser client
# that ./dev build has made. With --test they are installed in a fresh chroot, to see whether the site works there.
# shellcheck shell=bash

# A package that ./dev builds with and debian/control does not ask for would be missing elsewhere. node and npm make the
# client, cmocka the tests, gcc and its like are there anyway.
check_build_depends() {
    local name missing=()
    for name in "${BUILD_PACKAGES[@]}"; do
        case $name in gcc | libc6-dev | ninja-build | ca-certificates | libcmocka-dev) continue ;; esac
        grep -qE "^ $name\b" debian/control || missing+=("$name")
    done
    [ ${#missing[@]} -eq 0 ] || die "debian/control lacks in Build-Depends: ${missing[*]}"
}

check_version() {
    local here there
    here=$(sed -n "s/^  version: '\(.*\)',/\1/p" meson.build | head -1)
    there=$(dpkg-parsechangelog -l debian/changelog -S Version)
    [ "$here" = "$there" ] || die "debian/changelog is of $there, meson.build of $here"
}

build_package() {
    need_packages "${BUILD_PACKAGES[@]}" "${PACKAGE_PACKAGES[@]}"
    check_build_depends
    check_version
    build_release
    note "building the packages"
    rm -rf build/package
    mkdir -p build/package/source
    # The tree as it is, without what is built, and the client.
    git ls-files -co --exclude-standard -z | tar -c --null -T - | tar -x -C build/package/source
    cp -r web/dist build/package/source/web/
    (cd build/package/source && dpkg-buildpackage -b -us -uc >../build.log 2>&1) || {
        tail -40 build/package/build.log >&2
        die "dpkg-buildpackage failed; see build/package/build.log"
    }
    rm -rf build/package/source
    note "lintian"
    lintian --fail-on error --suppress-tags bogus-mail-host,unreleased-changes build/package/*.changes || die "lintian has found errors"
    ls build/package/*.deb
}

test_package() {
    local as_root=()
    [ "$(id -u)" -eq 0 ] || as_root=(sudo)
    need_packages debootstrap
    note "installing in a fresh chroot"
    "${as_root[@]}" bash tests/tools/package_test.sh build/package
}

package() {
    case ${1-} in "" | --test) ;; *) die "package: unknown argument $1" ;; esac
    build_package
    [ -z "${1-}" ] || test_package
}
