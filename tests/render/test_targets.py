"""Where drawings are clicked: what games say of it, and what is wrong with it."""

from __future__ import annotations

from typing import Any

import pytest

from petteia.checking.sample import draw_sample
from petteia.core.protocol import initial, legal, parse_state, play
from petteia.core.steps import continuations, steps_of
from petteia.games import game
from petteia.games.kalah import Kalah
from petteia.render import board_svg, kalah
from petteia.render.targets import error_in, missing_step, targets

GAMES = [
    *("kalah", "kalah:pits=1", "kalah:pits=7", "hare-and-hounds", "british-square", "british-square:size=7"),
    *("amazons:width=4,height=4", "amazons", "amazons:rabbits=1"),
]
VIEW = '<svg viewBox="0 0 100 100"></svg>'


@pytest.mark.parametrize("name", GAMES)
def test_every_step_of_every_move_has_a_target(name: str) -> None:
    rules = game(name)
    for visit in draw_sample(rules, games=1).visits[:12]:
        told, note = targets(rules, visit.state, board_svg(rules, visit.state))
        assert note == ""
        assert missing_step(rules, visit.state, told) is None


@pytest.mark.parametrize("name", GAMES)
def test_steps_lead_to_each_move_and_to_no_other(name: str) -> None:
    rules = game(name)
    state = initial(rules)
    for move in legal(rules, state)[::97]:
        begun: tuple[int, ...] = ()
        for step in steps_of(rules, state, move):
            found = continuations(rules, state, begun)
            begun = (*begun, step)
        assert found[begun[-1]] == move
    assert continuations(rules, state, (10**6,)) == {}


@pytest.mark.parametrize(
    ("told", "words"),
    [
        ({0: (0, 0, 50, 50, "a"), 1: (50, 0, 50, 50, "b"), 2: "pass"}, ""),
        ({0: (0, 0, 50, 50, "a"), 1: (49, 0, 50, 50, "b")}, "the boxes of 'a' and 'b' overlap"),
        ({0: (60, 0, 50, 50, "a")}, "the box of 'a' lies outside the viewBox"),
        ({0: (0, 0, 5, 50, "a")}, "the box of 'a' is too small"),
        ({0: (0, 0, 50, 50, "a"), 1: (50, 0, 50, 50, "a")}, "the label 'a' occurs twice"),
        ({0: "a", 1: "a"}, "the label 'a' occurs twice"),
        ({0: (0, 0, 50, 50)}, "`targets` returned the entry 0: (0, 0, 50, 50); entries must be"),
        ({"a": (0, 0, 50, 50, "a")}, "`targets` returned the entry 'a'"),
        ({0: ""}, "`targets` returned the entry 0: ''"),
        ({0: (float("nan"), 0, 50, 50, "a")}, "the box of 'a' lies outside the viewBox"),
    ],
)
def test_what_is_wrong_with_targets_is_told(told: dict[Any, Any], words: str) -> None:
    assert error_in(told, VIEW).startswith(words)
    assert bool(words) == bool(error_in(told, VIEW))


def test_targets_need_a_view_box() -> None:
    assert error_in({0: "pass"}, "<svg></svg>").startswith("the drawing has no viewBox")


def test_a_sowing_is_shown_stone_by_stone() -> None:
    """The last picture is the position that the move leads to, but for a capture."""
    rules = Kalah()
    for visit in draw_sample(rules, games=2).visits:
        for move in visit.moves:
            falling = list(kalah._falling(rules, visit.state, move))
            after = play(rules, visit.state, move)
            assert len(kalah.frames(rules, visit.state, move)) == len(falling)
            if kalah._sow(rules, visit.state, move).taken == 0:
                assert falling[-1][:4] == after[:4]
    state = parse_state(rules, "0,0,0,0,0,13,11/4,4,4,4,4,4,0 s")
    assert len(kalah.frames(rules, state, 5)) == 13
