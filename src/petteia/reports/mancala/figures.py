"""The figures of the report that claims are judged by, and pages show."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import permutations, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from petteia.analysis.settling import swings
from petteia.arena.statistics import Interval
from petteia.experiments.scatter import MANY
from petteia.experiments.tournament.matches import Cell
from petteia.experiments.training import Training
from petteia.features.feature_set import names
from petteia.features.feature_sets import feature_set_for
from petteia.reports.engine.estimates import NUMBER, POINTS, SHARE, TIMES, Unit
from petteia.reports.engine.figures import Figure, Values, average, change, combination
from petteia.reports.engine.matches import Pairing, score_of, turned
from petteia.reports.mancala import plan
from petteia.reports.mancala.evidence import (
    Evidence,
    against_random,
    authors,
    chain,
    knowing_ends,
    of_vectors,
    six_stones,
    stage,
    traces,
)
from petteia.reports.mancala.plan import (
    BASIC,
    CHAINS,
    DEPTHS,
    LOOKING,
    LOWER,
    OPPONENTS,
    READINGS,
    RECIPES,
    SEAT_WORDS,
    SEATS,
    THETA,
    TRACES,
)
from petteia.reports.mancala.published import SWINGING
from petteia.reports.mancala.weight_measures import Weights, apart

EXTREME = 0.02
"""who scores less, or so little less than all, has lost or won all or nothing"""
SWING = 0.1
LAST_SHARE = 10
"""weights are asked whether they still swing over one part in so many of the games: R's last 50,000 of 500,000"""


def of_match(words: str, cells: Callable[[Evidence], Sequence[Cell]], one: str, other: str) -> Figure:
    """The score of a match: of each seed where somebody has learned, else with its interval."""

    def score(evidence: Evidence) -> Sequence[float] | Interval:
        played = cells(evidence)
        return [cell.score for cell in played] if plan.learns(one, other) else score_of(played[0])

    return Figure(words, SHARE, score, f"{one} against {other}", lambda evidence: cells(evidence)[0].games)


def met(first: str, second: str) -> Figure:
    """The score of the first against the second: fixed seats, no opening."""
    return of_match("the score", lambda evidence: evidence.met(first, second), first, second)


def second_met(first: str, second: str) -> Figure:
    """The score of the second in the same match."""

    def cells(evidence: Evidence) -> Sequence[Cell]:
        return [turned(cell, 1) for cell in evidence.met(first, second)]

    return of_match("the score as second", cells, second, first)


def authored(theta: str, other: str, seat: int) -> Figure:
    """The score, in this seat, of theta with the weights that the report prints."""

    def score(evidence: Evidence) -> Interval:
        pair = (theta, other) if seat == 0 else (other, theta)
        return score_of(evidence.seen_by(authors(evidence, *pair), seat))

    return Figure(f"the score {SEAT_WORDS[seat]}", SHARE, score, f"{theta} against {other}")


def drawing(first: str, second: str) -> Figure:
    """How far the score of theta that draws vectors is from that by the last one, of each training."""

    def far(evidence: Evidence) -> Values:
        drawn, last = (
            [evidence.matches[of_vectors(evidence, each, first, second, w)].score for each in evidence.trainings()]
            for w in ("drawn", "last")
        )
        return np.abs(np.subtract(drawn, last))

    return Figure("", replace(SHARE, form=".1f", name=" points", times=100.0), far)


def balanced(one: str, other: str) -> Figure:
    """The score from random openings, both sides."""
    words = "the score from random openings, both sides"
    return of_match(words, lambda evidence: evidence.balanced(one, other), one, other)


def mean_of(words: str, figures: Sequence[Figure]) -> Figure:
    """The mean score of independent matches of players that do not learn."""
    mean = combination([(1.0 / len(figures), each) for each in figures], words)
    return replace(mean, unit=SHARE)


def falls(evidence: Evidence) -> Values:
    """The most that theta of each training scores less as first, with a ply more, against somebody."""
    table = np.array([[met(name, other).values(evidence) for other in OPPONENTS] for name in THETA])
    return np.asarray(-np.diff(table, axis=0).min(axis=(0, 1)))


AS_FIRST = {
    name: average(f"the mean score of {name} as first", [met(name, other) for other in OPPONENTS]) for name in THETA
}
LARGEST_FALL = Figure("the most that a ply more takes from theta as first, against somebody,", POINTS, falls)
GAIN_OF_DEPTH = change(AS_FIRST["theta5"], AS_FIRST["theta1"])

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


def of_each(
    words: str,
    some: Some,
    value: Callable[[Evidence, Training], float],
    subject: str = "",
    games: Callable[[Evidence], int] = lambda evidence: MANY,
) -> Figure:
    """A share that each of some trainings has by itself, and of how many games it is."""

    def of(evidence: Evidence) -> Values:
        return [float(value(evidence, each)) for each in some(evidence)]

    return Figure(words, SHARE, of, subject, games)


def wins(words: str, some: Some, seat: int, mark: int = -1) -> Figure:
    """The share of games that theta1 wins against greedy1 in this seat, at the mark of this number."""

    def share(evidence: Evidence, training: Training) -> float:
        cell = evidence.progress(training, evidence.marks[mark], seat)
        return cell.wins / cell.games

    what = f"the share of games won {SEAT_WORDS[seat]} against greedy1"
    return of_each(what, some, share, words, lambda evidence: evidence.sizes.progress)


def points(words: str, some: Some, seat: int, mark: int = -1) -> Figure:
    """The score of theta1 against greedy1 in this seat, at the mark of this number."""

    def score(evidence: Evidence, training: Training) -> float:
        return evidence.progress(training, evidence.marks[mark], seat).score

    what = f"the score {SEAT_WORDS[seat]} against greedy1"
    return of_each(what, some, score, words, lambda evidence: evidence.sizes.progress)


def gain_of_training(seat: int) -> Figure:
    """How much more theta1 scores at the end than at the first mark."""
    first, last = (points("", own_plies, seat, mark) for mark in (0, -1))
    return change(last, first, f"what training gains {SEAT_WORDS[seat]}")


def both_seats(words: str, some: Some, mark: int = -1) -> Figure:
    """The mean score of both seats."""
    return average(f"the score {words} against greedy1, both seats", [points("", some, seat, mark) for seat in SEATS])


def part_of_curve(words: str, low: float, high: float) -> Figure:
    """The mean score, in both seats, over a part of the games of the first reading."""

    def values(evidence: Evidence) -> Values:
        curves = [evidence.curve(plan.READINGS, seat, side=plan.OWN) for seat in SEATS]
        share = np.array(curves[0].games) / curves[0].games[-1]
        chosen = (share > low) & (share <= high)
        return np.asarray(np.mean([curve.scores[:, chosen].mean(axis=1) for curve in curves], axis=0))

    return Figure(words, SHARE, values)


def over_seats(evidence: Evidence, pairing: Callable[[int], Pairing], seats: Sequence[int] = SEATS) -> float:
    """The mean score of a player in matches, one in each of these seats."""
    return float(np.mean([evidence.seen_by(pairing(seat), seat).score for seat in seats]))


# Weights.


def of_weights(words: str, measure: Callable[[Weights], Weights], unit: Unit = TIMES) -> Figure:
    """A measure of the weights of the first reading."""
    return Figure(words, unit, lambda evidence: measure(evidence.weights()))


def traces_apart(evidence: Evidence) -> Values:
    """How far the weights with traces are from those without, of the same seeds."""
    with_traces = evidence.weights(TRACES)
    return np.asarray(apart(with_traces, evidence.weights()[: len(with_traces)]))


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


def largest_swing(words: str, some: Some) -> Figure:
    """How far the weight swings that swings most over the last games of a training."""

    def of(evidence: Evidence) -> Values:
        learned = [evidence.learned(each) for each in some(evidence)]
        return [float(swings(each, each.games // LAST_SHARE).max()) for each in learned]

    return Figure(f"the largest swing of a weight {words}, over the last tenth of the games,", NUMBER, of)


def seeds_apart(evidence: Evidence) -> Values:
    """How far the last weights of each seed are from those of the next."""
    weights = evidence.weights()
    return np.asarray(apart(weights, np.roll(weights, 1, axis=0)))


def ends_known(depth: int) -> Figure:
    """The score of greedy that recognises won and lost ends against one that does not, both looking so far."""

    def cells(evidence: Evidence) -> Sequence[Cell]:
        return [evidence.matches[knowing_ends(evidence, depth)]]

    return of_match("the score", cells, f"greedy{depth}", f"greedy{depth} to which ends are worth their margin")


def six(first: str, second: str) -> Figure:
    """The score of the first against the second with six stones a pit; neither has learned."""
    return of_match("the score", lambda evidence: [evidence.six[six_stones(evidence, first, second)]], first, second)


def swinging_counts(evidence: Evidence) -> tuple[int, int, int, int]:
    """Of the weights that R lists, and of the others: how many swing in most trainings, and how many there are."""
    still = {name: 2 * count > evidence.seeds for name, count in swinging(evidence).items()}
    named, others = ([still[name] for name in still if (name in SWINGING) is listed] for listed in (True, False))
    return sum(named), len(named), sum(others), len(others)


# Stages, traces, chains.


def stage_means(evidence: Evidence) -> NDArray[np.float64]:
    """Mean scores [seeds, first or second, marks] of each stage against the others."""
    by_training = []
    for training in evidence.trainings():
        table = np.full((len(evidence.marks), len(evidence.marks)), np.nan)
        for (i, one), (j, other) in permutations(enumerate(evidence.marks), 2):
            table[i, j] = evidence.matches[stage(evidence, training, one, other)].score
        by_training.append([np.nanmean(table, axis=1), 1.0 - np.nanmean(table, axis=0)])
    return np.array(by_training)


def of_stage(number: int, seat: int) -> Figure:
    """The mean score of a stage against the others."""
    return Figure(
        f"the mean score {SEAT_WORDS[seat]} against the other stages",
        SHARE,
        lambda evidence: stage_means(evidence)[:, seat, number],
        f"stage {number + 1} of 5",
    )


def extreme_cells(evidence: Evidence, training: Training) -> float:
    """The share of the results of the stages of a training that are all or nothing."""
    pairs = permutations(evidence.marks, 2)
    results = [evidence.matches[stage(evidence, training, *pair)].score for pair in pairs]
    return float(np.mean([not EXTREME < score < 1.0 - EXTREME for score in results]))


def against_traces(evidence: Evidence) -> Sequence[float]:
    """The mean score of lambda 0 as first against 0.15, over all depths, of each seed."""
    return [
        float(np.mean([evidence.seen_by(traces(evidence, each, depth, 0), 0).score for depth in LOOKING]))
        for each in range(len(evidence.trainings(TRACES)))
    ]


def chain_score(words: str, some: Some, opponent: str, seats: Sequence[int] = SEATS) -> Figure:
    """The score of theta1 against one who does not learn, the mean of these seats."""

    def score(evidence: Evidence, training: Training) -> float:
        return over_seats(evidence, lambda seat: chain(evidence, training, opponent, seat), seats)

    where = "both seats" if len(seats) > 1 else SEAT_WORDS[seats[0]]
    return of_each(f"the score {words}, {where}", some, score, f"against {opponent}")


TAUGHT: dict[str, Some] = {
    **{words: of(CHAINS, treatment=recipe) for recipe, words in RECIPES.items()},
    "by plies": beside(CHAINS),
}
"""trainings by whole turns, and by plies just as long"""
BY_CHAINS, BY_CHAINS_BOTH, BY_PLIES = (
    {name: chain_score(words.partition(":")[0], some, name) for name in BASIC} for words, some in TAUGHT.items()
)
ALWAYS_LOWER_WINS = wins("always lower", of(LOWER, side="south"), 1)
SAME_OPPONENT_WINS = wins("both sides, the same opponent", of(LOWER, side="random"), 1)
AFTER_SHORTEST = of_each(
    "the score against random at the first mark, both seats,",
    own_plies,
    lambda evidence, training: over_seats(evidence, lambda seat: against_random(evidence, training, seat)),
)
EXTREME_CELLS = of_each("the share of cells below 2 % or above 98 %", own_plies, extreme_cells)
CHAIN_SWING = largest_swing("learned by whole turns", of(CHAINS))
SWING_WITH, SWING_WITHOUT = (largest_swing(f"with lambda {x}", of(name)) for x, name in ((0.15, TRACES), (0, READINGS)))
SEEDS_APART = Figure("how far two seeds are apart with lambda 0, in units of the length of one", TIMES, seeds_apart)
EDGE_OF_SIX = mean_of("the score of who begins, with six stones a pit", [six(*p) for p in product(OPPONENTS, repeat=2)])
KNOWING_ENDS = mean_of(
    "the score of greedy that recognises won and lost ends against greedy that does not, in the mean of all depths,",
    [ends_known(depth) for depth in DEPTHS],
)
AGAINST_TRACES = Figure("the score of lambda 0 as first, over all depths,", SHARE, against_traces)
