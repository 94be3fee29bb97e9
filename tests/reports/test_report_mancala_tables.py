"""Report M: what its tables and its page say of made-up evidence."""

from __future__ import annotations

import tomllib
from itertools import permutations
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from flat_options import made_settings
from made_up_scores import cell, scores

from petteia.arena.statistics import Interval
from petteia.experiments.source import shipped
from petteia.experiments.tournament.comparison import agreement
from petteia.reports import mancala
from petteia.reports.engine.estimates import SHARE
from petteia.reports.engine.figures import known
from petteia.reports.engine.rules import NOT_JUDGED
from petteia.reports.mancala import figures, published, tables
from petteia.reports.mancala.plan import BASELINES, BASIC, OWN, PLAYERS, READ


def test_how_far_a_reading_is_from_print() -> None:
    evidence: Any = scores({}, 0.9)
    expected = [abs(90 - each) for each in (85, 60, 91, 84, 87, 82, 90, 89, 91, 89)]
    assert tables.distance(evidence, OWN) * 100 == pytest.approx(np.mean(expected), abs=1)


def test_cells_that_the_printed_weights_do_not_explain() -> None:
    evidence: Any = scores({("theta:agent=report,depth=1", "heuristic"): 1.0})
    said = mancala.differing(evidence, *tables.AUTHORS)
    assert "theta2 against heuristic (100/0)" in said
    assert "greedy4 against theta5 (3/3)" in said
    assert "theta1 against heuristic" not in said, "it agrees"


@pytest.mark.parametrize(("wins", "is_usual"), [(60, True), (30, False)])
def test_which_likelihood_is_usual(wins: int, is_usual: bool) -> None:
    published = (wins, 0, 100 - wins)
    compared = [SimpleNamespace(cell=cell("a", "b", 0.6), published=published)] * 3
    theirs = 3 * agreement(cell("a", "b", 0.6).counts, published).log_likelihood
    tournament = SimpleNamespace(compared=compared, log_likelihood=theirs)
    evidence: Any = SimpleNamespace(tournaments={BASELINES: tournament}, is_judged=True)
    found = tables.usual_likelihood(evidence)
    assert (found.low < theirs < found.high + 0.5) is is_usual
    assert tables.baselines_fit(evidence) is is_usual
    evidence.is_judged = False
    assert tables.baselines_fit(evidence) is None


def test_matches_that_repeat_one_game() -> None:
    assert set(figures.DIFFERENT_AS_SECOND.values(scores({}))) == {0.01}


def test_a_cell_of_learners_is_not_judged_at_quick_scale() -> None:
    evidence: Any = scores({})
    assert NOT_JUDGED not in {each.verdict for each in tables.stages.found(evidence).cells}
    evidence.is_judged, evidence.tables = False, {}
    assert {each.verdict for each in tables.stages.found(evidence).cells} == {NOT_JUDGED}


def test_signs_that_change_and_circles(monkeypatch: pytest.MonkeyPatch) -> None:
    evidence: Any = scores({("heuristic", "greedy1"): 0.7, ("greedy1", "heuristic"): 0.4})
    with monkeypatch.context() as patch:
        low = known("", SHARE, Interval(0.3, 0.28, 0.32))
        patch.setattr(tables, "balanced", lambda *pair: low)
        changed = tables.changed_signs(evidence)
    assert changed[0][0] == "heuristic against greedy1"
    circle = {("greedy1", "greedy2"), ("greedy2", "greedy3"), ("greedy3", "greedy1")}
    assert figures.circles(scores(dict.fromkeys(circle, 0.7), 0.4), figures.balanced) == [
        ("greedy1", "greedy2", "greedy3")
    ]
    assert figures.circles(scores({}), figures.balanced) == []


def test_the_printed_tables_have_no_circle() -> None:
    known = tomllib.loads(shipped()[BASELINES])["published"]
    points = np.array(known["wins"]) + np.array(known["draws"]) / 2
    score = {(one, other): points[i, j] / 100 for i, one in enumerate(BASIC) for j, other in enumerate(BASIC)}
    for each in (published.THETA_FIRST, published.THETA_SECOND):
        score |= {pair: cell.score for pair, cell in each.cells.items()}
    better = {(a, b) for a, b in permutations(PLAYERS, 2) if score[a, b] > score[b, a]}
    assert len(better) > 40
    assert not [each for each in permutations(PLAYERS, 3) if {(*each[:2],), (*each[1:],), each[::-2]} <= better]


def test_training_runs_of_two_readings_are_not_judged_as_one() -> None:
    evidence: Any = scores({}, 0.9)
    assert {each.recipe for reading in READ for each in tables.in_course(reading)} == {"own plies", "every ply"}
    assert "comparisons with reported numbers" in tables.lower_only.html(evidence)
    assert "Taken together" not in tables.lower_only.html(evidence)


def test_scores_of_lambda_0_over_both_seats() -> None:
    assert all(each.mean(scores({}, 0.6)) == pytest.approx(0.5, abs=0.02) for each in figures.LAMBDA_0_OVER_SEATS)


def test_whom_a_learner_meets() -> None:
    settings = [made_settings(opponent=each, games=100) for each in ("self", "self:every=77", "random")]
    assert [mancala.met_by(SimpleNamespace(configuration=each)) for each in settings] == [
        *("the learner itself", "a copy of the learner that is updated every 77 games", "random")
    ]
