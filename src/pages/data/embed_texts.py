#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Writes texts of the server in three languages as a C table:
#     embed_texts.py OUT.c TABLE NAME.en.txt NAME.ro.txt NAME.ru.txt
# The form of the files is told in mail.en.txt. Fails when a language lacks a section, a subject, or a
# word in braces that another has.
import re
import sys

LANGUAGES = ("en", "ro", "ru")


def c_string(text):
    out = ""
    for byte in text.encode("utf-8"):
        c = chr(byte)
        out += c if 32 <= byte < 127 and c not in '"\\?' else "\\%03o" % byte
    return '"' + out + '"'


def read(path):
    sections, name = {}, None
    with open(path, encoding="utf-8") as source:
        for number, line in enumerate(source, 1):
            line = line.rstrip("\n")
            head = re.fullmatch(r"\[([a-z_]+)\]", line)
            if head:
                name = head.group(1)
                if name in sections:
                    sys.exit("%s:%d: [%s] stands here twice" % (path, number, name))
                sections[name] = {"subject": None, "lines": []}
            elif name is None:
                if line and not line.startswith("#"):
                    sys.exit("%s:%d: expected a section" % (path, number))
            elif sections[name]["subject"] is None:
                if not line.startswith("subject: "):
                    sys.exit("%s:%d: expected the line \"subject: \"" % (path, number))
                sections[name]["subject"] = line[len("subject: "):]
            else:
                sections[name]["lines"].append(line)
    for section in sections.values():
        section["text"] = "\n".join(section["lines"]).strip("\n") + "\n"
    return sections


def words(section):
    return set(re.findall(r"\{([a-z_]+)\}", (section["subject"] or "") + section["text"]))


def main():
    out, table, paths = sys.argv[1], sys.argv[2], sys.argv[3:]
    read_in = [read(path) for path in paths]
    first = read_in[0]
    for path, sections in zip(paths, read_in):
        if sections.keys() != first.keys():
            sys.exit("%s: sections differ: %s" % (path, sorted(sections.keys() ^ first.keys())))
        for name, section in sections.items():
            if words(section) - {"nick", "site"} != words(first[name]) - {"nick", "site"}:
                sys.exit("%s: [%s]: words in braces differ" % (path, name))
    with open(out, "w", encoding="utf-8") as c:
        c.write("// Written by embed_texts.py; do not edit.\n#include \"pages/internal.h\"\n\n")
        c.write("const PagesText %s[] = {\n" % table)
        for language, sections in zip(LANGUAGES, read_in):
            for name, section in sections.items():
                lines = section["text"].splitlines(keepends=True) or [""]
                c.write("    { \"%s\", \"%s\", %s,\n" % (language, name, c_string(section["subject"])))
                c.write("".join("      %s\n" % c_string(line) for line in lines))
                c.write("    },\n")
        c.write("};\nconst size_t %s_count = %d;\n" % (table, sum(map(len, read_in))))


main()
