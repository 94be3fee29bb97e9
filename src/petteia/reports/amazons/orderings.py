"""A comparison of move orderings by their processor time, and by the scores of players that use them.

In matches with time limits, other programs on the machine would influence the results. Therefore the matches use node
limits, which make their results reproducible. The processor time per node is measured once for each ordering. The node
limits are chosen so that all players use about the same processor time.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple

from petteia.core.decision import Limit
from petteia.core.protocol import Rules, State, parse_state
from petteia.features.amazons_mobility import Mobility
from petteia.features.amazons_rankings import TARGET
from petteia.features.rankings import Ranking, at_random, rank, ranking_for, ranks_steps
from petteia.reports.amazons import positions, seen
from petteia.reports.amazons.plan import SIMPLE
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.kept import kept
from petteia.reports.engine.round_robins import RoundRobin
from petteia.reports.engine.settings import Size
from petteia.search.parts import Parts
from petteia.search.searcher import Searcher
from petteia.search.selection import WHOLE, BestGroups

NODES = 12_000
"""the node limit with the ordering by queen distance; other orderings have the number of nodes that takes equal time"""
MEASURED = Size(10, 4, 30)
"""the number of positions of each third of a game in which the time is measured"""
TURNS = 3
"""the number of repetitions of each measurement; the fastest one counts"""
PLIES = 2
"""depth of the search in which the time of a ranking is measured"""


class Beside(NamedTuple):
    """A random move ordering that also computes the ranks of a second ordering, so that their cost can be measured.

    Only the last bit of a rank comes from the second ordering. Therefore a search visits nearly the same nodes as with
    a purely random ordering. The difference between the times of these two searches is the time of the second ordering.
    """

    ranking: Ranking

    def rank(ranking, rules: Rules, state: State, move: int, steps: int) -> int:
        """Return a random rank. Its last bit is replaced by the last bit of the rank in the second ordering."""
        return (at_random(rules, state, move) & ~1) | (rank(ranking.ranking, rules, state, move, steps) & 1)

    def ranks_steps(ranking) -> bool:
        """Return whether the second ordering can rank a move by its first steps alone, without the remaining steps."""
        return ranks_steps(ranking.ranking)


class Time(NamedTuple):
    """The processor time of searches with a move ordering."""

    million: float
    """the seconds in which the ordering's player visits a million nodes"""
    ranking: float
    """the share of the time of a search that is spent on the ranks, beyond the time of random ranks"""


@kept
def time_of(evidence: Evidence, order: str, count: int) -> Time:
    """Measure the processor time of searches that use a move ordering.

    The searched positions come from all thirds of several games. For each third, at most `count` positions of all games
    together are searched.
    """
    rules, limit = evidence.rules, Limit(nodes=NODES)
    texts = [each for third in seen.WHOLE for each in positions.positions(evidence, third)[:count]]
    states, made = [parse_state(rules, each) for each in texts], evidence.player(choosing(order))

    def measured(clear: Callable[[], None], think: Callable[[State], int]) -> tuple[float, int]:
        """Search all positions. Return the total processor time in seconds, and the total number of nodes.

        Before each search, `clear` deletes the results of earlier searches. The time of `clear` is not counted.
        """
        seconds, nodes = 0.0, 0
        for state in states:
            clear()
            began = time.process_time()
            nodes += think(state)
            seconds += time.process_time() - began
        return seconds, nodes

    def fastest(clear: Callable[[], None], think: Callable[[State], int]) -> tuple[float, int]:
        return min(measured(clear, think) for _ in range(TURNS))

    seconds, nodes = fastest(lambda: made.new_game(rules, 0), lambda state: made.choose(state, limit).nodes or 0)
    ranking, known_as = ranking_for(rules, order, Mobility())
    first, last = known_as.stages or (TARGET, TARGET)

    def of_search(heavy: int) -> float:
        selection = BestGroups(WHOLE // 2, 0, heavy, Beside(ranking), first, last)
        searcher = Searcher(rules, Mobility(), parts=Parts(selection=selection))
        return fastest(searcher.clear, lambda state: searcher.search(state, Limit(depth=PLIES)).nodes)[0]

    share = 0.0 if order == "random" else max(0.0, 1.0 - of_search(heavy=1) / of_search(heavy=0))
    return Time(1e6 * seconds / nodes, share)


def choosing(order: str) -> str:
    """Return the text form of a player that searches only the better half of the moves, as ranked by a move ordering.

    The option `group=2` ranks the moves of the amazons without their arrows. It is omitted for the ordering
    `decision_tree`, because a search with a decision tree selects moves in three stages.
    """
    return f"{SIMPLE},keep=0.5,order={order}{'' if order == 'decision_tree' else ',group=2'}"


def times(evidence: Evidence) -> dict[str, Time]:
    """Return a dictionary from the names of the move orderings to their measured processor times."""
    return {order: time_of(evidence, order, evidence.size(MEASURED)) for order in positions.RANKINGS}


def nodes_of(evidence: Evidence) -> dict[str, int]:
    """Return a node limit per move for each ordering, so that all players use about the same processor time.

    The node limits are rounded to two significant digits.
    """
    million = {order: each.million for order, each in times(evidence).items()}
    return {order: int(float(f"{NODES * million['queen_distance'] / each:.1e}")) for order, each in million.items()}


def in_words(order: str) -> str:
    """Return the display name of a move ordering, such as `queen distance`."""
    return order.replace("_", " ")


def at_equal_time(evidence: Evidence) -> RoundRobin:
    """Return a round robin of players that differ in their move ordering, but use about the same processor time."""
    players = {in_words(order): f"{choosing(order)},nodes={nodes}" for order, nodes in nodes_of(evidence).items()}
    return RoundRobin(players, Size(20, 4, 100), seed=5)
