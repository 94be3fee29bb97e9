"""The checks of what a game says about margins find what is wrong."""

from __future__ import annotations

import pytest

from petteia.checking.conformance import run_checks
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


@pytest.mark.parametrize(
    ("cls", "message"),
    [
        (TooLow, "but the margin under best play is"),
        (Reversed, "the first must not be larger"),
        (FromTheWrongSide, "a score of"),
        (OtherMoves, "relative"),
        (BeyondTheKinds, "must be below 3"),
    ],
)
def test_what_is_wrong_is_told(cls: type, message: str) -> None:
    results = [each for each in run_checks(cls(pits=3, seeds=2, end=1), games=20) if not each.passed]
    assert any(message in each.message for each in results), results


def test_kalah_passes() -> None:
    assert all(each.passed for each in run_checks(Kalah(pits=3, seeds=2), games=20))
