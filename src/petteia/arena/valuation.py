"""How even positions are: exactly where the game can be solved with little memory, by a search elsewhere."""

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
"""bytes within which a game is solved, to know the values of its positions exactly"""
WAYS = (Searcher, Oracle)
"""by what values are found"""
Value = Callable[[State], float]
"""The margin that is expected from a state, player 0's, in points."""


def valuation(rules: Rules, start: State, nodes: int) -> tuple[Value, bool]:
    """What tells the value of positions that can be reached from `start`, and whether it is that of best play.

    `nodes` are those of the search, where it takes one.
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
