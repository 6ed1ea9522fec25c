#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""jadoube play line by line, as a pipe and a screen reader see it. usage: test_play.py JADOUBE"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

PROGRAM = sys.argv[1]
FOLDER = tempfile.TemporaryDirectory(prefix="jadoube-play-")
HOME = pathlib.Path(FOLDER.name)
HUMANS = ["--white=human", "--black=human"]
MATE_IN_ONE = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"
failures = 0


def play(lines, *options, state="state", env=None):
    environment = {**os.environ, "XDG_STATE_HOME": str(HOME / state), "LC_ALL": "C.UTF-8", **(env or {})}
    done = subprocess.run([PROGRAM, "play", "--plain", *options], input="\n".join(lines) + "\n", text=True,
                          capture_output=True, timeout=3000, env=environment)
    return done


def check(name, holds, done):
    global failures
    if not holds:
        failures += 1
        print("FAILED: %s\n  exit code %d\n  %s\n  %s" % (name, done.returncode, done.stdout, done.stderr))


def has(name, done, *texts, code=0):
    for text in texts:
        check("%s: \"%s\"" % (name, text), text in done.stdout, done)
    check(name + ": exit code", done.returncode == code, done)


# L-002, L-006, L-009: to mate against level 1, from a position in which one move mates.
done = play(["Ra8", "moves", "quit"], "--level=1", "--fen", MATE_IN_ONE)
has("mate", done, "rook Anna eight, mate", "Checkmate. White wins.", "Result: 1-0.")

# L-006: a ladder of two rooks against level 1, whatever the king does: each line waits for the answer.
done = play(["Rb7", "Ra8", "Kf2", "quit", "quit"], "--level=1", "--fen", "4k3/8/8/8/8/8/R6R/1R2K3 w - - 0 1")
check("the computer answers", len(re.findall(r"Black: king", done.stdout)) >= 1, done)

# L-006: the computer against itself ends by itself; the file is a game of the Laws.
done = play([], "--white=1", "--black=1")
check("alone", re.search(r"Result: (1-0|0-1|1/2-1/2)\.", done.stdout) is not None and done.returncode == 0, done)

# L-002: in turn with White and Black; the names go along.
done = play(["new", "new", "new", "quit"], "--level=1", "--color=alternate", "--names=Ann,")  # the second one asks first
seats = re.findall(r"White: (.*?)\. Black: (.*?)\. No clock", done.stdout)
check("alternate", seats[:3] == [("Ann", "computer, level 1"), ("computer, level 1", "Ann"), ("Ann", "computer, level 1")], done)
done = play(["new color=alternate", "quit"], "--level=1")
has("alternate from now on", done, "White: computer, level 1. Black: person.")

# L-003: a limit for each move; of what is left nothing is saved.
done = play(["e4", "e5", "clock", "new move=45", "new move=45", "clock", "quit", "quit"], *HUMANS, "--move-time=30/20")
has("limit for each move", done, "Clock: 1/30, 1/20.", "Black 0:20", "Clock: 1/45, 1/45.")
for wrong in (["--move-time=0"], ["--move-time=3601"], ["--move-time=30", "--time=5"]):
    done = play([], *HUMANS, *wrong)
    check("refused: %s" % wrong, done.returncode == 2 and "time" in done.stderr, done)

# L-025: set up by pieces, in the letters of the language; the same faults as of a FEN.
done = play(["setup Kg1 Ra1 / Kg8 f7 g7 h7", "Ra8", "quit"], *HUMANS)
has("set up", done, "Set up: 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "Checkmate. White wins.")
done = play(["расставить Крe1 Лh1 / Крe8 a7 чёрные", "a6", "0-0", "выход", "выход"], *HUMANS, "--lang=ru", "--notation=short")
has("set up in Russian", done, "4k3/p7/8/8/8/8/8/4K2R b K - 0 1", "Белые: 0-0")
done = play(["setup Kg1 Xa1 / Kg8", "setup Kg1 Kg2 / Kg8 a7", "setup Kg1 a8 / Kg8", "setup Kg1 g1 / Kg8", "fen", "quit"], *HUMANS)
has("set up wrongly", done, "“Xa1” is no man on a square, such as Kg1.", "No position:", "“g1” is no man", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")

# L-019, X-002: moves in the letters of each language, squares, long; answers in its words.
done = play(["e4", "e7e5", "Кf3", "Nc6", "Сb5", "a6", "0-0", "ходы", "выход", "выход"], *HUMANS, "--lang=ru", "--notation=short")
has("Russian", done, "Белые: Кf3", "Чёрные: Кc6", "Белые: 0-0", "Партия не окончена")
done = play(["e2-e4", "e5", "Cf3", "ieșire", "ieșire"], *HUMANS, env={"LC_ALL": "ro_RO.UTF-8"})
has("Romanian by the locale", done, "La mutare: albul.", "cal Felix trei")
done = play(["Nf3", "Nc6", "Nd4", "Nge5", "moves", "quit", "quit"], *HUMANS, "--notation=long")
has("long", done, "Ng1-f3", "Nb8-c6")

# what is wrong with a move is said.
done = play(["Ke3", "bla", "e5", "quit"], *HUMANS)
has("illegal", done, "Ke3 is not legal here.", "“bla” is no move", "e5 is not legal here.")
done = play(["Nd2", "quit"], *HUMANS, "--fen", "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1")
has("ambiguous", done, "Nd2 may mean several moves: ")
# L-020: the piece of a promotion is asked for, or preferred.
done = play(["b8", "b8N", "quit", "quit"], *HUMANS, "--fen", "8/1P5k/8/8/8/8/8/K7 w - - 0 1")
has("promotion", done, "Name the piece, such as b8Q", "Bella eight")
done = play(["b8", "quit", "quit"], *HUMANS, "--fen", "8/1P5k/8/8/8/8/8/K7 w - - 0 1", "--promotion=rook", "--notation=short")
has("promotion preferred", done, "White: b8R")

# L-010: claims are checked; a wrong one says how far it is and stands as an offer.
knights = ["Nf3", "Nf6", "Ng1", "Ng8"]
done = play(["claim"] + knights + ["claim"] + knights + ["claim", "quit"], *HUMANS)
has("claims", done, "Not yet: 1 repetitions, 0 moves.", "Not yet: 2 repetitions, 2 moves.", "White: draw offered.",
    "Draw claimed: the position stood three times.", "Result: 1/2-1/2.")
done = play(["Ke2", "Kd7", "claim Ke1", "quit"], *HUMANS, "--fen", "4k3/8/8/8/8/8/8/R3K3 w - - 98 90")
has("fifty moves", done, "Draw claimed: fifty moves")
# L-009: an offer is accepted by the other side.
done = play(["e4", "draw", "accept", "quit"], *HUMANS)
has("agreement", done, "Black: draw offered.")
done = play(["e4", "e5", "draw", "accept", "quit"], *HUMANS)
has("agreement", done, "Draw by agreement.", "Result: 1/2-1/2.")
# L-012: resigning asks once.
done = play(["e4", "resign", "e5", "resign", "resign", "quit"], *HUMANS)
has("resignation", done, "Really resign?", "Resigned. Black wins.")
# L-011: a dead position ends the game by itself.
done = play(["Kxe2", "quit"], *HUMANS, "--fen", "8/8/8/4k3/8/8/4q3/4K3 w - - 0 1")
has("dead position", done, "Nobody can mate any more: draw.")

# L-014: two plies against the computer, one between persons; off where it was switched off.
done = play(["e4", "undo", "moves", "quit"], "--level=1")
has("undo", done, "Taken back: 2.", "No moves yet.")
done = play(["e4", "e5", "undo", "moves", "quit", "quit"], *HUMANS)
has("undo", done, "Taken back: 1.", "1. Eva four")
done = play(["e4", "undo", "quit", "quit"], *HUMANS, "--time=5", "--no-undo")
has("no undo", done, "Moves are not taken back in this game.")

# L-003, L-004: clocks, unequal ones, and what is out of range.
done = play(["clock", "quit"], *HUMANS, "--time=10/5", "--increment=3")
has("odds", done, "White 10:00, Black 5:00.")
for option in ["--time=0", "--time=601", "--time=x", "--increment=61", "--delay=0", "--level=16", "--level=0", "--edition=2024", "--lang=xx",
               "--white=bob", "--fen=8/8", "--notation=x", "--promotion=king", "--nonsense"]:
    done = play([], option)
    check(option, done.returncode == 2 and done.stderr != "" and done.stdout == "", done)
done = play([], "--increment=5")
check("increment without a clock", done.returncode == 2, done)
done = play(["pause", "e4", "continue", "e4", "quit", "quit"], *HUMANS, "--time=1")
has("L-005 pause", done, "The clocks stand", "The game goes on.", "White: Eva four")

# L-002: a new game with other settings; what is no setting changes nothing.
done = play(["new level=2 color=black time=10/5 increment=3", "clock", "new level=99", "new time=5/x", "new time=0", "clock", "quit", "quit"],
            "--level=1")
has("new", done, "White: computer, level 2. Black: person. Clock: 600+3, 300+3.", "“level=99” is no setting", "“time=5/x” is no setting")

# L-024, L-051, L-052: why the best move is good, and what a move would do before it is made.
done = play(["consider Nc7", "consider Nf9", "consider", "hint", "quit", "quit"], *HUMANS, "--lang=en", "--fen=r3k3/8/8/3N4/8/8/4PPPP/6K1 w - - 0 1")
has("consider", done, "+ Fork: the knight on c7 attacks the rook on a8 and the king on e8 at once.", "Name a move: consider e4.", "Hint: ")
check("the reason", done.stdout.count("Fork: the knight on c7") == 2, done)
done = play(["обдумать Фd1xd5", "quit", "quit"], *HUMANS, "--lang=ru", "--fen=4k3/8/4p3/3n4/8/8/8/3QK3 w - - 0 1")
has("bait", done, "- Осторожно, приманка: брать коня d5 невыгодно из-за")

# L-015, L-016: saved with the clocks, opened where it stood.
file = HOME / "a game.pgn"
# L-024: a hint is counted in the file.
done = play(["e4", "e5", "hint", "save " + str(file), "quit"], *HUMANS, "--time=10/5", "--delay=2", "--names=Anna,Boris")
has("save", done, "Saved: ", "Hint: ")
text = file.read_text()
for part in ['[White "Anna"]', '[WhiteTimeControl "600d2"]', '[BlackTimeControl "300d2"]', "[%clk 0:", "hints: 1", "1. e4 {", "e5 {"]:
    if part not in text:
        failures += 1
        print("FAILED: %s is not in the file:\n%s" % (part, text))
done = play(["clock", "Nf3", "moves", "quit", "quit"], str(file))
has("open", done, "Black: Boris", "White: knight Felix three", "2. knight Felix three")
check("hints are counted", "Hints taken: 1." in done.stderr, done)
check("clocks go on", re.search(r"White (10:00|9:5\d), Black (5:00|4:5\d)\.", done.stdout) is not None, done)
done = play(["save /nowhere/x.pgn", "e4", "quit", "quit"], *HUMANS)
has("no right to write", done, "Not saved, the game is kept: /nowhere/x.pgn: ", "White: Eva four")

broken = HOME / "broken.pgn"
broken.write_text('[Event "x"]\n[White "A"]\n[Black "B"]\n\n1. e4 e5 2. Ke3 Nc6 *\n')
done = play(["open %s" % broken, "moves", "quit", "quit"], *HUMANS)
has("an illegal move", done, "Opened up to a fault after ply 2: line 5: the move is not legal", "1. Eva four, Eva five")
broken.write_text('[Event "x"]\n[FEN "8/8/8/8 w - - 0 1"]\n[SetUp "1"]\n\n1. e4 *\n')
done = play(["e4", "open %s" % broken, "open %s" % broken, "moves", "quit", "quit"], *HUMANS)
has("a broken file", done, "Not opened: ", "line 2: the position is not legal", "1. Eva four")
two = HOME / "two.pgn"
two.write_text('[Event "1"]\n\n1. e4 *\n\n[Event "2"]\n\n1. d4 d5 1/2-1/2\n')
done = play(["open %s 2" % two, "moves", "quit"], *HUMANS)
has("the second game", done, "1. David four, David five", "The file has 2 games", "Result: 1/2-1/2.")
done = play([], str(HOME / "absent.pgn"))
check("an absent file", done.returncode == 1 and "absent.pgn" in done.stderr, done)

# L-017: what was not finished is kept when the input ends, offered, and gone once it is over.
done = play(["e4", "e5"], *HUMANS, state="kept")
has("kept", done, "The unfinished game is kept")
done = play(["recover", "moves", "f3", "d6", "quit", "quit"], *HUMANS, state="kept")
has("recovered", done, "A game was cut off (2 plies).", "1. Eva four, Eva five", "White: Felix three")
done = play(["quit"], *HUMANS, state="kept")
check("nothing is left", "cut off" not in done.stdout and not list((HOME / "kept").glob("jadoube/*")), done)

# L-025: a position that is none.
done = play(["fen 8/8/8/8/8/8/8/8 w - - 0 1", "fen", "quit"], *HUMANS)
has("no kings", done, "No position: ", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
# L-023, L-027, L-007
done = play(["legal b1", "legal e5", "help", "rules", "quit"], *HUMANS, "--notation=short")
has("help", done, "Na3, Nc3", "There is no move from e5.", "hint: the best move", "Castling: ")
# Without an engine the computer plays all the same.
done = play(["e4", "hint", "quit", "quit"], "--level=5", "--engine=/nowhere/engine")
has("no engine", done, "There is no engine", "1. Black: ", "There is no hint: missing.")
# Bytes that are no text, and a line without an end, do no harm.
done = subprocess.run([PROGRAM, "play", "--plain", *HUMANS], input=b"\xff\xfe\x00\x1b[2J\n" + b"a" * 9000 + b"\ne4\nquit\nquit",
                      capture_output=True, timeout=300, env=dict(os.environ, XDG_STATE_HOME=str(HOME / "bytes")))
if done.returncode != 0 or b"White: Eva four" not in done.stdout or b"\x1b" in done.stdout:
    failures += 1
    print("FAILED: bytes that are no text", done)

sys.exit(1 if failures else 0)
