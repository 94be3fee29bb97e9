"""Conformance checks of update rules: training in plain Python, then each compiled method, then compiled training."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from numbers import Real
from typing import Any

import numpy as np

from petteia.checking.notes import CheckResult
from petteia.checking.sample import ConformanceError
from petteia.checking.shared import NOTHING, NUMBER, check_methods, in_stages, in_turn, only_computes, try_once
from petteia.core.arrays import Floats
from petteia.core.printable import one_line
from petteia.core.protocol import Rules, initial, method
from petteia.foreign.diagnosis import Right, head
from petteia.learn.tabular import BOTH, learn_games, table_for
from petteia.learn.targets import Learner, Rates, Step, UpdateRule
from petteia.learn.update_rules import PARAMETERS
from petteia.policies.play_games import match_keys
from petteia.policies.policy import Uniform, workspace
from petteia.value_functions.table import Table

COMPILED = {"next_value": NUMBER, "update_step": NOTHING, "update_end": NOTHING}
"""The compiled methods of an update rule, with the types of their results."""
RIGHT = Right(
    "keep numbers in fields of the update rule, constants in tuples", "text; an update rule works on numbers alone"
)
"""The advice in messages about code that an update rule cannot contain."""
MAX_GAMES = 100
"""The maximum number of training games in plain Python."""
TOLERANCE = 1e-9
"""The largest relative difference allowed between a compiled and a plain value."""


def check_update_rule(rules: Rules, rule: UpdateRule, games: int = 1000, seed: int = 0) -> Iterator[CheckResult]:
    """Check all requirements on an update rule, in up to `games` training games with the seed `seed`.

    The compiled code is checked only if all checks in plain Python have passed and if numba is available.
    """
    games = min(games, MAX_GAMES)
    return in_stages(
        _plain_checks(rules, rule, games, seed),
        lambda: _compiling_checks(rules, rule),
        lambda: in_turn(rules, {"compiled learning": lambda: _check_agreement(rules, rule, games, seed)}),
    )


def try_update_rule(rules: Rules, rule: UpdateRule, name: str) -> None:
    """Test the update rule `rule` in one training game, and compile it. A rule that has passed is not tested again.

    Raises UsageError if the rule fails or does not compile. The message contains `name`, the text form of the rule.
    """
    tried = (type(rules), rules, type(rule), rule)
    try_once(
        tried,
        f"learner {name}",
        lambda: in_stages(_plain_checks(rules, rule, 1, 0), lambda: _compiling_checks(rules, rule)),
    )


def _plain_checks(rules: Rules, rule: UpdateRule, games: int, seed: int) -> Iterator[CheckResult]:
    tables: list[Table] = []
    checks: dict[str, Callable[[], str | None]] = {
        "effects": lambda: only_computes([type(rule)], COMPILED, "an update rule must only compute"),
        "learning": lambda: tables.append(_check_finite(_learned(rules, rule, games, seed, compiled=False))),
        "constancy": lambda: _check_constancy(tables[0], _learned(rules, rule, games, seed, compiled=False)),
    }
    return in_turn(rules, checks)


def _learned(rules: Rules, rule: UpdateRule, games: int, seed: int, *, compiled: bool) -> Table:
    """Train both sides with the update rule `rule` in `games` games of self-play, and return the learned table."""
    learner = Learner(rule if compiled else _watched(rule))
    with np.errstate(all="ignore"):  # _check_finite reports values that are not finite
        return learn_games(
            rules,
            initial(rules),
            BOTH,
            table_for(rules, learner),
            Uniform(),
            alphas=np.full(games, 0.25),
            explorations=np.full(games, 0.5),
            gammas=np.full(games, 0.9),
            keys=match_keys(seed),
            learner=learner,
            compiled=compiled,
        )


def _watched(rule: UpdateRule) -> UpdateRule:
    """Return a copy of `rule` in which `next_value` raises ConformanceError if its result is not a number.

    A rule without the method `next_value` is returned unchanged.
    """
    cls: Any = type(rule)
    own = method(cls, "next_value")
    if own is None:
        return rule

    def next_value(*arguments: Any) -> Any:
        value = own(*arguments)
        if not isinstance(value, Real):
            raise ConformanceError(f"{head(own)}: next_value returned {one_line(repr(value))}; must be a number")
        return value

    return type(cls.__name__, (cls,), {"__slots__": (), "next_value": next_value})(*rule)


def _values(table: Table) -> Floats:
    used = int(table.used[0])
    return np.hstack([table.values[:used], table.differences[:used]])


def _check_finite(table: Table) -> Table:
    wrong = _values(table)[~np.isfinite(_values(table))]
    if len(wrong):
        raise ConformanceError(f"a learned value is {wrong[0]}; must be finite")
    return table


def _check_constancy(first: Table, again: Table) -> None:
    if not np.array_equal(_values(first), _values(again)):
        raise ConformanceError("a second training on the same games gives other values; they must be the same")


def _check_agreement(rules: Rules, rule: UpdateRule, games: int, seed: int) -> None:
    plain, in_machine_code = (_learned(rules, rule, games, seed, compiled=compiled) for compiled in (False, True))
    if not np.array_equal(plain.keys[: plain.used[0]], in_machine_code.keys[: in_machine_code.used[0]]):
        raise ConformanceError(
            "training with the compiled update rule visits different states from training in plain Python; both must "
            "visit the same states"
        )
    away = np.abs(_values(in_machine_code) - _values(plain)) > TOLERANCE * (1.0 + np.abs(_values(plain)))
    if away.any():
        one, other = _values(in_machine_code)[away][0], _values(plain)[away][0]
        raise ConformanceError(
            f"a learned value is {one} in compiled code and {other} in plain Python; both must be the same"
        )


def _compiling_checks(rules: Rules, rule: UpdateRule) -> Iterator[CheckResult]:
    """Compile each method of the update rule separately, and check the type of its result."""
    learner = Learner(rule)
    table = table_for(rules, learner)
    values = {
        "rule": rule,
        "learner": learner,
        "values": table.values[0],
        "table": table,
        "step": Step(0, 0, 0, 0, 1),
        "trajectory": np.zeros((1, 2), np.int64),
        "length": 1,
        "reward": 1.0,
        "rates": Rates(0.25, 0.5, 0.9),
        "random": np.zeros(1, np.int64),
        "work": workspace(rules),
    }
    return check_methods(COMPILED, PARAMETERS, values, (type(rules), type(rule)), RIGHT)
