"""Parts of all checks of custom code: stages, checks in turn, methods that only compute, methods compiled alone."""

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
"""What rules must not use: they run millions of times, in any order, and must always say the same."""


_sound: set[Hashable] = set()


def in_stages(plain: Iterable[CheckResult], *compiled: Callable[[], Iterable[CheckResult]]) -> Iterator[CheckResult]:
    """The results of plain checks, then of each stage of `compiled`, up to the first stage in which one fails.

    Without a compiler there are only the plain ones.
    """
    for stage in (lambda: plain, *(() if runs_plain() else compiled)):
        failed = False
        for result in stage():
            failed |= not result.passed
            yield result
        if failed:
            return


def try_once(code: Hashable, called: str, results: Callable[[], Iterable[CheckResult]]) -> None:
    """UsageError at the first check of `results` that fails, unless `code`, which is `called` so, was found sound."""
    if code in _sound:
        return
    for result in results():
        if not result.passed:
            raise UsageError(f"{called}: {result.message}")
    _sound.add(code)


def in_turn(rules: Rules, checks: Mapping[str, Callable[[], str | None]]) -> Iterator[CheckResult]:
    """The results of checks by name, up to the first that fails, as each takes those before it for granted.

    A check raises ConformanceError where something is wrong, and may return advice, a line.
    """
    for name, check in checks.items():
        passed, message = True, ""
        try:
            message = check() or ""
        except Exception as error:  # users' code can raise anything
            passed, message = False, explain(rules, error)
        yield CheckResult(name, passed, message)
        if not passed:
            return


def only_computes(classes: Iterable[type], verbs: Iterable[str], right: str) -> None:
    """ConformanceError, which says what is `right`, where the methods `verbs` of `classes` do more than compute."""
    for cls in classes:
        if effect := effect_in(cls, verbs):
            raise ConformanceError(f"{effect}; {right}")


def effect_in(cls: type, verbs: Iterable[str] = ()) -> str:
    """Where the methods `verbs` of `cls`, by default those of a game, do more than compute; empty if they do not."""
    for function in _reached(cls, verbs):
        for name, value in _read_by(function).items():
            if any(value is effect for effect in EFFECTS):
                return f"{head(function)}: {function.__name__} uses {name}"
    return ""


def _reached(cls: type, verbs: Iterable[str]) -> list[FunctionType]:
    """The functions outside of this package that run when a method in `verbs` of `cls` does, these methods first."""
    compiled = verbs or [name for name in METHODS if name not in PLAIN]
    waiting = [own for name in compiled if isinstance(own := method(cls, name), FunctionType)]
    functions: list[FunctionType] = []
    while waiting:
        function = waiting.pop(0)
        if function not in functions and not is_of_package(function):
            functions.append(function)
            waiting += [value for value in _read_by(function).values() if isinstance(value, FunctionType)]
    return functions


def _read_by(function: FunctionType) -> dict[str, Any]:
    """The global names that `function` reads and their values; names that are not defined are left out."""
    scope = vars(builtins) | function.__globals__
    return {name: scope[name] for name in global_names(function.__code__) if name in scope}


class Returned(NamedTuple):
    """What a compiled method must return."""

    words: str
    """what it must return, in words"""
    types: tuple[str, ...]
    """names of the compiler's types"""


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
    """Each of the `compiled` methods by itself, where the second of `classes` has it.

    `parameters` are those of each method and `values` is what they are called with; `classes` and `right` as in
    `check_alone`.
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
    """Whether the method `own`, compiled by itself for the types of `arguments`, returns what it must.

    `classes` are those in whose modules the cause may lie, that of the rules first; `right` is for code of this kind.
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
    """The source files in which the cause of a failure of `own` may lie."""
    modules = {*foreign_modules({cls}), cls.__module__}
    return {own.__code__.co_filename} | {
        file for name in modules if (file := getattr(sys.modules[name], "__file__", ""))
    }
