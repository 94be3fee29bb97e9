"""Statistics of the measurements in sampled positions, and the tables and charts that show them."""

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
    """Return a list for each game, which contains the number of legal moves at each ply."""
    return played(evidence, evidence.size(GAMES)).counts


def sample(measure: Callable[[Evidence, str], Any], thirds: Sequence[int] = WHOLE) -> Of:
    """Return a function that measures all positions sampled from the given thirds of the games.

    The returned function takes the evidence (the saved measurements of the report), and returns a list of results. The
    function `measure` measures one position. `thirds` contains 0 for the first third of a game, 1 for the second, and 2
    for the last.
    """
    return lambda evidence: [
        measure(evidence, each) for third in thirds for each in positions.positions(evidence, third)
    ]


def thoughts(player: str, seconds: int, thirds: Sequence[int] = WHOLE) -> Of:
    """Return a function that measures a player's searches of sampled positions.

    The returned function takes the evidence (the saved measurements of the report), and returns a list of results. The
    player searches all positions that were sampled from the given thirds of the games. The node limit corresponds to
    the student exercise's time limit of `seconds` seconds.
    """
    limit = PLAYERS[player], EFFORTS[seconds].amount
    return sample(lambda evidence, position: thought_in(evidence, position, *limit), thirds)


def first_moves(kind: int) -> Figure:
    """Return the number of legal moves in the start position as a `Figure`.

    `kind` is an index in `FIRST_MOVES`, which describes three ways of counting the moves.
    """

    def of(evidence: Evidence) -> Interval:
        moves = [tuple(positions.parts(evidence, move)[:2]) for move in legal(evidence.rules, initial(evidence.rules))]
        (alone,), (whole,) = ({*Counter(origin for origin, _ in each).values()} for each in (set(moves), moves))
        return certain(float((alone, whole, len(moves))[kind]))

    return Figure("the number of moves in the start position", COUNT, of, FIRST_MOVES[kind])


def mean_of(words: str, members: Of, measure: Of, unit: Unit = SHARE, subject: str = "") -> Figure:
    """Return a `Figure` with the mean of a measure over the members of a sample, and its confidence interval.

    The function `members` takes the evidence (the saved measurements of the report), and returns the members of the
    sample. The function `measure` returns a number for one member. `words` is the name of the mean.
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
    """Return the mean of a field of the class `Seen`, over all positions sampled from one third of the games.

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
    """Return the median rank that a move ordering gives to the amazon move chosen by the player `simple`.

    `name` is the name of the move ordering. The median is over the positions sampled from one third of the games. Its
    confidence interval is based on the sign test.
    """

    def of(evidence: Evidence) -> Interval:
        found = sorted(float(each.ranks[name]) for each in sample(seen_in, [third])(evidence))
        outside = max(int(binom.ppf(0.025, len(found), 0.5)), 1)  # the sign test
        return Interval(float(np.median(found)), found[outside - 1], found[-outside])

    return Figure("the rank of the chosen amazon move", Unit(".0f", minimum=1.0), of, name)


def holds(share: float, thirds: Sequence[int] = WHOLE) -> Figure:
    """Return the share of positions in which a selective search examines the amazon move chosen by the player `simple`.

    The selective search examines the given `share` of all amazon moves: those that rank highest by queen distance.
    """

    def keeps(seen: Seen) -> bool:
        return seen.ranks["queen_distance"] <= math.ceil(share * seen.groups)

    words = "the share of positions in which the selected moves include the choice of “simple”"
    return mean_of(words, sample(seen_in, thirds), keeps, subject=f"w = {share:g}")


def depth(player: str, seconds: int) -> Figure:
    """Return the mean depth that a player's search completes, in positions from the first third of each game."""
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
    """Return the mean share of nodes that the player `simple` searches after its choice of a move has become final."""
    words = "the share of nodes that “simple” searches after the last change of its best move"
    return mean_of(words, thoughts("simple", seconds, thirds), lambda each: 1 - each.settled, subject=f"at {seconds} s")


def taken_back(evidence: Evidence, thirds: Sequence[int] = WHOLE) -> tuple[int, int, int, int]:
    """Count sampled moves that raise the evaluation, and those of them whose gain the opponent's best reply cancels.

    The result has four numbers. The first is the number of moves that are not quiet and whose gain the best reply
    cancels. The second is the number of all moves that are not quiet and raise the evaluation. The last two are the
    same numbers for quiet moves. All are sums over the positions sampled from the given thirds of the games. In each
    position, at most `positions.REPLIED` moves are drawn at random and counted.
    """
    counts = [each.taken_back for each in sample(seen_in, thirds)(evidence)]
    lost, gained, quiet_lost, quiet_gained = np.sum(counts, axis=0).tolist()
    return lost, gained, quiet_lost, quiet_gained


@table("w", *(f"keeps the chosen move, {third}" for third in THIRDS), *(f"depth with {limit}" for limit in LIMITS))
def trade(evidence: Evidence) -> Iterator[Row]:
    """Yield a table row for each share of moves to search: how often it includes a good move, and the search depth.

    A good move is the move that the player `simple` chooses at search depth `positions.DEPTH`.
    """
    for share in SHARES:
        chances = [holds(share, [third]) for third in WHOLE]
        yield [f"{share:g}", *chances, *(depth(f"w = {share:g}", seconds) for seconds in EFFORTS)]


@table("player", *(f"{what} with {each}" for each in LIMITS for what in ("depth", "first iteration unfinished")))
def improvement(evidence: Evidence) -> Iterator[Row]:
    """Yield a table row for each player of experiment 2, with the mean depth that its search completes.

    A row also shows how often the search does not complete depth 1. All positions are from the first third of each
    game.
    """
    for name in list(PLAYERS)[:4]:
        yield [name, *(cell for each in EFFORTS for cell in (depth(name, each), not_ready(name, each, [0])))]


@table("measurement", *THIRDS)
def stages(evidence: Evidence) -> Iterator[Row]:
    """Yield a table row for each statistic of the sampled positions, with a column for each third of the games.

    The statistics concern the decision tree, the variance of evaluations, and the gains that a reply cancels. They also
    include the share of nodes that a search visits after the last change of its best move.
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
    """Draw a chart of the mean number of legal moves at each ply, over all games that reach the ply."""
    counts = move_counts(evidence)
    longest = int(np.median([len(each) for each in counts]))
    means = [float(np.mean([each[ply] for each in counts if len(each) > ply])) for ply in range(longest)]
    curve = Curve("moves", [*range(1, longest + 1)], means)
    return line_chart([curve], "The number of legal moves in the course of a game", "ply", "legal moves")


def below_heavy(evidence: Evidence) -> list[int]:
    """Return, for each game, the first ply with fewer than `HEAVY` legal moves. The plies are in ascending order."""
    return sorted(next(ply for ply, each in enumerate(game, 1) if each < HEAVY) for game in move_counts(evidence))
