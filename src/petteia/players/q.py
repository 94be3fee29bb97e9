"""Players by a learned table of values of state and move: `q:agent=RUN`.

As it is, `q` plays the move of largest value. With any of epsilon, alpha and gamma given, it goes on learning from the
games it plays, by the same step as `petteia.learn.tabular`, and saves what it has learned to a new file at the end.
"""

from __future__ import annotations

import dataclasses
import math
from pathlib import Path
from typing import NamedTuple

import numpy as np

from petteia.core.decision import Decision, Limit
from petteia.core.errors import InvalidError, UsageError
from petteia.core.protocol import Rules, State, is_over, key, limits, moves
from petteia.core.random import RandomState, below, uniform
from petteia.games import format_game
from petteia.learn.tabular import largest, move_towards, reward
from petteia.players.player import Player, PolicyPlayer, scratch
from petteia.policies.policy import Work
from petteia.policies.table import (
    EMPTY,
    Table,
    TablePolicy,
    best_index,
    filled_table,
    find,
    find_or_add,
    rows,
    with_room,
)
from petteia.records.fingerprint import fingerprint
from petteia.records.runs import DESCRIPTION, open_run
from petteia.records.weights import load_weights, save_weights

KIND = "table"
Q_OPTIONS = {
    "agent": "a run, or a weights file",
    "epsilon": "probability of a random move, 0..1 (0 if another of the three is given)",
    "alpha": "learning rate, 0..1 (0.1 if another of the three is given)",
    "gamma": "worth of a value one step later, 0..1 (0.9 if another of the three is given)",
    "save": "the new file for what it learns; otherwise one is named after the agent",
}
DEFAULTS = {"epsilon": 0.0, "alpha": 0.1, "gamma": 0.9}


class Agent(NamedTuple):
    """What was learned, and for what."""

    path: Path
    """the weights file"""
    table: Table
    side: int
    """the seat it has learned to play"""
    games: int
    """games it has learned from"""
    fingerprint: str
    """of the rules"""


def load_agent(where: str, rules: Rules) -> Agent:
    """The agent in the run or weights file `where`.

    Raises NotFoundError if there is none, InvalidError if it is damaged or was made for other rules.
    """
    path = Path(where)
    if not path.is_file():
        path = open_run(where).weights
    weights = load_weights(path, KIND)
    if weights.game != format_game(rules):
        raise InvalidError(f"{path}: was learned for {weights.game}, not for {format_game(rules)}")
    expected = fingerprint(rules)
    if weights.metadata.get("fingerprint") != expected:
        raise InvalidError(f"{path}: the rules of {weights.game} have changed since it was learned; learn again")
    side, games = weights.metadata.get("side"), weights.metadata.get("games", "")
    keys, values = weights.tensors.get("keys"), weights.tensors.get("values")
    if side not in ("0", "1") or not games.isdecimal() or keys is None or values is None:
        raise InvalidError(f"{path}: is not a whole table: side, games, keys or values are missing")
    if keys.dtype != np.int64 or values.dtype != np.float64 or values.shape != (*keys.shape, limits(rules).moves):
        raise InvalidError(
            f"{path}: keys are {keys.dtype}{list(keys.shape)} and values {values.dtype}{list(values.shape)}; "
            f"they must be int64[rows] and float64[rows, {limits(rules).moves}]"
        )
    return Agent(path, filled_table(keys, values), int(side), int(games), expected)


class TablePlayer(PolicyPlayer):
    """Plays by a table, and tells what it knows about the moves."""

    def __init__(self, policy: TablePolicy, name: str, seats: tuple[int, ...]) -> None:
        super().__init__(policy, name, seats)
        self._table = policy.table

    def choose(self, state: State, limit: Limit) -> Decision:
        """The policy's move, with the values of all."""
        decision = super().choose(state, limit)
        row = find(self._table, key(self._rules, state))
        if row == EMPTY:
            return decision
        sign = 1.0 if self.seats == (0,) else -1.0
        count = moves(self._rules, state, self._work.moves)
        values = {int(self._work.moves[i]): sign * float(self._table.values[row, i]) for i in range(count)}
        return dataclasses.replace(decision, value=values[decision.move], values=values)


class LearningPlayer(Player):
    """Plays by a table and learns from each of its moves when it is to move again, or the game has ended."""

    independent = False
    _rules: Rules
    _random: RandomState
    _work: Work

    def __init__(self, agent: Agent, name: str, rates: dict[str, float], save: Path) -> None:
        self.name = name
        self.seats = (agent.side,)
        self._agent = agent
        self._table = agent.table
        self._epsilon, self._alpha, self._gamma = rates["epsilon"], rates["alpha"], rates["gamma"]
        self._save = save
        self._games = 0
        self._row, self._action = EMPTY, 0

    def new_game(self, rules: Rules, seed: int) -> None:
        """Begin again; a last move without a result is forgotten."""
        self._rules, self._random, self._work = rules, [seed], scratch(rules)
        self._row = EMPTY

    def choose(self, state: State, limit: Limit) -> Decision:
        """Learn from the last move, and choose: with probability epsilon any move, else one of largest value."""
        count = moves(self._rules, state, self._work.moves)
        self._table = with_room(self._table, 1)
        here = find_or_add(self._table, key(self._rules, state))
        values = self._table.values[here]
        self._learn(self._gamma * float(largest(values, count)))
        explores = self._epsilon > 0.0 and uniform(self._random) < self._epsilon
        self._action = below(self._random, count) if explores else best_index(values, count, self._random)
        self._row = here
        return Decision(int(self._work.moves[self._action]))

    def end_game(self, state: State) -> None:
        """Learn from the last move: the reward, none if the game was stopped."""
        self._learn(reward(self._rules, state, self.seats[0]) if is_over(self._rules, state) else 0.0)
        self._row = EMPTY
        self._games += 1

    def _learn(self, target: float) -> None:
        if self._row != EMPTY:
            move_towards(self._table, self._row, self._action, self._alpha, target)

    def adviser(self) -> Player:
        """A player by what is known now."""
        return TablePlayer(TablePolicy(self._table), self.name, self.seats)

    def finish(self) -> str | None:
        """Save the table, if there were games."""
        if self._games == 0:
            return None
        keys, values = rows(self._table)
        metadata = {
            "side": str(self._agent.side),
            "fingerprint": self._agent.fingerprint,
            "games": str(self._agent.games + self._games),
        }
        path = free_name(self._save)
        save_weights(path, KIND, format_game(self._rules), {"keys": keys, "values": values}, metadata)
        games, self._games = self._games, 0
        return f"{self.name} has learned from {games} game{'s' if games > 1 else ''}; saved as {path}"


def free_name(path: Path) -> Path:
    """`path`, or with -2, -3, ... behind its stem if that is taken."""
    number, found = 1, path
    while found.exists():
        number += 1
        found = path.with_stem(f"{path.stem}-{number}")
    return found


def parse_q(options: dict[str, str], rules: Rules, name: str) -> Player:
    """The player with these options, see `Q_OPTIONS`."""
    if "agent" not in options:
        raise UsageError(f"player {name}: agent is missing: a run or a weights file, as in q:agent=RUN")
    given = {rate: _parse_rate(name, rate, options[rate]) for rate in DEFAULTS if rate in options}
    if "save" in options and not given:
        raise UsageError(
            f"player {name}: it saves only what it learns; give epsilon, alpha or gamma, or leave save out"
        )
    save = Path(options["save"]) if "save" in options else None
    if save is not None and save.exists():
        raise UsageError(f"player {name}: save={save}: is there already; name a new file")
    if save is not None and not save.parent.is_dir():
        raise UsageError(f"player {name}: save={save}: there is no folder {save.parent}; make it first")
    agent = load_agent(options["agent"], rules)
    if not given:
        return TablePlayer(TablePolicy(agent.table), name, (agent.side,))
    return LearningPlayer(agent, name, DEFAULTS | given, save or _beside(agent.path))


def _beside(path: Path) -> Path:
    """A name for the new file: beside the weights file, or beside the folder of its run, which stays as it is."""
    if (path.parent / DESCRIPTION).exists():
        return path.parent.with_name(f"{path.parent.name}-played.safetensors")
    return path.with_stem(f"{path.stem}-played")


def _parse_rate(name: str, rate: str, text: str) -> float:
    try:
        value = float(text)
        if not (math.isfinite(value) and 0.0 <= value <= 1.0):
            raise ValueError
    except ValueError:
        raise UsageError(f"player {name}: {rate}={text}: must be a number in 0..1") from None
    return value
