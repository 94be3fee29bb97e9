"""All that the report has found: its experiments, and how far each learned table is from the truth."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petteia.arena.statistics import Interval, mean_interval
from petteia.core.protocol import Rules
from petteia.experiments.experiment import code_digest, experiment
from petteia.experiments.results import CellResult, ExperimentResult
from petteia.experiments.source import Scale
from petteia.experiments.training import Training
from petteia.games import game
from petteia.policies.table import Table
from petteia.policies.table_file import load_table
from petteia.reports.hare_and_hounds.truth import Judgement, Truth

GAME = "hare-and-hounds"
ALPHA, GAMMA, EPSILON = 0.1, 0.9, 0.5
"""the parameters that the thesis finds best"""
RATES, RANDOM_MOVES, SIMPLE, VALUES = "alpha-gamma", "epsilon", "simple-hare", "convergence"
LEARNERS, BOTH, RECIPE = "learners", "both-sides", "perfect-play"
ELSEWHERE = ("small-game-subtraction", "small-game-tic-tac-toe")
EXPERIMENTS = (RATES, RANDOM_MOVES, SIMPLE, VALUES, LEARNERS, BOTH, RECIPE, *ELSEWHERE)
"""The files of the experiments, all of which come with the package."""

SMOOTHED = 20
"""points over which a curve is averaged before it is asked when it settles"""

Tell = Callable[[int, int, str], None]


@dataclass(frozen=True)
class Evidence:
    """What the statements are judged by, and what the page shows."""

    rules: Rules
    scale: Scale
    found: dict[str, ExperimentResult]
    """each experiment by name"""
    truth: Truth
    _judged: dict[Path, Judgement] = field(default_factory=dict)

    def cell(self, name: str, **values: Any) -> CellResult:
        """The trainings of experiment `name` with these swept values."""
        (found,) = (each for each in self.found[name].cells if values.items() <= each.cell.values.items())
        return found

    @property
    def best(self) -> CellResult:
        """The trainings with the parameters that the thesis finds best."""
        return self.cell(RANDOM_MOVES, epsilon=EPSILON)

    @property
    def seeds(self) -> int:
        """Trainings of each combination."""
        return len(self.best.trainings)

    def judgements(self, cell: CellResult) -> list[Judgement]:
        """How far each table of a cell, learned for one side, is from the truth."""
        for training in cell.trainings:
            if training.run.path not in self._judged:
                is_ = training.configuration
                found = self.truth.judge(self.table(training), int(is_.side), is_.opponent, is_.gamma)
                self._judged[training.run.path] = found
        return [self._judged[training.run.path] for training in cell.trainings]

    def table(self, training: Training) -> Table:
        """What was learned."""
        return load_table(training.run.weights, self.rules).table


def gather(folder: Path, scale: Scale, seeds: int | None, jobs: int | None, tell: Tell) -> Evidence:
    """Run all experiments in `folder`, or go on with them, and solve the game.

    Each version of the code that they depend on has a subfolder of its own, as they go on with no other.
    """
    rules = game(GAME)
    place = folder / code_digest(EXPERIMENTS)[:8]
    workers = jobs or min(os.cpu_count() or 1, 8)
    found: dict[str, ExperimentResult] = {}
    for number, name in enumerate(EXPERIMENTS, 1):

        def told(done: int, wanted: int, note: str, name: str = name, number: int = number) -> None:
            tell(done, wanted, f"{number} of {len(EXPERIMENTS)}: {name}, {note}")

        result = experiment(name, scale=scale, seeds=seeds, jobs=workers, folder=place, progress=told)
        assert isinstance(result, ExperimentResult)  # none of them is a tournament
        found[name] = result
    return Evidence(rules, scale, found, Truth(rules))


# Figures of a curve, by seed. `scores` are float64[seeds, points].


def last_quarter(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """The last quarter of the points."""
    return scores[:, -max(scores.shape[1] // 4, 1) :]


def level(cell: CellResult) -> Interval:
    """The mean score over the last quarter of the points."""
    return over_seeds(last_quarter(cell.scores).mean(axis=1))


def spread(cell: CellResult) -> Interval:
    """The standard deviation of the scores over the last quarter of the points."""
    return over_seeds(last_quarter(cell.scores).std(axis=1))


def share_above(cell: CellResult, bound: float) -> Interval:
    """The share of points in the last quarter that lie above `bound`."""
    return over_seeds((last_quarter(cell.scores) > bound).mean(axis=1))


def unrest(cell: CellResult) -> Interval:
    """How much the points of the last quarter scatter, in units of what chance alone would make of so many games."""
    scores, games = last_quarter(cell.scores), cell.trainings[0].configuration.evaluation_games
    chance = np.sqrt(np.maximum(scores * (1.0 - scores), 1.0 / games).mean(axis=1) / games)
    return over_seeds(scores.std(axis=1) / chance)


def first_reach(cell: CellResult, bound: float) -> list[float | None]:
    """The games to the first point of `bound` or more, of each seed; None where there is none."""
    return [next((float(p.games) for p in curve if p.score >= bound), None) for curve in cell.curves]


def settling(cell: CellResult, off: float) -> list[float]:
    """The games after which the smoothed curve of each seed stays within `off` of its mean in the last quarter."""
    width = min(SMOOTHED, cell.scores.shape[1])
    games = cell.games[width - 1 :]
    settled = []
    for scores, end in zip(cell.scores, last_quarter(cell.scores).mean(axis=1), strict=True):
        smooth = np.convolve(scores, np.full(width, 1.0 / width), "valid")
        away = np.flatnonzero(np.abs(smooth - end) > off)
        settled.append(float(games[min(away[-1] + 1, len(games) - 1)] if len(away) else games[0]))
    return settled


def always_from(cell: CellResult, bound: float) -> list[float | None]:
    """The games from which on every point of a seed is `bound` or more; None where the last is not."""
    found: list[float | None] = []
    for scores in cell.scores:
        below = np.flatnonzero(scores < bound)
        place = below[-1] + 1 if len(below) else 0
        found.append(float(cell.games[place]) if place < len(scores) else None)
    return found


def over_seeds(values: Any) -> Interval:
    """The mean over the seeds with its 95 % interval."""
    return mean_interval([float(value) for value in values])


def difference(one: Any, other: Any) -> Interval:
    """The mean difference of two lists by seed, which have met the same random numbers, with its interval."""
    return mean_interval([float(a) - float(b) for a, b in zip(one, other, strict=True)])
