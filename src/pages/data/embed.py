#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Writes the list of common passwords as a sorted C table: embed.py OUT.c common_passwords.txt
# Lines that begin with ## are comments.
import sys


def c_string(text):
    out = ""
    for byte in text.encode("utf-8"):
        c = chr(byte)
        out += c if 32 <= byte < 127 and c not in '"\\?' else "\\%03o" % byte
    return '"' + out + '"'


def main():
    with open(sys.argv[2], encoding="utf-8") as source:
        words = [line.rstrip("\n") for line in source if not line.startswith("##")]
    if words != sorted(set(words), key=lambda word: word.encode("utf-8")):
        sys.exit("%s: not in order, or a line stands there twice" % sys.argv[2])
    with open(sys.argv[1], "w", encoding="utf-8") as out:
        out.write("// Written by embed.py from common_passwords.txt; do not edit.\n")
        out.write('#include "pages/internal.h"\n\nconst char *const common_passwords[] = {\n')
        out.writelines("    %s,\n" % c_string(word) for word in words)
        out.write("};\nconst size_t common_password_count = %d;\n" % len(words))


main()
