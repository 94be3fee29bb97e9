"""The results of an experiment: learning curves, summaries, and rows that pandas accepts."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from petteia.core.arrays import Floats
from petteia.core.protocol import seats
from petteia.experiments.declaration import Combination, Plan
from petteia.experiments.measures import Column, Number, Summary, curve_columns, play_columns, shown, summarise
from petteia.experiments.trainer import Point
from petteia.experiments.training import Training
from petteia.players import player
from petteia.players.player import notices

Row = dict[str, Any]
DAMAGED = "damaged"
TAKEN = {"seed", "measure", *Point._fields, *Summary._fields}
"""the names of other columns; a swept option with such a name is renamed, for example to `training_games`"""


@dataclass(frozen=True)
class CellResult:
    """The results of one learning side with a combination of swept values, in one training run for each seed."""

    plan: Plan
    combination: Combination
    side: int
    """the seat; if both sides learned, each has its own result"""
    trainings: list[Training]
    runs: list[dict[str, Number]]
    """the summary statistics of each training run, by name"""

    @property
    def words(self) -> dict[str, str]:
        """The swept values, by the name of the option. If both sides learned, the learning side is also included."""
        training = self.trainings[0]
        learned_both = len(training.configuration.seats) > 1
        return self.combination.words | ({"learner": seats(training.rules)[self.side]} if learned_both else {})

    @functools.cached_property
    def curves(self) -> list[list[Point]]:
        """The learning curve of each seed."""
        return [[point for point in training.points if point.side == self.side] for training in self.trainings]

    @property
    def notes(self) -> tuple[str, ...]:
        """Messages for the user about the opponents. They are the same in all training runs."""
        training = self.trainings[0]
        against = self.plan.declaration.measure.against
        return (*training.notes, *notices(*(player(text, training.rules) for text in against)))

    @property
    def games(self) -> list[int]:
        """The number of training games at each point of the learning curve."""
        return [point.games for point in self.curves[0]]

    @property
    def scores(self) -> Floats:
        """The scores at each point of the learning curve, [seeds, points]."""
        return np.array([[point.score for point in curve] for curve in self.curves])

    @property
    def followed(self) -> Floats:
        """The learned values of the moves that the key `follow` selects, float64[seeds, points, moves]."""
        return np.array([[point.followed for point in curve] for curve in self.curves])

    @functools.cached_property
    def summary(self) -> dict[str, Summary]:
        """The mean, confidence interval and extremes of each summary statistic over all seeds, by name."""
        columns = columns_of(self.plan)
        return {name: summarise([run[name] for run in self.runs], each.is_share) for name, each in columns.items()}


@dataclass(frozen=True)
class ExperimentResult:
    """The result of an experiment with training runs, and the folder with its files."""

    folder: Path
    plan: Plan
    cells: list[CellResult]
    damaged: Sequence[Combination] = ()
    """combinations with a damaged training, which have no cell"""

    @property
    def columns(self) -> dict[str, Column]:
        """The headings and formats of the summary statistics of a training run, by name."""
        return columns_of(self.plan)

    @functools.cached_property
    def notes(self) -> tuple[str, ...]:
        """Messages for the user about the opponents, without repetitions."""
        met = (note for cell in self.cells for note in cell.notes)
        return tuple(dict.fromkeys(met))

    @functools.cached_property
    def points(self) -> list[Row]:
        """A row for each point of each learning curve: the swept values, the seed, and the values of the point."""
        followed = [each.name for each in self.plan.declaration.measure.follow]
        return [
            {**self._head(cell, seed), **_point_row(point, followed)}
            for cell in self.cells
            for seed, curve in zip(self.plan.seeds, cell.curves, strict=True)
            for point in curve
        ]

    @property
    def runs(self) -> list[Row]:
        """A row for each training run: the swept values, the seed and the summary statistics."""
        return [
            {**self._head(cell, seed), **run}
            for cell in self.cells
            for seed, run in zip(self.plan.seeds, cell.runs, strict=True)
        ]

    @property
    def summary(self) -> list[Row]:
        """A row for each combination of swept values and each summary statistic, with its mean and interval."""
        return [
            {**self._values(cell), "measure": name, **summary._asdict()}
            for cell in self.cells
            for name, summary in cell.summary.items()
        ]

    @property
    def rows(self) -> dict[str, list[Row]]:
        """The rows of the files runs.csv and summary.csv, by the name of the file without its extension."""
        return {"runs": self.runs, "summary": self.summary}

    def table(self, columns: Mapping[str, Column] | None = None) -> tuple[list[str], list[list[str]]]:
        """Return the results as a table of strings: its headings and its rows.

        A row contains the swept values of a combination, and the mean and the confidence interval of each summary
        statistic.

        By default, the table contains all summary statistics. `columns` selects some of them.
        """
        chosen = self.columns if columns is None else columns
        titles = [each.title + (" (%)" if each.is_share else "") for each in chosen.values()]
        rows = []
        for cell in self.cells:
            words = [cell.words.get(name, "") for name in self.words]
            rows.append([*words, *(shown(cell.summary[name], each) for name, each in chosen.items())])
        for combination in self.damaged:
            words = [combination.words.get(name, "") for name in self.words]
            rows.append([*words, DAMAGED, *[""] * (len(chosen) - 1)])
        return [*self.words, *titles], rows

    @property
    def words(self) -> list[str]:
        """The headings of the first columns of a table: the swept options and, if both sides learn, the side."""
        every = [cell.words for cell in self.cells] + [combination.words for combination in self.damaged]
        return list(dict.fromkeys(name for words in every for name in words))

    @property
    def note(self) -> str:
        """The caption of a table, which explains its numbers."""
        seeds = self.plan.declaration.seeds
        return f"means of {seeds} seeds, in brackets their 95 % intervals" if seeds > 1 else "one seed"

    def _head(self, cell: CellResult, seed: int) -> Row:
        return {**self._values(cell), "seed": seed}

    def _values(self, cell: CellResult) -> Row:
        swept = {
            f"training_{name}" if name in TAKEN else name: value for name, value in cell.combination.values.items()
        }
        return {**swept, "side": cell.side}


def columns_of(plan: Plan) -> dict[str, Column]:
    """Return the headings and formats of all summary statistics of a training run, by name."""
    measures = plan.declaration.measure
    return {**curve_columns(measures, of_features=plan.is_of_features), **play_columns(measures)}


def _point_row(point: Point, followed: list[str]) -> Row:
    """Return a point of a learning curve as a dictionary, including the learned values of the moves in `followed`."""
    row = point._asdict()
    values = row.pop("followed")
    return {**row, **{f"value of {name}": value for name, value in zip(followed, values, strict=True)}}
