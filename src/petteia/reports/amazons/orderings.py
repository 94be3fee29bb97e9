"""Question 7: the time of each move ordering, its rank of the chosen move, and its strength with equal time.

Clock time depends on other work of the machine. So the processor time of a node is measured once for each
ordering. In the games each ordering has the number of nodes that take the same time, so their results are reproducible.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

from petteia.core.decision import Limit
from petteia.core.protocol import Rules, State, parse_state
from petteia.features.amazons_mobility import Mobility
from petteia.features.amazons_rankings import TARGET
from petteia.features.rankings import Ranking, at_random, rank, ranking_for, ranks_steps
from petteia.reports.amazons import positions, seen
from petteia.reports.amazons.plan import SIMPLE
from petteia.reports.amazons.positions import RANKINGS, THIRDS
from petteia.reports.engine.estimates import SHARE
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.figures import known
from petteia.reports.engine.kept import kept
from petteia.reports.engine.round_robins import RoundRobin, score
from petteia.reports.engine.settings import Size
from petteia.reports.engine.tables import Row, table
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
    """A random ranking that also computes another ranking, so that the time of this other ranking can be measured.

    It uses only the last bit of the other ranking. So a search visits nearly the same moves with and without it, and
    the difference of the times is the time of the ranking.
    """

    ranking: Ranking

    def rank(ranking, rules: Rules, state: State, move: int, steps: int) -> int:
        """Return the random rank, with its last bit replaced by the last bit of the other rank."""
        return (at_random(rules, state, move) & ~1) | (rank(ranking.ranking, rules, state, move, steps) & 1)

    def ranks_steps(ranking) -> bool:
        """Return whether the other ranking gives the same rank to all moves that begin with the same steps."""
        return ranks_steps(ranking.ranking)


class Time(NamedTuple):
    """The processor time of a move ordering."""

    million: float
    """the seconds in which the ordering's player visits a million nodes"""
    ranking: float
    """the share of the time of a search that is spent on the ranks, beyond the time of random ranks"""


@kept
def time_of(evidence: Evidence, order: str, count: int) -> Time:
    """Measure the time of an ordering in `count` positions of each third of a game."""
    rules, limit = evidence.rules, Limit(nodes=NODES)
    texts = [each for third in seen.WHOLE for each in positions.positions(evidence, third)[:count]]
    states, made = [parse_state(rules, each) for each in texts], evidence.player(choosing(order))

    def measured(clear: Callable[[], None], think: Callable[[State], int]) -> tuple[float, int]:
        """Return the total processor seconds and nodes of all positions. Each search begins with a cleared memory."""
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
    """Return a player that searches half of the amazon moves, ranked by the ordering `order`.

    The option `group` is left out for `decision_tree`, because the tree defines its own stages.
    """
    return f"{SIMPLE},keep=0.5,order={order}{'' if order == 'decision_tree' else ',group=2'}"


def times(evidence: Evidence) -> dict[str, Time]:
    """Return the time of each ordering."""
    return {order: time_of(evidence, order, evidence.size(MEASURED)) for order in RANKINGS}


def nodes_of(evidence: Evidence) -> dict[str, int]:
    """Return for each ordering the number of nodes per move in the same time, rounded to two digits."""
    million = {order: each.million for order, each in times(evidence).items()}
    return {order: int(float(f"{NODES * million['queen_distance'] / each:.1e}")) for order, each in million.items()}


def at_equal_time(evidence: Evidence) -> RoundRobin:
    """Return a round robin between players that use different move orderings and have equal processor time."""
    players = {order: f"{choosing(order)},nodes={nodes}" for order, nodes in nodes_of(evidence).items()}
    return RoundRobin(players, Size(20, 4, 100), seed=5)


@table(
    *("ordering", "seconds per million nodes", "share of the time for the ranking", "nodes per move"),
    *("score with equal processor time", *(f"place of the chosen move, {words}" for words in THIRDS)),
)
def rankings(evidence: Evidence) -> Iterator[Row]:
    """Yield a row for each move ordering: its time, its score with equal time, and its ranks of the chosen move."""
    nodes = nodes_of(evidence)
    for order, each in times(evidence).items():
        ranking = known("the share of the time that the ranking takes", SHARE, [each.ranking], order)
        places = (seen.placed(order, third) for third in seen.WHOLE)
        taken = f"{each.million:.2f}", ranking, f"{nodes[order]:,}"
        yield [order.replace("_", " "), *taken, score(at_equal_time, order), *places]
