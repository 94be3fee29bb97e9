"""An even share of the time that is left on a player's clock.

If the clock does not specify a number of moves, the number of remaining moves is estimated by random games from the
position.
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
"""the safety margin in seconds, and the maximum fraction of the share that the margin can take"""
GAMES = 32
QUANTILE = 0.75
"""the quantile of the numbers of moves in random games that is used as the estimate. A high estimate leaves time
unused; with a low one, time runs out"""


class Share(NamedTuple):
    """The time on a player's clock that is available for one move."""

    seconds: float
    """an even share of the remaining time, in seconds, less the safety margin"""
    moves: int
    """the number of moves among which the time is divided, including this one"""


def share(rules: Rules, state: State, limit: Limit, margin: float = MARGIN) -> Share:
    """Return the time for the next move: an even share of the time that is left on the player's clock.

    `limit` contains the time on the clock. A safety margin of `margin` seconds is subtracted from the share, but never
    more than a tenth of the share.
    """
    remaining = limit.remaining or 0.0
    moves = limit.moves_left or moves_ahead(rules, state)
    increment = limit.increment or 0.0
    seconds = min(remaining, (remaining + increment * (moves - 1)) / moves)
    return Share(seconds - min(MAX_PART_OF_SHARE * seconds, margin), moves)


def prepare(rules: Rules, state: State, limit: Limit) -> None:
    """Compile the functions that `share` calls, so that compilation takes no time from the player's clock."""
    if limit.remaining is not None:
        share(rules, state, limit)


def moves_ahead(rules: Rules, state: State) -> int:
    """Return an estimate of the number of moves that the player to move has left, including this one."""
    counts = np.zeros(GAMES, np.int64)
    _count_moves(rules, state, np.zeros(1, np.int64), workspace(rules), counts)
    return 1 + int(np.quantile(counts, QUANTILE))


@kernel(purpose="clocks")
def _count_moves(rules: Rules, start: State, random: Ints, work: Scratch, counts: Ints) -> None:
    """Play random games from `start`, and count the moves of the side that is to move in `start`.

    For each random game, `counts` receives the number of moves that the side to move in `start` makes.
    """
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
