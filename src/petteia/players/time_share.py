"""An even share of the time that is left on a player's clock.

If the clock has no fixed number of moves, random games from the position estimate the number of remaining moves.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from petteia.core.arrays import Ints
from petteia.core.decision import Limit
from petteia.core.kernel import kernel
from petteia.core.protocol import CHANCE, Rules, State, draw_move, has_chance, is_over, play, to_move
from petteia.policies.play_games import MAX_PLIES, play_chance
from petteia.policies.policy import Scratch, workspace

MARGIN, MAX_PART_OF_SHARE = 0.05, 0.1
"""the safety margin in seconds, and the maximum fraction of the share that it can take"""
GAMES = 32
QUANTILE = 0.75
"""the quantile of the number of moves in random games. High estimates leave time unused; with low ones, time runs
out"""


class Share(NamedTuple):
    """The share of a player's clock for one move."""

    seconds: float
    """an even share of the remaining time in seconds, less the margin"""
    moves: int
    """the number of moves that share the time, including this one"""


def share(rules: Rules, state: State, limit: Limit, margin: float = MARGIN) -> Share:
    """Compute an even share of the time left on the clock of `limit`; `limit` must have a clock.

    The share is reduced by `margin` seconds, but by at most a tenth of itself.
    """
    remaining = limit.remaining or 0.0
    moves = limit.moves_left or moves_ahead(rules, state)
    increment = limit.increment or 0.0
    seconds = min(remaining, (remaining + increment * (moves - 1)) / moves)
    return Share(seconds - min(MAX_PART_OF_SHARE * seconds, margin), moves)


def prepare(rules: Rules, state: State, limit: Limit) -> None:
    """Compile the functions of `share`, so that the compilation takes no time from a clock."""
    if limit.remaining is not None:
        share(rules, state, limit)


def moves_ahead(rules: Rules, state: State) -> int:
    """The estimated number of moves of the player to move, including this one."""
    counts = np.zeros(GAMES, np.int64)
    _count_moves(rules, state, np.zeros(1, np.int64), workspace(rules), counts)
    return 1 + int(np.quantile(counts, QUANTILE))


@kernel(purpose="clocks")
def _count_moves(rules: Rules, start: State, random: Ints, work: Scratch, counts: Ints) -> None:
    """Count the moves of the player to move in random games from `start`, with one game for each item of `counts`."""
    side = to_move(rules, start)
    for game in range(len(counts)):
        state = start
        for _ in range(MAX_PLIES):
            if is_over(rules, state):
                break
            mover = to_move(rules, state)
            if has_chance(rules) and mover == CHANCE:
                state = play_chance(rules, state, random, work)
            else:
                state = play(rules, state, draw_move(rules, state, random, work.moves))
            if mover == side:
                counts[game] += 1
