"""Detection of certain wins in the Game of the Amazons, from squares that only one player can reach.

Each move blocks one square. A player owns the free squares that the opponent cannot reach, because blocked squares and
the player's amazons are in the way. On these squares, an amazon can step to a neighbouring square and shoot its arrow
back at the square that it has left. It can repeat this along a path of free squares, with one move for each step. These
moves are safe: the opponent cannot prevent them, and they do not give the opponent access to further squares. The
opponent has at most as many moves as there are free squares that it can reach. A player with at least that many safe
moves is certain to win. If this player is to move, it needs one more safe move.

Source: the idea comes from Müller, Tegos 2002, "Experiments in computer Amazons". The authors compute lower and upper
bounds of the number of moves of each player in closed territories. The bounds here are simpler.
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
    """Return the length of a path from `start`, in which each step goes to the square with the fewest free neighbours.

    The path visits no square twice. There may be a longer path from `start`, because the path is chosen greedily.
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
    """Return a lower bound on the number of moves that the amazons can make within the squares `own`.

    If several amazons can reach the same squares of `own`, these squares are counted for only one of the amazons.
    """
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
    """The player that is certain to win, WHITE or BLACK, or NOBODY if no win is proved. The game must not be over."""
    white, black = amazons_of(state, WHITE), amazons_of(state, BLACK)
    of_white, of_black = connected(white, free), connected(black, free)
    only_white, only_black = without(of_white, of_black), without(of_black, of_white)
    # The player to move needs one more move than the other.
    white_needs = size_of(of_black) + (1 if state.side == WHITE else 0)
    black_needs = size_of(of_white) + (1 if state.side == BLACK else 0)
    if size_of(only_white) >= white_needs and safe_moves(white, only_white) >= white_needs:
        return WHITE
    if size_of(only_black) >= black_needs and safe_moves(black, only_black) >= black_needs:
        return BLACK
    return NOBODY
