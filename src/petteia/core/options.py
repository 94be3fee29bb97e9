"""Options of rules and of players, which are fields of a NamedTuple, and their text form.

An option of rules is an int that stands for a word: `end: Annotated[int, Words("mover", "either")] = 0`, or lies in a
range: `pits: Annotated[int, Range(1, 7)] = 6`. The text form of rules lists the options that are not as by default:
`end=either,pits=4`.

An option of a player can be more than an int, and says what it does: `depth: Annotated[int, WHOLE, "plies that it looks
ahead"] = 1`.
"""

from __future__ import annotations

import functools
import math
import re
import typing
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from petteia.core.errors import UsageError
from petteia.core.numbers import finite_number, whole_number
from petteia.core.protocol import Rules, validate


@runtime_checkable
class Domain(Protocol):
    """The values that an option can take."""

    def parse(self, text: str) -> Any:
        """The value that `text` stands for; a ValueError that says what would be right."""


class Words:
    """The option takes one of these words; its int is the place of the word."""

    def __init__(self, *words: str) -> None:
        self.words = words

    def parse(self, text: str) -> int:
        """The int that `text` stands for; a ValueError that says what would be right."""
        if text not in self.words:
            raise ValueError(f"must be one of {', '.join(self.words)}")
        return self.words.index(text)

    def format(self, value: int) -> str:
        """The text that `parse` reads as `value`."""
        return self.words[value]

    def check(self, value: int) -> None:
        """Raise a ValueError unless `value` is allowed."""
        if not 0 <= value < len(self.words):
            raise ValueError(f"must be in 0..{len(self.words) - 1} ({', '.join(self.words)})")

    def __str__(self) -> str:
        return " / ".join(self.words)


@dataclass(frozen=True)
class Range:
    """The option takes a whole number from `least` to `most`."""

    least: int
    most: int

    def parse(self, text: str) -> int:
        """The int that `text` stands for; a ValueError that says what would be right."""
        if not re.fullmatch(r"0|[1-9][0-9]{0,18}", text, re.ASCII):
            raise ValueError(f"must be a whole number in {self.least}..{self.most}")
        self.check(int(text))
        return int(text)

    def format(self, value: int) -> str:
        """The text that `parse` reads as `value`."""
        return str(value)

    def check(self, value: int) -> None:
        """Raise a ValueError unless `value` is allowed."""
        if not self.least <= value <= self.most:
            raise ValueError(f"must be in {self.least}..{self.most}")

    def __str__(self) -> str:
        return f"{self.least}..{self.most}"


ANY = Range(0, (1 << 63) - 1)


class Text:
    """The option takes any text."""

    def parse(self, text: str) -> str:
        """The text itself."""
        return text


@dataclass(frozen=True)
class OneOf:
    """The option takes one of these words, and is that word."""

    words: tuple[str, ...]

    def parse(self, text: str) -> str:
        """The word; a ValueError that says what would be right."""
        if text not in self.words:
            raise ValueError(f"must be one of {', '.join(self.words)}")
        return text


@dataclass(frozen=True)
class Whole:
    """The option takes a whole number, or a word that stands for none; whoever uses it looks at ranges."""

    none: str = ""

    def parse(self, text: str) -> int | str:
        """The number or the word; a ValueError that says what would be right."""
        if text and text == self.none:
            return text
        number = whole_number(text)
        if number is None or text != str(number):
            raise ValueError("must be a whole number")
        return number


@dataclass(frozen=True)
class Number:
    """The option takes a number from `least` to `most`, more than `least` if it is to lie `above` it."""

    words: str
    """the name of what it must be, for errors"""
    least: float = -math.inf
    most: float = math.inf
    above: bool = False

    def parse(self, text: str) -> float:
        """The number; a ValueError that says what would be right."""
        value = finite_number(text)
        if value is None or not self.least <= value <= self.most or (self.above and value == self.least):
            raise ValueError(f"must be {self.words}")
        return value


TEXT, WHOLE, NUMBER = Text(), Whole(), Number("a number")
SHARE = Number("a number in 0..1", 0.0, 1.0)
DURATION = Number("a number of seconds, more than 0", 0.0, above=True)


def options(cls: type) -> dict[str, Words | Range]:
    """The options of a rules class by name, in order; a plain `int` takes any number of 0 or more."""
    hints = typing.get_type_hints(cls, include_extras=True)
    return {name: _domain(hints[name]) for name in getattr(cls, "_fields", ())}


def _domain(hint: Any) -> Any:
    return next((note for note in getattr(hint, "__metadata__", ()) if isinstance(note, Domain)), ANY)


@functools.cache
def described(cls: type) -> dict[str, str]:
    """The options of a class by name, in order, each with its description."""
    hints = typing.get_type_hints(cls, include_extras=True)
    return {
        name: next((note for note in getattr(hints[name], "__metadata__", ()) if isinstance(note, str)), "")
        for name in getattr(cls, "_fields", ())
    }


def read_options(cls: type, settings: dict[str, str], whose: str) -> dict[str, Any]:
    """The values of options of `cls`, all of which it has; a UsageError for what an option does not take."""
    known = options(cls)
    values = {}
    for option, text in settings.items():
        try:
            values[option] = known[option].parse(text)
        except ValueError as error:
            raise UsageError(f"{whose}: {option}={text}: {error}") from None
    return values


def parse_rules(cls: type, settings: dict[str, str], name: str) -> Rules:
    """Rules of class `cls` with the options in `settings` (option -> text); a UsageError for what does not fit."""
    known = options(cls)
    for option in settings:
        if option not in known:
            has = f"it has {', '.join(known)}" if known else "it has none"
            raise UsageError(f"{name} has no option {option!r}; {has}")
    values = read_options(cls, settings, name)
    if missing := [option for option in known if option not in values and option not in cls._field_defaults]:  # type: ignore[attr-defined]  # cls is a NamedTuple
        raise UsageError(f"{name}: option {missing[0]} has no default and must be given")
    rules = cls(**values)
    try:
        validate(rules)
    except ValueError as error:
        raise UsageError(f"{name}: {error}") from None
    return rules


def check_rules(rules: Rules) -> None:
    """Raise a UsageError unless every option of `rules` (made in Python) is in its range and they go together."""
    for option, domain in options(type(rules)).items():
        value = getattr(rules, option)
        try:
            if type(value) is not int:
                raise ValueError(f"must be an int, not {type(value).__name__}")
            domain.check(value)
        except ValueError as error:
            raise UsageError(f"{type(rules).__name__}: {option}={value!r}: {error}") from None
    try:
        validate(rules)
    except ValueError as error:
        raise UsageError(f"{type(rules).__name__}: {error}") from None


def format_options(rules: Rules) -> str:
    """The options that differ from their defaults, `name=text` joined by commas; empty if none does."""
    defaults = type(rules)._field_defaults
    return ",".join(
        f"{option}={domain.format(getattr(rules, option))}"
        for option, domain in options(type(rules)).items()
        if getattr(rules, option) != defaults.get(option)
    )
