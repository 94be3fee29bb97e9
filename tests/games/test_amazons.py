"""The Game of the Amazons against a naive oracle, published figures, and other programs."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest
from amazons_oracle import Board, Place

import petteia
from petteia.core.arrays import Ints
from petteia.core.bits import mix, wrapping_add
from petteia.core.errors import InvalidError
from petteia.core.kernel import kernel, runs_plain
from petteia.core.packing import digest_state
from petteia.core.perft import perft
from petteia.core.protocol import (
    CHANCE,
    chances,
    count,
    format_move,
    format_state,
    image,
    image_move,
    images,
    initial,
    is_over,
    legal,
    limits,
    margin,
    moves,
    parse_state,
    play,
    random_move,
    steps,
    swapped,
    to_move,
)
from petteia.core.random import stream
from petteia.games import Amazons, game
from petteia.games.amazons_board import Position
from petteia.games.queens import LARGEST, SQUARES, Squares, lowest, only, square_at

BOARDS = [
    (width, height, rabbits)
    for width, height in ((10, 10), (8, 8), (6, 6), (5, 5), (4, 4), (4, 5), (5, 4), (10, 4), (4, 10), (6, 9), (9, 6))
    for rabbits in (0, 2)
]
LATE = 20
"""positions of a game on a larger board"""


def rules_for(width: int, height: int, rabbits: int = 0) -> Amazons:
    return game(f"amazons:width={width},height={height},rabbits={rabbits}")


def check(rules: Amazons, board: Board, place: Place) -> None:
    """Hold one position against the oracle."""
    text = board.text(place)
    state = parse_state(rules, text)
    assert format_state(rules, state) == text
    assert is_over(rules, state) == board.is_over(place), text
    if board.is_over(place):
        assert margin(rules, state) == board.margin(place), text
        return
    expected = {move: board.text(after) for move, after in board.steps(place).items()}
    moves = legal(rules, state)
    assert len(moves) == len(set(moves))
    found = {format_move(rules, state, move): format_state(rules, play(rules, state, move)) for move in moves}
    assert found == expected, text
    assert to_move(rules, state) == (CHANCE if place.running else "wb".index(place.side))
    if place.running:
        probabilities = [0.0] * len(moves)
        chances(rules, state, [0] * len(moves), probabilities)
        assert probabilities == [1 / len(moves)] * len(moves)
    else:
        assert count(rules, state) == len(moves) <= limits(rules).moves


@pytest.mark.parametrize(("width", "height", "rabbits"), BOARDS)
def test_games_are_as_the_oracle_has_them(width: int, height: int, rabbits: int) -> None:
    """All positions of a random game on a small board, the last ones on a larger one."""
    rules, board, draw = rules_for(width, height, rabbits), Board(width, height, rabbits), random.Random(width)
    played = [*places(board, draw)]
    for place in played if width * height <= 25 else played[-LATE:]:
        check(rules, board, place)


def places(board: Board, draw: random.Random) -> Iterator[Place]:
    """The positions of a random game."""
    place = board.start
    yield place
    while not board.is_over(place):
        place = draw.choice([*board.steps(place).values()])
        yield place


def test_the_starts() -> None:
    assert format_state(Amazons(), initial(Amazons())) == "3b2b3/10/10/b8b/10/10/w8w/10/10/3w2w3 w"
    for size in (6, 8):
        assert format_state(rules_for(size, size), initial(rules_for(size, size))) == Board(size, size).text(
            Board(size, size).start
        )


@pytest.mark.parametrize(("width", "height"), [(3, 3), (1, 1), (3, 2), (1, 10)])
def test_where_amazons_would_start_on_one_square_a_position_must_be_given(width: int, height: int) -> None:
    with pytest.raises(InvalidError, match="would start on the same square; give a position"):
        petteia.position(f"amazons:width={width},height={height}")


def test_three_by_three_from_a_position_of_its_own() -> None:
    assert petteia.position("amazons:width=3,height=3", position="2b/3/w2 w").moves[:2] == ("a1-b1xa1", "a1-b1xc1")


def test_perft_known_from_elsewhere() -> None:
    assert [perft(Amazons(), initial(Amazons()), depth) for depth in (1,)] == [2176]
    if not runs_plain():
        assert perft(Amazons(), initial(Amazons()), 2) == 4_307_152


@pytest.mark.parametrize(("width", "height", "rabbits", "depth"), [(4, 4, 0, 3), (5, 4, 0, 2), (4, 4, 1, 2)])
def test_perft_of_the_oracle(width: int, height: int, rabbits: int, depth: int) -> None:
    rules, board = rules_for(width, height, rabbits), Board(width, height, rabbits)
    assert perft(rules, initial(rules), depth) == board.perft(board.start, depth)


def test_squares_of_sets() -> None:
    """Each square of the largest board by itself: no bit is lost between the words."""
    for square in range(SQUARES):
        squares = only(square)
        assert lowest(squares) == square
        assert max(squares) < 1 << 55
        assert (squares.low == 0) == (square >= SQUARES // 2)
    assert sorted({only(square) for square in range(SQUARES)}) == sorted(
        [Squares(1 << bit, 0) for bit in range(55) if bit % 11 < LARGEST]
        + [Squares(0, 1 << bit) for bit in range(55) if bit % 11 < LARGEST]
    )
    assert [square_at(bit) for bit in (0, 9, 11, 53, 55, 108)] == [0, 9, 10, 49, 50, 99]


@pytest.mark.parametrize(("width", "height"), [(10, 10), (7, 7), (5, 5), (4, 7), (7, 4)])
def test_symmetries(width: int, height: int) -> None:
    rules, board, draw = rules_for(width, height, 1), Board(width, height, 1), random.Random(width)
    assert images(rules) == (8 if width == height else 4)
    for place in itertools.islice(places(board, draw), 3, None, 9):
        state = parse_state(rules, board.text(place))
        pictures = [image(rules, state, i) for i in range(images(rules))]
        assert pictures[0] == state
        assert len(set(pictures)) == len(pictures) or width * height < 30
        if not is_over(rules, state):
            for i, move in itertools.product(range(images(rules)), draw.choices(legal(rules, state), k=3)):
                after = image(rules, play(rules, state, move), i)
                assert after == play(rules, pictures[i], image_move(rules, move, i))
        assert swapped(rules, swapped(rules, state)) == state


def test_steps_are_squares_and_a_word() -> None:
    rules = rules_for(4, 5, 1)
    state = parse_state(rules, "1bb1/b2b/x3/w2w/1ww1 w 1,0 a3")
    out = [0] * 8
    codes = {format_move(rules, state, move): move for move in legal(rules, state)}
    assert out[: steps(rules, state, codes["b1-b2xb1"], out)] == [1, 5, 1]
    assert out[: steps(rules, state, codes["b1-b2xb1!"], out)] == [20, 1, 5, 1]


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("3b2b3/10/10/b8b/10/10/w8w/10/10/3w2w3", "must look like"),
        ("3b2b3/10/10/b8b/10/10/w8w/10/10/3w2w3 x", "must look like"),
        ("3b2b3/10/10/b8b/10/10/w8w/10/10/3w2w3 w 1,1 -", "must look like"),
        ("3b2b3/10/10/b8b/10/10/w8w/10/3w2w3 w", "the board has 9 rows; it must have 10"),
        ("3b2b3/10/10/b8b/10/10/w8w/10/10/3w2w4 w", "row '3w2w4' has 11 squares; each row must have 10"),
        ("3b2b3/10/9/b8b/10/10/w8w/10/10/3w2w3 w", "row '9' has 9 squares; each row must have 10"),
        ("3b2b3/55/10/b8b/10/10/w8w/10/10/3w2w3 w", "row '55' has 55 squares; each row must have 10"),
        ("3b2b3/010/10/b8b/10/10/w8w/10/10/3w2w3 w", "must be written"),
        ("3b2b30/10/10/b8b/10/10/w8w/10/10/3w2w3 w", "row '3b2b30' has 37 squares"),
        ("10/10/10/10/10/10/w8w/10/10/3w2w3 w", "Black has 0 amazons; each side must have 1 to 4"),
        ("3b2b3/10/10/b8b/10/10/w8w/w9/10/3w2w3 w", "White has 5 amazons; each side must have 1 to 4"),
    ],
)
def test_positions_that_are_none(text: str, wrong: str) -> None:
    with pytest.raises(ValueError, match=wrong) as error:
        parse_state(Amazons(), text)
    assert "\n" not in str(error.value)
    assert str(error.value).startswith(f"position {text!r}: ")


@pytest.mark.parametrize(
    ("rest", "wrong"),
    [
        ("w", "must look like .* w 2,2 -"),
        ("w 2,3 -", "2 and 3 rabbits left; each may have at most 2"),
        ("w 02,1 -", "must be written"),
        ("w 1,1 c3", "no arrow has landed on c3"),
        ("w 1,1 h3", "there is no square h3 on a 4x4 board"),
        ("w 1,1 a9", "there is no square a9 on a 4x4 board"),
        ("w 1,1 b2!", "the square of the last arrow must precede the square of the running arrow, as in 'e5 g7!'"),
        ("w 1,1 - b2!", "the square of the last arrow must precede"),
        ("w 1,1 b2 b2!", "must not be the last arrow"),
        ("w 1,1 b2 c3!", "no arrow has landed on c3"),
        ("w 1,1 b2 a4!", "no square next to the arrow on a4 is free"),
    ],
)
def test_positions_with_rabbits_that_are_none(rest: str, wrong: str) -> None:
    with pytest.raises(ValueError, match=wrong):
        parse_state(rules_for(4, 4, 2), f"xb1b/bw2/wx2/w1w1 {rest}")


def test_moves_that_are_none() -> None:
    position = petteia.position("amazons")
    with pytest.raises(petteia.PetteiaError, match="'d1-d10xd9' is not legal"):
        position.play("d1-d10xd9")
    blocked = position.play("d1-d7xd9")
    with pytest.raises(petteia.PetteiaError, match="is not legal"):
        blocked.play("d10-d8xd7")


@pytest.mark.parametrize(
    ("rabbits", "position", "wrong"),
    [
        (0, "w", "there are no rabbits in amazons:width=4,height=4; rabbits=1 gives one to each player"),
        (1, "w 0,1 b2", "White has no rabbit left to release"),
        (1, "w 1,1 -", "Black has not shot an arrow yet"),
        (1, "w 1,1 a4", "after the move, no square next to a4 is free, so a rabbit cannot move the arrow there"),
    ],
)
def test_releases_with_nothing_to_release(rabbits: int, position: str, wrong: str) -> None:
    """Of a move that is legal without one; any other is refused with the list of moves."""
    start = petteia.position(rules_for(4, 4, rabbits), f"xb1b/bw2/wx2/w1w1 {position}")
    for move, says in (
        ("c1-c2xd1!", f"move 'c1-c2xd1!': {wrong}; the move 'c1-c2xd1' is legal"),
        ("c1-c2xc2!", "move 'c1-c2xc2!' is not legal in"),
        ("c1-c2xd1!!", "move 'c1-c2xd1!!' is not legal in"),
    ):
        with pytest.raises(petteia.InvalidError) as error:
            start.play(move)
        assert str(error.value).startswith(says)
        assert "\n" not in str(error.value)
    start.play("c1-c2xd1")


def test_random_moves_are_drawn_evenly() -> None:
    """Where a rabbit can be released with some moves only."""
    rules = rules_for(4, 4, 1)
    state = parse_state(rules, "b1xx/xxxx/xx2/xw1x w 1,1 d3")
    moves = legal(rules, state)
    names = [format_move(rules, state, move) for move in moves]
    assert 0 < sum(name.endswith("!") for name in names) < len(names)
    source = [stream(7, 0)]
    drawn = Counter(random_move(rules, state, source) for _ in range(100 * len(moves)))
    assert set(drawn) == set(moves)
    assert sum((times - 100) ** 2 / 100 for times in drawn.values()) < 3 * len(moves)


# Compiled against plain.


@kernel(purpose="a test")
def summed_up(rules: Amazons, state: Position, out: Ints) -> int:
    """A digest of the moves of a state, and of the states that they lead to."""
    digest = 0
    for i in range(moves(rules, state, out)):
        digest = digest_state(mix(wrapping_add(digest, int(out[i]))), play(rules, state, int(out[i])))
    return digest


def every_square(width: int, height: int) -> None:
    """An amazon on each square of a board, and one of the other player's on the square after it: all moves of both."""
    rules = Amazons(width, height)
    room = np.zeros(limits(rules).moves, np.int64)
    squares = [LARGEST * rank + file for rank in range(height) for file in range(width)]
    for here, other in zip(squares, squares[1:] + squares[:1], strict=True):
        one, two = only(here), only(other)
        for side in (0, 1):
            state = Position(one.low, one.high, two.low, two.high, 0, 0, side)
            if not is_over(rules, state):
                plain = summed_up.function(rules, state, [0] * len(room))
                assert summed_up(rules, state, room) == plain, format_state(rules, state)
                listed = moves(rules, state, [0] * len(room))
                assert listed == count(rules, state) > 0


@pytest.mark.skipif(runs_plain(), reason="compares with compiled code")
@pytest.mark.parametrize(("width", "height"), [(10, 1), (1, 10), (2, 6), (6, 2), (5, 5)])
def test_every_square_is_played_alike(width: int, height: int) -> None:
    every_square(width, height)


@pytest.mark.slow
@pytest.mark.skipif(runs_plain(), reason="compares with compiled code")
@pytest.mark.parametrize("width", range(1, 11))
def test_every_square_of_every_board_is_played_alike(width: int) -> None:
    for height in range(1, 11):
        if width * height > 1:
            every_square(width, height)


@pytest.mark.heavy
@pytest.mark.skipif(runs_plain(), reason="compares with compiled code")
@pytest.mark.parametrize(("width", "height", "rabbits"), BOARDS)
def test_a_hundred_thousand_positions_three_ways(width: int, height: int, rabbits: int) -> None:
    """On all boards together: compiled, plain, and by the oracle, which would take long to play the games."""
    rules, board = rules_for(width, height, rabbits), Board(width, height, rabbits)
    room, left = np.zeros(limits(rules).moves, np.int64), 100_000 // len(BOARDS) + 1
    draw, chance = [stream(1, width)], random.Random(1)
    while left > 0:
        played = [initial(rules)]
        while not is_over(rules, played[-1]):
            running = to_move(rules, played[-1]) == CHANCE
            move = chance.choice(legal(rules, played[-1])) if running else random_move(rules, played[-1], draw)
            played.append(play(rules, played[-1], move))
        for state in (played if width * height <= 25 else played[-LATE:])[:left]:
            check(rules, board, board.read(format_state(rules, state)))
            if not is_over(rules, state) and to_move(rules, state) != CHANCE:
                assert summed_up(rules, state, room) == summed_up.function(rules, state, [0] * len(room))
            left -= 1
