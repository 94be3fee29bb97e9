"""What report M computes beyond its tables is kept as it is computed: killed at any moment, it goes on."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.work import Work
from petteia.reports.mancala import ablation, boards, further
from petteia.reports.mancala.plan import GAME
from petteia.value_functions.report_weights import report_weights


class Alone(Evidence):
    """Evidence of which only the last weights of a training run are known, whichever that is."""

    def learned(self, training: Any) -> Any:
        weights = report_weights()
        history = np.tile(weights, (20, 1)) + np.arange(20)[:, None] / 100
        return SimpleNamespace(weights=weights, history=history, history_games=np.arange(1, 21), games=20)


def evidence_in(folder: Path, game: str = GAME) -> Alone:
    return Alone(game, Work(folder, "paper", None, 1, lambda *words: None), {})


def test_how_weights_swing_is_kept_for_these_trainings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[Any, ...]] = []

    def settling(*paths: Any, **options: Any) -> Any:
        asked.append(paths)
        return SimpleNamespace(rows=[], with_inflation=0.5, with_frequency=-0.5)

    monkeypatch.setattr(further, "settling", settling)
    monkeypatch.setattr(Work, "place_of", lambda self, training: training.run.path)
    one, other = (SimpleNamespace(run=SimpleNamespace(path=name)) for name in ("one", "other"))
    monkeypatch.setattr("petteia.reports.engine.kept.Training", SimpleNamespace)
    for trainings in ((one, other), (one, other), (one,)):
        made: Any = trainings
        assert further.swings_of(evidence_in(tmp_path), made, 5) == ([], 0.5, -0.5)
    assert asked == [("one", "other"), ("one",)]


def test_endings_are_searched_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boards, "ENDINGS", 4)
    small = "kalah:pits=3,seeds=2,leftovers=nobody"
    assert boards.regret(evidence_in(tmp_path, small), "random").positions == 4
    monkeypatch.setattr(boards, "find_endings", None)
    assert boards.regret(evidence_in(tmp_path, small), "greedy:depth=1").positions == 4


def test_a_player_without_a_weight(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ablation, "GAMES", 4)
    evidence, training = evidence_in(tmp_path), "a training"
    made: Any = training
    as_learned, without = (ablation.without(evidence, made, *case) for case in (("", ""), ("constant", "set to 0")))
    assert as_learned == without, "what is added to all values decides nothing"
    assert 0 <= ablation.without(evidence, made, "south_to_move.south.play_options", "set to its mean") <= 1
