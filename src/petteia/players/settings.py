"""Whose weights a player plays by."""

from __future__ import annotations

from pathlib import Path

from petteia.records.files import READ, file_errors
from petteia.records.runs import open_run


def weights_file(where: str) -> Path:
    """The weights file that an agent is given as: the file itself, or that of a run.

    Raises NotFoundError if there is none, InvalidError if the run is damaged, or its code has changed since.
    """
    path = Path(where)
    with file_errors(READ, path):
        if path.is_file():
            return path
    run = open_run(where)
    run.check()
    run.vouch()
    return run.weights
