"""The evaluation of British Square by open squares, beside a count by hand, and players that go by it."""

from __future__ import annotations

import petteia
from petteia.features.british_square_open import OpenSquares
from petteia.features.check import check_evaluation
from petteia.features.evaluations import evaluation_for
from petteia.features.margin_so_far import MarginSoFar


def test_squares_counted_by_hand() -> None:
    """The first player's stone on c3 takes its four neighbours from the second; the second has none on the board."""
    rules = petteia.game("british-square:centre_ban=no")
    position = petteia.position(rules, "...../...../..x../...../..... o")
    assert OpenSquares().evaluate(rules, position.state) == 24 - 20


def test_it_keeps_the_promises_of_an_evaluation() -> None:
    rules = petteia.game("british-square")
    assert all(result.passed for result in check_evaluation(rules, OpenSquares(), games=20))


def test_it_is_found_by_name_and_is_not_the_default() -> None:
    rules = petteia.game("british-square")
    assert evaluation_for(rules, "open-squares") == OpenSquares()
    assert isinstance(evaluation_for(rules), MarginSoFar)


def test_who_goes_by_it_is_stronger_than_by_the_margin() -> None:
    result = petteia.match("british-square", "greedy:evaluation=open-squares", "greedy", games=200)
    assert result.low > 0.6
