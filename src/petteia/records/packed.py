"""Conversion of run folders to bytes and back, so that they can be sent to another machine."""

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
"""the files of a run in the order in which they are written, so that a partly unpacked run can be resumed"""


def pack(folder: Path) -> dict[str, bytes]:
    """Read all files of a run folder, and return their contents by file name."""
    return {name: read_file(folder / name, bound) for name, bound in FILES.items() if (folder / name).exists()}


def unpack(files: Mapping[str, bytes], folder: Path) -> None:
    """Write files to a run folder in the order of `files`. The folder is created if it does not exist."""
    make_folder(folder)
    for name, content in files.items():
        write_file(folder / name, content)
