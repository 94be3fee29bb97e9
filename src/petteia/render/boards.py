"""The board of any game, as text and as SVG.

The drawing of a built-in game is the module of the same name in this folder, with `text(rules, state)` and
`svg(rules, state, move, before)`; and with `moved(rules, before, move)`, text again, if one move can change much. Two
more are for playing on the drawing (`targets` beside this file): `targets(rules, state)`, where to click, and
`frames(rules, before, move)`, the pictures between two positions. Those of a user's game are the functions of these
names beside its class, in the same module; `svg` may leave out its last parameters. A game without `text` is drawn as
its position, a row on each line, with the fields of the state by name; one without `svg` as a grid if it tells the
`shape` of its squares, else as its text. Where one of them raises, it is as if there were none, and a line below says
so.
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import sys
import textwrap
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from petteia.core.names import GAME_NAMES, format_game, name_of
from petteia.core.protocol import Rules, State, format_state, is_over, legal, play
from petteia.render.grid import grid_svg, has_grid, trouble_with_shape
from petteia.render.moves import list_moves
from petteia.render.picture import save_drawing

WIDTH = 76
"""of the lines on what a state holds"""
MAX_LISTED = 40
"""moves that are listed below a board; of more only their number is told"""
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
    """the state in which that move was made; without it some games cannot show the move"""

    def __repr__(self) -> str:
        return board_text(self.rules, self.state)

    def _repr_svg_(self) -> str:
        return board_svg(self.rules, self.state, self.move, self.before)

    def save(self, path: str | Path) -> None:
        """Write the board to a file, as SVG or PNG by the suffix of its name.

        Args:
            path: ends with `.svg`, or with `.png` where the extra `plot` is installed; a file of this name is replaced

        Raises:
            UsageError: another suffix
            PetteiaError: the file cannot be written; a PNG without the extra `plot`

        """
        save_drawing(path, self._repr_svg_())


def board_text(rules: Rules, state: State, *, moves: bool = True) -> str:
    """The board for a terminal, in plain text of one or more lines, without a line end after the last.

    Of a game without a drawing of its own, the legal moves are listed below, unless `moves` is False.
    """
    drawn = drawn_by("text", rules, state)
    if drawn.value is not None:
        return str(drawn.value)
    return "\n".join([*_lines(rules, state, moves=moves), *(["", drawn.note] if drawn.note else [])])


def move_text(rules: Rules, before: State, move: int) -> str | None:
    """What a legal move changes, for a terminal: the board after it, with the changes marked, and what has happened.

    None if a look at the board tells as much.
    """
    drawn = drawn_by("moved", rules, before, move)
    if drawn.note:
        return f"{board_text(rules, play(rules, before, move), moves=False)}\n\n{drawn.note}"
    return None if drawn.value is None else str(drawn.value)


def has_drawing(rules: Rules) -> bool:
    """Whether the board is drawn, by a function of the game or as a grid; else its text is shown."""
    return inspect.isfunction(getattr(drawing(type(rules)), "svg", None)) or has_grid(rules)


def board_svg(rules: Rules, state: State, move: int | None = None, before: State | None = None) -> str:
    """The board as an SVG element that needs nothing else; the same bytes for the same arguments.

    Args:
        rules: of the game
        state: what is drawn
        move: code of the move that led to `state`, to be shown; a game without a drawing does not show it
        before: where that move was made; without it some games cannot show the move

    """
    drawn = drawn_by("svg", rules, state, move, before)
    if drawn.value is not None:
        return str(drawn.value)
    note = drawn.note
    if has_grid(rules) and not note:
        if not (trouble := trouble_with_shape(rules, state)):
            return grid_svg(rules, state)
        note = f"not drawn as a grid: {trouble}"
    return _rows_svg(rules, state, [*board_text(rules, state).splitlines(), *(["", note] if note else [])])


class Drawn(NamedTuple):
    """What a function that draws has returned, or why there is nothing."""

    value: Any
    """what it returned; None if there is no such function, or if it failed"""
    note: str = ""
    """a line that says how it failed"""


class Drawer(NamedTuple):
    """A function that draws."""

    parameters: tuple[str, ...]
    """their names"""
    returns: str
    """what it must return, in words"""
    is_right: Callable[[Any], bool]
    """whether it has returned that"""


def _is_svg(value: Any) -> bool:
    return isinstance(value, str) and value.lstrip().startswith("<svg")


DRAWERS = {
    "text": Drawer(("rules", "state"), "text", lambda value: isinstance(value, str)),
    "svg": Drawer(("rules", "state", "move", "before"), "text that begins with <svg", _is_svg),
    "moved": Drawer(("rules", "before", "move"), "text", lambda value: value is None or isinstance(value, str)),
    "targets": Drawer(("rules", "state"), "a dictionary", lambda value: isinstance(value, dict)),
    "frames": Drawer(
        ("rules", "before", "move"),
        "a list of texts that begin with <svg",
        lambda value: isinstance(value, list) and all(map(_is_svg, value)),
    ),
}
"""The functions that draw; of `svg` the first two parameters are enough."""


def drawn_by(name: str, *arguments: Any) -> Drawn:
    """What the function `name` of the game's drawing returns for as many of the arguments as it takes."""
    cls = type(arguments[0])
    draw = getattr(drawing(cls), name, None)
    if not inspect.isfunction(draw) or not draws(name, parameters := tuple(inspect.signature(draw).parameters)):
        return Drawn(None)  # there is something else that has this name in a user's module, or nothing
    if cls in GAME_NAMES:
        return Drawn(draw(*arguments))
    try:
        result = draw(*arguments[: len(parameters)])
    except Exception as error:  # a user's function can raise anything
        frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename != __file__]
        place = f"{frames[-1].name} ({Path(frames[-1].filename).name}, line {frames[-1].lineno})"
        message = " ".join(f"{type(error).__name__}: {error}".split()).rstrip(":")
        return Drawn(None, f"not drawn by {name}: {place} raised {message}")
    if not DRAWERS[name].is_right(result):
        returned = " ".join(repr(result).split())[:60]
        return Drawn(None, f"not drawn by {name}: it returned {returned}; must be {DRAWERS[name].returns}")
    return Drawn(result)


def draws(name: str, parameters: tuple[str, ...]) -> bool:
    """Whether a function of this name with these parameters is one that draws."""
    expected = DRAWERS[name].parameters
    minimum = 2 if name == "svg" else len(expected)
    return len(parameters) >= minimum and parameters == expected[: len(parameters)]


def drawing(cls: type) -> ModuleType | None:
    """The module that draws the game: beside the class, or of the class that it is derived from."""
    if cls in GAME_NAMES:
        name = f"{__package__}.{name_of(cls).replace('-', '_')}"
        return importlib.import_module(name) if importlib.util.find_spec(name) else None
    return sys.modules.get(cls.__module__)


def _lines(rules: Rules, state: State, *, moves: bool) -> list[str]:
    """The position, what the fields of the state hold, and the legal moves."""
    named = "   ".join(f"{name} {value}" for name, value in zip(state._fields, state, strict=True))
    lines = [*format_state(rules, state).split("/"), "", *textwrap.wrap(named, WIDTH, break_on_hyphens=False)]
    if moves and not is_over(rules, state):
        codes = legal(rules, state)
        listed = len(codes) <= MAX_LISTED
        lines += ["", *(list_moves(rules, state).splitlines() if listed else [f"{len(codes)} moves"])]
    return lines


def _rows_svg(rules: Rules, state: State, rows: list[str]) -> str:
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
        place = f'x="{BORDER}" y="{BORDER - 7 + LINE_HEIGHT * line}" xml:space="preserve"'  # resvg knows no white-space
        parts.append(f'  <text class="petteia-position" {place}>{escape(row)}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"
