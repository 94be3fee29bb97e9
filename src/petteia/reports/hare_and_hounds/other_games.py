"""The same learner in other games: how much of what random play gives away it keeps, and how large its table grows.

Counted are moves that give a result away, a win or a draw: that is what its rewards speak of.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np

from petteia.arena.judgement import GIVEN, turns
from petteia.arena.known_positions import KnownPositions, SolvedPositions, find_endings
from petteia.core.protocol import Rules, State, initial, margin_range, max_positions
from petteia.experiments.verdicts import RARE
from petteia.games import game as rules_of
from petteia.learn.tabular import Q_LEARNING, learn_games, table_for
from petteia.players.perfect import solved
from petteia.players.player import PolicyPlayer
from petteia.policies.play_games import match_keys
from petteia.policies.policy import Policy, Uniform
from petteia.reports.engine.estimates import COUNT, SHARE, Unit, certain
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.figures import known
from petteia.reports.engine.kept import kept
from petteia.reports.engine.rules import Finding, Rule
from petteia.reports.engine.settings import Size
from petteia.reports.engine.tables import Row, table
from petteia.reports.hare_and_hounds.plan import ALPHA, EPSILON, GAME, GAMMA
from petteia.solver.tablebase import reachable
from petteia.value_functions.table import Table, TablePolicy

FULL = "kalah"
"""is not solved here"""
SMALL = {
    "petteia.games.tic_tac_toe:TicTacToe": Size(65_536_000, 128_000),
    "british-square:size=3": Size(65_536_000, 64_000),
    "kalah:pits=3,seeds=2": Size(65_536_000, 64_000),
    GAME: Size(65_536_000, 64_000),
}
LARGE = {
    "british-square:size=4": Size(65_536_000, 0),
    "kalah:pits=4,seeds=3": Size(16_384_000, 0),
    "british-square:size=5": Size(2_048_000, 0),
    FULL: Size(512_000, 0),
}
"""that are left out at the quick scale; games to learn from: a minute of processor time and 2 GB of memory, or less"""
FIRST = 1_000
"""games after which it is measured first; then after twice as many, and so on"""
GONE = 0.9
"""the share of random play's mistakes that has to go"""
POSITIONS, STONES = 1_000, 12
"""positions in which mistakes are looked for; of a game that is not solved, endings, and the stones left in these"""
ROOM = 11**6 * 3
"""values for which the thesis's arrays have room"""
MEGABYTES = Unit(",.1f", " MB")


class Course(NamedTuple):
    """What comes of learning a game."""

    positions: int
    """that can be reached, images of each other counted once; of a game that is not solved, as many as there can be"""
    random: float
    """the share of the random player's moves that give a result away"""
    learned: float
    """the same of learned moves"""
    games: int
    """until GONE of the mistakes are gone, or all"""
    rows: int
    """of the table: positions that were met, images counted on their own"""
    bytes: int
    """that the table takes"""

    @property
    def gone(self) -> float:
        """The share of random play's mistakes that is gone."""
        return 1.0 - self.learned / self.random


DEPENDS = (learn_games, find_endings, solved)


@kept
def courses(evidence: Evidence) -> dict[str, Course]:
    """What comes of learning each of the games of this scale, several at a time, those that take longest first."""
    sizes = dict(reversed((SMALL | LARGE if evidence.is_judged else SMALL).items()))
    with ThreadPoolExecutor(evidence.work.jobs) as pool:
        found = pool.map(lambda game: course(game, evidence.size(sizes[game])), sizes)
        return dict(zip(sizes, found, strict=True))


def course(game: str, maximum: int) -> Course:
    """What comes of so many games of learning as the first player, against the random one."""
    rules = rules_of(game)
    positions, count = known_positions(rules)
    at_random = now = mistakes(positions, Uniform())
    table, done = table_for(rules, Q_LEARNING), 0
    while done < maximum and now > (1.0 - GONE) * at_random:
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
    return Course(count, at_random, now, done, int(table.used[0]), _size(table))


def known_positions(rules: Rules) -> tuple[KnownPositions, int]:
    """Positions of the first player whose values are known, and how many there are in all."""
    start = initial(rules)
    if rules == rules_of(FULL):
        return find_endings(rules, POSITIONS, is_ending, 0, sides=(0,)), max_positions(rules)
    solution = solved(rules)
    states = solution.states[reachable(rules, solution, start)]
    own = turns(rules, start, 0, states)
    drawn = np.random.default_rng(0).permutation(len(own))[:POSITIONS]
    return SolvedPositions(rules, start, solution, (0,), (own[drawn],), len(states), len(drawn) / len(own)), len(states)


def is_ending(rules: Rules, state: State) -> bool:
    """Whether few stones are left, so that a search sees the end."""
    low, high = margin_range(rules, state)
    return high - low <= 2 * STONES


def mistakes(positions: KnownPositions, policy: Policy) -> float:
    """How likely a move of a policy gives a result away, in the mean over positions."""
    return float(positions.judge(PolicyPlayer(policy, ""), 0)[:, :, GIVEN].mean())


def _size(table: Table) -> int:
    return sum(part.nbytes for part in (table.slots, table.keys, table.values))


@table("game", "positions", "rows of the table", "its size", "random play gives away", "it gives away", "gone", "games")
def every_game(evidence: Evidence) -> Iterator[Row]:
    """Each game, from small to large."""
    for game, each in sorted(courses(evidence).items(), key=lambda found: found[1].positions):
        name = "tic-tac-toe" if "TicTacToe" in game else game
        figures = (
            *((COUNT, each.positions), (COUNT, each.rows), (MEGABYTES, each.bytes / 1e6)),
            *((SHARE, each.random), (SHARE, each.learned), (SHARE, each.gone), (COUNT, each.games)),
        )
        yield [name, *(known("", unit, certain(value)) for unit, value in figures)]


def in_every_game(evidence: Evidence) -> Finding:
    """Whether less is given away than by random play in each of the games."""
    found = {game: each.gone for game, each in courses(evidence).items()}
    enough = sum(gone >= GONE for gone in found.values())
    minimum = min(found, key=lambda game: found[game])
    words = f"the least is gone in {minimum}, {found[minimum]:.1%}; {GONE:.0%} in {enough} of {len(found)} games"
    return Finding(words, found[minimum] > 0.0, evidence.is_judged)


def less_in_larger(evidence: Evidence) -> Finding:
    """Whether less is gone the more positions a game has."""
    from scipy.stats import spearmanr

    found = courses(evidence).values()
    series = [each.positions for each in found], [each.gone for each in found]
    less, more = (spearmanr(*series, alternative=side) for side in ("less", "greater"))
    answer = True if less.pvalue < RARE else False if more.pvalue < RARE else None
    return Finding(f"{less.statistic:.2f} over {len(found)} games (p = {less.pvalue:.2g})", answer, evidence.is_judged)


WORKS_EVERYWHERE = Rule("in each of the games below it gives fewer results away than random play", in_every_game)
LIMIT_IS_SIZE = Rule(
    "the more positions a game has, the less of random play's mistakes are gone (Spearman's rank correlation over the "
    f"games below, one-sided, p < {RARE:g})",
    less_in_larger,
)
