"""The text form of games and players: `kalah:seeds=6`, `theta:depth=5,agent=FILE`, `my_module:Nim:heaps=4`."""

from __future__ import annotations

import re
from typing import NamedTuple

from petteia.core.errors import UsageError

IDENTIFIER = r"[A-Za-z_]\w*"


class Call(NamedTuple):
    """A name with options, taken apart."""

    name: str
    """a name of this package (`kalah`), or `module:Name`"""
    options: dict[str, str]

    @property
    def is_foreign(self) -> bool:
        """Whether the name is that of a class in a module."""
        return ":" in self.name


def parse_call(text: str, kind: str) -> Call:
    """Take `NAME[:option=value,...]` or `module:Name[:option=value,...]` apart; `kind` (a word) is for errors.

    A value runs to the next `,word=` outside parentheses, so it may hold commas, spaces and colons. Parentheses around
    a whole value are taken off.
    """
    foreign = re.match(rf"({IDENTIFIER}(?:\.{IDENTIFIER})*:{IDENTIFIER})(?::(?=\s*\w+=)|$)", text)
    own = re.match(r"([A-Za-z][A-Za-z0-9_-]*)(?::|$)", text)
    found = foreign or own
    if not found:
        raise UsageError(f"{kind} {text!r}: must look like NAME, NAME:option=value,... or module:Name")
    rest = text[found.end() :]
    if text.endswith(":") and not rest:
        raise UsageError(f"{kind} {text!r}: nothing follows the colon; leave it out or add option=value")
    return Call(found[1], _parse_options(rest, kind, text) if rest else {})


def _parse_options(rest: str, kind: str, text: str) -> dict[str, str]:
    options: dict[str, str] = {}
    for part in _split(rest, kind, text):
        option, equals, value = part.partition("=")
        if not equals or not re.fullmatch(IDENTIFIER, option):
            raise UsageError(f"{kind} {text!r}: {part!r} is not of the form option=value")
        if option in options:
            raise UsageError(f"{kind} {text!r}: option {option!r} is given twice")
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
        raise UsageError(f"{kind} {text!r}: parentheses do not match")
    return [rest[start : (end - 1 if end else None)] for start, end in zip(cuts, [*cuts[1:], None], strict=True)]
