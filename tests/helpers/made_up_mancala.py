"""Made-up figures of the open questions of report M, from which its words and files are made."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from importlib import resources
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from flat_options import made_settings

from petteia.analysis.direct_search import DirectSearch
from petteia.analysis.settling import Settling, WeightSwing
from petteia.arena.regret import Regret
from petteia.arena.statistics import Interval
from petteia.experiments.declaration import Combination
from petteia.experiments.results import CellResult, ExperimentResult
from petteia.learned.report_weights import report_weights
from petteia.reports.engine.claims import judge_all
from petteia.reports.engine.page import filled
from petteia.reports.mancala import behaviour
from petteia.reports.mancala.ablation import AS_LEARNED, CHANGES, Without, key_of
from petteia.reports.mancala.behaviour import Shares
from petteia.reports.mancala.beyond import Beyond, Board, Duel, Step
from petteia.reports.mancala.course import Course
from petteia.reports.mancala.duels import AVERAGING, CHAIN, DRAWS, ENDS, GAMES, LOWER, OPTIONS, STRONGER, WEIGHTS, WORTH
from petteia.reports.mancala.open_claims import CLAIMS
from petteia.reports.mancala.open_questions import BEYOND, names, search_chart
from petteia.reports.mancala.plan import DEPTHS, SEAT_NAMES
from petteia.reports.mancala.published import SWINGING
from petteia.reports.mancala.questions import (
    AGAINST,
    LOWER_EXPLORED,
    QUESTIONS,
    TRACES,
    compare,
)

Scores = tuple[float, ...]


def cell(values: Mapping[str, Any], side: int, *, greedy1: Shares, greedy3: Scores) -> CellResult:
    """A combination with such scores of its seeds against the two opponents."""
    runs = [{AGAINST["greedy1"]: one, AGAINST["greedy3"]: three} for one, three in zip(greedy1, greedy3, strict=True)]
    plan: Any = None
    return CellResult(plan, Combination(dict(values), {}), side, [], runs)


def made_up(*cells: CellResult) -> ExperimentResult:
    plan: Any = None
    return ExperimentResult(Path(), plan, [*cells])


def swept(variants: Mapping[Any, Scores], name: str = "alpha") -> ExperimentResult:
    """Variants with the same scores in both seats and against both opponents."""
    return made_up(
        *(
            cell({name: value}, side, greedy1=scores, greedy3=scores)
            for value, scores in variants.items()
            for side in (0, 1)
        )
    )


STEADY = (0.59, 0.6, 0.61)
UP, DOWN, ASTRAY = (
    tuple(a + b for a, b in zip(STEADY, off, strict=True))
    for off in ((0.2, 0.19, 0.21), (-0.1, -0.09, -0.11), (0.1, -0.2, 0))
)


def traces(replacing: Scores, accumulating: Scores = STEADY) -> ExperimentResult:
    kinds = {"accumulating": accumulating, "replacing": replacing, "dutch": replacing}
    return made_up(
        *(
            cell({"lambda_": fading, "traces": kind}, side, greedy1=scores, greedy3=scores)
            for fading in (0.15, 0.8)
            for kind, scores in kinds.items()
            for side in (0, 1)
        )
    )


def training(scores: list[float], marks: tuple[int, ...] = (), every: int = 10) -> Any:
    """A training with these scores in both seats, at points as far apart as `every`."""
    points = [
        SimpleNamespace(games=every * number, side=side, score=score + (0.1 if side else -0.1))
        for number, score in enumerate(scores, 1)
        for side in (0, 1)
    ]
    configuration = made_settings(marks=marks, every=every)
    return SimpleNamespace(points=points, configuration=configuration)


def judged(name: str, mean: float = 0.5) -> Regret:
    interval = {"low": mean - 0.1, "high": mean + 0.1, "perfect_share": 0.75}
    given_away = {"largest": 3, "won": 50, "wins_given_away": 2.0, "given_away": 5.0}
    asked = {"game": "kalah", "seat": "both", "over": "reachable", "against": None, "games": None, "notes": ()}
    return Regret(player=name, positions=100, mean=mean, **interval, **given_away, **asked)


def share(mean: float, half: float = 0.02) -> Interval:
    return Interval(mean, mean - half, mean + half)


LOWER_VARIANTS = {
    (opponent, explored): f"opponent {opponent}, learn_explored {str(explored).lower()}"
    for opponent in ("self:every=10000", "self")
    for explored in (False, True)
}


def always_lower() -> ExperimentResult:
    """Learners that are always lower: one side, four variants."""
    return made_up(
        *(
            cell(
                {"opponent": opponent, "learn_explored": explored},
                0,
                greedy1=UP if explored else STEADY,
                greedy3=STEADY,
            )
            for opponent, explored in LOWER_VARIANTS
        )
    )


SEEDS = tuple(0.002 * number for number in range(-6, 7))
"""what each of thirteen seeds scores more than the mean"""


def played(seeds: Sequence[float] = SEEDS, **means: float) -> list[Duel]:
    """All matches; `means` are mean scores by variant, or variant and depth, as in `report3`; else 0.1."""

    def score(variant: str, depth: int, off: float) -> float:
        last = variant.split(" ")[-1].rpartition("+")[2]
        return means.get(f"{last}{depth}", means.get(last, 0.1)) + off

    def duel(question: str, variant: str, depth: int, opponent: str, seat: str) -> Iterator[Duel]:
        for seed, off in enumerate(seeds, 1):
            won = score(variant, depth, off + 0.001 * off * (len(variant) + depth))
            yield Duel(question, variant, seed, depth, opponent, seat, GAMES[question], 6 + seed, won, won)

    wanted = [(AVERAGING, weights, 1, "greedy:depth=1", seat) for weights in WEIGHTS for seat in SEAT_NAMES]
    wanted += [
        (ENDS, variant, depth, f"greedy:depth={depth}", seat)
        for variant in OPTIONS
        for depth in DEPTHS
        for seat in SEAT_NAMES
    ]
    wanted += [
        (DRAWS, worth, depth, f"greedy:depth={depth}", seat)
        for worth in WORTH
        for depth in DEPTHS
        for seat in SEAT_NAMES
    ]
    wanted += [(CHAIN, name, depth, "heuristic", "second") for name in STRONGER for depth in DEPTHS]
    wanted += [
        (LOWER, variant, 1, f"greedy:depth={depth}", "second")
        for variant in LOWER_VARIANTS.values()
        for depth in (1, 3)
    ]
    return [each for one in wanted for each in duel(*one)]


def seeds(mean: float, off: float = 0.01) -> list[float]:
    """A figure of five seeds, scattered about its mean."""
    return [mean - off, mean, mean + off, mean - off / 2.0, mean + off / 2.0]


def treated(**shares: float | None) -> list[Shares]:
    """How players of five seeds treat their opponents; shares scatter a little."""
    usual: Shares = {"won": 0.8, "drawn": 0.05, "starved": 0.3, "was_starved": 0.1, "stuffed": 0.25, "was_stuffed": 0.5}
    whole = {**usual, "stuffing": 0.2, "drawn_value": 0.1, "won_starving": 0.9, **shares}
    return [{name: share and share + off for name, share in whole.items()} for off in (-0.01, 0.0, 0.01, -0.005, 0.005)]


def taught(games: float) -> dict[str, list[float]]:
    """Games until the score of five seeds is near its end: those, with greedy2 first, and 40,000 against itself."""
    known = {"greedy:depth=2 for 20000, then self": games, "self": 40_000.0}
    return {f"opponent {name}": seeds(mean, 500.0) for name, mean in known.items()}


def robbed(loss: float = 0.0, of: str = "constant") -> dict[str, list[Without]]:
    """What players of five seeds come to without weights: the same, but for a loss without one of them."""
    cases = [AS_LEARNED, *((name, how) for name in SWINGING for how in CHANGES)]
    return {
        key_of(name, how): [
            Without(score - (loss if name == of else 0.0) + 0.001 * number * (len(name) % 3), 0.5)
            for number, score in enumerate(seeds(0.8))
        ]
        for name, how in cases
    }


WEAKER = Course(
    100,
    400,
    40,
    [-0.05, -0.06, -0.04],
    [(0, 200, seeds(0.1)), (0, 400, seeds(0.2)), (1, 200, seeds(0.3))],
    [30_000, 20_000, 25_000],
)
FALLING = [Step("0.01", 0.01, seeds(0.2)), Step("0.01..0.0001", 0.001, seeds(0.05))]


def all_found(**changes: Any) -> Beyond:
    """Everything, made up."""
    results = {each: swept({0.1: STEADY, 0.2: UP}) for each in QUESTIONS}
    results |= {TRACES: traces(UP), LOWER_EXPLORED: always_lower()}
    whole = Beyond(
        experiments=results,
        compared={name: compare(result) for name, result in results.items()},
        settling=Settling([WeightSwing(f"feature {i}", 1.0 / i, 0.25, 1e6) for i in range(1, 13)], 0.5, -0.5),
        nearness={"either <side>": seeds(0.1), "lower": seeds(0.35)},
        steps=FALLING,
        course=WEAKER,
        duels=played(),
        treatment=treated(),
        by_chance=treated()[1],
        enough=taught(20_000.0),
        without=robbed(),
        watched=behaviour.Course(2000, Interval(0.01, 0.005, 0.02), 9, 0.3),
        direct=DirectSearch(report_weights(), share(0.97), share(0.95), 600, 7_200_000, [0.8, 0.9]),
        boards=[Board("Kalah(4, 3)", "many positions", [judged("random"), judged("theta1, seed 1", 0.2)])],
    )
    return whole._replace(**changes)


def page_of(**changes: Any) -> str:
    """The part of the page about what was left open."""
    whole = all_found(**changes)
    template = (resources.files(BEYOND.package) / BEYOND.template).read_text(encoding="utf-8")
    return filled(template, names(whole), whole, judge_all(CLAIMS, whole, "all"), {"search": search_chart(whole)})


def text_of(**changes: Any) -> str:
    """Its text, without tags."""
    return re.sub(r"\s+", " ", re.sub(r"<svg.*?</svg>|<[^>]*>", " ", page_of(**changes), flags=re.DOTALL))
