"""British Square written once more, slowly and naively, to hold the game against: dicts from squares to stones.

Shares no code with the package; the two meet in their notation.
"""

from __future__ import annotations

from typing import NamedTuple

FILES = "abcdefg"
STEPS = ((0, 1), (0, -1), (1, 0), (-1, 0))


class Place(NamedTuple):
    """What stands where, by the names of squares, and whose turn it is: `x` or `o`."""

    stones: frozenset[tuple[str, str]]
    side: str


class Board:
    """The rules."""

    def __init__(self, size: int = 5, end: str = "both_blocked", centre_ban: str = "yes") -> None:
        self.size, self.end = size, end
        self.squares = [f"{FILES[x]}{y + 1}" for y in range(size) for x in range(size)]
        middle = size // 2
        self.barred = f"{FILES[middle]}{middle + 1}" if centre_ban == "yes" and size % 2 == 1 else None
        self.start = Place(frozenset(), "x")

    def beside(self, square: str) -> list[str]:
        x, y = FILES.index(square[0]), int(square[1]) - 1
        around = ((x + across, y + up) for across, up in STEPS)
        return [f"{FILES[i]}{j + 1}" for i, j in around if 0 <= i < self.size and 0 <= j < self.size]

    def free(self, place: Place, side: str) -> list[str]:
        """The squares on which this side may place a stone."""
        stones = dict(place.stones)
        is_first_stone = side == "x" and "x" not in stones.values()
        return [
            square
            for square in self.squares
            if square not in stones
            and not (is_first_stone and square == self.barred)
            and all(stones.get(near, side) == side for near in self.beside(square))
        ]

    def is_over(self, place: Place) -> bool:
        blocked = {side: not self.free(place, side) for side in "xo"}
        if self.end == "both_blocked":
            return blocked["x"] and blocked["o"]
        return blocked[place.side] if self.end == "first_blocked" else blocked["x"] or blocked["o"]

    def margin(self, place: Place) -> int:
        owners = [owner for _, owner in place.stones]
        return owners.count("x") - owners.count("o")

    def steps(self, place: Place) -> dict[str, Place]:
        """The moves of a game that is not over, and where they lead to."""
        other = "o" if place.side == "x" else "x"
        places = {square: place.stones | {(square, place.side)} for square in self.free(place, place.side)}
        return {move: Place(stones, other) for move, stones in (places or {"pass": place.stones}).items()}

    def text(self, place: Place) -> str:
        stones = dict(place.stones)
        rows = ("".join(stones.get(f"{FILES[x]}{y + 1}", ".") for x in range(self.size)) for y in range(self.size))
        return f"{'/'.join([*rows][::-1])} {place.side}"

    def perft(self, place: Place, depth: int) -> int:
        if depth == 0:
            return 1
        if self.is_over(place):
            return 0
        return sum(self.perft(after, depth - 1) for after in self.steps(place).values())
