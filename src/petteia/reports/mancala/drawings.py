"""The charts and boards of the report page on Kalah."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from importlib import resources

import numpy as np

from petteia.core.arrays import Floats
from petteia.core.protocol import initial, parse_move, parse_state, play
from petteia.features.kalah_potentials import BLOCK, POTENTIALS
from petteia.render import board_svg
from petteia.render.charts import Curve, line_chart
from petteia.reports.engine.charts import GAMES_AXIS, band
from petteia.reports.engine.declaration import Of
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.settings import Setting
from petteia.reports.mancala import plan
from petteia.reports.mancala.plan import EVERY, OWN, SEAT_NAMES, SEATS
from petteia.reports.mancala.published import progress
from petteia.value_functions.report_weights import report_weights

COLUMNS = {
    "lower-lower": ("Lower side's feature, lower side to move", 0),
    "upper-lower": ("Upper side's feature, lower side to move", len(POTENTIALS)),
    "lower-upper": ("Lower side's feature, upper side to move", BLOCK),
    "upper-upper": ("Upper side's feature, upper side to move", BLOCK + len(POTENTIALS)),
}
"""The four columns of weights, each with its title and the number of its first weight."""
TITLES = ("feature", *(title for title, _ in COLUMNS.values()))
"""The headings of a table with a row for each feature of a side."""
REST = {
    BLOCK - 1: "stores, lower side to move",
    2 * BLOCK - 1: "stores, upper side to move",
    2 * BLOCK: "player",
    2 * BLOCK + 1: "constant",
}
SMALL = 0.1
"""The weights whose final mean is smaller are shown in magnified charts."""
PICTURES = tomllib.loads((resources.files("petteia.reports.mancala") / "pictures.toml").read_text(encoding="utf-8"))
"""Pictures of features by name: the position, the move or nothing, and the caption."""


def curves(evidence: Evidence, reading: Setting) -> str:
    """Draw the learned player's scores against greedy1 during training, with the published scores.

    The chart has a curve for the learned player as first player, and a curve as second player. `reading` is the
    interpretation of the update rule.
    """
    drawn, marks = [], [float(mark) for mark in evidence.marks(OWN)]
    for seat, name in zip(SEATS, SEAT_NAMES, strict=True):
        curve, printed = evidence.cell(replace(reading, seat=seat)), [progress(mark, seat).score for mark in plan.MARKS]
        drawn.append(band(f"{name} player", curve.games, curve.scores, family=name))
        drawn.append(Curve(f"original, {name} player", marks, printed, family=name))
    return line_chart(drawn, f"Score of theta1 against greedy1, reading “{reading.words}”", GAMES_AXIS, "score")


def weights_over_games(evidence: Evidence, reading: Setting) -> tuple[list[float], Floats]:
    """Return numbers of training games at equal intervals, and the weights after them, float64[seeds, games, 40]."""
    learned = [evidence.learned(each) for each in evidence.trainings(reading)]
    games = np.arange(0, learned[0].games + 1, learned[0].games // 100)
    history = [each.history[np.searchsorted(each.history_games, games)] for each in learned]
    return games.astype(float).tolist(), np.array(history)


def norm(evidence: Evidence) -> str:
    """Draw the Euclidean norm of the weight vector during training."""
    ways = [(f"reading “{reading.words}”", *weights_over_games(evidence, reading)) for reading in plan.READ]
    drawn = [band(words, games, np.linalg.norm(weights, axis=2)) for words, games, weights in ways]
    theirs, games = float(np.linalg.norm(report_weights())), ways[-1][1]
    drawn.append(Curve("original, at the end", [games[0], games[-1]], [theirs, theirs]))
    return line_chart(drawn, "Norm of the weight vector", GAMES_AXIS, "Euclidean norm")


def followed(evidence: Evidence, which: Mapping[int, str], title: str) -> str:
    """Draw the mean of each given weight over the seeds during training, with a colour for each feature."""
    games, weights = weights_over_games(evidence, OWN)
    means = weights.mean(axis=0)
    drawn = [
        Curve(name, games, means[:, number].tolist(), family=name.partition(",")[0].rpartition(" ")[2])
        for number, name in which.items()
    ]
    return line_chart(drawn, title, GAMES_AXIS, "weight", families=POTENTIALS)


def small(evidence: Evidence, who: str, numbers: range) -> str:
    """Draw the weights in `numbers` that are small at the end of training, or the smallest one if none is small."""
    last = np.abs(evidence.weights(OWN).mean(axis=0))
    named = REST | {
        start + i: f"{title.split(' ')[0].lower()} {name}"
        for title, start in COLUMNS.values()
        for i, name in enumerate(POTENTIALS)
    }
    smallest = min(numbers, key=lambda number: last[number])
    which = {number: named[number] for number in numbers if last[number] < SMALL or number == smallest}
    return followed(evidence, which, f"The small weights with the {who} side to move, magnified")


def lower_only(evidence: Evidence) -> str:
    """Draw the original weights, and those of learners that play both sides or always the lower side of the board."""
    numbers = [float(number) for number in range(1, len(report_weights()) + 1)]
    drawn = [
        band("both sides", numbers, evidence.weights(plan.SAME_OPPONENT), family="both sides"),
        band("lower side only", numbers, evidence.weights(plan.ALWAYS_LOWER)),
        Curve("original, both sides", numbers, report_weights().tolist(), family="both sides"),
    ]
    title = "The weights of learners of both sides, and of learners of the lower side only"
    return line_chart(drawn, title, "number of the weight", "weight")


CHARTS: dict[str, Of] = {
    "curves-own": partial(curves, reading=OWN),
    "curves-every": partial(curves, reading=EVERY),
    "norm": norm,
    **{
        f"weights-{name}": partial(followed, which={start + i: each for i, each in enumerate(POTENTIALS)}, title=title)
        for name, (title, start) in COLUMNS.items()
    },
    "weights-rest": partial(followed, which=REST, title="Stores, player and constant"),
    "weights-small-lower": partial(small, who="lower", numbers=range(BLOCK)),
    "weights-small-upper": partial(small, who="upper", numbers=range(BLOCK, 2 * BLOCK + 2)),
    "lower-only": lower_only,
}
"""All charts by name."""


def start_board(evidence: Evidence) -> str:
    """Draw the start position."""
    return board_svg(evidence.rules, initial(evidence.rules))


def pictures(evidence: Evidence) -> list[tuple[str, str]]:
    """Return drawings of positions that explain some features, with captions."""
    rules, drawn = evidence.rules, []
    for name, picture in PICTURES.items():
        state, move, before = parse_state(rules, picture["position"]), None, None
        if "move" in picture:
            before, move = state, parse_move(rules, state, picture["move"])
            state = play(rules, before, move)
        drawn.append((board_svg(rules, state, move, before), f"{name}: {picture['caption']}"))
    return drawn
