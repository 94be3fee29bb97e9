"""Players that use a learned table of action values (Q-table). `TablePlayer` only plays; the others also learn.

Learning players update their table in the same way as training runs (`petteia.learn.tabular`).
"""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np

from petteia.core.decision import Decision, Limit
from petteia.core.packing import distinct_key
from petteia.core.protocol import Rules, State, is_over, moves, to_move
from petteia.core.random import RandomState
from petteia.learn.exploration import pick
from petteia.learn.tabular import Q_LEARNING, reward
from petteia.learn.targets import Rates, Step, update_end, update_step
from petteia.players.player import Player, PolicyPlayer, scratch
from petteia.policies.policy import Scratch
from petteia.value_functions.table import (
    EMPTY,
    TablePolicy,
    actual_move,
    find_or_add,
    learned_values,
    row_state,
    with_room,
)
from petteia.value_functions.table_file import LearnedTable, save_table


class TablePlayer(PolicyPlayer):
    """A player that plays by a learned table of action values (Q-table), and reports the values of the moves."""

    def __init__(self, policy: TablePolicy, name: str, seats: tuple[int, ...]) -> None:
        super().__init__(policy, name, seats)
        self._table = policy.table

    def choose(self, state: State, limit: Limit) -> Decision:
        """Return the policy's move, with the values of all moves."""
        decision = super().choose(state, limit)
        known = learned_values(self._rules, self._table, state)
        if not known:
            return decision
        sign = 1.0 if to_move(self._rules, state) == 0 else -1.0
        values = {move: sign * value for move, value in known.items()}
        return dataclasses.replace(decision, value=values[decision.move], values=values)


class LearningPlayer(Player):
    """A player that plays by a table of action values (Q-table), and updates the table during its games.

    The player learns from each of its moves at its next turn, or at the end of the game.
    """

    independent = False
    repeatable = False
    _rules: Rules
    _random: RandomState
    _work: Scratch

    def __init__(self, learned: LearnedTable, name: str, rates: Rates) -> None:
        self.name = name
        self.seats = learned.seats
        self._learned = learned
        self._table = learned.table
        self._rates = rates
        self._mover, self._row, self._action = 0, EMPTY, 0

    def new_game(self, rules: Rules, seed: int) -> None:
        """Begin a game.

        If the previous game was not finished, the player does not learn from its last move in that game.
        """
        self._rules, self._random, self._work = rules, [seed], scratch(rules)
        self._row = EMPTY

    def choose(self, state: State, limit: Limit) -> Decision:
        """Learn from the player's last move. Choose a random move with probability epsilon, otherwise a best move."""
        rules = self._rules
        self._table = with_room(self._table, 1)
        seen, symmetry = row_state(self._table.sharing, rules, state)
        count = moves(rules, seen, self._work.moves)
        row = find_or_add(self._table, distinct_key(rules, seen))
        action = pick(
            Q_LEARNING.exploration, self._table.values[row], count, self._rates.exploration, self._random, self._work
        )
        if self._row != EMPTY:
            step = Step(self._row, self._action, row, action, count)
            update_step(Q_LEARNING.rule, Q_LEARNING, self._table, step, self._rates, self._random, self._work)
        self._mover, self._row, self._action = to_move(rules, state), row, action
        return Decision(int(actual_move(self._table.sharing, rules, int(self._work.moves[action]), symmetry)))

    def learn_from_end(self, final: float) -> None:
        """Learn from the player's last move of a game that ended with the reward `final`."""
        if self._row != EMPTY:
            trajectory = np.array([[self._row, self._action]])
            update_end(Q_LEARNING.rule, Q_LEARNING, self._table, trajectory, 1, final, self._rates, self._random)
        self._row = EMPTY

    def adviser(self) -> Player:
        """Return a player that gives hints: it follows the current table, and does not learn."""
        return TablePlayer(TablePolicy(self._table), self.name, self.seats)


class SavingPlayer(LearningPlayer):
    """A learning player that saves its table to a new file after its last game."""

    def __init__(self, learned: LearnedTable, name: str, rates: Rates, save: Path) -> None:
        super().__init__(learned, name, rates)
        self._save = save
        self._games = 0

    def end_game(self, state: State) -> None:
        """Learn from the last move of the game. The reward is the result of the game, or 0 if the game was stopped."""
        self.learn_from_end(reward(self._rules, state, self._mover) if is_over(self._rules, state) else 0.0)
        self._games += 1

    def finish(self) -> str | None:
        """Save the table to a new file if the player has played a game. Returns a message that contains the path."""
        if self._games == 0:
            return None
        path = free_name(self._save)
        save_table(
            path, self._rules, self._learned._replace(table=self._table, games=self._learned.games + self._games)
        )
        games, self._games = self._games, 0
        return f"{self.name} has learned from {games} game{'s' if games > 1 else ''}; the table is saved as {path}"


def free_name(path: Path) -> Path:
    """Return the first path that does not exist: `path` itself, or `path` with -2, -3, ... added to its stem."""
    number, candidate = 1, path
    while candidate.exists():
        number += 1
        candidate = path.with_stem(f"{path.stem}-{number}")
    return candidate
