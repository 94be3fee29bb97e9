"""The open questions of the original report on training and on options of the player, with experiments and answers.

The experiment of a question varies one option of training. The mean scores of each variant against greedy1 and greedy3
are compared with those of the first variant.
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
from petteia.reports.engine.figures import Figure, difference, known, of_match
from petteia.reports.engine.rules import Finding, together
from petteia.reports.engine.settings import Match, Setting
from petteia.reports.mancala.figures import over
from petteia.reports.mancala.plan import DEPTHS, GREEDY, SEAT_NAMES, SEATS, theta

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
"""The question that each experiment answers."""


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
        """`better` or `worse` than the first variant; empty if the confidence interval of the lead contains 0."""
        return "better" if self.gain.low > 0.0 else "worse" if self.gain.high < 0.0 else ""


def scores_of(cell: CellResult, opponent: str) -> list[float]:
    """Return the scores of a variant of the training against an opponent, one for each seed."""
    scores = [run[AGAINST[opponent]] for run in cell.runs]
    assert all(score is not None for score in scores), "every training run of these experiments is measured"
    return [float(score) for score in scores if score is not None]


def named(values: Mapping[str, Any]) -> str:
    """Return the name of a variant of the training: its options and their values."""
    return ", ".join(_option(name, value) for name, value in values.items())


def variants(evidence: Evidence, experiment: str) -> list[Setting]:
    """Return a `Setting` for each variant of the training in an experiment, with the learner as first player."""
    cells = evidence.experiments[experiment].cells
    values = [each.combination.values for each in cells if each.side == 0]
    return [Setting(experiment, each, named(each), seat=0) for each in values]


def _option(name: str, value: Any) -> str:
    if name == "position":
        return "either side begins" if BETWEEN in value else "the lower side begins"
    return f"{name.rstrip('_')} {label(value)}"


def compare(result: ExperimentResult, base: tuple[str, ExperimentResult] | None = None) -> list[Compared]:
    """Compare every variant of the training with the first one, against each opponent, as first and second player.

    If `base` is given, it contains a name and the result of another experiment. All variants of the training are then
    compared with the first variant of the other experiment, which is shown under this name.
    """
    cells = [(named(each.combination.values), each) for each in result.cells]
    sides = dict.fromkeys(each.side for each in result.cells)
    if base is not None:
        name, other = base
        cells = [(name, next(each for each in other.cells if each.side == side)) for side in sides] + cells
    compared = []
    for opponent, side in product(AGAINST, sides):
        scores = {name: scores_of(each, opponent) for name, each in cells if each.side == side}
        compared += beside_first(scores, opponent, SEAT_NAMES[side])
    return compared


def beside_first(scores: Mapping[str, Sequence[float]], opponent: str, seat: str) -> list[Compared]:
    """Compare the scores of each variant of the training, one for each seed, with those of the first variant."""
    first = next(iter(scores.values()))
    return [
        Compared(variant, opponent, seat, known("", SHARE, mine).interval(None), gain(mine, first))
        for variant, mine in scores.items()
    ]


def gain(mine: Sequence[float], theirs: Sequence[float]) -> Interval:
    """Return the mean difference between the scores of two groups of training runs."""
    return difference(known("", SHARE, mine), known("", SHARE, theirs)).interval(None)


def answer(rows: Sequence[Compared]) -> dict[str, list[str]]:
    """Group the variants of the training into better, worse and other ones, by the words that introduce each list."""
    first, *others = dict.fromkeys(row.variant for row in rows)
    where: dict[tuple[str, str], list[str]] = {}
    for row in rows:
        points = f"{row.gain.mean * 100:+.1f} points as {row.seat} player against {row.opponent}"
        where.setdefault((row.verdict, row.variant), []).append(points)
    found = {
        f"These variants are clearly {word} than “{first}”": [
            f"“{each}”: {', '.join(where[word, each])}" for each in others if (word, each) in where
        ]
        for word in ("better", "worse")
    }
    unclear = [f"“{each}”" for each in others if where.keys().isdisjoint({("better", each), ("worse", each)})]
    found[f"These variants are not clearly different from “{first}”"] = unclear
    return {words: variants for words, variants in found.items() if variants}


def kinds_of_traces(result: ExperimentResult) -> Finding:
    """Judge whether accumulating and replacing traces give the same scores for each lambda."""
    scores: dict[tuple[float, str], list[list[float]]] = {}
    for cell, opponent in product(result.cells, AGAINST):
        recipe = float(cell.combination.values["lambda_"]), str(cell.combination.values["traces"])
        scores.setdefault(recipe, []).append(scores_of(cell, opponent))
    parts = []
    for decay in dict.fromkeys(decay for decay, _ in scores):
        gains = np.subtract(scores[decay, "replacing"], scores[decay, "accumulating"])
        of_seeds = known("", POINTS, gains.mean(axis=0).tolist())  # each training run counts once
        value = f"{of_seeds.text(None)}, and {np.count_nonzero(gains)} of {gains.size} scores differ"
        measure = "the score with replacing traces minus the score with accumulating traces"
        parts.append(Finding(value, not gains.any(), measure=measure, case=f"lambda {decay:g}"))
    is_same = all(each.answer for each in parts)
    said = f"accumulating and replacing traces {'give' if is_same else 'do not give'} the same scores"
    return together([Finding(said, is_same), *parts], is_same)


# Other ways to play: matches of learned players, with fixed seats and without openings.

AVERAGING, ENDS, DRAWS = "averaging", "ends", "draws"
GAMES, LOWER_GAMES = 80, 300
"""The numbers of games of a match: with other options, and of other learners."""
OPTIONS = {
    AVERAGING: {"drawn weights": "", "last weights": "weights=last", "mean weights": "weights=mean"},
    ENDS: {
        "standard theta": "",
        "theta without exact scores of finished games": "ends=value",
        "theta without preference for early wins": "early=no",
    },
    DRAWS: {f"a draw worth {each}": f"draws={each}" if each else "" for each in (0, -0.5, -0.25, 0.25, 0.5)},
}
"""The variants of the player by question, each with its option."""


def score(variant: str, option: str, seats: Sequence[int] = SEATS, depths: Sequence[int] = DEPTHS) -> Figure:
    """Return the learned player's mean score, with an option, against greedy players of the same search depth."""
    matches = [
        Match(theta(depth=depth, options=option), GREEDY[f"greedy{depth}"], GAMES, seat)
        for depth, seat in product(depths, seats)
    ]
    return over("the mean score over all depths and both seats against greedy of the same depth", matches, variant)


def as_second(learner: Setting, opponent: str) -> Figure:
    """Return the score as second player of a learner that was trained only on the lower side."""
    return of_match(Match(theta(learner), GREEDY[opponent], LOWER_GAMES, 1))


CHAIN = {
    name: [
        Match(theta(Setting(FEATURES, {"features": name}, seat=0), depth), "heuristic", GAMES, 1) for depth in DEPTHS
    ]
    for name in ("report", "report+chain")
}
"""The matches of theta1 to theta5 as second player against the heuristic, by set of features."""
LAST = [of_match(Match(theta(options="weights=last"), GREEDY["greedy1"], LOWER_GAMES, seat), "won") for seat in SEATS]
"""The shares of games that theta1 wins against greedy1 with its last weights, in each seat."""
SCORES = {
    question: {variant: score(variant, option) for variant, option in variants.items()}
    for question, variants in OPTIONS.items()
} | {
    "chain": {
        name: over("the mean score over all depths as second player against the heuristic", matches, name)
        for name, matches in CHAIN.items()
    }
}
"""The mean score of each variant over all depths and its seats, by question."""
