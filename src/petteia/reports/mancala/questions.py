"""What the report has left open about learning: a declared experiment for each question, and its answer in words.

A question is asked of one option of a training. Each variant is held against the first, seed by seed (seeds of one
number meet the same random numbers), by its score against greedy players that look one and three plies ahead.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

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
"""the experiment on what the report does not say of its trainings"""
LOWER_EXPLORED = "mancala-lower-explored"
"""that on the learner that is always lower, which is the only one where but one side learns"""
FEATURES, STEPS, TRACES, OPPONENTS = "mancala-features", "mancala-step-size", "mancala-traces", "mancala-opponents"
"""those that are looked at more closely; the first variant of the first has the settings that most begin with"""


QUESTIONS = {
    STARTER: "Who begins in training, and how long is a stage?",
    LOWER_EXPLORED: "Why does one who is always lower do so badly?",
    FEATURES: "What do the dropped features and the phases of the game bring?",
    STEPS: "Is the step size what holds the learner back?",
    "mancala-exploration": "How much should it try out, and should it learn from that?",
    "mancala-start": "Does a more sensible start than zero help?",
    OPPONENTS: "Is greedy2 a good first opponent, and is it better to meet oneself as one was?",
    "mancala-search": "What does search while learning bring?",
    TRACES: "Do traces help, and do accumulating and replacing traces differ?",
    "mancala-targets": "Would another learner than Q-learning do better?",
    "mancala-scaling": "Does it help to centre and scale the features?",
    "mancala-ends": "Does it help to know ends when choosing, or to play every game to its end?",
}
"""The questions in words, by the experiments that answer them."""


class Compared(NamedTuple):
    """A variant beside the first one."""

    variant: str
    opponent: str
    seat: str
    """`first` or `second`"""
    score: Interval
    """over the seeds"""
    gain: Interval
    """by how much it scores more than the first variant, over the seeds; nothing for the first itself"""

    @property
    def verdict(self) -> str:
        """`better`, `worse`, or nothing that can be told."""
        if self.gain.low > 0.0:
            return "better"
        return "worse" if self.gain.high < 0.0 else ""


def scores_of(cell: CellResult, opponent: str) -> list[float]:
    """The scores of each seed."""
    scores = [run[AGAINST[opponent]] for run in cell.runs]
    assert all(score is not None for score in scores), "every training of these experiments is measured"
    return [float(score) for score in scores if score is not None]


def named(values: Mapping[str, Any]) -> str:
    """What a combination of swept options is called."""
    return ", ".join(_option(name, value) for name, value in values.items())


def variants(evidence: Evidence, experiment: str) -> list[Setting]:
    """The trainings of each variant of a question, in the first seat."""
    cells = evidence.experiments[experiment].cells
    values = [each.combination.values for each in cells if each.side == 0]
    return [Setting(experiment, each, named(each), seat=0) for each in values]


def _option(name: str, value: Any) -> str:
    if name == "position":
        return "either side begins" if BETWEEN in value else "the lower side begins"
    return f"{name.rstrip('_')} {label(value)}"


def compare(result: ExperimentResult, base: tuple[str, ExperimentResult] | None = None) -> list[Compared]:
    """Every variant, against each opponent and in each seat, beside the first.

    `base`: a name for the first variant of another experiment, which is the first here, too.
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
    """The scores of each variant, one for each seed, beside those of the first."""
    first = next(iter(scores.values()))
    return [
        Compared(variant, opponent, seat, known("", SHARE, mine).interval(None), gain(mine, first))
        for variant, mine in scores.items()
    ]


def gain(mine: Sequence[float], theirs: Sequence[float]) -> Interval:
    """By how much scores of trainings are more than those of others, in the mean."""
    return difference(known("", SHARE, mine), known("", SHARE, theirs)).interval(None)


def answer(rows: Sequence[Compared]) -> str:
    """What the rows say, in words."""
    first, *others = dict.fromkeys(row.variant for row in rows)
    parts, unclear = [], dict.fromkeys(others)
    for word in ("better", "worse"):
        variants = []
        for variant in others:
            clear = [row for row in rows if row.variant == variant and row.verdict == word]
            if clear:
                where = ", ".join(f"{row.gain.mean * 100:+.1f} as {row.seat} against {row.opponent}" for row in clear)
                variants.append(f"{variant} ({where})")
                unclear.pop(variant, None)
        if variants:
            parts.append(f"Clearly {word} than {first}: {'; '.join(variants)}.")
    if unclear:
        parts.append(f"No difference from {first} can be told: {', '.join(unclear)}.")
    return " ".join(parts)


def gains_of_replacing(result: ExperimentResult) -> dict[float, NDArray[np.float64]]:
    """By how much replacing traces score more than accumulating ones, at each lambda; [matches, seeds]."""
    scores = {
        (cell.combination.values["lambda_"], cell.combination.values["traces"], cell.side, opponent): scores_of(
            cell, opponent
        )
        for cell in result.cells
        for opponent in AGAINST
    }
    matches = dict.fromkeys(key[2:] for key in scores)
    return {
        fading: np.array(
            [np.subtract(scores[fading, "replacing", *each], scores[fading, "accumulating", *each]) for each in matches]
        )
        for fading in dict.fromkeys(float(key[0]) for key in scores)
    }


def kinds_of_traces(result: ExperimentResult) -> Finding:
    """Whether accumulating and replacing traces lead to the same scores, at each lambda."""
    by_decay, parts = gains_of_replacing(result), []
    for fading, gains in by_decay.items():
        of_seeds = known("", POINTS, gains.mean(axis=0).tolist())  # what one training scores counts once
        parts.append(
            f"at lambda {fading:g} replacing traces score {of_seeds.text(None)} more than accumulating ones, and "
            f"{np.count_nonzero(gains)} of {gains.size} scores are not the same"
        )
    coincide = not any(gains.any() for gains in by_decay.values())
    return Finding(f"They {'coincide' if coincide else 'do not coincide'}: {'; '.join(parts)}", coincide)
