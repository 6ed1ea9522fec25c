#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Writes the messages of the Laws in three languages as a C table:
#     embed_laws.py OUT.c laws.en.json laws.ru.json laws.ro.json
# They are the catalogues of the browser client, so that a ruling has one wording. Fails when a language lacks a key
# that another has.
import json
import sys


def c_string(text):
    out = ""
    for byte in text.encode("utf-8"):
        c = chr(byte)
        out += c if 32 <= byte < 127 and c not in '"\\?' else "\\%03o" % byte
    return '"' + out + '"'


def main():
    out, paths = sys.argv[1], sys.argv[2:]
    catalogues = []
    for path in paths:
        with open(path, encoding="utf-8") as source:
            catalogues.append(json.load(source))
    for path, catalogue in zip(paths, catalogues):
        if catalogue.keys() != catalogues[0].keys():
            sys.exit("%s: keys differ: %s" % (path, sorted(catalogue.keys() ^ catalogues[0].keys())))
    with open(out, "w", encoding="utf-8") as c:
        c.write("// Written by embed_laws.py; do not edit.\n#include \"cli/play_words.h\"\n\n")
        c.write("const PlayLawsText play_laws_texts[] = {\n")
        for key in catalogues[0]:
            texts = ",\n        ".join(c_string(catalogue[key]) for catalogue in catalogues)
            c.write("    { \"%s\",\n      { %s } },\n" % (key, texts))
        c.write("};\nconst size_t play_laws_texts_count = %d;\n" % len(catalogues[0]))


main()
