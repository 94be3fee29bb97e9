"""Pig: roll as often as you like and hold what you have rolled; but a 1 takes all that was rolled in this turn.

A position is written `12,8,5 first`: what both players hold, what is rolled in this turn, who moves; `rolls` stands
behind it while the die is in the air. Moves are `hold` and `roll`, outcomes are the faces of the die.

Source: Neller and Presser 2004, "Optimal play of the dice game Pig", The UMAP Journal 25.
"""

from __future__ import annotations

import re
from typing import Annotated, NamedTuple

from petteia.core.options import Range
from petteia.core.protocol import CHANCE, Buffer, Limits
from petteia.core.random import RandomState
from petteia.policies.policy import Scratch

HOLD, ROLL = 0, 1
NAMES = ("first", "second")


class Turn(NamedTuple):
    """A position, and whether the die is in the air."""

    first: int
    second: int
    rolled: int
    side: int
    rolling: int


class Pig(NamedTuple):
    """Roll as often as you like and hold what you have rolled; but a 1 takes all that was rolled in this turn."""

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
        out[0], out[1] = HOLD, ROLL
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
        return Limits(moves=max(rules.faces, 2), codes=rules.faces + 1, plies=0)

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


class HoldAt(NamedTuple):
    """A policy: rolls until so many points are rolled, or enough to win."""

    points: int = 20

    def choose(policy, rules: Pig, state: Turn, random: RandomState, work: Scratch) -> int:
        held = state.first if state.side == 0 else state.second
        return ROLL if state.rolled < policy.points and held + state.rolled < rules.goal else HOLD


class ChosenPig(Pig):
    """Pig, but who rolls chooses the face."""

    def to_move(rules, state: Turn) -> int:
        return state.side

    def has_chance(rules) -> bool:
        return False

    def moves(rules, state: Turn, out: Buffer) -> int:
        if state.rolling == 0:
            out[0], out[1] = 0, 1
            return 2
        for face in range(1, rules.faces + 1):
            out[face - 1] = face
        return rules.faces


class Lead(NamedTuple):
    """What is held and rolled, in thousandths of the goal."""

    def evaluate(evaluation, rules: Pig, state: Turn) -> int:
        rolled = state.rolled if state.side == 0 else -state.rolled
        return min(max(1000 * (state.first - state.second + rolled) // rules.goal, -1000), 1000)

    def unit(evaluation) -> int:
        return 1000

    def bound(evaluation, rules: Pig) -> int:
        return 1000
