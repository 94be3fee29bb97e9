"""Options of rules, players and training runs. Each option is an annotated field of a class, with its valid values.

    pits: Annotated[int, Range(1, 7)] = 6                                             an option of rules
    end: Annotated[int, Words("mover", "either")] = 0                                 an int that represents a word
    depth: Annotated[int, WHOLE, "search depth in plies"] = 1                         an option of a player, with help
    gamma: Annotated[float, SHARE, "discount factor", Told(metavar="G")] = 0.9        an option of a learner

The string that describes the rules of a game contains only the options that differ from their defaults, such as
`end=either,pits=4`.

This file exceeds 400 lines in order to keep all types of options together.
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
"""The maximum number of characters of a value in an error message."""


class Domain(ABC):
    """Base class of the types of options, such as `Range`. Each type defines which values are valid."""

    shell: Any = str
    """the type of the option for the command line; None if the option is not available there"""

    @abstractmethod
    def read(self, value: Any) -> Any:
        """Check a value from Python or a file, and convert it to a built-in type of Python.

        Raises ValueError if the value is not valid.
        """

    def parse(self, text: str) -> Any:
        """Parse a value from a string. Raises ValueError if the string is not a valid value."""
        return self.read(text)


def _of_type(value: Any, types: tuple[type, ...], words: str) -> Any:
    """Return `value`, which must have one of the `types`. Numbers of other libraries are converted to int or float.

    Raises ValueError if `value` has another type, or is an int with too many digits. In the message, `words` describes
    a valid value.
    """
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
    """The type of an option that is given as a word. Its value is the index of the word: 0, 1, 2, ..."""

    def __init__(self, *words: str) -> None:
        self.words = words

    def parse(self, text: str) -> int:
        """Return the index of the word `text`. Raises ValueError for an unknown word."""
        if text not in self.words:
            raise ValueError(f"must be one of {', '.join(self.words)}")
        return self.words.index(text)

    def format(self, value: int) -> str:
        """Return the word with the index `value`."""
        return self.words[value]

    def read(self, value: Any) -> int:
        """Check that the value is the index of a word, and return it as an int."""
        place: int = _of_type(value, (Integral,), "a whole number")
        if not 0 <= place < len(self.words):
            raise ValueError(f"must be in 0..{len(self.words) - 1} ({', '.join(self.words)})")
        return place

    def __str__(self) -> str:
        return " / ".join(self.words)


@dataclasses.dataclass(frozen=True)
class Range(Domain):
    """The type of an option that accepts whole numbers from `minimum` to `maximum`.

    If `none` is a word, such as `"none"`, `parse` also accepts this word instead of a number.
    """

    minimum: int
    maximum: int
    none: str = ""
    shell = int

    def parse(self, text: str) -> int | str:
        """Parse a whole number. The word in the field `none`, if it is set, is returned unchanged."""
        if text and text == self.none:
            return text
        if not re.fullmatch(r"0|[1-9][0-9]{0,18}", text, re.ASCII):  # a 64-bit number can have 19 digits
            raise ValueError("must be a whole number" + ("" if self.maximum >= MANY - 1 else f" in {self}"))
        return self.read(int(text))

    def format(self, value: int) -> str:
        """Format a number as a string that `parse` can read."""
        return str(value)

    def read(self, value: Any) -> int:
        """Check that the value is a whole number in the range, and return it as an int."""
        number: int = _of_type(value, (Integral,), "a whole number")
        if not self.minimum <= number <= self.maximum:
            raise ValueError(f"must be in {self}")
        return number

    def __str__(self) -> str:
        return f"{self.minimum}..{self.maximum}"


@dataclasses.dataclass(frozen=True)
class Number(Domain):
    """The type of an option that accepts numbers from `minimum` to `maximum`.

    If `above` is True, values must be greater than `minimum`. Otherwise `minimum` itself is valid, too.
    """

    minimum: float = -math.inf
    maximum: float = math.inf
    above: bool = False
    unit: str = ""
    shell = float

    def parse(self, text: str) -> float:
        """Parse a number."""
        number = finite_number(text)
        if number is None:
            raise ValueError(f"must be {self}")
        return self.read(number)

    def read(self, value: Any) -> float:
        """Check that the value is a number in the range, and return it as a float."""
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
    """The type of an option that accepts a string, and also values of the type `other` if it is not None.

    The value is validated by the code that uses the option.
    """

    words: str = "text"
    """a description of a valid value, for error messages"""
    other: type | None = None

    def read(self, value: Any) -> Any:
        """Check that the value has a valid type, and return it."""
        return _of_type(value, (str, *([self.other] if self.other else ())), self.words)


@dataclasses.dataclass(frozen=True)
class OneOf(Domain):
    """The type of an option that accepts one of several words."""

    words: tuple[str, ...]

    @property
    def shell(self) -> Any:
        """The words as a `Literal` type, so that a shell can complete them on the command line."""
        return Literal[self.words]

    def read(self, value: Any) -> str:
        """Check that the value is one of the words, and return it."""
        if not isinstance(value, str) or value not in self.words:
            raise ValueError(f"must be one of {', '.join(self.words)}")
        return value


class Flag(Domain):
    """The type of an option that accepts True and False."""

    shell = bool

    def read(self, value: Any) -> bool:
        """Check that the value has a valid type, and return it."""
        flag: bool = _of_type(value, (bool,), "True or False")
        return flag


@dataclasses.dataclass(frozen=True)
class Several(Domain):
    """The type of an option that accepts a sequence of values. All values must be valid for the same type, `of`."""

    of: Domain
    words: str
    """a description of a valid value, for error messages"""

    @property
    def shell(self) -> Any:
        """The type of the option on the command line: a list, because the option may be given several times."""
        return None if self.of.shell is None else list[self.of.shell]  # type: ignore[name-defined]  # a type made as it runs

    def read(self, value: Any) -> tuple[Any, ...]:
        """Check each value of a sequence, and return the values as a tuple."""
        try:
            return tuple(self.of.read(each) for each in _sequence(value, self.words))
        except ValueError:
            raise ValueError(f"must be {self.words}") from None


class Pair(Domain):
    """The type of an option that accepts a pair of strings."""

    shell = None

    def read(self, value: Any) -> tuple[str, str]:
        """Check that the value is a sequence of two strings, and return it as a tuple."""
        one, other = map(Text().read, _sequence(value, "two texts"))
        return one, other


class Anything(Domain):
    """The type of an option that accepts any value. The code that uses the option validates it."""

    def read(self, value: Any) -> Any:
        """Return the value without a check."""
        return value


ANY, WHOLE = Range(0, (1 << 63) - 1), Range(0, MANY - 1)
TEXT, NUMBER, SHARE, DURATION = Text(), Number(), Number(0.0, 1.0), Number(0.0, above=True, unit="seconds")


class Told(NamedTuple):
    """How an option is presented to users: its name in files and on the command line, and its default in the help."""

    key: str = ""
    """the name in files and on the command line; if empty, the name of the field"""
    flag: str = ""
    """the name on the command line; if empty, the same as `key`"""
    metavar: str | None = None
    """the placeholder for a value in the help"""
    shown: str = ""
    """a description of the default, if the default depends on other options"""


class Option(NamedTuple):
    """An option that is declared by a field of a class."""

    name: str
    """the name of the field"""
    takes: Domain
    help: str
    type: Any
    """the Python type of the values"""
    default: Any
    """the default value; `REQUIRED` if there is none"""
    told: Told
    owner: type
    """the class that declares the option"""

    @property
    def key(self) -> str:
        """The name of the option in files, unique among the options of a training run."""
        return self.told.key or self.name

    @property
    def flag(self) -> str:
        """The name of the option on the command line."""
        return f"--{(self.told.flag or self.key.rstrip('_')).replace('_', '-')}"

    @property
    def called(self) -> str:
        """The name of the option in error messages, which depends on where the user gave the option."""
        return argument(getattr(self.owner, "place", "") + self.name, self.key, self.flag)

    @property
    def shown(self) -> str:
        """The default for the help text, or an empty string if the help text shows no default."""
        if isinstance(self.default, bool):
            return "on" if self.default else ""
        return self.told.shown if self.default in (None, REQUIRED) else _written(self.default)

    def read(self, value: Any) -> Any:
        """Check a value, and convert it to a built-in type of Python. Raises UsageError if it is not valid."""
        try:
            return self.takes.read(value)
        except ValueError as error:
            raise refused(self.called, error, value) from None


def refused(called: str, words: object, *value: Any) -> UsageError:
    """Return a UsageError for the option named `called`, with the invalid value (if given) and the reason, `words`."""
    return UsageError(f"{' '.join((called, *map(_shown, value)))}: {words}")


def _shown(value: Any) -> str:
    """Format an invalid value for an error message."""
    if isinstance(value, int) and value.bit_length() > MAX_BITS:  # Python refuses to write thousands of digits
        return f"of {value.bit_length():,} bits"
    text = f"{value:g}" if isinstance(value, float) else " ".join(repr(value).split())
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."


REQUIRED = inspect.Parameter.empty


def _written(value: Any) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(_written, value))
    return f"{value:g}" if isinstance(value, float) else str(value)


def declared(cls: type) -> dict[str, Option]:
    """Return the options that a class declares, by name, in the order of its fields.

    A field of a NamedTuple class that is annotated only with `int` is an option that accepts all integers in
    0..2^63-1.
    """
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
    """Return the domain (the set of valid values) of each option of a class, in the order of its fields.

    The function `declared` also returns the defaults and the descriptions of options.
    """
    return {name: option.takes for name, option in declared(cls).items()}


def read_options(cls: type, settings: dict[str, str], whose: str) -> dict[str, Any]:
    """Parse the strings in `settings` as values of the options of `cls`.

    Each name in `settings` must be an option of `cls`. Raises UsageError for an invalid value. The error message begins
    with `whose`, which names the object to which the options belong.
    """
    known = options(cls)
    values = {}
    for option, text in settings.items():
        try:
            values[option] = known[option].parse(text)
        except ValueError as error:
            raise UsageError(f"{whose}: {option}={text}: {error}") from None
    return values


def parse_rules(cls: type, settings: dict[str, str], name: str) -> Rules:
    """Create rules of class `cls` from options as strings. Raises UsageError for an invalid or missing option."""
    known = options(cls)
    for option in settings:
        if option not in known:
            has = f"its options are {', '.join(known)}" if known else "it has no options"
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
    """Raise UsageError unless each option of `rules` is valid and the options are compatible.

    Call this function for rules that were created in Python. Rules that are parsed from a string have already been
    checked.
    """
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
    """Format the options that differ from their defaults, as `name=value` separated by commas.

    The string is empty if all options have their default values.
    """
    defaults = type(rules)._field_defaults
    return ",".join(
        f"{option}={domain.format(getattr(rules, option))}"
        for option, domain in options(type(rules)).items()
        if getattr(rules, option) != defaults.get(option)
    )
