"""What report M computes beyond its tables is kept as it is computed: killed at any moment, it goes on."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from petteia.analysis.direct_search import DirectSearch
from petteia.arena.statistics import Interval
from petteia.games.kalah import NOBODY, Kalah
from petteia.learn.cross_entropy import Generation
from petteia.learned.report_weights import REPORT_RULES, report_weights
from petteia.reports.engine.work import Work
from petteia.reports.mancala import behaviour, beyond


@pytest.fixture
def evidence(tmp_path: Path) -> Any:
    """Evidence with one training, of which only the place and the weights are known."""
    training = SimpleNamespace(run=SimpleNamespace(path=tmp_path / "runs" / "one"))
    return SimpleNamespace(
        work=Work(tmp_path, "paper", None, 1, lambda *words: None),
        rules=REPORT_RULES,
        seeds=1,
        trainings=lambda setting: [training],
        learned=lambda training: SimpleNamespace(weights=report_weights()),
    )


def generation(number: int) -> Generation:
    return Generation(np.full(40, 0.1 * number), np.full(40, 0.5), 0.9, 0.25 * number)


def test_a_search_goes_on_with_the_generations_that_are_known(evidence: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    known: list[list[float]] = []

    def search(rules: Any, features: str, *, done: Any, progress: Any, **options: Any) -> DirectSearch:
        known.append([each.elite for each in done])
        for number in range(len(done) + 1, 4):
            if number == 3 and len(known) == 1:
                raise KeyboardInterrupt
            progress(generation(number))
        return DirectSearch(np.ones(40), Interval(0.9, 0.8, 1.0), Interval(0.8, 0.7, 0.9), 3, 300, [0.5])

    monkeypatch.setattr(beyond, "direct_search", search)
    with pytest.raises(KeyboardInterrupt):
        beyond._direct(evidence)
    found = beyond._direct(evidence)
    assert known == [[], [0.25, 0.5]]
    monkeypatch.setattr(beyond, "direct_search", None)
    again = beyond._direct(evidence)
    assert (again.first, again.second, again.curve) == (found.first, found.second, [0.5])
    assert again.weights.tolist() == [1.0] * 40


def test_players_are_watched_once(evidence: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    shares = {"won": 0.5, "starved": 0.25, "was_starved": 0.0, "stuffed": 1.0, "won_starving": None}
    monkeypatch.setattr(behaviour, "treatment_of", lambda *arguments: shares)
    monkeypatch.setattr(behaviour, "course", lambda *arguments: behaviour.Course(5, Interval(0.1, 0.0, 0.3), 8, 0.25))
    found = beyond._treatment(evidence), beyond._watched(evidence)
    monkeypatch.setattr(behaviour, "treatment_of", None)
    monkeypatch.setattr(behaviour, "course", None)
    again = beyond._treatment(evidence), beyond._watched(evidence)
    assert again == found
    assert found[0] == ([shares], shares)
    assert found[1].long_chains == (0.1, 0.0, 0.3)


@pytest.mark.slow
def test_a_small_board_is_solved_once(evidence: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    agent = SimpleNamespace(run=SimpleNamespace(path=Path("nobody")))
    monkeypatch.setattr(beyond, "_small_training", lambda *arguments: agent)
    monkeypatch.setattr(beyond, "_players", lambda agents: {"random": "random", "greedy1": "greedy:depth=1"})
    monkeypatch.setattr(beyond, "SAMPLE", 50)
    found = beyond._small_board(evidence, 2, 2)
    assert [each.player for each in found.judged] == ["random", "greedy1"]
    assert found.judged[0].mean >= found.judged[1].mean >= 0
    monkeypatch.setattr(beyond, "build", None)
    assert beyond._small_board(evidence, 2, 2) == found
    monkeypatch.setattr(beyond, "_players", lambda agents: {"heuristic": "heuristic"})
    assert [each.player for each in beyond._small_board(evidence, 2, 2).judged] == ["heuristic"], "the table is kept"


def test_endings_are_searched_once(evidence: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    evidence.rules = Kalah(3, 2, leftovers=NOBODY)
    monkeypatch.setattr(beyond, "_players", lambda agents: {"random": "random"})
    monkeypatch.setattr(beyond, "ENDINGS", 4)
    found = beyond._endings(evidence)
    assert [each.positions for each in found.judged] == [4]
    monkeypatch.setattr(beyond, "find_endings", None)
    monkeypatch.setattr(beyond, "_players", lambda agents: {"greedy1": "greedy:depth=1"})
    assert [each.positions for each in beyond._endings(evidence).judged] == [4]
