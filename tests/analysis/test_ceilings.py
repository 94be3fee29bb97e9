"""How often random play can be beaten at all: against a slow recursion in fractions."""

from __future__ import annotations

import functools
from fractions import Fraction
from typing import Any

import pytest
from raised_errors import one_line
from tiny_games import DiceRace

from petteia import game
from petteia.analysis.ceilings import WAYS, ceilings
from petteia.core.errors import UsageError
from petteia.core.protocol import initial, is_over, legal, margin, play, to_move
from petteia.games.british_square import BritishSquare

GAMES = (
    "british-square:size=3",
    "british-square:size=3,end=first_blocked,centre_ban=no",
    "british-square:size=2,end=any_blocked",
    "petteia.games.tic_tac_toe:TicTacToe",
    "kalah:pits=2,seeds=2",
)


def slow(rules: Any, side: int, way: str) -> tuple[Fraction, Fraction, Fraction]:
    """Probability to win, mean number of moves, and what they give away in the mean, by recursion from the start."""
    sign = 1 - 2 * side

    @functools.cache
    def truth(state: Any) -> int:
        if is_over(rules, state):
            return sign * margin(rules, state)
        best = max if to_move(rules, state) == side else min
        return int(best(truth(play(rules, state, move)) for move in legal(rules, state)))

    @functools.cache
    def follow(state: Any) -> tuple[Fraction, Fraction, Fraction]:
        if is_over(rules, state):
            return Fraction(sign * margin(rules, state) > 0), Fraction(0), Fraction(0)
        after = [play(rules, state, move) for move in legal(rules, state)]
        mine = to_move(rules, state) == side
        if mine and way != "best":
            after = [each for each in after if truth(each) == truth(state)]
        if mine and way != "any_faultless":
            after = [max(after, key=lambda each: (follow(each)[0], truth(each)))]
        parts = [
            (won, moves + mine, regret + (truth(state) - truth(each) if mine else 0))
            for each in after
            for won, moves, regret in [follow(each)]
        ]
        won, moves, regret = (sum(column, Fraction(0)) / len(parts) for column in zip(*parts, strict=True))
        return won, moves, regret

    return follow(initial(rules))


@pytest.mark.parametrize("text", GAMES)
@pytest.mark.parametrize("side", [0, 1])
def test_as_a_slow_recursion(text: str, side: int) -> None:
    rules = game(text)
    for way, ours in zip(WAYS, ceilings(rules)[side], strict=True):
        won, moves, regret = slow(rules, side, way)
        assert ours.way == way
        assert ours.won == pytest.approx(float(won), abs=1e-9)
        if way == "any_faultless":  # elsewhere ties of what is best may be broken otherwise
            assert ours.moves == pytest.approx(float(moves), abs=1e-9)
            assert ours.regret == 0.0
        if way == "best":
            assert (ours.regret == 0.0) == (regret == 0)


def test_who_strictly_alternates_first_cannot_be_beaten() -> None:
    """Under `first_blocked` stones alternate, so the second player never has more of them."""
    rules = BritishSquare(4, 1, 0)
    assert [each.won for each in ceilings(rules)[1]] == [0.0, 0.0, 0.0]
    assert 0.9 < ceilings(rules)[0][0].won < 1.0


def test_what_cannot_be_solved_is_refused_in_one_line() -> None:
    with pytest.raises(UsageError) as error:
        ceilings("british-square:size=7")
    one_line(error, "a game can be solved only if its method `injective` returns True")
    with pytest.raises(UsageError) as error:
        ceilings(DiceRace())
    one_line(error, "has chance nodes; choose a game without chance nodes")
