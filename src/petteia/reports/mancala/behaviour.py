"""What players of Kalah do in games: starving and stuffing, long chains of turns, and how soon a game is decided.

Every game ends because somebody has no stone left to move. A side is *starved* if that comes before the game is
decided, and *stuffed* if one of its pits ever holds so many stones that sowing them goes all the way round.
"""

from __future__ import annotations

from itertools import groupby
from typing import Any, NamedTuple

from petteia.analysis.behaviour import WatchedGame, behaviour
from petteia.arena.statistics import Interval
from petteia.core.protocol import decided, to_move
from petteia.games.kalah import Kalah, Position, pit_of

LONG = 8
"""plies of a long chain"""
Shares = dict[str, float | None]
"""of the games of a player, by what came about; and of those won among those in which it starved its opponent"""


def probabilities_of(rules: Kalah, subject: str, opponent: str, games: int, seed: int) -> Shares:
    """Let the player `subject` play so many games against `opponent`, each random opening from both sides."""
    traits: dict[str, Any] = {
        "won": lambda rules, game: game.margin > 0,
        "starved": lambda rules, game: starves(rules, game, 1 - game.seat),
        "was_starved": lambda rules, game: starves(rules, game, game.seat),
        "stuffed": lambda rules, game: stuffs(rules, game, 1 - game.seat),
        "was_stuffed": lambda rules, game: stuffs(rules, game, game.seat),
    }
    rows = {row.trait: row for row in behaviour(rules, subject, opponent, traits, games=games, seed=seed)}
    return {**{name: row.share for name, row in rows.items()}, "won_starving": rows["starved"].won}


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


class Course(NamedTuple):
    """What games of players that do not learn look like."""

    games: int
    long_chains: Interval
    """share of the games in which the player owns so many plies in a row"""
    longest: int
    """most plies that it owns in a row"""
    after_decision: float
    """share of the plies of a game that come after it is decided, in the mean"""


def course(rules: Kalah, subject: str, opponent: str, games: int, seed: int) -> Course:
    """Watch so many games."""
    chains, late = [], []

    def has_long_chain(rules: Kalah, game: WatchedGame) -> bool:
        chains.append(longest_chain(rules, game))
        late.append(sum(decided(rules, state) for state in game.states[:-1]) / len(game.moves))
        return chains[-1] >= LONG

    traits: dict[str, Any] = {"long": has_long_chain}
    (row,) = behaviour(rules, subject, opponent, traits, games=games, seed=seed, opening=1)
    return Course(games, Interval(row.share, row.low, row.high), max(chains), sum(late) / len(late))


def longest_chain(rules: Kalah, game: WatchedGame) -> int:
    """The most plies in a row of the player that is watched."""
    movers = [to_move(rules, state) for state in game.states[:-1]]
    return max((len([*plies]) for side, plies in groupby(movers) if side == game.seat), default=0)
