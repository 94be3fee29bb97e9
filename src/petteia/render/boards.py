"""The board of any game, as text and as SVG.

The drawing of a built-in game is the module of the same name in this folder, with `text(rules, state)` and
`svg(rules, state, move, before)`; and with `moved(rules, before, move)`, text again, if one move can change much. All
other games are drawn as their position, a row on each line.
"""

from __future__ import annotations

import importlib
import importlib.util
from dataclasses import dataclass
from html import escape
from types import ModuleType

from petteia.core.protocol import Rules, State, format_state
from petteia.games import GAMES, format_game, name_of

CHARACTER_WIDTH, LINE_HEIGHT, BORDER = 10, 24, 16  # of 16 pixel monospaced text, with room to spare

STYLE = """
    .petteia-page { fill: #fbfaf7; stroke: #d8d3c8 }
    .petteia-position { fill: #2b2a28; font: 16px ui-monospace, Menlo, Consolas, monospace; white-space: pre }
    @media (prefers-color-scheme: dark) {
      .petteia-page { fill: #26241f; stroke: #4a463d }
      .petteia-position { fill: #ece7db }
    }
"""


@dataclass(frozen=True, repr=False)
class Board:
    """A position that shows itself: drawn in notebooks, in plain text elsewhere."""

    rules: Rules
    state: State
    move: int | None = None
    """code of the move that led to it, to be shown; None: nothing is"""
    before: State | None = None
    """where that move was made; without it some games cannot show the move"""

    def __repr__(self) -> str:
        return board_text(self.rules, self.state)

    def _repr_svg_(self) -> str:
        return board_svg(self.rules, self.state, self.move, self.before)


def board_text(rules: Rules, state: State) -> str:
    """The board for a terminal, in plain text of one or more lines, without a line end after the last."""
    drawing = _drawing(type(rules))
    if drawing is None:
        return "\n".join(_rows(rules, state))
    text: str = drawing.text(rules, state)
    return text


def move_text(rules: Rules, before: State, move: int) -> str | None:
    """What a legal move changes, for a terminal: the board after it, with the changes marked, and what has happened.

    None if a look at the board tells as much.
    """
    drawing = _drawing(type(rules))
    if drawing is None or not hasattr(drawing, "moved"):
        return None
    text: str = drawing.moved(rules, before, move)
    return text


def board_svg(rules: Rules, state: State, move: int | None = None, before: State | None = None) -> str:
    """The board as an SVG element that needs nothing else; the same bytes for the same arguments.

    Args:
        rules: of the game
        state: what is drawn
        move: code of the move that led to `state`, to be shown; a game without a drawing does not show it
        before: where that move was made; without it some games cannot show the move

    """
    drawing = _drawing(type(rules))
    if drawing is None:
        return _rows_svg(rules, state)
    svg: str = drawing.svg(rules, state, move, before)
    return svg


def _drawing(cls: type) -> ModuleType | None:
    if cls not in GAMES:
        return None
    name = f"{__package__}.{name_of(cls).replace('-', '_')}"
    return importlib.import_module(name) if importlib.util.find_spec(name) else None


def _rows(rules: Rules, state: State) -> list[str]:
    return format_state(rules, state).split("/")


def _rows_svg(rules: Rules, state: State) -> str:
    rows = _rows(rules, state)
    width = max(map(len, rows)) * CHARACTER_WIDTH + 2 * BORDER
    height = len(rows) * LINE_HEIGHT + 2 * BORDER
    box = f'x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="8"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" role="img">',
        f"  <title>{escape(f'{format_game(rules)}: {format_state(rules, state)}')}</title>",
        f"  <style>{STYLE}  </style>",
        f'  <rect class="petteia-page" {box}/>',
    ]
    for line, row in enumerate(rows, 1):
        place = f'x="{BORDER}" y="{BORDER - 7 + LINE_HEIGHT * line}"'
        parts.append(f'  <text class="petteia-position" {place}>{escape(row)}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"
