"""Certain wins in games with chance nodes: wins that a player can force for every outcome of chance.

In games with chance nodes, the value that a search returns is a mean, which does not show whether a win is certain. So
a separate search starts from the position after a move and looks for a certain win. The player needs one winning move,
and must win against all moves of the opponent and all outcomes of chance. The search for a certain win uses no
transposition table, because certain wins are usually short. The search is repeated with increasing depth, until it
finds a certain win or reaches the maximum depth. All searches together examine about `MAX_POSITIONS` positions at most.
A win that is not found within these limits counts as not certain.
"""

from __future__ import annotations

import numpy as np

from petteia.core.arrays import Ints
from petteia.core.kernel import kernel
from petteia.core.protocol import CHANCE, Rules, State, decided, margin, moves, play, to_move
from petteia.search.chance import list_outcomes
from petteia.search.memory import WEIGHT, Memory

MAX_POSITIONS = 100_000
"""The maximum number of positions in the search for a certain win."""


def is_certain(rules: Rules, memory: Memory, state: State, side: int, depth: int) -> bool:
    """Return whether `side` has a certain win in `state`.

    Args:
        rules: the rules of a game with chance nodes
        memory: arrays for at least `depth` plies, whose moves and outcomes are overwritten
        state: the state to examine
        side: the player, 0 or 1
        depth: the number of plies, including outcomes of chance, within which the game must end or its winner must be
            certain

    Returns:
        True if a certain win was found among at most `MAX_POSITIONS` positions.

    Raises:
        PetteiaError: the probabilities of chance outcomes do not add up to 1

    """
    left = np.array([MAX_POSITIONS])
    return any(wins_for_sure(rules, memory, left, state, side, plies, 0) for plies in range(depth + 1))


@kernel(purpose="certain wins")
def wins_for_sure(rules: Rules, memory: Memory, left: Ints, state: State, side: int, depth: int, ply: int) -> bool:
    """Return whether a search of at most `left[0]` positions finds a certain win of `side` within `depth` plies.

    Each examined position after `state` reduces `left[0]` by 1. `ply` is the distance of `state` from the root.
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
        if mover == CHANCE and memory.outcomes[ply, WEIGHT, i] == 0.0:  # an impossible outcome
            continue
        left[0] -= 1
        after = play(rules, state, int(memory.moves[ply, i]))
        if wins_for_sure(rules, memory, left, after, side, depth - 1, ply + 1) == chooses:
            return chooses
    return not chooses
