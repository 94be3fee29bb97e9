"""Means and other statistics of measurements in positions, with their tables and charts."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import attrgetter
from typing import Any

import numpy as np
from scipy.stats import binom

from petteia.arena.statistics import Interval, mean_interval
from petteia.core.protocol import initial, legal
from petteia.render.charts import Curve, line_chart
from petteia.reports.amazons import positions
from petteia.reports.amazons.plan import NODES, SELECTIVE, SHARES, with_upgrades
from petteia.reports.amazons.positions import GAMES, THIRDS, Seen, Thought, played, seen_in, thought_in
from petteia.reports.engine.declaration import Of
from petteia.reports.engine.estimates import COUNT, POINTS, SHARE, Unit, certain
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.figures import Figure, combination
from petteia.reports.engine.tables import Row, table

PLIES = Unit(".2f", " plies")
HEAVY = 500
"""the smallest number of legal moves at which the first program of the student exercise ranks moves at random"""
WHOLE = range(len(THIRDS))
"""all thirds of the game"""
FIRST_MOVES = (
    "each amazon, without arrow shots",
    "each amazon, with arrow shots",
    "all four amazons, with arrow shots",
)
"""the three ways of counting the legal moves in the start position"""
FIELDS = {
    "picks_lost": "positions in which the decision tree picks a trapped amazon",
    "left": "the legal moves that belong to the amazon picked by the decision tree",
    "by_amazon": "the variance of the evaluation that the amazon move explains",
    "by_arrow": "the variance of the evaluation that the arrow's square explains",
}
"""the fields of the class `Seen` that contain a share, with descriptions"""
EFFORTS = {each.seconds: each for each in NODES if each.seconds}
"""the node limits that correspond to the time limits of the student exercise; searches of positions use them at every
scale"""
LIMITS = [each.words for each in EFFORTS.values()]
"""the same node limits in words"""
PLAYERS = with_upgrades(0.5) | SELECTIVE
"""the text forms of the players that search the positions, by name"""


def move_counts(evidence: Evidence) -> list[list[int]]:
    """Return for each game a list with the number of legal moves at each ply."""
    return played(evidence, evidence.size(GAMES)).counts


def sample(measure: Callable[[Evidence, str], Any], thirds: Sequence[int] = WHOLE) -> Of:
    """Return a function that returns measurements in all positions that were drawn from the given thirds of each game.

    The argument of the returned function is the evidence, the saved measurements of the report. The function `measure`
    measures one position. `thirds` contains 0 for the first third of a game, 1 for the second, and 2 for the last.
    """
    return lambda evidence: [
        measure(evidence, each) for third in thirds for each in positions.positions(evidence, third)
    ]


def thoughts(player: str, seconds: int, thirds: Sequence[int] = WHOLE) -> Of:
    """Return a function that returns statistics of a player's searches.

    The argument of the returned function is the evidence, the saved measurements of the report. The player searches all
    positions that were drawn from the given thirds of each game. The node limit corresponds to the time limit `seconds`
    of the student exercise.
    """
    limit = PLAYERS[player], EFFORTS[seconds].amount
    return sample(lambda evidence, position: thought_in(evidence, position, *limit), thirds)


def first_moves(kind: int) -> Figure:
    """Return the number of legal moves in the start position, of one amazon or of all amazons, as a `Figure`.

    `kind` is the index of an entry in `FIRST_MOVES`.
    """

    def of(evidence: Evidence) -> Interval:
        moves = [tuple(positions.parts(evidence, move)[:2]) for move in legal(evidence.rules, initial(evidence.rules))]
        (alone,), (whole,) = ({*Counter(origin for origin, _ in each).values()} for each in (set(moves), moves))
        return certain(float((alone, whole, len(moves))[kind]))

    return Figure("the number of moves in the start position", COUNT, of, FIRST_MOVES[kind])


def mean_of(words: str, members: Of, measure: Of, unit: Unit = SHARE, subject: str = "") -> Figure:
    """Return the mean of a measure over a sample, with its confidence interval, as a `Figure`.

    The function `members` takes the evidence, the saved measurements of the report, and returns the members of the
    sample. The function `measure` returns a number for a member. `words` is the name of the mean.
    """

    def of(evidence: Evidence) -> Interval:
        return mean_interval([float(measure(each)) for each in members(evidence)]).kept_in(unit.minimum, unit.maximum)

    return Figure(words, unit, of, subject)


FALL = mean_of(
    "the decrease in legal moves from the first to the middle ply of a game",
    move_counts,
    lambda counts: counts[0] - counts[len(counts) // 2],
    COUNT,
)
MATTERS_MORE = mean_of(
    "the share of explained variance",
    sample(seen_in),
    lambda each: each.by_amazon - each.by_arrow,
    POINTS,
    "amazon move minus target square of the arrow",
)


def share_of(field: str, third: int) -> Figure:
    """Return the mean of one field of the class `Seen`, over the positions from one third of each game.

    `field` is the name of the field, a key of `FIELDS`.
    """
    members = sample(seen_in, [third])
    return mean_of(f"the share of {FIELDS[field]}", members, attrgetter(field), subject=THIRDS[third])


COWARDLY = combination(
    ((1.0, share_of("picks_lost", 2)), (-1.0, share_of("picks_lost", 0))),
    f"the share of {FIELDS['picks_lost']}",
    f"{THIRDS[2]} minus {THIRDS[0]} of the games",
)


def placed(name: str, third: int) -> Figure:
    """Return the median rank of the simple player's amazon move in the move ordering `name`, as a `Figure`.

    The median is over the positions from one third of each game. Its confidence interval is that of the sign test.
    """

    def of(evidence: Evidence) -> Interval:
        found = sorted(float(each.ranks[name]) for each in sample(seen_in, [third])(evidence))
        outside = max(int(binom.ppf(0.025, len(found), 0.5)), 1)  # the sign test
        return Interval(float(np.median(found)), found[outside - 1], found[-outside])

    return Figure("the rank of the chosen amazon move", Unit(".0f", minimum=1.0), of, name)


def holds(share: float, thirds: Sequence[int] = WHOLE) -> Figure:
    """Return the share of positions in which a selective search keeps the amazon move of the simple player.

    The selective search keeps the part `share` of all amazon moves.
    """

    def keeps(seen: Seen) -> bool:
        return seen.ranks["queen_distance"] <= math.ceil(share * seen.groups)

    words = "the share of positions in which the selected moves include the choice of “simple”"
    return mean_of(words, sample(seen_in, thirds), keeps, subject=f"w = {share:g}")


def depth(player: str, seconds: int) -> Figure:
    """Return the mean search depth that a player completes in positions from the first third of each game."""
    return mean_of("the completed search depth", thoughts(player, seconds, [0]), attrgetter("depth"), PLIES)


def deeper(one: str, other: str, seconds: int) -> Figure:
    """Return the mean difference between the search depths of two players in the same positions."""

    def pairs(evidence: Evidence) -> Iterable[tuple[Thought, Thought]]:
        return zip(thoughts(one, seconds)(evidence), thoughts(other, seconds)(evidence), strict=True)

    subject = f"“{one}” minus “{other}”, at {seconds} s"
    return mean_of("the difference in search depth", pairs, lambda pair: pair[0].depth - pair[1].depth, PLIES, subject)


def not_ready(player: str, seconds: int, thirds: Sequence[int] = WHOLE) -> Figure:
    """Return the share of positions in which the search of a player does not complete depth 1."""
    words = "the share of positions in which the first iteration is unfinished"
    subject = f"“{player}”, at {seconds} s"
    return mean_of(words, thoughts(player, seconds, thirds), lambda each: each.depth == 0, subject=subject)


def settled(seconds: int, thirds: Sequence[int] = WHOLE) -> Figure:
    """Return the share of nodes that the simple player searches after the last change of its chosen move."""
    words = "the share of nodes that “simple” searches after the last change of its best move"
    return mean_of(words, thoughts("simple", seconds, thirds), lambda each: 1 - each.settled, subject=f"at {seconds} s")


def taken_back(evidence: Evidence, thirds: Sequence[int] = WHOLE) -> tuple[int, int, int, int]:
    """Return how many gains the best reply cancels, and how many gains there are.

    The result has four numbers. The first two count moves that are not quiet: the gains that the best reply cancels,
    and all gains. The last two are the same numbers for quiet moves. All numbers are sums over the positions from the
    given thirds of each game.
    """
    counts = [each.taken_back for each in sample(seen_in, thirds)(evidence)]
    lost, gained, quiet_lost, quiet_gained = np.sum(counts, axis=0).tolist()
    return lost, gained, quiet_lost, quiet_gained


@table("w", *(f"keeps the chosen move, {third}" for third in THIRDS), *(f"depth with {limit}" for limit in LIMITS))
def trade(evidence: Evidence) -> Iterator[Row]:
    """Yield a table row for each share of moves to search: how often it contains a good move, and the search depth.

    The good move is the move of the player `simple` at the search depth `positions.DEPTH`.
    """
    for share in SHARES:
        chances = [holds(share, [third]) for third in WHOLE]
        yield [f"{share:g}", *chances, *(depth(f"w = {share:g}", seconds) for seconds in EFFORTS)]


@table("player", *(f"{what} with {each}" for each in LIMITS for what in ("depth", "first iteration unfinished")))
def improvement(evidence: Evidence) -> Iterator[Row]:
    """Yield a table row for each player, with and without quiescence search: the depth of its search.

    The positions are from the first third of each game.
    """
    for name in list(PLAYERS)[:4]:
        yield [name, *(cell for each in EFFORTS for cell in (depth(name, each), not_ready(name, each, [0])))]


@table("measurement", *THIRDS)
def stages(evidence: Evidence) -> Iterator[Row]:
    """Yield table rows with statistics of positions, and a column for each third of a game.

    The statistics concern the decision tree, the variance of values, gains that a reply cancels, and nodes that a
    search visits after the last change of its best move.
    """
    for field, words in FIELDS.items():
        yield [f"share of {words}", *(share_of(field, third) for third in WHOLE)]
    counts = [taken_back(evidence, [third]) for third in WHOLE]
    yield [
        "gains of moves that are not quiet, cancelled by the best reply",
        *(f"{each[0]} of {each[1]}" for each in counts),
    ]
    yield ["gains of quiet moves, cancelled by the best reply", *(f"{each[2]} of {each[3]}" for each in counts)]
    for seconds, limit in zip(EFFORTS, LIMITS, strict=True):
        words = f"share of {limit} that “simple” searches after the last change of its best move"
        yield [words, *(settled(seconds, [third]) for third in WHOLE)]


def branching(evidence: Evidence) -> str:
    """Draw the number of legal moves by ply, as a mean over the games that reach the ply."""
    counts = move_counts(evidence)
    longest = int(np.median([len(each) for each in counts]))
    means = [float(np.mean([each[ply] for each in counts if len(each) > ply])) for ply in range(longest)]
    curve = Curve("moves", [*range(1, longest + 1)], means)
    return line_chart([curve], "The number of legal moves in the course of a game", "ply", "legal moves")


def below_heavy(evidence: Evidence) -> list[int]:
    """Return the first ply of each game at which fewer than `HEAVY` moves are legal, in ascending order."""
    return sorted(next(ply for ply, each in enumerate(game, 1) if each < HEAVY) for game in move_counts(evidence))
