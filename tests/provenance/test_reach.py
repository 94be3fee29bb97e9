"""Only what a piece of work reaches makes it stale: edits of a copy of the package, and what they change."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest
from flat_options import configure
from tiny_games import Nim

import petteia
from petteia.core import identity
from petteia.core.kernel import KERNELS
from petteia.core.protocol import Limits
from petteia.experiments.experiment import plan
from petteia.experiments.tournament.declaration import TournamentPlan
from petteia.experiments.tournament.play import code_of_matches
from petteia.experiments.training import code_of
from petteia.provenance import reach
from petteia.provenance.reach import by_module, dependencies

PACKAGE = Path(petteia.__file__).parent
HARE, KALAH = "hare-and-hounds", "kalah:leftovers=nobody"


def of_training(game: str, **settings: Any) -> dict[str, str]:
    rules, configuration = configure(game, **settings)
    return dependencies(rules) | code_of(rules, configuration)


def of_tournament() -> dict[str, str]:
    found = plan("mancala-baselines")
    assert isinstance(found, TournamentPlan)
    return code_of_matches(found, found.players)


WORK: dict[str, Callable[[], dict[str, str]]] = {
    "table": lambda: of_training(HARE),
    "sarsa": lambda: of_training(HARE, learner="sarsa", opponent="greedy"),
    "weights": lambda: of_training(KALAH, features="report"),
    "tournament": of_tournament,
}
EVERYTHING, TABLES, PLAYED = set(WORK), {"table", "sarsa"}, {"sarsa", "weights", "tournament"}

EDITS: dict[str, tuple[str, str, str, set[str]]] = {
    # What matters to nothing.
    "the docstring of a kernel": (
        "learn/tabular.py",
        "Play one training game for each entry of `alphas`",
        "For each entry of `alphas`",
        set(),
    ),
    "the docstring of a field": ("learn/linear.py", "the target of the updates", "target of updates", set()),
    "a comment": ("search/alpha_beta.py", "from __future__", "# so it is\nfrom __future__", set()),
    "an annotation": ("core/random.py", "def below(random: RandomState,", "def below(random: list,", set()),
    "a command": ("cli/learning.py", "learned from", "learnt from", set()),
    "a report": ("reports/engine/declaration.py", "return", "return None or", set()),
    "how games are found": (
        "games/__init__.py",
        "(Kalah, HareAndHounds, BritishSquare, Amazons)",
        "(HareAndHounds, Kalah)",
        set(),
    ),
    "what a position looks like": ("games/kalah.py", "must look like", "has to look like", set()),
    "a function that nothing calls": ("core/random.py", "GOLDEN = ", "def above():\n    pass\n\n\nGOLDEN = ", set()),
    "a default": ("learn/learners.py", "Gamma = 1.0", "Gamma = 0.9", set()),
    "the help of an option": ("learn/learners.py", "Kind of eligibility traces.", "How traces fade.", set()),
    # What matters to some.
    "a game": ("games/kalah.py", "state.south == 0 or", "state.south == 1 or", {"weights", "tournament"}),
    "a kernel": ("learn/tabular.py", "plies = 0", "plies = 1", TABLES),
    "another kernel": ("learn/linear.py", "plies = 0", "plies = 1", {"weights"}),
    "an update rule": ("learn/targets.py", "values[step.next_action]", "values[0]", {"sarsa"}),
    "a feature set": ("features/kalah_potentials.py", "index[BLOCK] = 2", "index[BLOCK] = 3", {"weights"}),
    "a number": ("learn/linear.py", "DIVERGED = 1000.0", "DIVERGED = 100.0", {"weights"}),
    "a search": ("search/ends.py", "WON = ", "WON = 1 + ", PLAYED),
    "a heuristic": ("features/chain_heuristic.py", "return longest", "return longest + 1", {"tournament"}),
    # What matters to all.
    "a helper of a helper": ("core/random.py", "GOLDEN = ", "GOLDEN = 2 + ", EVERYTHING),
    "a verb that is not defined": ("core/protocol.py", "below(random, moves(", "below(random, 0 * moves(", EVERYTHING),
    "the compiled loop": ("policies/play_games.py", "digest = 0", "digest = 1", EVERYTHING),
    "who learns": ("experiments/trainer.py", "+ 1.0) / 2.0", "+ 1.0) / 3.0", EVERYTHING - {"tournament"}),
    "a match": ("arena/contest.py", "games += 1", "games += 2", {"tournament"}),
}


@pytest.fixture(scope="module")
def before() -> dict[str, dict[str, str]]:
    return {name: work() for name, work in WORK.items()}


@pytest.fixture
def copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of the package whose texts are read instead."""
    shutil.copytree(PACKAGE, tmp_path / "petteia", ignore=shutil.ignore_patterns("__pycache__", "*.safetensors"))
    monkeypatch.setattr(reach, "FOLDER", tmp_path / "petteia")
    forget()
    yield tmp_path / "petteia"
    forget()


def forget() -> None:
    for each in (reach._file, reach._facts):
        each.cache_clear()


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text, f"{path} has no {old!r}"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


@pytest.mark.parametrize("name", EDITS)
def test_what_becomes_stale(name: str, copy: Path, before: dict[str, dict[str, str]]) -> None:
    file, old, new, stale = EDITS[name]
    edit(copy / file, old, new)
    now = {each: work() for each, work in WORK.items()}
    assert {each for each in WORK if now[each] != before[each]} == stale
    module = f"petteia.{file.removesuffix('.py').replace('/', '.')}"
    for each in stale:
        then, found = by_module(before[each]), by_module(now[each])
        assert {part for part in found if found[part] != then.get(part)} == {module}


def test_a_game_that_is_added_changes_nothing(copy: Path, before: dict[str, dict[str, str]]) -> None:
    (copy / "games" / "new.py").write_text("from typing import NamedTuple\n\n\nclass New(NamedTuple):\n    pass\n")
    edit(
        copy / "games" / "__init__.py",
        "(Kalah, HareAndHounds, BritishSquare, Amazons)",
        "(Kalah, HareAndHounds, BritishSquare, New)",
    )
    edit(copy / "games" / "__init__.py", "\nGAMES", "\nfrom petteia.games.new import New\n\nGAMES")
    assert {name: work() for name, work in WORK.items()} == before


SCRIPT = """
import os, sys
from petteia.core.errors import PetteiaError
from petteia import EvaluationGames, resume, train
import petteia.experiments.training as training

class Stopped(Exception):
    pass

def stop(done, wanted, point):
    if sys.argv[1] == "begin" and done > 100:
        raise Stopped

training.CHECKPOINT_SECONDS = 0.0
try:
    if sys.argv[1] == "begin":
        train("hare-and-hounds", games=400, evaluation=EvaluationGames(games=2), runs="runs", name="it", progress=stop)
    else:
        print(resume("it", runs="runs").games)
except Stopped:
    print("stopped")
except PetteiaError as error:
    print(error)
"""


@pytest.mark.slow
def test_a_training_goes_on_unless_its_own_code_was_edited(tmp_path: Path) -> None:
    copy = tmp_path / "petteia"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))

    def run(what: str) -> str:
        given = {"PYTHONPATH": str(tmp_path), "NUMBA_DISABLE_JIT": "1", "PETTEIA_CACHE": str(tmp_path / "cache")}
        script = [sys.executable, "-c", SCRIPT, what]
        return subprocess.run(
            script, cwd=tmp_path, env={**os.environ, **given}, capture_output=True, text=True, check=True
        ).stdout.strip()

    assert run("begin") == "stopped"
    edit(copy / "core" / "random.py", "SplitMix64", "the generator SplitMix64")
    edit(copy / "learn" / "linear.py", "plies = 0", "plies = 1")
    edit(copy / "core" / "random.py", "GOLDEN = ", "GOLDEN = 2 + ")
    assert run("resume").endswith(
        "it: the rules of hare-and-hounds have changed since the run was begun; begin a new run"
    )
    edit(copy / "core" / "random.py", "GOLDEN = 2 + ", "GOLDEN = ")
    assert run("resume") == "400"


# Nothing is missed.

DRAWING = """
import petteia.core.random

def draw(random):
    return petteia.core.random.below(random, 2)

def import_and_draw(random):
    from petteia.core.random import below
    return below(random, 2)
"""


def test_what_users_code_calls_is_reached() -> None:
    called = {"petteia.core.random.below", "petteia.core.random.next_word", "petteia.core.random.GOLDEN"}
    assert called | {"tiny_games.heap", "tiny_games.Nim"} <= set(dependencies(Nim()))
    mine: dict[str, Any] = {"__name__": "mine"}
    exec(DRAWING, mine)
    assert called <= set(dependencies(mine["draw"]))
    assert called <= set(dependencies(mine["import_and_draw"]))
    assert not called & set(dependencies(Limits))


def test_all_names_that_modules_import_are_found() -> None:
    for path in sorted(PACKAGE.rglob("*.py")):
        place = path.relative_to(PACKAGE.parent).with_suffix("")
        module = ".".join(place.parent.parts if place.name == "__init__" else place.parts)
        for what in reach._facts(module).imports.values():
            origin, _, name = what.partition(":")
            if reach._file(origin) is not None and name:
                is_module = (PACKAGE.parent.joinpath(*origin.split("."), f"{name}.py")).exists()
                is_room = (PACKAGE.parent.joinpath(*origin.split("."), name)).is_dir()
                facts = reach._facts(origin)
                assert is_module or is_room or name in facts.definitions or name in facts.imports, (module, what)


def test_what_is_left_out_is_there() -> None:
    for name in reach.LEFT_OUT:
        place = PACKAGE.joinpath(*name.split("."))
        assert place.is_dir() or place.with_suffix(".py").is_file(), name


OWN = {f"{each.__module__}.{each.__name__}": each for each in KERNELS if each.__module__.startswith("petteia")}


@pytest.mark.parametrize("name", OWN)
def test_all_that_live_kernels_read_is_reached(name: str) -> None:
    """By the walk over live functions that names machine code."""
    kernel, walk = OWN[name], identity._Walk()
    walk.value(kernel.function)
    code = [each for _, each in walk._seen.values() if isinstance(each, type | FunctionType)]
    own = [each for each in code if each.__module__.startswith("petteia.") and reach._file(each.__module__)]
    assert kernel.function in own
    names = {f"{each.__module__}.{each.__qualname__.partition('.')[0]}" for each in own}
    assert {name for name in names if not name.endswith("<lambda>")} <= set(dependencies(kernel.function))
