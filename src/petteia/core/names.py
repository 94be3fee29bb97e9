"""Functions that write game classes and rules as strings, and that parse the number or name of a seat.

The functions that find a game by its name are in `petteia.games`.
"""

from __future__ import annotations

from typing import Literal

from petteia.core.errors import UsageError
from petteia.core.options import format_options
from petteia.core.protocol import Rules, seats

GAME_NAMES: dict[type, str] = {}
"""The name of each game class of this package. `petteia.games` fills this dictionary."""


def name_of(cls: type) -> str:
    """Return the name of a game class: `hare-and-hounds` for HareAndHounds, `module:Name` for a custom game."""
    return GAME_NAMES.get(cls) or f"{cls.__module__}:{cls.__qualname__}"


def format_game(rules: Rules) -> str:
    """Return the rules as a string that `petteia.game` can parse: the name of the game and the non-default options."""
    options = format_options(rules)
    return name_of(type(rules)) + (f":{options}" if options else "")


def parse_seat(rules: Rules, text: int | str) -> Literal[0, 1]:
    """Parse a seat from its number or name, such as `1` or `hare`. Raises UsageError for any other string."""
    names = seats(rules)
    if str(text) in ("0", names[0]):
        return 0
    if str(text) in ("1", names[1]):
        return 1
    raise UsageError(f"side {text!r}: must be {names[0]} (or 0) or {names[1]} (or 1)")
