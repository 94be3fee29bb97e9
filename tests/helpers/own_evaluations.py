"""Evaluations of a user's own that return numbers of several kinds, and a game with a score that has no evaluation."""

from __future__ import annotations

import math
from typing import Annotated, Any, NamedTuple

from own_features import Stores

from petteia.core.kernel import inline
from petteia.core.options import Range
from petteia.core.protocol import Buffer, Limits, Rules, is_over
from petteia.games.kalah import Position

# Of Kalah.


@inline
def lead(state: Position) -> int:
    return state.south_store - state.north_store


def sometimes_half(rules, state):
    """A whole number in the first position, fractions in others."""
    return lead(state) / 2 if state.south_store > 0 else 0


def rarely_half(rules, state):
    """Fractions where hardly any game comes."""
    return lead(state) + 0.5 if state.south_store == 3 and state.north_store == 40 else lead(state)


def declared_half(rules, state) -> float:
    return lead(state) + 0.5 if state.south_store == 3 and state.north_store == 40 else lead(state)


def declared_whole(rules, state) -> int:
    return lead(state) / 2


def in_millions(rules, state):
    return 1_000_000 * lead(state)


def is_ahead(rules, state):
    return lead(state) > 0


def rarely_nan(rules, state):
    return math.nan if state.south_store == 3 and state.north_store == 40 else lead(state) / 2


def rarely_infinite(rules, state):
    return -math.inf if state.south_store == 3 and state.north_store == 40 else lead(state) / 2


def enormous(rules, state):
    return 1e300 * lead(state)


class Broken(Stores):
    """Features one of which is rarely a number."""

    def features(feature_set, rules: Rules, state: Position, index: Any, value: Any) -> int:
        index[0] = 0
        value[0] = math.nan if state.south_store == 3 and state.north_store == 40 else 1.0
        return 1


# A game.


class Row(NamedTuple):
    first: int
    """coins taken by the first player"""
    second: int
    left: int
    """coins that are gone from the left end"""
    right: int
    """coins that are gone from the right end"""


COINS = (3, 9, 1, 2, 8, 5, 7, 4)


class Coins(NamedTuple):
    """Players in turn take the coin at either end of a row. Who has more in the end wins by the difference."""

    coins: Annotated[int, Range(2, 8)] = 6

    def initial(rules) -> Row:
        return Row(0, 0, 0, 0)

    def to_move(rules, state: Row) -> int:
        return (state.left + state.right) % 2

    def moves(rules, state: Row, out: Buffer) -> int:
        out[0] = 0
        out[1] = 1
        return 1 if state.left + state.right == rules.coins - 1 else 2

    def play(rules, state: Row, move: int) -> Row:
        coin = COINS[state.left] if move == 0 else COINS[rules.coins - 1 - state.right]
        first, second = state.first, state.second
        if (state.left + state.right) % 2 == 0:
            first += coin
        else:
            second += coin
        return Row(first, second, state.left + 1 - move, state.right + move)

    def is_over(rules, state: Row) -> bool:
        return state.left + state.right == rules.coins

    def margin(rules, state: Row) -> int:
        return state.first - state.second

    def key(rules, state: Row) -> int:
        return state.first | state.second << 8 | state.left << 16 | state.right << 20

    def injective(rules) -> bool:
        return True

    def limits(rules) -> Limits:
        return Limits(2, 2, rules.coins)

    def format_state(rules, state: Row) -> str:
        return ",".join(map(str, state))

    def parse_state(rules, text: str) -> Row:
        try:
            state = Row(*map(int, text.split(",")))
        except (TypeError, ValueError):
            raise ValueError(f"position {text!r}: must look like '0,0,0,0'") from None
        if min(state) < 0 or state.left + state.right > rules.coins:
            raise ValueError(f"position {text!r}: there are {rules.coins} coins")
        return state

    def format_move(rules, state: Row, move: int) -> str:
        return ("left", "right")[move]


class WinOnly(Coins):
    """Nothing but who has won counts."""

    def margin(rules, state: Row) -> int:
        return min(max(state.first - state.second, -1), 1)


class Counted(Coins):
    """Coins are counted in the end, and not before."""

    def margin(rules, state: Row) -> int:
        return (state.first - state.second) * 60 // (60 if is_over(rules, state) else 0)


class Hidden(Coins):
    """Before the end nobody knows."""

    def margin(rules, state: Row) -> int:
        return state.first - state.second if is_over(rules, state) else 0


class LastFirst(NamedTuple):
    """A ranking by which the last pit comes first."""

    def rank(ranking, rules: Rules, state: Any, move: int, steps: int) -> int:
        return move
