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
from petteia.features.feature_sets import FEATURE_SETS
from petteia.games import game as rules_of
from petteia.learn.linear import UPDATE_RULES as LINEAR_RULES
from petteia.learn.targets import UPDATE_RULES

LONGEST = 80
"""of a value in an error line"""


def configure(game: str | Rules, **options: Unpack[TrainingOptions]) -> tuple[Rules, TableSettings | LinearSettings]:
    """The rules, and the settings resolved; arguments and errors are those of `petteia.train`."""
    rules = rules_of(game)
    given = _read(rules, options)
    if "features" in given:
        return rules, configure_linear(rules, given)
    if (learner := given.get("learner")) in LINEAR_RULES and learner not in UPDATE_RULES:
        raise UsageError(f"learner {learner} {_needs_features(rules)}")
    return rules, configure_table(rules, given)


def _needs_features(rules: Rules) -> str:
    """What is missing, with a value that it can have."""
    example = next((name for name, each in FEATURE_SETS.items() if each.game is type(rules)), "my_features:MyFeatures")
    return f"needs --features, such as --features {example}"


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
            belongs = (
                "belongs to tables; leave it out, or the features"
                if learners == FEATURES
                else f"belongs to values that are linear in features; it {_needs_features(rules)}, or leave it out"
            )
            raise UsageError(f"{name.rstrip('_')}: {belongs}")
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
