"""What report M computes beyond its tables is kept as it is computed: killed at any moment, it goes on."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from petteia.analysis.direct_search import DirectSearch
from petteia.arena.statistics import Interval
from petteia.learn.cross_entropy import Generation
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.work import Work
from petteia.reports.mancala import boards, questions
from petteia.reports.mancala.plan import GAME
from petteia.value_functions.report_weights import report_weights

SMALL = "kalah:pits=2,seeds=2,leftovers=nobody"


class Alone(Evidence):
    """Evidence of which only the last weights of a training run are known, whichever that is."""

    def learned(self, training: Any) -> Any:
        weights = report_weights()
        history = np.tile(weights, (20, 1)) + np.arange(20)[:, None] / 100
        return SimpleNamespace(weights=weights, history=history, history_games=np.arange(1, 21), games=20)


def evidence_in(folder: Path, game: str = GAME) -> Alone:
    return Alone(game, Work(folder, "paper", None, 1, lambda *words: None), {})


def generation(number: int) -> Generation:
    return Generation(np.full(40, 0.1 * number), np.full(40, 0.5), 0.9, 0.25 * number)


def test_a_search_goes_on_with_the_generations_that_are_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    known: list[list[float]] = []

    def search(rules: Any, features: str, *, done: Any, progress: Any, **options: Any) -> DirectSearch:
        known.append([each.elite for each in done])
        for number in range(len(done) + 1, 4):
            if number == 3 and len(known) == 1:
                raise KeyboardInterrupt
            progress(generation(number))
        return DirectSearch(np.ones(40), Interval(0.9, 0.8, 1.0), Interval(0.8, 0.7, 0.9), 3, 300, [0.5])

    monkeypatch.setattr(questions, "direct_search", search)
    start: Any = "a training"
    with pytest.raises(KeyboardInterrupt):
        questions.direct(evidence_in(tmp_path), start, 3)
    found = questions.direct(evidence_in(tmp_path), start, 3)
    assert known == [[], [0.25, 0.5]]
    monkeypatch.setattr(questions, "direct_search", None)
    assert questions.direct(evidence_in(tmp_path), start, 3) == found
    assert found == ([(0.9, 0.8, 1.0), (0.8, 0.7, 0.9)], 300, [0.5])


def test_how_weights_swing_is_kept_for_these_trainings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[Any, ...]] = []

    def settling(*paths: Any, **options: Any) -> Any:
        asked.append(paths)
        return SimpleNamespace(rows=[], with_inflation=0.5, with_frequency=-0.5)

    monkeypatch.setattr(questions, "settling", settling)
    monkeypatch.setattr(Work, "place_of", lambda self, training: training.run.path)
    one, other = (SimpleNamespace(run=SimpleNamespace(path=name)) for name in ("one", "other"))
    monkeypatch.setattr("petteia.reports.engine.evidence.Training", SimpleNamespace)
    for trainings in ((one, other), (one, other), (one,)):
        made: Any = trainings
        assert questions.swings_of(evidence_in(tmp_path), made, 5) == ([], 0.5, -0.5)
    assert asked == [("one", "other"), ("one",)]


@pytest.mark.slow
def test_a_small_board_is_solved_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boards, "SAMPLE", 50)
    evidence = evidence_in(tmp_path)
    random, greedy = (boards.regret(evidence, SMALL, name) for name in ("random", "greedy:depth=1"))
    assert random.mean >= greedy.mean >= 0
    assert boards.facts(evidence, SMALL, 50)[2] == random.positions
    monkeypatch.setattr(boards, "build", None)
    again = evidence_in(tmp_path)
    assert boards.regret(again, SMALL, "random") == random
    assert boards.regret(again, SMALL, "heuristic").mean >= 0, "the solution is kept"


def test_small_trainings_are_begun_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boards, "SMALL_GAMES", 100)
    monkeypatch.setattr(Alone, "seeds", 2)
    first, again = (boards.small_trainings(evidence_in(tmp_path), SMALL) for _ in range(2))
    assert [each.run.path for each in first] == [each.run.path for each in again]
    assert [each.run.seed for each in first] == [1, 2]


def test_endings_are_searched_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boards, "ENDINGS", 4)
    small = "kalah:pits=3,seeds=2,leftovers=nobody"
    assert boards.regret(evidence_in(tmp_path, small), boards.LARGE, "random").positions == 4
    monkeypatch.setattr(boards, "find_endings", None)
    assert boards.regret(evidence_in(tmp_path, small), boards.LARGE, "greedy:depth=1").positions == 4


def test_a_player_without_a_weight(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boards, "ENDINGS", 4)
    monkeypatch.setattr(questions, "ABLATED", 4)
    evidence, training = evidence_in(tmp_path), "a training"
    made: Any = training
    as_learned, without = (questions.without(evidence, made, *case) for case in (("", ""), ("constant", "set to 0")))
    assert as_learned == without, "what is added to all values decides nothing"
    other = questions.without(evidence, made, "south_to_move.south.play_options", "set to its mean")
    assert set(other) == set(questions.FIELDS)
