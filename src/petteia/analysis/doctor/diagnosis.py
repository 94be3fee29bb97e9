"""What an examination of a training has found, as data and as text."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import NamedTuple

from petteia.analysis.doctor.signs import Figures
from petteia.analysis.doctor.strength import Strength

WIDTH = 120
"""columns of the text, at most"""


class Finding(NamedTuple):
    """Something that is wrong with a training."""

    fault: str
    """the name of the fault"""
    wrong: str
    """what is wrong, in words"""
    evidence: str
    """what shows it, in words"""
    change: str
    """what to try, in words"""
    options: str
    """the same as options of `petteia train`"""
    figures: Figures
    """the numbers of the evidence, by name"""


class Examined(NamedTuple):
    """Something that was looked at, or could not be."""

    fault: str
    """the name of the fault that was looked for"""
    examines: str
    """what was looked at, in words"""
    why_not: str
    """why it could not be examined; empty if it could"""


class Diagnosis(NamedTuple):
    """What an examination of a training has found."""

    run: str
    """the folder of the run"""
    game: str
    """the text form of the rules"""
    settings: str
    """what the training does, in a line"""
    games: int
    """games that it has learned from"""
    wanted: int
    """games to learn from in all"""
    findings: tuple[Finding, ...]
    """what is wrong; what spoils most comes first"""
    examined: tuple[Examined, ...]
    """all that was looked for, found or not"""

    strength: Strength | None
    """how strong the result is; None if nothing was saved"""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the faults that were found."""
        return tuple(finding.fault for finding in self.findings)

    def told(self, width: int | None = None) -> str:
        """All of it as text, in lines no wider than so many columns, and than 120."""
        most = min(width or WIDTH, WIDTH)
        return "\n".join(textwrap.fill(text, most, subsequent_indent=indent) for indent, text in self._paragraphs())

    def __str__(self) -> str:
        return self.told()

    def _paragraphs(self) -> Iterator[tuple[str, str]]:
        """By what their further lines are indented, and their text."""
        learned = f"{self.games:,} games learned from" if self.games else "nothing saved"
        left = "" if self.games == self.wanted else f" of {self.wanted:,}"
        yield "", f"{self.game}: {self.settings}"
        yield "", f"{learned}{left}; the run is {self.run}"
        for number, found in enumerate(self.findings, 1):
            tried = found.change + (f": {found.options}" if found.options else "")
            yield "", ""
            for text in (f"{number}. {found.fault}: {found.wrong}", f"   seen: {found.evidence}", f"   try: {tried}"):
                yield "   ", text
        if self.strength is not None:
            yield "", ""
            yield "", str(self.strength)
        *seen, last = [each.examines for each in self.examined if not each.why_not]
        judged = f"{', '.join(seen)}, and {last}" if seen else last
        yield "", ""
        yield "", f"{'' if self.findings else 'Nothing was seen to be wrong. '}The training was judged by {judged}."
        for each in self.examined:
            if each.why_not:
                yield "", f"Not judged was {each.examines}: {each.why_not}."
