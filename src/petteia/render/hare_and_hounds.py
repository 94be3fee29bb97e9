"""The board of Hare and Hounds."""

from __future__ import annotations

from html import escape
from math import hypot

from petteia.core.protocol import format_move, format_state, is_over, margin
from petteia.games.hare_and_hounds import COLUMN, EDGES, SQUARES, HareAndHounds, Position

BOARD = r"""
         {1}-----{4}-----{7}
        / | \     |     / | \
      /   |   \   |   /   |   \
   {0}---{2}-----{5}-----{8}---{10}
      \   |   /   |   \   |   /
        \ | /     |     \ | /
         {3}-----{6}-----{9}
""".strip("\n")

STEP, BORDER, RADIUS = 150, 60, 34
WIDTH, HEIGHT = 4 * STEP + 2 * BORDER, 2 * STEP + 2 * BORDER
PLACES = tuple(
    (BORDER + STEP * COLUMN[square], BORDER + STEP * (1 if square in (0, 10) else (square + 2) % 3))
    for square in range(SQUARES)
)
"""The centre (x, y) of each square."""

STYLE = """
    .hh-board { fill: #f3ead7; stroke: #d9c9a8 }
    .hh-edge { stroke: #b89f74; stroke-width: 5; stroke-linecap: round }
    .hh-square { fill: #fffaf0; stroke: #b89f74; stroke-width: 3 }
    .hh-left { fill: #ffe08a; stroke: #c98a00; stroke-width: 3 }
    .hh-number { fill: #7a6543; font: 600 17px system-ui, sans-serif; text-anchor: middle }
    .hh-badge { fill: #fffaf0; stroke: #b89f74; stroke-width: 1.5 }
    .hh-arrow { fill: #c98a00; stroke: #c98a00; stroke-width: 6; stroke-linejoin: round }
    .hh-hound { fill: #7d4b2a; stroke: #4f2d17; stroke-width: 2; stroke-linejoin: round }
    .hh-ear { fill: #5b3419; stroke: #4f2d17; stroke-width: 2; stroke-linejoin: round }
    .hh-muzzle { fill: #e3b98d }
    .hh-hare { fill: #d9dde3; stroke: #5d6673; stroke-width: 2; stroke-linejoin: round }
    .hh-inner { fill: #eeb2b6 }
    .hh-dark { fill: #2a1a10 }
    @media (prefers-color-scheme: dark) {
      .hh-board { fill: #2e2a24; stroke: #4a4338 }
      .hh-edge { stroke: #6e6350 }
      .hh-square { fill: #3b362e; stroke: #8a7c64 }
      .hh-left { fill: #6b5212; stroke: #e0a92a }
      .hh-number { fill: #d8c9aa }
      .hh-badge { fill: #3b362e; stroke: #8a7c64 }
      .hh-arrow { fill: #e0a92a; stroke: #e0a92a }
      .hh-hound { fill: #a9683c }
      .hh-ear { fill: #7d4a26 }
    }
"""

HOUND = """
    <path class="hh-hound" d="M0,-24 C15,-24 21,-14 19,0 18,12 10,25 0,25 -10,25 -18,12 -19,0 -21,-14 -15,-24 0,-24 Z"/>
    <path class="hh-ear" d="M-12,-23 C-24,-25 -31,-10 -27,9 C-21,11 -17,4 -17,-5 Z"/>
    <path class="hh-ear" d="M12,-23 C24,-25 31,-10 27,9 C21,11 17,4 17,-5 Z"/>
    <ellipse class="hh-muzzle" cx="0" cy="11" rx="9.5" ry="11"/>
    <ellipse class="hh-dark" cx="0" cy="6" rx="5" ry="3.6"/>
    <circle class="hh-dark" cx="-8" cy="-6" r="2.6"/>
    <circle class="hh-dark" cx="8" cy="-6" r="2.6"/>
"""
HARE = """
    <ellipse class="hh-hare" cx="-9" cy="-19" rx="6" ry="17" transform="rotate(-10 -9 -19)"/>
    <ellipse class="hh-hare" cx="9" cy="-19" rx="6" ry="17" transform="rotate(10 9 -19)"/>
    <ellipse class="hh-inner" cx="-9" cy="-19" rx="2.6" ry="11" transform="rotate(-10 -9 -19)"/>
    <ellipse class="hh-inner" cx="9" cy="-19" rx="2.6" ry="11" transform="rotate(10 9 -19)"/>
    <ellipse class="hh-hare" cx="0" cy="9" rx="18" ry="17"/>
    <circle class="hh-dark" cx="-7" cy="4" r="2.6"/>
    <circle class="hh-dark" cx="7" cy="4" r="2.6"/>
    <path class="hh-inner" d="M-4,11 L4,11 L0,16 Z"/>
"""


def text(rules: HareAndHounds, state: Position) -> str:
    """The board in plain text: hounds as `[3]`, the hare as `<10>`, and empty squares as their numbers."""
    board = BOARD.format(*(_cell(state, square) for square in range(SQUARES)))
    lines = [*(line.rstrip() for line in board.splitlines()), "", f"   [ ] hounds   < > hare   {_status(rules, state)}"]
    return "\n".join(lines)


def svg(rules: HareAndHounds, state: Position, move: int | None = None, before: Position | None = None) -> str:
    """The board as an SVG element; an arrow shows `move`, the code of the move that led to `state`."""
    left = -1 if move is None else move // SQUARES
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" role="img">',
        f"  <title>{escape(_title(rules, state, move))}</title>",
        f"  <style>{STYLE}  </style>",
        f'  <rect class="hh-board" x="0.5" y="0.5" width="{WIDTH - 1}" height="{HEIGHT - 1}" rx="16"/>',
        *(_line("hh-edge", PLACES[a], PLACES[b]) for a, b in EDGES),
        *(_circle("hh-left" if square == left else "hh-square", *PLACES[square], RADIUS) for square in range(SQUARES)),
    ]
    if move is not None:
        parts.append(_arrow(PLACES[move // SQUARES], PLACES[move % SQUARES]))
    parts += [_content(state, square) for square in range(SQUARES)]
    return "\n".join([*parts, "</svg>"]) + "\n"


def targets(rules: HareAndHounds, state: Position) -> dict[int, tuple[float, float, float, float, str]]:
    """Return the clickable squares of the board, each labelled with its number and piece."""
    found: dict[int, tuple[float, float, float, float, str]] = {}
    for square, (x, y) in enumerate(PLACES):
        holds = ", hare" if square == state.hare else ", hound" if _has_hound(state, square) else ""
        found[square] = (x - RADIUS, y - RADIUS, 2 * RADIUS, 2 * RADIUS, f"square {square}{holds}")
    return found


def _has_hound(state: Position, square: int) -> bool:
    return bool(state.hounds >> square & 1)


def _cell(state: Position, square: int) -> str:
    if square == state.hare:
        return f"<{square}>"
    return f"[{square}]" if _has_hound(state, square) else f" {square} "


def _status(rules: HareAndHounds, state: Position) -> str:
    if is_over(rules, state):
        return f"{'hounds' if margin(rules, state) > 0 else 'hare'} won"
    stalling = f", {state.stalled} of {rules.stall} stalling moves" if rules.stall > 0 else ""
    return f"{('hounds', 'hare')[state.side]} to move{stalling}"


def _title(rules: HareAndHounds, state: Position, move: int | None) -> str:
    after = "" if move is None else f" after {format_move(rules, state, move)}"
    return f"Hare and Hounds, {format_state(rules, state)}{after}: {_status(rules, state)}"


def _line(name: str, start: tuple[int, int], end: tuple[int, int]) -> str:
    return f'  <line class="{name}" x1="{start[0]}" y1="{start[1]}" x2="{end[0]}" y2="{end[1]}"/>'


def _circle(name: str, x: float, y: float, radius: float) -> str:
    return f'  <circle class="{name}" cx="{x}" cy="{y}" r="{radius}"/>'


def _number(square: int, x: int, y: int) -> str:
    return f'  <text class="hh-number" x="{x}" y="{y + 6}">{square}</text>'


def _content(state: Position, square: int) -> str:
    """The drawing of a square's content: a piece with the square's number in a badge below it, or only the number."""
    x, y = PLACES[square]
    if square != state.hare and not _has_hound(state, square):
        return _number(square, x, y)
    piece = HARE if square == state.hare else HOUND
    badge = (x + 26, y + 26)
    placed = f'  <g transform="translate({x} {y})">{piece}  </g>'
    return "\n".join([placed, _circle("hh-badge", *badge, 15), _number(square, *badge)])


def _arrow(start: tuple[int, int], end: tuple[int, int]) -> str:
    """Draw an arrow from the edge of one square to the edge of another."""
    length = hypot(end[0] - start[0], end[1] - start[1])
    along = ((end[0] - start[0]) / length, (end[1] - start[1]) / length)

    def point(distance: float, aside: float) -> str:
        x = start[0] + distance * along[0] - aside * along[1]
        y = start[1] + distance * along[1] + aside * along[0]
        return f"{x:.1f},{y:.1f}"

    tip = length - RADIUS - 5
    corners = ((RADIUS, 0), (tip - 16, 0), (tip - 16, 9), (tip, 0), (tip - 16, -9), (tip - 16, 0))
    return f'  <path class="hh-arrow" d="M{" L".join(point(*corner) for corner in corners)} Z"/>'
