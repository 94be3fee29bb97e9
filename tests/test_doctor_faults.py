"""How well the doctor tells what is wrong: trainings broken on purpose, and sound ones, over seeds used for nothing else.

`python tests/test_doctor_faults.py FIRST LAST` prints the table over these seeds.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from doctor_recipes import FAULTY, HEALTHY, Recipe

import petteia
from petteia.core.errors import PetteiaError

SEEDS = range(101, 111)
"""the bounds in `petteia.analysis.doctor.signs` were chosen with the seeds 1 to 5"""


def found(recipe: Recipe, seed: int) -> tuple[str, ...]:
    """The names of the faults that are found in a training by this recipe."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            petteia.train(recipe.game, seed=seed, runs=folder, name="run", **recipe.options)
        except PetteiaError as error:
            assert "diverged" in str(error), error
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
def test_sound_trainings_are_left_in_peace() -> None:
    alarms = [(recipe.label, seed, names) for recipe, seed, names in of_all_recipes(HEALTHY, SEEDS) if names]
    assert len(alarms) <= 0.05 * len(HEALTHY) * len(SEEDS), alarms


def print_table(seeds: Sequence[int], wanted: Sequence[str]) -> None:
    """Each recipe: how often its fault was named, and what else was."""
    named = trainings = alarms = 0
    for fault, recipes in {**FAULTY, "": HEALTHY}.items():
        if wanted and fault not in wanted:
            continue
        for recipe in recipes:
            every = [names for _, _, names in of_all_recipes([recipe], seeds)]
            hits = sum(fault in names for names in every)
            others = sorted({other for names in every for other in names if other != fault})
            counts = ", ".join(f"{other} {sum(other in names for names in every)}" for other in others)
            said = f"{hits}/{len(every)}" if fault else f"{sum(map(bool, every))} alarms of {len(every)}"
            print(f"{fault or 'sound'} | {recipe.label} | {said} | {counts}", flush=True)
            named, trainings = named + hits * bool(fault), trainings + len(every) * bool(fault)
            alarms += sum(map(bool, every)) * (not fault)
    print(f"faults named: {named} of {trainings}; alarms: {alarms} of {len(HEALTHY) * len(seeds)}")


if __name__ == "__main__":
    print_table(range(int(sys.argv[1]), int(sys.argv[2]) + 1), sys.argv[3:])
