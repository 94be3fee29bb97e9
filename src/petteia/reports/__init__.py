"""Reports: a question, a procedure, its figures, on one page that needs nothing else.

A folder each, with what that report alone has; `engine` has what all are made with. A new report is a folder here and
a line in `REPORTS`.
"""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import TYPE_CHECKING

from petteia.core.errors import UsageError
from petteia.reports.engine.outcome import Progress, Report, Scale

if TYPE_CHECKING:
    from petteia.reports.engine.declaration import Declaration

REPORTS = {
    "amazons": "petteia.reports.amazons",
    "british-square": "petteia.reports.british_square",
    "hare-and-hounds": "petteia.reports.hare_and_hounds",
    "mancala": "petteia.reports.mancala",
}
"""The module of each report by name."""


def report(
    name: str,
    *,
    scale: Scale = "paper",
    seeds: int | None = None,
    jobs: int | None = None,
    cluster: str | None = None,
    folder: str | Path = "reports",
    progress: Progress | None = None,
) -> Report:
    """Make or resume the report `name` in a subfolder of `folder`, and return the place of its page.

    Args:
        name: of the report, such as `hare-and-hounds`
        scale: `paper`: as large as the procedure it repeats; `quick`: smaller, in a folder of its own; `all`,
            where there is that: with what the original has left open, or with enough games to tell
        seeds: trainings of each combination of parameters; default: as its experiments say
        jobs: trainings at a time; the results are the same. Default: as many as there are processors
        cluster: the workers of a cluster do the trainings and tournaments instead: the address of a scheduler of Dask,
            or `local:N`, see docs/cluster.md; the results are the same
        folder: where reports live
        progress: called as the work goes on

    Returns:
        Where the page is, and the figures on it.

    Raises:
        UsageError: an unknown report or scale, a number out of range
        PetteiaError: a folder that cannot be written; a cluster that cannot be reached or is lost
        KeyboardInterrupt: interrupted; the work is saved, and the same call goes on

    Examples:
        >>> petteia.report("chess")
        Traceback (most recent call last):
            ...
        petteia.core.errors.UsageError: there is no report 'chess'; choose from amazons, ...

    """
    if name not in REPORTS:
        raise UsageError(f"there is no report {name!r}; choose from {', '.join(REPORTS)}")
    declared: Declaration = importlib.import_module(REPORTS[name]).REPORT
    if scale not in declared.scales:
        raise UsageError(f"scale {scale!r}: of {name} there is {', '.join(declared.scales)}")
    for what, number in (("seeds", seeds), ("jobs", jobs)):
        if number is not None and number < 1:
            raise UsageError(f"{what}={number}: must be 1 or more")
    place = Path(folder) / (f"{name}-quick" if scale == "quick" else name)
    return declared.make(place, scale, seeds, jobs, progress, cluster)
