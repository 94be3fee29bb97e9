"""Small games with chance that are drawn by a number: graphs with and without cycles; and their values by slow ways.

The slow ways share nothing with the solver. Finite games are solved by recursion in fractions, which is exact; others
by two bounds for all positions at once, each of which is taken anew from all the old ones until nothing changes.
"""

from __future__ import annotations

import functools
import re
from fractions import Fraction
from typing import Annotated, Any, NamedTuple

import numpy as np
from solved_games import all_states

from petteia.core.bits import mix, wrapping_add, wrapping_multiply
from petteia.core.kernel import inline
from petteia.core.options import Range, Words
from petteia.core.protocol import (
    CHANCE,
    Buffer,
    Limits,
    chances,
    initial,
    is_over,
    legal,
    limits,
    margin,
    play,
    to_move,
)
from petteia.solver.expectation import TOLERANCE
from petteia.solver.expectation_check import find_fault_of_expectations
from petteia.solver.tablebase import Tablebase

NONE, SURE, ANY = 0, 1, 2
MAXIMUM = 4
"""moves or outcomes in a position"""


class Node(NamedTuple):
    number: int


@inline
def drawn(rules: Drawn, node: int, purpose: int, below: int) -> int:
    """A number in 0..below-1 for a node of the game and a purpose."""
    word = wrapping_add(wrapping_multiply(rules.seed * 4099 + node, 1_000_003), purpose)
    return (mix(mix(word)) & 0xFFFFFFFF) % below


class Drawn(NamedTuple):
    """A walk from node 0 over a drawn graph; in every node one of the players moves, or chance, or it ends.

    Moves lead on, to nodes of larger numbers. With `cycles=sure` every third outcome of chance but one leads anywhere,
    so that nobody can keep play from ending; with `cycles=any` every fifth move does. Position: `7`. Move: `0`.
    """

    seed: Annotated[int, Range(0, 1_000_000)] = 0
    size: Annotated[int, Range(2, 4000)] = 24
    cycles: Annotated[int, Words("none", "sure", "any")] = NONE
    prizes: Annotated[int, Range(1, 1000)] = 3

    def initial(rules) -> Node:
        return Node(0)

    def to_move(rules, state: Node) -> int:
        return drawn(rules, state.number, 1, 3)

    def moves(rules, state: Node, out: Buffer) -> int:
        count = 1 + drawn(rules, state.number, 2, MAXIMUM)
        for i in range(count):
            out[i] = i
        return count

    def chances(rules, state: Node, moves: Buffer, probabilities: Buffer) -> int:
        count = 1 + drawn(rules, state.number, 2, MAXIMUM)
        total = 0
        for i in range(count):
            total += 1 + drawn(rules, state.number, 30 + i, 4)
        for i in range(count):
            moves[i] = i
            probabilities[i] = (1 + drawn(rules, state.number, 30 + i, 4)) / total
        return count

    def play(rules, state: Node, move: int) -> Node:
        node = state.number
        is_chance = drawn(rules, node, 1, 3) == CHANCE
        may_return = rules.cycles == ANY or (rules.cycles == SURE and is_chance and move > 0)
        if may_return and drawn(rules, node, 10 + move, 3 if rules.cycles == SURE else 5) == 0:
            return Node(drawn(rules, node, 20 + move, rules.size))
        return Node(min(node + 1 + drawn(rules, node, 20 + move, 4), rules.size - 1))

    def is_over(rules, state: Node) -> bool:
        return state.number == rules.size - 1 or (state.number > 0 and drawn(rules, state.number, 3, 6) == 0)

    def margin(rules, state: Node) -> int:
        return drawn(rules, state.number, 4, 2 * rules.prizes + 1) - rules.prizes

    def key(rules, state: Node) -> int:
        return state.number

    def injective(rules) -> bool:
        return True

    def limits(rules) -> Limits:
        return Limits(MAXIMUM, MAXIMUM, rules.size if rules.cycles == NONE else 0)

    def format_state(rules, state: Node) -> str:
        return str(state.number)

    def parse_state(rules, text: str) -> Node:
        if not re.fullmatch("0|[1-9][0-9]{0,3}", text, re.ASCII) or int(text) >= rules.size:
            raise ValueError(f"position {text!r}: must be a number below {rules.size}")
        return Node(int(text))

    def format_move(rules, state: Node, move: int) -> str:
        return str(move)


def outcomes(rules: Any, state: Any) -> list[tuple[Fraction, Any]]:
    """What chance may bring, with its probabilities, as fractions that add up to 1."""
    codes, weights = [0] * limits(rules).moves, [0.0] * limits(rules).moves
    count = chances(rules, state, codes, weights)
    exact = [Fraction(weight).limit_denominator(10_000) for weight in weights[:count]]
    assert sum(exact) == 1
    return [(weight, play(rules, state, code)) for weight, code in zip(exact, codes, strict=False)]


def exact_values(rules: Any) -> dict[Any, Fraction]:
    """The expected margin of every position of a finite game, by recursion."""

    @functools.cache
    def value(state: Any) -> Fraction:
        if is_over(rules, state):
            return Fraction(int(margin(rules, state)))
        if to_move(rules, state) == CHANCE:
            return sum((weight * value(after) for weight, after in outcomes(rules, state)), Fraction(0))
        best = max if to_move(rules, state) == 0 else min
        return best(value(play(rules, state, move)) for move in legal(rules, state))

    return {state: value(state) for state in all_states(rules)}


class Bounds(NamedTuple):
    """Between which numbers the expected margin of a position lies."""

    low: float
    high: float


def bounds_of_values(rules: Any) -> dict[Any, Bounds]:
    """Bounds of the value of every position of any game, taken anew from each other until they stand still."""
    states = sorted(all_states(rules))
    place = {state: i for i, state in enumerate(states)}
    maximum = limits(rules).moves
    after, weights = np.zeros((len(states), maximum), np.int64), np.zeros((len(states), maximum))
    movers = np.full(len(states), 3)
    finals = np.zeros(len(states))
    for i, state in enumerate(states):
        if is_over(rules, state):
            finals[i] = margin(rules, state)
            continue
        movers[i] = to_move(rules, state)
        if movers[i] == CHANCE:
            shares, following = zip(*outcomes(rules, state), strict=True)
            weights[i, : len(shares)] = [float(share) for share in shares]
        else:
            following = tuple(play(rules, state, move) for move in legal(rules, state))
        after[i] = [place[each] for each in following] + [place[following[0]]] * (maximum - len(following))
    over = movers == 3

    def stands_still(worst: float) -> Any:
        values = np.where(over, finals, worst)
        for _ in range(200_000):
            leads_to = values[after]
            new = np.select(
                [over, movers == 0, movers == 1],
                [finals, leads_to.max(axis=1), leads_to.min(axis=1)],
                (weights * leads_to).sum(axis=1),
            )
            change = np.abs(new - values).max()
            values = new
            if change < 1e-15:
                break
        return values

    low, high = stands_still(min(0.0, finals.min())), stands_still(max(0.0, finals.max()))
    return {state: Bounds(float(low[i]), float(high[i])) for i, state in enumerate(states)}


def fault_of(rules: Any, table: Tablebase) -> str | None:
    return find_fault_of_expectations(rules, initial(rules), *table[1:])


def slow_values(rules: Any) -> dict[Any, float] | None:
    """The value of every position; None if infinite play leaves one open."""
    if limits(rules).plies:
        return {state: float(value) for state, value in exact_values(rules).items()}
    bounds = bounds_of_values(rules)
    if max(each.high - each.low for each in bounds.values()) > TOLERANCE:
        return None
    return {state: (each.low + each.high) / 2 for state, each in bounds.items()}
