"""What `petteia bench` measures: how fast this machine learns, counts, searches, plays and solves, each on one core.

Every figure is the best of some runs of about a second, after one that compiles: what the code can do when nothing else
disturbs it. Where two figures are compared, their runs take turns, as what disturbs a machine may last for a while.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from petteia.arena.alternate import Conditions, alternate
from petteia.arena.regret import regret
from petteia.core.decision import Limit
from petteia.core.interrupt import interruptible
from petteia.core.perft import count_final, perft
from petteia.core.protocol import Rules, initial, limits
from petteia.features.evaluations import evaluation_for
from petteia.features.feature_set import size
from petteia.features.feature_sets import feature_set_for
from petteia.games import game
from petteia.learn import linear
from petteia.learn.learners import LinearLearner
from petteia.learn.schedules import schedule
from petteia.learn.tabular import learn_games
from petteia.learned.table import TablePolicy, empty_table
from petteia.players import player
from petteia.policies.afterstates import best_afterstate
from petteia.policies.play_games import MAX_PLIES, match_keys, play_games
from petteia.policies.policy import Lowest, Uniform
from petteia.search.alpha_beta import ETC, STANDARD
from petteia.search.searcher import MEGABYTES, Searcher
from petteia.solver.check import find_fault
from petteia.solver.tablebase import build

RUNS, SECONDS = 5, 1.0
BUILT_IN, KALAH = "hare-and-hounds", "kalah"
KALAH_DEPTH = 10
PLAIN_DEPTH, SEARCH_DEPTH = 13, 16
REPORT_RULES, REPORT_GAMES = "kalah:leftovers=nobody", 500_000
REPORT_ALPHA = "0.001,0.0005@100000,0.00025@200000,0.000125@300000,0.0000625@400000"
REPORT_EPSILON = "0.1,0.05@83333,0.025@166667,0.0125@250000,0.00625@333333,0.003125@416667"


class BenchmarkRow(NamedTuple):
    """A figure of a benchmark."""

    name: str
    """what was measured"""
    value: float
    """the figure"""
    unit: str
    """the unit of the figure"""
    goal: str
    """what is aimed at; empty where nothing is"""

    @property
    def shown(self) -> str:
        """The value as people read it."""
        return f"{self.value:,.0f}" if self.value >= 100 else f"{self.value:.2f}"


def rates(*works: Callable[[int], None]) -> list[float]:
    """Units a second of each `work(units)`: the best of some runs, in turns, each of about a second."""
    units = [_units(work) for work in works]
    turns = [[_seconds(work, count) for work, count in zip(works, units, strict=True)] for _ in range(RUNS)]
    return [count / min(seconds) for count, *seconds in zip(units, *turns, strict=True)]


def _units(work: Callable[[int], None]) -> int:
    """How many units take about a second."""
    work(1)
    units, seconds = 1, 0.0
    while seconds < SECONDS / 10:
        units *= 4
        seconds = _seconds(work, units)
    return max(1, int(units * SECONDS / seconds))


def _seconds(work: Callable[..., object], *arguments: object) -> float:
    clock = time.perf_counter()
    interruptible(lambda: work(*arguments))
    return time.perf_counter() - clock


def learning(*games: Rules) -> list[float]:
    """Games a second of tabular Q-learning by player 0 against random play, for each of `games`."""
    return rates(*(functools.partial(_learn, rules) for rules in games))


def _learn(rules: Rules, games: int) -> None:
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


def learning_features() -> float:
    """Seconds for as many games of Q-learning of 40 features, at the settings of the report on Mancala, as it has."""
    rules = game(REPORT_RULES)
    features = feature_set_for(rules, "report")
    alphas = schedule(REPORT_ALPHA, "alpha").over(0, REPORT_GAMES, REPORT_GAMES)
    epsilons = schedule(REPORT_EPSILON, "epsilon").over(0, REPORT_GAMES, REPORT_GAMES)

    def work(games: int) -> None:
        weights = np.zeros(size(features, rules))
        linear.learn_games(
            rules,
            initial(rules),
            linear.learner_for(rules, features, weights, LinearLearner("report", "q", knows_ends=False)),
            best_afterstate(rules, features, weights),
            alphas=alphas[:games],
            epsilons=epsilons[:games],
            gammas=np.ones(games),
            keys=match_keys(0),
        )

    work(1)
    return _seconds(work, REPORT_GAMES)


def counting(rules: Rules) -> float:
    """Nodes a second of perft, leaves counted."""
    start = initial(rules)
    depth = 1
    while _seconds(perft, rules, start, depth) < SECONDS / 4 or depth < 3:
        depth += 1
    return perft(rules, start, depth) / min(_seconds(perft, rules, start, depth) for _ in range(RUNS))


def counting_to(rules: Rules, depth: int) -> tuple[float, float]:
    """Nodes a second of perft to `depth`: leaves counted, and every leaf played."""
    start, lists = initial(rules), np.zeros((depth, limits(rules).moves), np.int64)
    count_final(rules, start, 1, lists)
    nodes = perft(rules, start, depth)
    counted, played = [], []
    for _ in range(RUNS):
        counted.append(_seconds(perft, rules, start, depth))
        played.append(_seconds(count_final, rules, start, depth, lists))
    return nodes / min(counted), nodes / min(played)


def random_games(*games: Rules) -> list[float]:
    """Random games a second for each of `games`."""

    def work(rules: Rules, count: int) -> None:
        play_games(rules, initial(rules), Uniform(), Uniform(), games=count, keys=match_keys(0))

    return rates(*(functools.partial(work, rules) for rules in games))


def playing(rules: Rules) -> list[float]:
    """Games a second of random against simple play: in the compiled loop, and alternating from Python."""
    start, keys = initial(rules), match_keys(0)
    conditions = Conditions(rules, (start,), 0, (0, 1), MAX_PLIES, Limit(), keys)
    first, second = player("random", rules), player("simple", rules)

    def alternating(games: int) -> None:
        for _ in alternate(conditions, first, second, range(games)):
            pass

    return rates(functools.partial(_duel, rules), alternating)


def _duel(rules: Rules, games: int) -> None:
    play_games(rules, initial(rules), Uniform(), Lowest(), games=games, keys=match_keys(0))


def solving(rules: Rules) -> tuple[float, float, float]:
    """Milliseconds to solve, to solve and check, and to measure the regret of a table over all positions."""
    like, table = initial(rules), empty_table(rules)

    def work() -> None:
        build(rules)

    def checked() -> None:
        known = build(rules)
        find_fault(rules, like, known.keys, known.states, known.values, known.distances)

    def judged() -> None:
        regret(rules, TablePolicy(table), over="all")

    solved, proved, given = (1000 * min(_seconds(each) for _ in range(RUNS + 1)) for each in (work, checked, judged))
    return solved, proved, given


def searching(rules: Rules, options: int, megabytes: int, depth: int) -> tuple[float, float]:
    """Nodes a second of a search from the start, deepened to `depth`, and the seconds that it takes."""
    searcher = Searcher(rules, evaluation_for(rules), options=options, megabytes=megabytes)
    thoughts = []
    for _ in range(RUNS):
        searcher.clear()
        thoughts.append(searcher.search(initial(rules), Limit(depth=depth)))
    best = min(thoughts, key=lambda each: each.seconds)
    return best.nodes / best.seconds, best.seconds


def help_seconds() -> float:
    """Seconds from the start to the end of a process that prints the help: the best of five."""
    command = [sys.executable, "-m", "petteia", "--help"]
    return min(_seconds(lambda: subprocess.run(command, check=True, capture_output=True)) for _ in range(5))


def own_copy(rules: Rules, folder: Path) -> Rules:
    """The rules of a built-in game, copied into a module of a user's own in `folder`."""
    name = type(rules).__name__
    source = inspect.getsource(sys.modules[type(rules).__module__])
    (folder / f"petteia_bench_{name}.py").write_text(source, encoding="utf-8")
    sys.path.insert(0, str(folder))
    try:
        importlib.invalidate_caches()
        return game(f"petteia_bench_{name}:{name}")
    finally:
        sys.path.remove(str(folder))


def measure() -> Iterator[BenchmarkRow]:
    """All figures, each as soon as it is known."""
    rules = game(BUILT_IN)
    with tempfile.TemporaryDirectory() as folder:
        learned, own = learning(rules, own_copy(rules, Path(folder)))
    yield BenchmarkRow(f"Q-learning, {BUILT_IN}", learned, "games/s", "700,000")
    yield BenchmarkRow("Q-learning, a game of one's own", own, "games/s", f"that of {BUILT_IN}")
    yield BenchmarkRow(f"Q-learning of 40 features, {KALAH}, 500,000 games", learning_features(), "s", "less than 15")
    yield BenchmarkRow(f"perft, {BUILT_IN}", counting(rules), "nodes/s", "50,000,000")
    kalah = game(KALAH)
    counted, played = counting_to(kalah, KALAH_DEPTH)
    yield BenchmarkRow(f"perft, {KALAH}, depth {KALAH_DEPTH}", counted, "nodes/s", "100,000,000")
    yield BenchmarkRow("the same, every leaf played", played, "nodes/s", "33,000,000")
    with tempfile.TemporaryDirectory() as folder:
        drawn, own = random_games(kalah, own_copy(kalah, Path(folder)))
    yield BenchmarkRow(f"random games, {KALAH}", drawn, "games/s", "800,000")
    yield BenchmarkRow("random games, a copy of its rules", own, "games/s", f"that of {KALAH}")
    plain, _ = searching(kalah, 0, 0, PLAIN_DEPTH)
    yield BenchmarkRow(f"alpha-beta alone, {KALAH}, depth {PLAIN_DEPTH}", plain, "nodes/s", "28,000,000")
    full, _ = searching(kalah, STANDARD | ETC, MEGABYTES, SEARCH_DEPTH)
    yield BenchmarkRow(f"search with everything, {KALAH}, depth {SEARCH_DEPTH}", full, "nodes/s", "8,000,000")
    usual, seconds = searching(kalah, STANDARD, MEGABYTES, SEARCH_DEPTH)
    yield BenchmarkRow(f"search as it is used, {KALAH}", usual, "nodes/s", "")
    yield BenchmarkRow(f"search to depth {SEARCH_DEPTH}, {KALAH}", seconds, "s", "")
    compiled, alternating = playing(rules)
    yield BenchmarkRow("random against simple, compiled", compiled, "games/s", "")
    yield BenchmarkRow("random against simple, from Python", alternating, "games/s", "")
    yield BenchmarkRow("compiled over from Python", compiled / alternating, "times", "100")
    solved, proved, judged = solving(rules)
    yield BenchmarkRow(f"solving {BUILT_IN}", solved, "ms", "less than 50")
    yield BenchmarkRow(f"solving and checking {BUILT_IN}", proved, "ms", "less than 200")
    yield BenchmarkRow("regret of a table over all positions", judged, "ms", "less than 100")
    yield BenchmarkRow("petteia --help", help_seconds(), "s", "less than 0.3")
