"""Games in which two players move in turn, driven from Python: every move is checked, every clock watched.

From the same conditions, players that follow policies play the same games here as in the compiled loop
`petteia.policies.duel`.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from petteia.core.bits import mix, wrapping_add
from petteia.core.decision import Limit, Reason
from petteia.core.protocol import CHANCE, Rules, State, is_over, legal, margin, play, to_move
from petteia.core.random import stream
from petteia.players.player import Player, scratch
from petteia.policies.duel import Keys, draw_opening, play_chance

GRACE = 0.1
"""seconds by which a move may take longer than the limit says"""


class Conditions(NamedTuple):
    """All that a match fixes but the players. Game `i` depends on these and on `i` alone."""

    rules: Rules
    starts: tuple[State, ...]
    """states that games start from, in turn"""
    opening: int
    """random plies from there before the players begin"""
    seats: tuple[int, int]
    """seat of the first-named player in games of even and odd number"""
    max_plies: int
    """plies after the opening after which a game is a draw"""
    limit: Limit
    keys: Keys

    @property
    def games_per_opening(self) -> int:
        """2 if each opening is played from both sides, else 1."""
        return 1 if self.seats[0] == self.seats[1] else 2

    def start(self, number: int) -> State:
        """Where game `number` starts from."""
        return self.starts[number // self.games_per_opening % len(self.starts)]


class GameRow(NamedTuple):
    """A game of a match."""

    number: int
    seat_of_first: int
    margin: int
    """player 0's; a game lost by a forfeit counts one, a draw by the limit of plies 0"""
    plies: int
    """after the opening"""
    reason: Reason
    digest: int
    """a hash of the moves after the opening, a signed 64-bit word"""

    @property
    def score(self) -> float:
        """What the first-named player gets: 1, 0.5 or 0."""
        if self.margin == 0:
            return 0.5
        return 1.0 if (self.margin > 0) == (self.seat_of_first == 0) else 0.0


def alternate(conditions: Conditions, first: Player, second: Player, numbers: Iterable[int]) -> Iterator[GameRow]:
    """Play the games of these numbers, one by one."""
    for number in numbers:
        yield play_game(conditions, first, second, number)


def play_game(conditions: Conditions, first: Player, second: Player, number: int) -> GameRow:
    """Play game `number`."""
    rules, keys = conditions.rules, conditions.keys
    seat = conditions.seats[number % 2]
    players = (first, second) if seat == 0 else (second, first)
    first.new_game(rules, stream(keys.first, number))
    second.new_game(rules, stream(keys.second, number))
    chance, work = [stream(keys.chance, number)], scratch(rules)
    opening = [stream(keys.opening, number // conditions.games_per_opening)]
    state = draw_opening(rules, conditions.start(number), conditions.opening, opening, work)
    plies = digest = 0
    reason: Reason = "max-plies"
    final = 0
    while plies < conditions.max_plies:
        side = to_move(rules, state)
        if side == CHANCE:
            state = play_chance(rules, state, chance, work)
        else:
            clock = time.perf_counter()
            move = players[side].choose(state, conditions.limit).move
            seconds = time.perf_counter() - clock
            if forfeit := _forfeit(conditions, state, move, seconds):
                reason, final = forfeit, 2 * side - 1
                break
            state = play(rules, state, move)
            digest = mix(wrapping_add(digest, move + 1))
        plies += 1
        if is_over(rules, state):
            reason, final = "over", int(margin(rules, state))
            break
    for player in players:
        player.end_game(state)
    return GameRow(number, seat, final, plies, reason, digest)


def _forfeit(conditions: Conditions, state: State, move: int, seconds: float) -> Reason | None:
    """The reason for which the mover has lost, if it has."""
    if conditions.limit.seconds is not None and seconds > conditions.limit.seconds + GRACE:
        return "timeout"
    return "illegal" if move not in legal(conditions.rules, state) else None
