"""The parts of a search that can be exchanged: its horizon, the selection of its moves, and their order.

A part is an instance of a NamedTuple class with the methods below, found by its type as the verbs of a game are, so
that a search runs compiled for its parts. Methods get the search as a pointer: `value_at(search)` is the `Search`.

- A horizon has `search_beyond` and `leaves_out`, and `plies_beyond` if it looks further ahead.
- A selection has `select` and `leaves_out`.
- An order has `score`, and `credit` if it learns from what the search finds.

A horizon or a selection that does not look at all moves of some position says so by `leaves_out`. What a search with
such a part finds is never called final, and no win certain (`sees_all`).
"""

from __future__ import annotations

from typing import Any, NamedTuple

from petteia.core.pointer import value_at
from petteia.core.protocol import Buffer, Rules, State, dispatched, method, move_kind, to_move
from petteia.features.evaluation import Evaluation
from petteia.search.ends import guessed_worth
from petteia.search.memory import Memory

Horizon = Any
"""What is searched beyond the last ply, as described above."""
Selection = Any
"""Which moves are searched, as described above."""
Order = Any
"""In which order moves are searched, as described above."""

MOST_PLIES_BEYOND = 16
"""plies that a horizon may search on"""


def _undefined(part: Any, *arguments: Any) -> Any:
    raise TypeError("this part of a search lacks a method; see petteia/search/parts.py")


@dispatched(lambda cls: method(cls, "search_beyond") or _undefined)
def search_beyond(
    horizon: Horizon, search: Search, before: State, state: State, ply: int, alpha: int, beta: int
) -> int:
    """The value for player 0 of a state at which the search stops, in units of the search; it is not settled.

    `before` is the state one ply earlier. `ply` is the distance from the root, and the first row of the arrays of
    `search.memory` that is free. Outside `alpha` to `beta`, which are player 0's as well, a bound is enough. A horizon
    that searches on counts its nodes, and returns anything as soon as `must_stop`.
    """
    raise TypeError


def _none_beyond(horizon: Horizon) -> int:
    return 0


@dispatched(lambda cls: method(cls, "plies_beyond") or _none_beyond)
def plies_beyond(horizon: Horizon) -> int:
    """How many plies a horizon searches on at most, up to `MOST_PLIES_BEYOND`; 0 unless the class defines it."""
    raise TypeError


@dispatched(lambda cls: method(cls, "select") or _undefined)
def select(selection: Selection, search: Search, state: State, ply: int, moves: Buffer, count: int) -> int:
    """Bring the moves that are searched to the front of the `count` legal ones in `moves`; return how many they are.

    One or more. `ply` is the distance from the root, where this is asked once a search. `search.memory.scores[ply]` and
    all rows from `ply + 1` on may be written to.
    """
    raise TypeError


@dispatched(lambda cls: method(cls, "leaves_out") or _undefined)
def leaves_out(part: Horizon | Selection) -> bool:
    """Whether some legal moves may not be looked at: a constant of the class."""
    raise TypeError


@dispatched(lambda cls: method(cls, "score") or _undefined)
def score(order: Order, search: Search, state: State, ply: int, count: int) -> None:
    """Write a number below 2^62 for each move in `search.memory.moves[ply]` into `scores[ply]`: the highest come first.

    Of equals the first one listed. All rows from `ply + 1` on may be written to.
    """
    raise TypeError


def _nothing(order: Order, search: Search, state: State, ply: int, move: int, depth: int) -> None:
    return None


@dispatched(lambda cls: method(cls, "credit") or _nothing)
def credit(order: Order, search: Search, state: State, ply: int, move: int, depth: int) -> None:
    """Take note of a move that was too good for the opponent to allow, in a search of `depth` plies."""
    raise TypeError


class StaticEvaluation(NamedTuple):
    """The horizon at which nothing more is searched: what the evaluation says of a state counts."""

    def search_beyond(horizon, search: Search, before: State, state: State, ply: int, alpha: int, beta: int) -> int:
        """The value by the evaluation, exact."""
        rules, evaluation, _, _, _ = value_at(search)
        return guessed_worth(evaluation, rules, state)

    def leaves_out(horizon) -> bool:
        """Nothing is left out."""
        return False


class AllMoves(NamedTuple):
    """The selection of all moves."""

    def select(selection, search: Search, state: State, ply: int, moves: Buffer, count: int) -> int:
        """All of them."""
        return count

    def leaves_out(selection) -> bool:
        """Nothing is left out."""
        return False


class KillersAndHistory(NamedTuple):
    """The order of moves by how good they were elsewhere: the killers of this ply, then by history."""

    def score(order, search: Search, state: State, ply: int, count: int) -> None:
        """Score killers above all others, the latest first, and these by the history of their kinds."""
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
        """Make it a killer of its ply, and let its history count the square of the depth."""
        rules, _, _, _, memory = value_at(search)
        if memory.killers[ply, 0] != move:
            memory.killers[ply, 1] = memory.killers[ply, 0]
            memory.killers[ply, 0] = move
        memory.history[to_move(rules, state), move_kind(rules, move)] += depth * depth


class Parts(NamedTuple):
    """The parts of a search."""

    horizon: Horizon = StaticEvaluation()
    """what is searched beyond the last ply"""
    selection: Selection = AllMoves()
    """which moves are searched"""
    order: Order = KillersAndHistory()
    """in which order, with the option `ORDER`"""


STANDARD_PARTS = Parts()


class Search(NamedTuple):
    """What is the same at all nodes, which get a pointer to it."""

    rules: Rules
    """the rules of the game"""
    evaluation: Evaluation
    """the evaluation of positions at which the search stops"""
    parts: Parts
    """its horizon, the selection of moves and their order"""
    options: int
    """bits of those of `alpha_beta`, `ends` and `chance`"""
    memory: Memory
    """arrays for as many plies as are searched, and as the horizon may search on"""


def sees_all(parts: Parts) -> bool:
    """Whether no part leaves moves out, so that ends of games that are found tell who wins for certain."""
    return not (leaves_out(parts.horizon) or leaves_out(parts.selection))
