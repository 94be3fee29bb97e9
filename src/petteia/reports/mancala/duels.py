"""Matches for questions about learned players themselves: the agents of all seeds, with fixed seats and no opening."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from petteia.experiments.results import CellResult, ExperimentResult
from petteia.experiments.training import Training
from petteia.reports.engine.estimates import SHARE
from petteia.reports.engine.figures import Figure
from petteia.reports.engine.matches import Pairing, seated
from petteia.reports.engine.work import Work
from petteia.reports.mancala.evidence import Evidence, theta
from petteia.reports.mancala.plan import DEPTHS, GREEDY
from petteia.reports.mancala.questions import SEAT_NAMES, variant_of

AVERAGING, ENDS, DRAWS, CHAIN, LOWER = "averaging", "ends", "draws", "chain", "always lower"
GAMES = {AVERAGING: 200, ENDS: 80, DRAWS: 80, CHAIN: 80, LOWER: 300}
"""of a match"""
WEIGHTS = ("drawn", "last", "mean")
OPTIONS = {"as it is": "", "ends are worth what the weights say": ",ends=value", "no early wins": ",early=no"}
ZERO = "a draw worth 0"
WORTH = {ZERO: "", **{f"a draw worth {each}": f",draws={each}" for each in ("-0.5", "-0.25", "0.25", "0.5")}}
"""what a draw is worth, and how the player is told so"""
STRONGER = ("report", "report+chain")
"""feature sets that are tried against the heuristic"""
LOWER_MEETS = ("greedy1", "greedy3")


class Bout(NamedTuple):
    """A match that is wanted."""

    question: str
    variant: str
    seed: int
    """of the training"""
    depth: int
    text: str
    """form of the player"""
    opponent: str
    seat: str

    @property
    def pairing(self) -> Pairing:
        """The match."""
        return seated(self.text, self.opponent, SEAT_NAMES.index(self.seat), GAMES[self.question])


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


def wanted(
    work: Work, trainings: Sequence[Training], features: ExperimentResult, lower: ExperimentResult
) -> Iterator[Bout]:
    """All of them.

    Args:
        work: in whose folder the trainings are
        trainings: those of the page, one for each seed
        features: trainings with several feature sets
        lower: trainings of learners that are always lower

    """
    for seed, training in enumerate(trainings, 1):
        agent = theta(work, training)
        for seat in SEAT_NAMES:
            for weights in WEIGHTS:
                yield Bout(AVERAGING, weights, seed, 1, f"{agent},weights={weights}", "greedy:depth=1", seat)
            for depth in DEPTHS:
                tried = ((question, *each) for question, of in ((ENDS, OPTIONS), (DRAWS, WORTH)) for each in of.items())
                for question, variant, option in tried:
                    text = theta(work, training, depth, options=option)
                    yield Bout(question, variant, seed, depth, text, f"greedy:depth={depth}", seat)
    agents: dict[Any, CellResult] = {cell.combination.values["features"]: cell for cell in features.cells}
    for name in STRONGER:
        for seed, training in enumerate(agents[name].trainings, 1):
            for depth in DEPTHS:
                text = theta(work, training, depth)
                yield Bout(CHAIN, name, seed, depth, text, "heuristic", "second")
    for cell in lower.cells:
        for seed, training in enumerate(cell.trainings, 1):
            for opponent in LOWER_MEETS:
                text = theta(work, training)
                yield Bout(LOWER, variant_of(cell), seed, 1, text, GREEDY[opponent], "second")


def play(evidence: Evidence, bouts: Sequence[Bout]) -> list[Duel]:
    """Play them all, those that were not played."""
    evidence.matches.play([each.pairing for each in bouts], "matches of learned players")
    duels = []
    for bout in bouts:
        cell = evidence.seen_by(bout.pairing, SEAT_NAMES.index(bout.seat))
        of_all = (bout.question, bout.variant, bout.seed, bout.depth, bout.opponent, bout.seat)
        duels.append(Duel(*of_all, cell.games, cell.distinct, cell.wins / cell.games, cell.score))
    return duels


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
