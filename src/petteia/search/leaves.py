"""The leaves of a search: ends of games, and states at its horizon."""

from __future__ import annotations

from petteia.core.kernel import inline
from petteia.core.pointer import value_at
from petteia.core.protocol import State
from petteia.search.ends import is_settled, worth_of_end
from petteia.search.memory import GUESSES
from petteia.search.parts import Search, search_beyond


@inline
def value_at_horizon(search: Search, state: State, ply: int, alpha: int, beta: int) -> int:
    """The value for player 0 of a state that is not settled, at which the search stops: a guess. See `search_beyond`."""
    _, _, parts, _, memory = value_at(search)
    memory.counters[GUESSES] += 1
    return search_beyond(parts.horizon, search, state, ply, alpha, beta)


@inline
def value_of_leaf(search: Search, state: State, ply: int, alpha: int, beta: int) -> int:
    """The value for player 0 of a state that is not searched any further, settled or not."""
    rules, evaluation, _, options, memory = value_at(search)
    if is_settled(rules, options, state):
        return worth_of_end(evaluation, rules, options, memory, state, ply)
    return value_at_horizon(search, state, ply, alpha, beta)
