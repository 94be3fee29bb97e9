"""One engine for all matches of reports: each is declared as data and noted in a journal, so that work can go on.

Players are named by their text forms, in which the runs of agents are relative to the folder of the work: what is noted
is the same wherever the report is made. The random numbers of a match come from what it is called, so they do not
depend on what was played before.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any, Literal, NamedTuple

from petteia.arena.match import match
from petteia.arena.statistics import Interval
from petteia.core.interrupt import InterruptLater
from petteia.core.protocol import Rules
from petteia.experiments.tournament.matches import Cell, read_cell
from petteia.experiments.work import STOPPED
from petteia.players import Player, player
from petteia.records.journal import Journal
from petteia.records.lock import locked
from petteia.reports.engine.estimates import certain
from petteia.reports.engine.settings import NO_OPENING
from petteia.reports.engine.work import Work

JOURNAL = "matches"
FIGURES = ("games", "wins", "draws", "losses", "score", "low", "high", "distinct")
"""of a match, in files"""
CONDITIONS = ("openings", "seats")
"""of a match, which its row has besides"""
AGENT = "agent=("
WITHOUT_CHANCE = frozenset({"heuristic", "simple"})
"""players that never draw lots, by their text forms"""


class Pairing(NamedTuple):
    """A match that is wanted."""

    first: str
    """text form of a player"""
    second: str
    games: int
    openings: str = NO_OPENING
    seats: Literal["fixed", "both"] = "fixed"
    """`fixed`: the first-named is always player 0"""

    @property
    def seed(self) -> int:
        """Where its random numbers begin."""
        return int.from_bytes(hashlib.sha256(repr(tuple(self)).encode()).digest()[:8]) >> 2


def seated(player: str, opponent: str, seat: int, games: int) -> Pairing:
    """A match in which `player` sits in this seat."""
    return Pairing(*((player, opponent) if seat == 0 else (opponent, player)), games)


class Matches:
    """All matches of a journal played so far, those of an earlier sitting included; of one game."""

    def __init__(self, work: Work, rules: Rules, journal: str = JOURNAL) -> None:
        self.work, self.rules = work, rules
        self._journal = Journal(work.folder / f"{journal}.jsonl", f"{journal}.jsonl")
        self._players: dict[str, Player] = {}
        self._played: dict[Pairing, Cell] = {}
        for number, row in enumerate(self._journal.read(), 1):
            conditions = [str(row.pop(name, "")) for name in CONDITIONS]
            cell = read_cell(self._journal, number, row)
            self._played[Pairing._make((cell.row, cell.column, cell.games, *conditions))] = cell

    def __getitem__(self, pairing: Pairing) -> Cell:
        """What came of a match; KeyError if it was not played."""
        return self._played[pairing]

    def play(self, pairings: Iterable[Pairing], words: str = "matches") -> None:
        """Play all of these that were not played; KeyboardInterrupt, with the work saved, if somebody wants that."""
        wanted = list(dict.fromkeys(pairings))
        total, done = sum(pairing.games for pairing in wanted), 0
        for number, pairing in enumerate(wanted, 1):
            if pairing not in self._played:
                self._noted(pairing)
            done += pairing.games
            self.work.on_progress(done, total, f"{number} of {len(wanted)} {words}")

    def _noted(self, pairing: Pairing) -> Cell:
        """Play a match, and note it."""
        with locked(self.work.folder), InterruptLater() as interrupt:
            self._played[pairing] = cell = self._play(pairing)
            conditions = {name: getattr(pairing, name) for name in CONDITIONS}
            self._journal.append([{**cell._asdict(), **conditions}])
            if interrupt.requested:
                raise KeyboardInterrupt(STOPPED)
        return cell

    def _play(self, pairing: Pairing) -> Cell:
        result = match(
            *(self.rules, self._player(pairing.first), self._player(pairing.second)),
            games=pairing.games,
            openings=pairing.openings,
            seats=pairing.seats,
            seed=pairing.seed,
            jobs=self.work.jobs,
        )
        figures = {name: getattr(result, name) for name in Cell._fields if name in result._fields}
        return Cell(row=pairing.first, column=pairing.second, seed=pairing.seed, **figures)

    def _player(self, text: str) -> Player:
        """The player, whose weights are read once."""
        if text not in self._players:
            self._players[text] = player(text.replace(AGENT, f"{AGENT}{self.work.folder}/"), self.rules)
        return self._players[text]


def turned(cell: Cell, seat: int) -> Cell:
    """A match as who sat in this seat sees it."""
    return cell if seat == 0 else cell.turned


def is_one_game(cell: Cell) -> bool:
    """Whether a match from the start is one game, again and again, as neither player draws lots.

    Where somebody draws lots, games that turn out the same are as good evidence as others.
    """
    return cell.distinct == 1 and {cell.row, cell.column} <= WITHOUT_CHANCE


def score_of(cell: Cell) -> Interval:
    """The score of a match with its interval; what is one game for certain has none."""
    return certain(cell.score) if is_one_game(cell) else Interval(cell.score, cell.low, cell.high)


def figures_of(cell: Cell) -> dict[str, Any]:
    """The figures of a match, as columns."""
    return {name: getattr(cell, name) for name in FIGURES}
