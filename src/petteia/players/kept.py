"""A player that learns while it plays, and is kept in a run from game to game: `petteia play ... --keep NAME`.

The run is of kind `play`. Its configuration says which seat learns and which agent it began with; its journal has a row
for each game, with the parameters of that game; its weights are the table after the last game. A game that was not
finished leaves no trace in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from petteia.core.decision import FAULTS, Outcome
from petteia.core.errors import InvalidError, UsageError
from petteia.core.hints import argument
from petteia.core.names import format_game
from petteia.core.protocol import Rules, State, seats
from petteia.learn.targets import Rates
from petteia.players.by_table import LearningPlayer
from petteia.players.player import Player
from petteia.provenance.live import Parts
from petteia.provenance.reach import dependencies
from petteia.records.run_names import check_new_run
from petteia.records.runs import PUT_BACK, Run, create_run, find_run, open_run
from petteia.value_functions.table_file import LearnedTable, load_table, save_table

KIND = "play"
ANEW = "choose another name"


class Keep(NamedTuple):
    """The run in which what is learned is kept."""

    name: str
    """its name, or the path of its folder"""
    runs: Path
    """the folder of runs"""


class PlaySettings(BaseModel):
    """The configuration of a run of kind `play`."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    side: int = Field(ge=0, le=1)
    """the seat that learns"""
    agent: str | None
    """the run or weights file whose table it began with; None: it began with an empty one"""


class PlayedGame(NamedTuple):
    """A game that was played and learned from: a row of the journal."""

    game: int
    """its number, from 1"""
    against: str
    """the name of the other player"""
    alpha: float
    """learning rate"""
    gamma: float
    """worth of a value one step later"""
    epsilon: float
    """probability of a random move"""
    seed: int
    """of the random numbers of the game"""
    position: str
    """where it began"""
    result: Literal[-1, 0, 1]
    """1 if the learner has won, 0 for a draw, -1 if it has lost"""
    reason: Literal["over", "max-plies", "resigned"]
    """why the game ended"""
    plies: int
    """the number of plies played"""
    states: int
    """rows in the table after it"""


_GAME = TypeAdapter(PlayedGame)


def read_games(run: Run) -> list[PlayedGame]:
    """The games in the journal of a run of kind `play`; InvalidError if it is damaged."""
    games = []
    for number, row in enumerate(run.journal.read(), 1):
        try:
            game = _GAME.validate_python(row, strict=True)
        except ValidationError:
            game = None
        if game is None or game.game != number:
            raise InvalidError(f"{run.journal.path}, line {number}: is not game {number} of a run of games played")
        games.append(game)
    return games


class KeptPlayer(LearningPlayer):
    """A player that learns, and saves what it has learned after each game to the run in which it is kept."""

    is_kept: bool
    """whether it has learned from its game, and was saved"""

    def __init__(self, learned: LearnedTable, name: str, rates: Rates, keep: Keep, agent: str | None) -> None:
        """A player that begins with what was `learned` by `agent`, its text, unless the run is there already."""
        super().__init__(learned, name, rates)
        self._keep, self._agent = keep, agent
        self._held = ExitStack()
        self._run: Run | None = None
        self._games, self.is_kept = 0, False

    def open(self, rules: Rules, side: int, *, against: str, seed: int, position: str) -> None:
        """Go on with the run, in this seat, or begin a new one; no other process writes to it before `close`.

        The rest is of the game that follows, as in `PlayedGame`.

        Raises:
            UsageError: it is of another kind, seat or agent; or its name cannot be that of a folder
            InvalidError: it is damaged, of other rules, or its code has changed
            PetteiaError: another process writes to it, or it cannot be written

        """
        self._rules, self.seats = rules, (side,)
        self._game = {"against": against, "seed": seed, "position": position}
        found = find_run(self._keep.name, self._keep.runs)
        if found is None:
            check_new_run(self._keep.runs, self._keep.name)
            return
        run = open_run(found)
        self._check(run, side)
        self._hold(run)
        read_games(run)
        self._games = run.rewind()
        if run.weights.exists():
            learned = load_table(run.weights, rules)
            if (learned.games, learned.seats) != (self._games, self.seats):
                raise InvalidError(f"{run.weights}: is not of the {self._games:,} games of this run; {PUT_BACK}")
            self._table = learned.table
        self.notice = f"player {self.name}: goes on with {run.path}, after game {self._games:,}"

    def end_game(self, state: State) -> None:
        """Wait to be told by `keep` how the game has ended."""

    def keep(self, outcome: Outcome) -> None:
        """Learn how the game ended, and save it; not if it ended by a fault.

        Raises PetteiaError if it cannot be written; then the run is as it was before the game.
        """
        if outcome.reason in FAULTS:
            return
        side = self.seats[0]
        result = 0 if outcome.winner is None else 1 if outcome.winner == side else -1
        self.learn_from_end(float(result))
        alpha, epsilon, gamma = self._rates
        row = {
            "game": self._games + 1,
            "alpha": alpha,
            "gamma": gamma,
            "epsilon": epsilon,
            **self._game,
            "result": result,
            "reason": outcome.reason,
            "plies": outcome.plies,
            "states": int(self._table.used[0]),
        }
        run = self._run or self._hold(self._new_run())
        run.journal.append([row])
        self._games, self.is_kept = self._games + 1, True
        save_table(run.weights, self._rules, LearnedTable(self._table, self.seats, self._games), run.place)

    def close(self) -> None:
        """Let other processes write to the run."""
        self._held.close()

    def finish(self) -> str | None:
        """Let other processes write to the run; returns whether the game is in it."""
        self.close()
        if not self.is_kept or self._run is None:
            return f"the game was not played to its end, so {self._keep.name} does not learn from it"
        return f"{self.name} has learned from the game, number {self._games} in {self._run.path}"

    def _hold(self, run: Run) -> Run:
        """Take the lock of the run, and let its times go on."""
        with ExitStack() as stack:
            stack.enter_context(run.locked())
            stack.enter_context(run.timed())
            run.check()
            self._held = stack.pop_all()
        self._run = run
        return run

    def _new_run(self) -> Run:
        settings = PlaySettings(side=self.seats[0], agent=self._agent).model_dump()
        return create_run(self._keep.runs, KIND, self._rules, settings, {}, code=_code(), name=self._keep.name)

    def _check(self, run: Run, side: int) -> None:
        """Raise an error unless this player can go on with the run."""
        rules = self._rules
        kind, game = run.description.kind, run.description.game
        keep = argument("keep", "keep", "--keep")
        if kind != KIND:
            begin = f"{ANEW}, and begin with it by agent={run.path}"
            raise UsageError(
                f"{keep} {self._keep.name}: {run.path} is a run of kind {kind!r}, not of games played; {begin}"
            )
        settings = run.configuration(PlaySettings)
        if game != format_game(rules):
            raise InvalidError(f"{run.path}: was learned for {game}, not for {format_game(rules)}; {ANEW}")
        run.check_same_code(rules, _code, anew=ANEW)
        if settings.side != side:
            learned, asked = seats(rules)[settings.side], seats(rules)[side]
            raise UsageError(f"{keep} {self._keep.name}: {run.path} has learned to play {learned}, not {asked}; {ANEW}")
        if self._agent not in (None, settings.agent):
            raise UsageError(f"player {self.name}: {run.path} has a table of its own; leave agent out, or {ANEW}")


def open_kept(players: Sequence[Player], rules: Rules, *, seed: int, position: str) -> None:
    """A game between these begins: open the run of the one that is kept, if there is one; errors as of `open`."""
    for side, each in enumerate(players):
        if isinstance(each, KeptPlayer):
            each.open(rules, side, against=players[1 - side].name, seed=seed, position=position)


def keep_learner(players: Sequence[Player], outcome: Outcome) -> None:
    """The game between these has ended: save the one that is kept, if there is one; errors as of `keep`."""
    for each in players:
        if isinstance(each, KeptPlayer):
            each.keep(outcome)


def check_unkept(players: Sequence[Player]) -> None:
    """Raise a UsageError if one of these has learned from the end of their game, so that it cannot be taken back."""
    if any(isinstance(each, KeptPlayer) and each.is_kept for each in players):
        raise UsageError("undo: a player has learned from the end of the game, and was saved; begin another game")


def _code() -> Parts:
    return dependencies(LearningPlayer)
