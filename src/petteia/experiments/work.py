"""How much work an experiment is, and how it goes on."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

MOST_RUNS, MOST_GAMES = 1000, 10**9
"""more than that is asked about; so many games take a fast machine a quarter of an hour"""
STOPPED = "the work is saved; the same command goes on"

Progress = Callable[[int, int, str], None]
"""Called with the games played, those wanted in all, and a word on how it stands."""


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
        return self.runs > MOST_RUNS or self.learning + self.evaluation > MOST_GAMES

    def __str__(self) -> str:
        if self.runs == 0:
            return f"{self.evaluation:,} games"
        games = f"{self.learning:,} games to learn from and {self.evaluation:,} of evaluation"
        return f"{self.runs:,} trainings, {games}"
