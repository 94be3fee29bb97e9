"""Training of a table of state-action values by playing games, for one side or both sides.

A learning step lasts from a move of the learner until the learner is to move again. A learning step includes the
opponent's reply and chance outcomes. The update rule of the learner computes the target (see `targets`). Ties between
best values are broken at random.

One table can serve both players. A row contains values for the player to move, and each player learns from its own
rewards.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from petteia.core.arrays import Floats, Ints
from petteia.core.kernel import inline, kernel
from petteia.core.packing import distinct_key
from petteia.core.protocol import (
    CHANCE,
    Rules,
    State,
    has_chance,
    is_over,
    limits,
    margin,
    moves,
    play,
    to_move,
)
from petteia.core.random import stream
from petteia.learn.exploration import pick
from petteia.learn.starts import Start, draw_start
from petteia.learn.step_sizes import ByVisits
from petteia.learn.targets import Learner, Rates, Step, tables, update_end, update_step
from petteia.policies.play_games import MAX_PLIES, RngKeys, play_chance
from petteia.policies.policy import Policy, Scratch, begin, choose, workspace
from petteia.value_functions.table import (
    NO_SYMMETRY,
    Sharing,
    Table,
    actual_move,
    empty_table,
    find_or_add,
    row_state,
    with_room,
)

BOTH = 2
"""The value of `side` that makes both sides learn in the same games."""
Q_LEARNING = Learner()


class Trajectories(NamedTuple):
    """The state-action pairs that each player has visited in the current game."""

    steps: Ints
    """row and action of each step of each player, [2, plies, 2]"""
    lengths: Ints
    """number of steps of each player, [2]"""


@inline
def reward(rules: Rules, state: State, side: int) -> float:
    """Return +1 if `side` has won in a finished state, -1 if it has lost, and 0 for a draw."""
    final = margin(rules, state)
    if final == 0:
        return 0.0
    return 1.0 if (final > 0) == (side == 0) else -1.0


def table_for(rules: Rules, learner: Learner, *, initial: float = 0.0, sharing: Sharing = NO_SYMMETRY) -> Table:
    """Return an empty table for a tabular learner. Moves without an entry have the value `initial`."""
    double, counted = tables(learner.rule) == 2, isinstance(learner.step, ByVisits)
    return empty_table(rules, initial=initial, sharing=sharing, double=double, counted=counted)


@kernel(purpose="learning")
def _learn_games(
    rules: Rules,
    start: Start,
    side: int,
    learner: Learner,
    table: Table,
    opponent: Policy,
    alphas: Floats,
    explorations: Floats,
    gammas: Floats,
    max_plies: int,
    keys: RngKeys,
    first_game: int,
    random: Ints,
    trajectories: Trajectories,
    work: Scratch,
) -> int:
    """Play one training game for each entry of `alphas`, `explorations` and `gammas`, float64[games].

    `random`, int64[4, 1], contains the states of four random number generators. If the table has no room for another
    game, the function stops early. The result is the number of games played.
    """
    lengths = trajectories.lengths
    for number in range(len(alphas)):
        if int(table.used[0]) + max_plies >= len(table.keys):
            return number
        rates = Rates(alphas[number], explorations[number], gammas[number])
        random[0, 0] = stream(keys.first, first_game + number)
        random[1, 0] = stream(keys.second, first_game + number)
        random[2, 0] = stream(keys.chance, first_game + number)
        random[3, 0] = stream(keys.opening, first_game + number)
        begin(opponent, rules, random[1])
        state = draw_start(start, rules, random[3])
        lengths[0] = lengths[1] = 0
        plies = 0
        over = is_over(rules, state)
        while not over and plies < max_plies:
            mover = to_move(rules, state)
            if has_chance(rules) and mover == CHANCE:
                state = play_chance(rules, state, random[2], work)
            elif mover == side or side == BOTH:
                own = mover if side == BOTH else 0
                seen, symmetry = row_state(table.sharing, rules, state)
                count = moves(rules, seen, work.moves)
                row = find_or_add(table, distinct_key(rules, seen))
                action = pick(learner.exploration, table.values[row], count, rates.exploration, random[own], work)
                length = int(lengths[mover])
                if length > 0:
                    last = trajectories.steps[mover, length - 1]
                    step = Step(int(last[0]), int(last[1]), row, action, count)
                    update_step(learner.rule, learner, table, step, rates, random[own], work)
                trajectories.steps[mover, length, 0] = row
                trajectories.steps[mover, length, 1] = action
                lengths[mover] = length + 1
                state = play(rules, state, actual_move(table.sharing, rules, int(work.moves[action]), symmetry))
            else:
                state = play(rules, state, choose(opponent, rules, state, random[1], work))
            plies += 1
            over = is_over(rules, state)
        for player in range(2):
            if lengths[player] > 0:
                final = reward(rules, state, player) if over else 0.0
                own = player if side == BOTH else 0
                trajectory = trajectories.steps[player]
                update_end(learner.rule, learner, table, trajectory, int(lengths[player]), final, rates, random[own])
    return len(alphas)


def learn_games(
    rules: Rules,
    start: Start,
    side: int,
    table: Table,
    opponent: Policy,
    *,
    alphas: Floats,
    explorations: Floats,
    gammas: Floats,
    keys: RngKeys,
    first_game: int = 0,
    max_plies: int = MAX_PLIES,
    learner: Learner = Q_LEARNING,
    compiled: bool = True,
) -> Table:
    """Train the player `side` in `len(alphas)` games against `opponent`, and return the table of learned values.

    Args:
        rules: the rules of the game
        start: the start of each game: a state, `OneOf(states)` or `AnyPosition()`
        side: 0, 1 or BOTH; with BOTH, both sides learn, and `opponent` is not used
        table: the initial values, made by `table_for` for this learner; changed in place
        opponent: the policy of the other side
        alphas: the learning rate in each game, float64[games]
        explorations: the probability of a random move in each game, or the temperature of softmax, float64[games]
        gammas: the discount factor in each game, float64[games]
        keys: the keys from which the random numbers of all games are derived
        first_game: the number of the first game; the random numbers of a game depend on its number
        max_plies: the maximum length of a game in plies; a longer game is stopped without a reward
        learner: the update rule, step size and exploration
        compiled: False runs the same code as plain Python, for comparison

    Returns:
        The argument `table`, or a larger copy of it if `table` was too small.

    """
    promised = limits(rules).plies
    longest = min(max_plies, promised) if promised else max_plies
    random, work = np.zeros((4, 1), np.int64), workspace(rules)
    trajectories = Trajectories(np.zeros((2, longest, 2), np.int64), np.zeros(2, np.int64))
    learn = _learn_games if compiled else _learn_games.function
    done = 0
    while done < len(alphas):
        table = with_room(table, longest + 1)
        done += learn(
            rules,
            start,
            int(side),
            learner,
            table,
            opponent,
            alphas[done:],
            explorations[done:],
            gammas[done:],
            int(longest),
            keys,
            int(first_game + done),
            random,
            trajectories,
            work,
        )
    return table
