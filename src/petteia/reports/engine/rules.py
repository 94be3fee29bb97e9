"""Rules by which claims are judged: each says when a claim agrees, what was found, and the verdict.

What the whole interval of a figure says is so; what none of it says is not so; what only a part of it says cannot be
told. The words of a rule and its verdict come from the same figure and the same bound. With fewer than five trainings
nothing is judged.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from petteia.arena.statistics import Interval
from petteia.experiments.verdicts import AGREES, DIFFERS, RARE
from petteia.reports.engine.estimates import (
    FEWEST,
    SHARE,
    TOO_WIDE,
    UNKNOWN,
    further_training,
    oddness,
)
from petteia.reports.engine.figures import Figure

Answer = bool | None
"""Yes, no, or None: it cannot be told."""

UNTOLD = "cannot be told"
NOT_JUDGED = "not judged at this scale"
TOO_WIDELY = "trainings scatter too widely to say"
MOST_LISTED = 4
"""findings of a rule of many parts that are told"""


class Finding(NamedTuple):
    """What was found about a claim."""

    ours: str
    """our figures, in words"""
    answer: Answer
    """whether the claim holds"""
    is_judged: bool = True
    """whether the scale and the number of trainings allow to ask"""
    subject: str = ""
    """whose figures they are, where the same is asked of several"""
    result: str = ""
    """our figures without the words that several findings have in common"""

    @property
    def verdict(self) -> str:
        """One of AGREES, DIFFERS, UNTOLD and NOT_JUDGED."""
        return verdict_of(self.answer) if self.is_judged else NOT_JUDGED


def verdict_of(answer: Answer) -> str:
    """An answer as a verdict."""
    return UNTOLD if answer is None else AGREES if answer else DIFFERS


class Rule(Protocol):
    """How a claim is judged."""

    @property
    def asks(self) -> tuple[str, str]:
        """What must be so, in words, and of whom, where it is asked of several."""

    def judge(self, evidence: Any) -> Finding:
        """What was found."""


def words_of(rule: Rule) -> str:
    """When a claim agrees, in words."""
    words, subject = rule.asks
    return f"{words} ({subject})" if subject else words


@dataclass(frozen=True)
class OfFigure(ABC):
    """What all rules have that ask something of one figure."""

    figure: Figure

    @abstractmethod
    def predicate(self) -> str:
        """What must be so of the figure."""

    @abstractmethod
    def answer(self, evidence: Any) -> Answer:
        """Whether it is so."""

    def text(self, evidence: Any) -> str:
        """The figure, in words."""
        return self.figure.text(evidence)

    @property
    def asks(self) -> tuple[str, str]:
        """What must be so, in words, and of whom."""
        return f"{self.figure.words} is {self.predicate()}", self.figure.subject

    def judge(self, evidence: Any) -> Finding:
        """What was found."""
        trainings, text = self.figure.trainings(evidence), self.text(evidence)
        is_judged = trainings is None or trainings >= FEWEST
        answer = self.answer(evidence) if is_judged else None
        return Finding(f"{self.figure.name}: {text}", answer, is_judged, self.figure.subject, text)


@dataclass(frozen=True)
class Above(OfFigure):
    """The figure is more than a bound."""

    bound: float

    def predicate(self) -> str:
        """What must be so of the figure."""
        return f"above {self.figure.unit.text(self.bound)}"

    def answer(self, evidence: Any) -> Answer:
        """Whether it is so."""
        return above(self.figure.interval(evidence), self.bound)


@dataclass(frozen=True)
class Below(OfFigure):
    """The figure is less than a bound."""

    bound: float

    def predicate(self) -> str:
        """What must be so of the figure."""
        return f"below {self.figure.unit.text(self.bound)}"

    def answer(self, evidence: Any) -> Answer:
        """Whether it is so."""
        return below(self.figure.interval(evidence), self.bound)


@dataclass(frozen=True)
class Within(OfFigure):
    """The figure lies in a range."""

    low: float
    high: float

    def predicate(self) -> str:
        """What must be so of the figure."""
        return f"within {self.figure.unit.text(self.low)} to {self.figure.unit.text(self.high)}"

    def answer(self, evidence: Any) -> Answer:
        """Whether it is so."""
        return within(self.figure.interval(evidence), self.low, self.high)


@dataclass(frozen=True)
class AsPrinted(OfFigure):
    """The original has one training: its figure, as it is rounded, is not odd for a further one of ours."""

    printed: float
    give: float = 0.0
    """by how much the printed figure is rounded, to both sides"""
    of_games: int = UNKNOWN
    """that the original's training played"""

    def predicate(self) -> str:
        """What must be so of the figure."""
        give = f" give or take {self.figure.unit.text(self.give)}" if self.give else ""
        return f"such that a further training could have {self.figure.unit.text(self.printed)}{give}"

    def further(self, evidence: Any) -> Interval:
        """Where a further training would lie."""
        values, unit = self.figure.values(evidence), self.figure.unit
        return further_training(values, unit, self.figure.games(evidence), self.of_games)

    def answer(self, evidence: Any) -> Answer:
        """Whether it is so; None where a further training could have nearly anything."""
        odd = oddness(
            *(self.figure.values(evidence), self.figure.unit, self.printed),
            give=self.give,
            games=self.figure.games(evidence),
            of_games=self.of_games,
        )
        if odd < RARE:
            return False
        return None if is_too_wide(self.further(evidence), self.figure) else True

    def text(self, evidence: Any) -> str:
        """The range of the trainings, and where a further one would lie."""
        values = self.figure.values(evidence)
        words = f"{self.figure.range_text(evidence)} over {len(values)} seeds"
        interval = self.further(evidence) if len(values) > 1 else Interval(values[0], -float("inf"), float("inf"))
        if not interval.is_known:
            return words
        low, high = (self.figure.unit.text(bound) for bound in interval[1:])
        because = f"; {TOO_WIDELY}" if is_too_wide(interval, self.figure) else ""
        return f"{words}; a further training lies in {low} to {high}{because}"


def is_too_wide(interval: Interval, figure: Figure) -> bool:
    """Whether a further training could have nearly any share."""
    return figure.unit == SHARE and interval.high - interval.low > TOO_WIDE


@dataclass(frozen=True)
class Most:
    """Something is so in more than half of the trainings: the sign test, one-sided."""

    words: str
    """what is so, as a sentence of a training"""
    holds: Callable[[Any], Sequence[bool]]
    """from the evidence: of each training, whether it is so"""
    subject: str = ""

    @property
    def asks(self) -> tuple[str, str]:
        """What must be so, in words, and of whom."""
        return f"in more than half of the trainings {self.words}", self.subject

    def judge(self, evidence: Any) -> Finding:
        """What was found."""
        from scipy.stats import binomtest

        found = [*map(bool, self.holds(evidence))]
        so, number = sum(found), len(found)
        more, less = (float(binomtest(so, number, alternative=side).pvalue) for side in ("greater", "less"))
        answer = True if more < RARE else False if less < RARE else None
        result, is_judged = f"in {so} of {number}", number >= FEWEST
        ours = f"{result} trainings {self.words}" + (f" ({self.subject})" if self.subject else "")
        return Finding(ours, answer if is_judged else None, is_judged, self.subject, result)


@dataclass(frozen=True)
class Every:
    """All of several rules hold."""

    rules: tuple[Rule, ...]

    @property
    def asks(self) -> tuple[str, str]:
        """What must be so, in words; what must be so of several is told once."""
        groups: dict[str, list[str]] = {}
        for words, subject in (each.asks for each in self.rules):
            groups.setdefault(words, []).append(subject)
        parts = (f"{words} ({'; '.join(of)})" if all(of) else words for words, of in groups.items())
        return "; and ".join(parts), ""

    def judge(self, evidence: Any) -> Finding:
        """What was found; where there is much, what speaks against it first."""
        findings = [(each.asks[0], each.judge(evidence)) for each in self.rules]
        if len(findings) > MOST_LISTED:
            findings.sort(key=lambda each: (each[1].answer is True, each[1].answer is None))
        groups: dict[str, list[Finding]] = {}
        for words, finding in findings[:MOST_LISTED]:
            groups.setdefault(words, []).append(finding)
        text = "; ".join(_together(each) for each in groups.values())
        more = f"; and {len(findings) - MOST_LISTED} more" if len(findings) > MOST_LISTED else ""
        is_judged = all(finding.is_judged for _, finding in findings)
        return Finding(text + more, every(finding.answer for _, finding in findings) if is_judged else None, is_judged)


def _together(findings: Sequence[Finding]) -> str:
    """Findings of which the same is asked, the words that they have in common once."""
    first, *others = findings
    if not first.subject or not others:
        return "; ".join(each.ours for each in findings)
    return "; ".join([first.ours, *(f"{each.subject}: {each.result}" for each in others)])


@dataclass(frozen=True)
class Not:
    """A rule does not hold."""

    denied: Rule

    @property
    def asks(self) -> tuple[str, str]:
        """What must be so, in words, and of whom."""
        words, subject = self.denied.asks
        return f"it is not so that {words}", subject

    def judge(self, evidence: Any) -> Finding:
        """What was found."""
        finding = self.denied.judge(evidence)
        return finding._replace(answer=None if finding.answer is None else not finding.answer)


@dataclass(frozen=True)
class MoreOften:
    """Something is so more often among some than among the others, beyond chance: Fisher's exact test, one-sided."""

    words: str
    """what is so more often, and among whom"""
    counts: Callable[[Any], tuple[int, int, int, int]]
    """of the evidence: how many of those named are so, how many are named, and both of the others"""

    @property
    def asks(self) -> tuple[str, str]:
        """What must be so, in words."""
        return f"{self.words}, more often than chance explains (Fisher's exact test, p < {RARE:g})", ""

    def judge(self, evidence: Any) -> Finding:
        """What was found."""
        from scipy.stats import fisher_exact

        so, named, other, others = self.counts(evidence)
        table = [[so, named - so], [other, others - other]]
        more, less = (float(fisher_exact(table, alternative=side).pvalue) for side in ("greater", "less"))
        words = f"{so} of {named}, and {other} of the other {others} (p = {min(more, less):.2g})"
        return Finding(words, True if more < RARE else False if less < RARE else None)


@dataclass(frozen=True)
class Judged:
    """A rule that fits none of the others: a documented function."""

    words: str
    """when the claim agrees"""
    function: Callable[[Any], Finding]

    @property
    def asks(self) -> tuple[str, str]:
        """What must be so, in words."""
        return self.words, ""

    def judge(self, evidence: Any) -> Finding:
        """What was found."""
        return self.function(evidence)


def above(interval: Interval, bound: float) -> Answer:
    """Whether the figure is more than `bound`."""
    return True if interval.low > bound else False if interval.high <= bound else None


def below(interval: Interval, bound: float) -> Answer:
    """Whether the figure is less than `bound`."""
    return True if interval.high < bound else False if interval.low >= bound else None


def within(interval: Interval, low: float, high: float) -> Answer:
    """Whether the figure lies in low..high."""
    if low <= interval.low and interval.high <= high:
        return True
    return False if interval.high < low or interval.low > high else None


def every(answers: Iterable[Answer]) -> Answer:
    """Whether all are so: no if one is not; else it cannot be told if one cannot."""
    known = list(answers)
    return False if False in known else None if None in known else True
