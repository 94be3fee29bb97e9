"""How well the doctor tells what is wrong: training runs broken on purpose, and sound ones, over seeds used for nothing
else, and recipes used for nothing else. `python tests/helpers/doctor_table.py` prints the counts.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from doctor_recipes import FAULTY, HEALTHY, UNSEEN_FAULTY, UNSEEN_HEALTHY, Recipe
from doctor_table import of_all_recipes

SEEDS = range(101, 111)
"""the bounds in `petteia.analysis.doctor.signs` were chosen with the seeds 1 to 5"""


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
