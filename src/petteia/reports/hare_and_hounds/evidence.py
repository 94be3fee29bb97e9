"""All that the report has found: its experiments, and how far each learned table is from the truth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from petteia.analysis.truth import Judgement, Truth
from petteia.core.protocol import Rules
from petteia.experiments.results import CellResult, ExperimentResult
from petteia.experiments.training import Training
from petteia.games import game
from petteia.learn.mdp import learned
from petteia.learned.table import Table
from petteia.learned.table_file import load_table
from petteia.reports.engine.work import Work
from petteia.reports.hare_and_hounds.plan import (
    BEST,
    EXPERIMENTS,
    FOLLOWED,
    GAME,
    JUDGEMENTS,
    OPPONENTS,
    SOONER,
    Setting,
)


class Moved(NamedTuple):
    """How far the values of a table have moved, over all moves in positions that can be reached."""

    mean: float
    """the mean of the distances"""
    largest: float
    """the largest of them"""


@dataclass(frozen=True)
class Evidence:
    """What the claims are judged by, and what the page shows."""

    rules: Rules
    work: Work
    experiments: dict[str, ExperimentResult]
    """each experiment by name"""
    truth: Truth

    def cell(self, setting: Setting) -> CellResult:
        """The trainings of a setting."""
        (cell,) = (
            each
            for each in self.experiments[setting.experiment].cells
            if setting.values.items() <= each.combination.values.items()
        )
        return cell

    @property
    def is_judged(self) -> bool:
        """Whether trainings are as long as the original's, so that its figures can be held against theirs."""
        return self.work.scale == "paper"

    @property
    def seeds(self) -> int:
        """Trainings of each combination."""
        return len(self.cell(BEST).trainings)

    @property
    def trainings(self) -> list[Training]:
        """All of them."""
        return [
            each for experiment in self.experiments.values() for cell in experiment.cells for each in cell.trainings
        ]

    def judgements(self, cell: CellResult) -> list[Judgement]:
        """How far each table of a cell, learned for one side, is from the truth; what is known is kept."""
        runs = {self.work.place_of(each): each for each in cell.trainings}

        def judge(place: str) -> Judgement:
            is_ = runs[place].configuration
            return self.truth.judge(self.table(runs[place]), int(is_.side), is_.opponent, float(is_.learner.gamma))

        return [*self.work.kept_rows(JUDGEMENTS, runs, judge, "tables held against the truth", Judgement).values()]

    def moves_of_values(self) -> list[Moved]:
        """How far values move from the table at three quarters of the followed trainings to their end, by seed."""
        pairs = {
            self.work.place_of(late): (early, late)
            for early, late in zip(self.cell(SOONER).trainings, self.cell(FOLLOWED).trainings, strict=True)
        }

        def compare(place: str) -> Moved:
            mdp = self.truth.mdp(0, OPPONENTS[0], 1.0)
            asked = mdp.actions & self.truth.reached[mdp.origins]
            early, late = (learned(mdp, self.table(each)) for each in pairs[place])
            moved = np.abs(late - early)[asked]
            return Moved(float(moved.mean()), float(moved.max()))

        return [
            *self.work.kept_rows("moved-values", pairs, compare, "tables held against earlier ones", Moved).values()
        ]

    def table(self, training: Training) -> Table:
        """What was learned."""
        return load_table(training.run.weights, self.rules).table


def gather(work: Work) -> Evidence:
    """Run all experiments, or go on with them, and solve the game."""
    rules = game(GAME)
    return Evidence(rules, work, work.trainings(EXPERIMENTS), Truth(rules, OPPONENTS))
