"""Players by a learned table of values of state and move: `q:agent=RUN`.

As it is, `q` plays the move of largest value. With any of epsilon, alpha and gamma given, it goes on learning from the
games it plays, by the same step as `petteia.learn.tabular`, and saves what it has learned to a new file at the end.
"""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Annotated, NamedTuple

import numpy as np

from petteia.core.decision import Decision, Limit
from petteia.core.errors import UsageError
from petteia.core.options import SHARE, TEXT, OneOf
from petteia.core.packing import distinct_key
from petteia.core.protocol import Rules, State, is_over, moves, to_move
from petteia.core.random import RandomState
from petteia.learn.exploration import pick
from petteia.learn.tabular import Q_LEARNING, reward
from petteia.learn.targets import Rates, Step, update_end, update_step
from petteia.learned.table import EMPTY, TablePolicy, find_or_add, learned_values, meant, shown, with_room
from petteia.learned.table_file import LearnedTable, load_table, save_table
from petteia.players.player import Player, PolicyPlayer, scratch
from petteia.players.settings import learned_weights
from petteia.policies.policy import Scratch
from petteia.records.description import DESCRIPTION

DEFAULTS = {"epsilon": 0.0, "alpha": 0.1, "gamma": 0.9}
"""of a player that learns"""


class QOptions(NamedTuple):
    """The options of `q`; None stands for one that is not given."""

    agent: Annotated[str | None, TEXT, "a run, or a weights file"] = None
    epsilon: Annotated[
        float | None, SHARE, "probability of a random move, 0..1 (0 if another of the three is given)"
    ] = None
    alpha: Annotated[float | None, SHARE, "learning rate, 0..1 (0.1 if another of the three is given)"] = None
    gamma: Annotated[
        float | None, SHARE, "worth of a value one step later, 0..1 (0.9 if another of the three is given)"
    ] = None
    save: Annotated[str | None, TEXT, "the new file for what it learns; otherwise one is named after the agent"] = None
    other_rules: Annotated[
        str,
        OneOf(("no", "yes")),
        "take a file that was learned under other rules of the game, or by other code of it: no or yes",
    ] = "no"


class Agent(NamedTuple):
    """A learned table, and where it was found."""

    path: Path
    """the weights file"""
    learned: LearnedTable
    """what was learned"""


def load_agent(where: str, rules: Rules, *, other_rules: bool = False) -> Agent:
    """The agent in the run or weights file `where`; `other_rules` takes those of the same game, too.

    Raises NotFoundError if there is none, InvalidError if it is damaged or was made for other rules.
    """
    weights = learned_weights(where)
    return Agent(weights.path, load_table(weights, rules, other_rules=other_rules))


class TablePlayer(PolicyPlayer):
    """Plays by a table, and tells what it knows about the moves."""

    def __init__(self, policy: TablePolicy, name: str, seats: tuple[int, ...]) -> None:
        super().__init__(policy, name, seats)
        self._table = policy.table

    def choose(self, state: State, limit: Limit) -> Decision:
        """The policy's move, with the values of all moves."""
        decision = super().choose(state, limit)
        known = learned_values(self._rules, self._table, state)
        if not known:
            return decision
        sign = 1.0 if to_move(self._rules, state) == 0 else -1.0
        values = {move: sign * value for move, value in known.items()}
        return dataclasses.replace(decision, value=values[decision.move], values=values)


class LearningPlayer(Player):
    """Plays by a table and learns from each of its moves when it is to move again, or the game has ended."""

    independent = False
    _rules: Rules
    _random: RandomState
    _work: Scratch

    def __init__(self, agent: Agent, name: str, rates: dict[str, float], save: Path) -> None:
        self.name = name
        self.seats = agent.learned.seats
        self._learned = agent.learned
        self._table = agent.learned.table
        self._rates = Rates(rates["alpha"], rates["epsilon"], rates["gamma"])
        self._save = save
        self._games = 0
        self._mover, self._row, self._action = 0, EMPTY, 0

    def new_game(self, rules: Rules, seed: int) -> None:
        """Begin a game; a last move without a result is forgotten."""
        self._rules, self._random, self._work = rules, [seed], scratch(rules)
        self._row = EMPTY

    def choose(self, state: State, limit: Limit) -> Decision:
        """With probability epsilon any move, else one of largest value; learns from the last move, too."""
        rules = self._rules
        self._table = with_room(self._table, 1)
        seen, symmetry = shown(self._table.sharing, rules, state)
        count = moves(rules, seen, self._work.moves)
        row = find_or_add(self._table, distinct_key(rules, seen))
        action = pick(
            Q_LEARNING.exploration, self._table.values[row], count, self._rates.exploration, self._random, self._work
        )
        if self._row != EMPTY:
            step = Step(self._row, self._action, row, action, count)
            update_step(Q_LEARNING.rule, Q_LEARNING, self._table, step, self._rates, self._random, self._work)
        self._mover, self._row, self._action = to_move(rules, state), row, action
        return Decision(int(meant(self._table.sharing, rules, int(self._work.moves[action]), symmetry)))

    def end_game(self, state: State) -> None:
        """Learn from the last move: the reward, none if the game was stopped."""
        if self._row != EMPTY:
            final = reward(self._rules, state, self._mover) if is_over(self._rules, state) else 0.0
            trajectory = np.array([[self._row, self._action]])
            update_end(Q_LEARNING.rule, Q_LEARNING, self._table, trajectory, 1, final, self._rates, self._random)
        self._row = EMPTY
        self._games += 1

    def adviser(self) -> Player:
        """A player that plays by what is known now."""
        return TablePlayer(TablePolicy(self._table), self.name, self.seats)

    def finish(self) -> str | None:
        """Save the table, if there were games."""
        if self._games == 0:
            return None
        path = free_name(self._save)
        save_table(
            path, self._rules, self._learned._replace(table=self._table, games=self._learned.games + self._games)
        )
        games, self._games = self._games, 0
        return f"{self.name} has learned from {games} game{'s' if games > 1 else ''}; saved as {path}"


def free_name(path: Path) -> Path:
    """The path itself, or with -2, -3, ... behind its stem if it is taken."""
    number, candidate = 1, path
    while candidate.exists():
        number += 1
        candidate = path.with_stem(f"{path.stem}-{number}")
    return candidate


def make_q(options: QOptions, rules: Rules, name: str) -> Player:
    """The player with these options."""
    if options.agent is None:
        raise UsageError(f"player {name}: agent is missing: a run or a weights file, as in q:agent=RUN")
    given = {rate: value for rate in DEFAULTS if (value := getattr(options, rate)) is not None}
    if options.save is not None and not given:
        raise UsageError(
            f"player {name}: it saves only what it learns; give epsilon, alpha or gamma, or leave save out"
        )
    save = None if options.save is None else Path(options.save)
    if save is not None and save.exists():
        raise UsageError(f"player {name}: save={save}: is there already; name a new file")
    if save is not None and not save.parent.is_dir():
        raise UsageError(f"player {name}: save={save}: there is no folder {save.parent}; make it first")
    agent = load_agent(options.agent, rules, other_rules=options.other_rules == "yes")
    chosen: Player
    if given:
        chosen = LearningPlayer(agent, name, DEFAULTS | given, save or _beside(agent.path))
    else:
        chosen = TablePlayer(TablePolicy(agent.learned.table), name, agent.learned.seats)
    if agent.learned.notice is not None:
        chosen.notice = f"player {name}: {agent.learned.notice}"
    return chosen


def _beside(path: Path) -> Path:
    """A name for the new file: beside the weights file, or beside the folder of its run, which stays as it is."""
    if (path.parent / DESCRIPTION).exists():
        return path.parent.with_name(f"{path.parent.name}-played.safetensors")
    return path.with_stem(f"{path.stem}-played")
