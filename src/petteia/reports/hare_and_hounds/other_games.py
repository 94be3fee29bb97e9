"""Measure how much Q-learning with the parameters of the thesis improves on random play in several games.

A move worsens the result if it turns a won position into a drawn or lost one, or a drawn position into a lost one. The
rewards of the learner depend only on whether a game is won, drawn or lost.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np

from petteia.arena.judgement import GIVEN, turns
from petteia.arena.known_positions import KnownPositions, SolvedPositions, find_endings
from petteia.arena.statistics import Interval, mean_interval
from petteia.core.arrays import Floats
from petteia.core.protocol import Rules, State, initial, margin_range, max_positions
from petteia.games import game as rules_of
from petteia.learn.tabular import Q_LEARNING, learn_games, table_for
from petteia.players.perfect import solved
from petteia.players.player import PolicyPlayer
from petteia.policies.play_games import match_keys
from petteia.policies.policy import Policy, Uniform
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.kept import kept
from petteia.reports.engine.settings import Size
from petteia.reports.hare_and_hounds.plan import ALPHA, EPSILON, GAME, GAMMA
from petteia.solver.tablebase import reachable
from petteia.value_functions.table import TablePolicy

FULL = "kalah"
"""the game that is not solved here"""
SMALL = {
    GAME: Size(65_536_000, 64_000),
    "kalah:pits=3,seeds=2": Size(65_536_000, 64_000),
    "petteia.games.tic_tac_toe:TicTacToe": Size(65_536_000, 128_000),
    "british-square:size=3": Size(65_536_000, 64_000),
}
"""the games that are learned at every scale, with the maximum number of training games"""
LARGE = {
    "kalah:pits=4,seeds=3": Size(16_384_000, 0),
    "british-square:size=5": Size(2_048_000, 0),
    FULL: Size(512_000, 0),
    "british-square:size=4": Size(65_536_000, 0),
}
"""further games of the paper scale. A training run takes at most a minute of processor time and 2 GB of memory. The
longest training comes first"""
FIRST = 1_000
"""the number of training games before the first measurement; it doubles until each later measurement"""
GONE = 0.9
"""the reduction at which a training run ends"""
POSITIONS, STONES = 1_000, 12
"""the number of positions in which mistakes are counted, and the maximum number of stones in endings of FULL"""
ROOM = 11**6 * 3
"""the number of values that the thesis's arrays can hold"""


class Course(NamedTuple):
    """The effect of training in one game: the shares of moves that worsen the result, before and after training."""

    positions: int
    """the number of reachable positions, with symmetric positions counted once; in the unsolved game, an upper bound"""
    random: float
    """the share of the random player's moves that worsen the result of the game"""
    learned: float
    """the same share of the learned moves"""
    saved: Interval
    """`random` minus `learned`, with the interval over the choice of positions"""
    games: int
    """the number of training games until the reduction reached GONE, or the maximum number"""

    @property
    def gone(self) -> float:
        """The share of the mistakes of random play that training removes."""
        return 1.0 - self.learned / self.random


DEPENDS = (learn_games, find_endings, solved)


@kept
def learned_games(evidence: Evidence) -> dict[str, Course]:
    """Train the learner in each game of the report, several games in parallel, and return the results by game.

    The report at its full size (scale `paper`) has the games in `SMALL` and in `LARGE`. The quick report has only the
    games in `SMALL`.
    """
    sizes = SMALL | LARGE if evidence.is_judged else SMALL
    with ThreadPoolExecutor(evidence.work.jobs) as pool:
        found = pool.map(lambda game: course(game, evidence.size(sizes[game])), sizes)
        return dict(zip(sizes, found, strict=True))


def by_size(evidence: Evidence) -> dict[str, Course]:
    """Return the results of training for each game, in ascending order of the number of positions of the game."""
    return dict(sorted(learned_games(evidence).items(), key=lambda found: found[1].positions))


def course(game: str, maximum: int) -> Course:
    """Train the first player against a random opponent for at most `maximum` games.

    Training ends before `maximum` games if it has removed at least 90 % (`GONE`) of the mistakes of random play. A
    mistake is a move that worsens the result of the game.
    """
    rules = rules_of(game)
    positions, count = known_positions(rules)
    at_random = now = mistakes(positions, Uniform())
    table, done = table_for(rules, Q_LEARNING), 0
    while done < maximum and now.mean() > (1.0 - GONE) * at_random.mean():
        games = min(max(done, FIRST), maximum - done)
        table = learn_games(
            *(rules, initial(rules), 0, table, Uniform()),
            alphas=np.full(games, ALPHA),
            explorations=np.full(games, EPSILON),
            gammas=np.full(games, GAMMA),
            keys=match_keys(0),
            first_game=done,
        )
        done += games
        now = mistakes(positions, TablePolicy(table))
    return Course(count, float(at_random.mean()), float(now.mean()), mean_interval((at_random - now).tolist()), done)


def known_positions(rules: Rules) -> tuple[KnownPositions, int]:
    """Return a sample of positions with known values, and the number of positions of the game.

    In all positions of the sample, the first player is to move. Full-size Kalah is not solved. For this game, the
    sample consists of endings, and the number of positions is an upper bound.
    """
    start = initial(rules)
    if rules == rules_of(FULL):
        return find_endings(rules, POSITIONS, is_ending, 0, sides=(0,)), max_positions(rules)
    solution = solved(rules)
    states = solution.states[reachable(rules, solution, start)]
    own = turns(rules, start, 0, states)
    drawn = np.random.default_rng(0).permutation(len(own))[:POSITIONS]
    return SolvedPositions(rules, start, solution, (0,), (own[drawn],), len(states), len(drawn) / len(own)), len(states)


def is_ending(rules: Rules, state: State) -> bool:
    """Return whether at most 12 stones (`STONES`) are left in the pits, so that a search can reach the end."""
    low, high = margin_range(rules, state)
    return high - low <= 2 * STONES


def mistakes(positions: KnownPositions, policy: Policy) -> Floats:
    """Return, for each position, the probability that the policy's move worsens the result, as float64[positions].

    A move worsens the result if it turns a win into a draw or a loss, or a draw into a loss.
    """
    return np.asarray(positions.judge(PolicyPlayer(policy, ""), 0)[:, :, GIVEN].mean(axis=1))


def title_of(game: str) -> str:
    """Return the title of a game with its options, such as `Kalah (pits 3, seeds 2)`."""
    if "TicTacToe" in game:
        return "tic-tac-toe"
    name, _, options = game.partition(":")
    title, words = name.replace("-", " ").title().replace("And", "and"), options.replace("=", " ").replace(",", ", ")
    return f"{title} ({words})" if words else title
