"""Players who all meet each other under one limit of thought, in games that are played and kept block by block.

    asked = RoundRobin({"all": "search", "half": "search:keep=0.5"}, Size(400, 20), Limit(nodes=3000))
    lead(lambda evidence: asked, "half", "all")

The scores of a round robin hang together, as two players of it have met: `lead` says by how much one is ahead.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from petteia.arena.statistics import Interval, independent_sum
from petteia.core.arrays import Floats
from petteia.core.decision import Limit
from petteia.experiments.tournament.by_limit import score_of_player
from petteia.experiments.tournament.matches import Cell
from petteia.experiments.tournament.results import TournamentTable
from petteia.players.player import UNLIMITED
from petteia.reports.engine.estimates import POINTS, SHARE
from petteia.reports.engine.figures import Figure
from petteia.reports.engine.rules import Finding, Rule
from petteia.reports.engine.settings import Size

UNSEEN = 0.5
"""what is added to the count of each result, Jeffreys' prior: so a few games that end alike are no certainty"""


@dataclass(frozen=True)
class RoundRobin:
    """Who meet each other, and how."""

    players: Mapping[str, str]
    """their text forms, by what they are called"""
    games: int | Size
    """of each two of them; each opening is played from both sides"""
    limit: Limit = UNLIMITED
    """how much thought a move may take"""
    clock: str | None = None
    """the time of each player, instead"""
    openings: str = "random:2"
    seed: int = 0
    """of all openings"""
    pairing: Literal["round-robin", "gauntlet"] = "round-robin"
    """whether all meet each other, or the first meets each other"""


Asked = Callable[[Any], RoundRobin]
"""which round robin, by what was found"""


def cell_of(table: TournamentTable, one: str, other: str) -> Cell:
    """The match of two players, by their text forms, as the first of them sees it."""
    return table.crosstable[one, other]


def score(asked: Asked, player: str) -> Figure:
    """The score of a player, by what it is called, against all others."""

    def of(evidence: Any) -> Interval:
        wanted = asked(evidence)
        return score_of_player(evidence.round_robin(wanted), wanted.players[player])

    return Figure("the score", SHARE, of, player)


def against(asked: Asked, one: str, other: str) -> Figure:
    """The score of a player against one other, both by what they are called."""

    def of(evidence: Any) -> Interval:
        wanted = asked(evidence)
        cell = cell_of(evidence.round_robin(wanted), wanted.players[one], wanted.players[other])
        return Interval(cell.score, cell.low, cell.high)

    return Figure("the score", SHARE, of, f"{one} against {other}")


def lead(asked: Asked, one: str, other: str, where: str = "") -> Figure:
    """The score of one player less that of another, in the same games; `where`: under what limit, in words."""

    def of(evidence: Any) -> Interval:
        wanted = asked(evidence)
        return lead_of(evidence.round_robin(wanted), wanted.players[one], wanted.players[other])

    return Figure("the lead in score", POINTS, of, f"{one} over {other}{where and f', {where}'}")


def lead_of(table: TournamentTable, one: str, other: str) -> Interval:
    """The score of one player less that of another: their own match counts twice, and each match with a third once."""
    rest = [each for each in table.plan.players if each not in (one, other)]
    weight = 1.0 / (len(rest) + 1)
    terms = [(2.0 * weight, cell_of(table, one, other))]
    for each in rest:
        terms += [(weight, cell_of(table, one, each)), (-weight, cell_of(table, other, each))]
    found = independent_sum([(times, Interval(cell.score, cell.low, cell.high)) for times, cell in terms])
    return Interval(*(bound - weight for bound in found)).kept_in(-1.0, 1.0)


def may_be_best(table: TournamentTable) -> list[str]:
    """The players, by their text forms, over whom no other has a lead that is sure at 95 %."""
    players = table.plan.players
    return [
        each for each in players if not any(lead_of(table, other, each).low > 0.0 for other in players if other != each)
    ]


def best_is(words: str, sets: Callable[[Any], Mapping[str, Sequence[Any]]], holds: Callable[..., bool]) -> Rule:
    """Something is so of what is best under each of several conditions.

    Args:
        words: what must be so
        sets: from the evidence: what may be best, by the words for the condition
        holds: whether it is so if these are the best, one under each condition

    It holds if it is so whichever of those that may be best are; it does not if it is so for none.

    """

    def judge(evidence: Any) -> Finding:
        found = sets(evidence)
        answers = {holds(*chosen) for chosen in itertools.product(*found.values())}
        ours = "; ".join(f"{where}: {' or '.join(map(str, each))}" for where, each in found.items())
        return Finding(f"what may be best, {ours}", answers.pop() if len(answers) == 1 else None)

    return Rule(words, judge)


def chance_to_name(table: TournamentTable, games: int, draws: int = 400, samples: int = 400) -> Interval:
    """How probable it is that a round robin of so many games of each match names the best player.

    Its results are drawn with the probabilities that the games of `table` leave open; whose score is then the highest
    is named, one of several by lot. The interval holds 95 % of what is left open.
    """
    players, random = table.plan.players, np.random.default_rng(0)
    pairs = [*itertools.combinations(range(len(players)), 2)]
    cells = [cell_of(table, players[i], players[j]) for i, j in pairs]
    counts = np.array([[cell.wins + cell.draws / 2.0, cell.losses + cell.draws / 2.0] for cell in cells]) + UNSEEN
    probabilities = random.beta(counts[:, 0], counts[:, 1], (draws, len(pairs)))
    best = _points(probabilities, pairs, len(players)).argmax(axis=-1)
    won = random.binomial(games, probabilities[:, None, :], (draws, samples, len(pairs)))
    points = _points(won / games, pairs, len(players)) + random.random((draws, samples, len(players))) / (4.0 * games)
    named = (points.argmax(axis=-1) == best[:, None]).mean(axis=1)
    return Interval(float(named.mean()), *map(float, np.quantile(named, (0.025, 0.975))))


def _points(shares: Floats, pairs: Sequence[tuple[int, int]], players: int) -> Floats:
    """The points of each player, [..., players], from the first-named one's share in each match, [..., pairs]."""
    points = np.zeros((*shares.shape[:-1], players))
    for number, (i, j) in enumerate(pairs):
        points[..., i] += shares[..., number]
        points[..., j] += 1.0 - shares[..., number]
    return points
