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
        squares = [(move // SQUARES**2, move // SQUARES % SQUARES, move % SQUARES) for move in legal(rules, state)]
        moves = {tuple(map(action, each)): move for each, move in zip(squares, legal(rules, state), strict=True)}
        chosen = draw.choice(sorted(moves))
        for i, step in enumerate(chosen):
            wanted = {each[i] for each in moves if each[:i] == chosen[:i]}
            assert set(theirs.legal_actions()) == wanted, format_state(rules, state)
            theirs.apply_action(step)
        state, plies = play(rules, state, moves[chosen]), plies + 1
    assert is_over(rules, state)
    assert theirs.returns() == [margin(rules, state), -margin(rules, state)]
    return plies


def fairy_game(seed: int) -> int:
    """Play a random game here and in Fairy-Stockfish; returns how long it was."""
    pyffish: Any = pytest.importorskip("pyffish", reason="is installed on Linux alone")

    rules, draw = rules_for(LARGEST), random.Random(seed)
    start = pyffish.start_fen("amazons")
    theirs: list[str] = []
    state = initial(rules)
    while True:
        names = {format_move(rules, state, move): move for move in legal(rules, state)}
        as_theirs = {f"{a}{b},{b}{c}": name for name in names for a, b, c in [re.split("[-x]", name)]}
        assert set(pyffish.legal_moves("amazons", start, theirs)) == set(as_theirs)
        if is_over(rules, state):
            assert pyffish.game_result("amazons", start, theirs) < 0, "who is to move has lost"
            return len(theirs)
        theirs.append(draw.choice(sorted(as_theirs)))
        state = play(rules, state, names[as_theirs[theirs[-1]]])


@no_openspiel
@pytest.mark.parametrize("size", [6, 8, 10])
def test_a_game_is_that_of_openspiel(size: int) -> None:
    assert openspiel_game(size, size) > 10


def test_a_game_is_that_of_fairy_stockfish() -> None:
    assert fairy_game(0) > 30


@no_openspiel
@pytest.mark.heavy
@pytest.mark.parametrize("size", [6, 8, 10])
def test_a_thousand_games_are_those_of_openspiel(size: int) -> None:
    assert sum(openspiel_game(size, 1000 + seed) for seed in range(1000)) > 10_000


@pytest.mark.heavy
def test_a_thousand_games_are_those_of_fairy_stockfish() -> None:
    assert sum(fairy_game(1000 + seed) for seed in range(1000)) > 30_000
