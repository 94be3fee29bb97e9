"""The Game of the Amazons: who wins for certain, by the squares that each player has for itself.

A move takes one square off the board. Squares that the opponent cannot come near, as blocked squares and own amazons
close them off, are a player's own. There it can go on to the next square and shoot back to where it came from: so one
amazon has as many moves as a path of free squares has, which nobody can take away, and none of these moves opens a way
for the opponent. The opponent has at most as many moves as there are free squares that it can come to. Who has more to
spare wins, whatever else happens.

Source: the idea is that of Müller, Tegos 2002, "Experiments in computer Amazons", who bound the moves of both players
in closed territories from below and above; the bounds here are simpler.
"""

from __future__ import annotations

from petteia.core.kernel import called, inline
from petteia.games.amazons_board import BLACK, WHITE, Position, amazons_of
from petteia.games.queens import (
    Squares,
    beside,
    connected,
    is_empty,
    lowest,
    only,
    size_of,
    without,
    without_lowest,
)

NOBODY = 2


@inline
def path_length(start: Squares, free: Squares) -> int:
    """How many steps a path makes that goes from a square on to the neighbour with fewest free ones beside it.

    Nothing is passed twice; another path may be longer.
    """
    here, steps = start, 0
    while True:
        candidates = beside(here, free)
        if is_empty(candidates):
            return steps
        fewest, chosen = 9, here
        while not is_empty(candidates):
            square = only(lowest(candidates))
            candidates = without_lowest(candidates)
            beyond = size_of(beside(square, without(free, square)))
            if beyond < fewest:
                fewest, chosen = beyond, square
        here = chosen
        free = without(free, here)
        steps += 1


@inline
def safe_moves(amazons: Squares, own: Squares) -> int:
    """How many moves these amazons have at least on squares of their own, each of them in one region that is left."""
    moves = 0
    while not is_empty(amazons):
        amazon = only(lowest(amazons))
        amazons = without_lowest(amazons)
        region = connected(amazon, own)
        if not is_empty(region):
            moves += path_length(amazon, region)
            own = without(own, region)
    return moves


@called
def certain_winner(state: Position, free: Squares) -> int:
    """WHITE or BLACK if this player wins whatever the other does, else NOBODY; of a state that is not over."""
    white, black = amazons_of(state, WHITE), amazons_of(state, BLACK)
    of_white, of_black = connected(white, free), connected(black, free)
    only_white, only_black = without(of_white, of_black), without(of_black, of_white)
    # Who is to move needs a move more than the other has.
    white_needs = size_of(of_black) + (1 if state.side == WHITE else 0)
    black_needs = size_of(of_white) + (1 if state.side == BLACK else 0)
    if size_of(only_white) >= white_needs and safe_moves(white, only_white) >= white_needs:
        return WHITE
    if size_of(only_black) >= black_needs and safe_moves(black, only_black) >= black_needs:
        return BLACK
    return NOBODY
