"""Parsing of strings such as `my_module:Name:depth=3`, in which each option sets a field of a custom class."""

from __future__ import annotations

import typing
from typing import Any

from petteia.core.errors import UsageError
from petteia.core.numbers import MAX_DIGITS, finite_number, whole_number
from petteia.core.text import Call, shortened


def parse_fields(cls: Any, call: Call, kind: str) -> Any:
    """Create an instance of the NamedTuple class `cls`. Each option in the parsed string `call` sets a field.

    The fields of the class must be ints or floats. `kind` describes the class in error messages, for example as an
    `evaluation`. Raises UsageError if an option is not a field or is not a number of the field's type. Also raises
    UsageError if the option for a field without a default is missing.
    """
    hints = typing.get_type_hints(cls)
    values: dict[str, int | float] = {}
    for option, text in call.options.items():
        if option not in cls._fields:
            has = f"its options are {', '.join(cls._fields)}" if cls._fields else "it has no options"
            raise UsageError(f"{kind} {call.name} has no option {option!r}; {has}")
        is_whole = hints[option] is int
        if not is_whole and hints[option] is not float:
            raise UsageError(
                f"{kind} {call.name}: option {option} cannot be set in a string; the type of the field must be int or "
                "float"
            )
        number = whole_number(text, signed=True) if is_whole else finite_number(text)
        if number is None:
            right = f"a whole number of at most {MAX_DIGITS} digits" if is_whole else "a finite number"
            raise UsageError(f"{kind} {call.name}: {option}={shortened(text)[1:-1]}: must be {right}")
        values[option] = number
    missing = [field for field in cls._fields if field not in values and field not in cls._field_defaults]
    if missing:
        raise UsageError(f"{kind} {call.name}: option {missing[0]} has no default and must be given")
    return cls(**values)
