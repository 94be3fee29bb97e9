"""Games of chance for the solver: the end of a race at backgammon, with published values, and one with symmetries."""

from __future__ import annotations

import re
from typing import Annotated, NamedTuple

from tiny_games import BITS, Heaps, Nim

from petteia.core.kernel import inline
from petteia.core.options import Range
from petteia.core.protocol import CHANCE, Buffer, Limits

NAMES = ("first", "second")


class Men(NamedTuple):
    """The points on which each player's two men stand, the farther first (0: borne off), and the dice to be played."""

    far: int
    near: int
    other_far: int
    other_near: int
    side: int
    """whose men come first, and who is to move"""
    one: int
    """a die, to be played as often as `times` says; 0: none, so they are to be cast"""
    times: int
    two: int
    """another die, to be played once; 0: none"""


@inline
def reaches(far: int, point: int, die: int) -> bool:
    """Whether a man on `point` may be played by `die`: if it bears off with more than it needs, it is the farthest."""
    return point > 0 and (die <= point or point == far)


class BearOff(NamedTuple):
    """The end of backgammon: who first bears two men off wins. Doublets are played four times.

    Position: `6,5/2,1 first 3x1+2`: the men of who moves, of the other, who moves, the dice (`-`: to be cast). Move:
    `far/3`, `near/2`, the man and its die.
    """

    home: Annotated[int, Range(1, 6)] = 6

    def initial(rules) -> Men:
        return Men(rules.home, rules.home, rules.home, rules.home, 0, 0, 0, 0)

    def to_move(rules, state: Men) -> int:
        return state.side if state.one else CHANCE

    def chances(rules, state: Men, moves: Buffer, probabilities: Buffer) -> int:
        count = 0
        for one in range(1, 7):
            for two in range(1, one + 1):
                moves[count] = one * 7 + two
                probabilities[count] = (1.0 if one == two else 2.0) / 36
                count += 1
        return count

    def moves(rules, state: Men, out: Buffer) -> int:
        count = 0
        for place in range(4):
            point = state.near if place & 1 else state.far
            die = state.two if place & 2 else state.one
            if die and reaches(state.far, point, die):
                out[count] = place
                count += 1
        return count

    def play(rules, state: Men, move: int) -> Men:
        far, near, there, their_near, side, one, times, two = state
        if one == 0:
            is_double = move // 7 == move % 7
            return Men(
                far, near, there, their_near, side, move // 7, 4 if is_double else 1, 0 if is_double else move % 7
            )
        die = two if move & 2 else one
        if move & 1:
            near = max(near - die, 0)
        else:
            far = max(far - die, 0)
        if move & 2:
            two = 0
        else:
            times -= 1
        if times == 0:
            one, times, two = two, 1 if two else 0, 0
        if one == 0 or max(far, near) == 0:
            return Men(there, their_near, max(far, near), min(far, near), 1 - side, 0, 0, 0)
        return Men(max(far, near), min(far, near), there, their_near, side, one, times, two)

    def is_over(rules, state: Men) -> bool:
        return state.other_far == 0

    def margin(rules, state: Men) -> int:
        return 1 if state.side == 1 else -1

    def key(rules, state: Men) -> int:
        number = state.side
        for field in (state.far, state.near, state.other_far, state.other_near, state.one, state.times, state.two):
            number = number * 7 + field
        return number

    def injective(rules) -> bool:
        return True

    def limits(rules) -> Limits:
        return Limits(21, 49, 0)

    def format_state(rules, state: Men) -> str:
        far, near, there, their_near, side, one, times, two = state
        dice = f"{one}x{times}" + (f"+{two}" if two else "") if one else "-"
        return f"{far},{near}/{there},{their_near} {NAMES[side]} {dice}"

    def parse_state(rules, text: str) -> Men:
        found = re.fullmatch(
            r"([0-6]),([0-6])/([0-6]),([0-6]) (first|second) (?:-|([1-6])x([1-4])(?:\+([1-6]))?)", text
        )
        if not found:
            raise ValueError(f"position {text!r}: must look like '6,5/2,1 first -'")
        far, near, there, their_near = (int(found[i]) for i in range(1, 5))
        return Men(far, near, there, their_near, NAMES.index(found[5]), *(int(found[i] or 0) for i in (6, 7, 8)))

    def format_move(rules, state: Men, move: int) -> str:
        if state.one == 0:
            return f"{move // 7}-{move % 7}"
        return f"{('far', 'near')[move & 1]}/{state.two if move & 2 else state.one}"


TOSS = 2
"""in the place of who moves: that is to be tossed for"""


class TossedNim(Nim):
    """After each move a bent coin says who makes the next: the first player twice as often as the other."""

    def to_move(rules, state: Heaps) -> int:
        return CHANCE if state.side == TOSS else state.side

    def chances(rules, state: Heaps, moves: Buffer, probabilities: Buffer) -> int:
        moves[0] = 0
        moves[1] = 1 << BITS
        probabilities[0] = 2 / 3
        probabilities[1] = 1 / 3
        return 2

    def play(rules, state: Heaps, move: int) -> Heaps:
        if state.side == TOSS:
            return Heaps(state.stones, move >> BITS)
        stones = state.stones - ((move & (1 << BITS) - 1) << BITS * (move >> BITS))
        return Heaps(stones, TOSS if stones else 1 - state.side)

    def key(rules, state: Heaps) -> int:
        return state.stones << 2 | state.side

    def limits(rules) -> Limits:
        maximum = rules.heaps * rules.size
        return Limits(max(maximum, 2), max(rules.heaps, 2) << BITS, 2 * maximum)

    def decided(rules, state: Heaps) -> bool:
        return state.stones == 0

    def image_move(rules, move: int, i: int) -> int:
        """An outcome of the coin takes no stones: it is its own image."""
        taken = move & (1 << BITS) - 1
        return ((move >> BITS) + i) % rules.heaps << BITS | taken if taken else move

    def format_state(rules, state: Heaps) -> str:
        return f"{state.stones:x} {('first', 'second', 'toss')[state.side]}"

    def format_move(rules, state: Heaps, move: int) -> str:
        return str(move)
