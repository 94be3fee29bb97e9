"""Saved results: a function marked `kept` computes a result once in a folder, and then loads it.

    @kept
    def results_lost(evidence: Evidence, player: str, games: int) -> RegretTotals: ...

Each result is a row of a journal, with its arguments, and a row of a file beside the page. A report that is killed
loses only the results in progress. Arguments are text, numbers, training runs, functions, and tuples of these. A result
consists of values that JSON can hold, or of NamedTuples of them. A saved result is converted to the return type of the
function.
"""

from __future__ import annotations

import functools
import inspect
import json
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar, get_type_hints

from petteia.core.interrupt import InterruptLater
from petteia.experiments.training import Training
from petteia.experiments.work import STOPPED
from petteia.records.journal import Journal
from petteia.reports.engine.work import Work, typed

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


class Memory:
    """The saved results of functions marked `kept`, from this process and earlier ones.

    This class is the base class of `Evidence`. Functions marked `kept` have an evidence object as their first argument.
    """

    def __init__(self, work: Work) -> None:
        self.work = work
        self._journals: dict[str, Journal] = {}
        self._known: dict[str, dict[str, Any]] = {}
        self._asked: dict[str, dict[str, tuple[dict[str, Any], Any]]] = {}

    def recall(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
        """Return the result of a function for these arguments. It is loaded if it was saved, and otherwise computed."""
        return self.recall_all(function, [arguments])[0]

    def recall_all(self, function: Callable[..., Any], every: Sequence[tuple[Any, ...]]) -> Sequence[Any]:
        """Return the results of the function for several tuples of arguments.

        Results that are not saved yet are computed in several threads. Therefore the function must not use saved
        results of other functions.
        """
        name, keys = name_of(function), [json.dumps([self._written(each) for each in given]) for given in every]
        asked = self._asked.setdefault(name, {})
        new = {key: given for key, given in zip(keys, every, strict=True) if key not in asked}
        if new:
            journal = self._journal(name)
            missing = {key: given for key, given in new.items() if key not in self._known[name]}
            self._compute(function, missing, journal)
            kind = get_type_hints(inspect.unwrap(function))["return"]
            names = [*inspect.signature(function).parameters][1:]
            for key, given in new.items():
                asked[key] = dict(zip(names, given, strict=True)), typed(self._known[name][key], kind, journal.path)
        return [asked[key][1] for key in keys]

    def rows(self) -> dict[str, list[dict[str, Any]]]:
        """Return the used results as rows of CSV files, with arguments and fields, by function name.

        Only results that are NamedTuples have rows.
        """
        return {
            name: [
                {key: self._written(each) for key, each in arguments.items()} | _flat(result._asdict())
                for arguments, result in asked.values()
                if hasattr(result, "_asdict")
            ]
            for name, asked in self._asked.items()
        }

    def _compute(self, function: Callable[..., Any], missing: Mapping[str, Sequence[Any]], journal: Journal) -> None:
        """Compute the missing results, and save them in their order.

        If several results are missing, they are computed in parallel threads. A single result is computed in the
        calling thread.
        """
        name, known = name_of(function), self._known[name_of(function)]

        def computed(arguments: Sequence[Any]) -> Any:
            result = inspect.unwrap(function)(self, *arguments)
            return json.loads(json.dumps(result, allow_nan=False))  # as it is loaded: lists instead of tuples

        with InterruptLater() as interrupt, ThreadPoolExecutor(self.work.jobs) as pool:
            found = pool.map(computed, missing.values()) if len(missing) > 1 else map(computed, missing.values())
            for key, result in zip(missing, found, strict=True):
                journal.append([{"arguments": json.loads(key), "result": result}])
                known[key] = result
                self.work.on_progress(len(known), len(known), f"{name.replace('-', ' ')}: {len(known)} results")
                if interrupt.requested:
                    pool.shutdown(cancel_futures=True)
                    raise KeyboardInterrupt(STOPPED)

    def _journal(self, name: str) -> Journal:
        if name not in self._journals:
            self._journals[name] = journal = self.work.journal(f"{name}.jsonl")
            self._known[name] = {json.dumps(row.get("arguments")): row.get("result") for row in journal.read()}
        return self._journals[name]

    def _written(self, argument: Any) -> Any:
        if isinstance(argument, Training):
            return self.work.place_of(argument)
        if isinstance(argument, tuple):
            return [self._written(each) for each in argument]
        return name_of(argument) if callable(argument) else argument


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row in which each field of a nested row is a separate column."""
    found: dict[str, Any] = {}
    for name, value in row.items():
        inner = value._asdict() if hasattr(value, "_asdict") else value
        if isinstance(inner, dict):
            found |= {f"{name}_{key}": each for key, each in _flat(inner).items()}
        else:
            found[name] = inner
    return found


def name_of(function: Callable[..., Any]) -> str:
    """Return the name of a function as it stands in names of files and on pages."""
    return function.__name__.replace("_", "-")
