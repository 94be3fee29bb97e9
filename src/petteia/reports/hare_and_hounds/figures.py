"""Statistics of the report: learning curves, recorded values, and learned tables compared with the solution."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from petteia.analysis.curves import (
    always_from,
    chance_spread,
    first_reach,
    games_to_rest,
    last_quarter,
    staying_above,
    unrest,
)
from petteia.analysis.truth import ALL, MET, REACHABLE, Judgement, Truth
from petteia.arena.statistics import Interval
from petteia.experiments.results import CellResult
from petteia.experiments.training import Training
from petteia.games import game
from petteia.reports.engine.estimates import COUNT, NUMBER, SHARE, TIMES, Unit, certain
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.figures import Figure, Values, combination
from petteia.reports.engine.kept import kept
from petteia.reports.engine.measures import of_curves, of_each
from petteia.reports.engine.rules import Rule, in_most
from petteia.reports.engine.settings import Setting
from petteia.reports.hare_and_hounds import plan
from petteia.reports.hare_and_hounds.plan import AGAINST_SIMPLE, BEST, FOLLOWED, NINE, OPPONENTS, TRIED, rates
from petteia.value_functions.table import Table
from petteia.value_functions.table_file import load_table

HIGH, SETTLED, FEW, MOVED = 0.9, 0.02, 0.05, 0.05
STEADY = 0.95
"""A curve stays above a bound if more than this share of its points lies above the bound."""
FIRST_PART = 1.0 / 12.0
"""The share of a training run that counts as its first games: 25,000 of 300,000 games."""
STEPS = Unit("+.1f", " points", 100.0)
"""The unit of sums of several differences of shares."""
SPREAD = Unit(".1f", " points", 100.0, minimum=0.0)

# Figures of curves.


def or_all(cell: CellResult, games: Sequence[float | None]) -> list[float]:
    """Return the number of games until an event, for each seed, or all games if the event never happens."""
    return [float(cell.games[-1]) if each is None else each for each in games]


level = of_curves(
    "the mean score in the last quarter of the learning curve",
    SHARE,
    lambda cell: last_quarter(cell.scores).mean(axis=1),
)
scatter = of_curves(
    "the standard deviation of the scores in the last quarter of the learning curve, divided by the standard deviation "
    "expected from chance,",
    TIMES,
    lambda cell: unrest(cell),
)
plain_spread = of_curves(
    "the standard deviation of the scores in the last quarter of the learning curve",
    SPREAD,
    lambda cell: last_quarter(cell.scores).std(axis=1),
)
spread_of_chance = of_curves("the standard deviation expected from chance", SPREAD, lambda cell: chance_spread(cell))
games_to = of_curves(
    f"the number of training games until the score first reaches {HIGH:.0%}",
    COUNT,
    lambda cell: or_all(cell, first_reach(cell, HIGH)),
)
games_to_settle = of_curves(
    f"the number of training games until the mean of 20 scores of the learning curve stays within {SETTLED:.0%} of the "
    "mean of its last quarter",
    COUNT,
    lambda cell: games_to_rest(cell, SETTLED),
)
games_to_stay_high = of_curves(
    f"the number of training games until the mean of 20 scores of the learning curve stays above {HIGH:.0%}",
    COUNT,
    lambda cell: staying_above(cell, HIGH),
)
gain_of_learning = of_curves(
    "the mean score in the last quarter of the learning curve minus its first score",
    STEPS,
    lambda cell: last_quarter(cell.scores).mean(axis=1) - cell.scores[:, 0],
)
GAMES_TO_WIN_ALL = of_curves(
    "the number of training games after which the hounds win every evaluation game",
    COUNT,
    lambda cell: or_all(cell, always_from(cell, 1.0)),
)(AGAINST_SIMPLE)
GAMES_OF_RISE = of_curves(
    f"the number of training games from the first score of {FEW:.0%} or more to the first score of 100%",
    COUNT,
    lambda cell: np.subtract(or_all(cell, first_reach(cell, 1.0)), or_all(cell, first_reach(cell, FEW))),
)(AGAINST_SIMPLE)


def most_curves(words: str, setting: Setting, holds: Callable[[CellResult], Iterable[bool]], subject: str = "") -> Rule:
    """Return a rule that tests whether the learning curves of most training runs of a setting have a property."""
    return in_most(words, lambda evidence: [*holds(evidence.cell(setting))], subject)


def most_stay_high(setting: Setting) -> Rule:
    """Return a rule that tests whether most training runs keep a score above HIGH in the last quarter.

    More than the share STEADY of their points must lie above HIGH.
    """
    words = f"more than {STEADY:.0%} of the scores in the last quarter of the learning curve lie above {HIGH:.0%}"
    return most_curves(
        words, setting, lambda cell: (last_quarter(cell.scores) > HIGH).mean(axis=1) > STEADY, setting.words
    )


def most_score_more(one: Setting, other: Setting) -> Rule:
    """Return a rule that tests whether most training runs of `one` score more than those of `other`.

    Each is compared with the training run that has the same seed.
    """

    def holds(evidence: Evidence) -> Sequence[bool]:
        return [bool(each) for each in np.greater(level(one).values(evidence), level(other).values(evidence))]

    return in_most(
        "the mean score in the last quarter of the learning curve is higher",
        holds,
        f"{one.words}, compared with {other.words}",
    )


def rise(alpha: float) -> Figure:
    """Return the rise of the score in the last quarter from the smallest gamma to the largest."""
    low, _, high = (level(rates(alpha, gamma)) for gamma in TRIED)
    return combination(((1.0, high), (-1.0, low)), "the gain in score from gamma 0.1 to gamma 0.9", f"alpha {alpha}")


def bend(alpha: float) -> Figure:
    """Return the rise of the score from gamma 0.5 to 0.9, minus twice the rise from 0.1 to 0.5."""
    words = (
        f"with alpha {alpha:g}, the gain in score from gamma 0.5 to gamma 0.9, minus twice the gain from gamma 0.1 to "
        "gamma 0.5,"
    )
    low, middle, high = (level(rates(alpha, gamma)) for gamma in TRIED)
    return combination(((1.0, high), (-3.0, middle), (2.0, low)), words)


def mean_of_all_points(alpha: float) -> Figure:
    """Return the mean score over all points of the three curves with this alpha."""
    return Figure(
        f"the mean score over the whole learning curves of the three combinations with alpha {alpha:g}",
        SHARE,
        lambda evidence: np.mean([evidence.cell(rates(alpha, gamma)).scores.mean(axis=1) for gamma in TRIED], axis=0),
    )


def _first_scores(cell: CellResult) -> Values:
    """Return the mean score over the first part of the points, for each training run."""
    count = max(int(cell.scores.shape[1] * FIRST_PART), 1)
    return np.asarray(cell.scores[:, :count].mean(axis=1))


first_score = of_curves("the mean score in the first twelfth of the learning curve", SHARE, _first_scores)


def _first_difference(evidence: Evidence) -> Values:
    """Return the difference between the best and the worst of the nine mean scores in the first part of the points."""
    means = np.array([_first_scores(evidence.cell(each)) for each in NINE])
    return np.asarray(means.max(axis=0) - means.min(axis=0))


FIRST_DIFFERENCE = Figure(
    "the difference between the best and the worst of the nine mean scores in the first twelfth of the learning curves",
    STEPS,
    _first_difference,
)


# Figures of followed values.


def followed(number: int) -> Figure:
    """Return the mean value of an example move over the last quarter of the points, as recorded during training."""
    subject = ("the winning move", "the good move", "the bad move")[number]
    values = of_curves(
        f"the mean learned value of {subject} in the last quarter of training",
        NUMBER,
        lambda cell: last_quarter(cell.followed[:, :, number]).mean(axis=1),
    )
    return values(Setting(FOLLOWED.experiment))


def last_moves(cell: CellResult) -> Values:
    """Return the largest change of a recorded value from the third quarter of the points to the last quarter."""
    quarter = max(cell.followed.shape[1] // 4, 1)
    late, early = cell.followed[:, -quarter:].mean(axis=1), cell.followed[:, -2 * quarter : -quarter].mean(axis=1)
    return np.asarray(np.abs(late - early).max(axis=1))


LAST_MOVES = of_curves(
    "the largest change of any of the three followed values from the third quarter of training to the last quarter",
    NUMBER,
    last_moves,
)(Setting(FOLLOWED.experiment))

# Figures of tables, compared with the solution.


@functools.cache
def truth() -> Truth:
    """Return the solved game, with exact values for each side against each fixed opponent."""
    return Truth(game(plan.GAME), OPPONENTS)


def table_of(training: Training) -> Table:
    """Return the table of a training run."""
    return load_table(training.run.weights, training.rules).table


@kept
def judgement(evidence: Evidence, training: Training) -> Judgement:
    """Compare the table of a training run of one side with the solution."""
    settings = training.configuration
    return truth().judge(table_of(training), int(settings.side), settings.opponent, float(settings.learner.gamma))


@kept
def judgement_of_side(evidence: Evidence, training: Training, side: int) -> Judgement:
    """Compare the learned values of one side with the solution, after both sides learned in a training run."""
    return truth().judge(table_of(training), side, "random", plan.GAMMA)


@kept
def meeting(evidence: Evidence, training: Training) -> float:
    """Return the share of games that the hounds win against the hare that learned in the same training run."""
    return truth().meeting(dict.fromkeys((0, 1), table_of(training)))


MEASURES: dict[str, tuple[Unit, Callable[[Judgement], float]]] = {
    "all": (SHARE, lambda each: each.sets[ALL].perfect_share),
    "reachable": (SHARE, lambda each: each.sets[REACHABLE].perfect_share),
    "met": (SHARE, lambda each: each.sets[MET].perfect_share),
    "kept": (SHARE, lambda each: each.sets[REACHABLE].kept),
    "regret": (NUMBER, lambda each: each.sets[REACHABLE].mean_regret),
    "error": (NUMBER, lambda each: each.error),
    "random": (SHARE, lambda each: each.scores["random"]),
    "simple": (SHARE, lambda each: each.scores["simple"]),
    "perfect": (SHARE, lambda each: each.scores["perfect"]),
}
"""Measures of tables: the shares of perfect moves in three sets of positions, the share of won positions that are kept,
the regret of a move, the error of the values, and the shares of games won against each opponent"""


def judged(measure: str, setting: Setting = BEST, words: str = "", side: int | None = None) -> Figure:
    """Return a measure of how well the learned tables of a setting agree with the solution.

    `side` selects one side if both have learned.
    """
    unit, of = MEASURES[measure]

    def value(evidence: Evidence, training: Training) -> float:
        return of(judgement(evidence, training) if side is None else judgement_of_side(evidence, training, side))

    return of_each(words, unit, setting, value, subject="")


positions_met = of_curves(
    "the share of the reachable positions that the hounds have visited",
    SHARE,
    lambda cell: [(curve[-1].states or 0) / truth().decisions for curve in cell.curves],
)
POSITIONS_MET = positions_met(rates(0.1, 0.9))
PERFECT_MOVES = judged("reachable", words="the share of perfect moves in reachable positions")


def _met_by_random_play(evidence: Evidence) -> Interval:
    met = truth().measure(0, truth().probabilities_of(0, "random"))[MET].positions
    return certain(met / truth().decisions)


MET_BY_RANDOM_PLAY = Figure(
    "the share of the reachable positions that random play visits with positive probability", SHARE, _met_by_random_play
)
