"""How the learned player fares in the course of its training: whether it weakens, and how many games are enough."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from petteia.analysis.curves import settled_from
from petteia.experiments.training import Training
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.figures import change
from petteia.reports.mancala.figures import of_stage
from petteia.reports.mancala.plan import EARLY, LATE, LATER, OWN

PUZZLES = ((0, LATER), (0, LATE), (1, LATER))
"""seat, and the stage that does worse in it than the early one in the report's table"""
POINTS_BESIDE = 4
"""points of the curve to both sides of a mark over which scores are averaged"""


class Course(NamedTuple):
    """What a training comes to between two marks."""

    early: int
    """games at the first mark"""
    late: int
    """games at the second"""
    beside: int
    """games to both sides of each mark whose scores are averaged"""
    changes: Sequence[float]
    """for each seed: by how much the score against greedy1, both seats, is more at the second mark"""
    stages: Sequence[tuple[int, int, Sequence[float]]]
    """seat, games, and for each seed by how much the early stage scores more against the others than that after so
    many games"""
    enough: Sequence[int]
    """for each seed: games after which its smoothed score stays near that at its end"""


def look(evidence: Evidence) -> Course:
    """How the trainings of the page went."""
    trainings, marks = evidence.trainings(OWN), evidence.marks(OWN)
    beside = POINTS_BESIDE * trainings[0].configuration.every
    stages = [
        (seat, marks[other], change(of_stage(EARLY, seat), of_stage(other, seat)).values(evidence))
        for seat, other in PUZZLES
    ]
    changes = [_score_near(each, marks[LATE], beside) - _score_near(each, marks[EARLY], beside) for each in trainings]
    return Course(marks[EARLY], marks[LATE], beside, changes, stages, [enough(each) for each in trainings])


def _score_near(training: Training, mark: int, beside: int) -> float:
    """The mean score over both seats at the points around a mark."""
    return float(np.mean([point.score for point in training.points if abs(point.games - mark) <= beside]))


def enough(training: Training) -> int:
    """Games in the middle of the first window from which on the smoothed score stays near that at its end."""
    games = sorted({point.games for point in training.points})
    scores = [float(np.mean([point.score for point in training.points if point.games == each])) for each in games]
    return settled_from(games, scores)
