"""Update rules of tabular learning by name: the rules of `targets`, and custom rules as `module:Name`.

A custom rule is a NamedTuple class that defines `next_value` or `update_step`. All other methods have defaults:

- `next_value(rule, learner, values, step, rates, work)`: returns the value of the next state, from which the target is
  computed
- `update_step(rule, learner, table, step, rates, random, work)`: updates the table after a step within a game
- `update_end(rule, learner, table, trajectory, length, reward, rates, random)`: updates the table at the end of a game
- `tables(rule)`: returns the number of value tables, 1 or 2

The module `targets` describes these methods. A custom rule can have fields, which are numbers. Options after the name
set the fields, as in `module:Name:field=0.5`.
"""

from __future__ import annotations

import difflib
import inspect

from petteia.core.errors import UsageError
from petteia.core.fields import parse_fields
from petteia.core.protocol import method
from petteia.core.text import parse_call
from petteia.foreign.loading import load_class
from petteia.learn.targets import UPDATE_RULES, UpdateRule, tables

PARAMETERS = {
    "next_value": ("rule", "learner", "values", "step", "rates", "work"),
    "update_step": ("rule", "learner", "table", "step", "rates", "random", "work"),
    "update_end": ("rule", "learner", "table", "trajectory", "length", "reward", "rates", "random"),
    "tables": ("rule",),
}
"""The names of the parameters of each method of an update rule."""
ONE_OF = ("next_value", "update_step")
"""The methods of which an update rule must define at least one."""


def update_rule_for(text: str) -> UpdateRule:
    """Return the update rule that `text` names, such as `sarsa` or `module:Name:field=0.5`.

    Raises UsageError if `text` names no update rule of the package, or a class that is not an update rule. Raises
    NotFoundError if the module or the class does not exist.
    """
    if ":" not in text:
        if text in UPDATE_RULES:
            return UPDATE_RULES[text]
        near = difflib.get_close_matches(text, UPDATE_RULES, 1)
        known = f"choose from {', '.join(UPDATE_RULES)}, or module:Name for a custom one"
        raise UsageError(f"there is no learner {text!r}; {f'did you mean {near[0]!r}?' if near else known}")
    call = parse_call(text, "learner")
    cls = load_class(call.name, "learner")
    check_definition(cls, call.name)
    rule = parse_fields(cls, call, "learner")
    if tables(rule) not in (1, 2):
        raise UsageError(f"learner {call.name}: the method `tables` returned {rule.tables()!r}; it must return 1 or 2")
    return rule


def check_definition(cls: type, name: str) -> None:
    """Raise UsageError unless `cls` is a NamedTuple whose methods have the names and parameters of an update rule."""
    if not (issubclass(cls, tuple) and hasattr(cls, "_fields")):
        raise UsageError(f"learner {name}: {cls.__name__} must be a class derived from NamedTuple")
    if not any(method(cls, each) for each in ONE_OF):
        either = " nor ".join(f"{each}({', '.join(PARAMETERS[each])})" for each in ONE_OF)
        raise UsageError(
            f"learner {name}: {cls.__name__} defines neither {either}; an update rule must define one of these methods"
        )
    for each, expected in PARAMETERS.items():
        own = method(cls, each)
        if own is not None and (parameters := tuple(inspect.signature(own).parameters)) != expected:
            given, right = ", ".join(parameters), ", ".join(expected)
            raise UsageError(
                f"learner {name}: the method `{each}` has the parameters ({given}); they must be ({right})"
            )
