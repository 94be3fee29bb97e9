"""Lower bounds on the number of positions of a game, computed from random games.

If even the lower bound is too large for the memory, the solver rejects the game early.

The positions of random games after the same number of plies are independent draws from the reachable positions. If few
draws repeat an earlier position, there must be many positions. This conclusion holds for any probabilities of the
positions, because repetitions are fewest if all positions have the same probability (Wong and Yue 1973, "A majorization
theorem for the number of distinct outcomes in N independent trials").
"""

from __future__ import annotations

import math
import time

import numpy as np

from petteia.checking.sample import pick_evenly
from petteia.core.arrays import Floats, Ints
from petteia.core.kernel import inline, kernel
from petteia.core.protocol import CHANCE, Rules, State, chances, has_chance, is_over, key, limits, moves, play, to_move
from petteia.core.random import below, draw_index, stream
from petteia.core.stop import check_stop
from petteia.core.symmetry import canonical

NO_POSITION = -1
"""The number that is stored instead of a key if the game has ended earlier."""
TRIED, LONGEST, COMPARED = 2000, 100, 8
"""The number of games that select the plies at which positions are compared, the largest ply, and the number of
selected plies."""
AT_ONCE = 1000
"""The number of games that are played before the next test for an interrupt."""
ENOUGH = 20
"""The maximum number of draws, in units of the square root of `wanted`. In this number of draws, few positions are
repeated if there are many more of them than `wanted`."""
SECONDS = 3.0
"""The time limit of all random games, in seconds."""
CERTAINTY = 25.0
"""The certainty of a bound. It is wrong with a probability of at most exp(-CERTAINTY), 1e-11."""


@inline
def listed(rules: Rules, state: State, out: Ints, weights: Floats) -> int:
    """Write the moves of a non-terminal state, or the outcomes of a chance node, into `out`. Return their number.

    At a chance node, the probabilities of the outcomes are written into `weights`, float64[limits.moves].
    """
    if has_chance(rules) and to_move(rules, state) == CHANCE:
        return chances(rules, state, out, weights)
    return moves(rules, state, out)


@kernel(purpose="solving")
def _play_games(
    rules: Rules,
    start: State,
    folded: bool,
    first: int,
    plies: Ints,
    keys: Ints,
    random: Ints,
    out: Ints,
    weights: Floats,
) -> None:
    """Play random games from `start`. Each row of `keys` receives the keys of positions in one of the games.

    `plies` contains the numbers of plies after which positions are recorded, in ascending order. The array `keys`,
    int64[games, len(plies)], receives the keys: `keys[i, j]` is the key of the position in game i after `plies[j]`
    plies. If game i ends earlier, the entry is not changed. `first` is the number of the first game. The random numbers
    of a game depend on its number. `random`, int64[1], `out`, int64[limits.moves], and `weights`,
    float64[limits.moves], are scratch space.
    """
    for game in range(len(keys)):
        random[0] = stream(0, first + game)
        state = start
        place = 0
        for ply in range(1, int(plies[-1]) + 1):
            if is_over(rules, state):
                break
            count = listed(rules, state, out, weights)
            if not 1 <= count <= len(out):  # the graph reports the error
                break
            if has_chance(rules) and to_move(rules, state) == CHANCE:
                index = draw_index(random, weights, count)
            else:
                index = below(random, count)
            state = play(rules, state, int(out[index]))
            if ply == plies[place]:
                keys[game, place] = key(rules, canonical(rules, state) if folded else state)
                place += 1


def min_positions(rules: Rules, start: State, *, folded: bool, wanted: int) -> int:
    """Return a lower bound on the number of positions that can be reached from `start`.

    The returned lower bound is wrong with a probability of at most exp(-CERTAINTY).

    Args:
        rules: the rules of a game with injective keys
        start: the position in which games start
        folded: whether symmetric positions count as one position
        wanted: the estimation ends when the lower bound exceeds this number

    """
    scratch = np.zeros(1, np.int64), np.zeros(limits(rules).moves, np.int64), np.zeros(limits(rules).moves)

    def draw(first: int, games: int, plies: Ints) -> Ints:
        keys = np.full((games, len(plies)), NO_POSITION)
        for begin in range(0, games, AT_ONCE):
            check_stop()
            _play_games(rules, start, folded, first + begin, plies, keys[begin : begin + AT_ONCE], *scratch)
            if time.monotonic() - begun > SECONDS:
                break
        return keys

    plies = np.arange(1, min(limits(rules).plies or LONGEST, LONGEST) + 1)
    begun = math.inf  # compiling does not count
    draw(0, 1, plies)
    begun = time.monotonic()
    different = np.array([_drawn(column)[1] for column in draw(0, TRIED, plies).T])
    plies = np.array(pick_evenly(plies[2 * different >= different.max()].tolist(), COMPARED))
    keys, minimum = draw(TRIED, TRIED, plies), 0
    while (minimum := max(map(_bound, keys.T))) <= wanted and time.monotonic() - begun < SECONDS:
        if len(keys) > ENOUGH * math.sqrt(wanted):
            break
        keys = np.concatenate((keys, draw(TRIED + len(keys), len(keys), plies)))
    return minimum


def _drawn(keys: Ints) -> tuple[int, int]:
    """Return the number of recorded positions, and the number of different keys among them.

    `keys` contains the keys of the positions that several random games have reached after the same number of plies.
    Games that ended earlier are not counted.
    """
    keys = keys[keys != NO_POSITION]
    return len(keys), len(np.unique(keys))


def _bound(keys: Ints) -> int:
    """Return a lower bound on the number of positions, based on the number of repeated keys in a random sample.

    Suppose that there are M positions. After n different positions have been drawn, the next draw repeats one of them
    with a probability of at least n / M. If M is small, a sample with as few repetitions as observed is very
    improbable, by Chernoff's bound. Every such M is excluded.
    """
    drawn, different = _drawn(keys)
    repeated = drawn - different
    expected = repeated + CERTAINTY + math.sqrt(CERTAINTY * (CERTAINTY + 2 * repeated))
    return max(different, int(different * (different - 1) / (2 * expected)))
