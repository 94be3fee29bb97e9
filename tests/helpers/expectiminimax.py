"""Plain expectiminimax, which the search of games with chance is held against: every line of play, without bounds.

Values are player 0's, in whole units: FINEST to a point, or what the evaluation has if that is more. It shares nothing
with the search but the names of the options.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from petteia.core.kernel import kernel
from petteia.core.protocol import CHANCE, chances, is_over, legal, limits, margin, moves, play, to_move
from petteia.features.evaluation import bound, evaluate, unit
from petteia.search.ends import BY_RESULT, BY_VALUE

FINEST, LARGEST = 4096, (1 << 29) - 1
MAX_DEPTH = 60


@kernel
def expectiminimax(rules, evaluation, options, maximum, state, depth, lists, weights):
    """What a state is worth, `depth` plies ahead; no value lies beyond `maximum` units. `lists`, `weights`: scratch."""
    units = unit(evaluation)
    times = 1 if units >= FINEST else -(-FINEST // units)
    if is_over(rules, state):
        won = margin(rules, state)
        if options & BY_VALUE:
            value = evaluate(evaluation, rules, state) * times
        elif options & BY_RESULT:
            value = units * times if won > 0 else (-units * times if won < 0 else 0)
        else:
            value = won * units * times
        return min(max(value, -maximum), maximum)
    if depth == 0:
        return min(max(evaluate(evaluation, rules, state) * times, -maximum), maximum)
    side = to_move(rules, state)
    if side == CHANCE:
        total = 0.0
        for i in range(chances(rules, state, lists[depth], weights[depth])):
            after = play(rules, state, int(lists[depth, i]))
            value = expectiminimax(rules, evaluation, options, maximum, after, depth - 1, lists, weights)
            total += weights[depth, i] * value
        nearest = math.floor(abs(total) + 0.5)
        return nearest if total >= 0.0 else -nearest
    best = 0
    for i in range(moves(rules, state, lists[depth])):
        after = play(rules, state, int(lists[depth, i]))
        value = expectiminimax(rules, evaluation, options, maximum, after, depth - 1, lists, weights)
        if i == 0 or (side == 0 and value > best) or (side == 1 and value < best):
            best = value
    return best


def value(rules: Any, evaluation: Any, options: int, state: Any, depth: int) -> int:
    """What a state is worth, `depth` plies ahead."""
    shape = (MAX_DEPTH + 1, limits(rules).moves)
    units = unit(evaluation)
    known = bound(evaluation, rules) * (1 if units >= FINEST else -(-FINEST // units))
    lists, weights = np.zeros(shape, np.int64), np.zeros(shape)
    return int(expectiminimax(rules, evaluation, int(options), known or LARGEST, state, int(depth), lists, weights))


def values(rules: Any, evaluation: Any, options: int, state: Any, depth: int) -> dict[int, int]:
    """What each legal move of the root is worth, `depth` plies ahead."""
    after = {move: play(rules, state, move) for move in legal(rules, state)}
    return {move: value(rules, evaluation, options, each, depth - 1) for move, each in after.items()}
