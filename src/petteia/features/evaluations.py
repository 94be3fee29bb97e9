"""The evaluations by name, which one a game is searched with unless another is named, and a user's own."""

from __future__ import annotations

import difflib
import inspect
import sys
from collections import namedtuple
from collections.abc import Callable
from typing import Any, NamedTuple

from petteia.core.errors import NotFoundError, UsageError
from petteia.core.foreign import load_module
from petteia.core.kernel import inline
from petteia.core.protocol import Rules, initial, method
from petteia.features.evaluation import Evaluation, Even
from petteia.features.store_difference import StoreDifference
from petteia.games import name_of
from petteia.games.kalah import Kalah

PARAMETERS = ("rules", "state")
FRACTION = 1 << 12
"""units a point of evaluations that are not whole numbers"""


class Kind(NamedTuple):
    """An evaluation that comes with the package."""

    help: str
    value: Evaluation
    game: type | None
    """the game that it is for and that is searched with it; None: any"""


EVALUATIONS: dict[str, Kind] = {
    "even": Kind("nobody is ahead before the end", Even(), None),
    "store": Kind("the difference of the stores", StoreDifference(), Kalah),
}
"""The evaluations by name."""


def evaluation_for(rules: Rules, given: str | Callable[..., Any] | Evaluation | None = None) -> Evaluation:
    """The evaluation for games under `rules`: by default the game's own, else `even`.

    Args:
        rules: of the game
        given: a name, `module:name` for a function `(rules, state)` of a user's own, such a function, or an evaluation

    Raises:
        UsageError: no such evaluation, or one of another game
        NotFoundError: a module or function that is not there

    """
    if given is None:
        return next((kind.value for kind in EVALUATIONS.values() if kind.game is type(rules)), Even())
    if isinstance(given, str):
        return _named(given, rules)
    if isinstance(given, tuple):
        if method(type(given), "evaluate") is None:
            raise UsageError(f"evaluation {type(given).__name__}: does not define evaluate(evaluation, rules, state)")
        return given
    return _from_function(given, rules)


def _named(text: str, rules: Rules) -> Evaluation:
    if ":" in text:
        module_name, _, name = text.partition(":")
        found = getattr(load_module(module_name, f"evaluation {text!r}"), name, None)
        if found is None or not callable(found):
            raise NotFoundError(f"evaluation {text!r}: module {module_name!r} has no function {name!r}")
        return evaluation_for(rules, found() if isinstance(found, type) else found)
    kind = EVALUATIONS.get(text)
    if kind is None:
        near = difflib.get_close_matches(text, EVALUATIONS, 1)
        known = f"known are {', '.join(EVALUATIONS)}, and your own as module:function"
        raise UsageError(f"there is no evaluation {text!r}; {f'did you mean {near[0]!r}?' if near else known}")
    if kind.game not in (None, type(rules)):
        raise UsageError(f"evaluation {text}: is for {name_of(kind.game)}, not for {name_of(type(rules))}")
    return kind.value


def _from_function(function: Callable[..., Any], rules: Rules) -> Evaluation:
    """An instance of a class, made for it in its own module, so that compiled code finds the function by a type."""
    name = getattr(function, "__name__", repr(function))
    parameters = tuple(inspect.signature(function).parameters)
    if parameters != PARAMETERS:
        given = ", ".join(parameters)
        raise UsageError(f"evaluation {name}: has the parameters ({given}); they must be ({', '.join(PARAMETERS)})")
    module = sys.modules[function.__module__]
    class_name = f"EvaluationBy_{name}"
    cls = getattr(module, class_name, None)
    if cls is None or cls.function is not function:
        cls = _class_for(inline(function), class_name, rules)
        setattr(module, class_name, cls)
    return cls()


def _class_for(function: Callable[..., Any], name: str, rules: Rules) -> type:
    if isinstance(function(rules, initial(rules)), float):
        units = FRACTION

        def evaluate(evaluation, rules, state):  # type: ignore[no-untyped-def]  # compiled
            return round(function(rules, state) * FRACTION)
    else:
        units = 1

        def evaluate(evaluation, rules, state):  # type: ignore[no-untyped-def]  # compiled
            return int(function(rules, state))

    def unit(evaluation):  # type: ignore[no-untyped-def]  # compiled
        return units

    base: Any = namedtuple(name, ())  # type: ignore[misc]  # its name is known only now
    members = {"evaluate": evaluate, "unit": unit, "function": staticmethod(function)}
    return type(name, (base,), {"__slots__": (), "__module__": function.__module__, **members})
