"""How large files are that are read, by what they are: what is larger is none, and is refused before it is read.

Generous for what this package writes and people do: a history of weights is a gigabyte at most, a table of a hundred
million states six; a journal has about 300 bytes a row, that of a tournament up to eleven a game more; a
record has eight a ply.
"""

from __future__ import annotations

from typing import NamedTuple

KILOBYTE, MEGABYTE, GIGABYTE = 1 << 10, 1 << 20, 1 << 30


class Bound(NamedTuple):
    """How large a kind of file is at most."""

    what: str
    """the kind, with its article"""
    maximum: int
    """bytes"""


DESCRIPTION = Bound("the description of a run", 16 * MEGABYTE)
RESULTS = Bound("a file of results", 16 * MEGABYTE)
TIMES = Bound("a file of times", 64 * KILOBYTE)
JOURNAL = Bound("a journal", 2 * GIGABYTE)
WEIGHTS = Bound("a weights file", 16 * GIGABYTE)
TABLEBASE = Bound("a table", 1 << 40)
"""what it may take is asked for besides, before anything is read"""
RECORD = Bound("a game record", 64 * MEGABYTE)
OPENINGS = Bound("a file of positions", 64 * MEGABYTE)
EXPERIMENT = Bound("the file of an experiment", 4 * MEGABYTE)
SEAL = Bound("a seal", 16 * MEGABYTE)
SOURCE = Bound("a module", 256 * MEGABYTE)
EVIDENCE = Bound("what a report keeps", 64 * MEGABYTE)
