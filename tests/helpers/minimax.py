"""Plain minimax, which the search is held against: every line of play to its end, without bounds and without memory.

Values are player 0's. It shares nothing with the search but the names of the options.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from petteia.core.kernel import kernel
from petteia.core.protocol import decided, is_over, legal, limits, margin, moves, play, to_move
from petteia.features.evaluation import LARGEST, evaluate, unit
from petteia.search.ends import BY_MARGIN, BY_VALUE, DECIDED, EARLY, WON

MAX_DEPTH = 60


@kernel
def minimax(rules, evaluation, options, drawn, state, depth, ply, lists):
    """What a state is worth, `depth` plies ahead; it is met `ply` plies from the root.

    `drawn` is what a draw is worth. `lists` is scratch.
    """
    if is_over(rules, state) or (options & DECIDED and decided(rules, state)):
        won = margin(rules, state)
        if options & BY_VALUE:
            return min(max(evaluate(evaluation, rules, state), -LARGEST), LARGEST)
        if won == 0:
            return drawn
        if options & BY_MARGIN:
            return min(max(won * unit(evaluation), -LARGEST), LARGEST)
        worth = WON
        if options & EARLY:
            worth -= ply
        return worth if won > 0 else -worth
    if depth == 0:
        return min(max(evaluate(evaluation, rules, state), -LARGEST), LARGEST)
    side = to_move(rules, state)
    best = 0
    for i in range(moves(rules, state, lists[ply])):
        after = play(rules, state, int(lists[ply, i]))
        value = minimax(rules, evaluation, options, drawn, after, depth - 1, ply + 1, lists)
        if i == 0 or (side == 0 and value > best) or (side == 1 and value < best):
            best = value
    return best


def scratch(rules: Any) -> Any:
    return np.zeros((MAX_DEPTH + 1, limits(rules).moves), np.int64)


def value(
    rules: Any,
    evaluation: Any,
    options: int,
    state: Any,
    depth: int,
    ply: int = 0,
    lists: Any = None,
    drawn: int = 0,
) -> int:
    """What a state is worth that is met `ply` plies from the root, `depth` plies ahead."""
    found = scratch(rules) if lists is None else lists
    return int(minimax(rules, evaluation, int(options), int(drawn), state, int(depth), int(ply), found))


def values(
    rules: Any, evaluation: Any, options: int, state: Any, depth: int, lists: Any = None, drawn: int = 0
) -> dict[int, int]:
    """What each legal move of the root is worth, `depth` plies ahead."""
    return {
        move: value(rules, evaluation, options, play(rules, state, move), depth - 1, 1, lists, drawn)
        for move in legal(rules, state)
    }
