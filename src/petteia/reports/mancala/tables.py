"""The tables of the page: those of the original report next to petteia's results, and further results."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, permutations, product

import numpy as np

from petteia.arena.statistics import Interval
from petteia.experiments.tournament.comparison import PRIOR
from petteia.features.kalah_potentials import POTENTIALS
from petteia.reports.engine.cells import Beside, Meeting
from petteia.reports.engine.estimates import Unit
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.figures import Figure
from petteia.reports.engine.printed import Printed, PrintedTable
from petteia.reports.engine.rules import Answer
from petteia.reports.engine.settings import Setting
from petteia.reports.engine.tables import MatchTable, Row, Rows, Table, match_table, table
from petteia.reports.mancala import figures, own_games, plan, published
from petteia.reports.mancala.drawings import COLUMNS, REST, weights_over_games
from petteia.reports.mancala.figures import balanced, met, wins
from petteia.reports.mancala.plan import BASIC, LOOKING, MARKS, OWN, PLAYERS, SEAT_WORDS, SEATS, THETA
from petteia.reports.mancala.published import SWINGING, progress
from petteia.value_functions.report_weights import report_weights

DRAWN = 1000
"""The number of tables that are drawn from ours to find the usual likelihood."""

COMPUTED = "computed from the original cells"
"""The origin of an original figure that is not printed."""

# Tables of matches.


@match_table("first player")
def baselines(evidence: Evidence) -> Iterator[Meeting]:
    """Yield the matches of players that do not learn, each against each."""
    compared = evidence.tournaments[plan.BASELINES].compared
    for (row, column), each in zip(product(BASIC, repeat=2), compared, strict=True):
        of_wins, of_draws, _ = (100.0 * count / sum(each.published) for count in each.published)
        yield Meeting(row, column, [each.cell], Printed(of_wins, of_draws, sum(each.published)))


def stage_names(evidence: Evidence) -> list[str]:
    """Return the names of the stages of training, with their numbers of games here and in the original report."""
    both = zip([f"{mark:,}" for mark in evidence.marks(OWN)], published.STAGES.rows, strict=True)
    return [
        f"stage {number}: {here} games{'' if here == printed else f' here, about {printed} in the original'}"
        for number, (here, printed) in enumerate(both, 1)
    ]


def in_course_meetings(evidence: Evidence) -> Iterator[Meeting]:
    """Yield the matches of theta1 at each training checkpoint against greedy1."""
    names = stage_names(evidence)
    for mark, seat in product(MARKS, SEATS):
        yield Meeting(names[mark], SEAT_WORDS[seat], plan.progress(OWN, seat, mark), progress(mark, seat))


def of_theta(name: str, known: PrintedTable, authors: bool = False) -> MatchTable:
    """Return a table of theta's matches, of our training runs or with the weights that the original report prints.

    With the printed weights, a cell also shows the score of our training runs after a click.
    """

    def meetings(evidence: Evidence) -> Iterator[Meeting]:
        for pair in product(known.rows, known.columns):
            if not authors:
                yield Meeting(*pair, plan.table(*pair), known.cells[pair])
            elif not set(pair) <= set(THETA):
                note = f"mean score of our training runs: {met(*pair).text(evidence)}"
                yield Meeting(*pair, plan.authored(*pair), known.cells[pair], note)

    return MatchTable(name, "first player", meetings)


@match_table("first player: theta1 after")
def stages(evidence: Evidence) -> Iterator[Meeting]:
    """Yield the matches of theta1 at each training checkpoint against itself at the other checkpoints."""
    names = stage_names(evidence)
    for one, other in permutations(MARKS, 2):
        yield Meeting(names[one], names[other], plan.stage(one, other), published.stage(one, other))


def of_lambda(evidence: Evidence) -> Iterator[Meeting]:
    """Yield the matches of theta trained with lambda 0 against theta trained with lambda 0.15."""
    for depth, (seat, column) in product(LOOKING, enumerate(("lambda 0 starts", "lambda 0.15 starts"))):
        yield Meeting(f"depth {depth}", column, plan.of_lambda(depth, seat), published.LAMBDA[depth, seat])


@match_table("first player", folded="The table with six stones in each pit")
def six(evidence: Evidence) -> Iterator[Meeting]:
    """Yield the matches of players that do not learn, with six stones a pit."""
    for pair in product(BASIC, BASIC):
        yield Meeting(*pair, plan.six_stones(*pair))


@match_table("player", folded="The table of all players against each other, from random openings")
def openings(evidence: Evidence) -> Iterator[Meeting]:
    """Yield the matches of all players from random openings."""
    for pair in permutations(PLAYERS, 2):
        yield Meeting(*pair, plan.opened(*pair))


COURSE, LAMBDA = MatchTable("progress", "theta1", in_course_meetings), MatchTable("lambda", "search depth", of_lambda)
LEARNED, AUTHORS = (
    [
        of_theta(f"{who}-{seat}", known, who == "authors")
        for seat, known in (("first", published.THETA_FIRST), ("second", published.THETA_SECOND))
    ]
    for who in ("theta", "authors")
)


def usual_likelihood(evidence: Evidence) -> Interval:
    """Return the usual log-likelihood of a table of matches that is drawn from petteia's results.

    It is the mean over many drawn tables, with the range of 95 % of them.
    """
    from scipy.stats import multinomial

    random, total = np.random.default_rng(0), np.zeros(DRAWN)
    for each in evidence.tournaments[plan.BASELINES].compared:
        games, seen = sum(each.published), np.array(each.cell.counts) + PRIOR
        shares = seen / seen.sum()
        total += multinomial.logpmf(random.multinomial(games, shares, DRAWN), games, shares)
    return Interval(float(total.mean()), *map(float, np.quantile(total, (0.025, 0.975))))


def baselines_fit(evidence: Evidence) -> Answer:
    """Return whether the original report's table of players that do not learn is plausible under petteia's results.

    It must not be among the least likely fortieth of the tables that are drawn from these results.
    """
    if not evidence.is_judged:
        return None
    return evidence.tournaments[plan.BASELINES].log_likelihood >= usual_likelihood(evidence).low


def changed_signs(evidence: Evidence) -> list[tuple[str, str, Interval, Interval]]:
    """Return the pairs whose clear winner in the tables clearly loses if the openings are random, with both scores."""
    pairs = []
    for one, other in combinations(PLAYERS, 2):
        fixed = figures.mean_of_seats(one, other).interval(evidence)
        free = balanced(one, other).interval(evidence)
        if (fixed.low > 0.5 and free.high < 0.5) or (fixed.high < 0.5 and free.low > 0.5):
            pairs.append((one, other, fixed, free))
    return pairs


def circles(evidence: Evidence) -> list[tuple[str, str, str]]:
    """Return the cycles of three players that clearly beat each other in turn, in matches from random openings."""
    better = {pair for pair in permutations(PLAYERS, 2) if balanced(*pair).interval(evidence).low > 0.5}
    return [
        (a, b, c) for a, b, c in permutations(PLAYERS, 3) if a == min(a, b, c) and {(a, b), (b, c), (c, a)} <= better
    ]


# Tables of training runs.


def in_course(reading: Setting) -> list[Beside]:
    """Return the share of games that theta1 wins at each checkpoint, each with the value that the original prints."""
    printed = [(mark, seat, progress(mark, seat)) for mark, seat in product(MARKS, SEATS)]
    return [
        Beside(wins(reading, seat, mark), each.wins / 100.0, each.games, recipe=reading.words)
        for mark, seat, each in printed
    ]


def distance(evidence: Evidence, reading: Setting) -> float:
    """Return the mean absolute difference between the results of `in_course` and those of the original report."""
    return float(np.mean([abs(each.figure.mean(evidence) - each.printed) for each in in_course(reading)]))


@table(
    "stage, and seat of theta1",
    "original (wins/draws in per cent)",
    "games won, reading own plies",
    "games won, reading every ply",
)
def readings(evidence: Evidence) -> Iterator[Row]:
    """Yield the games that theta1 wins against greedy1 during training, by both interpretations of the update rule."""
    cells, names = zip(product(MARKS, SEATS), *map(in_course, plan.READ), strict=True), stage_names(evidence)
    for (mark, seat), own, every in cells:
        yield [f"{names[mark]}, {SEAT_WORDS[seat]}", progress(mark, seat).text, own, every]


def weight(number: int, reading: Setting) -> Beside:
    """Return one weight of the training runs of a setting, with the weight that the original report prints."""
    figure = Figure("", Unit(".4f"), lambda evidence: evidence.weights(reading)[:, number])
    return Beside(figure, float(report_weights()[number]))


def of_weights(name: str, reading: Setting) -> tuple[Table, Table]:
    """Return two tables of the learned weights, in the order of the original report.

    The first table has four columns. The second contains the other four weights.
    """

    def rows(evidence: Evidence) -> Iterator[Row]:
        for i, potential in enumerate(POTENTIALS):
            yield [potential, *(weight(start + i, reading) for _, start in COLUMNS.values())]

    def rest(evidence: Evidence) -> Iterator[Row]:
        yield [weight(number, reading) for number in REST]

    columns = ("feature", *(title for title, _ in COLUMNS.values()))
    return Table(f"weights-{name}", columns, rows), Table(f"weights-{name}-rest", tuple(REST.values()), rest)


def plain(name: str) -> str:
    """Return the name of a weight in words. The original report's lower side is South, and its upper side is North."""
    mover, _, rest = name.replace("south", "lower").replace("north", "upper").partition(".")
    return name if not rest else f"{mover.replace('_', ' ')}: {rest.replace('.', ' ')}"


@table("weight", "in the students' list", "training runs in which it swings")
def unsettled(evidence: Evidence) -> Iterator[Row]:
    """Yield the weights that still change much at the end, in the original report or in petteia's training runs."""
    for name, count in figures.swinging(evidence).items():
        if name in SWINGING or count:
            yield [plain(name), "yes" if name in SWINGING else "no", f"{count} of {evidence.seeds}"]


@table("learner in training", "games won as first", "games won as second")
def lower_only(evidence: Evidence) -> Iterator[Row]:
    """Yield the shares of games won by learners of one side and of both sides, as first and as second."""
    same, lower = plan.SAME_OPPONENT, plan.ALWAYS_LOWER

    def beside(setting: Setting, printed: float) -> Beside:
        return Beside(wins(setting, 1), printed, recipe=setting.words)

    yield ["both sides, against itself", wins(OWN, 0), beside(OWN, published.BOTH_SIDES)]
    yield ["both sides, against the opponent of the learner of the lower side", wins(same, 0), wins(same, 1)]
    yield ["lower side only", wins(lower, 0), beside(lower, published.LOWER_ONLY)]


@table(
    "theta1 after", "score as first", "score as second", "original average of the row", "original average of the column"
)
def stage_means(evidence: Evidence) -> Iterator[Row]:
    """Yield the mean score of theta1 at each training checkpoint against the others, as first and as second."""
    for number, name in enumerate(stage_names(evidence)):
        cells = (
            Beside(figures.of_stage(number, seat), published.stage_mean(number, seat), origin=COMPUTED)
            for seat in SEATS
        )
        averages = (published.AVERAGES.cells[published.AVERAGES.rows[number], each].text for each in ("row", "column"))
        yield [name, *cells, *averages]


@table("learning, and seat of theta1", *BASIC)
def chains(evidence: Evidence) -> Iterator[Row]:
    """Yield the scores of learners by whole turns and by plies against each opponent, by seat and over both seats."""
    where = ((SEAT_WORDS[0], [0]), (SEAT_WORDS[1], [1]), ("both seats", SEATS))
    for setting, (seat, seats) in product((plan.BY_CHAINS, plan.BY_CHAINS_BOTH, plan.BY_PLIES), where):
        yield [f"{setting.words}, {seat}", *(figures.chain_score(setting, name, seats) for name in BASIC)]


WEIGHTS = of_weights("own", OWN), of_weights("every", plan.EVERY)
"""The tables of the weights of each reading."""
JUDGED = (baselines, COURSE, *LEARNED, stages, LAMBDA)
"""The tables in which each printed match appears once. The tables of the authors' player repeat those of theta."""
TABLES: tuple[Table | MatchTable, ...] = (
    *(*JUDGED, *AUTHORS, six, openings),
    *(readings, *(each for pair in WEIGHTS for each in pair), unsettled, lower_only, stage_means, chains),
    own_games.moments,
)

# Files.


def curve_rows(evidence: Evidence) -> Rows:
    """Return every point of every learning curve."""
    return [
        {
            "experiment": name,
            "side": cell.combination.values.get("side", ""),
            "seed": training.run.seed,
            "seat": point.side,
            **{field: getattr(point, field) for field in ("games", "score", "norm")},
        }
        for name in plan.TRAININGS
        for cell in evidence.experiments[name].cells
        for training, curve in zip(cell.trainings, cell.curves, strict=True)
        for point in curve
    ]


def weight_rows(evidence: Evidence) -> Rows:
    """Return the weights of each training run over the games, with the weights of the original report at the end."""
    named = figures.weight_names(evidence)
    rows: Rows = [
        {"learning": setting.words, "seed": training.run.seed, "games": games, **dict(zip(named, weights, strict=True))}
        for setting in (*plan.READ, plan.ALWAYS_LOWER, plan.SAME_OPPONENT)
        for numbers, runs in [weights_over_games(evidence, setting)]
        for training, of_run in zip(evidence.trainings(setting), runs.round(6).tolist(), strict=True)
        for games, weights in zip(numbers, of_run, strict=True)
    ]
    printed = dict(zip(named, report_weights().tolist(), strict=True))
    return [*rows, {"learning": "original report", "seed": "", "games": 500_000, **printed}]
