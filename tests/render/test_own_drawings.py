"""Drawings beside a user's game are used wherever those of the package are; without them, what can be is numbered."""

from __future__ import annotations

import re
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest
from own_drawings import DRAWINGS, GAME

import petteia
from petteia.cli import main
from petteia.core.protocol import initial, play
from petteia.games import game
from petteia.render import board_svg, board_text, move_text

PLAIN = "ply\n0a\n\nnumber 0   last 0"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    for name, drawing in DRAWINGS.items():
        Path(f"{name}_pass.py").write_text(GAME + drawing)
    yield
    for name in DRAWINGS:
        sys.modules.pop(f"{name}_pass", None)


def rules(name: str) -> Any:
    return game(f"{name}_pass:Pass")


def text(name: str, **options: bool) -> str:
    return board_text(rules(name), initial(rules(name)), **options)


def svg(name: str) -> str:
    return board_svg(rules(name), initial(rules(name)))


def test_own_drawings_are_used() -> None:
    own = rules("drawn")
    assert text("drawn") == "at 0"
    assert svg("drawn") == "<svg>0</svg>"
    assert move_text(own, initial(own), 1) == "from 0"
    assert move_text(own, initial(own), 0) is None
    board = petteia.position(own).play("b").board
    assert (repr(board), board._repr_svg_()) == ("at 1", "<svg>1</svg>")


def test_svg_may_take_the_move() -> None:
    own = rules("showing")
    start = initial(own)
    assert board_svg(own, play(own, start, 1), 1, start) == "<svg>1 1 Ply(number=0, last=0)</svg>"
    assert text("showing", moves=False) == PLAIN


def test_without_svg_the_text_is_drawn() -> None:
    drawn = ElementTree.fromstring(svg("with_text"))
    assert [line.text for line in drawn.iter("{http://www.w3.org/2000/svg}text")] == ["at <0>"]


def test_without_any_what_can_be_is_numbered() -> None:
    assert text("plain") == f"{PLAIN}\n\n   1: a   2: b"
    assert text("plain", moves=False) == PLAIN
    own = rules("plain")
    over = own.parse_state("ply/3b")
    assert board_text(own, over) == "ply\n3b\n\nnumber 3   last 1"
    assert "number 0   last 0" in svg("plain")


def test_what_is_no_drawing_is_left_alone() -> None:
    assert text("other", moves=False) == PLAIN
    assert "number 0   last 0" in svg("other")


def test_a_drawing_that_raises_is_a_line_and_the_default_is_used() -> None:
    said = r"the drawing function `text` failed: text \(failing_pass\.py, line \d+\) raised ZeroDivisionError: .*"
    assert re.fullmatch(rf"{re.escape(PLAIN)}\n\n{said}", text("failing", moves=False))
    assert "the drawing function `svg` failed: svg (failing_pass.py, line 39) raised AttributeError" in svg("failing")
    own = rules("failing")
    *_, last = (move_text(own, initial(own), 0) or "").splitlines()
    assert re.fullmatch(
        r"the drawing function `moved` failed: moved \(failing_pass\.py, line \d+\) raised KeyError: 'a\\nb'", last
    )


def test_a_drawing_that_is_none_is_told() -> None:
    assert text("wrong").endswith("\n\nthe drawing function `text` returned 7; it must return a string")
    assert (
        "the drawing function `svg` returned &#x27;a picture&#x27;; it must return a string that begins with &lt;svg"
        in svg("wrong")
    )


def test_a_game_is_played_with_its_drawing(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "drawn_pass:Pass", "--by", "simple", "--against", "simple", "--seed", "0"]) == 0
    assert "\nat 0\n" in capsys.readouterr().out
    assert main(["play", "failing_pass:Pass", "--by", "simple", "--against", "simple", "--seed", "0"]) == 0
    assert "the drawing function `text` failed" in capsys.readouterr().out


def test_the_check_draws(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    for name, rows in {
        "plain": [],
        "drawn": ["ok    drawing: text", "ok    drawing: svg", "ok    drawing: moved"],
        "failing": ["FAIL  drawing: text"],
        "other": [
            "ok    drawing: text: the function is ignored, because its parameters are (game, position); rename the "
            "parameters to (rules, state)"
        ],
    }.items():
        assert main(["check", f"{name}_pass:Pass"]) == (name == "failing")
        said = capsys.readouterr()
        assert [line for line in said.out.splitlines() if " drawing: " in line] == rows
        if name == "failing":
            assert said.err.startswith(
                "petteia: Pass, position 'ply/0a': the drawing function `text` failed: text (failing_pass.py, line"
            )


def test_a_game_of_ones_own_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games", "tiny_games:Nim:heaps=2"]) == 0
    shown = (
        "tiny_games:Nim: Players take any number of stones from one heap\n"
        "  played by first and second; options: heaps=2 (1..4), size=3 (1..15),\n"
        "    end=normal (normal / misere)\n"
    )
    assert capsys.readouterr().out == shown
    (row,) = petteia.list_games("plain_pass:Pass")
    assert (row.name, row.about, row.options) == ("plain_pass:Pass", "Two moves, three plies", "")
    (kalah,) = petteia.list_games("kalah")
    assert kalah == petteia.list_games()[0]
    assert main(["games", "kala"]) == 2
    assert "did you mean 'kalah'?" in capsys.readouterr().err
