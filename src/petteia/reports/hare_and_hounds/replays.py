"""Trainings that are learned once more: how often values were tried, how far they move, and what one game changes.

The same random numbers give the same table. What is added is a count of the tries of each value.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import NamedTuple

import numpy as np

from petteia.core.arrays import Bools, Floats, Ints
from petteia.experiments.table_settings import TableSettings
from petteia.experiments.table_trainer import TableTrainer
from petteia.experiments.training import Training
from petteia.learn.mdp import learned
from petteia.learn.step_sizes import ByVisits
from petteia.learn.targets import Learner
from petteia.learned.table import rows
from petteia.reports.engine.estimates import COUNT, NUMBER, Unit
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.figures import Figure
from petteia.reports.engine.kept import kept
from petteia.reports.engine.measures import of_each
from petteia.reports.engine.settings import Setting
from petteia.reports.hare_and_hounds.figures import truth
from petteia.reports.hare_and_hounds.plan import FOLLOWED

OFTEN = 10
"""tries from which on a value counts as often tried"""
STILL = 0.05
"""a value that moves by less has settled"""
ONE_BY_ONE = 300
"""games at the end of a training that are looked at one by one"""


@dataclass(frozen=True, kw_only=True)
class CountedSettings(TableSettings):
    """Settings under which tries are counted, too, and nothing else is different."""

    @property
    def rule(self) -> Learner:
        """The same rule. With a power of 0 visits are counted, but the step size does not fall."""
        return super().rule._replace(step=ByVisits(0.0))


class Replay(TableTrainer):
    """Learns from nothing what a training has learned."""

    def __init__(self, training: Training) -> None:
        is_ = training.configuration
        assert isinstance(is_, TableSettings)
        super().__init__(training.run, training.rules, is_)
        self._is = CountedSettings(**{each.name: getattr(is_, each.name) for each in fields(is_)})
        self._table, self.done, self.games = self._is.empty_table(self.rules), 0, is_.games

    @property
    def states(self) -> int:
        """How many states it has met."""
        return int(self._table.used[0])

    @property
    def held(self) -> tuple[Floats, Ints]:
        """The values in use, and how often each was tried; [states, moves]."""
        return rows(self._table)[1], self._table.visits[: self.states]

    @property
    def in_order(self) -> tuple[Floats, Floats]:
        """The same of all moves of the hounds in positions that can be reached, in the order of the solved game."""
        mdp = truth().mdp(0, "random", 1.0)
        asked = mdp.actions & truth().reached[mdp.origins]
        tries = self._table._replace(values=self._table.visits.astype(np.float64))
        return learned(mdp, self._table)[asked], learned(mdp, tries)[asked]


class Distances(NamedTuple):
    """How far values are from others, over all moves in positions that can be reached, or over those often tried."""

    mean: float
    largest: float


class Settling(NamedTuple):
    """How a table settles over the last quarter of its games; often tried is what was so before that."""

    states: int
    """that the table has met in the end"""
    moves: int
    """in positions that can be reached"""
    tried: int
    """of these, often"""
    settled: int
    """of those, that have moved but little"""
    moved: Distances
    moved_tried: Distances
    """the same, over moves that were often tried"""
    off: Distances
    """from the exact values, in the end"""
    off_tried: Distances


@kept
def settling(evidence: Evidence, training: Training) -> Settling:
    """How a table settles."""
    replay, is_ = Replay(training), training.configuration
    replay.learn(replay.games * 3 // 4)
    early, tries = replay.in_order
    replay.learn(replay.games - replay.done)
    late, _ = replay.in_order
    mdp = truth().mdp(0, is_.opponent, float(is_.learner.gamma))
    asked = mdp.actions & truth().reached[mdp.origins]
    exact = truth().exact_values(0, is_.opponent, float(is_.learner.gamma))[asked]
    often, moved, off = tries >= OFTEN, np.abs(late - early), np.abs(late - exact)
    every = np.ones(len(often), np.bool_)
    return Settling(
        *(replay.states, len(often), int(often.sum()), int((often & (moved < STILL)).sum())),
        *(_distances(of, over) for of in (moved, off) for over in (every, often)),
    )


def _distances(distances: Floats, over: Bools) -> Distances:
    kept_ones = distances[over]
    return Distances(float(kept_ones.mean()), float(kept_ones.max())) if len(kept_ones) else Distances(0.0, 0.0)


class OneGame(NamedTuple):
    """How much one game changes a value that was often tried, over the last games of a training."""

    usual: float
    """the largest change of a game, in the mean over games"""
    largest: float
    """the largest change of all"""


@kept
def one_game(evidence: Evidence, training: Training) -> OneGame:
    """What single games change."""
    replay = Replay(training)
    replay.learn(max(replay.games - ONE_BY_ONE, 0))
    changes = []
    while replay.done < replay.games:
        values, tries = replay.held[0].copy(), replay.held[1].copy()
        replay.learn(1)
        changed = np.abs(replay.held[0][: len(values)] - values)
        changes.append(float(changed[tries >= OFTEN].max(initial=0.0)))
    return OneGame(float(np.mean(changes)), float(np.max(changes)))


def of_settling(words: str, setting: Setting, *path: str, unit: Unit = NUMBER) -> Figure:
    """A figure of how the tables of a setting settle: a field of `Settling`, or one of its distances."""

    def value(evidence: Evidence, training: Training) -> float:
        found = settling(evidence, training)
        for name in path:
            found = getattr(found, name)
        return found  # type: ignore[return-value]  # the path ends at a number

    return of_each(words, unit, setting, value)


def settled(setting: Setting) -> Figure:
    """How many values have settled."""
    words = f"the values tried at least {OFTEN} times that move by less than {STILL} in the last quarter"
    return of_settling(words, setting, "settled", unit=COUNT)


def changed_by_one_game(setting: Setting, part: str = "largest") -> Figure:
    """How much one game changes a value that was often tried."""
    words = {"largest": "the largest change", "usual": "the mean of the largest changes"}[part]
    return of_each(
        f"{words} of a value tried at least {OFTEN} times by one of the last {ONE_BY_ONE} games",
        *(NUMBER, setting, lambda evidence, training: getattr(one_game(evidence, training), part)),
    )


MOVES = "of the values from 150,000 to 200,000 games"
LARGEST_MOVE = of_settling(f"the largest move {MOVES}", FOLLOWED, "moved", "largest")
MEAN_DISTANCE = of_settling("the mean distance of the values from the exact ones", FOLLOWED, "off", "mean")
