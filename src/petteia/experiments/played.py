"""Read runs in which a player learned a table while playing (`petteia play ... --keep NAME`).

The settings of a run that a player saved while it played (option `keep`) contain neither schedules nor opponents. This
module reads the schedules and opponents from the journal of the games.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from petteia.arena.statistics import score_interval
from petteia.core.errors import UsageError
from petteia.experiments.options import EvaluationGames
from petteia.experiments.settings import BETWEEN
from petteia.experiments.stages import Stage
from petteia.experiments.table_settings import TableSettings
from petteia.experiments.trainer import Point
from petteia.learn.learners import TableLearner
from petteia.learn.schedules import Schedule
from petteia.players.kept import KIND, PlayedGame, PlaySettings, read_games
from petteia.records.runs import Run
from petteia.records.weights import games_learned
from petteia.value_functions.table_file import KIND as TABLE

WINDOW = 20
"""the maximum number of latest games from which a point of the curve is computed"""
NOBODY = "nobody"


@dataclass(frozen=True, kw_only=True)
class PlayedSettings(TableSettings):
    """The settings of a run in which a player learned while playing (option `keep`)."""

    kind = KIND

    played: tuple[PlayedGame, ...]
    """the games in the order of play"""

    @property
    def name(self) -> str:
        """The name of the learner."""
        return f"{self.learner.target}-played"

    @property
    def stages(self) -> list[Stage]:
        """The stages of the run, in order. A stage is a series of games against the same opponent."""
        return [Stage(*each) for each in _stretches([each.against for each in self.played] or [NOBODY])]

    @property
    def players(self) -> tuple[str, ...]:
        """The opponents that are needed to resume the run: an empty tuple, because the run cannot be resumed."""
        return ()

    @property
    def against(self) -> str:
        """The names of the opponents."""
        return self.opponent

    def points(self) -> list[Point]:
        """The points of the learning curve, one after each game.

        A point contains the mean score of the last `WINDOW` games, or of all games if fewer games have been played.
        """
        return [self._point(number) for number in range(1, len(self.played) + 1)]

    def _point(self, number: int) -> Point:
        results = np.array([each.result for each in self.played[max(0, number - WINDOW) : number]])
        wins, draws, losses = (int((results == result).sum()) for result in (1, 0, -1))
        interval = score_interval((results + 1.0) / 2.0)
        return Point(number, wins, draws, losses, *interval, self.played[number - 1].states, self.seats[0])

    def __str__(self) -> str:
        learner = self.learner
        begins = "" if learner.weights is None else f", begins with {learner.weights}"
        return (
            f"{learner.target} while playing {self.opponent}, side {self.side}, alpha {learner.alpha}, "
            f"gamma {learner.gamma}, epsilon {learner.epsilon}{begins}"
        )


def read_played(run: Run) -> PlayedSettings:
    """Read the settings of a run in which a player learned while playing. Raises InvalidError if the run is damaged."""
    settings = run.configuration(PlaySettings)
    saved = games_learned(run.weights, TABLE) if run.weights.exists() else 0
    games = tuple(read_games(run)[:saved])
    met = [each.against for each in games] or [NOBODY]
    return PlayedSettings(
        played=games,
        learner=TableLearner(
            alpha=_schedule([each.alpha for each in games]),
            gamma=_schedule([each.gamma for each in games]),
            epsilon=_schedule([each.epsilon for each in games]),
            weights=settings.agent,
        ),
        weights_hash="",
        opponent=" and ".join(dict.fromkeys(met)),
        opponent_hashes=("",) * len(list(_stretches(met))),
        side=settings.side,
        games=len(met),
        position=BETWEEN.join(dict.fromkeys(each.position for each in games)),
        evaluation=EvaluationGames(every=1, games=WINDOW, against=NOBODY),
        evaluate_against_hash="",
    )


def only_playing(run: Run) -> UsageError:
    """Return the error for an attempt to resume a run in which a player learned while playing."""
    play = f"petteia play {shlex.quote(run.description.game)} --against q:alpha=0.1 --keep {run.name}"
    return UsageError(f"{run.path}: the run was made by playing; to continue the run, play again: {play}")


def _schedule(values: list[float]) -> str:
    """Return the schedule, as a string, of a parameter that has the value `values[i]` in game `i`."""
    steps = [(0, values[0] if values else 0.0)]
    steps += [(game, value) for game, value in enumerate(values) if value != values[game - 1] and game]
    return str(Schedule(*zip(*steps, strict=True)))


def _stretches(names: list[str]) -> Iterator[tuple[str, int]]:
    """Group equal consecutive names, and yield the name of each group and the index after its last element."""
    end = 0
    for name, group in groupby(names):
        end += len(list(group))
        yield name, end
