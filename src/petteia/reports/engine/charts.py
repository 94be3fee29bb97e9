"""Charts for report pages: learning curves of training runs, and measured values at several search efforts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from petteia.experiments.results import CellResult
from petteia.render.charts import Curve, line_chart
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.figures import Figure
from petteia.reports.engine.settings import Setting

MAXIMUM = 100
"""The maximum number of points of a drawn curve. With more points, each drawn point is the mean of several."""
GAMES_AXIS = "games of training"
BANDS = "A line shows the mean over the training runs, and a band shows the range of the training runs."


def band(name: str, games: Sequence[float], values: NDArray[np.float64], family: str = "") -> Curve:
    """Return the mean of the learning curves of several seeds, with a band from the lowest to the highest value.

    `values`, float64[seeds, points], contains the learning curve of each seed.
    """
    size = -(-values.shape[1] // MAXIMUM)
    cuts = range(0, values.shape[1], size)
    means = np.array([values[:, cut : cut + size].mean(axis=1) for cut in cuts])
    ends = [float(games[min(cut + size, len(games)) - 1]) for cut in cuts]
    low, high = (means.min(axis=1).tolist(), means.max(axis=1).tolist()) if len(values) > 1 else (None, None)
    return Curve(name, ends, means.mean(axis=1).tolist(), low, high, family)


class Line(NamedTuple):
    """A learning curve in a chart: its name, its training runs, and the family of curves that share its colour."""

    name: str
    setting: Setting
    family: str = ""


@dataclass(frozen=True)
class Curves:
    """A chart of learning curves. To draw the chart, call it with the evidence of a report."""

    title: str
    lines: Sequence[Line]
    axis: str = "share of games won"

    def __call__(self, evidence: Evidence) -> str:
        """Return the chart as SVG."""
        cells = [(line, evidence.cell(line.setting)) for line in self.lines]
        curves = [band(line.name, cell.games, cell.scores, family=line.family) for line, cell in cells]
        return line_chart(curves, self.title, GAMES_AXIS, self.axis)


@dataclass(frozen=True)
class ByEffort:
    """A chart of measured values, with intervals as error bars. Its logarithmic x-axis shows the search effort."""

    title: str
    effort: Callable[[Any], str]
    """The function that takes the evidence of a report and returns the name of the effort axis."""
    lines: Callable[[Any], Mapping[str, Sequence[tuple[float, Figure]]]]
    """The function that returns, from the evidence, pairs of effort and figure for each line by its name."""
    axis: str = "score"

    def __call__(self, evidence: Any) -> str:
        """Return the chart as SVG."""
        curves = []
        for name, points in self.lines(evidence).items():
            found = [figure.interval(evidence) for _, figure in points]
            low, high = ([bounds[side] for bounds in found] for side in (1, 2))
            curves.append(Curve(name, [effort for effort, _ in points], [each.mean for each in found], low, high))
        return line_chart(curves, self.title, self.effort(evidence), self.axis, is_logarithmic=True, bars=True)


def points_text(cells: Sequence[CellResult]) -> str:
    """Return a sentence that explains what each point of a learning curve shows."""
    configuration = cells[0].trainings[0].configuration
    size, games = -(-len(cells[0].games) // MAXIMUM), configuration.evaluation_games(cells[0].games[0])
    made_of = f"of {games} games" if size == 1 else f"over {size} evaluations of {games} games each"
    words = f"A point is the mean score {made_of}, played without learning."
    return f"{words} {BANDS}" if len(cells[0].trainings) > 1 else words
