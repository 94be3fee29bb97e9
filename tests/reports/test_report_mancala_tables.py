"""Report M: what its tables and its page say of made-up evidence."""

from __future__ import annotations

from itertools import permutations
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from flat_options import made_settings
from made_up_scores import BY_EVERY, PRINTED, Made, cell, scores

from petteia.arena.statistics import Interval
from petteia.experiments.tournament.comparison import agreement
from petteia.reports import mancala
from petteia.reports.engine.estimates import SHARE
from petteia.reports.engine.figures import known
from petteia.reports.engine.printed import Printed
from petteia.reports.engine.rules import NOT_JUDGED
from petteia.reports.engine.settings import Setting
from petteia.reports.mancala import figures, own_games, tables
from petteia.reports.mancala.plan import BASELINES, BASIC, OWN
from petteia.value_functions.report_weights import report_weights

CIRCLE = {("greedy1", "greedy2"), ("greedy2", "greedy3"), ("greedy3", "greedy1")}


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
        (1.0, 1.5, "So only learning by own plies fits R's weights"),
        (1.5, 1.0, "only learning by every ply fits R's weights"),
        (1.0, 1.0, "agree with both readings, and do not show which reading R used"),
        (1.5, 1.5, "R's weights agree with neither reading"),
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


def test_cells_that_the_printed_weights_do_not_explain(monkeypatch: pytest.MonkeyPatch) -> None:
    evidence: Any = scores({("theta:agent=report,depth=1", "heuristic"): 1.0})
    cells = [(each.row, each.column) for each, _ in tables.differing(evidence, *tables.AUTHORS)]
    assert ("theta2", "heuristic") in cells
    assert ("greedy4", "theta5") in cells
    assert ("theta1", "heuristic") not in cells, "it agrees"
    monkeypatch.setattr(tables.figures, "drawing", lambda *pair: known("", SHARE, [0.5] * 3 + [0.01] * 7))
    rows = {row[0]: row for row in tables.far_off.rows(evidence)}
    assert [*rows] == ["-".join(pair) for pair in cells]
    assert rows["theta2-heuristic"][1:3] == ["100/0", "50.0/0.0"]
    assert rows["theta2-heuristic"][-1] == "3 of 10"
    monkeypatch.setattr(tables.figures, "drawing", lambda *pair: known("", SHARE, [0.49] * 10))
    found = {(each.row, each.column): (each, printed) for each, printed in tables.differing(evidence, *tables.AUTHORS)}
    assert tables.drawn_as_far(evidence, *found["theta2", "heuristic"]) == 0, "R has 100 %, the vector 50 %"


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


def test_players_that_win_as_second() -> None:
    evidence: Any = scores({("heuristic", "theta3"): 0.0}, 1.0)
    assert figures.winning_as_second(evidence) == [["theta3"]] * evidence.seeds
    every_game_won: Any = scores({}, 1.0)
    assert figures.winning_as_second(every_game_won)[0] == []
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
    made = scores(dict.fromkeys(CIRCLE, 0.7), 0.4)
    assert tables.circles(made) == [("greedy1", "greedy2", "greedy3")]
    assert tables.circles(scores({})) == []


def test_circles_in_the_printed_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    def meetings(better: dict[tuple[str, str], float]) -> Any:
        printed = ((*pair, Printed(100 * better.get(pair, 0.5), 0.0, 100)) for pair in permutations(BASIC, 2))
        cells = [SimpleNamespace(row=row, column=column, printed=each) for row, column, each in printed]
        return SimpleNamespace(found=lambda evidence: SimpleNamespace(cells=cells))

    evidence: Any = None
    monkeypatch.setattr(tables, "baselines", meetings({}))
    assert tables.printed_circles(evidence) == 0, "the printed tables of theta have none"
    monkeypatch.setattr(tables, "baselines", meetings(dict.fromkeys(CIRCLE, 0.6)))
    assert tables.printed_circles(evidence) == 2, (
        "these three, and greedy1, greedy2 and theta1, which beats greedy1 in print"
    )


def test_how_much_a_feature_usually_changes_the_value(monkeypatch: pytest.MonkeyPatch) -> None:
    weights = np.zeros((2, 40))
    weights[:, [0, 2, 9, 18]] = [[1.0, -2.0, 9.0, 3.0], [3.0, -4.0, 9.0, 5.0]]  # 9: a feature of the upper side
    monkeypatch.setattr(own_games, "moments_of", lambda evidence, training: [(0.5, 0.1)] * 40)
    evidence: Any = SimpleNamespace(weights=lambda setting: weights, trainings=lambda setting: [None])
    assert own_games.usual_effects(evidence) == pytest.approx((0.4, 0.3, 0.2))


def test_whom_a_learner_meets() -> None:
    settings = [made_settings(opponent=each, games=100) for each in ("self", "self:every=77", "random")]
    assert [mancala.met_by(SimpleNamespace(configuration=each)) for each in settings] == [
        *("the learner itself", "the learner with its weights of up to 77 games before", "random")
    ]
