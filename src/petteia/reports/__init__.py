"""Reports: a question, a procedure, its figures, on one page that needs nothing else.

A file each; `page` has what their pages are made of. A new report is a file here and a line in `REPORTS`.
"""

from __future__ import annotations

import importlib
from pathlib import Path

from petteia.core.errors import UsageError
from petteia.reports.report import Progress, Report

REPORTS = {"hare-and-hounds": "petteia.reports.hare_and_hounds"}
"""The module of each report by name."""


def report(
    name: str,
    *,
    folder: str | Path = "reports",
    runs: str | Path | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> Report:
    """Make the report `name` in a folder of this name in `folder`, and say where its page is.

    Args:
        name: of the report, such as `hare-and-hounds`
        folder: where reports live
        runs: folder of runs; default: PETTEIA_RUNS, else `runs`
        seed: of all random numbers, 0 or more
        progress: called as the work goes on

    Returns:
        Where the page is, and the figures on it.

    Raises:
        UsageError: an unknown report
        PetteiaError: a folder that cannot be written

    """
    if name not in REPORTS:
        raise UsageError(f"there is no report {name!r}; known are {', '.join(REPORTS)}")
    made: Report = importlib.import_module(REPORTS[name]).make(Path(folder) / name, runs, seed, progress)
    return made
