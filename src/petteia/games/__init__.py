"""The games of the package, each in its own module. The rules are pure functions of an immutable state.

To add a game, add a module here and an entry in `GAMES`. To draw its boards, add a module with the same name in
`render/`.
"""

from __future__ import annotations

import re
import shlex
from contextlib import suppress
from functools import partial

from petteia.checking.first_use import try_out
from petteia.core.errors import UsageError
from petteia.core.hints import classes_named_by, did_you_mean, nearest
from petteia.core.names import GAME_NAMES, format_game, name_of
from petteia.core.options import check_rules, options, parse_rules
from petteia.core.protocol import Rules
from petteia.core.text import parse_call
from petteia.foreign.loading import check_game_class, load_class
from petteia.games.amazons import Amazons
from petteia.games.british_square import BritishSquare
from petteia.games.hare_and_hounds import HareAndHounds
from petteia.games.kalah import Kalah

GAMES: tuple[type, ...] = (Kalah, HareAndHounds, BritishSquare, Amazons)
"""The classes of the games that come with the package."""
GAME_NAMES.update({cls: re.sub(r"(?<!^)(?=[A-Z])", "-", cls.__name__).lower() for cls in GAMES})


def game(text: str | Rules) -> Rules:
    """Create rules from a string, such as `hare-and-hounds:stall=0`. A rules object is checked and returned unchanged.

    Custom rules are tested once, in the first plies of some games. Raises UsageError for an unknown game or option, and
    for rules that fail this test. Raises NotFoundError for a missing module or class.

    Examples:
        >>> petteia.game("kalah:pits=3,seeds=3")
        Kalah(pits=3, seeds=3, capture=0, end=0, leftovers=0)

    """
    rules = untried(text)
    if type(rules) not in GAMES:
        try_out(rules, shlex.quote(format_game(rules)))
    return rules


def untried(text: str | Rules) -> Rules:
    """Create rules as `game` does, but do not test custom rules.

    Call this function instead of `game` if other code tests the rules, for example `petteia.check`.
    """
    if not isinstance(text, str):
        check_game_class(type(text), name_of(type(text)))
        check_rules(text)
        return text
    names = {name: cls for cls, name in GAME_NAMES.items()}
    call = parse_call(text, "game", {name: partial(_option_of, cls) for name, cls in names.items()})
    if call.is_foreign:
        cls = load_class(call.name, "game")
        check_game_class(cls, call.name)
    elif call.name in names:
        cls = names[call.name]
    else:
        meant = did_you_mean(*classes_named_by(call.name, "game")) or nearest(call.name, names)
        hint = meant or f"choose from {', '.join(names)}, or module:Name for a custom one"
        raise UsageError(f"there is no game {call.name!r}; {hint}")
    return parse_rules(cls, call.options, f"game {call.name}")


def _option_of(cls: type, value: str) -> str:
    """Return the name of the option of `cls` that accepts the word `value`, or an empty string if there is none."""
    for option, domain in options(cls).items():
        with suppress(ValueError):
            domain.parse(value)
            return option
    return ""
