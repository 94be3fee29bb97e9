"""Statistics for questions that the original report leaves open: training, behaviour in games, and direct search.

Functions that read all weights or points of many training runs, or take long, save their results.
"""

from __future__ import annotations

import itertools
from functools import partial
from typing import NamedTuple

import numpy as np

from petteia.analysis.curves import settled_from
from petteia.analysis.direct_search import direct_search
from petteia.analysis.settling import Settling, WeightSwing, settling, swings
from petteia.arena.statistics import Interval
from petteia.experiments.training import Training
from petteia.features.feature_sets import feature_set_for
from petteia.features.linear import linear, weighted_sum
from petteia.learn.cross_entropy import Generation
from petteia.reports.engine.estimates import COUNT, NUMBER, POINTS, SHARE, Unit
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.figures import Figure, Values, change
from petteia.reports.engine.kept import kept
from petteia.reports.engine.measures import of_each
from petteia.reports.engine.settings import Setting
from petteia.reports.mancala.behaviour import LONG, Shares, course, treatment_of
from petteia.reports.mancala.plan import EARLY, GREEDY, LATE, OWN
from petteia.reports.mancala.questions import OPPONENTS
from petteia.reports.mancala.weight_measures import away

SEED = 1
LOOKED_AT, TREATED, WATCHED = 400, 300, 2000
"""Numbers of games: for the swings of features, for starving and stuffing, and for chains of turns."""
GENERATIONS = 3100
POINTS_BESIDE = 4
"""A score at a mark is the mean over this number of points of the curve before the mark and after it."""
SWING, DISTANCE = Unit(".3f", minimum=0.0), Unit(".0%", minimum=0.0)

# The course of training runs.


def between(evidence: Evidence) -> tuple[int, int, int]:
    """Return the numbers of games at two checkpoints, and the width of the windows around them."""
    marks = evidence.marks(OWN)
    return marks[EARLY], marks[LATE], POINTS_BESIDE * evidence.trainings(OWN)[0].configuration.every


@kept
def change_between(evidence: Evidence, training: Training, early: int, late: int, beside: int) -> float:
    """Return the change of theta1's mean score against greedy1 from `early` to `late` games of training.

    Points up to `beside` games before and after are averaged.
    """
    before, after = (
        np.mean([point.score for point in training.points if abs(point.games - mark) <= beside])
        for mark in (early, late)
    )
    return float(after - before)


@kept
def enough(evidence: Evidence, training: Training) -> int:
    """Return the number of training games after which the smoothed score stays near its final value."""
    games = sorted({point.games for point in training.points})
    scores = [float(np.mean([point.score for point in training.points if point.games == each])) for each in games]
    return settled_from(games, scores)


@kept
def mean_swing(evidence: Evidence, training: Training) -> float:
    """Return the mean range of the weights over the last quarter of the games."""
    return float(swings(evidence.learned(training), training.configuration.games // 4).mean())


@kept
def far_from_printed(evidence: Evidence, training: Training) -> float:
    """Return the relative distance of the final weights from those of the original report."""
    return float(away(evidence.learned(training).weights))


@kept
def swings_of(
    evidence: Evidence, trainings: tuple[Training, ...], games: int
) -> tuple[list[WeightSwing], float, float]:
    """Measure how much the weights still change at the end of training, as the fields of a `Settling`."""
    found = settling(*(each.run.path for each in trainings), games=games, seed=SEED)
    return found.rows, found.with_inflation, found.with_frequency


def settled(evidence: Evidence) -> Settling:
    """Measure how much the weights of the report's training runs still change at the end of training."""
    return Settling(*swings_of(evidence, tuple(evidence.trainings(OWN)), LOOKED_AT))


def enough_against(opponent: str) -> Figure:
    """Return the number of training games against `opponent` until the score stays near its final value."""
    return of_each("", COUNT, Setting(OPPONENTS, {"opponent": opponent}, seat=0), enough)


CHANGE = of_each(
    *("", POINTS, OWN, lambda evidence, each: change_between(evidence, each, *between(evidence))), subject=""
)
ENOUGH = of_each("", COUNT, OWN, enough)

# Starving, stuffing, and chains of turns.


@kept
def treatment(evidence: Evidence, training: Training, games: int) -> Shares:
    """Measure how often theta5 and greedy5 starve and stuff each other in their games."""
    rules, learned = evidence.rules, evidence.learned(training)
    value = partial(weighted_sum, linear(rules, feature_set_for(rules, "report"), learned.weights), rules)
    return treatment_of(rules, f"theta:agent=({training.run.path}),depth=5", GREEDY["greedy5"], games, SEED, value)


@kept
def treatment_by_chance(evidence: Evidence, games: int) -> Shares:
    """Measure how often the random player and greedy5 starve and stuff each other in their games."""
    return treatment_of(evidence.rules, "random", GREEDY["greedy5"], games, SEED)


@kept
def watched(evidence: Evidence, games: int) -> dict[str, float]:
    """Count the chains of turns in games of the heuristic against the random player."""
    return course(evidence.rules, "heuristic", "random", games, SEED)


def treated(name: str, words: str) -> Figure:
    """Return a share that `treatment` measures in games of theta5 against greedy5, for each training run."""
    return of_each(
        words, SHARE, OWN, lambda evidence, each: treatment(evidence, each, TREATED)[name] or 0.0, subject=""
    )


def drawn_value(evidence: Evidence) -> Values:
    """Return the learned value of the positions of drawn games, for the training runs that have such games."""
    values = [treatment(evidence, each, TREATED)["drawn_value"] for each in evidence.trainings(OWN)]
    return [each for each in values if each is not None]


def long_chains(evidence: Evidence) -> Interval:
    """Return the share of games in which the heuristic has a long chain of turns."""
    found = watched(evidence, WATCHED)
    return Interval(found["long_chains"], found["low"], found["high"])


TREATMENTS = {
    name: treated(name, f"the share of {words}")
    for name, words in {
        "won": "games that theta5 wins",
        "drawn": "drawn games",
        "starved": "games in which theta5 starves greedy5",
        "was_starved": "games in which greedy5 starves theta5",
        "stuffed": "moves of theta5 that stuff greedy5, among those made while greedy5 has an empty pit",
        "was_stuffed": "moves of greedy5 that stuff theta5, among those made while theta5 has an empty pit",
        "stuffing": "moves that would stuff greedy5, among all moves that theta5 could choose in these positions",
    }.items()
}
STUFFS_MORE = change(TREATMENTS["stuffed"], TREATMENTS["stuffing"])
DRAWN_VALUE = Figure("", NUMBER, drawn_value)
LONG_CHAINS = Figure(
    f"the share of games of the heuristic against random in which it has {LONG} plies in a row", SHARE, long_chains
)

# Direct search for weights.


class KeptGeneration(NamedTuple):
    """A generation of the direct search, with lists instead of arrays, so that it can be saved."""

    mean: list[float]
    deviation: list[float]
    best: float
    elite: float


@kept
def direct(evidence: Evidence, start: Training, generations: int) -> tuple[list[Interval], int, list[float]]:
    """Search for weights directly, without learning. An interrupted search resumes after the last saved generation.

    Returns:
        The shares of games that the found weights win by seat, the number of games of the search, and the score of the
        elite by generation

    """
    journal, steps = evidence.work.steps(f"{generations}-generations", KeptGeneration)
    known = [Generation(np.array(each.mean), np.array(each.deviation), *each[2:]) for each in steps]
    numbers = itertools.count(len(known) + 1)

    def progress(each: Generation) -> None:
        journal.append([each._asdict() | {"mean": each.mean.tolist(), "deviation": each.deviation.tolist()}])
        evidence.work.on_progress(next(numbers), generations, "direct search for weights, generations")

    found = direct_search(
        *(evidence.rules, "report"),
        opponent=GREEDY["greedy1"],
        generations=generations,
        weights=evidence.learned(start).weights,
        seed=SEED,
        jobs=evidence.work.jobs,
        done=known,
        progress=progress,
    )
    return [found.first, found.second], found.games, found.curve


def searched(evidence: Evidence) -> tuple[list[Interval], int, list[float]]:
    """Return the result of the direct search for weights that starts from the report's first training."""
    return direct(evidence, evidence.trainings(OWN)[0], GENERATIONS)
