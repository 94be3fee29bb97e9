"""Selective search, which searches only a given fraction of the moves at each node: the moves with the best ranks.

The number of selected moves is rounded up, so at least one move is searched. The selected moves are searched in the
order of the ranking, unless the move ordering of the search changes this order. Each ranked move counts as a node.

Source: a student report on selective alpha-beta search for the Game of the Amazons, in the answer to its question 7.
"""

from __future__ import annotations

from typing import NamedTuple

from petteia.core.bits import mix, wrapping_add
from petteia.core.kernel import called, inline
from petteia.core.pointer import value_at
from petteia.core.protocol import Buffer, Rules, State, steps
from petteia.features.rankings import Ranking, at_random, rank, ranks_steps
from petteia.search.memory import NODES, Memory
from petteia.search.parts import Search

WHOLE = 1_000_000
"""The unit of shares. This number represents the share of all moves."""
CUT_OFF = (1 << 30) - 1
"""The largest absolute value of a rank. Larger ranks are limited to it."""
PLACES = 1 << 15
"""The maximum number of moves or groups in a position. Their indices are part of the scores."""


@inline
def kept(share: int, count: int) -> int:
    """Return how many of `count` moves (or groups of moves) are selected: `share` / `WHOLE` of them, rounded up.

    At least one is selected.
    """
    return max(1, (share * count + WHOLE - 1) // WHOLE)


@inline
def rank_of(ranking: Ranking, memory: Memory, rules: Rules, state: State, move: int, known: int, is_heavy: bool) -> int:
    """Return the rank of a move, judged by its first `known` steps, or a pseudorandom rank if `is_heavy` is True.

    If `known` is 0, the whole move is judged. Each move that is not ranked at random counts as a node.
    """
    if is_heavy:
        return at_random(rules, state, move)
    memory.counters[NODES] += 1
    return min(max(rank(ranking, rules, state, move, known), -CUT_OFF), CUT_OFF)


@called
def sort_moves(moves: Buffer, scores: Buffer, begin: int, end: int) -> None:
    """Sort the moves from index `begin` to `end` - 1 by score, highest first, by Shell sort. All scores must differ."""
    gap = 1
    while gap < (end - begin) // 3:
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(begin + gap, end):
            move, score = moves[i], scores[i]
            j = i
            while j >= begin + gap and scores[j - gap] < score:
                moves[j], scores[j] = moves[j - gap], scores[j - gap]
                j -= gap
            moves[j], scores[j] = move, score
        gap //= 3


class BestMoves(NamedTuple):
    """A selection of the best-ranked moves: a given fraction of the legal moves."""

    share: int
    """share of the moves, in units of 1 / WHOLE"""
    only_root: int
    """1 to select only at the root and search all moves at other nodes; 0 to select at all nodes"""
    heavy: int
    """the smallest number of moves for which ranks are random in a position; 0 if ranks are never random"""
    ranking: Ranking
    """the ranking of the moves"""

    def select(selection, search: Search, state: State, ply: int, moves: Buffer, count: int) -> int:
        """Return the number of moves to be searched. If some are omitted, sort the moves by rank first, best first."""
        rules, _, _, _, memory = value_at(search)
        wanted = kept(selection.share, count)
        if wanted == count or (selection.only_root and ply > 0):
            return count
        scores = memory.scores[ply]
        is_heavy = 0 < selection.heavy <= count
        for i in range(count):
            rated = rank_of(selection.ranking, memory, rules, state, int(moves[i]), 0, is_heavy)
            scores[i] = rated * PLACES + PLACES - 1 - i
        sort_moves(moves, scores, 0, count)
        return wanted

    def leaves_out(selection) -> bool:
        """Return True, because legal moves can be omitted."""
        return True


@inline
def beginning(memory: Memory, rules: Rules, state: State, move: int, known: int) -> int:
    """Return a hash of the first `known` steps of a move. Moves with the same first steps have the same hash."""
    count = steps(rules, state, move, memory.steps)
    name = 0
    for i in range(min(known, count)):
        name = mix(wrapping_add(name, 1 + memory.steps[i]))
    return name


class BestGroups(NamedTuple):
    """A selection in stages. Each stage groups the moves by their first steps, and keeps only the best groups.

    The first stage groups the moves by their first steps, for example by the piece that moves. Each later stage divides
    the remaining groups by one more step. Every stage keeps a given fraction of the groups, those with the best ranks.
    """

    share: int
    """share of the groups, in units of 1 / WHOLE"""
    only_root: int
    """1 to select only at the root and search all moves at other nodes; 0 to select at all nodes"""
    heavy: int
    """the smallest number of moves for which ranks are random in a position; 0 if ranks are never random"""
    ranking: Ranking
    """the ranking of the groups; if it ranks whole moves, the rank of a group is that of its best move"""
    first: int
    """the number of steps in the first stage, 1 or more"""
    last: int
    """the number of steps in the last stage"""

    def select(selection, search: Search, state: State, ply: int, moves: Buffer, count: int) -> int:
        """Move the moves of the selected groups to the front, best groups first, and return their number."""
        if selection.share >= WHOLE or (selection.only_root and ply > 0):
            return count
        rules, _, _, _, memory = value_at(search)
        is_heavy = 0 < selection.heavy <= count
        for known in range(selection.first, selection.last + 1):
            begin, found = 0, 0
            while begin < count:
                end = count
                if known > selection.first:
                    name = beginning(memory, rules, state, int(moves[begin]), known - 1)
                    end = begin + 1
                    while end < count and beginning(memory, rules, state, int(moves[end]), known - 1) == name:
                        end += 1
                groups = rank_groups(selection, memory, rules, state, ply, moves, begin, end, known, is_heavy)
                sort_moves(moves, memory.scores[ply], begin, end)
                wanted = kept(selection.share, groups)
                group = -1
                for i in range(begin, end):
                    at = (memory.scores[ply, i] // PLACES) % PLACES
                    if at != group:
                        if wanted == 0:
                            break
                        wanted -= 1
                        group = at
                    moves[found] = moves[i]
                    found += 1
                begin = end
            count = found
        return count

    def leaves_out(selection) -> bool:
        """Return True, because legal moves can be omitted."""
        return True


@inline
def rank_groups(
    selection: BestGroups,
    memory: Memory,
    rules: Rules,
    state: State,
    ply: int,
    moves: Buffer,
    begin: int,
    end: int,
    known: int,
    is_heavy: bool,
) -> int:
    """Group the moves by their first `known` steps, rank the groups, and write a score for each move.

    The grouped moves are `moves[begin:end]`, and their scores are written to row `ply` of `memory.scores`. A move has a
    higher score if its group has a higher rank. Ties are broken by the index of the group and then by the index of the
    move, lower indices first. Returns the number of groups. Row `ply + 1` of `memory.moves` receives the identifiers of
    the groups. Row `ply + 1` of `memory.scores` receives the ranks of the groups.
    """
    names, ranks, scores = memory.moves[ply + 1], memory.scores[ply + 1], memory.scores[ply]
    groups = 0
    for i in range(begin, end):
        move = int(moves[i])
        name = beginning(memory, rules, state, move, known)
        group = groups - 1
        while group >= 0 and names[group] != name:
            group -= 1
        is_new = group < 0
        if is_new:
            group = groups
            names[group] = name
            ranks[group] = -CUT_OFF
            groups += 1
        if is_new or (not is_heavy and not ranks_steps(selection.ranking)):
            rated = rank_of(selection.ranking, memory, rules, state, move, known, is_heavy)
            ranks[group] = max(int(ranks[group]), rated)
        scores[i] = group
    for i in range(begin, end):
        group = int(scores[i])
        scores[i] = (ranks[group] * PLACES + PLACES - 1 - group) * PLACES + PLACES - 1 - (i - begin)
    return groups
