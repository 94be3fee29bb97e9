"""All that the report has found: its experiments, and how far each learned table is from the truth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from petteia.core.protocol import Rules
from petteia.experiments.results import CellResult, ExperimentResult
from petteia.experiments.training import Training
from petteia.games import game
from petteia.learned.table import Table
from petteia.learned.table_file import load_table
from petteia.reports.engine.work import Work
from petteia.reports.hare_and_hounds.truth import Judgement, Truth, judgement_from, judgement_row

GAME = "hare-and-hounds"
ALPHA, GAMMA, EPSILON = 0.1, 0.9, 0.5
"""the parameters that the thesis finds best"""
TRIED = (0.1, 0.5, 0.9)
"""values of alpha and of gamma"""
EPSILONS = (0.1, 0.5, 0.9, 1.0)
"""values of epsilon, but 0"""
RATES, RANDOM_MOVES, SIMPLE, VALUES = "alpha-gamma", "epsilon", "simple-hare", "convergence"
LEARNERS, BOTH, RECIPE = "learners", "both-sides", "perfect-play"
ELSEWHERE = ("small-game-subtraction", "small-game-tic-tac-toe")
EXPERIMENTS = (RATES, RANDOM_MOVES, SIMPLE, VALUES, LEARNERS, BOTH, RECIPE, *ELSEWHERE)
JUDGEMENTS = "judgements"


class Setting(NamedTuple):
    """Trainings of an experiment with certain swept values, and what they are called."""

    words: str
    experiment: str
    values: Mapping[str, Any]


def rates(alpha: float, gamma: float) -> Setting:
    """One of the nine combinations of learning rate and discount."""
    return Setting(f"alpha {alpha} with gamma {gamma}", RATES, {"alpha": alpha, "gamma": gamma})


def random_moves(epsilon: float) -> Setting:
    """Alpha 0.1 and gamma 0.9, with so many random moves."""
    return Setting(f"epsilon {epsilon:g}", RANDOM_MOVES, {"epsilon": epsilon})


BEST = random_moves(EPSILON)
AGAINST_SIMPLE = Setting("the simple hare", SIMPLE, {})
FOLLOWED = Setting("the three values", VALUES, {})
PERFECT = Setting("the better teacher", RECIPE, {})
SETTINGS = {
    **{f"alpha {alpha}, gamma {gamma}, epsilon 1": rates(alpha, gamma) for alpha in TRIED for gamma in TRIED},
    **{f"alpha {ALPHA}, gamma {GAMMA}, epsilon {e:g}": random_moves(e) for e in (0.0, *EPSILONS[:-1])},
}
"""All combinations that the thesis tries against the random hare, by name."""


@dataclass(frozen=True)
class Evidence:
    """What the claims are judged by, and what the page shows."""

    rules: Rules
    work: Work
    found: dict[str, ExperimentResult]
    """each experiment by name"""
    truth: Truth

    def cell(self, setting: Setting) -> CellResult:
        """The trainings of a setting."""
        (found,) = (
            each
            for each in self.found[setting.experiment].cells
            if setting.values.items() <= each.combination.values.items()
        )
        return found

    @property
    def seeds(self) -> int:
        """Trainings of each combination."""
        return len(self.cell(BEST).trainings)

    @property
    def trainings(self) -> list[Training]:
        """All of them."""
        return [each for found in self.found.values() for cell in found.cells for each in cell.trainings]

    def judgements(self, cell: CellResult) -> list[Judgement]:
        """How far each table of a cell, learned for one side, is from the truth; what is known is kept."""
        runs = {self.work.place_of(each): each for each in cell.trainings}

        def judge(place: str) -> dict[str, Any]:
            is_ = runs[place].configuration
            return judgement_row(self.truth.judge(self.table(runs[place]), int(is_.side), is_.opponent, is_.gamma))

        rows = self.work.kept_rows(JUDGEMENTS, runs, judge, "tables held against the truth")
        return [judgement_from(row) for row in rows.values()]

    def table(self, training: Training) -> Table:
        """What was learned."""
        return load_table(training.run.weights, self.rules).table


def gather(work: Work) -> Evidence:
    """Run all experiments, or go on with them, and solve the game."""
    rules = game(GAME)
    return Evidence(rules, work, work.trainings(EXPERIMENTS), Truth(rules))


# Figures of a curve, by seed. `scores` are float64[seeds, points].

SMOOTHED = 20
"""points over which a curve is averaged before it is asked when it settles"""


def last_quarter(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """The last quarter of the points."""
    return scores[:, -max(scores.shape[1] // 4, 1) :]


def unrest(cell: CellResult) -> NDArray[np.float64]:
    """How much the points of the last quarter scatter, in units of what chance alone would make of so many games."""
    scores, games = last_quarter(cell.scores), cell.trainings[0].configuration.evaluation_games
    chance = np.sqrt(np.maximum(scores * (1.0 - scores), 1.0 / games).mean(axis=1) / games)
    found: NDArray[np.float64] = scores.std(axis=1) / chance
    return found


def first_reach(cell: CellResult, bound: float) -> list[float | None]:
    """The games to the first point of `bound` or more, of each seed; None where there is none."""
    return [next((float(p.games) for p in curve if p.score >= bound), None) for curve in cell.curves]


def settling(cell: CellResult, off: float) -> list[float]:
    """The games after which the smoothed curve of each seed stays within `off` of its mean in the last quarter."""
    ends = last_quarter(cell.scores).mean(axis=1)
    games, smooth = _smooth(cell)
    return [_last(games, np.abs(each - end) > off) for each, end in zip(smooth, ends, strict=True)]


def staying_above(cell: CellResult, bound: float) -> list[float]:
    """The games after which the smoothed curve of each seed stays above `bound`; all games where it does not."""
    games, smooth = _smooth(cell)
    return [_last(games, each <= bound) for each in smooth]


def always_from(cell: CellResult, bound: float) -> list[float | None]:
    """The games from which on every point of a seed is `bound` or more; None where the last is not."""
    found: list[float | None] = []
    for scores in cell.scores:
        below = np.flatnonzero(scores < bound)
        place = below[-1] + 1 if len(below) else 0
        found.append(float(cell.games[place]) if place < len(scores) else None)
    return found


def _smooth(cell: CellResult) -> tuple[list[int], list[NDArray[np.float64]]]:
    width = min(SMOOTHED, cell.scores.shape[1])
    return cell.games[width - 1 :], [np.convolve(each, np.full(width, 1.0 / width), "valid") for each in cell.scores]


def _last(games: list[int], away: NDArray[np.bool_]) -> float:
    """The games of the first point after all that are away."""
    places = np.flatnonzero(away)
    return float(games[min(places[-1] + 1, len(games) - 1)] if len(places) else games[0])
