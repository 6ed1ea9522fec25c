#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs `jadoube arbitrate` from outside: reports in three languages, JSON, articles, bad input, exit codes.

usage: arbitrate.py PROGRAM DATA [--write]

PROGRAM is run with the options alone (tests/cli/arbitrate_main.c); DATA is tests/data/arbitrate. --write makes
the expected reports anew: read them before committing."""
import gzip
import json
import pathlib
import subprocess
import sys

LANGUAGES = ["en", "ru", "ro"]
faults = []


def fault(text):
    faults.append(text)
    print(text)


def run(program, arguments, text=None):
    done = subprocess.run([program, *arguments], input=text, capture_output=True, timeout=300)
    return done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8", "replace")


def manifest(data):
    for line in (data / "games.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            name, options, code = (part.strip() for part in line.split("|"))
            yield name, options.split(), int(code)


def check_reports(program, data, write):
    for language in LANGUAGES:
        out = []
        for name, options, code in manifest(data):
            returned, text, errors = run(program, [*options, f"--lang={language}", str(data / name)])
            if returned != code:
                fault(f"{name} {' '.join(options)} --lang={language}: exit code {returned}, expected {code}: {errors}")
            out.append(f"==== {name} {' '.join(options)}".rstrip() + "\n" + text)
        made = "".join(out)
        path = data / f"expected.{language}.txt"
        if write:
            path.write_text(made, encoding="utf-8")
            continue
        wanted = path.read_text(encoding="utf-8") if path.is_file() else ""
        if made != wanted:
            for number, (a, b) in enumerate(zip(made.splitlines() + [""], wanted.splitlines() + [""]), 1):
                if a != b:
                    fault(f"{path.name}:{number}: found\n  {a}\nexpected\n  {b}")
                    break
            else:
                fault(f"{path.name}: {len(made.splitlines())} lines, expected {len(wanted.splitlines())}")


# What the Laws make of the games, apart from any wording: (file, options) -> reason, article, result, verdict,
# claims as (claim, color, article, first ply, ply that lost it).
JSON = {
    ("01-mate.pgn", "fide-2023"): ("checkmate", "5.1.1", "1-0", "agrees", []),
    ("02-stalemate.pgn", "fide-1997"): ("stalemate", "5.2a", "1/2-1/2", "agrees", []),
    ("03-threefold.pgn", "fide-2005"): ("agreement", "5.2c", "1/2-1/2", "agrees",
                                        [("repetition", "black", "9.2a", 9, 10),
                                         ("repetition", "white", "9.2b", 10, 11)]),
    ("04-fivefold-played-on.pgn", "fide-2009"): ("checkmate", "5.1a", "1-0", "agrees", None),
    ("04-fivefold-played-on.pgn", "fide-2023"): ("auto_repetition", "9.6.1", "1/2-1/2", "differs", None),
    ("05-fifty-moves.pgn", "fide-2014"): ("resignation", "5.1b", "0-1", "agrees",
                                          [("fifty_moves", "white", "9.3a", 2, 9),
                                           ("fifty_moves", "black", "9.3b", 3, 10)]),
    ("06-flag-mate-possible.pgn", "fide-2009"): ("flag", "6.9", "0-1", "agrees", []),
    ("07-flag-no-mate.pgn", "fide-2005"): ("flag_draw", "6.10", "1/2-1/2", "differs", []),
    ("08-resigned-no-mate.pgn", "fide-2014"): ("resignation", "5.1b", "0-1", "agrees", []),
    ("08-resigned-no-mate.pgn", "fide-2023"): ("resign_draw", "5.1.2", "1/2-1/2", "differs", []),
    ("10-dead-position.pgn", "fide-1997"): ("dead_position", "5.2b", "1/2-1/2", "differs", []),
}


def check_json(program, data):
    for (name, edition), (reason, article, result, verdict, claims) in JSON.items():
        _, text, _ = run(program, ["--json", f"--edition={edition}", str(data / name)])
        game = json.loads(text)
        found = (game.get("reason"), game.get("article"), game["result"], game["verdict"])
        if found != (reason, article, result, verdict):
            fault(f"{name} {edition}: found {found}, expected {(reason, article, result, verdict)}")
        listed = [(c["claim"], c["color"], c["article"], c["from_ply"], c["lost_with_ply"]) for c in game["claims"]]
        if claims is not None and listed != claims:
            fault(f"{name} {edition}: claims {listed}, expected {claims}")
    for path in sorted(data.glob("*.jsonl")):
        _, text, _ = run(program, ["--json", str(path)])
        for line in text.splitlines():
            game = json.loads(line)
            if not isinstance(game["events"], list):
                fault(f"{path.name}: no events in the report")


def check_explain(program):
    cases = [(["--explain=9.5b", "--edition=fide-2005"], "9.5b"), (["--explain=9.5.3"], "9.5.3"),
             (["--explain=a8", "--edition=fide-1997"], "A8"), (["--explain=III.5"], "III.5"),
             (["--explain=6.10", "--edition=fide-2005", "--lang=ru"], "6.10"), (["--explain=4.3", "--lang=ro"], "4.3.1")]
    for arguments, wanted in cases:
        code, text, errors = run(program, arguments)
        if code != 0 or wanted not in text.splitlines()[0]:
            fault(f"{arguments}: exit code {code}, first line {text.splitlines()[:1]}, expected {wanted} there; {errors}")
        code, text, _ = run(program, arguments + ["--json"])
        row = json.loads(text.splitlines()[0])
        if set(row["title"]) != set(LANGUAGES) or set(row["program"]) != set(LANGUAGES) or not row["class"]:
            fault(f"{arguments} --json: title, program or class is missing: {row}")
    code, _, errors = run(program, ["--explain=99.9"])
    if code != 3 or "99.9" not in errors:
        fault(f"--explain=99.9: exit code {code}, expected 3 and the number in {errors!r}")


SETUP = '{"edition":"fide-2023","control":"900+10"}\n'
BAD = [
    # input, what the message must hold
    (SETUP + '{"time":"0:01","actor":"white","kind":"move","move":"e5"}\n', [":2:", "byte ", "move"]),
    (SETUP + '{"time":"0:01","actor":"white","kind":"moove"}\n', [":2:", "kind", "expected"]),
    (SETUP + '{"time":"0:01","actor":"green","kind":"press"}\n', [":2:", "actor", "expected"]),
    (SETUP + '{"actor":"white","kind":"press"}\n', [":2:", "time"]),
    (SETUP + '{"time":"soon","actor":"white","kind":"press"}\n', [":2:", "time", "expected a time"]),
    (SETUP + '{"time":1,"actor":"white","kind":"press","speed":1}\n', [":2:", "speed"]),
    (SETUP + '{"time":1,"actor":"white","kind":"offer"\n', [":2:", "expected one JSON object"]),
    (SETUP + '{"time":1,"actor":"arbiter","kind":"set_clock","side":"left","span":1}\n', [":2:", "side", "both"]),
    (SETUP + '{"time":1,"actor":"white","kind":"touch","square":"k9"}\n', [":2:", "square", "e4"]),
    ('{"edition":"fide-1066"}\n', [":1:", "edition", "fide-1997"]),
    ('{"edition":"fide-2023","control":"900+x"}\n', [":1:", "control", "expected"]),
    ('{"edition":"fide-2023","fen":"8/8/8/8/8/8/8/8 w - - 0 1"}\n', [":1:", "fen"]),
    ('{"edition":"fide-2023","touch_move":2}\n', [":1:", "touch_move", "expected 0 to 1"]),
    ('{"time":1,"actor":"white","kind":"press"}\n', [":1:", "before any setup"]),
    ('{"edition":"fide-2023","overrides":{"gravity":1}}\n', [":1:", "overrides"]),
]


def check_bad_input(program, data):
    for text, wanted in BAD:
        code, out, errors = run(program, ["-"], text.encode())
        if code != 3 or out.strip() != "" or not all(w in errors for w in wanted):
            fault(f"{text!r}: exit code {code}, expected 3 and {wanted} in {errors!r}; printed {out!r}")
    # A bad line spoils its own game alone.
    code, out, _ = run(program, ["--json"], (BAD[0][0] + SETUP +
                                             '{"time":"0:01","actor":"white","kind":"resign"}\n').encode())
    if code != 3 or len(out.splitlines()) != 1 or json.loads(out)["game"] != 2:
        fault(f"a good game after a bad one: exit code {code}, printed {out!r}")
    for arguments in (["--edition=fide-1066"], ["--pace=slow"], ["--lang=de"], ["--control=x"], ["--frobnicate"]):
        code, out, errors = run(program, arguments, b"")
        if code != 2 or out or not errors:
            fault(f"{arguments}: exit code {code}, expected 2 and a message")
    code, _, errors = run(program, [str(data / "no such file")])
    if code != 3 or "no such file" not in errors:
        fault(f"a missing file: exit code {code}, {errors!r}")
    for noise in (b"", b"\n\n", b"\xef\xbb\xbf", b"\x00\xff\xfe{[" * 999, b"{" * 70000, b"[Event \"x\"]\n" * 3, b"1. e4 {"):
        code, _, _ = run(program, ["-"], noise)
        if code not in (0, 3):
            fault(f"{noise[:20]!r}: exit code {code}")


def check_many(program, data):
    mate = (data / "01-mate.pgn").read_bytes()
    code, out, _ = run(program, ["--json", "-"], (mate + b"\n") * 300)
    numbers = [json.loads(line)["game"] for line in out.splitlines()]
    if code != 0 or numbers != list(range(1, 301)):
        fault(f"300 games on standard input: exit code {code}, {len(numbers)} reports")
    code, packed, _ = run(program, ["--json", "-"], gzip.compress(mate))
    if code != 0 or json.loads(packed)["reason"] != "checkmate":
        fault("a packed file is not read like a plain one")
    _, out, _ = run(program, ["--differing", *(str(data / n) for n in ("01-mate.pgn", "07-flag-no-mate.pgn"))])
    if "Sandu" not in out or "Dobre" in out:
        fault(f"--differing: {out!r}")
    _, out, _ = run(program, ["--summary", str(data / "01-mate.pgn")])
    if out.splitlines()[0] != "Games: 1":
        fault(f"--summary: {out!r}")
    # A record that ends in a repetition of 12,000 plies is judged in the time of reading it.
    shuffle = " ".join("Nf3 Nf6 Ng1 Ng8".split() * 2990)
    code, out, _ = run(program, ["--json", "--edition=fide-2005", "-"], (shuffle + " *\n").encode())
    if code != 0 or json.loads(out)["plies"] != 4 * 2990:
        fault(f"a very long game: exit code {code}")


def main():
    program, data = sys.argv[1], pathlib.Path(sys.argv[2])
    write = sys.argv[3:] == ["--write"]
    check_reports(program, data, write)
    check_json(program, data)
    check_explain(program)
    check_bad_input(program, data)
    check_many(program, data)
    print(f"{len(faults)} faults")
    return 1 if faults else 0


sys.exit(main())
