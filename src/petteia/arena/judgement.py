"""Compiled functions that compute the regrets of moves. They write a table with a row for each position.

The regret of a move is the value that it loses against the best move. In games with chance, expected values that differ
by at most `TOLERANCE` count as equal, and the regret is then 0.
"""

from __future__ import annotations

import numpy as np

from petteia.core.arrays import Bools, Floats, Ints
from petteia.core.kernel import inline, kernel
from petteia.core.packing import unpack
from petteia.core.protocol import Rules, State, is_over, limits, moves, play, to_move
from petteia.core.random import RandomState, stream
from petteia.policies.policy import Policy, Scratch, begin, choose, probabilities, workspace
from petteia.solver.expectation import TOLERANCE
from petteia.solver.tablebase import Tablebase, find_known

REGRET, MISTAKE, WORST, GIVEN, VALUE = 0, 1, 2, 3, 4
"""the columns of a row: expected regret; probability of a regret above 0; largest possible regret; probability that the
result of the game gets worse; value of the position for the player to move"""
COLUMNS = 5


@inline
def _value(rules: Rules, table: Tablebase, state: State, side: int) -> float:
    value = float(table.values[find_known(rules, table, state)])
    return value if side == 0 else -value


@inline
def _judge(
    rules: Rules, table: Tablebase, state: State, side: int, value: float, move: int, probability: float, row: Floats
) -> None:
    """Add the regret of a move, weighted by its probability, to the array `row`, float64[COLUMNS].

    The function also updates the other elements of `row`: the probability of a mistake, the largest regret, the
    probability that the result gets worse, and the value of the position. The result gets worse if the move turns a win
    into a draw or a loss, or a draw into a loss.

    The function is called once for each move that the player may choose in the position. `value` is the value of
    `state` for the player `side`.
    """
    after = _value(rules, table, play(rules, state, move), side)
    row[VALUE] = value
    if after < value - TOLERANCE:
        row[REGRET] += probability * (value - after)
        row[MISTAKE] += probability
        row[WORST] = max(row[WORST], value - after)
        if value > TOLERANCE >= after or abs(value) <= TOLERANCE:
            row[GIVEN] += probability


@kernel(purpose="regret")
def _judge_moves(
    rules: Rules, like: State, table: Tablebase, side: int, states: Ints, played: Ints, columns: Floats
) -> None:
    """Compute the regret of the played move in each state, and write the regrets to `columns`.

    Each row of `states`, int64[rows, fields], contains the fields of a state. `played[i]` is the move played in state
    `i`.

    `columns`, float64[rows, COLUMNS], must contain zeros before the call. Row `i` receives the regret of `played[i]`
    and the other measurements that `_judge` makes.
    """
    for i in range(len(states)):
        state = unpack(like, states[i])
        value = _value(rules, table, state, side)
        _judge(rules, table, state, side, value, int(played[i]), 1.0, columns[i])


@kernel(purpose="regret")
def _judge_policy(
    rules: Rules,
    like: State,
    table: Tablebase,
    side: int,
    states: Ints,
    policy: Policy,
    columns: Floats,
    out: Floats,
    work: Scratch,
) -> None:
    """Compute the expected regret of a policy in each state, and write the regrets to `columns`.

    `columns`, float64[rows, COLUMNS], must contain zeros before the call. Row `i` receives the expected regret in the
    state with the fields `states[i]`, and the other measurements that `_judge` makes. `out`, float64[limits.moves], is
    a scratch array for the probabilities of the moves.
    """
    for i in range(len(states)):
        state = unpack(like, states[i])
        value = _value(rules, table, state, side)
        out[:] = 0.0
        probabilities(policy, rules, state, 1.0, out, work)
        for k in range(moves(rules, state, work.moves)):
            if out[k] > 0.0:
                _judge(rules, table, state, side, value, int(work.moves[k]), out[k], columns[i])


@kernel(purpose="choices")
def _draw_moves(
    rules: Rules, like: State, states: Ints, policy: Policy, key: int, drawn: Ints, random: RandomState, work: Scratch
) -> None:
    """Draw a move from the policy in each state of `states`, int64[rows, fields], and write the moves to `drawn`."""
    for i in range(len(states)):
        random[0] = stream(key, i)
        begin(policy, rules, random)
        drawn[i] = choose(policy, rules, unpack(like, states[i]), random, work)


def draw_moves(rules: Rules, like: State, states: Ints, policy: Policy, key: int) -> Ints:
    """Draw a policy's move in each state of `states`, int64[rows, fields], and return the moves.

    The random numbers for a move depend on `key` and on the index of the state in `states`.
    """
    drawn = np.zeros(len(states), np.int64)
    _draw_moves(rules, like, states, policy, int(key), drawn, np.zeros(1, np.int64), workspace(rules))
    return drawn


@kernel(purpose="regret")
def _turns(rules: Rules, like: State, side: int, states: Ints, chosen: Bools) -> None:
    """For each state of `states`, write to `chosen`, bool[rows], whether `side` is the player to move."""
    for i in range(len(states)):
        state = unpack(like, states[i])
        chosen[i] = not is_over(rules, state) and to_move(rules, state) == side


def turns(rules: Rules, like: State, side: int, states: Ints) -> Ints:
    """Return the rows of `states`, int64[rows, fields], in which `side` is to move."""
    chosen = np.zeros(len(states), np.bool_)
    _turns(rules, like, side, states, chosen)
    return states[chosen]


def judge_moves(rules: Rules, like: State, table: Tablebase, side: int, states: Ints, played: Ints) -> Floats:
    """Return the regret of the played move in each state, as a table float64[rows, COLUMNS].

    Each row of `states`, int64[rows, fields], contains the fields of a state. `played[i]` is the move played in state
    `i`.

    `side` is the player to move in all states. `like` is any state of the game. It serves only to determine the type of
    the states. Raises InvalidError if `table`, the table of the solved game, does not contain one of the positions.
    """
    columns = np.zeros((len(states), COLUMNS))
    _judge_moves(rules, like, table, side, states, played, columns)
    return columns


def judge_policy(rules: Rules, like: State, table: Tablebase, side: int, states: Ints, policy: Policy) -> Floats:
    """Return the expected regret of a policy in each of `states`. The policy must define the method `probabilities`.

    The returned table has the same columns as the table that `judge_moves` returns. Both functions raise the same
    errors.
    """
    columns = np.zeros((len(states), COLUMNS))
    out = np.zeros(limits(rules).moves)
    _judge_policy(rules, like, table, side, states, policy, columns, out, workspace(rules))
    return columns
