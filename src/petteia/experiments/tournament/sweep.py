"""Sweeps of tournaments: a tournament is played under every combination of several values of limits."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Annotated

from pydantic import Field

from petteia.core.clock import read_clock
from petteia.experiments.declaration import label
from petteia.experiments.source import Section

SWEEP = "sweep"
"""the section of a file with the values of a sweep"""
Condition = dict[str, float | str]
"""the value of each limit in the sweep, by the name of the limit"""
Seconds = Annotated[float, Field(gt=0, allow_inf_nan=False)]
Whole = Annotated[int, Field(ge=1)]


class Sweep(Section):
    """The section `[sweep]` of a file: values of search limits. A tournament is played under each combination."""

    depth: Annotated[tuple[Whole, ...], Field(strict=False)] = ()
    nodes: Annotated[tuple[Whole, ...], Field(strict=False)] = ()
    time: Annotated[tuple[Seconds, ...], Field(strict=False)] = ()
    clock: Annotated[tuple[str, ...], Field(strict=False)] = ()

    @property
    def values(self) -> dict[str, tuple[float | str, ...]]:
        """The values of each limit in the sweep, by the name of the limit."""
        return {name: values for name, values in self if values}

    @property
    def conditions(self) -> list[Condition]:
        """Every combination of the values of limits. Without a sweep, there is one empty combination."""
        values = self.values
        return [dict(zip(values, chosen, strict=True)) for chosen in itertools.product(*values.values())]

    def wrong(self, given: Mapping[str, object]) -> dict[str, str]:
        """Return error messages for the declared sweep, by field.

        `given` contains the section `[tournament]` of the file. A limit in this section must not be swept as well.
        Raises a UsageError for a malformed clock.
        """
        found = {}
        for name, values in self.values.items():
            shown = [str(read_clock(str(each))) if name == "clock" else label(each) for each in values]
            twice = next((each for each in shown if shown.count(each) > 1), None)
            if given[name] is not None:
                found[f"{SWEEP}.{name}"] = "is also set in the section [tournament]; remove one of them"
            elif twice is not None:
                found[f"{SWEEP}.{name}"] = f"contains {twice} twice; remove one of them"
        return found


def words(condition: Condition) -> str:
    """Return a combination of limits as a string, such as `depth 2, nodes 1000`."""
    return ", ".join(f"{name} {label(value)}" for name, value in condition.items())
