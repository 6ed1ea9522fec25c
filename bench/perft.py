#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Speed of the move generator beside Stockfish's: one thread, no hash, leaves counted in bulk.

usage: bench/perft.py PATH-OF-bench_perft [--rounds N]

Runs the six standard positions of the Chessprogramming wiki, each program in turn, and prints millions of
nodes a second of processor time (the best round), the geometric means and their ratio. Processor time, so
that a busy machine slows neither. Without Stockfish only our own.
"""
import math
import os
import shutil
import subprocess
import sys

POSITIONS = [
    ("start", 6, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 119060324),
    ("kiwipete", 5, "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 193690690),
    ("position 3", 7, "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 178633661),
    ("position 4", 5, "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 15833292),
    ("position 5", 5, "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 89941194),
    ("position 6", 5, "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 164075551),
]


class Stockfish:
    """Kept running, so that its start is not measured."""

    def __init__(self, path):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.ask("isready", "readyok")

    def ask(self, line, answer):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        while True:
            text = self.process.stdout.readline()
            if text.startswith(answer):
                return text

    def processor_seconds(self):
        """Of all its threads; the kernel counts nanoseconds on the processor."""
        tasks = f"/proc/{self.process.pid}/task"
        return sum(int(open(f"{tasks}/{task}/schedstat").read().split()[0]) for task in os.listdir(tasks)) / 1e9

    def measure(self, depth, fen):
        self.process.stdin.write(f"position fen {fen}\n")
        self.ask("isready", "readyok")
        start = self.processor_seconds()
        nodes = int(self.ask(f"go perft {depth}", "Nodes searched").split(":")[1])
        self.ask("isready", "readyok")
        return nodes, self.processor_seconds() - start

    def close(self):
        self.process.stdin.write("quit\n")
        self.process.stdin.flush()
        self.process.wait()


def own(bench, mode, depth, fen):
    nodes, ns = subprocess.run([bench, mode, str(depth), fen], capture_output=True, text=True,
                               check=True).stdout.split()
    return int(nodes), int(ns) / 1e9


def mean(values):
    return math.exp(sum(math.log(value) for value in values) / len(values))


def main():
    if len(sys.argv) not in (2, 4) or (len(sys.argv) == 4 and sys.argv[2] != "--rounds"):
        sys.exit(__doc__)
    bench = sys.argv[1]
    rounds = int(sys.argv[3]) if len(sys.argv) == 4 else 3
    path = shutil.which("stockfish") or "/usr/games/stockfish"
    stockfish = Stockfish(path) if os.path.exists(path) else None
    programs = [("perft", lambda d, f: own(bench, "perft", d, f)), ("calls", lambda d, f: own(bench, "calls", d, f))]
    if stockfish:
        programs.append(("stockfish", stockfish.measure))
    best = {name: [0.0] * len(POSITIONS) for name, _ in programs}
    for _ in range(rounds):
        for i, (title, depth, fen, expected) in enumerate(POSITIONS):
            for name, measure in programs:
                nodes, seconds = measure(depth, fen)
                if nodes != expected:
                    sys.exit(f"{name} counts {nodes} in {title} at depth {depth}; expected {expected}")
                best[name][i] = max(best[name][i], nodes / seconds / 1e6)
    print("million nodes a second" + "".join(f"{name:>12}" for name, _ in programs))
    for i, (title, depth, _, _) in enumerate(POSITIONS):
        print(f"{title + ', depth ' + str(depth):<22}" + "".join(f"{best[name][i]:12.1f}" for name, _ in programs))
    print(f"{'geometric mean':<22}" + "".join(f"{mean(best[name]):12.1f}" for name, _ in programs))
    if stockfish:
        stockfish.close()
        ratios = [mean(best[name]) / mean(best["stockfish"]) for name, _ in programs]
        print(f"{'times stockfish':<22}" + "".join(f"{ratio:12.2f}" for ratio in ratios))


if __name__ == "__main__":
    main()
