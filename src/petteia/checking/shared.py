"""Functions that check any custom code: its side effects, its compilation, and the types of its results."""

from __future__ import annotations

import builtins
import random
import sys
import time
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from types import FunctionType
from typing import Any, NamedTuple

from petteia.checking.notes import CheckResult
from petteia.checking.sample import ConformanceError, explain
from petteia.core.errors import UsageError
from petteia.core.identity import global_names
from petteia.core.kernel import compile_alone, compiler, runs_plain
from petteia.core.origin import is_of_package
from petteia.core.protocol import METHODS, PLAIN, Rules, method
from petteia.foreign.diagnosis import RULES, Right, diagnose, head, kind
from petteia.foreign.sources import foreign_modules

EFFECTS = (print, input, open, random, time)
"""The functions and modules that rules must not use. Rules run millions of times, in any order, and must be
deterministic."""


_sound: set[Hashable] = set()


def in_stages(plain: Iterable[CheckResult], *compiled: Callable[[], Iterable[CheckResult]]) -> Iterator[CheckResult]:
    """Run checks in stages and yield their results: first the checks in plain Python, then those of compiled code.

    Each function in `compiled` is a further stage. A stage runs only if all checks of the earlier stages have passed.

    Without a compiler, only the checks in `plain` run.
    """
    for stage in (lambda: plain, *(() if runs_plain() else compiled)):
        failed = False
        for result in stage():
            failed |= not result.passed
            yield result
        if failed:
            return


def try_once(code: Hashable, called: str, results: Callable[[], Iterable[CheckResult]]) -> None:
    """Run the checks that `results` yields, unless `code` has already passed its checks in this process.

    Raises UsageError for the first failed check, with a message that begins with `called`, the name of the code.
    """
    if code in _sound:
        return
    for result in results():
        if not result.passed:
            raise UsageError(f"{called}: {result.message}")
    _sound.add(code)


def in_turn(rules: Rules, checks: Mapping[str, Callable[[], str | None]]) -> Iterator[CheckResult]:
    """Run the checks in order until one fails, and yield a result for each.

    Later checks assume that the earlier checks have passed.

    A check raises ConformanceError if it fails, and may return a line of advice.
    """
    for name, check in checks.items():
        passed, message = True, ""
        try:
            message = check() or ""
        except Exception as error:  # custom code can raise anything
            passed, message = False, explain(rules, error)
        yield CheckResult(name, passed, message)
        if not passed:
            return


def only_computes(classes: Iterable[type], names: Iterable[str], right: str) -> None:
    """Raise ConformanceError if one of the named methods has side effects.

    The error message ends with the advice `right`.
    """
    for cls in classes:
        if effect := effect_in(cls, names):
            raise ConformanceError(f"{effect}; {right}")


def effect_in(cls: type, names: Iterable[str] = ()) -> str:
    """Describe a side effect in the named methods of `cls`, or return an empty string if there is none.

    By default, the compiled methods of a game are examined.
    """
    for function in _reached(cls, names):
        for name, value in _read_by(function).items():
            if any(value is effect for effect in EFFECTS):
                return f"{head(function)}: {function.__name__} uses {name}"
    return ""


def _reached(cls: type, names: Iterable[str]) -> list[FunctionType]:
    """Return the named methods of `cls`, and all custom functions that they call directly or indirectly."""
    compiled = names or [name for name in METHODS if name not in PLAIN]
    waiting = [own for name in compiled if isinstance(own := method(cls, name), FunctionType)]
    functions: list[FunctionType] = []
    while waiting:
        function = waiting.pop(0)
        if function not in functions and not is_of_package(function):
            functions.append(function)
            waiting += [value for value in _read_by(function).values() if isinstance(value, FunctionType)]
    return functions


def _read_by(function: FunctionType) -> dict[str, Any]:
    """Return the global names that `function` reads, with their values. Undefined names are left out."""
    scope = vars(builtins) | function.__globals__
    return {name: scope[name] for name in global_names(function.__code__) if name in scope}


class Returned(NamedTuple):
    """The type that the result of a compiled method must have."""

    words: str
    """the type in words"""
    types: tuple[str, ...]
    """the names of the compiler's types that are accepted"""


WHOLE = Returned("a whole number", ("Integer", "Boolean"))
NUMBER = Returned("a number", ("Integer", "Boolean", "Float"))
NOTHING = Returned("nothing", ("NoneType",))


def check_methods(
    compiled: Mapping[str, Returned],
    parameters: Mapping[str, Iterable[str]],
    values: Mapping[str, Any],
    classes: Iterable[type],
    right: Right,
) -> Iterator[CheckResult]:
    """Compile each method in `compiled` by itself, and check the type of its result.

    Methods that the checked class does not define are skipped.

    Args:
        compiled: the expected return type of each method, by the name of the method
        parameters: the names of each method's parameters, by the name of the method
        values: the argument for each parameter, by the name of the parameter
        classes: the class of the rules, the checked class, and further classes. If a method does not compile, the error
            message can name a line in the module of any of these classes
        right: the advice at the end of an error message

    """
    rules, checked, *parts = classes
    for name, returned in compiled.items():
        if (own := method(checked, name)) is not None:
            arguments = (values[parameter] for parameter in parameters[name])
            yield check_alone(own, arguments, returned, (rules, checked, *parts), right)


def check_alone(
    own: Callable[..., Any],
    arguments: Iterable[Any],
    returned: Returned,
    classes: Iterable[type],
    right: Right = RULES,
) -> CheckResult:
    """Compile a method by itself for the given arguments, and check the type of its result.

    The first element of `classes` is the class of the rules. If the method does not compile, the error message can name
    a line in the module of any class in `classes`. The message ends with the advice `right`.
    """
    cls, *others = classes
    message = ""
    try:
        result = compile_alone(own, *arguments)
    except Exception as error:  # a compiler can raise anything
        message = diagnose(
            error, own, cls.__name__, set().union(*(source_files(each, own) for each in (cls, *others))), right
        )
    else:
        types = compiler().types
        if not isinstance(result, tuple(getattr(types, name) for name in returned.types)):
            fact = f"{own.__name__} returns {kind(str(result))} when compiled"
            message = f"{head(own)}: {fact}; it must return {returned.words}"
    return CheckResult(f"{own.__name__} compiles", not message, message)


def source_files(cls: type, own: Any) -> set[str]:
    """Return the paths of the custom files that the method `own` uses, to locate a compiler error."""
    modules = {*foreign_modules({cls}), cls.__module__}
    return {own.__code__.co_filename} | {
        file for name in modules if (file := getattr(sys.modules[name], "__file__", ""))
    }
