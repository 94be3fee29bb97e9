"""A ply of a game in progress."""

from __future__ import annotations

from typing import NamedTuple

from petteia.core.decision import Decision
from petteia.core.protocol import format_move
from petteia.playing.position import Position


class Step(NamedTuple):
    """A ply that was played, or that a hint suggests."""

    who: str
    """the name of the player; `chance` for the dice"""
    move: str | None
    """the move, or outcome of chance, as written; None if the player made none, by which it has lost"""
    decision: Decision | None
    """what a program knows about its move; values are player 0's"""
    position: Position
    """the position after it"""


def written(position: Position) -> str:
    """The move that led to a position."""
    assert position.last is not None
    before, code = position.last
    return format_move(position.rules, before, code)
