"""How a player treats its opponent: how often it starves it, or stuffs its pits.

Every game ends because somebody has no stone left to move. A side is *starved* if that comes before the game is
decided, and *stuffed* if one of its pits ever holds so many stones that sowing them goes all the way round.
"""

from __future__ import annotations

from typing import NamedTuple

from petteia.analysis.behaviour import WatchedGame, behaviour
from petteia.arena.statistics import Interval
from petteia.core.protocol import decided, to_move
from petteia.games.kalah import Kalah, Position, pit_of


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
    traits = {
        "won": lambda rules, game: game.margin > 0,
        "starved": lambda rules, game: starves(rules, game, 1 - game.seat),
        "was_starved": lambda rules, game: starves(rules, game, game.seat),
        "stuffed": lambda rules, game: stuffs(rules, game, 1 - game.seat),
        "was_stuffed": lambda rules, game: stuffs(rules, game, game.seat),
    }
    rows = {row.trait: row for row in behaviour(rules, subject, opponent, traits, games=games, seed=seed)}
    intervals = {name: Interval(row.share, row.low, row.high) for name, row in rows.items()}
    return Treatment(games, **intervals, won_starving=rows["starved"].won)


def starves(rules: Kalah, game: WatchedGame, side: int) -> bool:
    """Whether the game ended, undecided, as `side` had no stone to move."""
    return to_move(rules, game.states[-1]) == side and not decided(rules, game.states[-2])


def stuffs(rules: Kalah, game: WatchedGame, side: int) -> bool:
    """Whether a pit of `side` was ever stuffed."""
    return any(is_stuffed(rules, state, side) for state in game.states)


def is_stuffed(rules: Kalah, state: Position, side: int) -> bool:
    """Whether a pit of `side` holds enough stones to sow all the way round."""
    row = state.south if side == 0 else state.north
    return any(pit_of(row, pit) >= 2 * rules.pits + 1 for pit in range(rules.pits))
