"""The checks of what a game says about margins find what is wrong."""

from __future__ import annotations

import pytest

import petteia
from petteia.checking.conformance import run_checks
from petteia.core.kernel import runs_plain
from petteia.games.kalah import Kalah, Position


class TooLow(Kalah):
    """Says that nobody can get ahead."""

    def margin_range(rules, state: Position) -> tuple[int, int]:
        return 0, 0


class Reversed(Kalah):
    """Gives the bounds the wrong way round."""

    def margin_range(rules, state: Position) -> tuple[int, int]:
        low, high = Kalah.margin_range(rules, state)
        return high, low - 1


class FromTheWrongSide(Kalah):
    """Tells the score of player 0, not that of the mover."""

    def relative(rules, state: Position) -> tuple[Position, int]:
        return Kalah.relative(rules, state)[0], state.south_store - state.north_store


class OtherMoves(Kalah):
    """Leaves the rows where they are."""

    def relative(rules, state: Position) -> tuple[Position, int]:
        return state._replace(south_store=0, north_store=0, side=0), Kalah.relative(rules, state)[1]


class BeyondTheKinds(Kalah):
    """Has a kind more than it says."""

    def move_kind(rules, move: int) -> int:
        return move + 1


class OfTheWrongSide(Kalah):
    """Tells the score of player 1 first."""

    def final_score(rules, state: Position) -> tuple[int, int, str]:
        south, north, unit = Kalah.final_score(rules, state)
        return north, south, unit


class WithoutAUnit(Kalah):
    """Does not tell what is counted."""

    def final_score(rules, state: Position) -> tuple[int, int]:
        return Kalah.final_score(rules, state)[:2]


class InFractions(Kalah):
    """Has a bound that is no whole number."""

    def margin_range(rules, state: Position) -> tuple[int, float]:
        return -50, 50.0


class WithoutTheScore(Kalah):
    """Leaves the score out."""

    def relative(rules, state: Position) -> Position:
        return state


@pytest.mark.parametrize(
    ("cls", "message"),
    [
        (TooLow, "but the margin under best play is"),
        (Reversed, "the first bound must not exceed the second"),
        (FromTheWrongSide, "only the score may differ"),
        (OtherMoves, "relative"),
        (BeyondTheKinds, "must be below 3"),
        (OfTheWrongSide, "the difference must be the margin"),
        (WithoutAUnit, "must be two whole numbers and the name of the points, such as (7, 6, 'stones')"),
    ],
)
def test_what_is_wrong_is_told(cls: type, message: str) -> None:
    results = [each for each in run_checks(cls(pits=3, seeds=2, end=1), games=20) if not each.passed]
    assert any(message in each.message for each in results), results


def test_kalah_passes() -> None:
    assert all(each.passed for each in run_checks(Kalah(pits=3, seeds=2), games=20))


@pytest.mark.slow
@pytest.mark.skipif(runs_plain(), reason="is about compiled code")
@pytest.mark.parametrize(
    "text", ["kalah:pits=3,seeds=2", "amazons:width=4,height=4", "amazons:width=4,height=4,rabbits=1"]
)
def test_games_with_bounds_and_scores_pass_every_check(text: str) -> None:
    assert [each.message for each in petteia.check(text, games=5) if not each.passed] == []


@pytest.mark.slow
@pytest.mark.skipif(runs_plain(), reason="is about compiled code")
@pytest.mark.parametrize(
    ("cls", "words"),
    [
        (
            InFractions,
            "margin_range returns tuple(int, float) when compiled; it must return a tuple of a whole number and",
        ),
        (WithoutTheScore, "relative returns Position"),
    ],
)
def test_what_they_return_is_told_where_it_compiles_to_something_else(cls: type, words: str) -> None:
    from petteia.checking.check import check_compiles

    results = [each.message for each in check_compiles(cls(pits=3, seeds=2)) if not each.passed]
    assert [words in each for each in results] == [True], results
