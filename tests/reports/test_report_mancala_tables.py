"""Report M: what its tables and its page say of made-up evidence."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from flat_options import made_settings
from made_up_scores import BY_EVERY, PRINTED, Made, scores

from petteia.arena.statistics import Interval
from petteia.reports import mancala
from petteia.reports.engine.estimates import SHARE
from petteia.reports.engine.figures import known
from petteia.reports.engine.rules import NOT_JUDGED
from petteia.reports.mancala import tables
from petteia.reports.mancala.plan import OWN


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (scores(PRINTED, 0.7), "within the scatter of learning by own plies, outside"),
        (scores(BY_EVERY, 0.7), "within the scatter of learning by every ply, outside"),
        (scores(PRINTED | BY_EVERY), "within the scatter of both"),
        (scores({}), "outside the scatter of both"),
        (Made(lambda *names: 0.9, seeds=2), "cannot be told"),
    ],
)
def test_which_reading(made: Made, said: str) -> None:
    assert said in mancala.which_reading(made)
    made.is_judged = False
    assert "is not judged at this scale" in mancala.which_reading(made)


def test_how_far_a_reading_is_from_print() -> None:
    evidence: Any = scores({}, 0.9)
    expected = [abs(90 - each) for each in (85, 60, 91, 84, 87, 82, 90, 89, 91, 89)]
    assert tables.distance(evidence, OWN) * 100 == pytest.approx(np.mean(expected), abs=1)


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
    better = {("greedy1", "greedy2"), ("greedy2", "greedy3"), ("greedy3", "greedy1")}
    made = scores(dict.fromkeys(better, 0.7), 0.4)
    assert tables.circles(made) == [("greedy1", "greedy2", "greedy3")]
    assert tables.circles(scores({})) == []


def test_whom_a_learner_meets() -> None:
    settings = [made_settings(opponent=each, games=100) for each in ("self", "self:every=77", "random")]
    assert [mancala.met_by(SimpleNamespace(configuration=each)) for each in settings] == [
        *("the learner as it is", "the learner as it was up to 77 games before", "random")
    ]
