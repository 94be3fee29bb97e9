"""The values of the leaves of a search: finished games, and positions at its maximum depth."""

from __future__ import annotations

from petteia.core.kernel import called, inline
from petteia.core.pointer import value_at
from petteia.core.protocol import State
from petteia.search import ends
from petteia.search.memory import GUESSES
from petteia.search.parts import Search, search_beyond


@called
def worth_of_end(search: Search, state: State, ply: int) -> int:
    """Return the value, for player 0, of a state in which the game is over or decided, `ply` plies below the root."""
    rules, evaluation, _, options, memory = value_at(search)
    return ends.worth_of_end(evaluation, rules, options, memory, state, ply)


@inline
def value_of_leaf(search: Search, before: State, state: State, ply: int, alpha: int, beta: int) -> int:
    """Return the value of a leaf for player 0: exact if the game is over or decided, and otherwise an estimate.

    `before` is the state one ply earlier. `alpha` and `beta` are values for player 0, like the result. If the value of
    the leaf is not between `alpha` and `beta`, the result may be only a bound of the value.
    """
    rules, _, parts, options, memory = value_at(search)
    if ends.is_settled(rules, options, state):
        return worth_of_end(search, state, ply)
    memory.counters[GUESSES] += 1
    return search_beyond(parts.horizon, search, before, state, ply, alpha, beta)
