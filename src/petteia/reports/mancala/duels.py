"""Matches for questions about learned players themselves: the agents of all seeds, with fixed seats and no opening."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from petteia.arena.match import match
from petteia.arena.statistics import Interval, mean_interval
from petteia.core.protocol import Rules
from petteia.experiments.results import CellResult, ExperimentResult
from petteia.experiments.training import Training
from petteia.reports.mancala.evidence import DEPTHS, GREEDY
from petteia.reports.mancala.matches import Tell
from petteia.reports.mancala.questions import SEATS, variant_of

AVERAGING, ENDS, CHAIN, LOWER = "averaging", "ends", "chain", "always lower"
GAMES = {AVERAGING: 200, ENDS: 80, CHAIN: 80, LOWER: 300}
"""of a match"""
WEIGHTS = ("drawn", "last", "mean")
OPTIONS = {"as it is": "", "ends are worth what the weights say": ",ends=value", "no early wins": ",early=no"}
STRONGER = ("report", "report+chain")
"""feature sets that are tried against the heuristic"""
LOWER_MEETS = ("greedy1", "greedy3")
RANDOM = 1
"""seed of all matches"""


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


def wanted(trainings: Sequence[Training], features: ExperimentResult, lower: ExperimentResult) -> Iterator[Bout]:
    """All of them.

    Args:
        trainings: those of the page, one for each seed
        features: trainings with several feature sets
        lower: trainings of learners that are always lower

    """
    for seed, training in enumerate(trainings, 1):
        agent = f"theta:agent=({training.run.path})"
        for seat in SEATS:
            for weights in WEIGHTS:
                yield Bout(AVERAGING, weights, seed, 1, f"{agent},weights={weights}", "greedy:depth=1", seat)
            for depth in DEPTHS:
                for variant, option in OPTIONS.items():
                    text = f"{agent},depth={depth}{option}"
                    yield Bout(ENDS, variant, seed, depth, text, f"greedy:depth={depth}", seat)
    agents: dict[Any, CellResult] = {cell.cell.values["features"]: cell for cell in features.cells}
    for name in STRONGER:
        for seed, training in enumerate(agents[name].trainings, 1):
            for depth in DEPTHS:
                text = f"theta:agent=({training.run.path}),depth={depth}"
                yield Bout(CHAIN, name, seed, depth, text, "heuristic", "second")
    for cell in lower.cells:
        for seed, training in enumerate(cell.trainings, 1):
            for opponent in LOWER_MEETS:
                text = f"theta:agent=({training.run.path})"
                yield Bout(LOWER, variant_of(cell), seed, 1, text, GREEDY[opponent], "second")


def play(rules: Rules, bouts: Sequence[Bout], jobs: int, tell: Tell) -> list[Duel]:
    """Play them all."""
    duels = []
    for number, bout in enumerate(bouts, 1):
        players = (bout.text, bout.opponent) if bout.seat == "first" else (bout.opponent, bout.text)
        games = GAMES[bout.question]
        played = match(rules, *players, games=games, openings="none", seats="fixed", seed=RANDOM, jobs=jobs)
        won, score = played.wins, played.score
        if bout.seat == "second":
            won, score = played.losses, 1.0 - played.score
        of_all = (bout.question, bout.variant, bout.seed, bout.depth, bout.opponent, bout.seat)
        duels.append(Duel(*of_all, played.games, played.distinct, won / played.games, score))
        tell(number, len(bouts), "matches of learned players")
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
    found = [[getattr(each, figure) for each in duels if each.seed == seed] for seed in seeds]
    return [sum(each) / len(each) for each in found]


def over_seeds(duels: Sequence[Duel], figure: str = "score") -> Interval:
    """The mean over the seeds with its interval, kept in 0..1."""
    return mean_interval(by_seed(duels, figure)).kept_in(0.0, 1.0)
