"""Elo ratings of the players of a tournament, with confidence intervals for games played in pairs.

The ratings follow the model of Bradley and Terry, on the Elo scale. The expected score of a player is a logistic
function of the rating difference; a difference of 400 points means odds of ten to one. The ratings maximise the
likelihood of the mean scores.

The model ignores draws, and assumes that the two games of a pair are independent. Therefore the variances do not come
from the model, but from the observed scores of the pairs (the "sandwich" estimator of variances). These variances are
also valid for draws, biased openings and correlated games.

Sources: Bradley and Terry 1952, "Rank analysis of incomplete block designs: I. The method of paired comparisons",
Biometrika 39; Wedderburn 1974, "Quasi-likelihood functions, generalized linear models, and the Gauss-Newton method",
Biometrika 61; White 1982, "Maximum likelihood estimation of misspecified models", Econometrica 50.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from petteia.arena.statistics import NORMAL_95, TAIL
from petteia.core.arrays import Floats

ELO = 400.0 / math.log(10.0)
"""Elo points for each unit of the logarithm of the odds"""
TOLERANCE = 1e-10
STEPS = 200
DRAWS = 100_000
"""the number of samples for the width of simultaneous intervals; its error is about 0.2 %"""


class Pairing(NamedTuple):
    """The results of one player against another."""

    first: int
    """the number of the player whose points are counted in `counts`"""
    second: int
    """the number of the opponent"""
    counts: tuple[int, ...]
    """the number of units for each number of the first player's points, from none to all of them in equal steps. Units
    are independent of each other. A pair of games from one opening has five possible results (0, 0.5, ... 2 points), a
    single game has three"""

    @property
    def units(self) -> int:
        """The number of independent observations: pairs of games, or single games."""
        return sum(self.counts)

    @property
    def scores(self) -> Floats:
        """The possible scores, 0..1, of a pair of games or of a single game, in ascending order: float64[results]."""
        return np.arange(len(self.counts)) / (len(self.counts) - 1)

    @property
    def score(self) -> float:
        """The first player's mean score, 0..1."""
        return float(np.dot(self.scores, self.counts)) / self.units

    @property
    def variance(self) -> float:
        """The estimated variance of the score of a pair of games, or of a single game if games do not come in pairs.

        The estimate is the sum of squared deviations plus p (1 - p), divided by the number of scores. Here p is the
        mean score after one additional draw. Because p is never 0 or 1, the estimate is positive even if all scores are
        equal.
        """
        squares = float(np.dot((self.scores - self.score) ** 2, self.counts))
        mean = (self.score * self.units + 0.5) / (self.units + 1)
        return (squares + mean * (1.0 - mean)) / self.units


class Rating(NamedTuple):
    """The rating of a player. All values are Elo points; 0 is the mean of the players whose ratings are finite."""

    elo: float
    """the rating; infinite for a player that won all games against the rated players, or lost all of them"""
    low: float
    """lower bound of the 95 % confidence interval"""
    high: float
    """upper bound of the same interval"""
    all_low: float
    """lower bound of the simultaneous interval; these intervals contain the ratings of all players in 95 % of
    tournaments"""
    all_high: float
    """upper bound of the simultaneous interval"""


class Ratings(NamedTuple):
    """The ratings of the players of a tournament."""

    players: tuple[Rating, ...]
    """the ratings by player number"""
    superiority: tuple[tuple[float, ...], ...]
    """superiority[i][j]: the likelihood that player i is stronger than player j, 0..1; 0.5 on the diagonal, and NaN if
    one of the players is not rated"""


def elo_of(score: float) -> float:
    """Return the difference of ratings, in Elo points, that corresponds to an expected score, 0..1."""
    if score <= 0.0 or score >= 1.0:
        return math.copysign(math.inf, score - 0.5)
    return ELO * math.log(score / (1.0 - score))


def shown_elo(points: float | None) -> str:
    """Format Elo points, such as `+12`. For None, a missing bound of a rating, the result is `unbounded`."""
    return "unbounded" if points is None else f"{round(points):+d}"


def score_of(elo: float) -> float:
    """Return the expected score, 0..1, of a player that is `elo` points stronger than its opponent."""
    return float(np.exp(-np.logaddexp(0.0, -elo / ELO)))


def superiority(counts: tuple[int, ...]) -> float:
    """Return the likelihood of superiority: the probability that the player with these results is the stronger one."""
    pairing = Pairing(0, 1, counts)
    if pairing.score in (0.0, 1.0):  # all games won or lost: the rule of succession applies
        return (pairing.units * pairing.score + 1.0) / (pairing.units + 2.0)
    return _normal((pairing.score - 0.5) / math.sqrt(pairing.variance / pairing.units))


def _normal(value: float) -> float:
    """Return the standard normal cumulative distribution function at `value`."""
    return 0.5 * math.erfc(-value / math.sqrt(2.0))


def ratings(players: int, pairings: Sequence[Pairing]) -> Ratings:
    """Rate the players of a tournament by their results against each other. `players` is the number of players.

    Two players are comparable if each has scored against the other, directly or through a chain of other players. Only
    the largest group of comparable players is rated.

    If a player outside the rated group won all its games against the group, only a lower bound of its rating is
    computed. A player whose rating is equal to this bound would win all these games with a probability of 5 %. If the
    player lost all its games against the group, only an upper bound is computed, in the same way. For both bounds, the
    two games of a pair count as one game.
    """
    played = [each for each in pairings if each.units and each.first != each.second]
    rated = _comparable(players, played)
    place = {player: number for number, player in enumerate(rated)}
    inside = [each for each in played if each.first in place and each.second in place]
    values, covariance = _maximum(len(rated), [(place[each.first], place[each.second], each) for each in inside])
    spread = np.sqrt(np.diag(covariance))
    both = _simultaneous(covariance)
    known = dict(zip(rated, values.tolist(), strict=True))
    found = [Rating(math.nan, -math.inf, math.inf, -math.inf, math.inf)] * players
    for player, number in place.items():
        value, one = ELO * values[number], ELO * spread[number]
        each, every = NORMAL_95 * one, both * one
        found[player] = Rating(*(float(x) for x in (value, value - each, value + each, value - every, value + every)))
    for player in set(range(players)) - set(rated):
        found[player] = _one_sided(player, known, played, TAIL * 2 / players)
    return Ratings(tuple(found), _superiority(players, place, values, covariance))


def _comparable(players: int, pairings: Sequence[Pairing]) -> list[int]:
    """Return the player numbers of the largest group of players that can be compared with each other.

    In the returned group, a chain of results leads from each player to every other player. Each player in a chain has
    scored at least half a point against the next player.
    """
    takes = np.eye(players, dtype=np.bool_)
    for each in pairings:
        if sum(each.counts[1:]):
            takes[each.first, each.second] = True
        if sum(each.counts[:-1]):
            takes[each.second, each.first] = True
    for middle in range(players):
        takes |= takes[:, middle : middle + 1] & takes[middle : middle + 1]
    mutual = takes & takes.T
    largest = int(np.argmax(mutual.sum(axis=1)))
    return [int(each) for each in np.flatnonzero(mutual[largest])]


def _maximum(players: int, pairings: Sequence[tuple[int, int, Pairing]]) -> tuple[Floats, Floats]:
    """Return the ratings as log-odds, float64[players], and their covariances, float64[players, players].

    The game results determine only differences of ratings, so the ratings are shifted to a mean of 0.
    """
    values = np.zeros(players)
    if not pairings:
        return values, np.zeros((players, players))
    first, second = (np.array([each[side] for each in pairings]) for side in (0, 1))
    units = np.array([each.units for *_, each in pairings], np.float64)
    scores = np.array([each.score for *_, each in pairings])
    contrasts = np.zeros((len(pairings), players))
    contrasts[np.arange(len(pairings)), first] = 1.0
    contrasts[np.arange(len(pairings)), second] -= 1.0
    for _ in range(STEPS):
        expected = 1.0 / (1.0 + np.exp(values[second] - values[first]))
        weights = units * expected * (1.0 - expected)
        information = contrasts.T @ (weights[:, None] * contrasts)
        # Ratings are only known up to a constant. Any information about their mean makes the matrix regular. It cancels
        # in steps and covariances, which are contrasts.
        inverse = np.linalg.inv(information + np.trace(information) / players)
        step = inverse @ (contrasts.T @ (units * (scores - expected)))
        values = values + np.clip(step, -1.0, 1.0)
        if np.abs(step).max() < TOLERANCE:
            break
    scatter = units * np.array([each.variance for *_, each in pairings])
    middle = contrasts.T @ (scatter[:, None] * contrasts)
    return values - values.mean(), inverse @ middle @ inverse


def _simultaneous(covariance: Floats) -> float:
    """Return the half width, in standard errors, of simultaneous 95 % confidence intervals.

    With a probability of 95 %, the intervals of all players contain their true ratings at the same time.
    """
    if len(covariance) < 2 or not covariance.any():
        return NORMAL_95
    lengths, directions = np.linalg.eigh(covariance)
    draws = np.random.default_rng(1).standard_normal((DRAWS, len(covariance)))
    values = draws @ (directions * np.sqrt(np.maximum(lengths, 0.0))).T
    return float(np.quantile(np.abs(values / np.sqrt(np.diag(covariance))).max(axis=1), 1.0 - 2 * TAIL))


def _one_sided(player: int, known: dict[int, float], pairings: Sequence[Pairing], every: float) -> Rating:
    """Return a bound of a player's rating: a lower bound if it won all games, an upper bound if it lost all games.

    `known` maps the numbers of the rated players to their ratings. Only games against these players count. If the
    player neither won nor lost all of them, or if there are no such games, the returned rating is NaN.
    """
    units: dict[int, int] = {}
    points = 0.0
    for each in pairings:
        for me, other, score in (
            (each.first, each.second, each.score),
            (each.second, each.first, 1.0 - each.score),
        ):
            if me == player and other in known:
                units[other] = units.get(other, 0) + each.units
                points += score * each.units
    total = sum(units.values())
    if not total or 0.0 < points < total:
        return Rating(math.nan, -math.inf, math.inf, -math.inf, math.inf)
    sign = 1.0 if points else -1.0

    def bound(probability: float) -> float:
        """Return the rating for which the player's results, only wins or only losses, have the given probability."""
        low, high = -60.0, 60.0
        for _ in range(100):
            middle = (low + high) / 2
            log = -sum(n * np.logaddexp(0.0, sign * known[other] - middle) for other, n in units.items())
            low, high = (middle, high) if log < math.log(probability) else (low, middle)
        return sign * ELO * (low + high) / 2

    one, all_ = bound(2 * TAIL), bound(every)
    if sign > 0:
        return Rating(math.inf, one, math.inf, all_, math.inf)
    return Rating(-math.inf, -math.inf, one, -math.inf, all_)


def _superiority(
    players: int, place: dict[int, int], values: Floats, covariance: Floats
) -> tuple[tuple[float, ...], ...]:
    table = np.full((players, players), math.nan)
    np.fill_diagonal(table, 0.5)
    for one, i in place.items():
        for other, j in place.items():
            if one != other:
                variance = covariance[i, i] + covariance[j, j] - 2.0 * covariance[i, j]
                table[one, other] = _normal((values[i] - values[j]) / math.sqrt(variance))
    return tuple(tuple(row) for row in table.tolist())
