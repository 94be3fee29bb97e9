"""Matches of the report, each noted in a journal, so that the work goes on wherever it was stopped.

Players are named by their text forms, in which the runs of agents are relative to the folder of the experiments: what
is noted is the same wherever the report is made. The random numbers of a match come from what it is called, so they do
not depend on what was played before.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Literal, NamedTuple

from petteia.arena.match import match
from petteia.core.errors import InvalidError
from petteia.core.interrupt import InterruptLater
from petteia.core.protocol import Rules
from petteia.experiments.tournament.results import Cell
from petteia.experiments.training import Training
from petteia.experiments.work import STOPPED
from petteia.players import Player, player
from petteia.records.journal import Journal
from petteia.records.lock import locked

JOURNAL = "matches.jsonl"
AGENT = "agent=("

Tell = Callable[[int, int, str], None]


class Bout(NamedTuple):
    """A match that is wanted."""

    first: str
    """text form of a player"""
    second: str
    games: int
    openings: str = "none"
    seats: Literal["fixed", "both"] = "fixed"
    """`fixed`: the first-named is always player 0"""

    @property
    def seed(self) -> int:
        """Where its random numbers begin."""
        return int.from_bytes(hashlib.sha256(repr(tuple(self)).encode()).digest()[:8]) >> 2


def theta(training: Training, depth: int = 1, at: int | None = None) -> str:
    """The player that searches so deep with what was learned: at the end, or around so many games."""
    place = "/".join(training.run.path.parts[-3:])
    deep = f",depth={depth}" if depth > 1 else ""  # who plays whole turns takes no depth
    return f"theta:{AGENT}{place}){deep}" + (f",at={at}" if at is not None else "")


class Matches:
    """All matches played so far, those of an earlier sitting included.

    The journal holds a line for each; a match that stands there is not played again.
    """

    def __init__(self, folder: Path, rules: Rules, jobs: int) -> None:
        self.folder, self.rules, self.jobs = folder, rules, jobs
        self._journal = Journal(folder / JOURNAL)
        self._players: dict[str, Player] = {}
        self._played: dict[Bout, Cell] = {}
        for row in self._journal.read():
            try:
                openings, seats = row.pop("openings"), row.pop("seats")
                cell = Cell(**row)
            except (KeyError, TypeError) as error:
                raise InvalidError(
                    f"{self._journal.path}: is damaged: a line is not that of a match ({error})"
                ) from None
            self._played[Bout(cell.row, cell.column, cell.games, openings, seats)] = cell

    def __contains__(self, bout: Bout) -> bool:
        """Whether it was played."""
        return bout in self._played

    def __getitem__(self, bout: Bout) -> Cell:
        """What came of a match; KeyError if it was not played."""
        return self._played[bout]

    def play(self, bouts: Iterable[Bout], tell: Tell) -> None:
        """Play all of these that were not played; KeyboardInterrupt, with the work saved, if somebody wants that."""
        wanted = list(dict.fromkeys(bouts))
        total, done = sum(bout.games for bout in wanted), 0
        with locked(self.folder), InterruptLater() as interrupt:
            for number, bout in enumerate(wanted):
                if bout not in self._played:
                    self._played[bout] = cell = self._play(bout)
                    self._journal.append([{**cell._asdict(), "openings": bout.openings, "seats": bout.seats}])
                done += bout.games
                tell(done, total, f"{number + 1} of {len(wanted)} matches")
                if interrupt.requested:
                    raise KeyboardInterrupt(STOPPED)

    def _play(self, bout: Bout) -> Cell:
        result = match(
            *(self.rules, self._player(bout.first), self._player(bout.second)),
            games=bout.games,
            openings=bout.openings,
            seats=bout.seats,
            seed=bout.seed,
            jobs=self.jobs,
        )
        figures = {name: getattr(result, name) for name in Cell._fields if name in result._fields}
        return Cell(row=bout.first, column=bout.second, seed=bout.seed, **figures)

    def _player(self, text: str) -> Player:
        """The player, whose weights are read once."""
        if text not in self._players:
            self._players[text] = player(text.replace(AGENT, f"{AGENT}{self.folder}/"), self.rules)
        return self._players[text]
