"""Where games of learning begin: in one state, in one of several, or anywhere.

From a single start a learner sees little of what good play never comes to. Starts that explore (Sutton and Barto 1998,
"Reinforcement learning", section 5.3) let it learn about every position.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from petteia.core.errors import InvalidError
from petteia.core.protocol import Rules, State, dispatched, is_over, method, position, positions
from petteia.core.random import RandomState, below

ATTEMPTS = 1_000_000
NEVER = "of a million positions, drawn from those that the game numbers, each was over"
Start = Any
"""A state, `OneOf(states)` or `AnyPosition()`."""


class OneOf(NamedTuple):
    """One of several states, each equally likely."""

    states: tuple[State, ...]
    """the states"""

    def draw_start(start, rules: Rules, random: RandomState) -> State:
        """A state that is drawn from them."""
        return start.states[below(random, len(start.states))]


class AnyPosition(NamedTuple):
    """Any position that the game numbers and that is not over, each equally likely."""

    def draw_start(start, rules: Rules, random: RandomState) -> State:
        """A position that is drawn from them."""
        for _ in range(ATTEMPTS):
            state = position(rules, below(random, positions(rules)))
            if not is_over(rules, state):
                return state
        raise InvalidError(NEVER)


def _itself(start: Start, rules: Rules, random: RandomState) -> State:
    return start


@dispatched(lambda cls: method(cls, "draw_start") or _itself)
def draw_start(start: Start, rules: Rules, random: RandomState) -> State:
    """The state in which a game begins: `start` itself if it is one."""
    raise TypeError
