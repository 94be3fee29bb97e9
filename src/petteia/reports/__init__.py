"""Reports: each runs experiments to answer questions about a game, and writes a self-contained HTML page.

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
    """Run a report, or resume an interrupted one, and return the path of its page and its measured values.

    Args:
        name: the report, such as `hare-and-hounds`
        scale: the size of the report; `paper`: the size of the original; `quick`: a smaller report in a separate
            folder; `all`: a report with further questions or more games, which not every report has
        seeds: the number of training runs of each combination of parameters; default: as declared in its experiments
        jobs: the number of parallel workers; the results are the same for any number; default: the number of
            processors, at most 8
        cluster: the address of a Dask scheduler, or `local:N` for N local processes; the workers do the training runs
            and tournaments, and the results are the same (see docs/cluster.md)
        folder: the folder in which each report has a subfolder
        progress: a function that is called during the work

    The result is a `Report`, which contains the path of the page and the measured values.

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
