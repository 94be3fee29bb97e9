"""Statistics of the measurements in positions, with their tables and charts."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from petteia.core.protocol import initial, legal
from petteia.render.charts import Curve, line_chart
from petteia.reports.amazons import positions
from petteia.reports.amazons.plan import NODES, QUIET, SHARES, SIMPLE, keeping
from petteia.reports.amazons.positions import GAMES, THIRDS, Seen, mean_of, median_of, played
from petteia.reports.engine.estimates import COUNT, POINTS, SHARE, Unit, certain
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.figures import Figure, difference
from petteia.reports.engine.tables import Row, table

PLIES = Unit(".2f", " plies")
PLACE = Unit(".0f", minimum=1.0)
HEAVY = 500
"""the smallest number of moves with which the original's first method ranks moves at random"""
WHOLE = range(len(THIRDS))
"""all thirds of the game"""
EFFORTS = {each.seconds: each for each in NODES if each.seconds}
"""the node limits that stand for the times of the original; they apply to positions at every scale"""


def of_all(evidence: Evidence, thirds: Sequence[int] = WHOLE) -> list[Seen]:
    """Return the measurements in all positions from these thirds of the games."""
    return [positions.seen_in(evidence, each) for third in thirds for each in positions.positions(evidence, third)]


def thoughts(evidence: Evidence, player: str, seconds: int, thirds: Sequence[int]) -> list[positions.Thought]:
    """Return the results of a player's searches in all positions from these thirds of the games."""
    nodes = EFFORTS[seconds].amount
    return [
        positions.thought_in(evidence, each, PLAYERS[player], nodes)
        for third in thirds
        for each in positions.positions(evidence, third)
    ]


def first_moves(evidence: Evidence) -> tuple[int, int, int]:
    """Return the number of first moves: of one amazon without arrow shots, of one with them, and of all amazons."""
    moves = legal(evidence.rules, initial(evidence.rules))
    groups: dict[int, list[int]] = {}
    for move in moves:
        origin, target = positions.parts(evidence, move)[:2]
        groups.setdefault(origin, []).append(target)
    (alone,) = {len(set(each)) for each in groups.values()}
    (whole,) = {len(each) for each in groups.values()}
    return alone, whole, len(moves)


FIRST_MOVES = tuple(
    Figure(
        f"the number of first moves of {words}",
        COUNT,
        lambda evidence, place=place: certain(float(first_moves(evidence)[place])),  # type: ignore[misc]
    )
    for place, words in enumerate(
        ("each amazon, without arrows,", "each amazon, with all its arrows,", "all amazons, with all their arrows,")
    )
)
FALL = mean_of(
    "the decrease in the number of moves from the first ply to the middle ply of a game",
    COUNT,
    lambda evidence: [each[0] - each[len(each) // 2] for each in played(evidence, evidence.size(GAMES)).counts],
)
MATTERS_MORE = mean_of(
    "the share of the variance of values that the amazon move explains, minus the share that the arrow's "
    "square explains,",
    POINTS,
    lambda evidence: [each.by_amazon - each.by_arrow for each in of_all(evidence)],
)


def picks_lost(third: int) -> Figure:
    """Return the share of positions in which the decision tree first selects an amazon that is trapped for good."""
    words = "the share of positions in which the decision tree picks a lost amazon"
    return mean_of(
        words, SHARE, lambda evidence: [each.picks_lost for each in of_all(evidence, [third])], THIRDS[third]
    )


COWARDLY = difference(picks_lost(2), picks_lost(0))


def placed(name: str, third: int) -> Figure:
    """Return the median rank that a ranking gives to the amazon move that the simple player chooses."""
    words = "the place of the chosen amazon move"
    return median_of(words, PLACE, lambda evidence: [each.ranks[name] for each in of_all(evidence, [third])], name)


def holds(share: float, thirds: Sequence[int] = WHOLE) -> Figure:
    """Return the share of positions in which a selection keeps the amazon move that the simple player chooses."""
    words = "the share of positions in which the selection contains the chosen amazon move"

    def values(evidence: Evidence) -> list[float]:
        return [each.ranks["queen_distance"] <= math.ceil(share * each.groups) for each in of_all(evidence, thirds)]

    return mean_of(words, SHARE, values, f"w = {share:g}")


PLAYERS = {
    "simple": SIMPLE,
    "selective": keeping(0.5),
    "upgraded simple": f"{SIMPLE},{QUIET}",
    "upgraded selective": f"{keeping(0.5)},{QUIET}",
    **{f"w = {share:g}": keeping(share) for share in SHARES},
}
"""The players of the searches by name."""


def depth(player: str, seconds: int) -> Figure:
    """Return the mean depth that a player completes in positions of the first third of the games."""
    words = "the complete search depth"
    return mean_of(words, PLIES, lambda evidence: [each.depth for each in thoughts(evidence, player, seconds, [0])])


def deeper(one: str, other: str, seconds: int) -> Figure:
    """Return the difference of the search depths of two players in the same positions."""

    def values(evidence: Evidence) -> Any:
        both = (thoughts(evidence, player, seconds, WHOLE) for player in (one, other))
        return [mine.depth - theirs.depth for mine, theirs in zip(*both, strict=True)]

    words = f"the search depth of “{one}” minus the search depth of “{other}”"
    return mean_of(words, PLIES, values, f"at {seconds} s")


def not_ready(player: str, seconds: int, subject: str = "", thirds: Sequence[int] = WHOLE) -> Figure:
    """Return the share of positions in which a player does not complete its first iteration."""
    words = f"the share of positions in which “{player}” does not complete its first iteration"

    def values(evidence: Evidence) -> list[bool]:
        return [each.depth == 0 for each in thoughts(evidence, player, seconds, thirds)]

    return mean_of(words, SHARE, values, subject)


def settled(seconds: int, thirds: Sequence[int] = WHOLE) -> Figure:
    """Return the share of its nodes that the simple player searches after its choice no longer changes."""
    words = "the share of the nodes of a move that are used after the choice is fixed"
    return mean_of(
        words, SHARE, lambda evidence: [1.0 - each.settled for each in thoughts(evidence, "simple", seconds, thirds)]
    )


def share_of(words: str, field: str, third: int) -> Figure:
    """Return the mean of a field of `Seen` over the positions from one third of the games."""
    return mean_of(words, SHARE, lambda evidence: [getattr(each, field) for each in of_all(evidence, [third])])


def taken_back(evidence: Evidence, thirds: Sequence[int] = WHOLE) -> tuple[int, int, int, int]:
    """Return the four counts of `Seen.taken_back`, summed over the positions."""
    lost, gained, quiet_lost, quiet_gained = np.sum([each.taken_back for each in of_all(evidence, thirds)], axis=0)
    return int(lost), int(gained), int(quiet_lost), int(quiet_gained)


@table(
    "w", *(f"keeps the move, {words}" for words in THIRDS), *(f"depth with {each.words}" for each in EFFORTS.values())
)
def trade(evidence: Evidence) -> Iterator[Row]:
    """Yield a row for each share of kept moves: how often it keeps the simple player's move, and its search depth."""
    for share in SHARES:
        chances = [holds(share, [third]) for third in WHOLE]
        yield [f"{share:g}", *chances, *(depth(f"w = {share:g}", seconds) for seconds in EFFORTS)]


@table(
    "player",
    *(f"{what} with {each.words}" for each in EFFORTS.values() for what in ("depth", "first iteration unfinished")),
)
def improvement(evidence: Evidence) -> Iterator[Row]:
    """Yield a row for each player, with and without its improvement, on the first third of the games."""
    for name in list(PLAYERS)[:4]:
        yield [name, *(cell for each in EFFORTS for cell in (depth(name, each), not_ready(name, each, "", [0])))]


@table("measurement", *THIRDS)
def stages(evidence: Evidence) -> Iterator[Row]:
    """Yield the rows on the decision tree, the variance of values, and replies, with a column for each third."""
    yield ["share of positions in which the decision tree picks a lost amazon", *map(picks_lost, WHOLE)]
    for words, field in (
        ("share of the moves that remain after the first stage of the decision tree", "left"),
        ("share of the variance of values that the amazon move explains", "by_amazon"),
        ("share of the variance of values that the arrow's square explains", "by_arrow"),
    ):
        yield [words, *(share_of(words, field, third) for third in WHOLE)]
    counts = [taken_back(evidence, [third]) for third in WHOLE]
    yield ["gains that are not quiet, taken back by the best reply", *(f"{each[0]} of {each[1]}" for each in counts)]
    yield ["quiet gains, taken back by the best reply", *(f"{each[2]} of {each[3]}" for each in counts)]
    for seconds, effort in EFFORTS.items():
        yield [
            f"share of {effort.words} that simple uses after its choice is fixed",
            *(settled(seconds, [third]) for third in WHOLE),
        ]


def branching(evidence: Evidence) -> str:
    """Draw the number of legal moves by ply, as a mean over the games that reach the ply."""
    counts = played(evidence, evidence.size(GAMES)).counts
    longest = int(np.median([len(each) for each in counts]))
    means = [float(np.mean([each[ply] for each in counts if len(each) > ply])) for ply in range(longest)]
    curve = Curve("moves", [*range(1, longest + 1)], means)
    return line_chart([curve], "The number of legal moves in the course of a game", "ply", "legal moves")


def below_heavy(evidence: Evidence) -> list[int]:
    """Return the first ply of each game with fewer than HEAVY legal moves, in ascending order."""
    counts = played(evidence, evidence.size(GAMES)).counts
    return sorted(next(ply for ply, each in enumerate(game, 1) if each < HEAVY) for game in counts)


TABLES = (trade, improvement, stages)
