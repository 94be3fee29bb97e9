"""The board of the Game of the Amazons."""

from __future__ import annotations

from html import escape

from petteia.core.protocol import CHANCE, contents, format_move, format_state, is_over, to_move
from petteia.games.amazons import Amazons
from petteia.games.amazons_board import (
    BLACK,
    BLACK_AMAZON,
    BLOCKED,
    FILES,
    WHITE_AMAZON,
    Position,
    rabbits_of,
)
from petteia.games.queens import LARGEST, SQUARES

STEP, BORDER = 60, 40
CROWN = "M-17,13 L-20,-9 L-10,2 L-6,-14 L0,0 L6,-14 L10,2 L20,-9 L17,13 Z"
"""The outline of an amazon as an SVG path, relative to the centre of its square."""
NAMES = ("White", "Black")
HOLDS = ("", ", white amazon", ", black amazon", ", arrow")

STYLE = """
    .am-page { fill: #ece3d3; stroke: #cfc1a6 }
    .am-light { fill: #fbf6ea }
    .am-dark { fill: #d9c7a3 }
    .am-origin { fill: none; stroke: #c98a00; stroke-width: 3; stroke-dasharray: 5 4 }
    .am-target { fill: none; stroke: #c98a00; stroke-width: 4 }
    .am-name { fill: #6d5b3d; font: 600 16px system-ui, sans-serif; text-anchor: middle }
    .am-white { fill: #ffffff; stroke: #20242a; stroke-width: 2.5; stroke-linejoin: round }
    .am-black { fill: #20242a; stroke: #f4efe4; stroke-width: 1.5; stroke-linejoin: round }
    .am-arrow { fill: #5f6b78; stroke: #39424c; stroke-width: 2 }
    .am-shot { fill: #c0392b; stroke: #7b241c; stroke-width: 2 }
    @media (prefers-color-scheme: dark) {
      .am-page { fill: #2b2720; stroke: #4a4338 }
      .am-light { fill: #6e6454 }
      .am-dark { fill: #554c3f }
      .am-name { fill: #d8c9aa }
      .am-arrow { fill: #20242a; stroke: #8a94a3 }
    }
"""


def text(rules: Amazons, state: Position) -> str:
    """The board in plain text: `w` and `b` are amazons, `x` blocked squares, `.` free squares."""
    squares = _contents(rules, state)
    lines = []
    for rank in reversed(range(rules.height)):
        row = squares[rank * rules.width : (rank + 1) * rules.width]
        lines.append(f"  {rank + 1:2}  {' '.join('.wbx'[kind] for kind in row)}")
    lines += [
        f"      {' '.join(FILES[: rules.width])}",
        "",
        f"   w White   b Black   x blocked   {_status(rules, state)}",
    ]
    return "\n".join(lines)


def svg(rules: Amazons, state: Position, move: int | None = None, before: Position | None = None) -> str:
    """Draw the board as an SVG element.

    Frames mark the origin and the target of the last move, and its arrow is drawn in red.
    """
    width, height = rules.width * STEP + 2 * BORDER, rules.height * STEP + 2 * BORDER
    after = "" if move is None else f" after {format_move(rules, state, move)}"
    title = f"The Game of the Amazons, {format_state(rules, state)}{after}: {_status(rules, state)}"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" role="img">',
        f"  <title>{escape(title)}</title>",
        f"  <style>{STYLE}  </style>",
        f'  <rect class="am-page" x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="14"/>',
    ]
    marks, shot = _marks(rules, move)
    for place, kind in enumerate(_contents(rules, state)):
        rank, file = divmod(place, rules.width)
        x, y = BORDER + file * STEP, BORDER + (rules.height - 1 - rank) * STEP
        colour = "light" if (rank + file) % 2 else "dark"
        parts.append(f'  <rect class="am-{colour}" x="{x}" y="{y}" width="{STEP}" height="{STEP}"/>')
        if place in marks:
            box = f'x="{x + 3}" y="{y + 3}" width="{STEP - 6}" height="{STEP - 6}"'
            parts.append(f'  <rect class="am-{marks[place]}" {box} rx="5"/>')
        centre = (x + STEP // 2, y + STEP // 2)
        if kind in (WHITE_AMAZON, BLACK_AMAZON):
            name = "am-white" if kind == WHITE_AMAZON else "am-black"
            parts.append(f'  <path class="{name}" transform="translate({centre[0]},{centre[1]})" d="{CROWN}"/>')
        elif kind == BLOCKED:
            name = "am-shot" if place == shot else "am-arrow"
            parts.append(f'  <circle class="{name}" cx="{centre[0]}" cy="{centre[1]}" r="13"/>')
    middle = BORDER + STEP // 2
    parts += [_name(FILES[i], middle + i * STEP, height - BORDER // 2 + 6) for i in range(rules.width)]
    parts += [_name(str(rules.height - i), BORDER // 2, middle + i * STEP + 6) for i in range(rules.height)]
    return "\n".join([*parts, "</svg>"]) + "\n"


def targets(rules: Amazons, state: Position) -> dict[int, tuple[float, float, float, float, str] | str]:
    """Return the clickable squares of the board, labelled with their contents.

    If the variant has rabbits, the step that releases a rabbit belongs to no square. For this step, the returned
    dictionary contains the label `release a rabbit`.
    """
    found: dict[int, tuple[float, float, float, float, str] | str] = {}
    for place, kind in enumerate(_contents(rules, state)):
        rank, file = divmod(place, rules.width)
        x, y = BORDER + file * STEP, BORDER + (rules.height - 1 - rank) * STEP
        found[place] = (x, y, STEP, STEP, f"{FILES[file]}{rank + 1}{HOLDS[kind]}")
    if rules.rabbits > 0:
        found[rules.width * rules.height] = "release a rabbit"
    return found


def _contents(rules: Amazons, state: Position) -> list[int]:
    out = [0] * (rules.width * rules.height)
    contents(rules, state, out)
    return out


def _marks(rules: Amazons, move: int | None) -> tuple[dict[int, str], int | None]:
    """Return a move's origin and target squares with their CSS classes, and the square that the move's arrow blocks."""
    if move is None:
        return {}, None
    origin, target, arrow = (_place(rules, move // SQUARES**power % SQUARES) for power in (2, 1, 0))
    return ({} if move < SQUARES else {origin: "origin", target: "target"}), arrow


def _place(rules: Amazons, square: int) -> int:
    """Convert the number of a square on the largest board, as used in move codes, to its index on this board."""
    return square // LARGEST * rules.width + square % LARGEST


def _status(rules: Amazons, state: Position) -> str:
    if to_move(rules, state) == CHANCE:
        return "an arrow is about to run"
    if is_over(rules, state):
        return f"{NAMES[1 - state.side]} has won"
    left = ""
    if rules.rabbits > 0:
        rabbits = rabbits_of(state).black if state.side == BLACK else rabbits_of(state).white
        left = f", {rabbits} rabbit{'' if rabbits == 1 else 's'} left"
    return f"{NAMES[state.side]} to move{left}"


def _name(text: str, x: int, y: int) -> str:
    return f'  <text class="am-name" x="{x}" y="{y}">{text}</text>'
