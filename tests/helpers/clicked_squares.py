"""Games without a drawing that tell the shape of their squares: a disc and passes; from and to; from, to and arrow."""

from __future__ import annotations

import breakthrough
import reversi
from breakthrough import Breakthrough
from reversi import Reversi

from petteia.core.protocol import Buffer
from petteia.games.amazons import Amazons

PASSING = reversi.SIZE * reversi.SIZE


class Turns(Reversi):
    """Reversi, in which who cannot move passes."""

    def shape(rules) -> tuple[int, int]:
        return reversi.SIZE, reversi.SIZE

    def step_codes(rules) -> int:
        return PASSING + 1

    def steps(rules, state: reversi.Board, move: int, out: Buffer) -> int:
        row, column = divmod(move, reversi.STRIDE)
        out[0] = PASSING if move == reversi.PASS else reversi.SIZE * row + column
        return 1


class FromTo(Breakthrough):
    """Breakthrough, seen from the second player's side."""

    def shape(rules) -> tuple[int, int]:
        return breakthrough.HEIGHT, breakthrough.WIDTH


class Arrows(Amazons):
    """The Amazons, without their own drawing."""

    def shape(rules) -> tuple[int, int]:
        return rules.height, rules.width
