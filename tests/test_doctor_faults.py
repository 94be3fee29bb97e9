"""How well the doctor tells what is wrong: trainings broken on purpose, and sound ones, over seeds used for nothing
else, and recipes used for nothing else.

`python tests/test_doctor_faults.py FIRST LAST` prints the table over these seeds; names of faults, `sound`, or `unseen`
after that choose a part of it.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import pytest
from doctor_recipes import FAULTY, HEALTHY, UNSEEN_FAULTY, UNSEEN_HEALTHY, Recipe
from flat_options import train

import petteia
from petteia.core.errors import PetteiaError

SEEDS = range(101, 111)
"""the bounds in `petteia.analysis.doctor.signs` were chosen with the seeds 1 to 5"""


class DivergedError(Exception):
    """What ends a training that was broken so."""


def _train(recipe: Recipe, seed: int, folder: str) -> None:
    try:
        train(recipe.game, seed=seed, runs=folder, name="run", **recipe.options)
    except PetteiaError as error:
        raise (DivergedError if "learning diverged" in str(error) else RuntimeError)(str(error)) from None


def found(recipe: Recipe, seed: int) -> tuple[str, ...]:
    """The names of the faults that are found in a training by this recipe."""
    with tempfile.TemporaryDirectory() as folder:
        with suppress(DivergedError):
            _train(recipe, seed, folder)
        return petteia.doctor(Path(folder) / "run").names


def of_all_recipes(recipes: Sequence[Recipe], seeds: Sequence[int]) -> Iterator[tuple[Recipe, int, tuple[str, ...]]]:
    for recipe in recipes:
        for seed in seeds:
            yield recipe, seed, found(recipe, seed)


@pytest.mark.heavy
@pytest.mark.parametrize("fault", FAULTY)
def test_a_fault_is_named(fault: str) -> None:
    outcomes = [fault in names for _, _, names in of_all_recipes(FAULTY[fault], SEEDS)]
    assert sum(outcomes) >= 0.9 * len(outcomes)


@pytest.mark.heavy
def test_faults_are_named_in_recipes_by_which_no_bound_was_chosen() -> None:
    outcomes = [
        fault in names for fault, recipes in UNSEEN_FAULTY.items() for _, _, names in of_all_recipes(recipes, SEEDS)
    ]
    assert sum(outcomes) >= 0.9 * len(outcomes)


@pytest.mark.heavy
@pytest.mark.parametrize("recipes", [HEALTHY, UNSEEN_HEALTHY], ids=["seen", "unseen"])
def test_sound_trainings_are_left_in_peace(recipes: Sequence[Recipe]) -> None:
    alarms = [(recipe.label, seed, names) for recipe, seed, names in of_all_recipes(recipes, SEEDS) if names]
    assert len(alarms) <= 0.05 * len(recipes) * len(SEEDS), alarms


def print_table(faulty: Mapping[str, Sequence[Recipe]], sound: Sequence[Recipe], seeds: Sequence[int]) -> None:
    """Each recipe: how often its fault was named, and what else was."""
    named = trainings = alarms = 0
    for fault, recipes in {**faulty, "sound": sound}.items():
        for recipe in recipes:
            every = [names for _, _, names in of_all_recipes([recipe], seeds)]
            others = sorted({other for names in every for other in names} - {fault})
            counts = ", ".join(f"{other} {sum(other in names for names in every)}" for other in others)
            hits = sum(map(bool, every)) if fault == "sound" else sum(fault in names for names in every)
            print(f"{fault} | {recipe.label} | {hits}/{len(every)} | {counts}", flush=True)
            if fault == "sound":
                alarms += hits
            else:
                named, trainings = named + hits, trainings + len(every)
    print(f"faults named: {named} of {trainings}; alarms: {alarms} of {len(sound) * len(seeds)} sound trainings")


def main(first: str, last: str, *parts: str) -> None:
    """Print the table, or parts of it."""
    faulty, sound = (UNSEEN_FAULTY, UNSEEN_HEALTHY) if "unseen" in parts else (FAULTY, HEALTHY)
    chosen = {*parts} - {"unseen"}
    print_table(
        {fault: recipes for fault, recipes in faulty.items() if not chosen or fault in chosen},
        sound if not chosen or "sound" in chosen else [],
        range(int(first), int(last) + 1),
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
