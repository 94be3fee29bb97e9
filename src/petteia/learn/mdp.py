"""The Markov decision process (MDP) of a learner whose opponent is part of the world, and its exact values.

Against an opponent whose move probabilities are known, a game is an MDP of the learner's own
positions. A move's value counts what comes after it as learning does (see `tabular`): the reward, +1 or -1, if the game
ends before the learner is to move again, and otherwise gamma times the value of the position it then meets:

    Q(s, a) = E[r + gamma max_b Q(s', b)]

That is what Q-learning approaches. With a policy's own average in the place of the maximum it is what that policy is
worth. Games are taken to go on until they end: a limit of plies is not part of a position.

Sources: Bellman 1957, "Dynamic Programming"; Puterman 1994, "Markov Decision Processes", section 6.3 (value iteration).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from petteia.core.arrays import Bools, Floats, Ints, Ints8, Ints32
from petteia.core.errors import UsageError
from petteia.core.kernel import kernel
from petteia.core.names import format_game
from petteia.core.packing import unpack
from petteia.core.protocol import Rules, State, initial
from petteia.core.random import RandomState, draw_index, stream
from petteia.policies.play_games import MAX_PLIES
from petteia.policies.policy import Policy, Scratch, tells_probabilities, workspace
from petteia.policies.policy import probabilities as add_probabilities
from petteia.solver.graph import MEMORY, OVER, Graph, explore, numbers_positions, refuse_chance
from petteia.value_functions.table import Table, rows

PRECISION = 1e-15
"""values are swept over until none changes by more"""
MAX_SWEEPS = 1_000_000
AT_ONCE = 1 << 15
"""positions, or games, that are dealt with before an interrupt is heard"""


class MDP(NamedTuple):
    """What a learner faces: positions as rows, and how likely its opponent makes each of its moves."""

    rules: Rules
    """the rules of the game"""
    side: int
    """the learner's seat"""
    gamma: float
    """worth of a value one step later"""
    graph: Graph
    """all positions, images of each other included; the start is row 0"""
    probabilities: Floats
    """probability of each of `graph.successors` where the opponent moves, else 0; [moves]"""
    order: Ints
    """the rows, such that what follows from one comes before it, unless that leads back to it; [rows]"""

    @property
    def decisions(self) -> Bools:
        """Which rows are the learner's to move in, [rows]."""
        decisions: Bools = self.graph.movers == self.side
        return decisions

    @property
    def actions(self) -> Bools:
        """Which of `graph.successors` the learner's moves lead to, [moves]."""
        return self.decisions[self.origins]

    @property
    def origins(self) -> Ints:
        """The rows from which `graph.successors` follow, [moves]."""
        return np.repeat(np.arange(len(self.graph.keys)), np.diff(self.graph.offsets))


def mdp_for(
    rules: Rules, side: int, opponent: Policy, gamma: float, *, start: State | None = None, memory: int = MEMORY
) -> MDP:
    """The decision process of a learner in the seat `side` who meets the policy `opponent`.

    It has all positions that the game numbers and all that can be reached from `start` (default: the game's first).
    Raises UsageError if the opponent cannot tell its probabilities, if the game has chance or keys that are not
    injective, or if it does not fit into `memory` bytes.
    """
    refuse_chance(rules)
    first = initial(rules) if start is None else start
    graph = explore(rules, first, folded=False, numbered=numbers_positions(rules), memory=memory)
    probabilities = _probabilities(rules, first, graph, 1 - side, opponent)
    return MDP(rules, side, gamma, graph, probabilities, in_order(graph))


def in_order(graph: Graph) -> Ints:
    """The rows of a graph, such that what follows from one comes before it, unless that leads back to it; [rows]."""
    order, stack = np.zeros(len(graph.keys), np.int64), np.zeros(len(graph.keys), np.int64)
    _put_in_order(graph.offsets, graph.successors, order, stack, graph.offsets[:-1].copy())
    return order


def probabilities_of(mdp: MDP, policy: Policy) -> Floats:
    """How likely `policy` makes each of the learner's moves, 0 for the opponent's; UsageError if it cannot tell."""
    return _probabilities(mdp.rules, initial(mdp.rules), mdp.graph, mdp.side, policy)


def greedy_probabilities(mdp: MDP, values: Floats) -> Floats:
    """The same as `probabilities_of`, for a learner that makes a move of largest value, each of several equally likely.

    `values` are those of moves, in the order of `graph.successors`, as `learned` gives them.
    """
    rows, actions = mdp.origins, mdp.actions
    largest = np.full(len(mdp.graph.keys), -np.inf)
    np.maximum.at(largest, rows[actions], values[actions])
    chosen = actions & (values == largest[rows])
    ties = np.bincount(rows[chosen], minlength=len(largest))
    return np.where(chosen, 1.0 / np.maximum(ties, 1)[rows], 0.0)


def optimal_values(mdp: MDP) -> Floats:
    """What it is worth to the learner to come to each position, if it goes on as well as it can; float64[rows].

    So `optimal_values(mdp)[mdp.graph.successors]` are the values of moves, Q*. A position in which the learner is
    to move is itself discounted: its worth is gamma times the best of its moves'.
    """
    return _iterate(mdp, mdp.probabilities, best=True)


def policy_values(mdp: MDP, probabilities: Floats) -> Floats:
    """The values of positions, as in `optimal_values`, if the learner moves by `probabilities`; float64[rows].

    These come from `probabilities_of` or `greedy_probabilities`.
    """
    return _iterate(mdp, mdp.probabilities + probabilities, best=False)


def visits(mdp: MDP, probabilities: Floats, games: int, seed: int, *, max_plies: int = MAX_PLIES) -> Ints:
    """How often each move is made in games from the start, the learner's by `probabilities`; int64[moves].

    Moves are in the order of `graph.successors`. A game is stopped after `max_plies`.
    """
    graph, both = mdp.graph, mdp.probabilities + probabilities
    counts, random = np.zeros(len(graph.successors), np.int64), np.zeros(1, np.int64)
    for first in range(0, games, AT_ONCE):
        end = min(first + AT_ONCE, games)
        _walk(graph.offsets, graph.successors, both, counts, int(seed), first, end, int(max_plies), random)
    return counts


def reachable(mdp: MDP, made: Bools | None = None) -> Bools:
    """Which positions can be reached from the start, itself included; [rows].

    `made` tells which of `graph.successors` may be made; default: all.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import breadth_first_order

    graph = mdp.graph
    size = len(graph.keys)
    kept = np.ones(len(graph.successors), np.bool_) if made is None else made
    moves = csr_array((kept[kept], (mdp.origins[kept], graph.successors[kept])), shape=(size, size))
    marks = np.zeros(size, np.bool_)
    marks[breadth_first_order(moves, 0, return_predecessors=False)] = True
    return marks


def learned(mdp: MDP, table: Table, initial: float = 0.0) -> Floats:
    """The values that a table holds of the learner's moves, in the order of `graph.successors`.

    `initial` where it holds none: positions that it has not met, and what is not the learner's move. Rows of the table
    must stand for a position each, not for all its images.
    """
    graph = mdp.graph
    keys, values = rows(table)
    order = np.argsort(keys)
    place = np.searchsorted(keys[order], graph.keys).clip(max=max(len(keys) - 1, 0))
    known = mdp.decisions & (keys[order][place] == graph.keys if len(keys) else np.zeros(len(graph.keys), np.bool_))
    counts = np.diff(graph.offsets)
    action_values = np.full(len(graph.successors), initial)
    number = np.arange(len(graph.successors)) - np.repeat(graph.offsets[:-1], counts)
    held = np.repeat(known, counts)
    action_values[held] = values[np.repeat(order[place] if len(keys) else place, counts)[held], number[held]]
    return action_values


def _probabilities(rules: Rules, like: State, graph: Graph, seat: int, policy: Policy) -> Floats:
    if not tells_probabilities(policy):
        raise UsageError(
            f"{format_game(rules)}: {type(policy).__name__} does not tell how likely it plays each move, "
            "so what meets it cannot be worked out; give it a method `probabilities`"
        )
    probabilities, work = np.zeros(len(graph.successors)), workspace(rules)
    for first in range(0, len(graph.keys), AT_ONCE):
        end = min(first + AT_ONCE, len(graph.keys))
        _write_probabilities(
            rules, like, graph, policy, int(seat), first, end, probabilities, np.zeros(len(work.moves)), work
        )
    return probabilities


@kernel(purpose="exact values")
def _write_probabilities(
    rules: Rules,
    like: State,
    graph: Graph,
    policy: Policy,
    seat: int,
    first: int,
    end: int,
    probabilities: Floats,
    out: Floats,
    work: Scratch,
) -> None:
    """Write how likely the policy makes each move of `seat` in rows `first` to `end` - 1 of the graph.

    `probabilities` is float64[moves of the graph]; `out`, float64[limits.moves], is scratch.
    """
    for row in range(first, end):
        if graph.movers[row] == seat:
            out[:] = 0.0
            begin = graph.offsets[row]
            for i in range(add_probabilities(policy, rules, unpack(like, graph.states[row]), 1.0, out, work)):
                probabilities[begin + i] = out[i]


def _iterate(mdp: MDP, probabilities: Floats, *, best: bool) -> Floats:
    """Sweep until nothing changes: what is left of an error shrinks by gamma with each of the learner's moves."""
    graph, side = mdp.graph, mdp.side
    values = np.where(graph.movers == OVER, np.sign(graph.values) * (1.0 if side == 0 else -1.0), 0.0)
    for _ in range(MAX_SWEEPS):
        change = _sweep(
            graph.movers,
            graph.offsets,
            graph.successors,
            mdp.order,
            probabilities,
            int(side),
            float(mdp.gamma),
            best,
            values,
        )
        if change <= PRECISION:
            return values
    name = format_game(mdp.rules)
    raise UsageError(f"{name}: the values have not settled after {MAX_SWEEPS:,} sweeps; choose a smaller gamma")


@kernel(purpose="exact values")
def _put_in_order(offsets: Ints, successors: Ints32, order: Ints, stack: Ints, edges: Ints) -> None:
    """Write the rows into `order`, each after those that follow from it: a depth-first search.

    `offsets` and `successors` are those of the graph; `order` and `stack` are int64[rows]; `edges`, int64[rows], is the
    first edge of each row, of which none has been taken.
    """
    placed = 0
    for first in range(len(order)):
        height = 0
        if edges[first] >= 0:
            stack[0] = first
            height = 1
        while height > 0:
            row = stack[height - 1]
            edge = edges[row]
            if edge < offsets[row + 1]:
                edges[row] = edge + 1
                child = successors[edge]
                if edges[child] == offsets[child]:
                    stack[height] = child
                    height += 1
            else:
                edges[row] = -1
                order[placed] = row
                placed += 1
                height -= 1


@kernel(purpose="exact values")
def _sweep(
    movers: Ints8,
    offsets: Ints,
    successors: Ints32,
    order: Ints,
    probabilities: Floats,
    side: int,
    gamma: float,
    best: bool,
    values: Floats,
) -> float:
    """Work out each of `values`, float64[rows], anew from those it rests on; returns the largest change.

    `order` is that of an `MDP`, `probabilities`, float64[moves], are those of the moves of the graph.
    """
    largest = 0.0
    for place in range(len(order)):
        row = order[place]
        if movers[row] == OVER:
            continue
        worth = 0.0
        if best and movers[row] == side:
            worth = values[successors[offsets[row]]]
            for edge in range(offsets[row] + 1, offsets[row + 1]):
                worth = max(worth, values[successors[edge]])
        else:
            for edge in range(offsets[row], offsets[row + 1]):
                worth += probabilities[edge] * values[successors[edge]]
        if movers[row] == side:
            worth *= gamma
        largest = max(largest, abs(worth - values[row]))
        values[row] = worth
    return largest


@kernel(purpose="exact values")
def _walk(
    offsets: Ints,
    successors: Ints32,
    probabilities: Floats,
    counts: Ints,
    key: int,
    first: int,
    end: int,
    max_plies: int,
    random: RandomState,
) -> None:
    """Play games `first` to `end` - 1 from row 0 and count the moves made; `random` is int64[1].

    `probabilities`, float64[moves], are those of the moves of the graph, `counts`, int64[moves], how often each
    was made.
    """
    for game in range(first, end):
        random[0] = stream(key, game)
        row = 0
        for _ in range(max_plies):
            begin = offsets[row]
            count = offsets[row + 1] - begin
            if count == 0:
                break
            edge = begin + draw_index(random, probabilities[begin : begin + count], count)
            counts[edge] += 1
            row = successors[edge]
