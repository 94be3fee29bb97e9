"""Games whose values are known by other means than a proof, and such as break what a proof relies on."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from typing import Annotated, Any, NamedTuple

from generated_games import Drawn, Node, drawn

from petteia.core.options import Range
from petteia.core.protocol import Buffer, Limits, is_over, legal, margin, play, to_move


class Plain(Drawn):
    """A drawn graph without chance: whose turn it is does not alternate, and ends have scores."""

    def to_move(rules, state: Node) -> int:
        return drawn(rules, state.number, 1, 2)

    def has_chance(rules) -> bool:
        return False


class Blurred(Plain):
    """Many of its nodes share a key, and it says so."""

    def key(rules, state: Node) -> int:
        return state.number % 3

    def injective(rules) -> bool:
        return False


class Jagged(Plain):
    """Its largest prizes are more than is proved, and more than a table of positions holds."""

    def margin(rules, state: Node) -> int:
        prize = drawn(rules, state.number, 4, 2 * rules.prizes + 1) - rules.prizes
        return prize << 40 if abs(prize) == rules.prizes else prize


class Rich(Plain):
    """All ends are worth more than is proved."""

    def margin(rules, state: Node) -> int:
        return 1 << 40


class Count(NamedTuple):
    stones: int
    past: int
    """what has been taken, so that no two ways lead to one position"""
    side: int


class Patience(NamedTuple):
    """Stop at once, and win by 1; or play on: who takes the last of the stones, one or two at a time, wins by 2.

    So the first player wins by 2 unless the stones can be divided by 3, else by 1. Position: `90 0 first`. Move: `1`,
    `2`, or `0` to stop, which only the first move can.
    """

    stones: Annotated[int, Range(1, 2000)] = 90
    plies: Annotated[int, Range(0, 10_000)] = 2000

    def initial(rules) -> Count:
        return Count(rules.stones, 0, 0)

    def to_move(rules, state: Count) -> int:
        return state.side

    def moves(rules, state: Count, out: Buffer) -> int:
        count = 0
        if state.past == 0:
            out[0] = 0
            count = 1
        out[count] = 1
        count += 1
        if state.stones > 1:
            out[count] = 2
            count += 1
        return count

    def play(rules, state: Count, move: int) -> Count:
        if move == 0:
            return Count(0, 0, 0)
        past = (state.past * 3 + move) % 1_000_000_007
        return Count(state.stones - move, past + 1, 1 - state.side)

    def is_over(rules, state: Count) -> bool:
        return state.stones == 0

    def margin(rules, state: Count) -> int:
        if state.past == 0:
            return 1
        return 2 if state.side == 1 else -2

    def key(rules, state: Count) -> int:
        return (state.past << 12 | state.stones) << 1 | state.side

    def injective(rules) -> bool:
        return True

    def limits(rules) -> Limits:
        return Limits(3, 3, rules.plies)

    def format_state(rules, state: Count) -> str:
        return f"{state.stones} {state.past} {('first', 'second')[state.side]}"

    def parse_state(rules, text: str) -> Count:
        found = re.fullmatch("([0-9]{1,4}) ([0-9]{1,10}) (first|second)", text, re.ASCII)
        if not found:
            raise ValueError(f"position {text!r}: must look like '90 0 first'")
        return Count(int(found[1]), int(found[2]), ("first", "second").index(found[3]))

    def format_move(rules, state: Count, move: int) -> str:
        return str(move)


def minimax(rules: Any) -> Callable[[Any], int]:
    """What each position of a finite game without chance is worth, player 0's, by the definition."""

    @functools.cache
    def value(state: Any) -> int:
        if is_over(rules, state):
            return int(margin(rules, state))
        best = max if to_move(rules, state) == 0 else min
        return best(value(play(rules, state, move)) for move in legal(rules, state))

    return value
