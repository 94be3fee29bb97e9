"""Figures and rules of reports: intervals cover, and every kind of rule can fail."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest
from report_figures import CLAIMS, STEADY, A, B, N, figure

from petteia.arena.statistics import Interval
from petteia.experiments.verdicts import AGREES, DIFFERS
from petteia.reports.engine.claims import claim_rows, judge_all, listed, most_above, most_below, tally
from petteia.reports.engine.estimates import (
    COUNT,
    NUMBER,
    POINTS,
    SHARE,
    certain,
    further_training,
    groups,
    interval_text,
    mean_over_trainings,
    oddness,
)
from petteia.reports.engine.figures import average, change, combination, difference, ratio
from petteia.reports.engine.rules import (
    NOT_JUDGED,
    TOO_WIDELY,
    UNTOLD,
    Above,
    Answer,
    AsPrinted,
    Below,
    Every,
    Finding,
    Judged,
    MoreOften,
    Most,
    Not,
    Rule,
    Within,
    words_of,
)


def test_a_figure_over_trainings_and_one_that_is_certain() -> None:
    evidence = {"a": [0.5, 0.6, 0.7], "b": certain(0.25)}
    assert A.values(evidence) == (0.5, 0.6, 0.7)
    assert A.interval(evidence) == mean_over_trainings([0.5, 0.6, 0.7], SHARE)
    assert [each.trainings(evidence) for each in (A, B, difference(A, A))] == [3, None, 3]
    assert B.values(evidence) == ()
    assert B.text(evidence) == "25.0% (exactly)"
    assert A.text({"a": [0.5]}) == "50.0% (one seed)"
    assert A.range_text(evidence) == "50.0% to 70.0%"
    assert N.text({"n": [2.0, 2.0]}) == "2.000 (all 2 seeds)", "that all agree is no certainty"
    assert interval_text(Interval(0.5, 0.25, 0.75), POINTS) == "+50.0 points (+25.0 to +75.0)"


def test_seeds_that_agree_leave_room() -> None:
    found = A.interval({"a": [1.0] * 5})
    assert 0.25 < found.low < 0.9
    assert found.high == 1.0
    gain = difference(A, B).interval({"a": [1.0] * 5, "b": [0.0] * 5})
    assert gain.mean == 1.0
    assert 0.0 < gain.low < 1.0
    steady = difference(A, B).interval({"a": [0.80, 0.81, 0.82], "b": [0.5, 0.52, 0.51]})
    assert steady.low > 0.25


def test_contrasts() -> None:
    evidence = {"a": [0.5, 0.7], "b": [0.25, 0.5], "n": [1.0, 4.0]}
    gain, within = difference(A, B, "the gain"), change(A, B, "the gain")
    assert (gain.words, gain.unit, gain.values(evidence)) == ("the gain", POINTS, ())
    assert (within.unit, within.values(evidence)) == (POINTS, pytest.approx((0.25, 0.2)))
    assert within.interval(evidence).low > gain.interval(evidence).low, "the same trainings tell more of their change"
    assert difference(A, B).words == "the a less the b"
    assert average("both", [A, B]).values(evidence) == pytest.approx((0.375, 0.6))
    sides = {"a": Interval(0.75, 0.5, 1.0), "b": Interval(0.25, 0.0, 0.5)}
    half = math.hypot(0.25, 0.25)
    assert gain.interval(sides) == pytest.approx((0.5, 0.5 - half, 0.5 + half))
    bend = combination(((1.0, difference(A, B)), (-2.0, B)), "the bend")
    assert [weight for weight, _ in bend.terms] == [1.0, -1.0, -2.0]
    assert bend.mean(evidence) == pytest.approx(0.6 - 3 * 0.375)
    unchanged = change(A, A).interval({"a": [1.0] * 9})
    assert unchanged.low < 0.0 < unchanged.high, "that nothing changed in nine trainings is no certainty"


def test_counts_scatter_by_ratios() -> None:
    games, others = figure("games", COUNT), figure("others", COUNT)
    evidence = {"games": [1000.0, 2000.0, 4000.0], "others": [100.0, 200.0, 400.0]}
    assert games.mean(evidence) == pytest.approx(2000.0), "the geometric mean"
    assert further_training(evidence["games"], COUNT).low > 0.0
    found = ratio(games, others).interval(evidence)
    assert found.mean == pytest.approx(10.0)
    assert 1.0 < found.low < 10.0 < found.high


def test_a_further_training_scatters_more_than_a_mean() -> None:
    shares = [0.7, 0.8, 0.9]
    one, mean = further_training(shares, SHARE), mean_over_trainings(shares, SHARE)
    assert one.mean == mean.mean == pytest.approx(0.8)
    assert one.low < mean.low < 0.8 < mean.high < one.high <= 1.0
    assert not further_training([0.7], SHARE).is_known
    assert not further_training([3.0, 3.0, 3.0], COUNT).is_known
    assert oddness([3.0, 3.0, 3.0], COUNT, 4.0) == 0.0
    assert oddness([3.0, 3.0, 3.0], COUNT, 4.0, give=1.0) == 1.0
    assert oddness([1.0, 2.0, 3.0, 4.0, 5.0], NUMBER, 3.0 + 2.776445 * math.sqrt(2.5 * 1.2)) == pytest.approx(0.05)


def test_two_groups_are_seen() -> None:
    assert groups([0.1] * 5 + [0.9] * 15) == ([0.1] * 5, [0.9] * 15)
    assert groups([0.1] * 5 + [0.9] * 14) is None, "too few to say"
    assert groups([0.1] + [0.9] * 19) is None, "one alone is no group"
    assert groups([each / 20 for each in range(20)]) is None
    two = A.range_text({"a": [0.1, 0.2] * 5 + [0.9] * 15})
    assert two == "two groups: 10 of 10.0% to 20.0% and 15 of 90.0%"


# Rules: data made to agree, to contradict, and to leave it open.


@pytest.mark.parametrize(
    ("rule", "evidence", "answer"),
    [
        (Above(A, 0.5), {"a": [1.0] * 9}, True),
        (Above(A, 0.5), {"a": [0.0] * 9}, False),
        (Above(A, 0.5), {"a": [1.0, 1.0, 0.0, 0.0, 1.0]}, None),
        (Above(A, 0.5), {"a": [1.0]}, None),
        (Below(A, 0.5), {"a": [0.0] * 9}, True),
        (Below(A, 0.5), {"a": [1.0] * 9}, False),
        (Below(A, 0.5), {"a": [0.0, 1.0] * 3}, None),
        (Within(A, 0.2, 0.9), {"a": [0.5] * 40}, True),
        (Within(A, 0.9, 1.0), {"a": [0.1] * 9}, False),
        (Within(A, 0.4, 0.6), {"a": [0.3, 0.7] * 3}, None),
        (Within(A, 0.2, 0.3), {"a": certain(0.25)}, True),
        (AsPrinted(A, 0.8), {"a": STEADY}, True),
        (AsPrinted(A, 0.5), {"a": STEADY}, False),
        (AsPrinted(A, 0.75, give=0.05), {"a": STEADY}, True),
        (AsPrinted(A, 0.5), {"a": [0.0, 1.0, 1.0, 0.0, 1.0]}, None),
        (AsPrinted(A, 0.5), {"a": [0.1, 0.4, 0.7, 0.6, 0.2]}, None),
        (Every((Above(A, 0.5), Below(B, 0.5))), {"a": [1.0] * 9, "b": [0.0] * 9}, True),
        (Every((Above(A, 0.5), Below(B, 0.5))), {"a": [1.0] * 9, "b": [1.0] * 9}, False),
        (Every((Above(A, 0.5), Below(B, 0.5))), {"a": [1.0] * 9, "b": [1.0, 0.0] * 3}, None),
        (Not(Above(A, 0.5)), {"a": [0.0] * 9}, True),
        (Not(Above(A, 0.5)), {"a": [1.0] * 9}, False),
        (Not(Above(A, 0.5)), {"a": [1.0, 0.0] * 3}, None),
        (Most("x", lambda evidence: evidence), [True] * 5, True),
        (Most("x", lambda evidence: evidence), [True] * 9 + [False], True),
        (Most("x", lambda evidence: evidence), [True] * 8 + [False] * 2, None),
        (Most("x", lambda evidence: evidence), [True] * 15 + [False] * 5, True),
        (Most("x", lambda evidence: evidence), [True] * 14 + [False] * 6, None),
        (Most("x", lambda evidence: evidence), [False] * 5, False),
        (Most("x", lambda evidence: evidence), [True] * 4, None),
        (MoreOften("x", lambda evidence: evidence), (10, 13, 3, 27), True),
        (MoreOften("x", lambda evidence: evidence), (0, 13, 20, 27), False),
        (MoreOften("x", lambda evidence: evidence), (5, 13, 10, 27), None),
        (Judged("it is so", lambda evidence: Finding("", evidence)), True, True),
        (Judged("it is so", lambda evidence: Finding("", evidence)), False, False),
    ],
)
def test_every_rule_can_fail(rule: Rule, evidence: Any, answer: Answer) -> None:
    assert rule.judge(evidence).answer is answer


def test_rules_in_words() -> None:
    assert words_of(Above(A, 0.5)) == "the a is above 50.0%"
    assert words_of(Within(A, 0.25, 0.75)) == "the a is within 25.0% to 75.0%"
    assert words_of(AsPrinted(A, 0.91)) == "the a is such that a further training could have 91.0%"
    assert words_of(Every((Above(A, 0.5), Above(B, 0.5), Below(N, 2.0)))) == (
        "the a is above 50.0%; and the b is above 50.0%; and the n is below 2.000"
    )
    assert words_of(Not(Above(A, 0.5))) == "it is not so that the a is above 50.0%"
    assert words_of(Not(Every((Above(A, 0.5),)))) == "it is not so that the a is above 50.0%"
    several = [replace(A, subject=subject) for subject in ("x", "y")]
    assert words_of(Above(several[0], 0.5)) == "the a is above 50.0% (x)"
    assert words_of(Every(tuple(Above(each, 0.5) for each in several))) == "the a is above 50.0% (x; y)"
    assert difference(*several).name == "the a (x less y)"
    assert words_of(Judged("it is so", lambda evidence: Finding("", True))) == "it is so"
    assert [listed(words) for words in ([], ["a"], ["a", "b"], ["a", "b", "c"])] == ["", "a", "a and b", "a, b and c"]


def test_findings_in_words() -> None:
    assert Above(A, 0.5).judge({"a": [0.25]}).ours == "the a: 25.0% (one seed)"
    found = AsPrinted(A, 0.5).judge({"a": [0.25, 0.5]}).ours
    assert found.startswith("the a: 25.0% to 50.0% over 2 seeds; a further training lies in ")
    assert found.endswith(TOO_WIDELY)
    two = Every(tuple(Above(replace(A, subject=subject), 0.5) for subject in ("x", "y")))
    assert two.judge({"a": [0.25]}).ours == "the a (x): 25.0% (one seed); y: 25.0% (one seed)"
    many = Every(tuple(Above(figure(name), 0.5) for name in "vwxyz"))
    found = many.judge({**{name: [1.0] * 9 for name in "vwxy"}, "z": [0.0] * 9})
    assert found.ours.startswith("the z: 0.0%"), "what speaks against it comes first"
    assert found.ours.endswith("; and 1 more")


def test_what_a_scale_does_not_allow_is_not_judged() -> None:
    evidence = {"a": [1.0] * 9}
    assert [found.verdict for _, found in judge_all(CLAIMS, evidence, "quick")] == [NOT_JUDGED, AGREES]
    assert [found.verdict for _, found in judge_all(CLAIMS, evidence, "paper")] == [AGREES, AGREES]
    assert tally([AGREES, DIFFERS, DIFFERS, UNTOLD]) == "1 agrees, 2 differ and 1 cannot be told"
    few = Above(A, 0.5).judge({"a": [1.0] * 4})
    assert (few.verdict, few.answer) == (NOT_JUDGED, None), "fewer than five trainings are not judged"
    assert tally([AGREES, NOT_JUDGED]).endswith("and 1 is not judged at this scale")
    (first, _) = claim_rows(judge_all(CLAIMS, evidence, "quick"))
    assert (first["rule"], first["verdict"]) == ("the a is above 50.0%", NOT_JUDGED)


@pytest.mark.parametrize(("values", "answer"), [([0.9] * 9, True), ([0.1] * 9, False), ([0.1, 0.9] * 5, None)])
def test_what_most_trainings_do(values: list[float], answer: Answer) -> None:
    assert most_above(A, 0.5).judge({"a": values}).answer is answer
    assert most_below(A, 0.5).judge({"a": [1 - value for value in values]}).answer is answer
    assert words_of(most_above(A, 0.25)) == "in more than half of the trainings the a is above 25.0%"
    assert most_above(A, 0.25).judge({"a": values}).ours.endswith("trainings the a is above 25.0%")
