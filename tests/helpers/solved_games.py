"""A game with scores, cycles and turns that do not alternate, for the solver; its rivals, that break a promise; and the
values of any small game by brute force, with which moves and tables are judged.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, NamedTuple

from petteia.core.options import Range
from petteia.core.protocol import (
    Buffer,
    Limits,
    initial,
    is_over,
    legal,
    margin,
    play,
    position,
    positions,
    provides,
    to_move,
)
from petteia.solver.check import find_fault
from petteia.solver.tablebase import Tablebase


class Square(NamedTuple):
    number: int
    side: int


class Maze(NamedTuple):
    """A walk from square to square, with three exits from each; every fourth square ends it and pays a prize.

    The exits and prizes come from `seed`, in no order. On every fifth square the same player goes on. Position:
    `7 first`. Move: the number of the exit, 0..2; several may lead to the same square.
    """

    size: Annotated[int, Range(4, 1000)] = 60
    seed: Annotated[int, Range(0, 1000)] = 0
    prizes: Annotated[int, Range(1, 1000)] = 4

    def initial(rules) -> Square:
        return Square(0, 0)

    def to_move(rules, state: Square) -> int:
        return state.side

    def moves(rules, state: Square, out: Buffer) -> int:
        for i in range(3):
            out[i] = i
        return 3

    def play(rules, state: Square, move: int) -> Square:
        number = (state.number * (2 * move + 3) + rules.seed * (move + 7) + move + 1) % rules.size
        return Square(number, state.side if number % 5 == 0 else 1 - state.side)

    def is_over(rules, state: Square) -> bool:
        return state.number % 4 == 3

    def margin(rules, state: Square) -> int:
        return (state.number * 7 + rules.seed + state.side) % (2 * rules.prizes + 1) - rules.prizes

    def key(rules, state: Square) -> int:
        return state.number * 2 + state.side

    def injective(rules) -> bool:
        return True

    def limits(rules) -> Limits:
        return Limits(3, 3, 0)

    def format_state(rules, state: Square) -> str:
        return f"{state.number} {('first', 'second')[state.side]}"

    def parse_state(rules, text: str) -> Square:
        found = re.fullmatch("(0|[1-9][0-9]{0,3}) (first|second)", text)
        if not found or int(found[1]) >= rules.size:
            raise ValueError(f"position {text!r}: must look like '7 first', with a square below {rules.size}")
        return Square(int(found[1]), ("first", "second").index(found[2]))

    def format_move(rules, state: Square, move: int) -> str:
        return str(move)


class NumberedMaze(Maze):
    """Every square, whoever moves there, has a number."""

    def positions(rules) -> int:
        return 2 * rules.size

    def position(rules, i: int) -> Square:
        return Square(i // 2, i % 2)


class VagueMaze(Maze):
    """Its keys are hashes, and it says so."""

    def injective(rules) -> bool:
        return False


class BlurredMaze(VagueMaze):
    """Many of its squares share a key, and it says so."""

    def key(rules, state: Square) -> int:
        return state.number % 3


class LyingMaze(Maze):
    """Its keys leave out who moves."""

    def key(rules, state: Square) -> int:
        return state.number


class VastMaze(NumberedMaze):
    """Says that it has more positions than fit anywhere."""

    def positions(rules) -> int:
        return 1 << 50


class RichMaze(Maze):
    """Pays more than fits a table."""

    def margin(rules, state: Square) -> int:
        return 1 << 40


class Truth(NamedTuple):
    value: int
    distance: int | None


def all_states(rules: Any) -> set[Any]:
    """All positions that are numbered, and all that can be reached."""
    numbered = positions(rules) if provides(rules, "positions") else 0
    waiting = [initial(rules), *(position(rules, i) for i in range(numbered))]
    found = set(waiting)
    while waiting:
        state = waiting.pop()
        for move in legal(rules, state):
            after = play(rules, state, move)
            if after not in found:
                found.add(after)
                waiting.append(after)
    return found


def brute_force(rules: Any) -> dict[Any, Truth]:
    """Value and distance of every position, by the definitions: what a player can force, a ply at a time, from sets."""
    states = all_states(rules)
    final = {state: int(margin(rules, state)) for state in states if is_over(rules, state)}
    after = {state: [play(rules, state, move) for move in legal(rules, state)] for state in states - set(final)}

    def forced(winner: int, goal: set[Any], among: dict[Any, list[Any]]) -> dict[Any, int]:
        """From where `winner` can force a way into `goal`, and in how many plies."""
        plies = dict.fromkeys(goal, 0)
        while True:
            new = [
                state
                for state, following in among.items()
                if state not in plies
                and (any, all)[to_move(rules, state) != winner](each in plies for each in following)
            ]
            if not new:
                return plies
            plies |= dict.fromkeys(new, max(plies.values()) + 1)

    value = dict.fromkeys(states, 0)
    for minimum in sorted({each for each in final.values() if each > 0}):
        value |= dict.fromkeys(forced(0, {state for state in final if final[state] >= minimum}, after), minimum)
    for maximum in sorted({each for each in final.values() if each < 0}, reverse=True):
        value |= dict.fromkeys(forced(1, {state for state in final if final[state] <= maximum}, after), maximum)

    distance: dict[Any, int] = dict.fromkeys(final, 0)
    for each in set(value.values()) - {0}:
        best = {
            state: [other for other in following if value[other] == each]
            for state, following in after.items()
            if value[state] == each
        }
        goal = {state for state in final if final[state] == each}
        distance |= forced(0 if each > 0 else 1, goal, best)
    return {state: Truth(value[state], distance.get(state)) for state in states}


def lost(rules: Any, truth: dict[Any, Truth], state: Any, move: int) -> int:
    sign = 1 if to_move(rules, state) == 0 else -1
    return sign * (truth[state].value - truth[play(rules, state, move)].value)


def fault_of(rules: Any, table: Tablebase) -> str | None:
    return find_fault(rules, initial(rules), table.keys, table.states, table.values, table.distances)
