"""The measurements of `petteia bench`: the speed of learning, play, perft, search and solving, each on one core.

Each result is the best of several runs of about a second, after a run that compiles the code. The best run shows the
speed of the machine without other load. `benchmarks/speed.py` contains further measurements for the development of this
package.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from petteia.core.decision import Limit
from petteia.core.interrupt import interruptible
from petteia.core.perft import perft
from petteia.core.protocol import Rules, initial
from petteia.features.evaluations import evaluation_for
from petteia.features.feature_set import size
from petteia.features.feature_sets import feature_set_for
from petteia.games import game
from petteia.learn import linear
from petteia.learn.learners import LinearLearner
from petteia.learn.tabular import learn_games
from petteia.policies.afterstates import best_afterstate
from petteia.policies.play_games import match_keys, play_games
from petteia.policies.policy import Uniform
from petteia.search.alpha_beta import STANDARD
from petteia.search.searcher import MEGABYTES, Searcher
from petteia.solver.tablebase import build
from petteia.value_functions.table import empty_table

RUNS, SECONDS = 3, 1.0
SMALL, LARGE = "hare-and-hounds", "kalah"
SEARCH_DEPTH = 16


class BenchmarkRow(NamedTuple):
    """A result of a benchmark: a measurement with its value and unit."""

    name: str
    """the name of the measurement"""
    value: float
    """the measured value"""
    unit: str
    """the unit of the value, such as games per second"""

    @property
    def shown(self) -> str:
        """The rounded value as text."""
        return f"{self.value:,.0f}" if self.value >= 100 else f"{self.value:.2f}"


def seconds_of(work: Callable[..., object], *arguments: object) -> float:
    """Return the duration of `work(*arguments)` in seconds."""
    clock = time.perf_counter()
    interruptible(lambda: work(*arguments))
    return time.perf_counter() - clock


def rates(*works: Callable[[int], None]) -> list[float]:
    """Measure several functions, and return the speed of each in units of work per second.

    A unit of work is, for example, one game. The argument of each measured function is the number of units of work that
    the function must do.

    The functions are run in turn, several times each, for about a second per run. The speed of a function is the speed
    of its fastest run.
    """
    units = [_units(work) for work in works]
    turns = [[seconds_of(work, count) for work, count in zip(works, units, strict=True)] for _ in range(RUNS)]
    return [count / min(seconds) for count, *seconds in zip(units, *turns, strict=True)]


def _units(work: Callable[[int], None]) -> int:
    """Return the number of units of work, such as games, that `work` can do in about a second."""
    work(1)
    units, seconds = 1, 0.0
    while seconds < SECONDS / 10:
        units *= 4
        seconds = seconds_of(work, units)
    return max(1, int(units * SECONDS / seconds))


def learn_table(rules: Rules, games: int) -> None:
    """Train player 0 by tabular Q-learning against random play."""
    learn_games(
        rules,
        initial(rules),
        0,
        empty_table(rules),
        Uniform(),
        alphas=np.full(games, 0.1),
        explorations=np.full(games, 0.5),
        gammas=np.full(games, 0.9),
        keys=match_keys(0),
    )


def learn_weights(rules: Rules, games: int) -> None:
    """Train the weights of 40 features by Q-learning in self-play."""
    features = feature_set_for(rules, "report")
    weights = np.zeros(size(features, rules))
    linear.learn_games(
        rules,
        initial(rules),
        linear.learner_for(rules, features, weights, LinearLearner("report", "q", knows_ends=False)),
        best_afterstate(rules, features, weights),
        alphas=np.full(games, 1e-4),
        epsilons=np.full(games, 0.05),
        gammas=np.ones(games),
        keys=match_keys(0),
    )


def play_randomly(rules: Rules, games: int) -> None:
    """Play games with random moves of both players."""
    play_games(rules, initial(rules), Uniform(), Uniform(), games=games, keys=match_keys(0))


def count_nodes(rules: Rules) -> float:
    """Measure the speed of perft from the initial position, in nodes per second, including leaves."""
    start, depth = initial(rules), 1
    while seconds_of(perft, rules, start, depth) < SECONDS / 4 or depth < 3:
        depth += 1
    return perft(rules, start, depth) / min(seconds_of(perft, rules, start, depth) for _ in range(RUNS))


def search(rules: Rules, options: int = STANDARD, megabytes: int = MEGABYTES, depth: int = SEARCH_DEPTH) -> float:
    """Return the number of nodes per second of a search of the initial position to `depth` plies.

    `megabytes` is the size of the transposition table. The search is repeated, and the result is the speed of
    the fastest search.
    """
    searcher = Searcher(rules, evaluation_for(rules), options=options, megabytes=megabytes)
    thoughts = []
    for _ in range(RUNS):
        searcher.clear()
        thoughts.append(searcher.search(initial(rules), Limit(depth=depth)))
    return max(each.nodes / each.seconds for each in thoughts)


def measure() -> Iterator[BenchmarkRow]:
    """Run all measurements, and yield each result as soon as it is available."""
    small, large = game(SMALL), game(LARGE)
    for name, work in (
        (f"Q-learning, {SMALL}", functools.partial(learn_table, small)),
        (f"Q-learning of 40 features, {LARGE}", functools.partial(learn_weights, large)),
        (f"random games, {LARGE}", functools.partial(play_randomly, large)),
    ):
        (rate,) = rates(work)
        yield BenchmarkRow(name, rate, "games/s")
    yield BenchmarkRow(f"perft, {LARGE}", count_nodes(large), "nodes/s")
    yield BenchmarkRow(f"search, {LARGE}, depth {SEARCH_DEPTH}", search(large), "nodes/s")
    solving = min(seconds_of(build, small) for _ in range(RUNS + 1))  # the first run compiles the code
    yield BenchmarkRow(f"solving {SMALL}", 1000 * solving, "ms")
