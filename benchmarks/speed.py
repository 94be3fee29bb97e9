"""What the speed of this package is held to: the figures of BENCHMARKS.md, each on one core, beside their goals.

python benchmarks/speed.py

It takes a minute or two. Where two figures are compared, their runs take turns, as what disturbs a machine may last
for a while. `petteia bench` measures what users want to know of their machine.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from petteia.arena.alternate import Conditions, alternate
from petteia.arena.regret import regret
from petteia.cli.bench import RUNS, SEARCH_DEPTH, count_nodes, learn_table, play_randomly, rates, search, seconds_of
from petteia.core.arrays import Ints
from petteia.core.decision import Limit
from petteia.core.kernel import kernel
from petteia.core.perft import perft
from petteia.core.protocol import Rules, State, initial, is_over, limits, moves, play
from petteia.features.feature_set import size
from petteia.features.feature_sets import feature_set_for
from petteia.games import game
from petteia.learn import linear
from petteia.learn.learners import LinearLearner
from petteia.learn.schedules import schedule
from petteia.players import player
from petteia.policies.afterstates import best_afterstate
from petteia.policies.play_games import MAX_PLIES, match_keys, play_games
from petteia.policies.policy import Lowest, Uniform
from petteia.records.machine import machine
from petteia.search.alpha_beta import ETC, STANDARD
from petteia.solver.check import find_fault
from petteia.solver.tablebase import build
from petteia.value_functions.table import TablePolicy, empty_table

BUILT_IN, KALAH = "hare-and-hounds", "kalah"
PERFT_DEPTH, PLAIN_DEPTH = 10, 13
REPORT_RULES, REPORT_GAMES = "kalah:leftovers=nobody", 500_000
REPORT_ALPHA = "0.001,0.0005@100000,0.00025@200000,0.000125@300000,0.0000625@400000"
REPORT_EPSILON = "0.1,0.05@83333,0.025@166667,0.0125@250000,0.00625@333333,0.003125@416667"

Figure = tuple[str, float, str, str]
"""what was measured, the figure, its unit, and what is aimed at"""


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
    return seconds_of(work, REPORT_GAMES)


@kernel
def count_final(rules: Rules, state: State, depth: int, lists: Ints) -> int:
    """The number of final positions after exactly `depth` (1 or more) plies, every one of which is played."""
    if is_over(rules, state):
        return 0
    out = lists[depth - 1]
    final = 0
    for i in range(moves(rules, state, out)):
        after = play(rules, state, int(out[i]))
        if depth > 1:
            final += count_final(rules, after, depth - 1, lists)
        elif is_over(rules, after):
            final += 1
    return final


def counting_to(rules: Rules, depth: int) -> tuple[float, float]:
    """Nodes a second of perft to `depth`: leaves counted, and every leaf played."""
    start, lists = initial(rules), np.zeros((depth, limits(rules).moves), np.int64)
    count_final(rules, start, 1, lists)
    nodes = perft(rules, start, depth)
    counted, played = [], []
    for _ in range(RUNS):
        counted.append(seconds_of(perft, rules, start, depth))
        played.append(seconds_of(count_final, rules, start, depth, lists))
    return nodes / min(counted), nodes / min(played)


def playing(rules: Rules) -> list[float]:
    """Games a second of random against simple play: in the compiled loop, and alternating from Python."""
    start, keys = initial(rules), match_keys(0)
    conditions = Conditions(rules, (start,), 0, (0, 1), MAX_PLIES, Limit(), keys)
    first, second = player("random", rules), player("simple", rules)

    def compiled(games: int) -> None:
        play_games(rules, start, Uniform(), Lowest(), games=games, keys=keys)

    def alternating(games: int) -> None:
        for _ in alternate(conditions, first, second, range(games)):
            pass

    return rates(compiled, alternating)


def solving(rules: Rules) -> tuple[float, float, float]:
    """Milliseconds to solve, to solve and check, and to measure the regret of a table over all positions."""
    like, table = initial(rules), empty_table(rules)

    def checked() -> None:
        known = build(rules)
        find_fault(rules, like, known.keys, known.states, known.values, known.distances)

    def judged() -> None:
        regret(rules, TablePolicy(table), over="all")

    solved, proved, given = (
        1000 * min(seconds_of(work) for _ in range(RUNS + 1))
        for work in (functools.partial(build, rules), checked, judged)
    )
    return solved, proved, given


def help_seconds() -> float:
    """Seconds from the start to the end of a process that prints the help: the best of five."""
    command = [sys.executable, "-m", "petteia", "--help"]
    return min(seconds_of(lambda: subprocess.run(command, check=True, capture_output=True)) for _ in range(5))


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


def measure() -> Iterator[Figure]:
    """All figures, each as soon as it is known."""
    rules, kalah = game(BUILT_IN), game(KALAH)
    with tempfile.TemporaryDirectory() as folder:
        copies = [functools.partial(learn_table, each) for each in (rules, own_copy(rules, Path(folder)))]
        learned, own = rates(*copies)
    yield f"Q-learning, {BUILT_IN}", learned, "games/s", "700,000"
    yield "Q-learning, a custom game", own, "games/s", f"that of {BUILT_IN}"
    yield f"Q-learning of 40 features, {KALAH}, 500,000 games", learning_features(), "s", "less than 15"
    yield f"perft, {BUILT_IN}", count_nodes(rules), "nodes/s", "50,000,000"
    counted, played = counting_to(kalah, PERFT_DEPTH)
    yield f"perft, {KALAH}, depth {PERFT_DEPTH}", counted, "nodes/s", "100,000,000"
    yield "the same, every leaf played", played, "nodes/s", "33,000,000"
    with tempfile.TemporaryDirectory() as folder:
        copies = [functools.partial(play_randomly, each) for each in (kalah, own_copy(kalah, Path(folder)))]
        drawn, own = rates(*copies)
    yield f"random games, {KALAH}", drawn, "games/s", "800,000"
    yield "random games, a copy of its rules", own, "games/s", f"that of {KALAH}"
    plain = search(kalah, 0, 0, PLAIN_DEPTH)
    yield f"alpha-beta alone, {KALAH}, depth {PLAIN_DEPTH}", plain, "nodes/s", "28,000,000"
    yield (
        f"search with everything, {KALAH}, depth {SEARCH_DEPTH}",
        search(kalah, STANDARD | ETC),
        "nodes/s",
        "8,000,000",
    )
    yield f"search as it is used, {KALAH}", search(kalah), "nodes/s", ""
    compiled, alternating = playing(rules)
    yield "random against simple, compiled", compiled, "games/s", ""
    yield "random against simple, from Python", alternating, "games/s", ""
    yield "compiled over from Python", compiled / alternating, "times", "100"
    solved, proved, judged = solving(rules)
    yield f"solving {BUILT_IN}", solved, "ms", "less than 50"
    yield f"solving and checking {BUILT_IN}", proved, "ms", "less than 200"
    yield "regret of a table over all positions", judged, "ms", "less than 100"
    yield "petteia --help", help_seconds(), "s", "less than 0.3"


def main() -> None:
    for name, value in machine().items():
        print(f"{name}: {value}")
    print(f"\n{'figure':<50} {'measured':>12}   {'unit':<8}  goal")
    for name, figure, unit, goal in measure():
        shown = f"{figure:,.0f}" if figure >= 100 else f"{figure:.2f}"
        print(f"{name:<50} {shown:>12}   {unit:<8}  {goal}", flush=True)


if __name__ == "__main__":
    main()
