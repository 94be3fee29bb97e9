"""Evidence of the report on Mancala that is made up: scores of matches, and weights of which one swings."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import product
from types import SimpleNamespace
from typing import Any

import numpy as np
from flat_options import made_settings

from petteia.experiments.tournament.matches import Cell
from petteia.reports.engine.evidence import turned
from petteia.reports.engine.settings import Agent, Match, Player, Setting
from petteia.reports.mancala.plan import (
    BASELINES,
    BASIC,
    CHAINS,
    LOWER,
    OPENED,
    OPENING,
    PROGRESS,
    READINGS,
    SEAT_NAMES,
    TABLES,
    text_of,
)
from petteia.value_functions.report_weights import REPORT_RULES

SEEDS = 10
NOISE = np.random.default_rng(1).uniform(-0.01, 0.01, SEEDS)
PRINTED = {("own1@5", "first"): 0.91, ("own1@5", "second"): 0.89}
BY_EVERY = {("every1@5", "first"): 0.91, ("every1@5", "second"): 0.89}
"""what the report prints of theta1 against greedy1, as come to by each of two readings"""


def cell(row: str, column: str, score: float, distinct: int = 100) -> Cell:
    wins = round(10_000 * min(max(score, 0.0), 1.0))
    share = wins / 10_000
    counts, interval, units = (wins, 0, 10_000 - wins), (share - 0.02, share + 0.02), (10_000 - wins, 0, wins)
    return Cell(row, column, 10_000, *counts, share, *interval, units, distinct, 0)


def kind_of(setting: Setting) -> str:
    """What the training runs of a setting are called."""
    side, treatment = (setting.values.get(name) for name in ("side", "treatment"))
    named = {READINGS: "every" if side == "both" else "own", LOWER: f"lower-{side}", CHAINS: f"{CHAINS}-{treatment}"}
    return named.get(setting.experiment, setting.experiment)


def told(player: Player) -> str:
    """A player with its kind, depth and stage; or its text form."""
    if isinstance(player, str):
        return player
    return f"{kind_of(player.setting)}{depth_of(player)}@{5 if player.mark is None else player.mark + 1}"


def depth_of(player: Agent) -> str:
    found = re.search("depth=([0-9])", player.options)
    return found[1] if found else "1"


def named(player: Player) -> str:
    """A player as tables name it."""
    return player.replace(":depth=", "") if isinstance(player, str) else f"theta{depth_of(player)}"


class Made:
    """Evidence that is made up: `score` of a match by the names of its players, `weights` by experiment."""

    def __init__(self, score: Callable[[str, str], float], weights: Any = None, seeds: int = SEEDS) -> None:
        self.score, self.made_weights, self.seeds = score, weights, seeds
        self.rules, self.is_judged, self.tables = REPORT_RULES, True, dict[str, Any]()

    @property
    def tournaments(self) -> Any:
        cells = [cell(text_of(one), text_of(other), self.score(one, other)) for one, other in product(BASIC, repeat=2)]
        return {BASELINES: SimpleNamespace(cells=cells)}

    def marks(self, setting: Setting) -> list[int]:
        return [10, 20, 30, 40, 50]

    def trainings(self, setting: Setting) -> list[Any]:
        kind, settings = kind_of(setting), made_settings()
        return [SimpleNamespace(kind=kind, number=number, configuration=settings) for number in range(self.seeds)]

    def weights(self, setting: Setting) -> Any:
        return self.made_weights(setting.experiment)

    def learned(self, training: Any) -> Any:
        """Weights of which one swings by as much as `score` says of the kind of training."""
        history = np.zeros((100, 40))
        history[-1, 0] = self.score(training.kind, "swing") + NOISE[training.number]
        return SimpleNamespace(history=history, history_games=np.arange(1, 101), games=100, weights=history[-1])

    def cells(self, match: Match) -> list[Cell]:
        """As its subject sees it; each training run scatters a little."""
        seat = int(match.is_turned) if match.seat is None else match.seat
        players = (match.opponent, match.subject) if match.seat == 1 else (match.subject, match.opponent)
        noise = NOISE[: self.seeds] if match.agents else np.zeros(1)
        if match.games == PROGRESS:
            score = self.score(told(match.subject), SEAT_NAMES[seat])
            return [cell("theta", "greedy1", score + each) for each in noise]
        is_named = match.games == TABLES or (match.games, match.openings) == (OPENED, OPENING)
        names = [(named if is_named else told)(each) for each in players]
        sign = 1 if is_named or isinstance(players[0], Agent) else -1
        return [turned(cell(*names, self.score(*names) + sign * each), seat) for each in noise]


def scores(wanted: dict[tuple[str, str], float], rest: float = 0.5) -> Made:
    return Made(lambda first, second: wanted.get((first, second), rest))
