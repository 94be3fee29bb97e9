"""The engine of reports: every kind of rule can fail, intervals cover, and a page knows its names."""

from __future__ import annotations

import math
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from petteia.arena.statistics import Interval
from petteia.core.errors import InvalidError
from petteia.experiments.tournament.results import Cell
from petteia.experiments.verdicts import AGREES, DIFFERS, ODD
from petteia.reports.engine.cells import (
    Beside,
    Compared,
    grid,
    judge,
    judge_beside,
    judge_table,
    of_trainings,
    shown,
    together,
)
from petteia.reports.engine.claims import Claim, judge_all, listed, most_above, most_below, tally
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
from petteia.reports.engine.figures import Figure, average, change, combination, difference, known, ratio
from petteia.reports.engine.matches import is_one_game, score_of, turned
from petteia.reports.engine.output import claim_rows
from petteia.reports.engine.page import page
from petteia.reports.engine.parts import Html, unfolding
from petteia.reports.engine.printed import Printed, read_tables
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

# Figures. The evidence of these tests is a dictionary of values by name.


def figure(name: str, unit: Any = SHARE) -> Figure:
    return Figure(f"the {name}", unit, lambda evidence: evidence[name])


A, B, N = figure("a"), figure("b"), figure("n", NUMBER)


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

STEADY = [0.80, 0.81, 0.82, 0.80, 0.81]


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


CLAIMS = (
    Claim("long", "Part", "It *takes* 500,000 games <a>.", Above(A, 0.5), needs_paper=True),
    Claim("short", "Part", "It is so.", Above(A, 0.5)),
)


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


# What is printed.

TABLES = """
# what it prints
[first] 200 games a cell
         x     y     # the players
one      100/0.5 -
two      36/2.5  0/100
[second] 1000 games a cell
         x
one      91/3
"""


def test_printed_tables() -> None:
    found = read_tables(TABLES, "tables")
    assert list(found) == ["first", "second"]
    first = found["first"]
    assert (first.rows, first.columns) == (("one", "two"), ("x", "y"))
    assert set(first.cells) == {("one", "x"), ("two", "x"), ("two", "y")}
    assert first.cells["one", "x"].counts == (199, 1, 0), "wins are rounded, so they give way"
    assert first.cells["two", "x"].score == 0.3725
    assert found["second"].cells["one", "x"].counts == (910, 30, 60)
    assert first.cells["one", "x"].text == "100/0.5"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("one 1/2", "line 1: stands before the first table"),
        ("[a] 10 games a cell\nx y\none 1/2", "line 3: has 1 cells, not 2"),
        ("[a] 10 games a cell\nx\none 1", "line 3: '1' is not wins/draws"),
        ("[a] 10 games a cell\nx\none 101/0", "line 3: '101/0' is not in per cent"),
        ("[a] 10 games a cell\nx\none nan/0", "line 3: 'nan/0' is not in per cent"),
        ("[a] 10 games a cell\n[a] 10 games a cell", "line 2: there is a table 'a' already"),
    ],
)
def test_damaged_tables_are_refused(text: str, message: str) -> None:
    with pytest.raises(InvalidError, match=message):
        read_tables(text, "tables")


# Cells of tables.


def cell(row: str = "a", column: str = "b", wins: int = 50, games: int = 100, distinct: int = 100) -> Cell:
    score = wins / games
    return Cell(row, column, games, wins, 0, games - wins, score, score - 0.02, score + 0.02, distinct, 0)


def test_cells_of_players_that_do_not_learn() -> None:
    printed = Printed(91, 0, 200)
    found = judge_table([Compared("t", "a", "b", cell(wins=wins), printed=printed) for wins in (90, 72, 20)])
    assert [each.verdict for each in found.cells] == [AGREES, DIFFERS, DIFFERS]
    assert found.words == (
        "Of 3 printed figures 2 are odd, less than one is expected by chance, and 2 remain when all are looked at "
        "together."
    )
    agreeing = [Compared("t", "a", "b", cell(wins=wins), printed=printed) for wins in (90, 91, 92, 89, 90, 90, 91, 77)]
    assert [each.verdict for each in judge_table(agreeing).cells] == [AGREES] * 7 + [ODD]
    alone = judge_table([Compared("t", "a", "b", cell())])
    assert (alone.cells[0].verdict, alone.words) == (None, "")
    assert alone.cells[0].figures()["printed_games"] is None


@pytest.mark.parametrize(
    ("wins", "printed", "verdict"),
    [
        ((80, 82, 81, 79, 80), 80, AGREES),
        ((80, 82, 81, 79, 80), 30, DIFFERS),
        ((0, 100, 100, 0, 100), 30, TOO_WIDELY),
        ((80, 30, 60, 50, 70), 50, TOO_WIDELY),
        ((80, 82, 81, 79), 80, NOT_JUDGED),
    ],
)
def test_cells_of_learners_are_judged_by_their_spread(wins: tuple[int, ...], printed: float, verdict: str) -> None:
    asked = of_trainings("table", "a", "b", [cell(wins=each) for each in wins], Printed(printed, 0, 100))
    (found,) = judge_table([asked]).cells
    assert found.verdict == verdict
    assert found.ours.games == 100 * len(wins)
    assert f"seeds {' '.join(map(str, wins))}" in found.notes
    assert judge([asked.asked()], is_judged=False).verdicts == [NOT_JUDGED]


def test_matches_together_and_from_the_other_seat() -> None:
    both = together([cell(wins=40), cell(wins=80)])
    assert (both.wins, both.score, both.low, both.high) == (120, pytest.approx(0.6), 0.4, 0.8)
    found = turned(cell(wins=60), 1)
    assert (found.row, found.column, found.counts) == ("b", "a", (40, 0, 60))
    assert (round(found.low, 9), round(found.high, 9)) == (0.38, 0.42)
    assert turned(cell(), 0) == cell()


def test_only_where_nobody_draws_lots_a_match_is_one_game() -> None:
    certainly = cell("heuristic", "heuristic", wins=100, distinct=1)
    assert is_one_game(certainly)
    assert score_of(certainly) == (1.0, 1.0, 1.0)
    drawn = cell("theta", "heuristic", wins=100, distinct=1)
    assert not is_one_game(drawn), "weights are drawn, so each game is evidence"
    assert score_of(drawn).low < 1.0


# The page.


JUDGEMENTS = judge_all(CLAIMS, {"a": [1.0] * 9}, "quick")


def made(template: str, **names: Any) -> str:
    return page(f"# A title\n\n{template}", names, {"a": [0.5, 0.7]}, JUDGEMENTS, {"curve": "<svg></svg>"})


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
        ("{{ nobody }}", "the page: 'nobody' is undefined"),
        ("{{ known.nobody }}", "the page: .*no attribute 'nobody'"),
        ("{% if nobody %}x{% endif %}", "the page: 'nobody' is undefined"),
        ("{{ claims('Nothing') }}", "the page: there are no claims about 'Nothing'"),
        ("{{ chart('nothing', '') }}", "the page: there is no chart 'nothing'"),
        ("{% if %}", "the page: "),
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


SHOWN = A.text({"a": [0.5, 0.7]})


def test_figures_on_a_page() -> None:
    assert f"<p>It is {SHOWN}.</p>" in made("It is {{ figure }}.", figure=A)
    text = made("{{ table(['', 'x'], [['row', figure]]) }}", figure=A)
    assert f"<summary>60.0%</summary><small>{SHOWN}</small><small>seeds 50.0% to 70.0%</small>" in text
    assert made("{{ by_answer(answer, 'yes', 'no', '?') }}", answer=None).count("<p>?</p>") == 1


@pytest.mark.parametrize(("printed", "kind"), [(0.8, "agrees"), (0.1, "differs")])
def test_a_figure_beside_what_is_printed(printed: float, kind: str) -> None:
    evidence: Any = SimpleNamespace(is_judged=True)
    steady = Beside(known("", SHARE, STEADY), printed)
    (found,), words = judge_beside([steady], evidence)
    assert f'class="cell {kind}"' in shown(found, evidence)
    assert words.startswith("Of 1 printed figures")
    evidence.is_judged = False
    (found,), words = judge_beside([steady], evidence)
    assert 'class="cell unjudged"' in shown(found, evidence)
    assert words == "What is printed is not judged at this scale."


def test_a_cell_shows_one_figure_and_unfolds_the_rest() -> None:
    assert "<details><summary>93%</summary><small>printed 91/3</small></details>" in unfolding(
        "93%", ["printed 91/3"], AGREES
    )
    found = grid("first", judge_table([Compared("t", "a", "b", cell("a", "b"), printed=Printed(50, 0, 100))]))
    assert found.count("<summary>") == 1
    assert "printed 50/0" in found


@pytest.mark.parametrize(("values", "answer"), [([0.9] * 9, True), ([0.1] * 9, False), ([0.1, 0.9] * 5, None)])
def test_what_most_trainings_do(values: list[float], answer: Answer) -> None:
    assert most_above(A, 0.5).judge({"a": values}).answer is answer
    assert most_below(A, 0.5).judge({"a": [1 - value for value in values]}).answer is answer
    assert words_of(most_above(A, 0.25)) == "in more than half of the trainings the a is above 25.0%"
    assert most_above(A, 0.25).judge({"a": values}).ours.endswith("trainings the a is above 25.0%")


def test_a_wide_table_can_be_folded() -> None:
    text = made("{{ table(['a', 'b'], [['1', '2']], 'All of it') }}")
    assert '<details class="fold"><summary>All of it</summary><div class="wide"' in text
    assert "fold" not in made("{{ table(['a', 'b'], [['1', '2']]) }}").partition("</style>")[2]


def test_a_table_says_what_is_to_be_thought_of_it() -> None:
    text = page(
        "# A title\n\n{{ table(['', 'x'], rows) }}",
        {"rows": [["row", Beside(known("", SHARE, STEADY), 0.2)]]},
        SimpleNamespace(is_judged=True),
    )
    assert '<p class="note">Of 1 printed figures 1 is odd, less than one is expected by chance, and 1 remains' in text
