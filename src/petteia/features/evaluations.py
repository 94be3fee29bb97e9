"""The evaluations by name, which one a game is searched with unless another is named, and a user's own."""

from __future__ import annotations

import difflib
import functools
import inspect
import sys
from collections import namedtuple
from collections.abc import Callable
from typing import Any, NamedTuple

from petteia.core.diagnosis import diagnose, kind
from petteia.core.errors import NotFoundError, UsageError
from petteia.core.foreign import load_module
from petteia.core.kernel import compile_alone, compiler, inline, runs_plain
from petteia.core.protocol import Rules, initial, method
from petteia.core.sample import explain
from petteia.features.evaluation import LARGEST, Evaluation, Even
from petteia.features.store_difference import StoreDifference
from petteia.games import name_of
from petteia.games.kalah import Kalah

PARAMETERS = ("rules", "state")
FRACTION = 1 << 12
"""units a point of evaluations that are not whole numbers"""
MOST = float(LARGEST // FRACTION)


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
        UsageError: no such evaluation, one of another game, or one that does not work
        NotFoundError: a module or function that is not there

    """
    if given is None:
        return next((kind.value for kind in EVALUATIONS.values() if kind.game is type(rules)), Even())
    if isinstance(given, str):
        return _named(given, rules)
    name = getattr(given, "__name__", type(given).__name__)
    if isinstance(given, tuple):
        own = method(type(given), "evaluate")
        if own is None:
            raise UsageError(f"evaluation {name}: does not define evaluate(evaluation, rules, state)")
        _try(name, (int,), own, given, rules)
        return given
    if not inspect.isfunction(given):
        raise UsageError(f"evaluation {name}: must be a function ({', '.join(PARAMETERS)})")
    parameters = tuple(inspect.signature(given).parameters)
    if parameters != PARAMETERS:
        raise UsageError(
            f"evaluation {name}: has the parameters ({', '.join(parameters)}); they must be ({', '.join(PARAMETERS)})"
        )
    value = _try(name, (int, float), given, rules)
    return _class_for(given, FRACTION if isinstance(value, float) else 1)()


def _named(text: str, rules: Rules) -> Evaluation:
    if ":" in text:
        module_name, _, name = text.partition(":")
        found = getattr(load_module(module_name, f"evaluation {text!r}"), name, None)
        if found is None or not callable(found):
            raise NotFoundError(f"evaluation {text!r}: module {module_name!r} has no function {name!r}")
        if isinstance(found, type) and issubclass(found, tuple):
            try:
                found = found()
            except TypeError:
                raise UsageError(f"evaluation {text!r}: every field of {name} needs a default") from None
        return evaluation_for(rules, found)
    chosen = EVALUATIONS.get(text)
    if chosen is None:
        near = difflib.get_close_matches(text, EVALUATIONS, 1)
        known = f"known are {', '.join(EVALUATIONS)}, and your own as module:function"
        raise UsageError(f"there is no evaluation {text!r}; {f'did you mean {near[0]!r}?' if near else known}")
    if chosen.game not in (None, type(rules)):
        raise UsageError(f"evaluation {text}: is for {name_of(chosen.game)}, not for {name_of(type(rules))}")
    return chosen.value


def _try(name: str, kinds: tuple[type, ...], function: Callable[..., Any], *arguments: Any) -> Any:
    """What a function, called with `arguments` and the first state, returns; a UsageError if it does not work.

    `arguments` end with the rules.
    """
    rules, state = arguments[-1], initial(arguments[-1])
    right = "a whole number" if kinds == (int,) else "a number"
    try:
        value = function(*arguments, state)
    except Exception as error:  # a user's function can raise anything
        raise UsageError(f"evaluation {name}: {explain(rules, error)}") from None
    if not isinstance(value, kinds):
        raise UsageError(f"evaluation {name}: returned {value!r}; must be {right}")
    if not runs_plain() and not function.__module__.startswith("petteia."):
        _check_compiles(name, right, function, *arguments, state)
    return value


def _check_compiles(name: str, right: str, function: Callable[..., Any], *arguments: Any) -> None:
    numbers = compiler().types
    try:
        result = compile_alone(function, *arguments)
    except Exception as error:  # a compiler can raise anything
        cannot = diagnose(error, function, type(arguments[-2]).__name__, [function.__code__.co_filename])
        raise UsageError(f"evaluation {name}: {cannot}") from None
    wanted = (numbers.Integer, numbers.Boolean) + (() if right == "a whole number" else (numbers.Float,))
    if not isinstance(result, wanted):
        raise UsageError(f"evaluation {name}: returns {kind(str(result))} when compiled; must be {right}")


@functools.cache
def _class_for(function: Callable[..., Any], units: int) -> type:
    """A class made for a function, so that compiled code finds it by a type.

    Other processes find it, and so what was compiled for it, where they find the function: in a module of its own.
    """
    compiled = inline(function)
    if units == 1:

        def evaluate(evaluation, rules, state):  # type: ignore[no-untyped-def]  # compiled
            return int(compiled(rules, state))
    else:

        def evaluate(evaluation, rules, state):  # type: ignore[no-untyped-def]  # compiled
            return round(min(max(-MOST, compiled(rules, state)), MOST) * units)

    def unit(evaluation):  # type: ignore[no-untyped-def]  # compiled
        return units

    name = f"EvaluationBy_{function.__name__.strip('<>')}"
    base: Any = namedtuple(name, ())  # type: ignore[misc]  # its name is known only now
    members = {
        "__slots__": (),
        "__module__": function.__module__,
        "made_from": f"{function.__module__}:{function.__name__}",
        "evaluate": evaluate,
        "unit": unit,
    }
    cls = type(name, (base,), members)
    module = sys.modules.get(function.__module__)
    if getattr(module, function.__name__, None) is function:
        setattr(module, name, cls)
    return cls
