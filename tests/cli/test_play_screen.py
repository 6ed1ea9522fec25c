#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The screen of jadoube play, driven in tmux: played to mate, saved, opened again; the terminal as it was afterwards,
whatever ends the program. usage: test_play_screen.py JADOUBE"""
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time

PROGRAM = sys.argv[1]
if shutil.which("tmux") is None:
    print("tmux is not installed")
    sys.exit(77)
FOLDER = tempfile.TemporaryDirectory(prefix="jadoube-screen-")
HOME = pathlib.Path(FOLDER.name)
TMUX = ["tmux", "-S", str(HOME / "socket"), "-f", "/dev/null"]
HUMANS = ["--white=human", "--black=human", "--lang=en"]
MATE_IN_ONE = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"
failures = 0


def tmux(*arguments):
    return subprocess.run([*TMUX, *arguments], capture_output=True, text=True, check=False).stdout


class Window:
    """A terminal with one game in it."""

    def __init__(self, *options, lines=24, columns=80, locale="C.UTF-8"):
        self.folder = pathlib.Path(tempfile.mkdtemp(dir=HOME))
        script = "cd %s; stty -g >before; %s play %s; echo \"code=$?\" >code; stty -g >after; sleep 600" % (
            self.folder, shlex.quote(PROGRAM), " ".join(map(shlex.quote, options)))
        tmux("new-session", "-d", "-x", str(columns), "-y", str(lines), "-s", self.folder.name,
             "env", "LC_ALL=" + locale, "XDG_STATE_HOME=%s" % (self.folder / "state"), "sh", "-c", script)

    def text(self):
        return tmux("capture-pane", "-p", "-t", self.folder.name)

    def settled(self):
        """The text once it stands still: what is being drawn is a part of two screens."""
        shown, end = self.text(), time.monotonic() + 60
        while time.monotonic() < end:
            time.sleep(0.05)
            before, shown = shown, self.text()
            if shown == before:
                break
        return shown

    def keys(self, *keys):
        tmux("send-keys", "-t", self.folder.name, *keys)

    def type(self, text):
        tmux("send-keys", "-t", self.folder.name, "-l", text)
        self.keys("Enter")

    def click(self, column, line):
        for button in (0, 3):  # pressed, released
            tmux("send-keys", "-t", self.folder.name, "-l", "\033[M" + chr(32 + button) + chr(33 + column) + chr(33 + line))

    def see(self, *texts, seconds=60):
        """Waits for the texts to be there, all at once."""
        global failures
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            shown = self.text()
            if all(text in shown for text in texts):
                return True
            time.sleep(0.05)
        failures += 1
        print("FAILED: not seen: %r\n%s" % (texts, self.text()))
        return False

    def pid(self):
        shell = int(tmux("display-message", "-p", "-t", self.folder.name, "#{pane_pid}"))
        for child in pathlib.Path("/proc/%d/task/%d/children" % (shell, shell)).read_text().split():
            return int(child)
        return None

    def ends(self, name, code, seconds=60):
        """The program ends with that code and leaves the terminal as it found it."""
        global failures
        end = time.monotonic() + seconds
        after = self.folder / "after"
        while time.monotonic() < end and not (after.exists() and after.read_text()):
            time.sleep(0.05)
        found = (self.folder / "code").read_text().strip() if (self.folder / "code").exists() else "still there"
        before = (self.folder / "before").read_text()
        same = after.exists() and after.read_text() == before
        flags, end = "", max(end, time.monotonic() + 10)
        while flags != "0 0 1 0" and time.monotonic() < end:  # tmux may still be reading what the program wrote last
            flags = tmux("display-message", "-p", "-t", self.folder.name,
                         "#{alternate_on} #{mouse_any_flag} #{cursor_flag} #{keypad_cursor_flag}").strip()
        if found != "code=%d" % code or not same or flags != "0 0 1 0":
            failures += 1
            print("FAILED: %s: %s, settings %s, flags %s" % (name, found, "equal" if same else "differ", flags))
        tmux("kill-session", "-t", self.folder.name)


def whole_game():
    """From the first move to mate against level 1, by the hints; saved, opened again, and written in another form."""
    global failures
    window = Window("--level=1", "--lang=en", "--notation=short")
    window.see("White>")
    for number in range(1, 121):
        window.type("hint")
        if not window.see("Hint: ", seconds=60):
            return
        move = re.search(r"Hint: ([^,]+),", window.settled()).group(1)  # perhaps "exd6 e.p."
        window.type(move)
        # The computer has answered when the hint is gone from under the board and White is asked again.
        end = time.monotonic() + 60
        shown = window.settled()
        while time.monotonic() < end and "Checkmate. White wins." not in shown and ("Hint: " in shown or "White>" not in shown):
            shown = window.settled()
        if "Checkmate. White wins." in shown:
            break
    window.see("Checkmate. White wins.", "Result: 1-0.")
    window.type("save whole.pgn")
    window.see("Saved: whole.pgn")
    window.keys("C-q")
    window.ends("a whole game", 0)
    game = window.folder / "whole.pgn"
    again = Window("--lang=en", str(game))
    again.see(">%d. %s" % (number, move))
    again.keys("C-q")
    again.ends("opened again", 0)
    written = subprocess.run([PROGRAM, "pgn", "convert", "--form=uci", "--width=0", str(game)], capture_output=True, text=True, check=False)
    if written.returncode != 0 or not re.search(r"^1\. [a-h][1-8][a-h][1-8]", written.stdout, re.M) or "1-0" not in written.stdout:
        failures += 1
        print("FAILED: written in another form:\n" + written.stdout + written.stderr)
    print("mate in %d moves" % number)


def main():
    # L-001, L-009: a mate in one by typing; saved under a name, left, opened again.
    window = Window("--level=1", "--lang=en", "--fen=" + MATE_IN_ONE)
    window.see("Black: computer, level 1", "♖", "White>")
    window.type("Ra8")
    window.see("Checkmate. White wins.", "Result: 1-0.", ">1. Ra8#")
    window.keys("C-s")  # L-026: asks for the name
    window.see("save")
    window.type("mate.pgn")
    window.see("Saved: mate.pgn")
    window.keys("C-o")
    window.see("open")
    window.type("mate.pgn")
    window.see("Opened: mate.pgn.", "Result: 1-0.")
    window.keys("C-q")
    window.ends("quit", 0)
    saved = (window.folder / "mate.pgn").read_text()
    if "1. Ra8# 1-0" not in saved:
        globals()["failures"] += 1
        print("FAILED: the file is\n" + saved)

    whole_game()

    # L-001, X-002: arrows and Enter, two clicks; L-026 the keys; L-018 leafing; L-027 help.
    window = Window(*HUMANS, "--notation=short")
    window.see("[♔ ]")
    window.keys("Up", "Enter")  # e2
    window.see("(♙ )", "   ·")
    window.keys("Up", "Up", "Enter")
    window.see(">1. e4")
    window.click(3 + 4 * 4 + 1, 1 + 2 * 1)  # e7
    window.see("(♟ )")
    window.click(3 + 4 * 4 + 1, 1 + 2 * 3)  # e5
    window.see(">e5")
    window.keys("PPage")
    window.see(">1. e4")
    window.type("Nf3")
    window.see("Move 1 of 2")
    window.keys("End")
    window.see(">e5")
    window.keys("PPage")
    window.type("continue")
    window.see("Taken back: 1.", ">1. e4")
    window.keys("C-z")
    window.see("Taken back: 1.", "White>")
    window.type("Ke4")
    window.see("Ke4 is not legal here.")
    window.keys("F1")
    window.see("hint: the best move", "Any key goes on.")
    window.keys("x")
    window.see("F1 help")
    tmux("resize-window", "-t", window.folder.name, "-x", "79", "-y", "24")
    window.see("too small: 79x24, at least 80x24")
    tmux("resize-window", "-t", window.folder.name, "-x", "120", "-y", "40")
    window.see("White>", "♔")
    window.type("e4")
    window.see(">1. e4")
    window.keys("C-q")
    window.see("The game is not finished")  # L-002
    window.keys("C-q")
    window.ends("quit of an unfinished game", 0)

    # L-005: a pause hides the board; L-020: a promotion on the board asks for the piece.
    window = Window(*HUMANS, "--ascii", "--time=5", "--fen=8/1P5k/7p/8/8/8/8/K7 w - - 0 1")
    window.see(" P ", "5:00")
    window.type("pause")
    window.see("Paused", "The clocks stand")
    window.type("continue")
    window.see(" P ", "The game goes on.")
    window.click(3 + 4 * 1 + 1, 1 + 2 * 1)
    window.see("(P )")
    window.click(3 + 4 * 1 + 1, 1)
    window.see("Name the piece", "> b7b8")
    window.type("N")
    window.see(">1. b8N")
    window.keys("C-c")
    window.see("The game is not finished")
    window.keys("C-c")
    window.ends("Ctrl+C", 0)

    # The languages, by the locale.
    window = Window("--level=1", "--lang=ru", "--notation=short")
    window.see("Чёрные: компьютер, уровень 1", "F1 помощь")
    window.type("Кf3")
    window.see("Белые: Кf3", "1. Чёрные: ")
    window.keys("C-q", "C-q")
    window.ends("Russian", 0)

    # L-017: whatever ends the program, the terminal is as it was and the game is kept.
    for number in (signal.SIGTERM, signal.SIGSEGV, signal.SIGINT, signal.SIGHUP, signal.SIGABRT):
        window = Window(*HUMANS)
        window.see("White>")
        window.type("e4")
        window.see(">1. e4")
        os.kill(window.pid(), number)
        window.ends(number.name, 128 + number)
        kept = list((window.folder / "state/jadoube").glob("play-*.pgn"))
        if len(kept) != 1 or "1. e4" not in kept[0].read_text():
            globals()["failures"] += 1
            print("FAILED: %s: nothing was kept" % number.name)


try:
    tmux("new-session", "-d", "-s", "keeper", "sleep 3600")  # the server ends with its last session
    main()
finally:
    tmux("kill-server")
sys.exit(1 if failures else 0)
