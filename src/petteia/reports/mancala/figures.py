"""The figures of the report, that claims are judged by, and pages show."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import permutations

import numpy as np

from petteia.analysis.settling import swings
from petteia.arena.statistics import Interval
from petteia.core.arrays import Floats
from petteia.experiments.tournament.matches import Cell
from petteia.features.feature_set import names
from petteia.features.feature_sets import feature_set_for
from petteia.reports.engine import measures
from petteia.reports.engine.estimates import NUMBER, POINTS, SHARE, TIMES, Unit
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.figures import Figure, Values, average, change, combination
from petteia.reports.engine.matches import score_of
from petteia.reports.engine.measures import Part, of_match
from petteia.reports.engine.settings import Match, Setting
from petteia.reports.mancala import plan
from petteia.reports.mancala.plan import BASIC, LOOKING, MARKS, OPPONENTS, OWN, PAIRS, SEAT_WORDS, SEATS, THETA
from petteia.reports.mancala.published import SWINGING
from petteia.reports.mancala.weight_measures import apart

EXTREME = 0.02
"""who scores less, or so little less than all, has lost or won all or nothing"""
SWING = 0.1
LAST_SHARE = 10
"""weights are asked whether they still swing over one part in so many of the games: R's last 50,000 of 500,000"""

# Matches.


def baseline(evidence: Evidence, first: str, second: str) -> Cell:
    """What came of two players that do not learn."""
    texts = plan.text_of(first), plan.text_of(second)
    return next(cell for cell in evidence.tournaments[plan.BASELINES].cells if (cell.row, cell.column) == texts)


def met(first: str, second: str) -> Figure:
    """The score of the first against the second: fixed seats, no opening."""
    match = plan.table(first, second)
    if plan.learns(first, second):
        return of_match(match)
    return Figure("the score", SHARE, lambda evidence: score_of(baseline(evidence, first, second)), match.words)


def second_met(first: str, second: str) -> Figure:
    """The score of the second in the same match; one of them has learned."""
    match = replace(plan.table(first, second).turned, words=f"{second} against {first}")
    return of_match(match, words="the score as second")


def seat_scores(one: str, other: str) -> tuple[Figure, Figure]:
    """The scores of the first-named as first and as second."""
    if plan.learns(one, other):
        return met(one, other), second_met(other, one)

    def turned(evidence: Evidence) -> Interval:
        return score_of(baseline(evidence, other, one).turned)

    return met(one, other), Figure("the score as second", SHARE, turned, f"{one} against {other}")


def authored(theta: str, other: str, seat: int) -> Figure:
    """The score, in this seat, of theta with the weights that the report prints."""
    match = plan.authored(theta, other) if seat == 0 else plan.authored(other, theta).turned
    return of_match(replace(match, words=f"{theta} against {other}"), words=f"the score {SEAT_WORDS[seat]}")


def drawing(first: str, second: str) -> Figure:
    """How far the score of theta that draws vectors is from that by the last one, of each training."""
    drawn, last = (of_match(plan.of_vectors(first, second, weights)) for weights in ("drawn", "last"))
    unit = replace(SHARE, form=".1f", name=" points", times=100.0)
    return Figure("", unit, lambda evidence: np.abs(np.subtract(drawn.values(evidence), last.values(evidence))))


def balanced(one: str, other: str) -> Figure:
    """The score from random openings, both sides."""
    return of_match(plan.opened(one, other), words="the score from random openings, both sides")


def mean_of(words: str, figures: Sequence[Figure]) -> Figure:
    """The mean score of independent matches of players that do not learn."""
    return replace(combination([(1.0 / len(figures), each) for each in figures], words), unit=SHARE)


def over(words: str, matches: Sequence[Match], subject: str = "", part: Part = "score") -> Figure:
    """The mean score of a player over several matches, or a share of the games, of each training."""
    scores = [of_match(each, part) for each in matches]
    return Figure(words, SHARE, lambda evidence: np.mean([each.values(evidence) for each in scores], axis=0), subject)


def falls(evidence: Evidence) -> Values:
    """The most that theta of each training scores less as first, with a ply more, against somebody."""
    table = np.array([[met(name, other).values(evidence) for other in OPPONENTS] for name in THETA])
    return np.asarray(-np.diff(table, axis=0).min(axis=(0, 1)))


AS_FIRST = {
    name: average(f"the mean score of {name} as first", [met(name, other) for other in OPPONENTS]) for name in THETA
}
LARGEST_FALL = Figure("the most that a ply more takes from theta as first, against somebody,", POINTS, falls)
GAIN_OF_DEPTH = change(AS_FIRST["theta5"], AS_FIRST["theta1"])
AGAINST_GREEDY5 = met("theta5", "greedy5"), second_met("greedy5", "theta5")
EDGE = mean_of("the score of who begins, in the mean of all pairs", [met(*pair) for pair in PAIRS])
EDGE_OF_SIX = mean_of(
    "the score of who begins, with six stones a pit", [of_match(plan.six_stones(*pair)) for pair in PAIRS]
)
KNOWING_ENDS = mean_of(
    "the score of greedy that recognises won and lost ends against greedy that does not, in the mean of all depths,",
    [of_match(plan.ends_known(depth)) for depth in plan.DEPTHS],
)

# Theta1 against greedy1 while it learns.


def wins(setting: Setting, seat: int, mark: int = plan.LAST, subject: str = "") -> Figure:
    """The share of games that theta1 wins against greedy1 in this seat, at the mark of this number."""
    match = plan.progress(setting, seat, mark, subject)
    return of_match(match, "won", f"the share of games won {SEAT_WORDS[seat]} against greedy1")


def points(setting: Setting, seat: int, mark: int = plan.LAST, subject: str = "") -> Figure:
    """The score of theta1 against greedy1 in this seat, at the mark of this number."""
    match = plan.progress(setting, seat, mark, subject)
    return of_match(match, words=f"the score {SEAT_WORDS[seat]} against greedy1")


def gain_of_training(seat: int) -> Figure:
    """How much more theta1 scores at the end than at the first mark."""
    return change(points(OWN, seat), points(OWN, seat, 0), f"what training gains {SEAT_WORDS[seat]}")


def both_seats(words: str, setting: Setting, mark: int = plan.LAST) -> Figure:
    """The mean score of both seats."""
    figures = [points(setting, seat, mark) for seat in SEATS]
    return average(f"the score {words} against greedy1, both seats", figures)


CHANGE_WITH_TRACES = change(
    both_seats("at the end", plan.WITH_TRACES), both_seats("at the second mark", plan.WITH_TRACES, plan.EARLY)
)


def part_of_curve(words: str, low: float, high: float) -> Figure:
    """The mean score, in both seats, over a part of the games of the first reading."""

    def values(evidence: Evidence) -> Values:
        curves = [evidence.cell(replace(OWN, seat=seat)) for seat in SEATS]
        share = np.array(curves[0].games) / curves[0].games[-1]
        chosen = (share > low) & (share <= high)
        return np.asarray(np.mean([curve.scores[:, chosen].mean(axis=1) for curve in curves], axis=0))

    return Figure(words, SHARE, values)


ALWAYS_LOWER_WINS = wins(plan.ALWAYS_LOWER, 1, subject="always lower")
SAME_OPPONENT_WINS = wins(plan.SAME_OPPONENT, 1, subject="both sides, the same opponent")
AFTER_SHORTEST = over(
    "the score against random at the first mark, both seats,", [plan.against_random(seat) for seat in SEATS]
)

# Weights.


def of_weights(words: str, measure: Callable[[Floats], Floats], unit: Unit = TIMES) -> Figure:
    """A measure of the weights of the first reading."""
    return replace(measures.of_weights(words, unit, OWN, measure), subject="")


def traces_apart(evidence: Evidence) -> Values:
    """How far the weights with traces are from those without, of the same seeds."""
    return np.asarray(apart(evidence.weights(plan.WITH_TRACES), evidence.weights(plan.WITHOUT_TRACES)))


def weight_names(evidence: Evidence) -> tuple[str, ...]:
    """What the weights are called."""
    return names(feature_set_for(evidence.rules, "report"), evidence.rules)


def swinging(evidence: Evidence) -> dict[str, int]:
    """Of each weight, in how many trainings it still swings at the end."""
    learned = [evidence.learned(each) for each in evidence.trainings(OWN)]
    still = np.array([swings(each, each.games // LAST_SHARE) > SWING for each in learned]).sum(axis=0)
    return dict(zip(weight_names(evidence), still.tolist(), strict=True))


def largest_swing(words: str, setting: Setting) -> Figure:
    """How far the weight swings that swings most over the last games of a training."""

    def of(evidence: Evidence) -> Values:
        learned = [evidence.learned(each) for each in evidence.trainings(setting)]
        return [float(swings(each, each.games // LAST_SHARE).max()) for each in learned]

    return Figure(f"the largest swing of a weight {words}, over the last tenth of the games,", NUMBER, of)


def swinging_counts(evidence: Evidence) -> tuple[int, int, int, int]:
    """Of the weights that R lists, and of the others: how many swing in most trainings, and how many there are."""
    still = {name: 2 * count > evidence.seeds for name, count in swinging(evidence).items()}
    named, others = ([still[name] for name in still if (name in SWINGING) is listed] for listed in (True, False))
    return sum(named), len(named), sum(others), len(others)


TRACES_APART = Figure(
    "the distance of the weights with lambda 0.15 from those with 0, in units of their length", TIMES, traces_apart
)
SEEDS_APART = of_weights(
    "how far two seeds are apart with lambda 0, in units of the length of one",
    lambda weights: apart(weights, np.roll(weights, 1, axis=0)),
)
SWING_WITH, SWING_WITHOUT, CHAIN_SWING = (
    largest_swing(words, setting)
    for words, setting in (
        ("with lambda 0.15", plan.WITH_TRACES),
        ("with lambda 0", OWN),
        ("learned by whole turns", plan.BY_CHAINS),
    )
)

# Stages, traces, chains.


def of_stage(number: int, seat: int) -> Figure:
    """The mean score of a stage against the others."""
    others = [other for other in MARKS if other != number]
    matches = [plan.stage(number, other) if seat == 0 else plan.stage(other, number).turned for other in others]
    return over(f"the mean score {SEAT_WORDS[seat]} against the other stages", matches, f"stage {number + 1} of 5")


def extreme_cells(evidence: Evidence) -> Values:
    """The share of the results of the stages of each training that are all or nothing."""
    scores = np.array([of_match(plan.stage(*pair)).values(evidence) for pair in permutations(MARKS, 2)])
    return np.asarray(((scores <= EXTREME) | (scores >= 1.0 - EXTREME)).mean(axis=0))


def chain_score(setting: Setting, opponent: str, seats: Sequence[int] = SEATS) -> Figure:
    """The score of theta1 against one who does not learn, the mean of these seats."""
    where = "both seats" if len(seats) > 1 else SEAT_WORDS[seats[0]]
    words = f"the score {setting.words.partition(':')[0]}, {where}"
    return over(words, [plan.taught(setting, opponent, seat) for seat in seats], f"against {opponent}")


BY_CHAINS, BY_PLIES = (
    {name: chain_score(setting, name) for name in BASIC} for setting in (plan.BY_CHAINS, plan.BY_PLIES)
)
EXTREME_CELLS = Figure("the share of cells below 2 % or above 98 %", SHARE, extreme_cells)
AGAINST_TRACES = over(
    "the score of lambda 0 as first, over all depths,", [plan.of_lambda(depth, 0) for depth in LOOKING]
)
