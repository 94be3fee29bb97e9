"""Kalah written once more, slowly and naively, to hold the game against: lists of stones, sown one by one.

Shares no code with the package; the two meet in their notation.
"""

from __future__ import annotations

import itertools
import random
from typing import NamedTuple


class Position(NamedTuple):
    """Stones in all hollows in the order of sowing (South's pits, its store, North's pits, its store), and the side."""

    hollows: tuple[int, ...]
    side: str
    """`s` or `n`"""

    def __str__(self) -> str:
        half = len(self.hollows) // 2
        return f"{','.join(map(str, self.hollows[:half]))}/{','.join(map(str, self.hollows[half:]))} {self.side}"


class Game:
    """The rules."""

    def __init__(
        self, pits: int = 6, seeds: int = 4, capture: str = "nonempty", end: str = "mover", leftovers: str = "owner"
    ) -> None:
        self.pits, self.total = pits, 2 * pits * seeds
        self.capture, self.end, self.leftovers = capture, end, leftovers
        self.start = Position((*[seeds] * pits, 0) * 2, "s")
        first = list(range(2 * pits + 2))
        self.own = {"s": first[:pits], "n": first[pits + 1 : -1]}
        self.store = {"s": pits, "n": 2 * pits + 1}

    def moves(self, position: Position) -> dict[str, int]:
        """The hollows from which the side to move can sow, by their numbers, whether or not the game is over."""
        return {
            str(number): hollow
            for number, hollow in enumerate(self.own[position.side], 1)
            if position.hollows[hollow] > 0
        }

    def after(self, position: Position, hollow: int) -> Position:
        hollows, side = list(position.hollows), position.side
        other = "sn"["ns".index(side)]
        hand, hollows[hollow] = hollows[hollow], 0
        while hand > 0:
            hollow = (hollow + 1) % len(hollows)
            if hollow != self.store[other]:
                hollows[hollow] += 1
                hand -= 1
        if hollow == self.store[side]:
            return Position(tuple(hollows), side)
        if hollow in self.own[side] and hollows[hollow] == 1:
            opposite = self.own[other][self.pits - 1 - self.own[side].index(hollow)]
            if hollows[opposite] > 0 or self.capture == "empty":
                taken = [opposite] if self.capture == "without_capturer" else [opposite, hollow]
                for each in taken:
                    hollows[self.store[side]] += hollows[each]
                    hollows[each] = 0
        return Position(tuple(hollows), other)

    def is_over(self, position: Position) -> bool:
        sides = position.side if self.end == "mover" else "sn"
        return any(all(position.hollows[hollow] == 0 for hollow in self.own[side]) for side in sides)

    def margin(self, position: Position) -> int:
        """By how much South is ahead if the game is over."""
        score = {side: position.hollows[self.store[side]] for side in "sn"}
        if self.leftovers == "owner":
            for side in "sn":
                score[side] += sum(position.hollows[hollow] for hollow in self.own[side])
        return score["s"] - score["n"]

    def exchanged(self, position: Position) -> Position:
        half = self.pits + 1
        return Position(position.hollows[half:] + position.hollows[:half], "sn"["ns".index(position.side)])

    def draw(self, draw: random.Random) -> Position:
        """A position, one that can be reached or not: stones thrown into hollows, of which some are liked better."""
        weights = [draw.choice((0, 1, 1, 3, draw.randrange(50))) for _ in self.start.hollows]
        hollows = [0] * len(weights)
        for hollow in draw.choices(range(len(weights)), weights if any(weights) else None, k=self.total):
            hollows[hollow] += 1
        return Position(tuple(hollows), draw.choice("sn"))


OPTIONS = [
    dict(zip(("capture", "end", "leftovers"), words, strict=True))
    for words in itertools.product(("nonempty", "empty", "without_capturer"), ("mover", "either"), ("owner", "nobody"))
]


def perft(game: Game, position: Position, depth: int) -> int:
    """The number of sequences of exactly `depth` sowings."""
    if depth == 0:
        return 1
    if game.is_over(position):
        return 0
    return sum(perft(game, game.after(position, hollow), depth - 1) for hollow in game.moves(position).values())


def final_margins(game: Game, position: Position, known: dict[Position, frozenset[int]]) -> frozenset[int]:
    """All margins with which the game can end; `known` remembers them."""
    if position not in known:
        ends = [final_margins(game, game.after(position, hollow), known) for hollow in game.moves(position).values()]
        known[position] = frozenset({game.margin(position)}) if game.is_over(position) else frozenset().union(*ends)
    return known[position]


def value(game: Game, position: Position, known: dict[Position, int]) -> int:
    """The margin under best play; `known` remembers it."""
    if position not in known:
        if game.is_over(position):
            known[position] = game.margin(position)
        else:
            best = max if position.side == "s" else min
            known[position] = best(
                value(game, game.after(position, hollow), known) for hollow in game.moves(position).values()
            )
    return known[position]
