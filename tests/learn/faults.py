#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The checker of lessons and problems finds what is wrong with them.

faults.py LEARN_CHECK LEARN: copies the folder, breaks one thing at a time, and expects learn_check to fail and to say why."""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

check, source = sys.argv[1], pathlib.Path(sys.argv[2])
HEAD = "lesson x L-040\ntitle\nen a\nru б\nro c\n"
TEXTS = "en a\nru б\nro c\n"
FORK = "fen r3k3/8/8/3N4/8/8/8/4K3 w - - 0 1\n"

# A lesson's step that is wrong, and what is said of it.
STEPS = {
    "an illegal position": ("step read\nfen 8/8/8/8/8/8/8/8 w - - 0 1\nclaim advice\n", "no legal position"),
    "an illegal move": (f"step move\n{FORK}line Nc8\nclaim legal Nc7+\n", "no legal move"),
    "a sign left out": (f"step move\n{FORK}line Nc7 Kd7 Nxa8\nclaim advice\n", "no legal move"),
    "a line that ends with the answer": (f"step move\n{FORK}line Nc7+ Kd7\nclaim advice\n", "must end with the learner's move"),
    "a gain that is none": (f"step move\n{FORK}line Nf4\nclaim gains 5\n", "is not so: gains 5"),
    "a motif that is none": (f"step move\n{FORK}line Nc7+ Kd7 Nxa8\nclaim motif skewer\n", "is not so: motif skewer"),
    "a mate that is none": (f"step move\n{FORK}line Nc7+\nclaim mate 1\n", "not exactly one move mates"),
    "a mate that is shorter": ("step move\nfen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1\nline Ra8#\nclaim mate 2\n", "there is a shorter mate"),
    "a wrong exchange": (f"step read\n{FORK}claim see Nf4 3\n", "is not so"),
    "a wrong count of moves": (f"step read\n{FORK}claim moves d5 7\n", "is not so"),
    "a wrong square": (f"step squares\n{FORK}squares c7\nclaim targets d5\n", "is not so"),
    "a wrong phase": (f"step read\n{FORK}claim phase opening\n", "is not so"),
    "a race that is lost": ("step read\nfen 8/8/2k5/P7/8/8/8/7K w - - 0 1\nclaim promotes 4\n", "is not so"),
    "no claim": (f"step read\n{FORK}", "nothing is claimed"),
    "an unknown claim": (f"step read\n{FORK}claim nice 3\n", "unknown claim"),
    "a missing language": (f"step read\n{FORK}say\nen a\nro c\nclaim advice\n", "not in all three languages"),
    "two right answers": (f"step choice\noption right\n{TEXTS}option right\n{TEXTS}claim advice\n", "one right option"),
    "a step where every move is safe": ("step safe\nfen 7k/8/8/8/8/8/8/K7 w - - 0 1\nclaim advice\n", "all moves are alike"),
}


def row(theme):
    for line in (source / "problems.txt").read_text().splitlines():
        if line.startswith(theme + " "):
            return line
    raise SystemExit(f"no problem of theme {theme}")


def other_move(line):
    """The same problem with its first move the wrong one: a king or pawn move, whichever is legal comes later."""
    fields = line.split(";")
    fields[1] = fields[1].replace(" w ", " b ") if " w " in fields[1] else fields[1].replace(" b ", " w ")
    return ";".join(fields)


def regrade(line):
    return re.sub(r"^(\w+) (\d)", lambda m: f"{m.group(1)} {int(m.group(2)) % 5 + 1}", line)


MATE = row("mate1")
PROBLEMS = {
    "the other side to move": (MATE, other_move(MATE), ":"),
    "a wrong difficulty": (MATE, regrade(MATE), "expected"),
    "a mate in one sold as one in two": (MATE, "mate2" + MATE[5:], "takes 3 plies"),
    "a fork sold as a pin": (row("fork"), "pin" + row("fork")[4:], "the line shows no pin"),
    "a problem that stands twice": (MATE, MATE + "\n" + MATE, "stood already"),
    "a source that is not true": (MATE, re.sub(r"\d+$", lambda m: str(int(m.group()) + 2), MATE), "does not stand in its game"),
    "an ending with room for doubt": (row("pawns"), re.sub(r" -?\d+$", " 200", row("pawns")), "leave room for doubt"),
    "an ending looked at too briefly": (row("pawns"), re.sub(r";(\d+) (-?\d+ -?\d+)$", r";9 \2", row("pawns")), "depth 9 only"),
}

failed = 0


def expect(name, folder, said):
    global failed
    done = subprocess.run([check, folder], capture_output=True, text=True)
    if done.returncode != 1 or said not in done.stderr:
        failed += 1
        print(f"FAIL {name}: exit {done.returncode}, expected 1 and \"{said}\"; it said: {done.stderr.strip()[:300]}")
    else:
        print(f"ok   {name}")


with tempfile.TemporaryDirectory() as base:
    small = pathlib.Path(base) / "learn"
    shutil.copytree(source, small)
    text = (small / "problems.txt").read_text()
    for name, (step, said) in STEPS.items():
        (small / "lessons" / "999-x.txt").write_text(HEAD + step)
        # The problems are not what is asked about: without them the answer comes at once.
        (small / "problems.txt").write_text("")
        expect(name, small, said)
    (small / "lessons" / "999-x.txt").unlink()
    for name, (before, after, said) in PROBLEMS.items():
        # Only the problem that is asked about, for speed.
        (small / "problems.txt").write_text(after + "\n")
        expect(name, small, said)
    (small / "problems.txt").write_text(text)
    opening = (small / "openings.txt").read_text()
    (small / "openings.txt").write_text(opening.replace("Bb5 a6", "Bb5 a5 a6", 1))
    (small / "problems.txt").write_text("")
    expect("an opening with an illegal move", small, "openings.txt")
sys.exit(failed > 0)
