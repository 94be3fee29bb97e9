"""The board of British Square."""

from __future__ import annotations

from html import escape

from petteia.core.bits import popcount
from petteia.core.protocol import format_move, format_state, is_over
from petteia.games.british_square import FIRST, SECOND, BritishSquare, Position, open_squares

STEP, BORDER, RADIUS = 72, 44, 25

STYLE = """
    .bs-board { fill: #f3ead7; stroke: #d9c9a8 }
    .bs-square { fill: #fffaf0; stroke: #b89f74; stroke-width: 2 }
    .bs-last { fill: #ffe08a; stroke: #c98a00; stroke-width: 3 }
    .bs-open { fill: #b89f74 }
    .bs-name { fill: #7a6543; font: 600 17px system-ui, sans-serif; text-anchor: middle }
    .bs-first { fill: #37404c; stroke: #171c23; stroke-width: 2 }
    .bs-second { fill: #f7f4ee; stroke: #7d7668; stroke-width: 2 }
    @media (prefers-color-scheme: dark) {
      .bs-board { fill: #2e2a24; stroke: #4a4338 }
      .bs-square { fill: #3b362e; stroke: #8a7c64 }
      .bs-last { fill: #6b5212; stroke: #e0a92a }
      .bs-open { fill: #8a7c64 }
      .bs-name { fill: #d8c9aa }
      .bs-first { fill: #12161b; stroke: #8a94a3 }
    }
"""


def text(rules: BritishSquare, state: Position) -> str:
    """The board in plain text: stones `x` and `o`, `.` where the side to move may place a stone, `-` elsewhere."""
    size, free = rules.size, _free(rules, state)
    lines = []
    for rank in reversed(range(size)):
        squares = (_sign(state, free, rank * size + file) for file in range(size))
        lines.append(f"   {rank + 1}  {' '.join(squares)}")
    lines += [f"      {' '.join('abcdefg'[:size])}", "", f"   x first   o second   {_status(rules, state)}"]
    return "\n".join(lines)


def svg(rules: BritishSquare, state: Position, move: int | None = None, before: Position | None = None) -> str:
    """The board as an SVG element.

    Dots mark the squares that are open to the side to move. A frame marks the last stone.
    """
    size, free = rules.size, _free(rules, state)
    width = size * STEP + 2 * BORDER
    after = "" if move is None else f" after {format_move(rules, state, move)}"
    title = f"British Square, {format_state(rules, state)}{after}: {_status(rules, state)}"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {width}" width="{width}" role="img">',
        f"  <title>{escape(title)}</title>",
        f"  <style>{STYLE}  </style>",
        f'  <rect class="bs-board" x="0.5" y="0.5" width="{width - 1}" height="{width - 1}" rx="16"/>',
    ]
    for square in range(size * size):
        x, y = BORDER + square % size * STEP, BORDER + (size - 1 - square // size) * STEP
        name = "bs-last" if square == move else "bs-square"
        parts.append(f'  <rect class="{name}" x="{x}" y="{y}" width="{STEP}" height="{STEP}"/>')
        centre = (x + STEP // 2, y + STEP // 2)
        if state.first >> square & 1 or state.second >> square & 1:
            parts.append(_circle("bs-first" if state.first >> square & 1 else "bs-second", *centre, RADIUS))
        elif free >> square & 1:
            parts.append(_circle("bs-open", *centre, 4))
    for i in range(size):
        middle = BORDER + i * STEP + STEP // 2
        parts.append(_name("abcdefg"[i], middle, width - BORDER // 2 + 6))
        parts.append(_name(str(size - i), BORDER // 2, middle + 6))
    return "\n".join([*parts, "</svg>"]) + "\n"


def targets(rules: BritishSquare, state: Position) -> dict[int, tuple[float, float, float, float, str] | str]:
    """Return the clickable squares of the board, and a label for a pass."""
    size = rules.size
    found: dict[int, tuple[float, float, float, float, str] | str] = {size * size: "pass"}
    for square in range(size * size):
        x, y = BORDER + square % size * STEP, BORDER + (size - 1 - square // size) * STEP
        holds = ", first" if state.first >> square & 1 else ", second" if state.second >> square & 1 else ""
        found[square] = (x, y, STEP, STEP, f"{'abcdefg'[square % size]}{square // size + 1}{holds}")
    return found


def _free(rules: BritishSquare, state: Position) -> int:
    """The set of squares on which the side to move may place a stone."""
    return 0 if is_over(rules, state) else open_squares(rules, state, state.side)


def _sign(state: Position, free: int, square: int) -> str:
    if state.first >> square & 1:
        return "x"
    if state.second >> square & 1:
        return "o"
    return "." if free >> square & 1 else "-"


def _status(rules: BritishSquare, state: Position) -> str:
    stones = f"{popcount(state.first)} to {popcount(state.second)} stones"
    if not is_over(rules, state):
        passing = "" if open_squares(rules, state, state.side) else " and must pass"
        return f"{('first', 'second')[state.side]} to move{passing}, {stones}"
    margin = popcount(state.first) - popcount(state.second)
    return (
        f"drawn, {stones}" if margin == 0 else f"{('first', 'second')[SECOND if margin < 0 else FIRST]} won, {stones}"
    )


def _circle(name: str, x: int, y: int, radius: int) -> str:
    return f'  <circle class="{name}" cx="{x}" cy="{y}" r="{radius}"/>'


def _name(text: str, x: int, y: int) -> str:
    return f'  <text class="bs-name" x="{x}" y="{y}">{text}</text>'
