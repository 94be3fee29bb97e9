"""Report M: what its tables and its page say of made-up evidence."""

from __future__ import annotations

import tomllib
from itertools import permutations
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from flat_options import made_settings
from made_up_scores import BY_EVERY, PRINTED, Made, cell, scores

from petteia.arena.statistics import Interval
from petteia.experiments.source import shipped
from petteia.experiments.tournament.comparison import agreement
from petteia.reports import mancala
from petteia.reports.engine.estimates import SHARE
from petteia.reports.engine.figures import known
from petteia.reports.engine.rules import NOT_JUDGED
from petteia.reports.engine.settings import Setting
from petteia.reports.mancala import figures, published, tables
from petteia.reports.mancala.plan import BASELINES, BASIC, OWN, PLAYERS
from petteia.value_functions.report_weights import report_weights


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (scores(PRINTED, 0.7), "within the scatter of learning by own plies, and outside"),
        (scores(BY_EVERY, 0.7), "within the scatter of learning by every ply, and outside"),
        (scores(PRINTED | BY_EVERY), "within the scatter of both"),
        (scores({}), "outside the scatter of both"),
        (Made(lambda *names: 0.9, seeds=2), "It is undecided which of the two readings"),
    ],
)
def test_which_reading(made: Made, said: str) -> None:
    assert said in mancala.which_reading(made)
    made.is_judged = False
    assert "The quick form of this page does not test which" in mancala.which_reading(made)


@pytest.mark.parametrize(
    ("own", "every", "said"),
    [
        (1.0, 1.5, "none differ from the weights learned by own plies and"),
        (1.0, 1.5, "So only learning by own plies fits the original weights"),
        (1.5, 1.0, "only learning by every ply fits the original weights"),
        (1.0, 1.0, "agree with both readings, and do not show which reading the students used"),
        (1.5, 1.5, "the original weights agree with neither reading"),
    ],
)
def test_which_reading_has_the_weights_of_the_report(own: float, every: float, said: str) -> None:
    made = scores({})
    scatter = 0.001 * np.random.default_rng(0).normal(size=(made.seeds, 40))

    def weights(setting: Setting) -> Any:
        return (own if setting == OWN else every) * report_weights() + scatter

    evidence: Any = made
    evidence.weights = weights
    assert said in mancala.which_weights(evidence)
    evidence.is_judged = False
    assert mancala.which_weights(evidence) == ""


def test_how_far_a_reading_is_from_print() -> None:
    evidence: Any = scores({}, 0.9)
    expected = [abs(90 - each) for each in (85, 60, 91, 84, 87, 82, 90, 89, 91, 89)]
    assert tables.distance(evidence, OWN) * 100 == pytest.approx(np.mean(expected), abs=1)


def test_cells_that_the_printed_weights_do_not_explain() -> None:
    evidence: Any = scores({("theta:agent=report,depth=1", "heuristic"): 1.0})
    said = mancala.differing(evidence, *tables.AUTHORS)
    assert "theta2-heuristic (100/0)" in said
    assert "greedy4-theta5 (3/3)" in said
    assert "theta1-heuristic" not in said, "it agrees"


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
    evidence: Any = scores({("heuristic", "theta3"): 0.0}, 1.0)
    assert figures.EXTREME_AS_SECOND.mean(evidence) > 0.9
    assert figures.EXTREME_AS_SECOND.mean(scores({})) < 0.1
    assert set(figures.DIFFERENT_AS_SECOND.values(evidence)) == {0.01}


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
    assert [each[:2] for each in changed][:1] == [("heuristic", "greedy1")]


def test_the_printed_tables_have_no_circle() -> None:
    known = tomllib.loads(shipped()[BASELINES])["published"]
    points = np.array(known["wins"]) + np.array(known["draws"]) / 2
    score = {(one, other): points[i, j] / 100 for i, one in enumerate(BASIC) for j, other in enumerate(BASIC)}
    for each in (published.THETA_FIRST, published.THETA_SECOND):
        score |= {pair: cell.score for pair, cell in each.cells.items()}
    better = {(a, b) for a, b in permutations(PLAYERS, 2) if score[a, b] > score[b, a]}
    assert len(better) > 40
    assert not [each for each in permutations(PLAYERS, 3) if {(*each[:2],), (*each[1:],), each[::-2]} <= better]


def test_whom_a_learner_meets() -> None:
    settings = [made_settings(opponent=each, games=100) for each in ("self", "self:every=77", "random")]
    assert [mancala.met_by(SimpleNamespace(configuration=each)) for each in settings] == [
        *("the learner itself", "the learner with its weights of up to 77 games before", "random")
    ]
