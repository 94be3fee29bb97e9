"""Hare and Hounds written once more, slowly and naively, to hold the game against: sets, and a list of edges.

Shares no code with the package; the two meet in their notation.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, pairwise
from typing import NamedTuple

LINES = ("1-4-7", "0-2-5-8-10", "3-6-9", "1-2-3", "4-5-6", "7-8-9", "0-1", "0-3", "10-7", "10-9")
DIAGONALS = ("5-1", "5-3", "5-7", "5-9")
COLUMNS = ({0}, {1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {10})
SQUARES = set().union(*COLUMNS)


def edges() -> list[set[int]]:
    """The pairs of squares that are joined."""
    found = []
    for line in LINES + DIAGONALS:
        squares = [int(square) for square in line.split("-")]
        found += [{*pair} for pair in pairwise(squares)]
    return found


EDGES = edges()
JOINED = {square: {other for edge in EDGES if square in edge for other in edge - {square}} for square in SQUARES}


def column(square: int) -> int:
    return next(number for number, squares in enumerate(COLUMNS) if square in squares)


class Place(NamedTuple):
    """Who stands where; `side` is `hounds` or `hare`."""

    hounds: frozenset[int]
    hare: int
    side: str
    stalled: int

    def __str__(self) -> str:
        return f"{','.join(map(str, sorted(self.hounds)))}/{self.hare} {self.side} {self.stalled}"


class Hunt:
    """The rules; `stall` 0: no count of vertical moves."""

    def __init__(self, first: str = "hounds", hare: int = 10, stall: int = 10, escape: str = "past") -> None:
        self.start = Place(frozenset({0, 1, 3}), hare, first, 0)
        self.stall, self.escape = stall, escape

    def places(self) -> Iterator[Place]:
        """Every position there is: a count that has reached its end was reached by the hounds."""
        for hounds in combinations(sorted(SQUARES), 3):
            for hare in SQUARES - set(hounds):
                for stalled in range(self.stall + 1):
                    yield Place(frozenset(hounds), hare, "hare", stalled)
                    if stalled < self.stall or self.stall == 0:
                        yield Place(frozenset(hounds), hare, "hounds", stalled)

    def steps(self, place: Place) -> set[tuple[int, int]]:
        """What the side to move can do, whether or not the game is over."""
        empty = SQUARES - place.hounds - {place.hare}
        if place.side == "hare":
            return {(place.hare, to) for to in JOINED[place.hare] & empty}
        steps = {(hound, to) for hound in place.hounds for to in JOINED[hound] & empty}
        return {(origin, to) for origin, to in steps if column(to) >= column(origin)}

    def after(self, place: Place, step: tuple[int, int]) -> Place:
        origin, to = step
        if place.side == "hare":
            return Place(place.hounds, to, "hounds", place.stalled)
        vertical = column(origin) == column(to)
        stalled = place.stalled + 1 if vertical and self.stall else 0
        return Place(place.hounds - {origin} | {to}, place.hare, "hare", stalled)

    def winner(self, place: Place) -> str | None:
        """`hounds` or `hare`; None if the game goes on."""
        if self.stall and place.stalled == self.stall:
            return "hare"
        last = min(column(hound) for hound in place.hounds)
        escaped = {
            "past": column(place.hare) < last,
            "level": column(place.hare) <= last,
            "end": place.hare == 0,
        }
        if escaped[self.escape]:
            return "hare"
        if not self.steps(place):
            return "hare" if place.side == "hounds" else "hounds"
        return None


def perft(hunt: Hunt, place: Place, depth: int) -> int:
    """The number of sequences of exactly `depth` steps."""
    if depth == 0:
        return 1
    if hunt.winner(place):
        return 0
    return sum(perft(hunt, hunt.after(place, step), depth - 1) for step in hunt.steps(place))


def solve(hunt: Hunt, starts: list[Place]) -> list[tuple[str, int]]:
    """Who wins from each of `starts`, and in how many plies if the winner hurries and the loser does not.

    Works up from the finished positions, a ply at a time; positions that it never reaches are endless.
    """
    after = {
        place: [hunt.after(place, step) for step in hunt.steps(place)]
        for place in hunt.places()
        if hunt.winner(place) is None
    }
    solved = {place: (winner, 0) for place in hunt.places() if (winner := hunt.winner(place))}
    plies = 0
    while not solved.keys() >= set(starts):
        plies += 1
        found = {}
        for place, following in after.items():
            if place in solved:
                continue
            results = [solved.get(each) for each in following]
            if any(result and result[0] == place.side for result in results):
                found[place] = (place.side, plies)
            elif all(results):
                found[place] = (results[0][0], plies)
        if not found:
            raise AssertionError("with best play the game does not end")
        solved |= found
    return [solved[start] for start in starts]
