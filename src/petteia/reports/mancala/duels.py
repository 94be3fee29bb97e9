"""Matches for questions about learned players themselves: the agents of all seeds, with fixed seats and no opening."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any, NamedTuple

from petteia.experiments.results import ExperimentResult
from petteia.reports.engine.estimates import SHARE
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.figures import Figure
from petteia.reports.engine.settings import Agent, Match, Setting
from petteia.reports.mancala.plan import DEPTHS, GREEDY, SEAT_NAMES, theta
from petteia.reports.mancala.questions import FEATURES, LOWER_EXPLORED, variant_of

AVERAGING, ENDS, DRAWS, CHAIN, LOWER = "averaging", "ends", "draws", "chain", "always lower"
GAMES = {AVERAGING: 200, ENDS: 80, DRAWS: 80, CHAIN: 80, LOWER: 300}
"""of a match"""
WEIGHTS = ("drawn", "last", "mean")
OPTIONS = {"as it is": "", "ends are worth what the weights say": "ends=value", "no early wins": "early=no"}
ZERO = "a draw worth 0"
WORTH = {ZERO: "", **{f"a draw worth {each}": f"draws={each}" for each in ("-0.5", "-0.25", "0.25", "0.5")}}
"""what a draw is worth, and how the player is told so"""
STRONGER = ("report", "report+chain")
"""feature sets that are tried against the heuristic"""
LOWER_MEETS = ("greedy1", "greedy3")


class Bout(NamedTuple):
    """A match that is wanted, of all trainings."""

    question: str
    variant: str
    depth: int
    player: Agent
    opponent: str
    seat: str

    @property
    def match(self) -> Match:
        """The match."""
        return Match(self.player, self.opponent, GAMES[self.question], SEAT_NAMES.index(self.seat))


class Duel(NamedTuple):
    """What came of a match, as the learned player sees it."""

    question: str
    variant: str
    seed: int
    depth: int
    opponent: str
    seat: str
    games: int
    distinct: int
    """different games"""
    won: float
    """share of the games"""
    score: float


def wanted(lower: ExperimentResult) -> Iterator[Bout]:
    """All of them; `lower` are trainings of learners that are always lower."""
    for seat in SEAT_NAMES:
        for weights in WEIGHTS:
            yield Bout(AVERAGING, weights, 1, theta(options=f"weights={weights}"), GREEDY["greedy1"], seat)
        for depth in DEPTHS:
            tried = ((question, *each) for question, of in ((ENDS, OPTIONS), (DRAWS, WORTH)) for each in of.items())
            for question, variant, option in tried:
                yield Bout(question, variant, depth, theta(depth=depth, options=option), GREEDY[f"greedy{depth}"], seat)
    for name, depth in product(STRONGER, DEPTHS):
        stronger = Setting(FEATURES, {"features": name}, seat=0)
        yield Bout(CHAIN, name, depth, theta(stronger, depth), "heuristic", SEAT_NAMES[1])
    for cell, opponent in product(lower.cells, LOWER_MEETS):
        learner = Setting(LOWER_EXPLORED, cell.combination.values, seat=0)
        yield Bout(LOWER, variant_of(cell), 1, theta(learner), GREEDY[opponent], SEAT_NAMES[1])


def play(evidence: Evidence) -> list[Duel]:
    """Play them all, those that were not played."""
    return [
        Duel(
            *(bout.question, bout.variant, seed, bout.depth, bout.opponent, bout.seat),
            *(cell.games, cell.distinct, cell.wins / cell.games, cell.score),
        )
        for bout in wanted(evidence.experiments[LOWER_EXPLORED])
        for seed, cell in enumerate(evidence.cells(bout.match), 1)
    ]


def of(duels: Sequence[Duel], question: str, **chosen: Any) -> list[Duel]:
    """Those for a question, with such a variant, seat and so on."""
    return [
        each
        for each in duels
        if each.question == question and all(getattr(each, name) == value for name, value in chosen.items())
    ]


def by_seed(duels: Sequence[Duel], figure: str = "score") -> list[float]:
    """The mean of a figure for each training, in the order of the seeds."""
    seeds = sorted({each.seed for each in duels})
    grouped = [[getattr(each, figure) for each in duels if each.seed == seed] for seed in seeds]
    return [sum(each) / len(each) for each in grouped]


def score(
    question: str, words: str = "the score", subject: str = "", *, of_games: str = "score", **chosen: Any
) -> Figure:
    """The mean score of the learned player in such matches, or the share that it wins: of what was found beyond."""
    return Figure(words, SHARE, lambda beyond: by_seed(of(beyond.duels, question, **chosen), of_games), subject)
