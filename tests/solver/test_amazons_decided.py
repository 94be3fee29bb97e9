"""Small boards of the Game of the Amazons decided, and held against a second program that shares no code."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator

import numpy as np
import pytest
from amazons_oracle import Board, Place

import petteia
from petteia.core.arrays import Ints
from petteia.core.decision import Limit
from petteia.core.kernel import kernel, runs_plain
from petteia.core.packing import unpack
from petteia.core.protocol import count, format_move, initial, is_over, margin_range, parse_state
from petteia.features.evaluations import evaluation_for
from petteia.games import Amazons, game
from petteia.games.amazons_board import WHITE, Position, free_squares
from petteia.games.amazons_territory import certain_winner, path_length, safe_moves
from petteia.games.queens import Squares, only, union
from petteia.search.alpha_beta import STANDARD
from petteia.search.searcher import Searcher
from petteia.solver.tablebase import Tablebase, build


class Solver:
    """Who wins, by trying all moves in the naive rules."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.known: dict[Place, bool] = {}

    def mover_wins(self, place: Place) -> bool:
        """Whether who is to move wins."""
        if place not in self.known:
            self.known[place] = not self.board.is_over(place) and any(
                not self.mover_wins(after) for after in self.board.steps(place).values()
            )
        return self.known[place]

    def margin(self, place: Place) -> int:
        """The margin under best play, White's."""
        return 1 if self.mover_wins(place) == (place.side == "w") else -1


def late(width: int, height: int, free: int, games: int) -> Iterator[tuple[Board, Place]]:
    """Positions with so many free squares, of random games that come so far."""
    board = Board(width, height)
    for seed in range(games):
        draw, place = random.Random(seed), board.start
        while not board.is_over(place) and width * height - len(place.contents) > free:
            place = draw.choice([*board.steps(place).values()])
        if not board.is_over(place):
            yield board, place


def compare(width: int, height: int, free: int, games: int) -> int:
    """Hold proofs and what is certain against the second program; how many positions that were."""
    rules, compared, told = rules_for(width, height), 0, 0
    solver, searcher = Solver(Board(width, height)), Searcher(rules, evaluation_for(rules), options=STANDARD)
    for board, place in late(width, height, free, games):
        value, state = solver.margin(place), parse_state(rules, board.text(place))
        low, high = margin_range(rules, state)
        assert low <= value <= high, board.text(place)
        told += low == high
        if not runs_plain():
            proof = petteia.prove(rules, position=board.text(place), openings=True, memory=1_000_000)
            assert proof.value == value, board.text(place)
            after = {move: solver.margin(next_place) for move, next_place in board.steps(place).items()}
            assert {each.move: each.value for each in proof.openings} == after, board.text(place)
            best = searcher.search(state, Limit(depth=free + 1)).variations[0]
            assert best.is_won, board.text(place)
            assert math.copysign(1, best.value) == value, board.text(place)
            assert after[format_move(rules, state, best.moves[0])] == value, board.text(place)
        compared += 1
    assert told > 0 or width * height < 16, "something is certain before the end"
    return compared


def rules_for(width: int, height: int) -> Amazons:
    return game(f"amazons:width={width},height={height}")


@pytest.mark.parametrize(("width", "height"), [(4, 4), (5, 4), (4, 5), (5, 5), (3, 4), (4, 3)])
def test_late_positions_are_worth_what_the_second_program_says(width: int, height: int) -> None:
    assert compare(width, height, 3, 20) > 5


@pytest.mark.heavy
@pytest.mark.parametrize(("width", "height"), [(5, 4), (4, 5), (5, 5)])
def test_a_thousand_late_positions(width: int, height: int) -> None:
    assert compare(width, height, 5, 1500) >= 1000


@pytest.mark.heavy
@pytest.mark.parametrize(("width", "height"), [(4, 4), (4, 3), (3, 4)])
def test_whole_boards(width: int, height: int) -> None:
    """Each first move, and whatever is certain in any position that the second program meets."""
    board, rules = Board(width, height), rules_for(width, height)
    solver = Solver(board)
    after = {move: solver.margin(place) for move, place in board.steps(board.start).items()}
    proof = petteia.prove(rules, openings=True)
    assert {each.move: each.value for each in proof.openings} == after
    for place in solver.known:
        if not board.is_over(place):
            low, high = margin_range(rules, parse_state(rules, board.text(place)))
            assert low <= solver.margin(place) <= high, board.text(place)


@kernel(purpose="a test")
def ranges_of(rules: Amazons, like: Position, table: Tablebase, counts: Ints) -> None:
    """Count positions in which a margin is certain before the end, and those in which another one is the value."""
    for row in range(len(table.states)):
        state = unpack(like, table.states[row])
        if not is_over(rules, state):
            low, high = margin_range(rules, state)
            counts[0] += 1 if low == high else 0
            counts[1] += 1 if not low <= table.values[row] <= high else 0


@pytest.mark.slow
@pytest.mark.skipif(runs_plain(), reason="takes long")
def test_no_range_changes_a_value_on_four_by_four() -> None:
    rules, counts = rules_for(4, 4), np.zeros(2, np.int64)
    table = build(rules)
    assert len(table.values) == 3_851_086
    ranges_of(rules, initial(rules), table, counts)
    assert counts[0] > 500_000
    assert counts[1] == 0


@pytest.mark.skipif(runs_plain(), reason="takes long")
def test_published_values() -> None:
    """The second player wins on 4x4."""
    assert petteia.prove("amazons:width=4,height=4").value == -1


def test_three_by_three() -> None:
    board = Board(3, 3)
    rules = rules_for(3, 3)
    for text in ("2b/3/w2 w", "b1b/3/w1w b", "1b1/3/1w1 w"):
        place = board.read(text)
        assert board.text(place) == text
        if not runs_plain():
            assert petteia.prove(rules, position=text).value == Solver(board).margin(place)


# What is certain.


@pytest.mark.parametrize(
    ("position", "winner"),
    [
        ("b1xw1/1xx2/xx3/x4/x4 w", 1),  # one square against many
        ("b1xw1/1xx2/xx3/x4/x4 b", 1),
        ("b1xw1/1xxxx/xxxxx/xxxxx/xxxxx w", -1),  # two moves against one
        ("b1xw1/1xxx1/xxxxx/xxxxx/xxxxx w", -1),  # as many: who is to move loses
        ("b1xw1/1xxx1/xxxxx/xxxxx/xxxxx b", 1),
        ("b2w1/xx3/xxxxx/xxxxx/xxxxx w", 0),  # a way between them
    ],
)
def test_who_has_more_squares_for_itself_wins(position: str, winner: int) -> None:
    rules = rules_for(5, 5)
    state = parse_state(rules, position)
    assert not is_over(rules, state)
    assert margin_range(rules, state) == ((winner, winner) if winner else (-1, 1))


def test_a_path_never_comes_back() -> None:
    """Of a row of three from its middle one square is left."""
    row = union(union(only(0), only(1)), union(only(2), only(3)))
    assert path_length(only(0), union(only(1), only(2))) == 2
    assert path_length(only(1), union(only(0), union(only(2), only(3)))) in (1, 2)
    assert safe_moves(only(1), union(only(0), only(2))) == 1
    assert path_length(only(5), row) == 0


def test_at_the_start_nobody_has_won() -> None:
    rules = Amazons()
    assert margin_range(rules, initial(rules)) == (-1, 1)
    assert certain_winner(initial(rules), free_squares(rules, initial(rules))) != WHITE
    assert count(rules, initial(rules)) == 2176
    assert free_squares(rules, initial(rules)) != Squares(0, 0)
