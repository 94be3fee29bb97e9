"""The moves of the Game of the Amazons: listing, counting and random choice.

The functions of this module are long and have many callers. They are therefore not inlined (decorator `called`), which
halves the compilation time of a search.
"""

from __future__ import annotations

from petteia.core.kernel import called, inline
from petteia.core.names import format_game
from petteia.core.protocol import Buffer, Rules, format_move, legal
from petteia.core.random import RandomState, below
from petteia.games.amazons_board import (
    RELEASE,
    RELEASED,
    WHITE,
    Position,
    amazons_of,
    free_squares,
    rabbits_of,
    square_name,
)
from petteia.games.queens import (
    SQUARES,
    Squares,
    beside,
    board,
    common,
    is_empty,
    lowest,
    only,
    reach,
    shot_number,
    shots,
    size_of,
    union,
    without,
    without_lowest,
)


@inline
def around_last_arrow(rules: Rules, state: Position) -> Squares:
    """Return the squares next to the arrow that the opponent shot last, the possible targets of this arrow's run.

    A player that releases a rabbit makes this arrow run to a free adjacent square. Some of the returned squares may be
    occupied or blocked. The returned set is empty if the player to move has no rabbit left, or if the opponent has shot
    no arrow.
    """
    rabbits = rabbits_of(state)
    left = rabbits.white if state.side == WHITE else rabbits.black
    if left == 0 or rabbits.shot == 0:
        return Squares(0, 0)
    return beside(only(rabbits.shot - 1), board(rules.width, rules.height))


@inline
def count_releases(amazon: Squares, targets: Squares, free: Squares, around: Squares) -> int:
    """Count the moves of `amazon` to the squares `targets` with which the player may release a rabbit.

    A rabbit may be released if at least one square of `around` is free after the move. `free` contains the free
    squares, including the square that the amazon leaves.
    """
    count = 0
    exits = common(around, free)
    while not is_empty(targets):
        target = only(lowest(targets))
        targets = without_lowest(targets)
        rest = without(exits, target)
        arrows = reach(target, free)
        if not is_empty(rest):
            count += size_of(arrows)
            if size_of(rest) == 1:
                count -= size_of(common(arrows, rest))
    return count


def check_release(rules: Rules, state: Position, move: str) -> None:
    """Raise ValueError, with the reason, if the move `move` is legal, but releasing a rabbit with it is not.

    `state` must not be a chance node. `move` is the notation of the move without a final `!`, which stands for the
    release of a rabbit.
    """
    names = {format_move(rules, state, each) for each in legal(rules, state)}
    if move not in names or move.endswith(RELEASED) or move + RELEASED in names:
        return
    rabbits = rabbits_of(state)
    mover, opponent = ("White", "Black") if state.side == WHITE else ("Black", "White")
    arrow = square_name(rabbits.shot - 1)
    reason = f"after the move, no square next to {arrow} is free, so a rabbit cannot move the arrow there"
    if rules.rabbits == 0:
        reason = f"there are no rabbits in {format_game(rules)}; rabbits=1 gives one to each player"
    elif (rabbits.white if state.side == WHITE else rabbits.black) == 0:
        reason = f"{mover} has no rabbit left to release"
    elif rabbits.shot == 0:
        reason = f"{opponent} has not shot an arrow yet"
    raise ValueError(f"move {move + RELEASED!r}: {reason}; the move {move!r} is legal")


@called
def list_moves(rules: Rules, state: Position, out: Buffer) -> int:
    """Write the codes of the legal moves to `out`, and return their number."""
    free = free_squares(rules, state)
    around = around_last_arrow(rules, state)
    amazons = amazons_of(state, state.side)
    count = 0
    while not is_empty(amazons):
        origin = lowest(amazons)
        amazons = without_lowest(amazons)
        vacated = union(free, only(origin))
        targets = reach(only(origin), free)
        while not is_empty(targets):
            target = lowest(targets)
            targets = without_lowest(targets)
            arrows = reach(only(target), vacated)
            exits = without(common(around, vacated), only(target))
            while not is_empty(arrows):
                arrow = lowest(arrows)
                arrows = without_lowest(arrows)
                code = (origin * SQUARES + target) * SQUARES + arrow
                out[count] = code
                count += 1
                if not is_empty(exits) and not is_empty(without(exits, only(arrow))):
                    out[count] = code + RELEASE
                    count += 1
    return count


@called
def count_moves(rules: Rules, state: Position) -> int:
    """The number of legal moves, counted without listing the arrow shots."""
    free = free_squares(rules, state)
    around = around_last_arrow(rules, state)
    may_release = not is_empty(around)
    amazons = amazons_of(state, state.side)
    count = 0
    while not is_empty(amazons):
        amazon = only(lowest(amazons))
        amazons = without_lowest(amazons)
        vacated = union(free, amazon)
        targets = reach(amazon, free)
        count += shots(targets, vacated)
        if may_release:
            count += count_releases(amazon, targets, vacated, around)
    return count


@called
def draw_move(rules: Rules, state: Position, random: RandomState) -> int:
    """Draw a legal move uniformly at random.

    First, an amazon is drawn with a probability proportional to its number of moves. Then one of the moves of this
    amazon is drawn. If the player has a rabbit that it could release, a third draw decides whether the move releases
    it. If the release is illegal with this move, all draws are repeated.
    """
    free = free_squares(rules, state)
    around = around_last_arrow(rules, state)
    while True:
        total = count = origin = 0
        amazons = amazons_of(state, state.side)
        while not is_empty(amazons):
            square = lowest(amazons)
            amazons = without_lowest(amazons)
            ways = shots(reach(only(square), free), union(free, only(square)))
            total += ways
            if ways > 0 and below(random, total) < ways:
                origin, count = square, ways
        vacated = union(free, only(origin))
        move = origin * SQUARES**2 + shot_number(reach(only(origin), free), vacated, below(random, count))
        if is_empty(around) or below(random, 2) == 0:
            return move
        taken = union(only(move // SQUARES % SQUARES), only(move % SQUARES))
        if not is_empty(without(common(around, vacated), taken)):
            return move + RELEASE
