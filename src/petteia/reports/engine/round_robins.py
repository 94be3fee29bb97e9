"""Round robins: matches between all players under the same limit. Their games are saved block by block.

    asked = RoundRobin({"all": "search", "half": "search:keep=0.5"}, Size(400, 20), Limit(nodes=3000))
    lead(lambda evidence: asked, "half", "all")

The scores of two players in a round robin both contain the match between these players, so they are not independent.
`lead` computes the difference of their scores. The interval of the difference takes this dependence into account.
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
from petteia.experiments.tournament.results import TournamentTable
from petteia.players.player import UNLIMITED
from petteia.reports.engine.estimates import POINTS, SHARE, Unit, score_of
from petteia.reports.engine.figures import Figure
from petteia.reports.engine.rules import Finding, Rule, together
from petteia.reports.engine.settings import Size

UNSEEN = 0.5
"""The addition to the count of each result (Jeffreys' prior), so that a few equal results do not give certainty."""


@dataclass(frozen=True)
class RoundRobin:
    """The players of a round robin, the number of games of each pair, and the conditions, such as limit or openings."""

    players: Mapping[str, str]
    """The text forms of the players by name."""
    games: int | Size
    """The games of each pair of players. Each opening is played from both sides."""
    limit: Limit = UNLIMITED
    """The limit of each move."""
    clock: str | None = None
    """The clock of each player, instead of a limit."""
    openings: str = "random:2"
    seed: int = 0
    """The seed of all openings."""
    pairing: Literal["round-robin", "gauntlet"] = "round-robin"
    """Whether all players play against each other, or only the first against all others."""


CONDITIONS = ("limit", "clock", "openings", "seed", "pairing")
"""The conditions of a round robin that `petteia.tournament` has, too."""
Asked = Callable[[Any], RoundRobin]
"""A function that takes the evidence (the saved measurements of a report) and returns a round robin."""


def score(asked: Asked, player: str) -> Figure:
    """Return the score of a player of a round robin against all others. The player is given by name."""
    return _figure(asked, "the score", score_of_player, (player,), player)


def against(asked: Asked, one: str, other: str) -> Figure:
    """Return the score of one player of a round robin against another. Both players are given by name."""
    return _figure(asked, "the score", _score, (one, other), f"{one} against {other}")


def lead(asked: Asked, one: str, other: str, where: str = "") -> Figure:
    """Return the score of one player minus the score of another player in the same round robin.

    `where` is a text about the limit of the round robin, such as `, at 2 s`. It is appended to the names of the
    players.
    """
    return _figure(asked, "the lead in score", lead_of, (one, other), f"“{one}” over “{other}”{where}", POINTS)


def _figure(
    asked: Asked, words: str, of: Callable[..., Interval], names: Sequence[str], subject: str, unit: Unit = SHARE
) -> Figure:
    """Return a `Figure` that calls `of` with the table of a round robin and the text forms of its players `names`."""

    def found(evidence: Any) -> Interval:
        wanted = asked(evidence)
        return of(evidence.round_robin(wanted), *(wanted.players[name] for name in names))

    return Figure(words, unit, found, subject)


def _score(table: TournamentTable, one: str, other: str) -> Interval:
    return score_of(table.crosstable[one, other])


def lead_of(table: TournamentTable, one: str, other: str) -> Interval:
    """Return the score of one player minus the score of another player in the same round robin.

    The match between the two players counts twice, because it is part of both scores.
    """
    rest = [each for each in table.plan.players if each not in (one, other)]
    weight = 1.0 / (len(rest) + 1)
    terms = [(2.0 * weight, _score(table, one, other))]
    for each in rest:
        terms += [(weight, _score(table, one, each)), (-weight, _score(table, other, each))]
    found = independent_sum(terms)
    return Interval(*(bound - weight for bound in found)).kept_in(-1.0, 1.0)


def may_be_best(table: TournamentTable) -> list[str]:
    """Return the text forms of the players that may be best: no other player has a significantly higher score.

    A score is significantly higher if the 95 % interval of the lead contains only positive values.
    """
    players = table.plan.players
    return [
        each for each in players if not any(lead_of(table, other, each).low > 0.0 for other in players if other != each)
    ]


def best_is(
    words: str, best: str, sets: Callable[[Any], Mapping[str, Sequence[Any]]], holds: Callable[..., bool]
) -> Rule:
    """Return a rule that tests a statement about the best choice under each of several conditions.

    Args:
        words: the statement
        best: the name of the choices that may be best, such as `shares that no other share beats significantly`
        sets: a function that takes the evidence of a report, and returns the choices that may be best under each
            condition
        holds: a function that takes one choice for each condition, and returns whether the statement is true for them

    Several choices may be best under a condition. The rule is true if the statement is true for every combination of
    such choices, one for each condition. The rule is false if the statement is false for every combination. Otherwise
    it is undecided.

    """

    def judge(evidence: Any) -> Finding:
        found = sets(evidence)
        answers = {holds(*chosen) for chosen in itertools.product(*found.values())}
        parts = [Finding(", ".join(map(str, each)), None, measure=best, case=where) for where, each in found.items()]
        return together(parts, answers.pop() if len(answers) == 1 else None)

    return Rule(words, judge)


def chance_to_name(table: TournamentTable, games: int, draws: int = 400, samples: int = 400) -> Interval:
    """Estimate the probability that a round robin with `games` games per match identifies the best player.

    Expected scores of the matches are drawn from their posterior distribution, given the games of `table`. Round robins
    are then simulated with these expected scores. In each, the player with the highest score is found, and ties are
    broken at random. The estimate is the share of simulations in which this player also has the highest expected score.
    The interval contains 95 % of the distribution of this share over the drawn expected scores.
    """
    players, random = table.plan.players, np.random.default_rng(0)
    pairs = [*itertools.combinations(range(len(players)), 2)]
    cells = [table.crosstable[players[i], players[j]] for i, j in pairs]
    counts = np.array([[cell.wins + cell.draws / 2.0, cell.losses + cell.draws / 2.0] for cell in cells]) + UNSEEN
    probabilities = random.beta(counts[:, 0], counts[:, 1], (draws, len(pairs)))
    best = _points(probabilities, pairs, len(players)).argmax(axis=-1)
    won = random.binomial(games, probabilities[:, None, :], (draws, samples, len(pairs)))
    points = _points(won / games, pairs, len(players)) + random.random((draws, samples, len(players))) / (4.0 * games)
    named = (points.argmax(axis=-1) == best[:, None]).mean(axis=1)
    return Interval(float(named.mean()), *map(float, np.quantile(named, (0.025, 0.975))))


def _points(shares: Floats, pairs: Sequence[tuple[int, int]], players: int) -> Floats:
    """Add up the points of each player, [..., players], from the results of all pairs, [..., pairs].

    `shares` contains the score of the first player of each pair.
    """
    first, second = np.eye(players)[np.transpose(pairs)]
    points: Floats = shares @ first + (1.0 - shares) @ second
    return points
