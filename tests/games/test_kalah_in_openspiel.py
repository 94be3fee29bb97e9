"""Kalah beside OpenSpiel's `mancala`, a program of other hands, in random games."""

from __future__ import annotations

import platform
import random
import sys

import pytest

from petteia.core.protocol import format_move, initial, is_over, legal, margin, play
from petteia.games import game
from petteia.games.kalah import pit_of

RULES = game("kalah:capture=nonempty,end=either,leftovers=owner")
HOLLOWS = 14
"""of OpenSpiel, in the order of sowing: North's store, South's pits 1..6, its store, North's pits 1..6"""

pytestmark = pytest.mark.skipif(
    sys.platform == "darwin" and platform.machine() != "arm64", reason="open-spiel has no wheel for Macs of Intel"
)


def hollows(state):
    """The position as OpenSpiel has it."""
    south, north = ([pit_of(row, pit) for pit in range(6)] for row in (state.south, state.north))
    return [state.north_store, *south, state.south_store, *north]


def compare_game(theirs, seed):
    """Play a random game here and there; how long it was, and its margin."""
    draw = random.Random(seed)
    state, plies = initial(RULES), 0
    while True:
        assert list(map(int, theirs.observation_tensor(0)[:HOLLOWS])) == hollows(state)
        assert theirs.is_terminal() == is_over(RULES, state), theirs
        if is_over(RULES, state):
            final = margin(RULES, state)
            assert theirs.returns() == [(final > 0) - (final < 0), (final < 0) - (final > 0)], theirs
            return plies, final
        assert theirs.current_player() == state.side, theirs
        names = {int(format_move(RULES, state, move)) + 7 * state.side: move for move in legal(RULES, state)}
        assert sorted(names) == theirs.legal_actions(), theirs
        action = draw.choice(sorted(names))
        theirs.apply_action(action)
        state, plies = play(RULES, state, names[action]), plies + 1


def compare_games(numbers):
    import pyspiel

    mancala = pyspiel.load_game("mancala")
    played = [compare_game(mancala.new_initial_state(), number) for number in numbers]
    assert {(final > 0) - (final < 0) for _, final in played} == {-1, 0, 1}
    assert sum(plies for plies, _ in played) > 30 * len(played)


@pytest.mark.slow
def test_a_thousand_games_are_the_same():
    compare_games(range(1000))


@pytest.mark.heavy
def test_ten_thousand_games_are_the_same():
    compare_games(range(1000, 11_000))
