"""Perft, which counts the sequences of moves of a given length. It is the standard test of a move generator."""

from __future__ import annotations

import numpy as np

from petteia.core.arrays import Floats, Ints
from petteia.core.kernel import kernel
from petteia.core.protocol import CHANCE, Rules, State, chances, count_moves, has_chance, is_over, limits, moves, play
from petteia.core.protocol import to_move as whose_turn


@kernel
def _perft(rules: Rules, state: State, depth: int, lists: Ints, probabilities: Floats) -> int:
    """Return the number of move sequences of exactly `depth` plies from `state`.

    `lists`, int64[depth, moves], is scratch space for the legal moves at each ply. `probabilities`, float64[moves], is
    scratch space for the probabilities of chance outcomes.
    """
    if depth == 0:
        return 1
    if is_over(rules, state):
        return 0
    out = lists[depth - 1]
    if has_chance(rules) and whose_turn(rules, state) == CHANCE:
        count = chances(rules, state, out, probabilities)
        if depth == 1:
            return count
    elif depth == 1:
        return count_moves(rules, state, out)
    else:
        count = moves(rules, state, out)
    nodes = 0
    for i in range(count):
        nodes += _perft(rules, play(rules, state, int(out[i])), depth - 1, lists, probabilities)
    return nodes


def perft(rules: Rules, state: State, depth: int) -> int:
    """Return the number of move sequences of exactly `depth` plies (0 or more) from `state`.

    Games that end in fewer than `depth` plies are not counted. A chance outcome counts as a ply. Raises ValueError if
    `depth` is below 0.
    """
    if depth < 0:
        raise ValueError(f"depth {depth}: must be 0 or more")
    maximum = limits(rules).moves
    lists = np.empty((max(depth, 1), maximum), np.int64)
    return int(_perft(rules, state, int(depth), lists, np.empty(maximum)))
