"""Rules by which claims are judged: each says in words when a claim agrees, what was found, and the verdict.

A rule is one of eight classes, each with `rule()` and `judge(evidence)`, so its words and its verdict come from the
same figure and the same bound. What the whole interval of a figure says is so; what none of it says is not so; what
only a part of it says cannot be told.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from petteia.arena.statistics import Interval
from petteia.reports.engine.figures import Figure

Answer = bool | None
"""Yes, no, or None: it cannot be told."""

AGREES, DIFFERS, UNTOLD = "agrees", "differs", "cannot be told"
NOT_JUDGED = "not judged at this scale"
MOST_LISTED = 4
"""findings of a rule of many parts that are told"""
RARE = 0.05
"""so improbable by chance that it is no chance"""


class Finding(NamedTuple):
    """What was found about a claim."""

    ours: str
    """our figures, in words"""
    answer: Answer
    """whether the claim holds"""
    is_judged: bool = True
    """whether this scale allows to ask"""

    @property
    def verdict(self) -> str:
        """One of AGREES, DIFFERS, UNTOLD and NOT_JUDGED."""
        return verdict_of(self.answer) if self.is_judged else NOT_JUDGED


def verdict_of(answer: Answer) -> str:
    """An answer as a verdict."""
    return UNTOLD if answer is None else AGREES if answer else DIFFERS


class Rule(Protocol):
    """How a claim is judged."""

    def rule(self) -> str:
        """When the claim agrees, in words."""

    def judge(self, evidence: Any) -> Finding:
        """What was found."""


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

    def rule(self) -> str:
        """When the claim agrees, in words."""
        return f"{self.figure.name} is {self.predicate()}"

    def judge(self, evidence: Any) -> Finding:
        """What was found."""
        return Finding(f"{self.figure.name}: {self.figure.text(evidence)}", self.answer(evidence))


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
    """The original has one training: its figure, as it is rounded, lies where a further one of ours would."""

    printed: float
    give: float = 0.0
    """by how much the printed figure is rounded, to both sides"""

    def predicate(self) -> str:
        """What must be so of the figure."""
        give = f" give or take {self.figure.unit.text(self.give)}" if self.give else ""
        return f"such that a further training could have {self.figure.unit.text(self.printed)}{give}"

    def answer(self, evidence: Any) -> Answer:
        """Whether it is so."""
        return could_be(self.figure, evidence, self.printed, self.give)

    def judge(self, evidence: Any) -> Finding:
        """What was found."""
        interval = self.figure.further(evidence)
        words = f"{self.figure.name}: {self.figure.range_text(evidence)} over {len(self.figure.values(evidence))} seeds"
        if interval.is_known:
            low, high = (self.figure.unit.text(bound) for bound in interval[1:])
            words += f"; a further training lies in {low} to {high}"
        return Finding(words, self.answer(evidence))


@dataclass(frozen=True)
class Every:
    """All of several rules hold."""

    rules: tuple[Rule, ...]

    def rule(self) -> str:
        """When the claim agrees, in words; what must be so of several is told once."""
        groups: dict[str, list[str]] = {}
        for each in self.rules:
            figure, predicate = asked_of(each)
            groups.setdefault(each.rule() if figure is None else f"{figure.words} is {predicate}", []).append(
                "" if figure is None else figure.subject
            )
        return "; and ".join(f"{words} ({'; '.join(of)})" if all(of) else words for words, of in groups.items())

    def judge(self, evidence: Any) -> Finding:
        """What was found; where there is much, what speaks against it first."""
        findings = [(each, each.judge(evidence)) for each in self.rules]
        if len(findings) > MOST_LISTED:
            findings.sort(key=lambda each: (each[1].answer is True, each[1].answer is None))
        groups: dict[str, list[str]] = {}
        for each, finding in findings[:MOST_LISTED]:
            figure, _ = asked_of(each)
            words = figure.words if figure is not None and figure.subject else finding.ours
            result = finding.ours.removeprefix(f"{words} (").replace("): ", ": ", 1) if words != finding.ours else ""
            groups.setdefault(words, []).append(result)
        text = "; ".join(f"{words}: {'; '.join(each)}" if all(each) else words for words, each in groups.items())
        more = f"; and {len(findings) - MOST_LISTED} more" if len(findings) > MOST_LISTED else ""
        return Finding(text + more, every(finding.answer for _, finding in findings))


@dataclass(frozen=True)
class Not:
    """A rule does not hold."""

    denied: Rule

    def rule(self) -> str:
        """When the claim agrees, in words."""
        figure, predicate = asked_of(self)
        return f"it is not so that {self.denied.rule()}" if figure is None else f"{figure.name} is {predicate}"

    def judge(self, evidence: Any) -> Finding:
        """What was found."""
        finding = self.denied.judge(evidence)
        return Finding(finding.ours, None if finding.answer is None else not finding.answer)


@dataclass(frozen=True)
class MoreOften:
    """Something is so more often among some than among the others, beyond chance: Fisher's exact test, one-sided."""

    words: str
    """what is so more often, and among whom"""
    counts: Callable[[Any], tuple[int, int, int, int]]
    """of the evidence: how many of those named are so, how many are named, and both of the others"""

    def rule(self) -> str:
        """When the claim agrees, in words."""
        return f"{self.words}, more often than chance explains (Fisher's exact test, p < {RARE:g})"

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

    def rule(self) -> str:
        """When the claim agrees, in words."""
        return self.words

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


def could_be(figure: Figure, evidence: Any, printed: float, give: float = 0.0) -> Answer:
    """Whether a further training could have a printed figure; None where it could have any."""
    interval = figure.further(evidence)
    if figure.unit.covers(interval):
        return None
    return interval.low <= printed + give and printed - give <= interval.high


def every(answers: Iterable[Answer]) -> Answer:
    """Whether all are so: no if one is not; else it cannot be told if one cannot."""
    known = list(answers)
    return False if False in known else None if None in known else True


def asked_of(rule: Rule) -> tuple[Figure | None, str]:
    """The figure of which a rule asks something, and what; none where it asks of several."""
    if isinstance(rule, OfFigure):
        return rule.figure, rule.predicate()
    if isinstance(rule, Not) and asked_of(rule.denied)[0] is not None:
        figure, predicate = asked_of(rule.denied)
        return figure, f"not {predicate}"
    return None, ""
