"""A Python loop that plays the games of a match. It checks that each move is legal and in time.

Games between two policies can also be played by a compiled loop (`petteia.policies.play_games`). With the same
settings, both loops play identical games.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from petteia.arena.wakeups import Wakeups
from petteia.core.bits import mix, wrapping_add
from petteia.core.clock import TIME_IS_UP, Clock, Remaining
from petteia.core.decision import ALLOWANCE, Fault, Limit, Reason
from petteia.core.errors import PetteiaError
from petteia.core.protocol import CHANCE, Rules, State, format_state, is_over, legal, margin, play, to_move
from petteia.core.random import stream
from petteia.core.stop import check_stop
from petteia.players.player import Player, scratch
from petteia.policies.play_games import RngKeys, dice_of, draw_opening, draw_outcome, pair_of

LATE = 0.02
"""the maximum delay, in seconds, with which the machine may wake up the referee; half of the grace, if that is
longer"""
MAX_AGAIN = 5
"""the maximum number of attempts to play a pair of games; an attempt fails if the machine wakes up the referee too
late"""


OVERLOADED = (
    "the machine is overloaded: the referee woke up late in too many games with a time limit; end other programs, or "
    "use fewer jobs"
)


class OverloadedError(PetteiaError):
    """The error raised if the machine is too slow for games with a time limit."""

    def __init__(self, message: str = OVERLOADED) -> None:
        super().__init__(message)


class Conditions(NamedTuple):
    """The settings of a match, such as the rules, the start states, the limits and the seeds.

    The conditions do not include the two players. A game is determined by the conditions, the players and the number of
    the game. Therefore the games of a match can be played in any order.
    """

    rules: Rules
    """the rules of the game"""
    starts: tuple[State, ...]
    """the states in which games start; the pairs of games use them in turn"""
    opening: int
    """the number of random plies after the start, before the players begin"""
    seats: tuple[int, int]
    """the seat, 0 or 1, of the first-named player in games with even numbers, and in games with odd numbers"""
    max_plies: int
    """the number of plies after the opening at which a game ends as a draw"""
    limit: Limit
    """the limit of each move"""
    keys: RngKeys
    """the keys of the random numbers"""
    grace: float = ALLOWANCE.grace
    """the number of seconds by which a move may exceed the time limit or the clock"""
    clock: Clock | None = None
    """the clock of each player at the start of a game; None if games are played without clocks"""
    keeps_moves: bool = False
    """whether the row of a game contains its moves; the game is then driven from Python"""
    keeps_letters: bool = False
    """whether the tally contains a letter for the result of each game"""
    first_pair: int = 0
    """the number of the pair of games that starts in the first state of `starts`"""

    @property
    def first_limit(self) -> Limit:
        """The limits that apply to a player's first move, such as its time limit and the time on its clock."""
        return self.limit if self.clock is None else self.clock.started().limit(self.limit)

    @property
    def is_timed(self) -> bool:
        """Whether the match has a time limit or clocks, so that a player loses a game if its move takes too long."""
        return self.limit.seconds is not None or self.clock is not None

    @property
    def games_per_opening(self) -> int:
        """The number of games per opening: 2 if the players swap seats for a second game, otherwise 1."""
        return 1 if self.seats[0] == self.seats[1] else 2

    def start(self, number: int) -> State:
        """The state in which game `number` starts."""
        return self._start_of(pair_of(self.seats, number))

    def _start_of(self, pair: int) -> State:
        return self.starts[(pair - self.first_pair) % len(self.starts)]

    def of(self, games: range) -> Conditions:
        """Return these settings with only those start states that the given games use.

        `games` is a range of game numbers. If games come in pairs, the range must contain both games of each pair.
        """
        first, last = (pair_of(self.seats, number) for number in (games[0], games[-1]))
        if last - first + 1 >= len(self.starts):
            return self
        starts = tuple(self._start_of(pair) for pair in range(first, last + 1))
        return self._replace(starts=starts, first_pair=first)


class TimeUsed(NamedTuple):
    """A player's total thinking time and number of moves in a game with a time limit or a clock."""

    seconds: float = 0.0
    """the total time of the moves, in seconds"""
    moves: int = 0
    """the number of moves"""

    def with_move(self, seconds: float) -> TimeUsed:
        """Return the totals after one more move, which took `seconds` seconds."""
        return TimeUsed(self.seconds + seconds, self.moves + 1)


NO_TIME = (TimeUsed(), TimeUsed())
"""the time of both players in games without a time limit"""


class GameRow(NamedTuple):
    """The result of one game of a match."""

    number: int
    """the number of the game"""
    seat_of_first: int
    """the seat of the first-named player in this game, 0 or 1"""
    margin: int
    """the final margin of player 0; 1 or -1 if a player lost by a fault, and 0 for a draw by the limit of plies"""
    plies: int
    """the number of plies after the opening"""
    reason: Reason
    """why the game ended"""
    digest: int
    """a hash of the moves after the opening, a signed 64-bit word"""
    fault: str = ""
    """a sentence about a player that broke a rule of the match or failed after the end of the game; otherwise empty"""
    start: State | None = None
    """the state after the opening; None unless the match keeps moves"""
    moves: tuple[int, ...] = ()
    """codes of moves and chance outcomes after the opening; empty unless the match keeps moves"""
    used: tuple[TimeUsed, TimeUsed] = NO_TIME
    """the time that the first-named and the second-named player used, if time was limited"""
    voided: int = 0
    """the number of earlier attempts that did not count because the machine was overloaded"""

    @property
    def score(self) -> float:
        """The first-named player's points for this game: 1, 0.5 or 0."""
        if self.margin == 0:
            return 0.5
        return 1.0 if (self.margin > 0) == (self.seat_of_first == 0) else 0.0


def alternate(conditions: Conditions, first: Player, second: Player, numbers: Iterable[int]) -> Iterator[GameRow]:
    """Play the games with the given numbers one after the other, and yield the result of each game."""
    for each in (first, second):
        each.expect(conditions.rules, conditions.starts[0], conditions.first_limit)
    if not conditions.is_timed:
        for number in numbers:
            yield play_game(conditions, first, second, number)
        return
    with Wakeups() as wakeups:
        for _, pair in groupby(numbers, lambda number: pair_of(conditions.seats, number)):
            yield from _in_time(conditions, first, second, list(pair), wakeups)


def _in_time(
    conditions: Conditions, first: Player, second: Player, pair: Sequence[int], wakeups: Wakeups
) -> Iterator[GameRow]:
    """Play the games with the numbers `pair`, and yield their results. Repeat the games if their times are unreliable.

    The measured times are unreliable if the operating system woke up a sleeping thread too late during the games: by
    more than half of the grace period and by more than `LATE` seconds. Raises an OverloadedError after `MAX_AGAIN`
    attempts with unreliable times.
    """
    for voided in range(MAX_AGAIN):
        wakeups.take()
        rows = [play_game(conditions, first, second, number) for number in pair]
        if wakeups.take() <= max(conditions.grace / 2, LATE):
            yield from (row._replace(voided=voided) for row in rows)
            return
    raise OverloadedError


def play_game(conditions: Conditions, first: Player, second: Player, number: int) -> GameRow:
    """Play game `number`. A player that fails or breaks a rule loses the game."""
    rules, keys = conditions.rules, conditions.keys
    seat = conditions.seats[number % 2]
    players = (first, second) if seat == 0 else (second, first)
    seeds = [stream(key, number) for key in ((keys.first, keys.second) if seat == 0 else (keys.second, keys.first))]
    pair, work = pair_of(conditions.seats, number), scratch(rules)
    dice, opening = dice_of(keys.chance, pair), [stream(keys.opening, pair)]
    state = start = draw_opening(rules, conditions.start(number), conditions.opening, opening, work)
    moves = list[int]()
    plies = digest = side = final = 0
    last = CHANCE
    reason: Reason = "max-plies"
    fault = ""
    begun = list[Player]()
    used = [*NO_TIME]
    clocks = None if conditions.clock is None else [conditions.clock.started(), conditions.clock.started()]
    try:
        for side in (0, 1):
            players[side].new_game(rules, seeds[side])
            begun.append(players[side])
        while plies < conditions.max_plies:
            side = to_move(rules, state)
            if side == CHANCE:
                move = draw_outcome(rules, state, dice[last], work)
            else:
                move = _chosen(conditions, players[side], state, side, clocks, used)
                digest = mix(wrapping_add(digest, move + 1))
                last = side
            state = play(rules, state, move)
            moves.append(move)
            plies += 1
            if is_over(rules, state):
                reason, final = "over", int(margin(rules, state))
                break
    except Fault as error:
        reason, final, fault = error.reason, 2 * side - 1, str(error)
    for each in begun:
        try:
            each.end_game(state)
        except Fault as error:
            fault = fault or str(error)
    kept = (start, tuple(moves)) if conditions.keeps_moves else ()
    row = GameRow(number, seat, final, plies, reason, digest, fault, *kept)
    return row._replace(used=(used[seat], used[1 - seat])) if conditions.is_timed else row


def _chosen(
    conditions: Conditions,
    player: Player,
    state: State,
    side: int,
    clocks: list[Remaining] | None,
    used: list[TimeUsed],
) -> int:
    """Return the player's move. Raises a Fault if the move is late or illegal.

    The function subtracts the thinking time from the player's clock in `clocks`, and adds it to the player's total in
    `used`.
    """
    limit = conditions.limit if clocks is None else clocks[side].limit(conditions.limit)
    begin = time.perf_counter()
    move = player.choose(state, limit).move
    check_stop()  # a stopped search still returns its best move
    seconds = time.perf_counter() - begin
    used[side] = used[side].with_move(seconds)
    check_time(player.name, seconds, limit, conditions.grace, clocks[side] if clocks else None)
    if clocks is not None:
        clocks[side] = clocks[side].after(seconds)
    return legal_move(conditions.rules, player, state, move)


def check_time(name: str, seconds: float, limit: Limit, grace: float, left: Remaining | None) -> None:
    """Raise a Fault if a move exceeded the time limit or the clock by more than the grace period.

    `seconds` is the duration of the move, and `grace` is the grace period in seconds. `left` is the player's clock
    before the move, or None if the game has no clocks.
    """
    if limit.seconds is not None and seconds > limit.seconds + grace:
        raise Fault(f"player {name}: choose took longer than {limit.seconds + grace:g} s", "timeout")
    if left is not None and seconds > left.seconds + grace:
        raise Fault(f"player {name}: {TIME_IS_UP}", "timeout")


def legal_move(rules: Rules, player: Player, state: State, move: int) -> int:
    """Return the move if it is legal. Otherwise raise a Fault that names the player."""
    if move not in legal(rules, state):
        raise Fault(f"player {player.name}: move code {move} is not legal in {format_state(rules, state)!r}", "illegal")
    return move
