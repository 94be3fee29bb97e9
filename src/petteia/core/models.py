"""A base class and a decorator for frozen dataclasses whose fields are options (see `petteia.core.options`).

    @documented
    @dataclass(frozen=True)
    class Learner(Checked):
        gamma: Annotated[float, SHARE, "Discount factor.", Told(metavar="G")] = 0.9

Creating an object with an invalid value raises UsageError. If the default of an option is None, the value None means
that the option was not given.
"""

from __future__ import annotations

import inspect
import keyword
import re
import textwrap
from typing import ClassVar, TypeVar

from petteia.core.hints import with_names
from petteia.core.options import declared

Model = TypeVar("Model")


class Checked:
    """Base class of frozen dataclasses whose fields are options. An invalid value of an option raises UsageError."""

    place: ClassVar[str] = ""
    """a prefix of the option names in error messages"""

    def __post_init__(self) -> None:
        for name, option in declared(type(self)).items():
            value = getattr(self, name)
            if value is not None or option.default is not None:
                object.__setattr__(self, name, option.read(value))


def documented(cls: type[Model]) -> type[Model]:
    """Decorator that lists the options of a dataclass in its docstring, and shows plain types in its signature."""
    cls.__init__.__annotations__ |= {name: option.type for name, option in declared(cls).items()}
    cls.__doc__ = _Docstring(cls.__doc__ or "")  # type: ignore[assignment]  # reading it gives a str
    return cls


class _Docstring:
    """A docstring that is generated when it is read, because it lists names from modules that are slow to import."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __get__(self, instance: object, owner: type) -> str:
        lines = []
        for name, option in declared(owner).items():
            default = f" Default: {option.shown}." if option.shown else ""
            words = with_names(f"{name}: {option.help}{default}")
            words = re.sub(r"--([a-z-]+)", lambda flag: f"`{_name(flag[1])}`", words)
            lines.append(
                textwrap.fill(words, 116, initial_indent=" " * 4, subsequent_indent=" " * 8, break_on_hyphens=False)
            )
        return "\n".join((inspect.cleandoc(self._text), "", "Args:", *lines, ""))


def _name(flag: str) -> str:
    name = flag.replace("-", "_")
    return f"{name}_" if keyword.iskeyword(name) else name
