#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads every #include under src/ and include/ and fails on one that looks down the house.

A module includes only what stands above it (ARCHITECTURE.md, "The floors"), enters another module by
its front header, and the pure modules include nothing of the outer world (clock, I/O, allocation).
Run with --self-test it checks that each kind of fault is found."""
import pathlib
import re
import sys

# Module -> modules it may use. Ground floor first.
MAY_USE = {
    "base": set(),
    "chess": {"base"},
    "laws": {"base", "chess"},
    "rating": {"base"},
    "learn": {"base", "chess", "tutor"},
    "pairing": {"base"},
    "tutor": {"base", "chess"},
    "store": {"base"},
    "engine": {"base", "chess"},
    "play": {"base", "chess", "laws", "engine"},
    "live": {"base", "chess", "laws", "rating", "pairing"},
    "pages": {"base", "store", "chess", "laws", "rating", "pairing"},
    "net": {"base", "chess", "laws", "rating", "pairing", "tutor", "store", "engine", "live", "pages"},
    "cli": {"base", "chess", "laws", "rating", "pairing", "tutor", "store", "engine", "live", "pages", "net", "play"},
    "wasm": {"base", "chess", "laws", "rating", "pairing", "tutor", "learn", "engine", "play"},
}
# Public headers of the library and the module each belongs to.
PUBLIC = {
    "base": "base", "limits": "base", "chess": "chess", "notation": "chess", "pgn": "chess", "epd": "chess",
    "laws": "laws", "laws_control": "laws", "laws_events": "laws", "laws_game": "laws", "laws_rules": "laws", "laws_timer": "laws",
    "dead": "laws", "rating": "rating", "pairing": "pairing",
}
PURE = {"base", "chess", "laws", "rating", "pairing", "tutor", "learn", "live", "play", "wasm"}
FREESTANDING = {"stdarg.h", "stdbool.h", "stddef.h", "stdint.h", "limits.h", "immintrin.h", "emmintrin.h"}
# The one file that ends a process, and only natively.
EXCEPTIONS = {("src/base/assert.c", "stdlib.h"), ("src/base/assert.c", "unistd.h")}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def fault(path, module, quote, name, inner_files):
    """What is wrong with one #include, or None."""
    public = re.match(r"jadoube/(\w+)\.h$", name)
    if public:
        owner = PUBLIC.get(public.group(1))
        if owner is None:
            return f"unknown public header {name}"
        if owner != module and owner not in MAY_USE[module]:
            return f"{module} may not use {owner}"
        return None
    if quote == '"':
        parts = name.split("/")
        if len(parts) == 1 or parts[0] == "..":
            if parts[0] == ".." or name not in inner_files:
                return f"{name} is not a header of {module}"
            return None
        owner = parts[0]
        if owner not in MAY_USE:
            return f"unknown module {owner}"
        if owner == module:
            return None
        if owner not in MAY_USE[module]:
            return f"{module} may not use {owner}"
        if parts[1] != f"{owner}.h":
            return f"{owner} is entered by {owner}/{owner}.h, not by {name}"
        return None
    if module in PURE and name not in FREESTANDING and (path, name) not in EXCEPTIONS:
        return f"{module} is pure and may not include <{name}>"
    return None


def check_tree(root):
    faults = []
    count = 0
    for path in sorted(list(root.glob("src/**/*.[ch]")) + list(root.glob("src/**/*.inc")) + list(root.glob("include/jadoube/*.h"))):
        relative = path.relative_to(root).as_posix()
        module = PUBLIC.get(path.stem, "?") if relative.startswith("include/") else relative.split("/")[1]
        if module not in MAY_USE:
            faults.append(f"{relative}: belongs to no module")
            continue
        inner = {p.name for p in path.parent.iterdir()}
        # Generated headers are named in their module and end in .gen.h or .inc.
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            match = INCLUDE.match(line)
            if not match:
                continue
            count += 1
            quote, name = match.groups()
            if quote == '"' and re.search(r"\.(gen\.h|inc)$", name) and "/" not in name:
                continue
            wrong = fault(relative, module, quote, name, inner)
            if wrong:
                faults.append(f"{relative}:{number}: {wrong}")
    return count, faults


def self_test():
    cases = [
        (("src/chess/fen.c", "chess", "<", "stdio.h"), True),
        (("src/chess/fen.c", "chess", "<", "jadoube/laws.h"), True),
        (("src/laws/game.c", "laws", "<", "jadoube/chess.h"), False),
        (("src/live/live.c", "live", '"', "store/store.h"), True),
        (("src/pages/pages.c", "pages", '"', "store/store.h"), False),
        (("src/pages/pages.c", "pages", '"', "store/sqlite.h"), True),
        (("src/net/ws.c", "net", "<", "libwebsockets.h"), False),
        (("src/live/live.c", "live", "<", "time.h"), True),
        (("src/laws/game.c", "laws", '"', "../chess/board.h"), True),
    ]
    bad = [case for case, wrong in cases if (fault(*case, set()) is not None) != wrong]
    for case in bad:
        print(f"self-test: wrong answer for {case}")
    return not bad


def main():
    root = pathlib.Path(sys.argv[1])
    if not self_test():
        return 1
    count, faults = check_tree(root)
    for line in faults:
        print(line)
    if count == 0:
        print("no #include found: wrong folder?")
        return 1
    print(f"{count} includes read, {len(faults)} faults")
    return 1 if faults else 0


sys.exit(main())
