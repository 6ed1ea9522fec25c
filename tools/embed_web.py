#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the table of the browser client's files that is built into the program.

embed_web.py DIST OUT.c BLOBS

DIST   folder of the built client (web/dist); when it does not exist the table holds one page that
       says how to build it
OUT.c  the table net_files; the bytes come in by the assembler's .incbin
BLOBS  folder for the compressed forms

Compresses with gzip, and with brotli where the program `brotli` or `node` is there. Writes only what
changed, so that a build with nothing new does nothing.
"""
import gzip
import hashlib
import os
import re
import shutil
import subprocess
import sys

TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".wasm": "application/wasm",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
    ".txt": "text/plain; charset=utf-8",
    ".woff2": "font/woff2",
    ".mp3": "audio/mpeg",
    ".ogg": "audio/ogg",
}
PACKED = {".png", ".woff2", ".mp3", ".ogg", ".ico"}  # compressed already
HASHED = re.compile(r"-([A-Z0-9]{8,}|(?=[a-f]*[0-9])[0-9a-f]{8,})\.[a-z0-9]+$")
ABSENT = b"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>jadoube</title></head>
<body><h1>jadoube is running</h1>
<p>This program was built without the browser client. Build it and the program again:</p>
<pre>cd web
npm ci
npm run build
ninja -C build</pre>
<p>or serve a built client from a folder: <code>jadoube serve --static web/dist</code>.
The public interface under <code>/api/v1/</code> and <code>/ws</code> works without it.</p>
</body></html>
"""
NODE_BROTLI = (
    "const z=require('zlib'),f=require('fs');const d=f.readFileSync(process.argv[1]);"
    "f.writeFileSync(process.argv[2],z.brotliCompressSync(d,{params:{"
    "[z.constants.BROTLI_PARAM_QUALITY]:11,[z.constants.BROTLI_PARAM_SIZE_HINT]:d.length}}))"
)


def write_if_changed(path, data):
    try:
        with open(path, "rb") as old:
            if old.read() == data:
                return
    except FileNotFoundError:
        pass
    with open(path + ".new", "wb") as new:
        new.write(data)
    os.replace(path + ".new", path)


def brotli(source, target):
    if shutil.which("brotli"):
        command = ["brotli", "-q", "11", "-f", "-o", target, source]
    elif shutil.which("node"):
        command = ["node", "-e", NODE_BROTLI, source, target]
    else:
        return
    subprocess.run(command, check=True)


def read_tree(dist):
    files = {}
    for folder, _, names in os.walk(dist):
        for name in names:
            if name.endswith(".map") or name.startswith("."):
                continue
            path = os.path.join(folder, name)
            with open(path, "rb") as file:
                files["/" + os.path.relpath(path, dist).replace(os.sep, "/")] = file.read()
    return files


def text(value):
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


def main():
    dist, out, blobs = sys.argv[1:4]
    files = read_tree(dist) if os.path.isfile(os.path.join(dist, "index.html")) else {"/index.html": ABSENT}
    os.makedirs(blobs, exist_ok=True)
    blobs = os.path.abspath(blobs)
    incbin, externs, rows = [], [], []
    used = set()
    for number, path in enumerate(sorted(files, key=lambda p: p.encode())):
        data = files[path]
        ending = os.path.splitext(path)[1]
        digest = hashlib.sha256(data).hexdigest()
        base = os.path.join(blobs, digest)
        forms = [(base, data)]
        if ending not in PACKED and len(data) >= 256:
            if not os.path.exists(base):
                write_if_changed(base, data)
            if not os.path.exists(base + ".gz"):
                write_if_changed(base + ".gz", gzip.compress(data, 9, mtime=0))
            if not os.path.exists(base + ".br"):
                brotli(base, base + ".br")
            for suffix in (".gz", ".br"):
                if os.path.exists(base + suffix):
                    with open(base + suffix, "rb") as file:
                        forms.append((base + suffix, file.read()))
        else:
            write_if_changed(base, data)
        used.update(name for name, _ in forms)
        cells = ["{ NULL, 0 }"] * 3
        for file, form in forms:
            index = 1 if file.endswith(".gz") else 2 if file.endswith(".br") else 0
            if index and len(form) >= len(data):
                continue
            symbol = f"net_blob_{number}_{index}"
            incbin.append(f'    ".balign 16\\n{symbol}:\\n.incbin \\"{file}\\"\\n"')
            externs.append(f"extern const unsigned char {symbol}[];")
            cells[index] = f"{{ {symbol}, {len(form)} }}"
        kind = TYPES.get(ending, "application/octet-stream")
        etag = f'"{digest[:24]}"'
        immutable = "true" if HASHED.search(path) else "false"
        rows.append(
            f"    {{ {text(path)}, {text(kind)}, {text(etag)}, {immutable},\n      {{ {', '.join(cells)} }} }},"
        )
    for name in os.listdir(blobs):
        if os.path.join(blobs, name) not in used:
            os.remove(os.path.join(blobs, name))
    lines = [
        "// SPDX-License-Identifier: GPL-3.0-or-later",
        "//",
        "// Made by tools/embed_web.py.",
        '#include "net/files.h"',
        "",
        "// clang-format off",
        '__asm__(".section .rodata\\n"',
        *incbin,
        '    ".byte 0\\n.previous\\n");',
        *externs,
        "const NetFile net_files[] = {",
        *rows,
        "};",
        "const size_t net_file_count = JD_COUNT(net_files);",
        "",
    ]
    write_if_changed(out, "\n".join(lines).encode())


if __name__ == "__main__":
    main()
