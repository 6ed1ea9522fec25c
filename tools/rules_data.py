#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The articles of the Laws for the page /rules, in three languages.

usage: tools/rules_data.py [ROOT] [--write]

Reads tests/data/laws/articles.txt. Without an option it fails when web/src/rules/articles.*.json is not as it
would be made now; --write makes them. A row: n, its numbers in 1997, 2005, 2009, 2014, 2023 ("" for none); t, the
title; d, what the program does."""
import json
import pathlib
import sys

LANGUAGES = ["en", "ru", "ro"]


def read(path):
    rows, row = [], None
    for line in path.read_text(encoding="utf-8").splitlines():
        name, _, rest = line.partition(" ")
        if name == "article":
            row = {}
            rows.append(row)
        elif row is not None and name in ("numbers", "title", "does"):
            row[name] = [part.strip() for part in rest.split("|")]
    return rows


def main():
    arguments = [a for a in sys.argv[1:] if not a.startswith("--")]
    root = pathlib.Path(arguments[0] if arguments else pathlib.Path(__file__).parent.parent)
    rows = read(root / "tests/data/laws/articles.txt")
    stale = []
    for at, language in enumerate(LANGUAGES):
        # The page has the printer's apostrophe, as the catalogues have; the terminal keeps the plain one.
        lines = [json.dumps({"n": ["" if n == "-" else n for n in row["numbers"]],
                             "t": row["title"][at].replace("'", "’"), "d": row["does"][at].replace("'", "’")},
                            ensure_ascii=False) for row in rows]
        text = "[\n" + ",\n".join(lines) + "\n]\n"
        path = root / f"web/src/rules/articles.{language}.json"
        if "--write" in sys.argv:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            stale.append(str(path))
    if stale:
        sys.exit("\n".join(stale) + ": not up to date: tools/rules_data.py --write")
    print(f"{len(rows)} articles")


main()
