"""The tables of the report on Kalah: published results next to petteia's results, and further results of petteia."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import combinations, permutations, product

import numpy as np

from petteia.arena.statistics import Interval
from petteia.experiments.tournament.comparison import PRIOR
from petteia.features.kalah_potentials import POTENTIALS
from petteia.reports.engine.estimates import SHARE, Unit, interval_text
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.figures import Figure
from petteia.reports.engine.printed import Printed, PrintedTable
from petteia.reports.engine.rules import Answer
from petteia.reports.engine.settings import Setting
from petteia.reports.engine.tables import Beside, MatchTable, Meeting, Row, Rows, Table, match_table, table
from petteia.reports.mancala import behaviour, figures, plan, published
from petteia.reports.mancala.figures import balanced, of_stage, score, wins
from petteia.reports.mancala.plan import BASIC, LOOKING, MARKS, OWN, PLAYERS, SEAT_WORDS, SEATS, THETA
from petteia.reports.mancala.published import SWINGING
from petteia.reports.mancala.weight_measures import COLUMNS, REST, TITLES
from petteia.value_functions.report_weights import report_weights

DRAWN = 1000
"""The number of tables that are drawn at random for `usual_likelihood`."""

COMPUTED = "computed from the original cells"
"""The origin of an original figure that is not printed."""

# Tables of matches.


@match_table("first player")
def baselines(evidence: Evidence) -> Iterator[Meeting]:
    """Yield the matches between all pairs of players that do not learn."""
    compared = evidence.tournaments[plan.BASELINES].compared
    for (row, column), each in zip(product(BASIC, repeat=2), compared, strict=True):
        of_wins, of_draws, _ = (100.0 * count / sum(each.published) for count in each.published)
        yield Meeting(row, column, [each.cell], Printed(of_wins, of_draws, sum(each.published)))


def stage_names(evidence: Evidence) -> list[str]:
    """Return the names of the training stages, with the numbers of games in this report and in the original report."""
    both = zip([f"{mark:,}" for mark in evidence.marks(OWN)], published.STAGES.rows, strict=True)
    return [
        f"stage {number}: {here} games{'' if here == printed else f' here, about {printed} in the original'}"
        for number, (here, printed) in enumerate(both, 1)
    ]


@match_table("theta1 against greedy1")
def progress(evidence: Evidence) -> Iterator[Meeting]:
    """Yield the matches of the learned player at each training checkpoint against greedy1."""
    names = stage_names(evidence)
    for mark, seat in product(MARKS, SEATS):
        yield Meeting(names[mark], SEAT_WORDS[seat], plan.progress(OWN, seat, mark), published.progress(mark, seat))


def of_theta(evidence: Evidence, known: PrintedTable, authors: bool) -> Iterator[Meeting]:
    """Yield the matches of the learned player, either with the published weights or with weights trained by petteia.

    If `authors` is True, the learned player has the published weights. Each cell then has a note with the mean score of
    petteia's training runs. The page shows the note after a click on the cell.
    """
    for pair in product(known.rows, known.columns):
        if not authors:
            yield Meeting(*pair, plan.table(*pair), known.cells[pair])
        elif not set(pair) <= set(THETA):
            note = f"mean score of our training runs: {score(*pair).text(evidence)}"
            yield Meeting(*pair, plan.authored(*pair), known.cells[pair], note)


@match_table("first player: theta1 after")
def stages(evidence: Evidence) -> Iterator[Meeting]:
    """Yield the matches of the learned player at each training checkpoint against itself at the other checkpoints."""
    names = stage_names(evidence)
    for one, other in permutations(MARKS, 2):
        yield Meeting(names[one], names[other], plan.stage(one, other), published.stage(one, other))


def of_lambda(evidence: Evidence) -> Iterator[Meeting]:
    """Yield the matches of players trained with lambda 0 against players trained with lambda 0.15."""
    for depth, (seat, column) in product(LOOKING, enumerate(("lambda 0 starts", "lambda 0.15 starts"))):
        yield Meeting(f"depth {depth}", column, plan.of_lambda(depth, seat), published.of_lambda(depth, seat))


@match_table("first player", folded="Crosstable of the seven players that do not learn, with six stones in each pit")
def six(evidence: Evidence) -> Iterator[Meeting]:
    """Yield the matches of players that do not learn, with six stones in each pit."""
    for pair in product(BASIC, BASIC):
        yield Meeting(*pair, plan.six_stones(*pair))


@match_table("player", folded="Crosstable of all players except “random”, in games from random openings")
def openings(evidence: Evidence) -> Iterator[Meeting]:
    """Yield the matches between all pairs of players, except the random player, from random openings."""
    for pair in permutations(PLAYERS, 2):
        yield Meeting(*pair, plan.opened(*pair))


LEARNED, AUTHORS = (
    [
        MatchTable(f"{who}-{seat}", "first player", partial(of_theta, known=known, authors=who == "authors"))
        for seat, known in (("first", published.THETA_FIRST), ("second", published.THETA_SECOND))
    ]
    for who in ("theta", "authors")
)


def usual_likelihood(evidence: Evidence) -> Interval:
    """Simulate tables of results from petteia's frequencies, and return the mean of their log-likelihoods.

    A simulated table has as many games in each match as the published table. The bounds of the returned interval
    enclose 95 % of the log-likelihoods.
    """
    from scipy.stats import multinomial

    random, total = np.random.default_rng(0), np.zeros(DRAWN)
    for each in evidence.tournaments[plan.BASELINES].compared:
        games, seen = sum(each.published), np.array(each.cell.counts) + PRIOR
        shares = seen / seen.sum()
        total += multinomial.logpmf(random.multinomial(games, shares, DRAWN), games, shares)
    return Interval(float(total.mean()), *map(float, np.quantile(total, (0.025, 0.975))))


def baselines_fit(evidence: Evidence) -> Answer:
    """Return whether the published table of the players that do not learn is plausible, given petteia's results.

    The published table is plausible if its log-likelihood is not below the 95 % interval for simulated tables
    (`usual_likelihood`). The result is None if the scale of the report is too small for verdicts.
    """
    if not evidence.is_judged:
        return None
    return evidence.tournaments[plan.BASELINES].log_likelihood >= usual_likelihood(evidence).low


def changed_signs(evidence: Evidence) -> list[list[str]]:
    """Return the pairs of players in which the clear winner from the start position clearly loses from random openings.

    Each entry contains the names of two players, and two mean scores of the first of these players as text. The first
    score is from the start position, and the second is after random openings.
    """
    pairs = []
    for one, other in combinations(PLAYERS, 2):
        fixed = figures.mean_of_seats(one, other).interval(evidence)
        free = balanced(one, other).interval(evidence)
        if (fixed.low > 0.5 and free.high < 0.5) or (fixed.high < 0.5 and free.low > 0.5):
            pairs.append([f"{one} against {other}", interval_text(fixed, SHARE), interval_text(free, SHARE)])
    return pairs


# Tables of training runs.


def in_course(reading: Setting) -> list[Beside]:
    """Return the learned player's shares of games won after each training stage, with the published shares."""
    printed = [(mark, seat, published.progress(mark, seat)) for mark, seat in product(MARKS, SEATS)]
    return [
        Beside(wins(reading, seat, mark), each.wins / 100.0, each.games, recipe=reading.words)
        for mark, seat, each in printed
    ]


def distance(evidence: Evidence, reading: Setting) -> float:
    """Return the mean absolute difference between petteia's shares of games won and the published shares.

    The shares are those after each training stage, as first and as second player (`in_course`).
    """
    return float(np.mean([abs(each.figure.mean(evidence) - each.printed) for each in in_course(reading)]))


@table(
    *("training stage, and seat of theta1", "original: wins/draws (%)"),
    *(f"games won, update rule “{reading.words}”" for reading in plan.READ),
)
def readings(evidence: Evidence) -> Iterator[Row]:
    """Yield the shares of games won against greedy1 during training, for both interpretations of the update rule."""
    names = stage_names(evidence)
    for (mark, seat), *cells in zip(product(MARKS, SEATS), *map(in_course, plan.READ), strict=True):
        yield [f"{names[mark]}, {SEAT_WORDS[seat]}", published.progress(mark, seat).text, *cells]


def of_weights(name: str, reading: Setting) -> tuple[Table, Table]:
    """Return two tables that show petteia's learned weights next to the published weights.

    `reading` is the interpretation of the update rule in petteia's training runs. The first table has the weights of
    the features that describe one side, in four columns as in the original report. The second table has the other four
    weights: two weights of the store difference, the weight of the player to move, and the constant.
    """

    def weight(number: int) -> Beside:
        figure = Figure("", Unit(".4f"), lambda evidence: evidence.weights(reading)[:, number])
        return Beside(figure, float(report_weights()[number]))

    def features(evidence: Evidence) -> Iterator[Row]:
        for i, potential in enumerate(POTENTIALS):
            yield [potential, *(weight(start + i) for _, start in COLUMNS.values())]

    others = Table(f"weights-{name}-rest", (*REST.values(),), lambda evidence: [[weight(number) for number in REST]])
    return Table(f"weights-{name}", TITLES, features), others


def plain(name: str) -> str:
    """Return the name of a weight in words, such as `captures of the lower side (with the upper side to move)`."""
    mover, _, rest = name.replace("south", "lower").replace("north", "upper").partition("_to_move.")
    side, _, feature = rest.partition(".")
    return f"{feature} of the {side} side (with the {mover} side to move)" if feature else name


@table("weight", "in the students' list", "training runs in which the weight fluctuates")
def unsettled(evidence: Evidence) -> Iterator[Row]:
    """Yield a table row for each weight that still varies at the end of petteia's training or the original training."""
    for name, count in figures.swinging(evidence).items():
        if name in SWINGING or count:
            yield [plain(name), "yes" if name in SWINGING else "no", f"{count} of {evidence.seeds}"]


@table("learner's sides, and opponent in training", "games won as first", "games won as second")
def lower_only(evidence: Evidence) -> Iterator[Row]:
    """Yield the shares of games won as first and as second player, by learners of one side or of both sides."""
    same, lower = plan.SAME_OPPONENT, plan.ALWAYS_LOWER
    yield ["both sides, self-play", wins(OWN, 0), Beside(wins(OWN, 1), published.BOTH_SIDES, recipe=OWN.words)]
    yield ["both sides, against a copy", wins(same, 0), wins(same, 1)]
    yield [
        "lower side only, against a copy",
        wins(lower, 0),
        Beside(wins(lower, 1), published.LOWER_ONLY, recipe=lower.words),
    ]


@table(
    *("theta1 after", "score as first", "score as second"),
    *("original average of its row: wins/draws (%)", "original average of its column: wins/draws (%)"),
)
def stage_means(evidence: Evidence) -> Iterator[Row]:
    """Yield each training checkpoint's mean score against the other checkpoints, as first and as second player."""
    for number, name in enumerate(stage_names(evidence)):
        ours = [Beside(of_stage(number, seat), published.stage_mean(number, seat), origin=COMPUTED) for seat in SEATS]
        averages = (published.AVERAGES.cells[published.AVERAGES.rows[number], each].text for each in ("row", "column"))
        yield [name, *ours, *averages]


@table("kind of training, and seat of theta1", *BASIC)
def chains(evidence: Evidence) -> Iterator[Row]:
    """Yield the scores of learners that choose whole turns or single plies, for each opponent and seat."""
    where = ((SEAT_WORDS[0], [0]), (SEAT_WORDS[1], [1]), ("both seats", SEATS))
    for setting, (seat, seats) in product((plan.BY_CHAINS, plan.BY_CHAINS_BOTH, plan.BY_PLIES), where):
        yield [f"{setting.words}, {seat}", *(figures.chain_score(setting, name, seats) for name in BASIC)]


WEIGHTS = (of_weights("own", OWN), of_weights("every", plan.EVERY))
"""The tables of the weights for each update rule."""
JUDGED = (baselines, progress, *LEARNED, stages, MatchTable("lambda", "search depth", of_lambda))
"""The tables in which each printed match appears once. The tables of the authors' player repeat those of theta."""
TABLES: tuple[Table | MatchTable, ...] = (
    *(*JUDGED, *AUTHORS, six, openings),
    *(readings, *(each for pair in WEIGHTS for each in pair), unsettled, lower_only, stage_means, chains),
    behaviour.moments,
)

# Files.


def curve_rows(evidence: Evidence) -> Rows:
    """Return a CSV row for each point of each learning curve."""
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
    """Return CSV rows with the weights during each training run, and a last row with the published weights."""
    named = figures.weight_names(evidence)
    rows: Rows = [
        {"learning": setting.words, "seed": training.run.seed, "games": games, **dict(zip(named, weights, strict=True))}
        for setting in (*plan.READ, plan.ALWAYS_LOWER, plan.SAME_OPPONENT)
        for numbers, runs in [figures.weights_over_games(evidence, setting)]
        for training, of_run in zip(evidence.trainings(setting), runs.round(6).tolist(), strict=True)
        for games, weights in zip(numbers, of_run, strict=True)
    ]
    printed = dict(zip(named, report_weights().tolist(), strict=True))
    return [*rows, {"learning": "original report", "seed": "", "games": 500_000, **printed}]
