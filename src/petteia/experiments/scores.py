"""The last scores of a training run, and the chart of its learning curve."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from petteia.experiments.trainer import Point
from petteia.render.charts import Chart, Curve, line_chart


class Score(NamedTuple):
    """The score of a side in evaluation games without learning."""

    seat: str
    """the name of the side"""
    opponent: str
    """the text form of the opponent"""
    score: float
    """the share of the points, 0..1: a win counts one, a draw one half"""
    low: float
    """lower bound of the 95 % interval of the score"""
    high: float
    """upper bound of the interval"""
    games: int
    """the number of evaluation games"""


def score_of(point: Point, names: tuple[str, str], opponent: str) -> Score:
    """Return the score of a side at one point of its learning curve. `names` contains the names of the two seats."""
    games = point.wins + point.draws + point.losses
    return Score(names[point.side], opponent, point.score, point.low, point.high, games)


def curve_chart(points: Sequence[Point], names: tuple[str, str], opponent: str, title: str) -> Chart:
    """Draw the learning curve of each side that learns, with 95 % intervals. See `line_chart` for errors."""
    curves = []
    for side in sorted({point.side for point in points}):
        of_side = [point for point in points if point.side == side]
        x, y, low, high = ([getattr(point, field) for point in of_side] for field in ("games", "score", "low", "high"))
        curves.append(Curve(names[side], x, y, low, high))
    seat = f" of {curves[0].label}" if len(curves) == 1 else ""
    y_label = f"score{seat} against {opponent}"
    return Chart(line_chart(curves, title, "games learned from", y_label, y_range=(0.0, 1.0)))
