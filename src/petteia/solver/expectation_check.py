"""A check that a table of expected values is correct, for games with chance nodes, independently of the solver.

First, each value is compared with the values of the successors, within `TOLERANCE`. A finished position must have its
margin. Any other position must have the value of the best move, or the mean over the outcomes of chance. If no position
can be repeated, this comparison proves the values.

If positions can be repeated, other values may also be consistent. For example, if both players may pass forever, a
position may have any value that gives neither player a reason to stop passing. So the check also proves that each
player can force at least the value in the table, whatever the opponent plays.

For player 0, the check collects positions backwards from the finished positions. A position in which player 0 is to
move is added if a best move leads to a collected position. A chance node is added if an outcome leads to a collected
position. A position in which player 1 is to move is added if every move leads to a collected position. If all positions
are added, player 0 can reach the end with probability 1 by best moves, and so obtains at least the value. Positions
with the smallest possible value need no proof. For player 1, the check exchanges the players.

The check adds all positions of every game that the solver accepts (module `expectation`). The solver accepts a game
only if the lower and the upper bound of each value have met. In a position that the check cannot add for player 0, the
lower bound would have stayed below the value. For player 1, the upper bound would have stayed above the value.
"""

from __future__ import annotations

import numpy as np

from petteia.core.arrays import Bools, Floats, Ints, Ints8, Ints32
from petteia.core.kernel import inline, kernel
from petteia.core.packing import unpack
from petteia.core.protocol import (
    CHANCE,
    Rules,
    State,
    chances,
    format_state,
    has_chance,
    is_over,
    key,
    limits,
    margin,
    moves,
    play,
    to_move,
)
from petteia.core.stop import check_stop
from petteia.solver.check import (
    AT_ONCE,
    FAULTS,
    INCOMPLETE,
    NO_MOVE,
    SOUND,
    WRONG_DISTANCE,
    WRONG_KEY,
    WRONG_MARGIN,
    WRONG_VALUE,
    Claims,
    claims_of,
    find_missing,
    place_of,
)
from petteia.solver.expectation import TOLERANCE

ENDED = 3
"""The number that replaces the player to move if the game is over."""
WORDS = {
    **FAULTS,
    WRONG_VALUE: "has a different value according to its moves or chance outcomes",
    WRONG_DISTANCE: "has a distance above 0, although it is not terminal and the game has chance nodes",
}


@inline
def _followers(rules: Rules, state: State, out: Ints, weights: Floats) -> int:
    """Write the moves of a state, or the outcomes of a chance node, to `out`, and any probabilities to `weights`.

    Returns the number of moves or outcomes that were written.
    """
    if has_chance(rules) and to_move(rules, state) == CHANCE:
        return chances(rules, state, out, weights)
    return moves(rules, state, out)


@kernel(purpose="checking a solution")
def _count(
    rules: Rules, like: State, states: Ints, first: int, end: int, counts: Ints, out: Ints, weights: Floats
) -> None:
    """Count the successors of each row from `first` to `end` - 1, and write the numbers into `counts`.

    `states`, int64[rows, fields], contains the states of all rows, and `counts`, int64[rows], receives the number of
    successors of each row. `out` and `weights`, int64 and float64[limits.moves], are scratch space.
    """
    for row in range(first, end):
        state = unpack(like, states[row])
        counts[row] = 0 if is_over(rules, state) else _followers(rules, state, out, weights)


@inline
def _fault(
    rules: Rules,
    like: State,
    claims: Claims,
    row: int,
    children: Ints32,
    movers: Ints8,
    out: Ints,
    weights: Floats,
) -> int:
    """Check one row of the table of a solved game. Return a key of `WORDS`, or SOUND if the row is correct.

    `movers[row]` receives the player to move, or ENDED if the game is over. `children` receives the row number of each
    successor. It must have an int32 entry for each legal move or chance outcome.
    """
    state = unpack(like, claims.states[row])
    value = claims.values[row]
    if key(rules, state) != claims.keys[row] or (row > 0 and claims.keys[row - 1] == claims.keys[row]):
        return WRONG_KEY
    if is_over(rules, state):
        movers[row] = ENDED
        return SOUND if value == margin(rules, state) and claims.distances[row] == 0 else WRONG_MARGIN
    if claims.distances[row] != -1:
        return WRONG_DISTANCE
    if len(children) == 0:
        return NO_MOVE
    mover = to_move(rules, state)
    movers[row] = mover
    count = _followers(rules, state, out, weights)
    largest, minimum, mean = -np.inf, np.inf, 0.0
    for i in range(count):
        child = place_of(rules, play(rules, state, int(out[i])), claims.keys)
        if child < 0:
            return INCOMPLETE
        children[i] = child
        largest = max(largest, claims.values[child])
        minimum = min(minimum, claims.values[child])
        if mover == CHANCE:
            mean += weights[i] * claims.values[child]
    worth = mean if mover == CHANCE else largest if mover == 0 else minimum
    return SOUND if abs(worth - value) <= TOLERANCE else WRONG_VALUE


@kernel(purpose="checking a solution")
def _first_fault(
    rules: Rules,
    like: State,
    claims: Claims,
    first: int,
    end: int,
    offsets: Ints,
    children: Ints32,
    movers: Ints8,
    out: Ints,
    weights: Floats,
) -> tuple[int, int]:
    """Check the rows `first` to `end` - 1 of a table. Return the first wrong row and its fault, or `end` and SOUND.

    For each checked row i, `children[offsets[i]:offsets[i + 1]]` receives the row numbers of the successors, and
    `movers[i]` the player to move. `out` and `weights` are scratch space.
    """
    for row in range(first, end):
        following = children[offsets[row] : offsets[row + 1]]
        fault = _fault(rules, like, claims, row, following, movers, out, weights)
        if fault != SOUND:
            return row, fault
    return end, SOUND


@inline
def _gets_nearer(
    offsets: Ints, children: Ints32, mover: int, values: Floats, found: Bools, side: int, row: int
) -> bool:
    """Return whether the position in `row` is proven for `side` by positions that are already proven.

    A position is proven for `side` if this player can force at least the value of the position in the table. `found`
    marks the positions that are already proven. If `side` is to move, one of its best moves must lead to a proven
    position. At a chance node, one outcome must lead to a proven position. If the opponent is to move, all moves must
    lead to proven positions.
    """
    sign = 1.0 if side == 0 else -1.0
    others = mover == 1 - side
    for place in range(offsets[row], offsets[row + 1]):
        child = children[place]
        if others:
            if not found[child]:
                return False
        elif found[child] and (mover == CHANCE or sign * values[child] >= sign * values[row] - TOLERANCE):
            return True
    return others


@kernel(purpose="checking a solution")
def _find_more(
    offsets: Ints,
    children: Ints32,
    movers: Ints8,
    values: Floats,
    found: Bools,
    side: int,
    first: int,
    end: int,
    backwards: bool,
) -> int:
    """Mark in `found` those rows from `first` to `end` - 1 whose positions can now be proven for `side`.

    A position is proven for `side` if this player can force at least the value of the position in the table. Returns
    the number of newly marked rows.
    """
    more = 0
    for i in range(end - first):
        row = end - 1 - i if backwards else first + i
        if not found[row] and _gets_nearer(offsets, children, movers[row], values, found, side, row):
            found[row] = True
            more += 1
    return more


def find_fault_of_expectations(
    rules: Rules, like: State, keys: Ints, states: Ints, values: Ints32 | Floats, distances: Ints32
) -> str | None:
    """Return a one-line description of a fault of a table with expected values, or None if the table is correct.

    `like` is any state of the game, used as a prototype to unpack the stored states. The other arguments are the
    columns of a `Tablebase`.
    """
    claims = claims_of(keys, states, values, distances)
    rows, maximum = len(keys), limits(rules).moves
    out, weights = np.zeros(maximum, np.int64), np.zeros(maximum)
    offsets = np.zeros(rows + 1, np.int64)
    for first in range(0, rows, AT_ONCE):
        check_stop()
        _count(rules, like, claims.states, first, min(first + AT_ONCE, rows), offsets[1:], out, weights)
    offsets = np.cumsum(offsets)
    children, movers = np.zeros(offsets[-1], np.int32), np.zeros(rows, np.int8)
    for first in range(0, rows, AT_ONCE):
        check_stop()
        end = min(first + AT_ONCE, rows)
        row, fault = _first_fault(rules, like, claims, first, end, offsets, children, movers, out, weights)
        if fault != SOUND:
            return _line(rules, like, claims, row, WORDS[fault])
    for side in (0, 1):
        open_rows = np.flatnonzero(~_proven(offsets, children, movers, claims.values.astype(np.float64), side))
        if len(open_rows):
            text = f"is not proven: the best moves of player {side} may not end the game"
            return _line(rules, like, claims, int(open_rows[0]), text)
    return find_missing(rules, claims.keys)


def _proven(offsets: Ints, children: Ints32, movers: Ints8, values: Floats, side: int) -> Bools:
    """Return for each position whether `side` is proven to obtain at least its value in the table, as bool[rows]."""
    sign = 1.0 if side == 0 else -1.0
    worst = min(0.0, float((sign * values[movers == ENDED]).min(initial=0.0)))
    found: Bools = (movers == ENDED) | (sign * values <= worst + TOLERANCE)
    rows, backwards, more = len(found), True, 1
    while more:
        more = 0
        check_stop()
        parts = [(first, min(first + AT_ONCE, rows)) for first in range(0, rows, AT_ONCE)]
        for first, end in reversed(parts) if backwards else parts:
            more += _find_more(offsets, children, movers, values, found, side, first, end, backwards)
        backwards = not backwards
    return found


def _line(rules: Rules, like: State, claims: Claims, row: int, words: str) -> str:
    text = format_state(rules, unpack(like, claims.states[row]))
    return f"{text!r}, with value {claims.values[row]} and distance {claims.distances[row]} in the table, {words}"
