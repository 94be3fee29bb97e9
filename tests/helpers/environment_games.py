"""Own games as environments meet them: one with dice that writes what is observed, one whose moves are steps."""

from __future__ import annotations

from breakthrough import SQUARES, Breakthrough, Pieces
from pig import Pig, Turn

from petteia.core.protocol import Buffer, Limits

FAR = 10_000


class SeenPig(Pig):
    """Pig that tells what there is to see: what both hold, the mover's own first, and what is rolled."""

    def observe(rules, state: Turn, side: int, out: Buffer) -> int:
        own, other = (state.first, state.second) if side == 0 else (state.second, state.first)
        out[0], out[1], out[2] = own / rules.goal, other / rules.goal, state.rolled / rules.goal
        return 3


class Stepwise(Breakthrough):
    """Breakthrough with too many move codes for an environment, so that a piece is chosen first, then its target."""

    def limits(rules) -> Limits:
        return Breakthrough.limits(rules)._replace(codes=FAR + SQUARES * SQUARES)

    def moves(rules, state: Pieces, out: Buffer) -> int:
        count = Breakthrough.moves(rules, state, out)
        for i in range(count):
            out[i] += FAR
        return count

    def play(rules, state: Pieces, move: int) -> Pieces:
        return Breakthrough.play(rules, state, move - FAR)

    def steps(rules, state: Pieces, move: int, out: Buffer) -> int:
        return Breakthrough.steps(rules, state, move - FAR, out)

    def format_move(rules, state: Pieces, move: int) -> str:
        return Breakthrough.format_move(rules, state, move - FAR)


class SameSteps(Stepwise):
    """Different moves have the same steps."""

    def steps(rules, state: Pieces, move: int, out: Buffer) -> int:
        out[0] = 0
        return 1


class BegunByAnother(Stepwise):
    """The steps of one move are the beginning of another's."""

    def steps(rules, state: Pieces, move: int, out: Buffer) -> int:
        lowest = move == FAR + 5 * SQUARES + 10
        out[0], out[1] = (move - FAR) // SQUARES, (move - FAR) % SQUARES
        return 1 if lowest else 2


class StepsBeyond(Stepwise):
    """A step lies beyond the codes."""

    def steps(rules, state: Pieces, move: int, out: Buffer) -> int:
        out[0] = move
        return 1


class Unsteady(SeenPig):
    """What is observed is not always as much."""

    def observe(rules, state: Turn, side: int, out: Buffer) -> int:
        out[0] = out[1] = 0.0
        return 1 if state.rolled == 0 else 2


class Endless(SeenPig):
    """What is observed is not finite."""

    def observe(rules, state: Turn, side: int, out: Buffer) -> int:
        out[0] = float("inf")
        return 1
