"""Skeleton: players take 1 to 3 stones from a heap in turn; whoever takes the last stone wins.

This is a complete game to start from. Change a rule and look at what happens:

    petteia check skeleton:Skeleton                does the game keep its promises, plain and compiled?
    petteia play skeleton:Skeleton                 a game in the terminal
    petteia perft skeleton:Skeleton:stones=9 5     an option goes behind the name

A position is written `21 first`: the stones left, and who moves. A move is written as the number of stones taken.

The same methods run as plain Python and compiled. So they work on whole numbers (0 to 2^63-1): what you need to know of
a position stands in the fields of the state, and `//` divides. Lists, sets, dictionaries and text are for the three
methods at the end, which are never compiled. A function of your own that the other methods call gets the line `@inline`
above it (from petteia.core.kernel import inline).
"""

from __future__ import annotations

import re
from typing import Annotated, NamedTuple

from petteia.core.options import Range
from petteia.core.positions import strict
from petteia.core.protocol import Buffer, Limits

MAX_TAKEN = 3


class Heap(NamedTuple):
    """A state of the game. It never changes: `play` makes a new one."""

    stones: int
    side: int
    """who moves: player 0 or player 1"""


class Skeleton(NamedTuple):
    """Taking stones from a heap. Each field is an option of the rules; `rules` stands where `self` usually does."""

    stones: Annotated[int, Range(1, 1000)] = 21

    def initial(rules) -> Heap:
        """The state in which a game starts."""
        return Heap(rules.stones, 0)

    def to_move(rules, state: Heap) -> int:
        """The player whose turn it is, 0 or 1. Turns need not alternate."""
        return state.side

    def moves(rules, state: Heap, out: Buffer) -> int:
        """Write the legal moves, each an int, into `out`, and return how many there are."""
        count = 0
        for taken in range(1, min(MAX_TAKEN, state.stones) + 1):
            out[count] = taken
            count += 1
        return count

    def play(rules, state: Heap, move: int) -> Heap:
        """The state after a legal move."""
        return Heap(state.stones - move, 1 - state.side)

    def is_over(rules, state: Heap) -> bool:
        """Whether the game has ended; it must have when there is no move."""
        return state.stones == 0

    def margin(rules, state: Heap) -> int:
        """At the end: 1 if player 0 has won, -1 if player 1 has, 0 for a draw; or the difference of their scores.

        A game in which the players collect points can also define `final_score(rules, state)`, which returns the points
        of both players and what they count, such as `(7, 6, "stones")`. Results are then told as "7 stones to 6".
        """
        return 1 if state.side == 1 else -1

    def key(rules, state: Heap) -> int:
        """A number for the state, 0 to 2^63-1. Tables of learned values are ordered by it."""
        return state.stones * 2 + state.side

    def injective(rules) -> bool:
        """Whether different states always have different keys. Here: stones and side can be read off the key."""
        return True

    def limits(rules) -> Limits:
        """The most moves in a state, one more than the largest move, and the most plies in a game (0: no limit)."""
        return Limits(moves=MAX_TAKEN, codes=MAX_TAKEN + 1, plies=rules.stones)

    def format_state(rules, state: Heap) -> str:
        """The state as a line of text."""
        return f"{state.stones} {('first', 'second')[state.side]}"

    def parse_state(rules, text: str) -> Heap:
        """The state for such a line; for any other, a ValueError that says what is wrong.

        `strict` refuses other ways to write the same state, such as `021 first`.
        """
        match = re.fullmatch(r"(\d{1,4}) (first|second)", text)
        if not match:
            raise ValueError(f"position {text!r}: must look like '21 first'")
        stones = int(match[1])
        if stones > rules.stones:
            raise ValueError(f"position {text!r}: there are at most {rules.stones} stones")
        return strict(rules, text, Heap(stones, ("first", "second").index(match[2])))

    def format_move(rules, state: Heap, move: int) -> str:
        """The move as text without spaces."""
        return str(move)


def text(rules: Skeleton, state: Heap) -> str:
    """The board as it is shown at the terminal."""
    return f"{' '.join('o' * state.stones) or '-'}   {('first', 'second')[state.side]} to move"


STEP, IN_A_ROW = 40, 8
"""of the drawing: how far apart stones lie, and how many lie side by side"""


def corner(stone: int) -> tuple[int, int]:
    """Where the square of a stone of the drawing has its upper left corner."""
    return STEP * (stone % IN_A_ROW), STEP * (stone // IN_A_ROW)


def svg(rules: Skeleton, state: Heap) -> str:
    """The board as it is drawn in notebooks and on the page."""
    height = STEP * (1 + (rules.stones - 1) // IN_A_ROW)
    stones = [
        f'<circle cx="{x + STEP // 2}" cy="{y + STEP // 2}" r="14" fill="#7d6b52"/>'
        for x, y in map(corner, range(state.stones))
    ]
    view = f"0 0 {STEP * IN_A_ROW} {height}"
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{view}">{"".join(stones)}</svg>'


def targets(rules: Skeleton, state: Heap) -> dict[int, tuple[int, int, int, int, str]]:
    """Where to click for each move: on the first of the stones that are taken. In words: its label."""
    return {
        taken: (*corner(state.stones - taken), STEP, STEP, f"take {taken}")
        for taken in range(1, min(MAX_TAKEN, state.stones) + 1)
    }
