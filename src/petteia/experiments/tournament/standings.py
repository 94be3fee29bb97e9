"""The standings of a tournament: its players, ranked by their ratings or by their mean margins."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from petteia.arena.margins import mean_margin
from petteia.arena.ratings import Pairing, Rating, ratings
from petteia.experiments.tournament.comparison import Counts
from petteia.experiments.tournament.declaration import Score
from petteia.experiments.tournament.matches import Cell


class Standing(NamedTuple):
    """A player's place in the standings.

    Ratings are Elo points relative to the mean of all players. A bound of a confidence interval is None if the interval
    is unbounded in this direction.
    """

    player: str
    """the name of the player"""
    games: int
    """the number of games against other players"""
    wins: int
    """the number of games won"""
    draws: int
    """the number of games drawn"""
    losses: int
    """the number of games lost"""
    pairs: str
    """the numbers of pairs of games with 0, 1/2, 1, 3/2 and 2 points, separated by spaces; the numbers of single games
    with 0, 1/2 and 1 if games do not come in pairs"""
    score: float
    """the share of the points, 0..1"""
    as_first: float | None
    """the share of the points in games as player 0; None without such games"""
    as_second: float | None
    """the share of the points in games as player 1; None without such games"""
    plies: float
    """the mean length of the player's games in plies, after their openings"""
    elo: float | None
    """the rating; None for a player that has won all its games, or has lost all of them"""
    low: float | None
    """lower bound of the 95 % interval of the rating"""
    high: float | None
    """upper bound of the same interval"""
    all_low: float | None
    """lower bound of the simultaneous intervals, which contain the ratings of all players in 95 % of tournaments"""
    all_high: float | None
    """upper bound of the same interval"""
    superiority: float | None
    """the likelihood, 0..1, that the player is stronger than the next player; None for the last player, for a player
    without a rating, and if players are ranked by margins"""
    margin: float
    """the mean margin of the player's games"""
    margin_low: float | None
    """lower bound of the 95 % interval of the mean margin; None if it is not known"""
    margin_high: float | None
    """upper bound of the same interval"""
    seconds_per_move: float | None
    """the mean time of a move; None if time was not limited"""
    seconds_per_game: float | None
    """the mean time of all the player's moves in a game; None if time was not limited"""
    illegal: int
    """the number of games that the player lost by an illegal move"""
    timeouts: int
    """the number of games that the player lost by a late move"""
    crashed: int
    """the number of games that the player lost by a crash"""


def standings(players: Sequence[str], cells: Sequence[Cell], score: Score = "points") -> list[Standing]:
    """Return the standings of the players by their ratings or by their mean margins, strongest first.

    Games of a player against itself do not count in the standings.
    """
    met = [cell for cell in cells if cell.row != cell.column]
    pairings = [Pairing(players.index(cell.row), players.index(cell.column), cell.units) for cell in met]
    if not met:
        return []
    found, superiority = ratings(len(players), pairings)
    order = sorted(range(len(found)), key=lambda place: _rank(found[place]), reverse=True)
    if score == "margin":
        by_margin = [_standing(players[place], found[place], met, None) for place in order]
        return sorted(by_margin, key=lambda each: -each.margin)
    likely = [superiority[one][other] for one, other in pairwise(order)]
    return [
        _standing(players[place], found[place], met, None if math.isnan(each) else each)
        for place, each in zip(order, [*likely, math.nan], strict=True)
    ]


def share_of_points(counts: Sequence[Counts]) -> float | None:
    """Return the share of the points, 0..1, that a player scored; None if there are no games.

    `counts` contains a triple for each match: the numbers of wins, draws and losses of the player.
    """
    wins, draws, losses = (sum(each[kind] for each in counts) for kind in range(3))
    games = wins + draws + losses
    return (wins + draws / 2) / games if games else None


def _rank(rating: Rating) -> tuple[float, float]:
    """Return the sort key of a rating; stronger players have larger keys.

    A player that has won all its games ranks above all others. A player that has lost all its games ranks below all
    others.
    """
    bounds = [bound for bound in (rating.low, rating.high) if math.isfinite(bound)]
    return 0.0 if math.isnan(rating.elo) else rating.elo, sum(bounds)


def _standing(name: str, rating: Rating, cells: Sequence[Cell], superiority: float | None) -> Standing:
    own = [cell for cell in cells if cell.row == name] + [cell.turned for cell in cells if cell.column == name]
    counts = [sum(each) for each in zip(*(cell.counts for cell in own), strict=True)]
    games = sum(counts)
    seats = [share_of_points([cell.by_seat[seat] for cell in own]) for seat in (0, 1)]
    plies = sum(cell.plies * cell.games for cell in own) / games
    bounds = (elo if math.isfinite(elo) else None for elo in rating)
    score = share_of_points([cell.counts for cell in own])
    margin = mean_margin([(cell.margins, sum(cell.units), cell.games) for cell in own])
    seconds, moves = (sum(each) for each in zip(*(cell.used[0] for cell in own), strict=True))
    illegal, timeouts, crashed = (sum(cell.row_lost[kind] for cell in own) for kind in range(3))
    elo, low, high, all_low, all_high = bounds
    wins, draws, losses = counts
    return Standing(
        player=name,
        games=games,
        wins=wins,
        draws=draws,
        losses=losses,
        pairs=" ".join(str(sum(each)) for each in zip(*(cell.units for cell in own), strict=True)),
        score=score or 0.0,
        as_first=seats[0],
        as_second=seats[1],
        plies=plies,
        elo=elo,
        low=low,
        high=high,
        all_low=all_low,
        all_high=all_high,
        superiority=superiority,
        seconds_per_move=seconds / moves if moves else None,
        seconds_per_game=seconds / games if moves else None,
        illegal=illegal,
        timeouts=timeouts,
        crashed=crashed,
        margin=margin.mean,
        margin_low=margin.low if margin.is_known else None,
        margin_high=margin.high if margin.is_known else None,
    )
