"""The tables on the questions that the original report leaves open."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from petteia.learn.schedules import schedule
from petteia.reports.engine.estimates import SHARE
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.figures import Figure, of_each, of_match
from petteia.reports.engine.settings import Setting
from petteia.reports.engine.tables import Row, Table, table
from petteia.reports.mancala import further
from petteia.reports.mancala.further import CHANGES, FIELDS, SWING, TREATMENTS, gain
from petteia.reports.mancala.plan import DEPTHS, SEAT_WORDS, SEATS, THETA
from petteia.reports.mancala.published import SWINGING
from petteia.reports.mancala.questions import CHAIN, OPPONENTS, OPTIONS, STEPS, score, variants
from petteia.reports.mancala.tables import plain


def mean_alpha(evidence: Evidence, setting: Setting) -> float:
    """Return the mean step size over the last quarter of the training games."""
    games = evidence.trainings(setting)[0].configuration.games
    last = games // 4
    return float(schedule(setting.values["alpha"], "alpha").over(games - last, last, games).mean())


def swing_of(setting: Setting) -> Figure:
    """Return the mean range of the weights over the last quarter of the training games."""
    return of_each("", SWING, setting, further.mean_swing)


@table("alpha", "mean alpha over the last quarter of the games", "mean swing over the last quarter of the games")
def steps(evidence: Evidence) -> Iterator[Row]:
    """Yield, for each step size, the mean range of the weights over the last quarter of the training games."""
    for each in variants(evidence, STEPS):
        yield [str(each.values["alpha"]), f"{mean_alpha(evidence, each):.2g}", swing_of(each)]


@table("feature", "swing of its weight", "positions where it is not zero", "variance inflation")
def restless(evidence: Evidence) -> Iterator[Row]:
    """Yield the features whose weights change most at the end of training."""
    for row in further.settled(evidence).rows[:10]:
        yield [row.feature, f"{row.swing:.3f}", f"{row.frequency:.0%}", f"{row.inflation:,.1f}"]


@table("opponent in training", "games until the score stays within two points of its final value")
def enough_of(evidence: Evidence) -> Iterator[Row]:
    """Yield the number of training games after which the score stays near its final value, for each opponent."""
    for each in variants(evidence, OPPONENTS):
        yield [each.words.removeprefix("opponent "), further.enough_against(str(each.values["opponent"]))]


@table("weight", *(f"change of theta1's {field}, weight {how}" for field in FIELDS for how in CHANGES))
def ablated(evidence: Evidence) -> Iterator[Row]:
    """Yield the changes in the learned player's score and regret if an unsettled weight is set to 0 or to its mean."""
    for name in sorted(SWINGING):
        yield [plain(name), *(gain(field, name, how) for field in FIELDS for how in CHANGES)]


def by_option(question: str, corner: str) -> Table:
    """Return a table of the scores of the players theta1 to theta5, for each option and as first and second player.

    The players theta1 to theta5 are the learned player with the search depths 1 to 5.
    """

    def rows(evidence: Evidence) -> Iterator[Row]:
        for (variant, option), seat in product(OPTIONS[question].items(), SEATS):
            yield [f"{variant}, {SEAT_WORDS[seat]}", *(score(variant, option, [seat], [depth]) for depth in DEPTHS)]

    return Table(question, (corner, *THETA), rows)


@table("moves", "share that stuffs the opponent")
def stuffing(evidence: Evidence) -> Iterator[Row]:
    """Yield the shares of stuffing moves among the moves of a player while its opponent has an empty pit."""
    yield ["moves of theta5", TREATMENTS["stuffed"]]
    yield ["moves of greedy5, its opponent", TREATMENTS["was_stuffed"]]
    yield ["all legal moves of theta5", TREATMENTS["stuffing"]]
    by_chance = further.treatment_by_chance(evidence, further.TREATED)["stuffed"]
    yield ["moves of random against greedy5", SHARE.text(by_chance or 0.0)]


@table("quantity", "mean over the seeds")
def course(evidence: Evidence) -> Iterator[Row]:
    """Yield the change in the score between two training stages, and the games until it stays near its final value."""
    early, late, _ = further.between(evidence)
    yield [f"score after {late:,} games minus score after {early:,} games", further.CHANGE]
    yield ["games until the score stays within two points of its final value", further.ENOUGH]


@table("features", *THETA)
def with_chains(evidence: Evidence) -> Iterator[Row]:
    """Yield the scores of learned players as second player against the heuristic player, by set of features.

    There are two sets of features, without and with features for chains of turns. A chain of turns consists of several
    plies of one player in a row.
    """
    for name, matches in CHAIN.items():
        yield [name, *map(of_match, matches)]


CORNERS = ("weights and seat", "player and seat", "value of a draw, and seat")
TABLES = (
    *(steps, restless, enough_of, ablated, stuffing, course, with_chains),
    *(by_option(question, corner) for question, corner in zip(OPTIONS, CORNERS, strict=True)),
)
