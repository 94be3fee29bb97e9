"""The small tournament, played once."""

from __future__ import annotations

import pytest
from small_experiments import written
from small_tournaments import SMALL

from petteia.experiments.experiment import experiment
from petteia.experiments.tournament.results import TournamentResult


@pytest.fixture(scope="session")
def small_tournament(tmp_path_factory: pytest.TempPathFactory) -> TournamentResult:
    """What it left; tests must not change it."""
    folder = tmp_path_factory.mktemp("made")
    return experiment(written(folder, SMALL), folder=folder)
