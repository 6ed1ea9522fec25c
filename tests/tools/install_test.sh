#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The installed library: headers, pkg-config and symbols are right, and the examples build and run against it.
# usage: install_test.sh SOURCE_FOLDER BUILD_FOLDER
set -eu
source=$1
build=$2
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
cc=${CC:-cc}

fail() {
    echo "FAILED: $*"
    exit 1
}

# Only what a program that uses the library needs; the site itself may not be built here.
DESTDIR=$root meson install -C "$build" --no-rebuild --tags devel,runtime >"$root/log" 2>&1 || {
    cat "$root/log"
    fail "meson install"
}
pc=$(find "$root" -name jadoube.pc)
[ -n "$pc" ] || fail "no jadoube.pc"
prefix=$(sed -n 's/^prefix=//p' "$pc")
PKG_CONFIG_PATH=$(dirname "$pc")
export PKG_CONFIG_PATH
ask() { pkg-config --define-variable=prefix="$root$prefix" "$@" jadoube; }
libdir=$(ask --variable=libdir)
[ -f "$libdir/libjadoube.so" ] || fail "no libjadoube.so"
[ -f "$libdir/libjadoube.a" ] || fail "no libjadoube.a"

# Headers stand alone, as C11, C17 and C++.
for header in "$root$prefix"/include/jadoube/*.h; do
    name=jadoube/$(basename "$header")
    for standard in c11 c17; do
        printf "#include <%s>\nint nothing;\n" "$name" | "$cc" -std=$standard -Wall -Wextra -Werror -pedantic -x c -fsyntax-only \
            $(ask --cflags) - || fail "$name as $standard"
    done
    if command -v c++ >/dev/null; then
        printf "#include <%s>\n" "$name" | c++ -Wall -Wextra -Werror -x c++ -fsyntax-only $(ask --cflags) - ||
            fail "$name as C++"
    fi
done

# The examples, shared and static.
for example in validate_pgn random_game; do
    "$cc" -std=c11 -Wall -Wextra -Werror "$source/examples/$example.c" $(ask --cflags --libs) -o "$root/$example"
    "$cc" -std=c11 "$source/examples/$example.c" $(ask --cflags) "$libdir/libjadoube.a" -o "$root/$example-static"
done
LD_LIBRARY_PATH=$libdir
export LD_LIBRARY_PATH

# The README's example, as it is printed there: the 26 legal moves of its position.
sed -n '/^```c$/,/^```$/p' "$source/README.md" | sed '/^```/d' >"$root/first.c"
"$cc" -Wall -Wextra -Werror "$root/first.c" $(ask --cflags --libs) -o "$root/first" || fail "the README's example"
"$root/first" >"$root/moves"
[ "$(wc -l <"$root/moves")" -eq 26 ] || fail "the README's example prints $(wc -l <"$root/moves") moves"
grep -qx 'O-O-O' "$root/moves" || fail "the README's example does not castle"

for seed in 1 2 3; do
    "$root/random_game" $seed >"$root/game.pgn"
    "$root/random_game-static" $seed | cmp - "$root/game.pgn" || fail "shared and static library differ"
    "$root/validate_pgn" "$root/game.pgn" | grep -q '^1 games, 0 damaged' || fail "game $seed is not sound"
done
status=0
"$root/validate_pgn" "$source/tests/data/pgn/mixed.pgn" >"$root/report" || status=$?
[ $status -eq 1 ] || fail "validate_pgn exits with $status for damaged games"
grep -q ':41:13: game 6: .*illegal_move' "$root/report" || fail "validate_pgn reports no illegal move"

# What the library shows is what the headers declare, every name with its version.
nm -D --defined-only "$libdir/libjadoube.so" | awk '{ print $3 }' | grep -v '^JADOUBE_' >"$root/shown"
if grep -v '@@JADOUBE_' "$root/shown"; then fail "names without a version"; fi
sed 's/@@.*//' "$root/shown" | sort >"$root/shown.names"
cat "$root$prefix"/include/jadoube/*.h | sed 's://.*::' | tr '\n' ' ' | tr ';' '\n' |
    sed -n 's/.*JD_API[^(]*[ *]\([a-z0-9_]*\)(.*/\1/p' | sort -u >"$root/declared.names"
# noreturn and format attributes stand in front of some names.
grep -qx chess_pgn_push "$root/declared.names" || fail "the headers could not be read"
comm -3 "$root/shown.names" "$root/declared.names" >"$root/difference"
if [ -s "$root/difference" ]; then
    cat "$root/difference"
    fail "shown (left) and declared (right) names differ"
fi
echo "$(wc -l <"$root/shown.names") names, $(ls "$root$prefix"/include/jadoube | wc -l) headers"
