"""The diagnosis of a training run: the checks that were made, the faults that were found, and a report as text."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import NamedTuple

from petteia.analysis.doctor.signs import Figures
from petteia.analysis.doctor.strength import Strength

WIDTH = 120
"""The maximum number of columns of the text."""


class Finding(NamedTuple):
    """A fault that was found in a training run."""

    fault: str
    """the name of the fault"""
    wrong: str
    """a description of the fault"""
    evidence: str
    """the evidence, as text"""
    change: str
    """the suggested change, as text"""
    options: str
    """the suggested change as options of `petteia train`"""
    figures: Figures
    """the figures of the evidence, by name"""


class Examined(NamedTuple):
    """A check of a training run for one fault. If the check was not possible, `why_not` contains the reason."""

    fault: str
    """the name of the fault that the check looks for"""
    examines: str
    """the subject of the check, as text"""
    why_not: str
    """the reason why the check was not possible; empty if it was made"""


class Diagnosis(NamedTuple):
    """The diagnosis of a training run: the faults found, all checks, and the strength of the trained player."""

    run: str
    """the folder of the run"""
    game: str
    """the text form of the rules"""
    settings: str
    """the settings of the training, in one line"""
    games: int
    """the number of finished training games"""
    wanted: int
    """the number of training games in the settings"""
    findings: tuple[Finding, ...]
    """the faults that were found, the most serious first"""
    examined: tuple[Examined, ...]
    """all checks"""

    strength: Strength | None
    """the playing strength of the result; None if nothing was saved"""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the faults that were found."""
        return tuple(finding.fault for finding in self.findings)

    def text(self, width: int | None = None, *, checks: bool = False) -> str:
        """Return the diagnosis as a string.

        Args:
            width: maximum number of columns; default and upper limit: 120
            checks: whether to list all checks; for a check that could not be made, the list contains the reason

        """
        columns = min(width or WIDTH, WIDTH)
        paragraphs = [*self._paragraphs(), *(self._checks() if checks else ())]
        return "\n".join(textwrap.fill(text, columns, subsequent_indent=indent) for indent, text in paragraphs)

    def __str__(self) -> str:
        return self.text()

    def _paragraphs(self) -> Iterator[tuple[str, str]]:
        """Yield the paragraphs of the report. Each comes with an indentation for all of its lines except the first."""
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
        not_made = ", ".join(each.fault for each in self.examined if each.why_not)
        problems = {0: "No problems", 1: "1 problem"}.get(len(self.findings), f"{len(self.findings)} problems")
        left_out = f"; not possible: {not_made}" if not_made else ""
        yield "", f"{problems} found ({made} checks{left_out})."

    def _checks(self) -> Iterator[tuple[str, str]]:
        yield "", ""
        for each in self.examined:
            result = "not possible" if each.why_not else "found" if each.fault in self.names else "ok"
            reason = f": {each.why_not}" if each.why_not else ""
            yield " " * 14, f"{result:14}{each.examines}{reason}"
