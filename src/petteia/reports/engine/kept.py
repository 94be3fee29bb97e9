"""Saved results: a function marked `kept` computes each result once, and saves it in a folder.

    @kept
    def results_lost(evidence: Evidence, player: str, games: int) -> RegretTotals: ...

Each result is saved with its arguments as a row of a journal. A result that is a NamedTuple is also a row of a CSV file
beside the page. If a report is killed, only results that are not saved yet are lost. Arguments can be text, numbers,
training runs, functions, and tuples of these. A result consists of values that JSON can represent, or of NamedTuples of
such values. A loaded result is converted to the return type of the function. `petteia.reports.engine.evidence`
computes, saves and loads the results.
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
