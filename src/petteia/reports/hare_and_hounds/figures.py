"""The figures of the report, as SVG."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from petteia.core.protocol import parse_move, parse_state, play
from petteia.experiments.results import CellResult
from petteia.render import board_svg
from petteia.render.charts import Curve, line_chart
from petteia.reports.hare_and_hounds.evidence import VALUES, Evidence

MOST = 100
"""points drawn of a curve; where there are more, each stands for the mean of several"""
GAMES = "games learned from"


def curve(name: str, games: Sequence[int], values: NDArray[np.float64]) -> Curve:
    """The mean over the seeds with a band from the lowest to the highest; `values` are float64[seeds, points]."""
    size = -(-values.shape[1] // MOST)
    cuts = range(0, values.shape[1], size)
    means = np.array([values[:, cut : cut + size].mean(axis=1) for cut in cuts])
    ends = [float(games[min(cut + size, len(games)) - 1]) for cut in cuts]
    if len(values) == 1:
        return Curve(name, ends, means[:, 0].tolist())
    return Curve(name, ends, means.mean(axis=1).tolist(), means.min(axis=1).tolist(), means.max(axis=1).tolist())


def band(cells: Sequence[CellResult]) -> str:
    """What lines, points and bands of these cells stand for."""
    points, seeds = len(cells[0].games), len(cells[0].trainings)
    size, games = -(-points // MOST), cells[0].trainings[0].configuration.evaluation_games
    told = (
        f"{games} games without learning" if size == 1 else f"the mean of {size} times {games} games without learning"
    )
    return f"Each point is {told}" + (f"; lines are means of {seeds} seeds, bands their range." if seeds > 1 else ".")


def scores(cells: Sequence[CellResult], names: Sequence[str], title: str) -> str:
    """Learning curves in one chart."""
    curves = [curve(name, cell.games, cell.scores) for cell, name in zip(cells, names, strict=True)]
    return line_chart(curves, title, GAMES, "share of games won", y_range=(0.0, 1.0))


def followed(evidence: Evidence) -> str:
    """The three values that are followed, and what they must become."""
    cell = evidence.cell(VALUES)
    curves = []
    for number, (each, exact) in enumerate(followed_values(evidence)):
        values = cell.followed[:, :, number]
        curves.append(curve(each, cell.games, values))
        curves.append(Curve(f"exact: {exact:.3f}", [float(cell.games[0]), float(cell.games[-1])], [exact, exact]))
    return line_chart(curves, "Three learned values, and the exact ones", GAMES, "value", y_range=(-1.0, 1.0))


def followed_values(evidence: Evidence) -> list[tuple[str, float]]:
    """The names of the moves that are followed, and their exact values."""
    found = evidence.found[VALUES].plan.declaration
    is_ = evidence.cell(VALUES).trainings[0].configuration
    return [
        (each.name, evidence.truth.value_of(0, is_.opponent, is_.gamma, each.position, each.move))
        for each in found.measure.follow
    ]


def followed_boards(evidence: Evidence) -> list[tuple[str, str]]:
    """The moves that are followed, as arrows, and a caption each."""
    rules, drawn = evidence.rules, []
    for each, (_, exact) in zip(
        evidence.found[VALUES].plan.declaration.measure.follow, followed_values(evidence), strict=True
    ):
        state = parse_state(rules, each.position)
        move = parse_move(rules, state, each.move)
        caption = f"{each.move} {each.name}; exact value {exact:.3f} ({each.position})"
        drawn.append((board_svg(rules, play(rules, state, move), move), caption))
    return drawn
