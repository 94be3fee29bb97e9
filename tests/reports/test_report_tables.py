"""Tables of reports: what is printed is read rightly, and cells are judged and shown beside it."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from report_figures import STEADY

from petteia.experiments.tournament.matches import Cell
from petteia.experiments.verdicts import AGREES, BORDERLINE, DIFFERS
from petteia.reports.engine.declaration import Page
from petteia.reports.engine.estimates import SHARE, Asked, is_one_game, score_of
from petteia.reports.engine.evidence import turned
from petteia.reports.engine.figures import known
from petteia.reports.engine.printed import Printed, judge, read_table
from petteia.reports.engine.rules import NOT_JUDGED, TOO_WIDELY
from petteia.reports.engine.settings import Agent, Match, Setting
from petteia.reports.engine.tables import (
    Beside,
    MatchTable,
    Meeting,
    shown,
    unfolding,
    whole_percents,
    with_verdicts,
)

TABLE = """
         x       y
one      100/0.5 -
two      36/2.5  0/100
"""


def test_a_printed_table() -> None:
    found = read_table(TABLE, 200)
    assert (found.rows, found.columns) == (("one", "two"), ("x", "y"))
    assert set(found.cells) == {("one", "x"), ("two", "x"), ("two", "y")}
    assert found.cells["one", "x"].counts == (199, 1, 0), "wins are rounded, so they give way"
    assert found.cells["two", "x"].score == 0.3725
    assert found.cells["one", "x"].text == "100/0.5"
    assert read_table("x\none 91/3", 1000).cells["one", "x"].counts == (910, 30, 60)


@pytest.mark.parametrize("text", ["x y\none 1/2", "x\none 1/2 1/2", "x\none 1/x"])
def test_an_unsound_table_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"zip|float"):
        read_table(text, 10)


def cell(row: str = "a", column: str = "b", wins: int = 50, games: int = 100, distinct: int = 100) -> Cell:
    score = wins / games
    units = (games - wins, 0, wins)
    return Cell(row, column, games, wins, 0, games - wins, score, score - 0.02, score + 0.02, units, distinct, 0)


def test_cells_of_players_that_do_not_learn() -> None:
    printed = Printed(91, 0, 200)
    found = with_verdicts([Meeting("a", "b", [cell(wins=wins)], printed) for wins in (90, 72, 20)], None)
    assert [each.verdict for each in found.cells] == [AGREES, DIFFERS, DIFFERS]
    assert found.words == (
        "Verdicts on 3 reported numbers: 1 agrees and 2 differ. By chance alone, "
        "hardly any of the numbers would have p < 0.05."
    )
    agreeing = [Meeting("a", "b", [cell(wins=wins)], printed) for wins in (90, 91, 92, 89, 90, 90, 91, 77)]
    assert [each.verdict for each in with_verdicts(agreeing, None).cells] == [AGREES] * 7 + [BORDERLINE]
    alone = with_verdicts([Meeting("a", "b", [cell()])], None)
    assert (alone.cells[0].verdict, alone.words) == (None, "")
    assert alone.cells[0].figures(None)["printed_games"] is None


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
    cells = [cell(wins=each) for each in wins]
    evidence = SimpleNamespace(is_judged=True, cells=lambda match: cells)
    learned = Match(Agent(Setting("trainings")), "random", 100)
    asked = Meeting("a", "b", learned, Printed(printed, 0, 100))
    (found,) = with_verdicts([asked], evidence).cells
    assert found.verdict == verdict
    assert found.ours(evidence).games == 100 * len(wins)
    assert f"scores of the training runs in per cent: {' '.join(map(str, wins))}" in found.html(evidence)
    assert judge([asked.asked(evidence)], is_judged=False)[0] == [NOT_JUDGED]


def test_matches_together_and_from_the_other_seat() -> None:
    both = Meeting("a", "b", [cell(wins=40), cell(wins=80)]).ours(None)
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


@pytest.mark.parametrize(("printed", "kind"), [(0.8, "agrees"), (0.1, "differs")])
def test_a_figure_beside_what_is_printed(printed: float, kind: str) -> None:
    evidence: Any = SimpleNamespace(is_judged=True)
    steady = Beside(known("", SHARE, STEADY), printed)
    (found,), words = with_verdicts([steady], evidence)
    assert f'class="cell {kind}"' in shown(found, evidence)
    assert words.startswith("Verdict on 1 reported number")
    evidence.is_judged = False
    (found,), words = with_verdicts([steady], evidence)
    assert 'class="cell unjudged"' in shown(found, evidence)
    assert words.startswith("In the quick version, with short training runs, this page does not compare the figures")


def test_a_cell_shows_one_figure_and_unfolds_the_rest() -> None:
    assert "<details><summary>93%</summary><small>printed 91/3</small></details>" in unfolding(
        "93%", ["printed 91/3"], AGREES
    )
    table = MatchTable("t", "first", lambda evidence: [Meeting("a", "b", [cell("a", "b")], Printed(50, 0, 100))])
    made: Any = SimpleNamespace(tables={})
    found = table.html(made)
    assert found.count("<summary>") == 1
    assert "printed: 50/0" in found


def test_a_table_says_what_is_to_be_thought_of_it() -> None:
    text = Page(SimpleNamespace(is_judged=True)).document(
        "# A title\n\n{{ table(['', 'x'], rows) }}",
        {"rows": [["row", Beside(known("", SHARE, STEADY), 0.2)]]},
    )
    assert '<p class="note">Verdict on 1 reported number: 1 differs. By chance alone, hardly any of the number' in text


def test_odd_figures_and_figures_that_differ_are_counted_apart() -> None:
    alike = [Asked(0.5, SHARE, (), 100, 100, each) for each in [0.0001, 0.04, *[0.5] * 38]]
    found, words = judge(alike)
    assert [found.count(each) for each in (DIFFERS, BORDERLINE, AGREES)] == [1, 1, 38]
    assert words == (
        "Verdicts on 40 reported numbers: 38 agree, 1 differs and 1 is borderline (p < 0.05 before correction). "
        "By chance alone, about 2 of 40 numbers would have p < 0.05."
    )
    assert judge(alike[2:])[1] == "Verdicts on 38 reported numbers: 38 agree."


def test_whether_an_original_as_a_whole_could_be_ours() -> None:
    ours = [[0.5 + 0.01 * ((7 * run + 3 * place) % 20) for run in range(20)] for place in range(4)]
    far = [*([0.6] * 3), 0.9]
    figures = [Beside(known("", SHARE, values), printed, 200) for values, printed in zip(ours, far, strict=True)]
    evidence: Any = SimpleNamespace(is_judged=True)
    words = with_verdicts(figures, evidence).words
    assert "1 differs" in words
    assert words.endswith("from the other training runs as the original. However, at least one single number differs.")
    words = with_verdicts([replace(each, printed=0.05) for each in figures], evidence).words
    assert words.endswith(
        "none of our 20 training runs is at least as far from the other training runs as the original."
    )
    alike = [replace(each, printed=0.6) for each in figures]
    words = with_verdicts(alike, evidence).words
    assert words.startswith(
        "Verdicts on 4 reported numbers: 4 agree. Taken together, the original numbers do not differ "
    )
    assert words.endswith(" of our 20 training runs are at least as far from the other training runs as the original.")
    mixed = [replace(each, recipe=recipe) for each, recipe in zip(alike, "aabb", strict=True)]
    assert with_verdicts(mixed, evidence).words == "Verdicts on 4 comparisons with reported numbers: 4 agree."
    computed = [replace(each, origin="computed") for each in alike]
    assert with_verdicts(computed, evidence).words.startswith("Verdicts on 4 original numbers: 4 agree.")
    assert "computed: 60.0%" in shown(computed[0], evidence)


@pytest.mark.parametrize(
    ("shares", "percents"),
    [
        ((0.345, 0.335, 0.32), [35, 33, 32]),
        ((0.005, 0.005, 0.99), [1, 0, 99]),
        ((1 / 3, 1 / 3, 1 / 3), [34, 33, 33]),
        ((0.25, 0.25, 0.5), [25, 25, 50]),
        ((0.995, 0.995), [100, 100]),
    ],
)
def test_shares_of_one_whole_add_up_to_100(shares: tuple[float, ...], percents: list[int]) -> None:
    assert whole_percents(shares) == percents
