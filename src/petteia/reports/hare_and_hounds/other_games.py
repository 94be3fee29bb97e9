"""The same learner in other games: how much of random play's regret goes away, and how large its table grows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from petteia.arena.regret import regret
from petteia.core.protocol import Rules, State, initial, margin_range
from petteia.core.random import keys
from petteia.games import game as rules_of
from petteia.learn.tabular import learn_games, table_for
from petteia.learn.targets import Learner
from petteia.learned.table import Table, TablePolicy
from petteia.players.perfect import solved
from petteia.policies.play_games import RngKeys
from petteia.policies.policy import Policy, Uniform
from petteia.reports.engine.evidence import Evidence
from petteia.reports.engine.kept import kept
from petteia.reports.engine.rules import Finding, Rule
from petteia.reports.engine.settings import Size
from petteia.reports.engine.tables import Row, table
from petteia.reports.hare_and_hounds.plan import ALPHA, EPSILON, GAME, GAMMA

SMALL = ("petteia.games.tic_tac_toe:TicTacToe", "british-square:size=3", "kalah:pits=3,seeds=2", GAME)
LARGE = ("british-square:size=4", "kalah:pits=4,seeds=3", "british-square:size=5", "kalah")
MOST = Size(1_000_000, 50_000)
"""games of learning"""
FIRST = 1_000
"""games after which it is measured first; then after twice as many, and so on"""
GONE = 0.9
"""the share of random play's regret that has to go"""
TESTED, ENDINGS, STONES = 1_000, 200, 12
"""games against the random player in which regret is measured; of a game that is not solved, endings in their place,
and the stones that are left in these at most"""
ROOM = 11**6 * 3
"""values for which the thesis's arrays have room"""
DEPENDS = (regret, learn_games)


class Course(NamedTuple):
    """What comes of learning a game."""

    positions: int | None
    """that can be reached, images of each other counted once; None if the game is not solved here"""
    random: float
    """the mean regret of a move of the random player"""
    learned: float
    """the mean regret of a learned move"""
    games: int
    """until GONE of the regret is gone, or all"""
    rows: int
    """of the table"""
    kilobytes: float
    """of the rows"""

    @property
    def gone(self) -> float:
        """The share of random play's regret that is gone."""
        return 1.0 - self.learned / self.random


@kept
def course(evidence: Evidence, game: str, most: int) -> Course:
    """What comes of so many games of learning as the first player, against the random one."""
    rules = rules_of(game)
    positions = None if game == LARGE[-1] else len(solved(rules).states)
    random, words = _regret(rules, Uniform(), positions), keys(0, 4)
    learner, table, done, known = Learner(), table_for(rules, Learner()), 0, np.inf
    while done < most and known > (1.0 - GONE) * random:
        games = min(max(done, FIRST), most - done)
        table = learn_games(
            *(rules, initial(rules), 0, table, Uniform()),
            alphas=np.full(games, ALPHA),
            explorations=np.full(games, EPSILON),
            gammas=np.full(games, GAMMA),
            keys=RngKeys(*words),
            first_game=done,
            learner=learner,
        )
        done += games
        known = _regret(rules, TablePolicy(table), positions)
    return Course(positions, random, float(known), done, int(table.used[0]), _size(table) / 1e3)


def _regret(rules: Rules, policy: Policy, positions: int | None) -> float:
    if positions is None:
        return regret(rules, policy, over=is_ending, sample=ENDINGS, seat=0).mean
    return regret(rules, policy, over="games", against="random", games=TESTED, seat=0).mean


def is_ending(rules: Rules, state: State) -> bool:
    """Whether few stones are left, so that a search sees the end."""
    low, high = margin_range(rules, state)
    return high - low <= 2 * STONES


def _size(table: Table) -> int:
    return int(int(table.used[0]) * (table.keys.itemsize + table.values.itemsize * table.values.shape[1]))


def courses(evidence: Evidence) -> Iterator[tuple[str, Course]]:
    """The games of this scale, and what came of them."""
    for game in SMALL + (LARGE if evidence.is_judged else ()):
        yield game, course(evidence, game, evidence.size(MOST))


@table(
    "game", "positions", "rows of the table", "its size", "regret of random play", "of learned play", "gone", "games"
)
def every_game(evidence: Evidence) -> Iterator[Row]:
    """Each game, from small to large."""
    for game, each in courses(evidence):
        positions = f"{each.positions:,}" if each.positions else "not known"
        until = f"{each.games:,}" if each.gone >= GONE else f"not within {each.games:,}"
        size = f"{each.kilobytes / 1e3:,.1f} MB"
        regrets = (f"{each.random:.3f}", f"{each.learned:.3f}", f"{each.gone:.0%}")
        yield [game.split(":")[-1] if "TicTacToe" in game else game, positions, f"{each.rows:,}", size, *regrets, until]


def in_every_game(evidence: Evidence) -> Finding:
    """Whether nine tenths of random play's regret go in each of the games."""
    found = [(game, each.gone) for game, each in courses(evidence)]
    short = [f"{game} {gone:.0%}" for game, gone in found if gone < GONE]
    words = f"{len(found) - len(short)} of {len(found)} games" + (f"; less in {', '.join(short)}" if short else "")
    return Finding(words, not short, evidence.is_judged)


WORKS_EVERYWHERE = Rule(
    f"in each of the games below {GONE:.0%} of random play's regret are gone within {MOST.paper:,} games", in_every_game
)
