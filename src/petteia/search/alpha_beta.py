"""Alpha-beta search for any game without chance.

A node's value is that of its mover (negamax); whose it is, is asked of the game, so turns need not alternate. A search
of depth d looks exactly d plies ahead, fewer only where the game is over, or decided if that is looked for. Searches
are fail-soft: a value found at or below alpha is an upper bound, one at or above beta a lower bound, all others exact.

What may be switched on never changes a value, only the number of nodes; with one exception: without `EXACT_DEPTH`
entries of the table are used that looked further ahead than was asked for, whose values are better founded.

Sources: Knuth, Moore 1975, "An analysis of alpha-beta pruning"; Marsland, Campbell 1982, "Parallel search of strongly
ordered game trees" (principal variation search, PVS); Schaeffer 1989, "The history heuristic"; Plaat, Schaeffer, Pijls,
de Bruin 1996, "Exploiting graph properties of game trees" (enhanced transposition cut-offs, ETC).
"""

from __future__ import annotations

from typing import NamedTuple

from petteia.core.kernel import inline, kernel
from petteia.core.packing import distinct_key
from petteia.core.pointer import pointer_to, value_at
from petteia.core.protocol import Rules, State, moves, moves_left, next_move, play, to_move, without_next
from petteia.core.random import RandomState, below
from petteia.features.evaluation import Evaluation, evaluate
from petteia.search.ends import DECIDED, EARLY, WON, cut_off, is_settled, shifted, worth_of_end
from petteia.search.memory import (
    DONE,
    EXACT,
    GUESSES,
    LISTED,
    LOWER,
    MOST_NODES,
    NO_MOVE,
    NODES,
    STOP,
    UPPER,
    Memory,
    Root,
    bound_of,
    depth_of,
    guess_of,
    move_of,
    note,
    recall,
    value_of,
)

INFINITE = WON + 1

EXACT_DEPTH, ORDER, PVS, ETC, TIES = (1 << i for i in range(4, 9))
"""Options beside those of `ends`: use only entries of equal depth; order moves by killers and history; principal
variation search; enhanced transposition cut-offs; find every one of the moves that are best."""
STANDARD = EARLY | DECIDED | ORDER | PVS


class Search(NamedTuple):
    """What is the same at all nodes, which get a pointer to it."""

    rules: Rules
    """the rules of the game"""
    evaluation: Evaluation
    """the evaluation of positions at which the search stops"""
    options: int
    """bits of those above, and of `ends`"""
    memory: Memory
    """arrays for as many plies as are searched"""


@inline
def must_stop(memory: Memory) -> bool:
    """Whether the search is at its end, as somebody has said or as there have been enough nodes."""
    if memory.counters[NODES] >= memory.counters[MOST_NODES]:
        memory.counters[STOP] = 1
    return bool(memory.counters[STOP] != 0)


@inline
def is_enough(options: int, known: int, depth: int) -> bool:
    """Whether an entry may stand for a search of this depth."""
    return bound_of(known) != 0 and (
        depth_of(known) == depth or (options & EXACT_DEPTH == 0 and depth_of(known) > depth)
    )


@inline
def score_moves(memory: Memory, ply: int, side: int, count: int, first: int, options: int) -> None:
    """Score the moves listed at `ply`: `first` before all, then killers, then by history."""
    for i in range(count):
        move = memory.moves[ply, i]
        score = 0
        if options & ORDER:
            score = memory.history[side, move]
            if move == memory.killers[ply, 0]:
                score += 1 << 61
            elif move == memory.killers[ply, 1]:
                score += 1 << 60
        if move == first:
            score = 1 << 62
        memory.scores[ply, i] = score


@inline
def bring_best(memory: Memory, ply: int, place: int, count: int) -> None:
    """Exchange the move at `place` with the best-scored from there on; the first of equals."""
    best = place
    for i in range(place + 1, count):
        if memory.scores[ply, i] > memory.scores[ply, best]:
            best = i
    move = memory.moves[ply, best]
    score = memory.scores[ply, best]
    for i in range(best, place, -1):  # the others keep their order
        memory.moves[ply, i] = memory.moves[ply, i - 1]
        memory.scores[ply, i] = memory.scores[ply, i - 1]
    memory.moves[ply, place] = move
    memory.scores[ply, place] = score


@inline
def credit(memory: Memory, ply: int, side: int, move: int, depth: int) -> None:
    """Remember a move that was too good for the opponent to allow."""
    if memory.killers[ply, 0] != move:
        memory.killers[ply, 1] = memory.killers[ply, 0]
        memory.killers[ply, 0] = move
    memory.history[side, move] += depth * depth


@inline
def extend_pv(memory: Memory, ply: int, move: int) -> None:
    """Make `move`, and the line after it, the line at `ply`."""
    memory.pv[ply, 0] = move
    i = 0
    while memory.pv[ply + 1, i] != NO_MOVE:
        memory.pv[ply, i + 1] = memory.pv[ply + 1, i]
        i += 1
    memory.pv[ply, i + 1] = NO_MOVE


@kernel(purpose="search")
def search_last_ply(search: Search, state: State, ply: int, alpha: int, beta: int) -> int:
    """The value of a state searched one ply ahead. The table is not asked: that takes as long."""
    rules, evaluation, options, memory = value_at(search)
    if must_stop(memory):
        return 0
    side = to_move(rules, state)
    left = moves_left(rules, state, memory.moves[ply])
    best = -INFINITE
    best_move = NO_MOVE
    visited = 0
    guessed = 0
    while left != 0:
        move = next_move(rules, left, visited, memory.moves[ply])
        left = without_next(rules, left)
        child = play(rules, state, move)
        visited += 1
        if is_settled(rules, options, child):
            value = worth_of_end(evaluation, rules, options, memory, child, ply + 1)
        else:
            guessed = 1
            value = cut_off(evaluate(evaluation, rules, child))
        if side != 0:
            value = -value
        if value > best:
            best = value
            best_move = move
            if value >= beta:
                break
    memory.counters[NODES] += visited
    memory.counters[GUESSES] += guessed
    if alpha < best < beta:
        memory.pv[ply, 0] = best_move
        memory.pv[ply, 1] = NO_MOVE
    return best


@kernel(purpose="search")
def search_node(search: Search, state: State, depth: int, ply: int, alpha: int, beta: int) -> int:
    """The value for its mover of a state that is not settled, searched `depth` (1 or more) plies ahead.

    `ply` is its distance from the root. When `memory.counters[STOP]` is set the value means nothing.
    """
    if depth == 1:
        return search_last_ply(search, state, ply, alpha, beta)
    rules, evaluation, options, memory = value_at(search)
    if must_stop(memory):
        return 0
    side = to_move(rules, state)
    wants_pv = beta > alpha + 1

    # 1. What the table knows
    has_table = len(memory.slots) > 0
    name = 0
    first = NO_MOVE
    guesses = memory.counters[GUESSES]
    if has_table:
        name = distinct_key(rules, state)
        known = recall(memory.slots, name)
        if known != 0:
            first = move_of(known)
        if is_enough(options, known, depth):
            known_value = shifted(options, value_of(known), ply)
            bound = bound_of(known)
            if bound == EXACT or (bound == LOWER and known_value >= beta) or (bound == UPPER and known_value <= alpha):
                memory.counters[GUESSES] += guess_of(known)
                if wants_pv:
                    memory.pv[ply, 0] = first
                    memory.pv[ply, 1] = NO_MOVE
                return known_value

    count = 0
    if has_table or options & ORDER != 0:  # else no list is needed: they may be a set
        count = moves(rules, state, memory.moves[ply])

    # 2. What it knows of the successors
    if has_table and options & ETC and depth > 2:
        for i in range(count):
            child = play(rules, state, int(memory.moves[ply, i]))
            known = recall(memory.slots, distinct_key(rules, child))
            if is_enough(options, known, depth - 1):
                known_value = shifted(options, value_of(known), ply + 1)
                too_good = LOWER
                if to_move(rules, child) != side:
                    known_value = -known_value
                    too_good = UPPER
                if known_value >= beta and bound_of(known) & too_good:
                    memory.counters[GUESSES] += guess_of(known)
                    return known_value

    # 3. The moves, best first
    is_ordered = options & ORDER != 0 or first != NO_MOVE
    if is_ordered:
        score_moves(memory, ply, side, count, first, options)
    best = -INFINITE
    best_move = NO_MOVE
    lower = alpha
    left = count if is_ordered else moves_left(rules, state, memory.moves[ply])
    i = -1
    while left != 0:
        i += 1
        if is_ordered:
            bring_best(memory, ply, i, count)
            move = int(memory.moves[ply, i])
            left -= 1
        else:
            move = next_move(rules, left, i, memory.moves[ply])
            left = without_next(rules, left)
        child = play(rules, state, move)
        memory.counters[NODES] += 1
        value = 0
        if is_settled(rules, options, child):
            value = worth_of_end(evaluation, rules, options, memory, child, ply + 1)
            if side != 0:
                value = -value
            memory.pv[ply + 1, 0] = NO_MOVE
        else:
            same = to_move(rules, child) == side
            upper = beta
            if i > 0 and options & PVS and wants_pv:
                upper = lower + 1
            while True:
                low = lower if same else -upper
                high = upper if same else -lower
                if depth == 2:
                    value = search_last_ply(search, child, ply + 1, low, high)
                else:
                    value = search_node(search, child, depth - 1, ply + 1, low, high)
                if not same:
                    value = -value
                if memory.counters[STOP] != 0:
                    return 0
                if upper == beta or not lower < value < beta:
                    break
                upper = beta
        if value > best:
            best = value
            if value > lower:
                lower = value
                best_move = move
                if value >= beta:
                    if options & ORDER:
                        credit(memory, ply, side, move, depth)
                    break
                if wants_pv:
                    extend_pv(memory, ply, move)

    # 4. What is worth remembering
    if has_table:
        bound = LOWER if best >= beta else (EXACT if best > alpha else UPPER)
        guess = 1 if memory.counters[GUESSES] > guesses else 0
        note(memory.slots, name, shifted(options, best, -ply), best_move, depth, guess, bound)
    return best


@kernel(purpose="search")
def search_root(
    rules: Rules,
    evaluation: Evaluation,
    options: int,
    memory: Memory,
    state: State,
    depth: int,
    multipv: int,
    root: Root,
) -> None:
    """Search the moves in `root.moves`, in this order, `depth` (1 or more) plies ahead, for the best `multipv` of them.

    Fills `root` but for its moves and their number. Values are the mover's; those of other moves are upper bounds. With
    `TIES` all moves that are as good as the last of the best ones are among these, too.
    """
    search = pointer_to(Search(rules, evaluation, options, memory))
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
        if is_settled(rules, options, child):
            value = worth_of_end(evaluation, rules, options, memory, child, 1) * (1 - 2 * side)
        elif depth == 1:
            value = cut_off(evaluate(evaluation, rules, child)) * (1 - 2 * side)
            memory.counters[GUESSES] += 1
        else:
            # The same types in every call of a kernel that calls itself: constants would make new ones.
            ply = 1 + 0 * i
            upper = alpha + 1 if known >= multipv and options & PVS else INFINITE
            for _ in range(2):
                if to_move(rules, child) == side:
                    value = search_node(search, child, depth - 1, ply, alpha, upper)
                else:
                    value = -search_node(search, child, depth - 1, ply, -upper, -alpha)
                if value <= alpha or upper == INFINITE or memory.counters[STOP] != 0:
                    break
                upper = INFINITE
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


@inline
def is_as_good(root: Root, place: int, best: int) -> int:
    """1 if the move at `place` is known to be worth what the one at `best` is, else 0."""
    return 1 if root.exact[place] != 0 and root.values[place] == root.values[best] else 0


@inline
def pick(root: Root, random: RandomState, draws: bool) -> int:
    """The place of the best move in `root`, of which something has been searched; of equals the first, or any."""
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
