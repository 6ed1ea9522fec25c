#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""X-009: what the house holds of a person is in the archive of his data, or a reason says why not.

usage: export_tables.py ROOT

Makes the database of src/store/migrations, looks for tables with a column that names a person, and compares with
tests/data/export.txt."""
import pathlib
import re
import sqlite3
import sys

# Columns that hold an account's number or address without a foreign key.
PERSONS = {"account", "actor", "white", "black", "opponent", "other", "blocked", "recipient", "email", "player", "owner", "author", "invitee", "joiner", "creator", "nick"}


def tables(root):
    sys.path.insert(0, str(root / "src/store/migrations"))
    import embed
    database = sqlite3.connect(":memory:")
    for path in sorted((root / "src/store/migrations").glob("*.sql")):
        database.executescript("\n".join(embed.lines_for(path.read_text(encoding="utf-8").splitlines(), "SQLite")))
    found = {}
    for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'").fetchall():
        columns = [row[1] for row in database.execute(f"PRAGMA table_info({name})")]
        keys = {row[3] for row in database.execute(f"PRAGMA foreign_key_list({name})") if row[2] == "account"}
        if name == "account" or keys or PERSONS & set(columns):
            found[name] = columns
    return found


def main():
    root = pathlib.Path(sys.argv[1])
    source = (root / "src/net/export.c").read_text(encoding="utf-8")
    faults, lines = [], {}
    for line in (root / "tests/data/export.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            name, *rest = (line + "\t\t").split("\t")
            lines[name] = rest[:3]
    found = tables(root)
    for name, columns in found.items():
        if name not in lines:
            faults.append(f"table {name} names a person: say in tests/data/export.txt where the archive has it, or why not")
            continue
        where, given, kept = lines[name]
        if where.startswith("- "):
            continue
        if f'"{where}"' not in source:
            faults.append(f"{name}: src/net/export.c makes no {where}")
        said = given.split() + re.findall(r"(\w+)\([^)]+\)", kept)
        faults += [f"{name}.{column}: neither given nor kept back with a reason" for column in columns if column not in said]
        faults += [f"{name}.{column}: there is no such column" for column in said if column not in columns]
    faults += [f"{name}: no such table, or none that names a person" for name in lines if name not in found]
    for fault in faults:
        print(fault)
    sys.exit(1 if faults else 0)


main()
