"""A ply of a game in progress, with its move and the position after it."""

from __future__ import annotations

from typing import NamedTuple

from petteia.core.decision import Decision
from petteia.core.protocol import format_move
from petteia.playing.position import Position


class Step(NamedTuple):
    """A ply that was played, or that a hint suggests.

    Examples:
        >>> session = petteia.session("kalah", ("greedy", "random"))
        >>> step = session.step()
        >>> step.who, step.move, step.position.to_move
        ('greedy', '3', 'south')

    """

    who: str
    """the name of the player; `chance` for a chance outcome"""
    move: str | None
    """the move or chance outcome as text; None if the player lost without a move"""
    decision: Decision | None
    """the program's decision, with the value of the move from the perspective of player 0; None for persons and
    chance"""
    position: Position
    """the position after the ply"""


def written(position: Position) -> str:
    """Return the notation of the move that led to a position."""
    assert position.last is not None
    before, code = position.last
    return format_move(position.rules, before, code)
