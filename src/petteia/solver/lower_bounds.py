"""How many positions a game has at least, told by random games: what surely does not fit is refused early.

The positions of random games after the same number of plies are independent draws from those that can be reached. Few
repetitions mean many positions, whatever their probabilities: repetitions are fewest where all are equally likely
(Wong and Yue 1973, "A majorization theorem for the number of distinct outcomes in N independent trials").
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
"""in the place of the key of a position after the end of a game"""
TRIED, LONGEST, COMPARED = 2000, 100, 8
"""games by which it is chosen after which plies positions are compared, the last of these, and how many are chosen"""
AT_ONCE = 1000
"""games that are played before an interrupt is heard"""
ENOUGH = 20
"""times the square root of a number of positions: draws of which few are repeated if there are many times as many"""
SECONDS = 3.0
"""after which no more games are played"""
CERTAINTY = 25.0
"""a bound is wrong with a probability of exp(-CERTAINTY), 1e-11, or less"""


@inline
def listed(rules: Rules, state: State, out: Ints, weights: Floats) -> int:
    """Write the moves of a state that is not over, or the outcomes where chance moves, into `out`; return their number.

    `weights`, float64[limits.moves], are then the probabilities of outcomes.
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
    """Play random games from `start`, number `first` and following, one for each row of `keys`.

    The keys of the positions after so many `plies`, in ascending order, are written into it, int64[games, len(plies)].
    `random`, `out` and `weights`, int64[1], int64 and float64[limits.moves], are scratch.
    """
    for game in range(len(keys)):
        random[0] = stream(0, first + game)
        state = start
        place = 0
        for ply in range(1, int(plies[-1]) + 1):
            if is_over(rules, state):
                break
            count = listed(rules, state, out, weights)
            if not 1 <= count <= len(out):  # what is wrong is said where positions are listed
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
    """A number of positions: at least so many can be reached from `start`, with near certainty.

    Args:
        rules: of a game whose keys are injective
        start: the position where play begins
        folded: count positions that are images of each other as one
        wanted: the search ends once the number is larger than this

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
    """How many keys were drawn, and how many different ones."""
    keys = keys[keys != NO_POSITION]
    return len(keys), len(np.unique(keys))


def _bound(keys: Ints) -> int:
    """How many different keys there are at least where these are drawn, with so many repetitions.

    Had M different keys been there, a draw after n different ones would repeat one of them with probability n / M or
    more; a bound on sums (Chernoff's) says when repetitions are too few for M.
    """
    drawn, different = _drawn(keys)
    repeated = drawn - different
    expected = repeated + CERTAINTY + math.sqrt(CERTAINTY * (CERTAINTY + 2 * repeated))
    return max(different, int(different * (different - 1) / (2 * expected)))
