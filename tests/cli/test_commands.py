#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line: subcommands, help, exit codes. test_commands.py PROGRAM"""
import os
import re
import subprocess
import sys

program = sys.argv[1]
failures = 0

ROWS = [
    # arguments, exit status, pattern of standard output, pattern of standard error
    ([], 2, r"^$", r"usage: jadoube COMMAND"),
    (["help"], 0, r"usage: jadoube COMMAND", r"^$"),
    (["--help"], 0, r"  serve +run the site", r"^$"),
    (["-h"], 0, r"  perft ", r"^$"),
    (["help", "serve"], 0, r"usage: jadoube serve", r"^$"),
    (["help", "nothing"], 2, r"^$", r'no command "nothing"'),
    (["nothing"], 2, r"^$", r'no command "nothing"'),
    (["Serve"], 2, r"^$", r'no command "Serve"'),
    (["version"], 0, r"^jadoube \d+\.\d+\.\d+\n$", r"^$"),
    (["--version"], 0, r"^jadoube \d+\.\d+\.\d+\n$", r"^$"),
    (["version", "--help"], 0, r"usage: jadoube version", r"^$"),
    (["version", "now"], 2, r"^$", r'unexpected argument "now"'),
    (["serve", "--help"], 0, r"--port N", r"^$"),
    (["serve", "--port"], 2, r"^$", r"--port: a value is missing"),
    (["serve", "--port", "70000"], 2, r"^$", r'--port: "70000", expected a number from 0 to 65535'),
    (["serve", "--colour", "red"], 2, r"^$", r'unknown option "--colour"'),
    (["serve", "now"], 2, r"^$", r'unexpected argument "now"'),
    (["serve", "--config", "/no/such/file"], 1, r"^$", r"/no/such/file: No such file"),
    (["perft", "--help"], 0, r"usage: jadoube perft", r"^$"),
    (["perft", "3"], 0, r"nodes 8902\n$", r"^$"),
    (["position", "--help"], 0, r"usage: jadoube position", r"^$"),
    (["admin", "result", "abcdefghijkl", "1-0"], 2, r"^$", r"expected: result GAME"),
    (["admin", "result", "abcdefghijkl", "2-0", "--reason", "x"], 2, r"^$", r"expected 1-0"),
    (["admin", "--data", "/no/such/place", "result", "abcdefghijkl", "1-0", "--reason", "x"], 1, r"^$", r"/no/such/place"),
    # S-115: the check values
    (["rate", "1500:0", "1500:0", "1-0"], 0, r"^first   1500 -> 1513  \(\+13\)  K 25, expected 0.50\nsecond  1500 -> 1487  \(-13\)", r"^$"),
    (["rate", "1600", "1500:12", "1-0"], 0, r"\(\+5\)  K 15, expected 0.64\n.*\(-9\)  K 25, expected 0.36\n$", r"^$"),
    (["rate", "2450", "2250", "0-1"], 0, r"\(-8\)  K 10.*\n.*\(\+11\)  K 15", r"^$"),
    (["rate", "--table"], 0, r"^difference.*\n0-3 +0\.50 +0\.50\n(.*\n){49}over 735 +1\.00 +0\.00\n$", r"^$"),
    (["rate", "--classes"], 0, r"class 9  from 0\ngroup A  from 1900\ngroup B  1600 to 1899\ngroup C  0 to 1599\n$", r"^$"),
    (["rate", "--help"], 0, r"usage: jadoube rate", r"^$"),
    (["rate", "99", "1500", "1-0"], 2, r"^$", r'"99", expected a rating'),
    (["rate", "1500:x", "1500", "1-0"], 2, r"^$", r'"1500:x", expected a rating'),
    (["rate", "1500", "1500", "2-0"], 2, r"^$", r'"2-0", expected 1-0'),
    (["rate", "1500"], 2, r"^$", r"usage: jadoube rate"),
    (["explain", "--language", "en", "r3k3/8/8/3N4/8/8/8/4K3 w - - 0 1", "Nc7"], 0,
     r"^\+ Fork: the knight on c7 attacks the rook on a8 and the king on e8 at once\.\n", r"^$"),
    (["explain", "--language", "ru", "r3k3/8/8/3N4/8/8/8/4K3", "w", "-", "-", "0", "1", "d5c7"], 0,
     r"^\+ Вилка: конь c7 нападает сразу на ладью a8 и короля e8\.\n", r"^$"),
    (["explain", "--language", "ro", "4k3/8/4p3/3n4/8/8/8/3RK3 w - - 0 1", "Rxd5"], 0,
     r"^- Atenție, momeală: dacă iei calul de pe d5, urmează exd5 ", r"^$"),
    (["explain", "--json", "r3k3/8/8/3N4/8/8/8/4K3 w - - 0 1", "Nc7"], 0, r'^\{"move":"d5c7","san":"Nc7\+","facts":\[\{"id":"fork"', r"^$"),
    (["explain", "r3k3/8/8/3N4/8/8/8/4K3 w - - 0 1", "Nd6x"], 1, r"^$", r"jadoube explain: "),
    (["explain", "8/8/8 w - - 0 1", "Nc7"], 1, r"^$", r"jadoube explain: board: "),
    (["explain", "Nc7"], 2, r"^$", r"FEN and move are needed"),
    (["hint", "--language", "xx", "Nc7"], 2, r"^$", r"en, ru or ro"),
    (["hint", "--engine", "/nowhere/engine", "8/8/8/8/8/8/1k6/6KQ w - - 0 1"], 1, r"^$", r"no answer of an engine: missing"),
    (["hint", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"], 1, r"^$", r"the game is over"),
    (["pgn", "--help"], 0, r"usage: jadoube pgn VERB", r"^$"),
]

for arguments, status, out, err in ROWS:
    run = subprocess.run([program, *arguments], capture_output=True, text=True, timeout=120)
    for what, actual, expected in (
        ("exit status", run.returncode, status),
        ("standard output", run.stdout, out),
        ("standard error", run.stderr, err),
    ):
        fits = actual == expected if isinstance(expected, int) else re.search(expected, actual)
        if not fits:
            failures += 1
            print(f"jadoube {' '.join(arguments)}: {what} {actual!r}, expected {expected!r}")

# Every option that --help names stands in the man page, and the other way round.
page = os.path.join(os.path.dirname(__file__), "../../docs/man/jadoube.1")
with open(page, encoding="utf-8") as file:
    manual = file.read().replace("\\-", "-")
PARTS = {"serve": [[]], "perft": [[]], "position": [[]], "explain": [[]], "hint": [[]], "rate": [[]], "pgn": [["check"], ["convert"], ["filter"], ["stats"], ["fens"]]}
for command, verbs in PARTS.items():
    text = "".join(
        subprocess.run([program, command, *verb, "--help"], capture_output=True, text=True).stdout for verb in verbs
    )
    section = re.search(rf'^\.SS {command}$(.*?)(?=^\.S[SH] )', manual, re.M | re.S)
    if section is None:
        failures += 1
        print(f"docs/man/jadoube.1 has no part about {command}")
        continue
    told = set(re.findall(r"--[a-z0-9-]+", text)) - {"--help"}
    written = set(re.findall(r"--[a-z0-9-]+", section.group(1))) - {"--help"}
    if told != written:
        failures += 1
        print(f"{command}: --help and man page differ in {sorted(told ^ written)}")

print(f"{len(ROWS)} command lines, {failures} failures")
sys.exit(1 if failures else 0)
