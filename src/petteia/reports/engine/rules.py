"""Rules by which claims are judged: each says when a claim agrees, what was found, and the verdict.

What the whole interval of a figure says is so; what none of it says is not so; what only a part of it says cannot be
told. The words of a rule and its verdict come from the same figure and the same bound. With fewer than five trainings
nothing is judged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from petteia.arena.statistics import Interval
from petteia.experiments.verdicts import AGREES, DIFFERS, RARE
from petteia.reports.engine.estimates import (
    FEWEST,
    SHARE,
    UNKNOWN,
    further_training,
    is_too_wide,
    oddness,
)
from petteia.reports.engine.figures import Figure

Answer = bool | None
"""Yes, no, or None: it cannot be told."""

UNTOLD = "cannot be told"
NOT_JUDGED = "not judged at this scale"
TOO_WIDELY = "trainings scatter too widely to say"
MAX_LISTED = 4
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
        if not self.is_judged:
            return NOT_JUDGED
        return UNTOLD if self.answer is None else AGREES if self.answer else DIFFERS


@dataclass(frozen=True)
class Rule:
    """How a claim is judged."""

    asks: str
    """what must be so"""
    judge: Callable[[Any], Finding]
    """from the evidence: what was found"""
    subject: str = ""
    """of whom it is asked, where the same is asked of several"""

    @property
    def words(self) -> str:
        """When a claim agrees."""
        return f"{self.asks} ({self.subject})" if self.subject else self.asks


# Rules of a figure.


def above(figure: Figure, bound: float) -> Rule:
    """The figure is more than a bound."""
    return _of_interval(figure, f"above {figure.unit.text(bound)}", lambda found: is_above(found, bound))


def below(figure: Figure, bound: float) -> Rule:
    """The figure is less than a bound."""
    return _of_interval(figure, f"below {figure.unit.text(bound)}", lambda found: is_below(found, bound))


def within(figure: Figure, low: float, high: float) -> Rule:
    """The figure lies in a range."""
    words = f"within {figure.unit.text(low)} to {figure.unit.text(high)}"
    return _of_interval(figure, words, lambda found: is_within(found, low, high))


def as_printed(figure: Figure, printed: float, give: float = 0.0, of_games: int = UNKNOWN) -> Rule:
    """The original has one training: its figure is not odd for a further one of ours.

    `give`: by how much the printed figure is rounded, to both sides; `of_games`: that the original's training played.
    """
    unit = figure.unit

    def further(evidence: Any) -> Interval:
        return further_training(figure.values(evidence), unit, figure.games(evidence), of_games)

    def answer(evidence: Any) -> Answer:
        values, games = figure.values(evidence), figure.games(evidence)
        if oddness(values, unit, printed, give=give, games=games, of_games=of_games) < RARE:
            return False
        return None if unit == SHARE and is_too_wide(further(evidence)) else True

    def text(evidence: Any) -> str:
        words = f"{figure.range_text(evidence)} over {len(figure.values(evidence))} seeds"
        interval = further(evidence)
        if not interval.is_known:
            return words
        low, high = (unit.text(bound) for bound in interval[1:])
        because = f"; {TOO_WIDELY}" if unit == SHARE and is_too_wide(interval) else ""
        return f"{words}; a further training lies in {low} to {high}{because}"

    rounded = f" give or take {unit.text(give)}" if give else ""
    words = f"such that a further training could have {unit.text(printed)}{rounded}"
    return _of_figure(figure, words, answer, text)


def _of_interval(figure: Figure, predicate: str, answer: Callable[[Interval], Answer]) -> Rule:
    return _of_figure(figure, predicate, lambda evidence: answer(figure.interval(evidence)), figure.text)


def _of_figure(figure: Figure, predicate: str, answer: Callable[[Any], Answer], text: Callable[[Any], str]) -> Rule:
    """Something must be so of a figure, which is told by `text`."""

    def judge(evidence: Any) -> Finding:
        trainings, result = figure.trainings(evidence), text(evidence)
        is_judged = trainings is None or trainings >= FEWEST
        found = answer(evidence) if is_judged else None
        return Finding(f"{figure.name}: {result}", found, is_judged, figure.subject, result)

    return Rule(f"{figure.words} is {predicate}", judge, figure.subject)


# Rules of trainings and of counts.


def maximum(words: str, holds: Callable[[Any], Sequence[bool]], subject: str = "") -> Rule:
    """Something is so in more than half of the trainings: the sign test, one-sided.

    Args:
        words: what is so, as a sentence of a training
        holds: from the evidence: of each training, whether it is so
        subject: whose trainings they are, where the same is asked of several

    """

    def judge(evidence: Any) -> Finding:
        from scipy.stats import binomtest

        found = [*map(bool, holds(evidence))]
        so, number = sum(found), len(found)
        result, is_judged = f"in {so} of {number}", number >= FEWEST
        ours = f"{result} trainings {words}" + (f" ({subject})" if subject else "")
        answer = _of_test(lambda side: binomtest(so, number, alternative=side)) if is_judged else None
        return Finding(ours, answer, is_judged, subject, result)

    return Rule(f"in more than half of the trainings {words}", judge, subject)


def most_above(figure: Figure, bound: float) -> Rule:
    """Of most trainings the figure is more than a bound."""
    words = f"{figure.words} is above {figure.unit.text(bound)}"
    return maximum(words, lambda evidence: [value > bound for value in figure.values(evidence)], figure.subject)


def most_below(figure: Figure, bound: float) -> Rule:
    """Of most trainings the figure is less than a bound."""
    words = f"{figure.words} is below {figure.unit.text(bound)}"
    return maximum(words, lambda evidence: [value < bound for value in figure.values(evidence)], figure.subject)


def more_often(words: str, counts: Callable[[Any], tuple[int, int, int, int]]) -> Rule:
    """Something is so more often among some than among the others, beyond chance: Fisher's exact test, one-sided.

    Args:
        words: what is so more often, and among whom
        counts: from the evidence: how many of those named are so, how many are named, and both of the others

    """

    def judge(evidence: Any) -> Finding:
        from scipy.stats import fisher_exact

        so, named, other, others = counts(evidence)
        table = [[so, named - so], [other, others - other]]
        p = min(float(fisher_exact(table, alternative=side).pvalue) for side in ("greater", "less"))
        words = f"{so} of {named}, and {other} of the other {others} (p = {p:.2g})"
        return Finding(words, _of_test(lambda side: fisher_exact(table, alternative=side)))

    return Rule(f"{words}, more often than chance explains (Fisher's exact test, p < {RARE:g})", judge)


def _of_test(test: Callable[[str], Any]) -> Answer:
    """What a one-sided test tells, that is asked in both directions."""
    return True if test("greater").pvalue < RARE else False if test("less").pvalue < RARE else None


# Rules of rules.


def all_of(rules: Iterable[Rule]) -> Rule:
    """All of several rules hold; what must be so of several is told once."""
    parts = tuple(rules)
    subjects = _grouped((each.asks, each.subject) for each in parts)
    words = (f"{asks} ({'; '.join(of)})" if all(of) else asks for asks, of in subjects.items())

    def judge(evidence: Any) -> Finding:
        """What was found; where there is much, what speaks against it first."""
        findings = [(each.asks, each.judge(evidence)) for each in parts]
        if len(findings) > MAX_LISTED:
            findings.sort(key=lambda each: (each[1].answer is True, each[1].answer is None))
        text = "; ".join(map(_together, _grouped(findings[:MAX_LISTED]).values()))
        more = f"; and {len(findings) - MAX_LISTED} more" if len(findings) > MAX_LISTED else ""
        is_judged = all(finding.is_judged for _, finding in findings)
        return Finding(text + more, every(finding.answer for _, finding in findings) if is_judged else None, is_judged)

    return Rule("; and ".join(words), judge)


def denied(rule: Rule) -> Rule:
    """A rule does not hold."""

    def judge(evidence: Any) -> Finding:
        finding = rule.judge(evidence)
        return finding._replace(answer=None if finding.answer is None else not finding.answer)

    return Rule(f"it is not so that {rule.asks}", judge, rule.subject)


def _grouped(pairs: Iterable[tuple[str, Any]]) -> dict[str, list[Any]]:
    groups: dict[str, list[Any]] = {}
    for name, value in pairs:
        groups.setdefault(name, []).append(value)
    return groups


def _together(findings: Sequence[Finding]) -> str:
    """Findings of which the same is asked, the words that they have in common once."""
    first, *others = findings
    if not first.subject or not others:
        return "; ".join(each.ours for each in findings)
    return "; ".join([first.ours, *(f"{each.subject}: {each.result}" for each in others)])


# Answers.


def is_above(interval: Interval, bound: float) -> Answer:
    """Whether the figure is more than `bound`."""
    return True if interval.low > bound else False if interval.high <= bound else None


def is_below(interval: Interval, bound: float) -> Answer:
    """Whether the figure is less than `bound`."""
    return True if interval.high < bound else False if interval.low >= bound else None


def is_within(interval: Interval, low: float, high: float) -> Answer:
    """Whether the figure lies in low..high."""
    if low <= interval.low and interval.high <= high:
        return True
    return False if interval.high < low or interval.low > high else None


def every(answers: Iterable[Answer]) -> Answer:
    """Whether all are so: no if one is not; else it cannot be told if one cannot."""
    known = list(answers)
    return False if False in known else None if None in known else True
