"""Tests for features that lack information about the state, and for a side that plays much worse than the other."""

from __future__ import annotations

from typing import NamedTuple

from petteia.analysis.doctor.evidence import Evidence
from petteia.analysis.doctor.explained import explained
from petteia.analysis.doctor.judging import GAMES
from petteia.analysis.doctor.remains import UnexaminedError
from petteia.analysis.doctor.signs import Figures, a_table
from petteia.analysis.doctor.strength import short_search
from petteia.core.errors import UsageError

LACKING = 0.6
"""The share of the explained variation of values by features, relative to the state, below which features lack
information. It was 0.62 or more in 35 sound training runs with features, and 0.57 or less in eight training runs with
features that were wrong or too few."""
AS_SEARCH = 0.9
"""The part of a shallow search's gain over random moves, below which the player is weak enough for features to be
suspected."""
WEAK_SIDE, STRONG_SIDE = 0.65, 0.7
"""The gain of the weaker side, relative to a shallow search, as a part of that of the stronger side; and the minimum
gain of the stronger side. In 24 sound training runs of both sides the first part was 0.68 or more."""
MIN_GAIN = 0.1
"""The minimum gain in score of a shallow search over random moves in a seat in which players are compared."""
MANY = 2_000
"""The number of games that confirm a weak side."""


class Seat(NamedTuple):
    """The scores of the trained player, a random player and a shallow search, in one seat against random moves."""

    name: str
    """the name of the seat"""
    score: float
    """the score of the trained player"""
    without: float
    """the score of the random player"""
    reference: float
    """the score of the shallow search"""

    @property
    def gain(self) -> float:
        """The trained player's gain in score over the random player, divided by the gain of the shallow search."""
        return (self.score - self.without) / (self.reference - self.without)


def lacking_features(seen: Evidence) -> Figures | None:
    """Test whether the features predict values of positions much worse than the full state of the game does.

    The values of positions are predicted by a linear function of the features, and by a regression on polynomials in
    the bits of the state. If the regression on the bits is much better, the features leave out or distort information.
    The fault is reported only if the trained player is also weaker than a shallow search.
    """
    seen.check_far_enough()
    weakest = min(_seats(seen), key=lambda seat: seat.gain)
    if weakest.gain >= AS_SEARCH:
        return None
    found = explained(seen)
    if found.by_features >= LACKING * found.by_state:
        return None
    figures = {"features": max(found.by_features, 0.0), "state": found.by_state, "source": found.source}
    table = "" if seen.solution is None else f"; or {a_table(seen)}"
    return figures | {"positions": found.positions, "table": table, **_compared(seen, weakest)}


def weak_side(seen: Evidence) -> Figures | None:
    """Test whether a player that was trained for both sides plays one side much worse than the other.

    For each side, the player's gain in score over a random player is divided by the gain of a shallow search. The fault
    is reported if the larger of the two quotients is at least `STRONG_SIDE`, and the smaller one is less than
    `WEAK_SIDE` times the larger one.
    """
    seen.check_far_enough()
    if len(seen.settings.seats) < 2:
        return None
    for games in (GAMES, MANY):
        seats = sorted(_seats(seen, games), key=lambda seat: seat.gain)
        if len(seats) < 2 or seats[1].gain < STRONG_SIDE or seats[0].gain >= WEAK_SIDE * seats[1].gain:
            return None
    weak, strong = seats
    return {
        "strong": strong.name,
        "strong_score": strong.score,
        "strong_reference": strong.reference,
        "set": f"({seen.linear.learner.features})*turn",
        **_compared(seen, weak),
    }


def _compared(seen: Evidence, seat: Seat) -> Figures:
    return {"side": seat.name, "score": seat.score, "reference": seat.reference, "search": next(short_search(seen))}


def _seats(seen: Evidence, games: int = GAMES) -> list[Seat]:
    """Return the scores of the trained player, a random player and a shallow search, for each side that learns.

    A side is left out if the shallow search scores hardly better than the random player as this side.
    """
    search = next(short_search(seen), None)
    if search is None:
        raise UnexaminedError("games of a shallow search would take too long")
    seats = list[Seat]()
    for seat in seen.settings.seats:
        try:
            reference = seen.against_random(seen.other(search), seat)
        except UsageError as error:  # a game without an evaluation has no such player
            raise UnexaminedError(str(error)) from None
        score, without = (each("random", seat, games).score for each in (seen.learned, seen.unlearned))
        if reference - without >= MIN_GAIN:
            seats.append(Seat(seen.name(seat), score, without, reference))
    if not seats:
        raise UnexaminedError("a shallow search gains hardly more than random moves")
    return seats
