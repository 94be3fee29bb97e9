"""Statistics for questions that the original report leaves open: training, behaviour in games, and direct search.

The results of slow functions are saved on disk.
"""

from __future__ import annotations

import itertools
from functools import partial
from typing import NamedTuple

import numpy as np

from petteia.analysis.curves import settled_from
from petteia.analysis.direct_search import direct_search
from petteia.analysis.settling import Settling, WeightSwing, settling, swings
from petteia.arena.match import match
from petteia.arena.regret import regret_in
from petteia.arena.statistics import Interval
from petteia.experiments.training import Training
from petteia.features.feature_sets import feature_set_for
from petteia.features.linear import linear, weighted_sum
from petteia.learn.cross_entropy import Generation
from petteia.players import player
from petteia.reports.engine.estimates import COUNT, NUMBER, POINTS, SHARE, Unit, certain
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.figures import Figure, Values, change, of_each
from petteia.reports.engine.kept import kept
from petteia.reports.engine.settings import Setting
from petteia.reports.mancala.behaviour import LONG, Shares, course, treatment_of
from petteia.reports.mancala.boards import endings
from petteia.reports.mancala.figures import LAST_SHARE, weight_names
from petteia.reports.mancala.own_games import by_weights
from petteia.reports.mancala.plan import EARLY, GREEDY, LATE, OWN
from petteia.reports.mancala.questions import OPPONENTS
from petteia.reports.mancala.tables import plain
from petteia.reports.mancala.weight_measures import away

SEED = 1
LOOKED_AT, TREATED, WATCHED, ABLATED = 400, 300, 2000, 1000
"""Numbers of games: for swings, for starving and stuffing, for chains of turns, and without a weight."""
GENERATIONS = 3100
POINTS_BESIDE = 4
"""A score at a mark is the mean over this number of points of the curve before the mark and after it."""
SWING, DISTANCE = Unit(".3f", minimum=0.0), Unit(".0%", minimum=0.0)
NEAR_THE_END = "the number of games until the score stays near its final value"

# The course of training runs.


def between(evidence: Evidence) -> tuple[int, int, int]:
    """Return the numbers of games of two training stages, and half the width of the window for mean scores."""
    marks = evidence.marks(OWN)
    return marks[EARLY], marks[LATE], POINTS_BESIDE * evidence.trainings(OWN)[0].configuration.every


@kept
def change_between(evidence: Evidence, training: Training, early: int, late: int, beside: int) -> float:
    """Return the change in the learned player's mean score against greedy1 from `early` to `late` training games.

    Each of the two mean scores contains all points of the learning curve that are at most `beside` games away.
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
    """Return the mean range (largest minus smallest value) of the weights over the last quarter of the games."""
    return float(swings(evidence.learned(training), training.configuration.games // 4).mean())


@kept
def far_from_printed(evidence: Evidence, training: Training) -> float:
    """Return the distance of the final weights from the published weights, divided by the norm of the latter."""
    return float(away(evidence.learned(training).weights))


@kept
def swings_of(
    evidence: Evidence, trainings: tuple[Training, ...], games: int
) -> tuple[list[WeightSwing], float, float]:
    """Return the fields of a `Settling`: how much each weight varies at the end of training, and two correlations."""
    found = settling(*(each.run.path for each in trainings), games=games, seed=SEED)
    return found.rows, found.with_inflation, found.with_frequency


def settled(evidence: Evidence) -> Settling:
    """Measure how much the weights still change at the end of our training runs."""
    return Settling(*swings_of(evidence, tuple(evidence.trainings(OWN)), LOOKED_AT))


def enough_against(opponent: str, words: str = "") -> Figure:
    """Return the number of training games against `opponent` until the score stays near its final value.

    `words` describes the opponent.
    """
    return of_each(NEAR_THE_END, COUNT, Setting(OPPONENTS, {"opponent": opponent}, words, seat=0), enough)


CHANGE = of_each(
    "the change in the mean score over both seats",
    *(POINTS, OWN, lambda evidence, each: change_between(evidence, each, *between(evidence))),
)
ENOUGH = of_each(NEAR_THE_END, COUNT, OWN, enough)

# Starving, stuffing, and chains of turns.


@kept
def treatment(evidence: Evidence, training: Training, games: int) -> Shares:
    """Play games between the learned player theta5 and greedy5, and measure how often each is starved or stuffed.

    A player is starved if it has no stone to move while the winner is undecided. It is stuffed by a move after which
    none of its pits is empty any more, so that it cannot capture.
    """
    rules, learned = evidence.rules, evidence.learned(training)
    value = partial(weighted_sum, linear(rules, feature_set_for(rules, "report"), learned.weights), rules)
    return treatment_of(rules, f"theta:agent=({training.run.path}),depth=5", GREEDY["greedy5"], games, SEED, value)


@kept
def treatment_by_chance(evidence: Evidence, games: int) -> Shares:
    """Play games between the random player and greedy5, with the measurements of `treatment`."""
    return treatment_of(evidence.rules, "random", GREEDY["greedy5"], games, SEED)


@kept
def watched(evidence: Evidence, games: int) -> dict[str, float]:
    """Measure how often the heuristic player makes many plies in a row, in games against the random player."""
    return course(evidence.rules, "heuristic", "random", games, SEED)


def drawn_value(evidence: Evidence) -> Values:
    """Return the mean learned value of the positions in drawn games, for each training run with drawn games."""
    values = [treatment(evidence, each, TREATED)["drawn_value"] for each in evidence.trainings(OWN)]
    return [each for each in values if each is not None]


def long_chains(evidence: Evidence) -> Interval:
    """Return the share of games in which the heuristic player makes at least LONG plies in a row."""
    found = watched(evidence, WATCHED)
    return Interval(found["long_chains"], found["low"], found["high"])


TREATMENTS = {
    name: of_each(
        words,
        *(SHARE, OWN, lambda evidence, each, name=name: treatment(evidence, each, TREATED)[name] or 0.0),
        subject=subject,
    )
    for name, words, subject in (
        ("won", "the share of games won", "theta5 against greedy5"),
        ("drawn", "the share of games drawn", "theta5 against greedy5"),
        ("starved", "the share of games with a starved opponent", "theta5 against greedy5"),
        ("was_starved", "the share of games with a starved opponent", "greedy5 against theta5"),
        ("stuffed", "the share of stuffing moves", "theta5 against greedy5"),
        ("was_stuffed", "the share of stuffing moves", "greedy5 against theta5"),
        ("stuffing", "the share of stuffing moves", "all legal moves of theta5 against greedy5"),
    )
}
"""The shares that `treatment` measures in games of theta5 against greedy5, with a value for each training run."""
STUFFS_MORE = change(TREATMENTS["stuffed"], TREATMENTS["stuffing"])
DRAWN_VALUE = Figure("", NUMBER, drawn_value)
LONG_CHAINS = Figure(
    f"the share of games with a chain of {LONG} plies", SHARE, long_chains, "the heuristic against random"
)

# The effect of a weight that never settles, measured with this weight set to 0 or to its mean.

CHANGES = ("set to 0", "set to its mean")
FIELDS = {"score": POINTS, "regret": Unit("+.3f", " stones")}
"""The measures and units: the score in both seats against greedy1 from random openings, and the regret in endings."""


@kept
def without(evidence: Evidence, training: Training, weight: str, change: str) -> dict[str, float]:
    """Return the learned player's score and regret with its final weights, after `weight` was set to 0 or to its mean.

    If `weight` is empty, no weight is changed. `change` is one of CHANGES.
    """
    learned, rules = evidence.learned(training), evidence.rules
    weights = learned.weights.copy()
    if weight:
        late = learned.history[learned.history_games >= learned.games - learned.games // LAST_SHARE]
        number = weight_names(evidence).index(weight)
        weights[number] = 0.0 if change == CHANGES[0] else late[:, number].mean()
    who, other = by_weights(evidence, weights), player(GREEDY["greedy1"], rules)
    score = match(rules, who, other, games=ABLATED, openings="random:2", seed=SEED).score
    return {"score": score, "regret": regret_in(endings(evidence), who).mean}


def gain(field: str, weight: str, change: str) -> Figure:
    """Return the change in the learned player's score or regret, by seed, if a weight is set to 0 or to its mean."""

    def of(evidence: Evidence) -> Values | Interval:
        changes = [
            without(evidence, each, weight, change)[field] - without(evidence, each, "", "")[field]
            for each in evidence.trainings(OWN)
        ]
        return changes if any(changes) else certain(0.0)  # the same games: the weight has no effect

    return Figure(f"the change in theta1's {field}", FIELDS[field], of, f"weight of {plain(weight)}, {change}")


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
        Three results: the shares of games that the learned player wins with the found weights, as first and as second
        player; the number of games of the search; and the mean score of the best weight vectors of each generation

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
    """Return the result of the direct search for weights that starts from the first training run."""
    return direct(evidence, evidence.trainings(OWN)[0], GENERATIONS)
