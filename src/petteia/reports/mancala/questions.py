"""The questions about learning that the original report leaves open, with an experiment and an answer for each.

Each question varies one option of a training run. A variant is compared with the first one by its scores against
greedy1 and greedy3, seed by seed: equal seed numbers have the same random numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from petteia.arena.statistics import Interval
from petteia.experiments.declaration import label
from petteia.experiments.results import CellResult, ExperimentResult
from petteia.experiments.settings import BETWEEN
from petteia.reports.engine.estimates import POINTS, SHARE
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.figures import difference, known
from petteia.reports.engine.rules import Finding
from petteia.reports.engine.settings import Setting
from petteia.reports.mancala.plan import SEAT_NAMES

AGAINST = {"greedy1": "against_greedy:depth=1", "greedy3": "against_greedy:depth=3"}
STARTER = "mancala-starter"
"""The experiment with settings that the original report does not state."""
LOWER_EXPLORED = "mancala-lower-explored"
"""The experiment with learners that are always the lower side. In the other experiments, learners play both sides."""
FEATURES, STEPS, TRACES, OPPONENTS = "mancala-features", "mancala-step-size", "mancala-traces", "mancala-opponents"
"""Experiments with further tables. The first variant of FEATURES is the standard training of most experiments."""


QUESTIONS = {
    STARTER: "Does it matter who begins in training, and how long a stage is?",
    LOWER_EXPLORED: "Why is a learner that always plays the lower side so weak?",
    FEATURES: "Do the features that the students dropped help, and do separate weights for phases of the game help?",
    STEPS: "Does another step size give a better player?",
    "mancala-exploration": "How much should the learner explore, and should it learn from random moves?",
    "mancala-start": "Do more sensible initial weights than zero help?",
    OPPONENTS: "Which opponents in training are good: greedy2 first, or the learner with earlier weights?",
    "mancala-search": "Does search during learning help?",
    TRACES: "Do eligibility traces help, and do accumulating and replacing traces differ?",
    "mancala-targets": "Is another learning algorithm better than Q-learning?",
    "mancala-scaling": "Does it help to centre and scale the features?",
    "mancala-ends": "Does it help to score finished games exactly, or to play every game to its end?",
}
"""The questions by the experiments that answer them."""


class Compared(NamedTuple):
    """A variant of the training, compared with the first variant for the same question."""

    variant: str
    opponent: str
    seat: str
    """`first` or `second`"""
    score: Interval
    """The mean score over the seeds, with its interval."""
    gain: Interval
    """The lead over the first variant as a mean over the seeds, with its interval. For the first variant it is 0."""

    @property
    def verdict(self) -> str:
        """`better` or `worse` than the first variant, or empty if the interval of the lead contains 0."""
        if self.gain.low > 0.0:
            return "better"
        return "worse" if self.gain.high < 0.0 else ""


def scores_of(cell: CellResult, opponent: str) -> list[float]:
    """Return the score of each seed against an opponent."""
    scores = [run[AGAINST[opponent]] for run in cell.runs]
    assert all(score is not None for score in scores), "every training run of these experiments is measured"
    return [float(score) for score in scores if score is not None]


def named(values: Mapping[str, Any]) -> str:
    """Return the name of a variant: its options and their values."""
    return ", ".join(_option(name, value) for name, value in values.items())


def variants(evidence: Evidence, experiment: str) -> list[Setting]:
    """Return the training runs of each variant of a question, in the first seat."""
    cells = evidence.experiments[experiment].cells
    values = [each.combination.values for each in cells if each.side == 0]
    return [Setting(experiment, each, named(each), seat=0) for each in values]


def _option(name: str, value: Any) -> str:
    if name == "position":
        return "either side begins" if BETWEEN in value else "the lower side begins"
    return f"{name.rstrip('_')} {label(value)}"


def compare(result: ExperimentResult, base: tuple[str, ExperimentResult] | None = None) -> list[Compared]:
    """Compare every variant with the first variant, against each opponent and in each seat.

    `base`: an experiment whose first variant replaces the first one here, and a name for it.
    """
    compared = []
    for opponent in AGAINST:
        for side in dict.fromkeys(cell.side for cell in result.cells):
            scores = {
                named(cell.combination.values): scores_of(cell, opponent) for cell in result.cells if cell.side == side
            }
            if base is not None:
                first = next(cell for cell in base[1].cells if cell.side == side)
                scores = {base[0]: scores_of(first, opponent), **scores}
            compared += beside_first(scores, opponent, SEAT_NAMES[side])
    return compared


def beside_first(scores: Mapping[str, Sequence[float]], opponent: str, seat: str) -> list[Compared]:
    """Compare the scores of each variant, one for each seed, with those of the first variant."""
    first = next(iter(scores.values()))
    return [
        Compared(variant, opponent, seat, known("", SHARE, mine).interval(None), gain(mine, first))
        for variant, mine in scores.items()
    ]


def gain(mine: Sequence[float], theirs: Sequence[float]) -> Interval:
    """Return the mean difference between the scores of two groups of training runs."""
    return difference(known("", SHARE, mine), known("", SHARE, theirs)).interval(None)


def answer(rows: Sequence[Compared]) -> str:
    """Return the answer to a question in words, from the compared variants."""
    first, *others = dict.fromkeys(row.variant for row in rows)
    parts, unclear = [], dict.fromkeys(others)
    for word in ("better", "worse"):
        variants = []
        for variant in others:
            clear = [row for row in rows if row.variant == variant and row.verdict == word]
            if clear:
                where = ", ".join(
                    f"{row.gain.mean * 100:+.1f} points as {row.seat} player against {row.opponent}" for row in clear
                )
                variants.append(f"“{variant}” ({where})")
                unclear.pop(variant, None)
        if variants:
            parts.append(f"These variants are clearly {word} than “{first}”: {'; '.join(variants)}.")
    if unclear:
        named_unclear = ", ".join(f"“{variant}”" for variant in unclear)
        parts.append(f"These variants are not clearly different from “{first}”: {named_unclear}.")
    return " ".join(parts)


def kinds_of_traces(result: ExperimentResult) -> Finding:
    """Judge whether accumulating and replacing traces give the same scores for each lambda."""
    scores: dict[tuple[float, str], list[list[float]]] = {}
    for cell, opponent in product(result.cells, AGAINST):
        recipe = float(cell.combination.values["lambda_"]), str(cell.combination.values["traces"])
        scores.setdefault(recipe, []).append(scores_of(cell, opponent))
    by_decay = {
        fading: np.subtract(scores[fading, "replacing"], scores[fading, "accumulating"])
        for fading in dict.fromkeys(fading for fading, _ in scores)
    }
    parts = []
    for fading, gains in by_decay.items():
        of_seeds = known("", POINTS, gains.mean(axis=0).tolist())  # each training run counts once
        parts.append(
            f"with lambda {fading:g}, the score with replacing traces minus the score with accumulating traces is "
            f"{of_seeds.text(None)}, and {np.count_nonzero(gains)} of {gains.size} scores differ"
        )
    coincide = not any(gains.any() for gains in by_decay.values())
    give = "give" if coincide else "do not give"
    return Finding(f"accumulating and replacing traces {give} the same scores: {'; '.join(parts)}", coincide)
