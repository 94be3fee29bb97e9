"""Checking a game: in plain Python first, then each verb compiled alone, then compiled games against plain ones.

And what checks of other things share: `effect_in`, `in_turn`, `check_alone`.
"""

from __future__ import annotations

import builtins
import inspect
import itertools
import random
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import FunctionType
from typing import Any, NamedTuple

from petteia.checking.conformance import run_checks
from petteia.checking.notes import CheckResult
from petteia.checking.sample import explain
from petteia.core.identity import global_names
from petteia.core.kernel import compile_alone, compiler, runs_plain
from petteia.core.origin import is_of_package
from petteia.core.protocol import PLAIN, VERBS, Rules, initial, limits, method
from petteia.foreign.diagnosis import RULES, Right, diagnose, head, kind
from petteia.foreign.sources import foreign_modules

GROUNDS = ("effects", "random games", "constancy", "moves")
"""The checks on which comparing compiled games with plain ones rests."""
EFFECTS = (print, input, open, random, time)
"""What rules must not use: they run millions of times, in any order, and must always say the same."""


def check_game(rules: Rules, games: int = 1000, seed: int = 0) -> Iterator[CheckResult]:
    """Everything that a game promises, checked in an order in which the first failure is the one to mend first.

    `games` random games from `seed` are played compiled and compared, move by move, with plain Python. That is left out
    where it would say nothing: after failures of `GROUNDS` or of the compiler, and where there is none.
    """
    is_sound, compiles = True, True
    for result in itertools.chain([check_effects(rules)], run_checks(rules, seed=seed)):
        is_sound &= result.passed or result.name not in GROUNDS
        yield result
    if runs_plain() or result.name == "random games":  # nothing could be played
        return
    for result in check_compiles(rules):
        compiles &= result.passed
        yield result
    if is_sound and compiles:
        from petteia.checking.comparison import compare_compiled

        yield from compare_compiled(rules, games=games, seed=seed)


def check_effects(rules: Rules) -> CheckResult:
    """Whether the rules do nothing but compute."""
    effect = effect_in(type(rules))
    message = f"{effect}; rules only compute (chance is the verb `chances`)" if effect else ""
    return CheckResult("effects", not effect, message)


def effect_in(cls: type, verbs: Iterable[str] = ()) -> str:
    """Where the methods `verbs` of `cls`, by default those of a game, do more than compute; empty if they do not."""
    for function in _reached(cls, verbs):
        for name, value in _read_by(function).items():
            if any(value is effect for effect in EFFECTS):
                return f"{head(function)}: {function.__name__} uses {name}"
    return ""


def _reached(cls: type, verbs: Iterable[str]) -> list[FunctionType]:
    """The functions outside of this package that run when a method in `verbs` of `cls` does, these methods first."""
    compiled = verbs or [name for name in VERBS if name not in PLAIN]
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


class Returned(NamedTuple):
    """What a compiled method must return."""

    words: str
    """what it must return, in words"""
    types: tuple[str, ...]
    """names of the compiler's types"""


WHOLE = Returned("a whole number", ("Integer", "Boolean"))
NUMBER = Returned("a number", ("Integer", "Boolean", "Float"))
NOTHING = Returned("nothing", ("NoneType",))


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
            error, own, cls.__name__, set().union(*(_files(each, own) for each in (cls, *others))), right
        )
    else:
        types = compiler().types
        if not isinstance(result, tuple(getattr(types, name) for name in returned.types)):
            fact = f"{own.__name__} returns {kind(str(result))} when compiled"
            message = f"{head(own)}: {fact}; it must return {returned.words}"
    return CheckResult(f"{own.__name__} compiles", not message, message)


def check_compiles(rules: Rules) -> Iterator[CheckResult]:
    """Each verb that the class of `rules` defines, compiled by itself."""
    import numpy as np

    cls = type(rules)
    typeof = compiler().typeof
    most = max(limits(rules).moves, 1)
    values = {
        "rules": rules,
        "state": initial(rules),
        "out": np.zeros(most, np.int64),
        "moves": np.zeros(most, np.int64),
        "probabilities": np.zeros(most),
        "move": 0,
        "random": np.zeros(1, np.int64),
        "i": 0,
    }
    records = {"State": typeof(values["state"]), "Limits": typeof(limits(rules))}
    for name, verb in VERBS.items():
        own = method(cls, name)
        if own is None or name in PLAIN:
            continue
        signature = inspect.signature(verb)
        message = ""
        try:
            result = compile_alone(own, *(values[parameter] for parameter in signature.parameters))
        except Exception as error:  # a compiler can raise anything
            message = diagnose(error, own, cls.__name__, _files(cls, own))
        else:
            if not _is_of(result, signature.return_annotation, records):
                right = _words(signature.return_annotation, records)
                message = f"{head(own)}: {name} returns {kind(str(result))} when compiled; it must return {right}"
        yield CheckResult(f"{name} compiles", not message, message)


def _parts(annotation: str) -> list[str]:
    """The annotations of the entries of a tuple; none if it is not one."""
    return annotation.removeprefix("tuple[").removesuffix("]").split(", ") if annotation.startswith("tuple[") else []


def _is_of(result: Any, annotation: str, records: Mapping[str, Any]) -> bool:
    """Whether a type of the compiler's is what this annotation of a verb asks for."""
    types = compiler().types
    if parts := _parts(annotation):
        is_tuple = isinstance(result, types.BaseTuple) and len(result) == len(parts)
        return is_tuple and all(_is_of(*each, records) for each in zip(result, parts, strict=True))
    if annotation in records:
        return bool(result == records[annotation])
    return isinstance(result, types.Integer | types.Boolean)


def _words(annotation: str, records: Mapping[str, Any]) -> str:
    """What such a type is called."""
    if parts := _parts(annotation):
        return f"a tuple of {' and '.join(_words(part, records) for part in parts)}"
    return kind(str(records[annotation])) if annotation in records else "a whole number"


def _files(cls: type, own: Any) -> set[str]:
    """The source files in which the cause of a failure of `own` may lie."""
    modules = {*foreign_modules({cls}), cls.__module__}
    return {own.__code__.co_filename} | {
        file for name in modules if (file := getattr(sys.modules[name], "__file__", ""))
    }
