"""Rules of users that fail late in a game: the page says what has failed, and where."""

from __future__ import annotations

import importlib
import re
import sys
import time
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest
from own_drawings import GAME

pytest.importorskip("fastapi", reason="the page needs the extra `web`")

from fastapi.testclient import TestClient
from pages import address, begin, choices, choose, client_of

from petteia.core.errors import PetteiaError
from petteia.foreign.trust import allow
from petteia.web.allowed import Allowed
from petteia.web.time_limit import limited

LATE = GAME.replace("state.number == 3", "state.number == 40").replace("Limits(2, 2, 3)", "Limits(2, 2, 40)")
"""The game of `own_drawings` with forty plies, of which a first look sees twenty."""
TOO_SLOW = r"moves \(endless.py, line \d+\) took longer than 0.5 seconds"
FAULTS = {
    "late_margin": (
        "def margin(rules, state): return 0",
        "def margin(rules, state): return 1 // (state.number - 40)",
        r"Pass.margin \(late_margin.py, line \d+\) raised ZeroDivisionError: ",
    ),
    "late_play": (
        "return Ply(state.number + 1, move)",
        "return Ply(state.number + (1 if state.number < 35 else rules.none), move)",
        r"Pass.play \(late_play.py, line \d+\) raised AttributeError: ",
    ),
    "late_move": (
        'return "ab"[move]',
        'return "ab"[move + state.number // 30]',
        r"Pass.format_move \(late_move.py, line \d+\) raised IndexError: ",
    ),
    "late_score": (
        "def margin(rules, state): return 0",
        "def margin(rules, state): return 0\n    def final_score(rules, state): return 7",
        r"'ply/40a': final_score returned 7; must be two whole numbers",
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_late_faults_are_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    right, wrong, told = FAULTS[name]
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / f"{name}.py").write_text(LATE.replace(right, wrong).replace("range(4)", "range(41)"))
    allow([name])
    with client_of(tmp_path / "games", Allowed(frozenset([name]))) as client:
        answer = begin(client, f"{name}:Pass")
        while answer.status_code == 200 and (steps := choices(answer.text)):
            answer = choose(client, answer, steps[0])
        assert answer.status_code == 422
        found = re.search(r'role="alert"[^>]*>([^<]*)<', answer.text)
        assert found
        assert re.search(told, unescape(found[1]))
        assert str(tmp_path) not in answer.text
    sys.modules.pop(name, None)


@pytest.fixture
def limits(monkeypatch: pytest.MonkeyPatch) -> None:
    for limit, seconds in (("time_limit.SECONDS", 0.5), ("time_limit.INTERVAL", 0.05), ("pictures.SECONDS", 0.5)):
        monkeypatch.setattr(f"petteia.web.{limit}", seconds)


@pytest.fixture
def client(limits: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    """A server with a game whose moves never end in the position after 23 plies."""
    monkeypatch.syspath_prepend(tmp_path)
    endless = LATE.replace("out[0] = 0", "while state.number == 23: pass\n        out[0] = 0")
    (tmp_path / "endless.py").write_text(endless.replace("range(4)", "range(41)"))
    allow(["endless"])
    with client_of(tmp_path / "games", Allowed(frozenset(["endless"]))) as made:
        yield made
    sys.modules.pop("endless", None)


def test_rules_that_never_end_are_a_sentence_and_harm_no_other_game(client: TestClient) -> None:
    answer = begin(client, "endless:Pass")
    while answer.status_code == 200 and (steps := choices(answer.text)):
        answer, last = choose(client, answer, steps[0]), answer
    for _ in range(2):  # nothing holds the lock of the game
        assert answer.status_code == 422
        assert re.search(TOO_SLOW, unescape(answer.text))
        answer = client.get(address(last))
    assert begin(client, "hare-and-hounds").status_code == 200


def test_a_program_whose_rules_never_end_is_a_sentence(client: TestClient) -> None:
    answer = begin(client, "endless:Pass", second="simple")
    for _ in range(500):
        if re.search(TOO_SLOW, unescape(answer.text)):
            break
        steps = choices(answer.text)
        answer = choose(client, answer, steps[0]) if steps else client.get(address(answer))
        time.sleep(0.02)
    assert re.search(TOO_SLOW, unescape(answer.text))


def test_a_call_that_never_ends_is_an_error(limits: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "endless_moves.py").write_text("def moves():\n    while True:\n        pass\n")
    module = importlib.import_module("endless_moves")
    with pytest.raises(PetteiaError, match=r"moves \(endless_moves.py, line \d\) took longer than 0.5 seconds"):
        limited(module.moves)
    assert limited(lambda: 7) == 7
