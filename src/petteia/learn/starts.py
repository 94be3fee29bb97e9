"""Starting positions of training games: one state, one of several states, or any position.

From a single start, a learner rarely visits the positions that good play avoids. With exploring starts, each training
game starts in a random position. The learner therefore learns about all positions (Sutton and Barto 1998,
"Reinforcement learning", section 5.3).
"""

from __future__ import annotations

from typing import Any, NamedTuple

from petteia.core.errors import InvalidError
from petteia.core.protocol import Rules, State, dispatched, is_over, method, position, positions
from petteia.core.random import RandomState, below

ATTEMPTS = 1_000_000
NO_START = "found no start: the game is over in each of a million random positions; start games from a given state"
Start = Any
"""The start of training games: a state, `OneOf(states)` or `AnyPosition()`."""


class OneOf(NamedTuple):
    """A random starting position, drawn uniformly from several given states."""

    states: tuple[State, ...]
    """the possible starting states"""

    def draw_start(start, rules: Rules, random: RandomState) -> State:
        """Return one of the possible starting states, chosen at random."""
        return start.states[below(random, len(start.states))]


class AnyPosition(NamedTuple):
    """A random starting position, drawn uniformly from the non-terminal positions in the game's numbering."""

    def draw_start(start, rules: Rules, random: RandomState) -> State:
        """Return a random position, drawn uniformly from the non-terminal positions in the game's numbering."""
        for _ in range(ATTEMPTS):
            state = position(rules, below(random, positions(rules)))
            if not is_over(rules, state):
                return state
        raise InvalidError(NO_START)


def _same_state(start: Start, rules: Rules, random: RandomState) -> State:
    return start


@dispatched(lambda cls: method(cls, "draw_start") or _same_state)
def draw_start(start: Start, rules: Rules, random: RandomState) -> State:
    """Return the starting state of a training game: `start` if it is a state, otherwise one drawn at random."""
    raise TypeError
