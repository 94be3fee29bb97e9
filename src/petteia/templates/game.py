"""Skeleton: players take 1 to 3 stones from a heap in turn; the player who takes the last stone wins.

This is a complete game. Change a rule and see what happens:

    petteia check skeleton:Skeleton                # Are the rules correct?
    petteia play skeleton:Skeleton                 # Play in the terminal.
    petteia perft skeleton:Skeleton:stones=9 5     # Count sequences of 5 moves. An option follows the name.

The text form of a position, such as `21 first`, contains the number of remaining stones and the player to move. The
text form of a move is the number of stones that are taken.

The methods run both in plain Python and as compiled code. Therefore all numbers must be integers (0 to 2^63-1), and
integers must be divided by `//`. The fields of the state must contain everything that the rules need. Lists, sets,
dictionaries and strings are allowed only in the three methods at the end of the class, which are never compiled. If the
other methods call a function of your own, write the line `@inline` above it (from petteia.core.kernel import inline).
"""

from __future__ import annotations

import re
from typing import Annotated, NamedTuple

from petteia.core.options import Range
from petteia.core.positions import strict
from petteia.core.protocol import Buffer, Limits

MAX_TAKEN = 3


class Heap(NamedTuple):
    """A state of the game. A state never changes: `play` returns a new state."""

    stones: int
    side: int
    """the player to move: 0 or 1"""


class Skeleton(NamedTuple):
    """Taking stones from a heap. Each field is an option of the rules. Methods have `rules` in place of `self`."""

    stones: Annotated[int, Range(1, 1000)] = 21

    def initial(rules) -> Heap:
        """The initial state."""
        return Heap(rules.stones, 0)

    def to_move(rules, state: Heap) -> int:
        """The player to move, 0 or 1. Turns need not alternate."""
        return state.side

    def moves(rules, state: Heap, out: Buffer) -> int:
        """Write the legal moves to `out`, each as a whole number, and return how many there are."""
        count = 0
        for taken in range(1, min(MAX_TAKEN, state.stones) + 1):
            out[count] = taken
            count += 1
        return count

    def play(rules, state: Heap, move: int) -> Heap:
        """The state after a legal move."""
        return Heap(state.stones - move, 1 - state.side)

    def is_over(rules, state: Heap) -> bool:
        """Whether the game is over. A game must be over if there are no legal moves."""
        return state.stones == 0

    def margin(rules, state: Heap) -> int:
        """The result at the end: 1 if player 0 has won, -1 if player 1 has won, 0 for a draw; or the score difference.

        A game in which the players collect points can also define `final_score(rules, state)`, which returns the points
        of both players and their unit, such as `(7, 6, "stones")`. Results are then reported as "7 stones to 6".
        """
        return 1 if state.side == 1 else -1

    def key(rules, state: Heap) -> int:
        """A number in 0..2^63-1 that identifies the state, for example as a key in a table of values."""
        return state.stones * 2 + state.side

    def injective(rules) -> bool:
        """Whether different states always have different keys. Here the key contains all fields of the state."""
        return True

    def limits(rules) -> Limits:
        """Return the maximum numbers of legal moves, of move codes and of plies.

        `moves` is the maximum number of legal moves in a state, and `codes` is the largest move plus one. `plies` is
        the maximum number of plies of a game, or 0 if there is no limit.
        """
        return Limits(moves=MAX_TAKEN, codes=MAX_TAKEN + 1, plies=rules.stones)

    def format_state(rules, state: Heap) -> str:
        """The state as a line of text."""
        return f"{state.stones} {('first', 'second')[state.side]}"

    def parse_state(rules, text: str) -> Heap:
        """The state that a line of text describes. Raises ValueError, with the reason, for any other text.

        The function `strict` raises ValueError for any other notation of the same state, such as `021 first`.
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
    """The board for the terminal."""
    return f"{' '.join('o' * state.stones) or '-'}   {('first', 'second')[state.side]} to move"


STEP, IN_A_ROW = 40, 8
"""the distance between stones in the drawing, and the number of stones in a row"""


def corner(stone: int) -> tuple[int, int]:
    """The position of a stone in the drawing: the upper left corner of its square."""
    return STEP * (stone % IN_A_ROW), STEP * (stone // IN_A_ROW)


def svg(rules: Skeleton, state: Heap) -> str:
    """The board as a drawing, for notebooks and the web page."""
    height = STEP * (1 + (rules.stones - 1) // IN_A_ROW)
    stones = [
        f'<circle cx="{x + STEP // 2}" cy="{y + STEP // 2}" r="14" fill="#7d6b52"/>'
        for x, y in map(corner, range(state.stones))
    ]
    view = f"0 0 {STEP * IN_A_ROW} {height}"
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{view}">{"".join(stones)}</svg>'


def targets(rules: Skeleton, state: Heap) -> dict[int, tuple[int, int, int, int, str]]:
    """Return the clickable square and the label of each move. Players click on the first stone that a move takes."""
    return {
        taken: (*corner(state.stones - taken), STEP, STEP, f"take {taken}")
        for taken in range(1, min(MAX_TAKEN, state.stones) + 1)
    }
