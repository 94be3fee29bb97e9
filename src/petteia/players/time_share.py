"""An even share of what is left on a player's clock.

Where the clock does not say for how many moves its time must do, random games from the position tell how many moves the
player may still have to make.
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
"""seconds of its share that a player leaves, so that its move comes in time, and the part of the share that they are at
most"""
GAMES = 32
QUANTILE = 0.75
"""of the moves in random games: who counts on too many has time left, who counts on too few has none"""


class Share(NamedTuple):
    """What a player with a clock has for a move."""

    seconds: float
    """an even share of what is left, less the margin"""
    moves: int
    """the moves among which it is divided, this one included"""


def share(rules: Rules, state: State, limit: Limit, margin: float = MARGIN) -> Share:
    """An even share of what is left on the clock of `limit`, which has one.

    The share is `margin` seconds less, but never by more than a tenth of it.
    """
    remaining = limit.remaining or 0.0
    moves = limit.moves_left or moves_ahead(rules, state)
    increment = limit.increment or 0.0
    seconds = min(remaining, (remaining + increment * (moves - 1)) / moves)
    return Share(seconds - min(MAX_PART_OF_SHARE * seconds, margin), moves)


def prepare(rules: Rules, state: State, limit: Limit) -> None:
    """Compile what `share` needs, so that it does not take time from a clock."""
    if limit.remaining is not None:
        share(rules, state, limit)


def moves_ahead(rules: Rules, state: State) -> int:
    """The number of moves of its own that the player to move must count on, this one included."""
    counts = np.zeros(GAMES, np.int64)
    _count_moves(rules, state, np.zeros(1, np.int64), workspace(rules), counts)
    return 1 + int(np.quantile(counts, QUANTILE))


@kernel(purpose="clocks")
def _count_moves(rules: Rules, start: State, random: Ints, work: Scratch, counts: Ints) -> None:
    """Count the moves of the player to move in random games from `start`, one for each of `counts`, int64[games]."""
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
