#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which tests show which requirement of the site: docs/requirements.md.

usage: tools/requirements.py [ROOT] [--write | --missing]

Reads tests/data/requirements.txt and looks for its ids in the tests. Without an option it checks: fails on an id without a
test, on a test that names an id nobody knows, and when docs/requirements.md is not as it would be made now. --write makes it;
--missing lists the ids without a test."""
import pathlib
import re
import sys

ID = re.compile(r"(?<![\w-])([SLRX]-\d{3})(?![\w-])")
TABLE = "tests/data/requirements.txt"
DOCUMENT = "docs/requirements.md"
KINDS = ["unit", "API", "browser"]


def kind_of(path):
    return {"e2e": "browser", "web": "browser", "net": "API", "cli": "API"}.get(path.parts[1] if path.parts[1] != "data" else path.parts[2], "unit")


def read_table(root):
    sections, faults = [], []
    for number, line in enumerate((root / TABLE).read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("## "):
            sections.append((line[3:], []))
        elif line and not line.startswith("#"):
            text, _, reason = line.partition("\t- ")
            key, _, title = text.partition(" ")
            if not ID.fullmatch(key) or not title or not sections:
                faults.append(f"{TABLE}:{number}: expected an id and a title")
            else:
                sections[-1][1].append((key, title, reason))
    return sections, faults


def tests_by_id(root):
    found = {}
    for path in sorted((root / "tests").rglob("*")):
        relative = path.relative_to(root)
        if "node_modules" in relative.parts or not path.is_file() or str(relative) == TABLE or path.suffix == ".bin":
            continue
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        for key in set(ID.findall(text)):
            found.setdefault(key, []).append(relative)
    return found


def document(sections, found):
    rows = [row for _, part in sections for row in part]
    shown = sum(1 for key, _, _ in rows if found.get(key))
    lines = [
        "# What the site must do, and the tests that show it",
        "",
        "Made by `tools/requirements.py --write` from `tests/data/requirements.txt` and the ids that tests name; `./dev test`",
        f"fails when it is out of date. {shown} of {len(rows)} requirements are shown by tests.",
    ]
    for title, part in sections:
        lines += ["", f"## {title}", "", "| id | what people get | unit | API | browser |", "| --- | --- | --- | --- | --- |"]
        for key, text, reason in part:
            cells = {kind: [] for kind in KINDS}
            for path in found.get(key, []):
                cells[kind_of(path)].append(f"[{path.name}](../{path})")
            if reason and not found.get(key):
                text += f" (not yet: {reason})"
            lines.append(f"| {key} | {text} | " + " | ".join(", ".join(cells[kind]) for kind in KINDS) + " |")
    return "\n".join(lines) + "\n"


def main():
    words = [w for w in sys.argv[1:] if not w.startswith("--")]
    options = {w for w in sys.argv[1:] if w.startswith("--")}
    if options - {"--write", "--missing"} or len(words) > 1:
        sys.exit(__doc__)
    root = pathlib.Path(words[0] if words else ".")
    sections, faults = read_table(root)
    found = tests_by_id(root)
    known = {key for _, part in sections for key, _, _ in part}
    missing = [f"{key} {title}" for _, part in sections for key, title, reason in part if not found.get(key) and not reason]
    if "--missing" in options:
        print("\n".join(missing))
        return
    text = document(sections, found)
    if "--write" in options:
        (root / DOCUMENT).write_text(text, encoding="utf-8")
        return
    faults += [f"no test names {line}" for line in missing]
    if not (root / DOCUMENT).exists() or (root / DOCUMENT).read_text(encoding="utf-8") != text:
        faults.append(f"{DOCUMENT} is not up to date: tools/requirements.py --write")
    for fault in faults:
        print(fault, file=sys.stderr)
    if faults:
        sys.exit(1)
    print(f"{len(known)} requirements, {sum(len(v) for v in found.values())} places in tests")


main()
