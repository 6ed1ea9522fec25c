#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""jadoube dead and jadoube pgn dead from outside: answers, refusals, limits, findings."""
import json
import subprocess
import sys

PROGRAM = sys.argv[1]
WALL = "k7/8/8/p1p1p1p1/P1P1P1P1/8/8/K7 w - - 0 1"
KNIGHTS = "8/8/4k3/3n4/8/2N5/8/4K3 w - - 0 1"
CAGE = "8/8/7p/5p1P/5p1K/5Pp1/6P1/5kb1 b - - 0 1"
MATE = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"

# Three games that ended on time and one that was played on.
GAMES = """[Event "the winner has a king alone"]
[Result "1-0"]
[SetUp "1"]
[FEN "8/8/8/4k3/8/8/r3p3/1K1N4 b - - 0 1"]
[Termination "time forfeit"]

1... exd1=R+ 2. Kxa2 1-0

[Event "right"]
[Result "1-0"]
[SetUp "1"]
[FEN "8/8/8/4k3/8/8/r7/1K1R4 w - - 0 1"]
[Termination "Time forfeit"]

1. Kxa2 Ke4 1-0

[Event "drawn, though the opponent of the side to move has a rook"]
[Result "1/2-1/2"]
[SetUp "1"]
[FEN "8/8/8/4k3/8/8/r7/1K1R4 w - - 0 1"]
[Termination "Time forfeit"]

1. Kxa2 1/2-1/2

[Event "dead after the first move"]
[Result "0-1"]
[SetUp "1"]
[FEN "8/8/8/4k3/8/8/r7/1K6 w - - 0 1"]

1. Kxa2 Ke4 2. Kb3 0-1
"""


def run(*arguments, text=None):
    done = subprocess.run([PROGRAM, *arguments], input=text, capture_output=True, text=True, timeout=300, check=False)
    return done.returncode, done.stdout, done.stderr


def objects(text):
    return [json.loads(line) for line in text.splitlines()]


def expect(condition, *what):
    if not condition:
        print("failed:", *what)
        sys.exit(1)


def test_answers():
    code, out, _ = run("dead", "--json", WALL, KNIGHTS, MATE)
    wall, knights, mate = objects(out)
    expect(code == 0, code)
    expect(wall["dead"] is True and wall["white_can_mate"] is False and wall["black_can_mate"] is False, wall)
    expect(wall["white"]["proof"] == "blocked" and wall["fen"] == WALL, wall)
    expect(knights["dead"] is False and knights["white_can_mate"] and knights["black_can_mate"], knights)
    for side in ("white", "black"):
        answer = knights[side]
        expect(answer["proof"] == "line" and len(answer["witness"]) == answer["plies"] > 5, answer)
        expect(answer["nodes"] > 0 and answer["microseconds"] > 0, answer)
    expect(mate["black_can_mate"] and not mate["white_can_mate"] and not mate["dead"], mate)
    expect(mate["black"]["proof"] == "mate" and mate["black"]["witness"] == [], mate)
    # Six unquoted fields, and text for people.
    code, out, _ = run("dead", *WALL.split())
    expect(code == 0 and ": dead\n" in out and "White cannot mate (blocked)" in out, out)


def test_standard_input():
    code, out, _ = run("dead", "--json", "--no-line", "-", text=f"# walls\n\n{WALL}\nnonsense\n{KNIGHTS}\n")
    wall, fault, knights = objects(out)
    expect(code == 1, code)
    expect(wall["dead"] is True and knights["dead"] is False, out)
    expect(fault["error"]["field"] == "board" and fault["error"]["message"], fault)
    expect("witness" not in knights["white"] and knights["white"]["plies"] > 0, knights)


def test_refusals():
    code, out, err = run("dead", "8/8/8/8/8/5k2/8/K6B w - - 0 1")
    expect(code == 1 and out == "" and "attacked" in err, err)
    for arguments in (["dead"], ["dead", "--nodes=x", WALL], ["dead", "--nodes=0", WALL], ["dead", "--wrong", WALL]):
        code, out, err = run(*arguments)
        expect(code == 2 and out == "" and err != "", arguments, out, err)


def test_limits():
    _, out, _ = run("dead", "--json", "--nodes=500", CAGE)
    answer = objects(out)[0]
    expect(answer["dead"] is None and answer["black_can_mate"] is None, answer)
    expect(answer["black"]["verdict"] == "unknown" and answer["black"]["limit"] == "nodes", answer)
    expect(500 <= answer["black"]["nodes"] < 520, answer)
    _, out, _ = run("dead", "--json", CAGE)
    answer = objects(out)[0]
    expect(answer["dead"] is True and answer["black"]["proof"] == "exhausted", answer)


def test_games():
    code, out, _ = run("pgn", "dead", "--json", "--lines", "-", text=GAMES)
    expect(code == 0, code, out)
    *findings, summary = objects(out)
    expect([(f["game"], f["finding"]) for f in findings] ==
           [(1, "lost_on_time"), (3, "drawn_on_time"), (4, "played_on_dead"), (4, "result_of_dead")], findings)
    flag, draw, played_on, _ = findings
    expect(flag["proof"] == "material" and flag["result"] == "1-0", flag)
    expect(len(draw["witness"]) > 0, draw)
    expect(played_on["ply"] == 1 and played_on["plies"] == 3 and played_on["proof"] == "material", played_on)
    expect(summary["games"] == 4 and summary["flags"] == 3 and summary["unknown"] == 0, summary)


for name, test in sorted(globals().items()):
    if name.startswith("test_"):
        test()
        print(name, "passed")
