"""A player that learns while it plays. Its table is saved in a run folder: `petteia play ... --keep NAME`.

The kind of the run is `play`. The configuration of the run contains the seat of the learner and the initial agent. The
run's journal has a row for each game, with the learning parameters of the game. The weights file contains the learner's
table after the last finished game. Unfinished games are not saved.
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
    """The run in which a learning player is saved: its name and its parent folder."""

    name: str
    """the name of the run, or the path of its folder"""
    runs: Path
    """the folder of runs"""


class PlaySettings(BaseModel):
    """The configuration of a run of the kind `play`, in which a player learns while it plays."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    side: int = Field(ge=0, le=1)
    """the seat of the learner"""
    agent: str | None
    """the run or weights file with the initial table; None for an empty table"""


class PlayedGame(NamedTuple):
    """A row of the journal: a game from which the player has learned."""

    game: int
    """the number of the game, from 1"""
    against: str
    """the name of the opponent"""
    alpha: float
    """the learning rate"""
    gamma: float
    """the discount factor"""
    epsilon: float
    """the probability of a random move"""
    seed: int
    """the seed of the game"""
    position: str
    """the start position of the game, as text"""
    result: Literal[-1, 0, 1]
    """1 if the learner won, 0 for a draw, -1 if it lost"""
    reason: Literal["over", "max-plies", "resigned"]
    """the reason for the end of the game"""
    plies: int
    """the number of plies played"""
    states: int
    """the number of rows in the table after the game"""


_GAME = TypeAdapter(PlayedGame)


def read_games(run: Run) -> list[PlayedGame]:
    """Read the journal of a run of the kind `play`: one row for each game. Raises InvalidError if it is damaged."""
    games = []
    for number, row in enumerate(run.journal.read(), 1):
        try:
            game = _GAME.validate_python(row, strict=True)
        except ValidationError:
            game = None
        if game is None or game.game != number:
            raise InvalidError(
                f"{run.journal.path}, line {number}: damaged; it must contain game {number} of a run made by playing"
            )
        games.append(game)
    return games


class KeptPlayer(LearningPlayer):
    """A learning player whose table is saved in a run folder after each game."""

    is_kept: bool
    """whether the player has learned from its last game and was saved"""

    def __init__(self, learned: LearnedTable, name: str, rates: Rates, keep: Keep, agent: str | None) -> None:
        """Create a player with the table `learned`, which was loaded from `agent`.

        `keep` names the run in which the player is saved. If the run already exists, `open` replaces `learned` by the
        table of the run.
        """
        super().__init__(learned, name, rates)
        self._keep, self._agent = keep, agent
        self._held = ExitStack()
        self._run: Run | None = None
        self._games, self.is_kept = 0, False

    def open(self, rules: Rules, side: int, *, against: str, seed: int, position: str) -> None:
        """Open the run in which the player is saved, or check that a new run can be created.

        `side` is the seat of the player. Until `close` is called, only this process can write to an opened run.

        The name of the opponent (`against`), the seed of the game (`seed`) and its start position (`position`) are
        stored in the next row of the journal.

        Raises:
            UsageError: the run is not of the kind `play`, or was begun with another seat or another agent. Also raised
                if the name of the run cannot be the name of a folder
            InvalidError: the run is damaged, or was created with other rules or other code
            PetteiaError: another process writes to the run, or the run cannot be written

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
                raise InvalidError(
                    f"{run.weights}: the table does not match the {self._games:,} games of this run; {PUT_BACK}"
                )
            self._table = learned.table
        self.notice = f"player {self.name}: continues the run {run.path} after game {self._games:,}"

    def end_game(self, state: State) -> None:
        """Do nothing, because the method `keep` learns from the result of the game."""

    def keep(self, outcome: Outcome) -> None:
        """Learn from the result of the game, and save the table to the run. A game that ended by a fault is ignored.

        Raises PetteiaError if the run cannot be written. The run then keeps its previous table.
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
        """Release the lock of the run."""
        self._held.close()

    def finish(self) -> str | None:
        """Release the lock of the run, and report whether the last game was saved."""
        self.close()
        if not self.is_kept or self._run is None:
            return f"the game was not played to its end, so the run {self._keep.name} does not learn from the game"
        return f"{self.name} has learned from this game, which is game {self._games} of the run {self._run.path}"

    def _hold(self, run: Run) -> Run:
        """Lock the run, start its timer, and check that its files are complete and belong together."""
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
        """Raise an error if this player cannot continue the run."""
        rules = self._rules
        kind, game = run.description.kind, run.description.game
        keep = argument("keep", "keep", "--keep")
        if kind != KIND:
            begin = f"{ANEW}, and use agent={run.path} to start with its table"
            raise UsageError(
                f"{keep} {self._keep.name}: {run.path} is a run of kind {kind!r}, but only a run made by playing "
                f"can be continued; {begin}"
            )
        settings = run.configuration(PlaySettings)
        if game != format_game(rules):
            raise InvalidError(f"{run.path}: the run learned to play {game}, not {format_game(rules)}; {ANEW}")
        run.check_same_code(rules, _code, anew=ANEW)
        if settings.side != side:
            learned, asked = seats(rules)[settings.side], seats(rules)[side]
            raise UsageError(
                f"{keep} {self._keep.name}: {run.path} learned to play as {learned}, not as {asked}; {ANEW}"
            )
        if self._agent not in (None, settings.agent):
            raise UsageError(
                f"player {self.name}: the run {run.path} already has a table; omit option agent, or {ANEW}"
            )


def open_kept(players: Sequence[Player], rules: Rules, *, seed: int, position: str) -> None:
    """Open the run of each `KeptPlayer` in `players`. Raises the same errors as `KeptPlayer.open`."""
    for side, each in enumerate(players):
        if isinstance(each, KeptPlayer):
            each.open(rules, side, against=players[1 - side].name, seed=seed, position=position)


def keep_learner(players: Sequence[Player], outcome: Outcome) -> None:
    """Let each `KeptPlayer` learn from the game and save its table. Raises the same errors as `KeptPlayer.keep`."""
    for each in players:
        if isinstance(each, KeptPlayer):
            each.keep(outcome)


def check_unkept(players: Sequence[Player]) -> None:
    """Raise a UsageError if a player has learned from the end of the game. Then the moves can no longer be undone."""
    if any(isinstance(each, KeptPlayer) and each.is_kept for each in players):
        raise UsageError(
            "undo: a player has already learned from the finished game, so no move can be undone; start a new game"
        )


def _code() -> Parts:
    return dependencies(LearningPlayer)
