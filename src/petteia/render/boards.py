"""The board of any game as text and as SVG.

The drawing functions of a game are optional. A built-in game defines its drawing functions in the module of this
package that has the name of the game. A custom game defines its drawing functions in the module of its class. A game
can define these functions:

- `text(rules, state)` returns the board as text.
- `svg(rules, state, move, before)` returns the board as SVG. The parameters `move` and `before`, or only `before`, can
  be omitted.
- `moved(rules, before, move)` returns the board after a move as text, for games in which a move changes many squares.
- `targets(rules, state)` returns the places on the board that can be clicked (see the module `targets`).
- `frames(rules, before, move)` returns the pictures of an animation of a move.

If a game does not define `text`, the text form of the position and the fields of the state are shown instead. Each part
of the text form between slashes is shown on its own line. If a game defines `shape` (the size of its board) instead of
`svg`, the board is drawn as a grid. For any other game without `svg`, the SVG shows the text of the board.

If the function `text` or `svg` raises an error, the board is shown as plain text instead. A line below the board
reports the error.
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
from petteia.render.grid import grid_svg, has_grid, shape_error
from petteia.render.moves import list_moves
from petteia.render.picture import save_drawing

WIDTH = 76
"""The maximum number of characters of a line with fields of a state."""
MAX_LISTED = 40
"""The maximum number of moves that are listed below a board. If there are more, only their number is shown."""
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
    """A position that displays itself, as a drawing in notebooks and as plain text elsewhere."""

    rules: Rules
    state: State
    move: int | None = None
    """the code of the move that led to the position, so that the board can show the move; None if no move is shown"""
    before: State | None = None
    """the state before that move, which some games need to show the move"""

    def __repr__(self) -> str:
        return board_text(self.rules, self.state)

    def _repr_svg_(self) -> str:
        return board_svg(self.rules, self.state, self.move, self.before)

    def save(self, path: str | Path) -> None:
        """Write the board to an SVG or PNG file, depending on the suffix of its name.

        Args:
            path: the file, with the suffix `.svg`, or `.png` if the extra `plot` is installed; an existing file is
                replaced

        Raises:
            UsageError: the suffix is neither `.svg` nor `.png`
            PetteiaError: the file cannot be written, or the suffix is `.png` and the extra `plot` is not installed

        """
        save_drawing(path, self._repr_svg_())


def board_text(rules: Rules, state: State, *, moves: bool = True) -> str:
    """Return the board for a terminal, as plain text without a trailing newline.

    If the game does not define a function that draws its board as text, the legal moves are listed below the board. The
    keyword argument `moves=False` omits this list.
    """
    drawn = drawn_by("text", rules, state)
    if drawn.value is not None:
        return str(drawn.value)
    return "\n".join([*_lines(rules, state, moves=moves), *(["", drawn.note] if drawn.note else [])])


def move_text(rules: Rules, before: State, move: int) -> str | None:
    """Return the text that the terminal shows after a legal move: the new board, with the changes marked.

    Returns None if the game does not define `moved`.
    """
    drawn = drawn_by("moved", rules, before, move)
    if drawn.note:
        return f"{board_text(rules, play(rules, before, move), moves=False)}\n\n{drawn.note}"
    return None if drawn.value is None else str(drawn.value)


def has_drawing(rules: Rules) -> bool:
    """Return whether the board can be drawn, by a function `svg` or as a grid. Other boards are shown as text."""
    return inspect.isfunction(getattr(drawing(type(rules)), "svg", None)) or has_grid(rules)


def board_svg(rules: Rules, state: State, move: int | None = None, before: State | None = None) -> str:
    """Return the board as a self-contained SVG element. The output is deterministic.

    Args:
        rules: the rules of the game
        state: the state to draw
        move: the code of the last move, to be marked on the board; ignored if the game has no drawing function `svg`
        before: the state before the last move, which some drawing functions need to mark the move

    """
    drawn = drawn_by("svg", rules, state, move, before)
    if drawn.value is not None:
        return str(drawn.value)
    note = drawn.note
    if has_grid(rules) and not note:
        if not (error := shape_error(rules, state)):
            return grid_svg(rules, state)
        note = f"the board is not drawn as a grid: {error}"
    return _rows_svg(rules, state, [*board_text(rules, state).splitlines(), *(["", note] if note else [])])


class Drawn(NamedTuple):
    """The result of a drawing function, or an error message if the function failed."""

    value: Any
    """the returned value; None if there is no such function, or if it failed"""
    note: str = ""
    """a line that describes the error of the function; empty if there was no error"""


class Drawer(NamedTuple):
    """The requirements for a drawing function: its parameters, and a check of its result."""

    parameters: tuple[str, ...]
    """the names of the function's parameters"""
    returns: str
    """a description of the required result"""
    is_right: Callable[[Any], bool]
    """a function that returns whether a result is valid"""


def _is_svg(value: Any) -> bool:
    return isinstance(value, str) and value.lstrip().startswith("<svg")


DRAWERS = {
    "text": Drawer(("rules", "state"), "a string", lambda value: isinstance(value, str)),
    "svg": Drawer(("rules", "state", "move", "before"), "a string that begins with <svg", _is_svg),
    "moved": Drawer(
        ("rules", "before", "move"), "a string or None", lambda value: value is None or isinstance(value, str)
    ),
    "targets": Drawer(("rules", "state"), "a dictionary", lambda value: isinstance(value, dict)),
    "frames": Drawer(
        ("rules", "before", "move"),
        "a list of strings that begin with <svg",
        lambda value: isinstance(value, list) and all(map(_is_svg, value)),
    ),
}
"""The drawing functions by name. A function `svg` needs only the first two parameters."""


def drawn_by(name: str, *arguments: Any) -> Drawn:
    """Call the drawing function `name` of a game, if it exists. Return its result or an error message.

    A custom function `svg` need not have the parameters `move` and `before`. The function is then called without the
    corresponding arguments.
    """
    cls = type(arguments[0])
    draw = getattr(drawing(cls), name, None)
    if not inspect.isfunction(draw) or not draws(name, parameters := tuple(inspect.signature(draw).parameters)):
        return Drawn(None)  # the custom module has no such function, or another object with this name
    if cls in GAME_NAMES:
        return Drawn(draw(*arguments))
    try:
        result = draw(*arguments[: len(parameters)])
    except Exception as error:  # a custom function can raise anything
        frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename != __file__]
        place = f"{frames[-1].name} ({Path(frames[-1].filename).name}, line {frames[-1].lineno})"
        message = " ".join(f"{type(error).__name__}: {error}".split()).rstrip(":")
        return Drawn(None, f"the drawing function `{name}` failed: {place} raised {message}")
    if not DRAWERS[name].is_right(result):
        returned = " ".join(repr(result).split())[:60]
        return Drawn(None, f"the drawing function `{name}` returned {returned}; it must return {DRAWERS[name].returns}")
    return Drawn(result)


def draws(name: str, parameters: tuple[str, ...]) -> bool:
    """Return whether a function with these parameters can be used as the drawing function `name`."""
    expected = DRAWERS[name].parameters
    minimum = 2 if name == "svg" else len(expected)
    return len(parameters) >= minimum and parameters == expected[: len(parameters)]


def drawing(cls: type) -> ModuleType | None:
    """Return the module that can define drawing functions for a game, given the class of the game's rules."""
    if cls in GAME_NAMES:
        name = f"{__package__}.{name_of(cls).replace('-', '_')}"
        return importlib.import_module(name) if importlib.util.find_spec(name) else None
    return sys.modules.get(cls.__module__)


def _lines(rules: Rules, state: State, *, moves: bool) -> list[str]:
    """Describe a position in lines of text: its notation, the fields of the state, and the legal moves."""
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
