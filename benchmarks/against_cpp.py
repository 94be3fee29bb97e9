"""Plain alpha-beta on Kalah, beside a program for it that is written by hand in C++ (`alpha_beta.cpp`), in one run.

python benchmarks/against_cpp.py [DEPTH]

Needs a C++ compiler (`c++`). Both see the same nodes and find the same value. Measured is processor time, the best of
several runs in turns, as other work on the machine slows down both.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import petteia
from petteia.core.protocol import initial, moves
from petteia.features.evaluations import evaluation_for
from petteia.search.memory import LISTED, MAX_NODES, NODES, memory_for, root_for
from petteia.search.parts import STANDARD_PARTS, Search
from petteia.search.root import search_root

TURNS, RUNS = 5, 5


def ours(depth: int) -> tuple[int, int, float]:
    """Value, nodes, and the most nodes a second."""
    rules = petteia.game("kalah")
    state, evaluation, memory, root = initial(rules), evaluation_for(rules), memory_for(rules), root_for(rules)
    search = Search(rules, evaluation, STANDARD_PARTS, 0, memory)
    root.counts[LISTED] = moves(rules, state, root.moves)
    fastest = 0.0
    for _ in range(RUNS):
        memory.counters[:] = 0
        memory.counters[MAX_NODES] = 1 << 60
        begun = time.process_time()
        search_root(search, state, depth, 1, root)
        fastest = max(fastest, int(memory.counters[NODES]) / (time.process_time() - begun))
    return int(root.tops[0]), int(memory.counters[NODES]), fastest


def main() -> None:
    """Print what both reach, and how they compare."""
    depth = int(sys.argv[1]) if len(sys.argv) > 1 else 13
    source = Path(__file__).parent / "alpha_beta.cpp"
    with tempfile.TemporaryDirectory() as folder:
        program = str(Path(folder) / "alpha_beta")
        subprocess.run(["c++", "-O3", "-march=native", "-o", program, str(source)], check=True)
        ours(2)  # compiles
        compared = []
        for _ in range(TURNS):
            written = subprocess.run(
                [program, str(depth), str(RUNS)], check=True, capture_output=True, text=True
            ).stdout
            value, nodes, speed = written.split()
            mine = ours(depth)
            if mine[:2] != (int(value), int(nodes)):
                sys.exit(f"value and nodes {mine[:2]}, in C++ {(int(value), int(nodes))}: they must be the same")
            compared.append((float(speed), mine[2]))
    by_hand, by_us = (max(each) for each in zip(*compared, strict=True))
    print(f"alpha-beta to depth {depth}: value {mine[0]}, {mine[1]:,} nodes")
    print(f"C++     {by_hand / 1e6:6.1f} M nodes/s")
    print(f"petteia {by_us / 1e6:6.1f} M nodes/s, {by_us / by_hand:.2f} of it")


if __name__ == "__main__":
    main()
