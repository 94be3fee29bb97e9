"""Rules that test claims. Each rule gives a condition in words, the measured values, and a verdict.

A condition on a figure is true if the whole confidence interval satisfies it, and false if no part of the interval
does. Otherwise it is undecided. With training runs, but fewer than five, there is no verdict. The text of a rule and
its verdict use the same figure and the same bound.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from petteia.arena.statistics import Interval
from petteia.experiments.verdicts import AGREES, DIFFERS, RARE
from petteia.reports.engine.estimates import FEWEST, TOO_WIDE, Asked, Unit
from petteia.reports.engine.figures import Figure

Answer = bool | None
"""The answer of a rule: True, False, or None if the figures do not decide."""

UNTOLD = "undecided"
NOT_JUDGED = "not judged at this scale"
TOO_WIDELY = "undecided, as training runs scatter too widely"
MAX_LISTED = 4
"""The maximum number of findings, or of cases of a condition, that are listed for a rule of many parts."""


class Finding(NamedTuple):
    """The result of a rule: a measured value, and whether the condition of the rule is true."""

    value: str
    """The measured value. Without a `measure`, it is a sentence without its full stop."""
    answer: Answer
    """Whether the condition is true, or None if the measured value does not decide."""
    is_judged: bool = True
    """Whether the scale and the number of training runs allow a verdict."""
    why: str = ""
    """A sentence that explains why the answer is open. It is only shown if the finding is judged."""
    parts: tuple[Finding, ...] = ()
    """The findings of which this finding consists, if there are several."""
    measure: str = ""
    """The name of the measured value."""
    case: str = ""
    """The player or training to which the measured value belongs."""

    @property
    def verdict(self) -> str:
        """The verdict: AGREES, DIFFERS, UNTOLD (undecided) or NOT_JUDGED."""
        if not self.is_judged:
            return NOT_JUDGED
        return UNTOLD if self.answer is None else AGREES if self.answer else DIFFERS

    @property
    def single(self) -> list[Finding]:
        """The elementary findings of which this finding consists, each with one measured value."""
        return [each for part in self.parts for each in part.single] if self.parts else [self]

    @property
    def values(self) -> dict[str, list[str]]:
        """The measured values as text, grouped by the name of their measure. Sentences have an empty name."""
        by_measure: dict[str, dict[tuple[str, str], None]] = {}
        for each in self.single:
            value = f"{each.value}. {each.why}" if each.why and self.is_judged else each.value
            name = capitalised(each.measure.removeprefix("the "))
            by_measure.setdefault(name, {})[each.case, value] = None  # several conditions may concern one value
        found = {}
        for name, cases in by_measure.items():
            case, value = next(iter(cases))
            if len(cases) == 1 and case:
                found[f"{name} ({case})"] = [value]
            else:
                found[name] = [f"{case}: {value}" if case else value for case, value in cases]
        return found

    @property
    def text(self) -> str:
        """All measured values as one text, without a full stop at its end."""
        return ". ".join(
            f"{measure}{': ' if measure else ''}{'; '.join(values) if measure else '. '.join(map(capitalised, values))}"
            for measure, values in self.values.items()
        )


class Wording(NamedTuple):
    """The text of a condition on measured values, such as `value is above 50.0%`, in the singular and in the plural."""

    one: str
    """The condition on one value, without an article, such as `value is above 50.0%`."""
    several: str
    """The same condition on several values, such as `values are above 50.0%`."""


@dataclass(frozen=True)
class Rule:
    """A condition, and the function that tests it."""

    asks: str
    """The condition in words."""
    judge: Callable[[Any], Finding]
    """The function that takes the evidence of a report and computes the finding."""
    subject: str = ""
    """The player or training run that the condition describes, if the same condition applies to several."""
    denial: str = ""
    """The negation of the condition in words."""
    measure: str = ""
    """The name of the measured value, if the condition concerns only one."""
    wordings: tuple[Wording, ...] = ()
    """The condition on the measured value and its negation."""
    parts: tuple[Rule, ...] = ()
    """The rules of which this rule consists, if there are several."""

    @property
    def words(self) -> str:
        """All conditions as text, each with the players or training runs that it describes."""
        parts = self.parts or (self,)
        subjects = {each.asks: [other.subject for other in parts if other.asks == each.asks] for each in parts}
        return "; and ".join(_in_cases(asks, *of) for asks, of in subjects.items())

    @property
    def conditions(self) -> tuple[str, ...]:
        """The conditions as short texts, for readers who see the measured values beside them."""
        parts = self.parts or (self,)
        wording, *others = {each.wordings[:1] for each in parts}
        if others:
            labels: dict[str, list[str]] = {}
            for each in parts:
                labels.setdefault(each.wordings[0].one if each.wordings else each.asks, []).append(self._label(each))
            return tuple(_listed(words, of) for words, of in labels.items())
        if not wording:
            return tuple(each.asks for each in parts)
        if (number := len(parts)) == 1:
            return (f"this {wording[0].one}",)
        return (f"{'both' if number == 2 else f'all {number}'} {wording[0].several}",)

    def _label(self, part: Rule) -> str:
        """Return the label of a part in a list of conditions: its subject, if all parts have the same `measure`.

        Otherwise, or without a subject, the label is the measure, or empty if the part has no `wordings`. The subject
        is added to the measure if parts with the same measure have different conditions.
        """
        alike = [each for each in self.parts if each.measure == part.measure]
        if part.subject and len(alike) == len(self.parts):
            return part.subject
        case = f" ({part.subject})" if part.subject and len({each.wordings for each in alike}) > 1 else ""
        return f"{part.measure.removeprefix('the ')}{case}" if part.wordings else ""


# Rules about a figure.


def above(figure: Figure, bound: float) -> Rule:
    """Return a rule that tests whether the measured value `figure` is above a bound."""
    return _of_interval(figure, _above(figure.unit, bound), is_above, bound)


def below(figure: Figure, bound: float) -> Rule:
    """Return a rule that tests whether the measured value `figure` is below a bound."""
    return _of_interval(figure, _below(figure.unit, bound), is_below, bound)


def within(figure: Figure, low: float, high: float) -> Rule:
    """Return a rule that tests whether the measured value `figure` lies in the range from `low` to `high`."""
    low_text, high_text = _bound(figure.unit, low), _bound(figure.unit, high)
    words = f"exactly {low_text}" if low == high else f"between {low_text} and {high_text}"
    return _of_interval(figure, words, is_within, low, high)


def as_printed(figure: Figure, printed: float, give: float = 0.0) -> Rule:
    """Return a rule that tests whether one of petteia's training runs could have the value that the original prints.

    `printed` is the value that the original prints, and `give` is the maximum rounding error of this value.
    """
    unit = figure.unit.bare

    def judge(evidence: Any) -> Finding:
        asked = Asked(printed, figure.unit, figure.values(evidence), figure.games(evidence))
        number, is_odd, is_wide = len(asked.values), asked.oddness(give=give) < RARE, asked.is_too_wide()
        ours = f"{figure.range_text(evidence, unit)} in {number} training run{'' if number == 1 else 's'}"
        if (further := asked.further()).is_known:
            low, high = (unit.text(bound) for bound in further[1:])
            ours += f"; {low} to {high} for a further training run (95 % prediction interval)"
        why = f"There is no verdict, because this interval is wider than {TOO_WIDE:.0%} of the games"
        answer = False if is_odd else None if is_wide else True
        return _finding(figure, evidence, ours, answer, why if is_wide and not is_odd else "")

    low, high = _bound(unit, printed - give), _bound(unit, printed + give)
    value, verb = (f"the range from {low} to {high}", "overlap") if give else (low, "contain")
    words, denial = (
        f"the 95 % prediction interval of a further training run {has} {value}, for {figure.words}"
        for has in (f"{verb}s", f"does not {verb}")
    )
    so = Wording(f"prediction interval {verb}s {value}", f"prediction intervals {verb} {value}")
    not_so = Wording(f"prediction interval does not {verb} {value}", f"prediction intervals do not {verb} {value}")
    return Rule(words, judge, figure.subject, denial, _measure(figure), (so, not_so))


def _of_interval(figure: Figure, state: str, answer: Callable[..., Answer], *bounds: float) -> Rule:
    """Return a rule that tests the interval of a `Figure`. `state` is the condition as text, such as `above 50.0%`."""

    def judge(evidence: Any) -> Finding:
        value = figure.text(evidence, figure.unit.bare, bounds, "95 % interval: ")
        return _finding(figure, evidence, value, answer(figure.interval(evidence), *bounds))

    words, denial = (f"{figure.words} is {each}" for each in (state, f"not {state}"))
    return Rule(words, judge, figure.subject, denial, _measure(figure), _wordings("value", state, f"not {state}"))


def _finding(figure: Figure, evidence: Any, value: str, answer: Answer, why: str = "") -> Finding:
    """Return a `Finding` about a `Figure`. Its answer is None if there are too few training runs."""
    trainings = figure.trainings(evidence)
    is_judged = trainings is None or trainings >= FEWEST
    return Finding(value, answer if is_judged else None, is_judged, why, measure=_measure(figure), case=figure.subject)


def _measure(figure: Figure) -> str:
    return figure.words.rstrip(",")


def _wordings(noun: str, *states: str) -> tuple[Wording, ...]:
    return tuple(Wording(f"{noun} is {each}", f"{noun}s are {each}") for each in states)


def _above(unit: Unit, bound: float) -> str:
    return f"above {_bound(unit, bound)}" if bound else "positive"


def _below(unit: Unit, bound: float) -> str:
    return f"below {_bound(unit, bound)}" if bound else "negative"


def _bound(unit: Unit, bound: float) -> str:
    """Return a bound as text with its unit, without a plus sign."""
    return unit.bare.text(bound).removeprefix("+")


def _listed(condition: str, labels: Sequence[str]) -> str:
    """Return a condition as an item of a list, after the labels of the values to which the condition applies."""
    different = [*dict.fromkeys(filter(None, labels))]
    if not different:
        return condition
    named = "; ".join(different) if len(different) <= MAX_LISTED else "all other cases"
    return f"{named}: {'the' if len(labels) == 1 else 'each'} {condition}"


def _in_cases(asks: str, *subjects: str) -> str:
    """Return a condition in words, followed by the cases (players or training runs) to which it applies, if any."""
    cases = [*filter(None, subjects)]
    if not cases:
        return asks
    return f"{asks}, in {'each of these cases' if len(cases) > 1 else 'this case'}: {'; '.join(cases)}"


def capitalised(words: str) -> str:
    """Return a text with its first letter in upper case."""
    return words[:1].upper() + words[1:]


# Rules about training runs and counts.


def in_most(words: str, holds: Callable[[Any], Sequence[bool]], subject: str = "") -> Rule:
    """Return a rule that tests with a one-sided sign test whether a statement is true in most training runs.

    Args:
        words: the statement about a training run
        holds: a function of the evidence that returns for each training run whether the statement is true
        subject: the setting of the training runs, if the same statement applies to several settings

    """
    measure = f"training runs in which {words}"

    def judge(evidence: Any) -> Finding:
        from scipy.stats import binomtest

        found = [*map(bool, holds(evidence))]
        so, number = sum(found), len(found)
        is_judged = number >= FEWEST
        answer = _of_test(lambda side: binomtest(so, number, alternative=side)) if is_judged else None
        return Finding(f"{so} of {number}", answer, is_judged, measure=measure, case=subject)

    half, less = (
        f"significantly {than} than half of the training runs (sign test, p < {RARE:g})" for than in ("more", "fewer")
    )
    wordings = _wordings("number", half, less)
    return Rule(f"{words} in {half}", judge, subject, f"{words} in {less}", measure, wordings)


def most_above(figure: Figure, bound: float) -> Rule:
    """Return a rule that tests whether the value of `figure` is above a bound in most training runs."""
    words = f"{figure.words} is {_above(figure.unit, bound)}"
    return in_most(words, lambda evidence: [value > bound for value in figure.values(evidence)], figure.subject)


def most_below(figure: Figure, bound: float) -> Rule:
    """Return a rule that tests whether the value of `figure` is below a bound in most training runs."""
    words = f"{figure.words} is {_below(figure.unit, bound)}"
    return in_most(words, lambda evidence: [value < bound for value in figure.values(evidence)], figure.subject)


def more_often(
    words: str, measure: str, groups: tuple[str, str], counts: Callable[[Any], tuple[int, int, int, int]]
) -> Rule:
    """Return a rule that tests by Fisher's exact test whether a property is more frequent in the first of two groups.

    Args:
        words: the statement that the rule tests
        measure: the name of the share of members with the property, such as `the share of games that are lost`
        groups: the names of both groups
        counts: a function that takes the evidence of a report, and returns four numbers: the members of the first group
            with the property, all members of the first group, and the same two numbers for the second group

    """

    def judge(evidence: Any) -> Finding:
        from scipy.stats import fisher_exact

        so, named, other, others = counts(evidence)
        table = [[so, named - so], [other, others - other]]
        p = min(float(fisher_exact(table, alternative=side).pvalue) for side in ("greater", "less"))
        shares = zip(groups, (f"{so} of {named}", f"{other} of {others}"), strict=True)
        parts = [Finding(share, None, measure=measure, case=group) for group, share in shares]
        parts.append(Finding(f"{p:.2g}", None, measure="the p-value of Fisher's exact test"))
        return together(parts, _of_test(lambda side: fisher_exact(table, alternative=side)))

    return Rule(f"{words} (Fisher's exact test, one-sided, p < {RARE:g})", judge)


def _of_test(test: Callable[[str], Any]) -> Answer:
    """Return True if a test is significant for `greater`, False if it is significant for `less`, and otherwise None."""
    return True if test("greater").pvalue < RARE else False if test("less").pvalue < RARE else None


# Combined rules.


def all_of(rules: Iterable[Rule]) -> Rule:
    """Return a rule that tests whether the conditions of several rules are all true.

    If several players or training runs have the same condition, its text appears only once. If there are more
    than `MAX_LISTED` findings, only that many are listed: false ones first, undecided ones next.
    """
    parts = tuple(rules)
    if len(parts) == 1:
        return parts[0]

    def judge(evidence: Any) -> Finding:
        findings = [each.judge(evidence) for each in parts]
        is_judged = all(each.is_judged for each in findings)
        answer = every(each.answer for each in findings) if is_judged else None
        if (left := len(findings) - MAX_LISTED) > 0:
            findings.sort(key=lambda each: (each.answer is True, each.answer is None))
            words = f"{left} further {'result is' if left == 1 else 'results are'} not listed"
            findings[MAX_LISTED:] = [Finding(words, None)]
        return together(findings, answer, is_judged)

    rule = Rule("", judge, parts=parts)
    return replace(rule, asks=rule.words)


def together(parts: Sequence[Finding], answer: Answer, is_judged: bool = True) -> Finding:
    """Combine several findings into one finding with a common answer."""
    return Finding("", answer, is_judged, parts=tuple(parts))


def denied(rule: Rule) -> Rule:
    """Return the negation of a rule: it is true if the rule is false."""

    def judge(evidence: Any) -> Finding:
        finding = rule.judge(evidence)
        return finding._replace(answer=None if finding.answer is None else not finding.answer)

    asks = rule.denial or f"it is not true that {rule.asks}"
    return Rule(asks, judge, rule.subject, rule.asks, rule.measure, rule.wordings[::-1])


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
    """Return False if one of the answers is False, otherwise None if one is None, and otherwise True."""
    known = list(answers)
    return False if False in known else None if None in known else True
