"""British Square against a naive oracle, against figures of a program of another hand, and its symmetries."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator

import pytest
from british_oracle import Board, Place

import petteia
from petteia.core.kernel import runs_plain
from petteia.core.perft import perft
from petteia.core.protocol import (
    format_move,
    format_state,
    image,
    image_move,
    images,
    initial,
    is_over,
    key,
    legal,
    margin,
    parse_move,
    parse_state,
    play,
)
from petteia.games import BritishSquare, game
from petteia.games.british_square import FIRST, MIRRORED, TURNED_OVER, Position

ENDS = ("both_blocked", "first_blocked", "any_blocked")
VARIANTS = list(itertools.product((2, 3, 4, 5, 6, 7), ENDS, ("yes", "no")))


def rules_for(size: int, end: str, centre_ban: str) -> BritishSquare:
    return game(f"british-square:size={size},end={end},centre_ban={centre_ban}")


def check(rules: BritishSquare, board: Board, place: Place) -> None:
    """Hold one position against the oracle."""
    text = board.text(place)
    state = parse_state(rules, text)
    assert format_state(rules, state) == text
    assert margin(rules, state) == board.margin(place), text
    assert is_over(rules, state) == board.is_over(place), text
    steps = {} if board.is_over(place) else {move: board.text(after) for move, after in board.steps(place).items()}
    found = {
        format_move(rules, state, move): format_state(rules, play(rules, state, move)) for move in legal(rules, state)
    }
    assert found == steps, text


@pytest.mark.parametrize(("size", "end", "centre_ban"), VARIANTS)
def test_games_are_as_the_oracle_has_them(size, end, centre_ban):
    rules, board, draw = rules_for(size, end, centre_ban), Board(size, end, centre_ban), random.Random(size)
    for _ in range(2):
        place = board.start
        check(rules, board, place)
        while not board.is_over(place):
            place = draw.choice([*board.steps(place).values()])
            check(rules, board, place)


@pytest.mark.parametrize(("end", "centre_ban"), [*zip(ENDS, ("yes", "no", "yes"), strict=True)])
def test_every_position_of_small_boards_is_as_the_oracle_has_it(end, centre_ban):
    """Those, too, that no game leads to."""
    for size in (2, 3):
        rules, board = rules_for(size, end, centre_ban), Board(size, end, centre_ban)
        places = [*every_place(board)]
        for place in places:
            check(rules, board, place)
        keys = {key(rules, parse_state(rules, board.text(place))) for place in places}
        assert len(keys) == len(places) == {2: 70, 3: 4042}[size]


def every_place(board: Board) -> Iterator[Place]:
    """All ways to place stones so that none stands beside one of the other, with either side to move."""
    for contents in itertools.product(".xo", repeat=len(board.squares)):
        stones = {name: each for name, each in zip(board.squares, contents, strict=True) if each != "."}
        if all(stones.get(near, owner) == owner for name, owner in stones.items() for near in board.beside(name)):
            yield from (Place(frozenset(stones.items()), side) for side in "xo")


def test_perft_known_from_elsewhere():
    rules = game("british-square:end=first_blocked")
    assert [perft(rules, initial(rules), depth) for depth in (1, 2, 3)] == [24, 500, 9908]


@pytest.mark.parametrize(
    ("size", "end", "depth"), [(3, "both_blocked", 8), (4, "first_blocked", 4), (4, "any_blocked", 4)]
)
def test_perft_of_the_oracle(size, end, depth):
    rules, board = rules_for(size, end, "yes"), Board(size, end)
    assert perft(rules, initial(rules), depth) == board.perft(board.start, depth)


@pytest.mark.parametrize("size", [2, 3, 4, 5, 6, 7])
def test_symmetries_are_those_of_the_square(size):
    rules, board, draw = rules_for(size, "both_blocked", "no"), Board(size), random.Random(size)
    places = [(int(x), int(y)) for x in range(size) for y in range(size)]
    turned = {
        frozenset(((x, y), move(x, y)) for x, y in places)
        for move in (
            lambda x, y: (x, y),
            lambda x, y: (y, size - 1 - x),
            lambda x, y: (size - 1 - x, size - 1 - y),
            lambda x, y: (size - 1 - y, x),
            lambda x, y: (size - 1 - x, y),
            lambda x, y: (x, size - 1 - y),
            lambda x, y: (y, x),
            lambda x, y: (size - 1 - y, size - 1 - x),
        )
    }
    moved = {
        frozenset(((x, y), divmod(image_move(rules, y * size + x, i), size)[::-1]) for x, y in places)
        for i in range(images(rules))
    }
    assert moved == turned
    assert all(image_move(rules, size * size, i) == size * size for i in range(8)), "a pass stays a pass"
    place = board.start
    while not board.is_over(place):
        state = parse_state(rules, board.text(place))
        for i, move in itertools.product(range(8), legal(rules, state)):
            after = image(rules, play(rules, state, move), i)
            assert after == play(rules, image(rules, state, i), image_move(rules, move, i))
        place = draw.choice([*board.steps(place).values()])


def test_who_is_blocked_passes_and_nobody_else():
    rules = game("british-square:size=3")
    state = parse_state(rules, "..x/.x./x.. o")
    assert [format_move(rules, state, move) for move in legal(rules, state)] == ["c1", "a3"]
    state = parse_state(rules, ".x./x.x/.x. o")
    assert [format_move(rules, state, move) for move in legal(rules, state)] == ["pass"]
    assert format_state(rules, play(rules, state, legal(rules, state)[0])) == ".x./x.x/.x. x"
    with pytest.raises(ValueError, match=r"move 'pass' is not legal .* choose from a1 c1"):
        parse_move(rules, parse_state(rules, ".x./x.x/.x. x"), "pass")


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("...../...../..x../...../..... ", "must look like"),
        ("..../..../..../.... x", "5 rows of 5 squares"),
        ("...../...../..x../...../..... z", "must look like"),
        ("...../..o../..x../...../..... o", "the stone on c4 is next to an opponent's stone"),
        ("...../...../.xo../...../..... x", "the stone on c3 is next to an opponent's stone"),
    ],
)
def test_positions_that_are_none(text, wrong):
    with pytest.raises(ValueError, match=wrong):
        parse_state(game("british-square"), text)


def test_positions_that_no_game_leads_to_are_taken():
    rules = game("british-square")
    state = parse_state(rules, "xxxxx/...../ooooo/...../..... x")
    assert margin(rules, state) == 0


@pytest.mark.skipif(runs_plain(), reason="plays many games")
def test_who_goes_second_cannot_win_where_stones_alternate_strictly():
    result = petteia.match("british-square:end=first_blocked,centre_ban=no", "random", "random", games=2000, seed=1)
    assert {row.margin for row in result.rows} == {0, 1}


@pytest.mark.parametrize("end", ["both_blocked", "first_blocked"])
@pytest.mark.parametrize("size", [2, 4, 6])
def test_who_goes_second_on_an_even_board_can_answer_by_point_reflection(size, end):
    """So it has as many stones at the end, at least: best play is worth no more than a draw to the first player."""
    rules = game(f"british-square:size={size},end={end}")
    for seed in range(50):
        drawn, state = random.Random(seed), initial(rules)
        while not is_over(rules, state):
            move = drawn.choice(legal(rules, state))
            state = play(rules, state, move)
            if not is_over(rules, state):
                state = play(rules, state, image_move(rules, move, MIRRORED | TURNED_OVER))
                assert state == image(rules, Position(state.second, state.first, FIRST), MIRRORED | TURNED_OVER)
        assert margin(rules, state) == 0
    if size < 6:
        assert petteia.solve(rules).value == 0


def test_where_either_may_be_blocked_it_cannot():
    """The game may end after the first player's stone."""
    assert petteia.solve("british-square:size=4,end=any_blocked").value == 1
