"""Tables of patterns of British Square once more, slowly: dictionaries over all eight symmetries of text boards.

It shares no code with the package: what a square shows is found by looking at its neighbours in the text of a position,
and a pattern is known by the least of its eight images, as a set of places with what they show. So it needs no
placements, tables or numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

Place = tuple[int, int]
"""file and rank, from the lower left corner"""
Pattern = tuple[tuple[Place, int], ...]


def images(size: int) -> list[Callable[[Place], Place]]:
    """The symmetries of the board: turned by quarters, and mirrored or not."""

    def turned(times: int, mirrored: bool) -> Callable[[Place], Place]:
        def move(place: Place) -> Place:
            file, rank = place
            if mirrored:
                file = size - 1 - file
            for _ in range(times):
                file, rank = rank, size - 1 - file
            return file, rank

        return move

    return [turned(times, mirrored) for times in range(4) for mirrored in (False, True)]


def shown(text: str, *, centre_ban: bool) -> dict[Place, int]:
    """Who may place a stone on each square of a position: 1 for the first player, 2 for the second, added up."""
    rows = text.split()[0].split("/")
    size = len(rows)
    board = {(file, size - 1 - number): row[file] for number, row in enumerate(rows) for file in range(size)}
    found = {}
    for (file, rank), here in board.items():
        around = [board.get((file + x, rank + y), ".") for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1))]
        may = [here == "." and "o" not in around, here == "." and "x" not in around]
        if centre_ban and "x" not in board.values() and (file, rank) == ((size - 1) / 2, (size - 1) / 2):
            may[0] = False
        found[file, rank] = may[0] + 2 * may[1]
    return found


def minimum(pattern: dict[Place, int], size: int) -> Pattern:
    """What stands for a pattern and its images."""
    return min(tuple(sorted((move(place), each) for place, each in pattern.items())) for move in images(size))


def patterns(text: str, tuples: Iterable[Iterable[Place]], *, centre_ban: bool) -> Counter[Pattern]:
    """How often a position shows each pattern, in any image of one of the tuples; each set of places counts once."""
    found = shown(text, centre_ban=centre_ban)
    size = len(text.split()[0].split("/"))
    placements = {frozenset(map(move, each)) for each in tuples for move in images(size)}
    return Counter(minimum({place: found[place] for place in each}, size) for each in placements)
