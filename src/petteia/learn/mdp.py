"""The Markov decision process (MDP) of a learner against a fixed opponent, and the exact values of its states.

Against an opponent with known move probabilities, a game is an MDP whose states are the learner's positions. The value
of a move is defined as in tabular learning (module `tabular`). If the game ends before the learner is to move again,
the value is the reward r: +1, 0 or -1. Otherwise it is gamma times the value of the learner's next position. So the
optimal values satisfy `Q(s, a) = E[r + gamma max_b Q(s', b)]`.

Q-learning converges to these optimal values. If the maximum is replaced by the mean over a policy's moves, the equation
defines the values of that policy. Games in this process have no maximum length, because the number of plies played is
not part of a position.

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
"""The largest change of a value in the last sweep. Sweeps end when no value changes by more."""
MAX_SWEEPS = 1_000_000
AT_ONCE = 1 << 15
"""The number of positions or games in one call of a compiled function, which no interrupt can stop."""


class MDP(NamedTuple):
    """The Markov decision process of a learner against a fixed opponent. Each position has a row number."""

    rules: Rules
    """the rules of the game"""
    side: int
    """the learner's seat"""
    gamma: float
    """discount factor"""
    graph: Graph
    """the graph of all positions, which includes symmetric ones; row 0 is the start position"""
    probabilities: Floats
    """the probability of each of the opponent's moves in `graph.successors`, and 0 for other moves; [moves]"""
    order: Ints
    """the rows in an order where successors come before their predecessors, except in cycles; [rows]"""

    @property
    def decisions(self) -> Bools:
        """Whether the learner is to move in each position; bool[rows]."""
        decisions: Bools = self.graph.movers == self.side
        return decisions

    @property
    def actions(self) -> Bools:
        """Whether each move in `graph.successors` is made by the learner, not by the opponent; bool[moves]."""
        return self.decisions[self.origins]

    @property
    def origins(self) -> Ints:
        """The row of the position in which each move of `graph.successors` is made; int64[moves]."""
        return np.repeat(np.arange(len(self.graph.keys)), np.diff(self.graph.offsets))


def mdp_for(
    rules: Rules, side: int, opponent: Policy, gamma: float, *, start: State | None = None, memory: int = MEMORY
) -> MDP:
    """Return the decision process of a learner in the seat `side` against the policy `opponent`.

    The decision process contains all positions that can be reached from `start`, a keyword argument whose default is
    the initial state. If the rules number all positions of the game (methods `positions` and `position`), the process
    contains all of these positions, too. Raises UsageError for a game with chance nodes, or if two positions can have
    the same key. Also raises UsageError if the opponent does not define `probabilities`, or if the decision process
    needs more than `memory` bytes.
    """
    refuse_chance(rules)
    first = initial(rules) if start is None else start
    graph = explore(rules, first, folded=False, numbered=numbers_positions(rules), memory=memory)
    probabilities = _probabilities(rules, first, graph, 1 - side, opponent)
    return MDP(rules, side, gamma, graph, probabilities, in_order(graph))


def in_order(graph: Graph) -> Ints:
    """Return the rows of all positions, sorted so that each position follows its successors; int64[rows].

    In a cycle of positions, some positions come before their successors.
    """
    order, stack = np.zeros(len(graph.keys), np.int64), np.zeros(len(graph.keys), np.int64)
    _put_in_order(graph.offsets, graph.successors, order, stack, graph.offsets[:-1].copy())
    return order


def probabilities_of(mdp: MDP, policy: Policy) -> Floats:
    """Return the probability of each of the learner's moves under `policy`, and 0 for other moves; float64[moves].

    Raises UsageError if the policy does not define `probabilities`.
    """
    return _probabilities(mdp.rules, initial(mdp.rules), mdp.graph, mdp.side, policy)


def greedy_probabilities(mdp: MDP, values: Floats) -> Floats:
    """Return the probability of each move of a greedy learner, and 0 for the opponent's moves; float64[moves].

    The learner chooses uniformly at random among the moves with the largest value. `values`,
    float64[moves], are the values of moves in the order of `graph.successors`, as `values_from_table` returns them.
    """
    rows, actions = mdp.origins, mdp.actions
    largest = np.full(len(mdp.graph.keys), -np.inf)
    np.maximum.at(largest, rows[actions], values[actions])
    chosen = actions & (values == largest[rows])
    ties = np.bincount(rows[chosen], minlength=len(largest))
    return np.where(chosen, 1.0 / np.maximum(ties, 1)[rows], 0.0)


def optimal_values(mdp: MDP) -> Floats:
    """Return the value of each position to the learner under optimal play; float64[rows].

    The reward is discounted by gamma once for each move of the learner. Where the learner is to move, the value of a
    position is therefore gamma times the value of its best move. The value of a move, Q*, is the value of the position
    after the move: `optimal_values(mdp)[mdp.graph.successors]` contains the values of all moves.
    """
    return _iterate(mdp, mdp.probabilities, best=True)


def policy_values(mdp: MDP, probabilities: Floats) -> Floats:
    """Return the value of each position to the learner if it chooses moves with the given `probabilities`.

    `probabilities`, float64[moves], comes from `probabilities_of` or `greedy_probabilities`. The result, float64[rows],
    contains the value of each position, as for `optimal_values`.
    """
    return _iterate(mdp, mdp.probabilities + probabilities, best=False)


def visits(mdp: MDP, probabilities: Floats, games: int, seed: int, *, max_plies: int = MAX_PLIES) -> Ints:
    """Play games in which the learner chooses moves with the given `probabilities`, and count each move; int64[moves].

    The counts of the moves are in the order of `mdp.graph.successors`. Games begin at the start position, and stop
    after `max_plies` plies.
    """
    graph, both = mdp.graph, mdp.probabilities + probabilities
    counts, random = np.zeros(len(graph.successors), np.int64), np.zeros(1, np.int64)
    for first in range(0, games, AT_ONCE):
        end = min(first + AT_ONCE, games)
        _walk(graph.offsets, graph.successors, both, counts, int(seed), first, end, int(max_plies), random)
    return counts


def reachable(mdp: MDP, made: Bools | None = None) -> Bools:
    """Return for each position whether it can be reached from the start position; bool[rows].

    `made`, bool[moves], is True for the moves that players may make, in the order of `graph.successors`. By default,
    players may make all moves. The start position itself counts as reachable.
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


def values_from_table(mdp: MDP, table: Table, initial: float = 0.0) -> Floats:
    """Return the value of each of the learner's moves according to a table; float64[moves].

    The moves are in the order of `graph.successors`. Moves that the table does not contain, and the opponent's moves,
    get the value `initial`. Each row of the table must represent a single position, not a set of symmetric positions.
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
            f"{format_game(rules)}: exact values need the move probabilities of {type(policy).__name__}, "
            "which it does not define; give it a method `probabilities`"
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
    """Write the policy's move probabilities for the positions `first` to `end` - 1 in which `seat` is to move.

    `probabilities` is float64[moves of the graph]; `out`, float64[limits.moves], is scratch space.
    """
    for row in range(first, end):
        if graph.movers[row] == seat:
            out[:] = 0.0
            begin = graph.offsets[row]
            for i in range(add_probabilities(policy, rules, unpack(like, graph.states[row]), 1.0, out, work)):
                probabilities[begin + i] = out[i]


def _iterate(mdp: MDP, probabilities: Floats, *, best: bool) -> Floats:
    """Compute the values of all positions by value iteration: sweep over them until no value changes.

    If gamma is below 1, the remaining error shrinks by the factor gamma with each move of the learner, so the sweeps
    converge.
    """
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
    raise UsageError(f"{name}: the values have not converged after {MAX_SWEEPS:,} sweeps; choose a smaller gamma")


@kernel(purpose="exact values")
def _put_in_order(offsets: Ints, successors: Ints32, order: Ints, stack: Ints, edges: Ints) -> None:
    """Write the rows of all positions into `order`, so that each position follows its successors, except in cycles.

    The order is found by a depth-first search. `offsets` and `successors` are the arrays of the graph. `order` and
    `stack` are int64[rows]. `edges`, int64[rows], contains the first edge of each row.
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
    """Update the values of all positions once from the values of their successors, and return the largest change.

    `values`, float64[rows], contains the values of the positions and is changed in place. `order` is the field `order`
    of an `MDP`, and `probabilities`, float64[moves], contains the probability of each move of the graph.
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
    """Play the games numbered `first` to `end` - 1 from the start position, and count the moves in `counts`.

    `counts`, int64[moves], contains the number of times that each move of the graph has been made. `probabilities`,
    float64[moves], contains the probability of each move. `random`, int64[1], contains the state of the random number
    generator. At the start of each game, this state is set from `key` and the number of the game.
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
