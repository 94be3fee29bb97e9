"""The figures of the report, as SVG."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from petteia.features.kalah_potentials import BLOCK, POTENTIALS
from petteia.features.report_weights import report_weights
from petteia.render.charts import Curve, line_chart
from petteia.reports.mancala.evidence import EVERY, LOWER, OWN, READINGS, SEATS, Evidence
from petteia.reports.mancala.published import PROGRESS
from petteia.reports.mancala.words import READING_WORDS

GAMES = "games learned from"
POINTS = 100
"""of a curve of weights"""
COLUMNS = {
    "lower-lower": ("Lower side, lower to move", 0),
    "upper-lower": ("Upper side, lower to move", len(POTENTIALS)),
    "lower-upper": ("Lower side, upper to move", BLOCK),
    "upper-upper": ("Upper side, upper to move", BLOCK + len(POTENTIALS)),
}
"""the four columns of weights: title, and the number of the first"""
OTHERS = {BLOCK - 1: "stores, lower to move", 2 * BLOCK - 1: "stores, upper to move"}
REST = {**OTHERS, 2 * BLOCK: "player", 2 * BLOCK + 1: "constant"}
SMALL = 0.1
"""weights that are smaller in the end, in the mean of the seeds, are shown magnified"""
NEAR = (-0.4, 0.4)


def charts(evidence: Evidence) -> dict[str, str]:
    """All figures by name."""
    return {
        "curves-own": _curves(evidence, OWN),
        "curves-every": _curves(evidence, EVERY),
        "norm": _norm(evidence),
        **{f"weights-{name}": _column(evidence, *each) for name, each in COLUMNS.items()},
        "weights-rest": _followed(evidence, REST, "The other four"),
        "weights-small-lower": _small(evidence, 0),
        "weights-small-upper": _small(evidence, BLOCK),
        "lower-only": _lower_only(evidence),
    }


def _curves(evidence: Evidence, reading: str) -> str:
    """Theta1 against greedy1 while it learns, in both seats, and what the report prints."""
    curves = []
    for seat in SEATS:
        found = evidence.curve(READINGS, seat, side=reading)
        curves.append(band(("first", "second")[seat], found.games, found.scores))
    marks = [float(mark or found.games[-1]) for mark in evidence.marks]
    for seat, name in enumerate(("R, first", "R, second")):
        curves += [Curve(name, marks, [line[seat].score for line in PROGRESS])]
    title = f"Theta1 against greedy1, learning {READING_WORDS[reading]}"
    return line_chart(curves, title, GAMES, "share of the points", y_range=(0.0, 1.0))


def band(name: str, games: Sequence[float], values: NDArray[np.float64]) -> Curve:
    """The mean over the seeds with a band from the lowest to the highest; `values` are float64[seeds, points]."""
    low, high = (values.min(axis=0).tolist(), values.max(axis=0).tolist()) if len(values) > 1 else (None, None)
    return Curve(name, list(map(float, games)), values.mean(axis=0).tolist(), low, high)


def way(evidence: Evidence, reading: str) -> tuple[list[float], NDArray[np.float64]]:
    """Some games on the way of each training, and the weights after them: [seeds, games, 40]."""
    learned = [evidence.learned(each) for each in evidence.trainings(READINGS, side=reading)]
    step = learned[0].games // POINTS
    games = np.arange(0, learned[0].games + 1, step)
    return games.astype(float).tolist(), np.array(
        [each.history[np.searchsorted(each.history_games, games)] for each in learned]
    )


def _norm(evidence: Evidence) -> str:
    curves = []
    for reading, words in READING_WORDS.items():
        games, weights = way(evidence, reading)
        curves.append(band(words, games, np.sqrt(np.square(weights).sum(axis=2))))
    theirs = float(np.sqrt(np.square(report_weights()).sum()))
    curves.append(Curve("R, in the end", [games[0], games[-1]], [theirs, theirs]))
    return line_chart(curves, "Length of the vector of weights", GAMES, "Euclidean norm")


def _column(evidence: Evidence, title: str, start: int) -> str:
    return _followed(evidence, {start + i: name for i, name in enumerate(POTENTIALS)}, title)


def _followed(evidence: Evidence, which: dict[int, str], title: str, y_range: tuple[float, float] | None = None) -> str:
    """Weights over the games, by their numbers: those of the agent."""
    games, weights = way(evidence, OWN)
    curves = [Curve(name, games, weights[0, :, number].tolist()) for number, name in which.items()]
    return line_chart(curves, title, GAMES, "weight", y_range=y_range)


def _small(evidence: Evidence, block: int) -> str:
    """Those of a block that are small in the end, magnified; the last of all belong to the second."""
    last = np.abs(evidence.weights().mean(axis=0))
    sides = {start + i: (title, name) for title, start in COLUMNS.values() for i, name in enumerate(POTENTIALS)}
    named = {number: f"{title.split(' ')[0].lower()} {name}" for number, (title, name) in sides.items()} | REST
    end = BLOCK if block == 0 else len(last)
    smallest = sorted(range(block, end), key=lambda number: last[number])
    which = {number: named[number] for number in sorted(smallest) if last[number] < SMALL or number == smallest[0]}
    who = "lower" if block == 0 else "upper"
    return _followed(evidence, which, f"The small weights, {who} to move, magnified", NEAR)


def _lower_only(evidence: Evidence) -> str:
    """The weights of who was always lower, beside those of who sat on both sides."""
    lower = evidence.weights(LOWER)
    both = evidence.weights()[: len(lower)]
    numbers = [float(number) for number in range(1, lower.shape[1] + 1)]
    curves = [
        band("both sides", numbers, both),
        band("always lower", numbers, lower),
        Curve("R, both sides", numbers, report_weights().tolist()),
    ]
    return line_chart(curves, "Learned on both sides, and as the lower side alone", "number of the weight", "weight")
