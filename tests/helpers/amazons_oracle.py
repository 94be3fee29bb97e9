"""The Game of the Amazons written once more, slowly and naively, to hold the game against: dicts from squares to signs.

Shares no code with the package; the two meet in their notation.
"""

from __future__ import annotations

import itertools
import re
from typing import NamedTuple

FILES = "abcdefghij"
STEPS = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)]


class Place(NamedTuple):
    """What stands where (`w`, `b` and `x` for arrows), whose turn it is, and what rabbits may do."""

    contents: frozenset[tuple[str, str]]
    side: str
    rabbits: tuple[int, int] = (0, 0)
    shot: str = "-"
    running: str = ""


class Board:
    """The rules."""

    def __init__(self, width: int = 10, height: int = 10, rabbits: int = 0) -> None:
        self.width, self.height, self.rabbits = width, height, rabbits
        self.squares = {f"{FILES[x]}{y + 1}": (x, y) for y in range(height) for x in range(width)}
        self.names = {place: name for name, place in self.squares.items()}
        side, up = (width - 1) // 3, (height - 1) // 3
        white = [(side, 0), (width - 1 - side, 0), (0, up), (width - 1, up)]
        start = {self.names[x, y]: "w" for x, y in white}
        start |= {self.names[x, height - 1 - y]: "b" for x, y in white}
        self.start = Place(frozenset(start.items()), "w", (rabbits, rabbits))

    def beside(self, name: str) -> list[str]:
        x, y = self.squares[name]
        return [self.names[x + i, y + j] for i, j in STEPS if (x + i, y + j) in self.names]

    def queen(self, contents: dict[str, str], name: str) -> list[str]:
        """The squares that a queen on this one can go to."""
        found = []
        for i, j in STEPS:
            x, y = self.squares[name]
            for distance in itertools.count(1):
                target = self.names.get((x + i * distance, y + j * distance))
                if target is None or target in contents:
                    break
                found.append(target)
        return found

    def is_over(self, place: Place) -> bool:
        contents = dict(place.contents)
        return not place.running and not any(
            self.queen(contents, name) for name, sign in place.contents if sign == place.side
        )

    def margin(self, place: Place) -> int:
        return -1 if place.side == "w" else 1

    def steps(self, place: Place) -> dict[str, Place]:
        """The moves of a game that is not over, or where its arrow can run to, and where they lead."""
        contents = dict(place.contents)
        if place.running:
            del contents[place.running]
            free = [name for name in self.beside(place.running) if name not in contents]
            return {
                name: place._replace(contents=frozenset({**contents, name: "x"}.items()), running="") for name in free
            }
        found = {}
        other, number = ("b", 0) if place.side == "w" else ("w", 1)
        for origin, sign in place.contents:
            if sign != place.side:
                continue
            lifted = {name: each for name, each in contents.items() if name != origin}
            for target in self.queen(contents, origin):
                moved = {**lifted, target: sign}
                for arrow in self.queen(moved, target):
                    after = {**moved, arrow: "x"}
                    text = f"{origin}-{target}x{arrow}"
                    shot = arrow if self.rabbits else "-"
                    found[text] = Place(frozenset(after.items()), other, place.rabbits, shot)
                    can_run = place.shot != "-" and any(name not in after for name in self.beside(place.shot))
                    if place.rabbits[number] and can_run:
                        left = (place.rabbits[0] - (number == 0), place.rabbits[1] - (number == 1))
                        found[text + "!"] = Place(frozenset(after.items()), other, left, shot, place.shot)
        return found

    def read(self, text: str) -> Place:
        """The position that is written so."""
        rows, side, *rest = text.split()
        contents = {}
        for y, row in zip(reversed(range(self.height)), rows.split("/"), strict=True):
            signs = re.sub("[0-9]+", lambda run: "." * int(run[0]), row)
            contents |= {self.names[x, y]: sign for x, sign in enumerate(signs) if sign != "."}
        place = Place(frozenset(contents.items()), side)
        if not rest:
            return place
        white, black = rest[0].split(",")
        running = rest[2].removesuffix("!") if len(rest) > 2 else ""
        return place._replace(rabbits=(int(white), int(black)), shot=rest[1], running=running)

    def text(self, place: Place) -> str:
        contents = dict(place.contents)
        rows = []
        for y in reversed(range(self.height)):
            signs = [contents.get(self.names[x, y]) for x in range(self.width)]
            runs = [(sign, len([*same])) for sign, same in itertools.groupby(signs)]
            rows.append("".join(sign * count if sign else str(count) for sign, count in runs))
        text = f"{'/'.join(rows)} {place.side}"
        if not self.rabbits:
            return text
        running = f" {place.running}!" if place.running else ""
        return f"{text} {place.rabbits[0]},{place.rabbits[1]} {place.shot}{running}"

    def perft(self, place: Place, depth: int) -> int:
        if depth == 0:
            return 1
        if self.is_over(place):
            return 0
        return sum(self.perft(after, depth - 1) for after in self.steps(place).values())
