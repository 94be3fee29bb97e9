"""The amount of work of an experiment, and its progress."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from typing import NamedTuple

from petteia.core.errors import PetteiaError

MAX_RUNS, MAX_GAMES = 1000, 10**9
"""the numbers of training runs and of games above which an experiment needs a confirmation; a fast machine plays this
number of games in a quarter of an hour"""
STOPPED = "the work is saved; the same command continues it"

Progress = Callable[[int, int, str], None]
"""a function called with the games played, the total number of games, and a status text"""


def silent(done: int, wanted: int, note: str) -> None:
    """Do nothing. This is the default value of the argument `progress`."""


class Size(NamedTuple):
    """The numbers of training runs and games of an experiment."""

    runs: int
    """the number of training runs"""
    learning: int
    """the number of training games"""
    evaluation: int
    """the number of evaluation games"""

    @property
    def is_large(self) -> bool:
        """Whether the experiment is so large that the user must confirm it."""
        return self.runs > MAX_RUNS or self.learning + self.evaluation > MAX_GAMES

    def __str__(self) -> str:
        if self.runs == 0:
            return f"{self.evaluation:,} games"
        games = f"{self.learning:,} training games and {self.evaluation:,} evaluation games"
        return f"{self.runs:,} training runs, {games}"


def check_figures() -> None:
    """Raise a PetteiaError if matplotlib, which draws the figures of an experiment, is missing."""
    if importlib.util.find_spec("matplotlib") is None:
        raise PetteiaError("figures need matplotlib; install it with: pip install 'petteia[plot]'")
