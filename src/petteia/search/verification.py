"""Verification of the best move of a search by a deeper search of this move alone.

After each iteration, the best move is searched to a greater depth, unless it is quiet. A move is quiet if it changes
the evaluation by at most a threshold.

If a verified move turns out to be worse than the second-best move, the second-best move is verified, and so on.
Verification begins after a complete search of all moves. So a good move is available even if time runs out.

Source: a student report on selective alpha-beta search for the Game of the Amazons. The answer to its question 14
proposes verification in place of quiescence search (`quiescence`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from petteia.core.arrays import Ints
from petteia.core.kernel import kernel
from petteia.core.protocol import State, play
from petteia.search.alpha_beta import TIES
from petteia.search.ends import finer, guessed_worth, is_chance, is_settled
from petteia.search.memory import DONE, LISTED, MAX_DEPTH, STOP, Root
from petteia.search.parts import Search
from petteia.search.quiescence import is_quiet
from petteia.search.root import search_root, sort_root


class Verification(NamedTuple):
    """Settings for the verification of the best move by a deeper search."""

    threshold: int
    """the largest change of the evaluation that a quiet move can cause, in units of the evaluation"""
    levels: int
    """the maximum number of additional plies, which are added one at a time until the value is stable"""


@kernel(purpose="search")
def is_quiet_move(search: Search, state: State, move: int, threshold: int) -> bool:
    """Return whether a move is quiet.

    A move is always quiet if it ends the game, makes its winner certain, or leads to a chance node.
    """
    rules, evaluation, _, options, _ = search
    child = play(rules, state, move)
    if is_settled(rules, options, child) or is_chance(rules, child):
        return True
    return is_quiet(guessed_worth(evaluation, rules, state), guessed_worth(evaluation, rules, child), threshold)


def verify(verification: Verification, search: Search, state: State, depth: int, multipv: int, root: Root) -> None:
    """Verify the best moves in `root`, the results of a completed search of `depth` plies, by deeper searches.

    A quiet move hardly changes the evaluation, and needs no verification. Verification continues until the best move is
    quiet or verified, or until the search must stop. With the option `TIES`, all moves with the best value must be
    quiet or verified. For each verified move, `root` then contains the value of the deeper search. At the end, `root`
    is sorted, with the best `multipv` moves first.
    """
    threshold = verification.threshold * finer(search.evaluation, search.rules)
    verified = set[int]()
    while search.memory.counters[STOP] == 0:
        place = _doubtful(search, state, threshold, root, verified)
        if place is None:
            return
        verified.add(int(root.moves[place]))
        _search_deeper(verification.levels, search, state, depth, threshold, root, place)
        sort_root(root)
        if search.memory.counters[STOP] == 0 and _may_be_better(root, multipv, bool(search.options & TIES)):
            _search_others(search, state, depth, multipv, root, verified)
            sort_root(root)


def _doubtful(search: Search, state: State, threshold: int, root: Root, verified: set[int]) -> int | None:
    """Return the index of a best move that is neither quiet nor verified, or None if there is none."""
    count = int(root.counts[LISTED]) if search.options & TIES else 1
    for place in range(count):
        if root.exact[place] == 0 or root.values[place] != root.values[0]:
            return None
        move = int(root.moves[place])
        if move not in verified and not is_quiet_move(search, state, move, threshold):
            return place
    return None


def _search_deeper(
    levels: int, search: Search, state: State, depth: int, threshold: int, root: Root, place: int
) -> None:
    """Bring the move at index `place` to the front, and search it with increasing depth until its value is stable."""
    order = np.arange(root.counts[LISTED])
    order[: place + 1] = np.roll(order[: place + 1], 1)
    _arrange(root, order)
    listed, root.counts[LISTED] = int(root.counts[LISTED]), 1
    for deeper in range(depth + 1, min(depth + levels, MAX_DEPTH) + 1):
        before = int(root.values[0])
        search_root(search, state, deeper, 1, root)
        if search.memory.counters[STOP] != 0 or is_quiet(before, int(root.values[0]), threshold):
            break
    root.counts[LISTED] = root.counts[DONE] = listed


def _may_be_better(root: Root, multipv: int, ties: bool) -> bool:
    """Return whether a move with only an upper bound as its value may be among the best `multipv` moves."""
    count = int(root.counts[LISTED])
    known = np.count_nonzero(root.exact[:count])
    if known == count:
        return False
    if known < multipv:
        return True
    bound, minimum = root.values[known:count].max(), root.values[multipv - 1]
    return bool(bound >= minimum if ties else bound > minimum)


def _search_others(search: Search, state: State, depth: int, multipv: int, root: Root, verified: set[int]) -> None:
    """Repeat the search to `depth` plies for all moves that are not verified, to find the best of them."""
    listed = int(root.counts[LISTED])
    is_verified = np.isin(root.moves[:listed], list(verified))
    _arrange(root, np.argsort(is_verified, kind="stable"))
    root.counts[LISTED] = listed - len(verified)
    search_root(search, state, depth, min(multipv, int(root.counts[LISTED])), root)
    root.counts[LISTED] = root.counts[DONE] = listed


def _arrange(root: Root, order: Ints) -> None:
    for part in (root.moves, root.values, root.exact, root.pvs):
        part[: len(order)] = part[order]
