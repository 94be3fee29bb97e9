"""Two games of dice whose values are published: Pig, which may go on for ever, and the end of a race at backgammon.

And Nim in which a coin says who moves, as it has symmetries and numbers its positions.
"""

from __future__ import annotations

import re
from typing import Annotated, NamedTuple

from tiny_games import BITS, Heaps, Nim

from petteia.core.kernel import inline
from petteia.core.options import Range
from petteia.core.protocol import CHANCE, Buffer, Limits

NAMES = ("first", "second")
HOLD, ROLL = 0, 1


class Turn(NamedTuple):
    first: int
    second: int
    rolled: int
    side: int
    rolling: int


class Pig(NamedTuple):
    """Roll as often as you like and hold what you have rolled; but a 1 takes all that was rolled in this turn.

    Position: `12,8,5 first`, with ` rolls` behind it while the die is in the air.
    """

    goal: Annotated[int, Range(2, 100)] = 20
    faces: Annotated[int, Range(2, 20)] = 6

    def initial(rules) -> Turn:
        return Turn(0, 0, 0, 0, 0)

    def to_move(rules, state: Turn) -> int:
        return CHANCE if state.rolling == 1 else state.side

    def chances(rules, state: Turn, moves: Buffer, probabilities: Buffer) -> int:
        for face in range(1, rules.faces + 1):
            moves[face - 1] = face
            probabilities[face - 1] = 1 / rules.faces
        return rules.faces

    def moves(rules, state: Turn, out: Buffer) -> int:
        out[0] = HOLD
        out[1] = ROLL
        return 2

    def play(rules, state: Turn, move: int) -> Turn:
        if state.rolling == 1:
            if move == 1:
                return Turn(state.first, state.second, 0, 1 - state.side, 0)
            return Turn(state.first, state.second, min(state.rolled + move, rules.goal), state.side, 0)
        if move == ROLL:
            return Turn(state.first, state.second, state.rolled, state.side, 1)
        first = min(state.first + state.rolled, rules.goal) if state.side == 0 else state.first
        second = min(state.second + state.rolled, rules.goal) if state.side == 1 else state.second
        return Turn(first, second, 0, 1 - state.side, 0)

    def is_over(rules, state: Turn) -> bool:
        return state.first == rules.goal or state.second == rules.goal

    def margin(rules, state: Turn) -> int:
        return 1 if state.first == rules.goal else -1

    def key(rules, state: Turn) -> int:
        return state.first | state.second << 7 | state.rolled << 14 | state.side << 21 | state.rolling << 22

    def injective(rules) -> bool:
        return True

    def limits(rules) -> Limits:
        return Limits(max(rules.faces, 2), rules.faces + 1, 0)

    def format_state(rules, state: Turn) -> str:
        rolls = " rolls" if state.rolling else ""
        return f"{state.first},{state.second},{state.rolled} {NAMES[state.side]}{rolls}"

    def parse_state(rules, text: str) -> Turn:
        number = "(0|[1-9][0-9]{0,2})"
        found = re.fullmatch(f"{number},{number},{number} (first|second)( rolls)?", text)
        if not found:
            raise ValueError(f"position {text!r}: must look like '12,8,5 first', or '12,8,5 first rolls'")
        first, second, rolled = int(found[1]), int(found[2]), int(found[3])
        if max(first, second, rolled) > rules.goal or first == second == rules.goal:
            raise ValueError(f"position {text!r}: nobody can have more than {rules.goal}, and only one can have that")
        if rules.goal in (first, second) and (rolled or found[5]):
            raise ValueError(f"position {text!r}: the game is over, so nothing is rolled")
        return Turn(first, second, rolled, NAMES.index(found[4]), 1 if found[5] else 0)

    def format_move(rules, state: Turn, move: int) -> str:
        return str(move) if state.rolling else ("hold", "roll")[move]


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
        moves[1] = 1
        probabilities[0] = 2 / 3
        probabilities[1] = 1 / 3
        return 2

    def play(rules, state: Heaps, move: int) -> Heaps:
        if state.side == TOSS:
            return Heaps(state.stones, move)
        stones = state.stones - ((move & (1 << BITS) - 1) << BITS * (move >> BITS))
        return Heaps(stones, TOSS if stones else 1 - state.side)

    def key(rules, state: Heaps) -> int:
        return state.stones << 2 | state.side

    def limits(rules) -> Limits:
        most = rules.heaps * rules.size
        return Limits(max(most, 2), rules.heaps << BITS, 2 * most)

    def decided(rules, state: Heaps) -> bool:
        return state.stones == 0

    def format_state(rules, state: Heaps) -> str:
        return f"{state.stones:x} {('first', 'second', 'toss')[state.side]}"

    def format_move(rules, state: Heaps, move: int) -> str:
        return str(move)
