"""Selections that leave moves out: at each node the best share of the moves, by a ranking.

The share is rounded up, so at least one move is searched. Selected moves are searched best-ranked first, as far as the
order of the search does not know better. Each move that a ranking looks at counts as a node.

Source: a student report on selective alpha-beta search for the Game of the Amazons, question 7.
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
"""a share is so many parts of this"""
CUT_OFF = (1 << 30) - 1
"""ranks are cut off at this size"""
PLACES = 1 << 15
"""moves, and candidates, that there may be in a position: the room of their numbers in a score"""


@inline
def kept(share: int, count: int) -> int:
    """How many of so many candidates are kept: the share of them, rounded up, and at least one."""
    return max(1, (share * count + WHOLE - 1) // WHOLE)


@inline
def rank_of(ranking: Ranking, memory: Memory, rules: Rules, state: State, move: int, known: int, is_heavy: bool) -> int:
    """The rank of a move of which so many steps are known; at random where the position has too many moves."""
    if is_heavy:
        return at_random(rules, state, move)
    memory.counters[NODES] += 1
    return min(max(rank(ranking, rules, state, move, known), -CUT_OFF), CUT_OFF)


@called
def sort_moves(moves: Buffer, scores: Buffer, begin: int, end: int) -> None:
    """Sort the moves of a part of a list by their scores, which are all different, highest first: a Shell sort."""
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
    """The selection of the best share of the moves."""

    share: int
    """of the moves, in parts of WHOLE"""
    only_root: int
    """1: select at the root alone, and search all moves elsewhere; 0: select everywhere"""
    heavy: int
    """rank at random where there are so many moves or more; 0: never"""
    ranking: Ranking
    """by which moves are ranked"""

    def select(selection, search: Search, state: State, ply: int, moves: Buffer, count: int) -> int:
        """The best of them, best first."""
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
        """Some moves are left out."""
        return True


@inline
def beginning(memory: Memory, rules: Rules, state: State, move: int, known: int) -> int:
    """A number of the first steps of a move, the same for all moves that begin so."""
    count = steps(rules, state, move, memory.steps)
    name = 0
    for i in range(min(known, count)):
        name = mix(wrapping_add(name, 1 + memory.steps[i]))
    return name


class BestGroups(NamedTuple):
    """The selection of the best share of the groups of moves that begin with the same steps, stage by stage.

    At each stage one step more is known. The groups that were kept at a stage are divided by the next step, and of each
    the share of its parts is kept.
    """

    share: int
    """of the groups, in parts of WHOLE"""
    only_root: int
    """1: select at the root alone, and search all moves elsewhere; 0: select everywhere"""
    heavy: int
    """rank at random where there are so many moves or more; 0: never"""
    ranking: Ranking
    """by which groups are ranked; by their best move where it looks at whole moves"""
    first: int
    """the steps that the first stage knows, 1 or more"""
    last: int
    """those that the last stage knows"""

    def select(selection, search: Search, state: State, ply: int, moves: Buffer, count: int) -> int:
        """The moves of the best groups, best groups first."""
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
        """Some moves are left out."""
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
    """Score the moves of a part of a list: by the rank of their group, then by its number, then by their place.

    Returns the number of groups. Their names and ranks stand in the rows of the next ply.
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
