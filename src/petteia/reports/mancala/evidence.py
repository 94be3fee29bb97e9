"""All that the report has found: its trainings, its matches, and the weights that were learned."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, permutations, product
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from petteia.experiments.linear_settings import LinearSettings
from petteia.experiments.results import CellResult, ExperimentResult
from petteia.experiments.source import Scale
from petteia.experiments.tournament.matches import Cell
from petteia.experiments.tournament.results import TournamentResult
from petteia.experiments.training import Training
from petteia.games import game
from petteia.games.kalah import Kalah
from petteia.learned.linear_file import LearnedWeights, load_linear
from petteia.reports.engine.matches import AGENT, Matches, Pairing, seated, turned
from petteia.reports.engine.work import Work
from petteia.reports.mancala import plan
from petteia.reports.mancala.plan import (
    BASIC,
    CHAINS,
    GREEDY,
    OPPONENTS,
    PLAYERS,
    READINGS,
    RECIPES,
    SEATS,
    THETA,
    TRACES,
    learns,
    text_of,
)

OPENING = "random:4"
"""whoever begins has lost most of the advantage after so many random plies"""


class Sizes(NamedTuple):
    """Games of a match."""

    progress: int
    """theta1 against greedy1, of every seed and mark"""
    tables: int
    """theta1..5 of every seed against all"""
    stages: int
    openings: int
    """from random openings, both sides together"""
    others: int
    known: int
    """between players whose weights, or evaluations, are printed"""


SIZES: dict[Scale, Sizes] = {
    "paper": Sizes(progress=500, tables=100, stages=300, openings=200, others=200, known=1000),
    "quick": Sizes(progress=100, tables=40, stages=40, openings=40, others=40, known=40),
}


@dataclass(frozen=True)
class Evidence:
    """What the claims are judged by, and what the page shows."""

    rules: Kalah
    work: Work
    experiments: dict[str, ExperimentResult]
    """the trainings, by name"""
    baselines: TournamentResult
    matches: Matches
    six: Matches
    """with six stones a pit"""
    _weights: dict[Path, LearnedWeights] = field(default_factory=dict)

    @property
    def is_judged(self) -> bool:
        """Whether trainings are as long as the report's, so that its figures can be held against theirs."""
        return self.work.scale == "paper"

    @property
    def sizes(self) -> Sizes:
        """Games of a match."""
        return SIZES[self.work.scale]

    def curve(self, name: str, seat: int, **values: Any) -> CellResult:
        """The learning curves, against greedy1, of experiment `name` with these swept values."""
        (cell,) = (
            each
            for each in self.experiments[name].cells
            if each.side == seat and values.items() <= each.combination.values.items()
        )
        return cell

    def trainings(self, name: str = READINGS, **values: Any) -> list[Training]:
        """Those of experiment `name`, one for each seed; of the first reading unless said."""
        wanted = {"side": plan.OWN} if name == READINGS and not values else values
        return next(
            each for each in self.experiments[name].cells if wanted.items() <= each.combination.values.items()
        ).trainings

    @property
    def seeds(self) -> int:
        """Trainings of each reading."""
        return len(self.trainings())

    @property
    def settings(self) -> LinearSettings:
        """Those of the first reading."""
        return settings_of(self.trainings()[0])

    @property
    def marks(self) -> list[int | None]:
        """Games around which the weights were kept; None: the end."""
        return [*self.settings.learner.marks, None]

    def mark_words(self) -> list[str]:
        """The marks, as numbers of games."""
        return [f"{mark or self.settings.games:,}" for mark in self.marks]

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
        return self.seen_by(progress(self, training, mark, seat), seat)

    def seen_by(self, pairing: Pairing, seat: int) -> Cell:
        """A match as the player sees it that sat in this seat."""
        return turned(self.matches[pairing], seat)

    def met(self, first: str, second: str) -> tuple[Cell, ...]:
        """A cell of the tables of all against all, fixed seats, no opening: of each seed, or one where none learned."""
        if first not in THETA and second not in THETA:
            texts = (text_of(first), text_of(second))
            return tuple(cell for cell in self.baselines.cells if (cell.row, cell.column) == texts)
        return tuple(self.matches[table(self, each, first, second)] for each in self.trainings())

    def balanced(self, one: str, other: str) -> tuple[Cell, ...]:
        """The same two from random openings, each played from both sides."""
        if PLAYERS.index(one) > PLAYERS.index(other):
            return tuple(turned(cell, 1) for cell in self.balanced(other, one))
        trainings = self.trainings() if learns(one, other) else self.trainings()[:1]
        return tuple(self.matches[opened(self, each, one, other)] for each in trainings)


def settings_of(training: Training) -> LinearSettings:
    """The settings of a training for features."""
    settings = training.configuration
    assert isinstance(settings, LinearSettings)
    return settings


# Which matches are played.


def theta(work: Work, training: Training, depth: int = 1, at: int | None = None, options: str = "") -> str:
    """The player that searches so deep with what was learned: at the end, or around so many games."""
    deep = f",depth={depth}" if depth > 1 else ""  # who plays whole turns takes no depth
    then = f",at={at}" if at is not None else ""
    return f"theta:{AGENT}{work.place_of(training)}){deep}{then}{options}"


def progress(evidence: Evidence, training: Training, mark: int | None, seat: int) -> Pairing:
    """Theta1 of a training, at a mark, in this seat against greedy1."""
    return seated(theta(evidence.work, training, 1, mark), plan.GREEDY["greedy1"], seat, evidence.sizes.progress)


def table(evidence: Evidence, training: Training, first: str, second: str) -> Pairing:
    """Two of the tables, theta being that of a training."""
    return Pairing(_text(evidence, training, first), _text(evidence, training, second), evidence.sizes.tables)


def opened(evidence: Evidence, training: Training, one: str, other: str) -> Pairing:
    """The same two from random openings."""
    texts = _text(evidence, training, one), _text(evidence, training, other)
    return Pairing(*texts, evidence.sizes.openings, OPENING, "both")


def authors(evidence: Evidence, first: str, second: str) -> Pairing:
    """The same, theta being that of the weights that the report prints."""

    def text(name: str) -> str:
        return f"theta:agent=report,depth={THETA.index(name) + 1}" if name in THETA else text_of(name)

    return Pairing(text(first), text(second), evidence.sizes.known)


def of_vectors(evidence: Evidence, training: Training, first: str, second: str, weights: str) -> Pairing:
    """The same, theta being that of a training, with vectors drawn or the last one."""

    def text(name: str) -> str:
        depth = THETA.index(name) + 1 if name in THETA else 0
        return theta(evidence.work, training, depth, options=f",weights={weights}") if depth else text_of(name)

    return Pairing(text(first), text(second), evidence.sizes.known)


def knowing_ends(evidence: Evidence, depth: int) -> Pairing:
    """Greedy that recognises won and lost ends against one to which they are worth their margin."""
    knows = GREEDY[f"greedy{depth}"]
    return Pairing(knows, f"{knows},won=no", evidence.sizes.known, OPENING, "both")


def six_stones(evidence: Evidence, first: str, second: str) -> Pairing:
    """Two of those that do not learn, with six stones a pit."""
    return Pairing(text_of(first), text_of(second), evidence.sizes.tables)


def stage(evidence: Evidence, training: Training, one: int | None, other: int | None) -> Pairing:
    """Theta1 at two marks of a training."""
    players = theta(evidence.work, training, 1, one), theta(evidence.work, training, 1, other)
    return Pairing(*players, evidence.sizes.stages)


def traces(evidence: Evidence, seed: int, depth: int, seat: int) -> Pairing:
    """Lambda 0 in this seat against 0.15, both of the training of this number."""
    with_traces, without = (theta(evidence.work, evidence.trainings(name)[seed], depth) for name in (TRACES, READINGS))
    return seated(without, with_traces, seat, evidence.sizes.others)


def against_random(evidence: Evidence, training: Training, seat: int) -> Pairing:
    """Theta1 after the shortest training against random moves."""
    return seated(theta(evidence.work, training, 1, evidence.marks[0]), "random", seat, evidence.sizes.others)


def chain(evidence: Evidence, training: Training, opponent: str, seat: int) -> Pairing:
    """Who learned by chains, or by plies just as long, against one who did not learn."""
    by_chains = [each for recipe in RECIPES for each in evidence.trainings(CHAINS, treatment=recipe)]
    mark = None if training in by_chains else settings_of(by_chains[0]).games
    return seated(theta(evidence.work, training, 1, mark), text_of(opponent), seat, evidence.sizes.others)


def all_pairings(evidence: Evidence) -> Iterator[Pairing]:
    """Everything that the page needs."""
    own = evidence.trainings()
    yield from (authors(evidence, *pair) for one in OPPONENTS for two in THETA for pair in ((one, two), (two, one)))
    yield from (knowing_ends(evidence, depth) for depth in plan.DEPTHS)
    in_course: Sequence[Training] = [*own, *evidence.trainings(READINGS, side=plan.EVERY), *evidence.trainings(TRACES)]
    yield from (progress(evidence, each, mark, seat) for each in in_course for mark in evidence.marks for seat in SEATS)
    at_the_end = [each for cell in evidence.experiments[plan.LOWER].cells for each in cell.trainings]
    yield from (progress(evidence, each, None, seat) for each in at_the_end for seat in SEATS)
    for training in own:
        yield from (table(evidence, training, first, second) for first in THETA for second in OPPONENTS)
        yield from (table(evidence, training, first, second) for first in PLAYERS for second in THETA)
        yield from (opened(evidence, training, *pair) for pair in combinations(PLAYERS, 2) if learns(*pair))
        yield from (of_vectors(evidence, training, *pair, w) for pair in plan.FAR_OFF for w in ("drawn", "last"))
        yield from (stage(evidence, training, *pair) for pair in permutations(evidence.marks, 2))
        yield from (against_random(evidence, training, seat) for seat in SEATS)
    yield from (opened(evidence, own[0], *pair) for pair in combinations(OPPONENTS, 2))
    seeds = range(min(len(evidence.trainings(TRACES)), len(own)))
    yield from (traces(evidence, each, depth, seat) for each in seeds for depth in plan.LOOKING for seat in SEATS)
    by_plies = own[: len(evidence.trainings(CHAINS))]
    for training in (*by_plies, *(each for recipe in RECIPES for each in evidence.trainings(CHAINS, treatment=recipe))):
        yield from (chain(evidence, training, other, seat) for other in plan.BASIC for seat in SEATS)


def _text(evidence: Evidence, training: Training, name: str) -> str:
    return theta(evidence.work, training, THETA.index(name) + 1) if name in THETA else text_of(name)


def gather(work: Work) -> Evidence:
    """Run all trainings and matches, or go on with them."""
    rules = cast(Kalah, game(plan.GAME))
    experiments = work.trainings(plan.TRAININGS)
    matches, six = Matches(work, rules), Matches(work, game(plan.SIX), "six-stones")
    evidence = Evidence(rules, work, experiments, work.tournament(plan.BASELINES), matches, six)
    matches.play(all_pairings(evidence))
    six.play((six_stones(evidence, *pair) for pair in product(BASIC, repeat=2)), "matches with six stones")
    return evidence
