"""Why a move is worse than the best one: lines that can be played, and the features in which their ends differ."""

from __future__ import annotations

import math

import pytest

import petteia
from petteia.arena.refutation import refutation
from petteia.core.errors import InvalidError
from petteia.core.protocol import play
from petteia.features.evaluation import evaluate
from petteia.features.linear import Linear
from petteia.games import game
from petteia.players import player


@pytest.mark.parametrize("text", ["theta:depth=3", "theta"])
def test_features_account_for_the_difference_of_both_ends(text: str) -> None:
    rules = game("kalah:pits=4,seeds=3")
    state = petteia.position(rules).play("2").state
    thinker = player(text, rules)
    analysis = petteia.best(rules, position=state, player=text, lines=4)
    for move in petteia.position(rules, state).moves:
        found = refutation(rules, state, thinker, analysis, move)
        assert found.best.moves[0] == analysis.move
        assert found.chosen.moves[0] == move
        for line in (found.best, found.chosen):
            assert len(line.states) == len(line.codes) + 1 == len(line.moves) + 1 > 2
            for code, before, after in zip(line.codes, line.states, line.states[1:], strict=False):
                assert play(rules, before, code) == after
        evaluation = thinker.evaluation
        assert isinstance(evaluation, Linear)
        worth = [evaluate(evaluation, rules, line.end) / evaluation.units for line in (found.best, found.chosen)]
        gained = math.fsum(each.gain for each in found.reasons) / evaluation.point
        assert gained == pytest.approx(worth[1] - worth[0], abs=1e-4)
        if move == analysis.move:
            assert found.best == found.chosen
            assert not found.reasons


def test_lines_to_the_end_of_the_game_are_not_compared_by_features() -> None:
    rules = game("kalah")
    state = petteia.position(rules, "0,0,0,0,0,2,23/0,0,0,0,2,1,20 s").state
    thinker = player("theta:depth=9", rules)
    analysis = petteia.best(rules, position=state, player="theta:depth=9")
    assert analysis.move is not None
    assert refutation(rules, state, thinker, analysis, analysis.move).reasons == ()


def test_exact_values_have_lines_and_no_features() -> None:
    rules = game("hare-and-hounds")
    position = petteia.position(rules)
    analysis = position.best("perfect")
    found = refutation(rules, position.state, None, analysis, analysis.lines[0].move)
    assert found.best == found.chosen
    assert found.reasons == ()


def test_a_move_of_which_nothing_is_known() -> None:
    rules = game("kalah")
    analysis = petteia.best(rules, player="search:depth=2", lines=1)
    with pytest.raises(InvalidError, match="analysis does not contain"):
        refutation(rules, petteia.position(rules).state, None, analysis, "nonsense")
