"""What an environment shows of a game: actions and observations as numbers.

An action is a move code, if a game has at most `MAX_ACTIONS` of them. Else it is one of the few steps in which the
game writes its moves (its verb `steps`), and a player acts several times until its move is complete.

An observation is one row of numbers, as one of the players sees the game: what `observe` writes or, for a game without
it, each square's `contents` one-hot, for the second player those of the state with the players exchanged where the game
can do so (`swapped`). Behind it stand the steps of a move begun, and which player it is that sees it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from petteia.core.errors import UsageError
from petteia.core.names import format_game
from petteia.core.protocol import (
    MAX_SQUARES,
    Rules,
    State,
    content_kinds,
    contents,
    initial,
    legal,
    limits,
    observe,
    provides,
    step_codes,
    swapped,
)
from petteia.core.steps import continuations

MAX_ACTIONS = 4096
Mask = NDArray[np.int8]
Observation = NDArray[Any]
"""int8 of one-hot contents, or float32 of what a game's `observe` writes; [numbers]"""


class Encoding(NamedTuple):
    """How a game's moves and states are numbered."""

    rules: Rules
    actions: int
    """how many actions there are"""
    by_steps: bool
    """whether an action is a step of a move, not a whole one"""
    kinds: int
    """how many kinds of contents a square has; 0 where the game writes what is observed itself"""
    numbers: int
    """length of an observation"""

    def options(self, state: State, begun: tuple[int, ...]) -> dict[int, int | None]:
        """The actions that are possible now: the code of the move that each completes, None if it completes none.

        `begun` are the steps made so far of the move that is being made in `state`.
        """
        if self.by_steps:
            return continuations(self.rules, state, begun)
        return {move: move for move in legal(self.rules, state)}

    def mask(self, options: dict[int, int | None]) -> Mask:
        """1 for each possible action, int8[actions]."""
        mask = np.zeros(self.actions, np.int8)
        mask[list(options)] = 1
        return mask

    def observation(self, state: State, side: int, begun: tuple[int, ...]) -> Observation:
        """The state as player `side` (0 or 1) sees it, with the steps of a move begun; [numbers]."""
        whose = (*_told(self.actions if self.by_steps else 0, begun), side)
        if self.kinds == 0:
            numbers = [0.0] * MAX_SQUARES
            count = observe(self.rules, state, side, numbers)
            return np.array([*numbers[:count], *whose], np.float32)
        squares = [0] * MAX_SQUARES
        seen = swapped(self.rules, state) if side == 1 and provides(self.rules, "swapped") else state
        count = contents(self.rules, seen, squares)
        row = np.zeros(self.numbers, np.int8)
        row[np.arange(count) * self.kinds + squares[:count]] = 1
        row[count * self.kinds :] = whose
        return row


def _told(codes: int, begun: tuple[int, ...]) -> list[int]:
    """For each step the place that it has among those made, the first being 1; 0 for those not made."""
    told = [0] * codes
    for place, step in enumerate(begun, 1):
        told[step] = place
    return told


def encoding_for(rules: Rules) -> Encoding:
    """The encoding of a game; UsageError for one that cannot be shown."""
    name, codes = format_game(rules), limits(rules).codes
    by_steps = codes > MAX_ACTIONS
    if by_steps and not (provides(rules, "steps") and provides(rules, "step_codes")):
        raise UsageError(
            f"{name} has {codes:,} move codes, and an environment at most {MAX_ACTIONS:,} actions; give the game "
            "`step_codes` and `steps`, so that a move is a few actions (docs/game.md)"
        )
    actions = step_codes(rules) if by_steps else codes
    if provides(rules, "observe"):
        kinds, shown = 0, observe(rules, initial(rules), 0, [0.0] * MAX_SQUARES)
    elif provides(rules, "contents") and provides(rules, "content_kinds"):
        kinds = content_kinds(rules)
        shown = contents(rules, initial(rules), [0] * MAX_SQUARES) * kinds
    else:
        raise UsageError(
            f"{name}: nothing says what an environment could show of a position; give the game `contents` and "
            "`content_kinds`, or `observe` (docs/game.md)"
        )
    return Encoding(rules, actions, by_steps, kinds, shown + (actions if by_steps else 0) + 1)
