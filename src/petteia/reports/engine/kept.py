"""Saved results: a function marked `kept` computes a result once in a folder, and then loads it.

    @kept
    def results_lost(evidence: Evidence, player: str, games: int) -> RegretTotals: ...

Each result is a row of a journal, with its arguments, and a row of a file beside the page. A report that is killed
loses only the results in progress. Arguments are text, numbers, training runs, functions, and tuples of these. A result
consists of values that JSON can hold, or of NamedTuples of them. A saved result is converted to the return type of the
function. `petteia.reports.engine.evidence` computes, saves and loads the results.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

if TYPE_CHECKING:
    from petteia.reports.engine.evidence import Evidence

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


def kept(
    function: Callable[Concatenate[Evidence, Arguments], Result],
) -> Callable[Concatenate[Evidence, Arguments], Result]:
    """Decorate a function so that its results are cached on disk for each combination of arguments."""

    @functools.wraps(function)
    def recalled(evidence: Evidence, /, *arguments: Arguments.args, **named: Arguments.kwargs) -> Result:
        bound = inspect.signature(function).bind(evidence, *arguments, **named)
        bound.apply_defaults()
        found: Result = evidence.recall(function, bound.args[1:])
        return found

    return recalled
