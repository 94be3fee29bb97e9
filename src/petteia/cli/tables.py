"""Tables of text that are fitted to a given width without losing content.

A table that is too wide is changed step by step until it fits:

1. headings are broken into lines;
2. columns with the same text in all rows are printed once above the table;
3. long texts in cells are broken into lines;
4. columns that still do not fit are moved to further blocks below, each with the columns that name the rows.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

GAP = 3
"""The number of spaces between columns."""
MINIMUM = 24
"""The minimum width to which text is broken. Shorter text stays in one line."""
NAMING = 0.5
"""The maximum share of the width that the columns that name the rows may take, if their text can be broken."""


class Column(NamedTuple):
    """A column of a table, as text."""

    head: str
    """the heading"""
    cells: list[str]
    """the text of each row"""
    is_number: bool = False
    """whether the column is aligned right and never broken"""

    @property
    def width(self) -> int:
        """The number of characters of the longest line in the column."""
        return max(len(line) for cell in (self.head, *self.cells) for line in cell.split("\n"))

    @property
    def is_same(self) -> bool:
        """Whether the column has several rows, all with the same text."""
        return len(self.cells) > 1 and len(set(self.cells)) == 1


class Fitted(NamedTuple):
    """A text table, rearranged so that its lines do not exceed a given number of characters."""

    common: list[tuple[str, str]]
    """the heading and the cell of columns with the same text in all rows"""
    blocks: list[list[Column]]
    """the parts of the table, one below the other"""


def fit(columns: Sequence[Column], width: int, keys: int = 1) -> Fitted:
    """Rearrange a table to fit into `width` characters. If necessary, split its columns into several blocks.

    The first `keys` columns identify the rows, and are repeated in each block.
    """
    if total(columns) <= width:
        return Fitted([], [list(columns)])
    narrow = [_with_broken_head(each) for each in columns]
    if total(narrow) <= width:
        return Fitted([], [narrow])
    common = [(each.head, each.cells[0]) for each in columns if each.is_same]
    naming = _shrunk([each for each in narrow[:keys] if not each.is_same], int(width * NAMING), MINIMUM // 2)
    room = width - total(naming) - GAP if naming else width
    others = [each for each in narrow[keys:] if not each.is_same]
    shrunk = _shrunk(others, room)
    return Fitted(common, _blocks(naming, shrunk if total(shrunk) <= room else others, width, room))


def total(columns: Sequence[Column]) -> int:
    """Return the number of characters in a line of a table with these columns."""
    return sum(each.width for each in columns) + GAP * (len(columns) - 1)


def _with_broken_head(column: Column) -> Column:
    """Break the heading of a column into lines that are no wider than its cells, unless a word is longer."""
    pieces = (len(piece.strip()) for piece in _pieces(column.head))
    return column._replace(head=broken(column.head, max(column._replace(head="").width, *pieces, 1)))


def _shrunk(columns: list[Column], width: int, minimum: int = MINIMUM) -> list[Column]:
    """Break long cells into lines until the table fits into `width`, and return the new columns.

    Lines are not made shorter than `minimum` characters.
    """

    def fits(maximum: int) -> bool:
        return total([each._replace(head="", cells=["-" * _min_width(each, maximum)]) for each in columns]) <= width

    longest = max((each.width for each in columns), default=0)
    maximum = next((maximum for maximum in range(longest, minimum, -1) if fits(maximum)), minimum)
    return [_narrowed(each, maximum) for each in columns]


def _min_width(column: Column, maximum: int) -> int:
    return column.width if column.is_number else min(column.width, maximum)


def _narrowed(column: Column, maximum: int) -> Column:
    """Return the column with its texts broken into lines of at most `maximum` characters. Numbers are not broken."""
    if column.is_number or column.width <= maximum:
        return column
    return Column(broken(column.head, maximum), [broken(cell, maximum) for cell in column.cells])


def _blocks(naming: list[Column], others: list[Column], width: int, room: int) -> list[list[Column]]:
    blocks = [list(naming)]
    for column in others:
        narrowed = _narrowed(column, max(room, MINIMUM))
        if len(blocks[-1]) > len(naming) and total([*blocks[-1], narrowed]) > width:
            blocks.append(list(naming))
        blocks[-1].append(narrowed)
    return blocks


def broken(text: str, width: int) -> str:
    """Break text into lines of at most `width` characters.

    Lines end at spaces, or after `:`, `,`, `;` or `=`, or else within a word.
    """
    lines = [""]
    for piece in _pieces(text):
        if len(lines[-1]) + len(piece.rstrip()) > width and lines[-1]:
            lines.append("")
        while len(piece.rstrip()) > width:
            lines[-1] = piece[:width]
            piece = piece[width:]
            lines.append("")
        lines[-1] += piece
    return "\n".join(line.rstrip() for line in lines)


def _pieces(text: str) -> list[str]:
    """Split text at the positions where a line may end. Each piece includes the space after it."""
    return re.findall(r"[^ :,;=]*(?:[:,;=]+ *| +|$)", text)[:-1] or [text]
