"""What it costs that users' own code is trusted: noticing changes, checking bounds, compiling again, own processes.

python benchmarks/own_code.py
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import petteia
from petteia.core import identity
from petteia.core.decision import Limit
from petteia.core.kernel import Kernel, compiler
from petteia.core.perft import _perft
from petteia.core.protocol import initial, limits, moves
from petteia.games.kalah import Kalah
from petteia.players import player
from petteia.policies.play_games import _play_chunk, match_keys
from petteia.policies.policy import Uniform, workspace

RUNS = 7
FEATURES = """
from typing import NamedTuple
SCALE = {}
class Mine(NamedTuple):
    def names(feature_set, rules):
        return ("stores", "row", "one")
    def size(feature_set, rules):
        return 3
    def features(feature_set, rules, state, index, value):
        index[0], value[0] = 0, SCALE * (state.south_store - state.north_store)
        index[1], value[1] = 1, (state.south % 256) / 10
        index[2], value[2] = 2, 1.0
        return 3
"""
PLAYER = """
from petteia.core.protocol import legal
class Mine:
    def new_game(self, rules, seed):
        self.rules = rules
    def choose(self, state, limit):
        return legal(self.rules, state)[0]
"""


class Copy(Kalah):
    """Kalah as a user's own game."""


class ByList(NamedTuple):
    """A policy that lists the moves and takes the one of the largest code."""

    def choose(policy: Any, rules: Any, state: Any, random: Any, work: Any) -> int:
        """The largest."""
        best = 0
        for i in range(moves(rules, state, work.moves)):
            best = i if work.moves[i] > work.moves[best] else best
        return int(work.moves[best])


def best_of(work: Callable[[], object]) -> float:
    """The least processor time of some runs, in seconds."""
    times = []
    for _ in range(RUNS):
        clock = time.process_time()
        work()
        times.append(time.process_time() - clock)
    return min(times)


def cost_of_checks(kernel: Kernel[..., Any], *arguments: Any) -> float:
    """By how much checks of bounds slow a kernel down, in per cent."""
    types = tuple(map(compiler().typeof, arguments))
    seconds = []
    for checked in (False, True):
        kernel.dispatcher(checked=checked).compile(types)
        code = kernel.dispatcher(checked=checked).overloads[types].entry_point
        seconds.append(best_of(lambda code=code: code(*arguments)))  # type: ignore[misc]
    return 100 * (seconds[1] / seconds[0] - 1)


def bounds() -> None:
    rules = Copy()
    start, maximum = initial(rules), limits(rules).moves
    lists = np.zeros((9, maximum), np.int64), np.zeros(maximum)
    print(f"bounds checked, perft of Kalah: {cost_of_checks(_perft, rules, start, 9, *lists):+.1f} %")
    for name, policy in (("random games", Uniform()), ("games by lists of moves", ByList())):
        games = (np.array([0, 1]), 0, 1000, match_keys(1), 0, np.zeros((100_000, 4), np.int64))
        work = (np.zeros((4, 1), np.int64), workspace(rules))
        cost = cost_of_checks(_play_chunk, rules, start, policy, Uniform(), *games, *work)
        print(f"bounds checked, {name}: {cost:+.1f} %")


def calls() -> None:
    rules = Copy()
    arguments = (rules, initial(rules), 1, np.zeros((1, limits(rules).moves), np.int64), np.zeros(limits(rules).moves))
    for name, work in (("changes noticed", lambda: identity.settle(arguments)), ("a call", lambda: _perft(*arguments))):
        work()
        seconds = best_of(lambda work=work: [work() for _ in range(2000)]) / 2000  # type: ignore[misc]
        print(f"{name}, a custom game: {seconds * 1e6:.1f} microseconds")


def compiling(folder: Path) -> None:
    """Edit a literal of a feature set, and do again what its author does: learn, and play what was learned."""
    run = [sys.executable, "-m", "petteia"]
    for number, scale in enumerate((0.5, 0.25)):
        (folder / "mine.py").write_text(FEATURES.format(scale), encoding="utf-8")
        for what in (
            f"train kalah --features mine:Mine --games 2000 --evaluation-games 50 --name r{number}",
            f"match kalah theta:agent=runs/r{number} greedy --games 20",
        ):
            clock = time.perf_counter()
            subprocess.run([*run, *what.split()], cwd=folder, check=True, capture_output=True)
            if number:
                print(f"after a literal was edited, {what.split()[0]}: {time.perf_counter() - clock:.1f} s")


def children(folder: Path) -> None:
    (folder / "players.py").write_text(PLAYER, encoding="utf-8")
    os.chdir(folder)
    rules = petteia.game("kalah")
    clock = time.perf_counter()
    own = player("players:Mine", rules)
    own.new_game(rules, 1)
    print(f"a player's process started: {time.perf_counter() - clock:.2f} s")
    seconds = []
    for _ in range(2000):
        clock = time.perf_counter()
        own.choose(initial(rules), Limit())
        seconds.append(time.perf_counter() - clock)
    print(f"a ply through it: {np.median(seconds) * 1e6:.0f} microseconds")


if __name__ == "__main__":
    calls()
    bounds()
    with tempfile.TemporaryDirectory() as place:
        compiling(Path(place))
        children(Path(place))
