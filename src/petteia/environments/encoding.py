"""Actions and observations of an environment as numbers.

In a game with at most `MAX_ACTIONS` move codes, an action is a move code. In other games, an action is one step of a
move, as defined by the game's method `steps`. A player then acts several times until its move is complete.

An observation is a vector of numbers from the perspective of one player. It begins with the output of the game's method
`observe`. If the game does not define `observe`, the observation begins with the contents of each square as one-hot
vectors. If the game defines `swapped`, player 1 sees the squares with the colours of both players exchanged. If actions
are steps of moves, numbers for the steps already made in the current move follow. The last number of the observation is
the observing player, 0 or 1.
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
"""int8 of one-hot contents, or float32 of the output of a game's `observe`; [numbers]"""


class Encoding(NamedTuple):
    """The encoding of the moves and states of a game as numbers."""

    rules: Rules
    actions: int
    """the number of actions"""
    by_steps: bool
    """whether an action is a step of a move instead of a whole move"""
    kinds: int
    """the number of kinds of contents of a square; 0 if the game has `observe`"""
    numbers: int
    """the length of an observation"""

    def options(self, state: State, begun: tuple[int, ...]) -> dict[int, int | None]:
        """Return a dictionary that maps each legal action to the code of the move that the action completes.

        If further steps must follow the action, the dictionary contains None instead of a code. `begun` contains the
        steps of the current move that the player has already made.
        """
        if self.by_steps:
            return continuations(self.rules, state, begun)
        return {move: move for move in legal(self.rules, state)}

    def mask(self, options: dict[int, int | None]) -> Mask:
        """The action mask, int8[actions]: 1 for each legal action, otherwise 0."""
        mask = np.zeros(self.actions, np.int8)
        mask[list(options)] = 1
        return mask

    def observation(self, state: State, side: int, begun: tuple[int, ...]) -> Observation:
        """Return the observation of player `side` in `state`, as a vector of numbers.

        `begun` contains the steps of the current move that the player to move has already made. The observation
        includes these steps.
        """
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
    """Encode the steps `begun` as a list of `codes` numbers, one for each step code.

    The number is n for the n-th step that the player has made, and 0 for steps that the player has not made.
    """
    told = [0] * codes
    for place, step in enumerate(begun, 1):
        told[step] = place
    return told


def encoding_for(rules: Rules) -> Encoding:
    """Return the encoding of a game.

    Raises UsageError if the game does not define how positions are observed. Also raises UsageError if the game has
    more than `MAX_ACTIONS` move codes, and does not divide moves into steps.
    """
    name, codes = format_game(rules), limits(rules).codes
    by_steps = codes > MAX_ACTIONS
    if by_steps and not (provides(rules, "steps") and provides(rules, "step_codes")):
        raise UsageError(
            f"{name} has {codes:,} move codes, but an environment has at most {MAX_ACTIONS:,} actions; define the "
            "methods `step_codes` and `steps`, so that a move consists of several actions (docs/game.md)"
        )
    actions = step_codes(rules) if by_steps else codes
    if provides(rules, "observe"):
        kinds, shown = 0, observe(rules, initial(rules), 0, [0.0] * MAX_SQUARES)
    elif provides(rules, "contents") and provides(rules, "content_kinds"):
        kinds = content_kinds(rules)
        shown = contents(rules, initial(rules), [0] * MAX_SQUARES) * kinds
    else:
        raise UsageError(
            f"{name}: the game does not define how positions are observed; define the methods `contents` and "
            "`content_kinds`, or the method `observe` (docs/game.md)"
        )
    return Encoding(rules, actions, by_steps, kinds, shown + (actions if by_steps else 0) + 1)
