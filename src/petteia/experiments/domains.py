"""What options of trainings take: kinds of values, each with its words for what is wrong."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, ClassVar, Literal

from petteia.core.numbers import MOST_DIGITS

MOST_GAMES = 10**12
MOST_BITS = 64
"""of a whole number: Python writes none with thousands of digits, and makes no fraction of them"""


class RefusedError(ValueError):
    """A value that is none of a domain; the message says what it must be."""

    def __init__(self, words: str, value: Any) -> None:
        super().__init__(words)
        self.value = value
        """what is wrong: the value, or a part of it"""


class Domain(ABC):
    """The values that an option can have."""

    shell: ClassVar[Any]
    """the type in which the command line reads it; None if it does not"""

    @property
    def bounds(self) -> dict[str, Any]:
        """The bounds between which numbers lie, in the words of pydantic."""
        return {}

    @abstractmethod
    def read(self, value: Any) -> Any:
        """The value in Python's own types. Raises RefusedError if it is none of these."""


def _of_type(value: Any, types: tuple[type, ...], words: str) -> Any:
    """The value, if it is of one of `types`; numbers of other libraries become Python's."""
    fits = isinstance(value, types) and (not isinstance(value, bool) or bool in types)
    if not fits:
        raise RefusedError(f"must be {words}", value)
    if isinstance(value, int) and value.bit_length() > MOST_BITS:
        raise RefusedError(f"must be {words}, of at most {MOST_DIGITS} digits", f"of {value.bit_length():,} bits")
    if isinstance(value, int | float | str):
        return value
    return int(value) if isinstance(value, Integral) else float(value)


@dataclass(frozen=True)
class Whole(Domain):
    """Whole numbers from `least` to `most`."""

    least: int
    most: int
    shell = int

    @property
    def bounds(self) -> dict[str, Any]:
        """The bounds, in the words of pydantic; both belong to the numbers."""
        return {"ge": self.least, "le": self.most}

    def read(self, value: Any) -> int:
        """The number."""
        number: int = _of_type(value, (Integral,), "a whole number")
        if not self.least <= number <= self.most:
            raise RefusedError(f"must be in {self.least}..{self.most}", value)
        return number


@dataclass(frozen=True)
class Number(Domain):
    """Numbers from `least` to `most`, `least` itself left out if they are to lie `above` it."""

    least: float
    most: float
    above: bool = False
    shell = float

    @property
    def bounds(self) -> dict[str, Any]:
        """The bounds, in the words of pydantic; the upper one is allowed, the lower one unless numbers lie above it."""
        return {"gt" if self.above else "ge": self.least, "le": self.most}

    def read(self, value: Any) -> float:
        """The number."""
        number = float(_of_type(value, (Real,), "a number"))
        if self.above and not self.least < number <= self.most:
            raise RefusedError(f"must be more than {self.least:g}, and at most {self.most:g}", value)
        if not (math.isfinite(number) and self.least <= number <= self.most):
            raise RefusedError(f"must be in {self.least:g}..{self.most:g}", value)
        return number


@dataclass(frozen=True)
class NumberOrText(Domain):
    """A number, or text that says more than one; who uses it reads it."""

    shell = str

    def read(self, value: Any) -> float | str:
        """The number or the text."""
        checked: float | str = _of_type(value, (Real, str), "a number or text")
        return checked


@dataclass(frozen=True)
class Seat(Domain):
    """A seat, or a word for several; who knows the game reads it."""

    shell = str

    def read(self, value: Any) -> int | str:
        """The number or the word."""
        seat: int | str = _of_type(value, (Integral, str), "the number or the name of a seat, or a word")
        return seat


@dataclass(frozen=True)
class Text(Domain):
    """Text; who uses it reads it."""

    words: str
    """what it must be"""
    shell = str

    def read(self, value: Any) -> str:
        """The text."""
        text: str = _of_type(value, (str,), self.words)
        return text


@dataclass(frozen=True)
class OneOf(Domain):
    """One of some words."""

    words: tuple[str, ...]

    @property
    def shell(self) -> Any:
        """The words, which a shell can complete."""
        return Literal[self.words]

    def read(self, value: Any) -> str:
        """The word."""
        word: str = _of_type(value, (str,), "a word")
        if word not in self.words:
            raise RefusedError(f"with features it must be one of {', '.join(self.words)}", value)
        return word


@dataclass(frozen=True)
class Flag(Domain):
    """True or False."""

    shell = bool

    def read(self, value: Any) -> bool:
        """The value, True or False."""
        flag: bool = _of_type(value, (bool,), "True or False")
        return flag


@dataclass(frozen=True)
class Marks(Domain):
    """Numbers of games."""

    shell = list[int]

    def read(self, value: Any) -> list[int]:
        """The numbers, in their order, each once."""
        words = "a sequence of whole numbers"
        marks = [_of_type(mark, (Integral,), words) for mark in _sequence(value, words)]
        for mark in marks:
            if not 1 <= mark <= MOST_GAMES:
                raise RefusedError(f"must be numbers of games, in 1..{MOST_GAMES}", mark)
        return sorted(set(marks))


@dataclass(frozen=True)
class Position(Domain):
    """A state, or text; who knows the game reads it."""

    shell = str

    def read(self, value: Any) -> Any:
        """The value as it is."""
        return value


@dataclass(frozen=True)
class Pairs(Domain):
    """Positions, each with a move, as text."""

    shell = None

    def read(self, value: Any) -> list[tuple[str, str]]:
        """The pairs; who knows the game reads them."""
        words = "a sequence of pairs, a position and a move, both as text"
        for pair in _sequence(value, words):
            if len(_sequence(pair, words)) != 2 or not all(isinstance(part, str) for part in pair):
                raise RefusedError(f"must be {words}", pair)
        return [(position, move) for position, move in value]


def _sequence(value: Any, words: str) -> Sequence[Any]:
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise RefusedError(f"must be {words}", value)
    return value
