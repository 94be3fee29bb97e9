"""Exact measurements of players in a solved game, and the errors of learned tables of action values.

The playing strength of a player is computed exactly, without sampled games. Shares of positions or moves are computed
by complete enumeration of the positions. The score of one player against another is computed from the move
probabilities of both players. Only `Truth.coverage` plays games, in order to count the visited positions and moves.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from petteia.core.arrays import Bools, Floats, Ints32
from petteia.core.protocol import Rules, key, legal, parse_move, parse_state
from petteia.learn.mdp import (
    MDP,
    greedy_probabilities,
    mdp_for,
    optimal_values,
    policy_values,
    probabilities_of,
    reachable,
    values_from_table,
    visits,
)
from petteia.players import player
from petteia.solver.retrograde import analyse, turned_round
from petteia.solver.solution import Solution, solve
from petteia.value_functions.table import Table

ALL, REACHABLE, MET = "all", "reachable", "met"
"""The names of sets of positions: all positions; the positions that can be reached by any moves of both sides; and the
positions that can be reached if the player plays its own moves and the opponent plays any moves."""


class Measured(NamedTuple):
    """The quality of a player's moves in a set of positions. In each of these positions, the player is to move."""

    positions: int
    perfect_share: float
    """the share of moves without regret"""
    mean_regret: float
    """the mean regret of a move in units of the result; a move from a win to a loss has a regret of 2"""
    won: int
    """the number of won positions"""
    results_lost: float
    """the number of won positions that are not won after the player's move; an expected value if the player moves at
    random"""

    @property
    def kept(self) -> float:
        """The share of won positions that are still won after the player's move; 1 if no position is won."""
        return 1.0 - self.results_lost / self.won if self.won else 1.0


class Judgement(NamedTuple):
    """The errors of a learned table of action values, compared with the exact values of a solved game."""

    sets: dict[str, Measured]
    """the quality of the table's moves, by set of positions"""
    scores: dict[str, float]
    """the exact score, 0..1, of a player with the table, by opponent"""
    error: float
    """the mean absolute error of the table's values, over all moves in reachable positions"""
    largest_error: float


class Truth:
    """Exact measurements of players in a solved game, against each of several opponents.

    Each opponent is given as a string, such as `random`. From the perspective of one side, a game against an opponent
    with known move probabilities is a Markov decision process (see the method `mdp`).

    An array with the shape [rows] contains an element for each position. An array with the shape [moves of all
    positions] contains an element for each move in each position. The elements are in the order of the positions and
    moves in the graph of an `MDP`.

    If the game cannot be solved, the constructor raises the same errors as `petteia.solve`. The methods raise
    UsageError for an unknown player.
    """

    def __init__(self, rules: Rules, opponents: Sequence[str] = ("random", "perfect")) -> None:
        self.rules, self.opponents = rules, opponents
        self.solution: Solution = solve(rules, check=True)
        self._undiscounted: dict[tuple[int, str], MDP] = {}
        self._optimal: dict[tuple[int, str, float], Floats] = {}

    def mdp(self, side: int, opponent: str, gamma: float) -> MDP:
        """Return the Markov decision process of `side` against the player that the string `opponent` describes."""
        faced = side, opponent
        if faced not in self._undiscounted:
            policy = player(opponent, self.rules).policy(self.rules)
            self._undiscounted[faced] = mdp_for(self.rules, side, policy, 1.0)
        return self._undiscounted[faced]._replace(gamma=gamma)

    def exact_values(self, side: int, opponent: str, gamma: float) -> Floats:
        """Return the exact value of each move, if `side` plays optimally against `opponent` after the move.

        The result contains the value of each legal move in each position.
        """
        faced = side, opponent, gamma
        if faced not in self._optimal:
            mdp = self.mdp(*faced)
            self._optimal[faced] = optimal_values(mdp)[mdp.graph.successors]
        return self._optimal[faced]

    def value_of(self, side: int, opponent: str, gamma: float, position: str, move: str) -> float:
        """Return the exact value of one move in a position. `position` and `move` are in the notation of the game."""
        graph = self.mdp(side, opponent, gamma).graph
        state = parse_state(self.rules, position)
        place = legal(self.rules, state).index(parse_move(self.rules, state, move))
        row = int(np.flatnonzero(graph.keys == key(self.rules, state))[0])
        return float(self.exact_values(side, opponent, gamma)[graph.offsets[row] + place])

    @functools.cached_property
    def values(self) -> Ints32:
        """The value of every position under perfect play: +1 if player 0 wins, -1 if it loses; int32[rows]."""
        graph = self.mdp(0, "random", 1.0).graph
        return analyse(graph, turned_round(graph)).values

    def regrets(self, side: int) -> Floats:
        """Return the regret of each move of `side`: by how much the move worsens the result under perfect play.

        A move has the regret 2 if it turns a win into a loss. It has the regret 1 if it turns a win into a draw or a
        draw into a loss. The moves of the opponent have the regret 0. The result contains an element for each move in
        each position.
        """
        mdp = self.mdp(side, "random", 1.0)
        lost = (self.values[mdp.origins] - self.values[mdp.graph.successors]) * (1.0 if side == 0 else -1.0)
        return np.where(mdp.actions, lost, 0.0)

    @functools.cached_property
    def reached(self) -> Bools:
        """Whether each position can be reached from the initial position; bool[rows]."""
        return reachable(self.mdp(0, "random", 1.0))

    @property
    def decisions(self) -> int:
        """The number of positions with player 0 to move that can be reached from the initial position."""
        return int((self.reached & self.mdp(0, "random", 1.0).decisions).sum())

    def judge(self, table: Table, side: int, opponent: str, gamma: float) -> Judgement:
        """Measure the errors of a table of action values that `side` has learned against `opponent`.

        `gamma` is the discount factor with which the table was learned.
        """
        mdp = self.mdp(side, opponent, gamma)
        held = values_from_table(mdp, table, table.initial)
        probabilities = greedy_probabilities(mdp, held)
        asked = mdp.actions & self.reached[mdp.origins]
        errors = np.abs(held - self.exact_values(side, opponent, gamma))[asked]
        sets, scores = self.measure(side, probabilities), self.scores(side, probabilities)
        return Judgement(sets, scores, float(errors.mean()), float(errors.max()))

    def measure(self, side: int, probabilities: Floats) -> dict[str, Measured]:
        """Measure how well a player with the given move probabilities plays, in each of three groups of positions.

        `side` is the side of the player. Only positions in which this side is to move are used. The group `ALL`
        contains all positions of the game. `REACHABLE` contains the positions that can be reached from the initial
        position. `MET` contains the positions that can occur in games of this player.
        """
        mdp = self.mdp(side, "random", 1.0)
        met = reachable(mdp, (probabilities > 0) | ~mdp.actions)
        sets = {ALL: np.ones_like(met), REACHABLE: self.reached, MET: met}
        return {name: self._measured(mdp, probabilities, rows & mdp.decisions) for name, rows in sets.items()}

    def _measured(self, mdp: MDP, probabilities: Floats, rows: Bools) -> Measured:
        regrets, size = self.regrets(mdp.side), len(rows)
        mistaken = np.bincount(mdp.origins, probabilities * (regrets > 0), minlength=size)
        given = np.bincount(mdp.origins, probabilities * regrets, minlength=size)
        won = rows & (self.values == (1 if mdp.side == 0 else -1))
        return Measured(
            positions=int(rows.sum()),
            perfect_share=1.0 - float(mistaken[rows].mean()),
            mean_regret=float(given[rows].mean()),
            won=int(won.sum()),
            results_lost=float(mistaken[won].sum()),
        )

    def scores(self, side: int, probabilities: Floats) -> dict[str, float]:
        """Return the exact score, 0..1, of a player against each opponent.

        `side` is the side of the player. `probabilities`, float64[moves of all positions], contains the probability
        with which the player chooses each move.
        """
        return {name: self._score(self.mdp(side, name, 1.0), probabilities) for name in self.opponents}

    def _score(self, mdp: MDP, probabilities: Floats) -> float:
        return float(policy_values(mdp, probabilities)[0] + 1.0) / 2.0

    def meeting(self, tables: Mapping[int, Table]) -> float:
        """Return the exact score, 0..1, of player 0 if both players play greedily by their learned tables."""
        probabilities = [self.table_probabilities(side, tables[side]) for side in (0, 1)]
        mdp = self.mdp(0, "random", 1.0)
        return self._score(mdp._replace(probabilities=probabilities[1]), probabilities[0])

    def table_probabilities(self, side: int, table: Table) -> Floats:
        """Return the probability of each move if `side` always plays a move with the largest value in `table`."""
        mdp = self.mdp(side, "random", 1.0)
        return greedy_probabilities(mdp, values_from_table(mdp, table, table.initial))

    def probabilities_of(self, side: int, text: str) -> Floats:
        """Return the probabilities with which the player described by `text` chooses each move of `side`."""
        return probabilities_of(self.mdp(side, "random", 1.0), player(text, self.rules).policy(self.rules))

    def limit_of_learning(self, opponent: str, gamma: float) -> dict[str, Measured]:
        """Measure how well player 0 plays after unlimited training against `opponent`.

        As the number of training games grows without limit, the learned values converge to the exact action values
        against `opponent`, with the discount factor `gamma`.
        """
        return self.measure(0, self._limit(opponent, gamma))

    def limit_scores(self, opponent: str, gamma: float) -> dict[str, float]:
        """Return the exact scores, 0..1, of player 0 against each opponent after unlimited training.

        Player 0 is trained against `opponent`, with the discount factor `gamma`, until its action values have converged
        to the exact values (see `limit_of_learning`).
        """
        return self.scores(0, self._limit(opponent, gamma))

    def _limit(self, opponent: str, gamma: float) -> Floats:
        values = np.round(self.exact_values(0, opponent, gamma), 12)  # equal values may differ in their last bit
        return greedy_probabilities(self.mdp(0, opponent, gamma), values)

    def coverage(self, games: int, seed: int) -> dict[str, Any]:
        """Measure the shares of player 0's reachable states and moves that occur in games between random players."""
        mdp = self.mdp(0, "random", 1.0)
        made = visits(mdp, self.probabilities_of(0, "random"), games, seed) > 0
        asked = mdp.actions & self.reached[mdp.origins]
        states = self.reached & mdp.decisions
        seen = np.bincount(mdp.origins, made & asked, minlength=len(states)) > 0
        return {
            "games": games,
            "states": int(states.sum()),
            "states_visited": float(seen[states].mean()),
            "moves": int(asked.sum()),
            "moves_tried": float(made[asked].mean()),
        }
