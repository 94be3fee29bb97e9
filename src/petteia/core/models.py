"""Models: frozen dataclasses whose fields are options, as `petteia.core.options` declares them.

    @documented
    @dataclass(frozen=True)
    class Learner(Checked):
        gamma: Annotated[float, SHARE, "Discount factor.", Told(metavar="G")] = 0.9

A value that an option does not take is refused when the object is made. None stands for an option that is not given,
where that is its default.
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
    """A frozen dataclass whose fields are options: a value that one does not take is a UsageError."""

    place: ClassVar[str] = ""
    """what stands before the names of its options in errors"""

    def __post_init__(self) -> None:
        for name, option in declared(type(self)).items():
            value = getattr(self, name)
            if value is not None or option.default is not None:
                object.__setattr__(self, name, option.read(value))


def documented(cls: type[Model]) -> type[Model]:
    """Tell the options of a model in its docstring, and their plain types in its signature."""
    cls.__init__.__annotations__ |= {name: option.type for name, option in declared(cls).items()}
    cls.__doc__ = _Docstring(cls.__doc__ or "")  # type: ignore[assignment]  # whoever reads it gets a text
    return cls


class _Docstring:
    """A docstring that is made when it is read, as the names in it come from registries that take long to import."""

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
