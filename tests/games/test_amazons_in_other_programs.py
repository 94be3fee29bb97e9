"""The Game of the Amazons beside two programs of other hands, in random games: OpenSpiel and Fairy-Stockfish."""

from __future__ import annotations

import platform
import random
import re
import sys
from typing import Any

import pytest

from petteia.core.protocol import format_move, format_state, initial, is_over, legal, margin, play, to_move
from petteia.games import Amazons, game
from petteia.games.queens import LARGEST, SQUARES

no_openspiel = pytest.mark.skipif(
    sys.platform == "darwin" and platform.machine() != "arm64", reason="open-spiel has no wheel for Macs of Intel"
)


def rules_for(size: int) -> Amazons:
    return game(f"amazons:width={size},height={size}")


EVERY = 3
"""how often all moves of a position are looked at, and not only that which is played"""


def squares_of(move: int) -> tuple[int, int, int]:
    return move // SQUARES**2, move // SQUARES % SQUARES, move % SQUARES


def named(rules: Amazons, state: Any, move: int) -> str:
    """The name of a move in Fairy-Stockfish."""
    origin, target, arrow = re.split("[-x]", format_move(rules, state, move))
    return f"{origin}{target},{target}{arrow}"


def openspiel_game(size: int, seed: int) -> int:
    """Play a random game here and in OpenSpiel, whose moves are three actions; returns how long it was."""
    import pyspiel

    rules, draw = rules_for(size), random.Random(seed)
    theirs: Any = pyspiel.load_game("amazons", {"board_size": size}).new_initial_state()
    state, plies = initial(rules), 0

    def action(square: int) -> int:
        return (size - 1 - square // LARGEST) * size + square % LARGEST

    while not theirs.is_terminal():
        assert not is_over(rules, state)
        assert theirs.current_player() == to_move(rules, state)
        own = legal(rules, state)
        move = draw.choice(own)
        looked_at = own if (seed + plies) % EVERY == 0 else [move]
        moves = [tuple(map(action, squares_of(each))) for each in looked_at]
        for i, step in enumerate(map(action, squares_of(move))):
            wanted = {each[i] for each in moves if each[:i] == tuple(map(action, squares_of(move)))[:i]}
            actions = theirs.legal_actions()
            assert step in actions, format_state(rules, state)
            assert looked_at is not own or set(actions) == wanted, format_state(rules, state)
            theirs.apply_action(step)
        state, plies = play(rules, state, move), plies + 1
    assert is_over(rules, state)
    assert theirs.returns() == [margin(rules, state), -margin(rules, state)]
    return plies


def fairy_game(seed: int) -> int:
    """Play a random game here and in Fairy-Stockfish; returns how long it was."""
    pyffish: Any = pytest.importorskip("pyffish", reason="is installed on Linux alone")

    rules, draw = rules_for(LARGEST), random.Random(seed)
    start = pyffish.start_fen("amazons")
    state, fen, plies = initial(rules), start, 0
    while not is_over(rules, state):
        own = legal(rules, state)
        move = draw.choice(own)
        if (seed + plies) % EVERY == 0:
            assert set(pyffish.legal_moves("amazons", fen, [])) == {named(rules, state, each) for each in own}
        fen = pyffish.get_fen("amazons", fen, [named(rules, state, move)])
        state, plies = play(rules, state, move), plies + 1
    assert not pyffish.legal_moves("amazons", fen, [])
    assert pyffish.game_result("amazons", fen, []) < 0, "who is to move has lost"
    return plies


@no_openspiel
@pytest.mark.parametrize("size", [6, 8, 10])
def test_a_hundred_games_are_those_of_openspiel(size: int) -> None:
    assert sum(openspiel_game(size, seed) for seed in range(100)) > 1000


def test_a_hundred_games_are_those_of_fairy_stockfish() -> None:
    assert sum(fairy_game(seed) for seed in range(100)) > 3000


@no_openspiel
@pytest.mark.heavy
@pytest.mark.parametrize("size", [6, 8, 10])
def test_a_thousand_games_are_those_of_openspiel(size: int) -> None:
    assert sum(openspiel_game(size, 1000 + seed) for seed in range(1000)) > 10_000


@pytest.mark.heavy
def test_a_thousand_games_are_those_of_fairy_stockfish() -> None:
    assert sum(fairy_game(1000 + seed) for seed in range(1000)) > 30_000
