"""The figures of the report that claims are judged by, and pages show."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petteia.analysis.settling import swings
from petteia.arena.statistics import Interval
from petteia.experiments.tournament.results import Cell
from petteia.experiments.training import Training
from petteia.features.feature_set import names
from petteia.features.feature_sets import feature_set_for
from petteia.reports.engine.estimates import POINTS, SHARE, TIMES, Unit
from petteia.reports.engine.figures import Figure, average, difference
from petteia.reports.engine.matches import score_of, turned
from petteia.reports.mancala.evidence import (
    CHAINS,
    LOOKING,
    LOWER,
    OPPONENTS,
    OWN,
    READINGS,
    SEATS,
    THETA,
    TRACES,
    Evidence,
    against_random,
    chain,
    stage,
    traces,
)
from petteia.reports.mancala.published import SWINGING
from petteia.reports.mancala.weight_measures import Weights, apart

EXTREME = 0.02
"""who scores less, or so little less than all, has lost or won all or nothing"""
SWING = 0.1
LAST_SHARE = 10
"""weights are asked whether they still swing over one part in so many of the games: R's last 50,000 of 500,000"""
SEAT_WORDS = ("as first", "as second")


def scores(cells: Sequence[Cell], has_learned: bool) -> Sequence[float] | Interval:
    """The score of each seed, or that of the match."""
    return [cell.score for cell in cells] if has_learned else score_of(cells[0])


def met(first: str, second: str) -> Figure:
    """The score of the first against the second: fixed seats, no opening."""
    learned = "theta" in first or "theta" in second
    return Figure(
        "the score", SHARE, lambda evidence: scores(evidence.met(first, second), learned), f"{first} against {second}"
    )


def second_met(first: str, second: str) -> Figure:
    """The score of the second in the same match."""
    learned = "theta" in first or "theta" in second
    return Figure(
        "the score as second",
        SHARE,
        lambda evidence: scores([turned(cell, 1) for cell in evidence.met(first, second)], learned),
        f"{second} against {first}",
    )


def balanced(one: str, other: str) -> Figure:
    """The score from random openings, both sides."""
    learned = "theta" in one or "theta" in other
    return Figure(
        "the score from random openings, both sides",
        SHARE,
        lambda evidence: scores(evidence.balanced(one, other), learned),
        f"{one} against {other}",
    )


def mean_of(words: str, figures: Sequence[Figure]) -> Figure:
    """The mean score of independent matches of players that do not learn."""

    def of(evidence: Evidence) -> Interval:
        found = [each.interval(evidence) for each in figures]
        mean = float(np.mean([each.mean for each in found]))
        below = math.hypot(*(each.mean - each.low for each in found)) / len(found)
        above = math.hypot(*(each.high - each.mean for each in found)) / len(found)
        return Interval(mean, mean - below, mean + above)

    return Figure(words, SHARE, of)


def falls(evidence: Evidence) -> Sequence[float]:
    """The most that theta of each training scores less as first, with a ply more, against somebody."""
    table = np.array([[met(name, other).values(evidence) for other in OPPONENTS] for name in THETA])
    return [*map(float, -np.diff(table, axis=0).min(axis=(0, 1)))]


AS_FIRST = {
    name: average(f"the mean score of {name} as first", [met(name, other) for other in OPPONENTS]) for name in THETA
}
LARGEST_FALL = Figure("the most that a ply more takes from theta as first, against somebody,", POINTS, falls)
GAIN_OF_DEPTH = difference(AS_FIRST["theta5"], AS_FIRST["theta1"])

# Learning.

Some = Callable[[Evidence], Sequence[Training]]
"""Trainings of the evidence."""


def own_plies(evidence: Evidence) -> Sequence[Training]:
    """The trainings of the first reading."""
    return evidence.trainings()


def of(name: str, **values: Any) -> Some:
    """The trainings of an experiment with these swept values."""
    return lambda evidence: evidence.trainings(name, **values)


def beside(name: str) -> Some:
    """Those of the first reading that have the seeds of another experiment."""
    return lambda evidence: evidence.trainings()[: len(evidence.trainings(name))]


def wins(words: str, some: Some, seat: int, mark: int = -1) -> Figure:
    """The share of games that theta1 wins against greedy1 in this seat, at the mark of this number."""

    def values(evidence: Evidence) -> Sequence[float]:
        cells = [evidence.progress(each, evidence.marks[mark], seat) for each in some(evidence)]
        return [cell.wins / cell.games for cell in cells]

    return Figure(f"the share of games won {SEAT_WORDS[seat]} against greedy1", SHARE, values, words)


def points(words: str, some: Some, seat: int, mark: int = -1) -> Figure:
    """The score of theta1 against greedy1 in this seat, at the mark of this number."""

    def values(evidence: Evidence) -> Sequence[float]:
        return [evidence.progress(each, evidence.marks[mark], seat).score for each in some(evidence)]

    return Figure(f"the score {SEAT_WORDS[seat]} against greedy1", SHARE, values, words)


def both_seats(words: str, some: Some, mark: int = -1) -> Figure:
    """The mean score of both seats."""
    return average(f"the score {words} against greedy1, both seats", [points("", some, seat, mark) for seat in SEATS])


def part_of_curve(words: str, low: float, high: float) -> Figure:
    """The mean score, in both seats, over a part of the games of the first reading."""

    def values(evidence: Evidence) -> Sequence[float]:
        curves = [evidence.curve(READINGS, seat, side=OWN) for seat in SEATS]
        share = np.array(curves[0].games) / curves[0].games[-1]
        chosen = (share > low) & (share <= high)
        return [*map(float, np.mean([curve.scores[:, chosen].mean(axis=1) for curve in curves], axis=0))]

    return Figure(words, SHARE, values)


def after_shortest(evidence: Evidence) -> Sequence[float]:
    """The scores against random moves after the shortest training, both seats."""
    return [
        float(np.mean([evidence.seen_by(against_random(evidence, each, seat), seat).score for seat in SEATS]))
        for each in evidence.trainings()
    ]


# Weights.


def of_weights(words: str, measure: Callable[[Weights], Weights], unit: Unit = TIMES) -> Figure:
    """A measure of the weights of the first reading."""
    return Figure(words, unit, lambda evidence: measure(evidence.weights()).tolist())


def traces_apart(evidence: Evidence) -> Sequence[float]:
    """How far the weights with traces are from those without, of the same seeds."""
    with_traces = evidence.weights(TRACES)
    return [*map(float, apart(with_traces, evidence.weights()[: len(with_traces)]))]


TRACES_APART = Figure(
    "the distance of the weights with lambda 0.15 from those with 0, in units of their length", TIMES, traces_apart
)


def weight_names(evidence: Evidence) -> tuple[str, ...]:
    """What the weights are called."""
    return names(feature_set_for(evidence.rules, "report"), evidence.rules)


def swinging(evidence: Evidence) -> dict[str, int]:
    """Of each weight, in how many trainings it still swings at the end."""
    learned = [evidence.learned(each) for each in evidence.trainings()]
    still = np.array([swings(each, each.games // LAST_SHARE) > SWING for each in learned]).sum(axis=0)
    return dict(zip(weight_names(evidence), still.tolist(), strict=True))


def swinging_counts(evidence: Evidence) -> tuple[int, int, int, int]:
    """Of the weights that R lists, and of the others: how many swing in most trainings, and how many there are."""
    still = {name: 2 * count > evidence.seeds for name, count in swinging(evidence).items()}
    named, others = ([still[name] for name in still if (name in SWINGING) is listed] for listed in (True, False))
    return sum(named), len(named), sum(others), len(others)


# Stages, traces, chains.


def stage_means(evidence: Evidence) -> NDArray[np.float64]:
    """Mean scores [seeds, first or second, marks] of each stage against the others."""
    marks, found = evidence.marks, []
    for training in evidence.trainings():
        table = np.full((len(marks), len(marks)), np.nan)
        for i, one in enumerate(marks):
            for j, other in enumerate(marks):
                if i != j:
                    table[i, j] = evidence.matches[stage(evidence, training, one, other)].score
        found.append([np.nanmean(table, axis=1), 1.0 - np.nanmean(table, axis=0)])
    return np.array(found)


def of_stage(number: int, seat: int) -> Figure:
    """The mean score of a stage against the others."""
    return Figure(
        f"the mean score {SEAT_WORDS[seat]} against the other stages",
        SHARE,
        lambda evidence: stage_means(evidence)[:, seat, number].tolist(),
        f"stage {number + 1} of 5",
    )


def extreme_cells(evidence: Evidence) -> Sequence[float]:
    """The share of the results of the stages of each training that are all or nothing."""
    marks, found = evidence.marks, []
    pairs = [(one, other) for one in marks for other in marks if one != other]
    for training in evidence.trainings():
        results = [evidence.matches[stage(evidence, training, *pair)].score for pair in pairs]
        found.append(float(np.mean([not EXTREME < score < 1.0 - EXTREME for score in results])))
    return found


def against_traces(evidence: Evidence) -> Sequence[float]:
    """The mean score of lambda 0 as first against 0.15, over all depths, of each seed."""
    return [
        float(np.mean([evidence.seen_by(traces(evidence, each, depth, 0), 0).score for depth in LOOKING]))
        for each in range(len(evidence.trainings(TRACES)))
    ]


def chain_score(words: str, some: Some, opponent: str) -> Figure:
    """The score of theta1 against one who does not learn, the mean of both seats."""

    def values(evidence: Evidence) -> Sequence[float]:
        return [
            float(np.mean([evidence.seen_by(chain(evidence, each, opponent, seat), seat).score for seat in SEATS]))
            for each in some(evidence)
        ]

    return Figure(f"the score {words}, both seats", SHARE, values, f"against {opponent}")


BY_CHAINS = {name: chain_score("by whole turns", of(CHAINS), name) for name in ("random", *OPPONENTS)}
BY_PLIES = {name: chain_score("by plies", beside(CHAINS), name) for name in ("random", *OPPONENTS)}
ALWAYS_LOWER_WINS = wins("always lower", of(LOWER, side="south"), 1)
SAME_OPPONENT_WINS = wins("both sides, the same opponent", of(LOWER, side="random"), 1)
AFTER_SHORTEST = Figure("the score against random at the first mark, both seats,", SHARE, after_shortest)
EXTREME_CELLS = Figure("the share of cells below 2 % or above 98 %", SHARE, extreme_cells)
AGAINST_TRACES = Figure("the score of lambda 0 as first, over all depths,", SHARE, against_traces)
