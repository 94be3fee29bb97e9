"""What whole processes take: the first use of a machine, with nothing compiled, and every later one.

python benchmarks/processes.py
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time

COMMANDS = (
    "--help",
    "perft hare-and-hounds 6",
    "match hare-and-hounds random simple --games 10000",
    "train hare-and-hounds --games 100000",
    "warmup",
)


def seconds(command: str, cache: str, runs: str) -> float:
    environment = os.environ | {"PETTEIA_CACHE": cache, "PETTEIA_RUNS": runs}
    clock = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "petteia", *command.split()], check=True, capture_output=True, env=environment
    )
    return time.perf_counter() - clock


def main() -> None:
    print(f"{'petteia ...':<50} {'first, s':>9} {'later, s':>9}")
    for command in COMMANDS:
        with tempfile.TemporaryDirectory() as cache, tempfile.TemporaryDirectory() as runs:
            first = seconds(command, cache, runs)
            later = min(seconds(command, cache, runs) for _ in range(3))
        print(f"{command:<50} {first:>9.2f} {later:>9.2f}")


if __name__ == "__main__":
    main()
