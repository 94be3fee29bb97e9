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

    def text(self, width: int | None = None, *, checks: bool = False) -> str:
        """The diagnosis as text.

        Args:
            width: maximum number of columns; default and upper limit: 120
            checks: list all checks, with the reason for each that could not be made

        """
        columns = min(width or WIDTH, WIDTH)
        paragraphs = [*self._paragraphs(), *(self._checks() if checks else ())]
        return "\n".join(textwrap.fill(text, columns, subsequent_indent=indent) for indent, text in paragraphs)

    def __str__(self) -> str:
        return self.text()

    def _paragraphs(self) -> Iterator[tuple[str, str]]:
        """The indentation of further lines, and the text, of each paragraph."""
        learned = f"{self.games:,} training games" if self.games else "nothing saved"
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
        yield "", ""
        made = sum(not each.why_not for each in self.examined)
        not_made = len(self.examined) - made
        problems = {0: "No problems", 1: "1 problem"}.get(len(self.findings), f"{len(self.findings)} problems")
        left_out = f", {not_made} not possible" if not_made else ""
        yield "", f"{problems} found ({made} checks{left_out})."

    def _checks(self) -> Iterator[tuple[str, str]]:
        yield "", ""
        for each in self.examined:
            result = "not possible" if each.why_not else "found" if each.fault in self.names else "ok"
            reason = f": {each.why_not}" if each.why_not else ""
            yield " " * 14, f"{result:14}{each.examines}{reason}"
