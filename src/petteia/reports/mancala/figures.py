"""The statistics of the report on Kalah, for its page and for the verdicts on claims."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise, permutations, product

import numpy as np

from petteia.analysis.settling import swings
from petteia.core.arrays import Floats
from petteia.experiments.tournament.matches import Cell
from petteia.features.feature_set import names
from petteia.features.feature_sets import feature_set_for
from petteia.reports.engine.estimates import NUMBER, SHARE, TIMES, Unit, score_of
from petteia.reports.engine.evidence import Evidence, turned
from petteia.reports.engine.figures import (
    WORDS,
    Figure,
    Part,
    Values,
    average,
    change,
    combination,
    difference,
    of_match,
)
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

NAMES = {"random": "“random”", "heuristic": "the heuristic"}
"""The names of players in sentences, if they differ from the names in tables."""

# Matches.


def in_words(player: str) -> str:
    """Return the name of a player as it appears in sentences, such as `the heuristic`."""
    return NAMES.get(player, player)


def baseline(evidence: Evidence, first: str, second: str) -> Cell:
    """Return the result of the match between two players that do not learn."""
    texts = plan.text_of(first), plan.text_of(second)
    return next(cell for cell in evidence.tournaments[plan.BASELINES].cells if (cell.row, cell.column) == texts)


def score(one: str, other: str, seat: int = 0, table: Callable[[str, str], Match] = plan.table) -> Figure:
    """Return the score of a player against another one, as first player (seat 0) or as second player (seat 1).

    The games begin from the start position. The function `table` takes the names of two players and returns their
    match. If it is `plan.authored`, the learned player of the match has the published weights.
    """
    subject = f"{in_words(one)} {SEAT_WORDS[seat]} player against {in_words(other)}"
    pair = (one, other) if seat == 0 else (other, one)
    if not {one, other} & {*THETA}:
        return Figure("the score", SHARE, lambda evidence: score_of(turned(baseline(evidence, *pair), seat)), subject)
    match = table(*pair)
    return of_match(replace(match if seat == 0 else match.turned, words=subject))


def mean_of_seats(one: str, other: str) -> Figure:
    """Return a player's mean score as first and second player against another one, from the start position."""
    mean = average if {one, other} & {*THETA} else mean_of
    return mean("the mean score as first and second player", [score(one, other, seat) for seat in SEATS])


def balanced(one: str, other: str) -> Figure:
    """Return the score of a player against another one in games from random openings, each played from both sides."""
    return of_match(plan.opened(one, other))


def mean_of(words: str, figures: Sequence[Figure], subject: str = "") -> Figure:
    """Return the mean score over independent matches of players that do not learn."""
    return replace(combination([(1.0 / len(figures), each) for each in figures], words, subject), unit=SHARE)


def circles(evidence: Evidence, score: Callable[[str, str], Figure]) -> list[tuple[str, str, str]]:
    """Return all cycles of three players: each clearly beats the next one, and the third clearly beats the first.

    The function `score` returns the score of a player against another one. An example is `balanced`.
    """
    better = {pair for pair in permutations(plan.PLAYERS, 2) if score(*pair).interval(evidence).low > 0.5}
    return [
        (a, b, c)
        for a, b, c in permutations(plan.PLAYERS, 3)
        if a == min(a, b, c) and {(a, b), (b, c), (c, a)} <= better
    ]


def over(words: str, matches: Iterable[Match], subject: str = "") -> Figure:
    """Return a learned player's mean score over several matches, with a value for each training run."""
    scores = [of_match(each) for each in matches]
    return Figure(words, SHARE, lambda evidence: np.mean([each.values(evidence) for each in scores], axis=0), subject)


def lead(words: str, subject: str, one: Figure, other: Figure, contrast: Callable[..., Figure] = change) -> Figure:
    """Return the difference of two values, `one` minus `other`.

    `words` and `subject` describe the difference.

    If the two values come from the same training runs, `contrast` must be `change`, which subtracts them separately for
    each training run. Otherwise, `contrast` must be `difference`.
    """
    return replace(contrast(one, other, words), subject=subject)


def has_clear_fall(evidence: Evidence) -> list[bool]:
    """Return, for each training run, whether one more ply of search clearly lowers a score of the learned player.

    At least one score must become lower. Only games as first player are compared. A score is clearly lower if its
    confidence interval lies below the interval with one ply less of search, against the same opponent.
    """
    falls = []
    for other in OPPONENTS:
        runs = zip(*(evidence.cells(plan.table(name, other)) for name in THETA), strict=True)
        falls.append([any(deeper.high < shallower.low for shallower, deeper in pairwise(cells)) for cells in runs])
    return [*map(any, zip(*falls, strict=True))]


def gains_by_depth(evidence: Evidence) -> list[bool]:
    """Return, for each training run, whether the learned player scores higher with search depth 5 than with depth 1.

    The scores are means over the games as first player against the heuristic player and the greedy players.
    """
    return [value > 0.0 for value in change(as_first("theta5"), as_first("theta1")).values(evidence)]


def as_first(name: str) -> Figure:
    """Return a learned player's mean score as first player against the heuristic player and the greedy players."""
    return average("the mean score as first player", [score(name, other) for other in OPPONENTS], name)


AGAINST_GREEDY5 = [score("theta5", "greedy5", seat) for seat in SEATS]
PAIRS = [*product(OPPONENTS, OPPONENTS)]
"""All pairs of a first player and a second player that do not learn, without random."""
EDGE = mean_of(
    "the mean score of the first player", [score(*pair) for pair in PAIRS], "all pairs of players other than “random”"
)
EDGE_OF_SIX = mean_of("the mean score of the first player", [of_match(plan.six_stones(*pair)) for pair in PAIRS])
KNOWING_ENDS = mean_of(
    "the mean score over the five search depths",
    [of_match(Match(each, f"{each},won=no", plan.KNOWN, None, plan.OPENING)) for each in plan.GREEDY.values()],
    "greedy that recognises won and lost games, against greedy that does not",
)

# Theta1 against greedy1 while it learns. `mark` is the number of the checkpoint whose weights it has.


def points(setting: Setting, seat: int, mark: int = plan.LAST, subject: str = "", part: Part = "score") -> Figure:
    """Return the learned player's score against greedy1, or its share of games won, after a training stage.

    The learned player searches one ply. It is the first (seat 0) or the second player (seat 1).
    """
    words = f"theta1 {SEAT_WORDS[seat]} player{', ' if subject else ''}{subject}"
    return of_match(plan.progress(setting, seat, mark, words), part, f"{WORDS[part]} against greedy1")


wins = partial(points, part="won")


def both_seats(setting: Setting, mark: int = plan.LAST) -> Figure:
    """Return the learned player's mean score against greedy1 as first and second player, after a training stage."""
    scores = [points(setting, seat, mark) for seat in SEATS]
    return average("the mean score as first and second player against greedy1", scores, setting.words)


def change_since_early(setting: Setting) -> Figure:
    """Return the change in the learned player's mean score against greedy1 from training stage 2 to stage 5."""
    words = "the change in the mean score as first and second player against greedy1"
    subject = f"{setting.words}, from stage 2 to stage 5"
    return lead(words, subject, both_seats(setting), both_seats(setting, plan.EARLY))


CHANGE_WITH_TRACES, CHANGE_WITHOUT_TRACES = map(change_since_early, (plan.WITH_TRACES, plan.WITHOUT_TRACES))


def part_of_curve(subject: str, low: float, high: float) -> Figure:
    """Return the learned player's mean score as first and second player in one section of its learning curve.

    The section begins after the fraction `low` of the training games, and ends at the fraction `high`.
    """

    def values(evidence: Evidence) -> Values:
        curves = [evidence.cell(replace(OWN, seat=seat)) for seat in SEATS]
        share = np.array(curves[0].games) / curves[0].games[-1]
        chosen = (share > low) & (share <= high)
        return np.asarray(np.mean([curve.scores[:, chosen].mean(axis=1) for curve in curves], axis=0))

    return Figure("theta1's mean score as first and second player against greedy1", SHARE, values, subject)


LATE_CHANGE = change(
    part_of_curve("end of training", 0.9, 1.0),
    part_of_curve("middle of training", 0.5, 0.7),
)
ALWAYS_LOWER_WINS = wins(plan.ALWAYS_LOWER, 1, subject="lower side only in training")
AFTER_SHORTEST = over(
    "the mean score as first and second player against “random”",
    map(plan.against_random, SEATS),
    "theta1 after the first stage of training",
)

# Weights.


def of_weights(words: str, measure: Callable[[Floats], Floats], unit: Unit = TIMES) -> Figure:
    """Return a measure of the final weights, as a `Figure` with a value for each training run.

    The function `measure` computes the values from the weights. The training runs are those in which only the learner's
    own plies update the weights (`OWN`).
    """
    return Figure(words, unit, lambda evidence: measure(evidence.weights(OWN)))


DOMINANCE = of_weights(
    "the smaller weight of “stores”, divided by the largest absolute value of the 38 other weights,",
    weight_measures.dominance,
)


def beyond_chance(evidence: Evidence) -> Values:
    """Return, for each seed, how much eligibility traces change the final weights, compared with a change of seed.

    The distance between the final weights with and without traces is divided by the distance between the final weights
    of two seeds without traces. With only one seed, the result is 0.
    """
    without = evidence.weights(plan.WITHOUT_TRACES)
    traces = weight_measures.apart(evidence.weights(plan.WITH_TRACES), without)
    chance = weight_measures.apart(np.roll(without, 1, axis=0), without)
    return np.asarray(np.divide(traces, chance, out=np.zeros(len(chance)), where=chance > 0.0))


def weight_names(evidence: Evidence) -> tuple[str, ...]:
    """Return the names of the weights."""
    return names(feature_set_for(evidence.rules, "report"), evidence.rules)


def weights_over_games(evidence: Evidence, reading: Setting) -> tuple[list[float], Floats]:
    """Return a list of numbers of training games, and the weights after each of these numbers of games.

    The numbers of games are equally spaced. The weights are float64[seeds, numbers of games, 40].
    """
    learned = [evidence.learned(each) for each in evidence.trainings(reading)]
    games = np.arange(0, learned[0].games + 1, learned[0].games // 100)
    history = [each.history[np.searchsorted(each.history_games, games)] for each in learned]
    return games.astype(float).tolist(), np.array(history)


def _late_swings(evidence: Evidence, setting: Setting) -> Floats:
    """Return the range of each weight in the last tenth of the training games, as float64[training runs, weights].

    The range is the largest minus the smallest value.
    """
    learned = [evidence.learned(each) for each in evidence.trainings(setting)]
    return np.array([swings(each, each.games // LAST_SHARE) for each in learned])


def swinging(evidence: Evidence) -> dict[str, int]:
    """Return, for each weight, the number of training runs in which the weight still varies at the end.

    A weight still varies if its range (largest minus smallest value) over the last tenth of the training games is more
    than 0.1 (`SWING`).
    """
    still = (_late_swings(evidence, OWN) > SWING).sum(axis=0)
    return dict(zip(weight_names(evidence), still.tolist(), strict=True))


def swinging_counts(evidence: Evidence) -> tuple[int, int, int, int]:
    """Count the weights that still vary at the end of most training runs.

    A weight still varies if its range (largest minus smallest value) over the last tenth of the training games is more
    than 0.1 (`SWING`). The original report by two students contains a list of weights that do not settle.

    Returns:
        A tuple with four counts:

        - the weights in the students' list that still vary in most of petteia's training runs
        - all weights in the students' list
        - the other weights that still vary in most of petteia's training runs
        - all other weights

    """
    still = {name: 2 * count > evidence.seeds for name, count in swinging(evidence).items()}
    named, others = ([still[name] for name in still if (name in SWINGING) is listed] for listed in (True, False))
    return sum(named), len(named), sum(others), len(others)


def largest_swing(setting: Setting) -> Figure:
    """Return, for each training run, the range of the weight that varies most in the last tenth of the training games.

    The range is the largest minus the smallest value.
    """
    words = "the largest range of a weight over the last tenth of the games"
    return Figure(words, NUMBER, lambda evidence: _late_swings(evidence, setting).max(axis=1), setting.words)


SWING_WITH, SWING_WITHOUT, CHAIN_SWING = map(largest_swing, (plan.WITH_TRACES, plan.WITHOUT_TRACES, plan.BY_CHAINS))
BEYOND_CHANCE = Figure(
    "the distance between the final weights with lambda 0.15 and with lambda 0, divided by the distance between the "
    "final weights of two training runs with lambda 0,",
    *(TIMES, beyond_chance),
)

# Stages, traces, whole turns.


def of_stage(number: int, seat: int) -> Figure:
    """Return the mean score of a training checkpoint against the other checkpoints of the same training run.

    The learned player at the checkpoint `number` plays as first player (seat 0) or as second player (seat 1).
    """
    others = [other for other in MARKS if other != number]
    matches = [plan.stage(number, other) if seat == 0 else plan.stage(other, number).turned for other in others]
    return over(
        "the mean score against the other four stages", matches, f"stage {number + 1}, {SEAT_WORDS[seat]} player"
    )


def lead_of_stage(one: int, other: int, seat: int) -> Figure:
    """Return the difference between the mean scores (`of_stage`) of two training checkpoints."""
    subject = f"stage {one + 1} minus stage {other + 1}, {SEAT_WORDS[seat]} player"
    words = "the difference in the mean score against the other four stages"
    return lead(words, subject, of_stage(one, seat), of_stage(other, seat))


def extremes(evidence: Evidence) -> Values:
    """Return, for each training run, the share of matches between training checkpoints with a score near 0 or 1."""
    scores = np.array([of_match(each).values(evidence) for each in STAGE_MATCHES])
    return np.asarray(((scores <= EXTREME) | (scores >= 1.0 - EXTREME)).mean(axis=0))


def different(matches: Sequence[Match]) -> Figure:
    """Return, for each training run, the share of distinct games in a match, as a mean over `matches`."""

    def of(evidence: Evidence) -> Values:
        shares = [[cell.distinct / cell.games for cell in evidence.cells(each)] for each in matches]
        return np.asarray(np.mean(shares, axis=0))

    return Figure("", SHARE, of)


def chain_score(setting: Setting, opponent: str, seats: Sequence[int] = SEATS) -> Figure:
    """Return a learned player's mean score in the given seats against a player that does not learn."""
    matches = [plan.taught(setting, opponent, seat) for seat in seats]
    words = (
        "the mean score as first and second player" if len(seats) > 1 else f"the score {SEAT_WORDS[seats[0]]} player"
    )
    return over(words, matches, f"against {in_words(opponent)}")


def mean_of_learner(setting: Setting) -> Figure:
    """Return a learned player's mean score in both seats against the heuristic player and the five greedy players."""
    scores = [chain_score(setting, name) for name in OPPONENTS]
    return average("the mean score against the heuristic and the greedy players", scores, setting.words)


GAIN_BY_PLIES = difference(mean_of_learner(plan.BY_PLIES), mean_of_learner(plan.BY_CHAINS_BOTH))
GAIN_OF_ONE_BLOCK = difference(mean_of_learner(plan.BY_CHAINS), mean_of_learner(plan.BY_CHAINS_BOTH))
STAGE_MATCHES = [plan.stage(*pair) for pair in permutations(MARKS, 2)]
FROM_LAMBDA_0 = [plan.of_lambda(depth, 0) for depth in LOOKING]
DIFFERENT_AS_SECOND = different([plan.table("heuristic", name) for name in THETA])
DIFFERENT_OF_STAGES, DIFFERENT_OF_LAMBDA = map(different, (STAGE_MATCHES, FROM_LAMBDA_0))
EARLY_AS_SECOND = lead_of_stage(plan.EARLY, plan.LATER, 1)
"""The lead of stage 2 over stage 3 as second player: in the original after 100,000 and 200,000 games."""
LAMBDA_0_OVER_SEATS = [
    over("", [plan.of_lambda(depth, seat) for seat in SEATS], f"search depth {depth}") for depth in LOOKING
]
"""The scores of the player with lambda 0 against the player with lambda 0.15, by search depth."""
AGAINST_TRACES = over(
    f"the mean score over the search depths {LOOKING[0]} to {LOOKING[-1]}",
    FROM_LAMBDA_0,
    "lambda 0 as first player against lambda 0.15",
)
