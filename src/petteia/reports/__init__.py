"""Reports that answer questions by experiments. Each report is one self-contained HTML page.

Each report has its own folder, and uses the common code in `engine`. A new report needs a folder here and a line in
`REPORTS`.
"""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import TYPE_CHECKING

from petteia.core.errors import UsageError

if TYPE_CHECKING:
    from petteia.experiments.work import Progress
    from petteia.reports.engine.declaration import Declaration, Report
    from petteia.reports.engine.settings import Scale

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
    """Make or resume a report in a subfolder of `folder`, and return the path of its page and its measured values.

    Args:
        name: the report, such as `hare-and-hounds`
        scale: `paper`: the size of the original; `quick`: smaller, in a separate folder; `all`, if the report has it:
            with further questions, or with more games
        seeds: the number of training runs of each combination of parameters; default: as declared in its experiments
        jobs: the number of parallel workers; the results are the same for any number; default: the number of
            processors, at most 8
        cluster: the address of a Dask scheduler, or `local:N`, whose workers do the training runs and tournaments (see
            docs/cluster.md); the results are the same
        folder: the folder of all reports
        progress: a function that is called during the work

    The path of the page, and the measured values.

    Raises:
        UsageError: an unknown report or scale, or a number out of range
        PetteiaError: a folder that cannot be written, or a cluster that is unreachable or lost
        KeyboardInterrupt: the work was interrupted; it is saved, and the same call resumes it

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
        raise UsageError(
            f"scale {scale!r}: the report {name} does not have this scale; choose from {', '.join(declared.scales)}"
        )
    for what, number in (("seeds", seeds), ("jobs", jobs)):
        if number is not None and number < 1:
            raise UsageError(f"{what}={number}: must be 1 or more")
    place = Path(folder) / (f"{name}-quick" if scale == "quick" else name)
    return declared.make(place, scale, seeds, jobs, progress, cluster)
