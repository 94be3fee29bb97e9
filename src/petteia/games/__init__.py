"""The games: one file each, its rules as pure functions on an immutable state.

A new game is a file here, a line in `GAMES`, and a file of the same name in `render/` if its boards are to be drawn.
"""

from __future__ import annotations

import re
import shlex
from contextlib import suppress
from functools import partial
from typing import Literal

from petteia.checking.first_use import try_out
from petteia.core.errors import UsageError
from petteia.core.hints import classes_named_by, did_you_mean, nearest
from petteia.core.options import check_rules, format_options, options, parse_rules
from petteia.core.protocol import Rules, seats
from petteia.core.text import parse_call
from petteia.foreign.loading import check_game_class, load_class
from petteia.games.british_square import BritishSquare
from petteia.games.hare_and_hounds import HareAndHounds
from petteia.games.kalah import Kalah

GAMES: tuple[type, ...] = (Kalah, HareAndHounds, BritishSquare)
"""The classes of the games that come with the package."""


def name_of(cls: type) -> str:
    """The name by which a game is called: `hare-and-hounds` for HareAndHounds, `module:Name` for a user's own."""
    if cls in GAMES:
        return re.sub(r"(?<!^)(?=[A-Z])", "-", cls.__name__).lower()
    return f"{cls.__module__}:{cls.__qualname__}"


def game(text: str | Rules) -> Rules:
    """The rules that `text` names: `hare-and-hounds:stall=0`, `my_module:Nim:heaps=4`. Rules are checked and returned.

    Rules of a user's own are tried out in some first plies, once. Raises UsageError for an unknown game or option and
    for rules that break the protocol there, NotFoundError for a module or class that is not there.
    """
    rules = untried(text)
    if type(rules) not in GAMES:
        try_out(rules, shlex.quote(format_game(rules)))
    return rules


def untried(text: str | Rules) -> Rules:
    """The same rules, whatever they do; for those who look at that themselves. Errors are those of reading the text."""
    if not isinstance(text, str):
        check_game_class(type(text), name_of(type(text)))
        check_rules(text)
        return text
    names = {name_of(cls): cls for cls in GAMES}
    call = parse_call(text, "game", {name: partial(_option_of, cls) for name, cls in names.items()})
    if call.is_foreign:
        cls = load_class(call.name, "game")
        check_game_class(cls, call.name)
    elif call.name in names:
        cls = names[call.name]
    else:
        meant = did_you_mean(*classes_named_by(call.name, "game")) or nearest(call.name, names)
        hint = meant or f"known are {', '.join(names)}, and your own as module:Name"
        raise UsageError(f"there is no game {call.name!r}; {hint}")
    return parse_rules(cls, call.options, f"game {call.name}")


def _option_of(cls: type, value: str) -> str:
    """The option that can have this value; empty if none can."""
    for option, domain in options(cls).items():
        with suppress(ValueError):
            domain.parse(value)
            return option
    return ""


def format_game(rules: Rules) -> str:
    """The text form of rules, which `game` reads again: the name, then the options that differ from their defaults."""
    options = format_options(rules)
    return name_of(type(rules)) + (f":{options}" if options else "")


def parse_seat(rules: Rules, text: int | str) -> Literal[0, 1]:
    """The seat that `text` names: 0, 1, or what the game calls the player in it. Raises UsageError for any other."""
    names = seats(rules)
    if str(text) in ("0", names[0]):
        return 0
    if str(text) in ("1", names[1]):
        return 1
    raise UsageError(f"side {text!r}: must be {names[0]} (or 0) or {names[1]} (or 1)")
