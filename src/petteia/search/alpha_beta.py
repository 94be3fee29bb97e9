"""Alpha-beta search for any game.

The value of a node is from the perspective of the player to move (negamax). The game determines this player, so turns
need not alternate. The value of a chance node is the mean over its outcomes, from the perspective of player 0
(`chance`).

A search of depth d looks exactly d plies ahead, including outcomes of chance. It stops earlier only in finished games
and, if an option is set, in positions whose result is already certain (decided). Replaceable components (module
`parts`) evaluate the positions at depth d, choose the moves to be searched, and order these moves.

The value that a search returns can lie outside the window from alpha to beta (fail-soft). A value at or below alpha is
an upper bound, and a value at or above beta is a lower bound. A value between alpha and beta is exact.

The options defined in this module change the number of nodes, but not the values, except for `EXACT_DEPTH`. With
`EXACT_DEPTH`, the search uses an entry of the transposition table only if the depth of the entry equals the required
depth. Without `EXACT_DEPTH`, the search also uses entries of deeper searches, whose values are more accurate.

Sources: Knuth, Moore 1975, "An analysis of alpha-beta pruning"; Marsland, Campbell 1982, "Parallel search of strongly
ordered game trees" (principal variation search, PVS); Schaeffer 1989, "The history heuristic"; Plaat, Schaeffer, Pijls,
de Bruin 1996, "Exploiting graph properties of game trees" (enhanced transposition cut-offs, ETC).
"""

from __future__ import annotations

from petteia.core.kernel import inline, kernel
from petteia.core.packing import distinct_key
from petteia.core.pointer import value_at
from petteia.core.protocol import (
    CHANCE,
    State,
    moves,
    moves_left,
    next_move,
    play,
    to_move,
    without_next,
)
from petteia.search.chance import (
    STAR1,
    STAR2,
    is_known,
    is_outside,
    list_outcomes,
    lower_high,
    prunes,
    raise_low,
    search_last_outcomes,
    value_found,
    window_of,
)
from petteia.search.ends import (
    DECIDED,
    EARLY,
    INFINITE,
    is_chance,
    is_settled,
    maximum,
    shifted,
    view,
)
from petteia.search.leaves import value_of_leaf, worth_of_end
from petteia.search.memory import (
    EXACT,
    GUESSES,
    LOWER,
    NO_MOVE,
    NODES,
    STOP,
    UPPER,
    Memory,
    bound_of,
    depth_of,
    guess_of,
    move_of,
    must_stop,
    note,
    recall,
    value_of,
)
from petteia.search.ordering import bring_best, put_first
from petteia.search.parts import Search, credit, leaves_out, score, select

NOBODY = -1

EXACT_DEPTH, ORDER, PVS, ETC, TIES = (1 << i for i in range(4, 9))
"""Options, in addition to those of `ends` and `chance`: use only entries of equal depth; order moves; principal
variation search; enhanced transposition cut-offs; find all best moves."""
STANDARD = EARLY | DECIDED | ORDER | PVS | STAR1 | STAR2


@inline
def is_enough(options: int, known: int, depth: int) -> bool:
    """Return whether the transposition-table entry `known` is deep enough to replace a search of depth `depth`."""
    return bound_of(known) != 0 and (
        depth_of(known) == depth or (options & EXACT_DEPTH == 0 and depth_of(known) > depth)
    )


@inline
def tells(known: int, value: int, alpha: int, beta: int) -> bool:
    """Return whether the table entry `known` makes a search unnecessary: its value is exact, or causes a cut-off."""
    bound = bound_of(known)
    return bound == EXACT or (bound == LOWER and value >= beta) or (bound == UPPER and value <= alpha)


@inline
def list_moves(search: Search, state: State, ply: int) -> int:
    """Write the moves to be searched in `state` into the list for this `ply`, and return their number."""
    rules, _, parts, _, memory = value_at(search)
    count = moves(rules, state, memory.moves[ply])
    return select(parts.selection, search, state, ply, memory.moves[ply], count)


@inline
def score_moves(search: Search, state: State, ply: int, count: int, first: int) -> None:
    """Score the moves at `ply` for move ordering. The move `first` gets the highest score.

    The ordering component of the search scores all moves other than `first`. Without the option `ORDER`, these moves
    have the score 0.
    """
    _, _, parts, options, memory = value_at(search)
    if options & ORDER:
        score(parts.order, search, state, ply, count)
    else:
        for i in range(count):
            memory.scores[ply, i] = 0
    put_first(memory, ply, count, first)


@inline
def extend_pv(memory: Memory, ply: int, move: int) -> None:
    """Set the principal variation at `ply` to `move`, followed by the variation of the next ply."""
    memory.pv[ply, 0] = move
    i = 0
    while memory.pv[ply + 1, i] != NO_MOVE:
        memory.pv[ply, i + 1] = memory.pv[ply + 1, i]
        i += 1
    memory.pv[ply, i + 1] = NO_MOVE


@inline
def likely_move(search: Search, state: State, ply: int) -> int:
    """Return the first move to try in a non-terminal state: the stored best move, or else the best-scored move."""
    rules, _, _, _, memory = value_at(search)
    if len(memory.slots) > 0:
        known = recall(memory.slots, distinct_key(rules, state))
        if known != 0 and move_of(known) != NO_MOVE:
            return move_of(known)
    count = list_moves(search, state, ply)
    score_moves(search, state, ply, count, NO_MOVE)
    bring_best(memory, ply, 0, count)
    return int(memory.moves[ply, 0])


@inline
def bound_of_successors(search: Search, state: State, depth: int, ply: int, count: int, beta: int) -> int:
    """Find a successor whose stored value causes a beta cut-off. Return this value, or `-INFINITE` if there is none."""
    rules, _, _, options, memory = value_at(search)
    side = to_move(rules, state)
    for i in range(count):
        child = play(rules, state, int(memory.moves[ply, i]))
        known = recall(memory.slots, distinct_key(rules, child))
        if is_enough(options, known, depth - 1):
            value = shifted(options, value_of(known), ply + 1)
            too_good = LOWER
            if view(rules, child) != side:
                value = -value
                too_good = UPPER
            if value >= beta and bound_of(known) & too_good:
                memory.counters[GUESSES] += guess_of(known)
                return value
    return -INFINITE


@kernel(purpose="search")
def search_last_ply(search: Search, chance: tuple[int, ...], state: State, ply: int, alpha: int, beta: int) -> int:
    """Search a state one ply deep by evaluating its successors, and return its value.

    The transposition table is not used, because a lookup would take as long as the search.
    """
    rules, _, parts, _, memory = value_at(search)
    if must_stop(memory):
        return 0
    if len(chance) > 0 and is_chance(rules, state):
        return search_last_outcomes(search, state, ply, alpha, beta)
    side = to_move(rules, state)
    is_listed = leaves_out(parts.selection)  # otherwise the moves may be a set instead of a list
    left = list_moves(search, state, ply) if is_listed else moves_left(rules, state, memory.moves[ply])
    best = -INFINITE
    best_move = NO_MOVE
    visited = 0
    while left != 0:
        if is_listed:
            move = int(memory.moves[ply, visited])
            left -= 1
        else:
            move = next_move(rules, left, visited, memory.moves[ply])
            left = without_next(rules, left)
        child = play(rules, state, move)
        visited += 1
        lower = max(alpha, best)
        if side == 0:
            value = value_of_leaf(search, state, child, ply + 1, lower, beta)
        else:
            value = -value_of_leaf(search, state, child, ply + 1, -beta, -lower)
        if value > best:
            best = value
            best_move = move
            if value >= beta:
                break
    memory.counters[NODES] += visited
    if alpha < best < beta:
        memory.pv[ply, 0] = best_move
        memory.pv[ply, 1] = NO_MOVE
    return best


@kernel(purpose="search")
def search_node(
    search: Search, chance: tuple[int, ...], state: State, depth: int, ply: int, alpha: int, beta: int, test: int
) -> int:
    """Search a non-terminal state to a `depth` of 1 or more plies, and return its value for the player to move.

    `chance` is `memory.chance`, and `ply` is the distance from the root. If `test` is 1, a search with a null window
    first tests whether the value is at most `alpha`. If `test` is -1, a search with a null window first tests whether
    the value is at least `beta`. If `test` is 0, this first search is omitted. If `memory.counters[STOP]` is set, the
    returned value is meaningless.
    """
    rules, evaluation, parts, options, memory = value_at(search)
    if test != 0:
        low, high = (alpha, alpha + 1) if test > 0 else (beta - 1, beta)
        value = search_node(search, chance, state, depth, ply, low, high, 0 * test)
        if memory.counters[STOP] != 0 or not alpha < value < beta:
            return value
    if depth == 1:
        return search_last_ply(search, chance, state, ply, alpha, beta)
    if must_stop(memory):
        return 0
    side = to_move(rules, state)
    wants_pv = beta > alpha + 1

    # 1. The transposition table
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
            if tells(known, known_value, alpha, beta):
                memory.counters[GUESSES] += guess_of(known)
                if wants_pv:
                    memory.pv[ply, 0] = first
                    memory.pv[ply, 1] = NO_MOVE
                return known_value

    # 2. Chance nodes: one move of each outcome, then the outcomes
    if len(chance) > 0 and is_chance(rules, state):
        may_prune = prunes(evaluation, rules, options)
        count = list_outcomes(rules, state, memory, ply, maximum(evaluation, rules))
        tries = may_prune and options & STAR2 and has_table and depth > 2
        for turn in range(0 if tries else count, 2 * count):
            i = turn if turn < count else turn - count
            if may_prune and is_outside(memory, ply, alpha, beta):
                break
            if is_known(memory, ply, i):
                continue
            child = play(rules, state, int(memory.moves[ply, i]))
            plies = 1
            chooser = NOBODY  # the player whose other moves are left out
            if turn < count and not is_settled(rules, options, child):
                chooser = to_move(rules, child)
                if chooser == CHANCE:
                    continue
                child = play(rules, child, likely_move(search, child, ply + 1))
                plies = 2
            memory.counters[NODES] += 1
            low, high = window_of(memory, ply, i, alpha, beta, may_prune)
            value = 0
            if is_settled(rules, options, child):
                value = worth_of_end(search, child, ply + plies)
            elif view(rules, child) == 0:
                value = search_node(search, chance, child, depth - plies, ply + plies, low, high, 0 * test)
            else:
                value = -search_node(search, chance, child, depth - plies, ply + plies, -high, -low, 0 * test)
            if memory.counters[STOP] != 0:
                return 0
            if value > low and chooser != 1:
                raise_low(memory, ply, i, value)
            if value < high and chooser != 0:
                lower_high(memory, ply, i, value)
        is_partial = may_prune and is_outside(memory, ply, alpha, beta)
        best, bound = value_found(memory, ply, count, beta, is_partial)
        if has_table:
            guess = 1 if memory.counters[GUESSES] > guesses else 0
            note(memory.slots, name, best, NO_MOVE, depth, guess, bound)
        return best

    # 3. The table entries of the successors
    is_listed = has_table or options & ORDER != 0 or leaves_out(parts.selection)  # otherwise the moves may be a set
    count = list_moves(search, state, ply) if is_listed else 0
    if has_table and options & ETC and depth > 2:
        value = bound_of_successors(search, state, depth, ply, count, beta)
        if value >= beta:
            return value

    # 4. The moves, best first
    if is_listed:
        score_moves(search, state, ply, count, first)
    best = -INFINITE
    best_move = NO_MOVE
    lower = alpha
    left = count if is_listed else moves_left(rules, state, memory.moves[ply])
    i = 0
    while left != 0:
        if is_listed:
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
            value = worth_of_end(search, child, ply + 1)
            if side != 0:
                value = -value
            memory.pv[ply + 1, 0] = NO_MOVE
        else:
            same = view(rules, child) == side
            low, high = (lower, beta) if same else (-beta, -lower)
            doubts = i > 0 and options & PVS and wants_pv and not is_chance(rules, child)
            if depth == 2 and not doubts:
                value = search_last_ply(search, chance, child, ply + 1, low, high)
            else:
                test = (1 if same else -1) if doubts else 0
                value = search_node(search, chance, child, depth - 1, ply + 1, low, high, test)
            if not same:
                value = -value
            if memory.counters[STOP] != 0:
                return 0
        i += 1
        if value > best:
            best = value
            if value > lower:
                lower = value
                best_move = move
                if value >= beta:
                    if options & ORDER:
                        credit(parts.order, search, state, ply, move, depth)
                    break
                if wants_pv:
                    extend_pv(memory, ply, move)

    # 5. The new entry of the table
    if has_table:
        bound = LOWER if best >= beta else (EXACT if best > alpha else UPPER)
        guess = 1 if memory.counters[GUESSES] > guesses else 0
        note(memory.slots, name, shifted(options, best, -ply), best_move, depth, guess, bound)
    return best
