"""The open questions of the original report about training, and experiments that try to answer them.

Each experiment varies the training, for example its step size, to answer one question. The mean scores of all variants
against greedy1 and greedy3 are compared with those of the first variant. Further statistics describe learning curves,
weights that never settle, and weights that a direct search finds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count, product
from typing import Any, NamedTuple

import numpy as np

from petteia.analysis.curves import settled_from
from petteia.analysis.direct_search import direct_search
from petteia.analysis.settling import Settling, WeightSwing, settling, swings
from petteia.arena.match import match
from petteia.arena.regret import regret_in
from petteia.arena.statistics import Interval
from petteia.experiments.declaration import label
from petteia.experiments.results import CellResult, ExperimentResult
from petteia.experiments.settings import BETWEEN
from petteia.experiments.training import Training
from petteia.learn.cross_entropy import Generation
from petteia.learn.schedules import schedule
from petteia.players import player
from petteia.reports.engine.claims import listed
from petteia.reports.engine.estimates import COUNT, POINTS, SHARE, Unit, certain
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.figures import Figure, Values, difference, known, of_each
from petteia.reports.engine.kept import kept
from petteia.reports.engine.rules import Finding, together
from petteia.reports.engine.settings import Setting, read_toml
from petteia.reports.mancala.behaviour import SEED, by_weights
from petteia.reports.mancala.boards import endings
from petteia.reports.mancala.figures import LAST_SHARE, weight_names
from petteia.reports.mancala.plan import EARLY, GREEDY, LATE, OWN, SEAT_NAMES
from petteia.reports.mancala.tables import plain
from petteia.reports.mancala.weight_measures import away

AGAINST = {"greedy1": "against_greedy:depth=1", "greedy3": "against_greedy:depth=3"}
STARTER = "mancala-starter"
"""The experiment with settings that the original report does not state."""
LOWER_EXPLORED = "mancala-lower-explored"
"""The experiment with learners that are always the lower side. In the other experiments, learners play both sides."""
FEATURES, STEPS, TRACES, OPPONENTS = "mancala-features", "mancala-step-size", "mancala-traces", "mancala-opponents"
"""Experiments with further tables. The first variant of FEATURES is the standard training of most experiments."""
OPEN = read_toml("petteia.reports.mancala", "open.toml")
QUESTIONS: dict[str, str] = OPEN["asks"]
"""The question that each experiment answers."""
WORDS_OF_OPTIONS: dict[str, dict[str, str]] = OPEN["variants"]
"""The words for the values of each option of training, as in the names of variants."""

# Variants of training.


class Compared(NamedTuple):
    """The comparison of a variant of the training, such as another step size, with the first variant for a question."""

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
        """`better` or `worse` than the first variant; empty if the confidence interval of the gain contains 0."""
        return "better" if self.gain.low > 0.0 else "worse" if self.gain.high < 0.0 else ""


def scores_of(cell: CellResult, opponent: str) -> list[float]:
    """Return the scores of a variant of the training against an opponent, one for each seed."""
    scores = [run[AGAINST[opponent]] for run in cell.runs]
    assert all(score is not None for score in scores), "every training run of these experiments is measured"
    return [float(score) for score in scores if score is not None]


def named(values: Mapping[str, Any]) -> str:
    """Return the name of a variant of the training: its options in words."""
    words = {}
    for name, value in values.items():
        plain = f"{name.rstrip('_')} {label(value)}".replace("..", " decaying to ")
        words[name] = WORDS_OF_OPTIONS.get(name, {}).get(label(value), plain)
    if "position" in values:
        words["position"] = "either side begins" if BETWEEN in values["position"] else "the lower side begins"
    return ", ".join(words.values())


def variants(evidence: Evidence, experiment: str) -> list[Setting]:
    """Return the settings of all variants of the training in an experiment, with the learner as first player."""
    cells = evidence.experiments[experiment].cells
    values = [each.combination.values for each in cells if each.side == 0]
    return [Setting(experiment, each, named(each), seat=0) for each in values]


def compare(result: ExperimentResult, base: tuple[str, ExperimentResult] | None = None) -> list[Compared]:
    """Compare every variant of the training in an experiment with the first variant, for each opponent and seat.

    If `base` is given, all variants of the training are compared with the first variant of another experiment. `base`
    contains a name for this first variant, and the result of the other experiment.
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
    """Compare the scores of each variant of the training with the scores of the first variant.

    `scores` contains, for each variant, a score for each training seed.
    """
    figures = {variant: known("", SHARE, values) for variant, values in scores.items()}
    first = next(iter(figures.values()))
    return [
        Compared(variant, opponent, seat, each.interval(None), difference(each, first).interval(None))
        for variant, each in figures.items()
    ]


def answer(rows: Sequence[Compared]) -> str:
    """Return sentences about the variants of the training that are clearly better or worse than the first variant.

    A variant counts as better or worse if it is clearly so in at least one match. A sentence names at most two
    variants. If there are more, it states only their number.
    """
    first, *others = dict.fromkeys(row.variant for row in rows)
    found = []
    for verdict in ("better", "worse"):
        clear = [f"“{each}”" for each in others if any((each, verdict) == (row.variant, row.verdict) for row in rows)]
        if clear:
            subject = f"The variant {clear[0]} is" if len(clear) == 1 else f"The variants {listed(clear)} are"
            if len(clear) > 2:
                share = "All" if len(clear) == len(others) else f"{len(clear)} of the"
                subject = f"{share} {len(others)} other variants are"
            found.append(f"{subject} clearly {verdict} than “{first}” in at least one column of the table.")
    return " ".join(found) or (f"No variant is clearly different from “{first}”." if others else "")


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
        value = f"{of_seeds.text(None)}, and {np.count_nonzero(gains)} of {gains.size} pairs of scores differ"
        measure = "the score with replacing traces minus the score with accumulating traces"
        parts.append(Finding(value, not gains.any(), measure=measure, case=f"lambda {decay:g}"))
    is_same = all(each.answer for each in parts)
    said = f"accumulating and replacing traces {'give' if is_same else 'do not give'} the same scores"
    return together([Finding(said, is_same), *parts], is_same)


# The course of training runs.

POINTS_BESIDE = 4
"""A score at a mark is the mean over this number of points of the curve before the mark and after it."""
LOOKED_AT = 400
"""The number of games in which the features of weights that never settle are sampled."""
NEAR_THE_END = "the number of games until the score stays within two points of its final value"


def between(evidence: Evidence) -> tuple[int, int, int]:
    """Return the numbers of training games after the training stages 2 and 4, and a third number.

    The third number is half the width of the window in which scores are averaged, in training games.
    """
    marks = evidence.marks(OWN)
    return marks[EARLY], marks[LATE], POINTS_BESIDE * evidence.trainings(OWN)[0].configuration.every


@kept
def change_between(evidence: Evidence, training: Training, early: int, late: int, beside: int) -> float:
    """Return the change in the learned player's mean score against greedy1 from `early` to `late` training games.

    The score at `early` is the mean over all points of the learning curve that lie at most `beside` games from `early`.
    The score at `late` is computed in the same way.
    """
    before, after = (
        np.mean([point.score for point in training.points if abs(point.games - mark) <= beside])
        for mark in (early, late)
    )
    return float(after - before)


@kept
def enough(evidence: Evidence, training: Training) -> int:
    """Return the number of training games until the smoothed score stays within two points of its final value."""
    games = sorted({point.games for point in training.points})
    scores = [float(np.mean([point.score for point in training.points if point.games == each])) for each in games]
    return settled_from(games, scores)


@kept
def mean_swing(evidence: Evidence, training: Training) -> float:
    """Return the mean range (largest minus smallest value) of the weights in the last quarter of the training games."""
    return float(swings(evidence.learned(training), training.configuration.games // 4).mean())


@kept
def far_from_printed(evidence: Evidence, training: Training) -> float:
    """Return the distance between the final and the published weights, divided by the norm of the published weights."""
    return float(away(evidence.learned(training).weights))


@kept
def swings_of(
    evidence: Evidence, trainings: tuple[Training, ...], games: int
) -> tuple[list[WeightSwing], float, float]:
    """Measure how much each weight varies at the end of training, and return the fields of a `Settling`."""
    found = settling(*(each.run.path for each in trainings), games=games, seed=SEED)
    return found.rows, found.with_inflation, found.with_frequency


def settled(evidence: Evidence) -> Settling:
    """Measure how much each weight still varies at the end of petteia's training runs."""
    return Settling(*swings_of(evidence, tuple(evidence.trainings(OWN)), LOOKED_AT))


def enough_against(opponent: str) -> Figure:
    """Return the number of training games against `opponent` until the score stays near its final value."""
    return of_each(NEAR_THE_END, COUNT, Setting(OPPONENTS, {"opponent": opponent}, seat=0), enough)


def mean_alpha(evidence: Evidence, setting: Setting) -> float:
    """Return the mean step size over the last quarter of the training games."""
    games = evidence.trainings(setting)[0].configuration.games
    last = games // 4
    return float(schedule(setting.values["alpha"], "alpha").over(games - last, last, games).mean())


def swing_of(setting: Setting) -> Figure:
    """Return the mean range (largest minus smallest value) of the weights in the last quarter of the training games."""
    return of_each("", Unit(".3f", minimum=0.0), setting, mean_swing)


def far(setting: Setting) -> Figure:
    """Return the distance between the final and the published weights, divided by the norm of the published weights."""
    return of_each("the distance from the original weights", Unit(".0%", minimum=0.0), setting, far_from_printed)


CHANGE = of_each(
    "the change in the mean score as first and second player",
    *(POINTS, OWN, lambda evidence, each: change_between(evidence, each, *between(evidence))),
)
ENOUGH = of_each(NEAR_THE_END, COUNT, OWN, enough)

# The effect of a weight that never settles, measured with this weight set to 0 or to its mean.

ABLATED = 1000
"""The number of games that the player with a changed weight plays."""
CHANGES = ("set to 0", "set to its mean")
FIELDS = {"score": POINTS, "regret": Unit("+.3f", " stones")}
"""The measures and units: the score in both seats against greedy1 from random openings, and the regret in endings."""


@kept
def without(evidence: Evidence, training: Training, weight: str, change: str) -> dict[str, float]:
    """Measure the score and regret of the learned player after one of its final weights is set to 0 or to its mean.

    `weight` is the name of the weight. If `weight` is empty, no weight is changed. `change` is `set to 0` or `set to
    its mean`.
    """
    learned, rules = evidence.learned(training), evidence.rules
    weights = learned.weights.copy()
    if weight:
        late = learned.history[learned.history_games >= learned.games - learned.games // LAST_SHARE]
        number = weight_names(evidence).index(weight)
        weights[number] = 0.0 if change == CHANGES[0] else late[:, number].mean()
    who, other = by_weights(evidence, weights), player(GREEDY["greedy1"], rules)
    score = match(rules, who, other, games=ABLATED, openings="random:2", seed=SEED).score
    return {"score": score, "regret": regret_in(endings(evidence), who).mean}


def gain(field: str, weight: str, change: str) -> Figure:
    """Return, for each training run, the change in score or regret if a weight is set to 0 or to its mean."""

    def of(evidence: Evidence) -> Values | Interval:
        changes = [
            without(evidence, each, weight, change)[field] - without(evidence, each, "", "")[field]
            for each in evidence.trainings(OWN)
        ]
        return changes if any(changes) else certain(0.0)  # the same games: the weight has no effect

    return Figure(f"the change in theta1's {field}", FIELDS[field], of, f"weight of {plain(weight)}, {change}")


# Direct search for weights.

GENERATIONS = 3100


class KeptGeneration(NamedTuple):
    """A generation of the direct search for weights, with lists instead of arrays, so that it can be saved."""

    mean: list[float]
    deviation: list[float]
    best: float
    elite: float


@kept
def direct(evidence: Evidence, start: Training, generations: int) -> tuple[list[Interval], int, list[float]]:
    """Search for good weights by the cross-entropy method. An interrupted search resumes at the last saved generation.

    Returns:
        A tuple with three elements:

        - the shares of games that the player with the found weights wins, as first and as second player
        - the number of games that the search plays
        - the mean score of the best weight vectors in each generation

    """
    journal, steps = evidence.work.steps(f"{generations}-generations", KeptGeneration)
    known = [Generation(np.array(each.mean), np.array(each.deviation), *each[2:]) for each in steps]
    numbers = count(len(known) + 1)

    def progress(each: Generation) -> None:
        journal.append([each._asdict() | {"mean": each.mean.tolist(), "deviation": each.deviation.tolist()}])
        evidence.work.on_progress(next(numbers), generations, "direct search for weights, generations")

    found = direct_search(
        *(evidence.rules, "report"),
        opponent=GREEDY["greedy1"],
        generations=generations,
        weights=evidence.learned(start).weights,
        seed=SEED,
        jobs=evidence.work.jobs,
        done=known,
        progress=progress,
    )
    return [found.first, found.second], found.games, found.curve


def searched(evidence: Evidence) -> tuple[list[Interval], int, list[float]]:
    """Return the result of the direct search, which starts from the final weights of the first training run."""
    return direct(evidence, evidence.trainings(OWN)[0], GENERATIONS)


DEPENDS = (settled_from, swings, away, settling, regret_in, direct_search)
"""The functions by which the saved results of this module are computed."""
