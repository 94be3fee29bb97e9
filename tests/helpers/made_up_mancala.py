"""Made-up figures of the open questions of report M, from which its words and files are made."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from flat_options import made_settings

from petteia.analysis.settling import WeightSwing
from petteia.arena.regret import Regret
from petteia.arena.statistics import Interval
from petteia.experiments.declaration import Combination
from petteia.experiments.results import CellResult, ExperimentResult
from petteia.experiments.tournament.matches import Cell
from petteia.reports.engine.claims import judge_all
from petteia.reports.engine.declaration import Page
from petteia.reports.engine.settings import Agent, Match, Setting
from petteia.reports.mancala import boards
from petteia.reports.mancala.behaviour import Shares
from petteia.reports.mancala.open_questions import BEYOND, CLAIMS, names, search_chart
from petteia.reports.mancala.questions import AGAINST, LOWER_EXPLORED, OPPONENTS, QUESTIONS, STARTER, STEPS, TRACES
from petteia.value_functions.report_weights import REPORT_RULES

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
    """A training run with these scores in both seats, at points as far apart as `every`."""
    points = [
        SimpleNamespace(games=every * number, side=side, score=score + (0.1 if side else -0.1))
        for number, score in enumerate(scores, 1)
        for side in (0, 1)
    ]
    configuration = made_settings(marks=marks, every=every)
    return SimpleNamespace(points=points, configuration=configuration)


def always_lower() -> ExperimentResult:
    """Learners that are always lower: one side, four variants."""
    learners = [{"opponent": one, "learn_explored": so} for one in ("self:every=10", "self") for so in (False, True)]
    return made_up(
        *(
            cell(
                each,
                0,
                greedy1=UP if each["learn_explored"] else STEADY,
                greedy3=STEADY,
            )
            for each in learners
        )
    )


OFF = (-0.01, 0.0, 0.01, -0.005, 0.005)
"""by how much each of five seeds is off the mean"""
TREATED = {
    "won": 0.8,
    "drawn": 0.05,
    "starved": 0.3,
    "was_starved": 0.1,
    "stuffed": 0.25,
    "was_stuffed": 0.5,
    "stuffing": 0.2,
    "drawn_value": 0.1,
}
RESTLESS = [WeightSwing(f"feature {i}", 1.0 / i, 0.25, 1e6) for i in range(1, 13)]


def share(mean: float, half: float = 0.02) -> Interval:
    return Interval(mean, mean - half, mean + half)


class Found:
    """Evidence of all that was left open, made up: five seeds that scatter about the means that are given.

    `scores`: of the learned player by option, of the `standard` one, of the `taught` one and by features; else 0.1. All
    else is called as the functions are whose results are kept.
    """

    def __init__(self, **changes: Any) -> None:
        made: dict[str, Any] = {
            "experiments": {
                **{each: swept({0.1: STEADY, 0.2: UP}) for each in QUESTIONS},
                STARTER: swept({"<side>": STEADY, "lower": UP}, "opponent"),
                STEPS: swept({"0.01": STEADY, "0.01..0.0001": UP}),
                OPPONENTS: swept({"self": STEADY, "greedy:depth=2 for 20000, then self": UP}, "opponent"),
                TRACES: traces(UP),
                LOWER_EXPLORED: always_lower(),
            },
            "seeds": 5,
            "scores": {},
            "swings_of": (RESTLESS, 0.5, -0.5),
            "far_from_printed": {"<side>": 0.1, "lower": 0.35},
            "mean_swing": {"0.01": 0.2, "0.01..0.0001": 0.05},
            "change_between": (-0.05, -0.06, -0.04, -0.05, -0.05),
            "enough": {"greedy:depth=2 for 20000, then self": 20_000.0, "self": 40_000.0},
            "treatment": {},
            "without": lambda weight: 0.0,
            "watched": {"long_chains": 0.01, "low": 0.005, "high": 0.02},
            "lengths_of_games": (30.0, 40.0),
            "direct": ([share(0.97), share(0.95)], 7_200_000, [0.8, 0.9]),
        }
        self.made = made | changes
        self.experiments, self.seeds = self.made["experiments"], self.made["seeds"]
        self.rules, self.is_judged = REPORT_RULES, True
        self.work = SimpleNamespace(place_of=lambda training: f"run {training.number}")

    def trainings(self, setting: Setting) -> list[Any]:
        configuration = made_settings(games=1000, every=10)
        return [
            SimpleNamespace(number=number, values=setting.values, off=OFF[number], configuration=configuration)
            for number in range(self.seeds)
        ]

    def marks(self, setting: Setting) -> list[int]:
        return [10, 100, 200, 400, 500]

    def cells(self, match: Match) -> list[Cell]:
        """As its subject sees it."""
        assert isinstance(match.subject, Agent)
        option = match.subject.options.rpartition(",")[2]
        explored = match.subject.setting.values.get("learn_explored")
        name = option if "=" in option and "depth" not in option else "taught" if explored else "standard"
        name = match.subject.setting.values.get("features", name)
        score = self.made["scores"].get(name, 0.1)
        return [made_cell(score + 0.1 * (1.0 + 0.1 * len(repr(match))) * off) for off in OFF[: self.seeds]]

    def rows(self) -> dict[str, Any]:
        return {"regret": [{"player": "random"}]}

    def recall(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
        """What was made up of a function whose results are kept."""
        name = function.__name__
        if name in ("swings_of", "direct", "watched"):
            return self.made[name]
        found: Any = getattr(self, f"_{name}")(*arguments)
        return found

    def _far_from_printed(self, training: Any) -> float:
        return float(self.made["far_from_printed"][training.values["opponent"]] + training.off)

    def _mean_swing(self, training: Any) -> float:
        return float(self.made["mean_swing"][training.values["alpha"]] + training.off)

    def _change_between(self, training: Any, *marks: int) -> float:
        return float(self.made["change_between"][training.number])

    def _enough(self, training: Any) -> int:
        known = self.made["enough"].get(training.values.get("opponent"), 25_000)
        return int(known + 100_000 * training.off)

    def _lengths_of_games(self, training: Any, when: str) -> tuple[float, float]:
        until_decided, whole = self.made["lengths_of_games"]
        return until_decided + 10 * training.off, whole

    def _treatment(self, training: Any, games: int) -> Shares:
        return {name: each and each + training.off for name, each in (TREATED | self.made["treatment"]).items()}

    def _treatment_by_chance(self, games: int) -> Shares:
        return dict(TREATED)

    def _without(self, training: Any, weight: str, how: str) -> dict[str, float]:
        noise = 0.1 * training.off * (len(weight) % 3)
        return {"score": 0.8 - self.made["without"](weight) + noise, "regret": 0.5}

    def _facts(self, game: str, sample: int) -> tuple[int, int, int]:
        return 1_000_000, 3, sample

    def _regret(self, game: str, player: str) -> Regret:
        return regret(player, 0.2 + 0.001 * len(player))


def made_cell(score: float, distinct: int = 80) -> Cell:
    wins: Any = 80 * score
    return Cell("theta", "greedy", 80, wins, 0, 80 - wins, score, score, score, (0, 0, 0), distinct, 0)


def regret(name: str, mean: float = 0.5, **others: float) -> Regret:
    figures = {"perfect_share": 0.75, "results_lost": 5.0, "low": mean - 0.1, "high": mean + 0.1} | others
    fixed: dict[str, Any] = {"largest": 3, "won": 50, "wins_lost": 2.0}
    asked: dict[str, Any] = {"game": "kalah", "seat": "both", "over": "reachable", "against": None, "games": None}
    return Regret(player=name, positions=100, mean=mean, notes=(), **figures, **fixed, **asked)


def page_of(**changes: Any) -> str:
    """The part of the page about what was left open."""
    whole: Any = Found(**changes)
    with patch.object(boards, "small_trainings", lambda evidence, game: evidence.trainings(Setting("small"))):
        known = {"evidence": whole, **names(whole)}
        charts = {"search": search_chart(whole)}
        return Page(whole, judge_all(CLAIMS, whole, "all"), charts, BEYOND.tables).filled(BEYOND.template, known)


def text_of(**changes: Any) -> str:
    """Its text, without tags."""
    return re.sub(r"\s+", " ", re.sub(r"<svg.*?</svg>|<[^>]*>", " ", page_of(**changes), flags=re.DOTALL))
