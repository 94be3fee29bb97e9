"""Certain wins where chance moves: whether a player can win whatever falls.

A value is a mean there and does not tell it. So this is asked apart, of the position that a variation leads to: the
player needs one move that wins, and wins against all moves of the opponent and all outcomes of chance. Nothing is
remembered of positions, as a win that holds against everything is mostly a short one: it is looked for a ply deeper
each time, and what is not found among the first positions counts as not certain.
"""

from __future__ import annotations

import numpy as np

from petteia.core.arrays import Ints
from petteia.core.kernel import kernel
from petteia.core.protocol import CHANCE, Rules, State, decided, margin, moves, play, to_move
from petteia.search.chance import list_outcomes
from petteia.search.memory import WEIGHT, Memory

MAX_POSITIONS = 100_000
"""positions that are looked at before a win counts as not certain"""


def is_certain(rules: Rules, memory: Memory, state: State, side: int, depth: int) -> bool:
    """Whether `side` wins from `state` for sure.

    Args:
        rules: of a game in which chance can move
        memory: arrays for `depth` plies or more; those for the moves and outcomes of each ply are overwritten
        state: any state
        side: the player, 0 or 1
        depth: the plies, outcomes of chance included, within which the game must end or be decided

    Returns:
        True if so. False also where that was not found among `MAX_POSITIONS` positions.

    Raises:
        PetteiaError: probabilities that do not add up to 1

    """
    left = np.array([MAX_POSITIONS])
    return any(wins_for_sure(rules, memory, left, state, side, plies, 0) for plies in range(depth + 1))


@kernel(purpose="certain wins")
def wins_for_sure(rules: Rules, memory: Memory, left: Ints, state: State, side: int, depth: int, ply: int) -> bool:
    """Whether `side` wins for sure within `depth` plies; `left[0]` counts down the positions that may be looked at.

    `ply` is the distance from the position that was asked about.
    """
    if decided(rules, state):
        won = margin(rules, state)
        return won > 0 if side == 0 else won < 0
    if depth == 0 or left[0] <= 0:
        return False
    mover = to_move(rules, state)
    chooses = mover == side
    count = list_outcomes(rules, state, memory, ply, 0) if mover == CHANCE else moves(rules, state, memory.moves[ply])
    for i in range(count):
        if mover == CHANCE and memory.outcomes[ply, WEIGHT, i] == 0.0:  # it cannot fall, as it counts for nothing
            continue
        left[0] -= 1
        after = play(rules, state, int(memory.moves[ply, i]))
        if wins_for_sure(rules, memory, left, after, side, depth - 1, ply + 1) == chooses:
            return chooses
    return not chooses
