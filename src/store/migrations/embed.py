#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Writes the migrations as a C table: embed.py OUT.c 0001_log.sql 0002_accounts.sql ...
# Migration n is the file whose name begins with n as four digits; they must be complete.
import os
import sys


def c_string(line):
    return '"' + line.replace("\\", "\\\\").replace('"', '\\"') + '\\n"'


def main():
    out, files = sys.argv[1], sorted(sys.argv[2:], key=os.path.basename)
    lines = ["// Written by embed.py from the migrations; do not edit.", '#include "store/internal.h"', ""]
    lines.append("const StoreMigration store_migrations[] = {")
    for number, path in enumerate(files, 1):
        name = os.path.basename(path)
        if not name.startswith("%04d_" % number):
            sys.exit("%s: expected migration %04d" % (name, number))
        lines.append('    { "%s",' % name)
        with open(path, encoding="utf-8") as sql:
            lines += ["      " + c_string(line.rstrip("\n")) for line in sql]
        lines.append("    },")
    lines += ["};", "const int store_migration_count = %d;" % len(files), ""]
    with open(out, "w", encoding="utf-8") as c:
        c.write("\n".join(lines))


main()
