"""Fields of a run's description and of an experiment's file, with values of every kind: refused in a line, or used."""

from __future__ import annotations

import copy
import itertools
import json
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from flat_options import configure
from raised_errors import in_one_line
from small_experiments import FOLLOW, SMALL

from petteia.core.errors import InvalidError, PetteiaError
from petteia.core.random import checked_seed
from petteia.experiments.declaration import Plan, plan_trainings
from petteia.experiments.experiment import size_of
from petteia.experiments.run_list import runs
from petteia.experiments.source import Source
from petteia.experiments.tournament.declaration import plan_tournament
from petteia.experiments.training import _trainer, begin, open_training
from petteia.experiments.trainings import code_of_trainings

VALUES = [
    *(None, True, -1, 0, 1 << 63, -(10**400), 0.5, -1e308, float("nan"), float("inf")),
    *("", "x", "x" * 300, "9" * 300, "0.5,0.1@" + "9" * 5000, "a\0b", "a\nb", "\u5b66", [], [[]], {}, {"x": 1}),
]
TOURNAMENT = """
title = "Who beats whom"
question = "?"
seed = 3

[tournament]
game = "hare-and-hounds"
players = ["random", "simple"]
games = 4
seats = "fixed"
openings = "none"
max_plies = 100
time = 0.5
grace = 0.1

[findings]
edge = true
depth = ["random", "simple"]

[published]
source = "a paper"
games = 10
wins = [[1, 2], [3, 4]]
draws = [[1, 2], [3, 4]]

[quick]
games = 2
"""


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """All places in a value of JSON or TOML."""
    if path:
        yield path
    for name in range(len(value)) if isinstance(value, list) else value if isinstance(value, dict) else ():
        yield from places(value[name], (*path, name))


def changed(content: Any, place: tuple[Any, ...], value: Any) -> Any:
    other = copy.deepcopy(content)
    inner = other
    for name in place[:-1]:
        inner = inner[name]
    inner[place[-1]] = value
    return other


def lacking(content: Any, place: tuple[Any, ...]) -> Any:
    other = copy.deepcopy(content)
    inner = other
    for name in place[:-1]:
        inner = inner[name]
    del inner[place[-1]]
    return other


def variants(content: Any) -> Iterator[tuple[Any, Any]]:
    """What stands where, and what it makes of the content."""
    for place in places(content):
        for value in VALUES:
            yield (place, value), changed(content, place, value)
        yield (place, "left out"), lacking(content, place)


SETTINGS: dict[str, tuple[str, dict[str, Any]]] = {
    "table": ("hare-and-hounds", {"follow": [("0,1,3/10 hounds 0", "1-5")], "epsilon": "0.5..0.1"}),
    "linear": ("kalah:pits=3,seeds=2", {"features": "store", "side": 0, "opponent": "random for 5, then self"}),
}


EACH = pytest.mark.parametrize("step", [11, pytest.param(1, marks=pytest.mark.heavy)])
"""Each one, or one of so many."""


@EACH
@pytest.mark.parametrize("kind", SETTINGS)
def test_fields_of_a_run(kind: str, step: int, tmp_path: Path) -> None:
    game, options = SETTINGS[kind]
    run = begin(*configure(game, games=10, **options), checked_seed(1), tmp_path, "same").run
    file, tried = run.path / "run.json", 0
    content = json.loads(file.read_text())
    for what, variant in itertools.islice(variants(content), 0, None, step):
        file.write_text(json.dumps(variant))
        with in_one_line(what), suppress(PetteiaError):
            _trainer(open_training(run.path))
        (row,) = runs(tmp_path)
        assert row.state in ("damaged", "unfinished"), what
        tried += 1
    assert tried > 600 // step
    for seed in (-1, 1 << 63, 1 << 64, 0.5, "1", None):
        file.write_text(json.dumps(changed(content, ("seeds", "seed"), seed)))
        with pytest.raises(InvalidError, match=r"run.json: damaged; seeds\.seed"):
            open_training(run.path)


@EACH
@pytest.mark.parametrize(
    "text", [SMALL.replace("[figure]", f"{FOLLOW}[figure]"), TOURNAMENT], ids=["sweep", "tournament"]
)
def test_fields_of_an_experiment(text: str, step: int) -> None:
    """Values that no file can hold, as there is no null in TOML, are looked at all the same."""
    content = tomllib.loads(text)
    read = plan_tournament if "tournament" in content else plan_trainings
    tried = 0
    for what, variant in itertools.islice(variants(content), 0, None, step):
        with in_one_line(what), suppress(PetteiaError):
            planned = read(Source("same", "same.toml", "", variant), "paper", None)
            size_of(planned)
            if isinstance(planned, Plan):
                code_of_trainings(planned)
        tried += 1
    assert tried > 300 // step
