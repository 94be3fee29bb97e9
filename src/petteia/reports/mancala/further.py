"""Statistics for questions that the original report leaves open: training, and behaviour in games.

Functions that read all weights or points of many training runs, or take long, save their results.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from petteia.analysis.curves import settled_from
from petteia.analysis.settling import Settling, WeightSwing, settling, swings
from petteia.arena.statistics import Interval
from petteia.experiments.training import Training
from petteia.features.feature_sets import feature_set_for
from petteia.features.linear import linear, weighted_sum
from petteia.reports.engine.estimates import COUNT, NUMBER, SHARE, Unit
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.figures import Figure, Values
from petteia.reports.engine.kept import kept
from petteia.reports.engine.measures import of_each
from petteia.reports.engine.settings import Setting
from petteia.reports.mancala.behaviour import LONG, Shares, course, treatment_of
from petteia.reports.mancala.plan import GREEDY, OWN
from petteia.reports.mancala.questions import OPPONENTS
from petteia.reports.mancala.weight_measures import away

SEED = 1
LOOKED_AT, TREATED, WATCHED = 400, 300, 2000
"""Numbers of games: for the swings of features, for starving and stuffing, and for chains of turns."""
SWING, DISTANCE = Unit(".3f", minimum=0.0), Unit(".0%", minimum=0.0)

# The course of training runs.


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


# Starving, stuffing, and chains of turns.


@kept
def treatment(evidence: Evidence, training: Training, games: int) -> Shares:
    """Measure how often theta5 and greedy5 starve and stuff each other in their games."""
    rules, learned = evidence.rules, evidence.learned(training)
    value = partial(weighted_sum, linear(rules, feature_set_for(rules, "report"), learned.weights), rules)
    return treatment_of(rules, f"theta:agent=({training.run.path}),depth=5", GREEDY["greedy5"], games, SEED, value)


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
    }.items()
}
DRAWN_VALUE = Figure("", NUMBER, drawn_value)
LONG_CHAINS = Figure(
    f"the share of games of the heuristic against random in which it has {LONG} plies in a row", SHARE, long_chains
)
