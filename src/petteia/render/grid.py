"""Drawings of boards as grids, for games that define `shape` (the size of the board) but no drawing function."""

from __future__ import annotations

from html import escape

from petteia.core.names import format_game
from petteia.core.protocol import MAX_SQUARES, Rules, State, contents, format_state, provides, shape

STEP, BORDER = 60, 20
NEEDED = ("shape", "contents", "content_kinds", "steps")
MAX_LETTERS = 26

STYLE = """
    .grid-page { fill: #f3ead7; stroke: #d9c9a8 }
    .grid-square { fill: #fffaf0; stroke: #b89f74; stroke-width: 2 }
    .grid-1 { fill: #37404c; stroke: #171c23; stroke-width: 2 }
    .grid-2 { fill: #f7f4ee; stroke: #7d7668; stroke-width: 2 }
    .grid-kind { fill: #5c4a2c; font: 600 24px system-ui, sans-serif; text-anchor: middle }
    @media (prefers-color-scheme: dark) {
      .grid-page { fill: #2e2a24; stroke: #4a4338 }
      .grid-square { fill: #3b362e; stroke: #8a7c64 }
      .grid-1 { fill: #12161b; stroke: #8a94a3 }
      .grid-kind { fill: #d8c9aa }
    }
"""


def lacking(rules: Rules) -> list[str]:
    """Return the names of the methods that the game must still define so that its board can be drawn as a grid."""
    return [name for name in NEEDED if not provides(rules, name)]


def has_grid(rules: Rules) -> bool:
    """Whether the game defines all methods that are required to draw its board as a grid."""
    return not lacking(rules)


def shape_error(rules: Rules, state: State) -> str:
    """Return an error message about the result of the method `shape`, or an empty string if it is valid."""
    try:
        given, squares = shape(rules), len(_contents(rules, state))
    except Exception as error:  # a custom method can raise anything
        return " ".join(f"the method `shape` raised {type(error).__name__}: {error}".split())
    if (
        not isinstance(given, tuple)
        or len(given) != 2
        or any(type(number) is not int or number < 1 for number in given)
    ):
        returned = " ".join(repr(given).split())[:60]
        return f"the method `shape` returned {returned}; must be (rows, columns), integers of 1 or more"
    if given[0] * given[1] != squares:
        product = given[0] * given[1]
        return f"the method `shape` returned {given}, which means {product} squares, but `contents` writes {squares}"
    return ""


def grid_svg(rules: Rules, state: State) -> str:
    """Draw the board as a grid, as an SVG element.

    The content of a square is a number. The number 1 is drawn as a dark disc and 2 as a light disc. Any other number
    except 0 is drawn as digits.
    """
    rows, columns = shape(rules)
    width, height = columns * STEP + 2 * BORDER, rows * STEP + 2 * BORDER
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" role="img">',
        f"  <title>{escape(f'{format_game(rules)}: {format_state(rules, state)}')}</title>",
        f"  <style>{STYLE}  </style>",
        f'  <rect class="grid-page" x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="10"/>',
    ]
    for square, kind in enumerate(_contents(rules, state)):
        x, y = _corner(square, columns)
        parts.append(f'  <rect class="grid-square" x="{x}" y="{y}" width="{STEP}" height="{STEP}"/>')
        if kind in (1, 2):
            parts.append(f'  <circle class="grid-{kind}" cx="{x + STEP // 2}" cy="{y + STEP // 2}" r="21"/>')
        elif kind:
            parts.append(f'  <text class="grid-kind" x="{x + STEP // 2}" y="{y + STEP // 2 + 8}">{kind}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def grid_targets(rules: Rules, state: State) -> dict[int, tuple[float, float, float, float, str]]:
    """Return a dictionary from the numbers of the grid's squares to clickable rectangles.

    Each rectangle is a tuple `(x, y, width, height, label)`. A click on a square chooses the step whose code equals the
    number of the square.
    """
    _, columns = shape(rules)
    targets: dict[int, tuple[float, float, float, float, str]] = {}
    for square, kind in enumerate(_contents(rules, state)):
        holds = f", {kind}" if kind else ""
        targets[square] = (*_corner(square, columns), STEP, STEP, f"{_name(rules, square)}{holds}")
    return targets


def _contents(rules: Rules, state: State) -> list[int]:
    out = [0] * MAX_SQUARES
    return out[: contents(rules, state, out)]


def _corner(square: int, columns: int) -> tuple[int, int]:
    row, column = divmod(square, columns)
    return BORDER + column * STEP, BORDER + row * STEP


def _name(rules: Rules, square: int) -> str:
    """Return the name of a square as in chess, such as `a1` for the lower left square.

    If the board has more columns than there are letters, the name consists of the row and the column, such as `row 1
    column 30`.
    """
    rows, columns = shape(rules)
    row, column = divmod(square, columns)
    return f"{chr(ord('a') + column)}{rows - row}" if columns <= MAX_LETTERS else f"row {row + 1} column {column + 1}"
