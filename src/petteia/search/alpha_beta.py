"""Alpha-beta search for any game.

A node's value is that of its mover (negamax); whose it is, is asked of the game, so turns need not alternate. Where
chance moves it is the mean of the outcomes, player 0's (`chance`). A search of depth d looks exactly d plies ahead,
outcomes of chance included, fewer only where the game is over, or decided if that is looked for. Searches
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
from petteia.core.pointer import value_at
from petteia.core.protocol import (
    CHANCE,
    Rules,
    State,
    move_kind,
    moves,
    moves_left,
    next_move,
    play,
    to_move,
    without_next,
)
from petteia.features.evaluation import Evaluation
from petteia.search.chance import (
    STAR1,
    STAR2,
    bound_outside,
    high_end,
    is_known,
    is_outside,
    list_outcomes,
    low_end,
    lower_high,
    mean_of,
    prunes,
    raise_low,
    search_last_outcomes,
)
from petteia.search.ends import (
    DECIDED,
    EARLY,
    WON,
    guessed_worth,
    is_chance,
    is_settled,
    most,
    shifted,
    view,
    worth_of_end,
)
from petteia.search.memory import (
    ASKED,
    EXACT,
    GUESSES,
    LOWER,
    MOST_NODES,
    NO_MOVE,
    NODES,
    STOP,
    UPPER,
    Memory,
    bound_of,
    depth_of,
    guess_of,
    move_of,
    note,
    recall,
    value_of,
)

INFINITE = WON + 1
NOBODY = -1

EXACT_DEPTH, ORDER, PVS, ETC, TIES = (1 << i for i in range(4, 9))
"""Options beside those of `ends` and `chance`: use only entries of equal depth; order moves by killers and history;
principal variation search; enhanced transposition cut-offs; find every one of the moves that are best."""
LONG, SORTED = 128, 32
"""moves that make a list long, and how many of its moves are ordered: after these, most often all are looked at"""
STANDARD = EARLY | DECIDED | ORDER | PVS | STAR1 | STAR2


class Search(NamedTuple):
    """What is the same at all nodes, which get a pointer to it."""

    rules: Rules
    """the rules of the game"""
    evaluation: Evaluation
    """the evaluation of positions at which the search stops"""
    options: int
    """bits of those above, of `ends` and of `chance`"""
    memory: Memory
    """arrays for as many plies as are searched"""


@inline
def must_stop(memory: Memory) -> bool:
    """Whether the search is at its end, as somebody has said or as there have been enough nodes."""
    if memory.counters[NODES] >= memory.counters[MOST_NODES] or memory.counters[ASKED] != 0:
        memory.counters[STOP] = 1
    return bool(memory.counters[STOP] != 0)


@inline
def is_enough(options: int, known: int, depth: int) -> bool:
    """Whether an entry may stand for a search of this depth."""
    return bound_of(known) != 0 and (
        depth_of(known) == depth or (options & EXACT_DEPTH == 0 and depth_of(known) > depth)
    )


@inline
def score_moves(rules: Rules, memory: Memory, ply: int, side: int, count: int, first: int, options: int) -> None:
    """Score the moves listed at `ply`: `first` before all, then killers, then by history."""
    for i in range(count):
        move = int(memory.moves[ply, i])
        score = 0
        if options & ORDER:
            score = memory.history[side, move_kind(rules, move)]
            if move == memory.killers[ply, 0]:
                score += 1 << 61
            elif move == memory.killers[ply, 1]:
                score += 1 << 60
        if move == first:
            score = 1 << 62
        memory.scores[ply, i] = score


@inline
def bring_best(memory: Memory, ply: int, place: int, count: int) -> None:
    """Bring the best-scored move from `place` on there, the first of equals; of a long list only the first `SORTED`."""
    if place >= SORTED and count > LONG:
        return
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
def credit(rules: Rules, memory: Memory, ply: int, side: int, move: int, depth: int) -> None:
    """Remember a move that was too good for the opponent to allow."""
    if memory.killers[ply, 0] != move:
        memory.killers[ply, 1] = memory.killers[ply, 0]
        memory.killers[ply, 0] = move
    memory.history[side, move_kind(rules, move)] += depth * depth


@inline
def extend_pv(memory: Memory, ply: int, move: int) -> None:
    """Make `move`, and the line after it, the line at `ply`."""
    memory.pv[ply, 0] = move
    i = 0
    while memory.pv[ply + 1, i] != NO_MOVE:
        memory.pv[ply, i + 1] = memory.pv[ply + 1, i]
        i += 1
    memory.pv[ply, i + 1] = NO_MOVE


@inline
def likely_move(search: Search, state: State, ply: int) -> int:
    """The move of a state, which is not over, that is likely to be good."""
    rules, _, options, memory = value_at(search)
    if len(memory.slots) > 0:
        known = recall(memory.slots, distinct_key(rules, state))
        if known != 0 and move_of(known) != NO_MOVE:
            return move_of(known)
    count = moves(rules, state, memory.moves[ply])
    score_moves(rules, memory, ply, to_move(rules, state), count, NO_MOVE, options)
    bring_best(memory, ply, 0, count)
    return int(memory.moves[ply, 0])


@kernel(purpose="search")
def search_last_ply(search: Search, chance: tuple[int, ...], state: State, ply: int, alpha: int, beta: int) -> int:
    """The value of a state searched one ply ahead. The table is not asked: that takes as long."""
    rules, evaluation, options, memory = value_at(search)
    if must_stop(memory):
        return 0
    side = to_move(rules, state)
    if len(chance) > 0 and is_chance(rules, state):
        return search_last_outcomes(rules, evaluation, options, memory, state, ply, alpha, beta)
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
            value = guessed_worth(evaluation, rules, child)
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
def search_node(
    search: Search, chance: tuple[int, ...], state: State, depth: int, ply: int, alpha: int, beta: int
) -> int:
    """The value for its mover of a state that is not settled, searched `depth` (1 or more) plies ahead.

    `chance` is `room_for_chance(rules)`; `ply` is the distance from the root. When `memory.counters[STOP]` is set the
    value means nothing.
    """
    if depth == 1:
        return search_last_ply(search, chance, state, ply, alpha, beta)
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

    # 2. Where chance moves: what one move of each outcome tells, then the outcomes
    if len(chance) > 0 and is_chance(rules, state):
        may_prune = prunes(evaluation, rules, options)
        count = list_outcomes(rules, state, memory, ply, most(evaluation, rules))
        for phase in range(0 if may_prune and options & STAR2 and has_table and depth > 2 else 1, 2):
            for i in range(count):
                if may_prune and is_outside(memory, ply, alpha, beta):
                    break
                if is_known(memory, ply, i):
                    continue
                low, high = -INFINITE, INFINITE
                if may_prune:
                    low = low_end(memory, ply, i, alpha, INFINITE)
                    high = high_end(memory, ply, i, beta, INFINITE)
                child = play(rules, state, int(memory.moves[ply, i]))
                ended = is_settled(rules, options, child)
                farther = 1
                chooser = NOBODY  # whose moves have been left out
                if phase == 0 and not ended:
                    chooser = to_move(rules, child)
                    if chooser == CHANCE:
                        continue
                    child = play(rules, child, likely_move(search, child, ply + 1))
                    ended = is_settled(rules, options, child)
                    farther = 2
                memory.counters[NODES] += 1
                value = 0
                if ended:
                    value = worth_of_end(evaluation, rules, options, memory, child, ply + farther)
                elif view(rules, child) == 0:
                    value = search_node(search, chance, child, depth - farther, ply + farther, low, high)
                else:
                    value = -search_node(search, chance, child, depth - farther, ply + farther, -high, -low)
                if memory.counters[STOP] != 0:
                    return 0
                if value > low and chooser != 1:
                    raise_low(memory, ply, i, value)
                if value < high and chooser != 0:
                    lower_high(memory, ply, i, value)
        bound = EXACT
        best = 0
        if may_prune and is_outside(memory, ply, alpha, beta):
            best = bound_outside(memory, ply, beta)
            bound = LOWER if best >= beta else UPPER
        else:
            best = mean_of(memory, ply, count)
        if has_table:
            guess = 1 if memory.counters[GUESSES] > guesses else 0
            note(memory.slots, name, best, NO_MOVE, depth, guess, bound)
        return best

    count = 0
    if has_table or options & ORDER != 0:  # else no list is needed: they may be a set
        count = moves(rules, state, memory.moves[ply])

    # 3. What it knows of the successors
    if has_table and options & ETC and depth > 2:
        for i in range(count):
            child = play(rules, state, int(memory.moves[ply, i]))
            known = recall(memory.slots, distinct_key(rules, child))
            if is_enough(options, known, depth - 1):
                known_value = shifted(options, value_of(known), ply + 1)
                too_good = LOWER
                if view(rules, child) != side:
                    known_value = -known_value
                    too_good = UPPER
                if known_value >= beta and bound_of(known) & too_good:
                    memory.counters[GUESSES] += guess_of(known)
                    return known_value

    # 4. The moves, best first
    is_ordered = options & ORDER != 0 or first != NO_MOVE
    if is_ordered:
        score_moves(rules, memory, ply, side, count, first, options)
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
            same = view(rules, child) == side
            upper = beta
            if i > 0 and options & PVS and wants_pv and not is_chance(rules, child):
                upper = lower + 1
            while True:
                low = lower if same else -upper
                high = upper if same else -lower
                if depth == 2:
                    value = search_last_ply(search, chance, child, ply + 1, low, high)
                else:
                    value = search_node(search, chance, child, depth - 1, ply + 1, low, high)
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
                        credit(rules, memory, ply, side, move, depth)
                    break
                if wants_pv:
                    extend_pv(memory, ply, move)

    # 5. What is worth remembering
    if has_table:
        bound = LOWER if best >= beta else (EXACT if best > alpha else UPPER)
        guess = 1 if memory.counters[GUESSES] > guesses else 0
        note(memory.slots, name, shifted(options, best, -ply), best_move, depth, guess, bound)
    return best
