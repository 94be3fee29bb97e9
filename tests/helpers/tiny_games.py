"""Two games too small to be interesting, which between them use every part of the protocol.

`Nim` has a number for each position, symmetries, a way of its own to draw a random move, and positions that are decided
before the end. `DiceRace` has chance nodes, outcomes of different probability, and turns that do not alternate.
"""

from __future__ import annotations

import re
from typing import Annotated, NamedTuple

from petteia.core.kernel import inline
from petteia.core.options import Range, Words
from petteia.core.protocol import CHANCE, Buffer, Limits
from petteia.core.random import RandomState, below

NORMAL, MISERE = 0, 1
BITS = 4  # of a heap


class Heaps(NamedTuple):
    stones: int
    """heap i in bits 4i..4i+3"""
    side: int


@inline
def heap(stones: int, i: int) -> int:
    return stones >> BITS * i & (1 << BITS) - 1


@inline
def total(rules: Nim, stones: int) -> int:
    left = 0
    for i in range(rules.heaps):
        left += heap(stones, i)
    return left


class Nim(NamedTuple):
    """Players take any number of stones from one heap. Who takes the last stone wins; in misère play, loses.

    Position: `3,4,5 second`. Move: `2-1`, from heap 2 (counted from 1) take one.
    """

    heaps: Annotated[int, Range(1, 4)] = 3
    size: Annotated[int, Range(1, 15)] = 3
    end: Annotated[int, Words("normal", "misere")] = NORMAL

    def initial(rules) -> Heaps:
        stones = 0
        for i in range(rules.heaps):
            stones |= rules.size << BITS * i
        return Heaps(stones, 0)

    def to_move(rules, state: Heaps) -> int:
        return state.side

    def moves(rules, state: Heaps, out: Buffer) -> int:
        count = 0
        for i in range(rules.heaps):
            for taken in range(1, heap(state.stones, i) + 1):
                out[count] = i << BITS | taken
                count += 1
        return count

    def play(rules, state: Heaps, move: int) -> Heaps:
        taken = move & (1 << BITS) - 1
        return Heaps(state.stones - (taken << BITS * (move >> BITS)), 1 - state.side)

    def is_over(rules, state: Heaps) -> bool:
        return state.stones == 0

    def margin(rules, state: Heaps) -> int:
        """With one stone left the side to move must take it, so the margin is that of the end."""
        last = state.side if state.stones > 0 else 1 - state.side
        return 1 if (last == 0) == (rules.end == NORMAL) else -1

    def key(rules, state: Heaps) -> int:
        return state.stones << 1 | state.side

    def injective(rules) -> bool:
        return True

    def limits(rules) -> Limits:
        maximum = rules.heaps * rules.size
        return Limits(maximum, rules.heaps << BITS, maximum)

    def decided(rules, state: Heaps) -> bool:
        return total(rules, state.stones) <= 1

    def count(rules, state: Heaps) -> int:
        return total(rules, state.stones)

    def random_move(rules, state: Heaps, random: RandomState) -> int:
        taken = below(random, total(rules, state.stones)) + 1
        i = 0
        while taken > heap(state.stones, i):
            taken -= heap(state.stones, i)
            i += 1
        return i << BITS | taken

    def swapped(rules, state: Heaps) -> Heaps:
        return Heaps(state.stones, 1 - state.side)

    def images(rules) -> int:
        """The heaps in turn: image i moves every heap i places on."""
        return rules.heaps

    def image(rules, state: Heaps, i: int) -> Heaps:
        stones = 0
        for j in range(rules.heaps):
            stones |= heap(state.stones, j) << BITS * ((j + i) % rules.heaps)
        return Heaps(stones, state.side)

    def image_move(rules, move: int, i: int) -> int:
        return ((move >> BITS) + i) % rules.heaps << BITS | move & (1 << BITS) - 1

    def positions(rules) -> int:
        number = 2
        for _ in range(rules.heaps):
            number *= rules.size + 1
        return number

    def position(rules, i: int) -> Heaps:
        side = i % 2
        rest = i // 2
        stones = 0
        for j in range(rules.heaps):
            stones |= rest % (rules.size + 1) << BITS * j
            rest //= rules.size + 1
        return Heaps(stones, side)

    def format_state(rules, state: Heaps) -> str:
        return f"{','.join(str(heap(state.stones, i)) for i in range(rules.heaps))} {rules.seats()[state.side]}"

    def parse_state(rules, text: str) -> Heaps:
        number = "(0|[1-9][0-9]?)"
        found = re.fullmatch(f"{','.join([number] * rules.heaps)} (first|second)", text)
        if not found:
            raise ValueError(f"position {text!r}: must look like {rules.format_state(rules.initial())!r}")
        heaps = [int(each) for each in found.groups()[:-1]]
        if max(heaps) > rules.size:
            raise ValueError(f"position {text!r}: a heap has at most {rules.size} stones")
        return Heaps(sum(each << BITS * i for i, each in enumerate(heaps)), rules.seats().index(found[rules.heaps + 1]))

    def format_move(rules, state: Heaps, move: int) -> str:
        return f"{(move >> BITS) + 1}-{move & (1 << BITS) - 1}"

    def seats(rules) -> tuple[str, str]:
        return ("first", "second")


STEP, RUN = 0, 1


class Race(NamedTuple):
    first: int
    """squares behind the first player"""
    second: int
    side: int
    die: int
    """1..faces; 0 before it is cast"""


class DiceRace(NamedTuple):
    """Who reaches the goal first wins by the squares the other lacks. The highest face comes twice as often as others.

    After each cast a player runs as far as the die says, and then it is the other's turn; or takes a single step and
    casts again. Position: `0,3 second 4`: squares of both, side, die (`-`: to be cast). Moves: `step`, `run`.
    """

    goal: Annotated[int, Range(1, 50)] = 6
    faces: Annotated[int, Range(1, 6)] = 3

    def initial(rules) -> Race:
        return Race(0, 0, 0, 0)

    def to_move(rules, state: Race) -> int:
        return CHANCE if state.die == 0 else state.side

    def chances(rules, state: Race, moves: Buffer, probabilities: Buffer) -> int:
        for face in range(1, rules.faces + 1):
            moves[face - 1] = face
            probabilities[face - 1] = (2.0 if face == rules.faces else 1.0) / (rules.faces + 1)
        return rules.faces

    def moves(rules, state: Race, out: Buffer) -> int:
        out[0] = STEP
        out[1] = RUN
        return 2

    def play(rules, state: Race, move: int) -> Race:
        if state.die == 0:
            return Race(state.first, state.second, state.side, move)
        squares = state.die if move == RUN else 1
        first = min(state.first + squares, rules.goal) if state.side == 0 else state.first
        second = min(state.second + squares, rules.goal) if state.side == 1 else state.second
        return Race(first, second, 1 - state.side if move == RUN else state.side, 0)

    def is_over(rules, state: Race) -> bool:
        return state.first == rules.goal or state.second == rules.goal

    def margin(rules, state: Race) -> int:
        return state.first - state.second

    def key(rules, state: Race) -> int:
        return state.first | state.second << 6 | state.side << 12 | state.die << 13

    def injective(rules) -> bool:
        return True

    def limits(rules) -> Limits:
        """Each cast and move together bring one player on by a square at least."""
        return Limits(max(rules.faces, 2), max(rules.faces + 1, 2), 2 * (2 * (rules.goal - 1) + 1))

    def swapped(rules, state: Race) -> Race:
        return Race(state.second, state.first, 1 - state.side, state.die)

    def format_state(rules, state: Race) -> str:
        return f"{state.first},{state.second} {('first', 'second')[state.side]} {state.die or '-'}"

    def parse_state(rules, text: str) -> Race:
        found = re.fullmatch(r"(0|[1-9][0-9]?),(0|[1-9][0-9]?) (first|second) ([1-9]|-)", text)
        if not found:
            raise ValueError(f"position {text!r}: must look like '0,3 second 4'")
        first, second, die = int(found[1]), int(found[2]), int(found[4].replace("-", "0"))
        if max(first, second) > rules.goal or first == second == rules.goal:
            raise ValueError(f"position {text!r}: the goal is {rules.goal}, and only one player is there")
        if die > rules.faces or (die and rules.goal in (first, second)):
            raise ValueError(
                f"position {text!r}: the die shows 1..{rules.faces}, or - before it is cast and at the end"
            )
        return Race(first, second, ("first", "second").index(found[3]), die)

    def format_move(rules, state: Race, move: int) -> str:
        return ("step", "run")[move] if state.die else str(move)
