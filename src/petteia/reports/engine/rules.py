"""Rules that judge claims. Each rule gives a condition in words, the measured values, and a verdict.

A condition is true if the whole interval of a figure satisfies it, and false if no part of the interval does. Otherwise
it is undecided. The words of a rule and its verdict come from the same figure and the same bound. With fewer than five
training runs nothing is judged.
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
    TIMES,
    UNKNOWN,
    Unit,
    further_training,
    is_too_wide,
    oddness,
)
from petteia.reports.engine.figures import Figure

Answer = bool | None
"""The answer of a rule: True, False, or None if the figures do not decide."""

IN_MOST = "in more than half of the training runs"
"""The first words of a condition that most training runs must satisfy."""
UNTOLD = "undecided"
NOT_JUDGED = "not judged at this scale"
TOO_WIDELY = "undecided, as training runs scatter too widely"
PREPOSITIONS = ("after", "against", "as", "at", "by", "with")
MAX_LISTED = 4
"""The maximum number of findings that are listed for a rule of many parts."""


class Finding(NamedTuple):
    """The result of applying a rule: the measured values, and whether its condition is true."""

    ours: str
    """Our figures in words."""
    answer: Answer
    """Whether the condition is true, or None if the figures do not decide."""
    is_judged: bool = True
    """Whether the scale and the number of training runs allow a verdict."""
    subject: str = ""
    """The player or training that the figures describe, if the same condition applies to several."""
    result: str = ""
    """Our figures without the name of the figure, which several findings share."""

    @property
    def verdict(self) -> str:
        """One of AGREES, DIFFERS, UNTOLD and NOT_JUDGED."""
        if not self.is_judged:
            return NOT_JUDGED
        return UNTOLD if self.answer is None else AGREES if self.answer else DIFFERS


@dataclass(frozen=True)
class Rule:
    """A condition, and the function that tests it."""

    asks: str
    """The condition in words."""
    judge: Callable[[Any], Finding]
    """The function that computes the finding from the evidence."""
    subject: str = ""
    """The player or training that the condition describes, if the same condition applies to several."""

    @property
    def words(self) -> str:
        """The condition in words, followed by its subject in brackets."""
        return f"{self.asks} ({self.subject})" if self.subject else self.asks


# Rules about a figure.


def above(figure: Figure, bound: float) -> Rule:
    """Return a rule that tests whether `figure` is above a bound."""
    return _of_interval(figure, _is_above(figure.unit, bound), lambda found: is_above(found, bound))


def below(figure: Figure, bound: float) -> Rule:
    """Return a rule that tests whether `figure` is below a bound."""
    return _of_interval(figure, _is_below(figure.unit, bound), lambda found: is_below(found, bound))


def within(figure: Figure, low: float, high: float) -> Rule:
    """Return a rule that tests whether `figure` lies in the range from `low` to `high`."""
    low_text, high_text = _bound(figure.unit, low), _bound(figure.unit, high)
    words = f"is exactly {low_text}" if low == high else f"is between {low_text} and {high_text}"
    return _of_interval(figure, words, lambda found: is_within(found, low, high))


def as_printed(figure: Figure, printed: float, give: float = 0.0, of_games: int = UNKNOWN) -> Rule:
    """Return a rule that tests whether a training run by petteia could have the value that the original prints.

    `printed` is the figure of the original, and `give` the maximum error of its rounding. `of_games` is the number of
    games in which the original measured it.
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
        return f"{words} (95 % of further training runs would lie between {low} and {high}){because}"

    low, high = _bound(unit, printed - give), _bound(unit, printed + give)
    values = f"between {low} and {high}" if give else low
    words = f"could be {values} in one further training run"
    return _of_figure(figure, words, answer, text)


def _of_interval(figure: Figure, predicate: str, answer: Callable[[Interval], Answer]) -> Rule:
    return _of_figure(figure, predicate, lambda evidence: answer(figure.interval(evidence)), figure.text)


def _of_figure(figure: Figure, predicate: str, answer: Callable[[Any], Answer], text: Callable[[Any], str]) -> Rule:
    """Return a rule that tests a property of `figure`. `text` describes the measured values in words."""

    def judge(evidence: Any) -> Finding:
        trainings, result = figure.trainings(evidence), text(evidence)
        if figure.unit == TIMES:  # a ratio stands for itself
            result = result.replace(TIMES.name, "", 1)
        is_judged = trainings is None or trainings >= FEWEST
        found = answer(evidence) if is_judged else None
        subject = f", {_about(figure.subject)}" if figure.subject else ""
        return Finding(f"{figure.words.rstrip(',')}{subject}: {result}", found, is_judged, figure.subject, result)

    return Rule(f"{figure.words} {predicate}", judge, figure.subject)


def _is_above(unit: Unit, bound: float) -> str:
    return f"is above {_bound(unit, bound)}" if bound else "is positive"


def _is_below(unit: Unit, bound: float) -> str:
    return f"is below {_bound(unit, bound)}" if bound else "is negative"


def _bound(unit: Unit, bound: float) -> str:
    """Return a bound as text with its unit, without a plus sign. A bound of a ratio has no unit."""
    return unit.text(bound).removeprefix("+").removesuffix(TIMES.name)


# Rules about training runs and counts.


def in_most(words: str, holds: Callable[[Any], Sequence[bool]], subject: str = "") -> Rule:
    """Return a rule that tests whether a statement is true in most training runs, by a one-sided sign test.

    Args:
        words: the statement about a training run
        holds: a function that returns, from the evidence, whether the statement is true for each training run
        subject: the setting of the training runs, if the same statement applies to several settings

    """

    def judge(evidence: Any) -> Finding:
        from scipy.stats import binomtest

        found = [*map(bool, holds(evidence))]
        so, number = sum(found), len(found)
        result, is_judged = f"in {so} of {number}", number >= FEWEST
        ours = f"{result} training runs {words}" + (f" ({subject})" if subject else "")
        answer = _of_test(lambda side: binomtest(so, number, alternative=side)) if is_judged else None
        return Finding(ours, answer, is_judged, subject, result)

    return Rule(f"{IN_MOST} {words}", judge, subject)


def most_above(figure: Figure, bound: float) -> Rule:
    """Return a rule that tests whether `figure` is above a bound in most training runs."""
    words = f"{figure.words} {_is_above(figure.unit, bound)}"
    return in_most(words, lambda evidence: [value > bound for value in figure.values(evidence)], figure.subject)


def most_below(figure: Figure, bound: float) -> Rule:
    """Return a rule that tests whether `figure` is below a bound in most training runs."""
    words = f"{figure.words} {_is_below(figure.unit, bound)}"
    return in_most(words, lambda evidence: [value < bound for value in figure.values(evidence)], figure.subject)


def more_often(
    words: str, groups: tuple[str, str], predicate: str, counts: Callable[[Any], tuple[int, int, int, int]]
) -> Rule:
    """Return a rule that tests whether a property is more frequent in one group, by Fisher's one-sided exact test.

    Args:
        words: the statement that the rule tests
        groups: the names of the members of the first group and of the second group
        predicate: the property of the members in words, such as `are lost`
        counts: a function that returns, from the evidence, the number of members of the first group with the property,
            the size of this group, and both numbers of the second group

    """

    def judge(evidence: Any) -> Finding:
        from scipy.stats import fisher_exact

        so, named, other, others = counts(evidence)
        table = [[so, named - so], [other, others - other]]
        p = min(float(fisher_exact(table, alternative=side).pvalue) for side in ("greater", "less"))
        words = (
            f"{so} of {named} {groups[0]} {predicate}, and {other} of {others} {groups[1]} {predicate} (p = {p:.2g})"
        )
        return Finding(words, _of_test(lambda side: fisher_exact(table, alternative=side)))

    return Rule(f"{words} (Fisher's exact test, one-sided, p < {RARE:g})", judge)


def _of_test(test: Callable[[str], Any]) -> Answer:
    """Return True or False if a one-sided test is significant in this or the other direction, otherwise None."""
    return True if test("greater").pvalue < RARE else False if test("less").pvalue < RARE else None


# Combined rules.


def all_of(rules: Iterable[Rule]) -> Rule:
    """Return a rule that tests whether several rules are all true.

    A condition that applies to several subjects is written once.
    """
    parts = tuple(rules)
    subjects = _grouped((each.asks, each.subject) for each in parts)
    words = (f"{asks} ({'; '.join(of)})" if all(of) else asks for asks, of in subjects.items())

    def judge(evidence: Any) -> Finding:
        """Apply all rules. If there are many findings, those that contradict their rule are listed first."""
        findings = [(each.asks, each.judge(evidence)) for each in parts]
        if len(findings) > MAX_LISTED:
            findings.sort(key=lambda each: (each[1].answer is True, each[1].answer is None))
        texts = [*map(_together, _grouped(findings[:MAX_LISTED]).values())]
        if (left := len(findings) - MAX_LISTED) > 0:
            texts.append(f"{left} further {'result is' if left == 1 else 'results are'} not listed")
        text = ". ".join([*texts[:1], *(each[:1].upper() + each[1:] for each in texts[1:])])
        is_judged = all(finding.is_judged for _, finding in findings)
        return Finding(text, every(finding.answer for _, finding in findings) if is_judged else None, is_judged)

    return Rule("; and ".join(words), judge)


def denied(rule: Rule) -> Rule:
    """Return the negation of a rule."""

    def judge(evidence: Any) -> Finding:
        finding = rule.judge(evidence)
        return finding._replace(answer=None if finding.answer is None else not finding.answer)

    return Rule(_denial(rule.asks), judge, rule.subject)


def _denial(condition: str) -> str:
    """Return the negation of a condition in words."""
    if condition.startswith(IN_MOST):
        return f"in at most half of the training runs{condition.removeprefix(IN_MOST)}"
    if condition.count(" is ") == 1:
        return condition.replace(" is ", " is not ")
    return f"it is not true that {condition}"


def _grouped(pairs: Iterable[tuple[str, Any]]) -> dict[str, list[Any]]:
    groups: dict[str, list[Any]] = {}
    for name, value in pairs:
        groups.setdefault(name, []).append(value)
    return groups


def _together(findings: Sequence[Finding]) -> str:
    """Join the findings on one condition into a text that names the measured quantity only once."""
    first, *others = findings
    if not first.subject or not others:
        return "; ".join(each.ours for each in findings)
    return "; ".join([first.ours, *(f"{_about(each.subject)}: {each.result}" for each in others)])


def _about(subject: str) -> str:
    """Return a subject with a preposition, which is `for` unless the subject has one of its own."""
    return subject if subject.partition(" ")[0] in PREPOSITIONS else f"for {subject}"


# Answers.


def is_above(interval: Interval, bound: float) -> Answer:
    """Return whether the whole interval is above `bound`, or None if only a part of it is."""
    return True if interval.low > bound else False if interval.high <= bound else None


def is_below(interval: Interval, bound: float) -> Answer:
    """Return whether the whole interval is below `bound`, or None if only a part of it is."""
    return True if interval.high < bound else False if interval.low >= bound else None


def is_within(interval: Interval, low: float, high: float) -> Answer:
    """Return whether the whole interval lies in low..high, or None if only a part of it does."""
    if low <= interval.low and interval.high <= high:
        return True
    return False if interval.high < low or interval.low > high else None


def every(answers: Iterable[Answer]) -> Answer:
    """Return whether all answers are True: False if one is False, otherwise None if one is None."""
    known = list(answers)
    return False if False in known else None if None in known else True
