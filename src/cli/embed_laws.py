#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Writes messages in three languages as a C table:
#     embed_laws.py NAME OUT.c laws.en.json laws.ru.json laws.ro.json
# NAME is that of the table. A message with plural forms becomes four: "key#one", "key#few", "key#many", "key#other". They are the catalogues of the browser client, so that a ruling has one wording. Fails when a language lacks a key
# that another has.
import json
import sys


def c_string(text):
    out = ""
    for byte in text.encode("utf-8"):
        c = chr(byte)
        out += c if 32 <= byte < 127 and c not in '"\\?' else "\\%03o" % byte
    return '"' + out + '"'


def flat(catalogue):
    result = {}
    for key, value in catalogue.items():
        if isinstance(value, str):
            result[key] = value
        else:
            for form in ("one", "few", "many", "other"):
                result["%s#%s" % (key, form)] = value.get(form) or value.get("other") or value["many"]
    return result


def main():
    name, out, paths = sys.argv[1], sys.argv[2], sys.argv[3:]
    catalogues = []
    for path in paths:
        with open(path, encoding="utf-8") as source:
            catalogues.append(flat(json.load(source)))
    for path, catalogue in zip(paths, catalogues):
        if catalogue.keys() != catalogues[0].keys():
            sys.exit("%s: keys differ: %s" % (path, sorted(catalogue.keys() ^ catalogues[0].keys())))
    with open(out, "w", encoding="utf-8") as c:
        c.write("// Written by embed_laws.py; do not edit.\n#include \"cli/play_words.h\"\n\n")
        c.write("const PlayLawsText %s[] = {\n" % name)
        for key in catalogues[0]:
            texts = ",\n        ".join(c_string(catalogue[key]) for catalogue in catalogues)
            c.write("    { \"%s\",\n      { %s } },\n" % (key, texts))
        c.write("};\nconst size_t %s_count = %d;\n" % (name, len(catalogues[0])))


main()
