"""Measure the playing strength of a trained player: its scores against up to three players, and its regret."""

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
from petteia.experiments.linear_settings import LinearSettings
from petteia.features.evaluations import evaluation_for
from petteia.players import player
from petteia.policies.policy import tells_probabilities
from petteia.search.alpha_beta import ORDER
from petteia.search.ends import BY_MARGIN
from petteia.search.searcher import Searcher

DEPTHS, POSITIONS_LOOKED_AT = (3, 2), 2e7
"""The depths of the shallow search, and the maximum number of positions that it visits in all games. It uses the first
depth that is expected to stay below this number."""
POSITIONS, MINIMUM = 200, 20
"""The maximum and the minimum number of positions in which moves are compared with best play."""
FROM_THE_END = 3
"""The number of decisions between a position near the end of a game and this end."""


class Strength(NamedTuple):
    """The playing strength of a trained player: its scores against other players, and its regret."""

    seats: tuple[str, ...]
    """the names of the sides that have learned"""
    scores: dict[str, float]
    """the score against each opponent, by its text: wins and half the draws per game, averaged over the sides"""
    regret: Regret | None
    """the regret of the moves; None if no values are known"""
    where: str
    """a description of the positions in which `regret` was measured"""
    best: float | None
    """the score of best play against random moves, averaged over the sides; None if the game is too large to solve"""
    untaught: dict[str, float]
    """for a player with weights, the score against random moves as each side that has not learned, by its name"""
    starts_elsewhere: bool = False
    """whether the games began at start positions of the training instead of the start of the game"""

    def __str__(self) -> str:
        best = "" if self.best is None else f" (best play: {self.best:.1%})"
        against = ", ".join(
            f"{score:.1%} against {text}{best if text == 'random' else ''}" for text, score in self.scores.items()
        )
        start = ", from the start positions of the training" if self.starts_elsewhere else ""
        line = f"The result, as {' and '.join(self.seats)}{start}: {against}"
        for side, score in self.untaught.items():
            line += f"; as {side}, which has not learned, {score:.1%} against random"
        if self.regret is None:
            return f"{line}; best play is not known."
        spoiled = self.regret.results_lost / self.regret.positions
        return (
            f"{line}; compared with best play, its moves lose {self.regret.mean:.2g} points on average, and the result "
            f"of the game in {spoiled:.1%} of {self.regret.positions} {self.where}."
        )


def strength(seen: Evidence) -> Strength:
    """Measure the scores of a trained player against up to three opponents, and the regret of its moves.

    The opponents are a random player, `greedy`, and a search of a few plies. An opponent is left out if it needs an
    evaluation that the game does not have. The search is also left out if its games would take too long. Regret is
    measured with exact values of moves from a tablebase. If the game is too large for a tablebase, positions near the
    end of games are searched.
    """
    seats = seen.settings.seats
    scores = dict[str, float]()
    for text in ("random", "greedy", *short_search(seen)):
        try:
            scores[text] = float(np.mean([seen.learned(text, seat).score for seat in seats]))
        except UsageError:
            continue  # a game without an evaluation has no such player
    names = tuple(seen.name(seat) for seat in seats)
    found = list(_of_solved_game(seen) if seen.solution is not None else _endings(seen))
    others = {0, 1} - {*seats} if isinstance(seen.settings, LinearSettings) else set[int]()
    untaught = {seen.name(seat): seen.against_random(seen.policy, seat) for seat in others}
    perfect = [seen.perfect(seat) for seat in seats]
    best = float(np.mean([each.score for each in perfect if each])) if all(perfect) else None
    if len(found) < MINIMUM:
        return Strength(names, scores, None, "", best, untaught, seen.starts_elsewhere)
    where = "positions of random games" if seen.solution is not None else "endings of random games"
    # a policy that chooses whole turns gives no probabilities of single moves; the player of the run samples them
    subject = seen.policy if tells_probabilities(seen.policy) else seen.training
    regret = regret_in(Endings(seen.rules, found, seats), player(subject, seen.rules))
    return Strength(names, scores, regret, where, best, untaught, seen.starts_elsewhere)


def short_search(seen: Evidence) -> Iterator[str]:
    """Yield the text form of a shallow search, such as `greedy:depth=3`; nothing if its games would take too long."""
    turns = spread(seen.random_play.turns((0, 1)), POSITIONS)
    branches = float(np.mean([len(legal(seen.rules, state)) for state in turns])) if turns else 1.0
    decisions = seen.random_play.decisions(seen.settings.others)
    for depth in DEPTHS:
        if branches**depth * decisions * GAMES <= POSITIONS_LOOKED_AT:
            yield f"greedy:depth={depth}"
            return


def _of_solved_game(seen: Evidence) -> Iterator[Ending]:
    """Yield positions of random games with two or more legal moves, each with the exact values of these moves."""
    assert seen.solution is not None, "called for solved games only"
    known = by_table(seen.rules, seen.solution, seen.solution.values.astype(np.float64))
    for state in _with_choice(seen, spread(seen.random_play.turns(seen.settings.seats), POSITIONS)):
        if (values := known(state)) is not None:
            sign = 1 - 2 * to_move(seen.rules, state)
            yield Ending(state, {move: sign * value for move, value in values.items()})


def _endings(seen: Evidence) -> Iterator[Ending]:
    """Yield positions near the end of random games, each with the exact values of its moves, found by search.

    At most one position is taken from each random game. The position must have two or more legal moves.
    """
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
