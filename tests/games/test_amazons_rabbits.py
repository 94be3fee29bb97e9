"""The Amazons with rabbits: search and solution against the plain game, and against every line of play."""

from __future__ import annotations

import random
from typing import Any

import expectiminimax
import pytest
from amazons_oracle import Board, Place

import petteia
from petteia.core.decision import Limit
from petteia.core.protocol import CHANCE, format_state, has_chance, is_over, legal, parse_state, play, to_move
from petteia.features.amazons_mobility import Mobility
from petteia.features.amazons_queen_distance import QueenDistance
from petteia.games.amazons import Amazons
from petteia.games.amazons_board import Rabbits, packed, rabbits_of
from petteia.search.alpha_beta import STANDARD
from petteia.search.ends import BY_MARGIN, EARLY
from petteia.search.searcher import Searcher

BOARDS = ((4, 4), (5, 4))


def late(width: int, height: int, rabbits: int, seed: int, squares: int) -> Any:
    """A position of a random game in which at most so many squares are free; a player is to move."""
    rules, draw = Amazons(width, height, rabbits), random.Random(seed)
    while True:
        state = rules.initial()
        while not is_over(rules, state):
            if free(rules, state) <= squares and to_move(rules, state) != CHANCE:
                return state
            state = play(rules, state, draw.choice(legal(rules, state)))


def free(rules: Amazons, state: Any) -> int:
    """How many squares nothing stands on."""
    return sum(int(sign) for sign in format_state(rules, state).split()[0] if sign.isdigit())


def test_the_numbers_of_rabbits_are_one_word() -> None:
    for rabbits in (Rabbits(0, 0, 0, 0), Rabbits(99, 98, 100, 97), Rabbits(1, 0, 5, 0), Rabbits(0, 99, 0, 1)):
        state = Amazons(rabbits=99).initial()._replace(rabbits=packed(rabbits))
        assert rabbits_of(state) == rabbits
    assert Amazons().initial().rabbits == 0


@pytest.mark.parametrize(("width", "height"), BOARDS)
def test_with_nothing_left_to_release_it_is_the_plain_game(width: int, height: int) -> None:
    """At every depth the same values of all moves, and the same choice."""
    plain, rules = Amazons(width, height), Amazons(width, height, 1)
    assert has_chance(rules)
    assert not has_chance(plain)
    for seed in range(4):
        state = late(width, height, 0, seed, 7)
        told: dict[Amazons, list[Any]] = {plain: [], rules: []}
        for variant, found in told.items():
            searcher = Searcher(variant, Mobility(), options=STANDARD & ~EARLY | BY_MARGIN)
            text = format_state(plain, state) + ("" if variant == plain else " 0,0 -")
            count = len(legal(variant, parse_state(variant, text)))
            searcher.search(parse_state(variant, text), Limit(depth=8), multipv=count, progress=found.append)
        assert len(told[plain]) == len(told[rules])
        for one, other in zip(told[plain], told[rules], strict=True):
            assert one.values == pytest.approx(other.values)
            assert one.variations[0].moves[0] == other.variations[0].moves[0]


def expectation(board: Board, place: Place, known: dict[Place, float]) -> float:
    """White's expected margin with best play of both, by every line of play under the oracle's rules."""
    if place not in known:
        if board.is_over(place):
            known[place] = board.margin(place)
        else:
            values = [expectation(board, after, known) for after in board.steps(place).values()]
            best = max if place.side == "w" else min
            known[place] = sum(values) / len(values) if place.running else best(values)
    return known[place]


@pytest.mark.parametrize("position", ["bxw/1x1/xx1/x2 w 1,1 b2", "xx1/xxw/1b1/x2 w 1,1 b4", "1x1/xw1/b1x/x1x w 1,1 b4"])
def test_solved_in_expectation(position: str) -> None:
    found = petteia.solve("amazons:width=3,height=4,rabbits=1", position=position, check=True)
    board = Board(3, 4, 1)
    place = board.read(position)
    known: dict[Place, float] = {}
    values = {move: expectation(board, after, known) for move, after in board.steps(place).items()}
    assert {each.move: each.value for each in found.openings} == pytest.approx(values)
    assert found.value == pytest.approx(expectation(board, place, known))
    assert any(value != round(value) for value in known.values())


def hold(rules: Amazons, state: Any, depth: int, evaluation: Any) -> None:
    """The values of all moves, by search and by every line of play."""
    searcher = Searcher(rules, evaluation)
    thought = searcher.search(state, Limit(depth=depth), multipv=len(legal(rules, state)))
    known = expectiminimax.values(rules, evaluation, BY_MARGIN, state, thought.depth)
    assert {move: round(value * 4096) for move, value in thought.values.items()} == known


def test_search_against_every_line_of_play() -> None:
    for seed in range(3):
        hold(Amazons(4, 4, 1), late(4, 4, 1, seed, 5), 4, Mobility())


@pytest.mark.heavy
@pytest.mark.parametrize(("width", "height"), [(4, 4), (5, 4), (3, 6)])
@pytest.mark.parametrize("rabbits", [1, 2])
def test_many_positions_of_small_boards_against_every_line_of_play(width: int, height: int, rabbits: int) -> None:
    for seed in range(300):
        for depth in (1, 2, 3, 4):
            hold(Amazons(width, height, rabbits), late(width, height, rabbits, seed, 5), depth, QueenDistance())
