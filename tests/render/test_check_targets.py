"""What `petteia check` says of a game whose board cannot be clicked as it tells."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from own_drawings import GAME

from petteia.games import game
from petteia.render import board_svg
from petteia.render.check import check_drawing

SVG = """
def svg(rules, state):
    return '<svg viewBox="0 0 100 100"></svg>'

def targets(rules, state):
    return {told}
"""
SQUARES = """
    def content_kinds(rules): return 2
    def contents(rules, state, out):
        for square in range(6):
            out[square] = 0
        return 6
    def step_codes(rules): return 6
    def steps(rules, state, move, out):
        out[0] = move
        return 1
"""
SHAPE = """
    def shape(rules): return {told}
"""


def told_of(folder: Path, text: str) -> list[tuple[str, bool, str]]:
    """What the check says of the game with this text after its own."""
    Path(folder / "clicked_pass.py").write_text(GAME + text)
    try:
        return [(each.name, each.passed, each.message) for each in check_drawing(game("clicked_pass:Pass"))]
    finally:
        sys.modules.pop("clicked_pass")


@pytest.fixture(autouse=True)
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    monkeypatch.setattr(sys, "dont_write_bytecode", True)


@pytest.mark.parametrize(
    ("told", "fault"),
    [
        ('{0: (0, 0, 50, 50, "a"), 1: (50, 0, 50, 50, "b")}', ""),
        ('{0: (0, 0, 50, 50, "a"), 1: "b"}', ""),
        ('{0: (0, 0, 50, 50, "a"), 1: (60, 0, 50, 50, "b")}', "the box of 'b' lies outside the viewBox"),
        ('{0: (0, 0, 50, 50, "a"), 1: (40, 40, 50, 50, "b")}', "'a' and 'b' overlap"),
        ('{0: (0, 0, 50, 50, "a"), 1: (50, 0, 6, 50, "b")}', "fewer than 24 pixels on a screen 360 pixels wide"),
        ('{0: (0, 0, 50, 50, "a"), 1: (50, 0, 50, 50, "a")}', "the label 'a' occurs twice"),
        ('{0: (0, 0, 50, 50, "a")}', "the result of `targets` lacks step 1, which a legal move contains"),
        ('{0: (0, 0, 50, 50, "a"), 1: (50, 0)}', "must be the code of a step, with (x, y, width, height, label)"),
        ('{0: "a", 1: state.board}', "raised AttributeError"),
        ("[]", "must return a dictionary"),
    ],
)
def test_the_check_names_what_is_wrong_with_targets(tmp_path: Path, told: str, fault: str) -> None:
    svg, targets = told_of(tmp_path, SVG.format(told=told))
    assert svg == ("drawing: svg", True, "")
    assert targets[:2] == ("drawing: targets", not fault)
    assert fault in targets[2]


@pytest.mark.parametrize(
    ("verbs", "fault"),
    [
        (SQUARES + SHAPE.format(told="(2, 3)"), ""),
        (SQUARES + SHAPE.format(told="(2, 2)"), "which means 4 squares, but `contents` writes 6"),
        (SQUARES + SHAPE.format(told="(0, 6)"), "must be (rows, columns)"),
        (SQUARES + SHAPE.format(told="6"), "must be (rows, columns)"),
        (SQUARES + SHAPE.format(told="rules.width, 3"), "the method `shape` raised AttributeError"),
        (SHAPE.format(told="(2, 3)"), "defines the method `shape`, but not contents and content_kinds and steps"),
        (
            SQUARES.replace("6", "20") + SHAPE.format(told="(1, 20)"),
            "fewer than 24 pixels on a screen 360 pixels wide",
        ),
    ],
)
def test_the_check_names_what_is_wrong_with_a_shape(tmp_path: Path, verbs: str, fault: str) -> None:
    (shape,) = told_of(tmp_path, verbs)
    assert shape[:2] == ("drawing: shape", not fault)
    assert fault in shape[2]


def test_a_shape_that_is_wrong_is_told_below_the_board(tmp_path: Path) -> None:
    Path(tmp_path / "clicked_pass.py").write_text(GAME + SQUARES + SHAPE.format(told="(0, 6)"))
    rules = game("clicked_pass:Pass")
    sys.modules.pop("clicked_pass")
    assert "the board is not drawn as a grid: the method `shape` returned (0, 6)" in board_svg(rules, rules.initial())
