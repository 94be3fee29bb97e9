"""Rankings of moves: guesses at which moves are good, for a search that looks at the best of them alone.

A ranking is an instance of a NamedTuple class with a method `rank`, found by its type as the verbs of a game are, so
that search runs compiled for it. It may look at the first steps of a move alone (`steps` of the game): then all moves
that begin with them are ranked together.

Source: the heuristics are those of a student report on selective alpha-beta search.
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
"""The methods of a ranking and their parameters."""

Ranking = Any
"""A ranking, as described above."""


def _undefined(ranking: Ranking, rules: Rules, state: State, move: int, steps: int) -> int:
    raise TypeError("the ranking does not define rank")


@dispatched(lambda cls: method(cls, "rank") or _undefined)
def rank(ranking: Ranking, rules: Rules, state: State, move: int, steps: int) -> int:
    """How good a move seems for its mover: the larger the better, cut off at 2^30 on either side.

    `steps`: how many steps of the move count, from the first; 0: all. A ranking that cannot tell moves of the same
    steps apart without the rest may look at the whole move.
    """
    raise TypeError


def _whole_moves(ranking: Ranking) -> bool:
    return False


@dispatched(lambda cls: method(cls, "ranks_steps") or _whole_moves)
def ranks_steps(ranking: Ranking) -> bool:
    """Whether one move tells the rank of all that begin with the same steps: a constant; False by default."""
    raise TypeError


@inline
def at_random(rules: Rules, state: State, move: int) -> int:
    """A number below 2^30 that depends on the position and the move, as if it were drawn."""
    return mix(wrapping_add(mix(key(rules, state)), move)) & (1 << 30) - 1


class AtRandom(NamedTuple):
    """Ranks moves at random; the same move of the same position always alike."""

    def rank(ranking, rules: Rules, state: State, move: int, steps: int) -> int:
        """A number that depends on the position and the move."""
        return at_random(rules, state, move)

    def ranks_steps(ranking) -> bool:
        """One move stands for all that begin with the same steps."""
        return True


class ByValue(NamedTuple):
    """Ranks moves by what an evaluation says of the position after them; a game won is best of all."""

    evaluation: Evaluation
    """the evaluation"""

    def rank(ranking, rules: Rules, state: State, move: int, steps: int) -> int:
        """The value of the whole move for the mover."""
        child = play(rules, state, move)
        sign = 1 - 2 * to_move(rules, state)
        if is_over(rules, child):
            won = sign * margin(rules, child)
            return LARGEST + 1 if won > 0 else (-LARGEST - 1 if won < 0 else 0)
        return sign * min(max(evaluate(ranking.evaluation, rules, child), -LARGEST), LARGEST)


class KnownRanking(NamedTuple):
    """A ranking that comes with the package."""

    help: str
    """its description in one line"""
    make: Callable[[Evaluation], Ranking]
    """the ranking, of a search with this evaluation"""
    game: type | None = None
    """the game that it is for; None: any"""
    stages: tuple[int, int] | None = None
    """where moves are selected in stages: the steps that the first and the last stage know"""


RANKINGS: dict[str, KnownRanking] = {
    "value": KnownRanking("evaluation of the position after the move", ByValue),
    "random": KnownRanking("random order", lambda evaluation: AtRandom()),
    "neighbours": KnownRanking(
        "number of free squares beside the amazon", lambda evaluation: AmazonsNeighbours(), Amazons
    ),
    "mobility": KnownRanking("difference of the numbers of queen moves", lambda evaluation: AmazonsMobility(), Amazons),
    "queen_distance": KnownRanking(
        "difference of the squares nearer by moves of a queen", lambda evaluation: AmazonsQueenDistance(), Amazons
    ),
    "decision_tree": KnownRanking(
        "most threatened amazons, then their most mobile squares, then the most hindering arrows",
        lambda evaluation: AmazonsDecisions(),
        Amazons,
        stages=(1, 3),
    ),
}
"""The rankings by name."""


def ranking_for(rules: Rules, given: str, evaluation: Evaluation) -> tuple[Ranking, KnownRanking]:
    """The ranking of this name, for a search with `evaluation`, and what it is.

    Raises a UsageError if there is no such ranking, or if it is one of another game.
    """
    known = RANKINGS.get(given)
    if known is None:
        fitting = ", ".join(name for name, each in RANKINGS.items() if each.game in (None, type(rules)))
        hint = nearest(given, RANKINGS) or f"choose from {fitting}, or module:Class for a custom one"
        raise UsageError(f"there is no order {given!r}; {hint}")
    if known.game not in (None, type(rules)):
        raise UsageError(f"order {given}: is for {name_of(known.game)}, not for {name_of(type(rules))}")
    return known.make(evaluation), known
