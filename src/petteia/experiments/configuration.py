"""What a training is given: its options, looked through and resolved, so that they settle with a seed what it does."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Unpack, cast

from petteia.core.errors import UsageError
from petteia.core.protocol import Rules, initial
from petteia.experiments.domains import RefusedError
from petteia.experiments.linear_settings import LinearSettings, configure_linear
from petteia.experiments.options import FEATURES, OPTIONS, TABLES, TrainingOptions
from petteia.experiments.table_settings import TableSettings, configure_table
from petteia.games import game as rules_of

BELONGS = {
    TABLES: "belongs to tables; leave it out, or the features",
    FEATURES: "belongs to values that are linear in features; name them, or leave it out",
}
"""What is said of options that only one kind of learners has."""
LONGEST = 80
"""of a value in an error line"""


def configure(game: str | Rules, **options: Unpack[TrainingOptions]) -> tuple[Rules, TableSettings | LinearSettings]:
    """The rules, and the settings resolved; arguments and errors are those of `petteia.train`."""
    rules = rules_of(game)
    given = _read(rules, options)
    if "features" in given:
        return rules, configure_linear(rules, given)
    return rules, configure_table(rules, given)


def _read(rules: Rules, options: Mapping[str, Any]) -> TrainingOptions:
    """All options that are given, and those that have a default; what depends on others is left out."""
    given = {name: value for name, value in options.items() if value is not None}
    learners = FEATURES if "features" in given else TABLES
    read: dict[str, Any] = {}
    for name, value in given.items():
        if name not in OPTIONS:
            raise TypeError(f"train() got an unexpected keyword argument {name!r}")
        read[name] = _value(name, value)
    if "position" in read and not isinstance(read["position"], str | type(initial(rules))):
        raise _wrong("position", RefusedError("must be a state of the game, or text", read["position"]))
    for name, option in OPTIONS.items():
        if name in read and learners not in option.learners:
            raise UsageError(f"{name.rstrip('_')}: {BELONGS[option.learners[0]]}")
        if name not in read and learners in option.learners and (default := option.default_of(learners)) is not None:
            read[name] = option.takes.read(default)
    read.setdefault("evaluate_every", max(read["games"] // 100, 1))
    return cast(TrainingOptions, read)


def _value(name: str, value: Any) -> Any:
    """The value of an option in Python's own types; UsageError if it is none."""
    try:
        return OPTIONS[name].takes.read(value)
    except RefusedError as error:
        raise _wrong(name, error) from None


def _wrong(name: str, error: RefusedError) -> UsageError:
    text = f"{error.value:g}" if isinstance(error.value, float) else " ".join(repr(error.value).split())
    shown = text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."
    return UsageError(f"{name.rstrip('_')} {shown}: {error}")
