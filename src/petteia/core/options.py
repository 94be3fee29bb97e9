"""Options of rules, of players and of trainings: annotated fields of a class, each with the values that it takes.

    pits: Annotated[int, Range(1, 7)] = 6                                             of rules, a NamedTuple
    end: Annotated[int, Words("mover", "either")] = 0                                 an int that stands for a word
    depth: Annotated[int, WHOLE, "search depth in plies"] = 1                          of a player, with its help
    gamma: Annotated[float, SHARE, "discount factor", Told(metavar="G")] = 0.9     of a learner

The text form of rules lists the options that are not as by default: `end=either,pits=4`.
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
import math
import re
import typing
from abc import ABC, abstractmethod
from collections.abc import Sequence
from numbers import Integral, Real
from typing import Any, Literal, NamedTuple

from petteia.core.errors import UsageError
from petteia.core.hints import argument
from petteia.core.numbers import MAX_DIGITS, finite_number
from petteia.core.protocol import Rules, validate

MANY, MAX_BITS = 10**18, 64
LONGEST = 80
"""of a value in an error line"""


class Domain(ABC):
    """The values that an option takes."""

    shell: Any = str
    """the type in which the command line reads it; None: it does not"""

    @abstractmethod
    def read(self, value: Any) -> Any:
        """The value, given in Python or in a file, in Python's own types; ValueError says what it must be."""

    def parse(self, text: str) -> Any:
        """The value that `text` stands for; ValueError says what it must be."""
        return self.read(text)


def _of_type(value: Any, types: tuple[type, ...], words: str) -> Any:
    """The value, if it is of one of `types`; numbers of other libraries become Python's."""
    if not isinstance(value, types) or (isinstance(value, bool) and bool not in types):
        raise ValueError(f"must be {words}")
    if isinstance(value, int) and value.bit_length() > MAX_BITS:
        raise ValueError(f"must be {words} of at most {MAX_DIGITS} digits")
    if isinstance(value, int | float | str):
        return value
    return int(value) if isinstance(value, Integral) else float(typing.cast(Any, value))


def _sequence(value: Any, words: str) -> Sequence[Any]:
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise ValueError(f"must be {words}")
    return value


class Words(Domain):
    """One of these words, of which the option is the place: an int."""

    def __init__(self, *words: str) -> None:
        self.words = words

    def parse(self, text: str) -> int:
        """The place of the word."""
        if text not in self.words:
            raise ValueError(f"must be one of {', '.join(self.words)}")
        return self.words.index(text)

    def format(self, value: int) -> str:
        """The text that `parse` reads as `value`."""
        return self.words[value]

    def read(self, value: Any) -> int:
        """The place."""
        place: int = _of_type(value, (Integral,), "a whole number")
        if not 0 <= place < len(self.words):
            raise ValueError(f"must be in 0..{len(self.words) - 1} ({', '.join(self.words)})")
        return place

    def __str__(self) -> str:
        return " / ".join(self.words)


@dataclasses.dataclass(frozen=True)
class Range(Domain):
    """Whole numbers from `minimum` to `maximum`; as text also the word `none`, if there is one."""

    minimum: int
    maximum: int
    none: str = ""
    shell = int

    def parse(self, text: str) -> int | str:
        """The number, or the word."""
        if text and text == self.none:
            return text
        if not re.fullmatch(r"0|[1-9][0-9]{0,18}", text, re.ASCII):  # a 64-bit number can have 19 digits
            raise ValueError("must be a whole number" + ("" if self.maximum >= MANY - 1 else f" in {self}"))
        return self.read(int(text))

    def format(self, value: int) -> str:
        """The text that `parse` reads as `value`."""
        return str(value)

    def read(self, value: Any) -> int:
        """The number."""
        number: int = _of_type(value, (Integral,), "a whole number")
        if not self.minimum <= number <= self.maximum:
            raise ValueError(f"must be in {self}")
        return number

    def __str__(self) -> str:
        return f"{self.minimum}..{self.maximum}"


@dataclasses.dataclass(frozen=True)
class Number(Domain):
    """Numbers from `minimum` to `maximum`, `minimum` itself left out if they are to lie `above` it."""

    minimum: float = -math.inf
    maximum: float = math.inf
    above: bool = False
    unit: str = ""
    shell = float

    def parse(self, text: str) -> float:
        """The number."""
        number = finite_number(text)
        if number is None:
            raise ValueError(f"must be {self}")
        return self.read(number)

    def read(self, value: Any) -> float:
        """The number."""
        number = float(_of_type(value, (Real,), str(self)))
        if not (math.isfinite(number) and self.minimum <= number <= self.maximum) or (
            self.above and number == self.minimum
        ):
            raise ValueError(f"must be {self}")
        return number

    def __str__(self) -> str:
        name = f"a number of {self.unit}" if self.unit else "a number"
        if self.above:
            return f"{name}, more than {self.minimum:g}" + (
                f" and at most {self.maximum:g}" if self.maximum < math.inf else ""
            )
        return name if math.isinf(self.minimum) else f"{name} in {self.minimum:g}..{self.maximum:g}"


@dataclasses.dataclass(frozen=True)
class Text(Domain):
    """Text, or also a value of the type `other`; whoever uses it looks at what it says."""

    words: str = "text"
    """what it must be"""
    other: type | None = None

    def read(self, value: Any) -> Any:
        """The text, or the other value."""
        return _of_type(value, (str, *([self.other] if self.other else ())), self.words)


@dataclasses.dataclass(frozen=True)
class OneOf(Domain):
    """One of these words."""

    words: tuple[str, ...]

    @property
    def shell(self) -> Any:
        """The words, which a shell can complete."""
        return Literal[self.words]

    def read(self, value: Any) -> str:
        """The word."""
        if not isinstance(value, str) or value not in self.words:
            raise ValueError(f"must be one of {', '.join(self.words)}")
        return value


class Flag(Domain):
    """True or False."""

    shell = bool

    def read(self, value: Any) -> bool:
        """The value."""
        flag: bool = _of_type(value, (bool,), "True or False")
        return flag


@dataclasses.dataclass(frozen=True)
class Several(Domain):
    """A sequence of values of a domain."""

    of: Domain
    words: str
    """what it must be"""

    @property
    def shell(self) -> Any:
        """A list: the option may be given several times."""
        return None if self.of.shell is None else list[self.of.shell]  # type: ignore[name-defined]  # a type made as it runs

    def read(self, value: Any) -> tuple[Any, ...]:
        """The values."""
        try:
            return tuple(self.of.read(each) for each in _sequence(value, self.words))
        except ValueError:
            raise ValueError(f"must be {self.words}") from None


class Pair(Domain):
    """Two texts."""

    shell = None

    def read(self, value: Any) -> tuple[str, str]:
        """The texts."""
        one, other = map(Text().read, _sequence(value, "two texts"))
        return one, other


class Anything(Domain):
    """Any value; whoever uses it looks at what it is."""

    def read(self, value: Any) -> Any:
        """The value as it is."""
        return value


ANY, WHOLE = Range(0, (1 << 63) - 1), Range(0, MANY - 1)
TEXT, NUMBER, SHARE, DURATION = Text(), Number(), Number(0.0, 1.0), Number(0.0, above=True, unit="seconds")


class Told(NamedTuple):
    """How an option of a training is called elsewhere, and how its default is told."""

    key: str = ""
    """its name in files and on the command line, if not that of the field"""
    flag: str = ""
    """its name on the command line, if not the key"""
    metavar: str | None = None
    """what stands for a value of it"""
    shown: str = ""
    """the default in words, where it depends on other options"""


class Option(NamedTuple):
    """An option, as a field declares it."""

    name: str
    """the name of the field"""
    takes: Domain
    help: str
    type: Any
    """of its values"""
    default: Any
    """`REQUIRED` if there is none"""
    told: Told
    owner: type
    """the class of the field"""

    @property
    def key(self) -> str:
        """Its name in files, which no other option of a training has."""
        return self.told.key or self.name

    @property
    def flag(self) -> str:
        """Its name on the command line."""
        return f"--{(self.told.flag or self.key.rstrip('_')).replace('_', '-')}"

    @property
    def called(self) -> str:
        """Its name where the user has given it."""
        return argument(getattr(self.owner, "place", "") + self.name, self.key, self.flag)

    @property
    def shown(self) -> str:
        """The default in words; empty if there is none."""
        if isinstance(self.default, bool):
            return "on" if self.default else ""
        return self.told.shown if self.default in (None, REQUIRED) else _written(self.default)

    def read(self, value: Any) -> Any:
        """The value in Python's own types; UsageError if the option does not take it."""
        try:
            return self.takes.read(value)
        except ValueError as error:
            raise refused(self.called, error, value) from None


def refused(called: str, words: object, *value: Any) -> UsageError:
    """That an option of this name, with this value if it is told, is wrong, and why."""
    return UsageError(f"{' '.join((called, *map(_shown, value)))}: {words}")


def _shown(value: Any) -> str:
    """A wrong value in an error line."""
    if isinstance(value, int) and value.bit_length() > MAX_BITS:  # Python writes none with thousands of digits
        return f"of {value.bit_length():,} bits"
    text = f"{value:g}" if isinstance(value, float) else " ".join(repr(value).split())
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."


REQUIRED = inspect.Parameter.empty


def _written(value: Any) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(_written, value))
    return f"{value:g}" if isinstance(value, float) else str(value)


def declared(cls: type) -> dict[str, Option]:
    """The options of a class by name, in order; of a NamedTuple a plain `int` takes any number of 0 or more."""
    return _declared(typing.cast(Any, cls))


@functools.cache
def _declared(cls: Any) -> dict[str, Option]:
    hints, is_model, found = typing.get_type_hints(cls, include_extras=True), dataclasses.is_dataclass(cls), {}
    for name in getattr(cls, "__dataclass_fields__", getattr(cls, "_fields", ())):
        parts = (hints[name], *typing.get_args(hints[name]))
        notes = next((part.__metadata__ for part in parts if hasattr(part, "__metadata__")), ())
        if takes := next((note for note in notes if isinstance(note, Domain)), None if is_model else ANY):
            words = next((note for note in notes if isinstance(note, str)), "")
            told = next((note for note in notes if isinstance(note, Told)), Told())
            default = getattr(cls, name, REQUIRED) if is_model else cls._field_defaults.get(name, REQUIRED)
            found[name] = Option(name, takes, words, typing.get_type_hints(cls)[name], default, told, cls)
    return found


def options(cls: type) -> dict[str, Any]:
    """What the options of a class take, by name, in order; `declared` tells more."""
    return {name: option.takes for name, option in declared(cls).items()}


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
            domain.read(value)
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
