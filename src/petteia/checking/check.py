"""The full check of a game: first in plain Python, then each compiled method, then compiled random games.

The checks in plain Python run first, because errors are easiest to understand there.
"""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Iterator, Mapping
from typing import Any

from petteia.checking.conformance import run_checks
from petteia.checking.notes import CheckResult
from petteia.checking.shared import effect_in, source_files
from petteia.core.kernel import compile_alone, compiler, runs_plain
from petteia.core.protocol import METHODS, PLAIN, Rules, initial, limits, method
from petteia.foreign.diagnosis import diagnose, head, kind

GROUNDS = ("effects", "random games", "constancy", "moves")
"""The checks that must pass before games played by the compiled code can be compared with games in plain Python."""


def check_game(rules: Rules, games: int = 1000, seed: int = 0) -> Iterator[CheckResult]:
    """Run all checks of a game's code, and yield a result for each.

    Failures should be corrected in the order in which they are reported.

    The last checks compare compiled code with plain Python. Both play the same `games` random games, with the seeds
    `seed`, `seed` + 1, and so on. The results of all methods are compared in each state. These checks are skipped if
    kernels run as plain Python, if a method does not compile, or if one of the checks in `GROUNDS` fails.
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
    """Check that the rules have no side effects."""
    effect = effect_in(type(rules))
    message = (
        f"{effect}; rules must have no side effects (for random outcomes, define the method `chances`)"
        if effect
        else ""
    )
    return CheckResult("effects", not effect, message)


def check_compiles(rules: Rules) -> Iterator[CheckResult]:
    """Compile each method of the game by itself, and yield a result for each."""
    import numpy as np

    cls = type(rules)
    typeof = compiler().typeof
    maximum = max(limits(rules).moves, 1)
    values = {
        "rules": rules,
        "state": initial(rules),
        "out": np.zeros(maximum, np.int64),
        "moves": np.zeros(maximum, np.int64),
        "probabilities": np.zeros(maximum),
        "move": 0,
        "random": np.zeros(1, np.int64),
        "i": 0,
    }
    records = {"State": typeof(values["state"]), "Limits": typeof(limits(rules))}
    for name, function in METHODS.items():
        own = method(cls, name)
        if own is None or name in PLAIN:
            continue
        signature = inspect.signature(function)
        message = ""
        try:
            result = compile_alone(own, *(values[parameter] for parameter in signature.parameters))
        except Exception as error:  # a compiler can raise anything
            message = diagnose(error, own, cls.__name__, source_files(cls, own))
        else:
            if not _is_of(result, signature.return_annotation, records):
                right = _words(signature.return_annotation, records)
                message = f"{head(own)}: {name} returns {kind(str(result))} when compiled; it must return {right}"
        yield CheckResult(f"{name} compiles", not message, message)


def _parts(annotation: str) -> list[str]:
    """Return the annotations of a tuple's items, or an empty list if `annotation` is not a tuple annotation."""
    return annotation.removeprefix("tuple[").removesuffix("]").split(", ") if annotation.startswith("tuple[") else []


def _is_of(result: Any, annotation: str, records: Mapping[str, Any]) -> bool:
    """Return whether the type that the compiler inferred for a method's result matches the method's annotation."""
    types = compiler().types
    if parts := _parts(annotation):
        is_tuple = isinstance(result, types.BaseTuple) and len(result) == len(parts)
        return is_tuple and all(_is_of(*each, records) for each in zip(result, parts, strict=True))
    if annotation in records:
        return bool(result == records[annotation])
    return isinstance(result, types.Integer | types.Boolean)


def _words(annotation: str, records: Mapping[str, Any]) -> str:
    """Describe an annotated type in words for an error message, such as `a tuple of a whole number and a state`."""
    if parts := _parts(annotation):
        return f"a tuple of {' and '.join(_words(part, records) for part in parts)}"
    return kind(str(records[annotation])) if annotation in records else "a whole number"
