"""Tabular Q-learning: Watkins 1989, "Learning from delayed rewards", for any game and either side.

A learning step spans the learner's move and all that follows until it is to move again (the opponent's reply, chance,
or nothing where it moves twice), as in the thesis on Hare and Hounds:

    Q(s, a) <- Q(s, a) + alpha (r + gamma max_b Q(s', b) - Q(s, a))

with reward +1 for a won game, -1 for a lost one and 0 else. Equal best values are broken at random.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from petteia.core.kernel import inline, kernel
from petteia.core.protocol import (
    CHANCE,
    Rules,
    State,
    has_chance,
    is_over,
    key,
    limits,
    margin,
    moves,
    play,
    to_move,
)
from petteia.core.random import below, stream, uniform
from petteia.policies.duel import MAX_PLIES, Keys, play_chance
from petteia.policies.policy import Policy, Work, choose, workspace
from petteia.policies.table import EMPTY, Table, best_index, find_or_add, with_room


@inline
def reward(rules: Rules, state: State, side: int) -> float:
    """+1 if `side` has won in a finished state, -1 if it has lost, 0 for a draw."""
    final = margin(rules, state)
    if final == 0:
        return 0.0
    return 1.0 if (final > 0) == (side == 0) else -1.0


@inline
def move_towards(table: Table, row: int, action: int, alpha: float, target: float) -> None:
    """Move the value of move number `action` of a row by the share `alpha` of its distance to `target`."""
    table.values[row, action] += alpha * (target - table.values[row, action])


@inline
def largest(values: Any, count: int) -> float:
    """The largest of the first `count` values."""
    found: float = values[0]
    for i in range(1, count):
        found = max(found, values[i])
    return found


@kernel
def _learn_games(
    rules: Rules,
    start: State,
    side: int,
    table: Table,
    opponent: Policy,
    alphas: Any,
    epsilons: Any,
    gamma: float,
    max_plies: int,
    keys: Keys,
    first_game: int,
    random: Any,
    work: Work,
) -> int:
    """A game for each of `alphas` and `epsilons`, float64[games]. `random` is int64[3, 1].

    Returns the number of games played: it stops when the table has no room for another.
    """
    for number in range(len(alphas)):
        if int(table.used[0]) + max_plies >= len(table.keys):
            return number
        alpha, epsilon = alphas[number], epsilons[number]
        random[0, 0] = stream(keys.first, first_game + number)
        random[1, 0] = stream(keys.second, first_game + number)
        random[2, 0] = stream(keys.chance, first_game + number)
        state = start
        row = EMPTY
        action = 0
        plies = 0
        over = is_over(rules, state)
        while not over and plies < max_plies:
            mover = to_move(rules, state)
            if has_chance(rules) and mover == CHANCE:
                state = play_chance(rules, state, random[2], work)
            elif mover == side:
                count = moves(rules, state, work.moves)
                here = find_or_add(table, key(rules, state))
                values = table.values[here]
                if row != EMPTY:
                    move_towards(table, row, action, alpha, gamma * largest(values, count))
                row = here
                if epsilon > 0.0 and uniform(random[0]) < epsilon:
                    action = below(random[0], count)
                else:
                    action = best_index(values, count, random[0])
                state = play(rules, state, int(work.moves[action]))
            else:
                state = play(rules, state, choose(opponent, rules, state, random[1], work))
            plies += 1
            over = is_over(rules, state)
        if row != EMPTY:
            move_towards(table, row, action, alpha, reward(rules, state, side) if over else 0.0)
    return len(alphas)


def learn_games(
    rules: Rules,
    start: State,
    side: int,
    table: Table,
    opponent: Policy,
    *,
    alphas: NDArray[np.float64],
    epsilons: NDArray[np.float64],
    gamma: float,
    keys: Keys,
    first_game: int = 0,
    max_plies: int = MAX_PLIES,
) -> Table:
    """Learn from `len(alphas)` games of `side` against `opponent`, and return the table.

    `alphas` and `epsilons` (float64[games]) are the learning rate and the probability of a random move in each game;
    `first_game` is the number of the first, on which its random numbers depend. `table` is changed in place; what is
    returned is the same table or, when it had no room, a larger copy. A game is stopped after `max_plies`: no reward.
    """
    promised = limits(rules).plies
    longest = min(max_plies, promised) if promised else max_plies
    random, work = np.zeros((3, 1), np.int64), workspace(rules)
    done = 0
    while done < len(alphas):
        table = with_room(table, longest + 1)
        done += _learn_games(
            *(rules, start, int(side), table, opponent, alphas[done:], epsilons[done:], float(gamma), int(longest)),
            *(keys, int(first_game + done), random, work),
        )
    return table
