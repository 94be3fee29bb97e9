"""The evidence of a report: its training runs by setting, its matches, and its saved results."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Literal

import numpy as np

from petteia.arena.match import match as play
from petteia.core.arrays import Floats
from petteia.experiments.experiment import Result
from petteia.experiments.linear_settings import LinearSettings
from petteia.experiments.results import CellResult, ExperimentResult
from petteia.experiments.tournament.matches import Cell
from petteia.experiments.tournament.play import code_of_play
from petteia.experiments.tournament.results import TournamentResult, TournamentTable
from petteia.experiments.tournament.tournament import tournament
from petteia.experiments.training import Training
from petteia.games import game as rules_of
from petteia.players import Player as RealPlayer
from petteia.players import player
from petteia.provenance.reach import digest_of
from petteia.records.files import make_folder
from petteia.reports.engine.cells import Judged, turned
from petteia.reports.engine.kept import Memory, kept
from petteia.reports.engine.outcome import Scale
from petteia.reports.engine.round_robins import CONDITIONS, RoundRobin
from petteia.reports.engine.settings import Agent, Match, Player, Setting, Size
from petteia.reports.engine.work import ROUND_ROBINS, Work
from petteia.value_functions.linear_file import LearnedWeights, load_linear

AGENT = "agent=("
Seats = Literal["both", "fixed"]


class Evidence(Memory):
    """The results of a report, by which its claims are judged and which its page shows."""

    def __init__(self, game_text: str, work: Work, results: dict[str, Result], scale: Scale | None = None) -> None:
        """Store the results of a report for a scale; by default, for the scale of the experiments."""
        super().__init__(work)
        self.game, self.rules, self.scale = game_text, rules_of(game_text), scale or work.scale
        self.experiments = {name: each for name, each in results.items() if isinstance(each, ExperimentResult)}
        self.tournaments = {name: each for name, each in results.items() if isinstance(each, TournamentResult)}
        self.tables: dict[str, Judged] = {}
        """The judged tables of matches, by name."""
        self._round_robins: dict[str, TournamentTable] = {}
        self._players: dict[tuple[str, str], RealPlayer] = {}
        self._weights: dict[Path, LearnedWeights] = {}

    # Training runs.

    @property
    def is_judged(self) -> bool:
        """Whether training runs are as long as in the original report, so that results can be compared."""
        return self.work.scale == "paper"

    @property
    def seeds(self) -> int:
        """The number of training seeds of the first experiment; 0 if there is no experiment."""
        first = next(iter(self.experiments.values()), None)
        return len(first.cells[0].trainings) if first else 0

    @property
    def all_trainings(self) -> list[Training]:
        """All training runs of the report, without duplicates."""
        cells = (cell for result in self.experiments.values() for cell in result.cells)
        return list({training.run.path: training for cell in cells for training in cell.trainings}.values())

    def size(self, number: int | Size) -> int:
        """Return `number` itself, or if it is a `Size`, its value at this scale."""
        return number if isinstance(number, int) else number.at(self.scale)

    def cell(self, setting: Setting) -> CellResult:
        """Return the training runs of a setting, with their learning curves."""
        (cell,) = (
            each
            for each in self.experiments[setting.experiment].cells
            if setting.seat in (None, each.side) and setting.values.items() <= each.combination.values.items()
        )
        return cell

    def trainings(self, setting: Setting) -> list[Training]:
        """Return the training runs of a setting, in the order of the seeds."""
        trainings = self.cell(setting).trainings
        maximum = len(self.experiments[setting.paired_with].cells[0].trainings) if setting.paired_with else None
        return trainings[:maximum]

    def learned(self, training: Training) -> LearnedWeights:
        """Return the weights of a training run, with their history."""
        path = training.run.weights
        if path not in self._weights:
            self._weights[path] = load_linear(path, self.rules)
        return self._weights[path]

    def weights(self, setting: Setting) -> Floats:
        """Return the last weights of the training runs, float64[trainings, weights]."""
        return np.array([self.learned(each).weights for each in self.trainings(setting)])

    def marks(self, setting: Setting) -> list[int]:
        """Return the checkpoints: the numbers of games around which the training runs of a setting saved weights.

        The last checkpoint is the number of games at the end of the training runs.
        """
        settings = self.trainings(setting)[0].configuration
        assert isinstance(settings, LinearSettings)
        return [*settings.learner.marks, settings.games]

    # Players and matches.

    def texts(self, who: Player) -> list[str]:
        """Return all text forms of a player: one for each training run of an agent, otherwise a single one.

        The paths of runs are relative to the folder of the work.
        """
        if isinstance(who, str):
            return [who]
        trainings = self.trainings(who.setting)
        mark = "" if who.mark is None else f"at={self.marks(who.setting)[who.mark]}"
        options = "".join(f",{each}" for each in (who.options, mark) if each)
        return [f"{who.algorithm}:{AGENT}{self.work.place_of(each)}){options}" for each in trainings]

    def player(self, text: str, game_text: str = "") -> RealPlayer:
        """Create the player that a text form describes, or return it if it was created before.

        The paths of runs are relative to the folder of the work.
        """
        known = text, game_text or self.game
        if known not in self._players:
            self._players[known] = player(text.replace(AGENT, f"{AGENT}{self.work.folder}/"), rules_of(known[1]))
        return self._players[known]

    def cells(self, asked: Match) -> list[Cell]:
        """Play a match, and return its results from the perspective of its subject.

        If a player has learned, there is one result for each of its training runs, otherwise a single result.
        """
        seats: Seats = "both" if asked.seat is None else "fixed"
        players = (asked.opponent, asked.subject) if asked.seat == 1 else (asked.subject, asked.opponent)
        count = min((len(self.trainings(each.setting)) for each in asked.agents), default=1)
        first, second = (self.texts(each)[:count] if isinstance(each, Agent) else [each] * count for each in players)
        seat = int(asked.is_turned) if asked.seat is None else asked.seat
        rules, games = asked.game or self.game, self.size(asked.games)
        return [
            turned(match(self, rules, *pair, games, asked.openings, seats), seat)
            for pair in zip(first, second, strict=True)
        ]

    def round_robin(self, asked: RoundRobin) -> TournamentTable:
        """Play a round robin, and save each block of its games.

        Saved games of a round robin are used again until the code that plays the games changes.
        """
        games, players = self.size(asked.games), [*asked.players.values()]
        conditions = {name: getattr(asked, name) for name in CONDITIONS}
        words = repr((players, games, *conditions.values()))
        if words not in self._round_robins:
            code = code_of_play(self.rules, asked.openings, [self.player(each) for each in players])
            folder = self.work.folder.parent / ROUND_ROBINS
            make_folder(folder, within=folder.parent)
            self._round_robins[words] = tournament(
                self.rules,
                players,
                games=games,
                **conditions,
                jobs=self.work.jobs,
                folder=folder / digest_of({**code, "asked": words})[:8],
                progress=self.work.on_progress,
            )
        return self._round_robins[words]


@kept
def match(evidence: Evidence, game: str, first: str, second: str, games: int, openings: str, seats: Seats) -> Cell:
    """Play a match. Its seed depends only on its players and conditions, not on earlier matches."""
    seed = int.from_bytes(hashlib.sha256(repr((first, second, games, openings, seats)).encode()).digest()[:8]) >> 2
    players, jobs = (evidence.player(text, game) for text in (first, second)), evidence.work.jobs
    found = play(rules_of(game), *players, games=games, openings=openings, seats=seats, seed=seed, jobs=jobs)
    figures = {name: getattr(found, name) for name in Cell._fields if name in found._fields}
    return Cell(row=first, column=second, seed=seed, **figures)
