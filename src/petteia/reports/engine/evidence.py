"""The evidence of a report: its training runs, its matches and other saved results.

The results of functions marked `kept` (see `petteia.reports.engine.kept`) are saved in journals.
"""

from __future__ import annotations

import hashlib
import inspect
import json
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Literal, get_type_hints

import numpy as np

from petteia.arena.match import match as play
from petteia.core.arrays import Floats
from petteia.core.interrupt import InterruptLater
from petteia.experiments.experiment import Result
from petteia.experiments.linear_settings import LinearSettings
from petteia.experiments.results import CellResult, ExperimentResult
from petteia.experiments.tournament.matches import Cell
from petteia.experiments.tournament.play import code_of_play
from petteia.experiments.tournament.results import TournamentResult, TournamentTable
from petteia.experiments.tournament.tournament import tournament
from petteia.experiments.training import Training
from petteia.experiments.work import STOPPED
from petteia.games import game as rules_of
from petteia.players import Player as RealPlayer
from petteia.players import player
from petteia.provenance.reach import digest_of
from petteia.records.files import make_folder
from petteia.records.journal import Journal
from petteia.reports.engine.kept import kept
from petteia.reports.engine.printed import Judged
from petteia.reports.engine.round_robins import CONDITIONS, RoundRobin
from petteia.reports.engine.settings import Agent, Match, Player, Scale, Setting, Size
from petteia.reports.engine.work import ROUND_ROBINS, Work, typed
from petteia.value_functions.linear_file import LearnedWeights, load_linear

AGENT = "agent=("
Seats = Literal["both", "fixed"]


class Evidence:
    """The results of a report. The report tests its claims with these results, and shows them on its page."""

    def __init__(self, game_text: str, work: Work, results: dict[str, Result], scale: Scale | None = None) -> None:
        """Store the results of a report. `scale` is the size of the report: `quick`, `paper` or `all`.

        The default of `scale` is the size of the experiments.
        """
        self.game, self.rules = game_text, rules_of(game_text)
        self.work, self.scale = work, scale or work.scale
        self.experiments = {name: each for name, each in results.items() if isinstance(each, ExperimentResult)}
        self.tournaments = {name: each for name, each in results.items() if isinstance(each, TournamentResult)}
        self.tables: dict[str, Judged] = {}
        """The judged tables of matches, by name."""
        self._round_robins: dict[str, TournamentTable] = {}
        self._players: dict[tuple[str, str], RealPlayer] = {}
        self._weights: dict[Path, LearnedWeights] = {}
        self._journals: dict[Callable[..., Any], tuple[Journal, dict[str, Any]]] = {}
        self._asked: dict[Callable[..., Any], dict[str, Any]] = {}
        """The used results of each function marked `kept`, by their arguments as JSON."""

    # Training runs.

    @property
    def is_judged(self) -> bool:
        """Whether the training runs are as long as in the original report.

        If they are shorter, the printed results in tables with learned players are not judged.
        """
        return self.work.scale == "paper"

    @property
    def seeds(self) -> int:
        """The number of training seeds of the first experiment; 0 if there is no experiment."""
        first = next(iter(self.experiments.values()), None)
        return len(first.cells[0].trainings) if first else 0

    @property
    def all_trainings(self) -> list[Training]:
        """All training runs of the report, each of them once."""
        cells = (cell for result in self.experiments.values() for cell in result.cells)
        return list({training.run.path: training for cell in cells for training in cell.trainings}.values())

    def size(self, number: int | Size) -> int:
        """Return `number` if it is an integer. If it is a `Size`, return its value for the size of this report."""
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
        """Return the learned weights of a training run, with their history during training."""
        path = training.run.weights
        if path not in self._weights:
            self._weights[path] = load_linear(path, self.rules)
        return self._weights[path]

    def weights(self, setting: Setting) -> Floats:
        """Return the final weights of the training runs of a setting, float64[trainings, weights]."""
        return np.array([self.learned(each).weights for each in self.trainings(setting)])

    def marks(self, setting: Setting) -> list[int]:
        """Return the checkpoints of a setting's training runs: the numbers of games near which they saved weights.

        The last checkpoint is the total number of games of a training run.
        """
        settings = self.trainings(setting)[0].configuration
        assert isinstance(settings, LinearSettings)
        return [*settings.learner.marks, settings.games]

    # Players and matches.

    def texts(self, who: Player) -> list[str]:
        """Return the text forms of a player: one for each of its training runs if it has learned, otherwise only one.

        The paths of training runs in the text forms are relative to `work.folder`.
        """
        if isinstance(who, str):
            return [who]
        trainings = self.trainings(who.setting)
        mark = "" if who.mark is None else f"at={self.marks(who.setting)[who.mark]}"
        options = "".join(f",{each}" for each in (who.options, mark) if each)
        return [f"{who.algorithm}:{AGENT}{self.work.place_of(each)}){options}" for each in trainings]

    def player(self, text: str, game_text: str = "") -> RealPlayer:
        """Return the player that a text form describes. The same text form and rules always give the same object.

        The paths of training runs in the text form are relative to `work.folder`.
        """
        known = text, game_text or self.game
        if known not in self._players:
            self._players[known] = player(text.replace(AGENT, f"{AGENT}{self.work.folder}/"), rules_of(known[1]))
        return self._players[known]

    def cells(self, asked: Match) -> list[Cell]:
        """Play a match, and return its results from the perspective of its first-named player.

        If `asked.is_turned` is True, the perspective is that of the second-named player instead.

        If a player of the match has learned, there is one result for each of its training runs. Otherwise there is only
        one result.
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
        """Play a round robin and return its table of results. The games are saved block by block.

        Saved games of the same round robin are used again until the code that plays the games changes.
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

    # Saved results of functions marked `kept`.

    def recall(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
        """Return the result of a function for these arguments. A saved result is loaded instead of computed again."""
        return self.recall_all(function, [arguments])[0]

    def recall_all(self, function: Callable[..., Any], every: Sequence[tuple[Any, ...]]) -> Sequence[Any]:
        """Return the results of a function for several tuples of arguments. Saved results are loaded.

        Missing results are computed in several threads. Therefore the function must not use saved results of other
        functions.
        """
        function, keys = inspect.unwrap(function), [json.dumps([*map(self._written, given)]) for given in every]
        asked = self._asked.setdefault(function, {})
        new = {key: given for key, given in zip(keys, every, strict=True) if key not in asked}
        if new:
            journal, known = self._journal(function)
            self._compute(function, {key: given for key, given in new.items() if key not in known})
            kind = get_type_hints(function)["return"]
            asked.update((key, typed(known[key], kind, journal.path)) for key in new)
        return [asked[key] for key in keys]

    def rows(self) -> dict[str, list[dict[str, Any]]]:
        """Return rows of CSV files for all saved results that this report has used, by the name of their function.

        A row contains the arguments of one call and the fields of its result. Results that are not NamedTuples have no
        rows.
        """
        return {
            name_of(function): [
                dict(zip([*inspect.signature(function).parameters][1:], json.loads(key), strict=True))
                | _flat(result._asdict())
                for key, result in asked.items()
                if hasattr(result, "_asdict")
            ]
            for function, asked in self._asked.items()
        }

    def _journal(self, function: Callable[..., Any]) -> tuple[Journal, dict[str, Any]]:
        """Return the journal of a function, and a dictionary from arguments, as JSON, to saved results."""
        if function not in self._journals:
            journal = self.work.journal(f"{name_of(function)}.jsonl")
            known = {json.dumps(row.get("arguments")): row.get("result") for row in journal.read()}
            self._journals[function] = journal, known
        return self._journals[function]

    def _compute(self, function: Callable[..., Any], missing: Mapping[str, Sequence[Any]]) -> None:
        """Compute the missing results of a function, and save them in the order of `missing`.

        If several results are missing, they are computed in parallel threads. A single result is computed in the
        calling thread.
        """
        words, (journal, known) = name_of(function).replace("-", " "), self._journal(function)

        def computed(arguments: Sequence[Any]) -> Any:
            result = function(self, *arguments)
            return json.loads(json.dumps(result, allow_nan=False))  # as it is loaded: lists instead of tuples

        with InterruptLater() as interrupt, ThreadPoolExecutor(self.work.jobs) as pool:
            found = pool.map(computed, missing.values()) if len(missing) > 1 else map(computed, missing.values())
            for key, result in zip(missing, found, strict=True):
                journal.append([{"arguments": json.loads(key), "result": result}])
                known[key] = result
                self.work.on_progress(len(known), len(known), f"{words}: {len(known)} results")
                if interrupt.requested:
                    pool.shutdown(cancel_futures=True)
                    raise KeyboardInterrupt(STOPPED)

    def _written(self, argument: Any) -> Any:
        if isinstance(argument, Training):
            return self.work.place_of(argument)
        if isinstance(argument, tuple):
            return [self._written(each) for each in argument]
        return name_of(argument) if callable(argument) else argument


@kept
def match(evidence: Evidence, game: str, first: str, second: str, games: int, openings: str, seats: Seats) -> Cell:
    """Play a match and return its results. The seed of the match depends only on its players and conditions."""
    seed = int.from_bytes(hashlib.sha256(repr((first, second, games, openings, seats)).encode()).digest()[:8]) >> 2
    players, jobs = (evidence.player(text, game) for text in (first, second)), evidence.work.jobs
    found = play(rules_of(game), *players, games=games, openings=openings, seats=seats, seed=seed, jobs=jobs)
    figures = {name: getattr(found, name) for name in Cell._fields if name in found._fields}
    return Cell(row=first, column=second, seed=seed, **figures)


def turned(cell: Cell, seat: int) -> Cell:
    """Return the result of a match from the perspective of the player in the given seat."""
    return cell if seat == 0 else cell.turned


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row of data in which each field of a nested row has become a separate column."""
    found: dict[str, Any] = {}
    for name, value in row.items():
        inner = value._asdict() if hasattr(value, "_asdict") else value
        if isinstance(inner, dict):
            found |= {f"{name}_{key}": each for key, each in _flat(inner).items()}
        else:
            found[name] = inner
    return found


def name_of(function: Callable[..., Any]) -> str:
    """Return the name of a function with hyphens, as it is used in file names and on pages."""
    return function.__name__.replace("_", "-")
