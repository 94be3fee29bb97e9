"""Statistics of the report on Hare and Hounds: learning curves, learned values, and comparisons with the solution."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from petteia.analysis.curves import always_from, first_reach, games_to_rest, last_quarter, staying_above, unrest
from petteia.analysis.truth import ALL, MET, REACHABLE, Judgement, Measured, Truth
from petteia.core.arrays import Floats, Ints32
from petteia.core.protocol import initial
from petteia.core.random import keys
from petteia.experiments.results import CellResult
from petteia.experiments.settings import policy_of
from petteia.experiments.table_settings import TableSettings
from petteia.experiments.training import Training
from petteia.games import game as rules_of
from petteia.learn.mdp import values_from_table
from petteia.learn.step_sizes import ByVisits
from petteia.learn.tabular import learn_games, table_for
from petteia.policies.play_games import RngKeys
from petteia.reports.engine.estimates import COUNT, NUMBER, SHARE, TIMES, Unit, certain
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.figures import Figure, Values, average, change, combination, of_curves, of_each
from petteia.reports.engine.kept import kept
from petteia.reports.engine.rules import Rule, in_most
from petteia.reports.engine.settings import Setting
from petteia.reports.hare_and_hounds import plan
from petteia.reports.hare_and_hounds.plan import AGAINST_SIMPLE, BEST, FOLLOWED, NINE, OPPONENTS, WITH_ALPHA, rates
from petteia.solver.retrograde import analyse, turned_round
from petteia.value_functions.table import Table
from petteia.value_functions.table_file import load_table

LATE = "in the last quarter of training"
GAIN = f"the gain in the mean score {LATE}"
HIGH, SETTLED, FEW, MOVED = 0.9, 0.02, 0.05, 0.05
STEADY = 0.95
"""A curve stays above a bound if more than this share of its last scores lies above the bound."""
NEAR = 6
"""The maximum number of moves of the hounds to a win that counts as near."""
TRIES = 10
"""A value with at least this number of visits counts as built up by many games."""
FURTHER = 1_000
"""the number of games after a training run in which changes of values are measured, game by game"""
STEPS = Unit("+.1f", " points", 100.0)
"""The unit of sums of several differences of shares."""
SPREAD = Unit(".1f", " points", 100.0, minimum=0.0)
OF_MANY_GAMES = Unit(".1%")
"""The unit of shares of so many games that they vary between training runs alone, as numbers with a normal
distribution do."""


@functools.cache
def truth() -> Truth:
    """Return the solution of Hare and Hounds, with the exact values of each side against each fixed opponent."""
    return Truth(rules_of(plan.GAME), OPPONENTS)


# Figures of curves.


def late(cell: CellResult) -> Floats:
    """Return the scores in the last quarter of the learning curve of each training run."""
    return last_quarter(cell.scores)


def or_all(cell: CellResult, games: Sequence[float | None]) -> list[float]:
    """Return a copy of `games` in which each None is replaced with the total number of training games.

    For each seed, `games` contains the number of training games until an event. None means that the event never
    happens.
    """
    return [float(cell.games[-1]) if each is None else each for each in games]


def games(words: str, measure: Callable[[CellResult], Values]) -> Callable[[Setting], Figure]:
    """Return a function that takes a setting and returns a number of training games for each training run.

    The function returns these numbers as a `Figure`. `measure` computes them from the learning curves of the setting.
    An example is the number of games until the first score of 90 %. `words` describes the number.
    """
    return of_curves(f"the number of training games {words}", COUNT, measure)


level = of_curves(f"the mean score {LATE}", SHARE, lambda cell: late(cell).mean(axis=1))
scatter = of_curves(
    f"the standard deviation of the scores {LATE}, as a multiple of their sampling error,",
    TIMES,
    unrest,
)
plain_spread = of_curves(f"the standard deviation of the scores {LATE}", SPREAD, lambda cell: late(cell).std(axis=1))
games_to = games(f"until the score first reaches {HIGH:.0%}", lambda cell: or_all(cell, first_reach(cell, HIGH)))
games_to_settle = games(
    f"until the moving average of 20 scores stays within {100 * SETTLED:g} points of the last-quarter mean",
    lambda cell: games_to_rest(cell, SETTLED),
)
games_to_stay_high = games(
    f"until the moving average of 20 scores stays above {HIGH:.0%}", lambda cell: staying_above(cell, HIGH)
)
gain_of_learning = of_curves(
    f"the mean score {LATE}, minus the first score", STEPS, lambda cell: late(cell).mean(axis=1) - cell.scores[:, 0]
)
positions_met = of_curves(
    "the share of the reachable positions that the hounds visit in training",
    SHARE,
    lambda cell: [(curve[-1].states or 0) / truth().decisions for curve in cell.curves],
)
first_score = of_curves(
    "the mean score in the first twelfth of training",
    SHARE,
    lambda cell: cell.scores[:, : max(cell.scores.shape[1] // 12, 1)].mean(axis=1),
)
GAMES_TO_WIN_ALL = games(
    "after which the hounds win every evaluation game", lambda cell: or_all(cell, always_from(cell, 1.0))
)(AGAINST_SIMPLE)
GAMES_OF_RISE = games(
    f"from the first score of at least {FEW:.0%} to the first score of 100%",
    lambda cell: np.subtract(or_all(cell, first_reach(cell, 1.0)), or_all(cell, first_reach(cell, FEW))),
)(AGAINST_SIMPLE)


def most_curves(words: str, setting: Setting, holds: Callable[[CellResult], Iterable[bool]]) -> Rule:
    """Return the condition that the learning curves of most training runs of a setting have a certain property.

    The function `holds` returns for each training run whether its learning curve has the property. `words` describes
    the property.
    """
    return in_most(words, lambda evidence: [*holds(evidence.cell(setting))], setting.words)


def rise(alpha: float, low: float, high: float = plan.GAMMA) -> Figure:
    """Return the score in the last quarter of training with discount factor `high`, minus the score with `low`.

    Both training settings have the learning rate `alpha`.
    """
    terms = ((1.0, level(rates(alpha, high))), (-1.0, level(rates(alpha, low))))
    return combination(terms, GAIN, f"from gamma {low} to gamma {high}, with alpha {alpha}")


def bend(alpha: float) -> Figure:
    """Compare two gains in score: the first from gamma 0.1 to gamma 0.5, the second from gamma 0.5 to gamma 0.9.

    The result is the second gain minus twice the first gain.
    """
    low, middle, high = map(level, WITH_ALPHA[alpha])
    terms = (1.0, high), (-3.0, middle), (2.0, low)
    return combination(terms, "the second gain minus twice the first gain")


def mean_of_all_scores(alpha: float) -> Figure:
    """Return the mean of all scores in the learning curves of the three settings with learning rate `alpha`."""
    words = f"the mean of all scores in training with alpha {alpha:g}"
    of_one = of_curves("the mean of all scores", OF_MANY_GAMES, lambda cell: cell.scores.mean(axis=1))
    return average(words, [*map(of_one, WITH_ALPHA[alpha])], "gamma 0.1, 0.5 and 0.9 together")


FIRST_DIFFERENCE = Figure(
    "the range of the nine mean scores in the first twelfth of training",
    STEPS,
    lambda evidence: np.ptp([first_score(each).values(evidence) for each in NINE], axis=0),
    "highest minus lowest",
)


def ranked(experiment: str, evidence: Evidence) -> list[Setting]:
    """Return the settings of an experiment in descending order of their scores in the last quarter of training."""
    settings = (Setting(experiment, each.combination.values) for each in evidence.experiments[experiment].cells)
    return sorted(settings, key=lambda each: -level(each).mean(evidence))


def options(setting: Setting) -> str:
    """Return the options of a setting with their values as text, such as `alpha 0.1, gamma 0.9`."""
    return ", ".join(f"{option} {value}" for option, value in setting.values.items())


# Figures of followed values.


def followed(number: int) -> Figure:
    """Return the mean learned value of an example move in the last quarter of training.

    The training runs record the values of three moves. `number` is the index of one of these moves, from 0 to 2.
    """
    subject = ("wins at once", "puts a hound on square 5", "probably lets the hare escape")[number]
    return Figure(
        "the mean learned value in the last quarter of training",
        NUMBER,
        lambda evidence: last_quarter(evidence.cell(FOLLOWED).followed[:, :, number]).mean(axis=1),
        f"the move that {subject}",
    )


def _last_moves(cell: CellResult) -> Values:
    quarter = max(cell.followed.shape[1] // 4, 1)
    late, early = cell.followed[:, -quarter:].mean(axis=1), cell.followed[:, -2 * quarter : -quarter].mean(axis=1)
    return np.asarray(np.abs(late - early).max(axis=1))


LAST_MOVES = of_curves(
    "the largest difference between the means of a tracked value over the third and the fourth quarter of training",
    NUMBER,
    _last_moves,
)(FOLLOWED)

# Figures of tables, compared with the solution.


def table_of(training: Training) -> Table:
    """Load the table of action values that a training run has learned."""
    return load_table(training.run.weights, training.rules).table


@kept
def judgement(evidence: Evidence, training: Training, side: int) -> Judgement:
    """Compare the values that one side learned in a training run with the solution of the game."""
    settings = training.configuration
    return truth().judge(table_of(training), side, settings.opponent, float(settings.learner.gamma))


@kept
def meeting(evidence: Evidence, training: Training) -> float:
    """Return the share of games that the learned hounds of a training run win against its learned hare."""
    return truth().meeting(dict.fromkeys((0, 1), table_of(training)))


PERFECT_IN_PLAY = "perfect moves in positions that can occur in its games"
MEASURES: dict[str, tuple[Unit, Callable[[Judgement], float]]] = {
    "perfect moves in all positions": (SHARE, lambda each: each.sets[ALL].perfect_share),
    "perfect moves in reachable positions": (SHARE, lambda each: each.sets[REACHABLE].perfect_share),
    PERFECT_IN_PLAY: (SHARE, lambda each: each.sets[MET].perfect_share),
    "moves that keep the win": (SHARE, lambda each: each.sets[REACHABLE].kept),
    "regret of a move": (NUMBER, lambda each: each.sets[REACHABLE].mean_regret),
    "error of the values": (NUMBER, lambda each: each.error),
    "games won against the random opponent": (SHARE, lambda each: each.scores["random"]),
    "games won against the simple opponent": (SHARE, lambda each: each.scores["simple"]),
    "games won against the perfect opponent": (SHARE, lambda each: each.scores["perfect"]),
}
"""Measures of tables, by the headings of their columns."""


def judged(measure: str, setting: Setting = BEST, side: int = 0) -> Figure:
    """Return a measure of the learned action values as a `Figure`, with a value for each training run of a setting.

    The name `measure` is a key of `MEASURES`. Each measure compares the action values that `side` has learned with the
    solution of the game. The hounds are side 0, and the hare is side 1.
    """
    unit, of = MEASURES[measure]
    words = f"the share of {measure}" if unit == SHARE else f"the {measure}"
    return of_each(words, unit, setting, lambda evidence, training: of(judgement(evidence, training, side)))


quality = functools.partial(judged, "perfect moves in reachable positions")
"""Return, for a setting, the share of perfect moves in reachable positions."""


@functools.cache
def _plies() -> Ints32:
    graph = truth().mdp(0, "random", 1.0).graph
    return analyse(graph, turned_round(graph)).distances


@kept
def kept_by_distance(evidence: Evidence, training: Training) -> tuple[float, float]:
    """Return the mean probabilities that the hounds' move keeps the win, near the win and far from the win.

    Each mean is over reachable positions that are won for the hounds. A position is near the win if perfect hounds need
    at most six moves (`NEAR`) to win.
    """
    mdp = truth().mdp(0, "random", 1.0)
    won = truth().reached & mdp.decisions & (truth().values == 1)
    mistaken = truth().table_probabilities(0, table_of(training)) * (truth().regrets(0) > 0)
    lost, near = np.bincount(mdp.origins, mistaken, minlength=len(won)), _plies() < 2 * NEAR
    return 1.0 - float(lost[won & near].mean()), 1.0 - float(lost[won & ~near].mean())


def kept_at(distance: int, setting: Setting) -> Figure:
    """Return how often the hounds' moves in won positions keep the win, either near the win or far from the win.

    `distance` is 0 for positions near the win, and 1 for positions far from it.
    """
    words = f"the share of moves that keep the win, {('near the win', 'far from the win')[distance]}"
    return of_each(words, SHARE, setting, lambda evidence, training: kept_by_distance(evidence, training)[distance])


def kept_less_far(setting: Setting) -> Figure:
    """Return the difference in the share of moves that keep the win: near the win minus far from the win."""
    return change(kept_at(0, setting), kept_at(1, setting))


def random_play() -> dict[str, Measured]:
    """Measure how well random hounds play in each set of positions, such as the reachable positions."""
    return truth().measure(0, truth().probabilities_of(0, "random"))


MET_BY_RANDOM_PLAY = Figure(
    "the share of the reachable positions that random play visits with a positive probability",
    SHARE,
    lambda evidence: certain(random_play()[MET].positions / truth().decisions),
)

# Figures of repeated training runs, which record the visits and changes of each value. The original runs do not save
# them. The seed of a training run determines all its random numbers, so a repetition gives the same games and values.


class Repeated(NamedTuple):
    """Statistics of the action values of one training run, over all moves in reachable positions.

    An action value counts as visited often if its move was made at least ten times (`TRIES`) in training.
    """

    largest_change: float
    """the largest change of a value in the last quarter of the games"""
    error: float
    """the mean distance of a value from the exact value"""
    tried: float
    """the share of the values that are visited often"""
    error_often: float
    """the mean distance of a value that is visited often"""
    by_one_game: float
    """the largest change that one of the further games makes to a value that is visited often"""


def tables(training: Training, ends: Sequence[int]) -> Iterator[Table]:
    """Repeat a training run, and yield the table of values and visit counts after each number of games in `ends`.

    Each iteration overwrites the arrays of the table that the previous iteration yielded.
    """
    settings, rules = training.configuration, training.rules
    assert isinstance(settings, TableSettings)
    words = keys(training.run.seed, 8)
    # this step size follows the schedule; it ignores the numbers of visits, which are counted nevertheless
    learner = settings.rule._replace(step=ByVisits(0.0))
    opponent = policy_of(settings.opponent, rules, settings.others)
    table, done = table_for(rules, learner, initial=settings.learner.initial), 0
    for end in ends:
        first, count = min(done, settings.games - 1), end - done
        table = learn_games(
            *(rules, initial(rules), settings.learns, table, opponent),
            alphas=settings.rate.schedule.over(first, count, settings.games),
            explorations=settings.exploration.over(first, count, settings.games),
            gammas=settings.discount.over(first, count, settings.games),
            keys=RngKeys(words[6], *words[:3]),
            first_game=done,
            max_plies=settings.max_plies,
            learner=learner,
        )
        done = end
        yield table


@kept
def repeated(evidence: Evidence, training: Training) -> Repeated:
    """Repeat a training run in which hounds learn from a random hare, and return statistics of its action values."""
    settings = training.configuration
    mdp, gamma = truth().mdp(0, settings.opponent, 1.0), float(settings.learner.gamma)
    asked = mdp.actions & truth().reached[mdp.origins]

    def known(table: Table) -> Floats:
        return values_from_table(mdp, table)[asked]

    further = tables(training, [settings.games * 3 // 4, *range(settings.games, settings.games + FURTHER + 1)])
    before, table = known(next(further)), next(further)
    changes = np.abs(known(table) - before)
    errors = np.abs(known(table) - truth().exact_values(0, settings.opponent, gamma)[asked])
    often = known(table._replace(values=table.visits.astype(np.float64))) >= TRIES
    largest, used = 0.0, int(table.used[0])
    old, visits = table.values[:used].copy(), table.visits[:used].copy()
    for later in further:
        moved = np.abs(later.values[: len(old)] - old)[visits >= TRIES]
        largest, used = max(largest, float(moved.max(initial=0.0))), int(later.used[0])
        old, visits = later.values[:used].copy(), later.visits[:used].copy()
    error, tried, error_often = (float(each.mean()) for each in (errors, often, errors[often]))
    return Repeated(float(changes.max()), error, tried, error_often, largest)


WORDS = {
    "largest_change": "the largest change of any learned value in the last quarter of training",
    "error": "the mean absolute error of the learned values, compared with the exact values,",
    "tried": "the share of the values with ten visits or more",
    "error_often": "the mean absolute error of the values with ten visits or more",
    "by_one_game": f"the largest change of a value with ten visits or more by one of {FURTHER:,} further games",
}
"""the fields of `Repeated` in words"""


def of_repeated(field: str, setting: Setting = FOLLOWED) -> Figure:
    """Return a field of `Repeated` as a `Figure`, with a value for each training run of a setting."""

    def of(evidence: Evidence) -> list[float]:
        found = evidence.recall_all(repeated, [(each,) for each in evidence.trainings(setting)])
        return [getattr(each, field) for each in found]

    return Figure(WORDS[field], SHARE if field == "tried" else NUMBER, of, setting.words)
