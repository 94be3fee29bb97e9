"""What the doctor names in training runs that are broken on purpose, and in sound ones, over many seeds.

python tests/helpers/doctor_table.py FIRST LAST [PART...]    print the table over these seeds, or parts of it:
                                                             names of faults, `sound`, `unseen`
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from doctor_recipes import FAULTY, HEALTHY, UNSEEN_FAULTY, UNSEEN_HEALTHY, Recipe
from flat_options import train

import petteia
from petteia.core.errors import PetteiaError


class DivergedError(Exception):
    """What ends a training run that was broken so."""


def _train(recipe: Recipe, seed: int, folder: str) -> None:
    try:
        train(recipe.game, seed=seed, runs=folder, name="run", **recipe.options)
    except PetteiaError as error:
        raise (DivergedError if "learning diverged" in str(error) else RuntimeError)(str(error)) from None


def found(recipe: Recipe, seed: int) -> tuple[str, ...]:
    """The names of the faults that are found in a training run by this recipe."""
    with tempfile.TemporaryDirectory() as folder:
        with suppress(DivergedError):
            _train(recipe, seed, folder)
        return petteia.doctor(Path(folder) / "run").names


def of_all_recipes(recipes: Sequence[Recipe], seeds: Sequence[int]) -> Iterator[tuple[Recipe, int, tuple[str, ...]]]:
    for recipe in recipes:
        for seed in seeds:
            yield recipe, seed, found(recipe, seed)


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
