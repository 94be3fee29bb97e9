"""Rules of users that fail late in a game: the page says what has failed, and where."""

from __future__ import annotations

import re
import sys
from html import unescape
from pathlib import Path

import pytest
from own_drawings import GAME

pytest.importorskip("fastapi", reason="the page needs the extra `web`")

from pages import begin, choices, choose, client_of

from petteia.foreign.trust import allow
from petteia.web.allowed import Allowed

LATE = GAME.replace("state.number == 3", "state.number == 40").replace("Limits(2, 2, 3)", "Limits(2, 2, 40)")
"""The game of `own_drawings` with forty plies, of which a first look sees twenty."""
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
