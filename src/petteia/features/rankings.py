"""Rankings of moves, for a selective search that examines only the most promising moves.

A ranking is an instance of a NamedTuple class with a method `rank`. For each class of ranking, numba compiles a
separate version of the search. In games whose moves consist of several steps, a ranking can depend on the first steps
alone. All moves that begin with these steps then have the same rank.

Source: the rankings for the Game of the Amazons come from a student report on selective alpha-beta search.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from petteia.core.bits import mix, wrapping_add
from petteia.core.errors import UsageError
from petteia.core.hints import nearest
from petteia.core.kernel import inline
from petteia.core.names import name_of
from petteia.core.protocol import Rules, State, dispatched, is_over, key, margin, method, play, to_move
from petteia.features.amazons_rankings import AmazonsDecisions, AmazonsMobility, AmazonsNeighbours, AmazonsQueenDistance
from petteia.features.evaluation import LARGEST, Evaluation, evaluate
from petteia.games.amazons import Amazons

METHODS = {"rank": ("ranking", "rules", "state", "move", "steps"), "ranks_steps": ("ranking",)}
"""The names of the parameters of each method of a ranking."""

Ranking = Any
"""A ranking: an instance of a NamedTuple class with a method `rank`."""


def _undefined(ranking: Ranking, rules: Rules, state: State, move: int, steps: int) -> int:
    raise TypeError("the ranking does not define the method `rank`")


@dispatched(lambda cls: method(cls, "rank") or _undefined)
def rank(ranking: Ranking, rules: Rules, state: State, move: int, steps: int) -> int:
    """Return the rank of a move for the player who makes it; a larger rank is better. Ranks are limited to -2^30..2^30.

    A move can consist of several steps, such as an amazon, its target square and its arrow. If `steps` is not 0, the
    rank must depend only on the first `steps` steps of the move. A ranking that does not define `ranks_steps` may
    ignore `steps` and rank the whole move.
    """
    raise TypeError


def _whole_moves(ranking: Ranking) -> bool:
    return False


@dispatched(lambda cls: method(cls, "ranks_steps") or _whole_moves)
def ranks_steps(ranking: Ranking) -> bool:
    """Return whether `rank` can rank a move by its first steps alone, before the other steps are chosen.

    If the method returns True, the search calls `rank` for only one move of each group of moves with the same first
    steps. All moves of the group get this rank.

    The method must return the same result at every call. If a class of rankings does not define the method, the result
    is False.
    """
    raise TypeError


@inline
def at_random(rules: Rules, state: State, move: int) -> int:
    """Return a pseudorandom number below 2^30 that depends only on the position and the move."""
    return mix(wrapping_add(mix(key(rules, state)), move)) & (1 << 30) - 1


class AtRandom(NamedTuple):
    """A random ranking. The same move in the same position always has the same rank."""

    def rank(ranking, rules: Rules, state: State, move: int, steps: int) -> int:
        """Return a pseudorandom number that depends only on the position and the move."""
        return at_random(rules, state, move)

    def ranks_steps(ranking) -> bool:
        """Return True, so that all moves that begin with the same steps have the same random rank."""
        return True


class ByValue(NamedTuple):
    """A ranking by the evaluation of the position after the move; a winning move has the highest rank."""

    evaluation: Evaluation
    """the evaluation"""

    def rank(ranking, rules: Rules, state: State, move: int, steps: int) -> int:
        """Return the value of the position after the move, for the player who makes the move."""
        child = play(rules, state, move)
        sign = 1 - 2 * to_move(rules, state)
        if is_over(rules, child):
            won = sign * margin(rules, child)
            return LARGEST + 1 if won > 0 else (-LARGEST - 1 if won < 0 else 0)
        return sign * min(max(evaluate(ranking.evaluation, rules, child), -LARGEST), LARGEST)


class KnownRanking(NamedTuple):
    """The registry entry of a ranking of moves that comes with the package."""

    help: str
    """a description of the ranking in one line"""
    make: Callable[[Evaluation], Ranking]
    """a function that returns the ranking for a search with the given evaluation"""
    game: type | None = None
    """the class of the ranking's game; None means any game"""
    stages: tuple[int, int] | None = None
    """the numbers of steps in the first and in the last stage of a selection in stages; None for other rankings"""


RANKINGS: dict[str, KnownRanking] = {
    "value": KnownRanking("evaluation of the position after the move", ByValue),
    "random": KnownRanking("random order", lambda evaluation: AtRandom()),
    "neighbours": KnownRanking(
        "number of free squares beside the moved amazon", lambda evaluation: AmazonsNeighbours(), Amazons
    ),
    "mobility": KnownRanking("difference of the numbers of queen moves", lambda evaluation: AmazonsMobility(), Amazons),
    "queen_distance": KnownRanking(
        "difference of the numbers of squares that each player reaches first by queen moves",
        lambda evaluation: AmazonsQueenDistance(),
        Amazons,
    ),
    "decision_tree": KnownRanking(
        "the most threatened amazon, then its most mobile destination, then the most hindering arrow",
        lambda evaluation: AmazonsDecisions(),
        Amazons,
        stages=(1, 3),
    ),
}
"""The rankings by name."""


def ranking_for(rules: Rules, given: str, evaluation: Evaluation) -> tuple[Ranking, KnownRanking]:
    """Return the ranking of moves named `given`, and its entry in the registry `RANKINGS`.

    `evaluation` is the evaluation of the search in which the ranking is used.

    Raises UsageError if the ranking does not exist or belongs to another game.
    """
    known = RANKINGS.get(given)
    if known is None:
        fitting = ", ".join(name for name, each in RANKINGS.items() if each.game in (None, type(rules)))
        hint = nearest(given, RANKINGS) or f"choose from {fitting}, or module:Class for a custom one"
        raise UsageError(f"there is no order {given!r}; {hint}")
    if known.game not in (None, type(rules)):
        raise UsageError(f"order {given}: made for {name_of(known.game)}, not for {name_of(type(rules))}")
    return known.make(evaluation), known
