"""The two decorators: the same function plain and compiled, in this process and in fresh ones, in cells run again."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
from typing import NamedTuple

import numba
import numpy as np
import pytest
from folders import python_path

from petteia.core import kernel as under_test
from petteia.core.kernel import Kernel, compile_alone, inline, kernel, when_compiling
from petteia.core.protocol import CHANCE, initial, moves, play, to_move
from petteia.games import game

MAX_SPECIALISATIONS = 20
"""Of a game that was counted, checked, learned, solved, proved and played by what was learned; each costs seconds."""


@inline
def doubled(number: int) -> int:
    return 2 * number


@kernel
def summed(number: int, factor: int) -> int:
    if number == 0:
        return 0
    return doubled(number) * factor + summed(number - 1, factor)


@kernel
def first_moves(rules, state, out):
    total = 0
    while to_move(rules, state) != CHANCE and total < 5:
        total += moves(rules, state, out)
        state = play(rules, state, int(out[0]))
    return total


@kernel
def mover(rules, state):
    return to_move(rules, state)


def test_a_kernel_calls_helpers_and_itself():
    assert summed(4, 3) == summed.function(4, 3) == 60
    assert doubled(4) == 8
    assert len(summed.specialisations) == 1


def test_a_kernel_calls_verbs():
    rules = game("hare-and-hounds")
    room = rules.limits().moves
    assert first_moves(rules, initial(rules), np.zeros(room, np.int64)) == first_moves.function(
        rules, initial(rules), [0] * room
    )


@numba.njit
def trebled(number):
    return 3 * number


@inline
def trebled_and_one(number: int) -> int:
    return trebled(number) + 1


@kernel
def summed_by_a_helper(number: int) -> int:
    return trebled_and_one(number)


@inline
def kernel_of_a_helper(number: int) -> int:
    return halved(number)


@kernel
def halved(number: int) -> int:
    return number // 2


@kernel
def halved_by_a_helper(number: int) -> int:
    return kernel_of_a_helper(number)


def test_what_a_helper_calls_can_be_called_from_python_too():
    assert summed_by_a_helper(5) == 16
    assert trebled(5) == 15
    assert halved_by_a_helper(9) == 4
    assert halved(9) == 4


def test_plain_python_where_the_compiler_is_switched_off(monkeypatch):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    monkeypatch.setattr(under_test, "KERNELS", [])
    fresh = Kernel(lambda number: [number])
    assert fresh(3) == [3]
    assert fresh.specialisations == []


def test_what_comes_after_the_compiler_is_told_at_once():
    told = []
    under_test.compiler()
    when_compiling(told.append)
    assert [module.__name__ for module in told] == ["numba"]


def test_compiled_code_makes_no_lists():
    with pytest.raises(Exception, match="NRT required"):
        compile_alone(lambda number: len([number]), 1)
    assert str(compile_alone(lambda number: number // 2, 5)) == "int64"


def test_classes_of_one_name_are_told_apart():
    """Numba itself goes by the names of class and fields, and would run the first one's code for both."""

    def make(factor: int) -> type:
        class Scale(NamedTuple):
            size: int

            def to_move(rules, state):
                return rules.size * factor

        return Scale

    first, second = make(10), make(1000)
    for _ in range(2):
        assert [mover(first(3), 0), mover(second(3), 0), mover(first(4), 0)] == [30, 3000, 40]
    assert len(mover.specialisations) == 2


def test_threads_may_meet_at_a_first_call(monkeypatch):
    monkeypatch.setattr(under_test, "KERNELS", [])
    assert summed(4, 3) == 60  # which the fresh one calls
    fresh = Kernel(summed.function)
    results: list[int] = []
    threads = [threading.Thread(target=lambda: results.append(fresh(4, 3))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [60] * 4


class Process(NamedTuple):
    printed: str
    said: str


def run(code: str, folder: str, **variables: str) -> Process:
    environment = {**os.environ, "PYTHONPATH": python_path(), **variables}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return Process(done.stdout, done.stderr)


EVERYTHING = """
import importlib
import inspect
import json
import pkgutil
import numpy as np
import petteia
from petteia.arena.judgement import draw_moves
from petteia.core.cache import classes_of
from petteia.checking.comparison import compare_compiled
from petteia.core.kernel import KERNELS
from petteia.core.protocol import initial
from petteia.features.check import check_evaluation, check_feature_set
from petteia.features.evaluations import evaluation_for
from petteia.features.feature_sets import feature_set_for
from petteia.features.standardised import standardised
from petteia.analysis.ceilings import ceilings
from petteia.experiments import thresholds
from petteia.learn.mdp import optimal_values, mdp_for, probabilities_of, visits
from petteia.players.time_share import moves_ahead
from petteia.policies.policy import Uniform
from petteia.solver.lower_bounds import min_positions

for module in pkgutil.walk_packages(petteia.__path__, "petteia."):
    if module.name != "petteia.__main__":
        importlib.import_module(module.name)

results = []
rules = petteia.game("hare-and-hounds")
few = petteia.EvaluationGames(games=20, every=400)
run = petteia.train(rules, games=400, evaluation=few, name="learned", runs=RUNS)
results.append([point.score for point in run.points])
results.append(petteia.match(rules, f"q:agent={RUNS}/learned", "random", seats="fixed", games=4).score)
race = petteia.game("tiny_games:DiceRace:goal=5")
for each in (rules, race):
    results.append([petteia.perft(each, 4), *compare_compiled(each, games=2)])
for each in (rules, petteia.game("petteia.games.tic_tac_toe:TicTacToe"), race):
    results.append([petteia.solve(each, check=True).value])
results.append([petteia.solve(rules, table=f"{RUNS}.table").value for _ in ("written", "read")])
results.append(petteia.prove(rules, memory=1_000_000).value)
results.append(petteia.best(race, position="0,4 first 1", depth=3).lines[0].is_won)
results.append([each.won for each in ceilings(rules)[0]])
mdp = mdp_for(rules, 0, Uniform(), 0.9)
results.append([*optimal_values(mdp), *map(int, visits(mdp, probabilities_of(mdp, Uniform()), 10, seed=0))])
results.append(petteia.match("kalah", "search:depth=2", "heuristic", games=2).score)
amazons = petteia.game("amazons:width=5,height=5")
quiet = [f"search:depth=1,quiet={each},threshold=1" for each in ("built", "repaired")]
results += [petteia.match(amazons, each, "random", games=2).score for each in quiet]
results.append(moves_ahead(amazons, initial(amazons)))
results.append(list(thresholds.measure(amazons, evaluation_for(amazons), games=2)))
kalah = petteia.game("kalah")
results.append(petteia.perft(kalah, 2))
feature_set = standardised(kalah, feature_set_for(kalah, "store+chain"), games=2)
results.append([check.passed for check in check_feature_set(kalah, feature_set, games=2)])
results.append([check.passed for check in check_evaluation(kalah, evaluation_for(kalah), games=2)])
learner = petteia.LinearLearner("store", turns="chain")
few = petteia.EvaluationGames(games=20, every=200, against="random")
run = petteia.train(kalah, learner, opponent="random", games=200, evaluation=few, runs=RUNS)
results.append([(point.score, point.norm) for point in run.points])
for over in ("games", "reachable"):
    results.append(petteia.regret(rules, "random", over=over, games=2).mean)
start = initial(rules)
results.append(draw_moves(rules, start, np.array([start]), Uniform(), 0).tolist())
results.append(min_positions(rules, start, folded=False, wanted=1) > 1)
waiting = [kernel.function for kernel in KERNELS if kernel.specialisations]
given = {cls for kernel in KERNELS for each in kernel.specialisations for cls in classes_of(each)}
waiting += [method for cls in given for method in vars(cls).values() if inspect.isfunction(method)]
ran = set(waiting)
while waiting:  # what a cached kernel calls, by helpers, methods or not, is not loaded by itself
    function = waiting.pop()
    named = [function.__globals__.get(name) for name in function.__code__.co_names]
    called = {each for each in (getattr(each, "function", each) for each in named) if inspect.isfunction(each)}
    waiting += called - ran
    ran |= called
idle = [kernel.__name__ for kernel in KERNELS if kernel.function not in ran]
count = sum(type(rules) in classes_of(each) for kernel in KERNELS for each in kernel.specialisations)
print(json.dumps([idle, count, results]))
"""


@pytest.mark.slow
def test_every_kernel_runs_in_two_fresh_processes_that_share_a_cache(tmp_path):
    """The cache is that of the suite, so the first process compiles what has changed since the suite was last run."""
    first, second = (
        run(f"RUNS = {str(tmp_path / name)!r}\n{EVERYTHING}", str(tmp_path)) for name in ("first", "second")
    )
    assert first.printed == second.printed
    assert second.said == ""
    idle, specialisations, results = json.loads(first.printed)
    assert idle == []
    assert 0 < specialisations <= MAX_SPECIALISATIONS
    for _, *comparisons in results[2:4]:
        assert comparisons
        assert [message for _, passed, message, _ in comparisons if not passed] == []


NOTEBOOK = """
from petteia import perft
from petteia.templates.game import Skeleton
from petteia.core.kernel import inline

HELPERS = '''
@inline
def most(stones):
    return min(LARGEST, stones)

@inline
def allowed(stones):
    return most(stones)
'''
CLASS = '''
class Mine(Skeleton):
    def moves(rules, state, out):
        count = 0
        for taken in range(1, allowed(state.stones) + 1):
            out[count] = taken
            count += 1
        return count
    def format_state(rules, state):
        return note(state)
'''
NOTE = "def note(state): return str(state.stones)"

def cell(source):
    exec(source, globals())

def tried():
    print(perft(Mine(), 3))

for each in ("LARGEST = 3", HELPERS, NOTE, CLASS):
    cell(each)
tried()
cell("LARGEST = 3")
cell(NOTE)
tried()
cell(CLASS)
tried()
cell("LARGEST = 2")
tried()
cell(CLASS)
tried()
cell(HELPERS)
tried()
cell(CLASS)
tried()
cell(HELPERS.replace("return most(stones)", "return min(1, most(stones))"))
cell(CLASS)
tried()
"""
RESULTS = [*("27", "27", "27"), *("8", "8", "8", "8"), "1"]


@pytest.mark.slow
def test_a_cell_run_again_gives_the_new_rules(tmp_path):
    assert run(NOTEBOOK, str(tmp_path)).printed.splitlines() == RESULTS


class Held(NamedTuple):
    number: int


@inline
def needs_two(one, other):
    return one.number + other


@pytest.mark.parametrize("call", [lambda: compile_alone(mixed, Held(1)), lambda: kernel(mixed)(Held(1))])
def test_errors_of_the_compiler_name_classes_without_digests(call):
    with pytest.raises(numba.core.errors.NumbaError) as raised:
        call()
    assert "Held(int64 x 1)" in str(raised.value)
    assert not re.search("#[0-9a-f]{6}", str(raised.value))


def mixed(held):
    return needs_two((held, 1), held)
