"""Summary statistics of learning curves and of trained players, and their averages over several seeds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from petteia.arena.match import match
from petteia.arena.regret import regret
from petteia.arena.statistics import mean_interval
from petteia.core.errors import PetteiaError, UsageError
from petteia.core.protocol import Rules, format_state, initial, seats
from petteia.experiments.configuration import Configuration
from petteia.experiments.declaration import Measures
from petteia.experiments.scatter import MANY, Sample, mean_of_trainings
from petteia.experiments.trainer import Point
from petteia.experiments.training import Training
from petteia.players import player
from petteia.players.perfect import solved
from petteia.solver.graph import numbers_positions
from petteia.solver.memory_errors import MEGABYTE, InsufficientMemoryError

Number = float | int | None
"""a number; None if there is no value"""
Numbers = dict[int, dict[str, Number]]
"""the summary statistics of a training run, for each side that learned"""


class Column(NamedTuple):
    """The heading and the format of one summary statistic in tables."""

    title: str
    """the heading"""
    is_share: bool = False
    """whether the number is a share, shown in per cent"""


class Summary(NamedTuple):
    """The distribution of a summary statistic over several seeds: its mean, interval and extremes."""

    mean: float | None
    """the mean over the seeds with a value; None if no seed has one"""
    low: float | None
    """lower bound of the 95 % interval of the mean; None with fewer than two values"""
    high: float | None
    """upper bound of the same interval"""
    minimum: float | None
    """the smallest value"""
    maximum: float | None
    """the largest value"""
    seeds: int
    """the number of seeds with a value"""
    of: int
    """the number of seeds, with or without a value"""


def reached(points: Sequence[Point], reach: float) -> int | None:
    """The number of training games at the first point with a score of `reach` or more; None if there is none."""
    return next((point.games for point in points if point.score >= reach), None)


def last_quarter(points: Sequence[Point]) -> float:
    """The mean score in the last quarter of a learning curve."""
    return float(np.mean(_last_scores(points)))


def spread(points: Sequence[Point]) -> float | None:
    """The standard deviation of the scores over the last quarter of the points; None for a single point.

    The standard deviation includes the sampling error of the scores. A score p in n evaluation games has a sampling
    error of sqrt(p (1 - p) / n).
    """
    scores = _last_scores(points)
    return float(np.std(scores, ddof=1)) if len(scores) > 1 else None


def _last_scores(points: Sequence[Point]) -> list[float]:
    return [point.score for point in points[-math.ceil(len(points) / 4) :]]


def curve_columns(measures: Measures, *, of_features: bool = False) -> dict[str, Column]:
    """Return the columns of a results table that summarise a learning curve.

    If `of_features` is True, the training runs learn a linear value function, and the last column contains the norm of
    the weights. Otherwise, the last column contains the number of visited states.
    """
    learned = {"norm": Column("norm of the weights")} if of_features else {"states": Column("visited states")}
    return {
        "reached": Column(f"games to the first {measures.reach:.0%}"),
        "last_quarter": Column("mean of the last quarter", is_share=True),
        "spread": Column("spread in the last quarter", is_share=True),
        "final": Column("score at the end", is_share=True),
        **learned,
    }


def play_columns(measures: Measures) -> dict[str, Column]:
    """Return the columns of a results table that measure the play of the learner after the training."""
    columns = {}
    for opponent in measures.against:
        columns[f"against_{opponent}"] = Column(f"score against {opponent}", is_share=True)
    for over in measures.regret:
        where = f"{over} positions"
        columns[f"perfect_{over}"] = Column(f"perfect moves, {where}", is_share=True)
        columns[f"regret_{over}"] = Column(f"mean regret, {where}")
        columns[f"results_lost_{over}"] = Column(f"results lost, {where}")
    return columns


def check(rules: Rules, configuration: Configuration, measures: Measures) -> None:
    """Raise an error if a declared measurement is impossible. The error names the field of this measurement."""
    try:
        for opponent in measures.against:
            if missing := set(configuration.others) - set(player(opponent, rules).seats):
                raise UsageError(
                    f"player {opponent} does not play {seats(rules)[min(missing)]}; choose another opponent"
                )
    except PetteiaError as error:
        raise type(error)(f"measure.against: {error}") from None
    try:
        if "all" in measures.regret and not numbers_positions(rules):
            raise UsageError(
                "'all' requires a game with the methods `positions` and `position`; use 'reachable' instead"
            )
        if measures.regret:
            solved(rules, measures.memory * MEGABYTE)
    except InsufficientMemoryError as error:
        raise error.by("memory = {} under [measure]", "measure.regret") from None
    except PetteiaError as error:
        raise type(error)(f"measure.regret: {error}") from None


def measure(training: Training, side: int, measures: Measures) -> dict[str, Number]:
    """Measure one side of a finished training run, and return the summary statistics by the names of their columns."""
    points = [point for point in training.points if point.side == side]
    numbers: dict[str, Number] = {
        "reached": reached(points, measures.reach),
        "last_quarter": last_quarter(points),
        "spread": spread(points),
        "final": points[-1].score,
        "states": points[-1].states,
        "norm": points[-1].norm,
    }
    rules, start = training.rules, training.configuration.positions[0]
    elsewhere = None if start == format_state(rules, initial(rules)) else start
    agent = f"{training.configuration.plays_as}:agent=({training.run.path})"
    seed = training.run.seed
    for opponent in measures.against:
        players = (agent, opponent) if side == 0 else (opponent, agent)
        played = match(rules, *players, games=measures.games, openings="none", seats="fixed", position=start, seed=seed)
        numbers[f"against_{opponent}"] = played.score if side == 0 else 1.0 - played.score
    memory = measures.memory * MEGABYTE
    for over in measures.regret:
        judged = regret(rules, agent, over=over, seat=side, position=elsewhere, seed=seed, memory=memory)
        numbers[f"perfect_{over}"] = judged.perfect_share
        numbers[f"regret_{over}"] = judged.mean
        numbers[f"results_lost_{over}"] = judged.results_lost
    return numbers


def summarise(values: Sequence[Number], is_share: bool) -> Summary:
    """Return the mean, the 95 % confidence interval, and the extremes of a summary statistic over several seeds.

    If `is_share` is True, the statistic is a share, and its confidence interval is computed by
    `scatter.mean_of_trainings`. Otherwise, the confidence interval is Student's t interval. A negative lower bound of
    the interval is replaced by 0.
    """
    numbers = [float(value) for value in values if value is not None]
    if not numbers:
        return Summary(None, None, None, None, None, 0, len(values))
    mean, low, high = mean_of_trainings(Sample(tuple(numbers), MANY)) if is_share else mean_interval(numbers)
    if len(numbers) < 2:
        return Summary(mean, None, None, mean, mean, len(numbers), len(values))
    return Summary(mean, max(low, 0.0), high, min(numbers), max(numbers), len(numbers), len(values))


def shown(summary: Summary, column: Column) -> str:
    """Return a mean with its confidence interval as a string, such as `95.3 [94.1, 96.5]`.

    If some seeds have no value of the statistic, the string ends with the number of seeds that have a value. If no seed
    has a value, the string is `never`.
    """

    def number(value: float) -> str:
        if column.is_share:
            return f"{value * 100:.1f}"
        return f"{value:,.0f}" if summary.maximum is not None and summary.maximum >= 10 else f"{value:.3f}"

    if summary.mean is None:
        return "never"
    words = [number(summary.mean)]
    if summary.low is not None and summary.high is not None:
        words.append(f"[{number(summary.low)}, {number(summary.high)}]")
    if summary.seeds < summary.of:
        words.append(f"({summary.seeds} of {summary.of} seeds)")
    return " ".join(words)
