"""The maximum sizes of files, by kind of file. Larger files are rejected before they are read.

The files that petteia writes are usually much smaller than the maximum sizes. The weights that a training run saves
take at most 1 GB. The table of a game with a hundred million states takes 6 GB. A row of a journal takes about 300
bytes, and in a tournament up to 11 further bytes for each game. A game record takes 8 bytes per ply.
"""

from __future__ import annotations

from typing import NamedTuple

KILOBYTE, MEGABYTE, GIGABYTE = 1 << 10, 1 << 20, 1 << 30


class Bound(NamedTuple):
    """The maximum size of a kind of file."""

    what: str
    """the name of the kind of file, with an article"""
    maximum: int
    """the maximum size in bytes"""


DESCRIPTION = Bound("the description of a run", 16 * MEGABYTE)
RESULTS = Bound("a results file", 16 * MEGABYTE)
TIMES = Bound("a times file", 64 * KILOBYTE)
JOURNAL = Bound("a journal", 2 * GIGABYTE)
WEIGHTS = Bound("a weights file", 16 * GIGABYTE)
TABLEBASE = Bound("a file of solved values", 1 << 40)
"""the memory that a table needs is checked separately, before the table is read"""
RECORD = Bound("a game record", 64 * MEGABYTE)
OPENINGS = Bound("a file of positions", 64 * MEGABYTE)
EXPERIMENT = Bound("an experiment file", 4 * MEGABYTE)
SEAL = Bound("the file .seal of a run", 16 * MEGABYTE)
SOURCE = Bound("a Python module", 256 * MEGABYTE)
EVIDENCE = Bound("a saved result of a report", 64 * MEGABYTE)
