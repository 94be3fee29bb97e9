"""How a player treats its opponent: how often it starves it, or stuffs its pits.

Every game ends because somebody has no stone left to move. A side is *starved* if that comes before the game is
decided, and *stuffed* if one of its pits ever holds so many stones that sowing them goes all the way round.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from petteia.arena.statistics import Interval, score_interval
from petteia.core.decision import Limit
from petteia.core.protocol import decided, initial, is_over, margin, play, to_move
from petteia.core.random import keys, stream
from petteia.games.kalah import Kalah, Position, pit_of
from petteia.players import player
from petteia.policies.duel import draw_opening
from petteia.policies.policy import workspace

NOBODY = -1
OPENING = 2
"""random plies"""


class Treatment(NamedTuple):
    """How often a player did these things, as shares of its games, with their 95 % intervals."""

    games: int
    won: Interval
    starved: Interval
    """its opponent"""
    was_starved: Interval
    stuffed: Interval
    was_stuffed: Interval
    won_starving: float | None
    """share of the games won among those in which it starved its opponent; None if there are none"""


def treatment(rules: Kalah, subject: str, opponent: str, games: int, seed: int) -> Treatment:
    """Let the player `subject` play so many games against `opponent`, each random opening from both sides."""
    players = (player(subject, rules), player(opponent, rules))
    opening, first, second = keys(seed, 3)
    rows = []
    for game in range(games):
        seat = game % 2
        seated = players if seat == 0 else players[::-1]
        for each, key in zip(players, (first, second), strict=True):
            each.new_game(rules, stream(key, game))
        random = np.array([stream(opening, game // 2)])
        state = draw_opening(rules, initial(rules), OPENING, random, workspace(rules))
        stuffed, is_open = [is_stuffed(rules, state, side) for side in (0, 1)], True
        while not is_over(rules, state):
            is_open = not decided(rules, state)
            state = play(rules, state, seated[to_move(rules, state)].choose(state, Limit()).move)
            for side in (0, 1):
                stuffed[side] |= is_stuffed(rules, state, side)
        final = margin(rules, state) * (1 if seat == 0 else -1)
        starved = to_move(rules, state) if is_open else NOBODY
        rows.append((final > 0, starved == 1 - seat, starved == seat, stuffed[1 - seat], stuffed[seat]))
    table = np.array(rows, np.float64)
    intervals = [score_interval(column) for column in table.T]
    starving = table[table[:, 1] == 1.0, 0]
    won, starves, is_starved, stuffs, is_stuffed_itself = intervals
    won_starving = float(starving.mean()) if len(starving) else None
    return Treatment(games, won, starves, is_starved, stuffs, is_stuffed_itself, won_starving)


def is_stuffed(rules: Kalah, state: Position, side: int) -> bool:
    """Whether a pit of `side` holds enough stones to sow all the way round."""
    row = state.south if side == 0 else state.north
    return any(pit_of(row, pit) >= 2 * rules.pits + 1 for pit in range(rules.pits))
