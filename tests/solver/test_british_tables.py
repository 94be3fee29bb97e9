"""All tables of British Square: small ones against brute force, those of 5x5 against alpha-beta without a table."""

from __future__ import annotations

import functools
import itertools
from typing import Any

import numpy as np
import pytest

from petteia.core.arrays import Ints
from petteia.core.kernel import kernel
from petteia.core.packing import unpack
from petteia.core.protocol import (
    Rules,
    State,
    format_state,
    initial,
    is_over,
    legal,
    limits,
    margin,
    moves,
    play,
    to_move,
)
from petteia.games import game
from petteia.solver.check import find_fault
from petteia.solver.oracle import Oracle
from petteia.solver.tablebase import build

ENDS, BANS = ("both_blocked", "first_blocked", "any_blocked"), ("yes", "no")
VALUES = {"both_blocked": (2, 2), "first_blocked": (1, 1), "any_blocked": (1, 1)}
"""of 5x5 to the first player, with the ban and without"""
PROBES, MIN_STONES = 170_000, 9
"""of each table; of positions with fewer stones alpha-beta takes long"""


@pytest.mark.heavy
@pytest.mark.parametrize("size", [2, 3, 4])
@pytest.mark.parametrize(("end", "ban"), [*itertools.product(ENDS, BANS)])
def test_every_position_of_small_boards_against_brute_force(size: int, end: str, ban: str) -> None:
    rules = game(f"british-square:size={size},end={end},centre_ban={ban}")
    oracle, seen = Oracle(rules), set[Any]()

    @functools.cache
    def value(state: Any) -> int:
        seen.add(state)
        if is_over(rules, state):
            return margin(rules, state)
        after = [value(play(rules, state, move)) for move in legal(rules, state)]
        return max(after) if to_move(rules, state) == 0 else min(after)

    value(initial(rules))
    assert all(oracle.value(state) == value(state) for state in seen)


@kernel(purpose="testing")
def searched(rules: Rules, lists: Ints, state: State, depth: int, low: int, high: int) -> int:
    """The value to player 0 by alpha-beta; `lists` is scratch, int64[plies, limits.moves]."""
    if is_over(rules, state):
        return margin(rules, state)
    first = to_move(rules, state) == 0
    for i in range(moves(rules, state, lists[depth])):
        value = searched(rules, lists, play(rules, state, int(lists[depth, i])), depth + 1, low, high)
        if first:
            low = max(low, value)
        else:
            high = min(high, value)
        if low >= high:
            break
    return low if first else high


@pytest.mark.heavy
@pytest.mark.parametrize(("end", "ban"), [*itertools.product(ENDS, BANS)])
def test_tables_of_the_usual_board(end: str, ban: str) -> None:
    rules = game(f"british-square:end={end},centre_ban={ban}")
    table, start = build(rules), initial(rules)
    assert table.values[0] == VALUES[end][BANS.index(ban)]
    assert find_fault(rules, start, table.keys, table.states, table.values, table.distances) is None
    late = np.flatnonzero(np.bitwise_count(table.states[:, 0] | table.states[:, 1]) >= MIN_STONES)
    rows = np.random.default_rng(5).choice(late, PROBES, replace=False)
    maximum = limits(rules)
    lists = np.zeros((maximum.plies + 1, maximum.moves), np.int64)
    values = table.values[rows].astype(np.int64)
    for row, value in zip(rows, values, strict=True):
        state = unpack(start, table.states[row])
        assert searched(rules, lists, state, 0, -99, 99) == value, format_state(rules, state)
