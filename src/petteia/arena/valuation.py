"""Evaluation of the positions in which openings end, to find balanced openings.

The values of the positions are exact if the game can be solved with little memory. Otherwise they are estimated by a
search.
"""

from __future__ import annotations

from collections.abc import Callable

from petteia.core.decision import Limit
from petteia.core.errors import UsageError
from petteia.core.protocol import Rules, State, initial
from petteia.features.evaluations import evaluation_for
from petteia.players.perfect import solved
from petteia.search.searcher import Searcher
from petteia.solver.oracle import Oracle
from petteia.solver.tablebase import build

SOLVING = 50_000_000
"""the maximum memory, in bytes, for solving a game to get exact values"""
WAYS = (Searcher, Oracle)
"""the classes whose code computes values"""
Value = Callable[[State], float]
"""a function that returns the expected margin of a state for player 0, in points"""


def valuation(rules: Rules, start: State, nodes: int) -> tuple[Value, bool]:
    """Return a function that computes values of positions, and whether these values are exact.

    The positions must be reachable from `start`. If the values come from a search, `nodes` is the node limit of the
    search.
    """
    try:
        table = solved(rules, SOLVING) if start == initial(rules) else build(rules, start, memory=SOLVING)
    except UsageError:
        return _searched(rules, nodes), False
    return Oracle(rules, table=table).value, True


def _searched(rules: Rules, nodes: int) -> Value:
    searcher = Searcher(rules, evaluation_for(rules), megabytes=1)

    def value(state: State) -> float:
        searcher.clear()
        found = searcher.search(state, Limit(nodes=nodes)).variations[0].value
        return 0.0 if found is None else found

    return value
