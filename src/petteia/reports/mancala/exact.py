"""How far players of Kalah are from perfect play: on small boards that are solved, and in endings of the large one.

On (4, 3) and (4, 4) every position that can be reached is solved by enumeration, and players are judged in a sample of
them. On (6, 4), which is out of reach, endings of at most `ENDING` stones in the pits, taken from random games, are
searched to their ends. Regret is in stones: what a move gives away of the final margin, in the mean.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from petteia.arena.judgement import COLUMNS, GIVEN, MISTAKE, REGRET, VALUE, judge_policy, turns
from petteia.arena.statistics import NORMAL_95
from petteia.core.decision import Limit
from petteia.core.protocol import Rules, State, draw_move, initial, is_over, legal, limits, play, to_move
from petteia.core.random import below, keys, stream
from petteia.features.store_difference import StoreDifference
from petteia.games.kalah import Kalah, stones
from petteia.players import player
from petteia.policies.policy import Policy, Work, probabilities, workspace
from petteia.search.alpha_beta import ORDER
from petteia.search.ends import BY_MARGIN
from petteia.search.searcher import Searcher
from petteia.solver.tablebase import Tablebase, build

ENDING = 12
MEMORY = 6 << 30
"""bytes that solving (4, 4) may use"""


class Judged(NamedTuple):
    """How well a player does in positions whose values are known."""

    player: str
    positions: int
    perfect_share: float
    """share of the moves that give nothing away"""
    mean: float
    """mean regret of a move, in stones"""
    low: float
    high: float
    """95 % interval of the mean"""
    given_away: float
    """share of the positions in which the result of the game gets worse"""


class Solved(NamedTuple):
    """A small board, solved, and a sample of its positions."""

    rules: Rules
    value: int
    """the final margin of best play from the start"""
    positions: int
    """that can be reached"""
    table: Tablebase
    sample: NDArray[np.int64]
    """[sampled, fields]"""


def solve(rules: Rules, size: int, seed: int) -> Solved:
    """Solve a small board, and draw a sample of `size` positions that are not over."""
    table = build(rules, memory=MEMORY)
    random = np.random.default_rng(seed)
    rows = np.sort(random.choice(len(table.states), min(2 * size, len(table.states)), replace=False))
    sample = np.concatenate([turns(rules, initial(rules), side, table.states[rows]) for side in (0, 1)])
    chosen = sample[np.sort(random.permutation(len(sample))[:size])]
    return Solved(rules, int(table.values[0]), len(table.keys), table, chosen)


def judge_on(solved: Solved, name: str, text: str) -> Judged:
    """How the player `text`, called `name`, does in the sample."""
    policy = player(text, solved.rules).policy(solved.rules)
    like = initial(solved.rules)
    parts = [turns(solved.rules, like, side, solved.sample) for side in (0, 1)]
    columns = [judge_policy(solved.rules, like, solved.table, side, parts[side], policy) for side in (0, 1)]
    return summed_up(name, np.concatenate(columns))


def summed_up(name: str, columns: NDArray[np.float64]) -> Judged:
    """What the rows of `petteia.arena.judgement` come to."""
    regrets = columns[:, REGRET]
    mean, error = float(regrets.mean()), NORMAL_95 * float(regrets.std(ddof=1)) / len(regrets) ** 0.5
    return Judged(
        *(name, len(columns), 1.0 - float(columns[:, MISTAKE].mean()), mean, max(0.0, mean - error), mean + error),
        float(columns[:, GIVEN].mean()),
    )


class Ending(NamedTuple):
    """A position near the end, and what its moves are worth."""

    state: State
    values: dict[int, float]
    """of each legal move: the final margin under best play, player 0's"""


def endings(rules: Kalah, count: int, seed: int, advance: Callable[[int], None]) -> list[Ending]:
    """Endings with a choice, one of each of so many random games that have one, searched to their ends."""
    searcher = Searcher(rules, StoreDifference(), options=BY_MARGIN | ORDER)
    found = []
    for state in _endings(rules, seed):
        thought = searcher.search(state, Limit(), lines=limits(rules).moves)
        found.append(Ending(state, thought.values))
        advance(len(found))
        if len(found) == count:
            break
    return found


def _endings(rules: Kalah, seed: int) -> Iterator[State]:
    (key,) = keys(seed, 1)
    buffer = [0] * limits(rules).moves
    game = 0
    while True:
        random, state = [stream(key, game)], initial(rules)
        seen = []
        while not is_over(rules, state):
            if stones(state.south) + stones(state.north) <= ENDING and len(legal(rules, state)) > 1:
                seen.append(state)
            state = play(rules, state, draw_move(rules, state, random, buffer))
        if seen:
            yield seen[below(random, len(seen))]
        game += 1


def judge_in_endings(rules: Rules, found: list[Ending], name: str, text: str) -> Judged:
    """How the player `text`, called `name`, does in these endings."""
    policy, work = player(text, rules).policy(rules), workspace(rules)
    return summed_up(name, np.array([_judge(rules, each, policy, work) for each in found]))


def _judge(rules: Rules, ending: Ending, policy: Policy, work: Work) -> NDArray[np.float64]:
    """A row of columns, see `petteia.arena.judgement`."""
    row, sign = np.zeros(COLUMNS), 1.0 if to_move(rules, ending.state) == 0 else -1.0
    out = np.zeros(limits(rules).moves)
    count = probabilities(policy, rules, ending.state, 1.0, out, work)
    values = [sign * ending.values[int(work.moves[i])] for i in range(count)]
    best = max(values)
    row[VALUE] = best
    for value, probability in zip(values, out, strict=False):
        if value < best:
            row[REGRET] += probability * (best - value)
            row[MISTAKE] += probability
            row[GIVEN] += probability * (best > 0 >= value or best == 0)
    return row
