"""The evaluation of the Game of the Amazons by a mix of terms that shifts as the board fills.

Early, king distance and mobility say most: queens still go everywhere, and who is near will be there. Late, only the
squares that a queen reaches first are left to count.

Source: the terms and the plan of the mix are Lieberum's (2005, see `amazons_terms`); the weights are petteia's own.
"""

from __future__ import annotations

from typing import NamedTuple

from petteia.features.amazons_terms import stage, terms_of
from petteia.games.amazons import Amazons
from petteia.games.amazons_board import (
    Position,
)

POINT = 1 << 14
SQUARE = 128
"""parts of a point that a square counts for: a win counts for more than all squares"""
QUEEN = (0.20, 0.25, 0.35, 0.50, 0.75, 1.00)
KING = (0.35, 0.30, 0.25, 0.15, 0.10, 0.00)
QUEEN_NEARNESS = (0.20, 0.20, 0.20, 0.15, 0.10, 0.00)
KING_NEARNESS = (0.20, 0.20, 0.15, 0.10, 0.05, 0.00)
MOBILITY = (8.0, 7.0, 5.0, 3.0, 1.0, 0.0)
TEMPO = (0.05, 0.05, 0.07, 0.10, 0.15, 0.20)
"""The weight of each term in each stage, in squares."""


class Mix(NamedTuple):
    """The sum of the terms, each times its weight in the stage of the game."""

    def evaluate(evaluation, rules: Amazons, state: Position) -> int:
        """By how many squares White is ahead, of which so many make a point."""
        terms = terms_of(rules, state)
        now = stage(rules, state)
        squares = (
            QUEEN[now] * terms.queen
            + KING[now] * terms.king
            + QUEEN_NEARNESS[now] * terms.queen_nearness
            + KING_NEARNESS[now] * terms.king_nearness
            + MOBILITY[now] * terms.mobility
            + TEMPO[now] * terms.tempo
        )
        return int(min(max(squares / SQUARE, -1.0), 1.0) * POINT)

    def unit(evaluation) -> int:
        """The parts of a point."""
        return POINT

    def bound(evaluation, rules: Amazons) -> int:
        """A game won is a point, and no sum is larger."""
        return POINT
