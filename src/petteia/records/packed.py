"""Runs as bytes: the files of a run folder, to be sent to another machine and back."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from petteia.records import bounds
from petteia.records.description import DESCRIPTION
from petteia.records.files import make_folder, read_file, write_file
from petteia.records.runs import POINTS, RESULTS, WEIGHTS
from petteia.records.times import TIMES

FILES = {
    DESCRIPTION: bounds.DESCRIPTION,
    POINTS: bounds.JOURNAL,
    WEIGHTS: bounds.WEIGHTS,
    RESULTS: bounds.RESULTS,
    TIMES: bounds.TIMES,
}
"""the files of a run in the order in which work writes them, so that a run that is half unpacked goes on, too"""


def pack(folder: Path) -> dict[str, bytes]:
    """The content of the files of a run, by their names."""
    return {name: read_file(folder / name, bound) for name, bound in FILES.items() if (folder / name).exists()}


def unpack(files: Mapping[str, bytes], folder: Path) -> None:
    """Give a run folder, made if it is not there, these files, in the order that they have."""
    make_folder(folder)
    for name, content in files.items():
        write_file(folder / name, content)
