"""The replaceable components (parts) of a search: the horizon, the selection of moves, and the move ordering.

A component is an instance of a NamedTuple class with some of the methods of this module. As with games, numba compiles
a separate version of the search for each class of component. The argument `search` of a method is a pointer, from which
`value_at(search)` returns the `Search` object.

- A horizon evaluates positions at the maximum depth, or searches them further, as in quiescence search. It has the
  methods `search_beyond` and `leaves_out`, and `plies_beyond` if it searches further.
- A selection chooses the moves to be searched, as in forward pruning. It has the methods `select` and `leaves_out`.
- An ordering scores the moves. It has the method `score`, and `credit` if it learns from the results of the search.

The method `leaves_out` returns whether the horizon or the selection can omit legal moves. If legal moves can be
omitted, a search must not report a result as final or a win as certain (`sees_all`).
"""

from __future__ import annotations

from typing import Any, NamedTuple

from petteia.core.pointer import value_at
from petteia.core.protocol import Buffer, Rules, State, dispatched, method, move_kind, to_move
from petteia.features.evaluation import Evaluation
from petteia.search.ends import guessed_worth
from petteia.search.memory import Memory

Horizon = Any
"""A horizon: the search beyond the last ply, as described above."""
Selection = Any
"""A selection: the choice of the moves to search, as described above."""
Order = Any
"""An order of the moves, as described above."""

MAX_PLIES_BEYOND = 16
"""The maximum number of plies that a horizon searches beyond the search depth."""


def _undefined(part: Any, *arguments: Any) -> Any:
    raise TypeError("this part of a search lacks a method; see petteia/search/parts.py")


@dispatched(lambda cls: method(cls, "search_beyond") or _undefined)
def search_beyond(
    horizon: Horizon, search: Search, before: State, state: State, ply: int, alpha: int, beta: int
) -> int:
    """Return the value, for player 0, of a non-terminal state at the maximum search depth, in units of the search.

    `before` is the state one ply earlier. `ply` is the distance from the root, and also the first free row of the
    arrays of `search.memory`. `alpha` and `beta` are values for player 0, like the result. If the value of the state is
    not between `alpha` and `beta`, the result may be only a bound of the value. A horizon that searches further must
    count its nodes. Once `must_stop` has returned True, the method may return any value.
    """
    raise TypeError


def _none_beyond(horizon: Horizon) -> int:
    return 0


@dispatched(lambda cls: method(cls, "plies_beyond") or _none_beyond)
def plies_beyond(horizon: Horizon) -> int:
    """Return the maximum number of plies that a horizon searches beyond the search depth; the default is 0.

    The method `plies_beyond` must return a number in 0..`MAX_PLIES_BEYOND`.
    """
    raise TypeError


@dispatched(lambda cls: method(cls, "select") or _undefined)
def select(selection: Selection, search: Search, state: State, ply: int, moves: Buffer, count: int) -> int:
    """Bring the moves to be searched to the front of `moves`, which contains `count` legal moves. Return their number.

    At least one move must be searched. `ply` is the distance from the root. At the root, the method is called once per
    search. The method `select` may overwrite `search.memory.scores[ply]`, and the rows from `ply + 1` on of all arrays
    of `search.memory`.
    """
    raise TypeError


@dispatched(lambda cls: method(cls, "leaves_out") or _undefined)
def leaves_out(part: Horizon | Selection) -> bool:
    """Return whether the component can omit legal moves. The result must be the same for all objects of a class."""
    raise TypeError


@dispatched(lambda cls: method(cls, "score") or _undefined)
def score(order: Order, search: Search, state: State, ply: int, count: int) -> None:
    """Write a score below 2^62 for each move in `search.memory.moves[ply]` into `search.memory.scores[ply]`.

    Moves with higher scores are searched first. Moves with equal scores keep the order that they have in the array. The
    method may overwrite the rows from `ply + 1` on of all arrays of `search.memory`.
    """
    raise TypeError


def _nothing(order: Order, search: Search, state: State, ply: int, move: int, depth: int) -> None:
    return None


@dispatched(lambda cls: method(cls, "credit") or _nothing)
def credit(order: Order, search: Search, state: State, ply: int, move: int, depth: int) -> None:
    """Update the move ordering after `move` has caused a beta cut-off in a search of `depth` plies.

    The default method does nothing.
    """
    raise TypeError


class StaticEvaluation(NamedTuple):
    """The default horizon: positions at the maximum search depth are evaluated and not searched further."""

    def search_beyond(horizon, search: Search, before: State, state: State, ply: int, alpha: int, beta: int) -> int:
        """Return the evaluation of `state` for player 0, in the integer units of the search."""
        rules, evaluation, _, _, _ = value_at(search)
        return guessed_worth(evaluation, rules, state)

    def leaves_out(horizon) -> bool:
        """Return False, because no legal move is omitted."""
        return False


class AllMoves(NamedTuple):
    """The default selection: all legal moves are searched."""

    def select(selection, search: Search, state: State, ply: int, moves: Buffer, count: int) -> int:
        """Return `count`, so that all moves are searched."""
        return count

    def leaves_out(selection) -> bool:
        """Return False, because no legal move is omitted."""
        return False


class KillersAndHistory(NamedTuple):
    """A move ordering by killer moves and the history heuristic.

    Killer moves caused beta cut-offs in other nodes at the same ply. They come first, and the history heuristic orders
    the other moves.
    """

    def score(order, search: Search, state: State, ply: int, count: int) -> None:
        """Score killer moves highest, the latest first, and score the other moves by the history heuristic."""
        rules, _, _, _, memory = value_at(search)
        side = to_move(rules, state)
        latest, other = int(memory.killers[ply, 0]), int(memory.killers[ply, 1])
        for i in range(count):
            move = int(memory.moves[ply, i])
            worth = memory.history[side, move_kind(rules, move)]
            if move == latest:
                worth += 1 << 61
            elif move == other:
                worth += 1 << 60
            memory.scores[ply, i] = worth

    def credit(order, search: Search, state: State, ply: int, move: int, depth: int) -> None:
        """Make the move the latest killer move at `ply`, and add `depth` squared to its history score."""
        rules, _, _, _, memory = value_at(search)
        if memory.killers[ply, 0] != move:
            memory.killers[ply, 1] = memory.killers[ply, 0]
            memory.killers[ply, 0] = move
        memory.history[to_move(rules, state), move_kind(rules, move)] += depth * depth


class Parts(NamedTuple):
    """The replaceable components of a search: the horizon, the selection of moves, and the ordering of moves."""

    horizon: Horizon = StaticEvaluation()
    """the search beyond the last ply"""
    selection: Selection = AllMoves()
    """the selection of moves"""
    order: Order = KillersAndHistory()
    """the order of moves, which is used only with the option `ORDER`"""


STANDARD_PARTS = Parts()


class Search(NamedTuple):
    """The data of a search that all nodes share. Each node gets a pointer to this data."""

    rules: Rules
    """the rules of the game"""
    evaluation: Evaluation
    """the evaluation of the leaves"""
    parts: Parts
    """the horizon, the selection of moves and their order"""
    options: int
    """the options of `alpha_beta`, `ends` and `chance`, each a bit"""
    memory: Memory
    """the work arrays for all plies of the search and of its horizon"""


def sees_all(parts: Parts) -> bool:
    """Return whether the search examines all legal moves. If it does not, the wins that it finds are not certain."""
    return not (leaves_out(parts.horizon) or leaves_out(parts.selection))
