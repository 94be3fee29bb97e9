"""Features of the Game of the Amazons: distances to squares, the mobility of the amazons, and the stage of the game.

The feature set `Distances` has six features. Each feature is White's value minus Black's value. All features except
`mobility` are divided by the number of squares of the board:

- `distances.queen`: the number of squares that a player reaches in fewer queen moves than the opponent (t1 in the
  source)
- `distances.king`: the number of squares that a player reaches in fewer king moves than the opponent (t2)
- `distances.queen_nearness`: the sum over the squares of 2 to the power of 1 - d, where d is a player's queen distance
  (c1)
- `distances.king_nearness`: the sum over the squares of (7 - d) / 6, where d is a player's king distance, and distances
  above 7 count as 7 (c2)
- `distances.mobility`: the sum over a player's amazons of m / (m + 8), where m is the number of moves of an amazon
- `distances.tempo`: the number of squares that both players reach in the same number of queen moves, counted for the
  player to move

`Stages` has six features, `stage1` to `stage6`, of which exactly one is 1 and the others are 0. The stage depends on
how many sixths of the initially free squares are blocked by arrows.

Source: Lieberum 2005, "An evaluation function for the game of Amazons", Theoretical Computer Science 349. In the
source, the mobility of an amazon also depends on the neighbours of the squares that it reaches. The source combines the
terms by weight functions, but does not state their values.
"""

from __future__ import annotations

from typing import NamedTuple

from petteia.core.arrays import Floats, Ints
from petteia.core.kernel import called, inline
from petteia.games.amazons import Amazons
from petteia.games.amazons_board import (
    BLACK,
    MAX_AMAZONS,
    WHITE,
    Position,
    amazons_of,
    blocked,
    free_squares,
)
from petteia.games.queens import (
    Squares,
    beside,
    common,
    is_empty,
    lowest,
    only,
    reach,
    size_of,
    union,
    without,
    without_lowest,
)

STAGES = 6
FARTHEST = 6
"""Larger king distances than this are not distinguished."""
HALF_OPEN = 8
"""The number of moves at which the mobility of an amazon is half of its maximum."""
VALUES = ("queen", "king", "queen_nearness", "king_nearness", "mobility", "tempo")


class Terms(NamedTuple):
    """The unscaled values of the six features of `Distances` in a position."""

    queen: float
    """the feature `queen`"""
    king: float
    """the feature `king`"""
    queen_nearness: float
    """the feature `queen_nearness`"""
    king_nearness: float
    """the feature `king_nearness`"""
    mobility: float
    """the feature `mobility`"""
    tempo: float
    """the feature `tempo`"""


@inline
def opened(amazons: Squares, free: Squares) -> tuple[Squares, float]:
    """Return the squares that the amazons can reach in one move, and a measure of the amazons' mobility.

    The mobility is the sum over the amazons of m / (m + 8), where m is the number of moves of an amazon.
    """
    reached = Squares(0, 0)
    openness = 0.0
    while not is_empty(amazons):
        targets = reach(only(lowest(amazons)), free)
        amazons = without_lowest(amazons)
        reached = union(reached, targets)
        moves = size_of(targets)
        openness += moves / (moves + HALF_OPEN)
    return reached, openness


@called
def terms_of(rules: Amazons, state: Position) -> Terms:
    """Compute the distance, mobility and tempo terms of a position, each as White's value minus Black's."""
    free = free_squares(rules, state)
    white_at, black_at = amazons_of(state, WHITE), amazons_of(state, BLACK)

    # Queen moves, round by round. `owned` are the squares that were reached in earlier rounds.
    white, white_open = opened(white_at, free)
    black, black_open = opened(black_at, free)
    white_owned, black_owned = Squares(0, 0), Squares(0, 0)
    balance = even = 0
    nearness = 0.0
    weight = 1.0
    while True:
        white_new, black_new = without(white, white_owned), without(black, black_owned)
        left = without(free, union(white_owned, black_owned))
        balance += size_of(without(common(left, white), black)) - size_of(without(common(left, black), white))
        even += size_of(common(left, common(white, black)))
        nearness += weight * (size_of(white_new) - size_of(black_new))
        weight *= 0.5
        white_owned, black_owned = union(white_owned, white), union(black_owned, black)
        growing = union(
            beside(white_owned, without(free, white_owned)), beside(black_owned, without(free, black_owned))
        )
        if is_empty(growing):
            break
        white, black = reach(white, free), reach(black, free)

    # King moves. The sum over the rounds counts each square by the difference of the distances.
    white, black = white_at, black_at
    king_balance = 0
    king_nearness = 0
    for _ in range(FARTHEST):
        before = union(white, black)
        white, black = union(white, beside(white, free)), union(black, beside(black, free))
        difference = size_of(white) - size_of(black)
        left = without(free, before)
        king_balance += size_of(without(common(left, white), black)) - size_of(without(common(left, black), white))
        king_nearness += difference
    rest = size_of(white_at) - size_of(black_at)  # the squares of the amazons were counted, too
    side = 1 - 2 * state.side
    return Terms(
        float(balance),
        float(king_balance),
        nearness,
        (king_nearness - FARTHEST * rest) / FARTHEST,
        white_open - black_open,
        float(side * even),
    )


@inline
def stage(rules: Amazons, state: Position) -> int:
    """Return the stage of the game, 0 to 5: how many sixths of the initially free squares are blocked by arrows."""
    free = max(rules.width * rules.height - 2 * MAX_AMAZONS, 1)
    return min(size_of(blocked(state)) * STAGES // free, STAGES - 1)


class Distances(NamedTuple):
    """A feature set of six features: four measures of distance, the mobility of the amazons, and the tempo."""

    def names(feature_set, rules: Amazons) -> tuple[str, ...]:
        """Return the names of the six features."""
        return tuple(f"distances.{name}" for name in VALUES)

    def size(feature_set, rules: Amazons) -> int:
        """Return the number of features, 6."""
        return len(VALUES)

    def features(feature_set, rules: Amazons, state: Position, index: Ints, value: Floats) -> int:
        """Write the indices and values of all six features of `state`, and return 6."""
        terms = terms_of(rules, state)
        square = 1.0 / (rules.width * rules.height)
        value[0] = terms.queen * square
        value[1] = terms.king * square
        value[2] = terms.queen_nearness * square
        value[3] = terms.king_nearness * square
        value[4] = terms.mobility
        value[5] = terms.tempo * square
        for i in range(len(VALUES)):
            index[i] = i
        return len(VALUES)


class Stages(NamedTuple):
    """A feature set that indicates the stage of the game, which depends on how many squares are blocked."""

    def names(feature_set, rules: Amazons) -> tuple[str, ...]:
        """Return the names of the six stages, in the order in which a game passes through them."""
        return tuple(f"stage{i + 1}" for i in range(STAGES))

    def size(feature_set, rules: Amazons) -> int:
        """Return the number of stages, 6."""
        return STAGES

    def phase(feature_set, rules: Amazons, state: Position) -> int:
        """Return the stage of the game in `state`, counted from 0."""
        return stage(rules, state)

    def features(feature_set, rules: Amazons, state: Position, index: Ints, value: Floats) -> int:
        """Write the index of the current stage and its value, 1. All other features are 0."""
        index[0] = stage(rules, state)
        value[0] = 1.0
        return 1
