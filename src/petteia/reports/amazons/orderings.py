"""Question 7, the orderings: what each takes, where it places the chosen move, and who plays best in equal time.

Time on a clock would depend on what else the machine does. So the seconds of processor time that a node takes are
measured once, by ordering. The games go by nodes that are worth the same time, and come out the same at any time.
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
"""of a move by queen distance; each other ordering has as many as take the same time"""
MEASURED = Size(10, 4, 30)
"""positions of each third of a game in which time is measured"""
TURNS = 3
"""of each measurement, the fastest of which counts"""
PLIES = 2
"""of the search in which the time of a ranking is measured"""


class Beside(NamedTuple):
    """Ranks moves at random, but works out another ranking as well, of which the last digit alone counts.

    So a search looks at the same moves with the other ranking and without, and the time between is the ranking's.
    """

    ranking: Ranking

    def rank(ranking, rules: Rules, state: State, move: int, steps: int) -> int:
        """The random rank, with the last digit of the other."""
        return (at_random(rules, state, move) & ~1) | (rank(ranking.ranking, rules, state, move, steps) & 1)

    def ranks_steps(ranking) -> bool:
        """As the other."""
        return ranks_steps(ranking.ranking)


class Time(NamedTuple):
    """What an ordering takes, in seconds of processor time."""

    million: float
    """a million nodes of its player"""
    ranking: float
    """the share of the time of a search that works out the ranks, beyond what random ones take"""


@kept
def time_of(evidence: Evidence, order: str, count: int) -> Time:
    """What an ordering takes, in `count` positions of each third of a game."""
    rules, limit = evidence.rules, Limit(nodes=NODES)
    states = [
        parse_state(rules, each)
        for third in range(len(THIRDS))
        for each in positions.positions(evidence, third)[:count]
    ]
    made = evidence.player(choosing(order))

    def measured(clear: Callable[[], None], think: Callable[[State], int]) -> tuple[int, float]:
        """Nodes and seconds of all positions together; what was found in one helps in no other."""
        nodes, seconds = 0, 0.0
        for state in states:
            clear()
            began = time.process_time()
            nodes += think(state)
            seconds += time.process_time() - began
        return nodes, seconds

    def fastest(clear: Callable[[], None], think: Callable[[State], int]) -> tuple[int, float]:
        return min((measured(clear, think) for _ in range(TURNS)), key=lambda found: found[1])

    nodes, seconds = fastest(lambda: made.new_game(rules, 0), lambda state: made.choose(state, limit).nodes or 0)
    ranking, known_as = ranking_for(rules, order, Mobility())
    first, last = known_as.stages or (TARGET, TARGET)

    def of_search(heavy: int) -> float:
        selection = BestGroups(WHOLE // 2, 0, heavy, Beside(ranking), first, last)
        searcher = Searcher(rules, Mobility(), parts=Parts(selection=selection))
        return fastest(searcher.clear, lambda state: searcher.search(state, Limit(depth=PLIES)).nodes)[1]

    share = 0.0 if order == "random" else max(0.0, 1.0 - of_search(heavy=1) / of_search(heavy=0))
    return Time(1e6 * seconds / nodes, share)


def choosing(order: str) -> str:
    """The player that searches one half of the amazon moves by an ordering; the tree has stages of its own."""
    return f"{SIMPLE},keep=0.5,order={order}{'' if order == 'decision_tree' else ',group=2'}"


def times(evidence: Evidence) -> dict[str, Time]:
    """What each ordering takes."""
    return {order: time_of(evidence, order, evidence.size(MEASURED)) for order in RANKINGS}


def nodes_of(evidence: Evidence) -> dict[str, int]:
    """The nodes of a move that take the same time, by ordering, rounded to two digits."""
    found = times(evidence)
    return {
        order: int(float(f"{NODES * found['queen_distance'].million / each.million:.1e}"))
        for order, each in found.items()
    }


def at_equal_time(evidence: Evidence) -> RoundRobin:
    """The orderings meet each other with equal processor time."""
    players = {order: f"{choosing(order)},nodes={nodes}" for order, nodes in nodes_of(evidence).items()}
    return RoundRobin(players, Size(20, 4, 100), seed=5)


@table(
    *("ordering", "seconds for a million nodes", "of these, ranking", "nodes of a move", "score in equal time"),
    *(f"place of the chosen move, {words}" for words in THIRDS),
)
def rankings(evidence: Evidence) -> Iterator[Row]:
    """The orderings: what they take, how they play in equal time, and where they place the chosen amazon move."""
    nodes = nodes_of(evidence)
    for order, each in times(evidence).items():
        ranking = known("the share of the time that the ranking takes", SHARE, [each.ranking], order)
        places = (seen.placed(order, third) for third in seen.WHOLE)
        taken = f"{each.million:.2f}", ranking, f"{nodes[order]:,}"
        yield [order.replace("_", " "), *taken, score(at_equal_time, order), *places]
