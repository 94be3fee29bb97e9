"""The statistics of the report on Kalah, which its page shows and by which its rules judge claims."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise, permutations, product

import numpy as np

from petteia.analysis.settling import swings
from petteia.core.arrays import Floats
from petteia.experiments.tournament.matches import Cell
from petteia.features.feature_set import names
from petteia.features.feature_sets import feature_set_for
from petteia.reports.engine import measures
from petteia.reports.engine.estimates import NUMBER, SHARE, TIMES, Unit
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.figures import Figure, Values, average, change, combination, difference
from petteia.reports.engine.matches import score_of, turned
from petteia.reports.engine.measures import Part, of_match
from petteia.reports.engine.settings import Match, Setting
from petteia.reports.mancala import plan, weight_measures
from petteia.reports.mancala.plan import LOOKING, MARKS, OPPONENTS, OWN, SEAT_WORDS, SEATS, THETA
from petteia.reports.mancala.published import SWINGING

EXTREME = 0.02
"""A score of at most this value, or of at least 1 minus this value, counts as all or nothing."""
SWING = 0.1
"""A weight swings if it varies by more than this."""
LAST_SHARE = 10
"""Swings are measured over the last tenth of the games: in the original, the last 50,000 of 500,000."""

# Matches.


def baseline(evidence: Evidence, first: str, second: str) -> Cell:
    """Return the result of the match of two players that do not learn."""
    texts = plan.text_of(first), plan.text_of(second)
    return next(cell for cell in evidence.tournaments[plan.BASELINES].cells if (cell.row, cell.column) == texts)


def met(first: str, second: str) -> Figure:
    """Return the score of `first` against `second` if `first` begins every game from the start position."""
    return seat_scores(first, second)[0]


def second_met(first: str, second: str) -> Figure:
    """Return the score of `second` in the games that `first` begins."""
    return seat_scores(second, first)[1]


def seat_scores(one: str, other: str) -> tuple[Figure, Figure]:
    """Return two scores of `one` against `other`: as first player, and as second player."""
    words = f"{one} against {other}"

    def score(seat: int) -> Figure:
        name = f"the score {SEAT_WORDS[seat]} player"
        if plan.learns(one, other):
            match = plan.table(one, other) if seat == 0 else replace(plan.table(other, one).turned, words=words)
            return of_match(match, words=name)
        pair = (one, other) if seat == 0 else (other, one)
        return Figure(name, SHARE, lambda evidence: score_of(turned(baseline(evidence, *pair), seat)), words)

    return score(0), score(1)


def mean_of_seats(one: str, other: str) -> Figure:
    """Return the mean score of `one` against `other` over both seats."""
    mean = average if plan.learns(one, other) else mean_of
    return mean("the mean score over both seats", seat_scores(one, other))


def authored(theta: str, other: str, seat: int) -> Figure:
    """Return the score of theta in a seat with the weights that the original report prints."""
    match = plan.authored(theta, other) if seat == 0 else plan.authored(other, theta).turned
    return of_match(replace(match, words=f"{theta} against {other}"), words=f"the score {SEAT_WORDS[seat]} player")


def balanced(one: str, other: str) -> Figure:
    """Return the score of `one` against `other` over random openings, each played from both sides."""
    return of_match(plan.opened(one, other), words="the score from random openings, each played from both sides,")


def mean_of(words: str, figures: Sequence[Figure]) -> Figure:
    """Return the mean score over independent matches of players that do not learn."""
    return replace(combination([(1.0 / len(figures), each) for each in figures], words), unit=SHARE)


def over(words: str, matches: Sequence[Match], subject: str = "", part: Part = "score") -> Figure:
    """Return the mean score of a player, or its share of games, over several matches, for each training run."""
    scores = [of_match(each, part) for each in matches]
    return Figure(words, SHARE, lambda evidence: np.mean([each.values(evidence) for each in scores], axis=0), subject)


def has_clear_fall(evidence: Evidence) -> list[bool]:
    """Return, for each training run, whether theta as first player scores clearly less with one more ply of search.

    A fall is clear if the intervals of both scores against the same opponent do not overlap.
    """
    return [
        any(deeper.high < shallower.low for cells in of_run for shallower, deeper in pairwise(cells))
        for of_run in zip(
            *(zip(*(evidence.cells(plan.table(name, other)) for name in THETA), strict=True) for other in OPPONENTS),
            strict=True,
        )
    ]


def as_first(name: str) -> Figure:
    """Return the mean score of a theta player as first player."""
    return average(f"the mean score of {name} as first player", [met(name, other) for other in OPPONENTS])


AGAINST_GREEDY5 = seat_scores("theta5", "greedy5")
EDGE, EDGE_OF_SIX = (
    mean_of(f"the mean score of the first player{words} over all pairs of players other than random", scores)
    for words, scores in (
        ("", [met(*pair) for pair in product(OPPONENTS, repeat=2)]),
        (" with six stones in each pit", [of_match(plan.six_stones(*pair)) for pair in product(OPPONENTS, repeat=2)]),
    )
)
KNOWING_ENDS = mean_of(
    "the mean score, from random openings and over all depths, of greedy that recognises won and lost games against "
    "greedy that does not",
    [of_match(plan.ends_known(depth)) for depth in plan.DEPTHS],
)

# Theta1 against greedy1 while it learns. `mark` is the number of the checkpoint whose weights it has.


def wins(setting: Setting, seat: int, mark: int = plan.LAST, subject: str = "") -> Figure:
    """Return the share of games that theta1 wins against greedy1 in a seat, with the weights of a checkpoint."""
    match = plan.progress(setting, seat, mark, subject)
    return of_match(match, "won", f"the share of games won {SEAT_WORDS[seat]} player against greedy1")


def points(setting: Setting, seat: int, mark: int = plan.LAST, subject: str = "") -> Figure:
    """Return the score of theta1 against greedy1 in a seat, with the weights of a checkpoint."""
    match = plan.progress(setting, seat, mark, subject)
    return of_match(match, words=f"the score {SEAT_WORDS[seat]} player against greedy1")


def both_seats(words: str, setting: Setting, mark: int = plan.LAST) -> Figure:
    """Return the mean score of theta1 against greedy1 over both seats."""
    figures = [points(setting, seat, mark) for seat in SEATS]
    return average(f"the mean score over both seats {words} against greedy1", figures)


CHANGE_WITH_TRACES, CHANGE_WITHOUT_TRACES = (
    change(
        both_seats("", setting),
        both_seats("", setting, plan.EARLY),
        f"the score against greedy1 after the last stage minus the score after the second stage, {words},",
    )
    for setting, words in ((plan.WITH_TRACES, "with lambda 0.15"), (plan.WITHOUT_TRACES, "with lambda 0"))
)


def part_of_curve(words: str, low: float, high: float) -> Figure:
    """Return the mean score of both seats over a section of training, from the share `low` to `high` of the games."""

    def values(evidence: Evidence) -> Values:
        curves = [evidence.cell(replace(OWN, seat=seat)) for seat in SEATS]
        share = np.array(curves[0].games) / curves[0].games[-1]
        chosen = (share > low) & (share <= high)
        return np.asarray(np.mean([curve.scores[:, chosen].mean(axis=1) for curve in curves], axis=0))

    return Figure(words, SHARE, values)


ALWAYS_LOWER_WINS = wins(plan.ALWAYS_LOWER, 1, subject="the learner of the lower side only")
AFTER_SHORTEST = over(
    "the mean score over both seats against random, after the first stage of training,",
    [plan.against_random(seat) for seat in SEATS],
)

# Weights.


def of_weights(words: str, measure: Callable[[Floats], Floats], unit: Unit = TIMES) -> Figure:
    """Return a `Figure` with the result of `measure` for the final weights of learning by own plies."""
    return replace(measures.of_weights(words, unit, OWN, measure), subject="")


DOMINANCE = of_weights(
    "the smaller of the two weights of the difference of the stores, divided by the largest absolute value of the "
    "other weights,",
    weight_measures.dominance,
)


def beyond_chance(evidence: Evidence) -> Values:
    """Return the distance of weights with traces from those without, divided by that of two seeds without traces.

    The ratio is 0 if there is only one seed.
    """
    without = evidence.weights(plan.WITHOUT_TRACES)
    traces = weight_measures.apart(evidence.weights(plan.WITH_TRACES), without)
    chance = weight_measures.apart(np.roll(without, 1, axis=0), without)
    return np.asarray(np.divide(traces, chance, out=np.zeros(len(chance)), where=chance > 0.0))


def weight_names(evidence: Evidence) -> tuple[str, ...]:
    """Return the names of the weights."""
    return names(feature_set_for(evidence.rules, "report"), evidence.rules)


def _late_swings(evidence: Evidence, setting: Setting) -> Floats:
    """Return the range of each weight over the last tenth of the games, float64[trainings, weights]."""
    learned = [evidence.learned(each) for each in evidence.trainings(setting)]
    return np.array([swings(each, each.games // LAST_SHARE) for each in learned])


def swinging(evidence: Evidence) -> dict[str, int]:
    """Return, for each weight, the number of training runs in which it still varies by more than SWING at the end."""
    still = (_late_swings(evidence, OWN) > SWING).sum(axis=0)
    return dict(zip(weight_names(evidence), still.tolist(), strict=True))


def swinging_counts(evidence: Evidence) -> tuple[int, int, int, int]:
    """Return how many weights still change much at the end of most training runs, in two groups.

    The groups are the weights in the original report's list, and the others. Each count is followed by the size of its
    group.
    """
    still = {name: 2 * count > evidence.seeds for name, count in swinging(evidence).items()}
    named, others = ([still[name] for name in still if (name in SWINGING) is listed] for listed in (True, False))
    return sum(named), len(named), sum(others), len(others)


def largest_swing(words: str, setting: Setting) -> Figure:
    """Return, for each training run, the largest range of a weight over the last tenth of the games."""
    words = f"the largest swing of a weight {words}, over the last tenth of the games,"
    return Figure(words, NUMBER, lambda evidence: _late_swings(evidence, setting).max(axis=1))


BEYOND_CHANCE = Figure(
    "the distance between the weights with lambda 0.15 and with lambda 0, divided by the distance between the weights "
    "of two seeds with lambda 0,",
    *(TIMES, beyond_chance),
)
SWING_WITH, SWING_WITHOUT, CHAIN_SWING = (
    largest_swing("with lambda 0.15", plan.WITH_TRACES),
    largest_swing("with lambda 0", OWN),
    largest_swing("of a learner by whole turns", plan.BY_CHAINS),
)

# Stages, traces, chains.


def of_stage(number: int, seat: int) -> Figure:
    """Return the mean score of theta1 after one training stage, against itself after the other stages."""
    others = [other for other in MARKS if other != number]
    matches = [plan.stage(number, other) if seat == 0 else plan.stage(other, number).turned for other in others]
    return over(
        f"the mean score of theta1 {SEAT_WORDS[seat]} player against its other stages of training",
        matches,
        f"after stage {number + 1}",
    )


def lead_of_stage(one: int, other: int, seat: int) -> Figure:
    """Return how much more theta1 scores after one training stage than after another, against the other stages."""
    words = (
        f"the mean score of theta1 {SEAT_WORDS[seat]} player after stage {one + 1}, minus its mean score after stage "
        f"{other + 1}, against its other stages of training,"
    )
    return change(of_stage(one, seat), of_stage(other, seat), words)


def extremes(evidence: Evidence) -> Values:
    """Return, for each training run, the share of matches between stages that are almost all won or all lost."""
    scores = np.array([of_match(each).values(evidence) for each in STAGE_MATCHES])
    return np.asarray(((scores <= EXTREME) | (scores >= 1.0 - EXTREME)).mean(axis=0))


def different(matches: Sequence[Match]) -> Figure:
    """Return the share of games in these matches that are distinct, for each training run."""

    def of(evidence: Evidence) -> Values:
        cells = [evidence.cells(each) for each in matches]
        return [float(np.mean([cell.distinct / cell.games for cell in each])) for each in zip(*cells, strict=True)]

    return Figure("", SHARE, of)


def chain_score(setting: Setting, opponent: str, seats: Sequence[int] = SEATS) -> Figure:
    """Return the mean score of theta1 over these seats, against a player that does not learn."""
    words = f"the mean score over both seats of a learner {setting.words.partition(':')[0]}"
    return over(words, [plan.taught(setting, opponent, seat) for seat in seats], f"against {opponent}")


MEAN_BY_CHAINS, MEAN_BY_CHAINS_BOTH, MEAN_BY_PLIES = (
    average(f"the mean score of a learner {setting.words}", [chain_score(setting, name) for name in OPPONENTS])
    for setting in (plan.BY_CHAINS, plan.BY_CHAINS_BOTH, plan.BY_PLIES)
)
GAIN_BY_PLIES = difference(
    MEAN_BY_PLIES,
    MEAN_BY_CHAINS_BOTH,
    "the mean score of a learner by plies minus the mean score of a learner by whole turns, against the six players "
    "other than random,",
)
"""The difference of two recipes whose only difference is the length of an action."""
GAIN_OF_ONE_BLOCK = difference(MEAN_BY_CHAINS, MEAN_BY_CHAINS_BOTH)
STAGE_MATCHES = [plan.stage(*pair) for pair in permutations(MARKS, 2)]
AGAINST_HEURISTIC = [plan.table("heuristic", name) for name in THETA]
EXTREME_CELLS = Figure(
    "the share of cells of the table of stages with a score of at most 2 % or at least 98 %", SHARE, extremes
)
FROM_LAMBDA_0 = [plan.of_lambda(depth, 0) for depth in LOOKING]
DIFFERENT_AS_SECOND, DIFFERENT_OF_STAGES, DIFFERENT_OF_LAMBDA = (
    different(matches) for matches in (AGAINST_HEURISTIC, STAGE_MATCHES, FROM_LAMBDA_0)
)
EARLY_AS_SECOND = lead_of_stage(plan.EARLY, plan.LATER, 1)
"""The lead as second of the player after 100,000 games over the player after 200,000 games."""
LAMBDA_0_OVER_SEATS = [
    over(
        f"the mean score over both seats of the player with lambda 0 at depth {depth},",
        [plan.of_lambda(depth, seat) for seat in SEATS],
    )
    for depth in LOOKING
]
"""The score of lambda 0 against lambda 0.15 at each search depth."""
AGAINST_TRACES = over(
    "the mean score of the player with lambda 0 as first player, over all search depths,", FROM_LAMBDA_0
)
