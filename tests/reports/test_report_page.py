"""Pages of reports: prose, figures, claims and charts stand where the template names them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from report_figures import CLAIMS, A

from petteia.arena.statistics import Interval
from petteia.core.errors import InvalidError
from petteia.render.html import Html
from petteia.reports.engine.claims import judge_all
from petteia.reports.engine.declaration import Page
from petteia.reports.engine.rules import Rule, above, all_of, below, denied

JUDGEMENTS = judge_all(CLAIMS, {"a": [1.0] * 9}, "quick")


def made(template: str, **names: Any) -> str:
    page = Page({"a": [0.5, 0.7]}, JUDGEMENTS, {"curve": "<svg></svg>"})
    return page.document(f"# A title\n\n{template}", names)


def test_prose_with_places() -> None:
    text = made(
        "It *is* {{ figure }}, {{ part }}.\n\n{{ part }}\n\n{% if good %}\nYes.\n{% endif %}",
        figure="1_000 <b>*5* `x`",
        part=Html("<i>here</i>"),
        good=True,
    )
    assert "<title>A title</title>" in text
    assert "<p>It <em>is</em> 1_000 &lt;b&gt;*5* `x`, <i>here</i>.</p>" in text
    assert "\n<i>here</i>\n" in text, "what stands alone is no paragraph"
    assert "<p>Yes.</p>" in text


@pytest.mark.parametrize(
    ("template", "message"),
    [
        ("{{ nobody }}", "the template of the report is invalid: 'nobody' is undefined"),
        ("{{ known.nobody }}", "the template of the report is invalid: .*no attribute 'nobody'"),
        ("{% if nobody %}x{% endif %}", "the template of the report is invalid: 'nobody' is undefined"),
        ("{{ claims('Nothing') }}", "the template of the report uses the claims of the section 'Nothing', but"),
        ("{{ chart('nothing', '') }}", "the template of the report uses the unknown chart 'nothing'"),
        ("{% if %}", "the template of the report is invalid: "),
    ],
)
def test_a_name_that_a_page_does_not_know_is_an_error(template: str, message: str) -> None:
    with pytest.raises(InvalidError, match=message):
        made(template, known={"a": 1})


def test_claims_and_charts_on_a_page() -> None:
    text = made("{{ claims('Part') }}\n\n{{ chart('curve', 'A & B') }}")
    assert '<span class="verdict unjudged">not judged at this scale</span>' in text
    assert "<strong>It *takes* 500,000 games &lt;a&gt;.</strong>" in text
    assert "<figure><svg></svg><figcaption>A &amp; B</figcaption></figure>" in text


def test_several_results_and_conditions_are_lists() -> None:
    interval = "50.0% (95 % interval: 40.0% to 60.0%)"

    def claim(*rules: Rule) -> str:
        judged = replace(CLAIMS[1], judged_by=all_of(rules))
        return Page({}, judge_all([judged], {"a": Interval(0.5, 0.4, 0.6)}, "quick")).claims("Part")

    text = claim(above(A, 0.5), below(A, 0.9))
    assert text.count(f"<p>A: {interval}</p>") == 1, "one value, two conditions"
    conditions = "<ul><li>A: the value is above 50.0%</li><li>A: the value is below 90.0%</li></ul>"
    assert f"if all these conditions are true:{conditions}" in text
    of_x, of_y = (replace(A, subject=name) for name in "xy")
    assert f"<p>A:</p><ul><li>X: {interval}</li><li>Y: {interval}</li></ul>" in claim(
        above(of_x, 0.5), above(of_y, 0.5)
    )
    assert f"<p>A (x): {interval}</p>" in claim(above(of_x, 0.5))
    assert "if both values are above 50.0%.<" in claim(above(of_x, 0.5), above(of_y, 0.5))
    assert "if this value is not above 50.0%.<" in claim(denied(above(of_x, 0.5)))
    assert "<li>X; y: each value is above 50.0%</li><li>Z: the value is below 50.0%</li>" in claim(
        above(of_x, 0.5), above(of_y, 0.5), below(replace(A, subject="z"), 0.5)
    )
    assert "<li>A (x): the value is above 50.0%</li><li>B; a (y): each value is below 50.0%</li>" in claim(
        above(of_x, 0.5), below(replace(A, words="the b"), 0.5), below(of_y, 0.5)
    )
    assert "<li>X: the value is above 50.0%</li><li>All other cases: each value is below 50.0%</li>" in claim(
        above(of_x, 0.5), *(below(replace(A, subject=name), 0.5) for name in "vwyza")
    )
    assert "<li>A: each value is above 50.0%</li><li>B: the value is below 50.0%</li>" in claim(
        above(of_x, 0.5), above(of_y, 0.5), below(replace(A, words="the b", subject=""), 0.5)
    )


SHOWN = A.text({"a": [0.5, 0.7]})


def test_figures_on_a_page() -> None:
    assert f"<p>It is {SHOWN}.</p>" in made("It is {{ figure }}.", figure=A)
    text = made("{{ table(['', 'x'], [['row', figure]]) }}", figure=A)
    assert f"<summary>60.0%</summary><small>{SHOWN}</small><small>training runs: 50.0% to 70.0%</small>" in text
    assert made("{{ by_answer(answer, 'yes', 'no', '?') }}", answer=None).count("<p>?</p>") == 1


def test_a_wide_table_can_be_folded() -> None:
    text = made("{{ table(['a', 'b'], [['1', '2']], 'All of it') }}")
    assert '<details class="fold"><summary>All of it</summary><div class="wide"' in text
    assert "fold" not in made("{{ table(['a', 'b'], [['1', '2']]) }}").partition("</style>")[2]
