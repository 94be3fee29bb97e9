"""Repeated training runs, which record the visits and changes of each value. The original runs do not save them.

The seed of a training run determines all its random numbers, so a repetition gives the same games and values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from petteia.core.arrays import Floats, Ints
from petteia.core.protocol import initial
from petteia.core.random import keys
from petteia.experiments.settings import policy_of
from petteia.experiments.table_settings import TableSettings
from petteia.experiments.training import Training
from petteia.learn.mdp import MDP, values_from_table
from petteia.learn.step_sizes import ByVisits
from petteia.learn.tabular import learn_games, table_for
from petteia.policies.play_games import RngKeys
from petteia.reports.engine.estimates import NUMBER, SHARE, Unit
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.figures import Figure, Values
from petteia.reports.engine.kept import kept
from petteia.reports.engine.settings import Setting
from petteia.reports.hare_and_hounds.figures import MOVED, truth
from petteia.reports.hare_and_hounds.plan import FOLLOWED
from petteia.value_functions.table import Table

TRIES = 10
"""A value with at least this number of visits counts as built up by many games."""
FURTHER = 1_000
"""the number of games after a training run in which changes of values are measured, game by game"""
COUNTING = ByVisits(0.0)
"""a step size that follows the schedule and ignores the number of visits, which is counted nevertheless"""


class Moved(NamedTuple):
    """The change of action values in the last quarter of the games, and their final error."""

    mean: float
    """the mean change"""
    largest: float
    """the largest change"""
    error: float
    """the mean distance from the exact values"""


class Relearned(NamedTuple):
    """Statistics of the action values of one training run, over all moves in reachable positions."""

    all: Moved
    """all values"""
    often: Moved
    """the values with ten visits or more"""
    tried: float
    """the share of the values with ten visits or more"""
    settled: float
    """the share of the values with ten visits or more and a change below MOVED in the last quarter of the games"""
    by_one_game: float
    """the largest change that one of the further games makes to a value with ten visits or more"""


def tables(training: Training, ends: Sequence[int]) -> Iterator[Table]:
    """Yield the table and its visits after each number of games in `ends`. Each step changes the same table."""
    settings, rules = training.configuration, training.rules
    assert isinstance(settings, TableSettings)
    words = keys(training.run.seed, 8)
    learner, opponent = settings.rule._replace(step=COUNTING), policy_of(settings.opponent, rules, settings.others)
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
def relearned(evidence: Evidence, training: Training) -> Relearned:
    """Repeat a training run in which hounds learn from a random hare, and measure its values."""
    settings = training.configuration
    mdp, gamma = truth().mdp(0, settings.opponent, 1.0), float(settings.learner.gamma)
    asked = mdp.actions & truth().reached[mdp.origins]
    further = tables(training, [settings.games * 3 // 4, *range(settings.games, settings.games + FURTHER + 1)])
    before = _values(mdp, next(further))[asked]
    table = next(further)
    after, often = _values(mdp, table)[asked], _tries(mdp, table)[asked] >= TRIES
    moves = np.abs(after - before)
    errors = np.abs(after - truth().exact_values(0, settings.opponent, gamma)[asked])
    largest = 0.0
    known, tried = _rows(table)
    for later in further:
        values, tries = _rows(later)
        changed = (values[: len(known)] != known) & (tried >= TRIES)
        changes = np.abs(values[: len(known)][changed] - known[changed])
        largest = max(largest, float(changes.max(initial=0.0)))
        known, tried = values, tries
    return Relearned(
        all=_moved(moves, errors),
        often=_moved(moves[often], errors[often]),
        tried=float(often.mean()),
        settled=float((often & (moves < MOVED)).mean()),
        by_one_game=largest,
    )


def _moved(moves: Floats, errors: Floats) -> Moved:
    return Moved(float(moves.mean()), float(moves.max()), float(errors.mean()))


def _values(mdp: MDP, table: Table) -> Floats:
    return values_from_table(mdp, table)


def _tries(mdp: MDP, table: Table) -> Floats:
    return values_from_table(mdp, table._replace(values=table.visits.astype(np.float64)))


def _rows(table: Table) -> tuple[Floats, Ints]:
    used = int(table.used[0])
    return table.values[:used].copy(), table.visits[:used].copy()


def of_relearned(
    words: str, value: Callable[[Relearned], float], setting: Setting, unit: Unit = NUMBER, subject: str | None = None
) -> Figure:
    """Return a `Figure` that is computed by repeating the training runs of a setting, with a value for each of them."""

    def of(evidence: Evidence) -> Values:
        return [*map(value, evidence.recall_all(relearned, [(each,) for each in evidence.trainings(setting)]))]

    return Figure(words, unit, of, setting.words if subject is None else subject)


def settled(setting: Setting) -> Figure:
    """Return the share of action values that have settled by the end of training: many visits, and little change."""
    words = (
        f"the share of settled values (ten visits or more, and a change below {MOVED} in the last quarter of training)"
    )
    return of_relearned(words, lambda seen: seen.settled, setting, SHARE)


def tried(setting: Setting) -> Figure:
    """Return the share of the values with ten visits or more."""
    words = "the share of the values with ten visits or more"
    return of_relearned(words, lambda seen: seen.tried, setting, SHARE)


def by_one_game(setting: Setting) -> Figure:
    """Return the largest change that a single game makes to an action value with many visits."""
    words = f"the largest change that one of {FURTHER:,} further games makes to a value with ten visits or more"
    return of_relearned(words, lambda seen: seen.by_one_game, setting)


def _of_followed(words: str, value: Callable[[Relearned], float], unit: Unit = NUMBER) -> Figure:
    return of_relearned(words, value, FOLLOWED, unit, subject="")


OFTEN = "with ten visits or more"
MEAN_MOVE = _of_followed(
    "the mean change of a learned value in the last quarter of training", lambda seen: seen.all.mean
)
LARGEST_MOVE = _of_followed(
    "the largest change of any learned value in the last quarter of training", lambda seen: seen.all.largest
)
DISTANCE = _of_followed("the mean distance of the learned values from the exact values", lambda seen: seen.all.error)
TRIED = tried(FOLLOWED)
MEAN_MOVE_OFTEN = _of_followed(f"the mean change of a value {OFTEN}", lambda seen: seen.often.mean)
LARGEST_MOVE_OFTEN = _of_followed(f"the largest change of a value {OFTEN}", lambda seen: seen.often.largest)
DISTANCE_OFTEN = _of_followed(
    f"the mean distance of a value {OFTEN} from the exact value", lambda seen: seen.often.error
)
