"""How much work an experiment is, and how it goes on."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from typing import NamedTuple

from petteia.core.errors import PetteiaError

MAX_RUNS, MAX_GAMES = 1000, 10**9
"""more than that is asked about; so many games take a fast machine a quarter of an hour"""
STOPPED = "the work is saved; the same command goes on"

Progress = Callable[[int, int, str], None]
"""Called with the games played, those wanted in all, and a word on how it stands."""


def silent(done: int, wanted: int, note: str) -> None:
    """Tell nobody how it goes on."""


class Size(NamedTuple):
    """How much work an experiment is."""

    runs: int
    """the number of trainings"""
    learning: int
    """games of learning"""
    evaluation: int
    """games without learning"""

    @property
    def is_large(self) -> bool:
        """Whether somebody should be asked first."""
        return self.runs > MAX_RUNS or self.learning + self.evaluation > MAX_GAMES

    def __str__(self) -> str:
        if self.runs == 0:
            return f"{self.evaluation:,} games"
        games = f"{self.learning:,} games to learn from and {self.evaluation:,} of evaluation"
        return f"{self.runs:,} trainings, {games}"


def check_figures() -> None:
    """Raise a PetteiaError if there is no matplotlib, before the work that ends with figures."""
    if importlib.util.find_spec("matplotlib") is None:
        raise PetteiaError("figures need matplotlib; install it with: pip install 'petteia[plot]'")
