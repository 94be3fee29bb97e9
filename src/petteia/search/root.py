"""The search of the root position, move by move, and the choice of the best move."""

from __future__ import annotations

import numpy as np

from petteia.core.kernel import inline, kernel
from petteia.core.pointer import pointer_to
from petteia.core.protocol import State, moves, play, to_move
from petteia.core.random import RandomState, below
from petteia.search.alpha_beta import PVS, TIES, search_node
from petteia.search.ends import INFINITE, is_chance, is_settled, view
from petteia.search.leaves import value_of_leaf
from petteia.search.memory import DONE, LISTED, NO_MOVE, NODES, STOP, Root
from petteia.search.parts import Search, select


@kernel(purpose="search")
def list_root(search: Search, state: State, root: Root) -> int:
    """List the moves to be searched from the root `state` in `root.moves`. Return the number of legal moves.

    If the number of legal moves is 0 or exceeds the limits of the game, nothing is written to `root`.
    """
    rules, _, parts, _, memory = search
    listed = memory.moves[0]
    count = moves(rules, state, listed)
    if 1 <= count <= len(root.moves):
        root.counts[LISTED] = select(parts.selection, pointer_to(search), state, 0, listed, count)
        for i in range(root.counts[LISTED]):
            root.moves[i] = listed[i]
    return count


@kernel(purpose="search")
def search_root(search: Search, state: State, depth: int, multipv: int, root: Root) -> None:
    """Search the moves in `root.moves`, in this order, to `depth` plies (1 or more). Find the best `multipv` moves.

    `state` must be a non-terminal state in which a player is to move. The results are written to `root`, from the
    perspective of this player. The values of the best `multipv` moves are exact. The values of other moves may be only
    upper bounds. With the option `TIES`, all moves with the same value as the last of the best `multipv` moves also
    have exact values.
    """
    rules, _, _, options, memory = search
    pointer = pointer_to(search)
    chance = memory.chance
    side = to_move(rules, state)
    known = 0
    for i in range(root.counts[LISTED]):
        move = int(root.moves[i])
        child = play(rules, state, move)
        memory.counters[NODES] += 1
        alpha = -INFINITE
        if known >= multipv:
            alpha = int(root.tops[multipv - 1]) - (1 if options & TIES else 0)
        value = 0
        memory.pv[1, 0] = NO_MOVE
        if depth == 1 or is_settled(rules, options, child):
            value = value_of_leaf(pointer, state, child, 1, -INFINITE, INFINITE) * (1 - 2 * side)
        else:
            # Recursive calls of a kernel need the same types in every call; constants would have other types.
            ply, beta = 1 + 0 * i, INFINITE + 0 * i
            test = 1 if known >= multipv and options & PVS and not is_chance(rules, child) else 0
            if view(rules, child) == side:
                value = search_node(pointer, chance, child, depth - 1, ply, alpha, beta, test)
            else:
                value = -search_node(pointer, chance, child, depth - 1, ply, -beta, -alpha, -test)
        if memory.counters[STOP] != 0:
            return
        root.values[i] = value
        root.exact[i] = 1 if value > alpha else 0
        root.counts[DONE] = i + 1
        if value > alpha:
            length = 0
            while memory.pv[1, length] != NO_MOVE:
                root.pvs[i, length] = memory.pv[1, length]
                length += 1
            root.pvs[i, length] = NO_MOVE
            place = min(known, multipv - 1)
            if known < multipv or value > root.tops[place]:
                while place > 0 and root.tops[place - 1] < value:
                    root.tops[place] = root.tops[place - 1]
                    place -= 1
                root.tops[place] = value
            known += 1


def sort_root(root: Root) -> None:
    """Sort the root moves: first those with exact values, best first, and then those with only an upper bound.

    Moves with equal values keep their order.
    """
    count = int(root.counts[LISTED])
    worth = np.where(root.exact[:count] != 0, -root.values[:count], INFINITE + 1)
    order = np.argsort(worth, kind="stable")
    for part in (root.moves, root.values, root.exact):
        part[:count] = part[:count][order]
    known = order[: np.count_nonzero(root.exact[:count])]
    root.pvs[: len(known)] = root.pvs[known]  # the others have no line


@inline
def is_as_good(root: Root, place: int, best: int) -> int:
    """Return 1 if the move at index `place` has an exact value, equal to that of the move at `best`, otherwise 0."""
    return 1 if root.exact[place] != 0 and root.values[place] == root.values[best] else 0


@inline
def pick(root: Root, random: RandomState, draws: bool) -> int:
    """Return the index in `root` of a move with the best value.

    If several moves are best, the first of them is chosen. If `draws` is True, one of them is chosen at random instead.
    """
    best = 0
    ties = 1
    for i in range(1, root.counts[DONE]):
        if root.exact[i] != 0:
            if root.values[i] > root.values[best]:
                best = i
                ties = 1
            elif root.values[i] == root.values[best]:
                ties += 1
    if draws and ties > 1:
        skip = below(random, ties)
        first = best
        while skip > 0:
            best += 1
            skip -= is_as_good(root, best, first)
    return best
