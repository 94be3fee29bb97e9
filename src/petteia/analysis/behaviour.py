"""Measure in how many games of a player an event, such as a capture, occurs, and how many of them the player wins."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from petteia.arena.alternate import legal_move
from petteia.arena.openings import start_state
from petteia.arena.statistics import score_interval
from petteia.core.decision import Limit
from petteia.core.errors import UsageError
from petteia.core.protocol import CHANCE, Rules, State, is_over, margin, play, to_move
from petteia.core.random import checked_seed, keys, stream
from petteia.games import game as rules_of
from petteia.players import Player, player
from petteia.policies.play_games import MAX_PLIES, draw_opening, play_chance
from petteia.policies.policy import workspace

UNLIMITED = Limit()
OPENING = 2
"""The number of random plies at the start of each game, by default."""


class WatchedGame(NamedTuple):
    """A finished or stopped game, from the perspective of the player whose behaviour is measured."""

    seat: int
    """the seat of the observed player"""
    states: tuple[State, ...]
    """the states from the end of the opening to the end of the game"""
    moves: tuple[int, ...]
    """the move in each state except the last; `CHANCE` at chance nodes"""
    margin: int
    """the final margin of the observed player; 0 if the game was stopped"""


Trait = Callable[[Rules, WatchedGame], bool]
"""A function that tests whether an event occurred in a game."""


class TraitRow(NamedTuple):
    """The share of a player's games in which an event occurred, and the share of these games that the player won."""

    trait: str
    """the name of the event"""
    games: int
    """the number of games"""
    share: float
    """the share of games in which the event occurred"""
    low: float
    """the lower bound of the 95 % interval of the share"""
    high: float
    """the upper bound of the 95 % interval of the share"""
    won: float | None
    """the share of wins among the games in which the event occurred; None if it never did"""


def behaviour(
    game: str | Rules,
    subject: str | Any,
    opponent: str | Any,
    traits: Mapping[str, Trait],
    *,
    games: int = 300,
    opening: int = OPENING,
    position: str | State | None = None,
    max_plies: int = MAX_PLIES,
    seed: int = 0,
) -> list[TraitRow]:
    """Play games, and return the share of the games in which each of the given events occurred.

    Args:
        game: the rules, as an object or a string
        subject: the player to observe, as a string, a player object or a policy
        opponent: the opponent, as a string, a player object or a policy
        traits: the events to count, as a mapping from names to functions. Each function takes the rules and a
            `WatchedGame`, and returns whether the event occurred in the game
        games: the number of games. If both players can take both seats, each opening is played twice, and the players
            exchange seats for the second game
        opening: the number of random plies at the start of each game
        position: the start position of all games, as a state or a string; default: the initial position
        max_plies: the number of plies after which a game is stopped
        seed: the seed of all random numbers, 0..2^63-1

    Returns:
        A row for each event, in the order of `traits`.

    Raises:
        UsageError: an unknown game or player, two players that can play only the same side, or a number out of range
        NotFoundError: a module, class, run or file that does not exist
        InvalidError: an impossible position, or a file for another game
        PetteiaError: a player that fails or makes an illegal move

    Examples:
        >>> def begins_with_6(rules, game):
        ...     return game.moves[0] == 5
        >>> rows = petteia.behaviour("kalah", "greedy", "random", {"begins with 6": begins_with_6}, games=20)
        >>> rows[0].trait, rows[0].share
        ('begins with 6', 0.4)

    """
    rules = rules_of(game)
    start = start_state(rules, position)
    for name, count, minimum in (("games", games, 1), ("opening", opening, 0), ("max_plies", max_plies, 1)):
        if count < minimum:
            raise UsageError(f"{name}={count}: must be {minimum} or more")
    players = (player(subject, rules), player(opponent, rules))
    watched = _watch(rules, *players, start, games, opening, max_plies, checked_seed(seed))
    table = np.array([[game.margin > 0, *(trait(rules, game) for trait in traits.values())] for game in watched])
    rows = []
    for name, column in zip(traits, table.T[1:], strict=True):
        share, low, high = score_interval(column.astype(np.float64))
        won = float(table[column, 0].mean()) if column.any() else None
        rows.append(TraitRow(name, games, share, low, high, won))
    return rows


def _watch(
    rules: Rules, subject: Player, opponent: Player, start: State, games: int, opening: int, max_plies: int, seed: int
) -> Iterator[WatchedGame]:
    """Play `games` games, and yield each of them as a `WatchedGame` from the perspective of the player `subject`."""
    if subject is opponent:
        raise UsageError("a player object cannot play against itself; give its text form, or a second object")
    seats = [seat for seat in (0, 1) if seat in subject.seats and 1 - seat in opponent.seats]
    if not seats:
        raise UsageError(
            f"{subject.name} and {opponent.name}: both play only the same side; choose players for different sides"
        )
    openings, first, second, chance = keys(seed, 4)
    work = workspace(rules)
    for game in range(games):
        seat = seats[game % len(seats)]
        seated = (subject, opponent) if seat == 0 else (opponent, subject)
        for each, key in ((subject, first), (opponent, second)):
            each.new_game(rules, stream(key, game))
        random, dice = (np.array([word]) for word in (stream(openings, game // len(seats)), stream(chance, game)))
        states, moves = [draw_opening(rules, start, opening, random, work)], list[int]()
        while not is_over(rules, states[-1]) and len(moves) < max_plies:
            side = to_move(rules, states[-1])
            if side == CHANCE:
                moves.append(CHANCE)
                states.append(play_chance(rules, states[-1], dice, work))
                continue
            chosen = seated[side].choose(states[-1], UNLIMITED).move
            moves.append(legal_move(rules, seated[side], states[-1], chosen))
            states.append(play(rules, states[-1], moves[-1]))
        for each in seated:
            each.end_game(states[-1])
        final = margin(rules, states[-1]) if is_over(rules, states[-1]) else 0
        yield WatchedGame(seat, tuple(states), tuple(moves), int(final) * (1 if seat == 0 else -1))
    for each in (subject, opponent):
        each.finish()
