"""How long a player with a clock thinks about a move: an even share of what is left.

Where the clock does not say for how many moves its time must do, random games from the position tell how many moves the
player may still have to make.
"""

from __future__ import annotations

import numpy as np

from petteia.core.arrays import Ints
from petteia.core.decision import Limit
from petteia.core.kernel import kernel
from petteia.core.protocol import CHANCE, Rules, State, draw_move, has_chance, is_over, play, to_move
from petteia.policies.play_games import MAX_PLIES, play_chance
from petteia.policies.policy import Scratch, workspace

MARGIN, MOST_OF_SHARE = 0.05, 0.1
"""seconds of its share that a player leaves, so that its move comes in time, and the part of the share that they are at
most"""
GAMES = 32
QUANTILE = 0.75
"""of the moves in random games: who counts on too many has time left, who counts on too few has none"""


def share(rules: Rules, state: State, limit: Limit, margin: float = MARGIN) -> Limit:
    """The limit of this move alone: where there is a clock, with an even share of what is left of it.

    The share is `margin` seconds less, but never by more than a tenth of it.
    """
    if limit.remaining is None:
        return limit
    moves = limit.moves_left or _moves_ahead(rules, state)
    increment = limit.increment or 0.0
    seconds = min(limit.remaining, (limit.remaining + increment * (moves - 1)) / moves)
    seconds -= min(MOST_OF_SHARE * seconds, margin)
    return limit.of_move._replace(seconds=seconds if limit.seconds is None else min(seconds, limit.seconds))


def prepare(rules: Rules, state: State, limit: Limit) -> None:
    """Compile what `share` needs, so that it does not take time from a clock."""
    if limit.remaining is not None:
        share(rules, state, limit)


def _moves_ahead(rules: Rules, state: State) -> int:
    """The number of moves of its own that the player to move must count on."""
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
