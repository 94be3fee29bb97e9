"""The speed of the Game of the Amazons: evaluations, random games, perft and search, and OpenSpiel's native rollouts.

python benchmarks/amazons.py

All is measured in turns in one run, each on one core; the best of the turns counts. OpenSpiel plays the same rules, a
move as three actions: its random games choose an amazon, then where it goes, then where the arrow lands, each evenly,
and so does `ByParts` here. `Uniform` chooses evenly among whole moves.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pyspiel

from petteia.core.arrays import Ints
from petteia.core.decision import Limit
from petteia.core.kernel import kernel
from petteia.core.packing import unpack
from petteia.core.perft import perft
from petteia.core.protocol import Rules, State, initial
from petteia.core.random import RandomState, below
from petteia.features.evaluation import evaluate
from petteia.features.evaluations import evaluation_for
from petteia.games import game
from petteia.games.amazons import Amazons
from petteia.games.amazons_board import Position, amazons_of, free_squares
from petteia.games.queens import (
    SQUARES,
    Squares,
    beside,
    is_empty,
    lowest,
    one_of,
    only,
    reach,
    size_of,
    union,
    without_lowest,
)
from petteia.policies.play_games import match_keys, play_games
from petteia.policies.policy import Scratch, Uniform
from petteia.search.searcher import Searcher

RULES = game("amazons")
THEIRS = pyspiel.load_game("amazons")
GAMES, THEIR_GAMES, POSITIONS, TIMES = 2000, 1000, 2000, 20
RUNS = 5


class ByParts(NamedTuple):
    """The policy that chooses an amazon that can move, then where it goes, then where the arrow lands."""

    def choose(policy, rules: Amazons, state: Position, random: RandomState, work: Scratch) -> int:
        """The move."""
        free = free_squares(rules, state)
        able = Squares(0, 0)
        amazons = amazons_of(state, state.side)
        while not is_empty(amazons):
            amazon = only(lowest(amazons))
            amazons = without_lowest(amazons)
            if not is_empty(beside(amazon, free)):
                able = union(able, amazon)
        origin = one_of(able, below(random, size_of(able)))
        targets = reach(only(origin), free)
        target = one_of(targets, below(random, size_of(targets)))
        arrows = reach(only(target), union(free, only(origin)))
        arrow = one_of(arrows, below(random, size_of(arrows)))
        return (origin * SQUARES + target) * SQUARES + arrow


@kernel(purpose="a benchmark")
def evaluate_all(evaluation: Any, rules: Rules, like: State, rows: Ints, times: int) -> int:
    """The sum of the evaluations of states, int64[states, fields], so many times."""
    total = 0
    for _ in range(times):
        for i in range(len(rows)):
            total += evaluate(evaluation, rules, unpack(like, rows[i]))
    return total


def positions() -> Ints:
    """Positions of random games, from their beginnings to their ends."""
    from petteia.core.protocol import is_over, play, random_move
    from petteia.core.random import stream

    rows = []
    for number in range(POSITIONS):
        state, random = initial(RULES), [stream(1, number)]
        while not is_over(RULES, state):
            rows.append(tuple(state))
            state = play(RULES, state, random_move(RULES, state, random))
        if len(rows) >= POSITIONS:
            break
    return np.array(rows[:POSITIONS], np.int64)


ROWS = positions()


def evaluations(name: str) -> Callable[[], object]:
    value = evaluation_for(RULES, name)
    return lambda: evaluate_all(value, RULES, initial(RULES), ROWS, TIMES)


def games(policy: Any) -> Callable[[], object]:
    return lambda: play_games(RULES, initial(RULES), policy, policy, games=GAMES, keys=match_keys(0))


def their_games() -> None:
    """What its MCTS bot does in its first simulation: it values the root by that many random games."""
    bot = pyspiel.MCTSBot(THEIRS, pyspiel.RandomRolloutEvaluator(THEIR_GAMES, 0), 2.0, 1, 100, False, 0, False)
    bot.mcts_search(THEIRS.new_initial_state())


def search(depth: int) -> Callable[[], object]:
    value = evaluation_for(RULES, "queen-distance")
    return lambda: Searcher(RULES, value).search(initial(RULES), Limit(depth=depth))  # a new one remembers nothing


MEASURED: dict[str, tuple[Callable[[], object], int, str]] = {
    "evaluations, queen-distance": (evaluations("queen-distance"), TIMES * POSITIONS, "/s"),
    "evaluations, mix": (evaluations("mix"), TIMES * POSITIONS, "/s"),
    "evaluations, mobility": (evaluations("mobility"), TIMES * POSITIONS, "/s"),
    "random games, whole moves": (games(Uniform()), GAMES, "/s"),
    "random games, by parts": (games(ByParts()), GAMES, "/s"),
    "random games, OpenSpiel's native rollouts": (their_games, THEIR_GAMES, "/s"),
    "perft, depth 3": (lambda: perft(RULES, initial(RULES), 3), 0, "s"),
    "search by queen-distance, depth 2": (search(2), 0, "s"),
    "search by queen-distance, depth 3": (search(3), 0, "s"),
}
"""What is done, how many of what that is (0: the time is told), and the unit."""


def main() -> None:
    best = dict.fromkeys(MEASURED, float("inf"))
    for run in range(RUNS + 1):  # the first compiles
        for name, (work, _, _) in MEASURED.items():
            clock = time.perf_counter()
            work()
            if run > 0:
                best[name] = min(best[name], time.perf_counter() - clock)
    for name, (_, count, unit) in MEASURED.items():
        figure = f"{count / best[name]:,.0f}" if count else f"{best[name]:.3f}"
        print(f"{name:45} {figure:>12} {unit}")


if __name__ == "__main__":
    main()
