"""The named evaluations of the package, the default evaluation of each game, and custom evaluations.

A custom evaluation function returns integers or floats. Floats are multiplied by a constant and rounded, because a
search computes with integers. The return annotation of the function may state its type (`-> int` or `-> float`).
Without an annotation, petteia tests the function in random games. It assumes floats if the function or its compiled
version returns a float.
"""

from __future__ import annotations

import difflib
import functools
import inspect
import math
import sys
from collections import namedtuple
from collections.abc import Callable, Iterator
from contextlib import suppress
from numbers import Integral, Real
from typing import Any, NamedTuple

from petteia.checking.sample import Sample, check_int, draw_sample, explain, where
from petteia.core.errors import NotFoundError, PetteiaError, UsageError
from petteia.core.kernel import compile_alone, compiler, inline, runs_plain
from petteia.core.names import GAME_NAMES, name_of
from petteia.core.origin import is_of_package
from petteia.core.protocol import Rules, State, initial, limits, method
from petteia.features.amazons_king_distance import KingDistance
from petteia.features.amazons_mix import Mix
from petteia.features.amazons_mobility import Mobility
from petteia.features.amazons_queen_distance import QueenDistance
from petteia.features.british_square_open import OpenSquares
from petteia.features.evaluation import LARGEST, Evaluation, Zero, bound, unit
from petteia.features.margin_so_far import MarginSoFar, has_score
from petteia.features.store_difference import StoreDifference
from petteia.foreign.diagnosis import Right, diagnose, kind
from petteia.foreign.loading import load_module
from petteia.games.amazons import Amazons
from petteia.games.british_square import BritishSquare
from petteia.games.kalah import Kalah

PARAMETERS = ("rules", "state")
FRACTION = 1 << 12
"""The number of units per point of evaluations that return fractions."""
MAXIMUM = float(LARGEST // FRACTION)
DECLARED = {"int": 1, "float": FRACTION}
"""The number of units per point of custom functions, by the type of result that they declare."""
RIGHT = Right("keep constants in tuples, and go over them in a for loop", "text; an evaluation works on numbers alone")
"""The advice in messages about code that an evaluation cannot contain."""
SAMPLE_GAMES, MANY_MOVES = 10, 500
"""The number of random games in which an evaluation is tried. It is one game if a state can have more than MANY_MOVES
moves."""


class KnownEvaluation(NamedTuple):
    """The registry entry of an evaluation that comes with the package."""

    help: str
    """a description of the evaluation in one line"""
    value: Evaluation
    """the evaluation"""
    game: type | None
    """the class of the evaluation's game; None means any game"""
    is_default: bool = True
    """whether the evaluation can be the default of its game; the first such entry is the default"""


EVALUATIONS: dict[str, KnownEvaluation] = {
    "zero": KnownEvaluation("zero in all non-terminal positions", Zero(), None),
    "margin": KnownEvaluation("current margin, in games with a score", MarginSoFar(), None),
    "store": KnownEvaluation("difference of the stores", StoreDifference(), Kalah),
    "mix": KnownEvaluation("distances and mobility, with weights that change as the board fills", Mix(), Amazons),
    "mobility": KnownEvaluation(
        "difference of the numbers of queen moves; arrows are not counted", Mobility(), Amazons
    ),
    "queen-distance": KnownEvaluation(
        "difference of the numbers of squares that each player reaches first by queen moves", QueenDistance(), Amazons
    ),
    "king-distance": KnownEvaluation(
        "difference of the numbers of squares that each player reaches first by king moves", KingDistance(), Amazons
    ),
    "open-squares": KnownEvaluation(
        "difference of the numbers of squares open to each player", OpenSquares(), BritishSquare, is_default=False
    ),
}
"""The evaluations by name."""
SUBSTITUTES = {
    MarginSoFar: "the margin so far; to use only the results of finished games, choose evaluation=zero",
    Zero: "only the results of finished games",
}
"""The default evaluations for games without an entry in `EVALUATIONS`, with their descriptions."""


def evaluation_for(rules: Rules, given: str | Callable[..., Any] | Evaluation | None = None) -> Evaluation:
    """Return the evaluation that `given` describes or, if `given` is None, the default evaluation of the game.

    The package registers a default evaluation for some games. For all other games, the default is `margin`, the current
    margin, if players score during the game. Otherwise it is `zero`, which is 0 in every state.

    Args:
        rules: the rules of the game
        given: the name of an evaluation, the name `module:name` of a custom function `(rules, state)`, a custom
            function, or an evaluation object

    Raises:
        UsageError: the evaluation does not exist, belongs to another game, or does not pass its tests
        NotFoundError: the module or function does not exist

    """
    if given is None:
        return _default(rules)
    if isinstance(given, str):
        return _named(given, rules)
    name = getattr(given, "__name__", type(given).__name__)
    if isinstance(given, tuple):
        own = method(type(given), "evaluate")
        if own is None:
            raise UsageError(f"evaluation {name} does not define the method evaluate(evaluation, rules, state)")
        _try(name, 1, own, given, rules)
        _check_sizes(name, given, rules)
        return given
    if not inspect.isfunction(given):
        raise UsageError(f"evaluation {name}: must be a function with the parameters ({', '.join(PARAMETERS)})")
    signature = inspect.signature(given)
    parameters = tuple(signature.parameters)
    if parameters != PARAMETERS:
        raise UsageError(
            f"evaluation {name} has the parameters ({', '.join(parameters)}); they must be ({', '.join(PARAMETERS)})"
        )
    declared = signature.return_annotation
    units = DECLARED.get(declared if isinstance(declared, str) else getattr(declared, "__name__", ""))
    has_fractions = _try(name, units, given, rules)
    return _class_for(given, units or (FRACTION if has_fractions else 1))()


def _check_sizes(name: str, evaluation: Evaluation, rules: Rules) -> None:
    """Raise UsageError unless `unit` and `bound` of the evaluation return integers in the valid ranges."""
    sizes: dict[str, tuple[int, Callable[[], Any]]] = {
        "unit": (1, lambda: unit(evaluation)),
        "bound": (0, lambda: bound(evaluation, rules)),
    }
    for each, (minimum, value) in sizes.items():
        try:
            check_int(value(), f"the method `{each}` returned", minimum=minimum)
        except Exception as error:  # a custom method can raise anything
            raise UsageError(f"evaluation {name}: {explain(rules, error)}") from None


def notice_of_default(rules: Rules, evaluation: Evaluation) -> str | None:
    """Return a message for the user if a search of a custom game uses a default evaluation, and otherwise None."""
    if type(rules) in GAME_NAMES or type(evaluation) not in SUBSTITUTES:
        return None
    return f"no evaluation is given for {type(rules).__name__}, so the search uses {SUBSTITUTES[type(evaluation)]}"


def _default(rules: Rules) -> Evaluation:
    for each in EVALUATIONS.values():
        if each.game is type(rules) and each.is_default:
            return each.value
    return MarginSoFar() if has_score(sample_of(rules)) else Zero()


def sample_of(rules: Rules) -> Sample:
    """Return a sample of random games, in which custom evaluations and custom search components are tested."""
    return draw_sample(rules, 1 if limits(rules).moves > MANY_MOVES else SAMPLE_GAMES)


def _named(text: str, rules: Rules) -> Evaluation:
    if ":" in text:
        module_name, _, name = text.partition(":")
        value = getattr(load_module(text, f"evaluation {text!r}"), name, None)
        if value is None or not callable(value):
            raise NotFoundError(f"evaluation {text!r}: module {module_name!r} has no function {name!r}")
        if isinstance(value, type) and issubclass(value, tuple):
            try:
                value = value()
            except TypeError:
                raise UsageError(f"evaluation {text!r}: every field of {name} needs a default value") from None
        return evaluation_for(rules, value)
    chosen = EVALUATIONS.get(text)
    if chosen is None:
        near = difflib.get_close_matches(text, EVALUATIONS, 1)
        fitting = ", ".join(name for name, each in EVALUATIONS.items() if each.game in (None, type(rules)))
        known = f"choose from {fitting}, or module:function for a custom one"
        raise UsageError(f"there is no evaluation {text!r}; {f'did you mean {near[0]!r}?' if near else known}")
    if chosen.game not in (None, type(rules)):
        raise UsageError(
            f"evaluation {text}: this evaluation works only for {name_of(chosen.game)}, not for {name_of(type(rules))}"
        )
    return evaluation_for(rules, chosen.value) if chosen.game is None else chosen.value


def _try(name: str, units: int | None, function: Callable[..., Any], *arguments: Any) -> bool:
    """Test a custom evaluation function in sample positions. Return whether it returns floats.

    The function is called as `function(*arguments, state)`, where the last of the `arguments` is the rules. `units` is
    the number of evaluation units per point. If `units` is 1, the function must return integers. Otherwise it may
    return integers or floats.

    Raises UsageError if the function raises an error in the initial state, does not compile, or returns a value of a
    wrong type. Also raises UsageError if the function returns floats, but its compiled version returns integers.
    """
    rules = arguments[-1]
    kind_of, right = (Integral, "a whole number") if units == 1 else (Real, "a number")
    fraction = None
    for state, value in _values(name, function, *arguments):
        if not isinstance(value, kind_of):
            raise UsageError(
                f"evaluation {name}: {where(rules, state)}: the evaluation returned {value!r}; must be {right}"
            )
        if not isinstance(value, Integral):
            fraction = value
    if runs_plain() or is_of_package(function):
        return fraction is not None
    has_fractions = _check_compiles(name, right, function, *arguments, initial(rules))
    if fraction is not None and not has_fractions:
        raise UsageError(
            f"evaluation {name}: the function returned {fraction!r} in plain Python, but only whole numbers when "
            "compiled; both must return the same values"
        )
    return has_fractions


def _values(name: str, function: Callable[..., Any], *arguments: Any) -> Iterator[tuple[State, Any]]:
    """Yield pairs of a state and the function's result: first for the initial state, then for states of random games.

    Raises UsageError if the function raises an error in the initial state. Other states in which it raises an error are
    skipped. `petteia check` reports errors in these states, and so does a search that visits them.
    """
    rules = arguments[-1]
    state = initial(rules)
    try:
        value = function(*arguments, state)
    except Exception as error:  # a custom function can raise anything
        raise UsageError(f"evaluation {name}: {explain(rules, error)}") from None
    yield state, value
    for visit in sample_of(rules).visits:
        if not visit.over:
            with suppress(Exception):
                yield visit.state, function(*arguments, visit.state)


def _check_compiles(name: str, right: str, function: Callable[..., Any], *arguments: Any) -> bool:
    """Compile a custom evaluation function, and return whether the compiled function returns floats.

    Raises UsageError if the function cannot be compiled, or if it does not return numbers.
    """
    numbers = compiler().types
    try:
        result = compile_alone(function, *arguments)
    except Exception as error:  # the compiler can raise anything
        cannot = diagnose(error, function, type(arguments[-2]).__name__, [function.__code__.co_filename], RIGHT)
        raise UsageError(f"evaluation {name}: {cannot}") from None
    wanted = (numbers.Integer, numbers.Boolean) + (() if right == "a whole number" else (numbers.Float,))
    if not isinstance(result, wanted):
        raise UsageError(f"evaluation {name}: the compiled function returns {kind(str(result))}; must be {right}")
    return isinstance(result, numbers.Float)


@functools.cache
def _class_for(function: Callable[..., Any], units: int) -> type:
    """Return a class whose method `evaluate` calls the given function.

    Numba compiles the search separately for each class of evaluation, so each function needs a separate class. The
    returned class is stored in the module of the function, so that other processes find the class and the code compiled
    for it.
    """
    compiled = inline(function)
    made_from = f"{function.__module__}:{function.__name__}"
    to_see_where = f"to find the position, run: petteia check {made_from} --game GAME"
    no_whole_number = (
        f"evaluation {made_from}: the function returned a fraction, although it returned whole numbers in all tested "
        f"positions; declare the type of its result by `-> float`; {to_see_where}"
    )
    not_finite = (
        f"evaluation {made_from}: the function returned a value that is not finite; all must be finite; {to_see_where}"
    )
    if units == 1:

        def evaluate(evaluation, rules, state):  # type: ignore[no-untyped-def]  # compiled
            value = compiled(rules, state)
            if value % 1 != 0:
                raise PetteiaError(no_whole_number)
            return int(value)
    else:

        def evaluate(evaluation, rules, state):  # type: ignore[no-untyped-def]  # compiled
            value = 1.0 * compiled(rules, state)
            if not -MAXIMUM <= value <= MAXIMUM:
                if not math.isfinite(value):
                    raise PetteiaError(not_finite)
                value = MAXIMUM if value > 0 else -MAXIMUM
            return round(value * units)

    def unit(evaluation):  # type: ignore[no-untyped-def]  # compiled
        return units

    name = f"EvaluationBy_{function.__name__.strip('<>')}"
    base: Any = namedtuple(name, ())  # type: ignore[misc]  # its name is known only now
    members = {
        "__slots__": (),
        "__module__": function.__module__,
        "made_from": made_from,
        "evaluate": evaluate,
        "unit": unit,
    }
    cls = type(name, (base,), members)
    module = sys.modules.get(function.__module__)
    if getattr(module, function.__name__, None) is function:
        setattr(module, name, cls)
    return cls
