"""Strings that describe games and players, such as `kalah:seeds=6` or `theta:depth=5,agent=FILE`."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping
from typing import NamedTuple

from petteia.core.errors import UsageError
from petteia.core.hints import NEEDED, classes_named_by, did_you_mean, is_module

IDENTIFIER = r"[A-Za-z_]\w*"


WIDTH = 80
"""The maximum number of characters of a text in an error message."""


def shortened(text: str) -> str:
    """Quote a string for an error message, and truncate it if it is long."""
    return repr(text if len(text) <= WIDTH else f"{text[: WIDTH - 3]}...")


class Call(NamedTuple):
    """A game or player parsed from a string such as `kalah:seeds=6`: a name with options."""

    name: str
    """the name of a game or player of this package, such as `kalah`, or `module:Name`"""
    options: dict[str, str]
    """the text of each option, by name"""

    @property
    def is_foreign(self) -> bool:
        """Whether the name refers to custom code, in the form `module:Name`."""
        return ":" in self.name


OptionOf = Callable[[str], str]
"""A function that suggests the option for a value without an option name, or returns an empty string."""


def parse_call(text: str, kind: str, known: Mapping[str, OptionOf] | None = None) -> Call:
    """Parse a string that describes a game or player: `NAME[:option=value,...]` or `module:Name[:option=value,...]`.

    A value may contain commas, spaces and colons, because it ends only before the next `,option=` outside parentheses.
    Parentheses around a whole value are removed. `kind` is the kind of the described object, such as `game`, and
    appears in error messages.

    `known` maps the name of each game or player of the package to a function. If the user writes a value without the
    name of its option, this function returns the name of the option that accepts the value. The error message then
    suggests this option.
    """
    option_of = {} if known is None else known
    foreign = re.match(rf"({IDENTIFIER}(?:\.{IDENTIFIER})*:{IDENTIFIER})(?::(?=\s*\w+=)|$)", text)
    own = re.match(r"([A-Za-z][A-Za-z0-9_-]*)(?::|$)", text)
    named_here = own is not None and (own[1] in sys.stdlib_module_names or not is_module(own[1]))
    if own and foreign and own[1] in option_of and named_here:  # the text after the colon is a value, not a class
        foreign = None
    match = foreign or own
    if not match:
        meant = did_you_mean(*(classes_named_by(text, kind) if kind in NEEDED else ()))
        form = meant or "must look like NAME, NAME:option=value,... or module:Name"
        raise UsageError(f"{kind} {text!r}: {form}")
    rest = text[match.end() :]
    if text.endswith(":") and not rest:
        raise UsageError(f"{kind} {text!r}: nothing follows the colon; remove the colon or add option=value")
    return Call(match[1], _parse_options(rest, kind, text, option_of.get(match[1])) if rest else {})


def _parse_options(rest: str, kind: str, text: str, option_of: OptionOf | None) -> dict[str, str]:
    options: dict[str, str] = {}
    for part in _split(rest, kind, text):
        option, equals, value = part.partition("=")
        if not equals or not re.fullmatch(IDENTIFIER, option):
            option = option_of(part) if option_of else ""
            meant = (
                f"; {did_you_mean(text[: -len(rest)] + rest.replace(part, f'{option}={part}', 1))}" if option else ""
            )
            raise UsageError(f"{kind} {text!r}: {part!r} is not of the form option=value{meant}")
        if option in options:
            raise UsageError(f"{kind} {text!r}: option {option!r} is given twice; remove one of them")
        options[option] = value[1:-1] if value.startswith("(") and value.endswith(")") else value
    return options


def _split(rest: str, kind: str, text: str) -> list[str]:
    depth = 0
    cuts = [0]
    for place, character in enumerate(rest):
        depth += {"(": 1, ")": -1}.get(character, 0)
        if depth < 0:
            break
        if character == "," and depth == 0 and re.match(rf"{IDENTIFIER}=", rest[place + 1 :]):
            cuts.append(place + 1)
    if depth != 0:
        raise UsageError(f"{kind} {text!r}: the parentheses do not match")
    return [rest[start : (end - 1 if end else None)] for start, end in zip(cuts, [*cuts[1:], None], strict=True)]
