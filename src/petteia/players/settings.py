"""Whose weights a player plays by."""

from __future__ import annotations

from pathlib import Path

from petteia.records.runs import open_run


def weights_file(where: str) -> Path:
    """The weights file that an agent is given as: the file itself, or that of a run. NotFoundError if there is none."""
    path = Path(where)
    return path if path.is_file() else open_run(where).weights
