"""Q-learning with a table on other games, from the smallest to full Kalah: how much of random play's mistakes goes.

The first player learns against a random one under the parameters of the thesis. Counted are the moves that give away a
result, a win or a draw: that is what its rewards speak of.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np

from petteia.arena.judgement import GIVEN, turns
from petteia.arena.known_positions import KnownPositions, SolvedPositions, find_endings
from petteia.core.protocol import Rules, State, initial, most_positions
from petteia.games import game as rules_of
from petteia.games.kalah import Position, stones
from petteia.learn.tabular import Q_LEARNING, learn_games, table_for
from petteia.learned.table import Table, TablePolicy
from petteia.players.perfect import solved
from petteia.players.player import PolicyPlayer
from petteia.policies.play_games import match_keys
from petteia.policies.policy import Policy, Uniform
from petteia.reports.engine.estimates import COUNT, SHARE, Unit, certain
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.figures import Figure, known
from petteia.reports.engine.kept import kept
from petteia.reports.engine.rules import Finding
from petteia.reports.engine.settings import Size
from petteia.reports.engine.tables import Row, table
from petteia.reports.hare_and_hounds.plan import ALPHA, EPSILON, GAME, GAMMA
from petteia.solver.tablebase import reachable

FULL_KALAH = "kalah"
TITLES = {
    "petteia.games.tic_tac_toe:TicTacToe": "Tic-tac-toe",
    "british-square:size=3": "British Square 3x3",
    "british-square:size=4": "British Square 4x4",
    "british-square": "British Square 5x5",
    "kalah:pits=3,seeds=2": "Kalah (3, 2)",
    "kalah:pits=4,seeds=2": "Kalah (4, 2)",
    "kalah:pits=4,seeds=3": "Kalah (4, 3)",
    FULL_KALAH: "Kalah (6, 4)",
    GAME: "Hare and Hounds",
}
MOST_GAMES = {
    **dict.fromkeys(TITLES, Size(65_536_000, 64_000)),
    "british-square": Size(32_768_000, 64_000),
    FULL_KALAH: Size(512_000, 16_000),
}
"""to learn from: about a minute of processor time, or less"""
FIRST_GAMES = 1_000
"""after so many, and then twice as many each time, it is measured"""
POSITIONS, ENDING = 1_000, 12
"""positions that are judged; stones in the pits of an ending, at most"""
GONE = 0.9
MEGABYTES = Unit(",.1f", " MB")


class Learned(NamedTuple):
    """What a table has learned of a game."""

    states: int
    """of the game that can be reached, images counted once; as many as there can be at most where it is not solved"""
    rows: int
    """states that the table has met, images of each other counted on their own"""
    bytes: int
    """that the table takes"""
    games: int
    """that it has learned from"""
    gone: float
    """of the results that random play gives away, the share that it does not"""


@kept
def learned_of_games(evidence: Evidence) -> dict[str, Learned]:
    """What is learned of each game, several at a time."""
    with ThreadPoolExecutor(evidence.work.jobs) as pool:
        found = pool.map(lambda name: learned(name, evidence.size(MOST_GAMES[name])), reversed(TITLES))
        return dict(zip(reversed(TITLES), found, strict=True))


def learned(name: str, most: int) -> Learned:
    """Learn until nine tenths of the mistakes of random play are gone, or for `most` games."""
    rules = rules_of(name)
    positions, states = known_positions(rules)
    table, games, gone, at_random = table_for(rules, Q_LEARNING), 0, 0.0, mistakes(positions, Uniform())
    while games < most and gone < GONE:
        more = max(games, FIRST_GAMES)
        table = learn_games(
            *(rules, initial(rules), 0, table, Uniform()),
            alphas=np.full(more, ALPHA),
            explorations=np.full(more, EPSILON),
            gammas=np.full(more, GAMMA),
            keys=match_keys(0),
            first_game=games,
        )
        games += more
        gone = 1.0 - mistakes(positions, TablePolicy(table)) / at_random
    return Learned(states, int(table.used[0]), size_of(table), games, gone)


def size_of(table: Table) -> int:
    """The bytes that a table takes."""
    return sum(part.nbytes for part in (table.slots, table.keys, table.values))


def known_positions(rules: Rules) -> tuple[KnownPositions, int]:
    """Positions of the first player whose values are known, and how many states the game has."""
    start = initial(rules)
    if rules == rules_of(FULL_KALAH):
        return find_endings(rules, POSITIONS, is_ending, 0, sides=(0,)), most_positions(rules)
    solution = solved(rules)
    states = solution.states[reachable(rules, solution, start)]
    own = turns(rules, start, 0, states)
    chosen = np.random.default_rng(0).permutation(len(own))[:POSITIONS]
    return SolvedPositions(rules, start, solution, (0,), (own[chosen],), len(states), 1.0), len(states)


def is_ending(rules: Rules, state: State) -> bool:
    """Whether so few stones are left in the pits that a position can be searched to its ends."""
    assert isinstance(state, Position)
    return stones(state.south) + stones(state.north) <= ENDING


def mistakes(positions: KnownPositions, policy: Policy) -> float:
    """How likely a policy gives a result away, in the mean over positions."""
    return float(positions.judge(PolicyPlayer(policy, ""), 0)[:, :, GIVEN].mean())


def gone(name: str) -> Figure:
    """How much of what random play gives away is gone in a game."""
    words = "the share of the results given away by random play that it keeps"
    return Figure(words, SHARE, lambda evidence: certain(learned_of_games(evidence)[name].gone), TITLES[name])


def limit_is_size(evidence: Evidence) -> Finding:
    """Whether less is gone the more states a game has."""
    from scipy.stats import spearmanr

    found = learned_of_games(evidence).values()
    states, shares = ([getattr(each, part) for each in found] for part in ("states", "gone"))
    less, more = (spearmanr(states, shares, alternative=side) for side in ("less", "greater"))
    answer = True if less.pvalue < 0.05 else False if more.pvalue < 0.05 else None
    return Finding(f"rank correlation {less.statistic:.2f} over {len(shares)} games (p = {less.pvalue:.2g})", answer)


@table("game", "states", "rows met", "memory", "games", "gone")
def state_spaces(evidence: Evidence) -> Iterator[Row]:
    """All games, by their number of states."""
    for name, each in sorted(learned_of_games(evidence).items(), key=lambda item: item[1].states):
        counts = [known("", COUNT, certain(count)) for count in (each.states, each.rows, each.games)]
        size = known("", MEGABYTES, certain(each.bytes / 1e6))
        yield [TITLES[name], *counts[:2], size, counts[2], gone(name)]
