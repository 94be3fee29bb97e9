"""The behaviour of players of Kalah: starving, stuffing, and long chains of turns.

A game ends when the side to move has no stone. This side is *starved* if the game was undecided until then. A move
*stuffs* the opponent if the opponent had an empty pit and now has none, so that it cannot capture.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby, pairwise
from typing import Any

from petteia.analysis.behaviour import WatchedGame, behaviour
from petteia.core.bits import popcount
from petteia.core.protocol import decided, play, to_move
from petteia.games.kalah import Kalah, Position, occupied, pit_of

LONG = 8
"""The number of plies of a long chain."""
Shares = dict[str, float | None]
"""Shares by name. A share is None if there was no case."""


def treatment_of(
    rules: Kalah, subject: str, opponent: str, games: int, seed: int, value: Callable[[Position], float] | None = None
) -> Shares:
    """Play `games` games between `subject` and `opponent`, and measure how often they starve and stuff each other.

    A player is starved if it has no stones to move while the winner is still undecided. A player is stuffed by a move
    after which none of its pits is empty any more, so that it cannot capture. Each random opening is played twice, with
    exchanged sides.

    Returns:
        A dictionary with these values:

        - `won`, `drawn`: the shares of games that `subject` wins and draws
        - `starved`: the share of games in which `opponent` is starved
        - `was_starved`: the share of games in which `subject` is starved
        - `stuffed`: the share of moves that stuff `opponent`, among the moves that `subject` makes while `opponent` has
          an empty pit
        - `was_stuffed`: the same share with `subject` and `opponent` exchanged
        - `stuffing`: the share of moves that stuff `opponent`, among all legal moves in the positions of `stuffed`
        - `drawn_value`: the mean `value` of the positions of drawn games

    """
    could, did, offered, stuffing = [0, 0], [0, 0], 0, 0
    values: list[float] = []

    def count(rules: Kalah, game: WatchedGame) -> bool:
        nonlocal offered, stuffing
        for state, after in pairwise(game.states):
            if has_hole(rules, state, 1 - state.side):
                other = int(state.side != game.seat)
                could[other] += 1
                did[other] += not has_hole(rules, after, 1 - state.side)
                if not other:
                    own = state.south if state.side == 0 else state.north
                    moves = [pit for pit in range(rules.pits) if pit_of(own, pit)]
                    offered += len(moves)
                    stuffing += sum(not has_hole(rules, play(rules, state, move), 1 - state.side) for move in moves)
        if game.margin == 0 and value is not None:
            values.extend(map(value, game.states[:-1]))
        return game.margin == 0

    traits: dict[str, Any] = {
        "won": lambda rules, game: game.margin > 0,
        "drawn": count,
        "starved": lambda rules, game: starves(rules, game, 1 - game.seat),
        "was_starved": lambda rules, game: starves(rules, game, game.seat),
    }
    rows = {row.trait: row for row in behaviour(rules, subject, opponent, traits, games=games, seed=seed)}
    return {
        **{name: row.share for name, row in rows.items()},
        "stuffed": did[0] / max(could[0], 1),
        "was_stuffed": did[1] / max(could[1], 1),
        "stuffing": stuffing / max(offered, 1),
        "drawn_value": sum(values) / len(values) if values else None,
    }


def starves(rules: Kalah, game: WatchedGame, side: int) -> bool:
    """Return whether the game ended because `side` had no stones to move, while the winner was still undecided."""
    return to_move(rules, game.states[-1]) == side and not decided(rules, game.states[-2])


def has_hole(rules: Kalah, state: Position, side: int) -> bool:
    """Return whether a pit of `side` is empty."""
    return popcount(occupied(state.south if side == 0 else state.north)) < rules.pits


def course(rules: Kalah, subject: str, opponent: str, games: int, seed: int) -> dict[str, float]:
    """Measure how often a player makes many plies in a row, in games between two players that do not learn.

    Returns:
        A dictionary with these values:

        - `games`: the number of games
        - `long_chains`: the share of games in which the subject makes at least LONG plies in a row
        - `low`, `high`: the bounds of the confidence interval of this share
        - `longest`: the largest number of plies that the subject makes in a row in any game

    """
    chains: list[int] = []

    def has_long_chain(rules: Kalah, game: WatchedGame) -> bool:
        chains.append(longest_chain(rules, game))
        return chains[-1] >= LONG

    traits: dict[str, Any] = {"long": has_long_chain}
    (row,) = behaviour(rules, subject, opponent, traits, games=games, seed=seed, opening=1)
    shares = {"long_chains": row.share, "low": row.low, "high": row.high}
    return {"games": games, **shares, "longest": max(chains)}


def longest_chain(rules: Kalah, game: WatchedGame) -> int:
    """Return the largest number of plies that the player in the seat `game.seat` makes in a row."""
    movers = [to_move(rules, state) for state in game.states[:-1]]
    return max((len([*plies]) for side, plies in groupby(movers) if side == game.seat), default=0)
