"""An evaluation of the Game of the Amazons: a weighted sum of terms, with weights that depend on the stage of the game.

King distance and mobility matter most in early positions, because queens can still reach almost every square. In late
positions, only queen distances and the advantage of the player to move (tempo) count.

Source: Lieberum (2005, see `amazons_terms`) combines the same terms with weights that depend on the stage of the game.
The weights in this module were chosen for petteia.
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
"""The number of squares that count as one point. It is so large that a won game counts more than all squares."""
QUEEN = (0.20, 0.25, 0.35, 0.50, 0.75, 1.00)
KING = (0.35, 0.30, 0.25, 0.15, 0.10, 0.00)
QUEEN_NEARNESS = (0.20, 0.20, 0.20, 0.15, 0.10, 0.00)
KING_NEARNESS = (0.20, 0.20, 0.15, 0.10, 0.05, 0.00)
MOBILITY = (8.0, 7.0, 5.0, 3.0, 1.0, 0.0)
TEMPO = (0.05, 0.05, 0.07, 0.10, 0.15, 0.20)
"""The weights of the six terms, in squares. Each tuple contains the weights of a term in the six stages of the game."""


class Mix(NamedTuple):
    """An evaluation of the Game of the Amazons: a weighted sum of six terms, with weights that depend on the stage."""

    def evaluate(evaluation, rules: Amazons, state: Position) -> int:
        """Return White's advantage, on a scale on which a win for White has the value `POINT`."""
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
        """Return the number of evaluation units that equal one point of the final margin."""
        return POINT

    def bound(evaluation, rules: Amazons) -> int:
        """Return an upper bound on the absolute value of the evaluation: the value of a won game."""
        return POINT
