"""The charts and boards of the page."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from petteia.core.protocol import initial, parse_move, parse_state, play
from petteia.features.kalah_potentials import BLOCK, POTENTIALS
from petteia.learned.report_weights import report_weights
from petteia.playing.begin import session
from petteia.records.game_record import GameRecord
from petteia.render import board_svg
from petteia.render.charts import Curve, line_chart
from petteia.reports.engine.charts import GAMES_AXIS, band
from petteia.reports.mancala.evidence import Evidence
from petteia.reports.mancala.plan import EVERY, LOWER, OWN, READING_WORDS, READINGS, SEATS
from petteia.reports.mancala.published import progress

AGENT = "theta.safetensors"
"""the learned weights that lie beside the page, to play against"""
POINTS = 100
"""of a curve of weights"""
COLUMNS = {
    "lower-lower": ("Lower side, lower to move", 0),
    "upper-lower": ("Upper side, lower to move", len(POTENTIALS)),
    "lower-upper": ("Lower side, upper to move", BLOCK),
    "upper-upper": ("Upper side, upper to move", BLOCK + len(POTENTIALS)),
}
"""the four columns of weights: title, and the number of the first"""
REST = {
    BLOCK - 1: "stores, lower to move",
    2 * BLOCK - 1: "stores, upper to move",
    2 * BLOCK: "player",
    2 * BLOCK + 1: "constant",
}
SMALL = 0.1
"""weights that are smaller in the end, in the mean of the seeds, are shown magnified"""
PICTURES = (
    (
        "opposite_empty",
        "0,4,4,4,4,4,0/4,4,4,4,4,8,0 s",
        "",
        "South's first pit is empty, and eight stones lie opposite",
    ),
    ("captures", "1,0,4,4,4,4,6/4,4,4,4,4,0,5 s", "1", "the last stone comes to an empty pit: it brings four"),
    (
        "can_get_another_move",
        "4,4,4,4,4,4,0/4,4,4,4,4,4,0 s",
        "3",
        "the last stone comes to the store: South moves again",
    ),
    ("can_fill_all_empties", "4,4,4,4,4,8,0/0,4,4,4,4,4,0 s", "6", "no pit of North's stays empty"),
)
"""features that are hard to picture: name, position, move, and what is seen"""


def charts(evidence: Evidence) -> dict[str, str]:
    """All charts by name."""
    return {
        "curves-own": _curves(evidence, OWN),
        "curves-every": _curves(evidence, EVERY),
        "norm": _norm(evidence),
        **{
            f"weights-{name}": _followed(evidence, {start + i: each for i, each in enumerate(POTENTIALS)}, title)
            for name, (title, start) in COLUMNS.items()
        },
        "weights-rest": _followed(evidence, REST, "The other four"),
        "weights-small-lower": _small(evidence, 0),
        "weights-small-upper": _small(evidence, BLOCK),
        "lower-only": _lower_only(evidence),
    }


def _curves(evidence: Evidence, side: str) -> str:
    """Theta1 against greedy1 while it learns, in both seats, and what the report prints."""
    curves = []
    for seat, name in zip(SEATS, ("first", "second"), strict=True):
        curve = evidence.curve(READINGS, seat, side=side)
        curves.append(band(name, curve.games, curve.scores, family=name))
        marks = [float(mark or curve.games[-1]) for mark in evidence.marks]
        printed = [progress(number, seat).score for number in range(len(marks))]
        curves.append(Curve(f"R, {name}", marks, printed, family=name))
    title = f"Theta1 against greedy1, learning {READING_WORDS[side]}"
    return line_chart(curves, title, GAMES_AXIS, "share of the points")


def _way(evidence: Evidence, side: str) -> tuple[list[float], NDArray[np.float64]]:
    """Some games on the way of each training, and the weights after them: [seeds, games, 40]."""
    learned = [evidence.learned(each) for each in evidence.trainings(READINGS, side=side)]
    games = np.arange(0, learned[0].games + 1, learned[0].games // POINTS)
    history = [each.history[np.searchsorted(each.history_games, games)] for each in learned]
    return games.astype(float).tolist(), np.array(history)


def _norm(evidence: Evidence) -> str:
    curves = []
    for side, words in READING_WORDS.items():
        games, weights = _way(evidence, side)
        curves.append(band(words, games, np.linalg.norm(weights, axis=2)))
    theirs = float(np.linalg.norm(report_weights()))
    curves.append(Curve("R, in the end", [games[0], games[-1]], [theirs, theirs]))
    return line_chart(curves, "Length of the vector of weights", GAMES_AXIS, "Euclidean norm")


def _followed(evidence: Evidence, which: Mapping[int, str], title: str) -> str:
    """Weights over the games, by their numbers: means over the seeds. A feature has the same colour everywhere."""
    games, weights = _way(evidence, OWN)
    means = weights.mean(axis=0)
    curves = [
        Curve(name, games, means[:, number].tolist(), family=name.partition(",")[0].rpartition(" ")[2])
        for number, name in which.items()
    ]
    return line_chart(curves, title, GAMES_AXIS, "weight", families=POTENTIALS)


def _small(evidence: Evidence, block: int) -> str:
    """Those of a block that are small in the end, magnified; the last of all belong to the second."""
    last = np.abs(evidence.weights().mean(axis=0))
    sides = {start + i: (title, name) for title, start in COLUMNS.values() for i, name in enumerate(POTENTIALS)}
    named = {number: f"{title.split(' ')[0].lower()} {name}" for number, (title, name) in sides.items()} | REST
    end = BLOCK if block == 0 else len(last)
    smallest = sorted(range(block, end), key=lambda number: last[number])
    which = {number: named[number] for number in sorted(smallest) if last[number] < SMALL or number == smallest[0]}
    who = "lower" if block == 0 else "upper"
    return _followed(evidence, which, f"The small weights, {who} to move, magnified")


def _lower_only(evidence: Evidence) -> str:
    """The weights of who was always lower, beside those of who sat on both sides."""
    numbers = [float(number) for number in range(1, len(report_weights()) + 1)]
    curves = [
        band("both sides", numbers, evidence.weights(LOWER, side="random"), family="both sides"),
        band("always lower", numbers, evidence.weights(LOWER, side="south")),
        Curve("R, both sides", numbers, report_weights().tolist(), family="both sides"),
    ]
    return line_chart(curves, "Learned on both sides, and as the lower side alone", "number of the weight", "weight")


def start_board(evidence: Evidence) -> str:
    """The board at the start."""
    return board_svg(evidence.rules, initial(evidence.rules))


def pictures(evidence: Evidence) -> list[tuple[str, str]]:
    """The features that are hard to picture."""
    drawn = []
    for name, position, text, words in PICTURES:
        state = parse_state(evidence.rules, position)
        if text:
            move = parse_move(evidence.rules, state, text)
            drawn.append(
                (board_svg(evidence.rules, play(evidence.rules, state, move), move, state), f"{name}: {words}")
            )
        else:
            drawn.append((board_svg(evidence.rules, state), f"{name}: {words}"))
    return drawn


def game(evidence: Evidence) -> GameRecord:
    """Theta5 of the first seed against greedy5."""
    texts = (f"theta:agent=({evidence.trainings()[0].run.path}),depth=5", "greedy:depth=5")
    with session(evidence.rules, texts) as played:
        played.advance()
    return dataclasses.replace(played.record(), players=("theta:depth=5", texts[1]))
