"""The statistics of the report on Kalah, which its page shows and by which its rules judge claims."""

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
from petteia.reports.engine.figures import Figure, Values, average, change, combination, difference
from petteia.reports.engine.matches import score_of
from petteia.reports.engine.measures import Part, of_match
from petteia.reports.engine.settings import Match, Setting
from petteia.reports.mancala import plan
from petteia.reports.mancala.plan import BASIC, LOOKING, MARKS, OPPONENTS, OWN, PAIRS, SEAT_WORDS, SEATS, THETA
from petteia.reports.mancala.published import SWINGING
from petteia.reports.mancala.weight_measures import apart

EXTREME = 0.02
"""A score of at most this value, or of at least 1 minus this value, counts as all or nothing."""
SWING = 0.1
"""A weight swings if it varies by more than this."""
LAST_SHARE = 10
"""Swings are measured over the last tenth of the games: R's last 50,000 of 500,000."""

# Matches.


def baseline(evidence: Evidence, first: str, second: str) -> Cell:
    """Return the result of the match of two players that do not learn."""
    texts = plan.text_of(first), plan.text_of(second)
    return next(cell for cell in evidence.tournaments[plan.BASELINES].cells if (cell.row, cell.column) == texts)


def met(first: str, second: str) -> Figure:
    """Return the score of `first` against `second` if `first` begins every game from the start position."""
    match = plan.table(first, second)
    if plan.learns(first, second):
        return of_match(match)
    return Figure("the score", SHARE, lambda evidence: score_of(baseline(evidence, first, second)), match.words)


def second_met(first: str, second: str) -> Figure:
    """Return the score of `second` in the games that `first` begins, if at least one of them has learned."""
    match = replace(plan.table(first, second).turned, words=f"{second} against {first}")
    return of_match(match, words="the score as second player")


def seat_scores(one: str, other: str) -> tuple[Figure, Figure]:
    """Return two scores of `one` against `other`: as first player, and as second player."""
    if plan.learns(one, other):
        return met(one, other), second_met(other, one)

    def turned(evidence: Evidence) -> Interval:
        return score_of(baseline(evidence, other, one).turned)

    return met(one, other), Figure("the score as second player", SHARE, turned, f"{one} against {other}")


def mean_of_seats(one: str, other: str) -> Figure:
    """Return the mean score of `one` against `other` over both seats."""
    mean = average if plan.learns(one, other) else mean_of
    return mean("the mean score over both seats", seat_scores(one, other))


def authored(theta: str, other: str, seat: int) -> Figure:
    """Return the score of theta in a seat with the weights that the original report prints."""
    match = plan.authored(theta, other) if seat == 0 else plan.authored(other, theta).turned
    return of_match(replace(match, words=f"{theta} against {other}"), words=f"the score {SEAT_WORDS[seat]} player")


def drawing(first: str, second: str) -> Figure:
    """Return how much the score of theta changes, in points, if it uses its last weights instead of drawn weights."""
    drawn, last = (of_match(plan.of_vectors(first, second, weights)) for weights in ("drawn", "last"))
    unit = replace(SHARE, form=".1f", name=" points", times=100.0)
    return Figure("", unit, lambda evidence: np.abs(np.subtract(drawn.values(evidence), last.values(evidence))))


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


def falls(evidence: Evidence) -> Values:
    """Return, for each training run, the largest drop in score that one more ply of search causes.

    Theta is the first player. The drop is the largest one over all depths and opponents.
    """
    table = np.array([[met(name, other).values(evidence) for other in OPPONENTS] for name in THETA])
    return np.asarray(-np.diff(table, axis=0).min(axis=(0, 1)))


AS_FIRST = {
    name: average(f"the mean score of {name} as first player", [met(name, other) for other in OPPONENTS])
    for name in THETA
}
LARGEST_FALL = Figure(
    "the largest decrease in the score of theta, as first player, caused by one more ply of search,", POINTS, falls
)
GAIN_OF_DEPTH = change(AS_FIRST["theta5"], AS_FIRST["theta1"])
AGAINST_GREEDY5 = met("theta5", "greedy5"), second_met("greedy5", "theta5")
EDGE = mean_of(
    "the mean score of the first player over all pairs of players other than random", [met(*pair) for pair in PAIRS]
)
EDGE_OF_SIX = mean_of(
    "the mean score of the first player with six stones in each pit",
    [of_match(plan.six_stones(*pair)) for pair in PAIRS],
)
KNOWING_ENDS = mean_of(
    "the mean score, over all depths, of greedy that recognises won and lost games against greedy that does not",
    [of_match(plan.ends_known(depth)) for depth in plan.DEPTHS],
)

# Theta1 against greedy1 while it learns.


def wins(setting: Setting, seat: int, mark: int = plan.LAST, subject: str = "") -> Figure:
    """Return the share of games that theta1 wins against greedy1 in a seat, with the weights of a checkpoint.

    `mark` is the number of the checkpoint.
    """
    match = plan.progress(setting, seat, mark, subject)
    return of_match(match, "won", f"the share of games won {SEAT_WORDS[seat]} player against greedy1")


def points(setting: Setting, seat: int, mark: int = plan.LAST, subject: str = "") -> Figure:
    """Return the score of theta1 against greedy1 in a seat, with the weights of a checkpoint.

    `mark` is the number of the checkpoint.
    """
    match = plan.progress(setting, seat, mark, subject)
    return of_match(match, words=f"the score {SEAT_WORDS[seat]} player against greedy1")


def gain_of_training(seat: int) -> Figure:
    """Return how much theta1's score against greedy1 in a seat rises from the first checkpoint to the end."""
    return change(
        points(OWN, seat), points(OWN, seat, 0), f"the gain in score {SEAT_WORDS[seat]} player during training"
    )


def both_seats(words: str, setting: Setting, mark: int = plan.LAST) -> Figure:
    """Return the mean score of theta1 against greedy1 over both seats."""
    figures = [points(setting, seat, mark) for seat in SEATS]
    return average(f"the mean score over both seats {words} against greedy1", figures)


CHANGE_WITH_TRACES, CHANGE_WITHOUT_TRACES = (
    change(
        both_seats("after the last stage", setting),
        both_seats("after the second stage", setting, plan.EARLY),
        f"the change of the score against greedy1 from the second stage of training to the last, {words},",
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
SAME_OPPONENT_WINS = wins(plan.SAME_OPPONENT, 1, subject="the learner of both sides with the same opponent")
AFTER_SHORTEST = over(
    "the mean score over both seats against random, after the first stage of training,",
    [plan.against_random(seat) for seat in SEATS],
)

# Weights.


def of_weights(words: str, measure: Callable[[Floats], Floats], unit: Unit = TIMES) -> Figure:
    """Return a `Figure` with the result of `measure` for the final weights of learning by own plies."""
    return replace(measures.of_weights(words, unit, OWN, measure), subject="")


def traces_apart(evidence: Evidence) -> Values:
    """Return the distance between the weights with traces and the weights without traces, for each seed."""
    return np.asarray(apart(evidence.weights(plan.WITH_TRACES), evidence.weights(plan.WITHOUT_TRACES)))


def seeds_apart(evidence: Evidence) -> Values:
    """Return the distance between the weights of each seed and those of the next seed, without traces."""
    weights = evidence.weights(plan.WITHOUT_TRACES)
    return np.asarray(apart(np.roll(weights, 1, axis=0), weights))


def beyond_chance(evidence: Evidence) -> Values:
    """Return `traces_apart` divided by `seeds_apart`. The ratio is 0 if there is only one seed."""
    chance = np.asarray(seeds_apart(evidence))
    return np.asarray(np.divide(traces_apart(evidence), chance, out=np.zeros(len(chance)), where=chance > 0.0))


def weight_names(evidence: Evidence) -> tuple[str, ...]:
    """Return the names of the weights."""
    return names(feature_set_for(evidence.rules, "report"), evidence.rules)


def swinging(evidence: Evidence) -> dict[str, int]:
    """Return, for each weight, the number of training runs in which it still varies by more than SWING at the end."""
    learned = [evidence.learned(each) for each in evidence.trainings(OWN)]
    still = np.array([swings(each, each.games // LAST_SHARE) > SWING for each in learned]).sum(axis=0)
    return dict(zip(weight_names(evidence), still.tolist(), strict=True))


def largest_swing(words: str, setting: Setting) -> Figure:
    """Return, for each training run, the largest range of a weight over the last tenth of the games."""

    def of(evidence: Evidence) -> Values:
        learned = [evidence.learned(each) for each in evidence.trainings(setting)]
        return [float(swings(each, each.games // LAST_SHARE).max()) for each in learned]

    return Figure(f"the largest swing of a weight {words}, over the last tenth of the games,", NUMBER, of)


def swinging_counts(evidence: Evidence) -> tuple[int, int, int, int]:
    """Return how many weights still change much at the end of most training runs, in two groups.

    The groups are the weights in the original report's list, and the others. Each count is followed by the size of its
    group.
    """
    still = {name: 2 * count > evidence.seeds for name, count in swinging(evidence).items()}
    named, others = ([still[name] for name in still if (name in SWINGING) is listed] for listed in (True, False))
    return sum(named), len(named), sum(others), len(others)


TRACES_APART = Figure("the distance between the weights with lambda 0.15 and with lambda 0", TIMES, traces_apart)
SEEDS_APART = Figure("the distance between the weights of two seeds with lambda 0", TIMES, seeds_apart)
"""These distances are divided by the norm of the weight vector."""
BEYOND_CHANCE = Figure(f"{TRACES_APART.words}, divided by {SEEDS_APART.words},", TIMES, beyond_chance)
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
    """Return the mean score of theta1 after one training stage, against itself after the other stages."""
    others = [other for other in MARKS if other != number]
    matches = [plan.stage(number, other) if seat == 0 else plan.stage(other, number).turned for other in others]
    return over(
        f"the mean score of theta1 {SEAT_WORDS[seat]} player against its other stages of training",
        matches,
        f"stage {number + 1} of 5",
    )


def lead_of_stage(one: int, other: int, seat: int) -> Figure:
    """Return how much more theta1 scores after one training stage than after another, against the other stages."""
    return change(of_stage(one, seat), of_stage(other, seat))


def extremes(matches: Sequence[Match]) -> Callable[[Evidence], Values]:
    """Return a function that gives, for each training run, the share of matches that are almost all won or all lost."""

    def of(evidence: Evidence) -> Values:
        scores = np.array([of_match(each).values(evidence) for each in matches])
        return np.asarray(((scores <= EXTREME) | (scores >= 1.0 - EXTREME)).mean(axis=0))

    return of


def different(matches: Sequence[Match]) -> Figure:
    """Return the share of games in these matches that are distinct, for each training run."""

    def of(evidence: Evidence) -> Values:
        cells = [evidence.cells(each) for each in matches]
        return [float(np.mean([cell.distinct / cell.games for cell in each])) for each in zip(*cells, strict=True)]

    return Figure("", SHARE, of)


def winning_as_second(evidence: Evidence) -> list[list[str]]:
    """Return, for each training run, the theta players that beat the heuristic as second player."""
    scores = {name: second_met("heuristic", name).values(evidence) for name in THETA}
    return [[name for name in THETA if scores[name][i] > 0.5] for i in range(len(scores["theta1"]))]


def chain_score(setting: Setting, opponent: str, seats: Sequence[int] = SEATS) -> Figure:
    """Return the mean score of theta1 over these seats, against a player that does not learn."""
    where = "over both seats" if len(seats) > 1 else f"{SEAT_WORDS[seats[0]]} player"
    words = f"the mean score {where} of a learner {setting.words.partition(':')[0]}"
    return over(words, [plan.taught(setting, opponent, seat) for seat in seats], f"against {opponent}")


BY_CHAINS, BY_CHAINS_BOTH, BY_PLIES = (
    {name: chain_score(setting, name) for name in BASIC}
    for setting in (plan.BY_CHAINS, plan.BY_CHAINS_BOTH, plan.BY_PLIES)
)
MEAN_BY_CHAINS, MEAN_BY_CHAINS_BOTH, MEAN_BY_PLIES = (
    average(f"the mean score of a learner {words}", [scores[name] for name in OPPONENTS])
    for words, scores in (
        ("by whole turns with one block and the lower side only", BY_CHAINS),
        ("by whole turns with two blocks and both sides", BY_CHAINS_BOTH),
        ("by plies with two blocks and both sides", BY_PLIES),
    )
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
    "the share of cells of the table of stages with a score of at most 2 % or at least 98 %",
    SHARE,
    extremes(STAGE_MATCHES),
)
EXTREME_AS_SECOND = Figure("", SHARE, extremes(AGAINST_HEURISTIC))
DIFFERENT_AS_SECOND, DIFFERENT_OF_STAGES, DIFFERENT_OF_LAMBDA = (
    different(matches)
    for matches in (AGAINST_HEURISTIC, STAGE_MATCHES, [plan.of_lambda(depth, 0) for depth in LOOKING])
)
EARLY_AS_SECOND = lead_of_stage(plan.EARLY, plan.LATER, 1)
"""The lead as second of the player after 100,000 games over the player after 200,000 games."""
AGAINST_TRACES = over(
    "the mean score of the player with lambda 0 as first player, over all search depths,",
    [plan.of_lambda(depth, 0) for depth in LOOKING],
)
