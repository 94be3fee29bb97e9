"""Figures and rules of reports: intervals cover, and every kind of rule can fail."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from report_figures import CLAIMS, STEADY, A, B, N, figure

from petteia.arena.statistics import Interval
from petteia.core.errors import InvalidError
from petteia.experiments.verdicts import AGREES, DIFFERS
from petteia.reports.engine.claims import Claim, claim_rows, judge_all, listed, read_claims, tally
from petteia.reports.engine.estimates import (
    COUNT,
    NUMBER,
    POINTS,
    SHARE,
    TIMES,
    Asked,
    Unit,
    certain,
    interval_text,
    mean_over_trainings,
)
from petteia.reports.engine.figures import average, change, combination, difference, groups, ratio
from petteia.reports.engine.rules import (
    NOT_JUDGED,
    UNTOLD,
    Answer,
    Finding,
    Rule,
    above,
    all_of,
    as_printed,
    below,
    denied,
    in_most,
    more_often,
    most_above,
    most_below,
    within,
)


def test_a_figure_over_trainings_and_one_that_is_certain() -> None:
    evidence = {"a": [0.5, 0.6, 0.7], "b": certain(0.25)}
    assert A.values(evidence) == (0.5, 0.6, 0.7)
    assert A.interval(evidence) == mean_over_trainings([0.5, 0.6, 0.7], SHARE)
    assert [each.trainings(evidence) for each in (A, B, difference(A, A))] == [3, None, 3]
    assert B.values(evidence) == ()
    assert B.text(evidence) == "25.0% (exact value)"
    assert A.text({"a": [0.5]}) == "50.0% (one training run)"
    assert A.range_text(evidence) == "50.0% to 70.0%"
    assert N.text({"n": [2.0, 2.0]}) == "2.000 in each of the 2 training runs", "that all agree is no certainty"
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
    assert within.interval(evidence).low > gain.interval(evidence).low, (
        "the same training runs tell more of their change"
    )
    assert difference(A, B).words == "the a minus the b"
    assert average("both", [A, B]).values(evidence) == pytest.approx((0.375, 0.6))
    sides = {"a": Interval(0.75, 0.5, 1.0), "b": Interval(0.25, 0.0, 0.5)}
    half = math.hypot(0.25, 0.25)
    assert gain.interval(sides) == pytest.approx((0.5, 0.5 - half, 0.5 + half))
    bend = combination(((1.0, difference(A, B)), (-2.0, B)), "the bend")
    assert [weight for weight, _ in bend.terms] == [1.0, -1.0, -2.0]
    assert bend.mean(evidence) == pytest.approx(0.6 - 3 * 0.375)
    unchanged = change(A, A).interval({"a": [1.0] * 9})
    assert unchanged.low < 0.0 < unchanged.high, "that nothing changed in nine training runs is no certainty"


def test_counts_scatter_by_ratios() -> None:
    games, others = figure("games", COUNT), figure("others", COUNT)
    evidence = {"games": [1000.0, 2000.0, 4000.0], "others": [100.0, 200.0, 400.0]}
    assert games.mean(evidence) == pytest.approx(2000.0), "the geometric mean"
    assert Asked(0.0, COUNT, evidence["games"]).further().low > 0.0
    found = ratio(games, others).interval(evidence)
    assert found.mean == pytest.approx(10.0)
    assert 1.0 < found.low < 10.0 < found.high


def test_a_further_training_scatters_more_than_a_mean() -> None:
    shares = [0.7, 0.8, 0.9]
    one, mean = Asked(0.0, SHARE, shares).further(), mean_over_trainings(shares, SHARE)
    assert one.mean == mean.mean == pytest.approx(0.8)
    assert one.low < mean.low < 0.8 < mean.high < one.high <= 1.0
    assert not Asked(0.0, SHARE, [0.7]).further().is_known
    equal = Asked(4.0, COUNT, [3.0, 3.0, 3.0])
    assert not equal.further().is_known
    assert equal.oddness() == 0.0
    assert equal.oddness(give=1.0) == 1.0
    far = Asked(3.0 + 2.776445 * math.sqrt(2.5 * 1.2), NUMBER, [1.0, 2.0, 3.0, 4.0, 5.0])
    assert far.oddness() == pytest.approx(0.05)


def test_two_groups_are_seen() -> None:
    assert groups([0.1] * 5 + [0.9] * 15) == ([0.1] * 5, [0.9] * 15)
    assert groups([0.1] * 5 + [0.9] * 14) is None, "too few to say"
    assert groups([0.1] + [0.9] * 19) is None, "one alone is no group"
    assert groups([each / 20 for each in range(20)]) is None
    two = A.range_text({"a": [0.1, 0.2] * 5 + [0.9] * 15})
    assert two == "in two groups: 10 with 10.0% to 20.0% and 15 with 90.0%"


# Rules: data made to agree, to contradict, and to leave it open.


@pytest.mark.parametrize(
    ("rule", "evidence", "answer"),
    [
        (above(A, 0.5), {"a": [1.0] * 9}, True),
        (above(A, 0.5), {"a": [0.0] * 9}, False),
        (above(A, 0.5), {"a": [1.0, 1.0, 0.0, 0.0, 1.0]}, None),
        (above(A, 0.5), {"a": [1.0]}, None),
        (below(A, 0.5), {"a": [0.0] * 9}, True),
        (below(A, 0.5), {"a": [1.0] * 9}, False),
        (below(A, 0.5), {"a": [0.0, 1.0] * 3}, None),
        (within(A, 0.2, 0.9), {"a": [0.5] * 40}, True),
        (within(A, 0.9, 1.0), {"a": [0.1] * 9}, False),
        (within(A, 0.4, 0.6), {"a": [0.3, 0.7] * 3}, None),
        (within(A, 0.2, 0.3), {"a": certain(0.25)}, True),
        (as_printed(A, 0.8), {"a": STEADY}, True),
        (as_printed(A, 0.5), {"a": STEADY}, False),
        (as_printed(A, 0.75, give=0.05), {"a": STEADY}, True),
        (as_printed(A, 0.5), {"a": [0.0, 1.0, 1.0, 0.0, 1.0]}, None),
        (as_printed(A, 0.5), {"a": [0.1, 0.4, 0.7, 0.6, 0.2]}, None),
        (all_of((above(A, 0.5), below(B, 0.5))), {"a": [1.0] * 9, "b": [0.0] * 9}, True),
        (all_of((above(A, 0.5), below(B, 0.5))), {"a": [1.0] * 9, "b": [1.0] * 9}, False),
        (all_of((above(A, 0.5), below(B, 0.5))), {"a": [1.0] * 9, "b": [1.0, 0.0] * 3}, None),
        (denied(above(A, 0.5)), {"a": [0.0] * 9}, True),
        (denied(above(A, 0.5)), {"a": [1.0] * 9}, False),
        (denied(above(A, 0.5)), {"a": [1.0, 0.0] * 3}, None),
        (in_most("x", lambda evidence: evidence), [True] * 5, True),
        (in_most("x", lambda evidence: evidence), [True] * 9 + [False], True),
        (in_most("x", lambda evidence: evidence), [True] * 8 + [False] * 2, None),
        (in_most("x", lambda evidence: evidence), [True] * 15 + [False] * 5, True),
        (in_most("x", lambda evidence: evidence), [True] * 14 + [False] * 6, None),
        (in_most("x", lambda evidence: evidence), [False] * 5, False),
        (in_most("x", lambda evidence: evidence), [True] * 4, None),
        (more_often("x", "those that do", ("a", "b"), lambda evidence: evidence), (10, 13, 3, 27), True),
        (more_often("x", "those that do", ("a", "b"), lambda evidence: evidence), (0, 13, 20, 27), False),
        (more_often("x", "those that do", ("a", "b"), lambda evidence: evidence), (5, 13, 10, 27), None),
        (Rule("it is so", lambda evidence: Finding("", evidence)), True, True),
        (Rule("it is so", lambda evidence: Finding("", evidence)), False, False),
    ],
)
def test_every_rule_can_fail(rule: Rule, evidence: Any, answer: Answer) -> None:
    assert rule.judge(evidence).answer is answer


def test_rules_in_words() -> None:
    assert above(A, 0.5).words == "the a is above 50.0%"
    assert (above(A, 0.0).words, below(A, 0.0).words) == ("the a is positive", "the a is negative")
    assert above(difference(A, B), 0.1).words == "the a minus the b is above 10.0 points"
    assert above(ratio(A, B), 2.0).words == "the a divided by the b is above 2.00"
    assert within(A, 0.25, 0.75).words == "the a is between 25.0% and 75.0%"
    assert (
        as_printed(A, 0.91).words == "the 95 % prediction interval of a further training run contains 91.0%, for the a"
    )
    about = "the 95 % prediction interval of a further training run overlaps the range from 45.0% to 55.0%, for the a"
    assert as_printed(A, 0.5, give=0.05).words == about
    assert all_of((above(A, 0.5), above(B, 0.5), below(N, 2.0))).words == (
        "the a is above 50.0%; and the b is above 50.0%; and the n is below 2.000"
    )
    assert denied(above(A, 0.5)).words == "the a is not above 50.0%"
    assert denied(all_of((above(A, 0.5),))).words == "the a is not above 50.0%"
    assert denied(all_of((above(A, 0.5), above(B, 0.5)))).words == (
        "it is not true that the a is above 50.0%; and the b is above 50.0%"
    )
    words = "the a is above 25.0% in significantly fewer than half of the training runs (sign test, p < 0.05)"
    assert denied(most_above(A, 0.25)).words == words
    assert denied(above(replace(A, words="the share that is won"), 0.5)).words == (
        "the share that is won is not above 50.0%"
    ), "the rule carries its negation, whatever its other words are"
    assert denied(denied(above(A, 0.5))).words == "the a is above 50.0%"
    assert denied(as_printed(A, 0.5)).words == (
        "the 95 % prediction interval of a further training run does not contain 50.0%, for the a"
    )
    assert above(replace(A, subject="from x"), 0.5).words == "the a is above 50.0%, in this case: from x"
    several = [replace(A, subject=subject) for subject in ("x", "as y")]
    assert above(several[0], 0.5).words == "the a is above 50.0%, in this case: x"
    assert above(several[1], 0.5).words == "the a is above 50.0%, in this case: as y"
    assert all_of(above(each, 0.5) for each in several).words == "the a is above 50.0%, in each of these cases: x; as y"
    assert difference(*several).name == "the difference in the a (x minus as y)"
    assert ratio(*several).name == "the ratio of the a (x divided by as y)"
    assert Rule("it is so", lambda evidence: Finding("", True)).words == "it is so"
    assert [listed(words) for words in ([], ["a"], ["a", "b"], ["a", "b", "c"])] == ["", "a", "a and b", "a, b and c"]


def test_findings_in_words() -> None:
    assert above(A, 0.5).judge({"a": [0.25]}).text == "A: 25.0% (one training run)"
    assert as_printed(A, 0.5).judge({"a": [0.25]}).text == "A: 25.0% in 1 training run"
    interval = Interval(0.25, 0.125, 0.5)
    assert above(A, 0.5).judge({"a": interval}).text == "A: 25.0% (95 % interval: 12.5% to 50.0%)"
    assert most_above(A, 0.5).judge({"a": [0.0, 0.1]}).values == {
        "Training runs in which the a is above 50.0%": ["0 of 2"]
    }
    assert most_above(replace(A, subject="x"), 0.5).judge({"a": [0.0, 1.0]}).values == {
        "Training runs in which the a is above 50.0% (x)": ["1 of 2"]
    }
    two = all_of(above(replace(A, subject=subject), 0.5) for subject in ("x", "with y"))
    found = two.judge({"a": [0.25]})
    assert found.values == {"A": ["x: 25.0% (one training run)", "with y: 25.0% (one training run)"]}
    assert found.text == "A: x: 25.0% (one training run); with y: 25.0% (one training run)"
    assert all_of((two, above(B, 0.5))).judge({"a": [0.25], "b": [0.5]}).values == {
        **found.values,
        "B": ["50.0% (one training run)"],
    }
    many = all_of(above(figure(name), 0.5) for name in "vwxyz")
    found = many.judge({**{name: [1.0] * 9 for name in "vwxy"}, "z": [0.0] * 9}).values
    assert next(iter(found)) == "Z", "what speaks against it comes first"
    assert found[""] == ["1 further result is not listed"]
    said = more_often("x", "the share of weights that swing", ("listed", "others"), lambda evidence: evidence)
    assert said.judge((0, 13, 0, 27)).values == {
        "Share of weights that swing": ["listed: 0 of 13", "others: 0 of 27"],
        "P-value of Fisher's exact test": ["1"],
    }


def test_a_claim_that_is_not_judged_shows_only_its_figure() -> None:
    rule = as_printed(A, 0.5)
    found = rule.judge({"a": [0.1, 0.4, 0.7, 0.6, 0.2]})
    assert found.verdict == UNTOLD
    assert found.text.startswith("A: 10.0% to 70.0% in 5 training runs; 0.0% to ")
    assert found.text.endswith("There is no verdict, because this interval is wider than 50% of the games")
    assert "verdict" not in rule.judge({"a": [0.25, 0.5]}).text, "too few training runs"
    for each in (rule, all_of((rule, as_printed(B, 0.5)))):
        claim = replace(CLAIMS[0], judged_by=each)
        evidence = {"a": [0.1, 0.4, 0.7, 0.6, 0.2], "b": [0.1, 0.4, 0.7, 0.6, 0.2]}
        for scale, shows in (("paper", True), ("quick", False)):
            ((_, found),) = judge_all([claim], evidence, scale)
            assert ("There is no verdict" in found.text) is shows


def test_a_ratio_is_bare_in_sentences() -> None:
    evidence = {"a": [0.25, 0.5, 0.75], "b": [0.25, 0.5, 0.75]}
    assert "1.00 times (" in ratio(A, B).text(evidence)
    assert "times" not in above(ratio(A, B), 2.0).judge(evidence).text
    assert (
        above(difference(A, B), 2.0)
        .judge({"a": certain(0.5), "b": certain(0.25)})
        .text.endswith(": +25.0 points (exact value)")
    ), "other units stay"


@pytest.mark.parametrize(
    ("unit", "found", "bound", "words"),
    [
        (TIMES, Interval(0.8964, 0.8951, 0.8999), 0.9, "0.896 (95 % interval: 0.895 to 0.8999)"),
        (TIMES, Interval(0.85, 0.8, 0.9), 0.9, "0.85 (95 % interval: 0.80 to 0.90)"),
        (SHARE, Interval(0.5004, 0.4996, 0.6), 0.5, "50.04% (95 % interval: 49.96% to 60.0%)"),
        (POINTS, Interval(0.06, 0.0501, 0.1), 0.05, "+6.0 points (95 % interval: +5.01 to +10.0)"),
        (POINTS, Interval(0.01, -0.0001, 0.1), 0.0, "+1.0 points (95 % interval: -0.01 to +10.0)"),
        (COUNT, Interval(1000.3, 900.0, 1100.0), 1000.0, "1,000.3 (95 % interval: 900 to 1,100)"),
    ],
)
def test_a_figure_is_not_rounded_onto_the_bound_of_its_rule(
    unit: Unit, found: Interval, bound: float, words: str
) -> None:
    assert below(figure("a", unit), bound).judge({"a": found}).text == f"A: {words}"


def test_a_share_that_is_always_0_is_bounded_by_the_others() -> None:
    won = figure("won")
    lost = replace(figure("lost"), others=(won, figure("drawn")))
    evidence = {"won": [0.98, 1.0, 0.99, 0.99, 0.99], "drawn": [0.02, 0.0, 0.01, 0.01, 0.01], "lost": [0.0] * 5}
    assert replace(lost, others=()).interval(evidence).high > 0.2, "alone it is nearly unknown"
    assert lost.interval(evidence) == (0.0, 0.0, pytest.approx(1.0 - won.interval(evidence).low))
    assert lost.interval(evidence | {"lost": [0.0, 0.0, 0.01, 0.0, 0.0]}) == replace(lost, others=()).interval(
        evidence | {"lost": [0.0, 0.0, 0.01, 0.0, 0.0]}
    ), "otherwise its own training runs tell more"


def test_what_a_scale_does_not_allow_is_not_judged() -> None:
    evidence = {"a": [1.0] * 9}
    assert [found.verdict for _, found in judge_all(CLAIMS, evidence, "quick")] == [NOT_JUDGED, AGREES]
    assert [found.verdict for _, found in judge_all(CLAIMS, evidence, "paper")] == [AGREES, AGREES]
    assert tally([AGREES, DIFFERS, DIFFERS, UNTOLD]) == "1 agrees, 2 differ and 1 is undecided"
    few = above(A, 0.5).judge({"a": [1.0] * 4})
    assert (few.verdict, few.answer) == (NOT_JUDGED, None), "fewer than five training runs are not judged"
    assert tally([AGREES, NOT_JUDGED]).endswith("and 1 needs more games or training runs for a verdict")
    (first, _) = claim_rows(judge_all(CLAIMS, evidence, "quick"))
    assert (first["rule"], first["verdict"]) == ("the a is above 50.0%", NOT_JUDGED)


@pytest.mark.parametrize(("values", "answer"), [([0.9] * 9, True), ([0.1] * 9, False), ([0.1, 0.9] * 5, None)])
def test_what_most_trainings_do(values: list[float], answer: Answer) -> None:
    assert most_above(A, 0.5).judge({"a": values}).answer is answer
    assert most_below(A, 0.5).judge({"a": [1 - value for value in values]}).answer is answer
    words = "the a is above 25.0% in significantly more than half of the training runs (sign test, p < 0.05)"
    assert most_above(A, 0.25).words == words
    assert most_above(A, 0.25).judge({"a": values}).text.startswith("Training runs in which the a is above 25.0%: ")


SAID = """
[[said]]
part = "Play"
where = "its table of results"
needs_paper = true
[said.claims]
wins = "It beats greedy."

[[added]]
part = "Play"
where = "added here"
[added.claims]
draws = "It draws."
"""


def test_claims_are_read_each_with_its_rule(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "made_up_claims"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "claims.toml").write_text(SAID)
    monkeypatch.syspath_prepend(tmp_path)
    rule = above(A, 0.5)
    assert read_claims("made_up_claims", "claims.toml", {"wins": rule, "draws": rule}) == (
        Claim("wins", "Play", "It beats greedy.", rule, True, "its table of results"),
        Claim("draws", "Play", "It draws.", rule, False, "added here", is_original=False),
    )
    for rules in ({"draws": rule}, {"wins": rule, "draws": rule, "loses": rule}):
        with pytest.raises(InvalidError, match="each claim needs a rule, and each rule needs a claim"):
            read_claims("made_up_claims", "claims.toml", rules)
