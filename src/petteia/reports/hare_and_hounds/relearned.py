"""Repeated training runs, which record the visits and changes of each value. The original runs do not save them.

The seed of a training run determines all its random numbers, so a repetition gives the same games and values.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from petteia.core.arrays import Floats
from petteia.core.protocol import initial
from petteia.core.random import keys
from petteia.experiments.settings import policy_of
from petteia.experiments.table_settings import TableSettings
from petteia.experiments.training import Training
from petteia.learn.mdp import values_from_table
from petteia.learn.step_sizes import ByVisits
from petteia.learn.tabular import learn_games, table_for
from petteia.policies.play_games import RngKeys
from petteia.reports.engine.estimates import NUMBER, SHARE
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.figures import Figure
from petteia.reports.engine.kept import kept
from petteia.reports.engine.settings import Setting
from petteia.reports.hare_and_hounds.figures import truth
from petteia.reports.hare_and_hounds.plan import FOLLOWED
from petteia.value_functions.table import Table

TRIES = 10
"""A value with at least this number of visits counts as built up by many games."""
FURTHER = 1_000
"""the number of games after a training run in which changes of values are measured, game by game"""


class Repeated(NamedTuple):
    """Statistics of the action values of one training run, over all moves in reachable positions.

    A value is visited often if it has TRIES visits or more.
    """

    largest_change: float
    """the largest change of a value in the last quarter of the games"""
    error: float
    """the mean distance of a value from the exact value"""
    tried: float
    """the share of the values that are visited often"""
    error_often: float
    """the mean distance of a value that is visited often"""
    by_one_game: float
    """the largest change that one of the further games makes to a value that is visited often"""


def tables(training: Training, ends: Sequence[int]) -> Iterator[Table]:
    """Yield the table and its visits after each number of games in `ends`. Each step changes the same table."""
    settings, rules = training.configuration, training.rules
    assert isinstance(settings, TableSettings)
    words = keys(training.run.seed, 8)
    # this step size follows the schedule; it ignores the numbers of visits, which are counted nevertheless
    learner = settings.rule._replace(step=ByVisits(0.0))
    opponent = policy_of(settings.opponent, rules, settings.others)
    table, done = table_for(rules, learner, initial=settings.learner.initial), 0
    for end in ends:
        first, count = min(done, settings.games - 1), end - done
        table = learn_games(
            *(rules, initial(rules), settings.learns, table, opponent),
            alphas=settings.rate.schedule.over(first, count, settings.games),
            explorations=settings.exploration.over(first, count, settings.games),
            gammas=settings.discount.over(first, count, settings.games),
            keys=RngKeys(words[6], *words[:3]),
            first_game=done,
            max_plies=settings.max_plies,
            learner=learner,
        )
        done = end
        yield table


@kept
def repeated(evidence: Evidence, training: Training) -> Repeated:
    """Repeat a training run in which hounds learn from a random hare, and measure its values."""
    settings = training.configuration
    mdp, gamma = truth().mdp(0, settings.opponent, 1.0), float(settings.learner.gamma)
    asked = mdp.actions & truth().reached[mdp.origins]

    def known(table: Table) -> Floats:
        return values_from_table(mdp, table)[asked]

    further = tables(training, [settings.games * 3 // 4, *range(settings.games, settings.games + FURTHER + 1)])
    before, table = known(next(further)), next(further)
    changes = np.abs(known(table) - before)
    errors = np.abs(known(table) - truth().exact_values(0, settings.opponent, gamma)[asked])
    often = known(table._replace(values=table.visits.astype(np.float64))) >= TRIES
    largest, used = 0.0, int(table.used[0])
    old, visits = table.values[:used].copy(), table.visits[:used].copy()
    for later in further:
        moved = np.abs(later.values[: len(old)] - old)[visits >= TRIES]
        largest, used = max(largest, float(moved.max(initial=0.0))), int(later.used[0])
        old, visits = later.values[:used].copy(), later.visits[:used].copy()
    error, tried, error_often = (float(each.mean()) for each in (errors, often, errors[often]))
    return Repeated(float(changes.max()), error, tried, error_often, largest)


WORDS = {
    "largest_change": "the largest change of any learned value in the last quarter of training",
    "error": "the mean distance of the learned values from the exact values",
    "tried": "the share of the values with ten visits or more",
    "error_often": "the mean distance of a value with ten visits or more from the exact value",
    "by_one_game": f"the largest change that one of {FURTHER:,} further games makes to a value with ten visits or more",
}
"""the fields of `Repeated` in words"""


def of_repeated(field: str, setting: Setting = FOLLOWED) -> Figure:
    """Return a field of `Repeated` as a `Figure`, with a value for each training run of a setting."""

    def of(evidence: Evidence) -> list[float]:
        found = evidence.recall_all(repeated, [(each,) for each in evidence.trainings(setting)])
        return [getattr(each, field) for each in found]

    return Figure(WORDS[field], SHARE if field == "tried" else NUMBER, of, setting.words)
