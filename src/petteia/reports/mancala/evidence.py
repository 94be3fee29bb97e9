"""All that the report has found: its trainings, its matches, and the weights that were learned."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations, permutations
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from petteia.arena.statistics import Interval, mean_interval
from petteia.experiments.experiment import code_digest, experiment
from petteia.experiments.results import CellResult, ExperimentResult
from petteia.experiments.source import Scale
from petteia.experiments.tournament.results import Cell, TournamentResult
from petteia.experiments.training import Training
from petteia.games import game
from petteia.games.kalah import Kalah
from petteia.players.theta import make_theta
from petteia.policies.linear_file import LearnedWeights, load_linear
from petteia.records.files import make_folder
from petteia.reports.mancala.matches import Bout, Matches, Tell, theta

GAME = "kalah:capture=nonempty,end=mover,leftovers=nobody"
BASELINES = "mancala-baselines"
READINGS, LOWER, TRACES, CHAINS = "mancala-readings", "mancala-lower-only", "mancala-lambda", "mancala-chains"
TRAININGS = (READINGS, LOWER, TRACES, CHAINS)
"""The files of the experiments, all of which come with the package."""
OWN, EVERY = "random", "both"
"""the two readings of the update: the learner's own plies (its side is drawn for each game), and every ply"""

DEPTHS = (1, 2, 3, 4, 5)
GREEDY = {f"greedy{depth}": f"greedy:depth={depth}" for depth in DEPTHS}
OPPONENTS = ("heuristic", *GREEDY)
THETA = tuple(f"theta{depth}" for depth in DEPTHS)
LOOKING = (1, 2, 3)
"""plies that lambda 0 and 0.15 look ahead against each other"""
SEATS = (0, 1)
FEW = 10
"""so few different games are hardly more than one"""
OPENING = "random:4"
"""whoever begins has lost most of the advantage after so many random plies"""


class Sizes(NamedTuple):
    """Games of a match."""

    progress: int
    """theta1 against greedy1, of every seed and mark"""
    tables: int
    """theta1..5 against all"""
    stages: int
    openings: int
    """from random openings, both sides together"""
    others: int


SIZES: dict[Scale, Sizes] = {
    "paper": Sizes(progress=500, tables=300, stages=300, openings=300, others=200),
    "quick": Sizes(progress=100, tables=40, stages=40, openings=40, others=40),
}


@dataclass(frozen=True)
class Evidence:
    """What the statements are judged by, and what the page shows."""

    rules: Kalah
    scale: Scale
    folder: Path
    """of the experiments"""
    found: dict[str, ExperimentResult]
    """the trainings, by name"""
    baselines: TournamentResult
    matches: Matches
    _weights: dict[Path, LearnedWeights] = field(default_factory=dict)

    @property
    def sizes(self) -> Sizes:
        """Games of a match."""
        return SIZES[self.scale]

    def curve(self, name: str, seat: int, **values: Any) -> CellResult:
        """The learning curves, against greedy1, of experiment `name` with these swept values."""
        (found,) = (
            each for each in self.found[name].cells if each.side == seat and values.items() <= each.cell.values.items()
        )
        return found

    def trainings(self, name: str = READINGS, **values: Any) -> list[Training]:
        """Those of experiment `name`, one for each seed; of the first reading unless said."""
        wanted = {"side": OWN} if name == READINGS and not values else values
        return next(each for each in self.found[name].cells if wanted.items() <= each.cell.values.items()).trainings

    @property
    def agent(self) -> Training:
        """Who plays as theta in the tables: seed 1 of the learner's own plies, which the report's text suggests.

        Chosen before anything was seen.
        """
        return self.trainings()[0]

    @property
    def seeds(self) -> int:
        """Trainings of each reading."""
        return len(self.trainings())

    @property
    def marks(self) -> list[int | None]:
        """Games around which the weights were kept; None: the end."""
        return [*self.agent.configuration.marks, None]  # type: ignore[union-attr]  # of features

    def mark_words(self) -> list[str]:
        """The marks, as numbers of games."""
        return [f"{mark or self.agent.configuration.games:,}" for mark in self.marks]

    def learned(self, training: Training) -> LearnedWeights:
        """The weights of a training, and how they came about."""
        path = training.run.weights
        if path not in self._weights:
            self._weights[path] = load_linear(path, self.rules)
        return self._weights[path]

    def weights(self, name: str = READINGS, **values: Any) -> NDArray[np.float64]:
        """The last weights of all seeds, [seeds, 40]."""
        return np.array([self.learned(each).weights for each in self.trainings(name, **values)])

    # Matches. Figures are those of the first-named player.

    def progress(self, training: Training, mark: int | None, seat: int) -> Cell:
        """Theta1 against greedy1 in this seat; figures are those of theta."""
        return turned(self.matches[self.bouts.progress(training, mark, seat)], seat)

    def met(self, first: str, second: str) -> Cell:
        """A cell of the tables of all against all: fixed seats, no opening."""
        if first not in THETA and second not in THETA:
            texts = (text_of(first), text_of(second))
            return next(cell for cell in self.baselines.cells if (cell.row, cell.column) == texts)
        return self.matches[self.bouts.table(first, second)]

    def balanced(self, one: str, other: str) -> Cell:
        """The same two from random openings, each played from both sides."""
        pair = self.bouts.opened(one, other)
        return self.matches[pair] if pair in self.matches else turned(self.matches[self.bouts.opened(other, one)], 1)

    @property
    def bouts(self) -> Bouts:
        """All matches."""
        return Bouts(self)


def text_of(name: str) -> str:
    """The text form of a player that does not learn."""
    return GREEDY.get(name, name)


def turned(cell: Cell, seat: int) -> Cell:
    """A match as who sat in this seat sees it."""
    if seat == 0:
        return cell
    return cell._replace(
        row=cell.column,
        column=cell.row,
        wins=cell.losses,
        losses=cell.wins,
        score=1.0 - cell.score,
        low=1.0 - cell.high,
        high=1.0 - cell.low,
    )


class Bouts(NamedTuple):
    """Which matches are played."""

    evidence: Evidence

    def progress(self, training: Training, mark: int | None, seat: int) -> Bout:
        """Theta1 of a training, at a mark, in this seat against greedy1."""
        return self.seated(theta(training, 1, mark), GREEDY["greedy1"], seat, self.evidence.sizes.progress)

    def table(self, first: str, second: str) -> Bout:
        """Two of the tables."""
        return Bout(self._text(first), self._text(second), self.evidence.sizes.tables)

    def opened(self, one: str, other: str) -> Bout:
        """The same two from random openings."""
        return Bout(self._text(one), self._text(other), self.evidence.sizes.openings, OPENING, "both")

    def stage(self, training: Training, one: int | None, other: int | None) -> Bout:
        """Theta1 at two marks of a training."""
        return Bout(theta(training, 1, one), theta(training, 1, other), self.evidence.sizes.stages)

    def same_depth(self, training: Training, depth: int, seat: int) -> Bout:
        """Theta in this seat against greedy that looks equally far ahead."""
        if depth == 1:
            return self.progress(training, None, seat)
        return self.seated(theta(training, depth), f"greedy:depth={depth}", seat, self.evidence.sizes.others)

    def traces(self, seed: int, depth: int, seat: int) -> Bout:
        """Lambda 0 in this seat against 0.15, both of the training of this number."""
        with_traces, without = (self.evidence.trainings(name)[seed] for name in (TRACES, READINGS))
        return self.seated(theta(without, depth), theta(with_traces, depth), seat, self.evidence.sizes.others)

    def against_random(self, training: Training, seat: int) -> Bout:
        """Theta1 after the shortest training against random moves."""
        mark = self.evidence.marks[0]
        return self.seated(theta(training, 1, mark), "random", seat, self.evidence.sizes.others)

    def chain(self, training: Training, opponent: str, seat: int) -> Bout:
        """Who learned by chains, or by plies just as long, against one who did not learn."""
        mark = None if training in self.evidence.trainings(CHAINS) else self._length_of_chains()
        return self.seated(theta(training, 1, mark), text_of(opponent), seat, self.evidence.sizes.others)

    def all(self) -> Iterator[Bout]:
        """Everything that the page needs."""
        evidence = self.evidence
        own = evidence.trainings()
        for reading in (OWN, EVERY):
            for training in evidence.trainings(READINGS, side=reading):
                yield from (self.progress(training, mark, seat) for mark in evidence.marks for seat in SEATS)
        yield from (self.progress(training, None, seat) for training in evidence.trainings(LOWER) for seat in SEATS)
        yield from (
            self.progress(each, mark, seat)
            for each in evidence.trainings(TRACES)
            for mark in evidence.marks
            for seat in SEATS
        )
        yield from (self.table(first, second) for first in THETA for second in OPPONENTS)
        yield from (self.table(first, second) for first in (*OPPONENTS, *THETA) for second in THETA)
        yield from (self.opened(one, other) for one, other in combinations((*OPPONENTS, *THETA), 2))
        yield from (self.stage(each, *pair) for each in own for pair in permutations(evidence.marks, 2))
        yield from (self.same_depth(each, depth, seat) for each in own for depth in DEPTHS for seat in SEATS)
        with_traces = range(len(evidence.trainings(TRACES)))
        yield from (self.traces(each, depth, seat) for each in with_traces for depth in LOOKING for seat in SEATS)
        yield from (self.against_random(each, seat) for each in own for seat in SEATS)
        by_plies = own[: len(evidence.trainings(CHAINS))]
        for training in (*by_plies, *evidence.trainings(CHAINS)):
            yield from (self.chain(training, other, seat) for other in ("random", *OPPONENTS) for seat in SEATS)

    def seated(self, player: str, opponent: str, seat: int, games: int) -> Bout:
        """A match in which `player` sits in this seat."""
        return Bout(*((player, opponent) if seat == 0 else (opponent, player)), games)

    def _length_of_chains(self) -> int:
        games: int = self.evidence.trainings(CHAINS)[0].configuration.games
        return games

    def _text(self, name: str) -> str:
        return theta(self.evidence.agent, THETA.index(name) + 1) if name in THETA else text_of(name)


def gather(folder: Path, scale: Scale, seeds: int | None, jobs: int | None, tell: Tell) -> Evidence:
    """Run all trainings and matches in `folder`, or go on with them.

    Each version of the code that they depend on has a subfolder of its own, as they go on with no other.
    """
    rules = cast(Kalah, game(GAME))
    place = folder / code_digest((*TRAININGS, BASELINES), make_theta)[:8]
    make_folder(place)
    workers = jobs or min(os.cpu_count() or 1, 8)
    parts = (*TRAININGS, BASELINES, "matches")

    def teller(name: str) -> Tell:
        place_of = f"{parts.index(name) + 1} of {len(parts)}: {name}"
        return lambda done, wanted, note: tell(done, wanted, f"{place_of}, {note}")

    found: dict[str, ExperimentResult] = {}
    for name in TRAININGS:
        result = experiment(name, scale=scale, seeds=seeds, jobs=workers, folder=place, progress=teller(name))
        assert isinstance(result, ExperimentResult)  # none of them is a tournament
        found[name] = result
    table = experiment(BASELINES, scale=scale, jobs=workers, folder=place, progress=teller(BASELINES))
    assert isinstance(table, TournamentResult)
    evidence = Evidence(rules, scale, place, found, table, Matches(place, rules, workers))
    evidence.matches.play(evidence.bouts.all(), teller("matches"))
    return evidence


# Figures over seeds.


def over_seeds(values: Any) -> Interval:
    """The mean over the seeds with its 95 % interval."""
    return mean_interval([float(value) for value in values])


def of_another(values: Any) -> Interval:
    """The mean over the seeds, and the interval in which 95 % of further single trainings would lie.

    The report has one training. With fewer than three of ours nothing can be told: the interval has no bounds.
    """
    known = [float(value) for value in values]
    found = mean_interval(known)
    if len(known) < 3:
        return Interval(found.mean, -math.inf, math.inf)
    wider = math.sqrt(len(known) + 1.0)  # a mean scatters with s / sqrt(n), a further one about it with s sqrt(1 + 1/n)
    half = wider * (found.high - found.mean)
    return Interval(found.mean, found.mean - half, found.mean + half)


def tells_little(cell: Cell) -> bool:
    """Whether the games of a match are hardly more than one game, played again and again."""
    return cell.distinct <= FEW


def interval(cell: Cell) -> Interval:
    """The score of a match with its interval, by which it is judged: all of 0..1 where it tells little."""
    return Interval(cell.score, *((0.0, 1.0) if tells_little(cell) else (cell.low, cell.high)))
