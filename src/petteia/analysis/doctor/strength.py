"""How strong the result of a training is: against three players, and beside best play."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from petteia.analysis.doctor.evidence import Evidence
from petteia.analysis.doctor.judging import GAMES, NODES, by_table
from petteia.analysis.doctor.sampling import spread
from petteia.arena.known_positions import Ending, Endings
from petteia.arena.regret import Regret, regret_in
from petteia.core.decision import Limit
from petteia.core.errors import UsageError
from petteia.core.protocol import State, has_chance, legal, limits, to_move
from petteia.features.evaluations import evaluation_for
from petteia.players import player
from petteia.policies.policy import tells_probabilities
from petteia.search.alpha_beta import ORDER
from petteia.search.ends import BY_MARGIN
from petteia.search.searcher import Searcher

DEPTHS, POSITIONS_LOOKED_AT = (3, 2), 2e7
"""plies that the short search looks ahead, the first that is expected to look at no more positions in all games"""
POSITIONS, MINIMUM = 200, 20
"""positions in which moves are held against best play, at most, and without how many nothing is said"""
FROM_THE_END = 3
"""decisions before the end at which endings are taken"""


class Strength(NamedTuple):
    """How strong the result of a training is."""

    seats: tuple[str, ...]
    """what the sides are called that have learned"""
    scores: dict[str, float]
    """by the text of a player, wins and half the draws against it, as a share of the games; the mean of the sides"""
    regret: Regret | None
    """the regret of its moves; None if no values are known"""
    where: str
    """the positions of which `regret` speaks, in words"""

    def __str__(self) -> str:
        against = ", ".join(f"{score:.1%} against {text}" for text, score in self.scores.items())
        line = f"The result, as {' and '.join(self.seats)}: {against}"
        if self.regret is None:
            return f"{line}; best play is not known."
        spoiled = self.regret.results_lost / self.regret.positions
        return (
            f"{line}; compared with best play, its moves lose {self.regret.mean:.2g} points on average, and the result "
            f"of the game in {spoiled:.1%} of {self.regret.positions} {self.where}."
        )


def strength(seen: Evidence) -> Strength:
    """How strong what was learned is: against random moves, greedy and a short search, and beside best play.

    Best play is that of the solved game; of one too large to be solved, that of searches to its ends, near these.
    """
    seats = seen.settings.seats
    scores = dict[str, float]()
    for text in ("random", "greedy", *_short_search(seen)):
        try:
            scores[text] = float(np.mean([seen.learned(text, seat).score for seat in seats]))
        except UsageError:
            continue  # a game without an evaluation has no such player
    names = tuple(seen.name(seat) for seat in seats)
    found = list(_of_solved_game(seen) if seen.solution is not None else _endings(seen))
    if len(found) < MINIMUM:
        return Strength(names, scores, None, "")
    where = "positions of random games" if seen.solution is not None else "endings of random games"
    # a policy that chooses whole turns does not tell how likely each move is; the player of the run draws them
    subject = seen.policy if tells_probabilities(seen.policy) else seen.training
    return Strength(names, scores, regret_in(Endings(seen.rules, found, seats), player(subject, seen.rules)), where)


def _short_search(seen: Evidence) -> Iterator[str]:
    """The text of a player that searches a few plies, where that takes no long time."""
    turns = spread(seen.random_play.turns((0, 1)), POSITIONS)
    branches = float(np.mean([len(legal(seen.rules, state)) for state in turns])) if turns else 1.0
    decisions = seen.random_play.decisions(seen.settings.others)
    for depth in DEPTHS:
        if branches**depth * decisions * GAMES <= POSITIONS_LOOKED_AT:
            yield f"greedy:depth={depth}"
            return


def _of_solved_game(seen: Evidence) -> Iterator[Ending]:
    """Positions of random games with a choice, and what their moves are worth."""
    assert seen.solution is not None, "asked of solved games"
    known = by_table(seen.rules, seen.solution, seen.solution.values.astype(np.float64))
    for state in _with_choice(seen, spread(seen.random_play.turns(seen.settings.seats), POSITIONS)):
        if (values := known(state)) is not None:
            sign = 1 - 2 * to_move(seen.rules, state)
            yield Ending(state, {move: sign * value for move, value in values.items()})


def _endings(seen: Evidence) -> Iterator[Ending]:
    """Positions near the ends of random games with a choice that a search sees to the end, one of each game."""
    if has_chance(seen.rules):
        return
    try:
        searcher = Searcher(seen.rules, evaluation_for(seen.rules, None), options=BY_MARGIN | ORDER, megabytes=1)
    except UsageError:
        return
    late, seats = list[State](), set(seen.settings.seats)
    for game in seen.random_play.games:
        turns = [state for state, mover in zip(game.states, game.movers, strict=True) if mover in seats]
        late += turns[-FROM_THE_END:][:1]
    for state in _with_choice(seen, spread(late, POSITIONS)):
        searcher.clear()
        thought = searcher.search(state, Limit(nodes=NODES), multipv=limits(seen.rules).moves)
        if thought.is_final and thought.values:
            yield Ending(state, thought.values)


def _with_choice(seen: Evidence, states: list[State]) -> list[State]:
    return [state for state in states if len(legal(seen.rules, state)) > 1]
